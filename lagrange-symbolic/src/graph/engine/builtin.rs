//! The built-in engine: a piece is one node, and the graph's canonical constructors are its algebra.

use super::Engine;
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, for_each_operand};

/// The graph's own rules, a node at a time.
#[derive(Clone, Copy, Debug)]
pub struct Builtin;

impl Engine for Builtin {
    fn start(&self) -> Result<(), String> {
        Ok(())
    }

    fn operands(&self, graph: &mut Graph, id: Id) -> Vec<Id> {
        let mut operands = Vec::new();
        for_each_operand(graph.node(id), |operand| operands.push(operand));
        operands
    }

    fn partials(
        &self,
        graph: &mut Graph,
        id: Id,
        wanted: &dyn Fn(&Graph, Id) -> bool,
        visit: &mut dyn FnMut(&mut Graph, Id, Id),
    ) {
        let node = graph.node(id).clone();
        for (position, operand) in self.operands(graph, id).into_iter().enumerate() {
            if wanted(graph, operand) {
                let partial = partial(graph, id, &node, position);
                visit(graph, operand, partial);
            }
        }
    }
}

/// The derivative of a node by its operand at `position`.
fn partial(graph: &mut Graph, id: Id, node: &Node, position: usize) -> Id {
    match node {
        Node::Sum { terms, .. } => graph.number(terms[position].1.clone()),
        Node::Product(factors) => product_partial(graph, factors, position),
        Node::Power(base, exponent) => power_partial(graph, id, *base, *exponent, position),
        Node::Call(function, arguments) => function.derivative(graph, id, arguments, position),
        // Numbers, symbols and conditions.
        _ => graph.zero(),
    }
}

/// ∂(Π xᵢ^eᵢ)/∂x_k.
fn product_partial(graph: &mut Graph, factors: &[(Id, Rational)], position: usize) -> Id {
    let mut rest: Vec<(Id, Rational)> = factors.to_vec();
    let exponent = rest[position].1.clone();
    rest[position].1 -= Rational::ONE;
    let rest = graph.product(rest);
    graph.scale(&exponent, rest)
}

/// ∂(a^b)/∂a = b a^(b−1), ∂(a^b)/∂b = a^b ln a.
pub(crate) fn power_partial(graph: &mut Graph, id: Id, base: Id, exponent: Id, position: usize) -> Id {
    if position == 0 {
        let one = graph.one();
        let reduced = graph.sub(exponent, one);
        let power = graph.power(base, reduced);
        graph.mul(exponent, power)
    } else {
        let logarithm = graph.call(Function::Ln, &[base]);
        graph.mul(id, logarithm)
    }
}
