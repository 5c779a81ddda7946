//! How does a controller run on a small computer, in single precision and without std?
//!
//! The file `controller.rs` needs neither std nor an allocator. It has the model of a cart with a pole, the gains as constants, and
//! the law u = −K x. Here, on a large computer, the gains are computed in double precision: for samples of 10 ms, K minimises
//! Σ xᵀ Q x + uᵀ R u (B. D. O. Anderson, J. B. Moore, *Optimal Control: Linear Quadratic Methods*, 2.4). The least value of the sum
//! from the state x is xᵀ X x. Three checks follow: the constants are the computed gains, the law in single precision balances a
//! plant in double precision at this least cost, and it balances the plant in single precision.
//!
//! On a real cart only positions are measured. An observer estimates the velocities: it predicts each sample by the derived equations
//! and corrects by the difference of the positions. Its gain is Kalman's for random pushes on the cart and errors of the encoders: L =
//! P Cᵀ (C P Cᵀ + V)⁻¹, where P is the covariance of the error (the same book, chapter 8). The pole is balanced from a
//! lean of which the observer knows nothing at the start.

mod controller;

use controller::{
    LARGEST_PUSH, PERIOD, PLANT, POSITION_CORRECTION, POSITION_GAIN, VELOCITY_CORRECTION, VELOCITY_GAIN, balance,
    balance_observed, law,
};
use lagrange_runtime::analysis::{SampledSpace, linearize, lqr_sampled};
use lagrange_runtime::controller::Law;
use lagrange_runtime::nalgebra::{DMatrix, DVector, Vector4};
use lagrange_runtime::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = PLANT.prepare::<f64>()?;
    let upright = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let near = linearize(&system, &upright, &SVector::from([0.0]))?;
    let (q, r) = (DMatrix::from_diagonal(&DVector::from_row_slice(&[1.0, 10.0, 0.1, 0.1])), 0.04);
    let period = f64::from(PERIOD);
    let regulator = lqr_sampled(&near.space().sampled(period)?, &q, &DMatrix::from_element(1, 1, r))?;
    let computed = regulator.gain.map(|gain| gain as f32);
    println!("gains computed: {:?}", computed.as_slice());
    println!("gains stored:   {POSITION_GAIN:?} {VELOCITY_GAIN:?}");
    let stored = POSITION_GAIN.iter().chain(&VELOCITY_GAIN);
    if stored.zip(computed.iter()).any(|(stored, computed)| (stored / computed - 1.0).abs() > 1e-6) {
        return Err("the stored gains are not those of the regulator".into());
    }

    observer(&near.space().sampled(period)?)?;

    // Nature has double precision: the law sees measurements rounded to f32.
    let start = State::new(0.0, [0.0, 0.02], [0.0, 0.0]);
    let (mut single, mut cost) = (law(), 0.0);
    let sampled = |t: f64, at: &SVector<f64, 2>, v: &SVector<f64, 2>| {
        let u = f64::from(single.sample(t as f32, &at.map(|x| x as f32), &v.map(|x| x as f32))[0]);
        let x = DVector::from_row_slice(&[at[0], at[1], v[0], v[1]]);
        cost += x.dot(&(&q * &x)) + r * u * u;
        SVector::from([u])
    };
    let mut nature = Sampled::of(period, sampled);
    let mut state = start;
    integrate(&system, &mut state, 20.0, &Dop853::new(), &Options::default(), &mut nature, &mut ())?;
    let x = Vector4::new(start.q[0], start.q[1], 0.0, 0.0);
    let least = x.dot(&(&regulator.cost * x));
    println!("cost from a lean of 0.02 rad: {cost:.6}; xᵀ X x = {least:.6}");
    if (cost / least - 1.0).abs() > 5e-3 {
        return Err("the motion does not have the least cost".into());
    }

    println!("lean at the start/rad   θ/rad and x/m after 10 s, all in single precision");
    for lean in [0.05, 0.1, 0.2, 0.3] {
        let end = balance(lean, 10.0).ok_or("the integration failed")?;
        println!("{lean:21} {:10.1e} {:10.1e}", end.q[1], end.q[0]);
        if end.q[1].abs() > 1e-4 || end.q[0].abs() > 1e-3 {
            return Err(format!("the pole fell from {lean} rad under at most {LARGEST_PUSH} N").into());
        }
    }
    Ok(())
}

/// Computes the observer's gain, compares it with the stored one, and balances with it.
fn observer(plant: &SampledSpace) -> Result<(), Box<dyn std::error::Error>> {
    // Random pushes of 0.5 N, and encoders with errors of 0.2 mm and 1 mrad.
    let measured = DMatrix::identity(2, 4);
    let pushes = &plant.b * plant.b.transpose() * 0.25 + DMatrix::identity(4, 4) * 1e-10;
    let errors = DMatrix::from_diagonal(&DVector::from_row_slice(&[4e-8, 1e-6]));
    let seen = SampledSpace { c: measured, d: DMatrix::zeros(2, 1), ..plant.clone() };
    let filter = seen.kalman(&pushes, &errors)?;
    let gain = &filter.gain;
    // Columns: what the differences of x and of θ correct.
    let stored = [POSITION_CORRECTION, VELOCITY_CORRECTION];
    println!("observer's gain: {:?}", gain.map(|entry| entry as f32).as_slice());
    for row in 0..4 {
        for column in 0..2 {
            let (computed, stored) = (gain[(row, column)] as f32, stored[row / 2][column][row % 2]);
            if (stored - computed).abs() > 1e-6 * computed.abs().max(1.0) {
                return Err(format!("the stored correction is {stored}, the computed one {computed}").into());
            }
        }
    }
    let slowest = filter.poles.iter().fold(0.0_f64, |largest, pole| largest.max(pole.norm()));
    println!("slowest pole of the observer: {slowest:.4}");
    if slowest >= 0.99 {
        return Err("the observer is slow".into());
    }
    for lean in [0.05, 0.1] {
        let (end, estimate) = balance_observed(lean, 10.0).ok_or("the integration failed")?;
        println!("observed from {lean} rad: θ {:.1e}, error of θ̇ {:.1e}", end.q[1], estimate.v[1] - end.v[1]);
        if end.q[1].abs() > 1e-4 || end.q[0].abs() > 1e-3 || (estimate.v[1] - end.v[1]).abs() > 1e-3 {
            return Err(format!("the pole fell from {lean} rad with estimated velocities").into());
        }
    }
    Ok(())
}
