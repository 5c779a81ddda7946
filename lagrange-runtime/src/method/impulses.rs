//! A composition of a symmetric method without constraints and two impulses of the constraints.

mod free;

use super::canonical::{Kicked, Reaction, name_pivot, project, reaction_of};
use super::{Estimate, Lift, Method, Pace, Symmetric, Trial};
use crate::constraint::{mechanical, position_rounding, scales};
use crate::error::{Failure, SingularMass};
use crate::evaluate::Evaluate;
use crate::linalg::lu::Lu;
use crate::scalar::Real;
use crate::state::State;
use free::Free;
use nalgebra::{SMatrix, SVector};

/// The most steps of the inner method that one step may take.
const MOST: u32 = 50;

/// A composition of three steps for holonomic constraints, with any symmetric method inside. The first step is half of the
/// impulse of the constraints. The second is a step of the inner method on the equations without constraints. The third is the
/// other half of the impulse, which projects the momentum:
///
/// ```text
/// p̂  = p + (h/2) Gᵀλ⁻,   (q', p̂') = Φ(q, p̂) such that g(q') = 0,   p' = p̂' + (h/2) G'ᵀλ⁺ such that G' v(q', p') + ∂g/∂t = 0
/// ```
///
/// Φ is a step of `inner` for d/dt p = f, with the step size h of `inner`. The composition is symmetric. If Φ is symplectic, the
/// composition is symplectic on the states that satisfy the constraint and the hidden constraint. The initial state must satisfy
/// both. The order is 2, whatever the order of Φ is. A [`Composition`](super::Composition) of it has a higher order. λ± tend to
/// the multipliers of the equations of motion as h → 0.
///
/// [`Gauss`](super::Gauss), [`Variational`](super::Variational) and [`Rattle`](super::Rattle) accept constraints themselves. They
/// solve for λ⁻ together with their stages, which is the same composition with fewer evaluations. This method sees only the steps
/// of `inner`. It finds λ⁻ by Broyden's method, which starts from the derivative h G M⁻¹ Gᵀ of g(q') and ends when g(q') is at
/// round-off. One step therefore takes several steps of `inner`, each of which counts as one of the `iterations`, in addition to
/// its own. If M is singular at every state, Φ belongs to L + ½ ρ (G v + ∂g/∂t)², as [`Gauss`](super::Gauss) describes.
///
/// Source: S. Reich, *Symplectic integration of constrained Hamiltonian systems by composition methods*, SIAM J. Numer. Anal. 33,
/// 1996; C. G. Broyden, *A class of methods for solving nonlinear simultaneous equations*, Math. Comp. 19, 1965.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulses<M> {
    inner: M,
}

/// The values that [`Impulses`] carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "R: serde::Serialize, Memory: serde::Serialize",
        deserialize = "R: serde::Deserialize<'de>, Memory: serde::Deserialize<'de>"
    ))
)]
pub struct ImpulsesMemory<Memory, R: Real, const N: usize, const C: usize> {
    /// The values that the inner method carries, with the momentum.
    pub inner: Memory,
    /// The multipliers of the constraints.
    pub reaction: Reaction<R, N, C>,
}

impl<M: Lift> Lift for Impulses<M> {
    type On<R: Real> = Impulses<M::On<R>>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        Impulses { inner: self.inner.lift() }
    }
}

impl<M: Symmetric> Impulses<M> {
    /// Returns the composition around `inner`, with the step size of `inner`.
    pub fn new(inner: M) -> Self {
        Self { inner }
    }
}

impl<M> Symmetric for Impulses<M> {}

/// Broyden's method for the unknown μ = (h/2) λ⁻ of a step. `slope` is the present approximation of ∂g(q')/∂μ.
#[derive(Clone, Copy, Debug)]
struct Search<R: Real, const C: usize> {
    slope: SMatrix<R, C, C>,
    last: Option<(SVector<R, C>, SVector<R, C>)>,
    relative: f64,
}

impl<R: Real, const C: usize> Search<R, C> {
    /// Returns the increment of μ for g(q') = `value`, or `None` if g is at round-off. The rounding of g is relative to `scale`.
    /// If the terms of a row vanish, it is at most `least`.
    ///
    /// # Errors
    /// [`SingularMass`] with the row, if impulses along the rows of G no longer move all of g(q').
    fn increment(
        &mut self,
        value: SVector<R, C>,
        scale: &SVector<f64, C>,
        least: &SVector<f64, C>,
    ) -> Result<Option<SVector<R, C>>, SingularMass> {
        let relative = (0..C).fold(0.0_f64, |worst, row| {
            let value = value[row].to_f64();
            if value == 0.0 { worst } else { worst.max(value.abs() / scale[row]) }
        });
        // Close to round-off, a step that does not halve the residual ends the iteration.
        let near = relative <= 64.0 * R::EPSILON || (0..C).all(|row| value[row].to_f64().abs() <= least[row]);
        if relative <= R::EPSILON || (near && relative >= 0.5 * self.relative) {
            return Ok(None);
        }
        self.relative = relative;
        if let Some((increment, before)) = self.last {
            // Broyden's update is B + (Δg − B Δμ) Δμᵀ/(Δμᵀ Δμ).
            let square = increment.iter().fold(R::ZERO, |sum, &x| sum + x * x);
            if square > R::ZERO {
                for row in 0..C {
                    let known = (0..C).fold(R::ZERO, |sum, k| sum + self.slope[(row, k)] * increment[k]);
                    let missing = (value[row] - before[row] - known) / square;
                    for k in 0..C {
                        self.slope[(row, k)] += missing * increment[k];
                    }
                }
            }
        }
        let increment = -Lu::new(self.slope)?.solve(&value);
        self.last = Some((increment, value));
        Ok(Some(increment))
    }
}

impl<M, R, const N: usize, const C: usize> Method<R, N, C> for Impulses<M>
where
    M: Method<R, N, 0, Memory: Kicked<R, N>>,
    R: Real,
{
    type Memory = ImpulsesMemory<M::Memory, R, N, C>;
    type Workspace = ();

    const ADAPTIVE: bool = M::ADAPTIVE;
    const MEASURES_ERRORS: bool = M::MEASURES_ERRORS;

    fn name(&self) -> &'static str {
        "impulses"
    }

    fn order(&self) -> u32 {
        if const { C > 0 } { 2 } else { self.inner.order() }
    }

    fn workspace(&self) {}

    #[inline]
    fn pace(&self) -> Pace<R> {
        self.inner.pace()
    }

    fn start<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        let reaction = Reaction::start(evaluator, state, "impulses")?;
        let inner = self.inner.start(&mut Free::new(evaluator, reaction.augmentation), state)?;
        Ok(ImpulsesMemory { inner, reaction })
    }

    fn refresh<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        let mut free = Free::new(evaluator, memory.reaction.augmentation);
        let inner = self.inner.refresh(&mut free, state, &memory.inner)?;
        Ok(ImpulsesMemory { inner, ..*memory })
    }

    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        ImpulsesMemory { inner: self.inner.forget_inputs(&memory.inner), ..*memory }
    }

    #[inline]
    fn step<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        (): &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        let ImpulsesMemory { inner, reaction } = memory;
        let half = R::from_f64(0.5) * h;
        let mut impulse = reaction.start * half;
        let mut search = None;
        let mut made = 0;
        let Trial { state: inner_end, memory: mut inner, .. } = loop {
            let kicked = inner.kicked(reaction_of(&reaction.jacobian, &impulse));
            let mut workspace = self.inner.workspace();
            let mut free = Free::new(evaluator, reaction.augmentation);
            let trial = self.inner.step(&mut free, &mut workspace, state, &kicked, h, end)?;
            if const { C == 0 } {
                break trial;
            }
            evaluator.statistics_mut().iterations += 1;
            made += 1;
            let constraint = evaluator.constraint(end, &trial.state.q);
            if !constraint.value.iter().all(|value| value.is_finite()) {
                return Err(Failure::NotFinite { component: None });
            }
            let search = match &mut search {
                Some(search) => search,
                none => {
                    let mass_matrix = reaction.mass_matrix(evaluator, state.t, state.q, state.v);
                    evaluator.statistics_mut().factorizations += 1;
                    let moved = Lu::new(mass_matrix)?.solve(&reaction.jacobian.transpose());
                    let slope = SMatrix::from_fn(|row, k| {
                        (0..N).fold(R::ZERO, |sum, i| sum + constraint.jacobian[(row, i)] * moved[(i, k)]) * h
                    });
                    none.insert(Search { slope, last: None, relative: f64::INFINITY })
                }
            };
            let q = &trial.state.q;
            let own = mechanical(q, evaluator.state_count());
            let (scale, least) =
                (scales(&constraint.jacobian, q, &constraint.scale), position_rounding(&constraint, end, &own));
            let increment = search.increment(constraint.value, &scale, &least);
            match increment.map_err(|singular| name_pivot::<0>(singular, evaluator.constraint_names()))? {
                None => break trial,
                Some(_) if made >= MOST => {
                    let increment = constraint.value.iter().fold(0.0, |size, value| value.to_f64().abs().max(size));
                    return Err(Failure::NewtonFailed { iterations: made, increment });
                }
                Some(increment) => impulse += increment,
            }
        };
        if const { C == 0 } {
            let memory = ImpulsesMemory { inner, reaction: *reaction };
            return Ok(Trial { state: inner_end, memory, estimate: Estimate::None });
        }
        let State { q, v, .. } = inner_end;
        let projected = project(evaluator, end, q, v, inner.momentum())?;
        inner = inner.kicked(projected.impulse);
        let reaction = Reaction {
            start: impulse.map(|x| x / half),
            end: projected.multipliers.map(|x| x / half),
            jacobian: projected.jacobian,
            ..*reaction
        };
        let state = State { t: end, q, v: projected.v };
        Ok(Trial { state, memory: ImpulsesMemory { inner, reaction }, estimate: Estimate::None })
    }

    /// Returns `state` if there are constraints, because the step has already computed its velocity.
    fn synchronise<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<State<R, N>, Failure> {
        if const { C > 0 } {
            return Ok(*state);
        }
        let mut free = Free::new(evaluator, memory.reaction.augmentation);
        self.inner.synchronise(&mut free, state, &memory.inner)
    }
}
