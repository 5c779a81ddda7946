//! Hermite interpolation from both ends of a step.

use crate::scalar::Real;
use crate::state::State;
use nalgebra::SVector;

/// The Hermite interpolant of one step, from (q, v, a) at both ends.
///
/// q is the polynomial of degree 5 through q, v and a at both ends. v is its derivative. If the values at the ends are exact, q
/// has order 6 and v has order 5 in the length of the step. If a method of order p gives these values, neither order exceeds p.
///
/// In a short step the difference of the coordinates at the ends is dominated by rounding. Its derivative would magnify this
/// rounding. v is then the cubic through v and a at both ends, of order 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hermite<R: Real, const N: usize> {
    /// The state at the start of the step.
    pub start: State<R, N>,
    /// The state at the end of the step.
    pub end: State<R, N>,
    /// The acceleration a at the start.
    pub start_acceleration: SVector<R, N>,
    /// The acceleration a at the end, under the inputs that applied during the step.
    pub end_acceleration: SVector<R, N>,
}

impl<R: Real, const N: usize> Hermite<R, N> {
    /// Gives the hidden coordinates of the last `states` velocities the change that the cubic in v has. The velocity then has
    /// no bump, which would contain the rounding of a coordinate that may be large.
    pub(super) fn forget_hidden(&mut self, states: usize) {
        let h = self.end.t - self.start.t;
        for i in N.saturating_sub(states)..N {
            self.start.q[i] = R::ZERO;
            self.end.q[i] = h * self.mean(i);
        }
    }

    /// The mean of the cubic in v over the step.
    #[inline(always)]
    fn mean(&self, i: usize) -> R {
        let h = self.end.t - self.start.t;
        let (a_start, a_end) = (self.start_acceleration[i] * h, self.end_acceleration[i] * h);
        R::from_f64(0.5) * (self.start.v[i] + self.end.v[i]) + R::from_f64(1.0 / 12.0) * (a_start - a_end)
    }

    /// Returns the state at time `t`. Outside of the step the polynomials are extrapolated.
    pub fn interpolate(&self, t: R) -> State<R, N> {
        let number = R::from_f64;
        let h = self.end.t - self.start.t;
        let s = (t - self.start.t) / h;
        let (s2, rest) = (s * s, R::ONE - s);
        let (s3, s4) = (s2 * s, s2 * s2);
        // The cubic in v through (v, a) at both ends, and its integral over time.
        let (v0, a0) = (number(1.0) - number(3.0) * s2 + number(2.0) * s3, s - number(2.0) * s2 + s3);
        let (v1, a1) = (number(3.0) * s2 - number(2.0) * s3, s3 - s2);
        let (v0_integral, v1_integral) = (s - s3 + number(0.5) * s4, s3 - number(0.5) * s4);
        let a0_integral = number(0.5) * s2 - number(2.0 / 3.0) * s3 + number(0.25) * s4;
        let a1_integral = number(0.25) * s4 - number(1.0 / 3.0) * s3;
        // The integral of the cubic differs from the change of q. A polynomial bump in v, with its integral in q, makes up for
        // the difference.
        let bump = number(30.0) * s2 * rest * rest;
        let bump_integral = s3 * (number(10.0) - number(15.0) * s + number(6.0) * s2);
        let times = self.start.t.abs() + self.end.t.abs();
        let (mut q, mut v) = (self.start.q, self.start.v);
        for i in 0..N {
            let (v_start, v_end) = (self.start.v[i], self.end.v[i]);
            let (a_start, a_end) = (self.start_acceleration[i] * h, self.end_acceleration[i] * h);
            let (q_start, q_end) = (self.start.q[i], self.end.q[i]);
            let missed = (q_end - q_start) - h * self.mean(i);
            let integral = v0_integral * v_start + v1_integral * v_end + a0_integral * a_start + a1_integral * a_end;
            q[i] = q_start + (h * integral + bump_integral * missed);
            // The coordinates round, and so do the times, and with them the length of the step.
            let rounding = q_start.abs() + q_end.abs() + times * (v_start.abs() + v_end.abs());
            let resolved = missed.abs() > number(4.0 * R::EPSILON) * rounding;
            let correction = if resolved { bump * (missed / h) } else { R::ZERO };
            v[i] = v0 * v_start + v1 * v_end + a0 * a_start + a1 * a_end + correction;
        }
        State { t, q, v }
    }
}
