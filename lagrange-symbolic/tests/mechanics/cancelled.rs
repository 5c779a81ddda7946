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
