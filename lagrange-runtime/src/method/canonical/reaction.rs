//! The impulses of the constraints at the ends of a step. They act along the rows of G.

use super::augmentation::Augmentation;
use super::newton::Span;
use super::{CanonicalMemory, largest};
use crate::error::{Component, Failure, PivotOf, SingularMass};
use crate::evaluate::Evaluate;
use crate::linalg::blocks::{BlockLu, BlockVector, Blocks};
use crate::scalar::Real;
use crate::state::State;
use crate::system::{Balance, BalanceJacobian};
use nalgebra::{SMatrix, SVector};

/// The most Newton steps for the projection of a momentum.
const MAX_PROJECTIONS: u32 = 20;

/// The multipliers of the last step, and the Jacobian of the constraints at the state. It is empty if C = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct Reaction<R: Real, const N: usize, const C: usize> {
    /// The multiplier λ⁻. The impulse at the start of the step was (h/2) Gᵀλ⁻. Before the first step it is λ of the equations of
    /// motion.
    pub start: SVector<R, C>,
    /// The multiplier λ⁺. The impulse at the end of the step was (h/2) Gᵀλ⁺, so that the momentum satisfies the hidden
    /// constraint.
    pub end: SVector<R, C>,
    /// The Jacobian G at the state.
    pub(in crate::method) jacobian: SMatrix<R, C, N>,
    /// The inertia that is added along motions that the constraints prevent, if M is singular.
    pub(in crate::method) augmentation: Augmentation<C>,
}

impl<R: Real, const N: usize, const C: usize> Reaction<R, N, C> {
    /// Returns the multipliers and the Jacobian at the initial state.
    ///
    /// # Errors
    /// [`Failure::NotApplicable`] if a constraint is not holonomic, and [`Failure::SingularMass`].
    pub(in crate::method) fn start<E>(
        evaluator: &mut E,
        state: &State<R, N>,
        method: &'static str,
    ) -> Result<Self, Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        if const { C == 0 } {
            let zero = SVector::repeat(R::ZERO);
            let (jacobian, augmentation) = (SMatrix::repeat(R::ZERO), Augmentation::none());
            return Ok(Self { start: zero, end: zero, jacobian, augmentation });
        }
        if !evaluator.facts().holonomic {
            return Err(Failure::NotApplicable { method, needs: "constraints that are holonomic" });
        }
        let multipliers = evaluator.multipliers(state.t, state.q, state.v)?;
        let augmentation = Augmentation::at(evaluator, state);
        let jacobian = evaluator.constraint(state.t, &state.q).jacobian;
        Ok(Self { start: multipliers, end: multipliers, jacobian, augmentation })
    }

    /// Returns the values with the Jacobian at a corrected state.
    pub(in crate::method) fn at<E: Evaluate<R, N, C> + ?Sized>(&self, evaluator: &E, state: &State<R, N>) -> Self {
        if const { C == 0 } {
            return *self;
        }
        Self { jacobian: evaluator.constraint(state.t, &state.q).jacobian, ..*self }
    }

    /// Returns p and f at (t, q, v). If M is singular, they contain the added inertia.
    #[inline(always)]
    pub(in crate::method) fn balance<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        t: R,
        q: SVector<R, N>,
        v: SVector<R, N>,
    ) -> Balance<R, N> {
        let at = evaluator.balance(t, q, v);
        self.augmentation.balance(evaluator, (t, &q, &v), at)
    }

    /// Returns the values of [`Reaction::balance`] with their derivatives by q and v.
    #[inline(always)]
    pub(in crate::method) fn balance_jacobian<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        t: R,
        q: SVector<R, N>,
        v: SVector<R, N>,
    ) -> BalanceJacobian<R, N> {
        // Four matrices are not copied on the stack.
        if const { C == 0 } {
            return evaluator.balance_jacobian(t, q, v);
        }
        let at = evaluator.balance_jacobian(t, q, v);
        self.augmentation.balance_jacobian(evaluator, (t, &q, &v), at)
    }

    /// Returns M at (t, q, v). If M is singular, it contains the added inertia.
    #[inline(always)]
    pub(in crate::method) fn mass_matrix<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        t: R,
        q: SVector<R, N>,
        v: SVector<R, N>,
    ) -> SMatrix<R, N, N> {
        let mass_matrix = evaluator.equations(t, q, v).mass_matrix;
        self.augmentation.mass_matrix(evaluator, (t, &q), mass_matrix)
    }
}

/// Returns Gᵀλ.
#[inline(always)]
pub(in crate::method) fn reaction_of<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
    multipliers: &SVector<R, C>,
) -> SVector<R, N> {
    SVector::from_fn(|i, _| sum_of::<R, C>(|k| jacobian[(k, i)] * multipliers[k]))
}

/// Returns the sum of `count` terms. It does not start from 0, which would cost an addition.
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

/// Returns G v.
#[inline(always)]
pub(in crate::method) fn rate_of<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
    v: &SVector<R, N>,
) -> SVector<R, C> {
    SVector::from_fn(|k, _| sum_of::<R, N>(|i| jacobian[(k, i)] * v[i]))
}

/// Returns −Gᵀ, the columns of the multipliers in the equations for the velocities.
#[inline(always)]
pub(in crate::method) fn negative_transpose<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
) -> SMatrix<R, N, C> {
    SMatrix::from_fn(|i, k| -jacobian[(k, i)])
}

/// Returns the failure for a vanished pivot. The first `N` rows of the matrix belong to coordinates, and the others to
/// constraints.
#[cold]
#[inline(never)]
pub(in crate::method) fn name_pivot<const N: usize>(
    singular: SingularMass,
    constraints: &'static [&'static str],
) -> Failure {
    match singular.of {
        PivotOf::Coordinate(row) if row >= N => {
            Failure::SingularMass(SingularMass::of_constraint(row - N, constraints, singular.pivot))
        }
        _ => Failure::SingularMass(singular),
    }
}

/// A momentum that satisfies the hidden constraint.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct ProjectedMomentum<R: Real, const N: usize, const C: usize> {
    /// The velocity of this momentum.
    pub(in crate::method) v: SVector<R, N>,
    /// The impulse Gᵀμ that was added to the momentum.
    pub(in crate::method) impulse: SVector<R, N>,
    /// The multipliers μ.
    pub(in crate::method) multipliers: SVector<R, C>,
    /// The Jacobian G.
    pub(in crate::method) jacobian: SMatrix<R, C, N>,
}

/// Solves ∂L/∂v(t, q, v) = `momentum` + Gᵀμ and G v + drift = 0 for v and μ. The given `v` is the starting guess.
///
/// # Errors
/// [`Failure::SingularMass`], [`Failure::NotFinite`], [`Failure::NewtonFailed`].
#[inline]
pub(in crate::method) fn project<E, R, const N: usize, const C: usize>(
    evaluator: &mut E,
    t: R,
    q: SVector<R, N>,
    mut v: SVector<R, N>,
    momentum: &SVector<R, N>,
) -> Result<ProjectedMomentum<R, N, C>, Failure>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    let constraint = evaluator.constraint(t, &q);
    let quadratic = evaluator.facts().quadratic;
    let small = R::from_f64(R::EPSILON).sqrt();
    let mut multipliers = SVector::repeat(R::ZERO);
    let mut previous: Option<R> = None;
    let mut size = R::ZERO;
    for _ in 0..MAX_PROJECTIONS {
        // The velocity of the guess is not one of the motion.
        evaluator.begin_round();
        let at = evaluator.balance_jacobian(t, q, v);
        evaluator.end_rounds(false);
        let residual = (at.momentum - momentum) - reaction_of(&constraint.jacobian, &multipliers);
        let rate = rate_of(&constraint.jacobian, &v) + constraint.drift;
        let mut matrix = Blocks::<R, N, 1, C>::of([[at.mass_matrix]]);
        matrix.right = [negative_transpose(&constraint.jacobian)];
        matrix.below = [constraint.jacobian];
        evaluator.statistics_mut().factorizations += 1;
        let factors =
            BlockLu::new(matrix).map_err(|singular| name_pivot::<N>(singular, evaluator.constraint_names()))?;
        let increment = factors.solve(&BlockVector { core: [residual], border: rate });
        v -= increment.core[0];
        multipliers -= increment.border;
        if let Some(i) = (0..N).find(|&i| !v[i].is_finite()) {
            return Err(Failure::NotFinite { component: Some(Component::Velocity(i)) });
        }
        size = largest(&increment.core[0]);
        let stagnates = previous.is_some_and(|previous| size >= previous) && size <= small * largest(&v);
        if quadratic || size == R::ZERO || stagnates {
            let impulse = reaction_of(&constraint.jacobian, &multipliers);
            return Ok(ProjectedMomentum { v, impulse, multipliers, jacobian: constraint.jacobian });
        }
        previous = Some(size);
    }
    Err(Failure::NewtonFailed { iterations: MAX_PROJECTIONS, increment: size.to_f64() })
}

/// The solution of the equations of a step: the increments of q and p, and the first impulse of the constraints.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Increments<R: Real, const N: usize, const C: usize> {
    /// The increment q' − q.
    pub(in crate::method) q: SVector<R, N>,
    /// The increment p' − p without the impulses of the constraints.
    pub(in crate::method) p: SVector<R, N>,
    /// The impulse (h/2) λ⁻, by its multipliers.
    pub(in crate::method) impulse: SVector<R, C>,
    /// A guess for the velocity at the end.
    pub(in crate::method) v: SVector<R, N>,
}

/// The end of a step: the state, and the values that a method carries from it.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct StepEnd<R: Real, const N: usize, const C: usize> {
    pub(in crate::method) state: State<R, N>,
    pub(in crate::method) canonical: CanonicalMemory<R, N>,
    pub(in crate::method) reaction: Reaction<R, N, C>,
}

/// The step in which the last impulse of a step with constraints is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::method) enum LastImpulse {
    /// The step itself computes its last impulse, so that the momentum satisfies the hidden constraint.
    Projected,
    /// The next step computes the last impulse of this one, as part of its own first impulse.
    LeftToNext,
}

/// Adds the increments of a step from coordinates `q`. With constraints it also adds the last impulse.
///
/// # Errors
/// The errors of [`project`].
#[inline]
pub(in crate::method) fn finish<E, R, const N: usize, const C: usize>(
    evaluator: &mut E,
    (canonical, reaction): (&CanonicalMemory<R, N>, &Reaction<R, N, C>),
    q: &SVector<R, N>,
    Span { h, end }: Span<R>,
    increments: Increments<R, N, C>,
    last: LastImpulse,
) -> Result<StepEnd<R, N, C>, Failure>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    let Increments { q: q_increment, p: p_increment, impulse, v } = increments;
    if const { C == 0 } {
        let (q, canonical) = canonical.advance(q, q_increment, p_increment)?;
        return Ok(StepEnd { state: State { t: end, q, v }, canonical, reaction: *reaction });
    }
    let p_increment = p_increment + reaction_of(&reaction.jacobian, &impulse);
    let q_end = canonical.coordinates(q, q_increment);
    if last == LastImpulse::LeftToNext {
        let jacobian = evaluator.constraint(end, &q_end).jacobian;
        let (q, canonical) = canonical.advance(q, q_increment, p_increment)?;
        let mean = impulse.map(|x| x / h);
        let reaction = Reaction { start: mean, end: mean, jacobian, ..*reaction };
        return Ok(StepEnd { state: State { t: end, q, v }, canonical, reaction });
    }
    let projected = project(evaluator, end, q_end, v, &canonical.kicked(p_increment))?;
    let (q, canonical) = canonical.advance(q, q_increment, p_increment + projected.impulse)?;
    let half = R::from_f64(0.5) * h;
    let (start, last) = (impulse.map(|x| x / half), projected.multipliers.map(|x| x / half));
    let reaction = Reaction { start, end: last, jacobian: projected.jacobian, ..*reaction };
    Ok(StepEnd { state: State { t: end, q, v: projected.v }, canonical, reaction })
}
