//! Checks which symbols an energy, a force, a constraint, an invariant or an assumption depends on.

use super::elaborate::Stated;
use super::jump;
use super::scope::Scope;
use super::value::{Shape, Value};
use crate::calculus::derivative;
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, Symbol};
use crate::physics::{Assumption, Row};
use crate::prove::{Domain, continuity, continuity_of_angle, vanishes_in};
use crate::report::{Mistake, Place};
use crate::syntax::{ConstraintKind, Energy, Expr, ExprKind};

/// Checks an energy. It must be free of accelerations, and in L, T and V the momentum must be free of inputs.
pub(crate) fn energy(scope: &mut Scope<'_>, energy: Energy, stated: &Stated<'_>) {
    let value = Value::scalar(stated.id);
    let statement = energy.keyword().to_owned();
    if accelerates(scope, stated.expr, &value, || Mistake::SecondDerivative { statement: statement.clone() }) {
        return;
    }
    // D may jump in the coordinates. Where it jumped in a velocity, its force −∂D/∂v would be infinite.
    let moving: fn(Symbol) -> bool = match energy {
        Energy::Dissipation => |symbol| matches!(symbol, Symbol::Velocity(_)),
        _ => |symbol| !matches!(symbol, Symbol::Parameter(_)),
    };
    let jump = |part, smooth| Mistake::Jump { part, statement: statement.clone(), smooth };
    if !jump::is_continuous(scope, stated.expr, &[stated.id], &format!("`{statement}`"), (continuity, moving), jump) {
        return;
    }
    match energy {
        Energy::Kinetic => {
            let mistake = |scope: &Scope<'_>| Mistake::InputInKinetic { input: first_input(scope, &value) };
            refuse(scope, stated.expr, &value, is_input, mistake);
        }
        Energy::Lagrangian | Energy::Potential => {
            let Some(input) = input_in_momentum(scope, stated.id) else { return };
            let part = scope.innermost(stated.expr, &mut |scope, value| {
                value.entries.iter().any(|id| input_in_momentum(scope, *id).is_some())
            });
            let mistake = Mistake::InputWithVelocity { input: scope.input_name(input), statement };
            scope.report.add(mistake, part.place);
        }
        Energy::Dissipation => {}
    }
}

/// Checks the left side of a `force` or a `friction`: a function of q and t that depends on at least one coordinate.
pub(crate) fn force_left(scope: &mut Scope<'_>, statement: &str, expr: &Expr, value: &Value) -> bool {
    position(scope, statement, expr, value) && acts(scope, expr, value)
}

/// Checks the slip of a `friction` that is stated by its position.
pub(crate) fn slip(scope: &mut Scope<'_>, name: &str, expr: &Expr, value: &Value) -> bool {
    position(scope, "friction", expr, value) && slides(scope, &format!("the slip of `friction {name}`"), expr, value)
}

/// Checks that not all velocities of an expression are those of virtual displacements, or not all coordinates where it has no velocities.
fn moves(scope: &mut Scope<'_>, what: &str, place: Place, id: Id) -> bool {
    let is_velocity = |symbol: &Symbol| matches!(symbol, Symbol::Velocity(_));
    let symbols: Vec<Symbol> = scope.graph.symbols(id).collect();
    let has_velocities = symbols.iter().any(is_velocity);
    let counts = |symbol: &Symbol| if has_velocities { is_velocity(symbol) } else { is_coordinate(*symbol) };
    let mut counted = symbols.iter().filter(|symbol| counts(symbol)).peekable();
    let moves = counted.peek().is_none() || counted.any(|symbol| !symbol.is_virtual());
    if !moves {
        scope.report.add(Mistake::VirtualAlone { what: what.to_owned() }, place);
    }
    moves
}

/// Checks that each component of a slip or a gap, of which `what` is the name, depends on coordinates.
pub(crate) fn slides(scope: &mut Scope<'_>, what: &str, expr: &Expr, value: &Value) -> bool {
    acts(scope, expr, value) && value.entries.iter().all(|id| moves(scope, what, expr.place, *id))
}

/// Checks that a quantity on which a force acts depends on a coordinate.
pub(crate) fn acts(scope: &mut Scope<'_>, expr: &Expr, value: &Value) -> bool {
    let acts = value.entries.iter().any(|id| scope.graph.contains(*id, is_coordinate));
    if !acts {
        scope.report.add(Mistake::ForceOnNothing { left: expr.to_string() }, expr.place);
    }
    acts
}

/// Checks the gap or the slip of a contact: a function of q and t.
pub(crate) fn contact_part(scope: &mut Scope<'_>, name: &str, what: &str, expr: &Expr, value: &Value) -> bool {
    let is_refused =
        |symbol| !matches!(symbol, Symbol::Coordinate(_) | Symbol::Parameter(_) | Symbol::Time | Symbol::Dummy(_));
    let part =
        scope.innermost(expr, &mut |scope, value| value.entries.iter().any(|id| scope.graph.contains(*id, is_refused)));
    let text = part.to_string();
    // Whoever states a velocity as the slip means its rate, or the displacement with this rate.
    let is_velocity = |symbol| matches!(symbol, Symbol::Velocity(_));
    let is_rate = value.entries.iter().any(|id| scope.graph.contains(*id, is_velocity));
    let help = match &expr.kind {
        _ if what != "slip" || !is_rate => String::new(),
        ExprKind::Call { function, arguments } if function == "dot" && arguments.len() == 1 => {
            format!(": write `slip = {}`, or its rate as `slip = rate({expr})`", arguments[0])
        }
        _ => format!(", the displacement along the surfaces; its rate is written `slip = rate({expr})`"),
    };
    let mistake = |_: &Scope<'_>| Mistake::ContactMoves {
        name: name.to_owned(),
        what: what.to_owned(),
        part: text.clone(),
        help: help.clone(),
    };
    if refuse(scope, expr, value, is_refused, mistake) {
        return false;
    }
    let what = format!("the {what} of `contact {name}`");
    let jump = |part, smooth| Mistake::JumpInPosition { part, what: what.clone(), smooth };
    jump::is_continuous(scope, expr, &value.entries, &what, (continuity_of_angle, is_coordinate), jump)
}

/// Checks a stated slip rate: a function of q, v and t, linear in the velocities, of which each component contains one.
pub(crate) fn slip_rate(scope: &mut Scope<'_>, name: &str, expr: &Expr, value: &Value) -> bool {
    let is_velocity = |symbol| matches!(symbol, Symbol::Velocity(_));
    let states: Vec<Symbol> = value.entries.iter().flat_map(|id| scope.graph.symbols(*id)).collect();
    let is_state_of =
        |scope: &Scope<'_>, symbol| scope.state(symbol).is_some() || scope.state_of_rate(symbol).is_some();
    let states: Vec<Symbol> = states.into_iter().filter(|symbol| is_state_of(scope, *symbol)).collect();
    let mut is_refused = |scope: &mut Scope<'_>, value: &Value| {
        value.shape != Shape::Condition
            && value.entries.iter().any(|id| {
                let has = |symbol| {
                    matches!(symbol, Symbol::Acceleration(_) | Symbol::Input(_) | Symbol::Multiplier(_))
                        || states.contains(&symbol)
                };
                scope.graph.contains(*id, has) || is_nonlinear(scope, *id)
            })
    };
    if is_refused(scope, value) {
        let part = scope.innermost(expr, &mut is_refused);
        let mistake = Mistake::SlipRate { name: name.to_owned(), part: part.to_string() };
        scope.report.add(mistake, part.place);
        return false;
    }
    if !value.entries.iter().all(|id| scope.graph.contains(*id, is_velocity)) {
        scope.report.add(Mistake::NoSlipRate { name: name.to_owned(), found: expr.to_string() }, expr.place);
        return false;
    }
    let what = format!("the slip rate of `{name}`");
    if !value.entries.iter().all(|id| moves(scope, &what, expr.place, *id)) {
        return false;
    }
    let jump = |part, smooth| Mistake::JumpInPosition { part, what: what.clone(), smooth };
    jump::is_continuous(scope, expr, &value.entries, &what, (continuity, is_state), jump)
}

/// Checks a function of q and t.
fn position(scope: &mut Scope<'_>, statement: &str, expr: &Expr, value: &Value) -> bool {
    let statement = || statement.to_owned();
    let is_velocity = |symbol| matches!(symbol, Symbol::Velocity(_) | Symbol::Acceleration(_));
    if contains_state(scope, expr, value, |state| Mistake::StateInLeft { state, statement: statement() }) {
        return false;
    }
    if refuse(scope, expr, value, is_velocity, |_| Mistake::VelocityInLeft { statement: statement() }) {
        return false;
    }
    let input = |scope: &Scope<'_>| Mistake::InputInLeft { input: first_input(scope, value), statement: statement() };
    if refuse(scope, expr, value, is_input, input) {
        return false;
    }
    let what = format!("the left side of `{}`", statement());
    let jump = |part, smooth| Mistake::JumpInPosition { part, what: what.clone(), smooth };
    jump::is_continuous(scope, expr, &value.entries, &what, (continuity_of_angle, is_coordinate), jump)
}

/// Checks the right side of a force: any function without accelerations.
pub(crate) fn force_right(scope: &mut Scope<'_>, expr: &Expr, value: &Value) -> bool {
    !accelerates(scope, expr, value, || Mistake::SecondDerivativeInForce {})
}

/// Checks the restitution of a contact: a function of parameters, q, t and the speed of approach.
pub(crate) fn restitution(scope: &mut Scope<'_>, name: &str, expr: &Expr, value: &Value) -> bool {
    let moves = |symbol| {
        matches!(symbol, Symbol::Velocity(_) | Symbol::Acceleration(_) | Symbol::Input(_) | Symbol::Multiplier(_))
    };
    let part =
        scope.innermost(expr, &mut |scope, value| value.entries.iter().any(|id| scope.graph.contains(*id, moves)));
    let text = part.to_string();
    !refuse(scope, expr, value, moves, |_| Mistake::RestitutionMoves { name: name.to_owned(), part: text.clone() })
}

/// Checks the right side of a state's equation: a scalar function of q, v, t, u and the states.
pub(crate) fn state_right(scope: &mut Scope<'_>, name: &str, expr: &Expr, value: &Value) -> bool {
    !accelerates(scope, expr, value, || Mistake::SecondDerivativeInState { name: name.to_owned() })
}

/// Reports the innermost part with a state in it, if there is one.
fn contains_state(scope: &mut Scope<'_>, expr: &Expr, value: &Value, mistake: impl Fn(String) -> Mistake) -> bool {
    contains_state_beside(scope, &[], expr, value, mistake)
}

/// Reports the innermost part with a state in it that is none of the `allowed` ones, if there is one.
fn contains_state_beside(
    scope: &mut Scope<'_>,
    allowed: &[Symbol],
    expr: &Expr,
    value: &Value,
    mistake: impl Fn(String) -> Mistake,
) -> bool {
    let symbols: Vec<Symbol> = value.entries.iter().flat_map(|id| scope.graph.symbols(*id)).collect();
    let is_refused = |symbol: &Symbol| scope.state(*symbol).is_some() && !allowed.contains(symbol);
    let Some(symbol) = symbols.into_iter().find(is_refused) else { return false };
    let name = scope.state(symbol).unwrap_or_default().to_owned();
    refuse(scope, expr, value, |other| other == symbol, |_| mistake(name.clone()))
}

/// Reports the innermost part with the rate of a state or an acceleration in it, if there is one.
fn accelerates(scope: &mut Scope<'_>, expr: &Expr, value: &Value, mistake: impl Fn() -> Mistake) -> bool {
    let symbols: Vec<Symbol> = value.entries.iter().flat_map(|id| scope.graph.symbols(*id)).collect();
    let Some(symbol) = symbols.into_iter().find(|symbol| scope.state_of_rate(*symbol).is_some()) else {
        return refuse(scope, expr, value, is_acceleration, |_| mistake());
    };
    let state = scope.state_of_rate(symbol).unwrap_or_default().to_owned();
    refuse(scope, expr, value, |other| other == symbol, |_| Mistake::StateRate { state: state.clone() })
}

/// Checks the condition under which a constraint holds: it contains modes, and nothing else that changes.
pub(crate) fn switch(scope: &mut Scope<'_>, name: &str, expr: &Expr, value: &Value) -> bool {
    let modes: Vec<Symbol> = value.entries.iter().flat_map(|id| scope.graph.symbols(*id)).collect();
    let modes: Vec<Symbol> = modes.into_iter().filter(|symbol| scope.graph.is_mode(*symbol)).collect();
    let is_refused = |symbol| !matches!(symbol, Symbol::Parameter(_)) && !modes.contains(&symbol);
    let part =
        scope.innermost(expr, &mut |scope, value| value.entries.iter().any(|id| scope.graph.contains(*id, is_refused)));
    let text = part.to_string();
    let mistake = |_: &Scope<'_>| Mistake::LatchCondition { name: name.to_owned(), part: text.clone() };
    if refuse(scope, expr, value, is_refused, mistake) {
        return false;
    }
    if modes.is_empty() {
        scope.report.add(Mistake::LatchWithoutMode { name: name.to_owned() }, expr.place);
    }
    !modes.is_empty()
}

/// Checks a side of a constraint: a function of q and t, or of q, v and t where the constraint is nonholonomic. Where modes switch it and it is
/// holonomic (`takes_modes`), it may contain modes.
pub(crate) fn constraint_side(
    scope: &mut Scope<'_>,
    (kind, takes_modes): (ConstraintKind, bool),
    name: &str,
    expr: &Expr,
    value: &Value,
) -> bool {
    let named = || name.to_owned();
    let modes: Vec<Symbol> = value.entries.iter().flat_map(|id| scope.graph.symbols(*id)).collect();
    let modes: Vec<Symbol> = modes.into_iter().filter(|symbol| takes_modes && scope.graph.is_mode(*symbol)).collect();
    let input = |scope: &Scope<'_>| Mistake::InputInConstraint { input: first_input(scope, value), name: named() };
    let refused = accelerates(scope, expr, value, || Mistake::AccelerationInConstraint { name: named() })
        || contains_state_beside(scope, &modes, expr, value, |state| Mistake::StateInConstraint {
            state,
            name: named(),
        })
        || refuse(scope, expr, value, is_input, input);
    if refused {
        return false;
    }
    let what = format!("{} `{name}`", kind.keyword());
    let jump = |part, smooth| Mistake::JumpInPosition { part, what: what.clone(), smooth };
    if !jump::is_continuous(scope, expr, &value.entries, &what, (continuity, is_state), jump) {
        return false;
    }
    if kind == ConstraintKind::Holonomic {
        let is_velocity = |symbol| matches!(symbol, Symbol::Velocity(_)) && !modes.contains(&symbol);
        return !refuse(scope, expr, value, is_velocity, |_| Mistake::VelocityInConstraint { name: named() });
    }
    if value.entries.iter().any(|id| is_nonlinear(scope, *id)) {
        let part = scope.innermost(expr, &mut |scope, value| {
            value.shape != Shape::Condition && value.entries.iter().any(|id| is_nonlinear(scope, *id))
        });
        let mistake = Mistake::NonlinearInVelocities { part: part.to_string(), name: named() };
        scope.report.add(mistake, part.place);
        return false;
    }
    true
}

/// Checks that a row restricts the coordinates or the velocities.
pub(crate) fn constraint_row(
    scope: &mut Scope<'_>,
    kind: ConstraintKind,
    name: &str,
    row: Id,
    place: Place,
) -> Option<()> {
    let row_name = name.to_owned();
    moves(scope, &format!("{} `{name}`", kind.keyword()), place, row).then_some(())?;
    let mistake = match kind {
        ConstraintKind::Holonomic if !scope.graph.contains(row, is_coordinate) => {
            Mistake::ConstraintOnNothing { row: row_name }
        }
        ConstraintKind::Nonholonomic if !scope.graph.contains(row, |symbol| matches!(symbol, Symbol::Velocity(_))) => {
            Mistake::NoVelocity { row: row_name }
        }
        _ => return Some(()),
    };
    scope.report.add(mistake, place);
    None
}

/// Checks an invariant: a function of coordinates, velocities and t.
pub(crate) fn invariant(scope: &mut Scope<'_>, expr: &Expr, value: &Value) -> bool {
    let input = |scope: &Scope<'_>| Mistake::InputInInvariant { input: first_input(scope, value) };
    !(accelerates(scope, expr, value, || Mistake::AccelerationInInvariant {})
        || refuse(scope, expr, value, is_input, input))
}

/// Checks a part of a symmetry: a function of coordinates, velocities, t and parameters.
pub(crate) fn symmetry(scope: &mut Scope<'_>, expr: &Expr, value: &Value, name: &str) -> bool {
    let found = value.entries.iter().flat_map(|id| scope.graph.symbols(*id)).find_map(|symbol| {
        let what = match symbol {
            Symbol::Input(input) => format!("input `{}`", scope.input_name(input)),
            Symbol::Velocity(_) => format!("state `{}`", scope.state(symbol)?),
            Symbol::Acceleration(_) => "a second derivative".to_owned(),
            Symbol::Multiplier(_) => "a multiplier".to_owned(),
            _ => return None,
        };
        Some((symbol, what))
    });
    let Some((symbol, what)) = found else { return true };
    let mistake = |_: &Scope<'_>| Mistake::SymmetryContent { name: name.to_owned(), what: what.clone() };
    !refuse(scope, expr, value, |other| other == symbol, mistake)
}

/// Checks quaternions that consist of four coordinates. Each of these must occur in a holonomic constraint, which
/// preserves the length.
pub(crate) fn quaternions(scope: &mut Scope<'_>, constraints: &[Row]) {
    let mut seen: Vec<Vec<Id>> = Vec::new();
    for (entries, text, place) in std::mem::take(&mut scope.quaternions) {
        let coordinates = entries.iter().filter_map(|id| match scope.graph.node(*id) {
            Node::Symbol(symbol @ Symbol::Coordinate(_)) => Some(*symbol),
            _ => None,
        });
        let coordinates: Vec<Symbol> = coordinates.collect();
        let is_bound = |symbol: &Symbol| constraints.iter().any(|row| scope.graph.depends_on(row.value, *symbol));
        if coordinates.len() == 4 && !coordinates.iter().all(is_bound) && !seen.contains(&entries) {
            seen.push(entries);
            scope.report.add(Mistake::QuaternionLength { quaternion: text }, place);
        }
    }
}

/// Checks an assumption: a condition on parameters that is not a false statement about numbers.
pub(crate) fn assumption(scope: &mut Scope<'_>, expr: &Expr, value: Id) -> bool {
    let is_moving = |symbol| !matches!(symbol, Symbol::Parameter(_));
    if scope.graph.contains(value, is_moving) {
        let part = scope
            .innermost(expr, &mut |scope, value| value.entries.iter().any(|id| scope.graph.contains(*id, is_moving)));
        scope.report.add(Mistake::MovingAssumption { part: part.to_string() }, part.place);
        return false;
    }
    let is_false = scope.graph.as_number(value).is_some_and(|value| *value <= Rational::ZERO);
    if is_false {
        scope.report.add(Mistake::FalseAssumption { text: expr.to_string() }, expr.place);
    }
    !is_false
}

/// Sets the domain of the scope. Reports assumptions that no parameters satisfy together.
pub(crate) fn domain(scope: &mut Scope<'_>, assumptions: &[(Assumption, Place)], continuous: Vec<Id>) {
    let values: Vec<Id> = assumptions.iter().map(|(assumption, _)| assumption.value).collect();
    let domain = |scope: &Scope<'_>, count: usize| Domain::new(&scope.graph, &values[..count], &continuous);
    let all = domain(scope, values.len());
    if !all.has_parameters(&scope.graph) {
        let first = (1..=values.len()).find(|&count| !domain(scope, count).has_parameters(&scope.graph));
        let (last, place) = &assumptions[first.unwrap_or(values.len()) - 1];
        scope.report.add(Mistake::ContradictoryAssumption { text: last.text.clone() }, *place);
    }
    scope.domain = all;
}

/// Whether a value is not linear in the velocities: a second derivative by velocities does not vanish.
fn is_nonlinear(scope: &mut Scope<'_>, id: Id) -> bool {
    let (graph, domain) = (&mut scope.graph, &scope.domain);
    let velocities: Vec<Symbol> = graph.symbols(id).filter(|symbol| matches!(symbol, Symbol::Velocity(_))).collect();
    let slopes: Vec<Id> = velocities.iter().map(|velocity| derivative(graph, &[id], *velocity)[0]).collect();
    if slopes.iter().any(|slope| switches_on_velocity(graph, *slope)) {
        return true;
    }
    velocities.iter().any(|velocity| {
        let second_derivatives = derivative(graph, &slopes, *velocity);
        second_derivatives.iter().any(|second_derivative| !vanishes_in(graph, *second_derivative, domain))
    })
}

/// Whether a velocity decides a sign or a branch of a value.
fn switches_on_velocity(graph: &Graph, id: Id) -> bool {
    let moves = |id: &Id| graph.contains(*id, |symbol| matches!(symbol, Symbol::Velocity(_)));
    graph.reachable(&[id]).into_iter().any(|node| match graph.node(node) {
        Node::Compare(_, left, right) => moves(left) || moves(right),
        Node::Call(
            Function::Sign | Function::Floor | Function::Mod | Function::Min | Function::Max | Function::RecipOrZero,
            arguments,
        ) => arguments.iter().any(moves),
        _ => false,
    })
}

fn is_state(symbol: Symbol) -> bool {
    matches!(symbol, Symbol::Coordinate(_) | Symbol::Velocity(_) | Symbol::Time)
}

fn is_coordinate(symbol: Symbol) -> bool {
    matches!(symbol, Symbol::Coordinate(_))
}

/// Reports the innermost part that depends on a symbol of the refused kind, if there is one.
fn refuse(
    scope: &mut Scope<'_>,
    expr: &Expr,
    value: &Value,
    refused: impl Fn(Symbol) -> bool + Copy,
    mistake: impl Fn(&Scope<'_>) -> Mistake,
) -> bool {
    let holds = |graph: &Graph, value: &Value| value.entries.iter().any(|id| graph.contains(*id, refused));
    let found = holds(&scope.graph, value);
    if found {
        let part = scope.innermost(expr, &mut |scope, value| holds(&scope.graph, value));
        let mistake = mistake(scope);
        scope.report.add(mistake, part.place);
    }
    found
}

/// Checks a part of a mode beside a contact or a dry friction, whose phase decides accelerations and multipliers.
pub(super) fn of_known_phases(scope: &mut Scope<'_>, mode: &str, expr: &Expr, value: &Value) -> bool {
    let follows = |symbol| matches!(symbol, Symbol::Acceleration(_) | Symbol::Multiplier(_));
    let is_known = !value.entries.iter().any(|id| scope.graph.contains(*id, follows));
    if !is_known {
        scope.report.add(Mistake::ModeForce { mode: mode.to_owned(), part: expr.to_string() }, expr.place);
    }
    is_known
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

/// An input on which ∂/∂v of an expression depends. A state is a symbol for a velocity, and no velocity in an energy.
fn input_in_momentum(scope: &mut Scope<'_>, id: Id) -> Option<u32> {
    if !scope.graph.contains(id, is_input) {
        return None;
    }
    let is_velocity = |symbol: &Symbol| matches!(symbol, Symbol::Velocity(_)) && scope.state(*symbol).is_none();
    let velocities: Vec<Symbol> = scope.graph.symbols(id).filter(is_velocity).collect();
    velocities.into_iter().find_map(|velocity| {
        let momentum = derivative(&mut scope.graph, &[id], velocity)[0];
        scope.graph.symbols(momentum).find_map(|symbol| if let Symbol::Input(i) = symbol { Some(i) } else { None })
    })
}
