//! RATTLE in its general Hamiltonian form.

mod explicit;

use super::canonical::{
    CanonicalMemory, Extrapolation, GuessFrom, Iteration, Kicked, Landing, PastStages, Path, Progress, Reaction, Watch,
    along, beside, kicked, land, named, project,
};
use super::{Estimate, Method, Pace, Symmetric, Trial};
use crate::controller::Controller;
use crate::error::Failure;
use crate::evaluator::Evaluator;
use crate::linalg::blocks::{BlockLu, BlockVector, Blocks};
use crate::scalar::Real;
use crate::state::State;
use crate::system::{BalanceJacobian, System};
use explicit::Explicit;
use nalgebra::{SMatrix, SVector};

/// RATTLE for any L with a fixed step, with or without holonomic constraints.
///
/// The unknowns are the velocities V of (q, p*) and V' of (q', p*), where p* is the momentum in the middle, and λ⁻:
///
/// ```text
/// p(q, V) = p + h/2 (f(q, V) + Gᵀλ⁻)
/// p(q', V') = p(q, V),   q' = q + h/2 (V + V'),   g(q') = 0
/// p' = p(q', V') + h/2 (f(q', V') + G'ᵀλ⁺),   G' v(q', p') + ∂g/∂t = 0
/// ```
///
/// for p = ∂L/∂v and f of the system, unprimed at time t, primed at t + h. It is the partitioned Lobatto method of 2 stages;
/// without constraints the generalised Störmer–Verlet method. Order 2, symmetric; symplectic on the states that meet the
/// constraint and the hidden constraint where f = ∂L/∂q (the initial state must meet both). Forces and dissipation are part
/// of f. λ± tend to the multipliers of the equations of motion as h → 0. q and p are what is carried, both compensated for
/// rounding. Starting guesses, the ways to solve the equations, controllers and a singular M: as for [`Gauss`](super::Gauss).
///
/// Where L = T(v) − V(q) with a constant positive mass matrix, forces do not depend on velocities and there is no input, all
/// but λ⁻ is explicit: a step is one `balance` (for f) and a `constraint` for each iteration and one more, with two factorisations of C × C matrices; one
/// iteration is enough for one rod and short steps.
///
/// Cost elsewhere: two `balance_jacobian`, the factors of a matrix of size 2N + C and mostly two to four `balance` a step; one
/// `balance_jacobian` more with constraints. Source: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical
/// Integration*, 2nd ed., VII.1.3 (after H. C. Andersen, 1983, and L. Jay, 1994).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rattle<R: Real> {
    h: R,
    iteration: Iteration,
    guess: GuessFrom,
    extrapolation: Extrapolation<R, 1>,
    projecting: bool,
}

/// What [`Rattle`] carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct RattleMemory<R: Real, const N: usize, const C: usize> {
    /// p, and what rounding took.
    pub canonical: CanonicalMemory<R, N>,
    /// What holds the constraints.
    pub reaction: Reaction<R, N, C>,
    /// The means of V and V'.
    past: PastStages<R, N, 1>,
    /// (V' − V)/(2h) of the last step.
    tilt: SVector<R, N>,
    /// What the explicit form keeps.
    explicit: Explicit<R, N, C>,
}

kicked!(RattleMemory<R, N, C>);

impl<R: Real> Rattle<R> {
    /// The method with step `h`: positive, in the unit of t (an integration reports one that is not).
    pub fn new(h: R) -> Self {
        let extrapolation = Extrapolation::new([R::from_f64(0.5)]);
        Self { h, iteration: Iteration::default(), guess: GuessFrom::Past, extrapolation, projecting: true }
    }

    /// SHAKE with step `h`: the same coordinates, but the momentum that is carried lacks the last impulse, which the next
    /// step's first makes up for; the momentum is projected for output only. [`Reaction`] holds the mean multiplier over
    /// both. Saves the projection where few states are looked at. Source: J.-P. Ryckaert, G. Ciccotti, H. J. C. Berendsen,
    /// 1977; on the equivalence, E. Hairer, C. Lubich, G. Wanner, VII.1.3.
    pub fn shake(h: R) -> Self {
        Self { projecting: false, ..Self::new(h) }
    }

    /// The same with another way to solve a step's equations.
    #[must_use]
    pub fn with_iteration(mut self, iteration: Iteration) -> Self {
        self.iteration = iteration;
        self
    }

    /// The same with starting guesses from the velocity and the acceleration at a step's start. Costs one more
    /// acceleration and some iterations.
    #[must_use]
    pub fn without_history(mut self) -> Self {
        self.guess = GuessFrom::State;
        self
    }
}

impl<R: Real> Rattle<R> {
    /// The velocity at a state, from its momentum.
    fn velocity<S, K, const N: usize, const C: usize, const U: usize>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        state: &State<R, N>,
        canonical: &CanonicalMemory<R, N>,
    ) -> Result<SVector<R, N>, Failure>
    where
        S: System<R, N, C, U> + ?Sized,
        K: Controller<R, N, U> + ?Sized,
    {
        if C > 0 && !self.projecting {
            Ok(project(evaluator, state.t, state.q, state.v, &canonical.momentum)?.v)
        } else {
            Ok(canonical.synchronise(evaluator, state)?.v)
        }
    }
}

impl<R: Real> Symmetric for Rattle<R> {}

/// What solves the equations of a step.
#[derive(Clone, Copy, Debug)]
struct Solved<R: Real, const N: usize, const C: usize> {
    /// V and V'.
    velocities: [SVector<R, N>; 2],
    /// (h/2) λ⁻; of SHAKE h λ⁻.
    impulse: SVector<R, C>,
    /// The sum of f over both ends.
    forces: SVector<R, N>,
}

impl<R: Real> Rattle<R> {
    /// V, V' and λ⁻ of a step of size `h` to `end`, from a guess.
    ///
    /// # Errors
    /// [`Failure::NewtonFailed`], [`Failure::NotFinite`], [`Failure::SingularMass`].
    #[inline(always)]
    fn solve<S, K, const N: usize, const C: usize, const U: usize>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        state: &State<R, N>,
        memory: &RattleMemory<R, N, C>,
        (h, end): (R, R),
        (mut velocities, mut impulse): ([SVector<R, N>; 2], SVector<R, C>),
    ) -> Result<Solved<R, N, C>, Failure>
    where
        S: System<R, N, C, U> + ?Sized,
        K: Controller<R, N, U> + ?Sized,
    {
        let RattleMemory { canonical, reaction, .. } = memory;
        let half = R::from_f64(0.5) * h;
        let mut factors: Option<BlockLu<R, N, 2, C>> = None;
        let mut watch = Watch::<R, N, 2>::new(self.iteration);
        loop {
            let [v_start, v_end] = velocities;
            let q_end = canonical.coordinates(&state.q, (v_start + v_end) * half);
            let held = evaluator.held(end, q_end);
            let (start_at, end_at, current) = match factors {
                Some(factors) => {
                    let start_at = reaction.balance(evaluator, state.t, state.q, v_start);
                    let end_at = reaction.balance(evaluator, end, q_end, v_end);
                    ((start_at.momentum, start_at.balance), (end_at.momentum, end_at.balance), factors)
                }
                None => {
                    let start_at = reaction.balance_jacobian(evaluator, state.t, state.q, v_start);
                    let end_at = reaction.balance_jacobian(evaluator, end, q_end, v_end);
                    let core = if self.iteration == Iteration::FixedPoint {
                        let zero = SMatrix::repeat(R::ZERO);
                        [[start_at.mass_matrix, zero], [-start_at.mass_matrix, end_at.mass_matrix]]
                    } else {
                        jacobian(&start_at, &end_at, half)
                    };
                    let mut blocks = Blocks::of(core);
                    if let Some(held) = &held {
                        blocks.right[0] = beside(&reaction.jacobian);
                        blocks.below = [held.jacobian * R::from_f64(0.5); 2];
                    }
                    evaluator.statistics_mut().factorizations += 1;
                    let constraints = evaluator.system().constraints();
                    let factors = BlockLu::new(blocks).map_err(|singular| named::<N>(singular, constraints))?;
                    ((start_at.momentum, start_at.balance), (end_at.momentum, end_at.balance), factors)
                }
            };
            let known = start_at.1 * half + along(&reaction.jacobian, &impulse);
            let core = [canonical.residual(start_at.0, known), end_at.0 - start_at.0];
            let border = held.map_or(SVector::repeat(R::ZERO), |held| held.value.map(|value| value / h));
            let BlockVector { core: increments, border } = current.solve(&BlockVector { core, border });
            evaluator.statistics_mut().iterations += 1;
            for (velocity, increment) in velocities.iter_mut().zip(&increments) {
                *velocity -= increment;
            }
            impulse -= border;
            match watch.judge(&increments, &velocities, &state.q, h)? {
                Progress::Converged => return Ok(Solved { velocities, impulse, forces: start_at.1 + end_at.1 }),
                Progress::Slow => factors = None,
                Progress::Fast if self.iteration == Iteration::Newton => factors = None,
                Progress::Fast => factors = Some(current),
            }
        }
    }
}

/// The derivatives of the two equations for momenta by V and V'.
#[inline(always)]
fn jacobian<R: Real, const N: usize, const U: usize>(
    start: &BalanceJacobian<R, N, U>,
    end: &BalanceJacobian<R, N, U>,
    half: R,
) -> [[SMatrix<R, N, N>; 2]; 2] {
    let moved = end.momentum_q * half;
    [
        [start.mass_matrix - start.balance_v * half, SMatrix::repeat(R::ZERO)],
        [moved - start.mass_matrix, moved + end.mass_matrix],
    ]
}

impl<S, R, const N: usize, const C: usize, const U: usize> Method<S, R, N, C, U> for Rattle<R>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    type Memory = RattleMemory<R, N, C>;
    type Workspace = ();

    fn name(&self) -> &'static str {
        if self.projecting { "RATTLE" } else { "SHAKE" }
    }

    fn order(&self) -> u32 {
        2
    }

    fn workspace(&self) {}

    #[inline(always)]
    fn pace(&self) -> Pace<R> {
        Pace::Fixed(self.h)
    }

    fn start<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        let reaction = Reaction::start(evaluator, state, "RATTLE")?;
        let canonical = CanonicalMemory::start(evaluator, state);
        let explicit = Explicit::start(evaluator, state, &reaction.jacobian)?;
        let (past, tilt) = (PastStages::none(state.v), SVector::repeat(R::ZERO));
        Ok(RattleMemory { canonical, reaction, past, tilt, explicit })
    }

    /// q and p are continuous where the inputs jump; f need not be.
    #[inline(always)]
    fn refresh<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        Ok(RattleMemory { explicit: memory.explicit.refreshed(evaluator, state), ..*memory })
    }

    #[inline(always)]
    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        RattleMemory { explicit: memory.explicit.without_balance(), ..*memory }
    }

    #[inline]
    fn step<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        _: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        if explicit::applies(evaluator.facts(), U) {
            return self.explicit_step(evaluator, state, memory, (h, end));
        }
        let RattleMemory { canonical, reaction, past, tilt, .. } = memory;
        let half = R::from_f64(0.5) * h;
        let mut velocities = match self.guess {
            GuessFrom::Past => {
                let [mean] = self.extrapolation.guess(past, h);
                [mean - tilt * h, mean + tilt * h]
            }
            GuessFrom::State => {
                let v = self.velocity(evaluator, state, canonical)?;
                let a = evaluator.acceleration(state.t, state.q, v)?;
                [v + a * half; 2]
            }
        };
        let span = if self.projecting { half } else { h };
        // The impulse of λ⁻ over the whole step. A part of the step has the same part of it.
        let mut impulse = reaction.start * span;
        let mut path = Path::whole();
        let solved = loop {
            let part = path.part();
            let to = if path.is_whole() { end } else { state.t + part * h };
            match self.solve(evaluator, state, memory, (part * h, to), (velocities, impulse * part)) {
                Ok(solved) if path.is_whole() => break solved,
                Ok(solved) => {
                    path.lengthen();
                    (velocities, impulse) = (solved.velocities, solved.impulse * part.recip());
                }
                Err(failure) => {
                    path.shorten(failure)?;
                    if !path.has_begun() {
                        velocities = [self.velocity(evaluator, state, canonical)?; 2];
                        impulse = reaction.start * span;
                    }
                }
            }
        };
        let Solved { velocities: [v_start, v_end], impulse, forces } = solved;
        let increments = ((v_start + v_end) * half, forces * half);
        let landing =
            land(evaluator, canonical, reaction, state, (h, end), increments, &impulse, v_end, self.projecting)?;
        let Landing { q, v, canonical, reaction } = landing;
        let past = past.after([(v_start + v_end) * R::from_f64(0.5)], h);
        let tilt = (v_end - v_start).map(|difference| difference / (h + h));
        let memory = RattleMemory { canonical, reaction, past, tilt, explicit: memory.explicit };
        Ok(Trial { state: State { t: end, q, v }, memory, estimate: Estimate::None })
    }

    fn acceleration<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        state: &State<R, N>,
        _: &Self::Memory,
    ) -> Result<SVector<R, N>, Failure> {
        evaluator.acceleration(state.t, state.q, state.v)
    }

    fn synchronise<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<State<R, N>, Failure> {
        let v = self.velocity(evaluator, state, &memory.canonical)?;
        Ok(State { v, ..*state })
    }
}
