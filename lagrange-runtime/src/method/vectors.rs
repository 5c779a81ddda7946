//! Arithmetic on vectors, and on matrices of vectors as columns, in the formulas of explicit methods.
//!
//! Vectors of lanes must be computed in code that is inlined into the caller, because only that is compiled for the instructions
//! which were chosen at run time. The operators of nalgebra are not always inlined.

use crate::scalar::Scalar;
use nalgebra::{SMatrix, SVector};

/// Returns `x` + h `slope`. A product and a sum are fused if the target has the instruction.
#[inline(always)]
pub(super) fn advance<R: Scalar, const N: usize, const K: usize>(
    mut x: SMatrix<R, N, K>,
    h: R,
    slope: SMatrix<R, N, K>,
) -> SMatrix<R, N, K> {
    for i in 0..N * K {
        x[i] = h.mul_add(slope[i], x[i]);
    }
    x
}

/// Returns `x` + `y`.
#[inline(always)]
pub(super) fn plus<R: Scalar, const N: usize, const K: usize>(
    mut x: SMatrix<R, N, K>,
    y: SMatrix<R, N, K>,
) -> SMatrix<R, N, K> {
    for i in 0..N * K {
        x[i] += y[i];
    }
    x
}

/// Returns `x` − `y`.
#[inline(always)]
pub(super) fn minus<R: Scalar, const N: usize, const K: usize>(
    mut x: SMatrix<R, N, K>,
    y: SMatrix<R, N, K>,
) -> SMatrix<R, N, K> {
    for i in 0..N * K {
        x[i] -= y[i];
    }
    x
}

/// Returns `x` times `factor`.
#[inline(always)]
pub(super) fn times<R: Scalar, const N: usize, const K: usize>(mut x: SMatrix<R, N, K>, factor: R) -> SMatrix<R, N, K> {
    for i in 0..N * K {
        x[i] *= factor;
    }
    x
}

/// Returns the matrix of the columns `x` and `y`.
#[inline(always)]
pub(super) fn columns<R: Scalar, const N: usize>(x: SVector<R, N>, y: SVector<R, N>) -> SMatrix<R, N, 2> {
    let mut matrix = SMatrix::repeat(R::ZERO);
    for i in 0..N {
        (matrix[i], matrix[N + i]) = (x[i], y[i]);
    }
    matrix
}

/// Returns the columns of a matrix.
#[inline(always)]
pub(super) fn parts<R: Scalar, const N: usize>(matrix: SMatrix<R, N, 2>) -> [SVector<R, N>; 2] {
    let mut parts = [SVector::repeat(R::ZERO); 2];
    for i in 0..N {
        (parts[0][i], parts[1][i]) = (matrix[i], matrix[N + i]);
    }
    parts
}
