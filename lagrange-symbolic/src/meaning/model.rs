//! A mechanism with its meaning: every quantity of the block as expressions of one graph.

use super::reaction::Rows;
use crate::graph::function::Orders;
use crate::graph::{Defined, Graph, Id, Symbol};
use crate::meaning::{Declared, Known, Shape};
use crate::physics::Physics;
use crate::print::{Given, Naming};
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
    /// The fields that are parameters, in order.
    pub parameters: Vec<Named>,
    /// u: the fields that are inputs, in order.
    pub inputs: Vec<Named>,
    /// What the equations are derived from.
    pub physics: Physics,
    /// Where the items of the physics are stated.
    pub places: Places,
    /// The parameters that the assumptions allow, and the expressions that the block asserts to be continuous.
    pub domain: Domain,
    /// The user's own functions, by the index in `Function::Extern`.
    pub externs: Vec<Extern>,
    /// Intermediate quantities, in the order of the statements.
    pub lets: Vec<Let>,
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

    /// The nominal ranges of parameters, inputs and coordinates by their names, as far as they are stated.
    pub fn ranges(&self) -> impl Iterator<Item = (&str, [f64; 2])> {
        let all = self.parameters.iter().chain(&self.inputs).chain(&self.coordinates);
        all.filter_map(|named| Some((named.name.as_str(), named.range?)))
    }

    /// The number of coordinates without the hidden ones of the states.
    pub fn mechanical(&self) -> usize {
        self.physics.mechanical()
    }

    /// The names with which symbols are printed.
    pub fn naming(&self) -> Naming {
        let names = |list: &[Named]| list.iter().map(|named| named.name.clone()).collect();
        Naming {
            coordinates: names(&self.coordinates),
            states: self.physics.states.len(),
            parameters: names(&self.parameters),
            inputs: names(&self.inputs),
            symbols: self.symbols(),
            multipliers: self.physics.rows().map(|row| format!("multiplier({})", row.name)).collect(),
            functions: self.externs.iter().map(|function| function.name.clone()).collect(),
            tables: self.tables(),
            solutions: self.graph.implicits().iter().map(|equations| self.solutions(&equations.of)).collect(),
            quantities: BTreeMap::new(),
        }
    }

    /// The LaTeX of the fields whose struct states it.
    fn symbols(&self) -> Vec<(Symbol, Given)> {
        let given = |named: &Named| Some(Given::new(named.symbol.clone()?, &named.name));
        let of = |list: &[Named], symbol: fn(u32) -> Symbol| {
            let numbered = (0..).zip(list).filter_map(|(index, named)| Some((symbol(index), given(named)?)));
            numbered.collect::<Vec<_>>()
        };
        [of(&self.parameters, Symbol::Parameter), of(&self.inputs, Symbol::Input)].concat()
    }

    /// The names of what equations define, and of the number that says whether they do.
    fn solutions(&self, defined: &Defined) -> Vec<String> {
        let coordinates = match defined {
            Defined::Rates(coordinates) => coordinates,
            Defined::Inverse(table) => return vec![format!("inverse_{table}"), format!("found_inverse_{table}")],
        };
        let name = |&index: &u32| Some(self.coordinates.get(index as usize)?.name.as_str());
        let names: Vec<&str> = coordinates.iter().filter_map(name).collect();
        let found = format!("found_{}", names.first().copied().unwrap_or_default());
        names.iter().map(|name| format!("rate_{name}")).chain([found]).collect()
    }

    /// Replaces symbols in every expression, all at once.
    pub(crate) fn substitute(&mut self, map: &HashMap<Symbol, Id>) {
        let Self { graph, physics, lets, .. } = self;
        physics.substitute(graph, map);
        let mut replace = |id: &mut Id| *id = graph.substitute(&[*id], map)[0];
        lets.iter_mut().flat_map(|definition| &mut definition.values).for_each(&mut replace);
        self.vocabulary.rows.values().for_each(&mut replace);
        self.domain.replace_continuous(&mut replace);
    }
}

/// Where the items of the physics are stated, for messages. Each list has the order of the list in the [`Physics`].
#[derive(Clone, Debug)]
pub struct Places {
    /// The left sides of the stated forces and couples, which are the first forces.
    pub forces: Vec<Place>,
    /// The names of the dry frictions.
    pub frictions: Vec<Place>,
    /// The bound and the slip rate of each smooth friction.
    pub smooth: Vec<[Place; 2]>,
    /// The names of the frictions whose bounds contain multipliers, or whose slips are vectors.
    pub loaded: Vec<Place>,
    /// The names of the rows of constraints, holonomic first.
    pub rows: Vec<Place>,
    /// The statements of the outputs.
    pub outputs: Vec<Place>,
    /// What each change of a mode assigns to; the place of the value for the mode itself.
    pub changes: Vec<Vec<Place>>,
}

impl From<&Named> for Place {
    fn from(named: &Named) -> Self {
        Self::from(&named.ident)
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
    /// The LaTeX that stands for it, if the struct states it: for an element, that of its array.
    pub symbol: Option<String>,
    /// The ends of its nominal range, if one is stated. An element has the range of its array.
    pub range: Option<[f64; 2]>,
    /// Type of the field; `None` for a coordinate.
    pub number: Option<NumberType>,
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
