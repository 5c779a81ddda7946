//! `mode` statements: their meaning, what may stand in them, where modes may stand, and the messages about mistakes.

use super::source;
use expect_test::expect;

const POINTS: &str = "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; force x = u;";

#[test]
fn modes_change_where_conditions_hold() {
    let cases = [
        "mode on = when x > l { 1 } when x < -l { 0 };",
        "mode on = when x > l && dot(x) > 0 || !(t < k) { on + 1 };",
        "mode on = when u > 1 { k*u };",
        "mode on = when x > l { 1 } then dot(x) = -dot(x)/2, y = 0;",
        "mode on = when x > l { 1 } then [dot(x), dot(y)] = [dot(y), dot(x)], heat = 0; state heat: dot(heat) == 1;",
        "mode on = when x > l { 1 } then count = count + 1; mode count;",
        "mode on[i in 0..2] = when x > i*l { 1 };",
        "mode on[0] = when x > 0 { 1 } then on[1] = 1; mode on[1];",
        "mode on = when dot(dot(x)) > k { 1 };",
        "mode on = when multiplier(rod) > k { 1 }; constraint rod: norm([x, y]) == l;",
        "mode on = when x { 1 };",
        "mode on = when x > 0 { [1, 2] };",
        "mode on = when x == 0 { 1 };",
        "mode on = when x = 0 { 1 };",
        "mode on = when x > 0 1;",
        "mode on = if x > 0 { 1 } else { 0 };",
        "mode on: when x > 0 { 1 };",
        "mode = when x > 0 { 1 };",
        "mode on;",
        "mode on = when x > 0 { 1 } then k = 2;",
        "mode on = when x > 0 { 1 } then x + y = 2;",
        "mode on = when x > 0 { 1 } then dot(dot(x)) = 2;",
        "mode on = when x > 0 { 1 } then x = 2, x = 3;",
        "mode on = when x > 0 { 1 } then on = 2;",
        "mode on = when x > 0 { 1 } then [x, y] = 2;",
        "mode on = when x > 0 { 1 } then x == 2;",
        "mode on = when multiplier(rod) > k { 1 }; constraint rod: y == l; friction pad: x = k;",
        "mode on = when contact(floor) > k { 1 }; contact floor: y >= 0;",
        "mode on = when x > 0 { 1 }; mode on = when x < 0 { 0 };",
        "mode on = when x > 0 { 1 }; state on: dot(on) == k;",
        "mode x = when x > 0 { 1 };",
        "mode m = when x > 0 { 1 };",
        "mode t = when x > 0 { 1 };",
        "let on = 2; mode on = when x > 0 { 1 };",
        "mode on[i in 1..3] = when x > 0 { 1 };",
        "mode on[i in 0..65] = when x > i { 1 };",
    ];
    super::check(
        &cases,
        |case| source(&format!("{POINTS} {case}"), super::STRUCT),
        expect![[r#"
            mode on = when x > l { 1 } when x < -l { 0 };
                accepted
            mode on = when x > l && dot(x) > 0 || !(t < k) { on + 1 };
                accepted
            mode on = when u > 1 { k*u };
                accepted
            mode on = when x > l { 1 } then dot(x) = -dot(x)/2, y = 0;
                accepted
            mode on = when x > l { 1 } then [dot(x), dot(y)] = [dot(y), dot(x)], heat = 0; state heat: dot(heat) == 1;
                accepted
            mode on = when x > l { 1 } then count = count + 1; mode count;
                accepted
            mode on[i in 0..2] = when x > i*l { 1 };
                accepted
            mode on[0] = when x > 0 { 1 } then on[1] = 1; mode on[1];
                accepted
            mode on = when dot(dot(x)) > k { 1 };
                accepted
            mode on = when multiplier(rod) > k { 1 }; constraint rod: norm([x, y]) == l;
                accepted
            mode on = when x { 1 };
                ConditionNeeded «x» what follows `when` must be a condition, found a scalar
            mode on = when x > 0 { [1, 2] };
                ScalarNeeded «[1, 2]» the value of mode `on` must be a scalar, found a vector of 2 components
            mode on = when x == 0 { 1 };
                EqualityCondition «=» conditions compare with `<`, `<=`, `>`, `>=`
            mode on = when x = 0 { 1 };
                EqualityCondition «=» conditions compare with `<`, `<=`, `>`, `>=`
            mode on = when x > 0 1;
                ExpectedBraces «1» expected `{`, found `1`
            mode on = if x > 0 { 1 } else { 0 };
                ModeForm «if» expected `mode on = when condition { value };`, found `if`
            mode on: when x > 0 { 1 };
                ModeForm «:» expected `mode on = when condition { value };`, found `:`
            mode = when x > 0 { 1 };
                ModeForm «=» expected `mode name = when condition { value };`, found `=`
            mode on;
                ModeUnchanged «on» mode `on` never changes
            mode on = when x > 0 { 1 } then k = 2;
                ModeTarget «k» a change of mode `on` cannot assign to `k`
            mode on = when x > 0 { 1 } then x + y = 2;
                ModeTarget «x + y» a change of mode `on` cannot assign to `x + y`
            mode on = when x > 0 { 1 } then dot(dot(x)) = 2;
                ModeTarget «dot(dot(x))» a change of mode `on` cannot assign to `dot(dot(x))`
            mode on = when x > 0 { 1 } then x = 2, x = 3;
                ModeTargetTwice «x» a change of mode `on` assigns to `x` twice
            mode on = when x > 0 { 1 } then on = 2;
                ModeTargetTwice «on» a change of mode `on` assigns to `on` twice
            mode on = when x > 0 { 1 } then [x, y] = 2;
                Shapes «[x, y] = 2» an assignment needs equal shapes: the left is a vector of 2 components, the right a scalar
            mode on = when x > 0 { 1 } then x == 2;
                EqualityInDefinition «==» `==` where `=` is meant
            mode on = when multiplier(rod) > k { 1 }; constraint rod: y == l; friction pad: x = k;
                ModeForce «multiplier(rod) > k» `multiplier(rod) > k` cannot stand in a condition of mode `on`
            mode on = when contact(floor) > k { 1 }; contact floor: y >= 0;
                ForceOutsideOutput «contact(floor)» `contact` can stand in `output` only
            mode on = when x > 0 { 1 }; mode on = when x < 0 { 0 };
                DuplicateMode «on» mode `on` is stated twice
            mode on = when x > 0 { 1 }; state on: dot(on) == k;
                StateIsTaken «on» state `on` has the name of a mode
            mode x = when x > 0 { 1 };
                StateIsTaken «x» mode `x` has the name of a coordinate
            mode m = when x > 0 { 1 };
                StateIsTaken «m» mode `m` has the name of a field
            mode t = when x > 0 { 1 };
                ReservedName «t» `t` is reserved
            let on = 2; mode on = when x > 0 { 1 };
                LetIsState «on» `let on` hides the mode `on`
            mode on[i in 1..3] = when x > 0 { 1 };
                StateElements «on» the elements of mode `on` do not make up an array
            mode on[i in 0..65] = when x > i { 1 };
                TooManyChanges «on» with the changes of mode `on[64]`, there are more than 128 conditions and assigned values
        "#]],
    );
}

#[test]
fn modes_may_stand_where_states_may_and_jump_in_energies() {
    let cases = [
        "potential = if on > 1/2 { k*x^2 } else { 4*k*x^2 + l };",
        "potential = k*sign(on)*x^2;",
        "potential = if x > on { k } else { 0 };",
        "dissipation = on*dot(x)^2/2;",
        "force y = -k*on;",
        "output where = on*x;",
        "constraint rod: y == on;",
        "invariant sum = m*dot(y);",
        "invariant sum = on*m*dot(y);",
        "invariant everything = x;",
        "let doubled = 2*on; force y = doubled;",
    ];
    let mode = "mode on = when x > l { 1 } when x < 0 { 0 } then dot(x) = 0;";
    super::check(
        &cases,
        |case| source(&format!("{POINTS} {mode} {case}"), super::STRUCT),
        expect![[r#"
        potential = if on > 1/2 { k*x^2 } else { 4*k*x^2 + l };
            accepted
        potential = k*sign(on)*x^2;
            accepted
        potential = if x > on { k } else { 0 };
            Jump «if x > on { k } else { 0 }» `if x > on { k } else { 0 }` makes `potential` jump
        dissipation = on*dot(x)^2/2;
            accepted
        force y = -k*on;
            accepted
        output where = on*x;
            ExpectedName «where» expected a name, found `where`
        constraint rod: y == on;
            StateInConstraint «on» state `on` cannot stand in constraint `rod`
        invariant sum = m*dot(y);
            accepted
        invariant sum = on*m*dot(y);
            accepted
        invariant everything = x;
            accepted
        let doubled = 2*on; force y = doubled;
            accepted
    "#]],
    );
}
