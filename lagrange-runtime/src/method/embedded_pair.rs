//! Explicit embedded Runge–Kutta pairs. One implementation serves all tableaux.

use super::vectors::{advance, columns, minus, parts, plus, times};
use super::{Estimate, Explicit, Lift, Method, Pace, Trial};
use crate::control::{StepControl, ToleranceLaw};
use crate::dense::{Form, Interpolant, MAX_DEGREE, Polynomial};
use crate::error::Failure;
use crate::evaluate::{Accelerate, Evaluate};
use crate::scalar::{Real, Scalar};
use crate::state::{Difference, State};
use crate::tableau::{Coefficient, ExplicitPair, Parts};
use core::fmt::Debug;
use core::marker::PhantomData;
use nalgebra::{SMatrix, SVector};

/// A tableau with its name, its orders and its options.
pub trait PairTableau<const STAGES: usize, const EXTENDED: usize, const DEGREE: usize>:
    Copy + Debug + PartialEq + Send + Sync + 'static
{
    /// The method's name.
    const NAME: &'static str;
    /// The order of the solution that is propagated.
    const ORDER: u32;
    /// The power of the step size in the error estimate.
    const ERROR_POWER: u32;
    /// The coefficients of the pair.
    const PAIR: &'static ExplicitPair<STAGES, EXTENDED, DEGREE>;
    /// Whether the last stage is at the end of the step. The next step then takes over its acceleration.
    const FIRST_SAME_AS_LAST: bool;
    /// The rule for the error estimate.
    const ESTIMATE: EstimateRule;
    /// Whether the tableau has an interpolant. Without one, Hermite's interpolant is used.
    const INTERPOLATES: bool;
    /// Whether a stage adds the first slope once, and sums only the differences of the other slopes to it. Set it for a tableau
    /// with coefficients much greater than 1, whose rounding is the same in every step. Each coefficient then multiplies a small
    /// difference instead of the whole slope. The last stage of the tableau must be at the end of the step.
    const FROM_DIFFERENCES: bool;
    /// The weights of the error, bᵢ − b̂ᵢ.
    const ERROR: [Parts; STAGES] = Coefficient::differences(&Self::PAIR.weights, &Self::PAIR.embedded);
    /// The weights bᵢ minus those of the third solution, or 0 if there is no third solution.
    const SECOND_ERROR: [Parts; STAGES] = match &Self::PAIR.second {
        Some(second) => Coefficient::differences(&Self::PAIR.weights, second),
        None => [Parts { high: 0.0, low: 0.0 }; STAGES],
    };
}

/// The rule by which a pair estimates its error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EstimateRule {
    /// The estimate is computed from the embedded solution, which step control subtracts from the propagated one.
    OtherSolution,
    /// The estimate is the sum over the slopes with weights bᵢ − b̂ᵢ. The rounding of the state does not enter it.
    Difference,
    /// The estimate combines two differences, as in [`Estimate::Combined`].
    Combined,
}

/// An explicit embedded Runge–Kutta pair with an adaptive step.
///
/// On (q, v)' = (v, a) the stages are Vᵢ = v + h Σ aᵢⱼ Aⱼ, Qᵢ = q + h Σ aᵢⱼ Vⱼ, Aᵢ = a(t + cᵢ h, Qᵢ, Vᵢ). The method is neither
/// symmetric nor symplectic. The coefficients and their sources are in [`crate::tableau`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmbeddedPair<R: Real, T, const STAGES: usize, const EXTENDED: usize, const DEGREE: usize> {
    control: StepControl<R>,
    tableau: PhantomData<T>,
}

impl<R: Real, T: PairTableau<STAGES, EXTENDED, DEGREE>, const STAGES: usize, const EXTENDED: usize, const DEGREE: usize>
    EmbeddedPair<R, T, STAGES, EXTENDED, DEGREE>
{
    /// Returns the method under `rtol` and `atol` of the options, with its default step law. The default is elementary for pairs
    /// of order 8 and 9, and proportional–integral for pairs of lower order.
    #[expect(clippy::new_without_default, reason = "no step control is the obvious one")]
    pub fn new() -> Self {
        Self { control: StepControl::Tolerance(ToleranceLaw::default_for(T::ERROR_POWER)), tableau: PhantomData }
    }

    /// Returns the method under `rtol` and `atol` of the options, with the step law `law`.
    #[must_use]
    pub fn with_law(self, law: ToleranceLaw) -> Self {
        self.with_control(StepControl::Tolerance(law))
    }

    pub(super) fn with_control(self, control: StepControl<R>) -> Self {
        Self { control, ..self }
    }
}

impl<T, const STAGES: usize, const EXTENDED: usize, const DEGREE: usize> Lift
    for EmbeddedPair<f64, T, STAGES, EXTENDED, DEGREE>
{
    type On<R: Real> = EmbeddedPair<R, T, STAGES, EXTENDED, DEGREE>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        EmbeddedPair { control: self.control.lift(), tableau: PhantomData }
    }
}

/// The acceleration that a pair carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct Carried<R: Scalar, const N: usize> {
    /// The acceleration a at the state. It is valid only if `current` is true.
    pub acceleration: SVector<R, N>,
    /// Whether `acceleration` belongs to the state and its present inputs.
    pub current: bool,
}

/// The slopes at the stages of the last step. A slope has the velocity and the acceleration as columns, so that a sum over the stages
/// reads them together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stages<R: Scalar, const N: usize, const EXTENDED: usize> {
    slopes: [SMatrix<R, N, 2>; EXTENDED],
    /// The differences from the first slope, if the sums of a step are formed from them. Those of an interpolant always are.
    changes: [SMatrix<R, N, 2>; EXTENDED],
}

/// A weight of a sum over slopes.
pub(super) trait Weight: Copy {
    /// Returns the weight, or `None` if it is 0.
    fn get<R: Scalar>(self) -> Option<R>;
}

impl Weight for Coefficient {
    #[inline(always)]
    fn get<R: Scalar>(self) -> Option<R> {
        if self.is_zero() { None } else { Some(self.value()) }
    }
}

impl Weight for Parts {
    #[inline(always)]
    fn get<R: Scalar>(self) -> Option<R> {
        if self.high == 0.0 { None } else { Some(self.value()) }
    }
}

/// Adds a term to a sum that is `empty` or not. Returns whether the sum is empty then.
///
/// Inlining is left to the optimiser, so that builds without it have one copy for all terms.
#[inline]
fn add_term<R: Scalar, const N: usize, const K: usize>(
    sum: &mut SMatrix<R, N, K>,
    empty: bool,
    weight: impl Weight,
    vector: &SMatrix<R, N, K>,
) -> bool {
    let Some(weight) = weight.get::<R>() else { return empty };
    *sum = if empty { times(*vector, weight) } else { advance(*sum, weight, *vector) };
    false
}

/// Returns Σ wⱼ xⱼ over the first `COUNT` − 1 terms, at most 15. Weights that are 0 cost nothing: the terms are written out,
/// because the compiler unrolls a loop only up to a certain number of operations.
#[inline(always)]
pub(super) fn sum_before<R: Scalar, const N: usize, const K: usize, const COUNT: usize>(
    weights: &[impl Weight],
    vectors: &[SMatrix<R, N, K>],
) -> SMatrix<R, N, K> {
    let mut sum = SMatrix::repeat(R::ZERO);
    let mut empty = true;
    macro_rules! add {
        ($($j:literal)*) => {$(
            // Constant conditions keep the other terms out of the compiler's work.
            if const { $j + 1 < COUNT } {
                empty = add_term(&mut sum, empty, weights[$j], &vectors[$j]);
            }
        )*};
    }
    add!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14);
    let _ = empty;
    sum
}

/// Returns the state whose coordinates and velocities are the columns of `end`.
#[inline(always)]
fn to_state<R: Scalar, const N: usize>(t: R, end: SMatrix<R, N, 2>) -> State<R, N> {
    let [q, v] = parts(end);
    State { t, q, v }
}

/// Returns the coordinates and velocities after a step from `start`, with the slopes weighted by `weights`. The last slope is
/// `newest`.
#[inline(always)]
fn solution<R: Scalar, const N: usize, const STAGES: usize>(
    start: SMatrix<R, N, 2>,
    weights: &[Coefficient; STAGES],
    slopes: &[SMatrix<R, N, 2>],
    newest: SMatrix<R, N, 2>,
    h: R,
) -> SMatrix<R, N, 2> {
    let (sum, last) = (sum_before::<R, N, 2, STAGES>(weights, slopes), weights[STAGES - 1]);
    let sum = if last.is_zero() { sum } else { advance(sum, last.value::<R>(), newest) };
    advance(start, h, sum)
}

/// Returns the difference of two solutions, from the differences of their weights and the slopes, the last of which is `newest`.
#[inline(always)]
fn difference<R: Scalar, const N: usize, const STAGES: usize>(
    weights: &[Parts; STAGES],
    slopes: &[SMatrix<R, N, 2>],
    newest: SMatrix<R, N, 2>,
    h: R,
) -> Difference<R, N> {
    let sum = advance(sum_before::<R, N, 2, STAGES>(weights, slopes), weights[STAGES - 1].value::<R>(), newest);
    let [q, v] = parts(times(sum, h));
    Difference { q, v }
}

impl<M, T, const N: usize, const STAGES: usize, const EXTENDED: usize, const DEGREE: usize> Explicit<N>
    for EmbeddedPair<M, T, STAGES, EXTENDED, DEGREE>
where
    M: Real,
    T: PairTableau<STAGES, EXTENDED, DEGREE>,
{
    type Stages<R: Scalar> = Stages<R, N, EXTENDED>;

    #[inline(always)]
    fn stages<R: Scalar>(&self) -> Self::Stages<R> {
        let none = [SMatrix::repeat(R::ZERO); EXTENDED];
        Stages { slopes: none, changes: none }
    }

    #[inline(always)]
    fn attempt<R: Scalar, E: Accelerate<R, N> + ?Sized>(
        &self,
        evaluator: &mut E,
        workspace: &mut Self::Stages<R>,
        state: &State<R, N>,
        acceleration: SVector<R, N>,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Carried<R, N>>, Failure> {
        let State { t, q, v } = *state;
        let pair = T::PAIR;
        let Stages { slopes, changes } = workspace;
        let start = columns(q, v);
        let first = columns(v, acceleration);
        let (mut last, mut slope, mut change) = (start, first, SMatrix::repeat(R::ZERO));
        slopes[0] = first;
        for stage in 1..STAGES {
            let terms = if T::FROM_DIFFERENCES { &*changes } else { &*slopes };
            // The macro expands the sums of each stage, so that their coefficients are constants. The acceleration is called from
            // one place only, so that the code of a step fits into the instruction cache.
            macro_rules! sums {
                ($($i:literal)*) => {
                    match stage {
                        $($i if const { $i < STAGES } => {
                            let row = &T::PAIR.coefficients[$i];
                            let older = sum_before::<R, N, 2, $i>(row, terms);
                            (times(older, h), row[$i - 1].value::<R>() * h)
                        })*
                        _ => (SMatrix::repeat(R::ZERO), R::ZERO),
                    }
                };
            }
            let (known, weight) = sums!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            let node = pair.nodes[stage].value::<R>();
            let at_end = T::FIRST_SAME_AS_LAST && stage == STAGES - 1;
            // The stage waits for the newest slope only, and takes it from registers. The state is rounded once.
            let gain = if T::FROM_DIFFERENCES {
                advance(advance(known, node * h, first), weight, change)
            } else {
                advance(known, weight, slope)
            };
            let at_stage = plus(start, gain);
            let time = if at_end { end } else { t + node * h };
            let [q_stage, v_stage] = parts(at_stage);
            let a_stage = evaluator.slope(time, q_stage, v_stage);
            slope = columns(v_stage, a_stage);
            slopes[stage] = slope;
            if T::FROM_DIFFERENCES {
                change = columns(parts(gain)[1], minus(a_stage, acceleration));
                changes[stage] = change;
            }
            last = at_stage;
        }
        evaluator.check_slopes()?;
        // The weights of a difference sum to 0, so that the first slope cancels and may be left out.
        let (terms, newest) = if T::FROM_DIFFERENCES { (&*changes, change) } else { (&*slopes, slope) };
        // These are functions and not closures, because only those are sure to be inlined.
        let state = if T::FIRST_SAME_AS_LAST { last } else { solution(start, &pair.weights, slopes, slope, h) };
        let estimate = match T::ESTIMATE {
            EstimateRule::OtherSolution => {
                Estimate::Embedded(to_state(end, solution(start, &pair.embedded, slopes, slope, h)))
            }
            EstimateRule::Combined => Estimate::Combined([
                difference(&T::ERROR, terms, newest, h),
                difference(&T::SECOND_ERROR, terms, newest, h),
            ]),
            EstimateRule::Difference => Estimate::Difference(difference(&T::ERROR, terms, newest, h)),
        };
        let memory = if T::FIRST_SAME_AS_LAST {
            let [_, acceleration] = parts(slope);
            Carried { acceleration, current: true }
        } else {
            Carried { acceleration, current: false }
        };
        Ok(Trial { state: to_state(end, state), memory, estimate })
    }
}

impl<R, T, const N: usize, const C: usize, const STAGES: usize, const EXTENDED: usize, const DEGREE: usize>
    Method<R, N, C> for EmbeddedPair<R, T, STAGES, EXTENDED, DEGREE>
where
    R: Real,
    T: PairTableau<STAGES, EXTENDED, DEGREE>,
{
    type Memory = Carried<R, N>;
    type Workspace = Stages<R, N, EXTENDED>;

    const ADAPTIVE: bool = true;
    const MEASURES_ERRORS: bool = false;

    #[inline(always)]
    fn holds_contacts(&self) -> bool {
        true
    }

    fn name(&self) -> &'static str {
        T::NAME
    }

    fn order(&self) -> u32 {
        T::ORDER
    }

    #[inline(always)]
    fn error_power(&self) -> u32 {
        T::ERROR_POWER
    }

    #[inline(always)]
    fn pace(&self) -> Pace<R> {
        Pace::Adaptive(self.control)
    }

    #[inline(always)]
    fn workspace(&self) -> Self::Workspace {
        Explicit::<N>::stages(self)
    }

    #[inline(always)]
    fn start<E: Evaluate<R, N, C> + ?Sized>(&self, _: &mut E, _: &State<R, N>) -> Result<Self::Memory, Failure> {
        Ok(Carried { acceleration: SVector::repeat(R::ZERO), current: false })
    }

    #[inline(always)]
    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        Carried { current: false, ..*memory }
    }

    #[inline(always)]
    fn refresh<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        if memory.current {
            return Ok(*memory);
        }
        Ok(Carried { acceleration: evaluator.acceleration(state.t, state.q, state.v)?, current: true })
    }

    #[inline(always)]
    fn step<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        workspace: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        self.attempt(evaluator, workspace, state, memory.acceleration, h, end)
    }

    #[inline(always)]
    fn acceleration<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        _: &mut E,
        _: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<SVector<R, N>, Failure> {
        Ok(memory.acceleration)
    }

    /// The polynomials q + h Σᵢ bᵢ(θ) Vᵢ and v + h Σᵢ bᵢ(θ) Aᵢ, in powers of θ.
    ///
    /// In these powers the weights are large, up to 10⁵, and of both signs, so that they would multiply the rounding of the slopes. Therefore
    /// they multiply what a constant acceleration does not contain: Aᵢ − A₁, and Vᵢ − v − cᵢ h A₁ = h Σⱼ aᵢⱼ (Aⱼ − A₁). For the
    /// rest the sums are known: Σᵢ bᵢ(θ) = θ and Σᵢ bᵢ(θ) cᵢ = θ²/2.
    fn interpolant<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        workspace: &mut Self::Workspace,
        start: (&State<R, N>, &SVector<R, N>),
        end: (&State<R, N>, &SVector<R, N>),
    ) -> Result<Interpolant<R, N>, Failure> {
        if !T::INTERPOLATES || start.0.t == end.0.t {
            return Ok(super::hermite(start, end));
        }
        let (pair, State { t, q, v }, h) = (T::PAIR, *start.0, end.0.t - start.0.t);
        let Stages { slopes, changes } = workspace;
        let a = *start.1;
        for i in 1..EXTENDED {
            let (row, node) = (&pair.coefficients[i], &pair.nodes[i]);
            // This stage is the end of the step, where the next step starts.
            let is_end = !T::FIRST_SAME_AS_LAST && i == STAGES;
            if is_end {
                slopes[i] = columns(end.0.v, *end.1);
            } else if i >= STAGES {
                let [q_stage, v_stage] = parts(columns(q, v) + combine_first(row, slopes, i) * h);
                let a_stage = evaluator.acceleration(t + node.value::<R>() * h, q_stage, v_stage)?;
                slopes[i] = columns(v_stage, a_stage);
            }
            let [_, bend] = parts(combine_first(if is_end { &pair.weights } else { row }, changes, i));
            changes[i] = columns(bend * h, parts(slopes[i])[1] - a);
        }
        let none = [SVector::repeat(R::ZERO); MAX_DEGREE];
        let mut polynomial = Polynomial { start: *start.0, length: h, q: none, v: none, degree: DEGREE };
        (polynomial.q[0], polynomial.q[1], polynomial.v[0]) = (v, a * (h * R::from_f64(0.5)), a);
        for (row, change) in pair.interpolant.iter().zip(&*changes) {
            let [bend, turn] = parts(*change);
            for (k, weight) in row.iter().enumerate() {
                if !weight.is_zero() {
                    polynomial.q[k] += bend * weight.value::<R>();
                    polynomial.v[k] += turn * weight.value::<R>();
                }
            }
        }
        Ok(Interpolant::new(*start.0, *end.0, Form::Polynomial(polynomial)))
    }
}

/// Returns Σ wⱼ xⱼ over the first `count` weights.
fn combine_first<R: Real, const N: usize>(
    weights: &[Coefficient],
    slopes: &[SMatrix<R, N, 2>],
    count: usize,
) -> SMatrix<R, N, 2> {
    let mut sum = SMatrix::repeat(R::ZERO);
    for (weight, slope) in weights.iter().zip(slopes).take(count).filter(|(weight, _)| !weight.is_zero()) {
        sum += slope * weight.value::<R>();
    }
    sum
}
