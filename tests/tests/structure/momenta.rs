//! Momenta of symmetries that act affinely on the coordinates stay to round-off.

use crate::harness::{momentum, run};
use crate::mechanisms::{Cart, Pair};
use lagrange_runtime::prelude::*;

const STEPS: f64 = 2000.0;
const H: f64 = 0.02;

/// What round-off may make of a momentum of about `scale`.
fn allowed(scale: f64) -> f64 {
    10.0 * f64::EPSILON * STEPS.sqrt() * scale
}

/// Both total momenta and the angular momentum.
fn of_pair(system: &dyn System<f64, 4, 0, 0>, state: &State<f64, 4>) -> [f64; 3] {
    let (q, p) = (state.q, momentum(system, state));
    [p[0] + p[2], p[1] + p[3], q[0] * p[1] - q[1] * p[0] + q[2] * p[3] - q[3] * p[2]]
}

/// How far a method moves the momenta of the pair.
fn change<M: Method<f64, 4, 0>>(system: &dyn System<f64, 4, 0, 0>, method: &M) -> f64 {
    let start = State::new(0.0, [0.0, 0.1, 1.3, 0.2], [0.1, -0.4, -0.2, 0.9]);
    let end = run(system, start, H * STEPS, method);
    let (before, after) = (of_pair(system, &start), of_pair(system, &end));
    before.into_iter().zip(after).map(|(before, after)| (after - before).abs()).fold(0.0, f64::max)
}

#[test]
fn rotations_and_translations() {
    let system = Pair { m: 2.0 }.prepare::<f64>().expect("valid");
    // Sums of products of a few units each.
    let allowed = allowed(4.0);
    let kept = |change: f64, name: &str| assert!(change <= allowed, "{name}: {change:e} of {allowed:e}");
    kept(change(&system, &ImplicitMidpoint::new(H)), "midpoint");
    kept(change(&system, &Gauss::<f64, 2>::new(H)), "Gauss 2");
    kept(change(&system, &Gauss::<f64, 3>::new(H).with_iteration(Iteration::FixedPoint)), "Gauss 3");
    kept(change(&system, &Gauss::<f64, 4>::new(H)), "Gauss 4");
    kept(change(&system, &Gauss::<f64, 5>::new(H)), "Gauss 5");
    kept(change(&system, &Gauss::<f64, 6>::new(H)), "Gauss 6");
    kept(change(&system, &VariationalMidpoint::new(H)), "variational midpoint");
    kept(change(&system, &VariationalTrapezoid::new(H)), "variational trapezoid");
    kept(change(&system, &StormerVerlet::new(&system, H)), "Störmer–Verlet");
    kept(change(&system, &SymplecticEuler::new(&system, H)), "symplectic Euler");
    kept(change(&system, &Composition::suzuki(VariationalTrapezoid::new(H))), "Suzuki");
    kept(change(&system, &Composition::kahan_li(StormerVerlet::new(&system, H))), "Kahan and Li");
    assert!(change(&system, &Rk4::new(H)) > 1e4 * allowed);
}

#[test]
fn a_translation_with_a_mass_matrix_that_depends_on_coordinates() {
    let system = Cart { m: 1.5, g: 9.8 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0, 1.1], [0.4, 0.3]);
    let before = momentum(&system, &start)[0];
    let kept = |end: State<f64, 2>, name: &str| {
        let change = (momentum(&system, &end)[0] - before).abs();
        assert!(change <= allowed(before.abs()), "{name}: {change:e}");
    };
    kept(run(&system, start, H * STEPS, &Gauss::<f64, 3>::new(H)), "Gauss 3");
    kept(run(&system, start, H * STEPS, &VariationalMidpoint::new(H)), "variational midpoint");
    kept(run(&system, start, H * STEPS, &VariationalTrapezoid::new(H)), "variational trapezoid");
    let explicit = run(&system, start, H * STEPS, &Rk4::new(H));
    assert!((momentum(&system, &explicit)[0] - before).abs() > 1e4 * allowed(before.abs()));
}
