//! Functions that equations define, in any arithmetic: Newton's method with halved steps from w = 0.

use super::evaluate::{Arithmetic, Evaluated, evaluate};
use crate::graph::{Graph, Id, Implicit, Node, Rational, Relation, Symbol, rational};
use std::collections::HashMap;

/// The most evaluations of the equations.
const MOST_EVALUATIONS: u32 = 400;

/// A residual is small below this multiple of the first one. The steps after it, each of which doubles the number of digits, give the
/// others.
const SMALL: (i64, u64) = (1, 1 << 40);

/// The most steps after the residual is small. They end before where one gains nothing. This number gives all digits of the most precise
/// arithmetic of proofs, of 2¹⁵ bits.
const LAST_STEPS: u32 = 12;

/// The value of a component of w, or of the number behind the last one. `None` where w is not found, and where branches of the
/// equations depend on w: nothing is claimed of such functions.
pub(super) fn implicit<A: Arithmetic>(
    arithmetic: &mut A,
    graph: &Graph,
    (index, part): (u32, u32),
    arguments: &[A::Value],
) -> Option<A::Value> {
    let equations = &graph.implicits()[index as usize];
    let found = Solver::new(arithmetic, graph, equations, arguments)?.solution(arithmetic)?;
    match found.get(part as usize) {
        Some(value) => Some(value.clone()),
        None => arithmetic.rational(&Rational::ONE),
    }
}

struct Solver<'g, V> {
    graph: &'g Graph,
    equations: &'g Implicit,
    order: Vec<Id>,
    known: HashMap<Symbol, V>,
    zero: V,
    minus: V,
}

/// r, and K row by row.
type Rows<V> = (Vec<V>, Vec<Vec<V>>);

impl<'g, V: Clone> Solver<'g, V> {
    fn new<A: Arithmetic<Value = V>>(
        arithmetic: &mut A,
        graph: &'g Graph,
        equations: &'g Implicit,
        arguments: &[V],
    ) -> Option<Self> {
        let roots: Vec<Id> = equations.residual.iter().chain(equations.slope.iter().flatten()).copied().collect();
        let order = graph.reachable(&roots);
        let switches = |id: &Id| match graph.node(*id) {
            Node::Compare(..) => true,
            Node::Call(function, _) => function.boundary().is_some(),
            _ => false,
        };
        let known = equations.arguments.iter().copied().zip(arguments.iter().cloned()).collect();
        let (zero, minus) = (arithmetic.rational(&Rational::ZERO)?, arithmetic.rational(&Rational::NEG_ONE)?);
        (!order.iter().any(switches)).then_some(Self { graph, equations, order, known, zero, minus })
    }

    fn rows<A: Arithmetic<Value = V>>(&self, arithmetic: &mut A, w: &[V]) -> Option<Rows<V>> {
        let mut symbol = |symbol: Symbol| match self.equations.unknowns.iter().position(|unknown| *unknown == symbol) {
            Some(part) => Some(w[part].clone()),
            None => self.known.get(&symbol).cloned(),
        };
        let values = evaluate(arithmetic, self.graph, &self.order, &mut symbol);
        let real = |id: &Id| values[id.index()].as_ref().and_then(Evaluated::real).cloned();
        let residual = self.equations.residual.iter().map(real).collect::<Option<Vec<V>>>()?;
        let slope = self.equations.slope.iter().map(|row| row.iter().map(real).collect::<Option<Vec<V>>>());
        Some((residual, slope.collect::<Option<_>>()?))
    }

    fn solution<A: Arithmetic<Value = V>>(&self, arithmetic: &mut A) -> Option<Vec<V>> {
        let half = arithmetic.rational(&rational(1, 2))?;
        let mut w = vec![self.zero.clone(); self.equations.unknowns.len()];
        let (mut residual, mut slope) = self.rows(arithmetic, &w)?;
        let mut norm = squares(arithmetic, &residual)?;
        let small = arithmetic.rational(&rational(SMALL.0, SMALL.1))?;
        let small = arithmetic.mul(&small, &small)?;
        let small = arithmetic.mul(&norm, &small)?;
        let one = arithmetic.rational(&Rational::ONE)?;
        let (mut evaluations, mut last) = (0, 0);
        // Whether a number as small as a square of rounding is 0 is undefined. Residuals are compared by their ratio, which is not small.
        while last < LAST_STEPS && arithmetic.compare(Relation::Equal, &norm, &self.zero) != Some(true) {
            let Some(inverse) = arithmetic.power_rational(&norm, &Rational::NEG_ONE) else { return Some(w) };
            let is_small = arithmetic.compare(Relation::LessEqual, &norm, &small) != Some(false);
            last += u32::from(is_small);
            let mut step = self.step(arithmetic, &residual, &slope)?;
            loop {
                evaluations += 1;
                if evaluations > MOST_EVALUATIONS {
                    return None;
                }
                let mut moved = Vec::new();
                for (w, step) in w.iter().zip(&step) {
                    moved.push(arithmetic.add(w, step)?);
                }
                if let Some(rows) = self.rows(arithmetic, &moved) {
                    let size = squares(arithmetic, &rows.0)?;
                    let ratio = arithmetic.mul(&size, &inverse)?;
                    let gains = arithmetic.compare(Relation::Less, &ratio, &one) == Some(true);
                    if is_small && !gains {
                        return Some(w);
                    }
                    if gains {
                        ((residual, slope), w, norm) = (rows, moved, size);
                        break;
                    }
                }
                for step in &mut step {
                    *step = arithmetic.mul(step, &half)?;
                }
            }
        }
        Some(w)
    }

    /// K⁻¹ r. Where K is singular, as at rest under a drag of third degree, a step of length 1 along r.
    fn step<A: Arithmetic<Value = V>>(&self, arithmetic: &mut A, residual: &[V], slope: &[Vec<V>]) -> Option<Vec<V>> {
        if let Some(step) = self.newton(arithmetic, residual, slope) {
            return Some(step);
        }
        let square = squares(arithmetic, residual)?;
        let inverse = arithmetic.power_rational(&square, &rational(-1, 2))?;
        residual.iter().map(|entry| arithmetic.mul(entry, &inverse)).collect()
    }

    fn newton<A: Arithmetic<Value = V>>(&self, arithmetic: &mut A, residual: &[V], slope: &[Vec<V>]) -> Option<Vec<V>> {
        let n = residual.len();
        let mut rows: Vec<Vec<V>> =
            slope.iter().zip(residual).map(|(row, right)| row.iter().chain([right]).cloned().collect()).collect();
        for i in 0..n {
            if arithmetic.compare(Relation::Equal, &rows[i][i], &self.zero)? {
                return None;
            }
            let inverse = arithmetic.power_rational(&rows[i][i].clone(), &Rational::NEG_ONE)?;
            for entry in &mut rows[i] {
                *entry = arithmetic.mul(entry, &inverse)?;
            }
            let pivot = rows[i].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(k, _)| *k != i) {
                let factor = arithmetic.mul(&row[i], &self.minus)?;
                for (entry, pivot) in row.iter_mut().zip(&pivot) {
                    let change = arithmetic.mul(&factor, pivot)?;
                    *entry = arithmetic.add(entry, &change)?;
                }
            }
        }
        Some(rows.into_iter().filter_map(|mut row| row.pop()).collect())
    }
}

fn squares<A: Arithmetic>(arithmetic: &mut A, values: &[A::Value]) -> Option<A::Value> {
    let mut sum = arithmetic.rational(&Rational::ZERO)?;
    for value in values {
        let square = arithmetic.mul(value, value)?;
        sum = arithmetic.add(&sum, &square)?;
    }
    Some(sum)
}
