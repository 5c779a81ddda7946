//! Inertia that depends on a state: rockets and a mass that grows.

use lagrange_models::Rocket;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;

fn tight<const N: usize>() -> Options<'static, f64, N> {
    Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() }
}

#[test]
fn a_rocket_reaches_tsiolkovskys_speed() {
    let rocket = Rocket::default();
    let system = rocket.prepare::<f64>().expect("the parameters are positive");
    let start = Rocket::fuelled();
    let burnt_out = 500.0 / rocket.burn;
    let (full, empty) = (rocket.dry + 500.0, rocket.dry);
    let exact = |t: f64| rocket.exhaust * (full / (full - rocket.burn * t)).ln() - rocket.g * t;
    let solution = solve(&system, start, burnt_out + 5.0, &Dop853::new(), &tight()).expect("it flies");
    let mut checked = 0;
    for state in solution.states().filter(|state| state.t <= burnt_out) {
        assert!((state.v[0] - exact(state.t)).abs() < 1e-8, "{}: {} {}", state.t, state.v[0], exact(state.t));
        checked += 1;
    }
    assert!(checked > 3);
    // Without fuel it falls.
    let end = solution.last().expect("it has an end");
    let speed = rocket.exhaust * (full / empty).ln() - rocket.g * end.t;
    assert!((end.v[0] - speed).abs() < 1e-7, "{} {speed}", end.v[0]);
    assert!(end.v[1].abs() < 1e-9);
}

/// A bead that collects dust, on a wire that is a parabola: m = m₀ (1 + z²), where z grows with the way.
#[lagrangian {
    coordinates x;
    let mass = m*(1 + z^2);
    kinetic   = mass*(1 + x^2)*dot(x)^2/2;
    potential = mass*g*x^2/2 + b*z*dot(x);
    dissipation = c*dot(x)^2/2;
    state z: dot(z) == rate*dot(x)^2*cos(x);
}]
#[derive(Clone, Debug)]
struct Bead {
    m: f64,
    g: f64,
    b: f64,
    c: f64,
    rate: f64,
}

const BEAD: Bead = Bead { m: 0.8, g: 9.8, b: 0.6, c: 0.1, rate: 0.7 };

#[test]
fn the_force_of_a_growing_inertia_is_that_of_a_derivation_by_hand() {
    let system = BEAD.prepare::<f64>().expect("the parameters are positive");
    let (x, v, z) = (0.4, 1.3, 0.5);
    let Bead { m, g, b, c, rate } = BEAD;
    // d/dt [m (1 + z²)(1 + x²) v − b z] = m (1 + z²) x v² − m (1 + z²) g x − c v.
    let growth = rate * v * v * f64::cos(x);
    let mass = m * (1.0 + z * z);
    let right = mass * x * v * v - mass * g * x - c * v;
    let changing = 2.0 * m * z * growth * (1.0 + x * x) * v + mass * 2.0 * x * v * v - b * growth;
    let exact = (right - changing) / (mass * (1.0 + x * x));
    let state = State::new(0.0, [x, 5.0], [v, z]);
    let found = system.acceleration_of(&state).expect("it is regular").acceleration;
    assert!((found[0] - exact).abs() < 1e-13, "{} {exact}", found[0]);
    let momentum = system.balance(0.0, &state.q, &state.v, &SVector::from([])).momentum;
    assert!((momentum[0] - (mass * (1.0 + x * x) * v - b * z)).abs() < 1e-14);
    // ∂p/∂v contains the derivative by the state.
    let at = system.balance_jacobian(0.0, &state.q, &state.v, &SVector::from([]));
    assert!((at.mass_matrix[(0, 1)] - (2.0 * m * z * (1.0 + x * x) * v - b)).abs() < 1e-14);
    assert!(at.mass_matrix[(1, 0)] == 0.0 && !Bead::FACTS.quadratic && Bead::FACTS.positive_mass);
    let powers: f64 = system.powers_of(&state).iter().map(|power| power.1).sum();
    let lifted = BEAD.prepare::<Dual<f64, 1>>().expect("the parameters are positive");
    let along = |value: f64, rate: f64| Dual { value, derivatives: [rate] };
    let q = SVector::<Dual<f64, 1>, 2>::from_fn(|i, _| along(state.q[i], state.v[i]));
    let v = SVector::<Dual<f64, 1>, 2>::from_fn(|i, _| along(state.v[i], found[i]));
    let energy = lifted.energies(along(0.0, 1.0), &q, &v, &SVector::from([])).energy;
    assert!((energy.derivatives[0] - powers).abs() < 1e-13, "{} {powers}", energy.derivatives[0]);
}

/// The same bead in Cartesian coordinates on its wire.
#[lagrangian {
    coordinates x, y;
    let mass = m*(1 + z^2);
    kinetic   = mass*norm2([dot(x), dot(y)])/2;
    potential = mass*g*y + b*z*dot(x);
    dissipation = c*dot(x)^2/2;
    constraint wire: y == x^2/2;
    state z: dot(z) == rate*dot(x)^2*cos(x);
}]
#[derive(Clone, Debug)]
struct Wire {
    m: f64,
    g: f64,
    b: f64,
    c: f64,
    rate: f64,
}

#[test]
fn methods_keep_their_orders_where_the_inertia_depends_on_a_state() {
    let system = BEAD.prepare::<f64>().expect("the parameters are positive");
    let Bead { m, g, b, c, rate } = BEAD;
    let wire = Wire { m, g, b, c, rate }.prepare::<f64>().expect("the parameters are positive");
    let (x, v, z) = (0.4_f64, 1.3, 0.5);
    let start = State::new(0.0, [x, 0.0], [v, z]);
    let on_wire = State::new(0.0, [x, x * x / 2.0, 0.0], [v, x * v, z]);
    let end = |solution: Solution<f64, 2>| {
        let end = solution.last().expect("it has states");
        SVector::from([end.q[0], end.v[0], end.v[1]])
    };
    let exact = end(solve(&system, start, 1.0, &Dop853::new(), &tight()).expect("it is smooth"));
    let of = |h: f64| {
        let options = Options::default();
        let free = |solution: Solution<f64, 2>| (end(solution) - exact).amax();
        let bound = |solution: Solution<f64, 3>| {
            let end = solution.last().expect("it has states");
            (SVector::from([end.q[0], end.v[0], end.v[2]]) - exact).amax()
        };
        [
            free(solve(&system, start, 1.0, &Rk4::new(h), &options).expect("it is smooth")),
            free(solve(&system, start, 1.0, &Gauss::<f64, 2>::new(h), &options).expect("it is smooth")),
            free(solve(&system, start, 1.0, &VariationalMidpoint::new(h), &options).expect("it is smooth")),
            free(solve(&system, start, 1.0, &VariationalTrapezoid::new(h), &options).expect("it is smooth")),
            free(solve(&system, start, 1.0, &Rattle::new(h), &options).expect("it is smooth")),
            bound(solve(&wire, on_wire, 1.0, &Projected::new(Rk4::new(h)), &Options::default()).expect("it is smooth")),
            bound(solve(&wire, on_wire, 1.0, &Rattle::new(h), &Options::default()).expect("it is smooth")),
            bound(solve(&wire, on_wire, 1.0, &VariationalMidpoint::new(h), &Options::default()).expect("it is smooth")),
        ]
    };
    let (coarse, fine) = (of(0.02), of(0.01));
    for (k, expected) in [4.0, 4.0, 2.0, 2.0, 2.0, 4.0, 2.0, 2.0].into_iter().enumerate() {
        let found = (coarse[k] / fine[k]).log2();
        assert!((found - expected).abs() < 0.15, "method {k}: {found} from {} and {}", coarse[k], fine[k]);
    }
}
