//! The functions are compared to 240-bit values, at arguments that are not doubles.

use super::DoubleDouble;
use crate::scalar::Scalar;
use crate::scalar::reference::{Numbers, exact};
use dashu_float::FBig;

fn wide(x: DoubleDouble) -> FBig {
    exact(x.high()) + exact(x.low())
}

/// Returns numbers of 31 digits in (−`size`, `size`).
fn numbers(seed: u64, size: f64) -> impl Iterator<Item = DoubleDouble> {
    Numbers(seed)
        .zip(Numbers(seed + 1000))
        .take(300)
        .map(move |(high, low)| DoubleDouble::new(high * size, low * high * size * 1e-16))
}

/// Returns the error relative to the exact value.
fn relative(result: DoubleDouble, exact_value: &FBig) -> f64 {
    ((wide(result) - exact_value) / exact_value).to_f64().value().abs()
}

macro_rules! check {
    ($arguments:expr, $limit:literal, $function:expr, $reference:expr) => {
        for x in $arguments {
            let error = relative($function(x), &$reference(wide(x)));
            assert!(error < $limit, "{} at {x:?}: {error:e}", stringify!($function));
        }
    };
}

#[test]
fn arithmetic() {
    for (a, b) in numbers(1, 10.0).zip(numbers(2, 0.1)) {
        let limit = DoubleDouble::EPSILON;
        assert!(relative(a + b, &(wide(a) + wide(b))) < limit);
        assert!(relative(a - b, &(wide(a) - wide(b))) < limit);
        assert!(relative(a * b, &(wide(a) * wide(b))) < limit);
        assert!(relative(a / b, &(wide(a) / wide(b))) < limit);
        assert!(relative(a.abs().sqrt(), &wide(a.abs()).sqrt()) < limit);
        assert_eq!((a - a, a / a), (DoubleDouble::ZERO, DoubleDouble::ONE));
    }
}

#[test]
fn elementary_functions() {
    check!(numbers(3, 100.0), 1e-29, Scalar::exp, |x: FBig| x.exp());
    check!(numbers(4, 100.0).map(Scalar::abs), 1e-29, Scalar::ln, |x: FBig| x.ln());
    check!(numbers(5, 100.0), 1e-30, Scalar::sin, |x: FBig| x.sin());
    check!(numbers(6, 100.0), 1e-30, Scalar::cos, |x: FBig| x.cos());
    check!(numbers(7, 1.5), 1e-30, Scalar::tan, |x: FBig| x.tan());
    check!(numbers(8, 1.0), 1e-30, Scalar::asin, |x: FBig| x.asin());
    check!(numbers(9, 1.0), 1e-30, Scalar::acos, |x: FBig| x.acos());
    check!(numbers(10, 20.0), 1e-30, Scalar::atan, |x: FBig| x.atan());
    check!(numbers(11, 3.0), 1e-30, Scalar::sinh, |x: FBig| x.sinh());
    check!(numbers(12, 3.0), 1e-30, Scalar::cosh, |x: FBig| x.cosh());
    check!(numbers(13, 3.0), 1e-30, Scalar::tanh, |x: FBig| x.tanh());
    check!(numbers(14, 3.0), 1e-30, Scalar::cbrt, |x: FBig| x.nth_root(3));
    check!(numbers(15, 1e-8), 1e-30, Scalar::sinh, |x: FBig| x.sinh());
}

#[test]
fn functions_of_two_arguments() {
    for (a, b) in numbers(16, 3.0).zip(numbers(17, 2.0)) {
        assert!(relative(a.atan2(b), &wide(a).atan2(&wide(b))) < 1e-30);
        assert!(relative(a.hypot(b), &wide(a).hypot(&wide(b))) < 1e-30);
        assert!(relative(a.abs().powf(b), &wide(a.abs()).powf(&wide(b))) < 1e-29);
    }
}

#[test]
fn whole_parts_see_the_lower_half() {
    for x in numbers(18, 1e4) {
        assert_eq!(wide(x.floor()), wide(x).floor(), "{x:?}");
    }
    let below = DoubleDouble::new(3.0, -1e-20);
    assert_eq!((below.floor().to_f64(), DoubleDouble::new(3.0, 1e-20).floor().to_f64()), (2.0, 3.0));
    for (x, divisor) in numbers(19, 1e3).zip(numbers(20, 3.0)) {
        let turns = (wide(x) / wide(divisor)).floor();
        let rest = wide(x) - turns * wide(divisor);
        let error = (wide(x.modulo(divisor)) - rest).to_f64().value().abs();
        assert!(error < 1e-27, "{x:?} {divisor:?}: {error:e}");
    }
}

#[test]
fn values_near_the_ends_of_the_range() {
    let large = DoubleDouble::from_f64(1e300);
    assert_eq!(large.hypot(DoubleDouble::ZERO), large);
    assert_eq!((large * large).to_f64(), f64::INFINITY);
    assert_eq!((DoubleDouble::from_f64(f64::INFINITY) - large).to_f64(), f64::INFINITY);
    assert_eq!((DoubleDouble::ONE / DoubleDouble::from_f64(f64::INFINITY)).to_f64(), 0.0);
    assert_eq!(DoubleDouble::ZERO.recip().to_f64(), f64::INFINITY);
    assert_eq!(DoubleDouble::from_f64(800.0).exp().to_f64(), f64::INFINITY);
    assert_eq!(DoubleDouble::from_f64(-800.0).exp().to_f64(), 0.0);
    assert_eq!(DoubleDouble::from_f64(-800.0).tanh().to_f64(), -1.0);
    assert_eq!(DoubleDouble::ZERO.ln().to_f64(), f64::NEG_INFINITY);
    let undefined = [DoubleDouble::from_f64(-1.0).sqrt(), DoubleDouble::from_f64(2.0).asin(), large.sin()];
    assert!(undefined.into_iter().all(|value| value.to_f64().is_nan()));
}

#[test]
fn angles_on_the_axes() {
    let (one, zero) = (DoubleDouble::ONE, DoubleDouble::ZERO);
    let pi = DoubleDouble::from_parts(core::f64::consts::PI, 1.2246467991473532e-16);
    assert_eq!((zero.atan2(one), zero.atan2(-one)), (zero, pi));
    assert!(relative(one.atan2(zero), &(wide(pi) / exact(2.0))) < 1e-31);
    assert_eq!(zero.atan2(zero), zero);
}

#[test]
fn powers_of_integers_are_products() {
    let x = DoubleDouble::from_f64(-3.0);
    assert_eq!(x.powf(DoubleDouble::from_f64(3.0)), DoubleDouble::from_f64(-27.0));
    assert_eq!(DoubleDouble::ZERO.powf(DoubleDouble::ZERO), DoubleDouble::ONE);
    assert_eq!(DoubleDouble::ZERO.powf(DoubleDouble::from_f64(0.5)), DoubleDouble::ZERO);
    assert!(x.powf(DoubleDouble::from_f64(0.5)).to_f64().is_nan());
}

#[test]
fn a_constant_keeps_its_second_part() {
    let tenth = DoubleDouble::from_parts(0.1, -5.551115123125783e-18);
    assert!((tenth * DoubleDouble::from_f64(10.0) - DoubleDouble::ONE).abs().to_f64() < DoubleDouble::EPSILON);
    assert!(tenth < DoubleDouble::from_f64(0.1));
}

#[test]
fn the_derivatives_of_sinc_have_all_digits() {
    for x in numbers(18, 9.0) {
        let (sine, cosine) = (wide(x).sin(), wide(x).cos());
        let slope = (&cosine - &sine / wide(x)) / wide(x);
        let error = (wide(x.sinc(1)) - slope).to_f64().value().abs();
        assert!(error < 1e-31, "{x:?}: {error:e}");
    }
}
