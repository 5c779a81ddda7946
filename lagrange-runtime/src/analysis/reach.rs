//! The states that inputs reach and that outputs see: ranks, modes and Gramians.

use super::AnalysisError;
use super::eigenvalues::{Eigenvalue, eigenvalues_within};
use super::equilibrium::equilibrate;
use super::exponential::{integral, lyapunov, stein};
use super::matrix::shaped;
use super::state_space::{SampledSpace, StateSpace};
use super::units::{Units, shifted};
use nalgebra::{Complex, DMatrix, SVD};
use std::vec::Vec;

/// A mode counts as not reached if inputs reach it by less than this fraction of the terms that cancel, which is three quarters of the
/// digits.
const CANCELLED: f64 = 2e-12;
/// What needs a stable system.
const GRAMIAN: &str = "the Gramian of an infinite time";
/// The largest number of iterations of a decomposition.
const MAX_ITERATIONS: usize = 20_000;

/// The states that the inputs of ẋ = A x + B u reach, or that the outputs y = C x see.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// The dimension of the space that is reached (or seen). It is the number of states if every state is.
    pub rank: usize,
    /// The eigenvalues of the modes that are not reached (or seen).
    pub missed: Vec<Complex<f64>>,
}

impl Reach {
    /// Whether every mode is reached (or seen).
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.missed.is_empty()
    }
}

/// The states that the inputs reach: the rank of [B AB A²B …], and the modes with rank [λ − A, B] < n (Popov, Belevitch,
/// Hautus). They are the same for continuous and for sampled systems.
///
/// Each mode is judged for itself: [λ − A, B] is scaled by rows and columns, so that neither units nor the rates of other modes decide.
/// The state space is then restricted to the states that a missed mode leaves free, and the test repeated, until no mode is
/// missed. The rank is the number of the remaining states. Source: T. Kailath, *Linear Systems*, 2.4 and 6.2.
///
/// # Errors
/// [`AnalysisError::Shape`], [`AnalysisError::NotFinite`], [`AnalysisError::NotConverged`].
///
/// ```
/// use lagrange_runtime::analysis::controllability;
/// use lagrange_runtime::nalgebra::DMatrix;
///
/// // Two equal integrators pushed alike: their difference is out of reach.
/// let a = DMatrix::from_diagonal_element(2, 2, -1.0);
/// let b = DMatrix::from_element(2, 1, 1.0);
/// let reach = controllability(&a, &b)?;
/// assert_eq!((reach.rank, reach.missed.len()), (1, 1));
/// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
/// ```
pub fn controllability(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Result<Reach, AnalysisError> {
    let size = a.nrows();
    shaped("A", a, (size, size))?;
    shaped("B", b, (size, b.ncols()))?;
    let mut pair = Pair::new(a, b);
    let mut missed = Vec::new();
    while let Some(mode) = pair.missed(|_| true)? {
        let rest = pair.without(&mode);
        match pair.a.nrows() - rest.a.nrows() {
            1 => missed.push(Complex::new(mode.value.re, 0.0)),
            _ => missed.extend([mode.value, mode.value.conj()]),
        }
        pair = rest;
    }
    Ok(Reach { rank: size - missed.len(), missed })
}

/// The states that the outputs see: [`controllability`] of Aᵀ and Cᵀ.
///
/// # Errors
/// Those of [`controllability`].
///
/// ```
/// use lagrange_runtime::analysis::observability;
/// use lagrange_runtime::nalgebra::DMatrix;
///
/// // x″ = u: its place shows its velocity, but its velocity does not show its place.
/// let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]);
/// assert_eq!(observability(&a, &DMatrix::from_row_slice(1, 2, &[1.0, 0.0]))?.rank, 2);
/// assert_eq!(observability(&a, &DMatrix::from_row_slice(1, 2, &[0.0, 1.0]))?.rank, 1);
/// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
/// ```
pub fn observability(a: &DMatrix<f64>, c: &DMatrix<f64>) -> Result<Reach, AnalysisError> {
    shaped("C", c, (c.nrows(), a.nrows()))?;
    controllability(&a.transpose(), &c.transpose())
}

/// A, B and C in units in which the entries of A and B are of like size.
#[derive(Clone)]
pub(crate) struct Pair {
    a: DMatrix<f64>,
    /// The magnitudes of the terms that may cancel in A.
    terms: DMatrix<f64>,
    b: DMatrix<f64>,
    c: DMatrix<f64>,
    /// The magnitudes of the terms that may cancel in C.
    seen: DMatrix<f64>,
    units: Units,
}

/// A mode that no input reaches, with the w of wᴴ [λ − A, B] = 0.
pub(crate) struct Missed {
    pub(crate) value: Complex<f64>,
    left: Vec<Complex<f64>>,
}

impl Pair {
    pub(crate) fn new(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Self {
        Self::with_outputs(a, b, &DMatrix::zeros(0, a.nrows()))
    }

    /// A, B and C, of which the outputs take no part in what is reached.
    pub(crate) fn with_outputs(a: &DMatrix<f64>, b: &DMatrix<f64>, c: &DMatrix<f64>) -> Self {
        let units = Units { states: std::vec![0; a.nrows()], inputs: std::vec![0; b.ncols()], rate: 0 };
        let (terms, seen) = (a.abs(), c.abs());
        Self { a: a.clone(), terms, b: b.clone(), c: c.clone(), seen, units }.in_natural_units()
    }

    fn in_natural_units(&self) -> Self {
        let units = Units::of(&self.a, &self.b);
        let sum = |a: &[i32], b: &[i32]| a.iter().zip(b).map(|(a, b)| a + b).collect();
        Self {
            a: units.a(&self.a),
            terms: units.a(&self.terms),
            b: units.b(&self.b),
            c: units.c(&self.c),
            seen: units.c(&self.seen),
            units: Units {
                states: sum(&self.units.states, &units.states),
                inputs: sum(&self.units.inputs, &units.inputs),
                rate: self.units.rate + units.rate,
            },
        }
    }

    /// A, B and C of the states that the inputs reach, in the units of the question. What cancels up to rounding is 0.
    pub(crate) fn reached(mut self) -> Result<[DMatrix<f64>; 3], AnalysisError> {
        while let Some(mode) = self.missed(|_| true)? {
            self = self.without(&mode);
        }
        let clean = |of: &DMatrix<f64>, terms: &DMatrix<f64>| {
            of.zip_map(terms, |entry, term| if entry.abs() > CANCELLED * term { entry } else { 0.0 })
        };
        let Units { states, inputs, rate } = &self.units;
        let back = Units {
            states: states.iter().map(|exponent| -exponent).collect(),
            inputs: inputs.iter().map(|exponent| -exponent).collect(),
            rate: -rate,
        };
        Ok([back.a(&clean(&self.a, &self.terms)), back.b(&self.b), back.c(&clean(&self.c, &self.seen))])
    }

    /// The mode that the inputs reach least, if it counts as not reached. Only eigenvalues that `asked` accepts count. Conjugate ones
    /// are found by that of positive imaginary part.
    pub(crate) fn missed(&self, asked: impl Fn(&Eigenvalue) -> bool) -> Result<Option<Missed>, AnalysisError> {
        let mut least: Option<(f64, Missed)> = None;
        for mode in eigenvalues_within(&self.a, &self.terms)? {
            let value = Complex::new(shifted(mode.value.re, self.units.rate), shifted(mode.value.im, self.units.rate));
            if mode.value.im < 0.0 || !asked(&Eigenvalue { value, error: shifted(mode.error, self.units.rate) }) {
                continue;
            }
            let (margin, left) = self.margin(mode.value)?;
            if margin <= CANCELLED && least.as_ref().is_none_or(|(smallest, _)| margin < *smallest) {
                least = Some((margin, Missed { value, left }));
            }
        }
        Ok(least.map(|(_, mode)| mode))
    }

    /// The smallest singular value of the scaled [λ − A, B], and its left vector.
    fn margin(&self, value: Complex<f64>) -> Result<(f64, Vec<Complex<f64>>), AnalysisError> {
        let (size, inputs) = self.b.shape();
        let terms = DMatrix::from_fn(size, size + inputs, |i, j| match j.checked_sub(size) {
            None => self.terms[(i, j)] + if i == j { value.norm() } else { 0.0 },
            Some(input) => self.b[(i, input)].abs(),
        });
        let (rows, columns) = equilibrate(&terms);
        let scaled = DMatrix::from_fn(size, size + inputs, |i, j| {
            let entry = j.checked_sub(size).map_or_else(|| -self.a[(i, j)], |input| self.b[(i, input)]);
            let diagonal = if i == j { value } else { Complex::new(0.0, 0.0) };
            (Complex::new(entry, 0.0) + diagonal) * (rows[i] * columns[j])
        });
        let factors = SVD::try_new(scaled, true, false, f64::EPSILON, MAX_ITERATIONS).ok_or_else(failed)?;
        let vectors = factors.u.ok_or_else(failed)?;
        let least = factors.singular_values.imin();
        // A component that is rounding must not let states act on each other.
        let clean = |entry: Complex<f64>| if entry.norm() > CANCELLED { entry } else { Complex::new(0.0, 0.0) };
        let left = (0..size).map(|i| clean(vectors[(i, least)]) * rows[i]).collect();
        Ok((factors.singular_values[least], left))
    }

    /// The equations of the states x with wᴴ x = 0, which contain all that is reached. One state is eliminated for a real w, and two for
    /// a complex one. w is real too where rounding splits a double real eigenvalue.
    fn without(&self, mode: &Missed) -> Self {
        let largest =
            mode.left.iter().fold(
                Complex::new(0.0, 0.0),
                |largest: Complex<f64>, entry| {
                    if entry.norm() > largest.norm() { *entry } else { largest }
                },
            );
        // An eigenvector of a real eigenvalue is real up to a factor.
        let turned: Vec<Complex<f64>> = mode.left.iter().map(|entry| entry * largest.conj()).collect();
        let mut rows = std::vec![turned.iter().map(|entry| entry.re).collect::<Vec<f64>>()];
        let imaginary: Vec<f64> = turned.iter().map(|entry| entry.im).collect();
        let is_complex = imaginary.iter().any(|entry| entry.abs() > CANCELLED.sqrt() * largest.norm_sqr());
        if mode.value.im != 0.0 && is_complex {
            rows.push(imaginary);
        }
        let mut pair = self.clone();
        while !rows.is_empty() {
            let row = rows.remove(0);
            let state = (0..row.len()).fold(0, |best, i| if row[i].abs() > row[best].abs() { i } else { best });
            let ratios: Vec<f64> = row.iter().map(|entry| entry / row[state]).collect();
            rows.iter_mut().for_each(|other| *other = substituted(other, &ratios, state));
            pair = pair.eliminated(&ratios, state);
        }
        pair.in_natural_units()
    }

    /// The equations without a state x_p = −Σ ratio_j x_j.
    fn eliminated(&self, ratios: &[f64], state: usize) -> Self {
        let size = self.a.nrows();
        let terms = DMatrix::from_fn(size, size, |i, j| self.terms[(i, j)] + self.terms[(i, state)] * ratios[j].abs());
        let a = DMatrix::from_fn(size, size, |i, j| self.a[(i, j)] - self.a[(i, state)] * ratios[j]);
        let outputs = self.c.nrows();
        let c = DMatrix::from_fn(outputs, size, |i, j| self.c[(i, j)] - self.c[(i, state)] * ratios[j]);
        let seen = DMatrix::from_fn(outputs, size, |i, j| self.seen[(i, j)] + self.seen[(i, state)] * ratios[j].abs());
        let less = |matrix: DMatrix<f64>| matrix.remove_row(state).remove_column(state);
        let mut units = self.units.clone();
        units.states.remove(state);
        Self {
            a: less(a),
            terms: less(terms),
            b: self.b.clone().remove_row(state),
            c: c.remove_column(state),
            seen: seen.remove_column(state),
            units,
        }
    }
}

/// The row of a linear form after elimination of a state.
fn substituted(row: &[f64], ratios: &[f64], state: usize) -> Vec<f64> {
    let entry = |j: usize| row[j] - row[state] * ratios[j];
    (0..row.len()).filter(|&j| j != state).map(entry).collect()
}

fn failed() -> AnalysisError {
    AnalysisError::NotConverged {
        sought: "singular value decomposition",
        iterations: MAX_ITERATIONS as u32,
        worst: "an off-diagonal entry".into(),
        residual: f64::NAN,
        remedy: "scale the states so that the entries of A and B are of like size",
    }
}

/// Checks that all eigenvalues are left of the imaginary axis.
pub(crate) fn stable(poles: &[Complex<f64>], sought: &'static str) -> Result<(), AnalysisError> {
    first_unstable(poles, |pole| pole.re >= 0.0, sought)
}

/// Checks that all eigenvalues are inside the unit circle.
pub(crate) fn stable_sampled(poles: &[Complex<f64>], sought: &'static str) -> Result<(), AnalysisError> {
    first_unstable(poles, |pole| pole.norm() >= 1.0, sought)
}

fn first_unstable(
    values: &[Complex<f64>],
    unstable: impl Fn(&Complex<f64>) -> bool,
    sought: &'static str,
) -> Result<(), AnalysisError> {
    match values.iter().find(|value| unstable(value)) {
        None => Ok(()),
        Some(&eigenvalue) => {
            let remedy = "stabilise the system by a feedback first, or ask for a finite time";
            Err(AnalysisError::NotStable { eigenvalue, sought, remedy })
        }
    }
}

impl StateSpace {
    /// W = ∫₀^∞ exp(At) B Bᵀ exp(Aᵀt) dt, the solution of A W + W Aᵀ + B Bᵀ = 0.
    ///
    /// xᵀ W⁻¹ x is the least ∫ u² dt that brings the state from 0 to x. So small eigenvalues of W belong to states that are
    /// hard to reach. The unit of W is that of x x/(u u · time). Source: A. C. Antoulas, *Approximation of Large-Scale
    /// Dynamical Systems*, 4.2.
    ///
    /// # Errors
    /// [`AnalysisError::NotStable`] with an eigenvalue that is not left of the imaginary axis. [`AnalysisError::Shape`] and
    /// [`AnalysisError::NotFinite`] for unsuitable matrices.
    pub fn controllability_gramian(&self) -> Result<DMatrix<f64>, AnalysisError> {
        self.check()?;
        stable(&self.poles()?, GRAMIAN)?;
        lyapunov(&self.a, &(&self.b * self.b.transpose()))
    }

    /// W = ∫₀^∞ exp(Aᵀt) Cᵀ C exp(At) dt. xᵀ W x is the ∫ y² dt of the free motion from x.
    ///
    /// # Errors
    /// Those of [`StateSpace::controllability_gramian`].
    pub fn observability_gramian(&self) -> Result<DMatrix<f64>, AnalysisError> {
        self.check()?;
        stable(&self.poles()?, GRAMIAN)?;
        lyapunov(&self.a.transpose(), &(self.c.transpose() * &self.c))
    }

    /// W = ∫₀^T exp(At) B Bᵀ exp(Aᵀt) dt over a finite time, for stable, unstable and singular A.
    ///
    /// The integral over a short time h is doubled: W(2h) = W(h) + exp(Ah) W(h) exp(Aᵀh). All terms are positive semidefinite, so that
    /// nothing cancels.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] for a time that is negative or not finite, and for a time over which the integral overflows;
    /// [`AnalysisError::Shape`], [`AnalysisError::NotFinite`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // x″ = u over 2 s: [[T³/3, T²/2], [T²/2, T]].
    /// let (a, b) = (DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]), DMatrix::from_column_slice(2, 1, &[0.0, 1.0]));
    /// let found = StateSpace::new(a, b)?.controllability_gramian_over(2.0)?;
    /// let expected = DMatrix::from_row_slice(2, 2, &[8.0 / 3.0, 2.0, 2.0, 2.0]);
    /// assert!((found - expected).amax() < 1e-14);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn controllability_gramian_over(&self, time: f64) -> Result<DMatrix<f64>, AnalysisError> {
        self.check()?;
        let refused = |needs| AnalysisError::NotApplicable { analysis: "a Gramian over a finite time", needs };
        if !(time >= 0.0 && time.is_finite()) {
            return Err(refused(std::format!("a finite time that is not negative; it is {time}")));
        }
        integral(&self.a, &(&self.b * self.b.transpose()), time)
            .ok_or_else(|| refused(std::format!("a shorter time; over {time:e} the fastest growing mode overflows")))
    }
}

impl SampledSpace {
    /// W = Σ A^k B Bᵀ (Aᵀ)^k, the solution of W = A W Aᵀ + B Bᵀ.
    ///
    /// # Errors
    /// [`AnalysisError::NotStable`] with an eigenvalue that is not inside the unit circle. [`AnalysisError::Shape`] and
    /// [`AnalysisError::NotFinite`] for unsuitable matrices.
    pub fn controllability_gramian(&self) -> Result<DMatrix<f64>, AnalysisError> {
        self.check()?;
        stable_sampled(&self.poles()?, GRAMIAN)?;
        stein(&self.a, &(&self.b * self.b.transpose()))
    }

    /// Σ (Aᵀ)^k Cᵀ C A^k.
    ///
    /// # Errors
    /// Those of [`SampledSpace::controllability_gramian`].
    pub fn observability_gramian(&self) -> Result<DMatrix<f64>, AnalysisError> {
        self.check()?;
        stable_sampled(&self.poles()?, GRAMIAN)?;
        stein(&self.a.transpose(), &(self.c.transpose() * &self.c))
    }
}
