//! The equations of motion, from energies, dissipation and forces to what methods evaluate. Each equation has a file of
//! its own.
//!
//! Notation: p = ∂L/∂v, M = ∂p/∂v, f = ∂L/∂q − ∂D/∂v + Q, F = f − (∂p/∂q) v − ∂p/∂t, M a = F + Gᵀλ, G a + γ = 0, h =
//! v·p − L.

mod balance;
mod bodies;
mod cancelled;
mod constraint;
mod contact;
mod convex;
mod degenerate;
mod elimination;
mod energy;
mod facts;
mod forcing;
mod forms;
mod implicit_rates;
mod integrable;
mod jacobian;
mod linked_forcing;
mod mass;
mod momentum;
mod plan;
mod positive_mass;
mod power;
mod quadratic;
mod sign;
mod singular;
mod sparse_mass;
mod state;
mod switch;
mod velocity;
mod without_inertia;

pub use constraint::Constraints;
pub use contact::{Contacts, Law};
pub use degenerate::Degenerate;
pub use facts::Facts;
pub use jacobian::{BalanceJacobian, ResidualJacobian};
pub use positive_mass::Positivity;
pub use power::Power;
pub use singular::{null_vector, plain_rounding};
pub use sparse_mass::{Entries, SparseMass, position};
pub use without_inertia::{ImplicitRate, Resolved, without_inertia};

use crate::graph::{Graph, Id, Symbol};
use crate::meaning::Bodies;
use bodies::{ByBodies, Forces};
use forms::Forms;
use plan::Plan;
use state::WithPlaceholders;

/// The quantities from which the equations are derived.
#[derive(Clone, Debug)]
pub struct Physics {
    /// How many coordinates there are, with the hidden coordinate of each state.
    pub coordinates: u32,
    /// f of the equation ż = f of each state, which is the velocity of a hidden coordinate. These are the last ones.
    pub states: Vec<State>,
    /// How many coordinates have no inertia. They are the last ones before the hidden coordinates.
    pub without_inertia: usize,
    /// How many parameters there are.
    pub parameters: u32,
    /// How many inputs there are.
    pub inputs: u32,
    /// L(q, v, t, u).
    pub lagrangian: Id,
    /// T, where it is stated by itself.
    pub kinetic: Option<Id>,
    /// V, where it is stated by itself.
    pub potential: Option<Id>,
    /// D(q, v, t, u), where stated.
    pub dissipation: Option<Id>,
    /// The stated forces.
    pub forces: Vec<Force>,
    /// The contacts with dry friction. Their forces −b sign(s) are the last of `forces`, in the same order.
    pub frictions: Vec<Friction>,
    /// The bound b and the slip rate v₀ of each friction with the force −b tanh(s/v₀).
    pub smooth: Vec<[Id; 2]>,
    /// The contacts with dry friction whose bounds contain multipliers, and the components of those whose slips are vectors.
    pub loaded: Vec<Loaded>,
    /// The contacts that open and close.
    pub contacts: Vec<Contact>,
    /// Holonomic rows: g(q, t).
    pub constraints: Vec<Id>,
    /// Nonholonomic rows: A(q, t) v + b(q, t).
    pub nonholonomic: Vec<Id>,
    /// The names of all rows, holonomic first.
    pub constraint_names: Vec<String>,
    /// Sensors: functions of q, v, t, u, a and λ.
    pub outputs: Vec<Id>,
    /// Expressions in parameters that are positive.
    pub assumptions: Vec<Id>,
    /// Whether the block asserts that the equations have a unique solution at some state.
    pub regular: bool,
    /// Quantities of which the block takes the total time derivative, each with its derivative.
    pub rates: Vec<(Id, Id)>,
    /// The frames that turn with rotations by angles, with the velocities of points that are known in them.
    pub bodies: Bodies,
    /// Whether M must be derived entry by entry whatever the size.
    pub needs_mass: bool,
}

/// A stated force: Q = (∂left/∂q)ᵀ right.
#[derive(Clone, Debug)]
pub struct Force {
    /// The name of the force in messages and in the power balance.
    pub name: String,
    /// The functions of (q, t) along whose gradients the force acts, one for each component.
    pub left: Vec<Id>,
    /// The components of the force.
    pub right: Vec<Id>,
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

/// A contact with dry friction.
#[derive(Clone, Copy, Debug)]
pub struct Friction {
    /// The slip, a function of (q, t).
    pub slip: Id,
    /// The slip rate s.
    pub rate: Id,
    /// The bound b of the force.
    pub bound: Id,
}

/// A contact with dry friction whose bound contains multipliers, or a component of one whose slip is a vector.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its name.
    pub name: String,
    /// The friction.
    pub friction: Friction,
    /// Which component of the slip this is, and how many there are.
    pub part: [usize; 2],
}

/// A contact that opens and closes.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Its name.
    pub name: String,
    /// The gap, a function of (q, t).
    pub gap: Id,
    /// The rate of the gap.
    pub rate: Id,
    /// The coefficient of restitution, a function of (q, t).
    pub restitution: Id,
    /// The friction of the closed contact. Its bound is the coefficient of friction.
    pub friction: Option<Friction>,
}

/// All derived quantities of a mechanism.
#[derive(Clone, Debug)]
pub struct Equations {
    /// L.
    pub lagrangian: Id,
    /// T, where it is stated by itself.
    pub kinetic: Option<Id>,
    /// V, where it is stated by itself.
    pub potential: Option<Id>,
    /// h = v·p − L.
    pub energy: Id,
    /// p = ∂L/∂v.
    pub momentum: Vec<Id>,
    /// M = ∂p/∂v, row by row; symmetric. It is empty where `sparse_mass` replaces it.
    pub mass: Vec<Vec<Id>>,
    /// f = ∂L/∂q − ∂D/∂v + Q.
    pub balance: Vec<Id>,
    /// F = f − (∂p/∂q) v − ∂p/∂t.
    pub forcing: Vec<Id>,
    /// The constraints.
    pub constraints: Constraints,
    /// The contacts, with dry friction or of surfaces that part.
    pub contacts: Contacts,
    /// Whether M is singular at every state. The equations then have a unique solution only because of the constraints.
    pub singular_mass: bool,
    /// The coordinates whose momentum has different formulas in different branches, and a velocity decides the branch.
    pub kinked: Vec<u32>,
    /// The indices, among all rows, of nonholonomic rows that can be integrated to holonomic constraints.
    pub integrable: Vec<u32>,
    /// The terms of dh/dt, by name.
    pub powers: Vec<Power>,
    /// The derivatives of p and f. `None` where they would be too large to write out.
    pub jacobian: Option<BalanceJacobian>,
    /// r = M a − F − Gᵀλ, then s = G a + γ.
    pub residual: Vec<Id>,
    /// The derivatives of r and s at constant a and λ. `None` where they would be too large to write out.
    pub residual_jacobian: Option<ResidualJacobian>,
    /// The sparse system that is equivalent to M, for mechanisms with intermediate velocities.
    pub sparse_mass: Option<SparseMass>,
    /// What is known about the mechanism.
    pub facts: Facts,
    /// Expressions in parameters that are assumed to be positive.
    pub assumptions: Vec<Id>,
    /// The conditions on parameters that the proofs of the facts used.
    pub positivity: Vec<Positivity>,
    /// The smooth frictions of which no structure proves that the bound is at least 0, or that the slip rate is positive.
    pub unsigned: Vec<[bool; 2]>,
    /// Sensors, as stated.
    pub outputs: Vec<Id>,
    /// The switching functions: each changes its sign where the equations change their branch.
    pub switches: Vec<Id>,
    /// The rates of the coordinates without inertia, and what follows from them. It is empty if all coordinates have inertia.
    pub resolved: Resolved,
}

impl Physics {
    fn coordinate(&self, index: u32) -> Symbol {
        Symbol::Coordinate(index)
    }

    fn coordinate_symbols(&self) -> Vec<Symbol> {
        (0..self.coordinates).map(Symbol::Coordinate).collect()
    }

    fn velocity_symbols(&self) -> Vec<Symbol> {
        (0..self.coordinates).map(Symbol::Velocity).collect()
    }

    /// The number of coordinates without the hidden ones.
    fn mechanical(&self) -> usize {
        self.coordinates as usize - self.states.len()
    }

    /// The states, as the velocities of the hidden coordinates.
    fn state_symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (self.mechanical() as u32..self.coordinates).map(Symbol::Velocity)
    }

    /// The velocities without the states.
    fn mechanical_velocity_symbols(&self) -> Vec<Symbol> {
        (0..self.mechanical() as u32).map(Symbol::Velocity).collect()
    }

    /// Whether the momentum of a coordinate depends on a state.
    fn momentum_depends_on_states(&self, graph: &Graph, momentum: &[Id]) -> bool {
        let states = graph.symbol_set(self.state_symbols());
        momentum.iter().take(self.mechanical()).any(|&row| graph.touches(row, &states))
    }

    fn velocities(&self, graph: &mut Graph) -> Vec<Id> {
        self.velocity_symbols().into_iter().map(|symbol| graph.symbol(symbol)).collect()
    }
}

/// How many operations a set of expressions takes, where shared parts are counted once. The derivation compares the
/// forms of an equation by it. The [program](crate::program), which knows the cost of each operation, supplies it.
pub type Cost = fn(&mut Graph, &[Id]) -> u32;

/// Derives every quantity. Where an equation has several forms, the one of least cost is taken.
///
/// # Errors
/// The reasons why the equations have no unique solution at any state.
pub fn derive(graph: &mut Graph, physics: &Physics, cost: Cost) -> Result<Equations, Vec<Degenerate>> {
    let physics = &cancelled::without_time(graph, physics);
    if physics.without_inertia == 0 {
        return with_inertia(graph, physics, Resolved::default(), cost);
    }
    let (reduced, resolved) = without_inertia::resolved(graph, physics)?;
    with_inertia(graph, &reduced, resolved, cost)
}

/// The form in which a large mechanism is solved: by the velocities of bodies, or by the intermediate velocities of its block.
#[derive(Default)]
struct LargeForm {
    /// The sparse system that replaces M, with the nodes of L that are its intermediate velocities.
    sparse: Option<(SparseMass, Vec<Id>)>,
    bodies: Option<ByBodies>,
    /// F by the velocities of bodies.
    forces: Option<Forces>,
}

impl LargeForm {
    fn of(graph: &mut Graph, physics: &Physics, applied: &[Id]) -> Self {
        let Some(bodies) = ByBodies::of(graph, physics, applied) else {
            return Self { sparse: sparse_mass::sparse_mass(graph, physics), ..Self::default() };
        };
        let forces = bodies.forces(graph, physics);
        let sparse = sparse_mass::by_bodies(graph, physics, &bodies, &forces).map(|sparse| (sparse, Vec::new()));
        Self { sparse, bodies: Some(bodies), forces: Some(forces) }
    }
}

/// The equations of a mechanism whose coordinates have inertia, except those that are states already.
fn with_inertia(
    graph: &mut Graph,
    own: &Physics,
    resolved: Resolved,
    cost: Cost,
) -> Result<Equations, Vec<Degenerate>> {
    let placeholders = WithPlaceholders::of(graph, own);
    let physics = &placeholders.physics;
    let plan = Plan::of(graph, physics);
    let momentum = momentum::momentum(graph, physics);
    let changing = placeholders.change_by_states(graph, &momentum);
    let applied = balance::applied(graph, physics, &resolved.forces);
    let LargeForm { mut sparse, bodies, forces } = match plan {
        Plan::Large => LargeForm::of(graph, physics, &applied),
        Plan::Small | Plan::Sparse => LargeForm::default(),
    };
    let is_replaced = sparse.as_ref().is_some_and(|(sparse, _)| sparse.replaces_mass()) && !physics.needs_mass;
    let mass = if is_replaced { Vec::new() } else { mass::mass_matrix(graph, &momentum) };
    let constraints = constraint::constraints(graph, physics);
    let mut inertia = if plan == Plan::Large { mass::inertia(graph, physics, &momentum) } else { Vec::new() };
    let degeneracies = if mass.is_empty() {
        degenerate::without_inertia(graph, &inertia)
    } else {
        degenerate::degeneracies(graph, physics, &mass, &constraints)
    };
    if !degeneracies.is_empty() {
        return Err(degeneracies);
    }
    let quadratic = match plan {
        Plan::Small | Plan::Sparse => quadratic::QuadraticForm::of(graph, physics, &momentum, &mass),
        Plan::Large => None,
    };
    let rows = forces.map(|forces| forces.rows);
    let mut forms = Forms::direct(graph, physics, momentum, rows, &applied);
    if let Some(form) = quadratic {
        forms = forms.or_quadratic(graph, physics, &form, &mass, &applied, cost);
    }
    if let Some((_, velocities)) = &sparse {
        forms = forms.or_linked(graph, physics, velocities, &applied, cost);
    }
    let Forms { kinetic, energy, momentum, balance, mut forcing } = forms.restored(graph, &placeholders, &changing);
    let mass: Vec<Vec<Id>> = mass.into_iter().map(|row| placeholders.restored_inertia(graph, row)).collect();
    inertia = placeholders.restored_inertia(graph, inertia);
    if plan != Plan::Large {
        cancelled::without_velocities(graph, &mut forcing);
    }
    let singular_mass = !mass.is_empty() && !constraints.is_empty() && degenerate::is_singular(graph, &mass);
    let moving = velocity::velocities(graph, physics);
    let kinked =
        (0..).zip(&momentum).filter(|(_, row)| velocity::has_kinks(graph, **row, &moving)).map(|(i, _)| i).collect();
    let integrable = integrable::integrable(graph, physics, &constraints);
    let powers =
        if resolved.powers.is_empty() { power::powers(graph, own, &constraints) } else { resolved.powers.clone() };
    if plan != Plan::Large {
        inertia = mass::inertia_of_rows(graph, &mass);
    }
    let residual = match &bodies {
        Some(bodies) => {
            let rows = bodies.residual(graph, physics);
            let rows = placeholders.restored_inertia(graph, rows);
            rows.into_iter().zip(&changing).map(|(row, &change)| graph.add(row, change)).collect()
        }
        None => jacobian::residual(graph, physics, &inertia, &forcing, &constraints),
    };
    let is_written_out = plan != Plan::Large;
    let jacobian = is_written_out.then(|| jacobian::balance_jacobian(graph, physics, &momentum, &balance));
    let is_short = is_written_out || bodies.is_some() && plan::is_short_jacobian(physics, cost(graph, &residual));
    let residual_jacobian = is_short.then(|| jacobian::residual_jacobian(graph, physics, &residual, is_written_out));
    if plan == Plan::Sparse {
        sparse = sparse_mass::sparse_mass(graph, physics);
    }
    let sparse = sparse.map(|(mut sparse, velocities)| {
        sparse.drift = linked_forcing::drift(graph, physics, (&sparse, &velocities), &applied);
        sparse.subtract_forces(graph, &changing);
        sparse.mapped(|entries| placeholders.restored_inertia(graph, entries))
    });
    let others: Vec<Id> = resolved.forces.iter().chain(&resolved.rows).copied().collect();
    let mut switches = switch::switches(graph, own, &others);
    let contacts = contact::contacts(graph, own, &forcing, &mut switches, &resolved.forces);
    let parts = facts::Parts {
        mass: &mass,
        inertia: &inertia,
        momentum: &momentum,
        forcing: &forcing,
        constraints: &constraints,
        resolved: &resolved,
    };
    let (facts, mut positivity) = facts::facts(graph, physics, &parts);
    positivity.extend(&resolved.conditions);
    positivity.extend(contact::ranges(graph, own));
    let (unsigned, conditions) = positive_mass::smooth_frictions(graph, own);
    positivity.extend(conditions);
    Ok(Equations {
        lagrangian: resolved.lagrangian.unwrap_or(own.lagrangian),
        kinetic: resolved.kinetic.or(kinetic),
        potential: resolved.potential.or(own.potential),
        energy,
        momentum,
        mass,
        balance,
        forcing,
        constraints,
        contacts,
        singular_mass,
        kinked,
        integrable,
        powers,
        jacobian,
        residual,
        residual_jacobian,
        sparse_mass: sparse,
        facts,
        assumptions: physics.assumptions.clone(),
        positivity,
        unsigned,
        outputs: physics.outputs.clone(),
        switches,
        resolved,
    })
}
