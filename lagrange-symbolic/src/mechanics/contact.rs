//! Contacts: rows of scalar motions, each with a rate s = W v + ∂x/∂t of a position x(q, t), W = ∂x/∂q, or with a stated rate s = W v + c, W = ∂s/∂v,
//! and ds/dt = W a + curvature. The rows are those of `friction` statements, then the gaps of `contact` statements, then their slips, then those of
//! `friction` statements whose slips are vectors or whose bounds contain multipliers.

use super::Positivity;
use super::constraint::magnitude;
use super::joined::JoinedRow;
use super::switch::switches;
use crate::calculus::{derivative, directional};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, Symbol};
use crate::physics::{Contact, Friction, Latch, Physics};
use std::collections::HashMap;
use std::ops::Range;

/// What acts in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Law {
    /// A friction force with a bound of its own.
    Friction,
    /// The force of the contact of this index, where it is closed.
    Contact(usize),
    /// The friction force of the contact in this row.
    Slip(usize),
    /// The force of a row of a constraint that modes switch on and off.
    Latch {
        /// The index of the row among those of such constraints.
        index: usize,
        /// Whether it has a position.
        is_holonomic: bool,
    },
    /// A friction force with the bound of this index among those in no derived equation.
    Loaded(usize),
    /// A component of the friction force of a contact.
    VectorSlip {
        /// The row of the first component.
        first: usize,
        /// How many components there are.
        size: usize,
        /// The row of the contact.
        contact: usize,
    },
    /// A component of a friction force.
    Vector {
        /// The row of the first component.
        first: usize,
        /// How many components there are.
        size: usize,
        /// The index of the bound of the whole force among those in no derived equation.
        bound: usize,
    },
}

/// The contacts of a mechanism.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// The names of the rows that are not those of frictions with bounds of their own.
    pub names: Vec<String>,
    /// s of each contact.
    pub rate: Vec<Id>,
    /// W, row by row.
    pub direction: Vec<Vec<Id>>,
    /// ds/dt without the accelerations.
    pub curvature: Vec<Id>,
    /// b of a friction, the coefficient of friction of a slip, the adhesion of a gap, and 0 of a bound among `loads`.
    pub bound: Vec<Id>,
    /// Whether a contact has adhesion.
    pub adheres: bool,
    /// F without the forces of friction; empty without contacts.
    pub forcing: Vec<Id>,
    /// The law of each row; empty where each is a friction with a bound of its own.
    pub laws: Vec<Law>,
    /// Of each row of a constraint that modes switch: left minus right, or 0 where it is nonholonomic; the sum of the magnitudes of its terms;
    /// and 1 where it holds, 0 elsewhere.
    pub latches: Vec<[Id; 3]>,
    /// The gaps.
    pub gap: Vec<Id>,
    /// The sum of the magnitudes of the terms of each gap.
    pub scale: Vec<Id>,
    /// The coefficients of restitution that depend on no speed of approach, and 0 for others.
    pub restitution: Vec<Id>,
    /// All coefficients of restitution, where one depends on the speed of approach, and none otherwise.
    pub restitutions: Vec<Id>,
    /// The bounds of frictions that are in no derived equation.
    pub loads: Vec<Id>,
    /// The derivatives of these bounds by the multipliers, row by row.
    pub load_slopes: Vec<Vec<Id>>,
    /// The rows of the frictions with a static bound, by first rows.
    pub breakaway_rows: Vec<usize>,
    /// The static bound of each of these rows, or the static coefficient of friction of the slip of a contact.
    pub breakaways: Vec<Id>,
    /// The derivatives of these bounds by the multipliers, row by row.
    pub breakaway_slopes: Vec<Vec<Id>>,
    /// For each row, the index of its switching function: the slip rate, or the gap.
    pub switches: Vec<usize>,
    /// The contacts that have no phases of their own, by index: the sign of the expression, which is the slip rate up to a
    /// factor, decides a branch of another statement too.
    pub shared: Vec<(usize, Id)>,
    /// The same as `shared` for frictions in no derived equation, by their index among these.
    pub shared_loads: Vec<(usize, Id)>,
}

impl Contacts {
    /// The names of all rows, with those of the frictions first.
    pub fn names<'a>(&self, frictions: impl Iterator<Item = &'a str>) -> Vec<String> {
        frictions.map(str::to_owned).chain(self.names.iter().cloned()).collect()
    }

    /// The static bounds of all rows.
    fn add_breakaways(&mut self, graph: &mut Graph, physics: &Physics) {
        let plain = physics.frictions.iter().map(|friction| (true, friction.slip.breakaway));
        let gaps = physics.contacts.iter().map(|_| (true, None));
        let slips = physics.contacts.iter().filter_map(|contact| Some((true, contact.friction?.breakaway)));
        let loaded = physics.loaded.iter().map(|friction| (friction.part[0] == 0, friction.slip.breakaway));
        for (row, (is_first, breakaway)) in plain.chain(gaps).chain(slips).chain(loaded).enumerate() {
            if let Some(breakaway) = breakaway.filter(|_| is_first) {
                let multipliers = 0..physics.rows().count() as u32;
                let slopes = multipliers.map(|index| derivative(graph, &[breakaway], Symbol::Multiplier(index))[0]);
                self.breakaway_slopes.push(slopes.collect());
                self.breakaway_rows.push(row);
                self.breakaways.push(breakaway);
            }
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rate.is_empty()
    }
}

/// The motion of a row.
struct RowMotion {
    /// s.
    rate: Id,
    /// W.
    direction: Vec<Id>,
    /// ds/dt without the accelerations.
    curvature: Id,
}

/// How the motions of rows are derived.
struct Motions<'p> {
    physics: &'p Physics,
    /// The rates of coordinates and of the time.
    along: Vec<(Symbol, Id)>,
    /// Positions by the velocities of bodies, by the positions themselves; empty where the equations are not in this form.
    twins: HashMap<Id, Id>,
}

impl<'p> Motions<'p> {
    fn new(graph: &mut Graph, physics: &'p Physics, is_by_bodies: bool) -> Self {
        let velocities = physics.velocities(graph);
        let mut along: Vec<(Symbol, Id)> = physics.coordinate_symbols().into_iter().zip(velocities).collect();
        along.push((Symbol::Time, graph.one()));
        let rows = physics.bodies.rows.iter().filter(|_| is_by_bodies);
        Self { physics, along, twins: rows.map(|&[row, twin]| (row, twin)).collect() }
    }

    /// The motion of a row with this position, if it has one, and this rate.
    fn of(&self, graph: &mut Graph, position: Option<Id>, rate: Id) -> RowMotion {
        match position.and_then(|position| self.twins.get(&position)) {
            Some(&twin) => {
                let row = JoinedRow::of(graph, self.physics, twin);
                let direction = row.gradient(graph, self.physics);
                RowMotion { rate: row.rate, direction, curvature: row.curvature }
            }
            None => self.by_coordinates(graph, position, rate),
        }
    }

    /// The same by the coordinates, in the form in which forces are stated.
    fn by_coordinates(&self, graph: &mut Graph, position: Option<Id>, rate: Id) -> RowMotion {
        let (of, symbols) = match position {
            Some(position) => (position, self.physics.coordinate_symbols()),
            None => (rate, self.physics.velocity_symbols()),
        };
        let direction = symbols.into_iter().map(|symbol| derivative(graph, &[of], symbol)[0]).collect();
        RowMotion { rate, direction, curvature: directional(graph, &[rate], &self.along)[0] }
    }
}

/// The contacts. `others` are forces that are not among those of the mechanism. `is_by_bodies` says whether the equations are stated by the velocities
/// of bodies.
pub(super) fn contacts(
    graph: &mut Graph,
    physics: &Physics,
    (forcing, is_by_bodies): (&[Id], bool),
    all: &mut Vec<Id>,
    others: &[Id],
) -> Contacts {
    let mut found = Contacts::default();
    if physics.frictions.is_empty() && physics.contacts.is_empty() && physics.loaded.is_empty() {
        return found;
    }
    let motions = Motions::new(graph, physics, is_by_bodies);
    let mut terms: Vec<Vec<Id>> = forcing.iter().map(|&entry| vec![entry]).collect();
    for (index, friction) in physics.frictions.iter().enumerate() {
        let slip = friction.slip;
        // F contains the force in this form, so that both cancel.
        let RowMotion { rate, direction, curvature } = motions.by_coordinates(graph, slip.position, slip.rate);
        let sign = graph.call(Function::Sign, &[slip.rate]);
        let force = graph.mul(slip.bound, sign);
        for (row, &entry) in terms.iter_mut().zip(&direction) {
            row.push(graph.mul(entry, force));
        }
        found.curvature.push(curvature);
        found.rate.push(rate);
        found.direction.push(direction);
        found.bound.push(slip.bound);
        let switch = decided(graph, sign).and_then(|switch| all.iter().position(|&other| other == switch));
        let others = of_others(graph, physics, index, others);
        match switch.filter(|&switch| !is_among(graph, all[switch], &others)) {
            Some(switch) => found.switches.push(switch),
            None => found.shared.push((index, switch.map_or(slip.rate, |switch| all[switch]))),
        }
    }
    found.forcing = terms.iter().map(|row| graph.add_all(row)).collect();
    found.add_breakaways(graph, physics);
    if physics.contacts.is_empty() && physics.loaded.is_empty() {
        return found;
    }
    let zero = graph.zero();
    let mut rows: Vec<(Law, Option<Id>, Id, Id, Id)> = Vec::new();
    for contact in &physics.contacts {
        if let Some(Latch { is_holonomic, is_on }) = contact.latch {
            let index = found.latches.len();
            let scale = magnitude(graph, contact.gap);
            found.latches.push([contact.gap, scale, is_on]);
            let switch = if is_holonomic { contact.gap } else { contact.rate };
            rows.push((Law::Latch { index, is_holonomic }, contact.position(), contact.rate, zero, switch));
            continue;
        }
        found.gap.push(contact.gap);
        found.scale.push(magnitude(graph, contact.gap));
        found.restitution.push(if depends_on_speed(graph, contact) { zero } else { contact.restitution });
        let index = found.gap.len() - 1;
        let adhesion = contact.adhesion.unwrap_or(zero);
        found.adheres |= contact.adhesion.is_some();
        rows.push((Law::Contact(index), Some(contact.gap), contact.rate, adhesion, contact.gap));
    }
    if physics.contacts.iter().any(|contact| depends_on_speed(graph, contact)) {
        let contacts = physics.contacts.iter().filter(|contact| contact.latch.is_none());
        found.restitutions = contacts.map(|contact| contact.restitution).collect();
    }
    for (index, contact) in physics.contacts.iter().enumerate() {
        if let Some(slip) = contact.friction {
            let law = Law::Slip(physics.frictions.len() + index);
            rows.push((law, slip.position, slip.rate, slip.bound, slip.rate));
        }
    }
    let multipliers = physics.rows().count() as u32;
    for (index, Friction { slip, part: [component, size], contact, .. }) in physics.loaded.iter().enumerate() {
        let sign = graph.call(Function::Sign, &[slip.rate]);
        if let Some(switch) = decided(graph, sign) {
            let others = of_others_than_load(graph, physics, index - component..index - component + size, others);
            if is_among(graph, switch, &others) {
                found.shared_loads.push((index, switch));
            }
        }
        let first = physics.frictions.len() + rows.len() - component;
        let whole = &physics.loaded[index - component..][..*size];
        let rates: Vec<Id> = whole.iter().map(|part| part.slip.rate).collect();
        if let Some(contact) = contact {
            let law = Law::VectorSlip { first, size: *size, contact: physics.frictions.len() + contact };
            rows.push((law, slip.position, slip.rate, slip.bound, graph.call(Function::Norm, &rates)));
            continue;
        }
        if *component == 0 {
            let slopes = (0..multipliers).map(|row| derivative(graph, &[slip.bound], Symbol::Multiplier(row))[0]);
            found.load_slopes.push(slopes.collect());
            found.loads.push(slip.bound);
        }
        let bound = found.loads.len() - 1;
        let (law, switch) = match size {
            1 => (Law::Loaded(bound), slip.rate),
            _ => (Law::Vector { first, size: *size, bound }, graph.call(Function::Norm, &rates)),
        };
        rows.push((law, slip.position, slip.rate, zero, switch));
    }
    found.names = names(physics);
    found.laws = vec![Law::Friction; physics.frictions.len()];
    for (law, position, rate, bound, switch) in rows {
        found.laws.push(law);
        let motion = motions.of(graph, position, rate);
        found.direction.push(motion.direction);
        found.curvature.push(motion.curvature);
        found.rate.push(motion.rate);
        found.bound.push(bound);
        // A switching function of a friction is its own, even where another statement has the same one. The components of a vector
        // share theirs.
        let (Law::Vector { first, .. } | Law::VectorSlip { first, .. }) = law else {
            all.push(switch);
            found.switches.push(all.len() - 1);
            continue;
        };
        if first + 1 == found.laws.len() {
            all.push(switch);
        }
        found.switches.push(all.len() - 1);
    }
    found
}

/// Whether the restitution of a contact is no function of (q, t): it depends on the speed of approach.
pub(super) fn depends_on_speed(graph: &Graph, contact: &Contact) -> bool {
    let is_place = |symbol| matches!(symbol, Symbol::Coordinate(_) | Symbol::Parameter(_) | Symbol::Time);
    graph.contains(contact.restitution, |symbol| !is_place(symbol))
}

/// The names of the rows whose forces no derived equation contains.
pub(super) fn names(physics: &Physics) -> Vec<String> {
    let gaps = physics.contacts.iter().map(|contact| contact.name.clone());
    let slips = physics.contacts.iter().filter(|contact| contact.friction.is_some());
    let slips = slips.map(|contact| format!("{}.slip", contact.name));
    gaps.chain(slips).chain(physics.loaded.iter().map(|loaded| loaded.name.clone())).collect()
}

/// The names of the statements with such rows, where the slip of a contact counts as one.
pub(super) fn statements(physics: &Physics) -> Vec<String> {
    let rows = names(physics);
    let before = rows.len() - physics.loaded.len();
    let is_first = |row: usize| row < before || physics.loaded[row - before].part[0] == 0;
    rows.into_iter().enumerate().filter(|(row, _)| is_first(*row)).map(|(_, name)| name).collect()
}

/// The conditions that each coefficient of restitution is from 0 to 1, that no adhesion is negative, and that no static bound is below the bound of its
/// slip. They are stated where both sides depend on parameters alone.
pub(super) fn ranges(graph: &mut Graph, physics: &Physics) -> Vec<Positivity> {
    let mut ranges = Vec::new();
    let is_parameter = |symbol| matches!(symbol, Symbol::Parameter(_));
    for slip in physics.slips() {
        let Some(breakaway) = slip.breakaway else { continue };
        let above = graph.sub(breakaway, slip.bound);
        if graph.as_number(above).is_none() && !graph.contains(above, |symbol| !is_parameter(symbol)) {
            let condition = Positivity { expression: above, strictly: false };
            if !ranges.iter().any(|other: &Positivity| other.expression == above) {
                ranges.push(condition);
            }
        }
    }
    for adhesion in physics.contacts.iter().filter_map(|contact| contact.adhesion) {
        if graph.as_number(adhesion).is_none() && !graph.contains(adhesion, |symbol| !is_parameter(symbol)) {
            ranges.push(Positivity { expression: adhesion, strictly: false });
        }
    }
    for contact in &physics.contacts {
        let e = contact.restitution;
        if graph.as_number(e).is_some() || graph.contains(e, |symbol| !is_parameter(symbol)) {
            continue;
        }
        let one = graph.one();
        let rest = graph.sub(one, e);
        ranges.extend([e, rest].map(|expression| Positivity { expression, strictly: false }));
    }
    ranges
}

/// The argument of the sign that an expression is, up to its own sign.
fn decided(graph: &Graph, sign: Id) -> Option<Id> {
    match graph.node(sign) {
        Node::Call(Function::Sign, arguments) => Some(arguments[0]),
        Node::Sum { terms, .. } if terms.len() == 1 => decided(graph, terms[0].0),
        _ => None,
    }
}

/// Whether a switching function vanishes where one of others does: it is a multiple of it by numbers and parameters.
fn is_among(graph: &mut Graph, switch: Id, others: &[Id]) -> bool {
    let own = without_factor(graph, switch);
    others.iter().any(|&other| {
        let other = without_factor(graph, other);
        let ratio = graph.div(own, other);
        !graph.contains(ratio, |symbol| !matches!(symbol, Symbol::Parameter(_)))
    })
}

/// An expression divided by the number before its first term.
fn without_factor(graph: &mut Graph, expression: Id) -> Id {
    let first = match graph.node(expression) {
        Node::Sum { terms, .. } => terms.first().map(|(_, coefficient)| coefficient.clone()),
        _ => None,
    };
    match first {
        Some(coefficient) => graph.scale(&(Rational::ONE / coefficient), expression),
        None => expression,
    }
}

/// The switching functions of all statements but one friction in no derived equation, whose components these are.
fn of_others_than_load(graph: &mut Graph, physics: &Physics, parts: Range<usize>, forces: &[Id]) -> Vec<Id> {
    let mut others = physics.clone();
    others.loaded.drain(parts);
    switches(graph, &others, forces)
}

/// The switching functions of all statements but one friction.
fn of_others(graph: &mut Graph, physics: &Physics, index: usize, forces: &[Id]) -> Vec<Id> {
    let mut others = physics.clone();
    let first = physics.forces.len() - physics.frictions.len();
    others.forces.remove(first + index);
    others.frictions[index].slip.breakaway = None;
    switches(graph, &others, forces)
}
