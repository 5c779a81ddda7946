//! A ball on a floor, behind one function that C and WebAssembly can call. All of the runtime is behind it: step control, impacts, contact at rest.
//!
//! `ball.h` declares the same for C, and `ball.mjs` calls it from a page.

use lagrange_runtime::prelude::*;

/// A ball that falls on a floor.
#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact floor: y >= 0, restitution = e;
    assume g > 0;
}]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    /// Mass, kg.
    pub m: f64,
    /// Gravity, m/s².
    pub g: f64,
    /// Coefficient of restitution.
    pub e: f64,
}

/// The ball at a time.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BallState {
    /// Time, s.
    pub t: f64,
    /// Height, m.
    pub y: f64,
    /// Speed upward, m/s.
    pub v: f64,
}

/// Everything was computed.
const DONE: i32 = 0;
/// A pointer is null.
const NULL_POINTER: i32 = 1;
/// `prepare` refuses the parameters: one is not finite, mass or gravity is not positive, or the coefficient of restitution is not from 0 to 1.
const PARAMETERS: i32 = 2;
/// There is no motion until the end: the state is not finite or below the floor, or the time is before that of the state.
const NO_MOTION: i32 = 3;

/// Moves a state on until the time `end`. Returns 0, or one of the codes in `ball.h`, and then the state is unchanged.
#[unsafe(no_mangle)]
pub extern "C" fn ball_advance(ball: Option<&Ball>, end: f64, state: Option<&mut BallState>) -> i32 {
    let (Some(ball), Some(state)) = (ball, state) else { return NULL_POINTER };
    let Ok(system) = ball.prepare::<f64>() else { return PARAMETERS };
    let start = State::new(state.t, [state.y], [state.v]);
    let (method, options, mut inputs) = (Dop853::new(), Options::default(), DefaultInputs::of(&system));
    let Ok(mut stepper) = Stepper::new(&system, start, end, &method, &options, &mut inputs) else { return NO_MOTION };
    while !stepper.is_finished() {
        if stepper.step().is_err() {
            return NO_MOTION;
        }
    }
    let Ok(reached) = stepper.state() else { return NO_MOTION };
    *state = BallState { t: reached.t, y: reached.q[0], v: reached.v[0] };
    DONE
}
