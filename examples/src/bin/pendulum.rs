//! How long is the period of a pendulum that swings by 90°?
//!
//! The closed form is T = 4 √(l/g) K(sin²(θ₀/2)), with the complete elliptic integral K(1/2) = 1.854 074 677 301 372.

use lagrange_runtime::prelude::*;

/// A mass on a rod, released at rest.
#[lagrangian {
    coordinates theta;
    kinetic   = m*l^2*dot(theta)^2/2;
    potential = -m*g*l*cos(theta);
}]
struct Pendulum {
    /// kg
    m: f64,
    /// m
    l: f64,
    /// m/s²
    g: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pendulum = Pendulum { m: 0.2, l: 0.5, g: 9.81 };
    let system = pendulum.prepare::<f64>()?;
    let released = State::new(0.0, [std::f64::consts::FRAC_PI_2], [0.0]);

    // A quarter of the period ends at the lowest point.
    let angle = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| q[0];
    let events = [Event::new(&angle).terminal()];
    let options = Options { rtol: 1e-12.into(), atol: 1e-12.into(), events: &events, ..Options::default() };
    let solution = solve(&system, released, 10.0, &Dop853::new(), &options)?;

    let period = 4.0 * solution.last().ok_or("no step was made")?.t;
    let exact = 4.0 * (pendulum.l / pendulum.g).sqrt() * 1.854_074_677_301_372;
    println!("period {period:.9} s, closed form {exact:.9} s, after {} steps", solution.statistics.steps);
    if (period - exact).abs() > 1e-9 { Err("the period is wrong".into()) } else { Ok(()) }
}
