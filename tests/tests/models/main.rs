//! Mechanisms of the catalog: against their exact or published solutions, and what they claim to be constant.

mod adhesion_and_breakaway;
mod circuits;
mod contacts;
mod fields;
mod finite_differences;
mod friction;
mod held_samples;
mod invariants;
mod library;
mod parts;
mod planets;
mod quantities;
mod robots;

use lagrange_runtime::prelude::*;

/// The end of a motion by Gauss's method of 6 stages.
fn end<S, K, const N: usize, const U: usize>(
    system: &S,
    initial: State<f64, N>,
    t_end: f64,
    h: f64,
    inputs: &mut K,
) -> State<f64, N>
where
    S: System<f64, N, 0, U>,
    K: Controller<f64, N, U>,
{
    let mut state = initial;
    integrate(system, &mut state, t_end, &Gauss::<f64, 6>::new(h), &Options::default(), inputs, &mut ())
        .unwrap_or_else(|error| panic!("{error}"));
    state
}

/// The same with the default inputs.
fn free<S, const N: usize, const U: usize>(system: &S, initial: State<f64, N>, t_end: f64, h: f64) -> State<f64, N>
where
    S: System<f64, N, 0, U>,
{
    end(system, initial, t_end, h, &mut DefaultInputs::of(system))
}

fn energy<S, const N: usize, const U: usize>(system: &S, state: &State<f64, N>) -> f64
where
    S: System<f64, N, 0, U>,
{
    system.energies(state.t, &state.q, &state.v, &system.default_inputs()).energy
}

/// Each component within `allowed` of its partner, relative to the larger of the two vectors.
#[track_caller]
fn same<const N: usize>(found: &State<f64, N>, exact: &State<f64, N>, allowed: f64) {
    let apart = |a: &SVector<f64, N>, b: &SVector<f64, N>| (a - b).amax() / b.amax();
    let (q, v) = (apart(&found.q, &exact.q), apart(&found.v, &exact.v));
    assert!(q <= allowed && v <= allowed, "coordinates are off by {q:e}, velocities by {v:e}");
}
