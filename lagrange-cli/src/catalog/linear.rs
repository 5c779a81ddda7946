//! The motion of the linearised equations, for comparison with the motion of the mechanism.

use super::RequestError;
use super::analysis::search;
use super::error::without_motion;
use super::simulate::own;
use clap::ValueEnum;
use lagrange_runtime::analysis::{AnalysisError, Linearization, linearize};
use lagrange_runtime::error::Number;
use lagrange_runtime::nalgebra::{DMatrix, DVector};
use lagrange_runtime::prelude::*;

/// The state at which equations are linearised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LinearAt {
    /// The equilibrium that a search from the start finds
    Equilibrium,
    /// The start, where the motion has the velocities and accelerations of the mechanism
    Start,
}

/// The solution of the linearised equations ẋ = rate + A x from the start of a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearMotion {
    /// The state at which the equations are linearised: the coordinates, and then the states.
    pub at: Vec<f64>,
    /// The times.
    pub t: Vec<f64>,
    /// One series for each coordinate.
    pub q: Vec<Vec<f64>>,
    /// One series for each velocity, and then for each state.
    pub v: Vec<Vec<f64>>,
}

/// The equations linearised at a state: ẋ = rate + A x + B u, where x is the deviation from the state, and u that of the inputs from
/// their values.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearEquations {
    /// The coordinates of the state.
    pub q: Vec<f64>,
    /// Its velocities, and behind them the states.
    pub v: Vec<f64>,
    /// The names of the components of x. Under constraints these are fewer than the coordinates and velocities.
    pub states: Vec<String>,
    /// A, by rows.
    pub a: Vec<Vec<f64>>,
    /// B, by rows.
    pub b: Vec<Vec<f64>>,
    /// ẋ at the state itself.
    pub rate: Vec<f64>,
}

/// The equations linearised at a state, with the default inputs.
pub(super) fn equations<const N: usize, const C: usize, const U: usize>(
    system: &dyn Linearise<f64, N, C, U>,
    state: &State<f64, N>,
) -> Result<LinearEquations, RequestError> {
    let linear = linearize(system, state, &system.default_inputs()).map_err(without_motion)?;
    Ok(LinearEquations {
        q: own(state.q.as_slice(), system.state_count()).to_vec(),
        v: state.v.as_slice().to_vec(),
        states: linear.states().to_vec(),
        a: rows(linear.a()),
        b: rows(linear.b()),
        rate: linear.rate().as_slice().to_vec(),
    })
}

/// A matrix as a list of its rows.
pub(super) fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

/// The largest number of times.
const MOST_TIMES: usize = 200_001;
/// The largest change of phase of the fastest mode between two times. A line then misses an oscillation by less than 1/2000 of its
/// extent.
const PHASE: f64 = 0.06;

/// The linear motion from `start` for the time `length`, at times among which are `points` evenly spaced ones.
///
/// Under constraints it stays in the tangent space at the state of the linearisation.
pub(super) fn motion<const N: usize, const C: usize, const U: usize>(
    system: &dyn Linearise<f64, N, C, U>,
    start: &State<f64, N>,
    at: LinearAt,
    (length, points): (f64, usize),
) -> Result<LinearMotion, RequestError> {
    let failed = |text: String| without_motion(format!("there is no linear motion: {text}"));
    let refused = |error: AnalysisError| failed(error.to_string());
    if !system.facts().autonomous {
        return Err(failed(
            "the equations depend on the time, which linearised ones would keep at its start".to_owned(),
        ));
    }
    let (state, inputs) = match at {
        LinearAt::Start => (*start, system.default_inputs()),
        LinearAt::Equilibrium => {
            let found = search(system, start).map_err(refused)?;
            (found.state, found.inputs)
        }
    };
    let linear = linearize(system, &state, &inputs).map_err(refused)?;
    let fastest = linear.space().poles().map_err(refused)?.iter().map(|pole| pole.im.abs()).fold(0.0, f64::max);
    let intervals = points.saturating_sub(1).max(1);
    let parts = (length.abs() * fastest / (PHASE * intervals as f64)).ceil().max(1.0);
    if !(parts * intervals as f64).is_finite() || parts * intervals as f64 > MOST_TIMES as f64 {
        return Err(failed(format!(
            "its fastest mode oscillates at the rate {}, and a curve until {} needs more than {MOST_TIMES} points; choose a shorter --t-end",
            Number(fastest),
            Number(start.t + length)
        )));
    }
    let count = intervals * parts as usize;
    let step = propagator(&linear, length / count as f64);
    let components = N - system.state_count();
    let [mut q, mut v] = [vec![Vec::new(); components], vec![Vec::new(); N]];
    let mut x = deviation(&linear, start);
    let mut t = Vec::with_capacity(count + 1);
    for index in 0..=count {
        t.push(start.t + length * (index as f64 / count as f64));
        let (at_q, at_v) = lifted(&linear, &x);
        q.iter_mut().zip(&at_q).for_each(|(series, value)| series.push(*value));
        v.iter_mut().zip(&at_v).for_each(|(series, value)| series.push(*value));
        x = &step * x;
    }
    let at = own(state.q.as_slice(), system.state_count()).iter().chain(&state.v.as_slice()[components..]);
    Ok(LinearMotion { at: at.copied().collect(), t, q, v })
}

/// exp of [A rate; 0 0] times a time: the step of x with 1 behind it.
fn propagator<const N: usize, const U: usize>(linear: &Linearization<N, U>, time: f64) -> DMatrix<f64> {
    let count = linear.a().nrows();
    let mut generator = DMatrix::zeros(count + 1, count + 1);
    generator.view_mut((0, 0), (count, count)).copy_from(linear.a());
    generator.view_mut((0, count), (count, 1)).copy_from(linear.rate());
    (generator * time).exp()
}

/// The deviation x of a state from the state of the linearisation, followed by the number 1.
fn deviation<const N: usize, const U: usize>(linear: &Linearization<N, U>, state: &State<f64, N>) -> DVector<f64> {
    let (basis, at) = (linear.basis(), linear.state());
    let positions = basis.positions().iter().map(|&index| state.q[index] - at.q[index]);
    let velocities = basis.velocities().iter().map(|&index| state.v[index] - at.v[index]);
    DVector::from_iterator(basis.len() + 1, positions.chain(velocities).chain([1.0]))
}

/// All coordinates and velocities at a deviation.
fn lifted<const N: usize, const U: usize>(
    linear: &Linearization<N, U>,
    x: &DVector<f64>,
) -> (DVector<f64>, DVector<f64>) {
    let (basis, at) = (linear.basis(), linear.state());
    let (count, rates) = (basis.positions().len(), basis.velocities().len());
    let (position, velocity) = (x.rows(0, count), x.rows(count, rates));
    let q = DVector::from_column_slice(at.q.as_slice()) + basis.position_by_position() * position;
    let v = DVector::from_column_slice(at.v.as_slice())
        + basis.velocity_by_position() * position
        + basis.velocity_by_velocity() * velocity;
    (q, v)
}
