//! Coordinates without inertia. Their rows of M vanish, and their velocities follow from their rows of M a = F.
//!
//! Where A = ∂L/∂v_S does not depend on velocities, the rows S are 0 = F_S, with
//! F_S = ∂L/∂q_S − ∂D/∂v_S + Q_S − dA/dt.
//! They contain no acceleration. Where D is at most quadratic in v_S, they are r = K v_S with K = −∂F_S/∂v_S, which is
//! ∂²D/∂v_S² + ∂A/∂q_S − (∂A/∂q_S)ᵀ, and −∂Q_S/∂v_S where a force depends on these velocities. The solution K⁻¹ r is
//! the rate of q_S: from then on, q_S are states. Other rows define the rate as a function, whose value an iteration finds
//! ([`implicit_rates`](super::implicit_rates)). In the other rows it replaces v_S. There, L loses its terms A·v_S, and
//! their force ∂(A·v_S)/∂q is added to F. h does not contain them.

use super::elimination::{Pivot, solve};
use super::implicit_rates::{self, Rates, slopes, undetermined};
use super::state::WithPlaceholders;
use super::{Degenerate, Positivity, Power};
use super::{balance, constraint, forcing, momentum, power, velocity};
use crate::calculus::{derivative, directional, gradient};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Rational, Relation, Symbol, rational};
use crate::physics::{Physics, State};
use std::collections::HashMap;

/// What is known of a mechanism after its coordinates without inertia have become states. It is empty where there are none.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// The rate of each coordinate without inertia.
    pub rates: Vec<Id>,
    /// The state for each coordinate without inertia, its rate for its velocity, and the derivative of its rate for its
    /// acceleration.
    pub replaced: HashMap<Symbol, Id>,
    /// A = ∂L/∂v of these coordinates.
    pub(crate) momentum: Vec<Id>,
    /// −∂D/∂v, and the force of the terms A·v_S of L. Both are in each row of f; the mechanism without these
    /// coordinates has no D and no such terms.
    pub(crate) forces: Vec<Id>,
    /// The terms of dh/dt.
    pub(super) powers: Vec<Power>,
    /// L, with the terms A·v_S.
    pub(super) lagrangian: Option<Id>,
    /// T, where it contains v_S.
    pub(super) kinetic: Option<Id>,
    /// V, where it contains v_S.
    pub(super) potential: Option<Id>,
    /// The conditions on parameters under which K is regular.
    pub(super) conditions: Vec<Positivity>,
    /// The equations of the rates that iterations find.
    pub implicit: Vec<ImplicitRate>,
    /// The left sides of these equations with the rates that are found.
    pub(super) rows: Vec<Id>,
}

impl Resolved {
    /// The rate of each coordinate without inertia, for the acceleration of its hidden coordinate. `first` is the index of the first
    /// of them.
    pub(crate) fn own_rates(&self, first: u32) -> HashMap<Symbol, Id> {
        (first..).map(Symbol::Acceleration).zip(self.rates.iter().copied()).collect()
    }
}

/// The equation of a rate that an iteration finds.
#[derive(Clone, Copy, Debug)]
pub struct ImplicitRate {
    /// The coordinate.
    pub coordinate: u32,
    /// r of 0 = r, with accelerations for the rates of all coordinates without inertia.
    pub residual: Id,
}

/// How many coordinates are without inertia: ∂L/∂v is free of velocities, and no constraint contains the coordinate. A coordinate
/// that a constraint contains can get its inertia by the constraint. They are the last ones.
///
/// # Errors
/// Such a coordinate that a contact contains, which needs an inertia. One that is declared before a coordinate with inertia: its value
/// stands behind the values of those, so that the order of the block would not be that of the state.
pub(super) fn count(graph: &mut Graph, physics: &Physics) -> Result<usize, Degenerate> {
    let moving = graph.symbol_set(physics.mechanical_velocity_symbols());
    let momentum = gradient(graph, physics.lagrangian, &physics.mechanical_velocity_symbols());
    let constrains = |graph: &Graph, row: Id, i: u32| {
        graph.depends_on(row, Symbol::Coordinate(i)) || graph.depends_on(row, Symbol::Velocity(i))
    };
    let is_constrained = |i: u32| physics.rows().any(|row| constrains(graph, row.value, i));
    let found: Vec<u32> = (0..)
        .zip(&momentum)
        .filter(|&(i, &row)| !graph.touches(row, &moving) && !is_constrained(i))
        .map(|(i, _)| i)
        .collect();
    for contact in &physics.contacts {
        let slip = contact.friction.map(|slip| slip.stated());
        let own = contact.position().unwrap_or(contact.rate);
        for part in std::iter::once(own).chain(slip) {
            if let Some(&light) = found.iter().find(|&&i| constrains(graph, part, i)) {
                return Err(Degenerate::InContact { coordinate: light, contact: contact.name.clone() });
            }
        }
    }
    // A slip that is stated by its position and contains such a coordinate puts its force into the coordinate's own equation, which is
    // refused there. As a factor of a rate the coordinate would be differentiated by its rate.
    let by_rate = physics.frictions.iter().filter(|friction| friction.slip.position.is_none());
    for friction in physics.loaded.iter().chain(by_rate) {
        if let Some(&light) = found.iter().find(|&&i| constrains(graph, friction.slip.stated(), i)) {
            return Err(Degenerate::InContact { coordinate: light, contact: friction.name.clone() });
        }
    }
    let first = physics.mechanical() - found.len();
    if let Some(&early) = found.iter().find(|&&index| (index as usize) < first) {
        let last = (0..physics.mechanical() as u32).rev().find(|index| !found.contains(index));
        return Err(Degenerate::Early { coordinate: early, other: last.unwrap_or(early) });
    }
    Ok(found.len())
}

/// The mechanism in which the coordinates without inertia, so many, are states.
///
/// # Errors
/// The velocities that their equations do not determine.
pub(super) fn resolved(graph: &mut Graph, own: &Physics, count: usize) -> Result<(Physics, Resolved), Vec<Degenerate>> {
    let (first, end) = (own.mechanical() - count, own.mechanical());
    let indices = first as u32..end as u32;
    let speeds: Vec<Symbol> = indices.clone().map(Symbol::Velocity).collect();
    let placeholders = WithPlaceholders::of(graph, own);
    let momentum = momentum::momentum(graph, &placeholders.physics);
    let changing = placeholders.change_by_states(graph, &momentum);
    let applied = balance::applied(graph, &placeholders.physics, &[]);
    let balance = balance::balance(graph, &placeholders.physics, &applied);
    let forcing = forcing::forcing(graph, &placeholders.physics, &momentum, &balance);
    let rows: Vec<Id> = (first..end).map(|i| graph.sub(forcing[i], changing[i])).collect();
    let rows = placeholders.restored(graph, rows);
    let momentum = placeholders.restored(graph, momentum[first..end].to_vec());

    let Rates { values: rates, guards, conditions, implicit } = match linear(graph, &rows, &speeds) {
        Ok((matrix, right)) => linear_rates(graph, &matrix, &right, &speeds)?,
        Err(_) => implicit_rates::rates(graph, own, &rows, &speeds)?,
    };

    let mut values = HashMap::new();
    for i in indices.clone() {
        values.insert(Symbol::Coordinate(i), graph.symbol(Symbol::Velocity(i)));
    }
    let rates = graph.substitute(&rates, &values);
    let guards: Vec<Option<Id>> =
        guards.into_iter().map(|guard| Some(graph.substitute(&[guard?], &values)[0])).collect();
    let zero = graph.zero();
    let (mut at_rest, mut replaced) = (values.clone(), values);
    at_rest.extend(speeds.iter().map(|&speed| (speed, zero)));
    replaced.extend(speeds.iter().copied().zip(rates.iter().copied()));
    for (i, rate) in indices.clone().zip(changes(graph, own, first, &rates)) {
        replaced.insert(Symbol::Acceleration(i), rate);
    }

    let defining: Vec<Id> = implicit.iter().map(|&i| rows[i]).collect();
    let mut with_rates = replaced.clone();
    for (i, speed) in indices.clone().zip(&speeds) {
        with_rates.insert(*speed, graph.symbol(Symbol::Acceleration(i)));
    }
    let residuals = graph.substitute(&defining, &with_rates);
    let implicit = implicit.iter().zip(residuals);
    let implicit = implicit.map(|(&i, residual)| ImplicitRate { coordinate: (first + i) as u32, residual }).collect();

    let forces = exchanged(graph, own, &momentum, first);
    let constraints = constraint::constraints(graph, own);
    let mut powers = power::powers(graph, own, &constraints);
    for power in &mut powers {
        power.value = graph.substitute(&[power.value], &replaced)[0];
    }
    let moving = graph.symbol_set(speeds.iter().copied());
    let mut moved =
        |energy: Option<Id>| Some(graph.substitute(&[energy.filter(|&id| graph.touches(id, &moving))?], &replaced)[0]);
    let (kinetic, potential) = (moved(own.kinetic), moved(own.potential));
    let resolved = Resolved {
        momentum: graph.substitute(&momentum, &replaced),
        forces: graph.substitute(&forces, &replaced),
        powers,
        lagrangian: Some(graph.substitute(&[own.lagrangian], &replaced)[0]),
        kinetic,
        potential,
        conditions,
        implicit,
        rows: graph.substitute(&defining, &replaced),
        rates: rates.clone(),
        replaced: replaced.clone(),
    };
    let first_order =
        rates.into_iter().zip(guards).map(|(rate, guard)| State { name: String::new(), rate, guard, inertia: None });
    let reduced = reduced(graph, own, first_order.collect(), (&at_rest, &replaced));
    Ok((reduced, resolved))
}

/// The physics in which the coordinates without inertia are states. `states` has their equations. In the energies their velocities are 0,
/// and everywhere else their rates stand for their velocities.
fn reduced(
    graph: &mut Graph,
    own: &Physics,
    mut states: Vec<State>,
    (at_rest, replaced): (&HashMap<Symbol, Id>, &HashMap<Symbol, Id>),
) -> Physics {
    let end = own.mechanical() as u32;
    let own_indices = end - states.len() as u32..end;
    for state in &own.states {
        states.push(State { rate: graph.substitute(&[state.rate], replaced)[0], ..state.clone() });
    }
    let mut reduced = Physics { states, dissipation: None, ..own.clone() };
    reduced.lagrangian = graph.substitute(&[own.lagrangian], at_rest)[0];
    reduced.kinetic = own.kinetic.map(|energy| graph.substitute(&[energy], at_rest)[0]);
    reduced.potential = own.potential.map(|energy| graph.substitute(&[energy], at_rest)[0]);
    for force in &mut reduced.forces {
        force.left = graph.substitute(&force.left, replaced);
        force.right = graph.substitute(&force.right, replaced);
    }
    for contact in &mut reduced.contacts {
        contact.restitution = graph.substitute(&[contact.restitution], replaced)[0];
        contact.adhesion = contact.adhesion.map(|adhesion| graph.substitute(&[adhesion], replaced)[0]);
    }
    let slips = reduced.contacts.iter_mut().filter_map(|contact| contact.friction.as_mut());
    let frictions = reduced.frictions.iter_mut().chain(&mut reduced.loaded).map(|friction| &mut friction.slip);
    for slip in frictions.chain(slips) {
        slip.expressions().for_each(|part| *part = graph.substitute(&[*part], replaced)[0]);
    }
    for friction in &mut reduced.smooth {
        friction.bound = graph.substitute(&[friction.bound], replaced)[0];
    }
    for output in &mut reduced.outputs {
        output.value = graph.substitute(&[output.value], replaced)[0];
    }
    for expression in reduced.changes.iter_mut().flat_map(crate::physics::Change::expressions) {
        *expression = graph.substitute(&[*expression], replaced)[0];
    }
    // Only quantities without these coordinates keep their rate in L.
    let is_own = |symbol| matches!(symbol, Symbol::Coordinate(i) | Symbol::Velocity(i) if own_indices.contains(&i));
    reduced.rates.retain(|&(quantity, _)| !graph.contains(quantity, is_own));
    reduced
}

/// K and r.
pub(super) type Linear = (Vec<Vec<Id>>, Vec<Id>);

/// The rows are not linear in the velocities, or not smooth.
pub(super) struct Nonlinear;

/// K and r, where the rows are r − K v_S.
pub(super) fn linear(graph: &mut Graph, rows: &[Id], speeds: &[Symbol]) -> Result<Linear, Nonlinear> {
    let moving = graph.symbol_set(speeds.iter().copied());
    for &speed in speeds {
        let own = graph.symbol_set([speed]);
        let column = derivative(graph, rows, speed);
        let is_nonlinear = |(&row, slope): (&Id, &Id)| {
            graph.touches(*slope, &moving) || (graph.touches(row, &own) && !velocity::is_entire(graph, row, &own))
        };
        if rows.iter().zip(&column).any(is_nonlinear) {
            return Err(Nonlinear);
        }
    }
    let matrix = slopes(graph, rows, speeds);
    let zero = graph.zero();
    let at_rest: HashMap<Symbol, Id> = speeds.iter().map(|&speed| (speed, zero)).collect();
    Ok((matrix, graph.substitute(rows, &at_rest)))
}

/// The solution K⁻¹ r.
///
/// # Errors
/// The velocities that the rows do not determine.
pub(super) fn linear_rates(
    graph: &mut Graph,
    matrix: &[Vec<Id>],
    right: &[Id],
    speeds: &[Symbol],
) -> Result<Rates, Vec<Degenerate>> {
    let coordinates: Vec<u32> =
        speeds.iter().filter_map(|speed| if let Symbol::Velocity(i) = speed { Some(*i) } else { None }).collect();
    undetermined(graph, matrix, &coordinates)?;
    let Some((values, pivots)) = solve(graph, matrix, right) else {
        let rates = coordinates.into_iter().map(|i| (i, None)).collect();
        return Err(vec![Degenerate::Undetermined { rates }]);
    };
    let (guards, conditions) = guarded(graph, matrix, &pivots);
    Ok(Rates { values, guards, conditions, implicit: Vec::new() })
}

/// The derivative of each rate along the motion, with symbols for the accelerations.
fn changes(graph: &mut Graph, own: &Physics, first: usize, rates: &[Id]) -> Vec<Id> {
    let mut direction = vec![(Symbol::Time, graph.one())];
    for i in 0..own.coordinates {
        if (i as usize) < first {
            direction.push((Symbol::Coordinate(i), graph.symbol(Symbol::Velocity(i))));
        }
        direction.push((Symbol::Velocity(i), graph.symbol(Symbol::Acceleration(i))));
    }
    directional(graph, rates, &direction)
}

/// −∂D/∂v + ∂(A·v_S)/∂q in the rows of the coordinates with inertia.
fn exchanged(graph: &mut Graph, own: &Physics, momentum: &[Id], first: usize) -> Vec<Id> {
    let mut parts: Vec<Vec<(Id, Rational)>> = vec![Vec::new(); first];
    if let Some(dissipation) = own.dissipation {
        let slope = gradient(graph, dissipation, &own.mechanical_velocity_symbols()[..first]);
        for (row, slope) in parts.iter_mut().zip(slope) {
            row.push((slope, Rational::NEG_ONE));
        }
    }
    for (i, &momentum) in (first as u32..).zip(momentum) {
        let speed = graph.symbol(Symbol::Velocity(i));
        for (row, symbol) in parts.iter_mut().zip(own.coordinate_symbols()) {
            let slope = derivative(graph, &[momentum], symbol)[0];
            row.push((graph.mul(slope, speed), Rational::ONE));
        }
    }
    parts.into_iter().map(|terms| graph.sum(terms, Rational::ZERO)).collect()
}

/// For each row, the condition under which its pivot is safe, where that depends on the motion; and the conditions on
/// parameters.
fn guarded(graph: &mut Graph, matrix: &[Vec<Id>], pivots: &[Pivot]) -> (Vec<Option<Id>>, Vec<Positivity>) {
    let (mut guards, mut conditions) = (vec![None; matrix.len()], Vec::new());
    for pivot in pivots {
        if graph.as_number(pivot.value).is_some() {
            continue;
        }
        let size = graph.call(Function::Abs, &[pivot.value]);
        let mut terms = Vec::new();
        for &row in &pivot.scale {
            let sizes: Vec<Id> = matrix[row].iter().map(|&entry| graph.call(Function::Abs, &[entry])).collect();
            terms.push(graph.add_all(&sizes));
        }
        let bound = if terms.is_empty() {
            graph.zero()
        } else {
            terms.push(graph.number(rational(16 * matrix.len() as i64, 1 << 52)));
            graph.mul_all(&terms)
        };
        let is_input = |symbol| matches!(symbol, Symbol::Input(_));
        if graph.contains(pivot.value, is_input) {
            // M must not depend on inputs. The rate is not finite where such a pivot vanishes.
            continue;
        }
        if graph.contains(pivot.value, |symbol| !matches!(symbol, Symbol::Parameter(_))) {
            guards[pivot.row] = Some(graph.compare(Relation::Less, bound, size));
        } else {
            let expression = graph.sub(size, bound);
            conditions.push(Positivity { expression, strictly: true });
        }
    }
    (guards, conditions)
}
