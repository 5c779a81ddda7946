//! Two sides that differ by far more than rounding, in doubles.

use super::Comparison;
use crate::graph::value::{Evaluated, Plain, evaluate};
use crate::graph::{Graph, Id, Rational, Symbol};
use crate::prove::Domain;
use std::collections::HashMap;

/// The points of the domain that are looked at, without the first two, which are special, and how many of them must show a difference.
const CANDIDATES: std::ops::Range<u32> = 2..10;
const NEEDED: u32 = 2;

/// Steps of Newton's method onto the constraints, of which most points need fewer.
const STEPS: u32 = 10;

/// The part of the largest intermediate value that is no rounding: doubles have sixteen digits, and a projection loses a few of them.
const PLAIN: f64 = 1e-6;

/// Whether the two sides plainly differ at some points of the domain. `false` says nothing.
pub(in crate::prove) fn are_apart(graph: &Graph, left: Id, right: Id, domain: &Domain) -> bool {
    let mut comparison = Comparison::new(graph, left, right, domain);
    let mut apart = 0;
    for candidate in CANDIDATES {
        let Some(point) = comparison.point_within(candidate, STEPS) else { continue };
        // Points at which both agree are the rule where the sides are equal.
        if comparison.differ_at(&point) != Some(true) {
            return false;
        }
        apart += 1;
        if apart >= NEEDED {
            return true;
        }
    }
    false
}

impl Comparison<'_> {
    /// Whether the difference at a point is above the rounding of every intermediate value. `None` where a value is not finite.
    fn differ_at(&self, point: &HashMap<Symbol, Rational>) -> Option<bool> {
        let mut symbol = |symbol: Symbol| point.get(&symbol).map(|value| value.to_f64().value());
        let values = evaluate(&mut Plain, self.graph, &self.order, &mut symbol);
        let real = |id: &Id| values[id.index()].as_ref().and_then(Evaluated::real).copied();
        let (left, right) = (real(&self.left)?, real(&self.right)?);
        let largest = self.order.iter().filter_map(real).fold(0.0, |most: f64, value| most.max(value.abs()));
        let difference = (left - right).abs();
        (difference.is_finite() && largest.is_finite()).then_some(difference > PLAIN * largest)
    }
}
