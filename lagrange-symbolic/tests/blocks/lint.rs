//! Warnings about what a block states without effect, and the statement that allows a warning by its name.

use super::{described, source, tokens};
use expect_test::{Expect, expect};
use lagrange_symbolic::parse::parse;
use lagrange_symbolic::report::Report;

/// The mistakes in a block, or else the warnings about it and its equations.
fn report(source: &str) -> Report {
    let (block, item) = tokens(source);
    let warnings = parse(block, item).and_then(|spec| lagrange_symbolic::derivation(&spec));
    warnings.map_or_else(|report| report, |derivation| derivation.model.warnings)
}

/// The warnings about blocks on a struct of these fields.
fn check(fields: &str, cases: &[&str], expected: Expect) {
    let item = format!("struct Mechanism {{ {fields} }}");
    let told = |case: &&str| {
        let source = source(case, &item);
        format!("{case}\n{}", described(&source, &report(&source)))
    };
    expected.assert_eq(&cases.iter().map(told).collect::<String>());
}

#[test]
fn the_rate_of_a_field_has_a_warning() {
    check(
        "m: f64, l: f64, k: [f64; 2]",
        &[
            "coordinates x; kinetic = m*dot(x)^2/2 + dot(x)*k[0]*dot(l) + m*dot(l*x)*dot(k[1]);",
            "coordinates x; let c = m; kinetic = m*dot(x)^2/2; output w = dot(c) + integral(m in 0..1, m*l) + k[0];",
            "coordinates x; kinetic = m*dot(x)^2/2; verify dot(m) == 0*l*k[0];",
        ],
        expect![[r#"
            coordinates x; kinetic = m*dot(x)^2/2 + dot(x)*k[0]*dot(l) + m*dot(l*x)*dot(k[1]);
                RateOfField «k[1]» the rate of field k is 0
                RateOfField «l» the rate of field l is 0
            coordinates x; let c = m; kinetic = m*dot(x)^2/2; output w = dot(c) + integral(m in 0..1, m*l) + k[0];
                accepted
            coordinates x; kinetic = m*dot(x)^2/2; verify dot(m) == 0*l*k[0];
                accepted
        "#]],
    );
}

#[test]
fn names_without_a_use_have_a_warning() {
    check(
        "m: f64, k: [f64; 2], _pad: f64, #[skip] label: String",
        &[
            "coordinates x; kinetic = m*dot(x)^2/2;",
            "coordinates x[n]; const n = 2; const unused = 3; let p[0] = x[0]; let p[i in 1..n] = p[i - 1] + x[i]; \
             table f(s) = spline([0, 1, 2], [0, 1, 4]); let tip = k[0]; let _tip = 1; kinetic = m*norm2(dot(x))/2;",
            "coordinates x; let tip = k[0]*x; let two = 2; kinetic = m*dot(x)^2/two; verify tip == k[0]*x;",
            "coordinates x; part; let tip = x; kinetic = dot(x)^2/2;",
        ],
        expect![[r#"
            coordinates x; kinetic = m*dot(x)^2/2;
                UnusedField «k» field k is never used
            coordinates x[n]; const n = 2; const unused = 3; let p[0] = x[0]; let p[i in 1..n] = p[i - 1] + x[i]; table f(s) = spline([0, 1, 2], [0, 1, 4]); let tip = k[0]; let _tip = 1; kinetic = m*norm2(dot(x))/2;
                UnusedDefinition «unused» const unused is never used
                UnusedDefinition «p» let p is never used
                UnusedDefinition «f» table f is never used
                UnusedDefinition «tip» let tip is never used
            coordinates x; let tip = k[0]*x; let two = 2; kinetic = m*dot(x)^2/two; verify tip == k[0]*x;
                accepted
            coordinates x; part; let tip = x; kinetic = dot(x)^2/2;
                accepted
        "#]],
    );
}

#[test]
fn forces_without_effect_have_a_warning() {
    check(
        "m: f64, b: f64, #[input] u: f64",
        &[
            "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; force x = 0*b; force [x, x] = [u, -u];",
            // A magnetic force does no work.
            "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; force [x, y] = [b*dot(y), -b*dot(x)]; force x = u;",
            "coordinates x; kinetic = m*dot(x)^2/2; friction pad: x = 0*b; force x = u;",
            "coordinates x; kinetic = m*dot(x)^2/2; friction pad: x = 0*b, smooth = 1; force x = u;",
            "coordinates x; kinetic = m*dot(x)^2/2; friction pad: x = 0, breakaway = b; force x = u;",
            "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; friction pad: [x, y] = 0*b; force x = u;",
            "coordinates x; kinetic = m*dot(x)^2/2; dissipation = b*x^2/2 + b*dot(x)^2; force x = u;",
            "coordinates x; kinetic = m*dot(x)^2/2; dissipation = 0*b; force x = u;",
            "coordinates x; kinetic = m*dot(x)^2/2; dissipation = b*(sqrt(dot(x)^2 + m^2) - m); force x = u;",
            "coordinates x; kinetic = m*dot(x)^2/2; dissipation = (b - m)*dot(x)^2; force x = u;",
            "coordinates x; kinetic = 0; potential = u*x*m; dissipation = b*abs(dot(x))^3/3;",
            // The velocity of a coordinate without inertia follows from the other forces.
            "coordinates x, y; kinetic = m*dot(x)^2/2; potential = u*(x - y)^2/2; dissipation = b*dot(y)^2/2;",
        ],
        expect![[r#"
            coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; force x = 0*b; force [x, x] = [u, -u];
                IdleForce «x» the force on x is 0 at every state
                IdleForce «[x, x]» the force on [x, x] is 0 at every state
            coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; force [x, y] = [b*dot(y), -b*dot(x)]; force x = u;
                accepted
            coordinates x; kinetic = m*dot(x)^2/2; friction pad: x = 0*b; force x = u;
                FrictionWithoutBound «pad» friction `pad` has a bound of 0
            coordinates x; kinetic = m*dot(x)^2/2; friction pad: x = 0*b, smooth = 1; force x = u;
                IdleFriction «0*b» friction pad has a bound of 0
            coordinates x; kinetic = m*dot(x)^2/2; friction pad: x = 0, breakaway = b; force x = u;
                FrictionWithoutBound «pad» friction `pad` has a bound of 0
            coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; friction pad: [x, y] = 0*b; force x = u;
                IdleFriction «pad» friction pad has a bound of 0
            coordinates x; kinetic = m*dot(x)^2/2; dissipation = b*x^2/2 + b*dot(x)^2; force x = u;
                IdleDissipation «dissipation = b*x^2/2 + b*dot(x)^2» the term x^2 of the dissipation does not depend on velocities
            coordinates x; kinetic = m*dot(x)^2/2; dissipation = 0*b; force x = u;
                accepted
            coordinates x; kinetic = m*dot(x)^2/2; dissipation = b*(sqrt(dot(x)^2 + m^2) - m); force x = u;
                accepted
            coordinates x; kinetic = m*dot(x)^2/2; dissipation = (b - m)*dot(x)^2; force x = u;
                accepted
            coordinates x; kinetic = 0; potential = u*x*m; dissipation = b*abs(dot(x))^3/3;
                accepted
            coordinates x, y; kinetic = m*dot(x)^2/2; potential = u*(x - y)^2/2; dissipation = b*dot(y)^2/2;
                accepted
        "#]],
    );
}

#[test]
fn terms_without_effect_have_a_warning() {
    check(
        "m: f64, g: f64, l: f64",
        &[
            "coordinates x; let floor = l; kinetic = m*dot(x)^2/2 + g*floor; potential = m*g*(l - x) + m*g*l;",
            "coordinates x; kinetic = m*dot(x)^2/2 - -sin(t); potential = g*x - l*t;",
            "coordinates x; let tip = [x, 2*l]; lagrangian = m*norm2(dot(tip))/2 - g*x + 3 - l;",
            "coordinates x; kinetic = 0 + m*dot(x)^2/2; potential = g*l;",
        ],
        expect![[r#"
            coordinates x; let floor = l; kinetic = m*dot(x)^2/2 + g*floor; potential = m*g*(l - x) + m*g*l;
                ConstantTerm «g*floor» the term g*floor of `kinetic` adds nothing to the equations
            coordinates x; kinetic = m*dot(x)^2/2 - -sin(t); potential = g*x - l*t;
                ConstantTerm «sin(t)» the term sin(t) of `kinetic` adds nothing to the equations
                ConstantTerm «l*t» the term l*t of `potential` adds nothing to the equations
            coordinates x; let tip = [x, 2*l]; lagrangian = m*norm2(dot(tip))/2 - g*x + 3 - l;
                ConstantTerm «3» the term 3 of `lagrangian` adds nothing to the equations
                ConstantTerm «l» the term l of `lagrangian` adds nothing to the equations
            coordinates x; kinetic = 0 + m*dot(x)^2/2; potential = g*l;
                accepted
        "#]],
    );
}

#[test]
fn a_coordinate_that_nothing_couples_has_a_warning() {
    check(
        "m: f64, n: f64, k: f64",
        &[
            "coordinates x, y; kinetic = m*dot(x)^2/2 + n*dot(y)^2/2; potential = k*x^2/2;",
            // The position of one body, on which nothing acts along y.
            "coordinates x, y; kinetic = m*dot(x)^2/2 + m*dot(y)^2/2; potential = n*k*x^2/2;",
            "coordinates x, y; kinetic = m*dot(x)^2/2 + n*dot(y)^2/2; potential = k*x^2/2; output angle = y;",
            "coordinates x, y; kinetic = m*dot(x)^2/2 + n*dot(y)^2/2; potential = k*x^2/2; constraint rod: x == y;",
            "coordinates x, y; kinetic = m*dot(x)^2/2 + n*y^2*dot(y)^2/2; potential = k*x^2/2;",
            "coordinates y; kinetic = n*dot(y)^2/2; output one = m*k;",
        ],
        expect![[r#"
            coordinates x, y; kinetic = m*dot(x)^2/2 + n*dot(y)^2/2; potential = k*x^2/2;
                UncoupledCoordinate «y» coordinate y is coupled with nothing: its acceleration is 0 whatever the others do
            coordinates x, y; kinetic = m*dot(x)^2/2 + m*dot(y)^2/2; potential = n*k*x^2/2;
                accepted
            coordinates x, y; kinetic = m*dot(x)^2/2 + n*dot(y)^2/2; potential = k*x^2/2; output angle = y;
                accepted
            coordinates x, y; kinetic = m*dot(x)^2/2 + n*dot(y)^2/2; potential = k*x^2/2; constraint rod: x == y;
                accepted
            coordinates x, y; kinetic = m*dot(x)^2/2 + n*y^2*dot(y)^2/2; potential = k*x^2/2;
                accepted
            coordinates y; kinetic = n*dot(y)^2/2; output one = m*k;
                accepted
        "#]],
    );
}

#[test]
fn warnings_are_allowed_by_name() {
    check(
        "m: f64, k: f64, #[input] u: f64",
        &[
            "allow unused_field, unused_input; allow dense_mass; coordinates x; kinetic = m*dot(x)^2/2;",
            "allow unused_field,; coordinates x; kinetic = m*dot(x)^2/2;",
            "allow unused_feild, force; coordinates x; kinetic = m*dot(x)^2/2;",
            "allow; coordinates x; kinetic = m*dot(x)^2/2;",
            "allow(unused_field); coordinates x; kinetic = m*dot(x)^2/2;",
        ],
        expect![[r#"
            allow unused_field, unused_input; allow dense_mass; coordinates x; kinetic = m*dot(x)^2/2;
                accepted
            allow unused_field,; coordinates x; kinetic = m*dot(x)^2/2;
                UnusedInput «u» input u is never used
            allow unused_feild, force; coordinates x; kinetic = m*dot(x)^2/2;
                UnknownLint «unused_feild» there is no warning `unused_feild`
                UnknownLint «force» there is no warning `force`
            allow; coordinates x; kinetic = m*dot(x)^2/2;
                Form «;» expected `allow unused_field;`, found `;`
            allow(unused_field); coordinates x; kinetic = m*dot(x)^2/2;
                Form «(unused_field)» expected `allow unused_field;`, found `(`
        "#]],
    );
}

#[test]
fn every_warning_says_how_it_is_allowed() {
    let source = source("coordinates x; kinetic = dot(x)^2/2;", "struct Mechanism { k: f64 }");
    let texts: Vec<String> = report(&source).entries().iter().map(|(mistake, _)| mistake.text()).collect();
    let help = "no statement names it: mark it `#[skip]` if it is none of the physics; if it is meant, state `allow unused_field;`";
    assert_eq!(texts, [format!("field k is never used\n  help: {help}")]);
}

#[test]
fn a_symmetry_needs_a_coordinate_with_inertia() {
    check(
        "c: f64, k: f64",
        &[
            "coordinates x, y; kinetic = 0; potential = k*(x - y)^2/2; dissipation = c*(dot(x)^2 + dot(y)^2)/2; symmetry shift: [1, 1];",
        ],
        expect![[r#"
            coordinates x, y; kinetic = 0; potential = k*(x - y)^2/2; dissipation = c*(dot(x)^2 + dot(y)^2)/2; symmetry shift: [1, 1];
                SymmetryWithoutInertia «shift» symmetry `shift` changes nothing: no coordinate of this mechanism has an inertia
        "#]],
    );
}
