//! The air drag of the compound double pendulum from its definition: f = −μ (v·n)|v·n| per length, Q_α = ∫ f ∂(r·n)/∂q_α dx.

use lagrange_models::CompoundDoublePendulumWithDrag;
use lagrange_runtime::prelude::*;

/// ∫ w(x)|w(x)| x^power dx for an affine w from `start` to `end` on [0, l]: Simpson's rule is exact on each side of
/// the sign change, where the integrand is a cubic.
fn moment(start: f64, end: f64, l: f64, power: i32) -> f64 {
    let integrand = |x: f64| {
        let w = start + (end - start) * x / l;
        w * w.abs() * x.powi(power)
    };
    let simpson = |a: f64, b: f64| (b - a) / 6.0 * (integrand(a) + 4.0 * integrand(f64::midpoint(a, b)) + integrand(b));
    if start * end < 0.0 {
        let root = l * start / (start - end);
        simpson(0.0, root) + simpson(root, l)
    } else {
        simpson(0.0, l)
    }
}

/// (Q₁, Q₂) by equations (22) to (30) of Zhan Yangping's study.
fn drag_by_definition(p: &CompoundDoublePendulumWithDrag, q: [f64; 2], w: [f64; 2]) -> SVector<f64, 2> {
    let cosine = (q[1] - q[0]).cos();
    let (start, end) = (p.l1 * w[0] * cosine, p.l2 * w[1] + p.l1 * w[0] * cosine);
    let first = moment(0.0, p.l1 * w[0], p.l1, 1);
    SVector::from([-p.mu * (first + p.l1 * cosine * moment(start, end, p.l2, 0)), -p.mu * moment(start, end, p.l2, 1)])
}

fn model() -> CompoundDoublePendulumWithDrag {
    CompoundDoublePendulumWithDrag { l1: 0.9, l2: 1.4, mu: 0.7, ..Default::default() }
}

/// The derived force: what drag adds to the forcing.
fn derived_drag(p: &CompoundDoublePendulumWithDrag, q: [f64; 2], w: [f64; 2]) -> SVector<f64, 2> {
    let forcing = |mu: f64| {
        let system = CompoundDoublePendulumWithDrag { mu, ..p.clone() }.prepare::<f64>().expect("valid");
        system.equations(0.0, &SVector::from(q), &SVector::from(w), &SVector::from([0.0])).forcing
    };
    forcing(p.mu) - forcing(0.0)
}

/// Velocities for which v·n keeps its sign, changes it inside rod 2, vanishes at an end, or vanishes altogether.
const VELOCITIES: [[f64; 2]; 12] = [
    [1.0, 1.0],
    [1.0, -1.0],
    [-1.0, 2.0],
    [2.0, -5.0],
    [-0.3, 0.1],
    [1.0, 0.0],
    [0.0, 1.0],
    [0.0, -3.0],
    [0.0, 0.0],
    [1e-9, -1e-9],
    [1e-160, -1e-160],
    [-4.0, 2.571_428_571_428_571_5],
];

#[test]
fn the_derived_force_is_the_integral() {
    let p = model();
    for angles in [[0.0, 0.0], [0.4, -0.9], [2.0, -1.7], [0.3, 0.3 + std::f64::consts::FRAC_PI_2]] {
        for w in VELOCITIES {
            let (ours, exact) = (derived_drag(&p, angles, w), drag_by_definition(&p, angles, w));
            let scale = 1.0 + exact.norm() + 20.0;
            assert!((ours - exact).norm() < 1e-14 * scale, "{angles:?} {w:?}: {ours} against {exact}");
        }
    }
}

#[test]
fn slopes_are_finite_and_right_at_rest_too() {
    let p = model();
    let system = p.prepare::<f64>().expect("valid");
    let h = 1e-6;
    for w in VELOCITIES {
        let q = [0.4, -0.9];
        let found = system.balance_jacobian(0.0, &SVector::from(q), &SVector::from(w), &SVector::from([0.0]));
        assert!(found.balance_v.iter().chain(found.balance_q.iter()).all(|x| x.is_finite()), "{w:?}");
        for k in 0..2 {
            let mut shifted = [w, w];
            shifted[0][k] += h;
            shifted[1][k] -= h;
            let slope = (drag_by_definition(&p, q, shifted[0]) - drag_by_definition(&p, q, shifted[1])) / (2.0 * h);
            // Without drag, f depends on v through the kinetic energy's slope alone.
            let free = CompoundDoublePendulumWithDrag { mu: 0.0, ..p.clone() }.prepare::<f64>().expect("valid");
            let free = free.balance_jacobian(0.0, &SVector::from(q), &SVector::from(w), &SVector::from([0.0]));
            let ours = (found.balance_v - free.balance_v).column(k).into_owned();
            assert!((ours - slope).norm() < 1e-5, "{w:?} by velocity {k}: {ours} against {slope}");
        }
    }
}

#[test]
fn rest_stays_rest() {
    let system = model().prepare::<f64>().expect("valid");
    let initial = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let solution = solve(&system, initial, 1.0, &Rk4::new(1e-2), &Options::default()).expect("nothing moves");
    let last = solution.last().expect("a finished solution has a last state");
    assert_eq!((last.q, last.v), (SVector::zeros(), SVector::zeros()));
}
