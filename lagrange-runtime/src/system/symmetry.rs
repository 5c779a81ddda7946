//! The symmetries of a mechanism, as the derivation decided them.

/// A change δq of the coordinates that changes L by a total time derivative at most, δL = ∂L/∂q·δq + ∂L/∂v·d(δq)/dt = dK/dt.
///
/// Its momentum J = p·δq − K has the rate dJ/dt = δq·(Q − ∂D/∂v + Gᵀλ) (E. Noether, 1918). It is an output of the symmetry's name, in the unit of
/// p·δq, so that observers, tables and plots have it along a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// The name, which is that of an output too.
    pub name: &'static str,
    /// Whether δL = dK/dt is proved. Otherwise it was checked at many states, in more than 50 digits.
    pub proved: bool,
    /// The names of what changes J: forces, `dissipation`, constraints, frictions, contacts, modes. Also those whose work along δq could not be
    /// decided. If it is empty, J is constant along every motion, through impacts too.
    pub changed_by: &'static [&'static str],
}

impl Symmetry {
    /// Whether the momentum is constant along every motion.
    pub const fn is_conserved(&self) -> bool {
        self.changed_by.is_empty()
    }
}

/// A symmetry of L that the block does not state: δq = A q + b + c t with numbers A, b and c that do not depend on the parameters.
///
/// The derivation looks for them in mechanisms of at most six coordinates whose L is not very long, with a K that is at most linear in q, and decides
/// each one as if it were stated. It does not list shifts of single coordinates that L does not contain
/// ([`Facts::cyclic`](super::Facts::cyclic)). An empty list proves nothing. To observe a momentum along a motion, state the symmetry:
/// `symmetry name: change, gauge = gauge;`. Texts of more than 240 characters name shared parts behind `where`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundSymmetry {
    /// δq, in the form of the statement: `[-y, x, 0]`.
    pub change: &'static str,
    /// K with δL = dK/dt, in the form of the statement; `0` where L does not change.
    pub gauge: &'static str,
    /// The momentum J = p·δq − K as text.
    pub momentum: &'static str,
    /// As [`Symmetry::proved`].
    pub proved: bool,
    /// As [`Symmetry::changed_by`].
    pub changed_by: &'static [&'static str],
}
