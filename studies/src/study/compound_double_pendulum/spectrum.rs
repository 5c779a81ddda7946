//! Experiment 2 (§5.2): the typical motion, and its spectrum.

use super::{DURATION, STEP, STUDY, animation};
use crate::study::Finding;
use crate::study::charts;
use crate::study::motion::{Motion, end_of};
use crate::study::peak::relative_width;
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::{Animation, Figure, Section};
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::analysis::{Line, Spectrum, Window};
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (1, "2");

/// A line counts as strong from this fraction of the highest one's amplitude.
const STRONG: f64 = 0.2;

/// The weakest line that is counted, as a fraction of the highest one's amplitude.
const WEAK: f64 = 2e-3;

/// Lines nearer than this are one, Hz: a few times the width of a line of Hann's window over 500 s.
const SEPARATION: f64 = 0.02;

/// Lines nearer than this to a strong one stand near it, Hz.
const NEAR: f64 = 0.6;

/// A deviation of the start, rad.
const DEVIATION: f64 = 1e-8;

/// The highest frequency that is shown, Hz.
const HIGHEST: f64 = 5.0;

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = CompoundDoublePendulum::default().prepare::<f64>()?;
    let initial = CompoundDoublePendulum::released_at_45_degrees();
    let motion = Motion::integrate(&system, initial, DURATION, &Rk4::new(STEP))?;
    let spectrum_of = |index| {
        let angle: Vec<f64> = motion.coordinate(index).map(|[_, angle]| angle.to_degrees()).collect();
        Spectrum::new(&angle[..angle.len() - 1], STEP, Window::Hann)
    };
    let spectra = [spectrum_of(0)?, spectrum_of(1)?];
    for (name, spectrum) in ["θ₁", "θ₂"].into_iter().zip(&spectra) {
        report.rows.push(Row::compared(
            PLACE,
            format!("strong lines in the spectrum of {name}"),
            "",
            Published::printed("2").at("§5.2, figure 11"),
            spectrum.lines(STRONG, SEPARATION).len() as f64,
            "read from a figure; counted from a fifth of the highest amplitude (500 s, Hann's window)",
        ));
    }
    let strong = spectra[0].lines(STRONG, SEPARATION);
    let [first, second] = <[Line; 2]>::try_from(strong).map_err(|lines| format!("{} strong lines", lines.len()))?;
    let fundamental = [first.frequency, second.frequency];
    let weaker = weaker(&spectra[0]);
    let combined = weaker.iter().filter(|line| combines(line.frequency, fundamental, spectra[0].resolution)).count();
    statements(report, &spectra[0], &weaker, [first, second])?;
    let linear = "shown in the paper as a curve; small swings of this pendulum have 0.38371 and 1.35005 Hz";
    report.rows.extend([
        Row::ours(PLACE, "first strong line of θ₁", "Hz", fundamental[0], linear),
        Row::ours(PLACE, "second strong line of θ₁", "Hz", fundamental[1], linear),
        Row::ours(
            PLACE,
            "weaker lines of θ₁ that combine the strong ones",
            "",
            combined as f64,
            &format!("of {} up to 5 Hz and above 0.2 % of the highest, at j f₁ + k f₂ with whole numbers j + k odd", weaker.len()),
        ),
        Row::ours(
            PLACE,
            "growth of a deviation of 1e-8 rad in 500 s",
            "",
            growth(&system, &motion)?,
            "of the largest of both angles; the paper: the motion may be chaotic; a chaotic one of experiment 5 multiplies a deviation \
             of 1e-13 rad until it is as large as the motion",
        ),
    ]);
    report.series.push(motion.series("compound-double-pendulum-spectrum-rk4", 20));
    let caption = "The first 40 s from (45°, 0°), with the tip's path of the last 3 s.";
    let animation = animation("animation-typical", &system, initial, 40.0, [1.9, -2.15, 0.25], caption)?;
    report.sections.push(section(&motion, &spectra, animation, fundamental));
    Ok(())
}

/// What the paper says about the spectrum in words.
fn statements(report: &mut Report, spectrum: &Spectrum, weaker: &[Line], strong: [Line; 2]) -> Finding<()> {
    let [first, second] = strong.map(|line| line.frequency);
    let high = weaker.iter().filter(|line| line.frequency > second + first).count();
    let near = |line: &&Line| [first, second].iter().any(|strong| (line.frequency - strong).abs() < NEAR);
    let stronger = if strong[1].amplitude > strong[0].amplitude { strong[1] } else { strong[0] };
    report.rows.extend([
        Row::compared(
            PLACE,
            "lines of θ₁ above the sum of both strong frequencies",
            "",
            Published::at_least("1").at("§5.2, figure 11"),
            high as f64,
            "the paper: harmonics at high frequencies; up to 5 Hz and above 0.2 % of the highest",
        ),
        Row::compared(
            PLACE,
            "weaker lines of θ₁ within 0.6 Hz of a strong one",
            "",
            Published::at_least("2").at("§5.2, figure 11"),
            weaker.iter().filter(near).count() as f64,
            "the paper: many further frequencies near the two strong ones",
        ),
        Row::compared(
            PLACE,
            "width of the stronger peak of θ₁ over that of a sinusoid",
            "",
            Published::at_least("1.1").at("§5.2, figure 11"),
            relative_width(spectrum, stronger, 2 * spectrum.amplitudes.len(), STEP)?,
            "the paper: the peaks are broadened; judged from 10 %; in 500 s with Hann's window the peak is as narrow as that of \
             a sinusoid, as in a motion that consists of lines",
        ),
    ]);
    Ok(())
}

/// The largest difference of the angles at 500 s from a start that differs by [`DEVIATION`], over that deviation.
fn growth(system: &dyn System<f64, 2, 0, 0>, motion: &Motion) -> Finding<f64> {
    let mut start = motion.states[0];
    start.q[0] += DEVIATION;
    let end = end_of(system, start, DURATION, &Rk4::new(STEP))?;
    Ok((end.q - motion.states[motion.states.len() - 1].q).amax() / DEVIATION)
}

/// The lines up to [`HIGHEST`] that are not strong.
fn weaker(spectrum: &Spectrum) -> Vec<Line> {
    let lines = spectrum.lines(WEAK, SEPARATION);
    let largest = lines.iter().map(|line| line.amplitude).fold(0.0, f64::max);
    lines.into_iter().filter(|line| line.frequency <= HIGHEST && line.amplitude < STRONG * largest).collect()
}

/// Whether a frequency lies at j f₁ + k f₂ with j + k odd. The mirror image of the motion is a motion too, so lines with j + k even
/// vanish.
fn combines(frequency: f64, [first, second]: [f64; 2], resolution: f64) -> bool {
    (-12..=12).flat_map(|j: i32| (-12..=12).map(move |k: i32| (j, k))).any(|(j, k)| {
        (j + k) % 2 != 0
            && j.abs() + k.abs() <= 13
            && (f64::from(j) * first + f64::from(k) * second - frequency).abs() < 2.0 * resolution
    })
}

fn section(motion: &Motion, spectra: &[Spectrum; 2], animation: Animation, [first, second]: [f64; 2]) -> Section {
    let curve = |name, style, spectrum: &Spectrum| {
        Curve::new(name, style, spectrum.points(HIGHEST).filter(|point| point[0] > 0.01).collect())
    };
    let spectrum = Chart::new(
        Axis::linear("frequency (Hz)").spanning(0.0, HIGHEST),
        Axis::logarithmic("amplitude (°)").spanning(1e-3, 1e2),
        vec![curve("θ₂, lower rod", Style::Second, &spectra[1]), curve("θ₁, upper rod", Style::First, &spectra[0])],
    );
    Section {
        id: "typical",
        study: STUDY,
        title: "Experiment 2: motion and spectrum".to_owned(),
        setup: "Compound double pendulum; masses of 1 kg, rods of 1 m, g = 9.8 m/s², at rest at (45°, 0°). RK4, step \
                1 ms, 500 s."
            .to_owned(),
        equations: None,
        animation: Some(animation),
        figures: vec![
            Figure {
                title: "Motion, the first 30 s".to_owned(),
                charts: vec![charts::angles(motion, [0.0, 30.0])],
                paper: "the motion is no elementary function any more, and may be chaotic (its figure 10).".to_owned(),
                ours: "the spectrum below consists of lines: this motion is quasi-periodic.".to_owned(),
            },
            Figure {
                title: "Spectrum of both angles".to_owned(),
                charts: vec![spectrum],
                paper: "two strong lines, with harmonics at high frequencies and many lines beside (its figure 11)."
                    .to_owned(),
                ours: format!(
                    "two strong lines at {first:.3} and {second:.3} Hz; the others are their combinations j f₁ + k f₂, \
                     j + k odd."
                ),
            },
        ],
    }
}
