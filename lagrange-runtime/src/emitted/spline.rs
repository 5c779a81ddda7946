//! Splines of tables: the search for the piece that contains an argument.

use crate::scalar::{Mask, Scalar};

/// A cubic spline whose data are numbers. Row i contains knot i and the coefficients of 1, d, d², d³, where d is the
/// distance from that knot. The coefficients are valid up to the next knot; those of the last row are valid beyond the last
/// knot.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<const K: usize> {
    /// The rows, correctly rounded.
    pub high: [[f64; 5]; K],
    /// The difference between each exact number and its rounded one in `high`, for scalars wider than `f64`.
    pub low: [[f64; 5]; K],
    /// The reciprocal of the distance between neighbouring knots where they are equidistant, else 0.
    pub density: f64,
}

impl<const K: usize> Numbers<K> {
    /// The row for the argument x. Before the first knot it has no terms in d² and d³.
    #[inline]
    pub fn piece<R: Scalar>(&self, x: R) -> [R; 5] {
        let knot = |index: usize| R::from_parts(self.high[index][0], self.low[index][0]);
        let row = |index: usize| -> [R; 5] {
            core::array::from_fn(|k| R::from_parts(self.high[index][k], self.low[index][k]))
        };
        if R::LANES == 1 && self.density > 0.0 {
            // The cast takes NaN to 0, and limits the index to its range.
            let place = (x.to_f64() - self.high[0][0]) * self.density;
            return straight_before(x, knot(0), row((place as usize).min(K - 1)));
        }
        search::<R, K>(x, knot, row)
    }
}

/// A cubic spline whose data depend on parameters. Its rows are those of [`Numbers`].
#[derive(Clone, Copy, Debug)]
pub struct Spline<R: Scalar, const K: usize> {
    rows: [[R; 5]; K],
}

impl<R: Scalar, const K: usize> Spline<R, K> {
    /// The spline from its knots, in ascending order, and from its values and second derivatives there. A knot may stand twice.
    pub fn new(knots: [R; K], values: [R; K], bends: [R; K]) -> Self {
        let (half, sixth) = (R::from_f64(0.5), R::from_f64(6.0).recip());
        let two = R::from_f64(2.0);
        let mut rows = [[R::ZERO; 5]; K];
        for i in 1..K {
            // The row of a piece without width is never selected. Its knot stands twice, with a second derivative for each side.
            let width = knots[i] - knots[i - 1];
            let width = R::select(width.le(R::ZERO), R::ONE, width);
            let secant = (values[i] - values[i - 1]) / width;
            let (before, after) = (bends[i - 1], bends[i]);
            let slope = secant - width * (two * before + after) * sixth;
            rows[i - 1] = [knots[i - 1], values[i - 1], slope, half * before, (after - before) / width * sixth];
            let slope = secant + width * (before + two * after) * sixth;
            rows[i] = [knots[i], values[i], slope, R::ZERO, R::ZERO];
        }
        Self { rows }
    }

    /// The row for the argument x. Before the first knot it has no terms in d² and d³.
    #[inline]
    pub fn piece(&self, x: R) -> [R; 5] {
        search::<R, K>(x, |index| self.rows[index][0], |index| self.rows[index])
    }

    /// Returns this spline with its coefficients converted to another scalar type by `convert`.
    pub fn map<S: Scalar>(&self, convert: impl Fn(R) -> S + Copy) -> Spline<S, K> {
        Spline { rows: self.rows.map(|row| row.map(convert)) }
    }
}

/// The row of the last knot that is not after x. A single number is searched by bisection; several lanes are selected at each
/// knot.
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

/// A row, without its square and cubic terms where x is before the first knot.
#[inline]
fn straight_before<R: Scalar>(x: R, first: R, [origin, constant, linear, square, cubic]: [R; 5]) -> [R; 5] {
    let is_before = x.lt(first);
    let within = |coefficient: R| R::select(is_before, R::ZERO, coefficient);
    [origin, constant, linear, within(square), within(cubic)]
}
