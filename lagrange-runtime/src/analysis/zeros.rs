//! The zeros of linear systems.

use super::AnalysisError;
use super::eigenvalues::{Eigenvalue, eigenvalues_within};
use super::state_space::{SampledSpace, StateSpace};
use super::units::{Fit, shifted};
use nalgebra::{Complex, DMatrix};
use std::vec::Vec;

/// An entry that is a difference counts as 0 below this fraction of the terms that cancel in it, which is three quarters of the
/// digits.
const CANCELLED: f64 = 2e-12;

impl StateSpace {
    /// The invariant zeros in 1/(unit of time), those of larger real part first: the s at which the rank of
    ///
    /// ```text
    /// ⎡ A − s  B ⎤
    /// ⎣   C    D ⎦
    /// ```
    ///
    /// is lower than elsewhere. At a zero, a motion exp(st) of the states and the inputs has no output. The zeros of a minimal
    /// system are its transmission zeros. Modes that no input reaches or no output sees are zeros of a system that is not
    /// minimal ([`StateSpace::minimal`]). The system may have any numbers of inputs and outputs.
    ///
    /// The outputs are differentiated until the inputs occur in them (L. M. Silverman's structure algorithm); each
    /// differentiation eliminates a state, so that zeros at infinity leave exactly. An entry counts as 0 beside the terms that
    /// cancel in it. Sources: L. M. Silverman, *Inversion of multivariable linear systems*, IEEE Trans. Autom. Control 14,
    /// 1969; A. Emami-Naeini, P. Van Dooren, *Computation of zeros of linear multivariable systems*, Automatica 18, 1982.
    ///
    /// # Errors
    /// [`AnalysisError::Shape`], [`AnalysisError::NotFinite`], [`AnalysisError::NotConverged`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // (s − 2)/(s² + 3 s + 5): y = ẋ − 2 x.
    /// let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -5.0, -3.0]);
    /// let (b, c) = (DMatrix::from_column_slice(2, 1, &[0.0, 1.0]), DMatrix::from_row_slice(1, 2, &[-2.0, 1.0]));
    /// let zeros = StateSpace::new(a, b)?.with_outputs(c, DMatrix::zeros(1, 1))?.zeros()?;
    /// assert!(zeros.len() == 1 && (zeros[0].re - 2.0).abs() < 1e-14);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn zeros(&self) -> Result<Vec<Complex<f64>>, AnalysisError> {
        self.check()?;
        invariant_zeros([&self.a, &self.b, &self.c, &self.d], true)
    }
}

impl SampledSpace {
    /// The invariant zeros in the plane of z: as [`StateSpace::zeros`].
    ///
    /// # Errors
    /// Those of [`StateSpace::zeros`].
    pub fn zeros(&self) -> Result<Vec<Complex<f64>>, AnalysisError> {
        self.check()?;
        invariant_zeros([&self.a, &self.b, &self.c, &self.d], false)
    }
}

/// The invariant zeros of A, B, C, D. `has_rate` says that the unit of time may be chosen.
pub(crate) fn invariant_zeros(
    matrices: [&DMatrix<f64>; 4],
    has_rate: bool,
) -> Result<Vec<Complex<f64>>, AnalysisError> {
    let mut pencil = Pencil::new(matrices, has_rate);
    pencil.reduce_outputs();
    pencil = pencil.transposed();
    let pivots = pencil.reduce_outputs();
    Ok(pencil.zeros(&pivots)?.iter().map(|zero| zero.value).collect())
}

/// The zeros of a system with one input and one output, and the gain of its leading terms: G(s) → gain · s^(zeros − poles) for
/// large s. A system with G = 0 has the gain 0 and no zeros.
pub(crate) fn zeros_and_gain(
    matrices: [&DMatrix<f64>; 4],
    has_rate: bool,
) -> Result<(Vec<Eigenvalue>, f64), AnalysisError> {
    let mut pencil = Pencil::new(matrices, has_rate);
    let pivots = pencil.reduce_outputs();
    match pivots.first() {
        None => Ok((Vec::new(), 0.0)),
        Some(&(row, column)) => {
            let gain = shifted(pencil.entries[(row, column)], pencil.gain);
            Ok((pencil.zeros(&pivots)?, gain))
        }
    }
}

/// The matrix [A B; C D].
struct Pencil {
    entries: DMatrix<f64>,
    /// The magnitudes of the terms that may cancel in each entry.
    terms: DMatrix<f64>,
    states: usize,
    has_rate: bool,
    /// The unit of time is 2^−`rate`.
    rate: i32,
    /// With one input and one output, D is that of the question over 2^`gain`.
    gain: i32,
}

impl Pencil {
    fn new([a, b, c, d]: [&DMatrix<f64>; 4], has_rate: bool) -> Self {
        let (states, inputs, outputs) = (a.nrows(), b.ncols(), c.nrows());
        let mut entries = DMatrix::zeros(states + outputs, states + inputs);
        entries.view_mut((0, 0), a.shape()).copy_from(a);
        entries.view_mut((0, states), b.shape()).copy_from(b);
        entries.view_mut((states, 0), c.shape()).copy_from(c);
        entries.view_mut((states, states), d.shape()).copy_from(d);
        Self { terms: entries.abs(), entries, states, has_rate, rate: 0, gain: 0 }
    }

    /// The dual system.
    fn transposed(&self) -> Self {
        Self { entries: self.entries.transpose(), terms: self.terms.transpose(), ..*self }
    }

    /// Whether an entry is more than what rounding leaves of its terms.
    fn counts(&self, row: usize, column: usize) -> bool {
        self.entries[(row, column)].abs() > CANCELLED * self.terms[(row, column)]
    }

    /// Changes to units of states, inputs, outputs and time in which the entries are of like size.
    fn scale(&mut self) {
        let (rows, columns) = self.entries.shape();
        let states = self.states;
        // The unknowns are the states, the inputs, the outputs and the rate.
        let (outputs, rate) = (columns, columns + rows - states);
        let of_row = |i: usize| if i < states { i } else { outputs + i - states };
        let unit = if self.has_rate { -1.0 } else { 0.0 };
        let mut fit = Fit::new(rate + 1);
        for i in 0..rows {
            for j in 0..columns {
                let by_rate = (rate, if i < states { unit } else { 0.0 });
                match i == j && i < states {
                    true => fit.entry(self.entries[(i, j)], &[by_rate]),
                    false => fit.entry(self.entries[(i, j)], &[(j, 1.0), (of_row(i), -1.0), by_rate]),
                }
            }
        }
        let exponents = fit.exponents();
        let exponent =
            |i: usize, j: usize| exponents[j] - exponents[of_row(i)] - if i < states { exponents[rate] } else { 0 };
        let scaled = |of: &DMatrix<f64>| DMatrix::from_fn(rows, columns, |i, j| shifted(of[(i, j)], exponent(i, j)));
        (self.entries, self.terms) = (scaled(&self.entries), scaled(&self.terms));
        self.rate += exponents[rate];
        if rows > states && columns > states {
            self.gain -= exponent(states, states);
        }
    }

    /// Subtracts a multiple of the row `pivot` from another, so that the entry in `column` becomes 0.
    fn subtract(&mut self, pivot: (usize, usize), row: usize) {
        let ratio = self.entries[(row, pivot.1)] / self.entries[pivot];
        if ratio == 0.0 {
            return;
        }
        for j in 0..self.entries.ncols() {
            self.entries[(row, j)] -= ratio * self.entries[(pivot.0, j)];
            self.terms[(row, j)] += ratio.abs() * self.terms[(pivot.0, j)];
        }
        (self.entries[(row, pivot.1)], self.terms[(row, pivot.1)]) = (0.0, 0.0);
    }

    /// Eliminates D in the rows of outputs. Returns the pivots, a row and a column each, in order. Rows without a pivot do not
    /// contain the inputs.
    fn eliminate_inputs(&mut self) -> Vec<(usize, usize)> {
        let (rows, columns) = self.entries.shape();
        let mut pivots: Vec<(usize, usize)> = Vec::new();
        loop {
            let mut best: Option<(usize, usize)> = None;
            for i in (self.states..rows).filter(|i| pivots.iter().all(|pivot| pivot.0 != *i)) {
                for j in self.states..columns {
                    let larger = best.is_none_or(|best| self.entries[(i, j)].abs() > self.entries[best].abs());
                    if self.counts(i, j) && larger {
                        best = Some((i, j));
                    }
                }
            }
            let Some(pivot) = best else { return pivots };
            pivots.push(pivot);
            for i in (self.states..rows).filter(|i| pivots.iter().all(|pivot| pivot.0 != *i)) {
                self.subtract(pivot, i);
            }
        }
    }

    /// Differentiates the outputs until each contains an input of its own, and drops those that are always 0. Each
    /// differentiation eliminates a state. Returns the pivots of D.
    fn reduce_outputs(&mut self) -> Vec<(usize, usize)> {
        loop {
            self.scale();
            let pivots = self.eliminate_inputs();
            let rest = (self.states..self.entries.nrows()).find(|i| pivots.iter().all(|pivot| pivot.0 != *i));
            let Some(row) = rest else { return pivots };
            let largest = (0..self.states).filter(|&j| self.counts(row, j)).fold(None, |best: Option<usize>, j| {
                match best.is_some_and(|best| self.entries[(row, best)].abs() >= self.entries[(row, j)].abs()) {
                    true => best,
                    false => Some(j),
                }
            });
            match largest {
                None => self.remove(row),
                Some(state) => self.differentiate(row, state),
            }
        }
    }

    fn remove(&mut self, row: usize) {
        let less = |matrix: &DMatrix<f64>| matrix.clone().remove_row(row);
        (self.entries, self.terms) = (less(&self.entries), less(&self.terms));
    }

    /// Replaces the output Σ c_j x_j = 0 by its derivative, and eliminates the state x_k = −Σ (c_j/c_k) x_j.
    fn differentiate(&mut self, row: usize, state: usize) {
        let (rows, columns) = self.entries.shape();
        let c: Vec<f64> =
            (0..self.states).map(|j| if self.counts(row, j) { self.entries[(row, j)] } else { 0.0 }).collect();
        for i in (0..rows).filter(|&i| i != row) {
            let (entry, term) = (self.entries[(i, state)], self.terms[(i, state)]);
            for j in (0..self.states).filter(|&j| j != state && c[j] != 0.0) {
                self.entries[(i, j)] -= entry * (c[j] / c[state]);
                self.terms[(i, j)] += term * (c[j] / c[state]).abs();
            }
        }
        for j in 0..columns {
            let sum = |of: &DMatrix<f64>, factor: fn(f64) -> f64| -> f64 {
                (0..self.states).map(|i| factor(c[i]) * of[(i, j)]).sum()
            };
            let (entry, term) = (sum(&self.entries, |c| c), sum(&self.terms, f64::abs));
            (self.entries[(row, j)], self.terms[(row, j)]) = (entry, term);
        }
        let less = |matrix: &DMatrix<f64>| matrix.clone().remove_row(state).remove_column(state);
        (self.entries, self.terms) = (less(&self.entries), less(&self.terms));
        self.states -= 1;
        self.gain += self.rate;
    }

    /// The eigenvalues of A − B D⁻¹ C, where every output has a pivot in D, and every input one.
    fn zeros(mut self, pivots: &[(usize, usize)]) -> Result<Vec<Eigenvalue>, AnalysisError> {
        for &pivot in pivots {
            for i in 0..self.states {
                self.subtract(pivot, i);
            }
        }
        let square = |of: &DMatrix<f64>| of.view((0, 0), (self.states, self.states)).into_owned();
        let found = eigenvalues_within(&square(&self.entries), &square(&self.terms))?;
        let unit = |part: f64| shifted(part, self.rate);
        let zero = |Eigenvalue { value, error }: &Eigenvalue| Eigenvalue {
            value: Complex::new(unit(value.re), unit(value.im)),
            error: unit(*error),
        };
        Ok(found.iter().map(zero).collect())
    }
}
