//! Explicit embedded Runge–Kutta pairs. One implementation serves all tableaux.

use super::vectors::{advance, minus, plus, times};
use super::{Estimate, Explicit, Method, Pace, Trial};
use crate::control::{StepControl, ToleranceLaw};
use crate::dense::{Form, Interpolant, MAX_DEGREE, Polynomial};
use crate::error::Failure;
use crate::evaluate::{Accelerate, Evaluate};
use crate::scalar::{Real, Scalar};
use crate::state::{Difference, State};
use crate::tableau::{Coefficient, ExplicitPair, Parts};
use core::fmt::Debug;
use core::marker::PhantomData;
use nalgebra::SVector;

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

/// The velocities and accelerations of the stages of the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stages<R: Scalar, const N: usize, const EXTENDED: usize> {
    v: [SVector<R, N>; EXTENDED],
    a: [SVector<R, N>; EXTENDED],
    /// The differences V − v and A − a of each stage, if the sums are formed from them.
    gains: [SVector<R, N>; EXTENDED],
    changes: [SVector<R, N>; EXTENDED],
}

/// Returns Σ wⱼ xⱼ over the first `COUNT` weights. Weights that are 0 cost nothing.
#[inline(always)]
pub(super) fn combine<R: Scalar, const N: usize, const COUNT: usize>(
    weights: &[Coefficient],
    vectors: &[SVector<R, N>],
) -> SVector<R, N> {
    sum(&weights[..COUNT], &vectors[..COUNT])
}

#[inline(always)]
fn sum<R: Scalar, const N: usize>(weights: &[Coefficient], vectors: &[SVector<R, N>]) -> SVector<R, N> {
    let mut sum = SVector::repeat(R::ZERO);
    let mut empty = true;
    for (weight, vector) in weights.iter().zip(vectors) {
        if !weight.is_zero() {
            let weight = weight.value::<R>();
            sum = if empty { times(*vector, weight) } else { advance(sum, weight, *vector) };
            empty = false;
        }
    }
    sum
}

/// Returns whether all weights are 0.
#[inline(always)]
fn vanish(weights: &[Coefficient]) -> bool {
    weights.iter().all(|weight| weight.is_zero())
}

/// Returns h Σ wⱼ xⱼ over the first `COUNT` weights. The newest vector is added last: the other terms are then ready before it is
/// computed.
#[inline(always)]
pub(super) fn gain<R: Scalar, const N: usize, const COUNT: usize>(
    h: R,
    weights: &[Coefficient],
    vectors: &[SVector<R, N>],
) -> SVector<R, N> {
    let last = COUNT - 1;
    let newest = times(vectors[last], weights[last].value::<R>() * h);
    if vanish(&weights[..last]) { newest } else { advance(newest, h, sum(&weights[..last], &vectors[..last])) }
}

/// Returns the state after a step from (q, v), with the slopes weighted by `weights`.
#[inline(always)]
fn solution<R: Scalar, const N: usize, const COUNT: usize>(
    (q, v): (SVector<R, N>, SVector<R, N>),
    weights: &[Coefficient],
    (stages, slopes): (&[SVector<R, N>], &[SVector<R, N>]),
    h: R,
    end: R,
) -> State<R, N> {
    State {
        t: end,
        q: advance(q, h, combine::<R, N, COUNT>(weights, stages)),
        v: advance(v, h, combine::<R, N, COUNT>(weights, slopes)),
    }
}

/// Returns the difference of two solutions, from the differences of their weights.
#[inline(always)]
fn difference<R: Scalar, const N: usize, const STAGES: usize>(
    weights: &[Parts; STAGES],
    stages: &[SVector<R, N>],
    slopes: &[SVector<R, N>],
    h: R,
) -> Difference<R, N> {
    Difference { q: times(combine_parts(weights, stages), h), v: times(combine_parts(weights, slopes), h) }
}

/// Returns Σ wⱼ xⱼ, where the weights are differences of coefficients.
#[inline(always)]
pub(super) fn combine_parts<R: Scalar, const N: usize, const STAGES: usize>(
    weights: &[Parts; STAGES],
    vectors: &[SVector<R, N>],
) -> SVector<R, N> {
    let mut sum = SVector::repeat(R::ZERO);
    for (weight, vector) in weights.iter().zip(vectors) {
        if weight.high != 0.0 {
            sum = advance(sum, weight.value::<R>(), *vector);
        }
    }
    sum
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
        let none = [SVector::repeat(R::ZERO); EXTENDED];
        Stages { v: none, a: none, gains: none, changes: none }
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
        let Stages { v: stages, a: slopes, gains, changes } = workspace;
        let mut last = *state;
        (stages[0], slopes[0]) = (v, acceleration);
        for stage in 1..STAGES {
            let (q_terms, v_terms) = if T::FROM_DIFFERENCES { (&*gains, &*changes) } else { (&*stages, &*slopes) };
            // The macro expands the sums of each stage, so that their coefficients are constants. The acceleration is called from
            // one place only, so that the code of a step fits into the instruction cache.
            macro_rules! sums {
                ($($i:literal)*) => {
                    match stage {
                        $($i if $i < STAGES => {
                            let row = &T::PAIR.coefficients[$i];
                            [gain::<R, N, $i>(h, row, q_terms), gain::<R, N, $i>(h, row, v_terms)]
                        })*
                        _ => [SVector::repeat(R::ZERO); 2],
                    }
                };
            }
            let [q_sum, v_sum] = sums!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            let node = pair.nodes[stage].value::<R>();
            let (q_stage, v_stage) = if T::FROM_DIFFERENCES {
                gains[stage] = advance(v_sum, node * h, slopes[0]);
                (plus(q, advance(q_sum, node * h, v)), plus(v, gains[stage]))
            } else {
                (plus(q, q_sum), plus(v, v_sum))
            };
            let at_end = T::FIRST_SAME_AS_LAST && stage == STAGES - 1;
            let time = if at_end { end } else { t + node * h };
            slopes[stage] = evaluator.slope(time, q_stage, v_stage);
            stages[stage] = v_stage;
            if T::FROM_DIFFERENCES {
                changes[stage] = minus(slopes[stage], slopes[0]);
            }
            if at_end {
                last = State { t: end, q: q_stage, v: v_stage };
            }
        }
        evaluator.check_slopes()?;
        // The weights of a difference sum to 0, so that the first slope cancels and may be left out.
        let (q_terms, v_terms) = if T::FROM_DIFFERENCES { (&*gains, &*changes) } else { (&*stages, &*slopes) };
        let stages = (&stages[..], &slopes[..]);
        let state =
            if T::FIRST_SAME_AS_LAST { last } else { solution::<R, N, STAGES>((q, v), &pair.weights, stages, h, end) };
        let estimate = match T::ESTIMATE {
            EstimateRule::OtherSolution => {
                Estimate::Embedded(solution::<R, N, STAGES>((q, v), &pair.embedded, stages, h, end))
            }
            EstimateRule::Combined => Estimate::Combined([
                difference(&T::ERROR, q_terms, v_terms, h),
                difference(&T::SECOND_ERROR, q_terms, v_terms, h),
            ]),
            EstimateRule::Difference => Estimate::Difference(difference(&T::ERROR, q_terms, v_terms, h)),
        };
        let memory = if T::FIRST_SAME_AS_LAST {
            Carried { acceleration: stages.1[STAGES - 1], current: true }
        } else {
            Carried { acceleration, current: false }
        };
        Ok(Trial { state, memory, estimate })
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
        for i in STAGES..EXTENDED {
            let (row, node) = (&pair.coefficients[i], &pair.nodes[i]);
            if !T::FIRST_SAME_AS_LAST && i == STAGES {
                // This stage is the end of the step, where the next step starts.
                (workspace.v[i], workspace.a[i]) = (end.0.v, *end.1);
                continue;
            }
            let v_stage = v + combine_first(row, &workspace.a, i) * h;
            let q_stage = q + combine_first(row, &workspace.v, i) * h;
            workspace.a[i] = evaluator.acceleration(t + node.value::<R>() * h, q_stage, v_stage)?;
            workspace.v[i] = v_stage;
        }
        let none = [SVector::repeat(R::ZERO); MAX_DEGREE];
        let mut polynomial = Polynomial { start: *start.0, length: h, q: none, v: none, degree: DEGREE };
        for (row, (v_stage, a_stage)) in pair.interpolant.iter().zip(workspace.v.iter().zip(&workspace.a)) {
            for (k, weight) in row.iter().enumerate() {
                if !weight.is_zero() {
                    polynomial.q[k] += v_stage * weight.value::<R>();
                    polynomial.v[k] += a_stage * weight.value::<R>();
                }
            }
        }
        Ok(Interpolant::new(*start.0, *end.0, Form::Polynomial(polynomial)))
    }
}

/// Returns Σ wⱼ xⱼ over the first `count` weights.
fn combine_first<R: Real, const N: usize>(
    weights: &[Coefficient],
    vectors: &[SVector<R, N>],
    count: usize,
) -> SVector<R, N> {
    let mut sum = SVector::repeat(R::ZERO);
    for (weight, vector) in weights.iter().zip(vectors).take(count).filter(|(weight, _)| !weight.is_zero()) {
        sum += vector * weight.value::<R>();
    }
    sum
}
