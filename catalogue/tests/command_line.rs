//! The `lagrange` program as a user meets it: what it says, and its exit codes.

use clap::ValueEnum;
use lagrange_cli::catalog::MethodName;
use lagrange_models::{CompoundDoublePendulum, CompoundDoublePendulumWithDrag, DoublePendulum};
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::Facts;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn lagrange(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lagrange")).args(arguments).output().expect("the program starts")
}

fn error(arguments: &[&str]) -> (i32, String) {
    let output = lagrange(arguments);
    (output.status.code().expect("no signal"), String::from_utf8(output.stderr).expect("messages are text"))
}

fn text(arguments: &[&str]) -> String {
    let output = lagrange(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is text")
}

/// A path of this test's own.
fn temporary(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn unknown_names_are_answered_with_the_nearest_and_the_list() {
    let (code, message) = error(&["show", "double-pendulm"]);
    assert_eq!(code, 2);
    assert!(message.contains("no model `double-pendulm`; did you mean `double-pendulum`?"), "{message}");

    let (code, message) = error(&["simulate", "double-pendulum", "--t-end", "1", "--set", "m3=1"]);
    assert_eq!(code, 2);
    assert!(message.contains("no parameter `m3`") && message.contains("`m1`, `m2`, `l1`, `l2`, `g`"), "{message}");

    let (code, message) = error(&["simulate", "double-pendulum", "--t-end", "1", "--initial", "theta3_dot=1"]);
    assert_eq!(code, 2);
    assert!(message.contains("no coordinate or velocity `theta3_dot`; did you mean `theta1_dot`?"), "{message}");
}

#[test]
fn bad_values_are_named() {
    let (code, message) = error(&["simulate", "double-pendulum", "--t-end", "1", "--set", "m1=heavy"]);
    assert_eq!(code, 2);
    assert!(message.contains("m1: `heavy` is not a number"), "{message}");

    let (code, message) = error(&["simulate", "double-pendulum", "--t-end", "1", "--step", "-1e-3"]);
    assert_eq!(code, 2);
    assert!(message.contains("`-1e-3` is -0.001; it must be positive"), "{message}");

    let (code, message) = error(&["simulate", "double-pendulum", "--t-end", "1", "--set", "m1=1", "--set", "m1=2"]);
    assert_eq!(code, 2);
    assert!(message.contains("`m1` is given twice, as 1 and as 2"), "{message}");

    let (code, message) = error(&["simulate", "double-pendulum", "--t-end", "1", "--method", "rk4", "--rtol", "1e-9"]);
    assert_eq!(code, 2);
    assert!(message.contains("--rtol does not apply to --method rk4, which takes --step"), "{message}");
}

#[test]
fn every_command_refuses_a_motion_that_takes_no_time() {
    for command in ["simulate", "sweep", "plot", "report", "compare"] {
        let (code, message) = error(&[command, "kepler", "--t-end", "0"]);
        assert!(code == 2 && message.contains("--t-end") && message.contains("its end must be after 0"), "{message}");
    }
}

#[test]
fn a_failed_integration_says_where_and_keeps_what_was_written() {
    let (path, partial) = (temporary("failed.csv"), temporary("failed.csv.partial"));
    let file = path.to_str().expect("the path is text");
    // From a former run of this test.
    _ = std::fs::remove_file(&partial);
    let (code, message) =
        error(&["simulate", "double-pendulum", "--t-end", "1", "--step", "1e-3", "--max-steps", "10", "--csv", file]);
    assert_eq!(code, 1);
    assert!(message.contains("--max-steps") && message.contains("at t = 0.01"), "{message}");
    assert!(message.contains("the complete rows until then are in") && !path.exists(), "{message}");
    let written = std::fs::read_to_string(partial).expect("the file is there");
    assert_eq!(written.lines().count(), 12, "the names, the initial state, and ten steps");
}

#[test]
fn csv_holds_the_states_asked_for() {
    let csv = text(&[
        "simulate",
        "double-pendulum",
        "--t-end",
        "2",
        "--method",
        "rkf45",
        "--points",
        "5",
        "--set",
        "g=0",
        "--initial",
        "theta1=90deg",
        "--initial",
        "dot(theta1)=0",
        "--initial",
        "theta2_dot=0",
        "--csv",
        "-",
    ]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "t,theta1,theta2,theta1_dot,theta2_dot,kinetic,potential,energy,knee[0],knee[1],tip[0],tip[1]"
    );
    let numbers: Vec<Vec<f64>> =
        lines[1..].iter().map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect();
    assert_eq!(numbers.iter().map(|row| row[0]).collect::<Vec<_>>(), [0.0, 0.5, 1.0, 1.5, 2.0]);
    // At rest without gravity nothing moves.
    assert!(numbers.iter().all(|row| row[1] == std::f64::consts::FRAC_PI_2 && row[7] == 0.0));
}

/// The methods that fit a mechanism, as `--method` names them.
fn methods(facts: &Facts) -> Vec<String> {
    let fitting = MethodName::value_variants().iter().filter(|method| method.kind().fits(facts));
    fitting.map(|method| method.to_possible_value().expect("no method is hidden").get_name().to_owned()).collect()
}

#[test]
fn every_method_that_fits_a_model_simulates_it() {
    for (model, facts) in [
        ("compound-double-pendulum", CompoundDoublePendulum::FACTS),
        ("compound-double-pendulum-with-drag", CompoundDoublePendulumWithDrag::FACTS),
        ("double-pendulum", DoublePendulum::FACTS),
    ] {
        let methods = methods(&facts);
        assert!(methods.len() >= 20, "{methods:?}");
        let at_the_end =
            |method: &String| end(&["simulate", model, "--method", method.as_str(), "--t-end", "0.5"], "theta1");
        let ends: Vec<f64> = methods.iter().map(at_the_end).collect();
        assert!(ends.iter().all(|end| (end - ends[0]).abs() < 1e-4), "{model}: {ends:?}");
    }
}

/// A coordinate's value at the end.
fn end(arguments: &[&str], name: &str) -> f64 {
    let summary = text(arguments);
    let value = summary.split(&format!("{name} = ")).nth(1).and_then(|rest| rest.split([',', '\n']).next());
    // A unit may stand behind it.
    value.and_then(|value| value.split_whitespace().next()).expect("the summary states it").parse().expect("a number")
}

#[test]
fn structure_preserving_methods_take_constraints_and_compositions() {
    let at = |method: &[&str]| {
        let simulation = ["simulate", "spherical-pendulum-cartesian", "--t-end", "2", "--step", "0.005", "--method"];
        end(&[&simulation[..], method].concat(), "z")
    };
    let reference = at(&["gauss2"]);
    for method in ["rattle", "shake", "variational-midpoint", "implicit-midpoint", "rk4"] {
        assert!((at(&[method]) - reference).abs() < 1e-3, "{method}");
    }
    let sixth = at(&["rattle", "--composition", "kahan-li"]);
    assert!((sixth - at(&["variational-midpoint", "--composition", "yoshida"])).abs() < 1e-9);
}

#[test]
fn methods_are_compared_with_their_compositions() {
    let table = text(&["compare", "kepler", "--t-end", "1", "--step", "0.02"]);
    let error = |name: &str| -> f64 {
        let row = table.lines().find_map(|line| line.trim().strip_prefix(name)).expect("it is listed");
        row.split_whitespace().next().and_then(|cell| cell.parse().ok()).expect("a number")
    };
    // Orders 6 and 2.
    assert!(error("Störmer–Verlet, kahan-li ") < 1e-3 * error("Störmer–Verlet "), "{table}");
    assert!(!table.contains("Runge–Kutta 4,"), "it has no composition: {table}");
    let named = ["compare", "kepler", "--t-end", "1", "--method", "rk4"];
    assert!(!text(&named).contains("kahan-li"));
    let (code, message) = self::error(&[&named[..], &["--composition", "suzuki"]].concat());
    assert!(code == 2 && message.contains("--composition applies to none"), "{message}");
}

#[test]
fn a_method_that_does_not_apply_says_what_it_needs() {
    let (code, message) = error(&["simulate", "double-pendulum", "--t-end", "1", "--method", "stormer-verlet"]);
    assert_eq!(code, 1);
    assert!(message.contains("the method Störmer–Verlet needs L = T(v) − V(q)"), "{message}");
    let (_, message) = error(&["simulate", "cartesian-pendulum", "--t-end", "1", "--method", "symplectic-euler"]);
    assert!(message.contains("the method symplectic Euler needs a mechanism without constraints"), "{message}");
    let arguments = ["simulate", "kepler", "--t-end", "1", "--method", "stormer-verlet", "--composition", "suzuki"];
    assert!(text(&arguments).contains("1000 steps"));
    let (_, message) = error(&["simulate", "kepler", "--t-end", "1", "--method", "gauss2", "--composition", "suzuki"]);
    assert!(message.contains("--composition does not apply to --method gauss2"), "{message}");
}

#[test]
fn constrained_mechanisms_are_simulated_by_projected_methods() {
    for (model, coordinate) in [
        ("spherical-pendulum-cartesian", "x"),
        ("cartesian-pendulum", "x"),
        ("rigid-pendulum", "b"),
        ("bead-on-rotating-hoop", "z"),
        ("knife-edge", "y"),
        ("rolling-disc", "x"),
        ("four-bar-linkage", "rocker"),
        ("parallelogram", "y"),
        ("heavy-top-quaternion", "a"),
    ] {
        let ends: Vec<f64> = ["rk4", "verlet", "rkf45"]
            .into_iter()
            .map(|method| {
                let summary = text(&["simulate", model, "--method", method, "--t-end", "0.01"]);
                let value = summary.split(&format!("{coordinate} = ")).nth(1).and_then(|rest| rest.split(',').next());
                let value = value.and_then(|value| value.split_whitespace().next());
                value.expect("the summary states it").parse().expect("a number")
            })
            .collect();
        assert!(ends.iter().all(|end| (end - ends[0]).abs() < 1e-3), "{model}: {ends:?}");
    }
    let (_, message) = error(&["simulate", "rolling-disc", "--method", "implicit-midpoint", "--t-end", "1"]);
    assert!(message.contains("holonomic"), "{message}");
    // A parameter that takes the initial state off its constraint: the nearest consistent state is taken when asked for.
    let longer = ["simulate", "cartesian-pendulum", "--method", "rk4", "--t-end", "1e-9", "--set", "l=2"];
    let (code, message) = error(&longer);
    assert!(code == 2 && message.contains("x = 2 instead of 1") && message.contains("--project"), "{message}");
    let output = lagrange(&[&longer[..], &["--project"]].concat());
    assert!(String::from_utf8_lossy(&output.stdout).contains("x = 2 m,"));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("note: the initial state was brought onto"));
}

#[test]
fn listing_and_equations_are_complete() {
    let list = text(&["list"]);
    for name in ["compound-double-pendulum\n", "compound-double-pendulum-with-drag\n", "double-pendulum\n", "mu = 0.01"]
    {
        assert!(list.contains(name), "{name}");
    }
    assert!(text(&["show", "double-pendulum", "--format", "text"]).contains("theta1"));
    assert!(text(&["show", "double-pendulum", "--format", "latex"]).contains('\\'));
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let (code, message) =
        error(&["simulate", "double-pendulum", "--t-end", "1", "--csv", "/no-such-directory/motion.csv"]);
    assert_eq!(code, 1);
    assert!(message.contains("cannot write `/no-such-directory/motion.csv`"), "{message}");

    let old = temporary("old.csv");
    std::fs::write(&old, "old").expect("the temporary directory is writable");
    let old_name = old.to_str().expect("the path is text");
    let (code, message) = error(&["simulate", "double-pendulum", "--t-end", "1e300", "--csv", old_name]);
    assert!(code == 2 && message.contains("exists; add --force"), "{message}");
    assert_eq!(std::fs::read(&old).expect("it is there"), b"old");
}

#[test]
fn a_closed_output_ends_the_program_without_a_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lagrange"))
        .args(["simulate", "double-pendulum", "--t-end", "100", "--csv", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("the standard output was closed") && !message.contains("panicked"), "{message}");
}

/// An angle of the parallelogram stays 0 but for rounding: tolerances that followed it took 300 000 steps.
#[test]
fn a_component_that_is_zero_but_for_rounding_does_not_shorten_steps() {
    let end = text(&["simulate", "parallelogram", "--t-end", "10"]);
    let steps = end.lines().find_map(|line| line.trim().split_once(" steps")).expect("the work is told").0;
    assert!(steps.parse::<u32>().expect("a number") < 1000, "{end}");
    assert!(!end.contains("warning"), "{end}");
}

#[test]
fn a_plot_of_a_motion_that_fails_shows_it_until_then() {
    let picture = temporary("cut.svg");
    _ = std::fs::remove_file(&picture);
    let name = picture.to_str().expect("the path is text");
    let (code, message) = error(&["plot", "kepler", "--t-end", "50", "--max-steps", "20", "--output", name]);
    assert_eq!(code, 1, "{message}");
    assert!(message.contains("20 steps") && message.contains("the motion until then is drawn in"), "{message}");
    assert!(std::fs::read_to_string(&picture).expect("it is written").contains("<path class=\"c1\""));
}

#[test]
fn a_report_on_a_motion_that_fails_shows_it_until_then() {
    let page = temporary("cut.html");
    _ = std::fs::remove_file(&page);
    let name = page.to_str().expect("the path is text");
    let (code, message) = error(&["report", "kepler", "--t-end", "50", "--max-steps", "20", "--output", name]);
    assert_eq!(code, 1, "{message}");
    assert!(message.contains("20 steps") && message.contains("is written with the motion until then"), "{message}");
    let text = std::fs::read_to_string(&page).expect("it is written");
    assert!(
        text.contains("The motion ends before 50: ") && text.contains("end of the motion"),
        "no reason on the page"
    );
}

#[test]
fn numbers_stand_beside_the_units_of_their_mechanism() {
    for (model, time, energy) in [
        ("double-pendulum", "t = 0.5 s\n", " J since the start"),
        ("outer-solar-system", "t = 0.5 d\n", " M☉ AU²/d² since the start"),
        ("point-vortices", "t = 0.5 s\n", " m⁴/s² since the start"),
    ] {
        let end = text(&["simulate", model, "--t-end", "0.5"]);
        assert!(end.contains(time) && end.contains(energy), "{end}");
    }
    for model in ["kepler", "henon-heiles", "driven-pendulum", "magnetic-pendulum"] {
        let end = text(&["simulate", model, "--t-end", "0.5"]);
        assert!(end.contains("t = 0.5\n") && !end.contains(" J") && !end.contains(" s\n"), "{end}");
    }
}

#[test]
fn completions_know_every_command_of_the_program() {
    let script = text(&["completions", "bash"]);
    assert!(script.contains("analyse") && script.contains("simulate") && script.contains("--vary"), "{script}");
}

#[test]
fn settings_come_from_a_file() {
    let file = temporary("settings.toml");
    let settings = "model = 'kepler'\nt-end = 1\njson = true\n[initial]\nx = 2\ny_dot = 0.5\n";
    std::fs::write(&file, settings).expect("the temporary directory is writable");
    let name = file.to_str().expect("the path is text");
    let from_file = text(&["simulate", "--settings", name]);
    let given = ["simulate", "kepler", "--t-end=1", "--json", "--initial=x=2", "--initial=y_dot=0.5"];
    assert_eq!(from_file, text(&given));
    assert_ne!(text(&["simulate", "--settings", name, "--initial", "x=3"]), from_file);
}

/// A sweep over the settings of a file, in the order of the file, and each row as `simulate` writes its last one.
#[test]
fn a_sweep_writes_the_last_rows_of_its_simulations() {
    let file = temporary("sweep.toml");
    let settings = "model = 'double-pendulum'\nt-end = 3\nmethod = 'rkf45'\ncsv = '-'\n[set]\nl1 = 1.1\n[vary]\ntheta2 = '-1..1:2'\nm1 = '1..2:2'\n\
                    [until]\n'|theta2|' = '120deg'\n";
    std::fs::write(&file, settings).expect("the temporary directory is writable");
    let rows = text(&["sweep", "--settings", file.to_str().expect("the path is text")]);
    let rows: Vec<Vec<&str>> = rows.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..8], ["index", "initial(theta2)", "m1", "t", "theta1", "theta2", "theta1_dot", "theta2_dot"]);
    let points = [("-1", "1"), ("-1", "2"), ("1", "1"), ("1", "2")];
    assert_eq!(rows.len(), 1 + points.len());
    for (row, (theta2, m1)) in rows[1..].iter().zip(points) {
        assert_eq!(row[1..3], [theta2, m1]);
        let (theta2, m1) = (format!("theta2={theta2}"), format!("m1={m1}"));
        let run = ["simulate", "double-pendulum", "--t-end", "3", "--method", "rkf45", "--set", "l1=1.1", "--set", &m1];
        let csv = text(&[&run[..], &["--initial", &theta2, "--until", "|theta2|=120deg", "--csv", "-"]].concat());
        let last: Vec<&str> = csv.lines().last().expect("there are rows").split(',').collect();
        assert_eq!(row[3..8], last[..5]);
    }
}

/// The sums of a sweep in parts are those of the same sweep without parts, and the same command has nothing left to compute.
#[test]
fn a_sweep_in_parts_has_the_sums_of_one_without() {
    let directory = temporary("parts");
    // What a run of this test that failed may have left.
    _ = std::fs::remove_dir_all(&directory);
    let parts = directory.to_str().expect("the path is text");
    let run = ["sweep", "spherical-pendulum-cartesian", "--t-end", "0.5", "--vary", "x_dot=0.5..1.5:7", "--json"];
    let json = text(&run);
    let in_parts = [&run[..], &["--parts", parts, "--block", "3"]].concat();
    for _ in 0..2 {
        assert_eq!(text(&in_parts), json);
    }
    assert_eq!(std::fs::read_to_string(directory.join("totals.json")).expect("it is written"), json);
    let again = String::from_utf8(lagrange(&in_parts).stderr).expect("messages are text");
    assert!(again.contains("note: 3 of 3 blocks are complete in"), "{again}");
    let (code, refused) = error(&[&run[..], &["--parts", parts, "--block", "4"]].concat());
    assert!(code == 2 && refused.contains("`block` was `3` and is now `4`"), "{refused}");
    std::fs::remove_dir_all(directory).expect("ours");
}

/// The pictures of the documents are those that the commands beside them make. With the variable `UPDATE_EXPECT` this test writes them.
#[test]
fn the_pictures_of_the_documents_are_current() {
    const SWEEP: &str = "double-pendulum --vary theta1=-3..3:60 --vary theta2=-3..3:60 --initial theta1_dot=0 --initial theta2_dot=0 \
                         --t-end 5 --method rk4 --step 0.05 --until |theta2|=180deg";
    const BANDS: &str = "driven-pendulum --sample theta=normal(0.2,0.01) --count 300 --every 0.2 --t-end 40";
    for (path, arguments) in [
        ("docs/pictures/double-pendulum.svg", "plot double-pendulum --t-end 12 --output"),
        ("docs/guide/pictures/constraints.svg", "plot cartesian-pendulum --t-end 5 --y multiplier(rod) --output"),
        ("docs/guide/pictures/friction.svg", "plot block-with-friction --t-end 3 --output"),
        ("docs/guide/pictures/modes.svg", "plot ballistic-pendulum --t-end 4 --y theta --output"),
        ("docs/guide/pictures/rattleback.svg", "plot rattleback --t-end 10 --y rate --output"),
        ("docs/guide/pictures/yielding_ball.svg", "plot yielding-ball --t-end 3 --output"),
        ("docs/guide/pictures/marble.svg", "plot marble-on-bar --t-end 1.5 --y y --output"),
        ("docs/guide/pictures/belt_block.svg", "plot belt-block --t-end 5 --output"),
        ("docs/guide/pictures/sticky_pad.svg", "plot sticky-pad --t-end 6 --y pull --output"),
        ("docs/guide/pictures/toast.svg", "plot tumbling-toast --t-end 1.5 --y turn --output"),
        ("docs/guide/pictures/tippe_top.svg", "plot tippe-top --t-end 4 --y axis_up --output"),
        ("docs/guide/pictures/flexible.svg", "plot spinning-beam --t-end 20 --y across --method radau9 --output"),
        ("docs/guide/pictures/circuits.svg", "plot loudspeaker --t-end 0.05 --output"),
        ("docs/guide/pictures/rigid_bodies.svg", "plot heavy-top-quaternion --t-end 5 --output"),
        ("docs/guide/pictures/ensembles.svg", &format!("sweep {SWEEP} --plot")),
        ("docs/guide/pictures/bands.svg", &format!("sweep {BANDS} --plot")),
    ] {
        let made = temporary(&path.replace('/', "-"));
        let file = made.to_str().expect("the path is text");
        text(&arguments.split(' ').chain([file, "--force"]).collect::<Vec<_>>());
        let made = std::fs::read_to_string(made).expect("it is written");
        let kept = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&kept, &made).expect("the sources are writable");
        }
        assert!(std::fs::read_to_string(&kept).is_ok_and(|kept| kept == made), "{path} differs; set UPDATE_EXPECT=1");
    }
}

#[test]
fn a_fit_finds_the_values_of_a_run_by_another_method() {
    let [run, data, picture] = ["fit-run.csv", "fit-data.csv", "fit.svg"].map(temporary);
    let [run, data, picture] = [&run, &data, &picture].map(|path| path.to_str().expect("the path is text"));
    let start = ["--initial=theta1=0.5", "--initial=theta2=0", "--initial=theta1_dot=0", "--initial=theta2_dot=0"];
    let simulate =
        ["simulate", "double-pendulum", "--t-end", "4", "--points", "161", "--method", "gauss3", "--step", "1e-2"];
    text(&[&simulate[..], &start, &["--set=m2=0.9", "--set=l2=1.1", "--csv", run, "--force"]].concat());
    // Noise of the standard deviation 1/100, from a sequence that fills [0, 1) evenly.
    let written = std::fs::read_to_string(run).expect("it is written");
    let mut noisy = String::from("t,theta1,tip[0]\n");
    for (row, line) in written.lines().skip(1).enumerate() {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().expect("a number")).collect();
        let noise = |factor: f64| 0.01 * 12.0_f64.sqrt() * ((row as f64 * factor).fract() - 0.5);
        noisy += &format!("{},{},{}\n", cells[0], cells[1] + noise(0.754_877_666), cells[10] + noise(0.569_840_291));
    }
    std::fs::write(data, noisy).expect("the directory is writable");
    let fit = ["fit", "double-pendulum", "--vary", "m2,l2", "--data", data, "--output", picture, "--force"];
    let told = text(&[&fit[..], &start].concat());
    for (name, truth) in [("m2", 0.9), ("l2", 1.1)] {
        let line = told.lines().find(|line| line.trim_start().starts_with(name)).expect("each value has a line");
        let numbers: Vec<f64> = line.split_whitespace().skip(1).filter_map(|cell| cell.parse().ok()).collect();
        assert!((numbers[0] - truth).abs() < 3.0 * numbers[1] && numbers[1] < 0.01, "{told}");
    }
    assert!(std::fs::read_to_string(picture).expect("it is drawn").starts_with("<svg"));
    let (code, message) = error(&[&fit[..], &start, &["--vary", "m1"]].concat());
    assert!(code == 1 && message.contains("`m2`, `m1`") && message.contains("change no sample"), "{message}");
}
