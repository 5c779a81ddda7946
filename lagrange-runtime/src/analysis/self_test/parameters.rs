//! The derivatives by parameters.

use super::checks::inertia_of_multipliers;
use super::{Disagreement, One, SelfTest};
use crate::analysis::AnalysisError;
use crate::quantities::Acceleration;
use crate::system::{Linearise, Mechanism, System};
use nalgebra::SVector;
use std::vec;
use std::vec::Vec;

/// Compares ∂a/∂(parameter) and ∂λ/∂(parameter), which `system` evaluates, with those by dual numbers of `mechanism`, at the states of `test`
/// with the default inputs. The column of a [`Disagreement`] is the index of the parameter in [`Mechanism::PARAMETERS`].
///
/// `system` is the mechanism prepared, or a system written by hand that is to have the same derivatives. Use [`SelfTest::run`] for the first.
///
/// # Errors
/// Those of [`self_test`](super::self_test), and [`AnalysisError::Prepare`] for parameters that the mechanism refuses.
/// [`AnalysisError::NotApplicable`] for redundant constraints, because their multipliers are not unique.
pub fn self_test_by_parameters<S, M, const N: usize, const C: usize, const U: usize>(
    system: &S,
    mechanism: &M,
    test: &SelfTest<N>,
) -> Result<Vec<Disagreement>, AnalysisError>
where
    S: Linearise<f64, N, C, U> + ?Sized,
    M: Mechanism<N, C, U>,
{
    super::demand(system.redundancy_tolerance() == 0.0, "the self-test by parameters", || {
        "constraints that are not redundant".into()
    })?;
    let value = |name: &str| mechanism.parameter(name).unwrap_or(f64::NAN);
    let values: Vec<f64> = M::PARAMETERS.iter().map(|name| value(name)).collect();
    let inputs = SVector::<One, U>::from_fn(|index, _| One::constant(value(M::INPUTS[index])));
    let seeded = |parameter: usize| {
        let mut parameters: Vec<One> = values.iter().map(|value| One::constant(*value)).collect();
        parameters[parameter].derivatives[0] = 1.0;
        M::prepare_from::<One>(&parameters, &inputs)
    };
    let duals = (0..values.len()).map(seeded).collect::<Result<Vec<_>, _>>()?;
    let duals: Vec<&dyn System<One, N, C, U>> = duals.iter().map(|duals| duals as &dyn System<One, N, C, U>).collect();
    let mut wrong = vec![];
    test.visit(system, &mut wrong, |at, _| {
        let (t, q, v, u) = (at.state.t, at.state.q, at.state.v, system.default_inputs());
        let singular = |error| AnalysisError::singular(error, system.coordinates());
        let Acceleration { acceleration, multipliers } = system.acceleration(t, &q, &v, &u).map_err(singular)?;
        let none = Acceleration { acceleration: SVector::repeat(0.0), multipliers: SVector::repeat(0.0) };
        let mut columns = vec![none; values.len()];
        system.acceleration_parameters(t, &q, &v, &u, &mut columns).map_err(singular)?;
        let forces = match C {
            0 => 0.0,
            _ => acceleration.amax() * inertia_of_multipliers(system, (t, &q, &v), &u),
        };
        let (t, q, v) = (One::constant(t), q.map(One::constant), v.map(One::constant));
        for (index, (found, duals)) in columns.iter().zip(&duals).enumerate() {
            let expected = duals.acceleration(t, &q, &v, &u.map(One::constant)).map_err(singular)?;
            // Terms that cancel in a derivative are of the size of the quantity over that of the parameter.
            let terms = |amount: f64| if values[index] == 0.0 { 0.0 } else { amount / values[index].abs() };
            let slopes = expected.acceleration.map(|a| a.derivatives[0]);
            at.compare_column(("∂a/∂(parameter)", index), &found.acceleration, &slopes, terms(acceleration.amax()))?;
            let slopes = expected.multipliers.map(|multiplier| multiplier.derivatives[0]);
            at.compare_column(
                ("∂λ/∂(parameter)", index),
                &found.multipliers,
                &slopes,
                terms(multipliers.amax().max(forces)),
            )?;
        }
        Ok(())
    })?;
    Ok(wrong)
}
