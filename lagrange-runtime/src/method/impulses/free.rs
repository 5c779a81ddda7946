//! An evaluator that hides the constraints of its system.

use super::super::canonical::Augmentation;
use crate::constraint::Projection;
use crate::error::Failure;
use crate::evaluate::{Accelerate, Evaluate, Setting};
use crate::linalg::lu::Lu;
use crate::scalar::Real;
use crate::state::{Difference, State};
use crate::statistics::Statistics;
use crate::system::{
    Balance, BalanceJacobian, Constraint, ConstraintHidden, Energies, Equations, Facts, InertialBalance,
};
use nalgebra::{SMatrix, SVector};

/// The equations d/dt p = f of a system with `C` constraints, without these constraints. If the mass matrix alone is singular,
/// the inertia ½ ρ (G v + ∂g/∂t)² is added to it.
pub(super) struct Free<'a, E: ?Sized, const C: usize> {
    evaluator: &'a mut E,
    augmentation: Augmentation<C>,
    /// The first failure of [`Accelerate::slope`] since the last call of [`Accelerate::check_slopes`].
    fault: Option<Failure>,
}

impl<'a, E: ?Sized, const C: usize> Free<'a, E, C> {
    pub(super) fn new(evaluator: &'a mut E, augmentation: Augmentation<C>) -> Self {
        Self { evaluator, augmentation, fault: None }
    }
}

impl<E, R, const N: usize, const C: usize> Accelerate<R, N> for Free<'_, E, C>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    fn acceleration(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Result<SVector<R, N>, Failure> {
        let Equations { mass_matrix, forcing } = self.equations(t, q, v);
        Ok(Lu::new(mass_matrix)?.solve(&forcing))
    }

    fn slope(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> SVector<R, N> {
        self.acceleration(t, q, v).unwrap_or_else(|failure| {
            self.fault.get_or_insert(failure);
            SVector::repeat(R::from_f64(f64::NAN))
        })
    }

    fn check_slopes(&mut self) -> Result<(), Failure> {
        self.fault.take().map_or(Ok(()), Err)
    }
}

impl<E, R, const N: usize, const C: usize> Setting<R, N, 0> for Free<'_, E, C>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    fn constraint(&self, _: R, _: &SVector<R, N>) -> Constraint<R, N, 0> {
        let none = SVector::from([]);
        Constraint { value: none, scale: none, jacobian: SMatrix::repeat(R::ZERO), drift: none }
    }

    fn state_count(&self) -> usize {
        self.evaluator.state_count()
    }

    fn facts(&self) -> &'static Facts {
        self.evaluator.facts()
    }

    fn has_switches(&self) -> bool {
        self.evaluator.has_switches()
    }

    fn has_inputs(&self) -> bool {
        self.evaluator.has_inputs()
    }

    fn constraint_names(&self) -> &'static [&'static str] {
        &[]
    }

    fn statistics(&self) -> &Statistics {
        self.evaluator.statistics()
    }

    fn statistics_mut(&mut self) -> &mut Statistics {
        self.evaluator.statistics_mut()
    }
}

impl<E, R, const N: usize, const C: usize> Evaluate<R, N, 0> for Free<'_, E, C>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    fn begin_round(&mut self) {
        self.evaluator.begin_round();
    }

    fn end_rounds(&mut self, counts: bool) {
        self.evaluator.end_rounds(counts);
    }

    fn is_astray(&self) -> bool {
        self.evaluator.is_astray()
    }

    fn has_exact_jacobian(&self) -> bool {
        self.evaluator.has_exact_jacobian()
    }

    fn cancelled(&self) -> R {
        self.evaluator.cancelled()
    }

    fn visit(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) {
        self.evaluator.visit(t, q, v);
    }

    fn multipliers(&mut self, _: R, _: SVector<R, N>, _: SVector<R, N>) -> Result<SVector<R, 0>, Failure> {
        Ok(SVector::from([]))
    }

    #[inline]
    fn balance(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Balance<R, N> {
        let at = self.evaluator.balance(t, q, v);
        self.augmentation.balance(self.evaluator, (t, &q, &v), at)
    }

    fn inertial_balance(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> InertialBalance<R, N> {
        let BalanceJacobian { momentum, balance, mass_matrix, .. } = self.balance_jacobian(t, q, v);
        InertialBalance { momentum, balance, mass_matrix }
    }

    #[inline]
    fn balance_jacobian(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> BalanceJacobian<R, N> {
        let at = self.evaluator.balance_jacobian(t, q, v);
        self.augmentation.balance_jacobian(self.evaluator, (t, &q, &v), at)
    }

    fn equations(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Equations<R, N> {
        let at = self.evaluator.equations(t, q, v);
        self.augmentation.equations(self.evaluator, (t, &q, &v), at)
    }

    fn constraint_hidden(
        &self,
        _: R,
        _: &SVector<R, N>,
        _: &SVector<R, N>,
        _: &SVector<R, 0>,
    ) -> ConstraintHidden<R, N, 0> {
        let none = SVector::from([]);
        ConstraintHidden {
            rate: none,
            curvature: none,
            rate_q: SMatrix::repeat(R::ZERO),
            reaction: SVector::repeat(R::ZERO),
            reaction_q: SMatrix::repeat(R::ZERO),
        }
    }

    fn velocity_correction(
        &self,
        t: R,
        q: SVector<R, N>,
        v: SVector<R, N>,
        p: SVector<R, N>,
    ) -> Result<SVector<R, N>, Failure> {
        let (momentum, mass_matrix) = self.evaluator.momentum(t, q, v);
        let at = Balance { momentum, balance: SVector::repeat(R::ZERO) };
        let momentum = self.augmentation.balance(self.evaluator, (t, &q, &v), at).momentum;
        let mass_matrix = self.augmentation.mass_matrix(self.evaluator, (t, &q), mass_matrix);
        Ok(v + Lu::new(mass_matrix)?.solve(&(p - momentum)))
    }

    fn momentum(&self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> (SVector<R, N>, SMatrix<R, N, N>) {
        self.evaluator.momentum(t, q, v)
    }

    fn energies(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Energies<R> {
        self.evaluator.energies(t, q, v)
    }

    fn project(&self, _: &Projection<R, N>, state: &State<R, N>) -> Result<(State<R, N>, u32), Failure> {
        Ok((*state, 0))
    }

    fn scaled_error(&mut self, start: &State<R, N>, end: &State<R, N>, error: &Difference<R, N>) -> R {
        self.evaluator.scaled_error(start, end, error)
    }

    fn tolerances(&self, start: &State<R, N>, end: &State<R, N>) -> Difference<R, N> {
        self.evaluator.tolerances(start, end)
    }

    fn smallest_rtol(&self) -> f64 {
        self.evaluator.smallest_rtol()
    }

    fn is_interpolated(&self) -> bool {
        self.evaluator.is_interpolated()
    }
}
