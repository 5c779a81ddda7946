//! Whether a matrix of expressions is singular at every state, decided by its values at points in general position.

use crate::graph::function::Function;
use crate::graph::value::{Arithmetic, Evaluated, Plain, Precise, Real, evaluate};
use crate::graph::{Graph, Id, Node, Rational, Symbol, rational};
use std::collections::BTreeSet;

/// The precision of the second test, in bits.
const BITS: usize = 256;

/// The most points in double precision that are tried, to find two at which every entry is defined.
const PLAIN_POINTS: u32 = 24;

/// The most points in high precision that are tried, for each combination of the sides of the switches.
const POINTS: u32 = 24;

/// The most switches whose combinations of sides are all searched for.
const MOST_SWITCHES: usize = 6;

/// The ranges from which coordinates, velocities and the time are drawn, in turn. The large ones reach switches far
/// from 0.
const LENGTHS: [u64; 4] = [1, 10, 100, 1000];

/// Whether a matrix is regular.
#[derive(Clone, Debug)]
pub(super) enum Regularity {
    /// It is regular at some state, or this was not decided.
    Regular,
    /// It is singular at every state. There is a null vector for each point that was tried.
    Singular(Vec<Vec<f64>>),
}

/// A matrix whose values are known at points.
pub(super) trait Sampled {
    /// The expressions in it.
    fn roots(&self) -> Vec<Id>;

    /// The matrix at a point in general position with positive parameters. `None` where an entry is undefined.
    fn at<A: Arithmetic>(
        &self,
        arithmetic: &mut A,
        graph: &Graph,
        order: &[Id],
        point: (u32, u64),
    ) -> Option<Values<A>>;
}

/// A matrix by its entries.
impl Sampled for [Vec<Id>] {
    fn roots(&self) -> Vec<Id> {
        self.iter().flatten().copied().collect()
    }

    fn at<A: Arithmetic>(
        &self,
        arithmetic: &mut A,
        graph: &Graph,
        order: &[Id],
        point: (u32, u64),
    ) -> Option<Values<A>> {
        let values = values(arithmetic, graph, order, point, &|_| None)?;
        let rows =
            self.iter().map(|row| row.iter().map(|&id| real::<A>(&values, id)).collect()).collect::<Option<_>>()?;
        Some((rows, values))
    }
}

/// [M + Σ gᵀg Gᵀ; G 0], with M given by the rows of M a: column j of M is M a for the unit vector a of direction j.
pub(super) struct Bordered<'m> {
    /// M a, row by row.
    pub(super) inertia: &'m [Id],
    /// G, row by row.
    pub(super) jacobian: &'m [Vec<Id>],
    /// The rows g whose squares are added to M.
    pub(super) held: &'m [&'m [Id]],
}

impl Sampled for Bordered<'_> {
    fn roots(&self) -> Vec<Id> {
        let rows = self.jacobian.iter().flatten().chain(self.held.iter().copied().flatten());
        self.inertia.iter().chain(rows).copied().collect()
    }

    fn at<A: Arithmetic>(
        &self,
        arithmetic: &mut A,
        graph: &Graph,
        order: &[Id],
        point: (u32, u64),
    ) -> Option<Values<A>> {
        let zero = arithmetic.rational(&Rational::ZERO)?;
        let mut rows: Vec<Vec<A::Value>> = vec![Vec::new(); self.inertia.len()];
        let mut last = Vec::new();
        for j in 0..self.inertia.len() as u32 {
            let unit = |symbol: Symbol| match symbol {
                Symbol::Acceleration(i) => Some(Rational::from(u8::from(i == j))),
                _ => None,
            };
            last = values(arithmetic, graph, order, point, &unit)?;
            for (row, &id) in rows.iter_mut().zip(self.inertia) {
                row.push(real::<A>(&last, id)?);
            }
        }
        for held in self.held {
            let held: Vec<A::Value> = held.iter().map(|&id| real::<A>(&last, id)).collect::<Option<_>>()?;
            for (row, first) in rows.iter_mut().zip(&held) {
                for (entry, second) in row.iter_mut().zip(&held) {
                    let square = arithmetic.mul(first, second)?;
                    *entry = arithmetic.add(entry, &square)?;
                }
            }
        }
        for row in self.jacobian {
            let mut border = Vec::new();
            for (upper, &id) in rows.iter_mut().zip(row) {
                let entry = real::<A>(&last, id)?;
                upper.push(entry.clone());
                border.push(entry);
            }
            border.resize(self.inertia.len() + self.jacobian.len(), zero.clone());
            rows.push(border);
        }
        Some((rows, last))
    }
}

/// Decides whether A x = 0 has a solution x ≠ 0 at every state.
pub(super) fn regularity<S: Sampled + ?Sized>(graph: &Graph, matrix: &S, columns: usize) -> Regularity {
    let order = graph.reachable(&matrix.roots());
    let mut plain = (0..PLAIN_POINTS).filter_map(|point| {
        let rows = matrix.at(&mut Plain, graph, &order, (point, 1))?.0;
        rows.iter()
            .flatten()
            .all(|entry| entry.is_finite())
            .then(|| null_vector(&mut Plain, rows, columns, &plain_rounding()).is_some())
    });
    if columns == 0 || plain.next() != Some(true) || plain.next() != Some(true) {
        return Regularity::Regular;
    }

    let switches = switches(graph, &order);
    if switches.len() > MOST_SWITCHES {
        return Regularity::Regular;
    }
    let sides = 1_usize << switches.len();
    let mut arithmetic = Precise::new(BITS);
    let (mut reached, mut vectors) = (BTreeSet::new(), Vec::new());
    for point in 0..POINTS * sides as u32 {
        let length = LENGTHS[point as usize % LENGTHS.len()];
        let Some((rows, values)) = matrix.at(&mut arithmetic, graph, &order, (point, length)) else { continue };
        let side = |&(left, right): &(Id, Option<Id>)| {
            let value = |id: Id| values[id.index()].as_ref().and_then(Evaluated::real);
            let left = value(left)?;
            Some(match right {
                Some(right) => left > value(right)?,
                None => *left > Real::ZERO,
            })
        };
        let Some(here) = switches.iter().map(side).collect::<Option<Vec<bool>>>() else { continue };
        let Some(vector) = null_vector(&mut arithmetic, rows, columns, &rounding()) else { return Regularity::Regular };
        reached.insert(here);
        vectors.push(vector.iter().map(|entry| entry.to_f64().value()).collect());
        if reached.len() == sides && vectors.len() > 2 {
            return Regularity::Singular(vectors);
        }
    }
    Regularity::Regular
}

/// In double precision, a remainder below this multiple of the largest entry of its row may be a rounding error.
pub fn plain_rounding() -> Rational {
    rational(1, 10_000_000_000)
}

/// In high precision, a remainder below this multiple of the largest entry of its row may be a rounding error. It takes
/// up half of the digits, so that 10⁻³⁰ is a pivot.
fn rounding() -> Rational {
    rational(1, 1 << 62) * rational(1, 1 << 62)
}

/// The switches among the nodes: pairs whose order decides a branch, or single nodes whose sign does.
fn switches(graph: &Graph, order: &[Id]) -> BTreeSet<(Id, Option<Id>)> {
    let switch = |id: &Id| match graph.node(*id) {
        Node::Compare(_, a, b) => Some((*a.min(b), Some(*a.max(b)))),
        Node::Call(Function::Min | Function::Max, arguments) => {
            Some((arguments[0].min(arguments[1]), Some(arguments[0].max(arguments[1]))))
        }
        Node::Call(Function::Abs | Function::Sign, arguments) => Some((arguments[0], None)),
        _ => None,
    };
    order.iter().filter_map(switch).collect()
}

/// The values of all nodes.
type NodeValues<A> = Vec<Option<Evaluated<<A as Arithmetic>::Value>>>;

/// The values of a matrix, and the values of all nodes.
type Values<A> = (Vec<Vec<<A as Arithmetic>::Value>>, NodeValues<A>);

/// The values of nodes at a point in general position with positive parameters, where nothing else is stated. `None` where a number of the
/// point is undefined.
fn values<A: Arithmetic>(
    arithmetic: &mut A,
    graph: &Graph,
    order: &[Id],
    (point, length): (u32, u64),
    stated: &dyn Fn(Symbol) -> Option<Rational>,
) -> Option<NodeValues<A>> {
    let values: Vec<(Symbol, Option<A::Value>)> = order
        .iter()
        .filter_map(|id| if let Node::Symbol(symbol) = graph.node(*id) { Some(*symbol) } else { None })
        .map(|symbol| {
            let number = stated(symbol).unwrap_or_else(|| random(symbol, point, length));
            (symbol, arithmetic.rational(&number))
        })
        .collect();
    let find = |wanted: Symbol| values.iter().find(|(symbol, _)| *symbol == wanted)?.1.clone();
    Some(evaluate(arithmetic, graph, order, &mut |symbol| find(symbol)))
}

/// The value of a node.
fn real<A: Arithmetic>(values: &NodeValues<A>, id: Id) -> Option<A::Value> {
    values[id.index()].as_ref()?.real().cloned()
}

/// A number that depends on the symbol and the point alone (SplitMix64's finalizer): between 1/2 and 3/2 for a
/// parameter, else between −length and length.
fn random(symbol: Symbol, point: u32, length: u64) -> Rational {
    let (kind, index) = match symbol {
        Symbol::Coordinate(index) => (1, index),
        Symbol::Velocity(index) => (2, index),
        Symbol::Acceleration(index) => (3, index),
        Symbol::Multiplier(index) => (4, index),
        Symbol::Parameter(index) => (5, index),
        Symbol::Input(index) => (6, index),
        Symbol::Dummy(index) => (7, index),
        Symbol::Time => (8, 0),
        Symbol::Force(index) => (9, index),
    };
    let mut bits = (u64::from(point) << 40 | u64::from(index) << 8 | kind).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    let (fraction, unit) = ((bits >> 42) as i64, 1_i64 << 22);
    match symbol {
        Symbol::Parameter(_) => rational(unit / 2 + fraction, unit as u64),
        _ => rational((2 * fraction - unit) * length as i64, unit as u64),
    }
}

/// A vector x ≠ 0 with A x = 0 whose first non-zero entry is one; `None` where there is no such vector. The rows are
/// scaled to a largest entry of one; then a pivot up to `negligible` counts as 0.
pub fn null_vector<A: Arithmetic>(
    arithmetic: &mut A,
    mut rows: Vec<Vec<A::Value>>,
    columns: usize,
    negligible: &Rational,
) -> Option<Vec<A::Value>>
where
    A::Value: PartialOrd,
{
    let zero = arithmetic.rational(&Rational::ZERO)?;
    let negligible = arithmetic.rational(negligible)?;
    let size = |arithmetic: &mut A, value: &A::Value| arithmetic.call(Function::Abs, std::slice::from_ref(value));
    for row in &mut rows {
        let mut largest = zero.clone();
        for entry in row.iter() {
            let entry = size(arithmetic, entry)?;
            largest = if entry > largest { entry } else { largest };
        }
        if largest > zero {
            let inverse = arithmetic.power_rational(&largest, &Rational::NEG_ONE)?;
            for entry in row {
                *entry = arithmetic.mul(entry, &inverse)?;
            }
        }
    }
    // Gauss–Jordan elimination with complete pivoting: pivots[k] is the column that row k determines.
    let mut pivots: Vec<usize> = Vec::new();
    let mut free: Vec<usize> = (0..columns).collect();
    while pivots.len() < rows.len() {
        let done = pivots.len();
        let mut best: Option<(A::Value, usize, usize)> = None;
        for (i, row) in rows.iter().enumerate().skip(done) {
            for &j in &free {
                let entry = size(arithmetic, &row[j])?;
                if best.as_ref().is_none_or(|(largest, ..)| entry >= *largest) {
                    best = Some((entry, i, j));
                }
            }
        }
        let Some((_, i, j)) = best.filter(|(largest, ..)| *largest > negligible) else { break };
        rows.swap(done, i);
        let inverse = arithmetic.power_rational(&rows[done][j].clone(), &Rational::NEG_ONE)?;
        let mut chosen = Vec::new();
        for entry in &rows[done] {
            chosen.push(arithmetic.mul(entry, &inverse)?);
        }
        for (k, row) in rows.iter_mut().enumerate() {
            if k == done {
                row.clone_from(&chosen);
                continue;
            }
            let factor = negative(arithmetic, &row[j])?;
            if factor == zero {
                continue;
            }
            for (entry, chosen) in row.iter_mut().zip(&chosen) {
                let change = arithmetic.mul(&factor, chosen)?;
                *entry = arithmetic.add(entry, &change)?;
            }
        }
        pivots.push(j);
        free.retain(|column| *column != j);
    }
    let column = *free.first()?;
    let mut vector = vec![zero; columns];
    vector[column] = arithmetic.rational(&Rational::ONE)?;
    for (row, &pivot) in rows.iter().zip(&pivots) {
        vector[pivot] = negative(arithmetic, &row[column])?;
    }
    let first = vector.iter().find(|entry| size(arithmetic, entry).is_some_and(|size| size > negligible))?.clone();
    let inverse = arithmetic.power_rational(&first, &Rational::NEG_ONE)?;
    vector.iter().map(|entry| arithmetic.mul(entry, &inverse)).collect()
}

fn negative<A: Arithmetic>(arithmetic: &mut A, value: &A::Value) -> Option<A::Value> {
    let minus = arithmetic.rational(&Rational::NEG_ONE)?;
    arithmetic.mul(&minus, value)
}
