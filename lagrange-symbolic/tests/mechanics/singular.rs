//! Equations that are singular at every state, and equations that only seem so.

use super::{derive, derived};

const ITEM: &str = "struct Body { m: f64, l: f64 }";

fn refusal(block: &str) -> String {
    match derive(block, ITEM) {
        Ok(_) => "accepted".to_owned(),
        Err(message) => message.lines().next().unwrap_or_default().to_owned(),
    }
}

#[test]
fn a_small_pivot_is_a_pivot() {
    for small in ["1e-9", "1e-11", "1e-13", "1e-20", "1e-30"] {
        let block = format!("coordinates x, y; kinetic = {small}*dot(x)^2/2 + (dot(x) + dot(y))^2/2;");
        assert_eq!(refusal(&block), "accepted", "{small}");
    }
    let without = "coordinates x, y; kinetic = (dot(x) + dot(y))^2/2;";
    assert_eq!(refusal(without), "the mass matrix is singular: the motion `dot(x) = 1, dot(y) = -1` has no inertia");
    // 1/3 and its decimals differ.
    let near = "coordinates x, y; kinetic = dot(x)^2/6 + 0.333333333333*dot(x)*dot(y) + dot(y)^2/6;";
    assert_eq!(refusal(near), "accepted");
}

/// A constraint gives no inertia to a motion that it allows.
#[test]
fn a_constraint_may_allow_a_motion_without_inertia() {
    let allowed = |motion: &str| format!("the mass matrix is singular: the motion `{motion}` has no inertia");
    for (block, motion) in [
        ("coordinates x, y; kinetic = m*(dot(x) + dot(y))^2/2; constraint c: x + y == l;", "dot(x) = 1, dot(y) = -1"),
        (
            "coordinates x, y, z; kinetic = m*(dot(x)^2 + (dot(y) + dot(z))^2)/2; constraint c: x == y + z;",
            "dot(y) = 1, dot(z) = -1",
        ),
        (
            "coordinates x, y, z; kinetic = m*(dot(x) + dot(y) - dot(z))^2/2; constraint a: x + y == l; constraint b: z == l;",
            "dot(x) = 1, dot(y) = -1",
        ),
    ] {
        assert_eq!(refusal(block), allowed(motion), "{block}");
    }
    // The same inertia with a constraint that prevents the motion.
    for block in [
        "coordinates x, y; kinetic = m*(dot(x) + dot(y))^2/2; constraint c: x - y == l;",
        "coordinates x, y, z; kinetic = m*(dot(x)^2 + (dot(y) + dot(z))^2)/2; constraint c: x == y - z;",
        "coordinates x, y, z; kinetic = m*(dot(x) + dot(y) - dot(z))^2/2; constraint a: x == y; constraint b: z == y^2 + x;",
    ] {
        assert_eq!(refusal(block), "accepted", "{block}");
    }
}

#[test]
fn singular_on_some_sides_of_switches_is_not_singular() {
    for block in [
        "coordinates x; kinetic = max(x - 5, 0)*dot(x)^2/2;",
        "coordinates x; kinetic = max(x - 500, 0)*dot(x)^2/2;",
        // The branch is so far from the origin that no point reaches it.
        "coordinates x; kinetic = max(x - 1000000, 0)*dot(x)^2/2;",
        "coordinates x, y; kinetic = max(x - 5, 0)*dot(x)^2/2 + max(y + 7, 0)*(dot(x) + dot(y))^2/2;",
        "coordinates x, y; kinetic = (dot(x) + dot(y))^2/2 + (if t > 20 { (t - 20)*dot(y)^2 } else { 0 });",
        "coordinates x, y; kinetic = m*(dot(x) + dot(y))^2/2 + max(dot(x) - 30, 0)^2;",
        "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; constraint first: x == l;
         constraint second: x + max(y - 5, 0)^2 == l;",
    ] {
        assert_eq!(refusal(block), "accepted", "{block}");
    }
    // M is singular on both sides of the kink.
    let both = "coordinates x, y; kinetic = (1 + abs(x))*(dot(x) + dot(y))^2/2;";
    assert!(refusal(both).starts_with("the mass matrix is singular"), "{}", refusal(both));
}

#[test]
fn dependent_constraints_are_refused() {
    for (block, names) in [
        ("constraint a: x^2 + y^2 == l^2; constraint b: 2*x^2 + 2*y^2 == 2*l^2;", "`a` and `b`"),
        ("constraint a: x^2 + y^2 == l^2; constraint b: norm([x, y]) == l;", "`a` and `b`"),
        ("constraint a: x == 0; constraint b: y == 0; constraint c: x + y == 0;", "`a` and `b` and `c`"),
    ] {
        let block = format!("coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; {block}");
        assert_eq!(refusal(&block), format!("the constraints {names} are not independent"), "{block}");
    }
}

/// A proved singularity stays a mistake. One that was only found at points can be overruled.
#[test]
fn a_numerical_finding_can_be_set_aside() {
    let seen = "coordinates x, y, z; kinetic = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
        constraint a: x^2 + y^2 + z == l^2; constraint b: norm([x, y]) == l; constraint c: z == 0;";
    let message = derive(seen, ITEM).expect_err("the rows depend on each other");
    assert!(message.contains("state `assume regular;`"), "{message}");
    assert!(derived(&format!("{seen} assume regular;"), ITEM).model.physics.regular);

    for rows in [
        "constraint a: x^2 + y^2 == l^2; constraint b: 2*x^2 + 2*y^2 == 2*l^2;",
        "constraint a: x^2 + y^2 == l^2; constraint b: norm([x, y]) == l;",
        "constraint a: x + y == l; constraint b: y - z == l; constraint c: x + z == l;",
    ] {
        let block = format!("coordinates x, y, z; kinetic = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2; {rows}");
        for block in [block.clone(), format!("{block} assume regular;")] {
            let message = derive(&block, ITEM).expect_err("one row follows from the others");
            assert!(message.contains("not independent") && !message.contains("assume"), "{message}");
        }
    }
    let proved = "coordinates x, y; kinetic = (dot(x) + dot(y))^2/2; assume regular;";
    assert!(refusal(proved).starts_with("the mass matrix is singular"));
    // A parameter may have the name `regular`.
    let item = "struct Body { regular: f64 }";
    let block = "coordinates x; kinetic = regular*dot(x)^2/2; assume regular > 1;";
    assert!(!derived(block, item).model.physics.regular);
}
