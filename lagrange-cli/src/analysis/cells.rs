//! Values sorted into cells, for pictures of many dots.

/// The range of the finite ones of these values. One value for all is in the middle of its range. `None` if no value is finite.
pub(crate) fn range(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return None;
    }
    let half = (high - low).max(1e-9 * high.abs().max(low.abs())).max(f64::MIN_POSITIVE) / 2.0;
    let middle = low / 2.0 + high / 2.0;
    Some([middle - half, middle + half])
}

/// The cell of a value of this range, of `count` cells.
pub(crate) fn cell(value: f64, [low, high]: [f64; 2], count: u32) -> usize {
    ((value - low) / (high - low) * f64::from(count - 1)).round() as usize
}

/// Counts one more in a cell, which is NaN while it is empty.
pub(crate) fn count(cell: &mut f64) {
    *cell = if cell.is_nan() { 1.0 } else { *cell + 1.0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_range_are_its_first_and_its_last_cell() {
        let found = range([2.0, f64::NAN, -1.0, f64::INFINITY].into_iter()).expect("finite values");
        assert_eq!(found, [-1.0, 2.0]);
        assert_eq!([-1.0, 0.5, 2.0].map(|value| cell(value, found, 301)), [0, 150, 300]);
        assert_eq!(range([f64::NAN].into_iter()), None);
        let one = range([5.0, 5.0].into_iter()).expect("finite values");
        assert!(one[0] < 5.0 && cell(5.0, one, 301) == 150, "{one:?}");
        let mut counted = f64::NAN;
        count(&mut counted);
        count(&mut counted);
        assert_eq!(counted, 2.0);
    }
}
