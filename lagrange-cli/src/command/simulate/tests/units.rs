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
