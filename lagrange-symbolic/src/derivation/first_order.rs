//! Coordinates without inertia in the model: they become states.

use crate::graph::{Node, Symbol};
use crate::meaning::Model;
use crate::mechanics::Resolved;
use crate::physics::State;
use crate::prove::{Continuity, continuity};
use crate::report::{Mistake, Report};

/// Fails where an equation jumps in the rate that an iteration finds, as under dry friction: no rate may solve it.
pub(super) fn continuous(model: &Model, resolved: &Resolved) -> Result<(), Report> {
    let mut report = Report::new();
    for row in &resolved.implicit {
        let moving = |symbol| matches!(symbol, Symbol::Acceleration(_));
        if let Continuity::Jumps(_) = continuity(&model.graph, row.residual, &model.domain, &moving) {
            let coordinate = &model.coordinates[row.coordinate as usize];
            report.add(Mistake::JumpingVelocity { coordinate: coordinate.name.clone() }, &coordinate.ident);
        }
    }
    report.propagate(())
}

/// Fails where a change of a mode assigns to the rate of a coordinate without inertia, which follows from the state.
fn assigned_rates(model: &Model) -> Result<(), Report> {
    let mut report = Report::new();
    for (change, places) in model.physics.changes.iter().zip(&model.places.changes) {
        for ((target, _), &place) in change.assigned.iter().zip(places) {
            if !matches!(model.graph.node(*target), Node::Symbol(_)) {
                let found = "the rate of a coordinate without inertia".to_owned();
                report.add(Mistake::ModeTarget { mode: change.mode.clone(), found }, place);
            }
        }
    }
    report.propagate(())
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
    let outputs = model.physics.outputs.iter().zip(&model.places.outputs);
    let named = outputs.map(|(output, &place)| (output.value, place));
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
    assigned_rates(model)?;
    let state = |&rate| State { name: String::new(), rate, guard: None, inertia: None };
    model.physics.states.splice(0..0, resolved.rates.iter().map(state));
    model.vocabulary.rows.coordinates = first;
    Ok(())
}
