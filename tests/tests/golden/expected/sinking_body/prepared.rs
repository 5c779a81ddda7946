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
use ::lagrange_runtime::stepper::{SwitchRules, Switches};
/// The index of each coordinate in q.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    ///Index of the state `x` in v.
    pub x: ::core::primitive::usize,
}
/// Solves equations for what they define.
#[inline]
fn solution_1<R: Scalar>(a: &[R; 2usize]) -> ([R; 1usize], R) {
    emitted::implicit(
        a,
        true,
        |w: &[R; 1usize], a: &[R; 2usize]| {
            let w_0 = w[0];
            let a_0 = a[0];
            let a_1 = a[1];
            let x1 = w_0.abs();
            ([(-a_0).mul_add(w_0 * x1, a_1)], [[(R::from_f64(2.0) * (a_0 * x1))]])
        },
    )
}
/// The equations with their parameters fixed.
#[derive(Clone, Copy, Debug)]
pub struct Prepared<R: Scalar> {
    inputs: SVector<R, 0usize>,
    fingerprint: Fingerprint,
    parameters: [R; 3usize],
    ///`c`
    p_c: R,
    ///`weight`
    p_weight: R,
    ///Part of the factored mass matrix.
    k1: R,
    ///`k`
    p_k: R,
    ///`k/(2*c)`
    k2: R,
    ///Part of the factored mass matrix.
    k3: R,
    ///`1/(2*c)`
    k4: R,
    ///`k/2`
    k5: R,
    ///Part of the factored mass matrix.
    k6: R,
}
pub const PARAMETERS: &[&str] = &["weight", "k", "c"];
pub const INPUTS: [&str; 0usize] = [];
pub fn prepare<R: Scalar>(
    parameters: &[R],
    inputs: &SVector<R, 0usize>,
) -> ::core::result::Result<Prepared<R>, PrepareError> {
    emitted::check_parameters(parameters, inputs.as_slice(), PARAMETERS, &INPUTS)?;
    check(parameters)?;
    let fingerprint = Fingerprint::of(
        17392891717735682255u64,
        parameters,
        inputs.as_slice(),
    );
    let mut copied = [R::ZERO; 3usize];
    for (copied, parameter) in copied.iter_mut().zip(parameters) {
        *copied = *parameter;
    }
    let p_c = parameters[2];
    let p_weight = parameters[0];
    let p_k = parameters[1];
    let x1 = p_c.recip();
    let x2 = p_k * x1 * R::from_f64(0.5);
    ::core::result::Result::Ok(Prepared {
        inputs: *inputs,
        fingerprint,
        parameters: copied,
        p_c: p_c,
        p_weight: p_weight,
        k1: -p_weight,
        p_k: p_k,
        k2: x2,
        k3: -x2,
        k4: x1 * R::from_f64(0.5),
        k5: p_k * R::from_f64(0.5),
        k6: -p_c,
    })
}
/// Checks the assumptions of the block, and the conditions that the proofs of its facts used.
fn check<R: Scalar>(parameters: &[R]) -> ::core::result::Result<(), PrepareError> {
    let p_c = parameters[2];
    emitted::check_positive("c", p_c, true)?;
    ::core::result::Result::Ok(())
}
