//! Every feature of the block in one mechanism that stands nowhere else, checked by formulas written by hand.

use lagrange_runtime::prelude::*;
use lagrange_runtime::system::System as _;

/// Not a number: the equations do not see it.
#[derive(Clone, Debug, Default)]
struct Label(String);

/// A cart on a driven rail with a pendulum: generic, single precision and skipped fields, an input, explicit time, a
/// force on a point, dissipation, derives on both sides. Its name is also one of the runtime's.
#[derive(Clone)]
#[lagrangian {
    coordinates x, theta;

    let rail = a*sin(w*t);
    let cart = [x + rail, 0];
    let bob  = cart + [l*sin(theta), -l*cos(theta)];

    kinetic     = mc*norm2(dot(cart))/2 + m*norm2(dot(bob))/2;
    potential   = m*g*bob[1] + k*x^2/2;
    dissipation = c*dot(x)^2/2 + mu*abs(dot(theta))^3/3;
    force x = push;
    force bob = [wind, 0];

    verify mass[x, x] == mc + m;
    verify mass[x, theta] == m*l*cos(theta);
    verify mass == [[mc + m, m*l*cos(theta)], [m*l*cos(theta), m*l^2]];
    verify forcing[x] == push + wind - k*x - c*dot(x) + m*l*sin(theta)*dot(theta)^2 + (mc + m)*a*w^2*sin(w*t);
}]
#[derive(Debug)]
struct System<T>
where
    T: Copy,
{
    mc: f64,
    m: T,
    l: f32,
    g: f64,
    k: f64,
    c: f64,
    mu: f64,
    a: f64,
    w: f64,
    wind: f64,
    #[input]
    push: f64,
    #[skip]
    label: Label,
}

fn cart() -> System<f64> {
    System {
        mc: 2.0,
        m: 0.5,
        l: 1.5,
        g: 9.81,
        k: 3.0,
        c: 0.4,
        mu: 0.2,
        a: 0.1,
        w: 4.0,
        wind: 0.7,
        push: 1.3,
        label: Label("cart".to_owned()),
    }
}

/// M and F by Newton's laws, written out by hand.
fn by_hand(p: &System<f64>, t: f64, q: [f64; 2], v: [f64; 2], push: f64) -> ([[f64; 2]; 2], [f64; 2]) {
    let l = f64::from(p.l);
    let (sine, cosine) = q[1].sin_cos();
    let rail = -p.a * p.w * p.w * (p.w * t).sin();
    let coupling = p.m * l * cosine;
    let along = push + p.wind - p.k * q[0] - p.c * v[0] + p.m * l * sine * v[1] * v[1] - (p.mc + p.m) * rail;
    let drag = p.mu * v[1] * v[1].abs();
    let turning = p.wind * l * cosine - p.m * p.g * l * sine - drag - p.m * l * cosine * rail;
    ([[p.mc + p.m, coupling], [coupling, p.m * l * l]], [along, turning])
}

fn close(ours: f64, theirs: f64) {
    assert!((ours - theirs).abs() <= 1e-13 * (1.0 + theirs.abs()), "{ours} against {theirs}");
}

#[test]
fn derived_equations_are_those_written_by_hand() {
    let model = cart();
    let system = model.prepare::<f64>().expect("the parameters are valid");
    for (t, q, v, push) in [
        (0.0, [0.0, 0.0], [0.0, 0.0], 1.3),
        (0.37, [0.2, 1.1], [-0.5, 2.0], -0.9),
        (2.9, [-1.2, -2.6], [0.8, -3.5], 0.0),
    ] {
        let (mass, forcing) = by_hand(&model, t, q, v, push);
        let found = system.equations(t, &SVector::from(q), &SVector::from(v), &SVector::from([push]));
        for i in 0..2 {
            close(found.forcing[i], forcing[i]);
            for (j, &entry) in mass[i].iter().enumerate() {
                close(found.mass_matrix[(i, j)], entry);
            }
        }
        let a = system.acceleration(t, &SVector::from(q), &SVector::from(v), &SVector::from([push]));
        let a = a.expect("the mass matrix is regular").acceleration;
        for i in 0..2 {
            close(mass[i][0] * a[0] + mass[i][1] * a[1], forcing[i]);
        }
    }
}

#[test]
fn names_and_indices_are_those_of_the_block() {
    assert_eq!([System::<f64>::INDEX.x, System::<f64>::INDEX.theta], [0, 1]);
    assert_eq!(<System<f64> as Mechanism<2, 0, 1>>::COORDINATES, ["x", "theta"]);
    assert_eq!(<System<f64> as Mechanism<2, 0, 1>>::INPUTS, ["push"]);
    let parameters = <System<f64> as Mechanism<2, 0, 1>>::PARAMETERS;
    assert_eq!(parameters, ["mc", "m", "l", "g", "k", "c", "mu", "a", "w", "wind"]);
    assert_eq!(cart().label.0, "cart");
}

/// dh/dt along the motion is the sum of the powers.
#[test]
fn power_balance_closes() {
    let system = cart().prepare::<f64>().expect("the parameters are valid");
    let u = system.default_inputs();
    let initial = State::new(0.0, [0.3, 1.0], [0.0, -0.5]);
    let options = Options { rtol: 1e-11.into(), atol: 1e-12.into(), dense_output: true, ..Options::default() };
    let solution = solve(&system, initial, 1.0, &Rkf45::new(), &options).expect("the motion is smooth");
    let energy = |t: f64| {
        let state = solution.sample(t).expect("inside the solution");
        system.energies(t, &state.q, &state.v, &u).energy
    };
    assert_eq!(system.power_names(), ["x", "bob", "dissipation", "time"]);
    for t in [0.2, 0.5, 0.8] {
        let state = solution.sample(t).expect("inside the solution");
        let mut powers = [0.0; 4];
        system.powers(t, &state.q, &state.v, &u, &mut powers);
        let h = 1e-3;
        let slope = (8.0 * (energy(t + h) - energy(t - h)) - energy(t + 2.0 * h) + energy(t - 2.0 * h)) / (12.0 * h);
        let total: f64 = powers.iter().sum();
        assert!((slope - total).abs() < 1e-6 * (1.0 + total.abs()), "{slope} against {total} at {t}");
    }
}
