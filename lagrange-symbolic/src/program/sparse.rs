//! M x = b by the sparse form of M. Intermediate velocities are substituted and velocities are eliminated, in an order
//! that keeps the remaining matrix sparse. On chains and trees of bodies this takes O(n) operations.
//!
//! A substitution is a congruence and needs no division. A velocity is eliminated after every intermediate velocity
//! that depends on it is substituted. Its pivot is then the pivot of the dense LDLᵀ of M in the same order. So positive
//! pivots prove M positive definite, and they are compared with the same diagonal entries of M.
//!
//! M of a body that turns by a quaternion e is singular along e at every state, and the row of the constraint |e|² = 1 determines what it leaves
//! open. M + ρ gᵀg takes the place of M there, with the row g, and F + ρ gᵀ (g a) that of F: the solution is the same.

use super::dyad::{Dyad, Rod};
use super::link::{Link, Swept};
use super::multipliers::Multipliers;
use super::{Builder, Operation, Value};
use crate::graph::{Graph, Rational, Relation};
use crate::mechanics::{Entries, SparseMass, position};
use std::collections::BTreeSet;

/// The substitutions and eliminations that solve a sparse system.
#[derive(Clone, Debug)]
pub struct SparseFactor {
    steps: Vec<Step>,
    unknowns: usize,
    coordinates: usize,
    /// How many rows of G there are. Their multipliers are the last unknowns.
    rows: usize,
    /// A mask: every pivot exceeds N·ε times its diagonal entry of M, or √ε times it if there are rows of G, so M is positive definite. The pivot
    /// of each row of G is negative by as much, relative to its diagonal entry of −G M⁻¹ Gᵀ.
    pub safe: Value,
}

impl SparseFactor {
    /// Whether each intermediate velocity is that of a link's point.
    pub fn has_only_links(&self) -> bool {
        !self.steps.iter().any(|step| matches!(step, Step::Substitute { .. }))
    }
}

#[derive(Clone, Debug)]
enum Step {
    /// An intermediate velocity is replaced by Σ coefficient·unknown.
    Substitute { unknown: usize, terms: Vec<(usize, Value)> },
    /// A velocity is eliminated: its column divided by the pivot, and 1/pivot.
    Eliminate { unknown: usize, column: Vec<(usize, Value)>, inverse: Value },
    /// ρ gᵀg of a row g of G is added to M, and ρ gᵀ times the right-hand side of the row to the forces.
    Hold { row: usize, weighted: Vec<(usize, Value)> },
    /// The velocities of a point are replaced, and the velocity of the link to it is eliminated.
    Link { link: Link, ends: [(usize, Vec<(usize, Value)>); 2] },
}

impl Builder {
    /// Factors a sparse system, with the rows of G as a border if `has_border`. `None` if that takes more operations than `limit`.
    pub fn factor_sparse(
        &mut self,
        graph: &mut Graph,
        sparse: &SparseMass,
        has_border: bool,
        limit: usize,
    ) -> Option<SparseFactor> {
        let n = sparse.coordinates;
        let definitions: Vec<Vec<(usize, Value)>> = sparse
            .definitions
            .iter()
            .map(|terms| terms.iter().map(|&(unknown, c)| (unknown, self.lower(graph, c))).collect())
            .collect();
        let mut rest: Entries<Value> =
            sparse.hessian.iter().map(|(&position, &entry)| (position, self.lower(graph, entry))).collect();
        let diagonal = self.lower_all(graph, &sparse.diagonal);
        let (border, held) = if has_border { (&sparse.rows[..], &sparse.held[..]) } else { (&[][..], &[][..]) };
        let mut border = Multipliers::new(self, graph, (border, held), n + definitions.len(), &mut rest);
        let tolerance = if border.count() == 0 { self.tolerance(n) } else { self.tolerance_with_border() };
        let mut checks = Vec::with_capacity(n);
        let mut plan = Plan::new(sparse);
        let longest = self.operations.len() + limit;
        let mut steps = Vec::new();
        let mut dyads: Vec<Dyad> = Vec::new();
        while let Some((substituted, velocity)) = plan.next() {
            if self.operations.len() > longest {
                return None;
            }
            let next = (&substituted, velocity);
            if border.count() == 0
                && let Some(rod) = Rod::take(self, graph, sparse, (&mut rest, &mut dyads), next)
            {
                let scale = (diagonal[velocity], tolerance);
                let at = steps.len();
                let drift = sparse.drift.as_ref().map(|drift| rod.ends.map(|end| drift.rates[end - n]));
                if let Some((link, turned)) = Link::new(self, graph, (&rod, velocity), drift, scale) {
                    rod.leave(self, graph, (&mut rest, &mut dyads), &turned, Some(at));
                    checks.extend(turned.checks);
                    if let Some(Step::Link { link, .. }) = link.next().map(|next| &mut steps[next]) {
                        link.is_joined = true;
                    }
                    let ends = link.ends.map(|end| (end, definitions[end - n].clone()));
                    steps.push(Step::Link { link, ends });
                    continue;
                }
                let turned = rod.turn(self, graph, scale);
                let column = rod.leave(self, graph, (&mut rest, &mut dyads), &turned, None);
                checks.extend(turned.checks);
                for unknown in rod.ends.into_iter().rev() {
                    steps.push(Step::Substitute { unknown, terms: definitions[unknown - n].clone() });
                }
                steps.push(Step::Eliminate { unknown: velocity, column, inverse: turned.inverse });
                continue;
            }
            let is_met = |dyad: &mut Dyad| substituted.iter().chain([&velocity]).any(|&unknown| dyad.touches(unknown));
            for dyad in dyads.extract_if(.., is_met).collect::<Vec<_>>() {
                for ((a, b), entry) in dyad.entries(self, graph) {
                    self.add_entry(&mut rest, a, b, entry);
                }
            }
            for unknown in substituted.into_iter().rev() {
                let terms = definitions[unknown - n].clone();
                self.substitute(&mut rest, unknown, &terms);
                steps.push(Step::Substitute { unknown, terms });
            }
            for (row, terms) in border.held_by(velocity) {
                let weighted = self.hold(&mut rest, &terms);
                steps.push(Step::Hold { row, weighted });
            }
            let pivot = rest.remove(&(velocity, velocity)).unwrap_or_else(|| self.constant(Rational::ZERO));
            checks.push(self.exceeds(pivot, diagonal[velocity], tolerance));
            let inverse = self.reciprocal(pivot);
            let column = self.eliminate(&mut rest, velocity, inverse);
            border.gain(self, &column, pivot);
            steps.push(Step::Eliminate { unknown: velocity, column, inverse });
            while let Some(row) = border.next(&rest) {
                let pivot = rest.remove(&(row, row)).unwrap_or_else(|| self.constant(Rational::ZERO));
                let pivot = self.negate(pivot);
                checks.push(self.exceeds(pivot, border.scale(row, pivot), tolerance));
                let inverse = self.reciprocal(pivot);
                let inverse = self.negate(inverse);
                border.lose(self, &rest, row);
                let column = self.eliminate(&mut rest, row, inverse);
                steps.push(Step::Eliminate { unknown: row, column, inverse });
            }
        }
        let safe = self.all(&checks);
        let rows = border.count();
        let unknowns = n + definitions.len() + rows;
        Some(SparseFactor { steps, unknowns, coordinates: n, rows, safe })
    }

    /// Whether a number is far above the numbers at which digits are lost by underflow, in every precision: above ε⁵, which
    /// is 2e-35 in single and 5e-79 in double precision.
    pub(super) fn is_normal(&mut self, number: Value) -> Value {
        let epsilon = self.push(Operation::Epsilon);
        let least = self.power(epsilon, 5);
        self.push(Operation::Compare(Relation::Less, least, number))
    }

    /// Adds to an entry of the remaining matrix.
    pub(super) fn add_entry(&mut self, rest: &mut Entries<Value>, a: usize, b: usize, value: Value) {
        let at = position(a, b);
        let sum = match rest.get(&at) {
            Some(&entry) => self.add(entry, value),
            None => value,
        };
        rest.insert(at, sum);
    }

    /// Replaces an unknown x by Σ c y, and its row h by terms in the y. With s = h_y + c h_x, the entry of a pair (y,
    /// z) of new unknowns gains c_z s_y + c_y h_z. The entry of a new unknown y and any other unknown z gains c_y h_z.
    pub(super) fn substitute(&mut self, rest: &mut Entries<Value>, unknown: usize, terms: &[(usize, Value)]) {
        let zero = self.constant(Rational::ZERO);
        let own = rest.remove(&(unknown, unknown)).unwrap_or(zero);
        let row = take_row(rest, unknown);
        let coupled = |other: usize| row.iter().find(|(known, _)| *known == other).map_or(zero, |&(_, entry)| entry);
        for &(other, entry) in row.iter().filter(|(other, _)| terms.iter().all(|(target, _)| target != other)) {
            for &(target, c) in terms {
                let product = self.multiply(c, entry);
                self.add_entry(rest, target, other, product);
            }
        }
        let mut sums = Vec::new();
        for &(target, c) in terms {
            let scaled = self.multiply(c, own);
            sums.push(self.add(coupled(target), scaled));
        }
        for (i, &(target, c)) in terms.iter().enumerate() {
            for (&(other, d), &sum) in terms[..=i].iter().zip(&sums) {
                let gain = if target == other {
                    let twice = self.add(sum, coupled(target));
                    self.multiply(c, twice)
                } else {
                    let (first, second) = (self.multiply(c, sum), self.multiply(d, coupled(target)));
                    self.add(first, second)
                };
                if !self.is_zero(gain) {
                    self.add_entry(rest, target, other, gain);
                }
            }
        }
    }

    /// Adds ρ gᵀg to the remaining matrix, and returns ρ g. The weight ρ makes the addition as large as the entries on the diagonal of the
    /// coordinates of g: ρ |g|² is their sum. An entry of g that is 0 at a state leaves ρ as it is.
    fn hold(&mut self, rest: &mut Entries<Value>, row: &[(usize, Value)]) -> Vec<(usize, Value)> {
        let zero = self.constant(Rational::ZERO);
        let (mut inertia, mut square) = (zero, zero);
        for &(unknown, g) in row {
            let own = rest.get(&(unknown, unknown)).copied().unwrap_or(zero);
            inertia = self.add(inertia, own);
            let product = self.multiply(g, g);
            square = self.add(square, product);
        }
        let inverse = self.reciprocal(square);
        let weight = self.multiply(inertia, inverse);
        let weighted: Vec<(usize, Value)> =
            row.iter().map(|&(unknown, g)| (unknown, self.multiply(weight, g))).collect();
        for (i, &(first, heavy)) in weighted.iter().enumerate() {
            for &(second, g) in &row[..=i] {
                let product = self.multiply(heavy, g);
                self.add_entry(rest, first, second, product);
            }
        }
        weighted
    }

    /// Subtracts (column)(column)ᵀ/pivot from the remaining matrix. Returns the column divided by the pivot.
    fn eliminate(&mut self, rest: &mut Entries<Value>, unknown: usize, inverse: Value) -> Vec<(usize, Value)> {
        let column = take_row(rest, unknown);
        let scaled = self.scaled(&column, inverse);
        for (i, &(first, entry)) in column.iter().enumerate() {
            for &(second, scaled) in &scaled[..=i] {
                let product = self.multiply(entry, scaled);
                let opposite = self.negate(product);
                self.add_entry(rest, first, second, opposite);
            }
        }
        scaled
    }

    /// The column divided by the pivot.
    fn scaled(&mut self, column: &[(usize, Value)], inverse: Value) -> Vec<(usize, Value)> {
        column.iter().map(|&(other, entry)| (other, self.multiply(entry, inverse))).collect()
    }

    /// Solves with a factored system for the accelerations, and behind them for the negative multipliers. `right` has the forces on the unknowns,
    /// as far as there are some, and `border` the right-hand sides of the rows of G. With `has_drift` the right-hand side does not contain the drift of the intermediate velocities, and
    /// the links add it. That is allowed if [`SparseFactor::has_only_links`].
    pub fn solve_sparse(
        &mut self,
        factor: &SparseFactor,
        (right, border): (&[Value], &[Value]),
        has_drift: bool,
    ) -> Vec<Value> {
        let zero = self.constant(Rational::ZERO);
        let mut x = right.to_vec();
        x.resize(factor.unknowns - factor.rows, zero);
        x.extend(border);
        let mut swept: Vec<Option<Swept>> = vec![None; factor.steps.len()];
        for (at, step) in factor.steps.iter().enumerate() {
            match step {
                Step::Link { link, .. } => {
                    let next = link.next().and_then(|next| swept[next]);
                    swept[at] = Some(link.sweep(self, &mut x, next, has_drift));
                }
                Step::Substitute { unknown, terms } => {
                    for &(target, c) in terms {
                        let product = self.multiply(c, x[*unknown]);
                        x[target] = self.add(x[target], product);
                    }
                }
                Step::Eliminate { unknown, column, .. } => {
                    for &(other, l) in column {
                        let product = self.multiply(l, x[*unknown]);
                        x[other] = self.subtract(x[other], product);
                    }
                }
                Step::Hold { row, weighted } => {
                    for &(unknown, heavy) in weighted {
                        let pushed = self.multiply(heavy, x[*row]);
                        x[unknown] = self.add(x[unknown], pushed);
                    }
                }
            }
        }
        let mut met: Vec<Option<[Value; 2]>> = vec![None; factor.steps.len()];
        for (at, step) in factor.steps.iter().enumerate().rev() {
            match step {
                Step::Link { link, ends } => {
                    let Some(own) = swept[at] else { continue };
                    let found = link.solve(self, &mut x, own, met[at], has_drift);
                    if let Some(next) = link.next() {
                        met[next] = Some(found);
                    }
                    for (unknown, terms) in ends {
                        x[*unknown] = self.combined(&x, terms);
                    }
                }
                Step::Substitute { unknown, terms } => x[*unknown] = self.combined(&x, terms),
                Step::Hold { .. } => {}
                Step::Eliminate { unknown, column, inverse } => {
                    let mut value = self.multiply(x[*unknown], *inverse);
                    for &(other, l) in column {
                        let product = self.multiply(l, x[other]);
                        value = self.subtract(value, product);
                    }
                    x[*unknown] = value;
                }
            }
        }
        let multipliers = x.split_off(factor.unknowns - factor.rows);
        x.truncate(factor.coordinates);
        x.extend(multipliers);
        x
    }

    /// Σ coefficient·unknown.
    fn combined(&mut self, x: &[Value], terms: &[(usize, Value)]) -> Value {
        let mut sum = self.constant(Rational::ZERO);
        for &(source, c) in terms {
            let product = self.multiply(c, x[source]);
            sum = self.add(sum, product);
        }
        sum
    }
}

/// Removes and returns the entries off the diagonal that couple an unknown to others.
fn take_row(rest: &mut Entries<Value>, unknown: usize) -> Vec<(usize, Value)> {
    let places: Vec<(usize, usize)> =
        rest.keys().copied().filter(|&(i, j)| i != j && (i == unknown || j == unknown)).collect();
    places
        .into_iter()
        .filter_map(|place| Some((if place.0 == unknown { place.1 } else { place.0 }, rest.remove(&place)?)))
        .collect()
}

/// The order of elimination. The next velocity is the one before which the fewest intermediate velocities must be
/// substituted. Of several such velocities it is the one that was stated last.
struct Plan {
    coordinates: usize,
    /// For each unknown, the intermediate velocities whose definitions contain it.
    dependents: Vec<Vec<usize>>,
    remaining: Vec<bool>,
}

impl Plan {
    fn new(sparse: &SparseMass) -> Self {
        let n = sparse.coordinates;
        let unknowns = n + sparse.definitions.len();
        let mut dependents = vec![Vec::new(); unknowns];
        for (k, terms) in sparse.definitions.iter().enumerate() {
            for &(unknown, _) in terms {
                dependents[unknown].push(n + k);
            }
        }
        Self { coordinates: n, dependents, remaining: vec![true; unknowns] }
    }

    /// The intermediate velocities to substitute, in ascending order, and the velocity to eliminate after them.
    fn next(&mut self) -> Option<(BTreeSet<usize>, usize)> {
        let mut best: Option<(BTreeSet<usize>, usize)> = None;
        for velocity in (0..self.coordinates).rev().filter(|&velocity| self.remaining[velocity]) {
            let limit = best.as_ref().map_or(usize::MAX, |(substituted, _)| substituted.len());
            if limit == 0 {
                break;
            }
            if let Some(needed) = self.needed(velocity, limit) {
                best = Some((needed, velocity));
            }
        }
        let (substituted, velocity) = best?;
        for &done in substituted.iter().chain([&velocity]) {
            self.remaining[done] = false;
        }
        Some((substituted, velocity))
    }

    /// The remaining intermediate velocities that depend on a velocity, if they are fewer than the limit.
    fn needed(&self, velocity: usize, limit: usize) -> Option<BTreeSet<usize>> {
        let mut found = BTreeSet::new();
        let mut pending = vec![velocity];
        while let Some(unknown) = pending.pop() {
            for &dependent in self.dependents[unknown].iter().filter(|&&dependent| self.remaining[dependent]) {
                if found.insert(dependent) {
                    pending.push(dependent);
                }
            }
            if found.len() >= limit {
                return None;
            }
        }
        Some(found)
    }
}
