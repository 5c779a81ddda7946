//! States for pictures: those that are asked for, and between them so many that straight lines keep to the motion.

use super::scales::Scales;
use super::simulate::own;
use super::stem;
use crate::analysis::decimate::{MISS, ROUNDING};
use lagrange_runtime::observer::Wants;
use lagrange_runtime::prelude::*;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// The places within a part of a step at which a line is compared with the motion. The first one divides the part; the others have no
/// simple ratio to it, so that a motion that turns many times within a step does not pass for a line.
const PLACES: [f64; 3] = [0.5, 0.190_983, 0.723_607];
/// How often a part of a step is halved at most. A curve that jumps is missed by every line across the jump.
const HALVINGS: u32 = 16;

/// The distance of two times, relative to a part of a step, at which curves differ by noise alone.
const NEAR: f64 = 1e-6;

/// A miss below this multiple of the observed noise counts as noise.
const NOISY: f64 = 4.0;

/// Times that differ by this part of themselves are one.
const SAME: f64 = 8.0 * f64::EPSILON;

/// The range of a curve so far.
#[derive(Clone, Copy)]
struct Extent {
    low: f64,
    high: f64,
}

impl Extent {
    const NONE: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };

    fn add(&mut self, value: f64) {
        if value.is_finite() {
            self.low = self.low.min(value);
            self.high = self.high.max(value);
        }
    }

    fn length(self) -> f64 {
        (self.high - self.low).max(0.0)
    }

    fn size(self) -> f64 {
        if self.low <= self.high { self.low.abs().max(self.high.abs()) } else { 0.0 }
    }
}

/// A state, and the curves there: coordinates, velocities with the states, and outputs.
struct Point<const N: usize> {
    state: State<f64, N>,
    curves: [Vec<f64>; 3],
}

/// An observer that gives a closure the states at stated times, as [`AtTimes`] does, and the states between them that a picture needs.
///
/// A step is halved again and again where the coordinates, the velocities, the states or the outputs do not keep to straight lines. The
/// closure learns of each state whether it was asked for.
pub(super) struct Resolved<'r, 's, A, F, const N: usize, const C: usize> {
    system: &'r (dyn System<f64, N, C, 0> + 's),
    /// Puts the states that are asked for into `found`.
    at_times: A,
    found: &'r RefCell<Vec<State<f64, N>>>,
    receive: F,
    extents: [Vec<Extent>; 3],
    /// The noise of each curve while something is held. A gap that is 0 up to rounding is all noise, which no straight line follows.
    noise: [Vec<f64>; 3],
    scales: Scales<N>,
    /// The first component of the output that each component belongs to.
    vectors: Vec<usize>,
}

impl<'r, 's, A, F, const N: usize, const C: usize> Resolved<'r, 's, A, F, N, C>
where
    A: Observer<f64, N>,
    F: FnMut(&State<f64, N>, bool) -> ControlFlow<()>,
{
    /// `at_times` puts the states that are asked for into `found`.
    pub(super) fn new(
        system: &'r (dyn System<f64, N, C, 0> + 's),
        at_times: A,
        found: &'r RefCell<Vec<State<f64, N>>>,
        receive: F,
    ) -> Self {
        let names = system.output_names();
        let counts = [N - system.state_count(), N, names.len()];
        let (extents, noise) = (counts.map(|count| vec![Extent::NONE; count]), counts.map(|count| vec![0.0; count]));
        let first = |name: &&str| names.iter().position(|other| stem(other) == stem(name));
        let vectors = names.iter().filter_map(first).collect();
        let scales = Scales::new(system.state_count());
        Self { system, at_times, found, receive, extents, noise, scales, vectors }
    }

    /// The curves at a state.
    fn curves(&self, State { t, q, v }: &State<f64, N>) -> [Vec<f64>; 3] {
        let mut outputs = vec![0.0; self.extents[2].len()];
        self.system.outputs(*t, q, v, &SVector::zeros(), &mut outputs);
        [own(q.as_slice(), self.system.state_count()).to_vec(), v.as_slice().to_vec(), outputs]
    }

    /// The curves at a state, which their extents include from now on.
    fn at(&mut self, state: State<f64, N>) -> Point<N> {
        let curves = self.curves(&state);
        for (extents, values) in self.extents.iter_mut().zip(&curves) {
            for (extent, value) in extents.iter_mut().zip(values) {
                extent.add(*value);
            }
        }
        Point { state, curves }
    }

    /// By how much a line may miss each curve. Each has a scale of its own, and the components of one output have one scale.
    fn allowed(&self) -> [Vec<f64>; 3] {
        let miss = |extent: &Extent| (MISS * extent.length()).max(ROUNDING * extent.size());
        let [q, v] = self.scales.rounding();
        let each = |extents: &[Extent], rounding: &[f64]| {
            extents.iter().zip(rounding).map(|(extent, rounding)| miss(extent).max(*rounding)).collect::<Vec<f64>>()
        };
        let mut vectors = vec![0.0; self.vectors.len()];
        for (first, extent) in self.vectors.iter().zip(&self.extents[2]) {
            vectors[*first] = miss(extent).max(vectors[*first]);
        }
        let outputs = self.vectors.iter().map(|first| vectors[*first]).collect();
        let mut allowed = [each(&self.extents[0], q.as_slice()), each(&self.extents[1], v.as_slice()), outputs];
        for (allowed, noise) in allowed.iter_mut().flatten().zip(self.noise.iter().flatten()) {
            *allowed = allowed.max(NOISY * noise);
        }
        allowed
    }

    /// Measures the noise of the curves at a state within a step.
    fn listen(&mut self, step: &StepView<f64, N>, point: &Point<N>, length: f64) {
        let [before, after] = [-NEAR, NEAR].map(|part| step.sample(point.state.t + part * length));
        let (Some(before), Some(after)) = (before, after) else { return };
        let near = [before, after].map(|state| self.curves(&state));
        let [before, after] = near.each_ref().map(|curves| curves.iter().flatten());
        let curves = before.zip(after).zip(point.curves.iter().flatten());
        for (noise, ((before, after), here)) in self.noise.iter_mut().flatten().zip(curves) {
            // A curve that jumps there is as before on one side.
            *noise = noise.max((before - here).abs().min((after - here).abs()));
        }
    }

    /// The states within a step that lines need, in order, and the state at its end.
    fn divide(&mut self, step: &StepView<f64, N>) -> Vec<State<f64, N>> {
        let mut found = Vec::new();
        self.scales.see(self.system, &step.start);
        self.scales.see(self.system, &step.end);
        let mut start = self.at(step.start);
        // The ends of the parts that follow, the next one last.
        let mut ends = vec![(self.at(step.end), 0)];
        while let Some((end, halvings)) = ends.pop() {
            let within = PLACES.map(|place| {
                let time = start.state.t + (end.state.t - start.state.t) * place;
                step.sample(time).map(|state| self.at(state))
            });
            let allowed = self.allowed();
            let missed = |(point, place): (&Option<Point<N>>, f64)| {
                point.as_ref().is_some_and(|point| misses(&start.curves, &end.curves, &point.curves, place, &allowed))
            };
            let is_line = !within.iter().zip(PLACES).any(missed);
            let [middle, ..] = within;
            match middle {
                Some(middle) if !is_line && halvings < HALVINGS => {
                    if step.interpolant.as_ref().is_some_and(|interpolant| interpolant.held() != 0) {
                        self.listen(step, &middle, end.state.t - start.state.t);
                    }
                    ends.push((end, halvings + 1));
                    ends.push((middle, halvings + 1));
                }
                _ => {
                    found.push(end.state);
                    start = end;
                }
            }
        }
        found
    }
}

/// Whether the line from `start` to `end` misses a curve at a place of it. Where a curve has no value, no line can follow it.
fn misses(start: &[Vec<f64>; 3], end: &[Vec<f64>; 3], at: &[Vec<f64>; 3], place: f64, allowed: &[Vec<f64>; 3]) -> bool {
    (0..3).any(|kind| {
        (0..at[kind].len()).any(|index| {
            let line = start[kind][index] + (end[kind][index] - start[kind][index]) * place;
            (at[kind][index] - line).abs() > allowed[kind][index]
        })
    })
}

impl<A, F, const N: usize, const C: usize> Observer<f64, N> for Resolved<'_, '_, A, F, N, C>
where
    A: Observer<f64, N>,
    F: FnMut(&State<f64, N>, bool) -> ControlFlow<()>,
{
    fn start(&mut self, initial: &State<f64, N>) -> ControlFlow<()> {
        let flow = self.at_times.start(initial);
        let found = self.found.take();
        found.iter().try_for_each(|state| (self.receive)(state, true))?;
        flow
    }

    fn wants(&self, _: u64, _: f64, _: f64) -> Wants {
        Wants::Interpolation
    }

    fn observe(&mut self, step: &StepView<f64, N>) -> ControlFlow<()> {
        let (from, to) = (step.start.t, step.end.t);
        let flow = match self.at_times.wants(step.number, from, to) > Wants::Nothing {
            true => self.at_times.observe(step),
            false => ControlFlow::Continue(()),
        };
        let mut asked = self.found.take().into_iter().peekable();
        for state in self.divide(step) {
            let (time, is_end) = (state.t, state.t == to);
            let is_later = |asked: &State<f64, N>| if from < to { time < asked.t } else { time > asked.t };
            let mut is_given = false;
            // The last time that was asked for may be a rounding beyond the step's end.
            while let Some(state) = asked.next_if(|asked| is_end || !is_later(asked)) {
                is_given = (state.t - time).abs() <= SAME * from.abs().max(to.abs());
                (self.receive)(&state, true)?;
            }
            if !is_given {
                (self.receive)(&state, false)?;
            }
        }
        flow
    }
}
