//! The phase of each row: it sticks, or slips in one direction. A gap that sticks is that of a closed contact. A friction whose slip
//! is a vector has its phase in its first row: it sticks, begins to slip, or slips.

use crate::limits::MAX_ROWS;

/// The phase of each row of the contacts of an integration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Phases {
    /// Whether the driver carries the phases. Otherwise the equations contain friction as −b sign(s).
    pub(crate) known: bool,
    /// Whether contacts open and close.
    touching: bool,
    /// The rows that stick, one bit each. A gap sticks while its contact is closed.
    sticking: u64,
    /// The slipping rows with s < 0, and the frictions with vectors that begin to slip, one bit each.
    backward: u64,
}

impl Phases {
    /// All contacts slip forward or are open, until their phases are decided.
    pub(crate) fn new(known: bool, touching: bool) -> Self {
        Self { known, touching, ..Self::default() }
    }

    /// These rows are held, one bit each, and others slip or are open.
    pub(crate) fn holding(held: u64, touching: bool) -> Self {
        Self { known: true, touching, sticking: held, backward: 0 }
    }

    /// Whether a step must resolve forces or gaps that step control does not see.
    pub(crate) fn must_be_resolved(self) -> bool {
        self.any_sticks() || self.touching
    }

    /// Whether row `k` sticks.
    pub(crate) fn sticks(self, k: usize) -> bool {
        has(self.sticking, k)
    }

    /// The rows that stick, one bit each.
    pub(crate) fn closed(self) -> u64 {
        self.sticking
    }

    /// Whether any row sticks.
    pub(crate) fn any_sticks(self) -> bool {
        self.sticking != 0
    }

    /// The direction of the slip of row `k`: 1 or −1.
    pub(crate) fn direction(self, k: usize) -> f64 {
        if has(self.backward, k) { -1.0 } else { 1.0 }
    }

    /// Lets row `k` stick.
    pub(crate) fn stick(&mut self, k: usize) {
        self.sticking |= 1 << k;
        self.backward &= !(1 << k);
    }

    /// Lets row `k` slip.
    pub(crate) fn slide(&mut self, k: usize, backward: bool) {
        self.sticking &= !(1 << k);
        self.backward = self.backward & !(1 << k) | u64::from(backward) << k;
    }

    /// Lets the friction whose first row is `k`, and whose slip is a vector, begin to slip.
    pub(crate) fn begin(&mut self, k: usize) {
        self.slide(k, true);
    }

    /// Whether the friction whose first row is `k`, and whose slip is a vector, begins to slip. For a scalar slip this says that s < 0.
    pub(crate) fn begins(self, k: usize) -> bool {
        has(self.backward, k)
    }

    /// Gives row `k` the phase that it has in `other`.
    pub(crate) fn copy(&mut self, k: usize, other: Self) {
        if other.sticks(k) { self.stick(k) } else { self.slide(k, other.direction(k) < 0.0) }
    }

    /// The rows whose phases differ, one bit each.
    pub(crate) fn differs(self, other: Self) -> u64 {
        (self.sticking ^ other.sticking) | (self.backward ^ other.backward)
    }

    /// Whether no integration with `count` rows, and contacts that open and close or not, can have these phases.
    pub(crate) fn is_impossible(self, count: usize, touching: bool) -> bool {
        let all = if count >= MAX_ROWS { u64::MAX } else { (1 << count) - 1 };
        (touching || self.touching) && !(self.known && touching && self.touching)
            || (self.sticking | self.backward) & !all != 0
            || self.sticking & self.backward != 0
    }
}

/// Whether a set of rows, one bit each, contains row `k`.
fn has(set: u64, k: usize) -> bool {
    k < MAX_ROWS && set >> k & 1 == 1
}
