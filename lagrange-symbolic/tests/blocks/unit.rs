//! Units: what is stated, inferred and refused.

use crate::{check, source, tokens};
use expect_test::{Expect, expect};
use lagrange_symbolic::meaning::elaborate;
use lagrange_symbolic::parse::parse;
use lagrange_symbolic::units::{Units, check as check_units};

/// A pendulum's struct with units, and some quantities without.
const STRUCT: &str = "struct Mechanism { #[unit(kg)] m: f64, #[unit(m)] l: f64, #[unit(m/s^2)] g: f64, k: f64, #[unit(N*m)] #[input] u: f64 }";

/// The block of a pendulum, where a statement takes the place of one of its own.
fn pendulum(statement: &str) -> String {
    let mut statements =
        vec!["coordinates theta: rad", "kinetic = m*l^2*dot(theta)^2/2", "potential = -m*g*l*cos(theta)"];
    let keyword = |statement: &str| statement.split_whitespace().next().map(str::to_owned);
    statements.retain(|own| keyword(own) != keyword(statement));
    source(&format!("{}; {statement};", statements.join("; ")), STRUCT)
}

fn pendulums(cases: &[&str], expected: Expect) {
    check(cases, pendulum, expected);
}

fn units(source: &str) -> Units {
    let (block, item) = tokens(source);
    let spec = parse(block, item).expect("the block is read");
    let model = elaborate(&spec).expect("the block has a meaning");
    check_units(&spec, &model).expect("the units agree")
}

#[test]
fn a_term_with_another_unit_is_underlined() {
    pendulums(
        &[
            "kinetic = m*l*dot(theta)^2/2",
            "kinetic = m*l^2*dot(theta)^2/2 + m*l^2*dot(theta)/2",
            "potential = -m*g*l*cos(l*theta)",
            "potential = m*g*(l - cos(theta))",
            "potential = m*g*l*(1 - cos(theta)) + k*theta^2/2 + k*theta*l",
            "force theta = u + m*g",
            "dissipation = k*dot(theta)^2/2 + m*l*g*dot(theta)^2",
            "constraint c: l*sin(theta) == m",
            "output height: m = l*l*cos(theta)",
            "output high = if theta > l { l } else { 0 }",
            "let point = [l*sin(theta), -l^2*cos(theta)]; output far = norm(point)",
            "output grown = exp(u/1[J]) + l^theta",
            "output sum = integral(s in 0..l, m*s) + integral(s in 0..l, m)",
            "invariant total: W = energy",
            "verify mass[theta, theta] == m*l",
            "contact stop: l*theta >= 0, restitution = m, friction = k, slip = l^2*theta",
            "friction pad: theta = u*l",
            "state z: K, dot(z) == z/l",
            "coordinates theta: m",
        ],
        expect![[r#"
            kinetic = m*l*dot(theta)^2/2
                UnitMismatch «m*l*dot(theta)^2/2» `m*l*dot(theta)^2/2` has the unit `kg*m/s^2`, where `kg*m^2/s^2` is needed
            kinetic = m*l^2*dot(theta)^2/2 + m*l^2*dot(theta)/2
                UnitMismatch «m*l^2*dot(theta)/2» `m*l^2*dot(theta)/2` has the unit `kg*m^2/s`, where `kg*m^2/s^2` is needed
            potential = -m*g*l*cos(l*theta)
                UnitMismatch «l*theta» `l*theta` has the unit `m`, where `1` is needed
            potential = m*g*(l - cos(theta))
                UnitMismatch «cos(theta)» `cos(theta)` has the unit `1`, where `m` is needed
            potential = m*g*l*(1 - cos(theta)) + k*theta^2/2 + k*theta*l
                UnitsDiffer «k*theta^2/2 + k*theta*l» `m*g*l*(1 - cos(theta))` has the unit `kg*m^2/s^2`, and `k*theta*l` has `kg*m^3/s^2`
            force theta = u + m*g
                UnitMismatch «m*g» `m*g` has the unit `kg*m/s^2`, where `kg*m^2/s^2` is needed
            dissipation = k*dot(theta)^2/2 + m*l*g*dot(theta)^2
                UnitMismatch «k*dot(theta)^2/2 + m*l*g*dot(theta)^2» `k*dot(theta)^2/2 + m*l*g*dot(theta)^2` has the unit `kg*m^2/s^4`, where `kg*m^2/s^3` is needed
            constraint c: l*sin(theta) == m
                UnitsDiffer «l*sin(theta) == m» `l*sin(theta)` has the unit `m`, and `m` has `kg`
            output height: m = l*l*cos(theta)
                UnitMismatch «l*l*cos(theta)» `l*l*cos(theta)` has the unit `m^2`, where `m` is needed
            output high = if theta > l { l } else { 0 }
                UnitsDiffer «theta > l» `theta` has the unit `1`, and `l` has `m`
            let point = [l*sin(theta), -l^2*cos(theta)]; output far = norm(point)
                UnitsDiffer «[l*sin(theta), -l^2*cos(theta)]» `point` has the unit `m`, and another component of it has `m^2`
            output grown = exp(u/1[J]) + l^theta
                UnitMismatch «l» `l` has the unit `m`, where `1` is needed
            output sum = integral(s in 0..l, m*s) + integral(s in 0..l, m)
                UnitsDiffer «integral(s in 0..l, m*s) + integral(s in 0..l, m)» `integral(s in 0..l, m*s)` has the unit `kg*m^2`, and `integral(s in 0..l, m)` has `kg*m`
            invariant total: W = energy
                UnitMismatch «energy» `energy` has the unit `kg*m^2/s^2`, where `kg*m^2/s^3` is needed
            verify mass[theta, theta] == m*l
                UnitsDiffer «theta, theta] == m*l» `mass[theta, theta]` has the unit `kg*m^2`, and `m*l` has `kg*m`
            contact stop: l*theta >= 0, restitution = m, friction = k, slip = l^2*theta
                UnitMismatch «m» `m` has the unit `kg`, where `1` is needed
            friction pad: theta = u*l
                UnitMismatch «theta = u*l» `u*l` has the unit `kg*m^3/s^2`, where `kg*m^2/s^2` is needed
            state z: K, dot(z) == z/l
                UnitsDiffer «dot(z) == z/l» `dot(z)` has the unit `K/s`, and `z/l` has `K/m`
            coordinates theta: m
                StatedUnitMismatch «m» `theta` is stated in `m`, but its uses need `1`
        "#]],
    );
}

#[test]
fn bounds_at_rest_and_stated_slip_rates_have_units() {
    pendulums(
        &[
            "friction pad: theta = u, breakaway = 2*u",
            "friction pad: theta = u, breakaway = 2*u/l",
            "friction pad: rate(dot(theta)) = u, breakaway = 2*u; output held: N*m = friction(pad)",
            "friction pad: rate(l*dot(theta)) = u/l",
            "friction pad: rate(l*dot(theta)) = u",
            "friction pad: rate(dot(theta)) = u, smooth = l",
            "contact stop: l*theta >= 0, friction = 1/2, slip = rate(l*dot(theta)), breakaway = 1",
            "contact stop: l*theta >= 0, friction = 1/2, slip = l*theta, breakaway = l",
            "contact stop: l*theta >= 0, restitution = exp(-approach(stop)/(l*g)^(1/2)), adhesion = m*g",
            "contact stop: l*theta >= 0, restitution = approach(stop)",
            "contact stop: l*theta >= 0, adhesion = m",
        ],
        expect![[r#"
            friction pad: theta = u, breakaway = 2*u
                accepted
            friction pad: theta = u, breakaway = 2*u/l
                UnitMismatch «2*u/l» `2*u/l` has the unit `kg*m/s^2`, where `kg*m^2/s^2` is needed
            friction pad: rate(dot(theta)) = u, breakaway = 2*u; output held: N*m = friction(pad)
                accepted
            friction pad: rate(l*dot(theta)) = u/l
                accepted
            friction pad: rate(l*dot(theta)) = u
                UnitMismatch «l*dot(theta)) = u» `u` has the unit `kg*m^2/s^2`, where `kg*m/s^2` is needed
            friction pad: rate(dot(theta)) = u, smooth = l
                UnitMismatch «l» `l` has the unit `m`, where `1/s` is needed
            contact stop: l*theta >= 0, friction = 1/2, slip = rate(l*dot(theta)), breakaway = 1
                UnusedInput «u» input u is never used
            contact stop: l*theta >= 0, friction = 1/2, slip = l*theta, breakaway = l
                UnitMismatch «l» `l` has the unit `m`, where `1` is needed
            contact stop: l*theta >= 0, restitution = exp(-approach(stop)/(l*g)^(1/2)), adhesion = m*g
                UnusedInput «u» input u is never used
            contact stop: l*theta >= 0, restitution = approach(stop)
                UnitMismatch «l*theta >= 0, restitution = approach(stop)» `approach(stop)` has the unit `m/s`, where `1` is needed
            contact stop: l*theta >= 0, adhesion = m
                UnitMismatch «l*theta >= 0, adhesion = m» `m` has the unit `kg`, where `kg*m/s^2` is needed
        "#]],
    );
}

#[test]
fn the_lengths_of_shapes_have_one_unit() {
    pendulums(
        &[
            "let ball = sphere([l*sin(theta), l*cos(theta)], l, theta); output d: m = distance(ball, plane([0, -l], [0, k]))",
            "let ball = sphere([l*sin(theta), l*cos(theta)], m, theta)",
            "let ball[i in 0..2] = sphere([l*sin(theta + i), l*cos(theta)], l, theta); output d: kg = distance(ball[0], ball[1])",
            "let brick = box([l*sin(theta), l], [l, m], theta)",
            "let brick = box([l*sin(theta), l], [l, l], l)",
            "let brick = box([l*sin(theta), l], [l, l], theta); output d: m = distance(vertex(brick, 2), plane([0, 0], [0, 1]))",
            "let brick = box([l*sin(theta), l], [l, l], theta); output d = distance(brick, sphere([m, m], m))",
            "let rod = capsule([l*sin(theta), l], [0, k], l, theta)",
            "let brick = box([l*sin(theta), l], [l, l], theta, l/9); output d: m = distance(edge(brick, 2), plane([0, 0], [0, 1]))",
            "let brick = box([l*sin(theta), l], [l, l], theta, m)",
        ],
        expect![[r#"
            let ball = sphere([l*sin(theta), l*cos(theta)], l, theta); output d: m = distance(ball, plane([0, -l], [0, k]))
                UnusedInput «u» input u is never used
            let ball = sphere([l*sin(theta), l*cos(theta)], m, theta)
                UnitMismatch «[l*sin(theta), l*cos(theta)], m» `m` has the unit `kg`, where `m` is needed
            let ball[i in 0..2] = sphere([l*sin(theta + i), l*cos(theta)], l, theta); output d: kg = distance(ball[0], ball[1])
                UnitMismatch «distance(ball[0], ball[1])» `distance(ball[0], ball[1])` has the unit `m`, where `kg` is needed
            let brick = box([l*sin(theta), l], [l, m], theta)
                UnitMismatch «[l, m]» `[l, m]` has the unit `kg`, where `m` is needed
            let brick = box([l*sin(theta), l], [l, l], l)
                UnitMismatch «l» `l` has the unit `m`, where `1` is needed
            let brick = box([l*sin(theta), l], [l, l], theta); output d: m = distance(vertex(brick, 2), plane([0, 0], [0, 1]))
                UnusedInput «u» input u is never used
            let brick = box([l*sin(theta), l], [l, l], theta); output d = distance(brick, sphere([m, m], m))
                UnitsDiffer «brick, sphere([m, m], m)» `brick` has the unit `m`, and `sphere([m, m], m)` has `kg`
            let rod = capsule([l*sin(theta), l], [0, k], l, theta)
                UnusedInput «u» input u is never used
            let brick = box([l*sin(theta), l], [l, l], theta, l/9); output d: m = distance(edge(brick, 2), plane([0, 0], [0, 1]))
                UnusedInput «u» input u is never used
            let brick = box([l*sin(theta), l], [l, l], theta, m)
                UnitMismatch «m» `m` has the unit `kg`, where `m` is needed
        "#]],
    );
}

#[test]
fn components_and_gauges_of_symmetries_have_units() {
    let item = "struct Mechanism { #[unit(kg)] m: f64, #[unit(m)] l: f64, #[unit(m/s^2)] g: f64 }";
    let block = |statement: &str| {
        format!(
            "coordinates r[2]: m, phi: rad; kinetic = m*norm2(dot(r))/2 + m*l^2*dot(phi)^2/2; potential = m*g*r[1]; {statement};"
        )
    };
    check(
        &[
            "symmetry along: [1, 0, 0]",
            "symmetry roll: [l, 0, 1]",
            "symmetry roll: [1, 0, 1]",
            "symmetry spiral: [r[0], 0, r[1]]",
            "symmetry fall: [0, 1[m], 0], gauge = -m*g*t*1[m]",
            "symmetry fall: [0, 1[m], 0], gauge = -m*g*t",
            "symmetry boost[i in 0..2]: [t*(1 - i), t*i, 0], gauge = m*(r[0] + l)",
        ],
        |statement| source(&block(statement), item),
        expect![[r#"
            symmetry along: [1, 0, 0]
                accepted
            symmetry roll: [l, 0, 1]
                accepted
            symmetry roll: [1, 0, 1]
                UnitMismatch «[1, 0, 1]» `[1, 0, 1]` has the unit `1`, where `1/m` is needed
            symmetry spiral: [r[0], 0, r[1]]
                UnitMismatch «[r[0], 0, r[1]]» `[r[0], 0, r[1]]` has the unit `m`, where `1` is needed
            symmetry fall: [0, 1[m], 0], gauge = -m*g*t*1[m]
                accepted
            symmetry fall: [0, 1[m], 0], gauge = -m*g*t
                UnitMismatch «[0, 1[m], 0], gauge = -m*g*t» `-m*g*t` has the unit `kg*m/s`, where `kg*m^2/s` is needed
            symmetry boost[i in 0..2]: [t*(1 - i), t*i, 0], gauge = m*(r[0] + l)
                accepted
        "#]],
    );
    let (tokens_of_block, tokens_of_item) = tokens(&source(
        &block("symmetry roll: [l, 0, 1]; symmetry shift[i in 0..2]: [1 - i, i, 0], gauge = -m*g*t*i"),
        item,
    ));
    let spec = parse(tokens_of_block, tokens_of_item).expect("the block is read");
    let model = elaborate(&spec).expect("the block has a meaning");
    let found = check_units(&spec, &model).expect("the units agree");
    assert_eq!(found.of("roll"), "kg*m^2/s");
    assert_eq!([found.of("shift[0]"), found.of("shift[1]")], ["kg*m/s"; 2]);
}

#[test]
fn conditions_and_values_of_modes_have_units() {
    pendulums(
        &[
            "mode on = when theta > 1 { 1 } when t > 2[s] { 0 }",
            "mode gap = when theta > 1 { l } when theta < 0 { 3[m] }",
            "mode on = when theta > 1 { 1 } then dot(theta) = -dot(theta)/2, count = count + 1; mode count",
            "mode on = when l > t { 1 }",
            "mode gap = when theta > 1 { l } when theta < 0 { m }",
            "mode on = when theta > 1 { 1 } then dot(theta) = theta",
            "mode on = when theta > 1 && dot(theta) > g { 1 }",
            "mode gap = when theta > 1 { l }; force theta = u*gap",
        ],
        expect![[r#"
            mode on = when theta > 1 { 1 } when t > 2[s] { 0 }
                UnusedInput «u» input u is never used
            mode gap = when theta > 1 { l } when theta < 0 { 3[m] }
                UnusedInput «u» input u is never used
            mode on = when theta > 1 { 1 } then dot(theta) = -dot(theta)/2, count = count + 1; mode count
                UnusedInput «u» input u is never used
            mode on = when l > t { 1 }
                UnitsDiffer «l > t» `l` has the unit `m`, and `t` has `s`
            mode gap = when theta > 1 { l } when theta < 0 { m }
                UnitMismatch «l } when theta < 0 { m» `m` has the unit `kg`, where `m` is needed
            mode on = when theta > 1 { 1 } then dot(theta) = theta
                UnitsDiffer «dot(theta) = theta» `dot(theta)` has the unit `1/s`, and `theta` has `1`
            mode on = when theta > 1 && dot(theta) > g { 1 }
                UnitsDiffer «dot(theta) > g» `dot(theta)` has the unit `1/s`, and `g` has `m/s^2`
            mode gap = when theta > 1 { l }; force theta = u*gap
                UnitMismatch «theta = u*gap» `u*gap` has the unit `kg*m^3/s^2`, where `kg*m^2/s^2` is needed
        "#]],
    );
}

#[test]
fn forms_of_units() {
    let structs =
        |field: &str| source("coordinates x: m; kinetic = m*dot(x)^2/2;", &format!("struct Mechanism {{ {field} }}"));
    check(
        &[
            "#[unit(kg)] m: f64",
            "#[unit] m: f64",
            "#[unit()] m: f64",
            "#[unit = kg] m: f64",
            "#[unit(kg)] #[unit(kg)] m: f64",
            "#[unit(kg m)] m: f64",
            "#[unit(kg^x)] m: f64",
            "#[unit(kg^(1/0))] m: f64",
            "#[unit(2*kg)] m: f64",
            "#[unit(Kg)] m: f64",
            "#[unit(kg*fathom)] m: f64",
            "#[unit(kg)] m: f64, #[skip] #[unit(m)] note: f64",
            "#[range(0.1..10)] m: f64",
            "#[range(-1e-3..-1e-5)] m: f64",
            "#[range] m: f64",
            "#[range()] m: f64",
            "#[range(0.1, 10)] m: f64",
            "#[range(0.1..=10)] m: f64",
            "#[range(1..2..3)] m: f64",
            "#[range(..10)] m: f64",
            "#[range(0..1e400)] m: f64",
            "#[range(0..l)] m: f64",
            "#[range(10..0.1)] m: f64",
            "#[range(1..1)] m: f64",
            "#[range(1..2)] #[range(1..3)] m: f64",
            "m: f64, #[skip] #[range(1..2)] note: f64",
            "#[symbol(M)] m: f64",
            "#[symbol(\"\")] m: f64",
            "#[symbol(\"m_{1\")] m: f64",
            "#[symbol(\"m}{\")] m: f64",
            "#[symbol(\"m & 1\")] m: f64",
            "#[symbol(\"M\")] #[symbol(\"N\")] m: f64",
            "#[symbol(\"M\")] m: f64, #[skip] #[symbol(\"M\")] note: f64",
        ],
        structs,
        expect![[r##"
            #[unit(kg)] m: f64
                accepted
            #[unit] m: f64
                UnitForm «#[unit]» expected a unit, found no parentheses
            #[unit()] m: f64
                UnitForm «#[unit()]» expected a unit, found `)`
            #[unit = kg] m: f64
                UnitForm «#[unit = kg]» expected a unit, found no parentheses
            #[unit(kg)] #[unit(kg)] m: f64
                HelperTwice «#[unit(kg)]» field `m` carries `#[unit]` twice
            #[unit(kg m)] m: f64
                UnitForm «m» expected a unit, found `m`
            #[unit(kg^x)] m: f64
                UnitForm «x» expected a unit, found `x`
            #[unit(kg^(1/0))] m: f64
                UnitForm «)» expected a unit, found `)`
            #[unit(2*kg)] m: f64
                UnitForm «2» expected a unit, found `2`
            #[unit(Kg)] m: f64
                UnknownUnit «Kg» there is no unit `Kg`
            #[unit(kg*fathom)] m: f64
                UnknownUnit «fathom» there is no unit `fathom`
            #[unit(kg)] m: f64, #[skip] #[unit(m)] note: f64
                UnitOfSkipped «note» field `note` is skipped and has a unit
            #[range(0.1..10)] m: f64
                accepted
            #[range(-1e-3..-1e-5)] m: f64
                accepted
            #[range] m: f64
                NominalForm «#[range]» expected a nominal range of two numbers, found no parentheses
            #[range()] m: f64
                NominalForm «#[range()]» expected a nominal range of two numbers, found `)`
            #[range(0.1, 10)] m: f64
                NominalForm «,» expected a nominal range of two numbers, found `,`
            #[range(0.1..=10)] m: f64
                NominalForm «.» expected a nominal range of two numbers, found `..`
            #[range(1..2..3)] m: f64
                NominalForm «.» expected a nominal range of two numbers, found `..`
            #[range(..10)] m: f64
                NominalForm «.» expected a nominal range of two numbers, found `..`
            #[range(0..1e400)] m: f64
                NominalForm «1e400» expected a nominal range of two numbers, found `1e400`
            #[range(0..l)] m: f64
                NominalForm «l» expected a nominal range of two numbers, found `l`
            #[range(10..0.1)] m: f64
                NominalOrder «10..0.1» the nominal range `10.0..0.1` is empty
            #[range(1..1)] m: f64
                NominalOrder «1..1» the nominal range `1.0..1.0` is empty
            #[range(1..2)] #[range(1..3)] m: f64
                HelperTwice «#[range(1..3)]» field `m` carries `#[range]` twice
            m: f64, #[skip] #[range(1..2)] note: f64
                NominalOfSkipped «note» field `note` is skipped and has a range
            #[symbol(M)] m: f64
                SymbolForm «#[symbol(M)]» expected a symbol as LaTeX, found no text in quotes
            #[symbol("")] m: f64
                SymbolForm «#[symbol("")]» expected a symbol as LaTeX, found an empty text
            #[symbol("m_{1")] m: f64
                SymbolForm «#[symbol("m_{1")]» expected a symbol as LaTeX, found braces that do not match
            #[symbol("m}{")] m: f64
                SymbolForm «#[symbol("m}{")]» expected a symbol as LaTeX, found braces that do not match
            #[symbol("m & 1")] m: f64
                SymbolForm «#[symbol("m & 1")]» expected a symbol as LaTeX, found the character `&`
            #[symbol("M")] #[symbol("N")] m: f64
                HelperTwice «#[symbol("N")]» field `m` carries `#[symbol]` twice
            #[symbol("M")] m: f64, #[skip] #[symbol("M")] note: f64
                SymbolOfSkipped «note» field `note` is skipped and has a symbol
        "##]],
    );
    pendulums(
        &[
            "units mass = kg",
            "units time = s, time = s",
            "units energy = W",
            "units time = day; units time = s",
            "let a: = l",
            "let a: m/ = l",
            "let a = 9.81 m/s^2",
            "let a = l + 3[0]",
            "let a = l + 3[km]",
            "let a = 2[fathom]",
            "coordinates theta: rad, phi: f64",
            "coordinates theta: rad in -3..3",
            "coordinates theta in -0.5 .. 1e2",
            "coordinates theta: rad in 3..-3",
            "coordinates theta in -pi..pi",
            "coordinates theta in 3",
            "table f(x: m): N = linear([0, 1], [0, l])",
            "extern f(x: m): N = path::f; output g = f(l)*l + f(k*l)*g",
        ],
        expect![[r#"
            units mass = kg
                UnitsForm «mass» `units` states the units of `time` and of `energy`, found `mass`
            units time = s, time = s
                DuplicateSetting «time» `time` is set twice
            units energy = W
                StatedUnitMismatch «W» `energy` is stated in `W`, but its uses need `kg*m^2/s^2`
            units time = day; units time = s
                DuplicateSetting «units time = s» `time` is set twice
            let a: = l
                Form «:» expected `let a = …;`, found `:`
            let a: m/ = l
                UnitForm «=» expected a unit, found `=`
            let a = 9.81 m/s^2
                NumberWithUnit «9.81 m/s^2» `9.81 m/s^2` is a number with a unit, which is not an expression
            let a = l + 3[0]
                UnitForm «0» expected a unit, found `0`
            let a = l + 3[km]
                UnitsDiffer «l + 3[km]» `l` has the unit `m`, and `3[km]` has `1000*m`
            let a = 2[fathom]
                UnknownUnit «fathom» there is no unit `fathom`
            coordinates theta: rad, phi: f64
                Form «:» expected `coordinates theta, rad, phi;`, found `:`
            coordinates theta: rad in -3..3
                UnusedInput «u» input u is never used
            coordinates theta in -0.5 .. 1e2
                UnusedInput «u» input u is never used
            coordinates theta: rad in 3..-3
                NominalOrder «3..-3» the nominal range `3.0..-3.0` is empty
            coordinates theta in -pi..pi
                NominalForm «pi» expected a nominal range of two numbers, found `pi`
            coordinates theta in 3
                NominalForm «;» expected a nominal range of two numbers, found `;`
            table f(x: m): N = linear([0, 1], [0, l])
                UnitMismatch «l» `l` has the unit `m`, where `kg*m/s^2` is needed
            extern f(x: m): N = path::f; output g = f(l)*l + f(k*l)*g
                UnitsDiffer «f(l)*l + f(k*l)*g» `f(l)*l` has the unit `kg*m^2/s^2`, and `f(k*l)*g` has `kg*m^2/s^4`
        "#]],
    );
}

#[test]
fn unknown_units_follow_from_known_ones() {
    let stated = units(&source(
        "coordinates x: m, phi; \
         kinetic = m*dot(x)^2/2 + j*dot(phi)^2/2; potential = k*(x - r*phi)^2/2 + c*(1 - cos(phi)); \
         dissipation = d*dot(x)^2/2; force x = f; force phi = torque; \
         state heat: dot(heat) == (d*dot(x)^2 - loss*(heat/s - outside)); \
         constraint belt: x == r*phi; output pull = multiplier(belt); output point = [x, phi]; \
         output speed[i in 0..2] = dot(x)*w[i];",
        "struct Mechanism { #[unit(kg)] m: f64, j: f64, k: f64, r: f64, c: f64, d: f64, #[input] f: f64, #[input] torque: f64, \
         loss: f64, s: f64, #[unit(K)] outside: f64, w: [f64; 2], free: f64 }",
    ));
    let text: String = stated.named.iter().map(|(name, unit)| format!("{name}: {unit}\n")).collect();
    expect![[r#"
        c: kg*m^2/s^2
        d: kg/s
        f: kg*m/s^2
        heat: kg*m^2/s^2
        j: kg*m^2
        k: kg/s^2
        loss: kg*m^2/(s^3*K)
        m: kg
        outside: K
        phi: 1
        point[0]: m
        point[1]: 1
        pull: kg*m/s^2
        r: m
        s: kg*m^2/(s^2*K)
        torque: kg*m^2/s^2
        x: m
    "#]]
    .assert_eq(&text);
    assert_eq!([stated.time.as_str(), stated.energy.as_str(), stated.of("free")], ["s", "kg*m^2/s^2", ""]);
}

#[test]
fn scales_agree_and_nothing_is_converted() {
    let block = "coordinates r: AU; kinetic = m*dot(r)^2/2; potential = -g*m^2/r;";
    let planets = |time: &str, g: &str| {
        source(&format!("{time} {block}"), &format!("struct Mechanism {{ #[unit(Msun)] m: f64, #[unit({g})] g: f64 }}"))
    };
    let stated = units(&planets("units time = day;", "AU^3/(day^2*Msun)"));
    assert_eq!(stated.energy, "Msun*AU^2/day^2");
    check(
        &["AU^3/(d^2*Msun)", "AU^3/(s^2*Msun)", "km^3/(day^2*Msun)", "AU^3/(day^2*kg)"],
        |g| planets("units time = day;", g),
        expect![[r#"
            AU^3/(d^2*Msun)
                accepted
            AU^3/(s^2*Msun)
                UnitMismatch «-g*m^2/r» `-g*m^2/r` has the unit `Msun*AU^2/s^2`, where `1.33959e-10*Msun*AU^2/s^2` is needed
            km^3/(day^2*Msun)
                UnitMismatch «-g*m^2/r» `-g*m^2/r` has the unit `6.68459e-9*Msun*km^2/day^2`, where `2.23795e16*Msun*km^2/day^2` is needed
            AU^3/(day^2*kg)
                UnitMismatch «-g*m^2/r» `-g*m^2/r` has the unit `Msun*Msun*AU^2/(kg*day^2)`, where `Msun*AU^2/day^2` is needed
        "#]],
    );
    // A coherent system that is not that of SI has energies of its own.
    let small = |u: &str| {
        source(
            "coordinates x: cm; kinetic = m*dot(x)^2/2; force x = u;",
            &format!("struct Mechanism {{ #[unit(g)] m: f64, #[input] #[unit({u})] u: f64 }}"),
        )
    };
    check(
        &["dyn", "N", "g*cm/s^2", "mg*m/s^2"],
        small,
        expect![[r#"
        dyn
            accepted
        N
            UnitMismatch «x = u» `u` has the unit `100000*g*cm/s^2`, where `g*cm/s^2` is needed
        g*cm/s^2
            accepted
        mg*m/s^2
            UnitMismatch «x = u» `u` has the unit `g*m/(1000*s^2)`, where `g*m/(100*s^2)` is needed
    "#]],
    );
    check(
        &["a + b", "a*1[rad/deg] + b", "a*pi/180[deg] + b", "a*1[rad/deg] + b*pi/180"],
        |sum| {
            source(
                &format!("coordinates x; kinetic = dot(x)^2; output o = {sum};"),
                "struct Mechanism { #[unit(deg)] a: f64, #[unit(rad)] b: f64 }",
            )
        },
        expect![[r#"
            a + b
                UnitsDiffer «a + b» `a` has the unit `deg`, and `b` has `1`
            a*1[rad/deg] + b
                accepted
            a*pi/180[deg] + b
                accepted
            a*1[rad/deg] + b*pi/180
                accepted
        "#]],
    );
}

#[test]
fn prefixes_and_derived_units_are_powers_of_the_base_units() {
    let same = |one: &str, other: &str| {
        let block = format!("coordinates x; kinetic = dot(x)^2; output o: {one} = u;");
        let source = source(&block, &format!("struct Mechanism {{ #[unit({other})] #[input] u: f64 }}"));
        let (block, item) = tokens(&source);
        let spec = parse(block, item).expect("the block is read");
        let model = elaborate(&spec).expect("the block has a meaning");
        check_units(&spec, &model).is_ok()
    };
    for (one, other) in [
        ("N", "kg*m/s^2"),
        ("V", "W/A"),
        ("ohm", "V/A"),
        ("S", "1/Ω"),
        ("F", "C/V"),
        ("H", "Wb/A"),
        ("T", "Wb/m^2"),
        ("Pa", "N/m^2"),
        ("kat", "mol/s"),
        ("lx", "lm/m^2"),
        ("Gy", "J/kg"),
        ("km", "m*kN/N"),
        ("uF", "mF*1/kA*A"),
        ("µm", "mm*mm/m"),
        ("dam", "daN*m/N"),
        ("min", "rev/rpm"),
        ("L", "dm^3"),
        ("bar", "kPa*hPa/Pa"),
        ("lbf", "lb*kgf/kg"),
        ("erg", "dyn*cm"),
        ("Gauss", "mT*dm*1/m"),
        ("deg", "arcmin*arcmin/arcsec"),
        ("tonne", "Mg"),
        ("(m^2)^(1/2)", "m"),
    ] {
        assert!(same(one, other), "{one} and {other}");
    }
    for (one, other) in [("N", "J"), ("min", "s"), ("rpm", "Hz"), ("deg", "rad"), ("kg", "Msun"), ("mT", "MT")] {
        assert!(!same(one, other), "{one} and {other}");
    }
}

#[test]
fn elements_that_are_stated_one_by_one_have_units_of_their_own() {
    let stated = units(&source(
        "coordinates x: m, phi: rad; kinetic = m*(dot(x)^2 + (r*dot(phi))^2)/2; potential = k[0]*x^2/2 + k[1]*phi^2/2; \
         let q[0] = x; let q[1] = phi; \
         force x = -z[0]; force phi = -z[1]; \
         state z[0]: dot(z[0]) == k[0]*dot(q[0]); state z[1]: N*m, dot(z[1]) == k[1]*dot(q[1]); \
         constraint c[0]: q[0] == r; constraint c[1]: q[1] == 1; \
         output o[0]: m = x; output o[1]: rad = phi; output l[0] = multiplier(c[0]); output sum = sum(i in 0..2, q[i]*w[i]);",
        "struct Mechanism { #[unit(kg)] m: f64, r: f64, k: [f64; 2], w: [f64; 2] }",
    ));
    let text: String = stated.named.iter().map(|(name, unit)| format!("{name}: {unit}\n")).collect();
    expect![[r#"
        k[0]: kg/s^2
        k[1]: kg*m^2/s^2
        m: kg
        o[0]: m
        o[1]: rad
        phi: rad
        r: m
        x: m
        z[0]: kg*m/s^2
        z[1]: N*m
    "#]]
    .assert_eq(&text);
}

/// A stated symbol stands in formulas, and the name in text.
#[test]
fn a_symbol_stands_in_formulas() {
    let (block, item) = tokens(&source(
        "coordinates x; kinetic = big*dot(x)^2/2; potential = tau[0]*x + tau[1]*x^2 + w^2*x^3 + s^2*x^4; force x = u;",
        "struct Mechanism { #[symbol(\"M\")] big: f64, #[symbol(r\"\\tau_s\")] tau: [f64; 2], #[symbol(r\"\\omega_0\")] w: f64, #[symbol(\"m^*\")] s: f64, #[input] u: f64 }",
    ));
    let spec = parse(block, item).expect("the block is read");
    let model = elaborate(&spec).expect("the block has a meaning");
    let force = model.physics.potential.expect("it is stated");
    let names = model.naming();
    let latex = lagrange_symbolic::print::latex(&model.graph, force, &names);
    for part in ["{\\tau_s}_{0}", "{\\tau_s}_{1}", "\\omega_0^{2}", "{m^*}^{2}"] {
        assert!(latex.contains(part), "{part}: {latex}");
    }
    assert!(lagrange_symbolic::print::text(&model.graph, force, &names).contains("tau[1]"));
}
