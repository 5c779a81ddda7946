//! Comparison of two expressions at many points, in hundreds of bits, in every branch.
//!
//! A branch that random points do not reach is searched for. Where the search fails too, its formula is compared at other
//! points: two formulas that agree there agree in their branch as well, and if they do not, nothing is decided.

use super::cells::{Cell, Cells, MOST_CELLS};
use super::domain::{Domain, Manifold};
use super::lazy::evaluate_lazily;
use super::random::Random;
use super::search::{Point, Search};
use super::switch::{Goal, Switch};
use super::{Counterexample, Doubt, Verdict};
use crate::graph::value::{
    Arithmetic, Evaluated, Plain, Precise, Real, decimal, evaluate, is_zero, magnitude, numeric,
};
use crate::graph::{Graph, Id, Rational, Symbol, rational};
use std::collections::{HashMap, HashSet};

/// Points that are compared in any case.
const POINTS: u32 = 20;

/// Further points, compared because they reach a branch that none before did.
const BRANCH_POINTS: u32 = 60;

/// Points looked at in plain arithmetic, in search of defined values, and of branches.
const CANDIDATES: u32 = 1_500;
const BRANCH_CANDIDATES: u32 = 200;

/// Attempts to reach a branch, and points at which the formula of one that is not reached is compared.
const ATTEMPTS: usize = 12;
const FORMULA_POINTS: u32 = 6;

/// Points tried without that search, where it found no point at all.
const BLIND_POINTS: u32 = 12;

/// Steps of Newton's method onto the constraints, from anywhere in plain arithmetic and then in high precision, where
/// each doubles the number of correct bits.
const PLAIN_STEPS: u32 = 40;
const PRECISE_STEPS: u32 = 7;

/// Precisions in bits; a difference must not shrink from one to the next if it is to count.
const BITS: [usize; 4] = [224, 448, 896, 1792];

/// Compares the expressions at points chosen by a fixed pseudo-random sequence.
pub(super) fn compare(graph: &Graph, left: Id, right: Id, domain: &Domain) -> Verdict {
    Comparison::new(graph, left, right, domain).run()
}

impl<'g> Comparison<'g> {
    fn new(graph: &'g Graph, left: Id, right: Id, domain: &'g Domain) -> Self {
        let mut roots = vec![left, right];
        roots.extend(&domain.assumptions);
        roots.extend(domain.manifold.iter().flat_map(Manifold::expressions));
        let order = graph.reachable(&roots);
        let mut symbols: Vec<Symbol> = roots.iter().flat_map(|root| graph.symbols(*root)).collect();
        if let Some(manifold) = &domain.manifold {
            symbols.extend((0..manifold.coordinates).flat_map(|i| [Symbol::Coordinate(i), Symbol::Velocity(i)]));
        }
        symbols.sort_unstable();
        symbols.dedup();
        let is_switch = |id: &Id| Switch::of_formulas(graph, *id);
        let switches = graph.reachable(&[left, right]).iter().filter_map(is_switch).collect();
        Self {
            graph,
            left,
            right,
            domain,
            order,
            switches,
            symbols,
            arithmetics: Vec::new(),
            random: Random(0x9e37_79b9_7f4a_7c15),
            search: Search::new(graph, domain, &[left, right]),
            branches: HashSet::new(),
            visited: Vec::new(),
        }
    }
}

/// What is known of the two values at one point.
enum AtPoint {
    Equal,
    Different(String, String),
    Unknown,
}

struct Comparison<'g> {
    graph: &'g Graph,
    left: Id,
    right: Id,
    domain: &'g Domain,
    order: Vec<Id>,
    /// Where the two sides change their formulas.
    switches: Vec<Switch>,
    symbols: Vec<Symbol>,
    arithmetics: Vec<Precise>,
    random: Random,
    search: Search<'g>,
    /// Switches visited on a side.
    branches: HashSet<(Id, i8)>,
    /// The sides of all switches at points where both expressions were equal.
    visited: Vec<Cell>,
}

impl Comparison<'_> {
    /// Whether the assumptions hold at a point.
    fn is_assumed(&self, point: &HashMap<Symbol, Rational>) -> bool {
        if self.domain.assumptions.is_empty() {
            return true;
        }
        let values = numeric(self.graph, &self.domain.assumptions, &|symbol| {
            point.get(&symbol).map_or(f64::NAN, |value| value.to_f64().value())
        });
        values.iter().all(|value| *value > 0.0)
    }

    /// A point of the domain.
    fn allowed_point(&mut self, candidate: u32) -> Option<HashMap<Symbol, Rational>> {
        let mut point = self.point(candidate);
        if !self.is_assumed(&point) {
            point.extend(exact(self.search.parameters(candidate as usize)?)?);
        }
        let Some(manifold) = &self.domain.manifold else { return Some(point) };
        let mut known: HashMap<Symbol, f64> =
            point.iter().map(|(symbol, value)| (*symbol, value.to_f64().value())).collect();
        manifold.project(&mut Plain, self.graph, &self.order, &mut known, PLAIN_STEPS)?;
        let residuals = numeric(self.graph, &manifold.value, &|symbol| known.get(&symbol).copied().unwrap_or(f64::NAN));
        if !residuals.iter().all(|residual| residual.abs() < 1e-9) {
            return None;
        }
        for (symbol, value) in known {
            if let Symbol::Coordinate(_) | Symbol::Velocity(_) = symbol {
                point.insert(symbol, Rational::try_from(value).ok()?);
            }
        }
        Some(point)
    }

    fn run(&mut self) -> Verdict {
        let (mut points, mut tried) = (0, 0);
        for candidate in 0..CANDIDATES {
            if points >= POINTS && (self.saw_every_side() || candidate >= BRANCH_CANDIDATES) {
                break;
            }
            let Some(point) = self.allowed_point(candidate) else { continue };
            let Some(reached) = self.sides_at(&point) else { continue };
            let new = reached.iter().any(|(id, side)| !self.branches.contains(&(*id, *side)));
            if points >= POINTS && !new {
                continue;
            }
            tried += 1;
            if let Some(verdict) = self.visit(&point, &mut points) {
                return verdict;
            }
            self.branches.extend(reached);
            if tried >= POINTS + BRANCH_POINTS {
                break;
            }
        }
        if tried == 0 {
            for candidate in 0..BLIND_POINTS {
                let Some(point) = self.allowed_point(candidate) else { continue };
                if let Some(verdict) = self.visit(&point, &mut points) {
                    return verdict;
                }
            }
        }
        if let Some(verdict) = self.visit_branches(&mut points) {
            return verdict;
        }
        if points == 0 {
            return Verdict::Undecided(Doubt::Undefined);
        }
        Verdict::Checked { points }
    }

    /// Compares in every branch that no point has been in so far.
    fn visit_branches(&mut self, points: &mut u32) -> Option<Verdict> {
        if self.switches.is_empty() {
            return None;
        }
        let (cells, is_cut) = Cells::of(self.graph, &[self.left, self.right], self.domain.parameters.bounds());
        let mut unreached = None;
        for cell in cells {
            let is_in = |point: &Cell| cell.iter().all(|(id, side)| point.get(id) == Some(side));
            if self.visited.iter().any(is_in) {
                continue;
            }
            let mut goals: Vec<Goal> = cell.iter().map(|(id, side)| (*id, *side < 0)).collect();
            goals.sort_unstable();
            let before = *points;
            for attempt in 0..ATTEMPTS {
                let Some(point) = self.search.point(&goals, attempt).and_then(exact) else { continue };
                if let Some(verdict) = self.visit(&point, points) {
                    return Some(verdict);
                }
                if *points > before {
                    break;
                }
            }
            if *points == before && !self.formulas_agree(&cell) {
                unreached = unreached.or(Some(goals));
            }
        }
        match unreached {
            Some(goals) => Some(Verdict::Undecided(Doubt::Unreached(goals))),
            None if is_cut => Some(Verdict::Undecided(Doubt::Branches(MOST_CELLS))),
            None => None,
        }
    }

    /// Whether the formulas of a branch agree at points anywhere.
    fn formulas_agree(&mut self, cell: &Cell) -> bool {
        let mut agreed = 0;
        for candidate in 2..2 + 4 * FORMULA_POINTS {
            let Some(point) = self.allowed_point(candidate) else { continue };
            match self.compare_at(&point, &|id| cell.get(&id).copied()) {
                AtPoint::Equal => agreed += 1,
                AtPoint::Different(..) => return false,
                AtPoint::Unknown => {}
            }
            if agreed >= FORMULA_POINTS {
                return true;
            }
        }
        false
    }

    /// Compares at one point; a verdict is a refutation.
    fn visit(&mut self, point: &HashMap<Symbol, Rational>, points: &mut u32) -> Option<Verdict> {
        match self.compare_at(point, &|_| None) {
            AtPoint::Equal => {
                *points += 1;
                let sides = self.sides_at(point).unwrap_or_default();
                self.visited.push(sides.into_iter().filter(|(_, side)| *side != 0).collect());
            }
            AtPoint::Unknown => {}
            AtPoint::Different(left, right) => {
                let values = self.symbols.iter().map(|symbol| (*symbol, decimal_text(&point[symbol]))).collect();
                return Some(Verdict::Refuted(Counterexample { values, left, right }));
            }
        }
        None
    }

    /// A point with coordinates of at most four decimals; parameters are as the assumptions say, else positive. The first is the origin, the
    /// second is at rest: there the non-smooth functions have their kinks.
    fn point(&mut self, candidate: u32) -> HashMap<Symbol, Rational> {
        let spread = [10_000, 10_000, 2_500, 100_000][candidate as usize % 4];
        let mut values = HashMap::with_capacity(self.symbols.len());
        for &symbol in &self.symbols {
            let value = match symbol {
                Symbol::Parameter(_) => 2_000 + self.random.below(3 * spread),
                _ if candidate == 0 => 0,
                Symbol::Velocity(_) if candidate == 1 => 0,
                _ => self.random.below(6 * spread) - 3 * spread,
            };
            values.insert(symbol, rational(value, 10_000));
        }
        if !self.domain.assumptions.is_empty() {
            let size = spread as f64 * 1e-4;
            for (symbol, value) in self.search.draw(size) {
                values.extend(Rational::try_from(value).ok().map(|value| (symbol, value)));
            }
        }
        values
    }

    /// The sides of all switches at a point, where both expressions have a value in plain arithmetic.
    fn sides_at(&self, point: &HashMap<Symbol, Rational>) -> Option<Vec<(Id, i8)>> {
        let mut symbol = |symbol: Symbol| point.get(&symbol).map(|value| value.to_f64().value());
        let values = evaluate(&mut Plain, self.graph, &self.order, &mut symbol);
        let real = |id: Id| values[id.index()].as_ref().and_then(Evaluated::real).copied();
        if !real(self.left)?.is_finite() || !real(self.right)?.is_finite() {
            return None;
        }
        let side = |value: f64| i8::from(value > 0.0) - i8::from(value < 0.0);
        let sides = self.switches.iter().filter_map(|switch| {
            let value = switch.value(&mut Plain, &mut |_: &mut Plain, id| real(id))?;
            Some((switch.node, side(value)))
        });
        Some(sides.collect())
    }

    /// Whether each switch was seen on both sides.
    fn saw_every_side(&self) -> bool {
        self.switches.iter().all(|switch| [-1, 1].iter().all(|side| self.branches.contains(&(switch.node, *side))))
    }

    /// Compares in growing precision until the difference has either vanished or stayed.
    fn compare_at(&mut self, point: &HashMap<Symbol, Rational>, side: &dyn Fn(Id) -> Option<i8>) -> AtPoint {
        let mut before: Option<Real> = None;
        for (level, &bits) in BITS.iter().enumerate() {
            if self.arithmetics.len() <= level {
                self.arithmetics.push(Precise::new(bits));
            }
            let arithmetic = &mut self.arithmetics[level];
            let manifold = self.domain.manifold.as_ref();
            let sides = sides(arithmetic, self.graph, &self.order, (self.left, self.right), point, manifold, side);
            let Some((left, right)) = sides else { return AtPoint::Unknown };
            let Some(difference) = arithmetic.subtract(&left, &right) else { return AtPoint::Unknown };
            if let Some(before) = &before {
                let shrunk = match (is_zero(before), is_zero(&difference)) {
                    (_, true) => return AtPoint::Equal,
                    (true, false) => None,
                    (false, false) => Some(magnitude(before) - magnitude(&difference)),
                };
                match shrunk {
                    // Rounding shrinks with the added precision, about as many bits as were added.
                    Some(bits) if bits > 64 => return AtPoint::Equal,
                    Some(bits) if bits.abs() <= 1 => return different(&left, &right),
                    _ => {}
                }
            }
            before = Some(difference);
        }
        AtPoint::Unknown
    }
}

fn sides(
    arithmetic: &mut Precise,
    graph: &Graph,
    order: &[Id],
    (left, right): (Id, Id),
    point: &HashMap<Symbol, Rational>,
    manifold: Option<&Manifold>,
    side: &dyn Fn(Id) -> Option<i8>,
) -> Option<(Real, Real)> {
    let mut known: HashMap<Symbol, Real> = HashMap::with_capacity(point.len());
    for (symbol, value) in point {
        known.insert(*symbol, arithmetic.rational(value)?);
    }
    if let Some(manifold) = manifold {
        manifold.project(arithmetic, graph, order, &mut known, PRECISE_STEPS)?;
    }
    let mut memory = HashMap::new();
    let mut real = |id: Id| {
        let symbol = |symbol: Symbol| known.get(&symbol).cloned();
        evaluate_lazily(arithmetic, graph, id, &mut memory, &symbol, side)?.real().cloned()
    };
    Some((real(left)?, real(right)?))
}

/// Both sides in decimal, with as many digits as it takes to tell them apart.
fn different(left: &Real, right: &Real) -> AtPoint {
    let mut texts = (decimal(left, 12), decimal(right, 12));
    for digits in [25, 50, 100, 200] {
        if texts.0 != texts.1 {
            break;
        }
        texts = (decimal(left, digits), decimal(right, digits));
    }
    AtPoint::Different(texts.0, texts.1)
}

/// A number in decimal: up to four decimals, or as many as it takes for what is small.
fn decimal_text(value: &Rational) -> String {
    let value = value.to_f64().value();
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.parse() == Ok(value) || value.abs() > 1e-2 { text.to_owned() } else { format!("{value:.4e}") }
}

/// A point in exact numbers.
fn exact(point: Point) -> Option<HashMap<Symbol, Rational>> {
    point.into_iter().map(|(symbol, value)| Some((symbol, Rational::try_from(value).ok()?))).collect()
}
