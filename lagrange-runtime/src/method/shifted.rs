//! The matrix M + (∂p/∂q − ∂f/∂v) g − ∂f/∂q g² of implicit steps without constraints, and what solves for it.

use super::radau::weights;
use crate::error::Failure;
use crate::linalg::blocks::{BlockLu, BlockVector, Blocks, Table};
use crate::linalg::small::{SMALL, inverse};
use crate::scalar::Real;
use crate::system::BalanceJacobian;
use nalgebra::{SMatrix, SVector};

/// What solves for a matrix.
#[allow(clippy::large_enum_variant, reason = "it lives on the stack, where nothing may be allocated")]
pub(super) enum Shifted<R: Real, const N: usize> {
    /// The inverse of a small matrix: a stage waits for the solution of the one before it.
    Inverse(SMatrix<R, N, N>),
    Factors(BlockLu<R, N, 1, 0>),
}

impl<R: Real, const N: usize> Shifted<R, N> {
    /// Factors M + (∂p/∂q − ∂f/∂v) g − ∂f/∂q g². The first `moving` coordinates are not hidden.
    ///
    /// # Errors
    /// [`Failure::SingularMass`] with the coordinate of the pivot that vanished.
    #[inline(always)]
    pub(super) fn new(at: &BalanceJacobian<R, N>, moving: usize, g: R) -> Result<Self, Failure> {
        let mut matrix = at.mass_matrix;
        for j in 0..N {
            for i in 0..N {
                let mut rate = at.balance_v[(i, j)];
                if j < moving {
                    rate += g * at.balance_q[(i, j)] - at.momentum_q[(i, j)];
                }
                matrix[(i, j)] -= g * rate;
            }
        }
        Self::of(matrix, &at.mass_matrix)
    }

    /// Factors a matrix. Pivots are compared in units of the mass matrix.
    ///
    /// # Errors
    /// [`Failure::SingularMass`] with the coordinate of the pivot that vanished.
    #[inline(always)]
    pub(super) fn of(matrix: SMatrix<R, N, N>, mass_matrix: &SMatrix<R, N, N>) -> Result<Self, Failure> {
        let weights = &weights(mass_matrix, &SMatrix::repeat(R::ZERO));
        if const { N <= SMALL }
            && let Some(inverse) = inverse(&matrix, weights)
        {
            return Ok(Self::Inverse(inverse));
        }
        Self::factored(matrix, weights)
    }

    fn factored(matrix: SMatrix<R, N, N>, weights: &Table<R::Magnitude, N, 1, 0>) -> Result<Self, Failure> {
        let factors = BlockLu::weighted(Blocks::of([[matrix]]), weights);
        factors.map(Self::Factors).map_err(Failure::SingularMass)
    }

    /// The solution for a right side.
    #[inline(always)]
    pub(super) fn solve(&self, right: &SVector<R, N>) -> SVector<R, N> {
        match self {
            Self::Inverse(inverse) => {
                let mut solution = SVector::<R, N>::repeat(R::ZERO);
                for j in 0..N {
                    for i in 0..N {
                        solution[i] = inverse[(i, j)].mul_add(right[j], solution[i]);
                    }
                }
                solution
            }
            Self::Factors(factors) => {
                factors.solve(&BlockVector { core: [*right], border: SVector::repeat(R::ZERO) }).core[0]
            }
        }
    }
}
