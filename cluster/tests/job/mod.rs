//! Jobs of several processes, which are this program under `mpirun`.

use lagrange_cli::catalog::{Catalog, Entry};
use lagrange_runtime::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Output, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

/// A body that flies away if it starts beyond x = 1, and otherwise swings.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*(x^2/2 - x^4/4);
}]
#[derive(Clone, Debug)]
struct Well {
    m: f64,
    k: f64,
}

static CATALOG: Catalog =
    Catalog::new(&[&Entry::free("well", || Well { m: 1.0, k: 1.0 }, || State::new(0.0, [0.5], [0.0]))]);

/// A catalogue in which the same mechanism has another stiffness.
static OTHER: Catalog =
    Catalog::new(&[&Entry::free("well", || Well { m: 1.0, k: 2.0 }, || State::new(0.0, [0.5], [0.0]))]);

/// The environment variable that names the role of this program.
const ROLE: &str = "LAGRANGE_TEST_ROLE";

/// The time after which a test takes a job for hung and fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs this program in the role that its environment names, if any.
pub(crate) fn as_process() -> Option<ExitCode> {
    match std::env::var(ROLE).ok()?.as_str() {
        "alone" => Some(lagrange_cli::run(&CATALOG)),
        "other" => Some(lagrange_cluster::run(&OTHER)),
        _ => Some(lagrange_cluster::run(&CATALOG)),
    }
}

fn program() -> String {
    std::env::current_exe().expect("the test has a file").to_str().expect("text").to_owned()
}

/// Runs the command line without MPI.
pub(crate) fn alone(arguments: &[&str]) -> Output {
    Command::new(program()).args(arguments).env(ROLE, "alone").output().expect("it starts")
}

/// A job of several processes.
pub(crate) struct Job {
    mpirun: Child,
    text: JoinHandle<String>,
    errors: JoinHandle<String>,
}

/// The exit code and the texts of a job that has ended.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) text: String,
    pub(crate) errors: String,
}

impl Job {
    /// Starts a job of this number of processes with these arguments.
    pub(crate) fn start(count: usize, arguments: &[&str]) -> Self {
        let program = program();
        Self::mpirun(&[&["-n", &count.to_string(), &program], arguments].concat())
    }

    /// Starts two processes with these arguments, the second of which has another catalogue.
    pub(crate) fn unlike(arguments: &[&str]) -> Self {
        let program = program();
        let role = format!("{ROLE}=other");
        let first = [&["-n", "1", &program], arguments].concat();
        let second = [&["-n", "1", "env", &role, &program], arguments].concat();
        Self::mpirun(&[&first[..], &[":"], &second].concat())
    }

    /// Starts two processes with these arguments, each in a directory of its own.
    pub(crate) fn apart(places: [&PathBuf; 2], arguments: &[&str]) -> Self {
        let program = program();
        let [first, second] = places.map(|place| {
            let place = place.to_str().expect("text");
            [&["-n", "1", "-wdir", place, &program], arguments].concat()
        });
        Self::mpirun(&[&first[..], &[":"], &second].concat())
    }

    fn mpirun(arguments: &[&str]) -> Self {
        // Open MPI refuses to start as root, and more processes than there are cores, unless it is told otherwise.
        let mut mpirun = Command::new("mpirun")
            .args(arguments)
            .envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")])
            .envs([("OMPI_MCA_rmaps_base_oversubscribe", "1"), ("OMPI_MCA_hwloc_base_binding_policy", "none")])
            .env(ROLE, "process")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("there is an `mpirun`");
        let text = read(mpirun.stdout.take().expect("piped"));
        let errors = read(mpirun.stderr.take().expect("piped"));
        Self { mpirun, text, errors }
    }

    /// The process of `mpirun`.
    pub(crate) fn id(&self) -> u32 {
        self.mpirun.id()
    }

    /// Waits until this number of blocks is complete.
    pub(crate) fn wait_for(&self, parts: &str, count: usize) {
        let start = Instant::now();
        while complete(parts).len() < count {
            assert!(start.elapsed() < PATIENCE, "no block was written");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The process of this rank.
    pub(crate) fn process(&self, rank: usize) -> u32 {
        let id = self.id();
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).expect("Linux has it");
        let names = ["OMPI_COMM_WORLD_RANK", "PMI_RANK"].map(|name| format!("{name}={rank}"));
        let is_it = |id: &u32| {
            let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|entry| names.iter().any(|name| name.as_bytes() == entry))
        };
        let mut children = children.split_whitespace().map(|id| id.parse().expect("a number"));
        children.find(is_it).expect("the process is a child of `mpirun`")
    }

    /// Sends a signal to a process of the job.
    pub(crate) fn kill(&self, signal: &str, process: u32) {
        assert!(Command::new("kill").args([signal, &process.to_string()]).status().expect("it starts").success());
    }

    /// Waits until the job has ended.
    pub(crate) fn end(mut self) -> Ended {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.mpirun.try_wait().expect("ours") {
                break status;
            }
            if start.elapsed() > PATIENCE {
                self.mpirun.kill().expect("ours");
                panic!("the job hangs: {}", self.errors.join().expect("read"));
            }
            thread::sleep(Duration::from_millis(5));
        };
        let [text, errors] = [self.text, self.errors].map(|reader| reader.join().expect("read"));
        Ended { code: status.code().unwrap_or(-1), text, errors }
    }
}

/// Reads everything from a pipe.
fn read(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("readable");
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The files of a directory by their names in it.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// All files of a sweep in parts, without those that a killed process left unfinished.
pub(crate) fn files(parts: &str) -> Files {
    let mut found = Files::new();
    for directory in ["", "rows", "work"] {
        for entry in fs::read_dir(Path::new(parts).join(directory)).expect("there") {
            let path = entry.expect("readable").path();
            if path.is_file() && path.extension().is_none_or(|end| end != "partial") {
                let name = path.strip_prefix(parts).expect("inside").to_str().expect("text").to_owned();
                found.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    found
}

/// The tables that are complete, with the times at which they were written.
pub(crate) fn complete(parts: &str) -> BTreeMap<String, SystemTime> {
    let entries = fs::read_dir(Path::new(parts).join("rows")).into_iter().flatten().flatten();
    let tables = entries.filter(|entry| entry.path().extension().is_some_and(|end| end == "csv"));
    tables
        .filter_map(|entry| {
            let time = entry.metadata().and_then(|data| data.modified()).ok()?;
            Some((entry.file_name().to_string_lossy().into_owned(), time))
        })
        .collect()
}
