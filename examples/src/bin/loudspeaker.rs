//! What is the frequency response of a loudspeaker?
//!
//! x is the cone's way, e the charge through its coil. The magnet couples them by the coenergy bl x ė:
//!
//! ```text
//! m ẍ + damping ẋ + k x = bl ė,    l ë + r ė + bl ẋ = u
//! ```
//!
//! The linearisation A, B, C, D gives the response G(iω) = C (iω − A)⁻¹ B + D of its outputs to the voltage. Two others check it:
//! the closed form of the impedance, u/ė = r + iωl + bl²/(damping + iωm + k/(iω)) (L. L. Beranek, *Acoustics*, 1954, 3.6), and
//! the motion under the voltage cos ωt, of which a Fourier integral over whole periods is taken once the transient has decayed.

use lagrange_runtime::analysis::linearize;
use lagrange_runtime::nalgebra::Complex;
use lagrange_runtime::prelude::*;
use std::f64::consts::TAU;

/// A woofer.
#[lagrangian {
    coordinates x, e;
    lagrangian  = m*dot(x)^2/2 - k*x^2/2 + l*dot(e)^2/2 + bl*x*dot(e);
    dissipation = damping*dot(x)^2/2 + r*dot(e)^2/2;
    force e     = voltage;
    output way     = x;
    output current = dot(e);
}]
struct Loudspeaker {
    /// kg
    m: f64,
    /// N/m
    k: f64,
    /// N·s/m
    damping: f64,
    /// T·m
    bl: f64,
    /// H
    l: f64,
    /// Ω
    r: f64,
    /// V
    #[input]
    voltage: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let speaker = Loudspeaker { m: 0.02, k: 1200.0, damping: 1.0, bl: 8.0, l: 5e-4, r: 6.0, voltage: 0.0 };
    let system = speaker.prepare::<f64>()?;
    let rest = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let near = linearize(&system, &rest, &SVector::from([0.0]))?.with_outputs(&speaker)?;

    println!("  f/Hz  way, mm/V  phase/°  impedance/Ω  simulated: way, mm/V  impedance/Ω");
    let mut worst = 0.0_f64;
    for frequency in [10.0, 20.0, 39.0, 80.0, 160.0, 320.0, 1000.0] {
        let omega = TAU * frequency;
        let found = near.space().response(omega)?;
        let (way, current) = (found[(0, 0)], found[(1, 0)]);

        let mechanical = Complex::new(speaker.damping, omega * speaker.m - speaker.k / omega);
        let impedance = Complex::new(speaker.r, omega * speaker.l) + speaker.bl * speaker.bl / mechanical;
        worst = worst.max((current * impedance - 1.0).norm());

        // The slowest transient decays as exp(−t/(7.5 ms)): after 0.4 s nothing of it is left.
        let mut voltage = |t: f64, _: &SVector<f64, 2>, _: &SVector<f64, 2>| SVector::from([(omega * t).cos()]);
        let (settled, count) = ((0.4 * frequency).ceil() / frequency, 64);
        let times: Vec<f64> = (0..count).map(|i| settled + f64::from(i) / f64::from(count) / frequency).collect();
        let options = Options { rtol: 1e-10.into(), atol: 1e-13.into(), t_eval: Some(&times), ..Options::default() };
        let end = settled + 1.0 / frequency;
        let solution = solve_with(&system, rest, end, &Dop853::new(), &options, &mut voltage)?;
        // The trapezoidal rule over a period is exact for a harmonic.
        let fourier = |value: &dyn Fn(&State<f64, 2>) -> f64| -> Complex<f64> {
            let terms = solution.states().map(|state| Complex::from_polar(value(&state), -omega * state.t));
            terms.sum::<Complex<f64>>() * (2.0 / f64::from(count))
        };
        let (simulated_way, simulated_current) = (fourier(&|state| state.q[0]), fourier(&|state| state.v[1]));
        worst = worst.max((simulated_way / way - 1.0).norm()).max((simulated_current / current - 1.0).norm());
        println!(
            "{frequency:6.0} {:10.5} {:8.2} {:12.4} {:21.5} {:12.4}",
            way.norm() * 1e3,
            way.arg().to_degrees(),
            1.0 / current.norm(),
            simulated_way.norm() * 1e3,
            1.0 / simulated_current.norm()
        );
    }
    println!("largest relative difference between the three: {worst:.1e}");
    if worst > 1e-7 { Err("the responses differ".into()) } else { Ok(()) }
}
