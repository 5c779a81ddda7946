//! A search for points of a domain that satisfy stated goals, and for lines through them that cross the boundary of a
//! switch.
//!
//! Goals that are linear are solved for each symbol in turn. For other goals a point is moved along single symbols, by
//! growing steps and bisection, until it satisfies them. So a branch at `x > 1000` or `t > 60` is found directly.

use super::bounds::Bounds;
use super::domain::{Domain, Manifold};
use super::lazy::{evaluate_lazily, value_of};
use super::parameters::within;
use super::random::Random;
use super::range::Range;
use super::switch::{Goal, Switch, goal_form};
use crate::graph::value::{Evaluated, Plain, numeric};
use crate::graph::{Graph, Id, Node, Symbol};
use std::collections::HashMap;

/// Sizes of coordinates, velocities and times, in turn.
const SPREADS: [f64; 6] = [3.0, 1.0, 30.0, 0.1, 1e3, 1e-3];

/// Sizes of parameters, in turn.
const PARAMETER_SPREADS: [f64; 4] = [2.0, 1.0, 0.3, 10.0];

/// The most draws of parameters, where assumptions are not linear.
const PARAMETER_DRAWS: usize = 200;

/// Draws of parameters that are stored and reused, where drawing is expensive.
const DRAWS: usize = 24;

/// The most moves of a point towards its goals.
const MOVES: usize = 6;

/// Steps of Newton's method onto the constraints in double precision.
const PROJECTION_STEPS: u32 = 40;

/// The most sign changes on a line that are examined.
const MOST_CROSSINGS: usize = 8;

/// Values of all symbols.
pub(super) type Point = HashMap<Symbol, f64>;

/// A segment of a line, or of its projection onto constraints. A switching function has different signs at its ends.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) point: Point,
    pub(super) direction: Vec<(Symbol, f64)>,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A search over the symbols of some expressions.
pub(super) struct Search<'g> {
    graph: &'g Graph,
    domain: &'g Domain,
    symbols: Vec<Symbol>,
    /// The nodes that a projection evaluates, operands first.
    order: Vec<Id>,
    random: Random,
    /// Parameters that were drawn before, where drawing is expensive.
    drawn: Vec<Vec<(Symbol, f64)>>,
}

impl<'g> Search<'g> {
    pub(super) fn new(graph: &'g Graph, domain: &'g Domain, roots: &[Id]) -> Self {
        let manifold: Vec<Id> = domain.manifold.iter().flat_map(Manifold::expressions).collect();
        let all = roots.iter().chain(&domain.assumptions).chain(&manifold);
        let mut symbols: Vec<Symbol> = all.flat_map(|root| graph.symbols(*root)).collect();
        if let Some(manifold) = &domain.manifold {
            symbols.extend((0..manifold.coordinates).flat_map(|i| [Symbol::Coordinate(i), Symbol::Velocity(i)]));
        }
        symbols.sort_unstable();
        symbols.dedup();
        let order = graph.reachable(&manifold);
        Self { graph, domain, symbols, order, random: Random(0x5851_f42d_4c95_7f2d), drawn: Vec::new() }
    }

    /// Adds symbols to which points give values.
    pub(super) fn include(&mut self, symbols: impl IntoIterator<Item = Symbol>) {
        self.symbols.extend(symbols);
        self.symbols.sort_unstable();
        self.symbols.dedup();
    }

    /// Draws values of the parameters that occur in assumptions, of a size of about `spread`.
    pub(super) fn draw(&mut self, spread: f64) -> Vec<(Symbol, f64)> {
        if self.drawn.len() >= DRAWS {
            return self.drawn[self.random.below(DRAWS as i64) as usize].clone();
        }
        let values = self.domain.parameters.draw(self.graph, &mut self.random, spread);
        if self.domain.parameters.are_expensive() {
            self.drawn.push(values.clone());
        }
        values
    }

    /// Draws values of these parameters that satisfy all assumptions.
    pub(super) fn parameters(&mut self, attempt: usize) -> Option<Point> {
        if !self.domain.has_ranges() {
            return Some(Point::new());
        }
        (0..PARAMETER_DRAWS).find_map(|draw| {
            // Where the assumptions leave little room, sizes of all orders of magnitude are tried.
            let spread = if draw < PARAMETER_SPREADS.len() {
                PARAMETER_SPREADS[(attempt + draw) % PARAMETER_SPREADS.len()]
            } else {
                10_f64.powi(self.random.below(16) as i32 - 9)
            };
            let point: Point = self.draw(spread).into_iter().collect();
            let value = |symbol: Symbol| point.get(&symbol).copied().unwrap_or(f64::NAN);
            let values = numeric(self.graph, &self.domain.assumptions, &value);
            values.iter().all(|value| *value > 0.0).then_some(point)
        })
    }

    /// A point of the domain that satisfies the goals.
    pub(super) fn point(&mut self, goals: &[Goal], attempt: usize) -> Option<Point> {
        let mut point = self.start(goals, attempt)?;
        let mut met = self.count_satisfied(&point, goals);
        for _ in 0..MOVES {
            let violated = goals.iter().find(|goal| !self.holds(&point, **goal));
            let Some(goal) = violated else { return Some(point) };
            if let Some((moved, count)) = self.moved(&point, *goal, goals, met) {
                (point, met) = (moved, count);
            }
        }
        (met == goals.len()).then_some(point)
    }

    /// A point of the domain that satisfies the linear goals.
    fn start(&mut self, goals: &[Goal], attempt: usize) -> Option<Point> {
        let spread = SPREADS[attempt % SPREADS.len()];
        let mut point = self.parameters(attempt)?;
        let mut bounds = Bounds::default();
        for goal in goals {
            bounds.assume(goal_form(self.graph, *goal)?, true);
        }
        for (symbol, value) in &point {
            if let Some(id) = self.graph.find_symbol(*symbol) {
                bounds.limit(id, Range::point(*value));
            }
        }
        let free: Vec<Symbol> = self.symbols.iter().copied().filter(|symbol| !point.contains_key(symbol)).collect();
        let first = self.random.below(free.len().max(1) as i64) as usize;
        for k in 0..free.len() {
            let symbol = free[(first + k) % free.len()];
            let id = self.graph.find_symbol(symbol);
            if !goals.is_empty() && !bounds.narrow(self.graph) {
                return None;
            }
            let range = id.map_or(Range::ALL, |id| bounds.range(self.graph, id));
            let is_parameter = matches!(symbol, Symbol::Parameter(_));
            let size = if is_parameter { PARAMETER_SPREADS[attempt % PARAMETER_SPREADS.len()] } else { spread };
            let value = within(range, &mut self.random, size);
            if let Some(id) = id {
                bounds.limit(id, Range::point(value));
            }
            point.insert(symbol, value);
        }
        self.projected(point)
    }

    /// The point of the constraints near a point.
    pub(super) fn projected(&self, mut point: Point) -> Option<Point> {
        let Some(manifold) = &self.domain.manifold else { return Some(point) };
        manifold.project(&mut Plain, self.graph, &self.order, &mut point, PROJECTION_STEPS)?;
        manifold.is_met(self.graph, &point).then_some(point)
    }

    fn count_satisfied(&self, point: &Point, goals: &[Goal]) -> usize {
        goals.iter().filter(|goal| self.holds(point, **goal)).count()
    }

    fn holds(&self, point: &Point, (node, holds): Goal) -> bool {
        if matches!(self.graph.node(node), Node::Compare(..)) {
            let symbol = |symbol: Symbol| point.get(&symbol).copied();
            let found = evaluate_lazily(&mut Plain, self.graph, node, &mut HashMap::new(), &symbol, &|_| None);
            return found.as_ref().and_then(Evaluated::truth) == Some(holds);
        }
        let switch = Switch::of_formulas(self.graph, node);
        let value = switch.and_then(|switch| self.switching(point, &switch));
        value.is_some_and(|value| value != 0.0 && (value < 0.0) == holds)
    }

    /// Moves the point along one symbol until it satisfies `goal`, and more goals than before.
    fn moved(&mut self, point: &Point, goal: Goal, goals: &[Goal], met: usize) -> Option<(Point, usize)> {
        let symbols: Vec<Symbol> =
            self.graph.symbols(goal.0).filter(|symbol| !matches!(symbol, Symbol::Parameter(_))).collect();
        let symbol = *symbols.get(self.random.below(symbols.len() as i64) as usize)?;
        let direction = [(symbol, 1.0)];
        for offset in offsets(1e-3, 2.0, 1e7) {
            let Some(there) = self.at(point, &direction, offset) else { continue };
            if !self.holds(&there, goal) {
                continue;
            }
            // Other goals may leave little room beyond the boundary of this one.
            let (mut out, mut inside) = (0.0, offset);
            for _ in 0..50 {
                let middle = 0.5 * (out + inside);
                let within = self.at(point, &direction, middle).is_some_and(|there| self.holds(&there, goal));
                if within {
                    inside = middle;
                } else {
                    out = middle;
                }
            }
            let steps = [1.0, 0.3, 0.03, 1e-3, 1e-6, 1e-9].map(|part| inside + part * (offset - inside));
            let best = steps.into_iter().filter_map(|step| {
                let there = self.at(point, &direction, step)?;
                let count = self.count_satisfied(&there, goals);
                (count > met).then_some((there, count))
            });
            if let Some(better) = best.max_by_key(|(_, count)| *count) {
                return Some(better);
            }
        }
        None
    }

    /// The point at a distance along a direction, projected onto the constraints.
    fn at(&self, point: &Point, direction: &[(Symbol, f64)], offset: f64) -> Option<Point> {
        let mut there = point.clone();
        for (symbol, rate) in direction {
            *there.get_mut(symbol)? += offset * rate;
        }
        self.projected(there)
    }

    /// Whether the switching function is positive.
    fn is_positive(&self, point: &Point, switch: &Switch) -> Option<bool> {
        self.switching(point, switch).map(|value| value > 0.0)
    }

    fn switching(&self, point: &Point, switch: &Switch) -> Option<f64> {
        let symbol = |symbol: Symbol| point.get(&symbol).copied();
        let value = switch.value(&mut Plain, &mut |plain: &mut Plain, id| value_of(plain, self.graph, id, &symbol))?;
        value.is_finite().then_some(value)
    }

    /// Segments of a line that cross the boundary of a switch at points that satisfy the goals. Only `moving` symbols
    /// change along the line.
    pub(super) fn lines(
        &mut self,
        switch: &Switch,
        goals: &[Goal],
        moving: &dyn Fn(Symbol) -> bool,
        attempt: usize,
    ) -> Vec<Line> {
        let Some(point) = self.point(goals, attempt) else { return Vec::new() };
        let mut symbols: Vec<Symbol> = switch
            .operands()
            .flat_map(|operand| self.graph.symbols(operand))
            .filter(|symbol| moving(*symbol))
            .collect();
        symbols.sort_unstable();
        symbols.dedup();
        if attempt % 2 == 1 && symbols.len() > 1 {
            symbols = vec![symbols[self.random.below(symbols.len() as i64) as usize]];
        }
        let direction: Vec<(Symbol, f64)> = symbols
            .into_iter()
            .map(|symbol| (symbol, if self.random.below(2) == 0 { 1.0 } else { -1.0 } * (0.3 + self.random.fraction())))
            .collect();
        // Projection makes points expensive.
        let (ratio, largest) = if self.domain.manifold.is_some() { (2.5, 1e4) } else { (1.6, 1e7) };
        let mut lines = Vec::new();
        for sign in [1.0, -1.0] {
            let (mut before, mut crossings) = ((0.0, self.is_positive(&point, switch)), 0);
            for offset in offsets(1e-3, ratio, largest).filter(|offset| offset * sign > 0.0) {
                let side = self.at(&point, &direction, offset).and_then(|there| self.is_positive(&there, switch));
                let (last, last_side) = std::mem::replace(&mut before, (offset, side));
                if let (Some(one), Some(other)) = (last_side, side)
                    && one != other
                {
                    crossings += 1;
                    if let Some((low, high)) = self.bisect(switch, (&point, &direction), (last, offset), one)
                        && self.ends_satisfy(switch, (&point, &direction), (low, high), goals)
                    {
                        let (point, direction) = (point.clone(), direction.clone());
                        lines.push(Line { point, direction, low, high });
                    }
                    if crossings >= MOST_CROSSINGS {
                        break;
                    }
                }
            }
        }
        lines
    }

    /// The two neighbouring doubles between which the side changes.
    fn bisect(
        &self,
        switch: &Switch,
        (point, direction): (&Point, &[(Symbol, f64)]),
        (mut low, mut high): (f64, f64),
        side: bool,
    ) -> Option<(f64, f64)> {
        for _ in 0..64 {
            let middle = 0.5 * (low + high);
            if middle == low || middle == high {
                break;
            }
            let there = self.at(point, direction, middle)?;
            if self.is_positive(&there, switch)? == side {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some((low, high))
    }

    /// Whether the boundary exists and the goals are satisfied at one of the ends or next to it.
    fn ends_satisfy(
        &self,
        switch: &Switch,
        (point, direction): (&Point, &[(Symbol, f64)]),
        ends: (f64, f64),
        goals: &[Goal],
    ) -> bool {
        // An end may lie on the boundary itself, where a comparison may still have its other value.
        let away = 1e-9 * (ends.1 - ends.0).signum() * (1.0 + ends.0.abs());
        [ends.0, ends.1, ends.0 - away, ends.1 + away].into_iter().any(|offset| {
            self.at(point, direction, offset).is_some_and(|there| {
                let symbol = |symbol: Symbol| there.get(&symbol).copied();
                let counts = switch.abscissa().is_none_or(|abscissa| {
                    value_of(&mut Plain, self.graph, abscissa, &symbol).is_some_and(|value| value < 0.0)
                });
                counts && self.count_satisfied(&there, goals) == goals.len()
            })
        })
    }
}

/// ±first, ±first·ratio, … up to a largest.
fn offsets(first: f64, ratio: f64, largest: f64) -> impl Iterator<Item = f64> {
    std::iter::successors(Some(first), move |offset| Some(offset * ratio).filter(|next| *next <= largest))
        .flat_map(|offset| [offset, -offset])
}
