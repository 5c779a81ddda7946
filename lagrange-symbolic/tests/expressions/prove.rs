//! Claims that are proved, only checked, or refuted at a point, with bounds on the work.

use crate::language::Language;
use expect_test::{Expect, expect};
use lagrange_symbolic::calculus::{directional, gradient};
use lagrange_symbolic::graph::value::numeric;
use lagrange_symbolic::graph::{Id, Symbol};
use lagrange_symbolic::prove::{Verdict, equal};
use std::fmt::Write as _;

fn verdict(claim: &str) -> (Language, Verdict) {
    let mut language = Language::default();
    let (left, right) = claim.split_once("==").expect("a claim");
    let (left, right) = (language.read(left), language.read(right));
    let verdict = equal(&language.graph, left, right);
    (language, verdict)
}

#[track_caller]
fn proved(claims: &[&str]) {
    for claim in claims {
        assert_eq!(verdict(claim).1, Verdict::Proved, "{claim}");
    }
}

/// One line for each claim, with the counterexample if there is one.
fn check(claims: &[&str], expected: Expect) {
    let mut text = String::new();
    for claim in claims {
        let (language, verdict) = verdict(claim);
        let outcome = match verdict {
            Verdict::Proved => "proved".to_string(),
            Verdict::Checked { points } => format!("checked at {points} points"),
            Verdict::Undecided(reason) => format!("undecided: {reason:?}"),
            Verdict::Refuted(example) => {
                let values: Vec<String> = example
                    .values
                    .iter()
                    .map(|(symbol, value)| format!("{} = {value}", language.name(*symbol)))
                    .collect();
                format!("refuted at {}: {} ≠ {}", values.join(", "), example.left, example.right)
            }
        };
        writeln!(text, "{claim}: {outcome}").expect("a string");
    }
    expected.assert_eq(&text);
}

#[test]
fn trigonometry_is_proved() {
    proved(&[
        "sin(2*x) == 2*sin(x)*cos(x)",
        "cos(2*x) == 1 - 2*sin(x)^2",
        "cos(3*x) == 4*cos(x)^3 - 3*cos(x)",
        "sin(x)*sin(y) == (cos(x - y) - cos(x + y))/2",
        "cos(x)*cos(y) + sin(x)*sin(y) == cos(y - x)",
        "sin(x/2)^2 == (1 - cos(x))/2",
        "sin(x/2)*cos(x/3) == (sin(5*x/6) + sin(x/6))/2",
        "tan(x)^2 + 1 == 1/cos(x)^2",
        "1/sin(x)^2 - 1 == cos(x)^2/sin(x)^2",
        "sin(x)/(1 + cos(x)) == (1 - cos(x))/sin(x)",
        "cos(x + pi/2) == -sin(x)",
        "sin(7*pi/2 - x) == -cos(x)",
        "sin(0.37*t + x) == sin(0.37*t)*cos(x) + cos(0.37*t)*sin(x)",
        "(sin(x) + cos(x))^4 == (1 + sin(2*x))^2",
    ]);
}

#[test]
fn quotients_are_proved() {
    proved(&[
        "1/(a + b) + 1/(a - b) == 2*a/(a^2 - b^2)",
        "1/(1 + 1/(1 + 1/a)) == (a + 1)/(2*a + 1)",
        "(a^3 - b^3)/(a - b) == a^2 + a*b + b^2",
        "x/(a*x + x^2) == 1/(a + x)",
        "1/(2*a + 2*b)^2 == 1/(4*(a^2 + 2*a*b + b^2))",
        "(a*b + b^2)/(a + b) == b",
    ]);
}

#[test]
fn roots_and_magnitudes_are_proved() {
    proved(&[
        "sqrt(x^2) == abs(x)",
        "sqrt(a^2) == a",
        "abs(x)^3 == x^2*abs(x)",
        "abs(a*x) == a*abs(x)",
        "abs(x - y) == abs(y - x)",
        "sqrt(12)*sqrt(3) == 6",
        "sqrt(6) == sqrt(2)*sqrt(3)",
        "sqrt(a)*a^(1/3) == a^(5/6)",
        "sqrt(a*b) == sqrt(a)*sqrt(b)",
        "1/sqrt(1 + x^2) == sqrt(1 + x^2)/(1 + x^2)",
        "norm(a*x, a*y) == a*sqrt(x^2 + y^2)",
        "norm(x, y)^4 == (x^2 + y^2)^2",
        "norm(a*sin(x), a*cos(x)) == a",
        "(sqrt(1 + a) - 1)*(sqrt(1 + a) + 1) == a",
        "sign(x)*x^3 == abs(x)^3",
        "sign(x)^3 == sign(x)",
        "sign(a*x) == sign(x)",
        "min(x, y) + max(x, y) == x + y",
        "max(x, y) == (x + y + abs(x - y))/2",
        "recip_or_zero(x)*x^2 == x",
    ]);
}

#[test]
fn whole_parts_are_proved() {
    proved(&[
        "mod(x, a) == x - a*floor(x/a)",
        "mod(2*x, 2*a) == 2*mod(x, a)",
        "floor(x + 3) == floor(x) + 3",
        "floor(x - 1/2) == floor(x + 1/2) - 1",
        "floor(floor(x)) == floor(x)",
        "mod(mod(x, a), a) == mod(x, a)",
        "mod(-7, 3) + mod(7, -3) == 0",
        "floor(-5/2) == -3",
    ]);
}

#[test]
fn exponentials_and_branches_are_proved() {
    proved(&[
        "exp(x)*exp(y) == exp(x + y)",
        "cosh(x)^2 - sinh(x)^2 == 1",
        "tanh(x) == (exp(2*x) - 1)/(exp(2*x) + 1)",
        "sinh(2*x) == 2*sinh(x)*cosh(x)",
        "exp(x/2)^2 == exp(x)",
        "ln(a^2*b) == 2*ln(a) + ln(b)",
        "exp(2*ln(a)) == a^2",
        "a^x*a^y == a^(x + y)",
        "ln(exp(x)) == x",
        "if(x < y, x^2 - y^2, 0) == (x - y)*if(x < y, x + y, 0)",
        "if(x < y, 1, 2) == if(y <= x, 2, 1)",
        "if(2*x < 2*y, 1, 2) == if(x - y < 0, 1, 2)",
    ]);
}

/// Equations (19) and (20) of the published compound double pendulum, against kinetic and potential energy from Cartesian positions.
#[test]
fn the_compound_double_pendulum_is_proved() {
    let kinetic = "(m1/2)*(dot(l1*sin(theta1)/2)^2 + dot(l1*cos(theta1)/2)^2) + m1*l1^2*dot(theta1)^2/24 \
        + (m2/2)*(dot(l1*sin(theta1) + l2*sin(theta2)/2)^2 + dot(l1*cos(theta1) + l2*cos(theta2)/2)^2) \
        + m2*l2^2*dot(theta2)^2/24 \
        + (m3/2)*(dot(l1*sin(theta1) + l2*sin(theta2))^2 + dot(l1*cos(theta1) + l2*cos(theta2))^2)";
    let published = "(l1^2*(m1 + 3*(m2 + m3))*dot(theta1)^2 \
        + 3*(m2 + 2*m3)*l1*l2*dot(theta1)*dot(theta2)*cos(theta2 - theta1) \
        + (m2 + 3*m3)*l2^2*dot(theta2)^2)/6";
    proved(&[&format!("{kinetic} == {published}")]);

    let mut language = Language::default();
    let kinetic = language.read(kinetic);
    let potential = language.read(
        "-g*(m1*l1*cos(theta1)/2 + m2*(l1*cos(theta1) + l2*cos(theta2)/2) + m3*(l1*cos(theta1) + l2*cos(theta2)))",
    );
    let mut derived = Vec::new();
    let graph = &mut language.graph;
    let velocities = [Symbol::Velocity(0), Symbol::Velocity(1)];
    let momentum = gradient(graph, kinetic, &velocities);
    let lagrangian = graph.sub(kinetic, potential);
    let slope = gradient(graph, lagrangian, &[Symbol::Coordinate(0), Symbol::Coordinate(1)]);
    for (row, &p) in momentum.iter().enumerate() {
        let mass = gradient(graph, p, &velocities);
        derived.extend(mass);
        let along: Vec<(Symbol, Id)> =
            (0..2).map(|i| (Symbol::Coordinate(i), graph.symbol(Symbol::Velocity(i)))).collect();
        let drift = directional(graph, &[p], &along)[0];
        derived.push(graph.sub(slope[row], drift));
    }
    let claimed = [
        "(m1 + 3*(m2 + m3))*l1^2/3",
        "(m2 + 2*m3)*l1*l2*cos(theta2 - theta1)/2",
        "-(m1/2 + m2 + m3)*l1*g*sin(theta1) + (m2/2 + m3)*l1*l2*dot(theta2)^2*sin(theta2 - theta1)",
        "(m2 + 2*m3)*l1*l2*cos(theta2 - theta1)/2",
        "(m2 + 3*m3)*l2^2/3",
        "-l2*(m2/2 + m3)*(g*sin(theta2) + l1*dot(theta1)^2*sin(theta2 - theta1))",
    ];
    for (derived, claim) in derived.into_iter().zip(claimed) {
        let claimed = language.read(claim);
        assert_eq!(equal(&language.graph, derived, claimed), Verdict::Proved, "{claim}");
    }
}

#[test]
fn what_has_no_normal_form_is_checked() {
    check(
        &[
            "atan(a) + atan(1/a) == pi/2",
            "asin(x) + acos(x) == pi/2",
            "abs(x*y + y^2) == abs(x + y)*sqrt(y^2)",
            "sqrt(a^2 + 2*a*b + b^2) == a + b",
            "sqrt(3 + 2*sqrt(2)) == 1 + sqrt(2)",
            "atan2(sin(x)*cos(x), cos(x)^2) == atan(tan(x))",
            "sinc(x)*x == sin(x)",
            "mod(x + a, a) == mod(x, a)",
            "if(x < 0, -x, x) == abs(x)",
        ],
        expect![[r#"
            atan(a) + atan(1/a) == pi/2: checked at 26 points
            asin(x) + acos(x) == pi/2: checked at 26 points
            abs(x*y + y^2) == abs(x + y)*sqrt(y^2): proved
            sqrt(a^2 + 2*a*b + b^2) == a + b: checked at 26 points
            sqrt(3 + 2*sqrt(2)) == 1 + sqrt(2): checked at 26 points
            atan2(sin(x)*cos(x), cos(x)^2) == atan(tan(x)): checked at 26 points
            sinc(x)*x == sin(x): checked at 26 points
            mod(x + a, a) == mod(x, a): checked at 32 points
            if(x < 0, -x, x) == abs(x): checked at 26 points
        "#]],
    );
}

#[test]
fn what_is_wrong_is_refuted() {
    check(
        &[
            "sin(x)*cos(x) == sin(2*x)",
            "(m1 + m2)*l^2 == m1*l^2 + m2*l",
            "sqrt(x^2) == x",
            "if(x < 2.9, 0, 1) == 0",
            "sign(x)^2 == 1",
            "norm(x, y)*recip_or_zero(norm(x, y)) == 1",
            "floor(-x) == -floor(x)",
            "mod(x, a) == abs(mod(x, -a))",
            "a^2 == a^2 + 0.00000000000000000001",
            "exp(x) == 1 + x + x^2/2 + x^3/6",
            "1 == 2",
        ],
        expect![[r#"
            sin(x)*cos(x) == sin(2*x): refuted at x = 0.57: 0.454316748058 ≠ 0.908633496116
            (m1 + m2)*l^2 == m1*l^2 + m2*l: refuted at m1 = 0.77, m2 = 1.7679, l = 2.4444: 15.1641843625 ≠ 8.9222751072
            sqrt(x^2) == x: refuted at x = -0.6821: 0.6821 ≠ -0.6821
            if(x < 2.9, 0, 1) == 0: refuted at x = 4.694: 1 ≠ 0
            sign(x)^2 == 1: refuted at x = 0: 0 ≠ 1
            norm(x, y)*recip_or_zero(norm(x, y)) == 1: refuted at x = 0, y = 0: 0 ≠ 1
            floor(-x) == -floor(x): refuted at x = 0.57: -1 ≠ 0
            mod(x, a) == abs(mod(x, -a)): refuted at x = 1.5679, a = 2.4444: 1.5679 ≠ 0.8765
            a^2 == a^2 + 0.00000000000000000001: refuted at a = 0.77: 0.5929 ≠ 0.59290000000000000001
            exp(x) == 1 + x + x^2/2 + x^3/6: refuted at x = 0.57: 1.76826705143 ≠ 1.7633155
            1 == 2: refuted at : 1 ≠ 2
        "#]],
    );
}

#[test]
fn what_is_never_defined_is_undecided() {
    check(
        &["ln(-a) == ln(-b)", "sqrt(-1 - x^2) == x"],
        expect![[r#"
            ln(-a) == ln(-b): undecided: Undefined
            sqrt(-1 - x^2) == x: undecided: OneSided { values: [(Coordinate(2), "89.19")], left: false }
        "#]],
    );
}

/// None of these may be expanded. Each must end quickly with some verdict.
#[test]
fn large_expressions_are_bounded() {
    let start = std::time::Instant::now();
    check(
        &[
            "(a + b + c + d + e + f)^50 == (1/(a + b + c + d + e + f))^-50",
            "(a + b + c + d)^40 == ((a + b)^2 + 2*(a + b)*(c + d) + (c + d)^2)^20",
            "(a + b + c + d + e + f + g + 1)^40 == (a + b + c + d + e + f + g + 2)^40",
            "cos(1000*x) == cos(500*x)^2 - sin(500*x)^2",
            "x^1000000 == x^999999*x",
            "(1 + 1/(a + 1/(b + 1/(c + 1/(d + 1/(e + 1/(f + 1/(g + 1/h))))))))^9 == 1",
            "exp(exp(exp(exp(a + 5)))) == 0",
            "9^9^9 == 1",
        ],
        expect![[r#"
            (a + b + c + d + e + f)^50 == (1/(a + b + c + d + e + f))^-50: proved
            (a + b + c + d)^40 == ((a + b)^2 + 2*(a + b)*(c + d) + (c + d)^2)^20: checked at 26 points
            (a + b + c + d + e + f + g + 1)^40 == (a + b + c + d + e + f + g + 2)^40: refuted at a = 0.77, b = 1.7679, c = 2.4444, d = 0.6747, e = 1.409, f = 1.8913, g = 1.894: 8.92564632549e42 ≠ 2.27972506424e44
            cos(1000*x) == cos(500*x)^2 - sin(500*x)^2: proved
            x^1000000 == x^999999*x: proved
            (1 + 1/(a + 1/(b + 1/(c + 1/(d + 1/(e + 1/(f + 1/(g + 1/h))))))))^9 == 1: refuted at a = 0.77, b = 1.7679, c = 2.4444, d = 0.6747, e = 1.409, f = 1.8913, g = 1.894, h = 0.5299: 196.928140791 ≠ 1
            exp(exp(exp(exp(a + 5)))) == 0: undecided: Undefined
            9^9^9 == 1: undecided: Undefined
        "#]],
    );
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

/// Values in f64 against values that were computed by hand.
#[test]
fn plain_values() {
    let mut language = Language::default();
    let cases = [
        ("2*x^2 - y/4", 2.0 * 2.25 - 0.5),
        ("norm(3, 2*y, x - 1.5)", 5.0),
        ("sign(x - 1.5) + sign(-y)", -1.0),
        ("if(x < y, min(x, y), 7)", 1.5),
        ("recip_or_zero(x - 1.5) + recip_or_zero(y)", 0.5),
        ("sinc(x - 1.5)", 1.0),
        ("floor(-x) + mod(-x, y) + 10*mod(x, -y)", -6.5),
        ("abs(-x)^3 + max(x, y)", 5.375),
    ];
    for (text, value) in cases {
        let id = language.read(text);
        let symbols = |symbol| if symbol == Symbol::Coordinate(2) { 1.5 } else { 2.0 };
        let found = numeric(&language.graph, &[id], &symbols)[0];
        assert!((found - value).abs() < 1e-15, "{text}: {found}");
    }
}
