//! How does Furuta's pendulum swing up and balance on an arm that turns horizontally?
//!
//! A motor turns an arm of the radius r by φ. At its end a pendulum turns by θ about the arm, θ = 0 upright. For the energy
//! E = ½ m l² θ̇² + m g l (cos θ − 1) of the pendulum, the equation of θ gives
//!
//! ```text
//! dE/dt = −m l r θ̇ cos θ (φ̈ − (l/r) φ̇² sin θ)
//! ```
//!
//! With φ̈ = (l/r) φ̇² sin θ + k E θ̇ cos θ − 12 φ − 4 φ̇, E goes to 0, the energy at rest upright (K. J. Åström, K. Furuta,
//! *Swinging up a pendulum by energy control*, Automatica 36, 2000). The last two terms keep the arm near the middle. The torque
//! that gives the arm this acceleration follows from M and F of the derived equations. Near the vertical, the linear-quadratic
//! regulator u = −K x takes over, whose cost from the state x is xᵀ X x. The mechanism is that of K. Furuta, M. Yamakita,
//! S. Kobayashi, *Swing-up control of inverted pendulum using pseudo-state feedback*, Proc. IMechE I 206, 1992.
//!
//! The switching rule: |K x| ≤ √(c K X⁻¹ Kᵀ) wherever xᵀ X x ≤ c, and the regulator lowers xᵀ X x. So if the largest torque is τ, the
//! linearised motion never needs more than τ once xᵀ X x < c = τ²/(K X⁻¹ Kᵀ). There the regulator takes over. It gives up where
//! xᵀ X x > 4c, so that the law does not chatter between its modes. A computer evaluates it 500 times a second.

use lagrange_runtime::analysis::{linearize, lqr};
use lagrange_runtime::controller::{Law, Saturated};
use lagrange_runtime::nalgebra::{DMatrix, DVector, Vector4};
use lagrange_runtime::prelude::*;
use std::f64::consts::{PI, TAU};

/// A bob on a massless rod, at the end of an arm.
#[lagrangian {
    coordinates phi, theta;
    let outward = [cos(phi), sin(phi), 0];
    let forward = [-sin(phi), cos(phi), 0];
    let bob = r*outward + l*sin(theta)*forward + l*cos(theta)*[0, 0, 1];
    kinetic   = arm*dot(phi)^2/2 + m*norm2(dot(bob))/2;
    potential = m*g*bob[2];
    force phi = torque;

    verify mass[phi, phi] == arm + m*r^2 + m*l^2*sin(theta)^2;
    verify mass[phi, theta] == m*l*r*cos(theta);
}]
struct Furuta {
    /// Moment of inertia of the arm with its motor, kg m².
    arm: f64,
    /// Radius of the arm, m.
    r: f64,
    /// Mass of the bob, kg.
    m: f64,
    /// Length of the rod, m.
    l: f64,
    /// Gravity, m/s².
    g: f64,
    /// Torque of the motor, N·m.
    #[input]
    torque: f64,
}

/// N·m.
const LARGEST_TORQUE: f64 = 0.3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plant = Furuta { arm: 2e-3, r: 0.2, m: 0.05, l: 0.2, g: 9.81, torque: 0.0 };
    let system = plant.prepare::<f64>()?;

    // The regulator: 1 for 1 rad of the arm and for 0.3 rad of the pendulum, 1 for 0.1 N·m.
    let upright = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let near = linearize(&system, &upright, &SVector::from([0.0]))?;
    let q = DMatrix::from_diagonal(&DVector::from_row_slice(&[1.0, 10.0, 0.1, 0.1]));
    let regulator = lqr(near.space(), &q, &DMatrix::from_element(1, 1, 100.0))?;
    let (gain, cost) = (&regulator.gain, &regulator.cost);
    let within = cost.clone().cholesky().ok_or("the cost is not definite")?.solve(&gain.transpose());
    let bound = LARGEST_TORQUE.powi(2) / (gain * within)[(0, 0)];
    println!("the regulator takes over at a cost of {bound:.3}");
    println!("gain K = {:.4?} N·m per rad, rad, rad/s, rad/s", regulator.gain.as_slice());

    let mut feedback = regulator.feedback(&near)?;
    let mut balancing = false;
    let mut takeovers = Vec::new();
    let energy =
        |theta: f64, rate: f64| plant.m * plant.l * (plant.l * rate * rate / 2.0 + plant.g * (theta.cos() - 1.0));
    let law = |t: f64, q: &SVector<f64, 2>, v: &SVector<f64, 2>| {
        let theta = (q[1] + PI).rem_euclid(TAU) - PI;
        let x = Vector4::new(q[0], theta, v[0], v[1]);
        let remaining = x.dot(&(cost * x));
        let before = balancing;
        balancing = remaining < if balancing { 4.0 * bound } else { bound };
        if balancing {
            if !before {
                takeovers.push(t);
            }
            return feedback.sample(t, &SVector::from([q[0], theta]), v);
        }
        let pump = 100.0 * energy(theta, v[1]) * v[1] * theta.cos();
        let wanted = plant.l / plant.r * v[0] * v[0] * theta.sin() + pump - 12.0 * q[0] - 4.0 * v[0];
        // M a = F + torque: the row of θ gives θ̈ for the wanted φ̈, the row of φ gives the torque.
        let at = system.equations(t, q, v, &SVector::from([0.0]));
        let (mass, forcing) = (at.mass_matrix, at.forcing);
        let turning = (forcing[1] - mass[(1, 0)] * wanted) / mass[(1, 1)];
        SVector::from([mass[(0, 0)] * wanted + mass[(0, 1)] * turning - forcing[0]])
    };
    let mut controller = Sampled::of(2e-3, Saturated::new(law, [-LARGEST_TORQUE].into(), [LARGEST_TORQUE].into()));

    // At rest the law does nothing. So the pendulum starts 0.01 rad from the downward vertical.
    let hanging = State::new(0.0, [0.0, PI - 0.01], [0.0, 0.0]);
    let solution = solve_with(&system, hanging, 8.0, &Dop853::new(), &Options::default(), &mut controller)?;

    println!("   t/s  φ/rad   θ/rad   E/mJ");
    for state in solution.states().step_by(250) {
        let energy = 1e3 * energy(state.q[1], state.v[1]);
        println!("{:6.2} {:6.3} {:7.3} {:7.2}", state.t, state.q[0], state.q[1], energy);
    }
    let farthest = solution.q.iter().fold(0.0, |most: f64, q| most.max(q[0].abs()));
    let last = solution.last().ok_or("no step was made")?;
    let lean = (last.q[1] + PI).rem_euclid(TAU) - PI;
    println!("the regulator took over at {takeovers:.2?} s; the arm turned by {farthest:.2} rad at most");
    println!("at the end: {lean:.1e} rad from upright, arm at {:.1e} rad", last.q[0]);
    if takeovers.len() != 1 || lean.abs() > 1e-6 || last.q[0].abs() > 1e-5 || farthest > PI {
        return Err("the pendulum does not stand".into());
    }
    Ok(())
}
