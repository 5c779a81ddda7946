//! What does an arm of n bodies in space cost, beside the articulated-body algorithm of Pinocchio in the same run?
//!
//! ```text
//! PINOCCHIO_PREFIX=… cargo bench -p lagrange-benches --bench bodies           6, 12 and 24 joints
//! PINOCCHIO_PREFIX=… cargo bench -p lagrange-benches --bench bodies -- 6      other sizes
//! ```
//!
//! Each arm is a crate of its own, built in release mode for the machine's own processor, and so is Pinocchio. `PINOCCHIO_PREFIX` is the
//! folder with its `include` and `lib`: of the package `pin` of PyPI, `cmeel.prefix` among the site packages. Eigen and Boost come from
//! `libeigen3-dev` and `libboost-dev` of Debian. The medians of five rounds in turn are printed, and their ratios.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn Error>>;

const ROUNDS: usize = 5;

/// What Pinocchio's headers need of the preprocessor.
const DEFINITIONS: [&str; 5] = [
    "-DNDEBUG",
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
];

fn main() -> Outcome<()> {
    let named: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if named.is_empty() { vec![6, 12, 24] } else { named };
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
    println!("nanoseconds: acceleration, all its derivatives by q, v and torques, inverse dynamics");
    for &n in &sizes {
        let (ours, seconds) = arm(&workspace, &root, n)?;
        let mut rounds: [Vec<[f64; 3]>; 2] = Default::default();
        for _ in 0..ROUNDS {
            let (first, times) = run(&ours, &[])?;
            rounds[0].push(times);
            if let Some(program) = &pinocchio {
                let (second, times) = run(program, &[&n.to_string()])?;
                rounds[1].push(times);
                let size = first.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
                if first.len() != n || first.iter().zip(&second).any(|(a, b)| (a - b).abs() > 1e-9 * size) {
                    return Err(format!("the accelerations differ: {first:?} {second:?}").into());
                }
            }
        }
        let [ours, theirs] = rounds.map(median);
        println!("{n:>3} joints, build {seconds:.1} s: {ours:.0?}");
        if pinocchio.is_some() {
            let ratios: Vec<String> = ours.iter().zip(&theirs).map(|(a, b)| format!("{:.2}", a / b)).collect();
            println!("    Pinocchio: {theirs:.0?}, ratios {}", ratios.join(", "));
        }
    }
    Ok(())
}

fn median(rounds: Vec<[f64; 3]>) -> [f64; 3] {
    [0, 1, 2].map(|k| {
        let mut column: Vec<f64> = rounds.iter().map(|round| round[k]).collect();
        column.sort_by(f64::total_cmp);
        column.get(column.len() / 2).copied().unwrap_or(f64::NAN)
    })
}

/// Builds the program of an arm. Returns it with the wall time of rustc.
fn arm(workspace: &Path, root: &Path, n: usize) -> Outcome<(PathBuf, f64)> {
    let axes: Vec<&str> = ["z", "y", "y", "x", "y", "x"].into_iter().cycle().take(n).collect();
    let mut block = format!("coordinates q[{n}];\n");
    for (i, axis) in axes.iter().enumerate() {
        let (frame, place) = if i == 0 {
            (String::new(), String::new())
        } else {
            (format!("r[{}]*", i - 1), format!("x[{}] + ", i - 1))
        };
        block += &format!("    let r[{i}] = {frame}rotation_{axis}(q[{i}]);\n");
        block += &format!("    let x[{i}] = {place}r[{i}]*[0, 0, l[{i}]];\n    let c[{i}] = {place}r[{i}]*com[{i}];\n");
    }
    block += &format!(
        "    kinetic = sum(i in 0..{n}, rigid_body_energy(m[i], j[i], c[i], r[i]));
    potential = g*sum(i in 0..{n}, m[i]*c[i][2]);
    force q[i in 0..{n}] = tau[i];"
    );
    let fields = format!(
        "m: [f64; {n}], l: [f64; {n}], com: [[f64; 3]; {n}], j: [[[f64; 3]; 3]; {n}], g: f64, #[input] tau: [f64; {n}]"
    );
    let folder = root.join(format!("arm{n}"));
    std::fs::create_dir_all(folder.join("src"))?;
    let runtime = workspace.join("lagrange-runtime");
    let manifest = format!(
        "[package]\nname = \"arm{n}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nlagrange-runtime = {{ path = {:?} }}\n[workspace]\n",
        runtime.display().to_string()
    );
    std::fs::write(folder.join("Cargo.toml"), manifest)?;
    std::fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let program = format!(
        "use lagrange_runtime::prelude::*;\n\n#[lagrangian {{\n    {block}\n}}]\nstruct Arm {{ {fields} }}\n\nconst N: usize = {n};\n\n{}",
        include_str!("../src/arm/time.rs")
    );
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
    Ok((root.join("target/release").join(format!("arm{n}")), seconds))
}

/// Builds the program that uses Pinocchio.
fn pinocchio(workspace: &Path, root: &Path, prefix: &Path) -> Outcome<PathBuf> {
    let program = root.join("pinocchio");
    let (include, lib) = (prefix.join("include"), prefix.join("lib"));
    let status = Command::new("g++")
        .args(["-std=c++17", "-O3", "-march=native"])
        .args(DEFINITIONS)
        .arg("-I")
        .arg(include)
        .args(["-I", "/usr/include/eigen3"])
        .arg(workspace.join("benches/c/arm.cpp"))
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
fn run(program: &Path, arguments: &[&str]) -> Outcome<(Vec<f64>, [f64; 3])> {
    let output = Command::new(program).args(arguments).output()?;
    let text = String::from_utf8(output.stdout)?;
    let mut lines = text.lines().map(|line| line.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>());
    let (Some(accelerations), Some(times)) = (lines.next().transpose()?, lines.next().transpose()?) else {
        return Err(format!("{} prints no times", program.display()).into());
    };
    Ok((accelerations, times.try_into().map_err(|times| format!("three times are needed: {times:?}"))?))
}
