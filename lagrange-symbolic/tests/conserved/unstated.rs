//! Symmetries that a block does not state: which are found, and what changes their momenta.

use super::tokens;
use expect_test::{Expect, expect};
use lagrange_symbolic::{Conserved, FoundSymmetry, derivation, parse};

/// A line for each symmetry that is found.
fn found(block: &str) -> String {
    let item = "struct Mechanism { m: f64, k: f64, l: f64, g: f64, a: f64, c: f64, B: f64, w: f64 }";
    let spec = parse::parse(tokens(block), tokens(item)).and_then(|spec| derivation(&spec));
    let derivation = spec.unwrap_or_else(|report| panic!("{:?}", report.entries()));
    let lines = derivation.found.iter().map(|FoundSymmetry { change, gauge, momentum, how, changed_by }| {
        let how = if *how == Conserved::Proved { "" } else { " (checked)" };
        let gauge = if gauge == "0" { String::new() } else { format!(", K = {gauge}") };
        let changed_by = changed_by.join(", ");
        let changed_by = if changed_by.is_empty() { changed_by } else { format!("; {changed_by}") };
        format!("{change}{how}{gauge}: {momentum}{changed_by}\n")
    });
    lines.collect()
}

#[track_caller]
fn check(block: &str, expected: Expect) {
    expected.assert_eq(&found(block));
}

fn is_cut(block: &str) -> bool {
    let item = "struct Mechanism { m: f64, k: f64, l: f64, g: f64 }";
    parse::parse(tokens(block), tokens(item)).and_then(|spec| derivation(&spec)).is_ok_and(|found| found.search_is_cut)
}

#[test]
fn a_search_that_is_given_up_says_so() {
    let free = |n: usize| format!("coordinates x[{n}]; kinetic = m*norm2(dot(x))/2; potential = k*norm2(x)/2;");
    assert!(!is_cut(&free(6)));
    assert!(is_cut(&free(7)));
    // Values at random states that would take too long: 5 coordinates in a sum of many terms.
    let terms: Vec<String> = (1..600).map(|i| format!("sin({i}*x[0])*cos(x[{}])", 1 + i % 4)).collect();
    let long = format!("coordinates x[5]; kinetic = m*norm2(dot(x))/2; potential = k*({});", terms.join(" + "));
    assert!(is_cut(&long));
    // Rods hold what a turn moves, and each is decided in doubles.
    let rods = "coordinates r[3][2]; kinetic = m*sum(i in 0..3, norm2(dot(r[i])))/2; potential = m*g*sum(i in 0..3, r[i][1]);
                constraint upper: norm(r[0]) == l; constraint middle: norm(r[1] - r[0]) == l; constraint lower: norm(r[2] - r[1]) == l;";
    assert!(!is_cut(rods));
}

/// The row of a wire is orthogonal to a turn on the wire alone, where its factor is rounding in doubles.
#[test]
fn what_vanishes_on_the_constraints_is_not_rejected_in_doubles() {
    check(
        "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; constraint wire: (x^2 + y^2 - l^2)*exp(x/l) == 0;",
        expect![[r#"
            [-y, x]: m*(x*dot(y) - y*dot(x))
            [t, 0], K = m*x: m*(t*dot(x) - x); wire
            [0, t], K = m*y: m*(t*dot(y) - y); wire
        "#]],
    );
}

#[test]
fn turns_and_shifts() {
    // z is cyclic, and no turn moves it, because the spring acts across it.
    check(
        "coordinates x, y, z; kinetic = m*norm2(dot([x, y, z]))/2; potential = k*(x^2 + y^2)^2;",
        expect![[r#"
            [-y, x, 0]: m*(x*dot(y) - y*dot(x))
            [0, 0, t], K = m*z: m*(t*dot(z) - z)
        "#]],
    );
    check(
        "coordinates r[2][2];
         kinetic = m*norm2(dot(r[0]))/2 + a*norm2(dot(r[1]))/2;
         potential = -k/norm(r[1] - r[0]);",
        expect![[r#"
            [1, 0, 1, 0]: a*dot(r[1][0]) + m*dot(r[0][0])
            [0, 1, 0, 1]: a*dot(r[1][1]) + m*dot(r[0][1])
            [-r[0][1], r[0][0], -r[1][1], r[1][0]]: m*r[0][0]*dot(r[0][1]) - m*r[0][1]*dot(r[0][0]) - a*r[1][1]*dot(r[1][0]) + a*r[1][0]*dot(r[1][1])
            [t, 0, t, 0], K = m*r[0][0] + a*r[1][0]: t*(a*dot(r[1][0]) + m*dot(r[0][0])) - m*r[0][0] - a*r[1][0]
            [0, t, 0, t], K = m*r[0][1] + a*r[1][1]: t*(a*dot(r[1][1]) + m*dot(r[0][1])) - m*r[0][1] - a*r[1][1]
        "#]],
    );
    // Kepler in space: three turns.
    check(
        "coordinates r[3]; kinetic = m*norm2(dot(r))/2; potential = -k/norm(r); dissipation = c*dot(r[2])^2/2;",
        expect![[r#"
            [-r[1], r[0], 0]: m*(r[0]*dot(r[1]) - r[1]*dot(r[0]))
            [-r[2], 0, r[0]]: m*(r[0]*dot(r[2]) - r[2]*dot(r[0])); dissipation
            [0, -r[2], r[1]]: m*(r[1]*dot(r[2]) - r[2]*dot(r[1])); dissipation
        "#]],
    );
}

#[test]
fn changes_of_l_by_a_total_derivative() {
    check(
        "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = m*g*y;",
        expect![[r#"
        [0, 1], K = -m*g*t: m*(dot(y) + g*t)
        [t, 0], K = m*x: m*(t*dot(x) - x)
        [0, t], K = m*(y - g*t^2/2): m*(g*t^2/2 - y + t*dot(y))
    "#]],
    );
    check(
        "coordinates x, y; lagrangian = m*(dot(x)^2 + dot(y)^2)/2 + B*(x*dot(y) - y*dot(x))/2;",
        expect![[r#"
            [1, 0], K = B*y/2: m*dot(x) - B*y
            [0, 1], K = -B*x/2: B*x + m*dot(y)
            [-y, x]: y*(B*y/2 - m*dot(x)) + x*(B*x/2 + m*dot(y))
        "#]],
    );
    // A drift along a ramp that moves: the shift of both with the time.
    check(
        "coordinates x, y; lagrangian = m*(dot(x)^2 + dot(y)^2)/2 - k*(x - y - w*t)^4;",
        expect![[r#"
            [1, 1]: m*(dot(x) + dot(y))
            [t, t], K = m*(x + y): m*(t*(dot(x) + dot(y)) - x - y)
        "#]],
    );
}

#[test]
fn what_is_not_there_is_not_found() {
    for block in [
        "coordinates x; kinetic = m*dot(x)^2/2; potential = k*x^4;",
        "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = k*(x^2 + 2*y^2)/2;",
        "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = k*(x^2 + y^2)^2 + 1e-6*x;",
        "coordinates x, y; kinetic = m*dot(x)^2/2 + a*dot(y)^2/2; potential = k*(x^2 + y^2);",
        "coordinates x, y, z; lagrangian = m*dot(x)^2/2 + (B + a*x)*(y*dot(z) - z*dot(y))/2 - k*(y^2 + z^2)/2;",
    ] {
        assert_eq!(found(block), "", "{block}");
    }
    // What is stated is not found once more, nor is a multiple of it.
    assert_eq!(
        found(
            "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = k*(x^2 + y^2)^2; symmetry turn: [2*y, -2*x];"
        ),
        ""
    );
}
