//! Symmetries that are stated: which change L by a total time derivative, and what changes their momenta.

use super::tokens;
use expect_test::{Expect, expect};
use lagrange_symbolic::{Conserved, derivation, parse, print, report};

/// A line for each symmetry, with its momentum and what changes it, or the messages.
fn noether(block: &str) -> String {
    let item = "struct Mechanism { m: f64, k: f64, l: f64, g: f64, a: f64, c: f64, B: f64, w: f64, #[input] u: f64 }";
    let block = format!("allow unused_field, unused_input, unused_definition, uncoupled_coordinate; {block}");
    let spec = parse::parse(tokens(&block), tokens(item)).and_then(|spec| derivation(&spec));
    let text = |report: report::Report| report.entries().iter().map(|(mistake, _)| mistake.text() + "\n").collect();
    spec.map(|derivation| {
        let model = &derivation.model;
        let warnings = model.warnings.entries().iter().map(|(warning, _)| warning.text());
        assert_eq!(warnings.collect::<String>(), "", "{block}");
        let lines = derivation.symmetries.iter().map(|symmetry| {
            let momentum = print::text(&model.graph, symmetry.momentum, &model.naming());
            let how = if symmetry.how == Conserved::Proved { "" } else { " (checked)" };
            let changed_by = symmetry.changed_by.join(", ");
            format!(
                "{}{how} = {momentum}{}\n",
                symmetry.name,
                if changed_by.is_empty() { String::new() } else { format!("; {changed_by}") }
            )
        });
        lines.collect()
    })
    .unwrap_or_else(text)
}

#[track_caller]
fn check(block: &str, expected: Expect) {
    expected.assert_eq(&noether(block));
}

#[test]
fn turns_and_shifts() {
    check(
        "coordinates x, y, z;
         kinetic = m*norm2(dot([x, y, z]))/2;
         potential = m*g*z + k*(x^2 + y^2)^2;
         symmetry turn: [-y, x, 0];",
        expect![[r#"
            turn = m*(x*dot(y) - y*dot(x))
        "#]],
    );
    // Two bodies that pull on each other: shifts and turns of both, and both change together with a force that acts on one.
    check(
        "coordinates r[2][2];
         kinetic = m*norm2(dot(r[0]))/2 + a*norm2(dot(r[1]))/2;
         potential = -k/norm(r[1] - r[0]);
         force r[1] = [0, u];
         symmetry along: [1, 0, 1, 0];
         symmetry across: [0, 1, 0, 1];
         symmetry turn: [-r[0][1], r[0][0], -r[1][1], r[1][0]];",
        expect![[r#"
            along = a*dot(r[1][0]) + m*dot(r[0][0])
            across = a*dot(r[1][1]) + m*dot(r[0][1]); r[1]
            turn = m*r[0][0]*dot(r[0][1]) - m*r[0][1]*dot(r[0][0]) - a*r[1][1]*dot(r[1][0]) + a*r[1][0]*dot(r[1][1]); r[1]
        "#]],
    );
    // Inner forces that are stated one by one cancel. A damper between the bodies takes no momentum, one to the ground does.
    check(
        "coordinates x, y;
         kinetic = m*(dot(x)^2 + dot(y)^2)/2;
         dissipation = c*(dot(x) - dot(y))^2/2;
         force x = k*(y - x);
         force y = k*(x - y);
         symmetry shift: [1, 1];",
        expect![[r#"
            shift = m*(dot(x) + dot(y))
        "#]],
    );
    check(
        "coordinates x, y;
         kinetic = m*(dot(x)^2 + dot(y)^2)/2;
         potential = k*(y - x)^2/2;
         dissipation = c*dot(x)^2/2;
         force y = u;
         symmetry shift: [1, 1];",
        expect![[r#"
            shift = m*(dot(x) + dot(y)); y, dissipation
        "#]],
    );
}

#[test]
fn changes_of_l_by_a_total_derivative() {
    // A frame that moves: K = m x is found, and that of a weight is stated.
    check(
        "coordinates x; kinetic = m*dot(x)^2/2; symmetry boost: [t];",
        expect![[r#"
        boost = m*(t*dot(x) - x)
    "#]],
    );
    check(
        "coordinates x; kinetic = m*dot(x)^2/2; potential = m*g*x; symmetry boost: [t], gauge = m*x - m*g*t^2/2;
         symmetry shift: [1], gauge = -m*g*t;",
        expect![[r#"
            boost = m*(g*t^2/2 - x + t*dot(x))
            shift = m*(dot(x) + g*t)
        "#]],
    );
    // A charge in a magnetic field: its shifts change L by a derivative.
    check(
        "coordinates x, y;
         lagrangian = m*(dot(x)^2 + dot(y)^2)/2 + B*(x*dot(y) - y*dot(x))/2;
         symmetry along: [1, 0];
         symmetry turn: [-y, x];",
        expect![[r#"
            along = m*dot(x) - B*y
            turn = y*(B*y/2 - m*dot(x)) + x*(B*x/2 + m*dot(y))
        "#]],
    );
    // δq = v shifts the time: K = L, and J is the energy.
    check(
        "coordinates x; kinetic = m*dot(x)^2/2; potential = k*x^4; symmetry later: [dot(x)], gauge = m*dot(x)^2/2 - k*x^4;",
        expect![[r#"
            later = m*dot(x)^2/2 + k*x^4
        "#]],
    );
    // Laplace's vector: δq contains velocities.
    check(
        "coordinates x, y;
         lagrangian = m*(dot(x)^2 + dot(y)^2)/2 + k/hypot(x, y);
         symmetry axis: [-y*dot(y), 2*x*dot(y) - y*dot(x)], gauge = m*(x*dot(y)^2 - y*dot(x)*dot(y)) + k*x/hypot(x, y);",
        expect![[r#"
            axis (checked) = m*dot(y)*(x*dot(y) - y*dot(x)) - k*x/norm([x, y])
        "#]],
    );
    // Two equal oscillators exchange their energies.
    check(
        "coordinates x, y;
         kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = k*(x^2 + y^2)/2;
         symmetry exchange: [dot(y), dot(x)], gauge = m*dot(x)*dot(y) - k*x*y;",
        expect![[r#"
            exchange = m*dot(x)*dot(y) + k*x*y
        "#]],
    );
}

#[test]
fn constraints_frictions_and_contacts() {
    // A rod from the origin keeps the turn; a wire does not, and a wheel's constraint A v = 0 keeps some changes.
    let free = "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; symmetry turn: [-y, x];";
    check(
        &format!("{free} constraint rod: x^2 + y^2 == l^2;"),
        expect![[r#"
        turn = m*(x*dot(y) - y*dot(x))
    "#]],
    );
    check(
        &format!("{free} constraint wire: y == a*x^2;"),
        expect![[r#"
        turn = m*(x*dot(y) - y*dot(x)); wire
    "#]],
    );
    check(
        "coordinates x, y, phi;
         kinetic = m*(dot(x)^2 + dot(y)^2)/2 + a*dot(phi)^2/2;
         nonholonomic blade: dot(y)*cos(phi) == dot(x)*sin(phi);
         symmetry ahead: [cos(phi), sin(phi), 0], gauge = 0;",
        expect![[r#"
            ahead (checked) = m*(dot(y)*sin(phi) + dot(x)*cos(phi))
        "#]],
    );
    check(
        "coordinates x, y, phi;
         kinetic = m*(dot(x)^2 + dot(y)^2)/2 + a*dot(phi)^2/2;
         nonholonomic blade: dot(y)*cos(phi) == dot(x)*sin(phi);
         symmetry along: [1, 0, 0];
         symmetry turn: [-y, x, 1];",
        expect![[r#"
            along = m*dot(x); blade
            turn = a*dot(phi) - m*y*dot(x) + m*x*dot(y); blade
        "#]],
    );
    // A floor without friction takes no momentum along it, through impacts too; dry friction between two bodies takes none of both.
    check(
        "coordinates x, y;
         kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = m*g*y;
         contact floor: y >= 0, restitution = 1/2;
         symmetry along: [1, 0];",
        expect![[r#"
            along = m*dot(x)
        "#]],
    );
    check(
        "coordinates x, y;
         kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = m*g*y;
         contact floor: y >= 0, restitution = 1/2, friction = a, slip = x;
         symmetry along: [1, 0];",
        expect![[r#"
            along = m*dot(x); floor.slip
        "#]],
    );
    check(
        "coordinates x, y;
         kinetic = m*(dot(x)^2 + dot(y)^2)/2;
         friction between: x - y = a;
         symmetry both: [1, 1];",
        expect![[r#"
            both = m*(dot(x) + dot(y))
        "#]],
    );
    // Modes that assign to velocities are all named. Under a constraint an assignment moves what it does not name.
    check(
        "coordinates x; kinetic = m*dot(x)^2/2; mode p = when x < 0 { 1 } then dot(x) = -dot(x);
         mode q = when x > 1 { 1 } then dot(x) = -dot(x); symmetry shift: [1];",
        expect![[r#"
            shift = m*dot(x); p, q
        "#]],
    );
    check(
        "coordinates x, y, z; kinetic = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2; constraint cone: x^2 + y^2 == z;
         mode lifted = when t > 1 { 1 } then z = 4; symmetry turn: [-y, x, 0];",
        expect![[r#"
            turn = m*(x*dot(y) - y*dot(x)); lifted
        "#]],
    );
    // A mode that assigns to a velocity.
    check(
        "coordinates x; kinetic = m*dot(x)^2/2; mode turned = when x > 1 { 1 } then dot(x) = -dot(x); symmetry shift: [1];",
        expect![[r#"
            shift = m*dot(x); turned
        "#]],
    );
}

#[test]
fn inputs() {
    // An input changes with the time, so that u t is no K.
    check(
        "coordinates x; lagrangian = m*dot(x)^2/2 + u*x; symmetry shift: [1];",
        expect![[r#"
        `shift` is no symmetry: δL − dK/dt is 0.57 and not 0
          help: at u = 0.57. A symmetry changes L by δL = ∂L/∂q·δq + ∂L/∂v·d(δq)/dt, which must be dK/dt of a K(q, v, t), stated as `, gauge = K`
    "#]],
    );
}

#[test]
fn coordinates_without_inertia() {
    let gyrating = |strength: &str, more: &str| {
        format!(
            "coordinates x, y, z; lagrangian = m*dot(x)^2/2 + {strength}*(y*dot(z) - z*dot(y))/2 - k*(y^2 + z^2)/2;
             symmetry shift: [1]; {more}"
        )
    };
    check(
        &gyrating("B", ""),
        expect![[r#"
        shift = m*dot(x)
    "#]],
    );
    check(
        &gyrating("B", "dissipation = c*dot(x)^2/2;"),
        expect![[r#"
        shift = m*dot(x); dissipation
    "#]],
    );
    check(
        &gyrating("B", "dissipation = c*dot(y)^2/2;"),
        expect![[r#"
        shift = m*dot(x)
    "#]],
    );
    // The terms that are linear in the rates of y and z change with x, so that m v is not constant. Where these rates are inserted into L, x
    // cancels.
    check(
        &gyrating("(B + a*x)", ""),
        expect![[r#"
        `shift` is no symmetry: δL − dK/dt is 0.0439171026245 and not 0
          help: at x = -0.4201, dot(x) = -0.211, y = 0.2701, z = -0.2774, k = 0.3683, a = 0.7931, B = 0.8317. A symmetry changes L by δL = ∂L/∂q·δq + ∂L/∂v·d(δq)/dt, which must be dK/dt of a K(q, v, t), stated as `, gauge = K`
    "#]],
    );
}

#[test]
fn changes_that_are_no_symmetries() {
    check(
        "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = m*g*y; symmetry turn: [-y, x];",
        expect![[r#"
        `turn` is no symmetry: δL − dK/dt is 0.71831287788 and not 0
          help: at x = -0.7556, m = 0.6747, g = 1.409. A symmetry changes L by δL = ∂L/∂q·δq + ∂L/∂v·d(δq)/dt, which must be dK/dt of a K(q, v, t), stated as `, gauge = K`
    "#]],
    );
    check(
        "coordinates x; kinetic = m*dot(x)^2/2; potential = k*x^2; symmetry later: [dot(x)];",
        expect![[r#"
        `later` is no symmetry: δL − dK/dt is 0.09889144902 and not 0
          help: at x = -0.2753, dot(x) = 0.459, k = 0.3913. A symmetry changes L by δL = ∂L/∂q·δq + ∂L/∂v·d(δq)/dt, which must be dK/dt of a K(q, v, t), stated as `, gauge = K`
    "#]],
    );
    check(
        "coordinates x; kinetic = m*dot(x)^2/2; symmetry boost: [t], gauge = 2*m*x;",
        expect![[r#"
        `boost` is no symmetry: δL − dK/dt is 0.00377832 and not 0
          help: at dot(x) = -0.0056, m = 0.6747. A symmetry changes L by δL = ∂L/∂q·δq + ∂L/∂v·d(δq)/dt, which must be dK/dt of a K(q, v, t), stated as `, gauge = K`
    "#]],
    );
    // The forms of a right change and a wrong one agree where |x| = x.
    check(
        "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; symmetry turn: [-y, abs(x)];",
        expect![[r#"
        `turn` is no symmetry: δL − dK/dt is 0.2020773204 and not 0
          help: at x = -0.2753, dot(x) = 0.459, dot(y) = -0.5587, m = 0.394. A symmetry changes L by δL = ∂L/∂q·δq + ∂L/∂v·d(δq)/dt, which must be dK/dt of a K(q, v, t), stated as `, gauge = K`
    "#]],
    );
    check(
        "coordinates x; kinetic = m*dot(x)^2/2; symmetry step: [if x > 0 { 1 } else { 0 }];",
        expect![[r#"
        `step` is not conserved: it jumps along a motion
          help: at x = 0, dot(x) = 2.6885, m = 0.647
    "#]],
    );
    check(
        "coordinates x; kinetic = m*dot(x)^2/2; symmetry shift: [u];",
        expect![[r#"
        input `u` cannot stand in symmetry `shift`
          help: it changes the coordinates by functions of the coordinates, their first derivatives, t and parameters
    "#]],
    );
    check(
        "coordinates x; state z: dot(z) == -z; kinetic = m*dot(x)^2/2; symmetry shift: [z];",
        expect![[r#"
        state `z` cannot stand in symmetry `shift`
          help: it changes the coordinates by functions of the coordinates, their first derivatives, t and parameters
    "#]],
    );
    check(
        "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; symmetry shift: [1];",
        expect![[r#"
        symmetry `shift` needs a component for each coordinate, and has 1
          help: the coordinates are `x`, `y`; one that does not change has the component 0
    "#]],
    );
    check(
        "coordinates x; kinetic = m*dot(x)^2/2; output p = x; symmetry p: [1];",
        expect![[r#"
        symmetry `p` has the name of another symmetry or of an output
          help: its momentum is an output of that name
    "#]],
    );
    check(
        "coordinates x; kinetic = m*dot(x)^2/2; symmetry p: [1], gage = 0;",
        expect![[r#"
        expected `symmetry p: [1], gauge = …;`, found `gage`
          help: all components stand in one vector, and its one property is the K of δL = dK/dt
    "#]],
    );
    check(
        "coordinates x; kinetic = m*dot(x)^2/2; symmetry [1];",
        expect![[r#"
        expected `symmetry name: [1, 0];`, found `[`
          help: behind the name and a colon stands the change of each coordinate
    "#]],
    );
}

/// A quantity I(q, v, t) comes from a symmetry only if δq = M⁻¹ ∂I/∂v with K = p·δq − I: the factors of the accelerations in δL = dK/dt leave no
/// other change. The Laplace vector does. The two quantities that the study of a capacitor's plate calls Noether's do not.
#[test]
fn the_only_change_of_a_quantity() {
    let plate = |symmetry: &str| {
        format!(
            "coordinates x, e;
             let first = l*e^2/(2*a) - (w - x)*e^2/a + c*e;
             let second = m*dot(x)^2/2 - k*x^2/2 + e^2/(2*a);
             kinetic = m*dot(x)^2/2 + l*dot(e)^2/2;
             potential = k*x^2/2 + (w - x)*e^2/(2*a);
             symmetry printed: {symmetry};"
        )
    };
    check(
        &plate("[0, 0], gauge = -first"),
        expect![[r#"
        `printed` is no symmetry: δL − dK/dt is 2.93736305441 and not 0
          help: at x = -0.2774, e = -0.5817, dot(x) = 0.5931, dot(e) = 0.6317, l = 0.4407, a = 0.3425, c = 0.4402, w = 0.9092. A symmetry changes L by δL = ∂L/∂q·δq + ∂L/∂v·d(δq)/dt, which must be dK/dt of a K(q, v, t), stated as `, gauge = K`
    "#]],
    );
    check(
        &plate("[dot(x), 0], gauge = m*dot(x)^2 - second"),
        expect![[r#"
        `printed` is no symmetry: δL − dK/dt is -0.516456092635 and not 0
          help: at x = -0.556, e = -0.4201, dot(x) = -0.211, dot(e) = 0.2701, k = 0.6726, a = 0.3683. A symmetry changes L by δL = ∂L/∂q·δq + ∂L/∂v·d(δq)/dt, which must be dK/dt of a K(q, v, t), stated as `, gauge = K`
    "#]],
    );
    check(
        &plate("[dot(x), dot(e)], gauge = kinetic - potential"),
        expect![[r#"
        printed = (e^2*(w - x)/a + m*dot(x)^2 + k*x^2 + l*dot(e)^2)/2
    "#]],
    );
}
