//! Projection and Baumgarte's stabilisation, compared with methods that drift.

use super::mechanisms::{bead, on_the_wire};
use lagrange_models::{CartesianPendulum, SphericalPendulumCartesian};
use lagrange_runtime::constraint::check;
use lagrange_runtime::prelude::*;

/// How far the end of an integration is off its constraints: g, and the hidden one.
fn off<M, const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    initial: State<f64, N>,
    t_end: f64,
    method: &M,
) -> (f64, f64, State<f64, N>)
where
    M: Method<f64, N, C>,
{
    let solution = match solve(system, initial, t_end, method, &Options::default()) {
        Ok(solution) => solution,
        Err(failed) => panic!("{failed}"),
    };
    let end = solution.last().expect("there are steps");
    let rate = system.constraint_hidden(end.t, &end.q, &end.v, &SVector::zeros()).rate;
    (system.constraint(end.t, &end.q).value.norm(), rate.norm(), end)
}

#[test]
fn every_method_stays_on_the_constraints_when_projected() {
    let model = bead();
    let system = model.prepare::<f64>().expect("valid");
    let initial = on_the_wire(&model, 0.0, 0.9, -1.2);
    let plain = off(&system, initial, 5.0, &Rk4::new(0.02));
    assert!(plain.0 > 1e-7 && plain.1 > 1e-7, "without projection it drifts: {} {}", plain.0, plain.1);
    let projected = off(&system, initial, 5.0, &Projected::new(Rk4::new(0.02)));
    assert!(projected.0 < 1e-15 && projected.1 < 1e-14, "{} {}", projected.0, projected.1);
    let projected = off(&system, initial, 5.0, &Projected::new(Verlet::new(0.01)));
    assert!(projected.0 < 1e-15 && projected.1 < 1e-14);
    let projected = off(&system, initial, 5.0, &Projected::new(Rkf45::new()));
    assert!(projected.0 < 1e-15 && projected.1 < 1e-14);
}

#[test]
fn projection_keeps_the_order() {
    let model = CartesianPendulum::default();
    let system = model.prepare::<f64>().expect("valid");
    let quarter = model.period(std::f64::consts::FRAC_PI_2) / 4.0;
    // At the quarter of the period the bob is at the bottom, with m v²/2 = m g l.
    let exact = State::new(quarter, [0.0, -1.0], [-(2.0 * model.g).sqrt(), 0.0]);
    let error = |steps: u32| {
        let method = Projected::new(Rk4::new(quarter / f64::from(steps)));
        let (_, _, end) = off(&system, CartesianPendulum::released(), quarter, &method);
        (end.q - exact.q).norm() + (end.v - exact.v).norm()
    };
    let (coarse, fine) = (error(20), error(80));
    let order = (coarse / fine).log2() / 2.0;
    assert!((order - 4.0).abs() < 0.3, "order {order}: {coarse} {fine}");
}

#[test]
fn violations_decay_at_baumgartes_rates() {
    let system = SphericalPendulumCartesian::default().prepare::<f64>().expect("valid");
    let good = SphericalPendulumCartesian::pushed();
    let (alpha, beta) = (5.0, 5.0);
    let stabilised = Baumgarte::new(&system, alpha, beta);
    // Started 1e-8 off and at rest in g: critically damped, g = 1e-8 e^(−αt) (1 + α t).
    let start = State::new(0.0, good.q * (1.0 + 1e-8), good.v);
    let end = off(&stabilised, start, 1.0, &Rk4::new(2.5e-4)).2;
    let left = system.constraint(1.0, &end.q).value[0];
    let exact = 1e-8 * (-alpha * 1.0_f64).exp() * (1.0 + alpha);
    assert!((left - exact).abs() < 1e-3 * exact, "{left} against {exact}");
    // On the constraints nothing changes.
    let (u, State { t, q, v }) = (SVector::from([]), good);
    let (same, plain) = (stabilised.acceleration(t, &q, &v, &u), system.acceleration(t, &q, &v, &u));
    let (same, plain) = (same.expect("regular"), plain.expect("regular"));
    assert!((same.acceleration - plain.acceleration).norm() < 1e-13);
    // Drift that builds up without it stays bounded with it.
    assert_eq!(check(&system, &good), Ok(()));
    let drift = off(&system, good, 20.0, &Rk4::new(0.02)).0;
    let held = off(&stabilised, good, 20.0, &Rk4::new(0.02)).0;
    assert!(held < drift / 20.0, "{held} against {drift}");
}

#[test]
fn baumgartes_jacobian_is_exact_on_the_constraints() {
    let model = bead();
    let system = model.prepare::<f64>().expect("valid");
    let stabilised = Baumgarte::new(&system, 3.0, 7.0);
    let State { t, q, v } = on_the_wire(&model, 0.4, 0.9, -1.2);
    let u = SVector::from([0.7]);
    let found = stabilised.acceleration_jacobian(t, &q, &v, &u).expect("regular");
    let at = |t: f64, q: SVector<f64, 3>, v: SVector<f64, 3>| {
        let solved = stabilised.acceleration(t, &q, &v, &u).expect("regular");
        (solved.acceleration, solved.multipliers)
    };
    // Central differences of the formula, with an error of order h², check it independently.
    let h = 1e-5;
    let slope = |plus: (SVector<f64, 3>, SVector<f64, 2>), minus: (SVector<f64, 3>, SVector<f64, 2>)| {
        ((plus.0 - minus.0) / (2.0 * h), (plus.1 - minus.1) / (2.0 * h))
    };
    for k in 0..3 {
        let e = SVector::<f64, 3>::from_fn(|i, _| if i == k { h } else { 0.0 });
        let by_q = slope(at(t, q + e, v), at(t, q - e, v));
        let by_v = slope(at(t, q, v + e), at(t, q, v - e));
        assert!((found.acceleration_q.column(k) - by_q.0).norm() < 1e-6, "{k}");
        assert!((found.multipliers_q.column(k) - by_q.1).norm() < 1e-6, "{k}");
        assert!((found.acceleration_v.column(k) - by_v.0).norm() < 1e-6, "{k}");
        assert!((found.multipliers_v.column(k) - by_v.1).norm() < 1e-6, "{k}");
    }
    let by_t = slope(at(t + h, q, v), at(t - h, q, v));
    assert!((found.acceleration_t - by_t.0).norm() < 1e-6 && (found.multipliers_t - by_t.1).norm() < 1e-6);
}
