//! The command on small mechanisms, with recordings from closed forms and from other methods.

use crate::catalog::{Catalog, Entry, Feedback};
use crate::command::{Command, Failure};
use clap::Parser;
use lagrange_runtime::prelude::*;
use lagrange_runtime::sampling::Random;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// A body on a spring and a damper, which a constant force pulls, and a sensor that follows it late.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    dissipation = c*dot(x)^2/2;
    force x = pull;
    state z: dot(z) == (x - z)/lag;
    output spring = k*x;
}]
#[derive(Clone, Debug)]
struct Oscillator {
    m: f64,
    k: f64,
    c: f64,
    lag: f64,
    #[input]
    pull: f64,
}

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint rod: norm([x - shift^2, y]) == l;
}]
#[derive(Clone, Debug)]
struct Pendulum {
    m: f64,
    g: f64,
    l: f64,
    shift: f64,
}

/// A ball whose force of contact is an output.
#[lagrangian {
    coordinates y;
    kinetic = m*dot(y)^2/2;
    potential = m*g*y;
    contact floor: y >= 0, restitution = e;
    output push = contact(floor);
}]
#[derive(Clone, Debug)]
struct Ball {
    m: f64,
    g: f64,
    e: f64,
}

static CATALOG: Catalog = Catalog::new(&[
    &Entry::free(
        "oscillator",
        || Oscillator { m: 1.0, k: 4.0, c: 0.4, lag: 0.5, pull: 0.0 },
        || State::new(0.0, [0.3, 0.0], [0.0, 0.0]),
    ),
    &Entry::constrained(
        "pendulum",
        || Pendulum { m: 1.0, g: 10.0, l: 1.0, shift: 0.0 },
        || State::new(0.0, [0.6, -0.8], [0.0, 0.0]),
    ),
    &Entry::free("ball", || Ball { m: 1.0, g: 10.0, e: 0.8 }, || State::new(0.0, [1.0], [0.0])),
]);

#[derive(Debug, Parser)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

fn run(arguments: &[&str]) -> Result<(), Failure> {
    let all = [&["program"], arguments].concat();
    let program = Program::try_parse_from(all).map_err(|error| Failure::Usage(error.to_string()))?;
    program.command.run::<Program>(&CATALOG)
}

/// The message of `fit` with the recording `text`.
fn refused(name: &str, text: &str, arguments: &[&str]) -> String {
    let directory = std::env::temp_dir().join(format!("lagrange-fit-{}-{name}", std::process::id()));
    fs::create_dir_all(&directory).expect("the temporary directory is writable");
    let [data, picture] = ["data.csv", "fit.svg"].map(|file| path(&directory, file));
    fs::write(&data, text).expect("the directory is there");
    let result = run(&[&["fit"], arguments, &["--data", &data, "--output", &picture]].concat());
    assert!(!PathBuf::from(picture).exists(), "nothing is drawn");
    fs::remove_dir_all(directory).expect("ours");
    result.expect_err("it is wrong").text().to_owned()
}

fn path(directory: &std::path::Path, file: &str) -> String {
    directory.join(file).to_str().expect("the path is text").to_owned()
}

/// The fit through the catalogue, as the command makes it: each value with its error, and the deviation of each column.
fn fitted(
    model: &str,
    (vary, set): (&[&str], &[(&str, f64)]),
    times: &[f64],
    columns: &[(&str, Vec<f64>)],
) -> (Vec<[f64; 2]>, Vec<f64>) {
    use crate::catalog::{FitRequest, MeasuredColumn, MethodChoice, Request, States};
    let request = Request {
        set: set.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
        initial: Vec::new(),
        project: false,
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
    let column = |(name, values): &(&str, Vec<f64>)| MeasuredColumn {
        name: (*name).to_owned(),
        values: values.clone(),
        deviation: None,
    };
    let task = FitRequest {
        vary: vary.iter().map(|name| (*name).to_owned()).collect(),
        times: times.to_vec(),
        columns: columns.iter().map(column).collect(),
        rtol: 1e-9,
    };
    let found = CATALOG.find(model).expect("it is there").fit(&request, &task).expect("it converges");
    assert!(found.values.iter().all(|value| value.error > 0.0), "{found:?}");
    (
        found.values.iter().map(|value| [value.value, value.error]).collect(),
        found.columns.iter().map(|column| column.deviation).collect(),
    )
}

/// The closed form of the oscillator with m = 1, k = 5, c = 0.5 that starts at x = 0.4 with the velocity −0.2: x and ẋ at t.
fn closed_form(t: f64) -> [f64; 2] {
    let (decay, omega) = (0.25, (5.0_f64 - 0.25 * 0.25).sqrt());
    let (a, b) = (0.4, (-0.2 + decay * 0.4) / omega);
    let (sin, cos) = (omega * t).sin_cos();
    let x = (-decay * t).exp() * (a * cos + b * sin);
    [x, -decay * x + (-decay * t).exp() * omega * (b * cos - a * sin)]
}

/// A noisy recording of the closed form.
fn recording(count: u32, noise: [f64; 2], seed: u64) -> (Vec<f64>, Vec<(&'static str, Vec<f64>)>) {
    let mut random = Random::new(seed, 0);
    let times: Vec<f64> = (1..=count).map(|index| 6.0 * f64::from(index) / f64::from(count)).collect();
    let mut columns = [Vec::new(), Vec::new()];
    for t in &times {
        for ((column, value), noise) in columns.iter_mut().zip(closed_form(*t)).zip(noise) {
            column.push(value + noise * random.normal());
        }
    }
    let [x, v] = columns;
    (times, vec![("x", x), ("x_dot", v)])
}

const TRUE: [f64; 4] = [5.0, 0.5, 0.4, -0.2];

fn oscillator(count: u32, noise: [f64; 2], seed: u64) -> (Vec<[f64; 2]>, Vec<f64>) {
    let (times, columns) = recording(count, noise, seed);
    fitted("oscillator", (&["k", "c", "x", "x_dot"], &[]), &times, &columns)
}

#[test]
fn estimates_scatter_about_the_truth_as_their_errors_say() {
    const RUNS: u64 = 24;
    let (mut squares, mut worst) = ([0.0; 4], 0.0_f64);
    for seed in 0..RUNS {
        // The two columns have deviations of their own, which are not told.
        let (values, deviations) = oscillator(60, [0.01, 0.05], seed);
        for (square, ([value, error], truth)) in squares.iter_mut().zip(values.iter().zip(TRUE)) {
            let off = (value - truth) / error;
            *square += off * off / RUNS as f64;
            worst = worst.max(off.abs());
        }
        assert!((deviations[0] / 0.01 - 1.0).abs() < 0.4 && (deviations[1] / 0.05 - 1.0).abs() < 0.4, "{deviations:?}");
    }
    // χ² of 24 degrees of freedom over 24 is between 0.35 and 2.1 with a probability of 99.8 %.
    assert!(squares.iter().all(|square| (0.35..2.1).contains(square)) && worst < 4.0, "{squares:?}, {worst}");
}

#[test]
fn errors_grow_with_the_noise_and_fall_with_the_root_of_the_number_of_rows() {
    let errors =
        |count, noise: [f64; 2]| oscillator(count, noise, 5).0.iter().map(|[_, error]| *error).collect::<Vec<f64>>();
    let (few, loud, many) = (errors(60, [0.01, 0.02]), errors(60, [0.03, 0.06]), errors(540, [0.01, 0.02]));
    for index in 0..4 {
        assert!((loud[index] / few[index] - 3.0).abs() < 0.1, "{loud:?} {few:?}");
        assert!((few[index] / many[index] - 3.0).abs() < 0.4, "{few:?} {many:?}");
    }
}

#[test]
fn exact_samples_give_exact_values() {
    let (values, _) = oscillator(30, [0.0, 0.0], 0);
    assert!(values.iter().zip(TRUE).all(|([value, _], truth)| (value - truth).abs() < 1e-8), "{values:?}");
}

/// A run of `simulate` by another method, as a table: its columns by name.
fn simulated(name: &str, arguments: &[&str]) -> impl Fn(&str) -> Vec<f64> + use<> {
    let directory = std::env::temp_dir().join(format!("lagrange-fit-{}-{name}", std::process::id()));
    fs::create_dir_all(&directory).expect("the temporary directory is writable");
    let csv = path(&directory, "run.csv");
    run(&[&["simulate"], arguments, &["--csv", &csv]].concat()).expect("it runs");
    let text = fs::read_to_string(&csv).expect("it is written");
    fs::remove_dir_all(directory).expect("ours");
    move |name: &str| {
        let place = text.lines().next().expect("names").split(',').position(|known| known == name).expect("a column");
        text.lines()
            .skip(1)
            .map(|line| line.split(',').nth(place).expect("a cell").parse().expect("a number"))
            .collect()
    }
}

#[test]
fn states_outputs_and_inputs_are_fitted_to_a_run_of_another_method() {
    let set = ["--set", "lag=0.8", "--set", "pull=0.7", "--initial", "z=-0.1"];
    let column = simulated(
        "states",
        &[&["oscillator", "--t-end", "5", "--points", "51", "--method", "gauss3", "--step", "1e-2"][..], &set].concat(),
    );
    let mut random = Random::new(9, 0);
    let mut noisy = |name: &str| column(name).iter().map(|value| value + 1e-3 * random.normal()).collect::<Vec<f64>>();
    let columns = [("z", noisy("z")), ("spring", noisy("spring"))];
    let (values, _) = fitted("oscillator", (&["lag", "pull", "z"], &[]), &column("t"), &columns);
    for ([value, error], truth) in values.iter().zip([0.8, 0.7, -0.1]) {
        assert!((value - truth).abs() < 3.0 * error && *error < 0.01, "{values:?}");
    }
}

#[test]
fn parameters_under_constraints_are_fitted() {
    let run = ["pendulum", "--t-end", "4", "--points", "41", "--method", "rattle", "--step", "1e-3", "--set", "g=9.5"];
    let column = simulated("constraints", &run);
    let (values, _) =
        fitted("pendulum", (&["g"], &[]), &column("t"), &[("x", column("x")), ("y_dot", column("y_dot"))]);
    // RATTLE has the order 2.
    assert!((values[0][0] - 9.5).abs() < 1e-4, "{values:?}");
}

#[test]
fn the_restitution_of_impacts_is_fitted() {
    let column =
        simulated("impacts", &["ball", "--t-end", "1.5", "--points", "40", "--set", "e=0.7", "--rtol", "1e-11"]);
    let (values, _) = fitted("ball", (&["e", "g"], &[("g", 9.9)]), &column("t"), &[("y", column("y"))]);
    assert!((values[0][0] - 0.7).abs() < 1e-6 && (values[1][0] - 10.0).abs() < 1e-5, "{values:?}");
}

#[test]
fn mistakes_are_named() {
    let mut text = String::from("t,x\n");
    for index in 0..30 {
        let t = 0.2 * f64::from(index);
        _ = writeln!(text, "{t},{}", closed_form(t)[0]);
    }
    let lines = |count: usize| text.lines().take(count).map(|line| format!("{line}\n")).collect::<String>();
    let three = "t,x,y\n0,0.6,-0.8\n0.1,0.6,-0.8\n0.2,0.6,-0.8\n";
    for (name, data, arguments, told) in [
        ("model", "", &["oscilator", "--vary", "k"][..], "did you mean `oscillator`?"),
        (
            "name",
            &text,
            &["oscillator", "--vary", "k,d"],
            "no parameter, input, coordinate or velocity `d` (known: `m`, `k`",
        ),
        ("twice", &text, &["oscillator", "--vary", "x_dot,dot(x)"], "`dot(x)` is to be estimated twice"),
        ("nothing", &text, &["oscillator"], "--vary <NAMES>"),
        (
            "few",
            &lines(4),
            &["oscillator", "--vary", "k,c,x"],
            "3 samples (3 rows of 1 columns) are too few for 3 values and their errors; at least 4",
        ),
        (
            "rank",
            &text,
            &["oscillator", "--vary", "k,c,m"],
            "relative changes of `k`, `c`, `m` in the proportion 1 : 1 : 1 change no sample",
        ),
        ("blind", &text, &["oscillator", "--vary", "k,z"], "`z` changes no sample"),
        ("nan", "t,x\n0,1\n1,nan\n", &["oscillator", "--vary", "k"], "line 3, column `x`: `nan` is no finite number"),
        ("time", "time,x\n0,1\n", &["oscillator", "--vary", "k"], "no column is named `t`"),
        ("column", "t,y\n0,1\n", &["oscillator", "--vary", "k"], "no quantity `y`"),
        (
            "measured",
            &text,
            &["oscillator", "--vary", "k", "--measured", "x_dot"],
            "no column `x_dot` (known: `t`, `x`)",
        ),
        ("quantity", &text, &["oscillator", "--vary", "k", "--measured", "y"], "no quantity `y`"),
        (
            "deviation",
            &text,
            &["oscillator", "--vary", "k", "--deviation", "z=1"],
            "no measured column `z` (known: `x`)",
        ),
        ("negative", &text, &["oscillator", "--vary", "k", "--deviation", "x=0"], "it must be positive"),
        ("again", &text, &["oscillator", "--vary", "k", "--deviation", "x=1", "--deviation", "x=2"], "two values"),
        ("rtol", &text, &["oscillator", "--vary", "k", "--rtol", "1e-17"], "below the rounding"),
        (
            "start",
            three,
            &["pendulum", "--vary", "x"],
            "`x` is an initial value, and most of its changes break the constraints",
        ),
        ("rod", three, &["pendulum", "--vary", "l"], "`l` stands in the constraints"),
        // At 0 its square has no slope.
        ("shift", three, &["pendulum", "--vary", "shift"], "`shift` stands in the constraints"),
        ("contact", "t,push\n0,0\n1,0\n2,0\n", &["ball", "--vary", "g"], "`push` contains the force of a contact"),
        ("sign", &text, &["oscillator", "--vary", "k", "--set", "m=-1"], "m"),
    ] {
        let message = refused(name, data, arguments);
        assert!(message.contains(told), "{name}: {message}");
    }
}

#[test]
fn the_picture_has_a_dot_for_each_sample() {
    let directory = std::env::temp_dir().join(format!("lagrange-fit-{}-picture", std::process::id()));
    fs::create_dir_all(&directory).expect("the temporary directory is writable");
    let [data, picture] = ["data.csv", "fit.svg"].map(|file| path(&directory, file));
    let (times, columns) = recording(50, [0.01, 0.01], 3);
    let rows = times.iter().enumerate().map(|(row, t)| format!("{t},{},{}\n", columns[0].1[row], columns[1].1[row]));
    fs::write(&data, format!("t,x,x_dot\n{}", rows.collect::<String>())).expect("the directory is there");
    let arguments = ["fit", "oscillator", "--vary", "k,c,x,x_dot", "--data", &data, "--output", &picture];
    run(&arguments).expect("it converges");
    let svg = fs::read_to_string(&picture).expect("it is written");
    assert_eq!(svg.matches("h.1").count(), 100, "50 rows of two columns");
    assert!(svg.contains("residual over deviation") && svg.contains(">x_dot<"));
    assert!(run(&arguments).expect_err("it exists").text().contains("add --force"));
    run(&[&arguments[..], &["--force", "--json", "--deviation", "x=0.01"]].concat()).expect("it is replaced");
    fs::remove_dir_all(directory).expect("ours");
}
