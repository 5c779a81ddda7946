//! The commands write the units that a mechanism states beside its numbers. Where it states none, numbers stand alone.

use super::super::super::Failure;
use super::{Program, Runaway, motion};
use crate::catalog::{Catalog, Entry, Units};
use clap::Parser;
use lagrange_runtime::prelude::*;
use std::fs;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    dissipation = c*dot(x)^2/2;
}]
#[derive(Clone, Debug)]
struct Swing {
    m: f64,
    k: f64,
    c: f64,
}

const DAYS: Units = Units { time: "d", frequency: "1/d", rate: "1/d", energy: "M AU²/d²", power: "M AU²/d³" };

fn swing() -> Swing {
    Swing { m: 1.0, k: 4.0, c: 0.01 }
}

static CATALOG: Catalog = Catalog::new(&[
    &Entry::free("si", swing, || State::new(0.0, [1.0], [0.0])).with_units(Units::SI),
    &Entry::free("days", swing, || State::new(0.0, [1.0], [0.0])).with_units(DAYS),
    &Entry::free("plain", swing, || State::new(0.0, [1.0], [0.0])),
]);

/// The texts of all commands on this mechanism that write numbers with units.
fn written(name: &str) -> String {
    let model = CATALOG.find(name).expect("it is there");
    let summary = motion(model, 3.0);
    let directory = std::env::temp_dir().join(format!("lagrange-units-{name}-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("the temporary directory is writable");
    let mut texts = vec![super::super::describe(model, &summary), super::super::json(model, &summary)];
    for (file, arguments) in [
        ("report.html", &["report", name, "--t-end", "3", "--output"][..]),
        ("plot.svg", &["plot", name, "--t-end", "3", "--output"]),
        ("cut.html", &["report", name, "--t-end", "3", "--max-steps", "5", "--output"]),
        ("until.svg", &["sweep", name, "--t-end", "3", "--until", "x=0", "--vary", "m=1..20:3", "--plot"]),
        (
            "growth.svg",
            &["sweep", name, "--t-end", "3", "--lyapunov", "--vary", "m=1..2:3", "--show", "lyapunov", "--plot"],
        ),
        (
            "bands.svg",
            &["sweep", name, "--t-end", "3", "--sample", "m=uniform(1,2)", "--count", "9", "--every", "1", "--plot"],
        ),
    ] {
        let path = directory.join(file);
        let program = [&["program"], arguments, &[path.to_str().expect("text")]].concat();
        let program = Program::try_parse_from(program).expect("the syntax is right");
        match program.command.run::<Program>(&CATALOG) {
            Ok(()) | Err(Failure::Work(_)) => texts.push(fs::read_to_string(&path).expect("it is written")),
            other => panic!("{arguments:?}: {other:?}"),
        }
    }
    fs::remove_dir_all(directory).expect("ours");
    texts.concat()
}

#[test]
fn numbers_stand_beside_the_units_of_their_mechanism() {
    let (si, days, plain) = (written("si"), written("days"), written("plain"));
    for told in [
        " at t = 3 UNIT",
        "ENERGY since the start",
        "The motion ends before 3 UNIT: ",
        "<small>UNIT</small>",
        "<small>ENERGY</small>",
        ">energy or work, ENERGY</th>",
        ">frequency, FREQUENCY</th>",
        "\"Energies, ENERGY\"",
        "\"Powers, POWER\"",
        "\"Step size, UNIT\"",
        ">time (UNIT)<",
        ">time of x=0 (UNIT)<",
        "not until t = 3 UNIT",
        "largest Lyapunov exponent (RATE)",
        "\"time\": \"UNIT\"",
        "\"energy\": \"ENERGY\"",
    ] {
        for (text, units) in [(&si, Units::SI), (&days, DAYS)] {
            let Units { time, frequency, rate, energy, power } = units;
            let told = told.replace("UNIT", time).replace("ENERGY", energy).replace("POWER", power);
            let told = told.replace("FREQUENCY", frequency).replace("RATE", rate);
            assert!(text.contains(&told), "no `{told}`");
            assert!(!plain.contains(&told), "`{told}` where no unit is stated");
            assert!(units == Units::SI || !si.contains(&told), "`{told}` in SI units");
        }
    }
    for told in
        ["at t = 3\n", ">time<", ">time of x=0<", "not until t = 3<", "\"Energies\"", "\"Powers\"", "\"time\": null"]
    {
        assert!(plain.contains(told), "no `{told}`");
    }
    // What has a unit in SI units has one in days, too, and none where no unit is stated.
    for (unit, other) in
        [(" s\n", " d\n"), (" J\n", " M AU²/d²\n"), (", J<", ", M AU²/d²<"), (" s<", " d<"), ("time (s)", "time (d)")]
    {
        assert_eq!((days.matches(unit).count(), plain.matches(unit).count()), (0, 0), "`{unit}`");
        assert_eq!(si.matches(unit).count(), days.matches(other).count(), "`{unit}`");
    }
}

#[test]
fn a_catalogue_of_own_mechanisms_states_units_once() {
    let stated = crate::catalog![units = Units::SI; Runaway { k: 1.0 } at [1.0], [0.0]; Swing { m: 1.0, k: 1.0, c: 0.0 } at [1.0], [0.0];];
    assert!(stated.models().iter().all(|model| model.units() == Units::SI));
    let silent = crate::catalog![Runaway { k: 1.0 } at [1.0], [0.0]];
    assert!(silent.models().iter().all(|model| model.units() == Units::UNSTATED));
}

/// A pendulum that states its units, with a motor, a constraint and a state.
#[lagrangian {
    coordinates x: m, y: m, turn: rad in -2..2;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2 + inertia*dot(turn)^2/2;
    potential = m*g*y;
    force turn = drive;
    constraint rod: hypot(x, y) == l;
    state heat: J, dot(heat) == drive*dot(turn);
    output slope = atan2(x, -y);
    output speed: m/s = hypot(dot(x), dot(y));
}]
#[derive(Clone, Debug)]
struct Driven {
    /// Mass of the bob.
    #[unit(kg)]
    #[range(0.1..10)]
    m: f64,
    #[unit(m)]
    l: f64,
    #[unit(kg*m^2)]
    inertia: f64,
    g: f64,
    #[unit(N*m)]
    #[input]
    drive: f64,
}

fn driven() -> Driven {
    Driven { m: 1.0, l: 1.0, inertia: 2.0, g: 9.8, drive: 0.5 }
}

static STATED: Catalog =
    Catalog::new(&[&Entry::constrained("driven", driven, || State::new(0.0, [0.6, -0.8, 0.0, 0.0], [0.0; 4]))]);

/// Runs a command on the mechanism that states its units.
fn run(arguments: &[&str]) -> Result<(), Failure> {
    let program = [&["program"], arguments].concat();
    Program::try_parse_from(program).expect("the syntax is right").command.run::<Program>(&STATED)
}

#[test]
fn what_a_run_writes_has_the_units_of_its_quantities() {
    let directory = std::env::temp_dir().join(format!("lagrange-heads-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("the temporary directory is writable");
    let path = |file: &str| directory.join(file).to_str().expect("text").to_owned();
    let read = |file: &str| fs::read_to_string(path(file)).expect("it is written");
    let simulate = ["simulate", "driven", "--t-end", "1", "--points", "21"];
    let plain = "t,x,y,turn,x_dot,y_dot,turn_dot,heat,kinetic,potential,energy,slope,speed,multiplier(rod)\n";
    let headed = "t [s],x [m],y [m],turn [rad],x_dot [m/s],y_dot [m/s],turn_dot [rad/s],heat [J],kinetic [J],potential [J],energy [J],\
                  slope [1],speed [m/s],multiplier(rod) [N]\n";
    run(&[&simulate[..], &["--csv", &path("plain.csv")]].concat()).expect("it runs");
    run(&[&simulate[..], &["--csv", &path("headed.csv"), "--units"]].concat()).expect("it runs");
    let (plain_text, headed_text) = (read("plain.csv"), read("headed.csv"));
    assert_eq!(plain_text.strip_prefix(plain), headed_text.strip_prefix(headed), "the rows are the same");
    assert!(headed_text.starts_with(headed));
    let refused = run(&[&simulate[..], &["--units"]].concat()).expect_err("there is no CSV file");
    assert!(refused.text().contains("neither --csv nor --instants"), "{}", refused.text());
    // A recording is read with units and without, but with no other unit.
    let fit = |file: &str| {
        let (data, picture) = (path(file), path("fit.svg"));
        let arguments = ["fit", "driven", "--data", &data, "--vary", "drive", "--measured", "turn,turn_dot"];
        run(&[&arguments[..], &["--set", "drive=0.4", "--output", &picture, "--force", "--json"]].concat())
    };
    fit("plain.csv").expect("names alone");
    fit("headed.csv").expect("names with units");
    fs::write(path("other.csv"), headed_text.replace("turn [rad]", "turn [deg]")).expect("writable");
    let refused = fit("other.csv").expect_err("degrees are no radians");
    assert!(refused.text().contains("`turn` is in `deg`, and the mechanism's `turn` in `rad`"), "{}", refused.text());
    // Pictures and pages.
    let draw = |arguments: &[&str], file: &str| {
        run(&[arguments, &[&path(file)]].concat()).expect("it runs");
        read(file)
    };
    let plot = ["plot", "driven", "--t-end", "1"];
    let one = draw(&[&plot[..], &["--y", "x", "--y", "y", "--output"]].concat(), "one.svg");
    assert!(one.contains(">x, y (m)<") && one.contains(">time (s)<"));
    let several =
        draw(&[&plot[..], &["--x", "turn", "--y", "speed", "--y", "multiplier(rod)", "--output"]].concat(), "two.svg");
    assert!(several.contains(">speed (m/s), multiplier(rod) (N)<") && several.contains(">turn (rad)<"));
    let section = ["section", "driven", "--t-end", "1", "--every", "0.1", "--x", "x", "--units", "--csv"];
    let section = draw(&[&section[..], &[&path("section.csv"), "--output"]].concat(), "section.svg");
    assert!(
        section.contains(">x (m)<") && section.contains(">x_dot (m/s)<") && read("section.csv").starts_with(headed)
    );
    let sweep = ["sweep", "driven", "--t-end", "1", "--vary", "turn_dot=0..1:3", "--extremes", "x", "--units", "--csv"];
    let sweep = draw(&[&sweep[..], &[&path("sweep.csv"), "--show", "max(x)", "--plot"]].concat(), "sweep.svg");
    assert!(sweep.contains(">max(x) (m)<") && sweep.contains(">initial turn_dot (rad/s)<"));
    let heads = read("sweep.csv");
    assert!(
        heads.starts_with("index,initial(turn_dot) [rad/s],t [s],x [m],") && heads.contains(",min(x) [m],max(x) [m],")
    );
    let report = draw(&["report", "driven", "--t-end", "1", "--input", "drive=1", "--output"], "report.html");
    for told in [
        "\"title\":\"Coordinates\"",
        "\"name\":\"turn, rad\"",
        "\"name\":\"y_dot, m/s\"",
        "\"title\":\"States, J\"",
        "\"title\":\"Multipliers, N\"",
        "\"title\":\"Output speed, m/s\"",
        "\"title\":\"Output slope\"",
        "\"title\":\"Inputs, N m\"",
        "\"axes\":[\"turn (rad)\",\"turn_dot (rad/s)\"]",
    ] {
        assert!(report.contains(told), "no `{told}`");
    }
    let model = STATED.find("driven").expect("it is there");
    let summary = motion(model, 1.0);
    let text = super::super::describe(model, &summary);
    assert!(text.contains(" rad/s\n") && text.contains("x_dot = ") && text.contains(" J\n"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&super::super::json(model, &summary)).expect("JSON");
    assert_eq!(json["units"]["v"], serde_json::json!(["m/s", "m/s", "rad/s"]));
    assert_eq!(json["units"]["states"], serde_json::json!(["J"]));
    fs::remove_dir_all(directory).expect("ours");
}

#[test]
fn a_sweep_takes_nominal_ranges() {
    let model = STATED.find("driven").expect("it is there");
    assert_eq!(model.ranges(), [("m", [0.1, 10.0]), ("turn", [-2.0, 2.0])]);
    let path = std::env::temp_dir().join(format!("lagrange-nominal-{}.csv", std::process::id()));
    let csv = path.to_str().expect("text");
    let sweep = ["sweep", "driven", "--t-end", "0.1", "--csv", csv, "--force", "--vary"];
    run(&[&sweep[..], &["m:3:log", "--vary", "turn:2"]].concat()).expect("it runs");
    let rows = fs::read_to_string(&path).expect("it is written");
    let starts: Vec<String> =
        rows.lines().skip(1).map(|row| row.split(',').skip(1).take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(starts, ["0.1 -2", "0.1 2", "1 -2", "1 2", "10 -2", "10 2"]);
    let refused = run(&[&sweep[..], &["l:3"]].concat()).expect_err("it states no range");
    assert!(refused.text().contains("`l` states no nominal range (known: `m`, `turn`)"), "{}", refused.text());
    fs::remove_file(path).expect("ours");
}
