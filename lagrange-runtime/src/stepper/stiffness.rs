//! Whether the stability of an explicit method limits its steps, and not the error: whether the equations are stiff.

use crate::control::Sizes;
use crate::evaluator::Monitor;
use crate::options::Options;
use crate::scalar::{Real, Scalar};
use crate::state::{Difference, State};

/// The iterations by which the fastest decay is found. Each multiplies it by its rate.
const ITERATIONS: u32 = 12;

/// The product of the step size and of the rate of the fastest decay from which on the steps may be limited by stability. The explicit pairs
/// are stable on the real axis up to 2.5 (order 3) and more.
const LIMIT: f64 = 1.5;

/// The most that the motion may change in a step, as a part of its size and of that product: what decays must be at rest. A change below the
/// tolerances is rest, too.
const AT_REST: f64 = 0.02;

/// The cosine between a direction and its rate below which it counts as a decay, in two iterations in a row. An oscillation turns the
/// direction.
const DECAY: f64 = -0.9;

/// The search for stiff equations at a state, from which a step of a size is tried.
pub(super) type Stiffness<R, const N: usize, const C: usize> =
    fn(&mut dyn Monitor<R, N, C>, &Options<'_, R, N>, &State<R, N>, R) -> Option<f64>;

/// The rate of the fastest decay at a state, if steps of size `h` seem to be limited by the stability of an explicit method. The evaluations
/// are not counted, because they serve no step.
///
/// Let J be the derivative of (v, a) by (q, v). The powers of J lead from (v, a) to the direction x of its largest eigenvalue. The equations
/// are taken for stiff if J x is nearly −ρ x with h ρ above [`LIMIT`], although the motion itself changes little in a step. Vectors are
/// compared in units of the tolerances. A fast oscillation is not stiff in this sense: no method can take longer steps and keep it.
#[cold]
#[inline(never)]
pub(super) fn stiffness<R: Real, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
    options: &Options<'_, R, N>,
    state: &State<R, N>,
    h: R,
) -> Option<f64> {
    let absolute = match evaluator.sizes() {
        Some(sizes) => sizes.including(state).tolerances(options),
        None => Sizes::largest(options),
    };
    let mut tolerances = Difference { q: absolute.q, v: absolute.v };
    let first_hidden = N.saturating_sub(evaluator.state_count());
    for i in 0..N {
        if i >= first_hidden {
            tolerances.q[i] = R::from_f64(f64::INFINITY);
        }
        tolerances.q[i] += options.rtol.of_coordinate(i) * state.q[i].abs();
        tolerances.v[i] += options.rtol.of_velocity(i) * state.v[i].abs();
    }
    let State { t, q, v } = *state;
    let acceleration = evaluator.acceleration_under(state, &v).ok()?;
    let inner = |a: &Difference<R, N>, b: &Difference<R, N>| inner(&tolerances, a, b);
    let h = h.to_f64().abs();
    let mut direction = Difference { q: v, v: acceleration };
    let motion = inner(&direction, &direction).sqrt();
    let size = inner(&Difference { q, v }, &Difference { q, v }).sqrt();
    // The components of the last velocity that rounding leaves point to the fastest decay.
    let mut length = motion;
    let (mut rate, mut cosines) = (0.0, [0.0; 2]);
    for _ in 0..ITERATIONS {
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        // In units of the tolerances the step of the difference is 1.
        let part = R::from_f64(1.0 / length);
        let unit = Difference { q: direction.q * part, v: direction.v * part };
        let moved = State { t, q: q + unit.q, v: v + unit.v };
        let next = Difference { q: unit.v, v: evaluator.acceleration_under(&moved, &moved.v).ok()? - acceleration };
        length = inner(&next, &next).sqrt();
        (rate, cosines) = (length, [cosines[1], inner(&unit, &next) / length]);
        direction = next;
    }
    let is_decay = cosines[0] < DECAY && cosines[1] < DECAY;
    let is_limited = h * rate >= LIMIT && is_decay && motion <= rate * (AT_REST * size).max(1.0);
    is_limited.then_some(rate)
}

/// The product of two differences in units of the tolerances. What has no tolerance, or an infinite one, does not count.
fn inner<R: Real, const N: usize>(tolerances: &Difference<R, N>, a: &Difference<R, N>, b: &Difference<R, N>) -> f64 {
    let mut sum = 0.0;
    for i in 0..N {
        sum += part(tolerances.q[i], a.q[i], b.q[i]) + part(tolerances.v[i], a.v[i], b.v[i]);
    }
    sum
}

/// The product of two components in units of their tolerance.
fn part<R: Real>(tolerance: R, a: R, b: R) -> f64 {
    let weight = if tolerance > R::ZERO { Scalar::recip(tolerance.to_f64()) } else { 0.0 };
    (a.to_f64() * weight) * (b.to_f64() * weight)
}
