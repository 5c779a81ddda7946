//! Derivatives of accelerations and multipliers against dual numbers of the emitted code.

use super::mechanisms::{Bead, Disc, Quaternion, bead, on_the_wire};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use lagrange_runtime::system::Acceleration;

type D = Dual<f64, 1>;

/// Derivatives by q, v, t, u and each parameter, in this order: from the contract, and from dual numbers.
fn compare<M, const N: usize, const C: usize, const U: usize>(model: &M, state: State<f64, N>)
where
    M: Mechanism<N, C, U>,
{
    let system = model.prepare::<f64>().expect("valid");
    let u = system.default_inputs();
    let State { t, q, v } = state;
    let exact = system.acceleration_jacobian(t, &q, &v, &u).expect("regular");
    let solved = system.acceleration(t, &q, &v, &u).expect("regular");
    assert!((exact.acceleration - solved.acceleration).norm() < 1e-12 * (1.0 + solved.acceleration.norm()));
    assert!((exact.multipliers - solved.multipliers).norm() < 1e-12 * (1.0 + solved.multipliers.norm()));
    let nothing = Acceleration { acceleration: SVector::zeros(), multipliers: SVector::zeros() };
    let mut parameters = vec![nothing; system.parameter_count()];
    system.acceleration_parameters(t, &q, &v, &u, &mut parameters).expect("regular");

    let values: Vec<f64> = M::PARAMETERS.iter().map(|name| model.parameter(name).expect("its own")).collect();
    for seed in 0..2 * N + 1 + U + values.len() {
        let lift = |x: f64, index: usize| if index == seed { D::variable(x, 0) } else { D::constant(x) };
        let given: Vec<D> = values.iter().enumerate().map(|(i, &x)| lift(x, 2 * N + 1 + U + i)).collect();
        let inputs = SVector::<D, U>::from_fn(|i, _| lift(u[i], 2 * N + 1 + i));
        let dual = M::prepare_from(&given, &inputs).expect("valid");
        let (q, v) =
            (SVector::<D, N>::from_fn(|i, _| lift(q[i], i)), SVector::<D, N>::from_fn(|i, _| lift(v[i], N + i)));
        let seeded = dual.acceleration(lift(t, 2 * N), &q, &v, &inputs).expect("regular");
        let seeded = (seeded.acceleration.map(|x| x.derivatives[0]), seeded.multipliers.map(|x| x.derivatives[0]));
        let found = match seed {
            k if k < N => (exact.acceleration_q.column(k).into(), exact.multipliers_q.column(k).into()),
            k if k < 2 * N => (exact.acceleration_v.column(k - N).into(), exact.multipliers_v.column(k - N).into()),
            k if k == 2 * N => (exact.acceleration_t, exact.multipliers_t),
            k if k < 2 * N + 1 + U => {
                let k = k - 2 * N - 1;
                (exact.acceleration_u.column(k).into(), exact.multipliers_u.column(k).into())
            }
            k => (parameters[k - 2 * N - 1 - U].acceleration, parameters[k - 2 * N - 1 - U].multipliers),
        };
        let size = 1.0 + seeded.0.norm() + seeded.1.norm();
        let (wrong, held) = ((found.0 - seeded.0).norm(), (found.1 - seeded.1).norm());
        assert!(wrong < 1e-11 * size && held < 1e-11 * size, "variable {seed}: {found:?} against {seeded:?}");
    }
}

#[test]
fn of_a_driven_bead_under_two_constraints() {
    let model = bead();
    compare::<Bead, 3, 2, 1>(&model, on_the_wire(&model, 0.4, 0.9, -1.2));
    // Off the constraints as well: the derivatives are those of the formula.
    compare::<Bead, 3, 2, 1>(&model, State::new(0.4, [0.5, 0.6, -0.8], [1.0, -0.3, 0.2]));
}

#[test]
fn of_a_rolling_disc() {
    let model = Disc { m: 2.0, i: 0.3, j: 0.5, r: 0.4, speed: 0.8 };
    compare::<Disc, 4, 2, 0>(&model, State::new(0.6, [0.1, 0.2, 0.7, 1.5], [0.9, -0.4, 1.2, 2.0]));
}

#[test]
fn where_the_mass_matrix_is_singular() {
    let model = Quaternion { i1: 1.0, i2: 2.0, i3: 2.5 };
    let q = SVector::from([0.5, -0.1, 0.7, 0.5]).normalize();
    compare::<Quaternion, 4, 1, 0>(&model, State::new(0.0, q, [0.3, 1.1, -0.4, 0.9]));
}

#[test]
fn of_the_constraints_themselves() {
    let model = bead();
    let system = model.prepare::<f64>().expect("valid");
    let dual = model.prepare::<D>().expect("valid");
    let State { t, q, v } = State::new(0.4, [0.5, 0.6, -0.8], [1.0, -0.3, 0.2]);
    let multipliers = SVector::from([1.3, -0.7]);
    let exact = system.constraint_hidden(t, &q, &v, &multipliers);
    let held = system.constraint(t, &q);
    assert!((exact.rate - held.jacobian * v - held.drift).norm() < 1e-14);
    assert!((exact.reaction - held.jacobian.transpose() * multipliers).norm() < 1e-14);
    for k in 0..3 {
        let seeded = SVector::<D, 3>::from_fn(|i, _| if i == k { D::variable(q[i], 0) } else { D::constant(q[i]) });
        let at = dual.constraint(D::constant(t), &seeded);
        assert!((at.value.map(|x| x.derivatives[0]) - held.jacobian.column(k)).norm() < 1e-14);
        let at = dual.constraint_hidden(D::constant(t), &seeded, &v.map(D::constant), &multipliers.map(D::constant));
        assert!((at.rate.map(|x| x.derivatives[0]) - exact.rate_q.column(k)).norm() < 1e-13);
        assert!((at.reaction.map(|x| x.derivatives[0]) - exact.reaction_q.column(k)).norm() < 1e-13);
    }
    // γ is the hidden constraint's own change along (v, 1).
    let along = SVector::<D, 3>::from_fn(|i, _| Dual { value: q[i], derivatives: [v[i]] });
    let at = dual.constraint_hidden(D::variable(t, 0), &along, &v.map(D::constant), &multipliers.map(D::constant));
    assert!((at.rate.map(|x| x.derivatives[0]) - exact.curvature).norm() < 1e-13);
}
