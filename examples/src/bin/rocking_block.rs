//! How fast does a rocking block come to rest, and how much speed does each impact take?
//!
//! A block stands on its right edge, tilted by θ₀, and is let go. It turns about that edge until its left edge meets the ground, and goes
//! on about the left one. The impact has no moment about the new edge, so that the angular momentum about it is kept, which Housner
//! used in 1963:
//!
//! ```text
//! ω⁺/ω⁻ = r = 1 − (3/2) sin² α,    tan α = b/h
//! ```
//!
//! For a slender block and small tilts, the time from an impact to the next one follows from θ" = −p² (α − |θ|) with p² = 3 g/(4 R), where R
//! is half of the diagonal: a quarter of a swing to the tilt θ₀ takes arcosh(1/(1 − θ₀/α))/p. With energies that fall by r² at each
//! impact, the sum of all swings is the time at which the block stands.
//!
//! The edges are contacts with friction. The rule for impacts knows nothing of Housner's argument.

use lagrange_runtime::prelude::*;

/// A rigid block of half width b and half height h.
#[lagrangian {
    coordinates x, y, theta;
    let left_edge  = [x, y] + [-b*cos(theta) + h*sin(theta), -b*sin(theta) - h*cos(theta)];
    let right_edge = [x, y] + [b*cos(theta) + h*sin(theta), b*sin(theta) - h*cos(theta)];
    kinetic   = (dot(x)^2 + dot(y)^2)/2 + (b^2 + h^2)/3*dot(theta)^2/2;
    potential = g*y;
    contact left:  left_edge[1] >= 0, friction = mu, slip = left_edge[0];
    contact right: right_edge[1] >= 0, friction = mu, slip = right_edge[0];
}]
struct Block {
    b: f64,
    h: f64,
    g: f64,
    mu: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (b, h, g, tilt) = (0.1, 0.4, 9.81, 0.01_f64);
    let system = Block { b, h, g, mu: 1.0 }.prepare::<f64>()?;
    let (sin, cos) = tilt.sin_cos();
    let start = State::new(0.0, [-b * cos + h * sin, b * sin + h * cos, -tilt], [0.0; 3]);
    let (method, options) = (Dop853::new(), Options { rtol: 1e-11.into(), atol: 1e-12.into(), ..Options::default() });
    let mut inputs = DefaultInputs::of(&system);
    let mut stepper = Stepper::new(&system, start, 20.0, &method, &options, &mut inputs)?;

    let alpha = (b / h).atan();
    let (ratio, p) = (1.0 - 1.5 * alpha.sin().powi(2), (0.75 * g / b.hypot(h)).sqrt());
    println!("impact   t/s        ω before, rad/s   ratio of ω to the one before   (r = {ratio:.8})");
    let (mut impacts, mut speeds, mut stands) = (0, Vec::<f64>::new(), 0.0);
    while !stepper.is_finished() {
        stepper.step()?;
        let (state, made) = (stepper.state()?, stepper.statistics().impacts);
        let speed = state.v[2].abs();
        impacts = made;
        // The step that goes over an impact ends with the velocities before it.
        if speed > 1e-9 && state.q[2].abs() < 1e-12 && speeds.last().is_none_or(|last| speed < 0.9999 * last) {
            if speeds.len() < 5 {
                let before = speeds.last().map_or(f64::NAN, |last| speed / last);
                println!("{:6} {:11.7} {speed:16.8} {before:16.8}", speeds.len() + 1, state.t);
            }
            speeds.push(speed);
            stands = state.t;
        }
    }
    let last = stepper.state()?;
    // A swing from the speed ω₁ and back takes 2 arcosh(1/(1 − θ/α))/p, with 1 − θ/α = √(1 − (ω₁/(p α))²).
    let swing = |kept: f64| (1.0 / (1.0 - kept).sqrt()).acosh();
    let first = 1.0 - (1.0 - tilt / alpha).powi(2);
    let sum: f64 = (1..2000).map(|n| swing(first * ratio.powi(2 * n))).sum();
    let closed = (swing(first) + 2.0 * sum) / p;
    println!("it stands from {stands:.5} s on after {impacts} impacts; for small tilts {closed:.5} s");
    println!("tilt {:.1e} rad at t = {} s", last.q[2], last.t);
    let worst = speeds.windows(2).take(20).map(|pair| (pair[1] / pair[0] / ratio - 1.0).abs()).fold(0.0, f64::max);
    let is_right = worst < 1e-7 && (stands / closed - 1.0).abs() < 2e-2 && last.v.amax() < 1e-12;
    if is_right { Ok(()) } else { Err(format!("not as Housner says: {worst:e}, {stands} of {closed}").into()) }
}
