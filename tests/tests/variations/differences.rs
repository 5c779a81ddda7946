//! Derivatives from neighbours of a motion, which are integrated accurately.

use lagrange_runtime::analysis::Variable;
use lagrange_runtime::nalgebra::DVector;
use lagrange_runtime::prelude::*;

/// Options with one relative and absolute tolerance.
pub(crate) fn within(tolerance: f64) -> SharedOptions {
    SharedOptions { rtol: tolerance, atol: tolerance, ..SharedOptions::default() }
}

/// ∂(q, v)(end) by a variable, from central differences of two step sizes (Richardson's extrapolation).
pub(crate) fn by_differences<M, const N: usize>(
    mechanism: &M,
    start: &State<f64, N>,
    end: f64,
    events: &[Event<'_, f64, N>],
    variable: Variable<N>,
) -> DVector<f64>
where
    M: Mechanism<N, 0, 0> + Clone,
{
    let at = |change: f64| {
        let (mut mechanism, mut start) = (mechanism.clone(), *start);
        match variable {
            Variable::Coordinate(index) => start.q[index] += change,
            Variable::Velocity(index) => start.v[index] += change,
            Variable::Parameter(index) => {
                let name = M::PARAMETERS[index];
                let value = mechanism.parameter(name).expect("a parameter") + change;
                mechanism.set_parameter(name, value).expect("a parameter");
            }
            other => panic!("{other:?}"),
        }
        let options = Options { rtol: 1e-13.into(), atol: 1e-13.into(), events, ..Options::default() };
        let system = mechanism.prepare::<f64>().expect("valid");
        let last = solve(&system, start, end, &Dop853::new(), &options).expect("no failure").last().expect("an end");
        DVector::from_iterator(2 * N, last.q.iter().chain(&last.v).copied())
    };
    let slope = |h: f64| (at(h) - at(-h)) / (2.0 * h);
    let h = 2e-4;
    (slope(0.5 * h) * 4.0 - slope(h)) / 3.0
}

/// All coordinates, velocities and parameters.
pub(crate) fn all_variables<M, const N: usize>(_: &M) -> Vec<Variable<N>>
where
    M: Mechanism<N, 0, 0>,
{
    Variable::states().into_iter().chain((0..M::PARAMETERS.len()).map(Variable::Parameter)).collect()
}

/// Whether each derivative is near the differences, relative to the size of its column.
pub(crate) fn close(found: &[f64], expected: &DVector<f64>, tolerance: f64, case: &str) {
    let size = 1.0 + expected.amax();
    for (found, expected) in found.iter().zip(expected.iter()) {
        assert!((found - expected).abs() <= tolerance * size, "{case}: {found} instead of {expected}");
    }
}
