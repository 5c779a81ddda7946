//! Finds a state that meets the constraints, from which a mechanism starts.
//!
//! A request may name initial coordinates and velocities. These keep their values if the
//! constraints allow it, and the other components are adjusted to them.

use super::RequestError;
use super::request::Asked;
use super::start::is_near;
use lagrange_runtime::nalgebra::{DMatrix, DVector};
use lagrange_runtime::prelude::*;

/// A function that finds the state from which a mechanism starts: [`itself`] without constraints,
/// [`consistent`] with them.
pub(super) type Place<const N: usize, const C: usize> =
    fn(&dyn System<f64, N, C, 0>, &Asked<N>) -> Result<State<f64, N>, RequestError>;

/// Returns the state that the request asks for. Without constraints every state is consistent.
pub(super) fn itself<const N: usize>(
    _: &dyn System<f64, N, 0, 0>,
    asked: &Asked<N>,
) -> Result<State<f64, N>, RequestError> {
    Ok(asked.state)
}

/// Returns a state that meets the constraints, near the one that the request asks for. It finds the
/// coordinates first and the velocities after them.
///
/// The named coordinates keep their values if the constraints allow it. Otherwise all coordinates
/// may change, by the least amount. The velocities are found in the same way.
pub(super) fn consistent<const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    asked: &Asked<N>,
) -> Result<State<f64, N>, RequestError> {
    let refused = |failure: Failure| RequestError::BadValue(format!("{failure}; {}", failure.remedy()));
    let keeping = keeping(asked);
    let State { t, v, .. } = asked.state;
    let q = positions(system, asked, &keeping).map_err(refused)?;
    let velocities = |projection: &Projection<f64, N>| projection.velocities(system, t, &q, v);
    let v = velocities(&keeping).or_else(|_| velocities(&Projection::default())).map_err(refused)?;
    Ok(State { t, q, v })
}

/// Returns the projection onto the constraints that keeps the values of the named components.
fn keeping<const N: usize>(asked: &Asked<N>) -> Projection<f64, N> {
    asked.named.iter().enumerate().fold(Projection::default(), |projection, (index, [q, v])| {
        let projection = if *q { projection.keep_position(index) } else { projection };
        if *v { projection.keep_velocity(index) } else { projection }
    })
}

/// Returns coordinates that meet the holonomic constraints, near those that the request asks for.
///
/// Newton's method fails if the coordinates that may move do not change the constraints to first
/// order. An example is y in x² + y² = l² at y = 0, if x is kept. The function then tries
/// other starting values of these coordinates, and takes the solution nearest to the request. It
/// does not try them if the values of the request are a rounded solution.
fn positions<const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    asked: &Asked<N>,
    keeping: &Projection<f64, N>,
) -> Result<SVector<f64, N>, Failure> {
    let State { t, q, .. } = asked.state;
    let kept = |q: SVector<f64, N>| keeping.positions(system, t, q).map(|(q, _)| tidy(system, asked, q));
    let first = kept(q);
    if first.is_ok() || asked.named.iter().all(|[named, _]| !named) {
        return first;
    }
    let nearest = Projection::default().positions(system, t, q).map(|(q, _)| q);
    if nearest.as_ref().is_ok_and(|nearest| is_near(q.as_slice(), nearest.as_slice())) {
        return nearest;
    }
    let mut best: Option<(f64, SVector<f64, N>)> = None;
    for start in others(asked) {
        let Ok(found) = kept(start) else { continue };
        let found = settle(system, asked, keeping, found);
        let distance = (found - q).norm();
        // If two solutions are equally near to rounding, the first one is taken.
        if best.is_none_or(|(least, _)| distance < least * (1.0 - 1e-9)) {
            best = Some((distance, found));
        }
    }
    best.map_or(nearest, |(_, found)| Ok(found))
}

/// Returns starting values of the coordinates for Newton's method. They differ from the request
/// only in the coordinates that it does not name.
///
/// In the first of them, all of these coordinates are smaller. If two solutions are equally near,
/// this start usually leads to the one with smaller coordinates: a pendulum then hangs and does not
/// stand.
fn others<const N: usize>(asked: &Asked<N>) -> impl Iterator<Item = SVector<f64, N>> {
    const TRIES: u32 = 12;
    let Asked { state: State { q, .. }, named } = *asked;
    let size = if q.amax() > 0.0 { q.amax() } else { 1.0 };
    (0..TRIES).map(move |attempt| {
        // Multiples of an irrational number, modulo 1, are spread evenly. Each coordinate has
        // another factor, so that the coordinates vary independently.
        let part = |index: usize| match attempt {
            0 => -0.5,
            _ => (f64::from(attempt) * 0.754_877_666_246_693 * (index as f64 + 1.0)).fract() - 0.5,
        };
        SVector::from_fn(|index, _| if named[index][0] { q[index] } else { q[index] + size * part(index) })
    })
}

/// Moves the coordinates `q`, which meet the constraints, along the constraints towards those that
/// the request asks for, until the distance no longer decreases. Named coordinates do not move.
fn settle<const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    asked: &Asked<N>,
    keeping: &Projection<f64, N>,
    mut q: SVector<f64, N>,
) -> SVector<f64, N> {
    const STEPS: u32 = 50;
    const PROGRESS: f64 = 1e-12;
    /// A singular value below this fraction of the largest one counts as 0.
    const DEPENDENT: f64 = 1e-10;
    let State { t, q: wanted, .. } = asked.state;
    for _ in 0..STEPS {
        let jacobian = system.constraint(t, &q).jacobian;
        let free = DMatrix::from_fn(system.holonomic_count(), N, |row, index| match asked.named[index][0] {
            true => 0.0,
            false => jacobian[(row, index)],
        });
        let missing = DVector::from_fn(N, |index, _| wanted[index] - q[index]);
        // `missing` is the displacement to the wanted coordinates. Without its part `across` the
        // constraints, which is normal to them, it is tangent to them.
        let factors = free.clone().svd(true, true);
        let across = factors.solve(&(&free * &missing), DEPENDENT * factors.singular_values.amax());
        let Ok(across) = across else { return q };
        let along = SVector::from_fn(|index, _| match asked.named[index][0] {
            true => 0.0,
            false => missing[index] - across[index],
        });
        let Ok((next, _)) = keeping.positions(system, t, q + along) else { return q };
        if (next - wanted).norm() >= (q - wanted).norm() * (1.0 - PROGRESS) {
            return q;
        }
        q = next;
    }
    q
}

/// Sets coordinates that have moved to almost 0 to exactly 0, if this meets the constraints too.
///
/// With x² + y² = l² and y = l kept, x = 0 is a double root. Near a double root a small residual
/// leaves a much larger error of x, and Newton's method ends there.
fn tidy<const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    asked: &Asked<N>,
    q: SVector<f64, N>,
) -> SVector<f64, N> {
    const NEXT: f64 = 1e-6;
    let wanted = asked.state.q;
    let least = NEXT * q.amax();
    let rounded = q.zip_map(&wanted, |q, wanted| if q != wanted && q.abs() <= least { 0.0 } else { q });
    match Projection::default().positions(system, asked.state.t, rounded) {
        Ok((found, 0)) => found,
        _ => q,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body on a sphere, whose fourth coordinate is free.
    #[lagrangian {
        coordinates x, y, z, w;
        kinetic = m*(dot(x)^2 + dot(y)^2 + dot(z)^2 + dot(w)^2)/2;
        constraint sphere: x^2 + y^2 + z^2 == 1;
    }]
    #[derive(Clone, Debug)]
    struct Sphere {
        m: f64,
    }

    /// A blade that moves along its direction only.
    #[lagrangian {
        coordinates x, y, phi;
        kinetic = m*(dot(x)^2 + dot(y)^2 + dot(phi)^2)/2;
        nonholonomic blade: dot(x)*sin(phi) == dot(y)*cos(phi);
    }]
    #[derive(Clone, Debug)]
    struct Blade {
        m: f64,
    }

    #[test]
    fn others_move_to_the_nearest_state_and_no_further() {
        let system = Sphere { m: 1.0 }.prepare::<f64>().expect("positive");
        let state = State::new(0.0, [0.6, 0.0, 0.0, 5.0], [0.0; 4]);
        let asked = Asked { state, named: [[true, false], [false; 2], [false; 2], [false; 2]] };
        let State { q, .. } = consistent(&system, &asked).expect("a circle meets it");
        assert!((q[1].hypot(q[2]) - 0.8).abs() < 1e-14 && q[0] == 0.6, "{q:?}");
        assert!((q[3] - 5.0).abs() < 1e-14, "what no constraint contains stays: {q:?}");
    }

    #[test]
    fn named_velocities_are_kept_under_nonholonomic_constraints() {
        let system = Blade { m: 1.0 }.prepare::<f64>().expect("positive");
        let start = |named: [[bool; 2]; 3], v: [f64; 3]| {
            let state = State::new(0.0, [0.0, 0.0, 0.5], v);
            consistent(&system, &Asked { state, named }).expect("a line of velocities meets it").v
        };
        let v = start([[false, true], [false; 2], [false; 2]], [2.0, 0.0, 0.3]);
        assert!(v[0] == 2.0 && v[2] == 0.3 && (v[1] - 2.0 * 0.5_f64.tan()).abs() < 1e-14, "{v:?}");
        // The two named velocities contradict the constraint. The result is then the nearest
        // velocity along the blade.
        let v = start([[false, true], [false, true], [false; 2]], [2.0, 0.0, 0.3]);
        assert!((v[0] - 2.0 * 0.5_f64.cos().powi(2)).abs() < 1e-14, "{v:?}");
    }
}
