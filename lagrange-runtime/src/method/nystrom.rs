//! An explicit Nyström pair for accelerations that do not depend on the velocity.

use super::embedded_pair::{Carried, sum_before};
use super::explicit::Explicit;
use super::refined::refined;
use super::vectors::{advance, times};
use super::{Estimate, Lift, Method, Pace, Trial};
use crate::control::{StepControl, ToleranceLaw};
use crate::dense::Interpolant;
use crate::error::Failure;
use crate::evaluate::{Accelerate, Evaluate};
use crate::scalar::{Real, Scalar};
use crate::state::{Difference, State};
use crate::system::{System, VelocityFreeAcceleration};
use crate::tableau::dormand_el_mikkawy_prince::NYSTROM_86;
use crate::tableau::{Coefficient, NystromPair, Parts};
use nalgebra::SVector;

const NAME: &str = "Dormand–El-Mikkawy–Prince 8(6)";
const STAGES: usize = 9;
const PAIR: NystromPair<STAGES> = NYSTROM_86;
const POSITION_ERROR: [Parts; STAGES] = Coefficient::differences(&PAIR.positions, &PAIR.embedded_positions);
const VELOCITY_ERROR: [Parts; STAGES] = Coefficient::differences(&PAIR.velocities, &PAIR.embedded_velocities);

/// The Nyström pair of Dormand, El-Mikkawy and Prince, of order 8 with embedded order 6, with an adaptive step.
///
/// The stages are Aᵢ = a(t + cᵢ h, q + cᵢ h v + h² Σ aᵢⱼ Aⱼ). They need no velocities, so that a step costs 8 accelerations
/// instead of the 12 of a Runge–Kutta pair of this order. The method applies only if the acceleration does not depend on the
/// velocity. The constructor asks for this fact as a type, and every integration checks it again. A controller that reads v
/// gets 0. The interpolant has order 8 for q and 7 for v. It is Hermite's interpolant, refined by four more accelerations. The
/// method is neither symmetric nor symplectic. The coefficients and their source are in
/// [`crate::tableau::dormand_el_mikkawy_prince`].
///
/// ```compile_fail
/// use lagrange_runtime::prelude::*;
/// # #[lagrangian {
/// #     coordinates x;
/// #     lagrangian = dot(x)^2/2;
/// #     dissipation = c*dot(x)^2/2;
/// # }]
/// # struct Braked {
/// #     c: f64,
/// # }
/// let system = Braked { c: 1.0 }.prepare::<f64>().unwrap();
/// // The acceleration depends on the velocity: the method does not apply.
/// let method = Nystrom8::new(&system);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nystrom8<R: Real> {
    control: StepControl<R>,
}

impl<R: Real> Nystrom8<R> {
    /// Returns the method under `rtol` and `atol` of the options, with a proportional–integral step law. The type of `system`
    /// proves that the method applies.
    pub fn new<S, const N: usize, const C: usize, const U: usize>(_system: &S) -> Self
    where
        S: System<R, N, C, U> + VelocityFreeAcceleration,
    {
        Self::unproved()
    }

    /// Returns the method for a system whose properties are known only at run time. If the acceleration depends on the velocity,
    /// the integration fails.
    #[doc(hidden)]
    pub fn unproved() -> Self {
        Self { control: StepControl::Tolerance(ToleranceLaw::ProportionalIntegral) }
    }

    /// Returns the method with the step law `law`.
    #[must_use]
    pub fn with_law(self, law: ToleranceLaw) -> Self {
        Self { control: StepControl::Tolerance(law) }
    }
}

impl Lift for Nystrom8<f64> {
    type On<R: Real> = Nystrom8<R>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        Nystrom8 { control: self.control.lift() }
    }
}

impl<M: Real, const N: usize> Explicit<N> for Nystrom8<M> {
    type Stages<R: Scalar> = ();

    #[inline(always)]
    fn stages<R: Scalar>(&self) {}

    #[inline(always)]
    fn attempt<R: Scalar, E: Accelerate<R, N> + ?Sized>(
        &self,
        evaluator: &mut E,
        (): &mut Self::Stages<R>,
        state: &State<R, N>,
        acceleration: SVector<R, N>,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Carried<R, N>>, Failure> {
        let State { t, q, v } = *state;
        let rest = SVector::repeat(R::ZERO);
        let mut slopes = [rest; STAGES];
        slopes[0] = acceleration;
        let mut last = q;
        for stage in 1..STAGES {
            // The macro expands the sums of each stage, so that their coefficients are constants. The acceleration is called from
            // one place only.
            macro_rules! sum {
                ($($i:literal)*) => {
                    match stage {
                        $($i => sum_before::<R, N, 1, { $i + 1 }>(&PAIR.coefficients[$i], &slopes),)*
                        _ => rest,
                    }
                };
            }
            let node = PAIR.nodes[stage].value::<R>();
            last = advance(q, h, advance(times(v, node), h, sum!(1 2 3 4 5 6 7 8)));
            let time = if stage == STAGES - 1 { end } else { t + node * h };
            slopes[stage] = evaluator.slope(time, last, rest);
        }
        evaluator.check_slopes()?;
        // The last stage is at the end of the step.
        let state = State {
            t: end,
            q: last,
            v: advance(v, h, sum_before::<R, N, 1, { STAGES + 1 }>(&PAIR.velocities, &slopes)),
        };
        let difference = Difference {
            q: times(sum_before::<R, N, 1, { STAGES + 1 }>(&POSITION_ERROR, &slopes), h * h),
            v: times(sum_before::<R, N, 1, { STAGES + 1 }>(&VELOCITY_ERROR, &slopes), h),
        };
        let memory = Carried { acceleration: slopes[STAGES - 1], current: true };
        Ok(Trial { state, memory, estimate: Estimate::Difference(difference) })
    }
}

impl<R, const N: usize> Method<R, N, 0> for Nystrom8<R>
where
    R: Real,
{
    type Memory = Carried<R, N>;
    type Workspace = ();

    const ADAPTIVE: bool = true;
    const MEASURES_ERRORS: bool = false;

    fn name(&self) -> &'static str {
        NAME
    }

    fn order(&self) -> u32 {
        8
    }

    fn error_power(&self) -> u32 {
        7
    }

    fn workspace(&self) {}

    #[inline(always)]
    fn pace(&self) -> Pace<R> {
        Pace::Adaptive(self.control)
    }

    fn start<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        _: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        if !evaluator.facts().velocity_free_acceleration {
            return Err(Failure::NotApplicable {
                method: NAME,
                needs: "accelerations that do not depend on velocities",
            });
        }
        Ok(Carried { acceleration: SVector::repeat(R::ZERO), current: false })
    }

    #[inline(always)]
    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        Carried { current: false, ..*memory }
    }

    #[inline(always)]
    fn refresh<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        if memory.current {
            return Ok(*memory);
        }
        let acceleration = evaluator.acceleration(state.t, state.q, SVector::repeat(R::ZERO))?;
        Ok(Carried { acceleration, current: true })
    }

    #[inline(always)]
    fn step<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        (): &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        self.attempt(evaluator, &mut (), state, memory.acceleration, h, end)
    }

    #[inline(always)]
    fn acceleration<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        _: &mut E,
        _: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<SVector<R, N>, Failure> {
        Ok(memory.acceleration)
    }

    fn interpolant<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        _: &mut Self::Workspace,
        start: (&State<R, N>, &SVector<R, N>),
        end: (&State<R, N>, &SVector<R, N>),
    ) -> Result<Interpolant<R, N>, Failure> {
        refined(evaluator, start, end, 1, true)
    }
}
