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
    ///Index of the coordinate `x` in q.
    pub x: ::core::primitive::usize,
}
/// The equations with their parameters fixed.
#[derive(Clone, Copy, Debug)]
pub struct Prepared<R: Scalar> {
    inputs: SVector<R, 1usize>,
    fingerprint: Fingerprint,
    parameters: [R; 5usize],
    ///`m`
    p_m: R,
    ///`k`
    p_k: R,
    ///`w`
    p_w: R,
    ///Part of the factored mass matrix.
    k1: R,
    ///`c`
    p_c: R,
    ///`-k`
    k2: R,
    ///`-c`
    k3: R,
    ///`k*a*w`
    k4: R,
    ///Part of the factored mass matrix.
    k5: R::Mask,
    ///Part of the factored mass matrix.
    k6: R,
    ///Part of the factored mass matrix.
    k7: R,
    ///Part of the factored mass matrix.
    k8: R,
    ///Part of the factored mass matrix.
    k9: R,
    ///Part of the factored mass matrix.
    k10: R,
    ///Part of the factored mass matrix.
    k11: R,
    ///`k/2`
    k12: R,
    ///`m/2`
    k13: R,
}
pub const PARAMETERS: &[&str] = &["m", "k", "c", "a", "w"];
pub const INPUTS: [&str; 1usize] = ["push"];
pub fn prepare<R: Scalar>(
    parameters: &[R],
    inputs: &SVector<R, 1usize>,
) -> ::core::result::Result<Prepared<R>, PrepareError> {
    emitted::check_parameters(parameters, inputs.as_slice(), PARAMETERS, &INPUTS)?;
    check(parameters)?;
    let fingerprint = Fingerprint::of(
        5084852357953109084u64,
        parameters,
        inputs.as_slice(),
    );
    let mut copied = [R::ZERO; 5usize];
    for (copied, parameter) in copied.iter_mut().zip(parameters) {
        *copied = *parameter;
    }
    let p_m = parameters[0];
    let p_k = parameters[1];
    let p_a = parameters[3];
    let p_w = parameters[4];
    let p_c = parameters[2];
    let x1 = p_k * p_a;
    let x2 = p_w * x1;
    let x3 = p_m.recip();
    ::core::result::Result::Ok(Prepared {
        inputs: *inputs,
        fingerprint,
        parameters: copied,
        p_m: p_m,
        p_k: p_k,
        p_w: p_w,
        k1: -p_a,
        p_c: p_c,
        k2: -p_k,
        k3: -p_c,
        k4: x2,
        k5: R::ZERO.lt(p_m),
        k6: x3,
        k7: -(p_k * x3),
        k8: -(p_c * x3),
        k9: -x2,
        k10: x2 * x3,
        k11: -x1,
        k12: p_k * R::from_f64(0.5),
        k13: p_m * R::from_f64(0.5),
    })
}
/// Checks the assumptions of the block, and the conditions that the proofs of its facts used.
fn check<R: Scalar>(parameters: &[R]) -> ::core::result::Result<(), PrepareError> {
    let p_m = parameters[0];
    emitted::check_positive("m", p_m, true)?;
    ::core::result::Result::Ok(())
}
