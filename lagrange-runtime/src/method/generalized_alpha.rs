//! The generalized-α method for constrained multibody systems.

use super::canonical::{
    CanonicalMemory, is_short, name_pivot, negative_transpose, project, rate_of, reaction_of, short_step,
};
use super::radau::weights;
use super::shared::{fixed_steps, implicit_steps};
use super::stage::{ImplicitEquation, ImplicitSolution};
use super::{Estimate, Lift, Method, Trial};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::linalg::blocks::{BlockLu, BlockVector, Blocks};
use crate::scalar::Real;
use crate::state::State;
use nalgebra::SVector;

const NAME: &str = "generalized-α";

/// The largest growth of the step over which the auxiliary values are kept. In the next step their rounding is multiplied by the square of this growth.
const LARGEST_GROWTH: f64 = 8.0;

/// The generalized-α method with a fixed step and numerical damping of the user's choice, for mechanisms with and without holonomic constraints.
///
/// With the auxiliary acceleration a and the auxiliary rate π of the momentum, a step solves
///
/// ```text
/// q' = q + h v + h² ((1/2 − β) a + β a'),   v' = v + h ((1 − γ) a + γ a')
/// p' = p + h ((1 − γ) π + γ π'),            p' = ∂L/∂v(q', v')
/// (1 − α_m) π' + α_m π = (1 − α_f) F' + α_f F,   F = f(q, v) + Gᵀλ,   g(q') = 0
/// α_m = (2ρ − 1)/(ρ + 1),  α_f = ρ/(ρ + 1),  γ = 1/2 + α_f − α_m,  β = (γ + 1/2)²/4
/// ```
///
/// for v' and λ'. Here f is the right side of the equations d/dt p = f + Gᵀλ of the system. Where p = M v with a constant M, π is M a, and these are the equations of
/// Arnold and Brüls. Where M changes, rates of momenta take the place of M v̇, so that the Jacobian of a step is exact, and that momenta of cyclic coordinates are
/// conserved. The order is 2 for q, v and λ.
///
/// # Damping
///
/// ρ is the spectral radius at infinite frequency, from 0 to 1: a component that oscillates or decays much faster than the step keeps this part of itself
/// in each step. Slow components are damped by a part of the order of (ω h)³ only. ρ = 1 damps nothing, and is refused under constraints, where the method is not
/// stable; ρ = 0 removes what is fast within a step. Values from 0.7 to 0.9 are usual for flexible mechanisms.
///
/// # Start, and changes of the step
///
/// The auxiliary accelerations belong to the time t + (α_m − α_f) h, and under constraints a velocity of second order differs from that of the hidden constraint by
/// h² (1/6 − (α_m − α_f)/2 − β) v̈ in the directions of the constraints. With other values at a start, λ would have errors of order 1 in the first steps. They follow from a trial of the first
/// step, which is made twice for this reason, and again after inputs jump. Where a step has another size than the one before it, as the last one may, they are
/// moved by their own differences; where it is more than 8 times as long, they begin anew. The states for output satisfy the constraint and the hidden constraint: a velocity is projected when somebody looks at it.
///
/// # Cost
///
/// A step costs one `balance_jacobian`, one factorisation of a matrix of size N + C, and mostly one to three `balance`. The method carries q and p, both by compensated summation.
///
/// # Mechanisms
///
/// Constraints must be holonomic and independent. M may be singular where constraints make up for it. States and coordinates of first order are integrated with order 2. Contacts and
/// dry friction that sticks are held: steps end where a phase changes, and the auxiliary values begin anew there. Take [`Radau5`](super::Radau5) where step control is wanted.
///
/// ```
/// use lagrange_runtime::prelude::*;
///
/// // A pendulum of two bobs, of which the second hangs on a stiff spring of 10⁹ N/m.
/// #[lagrangian {
///     coordinates x[2], y[2];
///     kinetic = (norm2(dot(x)) + norm2(dot(y)))/2;
///     potential = 9.81*(x[1] + y[1]) + 1e9*(norm(y - x) - 1)^2/2;
///     constraint rod: norm2(x) == 1;
/// }]
/// struct Hanging {}
///
/// let system = Hanging {}.prepare::<f64>()?;
/// let start = State::new(0.0, [0.6, -0.8, 1.2, -1.6], [0.0; 4]);
/// let solution = solve(&system, start, 5.0, &GeneralizedAlpha::new(0.01, 0.8), &Options::default())?;
/// for state in solution.states() {
///     assert!((state.q[0].hypot(state.q[1]) - 1.0).abs() < 1e-14);
///     assert!((system.energies_of(&state).energy + 23.544).abs() < 0.01);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: M. Arnold, O. Brüls, *Convergence of the generalized-α scheme for constrained mechanical systems*, Multibody Syst. Dyn. 18, 2007; the method
/// without constraints: J. Chung, G. M. Hulbert, J. Appl. Mech. 60, 1993; on the start: M. Arnold, O. Brüls, A. Cardona, *Error analysis of generalized-α Lie group
/// time integration methods for constrained mechanical systems*, Numer. Math. 129, 2015.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneralizedAlpha<R: Real> {
    h: R,
    radius: R,
}

impl<R: Real> GeneralizedAlpha<R> {
    /// Returns the method with the step size `h`, in the unit of t, and the spectral radius ρ = `radius` at infinite frequency. If `h` is not positive, or `radius` is not in
    /// [0, 1], an integration returns an error.
    pub const fn new(h: R, radius: R) -> Self {
        Self { h, radius }
    }

    /// The coefficients.
    fn weights(&self) -> Weights<R> {
        let (one, two, half) = (R::ONE, R::from_f64(2.0), R::from_f64(0.5));
        let sum = self.radius + one;
        let (mass, force) = ((two * self.radius - one) / sum, self.radius / sum);
        let gamma = half + force - mass;
        let beta = (sum * sum).recip();
        Weights { mass, force, gamma, beta, ahead: mass - force }
    }
}

impl Lift for GeneralizedAlpha<f64> {
    type On<R: Real> = GeneralizedAlpha<R>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        GeneralizedAlpha::new(R::from_f64(self.h), R::from_f64(self.radius))
    }
}

/// The coefficients of a step.
#[derive(Clone, Copy, Debug)]
struct Weights<R> {
    /// α_m.
    mass: R,
    /// α_f.
    force: R,
    /// γ.
    gamma: R,
    /// β, which is 1/(ρ + 1)².
    beta: R,
    /// α_m − α_f: the auxiliary acceleration belongs to the time t + (α_m − α_f) h.
    ahead: R,
}

/// What [`GeneralizedAlpha`] carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct GeneralizedAlphaMemory<R: Real, const N: usize, const C: usize> {
    /// The momentum p, and the rounding errors of q and p.
    pub canonical: CanonicalMemory<R, N>,
    /// The multipliers λ at the state.
    pub multipliers: SVector<R, C>,
    /// `None` at a start and after inputs jumped.
    rates: Option<Rates<R, N>>,
}

/// The auxiliary quantities, which belong to one step size.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
struct Rates<R: Real, const N: usize> {
    /// The size of the last step.
    h: R,
    /// v, of which the part in the directions of the constraints differs from that of the hidden constraint.
    velocity: SVector<R, N>,
    /// a.
    acceleration: SVector<R, N>,
    /// π.
    rate: SVector<R, N>,
    /// F = f + Gᵀλ.
    force: SVector<R, N>,
    /// The slopes of a and π in time.
    slopes: [SVector<R, N>; 2],
}

impl<R: Real, const N: usize> Rates<R, N> {
    /// Those at another step size, except the velocity.
    fn resized(&self, weights: &Weights<R>, h: R) -> Self {
        let later = weights.ahead * (h - self.h);
        let [acceleration, rate] = self.slopes;
        let (acceleration, rate) = (self.acceleration + acceleration * later, self.rate + rate * later);
        Self { h, acceleration, rate, ..*self }
    }
}

/// The state at which a step starts, with what is carried to it.
struct Start<'a, R: Real, const N: usize, const C: usize> {
    weights: Weights<R>,
    state: &'a State<R, N>,
    canonical: CanonicalMemory<R, N>,
    multipliers: SVector<R, C>,
    rates: Rates<R, N>,
}

impl<'a, R: Real, const N: usize, const C: usize> Start<'a, R, N, C> {
    /// The size of the step.
    fn h(&self) -> R {
        self.rates.h
    }

    /// Solves the equations of the step to the time `end`.
    ///
    /// # Errors
    /// [`Failure::SingularMass`], [`Failure::NotFinite`], [`Failure::NewtonFailed`].
    fn solve<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        end: R,
    ) -> Result<ImplicitSolution<R, N, C>, Failure> {
        let (Weights { mass, force, gamma, beta, ahead }, h) = (self.weights, self.h());
        let Rates { velocity, acceleration, rate, force: before, slopes: [slope, _], .. } = &self.rates;
        let (one, half) = (R::ONE, R::from_f64(0.5));
        let (part, share) = (beta / gamma, gamma / (one - mass));
        let moved = velocity * ((one - part) * h) + acceleration * ((half - part) * h * h);
        let kick = rate * ((one - gamma - share * mass) * h) + before * (share * force * h);
        let [q_remainder, p_remainder] = self.canonical.remainders();
        let equation = ImplicitEquation {
            start: self.state,
            momentum: &self.canonical.momentum,
            end,
            moved: q_remainder + moved,
            kicked: p_remainder + kick,
            by_velocity: part * h,
            by_force: share * (one - force) * h,
        };
        let guess = velocity + (acceleration + slope * ((half - ahead) * h)) * h;
        equation.solve(evaluator, guess, self.multipliers)
    }

    /// Makes the step to the time `end`.
    ///
    /// # Errors
    /// Those of [`Start::solve`].
    fn step<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        end: R,
    ) -> Result<Trial<R, N, GeneralizedAlphaMemory<R, N, C>>, Failure> {
        let (Weights { mass, force, gamma, beta, .. }, h) = (self.weights, self.h());
        let solved = self.solve(evaluator, end)?;
        let Rates { velocity, acceleration, rate, force: before, .. } = &self.rates;
        let (one, half) = (R::ONE, R::from_f64(0.5));
        let change = (solved.velocity - velocity).map(|change| change / h);
        let next = Rates {
            h,
            velocity: solved.velocity,
            acceleration: (change - acceleration * (one - gamma)) / gamma,
            rate: (solved.force * (one - force) + before * force - rate * mass) / (one - mass),
            force: solved.force,
            slopes: [SVector::repeat(R::ZERO); 2],
        };
        let slopes = [next.acceleration - acceleration, next.rate - rate].map(|change| change / h);
        let part = beta / gamma;
        let mut moved = velocity * (one - part) + solved.velocity * part + acceleration * ((half - part) * h);
        for i in N.saturating_sub(evaluator.state_count())..N {
            // The hidden coordinate of a state, on which nothing depends, is the integral of the state.
            moved[i] = (velocity[i] + solved.velocity[i]) * half;
        }
        let kick = rate * (one - gamma) + next.rate * gamma;
        let (q, canonical) = self.canonical.advance(&self.state.q, moved * h, kick * h)?;
        let rates = Some(Rates { slopes, ..next });
        let memory = GeneralizedAlphaMemory { canonical, multipliers: solved.multipliers, rates };
        Ok(Trial { state: State { t: end, q, v: solved.velocity }, memory, estimate: Estimate::None })
    }

    /// Moves the velocity by `change`, and the momentum with it.
    fn shift<E: Evaluate<R, N, C> + ?Sized>(&mut self, evaluator: &mut E, change: &SVector<R, N>) {
        let momentum = |v: SVector<R, N>| evaluator.momentum(self.state.t, self.state.q, v).0;
        let v = self.rates.velocity + change;
        let impulse = momentum(v) - momentum(self.rates.velocity);
        self.rates.velocity = v;
        self.canonical = self.canonical.with_impulse(impulse);
    }

    /// The values at a start: a trial of the step gives the derivatives of a and π in time.
    ///
    /// # Errors
    /// Those of [`Start::solve`].
    fn begin<E: Evaluate<R, N, C> + ?Sized>(
        weights: Weights<R>,
        evaluator: &mut E,
        state: &'a State<R, N>,
        mut canonical: CanonicalMemory<R, N>,
        (h, end): (R, R),
    ) -> Result<Self, Failure> {
        let (State { t, q, v: mut velocity }, none) = (*state, SVector::repeat(R::ZERO));
        if const { C > 0 } {
            let projected = project(evaluator, t, q, velocity, &canonical.momentum)?;
            velocity = projected.v;
            canonical = canonical.with_impulse(projected.impulse);
        }
        let (acceleration, force, multipliers) = forces(evaluator, t, &q, &velocity)?;
        let rates = Rates { h, velocity, acceleration, rate: force, force, slopes: [none; 2] };
        let mut start = Start { weights, state, canonical, multipliers, rates };
        let tried = start.solve(evaluator, end)?;
        let (next_acceleration, next_force, _) = forces(evaluator, end, &tried.coordinates, &tried.velocity)?;
        let slopes = [next_acceleration - acceleration, next_force - force].map(|change| change / h);
        start.rates.slopes = slopes;
        // Values for a step of no size are those at the state.
        start.rates = Rates { h: R::ZERO, ..start.rates }.resized(&weights, h);
        if const { C > 0 } {
            let part = R::from_f64(1.0 / 6.0) - R::from_f64(0.5) * weights.ahead - weights.beta;
            let off = normal(evaluator, (t, &q, &velocity), &(slopes[0] * (part * h * h)))?;
            start.shift(evaluator, &off);
        }
        Ok(start)
    }
}

/// The acceleration, f + Gᵀλ, and λ at a state.
///
/// # Errors
/// [`Failure::SingularMass`].
#[allow(clippy::type_complexity, reason = "three vectors")]
fn forces<E, R, const N: usize, const C: usize>(
    evaluator: &mut E,
    t: R,
    q: &SVector<R, N>,
    v: &SVector<R, N>,
) -> Result<(SVector<R, N>, SVector<R, N>, SVector<R, C>), Failure>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    let acceleration = evaluator.acceleration(t, *q, *v)?;
    let mut force = evaluator.balance(t, *q, *v).balance;
    let mut multipliers = SVector::repeat(R::ZERO);
    if const { C > 0 } {
        multipliers = evaluator.multipliers(t, *q, *v)?;
        force += reaction_of(&evaluator.constraint(t, q).jacobian, &multipliers);
    }
    Ok((acceleration, force, multipliers))
}

/// The part x of a vector in the directions of the constraints: M x = Gᵀμ, with the same G x.
///
/// # Errors
/// [`Failure::SingularMass`].
fn normal<E, R, const N: usize, const C: usize>(
    evaluator: &mut E,
    (t, q, v): (R, &SVector<R, N>, &SVector<R, N>),
    vector: &SVector<R, N>,
) -> Result<SVector<R, N>, Failure>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    let (_, mass_matrix) = evaluator.momentum(t, *q, *v);
    let jacobian = evaluator.constraint(t, q).jacobian;
    let mut matrix = Blocks::<R, N, 1, C>::of([[mass_matrix]]);
    matrix.right = [negative_transpose(&jacobian)];
    matrix.below = [jacobian];
    evaluator.statistics_mut().factorizations += 1;
    let factors = BlockLu::weighted(matrix, &weights(&mass_matrix, &jacobian))
        .map_err(|singular| name_pivot::<N>(singular, evaluator.constraint_names()))?;
    let right = BlockVector { core: [SVector::repeat(R::ZERO)], border: rate_of(&jacobian, vector) };
    Ok(factors.solve(&right).core[0])
}

impl<R: Real, const N: usize, const C: usize> Method<R, N, C> for GeneralizedAlpha<R> {
    type Memory = GeneralizedAlphaMemory<R, N, C>;

    fixed_steps!();
    implicit_steps!();

    fn name(&self) -> &'static str {
        NAME
    }

    fn order(&self) -> u32 {
        2
    }

    fn start<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        let needs = if !(self.radius >= R::ZERO && self.radius <= R::ONE) {
            "a spectral radius ρ from 0 to 1"
        } else if C > 0 && self.radius == R::ONE {
            "a spectral radius ρ below 1 under constraints, where it is not stable without damping"
        } else if !evaluator.facts().holonomic {
            "constraints that are holonomic"
        } else {
            let canonical = CanonicalMemory::start(evaluator, state);
            return Ok(GeneralizedAlphaMemory { canonical, multipliers: SVector::repeat(R::ZERO), rates: None });
        };
        Err(Failure::NotApplicable { method: NAME, needs })
    }

    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        GeneralizedAlphaMemory { rates: None, ..*memory }
    }

    fn held<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        [before, after]: [&State<R, N>; 2],
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        // What the velocity is off the hidden constraint stays.
        let rates = memory.rates.map(|rates| Rates { velocity: rates.velocity + (after.v - before.v), ..rates });
        Ok(GeneralizedAlphaMemory { canonical: memory.canonical.held(evaluator, [before, after]), rates, ..*memory })
    }

    fn step<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        _: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        if is_short(h, self.h)
            && let before = self.synchronise(evaluator, state, memory)?
            && let Some((after, canonical)) = short_step(evaluator, (&before, &memory.canonical), h, end)?
        {
            let change = after.v - before.v;
            let rates = memory.rates.map(|rates| Rates { velocity: rates.velocity + change, ..rates });
            let state = State { v: state.v + change, ..after };
            return Ok(Trial {
                state,
                memory: GeneralizedAlphaMemory { canonical, rates, ..*memory },
                estimate: Estimate::None,
            });
        }
        let weights = self.weights();
        let GeneralizedAlphaMemory { canonical, multipliers, rates } = *memory;
        // The auxiliary values have the rounding of the velocity, divided by the last step: after a step that was much shorter than this one, they are rounding.
        let Some(rates) = rates.filter(|rates| h.abs() <= rates.h.abs() * R::from_f64(LARGEST_GROWTH)) else {
            return Start::begin(weights, evaluator, state, canonical, (h, end))?.step(evaluator, end);
        };
        let mut start = Start { weights, state, canonical, multipliers, rates };
        if rates.h != h {
            start.rates = rates.resized(&weights, h);
            if const { C > 0 } {
                let projected = project(evaluator, state.t, state.q, rates.velocity, &canonical.momentum)?;
                let ratio = h / rates.h;
                let off = (rates.velocity - projected.v) * (ratio * ratio - R::ONE);
                start.shift(evaluator, &off);
            }
        }
        start.step(evaluator, end)
    }

    fn synchronise<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<State<R, N>, Failure> {
        if const { C == 0 } {
            return Ok(*state);
        }
        let State { t, q, v } = *state;
        let v = project(evaluator, t, q, v, &memory.canonical.momentum)?.v;
        Ok(State { t, q, v })
    }
}
