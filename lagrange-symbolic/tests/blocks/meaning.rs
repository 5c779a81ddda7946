//! The meaning of a block: values, shapes and the model.

use super::{derived, model, spec};
use lagrange_symbolic::graph::Symbol;
use lagrange_symbolic::graph::value::numeric;
use lagrange_symbolic::meaning::{Shape, elaborate_claims};

/// The values of `let value = …` where q = 0.3, 0.4, …, v = 1.3, 1.4, …, parameters 2, 3, …, u = 0.7, t = 0.2.
fn value(block: &str) -> Vec<f64> {
    let model = model(&format!("coordinates x, y; kinetic = dot(x)^2 + dot(y)^2; force x = u; {block}"));
    let definition = model.lets.iter().find(|definition| definition.name == "value").expect("a value is defined");
    numeric(&model.graph, &definition.values, &at)
}

fn at(symbol: Symbol) -> f64 {
    match symbol {
        Symbol::Coordinate(i) => 0.3 + 0.1 * f64::from(i),
        Symbol::Velocity(i) => 1.3 + 0.1 * f64::from(i),
        Symbol::Acceleration(i) => 2.3 + 0.1 * f64::from(i),
        Symbol::Parameter(i) => 2.0 + f64::from(i),
        Symbol::Input(_) => 0.7,
        Symbol::Time => 0.2,
        Symbol::Multiplier(_) | Symbol::Force(_) | Symbol::Dummy(_) => f64::NAN,
    }
}

fn check(expression: &str, expected: &[f64]) {
    let found = value(&format!("let value = {expression};"));
    assert_eq!(found.len(), expected.len(), "{expression}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() < 1e-14 * expected.abs().max(1.0),
            "{expression}: {found}, expected {expected}"
        );
    }
}

#[test]
fn operators() {
    check("m + k*l - g/2", &[2.0 + 12.0 - 2.5]);
    check("-x^2 + x^-1", &[-0.09 + 1.0 / 0.3]);
    check("2^3^2 - 0.1*10", &[511.0]);
    check("m - k - l", &[-5.0]);
    check("m/k/l", &[2.0 / 12.0]);
    check("x^(1/2)", &[0.3f64.sqrt()]);
    check("m^x", &[2f64.powf(0.3)]);
    check("-[x, y]*2 + [1, 2]/m", &[-0.1, 0.2]);
    check("[[1, 2], [3, 4]]*[x, y]", &[1.1, 2.5]);
    check("[[1, 2], [3, 4]]*[[0, 1], [1, 0]]", &[2.0, 1.0, 4.0, 3.0]);
    check("[[1, 2], [3, 4]][1]", &[3.0, 4.0]);
    check("[[1, 2], [3, 4]][1, 0] + [[1, 2], [3, 4]][0][1]", &[5.0]);
    check("if x < y && !(m >= k) || x > y { 1 } else { 2 }", &[1.0]);
    check("if y <= x { [1, 2] } else if x > 1 { [3, 4] } else { [5, 6] }", &[5.0, 6.0]);
}

#[test]
fn functions() {
    check("sin(x) + x.cos() + tan(x)", &[0.3f64.sin() + 0.3f64.cos() + 0.3f64.tan()]);
    check(
        "asin(x) + acos(x) + atan(x) + atan2(x, -y)",
        &[0.3f64.asin() + 0.3f64.acos() + 0.3f64.atan() + 0.3f64.atan2(-0.4)],
    );
    check(
        "sinh(x) + cosh(x) + tanh(x) + exp(x) + ln(x)",
        &[0.3f64.sinh() + 0.3f64.cosh() + 0.3f64.tanh() + 0.3f64.exp() + 0.3f64.ln()],
    );
    check(
        "sqrt(x) + hypot(x, y) + sinc(x) + abs(-x) + sign(-x)",
        &[0.3f64.sqrt() + 0.5 + 0.3f64.sin() / 0.3 + 0.3 - 1.0],
    );
    check("min(x, y, 0.2) + max(x, y, 0.2)", &[0.6]);
    check("norm([x, y]) + norm2([x, y]) + norm(-x) + norm2(y)", &[0.5 + 0.25 + 0.3 + 0.16]);
    check("inner([x, y], [1, 2])", &[1.1]);
    check("cross([1, 2, 3], [x, y, 1])", &[2.0 - 1.2, 0.9 - 1.0, 0.4 - 0.6]);
    check("cross([1, 2], [x, y])", &[0.4 - 0.6]);
    check("pi*t", &[0.2 * std::f64::consts::PI]);
}

#[test]
fn dot_is_the_total_derivative() {
    check("dot(m*x*y + t^2)", &[2.0 * (1.3 * 0.4 + 0.3 * 1.4) + 0.4]);
    check("dot([sin(x), t])", &[1.3 * 0.3f64.cos(), 1.0]);
    check("dot(dot(x*y))", &[2.3 * 0.4 + 2.0 * 1.3 * 1.4 + 0.3 * 2.4]);
    check("dot(m)", &[0.0]);
}

#[test]
fn definitions_stand_in_any_order_and_are_shared() {
    let block = "let value = twice + tip[1]; let twice = 2*length; let length = tip.norm(); let tip = [x, y];";
    assert!((value(block)[0] - 1.4).abs() < 1e-15);
    let model = model("coordinates x; let a = sin(x)*m; let b = a; kinetic = dot(x)^2; force x = a*u;");
    let names: Vec<&str> = model.lets.iter().map(|definition| definition.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(model.lets[0].values, model.lets[1].values);
}

#[test]
fn a_dummy_shadows_and_definitions_do_not_see_it() {
    check("integral(x in 0..1, x*y)", &[0.2]);
    check("integral(s in 0..m, integral(r in 0..s, r*s))", &[2.0]);
    check("integral(s in 0..1, [s, 1])", &[0.5, 1.0]);
    assert!((value("let value = integral(x in 0..2, held); let held = x;")[0] - 0.6).abs() < 1e-15);
}

#[test]
fn the_model_holds_what_was_stated() {
    let model = model("coordinates x, y; kinetic = m*dot(x)^2/2; dissipation = k*dot(x)^2; force [x, 2*y] = [u, 1];");
    let names =
        |named: &[lagrange_symbolic::meaning::Named]| named.iter().map(|named| named.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&model.coordinates), ["x", "y"]);
    assert_eq!(names(&model.parameters), ["m", "k", "l", "g"]);
    assert_eq!(names(&model.inputs), ["u"]);
    assert_eq!(model.physics.forces[0].name, "[x, 2*y]");
    assert_eq!((model.physics.forces[0].left.len(), model.physics.forces[0].right.len()), (2, 2));
    assert_eq!(model.physics.kinetic, Some(model.physics.lagrangian));
    assert!(model.physics.potential.is_some_and(|potential| model.graph.is_zero(potential)));
    assert!(model.physics.dissipation.is_some());
    let uses: Vec<String> = model.field_uses.iter().map(ToString::to_string).collect();
    assert_eq!(uses, ["m", "k", "u"]);
}

#[test]
fn claims_speak_of_the_derived_equations() {
    let block =
        "coordinates x, y; let mass = 2*m; kinetic = mass*dot(x)^2/2 + m*dot(y)^2/2; potential = g*y; force x = u;
        verify mass[x, x] == mass; verify momentum == [2*m*dot(x), m*dot(y)]; verify mass[1][0] == 0;
        verify energy == kinetic + potential; verify forcing[y] == -g;";
    let (spec, mut model) = (spec(block), model(block));
    let names = derived(&mut model);
    let claims = elaborate_claims(&spec, &mut model, &names).expect("the claims are well formed").equal;
    assert_eq!(claims.len(), 5);
    for claim in &claims {
        assert_eq!(claim.left, claim.right, "{} == {}", claim.left_text, claim.right_text);
    }
    assert_eq!(model.lets[0].shape, Shape::Scalar);
}
