//! How does a cart swing a hanging pole up and balance it, with a push of limited force?
//!
//! θ is the pole's angle from the upward vertical. Far from it, the cart's acceleration a pumps the energy of the pole:
//!
//! ```text
//! E = ½ m l² θ̇² + m g l (cos θ − 1),    dE/dt = −m l a θ̇ cos θ,    a = k E θ̇ cos θ − 6 x − 3 ẋ
//! ```
//!
//! so that E goes to 0, the energy at rest upright (K. J. Åström, K. Furuta, *Swinging up a pendulum by energy control*,
//! Automatica 36, 2000). The terms in x and ẋ keep the cart near the middle. The push that gives the cart this acceleration
//! follows from M and F of the derived equations. Near the vertical,
//! the linear-quadratic regulator u = −K x takes over, whose cost from the state x is xᵀ X x.
//!
//! The switching rule: |K x| ≤ √(c K X⁻¹ Kᵀ) wherever xᵀ X x ≤ c, and the regulator lowers xᵀ X x. So if the largest push is F, the
//! linearised motion never needs more than F once xᵀ X x < c = F²/(K X⁻¹ Kᵀ). There the regulator takes over. It gives up where
//! xᵀ X x > 4c, so that the law does not chatter between its modes. A computer evaluates it 500 times a second.

use lagrange_runtime::analysis::{linearize, lqr};
use lagrange_runtime::controller::{Law, Saturated};
use lagrange_runtime::nalgebra::{DMatrix, DVector, Vector4};
use lagrange_runtime::prelude::*;
use std::f64::consts::{PI, TAU};

/// A bob on a massless pole, hinged to a cart on a rail.
#[lagrangian {
    coordinates x, theta;
    let bob = [x + l*sin(theta), l*cos(theta)];
    kinetic   = cart*dot(x)^2/2 + m*norm2(dot(bob))/2;
    potential = m*g*bob[1];
    force x   = push;
}]
struct CartPole {
    /// Mass of the cart, kg.
    cart: f64,
    /// Mass of the bob, kg.
    m: f64,
    /// Length of the pole, m.
    l: f64,
    /// Gravity, m/s².
    g: f64,
    /// Force on the cart, N.
    #[input]
    push: f64,
}

/// N.
const LARGEST_PUSH: f64 = 10.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plant = CartPole { cart: 0.5, m: 0.2, l: 0.4, g: 9.81, push: 0.0 };
    let system = plant.prepare::<f64>()?;

    // The regulator: 1 for 1 m of the cart and for 0.3 rad of the pole, 1 for 5 N.
    let upright = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let near = linearize(&system, &upright, &SVector::from([0.0]))?;
    let q = DMatrix::from_diagonal(&DVector::from_row_slice(&[1.0, 10.0, 0.1, 0.1]));
    let regulator = lqr(near.space(), &q, &DMatrix::from_element(1, 1, 0.04))?;
    let (gain, cost) = (&regulator.gain, &regulator.cost);
    let within = cost.clone().cholesky().ok_or("the cost is not definite")?.solve(&gain.transpose());
    let bound = LARGEST_PUSH.powi(2) / (gain * within)[(0, 0)];
    println!("the regulator takes over at a cost of {bound:.3}");
    println!("gain K = {:.3?} N per m, rad, m/s, rad/s", regulator.gain.as_slice());

    let mut feedback = regulator.feedback(&near)?;
    let mut balancing = false;
    let mut takeovers = Vec::new();
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
        let energy = plant.m * plant.l * (plant.l * v[1] * v[1] / 2.0 + plant.g * (theta.cos() - 1.0));
        let wanted = 3.0 * energy * v[1] * theta.cos() - 6.0 * q[0] - 3.0 * v[0];
        // M a = F + push: the row of θ gives θ̈ for the wanted ẍ, the row of x gives the push.
        let at = system.equations(t, q, v, &SVector::from([0.0]));
        let (mass, forcing) = (at.mass_matrix, at.forcing);
        let turning = (forcing[1] - mass[(1, 0)] * wanted) / mass[(1, 1)];
        SVector::from([mass[(0, 0)] * wanted + mass[(0, 1)] * turning - forcing[0]])
    };
    let mut controller = Sampled::of(2e-3, Saturated::new(law, [-LARGEST_PUSH].into(), [LARGEST_PUSH].into()));

    // At rest the law does nothing. So the pole starts 0.01 rad from the downward vertical.
    let hanging = State::new(0.0, [0.0, PI - 0.01], [0.0, 0.0]);
    let solution = solve_with(&system, hanging, 12.0, &Dop853::new(), &Options::default(), &mut controller)?;

    println!("   t/s    x/m   θ/rad    E/J");
    for state in solution.states().step_by(250) {
        let pole = plant.m * plant.l * (plant.l * state.v[1].powi(2) / 2.0 + plant.g * (state.q[1].cos() - 1.0));
        println!("{:6.2} {:6.3} {:7.3} {:6.3}", state.t, state.q[0], state.q[1], pole);
    }
    let farthest = solution.q.iter().fold(0.0, |most: f64, q| most.max(q[0].abs()));
    let last = solution.last().ok_or("no step was made")?;
    let lean = (last.q[1] + PI).rem_euclid(TAU) - PI;
    println!("the regulator took over at {takeovers:.2?} s; the cart moved by {farthest:.2} m at most");
    println!("at the end: {lean:.1e} rad from upright, cart at {:.1e} m", last.q[0]);
    if takeovers.len() != 1 || lean.abs() > 1e-5 || last.q[0].abs() > 1e-5 || farthest > 1.0 {
        return Err("the pole does not stand".into());
    }
    Ok(())
}
