//! Whether steps make progress: a bound on the work where the user sets none.

use super::stiffness::Stiffness;
use crate::error::{Failure, Jump};
use crate::evaluator::Monitor;
use crate::options::Options;
use crate::scalar::Real;
use crate::state::State;

/// The number of attempts between two checks of the progress: a window.
const WINDOW: u32 = 10_000;

/// The number of attempts before the first check, which looks for stiffness alone.
const FIRST: u32 = 1_000;

/// The number of steps up to the end from which on stiff equations are a failure: a minute and more.
const FOREVER: f64 = 1e8;

/// A window is slow if it advances by less than this part of the span. At that pace the whole span takes 10⁸ attempts.
const SLOW: f64 = 1e-4;

/// The number of slow windows that end at a jump of the accelerations, without a faster window between them, at which the
/// integration fails.
const JUMPS: u32 = 3;

/// The number of windows after which their total advance is checked, whatever slowed them: 10⁷ attempts.
const MANY: u32 = 1_000;

/// The least part of the span that [`MANY`] windows must advance. Even a close encounter advances by more.
const STILL: f64 = 1e-9;

/// The state of the checks of the progress.
///
/// Stiff equations and close encounters advance slowly too, but they end, so slowness alone is no failure. A motion along a
/// jump of the accelerations does not end if the equations on both sides lead back to the jump: each step across it is as short
/// as the tolerances ask for. So a slow window counts only where the accelerations jump nearby.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress<R> {
    span: R,
    /// The end time.
    end: R,
    /// Whether the first check is still to come.
    is_fresh: bool,
    /// The number of attempts at the next check.
    next: u64,
    /// The time at the last check.
    last: R,
    /// How many slow windows ended at a jump since the last window that was not slow.
    jumps: u32,
    /// The time at the start of the current series of [`MANY`] windows, and the number of windows since.
    first: R,
    windows: u32,
}

impl<R: Real> Progress<R> {
    /// Starts the checks of an integration from `t` to `t_end`, for which `made` attempts were made before.
    pub(super) fn new(t: R, t_end: R, made: u64) -> Self {
        Self {
            span: (t_end - t).abs(),
            end: t_end,
            is_fresh: made == 0,
            next: made.saturating_add(u64::from(if made == 0 { FIRST } else { WINDOW })),
            last: t,
            jumps: 0,
            first: t,
            windows: 0,
        }
    }

    /// The number of attempts left before the next check, after `made` attempts.
    pub(super) fn left(&self, made: u64) -> u64 {
        self.next.saturating_sub(made)
    }

    /// Checks the motion after a window of attempts. The motion has reached `state`, and tries a step of size `step` there.
    /// Returns how many attempts may follow. `stiffness` looks for stiff equations, where the method is explicit and chooses its steps.
    ///
    /// # Errors
    /// [`Failure::Stiff`] where stiff equations would take [`FOREVER`] steps and more.
    /// [`Failure::NoProgress`] where slow windows keep ending at a jump, or where [`MANY`] windows advance by almost nothing.
    #[cold]
    #[inline(never)]
    pub(super) fn look<const N: usize, const C: usize>(
        &mut self,
        evaluator: &mut dyn Monitor<R, N, C>,
        state: &State<R, N>,
        step: R,
        stiffness: Option<(Stiffness<R, N, C>, &Options<'_, R, N>)>,
    ) -> Result<u64, Failure> {
        if let Some(rate) = stiffness.and_then(|(find, options)| find(evaluator, options, state, step)) {
            evaluator.statistics_mut().stiff_checks += 1;
            let steps = ((self.end - state.t).abs() / step).to_f64();
            if steps >= FOREVER {
                return Err(Failure::Stiff { steps, rate });
            }
        }
        if self.is_fresh {
            self.is_fresh = false;
            let left = u64::from(WINDOW - FIRST);
            self.next = self.next.saturating_add(left);
            return Ok(left);
        }
        let advance = (state.t - self.last).abs();
        self.last = state.t;
        self.next = self.next.saturating_add(u64::from(WINDOW));
        if advance >= self.span * R::from_f64(SLOW) {
            self.jumps = 0;
        } else {
            let reach = (step * R::from_f64(4.0)).max(advance * R::from_f64(0.1));
            if let Some(jump) = jump(evaluator, state, reach) {
                self.jumps += 1;
                if self.jumps >= JUMPS {
                    return Err(Failure::NoProgress { advance: advance.to_f64(), attempts: WINDOW, jump: Some(jump) });
                }
            }
        }
        self.windows += 1;
        if self.windows >= MANY {
            let advance = (state.t - self.first).abs();
            if advance <= self.span * R::from_f64(STILL) {
                let attempts = WINDOW * MANY;
                return Err(Failure::NoProgress { advance: advance.to_f64(), attempts, jump: None });
            }
            (self.first, self.windows) = (state.t, 0);
        }
        Ok(u64::from(WINDOW))
    }
}

/// The number of parts into which the motion around a state is divided in the search for a jump.
const PARTS: usize = 16;

/// A jump of the accelerations within `reach` of a state along its motion, at the state's time: a change between two states
/// that differ by a rounding. The evaluations are not counted, because they serve no step. The search is compiled once for all systems.
fn jump<R, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
    state: &State<R, N>,
    reach: R,
) -> Option<Jump>
where
    R: Real,
{
    let State { t, q, v } = *state;
    let a = evaluator.acceleration_under(state, &v).ok()?;
    let at = |s: f64| {
        let s = R::from_f64(s);
        State { t, q: q + v * s, v: v + a * s }
    };
    let mut along = |coordinate: usize, s: f64| {
        let state = at(s);
        Some(evaluator.acceleration_under(&state, &state.v).ok()?.get(coordinate)?.to_f64())
    };
    let (coordinate, low, high) = jump_along(&mut along, N, reach.to_f64())?;
    let (low, high) = (at(low), at(high));
    let input = evaluator.changed_input([&low, &high], JUMP);
    let switch = match evaluator.switch_count() {
        0 => None,
        _ => evaluator.branch(&low).differs(evaluator.branch(&high)).first(),
    };
    let switch = switch.and_then(|index| evaluator.switch_names().get(index).copied());
    Some(Jump { coordinate: coordinate as u32, input: input.map(|index| index as u32), switch })
}

/// The first coordinate whose acceleration jumps within `reach` of the place 0, and the two neighbouring places between which it does.
/// `along` gives the acceleration of a coordinate at a place.
#[inline(never)]
fn jump_along(
    along: &mut dyn FnMut(usize, f64) -> Option<f64>,
    coordinates: usize,
    reach: f64,
) -> Option<(usize, f64, f64)> {
    let part = reach * (2.0 / PARTS as f64);
    let place = |index: usize| part * index as f64 - reach;
    for coordinate in 0..coordinates {
        let (mut largest, mut change, mut steepest) = (0.0_f64, 0.0, 0);
        let mut before = along(coordinate, place(0))?;
        for index in 0..PARTS {
            let after = along(coordinate, place(index + 1))?;
            largest = largest.max(before.abs()).max(after.abs());
            if (after - before).abs() > change {
                (change, steepest) = ((after - before).abs(), index);
            }
            before = after;
        }
        // Where two neighbours approach each other, the change of a smooth function between them vanishes; that of a jump
        // stays.
        let (mut low, mut high) = (place(steepest), place(steepest + 1));
        let (mut below, mut above) = (along(coordinate, low)?, along(coordinate, high)?);
        for _ in 0..60 {
            let middle = (low + high) * 0.5;
            let between = along(coordinate, middle)?;
            if (between - below).abs() > (above - between).abs() {
                (high, above) = (middle, between);
            } else {
                (low, below) = (middle, between);
            }
        }
        let left = (above - below).abs();
        if left > largest * JUMP && left > change * 0.1 {
            return Some((coordinate, low, high));
        }
    }
    None
}

/// A change between two neighbouring states that is below this part of the component is rounding.
const JUMP: f64 = 1e-6;
