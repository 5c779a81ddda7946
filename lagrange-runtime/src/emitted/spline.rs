//! Tables of a block: the piece of a spline around an argument, by a search.

use crate::scalar::{Mask, Scalar};

/// A natural cubic spline whose data are numbers. Row i is knot i, then the coefficients of 1, d, d², d³ with d the distance
/// from that knot, as they hold from there to the next one; the last row's hold beyond the last knot.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<const K: usize> {
    /// The rows, correctly rounded.
    pub high: [[f64; 5]; K],
    /// What rounding left of each number, for scalars wider than `f64`.
    pub low: [[f64; 5]; K],
    /// One over the distance of neighbouring knots where all are equally far from each other, else 0.
    pub density: f64,
}

impl<const K: usize> Numbers<K> {
    /// The row that holds at x; before the first knot without d² and d³.
    #[inline]
    pub fn piece<R: Scalar>(&self, x: R) -> [R; 5] {
        let knot = |index: usize| R::from_parts(self.high[index][0], self.low[index][0]);
        let row = |index: usize| -> [R; 5] {
            core::array::from_fn(|k| R::from_parts(self.high[index][k], self.low[index][k]))
        };
        if R::LANES == 1 && self.density > 0.0 {
            // NaN becomes 0, whatever lies outside the first or the last index.
            let place = (x.to_f64() - self.high[0][0]) * self.density;
            return straight_before(x, knot(0), row((place as usize).min(K - 1)));
        }
        search::<R, K>(x, knot, row)
    }
}

/// A natural cubic spline whose data depend on parameters: rows as in [`Numbers`].
#[derive(Clone, Copy, Debug)]
pub struct Spline<R: Scalar, const K: usize> {
    rows: [[R; 5]; K],
}

impl<R: Scalar, const K: usize> Spline<R, K> {
    /// The spline from its knots, which ascend, and from its values and its second derivatives there.
    pub fn new(knots: [R; K], values: [R; K], bends: [R; K]) -> Self {
        let (half, sixth) = (R::from_f64(0.5), R::from_f64(6.0).recip());
        let two = R::from_f64(2.0);
        let mut rows = [[R::ZERO; 5]; K];
        for i in 1..K {
            let width = knots[i] - knots[i - 1];
            let secant = (values[i] - values[i - 1]) / width;
            let (before, after) = (bends[i - 1], bends[i]);
            let slope = secant - width * (two * before + after) * sixth;
            rows[i - 1] = [knots[i - 1], values[i - 1], slope, half * before, (after - before) / width * sixth];
            let slope = secant + width * (before + two * after) * sixth;
            rows[i] = [knots[i], values[i], slope, R::ZERO, R::ZERO];
        }
        Self { rows }
    }

    /// The row that holds at x; before the first knot without d² and d³.
    #[inline]
    pub fn piece(&self, x: R) -> [R; 5] {
        search::<R, K>(x, |index| self.rows[index][0], |index| self.rows[index])
    }

    /// The spline of other scalars with the same values.
    pub fn map<S: Scalar>(&self, convert: impl Fn(R) -> S + Copy) -> Spline<S, K> {
        Spline { rows: self.rows.map(|row| row.map(convert)) }
    }
}

/// The row of the last knot at x or before: by bisection, or for several lanes by a selection at each knot.
#[inline]
fn search<R: Scalar, const K: usize>(x: R, knot: impl Fn(usize) -> R, row: impl Fn(usize) -> [R; 5]) -> [R; 5] {
    let mut found = 0;
    let mut selected = row(0);
    if R::LANES == 1 {
        let mut high = K;
        while high - found > 1 {
            let middle = usize::midpoint(found, high);
            if knot(middle).le(x).all() {
                found = middle;
            } else {
                high = middle;
            }
        }
        selected = row(found);
    } else {
        for index in 1..K {
            let (is_after, next) = (knot(index).le(x), row(index));
            selected = core::array::from_fn(|k| R::select(is_after, next[k], selected[k]));
        }
    }
    straight_before(x, knot(0), selected)
}

/// A row without its square and cubic terms where x stands before the first knot.
#[inline]
fn straight_before<R: Scalar>(x: R, first: R, [origin, constant, linear, square, cubic]: [R; 5]) -> [R; 5] {
    let is_before = x.lt(first);
    let within = |coefficient: R| R::select(is_before, R::ZERO, coefficient);
    [origin, constant, linear, within(square), within(cubic)]
}
