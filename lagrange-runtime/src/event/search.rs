//! The zeros of one function along one step.

use super::Direction;
use crate::options::time_rounding;
use crate::scalar::Real;

/// A function of time over one step, with the signs and slopes at its ends.
pub(crate) struct Search<R, F> {
    /// The function.
    pub(crate) function: F,
    /// Where the step starts and ends.
    pub(crate) span: [R; 2],
    /// The side from which the function starts: −1, 0 or 1.
    pub(crate) side: R,
    /// The slopes at both ends, with respect to the direction of the integration.
    pub(crate) slopes: [R; 2],
    /// How many samples the step is divided into.
    pub(crate) samples: u32,
}

/// A time just before a zero and one just after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Zero<R> {
    pub(crate) before: R,
    pub(crate) after: R,
}

/// A time, and the function there.
#[derive(Clone, Copy)]
struct Sample<R> {
    t: R,
    value: R,
}

impl<R: Real, F: FnMut(R) -> R> Search<R, F> {
    /// The first zero in this direction for which `wanted` holds.
    pub(crate) fn first(&mut self, direction: Direction, mut wanted: impl FnMut(Zero<R>) -> bool) -> Option<Zero<R>> {
        let mut side = self.side;
        let mut left = self.sample(0);
        let mut middle = self.sample(1);
        for k in 1..=self.samples {
            let right = if k < self.samples { Some(self.sample(k + 1)) } else { None };
            let mut take = |zero: Zero<R>, to: R| (direction.admits(to) && wanted(zero)).then_some(zero);
            if side == R::ZERO {
                side = middle.value.sign();
            } else if side * middle.value <= R::ZERO {
                let zero = self.between(side, left, middle);
                if let Some(found) = take(zero, -side) {
                    return Some(found);
                }
                side = -side;
            } else if let Some(inside) = self.dip(side, k, left, middle, right) {
                // Two zeros between samples: there and back.
                let there = self.between(side, left, inside);
                if let Some(found) = take(there, -side) {
                    return Some(found);
                }
                let far = match right {
                    Some(right) if inside.t != middle.t && (inside.t > middle.t) == (right.t > middle.t) => right,
                    _ => middle,
                };
                let back = self.between(-side, inside, far);
                if let Some(found) = take(back, side) {
                    return Some(found);
                }
            }
            (left, middle) = (middle, right.unwrap_or(middle));
        }
        None
    }

    fn sample(&mut self, k: u32) -> Sample<R> {
        let [from, to] = self.span;
        let t = if k >= self.samples {
            to
        } else {
            from + (to - from) * R::from_f64(f64::from(k) / f64::from(self.samples))
        };
        Sample { t, value: (self.function)(t) }
    }

    /// A point at which the function has the other sign although it has `side` at `left` and `middle`.
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
            Some(right) if height(right) > R::ZERO => (height(middle) <= height(left)
                && height(middle) <= height(right))
            .then(|| self.lowest(side, left.t, right.t))
            .flatten(),
            Some(_) => None,
            None => (side * end > R::ZERO && height(left) >= height(middle))
                .then(|| self.lowest(side, left.t, middle.t))
                .flatten(),
        }
    }

    /// A point with the other sign on the way to the lowest value between two times: golden sections.
    fn lowest(&mut self, side: R, from: R, to: R) -> Option<Sample<R>> {
        let golden = R::from_f64(0.618_033_988_749_894_9);
        let (mut a, mut b) = (from, to);
        let (mut c, mut d) = (b - (b - a) * golden, a + (b - a) * golden);
        let (mut at_c, mut at_d) = ((self.function)(c), (self.function)(d));
        for _ in 0..80 {
            for (t, value) in [(c, at_c), (d, at_d)] {
                if side * value < R::ZERO {
                    return Some(Sample { t, value });
                }
            }
            if (b - a).abs() <= time_rounding(a, b) {
                break;
            }
            if side * at_c < side * at_d {
                (b, d, at_d) = (d, c, at_c);
                c = b - (b - a) * golden;
                at_c = (self.function)(c);
            } else {
                (a, c, at_c) = (c, d, at_d);
                d = a + (b - a) * golden;
                at_d = (self.function)(d);
            }
        }
        None
    }

    /// The zero between a sample on `side` and one that is not: Ridders' method, to the rounding of the time.
    ///
    /// The first may lie on the zero itself, up to rounding: then the point on `side` is sought close to it, and the
    /// zero is where the step starts if there is none.
    fn between(&mut self, side: R, from: Sample<R>, to: Sample<R>) -> Zero<R> {
        let (mut a, mut b) = (from, to);
        if side * a.value <= R::ZERO {
            let mut part = R::from_f64(0.5);
            loop {
                let t = from.t + (to.t - from.t) * part;
                if (t - from.t).abs() <= time_rounding(from.t, from.t) || part < R::from_f64(1e-18) {
                    return Zero { before: from.t, after: from.t };
                }
                let value = (self.function)(t);
                if side * value > R::ZERO {
                    a = Sample { t, value };
                    break;
                }
                (b, part) = (Sample { t, value }, part * R::from_f64(0.5));
            }
        }
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
            let middle = Sample { t, value: (self.function)(t) };
            let root = (middle.value * middle.value - a.value * b.value).sqrt();
            let guess = t + (t - a.t) * side * middle.value / root;
            self.narrow(side, middle, &mut a, &mut b);
            let inside = (guess > a.t && guess < b.t) || (guess < a.t && guess > b.t);
            if inside {
                let sample = Sample { t: guess, value: (self.function)(guess) };
                self.narrow(side, sample, &mut a, &mut b);
                // The zero is near the guess: a point a little beyond it closes the other side.
                let beyond = if sample.t == a.t {
                    a.t + resolution_towards(a.t, b.t, resolution)
                } else {
                    b.t + resolution_towards(b.t, a.t, resolution)
                };
                if (beyond > a.t && beyond < b.t) || (beyond < a.t && beyond > b.t) {
                    let sample = Sample { t: beyond, value: (self.function)(beyond) };
                    self.narrow(side, sample, &mut a, &mut b);
                }
            }
        }
        Zero { before: a.t, after: b.t }
    }

    /// Replaces the end of the bracket on whose side a sample lies.
    fn narrow(&self, side: R, sample: Sample<R>, a: &mut Sample<R>, b: &mut Sample<R>) {
        if side * sample.value > R::ZERO {
            *a = sample;
        } else {
            *b = sample;
        }
    }
}

fn resolution_towards<R: Real>(from: R, to: R, resolution: R) -> R {
    if to > from { resolution } else { -resolution }
}
