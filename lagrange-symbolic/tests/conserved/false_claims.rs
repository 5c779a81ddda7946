//! False claims that hold at most of the points that one would try: none is accepted. What cannot be covered is undecided.

use super::{known, tokens};
use lagrange_symbolic::{derivation, parse};

/// Whether a block with a claim is accepted: no mistake, and no warning of an undecided claim.
fn is_accepted(block: &str) -> bool {
    let item = "struct Mechanism { m: f64, k: f64, a: f64, c: f64, f: f64 }";
    let spec = parse::parse(tokens(block), tokens(item)).expect("the block is well formed");
    derivation(&spec).is_ok_and(|derived| {
        derived.model.warnings.entries().iter().all(|(warning, _)| !warning.text().contains("could not decide"))
    })
}

#[track_caller]
fn check(head: &str, claims: &[&str], accepted: bool) {
    for claim in claims {
        let block = format!("{head} {claim}");
        assert_eq!(is_accepted(&block), accepted, "{block}");
    }
}

const FREE: &str = "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2;";

#[test]
fn parameters_that_assumptions_let_be_negative() {
    for assumption in [
        "assume a^2 < 1;",
        "assume a < k;",
        "assume a*m > -2;",
        "assume a^3 < 5;",
        "assume a + m > -1;",
        "assume exp(a) < 3;",
        "assume k - a > 0;",
        "assume 1/(2 + a) > 0;",
        "assume abs(a) < k;",
    ] {
        check(&format!("{FREE} {assumption}"), &["verify sqrt(a^2) == a;", "verify abs(a) == a;"], false);
        let block = "coordinates x; kinetic = m*dot(x)^2/2; potential = a*x;";
        check(&format!("{block} {assumption}"), &["invariant e = m*dot(x)^2/2 + abs(a)*x;"], false);
    }
    // An assumption that no negative value meets leaves the parameter positive.
    for assumption in ["assume a > k;", "assume a*k > 1;", "assume a + 1 > k + 1;", "assume a > 2; assume a^2 < 9;"] {
        check(&format!("{FREE} {assumption}"), &["verify sqrt(a^2) == a;", "verify abs(a) == a;"], true);
    }
}

#[test]
fn branches_of_floors_and_remainders() {
    let claims = [
        "force x = k*(mod(x + 50, 100) - x - 50); invariant p = dot(x);",
        "force x = -k*floor(t/1000)^2*(floor(t/1000) + 1); invariant p = dot(x);",
        "verify floor(x/100)*(1 + floor(x/100)) == 0;",
        "verify floor(x/1e7)*(1 + floor(x/1e7)) == 0;",
        "verify mod(x + 1e9, 2e9) == x + 1e9;",
        "verify floor(a/1000) == 0;",
        "verify floor(floor(x)/1e4 + 1/2) == 0;",
        "verify floor(x)*(floor(x)^2 - 1) == 0;",
    ];
    check(FREE, &claims, false);
    let true_claims =
        ["verify mod(x, a) == x - a*floor(x/a);", "verify floor(x)^2 - 1 == (floor(x) - 1)*(floor(x) + 1);"];
    check(FREE, &true_claims, true);
}

#[test]
fn components_of_constraints() {
    for value in ["30", "0.01", "3000", "-500000"] {
        check(&format!("{FREE} constraint c: y*(y - ({value})) == 0;"), &["verify y == 0;"], false);
    }
    check(&format!("{FREE} constraint c: x^2 + y^2 == 1e8;"), &["verify x^2 + y^2 == 1e8;"], true);
    check(&format!("{FREE} constraint c: sin(y) == 0;"), &["verify y == 0;", "verify cos(y) == 1;"], false);
    check(&format!("{FREE} constraint c: sin(y) == 0;"), &["verify cos(y)^2 == 1;"], true);
}

#[test]
fn what_differs_outside_of_small_boxes() {
    let claims = [
        "force x = f*(1 - tanh(x + 300)); invariant p = dot(x);",
        "verify tanh(x + 300) == 1;",
        "verify tanh(x - 3000) == -1;",
        "verify atan(x/1e-5) == atan(x/1e-5)*sign(x + 5e3);",
        "verify max(x, -2000) == x;",
        "verify if t > 1e5 { 1 } else { 0 } == 0;",
        "verify if abs(x - 2e-5) < 1e-6 { 1 } else { 0 } == 0;",
    ];
    check(FREE, &claims, false);
}

#[test]
fn what_differs_below_the_digits() {
    for claim in [
        "verify x + 1e-200 == x;",
        "verify sin(x) + 1e-200*cos(x) == sin(x);",
        "verify exp(x + 1e-200) == exp(x);",
        "verify tanh(x*(1 + 1e-300)) == tanh(x);",
        "verify cos(x + 1e-600) == cos(x);",
        "force x = 1e-200*f*tanh(y); invariant p = dot(x);",
    ] {
        check(FREE, &[claim], false);
    }
}

#[test]
fn half_of_a_domain() {
    let claims =
        ["verify ln(x^2) == 2*ln(x);", "verify sqrt(x*y) == sqrt(x)*sqrt(y);", "verify ln(x*y) == ln(x) + ln(y);"];
    check(FREE, &claims, false);
    check(
        FREE,
        &["verify ln(sqrt(x)) == ln(x)/2;", "verify ln(a^2) == 2*ln(a);", "verify ln(x^2) == 2*ln(abs(x));"],
        true,
    );
}

#[test]
fn values_on_a_boundary() {
    let wrong = ["invariant q = sign(x)^2;", "invariant q = abs(sign(y - x));"];
    check(FREE, &wrong, false);
    check(FREE, &["invariant q = dot(x)*(1 + 0*sign(x)) + 0*sign(y);", "invariant q = dot(x) + abs(0*x);"], true);
}

#[test]
fn energy_of_a_cubic_resistor_is_constant_at_all_sizes() {
    let block = "coordinates charge; kinetic = 0; potential = charge^2/(2*c); dissipation = k*dot(charge)^4/4; \
                 state heat: dot(heat) == k*dot(charge)^4;";
    check(block, &["invariant total = charge^2/(2*c) + heat;"], true);
}

/// A proof needs no point, so that a wrong rule of normal forms accepts what is false everywhere.
#[test]
fn powers_of_sums() {
    for power in ["-1", "-2", "-3", "1/2", "-1/2", "2", "3", "-3/2"] {
        for base in ["(x^2 + 1)", "(a + m)", "(a + x^2*m + 2)", "(2 + cos(x))", "(exp(x) + exp(-y))"] {
            let wrong = ["B", "1/B", "B^2", "B^(-2)", "sqrt(B)", "B^3"].map(|other| other.replace('B', base));
            let right = format!("({base}*(a^2 + 1))^({power})/(a^2 + 1)^({power})");
            let same = |other: &str| {
                matches!(
                    (power, other),
                    ("-1", "1/B") | ("-2", "B^(-2)") | ("1/2", "sqrt(B)") | ("2", "B^2") | ("3", "B^3")
                )
            };
            check(FREE, &[&format!("verify {right} == {base}^({power});")], true);
            for (other, template) in wrong.iter().zip(["B", "1/B", "B^2", "B^(-2)", "sqrt(B)", "B^3"]) {
                check(FREE, &[&format!("verify {right} == {other};")], same(template));
            }
        }
    }
}

/// Under a constraint, the assignment of a mode moves velocities that it does not name.
#[test]
fn a_mode_changes_what_a_constraint_ties_to_its_target() {
    let messages = known(
        "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; constraint tie: x == y;
         mode pushed = when t > 1 { 1 } then dot(y) = 4; invariant vx = dot(x);",
    )
    .expect_err("the mode changes it");
    assert!(messages.contains("a change of mode `pushed` may change invariant `vx`"), "{messages}");
}
