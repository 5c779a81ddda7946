//! The rate of change of a state, for solvers outside the library.

use super::RequestError;
use super::error::without_motion;
use lagrange_runtime::prelude::*;

/// The rate of change of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    /// q̇, one number for each coordinate.
    pub q: Vec<f64>,
    /// v̇, one number for each velocity, and then the rates of the states.
    pub v: Vec<f64>,
    /// The multipliers of the constraints.
    pub multipliers: Vec<f64>,
}

/// Computes q̇ and v̇ at the time `t`, the coordinates `q` and the velocities `v`, behind which stand the states.
///
/// # Errors
/// [`RequestError::BadValue`] for a wrong number of values, and for a mechanism with contacts, sticking friction or modes: its rate also
/// depends on which of them are closed, stick or hold, which a state does not say. [`RequestError::Failed`] where the mass matrix is
/// singular.
pub(super) fn rate<const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    t: f64,
    [q, v]: [&[f64]; 2],
) -> Result<Rate, RequestError> {
    let bad = |text: String| Err(RequestError::BadValue(text));
    if system.row_count() > 0 || system.mode_count() > 0 {
        return bad(
            "a mechanism with contacts, sticking friction or modes has no right-hand side for other solvers, because its rate depends on \
             what happened before; integrate it with this library"
                .to_owned(),
        );
    }
    let own = N.saturating_sub(system.state_count());
    if q.len() != own || v.len() != N {
        return bad(format!(
            "a state of this mechanism has {} numbers, {own} coordinates and {N} velocities and states; {} were given",
            own + N,
            q.len() + v.len()
        ));
    }
    // The hidden coordinates of states do not count.
    let at = |index: usize, _: usize| q.get(index).copied().unwrap_or_default();
    let state = State { t, q: SVector::from_fn(at), v: SVector::from_fn(|index, _| v[index]) };
    let found = system.acceleration_of(&state).map_err(|singular| {
        let error = SolveError {
            failure: singular.into(),
            state,
            statistics: Statistics::default(),
            coordinates: system.coordinates(),
            states: system.state_count(),
        };
        without_motion(error)
    })?;
    Ok(Rate {
        q: v[..own].to_vec(),
        v: found.acceleration.as_slice().to_vec(),
        multipliers: found.multipliers.as_slice().to_vec(),
    })
}
