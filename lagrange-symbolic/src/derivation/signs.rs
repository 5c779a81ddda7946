//! The signs of parameters on which claims depend. `prepare` checks them.

use crate::graph::{Id, Symbol};
use crate::meaning::Model;
use crate::mechanics::{Equations, Positivity};
use crate::prove::{Domain, Freedom};

/// Adds the parameters whose sign a claim needs, and whether they must not be 0. `holds` decides the claim in a domain, and is true in
/// `domain` itself. A claim needs the sign of a parameter if it does not hold with parameters of any sign.
pub(super) fn used(
    model: &mut Model,
    domain: &Domain,
    roots: &[Id],
    used: &mut Vec<(Symbol, bool)>,
    holds: &mut dyn FnMut(&mut Model, &Domain) -> bool,
) {
    let mut candidates: Vec<Symbol> = roots.iter().flat_map(|root| model.graph.symbols(*root)).collect();
    candidates.retain(|symbol| matches!(symbol, Symbol::Parameter(_)) && domain.presumes_positive(*symbol));
    candidates.sort_unstable();
    candidates.dedup();
    candidates.retain(|symbol| !used.contains(&(*symbol, true)));
    if candidates.is_empty() {
        return;
    }
    let all: Vec<(Symbol, Freedom)> = candidates.iter().map(|symbol| (*symbol, Freedom::AnySign)).collect();
    let freed = domain.freed(&model.graph, &all);
    if holds(model, &freed) {
        return;
    }
    let mut free: Vec<(Symbol, Freedom)> = Vec::new();
    for symbol in candidates {
        free.push((symbol, Freedom::AnySign));
        let freed = domain.freed(&model.graph, &free);
        if holds(model, &freed) {
            continue;
        }
        free.pop();
        let zero = domain.freed(&model.graph, &[(symbol, Freedom::Zero)]);
        let strictly = !holds(model, &zero);
        match used.iter_mut().find(|(known, _)| *known == symbol) {
            Some((_, known)) => *known |= strictly,
            None => used.push((symbol, strictly)),
        }
    }
}

/// Adds these signs to the conditions that `prepare` checks.
pub(super) fn add(model: &mut Model, equations: &mut Equations, used: Vec<(Symbol, bool)>) {
    for (symbol, strictly) in used {
        let expression = model.graph.symbol(symbol);
        match equations.positivity.iter_mut().find(|known| known.expression == expression) {
            Some(known) => known.strictly |= strictly,
            None => equations.positivity.push(Positivity { expression, strictly }),
        }
    }
}
