//! The names of warnings, by which a block allows them.

use crate::report::Mistake;

macro_rules! lints {
    ($($row:ident $name:literal;)*) => {
        impl Mistake {
            /// The names of all warnings, each with the row of the table of messages that it stands for.
            pub const LINTS: &[(&str, &str)] = &[$(($name, stringify!($row))),*];

            /// The name by which a block allows this warning; `None` for a mistake.
            pub fn lint(&self) -> Option<&'static str> {
                match self {
                    $(Self::$row { .. } => Some($name),)*
                    _ => None,
                }
            }
        }
    };
}

lints! {
    InvariantUndecided "undecided_invariant";
    SymmetryUndecided "undecided_symmetry";
    UnusedInput "unused_input";
    RateOfField "dot_of_field";
    UnusedField "unused_field";
    UnusedDefinition "unused_definition";
    IdleForce "idle_force";
    IdleFriction "idle_friction";
    IdleDissipation "idle_dissipation";
    ConstantTerm "constant_term";
    UncoupledCoordinate "uncoupled_coordinate";
    OddDissipation "odd_dissipation";
    GivingDissipation "giving_dissipation";
    MomentumJumps "jumping_momentum";
    DenseMass "dense_mass";
    HolonomicInDisguise "integrable_constraint";
    HolonomicCombination "integrable_combination";
    HolonomicTogether "integrable_together";
}

/// A warning that a block allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// The name of the warning.
    pub lint: String,
    /// What the names of the part begin with whose block states it, `left.` or `link[].`; empty for the block itself.
    pub part: String,
}

impl Allowance {
    /// Whether a warning is allowed. What the block of a part allows holds for warnings that name a quantity of the part.
    pub(super) fn covers(&self, mistake: &Mistake) -> bool {
        if mistake.lint() != Some(&*self.lint) {
            return false;
        }
        let subject = mistake.subject().map(without_indices).unwrap_or_default();
        self.part.is_empty() || subject.match_indices(&self.part).any(|(at, _)| begins_name(&subject[..at]))
    }
}

/// Names without the indices of elements: `link[].x` for `link[2].x`.
fn without_indices(text: &str) -> String {
    let mut depth = 0_usize;
    let is_kept = |sign: &char| {
        match sign {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        true
    };
    text.chars().filter(is_kept).collect()
}

/// Whether a name begins behind this text.
fn begins_name(before: &str) -> bool {
    !before.ends_with(|last: char| last.is_alphanumeric() || ['_', '.'].contains(&last))
}

impl Mistake {
    /// The quantities that a warning is about, as the message names them.
    fn subject(&self) -> Option<&str> {
        match self {
            Self::UnusedInput { input: name }
            | Self::UnusedField { field: name }
            | Self::UnusedDefinition { name, .. }
            | Self::IdleForce { force: name }
            | Self::IdleFriction { friction: name }
            | Self::IdleDissipation { term: name }
            | Self::ConstantTerm { term: name, .. }
            | Self::UncoupledCoordinate { coordinate: name }
            | Self::RateOfField { field: name }
            | Self::InvariantUndecided { name, .. }
            | Self::SymmetryUndecided { name, .. }
            | Self::OddDissipation { term: name }
            | Self::GivingDissipation { coordinate: name }
            | Self::MomentumJumps { coordinate: name }
            | Self::HolonomicInDisguise { constraint: name }
            | Self::HolonomicCombination { combination: name }
            | Self::HolonomicTogether { constraints: name } => Some(name),
            _ => None,
        }
    }
}
