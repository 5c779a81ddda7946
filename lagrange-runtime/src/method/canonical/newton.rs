//! The iteration that solves the equations of all implicit steps in (q, p).

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

/// The N × N blocks of the Jacobian of `S` vector equations by `S` velocities.
pub(in crate::method) type Core<R, const N: usize, const S: usize> = [[SMatrix<R, N, N>; S]; S];

/// A step, or the part of a step that is solved first.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Span<R> {
    /// The size h, negative for a step backward.
    pub(in crate::method) h: R,
    /// The time at its end.
    pub(in crate::method) end: R,
}

/// The unknowns of a step's equations.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Unknowns<R: Real, const N: usize, const C: usize, const S: usize> {
    /// The velocities of the stages.
    pub(in crate::method) velocities: [SVector<R, N>; S],
    /// The impulse at the start of the step, by its multipliers: λ⁻ times the part of the step in which it acts.
    pub(in crate::method) impulse: SVector<R, C>,
}

/// The equations of an implicit step for `S` velocities V and the impulse μ of the constraints.
///
/// An implementation gives the equations. [`Solver::solve`] iterates, reuses factors while convergence is fast, counts the work,
/// and reports failures. The equations are r(V) − Gᵀμ = 0, with Gᵀμ in the first block or in all of them, and g(q') = 0. The
/// coordinates q' are linear in V.
pub(in crate::method) trait StepEquations<R: Real, const N: usize, const C: usize, const S: usize> {
    /// The momenta and the forces at the stages.
    type Stages: Copy;

    /// Returns q' at the end of a step of size `h` with these velocities.
    fn end(&self, velocities: &[SVector<R, N>; S], h: R) -> SVector<R, N>;

    /// Returns the momenta and the forces at the stages with these velocities.
    fn stages<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; S],
        span: Span<R>,
    ) -> Self::Stages;

    /// Returns the result of [`StepEquations::stages`], and writes the Jacobian of the residuals by the velocities to `core`.
    fn stages_with_jacobian<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; S],
        span: Span<R>,
        core: &mut Core<R, N, S>,
    ) -> Self::Stages;

    /// Returns the result of [`StepEquations::stages`], and the matrix that replaces the Jacobian in a fixed-point iteration.
    fn stages_with_inertia<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; S],
        span: Span<R>,
        core: &mut Core<R, N, S>,
    ) -> (Self::Stages, Inertia<R, N>);

    /// Visits the states at which [`StepEquations::stages`] evaluates the equations.
    fn visit<E: Evaluate<R, N, C> + ?Sized>(&self, evaluator: &mut E, velocities: &[SVector<R, N>; S], span: Span<R>);

    /// Returns the residuals, with the impulse `push` = Gᵀμ.
    fn residuals(&self, stages: &Self::Stages, h: R, push: SVector<R, N>) -> [SVector<R, N>; S];

    /// Sets the columns for μ from `start`, which is −Gᵀ, and the rows for g(q')/h from `end`, which is G at the end.
    fn border(&self, matrix: &mut Blocks<R, N, S, C>, start: SMatrix<R, N, C>, end: &SMatrix<R, C, N>);
}

/// The matrix that replaces the Jacobian in a fixed-point iteration.
pub(in crate::method) enum Inertia<R: Real, const N: usize> {
    /// The matrix is in `core`.
    Core,
    /// This M is in every block of the diagonal. `core` is not set.
    Diagonal(SMatrix<R, N, N>),
}

/// The solution of the equations of a step, with the momenta and the forces at the stages.
pub(in crate::method) struct Solved<R: Real, const N: usize, const C: usize, const S: usize, Stages> {
    pub(in crate::method) unknowns: Unknowns<R, N, C, S>,
    pub(in crate::method) stages: Stages,
}

/// The inputs of an iteration besides the equations.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Solver<'a, R: Real, const N: usize, const C: usize> {
    pub(in crate::method) iteration: Iteration,
    /// The state at the step's start.
    pub(in crate::method) state: &'a State<R, N>,
    /// The constraints at the start of the step.
    pub(in crate::method) reaction: &'a Reaction<R, N, C>,
}

impl<R: Real, const N: usize, const C: usize> Solver<'_, R, N, C> {
    /// Returns the solution of the equations that tends to the velocity at the start as the step gets shorter. If the `guess` is
    /// too far from it, the equations are solved for growing parts of the step. The first part starts from the guess of
    /// `restart`.
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
        let solved = self.solve_in_parts(evaluator, equations, step, guess, restart);
        evaluator.end_rounds(true);
        let solved = solved?;
        equations.visit(evaluator, &solved.unknowns.velocities, step);
        Ok(solved)
    }

    /// Solves the equations for growing parts of the step.
    #[inline(always)]
    fn solve_in_parts<Q, E, const S: usize>(
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
            // The impulse over a part of the step is proportional to the part.
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

    /// Solves the equations by Newton's method or by the fixed-point iteration, from a guess.
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
        // The matrix is the largest value on the stack. It is written, factored and read in place.
        let mut blocks = BlockLu::<R, N, S, C>::ROOM;
        // The factors of M. In every stage of a fixed-point iteration they replace the factors of the whole matrix.
        let mut mass_factors: Option<Lu<R, N>> = None;
        let mut is_factored = false;
        let mut watch = Watch::<R, N, S>::new(self.iteration, evaluator.has_exact_jacobian(), (&self.state.q, h));
        loop {
            evaluator.begin_round();
            let constraint =
                if const { C == 0 } { None } else { Some(evaluator.constraint(end, &equations.end(&velocities, h))) };
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
            let (increments, border) = increments(&blocks, mass_factors.as_ref(), core, border);
            evaluator.statistics_mut().iterations += 1;
            for (velocity, increment) in velocities.iter_mut().zip(&increments) {
                *velocity -= increment;
            }
            impulse -= border;
            let progress = watch.judge(evaluator, &increments, &mut velocities);
            match progress? {
                // If the first iteration converges, another one follows. The derivatives of the stages are exact only after an
                // iteration that uses the derivatives at the solution.
                Progress::Converged if self.iteration == Iteration::Newton && watch.is_first() => is_factored = false,
                Progress::Converged => return Ok(Solved { unknowns: Unknowns { velocities, impulse }, stages }),
                Progress::Slow => is_factored = false,
                Progress::Fast => is_factored = self.iteration != Iteration::Newton,
            }
        }
    }
}

/// The increments of the velocities and of the impulse, by the factors of M where there are some, and otherwise by those of the whole matrix.
#[inline(always)]
fn increments<R: Real, const N: usize, const S: usize, const C: usize>(
    blocks: &BlockLu<R, N, S, C>,
    mass_factors: Option<&Lu<R, N>>,
    core: [SVector<R, N>; S],
    border: SVector<R, C>,
) -> ([SVector<R, N>; S], SVector<R, C>) {
    match mass_factors {
        None => {
            let BlockVector { core, border } = blocks.solve(&BlockVector { core, border });
            (core, border)
        }
        Some(factors) => (core.map(|residual| factors.solve(&residual)), border),
    }
}

/// Sets M on the diagonal of `core`.
fn set_diagonal<R: Real, const N: usize, const S: usize>(core: &mut Core<R, N, S>, mass_matrix: &SMatrix<R, N, N>) {
    for (i, row) in core.iter_mut().enumerate() {
        for (j, block) in row.iter_mut().enumerate() {
            if i == j { block.copy_from(mass_matrix) } else { block.fill(R::ZERO) }
        }
    }
}
