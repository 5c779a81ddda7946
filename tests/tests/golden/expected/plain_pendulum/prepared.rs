use ::core::prelude::rust_2024::*;
use ::lagrange_runtime::error::{PrepareError, SingularMass};
use ::lagrange_runtime::nalgebra::{SMatrix, SVector};
use ::lagrange_runtime::scalar::{Mask, Scalar};
use ::lagrange_runtime::system::{
    Acceleration, AccelerationJacobian, Balance, BalanceJacobian, BalanceRates, Energies,
    Equations, Facts, Fingerprint, InertialBalance, Linearise, Parameters, Sensors,
    System,
};
use ::lagrange_runtime::{__private as emitted, system};
/// The index of each coordinate in q.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    ///Index of the coordinate `theta` in q.
    pub theta: ::core::primitive::usize,
}
/// The equations with their parameters fixed.
#[derive(Clone, Copy, Debug)]
pub struct Prepared<R: Scalar> {
    inputs: SVector<R, 0usize>,
    fingerprint: Fingerprint,
    parameters: [R; 3usize],
    ///`l^2`
    k1: R,
    ///`m*l^2`
    k2: R,
    ///`m*l`
    k3: R,
    ///`m*l*g`
    k4: R,
    ///Part of the factored mass matrix.
    k5: R,
    ///Part of the factored mass matrix.
    k6: R::Mask,
    ///Part of the factored mass matrix.
    k7: R,
    ///Part of the factored mass matrix.
    k8: R,
    ///`l*g`
    k9: R,
    ///`m*g`
    k10: R,
    ///`2*m*l`
    k11: R,
    ///`m*l^2/2`
    k12: R,
}
pub const PARAMETERS: &[&str] = &["m", "l", "g"];
pub const INPUTS: [&str; 0usize] = [];
pub fn prepare<R: Scalar>(
    parameters: &[R],
    inputs: &SVector<R, 0usize>,
) -> ::core::result::Result<Prepared<R>, PrepareError> {
    emitted::check_parameters(parameters, inputs.as_slice(), PARAMETERS, &INPUTS)?;
    check(parameters)?;
    let fingerprint = Fingerprint::of(
        1170855267500142532u64,
        parameters,
        inputs.as_slice(),
    );
    let mut copied = [R::ZERO; 3usize];
    for (copied, parameter) in copied.iter_mut().zip(parameters) {
        *copied = *parameter;
    }
    let p_m = parameters[0];
    let p_l = parameters[1];
    let x1 = p_l * p_l;
    let x2 = p_m * x1;
    let p_g = parameters[2];
    let x3 = p_m * p_l;
    let x4 = p_g * x3;
    let x5 = x2.recip();
    ::core::result::Result::Ok(Prepared {
        inputs: *inputs,
        fingerprint,
        parameters: copied,
        k1: x1,
        k2: x2,
        k3: x3,
        k4: x4,
        k5: -x4,
        k6: R::ZERO.lt(x2),
        k7: x5,
        k8: -(x4 * x5),
        k9: p_l * p_g,
        k10: p_m * p_g,
        k11: x3 * R::from_f64(2.0),
        k12: x2 * R::from_f64(0.5),
    })
}
/// Checks the assumptions of the block, and the conditions that the proofs of its facts used.
fn check<R: Scalar>(parameters: &[R]) -> ::core::result::Result<(), PrepareError> {
    let p_m = parameters[0];
    let p_l = parameters[1];
    emitted::check_positive("m*l^2", p_m * (p_l * p_l), true)?;
    ::core::result::Result::Ok(())
}
