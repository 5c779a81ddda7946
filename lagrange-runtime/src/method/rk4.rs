//! The classical Runge–Kutta method.

use super::vectors::advance;
use super::{ExplicitStep, FixedStep};
use crate::error::Failure;
use crate::evaluate::Accelerate;
use crate::scalar::Scalar;
use crate::state::State;
use crate::tableau::classical::{HALF, SIXTH, THIRD};
use nalgebra::SVector;

/// The classical Runge–Kutta method of order 4 with a fixed step.
///
/// On (q, v)' = (v, a) the method is
///
/// ```text
/// a₁ = a(t, q, v)
/// a₂ = a(t + h/2, q + h/2 v,           v + h/2 a₁)
/// a₃ = a(t + h/2, q + h/2 v + h²/4 a₁, v + h/2 a₂)
/// a₄ = a(t + h,   q + h v + h²/2 a₂,   v + h a₃)
/// q' = q + h v + h²/6 (a₁ + a₂ + a₃)
/// v' = v + h/6 (a₁ + 2a₂ + 2a₃ + a₄)
/// ```
///
/// The velocities of its four stages are inserted into the formula for q'. The method is neither symmetric nor symplectic: the
/// energy drifts by O(h⁴) over a fixed time. The cost is 4 accelerations a step. Source: W. Kutta, 1901; E. Hairer, S. P.
/// Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., table II.1.2.
pub type Rk4<R> = FixedStep<R, ClassicalRungeKutta>;

/// The formula of [`Rk4`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassicalRungeKutta;

impl ExplicitStep for ClassicalRungeKutta {
    const NAME: &'static str = "RK4";
    const ORDER: u32 = 4;
    const STABILITY: Option<[f64; 2]> = Some([2.785, 2.828]);

    #[inline(always)]
    fn step<R: Scalar, const N: usize>(
        evaluator: &mut (impl Accelerate<R, N> + ?Sized),
        state: &State<R, N>,
        acceleration: SVector<R, N>,
        h: R,
        end: R,
    ) -> Result<State<R, N>, Failure> {
        let State { t, q, v } = *state;
        let half = R::from_f64(HALF) * h;
        let middle = t + half;
        let a1 = acceleration;
        let q_half = advance(q, half, v);
        let a2 = evaluator.acceleration(middle, q_half, advance(v, half, a1))?;
        let a3 = evaluator.acceleration(middle, advance(q_half, half * half, a1), advance(v, half, a2))?;
        let q_full = advance(q, h, v);
        let sixth = R::from_f64(SIXTH) * h;
        let third = R::from_f64(THIRD) * h;
        let inner = a2 + a3;
        // Everything except a₄ is computed first, so that the coordinates of the next step do not wait for a₄.
        let drift = sixth * h;
        let q_end = advance(q_full, drift, a1 + inner);
        let v_most = advance(advance(v, sixth, a1), third, inner);
        let a4 = evaluator.acceleration(end, advance(q_full, half * h, a2), advance(v, h, a3))?;
        Ok(State { t: end, q: q_end, v: advance(v_most, sixth, a4) })
    }
}
