//! What does a given energy error over 10⁴ periods cost with methods that preserve structure, and with those that do not?
//!
//! `cargo bench -p lagrange-benches --bench equal_energy`
//!
//! Each method runs at steps (or tolerances) from coarse to fine; its cost at the error is read between two runs. The error is the
//! largest |E − E(0)| at every 16th step, relative to the energy above rest. One run of each, one after another: the
//! numbers of evaluations are exact, the times and their ratios to RK4 good to some per cent on an idle machine.

use lagrange_benches::curve::{Contender, Run, compare};
use lagrange_models::{DoublePendulum, HenonHeiles, SphericalPendulumCartesian};
use lagrange_runtime::prelude::*;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

const PERIODS: f64 = 1e4;

/// The relative energy errors at which costs are compared.
const ERRORS: [f64; 4] = [1e-2, 1e-4, 1e-6, 1e-8];

/// A motion of 10⁴ periods.
struct Motion<'a, S, const N: usize> {
    system: &'a S,
    start: State<f64, N>,
    period: f64,
    /// The energy above rest.
    scale: f64,
}

impl<S, const N: usize> Motion<'_, S, N> {
    fn run<M, const C: usize>(&self, method: &M, tolerance: f64) -> Option<Run>
    where
        S: System<f64, N, C, 0>,
        M: Method<f64, N, C>,
    {
        let energy =
            |state: &State<f64, N>| self.system.energies(state.t, &state.q, &state.v, &SVector::zeros()).energy;
        let (start, mut state, mut largest) = (energy(&self.start), black_box(self.start), 0.0_f64);
        let mut observer = Every::new(16, |step: &StepView<f64, N>| {
            largest = largest.max((energy(&step.end) - start).abs());
            // An error of this size is of no use: it breaks off what would not be compared.
            if largest < 0.1 * self.scale { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let options = Options { rtol: tolerance.into(), atol: tolerance.into(), ..Options::default() };
        let (t_end, mut inputs) = (PERIODS * self.period, DefaultInputs::of(self.system));
        let begun = Instant::now();
        let report = integrate(self.system, &mut state, t_end, method, &options, &mut inputs, &mut observer).ok()?;
        let seconds = begun.elapsed().as_secs_f64();
        (report.outcome == Outcome::Finished).then(|| Run {
            error: largest / self.scale,
            seconds,
            evaluations: report.statistics.evaluations as f64,
        })
    }

    /// The contenders with a fixed step of a period over 2^level.
    fn fixed<const C: usize>(&self) -> Vec<Contender<'_>>
    where
        S: System<f64, N, C, 0>,
    {
        let step = |level: i32| self.period / f64::from(level).exp2();
        let by = Iteration::FixedPoint;
        vec![
            Contender::new("Gauss, 2 stages, fixed point", 2, move |level| {
                self.run(&Gauss::<f64, 2>::new(step(level)).with_iteration(by), 1.0)
            }),
            Contender::new("Gauss, 2 stages, Newton", 2, move |level| {
                self.run(&Gauss::<f64, 2>::new(step(level)), 1.0)
            }),
            Contender::new("Gauss, 3 stages, fixed point", 1, move |level| {
                self.run(&Gauss::<f64, 3>::new(step(level)).with_iteration(by), 1.0)
            }),
            Contender::new("Gauss, 3 stages, Newton", 1, move |level| {
                self.run(&Gauss::<f64, 3>::new(step(level)), 1.0)
            }),
            Contender::new("RATTLE", 3, move |level| self.run(&Rattle::new(step(level)), 1.0)),
            Contender::new("RATTLE, Kahan and Li's composition", 1, move |level| {
                self.run(&Composition::kahan_li(Rattle::new(step(level))), 1.0)
            }),
        ]
    }
}

/// The contenders on (q, v), of which `$wrap` makes methods that apply; tolerances fall by 16 from level to level.
macro_rules! explicit {
    ($motion:expr, $wrap:expr) => {{
        let motion = $motion;
        let tolerance = |level: i32| f64::from(-4 * level).exp2();
        macro_rules! pair {
            ($name:literal, $method:expr) => {
                Contender::new($name, 2, move |level| {
                    // Below this a step's error is rounding.
                    (level <= 12).then(|| motion.run(&$wrap($method), tolerance(level))).flatten()
                })
            };
        }
        vec![
            Contender::new("RK4", 4, move |level| {
                motion.run(&$wrap(Rk4::new(motion.period / f64::from(level).exp2())), 1.0)
            }),
            pair!("Bogacki–Shampine 3(2)", BogackiShampine3::new()),
            pair!("RKF45", Rkf45::new()),
            pair!("Dormand–Prince 5(4)", DormandPrince5::new()),
            pair!("Tsitouras 5(4)", Tsitouras5::new()),
            pair!("Verner 6(5)", Verner6::new()),
            pair!("DOP853", Dop853::new()),
            pair!("Verner 9(8)", Verner9::new()),
        ]
    }};
}

fn henon_heiles() {
    let system = black_box(HenonHeiles::default()).prepare::<f64>().expect("the parameters are valid");
    let level = 1.0 / 12.0;
    let motion = Motion {
        system: &system,
        start: HenonHeiles::section(level, 0.1, 0.1),
        period: 2.0 * std::f64::consts::PI,
        scale: level,
    };
    let mut contenders = explicit!(&motion, core::convert::identity);
    contenders.extend(motion.fixed::<0>());
    compare("Hénon–Heiles at E = 1/12, 10⁴ periods", "period", PERIODS, &ERRORS, "RK4", &contenders);
}

fn double_pendulum() {
    let model = DoublePendulum::default();
    let system = black_box(&model).prepare::<f64>().expect("the parameters are valid");
    let start = State::new(0.0, [0.5, 0.3], [0.0, 0.0]);
    // The slow mode: ω² = (2 − √2) g/l.
    let period = 2.0 * std::f64::consts::PI / ((2.0 - 2.0_f64.sqrt()) * model.g / model.l1).sqrt();
    let height = model.g * model.l1 * (2.0 * (1.0 - 0.5_f64.cos()) + 1.0 - 0.3_f64.cos());
    let motion = Motion { system: &system, start, period, scale: height };
    let mut contenders = explicit!(&motion, core::convert::identity);
    contenders.extend(motion.fixed::<0>());
    compare("The double pendulum from (0.5, 0.3), 10⁴ slow periods", "period", PERIODS, &ERRORS, "RK4", &contenders);
}

fn spherical_pendulum() {
    let model = SphericalPendulumCartesian::default();
    let system = black_box(&model).prepare::<f64>().expect("the parameters are valid");
    let start = SphericalPendulumCartesian::pushed();
    let period = 2.0 * std::f64::consts::PI * (model.l / model.g).sqrt();
    let energy = model.m * start.v.norm_squared() / 2.0 + model.m * model.g * (start.q[2] + model.l);
    let motion = Motion { system: &system, start, period, scale: energy };
    let mut contenders = explicit!(&motion, Projected::new);
    contenders.extend(motion.fixed::<1>());
    compare(
        "The spherical pendulum under its constraint, 10⁴ periods (explicit methods with projection)",
        "period",
        PERIODS,
        &ERRORS,
        "RK4",
        &contenders,
    );
}

fn main() {
    henon_heiles();
    double_pendulum();
    spherical_pendulum();
}
