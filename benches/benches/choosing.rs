//! Which method reaches an error with the fewest evaluations? The tables of the guide's page on choosing a method.
//!
//! `cargo bench -p lagrange-benches --bench choosing`
//!
//! Each method runs at tolerances, or steps, from coarse to fine. Its cost at an error is read between two runs, along a straight line
//! of the logarithms. The error is the largest one of any coordinate or velocity at the end. Evaluations are exact numbers. Times are
//! the best of three on this machine; compare only times of one table.

use lagrange_benches::curve::{Run, at};
use lagrange_models::{CartesianPendulum, DoublePendulum, Kepler};
use lagrange_runtime::prelude::*;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::hint::black_box;
use std::time::Instant;

/// The errors at which costs are read.
const ERRORS: [f64; 4] = [1e-3, 1e-6, 1e-9, 1e-12];

/// A curve ends with the first run that takes more evaluations than this.
const LIMIT: f64 = 1e6;

/// A motion whose end is known.
struct Motion<'a, S, const N: usize> {
    system: &'a S,
    start: State<f64, N>,
    end: State<f64, N>,
}

/// A method with its name, and its runs at a tolerance or a step.
struct Contender<'a> {
    name: &'static str,
    fixed: bool,
    run: Box<dyn Fn(f64) -> Option<Run> + 'a>,
}

impl<'a, S, const N: usize> Motion<'a, S, N> {
    fn run<M, const C: usize>(&self, method: &M, tolerance: f64) -> Option<Run>
    where
        S: System<f64, N, C, 0>,
        M: Method<f64, N, C>,
    {
        let options = Options {
            rtol: tolerance.into(),
            atol: tolerance.into(),
            max_steps: Some(4 * LIMIT as u64),
            ..Options::default()
        };
        let mut best: Option<Run> = None;
        for _ in 0..3 {
            let (mut state, mut inputs) = (black_box(self.start), DefaultInputs::of(self.system));
            let begun = Instant::now();
            let report = integrate(self.system, &mut state, self.end.t, method, &options, &mut inputs, &mut ()).ok()?;
            let seconds = begun.elapsed().as_secs_f64();
            let pairs = state.q.iter().chain(&state.v).zip(self.end.q.iter().chain(&self.end.v));
            let error = pairs.map(|(found, exact)| (found - exact).abs()).fold(0.0, f64::max);
            let run = Run { error, seconds, evaluations: report.statistics.evaluations as f64 };
            if best.is_none_or(|best| run.seconds < best.seconds) {
                best = Some(run);
            }
        }
        best
    }

    fn adaptive<M, const C: usize>(&'a self, name: &'static str, method: M) -> Contender<'a>
    where
        S: System<f64, N, C, 0>,
        M: Method<f64, N, C> + 'a,
    {
        Contender { name, fixed: false, run: Box::new(move |tolerance| self.run(&method, tolerance)) }
    }

    fn fixed<M, const C: usize>(&'a self, name: &'static str, method: impl Fn(f64) -> M + 'a) -> Contender<'a>
    where
        S: System<f64, N, C, 0>,
        M: Method<f64, N, C>,
    {
        let span = self.end.t - self.start.t;
        Contender { name, fixed: true, run: Box::new(move |steps| self.run(&method(span / steps), 1e-6)) }
    }

    /// The methods for any equations without constraints.
    fn free(&'a self) -> Vec<Contender<'a>>
    where
        S: System<f64, N, 0, 0>,
    {
        vec![
            self.adaptive("`BogackiShampine3`", BogackiShampine3::new()),
            self.adaptive("`Rkf45`", Rkf45::new()),
            self.adaptive("`DormandPrince5`", DormandPrince5::new()),
            self.adaptive("`Tsitouras5`", Tsitouras5::new()),
            self.adaptive("`Verner6`", Verner6::new()),
            self.adaptive("`Dop853`", Dop853::new()),
            self.adaptive("`Verner9`", Verner9::new()),
            self.adaptive("`Extrapolation`", Extrapolation::new()),
            self.fixed("`Verlet`", Verlet::new),
            self.fixed("`Rk4`", Rk4::new),
            self.fixed("`VariationalMidpoint`", VariationalMidpoint::new),
            self.fixed("`Rattle`", Rattle::new),
            self.fixed("`Gauss::<_, 2>`", Gauss::<f64, 2>::new),
            self.fixed("`Gauss::<_, 4>`", Gauss::<f64, 4>::new),
            self.fixed("`Gauss::<_, 6>`", Gauss::<f64, 6>::new),
        ]
    }
}

impl Contender<'_> {
    /// The runs from coarse to fine, until rounding ends the fall of the error.
    fn curve(&self) -> Vec<Run> {
        let settings: Vec<f64> = if self.fixed {
            (0..36).map(|level| (8.0 * (0.5 * f64::from(level)).exp2()).round()).collect()
        } else {
            (2..=28).map(|level| 10.0_f64.powf(-0.5 * f64::from(level))).collect()
        };
        let mut curve: Vec<Run> = Vec::new();
        for setting in settings {
            let Some(run) = (self.run)(setting) else { continue };
            let ends = run.error < 0.1 * ERRORS[3] || run.evaluations > LIMIT;
            // Chance may make one coarse run good: a curve keeps the runs from which on the error falls.
            while curve.last().is_some_and(|last| run.error > last.error && run.error > 1e-11) {
                curve.pop();
            }
            curve.push(run);
            if ends {
                break;
            }
        }
        curve
    }
}

fn table(title: &str, contenders: &[Contender<'_>]) {
    println!("\n{title}\n");
    let heads: Vec<String> = ERRORS.iter().map(|error| format!("{error:e}")).collect();
    println!("| method | {} | time at 1e-6, ms |", heads.join(" | "));
    println!("|---|{}---:|", "---:|".repeat(ERRORS.len()));
    for contender in contenders {
        let curve = contender.curve();
        let costs = ERRORS.map(|error| at(&curve, error).map_or("–".to_owned(), |run| rounded(run.evaluations)));
        let time = at(&curve, 1e-6).map_or("–".to_owned(), |run| format!("{:.2}", 1e3 * run.seconds));
        println!("| {} | {} | {time} |", contender.name, costs.join(" | "));
    }
}

/// A number of evaluations with two significant digits.
fn rounded(number: f64) -> String {
    let unit = 10.0_f64.powf((number.log10() - 1.0).floor().max(0.0));
    let digits = format!("{}", (number / unit).round() * unit);
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// What a tolerance gives: the error at the end over the tolerance.
fn tolerances(title: &str, contenders: &[Contender<'_>]) {
    println!("\n{title}\n\n| method | 1e-4 | 1e-6 | 1e-8 | 1e-10 |\n|---|---:|---:|---:|---:|");
    for contender in contenders.iter().filter(|contender| !contender.fixed) {
        let errors = [1e-4, 1e-6, 1e-8, 1e-10]
            .map(|tolerance| (contender.run)(tolerance).map_or("–".to_owned(), |run| format!("{:.0e}", run.error)));
        println!("| {} | {} |", contender.name, errors.join(" | "));
    }
}

/// The energy of a long motion.
fn long_motion() {
    let system = Kepler::default().prepare::<f64>().expect("valid");
    let start = Kepler::eccentric();
    println!("\nKepler's orbit, e = 0.6, 1000 turns\n");
    println!("The largest error of the energy:\n");
    println!("| method | evaluations a turn | in 100 turns | in 1000 turns |\n|---|---:|---:|---:|");
    let report = |name: &str, run: &dyn Fn(&mut dyn Observer<f64, 2>) -> Option<u64>| {
        let energy = |state: &State<f64, 2>| system.energies_of(state).energy;
        let (first, mut early, mut largest) = (energy(&start), 0.0_f64, 0.0_f64);
        let mut observer = |step: &StepView<f64, 2>| {
            largest = largest.max((energy(&step.end) - first).abs());
            if step.end.t < 100.0 * TAU {
                early = largest;
            }
            std::ops::ControlFlow::Continue(())
        };
        let Some(evaluations) = run(&mut observer) else { return };
        println!("| {name} | {} | {early:.0e} | {largest:.0e} |", evaluations / 1000);
    };
    macro_rules! row {
        ($name:literal, $method:expr, $tolerance:expr) => {
            report($name, &|observer| {
                let options = Options { rtol: $tolerance.into(), atol: $tolerance.into(), ..Options::default() };
                let (mut state, mut inputs) = (start, DefaultInputs::of(&system));
                let end = 1000.0 * TAU;
                let done = integrate(&system, &mut state, end, &$method, &options, &mut inputs, observer).ok()?;
                Some(done.statistics.evaluations)
            });
        };
    }
    // No whole number of steps makes a turn, so that they meet every phase of it.
    let step = |count: f64| TAU / (count + 0.382);
    row!("`DormandPrince5`", DormandPrince5::new(), 1e-5);
    row!("`Dop853`", Dop853::new(), 1e-6);
    row!("`Nystrom8`", Nystrom8::new(&system), 1e-7);
    row!("`Rk4`", Rk4::new(step(100.0)), 1.0);
    row!("`VariationalMidpoint`", VariationalMidpoint::new(step(400.0)), 1.0);
    row!("`EnergyPreserving::<_, 4>`", EnergyPreserving::<f64, 4>::new(step(60.0)), 1.0);
    row!("`EnergyPreserving::<_, 6>`", EnergyPreserving::<f64, 6>::new(step(100.0)), 1.0);
    row!("`StormerVerlet`", StormerVerlet::new(&system, step(400.0)), 1.0);
    row!("`StormerVerlet`, Kahan–Li", Composition::kahan_li(StormerVerlet::new(&system, step(44.0))), 1.0);
    row!("`Gauss::<_, 2>`", Gauss::<f64, 2>::new(step(100.0)), 1.0);
    row!("`Gauss::<_, 4>`", Gauss::<f64, 4>::new(step(50.0)), 1.0);
}

fn main() {
    let double = DoublePendulum::default().prepare::<f64>().expect("valid");
    let start = State::new(0.0, [FRAC_PI_2, 0.0], [0.0, 0.0]);
    let tight = Options { rtol: 1e-15.into(), atol: 1e-15.into(), ..Options::default() };
    let exact =
        solve(&double, start, 5.0, &Gauss::<f64, 6>::new(1e-3), &tight).expect("regular").last().expect("steps");
    let motion = Motion { system: &double, start, end: exact };
    let contenders = motion.free();
    table("Double pendulum, 5 s", &contenders);
    tolerances("The error that a tolerance gives: double pendulum, 5 s", &contenders);

    let kepler = Kepler::default().prepare::<f64>().expect("valid");
    let start = Kepler::eccentric();
    let motion = Motion { system: &kepler, start, end: State { t: 10.0 * TAU, ..start } };
    let mut contenders = motion.free();
    contenders.push(motion.adaptive("`Nystrom8`", Nystrom8::new(&kepler)));
    contenders.push(motion.fixed("`StormerVerlet`", |h| StormerVerlet::new(&kepler, h)));
    contenders
        .push(motion.fixed("`StormerVerlet`, Kahan–Li", |h| Composition::kahan_li(StormerVerlet::new(&kepler, h))));
    table("Kepler's orbit, e = 0.6, 10 turns", &contenders);

    let model = CartesianPendulum::default();
    let rod = model.prepare::<f64>().expect("valid");
    let start = CartesianPendulum::released();
    let motion = Motion { system: &rod, start, end: State { t: 2.0 * model.period(FRAC_PI_2), ..start } };
    let contenders = [
        motion.adaptive("`Projected`, `DormandPrince5`", Projected::new(DormandPrince5::new())),
        motion.adaptive("`Projected`, `Dop853`", Projected::new(Dop853::new())),
        motion.adaptive("`Projected`, `Verner9`", Projected::new(Verner9::new())),
        motion.fixed("`Projected`, `Rk4`", |h| Projected::new(Rk4::new(h))),
        motion.fixed("`Rattle`", Rattle::new),
        motion.fixed("`Gauss::<_, 2>`", Gauss::<f64, 2>::new),
        motion.fixed("`VariationalMidpoint`", VariationalMidpoint::new),
        motion.fixed("`Rattle`, Kahan–Li", |h| Composition::kahan_li(Rattle::new(h))),
        motion.fixed("`Gauss::<_, 2>`, Kahan–Li", |h| Composition::kahan_li(Gauss::<f64, 2>::new(h))),
    ];
    table("Pendulum in Cartesian coordinates under its constraint, 2 periods", &contenders);

    long_motion();
}
