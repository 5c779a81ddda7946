//! Expressions that are linear in some symbols, as a network: each node is a sum of earlier nodes with coefficients, which contain none of
//! these symbols.
//!
//! Nodes are eliminated where that shortens the map of the symbols: the coefficients of what a node is made of and of what is made of it are
//! multiplied once for a state, and not once for each value of the symbols (A. Griewank, A. Walther, *Evaluating Derivatives*, 2nd ed., SIAM,
//! 2008, chapter 9, where such nodes are vertices of a computational graph).

use crate::graph::{Graph, Id, Node, Rational, Symbol};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A network of linear expressions. The first nodes are the symbols.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    /// The earlier nodes that each node is a sum of, with their coefficients.
    pub(crate) terms: Vec<BTreeMap<usize, Id>>,
    /// The node of each output; `None` for 0.
    pub(crate) outputs: Vec<Option<usize>>,
    /// The nodes that are made of each node.
    users: Vec<BTreeSet<usize>>,
}

/// What a multiplication with an addition costs, and an addition alone.
const EDGE: [i64; 2] = [2, 1];

impl Network {
    /// The network of expressions that are linear in `symbols`. `None` where one contains a piece that is neither a sum nor a product.
    pub(crate) fn of(graph: &mut Graph, outputs: &[Id], symbols: &[Symbol]) -> Option<Self> {
        let moving = graph.symbol_set(symbols.iter().copied());
        let mut nodes: HashMap<Id, usize> = HashMap::new();
        let mut terms: Vec<BTreeMap<usize, Id>> = Vec::new();
        for &symbol in symbols {
            nodes.insert(graph.symbol(symbol), terms.len());
            terms.push(BTreeMap::new());
        }
        // Operands come before what uses them.
        for id in graph.reachable(outputs) {
            if nodes.contains_key(&id) || !graph.touches(id, &moving) {
                continue;
            }
            let parts = match graph.node(id).clone() {
                Node::Sum { terms, constant } if constant.is_zero() => terms.into_vec(),
                Node::Product(_) => vec![(id, Rational::ONE)],
                _ => return None,
            };
            let mut own: BTreeMap<usize, Id> = BTreeMap::new();
            for (part, factor) in parts {
                let (linear, rest) = split(graph, part, &|graph, id| graph.touches(id, &moving))?;
                let coefficient = graph.scale(&factor, rest);
                let node = *nodes.get(&linear)?;
                let known = own.remove(&node);
                let sum = known.map_or(coefficient, |known| graph.add(known, coefficient));
                if !graph.is_zero(sum) {
                    own.insert(node, sum);
                }
            }
            nodes.insert(id, terms.len());
            terms.push(own);
        }
        let outputs = outputs.iter().map(|id| nodes.get(id).copied()).collect();
        let mut network = Self { users: vec![BTreeSet::new(); terms.len()], terms, outputs };
        for node in 0..network.terms.len() {
            for &earlier in network.terms[node].keys() {
                network.users[earlier].insert(node);
            }
        }
        Some(network)
    }

    /// Eliminates nodes as long as that saves operations of a map that is computed `runs` times for each state.
    pub(crate) fn shorten(&mut self, graph: &mut Graph, runs: usize) {
        let kept: BTreeSet<usize> = self.outputs.iter().flatten().copied().collect();
        loop {
            let mut is_changed = false;
            for node in 0..self.terms.len() {
                let is_inner = !self.terms[node].is_empty() && !self.users[node].is_empty() && !kept.contains(&node);
                if is_inner && self.gain(graph, node, runs as i64) > 0 {
                    self.eliminate(graph, node);
                    is_changed = true;
                }
            }
            if !is_changed {
                return;
            }
        }
    }

    /// What the elimination of a node saves.
    fn gain(&self, graph: &Graph, node: usize, runs: i64) -> i64 {
        let cost = |coefficient: Id| EDGE[usize::from(is_unit(graph, coefficient))];
        // The first term of a sum is no addition.
        let own: i64 = self.terms[node].values().map(|&coefficient| cost(coefficient)).sum::<i64>() - 1;
        let (mut saved, mut factors) = (own, 0);
        for &user in &self.users[node] {
            let outer = self.terms[user][&node];
            saved += cost(outer);
            for (earlier, &inner) in &self.terms[node] {
                let is_plain = is_unit(graph, outer) && is_unit(graph, inner);
                let product = i64::from(!is_unit(graph, outer) && !is_unit(graph, inner));
                match self.terms[user].get(earlier) {
                    Some(&known) => {
                        saved -= EDGE[0] - cost(known);
                        factors += 1 + product;
                    }
                    None => {
                        saved -= EDGE[usize::from(is_plain)];
                        factors += product;
                    }
                }
            }
        }
        saved * runs - factors
    }

    fn eliminate(&mut self, graph: &mut Graph, node: usize) {
        let own = std::mem::take(&mut self.terms[node]);
        let users = std::mem::take(&mut self.users[node]);
        for &earlier in own.keys() {
            self.users[earlier].remove(&node);
        }
        for user in users {
            let Some(outer) = self.terms[user].remove(&node) else { continue };
            for (&earlier, &inner) in &own {
                let product = graph.mul(outer, inner);
                let sum = match self.terms[user].get(&earlier) {
                    Some(&known) => graph.add(known, product),
                    None => product,
                };
                if graph.is_zero(sum) {
                    self.terms[user].remove(&earlier);
                    self.users[earlier].remove(&user);
                } else {
                    self.terms[user].insert(earlier, sum);
                    self.users[earlier].insert(user);
                }
            }
        }
    }
}

/// The linear factor of a product, and the rest. `None` where there are several, or a power of one.
fn split(graph: &mut Graph, part: Id, is_linear: &dyn Fn(&Graph, Id) -> bool) -> Option<(Id, Id)> {
    let Node::Product(factors) = graph.node(part).clone() else {
        return is_linear(graph, part).then(|| (part, graph.one()));
    };
    let (linear, rest): (Vec<_>, Vec<_>) = factors.iter().cloned().partition(|(base, _)| is_linear(graph, *base));
    let [(linear, exponent)] = linear.as_slice() else { return None };
    if !exponent.is_one() {
        return None;
    }
    Some((*linear, graph.product(rest)))
}

/// Whether a coefficient is 1 or −1.
fn is_unit(graph: &Graph, coefficient: Id) -> bool {
    matches!(graph.node(coefficient), Node::Number(number) if *number == Rational::ONE || *number == -Rational::ONE)
}
