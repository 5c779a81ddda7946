//! Claims whose truth depends on the sign that assumptions give a parameter.

use super::{known, refuted, tokens};
use lagrange_symbolic::{meaning, parse};

/// Assumptions, and the sign that they give `a` (0 where it may have either).
const ASSUMPTIONS: [(&str, i8); 16] = [
    ("", 1),
    ("assume a > 0;", 1),
    ("assume a < 0;", -1),
    ("assume -a > 2;", -1),
    ("assume a < -0.001;", -1),
    ("assume 3 < -2*a;", -1),
    ("assume c < 0; assume a < c;", -1),
    ("assume a*c < 0; assume c > 1;", -1),
    ("assume a + c < 0; assume c > 5;", -1),
    ("assume a < k - 7; assume k < 7;", -1),
    ("assume a > c;", 1),
    ("assume a < c;", 0),
    ("assume a > c; assume c > 1e6;", 1),
    ("assume a > c; assume a < c + 1e-6; assume c > 1000;", 1),
    ("assume a > -1;", 0),
    ("assume a*c < 0;", 0),
];

#[test]
fn the_sign_of_a_parameter() {
    for (assumption, sign) in ASSUMPTIONS {
        for claimed in [1, -1] {
            let a = if claimed > 0 { "a" } else { "(-a)" };
            // Whether each claim is true: the claimed sign is the sign of `a`, or the claim takes magnitudes.
            let by_sign = claimed == sign;
            for (invariant, constant) in [
                (format!("{a}*dot(x)^2/2 + a*x"), by_sign),
                (format!("sqrt(a^2)*dot(x)^2/2 + a*x + ({a} - abs(a))*t"), by_sign),
                (format!("abs(a)*dot(x)^2/2 + a*x + t*max({a}, 0)*abs(a) - t*a^2"), by_sign),
                (format!("abs(a)*dot(x)^2/2 + {a}*x*sign({a})"), sign == 1),
            ] {
                let block = format!(
                    "coordinates x; {assumption} kinetic = abs(a)*dot(x)^2/2; potential = a*x; invariant w = {invariant};"
                );
                if constant {
                    let found = known(&block).unwrap_or_else(|messages| panic!("{block}\n{messages}"));
                    assert_eq!(found.len(), 1, "undecided: {block}");
                } else {
                    refuted(&block);
                }
            }
        }
    }
}

#[test]
fn narrow_assumptions_are_met() {
    // Points that satisfy all assumptions are found, however few there are.
    refuted(
        "coordinates x; assume a > 1000; assume a < 1000.000001; assume c > a; assume c < a + 1e-9;
         kinetic = m*dot(x)^2/2; invariant p = m*dot(x) + (c - a)*x;",
    );
    refuted(
        "coordinates x; assume a^2 + c^2 < 1e-6; assume a > c;
         kinetic = m*dot(x)^2/2; invariant p = m*dot(x) + (a - c)*x;",
    );
}

#[test]
fn assumptions_that_contradict_each_other() {
    let mistakes = |assumptions: &str| {
        let item = "struct Mechanism { a: f64, b: f64 }";
        let block = format!("coordinates x; kinetic = (a^2 + b^2 + 1)*dot(x)^2/2; {assumptions}");
        let spec = parse::parse(tokens(&block), tokens(item)).expect("the block is well formed");
        match meaning::elaborate(&spec) {
            Ok(_) => Vec::new(),
            Err(report) => report.entries().iter().map(|(mistake, _)| mistake.message()).collect::<Vec<_>>(),
        }
    };
    for (assumptions, last) in [
        ("assume a < 0; assume a > 1;", "a > 1"),
        ("assume b > 0; assume a < b; assume b < a;", "b < a"),
        ("assume a^2 < 0;", "a^2 < 0"),
        ("assume a > 1; assume b > 1; assume a*b < 1;", "a*b < 1"),
        ("assume a + b > 3; assume a < 1; assume b < 2; assume a > 0;", "b < 2"),
    ] {
        let expected = format!("no parameters meet `{last}` together with the assumptions before it");
        assert_eq!(mistakes(assumptions), [expected], "{assumptions}");
    }
    assert_eq!(mistakes("assume a < 0; assume b > a; assume b < a + 1e-3;"), [""; 0]);
}
