//! The conditions on parameters that a proof of a positive mass matrix uses. They must be no stronger than necessary.

use super::derived;
use lagrange_symbolic::mechanics::Positivity;
use lagrange_symbolic::print::{Naming, text};

const ITEM: &str = "struct Mass { m: f64, a: f64, c: f64, l: f64 }";

/// The conditions that `prepare` checks, or "not proved".
fn conditions(kinetic: &str, assumptions: &str) -> String {
    let derivation = derived(&format!("coordinates x, y; kinetic = {kinetic}; {assumptions}"), ITEM);
    if !derivation.equations.facts.positive_mass {
        return "not proved".to_owned();
    }
    let naming = Naming {
        coordinates: vec!["x".into(), "y".into()],
        parameters: ["m", "a", "c", "l"].map(String::from).to_vec(),
        ..Naming::default()
    };
    let shown = derivation.equations.positivity.iter().map(|condition| {
        let relation = if condition.strictly { ">" } else { ">=" };
        format!("{} {relation} 0", text(&derivation.model.graph, condition.expression, &naming))
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn check(kinetic: &str, assumptions: &str, expected: &str) {
    assert_eq!(conditions(kinetic, assumptions), expected, "{kinetic}; {assumptions}");
}

#[test]
fn a_square_needs_nothing_of_what_is_squared() {
    let both = |factor: &str| format!("{factor}*(dot(x)^2 + dot(y)^2)/2");
    check(&both("(1 + (a + sin(x))^2)"), "", "");
    check(&both("(1 + (a + c)^2)"), "", "");
    check(&both("(1 + a^2)"), "", "");
    check(&both("exp(a*x)"), "", "");
    check(&both("(1 + abs(a + x))"), "", "");
    check(&both("max(1, a + x)"), "", "");
    check(&both("(1 + norm([a, x]))"), "", "");
    check(&both("(1 + sqrt(a + x^2))"), "", "");
    check(&both("m*(1 + (a + sin(x))^2)"), "", "m > 0");
    check(&both("(m + (a + sin(x))^2)"), "", "m > 0");
    check(&both("(m + a*sin(x)^2)"), "", "m > 0, a >= 0");
    check(&both("min(m, 2 + x^2)"), "", "m > 0");
    check(&both("(if x > 0 { m + x } else { m })"), "", "not proved");
    check(&both("(if x > 0 { m + x^2 } else { m })"), "", "m > 0");
}

#[test]
fn the_conditions_that_remain() {
    check("m*l^2*dot(x)^2/2 + m*(dot(x) + dot(y))^2/2", "", "m > 0, m*l^2 > 0");
    check("m*dot(x)^2/2 + a*dot(x)^2*cos(x)^2/2 + c*dot(y)^2/2", "", "m > 0, a >= 0, c > 0");
    check("-m*dot(x)^2/2 + dot(y)^2/2", "", "not proved");
    check("(1 + a*x)*dot(x)^2/2 + dot(y)^2/2", "", "not proved");
    check("max(x - 5, 0)*dot(x)^2/2 + dot(y)^2/2", "", "not proved");
}

#[test]
fn assumptions_count() {
    let both = |factor: &str| format!("{factor}*(dot(x)^2 + dot(y)^2)/2");
    check(&both("a"), "assume a < 0;", "not proved");
    check(&both("(-a)"), "assume a < 0;", "");
    check(&both("abs(a)"), "assume a < 0;", "");
    check(&both("a^2"), "assume a < 0;", "");
    check(&both("a*c"), "assume a < 0;", "not proved");
    check(&both("(-a*c)"), "assume a < 0;", "-a*c > 0");
    check(&both("(a - c)"), "assume a > c;", "");
    // A parameter that may be negative is not taken to be positive.
    check(&both("(2 + a*cos(x)^2)"), "assume a > -1;", "not proved");
    check(&both("(1 + a)"), "assume a > -1;", "");
}

#[test]
fn a_factor_that_vanishes_somewhere_is_not_positive() {
    let both = |factor: &str| format!("{factor}*(dot(x)^2 + dot(y)^2)/2");
    for factor in ["abs(x)", "x^2", "norm([x, y])", "m*abs(a - x)", "(a + x)^4", "abs(sin(x))"] {
        check(&both(factor), "", "not proved");
    }
    check(&both("abs(m)"), "", "abs(m) > 0");
}

#[test]
fn assumptions_bound_negative_powers() {
    let verified = |claim: &str, assumptions: &str| {
        let block = format!("coordinates x; kinetic = m*dot(x)^2/2; {assumptions} verify {claim};");
        super::derive(&block, ITEM).map(|_| ())
    };
    for power in ["1/a", "a^(-2)", "a^(-1/2)"] {
        verified(&format!("abs({power} - 2) == 2 - {power}"), "assume a > 1;").expect("the power is below 1");
        verified(&format!("max({power}, 2) == 2"), "assume a > 1; assume a < 3;").expect("the power is below 1");
        verified("abs(c) == c", &format!("assume a > 1; assume c > {power} - 3;")).expect_err("c may be negative");
    }
}

#[test]
fn assumptions_bound_even_and_odd_powers() {
    let verified = |claim: &str, assumptions: &str| {
        let block = format!("coordinates x; kinetic = m*dot(x)^2/2; {assumptions} verify {claim};");
        super::derive(&block, ITEM).map(|_| ())
    };
    for power in ["a^2", "a^4", "a^3"] {
        for bounds in ["assume a > 2; assume a < 3;", "assume a > 2;"] {
            verified(&format!("abs({power} - 3) == {power} - 3"), bounds).expect("the power is above 4");
            verified("abs(c) == c", &format!("{bounds} assume c > 3 - {power};")).expect_err("c may be negative");
            verified("abs(c) == c", &format!("{bounds} assume c > {power} - 3;")).expect("c is above 1");
        }
        // The smallest value of an even power is at 0, and not at an end.
        for bounds in ["assume a > -3; assume a < 1;", "assume a > -1; assume a < 3;"] {
            verified("abs(c) == c", &format!("{bounds} assume c > {power} - 1/2;")).expect_err("c may be negative");
        }
    }
    let bounds = "assume a > -3; assume a < -2;";
    for (power, sign) in [("a^2", 1), ("a^4", 1), ("a^3", -1)] {
        verified(&format!("abs({power}) - 3 == {sign}*{power} - 3"), bounds).expect("the sign is known");
        let limit = format!("{bounds} assume c > {sign}*{power} - 3;");
        verified("abs(c) == c", &limit).expect("c is above 1");
    }
}

/// A claim needs the sign of a parameter only where it is false for another sign. That the sign of another parameter follows
/// from it is no such need.
#[test]
fn claims_need_only_signs_that_were_presumed() {
    let block = "coordinates x; kinetic = dot(x)^2/2; assume a < c; verify abs(c)*(a + l) == c*(a + l);";
    let derivation = derived(block, ITEM);
    let naming = Naming { parameters: ["m", "a", "c", "l"].map(String::from).to_vec(), ..Naming::default() };
    let shown = |known: &Positivity| text(&derivation.model.graph, known.expression, &naming);
    let signs: Vec<String> = derivation.equations.positivity.iter().map(shown).collect();
    assert_eq!(signs, ["c"], "only c must not be negative");
}
