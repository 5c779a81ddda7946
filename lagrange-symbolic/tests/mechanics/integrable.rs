//! Nonholonomic rows that can be integrated: by themselves, in a combination, and together.

use super::derived;

const ITEM: &str = "struct Cart { m: f64, r: f64, b: f64, w: f64 }";

const KINETIC: &str = "kinetic = m*(dot(x)^2 + dot(y)^2)/2 + b*dot(a)^2 + r*dot(f)^2 + w*dot(h)^2*(2 + cos(h));";

/// The texts of the warnings about rows.
fn warned(rows: &str) -> Vec<String> {
    let derivation = derived(&format!("coordinates x, y, a, f, h; {KINETIC} {rows}"), ITEM);
    derivation
        .model
        .warnings
        .entries()
        .iter()
        .map(|(mistake, _)| mistake.text().lines().next().unwrap().to_owned())
        .collect()
}

const KNIFE: &str = "nonholonomic knife: dot(y)*cos(a) == dot(x)*sin(a);";

fn wheel(name: &str, side: &str, factor: &str, angle: &str) -> String {
    format!("nonholonomic {name}: {factor}*(dot(x)*cos(a) + dot(y)*sin(a) {side} b*dot(a)) == {factor}*r*dot({angle});")
}

/// Two wheels on an axle: 2 b a = r (f − h).
#[test]
fn a_combination_of_wheels() {
    let rows = |factor| format!("{KNIFE} {} {}", wheel("left", "+", factor, "f"), wheel("right", "-", "1", "h"));
    assert_eq!(warned(&rows("1")), ["the combination left - right of nonholonomic rows is holonomic in disguise"]);
    assert_eq!(warned(&rows("3")), ["the combination left - 3*right of nonholonomic rows is holonomic in disguise"]);
    assert_eq!(warned(&rows("-2")), ["the combination left + 2*right of nonholonomic rows is holonomic in disguise"]);
    // The factor is not the same at all states.
    assert_eq!(warned(&rows("(2 + cos(a))")), [""; 0]);
    assert_eq!(warned(&format!("{KNIFE} {}", wheel("left", "+", "1", "f"))), [""; 0]);
}

/// A disc rolls along a line if its heading is fixed, however that is stated.
#[test]
fn rows_together() {
    let disc = "nonholonomic ahead: dot(x) == r*cos(a)*dot(f); nonholonomic aside: dot(y) == r*sin(a)*dot(f);";
    let together = "nonholonomic ahead, aside can be integrated beside the other constraints";
    assert_eq!(warned(disc), [""; 0]);
    assert_eq!(warned(&format!("constraint heading: a == w; {disc}")), [together]);
    assert_eq!(warned(&format!("constraint heading: a == f; {disc}")), [together]);
    let turned = "nonholonomic heading: dot(a) == w;";
    let own = "nonholonomic heading is holonomic in disguise";
    assert_eq!(warned(&format!("{turned} {disc}")), [own]);
    assert_eq!(warned(&format!("nonholonomic heading: dot(a) == 0; {disc}")), [own, together]);
    assert_eq!(warned(&format!("constraint heading: a == w*t; {disc}")), [""; 0]);
    assert_eq!(warned(&format!("constraint heading: a == h; {disc}")), [""; 0]);
    assert_eq!(warned(&format!("constraint rope: x^2 + y^2 == (b - w*t)^2; {disc}")), [""; 0]);
}
