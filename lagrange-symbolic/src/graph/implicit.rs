//! Functions that equations define: w(a) with r(w, a) = 0.

use super::function::Function;
use super::{Graph, Id, Node, Symbol};

/// The equations r(w, a) = 0 that define w as a function of a. All expressions contain placeholders for w and a, and no other
/// symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Implicit {
    /// What the components of w are.
    pub of: Defined,
    /// The placeholders for w.
    pub unknowns: Vec<Symbol>,
    /// The placeholders for a.
    pub arguments: Vec<Symbol>,
    /// r.
    pub residual: Vec<Id>,
    /// K = −∂r/∂w, row by row.
    pub slope: Vec<Vec<Id>>,
    /// K⁻¹ ∂r/∂a, column by column.
    pub by_argument: Vec<Vec<Id>>,
    /// Whether it is proved that r(w, a) = 0 has one solution at most even where K is singular. Otherwise a solution with a
    /// singular K is none.
    pub is_unique: bool,
}

/// What an equation defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Defined {
    /// The rates of these coordinates.
    Rates(Vec<u32>),
    /// The argument at which the table of this name has a value.
    Inverse(String),
}

impl Graph {
    /// The functions that equations define, by the index in [`Function::Implicit`].
    pub fn implicits(&self) -> &[Implicit] {
        &self.implicits
    }

    /// Defines a function. Returns the components of w at these arguments, and a number that is 1 where w is found, else 0.
    pub(crate) fn define_implicit(&mut self, implicit: Implicit, arguments: &[Id]) -> (Vec<Id>, Id) {
        let parts = implicit.unknowns.len() as u32;
        let index = match self.implicits.iter().position(|known| *known == implicit) {
            Some(index) => index as u32,
            None => {
                self.implicits.push(implicit);
                self.implicits.len() as u32 - 1
            }
        };
        let mut of = |part| self.call(Function::Implicit { index, part }, arguments);
        ((0..parts).map(&mut of).collect(), of(parts))
    }

    /// Whether the node is the number that is 1 where a solution is found, else 0. Proofs are about the states where it is 1.
    pub(crate) fn tells_found(&self, id: Id) -> bool {
        let Node::Call(Function::Implicit { index, part }, _) = self.node(id) else { return false };
        *part as usize == self.implicits[*index as usize].unknowns.len()
    }
}
