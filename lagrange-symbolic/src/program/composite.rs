//! M from its sparse form. Each intermediate velocity is replaced by those of which it consists, the last one first. On a tree of bodies this
//! adds the inertia of each body to that of the body before it, which is the algorithm of composite rigid bodies: the number of operations is
//! proportional to the number of entries of M that are not zero, at most n times the depth of the tree.

use super::{Builder, Value};
use crate::graph::{Graph, Rational};
use crate::mechanics::{Entries, SparseMass, position};

impl Builder {
    /// M, row by row. `None` if that takes more operations than `limit`.
    pub fn composite_mass(&mut self, graph: &mut Graph, sparse: &SparseMass, limit: usize) -> Option<Vec<Vec<Value>>> {
        let (n, longest) = (sparse.coordinates, self.operations.len().saturating_add(limit));
        let mut rest: Entries<Value> =
            sparse.hessian.iter().map(|(&place, &entry)| (place, self.lower(graph, entry))).collect();
        for (k, terms) in sparse.definitions.iter().enumerate().rev() {
            let terms: Vec<(usize, Value)> =
                terms.iter().map(|&(unknown, coefficient)| (unknown, self.lower(graph, coefficient))).collect();
            self.substitute(&mut rest, n + k, &terms);
            if self.operations.len() > longest {
                return None;
            }
        }
        let zero = self.constant(Rational::ZERO);
        let entry = |i: usize, j: usize| rest.get(&position(i, j)).copied().unwrap_or(zero);
        Some((0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect())
    }
}
