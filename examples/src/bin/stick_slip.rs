//! What is the period of a block that sticks and slips on a belt?
//!
//! A spring k holds a block of the mass m on a belt of the speed u. Coulomb's friction is μₛ m g at most while the block sticks,
//! and μ m g while it slips, μ < μₛ. A slip starts at ẋ = u, where the spring is as strong as the static friction. It is a part of
//! a harmonic motion with ω² = k/m about the stretch μ m g/k, and ends when ẋ = u again, at a stretch that is smaller by 2A, where
//! A = (μₛ − μ) m g/k. So
//!
//! ```text
//! period = t_stick + t_slip = 2A/u + 2 (π − arctan(ωA/u))/ω
//! ```
//!
//! (K. Magnus, K. Popp, *Schwingungen*, 7th ed., ch. 3, on oscillators with dry friction). This program computes the motion in two ways:
//!
//! - The first uses the statement `friction`, with μₛ m g as its `breakaway`. This is exact: only the integration has an error.
//! - The second uses smooth friction, which is a force. This is an approximation: the friction changes its sign over a part ε of the belt's speed, and
//!   falls from μₛ to μ over √ε of it, so that the block creeps where it should stick. The equations are stiff: an explicit method
//!   takes steps that are proportional to ε. But the error of the period decreases more slowly than √ε. It is 0.5 % at ε = 1e-5
//!   after 3.6 million steps. At ε = 1e-2 two errors cancel.

use lagrange_runtime::instant::{Cause, Phase};
use lagrange_runtime::prelude::*;

/// A block on a belt, with Coulomb's friction.
#[lagrangian {
    coordinates x;
    kinetic   = m*dot(x)^2/2;
    potential = k*x^2/2;
    friction pad: x - belt*t = mu*m*g, breakaway = mu_static*m*g;
}]
struct Rough {
    m: f64,
    k: f64,
    mu: f64,
    mu_static: f64,
    g: f64,
    belt: f64,
}

/// A block with smooth friction, which depends on the slip s = (u − ẋ)/u.
#[lagrangian {
    coordinates x;
    let s = (belt - dot(x))/belt;
    kinetic   = m*dot(x)^2/2;
    potential = k*x^2/2;
    force x   = (mu + (mu_static - mu)*exp(-s^2/epsilon))*m*g*tanh(s/epsilon);
}]
struct Smooth {
    m: f64,
    k: f64,
    mu: f64,
    mu_static: f64,
    g: f64,
    belt: f64,
    epsilon: f64,
}

type V = SVector<f64, 1>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (m, k, g, belt, mu, mu_static) = (1.0, 40.0, 9.81, 0.1, 0.25, 0.4);
    let (omega, reach) = ((k / m).sqrt(), (mu_static - mu) * m * g / k);
    let (stick_time, slip_time) =
        (2.0 * reach / belt, 2.0 * (std::f64::consts::PI - (omega * reach / belt).atan()) / omega);
    let exact = stick_time + slip_time;

    println!("Coulomb's friction:");
    let rough = Rough { m, k, mu, mu_static, g, belt }.prepare::<f64>()?;
    let options = Options { rtol: 1e-12.into(), atol: 1e-13.into(), ..Options::default() };
    let solution = solve(&rough, State::new(0.0, [0.0], [belt]), 5.0 * exact, &Dop853::new(), &options)?;
    let times_of = |phase| {
        let found = solution.instants.iter().filter(move |instant| instant.cause == Cause::Phase("pad", phase));
        found.map(|instant| instant.after.t)
    };
    let (mut worst, mut caught, mut cycles) = (0.0_f64, 0.0, 0);
    for (torn, next) in times_of(Phase::SlipsBackward).zip(times_of(Phase::Sticks)) {
        println!("cycle {cycles}: stick {:.9} s, slip {:.9} s", torn - caught, next - torn);
        // The first stick starts at the relaxed spring.
        if cycles > 0 {
            worst = worst.max((torn - caught - stick_time).abs());
        }
        worst = worst.max((next - torn - slip_time).abs());
        (caught, cycles) = (next, cycles + 1);
    }
    println!("closed form:   {stick_time:.9} s,      {slip_time:.9} s; the times differ by {worst:.1e} s");

    println!("smooth friction:");
    let mut errors = Vec::new();
    for epsilon in [1e-2, 1e-3, 1e-4] {
        let smooth = Smooth { m, k, mu, mu_static, g, belt, epsilon }.prepare::<f64>()?;
        let turn = |_: f64, _: &V, v: &V| v[0];
        let turns = [Event::new(&turn).going(Direction::Falling)];
        let options = Options { events: &turns, t_eval: Some(&[]), ..Options::default() };
        let start = State::new(0.0, [0.0], [belt]);
        let solution = solve(&smooth, start, 6.0 * exact, &DormandPrince5::new(), &options)?;
        let [.., before, last] = &solution.events[..] else { return Err("the block does not slip".into()) };
        let period = last.before.t - before.before.t;
        let steps = solution.statistics.steps;
        println!("ε = {epsilon:5}: period {period:.6} s, {:+.2} %; {steps} steps", 100.0 * (period / exact - 1.0));
        errors.push((period - exact).abs());
    }
    if cycles < 4 || worst > 1e-9 || errors.iter().any(|&error| error > 0.02 * exact) {
        Err("the period is wrong".into())
    } else {
        Ok(())
    }
}
