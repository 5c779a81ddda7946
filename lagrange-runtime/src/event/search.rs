//! The zeros of one function along one step.

use crate::scalar::Real;
use crate::state::time_rounding;

/// A search for the zeros of a function of time over one step.
pub(super) struct Search<'a, R> {
    /// The function.
    pub(super) function: &'a mut dyn FnMut(R) -> R,
    /// Where the step starts and ends.
    pub(super) span: [R; 2],
    /// The sign of the function before the step: −1, 1, or 0 where it has had none yet.
    pub(super) side: R,
    /// Whether the step starts at a zero where an event acted. The motion then goes from it to `side`.
    pub(super) fresh: bool,
    /// The slopes at both ends, with respect to the direction of the integration.
    pub(super) slopes: [R; 2],
    /// The number of parts between samples into which the step is divided.
    pub(super) samples: u32,
    /// The first time at which the function was found to be NaN.
    pub(super) undefined: Option<R>,
}

/// A zero: the last time before the change of sign and the first time after it. They differ by a rounding of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Zero<R> {
    pub(super) before: R,
    pub(super) after: R,
    /// The sign after the zero.
    pub(super) to: R,
}

impl<R: Real> Zero<R> {
    /// A zero between two times, which are constants also on dual numbers.
    fn new(before: R, after: R, to: R) -> Self {
        Self { before: before.without_derivatives(), after: after.without_derivatives(), to }
    }
}

/// A time, and the function's value there.
#[derive(Clone, Copy)]
struct Sample<R> {
    t: R,
    value: R,
}

impl<R: Real> Search<'_, R> {
    /// The first zero for which `wanted` holds. After the call, `side` is the side of the function before that zero; without
    /// such a zero it is the side at the step's end.
    pub(super) fn first(&mut self, wanted: &mut dyn FnMut(Zero<R>) -> bool) -> Option<Zero<R>> {
        let mut left = self.sample(0);
        let mut middle = self.sample(1);
        for k in 1..=self.samples {
            let right = if k < self.samples { Some(self.sample(k + 1)) } else { None };
            if self.side == R::ZERO {
                self.side = middle.value.sign();
                (left, middle) = (middle, right.unwrap_or(middle));
                continue;
            }
            let side = self.side;
            if side * left.value < R::ZERO || k == 1 && self.fresh && side * left.value <= R::ZERO {
                // The function is 0 here up to rounding. The motion leaves the zero to `side`, or crosses it at once.
                left = self.departure(side, left, middle);
            }
            let crossed = if side * left.value < R::ZERO {
                Some(Zero::new(left.t, left.t, -side))
            } else if side * middle.value < R::ZERO {
                Some(self.between(side, left, middle))
            } else {
                None
            };
            if let Some(zero) = crossed {
                if wanted(zero) {
                    return Some(zero);
                }
                self.side = -side;
            } else if let Some(inside) = self.dip(side, k, left, middle, right) {
                // Between the samples the function crosses 0 and returns.
                let there = self.between(side, left, inside);
                if wanted(there) {
                    return Some(there);
                }
                self.side = -side;
                let far = match right {
                    Some(right) if inside.t != middle.t && (inside.t > middle.t) == (right.t > middle.t) => right,
                    _ => middle,
                };
                let back = self.between(-side, inside, far);
                if wanted(back) {
                    return Some(back);
                }
                self.side = side;
            }
            (left, middle) = (middle, right.unwrap_or(middle));
        }
        None
    }

    /// Evaluates the function at a time. The first time with NaN is remembered.
    fn at(&mut self, t: R) -> Sample<R> {
        let value = (self.function)(t);
        if value.partial_cmp(&value).is_none() {
            self.undefined.get_or_insert(t);
        }
        Sample { t, value }
    }

    fn sample(&mut self, k: u32) -> Sample<R> {
        let [from, to] = self.span;
        let t = if k >= self.samples {
            to
        } else {
            from + (to - from) * R::from_f64(f64::from(k) / f64::from(self.samples))
        };
        self.at(t)
    }

    /// A point where the function has the other sign, although at `left` and `middle` it has the sign `side`, or is 0.
    fn dip(
        &mut self,
        side: R,
        k: u32,
        left: Sample<R>,
        middle: Sample<R>,
        right: Option<Sample<R>>,
    ) -> Option<Sample<R>> {
        let height = |sample: Sample<R>| side * sample.value;
        let [start, end] = self.slopes;
        if k == 1 && side * start < R::ZERO && height(middle) >= height(left) {
            return self.lowest(side, left.t, middle.t);
        }
        match right {
            Some(right) if height(right) >= R::ZERO => (height(middle) <= height(left)
                && height(middle) <= height(right))
            .then(|| self.lowest(side, left.t, right.t))
            .flatten(),
            Some(_) => None,
            None => (side * end > R::ZERO && height(left) >= height(middle))
                .then(|| self.lowest(side, left.t, middle.t))
                .flatten(),
        }
    }

    /// A point with the other sign, if the search for the lowest value between two times by golden sections meets one.
    fn lowest(&mut self, side: R, from: R, to: R) -> Option<Sample<R>> {
        let golden = R::from_f64(0.618_033_988_749_894_9);
        let (mut a, mut b) = (from, to);
        let (mut c, mut d) = (self.at(b - (b - a) * golden), self.at(a + (b - a) * golden));
        for _ in 0..80 {
            for sample in [c, d] {
                if side * sample.value < R::ZERO {
                    return Some(sample);
                }
            }
            if (b - a).abs() <= time_rounding(a, b) {
                break;
            }
            if side * c.value < side * d.value {
                (b, d) = (d.t, c);
                c = self.at(b - (b - a) * golden);
            } else {
                (a, c) = (c.t, d);
                d = self.at(a + (b - a) * golden);
            }
        }
        None
    }

    /// The sample that replaces a start at a zero, up to rounding, on the way to the sample `to`. It has the sign `side` where
    /// the motion first comes to that side. It is 0 where `to` has that sign. It has the other sign where the motion does not
    /// resolvably come to `side`.
    fn departure(&mut self, side: R, from: Sample<R>, to: Sample<R>) -> Sample<R> {
        if side * to.value > R::ZERO {
            return Sample { t: from.t, value: R::ZERO };
        }
        let mut part = R::from_f64(0.5);
        loop {
            let t = from.t + (to.t - from.t) * part;
            if (t - from.t).abs() <= time_rounding(from.t, from.t) || part < R::from_f64(1e-18) {
                let stays = from.value == R::ZERO && to.value == R::ZERO;
                return if stays { from } else { Sample { t: from.t, value: -side } };
            }
            let sample = self.at(t);
            if side * sample.value > R::ZERO {
                return sample;
            }
            part *= R::from_f64(0.5);
        }
    }

    /// The zero between a sample without the other sign and a sample with it, by Ridders' method, to the rounding of the time.
    fn between(&mut self, side: R, from: Sample<R>, to: Sample<R>) -> Zero<R> {
        let (mut a, mut b) = (from, to);
        let half = R::from_f64(0.5);
        for _ in 0..200 {
            let resolution = R::from_f64(0.25) * time_rounding(a.t, b.t);
            if (b.t - a.t).abs() <= resolution {
                break;
            }
            let t = a.t + (b.t - a.t) * half;
            if t == a.t || t == b.t {
                break;
            }
            let middle = self.at(t);
            let root = (middle.value * middle.value - a.value * b.value).sqrt();
            let guess = t + (t - a.t) * side * middle.value / root;
            narrow(side, middle, &mut a, &mut b);
            if strictly_between(guess, a.t, b.t) {
                let sample = self.at(guess);
                narrow(side, sample, &mut a, &mut b);
                // The zero is near the guess. A point a little beyond it moves the other end of the bracket close to it.
                let (near, far) = if sample.t == a.t { (a.t, b.t) } else { (b.t, a.t) };
                let beyond = near + if far > near { resolution } else { -resolution };
                if strictly_between(beyond, a.t, b.t) {
                    let sample = self.at(beyond);
                    narrow(side, sample, &mut a, &mut b);
                }
            }
        }
        Zero::new(a.t, b.t, -side)
    }
}

/// Replaces one end of a bracket by a sample: the end whose sign the sample has.
fn narrow<R: Real>(side: R, sample: Sample<R>, a: &mut Sample<R>, b: &mut Sample<R>) {
    if side * sample.value >= R::ZERO {
        *a = sample;
    } else {
        *b = sample;
    }
}

fn strictly_between<R: Real>(t: R, a: R, b: R) -> bool {
    t > a && t < b || t < a && t > b
}
