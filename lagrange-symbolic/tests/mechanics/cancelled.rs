//! Symbols that cancel: the facts that follow, and the equations without them.

use super::{State, assert_close, derived};
use lagrange_symbolic::graph::Symbol;

const ITEM: &str = "struct Wire { m: f64, l: f64, g: f64, c: f64, w: f64 }";

/// Whether the time cancels in L, and whether F is free of velocities.
fn check(block: &str, [conservative, velocity_free]: [bool; 2]) {
    let derivation = derived(block, ITEM);
    let facts = &derivation.equations.facts;
    assert_eq!([facts.autonomous, facts.conservative], [conservative; 2], "{block}");
    assert_eq!([facts.velocity_free_forcing, facts.velocity_free_acceleration], [velocity_free; 2], "{block}");
    let has_time = |id| derivation.model.graph.symbols(id).any(|symbol| symbol == Symbol::Time);
    assert_eq!(derivation.equations.forcing.iter().any(|&row| has_time(row)), !conservative, "{block}");
}

#[test]
fn the_time_in_the_energies() {
    let bead = |wire: &str, potential: &str| {
        format!(
            "coordinates r; let bead = {wire}; kinetic = m*norm2(dot(bead))/2; potential = {potential};
             invariant jacobi = energy;"
        )
    };
    let parabola = "[r*cos(w*t), r*sin(w*t), c*r^2]";
    check(&bead(parabola, "m*g*bead[2]"), [true, false]);
    check(&bead("[l*sin(r)*cos(w*t), l*sin(r)*sin(w*t), -l*cos(r)]", "m*g*bead[2]"), [true, true]);
    check(&bead(parabola, "m*g*bead[2] + (bead[0]^2 + bead[1]^2)*c"), [true, false]);
    let seen =
        "coordinates r; let bead = [r*cos(w*t), r*sin(w*t), c*r^2]; kinetic = m*norm2(dot(bead))/2; potential = ";
    check(&format!("{seen} m*g*bead[0];"), [false, false]);
    // An angle that grows with the square of the time leaves its rate in L.
    check(&parabola_block("w*t^2"), [false, false]);
    // The time decides a sign for every sign of c.
    check("coordinates r; kinetic = m*dot(r)^2/2; potential = r*(abs(c)*t - c*t);", [false, true]);
    check("coordinates r; kinetic = m*dot(r)^2/2; potential = r*(abs(t) - t);", [false, true]);
}

fn parabola_block(angle: &str) -> String {
    format!(
        "coordinates r; let bead = [r*cos({angle}), r*sin({angle}), c*r^2]; kinetic = m*norm2(dot(bead))/2;
         potential = m*g*bead[2];"
    )
}

/// (1 + 4 c² r²) r̈ = r w² − 4 c² r ṙ² − 2 c g r.
#[test]
fn the_bead_on_a_turning_parabola() {
    let derivation = derived(&parabola_block("w*t"), ITEM);
    let (r, v, g, c, w): (f64, f64, f64, f64, f64) = (0.7, -0.4, 9.81, 1.3, 2.1);
    let expected = (r * w * w - 4.0 * c * c * r * v * v - 2.0 * c * g * r) / (1.0 + 4.0 * c * c * r * r);
    for t in [0.0, 0.8] {
        let state = State { t, q: vec![r], v: vec![v], parameters: vec![1.5, 0.9, g, c, w] };
        assert_close(&state.motion(&derivation).0, &[expected], "r̈");
    }
}

#[test]
fn velocities_in_the_forcing() {
    let pendulum =
        |inertia: &str| format!("coordinates a; kinetic = m*l^2*dot(a)^2*({inertia})/2; potential = -m*g*l*cos(a);");
    check(&pendulum("cos(2*a) + 2*sin(a)^2"), [true, true]);
    check(&pendulum("cos(2*a) + 3*sin(a)^2 + 1"), [true, false]);
    check(&pendulum("(cos(3*a) + 3*cos(a))/(4*cos(a)^3)"), [true, true]);
    let drag = "dissipation = c*dot(a)^2*(2 - cos(2*a) - 2*sin(a)^2)/2;";
    let derivation = derived(&format!("{} {drag}", pendulum("cos(2*a) + 2*sin(a)^2")), ITEM);
    assert!(!derivation.equations.facts.velocity_free_forcing, "the drag stays");
}

/// The facts do not depend on how L is written: each energy is multiplied by 1, written with symbols that cancel.
#[test]
fn facts_of_other_writings() {
    let mechanisms = [
        ("x, y", "m*(dot(x)^2 + dot(y)^2)/2", "c*x^2/2", ""),
        ("x, y", "m*(dot(x)^2 + 2*dot(y)^2 + dot(x)*dot(y))/2", "m*g*x + c*(x - y)^2/2", "dissipation = c*dot(x)^2/2;"),
        ("r, a", "m*(dot(r)^2 + r^2*dot(a)^2)/2", "c/r", ""),
        ("a, b", "m*(dot(a)^2 + dot(b)^2 + dot(a)*dot(b)*cos(a - b))", "-m*g*l*(2*cos(a) + cos(b))", ""),
        ("a, b", "m*l^2*(dot(a)^2 + sin(a)^2*dot(b)^2)/2", "m*g*l*cos(a)", ""),
        ("x, y", "m*(dot(x)^2 + dot(y)^2)/2", "0", "force x = -c*dot(x);"),
        ("x, y", "m*(dot(x)^2 + dot(y)^2)/2", "m*g*y", "constraint rod: x^2 + y^2 == l^2;"),
    ];
    for (coordinates, kinetic, potential, rest) in mechanisms {
        let facts = |kinetic: &str, potential: &str, rest: &str| {
            let block = format!("coordinates {coordinates}; kinetic = {kinetic}; potential = {potential}; {rest}");
            (derived(&block, ITEM).equations.facts, block)
        };
        let (expected, _) = facts(kinetic, potential, rest);
        let (first, second) = coordinates.split_once(", ").expect("two coordinates");
        for symbol in ["t", first, second] {
            let one = format!("(cos(2*{symbol}) + 2*sin({symbol})^2)");
            let kinetic_too = format!("({kinetic})*{one}");
            let potential_too = format!("({potential})*{one}");
            for (kinetic, potential) in
                [(&*kinetic_too, potential), (kinetic, &*potential_too), (&*kinetic_too, &*potential_too)]
            {
                let (found, block) = facts(kinetic, potential, rest);
                assert_eq!(found, expected, "{block}");
            }
            let whole = format!("coordinates {coordinates}; lagrangian = ({kinetic} - ({potential}))*{one}; {rest}");
            assert_eq!(derived(&whole, ITEM).equations.facts, expected, "{whole}");
        }
    }
}

/// Symbols cancel in forces, constraints and in single entries of M too.
#[test]
fn facts_of_other_writings_of_forces_and_constraints() {
    let facts = |block: &str| derived(block, ITEM).equations.facts;
    let body = "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2;";
    for (plain, other) in [
        ("force x = -c*x;", "force x - w*t = -c*x*(cos(2*t) + 2*sin(t)^2);"),
        ("dissipation = c*dot(x)^2/2;", "dissipation = c*dot(x)^2*(cos(2*t) + 2*sin(t)^2)/2;"),
        ("constraint rod: x^2 + y^2 == l^2;", "constraint rod: (x^2 + y^2)*(cos(2*t) + 2*sin(t)^2) == l^2;"),
        ("nonholonomic rod: dot(x) == x*dot(y);", "nonholonomic rod: dot(x)*(cos(2*t) + 2*sin(t)^2) == x*dot(y);"),
    ] {
        assert_eq!(facts(&format!("{body} {other}")), facts(&format!("{body} {plain}")), "{other}");
    }
    // The magnetic field leaves a coordinate in L beside a constant M.
    let field = |one: &str| format!("coordinates x, y; lagrangian = m*(dot(x)^2{one} + dot(y)^2)/2 + c*x^2*dot(y);");
    let expected = facts(&field(""));
    assert!(expected.constant_mass && expected.quadratic);
    for symbol in ["x", "t", "dot(y)"] {
        let found = facts(&field(&format!("*(cos(2*{symbol}) + 2*sin({symbol})^2)")));
        assert_eq!((found.constant_mass, found.quadratic), (true, true), "{symbol}");
    }
}
