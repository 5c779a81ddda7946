//! With resistance, and with a source too: plate, charge, and the power balance.

use super::{Case, LINE_WIDTH, PARAMETERS, Plate, STEP, STUDY};
use crate::statements::rlc_plate as stated;
use crate::study::Finding;
use crate::study::motion::Motion;
use lagrange_cli::analysis::trend::slope;
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::number::shown;
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::RlcPlate;
use lagrange_runtime::prelude::*;

/// The source's amplitude, which the paper does not print, V.
const AMPLITUDE: f64 = 1.0;

/// The allowed error of the balance, J: the quadrature's own error, of order 6 in ωh ≈ 0.2, is 1e-8.
const TOLERANCE: f64 = 1e-7;

/// How far the decay rates of both halves may be apart.
const RATE_TOLERANCE: f64 = 0.1;

/// A case with its words.
struct Words {
    place: (u32, &'static str),
    id: &'static str,
    title: &'static str,
    setup: &'static str,
    figure: &'static str,
    paper: &'static str,
    file: &'static str,
}

const RESISTANCE: Words = Words {
    place: (4, "with resistance"),
    id: "resistance",
    title: "Plate with resistance: motion and power balance",
    setup: "The same with R = 0.05 Ω.",
    figure: "Plate and charge, with resistance",
    paper: "the charge decays exponentially; the symplectic method and RK4 agree (its figure 3).",
    file: "rlc-plate-with-resistance",
};

const SOURCE: Words = Words {
    place: (4, "with source"),
    id: "source",
    title: "Plate with source: motion and power balance",
    setup: "The same with R = 0.05 Ω and a source of E₀ sin(ωt), ω = 85.4 rad/s; the paper does not print E₀, which is 1 V here.",
    figure: "Plate and charge, with resistance and source",
    paper: "",
    file: "rlc-plate-with-source",
};

pub(in crate::study) fn with_resistance(report: &mut Report) -> Finding<()> {
    run(report, &RlcPlate::default(), &RESISTANCE)
}

pub(in crate::study) fn with_source(report: &mut Report) -> Finding<()> {
    run(report, &RlcPlate { e0: AMPLITUDE, ..RlcPlate::default() }, &SOURCE)
}

fn run(report: &mut Report, plate: &RlcPlate, words: &Words) -> Finding<()> {
    let system = plate.prepare::<f64>()?;
    let case = Case::integrate(&system, RlcPlate::released())?;
    let works = works(&system, &case.gauss);
    let (gain, imbalance) = balance(&case.gauss, &works);
    let missing = imbalance.iter().map(|[_, missing]| missing.abs()).fold(0.0, f64::max);
    if plate.e0 == 0.0 {
        decay_rows(report, words.place, plate, &case)?;
    }
    let last = works.last().map_or([f64::NAN; 3], |work| *work);
    report.rows.push(Row::ours(
        words.place,
        "E(1 s) − E(0)",
        "J",
        gain,
        "Gauss, 3 stages, step 1 ms; the paper shows curves only",
    ));
    report.rows.push(Row::ours(
        words.place,
        "heat in the resistance, ∫ R ė² dt over 1 s",
        "J",
        -last[2],
        "Boole's rule over the steps' ends",
    ));
    if plate.e0 != 0.0 {
        report.rows.push(Row::ours(
            words.place,
            "work of the source, ∫ E₀ sin(ωt) ė dt over 1 s",
            "J",
            last[1],
            "Boole's rule over the steps' ends; E₀ = 1 V, which the paper does not print",
        ));
    }
    report.rows.extend([
        Row::compared(
            words.place,
            "power balance: largest |E − E(0) − work + heat| in 1 s",
            "J",
            Published::within("0", TOLERANCE).expected(),
            missing,
            "the paper's equations: the energy changes by the work of R and source; tolerance: the error of Boole's rule",
        ),
        Row::ours(
            words.place,
            "relative error of the charge in 1 s, Gauss, 3 stages",
            "",
            case.error(&case.gauss, 1),
            "against Gauss's method of 6 stages",
        ),
        Row::ours(words.place, "relative error of the charge in 1 s, RK4", "", case.error(&case.rk4, 1), "as above"),
    ]);
    report.series.push(case.series(words.file));
    report.sections.push(section(&case, words, [gain, last[1], -last[2]], &works, &imbalance));
    Ok(())
}

/// What the paper says of the charge's decay, and of both methods.
fn decay_rows(report: &mut Report, place: (u32, &'static str), plate: &RlcPlate, case: &Case) -> Finding<()> {
    let peaks = peaks(&case.reference);
    let rate = |peaks: &[[f64; 2]]| -slope(peaks.iter().map(|[t, peak]| [*t, peak.ln()]));
    // The rate from each peak of |e| to the next.
    let rates: Vec<f64> =
        peaks.windows(2).map(|near| (near[0][1] / near[1][1]).ln() / (near[1][0] - near[0][0])).collect();
    let (early, late) = peaks.split_at(peaks.len() / 2);
    if early.len() < 3 {
        return Err("the charge has too few peaks".into());
    }
    // A peak is seen in a figure while it is larger than a line's width.
    let seen = peaks.iter().take_while(|peak| peak[1] > LINE_WIDTH * RlcPlate::released().q[1]).count();
    let [first, last] = [rates[0], rates[seen.saturating_sub(2)]];
    report.rows.extend([
        Row::compared(
            place,
            "decay rate of the charge at the last peaks that can be seen over that at the first",
            "",
            Published::within("1", RATE_TOLERANCE).of(&stated::DECAY),
            last / first,
            &format!(
                "exponential is read as one rate, within a tenth; from peak to peak of |e| the rates are {} /s; a peak can be seen while it is \
                 larger than a hundredth of the first charge",
                rates[..seen.saturating_sub(1)].iter().map(|rate| shown(*rate, 3)).collect::<Vec<_>>().join(", ")
            ),
        ),
        Row::compared(
            place,
            "decay rate of the charge's peaks, second half of 1 s over first half",
            "",
            Published::within("1", RATE_TOLERANCE).of(&stated::DECAY),
            rate(late) / rate(early),
            "the same of the straight lines through the logarithms of the peaks, most of which no figure shows",
        ),
        Row::ours(
            place,
            "decay rate at the end of 1 s",
            "1/s",
            rates[rates.len() - 1],
            "between the last two peaks of |e|",
        )
        .beside(&stated::DECAY),
        case.agreement(place, 1),
        Row::ours(
            place,
            "decay rate of the charge's peaks",
            "1/s",
            rate(&peaks),
            &format!(
                "the circuit with the plate at rest has R/(2L₁) = {} 1/s; the plate, at √(k/m) = {} rad/s, swings at about twice the \
                 circuit's {} rad/s and feeds it",
                shown(plate.r / (2.0 * plate.l), 5),
                shown((plate.k / plate.m).sqrt(), 4),
                shown((plate.s / (plate.eps * plate.a * plate.l)).sqrt(), 4)
            ),
        ),
    ]);
    Ok(())
}

/// (t, |e|) at the charge's extremes: at the start, which is at rest, and then where the parabola through three steps' ends has its top.
fn peaks(motion: &Motion) -> Vec<[f64; 2]> {
    let points: Vec<[f64; 2]> = motion.coordinate(1).map(|[t, charge]| [t, charge.abs()]).collect();
    let top = |near: &[[f64; 2]]| {
        let [before, here, after] = [near[0][1], near[1][1], near[2][1]];
        let offset = (before - after) / (2.0 * (before - 2.0 * here + after));
        [near[1][0] + offset * STEP, here - (before - after) * offset / 4.0]
    };
    let tops = points.windows(3).filter(|near| near[1][1] > near[0][1] && near[1][1] >= near[2][1]).map(top);
    std::iter::once(points[0]).chain(tops).collect()
}

/// t with the work until then of source and resistance, at every fourth step's end: Boole's rule, of order 6.
fn works(system: &Plate<'_>, motion: &Motion) -> Vec<[f64; 3]> {
    let powers: Vec<[f64; 2]> = motion
        .states
        .iter()
        .map(|state| {
            // One force, dissipation, and ∂L/∂t.
            let mut terms = [0.0; 3];
            system.powers(state.t, &state.q, &state.v, &SVector::zeros(), &mut terms);
            [terms[0], terms[1]]
        })
        .collect();
    let mut sums = [0.0; 2];
    let mut works = vec![[motion.states[0].t, 0.0, 0.0]];
    for first in (0..powers.len().saturating_sub(4)).step_by(4) {
        for (term, sum) in sums.iter_mut().enumerate() {
            let weighted = [7.0, 32.0, 12.0, 32.0, 7.0].iter().zip(&powers[first..]);
            *sum += STEP * 2.0 / 45.0 * weighted.map(|(weight, power)| weight * power[term]).sum::<f64>();
        }
        works.push([motion.states[first + 4].t, sums[0], sums[1]]);
    }
    works
}

/// E − E(0) at the end, and (t, E − E(0) − works).
fn balance(motion: &Motion, works: &[[f64; 3]]) -> (f64, Vec<[f64; 2]>) {
    let gains: Vec<f64> = motion.energy_error().step_by(4).map(|[_, gain]| gain).collect();
    let missing = works.iter().zip(&gains).map(|([t, source, heat], gain)| [*t, gain - source - heat]).collect();
    (gains.last().copied().unwrap_or(f64::NAN), missing)
}

fn section(
    case: &Case,
    words: &Words,
    [gain, work, heat]: [f64; 3],
    works: &[[f64; 3]],
    imbalance: &[[f64; 2]],
) -> Section {
    let time = || Axis::linear("time (s)").spanning(0.0, super::SHOWN);
    let mut curves = vec![
        Curve::new("E − E(0)", Style::First, case.gauss.energy_error().collect()),
        Curve::new("heat, with its sign", Style::Second, works.iter().map(|work| [work[0], work[2]]).collect()),
    ];
    if work != 0.0 {
        curves.push(Curve::new(
            "work of the source",
            Style::Third,
            works.iter().map(|work| [work[0], work[1]]).collect(),
        ));
    }
    let missing = imbalance.iter().map(|[t, missing]| [*t, missing.abs()]).filter(|point| point[1] > 0.0).collect();
    let found = if work == 0.0 {
        format!("{} J are lost and {} J of heat produced.", shown(-gain, 6), shown(heat, 6))
    } else {
        format!(
            "the energy changes by {} J; the source does work of {} J, and {} J become heat.",
            shown(gain, 6),
            shown(work, 6),
            shown(heat, 6)
        )
    };
    Section {
        id: words.id,
        study: STUDY,
        title: words.title.to_owned(),
        setup: format!("{} {PARAMETERS}", words.setup),
        equations: Some(RlcPlate::EQUATIONS_TEXT),
        figures: vec![
            case.figure(
                words.figure,
                words.paper,
                format!(
                    "in this second RK4's charge is off by {} of its largest value, that of Gauss by {}.",
                    shown(case.error(&case.rk4, 1), 2),
                    shown(case.error(&case.gauss, 1), 2)
                ),
            ),
            Figure {
                title: "Power balance".to_owned(),
                charts: vec![
                    Chart::new(time(), Axis::linear("energy (J)"), curves).with_aspect(0.55),
                    Chart::new(
                        time(),
                        Axis::logarithmic("|E − E(0) − work + heat| (J)"),
                        vec![Curve::new("Gauss, 3 stages", Style::First, missing)],
                    )
                    .with_aspect(0.55),
                ],
                paper: String::new(),
                ours: format!("{found} What is missing is the error of the integral over the steps."),
            },
        ],
        ..Section::default()
    }
}
