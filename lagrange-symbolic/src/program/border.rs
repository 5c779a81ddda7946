//! The factorisation of [M Gᵀ; G 0] as operations, and the solution (a, λ).
//!
//! Where M is singular at every state, M is replaced by M + Gᵀ ρ G and F by F + Gᵀ ρ (G a). The solution is the same,
//! because the constraints determine G a. The new matrix is positive definite where M is positive definite on the null
//! space of G. The diagonal matrix ρ scales each row of G to the size of M: tr M/|G|².

use super::order::Order;
use super::{Builder, Factor, Value};
use crate::graph::Rational;

/// The blocks of a bordered matrix.
pub(super) struct Border {
    /// M, or M + Gᵀ ρ G.
    mass: Vec<Vec<Value>>,
    jacobian: Vec<Vec<Value>>,
    /// ρ G where M is singular.
    weighted: Option<Vec<Vec<Value>>>,
    /// The order of elimination. `None` eliminates the coordinates and then the rows of G in their order.
    order: Option<Vec<usize>>,
}

impl Border {
    pub(super) fn new(builder: &mut Builder, mass: &[Vec<Value>], jacobian: &[Vec<Value>], singular: bool) -> Self {
        let mut blocks = Self { mass: mass.to_vec(), jacobian: jacobian.to_vec(), weighted: None, order: None };
        if !singular {
            return blocks;
        }
        let n = mass.len();
        let mut trace = builder.constant(Rational::ZERO);
        for (i, row) in mass.iter().enumerate() {
            trace = builder.add(trace, row[i]);
        }
        let mut weighted = Vec::new();
        for row in jacobian {
            let mut square = builder.constant(Rational::ZERO);
            for &entry in row {
                let product = builder.multiply(entry, entry);
                square = builder.add(square, product);
            }
            let inverse = builder.reciprocal(square);
            let weight = builder.multiply(trace, inverse);
            weighted.push(row.iter().map(|&entry| builder.multiply(weight, entry)).collect::<Vec<Value>>());
        }
        for i in 0..n {
            for j in 0..=i {
                for (heavy, row) in weighted.iter().zip(jacobian) {
                    let product = builder.multiply(heavy[i], row[j]);
                    blocks.mass[i][j] = builder.add(blocks.mass[i][j], product);
                }
            }
        }
        blocks.weighted = Some(weighted);
        blocks
    }

    /// Chooses the order of elimination that keeps the matrix sparse. Returns about the number of operations of the factorisation
    /// and of one solution.
    pub(super) fn reorder(&mut self, builder: &Builder) -> usize {
        let n = self.mass.len();
        let couples = |i: usize, j: usize| match i.checked_sub(n) {
            None => !builder.is_zero(self.mass[i][j]),
            Some(row) => j < n && !builder.is_zero(self.jacobian[row][j]),
        };
        let order = Order::new(n + self.jacobian.len(), n, couples);
        self.order = Some(order.unknowns);
        order.work
    }

    /// Factors the bordered matrix.
    pub(super) fn factor(&self, builder: &mut Builder) -> Factor {
        let n = self.mass.len();
        let zero = builder.constant(Rational::ZERO);
        let mut rows = self.mass.clone();
        for row in &self.jacobian {
            let mut row = row.clone();
            row.resize(n + self.jacobian.len(), zero);
            rows.push(row);
        }
        let Some(order) = &self.order else { return builder.factor(&rows, |row| row >= n) };
        let entry = |i: usize, j: usize| rows[i.max(j)][i.min(j)];
        let permuted: Vec<Vec<Value>> = order
            .iter()
            .enumerate()
            .map(|(place, &i)| order[..=place].iter().map(|&j| entry(i, j)).collect())
            .collect();
        builder.factor(&permuted, |place| order[place] >= n)
    }

    /// Solves for (a, λ). The unknowns of the factored matrix are (a, −λ).
    pub(super) fn solve(&self, builder: &mut Builder, factor: &Factor, right: &[Value]) -> Vec<Value> {
        let n = self.mass.len();
        let mut right = right.to_vec();
        for (k, heavy) in self.weighted.iter().flatten().enumerate() {
            for i in 0..n {
                let pushed = builder.multiply(heavy[i], right[n + k]);
                right[i] = builder.add(right[i], pushed);
            }
        }
        let mut solution = match &self.order {
            None => builder.solve(factor, &right),
            Some(order) => {
                let permuted: Vec<Value> = order.iter().map(|&unknown| right[unknown]).collect();
                let solved = builder.solve(factor, &permuted);
                let mut solution = right;
                order.iter().zip(solved).for_each(|(&unknown, value)| solution[unknown] = value);
                solution
            }
        };
        for value in &mut solution[n..] {
            *value = builder.negate(*value);
        }
        solution
    }
}
