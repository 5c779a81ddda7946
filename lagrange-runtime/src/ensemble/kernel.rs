//! The steps of several lanes, compiled for the instructions of the processor.
//!
//! Only code that is inlined into these functions is compiled for these instructions. Therefore
//! everything that they call must be inlined.

use crate::control::Sizes;
use crate::error::Failure;
use crate::evaluate::Accelerate;
use crate::method::Explicit;
use crate::options::Options;
use crate::scalar::{Fused, Lanes, Real, Scalar};
use crate::state::State;
use crate::stepper::judge::estimated_square;
use crate::system::System;
use core::marker::PhantomData;
use nalgebra::SVector;
use pulp::{Simd, WithSimd};

/// A vector with `N` components in each lane: one row for each component, one number for each lane.
pub(super) type Rows<const N: usize, const W: usize> = [[f64; W]; N];

/// The states of several lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct States<const N: usize, const W: usize> {
    pub(super) t: [f64; W],
    pub(super) q: Rows<N, W>,
    pub(super) v: Rows<N, W>,
}

impl<const N: usize, const W: usize> States<N, W> {
    /// Returns states that are 0 in all lanes.
    pub(super) fn new() -> Self {
        Self { t: [0.0; W], q: [[0.0; W]; N], v: [[0.0; W]; N] }
    }

    /// Returns the state of a lane.
    pub(super) fn of(&self, lane: usize) -> State<f64, N> {
        State {
            t: self.t[lane],
            q: SVector::from_fn(|i, _| self.q[i][lane]),
            v: SVector::from_fn(|i, _| self.v[i][lane]),
        }
    }

    /// Sets the state of a lane.
    pub(super) fn set(&mut self, lane: usize, state: &State<f64, N>) {
        self.t[lane] = state.t;
        for i in 0..N {
            (self.q[i][lane], self.v[i][lane]) = (state.q[i], state.v[i]);
        }
    }

    /// Whether the state of a lane is finite.
    pub(super) fn is_finite(&self, lane: usize) -> bool {
        self.q.iter().chain(&self.v).all(|row| row[lane].is_finite())
    }

    /// Returns the states as one state of lanes.
    #[inline(always)]
    fn lift(&self) -> State<Lanes<Fused, W>, N> {
        State { t: lanes(&self.t), q: lift(&self.q), v: lift(&self.v) }
    }

    /// Returns the states of the lanes.
    #[inline(always)]
    fn lower(state: &State<Lanes<Fused, W>, N>) -> Self {
        Self { t: numbers(&state.t), q: lower(&state.q), v: lower(&state.v) }
    }
}

/// Returns the numbers as lanes.
#[inline(always)]
pub(super) fn lanes<const W: usize>(numbers: &[f64; W]) -> Lanes<Fused, W> {
    let mut lanes = Lanes([Fused::ZERO; W]);
    for (lane, number) in lanes.0.iter_mut().zip(numbers) {
        lane.0 = *number;
    }
    lanes
}

/// Returns the numbers in the lanes.
#[inline(always)]
fn numbers<const W: usize>(lanes: &Lanes<Fused, W>) -> [f64; W] {
    let mut numbers = [0.0; W];
    for (number, lane) in numbers.iter_mut().zip(&lanes.0) {
        *number = lane.0;
    }
    numbers
}

/// Returns the rows as a vector of lanes.
#[inline(always)]
fn lift<const N: usize, const W: usize>(rows: &Rows<N, W>) -> SVector<Lanes<Fused, W>, N> {
    let mut vector = SVector::repeat(Lanes::ZERO);
    for i in 0..N {
        vector[i] = lanes(&rows[i]);
    }
    vector
}

/// Returns the rows of a vector of lanes.
#[inline(always)]
fn lower<const N: usize, const W: usize>(vector: &SVector<Lanes<Fused, W>, N>) -> Rows<N, W> {
    let mut rows = [[0.0; W]; N];
    for i in 0..N {
        rows[i] = numbers(&vector[i]);
    }
    rows
}

/// The equations of all lanes, with constant inputs.
struct Equations<'a, P, const U: usize, const W: usize> {
    system: &'a P,
    inputs: SVector<Lanes<Fused, W>, U>,
    /// The number of evaluations of the accelerations.
    evaluations: u64,
}

impl<'a, P, const U: usize, const W: usize> Equations<'a, P, U, W> {
    #[inline(always)]
    fn new<const N: usize>(system: &'a P) -> Self
    where
        P: System<Lanes<Fused, W>, N, 0, U>,
    {
        Self { system, inputs: system.default_inputs(), evaluations: 0 }
    }
}

impl<P, const N: usize, const U: usize, const W: usize> Accelerate<Lanes<Fused, W>, N> for Equations<'_, P, U, W>
where
    P: System<Lanes<Fused, W>, N, 0, U>,
{
    #[inline(always)]
    fn acceleration(
        &mut self,
        t: Lanes<Fused, W>,
        q: SVector<Lanes<Fused, W>, N>,
        v: SVector<Lanes<Fused, W>, N>,
    ) -> Result<SVector<Lanes<Fused, W>, N>, Failure> {
        Ok(self.slope(t, q, v))
    }

    #[inline(always)]
    fn slope(
        &mut self,
        t: Lanes<Fused, W>,
        q: SVector<Lanes<Fused, W>, N>,
        v: SVector<Lanes<Fused, W>, N>,
    ) -> SVector<Lanes<Fused, W>, N> {
        self.evaluations += 1;
        match self.system.acceleration(t, &q, &v, &self.inputs) {
            Ok(solved) => solved.acceleration,
            Err(_) => SVector::repeat(Lanes::from_f64(f64::NAN)),
        }
    }

    #[inline(always)]
    fn check_slopes(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// One or several fixed steps in all lanes.
pub(super) struct FixedSteps<'a, Y, P, const N: usize, const U: usize, const W: usize> {
    pub(super) method: &'a Y,
    pub(super) system: &'a P,
    pub(super) states: &'a mut States<N, W>,
    /// The step sizes; 0 for lanes without a trajectory.
    pub(super) h: [f64; W],
    pub(super) span: Span<W>,
}

/// The number of fixed steps, and the times at which they end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Span<const W: usize> {
    /// One step, which ends at these times.
    To([f64; W]),
    /// Several whole steps. The time after n steps, counted from `start`, is `start` + n h.
    Whole {
        /// The times from which steps are counted.
        start: [f64; W],
        /// The numbers of steps that are already made.
        done: [f64; W],
        /// The number of steps to make.
        count: u64,
    },
}

impl<Y, P, const N: usize, const U: usize, const W: usize> WithSimd for FixedSteps<'_, Y, P, N, U, W>
where
    Y: Explicit<N>,
    P: System<Lanes<Fused, W>, N, 0, U>,
{
    /// The number of evaluations for each lane.
    type Output = u64;

    #[inline(always)]
    fn with_simd<T: Simd>(self, _: T) -> u64 {
        let Self { method, system, states, h, span } = self;
        let mut equations = Equations::new(system);
        let mut stages = method.stages::<Lanes<Fused, W>>();
        let mut state = states.lift();
        let h = lanes(&h);
        let count = if let Span::Whole { count, .. } = span { count } else { 1 };
        let mut known = None;
        for step in 0..count {
            let end = match span {
                Span::To(end) => lanes(&end),
                Span::Whole { start, done, .. } => {
                    let number = lanes(&done) + Lanes::from_f64((step + 1) as f64);
                    lanes(&start) + number * h
                }
            };
            let acceleration = known.take().unwrap_or_else(|| equations.slope(state.t, state.q, state.v));
            if let Ok(trial) = method.attempt(&mut equations, &mut stages, &state, acceleration, h, end) {
                state = trial.state;
                known = trial.memory.current.then_some(trial.memory.acceleration);
            }
        }
        *states = States::lower(&state);
        equations.evaluations
    }
}

/// One attempt at an adaptive step in all lanes.
pub(super) struct Attempt<'a, Y: Explicit<N>, P, R: Real, const N: usize, const U: usize, const W: usize> {
    pub(super) method: &'a Y,
    /// The stages of the last attempt. The formula writes them again.
    pub(super) stages: &'a mut Y::Stages<Lanes<Fused, W>>,
    pub(super) system: &'a P,
    pub(super) options: &'a Options<'a, R, N>,
    pub(super) states: &'a States<N, W>,
    /// The accelerations at the states. They are evaluated unless `current` is `true`.
    pub(super) accelerations: &'a mut Rows<N, W>,
    /// Whether `accelerations` has the values at `states` in all lanes.
    pub(super) current: bool,
    /// The absolute tolerances of the coordinates and of the velocities.
    pub(super) absolute: &'a [Rows<N, W>; 2],
    /// The step sizes; 0 for lanes without a trajectory.
    pub(super) h: [f64; W],
    /// The times at which the steps end.
    pub(super) end: [f64; W],
    /// The number of inputs, which no other field has in its type.
    pub(super) inputs: PhantomData<[(); U]>,
}

/// The result of an attempt.
pub(super) struct Attempted<const N: usize, const W: usize> {
    /// The states at the ends of the steps.
    pub(super) states: States<N, W>,
    /// The accelerations at the ends of the steps, if the method evaluates them.
    pub(super) accelerations: Option<Rows<N, W>>,
    /// The squares of the errors relative to the tolerances.
    pub(super) squares: [f64; W],
    /// The number of evaluations for each lane.
    pub(super) evaluations: u64,
}

impl<Y, P, R, const N: usize, const U: usize, const W: usize> WithSimd for Attempt<'_, Y, P, R, N, U, W>
where
    R: Real,
    Y: Explicit<N>,
    P: System<Lanes<Fused, W>, N, 0, U>,
{
    type Output = Attempted<N, W>;

    #[inline(always)]
    fn with_simd<T: Simd>(self, _: T) -> Attempted<N, W> {
        let Self { method, stages, system, options, states, accelerations, current, absolute, h, end, .. } = self;
        let mut equations = Equations::new(system);
        let state = states.lift();
        if !current {
            *accelerations = lower(&equations.slope(state.t, state.q, state.v));
        }
        let (acceleration, h, end) = (lift(accelerations), lanes(&h), lanes(&end));
        match method.attempt(&mut equations, stages, &state, acceleration, h, end) {
            Ok(trial) => {
                let absolute = Sizes { q: lift(&absolute[0]), v: lift(&absolute[1]) };
                let states = system.state_count();
                Attempted {
                    states: States::lower(&trial.state),
                    accelerations: trial.memory.current.then(|| lower(&trial.memory.acceleration)),
                    squares: numbers(&estimated_square(options, &state, &trial, Some(&absolute), R::ZERO, states)),
                    evaluations: equations.evaluations,
                }
            }
            // Evaluations in lanes return no error. They are NaN in a lane that fails, so that this
            // case does not occur.
            Err(_) => Attempted {
                states: *states,
                accelerations: None,
                squares: [f64::NAN; W],
                evaluations: equations.evaluations,
            },
        }
    }
}
