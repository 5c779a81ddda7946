//! What holds the constraints: impulses along the rows of G at a step's ends.

use super::{CanonicalMemory, largest};
use crate::constraint::Augmentation;
use crate::controller::Controller;
use crate::error::{Component, Failure, SingularMass};
use crate::evaluator::Evaluator;
use crate::linalg::blocks::{BlockLu, BlockVector, Blocks};
use crate::scalar::Real;
use crate::state::State;
use crate::system::{Balance, BalanceJacobian, System};
use nalgebra::{SMatrix, SVector};

/// How many Newton steps the projection of a momentum may take.
const MAX_PROJECTIONS: u32 = 20;

/// The multipliers of the last step, and the constraints' directions at the state; nothing where C = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct Reaction<R: Real, const N: usize, const C: usize> {
    /// λ⁻: the impulse at the step's start was (h/2) Gᵀλ⁻. Before the first step, λ of the equations of motion.
    pub start: SVector<R, C>,
    /// λ⁺: that at its end was (h/2) Gᵀλ⁺, so that the momentum meets the hidden constraint.
    pub end: SVector<R, C>,
    /// G at the state.
    pub(in crate::method) jacobian: SMatrix<R, C, N>,
    /// The inertia of what the constraints keep from moving.
    pub(in crate::method) augmentation: Augmentation<C>,
}

impl<R: Real, const N: usize, const C: usize> Reaction<R, N, C> {
    /// At the initial state.
    ///
    /// # Errors
    /// [`Failure::NotApplicable`] where a constraint is not holonomic, [`Failure::SingularMass`].
    pub(in crate::method) fn start<S, K, const U: usize>(
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        state: &State<R, N>,
        method: &'static str,
    ) -> Result<Self, Failure>
    where
        S: System<R, N, C, U> + ?Sized,
        K: Controller<R, N, U> + ?Sized,
    {
        if C == 0 {
            let zero = SVector::repeat(R::ZERO);
            let (jacobian, augmentation) = (SMatrix::repeat(R::ZERO), Augmentation::none());
            return Ok(Self { start: zero, end: zero, jacobian, augmentation });
        }
        if !evaluator.facts().holonomic {
            return Err(Failure::NotApplicable { method, needs: "constraints that are holonomic" });
        }
        let multipliers = evaluator.multipliers(state.t, state.q, state.v)?;
        let State { t, q, v } = state;
        let u = evaluator.controller().input(*t, q, v);
        let augmentation = Augmentation::at(evaluator.system(), *t, q, v, &u);
        let jacobian = evaluator.system().constraint(*t, q).jacobian;
        Ok(Self { start: multipliers, end: multipliers, jacobian, augmentation })
    }

    /// p and f at (t, q, v), with an inertia for what the constraints keep from moving where M is singular.
    #[inline(always)]
    pub(in crate::method) fn balance<S, K, const U: usize>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        t: R,
        q: SVector<R, N>,
        v: SVector<R, N>,
    ) -> Balance<R, N>
    where
        S: System<R, N, C, U> + ?Sized,
        K: Controller<R, N, U> + ?Sized,
    {
        let at = evaluator.balance(t, q, v);
        self.augmentation.balance(evaluator.system(), (t, &q, &v), at)
    }

    /// As [`Reaction::balance`], with the derivatives by q and v.
    #[inline(always)]
    pub(in crate::method) fn balance_jacobian<S, K, const U: usize>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        t: R,
        q: SVector<R, N>,
        v: SVector<R, N>,
    ) -> BalanceJacobian<R, N, U>
    where
        S: System<R, N, C, U> + ?Sized,
        K: Controller<R, N, U> + ?Sized,
    {
        let at = evaluator.balance_jacobian(t, q, v);
        self.augmentation.balance_jacobian(evaluator.system(), (t, &q, &v), at)
    }

    /// M at (t, q, v), with the same inertia.
    #[inline(always)]
    pub(in crate::method) fn mass_matrix<S, K, const U: usize>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        t: R,
        q: SVector<R, N>,
        v: SVector<R, N>,
    ) -> SMatrix<R, N, N>
    where
        S: System<R, N, C, U> + ?Sized,
        K: Controller<R, N, U> + ?Sized,
    {
        let mass_matrix = evaluator.mass_matrix(t, q, v);
        self.augmentation.mass_matrix(evaluator.system(), (t, &q), mass_matrix)
    }
}

/// Gᵀλ.
#[inline(always)]
pub(in crate::method) fn along<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
    multipliers: &SVector<R, C>,
) -> SVector<R, N> {
    SVector::from_fn(|i, _| sum_of::<R, C>(|k| jacobian[(k, i)] * multipliers[k]))
}

/// The sum of `count` terms: without a leading 0, which would cost an addition.
#[inline(always)]
pub(in crate::method) fn sum_of<R: Real, const COUNT: usize>(term: impl Fn(usize) -> R) -> R {
    if COUNT == 0 {
        return R::ZERO;
    }
    let mut sum = term(0);
    for k in 1..COUNT {
        sum += term(k);
    }
    sum
}

/// G v.
#[inline(always)]
pub(in crate::method) fn across<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
    v: &SVector<R, N>,
) -> SVector<R, C> {
    SVector::from_fn(|k, _| sum_of::<R, N>(|i| jacobian[(k, i)] * v[i]))
}

/// −Gᵀ, the border beside the equations for velocities.
#[inline(always)]
pub(in crate::method) fn beside<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
) -> SMatrix<R, N, C> {
    SMatrix::from_fn(|i, k| -jacobian[(k, i)])
}

/// A vanished pivot by the constraint's name, where it is not a coordinate's.
#[cold]
pub(in crate::method) fn named<const N: usize>(
    singular: SingularMass,
    constraints: &'static [&'static str],
) -> Failure {
    let SingularMass { coordinate, pivot, .. } = singular;
    match coordinate.checked_sub(N) {
        None => Failure::SingularMass(singular),
        Some(row) => {
            Failure::SingularMass(SingularMass { coordinate: row, pivot, constraint: constraints.get(row).copied() })
        }
    }
}

/// A momentum that meets the hidden constraint.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Projected<R: Real, const N: usize, const C: usize> {
    /// Its velocity.
    pub(in crate::method) v: SVector<R, N>,
    /// Gᵀμ, the impulse that led to it.
    pub(in crate::method) impulse: SVector<R, N>,
    /// μ.
    pub(in crate::method) multipliers: SVector<R, C>,
    /// G.
    pub(in crate::method) jacobian: SMatrix<R, C, N>,
}

/// Solves ∂L/∂v(t, q, v) = `momentum` + Gᵀμ, G v + drift = 0 for v, near the one given, and μ.
///
/// # Errors
/// [`Failure::SingularMass`], [`Failure::NotFinite`], [`Failure::NewtonFailed`].
#[inline]
pub(in crate::method) fn project<S, K, R, const N: usize, const C: usize, const U: usize>(
    evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
    t: R,
    q: SVector<R, N>,
    mut v: SVector<R, N>,
    momentum: &SVector<R, N>,
) -> Result<Projected<R, N, C>, Failure>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    let held = evaluator.system().constraint(t, &q);
    let quadratic = evaluator.facts().quadratic;
    let small = R::from_f64(R::EPSILON).sqrt();
    let mut multipliers = SVector::repeat(R::ZERO);
    let mut previous: Option<R> = None;
    let mut size = R::ZERO;
    for _ in 0..MAX_PROJECTIONS {
        let at = evaluator.balance_jacobian(t, q, v);
        let residual = (at.momentum - momentum) - along(&held.jacobian, &multipliers);
        let rate = across(&held.jacobian, &v) + held.drift;
        let mut matrix = Blocks::<R, N, 1, C>::of([[at.mass_matrix]]);
        matrix.right = [beside(&held.jacobian)];
        matrix.below = [held.jacobian];
        evaluator.statistics_mut().factorizations += 1;
        let factors =
            BlockLu::new(matrix).map_err(|singular| named::<N>(singular, evaluator.system().constraints()))?;
        let increment = factors.solve(&BlockVector { core: [residual], border: rate });
        v -= increment.core[0];
        multipliers -= increment.border;
        if let Some(i) = (0..N).find(|&i| !v[i].is_finite()) {
            return Err(Failure::NotFinite { component: Some(Component::Velocity(i)) });
        }
        size = largest(&increment.core[0]);
        let stagnates = previous.is_some_and(|previous| size >= previous) && size <= small * largest(&v);
        if quadratic || size == R::ZERO || stagnates {
            let impulse = along(&held.jacobian, &multipliers);
            return Ok(Projected { v, impulse, multipliers, jacobian: held.jacobian });
        }
        previous = Some(size);
    }
    Err(Failure::NewtonFailed { iterations: MAX_PROJECTIONS, increment: size.to_f64() })
}

/// The end of a constrained step: the last impulse, which makes the momentum meet the hidden constraint.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Landing<R: Real, const N: usize, const C: usize> {
    pub(in crate::method) q: SVector<R, N>,
    pub(in crate::method) v: SVector<R, N>,
    pub(in crate::method) canonical: CanonicalMemory<R, N>,
    pub(in crate::method) reaction: Reaction<R, N, C>,
}

/// Lands a step of size `h` from `q` to time `end`: `impulse` is (h/2) λ⁻, which `p_increment` lacks; `v` is a guess.
/// Without `projecting`, the last impulse is left to the next step, whose first then is for both.
///
/// # Errors
/// As [`project`].
#[inline]
#[expect(clippy::too_many_arguments, reason = "all that a step has found")]
pub(in crate::method) fn land<S, K, R, const N: usize, const C: usize, const U: usize>(
    evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
    canonical: &CanonicalMemory<R, N>,
    reaction: &Reaction<R, N, C>,
    state: &State<R, N>,
    (h, end): (R, R),
    (q_increment, p_increment): (SVector<R, N>, SVector<R, N>),
    impulse: &SVector<R, C>,
    v: SVector<R, N>,
    projecting: bool,
) -> Result<Landing<R, N, C>, Failure>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    if C == 0 {
        let (q, canonical) = canonical.advance(&state.q, q_increment, p_increment)?;
        return Ok(Landing { q, v, canonical, reaction: *reaction });
    }
    let p_increment = p_increment + along(&reaction.jacobian, impulse);
    let q = canonical.coordinates(&state.q, q_increment);
    if !projecting {
        let jacobian = evaluator.system().constraint(end, &q).jacobian;
        let (q, canonical) = canonical.advance(&state.q, q_increment, p_increment)?;
        let mean = impulse.map(|x| x / h);
        return Ok(Landing { q, v, canonical, reaction: Reaction { start: mean, end: mean, jacobian, ..*reaction } });
    }
    let projected = project(evaluator, end, q, v, &canonical.kicked(p_increment))?;
    let (q, canonical) = canonical.advance(&state.q, q_increment, p_increment + projected.impulse)?;
    let half = R::from_f64(0.5) * h;
    let (start, last) = (impulse.map(|x| x / half), projected.multipliers.map(|x| x / half));
    let reaction = Reaction { start, end: last, jacobian: projected.jacobian, ..*reaction };
    Ok(Landing { q, v: projected.v, canonical, reaction })
}
