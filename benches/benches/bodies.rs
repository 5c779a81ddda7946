//! What do trees of bodies in space cost, beside the articulated-body algorithm of Pinocchio in the same run?
//!
//! ```text
//! PINOCCHIO_PREFIX=… cargo bench -p lagrange-benches --bench bodies                       arms of 6, 12 and 24 joints, a biped, a humanoid
//! PINOCCHIO_PREFIX=… cargo bench -p lagrange-benches --bench bodies -- 6 humanoid         some of them, or arms of other sizes
//! ```
//!
//! Each tree is a crate of its own, built in release mode for the machine's own processor, and so is Pinocchio. `PINOCCHIO_PREFIX` is the
//! folder with its `include` and `lib`: of the package `pin` of PyPI, `cmeel.prefix` among the site packages. Eigen and Boost come from
//! `libeigen3-dev` and `libboost-dev` of Debian. The least times of five rounds in turn are printed, because every disturbance adds time, and the ratios of these
//! least times. A free base has three positions and three angles here, and is a free-flyer in Pinocchio. Its forces are no inputs here, so that the derivatives by
//! torques have as many columns as there are driven joints; Pinocchio's have all.

use lagrange_benches::tree::Tree;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn Error>>;

const ROUNDS: usize = 5;

/// The compile time of lanes grows with the operations of an acceleration.
const MOST_COORDINATES_IN_LANES: usize = 12;

/// What Pinocchio's headers need of the preprocessor.
const DEFINITIONS: [&str; 5] = [
    "-DNDEBUG",
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
];

fn main() -> Outcome<()> {
    let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).canonicalize()?;
    let root = workspace.join("target/bodies");
    std::fs::create_dir_all(&root)?;
    let pinocchio = match std::env::var_os("PINOCCHIO_PREFIX") {
        Some(prefix) => Some(pinocchio(&workspace, &root, Path::new(&prefix))?),
        None => {
            println!("PINOCCHIO IS NOT COMPARED: PINOCCHIO_PREFIX, the folder with its include and lib, is not set.");
            None
        }
    };
    println!(
        "nanoseconds: acceleration, all its derivatives by q, v and torques, inverse dynamics; acceleration for each of eight lanes; RK4 steps a second"
    );
    for tree in trees() {
        compare(&workspace, &root, &tree, pinocchio.as_deref())?;
    }
    Ok(())
}

/// The trees that the arguments name, or all.
fn trees() -> Vec<Tree> {
    let named = |argument: String| match argument.as_str() {
        "biped" => Some(Tree::biped()),
        "humanoid" => Some(Tree::humanoid()),
        number => number.parse().ok().map(Tree::arm),
    };
    let named: Vec<Tree> = std::env::args().skip(1).filter_map(named).collect();
    if named.is_empty() {
        return vec![Tree::arm(6), Tree::arm(12), Tree::arm(24), Tree::biped(), Tree::humanoid()];
    }
    named
}

/// Prints the least times of a tree, of Pinocchio, and their ratios.
fn compare(workspace: &Path, root: &Path, tree: &Tree, pinocchio: Option<&Path>) -> Outcome<()> {
    let (program, seconds) = ours(workspace, root, tree)?;
    let (mut own, mut other, mut steps) = ([f64::INFINITY; 4], [f64::INFINITY; 3], 0.0_f64);
    for _ in 0..ROUNDS {
        let (first, times) = run(&program, &[])?;
        let [times @ .., rate] =
            <[f64; 5]>::try_from(times).map_err(|times| format!("five numbers are needed: {times:?}"))?;
        own = std::array::from_fn(|k| own[k].min(times[k]));
        steps = steps.max(rate);
        let Some(pinocchio) = pinocchio else { continue };
        let (second, times) = run(pinocchio, &tree.arguments())?;
        let times = <[f64; 3]>::try_from(times).map_err(|times| format!("three times are needed: {times:?}"))?;
        other = std::array::from_fn(|k| other[k].min(times[k]));
        let size = first.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
        if first.len() != tree.coordinates() || first.iter().zip(&second).any(|(a, b)| (a - b).abs() > 1e-9 * size) {
            return Err(format!("the accelerations differ: {first:?} {second:?}").into());
        }
    }
    println!("{}, build {seconds:.1} s: {own:.0?}, {steps:.0} steps", tree.name);
    if pinocchio.is_some() {
        let ratios = own.iter().zip([other[0], other[1], other[2], other[0]]).map(|(a, b)| format!("{:.2}", a / b));
        println!("    Pinocchio: {other:.0?}, ratios {}", ratios.collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

/// Builds the program of a tree. Returns it with the wall time of rustc.
fn ours(workspace: &Path, root: &Path, tree: &Tree) -> Outcome<(PathBuf, f64)> {
    let name: String = tree.name.chars().filter(char::is_ascii_alphanumeric).collect();
    let folder = root.join(&name);
    std::fs::create_dir_all(folder.join("src"))?;
    let runtime = workspace.join("lagrange-runtime");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nlagrange-runtime = {{ path = {:?} }}\n[workspace]\n",
        runtime.display().to_string()
    );
    std::fs::write(folder.join("Cargo.toml"), manifest)?;
    std::fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let in_lanes = if tree.coordinates() <= MOST_COORDINATES_IN_LANES {
        include_str!("../src/bodies/lanes.rs")
    } else {
        "\nfn lanes(_: &Tree) -> f64 {\n    f64::NAN\n}\n"
    };
    let program = tree.program(&format!("{}{in_lanes}", include_str!("../src/bodies/time.rs")));
    let build = |source: &str| -> Outcome<f64> {
        std::fs::write(folder.join("src/main.rs"), source)?;
        let start = Instant::now();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(["build", "--quiet", "--release"])
            .current_dir(&folder)
            .env("CARGO_TARGET_DIR", root.join("target"))
            .env("RUSTFLAGS", "-C target-cpu=native")
            .status()?;
        if status.success() { Ok(start.elapsed().as_secs_f64()) } else { Err("rustc fails".into()) }
    };
    // The dependencies first.
    build("fn main() {}\n")?;
    let seconds = build(&program)?;
    Ok((root.join("target/release").join(name), seconds))
}

/// Builds the program that uses Pinocchio, unless it is newer than its source: the compiler takes minutes for Pinocchio's headers.
fn pinocchio(workspace: &Path, root: &Path, prefix: &Path) -> Outcome<PathBuf> {
    let program = root.join("pinocchio");
    let source = workspace.join("benches/c/bodies.cpp");
    let changed = |path: &Path| path.metadata().and_then(|about| about.modified());
    if changed(&program).is_ok_and(|built| changed(&source).is_ok_and(|written| written < built)) {
        return Ok(program);
    }
    let (include, lib) = (prefix.join("include"), prefix.join("lib"));
    let status = Command::new("g++")
        .args(["-std=c++17", "-O3", "-march=native", "-w"])
        .args(DEFINITIONS)
        .arg("-I")
        .arg(include)
        .args(["-I", "/usr/include/eigen3"])
        .arg(source)
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(&lib)
        .arg("-lpinocchio_default")
        .arg(format!("-Wl,-rpath,{}", lib.display()))
        .status()?;
    if status.success() { Ok(program) } else { Err("the program that uses Pinocchio does not compile".into()) }
}

/// The accelerations and the times that a program prints.
fn run(program: &Path, arguments: &[String]) -> Outcome<(Vec<f64>, Vec<f64>)> {
    let output = Command::new(program).args(arguments).output()?;
    let text = String::from_utf8(output.stdout)?;
    let mut lines = text.lines().map(|line| line.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>());
    let (Some(accelerations), Some(times)) = (lines.next().transpose()?, lines.next().transpose()?) else {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} prints no times: {reason}", program.display()).into());
    };
    Ok((accelerations, times))
}
