//! What forces do the joints of a five-bar linkage carry?
//!
//! Two cranks on the ground move a common tip through two couplers. Each of the four rods is a free body in the plane with the
//! coordinates x, y of its middle and its angle. Each of the five joints is a constraint `left == right` between two points. In
//! M a = F + Gᵀλ with g = left − right, the multiplier λ is the force on the body of the left point, and −λ that on the right.
//!
//! Two laws check the joint forces, which the integration does not use:
//!
//! ```text
//! ∫ (λ_A + λ_B + weight) dt = change of Σ mᵢ vᵢ     the whole has forces only from its two ground joints A, B and its weight,
//! ∫ (τ_A ω_A + τ_B ω_B) dt  = change of T + V       joints do no work.
//! ```
//!
//! Source of the equations: A. A. Shabana, *Dynamics of Multibody Systems*, 4th ed., ch. 3.

use lagrange_runtime::analysis::power_audit;
use lagrange_runtime::prelude::*;

/// Rods 0 and 3 are the cranks, at the ground points A = (0, 0) and B = (base, 0); rods 1 and 2 are the couplers.
#[lagrangian {
    coordinates r[4][2], angle[4];
    const n = 4;
    let along[i in 0..n] = length[i]/2*[cos(angle[i]), sin(angle[i])];
    let start[i in 0..n] = r[i] - along[i];
    let end[i in 0..n]   = r[i] + along[i];

    kinetic   = sum(i in 0..n, m[i]*(norm2(dot(r[i])) + length[i]^2*dot(angle[i])^2/12)/2);
    potential = sum(i in 0..n, m[i]*g*r[i][1]);
    force angle[0] = left;
    force angle[3] = right;

    constraint ground_a: start[0] == [0, 0];
    constraint elbow_a: start[1] == end[0];
    constraint tip: end[1] == end[2];
    constraint elbow_b: start[2] == end[3];
    constraint ground_b: start[3] == [base, 0];

    output impulse  = sum(i in 0..n, m[i]*dot(r[i]));
    output at_a     = multiplier(ground_a);
    output at_b     = multiplier(ground_b);
    output at_tip   = multiplier(tip);
    output position = end[1];
}]
struct FiveBar {
    /// kg
    m: [f64; 4],
    /// m
    length: [f64; 4],
    /// m
    base: f64,
    /// m/s²
    g: f64,
    /// Torque on the left crank, N·m.
    #[input]
    left: f64,
    /// Torque on the right crank, N·m.
    #[input]
    right: f64,
}

type Coordinates = SVector<f64, 12>;

/// The motors follow moving angles of the cranks, with a spring and a damper each.
fn motors(t: f64, q: &Coordinates, v: &Coordinates) -> SVector<f64, 2> {
    let wanted = [2.2 + 0.4 * (3.0 * t).sin(), 0.9 + 0.4 * (2.0 * t).sin()];
    let crank = [FiveBar::INDEX.angle[0], FiveBar::INDEX.angle[3]];
    SVector::from_fn(|k, _| 40.0 * (wanted[k] - q[crank[k]]) - 4.0 * v[crank[k]])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let linkage =
        FiveBar { m: [0.5, 0.6, 0.6, 0.5], length: [0.25, 0.4, 0.4, 0.25], base: 0.2, g: 9.81, left: 0.0, right: 0.0 };
    let system = linkage.prepare::<f64>()?;

    // A rough drawing, which the constraints correct. At rest.
    let drawing = [-0.08, 0.1, -0.02, 0.35, 0.22, 0.35, 0.28, 0.1, 2.2, 1.0, 2.1, 0.9];
    let guess = State::new(0.0, drawing, [0.0; 12]);
    let rest = SVector::from([0.0, 0.0]);
    let start = initialise(&system, &guess, &rest, &Projection::default(), None)?.state;

    let (end, parts, method) = (4.0, 4000, Projected::new(Dop853::new()));
    let options = Options { rtol: 1e-10.into(), atol: 1e-11.into(), dense_output: true, ..Options::default() };
    let solution = solve_with(&system, start, end, &method, &options, &mut motors)?;

    let sensors = |t: f64| -> Result<[f64; 10], Box<dyn std::error::Error>> {
        let State { t, q, v } = solution.sample_on(&system, &Projection::default(), t)?;
        let mut out = [0.0; 10];
        system.outputs(t, &q, &v, &motors(t, &q, &v), &mut out);
        Ok(out)
    };
    println!("  t/s   tip/m            force at A/N       at B/N           at the tip/N");
    let weight = -linkage.g * linkage.m.iter().sum::<f64>();
    let (mut impulse, mut largest) = ([0.0, 0.0], 0.0_f64);
    for k in 0..=parts {
        let t = end * f64::from(k) / f64::from(parts);
        let [_, _, ax, ay, bx, by, tx, ty, x, y] = sensors(t)?;
        // Simpson's rule.
        let share = end / f64::from(3 * parts)
            * if k == 0 || k == parts {
                1.0
            } else if k % 2 == 1 {
                4.0
            } else {
                2.0
            };
        impulse[0] += share * (ax + bx);
        impulse[1] += share * (ay + by + weight);
        largest = largest.max(tx.hypot(ty));
        if k % 500 == 0 {
            println!("{t:5.2} {x:7.3} {y:7.3}  {ax:8.3} {ay:8.3} {bx:8.3} {by:8.3} {tx:8.3} {ty:8.3}");
        }
    }
    let (first, last) = (sensors(0.0)?, sensors(end)?);
    let change = [last[0] - first[0], last[1] - first[1]];
    println!("largest force at the tip: {largest:.2} N");
    println!("impulse of the outer forces ({:.7}, {:.7}) N·s", impulse[0], impulse[1]);
    println!("change of the momentum      ({:.7}, {:.7}) kg·m/s", change[0], change[1]);
    let audit = power_audit(&system, &solution, motors)?;
    let work: f64 = audit.works.iter().map(|(_, work)| work).sum();
    println!("work of the motors {work:.7} J, change of the energy {:.7} J", audit.change);
    let missed = (impulse[0] - change[0]).abs().max((impulse[1] - change[1]).abs());
    if missed > 1e-5 || audit.residual.abs() > 1e-6 {
        return Err(format!("the laws are missed by {missed:.1e} N·s and {:.1e} J", audit.residual).into());
    }
    Ok(())
}
