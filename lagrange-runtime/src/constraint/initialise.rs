//! Consistent initial states.

use super::{
    LeastNorm, Projection, beyond, mechanical, name, position_rounding, rates_beyond_rounding, rounding_at_origin,
    scales, vanishing, worst,
};
use crate::error::Failure;
use crate::scalar::{Real, Scalar};
use crate::state::State;
use crate::system::{Acceleration, System};
use nalgebra::SVector;

/// A state that meets its constraints, with its acceleration and multipliers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Consistent<R: Real, const N: usize, const C: usize> {
    /// (t, q, v) with g = 0 and G v + drift = 0.
    pub state: State<R, N>,
    /// a, with G a + γ = 0.
    pub acceleration: SVector<R, N>,
    /// λ; the λ of least Σ λ² where constraints are redundant.
    pub multipliers: SVector<R, C>,
    /// How many Newton steps the positions took.
    pub iterations: u32,
}

/// Makes a state consistent in stages: first q is brought onto g = 0, then v onto the hidden constraint, then a and λ are
/// computed.
///
/// Where constraints are redundant, `redundancy` is the tolerance of [`LeastNorm`], which takes the λ of least Σ λ². With
/// `None`, redundant constraints are an error.
///
/// # Errors
/// [`Failure::ConstraintFailed`] names the constraint that cannot be met, with its residual. [`Failure::SingularMass`] names
/// the coordinate or the redundant constraint. [`Failure::VanishingGradient`] names a constraint that no multiplier can
/// enforce. [`Failure::NotFinite`] means that an evaluation has no finite value.
pub fn initialise<S, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    state: &State<R, N>,
    inputs: &SVector<R, U>,
    projection: &Projection<R, N>,
    redundancy: Option<f64>,
) -> Result<Consistent<R, N, C>, Failure>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    let (state, iterations) = projection.state(system, state)?;
    let State { t, q, v } = &state;
    if let Some(constraint) = vanishing(system, *t, q) {
        return Err(Failure::VanishingGradient { constraint });
    }
    let Acceleration { acceleration, multipliers } = match redundancy {
        None => system.acceleration(*t, q, v, inputs)?,
        Some(tolerance) => LeastNorm::new(system, tolerance).acceleration(*t, q, v, inputs)?,
    };
    Ok(Consistent { state, acceleration, multipliers, iterations })
}

/// Checks that a state meets the constraints. The residual of each may be √ε relative to the terms that cancel in it, or the
/// rounding of the largest coordinate or velocity, and of the time. Where all coordinates are 0 up to rounding, it may be the rounding of the
/// length at which the constraints are curved.
///
/// # Errors
/// [`Failure::InconsistentInitialState`] names the constraint that the state breaks most, with its residual: g, or G v + drift
/// where only the hidden constraint is broken. [`Failure::VanishingGradient`] names a constraint that no multiplier can enforce
/// there.
pub fn check<S, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    state: &State<R, N>,
) -> Result<(), Failure>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    if const { C == 0 } {
        return Ok(());
    }
    let State { t, q, v } = state;
    let at = system.constraint(*t, q);
    let rate = system.constraint_hidden(*t, q, v, &SVector::repeat(R::ZERO)).rate;
    let mut broken = beyond(at.value, &position_rounding(&at, *t, &mechanical(q, system.state_count())));
    if broken.iter().any(|residual| *residual != R::ZERO) {
        broken = beyond(broken, &rounding_at_origin(system, (*t, q), &at.jacobian));
    }
    let position = (broken, scales(&at.jacobian, q, &at.scale));
    let velocity =
        (rates_beyond_rounding(system, (*t, q), (v, rate, &at.jacobian)), scales(&at.jacobian, v, &at.drift));
    for ((remainders, scales), hidden) in [(position, false), (velocity, true)] {
        if let Some((row, residual, relative)) = worst(&remainders, &scales)
            && (relative.is_nan() || relative > Scalar::sqrt(R::EPSILON))
        {
            return Err(Failure::InconsistentInitialState { constraint: name(system, row), residual, hidden });
        }
    }
    match vanishing(system, *t, q) {
        Some(constraint) => Err(Failure::VanishingGradient { constraint }),
        None => Ok(()),
    }
}
