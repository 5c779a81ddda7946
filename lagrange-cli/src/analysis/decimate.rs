//! Curves thinned for drawing.

/// At most two points for each of `buckets` equal stretches of the abscissa: the smallest and the largest ordinate, in
/// the order in which they occur. No extreme is lost, so that a peak of one sample still shows.
pub fn extremes(points: impl Iterator<Item = [f64; 2]>, span: [f64; 2], buckets: usize) -> Vec<[f64; 2]> {
    let mut thinned = Vec::with_capacity(2 * buckets);
    for_each_bucket(points, span, buckets, |lowest, highest| {
        let (first, second) = if lowest[0] <= highest[0] { (lowest, highest) } else { (highest, lowest) };
        thinned.push(first);
        if first != second {
            thinned.push(second);
        }
    });
    thinned
}

/// The point of the largest ordinate in each of `buckets` equal stretches: the upper envelope.
pub fn envelope(points: impl Iterator<Item = [f64; 2]>, span: [f64; 2], buckets: usize) -> Vec<[f64; 2]> {
    let mut thinned = Vec::with_capacity(buckets);
    for_each_bucket(points, span, buckets, |_, highest| thinned.push(highest));
    thinned
}

fn for_each_bucket(
    points: impl Iterator<Item = [f64; 2]>,
    [start, end]: [f64; 2],
    buckets: usize,
    mut finished: impl FnMut([f64; 2], [f64; 2]),
) {
    let bucket_of = |x: f64| ((x - start) / (end - start) * buckets as f64).clamp(0.0, buckets as f64 - 1.0) as usize;
    let mut current: Option<(usize, [f64; 2], [f64; 2])> = None;
    for point in points.filter(|point| point[0] >= start && point[0] <= end && point[1].is_finite()) {
        let bucket = bucket_of(point[0]);
        match &mut current {
            Some((same, lowest, highest)) if *same == bucket => {
                if point[1] < lowest[1] {
                    *lowest = point;
                }
                if point[1] > highest[1] {
                    *highest = point;
                }
            }
            _ => {
                if let Some((_, lowest, highest)) = current.replace((bucket, point, point)) {
                    finished(lowest, highest);
                }
            }
        }
    }
    if let Some((_, lowest, highest)) = current {
        finished(lowest, highest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spike() -> impl Iterator<Item = [f64; 2]> {
        (0..10_000).map(|i| [f64::from(i), if i == 4321 { 100.0 } else { (f64::from(i) * 0.1).sin() }])
    }

    #[test]
    fn a_peak_of_one_sample_survives() {
        let thinned = extremes(spike(), [0.0, 9_999.0], 50);
        assert!(thinned.len() <= 100);
        assert!(thinned.contains(&[4321.0, 100.0]));
        assert!(envelope(spike(), [0.0, 9_999.0], 50).contains(&[4321.0, 100.0]));
    }

    #[test]
    fn points_stay_in_order_and_within_the_span() {
        let thinned = extremes(spike(), [100.0, 200.0], 10);
        assert!(thinned.windows(2).all(|pair| pair[0][0] < pair[1][0]));
        assert!(thinned.iter().all(|point| (100.0..=200.0).contains(&point[0])));
    }
}
