//! A stored motion with its energy.

use super::Finding;
use lagrange_cli::analysis::trend;
use lagrange_cli::report::csv::Series;
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;
use std::time::Instant;

/// The states at every step's end, with the energy h of each.
#[derive(Debug)]
pub(super) struct Motion<const N: usize = 2> {
    pub(super) states: Vec<State<f64, N>>,
    pub(super) energy: Vec<f64>,
    pub(super) statistics: Statistics,
}

impl<const N: usize> Motion<N> {
    /// Integrates with the default inputs and stores every step.
    pub(super) fn integrate<'s, M, const C: usize, const U: usize>(
        system: &(dyn System<f64, N, C, U> + 's),
        initial: State<f64, N>,
        t_end: f64,
        method: &M,
    ) -> Finding<Self>
    where
        M: Method<f64, N, C>,
    {
        let inputs = system.default_inputs();
        let energy = |state: &State<f64, N>| system.energies(state.t, &state.q, &state.v, &inputs).energy;
        let (mut states, mut energies) = (vec![initial], vec![energy(&initial)]);
        let mut store = |step: &StepView<f64, N>| {
            states.push(step.end);
            energies.push(energy(&step.end));
            ControlFlow::Continue(())
        };
        let statistics = follow(system, initial, t_end, method, &Options::default(), &mut store)?;
        Ok(Self { states, energy: energies, statistics })
    }

    /// (t, coordinate of this index).
    pub(super) fn coordinate(&self, index: usize) -> impl Iterator<Item = [f64; 2]> + Clone + '_ {
        self.states.iter().map(move |state| [state.t, state.q[index]])
    }

    /// (t, velocity of the coordinate of this index).
    pub(super) fn velocity(&self, index: usize) -> impl Iterator<Item = [f64; 2]> + Clone + '_ {
        self.states.iter().map(move |state| [state.t, state.v[index]])
    }

    /// (t, E).
    pub(super) fn energies(&self) -> impl Iterator<Item = [f64; 2]> + Clone + '_ {
        self.states.iter().zip(&self.energy).map(|(state, energy)| [state.t, *energy])
    }

    /// (t, E − E(0)).
    pub(super) fn energy_error(&self) -> impl Iterator<Item = [f64; 2]> + Clone + '_ {
        let initial = self.energy[0];
        self.energies().map(move |[t, energy]| [t, energy - initial])
    }

    /// The largest |E − E(0)|.
    pub(super) fn largest_energy_error(&self) -> f64 {
        self.energy_error().map(|[_, error]| error.abs()).fold(0.0, f64::max)
    }

    /// The largest |E(t + h) − E(t)| of a step.
    pub(super) fn largest_step_error(&self) -> f64 {
        self.energy.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max)
    }

    /// How far the mean of E moves from the first tenth of the motion to the last, over the range of E in the first tenth. An error
    /// that swings and does not accumulate stays below 1, however large it is.
    pub(super) fn accumulation(&self) -> f64 {
        let tenth = (self.energy.len() / 10).max(1);
        let (first, last) = (&self.energy[..tenth], &self.energy[self.energy.len() - tenth..]);
        // Means of differences from the start, so that rounding is that of the differences.
        let mean = |energies: &[f64]| {
            energies.iter().map(|energy| energy - self.energy[0]).sum::<f64>() / energies.len() as f64
        };
        let least = first.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = first.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (mean(last) - mean(first)).abs() / (greatest - least)
    }

    /// The slope of the straight line through E(t), in J/s.
    pub(super) fn energy_drift(&self) -> f64 {
        trend::slope(self.energy_error())
    }

    /// (t, length of the step that starts there).
    pub(super) fn steps(&self) -> impl Iterator<Item = [f64; 2]> + Clone + '_ {
        self.states.windows(2).map(|pair| [pair[0].t, pair[1].t - pair[0].t])
    }

    /// The states of every `stride`-th step, as CSV.
    pub(super) fn series(&self, name: &str, stride: usize) -> Series {
        let row = |(state, energy): (&State<f64, N>, &f64)| {
            vec![state.t, state.q[0], state.q[1], state.v[0], state.v[1], *energy]
        };
        Series {
            name: name.to_owned(),
            columns: vec!["t (s)", "theta1 (rad)", "theta2 (rad)", "theta1_dot (rad/s)", "theta2_dot (rad/s)", "E (J)"],
            rows: self.states.iter().zip(&self.energy).step_by(stride).map(row).collect(),
        }
    }
}

/// Integrates with the default inputs, and shows every step to `observer`.
///
/// System and observer are trait objects, so that each method is compiled once and not once for each experiment.
pub(super) fn follow<'s, M, const N: usize, const C: usize, const U: usize>(
    system: &(dyn System<f64, N, C, U> + 's),
    initial: State<f64, N>,
    t_end: f64,
    method: &M,
    options: &Options<'_, f64, N>,
    observer: &mut dyn Observer<f64, N>,
) -> Finding<Statistics>
where
    M: Method<f64, N, C>,
{
    let mut state = initial;
    let mut inputs = DefaultInputs::of(system);
    Ok(integrate(system, &mut state, t_end, method, options, &mut inputs, observer)?.statistics)
}

/// The state at the end.
pub(super) fn end_of<'s, M, const N: usize, const C: usize, const U: usize>(
    system: &(dyn System<f64, N, C, U> + 's),
    initial: State<f64, N>,
    t_end: f64,
    method: &M,
) -> Finding<State<f64, N>>
where
    M: Method<f64, N, C>,
{
    end_with(system, initial, t_end, method, &Options::default())
}

/// The state at the end, with options.
pub(super) fn end_with<'s, M, const N: usize, const C: usize, const U: usize>(
    system: &(dyn System<f64, N, C, U> + 's),
    initial: State<f64, N>,
    t_end: f64,
    method: &M,
    options: &Options<'_, f64, N>,
) -> Finding<State<f64, N>>
where
    M: Method<f64, N, C>,
{
    let mut state = initial;
    let mut inputs = DefaultInputs::of(system);
    integrate(system, &mut state, t_end, method, options, &mut inputs, &mut ())?;
    Ok(state)
}

/// The states at `times`, which are in order; the integration ends at the last of them.
pub(super) fn states_at<'s, M, const N: usize, const C: usize, const U: usize>(
    system: &(dyn System<f64, N, C, U> + 's),
    initial: State<f64, N>,
    times: &[f64],
    method: &M,
    options: &Options<'_, f64, N>,
) -> Finding<Vec<State<f64, N>>>
where
    M: Method<f64, N, C>,
{
    let mut states = Vec::with_capacity(times.len());
    let mut store = AtTimes::new(times, |state: &State<f64, N>| {
        states.push(*state);
        ControlFlow::Continue(())
    });
    let t_end = times.last().copied().unwrap_or(initial.t);
    follow(system, initial, t_end, method, options, &mut store)?;
    Ok(states)
}

/// How long the integration takes when nothing is stored, in seconds, and its statistics; compiled for this very system, as a user's
/// program would be.
pub(super) fn computing_time<S, M, const U: usize>(
    system: &S,
    initial: State<f64, 2>,
    t_end: f64,
    method: &M,
) -> Finding<(f64, Statistics)>
where
    S: System<f64, 2, 0, U>,
    M: Method<f64, 2, 0>,
{
    let mut state = initial;
    let mut inputs = DefaultInputs::of(system);
    let start = Instant::now();
    let report = integrate(system, &mut state, t_end, method, &Options::default(), &mut inputs, &mut ())?;
    Ok((start.elapsed().as_secs_f64(), report.statistics))
}
