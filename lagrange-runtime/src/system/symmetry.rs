//! The symmetries that a block states, as the derivation found them.

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
