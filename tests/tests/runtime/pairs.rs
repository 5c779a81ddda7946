//! The embedded pairs: orders of steps and interpolants in about 31 digits, errors in proportion to tolerances, and
//! agreement with each other.

use crate::common::{self, Counted, compound_pendulum, distance, regression, slopes};
use lagrange_runtime::control::ToleranceLaw;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::DoubleDouble;

fn dd(value: f64) -> DoubleDouble {
    DoubleDouble::from_f64(value)
}

fn start() -> State<DoubleDouble, 2> {
    State::new(dd(0.0), [dd(0.7), dd(1.3)], [dd(1.0), dd(0.0)])
}

/// The solution with steps of one size, whatever the error.
fn fixed<M: Method<DoubleDouble, 2, 0>>(method: &M, t_end: DoubleDouble, count: u32) -> Solution<DoubleDouble, 2> {
    let h = t_end / dd(f64::from(count));
    let loose = Tolerance::Uniform(dd(1e30));
    let options = Options {
        rtol: loose,
        atol: loose,
        first_step: Some(h),
        max_step: h,
        dense_output: true,
        ..Options::default()
    };
    solve(&compound_pendulum(), start(), t_end, method, &options).unwrap()
}

fn apart(a: &State<DoubleDouble, 2>, b: &State<DoubleDouble, 2>) -> f64 {
    (0..2).map(|i| (a.q[i] - b.q[i]).to_f64().abs().max((a.v[i] - b.v[i]).to_f64().abs())).fold(0.0, f64::max)
}

#[track_caller]
fn assert_orders<M: Method<DoubleDouble, 2, 0>>(method: &M, counts: [u32; 3], order: f64, interpolant: f64) {
    const END: f64 = 0.3;
    let reference = fixed(&Verner9::new(), dd(END), 400).last().unwrap();
    let ends =
        counts.map(|count| (END / f64::from(count), apart(&fixed(method, dd(END), count).last().unwrap(), &reference)));
    for slope in slopes(&ends) {
        assert!((slope - order).abs() < 0.25, "the step: {slope} instead of {order}: {ends:?}");
    }
    // Within the first step, whose start is exact: one order more than the interpolant's.
    let inside = counts.map(|count| {
        let h = END / f64::from(count);
        let solution = fixed(method, dd(h), 1);
        let worst = [0.21, 0.47, 0.83]
            .map(|part| {
                let t = dd(part) * dd(h);
                let exact = fixed(&Verner9::new(), t, 8).last().unwrap();
                apart(&solution.sample(t).unwrap(), &exact)
            })
            .into_iter()
            .fold(0.0, f64::max);
        (h, worst)
    });
    for slope in slopes(&inside) {
        assert!((slope - interpolant - 1.0).abs() < 0.35, "the interpolant: {slope}: {inside:?}");
    }
}

#[test]
fn orders_of_the_low_pairs() {
    assert_orders(&BogackiShampine3::new(), [40, 80, 160], 3.0, 3.0);
    assert_orders(&DormandPrince5::new(), [80, 160, 320], 5.0, 4.0);
    assert_orders(&Tsitouras5::new(), [80, 160, 320], 5.0, 4.0);
}

#[test]
fn orders_of_the_high_pairs() {
    assert_orders(&Verner6::new(), [200, 400, 800], 6.0, 6.0);
    assert_orders(&Dop853::new(), [40, 80, 160], 8.0, 7.0);
    assert_orders(&Verner9::new(), [20, 40, 80], 9.0, 8.0);
}

fn at_tolerance<M: Method<f64, 2, 0>>(method: &M, tolerance: f64) -> State<f64, 2> {
    let options = Options { rtol: tolerance.into(), atol: tolerance.into(), ..Options::default() };
    let start = State::new(0.0, [0.7, 1.3], [1.0, 0.0]);
    solve(&compound_pendulum(), start, 5.0, method, &options).unwrap().last().unwrap()
}

/// The slope of log error against log tolerance, by least squares.
fn exponent<M: Method<f64, 2, 0>>(method: &M, decades: std::ops::RangeInclusive<i32>) -> f64 {
    let exact = at_tolerance(&Verner9::new(), 1e-14);
    let points: Vec<(f64, f64)> = decades
        .map(|decade| (-f64::from(decade), distance(&at_tolerance(method, 10.0_f64.powi(-decade)), &exact).log10()))
        .collect();
    regression(&points)
}

#[test]
fn errors_are_in_proportion_to_tolerances() {
    let near = |found: f64, stated: f64| assert!((found - stated).abs() <= 0.15, "{found} instead of {stated}");
    // The estimate goes with h^k, the error with h^p: the exponent is p/k.
    near(exponent(&BogackiShampine3::new(), 3..=8), 1.0);
    near(exponent(&DormandPrince5::new(), 4..=11), 1.0);
    near(exponent(&Tsitouras5::new(), 4..=11), 1.0);
    near(exponent(&Rkf45::new(), 4..=11), 0.8);
    // Its principal error is so small that longer steps see the terms after it.
    let verner6 = common::exponent(&compound_pendulum(), start(), 0.5, &Verner6::new(), &Verner9::new(), 14..=21);
    near(verner6, 1.0);
    near(exponent(&Dop853::new(), 3..=12), 1.0);
    near(exponent(&Verner9::new(), 3..=12), 1.0);
}

#[test]
fn the_rounding_of_large_coefficients_is_no_floor() {
    // Verner's 6(5) has coefficients of 200: summed as they stand, their rounding leaves 1e-10 here, whatever the tolerance.
    let exact = at_tolerance(&Verner9::new(), 1e-14);
    let found = distance(&at_tolerance(&Verner6::new(), 1e-14), &exact);
    assert!(found < 1e-12, "{found:e}");
}

#[test]
fn methods_agree() {
    let reference = at_tolerance(&Verner9::new(), 1e-13);
    for state in [
        at_tolerance(&DormandPrince5::new(), 1e-12),
        at_tolerance(&Tsitouras5::new().with_law(ToleranceLaw::Elementary), 1e-12),
        at_tolerance(&Verner6::new().with_law(ToleranceLaw::ProportionalIntegralDerivative), 1e-12),
        at_tolerance(&Dop853::new(), 1e-12),
    ] {
        assert!(distance(&state, &reference) < 1e-9, "{:e}", distance(&state, &reference));
    }
}

#[test]
fn evaluations_are_what_the_stages_say() {
    let options =
        Options { rtol: 1e9.into(), atol: 1e9.into(), first_step: Some(0.1), max_step: 0.1, ..Options::default() };
    let start = State::new(0.0, [0.7, 1.3], [1.0, 0.0]);
    let counts = |a_step: u64, once: u64, dense: u64, run: &dyn Fn(&Options<'_, f64, 2>) -> Statistics| {
        let plain = run(&options);
        assert_eq!((plain.steps, plain.rejected, plain.evaluations), (10, 0, 10 * a_step + once));
        let interpolated = run(&Options { dense_output: true, ..options });
        assert_eq!(interpolated.evaluations, plain.evaluations + dense);
    };
    macro_rules! count {
        ($method:expr, $a_step:expr, $once:expr, $dense:expr) => {
            counts($a_step, $once, $dense, &|options| {
                let system = Counted::new(compound_pendulum());
                let statistics = solve(&system, start, 1.0, &$method, options).unwrap().statistics;
                assert_eq!(system.evaluations(), statistics.evaluations);
                statistics
            });
        };
    }
    count!(BogackiShampine3::new(), 3, 1, 0);
    count!(Tsitouras5::new(), 6, 1, 0);
    count!(Verner6::new(), 8, 1, 30);
    // The end of the last step is evaluated for the interpolant alone.
    count!(Dop853::new(), 12, 0, 31);
    count!(Verner9::new(), 16, 0, 51);
}
