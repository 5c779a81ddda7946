//! The same sweep by one program, and by jobs of one, two and four processes, of which some are lost on the way.
//!
//! The test starts itself under `mpirun` as the program of such a job. It therefore has a `main` of its own.

mod job;

use job::{Job, alone, files};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// Sixty members, each of which takes a hundredth of a second or more. Those beyond x = 1 fail.
const SWEEP: &[&str] = &[
    "sweep",
    "well",
    "--t-end",
    "1000",
    "--step",
    "1e-2",
    "--vary",
    "x=-0.9..1.1:60",
    "--set",
    "m=1.3",
    "--block",
    "2",
];

/// A test, with a directory of its own.
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
fn sweep<'a>(parts: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [SWEEP, &["--parts", parts], more].concat()
}

/// Computes the whole sweep in one process without MPI.
fn whole(directory: &Path) -> job::Files {
    let parts = inside(directory, "whole");
    assert!(alone(&sweep(&parts, &["--threads", "1"])).status.success());
    let files = files(&parts);
    assert_eq!(files.len(), 2 * COUNT + 3, "rows, work, manifest, totals and lock");
    files
}

fn any_number(directory: &Path) {
    let whole = whole(directory);
    for (count, threads) in [(1, "2"), (2, "1"), (4, "3")] {
        let parts = inside(directory, &format!("by-{count}"));
        let output = Job::start(count, &sweep(&parts, &["--threads", threads, "--json"])).end();
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
    let whole = whole(directory);
    // The processes that are killed, each of a job of two. `None` is `mpirun`, which is asked to end.
    for (lost, next) in [(Some(1), 4), (Some(0), 2), (None, 1)] {
        let parts = inside(directory, &format!("lost-{next}"));
        let job = Job::start(2, &sweep(&parts, &["--threads", "1"]));
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
        let output = Job::start(next, &sweep(&parts, &["--threads", "1"])).end();
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
    let whole = whole(directory);
    let parts = inside(directory, "obstacle");
    // Whichever process gets this block cannot write it.
    let obstacle = Path::new(&parts).join("rows/part-000003.csv.partial");
    fs::create_dir_all(&obstacle).expect("writable");
    let output = Job::start(2, &sweep(&parts, &["--threads", "1"])).end();
    assert_eq!(output.code, 1, "{}", output.errors);
    for told in ["cannot write `", "part-000003.csv`", "of 30 blocks are complete in", "the same command goes on"] {
        assert!(output.errors.contains(told), "{}", output.errors);
    }
    assert_eq!(output.errors.matches("error: ").count(), 1, "{}", output.errors);
    assert!(job::complete(&parts).len() < COUNT / 2, "the others go on: {}", output.errors);
    fs::remove_dir(&obstacle).expect("empty");
    assert_eq!(Job::start(4, &sweep(&parts, &["--threads", "1"])).end().code, 0);
    assert!(files(&parts) == whole);
}

fn unlike(directory: &Path) {
    let parts = inside(directory, "unlike");
    let output = Job::unlike(&sweep(&parts, &["--threads", "1"])).end();
    assert_eq!(output.code, 1, "{}", output.errors);
    assert!(output.errors.contains("process 1 on `"), "{}", output.errors);
    assert!(output.errors.contains("this program has other mechanisms"), "{}", output.errors);
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
