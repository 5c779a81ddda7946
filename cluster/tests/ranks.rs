//! Checks that a sweep has the same files if one program computes it and if jobs of one, two and four processes do, also if processes
//! are killed on the way and the sweep is started again.
//!
//! The test starts itself under `mpirun` as the program of such a job. It therefore has a `main` of its own.

mod job;

use job::{Job, alone, files};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// The options of a sweep with sixty members. Those that start beyond x = 1 fail.
const SWEEP: &[&str] =
    &["sweep", "well", "--step", "1e-2", "--vary", "x=-0.9..1.1:60", "--set", "m=1.3", "--block", "2"];

/// The end of motions that take some hundredths of a second.
const SHORT: &str = "1000";

/// The end of motions that take so long that a process can be killed before a job has computed half of them.
const LONG: &str = "4000";

/// A function that tests, and gets a directory of its own.
type Test = fn(&Path);

/// The number of blocks.
const COUNT: usize = 30;

fn main() -> ExitCode {
    if let Some(code) = job::as_process() {
        return code;
    }
    let directory = std::env::temp_dir().join(format!("lagrange-cluster-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("the temporary directory is writable");
    let tests: &[(&str, Test)] = &[
        ("every_bit_is_the_same_for_any_number_of_processes_and_threads", any_number),
        ("a_lost_process_ends_the_job_and_the_next_one_goes_on", lost),
        ("a_process_that_cannot_write_ends_the_job_in_order", cannot_write),
        ("a_process_that_fails_stops_the_others", one_cannot_write),
        ("processes_that_do_not_fit_together_are_told", unlike),
        ("mistakes_are_told_once", mistakes),
    ];
    for (name, test) in tests {
        let own = directory.join(name);
        fs::create_dir_all(&own).expect("writable");
        // A panic of a test ends the program with its message and an exit code of its own.
        test(&own);
        println!("test {name} ... ok");
    }
    fs::remove_dir_all(directory).expect("ours");
    println!("\ntest result: ok. {} passed; 0 failed", tests.len());
    ExitCode::SUCCESS
}

/// The name of a file in a directory.
fn inside(directory: &Path, name: &str) -> String {
    directory.join(name).to_str().expect("text").to_owned()
}

/// The sweep in parts in this directory.
fn sweep<'a>(t_end: &'a str, parts: &'a str, threads: &'a str) -> Vec<&'a str> {
    [SWEEP, &["--t-end", t_end, "--parts", parts, "--threads", threads]].concat()
}

/// Computes the whole sweep in one process without MPI.
fn whole(t_end: &str, directory: &Path) -> job::Files {
    let parts = inside(directory, "whole");
    assert!(alone(&sweep(t_end, &parts, "1")).status.success());
    let files = files(&parts);
    assert_eq!(files.len(), 2 * COUNT + 3, "rows, work, manifest, totals and lock");
    files
}

fn any_number(directory: &Path) {
    let whole = whole(SHORT, directory);
    for (count, threads) in [(1, "2"), (2, "1"), (4, "3")] {
        let parts = inside(directory, &format!("by-{count}"));
        let output = Job::start(count, &[&sweep(SHORT, &parts, threads)[..], &["--json"]].concat()).end();
        assert_eq!(output.code, 0, "{}", output.errors);
        assert!(files(&parts) == whole, "{count} processes");
        let totals = String::from_utf8(whole["totals.json"].clone()).expect("text");
        assert_eq!(output.text, totals, "one process writes the sums");
    }
    // The same file of settings for any number of processes.
    let (parts, settings) = (inside(directory, "by-settings"), inside(directory, "sweep.toml"));
    let text = format!(
        "model = 'well'\nt-end = 1000\nstep = 1e-2\nblock = 2\nparts = '{parts}'\n[vary]\nx = '-0.9..1.1:60'\n[set]\nm = 1.3\n"
    );
    fs::write(&settings, text).expect("writable");
    let output = Job::start(2, &["sweep", "--settings", &settings]).end();
    assert_eq!(output.code, 0, "{}", output.errors);
    assert!(files(&parts) == whole);
    let again = alone(&["sweep", "--settings", &settings]);
    let text = String::from_utf8_lossy(&again.stderr);
    assert!(again.status.success() && text.contains("30 of 30 blocks are complete in"), "{text}");
}

fn lost(directory: &Path) {
    let whole = whole(LONG, directory);
    // The processes that are killed, each of a job of two. `None` is `mpirun`, which is asked to end.
    for (lost, next) in [(Some(1), 4), (Some(0), 2), (None, 1)] {
        let parts = inside(directory, &format!("lost-{next}"));
        let job = Job::start(2, &sweep(LONG, &parts, "1"));
        job.wait_for(&parts, 4);
        match lost {
            Some(rank) => job.kill("-KILL", job.process(rank)),
            None => job.kill("-TERM", job.id()),
        }
        let output = job.end();
        assert_ne!(output.code, 0, "{lost:?}: {}", output.errors);
        for told in ["of 30 blocks are complete in `", "the same command goes on with the others"] {
            assert!(output.errors.contains(told), "{lost:?}: {}", output.errors);
        }
        let kept = job::complete(&parts);
        assert!((4..COUNT).contains(&kept.len()), "{lost:?}: {} blocks are complete", kept.len());
        let output = Job::start(next, &sweep(LONG, &parts, "1")).end();
        assert_eq!(output.code, 0, "{}", output.errors);
        assert!(
            output.errors.contains(&format!("note: {} of 30 blocks are complete", kept.len())),
            "{}",
            output.errors
        );
        let after = job::complete(&parts);
        assert!(kept.iter().all(|(name, time)| after[name] == *time), "complete blocks are not written again");
        assert!(files(&parts) == whole, "{lost:?}");
    }
}

fn cannot_write(directory: &Path) {
    let whole = whole(SHORT, directory);
    let parts = inside(directory, "obstacle");
    // Whichever process gets this block cannot write it.
    let obstacle = Path::new(&parts).join("rows/part-000003.csv.partial");
    fs::create_dir_all(&obstacle).expect("writable");
    let output = Job::start(2, &sweep(SHORT, &parts, "1")).end();
    assert_eq!(output.code, 1, "{}", output.errors);
    for told in ["cannot write `", "part-000003.csv`", "of 30 blocks are complete in", "the same command goes on"] {
        assert!(output.errors.contains(told), "{}", output.errors);
    }
    assert_eq!(output.errors.matches("error: ").count(), 1, "{}", output.errors);
    fs::remove_dir(&obstacle).expect("empty");
    assert_eq!(Job::start(4, &sweep(SHORT, &parts, "1")).end().code, 0);
    assert!(files(&parts) == whole);
}

/// Each of two processes has a directory of its own, so that one of them can write and the other one cannot.
fn one_cannot_write(directory: &Path) {
    let manifest = &whole(SHORT, directory)["manifest.json"];
    for failing in [0, 1] {
        let places = [0, 1].map(|rank| directory.join(format!("failing-{failing}-rank-{rank}")));
        for (place, rank) in places.iter().zip(0..) {
            for part in ["rows", "work"] {
                fs::create_dir_all(place.join("parts").join(part)).expect("writable");
            }
            fs::write(place.join("parts/manifest.json"), manifest).expect("writable");
            for number in (0..COUNT).filter(|_| rank == failing) {
                let obstacle = format!("parts/rows/part-{number:06}.csv.partial");
                fs::create_dir(place.join(obstacle)).expect("writable");
            }
        }
        let output = Job::apart(places.each_ref(), &sweep(SHORT, "parts", "1")).end();
        assert_eq!(output.code, 1, "{}", output.errors);
        let told = output.errors.contains("process 1 on `");
        assert!(
            output.errors.contains("cannot write `parts/rows/part-") && told == (failing == 1),
            "{}",
            output.errors
        );
        let other = job::complete(&inside(&places[1 - failing], "parts"));
        assert!(other.len() < COUNT / 2, "the other process goes on: {}", other.len());
    }
}

fn unlike(directory: &Path) {
    let parts = inside(directory, "unlike");
    let output = Job::unlike(&sweep(SHORT, &parts, "1")).end();
    assert_eq!(output.code, 1, "{}", output.errors);
    assert!(output.errors.contains("process 1 on `"), "{}", output.errors);
    assert!(output.errors.contains("this program has other mechanisms"), "{}", output.errors);
    // A directory that only the first process has.
    let places = ["first", "second"].map(|name| directory.join(name));
    for place in &places {
        fs::create_dir(place).expect("writable");
    }
    let output = Job::apart(places.each_ref(), &sweep(SHORT, "parts", "1")).end();
    assert_eq!(output.code, 1, "{}", output.errors);
    assert!(output.errors.contains("process 1 on `"), "{}", output.errors);
    assert!(output.errors.contains("must be on a file system that all machines share"), "{}", output.errors);
}

fn mistakes(directory: &Path) {
    let parts = inside(directory, "mistakes");
    let other = inside(directory, "sweep.toml");
    fs::write(&other, "modell = 'well'\n").expect("writable");
    for (arguments, code, told) in [
        (&["sweep", "well", "--t-end", "1", "--vary", "x=0..1:3"][..], 2, "add --parts DIRECTORY"),
        (&["sweep", "wel", "--t-end", "1", "--vary", "x=0..1:3", "--parts", &parts], 2, "did you mean `well`?"),
        (&["sweep", "well", "--t-end", "1", "--parts", &parts], 2, "required arguments were not provided"),
        (&["sweep", "--settings", &other], 2, "no setting `modell`; did you mean `model`?"),
        (&["simulate", "well"], 2, "unrecognized subcommand"),
    ] {
        let output = Job::start(2, arguments).end();
        assert_eq!(output.code, code, "{arguments:?}: {}", output.errors);
        assert_eq!(output.errors.matches(told).count(), 1, "{arguments:?}: {}", output.errors);
    }
    let help = Job::start(2, &["sweep", "--help"]).end();
    assert_eq!(
        (help.code, help.text.matches("write the ends of its motions in parts").count()),
        (0, 1),
        "{}",
        help.text
    );
    assert!(!Path::new(&parts).exists());
}
