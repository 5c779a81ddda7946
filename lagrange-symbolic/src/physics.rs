//! The quantities from which equations are derived: what a block states, as expressions of one graph.

mod bodies;

pub(crate) use bodies::is_quantity;
pub use bodies::{Bodies, Body, Motion, Point, Slopes};

use crate::graph::{Graph, Id, Symbol};
use std::collections::HashMap;

/// The quantities from which the equations are derived.
#[derive(Clone, Debug)]
pub struct Physics {
    /// How many coordinates there are, with the hidden coordinate of each state.
    pub coordinates: u32,
    /// f of the equation ż = f of each state, which is the velocity of a hidden coordinate. These are the last ones. Once the
    /// equations of motion are derived, the coordinates without inertia are the first of them.
    pub states: Vec<State>,
    /// How many of the last states are modes: their rates are 0, and `changes` give them other values.
    pub modes: usize,
    /// The changes of the modes, in the order of the statements.
    pub changes: Vec<Change>,
    /// How many parameters there are.
    pub parameters: u32,
    /// How many inputs there are.
    pub inputs: u32,
    /// L(q, v, t, u), or T − V where T and V are stated.
    pub lagrangian: Id,
    /// T, if T and V are stated instead of L.
    pub kinetic: Option<Id>,
    /// V, if T and V are stated instead of L; zero if `potential` is left out.
    pub potential: Option<Id>,
    /// D(q, v, t, u), with the force −∂D/∂v, where stated.
    pub dissipation: Option<Id>,
    /// The forces. Their generalized forces add up.
    pub forces: Vec<Force>,
    /// The contacts with dry friction. Their forces −b sign(s) are the last of `forces`, in the same order.
    pub frictions: Vec<Friction>,
    /// The frictions whose forces change their direction smoothly. These forces are among `forces`, before those of `frictions`.
    pub smooth: Vec<SmoothFriction>,
    /// The contacts with dry friction whose bounds contain multipliers, and the components of those whose slips are vectors, each
    /// of which is one entry. Their forces are not among `forces`.
    pub loaded: Vec<Friction>,
    /// The contacts that open and close.
    pub contacts: Vec<Contact>,
    /// Holonomic rows g(q, t) = 0, one for each component, in the order of the statements. Their multipliers are λ₀,
    /// λ₁, …, before those of the nonholonomic rows.
    pub constraints: Vec<Row>,
    /// Nonholonomic rows A(q, t) v + b(q, t) = 0; the expression is the whole row, linear in v.
    pub nonholonomic: Vec<Row>,
    /// Sensors: any function of q, v, t, u, of accelerations and of multipliers, which are symbols in it.
    pub outputs: Vec<Output>,
    /// Conditions on parameters: each expression is positive.
    pub assumptions: Vec<Assumption>,
    /// Whether the block asserts that the equations have a unique solution at some state.
    pub regular: bool,
    /// Each quantity whose total time derivative the block takes, with this derivative.
    pub rates: Vec<(Id, Id)>,
    /// The frames that turn with rotations by angles and by quaternions, with the velocities of points that are known in them.
    pub bodies: Bodies,
    /// Whether M must be derived entry by entry whatever the size. Claims may name any entry of M.
    pub needs_mass: bool,
}

/// A state z with ż = f.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name in the power balance. It is empty for a coordinate without inertia, which has no term of its own.
    pub name: String,
    /// f, a function of (t, q, v, u) and the states.
    pub rate: Id,
    /// The condition under which f is defined, where it can fail.
    pub guard: Option<Id>,
    /// The inertia of the hidden coordinate, where it is not 1.
    pub inertia: Option<Id>,
}

/// A change of a mode.
#[derive(Clone, Debug)]
pub struct Change {
    /// The name of the mode.
    pub mode: String,
    /// A function that is positive where the condition of the change holds, and negative where it does not.
    pub condition: Id,
    /// What is assigned, first the mode itself, with the values. A target is the symbol of a coordinate or of a velocity.
    pub assigned: Vec<(Id, Id)>,
}

/// A generalized force Q = (∂left/∂q)ᵀ right.
#[derive(Clone, Debug)]
pub struct Force {
    /// Its name in messages and in the power balance: the left side as text, or the name of a friction.
    pub name: String,
    /// The functions of (q, t) along whose gradients the force acts, one for each component.
    pub left: Vec<Id>,
    /// The components of the force.
    pub right: Vec<Id>,
}

/// A slip: the position or the slip rate of two surfaces along each other, and the bound of the force between them.
#[derive(Clone, Copy, Debug)]
pub struct Slip {
    /// The position along which something slips, a function of (q, t); `None` where the slip rate is stated, which need not be the derivative of
    /// any position.
    pub position: Option<Id>,
    /// The slip rate s, linear in the velocities.
    pub rate: Id,
    /// The bound b of the force, or the coefficient of friction where the slip is that of a contact.
    pub bound: Id,
    /// The bound of the force at rest, or the coefficient of friction there, where one is stated.
    pub breakaway: Option<Id>,
}

/// A contact with dry friction.
#[derive(Clone, Debug)]
pub struct Friction {
    /// Its name: `pad`, or `pad[2]` for an element.
    pub name: String,
    /// Where it slips.
    pub slip: Slip,
    /// Which component of its slip this is, and how many there are. The bound is that of the whole force.
    pub part: [usize; 2],
    /// The index of the contact of which this is the slip. The bound is the coefficient of friction then.
    pub contact: Option<usize>,
}

/// A friction with the force −b tanh(s/v₀), or −b s/√(|s|² + v₀²) where the slip is a vector.
#[derive(Clone, Debug)]
pub struct SmoothFriction {
    /// Its name: `pad`, or `pad[2]` for an element.
    pub name: String,
    /// The force on each component of the slip.
    pub force: Vec<Id>,
    /// The bound b of the force.
    pub bound: Id,
    /// The slip rate v₀ over which the force changes its direction.
    pub width: Id,
}

/// A contact that opens and closes, or a row of a constraint that modes switch on and off.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Its name: `floor`, or `floor[2]` for an element.
    pub name: String,
    /// The gap, left minus right, a function of (q, t). That of a row of a constraint may also contain modes, and is 0 where the row is
    /// nonholonomic.
    pub gap: Id,
    /// The rate of the gap.
    pub rate: Id,
    /// The coefficient of restitution, a function of (q, t), and of the rate of the gap where it depends on the speed of approach.
    pub restitution: Id,
    /// The slip of the closed contact, where it has friction.
    pub friction: Option<Slip>,
    /// The tensile force that the closed contact bears, where it has adhesion.
    pub adhesion: Option<Id>,
    /// Whether modes switch the row: its equation and when it holds. `None` for a contact.
    pub latch: Option<Latch>,
}

/// What makes a row that of a constraint which modes switch on and off.
#[derive(Clone, Copy, Debug)]
pub struct Latch {
    /// Whether the row is holonomic. Otherwise `rate` is left minus right, linear in the velocities.
    pub is_holonomic: bool,
    /// 1 where the modes are such that the constraint holds, and 0 elsewhere.
    pub is_on: Id,
}

impl Contact {
    /// The position along which the force of the row acts, if it has one.
    pub(crate) fn position(&self) -> Option<Id> {
        self.latch.is_none_or(|latch| latch.is_holonomic).then_some(self.gap)
    }
}

/// A row of a constraint.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name: `rod`, or `rod[2]` for an element, a component, or both.
    pub name: String,
    /// Left minus right.
    pub value: Id,
}

/// A component of a sensor.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name: `tension`, or `tip[1]` for a component.
    pub name: String,
    /// The value.
    pub value: Id,
}

/// A condition on parameters.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// As written, `left > right`.
    pub text: String,
    /// left − right, which is positive.
    pub value: Id,
}

impl Change {
    /// All expressions.
    pub(crate) fn expressions(&mut self) -> impl Iterator<Item = &mut Id> {
        std::iter::once(&mut self.condition).chain(self.assigned.iter_mut().flat_map(|(target, value)| [target, value]))
    }
}

impl Slip {
    /// All expressions.
    pub(crate) fn expressions(&mut self) -> impl Iterator<Item = &mut Id> {
        [&mut self.rate, &mut self.bound].into_iter().chain(&mut self.position).chain(&mut self.breakaway)
    }

    /// The position, or the slip rate where that is stated.
    pub(crate) fn stated(&self) -> Id {
        self.position.unwrap_or(self.rate)
    }
}

impl Physics {
    /// All rows of the constraints, in the order of λ: holonomic, then nonholonomic.
    pub fn rows(&self) -> impl Iterator<Item = &Row> + Clone {
        self.constraints.iter().chain(&self.nonholonomic)
    }

    /// The slips of all dry frictions and contacts.
    pub(crate) fn slips(&self) -> impl Iterator<Item = &Slip> {
        let frictions = self.frictions.iter().chain(&self.loaded).map(|friction| &friction.slip);
        frictions.chain(self.contacts.iter().filter_map(|contact| contact.friction.as_ref()))
    }

    /// The expressions that are assumed to be positive.
    pub fn assumed(&self) -> Vec<Id> {
        self.assumptions.iter().map(|assumption| assumption.value).collect()
    }

    /// Every expression beside T, V and L: what acts, restricts, changes or is measured.
    pub(crate) fn beside_energies(&self) -> Vec<Id> {
        let slip = |slip: &Slip| [slip.position, Some(slip.rate), Some(slip.bound), slip.breakaway];
        let forces = self.forces.iter().flat_map(|force| force.left.iter().chain(&force.right)).copied();
        let adhesions = self.contacts.iter().filter_map(|contact| contact.adhesion);
        let latches = self.contacts.iter().filter_map(|contact| Some(contact.latch?.is_on)).chain(adhesions);
        let contacts = self.contacts.iter().flat_map(|contact| [contact.gap, contact.rate, contact.restitution]);
        let contacts = contacts.chain(latches);
        let changes = self.changes.iter();
        let changes = changes.flat_map(|change| change.assigned.iter().flat_map(|(to, value)| [*to, *value]));
        let stated = self.dissipation.into_iter().chain(forces).chain(self.slips().flat_map(slip).flatten());
        let rows = self.rows().map(|row| row.value).chain(self.outputs.iter().map(|output| output.value));
        let states = self.states.iter().map(|state| state.rate);
        let conditions = self.changes.iter().map(|change| change.condition);
        stated.chain(contacts).chain(rows).chain(states).chain(changes).chain(conditions).collect()
    }

    /// The number of coordinates without the hidden ones.
    pub(crate) fn mechanical(&self) -> usize {
        self.coordinates as usize - self.states.len()
    }

    /// Replaces symbols in every expression, all at once.
    pub(crate) fn substitute(&mut self, graph: &mut Graph, map: &HashMap<Symbol, Id>) {
        self.expressions().for_each(|id| *id = graph.substitute(&[*id], map)[0]);
    }

    /// Every expression.
    fn expressions(&mut self) -> impl Iterator<Item = &mut Id> {
        let optional = [&mut self.kinetic, &mut self.potential, &mut self.dissipation];
        let energies = std::iter::once(&mut self.lagrangian).chain(optional.into_iter().flatten());
        let forces = self.forces.iter_mut().flat_map(|force| force.left.iter_mut().chain(&mut force.right));
        let frictions = self.frictions.iter_mut().chain(&mut self.loaded);
        let frictions = frictions.flat_map(|friction| friction.slip.expressions());
        let smooth = self.smooth.iter_mut();
        let smooth = smooth.flat_map(|it| it.force.iter_mut().chain([&mut it.bound, &mut it.width]));
        let contacts = self.contacts.iter_mut().flat_map(|contact| {
            let friction = contact.friction.iter_mut().flat_map(Slip::expressions);
            let latch = contact.latch.iter_mut().map(|latch| &mut latch.is_on);
            let own = [&mut contact.gap, &mut contact.rate, &mut contact.restitution];
            own.into_iter().chain(friction).chain(&mut contact.adhesion).chain(latch)
        });
        let rows = self.constraints.iter_mut().chain(&mut self.nonholonomic).map(|row| &mut row.value);
        let outputs = self.outputs.iter_mut().map(|output| &mut output.value);
        let states = self.states.iter_mut().flat_map(|state| {
            [Some(&mut state.rate), state.guard.as_mut(), state.inertia.as_mut()].into_iter().flatten()
        });
        let rates = self.rates.iter_mut().flat_map(|(quantity, rate)| [quantity, rate]);
        let rates = rates.chain(self.changes.iter_mut().flat_map(Change::expressions));
        let stated = energies.chain(forces).chain(frictions).chain(smooth).chain(contacts).chain(rows).chain(outputs);
        stated.chain(states).chain(rates).chain(self.bodies.expressions())
    }

    pub(crate) fn coordinate_symbols(&self) -> Vec<Symbol> {
        (0..self.coordinates).map(Symbol::Coordinate).collect()
    }

    pub(crate) fn velocity_symbols(&self) -> Vec<Symbol> {
        (0..self.coordinates).map(Symbol::Velocity).collect()
    }

    /// The states, as the velocities of the hidden coordinates.
    pub(crate) fn state_symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (self.mechanical() as u32..self.coordinates).map(Symbol::Velocity)
    }

    /// The velocities without the states.
    pub(crate) fn mechanical_velocity_symbols(&self) -> Vec<Symbol> {
        (0..self.mechanical() as u32).map(Symbol::Velocity).collect()
    }

    /// Whether the momentum of a coordinate depends on a state.
    pub(crate) fn momentum_depends_on_states(&self, graph: &Graph, momentum: &[Id]) -> bool {
        let states = graph.symbol_set(self.state_symbols());
        momentum.iter().take(self.mechanical()).any(|&row| graph.touches(row, &states))
    }

    /// The direction of time: q → v, v → a, t → 1.
    pub(crate) fn flow(&self, graph: &mut Graph) -> Vec<(Symbol, Id)> {
        let one = graph.one();
        let mut flow = vec![(Symbol::Time, one)];
        for i in 0..self.coordinates {
            flow.push((Symbol::Coordinate(i), graph.symbol(Symbol::Velocity(i))));
            flow.push((Symbol::Velocity(i), graph.symbol(Symbol::Acceleration(i))));
        }
        flow
    }

    pub(crate) fn velocities(&self, graph: &mut Graph) -> Vec<Id> {
        self.velocity_symbols().into_iter().map(|symbol| graph.symbol(symbol)).collect()
    }
}
