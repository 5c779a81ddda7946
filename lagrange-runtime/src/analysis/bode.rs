//! Data of Bode's and Nyquist's plots.

use super::AnalysisError;
use super::eigenvalues::Eigenvalue;
use super::state_space::{SampledSpace, StateSpace};
use super::transfer_function::Roots;
use core::f64::consts::{PI, TAU};
use nalgebra::Complex;
use std::vec::Vec;

/// The frequency response of one input and one output at several frequencies.
///
/// Bode's plot shows [`FrequencyData::decibels`] and `phase` over the logarithm of `omega`. Nyquist's plot shows the imaginary
/// over the real parts of `response`.
#[derive(Clone, Debug, PartialEq)]
pub struct FrequencyData {
    /// The frequencies in rad/(unit of time).
    pub omega: Vec<f64>,
    /// G(iω), or G(exp(iωh)) in sampled time, in the unit of the output over that of the input.
    pub response: Vec<Complex<f64>>,
    /// The phase of G in rad, without jumps by 2π.
    ///
    /// It is a function of ω alone, whatever the other frequencies are: the sum of the phases that the zeros add and the poles
    /// subtract. Toward ω = 0 it is 0 for a positive and π for a negative gain, less π/2 for each integrator. A pole or zero on
    /// the axis acts as one that decays slowly. The phase of −ω is the negative.
    pub phase: Vec<f64>,
}

impl FrequencyData {
    /// The gain 20 log₁₀ |G| of each frequency, in dB, with the output and the input in their units.
    #[must_use]
    pub fn decibels(&self) -> Vec<f64> {
        self.response.iter().map(|value| 20.0 * value.norm().log10()).collect()
    }

    /// The phase of each frequency in degrees.
    #[must_use]
    pub fn degrees(&self) -> Vec<f64> {
        self.phase.iter().map(|phase| phase.to_degrees()).collect()
    }
}

impl StateSpace {
    /// The frequency response from an input to an output at frequencies in rad/(unit of time), with a phase without jumps.
    ///
    /// Source: K. J. Åström, R. M. Murray, *Feedback Systems*, 2nd ed., 9.6.
    ///
    /// # Errors
    /// Those of [`StateSpace::response`] and [`StateSpace::transfer_function`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // Three low passes in series lag by 135° at their corner, and by 270° in the end.
    /// let a = DMatrix::from_row_slice(3, 3, &[-1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, 1.0, -1.0]);
    /// let (b, c) = (DMatrix::from_column_slice(3, 1, &[1.0, 0.0, 0.0]), DMatrix::from_row_slice(1, 3, &[0.0, 0.0, 1.0]));
    /// let chain = StateSpace::new(a, b)?.with_outputs(c, DMatrix::zeros(1, 1))?;
    /// let data = chain.frequency_data(0, 0, &[1e-3, 1.0, 1e5])?;
    /// assert!((data.degrees()[1] + 135.0).abs() < 1e-9 && (data.degrees()[2] + 270.0).abs() < 0.01);
    /// assert!((data.decibels()[1] + 30.0 * 2.0_f64.log10()).abs() < 1e-9);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn frequency_data(&self, output: usize, input: usize, omega: &[f64]) -> Result<FrequencyData, AnalysisError> {
        let channel = self.channel(output, input)?;
        let roots = Roots::of([&channel.a, &channel.b, &channel.c, &channel.d], true)?;
        data(omega, |omega| Ok(channel.response(omega)?[(0, 0)]), |omega| phase(&roots, omega))
    }

    /// Frequencies that show all poles and zeros other than 0, in equal steps of their logarithm: from a tenth of the smallest
    /// magnitude to ten times the largest one, `per_decade` a decade. Around 1 rad/(unit of time) where there are none.
    ///
    /// # Errors
    /// Those of [`StateSpace::zeros`].
    pub fn frequencies(&self, per_decade: usize) -> Result<Vec<f64>, AnalysisError> {
        let sizes = self.poles()?.into_iter().chain(self.zeros()?).map(Complex::norm);
        let (low, high) = sizes
            .filter(|size| *size > 0.0)
            .fold((f64::INFINITY, 0.0_f64), |(low, high), size| (low.min(size), high.max(size)));
        let (low, high) = if high > 0.0 { (low / 10.0, high * 10.0) } else { (0.1, 10.0) };
        let count = (((high / low).log10() * per_decade.max(1) as f64).ceil() as usize).max(1);
        let ratio = (high / low).ln() / count as f64;
        Ok((0..=count).map(|k| low * (ratio * k as f64).exp()).collect())
    }
}

impl SampledSpace {
    /// The frequency response from an input to an output at frequencies in rad/(unit of time), with a phase without jumps: as
    /// [`StateSpace::frequency_data`]. The phase continues above the frequency π/`period`.
    ///
    /// # Errors
    /// Those of [`SampledSpace::response`] and [`SampledSpace::transfer_function`].
    pub fn frequency_data(&self, output: usize, input: usize, omega: &[f64]) -> Result<FrequencyData, AnalysisError> {
        let channel = self.channel(output, input)?;
        let roots = Roots::of([&channel.a, &channel.b, &channel.c, &channel.d], false)?;
        let respond = |omega: f64| Ok(channel.response(omega)?[(0, 0)]);
        data(omega, respond, |omega| sampled_phase(&roots, omega * self.period))
    }
}

/// The responses, and the phases that are nearest to the sums of the phases of zeros and poles.
fn data(
    omega: &[f64],
    respond: impl Fn(f64) -> Result<Complex<f64>, AnalysisError>,
    phase: impl Fn(f64) -> f64,
) -> Result<FrequencyData, AnalysisError> {
    let response = omega.iter().map(|&omega| respond(omega)).collect::<Result<Vec<_>, _>>()?;
    let nearest = |(&omega, value): (&f64, &Complex<f64>)| {
        let whole = if omega < 0.0 { -phase(-omega) } else { phase(omega) };
        value.arg() + TAU * ((whole - value.arg()) / TAU).round()
    };
    let phase = omega.iter().zip(&response).map(nearest).collect();
    Ok(FrequencyData { omega: omega.to_vec(), response, phase })
}

/// The phase of a sign: that of the gain, turned once for each of the `turned` roots.
fn of_sign(gain: f64, turned: usize) -> f64 {
    if (gain < 0.0) != (turned % 2 == 1) { PI } else { 0.0 }
}

/// The phase of G(iω) for ω ≥ 0. A factor iω − z is written as −(z − iω) where z is on the right, so that its phase has no
/// jump. A root that is on the axis as far as its error tells counts as one on the left.
fn phase(roots: &Roots, omega: f64) -> f64 {
    let is_right = |root: &Eigenvalue| root.value.re > root.error;
    let of = |root: &Eigenvalue| match is_right(root) {
        true => -(omega - root.value.im).atan2(root.value.re),
        false => (omega - root.value.im).atan2((-root.value.re).max(0.0)),
    };
    let turned = roots.zeros.iter().chain(&roots.poles).filter(|root| is_right(root)).count();
    let sum = |roots: &[Eigenvalue]| roots.iter().map(of).sum::<f64>();
    of_sign(roots.gain, turned) + sum(&roots.zeros) - sum(&roots.poles)
}

/// The phase of G(exp(iθ)) for θ ≥ 0. A factor exp(iθ) − z is exp(iθ) (1 − z exp(−iθ)) where z is inside the circle or, as far
/// as its error tells, on it, and −z (1 − exp(iθ)/z) outside.
fn sampled_phase(roots: &Roots, angle: f64) -> f64 {
    let turn = Complex::from_polar(1.0, angle);
    let is_outside = |root: &Eigenvalue| root.value.norm() > 1.0 + root.error;
    let of = |root: &Eigenvalue| match is_outside(root) {
        true => (1.0 - turn / root.value).arg(),
        false => angle + (1.0 - root.value / root.value.norm().max(1.0) / turn).arg(),
    };
    let is_turned = |root: &&Eigenvalue| is_outside(root) && root.value.im == 0.0 && root.value.re > 0.0;
    let turned = roots.zeros.iter().chain(&roots.poles).filter(is_turned).count();
    let sum = |roots: &[Eigenvalue]| roots.iter().map(of).sum::<f64>();
    of_sign(roots.gain, turned) + sum(&roots.zeros) - sum(&roots.poles)
}
