//! The Störmer–Verlet and symplectic Euler methods: explicit kicks and drifts for L = T(v) − V(q).

use super::canonical::{CanonicalMemory, Kicked, kicked};
use super::shared::fixed_steps;
use super::{Carried, Estimate, Explicit, Lift, Method, Symmetric, Trial};
use crate::error::{Component, Failure};
use crate::evaluate::{Accelerate, Evaluate};
use crate::scalar::{Real, Scalar};
use crate::state::State;
use crate::system::{Separable, System, VelocityFreeAcceleration};
use core::fmt::Debug;
use core::marker::PhantomData;
use nalgebra::SVector;

/// An explicit method with a fixed step, which consists of kicks of the momentum and a drift of the coordinates:
///
/// ```text
/// p* = p  + α h f(t, q)
/// q' = q  + h v(p*)
/// p' = p* + β h f(t + h, q')
/// ```
///
/// The [`Sequence`] gives α and β. The method is symplectic if f = ∂L/∂q. It needs L = T(v) − V(q) and an acceleration that does
/// not depend on the velocity. The constructors ask for both as types, and every integration checks them again. The method
/// carries q and p, both by compensated summation. A controller that reads v gets 0.
///
/// ```compile_fail
/// use lagrange_runtime::prelude::*;
/// # #[lagrangian {
/// #     coordinates theta;
/// #     lagrangian = (1 + cos(theta)^2)*dot(theta)^2/2;
/// # }]
/// # struct Curved {}
/// let system = Curved {}.prepare::<f64>().unwrap();
/// // The mass depends on the coordinate: the method does not apply.
/// let method = StormerVerlet::new(&system, 0.01);
/// ```
///
/// A step costs one `balance` and one solution with M. Source: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical
/// Integration*, 2nd ed., I.1.4 and VI.3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Splitting<R, Q> {
    h: R,
    sequence: PhantomData<Q>,
}

/// The order of kicks and drifts.
pub trait Sequence: Copy + Debug {
    /// The fraction α of the kick before the drift.
    const BEFORE: f64;
    /// The fraction β of the kick after the drift.
    const AFTER: f64;
    /// The method's name.
    const NAME: &'static str;
    /// The method's order.
    const ORDER: u32;
}

/// α = β = 1/2, of order 2 and symmetric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KickDriftKick;

/// α = 1 and β = 0, of order 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KickDrift;

/// α = 0 and β = 1, of order 1. It is the adjoint of [`KickDrift`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriftKick;

impl Sequence for KickDriftKick {
    const BEFORE: f64 = 0.5;
    const AFTER: f64 = 0.5;
    const NAME: &'static str = "Störmer–Verlet";
    const ORDER: u32 = 2;
}

impl Sequence for KickDrift {
    const BEFORE: f64 = 1.0;
    const AFTER: f64 = 0.0;
    const NAME: &'static str = "symplectic Euler";
    const ORDER: u32 = 1;
}

impl Sequence for DriftKick {
    const BEFORE: f64 = 0.0;
    const AFTER: f64 = 1.0;
    const NAME: &'static str = "adjoint symplectic Euler";
    const ORDER: u32 = 1;
}

/// The Störmer–Verlet method, of order 2, symmetric and symplectic.
pub type StormerVerlet<R> = Splitting<R, KickDriftKick>;

/// The symplectic Euler method, of order 1, with the kick first.
pub type SymplecticEuler<R> = Splitting<R, KickDrift>;

/// The symplectic Euler method, of order 1, with the drift first. It is the adjoint of [`SymplecticEuler`].
pub type AdjointSymplecticEuler<R> = Splitting<R, DriftKick>;

/// The values that [`Splitting`] carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct SplittingMemory<R: Real, const N: usize> {
    /// The momentum p, and the rounding errors of q and p.
    pub canonical: CanonicalMemory<R, N>,
    /// The force f at the state, if it is known.
    balance: Option<SVector<R, N>>,
}

kicked!(SplittingMemory<R, N>);

impl<Q> Lift for Splitting<f64, Q> {
    type On<R: Real> = Splitting<R, Q>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        Splitting { h: R::from_f64(self.h), sequence: PhantomData }
    }
}

impl<R: Real, Q> Splitting<R, Q> {
    /// Returns the method with the step size `h`, in the unit of t. If `h` is not positive, an integration returns an error. The
    /// type of `system` proves that the method applies.
    pub fn new<S, const N: usize, const C: usize, const U: usize>(_system: &S, h: R) -> Self
    where
        S: System<R, N, C, U> + Separable + VelocityFreeAcceleration,
    {
        Self::unproved(h)
    }

    /// Returns the method for a system whose properties are known only at run time. If the method does not apply, the integration
    /// fails.
    #[doc(hidden)]
    pub fn unproved(h: R) -> Self {
        Self { h, sequence: PhantomData }
    }
}

impl<R> Symmetric for StormerVerlet<R> {}

/// Returns f at (t, q), for systems in which f does not depend on v.
#[inline(always)]
fn balance<E, R, const N: usize>(evaluator: &mut E, t: R, q: SVector<R, N>) -> SVector<R, N>
where
    E: Evaluate<R, N, 0> + ?Sized,
    R: Real,
{
    evaluator.balance(t, q, SVector::repeat(R::ZERO)).balance
}

/// The same step in velocities instead of momenta, for the lanes of an ensemble. Where L = T(v) − V(q), M is constant, so that both
/// are equal but for rounding: a kick of the velocity is α h a.
impl<M: Real, Q: Sequence, const N: usize> Explicit<N> for Splitting<M, Q> {
    type Stages<R: Scalar> = ();

    #[inline(always)]
    fn stages<R: Scalar>(&self) {}

    #[inline(always)]
    fn attempt<R: Scalar, E: Accelerate<R, N> + ?Sized>(
        &self,
        evaluator: &mut E,
        (): &mut Self::Stages<R>,
        state: &State<R, N>,
        mut acceleration: SVector<R, N>,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Carried<R, N>>, Failure> {
        let (before, after) = (R::from_f64(Q::BEFORE) * h, R::from_f64(Q::AFTER) * h);
        let State { mut q, mut v, .. } = *state;
        for i in 0..N {
            v[i] += before * acceleration[i];
            q[i] += h * v[i];
        }
        let current = Q::AFTER != 0.0;
        if current {
            acceleration = evaluator.acceleration(end, q, v)?;
            for i in 0..N {
                v[i] += after * acceleration[i];
            }
        }
        let memory = Carried { acceleration, current };
        Ok(Trial { state: State { t: end, q, v }, memory, estimate: Estimate::None })
    }
}

impl<R, Q, const N: usize> Method<R, N, 0> for Splitting<R, Q>
where
    R: Real,
    Q: Sequence,
{
    type Memory = SplittingMemory<R, N>;

    fixed_steps!();

    fn stability(&self) -> Option<[f64; 2]> {
        Some([2.0; 2])
    }

    fn name(&self) -> &'static str {
        Q::NAME
    }

    fn order(&self) -> u32 {
        Q::ORDER
    }

    fn start<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        let facts = evaluator.facts();
        if !(facts.separable && facts.velocity_free_acceleration && facts.quadratic) {
            return Err(Failure::NotApplicable {
                method: Q::NAME,
                needs: "L = T(v) − V(q) and accelerations that do not depend on velocities",
            });
        }
        Ok(SplittingMemory { canonical: CanonicalMemory::start(evaluator, state), balance: None })
    }

    #[inline(always)]
    fn refresh<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        let value = match memory.balance {
            _ if Q::BEFORE == 0.0 => None,
            None => Some(balance(evaluator, state.t, state.q)),
            known => known,
        };
        Ok(SplittingMemory { balance: value, ..*memory })
    }

    #[inline(always)]
    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        SplittingMemory { balance: None, ..*memory }
    }

    #[inline]
    fn step<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        _: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        let zero = SVector::repeat(R::ZERO);
        let before = memory.balance.map_or(zero, |balance| balance * (R::from_f64(Q::BEFORE) * h));
        let kicked = memory.canonical.kicked(before);
        let v = evaluator.velocity_correction(state.t, state.q, zero, kicked)?;
        if let Some(i) = (0..N).find(|&i| !v[i].is_finite()) {
            return Err(Failure::NotFinite { component: Some(Component::Velocity(i)) });
        }
        // This sum serves the evaluation only. The next coordinates also have a rounding error, which is carried.
        let q = memory.canonical.coordinates(&state.q, v * h);
        let known = if Q::AFTER == 0.0 { None } else { Some(balance(evaluator, end, q)) };
        let after = known.map_or(zero, |balance| balance * (R::from_f64(Q::AFTER) * h));
        let (q, canonical) = memory.canonical.advance(&state.q, v * h, before + after)?;
        Ok(Trial {
            state: State { t: end, q, v },
            memory: SplittingMemory { canonical, balance: known },
            estimate: Estimate::None,
        })
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
