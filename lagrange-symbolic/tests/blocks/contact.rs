//! `contact` statements: their meaning, and the messages about mistakes in them.

use super::source;
use expect_test::expect;

const POINTS: &str = "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; force x = u;";

#[test]
fn contacts_are_inequalities_with_properties() {
    let cases = [
        "contact floor: y >= 0;",
        "contact floor: y >= 0, friction = m, slip = x; output a = [contact(floor), friction(floor)];",
        "contact wall[i in 0..4]: x >= i*y; friction pad[i in 0..2]: y + i*x = m; output a = contact(wall)[3] + friction(pad[1]);",
        "contact floor: y >= 0; output a = friction(floor);",
        "contact floor: y >= 0; output a = contact(flor);",
        "contact floor: y >= 0; output a = contact(floor, floor);",
        "contact floor: y >= 0; output a = dot(contact(floor));",
        "contact floor: y >= 0; force x = contact(floor);",
        "contact floor: y >= 0; verify contact(floor) == 0;",
        "friction pad: x = m; friction wire: y = multiplier(rod)*friction(pad); constraint rod: y == l;",
        "extern friction(x) = law, d(x) = slope; force x = friction(y);",
        "contact floor: y >= l*sin(t), slip = x, friction = m*u, restitution = 1/2;",
        "contact floor: l >= norm([x, y]), restitution = m;",
        "contact wall[i in 0..4]: x >= i*y, friction = m, slip = y;",
        "contact wall[i in 0..32]: x >= i*y, friction = m, slip = y; friction pad: x = m;",
        "contact floor: y >= 0, restitution = m/(1 + x^2);",
        "contact floor: y <= 0;",
        "contact floor: y < 0;",
        "contact floor: y > l;",
        "contact floor: y == 0;",
        "contact floor: y + x;",
        "contact floor: y;",
        "contact floor = y;",
        "contact y >= 0;",
        "contact floor: y >= 0 restitution = m;",
        "contact floor: y >= 0, bounce = m;",
        "contact floor: y >= 0, restitution == m;",
        "contact floor: y >= 0, friction = m;",
        "contact floor: y >= 0, friction = m, slip = x, breakaway = 2*m;",
        "contact floor: y >= 0, friction = 1/2, slip = x, breakaway = 1/3;",
        "contact floor: y >= 0, breakaway = 1/3;",
        "contact floor: y >= 0, slip = x;",
        "contact floor: y >= 0, slip = [x, x*y], friction = m; output a = friction(floor);",
        "contact floor: y >= 0, slip = rate([dot(x), x*dot(y)]), friction = m, breakaway = 2*m;",
        "contact floor: y >= 0, slip = [[x, y], [y, x]], friction = m;",
        "contact floor: y >= 0, slip = [x, y, x, y, x, y, x, y, x], friction = m;",
        "contact floor: y >= 0, slip = [x, m], friction = m;",
        "contact floor: y >= 0, slip = [x, dot(y)], friction = m;",
        "contact wall[i in 0..22]: x >= i*y, friction = m, slip = [y, x];",
        "contact floor: y >= 0, slip = [x, y], friction = m, adhesion = m;",
        "contact floor: y >= 0, slip = [x, y], friction = m; contact wall: x >= 0, adhesion = m;",
        "contact floor: y >= 0, slip = x, slip = x, friction = m;",
        "contact floor: [x, y] >= 0;",
        "contact floor: y >= [x, y];",
        "contact floor: y >= dot(x);",
        "contact floor: y >= u;",
        "contact floor: m >= l;",
        "contact floor: y >= 0, slip = dot(x), friction = m;",
        "contact floor: y >= 0, slip = m, friction = m;",
        "contact floor: y >= 0, slip = x, friction = dot(dot(x));",
        "contact floor: y >= 0, restitution = dot(y);",
        "contact floor: y >= 0, restitution = exp(-approach(floor)/m);",
        "contact wall[i in 0..2]: x >= i*y, restitution = if approach(wall[i]) < m { 0 } else { 1/(1 + x^2) };",
        "contact floor: y >= 0, restitution = approach(floor) + dot(x);",
        "contact floor: y >= 0; contact wall: x >= 0, restitution = approach(floor);",
        "contact wall[i in 0..2]: x >= i*y, restitution = approach(wall[0]);",
        "contact floor: y >= 0, restitution = approach(floor, m);",
        "contact floor: y >= 0, restitution = approach;",
        "contact floor: y >= approach(floor);",
        "contact floor: y >= 0; output a = approach(floor);",
        "contact floor: y >= 0, adhesion = k + m*u^2;",
        "contact wall[i in 0..2]: x >= i*y, slip = y, friction = m, adhesion = k/(1 + t^2);",
        "contact floor: y >= 0, adhesion = -1/8;",
        "contact floor: y >= 0, adhesion = [x, y];",
        "contact floor: y >= 0, adhesion = dot(dot(x));",
        "contact floor: y >= 0 adhesion = k;",
        "contact floor: y >= 0, adhesion = k, adhesion = k;",
        "contact floor: y >= 0, restitution = u;",
        "contact floor: y >= 0, restitution = -1/8;",
        "contact floor: y >= 0, restitution = [x, y];",
        "contact floor: y >= 0; contact floor: x >= 0;",
        "contact floor: y >= 0; invariant e = energy;",
    ];
    super::check(
        &cases,
        |case| source(&format!("{POINTS} {case}"), super::STRUCT),
        expect![[r#"
            contact floor: y >= 0;
                accepted
            contact floor: y >= 0, friction = m, slip = x; output a = [contact(floor), friction(floor)];
                accepted
            contact wall[i in 0..4]: x >= i*y; friction pad[i in 0..2]: y + i*x = m; output a = contact(wall)[3] + friction(pad[1]);
                accepted
            contact floor: y >= 0; output a = friction(floor);
                UnknownContact «floor» `floor` has no force `friction(floor)`
            contact floor: y >= 0; output a = contact(flor);
                UnknownContact «flor» `flor` has no force `contact(flor)`
            contact floor: y >= 0; output a = contact(floor, floor);
                ArgumentCount «contact(floor, floor)» `contact` takes 1 argument, found 2
            contact floor: y >= 0; output a = dot(contact(floor));
                MultiplierRate «contact(floor)» the time derivative of a multiplier, of a reaction, or of the force of a contact, is not known
            contact floor: y >= 0; force x = contact(floor);
                ForceOutsideOutput «contact(floor)» `contact` can stand in `output` only
            contact floor: y >= 0; verify contact(floor) == 0;
                ForceOutsideOutput «contact(floor)» `contact` can stand in `output` only
            friction pad: x = m; friction wire: y = multiplier(rod)*friction(pad); constraint rod: y == l;
                ForceOutsideOutput «friction(pad)» `friction` can stand in `output` only
            extern friction(x) = law, d(x) = slope; force x = friction(y);
                FunctionIsTaken «friction» a function `friction` exists already
            contact floor: y >= l*sin(t), slip = x, friction = m*u, restitution = 1/2;
                accepted
            contact floor: l >= norm([x, y]), restitution = m;
                accepted
            contact wall[i in 0..4]: x >= i*y, friction = m, slip = y;
                accepted
            contact wall[i in 0..32]: x >= i*y, friction = m, slip = y; friction pad: x = m;
                TooManyContacts «wall» contact `wall[31]` is one too many
            contact floor: y >= 0, restitution = m/(1 + x^2);
                accepted
            contact floor: y <= 0;
                ContactForm «y <= 0» a `contact` needs an inequality with `>=`, found `<=`
            contact floor: y < 0;
                ContactForm «y < 0» a `contact` needs an inequality with `>=`, found `<`
            contact floor: y > l;
                ContactForm «y > l» a `contact` needs an inequality with `>=`, found `>`
            contact floor: y == 0;
                ContactForm «=» a `contact` needs an inequality with `>=`, found `==`
            contact floor: y + x;
                ContactForm «;» a `contact` needs an inequality with `>=`, found `;`
            contact floor: y;
                ContactForm «;» a `contact` needs an inequality with `>=`, found `;`
            contact floor = y;
                ConstraintName «floor» a `contact` needs a name and `:` before its equation
            contact y >= 0;
                ConstraintName «y >= 0» a `contact` needs a name and `:` before its equation
            contact floor: y >= 0 restitution = m;
                MissingComma «restitution» a `,` is missing before `restitution`
            contact floor: y >= 0, bounce = m;
                ContactProperty «bounce» contact `floor` has no property `bounce`
            contact floor: y >= 0, restitution == m;
                EqualityInDefinition «==» `==` where `=` is meant
            contact floor: y >= 0, friction = m;
                ContactFriction «friction» contact `floor` has `friction` and no `slip`
            contact floor: y >= 0, friction = m, slip = x, breakaway = 2*m;
                accepted
            contact floor: y >= 0, friction = 1/2, slip = x, breakaway = 1/3;
                BreakawayBelow «1/3» the breakaway `1/3` of contact `floor` is below `1/2`, the friction of a slip
            contact floor: y >= 0, breakaway = 1/3;
                ContactFriction «breakaway» contact `floor` has `breakaway` and no `friction`
            contact floor: y >= 0, slip = x;
                ContactFriction «slip» contact `floor` has `slip` and no `friction`
            contact floor: y >= 0, slip = [x, x*y], friction = m; output a = friction(floor);
                accepted
            contact floor: y >= 0, slip = rate([dot(x), x*dot(y)]), friction = m, breakaway = 2*m;
                accepted
            contact floor: y >= 0, slip = [[x, y], [y, x]], friction = m;
                ScalarNeeded «[[x, y], [y, x]]» the slip of `contact floor` must be a scalar, found a 2×2 matrix
            contact floor: y >= 0, slip = [x, y, x, y, x, y, x, y, x], friction = m;
                SlipComponents «[x, y, x, y, x, y, x, y, x]» the slip of `floor` has 9 components
            contact floor: y >= 0, slip = [x, m], friction = m;
                accepted
            contact floor: y >= 0, slip = [x, dot(y)], friction = m;
                ContactMoves «dot(y)» `dot(y)` cannot stand in the slip of contact `floor`
            contact wall[i in 0..22]: x >= i*y, friction = m, slip = [y, x];
                TooManyContacts «wall» contact `wall[21]` is one too many
            contact floor: y >= 0, slip = [x, y], friction = m, adhesion = m;
                accepted
            contact floor: y >= 0, slip = [x, y], friction = m; contact wall: x >= 0, adhesion = m;
                accepted
            contact floor: y >= 0, slip = x, slip = x, friction = m;
                ContactPropertyTwice «slip» `slip` of contact `floor` is stated twice
            contact floor: [x, y] >= 0;
                ScalarNeeded «[x, y]» the gap of `contact floor` must be a scalar, found a vector of 2 components
            contact floor: y >= [x, y];
                ScalarNeeded «[x, y]» the gap of `contact floor` must be a scalar, found a vector of 2 components
            contact floor: y >= dot(x);
                ContactMoves «dot(x)» `dot(x)` cannot stand in the gap of contact `floor`
            contact floor: y >= u;
                ContactMoves «u» `u` cannot stand in the gap of contact `floor`
            contact floor: m >= l;
                ForceOnNothing «m» `m` depends on no coordinate: the force would act on nothing
            contact floor: y >= 0, slip = dot(x), friction = m;
                ContactMoves «dot(x)» `dot(x)` cannot stand in the slip of contact `floor`
            contact floor: y >= 0, slip = m, friction = m;
                ForceOnNothing «m» `m` depends on no coordinate: the force would act on nothing
            contact floor: y >= 0, slip = x, friction = dot(dot(x));
                SecondDerivativeInForce «dot(dot(x))» a second derivative cannot stand in a force
            contact floor: y >= 0, restitution = dot(y);
                RestitutionMoves «dot(y)» `dot(y)` cannot stand in the restitution of contact `floor`
            contact floor: y >= 0, restitution = exp(-approach(floor)/m);
                accepted
            contact wall[i in 0..2]: x >= i*y, restitution = if approach(wall[i]) < m { 0 } else { 1/(1 + x^2) };
                accepted
            contact floor: y >= 0, restitution = approach(floor) + dot(x);
                RestitutionMoves «dot(x)» `dot(x)` cannot stand in the restitution of contact `floor`
            contact floor: y >= 0; contact wall: x >= 0, restitution = approach(floor);
                ApproachOfAnother «floor» `approach(floor)` cannot stand in the restitution of contact `wall`
            contact wall[i in 0..2]: x >= i*y, restitution = approach(wall[0]);
                ApproachOfAnother «wall[0]» `approach(wall[0])` cannot stand in the restitution of contact `wall[1]`
            contact floor: y >= 0, restitution = approach(floor, m);
                ArgumentCount «approach(floor, m)» `approach` takes 1 argument, found 2
            contact floor: y >= 0, restitution = approach;
                FunctionAsQuantity «approach» `approach` is a function and needs its argument
            contact floor: y >= approach(floor);
                ApproachOutsideRestitution «approach(floor)» `approach` can stand in the `restitution` of a `contact` only
            contact floor: y >= 0; output a = approach(floor);
                ApproachOutsideRestitution «approach(floor)» `approach` can stand in the `restitution` of a `contact` only
            contact floor: y >= 0, adhesion = k + m*u^2;
                accepted
            contact wall[i in 0..2]: x >= i*y, slip = y, friction = m, adhesion = k/(1 + t^2);
                accepted
            contact floor: y >= 0, adhesion = -1/8;
                NegativeAdhesion «-1/8» the adhesion `-1/8` of contact `floor` is negative
            contact floor: y >= 0, adhesion = [x, y];
                ScalarNeeded «[x, y]» the adhesion of `contact floor` must be a scalar, found a vector of 2 components
            contact floor: y >= 0, adhesion = dot(dot(x));
                SecondDerivativeInForce «dot(dot(x))» a second derivative cannot stand in a force
            contact floor: y >= 0 adhesion = k;
                MissingComma «adhesion» a `,` is missing before `adhesion`
            contact floor: y >= 0, adhesion = k, adhesion = k;
                ContactPropertyTwice «adhesion» `adhesion` of contact `floor` is stated twice
            contact floor: y >= 0, restitution = u;
                RestitutionMoves «u» `u` cannot stand in the restitution of contact `floor`
            contact floor: y >= 0, restitution = -1/8;
                RestitutionRange «-1/8» the restitution of contact `floor` is -1/8
            contact floor: y >= 0, restitution = [x, y];
                ScalarNeeded «[x, y]» the restitution of `contact floor` must be a scalar, found a vector of 2 components
            contact floor: y >= 0; contact floor: x >= 0;
                DuplicateContact «floor» contact `floor` is stated twice
            contact floor: y >= 0; invariant e = energy;
                accepted
        "#]],
    );
}

#[test]
fn gaps_are_distances_of_shapes() {
    let cases = [
        "contact floor: distance(sphere([x, y], l), plane([0, 0], [0, 1])) >= 0;",
        "contact floor: distance(sphere([x, y], l, x), plane([0, 0], [0, 1])) >= 0, friction = m;",
        "contact floor: distance(plane([0, 0], [0, 1]), sphere([x, y], 0)) >= 0, friction = m; output a = friction(floor);",
        "contact post: distance(sphere([x, y], l, x), sphere([0, 0], l, 0)) >= 0, friction = m;",
        "contact rod: distance(sphere([x, y], l, x), capsule([0, 0], [l, 0], l, 0)) >= 0, friction = m;",
        "let ball = [x, y, 0]; contact floor: distance(sphere(ball, l, rotation_x(x)), plane([0, 0, 0], [0, 0, 1])) >= 0, friction = m;",
        "let ball = [x, y, x*y]; contact floor: distance(sphere(ball, l, rotation_z(x)), plane([0, 0, 0], [0, m, 1])) >= 0, friction = m;",
        "contact floor: distance(sphere([x, y], l), plane([0, 0], [0, 1])) >= 0, friction = m;",
        "contact floor: distance(sphere([x, y], l, x), plane([0, x], [0, 1])) >= 0, friction = m;",
        "contact floor: distance(sphere([x, y], l, x), plane([0, x], [0, 1], 0)) >= 0, friction = m;",
        "contact floor: distance(sphere([x, y], l), capsule([0, 0], [l, 0], l, 0)) >= 0, friction = m;",
        "contact floor: distance(sphere([x, y], l, x), sphere([0, 0], l)) >= 0, friction = m;",
        "contact floor: 2*distance(sphere([x, y], l, x), plane([0, 0], [0, 1])) >= 0, friction = m;",
        "contact floor: distance(capsule([x, y], [0, y], l), plane([0, 0], [0, 1])) >= 0;",
        "contact floor: distance(plane([x, y], [0, 1]), plane([0, 0], [0, 1])) >= 0;",
        "contact floor: distance(sphere([x, y], l)) >= 0;",
        "contact floor: distance([x, y], plane([0, 0], [0, 1])) >= 0;",
        "contact floor: distance(sphere([x, y, 0], l), plane([0, 0], [0, 1])) >= 0;",
        "contact floor: distance(sphere([x, y]), plane([0, 0], [0, 1])) >= 0;",
        "contact floor: distance(sphere(x, l), plane([0, 0], [0, 1])) >= 0;",
        "contact floor: distance(sphere([x, y], [l, l]), plane([0, 0], [0, 1])) >= 0;",
        "contact floor: distance(sphere([x, y], l), plane([0, 0], 1)) >= 0;",
        "contact floor: distance(sphere([x, y], l, [1, 0]), plane([0, 0], [0, 1])) >= 0, friction = m;",
        "let ball = sphere([x, y], l); contact floor: distance(ball, plane([0, 0], [0, 1])) >= 0;",
        "constraint floor: distance(sphere([x, y], l), plane([0, 0], [0, 1])) == 0; friction felt: rate(slip_velocity(sphere([x, y], l, x), plane([0, 0], [0, 1]))) = m*abs(multiplier(floor));",
        "output speed = slip_velocity(sphere([x, y], l, x), plane([0, 0], [0, 1]));",
        "let distance = x; let plane = y; output d = distance + plane;",
        "let ball = sphere([x, y], l, x); let floor = plane([0, 0], [0, 1]); let gap = distance(ball, floor); contact ground: distance(ball, floor) >= 0, friction = m; output g = gap;",
        "let ball[i in 0..2] = sphere([x + i, y], l, x); contact touch: distance(ball[0], ball[1]) >= 0; contact floor[i in 0..2]: distance(ball[i], plane([0, 0], [0, 1])) >= 0;",
        "let ball[i in 0..2] = sphere([x, y], l); contact touch: distance(ball[0], ball[2]) >= 0;",
        "let ball = sphere([x, y], l); output d = ball;",
        "let ball[i in 0..2] = sphere([x, y], l); output d = ball[1];",
        "let ball = sphere([x, y], z); contact floor: distance(ball, plane([0, 0], [0, 1])) >= 0;",
        "let ball = sphere([x, y], l); contact floor: distance(bal, plane([0, 0], [0, 1])) >= 0;",
        "let one = sphere([x, distance(one, plane([0, 0], [0, 1]))], l); output d = distance(one, plane([0, 0], [0, 1]));",
        "let brick = box([x, y], [l, 2*l], x); let floor = plane([0, 0], [0, 1]); contact ground[i in 0..4]: distance(vertex(brick, i), floor) >= 0, friction = m; output d = distance(brick, floor);",
        "let brick = box([x, y], [l, 2*l], x); contact post: distance(sphere([0, 0], l, 0), brick) >= 0, friction = m;",
        "let brick = box([x, y, 0], [l, l, l], rotation_x(x)); output c = distance(vertex(brick, 7), sphere([0, 0, 0], l));",
        "contact floor: distance(box([x, y], [l, l], x), plane([0, 0], [0, 1])) >= 0, friction = m;",
        "contact floor: distance(plane([0, 0], [0, 1]), capsule([x, y], [0, y], l)) >= 0;",
        "contact post: distance(box([x, y], [l, l], x), sphere([0, 0], 0)) >= 0, friction = m;",
        "output s = slip_velocity(capsule([x, y], [0, y], l, x), plane([0, 0], [0, 1]));",
        "contact floor: distance(box([x, y], [l, l]), plane([0, 0], [0, 1])) >= 0;",
        "contact floor: distance(box([x, y], l, x), plane([0, 0], [0, 1])) >= 0;",
        "contact floor: distance(vertex(box([x, y], [l, l], x), 4), plane([0, 0], [0, 1])) >= 0;",
        "contact floor: distance(vertex(capsule([x, y], [0, y], l), -1), plane([0, 0], [0, 1])) >= 0;",
        "contact floor: distance(vertex(sphere([x, y], l), 0), plane([0, 0], [0, 1])) >= 0;",
        "contact floor: distance(vertex(capsule([x, y], [0, y], l)), plane([0, 0], [0, 1])) >= 0;",
        "contact rods: distance(capsule([x, y], [0, y], l, x), capsule([0, 0], [l, 0], l, 0)) >= 0, friction = m;",
        "output d = distance(box([x, y], [l, l], x), capsule([0, 0], [l, 0], l));",
        "let one = box([x, y], [l, l], x, l/9); let other = box([0, 0], [l, l], 0, l/9); contact touch[i in 0..4]: distance(vertex(one, i), other) >= 0, friction = m;",
        "let one = box([x, y], [l, l], x); let other = box([0, 0], [l, l], 0); contact touch[i in 0..4]: distance(vertex(one, i), other) >= 0;",
        "let brick = box([x, y, 0], [l, l, l], rotation_x(x)); contact rod[i in 0..12]: distance(edge(brick, i), capsule([0, 0, 0], [l, 0, 0], l)) >= 0;",
        "let brick = box([x, y], [l, l], x); output d = distance(edge(brick, 4), sphere([0, 0], l));",
        "output d = distance(edge(capsule([x, y], [0, y], l), 0), sphere([0, 0], l));",
        "output d = distance(edge(box([x, y], [l, l], x)), sphere([0, 0], l));",
        "output d = distance(box([x, y], [l, l], x, [l, l]), sphere([0, 0], l));",
        "let brick = box([x, y], [l, l], x); output d = edge(brick, 0);",
    ];
    super::check(
        &cases,
        |case| source(&format!("{POINTS} {case}"), super::STRUCT),
        expect![[r#"
            contact floor: distance(sphere([x, y], l), plane([0, 0], [0, 1])) >= 0;
                accepted
            contact floor: distance(sphere([x, y], l, x), plane([0, 0], [0, 1])) >= 0, friction = m;
                accepted
            contact floor: distance(plane([0, 0], [0, 1]), sphere([x, y], 0)) >= 0, friction = m; output a = friction(floor);
                accepted
            contact post: distance(sphere([x, y], l, x), sphere([0, 0], l, 0)) >= 0, friction = m;
                accepted
            contact rod: distance(sphere([x, y], l, x), capsule([0, 0], [l, 0], l, 0)) >= 0, friction = m;
                accepted
            let ball = [x, y, 0]; contact floor: distance(sphere(ball, l, rotation_x(x)), plane([0, 0, 0], [0, 0, 1])) >= 0, friction = m;
                ForceOnNothing «distance(sphere(ball, l, rotation_x(x)), plane([0, 0, 0], [0, 0, 1]))» `distance(sphere(ball, l, rotation_x(x)), plane([0, 0, 0], [0, 0, 1]))` depends on no coordinate: the force would act on nothing
            let ball = [x, y, x*y]; contact floor: distance(sphere(ball, l, rotation_z(x)), plane([0, 0, 0], [0, m, 1])) >= 0, friction = m;
                accepted
            contact floor: distance(sphere([x, y], l), plane([0, 0], [0, 1])) >= 0, friction = m;
                ShapeOrientation «sphere([x, y], l)» the slip needs the orientation of this sphere
            contact floor: distance(sphere([x, y], l, x), plane([0, x], [0, 1])) >= 0, friction = m;
                ShapeOrientation «plane([0, x], [0, 1])» the slip needs the orientation of this plane
            contact floor: distance(sphere([x, y], l, x), plane([0, x], [0, 1], 0)) >= 0, friction = m;
                accepted
            contact floor: distance(sphere([x, y], l), capsule([0, 0], [l, 0], l, 0)) >= 0, friction = m;
                ShapeOrientation «sphere([x, y], l)» the slip needs the orientation of this sphere
            contact floor: distance(sphere([x, y], l, x), sphere([0, 0], l)) >= 0, friction = m;
                ShapeOrientation «sphere([0, 0], l)» the slip needs the orientation of this sphere
            contact floor: 2*distance(sphere([x, y], l, x), plane([0, 0], [0, 1])) >= 0, friction = m;
                ContactFriction «friction» contact `floor` has `friction` and no `slip`
            contact floor: distance(capsule([x, y], [0, y], l), plane([0, 0], [0, 1])) >= 0;
                FlatShape «distance(capsule([x, y], [0, y], l), plane([0, 0], [0, 1]))» a capsule that lies flat on a plane touches it in more than one point
            contact floor: distance(plane([x, y], [0, 1]), plane([0, 0], [0, 1])) >= 0;
                ShapePair «distance(plane([x, y], [0, 1]), plane([0, 0], [0, 1]))» the distance of a plane from a plane is not known
            contact floor: distance(sphere([x, y], l)) >= 0;
                ArgumentCount «distance(sphere([x, y], l))» `distance` takes 2 arguments, found 1
            contact floor: distance([x, y], plane([0, 0], [0, 1])) >= 0;
                ShapeNeeded «[x, y]» `distance` needs two shapes, found `[x, y]`
            contact floor: distance(sphere([x, y, 0], l), plane([0, 0], [0, 1])) >= 0;
                ShapeDimensions «distance(sphere([x, y, 0], l), plane([0, 0], [0, 1]))» the sphere and the plane have positions of different sizes
            contact floor: distance(sphere([x, y]), plane([0, 0], [0, 1])) >= 0;
                ArgumentCount «sphere([x, y])» `sphere` takes 2 or 3 arguments, found 1
            contact floor: distance(sphere(x, l), plane([0, 0], [0, 1])) >= 0;
                PositionNeeded «x» the position in `sphere` must have 2 or 3 components, found a scalar
            contact floor: distance(sphere([x, y], [l, l]), plane([0, 0], [0, 1])) >= 0;
                ScalarNeeded «[l, l]» the radius of `sphere` must be a scalar, found a vector of 2 components
            contact floor: distance(sphere([x, y], l), plane([0, 0], 1)) >= 0;
                PositionNeeded «1» the position in `plane` must have 2 or 3 components, found a scalar
            contact floor: distance(sphere([x, y], l, [1, 0]), plane([0, 0], [0, 1])) >= 0, friction = m;
                ScalarNeeded «[1, 0]» the orientation of `sphere` must be a scalar, found a vector of 2 components
                ScalarNeeded «[1, 0]» the orientation of `sphere` must be a scalar, found a vector of 2 components
            let ball = sphere([x, y], l); contact floor: distance(ball, plane([0, 0], [0, 1])) >= 0;
                accepted
            constraint floor: distance(sphere([x, y], l), plane([0, 0], [0, 1])) == 0; friction felt: rate(slip_velocity(sphere([x, y], l, x), plane([0, 0], [0, 1]))) = m*abs(multiplier(floor));
                accepted
            output speed = slip_velocity(sphere([x, y], l, x), plane([0, 0], [0, 1]));
                accepted
            let distance = x; let plane = y; output d = distance + plane;
                accepted
            let ball = sphere([x, y], l, x); let floor = plane([0, 0], [0, 1]); let gap = distance(ball, floor); contact ground: distance(ball, floor) >= 0, friction = m; output g = gap;
                accepted
            let ball[i in 0..2] = sphere([x + i, y], l, x); contact touch: distance(ball[0], ball[1]) >= 0; contact floor[i in 0..2]: distance(ball[i], plane([0, 0], [0, 1])) >= 0;
                ForceOnNothing «distance(ball[0], ball[1])» `distance(ball[0], ball[1])` depends on no coordinate: the force would act on nothing
            let ball[i in 0..2] = sphere([x, y], l); contact touch: distance(ball[0], ball[2]) >= 0;
                UnknownElement «ball[2]» `ball[2]` is not defined
            let ball = sphere([x, y], l); output d = ball;
                LoneShape «ball» `ball` is a shape, and no quantity
            let ball[i in 0..2] = sphere([x, y], l); output d = ball[1];
                LoneShape «ball» `ball` is a shape, and no quantity
            let ball = sphere([x, y], z); contact floor: distance(ball, plane([0, 0], [0, 1])) >= 0;
                UnknownName «z» `z` is not known here
            let ball = sphere([x, y], l); contact floor: distance(bal, plane([0, 0], [0, 1])) >= 0;
                UnknownName «bal» `bal` is not known here
            let one = sphere([x, distance(one, plane([0, 0], [0, 1]))], l); output d = distance(one, plane([0, 0], [0, 1]));
                CyclicLet «one» a definition needs itself: `one` → `one`
            let brick = box([x, y], [l, 2*l], x); let floor = plane([0, 0], [0, 1]); contact ground[i in 0..4]: distance(vertex(brick, i), floor) >= 0, friction = m; output d = distance(brick, floor);
                accepted
            let brick = box([x, y], [l, 2*l], x); contact post: distance(sphere([0, 0], l, 0), brick) >= 0, friction = m;
                accepted
            let brick = box([x, y, 0], [l, l, l], rotation_x(x)); output c = distance(vertex(brick, 7), sphere([0, 0, 0], l));
                accepted
            contact floor: distance(box([x, y], [l, l], x), plane([0, 0], [0, 1])) >= 0, friction = m;
                FlatShape «distance(box([x, y], [l, l], x), plane([0, 0], [0, 1]))» a box that lies flat on a plane touches it in more than one point
            contact floor: distance(plane([0, 0], [0, 1]), capsule([x, y], [0, y], l)) >= 0;
                FlatShape «distance(plane([0, 0], [0, 1]), capsule([x, y], [0, y], l))» a capsule that lies flat on a plane touches it in more than one point
            contact post: distance(box([x, y], [l, l], x), sphere([0, 0], 0)) >= 0, friction = m;
                SharpShapes «distance(box([x, y], [l, l], x), sphere([0, 0], 0))» nothing says in which direction a box and a sphere press on each other, because both are sharp where they meet
            output s = slip_velocity(capsule([x, y], [0, y], l, x), plane([0, 0], [0, 1]));
                FlatShape «slip_velocity(capsule([x, y], [0, y], l, x), plane([0, 0], [0, 1]))» a capsule that lies flat on a plane touches it in more than one point
            contact floor: distance(box([x, y], [l, l]), plane([0, 0], [0, 1])) >= 0;
                ArgumentCount «box([x, y], [l, l])» `box` takes 3 or 4 arguments, found 2
            contact floor: distance(box([x, y], l, x), plane([0, 0], [0, 1])) >= 0;
                PositionNeeded «l» the position in `box` must have 2 or 3 components, found a scalar
            contact floor: distance(vertex(box([x, y], [l, l], x), 4), plane([0, 0], [0, 1])) >= 0;
                NoPart «vertex(box([x, y], [l, l], x), 4)» a box has no vertex 4
            contact floor: distance(vertex(capsule([x, y], [0, y], l), -1), plane([0, 0], [0, 1])) >= 0;
                NoPart «vertex(capsule([x, y], [0, y], l), -1)» a capsule has no vertex -1
            contact floor: distance(vertex(sphere([x, y], l), 0), plane([0, 0], [0, 1])) >= 0;
                NoPart «vertex(sphere([x, y], l), 0)» a sphere has no vertex 0
            contact floor: distance(vertex(capsule([x, y], [0, y], l)), plane([0, 0], [0, 1])) >= 0;
                ArgumentCount «vertex(capsule([x, y], [0, y], l))» `vertex` takes 2 arguments, found 1
            contact rods: distance(capsule([x, y], [0, y], l, x), capsule([0, 0], [l, 0], l, 0)) >= 0, friction = m;
                accepted
            output d = distance(box([x, y], [l, l], x), capsule([0, 0], [l, 0], l));
                ShapePair «distance(box([x, y], [l, l], x), capsule([0, 0], [l, 0], l))» the distance of a box from a capsule is not known
            let one = box([x, y], [l, l], x, l/9); let other = box([0, 0], [l, l], 0, l/9); contact touch[i in 0..4]: distance(vertex(one, i), other) >= 0, friction = m;
                accepted
            let one = box([x, y], [l, l], x); let other = box([0, 0], [l, l], 0); contact touch[i in 0..4]: distance(vertex(one, i), other) >= 0;
                SharpShapes «distance(vertex(one, i), other)» nothing says in which direction a sphere and a box press on each other, because both are sharp where they meet
            let brick = box([x, y, 0], [l, l, l], rotation_x(x)); contact rod[i in 0..12]: distance(edge(brick, i), capsule([0, 0, 0], [l, 0, 0], l)) >= 0;
                accepted
            let brick = box([x, y], [l, l], x); output d = distance(edge(brick, 4), sphere([0, 0], l));
                NoPart «edge(brick, 4)» a box has no edge 4
            output d = distance(edge(capsule([x, y], [0, y], l), 0), sphere([0, 0], l));
                NoPart «edge(capsule([x, y], [0, y], l), 0)» a capsule has no edge 0
            output d = distance(edge(box([x, y], [l, l], x)), sphere([0, 0], l));
                ArgumentCount «edge(box([x, y], [l, l], x))» `edge` takes 2 arguments, found 1
            output d = distance(box([x, y], [l, l], x, [l, l]), sphere([0, 0], l));
                ScalarNeeded «[l, l]» the radius of `box` must be a scalar, found a vector of 2 components
            let brick = box([x, y], [l, l], x); output d = edge(brick, 0);
                LoneShape «edge(brick, 0)» `edge` is a shape, and no quantity
        "#]],
    );
}
