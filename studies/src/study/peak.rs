//! How wide a peak of a spectrum is.

use super::Finding;
use lagrange_runtime::analysis::{Line, Spectrum, Window};

/// The width of a line at half of its height over that of a sinusoid of its frequency: both from a record of `count` samples that are
/// `step` seconds apart, by the same window.
pub(super) fn relative_width(spectrum: &Spectrum, line: Line, count: usize, step: f64, window: Window) -> Finding<f64> {
    let omega = 2.0 * std::f64::consts::PI * line.frequency;
    let samples: Vec<f64> = (0..count).map(|index| (omega * index as f64 * step).cos()).collect();
    let sinusoid = Spectrum::new(&samples, step, window)?;
    Ok(width(spectrum, line.frequency) / width(&sinusoid, line.frequency))
}

/// The width at half of the height of the peak next to `frequency`, interpolated between the frequencies of the spectrum, Hz.
fn width(spectrum: &Spectrum, frequency: f64) -> f64 {
    let a = &spectrum.amplitudes;
    let near = (frequency / spectrum.resolution).round() as usize;
    let top = (near.saturating_sub(1)..=near + 1).max_by(|&i, &j| a[i].total_cmp(&a[j])).unwrap_or(near);
    let half = a[top] / 2.0;
    // The distance from the top to where the amplitude falls to the half, in frequencies of the spectrum.
    let reach = |at: &dyn Fn(usize) -> f64| {
        let beyond = (1..).find(|&k| at(k) < half).unwrap_or(1);
        let (above, below) = (at(beyond - 1), at(beyond));
        (beyond - 1) as f64 + (above - half) / (above - below)
    };
    let right = reach(&|k| a.get(top + k).copied().unwrap_or(0.0));
    let left = reach(&|k| top.checked_sub(k).map_or(0.0, |index| a[index]));
    (left + right) * spectrum.resolution
}
