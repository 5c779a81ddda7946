//! The predictor–corrector form of the velocity Verlet method.

use super::vectors::{advance, plus};
use super::{ExplicitStep, FixedStep};
use crate::error::Failure;
use crate::evaluate::Accelerate;
use crate::scalar::Scalar;
use crate::state::State;
use crate::tableau::classical::HALF;
use nalgebra::SVector;

/// The velocity Verlet method with a fixed step, as a predictor–corrector for accelerations that depend on the velocity:
///
/// ```text
/// a  = a(t, q, v)
/// q' = q + h v + h²/2 a,   v* = v + h a
/// a' = a(t + h, q', v*)
/// v' = v + h/2 (a + a')
/// ```
///
/// The order is 2. If a does not depend on v and M is constant, this is the velocity Verlet method, which is symmetric and
/// symplectic in (q, M v). If a depends on v, the method is neither, and the energy drifts.
///
/// The acceleration at the start of a step is evaluated at the corrected velocity. Taking over a' instead would save one
/// evaluation, but doubles the energy error on the compound double pendulum. The cost is 2 accelerations a step. Source: the
/// study of the compound double pendulum; for a = a(q), L. Verlet, 1967, and W. C. Swope et al., 1982.
pub type Verlet<R> = FixedStep<R, PredictorCorrectorVerlet>;

/// The formula of [`Verlet`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictorCorrectorVerlet;

impl ExplicitStep for PredictorCorrectorVerlet {
    const NAME: &'static str = "Verlet";
    const ORDER: u32 = 2;
    const STABILITY: Option<[f64; 2]> = Some([2.0; 2]);

    #[inline(always)]
    fn step<R: Scalar, const N: usize>(
        evaluator: &mut (impl Accelerate<R, N> + ?Sized),
        state: &State<R, N>,
        acceleration: SVector<R, N>,
        h: R,
        end: R,
    ) -> Result<State<R, N>, Failure> {
        let half = R::from_f64(HALF) * h;
        let State { q, v, .. } = *state;
        let q = advance(advance(q, h, v), half * h, acceleration);
        let at_end = evaluator.acceleration(end, q, advance(v, h, acceleration))?;
        Ok(State { t: end, q, v: advance(v, half, plus(acceleration, at_end)) })
    }
}
