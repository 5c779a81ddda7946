//! Symmetries: changes δq of the coordinates that change L by a total time derivative at most, and their momenta (E. Noether, *Invariante
//! Variationsprobleme*, 1918).
//!
//! ```text
//! δL = ∂L/∂q·δq + ∂L/∂v·d(δq)/dt = dK/dt,    J = p·δq − K,    dJ/dt = δq·(Q − ∂D/∂v + Gᵀλ)
//! ```
//!
//! A change that contains velocities makes δL and dK/dt linear in the accelerations. Both must agree for all accelerations: the parts without
//! them, and the factor of each one.

mod search;

pub use search::FoundSymmetry;
pub(super) use search::{Searched, search};

use super::claims::{changing_modes, point, reason};
use super::conserved::Conserved;
use super::signs;
use crate::calculus::{derivative, directional, gradient};
use crate::graph::{Graph, Id, Rational, Symbol, rational};
use crate::meaning::{self, Model};
use crate::mechanics::{Equations, generalized};
use crate::physics::{Output, Physics};
use crate::prove::{
    Continuity, Domain, Doubt, Verdict, are_apart, continuity, equal_if_affordable, equal_in, work_of_comparison,
};
use crate::report::{Mistake, Report};
use std::collections::{BTreeSet, HashMap};

/// A symmetry of L.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// Its name. The output with its momentum has the same name.
    pub name: String,
    /// J = p·δq − K.
    pub momentum: Id,
    /// How δL = dK/dt was established.
    pub how: Conserved,
    /// What changes J: forces, `dissipation`, constraints, frictions, contacts, modes. Those are among them whose work along δq could not be
    /// decided. If there is none, J is constant along every motion.
    pub changed_by: Vec<String>,
}

/// Decides the symmetries. Their momenta become outputs. The signs of parameters on which they depend are added to `used`.
pub(super) fn settle(
    model: &mut Model,
    equations: &mut Equations,
    domain: &Domain,
    stated: &[meaning::Symmetry],
    (report, used): (&mut Report, &mut Vec<(Symbol, bool)>),
) -> Vec<Symmetry> {
    let mut found = Vec::new();
    for symmetry in stated {
        let (graph, physics) = (&mut model.graph, &model.physics);
        let gauge = symmetry.gauge.unwrap_or_else(|| gauge(graph, physics, equations, &symmetry.change));
        let defects = defects(graph, physics, equations, (&symmetry.change, gauge));
        let Some(how) = invariance(model, domain, symmetry, &defects, report) else { continue };
        let momentum = momentum(&mut model.graph, equations, (&symmetry.change, gauge));
        if let Some(mistake) = jump(model, domain, &symmetry.name, momentum) {
            let list = if mistake.is_warning() { &mut model.warnings } else { &mut *report };
            list.add(mistake, symmetry.place);
            continue;
        }
        let powers = powers(model, equations, &symmetry.change);
        let all_changed_by =
            |model: &mut Model, domain: &Domain| changed_by(model, domain, &powers, momentum, &mut Effort::unlimited());
        let Some(changed_by) = all_changed_by(model, domain) else { continue };
        let conserving = |model: &mut Model, domain: &Domain| {
            let zero = model.graph.zero();
            let symmetric = defects.iter().all(|defect| equal_in(&model.graph, *defect, zero, domain).holds());
            symmetric && all_changed_by(model, domain).as_ref() == Some(&changed_by)
        };
        let parts = powers.iter().flat_map(|power| power.parts.iter().map(|(_, part)| *part));
        let roots: Vec<Id> = defects.iter().copied().chain(parts).collect();
        signs::used(model, domain, &roots, used, &mut { conserving });
        found.push(Symmetry { name: symmetry.name.clone(), momentum, how, changed_by });
    }
    let outputs = found.iter().map(|symmetry| Output { name: symmetry.name.clone(), value: symmetry.momentum });
    model.physics.outputs.extend(outputs);
    equations.outputs.extend(found.iter().map(|symmetry| symmetry.momentum));
    found
}

/// K of a change, where none is stated: with δL = α·v + ρ, where α and ρ contain neither q nor v nor inputs, K = α·q + ∫(ρ − α̇·q) dt for polynomials in t, as
/// for a change to a frame that moves. 0 where δL has another form.
fn gauge(graph: &mut Graph, physics: &Physics, equations: &Equations, change: &[Id]) -> Id {
    let zero = graph.zero();
    let moved = defects(graph, physics, equations, (change, zero))[0];
    let slopes = gradient(graph, moved, &physics.mechanical_velocity_symbols());
    let moves = |symbol| matches!(symbol, Symbol::Coordinate(_) | Symbol::Velocity(_) | Symbol::Input(_));
    if slopes.iter().any(|slope| graph.contains(*slope, moves)) {
        return zero;
    }
    let coordinates: Vec<Id> = (0..slopes.len() as u32).map(|i| graph.symbol(Symbol::Coordinate(i))).collect();
    let along = graph.inner(&slopes, &coordinates);
    let rest = defects(graph, physics, equations, (change, along))[0];
    match integral(graph, rest) {
        Some(integral) if !graph.contains(rest, moves) => graph.add(along, integral),
        _ => along,
    }
}

/// The highest power of t in a rate whose integral is looked for.
const HIGHEST_POWER: i64 = 4;

/// ∫ rate dt from 0 to t of a polynomial in t, by its derivatives at 0. `None` where it is no such polynomial.
fn integral(graph: &mut Graph, rate: Id) -> Option<Id> {
    let (zero, time) = (graph.zero(), graph.symbol(Symbol::Time));
    let start = HashMap::from([(Symbol::Time, zero)]);
    let (mut slope, mut terms, mut factorial) = (rate, Vec::new(), 1);
    for power in 1..=HIGHEST_POWER + 2 {
        if graph.is_zero(slope) {
            return Some(graph.sum(terms, Rational::ZERO));
        }
        factorial *= power;
        let at_start = graph.substitute(&[slope], &start)[0];
        let raised = graph.power_integer(time, power);
        terms.push((graph.mul(at_start, raised), rational(1, factorial as u64)));
        slope = derivative(graph, &[slope], Symbol::Time)[0];
    }
    None
}

/// J = p·δq − K.
fn momentum(graph: &mut Graph, equations: &Equations, (change, gauge): (&[Id], Id)) -> Id {
    let lever = graph.inner(&equations.momentum[..change.len()], change);
    graph.sub(lever, gauge)
}

/// What must vanish in a symmetry: δL − dK/dt without accelerations, and then its factor of each acceleration.
fn defects(graph: &mut Graph, physics: &Physics, equations: &Equations, (change, gauge): (&[Id], Id)) -> Vec<Id> {
    let n = change.len() as u32;
    let momentum = &equations.momentum[..change.len()];
    let mut direction: Vec<(Symbol, Id)> =
        (0..n).map(|i| (Symbol::Coordinate(i), graph.symbol(Symbol::Velocity(i)))).collect();
    direction.push((Symbol::Time, graph.one()));
    let slope = slopes(graph, physics, equations);
    let rates = directional(graph, change, &direction);
    let gauge_rate = directional(graph, &[gauge], &direction)[0];
    let (moved, turned) = (graph.inner(&slope, change), graph.inner(momentum, &rates));
    let terms = [(moved, Rational::ONE), (turned, Rational::ONE), (gauge_rate, Rational::NEG_ONE)];
    let mut defects = vec![graph.sum(terms.to_vec(), Rational::ZERO)];
    for i in 0..n {
        let velocity = Symbol::Velocity(i);
        let slopes = derivative(graph, change, velocity);
        let lever = graph.inner(momentum, &slopes);
        let gauge_slope = derivative(graph, &[gauge], velocity)[0];
        defects.push(graph.sub(lever, gauge_slope));
    }
    defects
}

/// ∂L/∂q of the coordinates with inertia, at constant rates of those without. L contains these rates as functions of the state, which are no
/// part of this derivative: with L = L₀ + A·ẏ it is ∂L₀/∂q + ẏ·∂A/∂q.
fn slopes(graph: &mut Graph, physics: &Physics, equations: &Equations) -> Vec<Id> {
    let coordinates = &physics.coordinate_symbols()[..physics.mechanical()];
    let resolved = &equations.resolved;
    let terms = graph.inner(&resolved.momentum, &resolved.rates);
    let rest = graph.sub(physics.lagrangian, terms);
    let mut slopes = gradient(graph, rest, coordinates);
    for (slope, exchanged) in slopes.iter_mut().zip(exchanged(graph, physics, equations)) {
        *slope = graph.add(*slope, exchanged);
    }
    slopes
}

/// ẏ·∂A/∂q, the forces between the coordinates with inertia and those without.
fn exchanged(graph: &mut Graph, physics: &Physics, equations: &Equations) -> Vec<Id> {
    let coordinates = &physics.coordinate_symbols()[..physics.mechanical()];
    let resolved = &equations.resolved;
    let mut terms = vec![Vec::new(); coordinates.len()];
    for (&momentum, &rate) in resolved.momentum.iter().zip(&resolved.rates) {
        for (terms, slope) in terms.iter_mut().zip(gradient(graph, momentum, coordinates)) {
            terms.push((graph.mul(slope, rate), Rational::ONE));
        }
    }
    terms.into_iter().map(|terms| graph.sum(terms, Rational::ZERO)).collect()
}

/// How it was established that all defects vanish. Reports where they do not.
fn invariance(
    model: &mut Model,
    domain: &Domain,
    symmetry: &meaning::Symmetry,
    defects: &[Id],
    report: &mut Report,
) -> Option<Conserved> {
    let (zero, name) = (model.graph.zero(), symmetry.name.clone());
    let mut how = Conserved::Proved;
    for (index, defect) in defects.iter().enumerate() {
        match equal_in(&model.graph, *defect, zero, domain) {
            Verdict::Proved => {}
            Verdict::Checked { points } => how = Conserved::Checked { points },
            Verdict::Refuted(example) => {
                let what = match index.checked_sub(1).and_then(|i| model.coordinates.get(i)) {
                    None => "δL − dK/dt".to_owned(),
                    Some(coordinate) => format!("in δL − dK/dt, the factor of `dot(dot({}))`", coordinate.name),
                };
                let names = model.naming();
                let point = point(model, &example.values, &names);
                report.add(Mistake::NotSymmetric { name, what, rate: example.left, point }, symmetry.place);
                return None;
            }
            Verdict::Undecided(doubt) => {
                let reason = reason(model, &doubt);
                model.warnings.add(Mistake::SymmetryUndecided { name, reason }, symmetry.place);
                return None;
            }
        }
    }
    Some(how)
}

/// The mistake of a momentum that jumps while the state moves, which no rate shows.
fn jump(model: &mut Model, domain: &Domain, name: &str, momentum: Id) -> Option<Mistake> {
    let moving = |symbol: Symbol| matches!(symbol, Symbol::Coordinate(_) | Symbol::Velocity(_) | Symbol::Time);
    let name = name.to_owned();
    match continuity(&model.graph, momentum, domain, &moving) {
        Continuity::Jumps(values) => {
            let names = model.naming();
            Some(Mistake::InvariantJumps { name, point: point(model, &values, &names) })
        }
        Continuity::Undecided(node) => {
            let reason = reason(model, &Doubt::Boundary(node));
            Some(Mistake::SymmetryUndecided { name, reason })
        }
        _ => None,
    }
}

/// A sum that must vanish for J to be constant, with the names of its parts.
struct Power {
    parts: Vec<(String, Id)>,
    sum: Id,
}

/// δq·(Q − ∂D/∂v), in which forces may cancel, and then for each row of a constraint, a friction or a contact δq·W, the factor of its force.
fn powers(model: &mut Model, equations: &Equations, change: &[Id]) -> Vec<Power> {
    let (graph, physics) = (&mut model.graph, &model.physics);
    let mut parts = Vec::new();
    // The forces of frictions act in their rows.
    let smooth = physics.forces.len() - physics.frictions.len();
    for force in &physics.forces[..smooth] {
        let applied = generalized(graph, physics, &force.left, &force.right);
        parts.push((force.name.clone(), graph.inner(&applied[..change.len()], change)));
    }
    if let Some(dissipation) = physics.dissipation {
        // Beside coordinates without inertia D contains their rates as functions of the state, and its forces stand with those that are exchanged.
        let lost = match equations.resolved.forces.is_empty() {
            true => {
                let slope = gradient(graph, dissipation, &physics.mechanical_velocity_symbols());
                let lost = graph.inner(&slope, change);
                graph.neg(lost)
            }
            false => {
                let exchanged = exchanged(graph, physics, equations);
                let (all, exchanged) =
                    (graph.inner(&equations.resolved.forces, change), graph.inner(&exchanged, change));
                graph.sub(all, exchanged)
            }
        };
        parts.push(("dissipation".to_owned(), lost));
    }
    let terms = parts.iter().map(|(_, part)| (*part, Rational::ONE)).collect();
    let sum = graph.sum(terms, Rational::ZERO);
    let mut powers = vec![Power { parts, sum }];
    let contacts = &equations.contacts;
    let frictions = physics.frictions.iter().map(|friction| friction.name.as_str());
    let rows = physics.rows().map(|row| row.name.clone()).zip(&equations.constraints.jacobian);
    for (name, direction) in rows.chain(contacts.names(frictions).into_iter().zip(&contacts.direction)) {
        let sum = graph.inner(&direction[..change.len()], change);
        powers.push(Power { parts: vec![(name, sum)], sum });
    }
    powers
}

/// How much may still be compared, in evaluated nodes.
struct Effort {
    left: usize,
}

impl Effort {
    /// For what the block states, the user waits.
    fn unlimited() -> Self {
        Self { left: usize::MAX }
    }

    /// Whether a value vanishes in a domain. `None` where it would take too much to know.
    fn vanishes(&mut self, graph: &mut Graph, value: Id, domain: &Domain) -> Option<bool> {
        let zero = graph.zero();
        if graph.is_zero(value) {
            return Some(true);
        }
        if are_apart(graph, value, zero, domain) {
            return Some(false);
        }
        self.verdict(graph, value, domain).map(|verdict| verdict.holds())
    }

    /// Whether a value is 0. `None` where it would take too much to know.
    fn verdict(&mut self, graph: &mut Graph, value: Id, domain: &Domain) -> Option<Verdict> {
        let zero = graph.zero();
        equal_if_affordable(graph, value, zero, domain, || self.pays_for(graph, value, domain))
    }

    /// Takes what it costs to compare a value with 0 in many digits, if so much is left.
    fn pays_for(&mut self, graph: &Graph, value: Id, domain: &Domain) -> bool {
        let left = self.left.checked_sub(work_of_comparison(graph, value, domain));
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }
}

/// The names of what changes J. `None` where the effort does not suffice to know them.
fn changed_by(
    model: &mut Model,
    domain: &Domain,
    powers: &[Power],
    momentum: Id,
    effort: &mut Effort,
) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for power in powers {
        if effort.vanishes(&mut model.graph, power.sum, domain)? {
            continue;
        }
        for (name, part) in &power.parts {
            if power.parts.len() == 1 || !effort.vanishes(&mut model.graph, *part, domain)? {
                names.push(name.clone());
            }
        }
    }
    names.extend(changing_modes(model, momentum));
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    Some(names)
}
