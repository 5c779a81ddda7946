//! Symmetric compositions Ψ_{γₛh} ∘ … ∘ Ψ_{γ₁h} of a symmetric method Ψ of order 2. The factors satisfy Σ γᵢ = 1 and Σ γᵢ³ = 0.
//! For order 6 they also satisfy Σ γᵢ⁵ = 0 and one more condition. Source: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical
//! Integration*, 2nd ed., II.4 and V.3.2, after M. Suzuki (1990), H. Yoshida (1990), W. Kahan and R.-C. Li (1997). The decimals
//! of order 6 have 26 digits. The middle factor is 1 minus the sum of the others.

use super::Parts;

const fn c(high: f64, low: f64) -> Parts {
    Parts { high, low }
}

/// One step of the method itself.
pub const SINGLE: [Parts; 1] = [c(1.0, 0.0)];

/// Order 4 by three steps, γ₁ = γ₃ = 1/(2 − 2^(1/3)): Yoshida's triple jump, (II.4.4). It has the fewest steps and large errors.
pub const TRIPLE_JUMP: [Parts; 3] = [
    c(1.3512071919596575, 8.42741775545176e-17),
    c(-1.7024143839193153, 5.349624981599612e-17),
    c(1.3512071919596575, 8.42741775545176e-17),
];

/// Order 4 by five steps, γᵢ = 1/(4 − 4^(1/3)) except for the middle one: Suzuki's fractal, (II.4.5).
pub const SUZUKI: [Parts; 5] = [
    c(0.4144907717943757, 2.5197374150855977e-17),
    c(0.4144907717943757, 2.5197374150855977e-17),
    c(-0.657963087177503, 1.023280585909174e-17),
    c(0.4144907717943757, 2.5197374150855977e-17),
    c(0.4144907717943757, 2.5197374150855977e-17),
];

/// Order 6 by seven steps: Yoshida's solution A, (V.3.11).
pub const YOSHIDA: [Parts; 7] = [
    c(0.7845136104775573, -3.5563524752244235e-17),
    c(0.23557321335935813, 3.5702639627194945e-18),
    c(-1.177679984178871, -2.0335583674318997e-17),
    c(1.3151863206839112, 4.9146537696429646e-17),
    c(-1.177679984178871, -2.0335583674318997e-17),
    c(0.23557321335935813, 3.5702639627194945e-18),
    c(0.7845136104775573, -3.5563524752244235e-17),
];

/// Order 6 by nine steps, with smaller errors: Kahan and Li, (V.3.12).
pub const KAHAN_LI: [Parts; 9] = [
    c(0.3921614440073141, 1.98260947060107e-17),
    c(0.33259913678935943, 9.998816861580819e-18),
    c(-0.7062461725576393, -3.0817257969159525e-17),
    c(0.0822135962935508, 5.551218884915305e-18),
    c(0.79854399093483, -9.1177449666946e-18),
    c(0.0822135962935508, 5.551218884915305e-18),
    c(-0.7062461725576393, -3.0817257969159525e-17),
    c(0.33259913678935943, 9.998816861580819e-18),
    c(0.3921614440073141, 1.98260947060107e-17),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::{DoubleDouble, Scalar};

    fn moment(steps: &[Parts], power: i32) -> f64 {
        let terms = steps.iter().map(|step| step.value::<DoubleDouble>().powi(power));
        terms.fold(DoubleDouble::from_f64(-f64::from(power == 1)), |sum, term| sum + term).to_f64()
    }

    #[test]
    fn the_steps_meet_the_conditions_of_their_order() {
        for steps in [&TRIPLE_JUMP[..], &SUZUKI, &YOSHIDA, &KAHAN_LI] {
            assert!(moment(steps, 1).abs() < 1e-31 && moment(steps, 3).abs() < 1e-24, "{steps:?}");
            assert!(steps.iter().eq(steps.iter().rev()), "{steps:?}");
            let sixth = steps.len() > 5;
            assert_eq!(moment(steps, 5).abs() < 1e-24, sixth, "{steps:?}");
        }
    }
}
