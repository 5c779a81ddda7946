//! The equation of an implicit step, or of one of its stages, and its solution by Newton's method.

use super::canonical::{Iteration, Path, Progress, Watch, name_pivot, negative_transpose, reaction_of};
use super::radau::weights;
use crate::constraint::mechanical;
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::linalg::blocks::{BlockLu, BlockVector, Blocks};
use crate::scalar::Real;
use crate::state::State;
use crate::system::Balance;
use nalgebra::{SMatrix, SVector};

/// The equation of an implicit step, or of one of its stages, for the velocity v' at the time t':
///
/// ```text
/// p(q', v') = p + k + g (f(q', v') + Gᵀλ),   q' = q + d + s v'
/// ```
///
/// Here q is where the step starts, with the momentum p. p(q, v) is ∂L/∂v, and f is the right side of the equations d/dt p = f + Gᵀλ of the system. With constraints, λ is unknown
/// too, and g(q') = 0 at the solution; a row that is not holonomic restricts no coordinate, so that a method refuses it. The implicit Euler method has d = k = 0 and s = g = h;
/// a stage of a diagonally implicit method has the sums of the stages before it in d and k, and s = g = aᵢᵢ h.
///
/// It is for methods of one's own, such as that of the guide page [`methods`](crate::guide::methods).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitEquation<'a, R: Real, const N: usize> {
    /// The state at which the step starts.
    pub start: &'a State<R, N>,
    /// p, the momentum there.
    pub momentum: &'a SVector<R, N>,
    /// t'.
    pub end: R,
    /// d, what is known of q' − q.
    pub moved: SVector<R, N>,
    /// k, what is known of p' − p.
    pub kicked: SVector<R, N>,
    /// s, in the unit of time. It is not 0.
    pub by_velocity: R,
    /// g, in the unit of time. It is not 0.
    pub by_force: R,
}

/// The solution of an [`ImplicitEquation`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitSolution<R: Real, const N: usize, const C: usize> {
    /// q'.
    pub coordinates: SVector<R, N>,
    /// v'.
    pub velocity: SVector<R, N>,
    /// λ.
    pub multipliers: SVector<R, C>,
    /// f + Gᵀλ.
    pub force: SVector<R, N>,
}

impl<'a, R: Real, const N: usize> ImplicitEquation<'a, R, N> {
    /// The equation of a step of the implicit Euler method of size `h` to the time `end`.
    pub fn of_step(start: &'a State<R, N>, momentum: &'a SVector<R, N>, (h, end): (R, R)) -> Self {
        let none = SVector::repeat(R::ZERO);
        Self { start, momentum, end, moved: none, kicked: none, by_velocity: h, by_force: h }
    }

    /// Solves the equation to rounding, from a guess of v' and λ: by Newton's method with the exact Jacobian of the first iterate, whose factors are
    /// used again while the convergence is fast. Over dual numbers each iteration has its own Jacobian, so that the derivatives of the solution are
    /// exact. If the guess is too far from the solution that tends to the start in short steps, the equation is solved for growing parts of d, k, s and g.
    /// Iterations and factorisations are counted.
    ///
    /// # Errors
    /// [`Failure::SingularMass`] with the coordinate or the constraint of a pivot that vanished, [`Failure::NotFinite`], [`Failure::NewtonFailed`].
    pub fn solve<E, const C: usize>(
        &self,
        evaluator: &mut E,
        guess: SVector<R, N>,
        multipliers: SVector<R, C>,
    ) -> Result<ImplicitSolution<R, N, C>, Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        let solved = self.in_parts(evaluator, guess, multipliers);
        evaluator.end_rounds(true);
        let solved = solved?;
        evaluator.visit(self.end, &solved.coordinates, &solved.velocity);
        Ok(solved)
    }

    /// The equation of a part of the step.
    fn part(&self, part: R) -> Self {
        Self {
            end: self.start.t + (self.end - self.start.t) * part,
            moved: self.moved * part,
            kicked: self.kicked * part,
            by_velocity: self.by_velocity * part,
            by_force: self.by_force * part,
            ..*self
        }
    }

    fn in_parts<E, const C: usize>(
        &self,
        evaluator: &mut E,
        mut v: SVector<R, N>,
        mut multipliers: SVector<R, C>,
    ) -> Result<ImplicitSolution<R, N, C>, Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        let (mut path, first) = (Path::whole(), multipliers);
        loop {
            let solved = match path.is_whole() {
                true => self.iterate(evaluator, v, multipliers),
                false => self.part(path.part()).iterate(evaluator, v, multipliers),
            };
            match solved {
                Ok(solved) if path.is_whole() => return Ok(solved),
                Ok(solved) => {
                    path.lengthen();
                    (v, multipliers) = (solved.velocity, solved.multipliers);
                }
                Err(failure) => {
                    path.shorten(failure)?;
                    if !path.has_begun() {
                        (v, multipliers) = (self.start.v, first);
                    }
                }
            }
        }
    }

    fn iterate<E, const C: usize>(
        &self,
        evaluator: &mut E,
        mut v: SVector<R, N>,
        mut multipliers: SVector<R, C>,
    ) -> Result<ImplicitSolution<R, N, C>, Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        let Self { end: t, by_velocity: s, by_force: g, .. } = *self;
        let iteration = if const { R::DERIVATIVE_ORDER > 0 } { Iteration::Newton } else { Iteration::SimplifiedNewton };
        let mut factors = None::<BlockLu<R, N, 1, C>>;
        // The rounding of what nothing depends on says nothing about that of the velocities.
        let scale = mechanical(&self.start.q, evaluator.state_count());
        let mut watch = Watch::<R, N, 1>::new(iteration, evaluator.has_exact_jacobian(), (&scale, s));
        loop {
            evaluator.begin_round();
            let q = self.start.q + (self.moved + v * s);
            let (mut jacobian, mut border) = (SMatrix::<R, C, N>::repeat(R::ZERO), SVector::repeat(R::ZERO));
            if const { C > 0 } {
                let rows = evaluator.constraint(t, &q);
                (jacobian, border) = (rows.jacobian, rows.value.map(|value| value / s));
            }
            let (Balance { momentum, balance }, factored) = match factors.take() {
                Some(factors) => (evaluator.balance(t, q, v), factors),
                None => self.factored(evaluator, (&q, &v), &multipliers, &jacobian)?,
            };
            let force = balance + reaction_of(&jacobian, &multipliers);
            let residual = (momentum - self.momentum) - (self.kicked + force * g);
            let BlockVector { core, border } = factored.solve(&BlockVector { core: [residual], border });
            evaluator.statistics_mut().iterations += 1;
            let mut velocities = [v - core[0]];
            multipliers -= border.map(|impulse| impulse / g);
            let progress = watch.judge(evaluator, &core, &mut velocities);
            [v] = velocities;
            match progress? {
                // The derivatives are exact only after an iteration that uses the Jacobian at the solution.
                Progress::Converged if iteration == Iteration::Newton && watch.is_first() => {}
                Progress::Converged => {
                    let force = balance + reaction_of(&jacobian, &multipliers);
                    let coordinates = self.start.q + (self.moved + v * s);
                    return Ok(ImplicitSolution { coordinates, velocity: v, multipliers, force });
                }
                Progress::Slow => {}
                Progress::Fast if iteration == Iteration::Newton => {}
                Progress::Fast => factors = Some(factored),
            }
        }
    }

    /// Evaluates p and f, and factors the Jacobian of the residual by v and of g(q)/s, with the impulse g λ as the second unknown.
    #[allow(clippy::type_complexity, reason = "p and f with the factors")]
    fn factored<E, const C: usize>(
        &self,
        evaluator: &mut E,
        (q, v): (&SVector<R, N>, &SVector<R, N>),
        multipliers: &SVector<R, C>,
        jacobian: &SMatrix<R, C, N>,
    ) -> Result<(Balance<R, N>, BlockLu<R, N, 1, C>), Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        let Self { end: t, by_velocity: s, by_force: g, .. } = *self;
        let at = evaluator.balance_jacobian(t, *q, *v);
        evaluator.check_slopes()?;
        let mut balance_q = at.balance_q;
        if const { C > 0 } {
            balance_q += evaluator.constraint_hidden(t, q, v, multipliers).reaction_q;
        }
        let mut matrix = Blocks::of([[at.mass_matrix + at.momentum_q * s - (at.balance_v + balance_q * s) * g]]);
        if const { C > 0 } {
            matrix.right = [negative_transpose(jacobian)];
            matrix.below = [*jacobian];
        }
        evaluator.statistics_mut().factorizations += 1;
        let factors = BlockLu::weighted(matrix, &weights(&at.mass_matrix, jacobian))
            .map_err(|singular| name_pivot::<N>(singular, evaluator.constraint_names()))?;
        Ok((Balance { momentum: at.momentum, balance: at.balance }, factors))
    }
}
