//! Equilibria, linearisations, orbits, exponents and sensitivities of mechanisms with states.

use lagrange_runtime::analysis::{
    EquilibriumSearch, LyapunovSpectrum, Separation, Shooting, Variable, Verdict, linearize, modes, sensitivities,
    stability,
};
use lagrange_runtime::method::DERIVATIVES;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;

/// A rod on a hinge, with a heavy bob, whose spring follows a temperature.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y - a*warmth*x;
    dissipation = c*(dot(x)^2 + dot(y)^2)/2;
    constraint rod: norm([x, y]) == l;
    state warmth: dot(warmth) == power - loss*warmth - couple*x;
}]
#[derive(Clone, Debug)]
struct Hung {
    m: f64,
    g: f64,
    l: f64,
    a: f64,
    c: f64,
    loss: f64,
    couple: f64,
    #[input]
    power: f64,
}

const HUNG: Hung = Hung { m: 2.0, g: 9.81, l: 0.8, a: 1.5, c: 0.4, loss: 0.7, couple: 0.3, power: 2.0 };

#[test]
fn an_equilibrium_has_the_value_of_the_state() {
    let system = HUNG.prepare::<f64>().expect("the parameters are positive");
    let found = EquilibriumSearch::new([0.1, -0.8, 1.0], [2.0]).find(&system).expect("it hangs");
    let (x, y, warmth) = (found.state.q[0], found.state.q[1], found.state.v[2]);
    assert!((warmth - (2.0 - 0.3 * x) / 0.7).abs() < 1e-12);
    // The force a·warmth and the weight are along the rod.
    assert!((1.5 * warmth * y + 2.0 * 9.81 * x).abs() < 1e-11 && x > 0.1);
    assert_eq!((found.state.q[2], found.state.v[0], found.state.v[1]), (0.0, 0.0, 0.0));
    assert!(found.steady.is_empty());
    let near = linearize(&system, &found.state, &found.inputs).expect("it is smooth");
    assert_eq!(near.states().len(), 3);
    assert_eq!(near.states()[2], "warmth");
    assert!(near.rate().amax() < 1e-12);
    assert!((near.a()[(2, 2)] + 0.7).abs() < 1e-14 && (near.b()[(2, 0)] - 1.0).abs() < 1e-14);
    let judged = stability(&system, &found).expect("it is smooth");
    assert_eq!((judged.verdict, judged.eigenvalues.len()), (Verdict::AsymptoticallyStable, 3));
    let refused = modes(&system, &found).expect_err("a state has no mass");
    assert!(refused.to_string().contains("without `state`"), "{refused}");
    let asked = EquilibriumSearch::new([0.1, -0.8, 1.0], [2.0]).with_velocity(2, 1.0).find(&system);
    assert!(asked.expect_err("a state has no velocity").to_string().contains("state `warmth`"));
}

#[test]
fn a_fixed_state_asks_for_an_input() {
    let system = HUNG.prepare::<f64>().expect("the parameters are positive");
    let search = EquilibriumSearch::new([0.1, -0.8, 3.0], [2.0]).with_fixed_coordinate(2).with_free_input(0);
    let found = search.find(&system).expect("an input holds it");
    assert_eq!(found.state.v[2], 3.0);
    assert!((found.inputs[0] - (0.7 * 3.0 + 0.3 * found.state.q[0])).abs() < 1e-12);
}

/// Van der Pol's oscillator in Liénard's plane. Its middle is at x = 1, so that the hidden coordinate of x does not return.
#[lagrangian {
    let s = x - 1;
    state x: dot(x) == mu*(s - s^3/3 - y);
    state y: dot(y) == s/mu;
}]
#[derive(Clone, Debug)]
struct VanDerPol {
    mu: f64,
}

#[test]
fn van_der_pols_orbit_has_its_published_period() {
    let mechanism = VanDerPol { mu: 1.0 };
    let method = Dop853::new();
    let tight = Dual::<f64, DERIVATIVES>::constant(1e-12);
    let options = Options { rtol: tight.into(), atol: tight.into(), ..Options::default() };
    let guess = State::new(0.0, [5.0, 6.0], [3.0, 0.0]);
    let found = Shooting::new(guess, 6.6)
        .with_fixed_velocity(1)
        .find(&mechanism, &method, &options)
        .expect("the orbit attracts");
    assert!((found.period - 6.663_286_859_3).abs() < 1e-8, "{}", found.period);
    assert_eq!(found.multipliers.len(), 2);
    assert!(found.multipliers.iter().any(|multiplier| (multiplier.re - 1.0).abs() < 1e-7));
}

/// A decay and a growth.
#[lagrangian {
    state z: dot(z) == -a*z;
    state w: dot(w) == b*w;
}]
#[derive(Clone, Debug)]
struct Rates {
    a: f64,
    b: f64,
}

/// Lorenz's equations.
#[lagrangian {
    state x: dot(x) == sigma*(y - x);
    state y: dot(y) == x*(rho - z) - y;
    state z: dot(z) == x*y - beta*z;
}]
#[derive(Clone, Debug)]
struct Lorenz {
    sigma: f64,
    rho: f64,
    beta: f64,
}

/// J. C. Sprott, *Chaos and Time-Series Analysis*, 2003: the exponents are 0.9056, 0 and −14.5723, and the dimension is 2.062. Their sum is
/// −(σ + 1 + β). The means over 500 units of time are within three standard errors. The first exponent needs no other vector.
#[test]
fn lorenzs_exponents_have_their_published_values_within_their_errors() {
    let lorenz = Lorenz { sigma: 10.0, rho: 28.0, beta: 8.0 / 3.0 };
    let start = State::new(0.0, [0.0; 3], [1.0, 1.0, 20.0]);
    let method = Dop853::new();
    let spectrum = LyapunovSpectrum::new(0.5, 1000).with_transient(40);
    let options = SharedOptions { rtol: 1e-8, ..SharedOptions::default() };
    let all = spectrum.estimate(&lorenz, &start, &method, &options).expect("smooth");
    println!("{all:?}");
    for (found, (error, published)) in all.exponents.iter().zip(all.errors.iter().zip([0.9056, 0.0, -14.5723])) {
        assert!((found - published).abs() < 3.0 * error.max(1e-3) && *error < 0.05, "{all:?}");
    }
    assert!((all.exponents.iter().sum::<f64>() + 10.0 + 1.0 + 8.0 / 3.0).abs() < 1e-3, "{all:?}");
    assert!((all.kaplan_yorke_dimension().expect("it contracts") - 2.062).abs() < 0.01);
    assert_eq!(all.separation, Separation::Exponential);
    let method = Dop853::new();
    let first = spectrum.with_exponents(1).estimate(&lorenz, &start, &method, &options).expect("smooth");
    assert_eq!(first.exponents.len(), 1);
    assert!((first.exponents[0] - 0.9056).abs() < 3.0 * first.errors[0], "{first:?}");
    assert_eq!(first.kaplan_yorke_dimension(), None);
    for count in [0, 4] {
        let error =
            spectrum.with_exponents(count).estimate(&lorenz, &start, &method, &options).expect_err("three states");
        assert!(error.to_string().contains("from 1 to 3"), "{error}");
    }
}

#[test]
fn exponents_are_those_of_the_states() {
    let start = State::new(0.0, [0.0; 2], [1.0, 1.0]);
    let method = Rk4::new(1e-2);
    let found = LyapunovSpectrum::new(0.5, 20)
        .with_transient(4)
        .of(&Rates { a: 1.5, b: 0.25 }, &start, &method, &Options::default())
        .expect("they are linear");
    assert_eq!(found.len(), 2);
    assert!((found[0] - 0.25).abs() < 1e-8 && (found[1] + 1.5).abs() < 1e-8, "{found:?}");
}

#[test]
fn sensitivities_name_states() {
    let mechanism = Rates { a: 1.5, b: 0.25 };
    let variables =
        [Variable::named(&mechanism, "z").expect("a state"), Variable::named(&mechanism, "a").expect("a parameter")];
    assert_eq!(variables[0], Variable::Velocity(0));
    assert!(Variable::named(&mechanism, "dot(z)").is_err());
    let start = State::new(0.0, [0.0; 2], [2.0, 1.0]);
    let method = Rk4::new(1e-3);
    let found =
        sensitivities(&mechanism, &start, &[1.0], &method, &Options::default(), &variables).expect("it is linear");
    let decay = (-1.5_f64).exp();
    assert!((found.derivatives[0][(2, 0)] - decay).abs() < 1e-11);
    assert!((found.derivatives[0][(2, 1)] + 2.0 * decay).abs() < 1e-11);
}
