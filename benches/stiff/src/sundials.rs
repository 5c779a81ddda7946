//! CVODE, and IDA for equations with an algebraic part.

use crate::curve::Curve;
use crate::equations::Equations;
#[cfg(sundials)]
use std::ffi::c_void;

/// What `sundials.c` integrates.
#[cfg(sundials)]
#[repr(C)]
struct Passed {
    owner: *const c_void,
    rates: unsafe extern "C" fn(*const c_void, f64, *const f64, *mut f64),
    jacobian: unsafe extern "C" fn(*const c_void, f64, *const f64, *mut f64),
    mass: *const f64,
    size: i32,
}

#[cfg(sundials)]
unsafe extern "C" {
    fn lagrange_sundials(equations: Passed, end: f64, y: *mut f64, slope: *mut f64, rtol: f64, atol: f64) -> f64;
}

/// # Safety
/// `owner` points at a reference to equations, and the others at as many numbers as these have.
#[cfg(sundials)]
unsafe extern "C" fn rates(owner: *const c_void, t: f64, y: *const f64, rates: *mut f64) {
    // SAFETY: as stated above.
    unsafe {
        let owner = *owner.cast::<&dyn Equations>();
        let size = owner.size();
        owner.rates(t, std::slice::from_raw_parts(y, size), std::slice::from_raw_parts_mut(rates, size));
    }
}

/// # Safety
/// `owner` points at a reference to equations, `y` at as many numbers as these have, and `columns` at the square of that.
#[cfg(sundials)]
unsafe extern "C" fn jacobian(owner: *const c_void, t: f64, y: *const f64, columns: *mut f64) {
    // SAFETY: as stated above.
    unsafe {
        let owner = *owner.cast::<&dyn Equations>();
        let size = owner.size();
        let columns = std::slice::from_raw_parts_mut(columns, size * size);
        owner.jacobian(t, std::slice::from_raw_parts(y, size), columns);
    }
}

/// The curve of CVODE or IDA.
#[cfg(sundials)]
pub(crate) fn curves(
    equations: &dyn Equations,
    (start, end): (&[f64], f64),
    error: impl Fn(&[f64]) -> f64,
) -> Vec<Curve> {
    let mass = equations.mass();
    let name = if mass.is_some() { "IDA" } else { "CVODE" };
    vec![Curve::measure(name, |rtol| {
        let mut y = start.to_vec();
        // The rates of the algebraic part are guessed as 0.
        let mut slope = vec![0.0; y.len()];
        if let Some(mass) = &mass {
            equations.rates(0.0, &y, &mut slope);
            slope
                .iter_mut()
                .zip(mass)
                .for_each(|(slope, mass)| *slope = if *mass == 0.0 { 0.0 } else { *slope / mass });
        }
        let passed = Passed {
            owner: std::ptr::from_ref(&equations).cast(),
            rates,
            jacobian,
            mass: mass.as_ref().map_or(std::ptr::null(), Vec::as_ptr),
            size: i32::try_from(y.len()).ok()?,
        };
        // SAFETY: the pointers stay valid during the call, and have the sizes that `sundials.c` expects.
        let seconds = unsafe { lagrange_sundials(passed, end, y.as_mut_ptr(), slope.as_mut_ptr(), rtol, rtol * 1e-6) };
        (seconds >= 0.0).then(|| (error(&y), seconds))
    })]
}

/// No curve: SUNDIALS is not installed.
#[cfg(not(sundials))]
pub(crate) fn curves(_: &dyn Equations, _: (&[f64], f64), _: impl Fn(&[f64]) -> f64) -> Vec<Curve> {
    Vec::new()
}
