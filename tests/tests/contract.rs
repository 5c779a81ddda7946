//! The contract between derived code and methods: one emitted program for every scalar, inputs as arguments, facts as
//! types, and dispatch through `dyn`.

use lagrange_models::{CompoundDoublePendulum, CompoundDoublePendulumWithDrag};
use lagrange_runtime::error::{PrepareError, SingularMass};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::{DoubleDouble, Dual, Lanes};
use lagrange_runtime::system::{Acceleration, Autonomous, Conservative, Holonomic, Separable, Unconstrained};

/// L = m ẋẏ − k x y: the mass matrix is regular and indefinite.
#[lagrangian {
    coordinates x, y;
    lagrangian = m*dot(x)*dot(y) - k*x*y;
}]
struct Indefinite {
    m: f64,
    k: f64,
}

/// The second coordinate has no inertia at y = 0.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + y^2*dot(y)^2)/2;
}]
struct Vanishing {
    m: f64,
}

/// Two masses on springs: L = T(v) − V(q).
#[lagrangian {
    coordinates x, y;
    kinetic = m*dot(x)^2/2 + n*dot(y)^2/2;
    potential = k*(x^2 + (y - x)^2)/2;
}]
struct Springs {
    m: f64,
    n: f64,
    k: f64,
}

const Q: [f64; 2] = [0.4, -1.1];
const V: [f64; 2] = [1.3, 0.6];
const TORQUE: f64 = 0.8;

fn pendulum() -> CompoundDoublePendulumWithDrag {
    CompoundDoublePendulumWithDrag { mu: 0.3, ..Default::default() }
}

fn acceleration(system: &dyn System<f64, 2, 0, 1>, q: [f64; 2], v: [f64; 2], torque: f64) -> SVector<f64, 2> {
    let found = system.acceleration(0.0, &SVector::from(q), &SVector::from(v), &SVector::from([torque]));
    found.expect("the mass matrix is regular").acceleration
}

/// The emitted acceleration in any scalar.
fn in_scalar<R: Scalar>(lift: impl Fn(f64) -> R) -> SVector<R, 2> {
    let system = pendulum().prepare::<R>().expect("the parameters are valid");
    let (q, v) = (SVector::from(Q.map(&lift)), SVector::from(V.map(&lift)));
    let found = system.acceleration(R::ZERO, &q, &v, &SVector::from([lift(TORQUE)]));
    found.expect("the mass matrix is regular").acceleration
}

#[test]
fn one_program_serves_every_scalar() {
    let double = in_scalar::<f64>(|x| x);
    let single = in_scalar::<f32>(|x| x as f32);
    let wide = in_scalar::<DoubleDouble>(DoubleDouble::from_f64);
    let lanes = in_scalar::<Lanes<f64, 4>>(Lanes::from_f64);
    for i in 0..2 {
        assert!((f64::from(single[i]) - double[i]).abs() < 1e-5 * double[i].abs());
        assert!((wide[i].to_f64() - double[i]).abs() < 1e-14 * (1.0 + double[i].abs()));
        assert_eq!(lanes[i].0, [double[i]; 4]);
    }
}

#[test]
fn lanes_are_independent_states() {
    let system = pendulum().prepare::<Lanes<f64, 4>>().expect("the parameters are valid");
    let single = pendulum().prepare::<f64>().expect("the parameters are valid");
    let q: [[f64; 4]; 2] = [[0.1, -0.5, 2.0, 3.0], [0.0, 1.0, -2.0, 0.3]];
    let v: [[f64; 4]; 2] = [[0.0, 1.5, -1.0, 0.2], [0.0, -2.5, 3.0, -0.1]];
    let u = SVector::from([Lanes([TORQUE; 4])]);
    let found = system.acceleration(Lanes([0.0; 4]), &SVector::from(q.map(Lanes)), &SVector::from(v.map(Lanes)), &u);
    let found = found.expect("lanes never fail as a whole").acceleration;
    for lane in 0..4 {
        let own = acceleration(&single, [q[0][lane], q[1][lane]], [v[0][lane], v[1][lane]], TORQUE);
        for i in 0..2 {
            assert!((found[i].0[lane] - own[i]).abs() < 1e-13 * (1.0 + own[i].abs()));
        }
    }
}

#[test]
fn a_failed_lane_is_nan_and_the_others_are_not() {
    let lanes = |values: [f64; 4]| Lanes(values);
    let parameters = [lanes([1.0, 0.0, 2.0, 1.0]), lanes([1.0; 4]), lanes([3.0; 4])];
    let system = Springs::prepare_from(&parameters, &SVector::from([])).expect("finite parameters");
    let q = SVector::from([lanes([0.1; 4]), lanes([0.2; 4])]);
    let found = system.acceleration(lanes([0.0; 4]), &q, &q, &SVector::from([])).expect("lanes never fail as a whole");
    let first = found.acceleration[0].0;
    assert!(first[1].is_nan() && [0, 2, 3].iter().all(|&lane| first[lane].is_finite()), "{first:?}");
}

fn acceleration_of_zero() -> Acceleration<f64, 2, 0> {
    Acceleration { acceleration: SVector::zeros(), multipliers: SVector::zeros() }
}

/// Seeds q, v, u and all parameters of the emitted code with a dual number, one at a time.
#[test]
fn derivatives_agree_with_dual_numbers() {
    type D = Dual<f64, 1>;
    let model = pendulum();
    let system = model.prepare::<f64>().expect("the parameters are valid");
    let (q, v, u) = (SVector::from(Q), SVector::from(V), SVector::from([TORQUE]));
    let jacobian = system.acceleration_jacobian(0.0, &q, &v, &u).expect("the mass matrix is regular");
    let names = CompoundDoublePendulumWithDrag::PARAMETERS;
    let mut columns = vec![acceleration_of_zero(); system.parameter_count()];
    system.acceleration_parameters(0.0, &q, &v, &u, &mut columns).expect("the mass matrix is regular");
    assert_eq!(names.len(), columns.len());
    let values: Vec<f64> = names.iter().map(|name| model.parameter(name).expect("its own parameter")).collect();
    let mut seeded: Vec<SVector<f64, 2>> = Vec::new();
    for seed in 0..5 + values.len() {
        let lift = |x: f64, index: usize| if index == seed { D::variable(x, 0) } else { D::constant(x) };
        let parameters: Vec<D> = values.iter().enumerate().map(|(i, &x)| lift(x, 5 + i)).collect();
        let u = SVector::from([lift(TORQUE, 4)]);
        let dual = CompoundDoublePendulumWithDrag::prepare_from(&parameters, &u).expect("finite parameters");
        let q = SVector::from([lift(Q[0], 0), lift(Q[1], 1)]);
        let v = SVector::from([lift(V[0], 2), lift(V[1], 3)]);
        let found = dual.acceleration(D::ZERO, &q, &v, &u).expect("the mass matrix is regular").acceleration;
        seeded.push(found.map(|component| component.derivatives[0]));
    }
    let exact = [
        jacobian.acceleration_q.column(0).into_owned(),
        jacobian.acceleration_q.column(1).into_owned(),
        jacobian.acceleration_v.column(0).into_owned(),
        jacobian.acceleration_v.column(1).into_owned(),
        jacobian.acceleration_u.column(0).into_owned(),
    ];
    for (index, (exact, seeded)) in
        exact.iter().chain(columns.iter().map(|column| &column.acceleration)).zip(&seeded).enumerate()
    {
        assert!((exact - seeded).norm() < 1e-12 * (1.0 + seeded.norm()), "column {index}: {exact} against {seeded}");
    }
    assert_eq!(jacobian.acceleration_t, SVector::from([0.0, 0.0]));
}

#[test]
fn inputs_and_parameters_may_change_between_evaluations() {
    let mut model = pendulum();
    let system = model.prepare::<f64>().expect("the parameters are valid");
    model.torque = 2.5;
    let fresh = model.prepare::<f64>().expect("the parameters are valid");
    assert_eq!(fresh.default_inputs()[0], 2.5);
    assert_eq!(acceleration(&system, Q, V, 2.5), acceleration(&fresh, Q, V, 2.5));
    assert_ne!(acceleration(&system, Q, V, 2.5), acceleration(&system, Q, V, 0.0));

    model.set_parameter("m2", 3.0).expect("its own parameter");
    let heavier = CompoundDoublePendulumWithDrag { m2: 3.0, ..model.clone() };
    let (set, written) = (model.prepare::<f64>(), heavier.prepare::<f64>());
    let (set, written) = (set.expect("valid"), written.expect("valid"));
    assert_eq!(acceleration(&set, Q, V, 0.0), acceleration(&written, Q, V, 0.0));
    assert_ne!(acceleration(&set, Q, V, 0.0), acceleration(&system, Q, V, 0.0));
    let unknown = model.set_parameter("m4", 1.0).expect_err("there is no m4").to_string();
    assert!(unknown.contains("`m3`") && unknown.contains("`torque`"), "{unknown}");
}

#[test]
fn bad_parameters_are_named() {
    let model = CompoundDoublePendulum { l2: f64::NAN, ..Default::default() };
    let error = model.prepare::<f64>().expect_err("NaN is refused");
    assert!(matches!(error, PrepareError::NotFinite { parameter: "l2", .. }));
    let error = Springs { m: 1.0, n: 0.0, k: 1.0 }.prepare::<f64>().expect_err("positive mass was proved with n > 0");
    assert_eq!(error, PrepareError::NotPositive { parameter: "n", value: 0.0 });
    let error = Indefinite { m: 0.0, k: 1.0 }.prepare::<f64>().expect_err("m appears in the determinant");
    assert_eq!(error, PrepareError::NotPositive { parameter: "m^2", value: 0.0 });
    let error = CompoundDoublePendulum::prepare_from(&[1.0, 2.0], &SVector::from([])).expect_err("too few");
    assert_eq!(error, PrepareError::ParameterCount { expected: 6, given: 2 });
}

#[test]
fn a_singular_mass_names_its_coordinate_and_an_indefinite_one_is_solved() {
    let none = SVector::from([]);
    let (q, v) = (SVector::from([0.3, 0.7]), SVector::from([0.0, 0.0]));
    let singular = Vanishing { m: 1.0 }.prepare::<f64>().expect("finite parameters");
    let error = singular.acceleration(0.0, &SVector::from([0.3, 0.0]), &v, &none).expect_err("y has no mass there");
    assert!(
        matches!(error, SingularMass { of: PivotOf::Coordinate(index), .. } if index == Vanishing::INDEX.y),
        "{error}"
    );
    assert!(singular.acceleration(0.0, &q, &v, &none).is_ok() && !Vanishing::FACTS.positive_mass);

    // m ÿ = −k y, m ẍ = −k x.
    let regular = Indefinite { m: 2.0, k: 3.0 }.prepare::<f64>().expect("finite parameters");
    let found = regular.acceleration(0.0, &q, &v, &none).expect("regular").acceleration;
    assert!((found + q * 1.5).norm() < 1e-15, "{found}");
    let slopes = regular.acceleration_jacobian(0.0, &q, &v, &none).expect("regular");
    assert!((slopes.acceleration_q + SMatrix::<f64, 2, 2>::identity() * 1.5).norm() < 1e-15);
    let velocity = regular.velocity_correction(0.0, &q, &v, &SVector::from([4.0, 6.0])).expect("regular");
    assert!((velocity - SVector::from([3.0, 2.0])).norm() < 1e-15);
}

/// Compiles only where the facts are types.
fn is_conservative(_: &(impl Autonomous + Conservative + Unconstrained + Holonomic)) -> bool {
    true
}

fn is_separable(_: &impl Separable) -> bool {
    true
}

#[test]
fn facts_are_types_and_values() {
    let free = CompoundDoublePendulum::default().prepare::<f64>().expect("the parameters are valid");
    let springs = Springs { m: 1.0, n: 2.0, k: 3.0 }.prepare::<f64>().expect("finite parameters");
    assert!(is_conservative(&free) && is_conservative(&springs) && is_separable(&springs));
    let driven = CompoundDoublePendulumWithDrag::FACTS;
    assert!(!driven.autonomous && !driven.conservative && driven.quadratic && !driven.constant_mass);
    let springs = Springs::FACTS;
    assert!(springs.separable && springs.constant_mass && springs.velocity_free_acceleration);
    assert!(springs.positive_mass && springs.regular_momentum);
    assert!(springs.cyclic.is_empty() && !CompoundDoublePendulum::FACTS.separable);
}
