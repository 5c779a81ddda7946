//! Warnings about what a block states without effect: names that nothing uses, forces that are 0, terms that add nothing, and coordinates that
//! are coupled with nothing.

use crate::derivation::dissipation;
use crate::graph::{Graph, Id, Node, Symbol, SymbolSet};
use crate::meaning::Model;
use crate::mechanics::{Equations, generalized};
use crate::print;
use crate::report::Mistake;
use crate::syntax::{Binary, Energy, Expr, ExprKind, Spec, StatementKind, Unary, is_joined, plain};
use proc_macro2::Ident;
use std::collections::{BTreeSet, HashMap};

/// Adds the warnings that the statements show. The velocities of coordinates without inertia must not be replaced yet.
pub(super) fn warn_of_statements(spec: &Spec, model: &mut Model) {
    // What a part states without a use of its own, the mechanism around it may use, or couple.
    let may_be_part = spec.statements.iter().any(|it| matches!(it.kind, StatementKind::MayBePart));
    if !may_be_part {
        unused(spec, model);
        uncoupled(model);
    }
    constant_terms(spec, model);
    idle_dissipation(spec, model);
}

/// Whether a name has no warning that it is unused: a name in a part, which the block around the part did not choose, or one with a leading `_`,
/// which says that no use is meant.
fn is_exempt(name: &Ident) -> bool {
    is_joined(name) || plain(name).starts_with('_')
}

/// Warns of fields and definitions that no statement names. An array that only itself uses is unused.
fn unused(spec: &Spec, model: &mut Model) {
    let mut used = BTreeSet::new();
    for statement in &spec.statements {
        let own = definition(&statement.kind).map(|(_, name)| plain(name));
        for expr in statement.kind.expressions().into_iter().chain(statement.kind.bounds()) {
            expr.walk(&mut |part| {
                if let ExprKind::Name(name) | ExprKind::Call { function: name, .. } = &part.kind
                    && own.as_ref() != Some(&plain(name))
                {
                    used.insert(plain(name));
                }
                // The bounds of sums and integrals are among the parts.
                if let ExprKind::Integral { nodes: Some(nodes), .. } = &part.kind {
                    nodes.walk(&mut |node| {
                        if let ExprKind::Name(name) = &node.kind {
                            used.insert(plain(name));
                        }
                    });
                }
            });
        }
    }
    let is_unused = |name: &Ident| !is_exempt(name) && !used.contains(&plain(name));
    for field in spec.item.fields.iter().filter(|field| !field.is_input && is_unused(&field.ident)) {
        model.warnings.add(Mistake::UnusedField { field: plain(&field.ident) }, &field.ident);
    }
    let mut told = BTreeSet::new();
    for statement in &spec.statements {
        let Some((keyword, name)) = definition(&statement.kind) else { continue };
        if is_unused(name) && told.insert(plain(name)) {
            let mistake = Mistake::UnusedDefinition { keyword: keyword.to_owned(), name: plain(name) };
            model.warnings.add(mistake, name);
        }
    }
}

/// The keyword and the name of a definition.
fn definition(kind: &StatementKind) -> Option<(&'static str, &Ident)> {
    Some(match kind {
        StatementKind::Let { name, .. } => ("let", name),
        StatementKind::Const { name, .. } => ("const", name),
        StatementKind::Table { name, .. } => ("table", name),
        StatementKind::Extern(function) => ("extern", &function.name),
        _ => return None,
    })
}

/// Warns of stated forces with a generalized force of 0, and of frictions with a bound of 0.
pub(super) fn warn_of_idle_forces(model: &mut Model, equations: &Equations) {
    let Model { graph, physics, places, warnings, .. } = model;
    let stated = physics.forces.iter().zip(&places.forces).zip(&equations.powers);
    for ((force, place), power) in stated {
        // A force without power, such as a gyroscopic one, may still act.
        let acts = || {
            let mut scratch = graph.clone();
            let rows = generalized(&mut scratch, physics, &force.left, &force.right);
            rows.into_iter().any(|row| !scratch.is_zero(row))
        };
        if graph.is_zero(power.value) && !acts() {
            warnings.add(Mistake::IdleForce { force: force.name.clone() }, *place);
        }
    }
    // A bound of 0 is a mistake where a derived equation contains the force.
    let dry = physics.loaded.iter().zip(&places.loaded).filter(|(friction, _)| friction.part[0] == 0);
    let dry = dry.filter(|(friction, _)| graph.is_zero(friction.slip.bound));
    let dry = dry.map(|(friction, place)| (&friction.name, place));
    let smooth = physics.smooth.iter().zip(&places.smooth).filter(|(friction, _)| graph.is_zero(friction.bound));
    for (friction, place) in dry.chain(smooth.map(|(friction, places)| (&friction.name, &places[0]))) {
        warnings.add(Mistake::IdleFriction { friction: friction.clone() }, *place);
    }
}

/// What the names in a block stand for, as far as their text shows.
struct Texts<'s> {
    definitions: HashMap<String, Vec<&'s Expr>>,
    /// The names of coordinates, states, modes and inputs.
    moving: BTreeSet<String>,
}

impl<'s> Texts<'s> {
    fn of(spec: &'s Spec, model: &Model) -> Self {
        let mut definitions: HashMap<String, Vec<&Expr>> = HashMap::new();
        for statement in &spec.statements {
            if let StatementKind::Let { name, value, .. } = &statement.kind {
                definitions.entry(plain(name)).or_default().push(value);
            }
        }
        Self { definitions, moving: model.coordinates.iter().map(|named| plain(&named.ident)).collect() }
    }

    /// Whether something in an expression, or in what its names stand for, passes a test.
    fn any(&self, expr: &Expr, test: impl Fn(&Expr) -> bool) -> bool {
        let (mut open, mut seen, mut found) = (vec![expr], BTreeSet::new(), false);
        while let Some(next) = open.pop() {
            next.walk(&mut |part| {
                found |= test(part);
                if let ExprKind::Name(name) = &part.kind
                    && let Some(values) = self.definitions.get(&plain(name))
                    && seen.insert(plain(name))
                {
                    open.extend(values);
                }
            });
        }
        found
    }

    fn names_what_moves(&self, part: &Expr) -> bool {
        matches!(&part.kind, ExprKind::Name(name) if self.moving.contains(&plain(name)))
    }
}

/// Whether an expression is a name of a part, which the block around the part did not write.
fn is_of_part(part: &Expr) -> bool {
    matches!(&part.kind, ExprKind::Name(name) if is_joined(name))
}

/// The terms of a sum as written, without those that are 0.
fn summands(expr: &Expr) -> Vec<&Expr> {
    let (mut open, mut found) = (vec![expr], Vec::new());
    while let Some(next) = open.pop() {
        match &next.kind {
            ExprKind::Binary(Binary::Add | Binary::Subtract, left, right) => open.extend([&**right, &**left]),
            ExprKind::Unary(Unary::Negate, operand) => open.push(operand),
            ExprKind::Number(number) if number.is_zero() => {}
            _ => found.push(next),
        }
    }
    found
}

/// Warns of terms of the energies that depend on nothing that moves. A constant term of the potential is left out: it is a choice of its zero.
fn constant_terms(spec: &Spec, model: &mut Model) {
    let texts = Texts::of(spec, model);
    let mut found = Vec::new();
    for statement in &spec.statements {
        let StatementKind::Energy { energy, value, .. } = &statement.kind else { continue };
        if *energy == Energy::Dissipation {
            continue;
        }
        for term in summands(value) {
            let is_chosen = *energy == Energy::Potential && !texts.any(term, is_time);
            let acts = |part: &Expr| texts.names_what_moves(part) || is_of_part(part);
            if !is_chosen && !texts.any(term, acts) {
                let energy = energy.keyword().to_owned();
                found.push((Mistake::ConstantTerm { energy, term: term.to_string() }, term.place));
            }
        }
    }
    found.into_iter().for_each(|(mistake, place)| model.warnings.add(mistake, place));
}

/// Warns of a term of the dissipation that depends on no velocity. A constant is left out, which is a choice of where the dissipation is 0. Terms
/// with quantities of parts are left out too, which may stand still in this mechanism.
fn idle_dissipation(spec: &Spec, model: &mut Model) {
    let Some(dissipation) = model.physics.dissipation else { return };
    let graph = &model.graph;
    let velocities = graph.symbol_set(model.physics.mechanical_velocity_symbols());
    let terms = terms_of(graph, dissipation).into_iter().flat_map(|term| terms_of_factor(graph, term, &velocities));
    let moving = |symbol| matches!(symbol, Symbol::Coordinate(_) | Symbol::Velocity(_) | Symbol::Time);
    let is_idle = |term: &Id| graph.contains(*term, moving) && !graph.touches(*term, &velocities);
    let idle = terms.into_iter().find(is_idle);
    let has_parts = spec.item.fields.iter().any(|field| is_joined(&field.ident));
    if let Some(term) = idle.filter(|_| !has_parts) {
        let term = print::text(graph, term, &model.naming());
        model.warnings.add(Mistake::IdleDissipation { term }, dissipation::place(spec, model));
    }
}

/// Whether an expression is the time.
fn is_time(part: &Expr) -> bool {
    matches!(&part.kind, ExprKind::Name(name) if plain(name) == "t")
}

/// Warns of coordinates that only an inertia of their own contains. A coordinate that shares a parameter with other terms of L, as the
/// components of the position of one body share its mass, is left out: it moves uniformly because nothing is meant to act along it.
fn uncoupled(model: &mut Model) {
    let Model { graph, physics, coordinates, warnings, .. } = model;
    let mechanical = physics.mechanical();
    let others = physics.beside_energies();
    let terms = terms_of(graph, physics.lagrangian);
    for (index, coordinate) in (0..).zip(&coordinates[..mechanical]).filter(|_| physics.coordinates > 1) {
        let own = [Symbol::Coordinate(index), Symbol::Velocity(index)];
        let set = graph.symbol_set(own);
        if others.iter().any(|id| graph.touches(*id, &set)) {
            continue;
        }
        let (inertia, rest): (Vec<Id>, Vec<Id>) = terms.iter().partition(|term| graph.touches(**term, &set));
        let is_inertia = |symbol| matches!(symbol, Symbol::Parameter(_)) || symbol == own[1];
        let parameters = |terms: &[Id]| parameters(graph, terms);
        let (of_inertia, of_rest) = (parameters(&inertia), parameters(&rest));
        if inertia.iter().all(|term| graph.symbols(*term).all(is_inertia))
            && !of_inertia.is_empty()
            && of_inertia.is_disjoint(&of_rest)
        {
            warnings.add(Mistake::UncoupledCoordinate { coordinate: coordinate.name.clone() }, &coordinate.ident);
        }
    }
}

/// The terms of a sum of sums. Constants of sums are left out.
fn terms_of(graph: &Graph, sum: Id) -> Vec<Id> {
    let (mut open, mut found) = (vec![sum], Vec::new());
    while let Some(next) = open.pop() {
        match graph.node(next) {
            Node::Sum { terms, .. } => open.extend(terms.iter().map(|(term, _)| *term)),
            _ => found.push(next),
        }
    }
    found
}

/// The terms of a sum among the factors of a product whose other factors have no velocities, or else the product.
fn terms_of_factor(graph: &Graph, product: Id, velocities: &SymbolSet) -> Vec<Id> {
    let factors = graph.factors(product);
    let mut moving = factors.iter().filter(|(factor, _)| graph.touches(*factor, velocities));
    match (moving.next(), moving.next()) {
        (Some((sum, power)), None) if power.is_one() && matches!(graph.node(*sum), Node::Sum { .. }) => {
            terms_of(graph, *sum)
        }
        _ => vec![product],
    }
}

/// The parameters in expressions.
fn parameters(graph: &Graph, of: &[Id]) -> BTreeSet<u32> {
    let parameter = |symbol| match symbol {
        Symbol::Parameter(index) => Some(index),
        _ => None,
    };
    of.iter().flat_map(|id| graph.symbols(*id)).filter_map(parameter).collect()
}
