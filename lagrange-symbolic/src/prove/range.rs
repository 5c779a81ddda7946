//! Enclosures: a range that contains every value of an expression while its symbols stay in their ranges.
//!
//! Ends are rounded outwards. An end of 0 that is not reached is represented by the smallest number of its sign, so
//! that sums of positive quantities stay positive.

use crate::graph::function::Function;
use crate::graph::value::{Arithmetic, Evaluated, node_value};
use crate::graph::{Graph, Id, Node, Rational, Relation, Symbol};
use std::collections::HashMap;

/// The smallest positive number.
const SMALLEST: f64 = f64::MIN_POSITIVE;

/// The relative error that functions of the platform's library may have.
const LIBRARY_ERROR: f64 = 1e-14;

/// All numbers from `low` to `high`. The range is empty where `low` exceeds `high`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Range {
    pub(super) const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
    pub(super) const POSITIVE: Self = Self { low: SMALLEST, high: f64::INFINITY };
    pub(super) const NEGATIVE: Self = Self { low: f64::NEG_INFINITY, high: -SMALLEST };

    pub(super) fn point(value: f64) -> Self {
        Self { low: value, high: value }
    }

    pub(super) fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// The intersection of two ranges.
    pub(super) fn intersection(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The smallest range that contains both.
    fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(super) fn is_positive(self) -> bool {
        self.low > 0.0
    }

    pub(super) fn is_negative(self) -> bool {
        self.high < 0.0
    }

    fn loosened(self) -> Self {
        let low = self.low - LIBRARY_ERROR * self.low.abs();
        let high = self.high + LIBRARY_ERROR * self.high.abs();
        Self { low: if low.is_nan() { self.low } else { low }, high: if high.is_nan() { self.high } else { high } }
    }
}

pub(super) fn down(value: f64) -> f64 {
    if value == 0.0 || value.is_infinite() { value } else { value.next_down() }
}

pub(super) fn up(value: f64) -> f64 {
    if value == 0.0 || value.is_infinite() { value } else { value.next_up() }
}

/// The smallest range of doubles that contains an exact number.
pub(super) fn enclosed(value: &Rational) -> Range {
    let near = value.to_f64().value();
    let exact = near == 0.0 && value.is_zero() || Rational::try_from(near).is_ok_and(|near| near == *value);
    if exact { Range::point(near) } else { Range { low: near.next_down(), high: near.next_up() } }
}

pub(super) fn sum(a: Range, b: Range) -> Range {
    let ends = |x: f64, y: f64| {
        let total = x + y;
        // The error of a sum, exactly (Knuth's two-sum).
        let second = total - x;
        let exact = (x - (total - second)) + (y - second) == 0.0;
        (total, exact || total.is_infinite())
    };
    let ((low, low_exact), (high, high_exact)) = (ends(a.low, b.low), ends(a.high, b.high));
    Range { low: if low_exact { low } else { down(low) }, high: if high_exact { high } else { up(high) } }
}

pub(super) fn product(a: Range, b: Range) -> Range {
    let mut result = Range { low: f64::INFINITY, high: f64::NEG_INFINITY };
    for x in [a.low, a.high] {
        for y in [b.low, b.high] {
            let is_zero = x == 0.0 || y == 0.0;
            let value = if is_zero { 0.0 } else { x * y };
            // A product that underflows keeps its sign.
            let value = if value == 0.0 && !is_zero { SMALLEST * x.signum() * y.signum() } else { value };
            let exact = is_zero || value.abs() <= SMALLEST || x.mul_add(y, -value) == 0.0;
            result.low = result.low.min(if exact { value } else { down(value) });
            result.high = result.high.max(if exact { value } else { up(value) });
        }
    }
    result
}

fn power(base: Range, exponent: &Rational) -> Option<Range> {
    let e = exponent.to_f64().value();
    let raise = |x: f64| if x == 0.0 && e < 0.0 { f64::INFINITY } else { x.powf(e) };
    let rising = |base: Range| {
        let (a, b) = (raise(base.low), raise(base.high));
        let range = Range { low: a.min(b), high: a.max(b) }.loosened();
        Range { low: if base.low > 0.0 { range.low.max(SMALLEST) } else { range.low }, high: range.high }
    };
    if !exponent.is_int() {
        return (base.high >= 0.0).then(|| rising(Range { low: base.low.max(0.0), high: base.high }));
    }
    let even = i64::try_from(exponent.numerator()).is_ok_and(|power| power % 2 == 0);
    let magnitude = if base.low > 0.0 {
        base
    } else if base.high < 0.0 {
        Range { low: -base.high, high: -base.low }
    } else {
        Range { low: 0.0, high: base.high.max(-base.low) }
    };
    if even || base.low >= 0.0 {
        return Some(rising(magnitude));
    }
    if base.high <= 0.0 {
        let raised = rising(Range { low: -base.high, high: -base.low });
        return Some(Range { low: -raised.high, high: -raised.low });
    }
    if e < 0.0 {
        return Some(Range::ALL);
    }
    let (below, above) = (rising(Range { low: 0.0, high: -base.low }), rising(Range { low: 0.0, high: base.high }));
    Some(Range { low: -below.high, high: above.high })
}

/// Arithmetic of ranges. The result of an unknown operation is every number.
struct Ranges;

impl Arithmetic for Ranges {
    type Value = Range;

    fn rational(&mut self, value: &Rational) -> Option<Range> {
        Some(enclosed(value))
    }

    fn pi(&mut self) -> Option<Range> {
        let pi = std::f64::consts::PI;
        Some(Range { low: pi.next_down(), high: pi.next_up() })
    }

    fn add(&mut self, a: &Range, b: &Range) -> Option<Range> {
        Some(sum(*a, *b))
    }

    fn mul(&mut self, a: &Range, b: &Range) -> Option<Range> {
        Some(product(*a, *b))
    }

    fn power_rational(&mut self, a: &Range, exponent: &Rational) -> Option<Range> {
        power(*a, exponent)
    }

    fn power(&mut self, a: &Range, _: &Range) -> Option<Range> {
        Some(if a.is_positive() { Range::POSITIVE } else { Range { low: 0.0, high: f64::INFINITY } })
    }

    fn call(&mut self, function: Function, arguments: &[Range]) -> Option<Range> {
        let x = *arguments.first()?;
        let bound = |bound: f64| Range { low: -bound, high: bound };
        let magnitude = |x: &Range| if x.low > 0.0 { x.low } else { (-x.high).max(0.0) };
        Some(match function {
            Function::Sinc(0) => bound(1.0),
            Function::Exp => {
                let range = Range { low: x.low.exp(), high: x.high.exp() }.loosened();
                Range { low: range.low.max(SMALLEST), high: range.high.max(SMALLEST) }
            }
            Function::Abs => Range { low: magnitude(&x), high: x.high.abs().max(x.low.abs()) },
            Function::Norm => {
                Range { low: arguments.iter().map(magnitude).fold(0.0, f64::max), high: f64::INFINITY }.loosened()
            }
            Function::Floor => Range { low: x.low.floor(), high: x.high.floor() },
            Function::Sign if x.is_positive() => Range::point(1.0),
            Function::Sign if x.is_negative() => Range::point(-1.0),
            Function::Sign => bound(1.0),
            Function::Min | Function::Max => {
                let y = *arguments.get(1)?;
                let pick = if function == Function::Min { f64::min } else { f64::max };
                Range { low: pick(x.low, y.low), high: pick(x.high, y.high) }
            }
            Function::RecipOrZero if x.is_positive() => Range::POSITIVE,
            Function::RecipOrZero if x.low >= 0.0 => Range { low: 0.0, high: f64::INFINITY },
            _ => function.row().bounds.map_or(Range::ALL, |(low, high)| Range { low, high }),
        })
    }

    fn compare(&mut self, relation: Relation, a: &Range, b: &Range) -> Option<bool> {
        let (below, above) = (a.high < b.low, a.low > b.high);
        match relation {
            Relation::Less if below => Some(true),
            Relation::Less if a.low >= b.high => Some(false),
            Relation::LessEqual if a.high <= b.low => Some(true),
            Relation::LessEqual if above => Some(false),
            Relation::Equal if below || above => Some(false),
            _ => None,
        }
    }
}

/// The range of an expression, where `known` gives the ranges of some nodes. A parameter that is not in it is positive.
pub(super) fn range_of(graph: &Graph, id: Id, known: &HashMap<Id, Range>) -> Range {
    let symbol_range = |id: Id, symbol: Symbol| {
        let unknown = if matches!(symbol, Symbol::Parameter(_)) { Range::POSITIVE } else { Range::ALL };
        known.get(&id).copied().unwrap_or(unknown)
    };
    if let Node::Symbol(symbol) = graph.node(id) {
        return symbol_range(id, *symbol);
    }
    let order = graph.reachable(&[id]);
    let mut values: HashMap<Id, Evaluated<Range>> = HashMap::with_capacity(order.len());
    let mut ranges = Ranges;
    for node in order {
        let value = match graph.node(node) {
            Node::Symbol(symbol) => Some(Evaluated::Real(symbol_range(node, *symbol))),
            Node::Select(condition, yes, no) if !values.contains_key(condition) => {
                let branch = |id: &Id| values.get(id).and_then(Evaluated::real).copied();
                branch(yes).zip(branch(no)).map(|(yes, no)| Evaluated::Real(yes.hull(no)))
            }
            other => node_value(&mut ranges, other, &|id: Id| values.get(&id)),
        };
        let is_condition = matches!(
            graph.node(node),
            Node::Truth(_) | Node::Compare(..) | Node::And(..) | Node::Or(..) | Node::Not(_)
        );
        let value = match (value, known.get(&node)) {
            (Some(Evaluated::Real(range)), Some(stated)) => Some(Evaluated::Real(range.intersection(*stated))),
            (None, stated) if !is_condition => Some(Evaluated::Real(stated.copied().unwrap_or(Range::ALL))),
            (value, _) => value,
        };
        if let Some(value) = value {
            values.insert(node, value);
        }
    }
    values.get(&id).and_then(Evaluated::real).copied().unwrap_or(Range::ALL)
}
