//! Replacing symbols by expressions.

use super::{Graph, Id, Node, Symbol, for_each_operand};
use std::collections::HashMap;

impl Graph {
    /// The given expressions with each symbol of the map replaced, all at once.
    pub fn substitute(&mut self, roots: &[Id], map: &HashMap<Symbol, Id>) -> Vec<Id> {
        let mut replaced: HashMap<Id, Id> = HashMap::new();
        for id in self.reachable(roots) {
            if !self.contains(id, |symbol| map.contains_key(&symbol)) {
                continue;
            }
            let new = self.rebuild(id, &|operand| replaced.get(&operand).copied().unwrap_or(operand), map);
            replaced.insert(id, new);
        }
        roots.iter().map(|root| replaced.get(root).copied().unwrap_or(*root)).collect()
    }

    /// An expression with each node of the map replaced, all at once.
    pub fn replace(&mut self, root: Id, map: &HashMap<Id, Id>) -> Id {
        let mut replaced = map.clone();
        let symbols = HashMap::new();
        for id in self.reachable(&[root]) {
            let mut changed = false;
            for_each_operand(self.node(id), |operand| changed |= replaced.contains_key(&operand));
            if changed && !map.contains_key(&id) {
                let new = self.rebuild(id, &|operand| replaced.get(&operand).copied().unwrap_or(operand), &symbols);
                replaced.insert(id, new);
            }
        }
        replaced.get(&root).copied().unwrap_or(root)
    }

    /// A node with other operands. Operands that are not in the map stay.
    pub(crate) fn with_operands(&mut self, id: Id, operands: &HashMap<Id, Id>) -> Id {
        self.rebuild(id, &|operand| operands.get(&operand).copied().unwrap_or(operand), &HashMap::new())
    }

    fn rebuild(&mut self, id: Id, new: &dyn Fn(Id) -> Id, map: &HashMap<Symbol, Id>) -> Id {
        match self.node(id).clone() {
            Node::Number(_) | Node::Pi | Node::Truth(_) => id,
            Node::Symbol(symbol) => map.get(&symbol).copied().unwrap_or(id),
            Node::Sum { terms, constant } => {
                let terms = terms.iter().map(|(x, c)| (new(*x), c.clone())).collect();
                self.sum(terms, constant)
            }
            Node::Product(factors) => {
                let factors = factors.iter().map(|(x, e)| (new(*x), e.clone())).collect();
                self.product(factors)
            }
            Node::Power(a, b) => self.power(new(a), new(b)),
            Node::Call(function, arguments) => {
                let arguments: Vec<Id> = arguments.iter().map(|&x| new(x)).collect();
                self.call(function, &arguments)
            }
            Node::Select(condition, yes, no) => self.select(new(condition), new(yes), new(no)),
            Node::Compare(relation, a, b) => self.compare(relation, new(a), new(b)),
            Node::And(a, b) => self.and(new(a), new(b)),
            Node::Or(a, b) => self.or(new(a), new(b)),
            Node::Not(a) => self.not(new(a)),
        }
    }
}
