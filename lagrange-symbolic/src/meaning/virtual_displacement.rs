//! Virtual displacements s, which are 0 at all times. With the momentum p = ∂L/∂ṡ, the generalized force that keeps s at 0 is
//!
//! ```text
//! R = dp/dt − ∂L/∂s + ∂D/∂ṡ − Q − (∂g/∂s)ᵀλ        at s = 0
//! ```
//!
//! It is the multiplier of a constraint s == 0 without that constraint: the reaction of a joint, or the force in a section. Nothing else of the
//! mechanism contains a virtual displacement.

use super::scope::Scope;
use super::value::Value;
use crate::calculus::{derivative, directional, gradient};
use crate::graph::{FIRST_VIRTUAL, Graph, Id, Node, Rational, Symbol};
use crate::meaning::{Model, Named};
use crate::physics::Physics;
use crate::report::{Mistake, Place};
use crate::syntax::{Expr, plain};
use std::collections::{BTreeSet, HashMap};

/// The virtual displacements of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Virtuals {
    /// The names of the scalars and arrays.
    names: BTreeSet<String>,
    /// What stands for the reaction of each in outputs, until all of the mechanism is known.
    reactions: Vec<Symbol>,
    /// The momentum ∂L/∂ṡ of each.
    momenta: Vec<Id>,
}

impl Virtuals {
    /// The indices of their symbols.
    pub(super) fn indices(&self) -> std::ops::Range<u32> {
        FIRST_VIRTUAL..FIRST_VIRTUAL + self.reactions.len() as u32
    }

    /// Whether this symbol stands for a reaction.
    pub(super) fn is_reaction(&self, symbol: Symbol) -> bool {
        self.reactions.contains(&symbol)
    }

    /// 0 for each of their symbols.
    fn at_rest(&self, graph: &mut Graph) -> HashMap<Symbol, Id> {
        let zero = graph.zero();
        let symbols = [Symbol::Coordinate, Symbol::Velocity, Symbol::Acceleration];
        self.indices().flat_map(|i| symbols.map(|symbol| (symbol(i), zero))).collect()
    }
}

impl Scope<'_> {
    /// Gives the virtual displacements their symbols.
    pub(super) fn bind_virtuals(&mut self, named: &[Named]) {
        self.bind_symbols(named, |index| Symbol::Coordinate(FIRST_VIRTUAL + index));
        self.virtuals = Virtuals {
            names: named.iter().map(|named| plain(&named.ident)).collect(),
            reactions: self.graph.scratch_symbols(named.len()),
            momenta: Vec::new(),
        };
    }

    /// Gives the virtual displacements the momenta that follow from L.
    pub(super) fn set_momenta(&mut self, lagrangian: Id) {
        let speeds: Vec<Symbol> = self.virtuals.indices().map(Symbol::Velocity).collect();
        let momenta = gradient(&mut self.graph, lagrangian, &speeds);
        let at_rest = self.virtuals.at_rest(&mut self.graph);
        self.virtuals.momenta = self.graph.substitute(&momenta, &at_rest);
    }

    /// Whether this is the name of virtual displacements, and of no constraint.
    pub(super) fn is_virtual(&self, name: &str) -> bool {
        self.virtuals.names.contains(name) && !self.rows.as_ref().is_some_and(|rows| rows.contains(name))
    }

    /// `reaction(s)` is the generalized force that keeps the virtual displacement s at 0, and `momentum(s)` its momentum ∂L/∂ṡ; each for every
    /// component of s.
    pub(super) fn virtual_quantity(&mut self, function: &str, arguments: &[Expr], place: Place) -> Option<Value> {
        let [argument] = arguments else {
            let help = format!("write `{function}(s)` with the name of a virtual displacement");
            let (expected, found) = ("1 argument".to_owned(), arguments.len());
            let mistake = Mistake::ArgumentCount { function: function.to_owned(), expected, found, help };
            self.report.add(mistake, place);
            return None;
        };
        if self.rows.as_ref().is_none_or(|rows| rows.acting.is_none()) {
            self.report.add(Mistake::VirtualOutsideOutput { function: function.to_owned() }, place);
            return None;
        }
        let mut value = self.value(argument)?;
        for entry in &mut value.entries {
            let index = match self.graph.node(*entry) {
                Node::Symbol(Symbol::Coordinate(index)) => index.checked_sub(FIRST_VIRTUAL),
                _ => None,
            };
            let reaction =
                index.and_then(|index| Some((index as usize, *self.virtuals.reactions.get(index as usize)?)));
            let Some((index, reaction)) = reaction else {
                let (function, found) = (function.to_owned(), argument.to_string());
                self.report.add(Mistake::NoVirtual { function, found }, argument.place);
                return None;
            };
            *entry = if function == "reaction" { self.graph.symbol(reaction) } else { self.virtuals.momenta[index] };
        }
        Some(value)
    }
}

/// Puts the reactions into the outputs, and 0 for every virtual displacement.
pub(super) fn settle(model: &mut Model, virtuals: &Virtuals) {
    if virtuals.reactions.is_empty() {
        return;
    }
    let Model { graph, physics, .. } = model;
    let mut map = virtuals.at_rest(graph);
    let reactions = reactions(graph, physics, virtuals, &map);
    map.extend(virtuals.reactions.iter().copied().zip(reactions));
    model.substitute(&map);
    for body in &mut model.physics.bodies.bodies {
        let motions = body.points.iter_mut().map(|point| &mut point.moving).chain([&mut body.turning]);
        motions.for_each(|motion| motion.slopes.retain(|index, _| *index < FIRST_VIRTUAL));
    }
}

/// The reaction of each virtual displacement. `at_rest` has 0 for their symbols.
fn reactions(graph: &mut Graph, physics: &Physics, virtuals: &Virtuals, at_rest: &HashMap<Symbol, Id>) -> Vec<Id> {
    let places: Vec<Symbol> = virtuals.indices().map(Symbol::Coordinate).collect();
    let speeds: Vec<Symbol> = virtuals.indices().map(Symbol::Velocity).collect();
    let flow = physics.flow(graph);
    let rates = directional(graph, &virtuals.momenta, &flow);
    let slopes = gradient(graph, physics.lagrangian, &places);
    let damping = physics.dissipation.map(|dissipation| gradient(graph, dissipation, &speeds));
    let mut still = Vec::new();
    for (k, (&place, &speed)) in places.iter().zip(&speeds).enumerate() {
        let mut terms = vec![(slopes[k], Rational::NEG_ONE)];
        terms.extend(damping.as_ref().map(|damping| (damping[k], Rational::ONE)));
        for (along, force) in acting(graph, physics, place, speed) {
            terms.push((graph.mul(along, force), Rational::NEG_ONE));
        }
        still.push(graph.sum(terms, Rational::ZERO));
    }
    let still = graph.substitute(&still, at_rest);
    rates.into_iter().zip(still).map(|(rate, still)| graph.add(rate, still)).collect()
}

/// Everything that acts along a virtual displacement: a derivative by it, or by its velocity, and the force to which this derivative belongs.
fn acting(graph: &mut Graph, physics: &Physics, place: Symbol, speed: Symbol) -> Vec<(Id, Id)> {
    let mut parts = Vec::new();
    // The forces of frictions and contacts are those of their phases.
    let stated = physics.forces.len() - physics.frictions.len();
    for force in &physics.forces[..stated] {
        let along = derivative(graph, &force.left, place);
        parts.extend(along.into_iter().zip(force.right.iter().copied()));
    }
    let contacts = &physics.contacts;
    let slips = contacts.iter().filter_map(|contact| contact.friction.as_ref()).map(|slip| slip.rate);
    let rates = physics.frictions.iter().map(|friction| friction.slip.rate);
    let rates = rates.chain(contacts.iter().map(|contact| contact.rate)).chain(slips);
    let rates: Vec<Id> = rates.chain(physics.loaded.iter().map(|friction| friction.slip.rate)).collect();
    for (row, derivative_of_rate) in (0..).zip(derivative(graph, &rates, speed)) {
        parts.push((derivative_of_rate, graph.symbol(Symbol::Force(row))));
    }
    let holonomic: Vec<Id> = physics.constraints.iter().map(|row| row.value).collect();
    let nonholonomic: Vec<Id> = physics.nonholonomic.iter().map(|row| row.value).collect();
    let mut columns = derivative(graph, &holonomic, place);
    columns.extend(derivative(graph, &nonholonomic, speed));
    for (row, entry) in (0..).zip(columns) {
        parts.push((entry, graph.symbol(Symbol::Multiplier(row))));
    }
    parts
}
