//! Units of states, inputs and time in which the entries of linear equations are of like size.

use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{DMatrix, DVector, SymmetricEigen};
use std::vec::Vec;

/// Eigenvalues of the normal equations of [`Fit`] below this count as 0. The equations have integer coefficients, so that this
/// number has no unit.
const NULL: f64 = 1e-9;

/// The largest number of iterations of a decomposition.
const MAX_ITERATIONS: usize = 20_000;

/// Searches exponents of two for several units, so that the magnitudes of many entries are near 1 by least squares of their logarithms.
///
/// The result follows every change of the units: an entry is small or large beside the others for its physics only. Source: A. R.
/// Curtis, J. K. Reid, *On the automatic scaling of matrices for Gaussian elimination*, IMA J. Appl. Math. 10, 1972.
pub(crate) struct Fit {
    normal: DMatrix<f64>,
    right: DVector<f64>,
}

impl Fit {
    pub(crate) fn new(unknowns: usize) -> Self {
        Self { normal: DMatrix::zeros(unknowns, unknowns), right: DVector::zeros(unknowns) }
    }

    /// Asks for log₂|entry| + Σ sign · exponent ≈ 0 over these unknowns. An entry that is 0 asks for nothing.
    pub(crate) fn entry(&mut self, entry: f64, unknowns: &[(usize, f64)]) {
        let logarithm = entry.abs().log2();
        if !logarithm.is_finite() {
            return;
        }
        for &(row, sign) in unknowns {
            self.right[row] -= sign * logarithm;
            for &(column, other) in unknowns {
                self.normal[(row, column)] += sign * other;
            }
        }
    }

    /// The exponents of least norm, rounded.
    pub(crate) fn exponents(self) -> Vec<i32> {
        self.solution().iter().map(|exponent| exponent.round() as i32).collect()
    }

    /// The exponents of least norm.
    pub(crate) fn solution(self) -> Vec<f64> {
        let size = self.right.len();
        let Some(eigen) = SymmetricEigen::try_new(self.normal, f64::EPSILON, MAX_ITERATIONS) else {
            return std::vec![0.0; size];
        };
        let mut solution = DVector::zeros(size);
        for (k, &value) in eigen.eigenvalues.iter().enumerate() {
            if value > NULL {
                let direction = eigen.eigenvectors.column(k);
                solution += direction * (direction.dot(&self.right) / value);
            }
        }
        solution.iter().copied().collect()
    }
}

/// `value` · 2^`exponent`, exactly unless the result overflows or underflows.
pub(crate) fn shifted(value: f64, exponent: i32) -> f64 {
    let half = exponent.clamp(-2000, 2000) / 2;
    let rest = exponent.clamp(-2000, 2000) - half;
    value * 2.0_f64.powi(half) * 2.0_f64.powi(rest)
}

/// Units of ẋ = A x + B u: x_i = 2^`states`\[i\] x'_i, u_k = 2^`inputs`\[k\] u'_k, t = 2^−`rate` t'.
#[derive(Clone)]
pub(crate) struct Units {
    pub(crate) states: Vec<i32>,
    pub(crate) inputs: Vec<i32>,
    pub(crate) rate: i32,
}

impl Units {
    pub(crate) fn of(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Self {
        let (size, inputs) = b.shape();
        let mut fit = Fit::new(size + inputs + 1);
        let rate = size + inputs;
        for i in 0..size {
            for j in 0..size {
                match i == j {
                    true => fit.entry(a[(i, i)], &[(rate, -1.0)]),
                    false => fit.entry(a[(i, j)], &[(j, 1.0), (i, -1.0), (rate, -1.0)]),
                }
            }
            for k in 0..inputs {
                fit.entry(b[(i, k)], &[(size + k, 1.0), (i, -1.0), (rate, -1.0)]);
            }
        }
        let exponents = fit.exponents();
        Self { states: exponents[..size].to_vec(), inputs: exponents[size..rate].to_vec(), rate: exponents[rate] }
    }

    /// A in these units.
    pub(crate) fn a(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        let (states, rate) = (&self.states, self.rate);
        DMatrix::from_fn(a.nrows(), a.ncols(), |i, j| shifted(a[(i, j)], states[j] - states[i] - rate))
    }

    /// B in these units.
    pub(crate) fn b(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        let (states, inputs, rate) = (&self.states, &self.inputs, self.rate);
        DMatrix::from_fn(b.nrows(), b.ncols(), |i, k| shifted(b[(i, k)], inputs[k] - states[i] - rate))
    }

    /// C in these units of the states, and in its own units of the outputs.
    pub(crate) fn c(&self, c: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(c.nrows(), c.ncols(), |i, j| shifted(c[(i, j)], self.states[j]))
    }
}

/// Exponents e of two for which the rows and columns of 2^(e_j − e_i) a_ij have like lengths, so that the units of the states do not matter.
///
/// [`Fit`] comes first, so that squares neither overflow nor underflow. Source: R. James, J. Langou, B. R. Lowery, *On matrix balancing
/// and eigenvector computation*, arXiv:1401.5766.
pub(crate) fn balance(matrix: &DMatrix<f64>) -> Vec<i32> {
    let units = Units::of(matrix, &DMatrix::zeros(matrix.nrows(), 0));
    let scales = balance_parlett_reinsch(&mut units.a(matrix));
    units.states.iter().zip(scales.iter()).map(|(exponent, scale)| exponent + scale.log2().round() as i32).collect()
}

/// 2^(e_j − e_i) a_ij.
pub(crate) fn rescaled(matrix: &DMatrix<f64>, exponents: &[i32]) -> DMatrix<f64> {
    DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| shifted(matrix[(i, j)], exponents[j] - exponents[i]))
}

/// The norm of a matrix in balanced states.
pub(crate) fn balanced_norm(matrix: &DMatrix<f64>) -> f64 {
    rescaled(matrix, &balance(matrix)).norm()
}

/// The sets of states that act on each other in a circle: the strongly connected components of the graph of the entries.
///
/// In an order of these sets, the matrix is block triangular. So its eigenvalues are those of the blocks on the diagonal.
pub(crate) fn circles(matrix: &DMatrix<f64>) -> Vec<Vec<usize>> {
    let size = matrix.nrows();
    let reached = |start: usize, forward: bool| {
        let mut seen = std::vec![false; size];
        let mut open = std::vec![start];
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            let acts = |other: usize| matrix[if forward { (other, state) } else { (state, other) }] != 0.0;
            open.extend((0..size).filter(|&other| !seen[other] && acts(other)));
        }
        seen
    };
    let mut assigned = std::vec![false; size];
    let mut sets = Vec::new();
    for start in 0..size {
        if assigned[start] {
            continue;
        }
        let (after, before) = (reached(start, true), reached(start, false));
        let set: Vec<usize> = (0..size).filter(|&state| after[state] && before[state]).collect();
        set.iter().for_each(|&state| assigned[state] = true);
        sets.push(set);
    }
    sets
}
