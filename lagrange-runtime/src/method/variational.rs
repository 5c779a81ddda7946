//! Variational integrators: discrete Lagrangians by the midpoint and by the trapezoidal rule.

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
use core::fmt::Debug;
use core::marker::PhantomData;
use nalgebra::{SMatrix, SVector};

/// A variational integrator for any L with a fixed step. `Q` is the quadrature of its discrete Lagrangian.
///
/// With V = (q' − q)/h, the discrete Lagrangian L_d(q, q') is h L((q + q')/2, V) for [`Midpoint`] and h/2 (L(q, V) + L(q', V))
/// for [`Trapezoid`]. Each L is evaluated at the time of its node. The discrete Lagrange–d'Alembert forces F∓ are the halves of
/// h(Q − ∂D/∂v) at the same nodes. The discrete Legendre transforms with these forces define the step:
///
/// ```text
/// p  = −∂L_d/∂q  − F⁻
/// p' =  ∂L_d/∂q' + F⁺
/// ```
///
/// The first equation is solved for V. The second is then explicit. For the two rules the equations are
///
/// ```text
/// Midpoint:   p(Q, V) = p + h/2 f(Q, V),                        p' = p + h f(Q, V),   Q = (q + q')/2
/// Trapezoid:  (p(q, V) + p(q', V))/2 = p + h/2 f(q, V),         p' = p + h/2 (f(q, V) + f(q', V))
/// ```
///
/// The midpoint rule gives the implicit midpoint rule in (q, p). The trapezoidal rule gives the Störmer–Verlet method if
/// L = T(v) − V(q).
///
/// The order is 2. The method is symmetric, and symplectic if there are no forces. Momenta of symmetries that act affinely on q
/// are conserved to round-off. The energy of a conservative mechanism stays within O(h²) over very long times. The method carries
/// q and p, both by compensated summation, and computes v(q, p) for output only. Starting guesses, iterations and controllers
/// work as [`Gauss`](super::Gauss) describes.
///
/// The cost of a step is one `balance_jacobian` and mostly one or two `balance`. The trapezoidal rule costs twice as many.
///
/// Holonomic constraints g(q, t) = 0 hold at the nodes. The first equation contains the impulse (h/2) Gᵀλ⁻ at q, with λ⁻ such
/// that g(q') = 0. The impulse (h/2) G'ᵀλ⁺ is then added to p', with λ⁺ such that the velocity satisfies the hidden constraint.
/// Both λ⁻ and λ⁺ tend to the multipliers of the equations of motion as h → 0. With constraints the method is symplectic on the
/// states that satisfy both constraints. The initial state must satisfy both. Constraints cost one more `balance_jacobian` and
/// the solution of a bordered system. M may be singular if the bordered matrix is regular.
///
/// Source: J. E. Marsden, M. West, *Discrete mechanics and variational
/// integrators*, Acta Numerica 10, 2001, 1.3, 2.3.1, 3.2 and 3.4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variational<R: Real, Q> {
    h: R,
    iteration: Iteration,
    guess: GuessFrom,
    predictor: StagePredictor<R, 1>,
    quadrature: PhantomData<Q>,
}

/// The variational integrator whose discrete Lagrangian uses the midpoint rule.
pub type VariationalMidpoint<R> = Variational<R, Midpoint>;

/// The variational integrator whose discrete Lagrangian uses the trapezoidal rule.
pub type VariationalTrapezoid<R> = Variational<R, Trapezoid>;

/// The values that [`Variational`] carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct VariationalMemory<R: Real, const N: usize, const C: usize> {
    /// The momentum p, and the rounding errors of q and p.
    pub canonical: CanonicalMemory<R, N>,
    /// The multipliers of the constraints.
    pub reaction: Reaction<R, N, C>,
    past: PastStages<R, N, 1>,
}

kicked!(VariationalMemory<R, N, C>);
constrained!(VariationalMemory<R, N, C>);

/// The midpoint rule. Its only node is the middle of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Midpoint;

/// The trapezoidal rule. Its nodes are the ends of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trapezoid;

/// The momentum and the forces of a discrete Lagrangian at a velocity V.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sides<R: Real, const N: usize> {
    /// The mean of p over the nodes, ∂L_d/∂V / h.
    pub momentum: SVector<R, N>,
    /// The force f at the node nearest to q.
    pub start: SVector<R, N>,
    /// The force f at the node nearest to q'.
    pub end: SVector<R, N>,
}

/// A step with the constant velocity `v`, from (`t`, `q`) to the time `end`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chord<R: Real, const N: usize> {
    /// The time t at the start.
    pub t: R,
    /// The time at the end.
    pub end: R,
    /// The size h of the step.
    pub h: R,
    /// The coordinates q at the start.
    pub q: SVector<R, N>,
    /// The coordinates in the middle of the step.
    pub q_middle: SVector<R, N>,
    /// The coordinates q' at the end.
    pub q_end: SVector<R, N>,
    /// The velocity V.
    pub v: SVector<R, N>,
}

/// A quadrature rule for a discrete Lagrangian.
pub trait Quadrature: Copy + Debug {
    /// The method's name.
    const NAME: &'static str;

    /// Returns the mean momentum and the forces of a step.
    fn sides<E, R, const N: usize, const C: usize>(evaluator: &mut E, chord: &Chord<R, N>) -> Sides<R, N>
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real;

    /// Returns the result of [`Quadrature::sides`] and its Jacobian. The Jacobian is the derivative of `momentum` − h/2 `start`
    /// by V.
    fn sides_jacobian<E, R, const N: usize, const C: usize>(
        evaluator: &mut E,
        chord: &Chord<R, N>,
    ) -> (Sides<R, N>, SMatrix<R, N, N>)
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real;

    /// Calls [`Evaluate::visit`] for the states at which [`Quadrature::sides`] evaluates the equations.
    fn visit<E, R, const N: usize, const C: usize>(evaluator: &mut E, chord: &Chord<R, N>)
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real;
}

impl Quadrature for Midpoint {
    const NAME: &'static str = "variational midpoint";

    #[inline(always)]
    fn sides<E, R, const N: usize, const C: usize>(evaluator: &mut E, chord: &Chord<R, N>) -> Sides<R, N>
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real,
    {
        let middle = chord.t + R::from_f64(0.5) * chord.h;
        let at = evaluator.balance(middle, chord.q_middle, chord.v);
        Sides { momentum: at.momentum, start: at.balance, end: at.balance }
    }

    #[inline(always)]
    fn sides_jacobian<E, R, const N: usize, const C: usize>(
        evaluator: &mut E,
        chord: &Chord<R, N>,
    ) -> (Sides<R, N>, SMatrix<R, N, N>)
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real,
    {
        let half = R::from_f64(0.5) * chord.h;
        let at = evaluator.balance_jacobian(chord.t + half, chord.q_middle, chord.v);
        let sides = Sides { momentum: at.momentum, start: at.balance, end: at.balance };
        (sides, at.mass_matrix + at.momentum_q * half - (at.balance_v + at.balance_q * half) * half)
    }

    #[inline(always)]
    fn visit<E, R, const N: usize, const C: usize>(evaluator: &mut E, chord: &Chord<R, N>)
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real,
    {
        evaluator.visit(chord.t + R::from_f64(0.5) * chord.h, &chord.q_middle, &chord.v);
    }
}

impl Quadrature for Trapezoid {
    const NAME: &'static str = "variational trapezoid";

    #[inline(always)]
    fn sides<E, R, const N: usize, const C: usize>(evaluator: &mut E, chord: &Chord<R, N>) -> Sides<R, N>
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real,
    {
        let start = evaluator.balance(chord.t, chord.q, chord.v);
        let end = evaluator.balance(chord.end, chord.q_end, chord.v);
        let momentum = (start.momentum + end.momentum) * R::from_f64(0.5);
        Sides { momentum, start: start.balance, end: end.balance }
    }

    #[inline(always)]
    fn sides_jacobian<E, R, const N: usize, const C: usize>(
        evaluator: &mut E,
        chord: &Chord<R, N>,
    ) -> (Sides<R, N>, SMatrix<R, N, N>)
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real,
    {
        let half = R::from_f64(0.5);
        let start = evaluator.balance_jacobian(chord.t, chord.q, chord.v);
        let end = evaluator.balance_jacobian(chord.end, chord.q_end, chord.v);
        let momentum = (start.momentum + end.momentum) * half;
        let sides = Sides { momentum, start: start.balance, end: end.balance };
        let mass = start.mass_matrix + end.mass_matrix;
        (sides, (mass + (end.momentum_q - start.balance_v) * chord.h) * half)
    }

    #[inline(always)]
    fn visit<E, R, const N: usize, const C: usize>(evaluator: &mut E, chord: &Chord<R, N>)
    where
        E: Evaluate<R, N, C> + ?Sized,
        R: Real,
    {
        // V is the velocity in the middle of the step, and errs by a part of the step at its ends.
        evaluator.visit(chord.t + R::from_f64(0.5) * chord.h, &chord.q_middle, &chord.v);
    }
}

impl<R: Real, Q> Variational<R, Q> {
    /// Returns the method with the step size `h`, in the unit of t. If `h` is not positive, an integration returns an error.
    pub fn new(h: R) -> Self {
        let predictor = StagePredictor::new([R::from_f64(0.5)]);
        Self { h, iteration: Iteration::default(), guess: GuessFrom::Past, predictor, quadrature: PhantomData }
    }

    /// Returns the method with another iteration for the equation of a step.
    #[must_use]
    pub fn with_iteration(mut self, iteration: Iteration) -> Self {
        self.iteration = iteration;
        self
    }

    /// Returns the method with the starting guess V = v + h/2 a from the state at the start of a step. A step then depends on q
    /// and p alone, to the last digit if L is quadratic in v. The guess costs one more acceleration and some iterations.
    #[must_use]
    pub fn without_history(mut self) -> Self {
        self.guess = GuessFrom::State;
        self
    }
}

impl<Q> Lift for Variational<f64, Q> {
    type On<R: Real> = Variational<R, Q>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        Variational { guess: self.guess, ..Variational::new(R::from_f64(self.h)) }.with_iteration(Iteration::Newton)
    }
}

impl<R: Real, Q> Symmetric for Variational<R, Q> {}

/// The equation of a step, p(Q, V) − h/2 f = p. The momentum on the left is the mean over the nodes of the rule.
#[derive(Clone, Copy, Debug)]
struct DiscreteLegendre<'a, R: Real, const N: usize, Q> {
    /// The state at the step's start.
    state: &'a State<R, N>,
    canonical: &'a CanonicalMemory<R, N>,
    quadrature: PhantomData<Q>,
}

impl<R: Real, const N: usize, Q> DiscreteLegendre<'_, R, N, Q> {
    #[inline(always)]
    fn chord(&self, v: SVector<R, N>, Span { h, end }: Span<R>) -> Chord<R, N> {
        let State { t, q, .. } = *self.state;
        let q_middle = self.canonical.coordinates(&q, v * (R::from_f64(0.5) * h));
        Chord { t, end, h, q, q_middle, q_end: self.canonical.coordinates(&q, v * h), v }
    }
}

impl<R: Real, const N: usize, const C: usize, Q: Quadrature> StepEquations<R, N, C, 1>
    for DiscreteLegendre<'_, R, N, Q>
{
    type Stages = Sides<R, N>;

    #[inline(always)]
    fn end(&self, [v]: &[SVector<R, N>; 1], h: R) -> SVector<R, N> {
        self.canonical.coordinates(&self.state.q, v * h)
    }

    #[inline(always)]
    fn stages<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        [v]: &[SVector<R, N>; 1],
        span: Span<R>,
    ) -> Self::Stages {
        Q::sides(evaluator, &self.chord(*v, span))
    }

    #[inline(always)]
    fn stages_with_jacobian<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        [v]: &[SVector<R, N>; 1],
        span: Span<R>,
        core: &mut Core<R, N, 1>,
    ) -> Self::Stages {
        let (sides, jacobian) = Q::sides_jacobian(evaluator, &self.chord(*v, span));
        *core = [[jacobian]];
        sides
    }

    /// The core is M in the middle of the step.
    #[inline(always)]
    fn stages_with_inertia<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        [v]: &[SVector<R, N>; 1],
        span: Span<R>,
        core: &mut Core<R, N, 1>,
    ) -> (Self::Stages, Inertia<R, N>) {
        let chord = self.chord(*v, span);
        let sides = Q::sides(evaluator, &chord);
        *core = [[evaluator.equations(chord.t + R::from_f64(0.5) * chord.h, chord.q_middle, *v).mass_matrix]];
        (sides, Inertia::Core)
    }

    #[inline(always)]
    fn visit<E: Evaluate<R, N, C> + ?Sized>(&self, evaluator: &mut E, [v]: &[SVector<R, N>; 1], span: Span<R>) {
        Q::visit(evaluator, &self.chord(*v, span));
    }

    #[inline(always)]
    fn residuals(&self, sides: &Self::Stages, h: R, push: SVector<R, N>) -> [SVector<R, N>; 1] {
        [self.canonical.residual(sides.momentum, sides.start * (R::from_f64(0.5) * h) + push)]
    }

    #[inline(always)]
    fn border(&self, matrix: &mut Blocks<R, N, 1, C>, start: SMatrix<R, N, C>, end: &SMatrix<R, C, N>) {
        matrix.right = [start];
        matrix.below = [*end];
    }
}

impl<R, Q, const N: usize, const C: usize> Method<R, N, C> for Variational<R, Q>
where
    R: Real,
    Q: Quadrature,
{
    type Memory = VariationalMemory<R, N, C>;

    fixed_steps!();
    implicit_steps!();

    fn name(&self) -> &'static str {
        Q::NAME
    }

    fn order(&self) -> u32 {
        2
    }

    fn start<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        let reaction = Reaction::start(evaluator, state, Q::NAME)?;
        let canonical = CanonicalMemory::start(evaluator, state);
        Ok(VariationalMemory { canonical, reaction, past: PastStages::none(state.v) })
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
        let VariationalMemory { canonical, reaction, past } = memory;
        let half = R::from_f64(0.5) * h;
        let v = match self.guess {
            GuessFrom::Past => self.predictor.guess(past, h)[0],
            GuessFrom::State => {
                let v = canonical.velocity(evaluator, state)?;
                v + evaluator.acceleration(state.t, state.q, v)? * half
            }
        };
        let step = Span { h, end };
        let equations = DiscreteLegendre::<R, N, Q> { state, canonical, quadrature: PhantomData };
        // The impulse (h/2) λ⁻ of the whole step.
        let impulse = reaction.start * half;
        let guess = Unknowns { velocities: [v], impulse };
        let solver = Solver { iteration: self.iteration, state, reaction };
        let Solved { unknowns: Unknowns { velocities: [v], impulse }, stages } =
            solver.solve(evaluator, &equations, step, guess, |evaluator| {
                Ok(Unknowns { velocities: [canonical.velocity(evaluator, state)?], impulse })
            })?;
        let increments = Increments { q: v * h, p: (stages.start + stages.end) * half, impulse, v };
        let StepEnd { state, canonical, reaction } =
            finish(evaluator, (canonical, reaction), &state.q, step, increments, LastImpulse::Projected)?;
        let memory = VariationalMemory { canonical, reaction, past: past.after([v], h) };
        Ok(Trial { state, memory, estimate: Estimate::None })
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
