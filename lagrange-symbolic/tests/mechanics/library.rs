//! Mechanisms built from the parts of `lagrange-parts`, beside the same mechanisms as one block: at most two percent more operations, and the same
//! equations to rounding.

use super::assert_close;
use lagrange_symbolic::assembly::{Source, spec};
use lagrange_symbolic::export::mechanisms;
use lagrange_symbolic::graph::Symbol;
use lagrange_symbolic::graph::value::numeric;
use lagrange_symbolic::program::Evaluations;
use lagrange_symbolic::report::Report;
use lagrange_symbolic::{Derivation, derivation};
use std::collections::BTreeMap;
use std::path::Path;

/// A mechanism from a source file of this repository.
pub(super) fn found(file: &str, name: &str) -> Source {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let all = mechanisms(&text).unwrap_or_else(|message| panic!("{file}: {}", message.text));
    let found = all.into_iter().find(|found| found.name == name).unwrap_or_else(|| panic!("{file} has no {name}"));
    found.source().unwrap_or_else(|message| panic!("{file}: {}", message.text))
}

/// A whole, whose statements `part name: family::Type;` name parts of the library.
pub(super) fn whole(block: &str, item: &str) -> Source {
    let part = |statement: &str| {
        let (_, path) = statement.trim().strip_prefix("part ")?.split_once(": ")?;
        let (family, name) = path.split_once("::").unwrap_or_else(|| panic!("`{path}` has no family"));
        Some(Some(found(&format!("lagrange-parts/src/{family}.rs"), name)))
    };
    Source { parts: block.split(';').filter_map(part).collect(), ..one(block, item) }
}

/// A mechanism as one block.
pub(super) fn one(block: &str, item: &str) -> Source {
    let tokens = |text: &str| text.parse().expect("the test's source is made of tokens");
    Source { block: tokens(block), item: tokens(item), parts: Vec::new() }
}

pub(super) fn derived(source: &Source) -> Derivation {
    let text =
        |report: Report| report.entries().iter().map(|(mistake, _)| mistake.text()).collect::<Vec<_>>().join("\n");
    spec(source).and_then(|spec| derivation(&spec)).map_err(text).unwrap_or_else(|message| panic!("{message}"))
}

/// The operations of each evaluation but those that no step needs: sensors, energies and powers, and what is computed once.
fn counts(mut derivation: Derivation) -> BTreeMap<&'static str, u32> {
    let evaluations = Evaluations::new(&mut derivation.model.graph, &derivation.equations);
    let counts = evaluations
        .counts()
        .into_iter()
        .filter(|(name, _)| !["outputs", "output_jacobian", "energies", "powers", "prepare"].contains(name));
    counts.map(|(name, count)| (name, count.total())).collect()
}

/// Numbers between 0.5 and 1.5 that no relation connects.
fn number(index: usize) -> f64 {
    0.5 + (0.618_033_988_749_894_9 * (index + 1) as f64).fract()
}

/// The name of the flat mechanism for one of parts, where a `*` of a pair stands for an index.
fn renamed(name: &str, (own, flat): (&str, &str)) -> Option<String> {
    let mut flat = flat.to_owned();
    let mut rest = name;
    for (position, piece) in own.split('*').enumerate() {
        if position > 0 {
            let digits = rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len());
            flat = flat.replacen('*', &rest[..digits], 1);
            rest = &rest[digits..];
        }
        rest = rest.strip_prefix(piece)?;
    }
    rest.is_empty().then_some(flat)
}

/// Compares a mechanism of parts with a flat one. `names` maps its parameters and inputs to those of the flat mechanism, with `*` for each
/// index. The coordinates have the same order.
pub(super) fn compare(parts: &Source, flat: &Source, names: &[(&str, &str)]) {
    let (parts, flat) = (derived(parts), derived(flat));
    let flat_names: Vec<String> =
        flat.model.parameters.iter().chain(&flat.model.inputs).map(|named| named.name.clone()).collect();
    let of_flat = |name: &str| {
        let index =
            flat_names.iter().position(|known| known == name).unwrap_or_else(|| panic!("{name}: {flat_names:?}"));
        number(index)
    };
    let of_parts = |name: &str| {
        let found = names.iter().find_map(|pair| renamed(name, *pair));
        found.map_or_else(|| panic!("`{name}` is not named"), |flat| of_flat(&flat))
    };
    let (n, rows) = (flat.model.coordinates.len(), flat.equations.constraints.len());
    assert_eq!((parts.model.coordinates.len(), parts.equations.constraints.len()), (n, rows));
    let state: Vec<[f64; 2]> = (0..n).map(|i| [number(i + 7) / 2.0, number(i + 31) - 1.0]).collect();
    // M a − F − Gᵀλ and G a + γ for no a and λ, and for each unit vector of them: all entries of M, F, G and γ.
    for unit in 0..=n + rows {
        let residual = |of: &Derivation, value: &dyn Fn(&str) -> f64| {
            let number = |symbol| match symbol {
                Symbol::Coordinate(i) => state[i as usize][0],
                Symbol::Velocity(i) => state[i as usize][1],
                Symbol::Acceleration(i) => f64::from(u8::from(i as usize == unit)),
                Symbol::Multiplier(i) => f64::from(u8::from(i as usize + n == unit)),
                Symbol::Parameter(i) => value(&of.model.parameters[i as usize].name),
                Symbol::Input(i) => value(&of.model.inputs[i as usize].name),
                Symbol::Time => 0.7,
                symbol => panic!("{symbol:?} is not part of a state"),
            };
            numeric(&of.model.graph, &of.equations.residual, &number)
        };
        let (whole, one) = (residual(&parts, &of_parts), residual(&flat, &of_flat));
        assert_eq!(one.len(), n + rows);
        assert_close(&whole, &one, &format!("the equations with the unit vector {unit}"));
    }
    let (of_whole, of_one) = (counts(parts), counts(flat));
    for (name, one) in of_one {
        let whole = of_whole.get(name).copied().unwrap_or_default();
        assert!(f64::from(whole) <= 1.02 * f64::from(one), "{name}: {whole} operations, {one} in one block");
    }
}

#[test]
fn pendulums_of_joints_rods_and_points() {
    let chain = |n: usize| {
        let block = format!(
            "part joint[{n}]: plane::Revolute; part rod[{n}]: plane::Rod; part bob[{n}]: plane::Point;
             let joint[i in 0..{n}].base = -pi/2;
             let rod[0].start = [0, 0]; let rod[i in 1..{n}].start = rod[i - 1].tip;
             let rod[i in 0..{n}].angle = joint[i].angle;
             let bob[i in 0..{n}].place = rod[i].tip;
             let bob[i in 0..{n}].gravity = [0, -g]"
        );
        let item = format!(
            "struct Chain {{ joint: [Revolute; {n}], rod: [Rod; {n}], bob: [Point; {n}], #[unit(m/s^2)] g: f64 }}"
        );
        whole(&format!("{block};"), &item)
    };
    let names =
        [("rod[0].length", "l1"), ("rod[1].length", "l2"), ("bob[0].mass", "m1"), ("bob[1].mass", "m2"), ("g", "g")];
    compare(&chain(2), &found("models/src/double_pendulum.rs", "DoublePendulum"), &names);
    let flat = one(
        "coordinates theta[5]; let tip[0] = l[0]*[sin(theta[0]), -cos(theta[0])];
         let tip[i in 1..5] = tip[i - 1] + l[i]*[sin(theta[i]), -cos(theta[i])];
         kinetic = sum(i in 0..5, m[i]*norm2(dot(tip[i])))/2; potential = g*sum(i in 0..5, m[i]*tip[i][1]);",
        "struct Flat { m: [f64; 5], l: [f64; 5], g: f64 }",
    );
    compare(&chain(5), &flat, &[("rod[*].length", "l[*]"), ("bob[*].mass", "m[*]"), ("g", "g")]);
}

#[test]
fn a_pendulum_of_uniform_rods() {
    let parts = whole(
        "part joint[2]: plane::Revolute; part rod[2]: plane::UniformRod; part bob: plane::Point;
         let joint[i in 0..2].base = -pi/2;
         let rod[0].start = [0, 0]; let rod[1].start = rod[0].tip;
         let rod[i in 0..2].angle = joint[i].angle;
         let rod[i in 0..2].gravity = [0, -g];
         let bob.place = rod[1].tip; let bob.gravity = [0, -g];",
        "struct Rods { joint: [Revolute; 2], rod: [UniformRod; 2], bob: Point, #[unit(m/s^2)] g: f64 }",
    );
    let names = [
        ("rod[0].length", "l1"),
        ("rod[1].length", "l2"),
        ("rod[0].mass", "m1"),
        ("rod[1].mass", "m2"),
        ("bob.mass", "m3"),
        ("g", "g"),
    ];
    compare(&parts, &found("models/src/compound_double_pendulum.rs", "CompoundDoublePendulum"), &names);
}

#[test]
fn a_cart_with_a_pole() {
    let parts = whole(
        "part rail: plane::Prismatic; part cart: plane::Point; part pivot: plane::Revolute; part pole: plane::Rod; part bob: plane::Point;
         let rail.start = [0, 0]; let rail.angle = 0;
         let cart.place = rail.tip; let cart.gravity = [0, -g];
         let pivot.base = pi/2;
         let pole.start = rail.tip; let pole.angle = pi/2 - pivot.theta;
         let bob.place = pole.tip; let bob.gravity = [0, -g];
         force rail.way = push;",
        "struct Cart { rail: Prismatic, cart: Point, pivot: Revolute, pole: Rod, bob: Point, #[unit(m/s^2)] g: f64,
             #[input] #[unit(N)] push: f64 }",
    );
    let names = [("cart.mass", "cart"), ("bob.mass", "m"), ("pole.length", "l"), ("g", "g"), ("push", "push")];
    compare(&parts, &found("examples/src/bin/cart_pole.rs", "CartPole"), &names);
}

#[test]
fn a_motor_turns_a_pendulum() {
    let parts = whole(
        "part pivot: plane::Revolute; coordinates charge: C;
         part rod: plane::Rod; part bob: plane::Point; part motor: drive::Motor; part source: circuit::Source;
         let pivot.base = -pi/2;
         let rod.start = [0, 0]; let rod.angle = pivot.angle;
         let bob.place = rod.tip; let bob.gravity = [0, -g];
         let motor.angle = pivot.theta; let motor.charge = charge; let source.charge = charge;",
        "struct Drive { pivot: Revolute, rod: Rod, bob: Point, motor: Motor, source: Source, #[unit(m/s^2)] g: f64 }",
    );
    let names = [
        ("rod.length", "l"),
        ("bob.mass", "m"),
        ("motor.constant", "k"),
        ("motor.inertia", "j"),
        ("motor.damping", "damping"),
        ("motor.inductance", "inductance"),
        ("motor.resistance", "r"),
        ("source.voltage", "voltage"),
        ("g", "g"),
    ];
    compare(&parts, &found("models/src/motor_pendulum.rs", "MotorPendulum"), &names);
}

#[test]
fn circuits_of_branches() {
    let transformer = whole(
        "coordinates first: C, second: C; part coils: circuit::CoupledCoils; part capacitor[2]: circuit::Capacitor;
         let coils.charges = [first, second];
         let capacitor[0].charge = first; let capacitor[1].charge = second;",
        "struct Transformer { coils: CoupledCoils, capacitor: [Capacitor; 2] }",
    );
    let flat = one(
        "coordinates q[2]: C; kinetic = a*dot(q[0])^2/2 + b*dot(q[1])^2/2 + mutual*dot(q[0])*dot(q[1]);
         potential = q[0]^2/(2*c[0]) + q[1]^2/(2*c[1]); assume a*b > mutual^2;",
        "struct Flat { #[unit(H)] a: f64, #[unit(H)] b: f64, #[unit(H)] mutual: f64, #[unit(F)] c: [f64; 2] }",
    );
    let names = [
        ("coils.inductances[0]", "a"),
        ("coils.inductances[1]", "b"),
        ("coils.mutual", "mutual"),
        ("capacitor[*].capacitance", "c[*]"),
    ];
    compare(&transformer, &flat, &names);
    // The plate of a capacitor on a spring, whose own law the whole states.
    let plate = whole(
        "coordinates x: m, e: C; part spring: line::Spring; part coil: circuit::Coil; part resistor: circuit::Resistor;
         part source: circuit::AlternatingSource;
         let spring.length = x; let coil.charge = e; let resistor.charge = e; let source.charge = e;
         kinetic = m*dot(x)^2/2; potential = (s - x)*e^2/(2*eps*a);",
        "struct Plate { spring: Spring, coil: Coil, resistor: Resistor, source: AlternatingSource,
             #[unit(kg)] m: f64, #[unit(m)] s: f64, #[unit(m^2)] a: f64, #[unit(F/m)] eps: f64 }",
    );
    let flat = one(
        "coordinates x, e; kinetic = m*dot(x)^2/2 + l*dot(e)^2/2; potential = k*(x - rest)^2/2 + (s - x)*e^2/(2*eps*a);
         dissipation = r*dot(e)^2/2; force e = e0*sin(omega*t);",
        "struct Flat { m: f64, l: f64, k: f64, s: f64, a: f64, eps: f64, r: f64, e0: f64, omega: f64, rest: f64 }",
    );
    let names = [
        ("spring.stiffness", "k"),
        ("spring.rest", "rest"),
        ("coil.inductance", "l"),
        ("resistor.resistance", "r"),
        ("source.amplitude", "e0"),
        ("source.omega", "omega"),
        ("m", "m"),
        ("s", "s"),
        ("a", "a"),
        ("eps", "eps"),
    ];
    compare(&plate, &flat, &names);
    let rectifier = whole(
        "coordinates q: C; part coil: circuit::Coil; part resistor: circuit::Resistor; part source: circuit::AlternatingSource;
         part bridge: circuit::BridgeWithBattery;
         let coil.charge = q; let resistor.charge = q; let source.charge = q; let bridge.charge = q;",
        "struct Rectifier { coil: Coil, resistor: Resistor, source: AlternatingSource, bridge: BridgeWithBattery }",
    );
    let names = [
        ("coil.inductance", "inductance"),
        ("resistor.resistance", "resistance"),
        ("source.amplitude", "amplitude"),
        ("source.omega", "omega"),
        ("bridge.battery", "battery"),
    ];
    compare(&rectifier, &found("models/src/full_wave_rectifier.rs", "FullWaveRectifier"), &names);
}

#[test]
fn linkages_closed_by_pins() {
    let four_bar = whole(
        "part joint[3]: plane::Revolute; part rod[3]: plane::UniformRod; part closure: plane::Pin;
         let joint[i in 0..3].base = 0;
         let rod[0].start = [0, 0]; let rod[1].start = rod[0].tip; let rod[2].start = [base, 0];
         let rod[i in 0..3].angle = joint[i].angle; let rod[i in 0..3].gravity = [0, -g];
         let closure.left = rod[1].tip; let closure.right = rod[2].tip;
         force joint[0].theta = torque;",
        "struct FourBar { joint: [Revolute; 3], rod: [UniformRod; 3], closure: Pin, #[unit(m)] base: f64, #[unit(m/s^2)] g: f64,
             #[input] #[unit(N*m)] torque: f64 }",
    );
    let flat = one(
        "coordinates crank, coupler, rocker;
         let elbow = a*[cos(crank), sin(crank)];
         let joint = [base, 0] + c*[cos(rocker), sin(rocker)];
         let middle = elbow + b*[cos(coupler), sin(coupler)]/2;
         kinetic = m*norm2(dot(elbow))/8 + m*(a*dot(crank))^2/24 + n*norm2(dot(middle))/2 + n*(b*dot(coupler))^2/24
                 + p*norm2(dot(joint))/8 + p*(c*dot(rocker))^2/24;
         potential = g*(m*elbow[1]/2 + n*middle[1] + p*joint[1]/2);
         force crank = torque;
         constraint closure: elbow + b*[cos(coupler), sin(coupler)] == joint;",
        "struct Flat { a: f64, b: f64, c: f64, base: f64, m: f64, n: f64, p: f64, g: f64, #[input] torque: f64 }",
    );
    let names = [
        ("rod[0].length", "a"),
        ("rod[1].length", "b"),
        ("rod[2].length", "c"),
        ("rod[0].mass", "m"),
        ("rod[1].mass", "n"),
        ("rod[2].mass", "p"),
        ("base", "base"),
        ("g", "g"),
        ("torque", "torque"),
    ];
    compare(&four_bar, &flat, &names);
}

/// Each rod is a free body, held at its middle.
#[test]
fn free_rods_between_pins() {
    let parts = whole(
        "part free[4]: plane::Free; part rod[4]: plane::UniformRod; part pin[5]: plane::Pin;
         let free[i in 0..4].start = [0, 0]; let free[i in 0..4].base = 0;
         let rod[i in 0..4].angle = free[i].angle;
         let rod[i in 0..4].start = free[i].tip - rod[i].length/2*[cos(free[i].angle), sin(free[i].angle)];
         let rod[i in 0..4].gravity = [0, -g];
         let pin[0].left = rod[0].start; let pin[0].right = [0, 0];
         let pin[1].left = rod[1].start; let pin[1].right = rod[0].tip;
         let pin[2].left = rod[1].tip; let pin[2].right = rod[2].tip;
         let pin[3].left = rod[2].start; let pin[3].right = rod[3].tip;
         let pin[4].left = rod[3].start; let pin[4].right = [base, 0];
         force free[0].theta = left; force free[3].theta = right;",
        "struct FiveBar { free: [Free; 4], rod: [UniformRod; 4], pin: [Pin; 5], #[unit(m)] base: f64, #[unit(m/s^2)] g: f64,
             #[input] #[unit(N*m)] left: f64, #[input] #[unit(N*m)] right: f64 }",
    );
    let names = [
        ("rod[*].mass", "m[*]"),
        ("rod[*].length", "length[*]"),
        ("base", "base"),
        ("g", "g"),
        ("left", "left"),
        ("right", "right"),
    ];
    compare(&parts, &found("examples/src/bin/five_bar.rs", "FiveBar"), &names);
}

#[test]
fn an_arm_in_space() {
    let arm = whole(
        "part joint[6]: space::Revolute; part link[6]: space::Body;
         let joint[0].base = rotation_x(0); let joint[i in 1..6].base = link[i - 1].frame*rotation_x(pi/2);
         let link[0].start = [0, 0, 0]; let link[i in 1..6].start = link[i - 1].tip;
         let link[i in 0..6].frame = joint[i].frame; let link[i in 0..6].gravity = [0, 0, -g];",
        "struct Arm { joint: [Revolute; 6], link: [Body; 6], #[unit(m/s^2)] g: f64 }",
    );
    let flat = one(
        "coordinates theta[6];
         let frame[0] = rotation_z(theta[0]);
         let frame[i in 1..6] = frame[i - 1]*rotation_x(pi/2)*rotation_z(theta[i]);
         let tip[0] = frame[0]*b[0];
         let tip[i in 1..6] = tip[i - 1] + frame[i]*b[i];
         let center[0] = frame[0]*a[0];
         let center[i in 1..6] = tip[i - 1] + frame[i]*a[i];
         kinetic = sum(i in 0..6, rigid_body_energy(m[i], j[i], center[i], frame[i]));
         potential = g*sum(i in 0..6, m[i]*center[i][2]);",
        "struct Flat { m: [f64; 6], j: [[f64; 3]; 6], a: [[f64; 3]; 6], b: [[f64; 3]; 6], g: f64 }",
    );
    let names = [
        ("link[*].mass", "m[*]"),
        ("link[*].inertia[*]", "j[*][*]"),
        ("link[*].to_center[*]", "a[*][*]"),
        ("link[*].to_tip[*]", "b[*][*]"),
        ("g", "g"),
    ];
    compare(&arm, &flat, &names);
}

#[test]
fn a_body_on_a_ball_joint() {
    let pendulum = whole(
        "part ball: space::Spherical; part body: space::Body;
         let ball.base = rotation_x(0);
         let body.start = [0, 0, 0]; let body.frame = ball.frame; let body.gravity = [0, 0, -g];",
        "struct Pendulum { ball: Spherical, body: Body, #[unit(m/s^2)] g: f64 }",
    );
    let flat = |orientation: &str| {
        let block = format!(
            "coordinates q[4]; let center = rotation(q)*a;
             kinetic = rigid_body_energy(m, j, center, {orientation}); potential = m*g*center[2];
             constraint unit: norm2(q) == 1;"
        );
        one(&block, "struct Flat { m: f64, j: [f64; 3], a: [f64; 3], b: [f64; 3], g: f64 }")
    };
    let names = [
        ("body.mass", "m"),
        ("body.inertia[*]", "j[*]"),
        ("body.to_center[*]", "a[*]"),
        ("body.to_tip[*]", "b[*]"),
        ("g", "g"),
    ];
    // The matrix of a quaternion turns as the quaternion does.
    for orientation in ["q", "rotation(q)"] {
        compare(&pendulum, &flat(orientation), &names);
    }
}

#[test]
fn loops_closed_by_balls_and_gears() {
    let parts = whole(
        "coordinates r[3]: m, a: rad, b: rad; part free: space::Free; part body: space::Body; part bob: space::Point;
         part ball: space::Pin; part mesh: drive::GearMesh; part rotor[2]: drive::Rotor;
         let free.start = [0, 0, 0]; let free.base = rotation_x(0);
         let body.start = free.tip; let body.frame = free.frame; let body.gravity = [0, 0, -g];
         let bob.place = r; let bob.gravity = [0, 0, -g];
         let ball.left = body.tip; let ball.right = r;
         let mesh.driver = a; let mesh.driven = b; let rotor[0].angle = a; let rotor[1].angle = b;",
        "struct Loops { free: Free, body: Body, bob: Point, ball: Pin, mesh: GearMesh, rotor: [Rotor; 2], #[unit(m/s^2)] g: f64 }",
    );
    let flat = one(
        "coordinates r[3], a, b, shift[3], q[4];
         let tip = shift + rotation(q)*far; let center = shift + rotation(q)*near;
         kinetic = rigid_body_energy(m, j, center, q) + n*norm2(dot(r))/2 + i[0]*dot(a)^2/2 + i[1]*dot(b)^2/2;
         potential = g*(m*center[2] + n*r[2]);
         constraint unit: norm2(q) == 1;
         constraint ball: tip == r;
         constraint mesh: b == ratio*a;",
        "struct Flat { m: f64, j: [f64; 3], near: [f64; 3], far: [f64; 3], n: f64, i: [f64; 2], ratio: f64, g: f64 }",
    );
    let names = [
        ("body.mass", "m"),
        ("body.inertia[*]", "j[*]"),
        ("body.to_center[*]", "near[*]"),
        ("body.to_tip[*]", "far[*]"),
        ("bob.mass", "n"),
        ("rotor[*].inertia", "i[*]"),
        ("mesh.ratio", "ratio"),
        ("g", "g"),
    ];
    compare(&parts, &flat, &names);
}

/// Equations by hand, as claims that the derivation decides.
#[test]
fn parts_have_the_equations_of_textbooks() {
    let wholes = [
        // Newton and Euler about a point of the body that is not its centre of mass.
        (
            "part free: plane::Free; part body: plane::Body;
             let free.start = [0, 0]; let free.base = 0;
             let body.start = free.tip; let body.angle = free.angle; let body.gravity = [0, -g];
             let ahead = body.to_center[0]*cos(free.theta) - body.to_center[1]*sin(free.theta);
             let aside = body.to_center[0]*sin(free.theta) + body.to_center[1]*cos(free.theta);
             verify mass[free.theta, free.theta] == body.inertia + body.mass*norm2(body.to_center);
             verify mass[free.shift[0], free.theta] == -body.mass*aside;
             verify mass[free.shift[1], free.theta] == body.mass*ahead;
             verify mass[free.shift[1], free.shift[1]] == body.mass;
             verify forcing[free.shift[0]] == body.mass*dot(free.theta)^2*ahead;
             verify forcing[free.shift[1]] == body.mass*(dot(free.theta)^2*aside - g);
             verify forcing[free.theta] == -body.mass*g*ahead;",
            "struct A { free: Free, body: Body, #[unit(m/s^2)] g: f64 }",
        ),
        // A spring obeys Hooke's law along the line from the hook to the bob, and a damper acts along the same line.
        (
            "coordinates r[2]: m; part bob: plane::Point; part spring: plane::Spring; part damper: line::Damper;
             let spring.start = [0, 0]; let spring.tip = r; let damper.length = spring.length;
             let bob.place = r; let bob.gravity = [0, -g];
             let tension = spring.stiffness*(norm(r) - spring.rest) + damper.damping*inner(r, dot(r))/norm(r);
             verify forcing[r[0]] == -tension*r[0]/norm(r);
             verify forcing[r[1]] == -tension*r[1]/norm(r) - bob.mass*g;",
            "struct B { bob: Point, spring: Spring, damper: Damper, #[unit(m/s^2)] g: f64 }",
        ),
        (
            "coordinates r[3]: m; part bob: space::Point; part spring: space::Spring;
             let spring.start = [0, 0, 0]; let spring.tip = r;
             let bob.place = r; let bob.gravity = [0, 0, -g];
             verify mass[r[2], r[2]] == bob.mass;
             verify forcing[r[2]] == -spring.stiffness*(norm(r) - spring.rest)*r[2]/norm(r) - bob.mass*g;",
            "struct C { bob: Point, spring: Spring, #[unit(m/s^2)] g: f64 }",
        ),
        // The third axis of a frame that is turned about x by a right angle points along -y.
        (
            "part rail: space::Prismatic; part bob: space::Point; part spring: line::Spring;
             let rail.start = [0, 0, 0]; let rail.frame = rotation_x(pi/2);
             let bob.place = rail.tip; let bob.gravity = [0, -g, 0]; let spring.length = rail.way;
             verify mass[rail.way, rail.way] == bob.mass;
             verify forcing[rail.way] == bob.mass*g - spring.stiffness*(rail.way - spring.rest);",
            "struct D { rail: Prismatic, bob: Point, spring: Spring, #[unit(m/s^2)] g: f64 }",
        ),
        (
            "coordinates angle: rad; part gear: drive::Gear; part rotor: drive::Rotor; part spring: line::TorsionSpring;
             part damper: line::TorsionDamper;
             let gear.driver = angle; let rotor.angle = gear.driven; let spring.angle = gear.driven; let damper.angle = gear.driven;
             verify mass[angle, angle] == rotor.inertia*gear.ratio^2;
             verify forcing[angle] == -gear.ratio*(spring.stiffness*(gear.ratio*angle - spring.rest)
                                                   + damper.damping*gear.ratio*dot(angle));",
            "struct E { gear: Gear, rotor: Rotor, spring: TorsionSpring, damper: TorsionDamper }",
        ),
        (
            "coordinates a: rad, b: rad; part belt: drive::Belt; part rotor[2]: drive::Rotor;
             let belt.angles = [a, b]; let rotor[0].angle = a; let rotor[1].angle = b;
             let pull = belt.stiffness*(belt.radii[0]*a - belt.radii[1]*b)
                      + belt.damping*(belt.radii[0]*dot(a) - belt.radii[1]*dot(b));
             verify forcing[a] == -belt.radii[0]*pull;
             verify forcing[b] == belt.radii[1]*pull;",
            "struct F { belt: Belt, rotor: [Rotor; 2] }",
        ),
    ];
    for (block, item) in wholes {
        derived(&whole(block, item));
    }
}

/// The stored angular velocity of the matrix of a quaternion against the derivative of the same matrix, entry by entry: the accelerations that the
/// constraint allows are the same where the quaternion has length 1.
#[test]
fn a_ball_joint_on_an_arm() {
    let parts = whole(
        "part joint: space::Revolute; part ball: space::Spherical; part body: space::Body;
         let joint.base = rotation_x(2/3);
         let ball.base = joint.frame*rotation_y(1/2);
         let body.start = joint.frame*[reach, 0, 0]; let body.frame = ball.frame; let body.gravity = [0, 0, -g];
         kinetic = arm*dot(joint.theta)^2/2;",
        "struct Arm { joint: Revolute, ball: Spherical, body: Body, #[unit(m)] reach: f64, #[unit(kg*m^2)] arm: f64,
             #[unit(m/s^2)] g: f64 }",
    );
    let flat = one(
        "coordinates theta, q[4];
         let held = rotation_x(2/3)*rotation_z(theta);
         let turned = held*rotation_y(1/2)*rotation(q);
         let matrix = [[turned[0][0], turned[0][1], turned[0][2]], [turned[1][0], turned[1][1], turned[1][2]],
                       [turned[2][0], turned[2][1], turned[2][2]]];
         let center = held*[reach, 0, 0] + matrix*a;
         kinetic = arm*dot(theta)^2/2 + rigid_body_energy(m, j, center, matrix); potential = m*g*center[2];
         constraint unit: norm2(q) == 1;",
        "struct Flat { m: f64, j: [f64; 3], a: [f64; 3], b: [f64; 3], reach: f64, arm: f64, g: f64 }",
    );
    let accelerations = |source: &Source, count: usize| {
        let derivation = derived(source);
        assert_eq!(derivation.model.parameters.len(), count);
        let parameters = (0..count).map(number).collect();
        let q = vec![0.4, 0.1, 0.7, -0.5, 0.5];
        super::State { t: 0.0, q, v: vec![0.9, -0.4, 0.3, 0.8, 0.46], parameters }.motion(&derivation).0
    };
    assert_close(&accelerations(&parts, 13), &accelerations(&flat, 13), "a ball joint");
}
