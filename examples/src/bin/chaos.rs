//! Is a motion chaotic, and how fast do its neighbours part?
//!
//! Hénon and Heiles's potential V = ½ (x² + y²) + x² y − y³/3 has regular and chaotic motions side by side (M. Hénon, C. Heiles,
//! *The applicability of the third integral of motion*, Astron. J. 69, 1964). The energy here is 0.16, a little below 1/6, from which on
//! motions escape. Neighbours of a motion part as
//! exp(λt), with a Lyapunov exponent λ for each dimension of the phase space. What must hold for any Hamiltonian motion:
//!
//! ```text
//! λ₁ + λ₂ + λ₃ + λ₄ = 0 (Liouville),    λ₄ = −λ₁, λ₃ = −λ₂,    λ₂ = λ₃ = 0 (the energy is constant)
//! ```
//!
//! λ₁ is 0 for a regular motion, and positive for a chaotic one. The measured values at finite time t have errors of the order
//! (ln t)/t. All chaotic motions of one connected region have the same λ₁: two starts in it must agree (G. Benettin, L. Galgani,
//! J.-M. Strelcyn, *Kolmogorov entropy and numerical experiments*, Phys. Rev. A 14, 1976). In a finite time they agree the better the
//! less of the region is near regular motions, where a chaotic motion may stay for long. After t = 10⁴ the values of neighbours differ by
//! a tenth at the energy 0.16, and by a factor of two at 1/8.

use lagrange_runtime::analysis::LyapunovSpectrum;
use lagrange_runtime::prelude::*;

/// A star in the plane through the axis of a galaxy. Without units.
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = (x^2 + y^2)/2 + c*(x^2*y - y^3/3);
    invariant total = energy;
}]
struct HenonHeiles {
    c: f64,
}

/// At x = 0 with this y and ẏ = 0, and with the energy 0.16.
fn section(y: f64) -> State<f64, 2> {
    let x_dot = (0.32 - y * y + 2.0 / 3.0 * y * y * y).sqrt();
    State::new(0.0, [0.0, y], [x_dot, 0.0])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let galaxy = HenonHeiles { c: 1.0 };
    // A symplectic method: its tangent flow keeps volumes to round-off.
    let method = Gauss::<_, 3>::new(0.25);
    let (interval, count) = (10.0, 1000);
    let time = interval * count as f64;
    let spectrum = LyapunovSpectrum::new(interval, count).with_transient(20);

    println!("motion      λ₁         λ₂         λ₃         λ₄         sum");
    let mut largest = Vec::new();
    for (name, y) in [("regular", 0.1), ("chaotic", -0.25), ("chaotic", -0.016)] {
        let found = spectrum.of(&galaxy, &section(y), &method, &Options::default())?;
        let sum: f64 = found.iter().sum();
        let [first, second, third, fourth] = found[..] else { return Err("there are four exponents".into()) };
        println!("{name} {first:10.5} {second:10.5} {third:10.5} {fourth:10.5}    {sum:8.1e}");
        let error = time.ln() / time;
        if sum.abs() > 1e-10 {
            return Err(format!("the sum of the exponents is {sum}").into());
        }
        if (first + fourth).abs() > error || (second + third).abs() > error || second.abs() > 3.0 * error {
            return Err("the exponents do not come in pairs, one of them 0".into());
        }
        largest.push(first);
    }
    let [regular, one, other] = largest[..] else { return Err("there are three motions".into()) };
    println!("after t = {time}: neighbours of a chaotic motion part by a factor e in {:.0}", 2.0 / (one + other));
    if regular > 3.0 * time.ln() / time {
        return Err("the regular motion is chaotic".into());
    }
    if (one - other).abs() > 0.25 * one || one < 0.08 { Err("the chaotic motions disagree".into()) } else { Ok(()) }
}
