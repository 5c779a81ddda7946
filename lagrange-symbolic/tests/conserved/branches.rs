//! Claims whose truth depends on a branch that is far away or narrow.

use super::{known, refuted, tokens};
use lagrange_symbolic::{Conserved, derivation, parse, report};

/// Checks that all invariants of a block are proved or checked.
#[track_caller]
fn holds(block: &str) {
    match known(block) {
        Ok(found) => assert!(!found.is_empty(), "undecided: {block}"),
        Err(messages) => panic!("{block}\n{messages}"),
    }
}

fn verify(claim: &str) -> Result<(), String> {
    let block = format!("coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; {claim}");
    let item = "struct Mechanism { m: f64, k: f64, l: f64, g: f64 }";
    let spec = parse::parse(tokens(&block), tokens(item)).and_then(|spec| derivation(&spec));
    let text = |report: report::Report| report.entries().iter().map(|(mistake, _)| mistake.text() + "\n").collect();
    spec.map(|_| ()).map_err(text)
}

#[test]
fn a_momentum_that_a_far_branch_changes() {
    for edge in ["0.001", "1", "100", "150", "1000", "20*l"] {
        for wall in ["max(x - E, 0)^2", "max(E - x, 0)^2", "max(x*y - E, 0)^2", "if x > E { (x - E)^2 } else { 0 }"] {
            let wall = wall.replace('E', edge);
            let block = |potential: &str| {
                format!(
                    "coordinates x, y, z; kinetic = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
                     potential = k*({potential}); invariant p = m*dot(z);"
                )
            };
            holds(&block(&wall));
            refuted(&block(&format!("{wall}*z")));
            refuted(&block(&format!("{wall}*(1 + 0.001*sin(z)^2)")));
        }
    }
}

#[test]
fn an_energy_that_a_late_or_deep_branch_changes() {
    for edge in ["60", "0.01", "1000"] {
        let block = |potential: &str| {
            format!("coordinates x; kinetic = m*dot(x)^2/2; potential = {potential}; invariant h = energy;")
        };
        refuted(&block(&format!("k*x^2*max(t - {edge}, 0)^2")));
        refuted(&block(&format!("if t > {edge} && x > 150 {{ k*(t - {edge})*(x - 150) }} else {{ 0 }}")));
        holds(&block(&format!("k*max(x - {edge}, 0)^2")));
        holds(&block(&format!("if x > {edge} {{ 1000*(x - {edge}) }} else {{ 0 }}")));
    }
}

#[test]
fn claims_about_the_product_of_branches() {
    // The claim is false only where both are positive, far from the origin.
    let message = verify("verify max(x - 100, 0)*max(y - 100, 0) == 0;").expect_err("it is positive for x, y > 100");
    assert!(message.contains("this does not hold"), "{message}");
    let message = verify("verify abs(x - 90)*(1 + max(y - x - 500, 0)) == abs(x - 90);").expect_err("y may be large");
    assert!(message.contains("this does not hold"), "{message}");
    verify("verify max(x - 100, 0)*min(x - 100, 0) == 0;").expect("one of them is 0");
    verify("verify (if x > 100 { if x < 50 { 1 } else { 0 } } else { 0 }) == 0;").expect("no x is both");
    verify("verify max(max(x, y), 100) == max(x, max(y, 100));").expect("it is the largest of three");
    verify("verify abs(abs(x) - 3) + min(y, 1000)*0 == max(abs(x) - 3, 3 - abs(x));").expect("it is a magnitude");
    verify("verify (if sin(x) > 2 { k } else { 0 }) == 0;").expect("no sine is 2");
}

#[test]
fn a_branch_that_nothing_reaches_is_named() {
    // The condition is never true, but neither a proof nor a point shows it.
    let message = verify("verify (if sin(x)*cos(x) > 0.6 { k } else { 0 }) == 0;").expect_err("it is not decided");
    assert!(message.contains("could not decide") && message.contains("no point was found in its branch"), "{message}");
}

#[test]
fn what_jumps_is_no_invariant() {
    for quantity in [
        "sign(x)",
        "sign(x)*dot(x)",
        "if x > 1 { 1 } else { 0 }",
        "if t > 60 { 1 } else { 0 }",
        "x - dot(x)*t - atan(tan(x - dot(x)*t)) + atan(tan(x))*0 + atan2(sin(x), cos(x)) - atan(tan(x))",
        "m*dot(x) + 1e-9*sign(x - 1000)",
        "m*dot(x) + if x*dot(x) > 1e4 { 0.001 } else { 0 }",
    ] {
        let block = format!("coordinates x; kinetic = m*dot(x)^2/2; invariant w = {quantity};");
        let message = known(&block).expect_err("it jumps");
        assert!(message.contains("it jumps along a motion"), "{quantity}: {message}");
    }
    for quantity in ["x - atan(tan(x))", "x - atan2(sin(x), cos(x))", "atan2(x, y)"] {
        let block = format!(
            "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; constraint still: y + x^3/3 == l; invariant w = {quantity};"
        );
        assert!(known(&block).is_err(), "{quantity}");
    }
    // A function of a constant of the motion jumps only where no motion crosses.
    holds("coordinates x; kinetic = m*dot(x)^2/2; invariant w = sign(dot(x) - 3);");
    holds("coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; invariant w = atan2(dot(y), dot(x));");
}

#[test]
fn a_proof_with_branches_is_still_a_proof() {
    let found =
        known("coordinates x; kinetic = m*dot(x)^2/2; potential = k*max(x - 100, 0)^2/2; invariant h = energy;");
    assert_eq!(found, Ok(vec![("h".to_owned(), Conserved::Proved)]));
}

/// After the usual number of points, only points that reach a new side of a switch are compared. Wherever the far branch is, the
/// number of points is that of the same claim without it, and the points for the branch.
#[test]
fn far_branches_take_points_of_their_own_only() {
    let points = |far: &str| {
        let block = format!(
            "coordinates x, y, z; lagrangian = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 + k/hypot(x, y) - {far};
             let spin = m*(x*dot(y) - y*dot(x));
             invariant axis = dot(y)*spin - k*x/hypot(x, y) + m*dot(z)^2/2 + {far};"
        );
        match known(&block).expect("the sum is constant")[..] {
            [(_, Conserved::Checked { points })] => points,
            ref found => panic!("{far}: {found:?}"),
        }
    };
    let usual = points("k*z^2/2");
    assert!(usual <= 60, "20 points of usual size and 30 of any size: {usual}");
    for far in ["k*max(z - 1e5, 0)^2", "k*max(z - 1e3, 0)^3", "k*max(1e4 - z, 0)^2"] {
        let found = points(far);
        assert!((usual..=usual + 10).contains(&found), "{far}: {found} points instead of {usual}");
    }
}
