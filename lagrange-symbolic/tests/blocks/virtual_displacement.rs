//! `virtual` statements: what may stand where, and what their quantities are.

use super::source;
use expect_test::expect;
use lagrange_symbolic::program::Evaluations;

const POINT: &str = "coordinates x; virtual lift; kinetic = m*(dot(x)^2 + dot(lift)^2)/2; potential = m*g*lift;";

#[test]
fn virtual_displacements_stand_in_energies_and_outputs() {
    let cases = [
        "output up = reaction(lift); output p = momentum(lift);",
        "output up = reaction(lift); output lifted = lift + dot(lift);",
        "output up = reaction(x);",
        "output p = momentum(x);",
        "output p = momentum(lift, lift);",
        "output p = momentum(2*lift);",
        "let up = reaction(lift); output a = up;",
        "friction pad: x = reaction(lift);",
        "verify momentum(lift) == 0;",
        "verify forcing[x] == 0*lift;",
        "output a = dot(momentum(lift));",
        "output a = dot(x*reaction(lift));",
        "constraint lift: x == l; output a = reaction(lift);",
        "virtual lift; output a = 0;",
        "virtual turn[3][2]; output a = reaction(turn)[1];",
        "virtual m; output a = 0;",
        "virtual turn in 0..1; output a = 0;",
        "virtual turn = 0; output a = 0;",
    ];
    super::check(
        &cases,
        |case| source(&format!("{POINT} {case}"), super::STRUCT),
        expect![[r#"
            output up = reaction(lift); output p = momentum(lift);
                UnusedInput «u» input u is never used
            output up = reaction(lift); output lifted = lift + dot(lift);
                UnusedInput «u» input u is never used
            output up = reaction(x);
                UnknownConstraint «x» there is no constraint `x`
            output p = momentum(x);
                NoVirtual «x» `x` is no virtual displacement
            output p = momentum(lift, lift);
                ArgumentCount «momentum(lift, lift)» `momentum` takes 1 argument, found 2
            output p = momentum(2*lift);
                NoVirtual «2*lift» `2*lift` is no virtual displacement
            let up = reaction(lift); output a = up;
                VirtualOutsideOutput «reaction(lift)» `reaction` of a virtual displacement can stand in `output` only
            friction pad: x = reaction(lift);
                VirtualOutsideOutput «reaction(lift)» `reaction` of a virtual displacement can stand in `output` only
            verify momentum(lift) == 0;
                UnusedInput «u» input u is never used
            verify forcing[x] == 0*lift;
                UnusedInput «u» input u is never used
            output a = dot(momentum(lift));
                UnusedInput «u» input u is never used
            output a = dot(x*reaction(lift));
                MultiplierRate «x*reaction(lift)» the time derivative of a multiplier, of a reaction, or of the force of a contact, is not known
            constraint lift: x == l; output a = reaction(lift);
                UnusedInput «u» input u is never used
            virtual lift; output a = 0;
                DuplicateCoordinate «lift» coordinate `lift` is stated twice
            virtual turn[3][2]; output a = reaction(turn)[1];
                UnusedInput «u» input u is never used
            virtual m; output a = 0;
                CoordinateIsField «m» `m` is a coordinate and a field
            virtual turn in 0..1; output a = 0;
                Form «in» expected `virtual turn;`, found `in`
            virtual turn = 0; output a = 0;
                Form «=» expected `virtual turn;`, found `=`
        "#]],
    );
}

#[test]
fn virtual_displacements_alone_neither_meet_nor_slide() {
    let cases = [
        "contact floor: lift >= 0;",
        "contact floor: lift + 0*x >= -t;",
        "contact floor: x + lift >= 0, friction = 1/2, slip = 2*lift;",
        "contact floor: x >= 0, friction = 1/2, slip = rate(dot(lift));",
        "friction pad: lift = 1;",
        "friction pad: [x, lift] = 1;",
        "friction pad: rate(dot(lift)*x) = 1;",
        "constraint hold: lift == 0;",
        "nonholonomic roll: x*dot(lift) == 0;",
        "contact floor: x - lift >= 0, friction = 1/2, slip = x + lift;",
        "force lift = 2;",
    ];
    super::check(
        &cases,
        |case| source(&format!("{POINT} {case} output up = reaction(lift);"), super::STRUCT),
        expect![[r#"
            contact floor: lift >= 0;
                VirtualAlone «lift» the gap of `contact floor` depends on virtual displacements alone, which are 0 at all times
            contact floor: lift + 0*x >= -t;
                VirtualAlone «lift + 0*x» the gap of `contact floor` depends on virtual displacements alone, which are 0 at all times
            contact floor: x + lift >= 0, friction = 1/2, slip = 2*lift;
                VirtualAlone «2*lift» the slip of `contact floor` depends on virtual displacements alone, which are 0 at all times
            contact floor: x >= 0, friction = 1/2, slip = rate(dot(lift));
                VirtualAlone «dot(lift)» the slip rate of `floor` depends on virtual displacements alone, which are 0 at all times
            friction pad: lift = 1;
                VirtualAlone «lift» the slip of `friction pad` depends on virtual displacements alone, which are 0 at all times
            friction pad: [x, lift] = 1;
                VirtualAlone «[x, lift]» the slip of `friction pad` depends on virtual displacements alone, which are 0 at all times
            friction pad: rate(dot(lift)*x) = 1;
                VirtualAlone «dot(lift)*x» the slip rate of `pad` depends on virtual displacements alone, which are 0 at all times
            constraint hold: lift == 0;
                VirtualAlone «lift == 0» constraint `hold` depends on virtual displacements alone, which are 0 at all times
            nonholonomic roll: x*dot(lift) == 0;
                VirtualAlone «x*dot(lift) == 0» nonholonomic `roll` depends on virtual displacements alone, which are 0 at all times
            contact floor: x - lift >= 0, friction = 1/2, slip = x + lift;
                UnusedInput «u» input u is never used
            force lift = 2;
                UnusedInput «u» input u is never used
        "#]],
    );
}

#[test]
fn a_block_needs_coordinates_beside_them() {
    let cases = ["virtual lift; kinetic = m*dot(lift)^2/2;", "virtual s; state z: dot(z) == -z;"];
    super::check(
        &cases,
        |case| source(case, super::STRUCT),
        expect![[r#"
        virtual lift; kinetic = m*dot(lift)^2/2;
            MissingCoordinates «Mechanism» no coordinates are stated
        virtual s; state z: dot(z) == -z;
            UnusedInput «u» input u is never used
    "#]],
    );
}

/// The operations of the acceleration and of M of an arm with these statements.
fn operations(statements: [&str; 3]) -> Vec<(&'static str, u32)> {
    let [declared, place, turned] = statements;
    let block = format!(
        "coordinates q[3]; {declared}
        let r0 = rotation_z(q[0]); let elbow = r0*([3/10, 0, 1/5]{place});
        let r1 = r0{turned}*rotation_y(q[1]); let r2 = r1*rotation_x(q[2]);
        let tip = elbow + r1*[1/2, 0, 0] + r2*[1/10, 2/5, 1/20];
        kinetic = rigid_body_energy(m, [1, 2, 3], elbow + r1*[1/10, 0, 1/20], r1) + rigid_body_energy(m, [1, 2, 3], tip, r2) + dot(q[0])^2;
        potential = g*m*tip[2]; force tip = [u, 0, t];"
    );
    let mut derivation = lagrange_symbolic::derivation(&super::spec(&block)).expect("an arm has equations");
    let evaluations = Evaluations::new(&mut derivation.model.graph, &derivation.equations);
    let wanted = ["acceleration", "balance", "mass_matrix", "equations", "energies"];
    let counts = evaluations.counts().into_iter().filter(|(name, _)| wanted.contains(name));
    counts.map(|(name, count)| (name, count.total())).collect()
}

#[test]
fn virtual_displacements_take_no_operations() {
    let plain = operations(["", "", ""]);
    let with = operations([
        "virtual shift[3], turn[3]; output force_on = reaction(shift); output moment_on = reaction(turn);",
        " + shift",
        "*rotation_x(turn[0])*rotation_y(turn[1])*rotation_z(turn[2])",
    ]);
    for ((name, plain), (_, with)) in plain.iter().zip(&with) {
        assert!(with <= plain, "{name}: {with} with virtual displacements, and {plain} without");
    }
}
