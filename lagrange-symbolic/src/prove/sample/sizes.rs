//! Points of all sizes: a scan in double precision, whose suspicious points are compared in high precision; and the branches of floors
//! and remainders, of which there are infinitely many.

use super::{AtPoint, Comparison, Depth, decimal_text, exact};
use crate::graph::function::Function;
use crate::graph::value::{Evaluated, Plain, Precise, evaluate};
use crate::graph::{Graph, Id, Node, Symbol};
use crate::prove::lazy::{evaluate_lazily, value_of};
use crate::prove::search::Point;
use crate::prove::{Doubt, Verdict};
use std::collections::HashMap;

/// Sizes from 10 to minus this power to 10 to this power are drawn.
const DECADES: f64 = 6.0;

/// The most points of the scan, the fewest, and the nodes that all of them together evaluate. Constraints make points expensive.
const POINTS: (usize, usize) = (240, 48);
const NODES: usize = 1 << 21;
const PROJECTED_POINTS: usize = 96;

/// The points of the scan that are compared in high precision whatever their values in double precision are.
const COMPARED: usize = 6;

/// The most suspicious points that are compared in high precision.
const ALARMS: usize = 24;

/// A difference below this part of its terms is rounding in double precision.
const ROUNDING: f64 = 1e-8;

/// The largest size of symbols at which a missing value of one side counts. Beyond it, a value may be too large to represent.
const LARGEST_OF_DOMAIN: f64 = 1e3;

/// The bits in which a missing value is confirmed.
const DOMAIN_BITS: usize = 256;

/// The whole numbers that floors are set to: how many times, of which so many must be comparable, and their sizes.
const STEPS: usize = 24;
const STEPS_COMPARED: usize = 6;
const STEP_SIZES: [i64; 4] = [3, 12, 1_000, 1_000_000];

/// The points at which the arguments of two floors must differ by the same whole number.
const RELATED: usize = 5;

impl Comparison<'_> {
    /// Compares the two sides at points of all sizes and both signs.
    pub(super) fn visit_all_sizes(&mut self, points: &mut u32) -> Option<Verdict> {
        let mut count = (NODES / self.order.len().max(1)).clamp(POINTS.1, POINTS.0);
        if self.domain.manifold.is_some() {
            count = count.min(PROJECTED_POINTS);
        }
        let (mut compared, mut alarms) = (0, 0);
        for candidate in 0..count {
            let Some(point) = self.point_of_any_size(candidate) else { continue };
            let look = self.look_at(&point);
            let wanted = match look {
                Look::Same => compared < COMPARED,
                Look::Different => alarms < ALARMS,
                Look::OneSided => {
                    if let Some(doubt) = self.doubt_of_domain(&point) {
                        return Some(Verdict::Undecided(doubt));
                    }
                    false
                }
                Look::Undefined => false,
            };
            if !wanted {
                continue;
            }
            match look {
                Look::Different => alarms += 1,
                _ => compared += 1,
            }
            let Some(point) = exact(point) else { continue };
            if let Some(verdict) = self.visit(&point, points) {
                return Some(verdict);
            }
        }
        None
    }

    /// A point where one of the sides has a value and the other has none, if the scan meets one.
    pub(in crate::prove) fn doubt_of_domains(&mut self) -> Option<Doubt> {
        (0..POINTS.1).find_map(|candidate| {
            let point = self.point_of_any_size(candidate)?;
            if self.look_at(&point) == Look::OneSided { self.doubt_of_domain(&point) } else { None }
        })
    }

    /// A point of the domain whose symbols have one size, or each its own.
    fn point_of_any_size(&mut self, candidate: usize) -> Option<Point> {
        let mut decade = || 10_f64.powf(DECADES * (2.0 * self.random.fraction() - 1.0));
        let shared = decade();
        let mut point = Point::with_capacity(self.symbols.len());
        for &symbol in &self.symbols {
            let is_parameter = matches!(symbol, Symbol::Parameter(_));
            let size = match candidate % 3 {
                0 if is_parameter => 0.3 + self.random.fraction(),
                0 | 1 => shared * (0.3 + self.random.fraction()),
                _ => 10_f64.powf(DECADES * (2.0 * self.random.fraction() - 1.0)),
            };
            let sign = if is_parameter || self.random.below(2) == 0 { 1.0 } else { -1.0 };
            let value = sign * size;
            point.insert(symbol, format!("{value:.3e}").parse().unwrap_or(value));
        }
        if self.domain.has_ranges() {
            point.extend(self.search.parameters(candidate)?);
        }
        self.search.projected(point)
    }

    /// How the two sides compare in double precision.
    fn look_at(&self, point: &Point) -> Look {
        let values = evaluate(&mut Plain, self.graph, &self.order, &mut |symbol| point.get(&symbol).copied());
        let real = |id: Id| values[id.index()].as_ref().and_then(Evaluated::real).copied().filter(|x| x.is_finite());
        match (real(self.left), real(self.right)) {
            (Some(_), Some(_)) => {
                let constant = self.difference.constant.to_f64().value();
                let parts = self.difference.terms.iter().map(|(id, scale)| {
                    scale.to_f64().value() * values[id.index()].as_ref().and_then(Evaluated::real).unwrap_or(&f64::NAN)
                });
                let (sum, size) =
                    parts.fold((constant, constant.abs()), |(sum, size), part| (sum + part, size + part.abs()));
                // A NaN is suspicious too.
                if sum.abs() <= ROUNDING * size { Look::Same } else { Look::Different }
            }
            (None, None) => Look::Undefined,
            _ => Look::OneSided,
        }
    }

    /// The point, if exactly one of two sides that are no constants has a value there.
    fn doubt_of_domain(&mut self, point: &Point) -> Option<Doubt> {
        let is_constant = |id: Id| self.graph.symbols(id).next().is_none();
        let is_large = |value: &f64| value.abs() > LARGEST_OF_DOMAIN;
        if is_constant(self.left) || is_constant(self.right) || point.values().any(is_large) {
            return None;
        }
        let mut arithmetic = Precise::new(DOMAIN_BITS);
        let mut known = HashMap::with_capacity(point.len());
        for (symbol, value) in exact(point.clone())? {
            known.insert(symbol, crate::graph::value::Arithmetic::rational(&mut arithmetic, &value)?);
        }
        let mut has_value = |id: Id| {
            let symbol = |symbol: Symbol| known.get(&symbol).cloned();
            evaluate_lazily(&mut arithmetic, self.graph, id, &mut HashMap::new(), &symbol, &|_| None).is_some()
        };
        let (left, right) = (has_value(self.left), has_value(self.right));
        let values = self.symbols.iter().map(|symbol| {
            (
                *symbol,
                point
                    .get(symbol)
                    .and_then(|value| value.to_owned().try_into().ok())
                    .as_ref()
                    .map_or_else(String::new, decimal_text),
            )
        });
        (left != right).then(|| Doubt::OneSided { values: values.collect(), left })
    }

    /// The first floor or remainder, if the formulas of both sides differ where the whole numbers of floors are any.
    pub(super) fn doubt_of_steps(&mut self) -> Option<Doubt> {
        let steps: Vec<Id> = steps(self.graph, &[self.left, self.right]);
        let first = *steps.first()?;
        let related = self.related(&steps);
        let mut agreed = 0;
        for candidate in 0..STEPS {
            let Some(point) = self.allowed_point(2 + candidate as u32) else { continue };
            let size = STEP_SIZES[candidate % STEP_SIZES.len()];
            let mut turns: HashMap<Id, i64> = HashMap::new();
            for (id, (leader, shift)) in steps.iter().zip(&related) {
                let own = match turns.get(leader) {
                    Some(turns) => turns + shift,
                    None => self.random.below(2 * size + 1) - size,
                };
                turns.insert(*id, own);
            }
            match self.compare_at(&point, &|id| turns.get(&id).copied(), Depth::Usual) {
                AtPoint::Equal => agreed += 1,
                AtPoint::Different(..) => return Some(Doubt::Steps(first)),
                AtPoint::Unknown => {}
            }
        }
        (agreed < STEPS_COMPARED).then_some(Doubt::Steps(first))
    }
}

impl Comparison<'_> {
    /// For each floor, the first one whose argument differs from its own by a whole number at every point, and this number.
    fn related(&mut self, steps: &[Id]) -> Vec<(Id, i64)> {
        let points: Vec<Vec<f64>> = (0..4 * RELATED as u32)
            .filter_map(|candidate| {
                let point = self.allowed_point(2 + candidate)?;
                let symbol = |symbol: Symbol| point.get(&symbol).map(|value| value.to_f64().value());
                steps.iter().map(|id| self.turns(*id, &symbol)).collect()
            })
            .take(RELATED)
            .collect();
        let shift = |step: usize, leader: usize| -> Option<i64> {
            let shift = points.first().map(|turns| (turns[step] - turns[leader]).round())?;
            let is_shift = |turns: &Vec<f64>| {
                let (own, other) = (turns[step], turns[leader] + shift);
                (own - other).abs() <= ROUNDING * (own.abs() + other.abs())
            };
            (points.len() == RELATED && points.iter().all(is_shift)).then_some(shift as i64)
        };
        let leader = |step: usize| (0..step).find_map(|leader| Some((steps[leader], shift(step, leader)?)));
        (0..steps.len()).map(|step| leader(step).unwrap_or((steps[step], 0))).collect()
    }

    /// The number of which a floor is the largest whole number below.
    fn turns(&self, step: Id, symbol: &dyn Fn(Symbol) -> Option<f64>) -> Option<f64> {
        let Node::Call(_, arguments) = self.graph.node(step) else { return None };
        let mut values = arguments.iter().map(|id| value_of(&mut Plain, self.graph, *id, symbol));
        let first = values.next()??;
        values.next().map_or(Some(first), |second| Some(first / second?)).filter(|turns| turns.is_finite())
    }
}

/// What double precision says about a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Look {
    Same,
    Different,
    /// Only one side has a value.
    OneSided,
    Undefined,
}

/// The floors and remainders.
fn steps(graph: &Graph, roots: &[Id]) -> Vec<Id> {
    let is_step = |id: &Id| matches!(graph.node(*id), Node::Call(Function::Floor | Function::Mod, _));
    graph.reachable(roots).into_iter().filter(is_step).collect()
}

/// Whether an expression has a function that has no value for some real arguments on a whole interval.
pub(in crate::prove) fn has_partial_functions(graph: &Graph, roots: &[Id]) -> bool {
    graph.reachable(roots).into_iter().any(|id| match graph.node(id) {
        Node::Call(Function::Ln | Function::Asin | Function::Acos, _) | Node::Power(..) => true,
        Node::Product(factors) => factors.iter().any(|(_, exponent)| !exponent.is_int()),
        _ => false,
    })
}
