//! The grammar: what is read is printed back with every operation in parentheses.

use super::super::StatementKind;
use super::spec;
use expect_test::{Expect, expect};

fn check(expression: &str, expected: Expect) {
    let spec = spec(&format!("let value = {expression};"));
    let StatementKind::Let { value, .. } = &spec.statements[0].kind else { panic!("a definition was written") };
    expected.assert_eq(&format!("{value:#}"));
    // What is printed with few parentheses reads back as the same tree.
    let again = super::spec(&format!("let value = {value};"));
    let StatementKind::Let { value: again, .. } = &again.statements[0].kind else { panic!("a definition was written") };
    assert_eq!(format!("{value:#}"), format!("{again:#}"));
}

#[test]
fn precedence() {
    check("a + b*c - d/e", expect!["(a + (b*c)) - (d/e)"]);
    check("-x^2", expect!["-(x^2)"]);
    check("2^3^4", expect!["2^(3^4)"]);
    check("x^-1", expect!["x^(-1)"]);
    check("x^-y^2", expect!["x^(-(y^2))"]);
    check("(-x)^2", expect!["(-x)^2"]);
    check("a*-b", expect!["a*(-b)"]);
    check("a - b - c", expect!["(a - b) - c"]);
    check("a/b*c", expect!["(a/b)*c"]);
    check("a/(b*c)", expect!["a/(b*c)"]);
    check("--a", expect!["-(-a)"]);
    check("m*l^2*dot(theta)^2/2", expect!["((m*(l^2))*(dot(theta)^2))/2"]);
}

#[test]
fn numbers_are_exact() {
    check("0.1 + 1e-3 + 1_000", expect!["(0.1 + 0.001) + 1000"]);
    check("1e-20", expect!["1/100000000000000000000"]);
}

#[test]
fn calls_vectors_and_indices() {
    check("x.dot()", expect!["dot(x)"]);
    check("a.inner(b).sqrt()^2", expect!["sqrt(inner(a, b))^2"]);
    check("[a, b + c,][0]", expect!["[a, b + c][0]"]);
    check("m[0][1] + m[0, 1]", expect!["m[0][1] + m[0, 1]"]);
    check("dot", expect!["dot"]);
    check("-a.norm()", expect!["-norm(a)"]);
}

#[test]
fn choices_and_integrals() {
    check(
        "if a < b && !(c >= d) || e <= f { 1 } else if x > 0 { 2 } else { 3 }",
        expect!["if ((a < b) && (!(c >= d))) || (e <= f) { 1 } else { if x > 0 { 2 } else { 3 } }"],
    );
    check("integral(x in 0..l1 + 1, mu*abs(x*v)^3/3)", expect!["integral(x in 0..l1 + 1, (mu*(abs(x*v)^3))/3)"]);
    check("integral(x in -l/2..l/2, x)", expect!["integral(x in (-l)/2..l/2, x)"]);
    check("2*if a < b { 1 } else { 2 }", expect!["2*if a < b { 1 } else { 2 }"]);
}

#[test]
fn statements() {
    let spec = spec(
        "/// Angles.\n/// From the vertical.\ncoordinates a, b; ; kinetic = 1; lagrangian = 2; potential = 3; \
         dissipation = 4; force a = u; verify mass[a, b] == 0; coordinates c,;",
    );
    expect![[r#"
        "coordinates a b" Angles.
        From the vertical.
        "kinetic = 1" 
        "lagrangian = 2" 
        "potential = 3" 
        "dissipation = 4" 
        "force a = u" 
        "verify mass[a, b] == 0" 
        "coordinates c" 
    "#]]
    .assert_eq(
        &spec
            .statements
            .iter()
            .map(|statement| format!("{:?} {}\n", kind(&statement.kind), statement.documentation))
            .collect::<String>(),
    );
}

fn kind(kind: &StatementKind) -> String {
    match kind {
        StatementKind::Coordinates(names) => {
            format!("coordinates {}", names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        }
        StatementKind::Let { name, value } => format!("let {name} = {value}"),
        StatementKind::Energy { energy, value, .. } => format!("{} = {value}", energy.keyword()),
        StatementKind::Force { left, right } => format!("force {left} = {right}"),
        StatementKind::Verify { left, right } => format!("verify {left} == {right}"),
    }
}

#[test]
fn words_are_keywords_at_the_start_of_a_statement_only() {
    check("force + kinetic*verify", expect!["force + (kinetic*verify)"]);
}
