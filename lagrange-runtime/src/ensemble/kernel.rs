//! The steps of several lanes, compiled for the instructions of the processor.
//!
//! Only code that is inlined into these functions is compiled for these instructions. Therefore
//! everything that they call must be inlined.

use crate::error::Failure;
use crate::evaluate::Accelerate;
use crate::method::Explicit;
use crate::options::Options;
use crate::scalar::{Real, Scalar, Vector};
use crate::state::State;
use crate::stepper::judge::estimated_error;
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

    /// Returns the states as one state of vectors.
    #[inline(always)]
    fn lift<S: Simd>(&self, simd: S) -> State<Vector<S, W>, N> {
        State { t: Vector::new(simd, self.t), q: lift(simd, &self.q), v: lift(simd, &self.v) }
    }

    /// Returns the states of the lanes of a state of vectors.
    #[inline(always)]
    fn lower<S: Simd>(state: &State<Vector<S, W>, N>) -> Self {
        Self { t: state.t.lanes(), q: lower(&state.q), v: lower(&state.v) }
    }
}

/// Returns the rows as vectors.
#[inline(always)]
fn lift<S: Simd, const N: usize, const W: usize>(simd: S, rows: &Rows<N, W>) -> SVector<Vector<S, W>, N> {
    let mut vector = SVector::repeat(Vector::ZERO);
    for i in 0..N {
        vector[i] = Vector::new(simd, rows[i]);
    }
    vector
}

/// Returns the rows of vectors.
#[inline(always)]
fn lower<S: Simd, const N: usize, const W: usize>(vector: &SVector<Vector<S, W>, N>) -> Rows<N, W> {
    let mut rows = [[0.0; W]; N];
    for i in 0..N {
        rows[i] = vector[i].lanes();
    }
    rows
}

/// The equations of all lanes, with constant inputs.
struct Equations<'a, P, S: Simd, const U: usize, const W: usize> {
    system: &'a P,
    inputs: SVector<Vector<S, W>, U>,
    simd: S,
    /// The number of evaluations of the accelerations.
    evaluations: u64,
}

impl<'a, P, S: Simd, const U: usize, const W: usize> Equations<'a, P, S, U, W> {
    #[inline(always)]
    fn new<const N: usize>(system: &'a P, simd: S) -> Self
    where
        P: System<Vector<S, W>, N, 0, U>,
    {
        let mut inputs = system.default_inputs();
        for i in 0..U {
            inputs[i] = inputs[i].known(simd);
        }
        Self { system, inputs, simd, evaluations: 0 }
    }

    /// Returns the same vectors with the token `simd` ([`Vector::known`]).
    #[inline(always)]
    fn known<const N: usize>(&self, mut vector: SVector<Vector<S, W>, N>) -> SVector<Vector<S, W>, N> {
        for i in 0..N {
            vector[i] = vector[i].known(self.simd);
        }
        vector
    }
}

impl<P, S: Simd, const N: usize, const U: usize, const W: usize> Accelerate<Vector<S, W>, N>
    for Equations<'_, P, S, U, W>
where
    P: System<Vector<S, W>, N, 0, U>,
{
    #[inline(always)]
    fn acceleration(
        &mut self,
        t: Vector<S, W>,
        q: SVector<Vector<S, W>, N>,
        v: SVector<Vector<S, W>, N>,
    ) -> Result<SVector<Vector<S, W>, N>, Failure> {
        Ok(self.slope(t, q, v))
    }

    #[inline(always)]
    fn slope(
        &mut self,
        t: Vector<S, W>,
        q: SVector<Vector<S, W>, N>,
        v: SVector<Vector<S, W>, N>,
    ) -> SVector<Vector<S, W>, N> {
        self.evaluations += 1;
        match self.system.acceleration(t.known(self.simd), &self.known(q), &self.known(v), &self.inputs) {
            Ok(solved) => self.known(solved.acceleration),
            Err(_) => self.known(SVector::repeat(Vector::from_f64(f64::NAN))),
        }
    }

    #[inline(always)]
    fn check_slopes(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// One or several fixed steps in all lanes.
pub(super) struct FixedSteps<'a, Y, P, S: Simd, const N: usize, const U: usize, const W: usize> {
    pub(super) simd: S,
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

impl<Y, P, S, const N: usize, const U: usize, const W: usize> WithSimd for FixedSteps<'_, Y, P, S, N, U, W>
where
    S: Simd,
    Y: Explicit<N>,
    P: System<Vector<S, W>, N, 0, U>,
{
    /// The number of evaluations for each lane.
    type Output = u64;

    #[inline(always)]
    fn with_simd<T: Simd>(self, _: T) -> u64 {
        let Self { simd, method, system, states, h, span } = self;
        let mut equations = Equations::new(system, simd);
        let mut stages = method.stages::<Vector<S, W>>();
        let mut state = states.lift(simd);
        let h = Vector::new(simd, h);
        let count = if let Span::Whole { count, .. } = span { count } else { 1 };
        for step in 0..count {
            let end = match span {
                Span::To(end) => Vector::new(simd, end),
                Span::Whole { start, done, .. } => {
                    let number = Vector::new(simd, done) + Vector::from_f64((step + 1) as f64);
                    Vector::new(simd, start) + number * h
                }
            };
            let acceleration = equations.slope(state.t, state.q, state.v);
            if let Ok(trial) = method.attempt(&mut equations, &mut stages, &state, acceleration, h, end) {
                state = trial.state;
            }
        }
        *states = States::lower(&state);
        equations.evaluations
    }
}

/// One attempt at an adaptive step in all lanes.
pub(super) struct Attempt<'a, Y, P, R: Real, S: Simd, const N: usize, const U: usize, const W: usize> {
    pub(super) simd: S,
    pub(super) method: &'a Y,
    pub(super) system: &'a P,
    pub(super) options: &'a Options<'a, R, N>,
    pub(super) states: &'a States<N, W>,
    /// The accelerations at the states. They are evaluated unless `current` is `true`.
    pub(super) accelerations: &'a mut Rows<N, W>,
    /// Whether `accelerations` has the values at `states` in all lanes.
    pub(super) current: bool,
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
    /// The errors relative to the tolerances.
    pub(super) errors: [f64; W],
    /// The number of evaluations for each lane.
    pub(super) evaluations: u64,
}

impl<Y, P, R, S, const N: usize, const U: usize, const W: usize> WithSimd for Attempt<'_, Y, P, R, S, N, U, W>
where
    R: Real,
    S: Simd,
    Y: Explicit<N>,
    P: System<Vector<S, W>, N, 0, U>,
{
    type Output = Attempted<N, W>;

    #[inline(always)]
    fn with_simd<T: Simd>(self, _: T) -> Attempted<N, W> {
        let Self { simd, method, system, options, states, accelerations, current, h, end, .. } = self;
        let mut equations = Equations::new(system, simd);
        let mut stages = method.stages::<Vector<S, W>>();
        let state = states.lift(simd);
        if !current {
            *accelerations = lower(&equations.slope(state.t, state.q, state.v));
        }
        let (acceleration, h, end) = (lift(simd, accelerations), Vector::new(simd, h), Vector::new(simd, end));
        match method.attempt(&mut equations, &mut stages, &state, acceleration, h, end) {
            Ok(trial) => Attempted {
                states: States::lower(&trial.state),
                accelerations: trial.memory.current.then(|| lower(&trial.memory.acceleration)),
                errors: estimated_error(options, &state, &trial, R::ZERO).lanes(),
                evaluations: equations.evaluations,
            },
            // Evaluations in lanes return no error. They are NaN in a lane that fails, so that this
            // case does not occur.
            Err(_) => Attempted {
                states: *states,
                accelerations: None,
                errors: [f64::NAN; W],
                evaluations: equations.evaluations,
            },
        }
    }
}
