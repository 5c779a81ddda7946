//! What does it cost to pull a sticky pad off a plate?
//!
//! An arm that moves by s(t) = c sin(ω t) holds a pad by a spring k. The pad is pressed on a plate, adheres to it with the force f, and is pulled off: at the time arcsin(f/(k c))/ω, where k s = f. The
//! spring has then stored f²/(2k). All of this goes to the pad, which swings, and to its damper; what the arm gave on the way up it does not get back on the way down. So the
//! force has a loop over a cycle, as in an atomic force microscope, with the area
//!
//! ```text
//! W = f²/(2k)
//! ```
//!
//! for any mass, damping and amplitude with k c > f, if the cycle is slow beside the decay d/m. A softer spring wastes more. Besides, a faster cycle pays for the drag d of the pad, which moves with the arm, and catches up with it by f/k
//! when it lets go. To the first order in ω this is
//!
//! ```text
//! d c² ω ((π − φ)/2 + sin 2φ/4)        φ = arcsin(f/(k c))
//! ```

use lagrange_runtime::instant::{Cause, Phase};
use lagrange_runtime::prelude::*;

/// A pad on a spring over a plate, and the work of the arm that moves the other end of the spring.
#[lagrangian {
    coordinates y;
    let arm     = c*sin(omega*t);
    kinetic     = m*dot(y)^2/2;
    potential   = k*(y - arm)^2/2;
    dissipation = d*dot(y)^2/2;
    contact plate: y >= 0, adhesion = f;
    state work: dot(work) == k*(arm - y)*dot(arm);
}]
struct Pad {
    /// kg
    m: f64,
    /// N/m
    k: f64,
    /// N s/m
    d: f64,
    /// N
    f: f64,
    /// m
    c: f64,
    /// rad/s
    omega: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (f, c) = (5.0_f64, 0.02);
    println!("  k, N/m  ω, rad/s   lets go, s   work, mJ   f²/(2k)   and drag");
    let mut worst = [0.0_f64; 2];
    for (k, omega) in [(1000.0, 2.0), (1000.0, 1.0), (1000.0, 0.5), (1000.0, 0.1), (500.0, 0.1), (2000.0, 0.1)] {
        let d = 1.0;
        let system = Pad { m: 0.01, k, d, f, c, omega }.prepare::<f64>()?;
        let period = 2.0 * std::f64::consts::PI / omega;
        let options = Options { rtol: 1e-9.into(), atol: 1e-11.into(), ..Options::default() };
        let solution = solve(&system, State::new(0.0, [0.0; 2], [0.0; 2]), period, &Dop853::new(), &options)?;
        let lets_go = solution.instants.iter().find(|instant| instant.cause == Cause::Phase("plate", Phase::Open));
        let lets_go = lets_go.ok_or("the pad does not let go")?.after.t;
        let work = solution.last().ok_or("no step was made")?.v[1];
        let phase = (f / (k * c)).asin();
        let slow = f * f / (2.0 * k);
        let drag = d * c * c * omega * ((std::f64::consts::PI - phase) / 2.0 + (2.0 * phase).sin() / 4.0);
        let (slow_in_mj, sum) = (1e3 * slow, 1e3 * (slow + drag));
        println!("{k:8} {omega:9} {lets_go:12.6} {:10.4} {slow_in_mj:9.4} {sum:10.4}", 1e3 * work);
        worst[0] = worst[0].max((lets_go - phase / omega).abs());
        // The rest is of the second order in ω.
        worst[1] = worst[1].max((work - slow - drag).abs() / (slow * omega * omega));
    }
    println!("the times are arcsin(f/(k c))/ω to {:.0e} s", worst[0]);
    if worst[0] < 1e-9 && worst[1] < 0.02 { Ok(()) } else { Err(format!("not the closed forms: {worst:?}").into()) }
}
