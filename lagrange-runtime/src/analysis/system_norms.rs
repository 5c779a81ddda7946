//! Norms of linear systems.

use super::AnalysisError;
use super::matrix::{eigenvalues, singular_values};
use super::reach::{stable, stable_sampled};
use super::state_space::{SampledSpace, StateSpace};
use nalgebra::DMatrix;
use std::string::ToString;
use std::vec::Vec;

/// The fraction by which a level lies above the largest gain that is known.
const ABOVE: f64 = 1e-9;
/// The largest number of levels. The number of right digits doubles with each.
const MAX_LEVELS: u32 = 60;
/// The number of sections of an interval by the golden ratio, which reach the rounding of the gain.
const SECTIONS: usize = 60;

/// The largest gain of a linear system over all frequencies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// The largest singular value of the frequency response.
    pub gain: f64,
    /// The frequency at which it is reached, in rad/(unit of time). It may be 0 or infinite.
    pub omega: f64,
}

impl StateSpace {
    /// The H∞ norm: the largest singular value of G(iω) over all ω, which is the largest ratio of √∫y² dt and √∫u² dt.
    ///
    /// With one input and one output it has the unit of y/u. With several, the units of the inputs must be comparable, and so
    /// must those of the outputs. A level γ is crossed where a Hamiltonian matrix has an eigenvalue iω. Between two of the
    /// eigenvalues' imaginary parts the gain is above the level or below it, whatever rounding does to their real parts.
    /// Sources: S. Boyd, V. Balakrishnan, *A regularity result for the singular values of a transfer matrix*, Syst. Control
    /// Lett. 15, 1990; N. A. Bruinsma, M. Steinbuch, *A fast algorithm to compute the H∞-norm of a transfer function matrix*,
    /// Syst. Control Lett. 14, 1990.
    ///
    /// # Errors
    /// [`AnalysisError::NotStable`] with an eigenvalue that is not left of the imaginary axis. [`AnalysisError::Shape`],
    /// [`AnalysisError::NotFinite`], [`AnalysisError::NotConverged`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // 1/(s² + 2 ζ s + 1) has the peak 1/(2 ζ √(1 − ζ²)) at √(1 − 2 ζ²).
    /// let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -1.0, -0.2]);
    /// let (b, c) = (DMatrix::from_column_slice(2, 1, &[0.0, 1.0]), DMatrix::from_row_slice(1, 2, &[1.0, 0.0]));
    /// let peak = StateSpace::new(a, b)?.with_outputs(c, DMatrix::zeros(1, 1))?.h_infinity()?;
    /// assert!((peak.gain - 1.0 / (0.2 * 0.99_f64.sqrt())).abs() < 1e-12);
    /// assert!((peak.omega - 0.98_f64.sqrt()).abs() < 1e-6);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn h_infinity(&self) -> Result<Peak, AnalysisError> {
        self.check()?;
        stable(&self.poles()?, "the H∞ norm")?;
        self.peak()
    }

    /// The H2 norm √(tr C W Cᵀ), with W of [`StateSpace::controllability_gramian`]: √∫ y² dt after a unit impulse at each
    /// input, and the effective value of y under white noise of intensity 1. Its unit is that of y/u · time^(−1/2).
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] for D ≠ 0, for which the norm is infinite. Those of
    /// [`StateSpace::controllability_gramian`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // exp(−3t) has ∫ y² dt = 1/6.
    /// let one = DMatrix::<f64>::from_element(1, 1, 1.0);
    /// let low_pass = StateSpace::new(&one * -3.0, one.clone())?.with_outputs(one.clone(), &one * 0.0)?;
    /// assert!((low_pass.h2()? - (1.0_f64 / 6.0).sqrt()).abs() < 1e-15);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn h2(&self) -> Result<f64, AnalysisError> {
        let gramian = self.controllability_gramian()?;
        match self.d.iter().all(|entry| *entry == 0.0) {
            true => Ok((&self.c * gramian * self.c.transpose()).trace().max(0.0).sqrt()),
            false => Err(AnalysisError::NotApplicable {
                analysis: "the H2 norm of continuous time",
                needs: "outputs without feedthrough, D = 0".to_string(),
            }),
        }
    }

    /// The largest gain on the imaginary axis, for A without eigenvalues on it.
    pub(crate) fn peak(&self) -> Result<Peak, AnalysisError> {
        let gain = |omega: f64| Ok::<_, AnalysisError>(largest(&singular_values(&self.response(omega)?)?));
        let mut best = Peak { gain: largest(&singular_values(&self.d)?), omega: f64::INFINITY };
        let take = |best: &mut Peak, omega: f64| {
            let gain = gain(omega)?;
            if gain > best.gain {
                *best = Peak { gain, omega };
            }
            Ok::<_, AnalysisError>(())
        };
        take(&mut best, 0.0)?;
        let poles = self.poles()?;
        for omega in cuts(poles.iter().flat_map(|pole| [pole.im.abs(), pole.norm()])) {
            take(&mut best, omega)?;
        }
        for _ in 0..MAX_LEVELS {
            let level = best.gain * (1.0 + ABOVE);
            if level == 0.0 {
                return Ok(best);
            }
            let crossings = eigenvalues(&self.hamiltonian(level)?)?;
            let cuts = cuts(crossings.iter().chain(&poles).flat_map(|value| [value.im.abs(), value.norm()]));
            let before = best;
            for omega in between(&cuts) {
                take(&mut best, omega)?;
            }
            let around = neighbours(&cuts, best.omega);
            best = polished(&gain, best, around)?;
            if best.gain <= level && before.gain > 0.0 {
                return Ok(best);
            }
        }
        Err(AnalysisError::NotConverged {
            sought: "largest gain",
            iterations: MAX_LEVELS,
            worst: "the level".to_string(),
            residual: best.gain,
            remedy: "scale the states so that the entries of A, B and C are of like size",
        })
    }

    /// The matrix that has the eigenvalue iω where a singular value of G(iω) is `level`. It needs a level above those of D.
    fn hamiltonian(&self, level: f64) -> Result<DMatrix<f64>, AnalysisError> {
        let Self { a, b, c, d } = self;
        // The inputs are scaled to a level of 1.
        let (b, d) = (b / level, d / level);
        let size = a.nrows();
        let free = DMatrix::identity(b.ncols(), b.ncols()) - d.transpose() * &d;
        let factors =
            free.cholesky().ok_or_else(|| AnalysisError::NotFinite { quantity: "the level of a gain".into() })?;
        let (by_c, by_b) = (factors.solve(&(d.transpose() * c)), factors.solve(&b.transpose()));
        let drift = a + &b * &by_c;
        let mut matrix = DMatrix::zeros(2 * size, 2 * size);
        matrix.view_mut((0, 0), (size, size)).copy_from(&drift);
        matrix.view_mut((0, size), (size, size)).copy_from(&(&b * by_b));
        matrix.view_mut((size, 0), (size, size)).copy_from(&-(c.transpose() * (c + &d * by_c)));
        matrix.view_mut((size, size), (size, size)).copy_from(&-drift.transpose());
        Ok(matrix)
    }
}

impl SampledSpace {
    /// The H∞ norm: the largest singular value of G(exp(iωh)) over all ω: as [`StateSpace::h_infinity`]. The frequency is at
    /// most π/`period`.
    ///
    /// The plane of z is mapped by z = (1 + w)/(1 − w), which keeps all gains.
    ///
    /// # Errors
    /// [`AnalysisError::NotStable`] with an eigenvalue that is not inside the unit circle. Those of [`StateSpace::h_infinity`].
    pub fn h_infinity(&self) -> Result<Peak, AnalysisError> {
        self.check()?;
        stable_sampled(&self.poles()?, "the H∞ norm")?;
        let Peak { gain, omega } = self.bilinear()?.peak()?;
        Ok(Peak { gain, omega: 2.0 * omega.atan() / self.period })
    }

    /// The H2 norm √(tr (C W Cᵀ + D Dᵀ)): √Σ y² after a unit pulse at each input.
    ///
    /// # Errors
    /// Those of [`SampledSpace::controllability_gramian`].
    pub fn h2(&self) -> Result<f64, AnalysisError> {
        let gramian = self.controllability_gramian()?;
        let square = (&self.c * gramian * self.c.transpose()).trace() + (&self.d * self.d.transpose()).trace();
        Ok(square.max(0.0).sqrt())
    }
}

fn largest(values: &nalgebra::DVector<f64>) -> f64 {
    values.iter().fold(0.0, |largest, value| largest.max(*value))
}

/// Positive frequencies in order, each once.
pub(crate) fn cuts(frequencies: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut cuts: Vec<f64> = frequencies.filter(|omega| *omega > 0.0 && omega.is_finite()).collect();
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    cuts
}

/// A frequency in each interval between neighbours, one below all and one above all.
pub(crate) fn between(cuts: &[f64]) -> Vec<f64> {
    let (Some(first), Some(last)) = (cuts.first(), cuts.last()) else { return std::vec![1.0] };
    let inner = cuts.windows(2).map(|pair| pair[0].sqrt() * pair[1].sqrt());
    core::iter::once(0.5 * first).chain(inner).chain([2.0 * last]).collect()
}

/// The neighbours of a frequency among others. `None` where it has none on one side.
fn neighbours(cuts: &[f64], omega: f64) -> Option<[f64; 2]> {
    let below = cuts.iter().copied().rfind(|cut| *cut < omega);
    let above = cuts.iter().copied().find(|cut| *cut > omega);
    match (omega > 0.0 && omega.is_finite(), below, above) {
        (false, ..) => None,
        (true, below, above) => Some([below.unwrap_or(0.5 * omega), above.unwrap_or(2.0 * omega)]),
    }
}

/// The largest gain near the best one, by sections of the golden ratio.
fn polished(
    gain: &impl Fn(f64) -> Result<f64, AnalysisError>,
    best: Peak,
    around: Option<[f64; 2]>,
) -> Result<Peak, AnalysisError> {
    let Some([mut low, mut high]) = around else { return Ok(best) };
    let mut best = best;
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    for _ in 0..SECTIONS {
        let [left, right] = [high - ratio * (high - low), low + ratio * (high - low)];
        let [at_left, at_right] = [gain(left)?, gain(right)?];
        for (gain, omega) in [(at_left, left), (at_right, right)] {
            if gain > best.gain {
                best = Peak { gain, omega };
            }
        }
        // The best frequency stays inside.
        let is_left = best.omega <= left || (best.omega < right && at_left > at_right);
        (low, high) = if is_left { (low, right) } else { (left, high) };
    }
    Ok(best)
}
