//! The charts that several experiments have in common.

use super::motion::Motion;
use lagrange_cli::analysis::decimate::{envelope, extremes};
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};

/// Stretches into which curves are thinned: more than a screen shows.
pub(super) const BUCKETS: usize = 900;

/// The largest |ΔE| in each stretch of time, on a logarithmic axis.
pub(super) fn energy_error<const N: usize>(curves: &[(&'static str, Style, &Motion<N>)], t_end: f64) -> Chart {
    let curve = |(name, style, motion): &(&'static str, Style, &Motion<N>)| {
        let magnitudes = motion.energy_error().map(|[t, error]| [t, error.abs()]);
        let points = envelope(magnitudes, [0.0, t_end], BUCKETS);
        Curve::new(*name, *style, points.into_iter().filter(|point| point[1] > 0.0).collect())
    };
    let (x, y) = (Axis::linear("time (s)").spanning(0.0, t_end), Axis::logarithmic("|E − E(0)| (J)"));
    Chart::new(x, y, curves.iter().map(curve).collect())
}

/// E − E(0) of one motion, with its sign.
pub(super) fn signed_energy_error(name: &'static str, style: Style, motion: &Motion, t_end: f64) -> Chart {
    let points = extremes(motion.energy_error(), [0.0, t_end], BUCKETS / 2);
    let (x, y) = (Axis::linear("time (s)").spanning(0.0, t_end), Axis::linear("E − E(0) (J)"));
    Chart::new(x, y, vec![Curve::new(name, style, points)]).with_aspect(0.55)
}

/// Both angles, in degrees.
pub(super) fn angles(motion: &Motion, [from, to]: [f64; 2]) -> Chart {
    let degrees = |index: usize| {
        let points = motion.coordinate(index).map(|[t, angle]| [t, angle.to_degrees()]);
        extremes(points, [from, to], BUCKETS)
    };
    let curves = vec![
        Curve::new("θ₁, upper rod", Style::First, degrees(0)),
        Curve::new("θ₂, lower rod", Style::Second, degrees(1)),
    ];
    Chart::new(Axis::linear("time (s)").spanning(from, to), Axis::linear("angle (°)"), curves)
}

/// Both angular velocities.
pub(super) fn velocities(motion: &Motion, [from, to]: [f64; 2]) -> Chart {
    let curves = vec![
        Curve::new("ω₁, upper rod", Style::First, extremes(motion.velocity(0), [from, to], BUCKETS)),
        Curve::new("ω₂, lower rod", Style::Second, extremes(motion.velocity(1), [from, to], BUCKETS)),
    ];
    Chart::new(Axis::linear("time (s)").spanning(from, to), Axis::linear("angular velocity (rad/s)"), curves)
}
