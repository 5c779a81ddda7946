//! How fast does the plane of Foucault's pendulum turn in Beijing?
//!
//! In the frame that turns with the earth, x to the east, y to the north, z upward, the bob at r has the velocity ṙ + Ω × r of an
//! inertial observer, with Ω = Ω (0, cos β, sin β) at the latitude β. So
//!
//! ```text
//! T = ½ m |ṙ + Ω × r|²,    V = m g z,    and the plane turns by −Ω sin β (clockwise in the north).
//! ```
//!
//! g is the gravity that a plumb line shows: it contains the centrifugal force at the point of suspension. The rate is that of
//! small swings (H. Goldstein, C. Poole, J. Safko, *Classical Mechanics*, 3rd ed., 4.10). A pendulum whose path is an ellipse of
//! the half axes a and b precesses by itself, at the rate 3ω ab/(8 l²). So this pendulum starts from its lowest point, which
//! makes b = 0. What is left of the amplitude is of its second order, and is extrapolated from two amplitudes.

use lagrange_runtime::prelude::*;
use std::f64::consts::{PI, TAU};

/// A bob on a wire, in the frame of the earth.
#[lagrangian {
    coordinates x, y;
    let r = [x, y, -sqrt(l^2 - x^2 - y^2)];
    let earth = rate*[0, cos(latitude), sin(latitude)];
    kinetic   = m*norm2(dot(r) + cross(earth, r))/2;
    potential = m*g*r[2];
}]
struct Foucault {
    /// kg
    m: f64,
    /// m
    l: f64,
    /// m/s²
    g: f64,
    /// The earth's angular velocity, rad/s.
    rate: f64,
    /// rad
    latitude: f64,
}

/// The plane's turn over a day, rad, at each passage through the middle: (t, turn). The swings have this amplitude, m.
fn day(pendulum: &Foucault, amplitude: f64) -> Result<Vec<(f64, f64)>, Box<dyn std::error::Error>> {
    // To the north through the lowest point.
    let start = State::new(0.0, [0.0, 0.0], [0.0, amplitude * (pendulum.g / pendulum.l).sqrt()]);
    // Where the bob is nearest to the middle, its velocity shows the plane.
    let approach = |_: f64, q: &SVector<f64, 2>, v: &SVector<f64, 2>| q.dot(v);
    let events = [Event::new(&approach).going(Direction::Rising)];
    let tight = Options { rtol: 1e-11.into(), atol: 1e-12.into(), ..Options::default() };
    let options = Options { events: &events, t_eval: Some(&[]), ..tight };
    let solution = solve(&pendulum.prepare::<f64>()?, start, 86_400.0, &Verner9::new(), &options)?;
    let mut turn = 0.0;
    let passages = solution.events.iter().map(|passage| {
        let v = passage.before.v;
        // The angle from north to west, up to half turns: the one that continues the last.
        let angle = (-v[0]).atan2(v[1]);
        turn = angle + PI * ((turn - angle) / PI).round();
        (passage.before.t, turn)
    });
    Ok(passages.collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (rate, latitude) = (TAU / 86_164.1, 39.9_f64.to_radians());
    let pendulum = Foucault { m: 20.0, l: 20.0, g: 9.801, rate, latitude };
    let closed_form = -rate * latitude.sin();

    let small = day(&pendulum, 0.5)?;
    println!("  t/h   the plane's turn/°   −Ω t sin β/°");
    for (t, turn) in small.iter().step_by(small.len() / 6) {
        println!("{:5.2} {:20.4} {:14.4}", t / 3600.0, turn.to_degrees(), (closed_form * t).to_degrees());
    }
    let rate_of = |passages: &[(f64, f64)]| passages.last().map(|(t, turn)| turn / t).ok_or("no passage was found");
    let (small, large) = (rate_of(&small)?, rate_of(&day(&pendulum, 1.0)?)?);
    // The error is of the second order in the amplitude.
    let limit = (4.0 * small - large) / 3.0;
    for (name, rate) in [("amplitude 1 m", large), ("amplitude 0.5 m", small), ("limit of small swings", limit)] {
        let error = rate / closed_form - 1.0;
        println!("{name:>21}: {:.5} °/h, {error:+.1e} relative to the closed form", (3600.0 * rate).to_degrees());
    }
    println!(
        "closed form {:.5} °/h: {:.2} h for a full turn",
        (3600.0 * closed_form).to_degrees(),
        -TAU / closed_form / 3600.0
    );
    if (limit / closed_form - 1.0).abs() > 1e-5 { Err("the plane turns at another rate".into()) } else { Ok(()) }
}
