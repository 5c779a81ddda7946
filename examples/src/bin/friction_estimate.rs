//! How well do noisy measurements of a pendulum determine its friction?
//!
//! The model has a viscous friction in the hinge: m l² θ̈ = −m g l sin θ − c θ̇. Its angle is measured 200 times, with normal errors
//! of 5 mrad. c, g and the angle at release are estimated by least squares. The estimate is within its own covariance C if
//! d² = δᵀ C⁻¹ δ, with δ the estimate minus the truth, follows a χ² distribution of 3 degrees of freedom: mean 3, and at most
//! 11.34 in 99 of 100 recordings. χ² of the residuals has the mean 200 − 3 and the standard deviation √(2·197) = 20 (P. R.
//! Bevington, D. K. Robinson, *Data Reduction and Error Analysis*, 3rd ed., ch. 8 and 11).

use lagrange_runtime::analysis::{Estimation, Sample};
use lagrange_runtime::nalgebra::DVector;
use lagrange_runtime::prelude::*;

/// A pendulum with viscous friction.
#[lagrangian {
    coordinates theta;
    kinetic     = m*l^2*dot(theta)^2/2;
    potential   = -m*g*l*cos(theta);
    dissipation = c*dot(theta)^2/2;
}]
#[derive(Clone)]
struct Pendulum {
    /// kg
    m: f64,
    /// m
    l: f64,
    /// m/s²
    g: f64,
    /// N·m·s
    c: f64,
}

/// Normal random numbers of variance 1, from a seed: G. Marsaglia's xorshift64, and the transformation of Box and Muller.
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let truth = Pendulum { m: 0.5, l: 0.6, g: 9.81, c: 0.012 };
    let released = State::new(0.0, [1.2], [0.0]);
    let deviation = 5e-3;

    // The exact motion at 20 measurements a second.
    let times: Vec<f64> = (1..=200).map(|k| 0.05 * f64::from(k)).collect();
    let options = Options { rtol: 1e-10.into(), t_eval: Some(&times), ..Options::default() };
    let motion = solve(&truth.prepare::<f64>()?, released, 10.0, &Dop853::new(), &options)?;

    // What somebody knows who has not measured.
    let (guess, start) = (Pendulum { g: 9.5, c: 0.0, ..truth.clone() }, State::new(0.0, [1.0], [0.0]));
    let method = Rk4::new(0.01);
    let exact = DVector::from_row_slice(&[truth.c, truth.g, released.q[0]]);

    let mut noise = Noise(2026);
    let (recordings, mut within, mut total) = (40, 0, 0.0);
    for recording in 0..recordings {
        let samples: Vec<Sample> = motion
            .states()
            .map(|state| Sample { t: state.t, measured: 0, value: state.q[0] + deviation * noise.normal(), deviation })
            .collect();
        let found =
            Estimation::new(&["c", "g", "theta"], &samples).run(&guess, &start, &method, &Options::default())?;
        let delta = &found.values - &exact;
        let weighted = found.covariance.clone().cholesky().ok_or("the covariance is singular")?.solve(&delta);
        let distance = delta.dot(&weighted);
        total += distance;
        within += i32::from(distance <= 11.34);
        if recording == 0 {
            println!("          estimate   ± error     truth");
            for (k, name) in found.names.iter().enumerate() {
                println!("{name:>7} {:10.6} {:10.6} {:9.4}", found.values[k], found.errors()[k], exact[k]);
            }
            println!("χ² = {:.0} of {} samples, d² = {distance:.2}", found.chi_square, samples.len());
            if distance > 11.34 || (found.chi_square - 197.0).abs() > 3.0 * 20.0 {
                return Err("the estimate is not within its covariance".into());
            }
        }
    }
    let mean = total / f64::from(recordings);
    println!("{within} of {recordings} recordings have d² < 11.34; the mean of d² is {mean:.2} (expected 3)");
    // The mean of 40 values has the standard deviation √(6/40) = 0.39.
    if within < recordings - 2 || (mean - 3.0).abs() > 3.0 * 0.39 {
        Err("the covariance is wrong".into())
    } else {
        Ok(())
    }
}
