//! Finds out whether contacts that stick at the start of a step go on sticking until its end, and whether open contacts stay open.

use super::Branching;
use crate::limits::MAX_ROWS;
use crate::scalar::Real;
use crate::state::State;
use crate::zeros::{Along, Course, NODES, Part, Search};

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
    let count = rows(evaluator);
    let mut samples = [[None; MAX_ROWS]; PARTS + 1];
    for (sample, margins) in samples.iter_mut().enumerate() {
        let state = between(start, end, R::from_f64(sample as f64 / PARTS as f64));
        evaluator.margins(&state, &mut margins[..count]);
    }
    (0..count).find_map(|contact| {
        let mut margins = [0.0; PARTS + 1];
        let (mut least, mut largest) = (f64::INFINITY, 0.0_f64);
        for (sample, (margin, values)) in margins.iter_mut().zip(&samples).enumerate() {
            let (value, bound): (f64, f64) = values.get(contact).copied().flatten()?;
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

/// The number of rows.
fn rows<R: Real, const N: usize>(evaluator: &dyn Branching<R, N>) -> usize {
    evaluator.row_switches().len().min(MAX_ROWS)
}

/// The smallest part of the change of a gap in a step that its least value within the step may be.
const SHALLOW: f64 = 1.0 / 16.0;

/// Returns how much of the step from `start` to `end` has passed when an open contact may close within it. Returns `None` if each
/// gap stays positive. The value 1 also says that the step is too long to tell.
///
/// The evaluations of a step can miss a gap that closes and opens again between them. A gap whose values at nine places do not exclude a
/// zero is searched until they do.
fn dip<R, const N: usize>(evaluator: &mut dyn Branching<R, N>, start: &State<R, N>, end: &State<R, N>) -> Option<f64>
where
    R: Real,
{
    let count = rows(evaluator);
    let mut samples = [[None; MAX_ROWS]; NODES];
    for (part, gaps) in Part::PLACES.into_iter().zip(&mut samples) {
        evaluator.open_gaps(&between(start, end, R::from_f64(part)), &mut gaps[..count]);
    }
    (0..count).find_map(|row| {
        let mut heights = [0.0; NODES];
        for (height, gaps) in heights.iter_mut().zip(&samples) {
            *height = gaps.get(row).copied().flatten()?;
        }
        let part = Part::new(heights);
        if part.course(0.0) != Course::Clear {
            let mut gap = OpenGap { evaluator: &mut *evaluator, states: [start, end], row };
            let mut search = Search::new(&mut gap, [R::ZERO, R::ONE], R::ONE, 1);
            let zero = search.first(&mut |_| true);
            if search.is_coarse() {
                evaluator.count_coarse_search();
            }
            if let Some(zero) = zero {
                return Some(zero.after.to_f64());
            }
        }
        part.depth().filter(|depth| *depth < SHALLOW).map(|_| 1.0)
    })
}

/// The gap of an open contact along a step, as a function of the part of the step.
struct OpenGap<'a, R: Real, const N: usize> {
    evaluator: &'a mut dyn Branching<R, N>,
    states: [&'a State<R, N>; 2],
    row: usize,
}

impl<R: Real, const N: usize> Along<R> for OpenGap<'_, R, N> {
    fn value(&mut self, part: R) -> R {
        let [start, end] = self.states;
        let mut gaps = [None; MAX_ROWS];
        let count = rows(self.evaluator);
        self.evaluator.open_gaps(&between(start, end, part), &mut gaps[..count]);
        R::from_f64(gaps.get(self.row).copied().flatten().unwrap_or(f64::INFINITY))
    }

    /// The gaps are given with their rounding added.
    fn rounding(&mut self, _: R) -> f64 {
        0.0
    }
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
