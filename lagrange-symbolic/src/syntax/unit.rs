//! A unit as it is stated: symbols with exponents.

use crate::graph::Rational;
use crate::report::Place;
use proc_macro2::Ident;

/// A unit that a block or a struct states: `kg*m^2/s^2`.
#[derive(Clone, Debug)]
pub struct StatedUnit {
    /// The symbols with their exponents, in the order in which they were written. The unit `1` has none.
    pub factors: Vec<(Ident, Rational)>,
    /// The unit as text, without spaces.
    pub text: String,
    /// Its first and last token.
    pub place: Place,
}

/// What a block measures in units of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measured {
    /// The time `t`.
    Time,
    /// L, T, V and h.
    Energy,
}

impl Measured {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Time, Self::Energy];

    /// The word that names it in the statement `units`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Energy => "energy",
        }
    }
}

/// The units that the statement of a table or of an outside function states.
#[derive(Clone, Debug, Default)]
pub struct FunctionUnits {
    /// Those of its arguments, in their order.
    pub arguments: Vec<Option<StatedUnit>>,
    /// That of its value.
    pub value: Option<StatedUnit>,
}
