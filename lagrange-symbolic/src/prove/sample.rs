//! Comparison of two expressions at many points, in hundreds of bits, every branch visited that sampling reaches.

use super::domain::{Domain, Manifold};
use super::evaluate::{Arithmetic, Evaluated, evaluate};
use super::plain::{Plain, numeric};
use super::precise::{Precise, Real, decimal, is_zero, magnitude};
use super::{Counterexample, Verdict};
use crate::expr::{Graph, Id, Node, Rational, Symbol, rational};
use crate::function::Function;
use std::collections::{HashMap, HashSet};

/// Points that are compared in any case.
const POINTS: u32 = 20;

/// Further points, compared because they reach a branch that none before did.
const BRANCH_POINTS: u32 = 60;

/// Points looked at in plain arithmetic, in search of defined values and of branches.
const CANDIDATES: u32 = 1_500;

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

/// Whether positive parameters can meet the assumptions.
pub(super) fn allows_positive(graph: &Graph, domain: &Domain) -> bool {
    domain.assumptions.first().is_none_or(|any| Comparison::new(graph, *any, *any, domain).allows_positive())
}

impl<'g> Comparison<'g> {
    fn new(graph: &'g Graph, left: Id, right: Id, domain: &'g Domain) -> Self {
        let mut roots = vec![left, right];
        roots.extend(&domain.assumptions);
        let compared = roots.len();
        roots.extend(domain.manifold.iter().flat_map(Manifold::expressions));
        let order = graph.reachable(&roots);
        let mut symbols: Vec<Symbol> = roots.iter().flat_map(|root| graph.symbols(*root)).collect();
        if let Some(manifold) = &domain.manifold {
            symbols.extend((0..manifold.coordinates).flat_map(|i| [Symbol::Coordinate(i), Symbol::Velocity(i)]));
        }
        symbols.sort_unstable();
        symbols.dedup();
        let switches = graph.reachable(&roots[..compared]);
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
            branches: HashSet::new(),
            signs: false,
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
    /// What the two sides and the assumptions are made of.
    switches: Vec<Id>,
    symbols: Vec<Symbol>,
    arithmetics: Vec<Precise>,
    random: Random,
    /// Branches visited: a node that switches, and to which side.
    branches: HashSet<(Id, i8)>,
    /// Whether parameters in assumptions are tried with both signs, since no positive ones meet them.
    signs: bool,
}

impl Comparison<'_> {
    /// Whether positive parameters meet the assumptions somewhere.
    fn allows_positive(&mut self) -> bool {
        (0..CANDIDATES).any(|candidate| {
            let point = self.point(candidate);
            self.is_assumed(&point)
        })
    }

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
            return None;
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
        if !self.domain.assumptions.is_empty() {
            let positive = self.allows_positive();
            self.signs = !positive;
        }
        let (mut points, mut tried) = (0, 0);
        for candidate in 0..CANDIDATES {
            let Some(point) = self.allowed_point(candidate) else { continue };
            let Some(reached) = self.branches_at(&point) else { continue };
            let new = reached.iter().any(|branch| !self.branches.contains(branch));
            if points >= POINTS && !new {
                if self.saw_every_branch() {
                    break;
                }
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
        if points == 0 {
            return Verdict::Undecided("no point was found where both sides are defined".to_string());
        }
        Verdict::Checked { points }
    }

    /// Compares at one point; a verdict is a refutation.
    fn visit(&mut self, point: &HashMap<Symbol, Rational>, points: &mut u32) -> Option<Verdict> {
        match self.compare_at(point) {
            AtPoint::Equal => *points += 1,
            AtPoint::Unknown => {}
            AtPoint::Different(left, right) => {
                let values = self.symbols.iter().map(|symbol| (*symbol, four_decimals(&point[symbol]))).collect();
                return Some(Verdict::Refuted(Counterexample { values, left, right }));
            }
        }
        None
    }

    /// A point with coordinates of at most four decimals; parameters are positive. The first is the origin, the
    /// second is at rest: there the non-smooth functions have their kinks.
    fn point(&mut self, candidate: u32) -> HashMap<Symbol, Rational> {
        let spread = [10_000, 10_000, 2_500, 100_000][candidate as usize % 4];
        let mut values = HashMap::with_capacity(self.symbols.len());
        for &symbol in &self.symbols {
            let in_assumption =
                |symbol| self.domain.assumptions.iter().any(|assumption| self.graph.depends_on(*assumption, symbol));
            let value = match symbol {
                Symbol::Parameter(_) if self.signs && in_assumption(symbol) => {
                    self.random.below(6 * spread) - 3 * spread
                }
                Symbol::Parameter(_) => 2_000 + self.random.below(3 * spread),
                _ if candidate == 0 => 0,
                Symbol::Velocity(_) if candidate == 1 => 0,
                _ => self.random.below(6 * spread) - 3 * spread,
            };
            values.insert(symbol, rational(value, 10_000));
        }
        values
    }

    /// The sides of all switches at a point, where both expressions have a value in plain arithmetic.
    fn branches_at(&self, point: &HashMap<Symbol, Rational>) -> Option<Vec<(Id, i8)>> {
        let mut symbol = |symbol: Symbol| point.get(&symbol).map(|value| value.to_f64().value());
        let values = evaluate(&mut Plain, self.graph, &self.order, &mut symbol);
        let real = |id: Id| values[id.index()].as_ref().and_then(Evaluated::real).copied();
        if !real(self.left)?.is_finite() || !real(self.right)?.is_finite() {
            return None;
        }
        let side = |difference: f64| i8::from(difference > 0.0) - i8::from(difference < 0.0);
        let odd = |x: f64| i8::from(x.floor() % 2.0 != 0.0);
        let mut reached = Vec::new();
        for &id in &self.switches {
            match self.graph.node(id) {
                Node::Compare(_, a, b) => {
                    if let Some(Evaluated::Truth(holds)) = values[id.index()] {
                        reached.push((id, i8::from(holds)));
                    }
                    if let (Some(a), Some(b)) = (real(*a), real(*b)) {
                        reached.push((id, 4 + side(a - b)));
                    }
                }
                Node::Call(Function::Abs | Function::Sign, arguments) => {
                    reached.extend(real(arguments[0]).map(|x| (id, side(x))));
                }
                // Neighbouring branches are told apart by whether the whole number is odd.
                Node::Call(Function::Floor, arguments) => {
                    reached.extend(real(arguments[0]).map(|x| (id, odd(x))));
                }
                Node::Call(Function::Mod, arguments) => {
                    if let (Some(x), Some(y)) = (real(arguments[0]), real(arguments[1])) {
                        reached.push((id, odd(x / y)));
                    }
                }
                Node::Call(Function::Min | Function::Max, arguments) => {
                    if let (Some(a), Some(b)) = (real(arguments[0]), real(arguments[1])) {
                        reached.push((id, side(a - b)));
                    }
                }
                _ => {}
            }
        }
        Some(reached)
    }

    /// Whether each switch was seen on two sides.
    fn saw_every_branch(&self) -> bool {
        let mut sides: HashMap<Id, u32> = HashMap::new();
        for (id, _) in self.branches.iter().filter(|(_, side)| *side < 3) {
            *sides.entry(*id).or_default() += 1;
        }
        self.switches.iter().all(|id| match self.graph.node(*id) {
            Node::Compare(..)
            | Node::Call(
                Function::Abs | Function::Sign | Function::Floor | Function::Mod | Function::Min | Function::Max,
                _,
            ) => sides.get(id).is_some_and(|&count| count >= 2),
            _ => true,
        })
    }

    /// Compares in growing precision until the difference has either vanished or stayed.
    fn compare_at(&mut self, point: &HashMap<Symbol, Rational>) -> AtPoint {
        let mut before: Option<Real> = None;
        for (level, &bits) in BITS.iter().enumerate() {
            if self.arithmetics.len() <= level {
                self.arithmetics.push(Precise::new(bits));
            }
            let arithmetic = &mut self.arithmetics[level];
            let manifold = self.domain.manifold.as_ref();
            let sides = sides(arithmetic, self.graph, &self.order, (self.left, self.right), point, manifold);
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
) -> Option<(Real, Real)> {
    let mut known: HashMap<Symbol, Real> = HashMap::with_capacity(point.len());
    for (symbol, value) in point {
        known.insert(*symbol, arithmetic.rational(value)?);
    }
    if let Some(manifold) = manifold {
        manifold.project(arithmetic, graph, order, &mut known, PRECISE_STEPS)?;
    }
    let values = evaluate(arithmetic, graph, order, &mut |symbol| known.get(&symbol).cloned());
    let real = |id: Id| values.get(id.index())?.as_ref()?.real().cloned();
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

/// A multiple of 1/10000 in decimal.
fn four_decimals(value: &Rational) -> String {
    let text = format!("{:.4}", value.to_f64().value());
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// A fixed pseudo-random sequence (SplitMix64: Steele, Lea & Flood 2014).
struct Random(u64);

impl Random {
    /// A number from 0 up to, not including, `bound`.
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed % bound.unsigned_abs().max(1)) as i64
    }
}
