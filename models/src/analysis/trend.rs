//! The straight line through a curve.

/// The slope of the line of least squares through (x, y): for an error against time, its drift.
pub(crate) fn slope(points: impl Iterator<Item = [f64; 2]> + Clone) -> f64 {
    let count = points.clone().count() as f64;
    let mean = |component: usize| points.clone().map(|point| point[component]).sum::<f64>() / count;
    let (x_mean, y_mean) = (mean(0), mean(1));
    let (xy, xx) = points
        .fold((0.0, 0.0), |(xy, xx), [x, y]| (xy + (x - x_mean) * (y - y_mean), xx + (x - x_mean) * (x - x_mean)));
    xy / xx
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn an_oscillation_on_a_line_leaves_its_slope() {
        let points = (0..1000).map(|i| f64::from(i) * 0.1).map(|x| [x, 3.0 - 2.0 * x + (40.0 * x).sin()]);
        assert!((slope(points) + 2.0).abs() < 1e-3);
    }
}
