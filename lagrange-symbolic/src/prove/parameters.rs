//! The values that parameters may have. A parameter is positive unless an assumption says otherwise.
//!
//! An assumption says otherwise where it gives a parameter a bound below zero (`a > -1`), where a negative parameter beside positive others
//! may satisfy it (`a < b`, `a^2 < 1`, `a*b > -2`), or where no positive parameters satisfy it (`a < 0`, `a*b < 0`, or `a < b` together with
//! `b < 0`). Linear assumptions are solved for each parameter in turn, so that points that satisfy them are found directly.

use super::bounds::Bounds;
use super::linear::Form;
use super::random::Random;
use super::range::Range;
use crate::graph::{Graph, Id, Node, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the sign of parameters in a normal form: positive unless listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParameterSigns {
    /// Parameters that are not known to be positive, and whether they are known to be negative.
    exceptions: BTreeMap<Symbol, bool>,
}

impl ParameterSigns {
    /// Whether a parameter is known to be negative.
    pub fn is_negative(&self, parameter: Symbol) -> bool {
        self.exceptions.get(&parameter) == Some(&true)
    }

    /// Whether the sign of a parameter is not known.
    pub fn is_unknown(&self, parameter: Symbol) -> bool {
        self.exceptions.get(&parameter) == Some(&false)
    }
}

/// The parameters that occur in assumptions.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters {
    /// Each with its node.
    named: Vec<(Symbol, Id)>,
    /// The ranges of expressions in parameters, under the assumptions and the positive sign of all other parameters.
    bounds: Bounds,
    /// The parameters that are positive though the assumptions alone do not say so.
    presumed: BTreeSet<Symbol>,
    contradictory: bool,
}

impl Parameters {
    /// The parameters that make all `assumptions` positive. `positive` says whether a parameter is positive where no
    /// single assumption says otherwise. The parameters in `free` have the ranges stated there instead.
    pub(super) fn new(graph: &Graph, assumptions: &[Id], positive: bool, free: &BTreeMap<Symbol, Range>) -> Self {
        if assumptions.is_empty() && free.is_empty() {
            return Self::default();
        }
        let mut named = Vec::new();
        for id in graph.reachable(assumptions) {
            if let Node::Symbol(symbol @ Symbol::Parameter(_)) = graph.node(id) {
                named.push((*symbol, id));
            }
        }
        for symbol in free.keys() {
            named.extend(
                graph.find_symbol(*symbol).filter(|id| !named.contains(&(*symbol, *id))).map(|id| (*symbol, id)),
            );
        }
        let forms: Vec<Form> = assumptions.iter().map(|id| Form::difference(graph, *id, None)).collect();
        let mut alone = Bounds::default();
        for (symbol, id) in &named {
            alone.limit(*id, free.get(symbol).copied().unwrap_or(Range::ALL));
        }
        for form in &forms {
            alone.assume(form.clone(), true);
        }
        let contradictory = !alone.narrow(graph);
        let mut positive: Vec<(Symbol, Id)> = named
            .iter()
            .copied()
            .filter(|(symbol, id)| {
                let range = alone.range(graph, *id);
                let may_be = range.high > 0.0 && !(range.low.is_finite() && range.low < 0.0);
                positive && may_be && !free.contains_key(symbol)
            })
            .collect();
        let candidates = positive.clone();
        positive.retain(|(_, id)| contradictory || !may_be_negative(graph, *id, &candidates, &alone, &forms));
        let presumed = |positive: &[(Symbol, Id)]| {
            positive
                .iter()
                .filter(|(_, id)| !alone.range(graph, *id).is_positive())
                .map(|(symbol, _)| *symbol)
                .collect()
        };
        loop {
            let mut bounds = alone.clone();
            for (_, id) in &positive {
                bounds.limit(*id, Range::POSITIVE);
            }
            let priors = bounds.clone();
            if contradictory || positive.is_empty() || bounds.narrow(graph) {
                return Self { named, bounds, presumed: presumed(&positive), contradictory };
            }
            // Parameters of an assumption that positive parameters violate are not positive. If only all assumptions
            // together are violated, no parameter is taken to be positive.
            let violated: Vec<Id> = assumptions
                .iter()
                .zip(&forms)
                .filter(|(_, form)| priors.form(graph, form).high <= 0.0)
                .map(|(id, _)| *id)
                .collect();
            let before = positive.len();
            positive.retain(|(symbol, _)| !violated.iter().any(|id| graph.depends_on(*id, *symbol)));
            if positive.len() == before {
                positive.clear();
            }
        }
    }

    /// Whether a parameter is positive though no assumption says so.
    pub(super) fn presumes_positive(&self, parameter: Symbol) -> bool {
        self.presumed.contains(&parameter) || self.named.iter().all(|(named, _)| *named != parameter)
    }

    /// Whether no parameters at all satisfy the assumptions.
    pub(super) fn is_contradictory(&self) -> bool {
        self.contradictory
    }

    pub(super) fn signs(&self, graph: &Graph) -> ParameterSigns {
        let mut exceptions = BTreeMap::new();
        for (symbol, id) in &self.named {
            let range = self.bounds.range(graph, *id);
            if !range.is_positive() {
                exceptions.insert(*symbol, range.is_negative());
            }
        }
        ParameterSigns { exceptions }
    }

    /// The ranges of expressions in parameters.
    pub(super) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Whether drawing values is expensive, because many parameters are coupled.
    pub(super) fn are_expensive(&self) -> bool {
        self.named.len() > 8
    }

    /// Draws values of the parameters that occur in assumptions, of a size of about `spread`. Each is drawn from the
    /// range that the assumptions leave when the previous ones have their values.
    pub(super) fn draw(&self, graph: &Graph, random: &mut Random, spread: f64) -> Vec<(Symbol, f64)> {
        let mut bounds = self.bounds.clone();
        let mut values = Vec::with_capacity(self.named.len());
        let start = random.below(self.named.len().max(1) as i64) as usize;
        for k in 0..self.named.len() {
            let (symbol, id) = self.named[(start + k) % self.named.len()];
            let value = within(bounds.range(graph, id), random, spread);
            values.push((symbol, value));
            bounds.limit(id, Range::point(value));
            bounds.narrow(graph);
        }
        values
    }
}

/// Whether the assumptions may hold for a negative value of a parameter beside positive values of the other `candidates`.
fn may_be_negative(graph: &Graph, parameter: Id, candidates: &[(Symbol, Id)], alone: &Bounds, forms: &[Form]) -> bool {
    let mut bounds = alone.clone();
    for (_, id) in candidates {
        bounds.limit(*id, if *id == parameter { Range::NEGATIVE } else { Range::POSITIVE });
    }
    bounds.narrow(graph) && !bounds.contradict(graph) && forms.iter().all(|form| bounds.form(graph, form).high > 0.0)
}

/// Draws a number from a range, with few digits where possible, and of a size of about `spread` where the range is
/// unbounded.
pub(super) fn within(range: Range, random: &mut Random, spread: f64) -> f64 {
    let part = random.fraction();
    let value = match (range.low.is_finite(), range.high.is_finite()) {
        (true, true) => range.low + part * (range.high - range.low),
        (true, false) => range.low + spread * (0.05 + part),
        (false, true) => range.high - spread * (0.05 + part),
        (false, false) => spread * (2.0 * part - 1.0),
    };
    let short: f64 = format!("{value:.4e}").parse().unwrap_or(value);
    if range.low < short && short < range.high { short } else { value }
}
