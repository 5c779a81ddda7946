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
//! makes b = 0.

use lagrange_runtime::prelude::*;

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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (day, latitude) = (86_164.1, 39.9_f64);
    let pendulum =
        Foucault { m: 20.0, l: 20.0, g: 9.801, rate: std::f64::consts::TAU / day, latitude: latitude.to_radians() };
    let system = pendulum.prepare::<f64>()?;
    // To the north through the lowest point, with an amplitude of 0.5 m.
    let start = State::new(0.0, [0.0, 0.0], [0.0, 0.5 * (pendulum.g / pendulum.l).sqrt()]);

    // Where the bob is nearest to the middle, its velocity shows the plane.
    let approach = |_: f64, q: &SVector<f64, 2>, v: &SVector<f64, 2>| q.dot(v);
    let events = [Event::new(&approach).going(Direction::Rising)];
    let hours: Vec<f64> = (0..=24).map(|hour| 3600.0 * f64::from(hour)).collect();
    let options =
        Options { rtol: 1e-11.into(), atol: 1e-12.into(), events: &events, t_eval: Some(&hours), ..Options::default() };
    let solution = solve(&system, start, 86_400.0, &Verner9::new(), &options)?;

    println!("t/h   the plane's turn, °   −Ω t sin β, °");
    let closed_form = -pendulum.rate * pendulum.latitude.sin();
    let (mut turn, mut shown, mut worst) = (0.0_f64, 0, 0.0_f64);
    for passage in &solution.events {
        let v = passage.before.v;
        // The azimuth from north to west, and the branch of it modulo half a turn that continues the last.
        let azimuth = (-v[0]).atan2(v[1]);
        turn = azimuth + std::f64::consts::PI * ((turn - azimuth) / std::f64::consts::PI).round();
        let expected = closed_form * passage.before.t;
        worst = worst.max((turn - expected).abs());
        if passage.before.t >= f64::from(shown) * 14_400.0 {
            println!("{:5.2} {:14.4} {:17.4}", passage.before.t / 3600.0, turn.to_degrees(), expected.to_degrees());
            shown += 1;
        }
    }
    let last = solution.events.last().ok_or("no passage was found")?.before.t;
    let rate = turn / last;
    println!("{} passages; rate {:.4} °/h", solution.events.len(), (rate * 3600.0).to_degrees());
    println!(
        "closed form {:.4} °/h: {:.2} h for a full turn",
        (closed_form * 3600.0).to_degrees(),
        -std::f64::consts::TAU / closed_form / 3600.0
    );
    println!("relative difference {:.1e}, for swings of (0.5 m/20 m)² = 6e-4", rate / closed_form - 1.0);
    if (rate / closed_form - 1.0).abs() > 1e-4 { Err("the plane turns at another rate".into()) } else { Ok(()) }
}
