//! The claims of a block: every `verify` and `invariant` proved, checked, or refuted.

use super::conserved::{self, Conserved};
use super::signs;
use super::symmetry::{self, Searched, Symmetry};
use crate::graph::{Id, Node, Symbol};
use crate::meaning::{self, Claim, Claims, DerivedNames, Invariant, Model};
use crate::mechanics::Equations;
use crate::physics::Change;
use crate::print;
use crate::prove::{Continuity, Domain, Doubt, Manifold, Motion, Verdict, continuity_along, equal_in};
use crate::report::{Mistake, Report};
use crate::syntax::Spec;

/// The claims that hold, with how each was established.
pub(super) struct Settled {
    /// The constants of the motion, and how each was established.
    pub(super) invariants: Vec<(String, Conserved)>,
    /// The symmetries.
    pub(super) symmetries: Vec<Symmetry>,
    /// The symmetries that are not stated.
    pub(super) searched: Searched,
}

/// Decides all claims. The signs of parameters on which a claim depends are added to the conditions that `prepare` checks.
pub(super) fn settle(spec: &Spec, model: &mut Model, equations: &mut Equations) -> Result<Settled, Report> {
    // The rows of the hidden coordinates have no physical meaning.
    let own = |entries: &[Id]| entries[..model.mechanical()].to_vec();
    let derived_names = DerivedNames {
        mass: equations.mass.iter().take(model.mechanical()).map(|row| own(row)).collect(),
        forcing: own(&equations.forcing),
        momentum: own(&equations.momentum),
        balance: own(&equations.balance),
        energy: equations.energy,
        kinetic: equations.kinetic,
        potential: equations.potential,
        dissipation: model.physics.dissipation,
        lagrangian: equations.lagrangian,
        motion: motion(equations),
        drift: equations.constraints.drift.clone(),
        rates: equations.resolved.own_rates(model.mechanical() as u32),
    };
    let Claims { equal, invariants, symmetries } = meaning::elaborate_claims(spec, model, &derived_names)?;
    let domain = domain(model, equations);
    let mut report = Report::new();
    let mut used = Vec::new();
    for claim in &equal {
        verify(model, &domain, claim, &mut report);
        if !report.is_empty() {
            continue;
        }
        let sides: Vec<(Id, Id)> = claim.left.iter().copied().zip(claim.right.iter().copied()).collect();
        let roots: Vec<Id> = sides.iter().flat_map(|(left, right)| [*left, *right]).collect();
        signs::used(model, &domain, &roots, &mut used, &mut |model, domain| {
            sides.iter().all(|(left, right)| equal_in(&model.graph, *left, *right, domain).holds())
        });
    }
    let mut known = Vec::new();
    for invariant in &invariants {
        if let Some(mode) = changing_modes(model, invariant.value).into_iter().next() {
            report.add(Mistake::ModeInvariant { name: invariant.name.clone(), mode }, invariant.place);
            continue;
        }
        let Some(how) = conserved(model, equations, &domain, invariant, &mut report) else { continue };
        known.push((invariant.name.clone(), how));
        let motion = motion(equations);
        let mut roots = vec![invariant.value];
        roots.extend(
            motion.mass.iter().chain(&motion.jacobian).flatten().chain(&motion.forcing).chain(&motion.curvature),
        );
        signs::used(model, &domain, &roots, &mut used, &mut |model, domain| {
            rate_of(model, equations, domain, invariant).is_ok_and(|verdict| verdict.holds())
        });
    }
    let stated: Vec<Vec<Id>> = symmetries.iter().map(|symmetry| symmetry.change.clone()).collect();
    let symmetries = symmetry::settle(model, equations, &domain, &symmetries, (&mut report, &mut used));
    report.propagate(())?;
    let searched = symmetry::search(model, equations, &stated);
    signs::add(model, equations, used);
    Ok(Settled { invariants: known, symmetries, searched })
}

/// The modes whose changes may change an expression: a change assigns to something in it or, in a mechanism with constraints, to any coordinate or velocity. The
/// others are then brought onto the constraints.
pub(super) fn changing_modes(model: &Model, value: Id) -> Vec<String> {
    let mechanical = |symbol: Symbol| match symbol {
        Symbol::Coordinate(index) | Symbol::Velocity(index) => (index as usize) < model.mechanical(),
        _ => false,
    };
    let moves = model.physics.rows().next().is_some() && model.graph.contains(value, mechanical);
    let assigns = |change: &&Change| {
        let mut targets = change.assigned.iter().map(|(target, _)| *target);
        targets.any(|target| match model.graph.node(target) {
            Node::Symbol(symbol) => model.graph.depends_on(value, *symbol) || moves && mechanical(*symbol),
            _ => false,
        })
    };
    let mut modes: Vec<String> = Vec::new();
    for change in model.physics.changes.iter().filter(assigns) {
        if !modes.contains(&change.mode) {
            modes.push(change.mode.clone());
        }
    }
    modes
}

/// The domain of the claims: parameters under the assumptions, and states on the constraints.
pub(super) fn domain(model: &Model, equations: &Equations) -> Domain {
    let constraints = &equations.constraints;
    let manifold = (!constraints.is_empty()).then(|| Manifold {
        coordinates: model.coordinates.len() as u32,
        value: constraints.value[..constraints.holonomic].to_vec(),
        jacobian: constraints.jacobian.clone(),
        rate: constraints.rate.clone(),
    });
    model.domain.on(manifold)
}

fn verify(model: &mut Model, domain: &Domain, claim: &Claim, report: &mut Report) {
    for (component, (&left, &right)) in claim.left.iter().zip(&claim.right).enumerate() {
        let label = |text: &str| {
            if claim.left.len() == 1 { format!("`{text}`") } else { format!("component {component} of `{text}`") }
        };
        let is_unknown = |symbol| matches!(symbol, Symbol::Acceleration(_) | Symbol::Multiplier(_));
        let is_unsolved = [left, right].into_iter().any(|side| model.graph.contains(side, is_unknown));
        let verdict = if is_unsolved {
            Verdict::Undecided(Doubt::Accelerations)
        } else {
            equal_in(&model.graph, left, right, domain)
        };
        match verdict {
            Verdict::Proved | Verdict::Checked { .. } => continue,
            Verdict::Refuted(example) => {
                let names = model.naming();
                let point = point(model, &example.values, &names)
                    + derived_side(model, &claim.left_text, left, &names).as_str()
                    + derived_side(model, &claim.right_text, right, &names).as_str();
                report.add(
                    Mistake::ClaimRefuted {
                        left: label(&claim.left_text),
                        right: label(&claim.right_text),
                        derived: example.left,
                        claimed: example.right,
                        point,
                    },
                    claim.place,
                );
            }
            Verdict::Undecided(doubt) => {
                let reason = reason(model, &doubt);
                let (left, right) = (label(&claim.left_text), label(&claim.right_text));
                report.add(Mistake::ClaimUndecided { left, right, reason }, claim.place);
            }
        }
        return;
    }
}

fn conserved(
    model: &mut Model,
    equations: &Equations,
    domain: &Domain,
    invariant: &Invariant,
    report: &mut Report,
) -> Option<Conserved> {
    let verdict = match rate_of(model, equations, domain, invariant) {
        Ok(verdict) => verdict,
        Err(values) => {
            let names = model.naming();
            let point = point(model, &values, &names);
            report.add(Mistake::InvariantJumps { name: invariant.name.clone(), point }, invariant.place);
            return None;
        }
    };
    match verdict {
        Verdict::Proved => Some(Conserved::Proved),
        Verdict::Checked { points } => Some(Conserved::Checked { points }),
        Verdict::Refuted(example) => {
            let names = model.naming();
            let point = point(model, &example.values, &names);
            let mistake = Mistake::NotConserved { name: invariant.name.clone(), rate: example.left, point };
            report.add(mistake, invariant.place);
            None
        }
        Verdict::Undecided(doubt) => {
            let reason = reason(model, &doubt);
            model.warnings.add(Mistake::InvariantUndecided { name: invariant.name.clone(), reason }, invariant.place);
            None
        }
    }
}

/// Whether an invariant is continuous along every motion and its rate vanishes. The error is a point at which it jumps.
fn rate_of(
    model: &mut Model,
    equations: &Equations,
    domain: &Domain,
    invariant: &Invariant,
) -> Result<Verdict, Vec<(Symbol, String)>> {
    let continuous = continuity_along(&model.graph, invariant.value, domain, &motion(equations));
    if let Continuity::Jumps(values) = continuous {
        return Err(values);
    }
    let rate = conserved::rate(&mut model.graph, equations, invariant.value, domain);
    Ok(match (continuous, rate) {
        (Continuity::Checked { points }, Verdict::Proved) => Verdict::Checked { points },
        // A rate that does not vanish refutes the claim, even if its continuity is undecided.
        (Continuity::Undecided(node), rate) if !matches!(rate, Verdict::Refuted(_)) => {
            Verdict::Undecided(Doubt::Boundary(node))
        }
        (_, rate) => rate,
    })
}

/// The equations that determine the motion from a state.
pub(super) fn motion(equations: &Equations) -> Motion {
    Motion {
        mass: equations.mass.clone(),
        forcing: equations.forcing.clone(),
        jacobian: equations.constraints.jacobian.clone(),
        curvature: equations.constraints.curvature.clone(),
    }
}

/// Why a claim could not be decided, in a sentence.
pub(super) fn reason(model: &Model, doubt: &Doubt) -> String {
    let names = model.naming();
    let text = |id: Id| print::text(&model.graph, id, &names);
    match doubt {
        Doubt::Undefined => match &model.externs[..] {
            [] => "no point was found where it is defined".to_owned(),
            [external, ..] => format!(
                "the values of `{}` are not known at compile time: a claim about it is decided only if it holds for any function in \
                 its place",
                external.name
            ),
        },
        Doubt::Branches(limit) => format!("it has more than {limit} branches"),
        Doubt::OneSided { values, left } => {
            let side = if *left { "left" } else { "right" };
            let name = |symbol: Symbol| model.graph.find_symbol(symbol).map_or_else(String::new, text);
            let values: Vec<String> =
                values.iter().map(|(symbol, value)| format!("{} = {value}", name(*symbol))).collect();
            format!("only the {side} side has a value at {}", values.join(", "))
        }
        Doubt::Steps(node) => {
            format!(
                "`{}` has infinitely many branches, and the formulas of both sides differ in some of them",
                text(*node)
            )
        }
        Doubt::Accelerations => "the accelerations could not be eliminated".to_owned(),
        Doubt::Boundary(node) => {
            format!("it may jump at `{}`, and no state was found where that changes its side", text(*node))
        }
        Doubt::Unreached(conditions) => {
            let condition = |(node, holds): &(Id, bool)| match model.graph.node(*node) {
                Node::Compare(_, a, b) if !holds => format!("{} > {}", text(*a), text(*b)),
                Node::Compare(..) => text(*node),
                Node::Call(_, arguments) => {
                    let (first, second) = (arguments.first(), arguments.get(1));
                    let relation = if *holds { "<" } else { ">" };
                    let second = second.map_or_else(|| "0".to_owned(), |id| text(*id));
                    format!("{} {relation} {second}", first.map_or_else(String::new, |id| text(*id)))
                }
                _ => text(*node),
            };
            let conditions: Vec<String> = conditions.iter().map(condition).collect();
            format!("no point was found in its branch {}", conditions.join(" && "))
        }
    }
}

/// The values of symbols with their names.
pub(super) fn point(model: &mut Model, values: &[(Symbol, String)], names: &print::Naming) -> String {
    let mut point = Vec::new();
    for (symbol, value) in values {
        let symbol = model.graph.symbol(*symbol);
        point.push(format!("{} = {value}", print::text(&model.graph, symbol, names)));
    }
    point.join(", ")
}

/// The derived form of a side of a claim, if it is short and differs from the claim's own text.
fn derived_side(model: &Model, claimed: &str, side: Id, names: &print::Naming) -> String {
    const READABLE: usize = 160;
    let is_derived = DerivedNames::NAMES.iter().chain(&DerivedNames::OF_THE_MOTION).any(|name| claimed.contains(name));
    let text = print::text(&model.graph, side, names);
    if is_derived && text.len() <= READABLE { format!("; derived: {claimed} = {text}") } else { String::new() }
}
