//! How long is the period of van der Pol's circuit, between a sine and a relaxation?
//!
//! A coil L and a capacitor C are in parallel with a resistor that gives power at small voltages and takes it at large ones: its current is
//! g (u³/(3 U²) − u). The voltage u and the current i of the coil are states, and the block has no coordinate:
//!
//! ```text
//! C u̇ = g (u − u³/(3 U²)) − i,   L di/dt = u
//! ```
//!
//! In units of √(LC) only μ = g √(L/C) is left. The period is 2π (1 + μ²/16) for small μ, (3 − 2 ln 2) μ + 7.0143 μ^(−1/3) + … for large
//! μ, and 6.6632868593… at μ = 1 (B. van der Pol, *On "relaxation-oscillations"*, Phil. Mag. 2, 1926; C. M. Andersen, J. F. Geer, *Power
//! series expansions for the frequency and period of the limit cycle of the van der Pol equation*, SIAM J. Appl. Math. 42, 1982).

use lagrange_runtime::analysis::Shooting;
use lagrange_runtime::prelude::*;

/// Van der Pol's circuit.
#[lagrangian {
    let resistor = g*(voltage^3/(3*scale^2) - voltage);
    state voltage: dot(voltage) == -(resistor + current)/c;
    state current: dot(current) == voltage/l;
}]
struct Circuit {
    c: f64,
    l: f64,
    g: f64,
    scale: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (c, l): (f64, f64) = (1e-6, 1e-2);
    let (unit, impedance) = ((l * c).sqrt(), (l / c).sqrt());
    let (tight, method) = (SharedOptions { rtol: 1e-11, atol: 1e-11, ..SharedOptions::default() }, Dop853::new());
    println!("{:>6} {:>15} {:>15} {:>15} {:>12}", "μ", "period/√(LC)", "small μ", "large μ", "multiplier");
    let mut guess = (2.0 * std::f64::consts::PI, 0.0);
    for mu in [0.1_f64, 0.3, 1.0, 2.0, 3.0] {
        let circuit = Circuit { c, l, g: mu / impedance, scale: 1.0 };
        let start = State::new(0.0, [0.0, 0.0], [2.0, guess.1]);
        let found = Shooting::new(start, guess.0 * unit).with_fixed_velocity(0).find(&circuit, &method, &tight)?;
        let period = found.period / unit;
        if period > 1.5 * guess.0 {
            return Err(format!("{period} is several periods; the last one was {}", guess.0).into());
        }
        guess = (period, found.start.v[1]);
        let small = 2.0 * std::f64::consts::PI * (1.0 + mu * mu / 16.0);
        let large = (3.0 - 2.0 * 2.0_f64.ln()) * mu + 7.0143 * mu.powf(-1.0 / 3.0);
        // One multiplier is 1. The other says how much of a deviation is left after a period.
        let left = found.multipliers.iter().map(|each| each.norm()).fold(f64::INFINITY, f64::min);
        println!("{mu:>6} {period:>15.10} {small:>15.6} {large:>15.6} {left:>12.3e}");
        if mu == 1.0 && (period - 6.663_286_859_3).abs() > 1e-8 {
            return Err(format!("the period {period} at μ = 1 is not the published one").into());
        }
        if mu == 0.1 && (period / small - 1.0).abs() > 1e-5 {
            return Err(format!("the period {period} is not near that of small μ").into());
        }
    }
    Ok(())
}
