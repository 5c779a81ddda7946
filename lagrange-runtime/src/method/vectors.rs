//! Arithmetic on vectors in the formulas of explicit methods.
//!
//! Vectors of lanes must be computed in code that is inlined into the caller, because only that is compiled for the instructions
//! which were chosen at run time. The operators of nalgebra are not always inlined.

use crate::scalar::Scalar;
use nalgebra::SVector;

/// Returns `x` + h `slope`. A product and a sum are fused if the target has the instruction.
#[inline(always)]
pub(super) fn advance<R: Scalar, const N: usize>(mut x: SVector<R, N>, h: R, slope: SVector<R, N>) -> SVector<R, N> {
    for i in 0..N {
        x[i] = h.mul_add(slope[i], x[i]);
    }
    x
}

/// Returns `x` + `y`.
#[inline(always)]
pub(super) fn plus<R: Scalar, const N: usize>(mut x: SVector<R, N>, y: SVector<R, N>) -> SVector<R, N> {
    for i in 0..N {
        x[i] += y[i];
    }
    x
}

/// Returns `x` − `y`.
#[inline(always)]
pub(super) fn minus<R: Scalar, const N: usize>(mut x: SVector<R, N>, y: SVector<R, N>) -> SVector<R, N> {
    for i in 0..N {
        x[i] -= y[i];
    }
    x
}

/// Returns `x` times `factor`.
#[inline(always)]
pub(super) fn times<R: Scalar, const N: usize>(mut x: SVector<R, N>, factor: R) -> SVector<R, N> {
    for i in 0..N {
        x[i] *= factor;
    }
    x
}
