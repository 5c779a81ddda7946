//! Why does a tippe top turn upside down, and how fast does it spin then?
//!
//! A tippe top is a ball whose centre of mass lies the distance a below its middle. Spun about the vertical on its heavy side, it rises onto its light side,
//! although its weight pulls it down. Where it slips on the floor, the friction turns it over, and takes the energy of its spin.
//!
//! No force of the contact has a moment about the contact. So the component of the angular momentum L along the way ρ from the centre of mass to the contact
//! keeps its value, which J. H. Jellett found in 1872:
//!
//! ```text
//! J = L·ρ = const,    ρ = a k − r e_z        d(L·ρ)/dt = (ρ × F)·ρ + L·ρ̇ = 0 + a L·(ω × k) = 0
//! ```
//!
//! with the axis k of the top and L = i₁ ω + (i₃ − i₁)(ω·k) k. At first J = −i₃ ω (r − a), upside down J = −i₃ ω (r + a): the spin falls to (r − a)/(r + a).
//! The program knows nothing of that. It states the energies, the floor and a friction μ N against the slip of the contact, v + ω × ρ.

use lagrange_runtime::prelude::*;

/// A top on a rough floor, turned by a quaternion.
#[lagrangian {
    coordinates p[3], w, x, y, z;
    let turned = rotation([w, x, y, z]);
    let axis   = turned*[0, 0, 1];
    let spin   = angular_velocity_body(turned);
    let lever  = a*axis - [0, 0, r];
    let slip   = dot(p) + cross(turned*spin, lever);
    kinetic   = rigid_body_energy(m, [i1, i1, i3], p, turned);
    potential = m*g*p[2];
    constraint unit: norm2([w, x, y, z]) == 1;
    constraint floor: p[2] + lever[2] == 0;
    friction felt: rate([slip[0], slip[1]]) = mu*abs(multiplier(floor));
    output lean = acos(axis[2]);
    output rate = (turned*spin)[2];
    output jellett = inner(turned*[i1*spin[0], i1*spin[1], i3*spin[2]], lever);
    output slipping = norm([slip[0], slip[1]]);
}]
struct Top {
    m: f64,
    g: f64,
    r: f64,
    a: f64,
    i1: f64,
    i3: f64,
    mu: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (m, r, spin, tilt) = (0.02, 0.02, 155.0, 0.1_f64);
    let (a, i1, i3) = (0.2 * r, 131.0 / 350.0 * m * r * r, 0.4 * m * r * r);
    let system = Top { m, g: 9.81, r, a, i1, i3, mu: 0.1 }.prepare::<f64>()?;
    // It turns about the vertical: q̇ = ω q/2.
    let (sin, cos) = (tilt / 2.0).sin_cos();
    let q = [0.0, 0.0, r - a * tilt.cos(), cos, sin, 0.0, 0.0];
    let start = State::new(0.0, q, [0.0, 0.0, 0.0, 0.0, 0.0, sin * spin / 2.0, cos * spin / 2.0]);
    let times: Vec<f64> = (0..=8).map(|i| 0.5 * f64::from(i)).collect();
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), t_eval: Some(&times), ..Options::default() };
    let solution = solve(&system, start, 4.0, &Projected::new(Dop853::new()), &options)?;

    println!("  t/s   lean, °   ω about the vertical   slip, m/s   energy, mJ   J/J₀ − 1");
    let (mut worst, mut last) = (0.0_f64, [0.0; 4]);
    let first = system.outputs_of(&start)[2].1;
    for state in solution.states() {
        let outputs = system.outputs_of(&state);
        let [lean, rate, jellett, slip] = [0, 1, 2, 3].map(|i| outputs[i].1);
        let energy = 1e3 * system.energies_of(&state).energy;
        let error = jellett / first - 1.0;
        println!("{:5.1} {:9.2} {rate:16.3} {slip:17.5} {energy:12.4} {error:13.1e}", state.t, lean.to_degrees());
        (worst, last) = (worst.max(error.abs()), [lean, rate, jellett, slip]);
    }
    let rolls = solution.instants.last().map_or(f64::NAN, |instant| instant.after.t);
    // ω = −J/(i₃ (r + a)) for a top that stands upside down.
    let inverted = -first / (i3 * (r + a));
    println!("it rolls from {rolls:.3} s on; upside down J says {inverted:.3} rad/s, ω is {:.3}", last[1]);
    let is_right = worst < 1e-8 && last[0].to_degrees() > 170.0 && (last[1] / inverted - 1.0).abs() < 0.01;
    if is_right { Ok(()) } else { Err(format!("it did not turn over as Jellett says: {worst:e}, {last:?}").into()) }
}
