//! Mechanisms made of parts have the equations of the same mechanisms without parts, and evaluate them with as many operations.

use lagrange_symbolic::assembly::{Source, spec};
use lagrange_symbolic::print::text;
use lagrange_symbolic::program::Evaluations;
use lagrange_symbolic::{Derivation, derivation};

/// A uniform gravity pendulum on a point that its surroundings give.
const LINK: (&str, &str) = (
    "given base[2];
     coordinates theta;
     let tip = base + l*[sin(theta), -cos(theta)];
     kinetic = m*norm2(dot(tip))/2;
     potential = g*m*tip[1];",
    "struct Link { m: f64, l: f64, g: f64 }",
);

const PENDULUM: (&str, &str) = (
    "part;
     coordinates theta;
     let tip = l*[sin(theta), -cos(theta)];
     kinetic = m*norm2(dot(tip))/2;
     potential = g*m*tip[1];
     assume regular;
     invariant h = energy;
     verify mass[theta, theta] == m*l^2;",
    "struct Pendulum { m: f64, l: f64, g: f64 }",
);

/// A motor behind a gear: the torque k i, and the voltage k ω against its current.
const MOTOR: (&str, &str) = (
    "given angle;
     const two = 2;
     state current: dot(current) == (voltage - r*current - k*dot(angle))/inductance;
     kinetic = inertia*dot(angle)^2/two;
     force angle = k*current;",
    "struct Motor { r: f64, k: f64, inductance: f64, inertia: f64, #[input] voltage: f64 }",
);

const RESISTOR: (&str, &str) = ("given charge; dissipation = r*dot(charge)^2/2;", "struct Resistor { r: f64 }");
const COIL: (&str, &str) = ("given charge; kinetic = l*dot(charge)^2/2;", "struct Coil { l: f64 }");
const CAPACITOR: (&str, &str) = ("given charge; potential = charge^2/(2*c);", "struct Capacitor { c: f64 }");

fn source((block, item): (&str, &str), parts: Vec<Source>) -> Source {
    let tokens = |text: &str| text.parse().expect("the test's source is made of tokens");
    Source { block: tokens(block), item: tokens(item), parts: parts.into_iter().map(Some).collect() }
}

fn derive(whole: (&str, &str), parts: &[(&str, &str)]) -> Derivation {
    of(&source(whole, parts.iter().map(|part| source(*part, Vec::new())).collect()))
}

fn of(source: &Source) -> Derivation {
    let text = |report: lagrange_symbolic::report::Report| {
        report.entries().iter().map(|(mistake, _)| mistake.text()).collect::<Vec<_>>().join("\n")
    };
    spec(source).and_then(|spec| derivation(&spec)).map_err(text).unwrap_or_else(|message| panic!("{message}"))
}

/// The operations of each evaluation.
fn counts(mut derivation: Derivation) -> Vec<(&'static str, u32)> {
    let evaluations = Evaluations::new(&mut derivation.model.graph, &derivation.equations);
    evaluations.counts().into_iter().map(|(name, count)| (name, count.total())).collect()
}

fn names(list: &[lagrange_symbolic::meaning::Named]) -> Vec<&str> {
    list.iter().map(|named| named.name.as_str()).collect()
}

#[test]
fn a_double_pendulum_of_two_parts() {
    let parts = derive(
        (
            "part upper: a::Pendulum; part lower: Link; let lower.base = upper.tip;",
            "struct Double { upper: Pendulum, lower: Link }",
        ),
        &[PENDULUM, LINK],
    );
    assert_eq!(names(&parts.model.coordinates), ["upper.theta", "lower.theta"]);
    assert_eq!(names(&parts.model.parameters), ["upper.m", "upper.l", "upper.g", "lower.m", "lower.l", "lower.g"]);
    // The invariant of the pendulum alone is none of the whole.
    assert!(parts.invariants.iter().all(|(name, _)| name != "h" && name != "upper.h"), "{:?}", parts.invariants);
    let flat = derive(
        (
            "coordinates th1, th2;
             let tip1 = l1*[sin(th1), -cos(th1)];
             let tip2 = tip1 + l2*[sin(th2), -cos(th2)];
             kinetic = m1*norm2(dot(tip1))/2 + m2*norm2(dot(tip2))/2;
             potential = g1*m1*tip1[1] + g2*m2*tip2[1];",
            "struct Flat { m1: f64, l1: f64, g1: f64, m2: f64, l2: f64, g2: f64 }",
        ),
        &[],
    );
    assert_eq!(counts(parts), counts(flat));
}

#[test]
fn an_arm_is_one_link_five_times() {
    let parts = derive(
        (
            "part link[5]: Link;
             let link[0].base = [0, 0];
             let link[i in 1..5].base = link[i - 1].tip;
             output tip = link[4].tip;
             output kinetic_of_last = link[4].kinetic;
             assume link[2].l > link[3].l;",
            "struct Arm { link: [Link; 5] }",
        ),
        &[LINK],
    );
    assert_eq!(names(&parts.model.coordinates)[4], "link[4].theta");
    assert_eq!(
        names(&parts.model.parameters)[..6],
        ["link[0].m", "link[1].m", "link[2].m", "link[3].m", "link[4].m", "link[0].l"]
    );
    let flat = derive(
        (
            "coordinates theta[5];
             let base[0] = [0, 0];
             let base[i in 1..5] = tip[i - 1];
             let tip[i in 0..5] = base[i] + l[i]*[sin(theta[i]), -cos(theta[i])];
             let energy_of[i in 0..5] = m[i]*norm2(dot(tip[i]))/2;
             kinetic = sum(i in 0..5, energy_of[i]);
             potential = sum(i in 0..5, g[i]*m[i]*tip[i][1]);
             output tip = tip[4];
             output kinetic_of_last = energy_of[4];
             assume l[2] > l[3];",
            "struct Flat { m: [f64; 5], l: [f64; 5], g: [f64; 5] }",
        ),
        &[],
    );
    assert_eq!(counts(parts), counts(flat));
}

#[test]
fn a_motor_drives_a_pendulum_through_a_gear() {
    let parts = derive(
        (
            "part arm: Pendulum; part motor: Motor;
             let motor.angle = ratio*arm.theta;
             output heat = motor.r*motor.current^2/motor.two;",
            "struct Drive { arm: Pendulum, ratio: f64, motor: Motor }",
        ),
        &[PENDULUM, MOTOR],
    );
    let parameters = names(&parts.model.parameters);
    assert_eq!(
        parameters,
        ["arm.m", "arm.l", "arm.g", "ratio", "motor.r", "motor.k", "motor.inductance", "motor.inertia"]
    );
    assert_eq!(names(&parts.model.inputs), ["motor.voltage"]);
    assert_eq!(names(&parts.model.coordinates), ["arm.theta", "motor.current"]);
    let flat = derive(
        (
            "coordinates theta;
             let tip = l*[sin(theta), -cos(theta)];
             state current: dot(current) == (voltage - r*current - k*dot(angle))/inductance;
             let angle = ratio*theta;
             kinetic = m*norm2(dot(tip))/2 + inertia*dot(angle)^2/2;
             potential = g*m*tip[1];
             force angle = k*current;
             output heat = r*current^2/2;",
            "struct Flat { m: f64, l: f64, g: f64, ratio: f64, r: f64, k: f64, inductance: f64, inertia: f64, #[input] voltage: f64 }",
        ),
        &[],
    );
    assert_eq!(counts(parts), counts(flat));
}

#[test]
fn a_circuit_is_built_from_branches() {
    let parts = derive(
        (
            "coordinates charge, other;
             part r[2]: Resistor; part coil: Coil; part capacitor: Capacitor;
             let r[0].charge = charge;
             let r[1].charge = other;
             let coil.charge = charge + other;
             let capacitor.charge = charge;
             kinetic = spare*dot(charge)^2/2;
             force other = voltage;",
            "struct Circuit { r: [Resistor; 2], coil: Coil, capacitor: Capacitor, spare: f64, #[input] voltage: f64 }",
        ),
        &[RESISTOR, COIL, CAPACITOR],
    );
    assert_eq!(names(&parts.model.parameters), ["r[0].r", "r[1].r", "coil.l", "capacitor.c", "spare"]);
    let flat = derive(
        (
            "coordinates charge, other;
             kinetic = l*(dot(charge) + dot(other))^2/2 + spare*dot(charge)^2/2;
             potential = charge^2/(2*c);
             dissipation = r[0]*dot(charge)^2/2 + r[1]*dot(other)^2/2;
             force other = voltage;",
            "struct Flat { r: [f64; 2], l: f64, c: f64, spare: f64, #[input] voltage: f64 }",
        ),
        &[],
    );
    assert_eq!(counts(parts), counts(flat));
}

#[test]
fn the_whole_states_l_where_a_part_states_t_and_v() {
    let texts = |derivation: &Derivation| {
        let names = derivation.model.naming();
        let text = |id: &lagrange_symbolic::graph::Id| text(&derivation.model.graph, *id, &names).replace("arm.", "");
        derivation.equations.forcing.iter().map(text).collect::<Vec<_>>()
    };
    let parts = derive(
        (
            "coordinates x; part arm: Pendulum; lagrangian = n*dot(x)^2/2 + n*dot(x)*arm.tip[0] - arm.kinetic/2;
             verify mass[arm.theta, arm.theta] == arm.m*arm.l^2/2;",
            "struct Cart { n: f64, arm: Pendulum }",
        ),
        &[PENDULUM],
    );
    let flat = derive(
        (
            "coordinates x, theta; let tip = l*[sin(theta), -cos(theta)];
             lagrangian = n*dot(x)^2/2 + n*dot(x)*tip[0] + m*norm2(dot(tip))/4 - g*m*tip[1];",
            "struct Flat { n: f64, m: f64, l: f64, g: f64 }",
        ),
        &[],
    );
    assert_eq!(texts(&parts), texts(&flat));
}

#[test]
fn claims_of_the_whole_name_coordinates_of_parts() {
    let claims = "let link[0].base = [0, 0];
        let link[1].base = link[0].tip;
        verify mass[link[0].theta, link[0].theta] == (link[0].m + link[1].m)*link[0].l^2;
        verify forcing[link[1].theta] == link[0].l*link[1].m*link[1].l*dot(link[0].theta)^2*sin(link[0].theta - link[1].theta)
            - link[1].m*link[1].g*link[1].l*sin(link[1].theta);
        invariant sum_of_energies = link[0].kinetic + link[0].potential + link[1].kinetic + link[1].potential;";
    let whole = derive((&format!("part link[2]: Link; {claims}"), "struct Arm { link: [Link; 2] }"), &[LINK]);
    assert!(whole.invariants.iter().any(|(name, _)| name == "sum_of_energies"));
}

/// Arms of links that stand on a sled each: parts of parts in an array.
#[test]
fn parts_of_parts_have_all_statements() {
    let arm = (
        "coordinates x;
         part link[2]: Link;
         let link[0].base = [x, height];
         let link[1].base = link[0].tip;
         const few = 3;
         kinetic = sled*dot(x)^2/few;
         friction rail: x = mu*sled;
         contact floor: link[1].tip[1] >= 0, restitution = 1/few;
         mode warm = when x > few { 1 };
         assume sled > mu;
         part;",
        "struct Arm { sled: f64, height: f64, mu: f64, link: [Link; 2] }",
    );
    let arms = (
        "part arm[3]: Arm;
         constraint rod[i in 1..3]: arm[i].x - arm[i - 1].x == 1;
         output far[i in 0..3] = arm[i].link[1].tip[0] + arm[i].few;
         output force_of_rod = multiplier(rod[1]);
         output force_of_floor = contact(arm[2].floor);
         force arm[2].link[1].tip = [1, 0];
         lagrangian = -dot(arm[0].x)^2/8;",
        "struct Arms { arm: [Arm; 3] }",
    );
    let nested = || source(arm, vec![source(LINK, Vec::new())]);
    let whole = of(&source(arms, vec![nested()]));
    let names_of_all = names(&whole.model.coordinates);
    assert_eq!(names_of_all[..5], ["arm[0].x", "arm[1].x", "arm[2].x", "arm[0].link[0].theta", "arm[0].link[1].theta"]);
    assert_eq!(names_of_all[9..], ["arm[0].warm", "arm[1].warm", "arm[2].warm"]);
    assert_eq!(names(&whole.model.parameters)[9..11], ["arm[0].link[0].m", "arm[0].link[1].m"]);
    let physics = &whole.model.physics;
    assert_eq!(
        physics.frictions.iter().map(|friction| &friction.name[..]).collect::<Vec<_>>(),
        ["arm[0].rail", "arm[1].rail", "arm[2].rail"]
    );
    assert_eq!(
        physics.contacts.iter().map(|contact| &contact.name[..]).collect::<Vec<_>>(),
        ["arm[0].floor", "arm[1].floor", "arm[2].floor"]
    );
    let texts: Vec<&str> = physics.assumptions.iter().map(|assumption| &assumption.text[..]).collect();
    assert_eq!(texts, ["arm[0].sled > arm[0].mu", "arm[1].sled > arm[1].mu", "arm[2].sled > arm[2].mu"]);
    assert_eq!(physics.forces[0].name, "arm[2].link[1].tip");
    // A part states T and V, and the whole L.
    assert!(physics.kinetic.is_none());
    let rows: Vec<&str> = physics.rows().map(|row| &row.name[..]).collect();
    assert_eq!(rows, ["rod[1]", "rod[2]"]);
}

#[test]
fn variables_of_a_part_have_no_meaning_in_the_whole() {
    let chain = (
        "part; coordinates x[2];
         let place[i in 0..2] = sum(k in 0..i + 1, x[k]);
         kinetic = sum(i in 0..2, m*dot(place[i])^2/2);
         potential = integral(s in 0..1, m*s*(place[0] + place[1])^2);
         output far[k in 0..2] = place[k] + integral(k in 0..1, k^2);",
        "struct Chain { m: f64 }",
    );
    let whole = |names: [&str; 3]| {
        let [k, i, s] = names;
        let block = format!(
            "part a[2]: Chain; part b: Chain; coordinates {k}, {i}; let {s} = {i} + {k};
             kinetic = dot({i})^2/2 + dot({k})^2/2; potential = {s}*b.x[0]*a[1].x[1];"
        );
        counts(derive((&block, "struct Both { a: [Chain; 2], b: Chain }"), &[chain, chain]))
    };
    assert_eq!(whole(["k", "i", "s"]), whole(["p", "q", "r"]));
}
