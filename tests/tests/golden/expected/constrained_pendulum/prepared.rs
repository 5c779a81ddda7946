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
use ::lagrange_runtime::system::{Constraint, ConstraintHidden};
use ::lagrange_runtime::system::OutputRow;
/// The index of each coordinate in q.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    ///Index of the coordinate `x` in q.
    pub x: ::core::primitive::usize,
    ///Index of the coordinate `y` in q.
    pub y: ::core::primitive::usize,
}
use ::lagrange_runtime::scalar::Dual;
/// The equations with their parameters fixed.
#[derive(Clone, Copy, Debug)]
pub struct Prepared<R: Scalar> {
    inputs: SVector<R, 0usize>,
    fingerprint: Fingerprint,
    parameters: [R; 3usize],
    ///`m`
    p_m: R,
    ///`g`
    p_g: R,
    ///`m*g`
    k1: R,
    ///`-m*g`
    k2: R,
    ///Part of the factored mass matrix.
    k3: R::Mask,
    ///Part of the factored mass matrix.
    k4: R,
    ///Part of the factored mass matrix.
    k5: R,
    ///Part of the factored mass matrix.
    k6: R,
    ///Part of the factored mass matrix.
    k7: R,
    ///Part of the factored mass matrix.
    k8: R,
    ///Part of the factored mass matrix.
    k9: R,
    ///`m/2`
    k10: R,
    ///`l`
    p_l: R,
    ///`abs(l)`
    k11: R,
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
        10457583924531986132u64,
        parameters,
        inputs.as_slice(),
    );
    let mut copied = [R::ZERO; 3usize];
    for (copied, parameter) in copied.iter_mut().zip(parameters) {
        *copied = *parameter;
    }
    ::core::result::Result::Ok(Prepared::of(&copied, inputs, fingerprint))
}
/// Checks the assumptions of the block, and the conditions that the proofs of its facts used.
fn check<R: Scalar>(parameters: &[R]) -> ::core::result::Result<(), PrepareError> {
    let p_m = parameters[0];
    emitted::check_positive("m", p_m, true)?;
    ::core::result::Result::Ok(())
}
