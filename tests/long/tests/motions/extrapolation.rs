//! The errors of extrapolation between the ends of its steps. `tests/tests/runtime/extrapolation.rs` has the rest.

use crate::common::{at_tolerance, compound_pendulum, largest_over_first_steps, pendulum};
use lagrange_runtime::prelude::*;

fn start() -> State<f64, 2> {
    State::new(0.0, [0.7, 1.3], [1.0, 0.0])
}

/// A planet around a fixed sun.
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = -gm/norm([x, y]);
}]
#[derive(Clone, Debug)]
struct Planet {
    gm: f64,
}

/// The largest error between the ends of steps, from the state at each step's start and in tolerances of each component: where
/// every step is interpolated, at nine times in each.
fn error_between_nodes<const N: usize>(
    system: &dyn System<f64, N, 0, 0>,
    from: State<f64, N>,
    tolerance: f64,
    first_step: Option<f64>,
) -> f64 {
    let options = Options { dense_output: true, first_step, ..at_tolerance(tolerance) };
    let solution = solve(system, from, 10.0, &Extrapolation::new(), &options).unwrap();
    let nodes: Vec<_> = solution.states().collect();
    let mut largest = 0.0_f64;
    for ends in nodes.windows(2) {
        let part = |part: u32| ends[0].t + (ends[1].t - ends[0].t) * f64::from(part) / 10.0;
        let times: Vec<_> = (1..10).map(part).collect();
        let asked = Options { t_eval: Some(&times), ..at_tolerance(1e-14) };
        let exact = solve(system, ends[0], ends[1].t, &Verner9::new(), &asked).unwrap();
        for exact in exact.states() {
            let found = solution.sample(exact.t).unwrap();
            for (found, exact) in found.q.iter().zip(&exact.q).chain(found.v.iter().zip(&exact.v)) {
                largest = largest.max((found - exact).abs() / (tolerance * (1.0 + exact.abs())));
            }
        }
    }
    largest
}

#[test]
fn errors_between_the_ends_of_steps_are_within_a_few_tolerances() {
    let planet = Planet { gm: 1.0 }.prepare::<f64>().expect("valid");
    let aphelion = State::new(0.0, [1.5, 0.0], [0.0, (1.0_f64 / 3.0).sqrt()]);
    for decade in 4_i32..=12 {
        let tolerance = 10.0_f64.powi(-decade);
        let errors = [
            largest_over_first_steps(|first| error_between_nodes(&compound_pendulum(), start(), tolerance, first)),
            largest_over_first_steps(|first| {
                error_between_nodes(&pendulum(), State::new(0.0, [2.5], [0.0]), tolerance, first)
            }),
            largest_over_first_steps(|first| error_between_nodes(&planet, aphelion, tolerance, first)),
        ];
        let most = [8.0, 3.0, 3.0].get(decade as usize - 4).copied().unwrap_or(1.0);
        assert!(errors.iter().all(|&error| error < most), "{tolerance:e}: {errors:?}");
    }
}
