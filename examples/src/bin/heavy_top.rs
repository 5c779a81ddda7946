//! How does a heavy top nod, and do three descriptions of it agree?
//!
//! A symmetric top on a fixed tip has the moments of inertia i₁ across its axis and i₃ along it. It is described
//!
//! 1. by Euler's angles θ, φ, ψ, which are singular where the axis is vertical;
//! 2. by a unit quaternion, with one constraint;
//! 3. by the nine Cartesian components of a body-fixed frame, with six constraints and a constant mass matrix:
//!    T = ½ (J₁ |ḋ₁|² + J₁ |ḋ₂|² + J₃ |ḋ₃|²) with 2J₁ = i₃ and J₁ + J₃ = i₁.
//!
//! The top spins at ω₃ and is let go at the tilt θ₀. The closed form: with u = cos θ, it nods between u₀ and the root u₁ < u₀ of
//! 1 − u² = 2λ (u₀ − u), that is u₁ = λ − √(λ² − 2λ u₀ + 1), with λ = i₃² ω₃²/(4 i₁ m g l) (H. Goldstein, C. Poole,
//! J. Safko, *Classical Mechanics*, 3rd ed., 5.7).

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta, phi, psi;
    kinetic   = i1*(dot(theta)^2 + sin(theta)^2*dot(phi)^2)/2 + i3*(dot(psi) + dot(phi)*cos(theta))^2/2;
    potential = m*g*l*cos(theta);
    output axis = [sin(theta)*sin(phi), -sin(theta)*cos(phi), cos(theta)];
}]
struct ByAngles {
    m: f64,
    l: f64,
    g: f64,
    i1: f64,
    i3: f64,
}

#[lagrangian {
    coordinates a, b, c, d;
    let spin = angular_velocity_body([a, b, c, d]);
    let top = rotation([a, b, c, d])*[0, 0, 1];
    kinetic   = (i1*(spin[0]^2 + spin[1]^2) + i3*spin[2]^2)/2;
    potential = m*g*l*top[2];
    constraint unit: a^2 + b^2 + c^2 + d^2 == 1;
    output axis = top;
}]
struct ByQuaternion {
    m: f64,
    l: f64,
    g: f64,
    i1: f64,
    i3: f64,
}

#[lagrangian {
    coordinates d[3][3];
    kinetic   = (i3/2*(norm2(dot(d[0])) + norm2(dot(d[1]))) + (i1 - i3/2)*norm2(dot(d[2])))/2;
    potential = m*g*l*d[2][2];
    assume i1 > i3/2;
    constraint unit[i in 0..3]: norm2(d[i]) == 1;
    constraint across: [inner(d[0], d[1]), inner(d[1], d[2]), inner(d[2], d[0])] == [0, 0, 0];
    output axis = d[2];
}]
struct ByFrame {
    m: f64,
    l: f64,
    g: f64,
    i1: f64,
    i3: f64,
}

/// The unit vector along the axis, every millisecond for a second.
fn axes<const N: usize, const C: usize>(
    system: &impl System<f64, N, C, 0>,
    start: State<f64, N>,
    method: &impl Method<f64, N, C>,
) -> Result<Vec<[f64; 3]>, Box<dyn std::error::Error>> {
    let times: Vec<f64> = (0..=1000).map(|k| 1e-3 * f64::from(k)).collect();
    let options = Options { rtol: 1e-11.into(), atol: 1e-12.into(), t_eval: Some(&times), ..Options::default() };
    let solution = solve(system, start, 1.0, method, &options)?;
    let none = SVector::from([]);
    let read = |state: State<f64, N>| {
        let mut axis = [0.0; 3];
        system.outputs(state.t, &state.q, &state.v, &none, &mut axis);
        axis
    };
    Ok(solution.states().map(read).collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 0.2 kg, 5 cm above the tip, spinning at 150 rad/s, let go at 30°.
    let (m, l, g, i1, i3) = (0.2, 0.05, 9.81, 7e-4, 2e-4);
    let (tilt, rate) = (30.0_f64.to_radians(), 150.0);
    let ((sin, cos), (half_sin, half_cos)) = (tilt.sin_cos(), (tilt / 2.0).sin_cos());

    let angles = State::new(0.0, [tilt, 0.0, 0.0], [0.0, 0.0, rate]);
    let by_angles = axes(&ByAngles { m, l, g, i1, i3 }.prepare::<f64>()?, angles, &Verner9::new())?;
    // The rate of a quaternion is half its product with the angular velocity in the body.
    let half = rate / 2.0;
    let quaternion = State::new(0.0, [half_cos, half_sin, 0.0, 0.0], [0.0, 0.0, -half * half_sin, half * half_cos]);
    let method = Projected::new(Verner9::new());
    let by_quaternion = axes(&ByQuaternion { m, l, g, i1, i3 }.prepare::<f64>()?, quaternion, &method)?;
    // The rates of the frame: ḋ₁ = ω d₂, ḋ₂ = −ω d₁.
    let frame = State::new(
        0.0,
        [1.0, 0.0, 0.0, 0.0, cos, sin, 0.0, -sin, cos],
        [0.0, rate * cos, rate * sin, -rate, 0.0, 0.0, 0.0, 0.0, 0.0],
    );
    let method = Projected::new(Verner9::new());
    let by_frame = axes(&ByFrame { m, l, g, i1, i3 }.prepare::<f64>()?, frame, &method)?;

    println!("  t/s  tilt/°    quaternion and frame minus Euler's angles");
    let distance = |one: &[f64; 3], other: &[f64; 3]| (0..3).map(|k| (one[k] - other[k]).powi(2)).sum::<f64>().sqrt();
    let (mut worst, mut lowest) = (0.0_f64, 1.0_f64);
    for (k, axis) in by_angles.iter().enumerate() {
        let (of_quaternion, of_frame) = (distance(&by_quaternion[k], axis), distance(&by_frame[k], axis));
        worst = worst.max(of_quaternion).max(of_frame);
        lowest = lowest.min(axis[2]);
        if k % 100 == 0 {
            println!(
                "{:5.2} {:7.3} {of_quaternion:12.1e} {of_frame:12.1e}",
                1e-3 * k as f64,
                axis[2].acos().to_degrees()
            );
        }
    }
    let spin = i3 * i3 * rate * rate / (4.0 * i1 * m * g * l);
    let root = spin - (spin * spin - 2.0 * spin * cos + 1.0).sqrt();
    println!("largest tilt {:.4}°, closed form {:.4}°", lowest.acos().to_degrees(), root.acos().to_degrees());
    println!("largest distance between the three: {worst:.1e}");
    // The samples miss the lowest point by half a millisecond at most.
    if worst > 1e-7 || lowest < root - 1e-9 || lowest > root + 2e-4 { Err("they do not agree".into()) } else { Ok(()) }
}
