//! The elimination of an angle between points, whose effect on the remaining matrix has rank one.
//!
//! In a chain of points on rods without inertia, the velocity of a point is ẋ = X + w₁ θ̇, ẏ = Y + w₂ θ̇. Let A be the matrix of
//! (ẋ, ẏ), and b = A w. The elimination of θ̇ leaves A − b bᵀ/d for (X, Y), with the pivot d = wᵀA w. The
//! product of this matrix with w is zero, and it has two rows, so that its rank is one:
//!
//! ```text
//! A − b bᵀ/d = κ u uᵀ,   κ = det A / d,   u = (w₂, −w₁)
//! ```
//!
//! If A = E + κ' u'u'ᵀ itself, with the inertia E = diag(e₁, e₂) of the point, then
//!
//! ```text
//! d = e₁ w₁² + e₂ w₂² + κ' (u'·w)²,   det A = e₁ e₂ + κ' (e₂ u'₁² + e₁ u'₂²)
//! ```
//!
//! Only κ passes from one point to the next, through one sum, one reciprocal and one product. Every term is positive, where the
//! differences A − b bᵀ/d cancel. The product e₁ e₂ of two masses may vanish by underflow, and the elimination would then ignore the
//! points further out. The caller checks it.

use super::{Builder, Value};
use crate::graph::{Graph, Id};
use crate::mechanics::{Entries, SparseMass, position};
use std::collections::BTreeSet;

/// A part κ u uᵀ of the remaining matrix, on two unknowns.
#[derive(Clone, Debug)]
pub(super) struct Dyad {
    unknowns: [usize; 2],
    factor: Value,
    /// The numbers u₁ and −u₂, which for u = (w₂, −w₁) are entries of w. In the other order of the unknowns they are −u₂ and u₁, which
    /// belong to −u. The dyad is the same for both.
    direction: [Id; 2],
}

impl Dyad {
    /// Whether it has an entry in the row of an unknown.
    pub(super) fn touches(&self, unknown: usize) -> bool {
        self.unknowns.contains(&unknown)
    }

    /// The entries of its lower triangle.
    pub(super) fn entries(&self, builder: &mut Builder, graph: &mut Graph) -> [((usize, usize), Value); 3] {
        [[0, 0], [0, 1], [1, 1]].map(|[i, j]| {
            let square = graph.mul(self.direction[i], self.direction[j]);
            let square = builder.lower(graph, square);
            let entry = builder.multiply(self.factor, square);
            (position(self.unknowns[i], self.unknowns[j]), if i == j { entry } else { builder.negate(entry) })
        })
    }
}

/// The velocity of a point on a rod without inertia: two intermediate velocities c X + w θ̇.
#[derive(Debug)]
pub(super) struct Rod {
    /// The two intermediate velocities.
    pub(super) ends: [usize; 2],
    /// For each of them the unknown X with its factor c, if there is one.
    starts: [Option<(usize, Id)>; 2],
    /// The factors w of θ̇.
    turn: [Id; 2],
    /// The entries e₁ and e₂ of the inertia E.
    inertia: [Id; 2],
    /// The other part of A.
    dyad: Option<Dyad>,
}

/// What remains of a rod after its angle is eliminated.
#[derive(Debug)]
pub(super) struct Turned {
    /// The pivot d.
    pub(super) pivot: Value,
    /// 1/d.
    pub(super) inverse: Value,
    /// The number e₁ e₂. If it is not 0 by structure, it must not vanish by underflow.
    pub(super) product: Value,
    /// The entries of the column of θ̇, which couple it to the unknowns X.
    pub(super) column: Vec<(usize, Value)>,
}

impl Rod {
    /// Returns the rod that `velocity` turns, if the remaining matrix has the form above. Then its entries and its dyad are removed from
    /// the matrix.
    pub(super) fn take(
        builder: &mut Builder,
        graph: &mut Graph,
        sparse: &SparseMass,
        (rest, dyads): (&mut Entries<Value>, &mut Vec<Dyad>),
        (substituted, velocity): (&BTreeSet<usize>, usize),
    ) -> Option<Self> {
        let ends: [usize; 2] = substituted.iter().copied().collect::<Vec<_>>().try_into().ok()?;
        let (mut starts, mut turn) = ([None; 2], [graph.zero(); 2]);
        for i in 0..2 {
            for &(unknown, factor) in &sparse.definitions[ends[i] - sparse.coordinates] {
                if unknown == velocity {
                    turn[i] = factor;
                } else if starts[i].is_some() || ends.contains(&unknown) {
                    return None;
                } else {
                    starts[i] = Some((unknown, factor));
                }
            }
        }
        let places = ends.map(|end| (end, end));
        let rows = [ends[0], ends[1], velocity];
        let is_coupled = rest.keys().any(|place| {
            !places.contains(place) && rows.iter().any(|&unknown| place.0 == unknown || place.1 == unknown)
        });
        let found: Vec<usize> = (0..dyads.len()).filter(|&k| rows.iter().any(|&row| dyads[k].touches(row))).collect();
        let is_plain = found.is_empty() || (found.len() == 1 && ends.iter().all(|&end| dyads[found[0]].touches(end)));
        if is_coupled || !is_plain {
            return None;
        }
        let mut inertia = [graph.zero(); 2];
        for (entry, place) in inertia.iter_mut().zip(&places) {
            *entry = match (rest.get(place), sparse.hessian.get(place)) {
                (None, None) => continue,
                (Some(&value), Some(&known)) if builder.lower(graph, known) == value => known,
                _ => return None,
            };
        }
        for place in &places {
            rest.remove(place);
        }
        let dyad = found.first().map(|&k| dyads.remove(k));
        Some(Self { ends, starts, turn, inertia, dyad })
    }

    /// Eliminates the angle. What remains is added to the matrix.
    pub(super) fn turn(
        &self,
        builder: &mut Builder,
        graph: &mut Graph,
        (rest, dyads): (&mut Entries<Value>, &mut Vec<Dyad>),
    ) -> Turned {
        let &Self { turn: [w1, w2], inertia: [e1, e2], .. } = self;
        let products = [graph.mul(e1, w1), graph.mul(e2, w2)];
        let own = graph.inner(&products, &[w1, w2]);
        let product = graph.mul(e1, e2);
        let product = builder.lower(graph, product);
        let (mut pivot, mut determinant) = (builder.lower(graph, own), product);
        let mut column = products.map(|entry| builder.lower(graph, entry));
        if let Some(Dyad { factor, direction, unknowns }) = &self.dyad {
            let [u1, u2] = if unknowns[0] == self.ends[0] { *direction } else { [direction[1], direction[0]] };
            let adjugate = [graph.mul(e2, u1), graph.mul(e1, u2)];
            let adjugate = graph.inner(&adjugate, &[u1, u2]);
            let adjugate = builder.lower(graph, adjugate);
            let [u1, u2, w1, w2] = [u1, u2, w1, w2].map(|id| builder.lower(graph, id));
            let (first, second) = (builder.multiply_as_given(u1, w1), builder.multiply_as_given(u2, w2));
            // The product u'·w.
            let projection = builder.subtract(first, second);
            let square = builder.multiply(projection, projection);
            let gain = builder.multiply(*factor, square);
            pivot = builder.add(pivot, gain);
            let gain = builder.multiply(*factor, adjugate);
            determinant = builder.add(determinant, gain);
            let scaled = builder.multiply(*factor, projection);
            let gains = [builder.multiply_as_given(scaled, u1), builder.multiply_as_given(scaled, u2)];
            column = [builder.add(column[0], gains[0]), builder.subtract(column[1], gains[1])];
        }
        let inverse = builder.reciprocal(pivot);
        let factor = builder.multiply(determinant, inverse);
        let mut directions: Vec<(usize, Id, Value)> = Vec::new();
        let mut entries: Vec<(usize, Value)> = Vec::new();
        for (i, part) in [w2, w1].into_iter().enumerate() {
            if let Some((unknown, c)) = self.starts[i] {
                let [c_value, part_value] = [c, part].map(|id| builder.lower(graph, id));
                directions.push((unknown, graph.mul(c, part), builder.multiply_as_given(c_value, part_value)));
                let entry = builder.multiply_as_given(c_value, column[i]);
                match entries.iter_mut().find(|(known, _)| *known == unknown) {
                    Some((_, sum)) => *sum = builder.add(*sum, entry),
                    None => entries.push((unknown, entry)),
                }
            }
        }
        match directions[..] {
            [(first, u1, _), (second, u2, _)] if first != second => {
                dyads.push(Dyad { unknowns: [first, second], factor, direction: [u1, u2] });
            }
            [(unknown, _, value), ..] => {
                let sum = directions[1..].iter().fold(value, |sum, &(.., other)| builder.subtract(sum, other));
                let square = builder.multiply(sum, sum);
                let gain = builder.multiply(factor, square);
                builder.add_entry(rest, unknown, unknown, gain);
            }
            [] => {}
        }
        Turned { pivot, inverse, product, column: entries }
    }
}
