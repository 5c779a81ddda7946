//! Interpolants for methods without an interpolant of their own. They are computed from accelerations at states of a simpler
//! interpolant.

use crate::dense::{Form, Interpolant, MAX_DEGREE, Polynomial};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::{Difference, State};
use crate::tableau::acceleration_fit::{BASIS, NODES, POINTS};
use nalgebra::SVector;

/// The degree of the polynomial for q in θ.
const DEGREE: usize = NODES + 1;

/// Returns Hermite's interpolant of the step, refined `passes` times.
///
/// A pass evaluates the acceleration at four interior points of the current interpolant. The polynomial through these four and
/// the accelerations at both ends is integrated twice and gives the next interpolant. A pass raises the order of q and v by one,
/// or by two if accelerations do not depend on v. The highest orders are 8 for q and 7 for v. If `resting` is true, the
/// evaluations take v = 0.
pub(super) fn refined<E, R, const N: usize, const C: usize>(
    evaluator: &mut E,
    start: (&State<R, N>, &SVector<R, N>),
    end: (&State<R, N>, &SVector<R, N>),
    passes: u32,
    resting: bool,
) -> Result<Interpolant<R, N>, Failure>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    let mut interpolant = super::hermite(start, end).without_hidden(evaluator.state_count());
    let h = end.0.t - start.0.t;
    if h == R::ZERO {
        return Ok(interpolant);
    }
    let mut slopes = [*start.1; NODES];
    slopes[NODES - 1] = *end.1;
    for _ in 0..passes {
        for (slope, point) in slopes.iter_mut().zip(&POINTS).take(NODES - 1).skip(1) {
            let State { t, q, v } = interpolant.between(start.0.t + point.value::<R>() * h);
            *slope = evaluator.acceleration(t, q, if resting { SVector::repeat(R::ZERO) } else { v })?;
        }
        interpolant = Interpolant::new(*start.0, *end.0, Form::Polynomial(integrated(start.0, h, &slopes)));
        interpolant = interpolant.joining_ends();
    }
    Ok(interpolant)
}

/// The points at which the defect of an interpolant is evaluated, as fractions of the step.
const BETWEEN: [f64; 2] = [0.25, 0.75];

/// The largest error of the velocity divided by h times the largest defect at these points. The value holds if the interpolation
/// of the acceleration is the only source of error.
const DEFECT_PART: f64 = 0.25;

/// Estimates the error of a refined interpolant between its ends. The estimate is proportional to h times the largest defect of
/// each component at points between the nodes. The defect is the residual of the equations: q̇ − v and v̇ − a(t, q, v).
pub(super) fn defect<E, R, const N: usize, const C: usize>(
    evaluator: &mut E,
    interpolant: &Interpolant<R, N>,
) -> Result<Difference<R, N>, Failure>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    let mut largest = Difference { q: SVector::repeat(R::ZERO), v: SVector::repeat(R::ZERO) };
    let Form::Polynomial(polynomial) = interpolant.form() else { return Ok(largest) };
    let scale = polynomial.length * R::from_f64(DEFECT_PART);
    for part in BETWEEN {
        let State { t, q, v } = interpolant.between(polynomial.start.t + polynomial.length * R::from_f64(part));
        let a = evaluator.acceleration(t, q, v)?;
        let [speed, slope] = polynomial.derivative(t);
        let larger = |most: &SVector<R, N>, missed: SVector<R, N>| {
            most.zip_map(&missed, |most, missed| most.max((missed * scale).abs()))
        };
        largest = Difference { q: larger(&largest.q, speed - v), v: larger(&largest.v, slope - a) };
    }
    Ok(largest)
}

/// Integrates the polynomial through the accelerations `slopes` twice, from the state `start`. The large weights multiply the differences from
/// the first acceleration, so that they do not multiply its rounding: the polynomials of the basis sum to 1.
fn integrated<R: Real, const N: usize>(start: &State<R, N>, h: R, slopes: &[SVector<R, N>; NODES]) -> Polynomial<R, N> {
    let none = [SVector::repeat(R::ZERO); MAX_DEGREE];
    let mut polynomial = Polynomial { start: *start, length: h, q: none, v: none, degree: DEGREE };
    let first = slopes[0];
    (polynomial.q[0], polynomial.q[1], polynomial.v[0]) = (start.v, first * (h * R::from_f64(0.5)), first);
    for (row, slope) in BASIS.iter().zip(slopes).skip(1) {
        let change = slope - first;
        for (power, weight) in row.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
            let once = weight.value::<R>() / R::from_f64((power + 1) as f64);
            polynomial.v[power] += change * once;
            polynomial.q[power + 1] += change * (once * h / R::from_f64((power + 2) as f64));
        }
    }
    polynomial
}
