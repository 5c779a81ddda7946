//! Three components of a vector in space.

use super::{Graph, Id};

/// Three components.
pub type Triple = [Id; 3];

impl Graph {
    /// a + b.
    pub(crate) fn add_triples(&mut self, a: Triple, b: Triple) -> Triple {
        [0, 1, 2].map(|i| self.add(a[i], b[i]))
    }

    /// a − b.
    pub(crate) fn subtract_triples(&mut self, a: Triple, b: Triple) -> Triple {
        [0, 1, 2].map(|i| self.sub(a[i], b[i]))
    }

    /// a × b.
    pub(crate) fn cross(&mut self, a: Triple, b: Triple) -> Triple {
        [0, 1, 2].map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let (plus, minus) = (self.mul(a[j], b[k]), self.mul(a[k], b[j]));
            self.sub(plus, minus)
        })
    }
}
