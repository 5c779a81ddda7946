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
//! points further out. A check excludes that. Where e₁ = e₂ and |w|² are parameters, [`link`](super::link) has a shorter way.

use super::link::Quotient;
use super::{Builder, Level, Operation, Value};
use crate::graph::{Graph, Id};
use crate::mechanics::{Entries, SparseMass, position};
use std::collections::BTreeSet;

/// A part κ u uᵀ of the remaining matrix, on two unknowns.
#[derive(Clone, Debug)]
pub(super) struct Dyad {
    pub(super) unknowns: [usize; 2],
    factor: Value,
    /// The numbers u₁ and −u₂, which for u = (w₂, −w₁) are entries of w. In the other order of the unknowns they are −u₂ and u₁, which
    /// belong to −u. The dyad is the same for both.
    direction: [Id; 2],
    /// κ |u|² as a quotient, where |u| depends on parameters alone.
    pub(super) quotient: Option<Quotient>,
    /// The elimination that left this dyad, if it is a link.
    pub(super) link: Option<usize>,
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
    pub(super) starts: [Option<(usize, Id)>; 2],
    /// The factors w of θ̇.
    pub(super) turn: [Id; 2],
    /// The entries e₁ and e₂ of the inertia E.
    pub(super) inertia: [Id; 2],
    /// The other part of A.
    pub(super) dyad: Option<Dyad>,
}

/// What the elimination of an angle leaves.
#[derive(Debug)]
pub(super) struct Turned {
    /// 1/d.
    pub(super) inverse: Value,
    /// The vector A w/d.
    pub(super) column: [Value; 2],
    /// κ.
    pub(super) factor: Value,
    /// κ |w|² as a quotient, where |w| depends on parameters alone.
    pub(super) quotient: Option<Quotient>,
    /// The conditions under which the elimination is accurate.
    pub(super) checks: Vec<Value>,
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

    /// Eliminates the angle by the formulas for d and det A. The pivot d must exceed `tolerance` times `diagonal`.
    pub(super) fn turn(
        &self,
        builder: &mut Builder,
        graph: &mut Graph,
        (diagonal, tolerance): (Value, Value),
    ) -> Turned {
        let &Self { turn: [w1, w2], inertia: [e1, e2], .. } = self;
        let products = [graph.mul(e1, w1), graph.mul(e2, w2)];
        let own = graph.inner(&products, &[w1, w2]);
        let product = graph.mul(e1, e2);
        let product = builder.lower(graph, product);
        let (mut pivot, mut determinant) = (builder.lower(graph, own), product);
        let mut column = products.map(|entry| builder.lower(graph, entry));
        if let Some(dyad) = &self.dyad {
            let [u1, u2] = self.direction(dyad);
            let adjugate = [graph.mul(e2, u1), graph.mul(e1, u2)];
            let adjugate = graph.inner(&adjugate, &[u1, u2]);
            let adjugate = builder.lower(graph, adjugate);
            let [u1, u2, w1, w2] = [u1, u2, w1, w2].map(|id| builder.lower(graph, id));
            let (first, second) = (builder.multiply_as_given(u1, w1), builder.multiply_as_given(u2, w2));
            // The product u'·w.
            let projection = builder.subtract(first, second);
            let square = builder.multiply(projection, projection);
            let gain = builder.multiply(dyad.factor, square);
            pivot = builder.add(pivot, gain);
            let gain = builder.multiply(dyad.factor, adjugate);
            determinant = builder.add(determinant, gain);
            let scaled = builder.multiply(dyad.factor, projection);
            let gains = [builder.multiply_as_given(scaled, u1), builder.multiply_as_given(scaled, u2)];
            column = [builder.add(column[0], gains[0]), builder.subtract(column[1], gains[1])];
        }
        let mut checks = vec![builder.exceeds(pivot, diagonal, tolerance)];
        if !builder.is_zero(product) {
            checks.push(builder.is_normal(product));
        }
        let inverse = builder.reciprocal(pivot);
        let factor = builder.multiply(determinant, inverse);
        let quotient = self.unit(builder, graph).map(|(unit, length)| {
            let square = builder.multiply(length, length);
            let mass = builder.multiply(factor, square);
            Quotient::of(builder, mass, unit)
        });
        let column = column.map(|entry| builder.multiply(entry, inverse));
        Turned { inverse, column, factor, quotient, checks }
    }

    /// Adds what remains to the matrix, and returns the entries of the column of θ̇, divided by d. `link` says which link this elimination
    /// is, if it is one.
    pub(super) fn leave(
        &self,
        builder: &mut Builder,
        graph: &mut Graph,
        (rest, dyads): (&mut Entries<Value>, &mut Vec<Dyad>),
        turned: &Turned,
        link: Option<usize>,
    ) -> Vec<(usize, Value)> {
        let [w1, w2] = self.turn;
        let mut directions: Vec<(usize, Id, Value)> = Vec::new();
        let mut entries: Vec<(usize, Value)> = Vec::new();
        let mut is_joint = true;
        for (i, part) in [w2, w1].into_iter().enumerate() {
            let Some((unknown, c)) = self.starts[i] else { continue };
            is_joint &= c == graph.one();
            let [c_value, part_value] = [c, part].map(|id| builder.lower(graph, id));
            directions.push((unknown, graph.mul(c, part), builder.multiply_as_given(c_value, part_value)));
            let entry = builder.multiply_as_given(c_value, turned.column[i]);
            match entries.iter_mut().find(|(known, _)| *known == unknown) {
                Some((_, sum)) => *sum = builder.add(*sum, entry),
                None => entries.push((unknown, entry)),
            }
        }
        match directions[..] {
            [(first, u1, _), (second, u2, _)] if first != second => {
                dyads.push(Dyad {
                    unknowns: [first, second],
                    factor: turned.factor,
                    direction: [u1, u2],
                    quotient: turned.quotient.filter(|_| is_joint),
                    link: link.filter(|_| is_joint),
                });
            }
            [(unknown, _, value), ..] => {
                let sum = directions[1..].iter().fold(value, |sum, &(.., other)| builder.subtract(sum, other));
                let square = builder.multiply(sum, sum);
                let gain = builder.multiply(turned.factor, square);
                builder.add_entry(rest, unknown, unknown, gain);
            }
            [] => {}
        }
        entries
    }

    /// The numbers u'₁ and −u'₂ of the dyad, in the order of the ends.
    fn direction(&self, dyad: &Dyad) -> [Id; 2] {
        let [first, second] = dyad.direction;
        if dyad.unknowns[0] == self.ends[0] { [first, second] } else { [second, first] }
    }

    /// The unit vector ŵ and the number λ with w = λ ŵ, if λ depends on parameters alone. λ may be negative.
    pub(super) fn unit(&self, builder: &mut Builder, graph: &mut Graph) -> Option<([Value; 2], Value)> {
        let square = graph.inner(&self.turn, &self.turn);
        let square = builder.lower(graph, square);
        if builder.level(square) > Level::Parameter || builder.is_zero(square) {
            return None;
        }
        let w = self.turn.map(|id| builder.lower(graph, id));
        if let [(Some(first), Some(x)), (Some(second), Some(y))] = w.map(|part| builder.split_hoisted(part))
            && builder.multiply(first, first) == square
        {
            if second == first {
                return Some(([x, y], first));
            }
            if second == builder.negate(first) {
                return Some(([x, builder.negate(y)], first));
            }
        }
        let length = builder.push(Operation::SquareRoot(square));
        let inverse = builder.reciprocal(length);
        Some((w.map(|part| builder.multiply(inverse, part)), length))
    }
}
