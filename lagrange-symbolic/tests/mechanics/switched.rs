//! Lagrangians with a switch in the velocities: the equations on each side, and the facts that may still be claimed.

use super::{State, assert_close, derived, warnings};

const ITEM: &str = "struct Switched { m: f64, b: f64 }";

fn state(q: &[f64], v: &[f64]) -> State {
    State { t: 0.4, q: q.to_vec(), v: v.to_vec(), parameters: vec![1.0, 0.5] }
}

/// p and a at a state.
fn momentum_and_acceleration(block: &str, state: &State) -> (Vec<f64>, Vec<f64>) {
    let derivation = derived(block, ITEM);
    (state.values(&derivation, &derivation.equations.momentum), state.motion(&derivation).0)
}

#[test]
fn a_maximum_of_velocities_is_linear_on_each_side_alone() {
    let block = "coordinates x, y; lagrangian = m*(dot(x)^2 + dot(y)^2)/2 + b*y*max(dot(x), dot(y));";
    // p = m v + b y (1, 0), ṗ = (0, b ẋ).
    let (p, a) = momentum_and_acceleration(block, &state(&[0.3, 0.7], &[2.0, 1.0]));
    assert_close(&p, &[2.35, 1.0], "p");
    assert_close(&a, &[-0.5, 1.0], "a");
    // On the other side L is a different Lagrangian: b y ẏ is a total derivative.
    let (p, a) = momentum_and_acceleration(block, &state(&[0.3, 0.7], &[1.0, 2.0]));
    assert_close(&p, &[1.0, 2.35], "p");
    assert_close(&a, &[0.0, 0.0], "a");
}

#[test]
fn a_gyroscopic_term_that_a_velocity_switches() {
    // p = m ẋ ± b sin t, so that m a = ∓ b cos t.
    let block = "coordinates x; lagrangian = m*dot(x)^2/2 + b*sin(t)*abs(dot(x));";
    for (speed, sign) in [(1.5, 1.0), (-1.5, -1.0)] {
        let (p, a) = momentum_and_acceleration(block, &state(&[0.2], &[speed]));
        assert_close(&p, &[speed + sign * 0.5 * 0.4_f64.sin()], "p");
        assert_close(&a, &[-sign * 0.5 * 0.4_f64.cos()], "a");
    }
}

/// No fact that needs a quadratic L is claimed if L is quadratic only on a branch.
#[test]
fn no_fact_rests_on_one_branch() {
    for term in [
        "b*abs(dot(x))",
        "b*sin(t)*abs(dot(x))",
        "(if dot(x) > 0 { b*dot(x) } else { 0 })",
        "b*y*max(dot(x), dot(y))",
        "b*norm([dot(x), dot(y)])",
        "b*min(dot(x), 1)",
        "b*max(dot(x), 0)^2",
        "b*x*sign(dot(x))*dot(x)",
        "b*max(dot(x) + y, 0)",
        "b*max(x*dot(y), dot(x))",
    ] {
        for block in [
            format!("coordinates x, y; lagrangian = m*(dot(x)^2 + dot(y)^2)/2 + {term};"),
            format!("coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2 + {term};"),
            format!("coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = -{term};"),
        ] {
            let derivation = derived(&block, ITEM);
            let facts = &derivation.equations.facts;
            let claimed = [
                facts.quadratic,
                facts.velocity_free_acceleration,
                facts.velocity_free_forcing,
                facts.positive_mass,
                facts.regular_momentum,
            ];
            assert_eq!(claimed, [false; 5], "{block}");
            // One momentum has a kink, and the momentum of the norm jumps only at v = 0, which motions do not cross.
            // The others jump.
            let jumps = !term.contains("^2") && !term.contains("norm");
            assert_eq!(warnings(&derivation).contains(&"MomentumJumps"), jumps, "{block}");
            assert_eq!(derivation.equations.switches.len(), usize::from(!term.contains("norm")), "{block}");
        }
    }
}

#[test]
fn selections_free_of_velocities_leave_the_facts() {
    for factor in ["(1 + max(x, 0))", "(if y > 0 { 2 } else { 2 + y^2 })", "(1 + abs(x))", "(1 + norm([x, y]))"] {
        let block =
            format!("coordinates x, y; kinetic = {factor}*(dot(x)^2 + dot(y)^2)/2; potential = m*abs(y) + b*x;");
        let derivation = derived(&block, ITEM);
        let facts = &derivation.equations.facts;
        assert!(facts.quadratic && facts.positive_mass && facts.regular_momentum, "{block}: {facts:?}");
        assert!(!facts.velocity_free_forcing && !facts.constant_mass && !facts.separable, "{block}: {facts:?}");
        assert!(warnings(&derivation).is_empty(), "{block}");
    }
}

#[test]
fn every_fact_comes_from_the_lagrangian() {
    // M of T is positive. With V, M is −1, and then 0 on the diagonal with cross terms.
    let derivation = derived("coordinates x; kinetic = dot(x)^2/2; potential = dot(x)^2 + m*x;", ITEM);
    assert!(!derivation.equations.facts.positive_mass);
    let state = State { q: vec![0.3], v: vec![0.7], parameters: vec![1.0, 0.5], ..State::default() };
    let equations = &derivation.equations;
    assert_close(&state.values(&derivation, &equations.mass[0]), &[-1.0], "M");
    assert_close(&state.values(&derivation, &[equations.kinetic.expect("stated")]), &[0.245], "T");
    assert_close(&state.values(&derivation, &[equations.potential.expect("stated")]), &[0.49 + 0.3], "V");

    let block = "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = b*dot(x)*dot(y);";
    assert!(!derived(block, ITEM).equations.facts.positive_mass);
    // V adds nothing to M, or something positive: M is that of T, or larger.
    for potential in ["-b*dot(x)^2/2 + m*y", "b*x*dot(y) + m*y", "b*y"] {
        let block = format!("coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = {potential};");
        assert!(derived(&block, ITEM).equations.facts.positive_mass, "{block}");
    }
}
