//! Andrews' squeezing mechanism, seven bodies in a plane with six constraints, against its published solution.
//!
//! Source: F. Mazzia, C. Magherini, *Test set for initial value problem solvers*, release 2.4, 2008; W. Schiehlen (ed.), *Multibody Systems
//! Handbook*, 1990.

use lagrange_runtime::prelude::*;

/// The seven bodies by their centres of mass, with seven angles. A motor turns the first body, and a spring pulls the third.
#[lagrangian {
    coordinates beta, theta, gamma, phi, delta, omega, epsilon;
    let a = [-0.06934, -0.00227];
    let b = [-0.03635, 0.03273];
    let crank = 0.007*[cos(beta), sin(beta)];
    let along = [cos(beta + theta), sin(beta + theta)];
    let joint = crank - 0.028*along;
    let rod = crank - 0.0115*along;
    let upper = a + 0.04*[cos(delta), sin(delta)];
    let upper_rod = upper + (0.02 - 0.01421)*[sin(phi + delta), -cos(phi + delta)];
    let lower = a + 0.04*[sin(epsilon), -cos(epsilon)];
    let lower_rod = lower + (0.02 - 0.01421)*[cos(omega + epsilon), sin(omega + epsilon)];
    let hook = b + 0.02*[cos(gamma), sin(gamma)] + 0.018*[sin(gamma), -cos(gamma)];
    kinetic = (0.04325*0.00092^2 + 2.194e-6)*dot(beta)^2/2
        + 0.00365*norm2(dot(rod))/2 + 4.410e-7*(dot(beta) + dot(theta))^2/2
        + (0.02373*(0.01874^2 + 0.01043^2) + 5.255e-6)*dot(gamma)^2/2
        + 0.00706*norm2(dot(upper_rod))/2 + 5.667e-7*(dot(phi) + dot(delta))^2/2
        + (0.07050*(0.02308^2 + 0.00916^2) + 1.169e-5)*dot(delta)^2/2
        + 0.00706*norm2(dot(lower_rod))/2 + 5.667e-7*(dot(omega) + dot(epsilon))^2/2
        + (0.05498*(0.01228^2 + 0.00449^2) + 1.912e-5)*dot(epsilon)^2/2;
    potential = 4530*(norm(hook - [0.014, 0.072]) - 0.07785)^2/2;
    force beta = 0.033;
    constraint third: joint == b + 0.035*[sin(gamma), -cos(gamma)];
    constraint fourth: joint == upper + 0.02*[sin(phi + delta), -cos(phi + delta)];
    constraint sixth: joint == lower + 0.02*[cos(omega + epsilon), sin(omega + epsilon)];
}]
struct Squeezer {}

const START: [f64; 7] = [
    -0.06171389001427645,
    0.0,
    0.45527981916307037,
    0.22266839016588588,
    0.48736497954384256,
    -0.22266839016588588,
    1.2305474445498212,
];

/// The angles at 0.03 s.
const END: [f64; 7] = [
    15.81077119629904,
    -15.75637105984298,
    0.04082224013073101,
    -0.5347301163226948,
    0.5244099658805304,
    0.5347301163226948,
    1.048080741042263,
];

/// The angular velocities at 0.03 s.
const RATES: [f64; 7] = [
    1139.920302151208,
    -1424.379294994111,
    11.03291221937134,
    19.29337464421385,
    0.5735699284790808,
    -19.29337464421385,
    0.3231791658026955,
];

fn check<M: Method<f64, 7, 6>>(method: &M, rtol: f64, most: f64) {
    let system = Squeezer {}.prepare::<f64>().expect("regular");
    let options = Options { rtol: rtol.into(), ..Options::default() };
    let start = State::new(0.0, START, [0.0; 7]);
    let at_rest = system.acceleration(0.0, &start.q, &start.v, &[].into()).expect("regular");
    for (found, exact) in at_rest.acceleration.iter().zip([14222.443919954114, -10666.832939965585]) {
        assert!((found / exact - 1.0).abs() < 1e-9, "{found} instead of {exact}");
    }
    let solution = solve(&system, start, 0.03, method, &options).unwrap_or_else(|error| panic!("{error}"));
    let end = solution.last().expect("a stored state");
    for i in 0..7 {
        assert!((end.q[i] - END[i]).abs() < most, "{}: angle {i} is {}", method.name(), end.q[i]);
        // The first two turn at 1140 and 1420 rad/s.
        assert!((end.v[i] - RATES[i]).abs() < 2000.0 * most, "{}: rate {i} is {}", method.name(), end.v[i]);
    }
    assert!(system.constraint(end.t, &end.q).value.amax() < 1e-16, "{}", method.name());
}

#[test]
fn the_squeezer_is_met_by_implicit_steps() {
    check(&Radau5::new(), 1e-7, 1e-4);
    check(&Radau9::new(), 1e-10, 1e-7);
}

#[test]
fn the_squeezer_is_met_by_projected_steps() {
    check(&Projected::new(Dop853::new()), 1e-11, 1e-7);
}
