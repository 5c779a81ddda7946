//! Warnings of a dissipation that does not only take energy.

use super::{derived, warnings};

/// The rows of the warnings about a dissipation of two coordinates and a state.
fn told(dissipation: &str, rest: &str) -> Vec<&'static str> {
    let block = format!(
        "allow unused_field, idle_dissipation; coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = k*(x^2 + y^2)/2; state z: dot(z) == -z; \
         dissipation = {dissipation}; {rest}"
    );
    warnings(&derived(&block, "struct Body { m: f64, k: f64, c: f64, d: f64 }"))
}

#[test]
fn a_dissipation_that_gives_energy_is_told() {
    for dissipation in [
        "-c*dot(x)^2/2",
        "-dot(y)^2",
        "d - c*dot(y)^2/2",
        "c*dot(x)^2/2 - d*dot(y)^2/2",
        "-c*(dot(x) - dot(y))^2/2",
        "-c*abs(dot(x))^3/3",
        "-c*abs(dot(x))",
        "-c*norm([dot(x), dot(y)])",
        "-exp(z)*dot(x)^2",
        "-x^2*dot(x)^2",
        "-c*dot(x)^2/2 - d*dot(x)^4/4",
    ] {
        assert_eq!(told(dissipation, ""), ["GivingDissipation"], "{dissipation}");
    }
    assert_eq!(told("c*dot(x)^2/2", "assume -c > 0;"), ["GivingDissipation"]);
}

#[test]
fn a_dissipation_that_takes_energy_or_may_do_both_is_not() {
    for dissipation in [
        "c*dot(x)^2/2",
        "c*abs(dot(x))^3/3 + d*abs(dot(y))",
        "c*(dot(x) - dot(y))^2/2",
        "(c - d)*dot(x)^2/2",
        "z*dot(x)^2",
        // Van der Pol's oscillator gives energy to slow motions and takes it from fast ones.
        "c*(dot(x)^4/12 - dot(x)^2/2)",
        "c*(sqrt(dot(x)^2 + d^2) - d)",
        "-c*z^2",
        "0",
    ] {
        assert_eq!(told(dissipation, ""), [""; 0], "{dissipation}");
    }
    assert_eq!(told("-c*dot(x)^2/2", "assume -c > 0;"), [""; 0]);
    assert_eq!(told("-c*dot(x)^2/2", "assume c + d > 0;"), ["GivingDissipation"], "this says nothing of c alone");
}
