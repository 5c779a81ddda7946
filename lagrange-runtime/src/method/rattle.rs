//! The RATTLE method in its general Hamiltonian form.

mod explicit;

use super::canonical::{
    CanonicalMemory, Constrained, Core, GuessFrom, Increments, Inertia, Iteration, Kicked, LastImpulse, PastStages,
    Reaction, Solved, Solver, Span, StagePredictor, StepEnd, StepEquations, Unknowns, constrained, finish, is_short,
    kicked, project,
};
use super::shared::{fixed_steps, implicit_steps};
use super::{Estimate, Lift, Method, Symmetric, Trial};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::linalg::blocks::Blocks;
use crate::scalar::Real;
use crate::state::State;
use crate::system::{Balance, BalanceJacobian};
use explicit::Explicit;
use nalgebra::{SMatrix, SVector};

/// RATTLE for any L with a fixed step, with or without holonomic constraints.
///
/// The unknowns are λ⁻, the velocity V of (q, p*) and the velocity V' of (q', p*). Here p* is the momentum in the middle of the
/// step:
///
/// ```text
/// p(q, V) = p + h/2 (f(q, V) + Gᵀλ⁻)
/// p(q', V') = p(q, V),   q' = q + h/2 (V + V'),   g(q') = 0
/// p' = p(q', V') + h/2 (f(q', V') + G'ᵀλ⁺),   G' v(q', p') + ∂g/∂t = 0
/// ```
///
/// Here p = ∂L/∂v, and f is the force in d/dt p = f + Gᵀλ. Quantities without a prime are at time t, those with a prime at t + h.
/// The method is the partitioned Lobatto method of 2 stages. Without constraints it is the generalised Störmer–Verlet method.
///
/// The order is 2. The method is symmetric. If f = ∂L/∂q, it is symplectic on the states that satisfy the constraint and the
/// hidden constraint. The initial state must satisfy both. Forces and dissipation are part of f. λ± tend to the multipliers of
/// the equations of motion as h → 0. The method carries q and p, both by compensated summation. Starting guesses, iterations,
/// controllers and a singular M work as [`Gauss`](super::Gauss) describes.
///
/// Only λ⁻ needs an iteration if L = T(v) − V(q) with a constant positive mass matrix, forces do not depend on velocities, and
/// there is no input. A step then costs one `balance` for f, one `constraint` for each iteration and one more, and two
/// factorisations of C × C matrices. For a single rod and short steps, one iteration is enough.
///
/// Otherwise a step costs two `balance_jacobian`, the factors of a matrix of size 2N + C, and mostly two to four `balance`.
/// Constraints cost one more `balance_jacobian`. Source: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical Integration*, 2nd
/// ed., VII.1.3 (after H. C. Andersen, 1983, and L. Jay, 1994).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rattle<R: Real> {
    h: R,
    iteration: Iteration,
    guess: GuessFrom,
    predictor: StagePredictor<R, 1>,
    projecting: bool,
}

/// The values that [`Rattle`] carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct RattleMemory<R: Real, const N: usize, const C: usize> {
    /// The momentum p, and the rounding errors of q and p.
    pub canonical: CanonicalMemory<R, N>,
    /// The multipliers of the constraints.
    pub reaction: Reaction<R, N, C>,
    /// The means of V and V' in the last steps.
    past: PastStages<R, N, 1>,
    /// The value (V' − V)/(2h) of the last step.
    tilt: SVector<R, N>,
    /// The values that the explicit form carries.
    explicit: Explicit<R, N, C>,
}

kicked!(RattleMemory<R, N, C>);
constrained!(RattleMemory<R, N, C>);

impl<R: Real> Rattle<R> {
    /// Returns RATTLE with the step size `h`, in the unit of t. If `h` is not positive, an integration returns an error.
    pub fn new(h: R) -> Self {
        let predictor = StagePredictor::new([R::from_f64(0.5)]);
        Self { h, iteration: Iteration::default(), guess: GuessFrom::Past, predictor, projecting: true }
    }

    /// Returns SHAKE with the step size `h`. It computes the same coordinates as RATTLE. The momentum that it carries lacks the
    /// impulse at the end of the last step, and the first impulse of the next step includes it. The momentum is projected for
    /// output only, which saves work if output is rare. [`Reaction`] contains the mean of both multipliers. Source: J.-P.
    /// Ryckaert, G. Ciccotti, H. J. C. Berendsen, 1977; on the equivalence, E. Hairer, C. Lubich, G. Wanner, VII.1.3.
    pub fn shake(h: R) -> Self {
        Self { projecting: false, ..Self::new(h) }
    }

    /// Returns the method with another iteration for the equations of a step.
    #[must_use]
    pub fn with_iteration(mut self, iteration: Iteration) -> Self {
        self.iteration = iteration;
        self
    }

    /// Returns the method with starting guesses from the velocity and the acceleration at the start of a step. They cost one more
    /// acceleration and some iterations.
    #[must_use]
    pub fn without_history(mut self) -> Self {
        self.guess = GuessFrom::State;
        self
    }
}

impl Lift for Rattle<f64> {
    type On<R: Real> = Rattle<R>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        Rattle { guess: self.guess, projecting: self.projecting, ..Rattle::new(R::from_f64(self.h)) }
            .with_iteration(Iteration::Newton)
    }
}

impl<R: Real> Rattle<R> {
    /// Returns the velocity at `state`, computed from its momentum.
    fn velocity<E, const N: usize, const C: usize>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        canonical: &CanonicalMemory<R, N>,
    ) -> Result<SVector<R, N>, Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        if const { C > 0 } && !self.projecting {
            Ok(project(evaluator, state.t, state.q, state.v, &canonical.momentum)?.v)
        } else {
            Ok(canonical.synchronise(evaluator, state)?.v)
        }
    }
}

impl<R: Real> Symmetric for Rattle<R> {}

/// The equations of a step of RATTLE.
#[derive(Clone, Copy, Debug)]
struct Equations<'a, R: Real, const N: usize, const C: usize> {
    /// The state at the step's start.
    state: &'a State<R, N>,
    canonical: &'a CanonicalMemory<R, N>,
    reaction: &'a Reaction<R, N, C>,
}

impl<R: Real, const N: usize, const C: usize> StepEquations<R, N, C, 2> for Equations<'_, R, N, C> {
    /// The momenta p and the forces f at (q, V) and at (q', V').
    type Stages = [Balance<R, N>; 2];

    #[inline(always)]
    fn end(&self, [v_start, v_end]: &[SVector<R, N>; 2], h: R) -> SVector<R, N> {
        self.canonical.coordinates(&self.state.q, (v_start + v_end) * (R::from_f64(0.5) * h))
    }

    #[inline(always)]
    fn stages<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; 2],
        Span { h, end }: Span<R>,
    ) -> Self::Stages {
        let q_end = StepEquations::end(self, velocities, h);
        [
            self.reaction.balance(evaluator, self.state.t, self.state.q, velocities[0]),
            self.reaction.balance(evaluator, end, q_end, velocities[1]),
        ]
    }

    #[inline(always)]
    fn stages_with_jacobian<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; 2],
        span: Span<R>,
        core: &mut Core<R, N, 2>,
    ) -> Self::Stages {
        let [start, end] = self.derivatives(evaluator, velocities, span);
        *core = jacobian(&start, &end, R::from_f64(0.5) * span.h);
        [start, end].map(|at| Balance { momentum: at.momentum, balance: at.balance })
    }

    /// The core is set from the mass matrices at both ends.
    #[inline(always)]
    fn stages_with_inertia<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; 2],
        span: Span<R>,
        core: &mut Core<R, N, 2>,
    ) -> (Self::Stages, Inertia<R, N>) {
        let [start, end] = self.derivatives(evaluator, velocities, span);
        let zero = SMatrix::repeat(R::ZERO);
        *core = [[start.mass_matrix, zero], [-start.mass_matrix, end.mass_matrix]];
        ([start, end].map(|at| Balance { momentum: at.momentum, balance: at.balance }), Inertia::Core)
    }

    #[inline(always)]
    fn visit<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; 2],
        Span { h, .. }: Span<R>,
    ) {
        // Where M changes, V and V' err by a part of the step. Their mean, the velocity in the middle of the step, does not.
        let half = R::from_f64(0.5);
        let v = (velocities[0] + velocities[1]) * half;
        let q = self.canonical.coordinates(&self.state.q, v * (half * h));
        evaluator.visit(self.state.t + half * h, &q, &v);
    }

    #[inline(always)]
    fn residuals(&self, [start, end]: &Self::Stages, h: R, push: SVector<R, N>) -> [SVector<R, N>; 2] {
        let known = start.balance * (R::from_f64(0.5) * h) + push;
        [self.canonical.residual(start.momentum, known), end.momentum - start.momentum]
    }

    #[inline(always)]
    fn border(&self, matrix: &mut Blocks<R, N, 2, C>, start: SMatrix<R, N, C>, end: &SMatrix<R, C, N>) {
        matrix.right = [start, SMatrix::repeat(R::ZERO)];
        matrix.below = [end * R::from_f64(0.5); 2];
    }
}

impl<R: Real, const N: usize, const C: usize> Equations<'_, R, N, C> {
    /// Returns p, f and their derivatives at (q, V) and at (q', V').
    #[inline(always)]
    fn derivatives<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; 2],
        Span { h, end }: Span<R>,
    ) -> [BalanceJacobian<R, N>; 2] {
        let q_end = StepEquations::end(self, velocities, h);
        [
            self.reaction.balance_jacobian(evaluator, self.state.t, self.state.q, velocities[0]),
            self.reaction.balance_jacobian(evaluator, end, q_end, velocities[1]),
        ]
    }
}

/// Returns the derivatives of the two equations for momenta by V and V'.
#[inline(always)]
fn jacobian<R: Real, const N: usize>(
    start: &BalanceJacobian<R, N>,
    end: &BalanceJacobian<R, N>,
    half: R,
) -> [[SMatrix<R, N, N>; 2]; 2] {
    let moved = end.momentum_q * half;
    [
        [start.mass_matrix - start.balance_v * half, SMatrix::repeat(R::ZERO)],
        [moved - start.mass_matrix, moved + end.mass_matrix],
    ]
}

impl<R, const N: usize, const C: usize> Method<R, N, C> for Rattle<R>
where
    R: Real,
{
    type Memory = RattleMemory<R, N, C>;

    fixed_steps!();
    implicit_steps!();

    fn name(&self) -> &'static str {
        if self.projecting { "RATTLE" } else { "SHAKE" }
    }

    fn order(&self) -> u32 {
        2
    }

    fn start<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        let reaction = Reaction::start(evaluator, state, "RATTLE")?;
        let canonical = CanonicalMemory::start(evaluator, state);
        let explicit = Explicit::start(evaluator, state, &reaction.jacobian)?;
        let (past, tilt) = (PastStages::none(state.v), SVector::repeat(R::ZERO));
        Ok(RattleMemory { canonical, reaction, past, tilt, explicit })
    }

    /// Evaluates f again after the inputs jumped. q and p are continuous there, but f need not be.
    #[inline(always)]
    fn refresh<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        Ok(RattleMemory { explicit: memory.explicit.refreshed(evaluator, state), ..*memory })
    }

    #[inline(always)]
    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        RattleMemory { explicit: memory.explicit.without_balance(), ..*memory }
    }

    fn held<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        states: [&State<R, N>; 2],
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        Ok(memory.corrected(evaluator, states))
    }

    #[inline]
    fn step<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        _: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        if explicit::applies(evaluator) {
            return self.explicit_step(evaluator, state, memory, (h, end));
        }
        if const { C > 0 }
            && is_short(h, self.h)
            && let before = self.synchronise(evaluator, state, memory)?
            && let Some(trial) = memory.short_trial(evaluator, &before, (h, end))?
        {
            return Ok(trial);
        }
        let RattleMemory { canonical, reaction, past, tilt, .. } = memory;
        let half = R::from_f64(0.5) * h;
        let velocities = match self.guess {
            GuessFrom::Past => {
                let [mean] = self.predictor.guess(past, h);
                [mean - tilt * h, mean + tilt * h]
            }
            GuessFrom::State => {
                let v = self.velocity(evaluator, state, canonical)?;
                let a = evaluator.acceleration(state.t, state.q, v)?;
                [v + a * half; 2]
            }
        };
        let (step, equations) = (Span { h, end }, Equations { state, canonical, reaction });
        // The impulse of λ⁻ over the whole step. The impulse of SHAKE acts for both ends of a step.
        let impulse = reaction.start * if self.projecting { half } else { h };
        let guess = Unknowns { velocities, impulse };
        let solver = Solver { iteration: self.iteration, state, reaction };
        let Solved { unknowns: Unknowns { velocities: [v_start, v_end], impulse }, stages } =
            solver.solve(evaluator, &equations, step, guess, |evaluator| {
                Ok(Unknowns { velocities: [self.velocity(evaluator, state, canonical)?; 2], impulse })
            })?;
        let forces = stages[0].balance + stages[1].balance;
        let increments = Increments { q: (v_start + v_end) * half, p: forces * half, impulse, v: v_end };
        let last = if self.projecting { LastImpulse::Projected } else { LastImpulse::LeftToNext };
        let StepEnd { state, canonical, reaction } =
            finish(evaluator, (canonical, reaction), &state.q, step, increments, last)?;
        let past = past.after([(v_start + v_end) * R::from_f64(0.5)], h);
        let tilt = (v_end - v_start).map(|difference| difference / (h + h));
        let memory = RattleMemory { canonical, reaction, past, tilt, explicit: memory.explicit };
        Ok(Trial { state, memory, estimate: Estimate::None })
    }

    fn synchronise<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<State<R, N>, Failure> {
        let v = self.velocity(evaluator, state, &memory.canonical)?;
        Ok(State { v, ..*state })
    }
}
