//! Table 1 and figure 7: the total energy at three steps, and against RK4.

use super::{DURATION, STUDY, pendulum, released};
use crate::statements::spherical_pendulum as stated;
use crate::study::Finding;
use crate::study::certain::side;
use crate::study::charts;
use crate::study::motion::Motion;
use lagrange_cli::analysis::decimate::extremes;
use lagrange_cli::report::Report;
use lagrange_cli::report::csv::Series;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::number::shown;
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_cli::report::statement::Statement;
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (2, "table 1");
const LONG_PLACE: (u32, &str) = (2, "long runs");

/// How long the comparison of drifts lasts, s.
const LONG: f64 = 200.0;

/// A line of the document's table 1.
struct Line {
    statement: &'static Statement,
    step: f64,
    name: &'static str,
    /// The printed maximum and minimum, and their decimals.
    largest: &'static str,
    smallest: &'static str,
    decimals: i32,
    /// The printed difference of both.
    error: &'static str,
    /// The recomputed range, and the percentage within which ours must meet it.
    range: &'static str,
    percent: f64,
}

const TABLE: [Line; 3] = [
    Line {
        statement: &stated::TABLE_01,
        step: 0.1,
        name: "0.1 s",
        largest: "-8.48",
        smallest: "-8.52",
        decimals: 2,
        error: "0.04",
        range: "0.034336945",
        percent: 1e-4,
    },
    Line {
        statement: &stated::TABLE_001,
        step: 0.01,
        name: "0.01 s",
        largest: "-8.48704",
        smallest: "-8.48739",
        decimals: 5,
        error: "0.00035",
        range: "3.4322241e-4",
        percent: 1e-4,
    },
    Line {
        statement: &stated::TABLE_0001,
        step: 0.001,
        name: "0.001 s",
        largest: "-8.4870489",
        smallest: "-8.4870523",
        decimals: 7,
        error: "0.0000034",
        range: "3.4322098e-6",
        percent: 2e-4,
    },
];

/// The motions by RATTLE at the three steps.
type Motions = [Motion<3>; 3];

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = pendulum().prepare::<f64>()?;
    let by = |line: &Line| Motion::<3>::integrate(&system, released(), DURATION, &Rattle::new(line.step));
    let motions = [by(&TABLE[0])?, by(&TABLE[1])?, by(&TABLE[2])?];
    for (line, motion) in TABLE.iter().zip(&motions) {
        table_rows(report, line, motion);
    }
    orders(report, &motions);

    let long = Long {
        coarse: Motion::integrate(&system, released(), LONG, &Rattle::new(0.1))?,
        rattle: Motion::integrate(&system, released(), LONG, &Rattle::new(0.01))?,
        midpoint: Motion::integrate(&system, released(), LONG, &VariationalMidpoint::new(0.01))?,
        rk4: Motion::integrate(&system, released(), LONG, &Projected::new(Rk4::new(0.1)))?,
    };
    drift_rows(report, &motions[0], &long);
    report.series.push(series(&motions[1]));
    report.sections.push(section(&motions, &long));
    Ok(())
}

/// Motions over [`LONG`].
struct Long {
    /// By RATTLE at 0.1 s.
    coarse: Motion<3>,
    /// By RATTLE at 0.01 s.
    rattle: Motion<3>,
    /// By the variational midpoint rule at 0.01 s.
    midpoint: Motion<3>,
    /// By RK4 at 0.1 s, each step projected onto the rod.
    rk4: Motion<3>,
}

/// The largest and the smallest of a motion's energies.
fn range<const N: usize>(motion: &Motion<N>) -> (f64, f64) {
    let bounds = (f64::NEG_INFINITY, f64::INFINITY);
    motion.energy.iter().fold(bounds, |(high, low), energy| (high.max(*energy), low.min(*energy)))
}

/// The largest less the smallest of a motion's energies.
fn width(motion: &Motion<3>) -> f64 {
    let (largest, smallest) = range(motion);
    largest - smallest
}

/// A number cut off after so many decimals.
fn truncated(value: f64, decimals: i32) -> f64 {
    let scale = 10.0_f64.powi(decimals);
    (value * scale).trunc() / scale
}

fn table_rows(report: &mut Report, line: &Line, motion: &Motion<3>) {
    let (largest, smallest) = range(motion);
    let cut = "the document cuts its figures off: ours, cut off after as many decimals";
    let [largest_cut, smallest_cut] = [largest, smallest].map(|energy| truncated(energy, line.decimals));
    let mut row = |quantity: &str, text, ours, note: &str| {
        let published = Published::printed(text).of(line.statement);
        let quantity = format!("{quantity} of the total energy in 20 s, step {}", line.name);
        report.rows.push(Row::compared(PLACE, quantity, "J", published, ours, note));
    };
    row("largest value", line.largest, largest_cut, cut);
    row("smallest value", line.smallest, smallest_cut, cut);
    row(
        "error",
        line.error,
        largest_cut - smallest_cut,
        "the document's error is the difference of its cut figures: ours, formed alike; the range below is the uncut difference",
    );
    report.rows.push(Row::compared(
        PLACE,
        format!("range of the total energy in 20 s, step {}", line.name),
        "J",
        Published::within_percent(line.range, line.percent).recomputed(),
        largest - smallest,
        "recomputed from the document's equations, independently of this program",
    ));
}

fn orders(report: &mut Report, motions: &Motions) {
    for (pair, name) in motions.windows(2).zip(["0.1 s to 0.01 s", "0.01 s to 0.001 s"]) {
        report.rows.push(Row::compared(
            PLACE,
            format!("decades of the error per decade of the step, {name}"),
            "",
            Published::within("2", 0.01).of(&stated::QUADRATIC),
            (width(&pair[0]) / width(&pair[1])).log10(),
            "",
        ));
    }
}

fn drift_rows(report: &mut Report, short: &Motion<3>, long: &Long) {
    // The largest departure until LONG, over that until DURATION.
    let growth = |motion: &Motion<3>| {
        let until = motion.states.iter().take_while(|state| state.t <= DURATION).count();
        let departure =
            |count: usize| motion.energy_error().take(count).map(|[_, error]| error.abs()).fold(0.0, f64::max);
        departure(motion.states.len()) / departure(until)
    };
    report.rows.extend([
        Row::compared(
            LONG_PLACE,
            "range of the total energy in 200 s over that in 20 s, RATTLE, step 0.1 s",
            "",
            Published::within("1", 0.01).of(&stated::ENERGY_KEPT),
            width(&long.coarse) / width(short),
            "",
        ),
        Row::compared(
            LONG_PLACE,
            "largest |E − E(0)| in 200 s over that in 20 s, RK4 projected onto the rod, step 0.1 s",
            "",
            Published::above("1").of(&stated::RK4_DIVERGES),
            growth(&long.rk4),
            "",
        ),
        Row::compared(
            LONG_PLACE,
            "range of the total energy in 20 s, RATTLE, step 0.1 s, over the energy's magnitude",
            "",
            Published::within("0", 1e-12).of(&stated::ENERGY_CONSERVED),
            width(short) / short.energy[0].abs(),
            "conserved is read as constant to rounding",
        ),
        Row::compared(
            LONG_PLACE,
            "range of the total energy in 200 s over that in 20 s, RATTLE, step 0.1 s, less 1",
            "",
            Published::within("0", 0.01).of(&stated::ENERGY_CONSERVED),
            width(&long.coarse) / width(short) - 1.0,
            "conserved is read as bounded",
        ),
        Row::compared(
            LONG_PLACE,
            "RATTLE: how far E moves from the first to the last tenth of 200 s, over its range in the first",
            "",
            Published::at_most("1").of(&stated::ENERGY_KEPT),
            long.coarse.accumulation(),
            "below 1 nothing accumulates",
        )
        .certain(side(long.coarse.accumulation(), 0.1)),
        Row::compared(
            LONG_PLACE,
            "RK4 projected onto the rod: the same",
            "",
            Published::above("1").of(&stated::RK4_DIVERGES),
            long.rk4.accumulation(),
            "above 1 the error accumulates",
        ),
        Row::ours(
            LONG_PLACE,
            "range of the total energy in 200 s, RATTLE, step 0.01 s",
            "J",
            width(&long.rattle),
            "as in 20 s: no drift",
        ),
        Row::ours(
            LONG_PLACE,
            "range of the total energy in 200 s, variational midpoint, step 0.01 s",
            "J",
            width(&long.midpoint),
            "the document's discrete Lagrangian, with the hidden constraint by its discrete Legendre transform",
        ),
        Row::ours(
            LONG_PLACE,
            "slope of the total energy in 200 s, RATTLE, step 0.1 s",
            "J/s",
            long.coarse.energy_drift(),
            "of the straight line through it",
        ),
        Row::ours(
            LONG_PLACE,
            "slope of the total energy in 200 s, RK4 projected onto the rod, step 0.1 s",
            "J/s",
            long.rk4.energy_drift(),
            "as above: the energy drifts",
        ),
    ]);
}

/// Every tenth step at 0.01 s.
fn series(motion: &Motion<3>) -> Series {
    let row = |(state, energy): (&State<f64, 3>, &f64)| vec![state.t, state.q[0], state.q[1], state.q[2], *energy];
    Series {
        name: "spherical-pendulum-rattle".to_owned(),
        columns: vec!["t (s)", "x (m)", "y (m)", "z (m)", "E (J)"],
        rows: motion.states.iter().zip(&motion.energy).step_by(10).map(row).collect(),
    }
}

fn section(motions: &Motions, long: &Long) -> Section {
    let chart = |end, curves: &[(&'static str, Style, &Motion<3>)]| {
        let curves = curves.iter().map(|(name, style, motion)| {
            Curve::new(*name, *style, extremes(motion.energy_error(), [0.0, end], charts::BUCKETS / 2))
        });
        let (x, y) = (Axis::linear("time (s)").spanning(0.0, end), Axis::linear("E − E(0) (J)"));
        Chart::new(x, y, curves.collect()).with_aspect(0.55)
    };
    let steps = motions.iter().zip(&TABLE).map(|(motion, line)| chart(DURATION, &[(line.name, Style::First, motion)]));
    Section {
        id: "table-1",
        study: STUDY,
        title: "Total energy: three steps, and long runs".to_owned(),
        setup: format!(
            "The same pendulum by RATTLE at 0.1, 0.01 and 0.001 s over 20 s, and over 200 s against RK4. The energy is {} J at the start; \
             shown is the difference from it.",
            shown(motions[0].energy[0], 6)
        ),
        figures: vec![
            Figure {
                title: "Energy at the three steps".to_owned(),
                charts: steps.collect(),
                paper: "the error is proportional to the square of the step (its table 1).".to_owned(),
                ours: "the largest energy is that of the start at every step; the smallest comes nearer by 100 with each \
                       tenth of the step."
                    .to_owned(),
            },
            Figure {
                title: "Long runs".to_owned(),
                charts: vec![
                    chart(
                        LONG,
                        &[("RATTLE, 0.1 s", Style::First, &long.coarse), ("RK4, projected, 0.1 s", Style::Second, &long.rk4)],
                    ),
                    chart(
                        LONG,
                        &[
                            ("variational midpoint, 0.01 s", Style::Third, &long.midpoint),
                            ("RATTLE, 0.01 s", Style::First, &long.rattle),
                        ],
                    ),
                ],
                paper: "the energy of the variational integrator stays within a constant range, and RK4's diverges (its figure 7)."
                    .to_owned(),
                ours: format!(
                    "the straight lines through the energy have slopes of {} J/s (RATTLE) and {} J/s (RK4) at 0.1 s.",
                    shown(long.coarse.energy_drift(), 2),
                    shown(long.rk4.energy_drift(), 2)
                ),
            },
        ],
        ..Section::default()
    }
}
