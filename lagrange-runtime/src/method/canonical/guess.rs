//! Starting guesses for the stage velocities of a step. They extrapolate the polynomial through the stages of the last steps.

#[cfg(feature = "serde")]
mod table;

use crate::scalar::Real;
use nalgebra::SVector;

/// The number of past steps in the memory.
const DEPTH: usize = 3;

/// The source of the starting guesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::method) enum GuessFrom {
    /// The guesses come from the stages of the last steps, which are carried.
    #[default]
    Past,
    /// The guesses come from the state at the start of the step alone.
    State,
}

/// The stage velocities and the sizes of the last steps, the latest step first. The next starting guess follows from them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct PastStages<R: Real, const N: usize, const S: usize> {
    #[cfg_attr(feature = "serde", serde(with = "table"))]
    velocities: [[SVector<R, N>; S]; DEPTH],
    steps: [R; DEPTH],
    count: usize,
}

impl<R: Real, const N: usize, const S: usize> PastStages<R, N, S> {
    /// Returns a memory without past steps, with the velocity `v`.
    #[inline]
    pub(in crate::method) fn none(v: SVector<R, N>) -> Self {
        Self { velocities: [[v; S]; DEPTH], steps: [R::ZERO; DEPTH], count: 0 }
    }

    /// Makes this the memory after three steps of size `h`, the latest first.
    #[inline]
    pub(in crate::method) fn set_even(
        &mut self,
        last: [SVector<R, N>; S],
        second: [SVector<R, N>; S],
        third: [SVector<R, N>; S],
        h: R,
    ) {
        *self = Self { velocities: [last, second, third], steps: [h; DEPTH], count: DEPTH };
    }

    /// Returns the memory after a step of size `h` with these stages.
    #[inline(always)]
    pub(in crate::method) fn after(&self, velocities: [SVector<R, N>; S], h: R) -> Self {
        let [v1, v2, _] = self.velocities;
        let [h1, h2, _] = self.steps;
        Self { velocities: [velocities, v1, v2], steps: [h, h1, h2], count: self.count.min(DEPTH - 1) + 1 }
    }
}

/// The weights by which the stages of a step follow from those of the steps before it, for the nodes cᵢ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::method) struct StagePredictor<R, const S: usize> {
    nodes: [R; S],
    /// The weights if all steps have one size. The indices are the stage i, the past step, and the stage of that step.
    even: [[[R; S]; DEPTH]; S],
    /// The values at the end of a step of the Lagrange polynomials of the nodes.
    end: [R; S],
    /// The number of past steps through whose stages the polynomial goes.
    depth: usize,
}

impl<R: Real, const S: usize> StagePredictor<R, S> {
    /// Returns the predictor for stages at `nodes`. It uses three past steps for one stage, two for two stages, and one for more
    /// stages.
    pub(in crate::method) fn new(nodes: [R; S]) -> Self {
        let depth = match S {
            1 => 3,
            2 => 2,
            _ => 1,
        };
        let even = nodes.map(|node| weights(&nodes, &[R::ONE; DEPTH], R::ONE, node, depth));
        Self { nodes, even, end: lagrange(&nodes, R::ONE), depth }
    }

    /// Returns the guesses for the stages of a step of size `h`.
    #[inline]
    pub(in crate::method) fn guess<const N: usize>(&self, past: &PastStages<R, N, S>, h: R) -> [SVector<R, N>; S] {
        let depth = self.depth;
        if past.count >= depth && past.steps.iter().take(depth).all(|&step| step == h) {
            let mut guess = past.velocities[0];
            for (guess, weights) in guess.iter_mut().zip(&self.even) {
                *guess = combine(past, weights, depth);
            }
            guess
        } else if past.count > 0 {
            self.uneven(past, h)
        } else {
            past.velocities[0]
        }
    }

    #[inline(never)]
    fn uneven<const N: usize>(&self, past: &PastStages<R, N, S>, h: R) -> [SVector<R, N>; S] {
        let depth = self.depth.min(past.count);
        let mut guess = past.velocities[0];
        for (guess, &node) in guess.iter_mut().zip(&self.nodes) {
            *guess = combine(past, &weights(&self.nodes, &past.steps, h, node, depth), depth);
        }
        guess
    }

    /// Returns a guess for the velocity at the end of a step: the value there of the polynomial through the stages.
    #[inline]
    pub(in crate::method) fn end<const N: usize>(&self, velocities: &[SVector<R, N>; S]) -> SVector<R, N> {
        let mut sum = SVector::repeat(R::ZERO);
        for (&weight, velocity) in self.end.iter().zip(velocities) {
            sum += velocity * weight;
        }
        sum
    }
}

#[inline(always)]
fn combine<R: Real, const N: usize, const S: usize>(
    past: &PastStages<R, N, S>,
    weights: &[[R; S]; DEPTH],
    depth: usize,
) -> SVector<R, N> {
    let mut sum = SVector::repeat(R::ZERO);
    for (weights, velocities) in weights.iter().zip(&past.velocities).take(depth) {
        for (&weight, velocity) in weights.iter().zip(velocities) {
            sum += velocity * weight;
        }
    }
    sum
}

/// Returns the values of the Lagrange polynomials of `nodes` at `at`.
#[inline(always)]
fn lagrange<R: Real, const S: usize>(nodes: &[R; S], at: R) -> [R; S] {
    core::array::from_fn(|k| {
        let mut weight = R::ONE;
        for (m, &node) in nodes.iter().enumerate() {
            if m != k {
                weight *= (at - node) / (nodes[k] - node);
            }
        }
        weight
    })
}

/// Returns the weights of the stages of `depth` past steps, for the node `at` of a step of size `h`. If stages coincide in time,
/// which happens after a change of direction, only the latest step is used.
fn weights<R: Real, const S: usize>(nodes: &[R; S], steps: &[R; DEPTH], h: R, at: R, depth: usize) -> [[R; S]; DEPTH] {
    // The times are in units of h, from the start of the step.
    let mut times = [[R::ZERO; S]; DEPTH];
    let mut start = R::ZERO;
    for (times, &step) in times.iter_mut().zip(steps).take(depth) {
        let ratio = step / h;
        start -= ratio;
        for (time, &node) in times.iter_mut().zip(nodes) {
            *time = start + node * ratio;
        }
    }
    let mut weights = [[R::ZERO; S]; DEPTH];
    let mut distinct = true;
    for (past, (weights, own)) in weights.iter_mut().zip(&times).take(depth).enumerate() {
        for (stage, (weight, &own)) in weights.iter_mut().zip(own).enumerate() {
            *weight = R::ONE;
            for (other_past, others) in times.iter().take(depth).enumerate() {
                for (other_stage, &other) in others.iter().enumerate() {
                    if (other_past, other_stage) != (past, stage) {
                        distinct &= (own - other).abs() > R::from_f64(1e-3);
                        *weight *= (at - other) / (own - other);
                    }
                }
            }
        }
    }
    if distinct || depth == 1 {
        return weights;
    }
    self::weights(nodes, steps, h, at, 1)
}
