//! Amplitude spectra of records at equal times.

use super::AnalysisError;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use std::f64::consts::PI;
use std::ops::Range;
use std::string::ToString;
use std::vec::Vec;

/// A function by which a record is multiplied before its spectrum is computed.
///
/// A sinusoid between two frequencies of the spectrum spreads over its neighbours. The window decides how far. Source: F. J.
/// Harris, *On the use of windows for harmonic analysis with the discrete Fourier transform*, Proc. IEEE 66, 1978; for
/// [`Window::FlatTop`]: G. Heinzel, A. Rüdiger, R. Schilling, *Spectrum and spectral density estimation by the discrete Fourier
/// transform*, 2002.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Window {
    /// 1 everywhere. Use it for a whole number of periods: its lines are the narrowest, but their sides fall slowly.
    Rectangular,
    /// Hann's sin²(πk/n). Use it to tell lines of similar size apart: lines are twice as wide, and their sides fall fast.
    Hann,
    /// A sum of five cosines. Use it to read amplitudes: between two frequencies the amplitude errs by at most 0.2 %, but lines
    /// are five times as wide.
    FlatTop,
}

impl Window {
    /// The weight of sample k of n.
    fn weight(self, k: usize, n: usize) -> f64 {
        let angle = 2.0 * PI * k as f64 / n as f64;
        match self {
            Self::Rectangular => 1.0,
            Self::Hann => 0.5 - 0.5 * angle.cos(),
            Self::FlatTop => {
                const COSINES: [f64; 5] = [1.0, -1.93, 1.29, -0.388, 0.028];
                COSINES.iter().enumerate().map(|(i, c)| c * (i as f64 * angle).cos()).sum()
            }
        }
    }
}

/// The amplitudes of the sinusoids in a record: `amplitudes[k]` belongs to the frequency k · `resolution`.
///
/// With the window w and n samples x_j at times j · `step`, the amplitude is
///
/// ```text
/// 2 |Σ_j w_j (x_j − x̄) exp(−2πi jk/n)| / Σ_j w_j,    0 ≤ k < n/2.
/// ```
///
/// So a sinusoid of amplitude a at one of the frequencies has the value a there. The mean x̄ is subtracted first. Sinusoids above
/// half the sampling frequency appear at a lower one, so that the step must resolve the fastest oscillation.
///
/// ```
/// use lagrange_runtime::analysis::{Spectrum, Window};
///
/// let step = 0.01;
/// let samples: Vec<f64> = (0..4000).map(|j| 0.7 * (2.0 * std::f64::consts::PI * 1.23 * f64::from(j) * step).sin()).collect();
/// let lines = Spectrum::new(&samples, step, Window::Hann)?.lines(0.5, 0.1);
/// assert!(lines.len() == 1 && (lines[0].frequency - 1.23).abs() < 1e-3);
/// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// The distance of neighbouring frequencies in Hz: 1/(n · step).
    pub resolution: f64,
    /// The amplitudes in the unit of the samples.
    pub amplitudes: Vec<f64>,
}

/// A line of a spectrum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The frequency in Hz, interpolated between the frequencies of the spectrum.
    pub frequency: f64,
    /// The amplitude at the nearest frequency of the spectrum.
    pub amplitude: f64,
}

impl Spectrum {
    /// Computes the spectrum of samples that are `step` seconds apart.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] for fewer than 4 samples or a step that is not positive.
    /// [`AnalysisError::NotFinite`] for a sample that is infinite or NaN.
    pub fn new(samples: &[f64], step: f64, window: Window) -> Result<Self, AnalysisError> {
        let refused = |needs: &str| AnalysisError::NotApplicable { analysis: "a spectrum", needs: needs.to_string() };
        let count = samples.len();
        if count < 4 {
            return Err(refused("at least 4 samples"));
        }
        if !(step > 0.0 && step.is_finite()) {
            return Err(refused("a positive and finite time between samples"));
        }
        if let Some(index) = samples.iter().position(|sample| !sample.is_finite()) {
            return Err(AnalysisError::NotFinite { quantity: std::format!("sample {index}") });
        }
        let mean = samples.iter().sum::<f64>() / count as f64;
        let weight = |index: usize| window.weight(index, count);
        let mut values: Vec<Complex<f64>> =
            samples.iter().enumerate().map(|(index, x)| Complex::new((x - mean) * weight(index), 0.0)).collect();
        FftPlanner::new().plan_fft_forward(count).process(&mut values);
        let scale = 2.0 / (0..count).map(weight).sum::<f64>();
        let amplitudes = values[..count.div_ceil(2)].iter().map(|value| value.norm() * scale).collect();
        Ok(Self { resolution: 1.0 / (count as f64 * step), amplitudes })
    }

    /// Returns the frequency of the largest amplitude, a multiple of the resolution.
    pub fn peak(&self) -> f64 {
        self.largest(0..self.amplitudes.len()) as f64 * self.resolution
    }

    /// Returns the local maxima in the order of their frequencies. A maximum counts if it exceeds `threshold`, a fraction of the
    /// largest amplitude, and if no higher amplitude is within `separation`, in Hz.
    pub fn lines(&self, threshold: f64, separation: f64) -> Vec<Line> {
        let a = &self.amplitudes;
        let limit = threshold * a.get(self.largest(0..a.len())).copied().unwrap_or(0.0);
        let reach = ((separation / self.resolution) as usize).max(1);
        let highest_around =
            |k: usize| self.largest(k.saturating_sub(reach)..k.saturating_add(reach + 1).min(a.len())) == k;
        (1..a.len().saturating_sub(1))
            .filter(|&k| a[k] > limit && highest_around(k))
            .map(|k| Line { frequency: self.interpolated(k), amplitude: a[k] })
            .collect()
    }

    /// Returns [frequency, amplitude] for all frequencies up to `highest`, in Hz.
    pub fn points(&self, highest: f64) -> impl Iterator<Item = [f64; 2]> + '_ {
        let count = self.amplitudes.len().min(((highest / self.resolution) as usize).saturating_add(1));
        self.amplitudes[..count].iter().enumerate().map(|(k, &amplitude)| [k as f64 * self.resolution, amplitude])
    }

    /// The index of the largest amplitude in a range.
    fn largest(&self, range: Range<usize>) -> usize {
        range.max_by(|&i, &j| self.amplitudes[i].total_cmp(&self.amplitudes[j])).unwrap_or(0)
    }

    /// The vertex of the parabola through the logarithms of three neighbours.
    fn interpolated(&self, k: usize) -> f64 {
        let [left, middle, right] = [k - 1, k, k + 1].map(|index| self.amplitudes[index].max(f64::MIN_POSITIVE).ln());
        let curvature = left - 2.0 * middle + right;
        let shift = if curvature < 0.0 { 0.5 * (left - right) / curvature } else { 0.0 };
        (k as f64 + shift) * self.resolution
    }
}
