//! The order of the outputs of a routine. Both the computation and the emission of the outputs use it.

use super::Value;
use std::ops::Range;

/// A part of the outputs of a routine. Matrices are listed column by column. A matrix "by q, v, t, u" has a column for
/// each coordinate, each velocity, the time and each input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// p.
    Momentum,
    /// f.
    Balance,
    /// p_q.
    MomentumByQ,
    /// M.
    Mass,
    /// f_q.
    BalanceByQ,
    /// f_v.
    BalanceByV,
    /// p_t.
    MomentumByT,
    /// f_t.
    BalanceByT,
    /// f_u.
    BalanceByU,
    /// F.
    Forcing,
    /// g.
    Constraint,
    /// The sum of the magnitudes of the terms of g.
    Scale,
    /// G.
    Gradient,
    /// g_t or b.
    Drift,
    /// G v + g_t, or G v + b; of outputs ∂y/∂q v + ∂y/∂t.
    Rate,
    /// γ; of outputs that are functions of (t, q, u) their bias.
    Curvature,
    /// The derivative of the rate by q.
    RateByQ,
    /// Gᵀλ.
    Reaction,
    /// Gᵀλ by q.
    ReactionByQ,
    /// The bounds of friction forces.
    Bound,
    /// The derivatives of these bounds by λ, bound by bound.
    ByMultipliers,
    /// a.
    Acceleration,
    /// λ.
    Multipliers,
    /// The factors of [M Gᵀ; G 0].
    Factors,
    /// v.
    Velocity,
    /// y of outputs.
    Output,
    /// (a, λ), the residuals (r, s), or outputs, by q.
    ByQ,
    /// (a, λ), the residuals (r, s), or outputs, by v.
    ByV,
    /// (a, λ), the residuals (r, s), or outputs, by t.
    ByT,
    /// (a, λ), the residuals (r, s), or outputs, by u.
    ByU,
    /// The mask that says whether the pivots are safe.
    Safe,
    /// h.
    Energy,
    /// T.
    Kinetic,
    /// V.
    Potential,
    /// r of equations r(w, a) = 0.
    Residual,
    /// K = −∂r/∂w, row by row.
    Slope,
}

/// The parts of a routine's outputs, in their order.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    outputs: Vec<Value>,
    parts: Vec<(Part, Range<usize>)>,
}

impl Layout {
    /// Appends a part.
    #[must_use]
    pub fn with(mut self, part: Part, values: impl IntoIterator<Item = Value>) -> Self {
        let start = self.outputs.len();
        self.outputs.extend(values);
        self.parts.push((part, start..self.outputs.len()));
        self
    }

    /// All outputs, in order.
    pub fn outputs(&self) -> &[Value] {
        &self.outputs
    }

    /// The range of a part among the outputs. It is empty where the routine has no such part.
    pub fn range(&self, part: Part) -> Range<usize> {
        self.parts.iter().find(|(known, _)| *known == part).map_or(0..0, |(_, range)| range.clone())
    }
}
