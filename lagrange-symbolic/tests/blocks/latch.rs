//! Constraints that modes switch on and off: their meaning, what may stand in them, and the messages about mistakes.

use super::source;
use expect_test::expect;

const POINTS: &str = "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; force x = u; mode on = when x > l { 1 }; mode place = when y > l { y };";

#[test]
fn modes_switch_constraints() {
    let cases = [
        "constraint hook: x == l when on > 1/2;",
        "constraint hook: [x, y] == [l, place] when on > 1/2 && !(on > k);",
        "constraint hook[i in 0..2]: x + i*y == l*t when on > i;",
        "nonholonomic belt: dot(x) == l when on > 1/2;",
        "constraint hook: x == l when on > 1/2; output a = [multiplier(hook), reaction(hook)[1]];",
        "constraint hook: [x, y] == [l, 0] when on > 1/2; output a = multiplier(hook[1]) + multiplier(hook)[0];",
        "constraint hook: x == l when on > 1/2; mode off = when abs(multiplier(hook)) > k { 1 };",
        "constraint hook: x == l when on > 1/2; mode off = when dot(dot(y)) > k { 1 };",
        "constraint hook: x == l when on > 1/2; constraint rod: y == l; output a = multiplier(rod) + multiplier(hook);",
        "constraint hook: x == l when on > 1/2; contact floor: y >= 0, friction = k, slip = x; friction pad: y = k;",
        "constraint hook: x == l when on;",
        "constraint hook: x == l when on == 1;",
        "constraint hook: x == l when on = 1;",
        "constraint hook: x == l when x > 1;",
        "constraint hook: x == l when on > u;",
        "constraint hook: x == l when k > 1;",
        "constraint hook: x == l when;",
        "constraint hook: x == l if on > 1/2;",
        "constraint hook: x == heat when on > 1/2; state heat: dot(heat) == 1;",
        "constraint hook: x == place;",
        "constraint hook: dot(x) == l when on > 1/2;",
        "constraint hook: l == place when on > 1/2;",
        "nonholonomic belt: dot(x) == place when on > 1/2;",
        "constraint hook: x == l when on > 1/2; output a = multiplier(hok);",
        "constraint hook: x == l when on > 1/2; mode off = when multiplier(hok) > k { 1 };",
        "constraint hook: x == l when on > 1/2; force y = multiplier(hook);",
        "constraint hook: x == l when on > 1/2; verify constraint_drift(hook) == 0;",
        "constraint hook: x == l when on > 1/2; contact floor: y >= 0; mode off = when multiplier(hook) > k { 1 };",
        "constraint hook: x == l when on > 1/2; friction pad: [x, y] = k;",
        "constraint hook: x == l when on > 1/2; friction pad: y = abs(multiplier(rod)); constraint rod: y == l;",
        "constraint hook[i in 0..65]: x + i*y == l when on > 1/2;",
        "constraint hook: x == l when on > 1/2; constraint hook: y == l when on > 1/2;",
    ];
    super::check(
        &cases,
        |case| source(&format!("{POINTS} {case}"), super::STRUCT),
        expect![[r#"
            constraint hook: x == l when on > 1/2;
                accepted
            constraint hook: [x, y] == [l, place] when on > 1/2 && !(on > k);
                accepted
            constraint hook[i in 0..2]: x + i*y == l*t when on > i;
                accepted
            nonholonomic belt: dot(x) == l when on > 1/2;
                accepted
            constraint hook: x == l when on > 1/2; output a = [multiplier(hook), reaction(hook)[1]];
                accepted
            constraint hook: [x, y] == [l, 0] when on > 1/2; output a = multiplier(hook[1]) + multiplier(hook)[0];
                accepted
            constraint hook: x == l when on > 1/2; mode off = when abs(multiplier(hook)) > k { 1 };
                accepted
            constraint hook: x == l when on > 1/2; mode off = when dot(dot(y)) > k { 1 };
                accepted
            constraint hook: x == l when on > 1/2; constraint rod: y == l; output a = multiplier(rod) + multiplier(hook);
                accepted
            constraint hook: x == l when on > 1/2; contact floor: y >= 0, friction = k, slip = x; friction pad: y = k;
                accepted
            constraint hook: x == l when on;
                ConditionNeeded «on» what follows `when` must be a condition, found a scalar
            constraint hook: x == l when on == 1;
                EqualityCondition «=» conditions compare with `<`, `<=`, `>`, `>=`
            constraint hook: x == l when on = 1;
                EqualityCondition «=» conditions compare with `<`, `<=`, `>`, `>=`
            constraint hook: x == l when x > 1;
                LatchCondition «x» `x` cannot stand in the condition of constraint `hook`
            constraint hook: x == l when on > u;
                LatchCondition «u» `u` cannot stand in the condition of constraint `hook`
            constraint hook: x == l when k > 1;
                LatchWithoutMode «k > 1» the condition of constraint `hook` contains no mode
            constraint hook: x == l when;
                ExpectedExpression «;» expected an expression, found `;`
            constraint hook: x == l if on > 1/2;
                Foreign «if» `if` is not understood here
            constraint hook: x == heat when on > 1/2; state heat: dot(heat) == 1;
                StateInConstraint «heat» state `heat` cannot stand in constraint `hook`
            constraint hook: x == place;
                StateInConstraint «place» state `place` cannot stand in constraint `hook`
            constraint hook: dot(x) == l when on > 1/2;
                VelocityInConstraint «dot(x)» a velocity cannot stand in the holonomic constraint `hook`
            constraint hook: l == place when on > 1/2;
                ConstraintOnNothing «l == place» constraint `hook` depends on no coordinate
            nonholonomic belt: dot(x) == place when on > 1/2;
                StateInConstraint «place» state `place` cannot stand in constraint `belt`
            constraint hook: x == l when on > 1/2; output a = multiplier(hok);
                UnknownConstraint «hok» there is no constraint `hok`
            constraint hook: x == l when on > 1/2; mode off = when multiplier(hok) > k { 1 };
                UnknownConstraint «hok» there is no constraint `hok`
            constraint hook: x == l when on > 1/2; force y = multiplier(hook);
                OutsideBound «multiplier(hook)» `multiplier` can stand in `output`, `verify` and the bound of a `friction` only
            constraint hook: x == l when on > 1/2; verify constraint_drift(hook) == 0;
                accepted
            constraint hook: x == l when on > 1/2; contact floor: y >= 0; mode off = when multiplier(hook) > k { 1 };
                LatchForce «multiplier(hook)» `multiplier(hook)` cannot stand here, because modes switch constraint `hook`
            constraint hook: x == l when on > 1/2; friction pad: [x, y] = k;
                FrictionBesideLatch «pad» friction `pad`, whose slip is a vector or whose bound contains a multiplier, cannot stand beside constraint `hook`, which modes switch
            constraint hook: x == l when on > 1/2; friction pad: y = abs(multiplier(rod)); constraint rod: y == l;
                FrictionBesideLatch «pad» friction `pad`, whose slip is a vector or whose bound contains a multiplier, cannot stand beside constraint `hook`, which modes switch
            constraint hook[i in 0..65]: x + i*y == l when on > 1/2;
                TooManyLatches «hook» row `hook[64]` of a constraint that modes switch is one too many
            constraint hook: x == l when on > 1/2; constraint hook: y == l when on > 1/2;
                DuplicateConstraint «hook» constraint `hook` is stated twice
        "#]],
    );
}
