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
mod giving;
mod implicit_rates;
mod integrable;
mod jacobian;
mod joined;
mod linked_forcing;
mod mass;
mod momentum;
mod output_jacobian;
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

pub(crate) use balance::generalized;
pub use constraint::Constraints;
pub use contact::{Contacts, Law};
pub use degenerate::Degenerate;
pub use facts::Facts;
pub use giving::gives_energy_along;
pub use integrable::{Combination, Integrable};
pub use jacobian::{BalanceJacobian, ResidualJacobian};
pub use output_jacobian::OutputJacobian;
pub use positive_mass::Positivity;
pub use power::Power;
pub use singular::{null_vector, plain_rounding};
pub use sparse_mass::{Entries, SparseMass, position};
pub use without_inertia::{ImplicitRate, Resolved};

use crate::graph::{Graph, Id};
use crate::physics::Physics;
use bodies::{ByBodies, Forces};
use degenerate::Lack;
use forms::Forms;
use joined::Joined;
use plan::Plan;
use state::WithPlaceholders;

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
    pub integrable: Vec<Integrable>,
    /// The terms of dh/dt, by name.
    pub powers: Vec<Power>,
    /// The derivatives of p and f. `None` where they would be too large to write out.
    pub jacobian: Option<BalanceJacobian>,
    /// r = M a − F − Gᵀλ, then s = G a + γ.
    pub residual: Vec<Id>,
    /// M a − F of a mechanism with constraints whose M is not written out. It is empty for all others.
    pub driven: Vec<Id>,
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
    /// The derivatives of the sensors, once [`differentiate_outputs`] has derived them.
    pub output_jacobian: OutputJacobian,
    /// The conditions of the changes of modes, each positive where it holds, and behind them the values that each change assigns.
    pub changes: Vec<Id>,
    /// The switching functions: each changes its sign where the equations change their branch.
    pub switches: Vec<Id>,
    /// The rates of the coordinates without inertia, and what follows from them. It is empty if all coordinates have inertia.
    pub resolved: Resolved,
}

/// How many operations a set of expressions takes, where shared parts are counted once. The derivation compares the
/// forms of an equation by it. The [program](crate::program), which knows the cost of each operation, supplies it.
pub type Cost = fn(&mut Graph, &[Id]) -> u32;

/// Derives every quantity. Where an equation has several forms, the one of least cost is taken.
///
/// # Errors
/// The reasons why the equations have no unique solution at any state.
pub fn derive(graph: &mut Graph, physics: &Physics, cost: Cost) -> Result<Equations, Vec<Degenerate>> {
    let light = without_inertia::count(graph, physics).map_err(|reason| vec![reason])?;
    let physics = &cancelled::without_cancelled(graph, physics);
    if light == 0 {
        return with_inertia(graph, physics, Resolved::default(), cost);
    }
    let (reduced, resolved) = without_inertia::resolved(graph, physics, light)?;
    with_inertia(graph, &reduced, resolved, cost)
}

/// Derives the derivatives of the sensors. The momenta of symmetries, which are the last of them, follow from the other equations.
pub fn differentiate_outputs(graph: &mut Graph, physics: &Physics, equations: &mut Equations, cost: Cost) {
    equations.output_jacobian = OutputJacobian::of(graph, physics, &equations.outputs, cost);
}

/// The conditions of the changes of modes, and behind them what each change assigns.
fn changes(physics: &Physics) -> Vec<Id> {
    let conditions = physics.changes.iter().map(|change| change.condition);
    let values = physics.changes.iter().flat_map(|change| change.assigned.iter().map(|(_, value)| *value));
    conditions.chain(values).collect()
}

/// The form in which a large mechanism is solved: by the velocities of bodies, or by the intermediate velocities of its block.
#[derive(Default)]
struct LargeForm {
    /// The sparse system that replaces M, with the nodes of L that are its intermediate velocities.
    sparse: Option<(SparseMass, Vec<Id>)>,
    bodies: Option<ByBodies>,
    /// F by the velocities of bodies.
    forces: Option<Forces>,
    /// The constraints, and their rows by the velocities of bodies, where there are some.
    constraints: Option<Constraints>,
    joined: Joined,
    /// Whether M is singular at every state, and rows of constraints determine what it leaves open.
    is_singular: bool,
}

impl LargeForm {
    /// The form of a large mechanism. `None` where it has constraints, and M must be written out: no body moves with a frame, or M is not known
    /// to be regular.
    fn of(
        graph: &mut Graph,
        physics: &Physics,
        momentum: &[Id],
        applied: &[Id],
    ) -> Result<Option<Self>, Vec<Degenerate>> {
        let is_free = physics.rows().next().is_none();
        let Some(bodies) = ByBodies::of(graph, physics, applied) else {
            let sparse = is_free.then(|| sparse_mass::sparse_mass(graph, physics));
            return Ok(sparse.map(|sparse| Self { sparse, ..Self::default() }));
        };
        let forces = bodies.forces(graph, physics);
        let (mut constraints, mut joined, mut held) = (None, Joined::default(), Vec::new());
        if !is_free {
            let rows = constraint::constraints(graph, physics);
            let inertia = mass::inertia(graph, physics, momentum);
            joined = Joined::of(graph, physics, &rows);
            match degenerate::lack(graph, physics, (&inertia, &rows), &joined.of_coordinates())? {
                Lack::Nothing => {}
                Lack::Held(rows) => held = rows,
                Lack::Unknown => return Ok(None),
            }
            constraints = Some(joined.replaced(graph, physics, rows));
        }
        let is_singular = !held.is_empty();
        let sparse = sparse_mass::by_bodies(graph, physics, &bodies, &forces, (&joined, held));
        let is_whole = is_free || sparse.as_ref().is_some_and(SparseMass::replaces_mass);
        let sparse = sparse.map(|sparse| (sparse, Vec::new()));
        let (bodies, forces) = (Some(bodies), Some(forces));
        Ok(is_whole.then_some(Self { sparse, bodies, forces, constraints, joined, is_singular }))
    }
}

/// The residuals by the velocities of bodies, and with constraints M a − F too. `changing` is what the rates of states add to each row.
fn residuals_by_bodies(
    graph: &mut Graph,
    (bodies, joined): (&ByBodies, &Joined),
    placeholders: &WithPlaceholders,
    changing: &[Id],
) -> (Vec<Id>, Vec<Id>) {
    let physics = &placeholders.physics;
    let restored = |graph: &mut Graph, rows: Vec<Id>| -> Vec<Id> {
        let rows = placeholders.restored_inertia(graph, rows);
        rows.into_iter().zip(changing).map(|(row, &change)| graph.add(row, change)).collect()
    };
    let rows = bodies.driven(graph, physics);
    let driven = restored(graph, rows);
    if joined.rows.is_empty() {
        return (driven, Vec::new());
    }
    let rows = bodies.residual(graph, physics, joined);
    let mut residual = restored(graph, rows);
    residual.extend(joined.rows.iter().map(|row| row.second));
    (residual, driven)
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
    let mut plan = Plan::of(graph, physics);
    let momentum = momentum::momentum(graph, physics);
    let changing = placeholders.change_by_states(graph, &momentum);
    let applied = balance::applied(graph, physics, &resolved.forces);
    let large = match plan {
        Plan::Large => LargeForm::of(graph, physics, &momentum, &applied)?,
        Plan::Small | Plan::Sparse => Some(LargeForm::default()),
    };
    if large.is_none() {
        plan = Plan::Sparse;
    }
    let LargeForm { mut sparse, bodies, forces, joined, constraints, is_singular } = large.unwrap_or_default();
    let is_replaced = sparse.as_ref().is_some_and(|(sparse, _)| sparse.replaces_mass()) && !physics.needs_mass;
    let mut mass = if is_replaced { Vec::new() } else { mass::mass_matrix(graph, &momentum) };
    if plan != Plan::Large {
        cancelled::constant_entries(graph, &mut mass);
    }
    let constraints = constraints.unwrap_or_else(|| {
        constraint::constraints(graph, physics).with_reaction(graph, physics).with_slopes(graph, physics)
    });
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
    let singular_mass =
        is_singular || !mass.is_empty() && !constraints.is_empty() && degenerate::is_singular(graph, &mass);
    let moving = velocity::moving_velocities(graph, physics);
    let kinked =
        (0..).zip(&momentum).filter(|(_, row)| velocity::has_kinks(graph, **row, &moving)).map(|(i, _)| i).collect();
    let integrable = integrable::integrable(graph, physics, &constraints);
    let powers =
        if resolved.powers.is_empty() { power::powers(graph, own, &constraints) } else { resolved.powers.clone() };
    if plan != Plan::Large {
        inertia = mass::inertia_of_rows(graph, &mass);
    }
    let (residual, driven) = match &bodies {
        Some(bodies) => residuals_by_bodies(graph, (bodies, &joined), &placeholders, &changing),
        None => (jacobian::residual(graph, physics, &inertia, &forcing, &constraints), Vec::new()),
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
    let contacts = contact::contacts(graph, own, (&forcing, bodies.is_some()), &mut switches, &resolved.forces);
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
        driven,
        residual_jacobian,
        sparse_mass: sparse,
        facts,
        assumptions: physics.assumed(),
        positivity,
        unsigned,
        outputs: physics.outputs.iter().map(|output| output.value).collect(),
        output_jacobian: OutputJacobian::default(),
        changes: changes(physics),
        switches,
        resolved,
    })
}
