//! Rosenbrock's method Rodas5P, for stiff mechanisms.

use super::embedded_pair::sum_before;
use super::shifted::Shifted;
use super::vectors::{advance, minus, plus, times};
use super::{Estimate, Lift, Method, Pace, Trial};
use crate::control::{StepControl, ToleranceLaw};
use crate::dense::{Form, Interpolant, MAX_DEGREE, Polynomial};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::{Difference, State};
use crate::system::{Balance, BalanceJacobian};
use crate::tableau::rodas::RODAS5P;
use nalgebra::{SMatrix, SVector};

const NAME: &str = "Rodas5P";

const STAGES: usize = 8;

/// From this stage on, the state of a stage is the state of the stage before it plus the solution of that earlier stage.
const STIFF: usize = STAGES - 2;

/// The Rosenbrock method Rodas5P of order 5, for stiff mechanisms of few coordinates and states at tolerances down to about 1e-8.
///
/// A step solves linear equations only, and iterates nothing. With y = (q, p, v) it is the method of [`tableau::rodas`](crate::tableau::rodas) for
///
/// ```text
/// q' = v,  p' = f(q, v, t),  0 = ∂L/∂v(q, v, t) − p
/// ```
///
/// with the exact derivatives of p and f by q, v and t at the start of the step. Of the equations of a stage remain
/// (M + (∂p/∂q − ∂f/∂v) g − ∂f/∂q g²) wᵢ = rᵢ of size N, with g = γ h and one matrix for all eight stages. The order of q and v is 5. Step control keeps
/// the error within `rtol` and `atol` of the options, by an embedded solution of order 4. The method and the embedded one are L-stable: they
/// damp what decays fast, whatever the step size.
///
/// # Cost
///
/// A step costs one `balance_jacobian`, one factorisation, seven `balance` and eight solutions; a matrix of at most eight rows is inverted in place of that. A step
/// for three states takes a third of the time of a step of [`Radau5`](super::Radau5). A step that is rejected evaluates the derivatives again.
///
/// # Inputs and mechanisms
///
/// The order needs exact derivatives. So inputs must be constant between their jumps, as the default inputs and those of
/// [`Sampled`](crate::controller::Sampled) are. Any other controller is [`Failure::NotApplicable`], and so is a system by hand whose equations may
/// depend on the time and that lacks [`System::balance_by_time`](crate::system::System::balance_by_time). A mechanism has a regular M, and no constraints. It has no
/// contacts and no dry friction that comes to rest, because the forces of these have no exact derivatives here. In other cases take [`Radau5`](super::Radau5).
///
/// ```compile_fail
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian { coordinates x, y; kinetic = dot(x)^2 + dot(y)^2; constraint rod: x^2 + y^2 == 1; }]
/// struct Rod {}
///
/// let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
/// solve(&Rod {}.prepare::<f64>()?, start, 1.0, &Rodas5P::new(), &Options::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The matrix counts as exact, where Newton's iteration corrects for its rounding. That rounding, ε times what is stiffest, limits the accuracy: two masses on a
/// spring with 10¹² N/m at `rtol` = 1e-9 take 238 steps for 5 s and reject 91, where with 10⁹ N/m they take 57 and reject 2.
///
/// # Interpolant
///
/// The interpolant is a polynomial of degree 4 in q and in v, whose order is 4.
///
/// ```
/// use lagrange_runtime::prelude::*;
///
/// // Three reactions, the fastest of which takes microseconds, over 10¹¹ s.
/// #[lagrangian {
///     state y1: dot(y1) == -0.04*y1 + 1e4*y2*y3;
///     state y2: dot(y2) == 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
///     state y3: dot(y3) == 3e7*y2^2;
/// }]
/// struct Robertson {}
///
/// let system = Robertson {}.prepare::<f64>()?;
/// let start = State::new(0.0, [0.0; 3], [1.0, 0.0, 0.0]);
/// let options = Options { rtol: 1e-6.into(), atol: 1e-12.into(), ..Options::default() };
/// let solution = solve(&system, start, 1e11, &Rodas5P::new(), &options)?;
/// let end = solution.last().expect("a stored state");
/// assert!((end.v[0] / 2.083340149701255e-8 - 1.0).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: G. Steinebach, *Construction of Rosenbrock–Wanner method Rodas5P and numerical benchmarks within the Julia Differential Equations package*,
/// BIT Numer. Math. 63:27, 2023; the form of the equations: E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., IV.7 and VI.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rodas5P {
    law: ToleranceLaw,
}

impl Rodas5P {
    /// Returns the method.
    #[must_use]
    pub const fn new() -> Self {
        Self { law: ToleranceLaw::Elementary }
    }

    /// Returns the method with another law for the step size.
    #[must_use]
    pub const fn with_law(self, law: ToleranceLaw) -> Self {
        Self { law }
    }
}

impl Default for Rodas5P {
    fn default() -> Self {
        Self::new()
    }
}

impl Lift for Rodas5P {
    type On<R: Real> = Self;

    fn lift<R: Real>(&self) -> Self {
        *self
    }
}

/// What [`Rodas5P`] carries from step to step: the momentum at the state. The velocity solves 0 = ∂L/∂v − p up to the error of a step only; a step that started from
/// ∂L/∂v of this velocity would have the order 4. Where p = M v with a constant M the two agree.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct RodasMemory<R: Real, const N: usize> {
    /// p, or `None` where it follows from the velocity: at a start, and for p = M v with a constant M.
    momentum: Option<SVector<R, N>>,
}

/// The solutions of the stages of a step of [`Rodas5P`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodasStages<R: Real, const N: usize> {
    /// Those for the coordinates; 0 for hidden ones.
    q: [SVector<R, N>; STAGES],
    /// Those for the velocities.
    v: [SVector<R, N>; STAGES],
}

/// The equations of a step, linear in the solutions of its stages.
struct Linear<R: Real, const N: usize> {
    at: BalanceJacobian<R, N>,
    /// The number of coordinates that are not hidden: the first ones.
    moving: usize,
    /// γ h.
    g: R,
    solver: Shifted<R, N>,
}

impl<R: Real, const N: usize> Linear<R, N> {
    /// Factors M + (∂p/∂q − ∂f/∂v) g − ∂f/∂q g².
    ///
    /// # Errors
    /// [`Failure::SingularMass`] with the coordinate of the pivot that vanished.
    #[inline(always)]
    fn new(at: BalanceJacobian<R, N>, moving: usize, g: R) -> Result<Self, Failure> {
        let solver = Shifted::new(&at, moving, g)?;
        Ok(Self { at, moving, g, solver })
    }

    /// The product of a derivative by the coordinates and a vector.
    #[inline(always)]
    fn by_q(&self, matrix: &SMatrix<R, N, N>, vector: &SVector<R, N>) -> SVector<R, N> {
        SVector::from_fn(|i, _| (0..self.moving).fold(R::ZERO, |sum, j| sum + matrix[(i, j)] * vector[j]))
    }

    /// The product of M and a vector. The row of a state has no entry but its own.
    #[inline(always)]
    fn inertia(&self, vector: &SVector<R, N>) -> SVector<R, N> {
        let mass = &self.at.mass_matrix;
        SVector::from_fn(|i, _| match i < self.moving {
            true => (0..N).fold(R::ZERO, |sum, j| sum + mass[(i, j)] * vector[j]),
            false => mass[(i, i)] * vector[i],
        })
    }
}

/// What the stages of a step have in common.
struct Step<'a, R: Real, const N: usize> {
    linear: &'a Linear<R, N>,
    state: &'a State<R, N>,
    /// p at the start.
    momentum: SVector<R, N>,
    /// ∂p/∂t and ∂f/∂t, if they are not 0.
    by_time: Option<Balance<R, N>>,
    /// Whether p = M v with a constant M.
    is_linear: bool,
    h: R,
    end: R,
}

/// The sums Σ aᵢⱼ uⱼ of the stage that was last computed.
struct Sums<R: Real, const N: usize> {
    q: SVector<R, N>,
    v: SVector<R, N>,
    rest: SVector<R, N>,
    /// What p(Qᵢ, Vᵢ) = Pᵢ asks of each stage beside the linear part.
    rests: [SVector<R, N>; STAGES],
}

/// The sum Σ aᵢⱼ uⱼ of stage `STAGE`. `before` is the sum of the stage before it.
#[inline(always)]
fn moved<R: Real, const N: usize, const STAGE: usize, const COUNT: usize>(
    before: SVector<R, N>,
    solutions: &[SVector<R, N>; STAGES],
) -> SVector<R, N> {
    if STAGE >= STIFF {
        plus(before, solutions[STAGE - 1])
    } else {
        sum_before::<R, N, 1, COUNT>(&RODAS5P.coefficients[STAGE], solutions)
    }
}

/// Σ cᵢⱼ uⱼ of stage `STAGE`.
#[inline(always)]
fn coupled<R: Real, const N: usize, const STAGE: usize, const COUNT: usize>(
    solutions: &[SVector<R, N>; STAGES],
) -> SVector<R, N> {
    sum_before::<R, N, 1, COUNT>(&RODAS5P.couplings[STAGE], solutions)
}

impl<R: Real, const N: usize> Step<'_, R, N> {
    /// Computes the solution of stage `STAGE`, which is `COUNT` − 1.
    #[inline(always)]
    fn stage<E: Evaluate<R, N, 0> + ?Sized, const STAGE: usize, const COUNT: usize>(
        &self,
        evaluator: &mut E,
        solutions: &mut RodasStages<R, N>,
        sums: &mut Sums<R, N>,
    ) {
        let Self { linear, h, .. } = self;
        let (at, g, gamma) = (&linear.at, linear.g, RODAS5P.gamma.value::<R>());
        sums.v = moved::<R, N, STAGE, COUNT>(sums.v, &solutions.v);
        let at_v = plus(self.state.v, sums.v);
        let (mut at_q, mut known_q) = (self.state.q, times(at_v, g));
        if linear.moving > 0 {
            sums.q = moved::<R, N, STAGE, COUNT>(sums.q, &solutions.q);
            at_q = plus(at_q, sums.q);
            known_q = advance(known_q, gamma, coupled::<R, N, STAGE, COUNT>(&solutions.q));
        }
        let Balance { momentum: mut p, balance: mut f } = if STAGE == 0 {
            Balance { momentum: at.momentum, balance: at.balance }
        } else if STAGE >= STIFF - 1 {
            evaluator.balance(self.end, at_q, at_v)
        } else {
            evaluator.balance(self.state.t + RODAS5P.nodes[STAGE].value::<R>() * *h, at_q, at_v)
        };
        if let Some(rates) = &self.by_time {
            let weight = RODAS5P.rates[STAGE].value::<R>() * *h;
            p = advance(p, weight, rates.momentum);
            f = advance(f, weight, rates.balance);
        }
        let coupled_v = linear.inertia(&coupled::<R, N, STAGE, COUNT>(&solutions.v));
        let mut right = advance(times(coupled_v, gamma), g, f);
        if linear.moving > 0 {
            let force = linear.by_q(&at.balance_q, &known_q);
            right = advance(right, g, minus(force, linear.by_q(&at.momentum_q, &at_v)));
        }
        if !self.is_linear {
            sums.rest = moved::<R, N, STAGE, COUNT>(sums.rest, &sums.rests);
            let coupled_rest = coupled::<R, N, STAGE, COUNT>(&sums.rests);
            let known = plus(linear.by_q(&at.momentum_q, &sums.q), linear.inertia(&sums.v));
            let rest = minus(minus(minus(p, self.momentum), known), sums.rest);
            right = minus(advance(right, gamma, coupled_rest), rest);
            sums.rests[STAGE] = rest;
        }
        let solution = linear.solver.solve(&right);
        solutions.v[STAGE] = solution;
        for i in 0..linear.moving {
            solutions.q[STAGE][i] = g.mul_add(solution[i], known_q[i]);
        }
    }
}

impl<R: Real, const N: usize> Method<R, N, 0> for Rodas5P {
    type Memory = RodasMemory<R, N>;
    type Workspace = RodasStages<R, N>;

    const ADAPTIVE: bool = true;
    const MEASURES_ERRORS: bool = false;

    fn name(&self) -> &'static str {
        NAME
    }

    fn order(&self) -> u32 {
        5
    }

    fn workspace(&self) -> Self::Workspace {
        RodasStages { q: [SVector::repeat(R::ZERO); STAGES], v: [SVector::repeat(R::ZERO); STAGES] }
    }

    fn error_power(&self) -> u32 {
        5
    }

    #[inline(always)]
    fn pace(&self) -> Pace<R> {
        Pace::Adaptive(StepControl::Tolerance(self.law))
    }

    fn start<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        let needs = if !evaluator.inputs_are_constant() {
            "inputs that are constant between their jumps, such as those of `Sampled`, because its order needs exact derivatives; `Radau5` takes any"
        } else if evaluator.balance_by_time(state.t, state.q, state.v).is_none() {
            "a system whose equations do not depend on the time, or that implements `System::balance_by_time`"
        } else {
            return Ok(RodasMemory { momentum: None });
        };
        Err(Failure::NotApplicable { method: NAME, needs })
    }

    #[inline(always)]
    fn step<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        workspace: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        let State { t, q, v } = *state;
        let (facts, none) = (evaluator.facts(), SVector::<R, N>::repeat(R::ZERO));
        let moving = N.saturating_sub(evaluator.state_count());
        // p = M v with a constant M satisfies its linear equation at every stage. The momentum of a state is the state.
        let is_linear = moving == 0 || facts.constant_mass && facts.separable && facts.quadratic;
        let gamma = RODAS5P.gamma.value::<R>();
        let linear = Linear::new(evaluator.balance_jacobian(t, q, v), moving, gamma * h)?;
        let by_time = if facts.autonomous { None } else { evaluator.balance_by_time(t, q, v) };
        let momentum = memory.momentum.unwrap_or(linear.at.momentum);
        let step = Step { linear: &linear, state, momentum, by_time, is_linear, h, end };
        let mut sums = Sums { q: none, v: none, rest: none, rests: [none; STAGES] };
        macro_rules! stages {
            ($($stage:literal)*) => {
                $(step.stage::<E, $stage, { $stage + 1 }>(evaluator, workspace, &mut sums);)*
            };
        }
        stages!(0 1 2 3 4 5 6 7);
        let (last_q, last_v) = (workspace.q[STAGES - 1], workspace.v[STAGES - 1]);
        let (change_q, change_v) = (plus(sums.q, last_q), plus(sums.v, last_v));
        let mut last = State { t: end, q: plus(q, change_q), v: plus(v, change_v) };
        for i in moving..N {
            last.q[i] += R::from_f64(0.5) * h * (v[i] + last.v[i]);
        }
        let momentum = if is_linear {
            None
        } else {
            let known = plus(linear.by_q(&linear.at.momentum_q, &change_q), linear.inertia(&change_v));
            Some(plus(plus(momentum, known), plus(sums.rest, sums.rests[STAGES - 1])))
        };
        let estimate = Estimate::Difference(Difference { q: last_q, v: last_v });
        Ok(Trial { state: last, memory: RodasMemory { momentum }, estimate })
    }

    fn interpolant<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        _: &mut E,
        workspace: &mut Self::Workspace,
        (start, _): (&State<R, N>, &SVector<R, N>),
        (end, _): (&State<R, N>, &SVector<R, N>),
    ) -> Result<Interpolant<R, N>, Failure> {
        let length = end.t - start.t;
        let polynomial = |change: SVector<R, N>, stages: &[SVector<R, N>; STAGES]| {
            let mut rows = [SVector::<R, N>::repeat(R::ZERO); 3];
            for (row, weights) in rows.iter_mut().zip(&RODAS5P.interpolant) {
                *row = sum_before::<R, N, 1, { STAGES + 1 }>(weights, stages);
            }
            // θ change + θ (1 − θ)(r₁ + θ r₂ + θ² r₃).
            let [first, second, third] = rows;
            let mut powers = [SVector::repeat(R::ZERO); MAX_DEGREE];
            powers[0] = (change + first) / length;
            powers[1] = (second - first) / length;
            powers[2] = (third - second) / length;
            powers[3] = -third / length;
            powers
        };
        let (q, v) = (polynomial(end.q - start.q, &workspace.q), polynomial(end.v - start.v, &workspace.v));
        let polynomial = Polynomial { start: *start, length, q, v, degree: 4 };
        Ok(Interpolant::new(*start, *end, Form::Polynomial(polynomial)))
    }
}
