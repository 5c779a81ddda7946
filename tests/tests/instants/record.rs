//! What the library says that happened. This is the one place that reads it from states, events and samples.

use super::scene::{Body, Item, Scene, What};
use lagrange_runtime::instant::{Cause, Instant};
use lagrange_runtime::prelude::*;

/// What happened in a run of the library, and the state at its end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    /// What happened. Events, impacts and samples are in the order in which the library tells them. The changes between motion and rest are
    /// seen by the states; they are put after all events of their time, and before a sample.
    pub(crate) items: Vec<Item>,
    pub(crate) t: f64,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    /// The terminal event.
    pub(crate) ended_by: Option<usize>,
    pub(crate) error: Option<String>,
    /// What was told in another order than that of the times.
    pub(crate) disorder: Option<String>,
    /// The states at the times for output: t, q, v.
    pub(crate) outputs: Vec<(f64, Vec<f64>, Vec<f64>)>,
}

/// Collects what happens.
pub(crate) struct Recorder<'a, const N: usize> {
    scene: &'a Scene,
    /// Events, impacts and samples, at the times of the library in the direction of the integration.
    told: Vec<Item>,
    /// Changes between motion and rest.
    seen: Vec<Item>,
    rests: [bool; N],
    last: State<f64, N>,
    outputs: Vec<(f64, Vec<f64>, Vec<f64>)>,
}

impl<'a, const N: usize> Recorder<'a, N> {
    pub(crate) fn new(scene: &'a Scene, start: &State<f64, N>) -> Self {
        let rests = core::array::from_fn(|i| match scene.coordinates[i].body {
            Body::Free | Body::Rolls | Body::Towed => false,
            Body::Floor { level, .. } => start.q[i] == level && start.v[i] == 0.0,
            Body::Pad { .. } => start.v[i] == 0.0,
            Body::Relay { .. } => true,
        });
        Self { scene, told: Vec::new(), seen: Vec::new(), rests, last: *start, outputs: Vec::new() }
    }

    pub(crate) fn sample(&mut self, t: f64, number: usize) {
        self.told.push(Item { t: self.scene.way * t, what: What::Sample(number) });
    }

    pub(crate) fn instant(&mut self, instant: &Instant<f64, N>) {
        let Instant { cause, before, after, impulse } = instant;
        match cause {
            Cause::Event(index) => self.told.push(Item { t: self.scene.way * before.t, what: What::Event(*index) }),
            // The friction of an impact, which the floor tells too.
            Cause::Impact("floor.slip") => {}
            // What is coupled goes on with one velocity. The relay tells when.
            Cause::Impact("tow") => {
                let [first, second] = self.scene.towed().expect("it is a train");
                let [mean, sum] = [f64::midpoint(before.v[first], before.v[second]), after.v[first] + after.v[second]];
                let scale = before.v[first].abs() + before.v[second].abs();
                assert!(after.v[first] == after.v[second], "{instant:?}");
                assert!((sum / 2.0 - mean).abs() <= 4.0 * f64::EPSILON * scale, "{instant:?}");
            }
            Cause::Impact(name) => {
                // The floors are numbered like the coordinates, and all masses are 1.
                let i =
                    name.strip_prefix("floor[").map_or(0, |rest| rest.trim_end_matches(']').parse().expect("a number"));
                let change = after.v[i] - before.v[i];
                assert!(before.v[i] < 0.0 && after.v[i] >= 0.0, "{instant:?}");
                assert!((impulse - change).abs() <= 1e-9 * change.abs(), "{instant:?}");
                self.told.push(Item { t: self.scene.way * before.t, what: What::Impact(i) });
            }
            Cause::Mode(_) => {
                // The relay is the last coordinate.
                self.told.push(Item { t: self.scene.way * before.t, what: What::Switches(N - 1) });
            }
            _ => {}
        }
    }

    pub(crate) fn output(&mut self, state: &State<f64, N>) {
        self.outputs.push((state.t, state.q.iter().copied().collect(), state.v.iter().copied().collect()));
    }

    pub(crate) fn step(&mut self, step: &StepView<f64, N>) {
        let StepView { start, end, .. } = step;
        for i in 0..N {
            let is_held = match self.scene.coordinates[i].body {
                Body::Free | Body::Rolls | Body::Towed => false,
                Body::Floor { .. } | Body::Pad { .. } => start.v[i] == 0.0 && end.v[i] == 0.0,
                Body::Relay { .. } => true,
            };
            if is_held != self.rests[i] && start.t != end.t {
                let what = if is_held { What::Rests(i) } else { What::Leaves(i) };
                self.seen.push(Item { t: self.scene.way * start.t, what });
                self.rests[i] = is_held;
            }
        }
    }

    /// The state at the end.
    pub(crate) fn end(&mut self, state: &State<f64, N>) {
        self.last = *state;
    }

    pub(crate) fn finish(self, outcome: Result<Option<usize>, String>) -> Record {
        let Self { scene, told, seen, last, outputs, .. } = self;
        let (mut items, start) = (told, scene.way * scene.start);
        for item in seen {
            let is_after = |other: &Item| {
                other.t > item.t || other.t == item.t && matches!(other.what, What::Sample(_)) && other.t > start
            };
            let place = items.iter().position(is_after).unwrap_or(items.len());
            items.insert(place, item);
        }
        let (ended_by, error) = match outcome {
            Ok(ended_by) => (ended_by, None),
            Err(error) => (None, Some(error)),
        };
        let disorder = disorder(&items, start);
        items.iter_mut().for_each(|item| item.t -= start);
        let (q, v) = (last.q.iter().copied().collect(), last.v.iter().map(|v| scene.way * v).collect());
        Record { items, t: scene.since(last.t), q, v, ended_by, error, disorder, outputs }
    }
}

/// Whether the times grow, and things of equal times have their order: events as in the options, impacts, samples.
fn disorder(items: &[Item], start: f64) -> Option<String> {
    let rank = |item: &Item| match item.what {
        What::Event(k) => Some(k),
        What::Impact(_) => Some(usize::MAX - 1),
        What::Sample(_) => Some(usize::MAX),
        What::Rests(_) | What::Leaves(_) | What::Switches(_) => None,
    };
    let ranked: Vec<(Item, usize)> = items.iter().filter_map(|item| Some((*item, rank(item)?))).collect();
    for pair in ranked.windows(2) {
        let ((first, low), (second, high)) = (pair[0], pair[1]);
        if second.t < first.t || second.t == first.t && high < low && second.t > start {
            return Some(format!("out of order: {first:?}, then {second:?}"));
        }
    }
    None
}
