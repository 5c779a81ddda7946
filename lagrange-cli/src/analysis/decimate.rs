//! Curves thinned for drawing.

/// A line may miss a curve by this part of the curve's extent: half a pixel of a picture of 1000 pixels.
pub const MISS: f64 = 1.0 / 2000.0;

/// A change below this part of the values of a curve is taken for rounding, which no line needs to follow.
pub const ROUNDING: f64 = 1e-12;

/// With fewer stretches, extremes are no better than samples at equal distances.
const FEWEST_STRETCHES: usize = 10;

/// At most two points for each of `buckets` equal stretches of the abscissa: the smallest and the largest ordinate, in
/// the order in which they occur. No extreme is lost, so that a peak of one sample still shows.
pub fn extremes(points: impl Iterator<Item = [f64; 2]>, span: [f64; 2], buckets: usize) -> Vec<[f64; 2]> {
    let mut thinned = Vec::with_capacity(2 * buckets);
    for_each_bucket(points, span, buckets, |(first, a), (second, b)| {
        thinned.push(if first <= second { a } else { b });
        if first != second {
            thinned.push(if first <= second { b } else { a });
        }
    });
    thinned
}

/// The point of the largest ordinate in each of `buckets` equal stretches: the upper envelope.
pub fn envelope(points: impl Iterator<Item = [f64; 2]>, span: [f64; 2], buckets: usize) -> Vec<[f64; 2]> {
    let mut thinned = Vec::with_capacity(buckets);
    for_each_bucket(points, span, buckets, |_, (_, highest)| thinned.push(highest));
    thinned
}

/// Which samples are kept: all up to `limit`, else the extremes of each series in equal stretches of the abscissa, or
/// samples at equal distances where there are too many series for that. Of two samples at a jump both are kept or none, and both of
/// all jumps where these are less than half of what may be kept.
pub fn indices(x: &[f64], series: &[&[f64]], limit: usize) -> Vec<usize> {
    if x.len() <= limit {
        return (0..x.len()).collect();
    }
    let jumps: Vec<usize> = (1..x.len()).filter(|&index| x[index - 1] == x[index]).collect();
    let mut kept: Vec<usize> = if 4 * jumps.len() <= limit { jumps.clone() } else { Vec::new() };
    // Every kept sample may be at a jump, and then brings another one with it.
    let limit = match jumps.len() {
        0 => limit,
        count if 4 * count <= limit => limit - 2 * count,
        _ => limit / 2,
    };
    let last = x.len() - 1;
    let stretches = (limit - 2) / (2 * series.len().max(1));
    if series.is_empty() || stretches < FEWEST_STRETCHES {
        kept.extend((0..limit).map(|place| place * last / (limit - 1)));
    } else {
        kept.extend([0, last]);
        for values in series {
            let points = x.iter().zip(*values).map(|(x, value)| [*x, *value]);
            for_each_bucket(points, [x[0], x[last]], stretches, |(lowest, _), (highest, _)| {
                kept.extend([lowest, highest]);
            });
        }
    }
    if !jumps.is_empty() {
        let partners = |&index: &usize| {
            let before = (index > 0 && x[index - 1] == x[index]).then(|| index - 1);
            let after = (index < last && x[index + 1] == x[index]).then(|| index + 1);
            before.into_iter().chain(after)
        };
        let partners: Vec<usize> = kept.iter().flat_map(partners).collect();
        kept.extend(partners);
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// Which samples are kept so that straight lines between them miss no other sample of a series by more than is allowed for it.
///
/// `x` must not decrease, and each series has one value for each of it. The first and the last sample are kept, and both at a jump
/// by more than is allowed, where `x` stands twice. A value that is not finite is passed over.
pub fn chords(x: &[f64], series: &[(&[f64], f64)]) -> Vec<usize> {
    let Some(last) = x.len().checked_sub(1) else { return Vec::new() };
    let mut kept = vec![0];
    let mut anchor = 0;
    // The slopes of lines from the anchor that pass all samples since by no more than is allowed.
    let none = (f64::NEG_INFINITY, f64::INFINITY);
    let mut slopes = vec![none; series.len()];
    for index in 1..=last {
        let passes = x[anchor] < x[index]
            && series.iter().zip(&slopes).all(|((values, _), (low, high))| {
                let slope = (values[index] - values[anchor]) / (x[index] - x[anchor]);
                slope.is_nan() || (*low <= slope && slope <= *high)
            });
        if !passes && anchor + 1 < index {
            anchor = index - 1;
            kept.push(anchor);
            slopes.fill(none);
        }
        if x[anchor] == x[index] {
            anchor = index;
            kept.push(anchor);
            slopes.fill(none);
            continue;
        }
        for ((values, allowed), (low, high)) in series.iter().zip(&mut slopes) {
            let (rise, run) = (values[index] - values[anchor], x[index] - x[anchor]);
            if rise.is_finite() {
                *low = low.max((rise - allowed) / run);
                *high = high.min((rise + allowed) / run);
            }
        }
    }
    if kept.last() != Some(&last) {
        kept.push(last);
    }
    kept
}

/// By how much lines may miss series that are drawn with one scale, for [`chords`]: half a pixel of the largest extent.
pub fn allowed(series: &[&[f64]]) -> f64 {
    let ranges: Vec<[f64; 2]> = series
        .iter()
        .map(|values| {
            let finite = || values.iter().copied().filter(|value| value.is_finite());
            let first = finite().next().unwrap_or(0.0);
            [finite().fold(first, f64::min), finite().fold(first, f64::max)]
        })
        .collect();
    let size = ranges.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
    let length = ranges.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
    (MISS * length).max(ROUNDING * size)
}

/// A point, and its place in its curve.
type Numbered = (usize, [f64; 2]);

fn for_each_bucket(
    points: impl Iterator<Item = [f64; 2]>,
    [start, end]: [f64; 2],
    buckets: usize,
    mut finished: impl FnMut(Numbered, Numbered),
) {
    let bucket_of = |x: f64| ((x - start) / (end - start) * buckets as f64).clamp(0.0, buckets as f64 - 1.0) as usize;
    let mut current: Option<(usize, Numbered, Numbered)> = None;
    let inside = |point: &[f64; 2]| point[0] >= start && point[0] <= end && point[1].is_finite();
    for (place, point) in points.enumerate().filter(|(_, point)| inside(point)) {
        let bucket = bucket_of(point[0]);
        match &mut current {
            Some((same, lowest, highest)) if *same == bucket => {
                if point[1] < lowest.1[1] {
                    *lowest = (place, point);
                }
                if point[1] > highest.1[1] {
                    *highest = (place, point);
                }
            }
            _ => {
                if let Some((_, lowest, highest)) = current.replace((bucket, (place, point), (place, point))) {
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

    #[test]
    fn long_series_lose_no_peak() {
        let x: Vec<f64> = (0..100_000).map(f64::from).collect();
        let mut y: Vec<f64> = x.iter().map(|x| (x * 0.01).sin()).collect();
        y[77_777] = 9.0;
        let kept = indices(&x, &[&y, &x], 2000);
        assert!(kept.len() <= 2000);
        assert!(kept.contains(&77_777));
        assert_eq!((kept[0], kept[kept.len() - 1]), (0, 99_999));
        assert!(kept.is_sorted());
    }

    #[test]
    fn both_samples_at_a_jump_are_kept_or_none() {
        // A sawtooth whose jumps are small beside its slope, with so many teeth.
        for teeth in [40, 4000] {
            let (mut x, mut y) = (Vec::new(), Vec::new());
            for tooth in 0..teeth {
                for k in 0..=100 {
                    x.push(f64::from(tooth * 100 + k));
                    y.push(f64::from(tooth * 99 + k));
                }
            }
            let kept = indices(&x, &[&y], 2000);
            assert!(kept.len() <= 2000, "{}", kept.len());
            assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
            let jumps: Vec<usize> = (1..x.len()).filter(|&index| x[index - 1] == x[index]).collect();
            let is_kept = |index: usize| kept.binary_search(&index).is_ok();
            assert!(jumps.iter().all(|&index| is_kept(index) == is_kept(index - 1)));
            assert!(teeth > 40 || jumps.iter().all(|&index| is_kept(index)));
        }
    }

    /// The largest distance between a series and the lines between the kept samples.
    fn missed(x: &[f64], values: &[f64], kept: &[usize]) -> f64 {
        let mut most: f64 = 0.0;
        for pair in kept.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            for index in a..=b {
                let part = if x[b] > x[a] { (x[index] - x[a]) / (x[b] - x[a]) } else { 0.0 };
                let line = if index == b { values[b] } else { values[a] + (values[b] - values[a]) * part };
                most = most.max((values[index] - line).abs());
            }
        }
        most
    }

    #[test]
    fn lines_keep_to_every_series_within_what_is_allowed() {
        // A frequency that grows: at the end, seven samples are a period.
        let x: Vec<f64> = (0..20_000).map(|i| f64::from(i) * 1e-3).collect();
        let fast: Vec<f64> = x.iter().map(|x| (x * x * x * 0.75).sin()).collect();
        let slow: Vec<f64> = x.iter().map(|x| 1e-6 * x.cos()).collect();
        for allowed in [1e-1, 1e-2, 1e-3] {
            let kept = chords(&x, &[(&fast, allowed), (&slow, allowed * 1e-6)]);
            assert!(missed(&x, &fast, &kept) <= allowed * (1.0 + 1e-9), "{allowed}");
            assert!(missed(&x, &slow, &kept) <= allowed * 1e-6 * (1.0 + 1e-9), "{allowed}");
            assert!(kept.len() < x.len(), "{}", kept.len());
            assert_eq!((kept[0], kept[kept.len() - 1]), (0, x.len() - 1));
        }
        // A line of its own needs its ends only.
        assert_eq!(chords(&x, &[(&x, 1e-9)]), [0, x.len() - 1]);
    }

    #[test]
    fn lines_end_at_both_samples_of_a_jump() {
        let x = [0.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0];
        let y = [0.0, 1.0, 2.0, 7.0, 8.0, 9.0, 1.0];
        assert_eq!(chords(&x, &[(&y, 1e-3)]), [0, 2, 3, 5, 6]);
        assert_eq!(chords(&[], &[]), [0; 0]);
        assert_eq!(chords(&[1.0], &[(&[2.0], 1.0)]), [0]);
        // A value that is missing is passed over.
        let y = [0.0, 1.0, f64::NAN, 3.0, 4.0];
        assert_eq!(chords(&[0.0, 1.0, 2.0, 3.0, 4.0], &[(&y, 1e-3)])[..1], [0]);
    }
}
