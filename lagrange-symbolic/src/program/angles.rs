//! Sines and cosines of a ± b from those of a and b, where that saves evaluations of the functions.

use super::{Builder, Value};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, for_each_operand};
use std::collections::BTreeSet;

impl Builder {
    /// Counts uses and plans angles. It must be called with all expressions of a mechanism before the first is lowered.
    pub fn plan(&mut self, graph: &Graph, roots: &[Id]) {
        self.count_parents(graph, roots);
        self.plan_angles(graph, roots);
    }

    fn count_parents(&mut self, graph: &Graph, roots: &[Id]) {
        let distinct: BTreeSet<Id> = roots.iter().copied().collect();
        for root in distinct {
            *self.parents.entry(root).or_default() += 1;
        }
        for id in graph.reachable(roots) {
            for_each_operand(graph.node(id), |operand| *self.parents.entry(operand).or_default() += 1);
        }
    }

    /// Decides which angles are split into their parts. The decision depends on all expressions of a mechanism
    /// together.
    fn plan_angles(&mut self, graph: &Graph, roots: &[Id]) {
        let mut direct: BTreeSet<Id> = BTreeSet::new();
        let mut combined: Vec<(Id, (Id, Id, bool))> = Vec::new();
        for id in graph.reachable(roots) {
            let Node::Call(Function::Sin | Function::Cos, arguments) = graph.node(id) else { continue };
            let angle = arguments[0];
            match two_parts(graph, angle) {
                Some(parts) if !combined.iter().any(|(known, _)| *known == angle) => combined.push((angle, parts)),
                Some(_) => {}
                None => {
                    direct.insert(angle);
                }
            }
        }
        let mut parts: BTreeSet<Id> = direct.clone();
        parts.extend(combined.iter().flat_map(|(_, (a, b, _))| [*a, *b]));
        // Splitting every combination needs the sine and cosine of all parts. If these are more functions than
        // splitting saves, only the combinations are split whose parts occur by themselves.
        let split_all = parts.len() - direct.len() < combined.len();
        for (angle, (a, b, plus)) in combined {
            if split_all || (direct.contains(&a) && direct.contains(&b)) {
                self.split_angles.insert(angle, (a, b, plus));
            }
        }
    }

    /// The sine and cosine of an angle.
    pub(super) fn sine_cosine(&mut self, graph: &mut Graph, angle: Id) -> (Value, Value) {
        if let Some(&pair) = self.angles.get(&angle) {
            return pair;
        }
        let pair = match self.split_angles.get(&angle).copied() {
            Some((a, b, plus)) => {
                let (sine_a, cosine_a) = self.sine_cosine(graph, a);
                let (sine_b, cosine_b) = self.sine_cosine(graph, b);
                let (sc, cs) = (self.multiply(sine_a, cosine_b), self.multiply(cosine_a, sine_b));
                let (cc, ss) = (self.multiply(cosine_a, cosine_b), self.multiply(sine_a, sine_b));
                if plus { (self.add(sc, cs), self.subtract(cc, ss)) } else { (self.subtract(sc, cs), self.add(cc, ss)) }
            }
            None => {
                let value = self.lower(graph, angle);
                let pair = self.push(super::Operation::SineCosine(value));
                (self.push(super::Operation::Sine(pair)), self.push(super::Operation::Cosine(pair)))
            }
        };
        self.angles.insert(angle, pair);
        pair
    }
}

/// (a, b, plus) where the angle is a + b or a − b.
fn two_parts(graph: &Graph, angle: Id) -> Option<(Id, Id, bool)> {
    let Node::Sum { terms, constant } = graph.node(angle) else { return None };
    let [(a, first), (b, second)] = &**terms else { return None };
    if !constant.is_zero() {
        return None;
    }
    match (first.is_one(), second.is_one(), *first == Rational::NEG_ONE, *second == Rational::NEG_ONE) {
        (true, true, ..) => Some((*a, *b, true)),
        (true, _, _, true) => Some((*a, *b, false)),
        (_, true, true, _) => Some((*b, *a, false)),
        _ => None,
    }
}
