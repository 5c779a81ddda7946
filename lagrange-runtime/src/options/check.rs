//! The checks of options. They see plain numbers, so that they are compiled in this library alone.

use crate::error::Failure;

/// The options of an integration that are numbers.
pub(super) struct Settings<'a> {
    /// The relative and the absolute tolerance of each component, and the number of components.
    pub(super) tolerances: (&'a dyn Fn(usize) -> [f64; 2], usize),
    /// Whether the relative tolerance follows the motion.
    pub(super) follows: bool,
    /// The rounding of the numbers.
    pub(super) rounding: f64,
    /// The largest and the smallest step.
    pub(super) sizes: [f64; 2],
    /// The first step.
    pub(super) first_step: Option<f64>,
    /// The end time, and its distance from the initial time.
    pub(super) ends: [f64; 2],
}

/// The name of a tolerance, and a function that takes it from the two tolerances of a component.
type Kind = (&'static str, fn([f64; 2]) -> f64);

/// Checks every option that is a number.
///
/// # Errors
/// [`Failure::BadOption`] names the first option that makes no sense.
pub(super) fn settings(settings: &Settings<'_>) -> Result<(), Failure> {
    let bad = |option, value, allowed| Err(Failure::BadOption { option, value, allowed });
    let (of, count) = settings.tolerances;
    let (relative, absolute) = (|[rtol, _]: [f64; 2]| rtol, |[_, atol]: [f64; 2]| atol);
    let kinds: [Kind; 2] = [("rtol", relative), ("atol", absolute)];
    for (option, kind) in kinds {
        for index in 0..count {
            let value = kind(of(index));
            if !(value >= 0.0 && value.is_finite()) {
                return bad(option, value, "finite and not negative");
            }
        }
    }
    for index in 0..count {
        let [rtol, atol] = of(index);
        if settings.follows {
            let allowed = "one value, or one for each component; only `atol` can follow the motion";
            return bad("rtol", rtol, allowed);
        }
        if rtol > 0.0 && rtol < settings.rounding {
            return bad("rtol", rtol, "at least the rounding of the numbers (2.2e-16 for f64), or 0");
        }
        if rtol == 0.0 && atol == 0.0 {
            return bad("atol", atol, "positive where `rtol` is 0");
        }
    }
    let [max_step, min_step] = settings.sizes;
    if max_step.is_nan() || max_step <= 0.0 {
        return bad("max_step", max_step, "positive");
    }
    if !(min_step >= 0.0 && min_step <= max_step) {
        return bad("min_step", min_step, "not negative, and at most `max_step`");
    }
    if let Some(first) = settings.first_step
        && !(first > 0.0 && first.is_finite())
    {
        return bad("first_step", first, "positive and finite");
    }
    let [t_end, distance] = settings.ends;
    if !t_end.is_finite() {
        return bad("t_end", t_end, "finite");
    }
    if !distance.is_finite() {
        return bad("t_end", t_end, "at a finite distance from the initial time");
    }
    Ok(())
}
