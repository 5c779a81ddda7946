//! From the graph to Symbolica: a piece as an atom.

use super::head::{self, Head};
use super::number::to_symbolica;
use super::piece::operands;
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node};
use ::symbolica::atom::{Atom, AtomCore, FunctionBuilder, Symbol};
use std::collections::HashMap;

/// The atom of a piece; leaf k is symbol k.
pub(super) fn atom(graph: &Graph, leaves: &[Id], root: Id) -> Atom {
    let mut built = HashMap::new();
    build(graph, leaves, root, &mut built)
}

fn build(graph: &Graph, leaves: &[Id], id: Id, built: &mut HashMap<Id, Atom>) -> Atom {
    if let Some(atom) = built.get(&id) {
        return atom.clone();
    }
    let operands: Vec<Atom> = operands(graph, id)
        .into_iter()
        .map(|operand| match leaves.binary_search(&operand.id) {
            Ok(position) if operand.is_leaf => Atom::var(head::leaf(position)),
            _ => build(graph, leaves, operand.id, built),
        })
        .collect();
    let atom = node(graph.node(id), &operands);
    built.insert(id, atom.clone());
    atom
}

/// A node of operands that are atoms already.
fn node(node: &Node, operands: &[Atom]) -> Atom {
    match node {
        Node::Number(value) => to_symbolica(value),
        Node::Sum { terms, constant } => {
            let terms = terms.iter().zip(operands).map(|((_, coefficient), term)| to_symbolica(coefficient) * term);
            terms.fold(to_symbolica(constant), |sum, term| sum + term)
        }
        Node::Product(factors) => {
            let factors = factors.iter().zip(operands).map(|((_, exponent), base)| base.pow(to_symbolica(exponent)));
            factors.fold(Atom::num(1), |product, factor| product * factor)
        }
        Node::Power(..) => function(head::symbol(Head::Power), operands),
        Node::Call(Function::Sin, _) => function(Symbol::SIN, operands),
        Node::Call(Function::Cos, _) => function(Symbol::COS, operands),
        Node::Call(Function::Exp, _) => function(Symbol::EXP, operands),
        Node::Call(Function::Ln, _) => function(Symbol::LOG, operands),
        Node::Call(call, _) => function(head::symbol(Head::Call(*call)), operands),
        // π: no other node has an atom of its own.
        _ => Atom::var(head::pi()),
    }
}

fn function(symbol: Symbol, arguments: &[Atom]) -> Atom {
    arguments.iter().fold(FunctionBuilder::new(symbol), FunctionBuilder::add_arg).finish()
}
