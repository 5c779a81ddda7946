//! Whether the stability of an explicit method limits its steps, and not the error: whether the equations are stiff.

use crate::evaluator::Monitor;
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
    state: &State<R, N>,
    h: R,
) -> Option<f64> {
    let tolerances = evaluator.tolerances(state, state);
    let State { t, q, v } = *state;
    let acceleration = evaluator.acceleration_under(state, &v).ok()?;
    let weights = Weights::new(&tolerances);
    let h = h.to_f64().abs();
    let mut direction = Difference { q: v, v: acceleration };
    let motion = weights.inner(&direction, &direction).sqrt();
    let size = weights.inner(&Difference { q, v }, &Difference { q, v }).sqrt();
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
        length = weights.inner(&next, &next).sqrt();
        (rate, cosines) = (length, [cosines[1], weights.inner(&unit, &next) / length]);
        direction = next;
    }
    let is_decay = cosines.iter().all(|cosine| *cosine < DECAY);
    let is_limited = h * rate >= LIMIT && is_decay && motion <= rate * (AT_REST * size).max(1.0);
    is_limited.then_some(rate)
}

/// The inverse tolerances of the components. It is 0 for what has none or does not count.
struct Weights<const N: usize> {
    q: SVector<f64, N>,
    v: SVector<f64, N>,
}

impl<const N: usize> Weights<N> {
    fn new<R: Real>(tolerances: &Difference<R, N>) -> Self {
        let (mut q, mut v) = (SVector::repeat(0.0), SVector::repeat(0.0));
        let weight = |tolerance: R| if tolerance > R::ZERO { Scalar::recip(tolerance.to_f64()) } else { 0.0 };
        for i in 0..N {
            (q[i], v[i]) = (weight(tolerances.q[i]), weight(tolerances.v[i]));
        }
        Self { q, v }
    }

    fn inner<R: Real>(&self, a: &Difference<R, N>, b: &Difference<R, N>) -> f64 {
        let mut sum = 0.0;
        for i in 0..N {
            sum += (a.q[i].to_f64() * self.q[i]) * (b.q[i].to_f64() * self.q[i]);
            sum += (a.v[i].to_f64() * self.v[i]) * (b.v[i].to_f64() * self.v[i]);
        }
        sum
    }
}
