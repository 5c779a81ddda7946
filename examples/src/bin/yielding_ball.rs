//! Why does a ball of metal seem livelier the lower it bounces?
//!
//! Where a ball hits fast, the metal flows under the contact, and does not give back what that takes. The coefficient of restitution falls with the speed of approach as v^(−1/4) (K. L. Johnson,
//! *Contact Mechanics*, 1985, 11.5). With the speed u below which nothing flows, e = (u/v)^(1/4), and so each impact multiplies the logarithm of v/u by 3/4:
//!
//! ```text
//! v⁺ = e v = u^(1/4) v^(3/4)        vₙ = u (v₀/u)^((3/4)ⁿ)
//! ```
//!
//! After a few bounces the ball has lost nearly all of its energy. Then it bounces on, at the speed u, and loses ever less: a ball with a constant e would rest after a finite time.

use lagrange_runtime::instant::Cause;
use lagrange_runtime::prelude::*;

/// A ball of metal over a hard floor.
#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact floor: y >= 0, restitution = min(1, (u/approach(floor))^(1/4));
}]
struct Ball {
    /// kg
    m: f64,
    /// m/s²
    g: f64,
    /// m/s
    u: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (g, u, height) = (9.81, 0.2, 1.0_f64);
    let system = Ball { m: 0.1, g, u }.prepare::<f64>()?;
    let options = Options { rtol: 1e-11.into(), atol: 1e-12.into(), ..Options::default() };
    let solution = solve(&system, State::new(0.0, [height], [0.0]), 3.0, &Dop853::new(), &options)?;
    let impacts = solution.instants.iter().filter(|instant| instant.cause == Cause::Impact("floor"));

    println!("impact        t/s   v, m/s   v⁺, m/s       e   closed form, m/s");
    let first = (2.0 * g * height).sqrt();
    let (mut worst, mut count, mut t) = (0.0_f64, 0, first / g);
    for (n, impact) in (1..).zip(impacts) {
        let (before, after) = (-impact.before.v[0], impact.after.v[0]);
        let expected = u * (first / u).powf(0.75_f64.powi(n));
        if n <= 8 || n == 16 {
            println!("{n:6} {:10.6} {before:8.4} {after:9.4} {:7.3} {expected:18.4}", impact.after.t, after / before);
        }
        worst = worst.max((after - expected).abs()).max((impact.after.t - t).abs());
        // The next flight takes 2 v⁺/g.
        t += 2.0 * expected / g;
        count = n;
    }
    println!("{count} impacts in 3 s; speeds and times are those of the closed form to {worst:.0e}");
    if count > 40 && worst < 1e-8 { Ok(()) } else { Err(format!("{count} impacts, an error of {worst:e}").into()) }
}
