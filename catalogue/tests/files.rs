//! Files of the program `lagrange` when something goes wrong: a killed process, two processes with one file, a full disk.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A directory of this test's own, which is empty.
fn directory(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("files-{name}"));
    _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("the temporary directory is writable");
    directory
}

fn start(arguments: &str, file: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_lagrange"))
        .args(arguments.split(' '))
        .arg(file)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Writes the file, which must work, and returns what it has.
fn written(arguments: &str, file: &Path) -> String {
    let output = start(arguments, file).wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(file).expect("it is written")
}

/// The names in a directory, in order.
fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("it is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_killed_process_leaves_the_former_file_as_it_was() {
    let directory = directory("killed");
    let file = directory.join("orbit.csv");
    let before = written("simulate kepler --t-end 1 --points 11 --csv", &file);
    let mut child = start("simulate kepler --t-end 1e7 --force --csv", &file);
    let begun = Instant::now();
    while names(&directory).len() < 2 {
        assert!(begun.elapsed() < Duration::from_secs(120), "no row was written: {:?}", names(&directory));
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it still runs");
    child.wait().expect("it ends");
    assert_eq!(std::fs::read_to_string(&file).expect("there"), before, "the former file is whole");
    let left = names(&directory);
    assert!(left.len() == 2 && left[1].ends_with(".partial"), "{left:?}");
    // What was left does not stand in the way of the next run.
    assert_ne!(written("simulate kepler --t-end 1 --points 5 --force --csv", &file), before);
}

#[test]
fn two_processes_with_one_file_do_not_mix() {
    let directory = directory("two");
    let file = directory.join("orbit.csv");
    let runs = [
        "simulate kepler --t-end 400 --force --points 20001 --csv",
        "simulate kepler --t-end 300 --force --points 20001 --csv",
    ];
    let alone = runs.map(|run| written(run, &file));
    for _ in 0..4 {
        let children = runs.map(|run| start(run, &file));
        for child in children {
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        let found = std::fs::read_to_string(&file).expect("there");
        assert!(alone.contains(&found), "the file is that of one run as a whole");
        assert_eq!(names(&directory), ["orbit.csv"], "nothing else is left");
    }
}

/// On a full disk each command that writes a file fails, and says which file it could not write.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    for arguments in [
        "simulate kepler --t-end 1 --csv",
        "simulate bouncing-ball --t-end 1 --instants",
        "sweep kepler --t-end 1 --vary x=0.5..1:3 --csv",
        "section kepler --t-end 20 --at y=0 --output /dev/null --csv",
    ] {
        let output = start(arguments, Path::new("/dev/full")).wait_with_output().expect("it ends");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {message}");
        assert!(message.contains("cannot write `/dev/full`"), "{arguments}: {message}");
    }
}
