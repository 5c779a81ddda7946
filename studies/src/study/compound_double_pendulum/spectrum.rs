//! Experiment 2 (§5.2): the typical motion, and its spectrum.

use super::{DURATION, STEP, STUDY, animation};
use crate::statements::compound_double_pendulum as stated;
use crate::study::Finding;
use crate::study::charts;
use crate::study::motion::Motion;
use crate::study::peak::relative_width;
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::{Animation, Figure, Section};
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::{CompoundDoublePendulum, DoublePendulum};
use lagrange_runtime::analysis::{Line, Spectrum, Window};
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (1, "2");

/// A line counts as strong from this fraction of the highest one's amplitude.
const STRONG: f64 = 0.2;

/// The weakest line that is counted, as a fraction of the highest one's amplitude.
const WEAK: f64 = 2e-3;

/// Lines nearer than this are one, Hz: a few times the width of a line of Hann's window over 500 s.
const SEPARATION: f64 = 0.02;

/// The weakest line in the wider reading of the statement on lines near the strong ones, as a fraction of the highest one's amplitude.
const FAINT: f64 = 1e-5;

/// What "a great many" lines are read as.
const MANY: &str = "10";

/// The largest power of two of samples within the experiment's 500 s.
const FFT_SAMPLES: usize = 1 << 18;

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
            Published::printed("2").of(&stated::STRONG_LINES),
            spectrum.lines(STRONG, SEPARATION).len() as f64,
            "read from a figure; counted from a fifth of the highest amplitude (500 s, Hann's window)",
        ));
    }
    let strong = spectra[0].lines(STRONG, SEPARATION);
    let [first, second] = <[Line; 2]>::try_from(strong).map_err(|lines| format!("{} strong lines", lines.len()))?;
    let fundamental = [first.frequency, second.frequency];
    let weaker = weaker(&spectra[0]);
    let combined = weaker.iter().filter(|line| combines(line.frequency, fundamental, spectra[0].resolution)).count();
    statements(report, &motion, &spectra[0], &weaker, [first, second])?;
    chaos(report, &system, &motion)?;
    let linear = "shown in the paper as a curve; small swings of this pendulum have 0.38371 and 1.35005 Hz";
    report.rows.extend([
        Row::ours(PLACE, "first strong line of θ₁", "Hz", fundamental[0], linear),
        Row::ours(PLACE, "second strong line of θ₁", "Hz", fundamental[1], linear),
        Row::ours(
            PLACE,
            "weaker lines of θ₁ that combine the strong ones",
            "",
            combined as f64,
            &format!(
                "of {} up to 5 Hz and above 0.2 % of the highest, at j f₁ + k f₂ with whole numbers j + k odd",
                weaker.len()
            ),
        ),
    ]);
    report.series.push(motion.series("compound-double-pendulum-spectrum-rk4", 20));
    let caption = "The first 40 s from (45°, 0°), with the tip's path of the last 3 s.";
    let animation = animation("animation-typical", &system, initial, 40.0, [1.9, -2.15, 0.25], caption)?;
    report.sections.push(section(&motion, &spectra, animation, fundamental));
    Ok(())
}

/// What the paper says about the spectrum in words.
fn statements(
    report: &mut Report,
    motion: &Motion,
    spectrum: &Spectrum,
    weaker: &[Line],
    strong: [Line; 2],
) -> Finding<()> {
    let [first, second] = strong.map(|line| line.frequency);
    let high = weaker.iter().filter(|line| line.frequency > second + first).count();
    let multiples = [3.0, 5.0, 7.0].map(|k| k * first);
    let multiple = |line: &&Line| multiples.iter().any(|k| (line.frequency - k).abs() < 2.0 * spectrum.resolution);
    let angle: Vec<f64> = motion.coordinate(0).map(|[_, angle]| angle.to_degrees()).take(FFT_SAMPLES).collect();
    let without_window = Spectrum::new(&angle, STEP, Window::Rectangular)?;
    let stronger = if strong[1].amplitude > strong[0].amplitude { strong[1] } else { strong[0] };
    report.rows.extend([
        Row::compared(
            PLACE,
            "lines of θ₁ above the sum of both strong frequencies",
            "",
            Published::at_least("1").of(&stated::HARMONICS),
            high as f64,
            "up to 5 Hz and above 0.2 % of the highest",
        ),
        Row::compared(
            PLACE,
            "weaker lines of θ₁ at 3, 5 or 7 times the first strong frequency",
            "",
            Published::at_least("1").of(&stated::HARMONICS),
            weaker.iter().filter(multiple).count() as f64,
            "as above",
        ),
        Row::compared(
            PLACE,
            "weaker lines of θ₁ within 0.6 Hz of a strong one, above 0.2 % of the highest",
            "",
            Published::at_least(MANY).of(&stated::MANY_LINES),
            lines_near(spectrum, strong, WEAK) as f64,
            "a great many is read as ten or more",
        ),
        Row::compared(
            PLACE,
            "weaker lines of θ₁ within 0.6 Hz of a strong one, above 0.001 % of the highest",
            "",
            Published::at_least(MANY).of(&stated::MANY_LINES),
            lines_near(spectrum, strong, FAINT) as f64,
            "as above",
        ),
        Row::compared(
            PLACE,
            "width of the stronger peak of θ₁ over that of a sinusoid",
            "",
            Published::at_least("1.1").of(&stated::BROAD_PEAKS),
            relative_width(spectrum, stronger, 2 * spectrum.amplitudes.len(), STEP, Window::Hann)?,
            "judged from 10 %; 500 s, Hann's window",
        ),
        Row::compared(
            PLACE,
            "width of the stronger peak in a record of 262.144 s, without a window",
            "",
            Published::at_least("1.1").of(&stated::BROAD_PEAKS),
            relative_width(&without_window, stronger, FFT_SAMPLES, STEP, Window::Rectangular)?,
            "as above",
        ),
    ]);
    let small = small_swings();
    for (name, strong, small) in [("first", first, small[0]), ("second", second, small[1])] {
        report.rows.push(
            Row::compared(
                PLACE,
                format!("{name} strong frequency over that of small swings, less 1"),
                "",
                Published::within("0", 0.1).of(&stated::EIGENFREQUENCIES),
                strong / small - 1.0,
                "like is read as a tenth",
            )
            .certain_digits(2),
        );
    }
    for (name, fraction) in [("0.2 %", WEAK), ("0.001 %", FAINT)] {
        let ideal = point_mass_lines(fraction)? as f64;
        let more = lines_near(spectrum, strong, fraction) as f64 - ideal;
        report.rows.extend([
            Row::compared(
                PLACE,
                format!("lines near the two strong ones of the ideal double pendulum, above {name} of the highest"),
                "",
                Published::within("0", 0.0).of(&stated::BECAUSE_OF_RODS),
                ideal,
                "point masses of 1 kg on 1 m each, from (45°, 0°), within 0.6 Hz of the two highest lines",
            ),
            Row::compared(
                PLACE,
                format!("how many more this pendulum has, above {name} of the highest"),
                "",
                Published::above("0").of(&stated::BECAUSE_OF_RODS),
                more,
                "as above",
            ),
        ]);
    }
    Ok(())
}

/// The frequencies of small swings, Hz: det(K − ω² A) = 0 with A of equation 19 at rest and K of equation 20.
fn small_swings() -> [f64; 2] {
    let CompoundDoublePendulum { m1, m2, m3, l1, l2, g } = CompoundDoublePendulum::default();
    let (a, b, c) =
        ((m1 + 3.0 * (m2 + m3)) * l1 * l1 / 3.0, (m2 + 2.0 * m3) * l1 * l2 / 2.0, (m2 + 3.0 * m3) * l2 * l2 / 3.0);
    let (k, l) = ((m1 / 2.0 + m2 + m3) * l1 * g, (m2 / 2.0 + m3) * l2 * g);
    let (two, one, zero) = (a * c - b * b, k * c + l * a, k * l);
    let root = (one * one - 4.0 * two * zero).sqrt();
    [(one - root) / (2.0 * two), (one + root) / (2.0 * two)]
        .map(|square: f64| square.sqrt() / (2.0 * std::f64::consts::PI))
}

/// How many lines stand within [`NEAR`] of one of the `strong` ones, from this fraction of the highest amplitude, without them.
fn lines_near(spectrum: &Spectrum, strong: [Line; 2], fraction: f64) -> usize {
    let is_strong = |line: &Line| strong.iter().any(|strong| (line.frequency - strong.frequency).abs() < SEPARATION);
    let is_near = |line: &Line| strong.iter().any(|strong| (line.frequency - strong.frequency).abs() < NEAR);
    spectrum.lines(fraction, SEPARATION).iter().filter(|line| is_near(line) && !is_strong(line)).count()
}

/// [`lines_near`] the two highest lines of the double pendulum of two point masses, in θ₁ from the same start.
fn point_mass_lines(fraction: f64) -> Finding<usize> {
    let system = DoublePendulum::default().prepare::<f64>()?;
    let motion =
        Motion::integrate(&system, CompoundDoublePendulum::released_at_45_degrees(), DURATION, &Rk4::new(STEP))?;
    let angle: Vec<f64> = motion.coordinate(0).map(|[_, angle]| angle).collect();
    let spectrum = Spectrum::new(&angle[..angle.len() - 1], STEP, Window::Hann)?;
    let mut lines = spectrum.lines(WEAK, SEPARATION);
    lines.sort_by(|a, b| b.amplitude.total_cmp(&a.amplitude));
    match lines[..] {
        [first, second, ..] => Ok(lines_near(&spectrum, [first, second], fraction)),
        _ => Err("the spectrum of the point masses has fewer than two lines".into()),
    }
}

/// Whether the motion is chaotic: how a deviation of the start grows.
fn chaos(report: &mut Report, system: &dyn System<f64, 2, 0, 0>, motion: &Motion) -> Finding<()> {
    let [half, whole] = [growth(system, motion, DURATION / 2.0)?, growth(system, motion, DURATION)?];
    report.rows.push(
        Row::compared(
            PLACE,
            "growth of a deviation of 1e-8 rad in 500 s over that in 250 s",
            "",
            Published::at_least("10").of(&stated::CHAOS),
            whole / half,
            "the largest of both angles up to then; in a chaotic motion it is about the growth in 250 s itself",
        )
        .certain_digits(2),
    );
    report.rows.push(
        Row::ours(PLACE, "growth of a deviation of 1e-8 rad in 500 s", "", whole, "of the largest of both angles")
            .beside(&stated::CHAOS)
            .certain_digits(2),
    );
    Ok(())
}

/// The largest difference of the angles until `duration` from a start that differs by [`DEVIATION`], over that deviation.
fn growth(system: &dyn System<f64, 2, 0, 0>, motion: &Motion, duration: f64) -> Finding<f64> {
    let mut start = motion.states[0];
    start.q[0] += DEVIATION;
    let other = Motion::integrate(system, start, duration, &Rk4::new(STEP))?;
    let differences = other.states.iter().zip(&motion.states).map(|(other, state)| (other.q - state.q).amax());
    Ok(differences.fold(0.0, f64::max) / DEVIATION)
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
