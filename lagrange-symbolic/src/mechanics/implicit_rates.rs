//! The rates of coordinates without inertia whose equations are not linear in them: functions that the equations define.
//!
//! The rows fall into blocks that are solved one after the other. A block that is linear in its own rates is solved in symbols. For
//! another, the graph gets a function w(a) with r(w, a) = 0. Its arguments a are the largest parts of the rows that are free of the
//! rates, so that they are computed once, outside of the iteration.

use super::convex::strictly_convex;
use super::elimination::solve;
use super::singular::{Regularity, regularity};
use super::without_inertia::{linear, linear_rates};
use super::{Degenerate, Positivity, degenerate};
use crate::calculus::derivative;
use crate::graph::{Defined, Graph, Id, Implicit, Node, Rational, Relation, Symbol, SymbolSet};
use crate::physics::Physics;
use std::collections::HashMap;

/// The rates of coordinates without inertia.
#[derive(Default)]
pub(super) struct Rates {
    /// The rates, in the order of the rows.
    pub(super) values: Vec<Id>,
    /// For each rate, the condition under which it is determined, where that depends on the motion.
    pub(super) guards: Vec<Option<Id>>,
    /// The conditions on parameters.
    pub(super) conditions: Vec<Positivity>,
    /// The rows whose rates an iteration finds.
    pub(super) implicit: Vec<usize>,
}

/// The rates w at which the rows vanish.
///
/// # Errors
/// The rates that the rows do not determine.
pub(super) fn rates(
    graph: &mut Graph,
    physics: &Physics,
    rows: &[Id],
    speeds: &[Symbol],
) -> Result<Rates, Vec<Degenerate>> {
    let zero = graph.zero();
    let mut rates = Rates { values: vec![zero; rows.len()], guards: vec![None; rows.len()], ..Rates::default() };
    let mut known: HashMap<Symbol, Id> = HashMap::new();
    for block in blocks(graph, rows, speeds) {
        let own: Vec<Symbol> = block.iter().map(|&i| speeds[i]).collect();
        let rest: Vec<Id> = block.iter().map(|&i| rows[i]).collect();
        let rest = graph.substitute(&rest, &known);
        let solved = match linear(graph, &rest, &own) {
            Ok((matrix, right)) => linear_rates(graph, &matrix, &right, &own)?,
            Err(_) => nonlinear_rates(graph, physics, (&rest, &own), &known)?,
        };
        rates.implicit.extend(solved.implicit.iter().map(|&i| block[i]));
        rates.conditions.extend(solved.conditions);
        for ((&i, value), guard) in block.iter().zip(solved.values).zip(solved.guards) {
            (rates.values[i], rates.guards[i]) = (value, guard);
            known.insert(speeds[i], value);
        }
    }
    Ok(rates)
}

/// The rows that depend on each other's rates, in an order in which each block needs the rates of earlier ones alone.
fn blocks(graph: &Graph, rows: &[Id], speeds: &[Symbol]) -> Vec<Vec<usize>> {
    let n = rows.len();
    let mut needs: Vec<Vec<bool>> =
        rows.iter().map(|&row| speeds.iter().map(|&speed| graph.depends_on(row, speed)).collect()).collect();
    for k in 0..n {
        let through = needs[k].clone();
        for row in needs.iter_mut().filter(|row| row[k]) {
            row.iter_mut().zip(&through).for_each(|(needs, through)| *needs |= through);
        }
    }
    let mut open: Vec<usize> = (0..n).collect();
    let mut blocks = Vec::new();
    while !open.is_empty() {
        let block_of = |i: usize| -> Vec<usize> {
            open.iter().copied().filter(|&j| i == j || (needs[i][j] && needs[j][i])).collect()
        };
        let is_ready = |block: &[usize]| block.iter().all(|&i| open.iter().all(|j| !needs[i][*j] || block.contains(j)));
        let Some(block) = open.iter().map(|&i| block_of(i)).find(|block| is_ready(block)) else { break };
        open.retain(|i| !block.contains(i));
        blocks.push(block);
    }
    blocks
}

/// The rates of a block as a function that its rows define.
fn nonlinear_rates(
    graph: &mut Graph,
    physics: &Physics,
    (rows, speeds): (&[Id], &[Symbol]),
    known: &HashMap<Symbol, Id>,
) -> Result<Rates, Vec<Degenerate>> {
    let coordinates: Vec<u32> =
        speeds.iter().filter_map(|speed| if let Symbol::Velocity(i) = speed { Some(*i) } else { None }).collect();
    let matrix = slopes(graph, rows, speeds);
    if let Some(i) = (0..rows.len()).find(|&i| graph.is_zero(matrix[i][i])) {
        let jumps = graph.depends_on(rows[i], speeds[i]);
        return Err(vec![Degenerate::NonlinearVelocity { coordinate: coordinates[i], jumps }]);
    }
    undetermined(graph, &matrix, &coordinates)?;

    let unknowns = graph.scratch_symbols(rows.len());
    let mut values = HashMap::new();
    for (&speed, &unknown) in speeds.iter().zip(&unknowns) {
        values.insert(speed, graph.symbol(unknown));
    }
    let replaced = graph.substitute(rows, &values);
    let mut equations = Equations { unknowns: unknowns.clone(), ..Equations::default() };
    let residual = equations.with_arguments(graph, &replaced);
    let slope = slopes(graph, &residual, &unknowns);
    let mut by_argument = Vec::new();
    for &argument in &equations.symbols {
        let column = derivative(graph, &residual, argument);
        let Some((column, _)) = solve(graph, &slope, &column) else {
            let rates = coordinates.iter().map(|&i| (i, None)).collect();
            return Err(vec![Degenerate::Undetermined { rates }]);
        };
        by_argument.push(column);
    }
    let convex = physics.dissipation.and_then(|dissipation| {
        let dissipation = graph.substitute(&[dissipation], known)[0];
        strictly_convex(graph, dissipation, (rows, speeds), &physics.assumed())
    });
    let implicit = Implicit {
        of: Defined::Rates(coordinates),
        unknowns,
        arguments: equations.symbols,
        residual,
        slope,
        by_argument,
        is_unique: convex.is_some(),
    };
    let (values, found) = graph.define_implicit(implicit, &equations.values);
    let mut guards = vec![None; values.len()];
    // M must not depend on inputs. The rate is NaN where it is not found.
    if !graph.contains(found, |symbol| matches!(symbol, Symbol::Input(_))) {
        let zero = graph.zero();
        guards[0] = Some(graph.compare(Relation::Less, zero, found));
    }
    Ok(Rates { implicit: (0..values.len()).collect(), values, guards, conditions: convex.unwrap_or_default() })
}

/// Fails where K is singular at every state.
pub(super) fn undetermined(graph: &Graph, matrix: &[Vec<Id>], coordinates: &[u32]) -> Result<(), Vec<Degenerate>> {
    let Regularity::Singular(vectors) = regularity(graph, matrix, matrix.len()) else { return Ok(()) };
    let rates = degenerate::rates(&vectors, 0..coordinates.len());
    let rates = rates.into_iter().map(|(i, rate)| (coordinates[i as usize], rate)).collect();
    Err(vec![Degenerate::Undetermined { rates }])
}

/// −∂rows/∂symbols.
pub(super) fn slopes(graph: &mut Graph, rows: &[Id], symbols: &[Symbol]) -> Vec<Vec<Id>> {
    let columns: Vec<Vec<Id>> = symbols.iter().map(|&symbol| derivative(graph, rows, symbol)).collect();
    let mut matrix = Vec::new();
    for row in 0..rows.len() {
        matrix.push(columns.iter().map(|column| graph.neg(column[row])).collect());
    }
    matrix
}

/// The terms of a sum, with those of sums inside it, so that what is free of the unknowns makes up one argument.
fn flatten(
    graph: &Graph,
    (id, scale): (Id, Rational),
    moving: &SymbolSet,
    terms: &mut Vec<(Id, Rational)>,
    constant: &mut Rational,
) {
    match graph.node(id) {
        Node::Sum { terms: inner, constant: own } if graph.touches(id, moving) => {
            *constant += own * &scale;
            for (id, coefficient) in inner {
                flatten(graph, (*id, &scale * coefficient), moving, terms, constant);
            }
        }
        _ => terms.push((id, scale)),
    }
}

/// Equations in unknowns and in arguments, which replace all that is free of the unknowns.
#[derive(Default)]
struct Equations {
    unknowns: Vec<Symbol>,
    /// The placeholder of each argument.
    symbols: Vec<Symbol>,
    /// What each argument stands for.
    values: Vec<Id>,
}

impl Equations {
    /// The rows in unknowns and arguments.
    fn with_arguments(&mut self, graph: &mut Graph, rows: &[Id]) -> Vec<Id> {
        let moving = graph.symbol_set(self.unknowns.iter().copied());
        let mut new: HashMap<Id, Id> = HashMap::new();
        for id in graph.reachable(rows) {
            if !graph.touches(id, &moving) {
                continue;
            }
            let is_free = |graph: &Graph, id: Id| !graph.touches(id, &moving);
            let written = match graph.node(id).clone() {
                Node::Sum { .. } => {
                    let (mut terms, mut constant) = (Vec::new(), Rational::ZERO);
                    flatten(graph, (id, Rational::ONE), &moving, &mut terms, &mut constant);
                    let (free, bound): (Vec<_>, Vec<_>) =
                        terms.iter().cloned().partition(|(id, _)| is_free(graph, *id));
                    let mut sum: Vec<(Id, Rational)> = bound.into_iter().map(|(id, c)| (new[&id], c)).collect();
                    if free.is_empty() {
                        graph.sum(sum, constant)
                    } else {
                        let free = graph.sum(free, constant);
                        sum.push((self.argument(graph, free), Rational::ONE));
                        graph.sum(sum, Rational::ZERO)
                    }
                }
                Node::Product(factors) => {
                    let (free, bound): (Vec<_>, Vec<_>) =
                        factors.iter().cloned().partition(|(id, _)| is_free(graph, *id));
                    let mut product: Vec<(Id, Rational)> = bound.into_iter().map(|(id, e)| (new[&id], e)).collect();
                    if !free.is_empty() {
                        let free = graph.product(free);
                        product.push((self.argument(graph, free), Rational::ONE));
                    }
                    graph.product(product)
                }
                node => {
                    let mut operands = HashMap::new();
                    let mut free = Vec::new();
                    crate::graph::for_each_operand(&node, |operand| match new.get(&operand) {
                        Some(&written) => {
                            operands.insert(operand, written);
                        }
                        None => free.push(operand),
                    });
                    for operand in free {
                        let written = self.free(graph, operand);
                        operands.insert(operand, written);
                    }
                    graph.with_operands(id, &operands)
                }
            };
            new.insert(id, written);
        }
        let written: Vec<Id> = rows.iter().map(|row| new.get(row).copied().unwrap_or(*row)).collect();
        // The parts of a sum inside another one are no arguments of their own.
        let is_used = |symbol: Symbol| written.iter().any(|&row| graph.depends_on(row, symbol));
        let used = self.symbols.iter().copied().zip(self.values.iter().copied()).filter(|&(symbol, _)| is_used(symbol));
        (self.symbols, self.values) = used.unzip();
        written
    }

    /// A part that is free of the unknowns. An argument is a number, so that a condition is taken apart.
    fn free(&mut self, graph: &mut Graph, id: Id) -> Id {
        match graph.node(id).clone() {
            node @ (Node::Compare(..) | Node::And(..) | Node::Or(..) | Node::Not(_)) => {
                let mut parts = Vec::new();
                crate::graph::for_each_operand(&node, |operand| parts.push(operand));
                let mut operands = HashMap::new();
                for part in parts {
                    let written = self.free(graph, part);
                    operands.insert(part, written);
                }
                graph.with_operands(id, &operands)
            }
            Node::Truth(_) => id,
            _ => self.argument(graph, id),
        }
    }

    /// The placeholder of an argument; numbers stay.
    fn argument(&mut self, graph: &mut Graph, id: Id) -> Id {
        if graph.as_number(id).is_some() {
            return id;
        }
        let known = self.values.iter().position(|value| *value == id);
        let index = known.unwrap_or_else(|| {
            self.values.push(id);
            self.symbols.extend(graph.scratch_symbols(1));
            self.values.len() - 1
        });
        graph.symbol(self.symbols[index])
    }
}
