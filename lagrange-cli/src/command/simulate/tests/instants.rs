//! What happens at instants on the command line: the file, the end as text, and the page.

use super::{Program, names, place};
use crate::catalog::{Catalog, Entry, Feedback, MethodChoice, Request, States, describe_counts};
use crate::command::Failure;
use clap::Parser;
use lagrange_runtime::prelude::*;
use std::fs;

/// From 5 m at g = 10 it lands at 1 s with the velocity −10. With e = 1/2 it leaves with 5, so that the impulse is 15 m; it lands
/// again at 2 s with −5, at 2.5 s with −2.5, at 2.75 s with −1.25, and so on until it rests at 3 s.
#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact floor: y >= 0, restitution = e;
}]
#[derive(Clone, Debug)]
struct Ball {
    m: f64,
    g: f64,
    e: f64,
}

/// A block that a spring pulls over rough ground: from x = 1.05 it turns at −0.85, 0.65, … and sticks.
#[lagrangian {
    coordinates x;
    kinetic   = dot(x)^2/2;
    potential = x^2/2;
    friction pad: x = mu;
}]
#[derive(Clone, Debug)]
struct Block {
    mu: f64,
}

static CATALOG: Catalog = Catalog::new(&[
    &Entry::free("ball", || Ball { m: 2.0, g: 10.0, e: 0.5 }, || State::new(0.0, [5.0], [0.0])),
    &Entry::free("block", || Block { mu: 0.1 }, || State::new(0.0, [1.05], [0.0])),
]);

fn run(arguments: &[&str]) -> Result<(), Failure> {
    let all = [&["program"], arguments].concat();
    let program = Program::try_parse_from(all).map_err(|error| Failure::Usage(error.to_string()))?;
    program.command.run::<Program>(&CATALOG)
}

/// A row: t, what, name, and the numbers that follow.
fn row(line: &str) -> (f64, String, String, Vec<f64>) {
    let mut cells = line.split(',');
    let mut next = || cells.next().expect("a cell").to_owned();
    let (t, what, name) = (next(), next(), next());
    let numbers = cells.map(|cell| cell.parse().expect("a number")).collect();
    (t.parse().expect("a number"), what, name, numbers)
}

/// Asserts that a line says this, with numbers within 1e-9.
fn check(line: &str, (t, what, name): (f64, &str, &str), numbers: &[f64]) {
    let found = row(line);
    assert_eq!((found.1.as_str(), found.2.as_str()), (what, name), "{line}");
    assert_eq!(found.3.len(), numbers.len(), "{line}");
    let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
    assert!(close(found.0, t) && found.3.iter().zip(numbers).all(|(a, b)| close(*a, *b)), "{line}");
}

#[test]
fn the_file_has_each_impact_with_its_impulse_and_both_states() {
    let (directory, file) = place("instants");
    run(&["simulate", "ball", "--t-end", "2.25", "--instants", &file]).expect("it bounces");
    let text = fs::read_to_string(&file).expect("it was written");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "t,what,name,impulse,before(y),before(y_dot),after(y),after(y_dot)");
    check(lines[1], (1.0, "impact", "floor"), &[30.0, 0.0, -10.0, 0.0, 5.0]);
    check(lines[2], (2.0, "impact", "floor"), &[15.0, 0.0, -5.0, 0.0, 2.5]);
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(names(&directory), ["motion.csv"]);
    fs::remove_dir_all(directory).expect("ours");
}

#[test]
fn the_rules_for_files_hold_for_both() {
    let (directory, file) = place("instants-rules");
    let states = format!("{file}.states");
    let usage = |arguments: &[&str]| match run(&[&["simulate", "ball", "--t-end", "0.5"][..], arguments].concat()) {
        Err(Failure::Usage(text)) => text,
        other => panic!("{arguments:?}: {other:?}"),
    };
    assert!(usage(&["--csv", "-", "--instants", "-"]).contains("names the standard output, and --csv - names it too"));
    assert!(usage(&["--json", "--instants", "-"]).contains("--json writes there too"));
    assert!(usage(&["--csv", &file, "--instants", &file]).contains("is named for the states and for --instants"));
    assert!(usage(&["--force", "--instants", "-"]).contains("none is named"));
    assert!(names(&directory).is_empty());

    // A motion in which nothing happens has a table without rows.
    run(&["simulate", "ball", "--t-end", "0.5", "--csv", &states, "--instants", &file]).expect("it falls");
    assert_eq!(fs::read_to_string(&file).expect("it was written").lines().count(), 1);
    assert!(usage(&["--instants", &file]).contains("exists; add --force"));
    run(&["simulate", "ball", "--t-end", "1.5", "--csv", &states, "--instants", &file, "--force"]).expect("asked for");
    assert_eq!(fs::read_to_string(&file).expect("it was written").lines().count(), 2);
    // The states have the velocity before and after the impact at one time.
    let text = fs::read_to_string(&states).expect("it was written");
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect())
        .collect();
    let pairs: Vec<_> = rows.windows(2).filter(|pair| pair[0][0] == pair[1][0]).collect();
    assert_eq!(pairs.len(), 1);
    assert!((pairs[0][0][2] + 10.0).abs() < 1e-9 && (pairs[0][1][2] - 5.0).abs() < 1e-9, "{pairs:?}");
    fs::remove_dir_all(directory).expect("ours");
}

#[test]
fn a_run_that_fails_keeps_the_rows_of_both_files() {
    let (directory, file) = place("instants-fails");
    let states = format!("{file}.states");
    let failed = run(&["simulate", "ball", "--t-end", "9", "--max-steps", "12", "--csv", &states, "--instants", &file]);
    let Err(Failure::Work(text)) = failed else { panic!("{failed:?}") };
    assert_eq!(text.matches("the complete rows until then are in").count(), 2, "{text}");
    let mut found = names(&directory);
    found.sort();
    assert_eq!(found, ["motion.csv.partial", "motion.csv.states.partial"]);
    fs::remove_dir_all(directory).expect("ours");
}

fn request(t_end: f64) -> Request {
    Request {
        set: Vec::new(),
        initial: Vec::new(),
        project: false,
        t_start: 0.0,
        t_end,
        method: MethodChoice::automatic(),
        max_steps: None,
        until: Vec::new(),
        watched: Vec::new(),
        audit: true,
        states: States::EveryStep,
        exponent: None,
        feedback: Feedback::default(),
    }
}

#[test]
fn the_end_counts_what_happened() {
    let model = CATALOG.find("ball").expect("it is there");
    let summary = model.simulate(&request(2.25), &mut ()).expect("it bounces");
    assert_eq!(describe_counts(&summary.instants), ["2 impacts at floor"]);
    let text = super::super::describe(model, &summary);
    assert!(text.contains("\n  2 impacts at floor\n"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&super::super::json(model, &summary)).expect("it is JSON");
    assert_eq!(json["instants"], serde_json::json!([{ "what": "impact", "name": "floor", "count": 2 }]));

    let block = CATALOG.find("block").expect("it is there");
    let summary = block.simulate(&request(20.0), &mut ()).expect("it sticks");
    // It slips backward from the start, turns at π, 2π, 3π and 4π, and sticks at 5π.
    let whats: Vec<_> = summary.instants.iter().map(|found| (found.what, found.count)).collect();
    assert_eq!(whats, [("slips", 2), ("slips backward", 2), ("sticks", 1)], "{:?}", summary.instants);
    assert_eq!(describe_counts(&summary.instants), ["5 changes of phase at pad"]);
}

#[test]
fn the_page_has_a_table_and_jumps_in_the_plots() {
    let (directory, _) = place("instants-page");
    let page = directory.join("ball.html");
    let file = page.to_str().expect("text");
    // The second impact is at the time of a state that is asked for.
    run(&["report", "ball", "--t-end", "2.25", "--output", file, "--points", "10"]).expect("it bounces");
    let text = fs::read_to_string(&page).expect("it was written");
    assert!(text.contains("<section id=\"instants\"") && text.contains("2 impacts at floor."));
    let row = "<th scope=\"row\" class=\"n\">1</th><td>impact</td><td>floor</td><td class=\"n\">30</td>\
               <td class=\"n\">−10 → 5</td></tr>";
    assert!(text.contains(row), "{text}");
    let (_, rest) = text.split_once("id=\"data\">").expect("the page has data");
    let data: serde_json::Value =
        serde_json::from_str(rest.split_once("</script>").expect("the data end").0).expect("the data are JSON");
    assert_eq!(data["instants"]["heads"][4], "before(y)");
    assert_eq!(data["instants"]["rows"].as_array().map(Vec::len), Some(2));
    let plot = &data["plots"][1];
    assert_eq!(plot["title"], "Velocities");
    let table = |place: &serde_json::Value, key: &str| -> Vec<f64> {
        let table = &data[key][place.as_u64().expect("an index") as usize];
        table.as_array().expect("a table").iter().map(|value| value.as_f64().expect("a number")).collect()
    };
    let (times, rates) = (table(&plot["time"], "times"), table(&plot["curves"][0]["values"], "series"));
    assert!(times.is_sorted(), "{times:?}");
    for (t, before, after) in [(1.0, -10.0, 5.0), (2.0, -5.0, 2.5)] {
        let at: Vec<f64> = times.iter().zip(&rates).filter(|(time, _)| **time == t).map(|(_, rate)| *rate).collect();
        assert!(at.len() >= 2 && at[0] == before && at.ends_with(&[after]), "{t}: {at:?}");
    }
    fs::remove_file(&page).expect("ours");
    run(&["report", "ball", "--t-end", "0.5", "--output", file]).expect("it falls");
    let text = fs::read_to_string(&page).expect("it was written");
    assert!(!text.contains("id=\"instants\""));
    fs::remove_dir_all(directory).expect("ours");
}
