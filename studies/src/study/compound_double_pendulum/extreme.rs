//! The errors of the energy in experiment 5, which is chaotic: over starts that differ by rounding, against experiment 4.

use super::step_size::{perturbed, rules};
use super::{DURATION, STEP};
use crate::statements::compound_double_pendulum as stated;
use crate::study::Finding;
use crate::study::certain::side;
use crate::study::motion::Motion;
use lagrange_cli::report::Report;
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::prelude::*;

/// Δ₀, J.
const DELTA: f64 = 1e-10;

/// The errors of one motion by RK4 and by RKF45 with the printed Δ₀ and q.
struct Errors {
    /// The largest |E − E(0)| by RK4, and its largest |E(t + h) − E(t)|, J.
    rk4: [f64; 2],
    /// The largest |E − E(0)| by RKF45, and its largest |E(t + h) − E(t)|, J.
    adaptive: [f64; 2],
    /// How far E by RK4 has moved: see [`Motion::accumulation`].
    accumulation: f64,
    /// |E(500 s) − E(0)| by RK4, J.
    last: f64,
    /// The number of evaluations by RK4.
    evaluations: u64,
}

impl Errors {
    fn of(start: State<f64, 2>) -> Finding<Self> {
        let system = CompoundDoublePendulum::default().prepare::<f64>()?;
        let rk4 = Motion::integrate(&system, start, DURATION, &Rk4::new(STEP))?;
        let adaptive = Motion::integrate(&system, start, DURATION, &rules()[0].method)?;
        let errors = |motion: &Motion| [motion.largest_energy_error(), motion.largest_step_error()];
        Ok(Self {
            rk4: errors(&rk4),
            adaptive: errors(&adaptive),
            accumulation: rk4.accumulation(),
            last: rk4.energy.last().map_or(f64::NAN, |energy| (energy - rk4.energy[0]).abs()),
            evaluations: rk4.statistics.evaluations,
        })
    }
}

/// The smallest and the largest value over the starts, and their mean.
#[derive(Clone, Copy)]
struct Range {
    least: f64,
    greatest: f64,
    mean: f64,
}

impl Range {
    fn of<T>(values: &[T], value: impl Fn(&T) -> f64) -> Self {
        let values: Vec<f64> = values.iter().map(value).collect();
        Self {
            least: values.iter().copied().fold(f64::INFINITY, f64::min),
            greatest: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            mean: values.iter().sum::<f64>() / values.len() as f64,
        }
    }

    /// The end that is farther from 0.
    fn farthest(self) -> f64 {
        if self.greatest.abs() > self.least.abs() { self.greatest } else { self.least }
    }
}

/// Adds the rows. Each is judged by the start that is worst for it.
pub(super) fn rows(report: &mut Report, place: (u32, &'static str), initial: State<f64, 2>) -> Finding<()> {
    let errors = perturbed(initial, &Errors::of)?;
    let before = Errors::of(CompoundDoublePendulum::released_at_45_degrees())?;
    let verlets = perturbed(initial, &|start| {
        let system = CompoundDoublePendulum::default().prepare::<f64>()?;
        Ok(Motion::integrate(&system, start, DURATION, &Verlet::new(STEP))?.largest_energy_error())
    })?;
    let system = CompoundDoublePendulum::default().prepare::<f64>()?;
    let rattle = Motion::integrate(&system, initial, DURATION, &Rattle::new(STEP))?;
    let orders = |value: &dyn Fn(&Errors) -> f64| Range::of(&errors, |of| value(of).log10());
    let (rk4, verlet) = (Range::of(&errors, |of| of.rk4[0]), Range::of(&verlets, |of| *of));
    // Each with the worst of its values, and a limit that all of them are far from.
    let comparisons = [
        (
            "growth of RK4's largest error of a single step over experiment 4",
            Published::above("4").of(&stated::RK4_LOSES),
            orders(&|of| of.rk4[1] / before.rk4[1]).least,
            4.0,
        ),
        (
            "growth of RK4's largest |E − E(0)| over experiment 4",
            Published::above("4").of(&stated::RK4_LOSES),
            orders(&|of| of.rk4[0] / before.rk4[0]).greatest,
            4.0,
        ),
        (
            "growth of RKF45's largest |E − E(0)| over experiment 4",
            Published::within("0", 0.5).of(&stated::SAME_ACCURACY),
            orders(&|of| of.adaptive[0] / before.adaptive[0]).farthest(),
            0.5,
        ),
        (
            "growth of RKF45's largest error of a single step over experiment 4",
            Published::above("0").of(&stated::JUMPS),
            orders(&|of| of.adaptive[1] / before.adaptive[1]).least,
            0.0,
        ),
        (
            "RK4's |E − E(0)| at 500 s over its largest error of a single step",
            Published::above("0").of(&stated::RK4_ACCUMULATES),
            orders(&|of| of.last / of.rk4[1]).least,
            1.0,
        ),
        (
            "RK4's largest |E − E(0)| over RKF45's",
            Published::above("0").of(&stated::NO_ACCUMULATION),
            orders(&|of| of.rk4[0] / of.adaptive[0]).least,
            2.0,
        ),
        (
            "Verlet's largest |E − E(0)| over RK4's",
            Published::above("0").of(&stated::VERLET_LIMITS),
            (verlet.least / rk4.greatest).log10(),
            3.0,
        ),
    ];
    let worst = "log₁₀ of the ratio; the worst of 12 starts turned by multiples of 3e-13 rad";
    for (quantity, published, ours, limit) in comparisons {
        report.rows.push(Row::compared(place, quantity, "orders", published, ours, worst).certain(side(ours, limit)));
    }
    let limit = Range::of(&errors, |of| of.adaptive[1] / DELTA);
    let note = format!(
        "the smallest of 12 starts turned by multiples of 3e-13 rad; they reach {:.0} to {:.0} Δ₀",
        limit.least, limit.greatest
    );
    let published = Published::at_most("1").of(&stated::JUMPS);
    let quantity = "largest error of a single step by RKF45 over Δ₀";
    report.rows.push(Row::compared(place, quantity, "", published, limit.least, &note).certain(side(limit.least, 3.0)));
    accumulation_rows(report, place, Range::of(&errors, |of| of.accumulation), rattle.accumulation());
    let evaluations = errors[0].evaluations as f64 / before.evaluations as f64;
    let published = Published::within("1", 0.0).of(&stated::SAME_COST);
    report.rows.push(Row::compared(
        place,
        "evaluations by RK4 over those of experiment 4",
        "",
        published,
        evaluations,
        "counted",
    ));
    recomputed_rows(report, place, rk4, verlet);
    let adaptive = Range::of(&errors, |of| of.adaptive[0]);
    let note = "the rule with the printed Δ₀ and q, the mean over 12 starts";
    report.rows.push(Row::ours(place, "largest |E − E(0)| in 500 s, RKF45", "J", adaptive.mean, note));
    Ok(())
}

fn accumulation_rows(report: &mut Report, place: (u32, &'static str), rk4: Range, rattle: f64) {
    let moved = "how far E moves from the first to the last tenth of 500 s, over its range in the first";
    report.rows.extend([
        Row::compared(
            place,
            format!("RK4: {moved}"),
            "",
            Published::above("1").of(&stated::RK4_ACCUMULATES),
            rk4.least,
            "above 1 the error accumulates; the worst of 12 starts",
        )
        .certain(side(rk4.least, 1.0)),
        Row::ours(
            place,
            format!("RATTLE: {moved}"),
            "",
            rattle,
            "for comparison: a symplectic method at the same step",
        )
        .beside(&stated::RK4_ACCUMULATES)
        .certain(side(rattle, 1.0)),
    ]);
}

/// The mean errors against the ranges that were recomputed independently of this program.
fn recomputed_rows(report: &mut Report, place: (u32, &'static str), rk4: Range, verlet: Range) {
    let spread = "the motion is chaotic: the mean over 12 starts; tolerance: the range over 120 perturbations of 1e-14, recomputed from the \
                  paper's equations independently of this program";
    for (name, published, range) in
        [("RK4", Published::within("2.4e-4", 0.5e-4), rk4), ("Verlet", Published::within("0.875", 0.155), verlet)]
    {
        let quantity = format!("largest |E − E(0)| in 500 s, {name}");
        report.rows.push(Row::compared(place, quantity, "J", published.recomputed(), range.mean, spread));
    }
}
