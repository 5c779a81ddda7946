//! Taylor coefficients of the elementary functions, f(x + s) = Σ cₖ sᵏ up to the fifth power.

use super::quadrature;

/// How many coefficients are kept.
pub(crate) const LENGTH: usize = 6;

/// Coefficients of the powers of s.
pub(crate) type Series = [f64; LENGTH];

const FACTORIALS: [f64; LENGTH] = [1.0, 1.0, 2.0, 6.0, 24.0, 120.0];

/// From the derivatives.
fn from_derivatives(derivatives: impl Fn(usize) -> f64) -> Series {
    std::array::from_fn(|k| derivatives(k) / FACTORIALS[k])
}

fn quotient(a: &Series, b: &Series) -> Series {
    let mut c = [0.0; LENGTH];
    for k in 0..LENGTH {
        let rest: f64 = (0..k).map(|i| c[i] * b[k - i]).sum();
        c[k] = (a[k] - rest) / b[0];
    }
    c
}

/// √a, from c² = a.
fn root(a: &Series) -> Series {
    let mut c = [0.0; LENGTH];
    c[0] = a[0].sqrt();
    for k in 1..LENGTH {
        let rest: f64 = (1..k).map(|i| c[i] * c[k - i]).sum();
        c[k] = (a[k] - rest) / (2.0 * c[0]);
    }
    c
}

/// The antiderivative with a given value.
fn antiderivative(value: f64, slope: &Series) -> Series {
    std::array::from_fn(|k| if k == 0 { value } else { slope[k - 1] / k as f64 })
}

/// (x + s)²·factor + constant.
fn square(x: f64, factor: f64, constant: f64) -> Series {
    [constant + factor * x * x, 2.0 * factor * x, factor, 0.0, 0.0, 0.0]
}

/// Sine.
pub(crate) fn sin(x: f64) -> Series {
    let cycle = [x.sin(), x.cos(), -x.sin(), -x.cos()];
    from_derivatives(|k| cycle[k % 4])
}

/// Cosine.
pub(crate) fn cos(x: f64) -> Series {
    from_derivatives(|k| cos_derivative(x, k))
}

fn cos_derivative(x: f64, order: usize) -> f64 {
    [x.cos(), -x.sin(), -x.cos(), x.sin()][order % 4]
}

/// Tangent.
pub(crate) fn tan(x: f64) -> Series {
    quotient(&sin(x), &cos(x))
}

/// Inverse sine.
pub(crate) fn asin(x: f64) -> Series {
    let slope = quotient(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], &root(&square(x, -1.0, 1.0)));
    antiderivative(x.asin(), &slope)
}

/// Inverse cosine.
pub(crate) fn acos(x: f64) -> Series {
    let mut c = asin(x).map(|c| -c);
    c[0] = x.acos();
    c
}

/// Inverse tangent.
pub(crate) fn atan(x: f64) -> Series {
    antiderivative(x.atan(), &quotient(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], &square(x, 1.0, 1.0)))
}

/// The exponential function.
pub(crate) fn exp(x: f64) -> Series {
    from_derivatives(|_| x.exp())
}

/// Hyperbolic sine.
pub(crate) fn sinh(x: f64) -> Series {
    from_derivatives(|k| if k % 2 == 0 { x.sinh() } else { x.cosh() })
}

/// Hyperbolic cosine.
pub(crate) fn cosh(x: f64) -> Series {
    from_derivatives(|k| if k % 2 == 0 { x.cosh() } else { x.sinh() })
}

/// Hyperbolic tangent.
pub(crate) fn tanh(x: f64) -> Series {
    quotient(&sinh(x), &cosh(x))
}

/// The natural logarithm.
pub(crate) fn ln(x: f64) -> Series {
    std::array::from_fn(|k| if k == 0 { x.ln() } else { -(-x).powi(-(k as i32)) / k as f64 })
}

/// x^r for a number r.
pub(crate) fn power(x: f64, r: f64) -> Series {
    let mut binomial = 1.0;
    std::array::from_fn(|k| {
        let coefficient = if binomial == 0.0 { 0.0 } else { binomial * real_power(x, r - k as f64) };
        binomial *= (r - k as f64) / (k + 1) as f64;
        coefficient
    })
}

fn real_power(x: f64, r: f64) -> f64 {
    if r.fract() == 0.0 { x.powi(r as i32) } else { x.powf(r) }
}

/// sin(x)/x; near 0 as ∫₀¹ cos(x s) ds, differentiated under the integral: no difference of large numbers.
pub(crate) fn sinc(x: f64) -> Series {
    if x.abs() > 6.0 {
        return quotient(&sin(x), &[x, 1.0, 0.0, 0.0, 0.0, 0.0]);
    }
    from_derivatives(|k| {
        let integrand = |s: f64| s.powi(k as i32) * cos_derivative(x * s, k);
        quadrature::long().iter().map(|&(s, weight)| weight * integrand(s)).sum()
    })
}
