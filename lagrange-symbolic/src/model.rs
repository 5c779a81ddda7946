//! A mechanism with its meaning: every quantity of the block as expressions of one graph.

use crate::expr::{Graph, Id};
use crate::spec::{NumberType, Place, Report, Shape};
use proc_macro2::Ident;

/// The result of [`elaborate`](crate::spec::elaborate): what the equations are derived from.
#[derive(Clone, Debug)]
pub struct Model {
    /// Holds every expression below. `Symbol::Coordinate(i)` is `coordinates[i]`, and so on.
    pub graph: Graph,
    /// The user's struct, without its `#[input]` and `#[skip]`.
    pub item: syn::ItemStruct,
    /// q, in the order in which they are stated.
    pub coordinates: Vec<Named>,
    /// The fields that are parameters, in order.
    pub parameters: Vec<Named>,
    /// u: the fields that are inputs, in order.
    pub inputs: Vec<Named>,
    /// L; T − V where these are stated.
    pub lagrangian: Id,
    /// T, if T and V are stated apart.
    pub kinetic: Option<Id>,
    /// V, if T and V are stated apart; zero if `potential` is left out.
    pub potential: Option<Id>,
    /// D, with the force −∂D/∂q̇.
    pub dissipation: Option<Id>,
    /// The forces, which add.
    pub forces: Vec<Force>,
    /// Intermediate quantities, in the order in which they are stated.
    pub lets: Vec<Let>,
    /// Warnings about an accepted block.
    pub warnings: Report,
    /// Every use of a field's name in the block, with its own span: emitted once, it lets an editor find the field.
    pub field_uses: Vec<Ident>,
}

/// A coordinate, a parameter or an input.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its name, without the `r#` of a raw identifier.
    pub name: String,
    /// Its name as stated, with its span.
    pub ident: Ident,
    /// Doc comment: the field's, or that of the `coordinates` statement.
    pub documentation: String,
    /// Type of the field; `None` for a coordinate.
    pub number: Option<NumberType>,
}

/// A generalized force Q = (∂left/∂q)ᵀ right.
#[derive(Clone, Debug)]
pub struct Force {
    /// The left side as text.
    pub name: String,
    /// Functions of q and t, one per component.
    pub left: Vec<Id>,
    /// The force on each component.
    pub right: Vec<Id>,
    /// The statement.
    pub place: Place,
}

/// An intermediate quantity.
#[derive(Clone, Debug)]
pub struct Let {
    /// Its name.
    pub name: String,
    /// Its name as stated.
    pub ident: Ident,
    /// Scalar, vector or matrix.
    pub shape: Shape,
    /// Its components, row by row.
    pub values: Vec<Id>,
    /// Doc comment of its statement.
    pub documentation: String,
}
