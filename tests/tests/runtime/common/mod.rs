//! Mechanisms written by hand, and what their tests share.

mod ball;
mod bodies;
mod by_hand;
mod compound_pendulum;
mod counted;
mod oscillator;
mod pendulum;

pub(crate) use ball::ball;
pub(crate) use bodies::{COASTING, FALLING};
pub(crate) use by_hand::{ByHand, Hand};
pub(crate) use compound_pendulum::compound_pendulum;
pub(crate) use counted::Counted;
pub(crate) use oscillator::{Oscillator, oscillator};
pub(crate) use pendulum::{Pendulum, pendulum};

use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::DoubleDouble;

/// Options with this relative and absolute tolerance.
pub(crate) fn at_tolerance<const N: usize>(tolerance: f64) -> Options<'static, f64, N> {
    Options { rtol: tolerance.into(), atol: tolerance.into(), ..Options::default() }
}

/// The largest error over nine sizes of the first step. The motion is chaotic, so that the error of one sequence of steps says little.
pub(crate) fn largest_over_first_steps(error: impl Fn(Option<f64>) -> f64) -> f64 {
    (0..9).map(|k| error(Some(1e-3 * 1.3_f64.powi(k)))).fold(0.0, f64::max)
}

/// Integrates with the default inputs and no observer.
pub(crate) fn run<M, R, const N: usize, const C: usize, const U: usize>(
    system: &dyn System<R, N, C, U>,
    initial: State<R, N>,
    t_end: R,
    method: &M,
) -> State<R, N>
where
    M: Method<R, N, C>,
    R: Real,
{
    let mut state = initial;
    let options = Options::default();
    integrate(system, &mut state, t_end, method, &options, &mut DefaultInputs::of(system), &mut ()).unwrap();
    state
}

/// The largest absolute difference of coordinates and velocities.
pub(crate) fn distance<const N: usize>(a: &State<f64, N>, b: &State<f64, N>) -> f64 {
    (a.q - b.q).amax().max((a.v - b.v).amax())
}

/// The slope of log(error) against log(h), between neighbours.
pub(crate) fn slopes(points: &[(f64, f64)]) -> Vec<f64> {
    points.windows(2).map(|pair| (pair[0].1 / pair[1].1).ln() / (pair[0].0 / pair[1].0).ln()).collect()
}

/// The slope of log error against log tolerance over decades of both tolerances, by least squares, in double-double.
pub(crate) fn exponent<M, P, const N: usize, const U: usize>(
    system: &dyn System<DoubleDouble, N, 0, U>,
    start: State<DoubleDouble, N>,
    t_end: f64,
    method: &M,
    reference: &P,
    decades: std::ops::RangeInclusive<i32>,
) -> f64
where
    M: Method<DoubleDouble, N, 0>,
    P: Method<DoubleDouble, N, 0>,
{
    let at = |tolerance: f64| {
        let tolerance = Tolerance::Uniform(DoubleDouble::from_f64(tolerance));
        Options { rtol: tolerance, atol: tolerance, ..Options::default() }
    };
    let end = DoubleDouble::from_f64(t_end);
    let exact = solve(system, start, end, reference, &at(1e-26)).unwrap().last().unwrap();
    let points = decades.map(|decade| {
        let found = solve(system, start, end, method, &at(10.0_f64.powi(-decade))).unwrap().last().unwrap();
        let apart = |a: SVector<DoubleDouble, N>, b: SVector<DoubleDouble, N>| (a - b).map(Scalar::to_f64).amax();
        (-f64::from(decade), apart(found.q, exact.q).max(apart(found.v, exact.v)).log10())
    });
    regression(&points.collect::<Vec<_>>())
}

/// The slope of the straight line through points, by least squares.
pub(crate) fn regression(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let above: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    above / points.iter().map(|point| (point.0 - x) * (point.0 - x)).sum::<f64>()
}

/// `solve` with a system whose type is hidden, so that it is compiled once for all mechanisms of a shape.
pub(super) fn solve_hidden<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    start: State<f64, N>,
    end: f64,
    method: &impl Method<f64, N, C>,
    options: &Options<'_, f64, N>,
) -> Result<Solution<f64, N, U>, Box<PartialSolution<f64, N, U>>> {
    solve(system, start, end, method, options)
}
