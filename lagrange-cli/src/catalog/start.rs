//! The state from which a simulation starts, and its distance from the state asked for.

use super::request::Asked;
use super::simulate::own;
use super::{Components, RequestError};
use lagrange_runtime::analysis::TangentBasis;
use lagrange_runtime::constraint;
use lagrange_runtime::error::Number;
use lagrange_runtime::prelude::*;
use std::fmt::Write;

/// Without [`Request::project`](super::Request::project), a component may be moved by at most this
/// fraction of its magnitude. Such moves are allowed because initial values are often rounded to a
/// few digits.
const SMALL: f64 = 1e-3;

/// The magnitude of a coordinate counts as at least this fraction of the largest coordinate, and
/// that of a velocity as at least this fraction of the largest velocity. Components near 0 may
/// therefore be moved, too.
const SHARE: f64 = 0.1;

/// Changes below this fraction of the largest coordinate or velocity are rounding and are not reported.
const ROUNDING: f64 = 1e-12;

/// The largest number of components that a message lists.
const LISTED: usize = 8;

/// An initial state that meets the constraints, with the changes that this required.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The initial coordinates.
    pub q: Vec<f64>,
    /// The initial velocities.
    pub v: Vec<f64>,
    /// The components that were moved onto the constraints: coordinates first, then velocities.
    pub moved: Vec<Moved>,
}

/// A component that was moved onto the constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// The name of the coordinate, `x`, or of its velocity, `x_dot`.
    pub name: String,
    /// The value asked for.
    pub from: f64,
    /// The value that meets the constraints.
    pub to: f64,
    /// Whether the distance is too large to be accepted without
    /// [`Request::project`](super::Request::project).
    ///
    /// If the request names some components, this is `false` for all others. Their published
    /// values are then only a guess.
    pub far: bool,
}

/// Compares the state asked for with `state`, from which the simulation would start. If `project`
/// is `true`, every distance between them is allowed.
///
/// # Errors
/// [`RequestError::BadValue`] names the constraint that the state asked for breaks, and the
/// components that would move too far.
pub(super) fn accept<const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    asked: &Asked<N>,
    state: &State<f64, N>,
    project: bool,
) -> Result<Start, RequestError> {
    let Asked { state: asked, named } = asked;
    let any = named.iter().flatten().any(|named| *named);
    let follows = |kind: usize| named.iter().map(move |named| any && !named[kind]);
    let components = Components::split(system.coordinates(), system.state_count());
    let positions = components.coordinates().iter().map(|name| (*name).to_owned()).zip(follows(0));
    let velocities = components.velocities().zip(follows(1));
    let [from, to] = [asked, state].map(|state| own(state.q.as_slice(), system.state_count()));
    let mut moved = changes(positions, from, to);
    moved.extend(changes(velocities, asked.v.as_slice(), state.v.as_slice()));
    if !project && moved.iter().any(|component| component.far) {
        let far = moved.into_iter().filter(|component| component.far).collect::<Vec<_>>();
        let broken = match constraint::check(system, asked) {
            Err(failure) => failure.to_string(),
            Ok(()) => "the initial state breaks the constraints".to_owned(),
        };
        return Err(RequestError::BadValue(format!(
            "{broken}; the nearest state that meets them is far, {}; give a consistent one, or add --project to start there",
            describe(&far)
        )));
    }
    Ok(Start { q: own(state.q.as_slice(), system.state_count()).to_vec(), v: state.v.as_slice().to_vec(), moved })
}

/// Checks that the kinetic energy is not negative for any velocities that the constraints allow. It
/// can be negative if a mass or an inertia has the wrong sign.
///
/// Such equations have solutions, but an integration of them may never end.
///
/// # Errors
/// [`RequestError::BadValue`] gives the most negative eigenvalue of the mass matrix on the tangent
/// space of the constraints. It names the coordinate with the largest component in the eigenvector.
pub(super) fn check_inertia<const N: usize, const C: usize, const U: usize>(
    system: &dyn Linearise<f64, N, C, U>,
    state: &State<f64, N>,
) -> Result<(), RequestError> {
    /// A negative eigenvalue smaller than this fraction of the largest one counts as 0.
    const ROUNDED: f64 = 1e-9;
    let State { t, q, v } = state;
    let mass = system.equations(*t, q, v, &system.default_inputs()).mass_matrix;
    // If the constraints are singular at this state, the integration reports it.
    let Ok(basis) = TangentBasis::at(system, state) else { return Ok(()) };
    let tangent = basis.position_by_position();
    let reduced = tangent.transpose() * mass * tangent;
    if reduced.is_empty() || !reduced.iter().all(|entry| entry.is_finite()) {
        return Ok(());
    }
    let motions = reduced.symmetric_eigen();
    let (least, largest) = (motions.eigenvalues.imin(), motions.eigenvalues.amax());
    if motions.eigenvalues[least] >= -ROUNDED * largest {
        return Ok(());
    }
    let moved = tangent * motions.eigenvectors.column(least);
    let name = system.coordinates().get(moved.iamax()).copied().unwrap_or_default();
    Err(RequestError::BadValue(format!(
        "a motion of `{name}` has a negative kinetic energy: the mass matrix has the eigenvalue {}; give masses and inertias \
         positive values",
        Number(motions.eigenvalues[least])
    )))
}

/// Returns the components whose values in `asked` and `given` differ by more than rounding. Each
/// name comes with `true` if the component may move by any distance.
fn changes(names: impl Iterator<Item = (String, bool)>, asked: &[f64], given: &[f64]) -> Vec<Moved> {
    let largest = largest(asked, given);
    let pairs = names.zip(asked.iter().zip(given));
    pairs
        .filter(|(_, (from, to))| (*to - *from).abs() > ROUNDING * largest)
        .map(|((name, follows), (&from, &to))| Moved { name, from, to, far: !follows && moves_far(from, to, largest) })
        .collect()
}

/// Whether every component moves by so little that the values `asked` may be rounded ones.
pub(super) fn is_near(asked: &[f64], given: &[f64]) -> bool {
    let largest = largest(asked, given);
    asked.iter().zip(given).all(|(from, to)| !moves_far(*from, *to, largest))
}

/// Returns the largest absolute value in both lists.
fn largest(asked: &[f64], given: &[f64]) -> f64 {
    asked.iter().chain(given).fold(0.0, |most: f64, value| most.max(value.abs()))
}

/// Whether a component moves further than the rounding of an initial value to a few digits
/// explains. `largest` is the largest absolute value of its kind.
fn moves_far(from: f64, to: f64, largest: f64) -> bool {
    let magnitude = from.abs().max(to.abs()).max(SHARE * largest);
    (to - from).abs() > SMALL * magnitude
}

/// Describes each component as `x = 1 instead of 2`. Of more than eight it lists the first eight
/// and the number of the others.
pub fn describe(moved: &[Moved]) -> String {
    let mut text = String::new();
    for (index, Moved { name, from, to, .. }) in moved.iter().take(LISTED).enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        _ = write!(text, "{separator}{name} = {} instead of {}", Number(*to), Number(*from));
    }
    if moved.len() > LISTED {
        _ = write!(text, ", and {} more", moved.len() - LISTED);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn far(asked: &[f64], given: &[f64]) -> Vec<bool> {
        let names = (0..asked.len()).map(|index| (format!("q{index}"), false));
        changes(names, asked, given).into_iter().map(|moved| moved.far).collect()
    }

    #[test]
    fn rounding_is_not_told_digits_are_and_other_states_are_far() {
        assert!(far(&[1.0, 0.0], &[1.0 + 1e-15, 1e-16]).is_empty());
        assert_eq!(far(&[0.6, 0.8], &[0.6001, 0.8001]), [false, false]);
        // One component moves to half of its value. The other does not move and is not listed.
        assert_eq!(far(&[2.0, 0.0], &[1.0, 0.0]), [true]);
        assert_eq!(far(&[0.0, 0.0], &[0.0, 1e-9]), [true], "at rest, every velocity is another one");
        assert_eq!(far(&[1.0, 0.0], &[1.0, 9e-5]), [false]);
        assert_eq!(far(&[1.0, 0.0], &[1.0, 2e-4]), [true]);
    }

    #[lagrangian {
        coordinates x, y;
        kinetic = (a*dot(x)^2 + a*dot(y)^2)/2 + c*dot(x)*dot(y);
    }]
    #[derive(Clone, Debug)]
    struct Coupled {
        a: f64,
        c: f64,
    }

    #[test]
    fn a_negative_kinetic_energy_is_refused_with_its_motion() {
        let state = State::new(0.0, [0.0; 2], [0.0; 2]);
        let check = |a, c| check_inertia(&Coupled { a, c }.prepare::<f64>().expect("no sign is needed"), &state);
        assert_eq!(check(1.0, 0.5), Ok(()));
        let Err(RequestError::BadValue(text)) = check(1.0, 1.5) else { panic!("it is indefinite") };
        assert!(text.contains("has a negative kinetic energy") && text.contains("eigenvalue -0.5"), "{text}");
    }

    #[test]
    fn a_long_list_is_cut() {
        let component = |index: usize| Moved { name: format!("q{index}"), from: 1e300, to: 0.0, far: true };
        let text = describe(&(0..10).map(component).collect::<Vec<_>>());
        assert!(text.starts_with("q0 = 0 instead of 1e300, ") && text.ends_with(", and 2 more"), "{text}");
    }
}
