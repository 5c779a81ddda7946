//! A diagonally implicit method with an explicit first stage, for stiff mechanisms.

use super::canonical::CanonicalMemory;
use super::radau::{MORE_FOR_DERIVATIVES, ROUNDED, RealFactors, Start, allowed, first_rate, most, product, rounding};
use super::shared::implicit_steps;
use super::{Estimate, Lift, Method, Pace, Trial};
use crate::control::{StepControl, ToleranceLaw};
use crate::dense::{Form, Interpolant, MAX_DEGREE, Polynomial};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::{Difference, State};
use crate::tableau::esdirk::ESDIRK4;
use crate::tableau::{Coefficient, Parts};
use nalgebra::SVector;

const STAGES: usize = 6;

/// The weights of the estimate: those of the step less those of the embedded solution.
const ESTIMATE: [Parts; STAGES] = Coefficient::differences(&ESDIRK4.coefficients[STAGES - 1], &ESDIRK4.embedded);

/// The diagonally implicit method ESDIRK4(3)6L\[2\]SA of order 4, for stiff mechanisms without constraints.
///
/// The stages solve, one after the other and with one matrix, for the velocity Vᵢ
///
/// ```text
/// p(Qᵢ, Vᵢ) = p(q, v) + h Σ aᵢⱼ Fⱼ,   Qᵢ = q + h Σ aᵢⱼ Vⱼ,   Fᵢ = f(Qᵢ, Vᵢ)
/// ```
///
/// Here p = ∂L/∂v, and f is the right side of the equations d/dt p = f of the system, at the times t + cᵢ h. The first stage is the start of the step, and the last one is its end. The order is 4, step
/// control keeps the error within `rtol` and `atol` of the options by an embedded solution of order 3, and the order of the stages is 2. The method and the embedded one are L-stable: they damp
/// what decays fast, whatever the step size.
///
/// # When to use it
///
/// Where programs that use such methods are to be compared. At equal tolerances [`Radau5`](super::Radau5) takes about as many evaluations, and its errors are 20 to 20 000 times smaller on problems with
/// published solutions. Unlike [`Rodas5P`](super::Rodas5P), the method takes inputs that follow the state between samples, and derivatives of a system by hand that are not exact cost it iterations, and no
/// order. Where the solution follows a fast forcing, its order falls to 2, the order of the stages, as on the problem of Prothero and Robinson. The order of `Radau5` falls to 3 there.
///
/// # Cost
///
/// A step costs one `balance_jacobian`, one factorisation, and mostly one to three `balance` for each of five stages. Fᵢ is computed from the momentum of its stage, so that the error of
/// an iteration is not multiplied by what is stiff. The force at the start of a step is that of the last stage before it.
///
/// The interpolant consists of the cubics through q and p with the slopes v and f at the ends, and of the velocities that belong to them. Its error has the order 4 too.
///
/// # Mechanisms
///
/// Contacts and dry friction that sticks are held. A mechanism has no constraints and a regular M. In other cases take [`Radau5`](super::Radau5).
///
/// ```compile_fail
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian { coordinates x, y; kinetic = dot(x)^2 + dot(y)^2; constraint rod: x^2 + y^2 == 1; }]
/// struct Rod {}
///
/// let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
/// solve(&Rod {}.prepare::<f64>()?, start, 1.0, &Esdirk4::new(), &Options::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```
/// use lagrange_runtime::prelude::*;
///
/// // A filter of 1 µs behind a pendulum, whose input is a law of the state.
/// #[lagrangian {
///     coordinates a;
///     kinetic = dot(a)^2/2;
///     potential = -9.81*cos(a);
///     force a = torque;
///     state z: dot(z) == (sin(a) - z)/1e-6;
/// }]
/// struct Filtered {
///     #[input]
///     torque: f64,
/// }
///
/// let system = Filtered { torque: 0.0 }.prepare::<f64>()?;
/// let start = State::new(0.0, [0.5, 0.0], [0.0, 0.9]);
/// let options = Options { rtol: 1e-5.into(), ..Options::default() };
/// let mut law = |_: f64, _: &SVector<f64, 2>, v: &SVector<f64, 2>| SVector::from([-0.5 * v[0]]);
/// let solution = solve_with(&system, start, 10.0, &Esdirk4::new(), &options, &mut law)?;
/// let end = solution.last().expect("a stored state");
/// assert!((end.v[1] - end.q[0].sin()).abs() < 1e-5);
/// assert!(solution.statistics.steps < 400);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: [`tableau::esdirk`](crate::tableau::esdirk); E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., IV.6 and IV.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Esdirk4 {
    law: ToleranceLaw,
}

impl Esdirk4 {
    /// Returns the method.
    #[must_use]
    pub const fn new() -> Self {
        Self { law: ToleranceLaw::default_for(4) }
    }

    /// Returns the method with another law for the step size.
    #[must_use]
    pub const fn with_law(self, law: ToleranceLaw) -> Self {
        Self { law }
    }
}

impl Default for Esdirk4 {
    fn default() -> Self {
        Self::new()
    }
}

impl Lift for Esdirk4 {
    type On<R: Real> = Self;

    fn lift<R: Real>(&self) -> Self {
        *self
    }
}

/// What [`Esdirk4`] carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct EsdirkMemory<R: Real, const N: usize> {
    /// f at the state, from the last stage of the step before. `None` at a start and after inputs jumped.
    force: Option<SVector<R, N>>,
    /// The last ratio θ/(1 − θ), where θ is the ratio of two increments of Newton's method.
    rate: R,
}

/// What the interpolant of a step needs besides the states at its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EsdirkStages<R: Real, const N: usize> {
    /// p at the ends.
    momenta: [SVector<R, N>; 2],
    /// f at the ends.
    forces: [SVector<R, N>; 2],
}

/// A stage that was solved.
struct Stage<R: Real, const N: usize> {
    q: SVector<R, N>,
    v: SVector<R, N>,
    /// f.
    force: SVector<R, N>,
    rate: R,
}

/// Σ aⱼ xⱼ over the first `count` vectors.
fn sum<R: Real, const N: usize>(
    coefficients: &[Coefficient; STAGES],
    vectors: &[SVector<R, N>; STAGES],
    count: usize,
) -> SVector<R, N> {
    let mut sum = SVector::repeat(R::ZERO);
    for (vector, coefficient) in vectors.iter().zip(coefficients).take(count) {
        sum += vector * coefficient.value::<R>();
    }
    sum
}

/// The polynomial through the velocities of the first `count` stages, at the node of the next one.
fn extrapolated<R: Real, const N: usize>(velocities: &[SVector<R, N>; STAGES], count: usize) -> SVector<R, N> {
    let node = |i: usize| ESDIRK4.nodes[i].value::<R>();
    let mut guess = SVector::repeat(R::ZERO);
    for (i, velocity) in velocities.iter().enumerate().take(count) {
        let others = (0..count).filter(|&k| k != i);
        let weight = others.fold(R::ONE, |weight, k| weight * ((node(count) - node(k)) / (node(i) - node(k))));
        guess += velocity * weight;
    }
    guess
}

/// What the stages of a step have in common.
struct Step<'a, R: Real, const N: usize> {
    start: &'a Start<'a, R, N, 0>,
    factors: RealFactors<R, N, 0>,
    rtol: f64,
}

impl<R: Real, const N: usize> Step<'_, R, N> {
    /// Solves p(Q, V) = p + `kicked` + g f(Q, V) with Q = q + `moved` + g V at the time `t`, from the guess `v`. `None` if the iteration does not converge fast enough.
    ///
    /// # Errors
    /// [`Failure::NotFinite`] where the first residual is not finite.
    fn stage<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        t: R,
        (moved, kicked): (SVector<R, N>, SVector<R, N>),
        mut v: SVector<R, N>,
        rate: R,
    ) -> Result<Option<Stage<R, N>>, Failure> {
        let Self { start, factors, .. } = self;
        let (at, g) = (&start.at, factors.step);
        let (allowed, most) = (allowed::<R>(self.rtol), most::<R>());
        let mut rate = first_rate(evaluator, rate);
        let (mut before, mut more) = (None::<R>, MORE_FOR_DERIVATIVES * R::DERIVATIVE_ORDER);
        for made in 1..=most {
            let q = start.state.q + (moved + v * g);
            let balance = evaluator.balance(t, q, v);
            let kick = (balance.momentum - at.momentum) - kicked;
            let (increment, _) = factors.solve(&(balance.balance * g - kick), &SVector::repeat(R::ZERO));
            v += increment;
            evaluator.statistics_mut().iterations += 1;
            let tolerances = evaluator.tolerances(start.state, &State { t, q: start.state.q + (moved + v * g), v });
            let size = self.size(&increment, &tolerances);
            if !size.is_finite() {
                evaluator.check_slopes()?;
                return if made == 1 { Err(Failure::NotFinite { component: None }) } else { Ok(None) };
            }
            if let Some(before) = before
                && size > R::ZERO
            {
                let ratio = size / before;
                // The iterations that are left would not reach the tolerance.
                let left = R::from_count(u64::from(most - made));
                let is_slow = ratio >= R::ONE || ratio.powf(left) / (R::ONE - ratio) * size > allowed;
                let is_rounding = size <= rounding(self.rtol);
                let is_noise = is_slow
                    && !is_rounding
                    && size <= self.size(&factors.noise(start), &tolerances) * R::from_f64(ROUNDED);
                if is_slow && !is_rounding && !is_noise && made > 2 {
                    return Ok(None);
                }
                rate = match ratio < R::ONE {
                    _ if is_noise => R::ZERO,
                    true => ratio / (R::ONE - ratio),
                    false if is_rounding => R::ZERO,
                    false => R::from_f64(f64::INFINITY),
                };
            }
            if size == R::ZERO || rate * size <= allowed {
                if more == 0 || made == most {
                    // The momentum at the last increment, to first order.
                    let last = product(&at.mass_matrix, &increment) + product(&at.momentum_q, &increment) * g;
                    let force = (kick + last).map(|kick| kick / g);
                    return Ok(Some(Stage { q: start.state.q + (moved + v * g), v, force, rate }));
                }
                more -= 1;
            }
            before = Some(size);
        }
        Ok(None)
    }

    /// The root mean square of an increment of velocities and of the coordinates that go with it, each divided by the tolerance of its component.
    fn size(&self, increment: &SVector<R, N>, tolerances: &Difference<R, N>) -> R {
        let (mut sum, mut count) = (R::ZERO, 0);
        let mut add = |increment: R, tolerance: R| {
            if increment != R::ZERO && tolerance.is_finite() {
                let part = increment / tolerance;
                sum += part * part;
            }
            count += u64::from(tolerance.is_finite());
        };
        for i in 0..N {
            add(increment[i] * self.factors.step, tolerances.q[i]);
            add(increment[i], tolerances.v[i]);
        }
        (sum / R::from_count(count)).sqrt().without_derivatives()
    }

    /// The difference from the embedded solution, filtered by the factors of the step so that what the step damps does not count.
    fn error<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        last: &State<R, N>,
        (velocities, forces): (&[SVector<R, N>; STAGES], &[SVector<R, N>; STAGES]),
        h: R,
    ) -> Difference<R, N> {
        let (mut by_q, mut by_p) = (SVector::repeat(R::ZERO), SVector::repeat(R::ZERO));
        for (i, weight) in ESTIMATE.iter().enumerate() {
            let weight = weight.value::<R>() * h;
            by_q += velocities[i] * weight;
            by_p += forces[i] * weight;
        }
        let none = SVector::repeat(R::ZERO);
        let (q, v) = self.factors.filtered(self.start, (&by_q, &by_p), (&none, &none));
        let states = evaluator.state_count();
        let difference = self.factors.beyond_rounding(self.start, states, Difference { q, v });
        let tolerances = evaluator.tolerances(self.start.state, last);
        let beyond = |error: R, tolerance: R| error.abs() > tolerance;
        let is_beyond =
            (0..N).any(|i| beyond(difference.q[i], tolerances.q[i]) || beyond(difference.v[i], tolerances.v[i]));
        if is_beyond { self.factors.without_noise(self.start, difference) } else { difference }
    }
}

impl<R: Real, const N: usize> Method<R, N, 0> for Esdirk4 {
    type Memory = EsdirkMemory<R, N>;
    type Workspace = EsdirkStages<R, N>;

    const ADAPTIVE: bool = true;

    fn name(&self) -> &'static str {
        "ESDIRK4(3)6L[2]SA"
    }

    fn order(&self) -> u32 {
        4
    }

    fn error_power(&self) -> u32 {
        4
    }

    fn workspace(&self) -> Self::Workspace {
        let none = [SVector::repeat(R::ZERO); 2];
        EsdirkStages { momenta: none, forces: none }
    }

    #[inline(always)]
    fn pace(&self) -> Pace<R> {
        Pace::Adaptive(StepControl::Tolerance(self.law))
    }

    implicit_steps!();

    fn start<E: Evaluate<R, N, 0> + ?Sized>(&self, _: &mut E, _: &State<R, N>) -> Result<Self::Memory, Failure> {
        Ok(EsdirkMemory { force: None, rate: R::ONE })
    }

    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        EsdirkMemory { force: None, ..*memory }
    }

    fn step<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        workspace: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        let start = Start::new(evaluator, state, SVector::repeat(R::ZERO));
        evaluator.check_slopes()?;
        if h == R::ZERO {
            *workspace = EsdirkStages { momenta: [start.at.momentum; 2], forces: [start.at.balance; 2] };
            return Ok(Trial::of_no_size(state, memory, end));
        }
        let factors = RealFactors::new(evaluator, &start, ESDIRK4.gamma.value::<R>() * h)?;
        let step = Step { start: &start, factors, rtol: evaluator.smallest_rtol() };
        let mut velocities = [state.v; STAGES];
        let mut forces = [memory.force.unwrap_or(start.at.balance); STAGES];
        let (mut last, mut rate) = (*state, memory.rate);
        for i in 1..STAGES {
            let row = &ESDIRK4.coefficients[i];
            let known = (sum(row, &velocities, i) * h, sum(row, &forces, i) * h);
            let t = if i + 1 == STAGES { end } else { state.t + ESDIRK4.nodes[i].value::<R>() * h };
            evaluator.begin_round();
            let solved = step.stage(evaluator, t, known, extrapolated(&velocities, i), rate);
            evaluator.end_rounds(false);
            let Some(stage) = solved? else {
                let estimate = Estimate::Judged { accepted: false, factor: R::from_f64(0.5) };
                return Ok(Trial { state: State { t: end, ..*state }, memory: *memory, estimate });
            };
            if i + 1 < STAGES {
                evaluator.visit(t, &stage.q, &stage.v);
            }
            (velocities[i], forces[i], rate) = (stage.v, stage.force, stage.rate);
            last = State { t: end, q: stage.q, v: stage.v };
        }
        if !last.is_finite() {
            return Err(Failure::not_finite(last));
        }
        let difference = step.error(evaluator, &last, (&velocities, &forces), h);
        let row = &ESDIRK4.coefficients[STAGES - 1];
        let momentum = start.at.momentum + sum(row, &forces, STAGES) * h;
        *workspace = EsdirkStages { momenta: [start.at.momentum, momentum], forces: [forces[0], forces[STAGES - 1]] };
        let memory = EsdirkMemory { force: Some(forces[STAGES - 1]), rate };
        Ok(Trial { state: last, memory, estimate: Estimate::Difference(difference) })
    }

    /// Cubics in q and p; the velocity is the cubic through those of the ends and of the thirds of the step.
    fn interpolant<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        workspace: &mut Self::Workspace,
        (start, _): (&State<R, N>, &SVector<R, N>),
        (end, _): (&State<R, N>, &SVector<R, N>),
    ) -> Result<Interpolant<R, N>, Failure> {
        let length = end.t - start.t;
        let [first, second] = cubic(end.q - start.q, [start.v, end.v], length);
        let q = [start.v, first, second];
        let EsdirkStages { momenta: [p, p_end], forces } = *workspace;
        let kicks = cubic(p_end - p, forces, length);
        let mut inner = [start.v; 2];
        for (v, share) in inner.iter_mut().zip([1.0 / 3.0, 2.0 / 3.0]) {
            let share = R::from_f64(share);
            let at = |[a, b, c]: [SVector<R, N>; 3]| (a + (b + c * share) * share) * (share * length);
            let state =
                State { t: start.t + share * length, q: start.q + at(q), v: start.v + (end.v - start.v) * share };
            let [second, third] = kicks;
            let momentum = p + at([forces[0], second, third]);
            *v = CanonicalMemory::of(momentum).synchronise(evaluator, &state)?.v - start.v;
        }
        // The cubic through 0, the two inner values and the change over the step.
        let ([one, two], change) = (inner, end.v - start.v);
        let number = R::from_f64;
        let v = [
            one * number(9.0) - two * number(4.5) + change,
            two * number(18.0) - one * number(22.5) - change * number(4.5),
            (one - two) * number(13.5) + change * number(4.5),
        ];
        let padded = |coefficients: [SVector<R, N>; 3], unit: R| {
            let mut powers = [SVector::repeat(R::ZERO); MAX_DEGREE];
            for (power, coefficient) in powers.iter_mut().zip(coefficients) {
                *power = coefficient.map(|coefficient| coefficient / unit);
            }
            powers
        };
        let polynomial = Polynomial { start: *start, length, q: padded(q, R::ONE), v: padded(v, length), degree: 3 };
        Ok(Interpolant::new(*start, *end, Form::Polynomial(polynomial)))
    }
}

/// The coefficients of θ and θ² in the cubic of θ, divided by θ and the length, that changes by `change` and has these slopes at its ends; that of 1 is the first slope.
fn cubic<R: Real, const N: usize>(
    change: SVector<R, N>,
    [start, end]: [SVector<R, N>; 2],
    length: R,
) -> [SVector<R, N>; 2] {
    let mean = change.map(|change| change / length);
    let (two, three) = (R::from_f64(2.0), R::from_f64(3.0));
    [mean * three - start * two - end, start + end - mean * two]
}
