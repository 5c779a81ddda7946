//! An inertia for the velocities that constraints prevent: L + ½ Σ ρ (G v + ∂g/∂t)², a sum over the rows.
//!
//! The added term and its first derivatives vanish on the states that meet the hidden constraint. So the motion, its
//! multipliers and its momenta p are those of L. M + Gᵀ ρ G is regular where M bordered by G is. This matters between the two
//! impulses of a step: a method leaves those states by O(h) there, and needs a regular mass matrix. Source: E. Bayo, J. García
//! de Jalón, M. A. Serna, *A modified Lagrangian formulation for the dynamic analysis of constrained mechanical systems*,
//! Comput. Methods Appl. Mech. Eng. 71, 1988.

use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::State;
use crate::system::{Balance, BalanceJacobian, ConstraintHidden, Equations};
use nalgebra::{SMatrix, SVector};

/// The weight ρ of each row; 0 where M alone is regular.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::method) struct Augmentation<const C: usize> {
    /// The weights are numbers without derivatives in every scalar: for a given ρ, a step is a map of the state.
    weights: SVector<f64, C>,
}

/// The quantities of the term at a state.
struct Terms<R: Real, const N: usize, const C: usize> {
    /// G.
    jacobian: SMatrix<R, C, N>,
    /// The derivatives of the hidden constraint, and the reaction Gᵀμ of μ = ρ (G v + ∂g/∂t).
    hidden: ConstraintHidden<R, N, C>,
    /// μ.
    multipliers: SVector<R, C>,
}

impl<const C: usize> Augmentation<C> {
    /// No inertia.
    pub(in crate::method) fn none() -> Self {
        Self { weights: SVector::repeat(0.0) }
    }

    /// The inertia for a motion from (t, q, v): ρ makes G ρ Gᵀ as large as the mean of M's diagonal over the coordinates of the
    /// row.
    ///
    /// ρ is constant along the motion. A ρ that depended on the state would add its own derivatives to the equations. For a
    /// unit quaternion the mean is the same at every orientation.
    pub(in crate::method) fn at<E, R, const N: usize>(evaluator: &mut E, state: &State<R, N>) -> Self
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real,
    {
        if const { C == 0 } || !evaluator.facts().singular_mass {
            return Self::none();
        }
        let State { t, q, v } = state;
        let mass = evaluator.equations(*t, *q, *v).mass_matrix;
        let jacobian = evaluator.constraint(*t, q).jacobian;
        let every = mean(&mass, |_| true);
        let weights = SVector::from_fn(|row, _| {
            // A coordinate of the row may be missing in G at a state. Then the derivatives of G contain it.
            let unit = SVector::from_fn(|k, _| if k == row { R::ONE } else { R::ZERO });
            let slopes = evaluator.constraint_hidden(*t, q, v, &unit).reaction_q;
            let present =
                |i: usize| jacobian[(row, i)] != R::ZERO || slopes.row(i).iter().any(|&slope| slope != R::ZERO);
            let square = jacobian.row(row).iter().fold(0.0, |sum, slope| sum + slope.to_f64() * slope.to_f64());
            let own = mean(&mass, present);
            let inertia = if own > 0.0 { own } else { every };
            if square > 0.0 { inertia / square } else { 0.0 }
        });
        Self { weights }
    }

    /// Adds the term's part to p and f.
    #[inline(always)]
    pub(in crate::method) fn balance<E, R, const N: usize>(
        &self,
        evaluator: &E,
        (t, q, v): (R, &SVector<R, N>, &SVector<R, N>),
        mut at: Balance<R, N>,
    ) -> Balance<R, N>
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real,
    {
        if const { C > 0 } && evaluator.facts().singular_mass {
            let Terms { hidden, multipliers, .. } = self.terms(evaluator, t, q, v);
            at.momentum += hidden.reaction;
            at.balance += push(&hidden.rate_q, &multipliers);
        }
        at
    }

    /// Adds the term's part to p, f and their derivatives, except for the third derivatives of g in ∂f/∂q. They are multiplied
    /// by G v + ∂g/∂t, which is small; where they do not vanish, Newton's method is slower without them.
    #[inline(always)]
    pub(in crate::method) fn balance_jacobian<E, R, const N: usize>(
        &self,
        evaluator: &E,
        (t, q, v): (R, &SVector<R, N>, &SVector<R, N>),
        mut at: BalanceJacobian<R, N>,
    ) -> BalanceJacobian<R, N>
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real,
    {
        if const { C > 0 } && evaluator.facts().singular_mass {
            let Terms { jacobian, hidden, multipliers } = self.terms(evaluator, t, q, v);
            let (turned, slopes) = (hidden.rate_q, hidden.reaction_q);
            at.momentum += hidden.reaction;
            at.balance += push(&turned, &multipliers);
            at.momentum_q += self.product(&jacobian, &turned) + slopes;
            at.mass_matrix += self.product(&jacobian, &jacobian);
            at.balance_q += self.product(&turned, &turned);
            at.balance_v += self.product(&turned, &jacobian) + slopes;
        }
        at
    }

    /// M + Gᵀ ρ G.
    #[inline(always)]
    pub(in crate::method) fn mass_matrix<E, R, const N: usize>(
        &self,
        evaluator: &E,
        (t, q): (R, &SVector<R, N>),
        mass_matrix: SMatrix<R, N, N>,
    ) -> SMatrix<R, N, N>
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real,
    {
        if const { C > 0 } && evaluator.facts().singular_mass {
            let jacobian = evaluator.constraint(t, q).jacobian;
            return mass_matrix + self.product(&jacobian, &jacobian);
        }
        mass_matrix
    }

    /// M + Gᵀ ρ G and F − Gᵀ ρ γ.
    pub(in crate::method) fn equations<E, R, const N: usize>(
        &self,
        evaluator: &E,
        (t, q, v): (R, &SVector<R, N>, &SVector<R, N>),
        at: Equations<R, N>,
    ) -> Equations<R, N>
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real,
    {
        let mut at = Equations { mass_matrix: self.mass_matrix(evaluator, (t, q), at.mass_matrix), ..at };
        if const { C > 0 } && evaluator.facts().singular_mass {
            let curvature = evaluator.constraint_hidden(t, q, v, &SVector::repeat(R::ZERO)).curvature;
            let weighted = curvature.zip_map(&self.weights, |part, weight| part * R::from_f64(weight));
            at.forcing -= push(&evaluator.constraint(t, q).jacobian, &weighted);
        }
        at
    }

    fn terms<E, R, const N: usize>(&self, evaluator: &E, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> Terms<R, N, C>
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real,
    {
        let at = evaluator.constraint(t, q);
        let multipliers = SVector::from_fn(|row, _| {
            let rate = (0..N).fold(at.drift[row], |sum, i| sum + at.jacobian[(row, i)] * v[i]);
            rate * R::from_f64(self.weights[row])
        });
        let hidden = evaluator.constraint_hidden(t, q, v, &multipliers);
        Terms { jacobian: at.jacobian, hidden, multipliers }
    }

    /// Aᵀ ρ B.
    fn product<R: Real, const N: usize>(&self, left: &SMatrix<R, C, N>, right: &SMatrix<R, C, N>) -> SMatrix<R, N, N> {
        SMatrix::from_fn(|i, j| {
            (0..C).fold(R::ZERO, |sum, row| sum + left[(row, i)] * R::from_f64(self.weights[row]) * right[(row, j)])
        })
    }
}

/// Aᵀμ.
fn push<R: Real, const N: usize, const C: usize>(
    matrix: &SMatrix<R, C, N>,
    multipliers: &SVector<R, C>,
) -> SVector<R, N> {
    SVector::from_fn(|i, _| (0..C).fold(R::ZERO, |sum, row| sum + matrix[(row, i)] * multipliers[row]))
}

/// The mean magnitude of the entries of the diagonal that are `present`; 0 where none is.
fn mean<R: Real, const N: usize>(mass: &SMatrix<R, N, N>, present: impl Fn(usize) -> bool) -> f64 {
    let entries = (0..N).filter(|&i| present(i)).map(|i| mass[(i, i)].to_f64().abs());
    let (count, sum) = entries.fold((0.0, 0.0), |(count, sum), entry| (count + 1.0, sum + entry));
    if count > 0.0 { sum / count } else { 0.0 }
}
