//! Mechanisms of `models` rebuilt from the parts of `lagrange-parts`: the same equations with at most two percent more operations. `library.rs` has
//! six more: two double pendulums, the cart with a pole, the motor with a pendulum, the rectifier and the five-bar linkage.

use super::library::{compare, found, whole};

#[test]
fn a_loudspeaker() {
    // The spring of the cone is at rest at x = 0.
    let parts = whole(
        "coordinates x: m, e: C; part spring: line::Spring; part damper: line::Damper; part coil: circuit::Coil;
         part resistor: circuit::Resistor; part source: circuit::Source;
         let spring.length = x + spring.rest; let damper.length = x;
         let coil.charge = e; let resistor.charge = e; let source.charge = e;
         kinetic = m*dot(x)^2/2; force x = bl*dot(e); force e = -bl*dot(x);",
        "struct Speaker { spring: Spring, damper: Damper, coil: Coil, resistor: Resistor, source: Source,
             #[unit(kg)] m: f64, #[unit(T*m)] bl: f64 }",
    );
    let names = [
        ("spring.stiffness", "k"),
        // It cancels.
        ("spring.rest", "k"),
        ("damper.damping", "damping"),
        ("coil.inductance", "l"),
        ("resistor.resistance", "r"),
        ("source.voltage", "voltage"),
        ("m", "m"),
        ("bl", "bl"),
    ];
    compare(&parts, &found("models/src/loudspeaker.rs", "Loudspeaker"), &names);
}

#[test]
fn the_plate_of_a_capacitor_in_a_circuit() {
    let parts = whole(
        "coordinates x: m, e: C; part spring: line::Spring; part coil: circuit::Coil; part resistor: circuit::Resistor;
         part source: circuit::AlternatingSource;
         let spring.length = x + spring.rest; let coil.charge = e; let resistor.charge = e; let source.charge = e;
         kinetic = m*dot(x)^2/2; potential = (s - x)*e^2/(2*eps*a);",
        "struct Plate { spring: Spring, coil: Coil, resistor: Resistor, source: AlternatingSource,
             #[unit(kg)] m: f64, #[unit(m)] s: f64, #[unit(m^2)] a: f64, #[unit(F/m)] eps: f64 }",
    );
    let names = [
        ("spring.stiffness", "k"),
        ("spring.rest", "k"),
        ("coil.inductance", "l"),
        ("resistor.resistance", "r"),
        ("source.amplitude", "e0"),
        ("source.omega", "omega"),
        ("m", "m"),
        ("s", "s"),
        ("a", "a"),
        ("eps", "eps"),
    ];
    compare(&parts, &found("models/src/rlc_plate.rs", "RlcPlate"), &names);
}

#[test]
fn a_ball_below_a_magnet() {
    let parts = whole(
        "coordinates y: m, e: C; part ball: plane::Point; part damper: line::Damper; part coil: circuit::Coil;
         part resistor: circuit::Resistor; part source: circuit::Source;
         let ball.place = [0, -y]; let ball.gravity = [0, -g]; let damper.length = y;
         let coil.charge = e; let resistor.charge = e; let source.charge = e;
         kinetic = l0/(1 + y/a)*dot(e)^2/2;",
        "struct Levitation { ball: Point, damper: Damper, coil: Coil, resistor: Resistor, source: Source,
             #[unit(H)] l0: f64, #[unit(m)] a: f64, #[unit(m/s^2)] g: f64 }",
    );
    let names = [
        ("ball.mass", "m"),
        ("damper.damping", "damping"),
        ("coil.inductance", "l1"),
        ("resistor.resistance", "r"),
        ("source.voltage", "voltage"),
        ("l0", "l0"),
        ("a", "a"),
        ("g", "g"),
    ];
    compare(&parts, &found("models/src/magnetic_levitation.rs", "MagneticLevitation"), &names);
}

#[test]
fn a_point_on_a_rod_that_is_a_constraint() {
    let parts = whole(
        "coordinates x: m, y: m; part bob: plane::Point; let bob.place = [x, y]; let bob.gravity = [0, -g];
         constraint rod: norm(bob.place) == l;",
        "struct Pendulum { bob: Point, #[unit(m)] l: f64, #[unit(m/s^2)] g: f64 }",
    );
    let names = [("bob.mass", "m"), ("l", "l"), ("g", "g")];
    compare(&parts, &found("models/src/cartesian_pendulum.rs", "CartesianPendulum"), &names);
}
