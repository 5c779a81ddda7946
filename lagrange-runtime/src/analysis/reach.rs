//! The states that inputs reach and that outputs see: ranks, modes and Gramians.

use super::AnalysisError;
use super::matrix::{balanced, eigenvalues, shaped};
use super::riccati::{lyapunov, stein};
use super::state_space::{SampledSpace, StateSpace, exponential};
use nalgebra::{Complex, DMatrix, SVD};
use std::vec::Vec;

/// A direction counts as not reached if inputs reach it by less than this fraction of the direction they reach most.
const RANK_TOLERANCE: f64 = 1e-10;
/// A mode counts as not reached if inputs reach it by less than this, relative to the size of A and B.
const MODE_TOLERANCE: f64 = 1e-9;
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
/// The rank is computed from an orthonormal basis that grows by A V, so that powers of A do not overflow. Source: T. Kailath,
/// *Linear Systems*, 2.4.
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
    let (a, b) = scaled(a, b);
    let rank = krylov_rank(&a, &b)?;
    let mut missed = Vec::new();
    if rank < size {
        let scale = a.norm().max(f64::MIN_POSITIVE);
        let mut modes = eigenvalues(&a)?
            .into_iter()
            .map(|mode| Ok((mode, margin(&a, &b, mode)?)))
            .collect::<Result<Vec<_>, AnalysisError>>()?;
        modes.sort_by(|a, b| a.1.total_cmp(&b.1));
        // Each vector of a multiple eigenvalue counts. The rank gives the largest number of missed modes.
        missed
            .extend(modes.iter().filter(|mode| mode.1 <= MODE_TOLERANCE * scale).take(size - rank).map(|mode| mode.0));
    }
    Ok(Reach { rank, missed })
}

/// The states that the outputs see: [`controllability`] of Aᵀ and Cᵀ.
///
/// # Errors
/// Those of [`controllability`].
pub fn observability(a: &DMatrix<f64>, c: &DMatrix<f64>) -> Result<Reach, AnalysisError> {
    shaped("C", c, (c.nrows(), a.nrows()))?;
    controllability(&a.transpose(), &c.transpose())
}

/// A and B in balanced states, and with B of the norm of A, so that neither units of states nor of inputs decide what is reached.
pub(crate) fn scaled(a: &DMatrix<f64>, b: &DMatrix<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
    let (a, scales) = balanced(a);
    let b = DMatrix::from_fn(b.nrows(), b.ncols(), |i, j| b[(i, j)] / scales[i]);
    let (size, norm) = (a.norm(), b.norm());
    let factor = if norm > 0.0 && size > 0.0 { size / norm } else { 1.0 };
    (a, b * factor)
}

/// The smallest singular value of [λ − A, B].
pub(crate) fn margin(a: &DMatrix<f64>, b: &DMatrix<f64>, mode: Complex<f64>) -> Result<f64, AnalysisError> {
    let (size, inputs) = b.shape();
    let pencil = DMatrix::from_fn(size, size + inputs, |i, j| {
        let entry = if j < size { -a[(i, j)] } else { b[(i, j - size)] };
        Complex::new(entry, 0.0) + if i == j { mode } else { Complex::new(0.0, 0.0) }
    });
    let factors = SVD::try_new(pencil, false, false, f64::EPSILON, MAX_ITERATIONS);
    factors.map(|factors| factors.singular_values.min()).ok_or_else(failed)
}

/// The dimension of the smallest space that contains the columns of B and that A maps into itself.
fn krylov_rank(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Result<usize, AnalysisError> {
    let size = a.nrows();
    let normalised = |matrix: &DMatrix<f64>| matrix / matrix.norm().max(f64::MIN_POSITIVE);
    let (scaled, mut fresh) = (normalised(a), normalised(b));
    let mut basis = DMatrix::<f64>::zeros(size, 0);
    while basis.ncols() < size {
        // The basis is made orthogonal twice, because rounding remains after once.
        for _ in 0..2 {
            let components = basis.transpose() * &fresh;
            fresh -= &basis * components;
        }
        if fresh.is_empty() {
            break;
        }
        let factors = SVD::try_new(fresh, true, false, f64::EPSILON, MAX_ITERATIONS).ok_or_else(failed)?;
        let left = factors.u.ok_or_else(failed)?;
        let kept: Vec<usize> =
            (0..factors.singular_values.len()).filter(|&k| factors.singular_values[k] > RANK_TOLERANCE).collect();
        if kept.is_empty() {
            break;
        }
        let directions = left.select_columns(&kept);
        let before = basis.ncols();
        basis = basis.resize_horizontally(before + directions.ncols(), 0.0);
        basis.columns_mut(before, directions.ncols()).copy_from(&directions);
        fresh = &scaled * directions;
    }
    Ok(basis.ncols())
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

/// Checks that all eigenvalues are stable.
fn stable(
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
        stable(&self.poles()?, |pole| pole.re >= 0.0, "the Gramian of an infinite time")?;
        lyapunov(&self.a, &(&self.b * self.b.transpose()))
    }

    /// W = ∫₀^∞ exp(Aᵀt) Cᵀ C exp(At) dt. xᵀ W x is the ∫ y² dt of the free motion from x.
    ///
    /// # Errors
    /// Those of [`StateSpace::controllability_gramian`].
    pub fn observability_gramian(&self) -> Result<DMatrix<f64>, AnalysisError> {
        self.check()?;
        stable(&self.poles()?, |pole| pole.re >= 0.0, "the Gramian of an infinite time")?;
        lyapunov(&self.a.transpose(), &(self.c.transpose() * &self.c))
    }

    /// W = ∫₀^T exp(At) B Bᵀ exp(Aᵀt) dt over a finite time, for stable and unstable systems, by one exponential:
    ///
    /// ```text
    /// exp ⎛⎡ −A  B Bᵀ ⎤ T⎞ = ⎡ …  F ⎤,    W = Eᵀ F,    E = exp(AᵀT).
    ///     ⎝⎣  0   Aᵀ ⎦  ⎠   ⎣ 0  E ⎦
    /// ```
    ///
    /// Source: C. F. Van Loan, *Computing integrals involving the matrix exponential*, IEEE Trans. Autom. Control 23, 1978.
    ///
    /// # Errors
    /// [`AnalysisError::NotFinite`] where the exponential overflows; [`AnalysisError::Shape`].
    pub fn controllability_gramian_over(&self, time: f64) -> Result<DMatrix<f64>, AnalysisError> {
        self.check()?;
        let size = self.a.nrows();
        let mut generator = DMatrix::zeros(2 * size, 2 * size);
        generator.view_mut((0, 0), (size, size)).copy_from(&(&self.a * -time));
        generator.view_mut((0, size), (size, size)).copy_from(&(&self.b * self.b.transpose() * time));
        generator.view_mut((size, size), (size, size)).copy_from(&(self.a.transpose() * time));
        let flow = exponential(&generator)?;
        let gramian = flow.view((size, size), (size, size)).transpose() * flow.view((0, size), (size, size));
        Ok((&gramian + gramian.transpose()) * 0.5)
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
        stable(&self.poles()?, |pole| pole.norm() >= 1.0, "the Gramian of an infinite time")?;
        stein(&self.a, &(&self.b * self.b.transpose()))
    }

    /// Σ (Aᵀ)^k Cᵀ C A^k.
    ///
    /// # Errors
    /// Those of [`SampledSpace::controllability_gramian`].
    pub fn observability_gramian(&self) -> Result<DMatrix<f64>, AnalysisError> {
        self.check()?;
        stable(&self.poles()?, |pole| pole.norm() >= 1.0, "the Gramian of an infinite time")?;
        stein(&self.a.transpose(), &(self.c.transpose() * &self.c))
    }
}
