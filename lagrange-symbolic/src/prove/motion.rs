//! The equations of motion [M Gᵀ; G 0] [a; −λ] = [F; −γ], solved in symbols, and solved in numbers at a state.

use super::domain::Domain;
use super::lazy::value_of;
use super::limit::PrecisePoint;
use super::vanishes_in;
use crate::graph::value::{Arithmetic, Precise, Real, is_zero, magnitude};
use crate::graph::{Graph, Id, Rational, Symbol};

/// The most unknowns (accelerations and multipliers) that are eliminated symbolically.
const MOST_UNKNOWNS: usize = 24;

/// The equations of motion.
#[derive(Clone, Debug)]
pub struct Motion {
    /// M, by rows.
    pub mass: Vec<Vec<Id>>,
    /// F.
    pub forcing: Vec<Id>,
    /// G of all rows.
    pub jacobian: Vec<Vec<Id>>,
    /// γ of all rows.
    pub curvature: Vec<Id>,
}

/// The accelerations and multipliers of a motion, as expressions in the state, the inputs and the parameters.
#[derive(Clone, Debug)]
pub struct Solution {
    /// a.
    pub acceleration: Vec<Id>,
    /// λ.
    pub multipliers: Vec<Id>,
}

impl Motion {
    /// a and λ by elimination. Each pivot is an entry that is not proved to vanish. `None` where there are too many
    /// unknowns or where no pivot is found.
    pub fn solution(&self, graph: &mut Graph, domain: &Domain) -> Option<Solution> {
        let (n, size) = (self.mass.len(), self.mass.len() + self.jacobian.len());
        if size > MOST_UNKNOWNS {
            return None;
        }
        let zero = graph.zero();
        let mut rows: Vec<Vec<Id>> = Vec::new();
        for (i, mass) in self.mass.iter().enumerate() {
            let mut row = mass.clone();
            row.extend(self.jacobian.iter().map(|line| line[i]));
            row.push(self.forcing[i]);
            rows.push(row);
        }
        for (line, curvature) in self.jacobian.iter().zip(&self.curvature) {
            let mut row = line.clone();
            row.resize(size, zero);
            row.push(graph.neg(*curvature));
            rows.push(row);
        }
        for k in 0..size {
            let pivot =
                (k..size).find(|&row| !graph.is_zero(rows[row][k]) && !vanishes_in(graph, rows[row][k], domain))?;
            rows.swap(k, pivot);
            let (head, tail) = rows.split_at_mut(k + 1);
            let pivot_row = &mut head[k];
            let pivot = pivot_row[k];
            for entry in &mut pivot_row[k + 1..] {
                *entry = graph.div(*entry, pivot);
            }
            for row in tail {
                let factor = row[k];
                if graph.is_zero(factor) {
                    continue;
                }
                for (entry, above) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                    let change = graph.mul(factor, *above);
                    *entry = graph.sub(*entry, change);
                }
            }
        }
        let mut solution = vec![zero; size];
        for k in (0..size).rev() {
            let known = graph.inner(&rows[k][k + 1..size], &solution[k + 1..]);
            solution[k] = graph.sub(rows[k][size], known);
        }
        let multipliers = solution.split_off(n).into_iter().map(|value| graph.neg(value)).collect();
        Some(Solution { acceleration: solution, multipliers })
    }

    /// The rates of all coordinates, velocities and the time. `None` where the equations have no unique solution.
    pub(super) fn direction(
        &self,
        arithmetic: &mut Precise,
        graph: &Graph,
        point: &PrecisePoint,
    ) -> Option<Vec<(Symbol, Real)>> {
        let symbol = |symbol: Symbol| point.get(&symbol).cloned();
        let mut value = |id: &Id| value_of(arithmetic, graph, *id, &symbol);
        let (n, size) = (self.mass.len(), self.mass.len() + self.jacobian.len());
        let mut rows: Vec<Vec<Real>> = Vec::with_capacity(size);
        for (i, mass) in self.mass.iter().enumerate() {
            let mut row: Vec<Real> = mass.iter().map(&mut value).collect::<Option<_>>()?;
            for line in &self.jacobian {
                row.push(value(&line[i])?);
            }
            row.push(value(&self.forcing[i])?);
            rows.push(row);
        }
        for (line, curvature) in self.jacobian.iter().zip(&self.curvature) {
            let mut row: Vec<Real> = line.iter().map(&mut value).collect::<Option<_>>()?;
            row.resize(size, Real::ZERO);
            row.push(-value(curvature)?);
            rows.push(row);
        }
        let solution = solved(arithmetic, rows)?;
        let mut direction = Vec::with_capacity(2 * n + 1);
        for (i, acceleration) in (0..n as u32).zip(solution) {
            let velocity = point.get(&Symbol::Velocity(i)).cloned().unwrap_or(Real::ZERO);
            direction.push((Symbol::Coordinate(i), velocity));
            direction.push((Symbol::Velocity(i), acceleration));
        }
        direction.push((Symbol::Time, arithmetic.rational(&Rational::ONE)?));
        direction.retain(|(symbol, _)| point.contains_key(symbol));
        Some(direction)
    }
}

/// Solves a square system by elimination with partial pivoting. The right side is the last entry of each row.
fn solved(arithmetic: &mut Precise, mut rows: Vec<Vec<Real>>) -> Option<Vec<Real>> {
    let size = rows.len();
    for k in 0..size {
        let pivot = (k..size).filter(|&row| !is_zero(&rows[row][k])).max_by_key(|&row| magnitude(&rows[row][k]))?;
        rows.swap(k, pivot);
        let head = rows[k].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i == k || is_zero(&row[k]) {
                continue;
            }
            let factor = arithmetic.div(&row[k], &head[k])?;
            for (entry, above) in row.iter_mut().zip(&head) {
                let change = arithmetic.mul(&factor, above)?;
                *entry = arithmetic.subtract(entry, &change)?;
            }
        }
    }
    rows.iter().enumerate().map(|(k, row)| arithmetic.div(&row[size], &row[k])).collect()
}
