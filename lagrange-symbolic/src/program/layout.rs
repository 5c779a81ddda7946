//! The order of a routine's outputs: what computes them and what writes them out both ask here.

use super::Value;
use std::ops::Range;

/// What a stretch of a routine's outputs is. Matrices stand column by column; "by q, v, t, u" means a column for each
/// coordinate, velocity, the time and each input.
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
    /// F.
    Forcing,
    /// g.
    Constraint,
    /// The magnitudes of the terms that cancel in g.
    Scale,
    /// G.
    Gradient,
    /// g_t or b: what G v lacks of the hidden constraint.
    Drift,
    /// The hidden constraint.
    Rate,
    /// γ.
    Curvature,
    /// The hidden constraint by q.
    RateByQ,
    /// Gᵀλ.
    Reaction,
    /// Gᵀλ by q.
    ReactionByQ,
    /// a.
    Acceleration,
    /// λ.
    Multipliers,
    /// v.
    Velocity,
    /// (a, λ), or the residuals (r, s), by q.
    ByQ,
    /// (a, λ), or the residuals (r, s), by v.
    ByV,
    /// (a, λ), or the residuals (r, s), by t.
    ByT,
    /// (a, λ), or the residuals (r, s), by u.
    ByU,
    /// The mask that says whether the pivots are safe.
    Safe,
    /// h.
    Energy,
    /// T.
    Kinetic,
    /// V.
    Potential,
}

/// The parts of a routine's outputs, in their order.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    outputs: Vec<Value>,
    parts: Vec<(Part, Range<usize>)>,
}

impl Layout {
    /// Adds a part behind those that are there.
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

    /// Where a part stands among the outputs; an empty range where the routine has no such part.
    pub fn range(&self, part: Part) -> Range<usize> {
        self.parts.iter().find(|(known, _)| *known == part).map_or(0..0, |(_, range)| range.clone())
    }
}
