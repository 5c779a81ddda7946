//! Very many impacts.

use lagrange_runtime::prelude::*;

/// A ball over a floor that takes nothing from it.
#[lagrangian {
    coordinates y;
    kinetic   = dot(y)^2/2;
    potential = 10*y;
    contact floor: y >= level, restitution = 1;
}]
#[derive(Clone, Debug)]
struct Ball {
    level: f64,
}

/// Lets a ball bounce 10⁴ times: from 5 m over `level`, every 2 s. Returns the number of impacts, the relative error of the energy,
/// and the error of the time.
fn bounce(level: f64, method: &impl Method<f64, 1, 0>) -> (u64, f64, f64) {
    let system = Ball { level }.prepare::<f64>().expect("valid");
    let system: &dyn System<f64, 1, 0, 0> = &system;
    let options = Options { rtol: 1e-10.into(), atol: 1e-12.into(), max_steps: Some(2_000_000), ..Options::default() };
    let mut state = State::new(0.0, [level + 5.0], [0.0]);
    let mut inputs = DefaultInputs::of(system);
    let report = integrate(system, &mut state, 20_000.0, method, &options, &mut inputs, &mut ())
        .unwrap_or_else(|error| panic!("floor at {level}: {error}"));
    let energy = state.v[0] * state.v[0] / 2.0 + 10.0 * (state.q[0] - level);
    (report.statistics.impacts, energy / 50.0 - 1.0, state.v[0] / 10.0)
}

#[test]
fn ten_thousand_impacts_lose_no_energy() {
    let mut wrong = Vec::new();
    for level in [0.0, 1.0, -100.0] {
        for (name, (impacts, energy, late)) in [
            ("DOP853", bounce(level, &Dop853::new())),
            ("Tsitouras 5(4)", bounce(level, &Tsitouras5::new())),
            ("RK4", bounce(level, &Rk4::new(0.5))),
        ] {
            let found = format!(
                "{name}, floor at {level}: {impacts} impacts, energy off by {energy:e} of it, late by {late:e} s"
            );
            println!("{found}");
            // At each impact a height is rounded, and a speed. The errors of the speed add up in the time.
            if impacts != 10_000 || energy.abs() > 1e-9 || late.abs() > 1e-9 * 20_000.0 {
                wrong.push(found);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
