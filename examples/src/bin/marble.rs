//! Where does a marble leave the round end of a bar, and how does it roll on the floor?
//!
//! A marble of radius r rolls along a bar with round ends of radius b. On the round end it gains speed, and presses less and less on the bar. If it does not slip, 7/10 v² + g (r + b) cos φ
//! keeps its value, and the bar carries nothing any more where v² = g (r + b) cos φ:
//!
//! ```text
//! cos φ = (10 + 7 F)/17,    F = v₀²/(g (r + b))
//! ```
//!
//! It flies on with the spin that it has, hits the floor, and slips there or not. Its angular momentum about the point of the impact is kept, so that it rolls with 5/7 vₓ − 2/7 r ω in the end.
//!
//! Real marbles slip before they leave, where the bar presses on them too little: the smaller μ is, the sooner. What they do not take up as spin makes them faster, so that they leave sooner, too. The program states two shapes and a
//! coefficient of friction for each pair; gaps and slips follow from the shapes.

use lagrange_runtime::instant::{Cause, Phase};
use lagrange_runtime::prelude::*;

/// A marble, a bar with round ends, and a floor.
#[lagrangian {
    coordinates x, y, turn;
    kinetic   = rigid_body_energy(m, 2*m*r^2/5, [x, y], turn);
    potential = m*g*y;
    contact bar:   distance(sphere([x, y], r, turn), capsule([-l, 0], [0, 0], b, 0)) >= 0, friction = mu;
    contact floor: distance(sphere([x, y], r, turn), plane([0, -h], [0, 1])) >= 0, friction = mu;
}]
struct Marble {
    m: f64,
    g: f64,
    r: f64,
    b: f64,
    l: f64,
    h: f64,
    mu: f64,
}

/// The marble begins to slip on the bar: its surface lags behind.
const SLIPS: Cause = Cause::Phase("bar.slip", Phase::SlipsBackward);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (g, r, b, h, speed) = (9.81, 0.02, 0.05, 0.5, 0.2);
    let start = State::new(0.0, [-0.1, r + b, 0.0], [speed, 0.0, -speed / r]);
    println!("    μ   slips at, °   leaves at, °   lands at x, m   rolls with, m/s   5/7 vₓ − 2/7 r ω");
    let limit = ((10.0 + 7.0 * speed * speed / (g * (r + b))) / 17.0_f64).acos().to_degrees();
    let (mut last, mut worst) = (0.0, 0.0_f64);
    for mu in [0.1, 0.3, 1.0, 3.0, 1e5] {
        let system = Marble { m: 0.08, g, r, b, l: 1.0, h, mu }.prepare::<f64>()?;
        let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
        let solution = solve(&system, start, 2.0, &Dop853::new(), &options)?;
        let angle = |state: &State<f64, 3>| (state.q[0] / (r + b)).asin().to_degrees();
        let first = |cause: Cause| solution.instants.iter().find(|instant| instant.cause == cause);
        let slips = first(SLIPS).map_or(f64::NAN, |instant| angle(&instant.after));
        let leaves = first(Cause::Phase("bar", Phase::Open)).ok_or("it stays")?.after;
        let lands = first(Cause::Impact("floor")).ok_or("it does not land")?.before;
        let rolls = solution.last().ok_or("no state")?.v[0];
        let expected = 5.0 / 7.0 * lands.v[0] - 2.0 / 7.0 * r * lands.v[2];
        println!("{mu:5.1e} {slips:11.3} {:14.3} {:15.5} {rolls:17.6} {expected:18.6}", angle(&leaves), lands.q[0]);
        (last, worst) = (angle(&leaves), worst.max((rolls - expected).abs()));
    }
    println!("without slip it leaves at {limit:.3}°");
    if (last - limit).abs() < 1e-2 && worst < 1e-8 {
        Ok(())
    } else {
        Err(format!("{last}° and {limit}°, {worst:e}").into())
    }
}
