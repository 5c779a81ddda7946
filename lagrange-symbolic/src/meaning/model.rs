//! A mechanism with its meaning: every quantity of the block as expressions of one graph.

use super::reaction::Rows;
use crate::graph::function::Orders;
use crate::graph::{Graph, Id, Symbol};
use crate::meaning::{Bodies, Declared, Known, Shape};
use crate::prove::Domain;
use crate::report::{Place, Report};
use crate::syntax::NumberType;
use proc_macro2::{Ident, TokenStream};
use std::collections::{BTreeMap, HashMap};

/// A mechanism as the result of [`elaborate`](crate::meaning::elaborate). The equations are derived from it.
#[derive(Clone, Debug)]
pub struct Model {
    /// The graph of every expression below. `Symbol::Coordinate(i)` is `coordinates[i]`, and likewise for the other
    /// symbols.
    pub graph: Graph,
    /// The user's struct, without its `#[input]` and `#[skip]`.
    pub item: syn::ItemStruct,
    /// q, in the order of the statements, followed by a hidden coordinate for each state. A hidden coordinate has the name
    /// of its state, which is its velocity.
    pub coordinates: Vec<Named>,
    /// The equations of the states. Once the equations of motion are derived, the coordinates without inertia are the first
    /// of them.
    pub states: Vec<State>,
    /// The names of the coordinates without inertia, in the order of their hidden coordinates.
    pub without_inertia: Vec<String>,
    /// The derivative of each coordinate without inertia, for the acceleration of its hidden coordinate.
    pub resolved: HashMap<Symbol, Id>,
    /// The fields that are parameters, in order.
    pub parameters: Vec<Named>,
    /// u: the fields that are inputs, in order.
    pub inputs: Vec<Named>,
    /// L, or T − V where T and V are stated.
    pub lagrangian: Id,
    /// T, if T and V are stated instead of L.
    pub kinetic: Option<Id>,
    /// V, if T and V are stated instead of L; zero if `potential` is left out.
    pub potential: Option<Id>,
    /// D, with the force −∂D/∂q̇.
    pub dissipation: Option<Id>,
    /// The forces. Their generalized forces add up.
    pub forces: Vec<Force>,
    /// The contacts with dry friction. Their forces −b sign(s) are the last of `forces`, in the same order.
    pub frictions: Vec<Friction>,
    /// The frictions whose forces change their direction smoothly. These forces are among `forces`, before those of `frictions`.
    pub smooth_frictions: Vec<SmoothFriction>,
    /// The contacts with dry friction whose bounds contain multipliers, and the components of those whose slips are vectors, each
    /// of which is one entry. Their forces are not among `forces`.
    pub loaded: Vec<Friction>,
    /// The contacts that open and close.
    pub contacts: Vec<Contact>,
    /// Holonomic rows g(q, t) = 0, one for each component, in the order of the statements. Their multipliers are λ₀,
    /// λ₁, …, before those of the nonholonomic rows.
    pub constraints: Vec<Constraint>,
    /// Nonholonomic rows A(q, t) v + b(q, t) = 0; the expression is the whole row, linear in v.
    pub nonholonomic: Vec<Constraint>,
    /// Sensors: any function of q, v, t, u, of accelerations and of multipliers.
    pub outputs: Vec<Output>,
    /// Conditions on parameters: each expression is positive.
    pub assumptions: Vec<Assumption>,
    /// Whether the block asserts that the equations have a unique solution at some state.
    pub regular: bool,
    /// The parameters that the assumptions allow, and the expressions that the block asserts to be continuous.
    pub domain: Domain,
    /// The user's own functions, by the index in `Function::Extern`.
    pub externs: Vec<Extern>,
    /// Intermediate quantities, in the order of the statements.
    pub lets: Vec<Let>,
    /// Quantities of which the block takes the total time derivative, each with its derivative.
    pub rates: Vec<(Id, Id)>,
    /// The frames that turn with rotations by angles, with the velocities of points that are known in them.
    pub bodies: Bodies,
    /// The path of the runtime crate, if it is stated.
    pub runtime: Option<TokenStream>,
    /// The number of operations above which expansion is an error, if it is stated.
    pub max_operations: Option<usize>,
    /// Warnings about an accepted block.
    pub warnings: Report,
    /// Every use of a field's name in the block, with its own span. The expansion contains it once, so that an editor
    /// finds the field.
    pub field_uses: Vec<Ident>,
    /// The constants, functions and constraint rows of the block, which claims may use too.
    pub(crate) vocabulary: Vocabulary,
}

/// Constants, functions and constraint rows of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    pub(crate) known: Known,
    pub(crate) functions: BTreeMap<String, Declared>,
    pub(crate) rows: Rows,
}

/// A function of the user's own. Nothing is known of it but the derivatives that its statement gives.
#[derive(Clone, Debug)]
pub struct Extern {
    /// Its name in the block.
    pub name: String,
    /// Its name as stated.
    pub ident: Ident,
    /// The names of its arguments.
    pub arguments: Vec<String>,
    /// The Rust function.
    pub path: TokenStream,
    /// The Rust functions of its derivatives.
    pub derivatives: Vec<(Orders, TokenStream)>,
}

impl Model {
    /// The names of the tables, by the index in `Function::Spline`.
    pub fn tables(&self) -> Vec<String> {
        let mut tables: Vec<(u32, String)> = Vec::new();
        for (name, declared) in &self.vocabulary.functions {
            match declared {
                Declared::Table(table) => tables.push((table.index, name.clone())),
                Declared::Surface(surface) => tables.extend(surface.names()),
                Declared::Extern { .. } | Declared::Failed => {}
            }
        }
        tables.sort_unstable();
        tables.into_iter().map(|(_, name)| name).collect()
    }

    /// The number of coordinates without the hidden ones of the states.
    pub fn mechanical(&self) -> usize {
        self.coordinates.len() - self.states.len()
    }

    /// Replaces symbols in every expression, all at once.
    pub(crate) fn substitute(&mut self, map: &HashMap<Symbol, Id>) {
        let Self {
            graph,
            forces,
            frictions,
            smooth_frictions,
            loaded,
            constraints,
            nonholonomic,
            outputs,
            states,
            lets,
            rates,
            bodies,
            ..
        } = self;
        let mut replace = |id: &mut Id| *id = graph.substitute(&[*id], map)[0];
        replace(&mut self.lagrangian);
        [&mut self.kinetic, &mut self.potential, &mut self.dissipation].into_iter().flatten().for_each(&mut replace);
        for force in forces {
            force.left.iter_mut().chain(&mut force.right).for_each(&mut replace);
        }
        for friction in frictions.iter_mut().chain(loaded) {
            [&mut friction.slip, &mut friction.rate, &mut friction.bound].into_iter().for_each(&mut replace);
        }
        for friction in smooth_frictions {
            friction.force.iter_mut().chain([&mut friction.bound]).for_each(&mut replace);
        }
        constraints.iter_mut().chain(nonholonomic).for_each(|row| replace(&mut row.value));
        outputs.iter_mut().for_each(|output| replace(&mut output.value));
        states.iter_mut().for_each(|state| replace(&mut state.rate));
        lets.iter_mut().flat_map(|definition| &mut definition.values).for_each(&mut replace);
        rates.iter_mut().for_each(|(quantity, rate)| [quantity, rate].into_iter().for_each(&mut replace));
        bodies.expressions().for_each(&mut replace);
        self.vocabulary.rows.values().for_each(&mut replace);
        self.domain.replace_continuous(&mut replace);
    }

    /// All rows of the constraints, in the order of λ: holonomic, then nonholonomic.
    pub fn rows(&self) -> impl Iterator<Item = &Constraint> {
        self.constraints.iter().chain(&self.nonholonomic)
    }
}

/// A coordinate, a state, a parameter or an input; each element of an array is one.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its name, without the `r#` of a raw identifier; `theta[3]` or `r[1][2]` for an element.
    pub name: String,
    /// The name as stated, with its span: for an element, that of its array.
    pub ident: Ident,
    /// Its indices in its array; empty for a scalar.
    pub indices: Vec<usize>,
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

/// A contact with dry friction.
#[derive(Clone, Debug)]
pub struct Friction {
    /// Its name: `pad`, or `pad[2]` for an element.
    pub name: String,
    /// Its name as stated.
    pub ident: Ident,
    /// The slip, a function of q and t.
    pub slip: Id,
    /// The slip rate.
    pub rate: Id,
    /// The bound of the force.
    pub bound: Id,
    /// Which component of its slip this is, and how many there are. The bound is that of the whole force.
    pub part: [usize; 2],
}

/// A friction with the force −b tanh(s/v₀), or −b s/√(|s|² + v₀²) where the slip is a vector.
#[derive(Clone, Debug)]
pub struct SmoothFriction {
    /// Its name: `pad`, or `pad[2]` for an element.
    pub name: String,
    /// Its name in the source.
    pub ident: Ident,
    /// The force on each component of the slip.
    pub force: Vec<Id>,
    /// The bound b of the force.
    pub bound: Id,
    /// The slip rate v₀ over which the force changes its direction.
    pub width: Id,
    /// The bound and the slip rate as stated.
    pub places: [Place; 2],
}

/// A contact that opens and closes.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Its name: `floor`, or `floor[2]` for an element.
    pub name: String,
    /// Its name as stated.
    pub ident: Ident,
    /// The gap, left minus right, a function of q and t.
    pub gap: Id,
    /// The rate of the gap.
    pub rate: Id,
    /// The coefficient of restitution.
    pub restitution: Id,
    /// The friction of the closed contact.
    pub friction: Option<ContactFriction>,
}

/// The friction of a closed contact.
#[derive(Clone, Copy, Debug)]
pub struct ContactFriction {
    /// The slip, a function of q and t.
    pub slip: Id,
    /// The slip rate.
    pub rate: Id,
    /// The coefficient of friction.
    pub coefficient: Id,
}

/// The equation ż = f of a state.
#[derive(Clone, Debug)]
pub struct State {
    /// f, a function of q, v, t, u and the states.
    pub rate: Id,
}

/// One row of a constraint.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Its name: `rod`, or `rod[2]` for an element, a component, or both.
    pub name: String,
    /// Its name as stated.
    pub ident: Ident,
    /// Left minus right.
    pub value: Id,
    /// The statement.
    pub place: Place,
}

/// A sensor.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name: `tension`, or `tip[1]` for a component.
    pub name: String,
    /// The value. Accelerations and multipliers are symbols in it.
    pub value: Id,
    /// The statement.
    pub place: Place,
}

/// A condition on parameters.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// As written, `left > right`.
    pub text: String,
    /// left − right, which is positive.
    pub value: Id,
    /// The statement.
    pub place: Place,
}

/// An intermediate quantity.
#[derive(Clone, Debug)]
pub struct Let {
    /// Its name: `tip`, or `p[3]` for an element.
    pub name: String,
    /// Its name as stated.
    pub ident: Ident,
    /// Its indices, if it is an element; empty for a plain name.
    pub indices: Vec<i64>,
    /// Scalar, vector or matrix.
    pub shape: Shape,
    /// Its components, row by row.
    pub values: Vec<Id>,
    /// Doc comment of its statement.
    pub documentation: String,
}
