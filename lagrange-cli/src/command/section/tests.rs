//! The command on an oscillator in a plane, whose sections are ellipses.

use crate::catalog::{Catalog, Entry};
use crate::command::{Command, Failure};
use clap::Parser;
use lagrange_runtime::prelude::*;
use std::fs;
use std::path::PathBuf;

#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    potential = (x^2 + 2*y^2)/2;
    output radius = hypot(x, y);
}]
#[derive(Clone, Debug)]
struct Bowl;

static CATALOG: Catalog = Catalog::new(&[&Entry::free("bowl", || Bowl, || State::new(0.0, [1.0, 0.5], [0.0, 0.0]))]);

#[derive(Debug, Parser)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

fn section(arguments: &[&str]) -> Result<(), Failure> {
    let all = [&["program", "section", "bowl"], arguments].concat();
    let program = Program::try_parse_from(all).map_err(|error| Failure::Usage(error.to_string()))?;
    program.command.run::<Program>(&CATALOG)
}

fn directory(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("lagrange-section-{}-{name}", std::process::id()));
    fs::create_dir_all(&directory).expect("the temporary directory is writable");
    directory
}

/// The columns t, x, y, x_dot and y_dot of the recorded states.
fn recorded(name: &str, arguments: &[&str]) -> Vec<[f64; 5]> {
    let directory = directory(name);
    let [csv, svg] = ["states.csv", "section.svg"].map(|file| directory.join(file).to_str().expect("text").to_owned());
    section(&[arguments, &["--csv", &csv, "--output", &svg]].concat()).expect("it works");
    let text = fs::read_to_string(&csv).expect("it is written");
    assert!(fs::read_to_string(&svg).expect("it is written").starts_with("<svg"));
    assert_eq!(fs::read_dir(&directory).expect("there").count(), 2, "no other file");
    fs::remove_dir_all(directory).expect("ours");
    assert_eq!(text.lines().next(), Some("t,x,y,x_dot,y_dot,kinetic,potential,energy,radius"));
    let row = |line: &str| {
        let numbers: Vec<f64> = line.split(',').map(|cell| cell.parse().expect("a number")).collect();
        [0, 1, 2, 3, 4].map(|column| numbers[column])
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn states_lie_on_the_section_and_on_an_ellipse() {
    // x = cos t falls through 0 at π/2, 5π/2, …
    let states = recorded("falling", &["--t-end", "60", "--at", "x=0:falling"]);
    assert_eq!(states.len(), 10);
    for (index, [t, x, y, x_dot, y_dot]) in states.iter().copied().enumerate() {
        let exact = std::f64::consts::PI * (0.5 + 2.0 * index as f64);
        assert!((t - exact).abs() < 1e-7 && x.abs() < 1e-7, "{t} {x}");
        assert!((x_dot + 1.0).abs() < 1e-7 && (y_dot * y_dot / 2.0 + y * y - 0.25).abs() < 1e-7, "{x_dot} {y} {y_dot}");
    }
    assert_eq!(recorded("both", &["--t-end", "60", "--at", "x=0:both"]).len(), 19);
    assert_eq!(recorded("late", &["--t-end", "60", "--at", "x=0:falling", "--after", "30"]).len(), 5);
}

#[test]
fn a_stroboscope_takes_multiples_of_a_time() {
    let states = recorded("strobe", &["--t-end", "10", "--every", "2.5", "--x", "radius", "--y", "dot(y)"]);
    assert_eq!(states.iter().map(|state| state[0]).collect::<Vec<_>>(), [0.0, 2.5, 5.0, 7.5, 10.0]);
}

#[test]
fn mistakes_are_named() {
    let directory = directory("mistakes");
    let file = directory.join("a.svg").to_str().expect("text").to_owned();
    let usage = |arguments: &[&str]| match section(&[&["--t-end", "10", "--output", &file], arguments].concat()) {
        Err(Failure::Usage(text)) => text,
        other => panic!("{arguments:?}: {other:?}"),
    };
    for (arguments, told) in [
        (&["--at", "z=0"][..], "no coordinate, velocity or output `z`"),
        (&["--at", "x=0:up"], "`up` is no direction"),
        (&["--at", "x=0", "--every", "1"], "cannot be used with"),
        (&["--every", "0"], "it must be positive"),
        (&[], "--at <NAME=VALUE>"),
        (&["--at", "x=0", "--after", "10"], "--after 10 is not before the end"),
        (&["--at", "x=0", "--x", "velocity"], "no quantity `velocity`"),
        (&["--at", "x=0", "--csv", &file], "have the same file"),
    ] {
        let message = usage(arguments);
        assert!(message.contains(told), "{arguments:?}: {message}");
    }
    let nothing = section(&["--t-end", "1", "--output", &file, "--at", "x=5"]);
    assert!(matches!(&nothing, Err(Failure::Work(text)) if text.contains("no state was recorded")), "{nothing:?}");
    section(&["--t-end", "10", "--output", &file, "--at", "x=0"]).expect("it works");
    assert!(usage(&["--at", "x=0"]).contains("exists; add --force to replace it"));
    section(&["--t-end", "10", "--output", &file, "--at", "x=0", "--force"]).expect("it is replaced");
    fs::remove_dir_all(directory).expect("ours");
}
