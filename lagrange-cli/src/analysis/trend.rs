//! The straight line through a curve, and how far a curve rises.

/// The slope of the line of least squares through (x, y): for an error against time, its drift.
pub fn slope(points: impl Iterator<Item = [f64; 2]> + Clone) -> f64 {
    let count = points.clone().count() as f64;
    let mean = |component: usize| points.clone().map(|point| point[component]).sum::<f64>() / count;
    let (x_mean, y_mean) = (mean(0), mean(1));
    let (xy, xx) = points
        .fold((0.0, 0.0), |(xy, xx), [x, y]| (xy + (x - x_mean) * (y - y_mean), xx + (x - x_mean) * (x - x_mean)));
    xy / xx
}

/// The largest y(t) − y(s) with s < t: 0 for a curve that never rises.
pub fn largest_rise(values: &[f64]) -> f64 {
    let mut lowest = f64::INFINITY;
    values.iter().fold(0.0, |rise: f64, &value| {
        lowest = lowest.min(value);
        rise.max(value - lowest)
    })
}

#[cfg(test)]
mod tests {
    use super::{largest_rise, slope};

    #[test]
    fn an_oscillation_on_a_line_leaves_its_slope() {
        let points = (0..1000).map(|i| f64::from(i) * 0.1).map(|x| [x, 3.0 - 2.0 * x + (40.0 * x).sin()]);
        assert!((slope(points) + 2.0).abs() < 1e-3);
    }

    #[test]
    fn a_rise_counts_from_the_lowest_before_it() {
        assert_eq!(largest_rise(&[3.0, 2.0, 1.0]), 0.0);
        assert_eq!(largest_rise(&[3.0, 1.0, 2.0, 1.5, 2.5]), 1.5);
    }
}
