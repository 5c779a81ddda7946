//! Whether the stability of an explicit method limits its steps, and not the error: whether the equations are stiff. Fixed steps may be beyond that limit.

use crate::control::Sizes;
use crate::evaluator::Monitor;
use crate::options::Options;
use crate::scalar::{Real, Scalar};
use crate::state::{Difference, State};
use nalgebra::SVector;

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

/// By how much h ρ must be above the bound of a method, because ρ has an error.
const NEAR_LIMIT: f64 = 1.02;

/// Two sizes of differences must give rates that differ by less than this part.
const SAME: f64 = 0.1;

/// The number of steps after which fixed steps are checked for the first time. Each later check is at twice the number of steps. A check makes at most 26 evaluations, few beside those of the steps.
const FIRST_CHECK: u64 = 256;

/// The number of steps, after `made` ones, at which fixed steps are checked next. Without std no check is made, so that every step of a controller takes the same time.
#[inline(always)]
pub(super) fn next_check(made: u64) -> u64 {
    if cfg!(not(feature = "std")) {
        return u64::MAX;
    }
    made.saturating_add(1).checked_next_power_of_two().unwrap_or(u64::MAX).max(FIRST_CHECK)
}

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
    let acceleration = evaluator.acceleration_under(state, &state.v).ok()?;
    let found = powers(evaluator, (state, &acceleration), &tolerances)?;
    let size = Difference { q: state.q, v: state.v };
    let size = inner(&tolerances, &size, &size).sqrt();
    let is_decay = found.cosines.iter().all(|cosine| *cosine < DECAY);
    let rate = found.rates[1];
    let is_limited = h.to_f64().abs() * rate >= LIMIT && is_decay && found.motion <= rate * (AT_REST * size).max(1.0);
    is_limited.then_some(rate)
}

/// Whether a step of size `h` from a state is longer than a method is stable for, by the bounds of its [`stability`](crate::method::Method::stability).
///
/// J x is nearly −ρ x for a decay, and J² x nearly −ω² x for an oscillation, for the direction x that the powers of J lead to. Vectors are compared in units of a small part of the motion. A part that is a sixteenth of it must lead to
/// the same rate: a jump of the forces near the state would have another one.
#[cold]
#[inline(never)]
pub(super) fn is_beyond_stability<R: Real, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
    state: &State<R, N>,
    h: R,
    [of_decay, of_oscillation]: [f64; 2],
) -> bool {
    let Ok(acceleration) = evaluator.acceleration_under(state, &state.v) else { return false };
    let mut fastest = |part: f64| {
        let part = R::from_f64(part);
        let size = |now: R, rate: R| part * Scalar::max(now.abs(), (h * rate).abs());
        let mut scales = Difference { q: state.q.zip_map(&state.v, size), v: state.v.zip_map(&acceleration, size) };
        for i in N.saturating_sub(evaluator.state_count())..N {
            scales.q[i] = R::from_f64(f64::INFINITY);
        }
        let found = powers(evaluator, (state, &acceleration), &scales)?;
        let rate = (found.rates[0] * found.rates[1]).sqrt();
        // Backward in time, what grows is a decay.
        let direction = if h > R::ZERO { 1.0 } else { -1.0 };
        let limit = if found.cosines.iter().all(|cosine| direction * cosine < DECAY) {
            of_decay
        } else if found.cosine_of_two < DECAY {
            of_oscillation
        } else {
            return None;
        };
        (h.to_f64().abs() * rate > NEAR_LIMIT * limit).then_some(rate)
    };
    let part = R::EPSILON.to_f64().cbrt();
    let rates = fastest(part).and_then(|rate| Some((rate, fastest(part / 16.0)?)));
    rates.is_some_and(|(rate, other)| (other / rate - 1.0).abs() < SAME)
}

/// What the powers of J lead to.
struct Powers {
    /// The length of (v, a).
    motion: f64,
    /// The lengths of the images of the last two unit vectors.
    rates: [f64; 2],
    /// The cosines between the last two vectors and their images.
    cosines: [f64; 2],
    /// The cosine between the vector before the last and the image of its image.
    cosine_of_two: f64,
}

/// Multiplies (v, a) by J, the derivative of (v, a) by (q, v), as often as [`ITERATIONS`] says, by differences of one unit. `None` where a vector vanishes or is not finite.
fn powers<R: Real, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
    (state, acceleration): (&State<R, N>, &SVector<R, N>),
    units: &Difference<R, N>,
) -> Option<Powers> {
    let State { t, q, v } = *state;
    let inner = |a: &Difference<R, N>, b: &Difference<R, N>| inner(units, a, b);
    let mut direction = Difference { q: v, v: *acceleration };
    let motion = inner(&direction, &direction).sqrt();
    // The components of the last velocity that rounding leaves point to the fastest decay.
    let mut length = motion;
    let (mut rates, mut cosines, mut cosine_of_two) = ([0.0; 2], [0.0; 2], 0.0);
    let mut before = direction;
    for _ in 0..ITERATIONS {
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        // In these units the step of the difference is 1.
        let part = R::from_f64(1.0 / length);
        let unit = Difference { q: direction.q * part, v: direction.v * part };
        let moved = State { t, q: q + unit.q, v: v + unit.v };
        let next = Difference { q: unit.v, v: evaluator.acceleration_under(&moved, &moved.v).ok()? - *acceleration };
        length = inner(&next, &next).sqrt();
        cosine_of_two = inner(&before, &next) / length;
        (rates, cosines) = ([rates[1], length], [cosines[1], inner(&unit, &next) / length]);
        (before, direction) = (unit, next);
    }
    Some(Powers { motion, rates, cosines, cosine_of_two })
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
