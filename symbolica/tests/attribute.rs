//! The attribute with Symbolica: it derives this file's mechanism while rustc compiles the test.

use lagrange_runtime::prelude::*;
use lagrange_symbolic::derivation_by;
use lagrange_symbolic::graph::Symbol;
use lagrange_symbolic::graph::engine::Builtin;
use lagrange_symbolic::parse::parse;
use lagrange_symbolica::magnitude::valued;
use lagrange_symbolica::mechanism::mechanisms;
use std::path::Path;

/// Two pendulums in series, with drag at the lower joint and a torque at the upper one.
#[lagrangian {
    coordinates theta1, theta2;
    let first  = [l1*sin(theta1), -l1*cos(theta1)];
    let second = first + [l2*sin(theta2), -l2*cos(theta2)];
    kinetic     = m1*norm2(dot(first))/2 + m2*norm2(dot(second))/2;
    potential   = g*(m1*first[1] + m2*second[1]);
    dissipation = mu*abs(dot(theta2) - dot(theta1))^3/3;
    force theta1 = torque;
    verify mass[theta1, theta2] == m2*l1*l2*cos(theta1 - theta2);
}]
struct DoublePendulum {
    m1: f64,
    m2: f64,
    l1: f64,
    l2: f64,
    g: f64,
    mu: f64,
    #[input]
    torque: f64,
}

/// M a − F by the built-in engine, at accelerations that were derived by Symbolica.
#[test]
fn accelerations_solve_the_equations_of_the_built_in_engine() {
    let pendulum = DoublePendulum { m1: 1.1, m2: 0.7, l1: 0.9, l2: 1.3, g: 9.81, mu: 0.4, torque: 0.0 };
    let parameters = [pendulum.m1, pendulum.m2, pendulum.l1, pendulum.l2, pendulum.g, pendulum.mu];
    let system = pendulum.prepare::<f64>().expect("the parameters are valid");
    let own = mechanisms(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attribute.rs")).remove(0);
    let spec = parse(own.block, own.item).expect("rustc has read it");
    let derived = derivation_by(&Builtin, &spec).expect("it derives");
    for (q, v, u) in [([0.3, -1.2], [2.0, 0.5], 0.8), ([2.9, 0.1], [-0.4, 3.0], -1.7), ([-1.0, 0.5], [1.0, 1.0], 0.0)] {
        let a = system.acceleration(0.0, &SVector::from(q), &SVector::from(v), &SVector::from([u]));
        let a = a.expect("M is regular").acceleration;
        let point = |symbol: Symbol| match symbol {
            Symbol::Coordinate(i) => q[i as usize],
            Symbol::Velocity(i) => v[i as usize],
            Symbol::Acceleration(i) => a[i as usize],
            Symbol::Parameter(i) => parameters[i as usize],
            Symbol::Input(_) => u,
            Symbol::Multiplier(_) | Symbol::Force(_) | Symbol::Time | Symbol::Dummy(_) => 0.0,
        };
        for residual in valued(&derived.model.graph, &derived.equations.residual, &point) {
            let residual = residual.expect("it is defined everywhere");
            assert!(residual.magnitude > 1.0, "{residual:?}");
            assert!(residual.value.abs() <= 1e-12 * residual.magnitude, "{residual:?}");
        }
    }
}
