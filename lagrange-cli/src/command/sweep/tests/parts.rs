//! Sweeps that are written in parts: cut short, resumed, and shared.

use super::{CATALOG, Program, place, sweep, usage};
use crate::command::sweep::{Arguments, Parts, Plan};
use crate::command::{Command, Failure};
use clap::Parser;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Members that reach the end, that end at an event, that fail in their integration, and that do not start.
const MIXED: &[&str] = &[
    "well",
    "--t-end",
    "20",
    "--method",
    "rk4",
    "--step",
    "0.01",
    "--vary",
    "x=-1.1..0.9:7",
    "--vary",
    "m=0..2:5",
    "--until",
    "x=0.45",
];

/// Constrained members, whose starts are moved.
const MOVED: &[&str] = &["pendulum", "--t-end", "0.1", "--vary", "x=0.6..0.9:10", "--step", "0.01"];

/// Members that are recorded on the way, some of which end before others or fail, with an exponent where it exists.
const RECORDED: &[&str] = &[
    "well",
    "--t-end",
    "12",
    "--method",
    "rk4",
    "--step",
    "0.01",
    "--vary",
    "x=-1.1..0.9:7",
    "--section",
    "x_dot=0:falling",
    "--after",
    "1",
    "--lyapunov",
    "--until",
    "x=0.85",
];

/// A directory of the test's own, and the name of one in it that is not there.
fn parts(name: &str) -> (PathBuf, String) {
    let (directory, _) = place(&format!("parts-{name}"));
    let inside = directory.join("parts").to_str().expect("text").to_owned();
    (directory, inside)
}

/// The arguments of `sweep`.
fn parsed(arguments: &[&str]) -> Arguments {
    match Program::try_parse_from([&["program", "sweep"], arguments].concat()).expect("right").command {
        Command::Sweep(arguments) => *arguments,
        other => panic!("{other:?}"),
    }
}

/// All files of a directory with their contents, by their names in it.
fn files(directory: &str) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for part in ["", "rows", "work"] {
        for entry in fs::read_dir(Path::new(directory).join(part)).expect("there") {
            let path = entry.expect("readable").path();
            if path.is_file() {
                let name = path.strip_prefix(directory).expect("inside").to_str().expect("text").to_owned();
                found.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    found
}

/// The rows of all parts in their order, below one line of names.
fn joined(directory: &str) -> String {
    let mut text = String::new();
    for (name, bytes) in files(directory).into_iter().filter(|(name, _)| name.starts_with("rows/")) {
        let part = String::from_utf8(bytes).expect(&name);
        let head = part.find('\n').expect("a line of names") + 1;
        text.push_str(if text.is_empty() { &part } else { &part[head..] });
    }
    text
}

/// The sums over all members, formed without parts and without threads.
fn sums(arguments: &[&str]) -> String {
    let plan = Plan::new(&CATALOG, &parsed(arguments)).expect("right");
    let mut totals = plan.totals();
    let never = AtomicBool::new(false);
    for index in 0..plan.members.total {
        totals.add(index, &plan.row(index, &never));
    }
    totals.json(&plan.method)
}

#[test]
fn parts_of_any_size_by_any_threads_have_the_rows_the_sums_and_the_picture_of_one_file() {
    let sweeps = [
        ("mixed", MIXED, ["1", "4", "1000"]),
        ("moved", MOVED, ["3", "5", "10"]),
        ("recorded", RECORDED, ["1", "3", "7"]),
    ];
    for (name, arguments, sizes) in sweeps {
        let (directory, _) = parts(name);
        let path = |name: &str| directory.join(name).to_str().expect("text").to_owned();
        let (csv, picture) = (path("all.csv"), path("all.svg"));
        sweep(&[arguments, &["--csv", &csv, "--plot", &picture]].concat()).expect("it works");
        let expected = (fs::read_to_string(&csv).expect("there"), fs::read(&picture).expect("there"));
        let ends = expected.0.lines().filter(|line| !line.contains(",recorded,")).count() - 1;
        assert_eq!(
            (ends, ends < expected.0.lines().count() - 1),
            match name {
                "mixed" => (35, false),
                "moved" => (10, false),
                _ => (7, true),
            }
        );
        let sums = sums(arguments);
        for (size, threads) in sizes.into_iter().zip(["3", "1", "2"]) {
            let (parts, picture) = (path(&format!("parts-{size}")), path(&format!("{size}.svg")));
            let run = ["--parts", &parts, "--block", size, "--threads", threads, "--plot", &picture];
            sweep(&[arguments, &run].concat()).expect("it works");
            assert_eq!((joined(&parts), fs::read(&picture).expect("there")), expected, "{name} by {size}");
            assert_eq!(
                fs::read_to_string(Path::new(&parts).join("totals.json")).expect("there"),
                sums,
                "{name} by {size}"
            );
        }
        fs::remove_dir_all(directory).expect("ours");
    }
    for told in ["\"failed\": 7", "\"x=0.45\": 16", "\"finished\": 12"] {
        assert!(sums(MIXED).contains(told), "{}", sums(MIXED));
    }
}

#[test]
fn a_sweep_goes_on_where_it_was_cut_short_and_every_file_is_the_same() {
    let (directory, whole) = parts("resumed");
    let cut = directory.join("cut").to_str().expect("text").to_owned();
    let run = |directory: &str, threads: &str| {
        sweep(&[MIXED, &["--parts", directory, "--block", "4", "--threads", threads]].concat())
    };
    run(&whole, "1").expect("it works");
    // Blocks 0, 3 and 8 are computed, the last of which has fewer members, and then the process is gone.
    let arguments = parsed(&[MIXED, &["--parts", &cut, "--block", "4"]].concat());
    let sweep = Parts::new(&CATALOG, &arguments).expect("right");
    assert!(!sweep.is_opened());
    let opened = sweep.open().expect("nobody else");
    assert_eq!(opened.missing(), (0..9).collect::<Vec<u64>>());
    assert!(sweep.is_opened());
    sweep.compute([0, 3, 8]).expect("it works");
    assert!(sweep.kept().starts_with("3 of 9 blocks are complete in "), "{}", sweep.kept());
    drop(opened);
    let times = || {
        let path = |number| Path::new(&cut).join(format!("rows/part-00000{number}.csv"));
        [0, 3, 8].map(|number| fs::metadata(path(number)).and_then(|data| data.modified()).expect("complete"))
    };
    let before = times();
    // What a process that is killed while it writes leaves behind: a torn table, and the counters of a block without its table.
    fs::write(Path::new(&cut).join("rows/part-000001.csv.partial"), "index,initial(x),m\n4,-1.1").expect("writable");
    fs::copy(Path::new(&whole).join("work/part-000002.json"), Path::new(&cut).join("work/part-000002.json"))
        .expect("writable");
    assert_eq!(sweep.open().expect("the lock is gone").missing(), [1, 2, 4, 5, 6, 7]);
    run(&cut, "3").expect("it goes on");
    assert_eq!(files(&cut), files(&whole));
    assert_eq!(times(), before, "complete blocks are not written again");
    // A sweep that is complete computes nothing, and draws what is asked for now.
    let picture = directory.join("late.svg");
    sweep_in(&cut, &["--plot", picture.to_str().expect("text"), "--show", "x_dot"]).expect("it works");
    assert!(picture.exists() && times() == before);
    assert_eq!(files(&cut), files(&whole));
    fs::remove_dir_all(directory).expect("ours");
}

/// The mixed members in blocks of 4 in this directory, with further options.
fn sweep_in(directory: &str, more: &[&str]) -> Result<(), Failure> {
    sweep(&[MIXED, &["--parts", directory, "--block", "4"], more].concat())
}

#[test]
fn other_settings_are_refused_with_what_differs() {
    let (directory, inside) = parts("settings");
    let run =
        ["well", "--t-end", "1", "--step", "0.1", "--vary", "x=0..1:4", "--sample", "m=normal(2,0.1)", "--count", "2"];
    let run = [&run[..], &["--parts", &inside, "--block", "3"]].concat();
    sweep(&run).expect("it works");
    let before = files(&inside);
    let changed = |from: &str, to: &[&'static str]| {
        let place = run.iter().position(|argument| *argument == from).expect("there");
        [&run[..place], to, &run[place + 1..]].concat()
    };
    let more = |more: &[&'static str]| [&run[..], more].concat();
    for (arguments, told) in [
        (changed("1", &["2"]), "`t-end` was `1.0` and is now `2.0`"),
        (changed("0.1", &["0.2"]), "`method` was `"),
        (changed("x=0..1:4", &["x=0..2:4"]), "`vary` was `x=0.0..1.0:4` and is now `x=0.0..2.0:4`"),
        (changed("x=0..1:4", &["x_dot=0..1:4"]), "`vary` was `x=0.0..1.0:4` and is now `x_dot=0.0..1.0:4`"),
        (changed("m=normal(2,0.1)", &["m=normal(2,0.2)"]), "`m=normal(2.0,0.1)` and is now `m=normal(2.0,0.2)`"),
        (changed("2", &["4"]), "`count` was `2` and is now `4`"),
        (changed("3", &["2"]), "`block` was `3` and is now `2`"),
        (more(&["--seed", "1"]), "`seed` was `0` and is now `1`"),
        (more(&["--set", "k=2"]), "`set k` was `1.0` and is now `2.0`"),
        (more(&["--initial", "x_dot=1"]), "`initial x_dot` was `0.0 (default)` and is now `1.0`"),
        (more(&["--until", "x=2"]), "`until` was `` and is now `x=2`"),
        (more(&["--max-steps", "100"]), "`max-steps` was `no limit` and is now `100`"),
        (more(&["--project"]), "`project` was `false` and is now `true`"),
    ] {
        let message = usage(&arguments);
        assert!(message.contains(told) && message.contains("with other settings"), "{arguments:?}: {message}");
        assert_eq!(files(&inside), before, "{arguments:?}");
    }
    // What changes no digit may change.
    sweep(&more(&["--threads", "2", "--json"])).expect("the same sweep");
    fs::write(Path::new(&inside).join("manifest.json"), "{}").expect("writable");
    assert!(usage(&run).contains("it is not a manifest of layout 1"));
    fs::remove_dir_all(directory).expect("ours");
}

#[test]
fn mistakes_are_named_before_anything_is_written() {
    let (directory, inside) = parts("mistakes");
    let foreign = directory.join("foreign");
    fs::create_dir_all(&foreign).expect("writable");
    fs::write(foreign.join("letter.txt"), "").expect("writable");
    let foreign = foreign.to_str().expect("text");
    let file = format!("{foreign}/letter.txt");
    let run = ["well", "--t-end", "1e300", "--vary", "x=1..2:10000", "--vary", "k=1..2:10000", "--parts"];
    for (arguments, told) in [
        (&[&inside[..], "--block", "0"][..], "--block 0 is not possible; a block has 1 to 1000000 members"),
        (&[&inside, "--block", "1000001"], "--block 1000001 is not possible"),
        (&[&inside, "--block", "50"], "at most 1000000 are possible, with a --block of at least 100"),
        (&[&inside, "--csv", "ends.csv"], "--csv"),
        (&[&inside, "--format", "xml"], "csv"),
        (&[&inside, "--force"], "--force replaces a file, and none is named"),
        (&[foreign], "has no manifest.json, but other files, for example `letter.txt`"),
        (&[&file], "is a file; --parts needs a directory"),
    ] {
        let message = usage(&[&run[..], arguments].concat());
        assert!(message.contains(told), "{arguments:?}: {message}");
    }
    assert!(usage(&["well", "--t-end", "1", "--vary", "x=1..2:3", "--block", "3"]).contains("--parts"));
    assert!(usage(&["well", "--t-end", "1", "--vary", "x=1..2:3", "--format", "csv"]).contains("--parts"));
    let alone = parsed(&["well", "--t-end", "1", "--vary", "x=1..2:3"]);
    assert!(matches!(Parts::new(&CATALOG, &alone).err(), Some(Failure::Usage(text)) if text.contains("add --parts")));
    assert!(!Path::new(&inside).exists(), "nothing is written");
    fs::remove_dir_all(directory).expect("ours");
}

/// The message of a failure of the work.
fn work(result: Result<(), Failure>) -> String {
    match result {
        Err(Failure::Work(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_directory_in_use_and_damaged_parts_are_named() {
    let (directory, inside) = parts("damaged");
    let arguments = parsed(&[MIXED, &["--parts", &inside, "--block", "4"]].concat());
    let first = Parts::new(&CATALOG, &arguments).expect("right");
    let opened = first.open().expect("nobody else");
    assert!(work(sweep_in(&inside, &[])).contains("another run writes to it now"));
    drop(opened);
    // A file that cannot be written.
    let obstacle = Path::new(&inside).join("rows/part-000002.csv.partial");
    fs::create_dir(&obstacle).expect("writable");
    let message = work(sweep_in(&inside, &["--threads", "1"]));
    assert!(message.contains("cannot write `") && message.contains("part-000002.csv`"), "{message}");
    assert!(message.contains("2 of 9 blocks are complete in"), "{message}");
    fs::remove_dir(&obstacle).expect("empty");
    sweep_in(&inside, &[]).expect("it goes on");
    let whole = files(&inside);
    for (name, change, told) in [
        ("rows/part-000003.csv", "", "line 1 has other columns"),
        ("rows/part-000003.csv", "one line", "it has the ends of 3 members instead of 4"),
        ("rows/part-000003.csv", "another block", "the row of member 12 is not there"),
        ("work/part-000003.json", "", "it has no counters"),
    ] {
        let text = String::from_utf8(whole[name].clone()).expect("text");
        let text = match change {
            "one line" => text.lines().take(4).map(|line| format!("{line}\n")).collect(),
            "another block" => String::from_utf8(whole["rows/part-000004.csv"].clone()).expect("text"),
            other => other.to_owned(),
        };
        fs::write(Path::new(&inside).join(name), text).expect("writable");
        let message = work(sweep_in(&inside, &[]));
        assert!(message.contains(name) && message.contains(told) && message.contains("remove this file"), "{message}");
        fs::remove_file(Path::new(&inside).join(name)).expect("as the message says");
        sweep_in(&inside, &[]).expect("it is computed again");
        assert_eq!(files(&inside), whole);
    }
    fs::remove_dir_all(directory).expect("ours");
}

#[test]
#[cfg(feature = "parquet")]
fn parts_in_parquet_have_the_same_sums() {
    let (directory, inside) = parts("parquet");
    let run = [MIXED, &["--parts", &inside, "--format", "parquet", "--block", "8"]].concat();
    sweep(&run).expect("it works");
    let totals = || fs::read_to_string(Path::new(&inside).join("totals.json")).expect("there");
    assert_eq!(totals(), sums(MIXED));
    let whole = files(&inside);
    fs::remove_file(Path::new(&inside).join("rows/part-000001.parquet")).expect("ours");
    sweep(&run).expect("it is computed again");
    assert_eq!(files(&inside), whole);
    fs::remove_dir_all(directory).expect("ours");
}

/// Names the directory for a sweep in a process of its own.
#[cfg(unix)]
const CHILD: &str = "LAGRANGE_TEST_PARTS";

#[test]
#[cfg(unix)]
fn a_killed_run_goes_on_without_computing_a_complete_block_again() {
    let run = |directory: &str| {
        let run = ["well", "--t-end", "100", "--step", "1e-2", "--vary", "x=-0.9..0.9:60", "--parts", directory];
        sweep(&[&run[..], &["--block", "2", "--threads", "2"]].concat())
    };
    if let Ok(directory) = std::env::var(CHILD) {
        let failure = run(&directory).expect_err("it is cut short");
        eprintln!("{failure:?}");
        std::process::exit(if matches!(failure, Failure::Interrupted(_)) { 130 } else { 1 });
    }
    let (directory, whole) = parts("killed");
    run(&whole).expect("it works");
    for signal in ["KILL", "TERM"] {
        let cut = directory.join(signal).to_str().expect("text").to_owned();
        let child = std::process::Command::new(std::env::current_exe().expect("the test has a file"))
            .args([
                "--exact",
                "command::sweep::tests::parts::a_killed_run_goes_on_without_computing_a_complete_block_again",
            ])
            .arg("--nocapture")
            .env(CHILD, &cut)
            .stderr(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("it starts");
        let start = std::time::Instant::now();
        let complete = || {
            let names = fs::read_dir(Path::new(&cut).join("rows")).into_iter().flatten();
            let paths = names.map(|entry| entry.expect("readable").path());
            paths.filter(|path| path.extension().is_some_and(|end| end == "csv")).collect::<Vec<_>>()
        };
        while complete().len() < 3 {
            assert!(start.elapsed().as_secs() < 120, "no block was written");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let kill = std::process::Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(kill.expect("there is a `kill`").success());
        let output = child.wait_with_output().expect("it ends");
        let message = String::from_utf8_lossy(&output.stderr);
        let kept = complete();
        assert!(kept.len() < 30, "it was killed too late to test anything");
        if signal == "TERM" {
            assert_eq!(output.status.code(), Some(130), "{message}");
            let told = format!("{} of 30 blocks are complete in", kept.len());
            assert!(message.contains(&told) && message.contains("the same command goes on"), "{message}");
        }
        let times = || kept.iter().map(|path| fs::metadata(path).and_then(|data| data.modified()).expect("there"));
        let before: Vec<_> = times().collect();
        run(&cut).expect("it goes on");
        assert_eq!(times().collect::<Vec<_>>(), before, "complete blocks are not written again");
        let is_whole = |(name, _): &(String, Vec<u8>)| !name.ends_with(".partial");
        assert_eq!(files(&cut).into_iter().filter(is_whole).collect::<BTreeMap<_, _>>(), files(&whole));
    }
    fs::remove_dir_all(directory).expect("ours");
}
