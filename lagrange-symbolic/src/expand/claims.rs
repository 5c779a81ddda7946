//! The claims of a block: every `verify` and `invariant` proved, checked, or refuted.

use super::conserved::{self, Conserved};
use super::summary;
use crate::expr::Id;
use crate::mechanics::Equations;
use crate::model::Model;
use crate::print;
use crate::prove::{Counterexample, Domain, Manifold, Verdict, equal_in};
use crate::spec::{self, Claim, DerivedNames, Invariant, Mistake, Report, Spec};

/// Settles all claims; gives what is known of each invariant.
pub(super) fn settle(
    spec: &Spec,
    model: &mut Model,
    equations: &Equations,
    dissipation: Option<Id>,
) -> Result<Vec<(String, Conserved)>, Report> {
    let derived_names = DerivedNames {
        mass: equations.mass.clone(),
        forcing: equations.forcing.clone(),
        momentum: equations.momentum.clone(),
        balance: equations.balance.clone(),
        energy: equations.energy,
        kinetic: equations.kinetic,
        potential: equations.potential,
        dissipation,
        lagrangian: equations.lagrangian,
    };
    let (claims, invariants) = spec::elaborate_claims(spec, model, &derived_names)?;
    let domain = domain(model, equations);
    let mut report = Report::new();
    for claim in &claims {
        verify(model, &domain, claim, &mut report);
    }
    let mut known = Vec::new();
    for invariant in &invariants {
        known.extend(
            conserved(model, equations, &domain, invariant, &mut report).map(|how| (invariant.name.clone(), how)),
        );
    }
    report.propagate(())?;
    Ok(known)
}

/// Parameters as assumed, states on the constraints.
fn domain(model: &Model, equations: &Equations) -> Domain {
    let constraints = &equations.constraints;
    let manifold = (!constraints.is_empty()).then(|| Manifold {
        coordinates: model.coordinates.len() as u32,
        value: constraints.value[..constraints.holonomic].to_vec(),
        jacobian: constraints.jacobian.clone(),
        rate: constraints.rate.clone(),
    });
    Domain { assumptions: equations.assumptions.clone(), manifold }
}

fn verify(model: &mut Model, domain: &Domain, claim: &Claim, report: &mut Report) {
    for (component, (&left, &right)) in claim.left.iter().zip(&claim.right).enumerate() {
        let label = |text: &str| {
            if claim.left.len() == 1 { format!("`{text}`") } else { format!("component {component} of `{text}`") }
        };
        match equal_in(&model.graph, left, right, domain) {
            Verdict::Proved | Verdict::Checked { .. } => continue,
            Verdict::Refuted(example) => {
                let names = summary::naming(model);
                let point = point(model, &example, &names)
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
            Verdict::Undecided(_) => report.add(
                Mistake::ClaimUndecided { left: label(&claim.left_text), right: label(&claim.right_text) },
                claim.place,
            ),
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
    match conserved::rate(&mut model.graph, equations, invariant.value, domain) {
        Verdict::Proved => Some(Conserved::Proved),
        Verdict::Checked { points } => Some(Conserved::Checked { points }),
        Verdict::Refuted(example) => {
            let names = summary::naming(model);
            let point = point(model, &example, &names);
            let mistake = Mistake::NotConserved { name: invariant.name.clone(), rate: example.left, point };
            report.add(mistake, invariant.place);
            None
        }
        Verdict::Undecided(_) => {
            model.warnings.add(Mistake::InvariantUndecided { name: invariant.name.clone() }, invariant.place);
            None
        }
    }
}

/// The values of a counterexample by their names.
fn point(model: &mut Model, example: &Counterexample, names: &print::Naming) -> String {
    let mut point = Vec::new();
    for (symbol, value) in &example.values {
        let symbol = model.graph.symbol(*symbol);
        point.push(format!("{} = {value}", print::text(&model.graph, symbol, names)));
    }
    point.join(", ")
}

/// What a side of a claim was derived to be, where that is short and more than the claim says itself.
fn derived_side(model: &Model, claimed: &str, side: Id, names: &print::Naming) -> String {
    const READABLE: usize = 160;
    let is_derived = DerivedNames::NAMES.iter().any(|name| claimed.contains(name));
    let text = print::text(&model.graph, side, names);
    if is_derived && text.len() <= READABLE { format!("; derived: {claimed} = {text}") } else { String::new() }
}
