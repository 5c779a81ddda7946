//! The state at which a step starts, with what is evaluated there.

use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::State;
use crate::system::BalanceJacobian;
use nalgebra::{SMatrix, SVector};

/// The state at which a step starts, with what is evaluated there.
pub(in crate::method) struct Start<'a, R: Real, const N: usize, const C: usize> {
    pub(in crate::method) state: &'a State<R, N>,
    /// p, f and their derivatives. With constraints f contains the reaction Gᵀλ of the multipliers.
    pub(in crate::method) at: BalanceJacobian<R, N>,
    /// λ.
    pub(in crate::method) multipliers: SVector<R, C>,
    /// G.
    pub(in crate::method) jacobian: SMatrix<R, C, N>,
    /// ∂(G v + drift)/∂q.
    pub(in crate::method) rate_q: SMatrix<R, C, N>,
}

impl<'a, R: Real, const N: usize, const C: usize> Start<'a, R, N, C> {
    /// Evaluates the equations at `state` with these multipliers.
    pub(in crate::method) fn new<E: Evaluate<R, N, C> + ?Sized>(
        evaluator: &mut E,
        state: &'a State<R, N>,
        multipliers: SVector<R, C>,
    ) -> Self {
        let mut at = evaluator.balance_jacobian(state.t, state.q, state.v);
        let (mut jacobian, mut rate_q) = (SMatrix::repeat(R::ZERO), SMatrix::repeat(R::ZERO));
        if const { C > 0 } {
            let hidden = evaluator.constraint_hidden(state.t, &state.q, &state.v, &multipliers);
            at.balance += hidden.reaction;
            at.balance_q += hidden.reaction_q;
            jacobian = evaluator.constraint(state.t, &state.q).jacobian;
            rate_q = hidden.rate_q;
        }
        Self { state, at, multipliers, jacobian, rate_q }
    }
}
