//! The two one-sided limits of an expression at the boundary of a switch, in hundreds of bits.
//!
//! The boundary is found to 400 bits. The expression is then evaluated on both sides at the distances 2⁻⁹⁶, …, 2⁻²⁸⁸.
//! The difference of the two values vanishes with the distance where the expression is continuous, and converges to the
//! jump where it jumps. This works for steep expressions and small jumps, and where a formula has no value on the
//! boundary itself.

mod formula;

use super::branches::Branch;
use super::domain::{Domain, Manifold};
use super::lazy::{evaluate_lazily, value_of};
use super::search::Line;
use super::switch::Switch;
use crate::graph::value::{Arithmetic, Precise, Real, is_zero, magnitude};
use crate::graph::{Graph, Id, Rational, Symbol};
use dashu_base::Sign;
use std::collections::HashMap;

/// The precision of all numbers.
pub(super) const BITS: usize = 768;

/// Differences below 2 to this power, relative to the values, are rounding errors.
const NOISE: i64 = -(BITS as i64) / 2;

/// The boundary is found to 2 to this power.
const ROOT: i64 = -420;

/// The most evaluations of a switching function in search of its zero.
const MOST_STEPS: usize = 480;

/// Powers of two of the distances to the boundary.
const DISTANCES: [isize; 4] = [-96, -160, -224, -288];

/// Powers of two of the distances to a pole at which an exponential is too large at [`DISTANCES`].
const DISTANCES_OF_POLES: [isize; 4] = [-4, -6, -8, -10];

/// Steps of Newton's method onto the constraints, from a point in double precision.
const PROJECTION_STEPS: u32 = 8;

/// How the two one-sided limits compare.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Limit {
    /// They are equal.
    Equal,
    /// They differ by this number.
    Different(Real),
    /// The difference of both sides grows without bound.
    Infinite,
    /// One side has no value, or the difference shrinks too slowly to decide.
    Unknown,
}

/// Values of all symbols.
pub(super) type PrecisePoint = HashMap<Symbol, Real>;

/// An evaluator of switching functions and one-sided limits.
pub(super) struct OneSided<'g> {
    graph: &'g Graph,
    domain: &'g Domain,
    order: Vec<Id>,
    /// Switches whose side is fixed, whatever the values of their operands are.
    pub(super) sides: Branch,
    pub(super) arithmetic: Precise,
}

impl<'g> OneSided<'g> {
    pub(super) fn new(graph: &'g Graph, domain: &'g Domain) -> Self {
        let manifold: Vec<Id> = domain.manifold.iter().flat_map(Manifold::expressions).collect();
        Self {
            graph,
            domain,
            order: graph.reachable(&manifold),
            sides: Branch::new(),
            arithmetic: Precise::flushing(BITS),
        }
    }

    fn exact(&mut self, value: f64) -> Option<Real> {
        self.arithmetic.rational(&Rational::try_from(value).ok()?)
    }

    /// The point of a line at a distance from its origin, projected onto the constraints.
    fn at(&mut self, line: &Line, offset: &Real) -> Option<PrecisePoint> {
        let mut point = PrecisePoint::with_capacity(line.point.len());
        for (symbol, value) in &line.point {
            point.insert(*symbol, self.exact(*value)?);
        }
        for (symbol, rate) in &line.direction {
            let rate = self.exact(*rate)?;
            let change = self.arithmetic.mul(&rate, offset)?;
            let moved = self.arithmetic.add(point.get(symbol)?, &change)?;
            point.insert(*symbol, moved);
        }
        if let Some(manifold) = &self.domain.manifold {
            manifold.project(&mut self.arithmetic, self.graph, &self.order, &mut point, PROJECTION_STEPS)?;
        }
        Some(point)
    }

    pub(super) fn switching(&mut self, switch: &Switch, point: &PrecisePoint) -> Option<Real> {
        let graph = self.graph;
        let symbol = |symbol: Symbol| point.get(&symbol).cloned();
        switch.value(&mut self.arithmetic, &mut |arithmetic: &mut Precise, id| value_of(arithmetic, graph, id, &symbol))
    }

    /// The point of a line where the switching function vanishes, by the Illinois rule combined with bisection.
    pub(super) fn boundary(&mut self, switch: &Switch, line: &Line) -> Option<PrecisePoint> {
        let (mut low, mut high) = (self.exact(line.low)?, self.exact(line.high)?);
        let mut ends = None;
        // Rounding may have moved both ends to one side. The interval is then extended.
        for _ in 0..12 {
            let (below, above) = (self.at(line, &low)?, self.at(line, &high)?);
            let values = (self.switching(switch, &below)?, self.switching(switch, &above)?);
            if is_zero(&values.0) {
                return Some(below);
            }
            if is_zero(&values.1) {
                return Some(above);
            }
            if values.0.sign() != values.1.sign() {
                ends = Some([(below, values.0), (above, values.1)]);
                break;
            }
            let width = self.arithmetic.subtract(&high, &low)?;
            let width = self.arithmetic.mul(&width, &Real::from(4))?;
            (low, high) = (self.arithmetic.subtract(&low, &width)?, self.arithmetic.add(&high, &width)?);
        }
        let [below, above] = ends?;
        // A pole is where the denominator vanishes. Where it jumps from one sign to the other, another switch has its boundary.
        if switch.is_pole && self.jumps_between(switch, [&below.0, &above.0]) {
            return None;
        }
        let (mut at_low, mut at_high) = (below.1, above.1);
        let half = self.arithmetic.rational(&crate::graph::rational(1, 2))?;
        let (mut last, mut kept) = (low.clone(), Sign::Positive);
        for step in 0..MOST_STEPS {
            let width = self.arithmetic.subtract(&high, &low)?;
            let part = if step % 3 == 2 {
                half.clone()
            } else {
                let change = self.arithmetic.subtract(&at_low, &at_high)?;
                self.arithmetic.div(&at_low, &change)?
            };
            let inside = self.arithmetic.mul(&width, &part)?;
            let next = self.arithmetic.add(&low, &inside)?;
            let point = self.at(line, &next)?;
            let value = self.switching(switch, &point)?;
            let change = self.arithmetic.subtract(&next, &last)?;
            let size = if is_zero(&next) { 0 } else { magnitude(&next).max(0) };
            if is_zero(&value) || is_zero(&change) || magnitude(&change) < size + ROOT {
                return Some(point);
            }
            last = next.clone();
            // The value at an end that stays for a second time is halved, so that both ends move (the Illinois rule).
            if value.sign() == at_low.sign() {
                (low, at_low) = (next, value);
                if step > 0 && kept == Sign::Positive {
                    at_high = self.arithmetic.mul(&at_high, &half)?;
                }
                kept = Sign::Positive;
            } else {
                (high, at_high) = (next, value);
                if step > 0 && kept == Sign::Negative {
                    at_low = self.arithmetic.mul(&at_low, &half)?;
                }
                kept = Sign::Negative;
            }
        }
        None
    }

    /// Compares the limits of a sum on both sides of a point along a direction.
    pub(super) fn limit(
        &mut self,
        sum: &[(Id, Rational)],
        point: &PrecisePoint,
        direction: &[(Symbol, Real)],
        is_pole: bool,
    ) -> Limit {
        match self.limit_from(sum, point, direction, DISTANCES) {
            Limit::Unknown if is_pole => self.limit_from(sum, point, direction, DISTANCES_OF_POLES),
            limit => limit,
        }
    }

    fn limit_from(
        &mut self,
        sum: &[(Id, Rational)],
        point: &PrecisePoint,
        direction: &[(Symbol, Real)],
        distances: [isize; 4],
    ) -> Limit {
        let mut last = None::<Real>;
        let differences: Option<Vec<Option<i64>>> = (|| {
            let mut found = Vec::new();
            for distance in distances {
                let values = (
                    self.sum_beyond(sum, point, direction, distance, false)?,
                    self.sum_beyond(sum, point, direction, distance, true)?,
                );
                let size = [&values.0, &values.1].into_iter().filter(|value| !is_zero(value)).map(magnitude).max();
                let difference = self.arithmetic.subtract(&values.1, &values.0)?;
                let noise = size.unwrap_or(0).max(0) + NOISE;
                let counts = !is_zero(&difference) && magnitude(&difference) > noise;
                found.push(counts.then(|| magnitude(&difference)));
                if let Some(before) = &last
                    && distance == distances[3]
                {
                    // The change from the last difference but one to the last.
                    let change = self.arithmetic.subtract(&difference, before)?;
                    found.push((!is_zero(&change)).then(|| magnitude(&change)));
                }
                last = Some(difference);
            }
            Some(found)
        })();
        let Some(found) = differences else { return Limit::Unknown };
        let [_, second, third, fourth, change] = found[..] else { return Limit::Unknown };
        let Some(fourth) = fourth else { return Limit::Equal };
        let (Some(second), Some(third)) = (second, third) else { return Limit::Unknown };
        let (earlier, later) = (third - second, fourth - third);
        if change.is_none_or(|change| change <= fourth - 8) {
            last.map_or(Limit::Unknown, Limit::Different)
        } else if earlier <= -3 && later <= -3 && 2 * later <= earlier {
            Limit::Equal
        } else if earlier >= 3 && later >= 3 {
            Limit::Infinite
        } else {
            Limit::Unknown
        }
    }

    /// Compares the value of a sum at a point of a boundary with its limit from one side, where these are equal on both sides.
    pub(super) fn on_boundary(&mut self, sum: &[(Id, Rational)], point: &PrecisePoint, switch: &Switch) -> Limit {
        let form = switch.form(self.graph).map(|form| form.normalized().0);
        let before = self.sides.clone();
        let mut at = |side: i8| {
            for id in self.graph.reachable(&sum.iter().map(|(id, _)| *id).collect::<Vec<_>>()) {
                let other = Switch::of_formulas(self.graph, id).and_then(|other| other.form(self.graph));
                let (same, flipped) = other.map_or((false, false), |other| {
                    let (other, flipped) = other.normalized();
                    (form.as_ref() == Some(&other), flipped)
                });
                if same {
                    self.sides.insert(id, if flipped { -side } else { side });
                }
            }
            let value = self.sum_beyond(sum, point, &[], 0, true);
            self.sides.clone_from(&before);
            value
        };
        let (Some(beyond), Some(on)) = (at(1), at(0)) else { return Limit::Equal };
        let size = [&beyond, &on].into_iter().filter(|value| !is_zero(value)).map(magnitude).max();
        match self.arithmetic.subtract(&beyond, &on) {
            Some(gap) if !is_zero(&gap) && magnitude(&gap) > size.unwrap_or(0).max(0) + NOISE => Limit::Different(gap),
            _ => Limit::Equal,
        }
    }

    /// Whether an angle is a multiple of π.
    pub(super) fn is_half_turns(&mut self, angle: &Real) -> bool {
        const TOLERANCE: i64 = -160;
        let rest = (|| {
            let pi = self.arithmetic.pi()?;
            let turns = self.arithmetic.div(angle, &pi)?;
            let whole = self.exact(turns.to_f64().value().round())?;
            self.arithmetic.subtract(&turns, &whole)
        })();
        rest.is_some_and(|rest| is_zero(&rest) || magnitude(&rest) < TOLERANCE)
    }

    /// point ± 2^distance · direction.
    pub(super) fn shifted(
        &mut self,
        point: &PrecisePoint,
        direction: &[(Symbol, Real)],
        distance: isize,
        forward: bool,
    ) -> Option<PrecisePoint> {
        let mut there = point.clone();
        for (symbol, rate) in direction {
            let step = rate.clone() << distance;
            let value = there.get(symbol)?;
            let moved =
                if forward { self.arithmetic.add(value, &step)? } else { self.arithmetic.subtract(value, &step)? };
            there.insert(*symbol, moved);
        }
        Some(there)
    }

    fn sum_beyond(
        &mut self,
        sum: &[(Id, Rational)],
        point: &PrecisePoint,
        direction: &[(Symbol, Real)],
        distance: isize,
        forward: bool,
    ) -> Option<Real> {
        let there = self.shifted(point, direction, distance, forward)?;
        let mut memory = HashMap::new();
        let mut total = Real::ZERO;
        for (id, coefficient) in sum {
            let symbol = |symbol: Symbol| there.get(&symbol).cloned();
            let found = evaluate_lazily(&mut self.arithmetic, self.graph, *id, &mut memory, &symbol, &|id| {
                self.sides.get(&id).copied().map(i64::from)
            })?;
            let coefficient = self.arithmetic.rational(coefficient)?;
            let term = self.arithmetic.mul(&coefficient, found.real()?)?;
            total = self.arithmetic.add(&total, &term)?;
        }
        Some(total)
    }

    /// The direction of a line.
    pub(super) fn direction(&mut self, line: &Line) -> Option<Vec<(Symbol, Real)>> {
        line.direction.iter().map(|(symbol, rate)| Some((*symbol, self.exact(*rate)?))).collect()
    }
}
