//! The methods of §4: their orders, and what the paper says of costs.

use super::STUDY;
use crate::statements::compound_double_pendulum as stated;
use crate::study::Finding;
use crate::study::certain::side;
use crate::study::motion::{end_of, end_with};
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::prelude::*;
use std::hint::black_box;
use std::time::Instant;

const PLACE: (u32, &str) = (1, "methods");

/// The time over which errors accumulate, s.
const DURATION: f64 = 1.0;

/// The compared steps of accumulated errors, s: each half of the one before.
const STEPS: [f64; 4] = [0.005, 0.0025, 0.00125, 0.000625];

/// The compared steps of errors of one step, s: longer, so that round-off stays small beside them.
const LONG_STEPS: [f64; 4] = [0.02, 0.01, 0.005, 0.0025];

/// The number of states from which errors are measured, over 1.5 s of the motion: the mean error has an order where that from one state
/// may change its sign.
const STARTS: u32 = 20;

/// How far a measured order may be from a printed one: the errors' next terms are still seen at these steps.
const ORDER_TOLERANCE: f64 = 0.25;

/// Operations for a measurement of time.
const OPERATIONS: u32 = 400_000;

type Pendulum<'a> = dyn System<f64, 2, 0, 0> + 'a;

/// The errors at each step: (step, error).
struct Errors {
    name: &'static str,
    points: Vec<[f64; 2]>,
}

impl Errors {
    /// log₂ of the ratio of the errors at the two smallest steps.
    fn order(&self) -> f64 {
        let [.., coarse, fine] = self.points[..] else { return f64::NAN };
        (coarse[1] / fine[1]).log2()
    }
}

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = CompoundDoublePendulum::default().prepare::<f64>()?;
    let released = CompoundDoublePendulum::released_at_45_degrees();
    let starts: Vec<State<f64, 2>> = (0..STARTS)
        .map(|index| {
            let time = 0.4 + 1.5 * f64::from(index) / f64::from(STARTS - 1);
            end_of(&system, released, time, &Gauss::<f64, 6>::new(0.01))
        })
        .collect::<Finding<_>>()?;
    let over = |name, steps: [f64; 4], method: &dyn Fn(f64) -> Finding<[f64; 2]>| -> Finding<Errors> {
        Ok(Errors { name, points: steps.iter().map(|step| method(*step)).collect::<Finding<_>>()? })
    };
    let errors = [
        over("Verlet, after 1 s", STEPS, &|h| error(&system, &starts, h, DURATION, &Verlet::new(h)))?,
        over("RK4, after 1 s", STEPS, &|h| error(&system, &starts, h, DURATION, &Rk4::new(h)))?,
        over("RK4, one step", LONG_STEPS, &|h| error(&system, &starts, h, h, &Rk4::new(h)))?,
        over("RKF45 of order 4, one step", LONG_STEPS, &|h| error(&system, &starts, h, h, &Rkf45::new()))?,
        over("Dormand–Prince of order 5, one step", LONG_STEPS, &|h| {
            error(&system, &starts, h, h, &DormandPrince5::new())
        })?,
    ];
    rows(report, &errors);
    report.sections.push(section(&errors));
    Ok(())
}

/// The step with the largest error of any coordinate or velocity after `duration`, the mean over the starts.
fn error<M>(system: &Pendulum<'_>, starts: &[State<f64, 2>], step: f64, duration: f64, method: &M) -> Finding<[f64; 2]>
where
    M: Method<f64, 2, 0>,
{
    // No error shortens a step of a pair.
    let loose = Options { first_step: Some(step), rtol: 1e3.into(), atol: 1e3.into(), ..Options::default() };
    let tight = Options { rtol: 1e-14.into(), atol: 1e-14.into(), ..Options::default() };
    let mut sum = 0.0;
    for start in starts {
        // Times from 0, so that they add up to the end exactly.
        let start = State { t: 0.0, ..*start };
        let exact = end_with(system, start, duration, &Verner9::new(), &tight)?;
        let found = end_with(system, start, duration, method, &loose)?;
        sum += (found.q - exact.q).amax().max((found.v - exact.v).amax());
    }
    Ok([step, sum / starts.len() as f64])
}

fn rows(report: &mut Report, [verlet, rk4, rk4_step, fourth_step, fifth_step]: &[Errors; 5]) {
    let ratio = "log₂ of the ratio of the errors at the two smallest steps";
    let mut order = |quantity: &str, text, statement, ours, note: &str| {
        let published = Published::within(text, ORDER_TOLERANCE).of(statement);
        report.rows.push(Row::compared(PLACE, quantity, "", published, ours, &format!("{ratio}{note}")));
    };
    order("order of Verlet", "2", &stated::ORDERS_OF_BOTH, verlet.order(), " after 1 s");
    order("order of RK4", "4", &stated::ORDER_4, rk4.order(), " after 1 s");
    order("order of the error of one step, RK4", "5", &stated::ORDER_4, rk4_step.order(), "");
    order("order of the error of one step, RKF45 of order 4", "5", &stated::ORDER_4, fourth_step.order(), "");
    order(
        "order of the error of one step, a method of order 5 (Dormand–Prince)",
        "6",
        &stated::ORDER_5,
        fifth_step.order(),
        "",
    );
    order("order of RK4, in the comparison with Verlet", "5", &stated::ORDERS_OF_BOTH, rk4.order(), " after 1 s");
    report.rows.push(Row::compared(
        PLACE,
        "factor of equation 39, (1/2)^(1/5)",
        "",
        Published::printed("0.87").of(&stated::FACTOR),
        0.5_f64.powf(0.2),
        "",
    ));
    let addition = time(|x| x + 1.000_1);
    let clock = "measured by a clock, so that its digits depend on this machine";
    let (sine, power) = (time(f64::sin) / addition, time(|x| x.powf(black_box(3.0))) / time(|x| x * x * x));
    report.rows.extend([
        Row::compared(
            PLACE,
            "time of a sine over that of an addition",
            "",
            Published::at_least("1000").of(&stated::SINE),
            sine,
            clock,
        )
        .certain(side(sine, 100.0)),
        Row::compared(
            PLACE,
            "time of a general power x^3 over that of x·x·x",
            "",
            Published::above("1").of(&stated::POWER),
            power,
            clock,
        )
        .certain(side(power, 1.0)),
    ]);
}

/// The least time of one operation in three runs, s. Each operation waits for the one before.
fn time(operation: impl Fn(f64) -> f64) -> f64 {
    let run = || {
        let start = Instant::now();
        let mut value = 0.3;
        for _ in 0..OPERATIONS {
            value = black_box(0.1 + 0.2 * operation(value));
        }
        black_box(value);
        start.elapsed().as_secs_f64() / f64::from(OPERATIONS)
    };
    (0..3).map(|_| run()).fold(f64::INFINITY, f64::min)
}

fn section(errors: &[Errors; 5]) -> Section {
    let styles = [Style::Second, Style::First, Style::Third, Style::Fourth, Style::Fifth];
    let curves = errors.iter().zip(styles).map(|(errors, style)| Curve::new(errors.name, style, errors.points.clone()));
    Section {
        id: "orders",
        study: STUDY,
        title: "Methods: their orders".to_owned(),
        setup: format!(
            "Masses of 1 kg, rods of 1 m, g = 9.8 m/s²; the mean error from {STARTS} states of the motion from rest at (45°, 0°), \
             against Verner's 9(8) at 10⁻¹⁴."
        ),
        equations: Some(CompoundDoublePendulum::EQUATIONS_TEXT),
        figures: vec![Figure {
            title: "Error against the step".to_owned(),
            charts: vec![Chart::new(
                Axis::logarithmic("step (s)").spanning(0.0005, 0.025),
                Axis::logarithmic("mean error (rad, rad/s)"),
                curves.collect(),
            )],
            paper: "RK4 is of order 4 with an error of order 5 in one step, a method of order 5 has order 6 there (§4.3); §5.3 calls RK4 of order \
                    5, and Verlet of order 2."
                .to_owned(),
            ours: format!(
                "the slopes are {:.2} and {:.2} after 1 s, {:.2}, {:.2} and {:.2} in one step, in the order of the legend.",
                errors[0].order(),
                errors[1].order(),
                errors[2].order(),
                errors[3].order(),
                errors[4].order()
            ),
        }],
        ..Section::default()
    }
}
