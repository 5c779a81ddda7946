//! The error of the derivatives that dual numbers carry along a motion.

use super::NoiseOfDerivatives;
use crate::options::{Options, out_of_reach};
use crate::scalar::{Real, Scalar};
use crate::state::{Difference, State};

/// The relative tolerance of a derivative where the relative tolerance of its component is 0 and the component does not move. It is the
/// default of [`Options::rtol`].
const RELATIVE: f64 = 1e-6;

/// Returns the mean square of the errors of the derivatives, each divided by its tolerance: the largest one over the variables by which is
/// differentiated. Without derivatives it is 0. The hidden coordinates of the last `states` velocities do not count.
///
/// A derivative has the unit of its component over that of its variable, so that the absolute tolerance of the component means nothing
/// for it. The derivatives by one variable are judged by what they have reached. Let δqᵢ and δvᵢ be their largest values at the ends of the
/// step of size h, Δδvᵢ the change of δvᵢ in it, wᵢ the tolerance of the motion in coordinate i, and r its relative tolerance. Then the
/// tolerances are
///
/// ```text
/// max(r max(δqᵢ, h δvᵢ), ρ wᵢ n),    max(r max(δvᵢ, √(δqᵢ Δδvᵢ/h)), ρ wᵢ n/h),
/// n = max over i of max(δqᵢ, h δvᵢ)/wᵢ,    ρ = max(r², a few roundings).
/// ```
///
/// √(δqᵢ Δδvᵢ/h) is the velocity that an oscillation has a quarter of a period later. A component below the fraction r of the whole, n, is
/// judged by the whole. All this scales with the variable, with each component, and with the time.
///
/// If a motion does not depend on a variable, its derivatives are rounding, and their own size is no measure of their errors. An error that the `noise`
/// of the accelerations explains is within its tolerance.
pub(crate) fn derivative_square<R: Real, const N: usize>(
    options: &Options<'_, R, N>,
    (start, end): (&State<R, N>, &State<R, N>),
    difference: &Difference<R, N>,
    (noise, states): (Option<&NoiseOfDerivatives<R, N>>, usize),
) -> f64 {
    (0..R::DERIVATIVES).map(|k| Column { options, start, end, states, noise, k }.square(difference)).fold(0.0, larger)
}

/// Returns what [`derivative_square`] is for the estimate ε₁²/√(ε₁² + ε₂²/100), from the differences with the norms ε₁ and ε₂.
pub(crate) fn combined_derivative_square<R: Real, const N: usize>(
    options: &Options<'_, R, N>,
    (start, end): (&State<R, N>, &State<R, N>),
    [first, second]: &[Difference<R, N>; 2],
    (noise, states): (Option<&NoiseOfDerivatives<R, N>>, usize),
) -> f64 {
    let of_column = |k| {
        let column = Column { options, start, end, states, noise, k };
        let (first, second) = (column.square(first), column.square(second));
        if first == 0.0 { 0.0 } else { first * (first / (first + 0.01 * second)) }
    };
    (0..R::DERIVATIVES).map(of_column).fold(0.0, larger)
}

/// Returns the larger number. NaN counts as larger than any number.
fn larger(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// The derivatives by the variable `k` at both ends of a step.
struct Column<'a, 'o, R: Real, const N: usize> {
    options: &'a Options<'o, R, N>,
    start: &'a State<R, N>,
    end: &'a State<R, N>,
    states: usize,
    noise: Option<&'a NoiseOfDerivatives<R, N>>,
    k: usize,
}

impl<R: Real, const N: usize> Column<'_, '_, R, N> {
    /// The mean square of the errors, each divided by its tolerance, over the components that depend on the variable.
    fn square(&self, difference: &Difference<R, N>) -> f64 {
        let h = (self.end.t - self.start.t).to_f64().abs();
        let whole = (0..N).map(|i| self.block(i, h) / self.weight(i, h)).fold(0.0, larger);
        let (mut sum, mut count) = (0.0, 0.0_f64);
        for i in 0..N {
            let ((q, v), least) = (self.sizes(i), self.weight(i, h) * whole);
            let change = (self.start.v[i].derivative(self.k) - self.end.v[i].derivative(self.k)).abs();
            let swing = larger(v, Scalar::sqrt(q * (change / h)));
            let noise = self.noise.map_or(0.0, |noise| noise.part(i, self.k, h));
            let mut add = |error: R, size: f64, [least, noise]: [f64; 2], relative: f64| {
                let tolerance = larger(larger(relative * size, noise), larger(relative * relative, reach()) * least);
                let error = error.derivative(self.k);
                if error != 0.0 {
                    sum += (error / tolerance) * (error / tolerance);
                }
                count += f64::from(u8::from(error != 0.0 || size != 0.0));
            };
            let [q_relative, v_relative] = self.relative(i);
            if i + self.states < N {
                add(difference.q[i], larger(q, h * v), [least, h * noise], q_relative);
            }
            add(difference.v[i], swing, [least / h, noise], v_relative);
        }
        sum / count.max(1.0)
    }

    /// The largest magnitudes of the derivatives of coordinate `i` and of its velocity. That of a hidden coordinate is 0.
    fn sizes(&self, i: usize) -> (f64, f64) {
        let of = |a: R, b: R| larger(a.derivative(self.k).abs(), b.derivative(self.k).abs());
        let q = if i + self.states < N { of(self.start.q[i], self.end.q[i]) } else { 0.0 };
        (q, of(self.start.v[i], self.end.v[i]))
    }

    /// max(δqᵢ, h δvᵢ).
    fn block(&self, i: usize, h: f64) -> f64 {
        let (q, v) = self.sizes(i);
        larger(q, h * v)
    }

    /// The largest magnitudes of coordinate `i` and of its velocity.
    fn reached(&self, i: usize) -> [f64; 2] {
        let of = |a: R, b: R| larger(a.to_f64().abs(), b.to_f64().abs());
        [of(self.start.q[i], self.end.q[i]), of(self.start.v[i], self.end.v[i])]
    }

    /// wᵢ, the tolerance of the motion in coordinate i. Where it is 0, the unit of the coordinate replaces it.
    fn weight(&self, i: usize, h: f64) -> f64 {
        let ([q, v], Options { rtol, atol, .. }) = (self.reached(i), self.options);
        let q = atol.of_coordinate(i).to_f64() + rtol.of_coordinate(i).to_f64() * q;
        let v = atol.of_velocity(i).to_f64() + rtol.of_velocity(i).to_f64() * v;
        let weight = larger(q, h * v);
        if weight > 0.0 { weight } else { 1.0 }
    }

    /// The relative tolerances of the derivatives of coordinate `i` and of its velocity. Where the relative tolerance is 0, it is the
    /// absolute tolerance over what the component has reached.
    fn relative(&self, i: usize) -> [f64; 2] {
        let ([q, v], Options { rtol, atol, .. }) = (self.reached(i), self.options);
        let of = |rtol: R, atol: R, reached: f64| {
            let rtol = if rtol.to_f64() > 0.0 { rtol.to_f64() } else { (atol.to_f64() / reached).min(RELATIVE) };
            larger(rtol, reach())
        };
        [of(rtol.of_coordinate(i), atol.of_coordinate(i), q), of(rtol.of_velocity(i), atol.of_velocity(i), v)]
    }
}

/// The least relative tolerance that has an effect.
fn reach() -> f64 {
    out_of_reach::<f64>()
}
