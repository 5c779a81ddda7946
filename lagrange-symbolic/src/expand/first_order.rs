//! Coordinates without inertia in the model: they become states.

use crate::graph::Symbol;
use crate::meaning::{Model, State};
use crate::mechanics::{Physics, Resolved, without_inertia};
use crate::prove::{Continuity, continuity};
use crate::report::{Mistake, Report};

/// Finds the coordinates without inertia. `physics` is that of the model.
///
/// # Errors
/// A coordinate without inertia that is declared before one with inertia. Its value stands behind the values of those, so that
/// the order of the block would not be that of the state. A coordinate without inertia in a contact.
pub(super) fn find(model: &mut Model, physics: &Physics) -> Result<(), Report> {
    // A copy of the graph, so that the derivation of other mechanisms numbers its expressions as if nothing was searched.
    let mut graph = model.graph.clone();
    let found = without_inertia(&mut graph, physics);
    if graph.is_exhausted() {
        // Nothing is known. The derivation needs at least as many expressions, and its limit is the error.
        return Ok(());
    }
    let found = found.map_err(|(light, contact)| {
        let coordinate = &model.coordinates[light as usize];
        let mistake = Mistake::ContactWithoutInertia { coordinate: coordinate.name.clone(), contact };
        Report::of(mistake, (&coordinate.ident).into())
    })?;
    let first = model.mechanical() - found.len();
    let name = |index: usize| model.coordinates[index].name.clone();
    if let Some(&early) = found.iter().find(|&&index| (index as usize) < first) {
        let last = (0..model.mechanical()).rev().find(|&index| !found.contains(&(index as u32)));
        let mistake = Mistake::WithoutInertiaFirst {
            coordinate: name(early as usize),
            other: last.map(name).unwrap_or_default(),
        };
        return Err(Report::of(mistake, (&model.coordinates[early as usize].ident).into()));
    }
    model.without_inertia = found.into_iter().map(|index| name(index as usize)).collect();
    Ok(())
}

/// Reports the rates that an iteration finds and in which their equation jumps, as under dry friction: no rate may solve it.
pub(super) fn continuous(model: &Model, resolved: &Resolved) -> Report {
    let mut report = Report::new();
    for row in &resolved.implicit {
        let moving = |symbol| matches!(symbol, Symbol::Acceleration(_));
        if let Continuity::Jumps(_) = continuity(&model.graph, row.residual, &model.domain, &moving) {
            let coordinate = &model.coordinates[row.coordinate as usize];
            report.add(Mistake::JumpingVelocity { coordinate: coordinate.name.clone() }, &coordinate.ident);
        }
    }
    report
}

/// Makes states of the coordinates without inertia, with the rates that their equations give.
///
/// # Errors
/// The outputs and definitions with a second derivative that would need the derivative of an input.
pub(super) fn resolve(model: &mut Model, resolved: &Resolved) -> Result<(), Report> {
    if resolved.rates.is_empty() {
        return Ok(());
    }
    let first = (model.mechanical() - resolved.rates.len()) as u32;
    let mut report = Report::new();
    let named = model.outputs.iter().map(|output| (output.value, output.place));
    let defined = model.lets.iter().flat_map(|item| item.values.iter().map(|&value| (value, (&item.ident).into())));
    for (value, place) in named.chain(defined) {
        for (i, &rate) in (first..).zip(&resolved.rates) {
            let input = model.graph.symbols(rate).find_map(|symbol| match symbol {
                Symbol::Input(input) => Some(input),
                _ => None,
            });
            if let Some(input) = input.filter(|_| model.graph.depends_on(value, Symbol::Acceleration(i))) {
                report.add(Mistake::InputRate { input: model.inputs[input as usize].name.clone() }, place);
                break;
            }
        }
    }
    report.propagate(())?;
    model.substitute(&resolved.replaced);
    model.resolved = (first..).map(Symbol::Acceleration).zip(resolved.rates.iter().copied()).collect();
    let states: Vec<State> = resolved.rates.iter().map(|&rate| State { rate }).collect();
    model.states.splice(0..0, states);
    model.vocabulary.rows.coordinates = first;
    Ok(())
}
