//! The grammar. A parsed expression is printed with parentheses around every operation.

use super::spec;
use expect_test::{Expect, expect};
use lagrange_symbolic::syntax::{CoordinateArray, Indexing, Measured, StatedUnit, StatementKind, When};
use proc_macro2::{Ident, TokenStream};

fn check(expression: &str, expected: Expect) {
    let spec = spec(&format!("let value = {expression};"));
    let StatementKind::Let { value, .. } = &spec.statements[0].kind else { panic!("a definition was written") };
    expected.assert_eq(&format!("{value:#}"));
    // The text with few parentheses parses to the same tree.
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
         dissipation = 4; force a = u; verify mass[a, b] == 0; coordinates c,; coordinates d[n], e[6][3], f[2, 2]; \
         let p[0] = 1; let p[i in 1..n] = p[i - 1]; let r[i in 0..2][j in 0..i, 3] = i; force d[i in 0..n] = 0; \
         constraint rod[i in 1..n]: norm(e[i]) == l; nonholonomic edge: dot(a) == 0; output o[2] = a; assume l > 0; \
         mode on[0] = when a > 0 { 1 } then b = 2, dot(b) = 0 when a < 0 && b < 0 { 0 }; \
         const n = 8; extern h(x, y) = self::h, d(x) = ::a::b, d(x, y) = super::c::d; \
         table f(x) = spline([0, 1], y); crate = mine::runtime; max_operations = 30_000; \
         units time = day, energy = Msun*AU^2/day^2; coordinates g: m, h[4]: rad; let q[1]: kg*m^(-1/2) = 2.5[N/m^-2]; \
         state z[0]: K/(J*s), dot(z[0]) == 1; output p: 1 = 1; invariant w: (N*m)^2 = 1; \
         symmetry s[i in 0..2]: [1, i], gauge = t; symmetry turn: [-y, x];",
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
        "coordinates d[n] e[6][3] f[2][2]" 
        "let p[0] = 1" 
        "let p[i in 1..n] = p[i - 1]" 
        "let r[i in 0..2][j in 0..i][3] = i" 
        "force[i in 0..n] d[i] = 0" 
        "constraint rod[i in 1..n]: norm(e[i]) == l" 
        "nonholonomic edge: dot(a) == 0" 
        "output o[2] = a" 
        "assume l > 0" 
        "mode on[0] = when a > 0 { 1 } then b = 2, dot(b) = 0 when a < 0 && b < 0 { 0 }" 
        "const n = 8" 
        "extern h = self :: h d(x) = :: a :: b d(x, y) = super :: c :: d" 
        "table f = spline([0, 1], y)" 
        "crate = mine :: runtime" 
        "max_operations = 30000" 
        "units time = day energy = Msun*AU^2/day^2" 
        "coordinates g: m h[4]: rad" 
        "let q[1]: kg*m^(-1/2) = 2.5[N/m^-2]" 
        "state z[0]: K/(J*s): dot(z[0]) == 1" 
        "output p: 1 = 1" 
        "invariant w: (N*m)^2 = 1" 
        "symmetry s[i in 0..2]: [1, i], gauge = t" 
        "symmetry turn: [-y, x]" 
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
        StatementKind::Coordinates(arrays) => {
            let array = |array: &CoordinateArray| {
                let text =
                    array.lengths.iter().fold(array.name.to_string(), |text, length| format!("{text}[{length}]"));
                text + &stated(&array.unit)
            };
            format!("coordinates {}", arrays.iter().map(array).collect::<Vec<_>>().join(" "))
        }
        StatementKind::Let { name, indices, unit, value } => {
            format!("let {name}{}{} = {value}", indexing(indices), stated(unit))
        }
        StatementKind::Energy { energy, value, .. } => format!("{} = {value}", energy.keyword()),
        StatementKind::Force { indices, left, right } => format!("force{} {left} = {right}", indexing(indices)),
        StatementKind::Torque { indices, left, right } => format!("torque{} {left} = {right}", indexing(indices)),
        StatementKind::Friction { name, indices, slip, is_rate, bound, smooth, breakaway } => {
            let slip = if *is_rate { format!("rate({slip})") } else { slip.to_string() };
            let held = breakaway.as_ref().map_or(String::new(), |held| format!(", breakaway = {held}"));
            let smooth = smooth.as_ref().map_or(String::new(), |rate| format!(", smooth = {rate}"));
            format!("friction {name}{}: {slip} = {bound}{smooth}{held}", indexing(indices))
        }
        StatementKind::Contact { name, indices, sides, restitution, friction, is_rate, breakaway, adhesion } => {
            let slip = |slip: &lagrange_symbolic::syntax::Expr| {
                if *is_rate { format!("rate({slip})") } else { slip.to_string() }
            };
            let held = breakaway.as_ref().map_or(String::new(), |held| format!(", breakaway = {held}"));
            let adhesion = adhesion.as_ref().map_or(String::new(), |adhesion| format!(", adhesion = {adhesion}"));
            let (left, right) = &**sides;
            let restitution = restitution.as_ref().map_or(String::new(), |e| format!(", restitution = {e}"));
            let friction = friction
                .as_ref()
                .map_or(String::new(), |both| format!(", friction = {}, slip = {}", both.1, slip(&both.0)));
            format!("contact {name}{}: {left} >= {right}{restitution}{friction}{held}{adhesion}", indexing(indices))
        }
        StatementKind::Mode { name, indices, changes } => {
            let changes = changes.iter().map(|When { condition, value, then }| {
                let then =
                    then.iter().map(|(target, value)| format!("{target} = {value}")).collect::<Vec<_>>().join(", ");
                let then = if then.is_empty() { then } else { format!(" then {then}") };
                format!(" when {condition} {{ {value} }}{then}")
            });
            format!("mode {name}{} ={}", indexing(indices), changes.collect::<String>())
        }
        StatementKind::State { name, indices, unit, left, right } => {
            format!("state {name}{}{}: {left} == {right}", indexing(indices), stated(unit))
        }
        StatementKind::Constraint { kind, name, indices, left, right, when } => {
            let when = when.as_ref().map_or(String::new(), |when| format!(" when {when}"));
            format!("{} {name}{}: {left} == {right}{when}", kind.keyword(), indexing(indices))
        }
        StatementKind::Output { name, indices, unit, value } => {
            format!("output {name}{}{} = {value}", indexing(indices), stated(unit))
        }
        StatementKind::Invariant { name, indices, unit, value } => {
            format!("invariant {name}{}{} = {value}", indexing(indices), stated(unit))
        }
        StatementKind::Symmetry { name, indices, change, gauge } => {
            let gauge = gauge.as_ref().map_or_else(String::new, |gauge| format!(", gauge = {gauge}"));
            format!("symmetry {name}{}: {change}{gauge}", indexing(indices))
        }
        StatementKind::Assume(condition) => format!("assume {condition}"),
        StatementKind::Const { name, value } => format!("const {name} = {value}"),
        StatementKind::Extern(function) => {
            let by = |(by, path): &(Vec<Ident>, TokenStream)| {
                let by: Vec<String> = by.iter().map(ToString::to_string).collect();
                format!(" d({}) = {path}", by.join(", "))
            };
            let derivatives: String = function.derivatives.iter().map(by).collect();
            format!("extern {} = {}{derivatives}", function.name, function.path)
        }
        StatementKind::Table { name, knots, values, interpolation, .. } => {
            let knots: Vec<String> = knots.iter().map(ToString::to_string).collect();
            format!("table {name} = {interpolation:?}({}, {values})", knots.join(", ")).replace("Spline", "spline")
        }
        StatementKind::Crate(path) => format!("crate = {path}"),
        StatementKind::Units(units) => {
            let text = |(of, unit): &(Measured, StatedUnit)| format!(" {} = {}", of.word(), unit.text);
            format!("units{}", units.iter().map(text).collect::<String>())
        }
        StatementKind::MaxOperations(limit) => format!("max_operations = {limit}"),
        StatementKind::Part { name, length, path } => match length {
            Some(length) => format!("part {name}[{length}]: {path}"),
            None => format!("part {name}: {path}"),
        },
        StatementKind::Allow { lints, .. } => {
            format!("allow{}", lints.iter().map(|lint| format!(" {lint}")).collect::<String>())
        }
        StatementKind::MayBePart => "part".to_owned(),
        StatementKind::Given(given) => format!("given of {}", given.len()),
        StatementKind::Verify { left, right } => format!("verify {left} == {right}"),
    }
}

fn stated(unit: &Option<StatedUnit>) -> String {
    unit.as_ref().map_or(String::new(), |unit| format!(": {}", unit.text))
}

fn indexing(indices: &[Indexing]) -> String {
    let text = |index: &Indexing| match index {
        Indexing::Element(at) => format!("[{at}]"),
        Indexing::Range(range) => format!("[{} in {}..{}]", range.variable, range.from, range.to),
    };
    indices.iter().map(text).collect()
}

#[test]
fn words_are_keywords_at_the_start_of_a_statement_only() {
    check("force + kinetic*verify", expect!["force + (kinetic*verify)"]);
}
