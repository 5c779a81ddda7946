//! The commands on a catalogue of small mechanisms.

mod analysis;
mod curves;
mod feedback;
mod forces;
mod instants;
mod scales;
mod start;
mod states;
mod stiff;
mod units;

use super::super::{Command, Failure};
use crate::catalog::{Catalog, Entry, Feedback, MethodChoice, MethodName, States, Units};
use clap::{CommandFactory, Parser};
use lagrange_runtime::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint rod: norm([x, y]) == l;
}]
#[derive(Clone, Debug)]
struct Pendulum {
    m: f64,
    g: f64,
    l: f64,
}

#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = -k*x^4/4;
}]
#[derive(Clone, Debug)]
struct Runaway {
    k: f64,
}

static CATALOG: Catalog = Catalog::new(&[
    &Entry::constrained(
        "pendulum",
        || Pendulum { m: 1.0, g: 10.0, l: 1.0 },
        || State::new(0.0, [1.0, 0.0], [0.0, 0.0]),
    ),
    &Entry::free("runaway", || Runaway { k: 1.0 }, || State::new(0.0, [1.0], [0.0])).with_units(Units::SI),
]);

#[derive(Debug, Parser)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

/// `simulate` with these arguments; a mistake in the syntax counts as a wrong usage.
fn simulate(arguments: &[&str]) -> Result<(), Failure> {
    let all = [&["program", "simulate"], arguments].concat();
    let program = Program::try_parse_from(all).map_err(|error| Failure::Usage(error.to_string()))?;
    program.command.run::<Program>(&CATALOG)
}

fn usage(arguments: &[&str]) -> String {
    match simulate(arguments) {
        Err(Failure::Usage(text)) => text,
        other => panic!("{arguments:?}: {other:?}"),
    }
}

/// A directory of the test's own, empty, and a file's name in it.
fn place(name: &str) -> (PathBuf, String) {
    let directory = std::env::temp_dir().join(format!("lagrange-simulate-{}-{name}", std::process::id()));
    fs::create_dir_all(&directory).expect("the temporary directory is writable");
    let file = directory.join("motion.csv").to_str().expect("text").to_owned();
    (directory, file)
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("the directory is there");
    entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn every_value_may_begin_with_a_minus_and_is_then_judged_by_its_meaning() {
    let program = Program::command();
    let command = program.find_subcommand("simulate").expect("it is there");
    let numeric = |argument: &&clap::Arg| {
        let name = argument.get_value_names().and_then(|names| names.first().cloned()).unwrap_or_default();
        ["TIME", "NUMBER", "COUNT", "NAME=VALUE"].contains(&name.as_str())
    };
    let options: Vec<&str> = command.get_arguments().filter(numeric).filter_map(clap::Arg::get_long).collect();
    assert_eq!(options.len(), 11, "{options:?}");
    for option in options {
        let name = format!("--{option}");
        let message = match option {
            "t-end" => {
                simulate(&["runaway", "--t-end", "-1e-3"]).expect("backward");
                continue;
            }
            _ => usage(&["runaway", "--t-end", "1", &name, "-1e-3"]),
        };
        assert!(message.contains("invalid value '-1e-3' for") && message.contains(&name), "{option}: {message}");
    }
    let message = usage(&["runaway", "--t-end", "1", "--step", "-1e-3"]);
    assert!(message.contains("`-1e-3` is -0.001; it must be positive"), "{message}");
}

#[test]
fn a_name_under_the_wrong_option_is_told_where_it_belongs() {
    for (option, value, told) in [
        ("--set", "x=1", "`x` is a coordinate or a velocity, which --set does not change; --initial x=VALUE"),
        ("--set", "dot(x)=1", "--initial dot(x)=VALUE sets where it starts, or the table [initial]"),
        ("--initial", "k=1", "`k` is a parameter or an input and has no initial value; --set k=VALUE changes it"),
    ] {
        let message = usage(&["runaway", "--t-end", "0.1", option, value]);
        assert!(message.contains(told), "{message}");
    }
}

#[test]
fn tolerances_that_no_step_can_meet_are_told_with_what_is_allowed() {
    for (arguments, told) in [
        (
            &["--rtol", "0"][..],
            "--atol, which must then be given and be above 0; otherwise --rtol must be at least 2.2e-16",
        ),
        (&["--method", "rkf45", "--rtol", "0", "--atol", "0"], "which must then be given and be above 0"),
        (&["--rtol", "1e-20"], "--rtol 1e-20 is below the rounding of the numbers; it must be at least 2.2e-16, or 0"),
    ] {
        let message = usage(&[&["runaway", "--t-end", "0.1"][..], arguments].concat());
        assert!(message.contains(told), "{message}");
    }
    simulate(&["runaway", "--t-end", "0.1", "--rtol", "0", "--atol", "1e-9"]).expect("an absolute tolerance is enough");
}

/// The option is known without its feature, and says how the program is built with it.
#[test]
#[cfg(not(feature = "parquet"))]
fn parquet_says_how_it_is_built() {
    for command in
        [&["simulate", "pendulum", "--t-end", "1"][..], &["sweep", "pendulum", "--t-end", "1", "--vary", "m=1..2:2"]]
    {
        let all = [&["program"], command, &["--parquet", "motion.parquet"]].concat();
        let text = Program::try_parse_from(all).expect_err("it is built without").to_string();
        assert!(text.contains("or build it with `--features lagrange-cli/parquet`"), "{text}");
    }
}

#[test]
fn a_step_longer_than_the_motion_is_warned_of() {
    let long = end("runaway", &["5"]);
    assert_eq!(long.statistics.steps, 1);
    let told = "the step of 5 s is longer than the motion, which was made in one step of 1 s";
    assert!(long.warnings.iter().any(|warning| warning.contains(told)), "{:?}", long.warnings);
    assert!(!end("runaway", &["1e-3"]).warnings.iter().any(|warning| warning.contains("longer than the motion")));
}

#[test]
fn a_name_with_two_values_is_refused() {
    for (arguments, told) in [
        (["--set", "k=1", "--set", "k=2"], "`k` is given twice, as 1 and as 2"),
        (["--initial", "x=1", "--initial", "x=3"], "`x` is given twice, as 1 and as 3"),
        (["--initial", "x_dot=1", "--initial", "dot(x)=1"], "`dot(x)` is given twice, as 1 and as 1"),
    ] {
        let message = usage(&[&["runaway", "--t-end", "0.1"][..], &arguments].concat());
        assert_eq!(message, told);
    }
}

#[test]
fn nothing_is_created_for_a_run_that_does_not_work() {
    let (directory, file) = place("created");
    for arguments in [
        &["runaway", "--t-end", "1", "--set", "none=1"][..],
        &["runaway", "--t-end", "1", "--initial", "y=1"],
        &["runaway", "--t-end", "1", "--points", "1"],
        &["runaway", "--t-end", "1", "--method", "rkf45", "--rtol", "0", "--atol", "0"],
        &["runaway", "--t-end", "1", "--step", "1e-320"],
        &["runaway", "--t-end", "1", "--initial", "x=1e200"],
        &["runaway", "--t-end", "1", "--max-steps", "0"],
        &["pendulum", "--t-end", "1", "--method", "stormer-verlet"],
        &["pendulum", "--t-end", "1", "--initial", "x=2"],
    ] {
        let failed = simulate(&[arguments, &["--csv", &file]].concat());
        assert!(failed.is_err(), "{arguments:?}");
        assert!(names(&directory).is_empty(), "{arguments:?}: {:?}", names(&directory));
    }
    fs::remove_dir_all(directory).expect("ours");
}

#[test]
fn a_file_that_exists_is_refused_before_the_run_and_replaced_when_asked() {
    let (directory, file) = place("exists");
    fs::write(&file, "old").expect("writable");
    // A run that would not end.
    let message = usage(&["pendulum", "--t-end", "1e300", "--csv", &file]);
    assert!(message.contains("motion.csv` exists; add --force"), "{message}");
    assert_eq!(fs::read(&file).expect("there"), b"old");
    simulate(&["pendulum", "--t-end", "0.01", "--step", "1e-3", "--csv", &file, "--force"]).expect("asked for");
    assert_eq!(fs::read_to_string(&file).expect("there").lines().count(), 12);
    assert_eq!(names(&directory), ["motion.csv"]);
    fs::remove_dir_all(directory).expect("ours");
}

#[test]
fn a_run_that_fails_leaves_its_rows_under_a_name_that_says_so() {
    let (directory, file) = place("fails");
    // x reaches infinity before t = 2.
    let failed =
        simulate(&["runaway", "--t-end", "5", "--step", "1e-3", "--csv", &file]).expect_err("it grows without bound");
    let Failure::Work(message) = failed else { panic!("{failed:?}") };
    assert!(message.contains("the complete rows until then are in `") && message.contains(".partial`"), "{message}");
    assert_eq!(names(&directory), ["motion.csv.partial"]);
    let text = fs::read_to_string(format!("{file}.partial")).expect("there");
    assert!(text.ends_with('\n') && text.lines().count() > 1000);
    assert!(text.lines().all(|line| line.split(',').count() == 6));

    // The rows of a former run are not lost to the next one either.
    assert!(usage(&["runaway", "--t-end", "0.01", "--csv", &file]).contains(".partial` exists"));
    simulate(&["runaway", "--t-end", "0.01", "--csv", &file, "--force"]).expect("asked for");
    let mut found = names(&directory);
    found.sort();
    assert_eq!(found, ["motion.csv", "motion.csv.partial"]);
    assert_eq!(fs::read_to_string(format!("{file}.partial")).expect("there"), text);
    fs::remove_dir_all(directory).expect("ours");
}

/// Names the file for a simulation in a process of its own.
#[cfg(unix)]
const CHILD: &str = "LAGRANGE_TEST_CSV";

/// In the child process: the simulation, then the end with the failure's exit code. In the test itself nothing.
#[cfg(unix)]
fn as_child(arguments: &[&str]) {
    let Ok(file) = std::env::var(CHILD) else { return };
    let failure = simulate(&[arguments, &["--csv", &file]].concat()).expect_err("it is cut short");
    eprintln!("{failure:?}");
    std::process::exit(match failure {
        Failure::Usage(_) => 2,
        Failure::Work(_) => 1,
        Failure::Interrupted(_) => 130,
    });
}

/// The child of a test, run by a shell after `setting`.
#[cfg(unix)]
fn child(test: &str, setting: &str, file: &str) -> std::process::Child {
    let program = std::env::current_exe().expect("the test has a file");
    std::process::Command::new("sh")
        .args(["-c", &format!("{setting} exec \"$0\" \"$@\"")])
        .arg(program)
        .args(["--exact", &format!("command::simulate::tests::{test}"), "--nocapture"])
        .env(CHILD, file)
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("there is a shell")
}

/// Sends Ctrl-C once the file has so many bytes; the exit code and the message.
#[cfg(unix)]
fn interrupted(child: std::process::Child, partial: &Path, bytes: u64) -> (Option<i32>, String) {
    let start = std::time::Instant::now();
    while fs::metadata(partial).map_or(0, |metadata| metadata.len()) < bytes {
        assert!(start.elapsed().as_secs() < 120, "no row was written");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("there is a `kill`").success());
    let output = child.wait_with_output().expect("it ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Whether every row of a file is whole; how many rows there are.
#[cfg(unix)]
fn whole_rows(partial: &str) -> usize {
    let text = fs::read_to_string(partial).expect("there");
    assert!(text.ends_with('\n') && text.lines().all(|line| line.split(',').count() == 6));
    text.lines().count()
}

#[test]
#[cfg(unix)]
fn ctrl_c_leaves_complete_rows_under_a_name_that_says_so() {
    as_child(&["runaway", "--set", "k=-1", "--t-end", "1e6", "--step", "1e-3", "--points", "1000000"]);
    let (directory, file) = place("interrupt");
    let partial = format!("{file}.partial");
    let child = child("ctrl_c_leaves_complete_rows_under_a_name_that_says_so", "", &file);
    let (code, message) = interrupted(child, Path::new(&partial), 1000);
    assert_eq!(code, Some(130), "{message}");
    assert!(message.contains("broken off at t = ") && message.contains(".partial`"), "{message}");
    assert_eq!(names(&directory), ["motion.csv.partial"]);
    assert!(whole_rows(&partial) > 2);
    fs::remove_dir_all(directory).expect("ours");
}

#[test]
#[cfg(unix)]
fn ctrl_c_is_heard_between_rows_and_leaves_no_file_without_motion() {
    as_child(&["runaway", "--set", "k=-1", "--t-end", "1e9", "--step", "1e-3", "--points", "2"]);
    let (directory, file) = place("between");
    let child = child("ctrl_c_is_heard_between_rows_and_leaves_no_file_without_motion", "", &file);
    let (code, message) = interrupted(child, &PathBuf::from(format!("{file}.partial")), 1);
    assert_eq!(code, Some(130), "{message}");
    assert!(names(&directory).is_empty());
    fs::remove_dir_all(directory).expect("ours");
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_complete_rows_under_a_name_that_says_so() {
    as_child(&["runaway", "--set", "k=-1", "--t-end", "100", "--step", "1e-3"]);
    let (directory, file) = place("full");
    // A limit of the file's size fails as a full disk does: in the middle of a row.
    let test = "a_full_disk_leaves_complete_rows_under_a_name_that_says_so";
    let output = child(test, "trap '' XFSZ; ulimit -f 400;", &file).wait_with_output().expect("it ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("cannot write `") && message.contains(".partial`"), "{message}");
    assert_eq!(names(&directory), ["motion.csv.partial"]);
    assert!(whole_rows(&format!("{file}.partial")) > 100);
    fs::remove_dir_all(directory).expect("ours");
}

/// The summary of a run over 1 s.
fn end(name: &str, arguments: &[&str]) -> crate::catalog::Summary {
    let model = CATALOG.find(name).expect("it is there");
    let method = match arguments {
        [] => MethodChoice::automatic(),
        [step, ..] => MethodChoice::with_step(MethodName::Rk4, step.parse().expect("a number")),
    };
    let request = crate::catalog::Request {
        set: vec![("k".to_owned(), -1e6)],
        initial: Vec::new(),
        project: false,
        t_start: 0.0,
        t_end: 1.0,
        method,
        max_steps: None,
        until: Vec::new(),
        watched: Vec::new(),
        audit: true,
        states: States::EveryStep,
        exponent: None,
        feedback: Feedback::default(),
    };
    model.simulate(&request, &mut ()).expect("it stays finite")
}

/// x'' = −10⁶ x³ from x = 1: the fastest rate is about 1.7e3 1/s, so that RK4 at 1 ms is near the end of its stability.
#[test]
fn a_step_that_loses_the_energy_is_warned_of_and_the_chosen_method_keeps_it() {
    let coarse = end("runaway", &["1e-3"]);
    assert!(coarse.warnings.iter().any(|warning| warning.contains("balance of energy")), "{:?}", coarse.warnings);
    let chosen = end("runaway", &[]);
    assert!(chosen.warnings.is_empty(), "{:?}", chosen.warnings);
    let balance = chosen.balance.expect("asked for");
    assert!(balance.relative() < 1e-6, "{balance:?}");
}

/// A charge of some 10⁻⁹ C: the chosen absolute tolerance follows it, a stated one is warned of.
#[test]
fn absolute_tolerances_follow_the_size_of_the_motion() {
    let model = CATALOG.find("runaway").expect("it is there");
    let request = |method| crate::catalog::Request {
        set: vec![("k".to_owned(), -1e18)],
        initial: vec![("x".to_owned(), 1e-9)],
        project: false,
        t_start: 0.0,
        t_end: 20.0,
        method,
        max_steps: None,
        until: Vec::new(),
        watched: Vec::new(),
        audit: true,
        states: States::EveryStep,
        exponent: None,
        feedback: Feedback::default(),
    };
    // For x = ε y the equation is y'' = −y³, whose energy at y = 1 is 1/4.
    let chosen = model.simulate(&request(MethodChoice::automatic()), &mut ()).expect("smooth");
    let [y, rate] = [chosen.q[0] * 1e9, chosen.v[0] * 1e9];
    assert!((rate * rate / 2.0 + y.powi(4) / 4.0 - 0.25).abs() < 1e-6, "{chosen:?}");
    let stated = model.simulate(&request(MethodChoice::with_tolerance(MethodName::Dop853, 1e-9)), &mut ());
    let warnings = stated.expect("smooth").warnings;
    assert!(warnings.iter().any(|warning| warning.contains("absolute tolerance")), "{warnings:?}");
}

/// `analyse`, `compare` and `report` as a program calls them.
fn run(arguments: &[&str]) -> Result<(), Failure> {
    let all = [&["program"], arguments].concat();
    Program::try_parse_from(all).map_err(|error| Failure::Usage(error.to_string()))?.command.run::<Program>(&CATALOG)
}

#[test]
fn a_page_is_written_whole_and_not_over_another() {
    let (directory, _) = place("page");
    let page = directory.join("pendulum.html");
    let file = page.to_str().expect("text");
    run(&["report", "pendulum", "--t-end", "1", "--output", file]).expect("it works");
    let text = fs::read_to_string(&page).expect("there");
    assert!(text.contains("norm([x, y]) == l") && text.ends_with("</html>"), "{}", text.len());
    assert!(matches!(run(&["report", "pendulum", "--t-end", "1", "--output", file]), Err(Failure::Usage(_))));
    run(&["analyse", "pendulum", "--json"]).expect("it hangs down");
    let drawing = directory.join("tension.svg");
    let file = drawing.to_str().expect("text");
    run(&["plot", "pendulum", "--t-end", "1", "--y", "multiplier(rod)", "--output", file]).expect("it works");
    let text = fs::read_to_string(&drawing).expect("there");
    assert!(text.starts_with("<svg xmlns") && text.contains("multiplier(rod)") && text.contains("<path class=\"c1\""));
    let unknown = run(&["plot", "pendulum", "--t-end", "1", "--y", "multiplier(rode)"]);
    assert!(
        matches!(&unknown, Err(Failure::Usage(text)) if text.contains("did you mean `multiplier(rod)`?")),
        "{unknown:?}"
    );
    run(&["compare", "pendulum", "--t-end", "0.5"]).expect("many methods");
    run(&["compare", "pendulum", "--t-end", "0.5", "--method", "stormer-verlet"]).expect_err("it takes no constraints");
    fs::remove_dir_all(directory).expect("ours");
}

#[test]
fn a_catalogue_of_own_mechanisms_takes_both_kinds() {
    let catalog = crate::catalog![
        Pendulum { m: 1.0, g: 10.0, l: 1.0 } at [1.0, 0.0], [0.0, 0.0];
        Runaway { k: 1.0 } at [1.0], [0.0];
    ];
    let names: Vec<&str> = catalog.models().iter().map(|model| model.name()).collect();
    assert_eq!(names, ["Pendulum", "Runaway"]);
    assert_eq!(catalog.find("pendulum").expect("case does not matter").constraints(), ["rod"]);
}

#[lagrangian {
    coordinates x, y;
    lagrangian = m*(dot(x)^2 + dot(y)^2)/2 + b*(x*dot(y) - y*dot(x))/2 - m*(x^2 + y^2)/2;
}]
#[derive(Clone, Debug)]
struct Charge {
    m: f64,
    b: f64,
}

/// A body on a spring in a plane, of which one coordinate stays 0 but for rounding.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    potential = ((x - a)^2 + (y + 0.8 - 0.8)^2)/2 + (x^2*y^2);
}]
#[derive(Clone, Debug)]
struct Symmetric {
    a: f64,
}

fn motion(model: &dyn crate::catalog::Model, t_end: f64) -> crate::catalog::Summary {
    let request = crate::catalog::Request {
        set: Vec::new(),
        initial: Vec::new(),
        project: false,
        t_start: 0.0,
        t_end,
        method: MethodChoice::automatic(),
        max_steps: Some(10_000),
        until: Vec::new(),
        watched: Vec::new(),
        audit: true,
        states: States::EveryStep,
        exponent: None,
        feedback: Feedback::default(),
    };
    model.simulate(&request, &mut ()).expect("smooth")
}

/// Without a stated T the exchanged energy is measured by ½ vᵀM v; at rest within rounding nothing is missing.
#[test]
fn a_motion_that_keeps_its_energy_has_no_warning() {
    let catalog = crate::catalog![
        Charge { m: 1.0, b: 0.7 } at [1.0, 0.0], [0.0, 0.5];
        Pendulum { m: 1.0, g: 10.0, l: 3.0 } at [0.0, -3.0], [1e-7, 0.0];
        Symmetric { a: 0.3 } at [1.0, 0.0], [0.0, 0.0];
    ];
    for model in catalog.models() {
        let summary = motion(*model, 10.0);
        assert!(summary.warnings.is_empty(), "{}: {:?}", model.name(), summary.warnings);
        assert!(summary.balance.expect("asked for").relative() < 1e-4, "{}", model.name());
        assert!(summary.statistics.steps < 1000, "{}: {:?}", model.name(), summary.statistics);
    }
}

/// At the bottom y does not move and x swings with ω² = g/l.
#[test]
fn shapes_are_of_all_coordinates_by_name() {
    let catalog = crate::catalog![Pendulum { m: 1.0, g: 10.0, l: 0.4 } at [0.1, -0.387_298], [0.0, 0.0]];
    let model = catalog.find("pendulum").expect("it is there");
    let request = crate::catalog::Request {
        set: Vec::new(),
        initial: Vec::new(),
        project: true,
        t_start: 0.0,
        t_end: 0.0,
        method: MethodChoice::automatic(),
        max_steps: None,
        until: Vec::new(),
        watched: Vec::new(),
        audit: false,
        states: States::EveryStep,
        exponent: None,
        feedback: Feedback::default(),
    };
    let found = model.analyse(&request).expect("it hangs down");
    let [mode] = &found.modes[..] else { panic!("{found:?}") };
    assert!((mode.frequency * 2.0 * std::f64::consts::PI - 5.0).abs() < 1e-9, "{mode:?}");
    let [(x, along), (y, across)] = &mode.shape[..] else { panic!("{mode:?}") };
    assert!(x == "x" && y == "y" && (along - 1.0).abs() < 1e-12 && *across < 1e-9, "{mode:?}");
}
