//! `friction` statements: their meaning, and the messages about mistakes in them.

use super::source;
use expect_test::expect;

const POINTS: &str = "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; force x = u;";

#[test]
fn frictions_are_functions_of_position_and_time_with_a_bound() {
    let cases = [
        "friction pad: x = m;",
        "friction pad: [x, y] = [m, m];",
        "friction pad: [x, y] = m*(1 + exp(-norm([dot(x), dot(y)])));",
        "friction pad: [x, y] = m, smooth = l;",
        "friction pad: [x, y] = m; output force = friction(pad);",
        "friction pad: [x, y] = m*multiplier(rod); constraint rod: y == l;",
        "friction pad: [x, y] = m; contact wall: x >= 0;",
        "friction pad: [x, y] = m*multiplier(rod); constraint rod: y == l; contact wall: x >= 0;",
        "friction pad: [x, y] = m; friction rub: x = multiplier(rod); constraint rod: y == l;",
        "friction pad[i in 0..32]: [x, y*i] = m; friction rub: x = m;",
        "friction pad: [x, y] = m; invariant p = x;",
        "friction pad: x = [m, m];",
        "friction pad: dot(x) = m;",
        "friction pad: u*x = m;",
        "friction pad: m = m;",
        "friction pad: x = m*dot(dot(x));",
        "friction pad: x = m*multiplier(rod); constraint rod: y == l;",
        "friction pad: x = m*norm(reaction(rod)); constraint rod: y == l;",
        "friction pad: x*multiplier(rod) = m; constraint rod: y == l;",
        "friction pad: x = m*multiplier(rob); constraint rod: y == l;",
        "friction pad: x = m*abs(multiplier(rod)); constraint rod: y == l; contact wall: x >= 0;",
        "friction pad: x = m; friction pad: x = m*multiplier(rod); constraint rod: y == l;",
        "friction pad: x = m; friction pad: y = m;",
        "friction pad[i in 0..65]: x - i*y = m;",
        "friction pad: [x, y, 2*x, 3*x, 4*x, 5*x, 6*x, 7*x, 8*x] = m;",
        "friction pad[i in 0..8]: x - i*y = m; friction rub: y = abs(multiplier(rod)); constraint rod: norm([x, y]) == l;",
        "friction pad[i in 0..7]: x - i*y = m; friction rub: y = abs(multiplier(rod)); constraint rod: norm([x, y]) == l;",
        "friction pad: x - l*t = m - abs(dot(x) - l)/8;",
        "friction x = m;",
        "friction = m*dot(x);",
        "friction pad: x == m;",
        "friction pad: x;",
    ];
    super::check(
        &cases,
        |case| source(&format!("{POINTS} {case}"), super::STRUCT),
        expect![[r#"
            friction pad: x = m;
                accepted
            friction pad: [x, y] = [m, m];
                ScalarNeeded «[m, m]» the bound of `friction pad` must be a scalar, found a vector of 2 components
            friction pad: [x, y] = m*(1 + exp(-norm([dot(x), dot(y)])));
                accepted
            friction pad: [x, y] = m, smooth = l;
                accepted
            friction pad: [x, y] = m; output force = friction(pad);
                accepted
            friction pad: [x, y] = m*multiplier(rod); constraint rod: y == l;
                accepted
            friction pad: [x, y] = m; contact wall: x >= 0;
                accepted
            friction pad: [x, y] = m*multiplier(rod); constraint rod: y == l; contact wall: x >= 0;
                FrictionBesideContact «pad» friction `pad`, whose bound contains a multiplier, cannot stand beside contact `wall`
            friction pad: [x, y] = m; friction rub: x = multiplier(rod); constraint rod: y == l;
                accepted
            friction pad[i in 0..32]: [x, y*i] = m; friction rub: x = m;
                TooManyFrictions «rub» friction `rub` is one contact too many
            friction pad: [x, y] = m; invariant p = x;
                accepted
            friction pad: x = [m, m];
                ScalarNeeded «[m, m]» the bound of `friction pad` must be a scalar, found a vector of 2 components
            friction pad: dot(x) = m;
                VelocityInLeft «dot(x)» a velocity cannot stand on the left side of `friction`
            friction pad: u*x = m;
                InputInLeft «u» input `u` cannot stand on the left side of `friction`
            friction pad: m = m;
                ForceOnNothing «m» `m` depends on no coordinate: the force would act on nothing
            friction pad: x = m*dot(dot(x));
                SecondDerivativeInForce «dot(dot(x))» a second derivative cannot stand in a force
            friction pad: x = m*multiplier(rod); constraint rod: y == l;
                accepted
            friction pad: x = m*norm(reaction(rod)); constraint rod: y == l;
                accepted
            friction pad: x*multiplier(rod) = m; constraint rod: y == l;
                OutsideBound «multiplier(rod)» `multiplier` can stand in `output`, `verify` and the bound of a `friction` only
            friction pad: x = m*multiplier(rob); constraint rod: y == l;
                UnknownConstraint «rob» there is no constraint `rob`
            friction pad: x = m*abs(multiplier(rod)); constraint rod: y == l; contact wall: x >= 0;
                FrictionBesideContact «pad» friction `pad`, whose bound contains a multiplier, cannot stand beside contact `wall`
            friction pad: x = m; friction pad: x = m*multiplier(rod); constraint rod: y == l;
                DuplicateFriction «pad» friction `pad` is stated twice
            friction pad: x = m; friction pad: y = m;
                DuplicateFriction «pad» friction `pad` is stated twice
            friction pad[i in 0..65]: x - i*y = m;
                TooManyFrictions «pad» friction `pad[64]` is one contact too many
            friction pad: [x, y, 2*x, 3*x, 4*x, 5*x, 6*x, 7*x, 8*x] = m;
                SlipComponents «[x, y, 2*x, 3*x, 4*x, 5*x, 6*x, 7*x, 8*x]» the slip of `pad` has 9 components
            friction pad[i in 0..8]: x - i*y = m; friction rub: y = abs(multiplier(rod)); constraint rod: norm([x, y]) == l;
                LoadedAmongMany «rub» friction `rub`, whose bound contains multipliers, is one of more than 8 rows of frictions
            friction pad[i in 0..7]: x - i*y = m; friction rub: y = abs(multiplier(rod)); constraint rod: norm([x, y]) == l;
                accepted
            friction pad: x - l*t = m - abs(dot(x) - l)/8;
                accepted
            friction x = m;
                ConstraintName «x = m» a `friction` needs a name and `:` before its equation
            friction = m*dot(x);
                DampingAsFriction «= m*dot(x)» `friction` without a slip
            friction pad: x == m;
                EqualityInDefinition «==» `==` where `=` is meant
            friction pad: x;
                ExpectedEquals «;» expected `=` after `friction pad: x`, found `;`
        "#]],
    );
}

#[test]
fn smooth_friction_has_a_slip_rate_of_parameters() {
    let cases = [
        "friction pad: x = m, smooth = l/8;",
        "friction pad: x = m, smooth = l,;",
        "friction pad[i in 0..9]: x - i*y = m, smooth = l;",
        "friction pad: x = m, smooth = [l, l];",
        "friction pad: x = m, smooth = l*dot(x);",
        "friction pad: x = m, smooth = u;",
        "friction pad: x = m, width = l;",
        "friction pad: x = m, smooth;",
        "friction pad: x = m, smooth = l, smooth = m;",
        "friction pad: rate(dot(x)) = m;",
        "friction pad: rate(dot(x) - y*dot(y)) = m, smooth = l;",
        "friction pad: rate([dot(x) - y*dot(y), dot(y)]) = m, breakaway = 2*m;",
        "friction pad: rate(dot(x)) = m; contact wall: x >= 0, friction = m, slip = rate(dot(y) + x*dot(x));",
        "friction pad: rate(x) = m;",
        "friction pad: rate([dot(x), y]) = m;",
        "friction pad: rate(dot(x)^2) = m;",
        "friction pad: rate(abs(dot(x))) = m;",
        "friction pad: rate(dot(x) + u) = m;",
        "friction pad: rate(dot(x) + dot(dot(y))) = m;",
        "state z: dot(z) == x; friction pad: rate(dot(x) + z) = m;",
        "friction pad: rate(dot(x))/2 = m;",
        "friction pad: rate(dot(x), dot(y)) = m;",
        "contact wall: x >= 0, friction = m, slip = rate(y);",
        "friction pad: x = m, breakaway = 2*m;",
        "friction pad: x = 1/2, breakaway = 1/2;",
        "friction pad: x = 1/2, breakaway = 1/3;",
        "friction pad: [x, y] = 1, breakaway = 1 + abs(sin(t));",
        "friction pad: [x, y] = 1, breakaway = [1, 2];",
        "friction pad: x = m, breakaway = 2*m*multiplier(rod); constraint rod: y == l;",
        "friction pad: x = m, breakaway = dot(dot(x));",
        "friction pad: x = m, breakaway = 2*m, breakaway = 3*m;",
        "friction pad: x = m, breakaway = 2*m, smooth = l;",
        "friction pad: x = m, static = 2*m;",
        "friction pad: x = m breakaway = 2*m;",
        "breakaway = 2*m;",
    ];
    super::check(
        &cases,
        |case| source(&format!("{POINTS} {case}"), super::STRUCT),
        expect![[r#"
            friction pad: x = m, smooth = l/8;
                accepted
            friction pad: x = m, smooth = l,;
                accepted
            friction pad[i in 0..9]: x - i*y = m, smooth = l;
                accepted
            friction pad: x = m, smooth = [l, l];
                ScalarNeeded «[l, l]» `smooth` of `friction pad` must be a scalar, found a vector of 2 components
            friction pad: x = m, smooth = l*dot(x);
                SmoothRange «l*dot(x)» the slip rate `l*dot(x)` of friction `pad` is not shown to be positive
            friction pad: x = m, smooth = u;
                SmoothRange «u» the slip rate `u` of friction `pad` is not shown to be positive
            friction pad: x = m, width = l;
                FrictionProperty «width» friction `pad` has no property `width`
            friction pad: x = m, smooth;
                ExpectedEquals «;» expected `=` after `smooth`, found `;`
            friction pad: x = m, smooth = l, smooth = m;
                FrictionPropertyTwice «smooth» `smooth` of friction `pad` is stated twice
            friction pad: rate(dot(x)) = m;
                accepted
            friction pad: rate(dot(x) - y*dot(y)) = m, smooth = l;
                accepted
            friction pad: rate([dot(x) - y*dot(y), dot(y)]) = m, breakaway = 2*m;
                accepted
            friction pad: rate(dot(x)) = m; contact wall: x >= 0, friction = m, slip = rate(dot(y) + x*dot(x));
                accepted
            friction pad: rate(x) = m;
                NoSlipRate «x» the slip rate `x` of `pad` has a component without a velocity
            friction pad: rate([dot(x), y]) = m;
                NoSlipRate «[dot(x), y]» the slip rate `[dot(x), y]` of `pad` has a component without a velocity
            friction pad: rate(dot(x)^2) = m;
                SlipRate «dot(x)^2» `dot(x)^2` cannot stand in the slip rate of `pad`
            friction pad: rate(abs(dot(x))) = m;
                SlipRate «abs(dot(x))» `abs(dot(x))` cannot stand in the slip rate of `pad`
            friction pad: rate(dot(x) + u) = m;
                SlipRate «u» `u` cannot stand in the slip rate of `pad`
            friction pad: rate(dot(x) + dot(dot(y))) = m;
                SlipRate «dot(dot(y))» `dot(dot(y))` cannot stand in the slip rate of `pad`
            state z: dot(z) == x; friction pad: rate(dot(x) + z) = m;
                SlipRate «z» `z` cannot stand in the slip rate of `pad`
            friction pad: rate(dot(x))/2 = m;
                UnknownFunction «rate» there is no function `rate`
            friction pad: rate(dot(x), dot(y)) = m;
                UnknownFunction «rate» there is no function `rate`
            contact wall: x >= 0, friction = m, slip = rate(y);
                NoSlipRate «y» the slip rate `y` of `wall` has a component without a velocity
            friction pad: x = m, breakaway = 2*m;
                accepted
            friction pad: x = 1/2, breakaway = 1/2;
                accepted
            friction pad: x = 1/2, breakaway = 1/3;
                BreakawayBelow «1/3» the breakaway `1/3` of friction `pad` is below `1/2`, the friction of a slip
            friction pad: [x, y] = 1, breakaway = 1 + abs(sin(t));
                accepted
            friction pad: [x, y] = 1, breakaway = [1, 2];
                ScalarNeeded «[1, 2]» the breakaway of `friction pad` must be a scalar, found a vector of 2 components
            friction pad: x = m, breakaway = 2*m*multiplier(rod); constraint rod: y == l;
                accepted
            friction pad: x = m, breakaway = dot(dot(x));
                SecondDerivativeInForce «dot(dot(x))» a second derivative cannot stand in a force
            friction pad: x = m, breakaway = 2*m, breakaway = 3*m;
                FrictionPropertyTwice «breakaway» `breakaway` of friction `pad` is stated twice
            friction pad: x = m, breakaway = 2*m, smooth = l;
                BreakawaySmooth «pad» friction `pad` has both `smooth` and `breakaway`
            friction pad: x = m, static = 2*m;
                FrictionProperty «static» friction `pad` has no property `static`
            friction pad: x = m breakaway = 2*m;
                MissingComma «breakaway» a `,` is missing before `breakaway`
            breakaway = 2*m;
                PropertyAsStatement «breakaway» `breakaway` is a property, not a statement
        "#]],
    );
}
