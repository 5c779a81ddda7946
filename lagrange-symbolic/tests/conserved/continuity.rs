//! Energies, constraints and forces that are continuous, or that jump, by construction.

use super::tokens;
use lagrange_symbolic::report::Mistake;
use lagrange_symbolic::{meaning, parse};

/// The mistakes of a block.
fn mistakes(block: &str) -> Vec<Mistake> {
    let item = "struct Mechanism { m: f64, k: f64, l: f64, a: f64, c: f64, #[input] u: f64 }";
    let spec = parse::parse(tokens(block), tokens(item)).expect("the block is well formed");
    match meaning::elaborate(&spec) {
        Ok(_) => Vec::new(),
        Err(report) => report.entries().iter().map(|(mistake, _)| mistake.clone()).collect(),
    }
}

fn energy(potential: &str) -> String {
    format!("coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; force x = u; potential = {potential};")
}

#[track_caller]
fn continuous(block: &str) {
    assert_eq!(mistakes(block), Vec::new(), "{block}");
}

#[track_caller]
fn jumps(block: &str) {
    let found = mistakes(block);
    let is_jump = |mistake: &Mistake| matches!(mistake, Mistake::Jump { .. } | Mistake::JumpInPosition { .. });
    assert!(found.len() == 1 && is_jump(&found[0]), "{block}\n{found:?}");
}

/// A fixed sequence of choices.
struct Choices(u64);

impl Choices {
    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        of[((self.0 >> 33) as usize) % of.len()]
    }
}

/// The two sides of a comparison. Their difference vanishes on the boundary.
const BOUNDARIES: [(&str, &str); 12] = [
    ("x", "1"),
    ("x", "150"),
    ("x", "-0.001"),
    ("x", "1000*l"),
    ("t", "60"),
    ("t", "a"),
    ("x*y", "1000"),
    ("x + 2*y", "30*l"),
    ("sin(x)", "0.3"),
    ("norm([x, y])", "0.01"),
    ("hypot(x - 3, y)", "200"),
    ("dot(x)", "5"),
];

const SMOOTH: [&str; 6] = ["k*x^2/2", "k*cos(y)", "0", "k*x*y", "m*9.81*y + exp(-x^2)", "1000*k/(x^2 + 0.001)"];

/// Terms that are added on one side. Each vanishes on the boundary, with a rate that is not small.
const ADDED: [&str; 6] = [
    "1000*(L - R)",
    "k*abs(L - R)^1.5",
    "0.001*(L - R)^2",
    "sqrt(abs(L - R))*cos(x)",
    "1e6*sin(L - R)",
    "k*((1 + abs(L - R))^0.5 - 1)",
];

const JUMPS: [&str; 6] = ["1e-12", "1e-6", "1e-3", "1", "-1000", "1e-9*k"];

#[test]
fn generated_energies() {
    let mut choices = Choices(7);
    for round in 0..4 {
        for (left, right) in BOUNDARIES {
            let one = |text: &str| text.replace('L', left).replace('R', right);
            let (smooth, added) = (choices.one(&SMOOTH), one(choices.one(&ADDED)));
            let (jump, relation) = (choices.one(&JUMPS), choices.one(&["<", "<=", ">", ">="]));
            let assumption = choices.one(&["", "assume l < 0;", "assume a < l;", "assume l > -1; assume a > 100;"]);
            let piece = |jump: &str| {
                let sides = [format!("{smooth} + {added}{jump}"), (*smooth).to_owned()];
                let [then, otherwise] = [&sides[round % 2], &sides[1 - round % 2]];
                format!("if {left} {relation} {right} {{ {then} }} else {{ {otherwise} }}")
            };
            continuous(&(energy(&piece("")) + assumption));
            jumps(&(energy(&piece(&format!(" + {jump}"))) + assumption));
        }
    }
}

#[test]
fn conditions_of_several_comparisons() {
    // A boundary of several pieces. Each matters where the other comparison selects it.
    for (x, y) in [("1", "150"), ("-0.01", "0.02"), ("1000", "-1000")] {
        let corner = format!("if x > {x} && y > {y} {{ k*(x - {x})*(y - {y})");
        continuous(&energy(&format!("{corner} }} else {{ 0 }}")));
        jumps(&energy(&format!("{corner} + 1e-9*(x - {x}) }} else {{ 0 }}")));
        jumps(&energy(&format!("{corner} + 1e-9*(y - {y}) }} else {{ 0 }}")));
        let outside = format!("if x < {x} || y < {y} {{ 0 }} else {{ k*(x - {x})*(y - {y})");
        continuous(&energy(&format!("{outside} }}")));
        jumps(&energy(&format!("{outside} + 1e-12 }}")));
        // The inner boundary matters where the outer condition is true.
        let nested =
            |jump: &str| format!("if y > {y} {{ (y - {y})*if x > {x} {{ x - {x}{jump} }} else {{ 0 }} }} else {{ 0 }}");
        continuous(&energy(&nested("")));
        jumps(&energy(&nested(" + 1e-6")));
    }
    // A jump that another factor, or a maximum, makes visible only far away.
    jumps(&energy("max(y - 1000, 0)*sign(x)"));
    jumps(&energy("k*(if y > 150 { y - 150 } else { 0 })*(if x > 1 { 1e-6 } else { 0 })"));
    jumps(&energy("min(if x > 1 { 0.001 } else { 0 }, y - 1000)"));
    jumps(&energy("max(if x > 1 { 5 } else { 0 }, 3) - abs(y)"));
    continuous(&energy("max(if x > 1 { 5 } else { 0 }, 7) - abs(y)"));
    continuous(&energy("max(y - 1000, 0)*sign(x)*abs(x)^1.5"));
    // A boundary with two parts, one of which has no jump.
    jumps(&energy("if x^2 - 3*x + 2 > 0 { 0 } else { k*(x - 1) }"));
    jumps(&energy("if x*(y - 5) > 0 { 0 } else { k*x }"));
    // Conditions that exclude each other have no boundary.
    continuous(&energy("if x > 5 { if x < 3 { k } else { x - 5 } } else { 0 }"));
    continuous(&energy("if x^2 + 1 < 0 { k } else { k*x^2 }"));
    continuous(&energy("if norm([x, y]) > 0 { k*sin(norm([x, y])) } else { 0 }"));
    // Two boundaries at the same place.
    continuous(&energy("k*x*((if x > 1 { 1 } else { 0 }) + (if x <= 1 { 1 } else { 0 }))"));
    continuous(&energy("k*sign(x - 1)*(x - 1) + sign(y)^2*y"));
}

#[test]
fn functions_that_jump() {
    jumps(&energy("k*atan2(y, x)"));
    jumps(&energy("k*atan(tan(x))"));
    jumps(&energy("k*atan(1/x)"));
    jumps(&energy("k/(1 + exp(1/x))"));
    jumps(&energy("k*x/abs(x)"));
    jumps(&energy("k*atan(tan(x/100))*y"));
    jumps(&energy("sign(x - 200)"));
    jumps(&energy("1e-9*sign(x*y - 1e4)"));
    continuous(&energy("k*cos(atan2(y, x))"));
    continuous(&energy("k*atan2(y, 1 + x^2)"));
    continuous(&energy("k*sin(atan(tan(x)))^2"));
    continuous(&energy("k*x*atan2(0.5, x) - k/x + k*tan(y)"));
    continuous(&energy("k*y^2*atan2(y, x)"));
}

/// A denominator may change its sign where a condition selects another formula. Its poles are where the selected formula vanishes.
#[test]
fn denominators_with_several_formulas() {
    continuous(&energy("k*max(x, 0)/(if x > 0 { 1 } else { -2 })"));
    continuous(&energy("k*max(x - 1, 0)/(if x > 1 { 2 + sin(y) } else { y - 7 })"));
    continuous(&energy("integral(s in 0..l, abs(s*sin(x) - cos(x)))"));
    continuous(&energy("integral(s in 0..l, abs(s*sin(x) - a*cos(y)))"));
    jumps(&energy("k*atan(1/(if x > 1 { x - 1 } else { -1 }))"));
    for slope in ["y - 3", "1e-9*(y - 3)", "tanh(1e15*(y - 3))"] {
        jumps(&energy(&format!("k*max(x - 1, 0)*atan(1/(if x > 1 {{ {slope} }} else {{ -1 }}))")));
    }
}

#[test]
fn contacts_walls_and_softened_cores() {
    continuous(&energy("if x > 1 { 1000*(x - 1) } else { 0 }"));
    continuous(&energy("if x > 0 { k*x^(3/2) } else { 0 }"));
    continuous(&energy("if x > l { 1e9*(x - l)^2.5 } else { 0 }"));
    // The potential of a ball of radius 1e-3, continued by −1/r: once differentiable.
    let core = "if hypot(x, y) > 0.001 { -k/hypot(x, y) } else { k*((x^2 + y^2)/0.001^2 - 3)/(2*0.001) }";
    continuous(&energy(core));
    jumps(&energy(&core.replace("- 3", "- 3.0000001")));
    continuous(&energy(&core.replace("0.001", "l")));
    let knots: Vec<String> = (0..12).map(|i| format!("{}", f64::from(i) / 1000.0)).collect();
    let values: Vec<String> = (0..12).map(|i| format!("{}", (i * 37 % 11) * 100)).collect();
    let table = format!("table rail(s) = spline([{}], [{}]);", knots.join(", "), values.join(", "));
    continuous(&(energy("k*rail(x) + rail(y/100)") + &table));
}

#[test]
fn constraints_and_left_sides() {
    let block =
        |statement: &str| format!("coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; force x = u; {statement}");
    jumps(&block("constraint rod: x + sign(y - 200) == l;"));
    jumps(&block("constraint rod: atan2(y, x) == l;"));
    jumps(&block("constraint rod: x == if t > 60 { l } else { y };"));
    jumps(&block("nonholonomic edge: dot(x)*sign(y) == dot(y);"));
    continuous(&block("constraint rod: max(x - 200, 0) + y == l;"));
    jumps(&block("force sign(x) = u;"));
    jumps(&block("force [x, if y > 150 { y } else { 0 }] = [u, u];"));
    jumps(&block("force x*atan2(y, x) = u;"));
    // An angle may jump by whole or half turns, because its rate is continuous.
    continuous(&block("force atan2(y, x) - 2*atan(y/x) = u;"));
    continuous(&block("force max(x, y) + x*sign(t) = u;"));
    // Dissipation may jump between places, but its force −∂D/∂v must be finite.
    continuous(&block("dissipation = if x > 10 { c*dot(x)^2 } else { c*abs(dot(x)) };"));
    jumps(&block("dissipation = c*sign(dot(x) - 100);"));
}

#[test]
fn what_cannot_be_decided_is_asserted() {
    let block = |more: &str| {
        format!(
            "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; force x = u;
             extern height(s) = ground::height, d(s) = ground::slope;
             extern push(s) = ground::push, d(s) = ground::stiffness;
             let wall = if height(x) > 0 {{ k*push(x) }} else {{ 0 }};
             potential = wall + k*x^2; {more}"
        )
    };
    // Equality that does not depend on the values of the function is proved.
    let height = "extern height(s) = ground::height, d(s) = ground::slope;";
    continuous(&(energy("if height(x) > y { k*(height(x) - y)^2 } else { 0 }") + height));
    continuous(&(energy("if height(x) > 0 { k*height(x)*cos(y) } else { 0 }") + height));
    let found = mistakes(&block(""));
    let is_undecided = |mistake: &Mistake| matches!(mistake, Mistake::ContinuityUndecided { .. });
    assert!(found.len() == 1 && is_undecided(&found[0]), "{found:?}");
    continuous(&block("assume continuous(wall);"));
    // The continuity of another quantity implies nothing about it, and no assertion hides a jump that was found.
    assert_eq!(mistakes(&block("assume continuous(x*y);")).len(), 1);
    jumps(&(energy("k*sign(x)") + "assume continuous(sign(x));"));
}
