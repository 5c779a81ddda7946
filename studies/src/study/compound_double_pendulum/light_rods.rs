//! Experiment 1 (§5.1): with light rods and small equal angles the pendulum is a simple one.

use super::{DURATION, STEP, STUDY};
use crate::statements::compound_double_pendulum as stated;
use crate::study::Finding;
use crate::study::certain::more_than;
use crate::study::charts;
use crate::study::motion::{Motion, follow};
use crate::study::peak::relative_width;
use lagrange_cli::analysis::crossings::UpwardCrossings;
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::analysis::{Spectrum, Window};
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (1, "1");

/// The largest power of two of samples within the experiment's 500 s: 262.144 s.
const FFT_SAMPLES: usize = 1 << 18;

/// The weakest line that is counted, as a fraction of the highest one's amplitude.
const FAINT: f64 = 1e-3;

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = CompoundDoublePendulum::light_rods().prepare::<f64>()?;
    let initial = CompoundDoublePendulum::straight_at_1_degree();
    let rk4 = Motion::integrate(&system, initial, DURATION, &Rk4::new(STEP))?;
    let verlet = Motion::integrate(&system, initial, DURATION, &Verlet::new(STEP))?;

    let mut crossings = [UpwardCrossings::of(0), UpwardCrossings::of(0)];
    follow(&system, initial, DURATION, &Rk4::new(STEP), &Options::default(), &mut crossings[0])?;
    follow(&system, initial, DURATION, &Verlet::new(STEP), &Options::default(), &mut crossings[1])?;
    let missing = "the pendulum passed its rest fewer than two times";
    let (period, periods) = crossings[0].period().ok_or(missing)?;
    let (by_verlet, _) = crossings[1].period().ok_or(missing)?;

    let angle: Vec<f64> = rk4.coordinate(0).map(|[_, angle]| angle.to_degrees()).collect();
    let spectrum = Spectrum::new(&angle[..FFT_SAMPLES], STEP, Window::Rectangular)?;
    let whole = Spectrum::new(&angle[..angle.len() - 1], STEP, Window::Hann)?;

    period_rows(report, [period, by_verlet], periods);
    spectrum_rows(report, &spectrum, &whole)?;
    for (name, motion) in [("RK4", &rk4), ("Verlet", &verlet)] {
        let quantity = format!("largest |E − E(0)| in 500 s, {name}");
        let note = "shown in the paper as a curve (its figures 5 and 7)";
        report.rows.push(Row::ours(PLACE, quantity, "J", motion.largest_energy_error(), note));
    }
    let ratio = verlet.largest_energy_error() / rk4.largest_energy_error();
    let quantity = "Verlet's largest error of the energy over RK4's";
    let published = Published::above("1").of(&stated::RK4_MORE_PRECISE);
    let note = "RK4's error is near rounding";
    report.rows.push(Row::compared(PLACE, quantity, "", published, ratio, note).certain(more_than(ratio)));
    report.series.push(rk4.series("compound-double-pendulum-light-rods-rk4", 20));
    report.series.push(verlet.series("compound-double-pendulum-light-rods-verlet", 20));
    report.sections.push(section(&rk4, &verlet, &spectrum, [period, by_verlet]));
    Ok(())
}

fn period_rows(report: &mut Report, [period, by_verlet]: [f64; 2], periods: usize) {
    let measured = format!(
        "ours: mean of {periods} periods between zero crossings of θ₁, located on the interpolated motion (RK4, 1 ms)"
    );
    let read = Published::printed("2.84");
    report.rows.extend([
        Row::compared(
            PLACE,
            "period by RK4, read from the motion",
            "s",
            read.of(&stated::PERIOD_READ),
            period,
            "the author reads it off a figure",
        ),
        Row::compared(
            PLACE,
            "period by Verlet, read from the motion",
            "s",
            read.of(&stated::PERIOD_READ),
            by_verlet,
            "as above",
        ),
        Row::compared(
            PLACE,
            "period against 2π√(l/g)",
            "s",
            Published::printed("2.8385").of(&stated::PERIOD),
            period,
            &measured,
        ),
        Row::compared(
            PLACE,
            "frequency against √(g/l)/2π",
            "Hz",
            Published::printed("0.3523").of(&stated::PERIOD),
            1.0 / period,
            "",
        ),
    ]);
}

fn spectrum_rows(report: &mut Report, spectrum: &Spectrum, whole: &Spectrum) -> Finding<()> {
    let line = whole.lines(0.5, 0.05).first().copied().ok_or("the spectrum has no line")?;
    let record = format!(
        "the paper does not print its record; an FFT shows multiples of the record's inverse, and 0.351 Hz is such a one \
         for powers of two of samples at 1 ms: 65.536, 131.072 and 262.144 s; ours: the last, the largest in 500 s, with \
         lines {:.4} Hz apart",
        spectrum.resolution
    );
    report.rows.extend([
        Row::compared(
            PLACE,
            "FFT peak of θ₁",
            "Hz",
            Published::printed("0.351").of(&stated::PEAK),
            spectrum.peak(),
            &record,
        ),
        Row::compared(
            PLACE,
            "FFT peak of θ₁ against the frequency",
            "Hz",
            Published::printed("0.3523").of(&stated::PEAK_NEAR),
            line.frequency,
            "ours: 500 s, Hann's window, interpolated between lines",
        ),
        Row::compared(
            PLACE,
            "lines in the spectrum of θ₁",
            "",
            Published::printed("1").of(&stated::SINGLE_PEAK),
            whole.lines(FAINT, 0.05).len() as f64,
            "counted from 0.1 % of the highest amplitude",
        ),
        Row::compared(
            PLACE,
            "width of the peak of θ₁ over that of a sinusoid",
            "",
            Published::at_most("1.1").of(&stated::SINGLE_PEAK),
            relative_width(whole, line, 2 * whole.amplitudes.len(), STEP, Window::Hann)?,
            "at half of the height, 500 s, Hann's window",
        ),
        Row::compared(
            PLACE,
            "width of the peak in the record of 262.144 s, without a window",
            "",
            Published::at_most("1.1").of(&stated::SINGLE_PEAK),
            relative_width(spectrum, line, FFT_SAMPLES, STEP, Window::Rectangular)?,
            "what the peak has of width in such a record is leakage",
        ),
        Row::compared(
            PLACE,
            "distance of the printed 0.351 Hz from the frequency, relative",
            "",
            Published::at_most("0.01").of(&stated::PEAK_NEAR),
            (0.351 / line.frequency - 1.0).abs(),
            "close is read as a hundredth",
        ),
    ]);
    Ok(())
}

fn section(rk4: &Motion, verlet: &Motion, spectrum: &Spectrum, [period, by_verlet]: [f64; 2]) -> Section {
    let amplitudes = spectrum.points(2.0).filter(|point| point[0] > 0.0).collect();
    let fft = Chart::new(
        Axis::linear("frequency (Hz)").spanning(0.0, 2.0),
        Axis::logarithmic("amplitude of θ₁ (°)"),
        vec![Curve::new("FFT of 262.144 s", Style::First, amplitudes)],
    );
    let curves = [("Verlet", Style::Second, verlet), ("RK4", Style::First, rk4)];
    Section {
        id: "light-rods",
        study: STUDY,
        title: "Experiment 1: light rods, a simple pendulum".to_owned(),
        setup: "Compound double pendulum; rods of 0.1 g and 1 m, bob of 1 kg, g = 9.8 m/s², at rest at (1°, 1°). \
                Verlet and RK4, step 1 ms, 500 s."
            .to_owned(),
        equations: None,
        animation: None,
        figures: vec![
            Figure {
                title: "Motion by Verlet".to_owned(),
                charts: vec![
                    charts::angles(verlet, [0.0, 15.0]).with_aspect(0.55),
                    charts::velocities(verlet, [0.0, 15.0]).with_aspect(0.55),
                ],
                paper: "shows angles and angular velocities (its figure 6).".to_owned(),
                ours: format!("both rods move as one, with a period of {by_verlet:.5} s."),
            },
            Figure {
                title: "Motion by RK4".to_owned(),
                charts: vec![
                    charts::angles(rk4, [0.0, 15.0]).with_aspect(0.55),
                    charts::velocities(rk4, [0.0, 15.0]).with_aspect(0.55),
                ],
                paper: "reads a period of 2.84 s off the motion, and finds it sinusoidal (its figure 8).".to_owned(),
                ours: format!("the period is {period:.5} s."),
            },
            Figure {
                title: "Spectrum of θ₁".to_owned(),
                charts: vec![fft],
                paper: "one narrow peak at 0.351 Hz, where theory has 0.3523 Hz (its figure 9).".to_owned(),
                ours: format!(
                    "the same peak at {:.5} Hz, as the lines of 262.144 s of motion allow; interpolated between lines it \
                     stands at the frequency of the motion.",
                    spectrum.peak()
                ),
            },
            Figure {
                title: "Energy error".to_owned(),
                charts: vec![charts::energy_error(&curves, DURATION)],
                paper: "shows the energy of both methods as curves (its figures 5 and 7).".to_owned(),
                ours: "the largest error in each half second.".to_owned(),
            },
        ],
    }
}
