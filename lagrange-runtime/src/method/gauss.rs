//! Gauss's collocation methods in (q, p).

mod short_step;

use super::canonical::{
    CanonicalMemory, Constrained, Core, GuessFrom, Increments, Inertia, Iteration, Kicked, LastImpulse, PastStages,
    Reaction, Solved, Solver, Span, StagePredictor, StepEnd, StepEquations, Unknowns, constrained, finish, is_short,
    kicked,
};
use super::shared::{fixed_steps, implicit_steps};
use super::{Estimate, Lift, Method, Symmetric, Trial};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::linalg::blocks::Blocks;
use crate::scalar::Real;
use crate::state::State;
use crate::system::BalanceJacobian;
use crate::tableau::Parts;
use crate::tableau::gauss::{OneToSix, StageCount};
use nalgebra::{SMatrix, SVector};
use short_step::ShortSteps;

/// Gauss's collocation method of `S` stages (1 to 6) in canonical variables with a fixed step.
///
/// The unknowns are the stage velocities Vᵢ. With Qᵢ = q + h Σ aᵢⱼ Vⱼ they solve
///
/// ```text
/// p(Qᵢ, Vᵢ) = p + h Σ aᵢⱼ f(Qⱼ, Vⱼ)
/// q' = q + h Σ bⱼ Vⱼ
/// p' = p + h Σ bⱼ f(Qⱼ, Vⱼ)
/// ```
///
/// Here p = ∂L/∂v, and f is the right side of the equations d/dt p = f of the system, at the times t + cᵢ h. The order is 2S. The
/// method is symmetric, and symplectic in (q, p) if f = ∂L/∂q. The energy of a conservative mechanism then stays within O(h^2S)
/// over very long times, and momenta linear in p and quadratic invariants in (q, p) are conserved to round-off. Dissipation and
/// forces are part of f. With them the power balance holds to the order of the method.
///
/// What decays within a small part of a step is not damped: its factor tends to ±1 for long steps, so that an error of it stays. For stiff
/// mechanisms take [`Radau5`](super::Radau5).
///
/// The method carries q and p, both by compensated summation. The coefficients are split, so that their rounding causes no drift.
/// v(q, p) is computed for output only.
///
/// The starting guess for the stages extrapolates the polynomial through the stages of the last steps. These stages are carried
/// from step to step, and dropped at a restart. [`Gauss::without_history`] computes the guess from the state alone.
///
/// [`Iteration`] chooses how the equations are solved. By default the method chooses itself. In short steps without constraints
/// and with S N ≤ 8 it takes a fixed-point iteration for the forces, which needs no Jacobian. It starts from a prediction by the last seven steps,
/// which must have the same size. If six evaluations of each stage do not suffice, this step and the next eight take Newton's
/// method. [`Statistics::factorizations`](crate::statistics::Statistics::factorizations) counts the steps of Newton's method.
///
/// Newton's method has the exact Jacobian, which is factored once a step unless convergence is slow. It ends when the increments
/// are at round-off. The inputs are evaluated at each iterate and are constant in the Jacobian. The iteration does not converge
/// for a controller whose gain on v is large compared to M/h.
///
/// The equations of a long step have several solutions. The step takes the one that tends to v as h → 0. If the guess is too far
/// from it, the equations are solved for growing parts of the step. If this solution does not exist, the step is too long and
/// fails with [`Failure::NewtonFailed`].
///
/// A short step costs S `inertial_balance` with the inverse of each M, and mostly S or 2S `balance`. With more than two
/// coordinates, or a constant M, it costs 2S or 3S `balance`, each with a `velocity_correction`. A step by Newton's method costs S
/// `balance_jacobian`, the factors of a matrix of size N·S, and mostly S or 2S `balance`. With [`Iteration::FixedPoint`] it costs
/// one `equations`, the factors of M, and S `balance` for each iteration.
///
/// With holonomic constraints a step is a composition of three. The first adds the impulse (h/2) Gᵀλ⁻ to p. The second is the
/// Gauss step, and λ⁻ is such that it ends with g(q') = 0. The third adds the impulse (h/2) G'ᵀλ⁺ to p', with λ⁺ such that the
/// velocity satisfies the hidden constraint. The composition is symmetric, and symplectic on the states that satisfy both
/// constraints. The initial state must satisfy both. The order is 2 for every S. A [`Composition`](super::Composition) of the
/// method has a higher order (S. Reich, *Symplectic integration of constrained Hamiltonian systems by composition methods*, SIAM
/// J. Numer. Anal. 33, 1996).
///
/// M may be singular at every state if constraints make up for it, as with a unit quaternion
/// ([`Facts::singular_mass`](crate::system::Facts::singular_mass)). The stages are then those of L + ½ ρ (G v + ∂g/∂t)², with a
/// constant ρ that is computed at the start. The added term vanishes to second order on the states that satisfy the constraints.
/// The motion, its momenta and λ± are therefore those of L. For a body by a quaternion λ± vanish, unless the block states a force along the quaternion, and
/// the order is that of Gauss alone, 2S.
///
/// Source: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical
/// Integration*, 2nd ed., II.1.3, VI.4 and VIII.6; on rounding, E. Hairer, R. I. McLachlan, A. Razakarivony, *Achieving
/// Brouwer's law with implicit Runge–Kutta methods*, BIT 48, 2008.
///
/// A step stores the matrix of its equations on the stack: (S N + C)² numbers. In f64 and the dev profile, 64 coordinates take
/// 1.0 MB with 3 stages and 1.9 MB with 6. A thread has 2 MB unless its program asks for more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gauss<R: Real, const S: usize> {
    h: R,
    iteration: Iteration,
    guess: GuessFrom,
    predictor: StagePredictor<R, S>,
}

/// The implicit midpoint rule, which is Gauss's method of one stage: p(Q, V) = p + h/2 f(Q, V) with Q = q + h/2 V.
pub type ImplicitMidpoint<R> = Gauss<R, 1>;

/// The values that [`Gauss`] carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct GaussMemory<R: Real, const N: usize, const S: usize, const C: usize> {
    /// The momentum p, and the rounding errors of q and p.
    pub canonical: CanonicalMemory<R, N>,
    /// The multipliers of the constraints.
    pub reaction: Reaction<R, N, C>,
    /// The last steps. After three steps of one size, `short_steps` has them instead.
    past: PastStages<R, N, S>,
    short_steps: ShortSteps<R, N, S>,
}

kicked!(GaussMemory<R, N, S, C>);
constrained!(GaussMemory<R, N, S, C>);

impl<R: Real, const S: usize> Gauss<R, S> {
    /// Returns the method with the step size `h`, in the unit of t. If `h` is not positive, an integration returns an error.
    pub fn new(h: R) -> Self
    where
        StageCount<S>: OneToSix<S>,
    {
        let nodes = multiples(&StageCount::<S>::GAUSS.nodes, R::ONE);
        Self { h, iteration: Iteration::default(), guess: GuessFrom::Past, predictor: StagePredictor::new(nodes) }
    }

    /// Returns the method with another iteration for the equations of a step.
    #[must_use]
    pub fn with_iteration(mut self, iteration: Iteration) -> Self {
        self.iteration = iteration;
        self
    }

    /// Returns the method with the starting guesses Vᵢ = v + cᵢ h a from the state at the start of a step. A step then depends on
    /// q and p alone, to the last digit if L is quadratic in v. The guesses cost one more acceleration and some iterations.
    #[must_use]
    pub fn without_history(mut self) -> Self {
        self.guess = GuessFrom::State;
        self
    }
}

impl<const S: usize> Lift for Gauss<f64, S>
where
    StageCount<S>: OneToSix<S>,
{
    type On<R: Real> = Gauss<R, S>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        Gauss { guess: self.guess, ..Gauss::new(R::from_f64(self.h)) }.with_iteration(Iteration::Newton)
    }
}

impl<R: Real, const S: usize> Gauss<R, S>
where
    StageCount<S>: OneToSix<S>,
{
    /// Whether short steps of mechanisms with `C` constraints take an iteration of their own.
    #[inline(always)]
    fn chooses<const C: usize>(&self) -> bool {
        C == 0 && self.iteration == Iteration::Automatic && self.guess == GuessFrom::Past
    }

    /// Returns the starting guesses for the stage velocities.
    #[inline]
    fn first_guess<E, const N: usize, const C: usize>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        (canonical, past): (&CanonicalMemory<R, N>, &PastStages<R, N, S>),
        h: R,
    ) -> Result<[SVector<R, N>; S], Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        match self.guess {
            GuessFrom::Past => Ok(self.predictor.guess(past, h)),
            GuessFrom::State => {
                let v = canonical.velocity(evaluator, state)?;
                let a = evaluator.acceleration(state.t, state.q, v)?;
                let mut guess = [v; S];
                for (guess, time) in guess.iter_mut().zip(multiples(&StageCount::<S>::GAUSS.nodes, h)) {
                    *guess += a * time;
                }
                Ok(guess)
            }
        }
    }

    /// Solves the equations of a step that is not short by one of the other iterations. The matrix of these equations is on the stack
    /// in this function alone.
    #[inline(never)]
    fn solve<E, const N: usize, const C: usize>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &GaussMemory<R, N, S, C>,
        step: Span<R>,
    ) -> Result<Solved<R, N, C, S, Stages<R, N, S>>, Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        let (canonical, reaction, mut past) = (&memory.canonical, &memory.reaction, memory.past);
        memory.short_steps.recall(&mut past);
        // The starting guess for the impulse (h/2) λ⁻ uses λ⁻ of the last step.
        let impulse = reaction.start * (R::from_f64(0.5) * step.h);
        let velocities = self.first_guess(evaluator, state, (canonical, &past), step.h)?;
        let solver = Solver { iteration: self.iteration, state, reaction };
        let equations = Collocation { state, canonical, reaction };
        solver.solve(evaluator, &equations, step, Unknowns { velocities, impulse }, |evaluator| {
            Ok(Unknowns { velocities: [canonical.velocity(evaluator, state)?; S], impulse })
        })
    }

    /// Returns the end of a step whose equations are solved. `has_failed` tells whether the iteration for short steps was tried.
    #[inline(never)]
    fn end<E, const N: usize, const C: usize>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &GaussMemory<R, N, S, C>,
        step: Span<R>,
        solved: &Solved<R, N, C, S, Stages<R, N, S>>,
        has_failed: bool,
    ) -> Result<Trial<R, N, GaussMemory<R, N, S, C>>, Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        let table = const { &StageCount::<S>::GAUSS };
        let Solved { unknowns: Unknowns { velocities, impulse }, stages } = solved;
        let increments = Increments {
            q: combine(&table.weights, velocities) * step.h,
            p: combine(&table.weights, &stages.balances) * step.h,
            impulse: *impulse,
            v: self.predictor.end(velocities),
        };
        let StepEnd { state, canonical, reaction } = finish(
            evaluator,
            (&memory.canonical, &memory.reaction),
            &state.q,
            step,
            increments,
            LastImpulse::Projected,
        )?;
        let (mut past, mut short_steps) = (memory.past, memory.short_steps);
        short_steps.recall(&mut past);
        if self.chooses::<C>() {
            short_steps.add_newton(velocities, step.h, has_failed);
        }
        let memory = GaussMemory { canonical, reaction, past: past.after(*velocities, step.h), short_steps };
        Ok(Trial { state, memory, estimate: Estimate::None })
    }
}

/// Returns the coefficients times `factor`.
///
/// This is a function of its own because a closure in a method would be compiled again for each
/// evaluator and for each number of coordinates.
#[inline(always)]
fn multiples<R: Real, const S: usize>(coefficients: &[Parts; S], factor: R) -> [R; S] {
    let mut multiples = [R::ZERO; S];
    for (multiple, coefficient) in multiples.iter_mut().zip(coefficients) {
        *multiple = coefficient.value::<R>() * factor;
    }
    multiples
}

/// Returns Σ coefficientⱼ vectorⱼ. The exact parts of the coefficients and their small remainders are summed separately.
#[inline(always)]
fn combine<R: Real, const N: usize, const S: usize>(
    coefficients: &[Parts; S],
    vectors: &[SVector<R, N>; S],
) -> SVector<R, N> {
    let mut sum = SVector::repeat(R::ZERO);
    for k in 0..N {
        let [mut coarse_sum, mut fine_sum] = coefficients[0].split().map(|part: R| vectors[0][k] * part);
        for j in 1..S {
            let [coarse, fine] = coefficients[j].split();
            coarse_sum = vectors[j][k].mul_add(coarse, coarse_sum);
            if fine != R::ZERO {
                fine_sum = vectors[j][k].mul_add(fine, fine_sum);
            }
        }
        sum[k] = coarse_sum + fine_sum;
    }
    sum
}

/// Adds the contribution of stage k to the Jacobian of the equations. The coefficients are those of the tableau times h. Block i,
/// j of the Jacobian is δᵢⱼ Mᵢ + aᵢⱼ (∂pᵢ/∂q − ∂fⱼ/∂v) − Σₖ aᵢₖ aₖⱼ ∂fₖ/∂q. Adding one stage at a time keeps only the derivatives
/// of one stage on the stack.
#[inline]
fn add_stage<R: Real, const N: usize, const S: usize>(
    core: &mut [[SMatrix<R, N, N>; S]; S],
    k: usize,
    at: &BalanceJacobian<R, N>,
    a: &[[R; S]; S],
) {
    let Some(&own) = a.get(k) else { return };
    for (i, (row, into)) in core.iter_mut().zip(a).enumerate() {
        let Some(&from) = into.get(k) else { return };
        for (j, (block, &coefficient)) in row.iter_mut().zip(&own).enumerate() {
            add(block, &at.balance_q, -(from * coefficient));
            if i == k {
                add(block, &at.momentum_q, coefficient);
            }
            if j == k {
                add(block, &at.balance_v, -from);
            }
            if i == k && j == k {
                *block += &at.mass_matrix;
            }
        }
    }
}

/// Adds a multiple of a matrix in place.
#[inline(always)]
fn add<R: Real, const N: usize>(sum: &mut SMatrix<R, N, N>, matrix: &SMatrix<R, N, N>, factor: R) {
    for (entry, &other) in sum.iter_mut().zip(matrix) {
        *entry += other * factor;
    }
}

impl<R: Real, const S: usize> Symmetric for Gauss<R, S> {}

/// The equations of a step of Gauss's method.
#[derive(Clone, Copy, Debug)]
struct Collocation<'a, R: Real, const N: usize, const C: usize> {
    /// The state at the step's start.
    state: &'a State<R, N>,
    canonical: &'a CanonicalMemory<R, N>,
    reaction: &'a Reaction<R, N, C>,
}

/// The momenta and the forces at the stages.
#[derive(Clone, Copy, Debug)]
struct Stages<R: Real, const N: usize, const S: usize> {
    /// The momenta p.
    momenta: [SVector<R, N>; S],
    /// The forces f.
    balances: [SVector<R, N>; S],
}

impl<R: Real, const N: usize, const S: usize> Stages<R, N, S> {
    fn none() -> Self {
        Self { momenta: [SVector::repeat(R::ZERO); S], balances: [SVector::repeat(R::ZERO); S] }
    }
}

impl<R: Real, const N: usize, const C: usize> Collocation<'_, R, N, C> {
    /// Returns the times and the coordinates of the stages.
    #[inline(always)]
    fn nodes<const S: usize>(&self, velocities: &[SVector<R, N>; S], h: R) -> [(R, SVector<R, N>); S]
    where
        StageCount<S>: OneToSix<S>,
    {
        let table = const { &StageCount::<S>::GAUSS };
        let mut nodes = [(self.state.t, self.state.q); S];
        for ((t, q), (node, row)) in nodes.iter_mut().zip(table.nodes.iter().zip(&table.coefficients)) {
            *t += node.value::<R>() * h;
            *q = self.canonical.coordinates(&self.state.q, combine(row, velocities) * h);
        }
        nodes
    }
}

impl<R: Real, const N: usize, const C: usize, const S: usize> StepEquations<R, N, C, S> for Collocation<'_, R, N, C>
where
    StageCount<S>: OneToSix<S>,
{
    type Stages = Stages<R, N, S>;

    #[inline(always)]
    fn end(&self, velocities: &[SVector<R, N>; S], h: R) -> SVector<R, N> {
        let table = const { &StageCount::<S>::GAUSS };
        self.canonical.coordinates(&self.state.q, combine(&table.weights, velocities) * h)
    }

    #[inline(always)]
    fn stages<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; S],
        Span { h, .. }: Span<R>,
    ) -> Self::Stages {
        let nodes = self.nodes(velocities, h);
        let mut stages = Stages::none();
        for i in 0..S {
            let at = self.reaction.balance(evaluator, nodes[i].0, nodes[i].1, velocities[i]);
            (stages.momenta[i], stages.balances[i]) = (at.momentum, at.balance);
        }
        stages
    }

    #[inline(always)]
    fn stages_with_jacobian<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; S],
        Span { h, .. }: Span<R>,
        core: &mut Core<R, N, S>,
    ) -> Self::Stages {
        let table = const { &StageCount::<S>::GAUSS };
        let mut a = [[R::ZERO; S]; S];
        for (multiples_of_row, row) in a.iter_mut().zip(&table.coefficients) {
            *multiples_of_row = multiples(row, h);
        }
        let nodes = self.nodes(velocities, h);
        core.iter_mut().flatten().for_each(|block| block.fill(R::ZERO));
        let mut stages = Stages::none();
        for i in 0..S {
            let at = self.reaction.balance_jacobian(evaluator, nodes[i].0, nodes[i].1, velocities[i]);
            (stages.momenta[i], stages.balances[i]) = (at.momentum, at.balance);
            add_stage(core, i, &at, &a);
        }
        stages
    }

    /// Returns M of the middle stage for every stage.
    #[inline(always)]
    fn stages_with_inertia<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        velocities: &[SVector<R, N>; S],
        span: Span<R>,
        _: &mut Core<R, N, S>,
    ) -> (Self::Stages, Inertia<R, N>) {
        let stages = self.stages(evaluator, velocities, span);
        let (t, q) = self.nodes(velocities, span.h)[S / 2];
        let mass_matrix = self.reaction.mass_matrix(evaluator, t, q, velocities[S / 2]);
        (stages, Inertia::Diagonal(mass_matrix))
    }

    #[inline(always)]
    fn visit<E: Evaluate<R, N, C> + ?Sized>(&self, evaluator: &mut E, velocities: &[SVector<R, N>; S], span: Span<R>) {
        if const { C > 0 } && evaluator.has_switches() {
            // The velocities at the stages have the impulses of the constraints at the start only, and err by a part of the step. Their mean does not.
            let table = const { &StageCount::<S>::GAUSS };
            let (v, half) = (combine(&table.weights, velocities), R::from_f64(0.5) * span.h);
            evaluator.visit(self.state.t + half, &self.canonical.coordinates(&self.state.q, v * half), &v);
        } else if evaluator.has_switches() {
            for ((t, q), v) in self.nodes(velocities, span.h).iter().zip(velocities) {
                evaluator.visit(*t, q, v);
            }
        }
    }

    #[inline(always)]
    fn residuals(&self, stages: &Self::Stages, h: R, push: SVector<R, N>) -> [SVector<R, N>; S] {
        let table = const { &StageCount::<S>::GAUSS };
        let mut residuals = stages.momenta;
        for (residual, row) in residuals.iter_mut().zip(&table.coefficients) {
            *residual = self.canonical.residual(*residual, combine(row, &stages.balances) * h + push);
        }
        residuals
    }

    #[inline(always)]
    fn border(&self, matrix: &mut Blocks<R, N, S, C>, start: SMatrix<R, N, C>, end: &SMatrix<R, C, N>) {
        let table = const { &StageCount::<S>::GAUSS };
        matrix.right = [start; S];
        for (below, weight) in matrix.below.iter_mut().zip(multiples(&table.weights, R::ONE)) {
            *below = end * weight;
        }
    }
}

impl<R, const N: usize, const C: usize, const S: usize> Method<R, N, C> for Gauss<R, S>
where
    R: Real,
    StageCount<S>: OneToSix<S>,
{
    type Memory = GaussMemory<R, N, S, C>;

    fixed_steps!();
    implicit_steps!();

    fn name(&self) -> &'static str {
        match S {
            1 => "implicit midpoint",
            2 => "Gauss with 2 stages",
            3 => "Gauss with 3 stages",
            4 => "Gauss with 4 stages",
            5 => "Gauss with 5 stages",
            _ => "Gauss with 6 stages",
        }
    }

    fn order(&self) -> u32 {
        if const { C > 0 } { 2 } else { 2 * S as u32 }
    }

    fn start<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        let reaction = Reaction::start(evaluator, state, "Gauss")?;
        let canonical = CanonicalMemory::start(evaluator, state);
        Ok(GaussMemory { canonical, reaction, past: PastStages::none(state.v), short_steps: ShortSteps::none() })
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
        if const { C > 0 }
            && is_short(h, self.h)
            && let Some(trial) = memory.short_trial(evaluator, state, (h, end))?
        {
            return Ok(trial);
        }
        let table = const { &StageCount::<S>::GAUSS };
        let GaussMemory { canonical, reaction, past, short_steps } = memory;
        let (step, equations) = (Span { h, end }, Collocation { state, canonical, reaction });
        let is_short = self.chooses::<C>() && short_steps.applies(h);
        let values = if is_short { short_steps.solve(&equations, evaluator) } else { None };
        evaluator.end_rounds(values.is_some());
        if let Some(values) = values {
            equations.visit(evaluator, &values.velocities, step);
            let (q_increment, p_increment) =
                (combine(&table.weights, &values.velocities) * h, combine(&table.weights, &values.forces) * h);
            let (q, canonical) = canonical.advance(&state.q, q_increment, p_increment)?;
            let state = State { t: end, q, v: self.predictor.end(&values.velocities) };
            let memory =
                GaussMemory { canonical, reaction: *reaction, past: *past, short_steps: short_steps.after(&values) };
            return Ok(Trial { state, memory, estimate: Estimate::None });
        }
        let solved = Gauss::solve(self, evaluator, state, memory, step)?;
        Gauss::end(self, evaluator, state, memory, step, &solved, is_short)
    }

    fn synchronise<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<State<R, N>, Failure> {
        memory.canonical.synchronise(evaluator, state)
    }
}
