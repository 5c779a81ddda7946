//! Accelerations and motions against exact solutions; singular mass matrices that constraints make regular.

use super::mechanisms::{Bead, Blade, Disc, Lever, Quaternion, bead, on_the_wire};
use lagrange_runtime::nalgebra::ArrayStorage;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::{DoubleDouble, Lanes};

const NONE: SVector<f64, 0> = SVector::from_array_storage(ArrayStorage([[]]));

#[test]
fn a_bead_on_a_turning_wire_has_its_angles_acceleration() {
    let model = Bead { c: 0.0, push: 0.0, ..bead() };
    let system = model.prepare::<f64>().expect("valid");
    let (t, angle, rate) = (0.3, 1.1_f64, 0.8);
    let State { q, v, .. } = on_the_wire(&model, t, angle, rate);
    let found = system.acceleration(t, &q, &v, &SVector::from([0.0])).expect("regular").acceleration;
    // z = −r cos θ.
    let turning = model.w * model.w * angle.sin() * angle.cos() - model.g / model.r * angle.sin();
    let rising = model.r * (angle.sin() * turning + angle.cos() * rate * rate);
    assert!((found[2] - rising).abs() < 1e-13 * 20.0, "{} against {rising}", found[2]);
}

#[test]
fn a_blade_slides_along_a_cycloid() {
    let model = Blade { m: 1.3, i: 0.4, g: 9.81, slope: 0.3 };
    let system = model.prepare::<f64>().expect("valid");
    let w = 1.4;
    let pull = model.g * model.slope.sin();
    // x = (g sin α/2ω²) sin² ωt, y = (g sin α/2ω²)(ωt − sin 2ωt/2), φ = ωt.
    let exact = |t: f64| {
        let size = pull / (2.0 * w * w);
        let (sin, cos) = (w * t).sin_cos();
        let q = [size * sin * sin, size * (w * t - sin * cos), w * t];
        State::new(t, q, [size * w * 2.0 * sin * cos, size * w * 2.0 * sin * sin, w])
    };
    let state = exact(0.7);
    let found = system.acceleration(0.7, &state.q, &state.v, &NONE).expect("regular");
    let (sin2, cos2) = (2.0 * w * 0.7_f64).sin_cos();
    let acceleration = SVector::from([pull * cos2, pull * sin2, 0.0]);
    assert!((found.acceleration - acceleration).norm() < 1e-14 * 20.0, "{}", found.acceleration);
    let solution = solve(&system, exact(0.0), 3.0, &Rk4::new(1e-3), &Options::default()).expect("regular");
    let last = solution.last().expect("there are steps");
    assert!((last.q - exact(3.0).q).norm() < 1e-10, "{}", last.q);
}

#[test]
fn a_disc_on_a_belt_meets_its_rolling_condition() {
    let model = Disc { m: 2.0, i: 0.3, j: 0.5, r: 0.4, speed: 0.0 };
    let system = model.prepare::<f64>().expect("valid");
    let (turn, spin) = (0.9, 3.0);
    // At constant rates the centre goes round a circle of radius r spin/turn.
    let exact = |t: f64| {
        let (sin, cos) = (turn * t).sin_cos();
        let size = model.r * spin / turn;
        State::new(t, [size * sin, -size * cos, turn * t, spin * t], [size * turn * cos, size * turn * sin, turn, spin])
    };
    let solution = solve(&system, exact(0.0), 2.0, &Rk4::new(1e-3), &Options::default()).expect("regular");
    assert!((solution.last().expect("there are steps").q - exact(2.0).q).norm() < 1e-11);

    // On a belt that gathers speed at rate c, the roll's equation is (j + m r²) φ̈ = −m r c cos θ.
    let moving = Disc { speed: 0.8, ..model.clone() }.prepare::<f64>().expect("valid");
    let State { q, v, .. } = exact(0.5);
    let v = v + SVector::from([0.8 * 0.5, 0.0, 0.0, 0.0]);
    let found = moving.acceleration(0.5, &q, &v, &NONE).expect("regular").acceleration;
    let rolling = -model.m * model.r * 0.8 * (turn * 0.5_f64).cos() / (model.j + model.m * model.r * model.r);
    assert!((found[3] - rolling).abs() < 1e-14 && found[2].abs() < 1e-14, "{found}");
}

/// The angular velocity of a quaternion's rate, in the body's frame.
fn spin(q: &SVector<f64, 4>, rate: &SVector<f64, 4>) -> SVector<f64, 3> {
    let ([a, b, c, d], [p, x, y, z]) = ([q[0], q[1], q[2], q[3]], [rate[0], rate[1], rate[2], rate[3]]);
    SVector::from([
        2.0 * (a * x - b * p + d * y - c * z),
        2.0 * (a * y - c * p + b * z - d * x),
        2.0 * (a * z - d * p + c * x - b * y),
    ])
}

#[test]
fn a_quaternions_singular_mass_matrix_is_no_obstacle() {
    let model = Quaternion { i1: 1.0, i2: 2.0, i3: 2.5 };
    let system = model.prepare::<f64>().expect("valid");
    let q = SVector::from([0.5, -0.1, 0.7, 0.5]).normalize();
    let v = SVector::from([0.3, 1.1, -0.4, 0.9]);
    let v = v - q * q.dot(&v);
    let mass = system.equations(0.0, &q, &v, &NONE).mass_matrix;
    assert!((mass * q).norm() < 1e-14, "M has the null vector q");
    let found = system.acceleration(0.0, &q, &v, &NONE).expect("the constraint makes up for it");
    let (w, turning) = (spin(&q, &v), spin(&q, &found.acceleration));
    // Euler's equations: I ω̇ = (I ω) × ω.
    let inertia = SVector::from([model.i1, model.i2, model.i3]);
    let euler = inertia.component_mul(&w).cross(&w).component_div(&inertia);
    assert!((turning - euler).norm() < 1e-12 * euler.norm(), "{turning} against {euler}");
    assert!((q.dot(&found.acceleration) + v.norm_squared()).abs() < 1e-13);
    // T is of degree two in q as well as in v, and q·p = 0: along q, d/dt p = ∂T/∂q + λ 2q says −2T = 2T + 2λ.
    let energy = system.energies(0.0, &q, &v, &NONE).energy;
    assert!((found.multipliers[0] + 2.0 * energy).abs() < 1e-12 * energy, "{} {energy}", found.multipliers[0]);

    // The velocity of a momentum is the one that keeps |q|.
    let momentum = system.balance(0.0, &q, &v, &NONE).momentum;
    let back = system.velocity_correction(0.0, &q, &SVector::from([0.0; 4]), &momentum).expect("regular");
    assert!((back - v).norm() < 1e-13);
}

#[test]
fn a_massless_coordinate_is_held_by_its_constraint() {
    let model = Lever { m: 2.0, k: 3.0 };
    let system = model.prepare::<f64>().expect("valid");
    let q = SVector::from([0.8, 0.4]);
    let found = system.acceleration(0.0, &q, &SVector::from([0.0, 0.0]), &NONE).expect("regular");
    // m ẍ = −k x/4, and the lever carries the spring.
    let pull = -model.k * q[0] / 4.0;
    assert!((found.acceleration - SVector::from([pull, pull / 2.0]) / model.m).norm() < 1e-15);
    assert!((found.multipliers[0] - pull).abs() < 1e-15);
}

#[test]
fn every_scalar_solves_the_bordered_system() {
    let model = bead();
    let State { t, q, v } = on_the_wire(&model, 0.4, 0.9, -1.2);
    let double = model.prepare::<f64>().expect("valid");
    let found = double.acceleration(t, &q, &v, &SVector::from([0.7])).expect("regular");
    let wide = model.prepare::<DoubleDouble>().expect("valid");
    let lift = DoubleDouble::from_f64;
    let precise = wide.acceleration(lift(t), &q.map(lift), &v.map(lift), &SVector::from([lift(0.7)])).expect("regular");
    let lanes = model.prepare::<Lanes<f64, 2>>().expect("valid");
    let lift = Lanes::<f64, 2>::from_f64;
    let several = lanes.acceleration(lift(t), &q.map(lift), &v.map(lift), &SVector::from([lift(0.7)])).expect("lanes");
    for i in 0..3 {
        assert!((precise.acceleration[i].to_f64() - found.acceleration[i]).abs() < 1e-13 * 20.0);
        assert_eq!(several.acceleration[i].0, [found.acceleration[i]; 2]);
    }
    for k in 0..2 {
        assert!((precise.multipliers[k].to_f64() - found.multipliers[k]).abs() < 1e-13 * 20.0);
        assert_eq!(several.multipliers[k].0, [found.multipliers[k]; 2]);
    }
}
