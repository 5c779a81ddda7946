//! What may stand where: which symbols an energy or a side of a force may depend on.

use super::elaborate::Stated;
use super::jump;
use super::message::Mistake;
use super::scope::Scope;
use super::syntax::{Energy, Expr};
use super::value::{Shape, Value};
use crate::diff::derivative;
use crate::expr::{Graph, Id, Symbol};

/// L, T and V must be free of accelerations, and their momentum of inputs.
pub(crate) fn energy(scope: &mut Scope<'_>, energy: Energy, stated: &Stated<'_>) {
    let value = Value::scalar(stated.id);
    let statement = energy.keyword().to_owned();
    if refuse(scope, stated.expr, &value, is_acceleration, |_| Mistake::SecondDerivative {
        statement: statement.clone(),
    }) {
        return;
    }
    if energy != Energy::Dissipation && jump::jumps(&scope.graph, stated.id) {
        let part = scope.blame(stated.expr, &mut |scope, value| {
            value.shape != Shape::Condition && value.entries.iter().any(|id| jump::jumps(&scope.graph, *id))
        });
        scope.report.add(Mistake::Jump { part: part.to_string(), statement: statement.clone() }, part.place);
        return;
    }
    match energy {
        Energy::Kinetic => {
            let mistake = |scope: &Scope<'_>| Mistake::InputInKinetic { input: first_input(scope, &value) };
            refuse(scope, stated.expr, &value, is_input, mistake);
        }
        Energy::Lagrangian | Energy::Potential => {
            let Some(input) = input_in_momentum(&mut scope.graph, stated.id) else { return };
            let part = scope.blame(stated.expr, &mut |scope, value| {
                value.entries.iter().any(|id| input_in_momentum(&mut scope.graph, *id).is_some())
            });
            let mistake = Mistake::InputWithVelocity { input: scope.input_name(input), statement };
            scope.report.add(mistake, part.place);
        }
        Energy::Dissipation => {}
    }
}

/// A function of q and t that depends on a coordinate at least.
pub(crate) fn force_left(scope: &mut Scope<'_>, expr: &Expr, value: &Value) {
    let is_velocity = |symbol| matches!(symbol, Symbol::Velocity(_) | Symbol::Acceleration(_));
    if refuse(scope, expr, value, is_velocity, |_| Mistake::VelocityInLeft {}) {
        return;
    }
    let input = |scope: &Scope<'_>| Mistake::InputInLeft { input: first_input(scope, value) };
    if refuse(scope, expr, value, is_input, input) {
        return;
    }
    let is_coordinate = |symbol| matches!(symbol, Symbol::Coordinate(_));
    if !value.entries.iter().any(|id| scope.graph.contains(*id, is_coordinate)) {
        scope.report.add(Mistake::ForceOnNothing { left: expr.to_string() }, expr.place);
    }
}

/// Anything but accelerations.
pub(crate) fn force_right(scope: &mut Scope<'_>, expr: &Expr, value: &Value) {
    refuse(scope, expr, value, is_acceleration, |_| Mistake::SecondDerivativeInForce {});
}

/// Reports the innermost part that depends on a symbol of the refused kind, if there is one.
fn refuse(
    scope: &mut Scope<'_>,
    expr: &Expr,
    value: &Value,
    refused: fn(Symbol) -> bool,
    mistake: impl Fn(&Scope<'_>) -> Mistake,
) -> bool {
    let holds = |graph: &Graph, value: &Value| value.entries.iter().any(|id| graph.contains(*id, refused));
    let found = holds(&scope.graph, value);
    if found {
        let part = scope.blame(expr, &mut |scope, value| holds(&scope.graph, value));
        let mistake = mistake(scope);
        scope.report.add(mistake, part.place);
    }
    found
}

fn is_acceleration(symbol: Symbol) -> bool {
    matches!(symbol, Symbol::Acceleration(_))
}

fn is_input(symbol: Symbol) -> bool {
    matches!(symbol, Symbol::Input(_))
}

/// The name of the first input that a value depends on.
fn first_input(scope: &Scope<'_>, value: &Value) -> String {
    let inputs = value.entries.iter().flat_map(|id| scope.graph.symbols(*id));
    let first = inputs.filter_map(|symbol| if let Symbol::Input(i) = symbol { Some(i) } else { None }).min();
    first.map(|input| scope.input_name(input)).unwrap_or_default()
}

/// An input on which ∂/∂v of an expression depends.
fn input_in_momentum(graph: &mut Graph, id: Id) -> Option<u32> {
    if !graph.contains(id, is_input) {
        return None;
    }
    let velocities: Vec<Symbol> = graph.symbols(id).filter(|symbol| matches!(symbol, Symbol::Velocity(_))).collect();
    velocities.into_iter().find_map(|velocity| {
        let momentum = derivative(graph, &[id], velocity)[0];
        graph.symbols(momentum).find_map(|symbol| if let Symbol::Input(i) = symbol { Some(i) } else { None })
    })
}
