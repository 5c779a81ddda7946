//! The end of a step, moved onto the constraints.

use super::factors::Factors;
use super::product;
use crate::constraint::{ROUND_OFF, beyond, mechanical, position_rounding, rounding, scales, worst};
use crate::evaluate::Evaluate;
use crate::linalg::Lu;
use crate::method::canonical::rate_of;
use crate::scalar::{Real, Scalar};
use crate::state::State;
use crate::tableau::gauss::StageCount;
use crate::tableau::radau::ThreeFiveSeven;
use nalgebra::{SMatrix, SVector};

/// The most corrections of a step's end.
const MOST: u32 = 12;

impl<R: Real, const N: usize, const S: usize, const C: usize> Factors<R, N, S, C>
where
    StageCount<S>: ThreeFiveSeven<S>,
{
    /// Moves the end of a step onto g = 0 and G v + drift = 0, by changes δ with K δ = Gᵀμ, where K is the matrix of the real eigenvalue and
    /// G is taken at the start. Impulses of the constraints within the step make such changes, and so stiff springs are hardly stretched. `None` if
    /// the corrections do not converge, or if no such change moves a constraint.
    ///
    /// Without this, each step would leave an error of g of the size of its own error, h^2S, which would add up.
    pub(super) fn on_constraints<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        mut end: State<R, N>,
    ) -> Option<State<R, N>> {
        if const { C == 0 } {
            return Some(end);
        }
        let still = SVector::repeat(R::ZERO);
        let impulses = SMatrix::<R, C, C>::from_fn(|i, k| if i == k { R::ONE } else { R::ZERO });
        let none = SVector::repeat(R::ZERO);
        let mut changes = SMatrix::<R, N, C>::repeat(R::ZERO);
        for (mut change, impulse) in changes.column_iter_mut().zip(impulses.column_iter()) {
            change.copy_from(&self.real.solve(&none, &impulse.into_owned()).0);
        }
        let states = evaluator.state_count();
        let (mut before, mut more) = (f64::INFINITY, 2 * R::DERIVATIVE_ORDER);
        for made in 0..MOST {
            let at = evaluator.constraint(end.t, &end.q);
            let rates = rate_of(&at.jacobian, &end.v) + at.drift;
            let position = worst(&at.value, &scales(&at.jacobian, &end.q, &at.scale));
            let velocity = worst(&rates, &scales(&at.jacobian, &end.v, &at.drift));
            let [by_position, by_velocity] = [position, velocity].map(|worst| worst.map_or(0.0, |(.., part)| part));
            let part = by_position.max(by_velocity);
            if part.is_nan() {
                return None;
            }
            // At a state where the terms of a row vanish, the largest coordinate and the largest velocity say what its rounding is.
            let is_rounding = |part: f64| part <= ROUND_OFF * R::EPSILON;
            let is_near = (is_rounding(by_position)
                || beyond(at.value, &position_rounding(&at, end.t, &mechanical(&end.q, states))) == still)
                // The hidden constraint is linear in v, so that two corrections leave its rounding.
                && (is_rounding(by_velocity)
                    || (made > 1 && by_velocity <= Scalar::sqrt(R::EPSILON))
                    || beyond(rates, &rounding(&at.jacobian, &mechanical(&end.v, states), &still)) == still);
            if part <= 4.0 * R::EPSILON || (is_near && part >= 0.5 * before) {
                if more == 0 {
                    return Some(end);
                }
                // A derivative converges as fast as its value, one correction later.
                more -= 1;
            }
            before = part;
            let by_change = SMatrix::<R, C, C>::from_fn(|i, k| {
                (0..N).fold(R::ZERO, |sum, j| sum + at.jacobian[(i, j)] * changes[(j, k)])
            });
            let factors = Lu::new(by_change).ok()?;
            end.q -= product(&changes, &factors.solve(&at.value));
            end.v -= product(&changes, &factors.solve(&rates));
        }
        None
    }
}
