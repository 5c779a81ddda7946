//! What does a user's crate cost to compile: four mechanisms by five methods, and bodies in space by one, each a crate of its own?
//!
//! ```text
//! cargo bench -p lagrange-benches --bench compile                        the table
//! cargo bench -p lagrange-benches --bench compile -- --record            the table, and writes it to `COMPILE.md`
//! cargo bench -p lagrange-benches --bench compile -- --functions NAME    what one method instantiates for the double pendulum, by module
//! ```
//!
//! Each crate calls `solve` once. Its dependencies are built before. The times are the processor's, in user mode, of `cargo` and `rustc`, in
//! release mode and in debug mode: they do not count what other programs do. The lines are those of LLVM's intermediate representation before optimisation, which do not
//! depend on the machine.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use lagrange_benches::tree::Tree;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A mechanism: its name, its block and fields, and its initial state.
struct Model {
    name: &'static str,
    block: &'static str,
    fields: &'static [(&'static str, f64)],
    q: &'static str,
    v: &'static str,
}

impl Model {
    /// A program that contains the mechanism, and that calls `solve` with the method if there is one.
    fn program(&self, method: Option<&str>) -> String {
        let fields: String = self.fields.iter().map(|(name, _)| format!("{name}: f64, ")).collect();
        let values: String = self.fields.iter().map(|(name, value)| format!("{name}: {value:?}, ")).collect();
        let run = method.map_or(String::new(), |method| {
            format!(
                "let system = Model {{ {values} }}.prepare::<f64>()?;\n    let start = State::new(0.0, {}, {});\n    \
                 let solution = solve(&system, start, 10.0, &{method}, &Options::default())?;\n    \
                 println!(\"{{:?}}\", solution.last());\n    ",
                self.q, self.v
            )
        });
        format!(
            "#![allow(dead_code, unused_imports)]\nuse lagrange_runtime::prelude::*;\n\n#[lagrangian {{ {} }}]\nstruct Model {{ {fields} }}\n\n\
             fn main() -> Result<(), Box<dyn std::error::Error>> {{\n    {run}Ok(())\n}}\n",
            self.block
        )
    }
}

const MODELS: [Model; 4] = [
    Model {
        name: "pendulum",
        block: "coordinates a; kinetic = m*l^2*dot(a)^2/2; potential = -m*g*l*cos(a);",
        fields: &[("m", 1.0), ("l", 1.0), ("g", 9.81)],
        q: "[1.0]",
        v: "[0.0]",
    },
    Model {
        name: "double pendulum",
        block: "coordinates a, b; let upper = l*[sin(a), -cos(a)]; let lower = upper + l*[sin(b), -cos(b)]; \
                kinetic = m*(norm2(dot(upper)) + norm2(dot(lower)))/2; potential = m*g*(upper[1] + lower[1]);",
        fields: &[("m", 1.0), ("l", 1.0), ("g", 9.81)],
        q: "[1.0, 0.5]",
        v: "[0.0, 0.0]",
    },
    Model {
        name: "spherical pendulum, constrained",
        block: "coordinates x, y, z; kinetic = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2; potential = m*g*z; \
                constraint rod: x^2 + y^2 + z^2 == l^2;",
        fields: &[("m", 1.0), ("l", 1.0), ("g", 9.81)],
        q: "[0.6, 0.0, -0.8]",
        v: "[0.0, 1.0, 0.0]",
    },
    Model {
        name: "chain of eight",
        block: "const n = 8; coordinates a[n]; let p[0] = l*[sin(a[0]), -cos(a[0])]; \
                let p[i in 1..n] = p[i - 1] + l*[sin(a[i]), -cos(a[i])]; \
                kinetic = sum(i in 0..n, m*norm2(dot(p[i]))/2); potential = g*sum(i in 0..n, m*p[i][1]);",
        fields: &[("m", 1.0), ("l", 1.0), ("g", 9.81)],
        q: "[0.1; 8]",
        v: "[0.0; 8]",
    },
];

/// The methods, and the expressions that make them.
const METHODS: [(&str, &str); 5] = [
    ("RK4", "Rk4::new(0.01)"),
    ("Dormand–Prince 5(4)", "DormandPrince5::new()"),
    ("variational midpoint", "VariationalMidpoint::new(0.01)"),
    ("RATTLE", "Rattle::new(0.01)"),
    ("Gauss, 2 stages", "Gauss::<f64, 2>::new(0.01)"),
];

/// The table.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/COMPILE.md");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let wanted = arguments.iter().position(|argument| argument == "--functions").map(|at| arguments.get(at + 1));
    let done = match wanted {
        Some(name) => functions(name.map_or("", |name| name)),
        None => table(arguments.iter().any(|argument| argument == "--record")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("compile: {error}");
            ExitCode::FAILURE
        }
    }
}

fn table(record: bool) -> Outcome<()> {
    let package = Package::new()?;
    let mut text = String::from(
        "# Compile cost\n\nMade by `cargo bench -p lagrange-benches --bench compile -- --record`: a crate with one mechanism and one \
         method, whose dependencies are built. Time of the processor in user mode, in release mode and in debug mode. Lines of LLVM's \
         intermediate representation in release mode before optimisation: all, and those of functions that were derived for the mechanism.\n\n\
         | mechanism | method | release, s | debug, s | lines | of these derived |\n|---|---|---:|---:|---:|---:|\n",
    );
    let mut row = |mechanism: &str, method: &str, program: &str| -> Outcome<()> {
        let Cost { release, debug, lines } = package.cost(program)?;
        let all: usize = lines.values().sum();
        let derived: usize = lines.iter().filter(|(name, _)| name.contains("__derived")).map(|(_, lines)| lines).sum();
        println!("{mechanism:<34}{method:<28}{release:>8.2}{debug:>8.2}{all:>10}{derived:>10}");
        writeln!(text, "| {mechanism} | {method} | {release:.2} | {debug:.2} | {all} | {derived} |")?;
        Ok(())
    };
    for model in &MODELS {
        row(model.name, "none, the mechanism alone", &model.program(None))?;
        for (method, make) in METHODS {
            row(model.name, method, &model.program(Some(make)))?;
        }
    }
    for tree in [Tree::arm(6), Tree::biped(), Tree::humanoid()] {
        row(&tree.name, "RK4", &tree.program(include_str!("../src/bodies/solve.rs")))?;
    }
    if record {
        std::fs::write(FILE, text)?;
    }
    Ok(())
}

/// Prints the functions that a method instantiates for the double pendulum, those with most lines first.
fn functions(name: &str) -> Outcome<()> {
    let names: Vec<&str> = METHODS.iter().map(|(known, _)| *known).collect();
    let (_, method) =
        METHODS.iter().find(|(known, _)| *known == name).ok_or(format!("methods: {}", names.join(", ")))?;
    let Cost { lines, .. } = Package::new()?.cost(&MODELS[1].program(Some(method)))?;
    let mut modules: BTreeMap<String, usize> = BTreeMap::new();
    for (name, count) in &lines {
        *modules.entry(module(name)).or_insert(0) += count;
    }
    let all: usize = lines.values().sum();
    println!("{all:>8} all");
    for group in [modules, lines] {
        let mut group: Vec<(String, usize)> = group.into_iter().collect();
        group.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        println!();
        for (name, count) in group.iter().take(40) {
            println!("{count:>8} {name}");
        }
    }
    Ok(())
}

/// The module of the runtime to which a function belongs, from its mangled name; or the crate.
fn module(name: &str) -> String {
    if name.contains("__derived") {
        return "derived".to_owned();
    }
    let Some((_, rest)) = name.split_once("lagrange_runtime") else {
        let other = ["nalgebra", "core", "alloc", "std"].into_iter().find(|crate_name| name.contains(crate_name));
        return other.unwrap_or("other").to_owned();
    };
    let word = rest.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let end = word.find(|c: char| !(c.is_ascii_lowercase() || c == '_')).unwrap_or(word.len());
    format!("lagrange_runtime::{}", &word[..end])
}

/// The seconds of the processor in user mode for a program, and the lines of each function.
struct Cost {
    release: f64,
    debug: f64,
    lines: BTreeMap<String, usize>,
}

/// A crate outside the workspace, whose `main.rs` is written again for each case.
struct Package {
    root: PathBuf,
}

impl Package {
    /// Writes the crate and builds what it depends on.
    fn new() -> Outcome<Self> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no workspace")?;
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or(workspace.join("target"), PathBuf::from);
        let root = target.join("compile-cost");
        std::fs::create_dir_all(root.join("src"))?;
        let runtime = workspace.join("lagrange-runtime");
        let manifest = format!(
            "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nlagrange-runtime = {{ path = {:?} }}\n\n[workspace]\n",
            runtime.display().to_string()
        );
        std::fs::write(root.join("Cargo.toml"), manifest)?;
        std::fs::copy(workspace.join("Cargo.lock"), root.join("Cargo.lock"))?;
        let package = Self { root };
        std::fs::write(package.root.join("src/main.rs"), "fn main() {}\n")?;
        package.build("--release", "")?;
        package.build("", "")?;
        Ok(package)
    }

    /// What a program costs.
    fn cost(&self, program: &str) -> Outcome<Cost> {
        std::fs::write(self.root.join("src/main.rs"), program)?;
        let (release, debug) = (self.build("--release", "")?, self.build("", "")?);
        self.build("--release", "--emit=llvm-ir -C no-prepopulate-passes -C codegen-units=1")?;
        Ok(Cost { release, debug, lines: self.lines()? })
    }

    /// Compiles the crate, and gives the seconds of the processor in user mode. Nothing is kept of what another program of this crate cost.
    fn build(&self, profile: &str, flags: &str) -> Outcome<f64> {
        let script = format!(
            "TIMEFORMAT=%U; time CARGO_INCREMENTAL=0 cargo rustc --quiet {profile} --target-dir target -- {flags} 2>build.log"
        );
        let run = Command::new("bash").args(["-c", &script]).current_dir(&self.root).output()?;
        if !run.status.success() {
            return Err(std::fs::read_to_string(self.root.join("build.log"))?.into());
        }
        Ok(String::from_utf8(run.stderr)?.trim().parse()?)
    }

    /// The lines of each function in the intermediate representation.
    fn lines(&self) -> Outcome<BTreeMap<String, usize>> {
        let mut lines = BTreeMap::new();
        for entry in std::fs::read_dir(self.root.join("target/release/deps"))? {
            let path = entry?.path();
            let is_own = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("user-"));
            if !is_own || path.extension().is_none_or(|extension| extension != "ll") {
                continue;
            }
            let mut current: Option<String> = None;
            for line in std::fs::read_to_string(&path)?.lines() {
                if line.starts_with("define ") {
                    current = line.split_once('@').and_then(|(_, rest)| Some(rest.split_once('(')?.0.to_owned()));
                }
                if let Some(name) = &current {
                    *lines.entry(name.clone()).or_insert(0) += 1;
                }
                if line == "}" {
                    current = None;
                }
            }
            std::fs::remove_file(path)?;
        }
        Ok(lines)
    }
}
