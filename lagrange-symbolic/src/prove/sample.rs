//! Comparison of two expressions at many points, with hundreds of bits, in every branch.
//!
//! A branch that no random point reaches is searched for. If the search fails too, the formulas of the branch are
//! compared at points outside of it. Formulas that agree there agree in the branch as well; if they differ, the claim
//! is undecided.

mod apart;
mod sizes;

pub(super) use apart::are_apart;

use super::branches::{Branch, Branches, MOST_BRANCHES};
use super::domain::{Domain, Manifold};
use super::lazy::evaluate_lazily;
use super::linear::Form;
use super::random::Random;
use super::search::{Point, Search};
use super::switch::{Goal, Switch};
use super::{Counterexample, Doubt, Verdict};
use crate::graph::value::{
    Arithmetic, Evaluated, Plain, Precise, Real, decimal, evaluate, is_zero, magnitude, numeric,
};
use crate::graph::{Graph, Id, Node, Rational, Symbol, rational};
use dashu_base::BitTest as _;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The number of points that are compared, where so many are found.
const POINTS: u32 = 20;

/// The most further points that are compared because they reach a branch for the first time.
const BRANCH_POINTS: u32 = 60;

/// Candidates that are tried in double precision: in search of points with defined values, and of further branches.
const CANDIDATES: u32 = 1_500;
const BRANCH_CANDIDATES: u32 = 200;

/// Attempts to reach a branch, and points at which the formulas of a branch that is not reached are compared.
const ATTEMPTS: usize = 12;
const FORMULA_POINTS: u32 = 6;

/// Candidates that are compared in high precision without a test in double precision, where that test accepted no
/// point.
const BLIND_POINTS: u32 = 12;

/// Steps of Newton's method onto the constraints: from any point in double precision, then in high precision, where
/// each step doubles the number of correct bits.
const PLAIN_STEPS: u32 = 40;
const PRECISE_STEPS: u32 = 7;

/// The points at which the comparison is deep, and the bits it has. Constants below the digits need more, up to a number.
const DEEP_POINTS: u32 = 2;
const DEEP_BITS: usize = 1024;
const MOST_BITS: usize = 1 << 14;

/// Precisions in bits. Two values differ if their difference stays the same from one precision to the next.
const BITS: [usize; 4] = [224, 448, 896, 1792];

/// Compares the expressions at points chosen by a fixed pseudo-random sequence.
pub(super) fn compare(graph: &Graph, left: Id, right: Id, domain: &Domain) -> Verdict {
    Comparison::new(graph, left, right, domain).run()
}

/// A point at which only one of two sides that are equal by their normal forms has a value.
pub(super) fn doubt_of_domains(graph: &Graph, left: Id, right: Id, domain: &Domain) -> Option<Doubt> {
    let may_lack = sizes::has_partial_functions(graph, &[left, right]);
    may_lack.then(|| Comparison::new(graph, left, right, domain).doubt_of_domains()).flatten()
}

/// The nodes that are evaluated in high precision where all points are compared: each in two precisions, once for the values and once for each step onto the constraints.
pub(super) fn work(graph: &Graph, value: Id, domain: &Domain) -> usize {
    let manifold: Vec<Id> = domain.manifold.iter().flat_map(Manifold::expressions).collect();
    let projections = if manifold.is_empty() { 0 } else { PRECISE_STEPS as usize };
    2 * POINTS as usize * (graph.reachable(&[value]).len() + projections * graph.reachable(&manifold).len())
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
            arithmetics: BTreeMap::new(),
            deepest: deepest(graph, &[left, right]),
            difference: Form::difference(graph, left, Some(right)),
            random: Random(0x9e37_79b9_7f4a_7c15),
            search: Search::new(graph, domain, &[left, right]),
            sides_seen: HashSet::new(),
            visited: Vec::new(),
        }
    }
}

/// How many digits a comparison has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Depth {
    /// As many as it takes until the difference is rounding or stays.
    Usual,
    /// So many that no constant of the expressions is below the digits.
    Deep,
}

/// The bits of a comparison in which the constants of the expressions, and products of a few, are above the last digits.
fn deepest(graph: &Graph, roots: &[Id]) -> usize {
    let mut most = 0;
    for id in graph.reachable(roots) {
        match graph.node(id) {
            Node::Number(value) => most = most.max(below_one(value)),
            Node::Sum { terms, constant } => {
                for value in terms.iter().map(|(_, scale)| scale).chain([constant]) {
                    most = most.max(below_one(value));
                }
            }
            _ => {}
        }
    }
    (DEEP_BITS + 3 * most).min(MOST_BITS)
}

/// The number of bits by which a number that is not 0 is below 1.
fn below_one(value: &Rational) -> usize {
    if value.is_zero() { 0 } else { value.denominator().bit_len().saturating_sub(value.numerator().bit_len()) }
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
    /// The switches of both sides.
    switches: Vec<Switch>,
    symbols: Vec<Symbol>,
    /// The arithmetics of so many bits that were used.
    arithmetics: BTreeMap<usize, Precise>,
    /// The bits of the deepest comparison: more than small constants of the expressions take.
    deepest: usize,
    /// A sum of the terms of the difference of both sides.
    difference: Form,
    random: Random,
    search: Search<'g>,
    /// The sides on which switches were visited.
    sides_seen: HashSet<(Id, i8)>,
    /// The sides of all switches at points where both expressions were equal.
    visited: Vec<Branch>,
}

impl Comparison<'_> {
    /// Whether a point satisfies the assumptions.
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
        self.point_within(candidate, PLAIN_STEPS)
    }

    /// A point of the domain, if so many steps lead from the candidate onto the constraints.
    fn point_within(&mut self, candidate: u32, steps: u32) -> Option<HashMap<Symbol, Rational>> {
        let mut point = self.point(candidate);
        if !self.is_assumed(&point) {
            point.extend(exact(self.search.parameters(candidate as usize)?)?);
        }
        let Some(manifold) = &self.domain.manifold else { return Some(point) };
        let mut known: HashMap<Symbol, f64> =
            point.iter().map(|(symbol, value)| (*symbol, value.to_f64().value())).collect();
        manifold.project(&mut Plain, self.graph, &self.order, &mut known, steps)?;
        if !manifold.is_met(self.graph, &known) {
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
            let new = reached.iter().any(|(id, side)| !self.sides_seen.contains(&(*id, *side)));
            if points >= POINTS && !new {
                continue;
            }
            tried += 1;
            if let Some(verdict) = self.visit(&point, &mut points) {
                return verdict;
            }
            self.sides_seen.extend(reached);
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
        if let Some(verdict) = self.visit_branches(&mut points).or_else(|| self.visit_all_sizes(&mut points)) {
            return verdict;
        }
        if let Some(doubt) = self.doubt_of_steps() {
            return Verdict::Undecided(doubt);
        }
        if points == 0 {
            return Verdict::Undecided(Doubt::Undefined);
        }
        Verdict::Checked { points }
    }

    /// Compares the two sides in every branch that no point has reached so far.
    fn visit_branches(&mut self, points: &mut u32) -> Option<Verdict> {
        if self.switches.is_empty() {
            return None;
        }
        let (branches, is_cut) = Branches::of(self.graph, &[self.left, self.right], self.domain.parameters.bounds());
        let mut unreached = None;
        for branch in branches {
            let is_in = |point: &Branch| branch.iter().all(|(id, side)| point.get(id) == Some(side));
            if self.visited.iter().any(is_in) {
                continue;
            }
            let mut goals: Vec<Goal> = branch.iter().map(|(id, side)| (*id, *side < 0)).collect();
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
            if *points == before && !self.formulas_agree(&branch) {
                unreached = unreached.or(Some(goals));
            }
        }
        match unreached {
            Some(goals) => Some(Verdict::Undecided(Doubt::Unreached(goals))),
            None if is_cut => Some(Verdict::Undecided(Doubt::Branches(MOST_BRANCHES))),
            None => None,
        }
    }

    /// Whether the formulas of a branch agree at points anywhere in the domain.
    fn formulas_agree(&mut self, branch: &Branch) -> bool {
        let mut agreed = 0;
        for candidate in 2..2 + 4 * FORMULA_POINTS {
            let Some(point) = self.allowed_point(candidate) else { continue };
            match self.compare_at(&point, &|id| branch.get(&id).copied().map(i64::from), Depth::Usual) {
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

    /// Compares the two sides at one point, and returns a verdict if that refutes the claim.
    fn visit(&mut self, point: &HashMap<Symbol, Rational>, points: &mut u32) -> Option<Verdict> {
        let depth = if (1..=DEEP_POINTS).contains(points) { Depth::Deep } else { Depth::Usual };
        match self.compare_at(point, &|_| None, depth) {
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

    /// A candidate point with coordinates of at most four decimals and parameters in accordance with the assumptions.
    /// The first is the origin and the second is at rest: non-smooth functions often have their kinks there.
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
        if self.domain.has_ranges() {
            let size = spread as f64 * 1e-4;
            for (symbol, value) in self.search.draw(size) {
                values.extend(Rational::try_from(value).ok().map(|value| (symbol, value)));
            }
        }
        values
    }

    /// The sides of all switches at a point, if both expressions have a value there in double precision.
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
        self.switches.iter().all(|switch| [-1, 1].iter().all(|side| self.sides_seen.contains(&(switch.node, *side))))
    }

    /// Compares in increasing precision until the difference either vanishes or stays.
    fn compare_at(
        &mut self,
        point: &HashMap<Symbol, Rational>,
        side: &dyn Fn(Id) -> Option<i64>,
        depth: Depth,
    ) -> AtPoint {
        let mut before: Option<Real> = None;
        let levels = match depth {
            Depth::Usual => BITS.to_vec(),
            Depth::Deep => vec![self.deepest, 2 * self.deepest],
        };
        for bits in levels {
            let arithmetic = self.arithmetics.entry(bits).or_insert_with(|| Precise::new(bits));
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
                    // A rounding error shrinks by about as many bits as the precision gains.
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
    side: &dyn Fn(Id) -> Option<i64>,
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

/// Both sides in decimal, with so many digits that the texts differ.
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
