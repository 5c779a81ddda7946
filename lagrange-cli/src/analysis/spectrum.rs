//! Amplitude spectra by the fast Fourier transform.

use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use std::f64::consts::PI;

/// What the record is multiplied by before it is transformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// Nothing: the narrowest line, with slowly falling sides.
    Rectangular,
    /// Hann's cos² bell: lines twice as wide, whose sides fall fast.
    Hann,
}

/// Amplitudes of the sinusoids in a record, its mean removed: `amplitudes[k]` is that of frequency k `resolution`.
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// The distance of neighbouring frequencies: the inverse of the record's length, Hz.
    pub resolution: f64,
    /// In the unit of the samples.
    pub amplitudes: Vec<f64>,
}

/// A line of a spectrum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Interpolated between the spectrum's frequencies, Hz.
    pub frequency: f64,
    /// The amplitude at the nearest of the spectrum's frequencies.
    pub amplitude: f64,
}

impl Spectrum {
    /// The spectrum of samples that are `step` seconds apart.
    pub fn new(samples: &[f64], step: f64, window: Window) -> Self {
        let count = samples.len();
        let mean = samples.iter().sum::<f64>() / count.max(1) as f64;
        let weight = |index: usize| match window {
            Window::Rectangular => 1.0,
            Window::Hann => (PI * index as f64 / count as f64).sin().powi(2),
        };
        let mut values: Vec<Complex<f64>> =
            samples.iter().enumerate().map(|(index, x)| Complex::new((x - mean) * weight(index), 0.0)).collect();
        FftPlanner::new().plan_fft_forward(count).process(&mut values);
        let scale = 2.0 / (0..count).map(weight).sum::<f64>();
        let amplitudes = values[..count / 2].iter().map(|value| value.norm() * scale).collect();
        Self { resolution: 1.0 / (count as f64 * step), amplitudes }
    }

    /// The frequency of the largest amplitude, as read from the spectrum: a multiple of its resolution.
    pub fn peak(&self) -> f64 {
        self.largest(0..self.amplitudes.len()) as f64 * self.resolution
    }

    /// The local maxima that exceed `threshold`, a fraction of the largest amplitude, and that nothing higher is within
    /// `separation` (in Hz) of, in the order of their frequencies.
    pub fn lines(&self, threshold: f64, separation: f64) -> Vec<Line> {
        let a = &self.amplitudes;
        let limit = threshold * a.get(self.largest(0..a.len())).copied().unwrap_or(0.0);
        let reach = ((separation / self.resolution) as usize).max(1);
        let highest_around = |k: usize| self.largest(k.saturating_sub(reach)..(k + reach + 1).min(a.len())) == k;
        (1..a.len().saturating_sub(1))
            .filter(|&k| a[k] > limit && highest_around(k))
            .map(|k| Line { frequency: self.interpolated(k), amplitude: a[k] })
            .collect()
    }

    /// (frequency, amplitude) up to `highest` Hz.
    pub fn points(&self, highest: f64) -> impl Iterator<Item = [f64; 2]> + '_ {
        let count = self.amplitudes.len().min((highest / self.resolution) as usize + 1);
        self.amplitudes[..count].iter().enumerate().map(|(k, &amplitude)| [k as f64 * self.resolution, amplitude])
    }

    fn largest(&self, range: std::ops::Range<usize>) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(parts: &[(f64, f64)], count: usize, step: f64) -> Vec<f64> {
        let value = |t: f64| parts.iter().map(|(f, a)| a * (2.0 * PI * f * t + 0.3).cos()).sum::<f64>();
        (0..count).map(|i| 5.0 + value(i as f64 * step)).collect()
    }

    #[test]
    fn a_sinusoid_on_the_grid_has_its_frequency_and_amplitude() {
        let spectrum = Spectrum::new(&samples(&[(1.5, 0.7)], 2_000, 0.01), 0.01, Window::Rectangular);
        assert!((spectrum.peak() - 1.5).abs() < 1e-12);
        assert!((spectrum.amplitudes[30] - 0.7).abs() < 1e-12);
    }

    #[test]
    fn interpolation_finds_a_frequency_between_the_grid() {
        let spectrum = Spectrum::new(&samples(&[(0.3523, 1.0)], 50_000, 0.01), 0.01, Window::Hann);
        let lines = spectrum.lines(0.5, 0.01);
        assert_eq!(lines.len(), 1);
        assert!((lines[0].frequency - 0.3523).abs() < 5e-5, "{lines:?}");
    }

    #[test]
    fn lines_are_told_apart_and_weak_ones_left_out() {
        let spectrum =
            Spectrum::new(&samples(&[(0.5, 1.0), (1.2, 0.4), (2.0, 0.01)], 10_000, 0.01), 0.01, Window::Hann);
        let frequencies: Vec<f64> = spectrum.lines(0.1, 0.05).iter().map(|line| line.frequency).collect();
        assert_eq!(frequencies.len(), 2);
        assert!((frequencies[0] - 0.5).abs() < 1e-3 && (frequencies[1] - 1.2).abs() < 1e-3);
    }
}
