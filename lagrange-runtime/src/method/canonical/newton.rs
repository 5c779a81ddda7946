//! The one iteration that solves the equations of every implicit step in (q, p).

use super::Iteration;
use super::iteration::{Progress, Watch};
use super::path::Path;
use super::reaction::{Reaction, name_pivot, negative_transpose, reaction_of};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::linalg::blocks::{BlockLu, BlockVector, Blocks};
use crate::linalg::lu::Lu;
use crate::scalar::Real;
use crate::state::State;
use nalgebra::{SMatrix, SVector};

/// The N × N blocks of a Jacobian of `S` vector equations by `S` velocities.
pub(in crate::method) type Core<R, const N: usize, const S: usize> = [[SMatrix<R, N, N>; S]; S];

/// A step, or the part of one that is solved first.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Span<R> {
    /// Its size h, negative backward.
    pub(in crate::method) h: R,
    /// The time at its end.
    pub(in crate::method) end: R,
}

/// The unknowns of a step's equations.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Unknowns<R: Real, const N: usize, const C: usize, const S: usize> {
    /// The velocities of the stages.
    pub(in crate::method) velocities: [SVector<R, N>; S],
    /// The impulse at the step's start: that of the reaction Gᵀλ⁻ over the part of the step that it acts for.
    pub(in crate::method) impulse: SVector<R, C>,
}

/// The equations of an implicit step for `S` velocities V and the impulse μ of the constraints.
///
/// An implementation states the equations; [`solve`] iterates, keeps factors while convergence is fast, counts, and reports
/// failures. The equations are r(V) − Gᵀμ = 0 in the first block or in all of them, and g(q') = 0, with q' linear in V.
pub(in crate::method) trait StepEquations<R: Real, const N: usize, const C: usize, const S: usize> {
    /// Momenta and forces at the stages.
    type Stages: Copy;

    /// q' at the end of a span of size `h` with these velocities.
    fn end(&self, velocities: &[SVector<R, N>; S], h: R) -> SVector<R, N>;

    /// Momenta and forces at the stages of these velocities.
    fn stages<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; S],
        span: Span<R>,
    ) -> Self::Stages;

    /// The same as [`StepEquations::stages`], and the Jacobian of the residuals by the velocities in `core`.
    fn stages_with_jacobian<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; S],
        span: Span<R>,
        core: &mut Core<R, N, S>,
    ) -> Self::Stages;

    /// The same as [`StepEquations::stages`], and what a fixed-point iteration takes for the Jacobian.
    fn stages_with_inertia<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; S],
        span: Span<R>,
        core: &mut Core<R, N, S>,
    ) -> (Self::Stages, Inertia<R, N>);

    /// The residuals, where `push` is Gᵀμ.
    fn residuals(&self, stages: &Self::Stages, h: R, push: SVector<R, N>) -> [SVector<R, N>; S];

    /// Sets the columns of μ, from −Gᵀ at the start, and the rows of g(q')/h, from G at the end.
    fn border(&self, matrix: &mut Blocks<R, N, S, C>, start: SMatrix<R, N, C>, end: &SMatrix<R, C, N>);
}

/// What a fixed-point iteration takes for the Jacobian.
pub(in crate::method) enum Inertia<R: Real, const N: usize> {
    /// What is in the core.
    Core,
    /// This M, in every block of the diagonal; the core is not set.
    Diagonal(SMatrix<R, N, N>),
}

/// What solves the equations of a step, with the stages' momenta and forces.
pub(in crate::method) struct Solved<R: Real, const N: usize, const C: usize, const S: usize, Stages> {
    pub(in crate::method) unknowns: Unknowns<R, N, C, S>,
    pub(in crate::method) stages: Stages,
}

/// What an iteration needs besides the equations.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Solver<'a, R: Real, const N: usize, const C: usize> {
    pub(in crate::method) iteration: Iteration,
    /// The state at the step's start.
    pub(in crate::method) state: &'a State<R, N>,
    /// The constraints there.
    pub(in crate::method) reaction: &'a Reaction<R, N, C>,
}

impl<R: Real, const N: usize, const C: usize> Solver<'_, R, N, C> {
    /// The solution of a step's equations that tends to the velocity at the start as the step gets shorter. Where the `guess` is
    /// too far from it, the equations are solved for growing parts of the step, the first of them from the guess of `restart`.
    ///
    /// # Errors
    /// [`Failure::NewtonFailed`], [`Failure::NotFinite`], [`Failure::SingularMass`].
    #[inline(always)]
    pub(in crate::method) fn solve<Q, E, const S: usize>(
        &self,
        evaluator: &mut E,
        equations: &Q,
        step: Span<R>,
        guess: Unknowns<R, N, C, S>,
        restart: impl Fn(&mut E) -> Result<Unknowns<R, N, C, S>, Failure>,
    ) -> Result<Solved<R, N, C, S, Q::Stages>, Failure>
    where
        Q: StepEquations<R, N, C, S>,
        E: Evaluate<R, N, C> + ?Sized,
    {
        let mut path = Path::whole();
        let Unknowns { mut velocities, mut impulse } = guess;
        loop {
            let part = path.part();
            let end = if path.is_whole() { step.end } else { self.state.t + part * step.h };
            let span = Span { h: part * step.h, end };
            // A part of the step has the same part of the impulse.
            match self.iterate(evaluator, equations, span, Unknowns { velocities, impulse: impulse * part }) {
                Ok(solved) if path.is_whole() => return Ok(solved),
                Ok(Solved { unknowns, .. }) => {
                    path.lengthen();
                    (velocities, impulse) = (unknowns.velocities, unknowns.impulse * part.recip());
                }
                Err(failure) => {
                    path.shorten(failure)?;
                    if !path.has_begun() {
                        Unknowns { velocities, impulse } = restart(evaluator)?;
                    }
                }
            }
        }
    }

    /// Newton's or a fixed-point iteration from a guess.
    #[inline(always)]
    fn iterate<Q, E, const S: usize>(
        &self,
        evaluator: &mut E,
        equations: &Q,
        span: Span<R>,
        guess: Unknowns<R, N, C, S>,
    ) -> Result<Solved<R, N, C, S, Q::Stages>, Failure>
    where
        Q: StepEquations<R, N, C, S>,
        E: Evaluate<R, N, C> + ?Sized,
    {
        let Span { h, end } = span;
        let Unknowns { mut velocities, mut impulse } = guess;
        // The largest value on the stack: written, factored and read in place.
        let mut blocks = BlockLu::<R, N, S, C>::ROOM;
        // The factors of M, which stand for those of the whole matrix in every stage of a fixed-point iteration.
        let mut mass_factors: Option<Lu<R, N>> = None;
        let (mut is_factored, mut is_first) = (false, true);
        let mut watch = Watch::<R, N, S>::new(self.iteration);
        loop {
            let constraint =
                if C == 0 { None } else { Some(evaluator.constraint(end, &equations.end(&velocities, h))) };
            let (stages, is_new) = if is_factored {
                (equations.stages(evaluator, &velocities, span), false)
            } else if self.iteration == Iteration::FixedPoint {
                let core = &mut blocks.matrix().core;
                let (stages, inertia) = equations.stages_with_inertia(evaluator, &velocities, span, core);
                let is_new = match inertia {
                    Inertia::Diagonal(mass_matrix) if C == 0 => {
                        evaluator.statistics_mut().factorizations += 1;
                        mass_factors = Some(Lu::new(mass_matrix)?);
                        false
                    }
                    Inertia::Diagonal(mass_matrix) => {
                        set_diagonal(core, &mass_matrix);
                        true
                    }
                    Inertia::Core => true,
                };
                (stages, is_new)
            } else {
                (equations.stages_with_jacobian(evaluator, &velocities, span, &mut blocks.matrix().core), true)
            };
            if is_new {
                evaluator.statistics_mut().factorizations += 1;
                let matrix = blocks.matrix();
                matrix.corner.fill(R::ZERO);
                if let Some(constraint) = &constraint {
                    equations.border(matrix, negative_transpose(&self.reaction.jacobian), &constraint.jacobian);
                }
                let names = evaluator.constraint_names();
                blocks.factor().map_err(|singular| name_pivot::<N>(singular, names))?;
            }
            let core = equations.residuals(&stages, h, reaction_of(&self.reaction.jacobian, &impulse));
            let border = constraint.map_or(SVector::repeat(R::ZERO), |at| at.value.map(|value| value / h));
            let (increments, border) = match &mass_factors {
                None => {
                    let BlockVector { core, border } = blocks.solve(&BlockVector { core, border });
                    (core, border)
                }
                Some(factors) => (core.map(|residual| factors.solve(&residual)), border),
            };
            evaluator.statistics_mut().iterations += 1;
            for (velocity, increment) in velocities.iter_mut().zip(&increments) {
                *velocity -= increment;
            }
            impulse -= border;
            match watch.judge(&increments, &velocities, &self.state.q, h)? {
                // The derivatives of the stages are exact only where the solution's own derivatives went into them.
                Progress::Converged if is_first && self.iteration == Iteration::Newton => is_factored = false,
                Progress::Converged => return Ok(Solved { unknowns: Unknowns { velocities, impulse }, stages }),
                Progress::Slow => is_factored = false,
                Progress::Fast => is_factored = self.iteration != Iteration::Newton,
            }
            is_first = false;
        }
    }
}

/// Sets M on the diagonal.
fn set_diagonal<R: Real, const N: usize, const S: usize>(core: &mut Core<R, N, S>, mass_matrix: &SMatrix<R, N, N>) {
    for (i, row) in core.iter_mut().enumerate() {
        for (j, block) in row.iter_mut().enumerate() {
            if i == j { block.copy_from(mass_matrix) } else { block.fill(R::ZERO) }
        }
    }
}
