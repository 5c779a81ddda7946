//! The command on a catalogue of small mechanisms.

mod parts;

use crate::catalog::{Catalog, Entry, Feedback, MethodChoice, Request, States, Units};
use crate::command::{Command, Failure};
use clap::Parser;
use lagrange_runtime::prelude::*;
use lagrange_runtime::sampling::Random;
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

/// A body that flies away if it starts beyond x = 1, and otherwise swings.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*(x^2/2 - x^4/4);
    output double = 2*x;
}]
#[derive(Clone, Debug)]
struct Well {
    /// Mass, kg.
    m: f64,
    k: f64,
}

static CATALOG: Catalog = Catalog::new(&[
    &Entry::constrained(
        "pendulum",
        || Pendulum { m: 1.0, g: 10.0, l: 1.0 },
        || State::new(0.0, [1.0, 0.0], [0.0, 0.0]),
    ),
    &Entry::free("well", || Well { m: 1.0, k: 1.0 }, || State::new(0.0, [0.5], [0.0])).with_units(Units::SI),
]);

#[derive(Debug, Parser)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

/// `sweep` with these arguments; a mistake in the syntax counts as a wrong usage.
fn sweep(arguments: &[&str]) -> Result<(), Failure> {
    let all = [&["program", "sweep"], arguments].concat();
    let program = Program::try_parse_from(all).map_err(|error| Failure::Usage(error.to_string()))?;
    program.command.run::<Program>(&CATALOG)
}

fn usage(arguments: &[&str]) -> String {
    match sweep(arguments) {
        Err(Failure::Usage(text)) => text,
        other => panic!("{arguments:?}: {other:?}"),
    }
}

/// A file of the test's own, which is not there.
fn place(name: &str) -> (PathBuf, String) {
    let directory = std::env::temp_dir().join(format!("lagrange-sweep-{}-{name}", std::process::id()));
    fs::create_dir_all(&directory).expect("the temporary directory is writable");
    let file = directory.join("ends.csv").to_str().expect("text").to_owned();
    (directory, file)
}

/// The lines that a sweep with these arguments writes.
fn lines(name: &str, arguments: &[&str]) -> Vec<String> {
    let (directory, file) = place(name);
    sweep(&[arguments, &["--csv", &file]].concat()).expect("it works");
    let text = fs::read_to_string(&file).expect("it is written");
    assert_eq!(fs::read_dir(&directory).expect("there").count(), 1, "no other file");
    fs::remove_dir_all(directory).expect("ours");
    text.lines().map(str::to_owned).collect()
}

/// The cells of a line that has no quotation marks.
fn cells(line: &str) -> Vec<&str> {
    line.split(',').collect()
}

fn number(cell: &str) -> f64 {
    cell.parse().expect("a number")
}

#[test]
fn rows_are_those_of_single_simulations_to_the_bit_in_the_order_of_the_grid() {
    let arguments = ["well", "--t-end", "2", "--vary", "x=-0.8..0.8:3", "--vary", "k=0.5..1.5:2", "--set", "m=1.3"];
    let found = lines("grid", &arguments);
    assert_eq!(found[0], "index,initial(x),k,t,x,x_dot,double,energy,outcome,failure");
    assert_eq!(found.len(), 7);
    let points = [(-0.8, 0.5), (-0.8, 1.5), (0.0, 0.5), (0.0, 1.5), (0.8, 0.5), (0.8, 1.5)];
    for (index, (x, k)) in points.into_iter().enumerate() {
        let row = cells(&found[index + 1]);
        let values: Vec<f64> = row[..8].iter().map(|cell| number(cell)).collect();
        assert_eq!(values[..3], [index as f64, x, k]);
        // As `lagrange simulate`: with the balance, and with a state after each step.
        let request = Request {
            set: vec![("m".to_owned(), 1.3), ("k".to_owned(), k)],
            initial: vec![("x".to_owned(), x)],
            project: false,
            t_start: 0.0,
            t_end: 2.0,
            method: MethodChoice::automatic(),
            max_steps: None,
            until: Vec::new(),
            watched: Vec::new(),
            audit: true,
            states: States::EveryStep,
            exponent: None,
            feedback: Feedback::default(),
        };
        let mut output = |_: &crate::catalog::Sample<'_>| std::ops::ControlFlow::Continue(());
        let model = CATALOG.find("well").expect("there");
        let alone = model.simulate(&request, &mut output).expect("smooth");
        // An output that takes no states changes nothing.
        assert_eq!(model.simulate(&request, &mut ()).expect("smooth"), alone);
        assert_eq!(values[3..], [alone.t, alone.q[0], alone.v[0], alone.outputs[0], alone.energy[1]]);
        assert_eq!(row[8..], ["finished", ""]);
    }
}

#[test]
fn no_digit_depends_on_the_number_of_threads_and_random_values_on_nothing_but_index_and_seed() {
    let run = |threads: &str, seed: &str| {
        let name = format!("threads-{threads}-{seed}");
        let drawn = ["--sample", "x=uniform(-1.2,1.2)", "--sample", "m=normal(2,0.1)", "--count", "40", "--seed", seed];
        let run = ["well", "--t-end", "3", "--method", "rk4", "--step", "0.05", "--threads", threads];
        lines(&name, &[&run[..], &drawn].concat())
    };
    let one = run("1", "7");
    assert_eq!(one, run("2", "7"));
    assert_eq!(one, run("3", "7"));
    assert_ne!(one, run("1", "8"));
    for (index, line) in one[1..].iter().enumerate() {
        let mut random = Random::new(7, index as u64);
        let expected = [random.uniform(-1.2..1.2), 2.0 + 0.1 * random.normal()];
        let row = cells(line);
        assert_eq!([number(row[1]), number(row[2])], expected);
    }
    let both = ["well", "--t-end", "0.1", "--vary", "k=1..2:2", "--sample", "x=uniform(0,1)", "--count", "3"];
    let both = lines("both", &both);
    let grid: Vec<f64> = both[1..].iter().map(|line| number(cells(line)[1])).collect();
    assert_eq!(grid, [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
}

#[test]
fn a_crossing_in_either_direction_ends_a_motion() {
    let run = |name: &str, until: &[&str]| {
        let arguments = ["well", "--t-end", "5", "--vary", "x=-0.5..0.5:2", "--method", "dop853"];
        let found = lines(name, &[&arguments[..], until].concat());
        let row = |line: usize| {
            let row = cells(&found[line]);
            (number(row[2]), number(row[3]), row[7].to_owned())
        };
        [row(1), row(2)]
    };
    let [rising, falling] = run("zero", &["--until", "x=0"]);
    assert_eq!((rising.0, rising.2), (falling.0, "x=0".to_owned()), "the motions are mirrored");
    assert!(rising.0 > 1.0 && rising.1.abs() < 1e-12);
    // Of several conditions the first one that is crossed ends the motion.
    let [left, right] = run("several", &["--until", "x=0.2", "--until", "|double|=0.5"]);
    assert_eq!([&left.2[..], &right.2], ["|double|=0.5"; 2]);
    assert!((left.1 + 0.25).abs() < 1e-12 && (right.1 - 0.25).abs() < 1e-12);
    let [left, right] = run("one", &["--until", "x=0.2", "--until", "double=-0.9"]);
    assert_eq!([&left.2[..], &right.2], ["double=-0.9", "x=0.2"]);
}

#[test]
fn states_on_the_way_are_rows_before_the_end() {
    let run =
        ["well", "--t-end", "20", "--vary", "x=0.2..0.4:2", "--rtol", "1e-11", "--atol", "1e-11", "--method", "dop853"];
    let found = lines("section", &[&run[..], &["--section", "x=0", "--after", "6"]].concat());
    let rows: Vec<Vec<&str>> = found[1..].iter().map(|line| cells(line)).collect();
    for index in ["0", "1"] {
        let own: Vec<&Vec<&str>> = rows.iter().filter(|row| row[0] == index).collect();
        let (end, recorded) = own.split_last().expect("rows");
        assert_eq!([end[7], end[2]], ["finished", "20"]);
        // The period is a little above 2π, and x rises through 0 first after three quarters of it.
        assert_eq!(recorded.len(), 2);
        let times: Vec<f64> = recorded.iter().map(|row| number(row[2])).collect();
        assert!(times[0] > 11.0 && times[1] > 17.0 && (times[1] / times[0] - 11.0 / 7.0).abs() < 1e-9, "{times:?}");
        for row in recorded {
            assert!(row[7] == "recorded" && row[1] == end[1] && number(row[3]).abs() < 1e-9 && number(row[4]) > 0.1);
        }
    }
    let times = |name: &str, more: &[&str]| -> Vec<f64> {
        let found = lines(name, &[&run[..], more].concat());
        found[1..]
            .iter()
            .map(|line| cells(line))
            .filter(|row| row[0] == "1" && row[7] == "recorded")
            .map(|row| number(row[2]))
            .collect()
    };
    assert_eq!(times("falling", &["--section", "x=0:falling"]).len(), 3);
    assert_eq!(times("both", &["--section", "x=0:both"]).len(), 6);
    assert_eq!(times("every", &["--every", "2.5", "--after", "11"]), [11.0, 13.5, 16.0, 18.5]);
    // A state on the way has the digits of a motion that ends there.
    let every = lines("digits", &[&run[..], &["--every", "20"]].concat());
    let [recorded, end] = [2, 3].map(|line| cells(&every[line])[1..7].join(","));
    assert_eq!(recorded, end);
}

/// In the well a small deviation of the rest at x = 1, its edge, grows with √2.
#[test]
fn the_exponent_is_a_column_and_a_motion_without_one_has_nan() {
    let run = [
        "well",
        "--t-end",
        "9",
        "--after",
        "6",
        "--lyapunov",
        "--vary",
        "x=1..3:2",
        "--rtol",
        "1e-10",
        "--max-steps",
        "2000",
    ];
    let found = lines("exponent", &run);
    assert!(found[0].contains(",double,energy,lyapunov,outcome"), "{}", found[0]);
    let [rest, away] = [1, 2].map(|line| cells(&found[line]));
    assert!((number(rest[7]) - 2.0_f64.sqrt()).abs() < 1e-5, "{rest:?}");
    assert_eq!([away[7], away[8]], ["NaN", "failed"]);
    let (directory, _) = place("exponent-picture");
    let map = directory.join("map.svg").to_str().expect("text").to_owned();
    sweep(&[&run[..], &["--vary", "k=1..4:3", "--plot", &map, "--show", "lyapunov"]].concat()).expect("it works");
    let text = fs::read_to_string(&map).expect("there");
    assert!(text.contains("largest Lyapunov exponent (1/s)") && text.contains("failed"), "{text}");
    fs::remove_dir_all(directory).expect("ours");
}

/// The largest speed in the well is √(2 V(x₀)/m), at its middle; the mean is that of the exact motion. Adaptive steps are a fifth of a period.
#[test]
fn extremes_are_those_of_the_motion_and_not_of_its_steps() {
    let run = ["well", "--t-end", "20", "--vary", "x=0.3..0.9:3", "--vary", "m=0.5..2:2", "--rtol", "1e-9"];
    let asked = ["--extremes", "x", "--extremes", "dot(x)", "--extremes", "double", "--extremes", "energy"];
    let alone = lines("no-extremes", &run);
    for after in [0.0, 7.3] {
        let after_text = after.to_string();
        let after_option = ["--after", &after_text];
        let found = lines("extremes", &[&run[..], &asked, if after > 0.0 { &after_option } else { &[] }].concat());
        let expected = "energy,min(x),max(x),mean(x),min(dot(x)),max(dot(x)),mean(dot(x)),min(double),max(double),mean(double),min(energy)";
        assert!(found[0].contains(expected), "{}", found[0]);
        for (line, alone) in found.iter().zip(&alone).skip(1) {
            assert!(
                line.starts_with(alone.trim_end_matches("finished,")),
                "the end is the same to the bit: {line} {alone}"
            );
            let values: Vec<f64> = cells(line)[..20].iter().map(|cell| number(cell)).collect();
            let ([start, m], extremes) = ([values[1], values[2]], &values[8..]);
            let speed = (2.0 * (start * start / 2.0 - start.powi(4) / 4.0) / m).sqrt();
            let times: Vec<f64> = (0..=4000).map(|k| after + (20.0 - after) * f64::from(k) / 4000.0).collect();
            let options =
                Options { t_eval: Some(&times), rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
            let system = Well { m, k: 1.0 }.prepare::<f64>().expect("allowed");
            let exact =
                solve(&system, State::new(0.0, [start], [0.0]), 20.0, &Dop853::new(), &options).expect("smooth");
            let simpson = |k: usize| {
                if k == 0 || k == 4000 {
                    1.0
                } else if k % 2 == 1 {
                    4.0
                } else {
                    2.0
                }
            };
            let mean = exact.states().enumerate().map(|(k, state)| simpson(k) * state.q[0]).sum::<f64>() / 12000.0;
            let near = |value: f64, exact: f64, span: f64| (value - exact).abs() <= 1e-3 * span;
            assert!(near(extremes[0], -start, start) && near(extremes[1], start, start), "{line}");
            assert!(near(extremes[2], mean, start), "{line} {mean}");
            assert!(near(extremes[3], -speed, speed) && near(extremes[4], speed, speed), "{line} {speed}");
            let rise = exact.last().expect("not empty").q[0] - exact.state(0).expect("not empty").q[0];
            assert!(near(extremes[5], rise / (20.0 - after), speed), "{line}");
            assert!(
                [6, 7, 8].map(|k| extremes[k] - 2.0 * extremes[k - 6]).iter().all(|gap| gap.abs() < 1e-12),
                "{line}"
            );
            assert!(near(extremes[9], values[7], values[7]) && near(extremes[10], values[7], values[7]), "{line}");
        }
    }
}

/// A motion that ends at a condition, a motion that fails, and rows that are recorded on the way.
#[test]
fn extremes_end_with_the_motion() {
    let found =
        lines("until", &["well", "--t-end", "9", "--vary", "x=0.2..0.8:2", "--until", "x=0", "--extremes", "x"]);
    for line in &found[1..] {
        let row = cells(line);
        assert!(number(row[7]).abs() < 1e-9 && (number(row[8]) - number(row[1])).abs() < 1e-9, "{line}");
    }
    let found =
        lines("flight", &["well", "--t-end", "9", "--vary", "x=0.5..1.5:2", "--max-steps", "200", "--extremes", "x"]);
    let row = cells(&found[2]);
    assert!(row[7..11] == ["NaN", "NaN", "NaN", "failed"], "{row:?}");
    let found =
        lines("recorded", &["well", "--t-end", "2", "--every", "1", "--vary", "x=0.2..0.8:2", "--extremes", "x"]);
    assert_eq!(found.len(), 1 + 2 * 4, "{found:?}");
    let kept: Vec<bool> = found[1..].iter().map(|line| number(cells(line)[8]).is_finite()).collect();
    assert_eq!(kept, [false, false, false, true, false, false, false, true]);
    let (directory, _) = place("extremes-picture");
    let curve = directory.join("curve.svg").to_str().expect("text").to_owned();
    let run = ["well", "--t-end", "9", "--vary", "x=0.2..0.8:4", "--extremes", "dot(x)"];
    sweep(&[&run[..], &["--plot", &curve, "--show", "max(dot(x))"]].concat()).expect("it works");
    assert!(fs::read_to_string(&curve).expect("there").contains("max(dot(x))"));
    fs::remove_dir_all(directory).expect("ours");
}

#[test]
fn a_member_that_fails_is_a_row_with_its_message_and_the_others_go_on() {
    // x = 1.2 flies to infinity, and a mass of 0 or less is none.
    let steps = ["--method", "rk4", "--step", "0.01"];
    let run = [&["well", "--t-end", "20", "--vary", "m=0..1:2", "--vary", "x=0.8..1.2:2"][..], &steps].concat();
    let found = lines("failures", &run);
    assert_eq!(found.len(), 5);
    for line in &found[1..3] {
        assert!(line.contains(",NaN,NaN,NaN,NaN,NaN,failed,") && line.contains("`m` is 0"), "{line}");
    }
    assert!(found[3].ends_with(",finished,"), "{}", found[3]);
    let row = cells(&found[4]);
    // The last good state, and the message in quotation marks, because it has commas.
    assert!(row[8] == "failed" && number(row[3]) < 20.0 && number(row[4]) > 100.0, "{}", found[4]);
    assert!(row[9].starts_with('"') && found[4].ends_with('"') && found[4].contains(", at t = "), "{}", found[4]);
    let all = sweep(&[&["well", "--t-end", "20", "--vary", "x=1.2..1.5:2"][..], &steps].concat());
    assert!(matches!(&all, Err(Failure::Work(text)) if text.contains("all members failed")), "{all:?}");
}

#[test]
fn starts_are_brought_onto_the_constraints_as_in_a_simulation() {
    let run = ["pendulum", "--t-end", "0.01", "--method", "rk4", "--step", "0.01", "--vary"];
    let found = lines("placed", &[&run[..], &["x=0.6..2:2"]].concat());
    let row = cells(&found[1]);
    assert!(
        (number(row[3]).hypot(number(row[4])) - 1.0).abs() < 1e-12 && (number(row[3]) - 0.6).abs() < 1e-2,
        "{row:?}"
    );
    assert!(found[2].contains(",failed,") && found[2].contains("add --project"), "{}", found[2]);
    let projected = lines("projected", &[&run[..], &["x=0.6..2:2", "--project"]].concat());
    assert!(projected[2].ends_with(",finished,"), "{}", projected[2]);
}

#[test]
fn mistakes_are_named_before_anything_is_computed() {
    let endless = ["well", "--t-end", "1e300"];
    for (arguments, told) in [
        (&["--vary", "x_dt=1..2:3"][..], "no coordinate, velocity, parameter or input `x_dt`; did you mean `x_dot`?"),
        (&["--vary", "x=1..2:3", "--vary", "x=1..2:3"], "`x` varies and varies again; give it once"),
        (&["--vary", "dot(x)=1..2:3", "--vary", "x_dot=1..2:3"], "`x_dot` varies and varies again"),
        (&["--vary", "k=1..2:3", "--set", "k=1"], "`k` varies and is also given a value"),
        (&["--vary", "dot(x)=1..2:3", "--initial", "x_dot=1"], "`dot(x)` varies and is also given a value"),
        (&["--vary", "x=1..2:100000", "--vary", "k=1..2:100000"], "at most 1000000000 members; 100000 × 100000 are"),
        (&["--vary", "x=2..1:3"], "the range from 2 to 1 goes down"),
        (&["--vary", "x=1..2:0"], "COUNT must be at least 1"),
        (&["--sample", "x=uniform(1,2)"], "--count"),
        (&["--sample", "x=uniform(1,2)", "--count", "0"], "--count 0 asks for no member"),
        (&["--vary", "x=1..2:3", "--seed", "1"], "--sample"),
        (&[], "--vary"),
        (&["--vary", "x=1..2:3", "--set", "kk=1"], "no parameter `kk` (known: `m`, `k`)"),
        (&["--vary", "x=1..2:3", "--initial", "k=1"], "--set k=VALUE changes it"),
        (&["--vary", "x=1..2:3", "--until", "y=1"], "no coordinate, velocity or output `y`"),
        (&["--vary", "x=1..2:3", "--rtol", "0"], "--rtol 0 leaves the error"),
        (&["--vary", "x=1..2:3", "--force"], "--force replaces a file, and none is named"),
        (&["--vary", "x=1..2:3", "--json", "--csv", "-"], "both write to the standard output"),
        (&["--vary", "x=1..2:3", "--show", "x"], "--plot"),
        (
            &["--vary", "x=1..2:3", "--plot", "a.svg", "--show", "doubel"],
            "no quantity `doubel`; did you mean `double`?",
        ),
        (&["--vary", "x=1..2:1", "--plot", "a.svg"], "`initial(x)` has one"),
        (&["--sample", "x=uniform(1,2)", "--count", "2", "--plot", "a.svg"], "with --every over the time"),
        (
            &["--vary", "x=1..2:3", "--vary", "k=1..2:3", "--section", "x=0", "--plot", "a.svg"],
            "dots over one quantity",
        ),
        (&["--vary", "x=1..2:3", "--section", "y=0"], "no coordinate, velocity or output `y`"),
        (&["--vary", "x=1..2:3", "--section", "x=0:up"], "`up` is no direction"),
        (&["--vary", "x=1..2:3", "--section", "x=0", "--every", "1"], "cannot be used with"),
        (&["--vary", "x=1..2:3", "--every", "1"], "makes more than 100000000 states"),
        (&["--vary", "x=1..2:3", "--every", "0"], "it must be positive"),
        (&["--vary", "x=1..2:3", "--after", "1"], "--after belongs to --section, --every, --extremes or --lyapunov"),
        (&["--vary", "x=1..2:3", "--lyapunov", "--after", "1e301"], "--after 1e301 is not before the end"),
        (&["--vary", "x=1..2:3", "--plot", "a.svg", "--show", "lyapunov"], "--lyapunov computes it"),
        (&["--vary", "x=1..2:3", "--plot", "a.svg", "--show", "max(x)"], "--extremes NAME computes it"),
        (&["--vary", "x=1..2:3", "--extremes", "y"], "no quantity `y`"),
        (&["--vary", "x=1..2:3", "--extremes", "x", "--extremes", "x"], "--extremes x is given twice"),
        (&["--vary", "x=1..2:3", "--extremes", "x", "--section", "x=0"], "cannot be used with"),
        (&["--vary", "x=0..2:3:log"], "a logarithmic range begins above 0"),
        (&["--vary", "m=45deg..90deg:3"], "m: `45deg` is an angle, and `m` is in kg"),
        (&["--vary", "m=1..90°:3"], "m: `90°` is an angle, and `m` is in kg"),
        (&["--sample", "m=uniform(1, 90 deg)", "--count", "2"], "m: `90 deg` is an angle, and `m` is in kg"),
        (&["--sample", "m=normal(90deg,1)", "--count", "2"], "m: `90deg` is an angle, and `m` is in kg"),
        (&["--vary", "x=1..2:3", "--plot", "a.svg", "--csv", "a.svg"], "have the same file"),
        (&["--vary", "x=1..2:3", "--plot", "."], "it is a directory"),
    ] {
        let message = usage(&[&endless[..], arguments].concat());
        assert!(message.contains(told), "{arguments:?}: {message}");
    }
    let refused = sweep(&["pendulum", "--t-end", "1e300", "--vary", "m=1..2:3", "--method", "stormer-verlet"]);
    assert!(matches!(&refused, Err(Failure::Work(text)) if text.contains("needs a mechanism without")), "{refused:?}");
}

#[test]
fn a_picture_shows_a_curve_or_a_map() {
    let (directory, _) = place("picture");
    let picture = |name: &str| directory.join(name).to_str().expect("text").to_owned();
    let run = ["well", "--t-end", "3", "--step", "0.05", "--vary", "m=0.5..2:4", "--plot"];
    let curve = picture("curve.svg");
    sweep(&[&run[..], &[&curve, "--show", "double"]].concat()).expect("it works");
    let text = fs::read_to_string(&curve).expect("there");
    assert!(
        text.contains("m: Mass, kg") && text.contains("double at t = 3 s") && text.contains("class=\"c1\""),
        "{text}"
    );
    let energies = picture("energies.svg");
    sweep(&[&run[..], &[&energies, "--show", "energy"]].concat()).expect("it works");
    let text = fs::read_to_string(&energies).expect("there");
    assert!(text.contains("energy at t = 3 s (J)"), "{text}");
    let map = picture("map.svg");
    // Only the upper members reach x = 0 in 3 s. Those beyond x = 1 fly away.
    let two = [&map, "--vary", "x=0.4..1.2:3", "--until", "x=0"];
    sweep(&[&run[..], &two].concat()).expect("it works");
    let text = fs::read_to_string(&map).expect("there");
    for told in ["m: Mass, kg", "initial x", "time of x=0 (s)", "not until t = 3 s", "data:image/png;base64,"] {
        assert!(text.contains(told), "{told}");
    }
    assert!(matches!(sweep(&[&run[..], &[&map]].concat()), Err(Failure::Usage(text)) if text.contains("--force")));
    // Dots over a logarithmic axis.
    let dots = picture("dots.svg");
    sweep(&["well", "--t-end", "40", "--vary", "k=0.1..10:6:log", "--section", "x_dot=0", "--plot", &dots])
        .expect("it works");
    let text = fs::read_to_string(&dots).expect("there");
    assert!(text.contains("x at x_dot=0") && text.contains("states in a cell") && text.contains("image/png"), "{text}");
    let none =
        sweep(&["well", "--t-end", "1", "--vary", "k=1..2:3", "--section", "x=7", "--plot", &picture("none.svg")]);
    assert!(matches!(&none, Err(Failure::Work(text)) if text.contains("no state was recorded")), "{none:?}");
    // Bands over the time, and over a quantity.
    let drawn = ["well", "--t-end", "3", "--sample", "x=normal(0.5,0.1)", "--count", "30", "--plot"];
    for (name, more) in [("time.svg", ["--every", "0.5"]), ("k.svg", ["--vary", "k=0.5..1.5:4"])] {
        let path = picture(name);
        sweep(&[&drawn[..], &[&path], &more].concat()).expect("it works");
        let text = fs::read_to_string(&path).expect("there");
        let members = if name == "k.svg" { 120 } else { 30 };
        for told in
            ["nine tenths of the members", "half of them", &format!("median of {members} members"), "class=\"inner\""]
        {
            assert!(text.contains(told), "{name}: {told}");
        }
    }
    fs::remove_dir_all(directory).expect("ours");
}

/// Names the file for a sweep in a process of its own.
#[cfg(unix)]
const CHILD: &str = "LAGRANGE_TEST_SWEEP";

#[test]
#[cfg(unix)]
fn ctrl_c_leaves_the_complete_rows_of_the_first_members() {
    if let Ok(file) = std::env::var(CHILD) {
        // The last member rests for ever, and must hear it between its steps.
        let run =
            ["well", "--t-end", "1e9", "--step", "1e-2", "--until", "x=0", "--vary", "x=-0.5..0:6", "--csv", &file];
        let failure = sweep(&run).expect_err("it is cut short");
        eprintln!("{failure:?}");
        std::process::exit(if matches!(failure, Failure::Interrupted(_)) { 130 } else { 1 });
    }
    let (directory, file) = place("interrupt");
    let partial = format!("{file}.partial");
    let child = std::process::Command::new(std::env::current_exe().expect("the test has a file"))
        .args(["--exact", "command::sweep::tests::ctrl_c_leaves_the_complete_rows_of_the_first_members", "--nocapture"])
        .env(CHILD, &file)
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("it starts");
    let start = std::time::Instant::now();
    while !Path::new(&partial).exists() {
        assert!(start.elapsed().as_secs() < 120, "no row was written");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("there is a `kill`").success());
    let output = child.wait_with_output().expect("it ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("broken off after ") && message.contains(" of 6 members, as asked"), "{message}");
    assert!(message.contains(".partial`") && !Path::new(&file).exists(), "{message}");
    let text = fs::read_to_string(&partial).expect("there");
    let indices: Vec<f64> = text.lines().skip(1).map(|line| number(cells(line)[0])).collect();
    assert!(text.ends_with('\n') && !indices.is_empty() && indices.len() < 6, "{text}");
    assert!(indices.iter().zip(0..).all(|(found, index)| *found == f64::from(index)), "{indices:?}");
    fs::remove_dir_all(directory).expect("ours");
}
