//! Does the earth, alone with the sun, stay on its orbit for a million periods?
//!
//! r̈ = −μ r/r³ with the eccentricity e = 0.0167, in astronomical units and years: μ = 4π². A symplectic method has an energy error
//! that oscillates and does not grow (E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical Integration*, 2nd ed., IX.8 and X.3).
//! It keeps the angular momentum, which is quadratic in (q, p), up to rounding. With compensated sums the rounding errors of both
//! make a random walk: they grow as √t (Brouwer's law). What grows as t is the phase on the orbit and the turn of the perihelion.
//!
//! The number of periods is an argument: `cargo run -p lagrange-examples --bin million_periods -- --periods 20000`.

use lagrange_runtime::prelude::*;
use std::f64::consts::TAU;
use std::ops::ControlFlow;

/// A planet around a fixed sun.
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = -mu/norm([x, y]);
}]
struct Kepler {
    /// au³/year²
    mu: f64,
}

/// The mean anomaly and the direction of the perihelion, rad, of an orbit with the half axis 1.
fn elements(state: &State<f64, 2>, mu: f64) -> (f64, f64) {
    let (q, v) = (state.q, state.v);
    let (r, spin) = (q.norm(), q[0] * v[1] - q[1] * v[0]);
    // The eccentricity vector points to the perihelion; e cos E = 1 − r and e sin E = r·v/√μ.
    let (ex, ey) = (v[1] * spin / mu - q[0] / r, -v[0] * spin / mu - q[1] / r);
    let (sin, cos) = (q.dot(&v) / mu.sqrt(), 1.0 - r);
    (sin.atan2(cos) - sin, ey.atan2(ex))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let periods: u32 = match &arguments[..] {
        [] => 1_000_000,
        [name, number] if name == "--periods" => number.parse()?,
        _ => return Err("the arguments are: --periods NUMBER".into()),
    };
    let mu = TAU * TAU;
    let system = Kepler { mu }.prepare::<f64>()?;
    let e = 0.0167_f64;
    let mut state = State::new(0.0, [1.0 - e, 0.0], [0.0, TAU * ((1.0 + e) / (1.0 - e)).sqrt()]);
    let energy = |state: &State<f64, 2>| -> f64 { system.energies_of(state).energy };
    let spin = |state: &State<f64, 2>| state.q[0] * state.v[1] - state.q[1] * state.v[0];
    let (first_energy, first_spin) = (energy(&state), spin(&state));

    // Kahan and Li's composition of order 6, at 20 steps a year.
    let steps = 20_u32;
    let method = Composition::kahan_li(StormerVerlet::new(&system, 1.0 / f64::from(steps)));
    println!("largest relative errors of energy and angular momentum; phase and perihelion in degrees");
    println!("   years    energy  momentum      phase perihelion");
    let (mut early, mut late, mut turning) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut shown, mut angles) = (10, [0.0, 0.0]);
    // Every 7th step, so that all parts of the orbit are seen.
    let mut observer = Every::new(7, |step: &StepView<f64, 2>| {
        late = late.max((energy(&step.end) / first_energy - 1.0).abs());
        turning = turning.max((spin(&step.end) / first_spin - 1.0).abs());
        let year = step.end.t;
        if year < 10.0 {
            early = late;
        }
        if year >= f64::from(shown) {
            let (anomaly, perihelion) = elements(&step.end, mu);
            // Each is known up to whole turns. They grow as t, so that they are nearest to ten times the last.
            let whole = |angle: f64, last: f64| angle + TAU * ((10.0 * last - angle) / TAU).round();
            angles = [whole(anomaly - TAU * year.fract(), angles[0]), whole(perihelion, angles[1])];
            let [phase, perihelion] = angles.map(f64::to_degrees);
            println!("{shown:8} {late:9.2e} {turning:9.2e} {phase:10.3} {perihelion:10.3}");
            shown *= 10;
        }
        ControlFlow::Continue(())
    });
    let (end, options) = (f64::from(periods), Options::default());
    let report =
        integrate(&system, &mut state, end, &method, &options, &mut DefaultInputs::of(&system), &mut observer)?;
    println!("after {periods} years and {} steps: r = {:.6} au", report.statistics.steps, state.q.norm());
    println!("largest energy error of the first ten years {early:.3e}, of all {late:.3e}");
    // A drift would make the later error larger than the first oscillations by more than rounding.
    if late > 1.05 * early + 1e-12 || turning > 1e-11 { Err("the orbit drifts".into()) } else { Ok(()) }
}
