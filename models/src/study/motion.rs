//! A stored motion of two angles with its energy.

use super::Outcome;
use crate::analysis::trend;
use crate::report::csv::Series;
use lagrange_runtime::prelude::*;
use std::time::Instant;

/// The states at every step's end, with the energy h of each.
#[derive(Debug)]
pub(super) struct Motion {
    pub(super) states: Vec<State<f64, 2>>,
    pub(super) energy: Vec<f64>,
    pub(super) statistics: Statistics,
}

impl Motion {
    /// Integrates with the default inputs and stores every step.
    pub(super) fn integrate<S, M, const U: usize>(
        system: &S,
        initial: State<f64, 2>,
        t_end: f64,
        method: &M,
        options: &Options<'_, f64, 2>,
    ) -> Outcome<Self>
    where
        S: System<f64, 2, 0, U>,
        M: Method<S, f64, 2, 0, U>,
    {
        let solution = solve(system, initial, t_end, method, options)?;
        let inputs = system.default_inputs();
        let states: Vec<State<f64, 2>> = solution.states().collect();
        let energy = states.iter().map(|state| system.energies(state.t, &state.q, &state.v, &inputs).energy).collect();
        Ok(Self { states, energy, statistics: solution.statistics })
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
        let row = |(state, energy): (&State<f64, 2>, &f64)| {
            vec![state.t, state.q[0], state.q[1], state.v[0], state.v[1], *energy]
        };
        Series {
            name: name.to_owned(),
            columns: vec![
                "t (s)",
                "theta1 (rad)",
                "theta2 (rad)",
                "dot(theta1) (rad/s)",
                "dot(theta2) (rad/s)",
                "E (J)",
            ],
            rows: self.states.iter().zip(&self.energy).step_by(stride).map(row).collect(),
        }
    }
}

/// How long the integration takes when nothing is stored, in seconds.
pub(super) fn computing_time<S, M, const U: usize>(
    system: &S,
    initial: State<f64, 2>,
    t_end: f64,
    method: &M,
) -> Outcome<f64>
where
    S: System<f64, 2, 0, U>,
    M: Method<S, f64, 2, 0, U>,
{
    let mut state = initial;
    let mut inputs = DefaultInputs::of(system);
    let start = Instant::now();
    integrate(system, &mut state, t_end, method, &Options::default(), &mut inputs, &mut ())?;
    Ok(start.elapsed().as_secs_f64())
}
