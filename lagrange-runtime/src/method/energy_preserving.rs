//! The averaged vector field method in (q, p), which preserves the energy.

use super::canonical::{CanonicalMemory, Iteration, Kicked, PastStages, Path, Progress, StagePredictor, Watch, kicked};
use super::radau::product;
use super::shared::{fixed_steps, implicit_steps};
use super::shifted::Shifted;
use super::{Estimate, Lift, Method, Symmetric, Trial};
use crate::constraint::mechanical;
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::linalg::blocks::{BlockLu, BlockVector, Blocks, Table};
use crate::scalar::{Real, Scalar};
use crate::state::State;
use crate::system::BalanceJacobian;
use crate::tableau::Parts;
use crate::tableau::gauss::{OneToSix, StageCount};
use nalgebra::{SMatrix, SVector};

/// The averaged vector field method with a fixed step, which preserves the energy of a mechanism without constraints.
///
/// The step goes along the chord Q(c) = q + c (q' − q), P(c) = p + c (p' − p), and takes the mean of the vector field over the chord, by Gauss's quadrature with `S` nodes (1 to 6):
///
/// ```text
/// q' = q + h Σ bⱼ Vⱼ,   p' = p + h Σ bⱼ f(Qⱼ, Vⱼ),   ∂L/∂v(Qⱼ, Vⱼ) = Pⱼ
/// ```
///
/// Here f is the right side of the equations d/dt p = f of the system, at the times t + cⱼ h. Where the energy H = v·p − L does not depend on the time, where
/// f = ∂L/∂q + F with other forces F, and where the quadrature is exact,
///
/// ```text
/// H(q', p') − H(q, p) = (q' − q)·Σ bⱼ Fⱼ
/// ```
///
/// So the energy is preserved where F = 0, friction takes what it takes from the mean motion of each step, and an input gives the work of its mean force.
/// The quadrature is exact if H(Q(c), P(c)) is a polynomial of degree 2`S` in c, and its error falls as (ω h)^(2`S`) otherwise. In steps of a hundredth of the shortest period that is rounding with
/// four nodes; where a double pendulum whirls, as below, four nodes leave 3·10⁻⁹ J and six nodes 10⁻¹³ J.
///
/// The order is 2, as that of the variational rules, and the method is symmetric: it steps back to where it was. A [`Composition`](super::Composition) raises the order and preserves
/// the energy too. Momenta of cyclic coordinates are conserved; other momenta, such as an angular momentum in Cartesian coordinates, and the symplectic form are not.
///
/// # When to use it
///
/// Where the energy itself must not err, as in comparisons of energy levels, or where long steps of a symplectic method let the energy swing too far. In motions over many periods the phase errs as with
/// the variational rules, which cost less, conserve angular momenta, and under constraints keep the constraints: take those otherwise. A fast component is not damped.
///
/// # Cost
///
/// A step costs `S` `balance_jacobian` and mostly 2`S` to 4`S` `balance`, the factors of `S` matrices of size N, and those of one of size 2N. The method carries q and p, both by
/// compensated summation, and computes v(q, p) for output only.
///
/// ```
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian {
///     coordinates a, b;
///     let upper = [sin(a), -cos(a)];
///     let lower = upper + [sin(b), -cos(b)];
///     kinetic = (norm2(dot(upper)) + norm2(dot(lower)))/2;
///     potential = 9.81*(upper[1] + lower[1]);
/// }]
/// struct DoublePendulum {}
///
/// let system = DoublePendulum {}.prepare::<f64>()?;
/// let start = State::new(0.0, [2.0, 1.0], [0.0; 2]);
/// let worst = |solution: Solution<f64, 2>| {
///     let error = |state: State<f64, 2>| (system.energies_of(&state).energy - system.energies_of(&start).energy).abs();
///     solution.states().map(error).fold(0.0, f64::max)
/// };
/// let options = Options::default();
/// let preserved = worst(solve(&system, start, 50.0, &EnergyPreserving::<f64, 6>::new(0.01), &options)?);
/// let swinging = worst(solve(&system, start, 50.0, &VariationalMidpoint::new(0.01), &options)?);
/// assert!(preserved < 1e-12 && swinging > 1e-3, "{preserved:e} and {swinging:e}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: G. R. W. Quispel, D. I. McLaren, *A new class of energy-preserving numerical integration methods*, J. Phys. A 41, 2008; E. Hairer, *Energy-preserving variant of collocation
/// methods*, J. Numer. Anal. Ind. Appl. Math. 5, 2010.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyPreserving<R: Real, const S: usize> {
    h: R,
    predictor: StagePredictor<R, S>,
}

impl<R: Real, const S: usize> EnergyPreserving<R, S>
where
    StageCount<S>: OneToSix<S>,
{
    /// Returns the method with the step size `h`, in the unit of t. If `h` is not positive, an integration returns an error.
    pub fn new(h: R) -> Self {
        Self { h, predictor: StagePredictor::new(StageCount::<S>::GAUSS.nodes.map(Parts::value)) }
    }
}

impl<const S: usize> Lift for EnergyPreserving<f64, S>
where
    StageCount<S>: OneToSix<S>,
{
    type On<R: Real> = EnergyPreserving<R, S>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        EnergyPreserving::new(R::from_f64(self.h))
    }
}

impl<R: Real, const S: usize> Symmetric for EnergyPreserving<R, S> {}

/// What [`EnergyPreserving`] carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct EnergyPreservingMemory<R: Real, const N: usize, const S: usize> {
    /// The momentum p, and the rounding errors of q and p.
    pub canonical: CanonicalMemory<R, N>,
    past: PastStages<R, N, S>,
}

kicked!(EnergyPreservingMemory<R, N, S>);

/// The solution of a step.
struct Means<R: Real, const N: usize, const S: usize> {
    /// Vⱼ.
    velocities: [SVector<R, N>; S],
    /// Σ bⱼ Vⱼ.
    velocity: SVector<R, N>,
    /// Σ bⱼ fⱼ.
    force: SVector<R, N>,
}

/// The coefficients of the quadrature.
struct Rule<R, const S: usize> {
    /// cⱼ.
    nodes: [R; S],
    /// bⱼ.
    weights: [R; S],
}

impl<R: Real, const S: usize> Rule<R, S>
where
    StageCount<S>: OneToSix<S>,
{
    fn new() -> Self {
        let table = const { &StageCount::<S>::GAUSS };
        Self { nodes: table.nodes.map(Parts::value), weights: table.weights.map(Parts::value) }
    }
}

/// What solves for the increments of the Vᵢ: with W = Σ bⱼ δVⱼ and Φ = Σ bⱼ δfⱼ it is Mᵢ δVᵢ = −rᵢ + cᵢ h (Φ − (∂p/∂q)ᵢ W), and so two vectors are unknown, whatever the number of nodes.
struct Factors<R: Real, const N: usize, const S: usize> {
    /// The matrix for (W, Φ).
    means: BlockLu<R, N, 2, 0>,
    /// Mᵢ.
    masses: [Shifted<R, N>; S],
    /// (∂p/∂q)ᵢ.
    momenta_q: [SMatrix<R, N, N>; S],
    /// (∂f/∂v)ᵢ.
    forces_v: [SMatrix<R, N, N>; S],
}

impl<R: Real, const N: usize, const S: usize> Factors<R, N, S> {
    /// Factors the matrices of a step of size `h`, from the derivatives at the nodes.
    ///
    /// # Errors
    /// [`Failure::SingularMass`] with the coordinate of the pivot that vanished.
    fn new(rule: &Rule<R, S>, at: &[BalanceJacobian<R, N>; S], h: R) -> Result<Self, Failure> {
        let zero = SMatrix::<R, N, N>::repeat(R::ZERO);
        let one = SMatrix::<R, N, N>::from_fn(|i, j| if i == j { R::ONE } else { R::ZERO });
        let mut core = [[one, zero], [zero, one]];
        let mut weights = Table::new(R::Magnitude::ONE);
        let [velocity_weights, force_weights] = &mut weights.core;
        for i in 0..N {
            // Entries of a column times these have one unit.
            let root = at[0].mass_matrix[(i, i)].magnitude().sqrt();
            if root > R::Magnitude::ZERO {
                (velocity_weights[i], force_weights[i]) = (root, h.magnitude() / root);
            }
        }
        let mut masses = [const { None }; S];
        for (i, mass) in masses.iter_mut().enumerate() {
            let BalanceJacobian { mass_matrix, momentum_q, balance_q, balance_v, .. } = &at[i];
            let factors = Shifted::of(*mass_matrix, mass_matrix)?;
            let (weight, time) = (rule.weights[i], rule.nodes[i] * h);
            let mut by_force = zero;
            for (mut column, unit) in by_force.column_iter_mut().zip(one.column_iter()) {
                column.copy_from(&(factors.solve(&unit.into_owned()) * time));
            }
            let by_velocity = products(&by_force, momentum_q);
            core[0][0] += by_velocity * weight;
            core[0][1] -= by_force * weight;
            core[1][0] -= (balance_q * time - products(balance_v, &by_velocity)) * weight;
            core[1][1] -= products(balance_v, &by_force) * weight;
            *mass = Some(factors);
        }
        let means = BlockLu::weighted(Blocks::of(core), &weights).map_err(Failure::SingularMass)?;
        let masses = masses.map(|mass| mass.unwrap_or(Shifted::Inverse(one)));
        Ok(Self { means, masses, momenta_q: at.map(|at| at.momentum_q), forces_v: at.map(|at| at.balance_v) })
    }

    /// The increments of the Vᵢ, with the other sign, for the residuals rᵢ.
    fn increments(&self, rule: &Rule<R, S>, residuals: &[SVector<R, N>; S], h: R) -> [SVector<R, N>; S] {
        let mut increments = *residuals;
        let (mut velocity, mut force) = (SVector::<R, N>::repeat(R::ZERO), SVector::<R, N>::repeat(R::ZERO));
        for (i, increment) in increments.iter_mut().enumerate() {
            *increment = self.masses[i].solve(increment);
            velocity += *increment * rule.weights[i];
            force += product(&self.forces_v[i], increment) * rule.weights[i];
        }
        let [velocity, force] =
            self.means.solve(&BlockVector { core: [velocity, force], border: SVector::repeat(R::ZERO) }).core;
        for (i, increment) in increments.iter_mut().enumerate() {
            let rest = force - product(&self.momenta_q[i], &velocity);
            *increment += self.masses[i].solve(&rest) * (rule.nodes[i] * h);
        }
        increments
    }
}

/// The product of two matrices.
fn products<R: Real, const N: usize>(left: &SMatrix<R, N, N>, right: &SMatrix<R, N, N>) -> SMatrix<R, N, N> {
    let mut matrix = *right;
    for (mut column, factor) in matrix.column_iter_mut().zip(right.column_iter()) {
        column.copy_from(&product(left, &factor.into_owned()));
    }
    matrix
}

/// Σ bⱼ xⱼ.
#[inline(always)]
fn mean<R: Real, const N: usize, const S: usize>(weights: &[R; S], vectors: &[SVector<R, N>; S]) -> SVector<R, N> {
    let mut sum = SVector::repeat(R::ZERO);
    for (vector, &weight) in vectors.iter().zip(weights) {
        sum += vector * weight;
    }
    sum
}

/// Solves the equations of a step of size `h`, from a guess of the velocities at the nodes. If the guess is too far from the solution, they are solved for growing parts of the step.
///
/// # Errors
/// [`Failure::SingularMass`], [`Failure::NotFinite`], [`Failure::NewtonFailed`].
fn solve<E, R, const N: usize, const S: usize>(
    evaluator: &mut E,
    from: (&State<R, N>, &CanonicalMemory<R, N>),
    guess: [SVector<R, N>; S],
    h: R,
) -> Result<Means<R, N, S>, Failure>
where
    E: Evaluate<R, N, 0> + ?Sized,
    R: Real,
    StageCount<S>: OneToSix<S>,
{
    let (mut path, mut velocities) = (Path::<R>::whole(), guess);
    loop {
        match iterate(evaluator, from, velocities, path.part() * h) {
            Ok(solved) if path.is_whole() => return Ok(solved),
            Ok(solved) => {
                path.lengthen();
                velocities = solved.velocities;
            }
            Err(failure) => {
                path.shorten(failure)?;
                if !path.has_begun() {
                    let (state, canonical) = from;
                    velocities = [canonical.velocity(evaluator, state)?; S];
                }
            }
        }
    }
}

/// Solves the equations of a step of size `h` by Newton's method, from a guess of the velocities at the nodes.
///
/// # Errors
/// Those of [`solve`].
fn iterate<E, R, const N: usize, const S: usize>(
    evaluator: &mut E,
    (state, canonical): (&State<R, N>, &CanonicalMemory<R, N>),
    mut velocities: [SVector<R, N>; S],
    h: R,
) -> Result<Means<R, N, S>, Failure>
where
    E: Evaluate<R, N, 0> + ?Sized,
    R: Real,
    StageCount<S>: OneToSix<S>,
{
    let rule = Rule::<R, S>::new();
    let scale = mechanical(&state.q, evaluator.state_count());
    // Over dual numbers the last iteration has the Jacobian at the solution, so that the derivatives are exact.
    let iteration = if const { R::DERIVATIVE_ORDER > 0 } { Iteration::Newton } else { Iteration::SimplifiedNewton };
    let mut watch = Watch::<R, N, S>::new(iteration, evaluator.has_exact_jacobian(), (&scale, h));
    let mut factors = None;
    loop {
        evaluator.begin_round();
        let velocity = mean(&rule.weights, &velocities);
        let place = |i: usize| {
            let time = rule.nodes[i] * h;
            (state.t + time, canonical.coordinates(&state.q, velocity * time), velocities[i])
        };
        let (mut residuals, mut forces) = ([SVector::repeat(R::ZERO); S], [SVector::repeat(R::ZERO); S]);
        let factored = match factors.take() {
            Some(factors) => {
                for i in 0..S {
                    let (t, q, v) = place(i);
                    let at = evaluator.balance(t, q, v);
                    (residuals[i], forces[i]) = (at.momentum, at.balance);
                }
                factors
            }
            None => {
                let at = core::array::from_fn(|i| {
                    let (t, q, v) = place(i);
                    evaluator.balance_jacobian(t, q, v)
                });
                evaluator.check_slopes()?;
                for i in 0..S {
                    (residuals[i], forces[i]) = (at[i].momentum, at[i].balance);
                }
                evaluator.statistics_mut().factorizations += 1;
                Factors::new(&rule, &at, h)?
            }
        };
        let force = mean(&rule.weights, &forces);
        for (residual, &node) in residuals.iter_mut().zip(&rule.nodes) {
            *residual = canonical.residual(*residual, force * (node * h));
        }
        let increments = factored.increments(&rule, &residuals, h);
        evaluator.statistics_mut().iterations += 1;
        for (velocity, increment) in velocities.iter_mut().zip(&increments) {
            *velocity -= increment;
        }
        let progress = watch.judge(evaluator, &increments, &mut velocities);
        match progress? {
            Progress::Converged if iteration == Iteration::Newton && watch.is_first() => {}
            Progress::Converged => {
                return Ok(Means { velocities, velocity: mean(&rule.weights, &velocities), force });
            }
            Progress::Slow => {}
            Progress::Fast if iteration == Iteration::Newton => {}
            Progress::Fast => factors = Some(factored),
        }
    }
}

impl<R, const N: usize, const S: usize> Method<R, N, 0> for EnergyPreserving<R, S>
where
    R: Real,
    StageCount<S>: OneToSix<S>,
{
    type Memory = EnergyPreservingMemory<R, N, S>;

    fixed_steps!();
    implicit_steps!();

    fn name(&self) -> &'static str {
        "averaged vector field"
    }

    fn order(&self) -> u32 {
        2
    }

    fn start<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        let canonical = CanonicalMemory::start(evaluator, state);
        Ok(EnergyPreservingMemory { canonical, past: PastStages::none(state.v) })
    }

    fn held<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        [before, after]: [&State<R, N>; 2],
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        Ok(EnergyPreservingMemory { canonical: memory.canonical.held(evaluator, [before, after]), ..*memory })
    }

    fn step<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        _: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        if h == R::ZERO {
            return Ok(Trial::of_no_size(state, memory, end));
        }
        let EnergyPreservingMemory { canonical, past } = memory;
        let guess = self.predictor.guess(past, h);
        let solved = solve(evaluator, (state, canonical), guess, h);
        evaluator.end_rounds(true);
        let Means { velocities, velocity, force } = solved?;
        for (node, v) in const { &StageCount::<S>::GAUSS }.nodes.iter().zip(&velocities) {
            let time = node.value::<R>() * h;
            evaluator.visit(state.t + time, &canonical.coordinates(&state.q, velocity * time), v);
        }
        let v = self.predictor.end(&velocities);
        let (q, canonical) = canonical.advance(&state.q, velocity * h, force * h)?;
        let memory = EnergyPreservingMemory { canonical, past: past.after(velocities, h) };
        Ok(Trial { state: State { t: end, q, v }, memory, estimate: Estimate::None })
    }

    fn synchronise<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<State<R, N>, Failure> {
        memory.canonical.synchronise(evaluator, state)
    }
}
