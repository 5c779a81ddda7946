//! Finds out whether contacts that stick at the start of a step go on sticking until its end, and whether open contacts stay open.

use super::Branching;
use crate::scalar::Real;
use crate::state::State;

/// The number of parts into which a step is divided.
const PARTS: usize = 8;

/// The values between five evenly spaced ones, by the polynomial of degree 4 through these, in units of 1/128.
const BETWEEN: [[f64; 5]; 4] = [
    [35.0, 140.0, -70.0, 28.0, -5.0],
    [-5.0, 60.0, 90.0, -20.0, 3.0],
    [3.0, -20.0, 90.0, 60.0, -5.0],
    [-5.0, 28.0, -70.0, 140.0, 35.0],
];

/// The largest error of the polynomial, as a part of the least margin between a force and its bound.
const RESOLVED: f64 = 0.1;

/// An error of the polynomial below this part of the bound counts as none.
const LEAST: f64 = 1e-9;

/// Returns how much of the step from `start` to `end` has passed when a sticking contact may begin to slip, from 0 at the start to 1 at
/// the end. Returns `None` if all of them go on sticking until the end of the step. The value 1 also says that the step is too long to
/// tell.
///
/// A mechanism at rest does not move, whatever forces act, so that step control would take steps in which the force exceeds its
/// bound and falls below it again. Here the margin between force and bound is sampled at nine points. If the five even ones do
/// not predict the others, the step is too long.
#[cold]
#[inline(never)]
pub(super) fn end_of_hold<R, const N: usize>(
    evaluator: &mut dyn Branching<R, N>,
    start: &State<R, N>,
    end: &State<R, N>,
) -> Option<f64>
where
    R: Real,
{
    let dip = if evaluator.gap_count() == 0 { None } else { dip(evaluator, start, end) };
    if dip.is_some() || !evaluator.phases().any_sticks() {
        return dip;
    }
    let samples: [_; PARTS + 1] = core::array::from_fn(|sample| {
        evaluator.margins(&between(start, end, R::from_f64(sample as f64 / PARTS as f64)))
    });
    (0..samples[0].len()).find_map(|contact| {
        let mut margins = [0.0; PARTS + 1];
        let (mut least, mut largest) = (f64::INFINITY, 0.0_f64);
        for (sample, (margin, values)) in margins.iter_mut().zip(&samples).enumerate() {
            let (value, bound) = values.get(contact).copied().flatten()?;
            if value < -LEAST * bound {
                return Some(sample as f64 / PARTS as f64);
            }
            *margin = value;
            (least, largest) = (least.min(value), largest.max(bound));
        }
        let is_predicted = BETWEEN.iter().enumerate().all(|(odd, weights)| {
            let even = margins.iter().step_by(2);
            let predicted = even.zip(weights).fold(0.0, |sum, (margin, weight)| sum + margin * weight / 128.0);
            margins
                .get(2 * odd + 1)
                .is_some_and(|margin| (predicted - margin).abs() <= (RESOLVED * least).max(LEAST * largest))
        });
        (!is_predicted).then_some(1.0)
    })
}

/// The smallest part of the change of a gap in a step that its least value within the step may be.
const SHALLOW: f64 = 1.0 / 16.0;

/// Returns how much of the step from `start` to `end` has passed when an open contact may close within it. Returns `None` if each
/// gap stays positive. The value 1 also says that the step is too long to tell.
///
/// The evaluations of a step can miss a gap that closes and opens again between them. So the least value of each gap is sought where
/// its rate changes from negative to positive.
fn dip<R, const N: usize>(evaluator: &mut dyn Branching<R, N>, start: &State<R, N>, end: &State<R, N>) -> Option<f64>
where
    R: Real,
{
    let samples: [_; PARTS + 1] = core::array::from_fn(|sample| {
        evaluator.open_gaps(&between(start, end, R::from_f64(sample as f64 / PARTS as f64)))
    });
    let part = (end.t - start.t).to_f64() / PARTS as f64;
    (0..samples[0].len()).find_map(|contact| {
        let of = |sample: usize| samples.get(sample).and_then(|gaps| gaps.get(contact).copied().flatten());
        let (mut least, mut largest, mut smallest) = (None, f64::NEG_INFINITY, f64::INFINITY);
        for sample in 0..PARTS {
            let (first, last) = (of(sample)?, of(sample + 1)?);
            largest = largest.max(first.0).max(last.0);
            smallest = smallest.min(first.0).min(last.0);
            if first.1 * part < 0.0 && last.1 * part > 0.0 {
                let (place, value) = turn(first, last, part);
                if value < 0.0 {
                    return Some((sample as f64 + place) / PARTS as f64);
                }
                if least.is_none_or(|known| value < known) {
                    least = Some(value);
                }
            }
        }
        least.filter(|least| *least < SHALLOW * (largest - smallest)).map(|_| 1.0)
    })
}

/// The least value of Hermite's cubic through two values with their rates, of which the first is negative and the second positive,
/// and its place, as a part of the way between them.
fn turn((a, a_rate): (f64, f64), (b, b_rate): (f64, f64), length: f64) -> (f64, f64) {
    let (first, last) = (a_rate * length, b_rate * length);
    // a + s (first + s (square + s cube)).
    let (square, cube) = (3.0 * (b - a) - 2.0 * first - last, first + last - 2.0 * (b - a));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..30 {
        let middle = (low + high) / 2.0;
        if first + middle * (2.0 * square + middle * 3.0 * cube) < 0.0 { low = middle } else { high = middle }
    }
    (low, a + low * (first + low * (square + low * cube)))
}

/// The state at a part of a step: the position by Hermite's cubic through the positions and velocities at its ends, and the
/// velocity on a straight line. The derivative of the cubic would divide roundings of the position by the size of the step.
fn between<R: Real, const N: usize>(start: &State<R, N>, end: &State<R, N>, part: R) -> State<R, N> {
    let h = end.t - start.t;
    let rest = R::ONE - part;
    let ahead = part * part * (R::from_f64(3.0) - part - part);
    let (first, last) = (h * (part * (rest * rest)), -h * (part * (part * rest)));
    let q = start.q + (end.q - start.q) * ahead + start.v * first + end.v * last;
    State { t: start.t + h * part, q, v: start.v + (end.v - start.v) * part }
}
