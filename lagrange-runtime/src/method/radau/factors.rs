//! The matrices of a step, one for each eigenvalue of A⁻¹.

use super::start::Start;
use super::{combined, product};
use crate::error::{Failure, SingularMass};
use crate::evaluate::Evaluate;
use crate::linalg::blocks::{BlockLu, BlockVector, Blocks, Table};
use crate::linalg::complex::{Complex, ComplexLu, reciprocal, times};
use crate::method::canonical::name_pivot;
use crate::scalar::{Real, Scalar};
use crate::tableau::gauss::StageCount;
use crate::tableau::radau::ThreeFiveSeven;
use nalgebra::{SMatrix, SVector};

/// The factors of the matrices K = M + (∂p/∂q − ∂f/∂v) g − ∂f/∂q g², with g = h/λ for each eigenvalue λ of A⁻¹. With constraints the
/// matrices are [K, −Gᵀ; G + g ∂(G v + drift)/∂q, 0], and f contains the reaction of the multipliers.
pub(super) struct Factors<R: Real, const N: usize, const S: usize, const C: usize> {
    /// Those of the real eigenvalue.
    pub(super) real: RealFactors<R, N, C>,
    /// One for each pair of complex eigenvalues, with g; those after the last pair are `None`.
    complex: [Option<(ComplexLu<R, N, C>, Complex<R>)>; S],
}

/// The factors of K = M + (∂p/∂q − ∂f/∂v) g − ∂f/∂q g² for one real g, bordered as those of [`Factors`].
pub(in crate::method) struct RealFactors<R: Real, const N: usize, const C: usize> {
    /// g.
    pub(in crate::method) step: R,
    lu: BlockLu<R, N, 1, C>,
}

impl<R: Real, const N: usize, const C: usize> RealFactors<R, N, C> {
    /// Factors the matrix for g = `step`.
    ///
    /// # Errors
    /// [`Failure::SingularMass`] with the coordinate or the constraint of the pivot that vanished.
    pub(in crate::method) fn new<E: Evaluate<R, N, C> + ?Sized>(
        evaluator: &mut E,
        start: &Start<'_, R, N, C>,
        step: R,
    ) -> Result<Self, Failure> {
        evaluator.statistics_mut().factorizations += 1;
        let weights = weights(&start.at.mass_matrix, &start.jacobian);
        Self::weighted(start, step, &weights)
            .map_err(|singular| name_pivot::<N>(singular, evaluator.constraint_names()))
    }

    fn weighted(
        start: &Start<'_, R, N, C>,
        step: R,
        weights: &Table<R::Magnitude, N, 1, C>,
    ) -> Result<Self, SingularMass> {
        let at = &start.at;
        let rates = at.momentum_q - at.balance_v;
        let mut matrix = Blocks::of([[at.mass_matrix + rates * step - at.balance_q * (step * step)]]);
        if const { C > 0 } {
            matrix.right = [SMatrix::from_fn(|i, k| -start.jacobian[(k, i)])];
            matrix.below = [start.jacobian + start.rate_q * step];
        }
        Ok(Self { step, lu: BlockLu::weighted(matrix, weights)? })
    }

    /// The solution (x, μ) of K x − Gᵀμ = `core`, (G + g ∂(G v + drift)/∂q) x = `border` with the g of the real eigenvalue.
    pub(in crate::method) fn solve(
        &self,
        core: &SVector<R, N>,
        border: &SVector<R, C>,
    ) -> (SVector<R, N>, SVector<R, C>) {
        let solution = self.lu.solve(&BlockVector { core: [*core], border: *border });
        (solution.core[0], solution.border)
    }

    /// The difference (δq, δv) of two solutions at one time, with δq = `by_q` + g (`v` + δv) and
    /// (∂p/∂q − g ∂f/∂q) δq + (M − g ∂f/∂v) δv − Gᵀμ = `by_p` + g `f`, which satisfies the hidden constraints to first order.
    pub(in crate::method) fn filtered(
        &self,
        start: &Start<'_, R, N, C>,
        (by_q, by_p): (&SVector<R, N>, &SVector<R, N>),
        (v, f): (&SVector<R, N>, &SVector<R, N>),
    ) -> (SVector<R, N>, SVector<R, N>) {
        let (at, g) = (&start.at, self.step);
        let (by_q, by_p) = (by_q + v * g, by_p + f * g);
        let right = by_p - product(&(at.momentum_q - at.balance_q * g), &by_q);
        let (change, _) = self.solve(&right, &-product(&start.rate_q, &by_q));
        (by_q + change * g, change)
    }
}

/// Vectors at the stages: of the equations of motion and of the hidden constraints, or velocities and multipliers.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtStages<R: Real, const N: usize, const S: usize, const C: usize> {
    pub(super) core: [SVector<R, N>; S],
    pub(super) border: [SVector<R, C>; S],
}

impl<R: Real, const N: usize, const S: usize, const C: usize> Factors<R, N, S, C>
where
    StageCount<S>: ThreeFiveSeven<S>,
{
    /// Factors the matrices of a step of size `h`.
    ///
    /// # Errors
    /// [`Failure::SingularMass`] with the coordinate or the constraint of the pivot that vanished.
    pub(super) fn new<E: Evaluate<R, N, C> + ?Sized>(
        evaluator: &mut E,
        start: &Start<'_, R, N, C>,
        h: R,
    ) -> Result<Self, Failure> {
        let table = const { &StageCount::<S>::RADAU };
        let at = &start.at;
        let named = |singular| name_pivot::<N>(singular, evaluator.constraint_names());
        let rates = at.momentum_q - at.balance_v;
        let weights = weights(&at.mass_matrix, &start.jacobian);
        let real = RealFactors::weighted(start, h / table.real.value(), &weights).map_err(named)?;
        let mut complex = [None; S];
        for (factors, [alpha, beta]) in complex.iter_mut().zip(&table.pairs).take(S / 2) {
            let [re, im]: Complex<R> = reciprocal([alpha.value(), beta.value()]);
            let step = [re * h, im * h];
            let square = times(step, step);
            let mut re = Blocks::of([[at.mass_matrix + rates * step[0] - at.balance_q * square[0]]]);
            let mut im = Blocks::of([[rates * step[1] - at.balance_q * square[1]]]);
            if const { C > 0 } {
                re.right = [SMatrix::from_fn(|i, k| -start.jacobian[(k, i)])];
                re.below = [start.jacobian + start.rate_q * step[0]];
                im.below = [start.rate_q * step[1]];
            }
            *factors = Some((ComplexLu::weighted([re, im], weights).map_err(named)?, step));
        }
        evaluator.statistics_mut().factorizations += 1;
        Ok(Self { real, complex })
    }

    /// The increments of the velocities and of the multipliers for the residuals of the stages.
    pub(super) fn increments(&self, residuals: &AtStages<R, N, S, C>) -> AtStages<R, N, S, C> {
        let table = const { &StageCount::<S>::RADAU };
        let (mut core, mut border) = ([SVector::repeat(R::ZERO); S], [SVector::repeat(R::ZERO); S]);
        for (i, row) in table.inverse.iter().enumerate() {
            core[i] = -combined(row, &residuals.core);
            border[i] = -combined(row, &residuals.border);
        }
        (core[0], border[0]) = self.real.solve(&core[0], &border[0]);
        // The borders contain multipliers times g.
        border[0] /= self.real.step;
        for k in 0..S / 2 {
            let Some((factors, step)) = &self.complex[k] else { continue };
            let part = |i: usize| BlockVector { core: [core[i]], border: border[i] };
            let [re, im] = factors.solve([part(2 * k + 1), part(2 * k + 2)]);
            [core[2 * k + 1], core[2 * k + 2]] = [re.core[0], im.core[0]];
            if const { C > 0 } {
                let rate = reciprocal(*step);
                let parts = |i: usize| SVector::from_fn(|row, _| times([re.border[row], im.border[row]], rate)[i]);
                [border[2 * k + 1], border[2 * k + 2]] = [parts(0), parts(1)];
            }
        }
        let mut increments = AtStages { core, border };
        for (i, row) in table.vectors.iter().enumerate() {
            increments.core[i] = combined(row, &core);
            increments.border[i] = combined(row, &border);
        }
        increments
    }
}

/// The weights of the rows when pivots are compared: 1/√Mᵢᵢ, and 1/√(Σ Gₖᵢ²/Mᵢᵢ) for a constraint. The entries of a column times these have
/// one unit, and so the order of the pivots does not depend on the units of the coordinates and of the constraints. A row without inertia
/// has the weight 1.
pub(in crate::method) fn weights<R: Real, const N: usize, const C: usize>(
    mass_matrix: &SMatrix<R, N, N>,
    jacobian: &SMatrix<R, C, N>,
) -> Table<R::Magnitude, N, 1, C> {
    let zero = R::Magnitude::ZERO;
    let inverse_root = |square: R::Magnitude| if square > zero { square.sqrt().recip() } else { R::Magnitude::ONE };
    let mut weights = Table::new(R::Magnitude::ONE);
    for (i, weight) in weights.core[0].iter_mut().enumerate() {
        *weight = inverse_root(mass_matrix[(i, i)].magnitude());
    }
    for (k, weight) in weights.border.iter_mut().enumerate() {
        let mut mobility = zero;
        for i in 0..N {
            let (slope, inertia) = (jacobian[(k, i)].magnitude(), mass_matrix[(i, i)].magnitude());
            if inertia > zero {
                mobility += slope * slope / inertia;
            }
        }
        *weight = inverse_root(mobility);
    }
    weights
}
