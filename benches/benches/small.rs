//! How large are the programs of small machines, how much stack do they take, and do their steps compute in double precision?
//!
//! ```text
//! cargo bench -p lagrange-benches --bench small              the table of five mechanisms by five methods, in single precision
//! cargo bench -p lagrange-benches --bench small -- --check   the same; fails where a fixed step computes in double precision
//! cargo bench -p lagrange-benches --bench small -- --record  the table, and writes it to `SMALL.md`
//! ```
//!
//! Each program is `tests/firmware/src/bin/small.rs`, without std, which links only if nothing in it can panic. Its size is that of code and
//! constants without what a program without a mechanism has. Its stack is painted before the motion and looked at after it.
//! Instructions are counted by callgrind, one by one, in a short and a long motion. Those that the disassembler shows as operations on
//! doubles are the ones of interest: a machine with single precision only runs each of them as a call.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const MODELS: [(&str, &str); 5] = [
    ("pendulum", "pendulum, 1 coordinate"),
    ("double_pendulum", "double pendulum, 2"),
    ("heavy_top", "heavy top, 3"),
    ("spherical_pendulum", "spherical pendulum, 3 and a constraint"),
    ("chain", "chain of four, 4"),
];

/// The methods, and whether their steps are fixed.
const METHODS: [(&str, &str, bool); 5] = [
    ("rk4", "RK4", true),
    ("dormand_prince", "Dormand–Prince 5(4)", false),
    ("variational_midpoint", "variational midpoint", true),
    ("rattle", "RATTLE", true),
    ("gauss", "Gauss, 2 stages", true),
];

/// The table.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/SMALL.md");

/// Double-precision instructions that a fixed step may execute. Those of the drift check of constraints come every 64
/// steps.
const ALLOWED: f64 = 1.0;

type Outcome<T> = Result<T, Box<dyn Error>>;

struct Row {
    size: u64,
    stack: u64,
    instructions: f64,
    doubles: f64,
}

fn main() -> ExitCode {
    let has = |flag: &str| std::env::args().any(|argument| argument == flag);
    match table(has("--check"), has("--record")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("small: {error}");
            ExitCode::FAILURE
        }
    }
}

fn table(check: bool, record: bool) -> Outcome<()> {
    let nothing = size(&build(&[])?)?;
    let mut text = String::from(
        "# Small machines\n\nMade by `cargo bench -p lagrange-benches --bench small -- --record`: programs without std in single precision \
         (`tests/firmware`), for x86-64, `opt-level = 3`. A program without a mechanism has been subtracted from the sizes. \
         The stack is that of a whole motion, with `prepare`, the driver and the steps. Operations on doubles are instructions; those of \
         fixed steps under a constraint are the check of its drift, every 64 steps.\n\n\
         | mechanism | method | code and constants, bytes | stack, bytes | instructions a step | of these on doubles |\n\
         |---|---|---:|---:|---:|---:|\n",
    );
    let mut wrong = Vec::new();
    for (model, title) in MODELS {
        for (method, name, is_fixed) in METHODS {
            let program = build(&["small".into(), format!("model=\"{model}\""), format!("method=\"{method}\"")])?;
            let row = row(&program, nothing)?;
            println!(
                "{title:<40}{name:<24}{:>8}{:>8}{:>10.0}{:>8.1}",
                row.size, row.stack, row.instructions, row.doubles
            );
            let Row { size, stack, instructions, doubles } = row;
            writeln!(text, "| {title} | {name} | {size} | {stack} | {instructions:.0} | {doubles:.1} |")?;
            if is_fixed && doubles >= ALLOWED {
                wrong.push(format!("{title} by {name}"));
            }
        }
    }
    if record {
        std::fs::write(FILE, text)?;
    }
    if check && !wrong.is_empty() {
        return Err(format!("steps in single precision compute in double precision: {}", wrong.join(", ")).into());
    }
    Ok(())
}

/// Builds the program with these `--cfg`, at fixed addresses, and gives its path.
fn build(configuration: &[String]) -> Outcome<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no workspace")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from).join("firmware");
    let status = Command::new("cargo")
        .args(["rustc", "--quiet", "--release", "--bin", "small", "--manifest-path"])
        .arg(root.join("tests/firmware/Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .args(["--", "-C", "relocation-model=static"])
        .args(configuration.iter().flat_map(|value| ["--cfg", value]))
        .status()?;
    if !status.success() {
        return Err(format!("{configuration:?} does not build").into());
    }
    Ok(target.join("release/small"))
}

fn row(program: &Path, nothing: u64) -> Outcome<Row> {
    let [_, stack] = numbers(&output(Command::new(program))?)?;
    let doubles = operations_on_doubles(program)?;
    let (short, long) = (counts(program, &["short"])?, counts(program, &["long", "motion"])?);
    let steps = (long.0 - short.0) as f64;
    let total = |executed: &HashMap<u64, u64>, only: &dyn Fn(&u64) -> bool| {
        executed.iter().filter(|(address, _)| only(address)).map(|(_, count)| *count as f64).sum::<f64>()
    };
    let a_step = |only: &dyn Fn(&u64) -> bool| (total(&long.1, only) - total(&short.1, only)) / steps;
    Ok(Row {
        size: size(program)?.saturating_sub(nothing),
        stack,
        instructions: a_step(&|_| true),
        doubles: a_step(&|address| doubles.contains(address)),
    })
}

fn output(mut command: Command) -> Outcome<String> {
    let run = command.output().map_err(|error| format!("{command:?} cannot be run: {error}"))?;
    if !run.status.success() {
        return Err(format!("{command:?} fails:\n{}", String::from_utf8_lossy(&run.stderr)).into());
    }
    Ok(String::from_utf8(run.stdout)?)
}

/// The two numbers that the program writes: its steps, and its bytes of stack.
fn numbers(text: &str) -> Outcome<[u64; 2]> {
    let found = text.lines().map(str::parse).collect::<Result<Vec<_>, _>>()?;
    found.try_into().map_err(|_| format!("not two numbers: {text}").into())
}

/// Code and constants, in bytes.
fn size(program: &Path) -> Outcome<u64> {
    let mut command = Command::new("size");
    command.arg(program);
    let text = output(command)?;
    let number = text.lines().nth(1).and_then(|line| line.split_whitespace().next()).ok_or("`size` gave no line")?;
    Ok(number.parse()?)
}

/// The addresses of the instructions that compute with doubles, or convert from or to them.
fn operations_on_doubles(program: &Path) -> Outcome<HashSet<u64>> {
    let mut command = Command::new("objdump");
    command.args(["-d", "--no-show-raw-insn"]).arg(program);
    let mut found = HashSet::new();
    for line in output(command)?.lines() {
        let Some((address, instruction)) = line.trim_start().split_once(":\t") else { continue };
        let name = instruction.split_whitespace().next().unwrap_or_default().trim_start_matches('v');
        if is_on_doubles(name) {
            found.insert(u64::from_str_radix(address, 16)?);
        }
    }
    Ok(found)
}

/// Whether an instruction of SSE2 or AVX is one on doubles. Moves and operations on bits (`movsd`, `andpd`, `xorpd`, `unpcklpd`) are
/// those of single precision too.
fn is_on_doubles(name: &str) -> bool {
    let computes = [
        "add", "sub", "mul", "div", "sqrt", "max", "min", "cmp", "ucomi", "comi", "round", "fma", "fnma", "fms", "hadd",
    ];
    let is_double = name.ends_with("sd") || name.ends_with("pd");
    (is_double && computes.iter().any(|start| name.starts_with(start)))
        || (name.starts_with("cvt") && (name.contains("sd") || name.contains("pd")))
}

/// The steps of a motion, and how often each address of the program was executed.
fn counts(program: &Path, arguments: &[&str]) -> Outcome<(u64, HashMap<u64, u64>)> {
    let file = std::env::temp_dir().join(format!("small-{}.callgrind", std::process::id()));
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--dump-instr=yes", "--compress-pos=no"]);
    command.arg(format!("--callgrind-out-file={}", file.display())).arg(program).args(arguments);
    let [steps, _] = numbers(&output(command)?)?;
    let text = std::fs::read_to_string(&file)?;
    std::fs::remove_file(&file)?;
    let (mut executed, mut is_inclusive) = (HashMap::new(), false);
    for line in text.lines() {
        if line.starts_with("calls=") {
            is_inclusive = true;
        } else if let Some(rest) = line.strip_prefix("0x") {
            let mut parts = rest.split(' ');
            if let (Some(address), Some(_), Some(count)) = (parts.next(), parts.next(), parts.next())
                && !std::mem::take(&mut is_inclusive)
            {
                *executed.entry(u64::from_str_radix(address, 16)?).or_insert(0) += count.parse::<u64>()?;
            }
        }
    }
    Ok((steps, executed))
}
