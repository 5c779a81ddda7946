//! How many instructions does a step take? Counts do not depend on what else the machine does, so they guard what a timing
//! in continuous integration cannot.
//!
//! ```text
//! cargo bench -p lagrange-benches --bench instructions              counts, next to those of `instructions.txt`
//! cargo bench -p lagrange-benches --bench instructions -- --check   the same; fails where one rose by more than 2 %
//! cargo bench -p lagrange-benches --bench instructions -- --record  counts, and writes them to `instructions.txt`
//! ```
//!
//! The program runs itself under valgrind's callgrind, with a short and a long motion: the difference of the instructions over
//! the difference of the steps is what a step costs. The counts belong to the compiler that recorded them, which the file names.

use lagrange_models::{CompoundDoublePendulum, DoublePendulum, SphericalPendulumCartesian};
use lagrange_runtime::ensemble::{Ensemble, Member};
use lagrange_runtime::method::Explicit;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Lanes;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::process::{Command, ExitCode};

/// How much more than the recorded count fails the check.
const TOLERANCE: f64 = 0.02;

/// The recorded counts.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.txt");

/// A motion of a number of seconds; gives its number of steps.
type Motion = fn(f64) -> u64;

/// Every case: its name, and its motion.
const CASES: &[(&str, Motion)] = &[
    ("rk4", |end| compound(end, &Rk4::new(1e-3))),
    ("rk4, chain of 8", chain),
    ("rk4 by hand on 4 lanes", lanes),
    ("rkf45", |end| compound(end, &Rkf45::new())),
    ("bogacki-shampine 3", |end| compound(end, &BogackiShampine3::new())),
    ("dormand-prince 5", |end| compound(end, &DormandPrince5::new())),
    ("tsitouras 5", |end| compound(end, &Tsitouras5::new())),
    ("verner 6", |end| compound(end, &Verner6::new())),
    ("dop853", |end| compound(end, &Dop853::new())),
    ("verner 9", |end| compound(end, &Verner9::new())),
    ("gauss 2", |end| double(end, &Gauss::<_, 2>::new(1e-3))),
    ("gauss 3", |end| double(end, &Gauss::<_, 3>::new(1e-3))),
    ("variational midpoint", |end| double(end, &VariationalMidpoint::new(1e-3))),
    ("rattle", |end| sphere(end, &Rattle::new(1e-3))),
    ("rk4, in a lane", |end| ensemble(end, &Rk4::new(1e-3))),
    ("tsitouras 5, in a lane", |end| ensemble(end, &Tsitouras5::new())),
    ("verner 9, in a lane", |end| ensemble(end, &Verner9::new())),
];

#[lagrangian {
    const n = 8;
    coordinates theta[n];
    let p[0] = l[0]*[sin(theta[0]), -cos(theta[0])];
    let p[i in 1..n] = p[i - 1] + l[i]*[sin(theta[i]), -cos(theta[i])];
    kinetic = sum(i in 0..n, m[i]*norm2(dot(p[i]))/2);
    potential = g*sum(i in 0..n, m[i]*p[i][1]);
}]
#[derive(Clone, Debug)]
struct Chain {
    m: [f64; 8],
    l: [f64; 8],
    g: f64,
}

fn steps<S, M, const N: usize, const C: usize>(system: &S, start: State<f64, N>, end: f64, method: &M) -> u64
where
    S: System<f64, N, C, 0>,
    M: Method<f64, N, C>,
{
    let options = Options { rtol: 1e-8.into(), atol: 1e-8.into(), ..Options::default() };
    let (mut state, mut inputs) = (black_box(start), DefaultInputs::of(system));
    let report = integrate(system, &mut state, black_box(end), method, &options, &mut inputs, &mut ())
        .expect("the motion stays finite");
    black_box(state);
    report.statistics.steps
}

fn compound<M: Method<f64, 2, 0>>(end: f64, method: &M) -> u64 {
    let system = CompoundDoublePendulum::default().prepare::<f64>().expect("the parameters are finite");
    steps(&system, State::new(0.0, [std::f64::consts::FRAC_PI_4, 0.0], [0.0, 0.0]), end, method)
}

fn double<M: Method<f64, 2, 0>>(end: f64, method: &M) -> u64 {
    let system = DoublePendulum::default().prepare::<f64>().expect("the parameters are finite");
    steps(&system, DoublePendulum::demo(), end, method)
}

fn sphere<M: Method<f64, 3, 1>>(end: f64, method: &M) -> u64 {
    let system = SphericalPendulumCartesian::default().prepare::<f64>().expect("the parameters are finite");
    steps(&system, SphericalPendulumCartesian::pushed(), end, method)
}

fn chain(end: f64) -> u64 {
    let system = Chain { m: [1.0; 8], l: [1.0; 8], g: 9.81 }.prepare::<f64>().expect("the parameters are finite");
    let angles = std::array::from_fn(|i| 0.1 * (i + 1) as f64);
    steps(&system, State::new(0.0, angles, [0.0; 8]), end, &Rk4::new(1e-3))
}

/// Eight motions at once as an ensemble. Valgrind has the instructions of AVX2, which have lanes for all of them, and not those of
/// AVX-512. A step of one of them counts as a step.
fn ensemble<M: Method<f64, 2, 0> + Explicit<2> + Sync>(end: f64, method: &M) -> u64 {
    let options = SharedOptions { rtol: 1e-8, atol: 1e-8, ..SharedOptions::default() };
    let members = (0..8).map(|i| Member {
        mechanism: CompoundDoublePendulum::default(),
        initial: State::new(0.0, [0.7 + 0.01 * f64::from(i), 0.0], [0.0, 0.0]),
    });
    let ensemble = Ensemble::new(method, black_box(end)).with_options(options).with_threads(1);
    let summary = ensemble.run(members, None, |trajectory| {
        black_box(trajectory.result.expect("the motion stays finite"));
        ControlFlow::Continue(())
    });
    summary.statistics.steps
}

/// Four motions at once, by a step that is written here.
fn lanes(end: f64) -> u64 {
    type L = Lanes<f64, 4>;
    let system = CompoundDoublePendulum::default().prepare::<L>().expect("the parameters are finite");
    let mut q = SVector::<L, 2>::from([Lanes([0.7, 0.8, 0.9, 1.0]), L::ZERO]);
    let mut v = SVector::<L, 2>::repeat(L::ZERO);
    let (none, half, h) = (SVector::from([]), L::from_f64(5e-4), L::from_f64(1e-3));
    let count = (black_box(end) / 1e-3).round() as u64;
    for _ in 0..count {
        let slope = |q: &SVector<L, 2>, v: &SVector<L, 2>| {
            system.acceleration(L::ZERO, q, v, &none).expect("lanes never fail").acceleration
        };
        let moved = |x: &SVector<L, 2>, dx: &SVector<L, 2>, h: L| x.zip_map(dx, |x, dx| dx.mul_add(h, x));
        let a1 = slope(&q, &v);
        let (q2, v2) = (moved(&q, &v, half), moved(&v, &a1, half));
        let a2 = slope(&q2, &v2);
        let (q3, v3) = (moved(&q, &v2, half), moved(&v, &a2, half));
        let a3 = slope(&q3, &v3);
        let (q4, v4) = (moved(&q, &v3, h), moved(&v, &a3, h));
        let a4 = slope(&q4, &v4);
        let sixth = L::from_f64(1e-3 / 6.0);
        let sum = |x: &SVector<L, 2>, [a, b, c, d]: [&SVector<L, 2>; 4]| {
            SVector::from_fn(|i, _| ((b[i] + c[i]) * L::from_f64(2.0) + a[i] + d[i]).mul_add(sixth, x[i]))
        };
        (q, v) = (sum(&q, [&v, &v2, &v3, &v4]), sum(&v, [&a1, &a2, &a3, &a4]));
    }
    black_box((q, v));
    count
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // As a child under callgrind: the name of a case and a number of seconds.
    if let [name, end] = &arguments[..]
        && let (Some((_, motion)), Ok(end)) = (CASES.iter().find(|(case, _)| case == name), end.parse())
    {
        println!("{}", motion(end));
        return ExitCode::SUCCESS;
    }
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    match compare(has("--check"), has("--record")) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("instructions: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Counts all cases and compares them with the recorded ones.
fn compare(check: bool, record: bool) -> Result<ExitCode, Box<dyn Error>> {
    let compiler = compiler()?;
    let recorded = std::fs::read_to_string(FILE).unwrap_or_default();
    let known: BTreeMap<&str, f64> = recorded
        .lines()
        .filter_map(|line| line.split_once('|'))
        .filter_map(|(name, count)| Some((name.trim(), count.trim().parse().ok()?)))
        .collect();
    let comparable = recorded.is_empty() || recorded.contains(&compiler);
    if !comparable {
        println!("recorded with another compiler than {compiler}: nothing can fail");
    }
    let mut text = format!("# Instructions a step, by callgrind; {compiler}\n");
    let mut risen = Vec::new();
    for (name, _) in CASES {
        let (short, long) = (instructions(name, 2.0)?, instructions(name, 6.0)?);
        let count = (long.0 - short.0) / (long.1 - short.1);
        let change = known.get(name).map(|before| count / before - 1.0);
        let shown = change.map_or(String::from("new"), |change| format!("{:+.1} %", 100.0 * change));
        println!("{name:<28}{count:>10.1}{shown:>10}");
        if change.is_none_or(|change| change > TOLERANCE) {
            risen.push(*name);
        }
        writeln!(text, "{name:<28}| {count:.1}")?;
    }
    if record {
        std::fs::write(FILE, text)?;
    }
    if check && comparable && !risen.is_empty() {
        return Err(format!(
            "risen by more than {:.0} %, or not recorded: {}; find the cause, or record the new counts with `--record` and say why",
            100.0 * TOLERANCE,
            risen.join(", ")
        )
        .into());
    }
    Ok(ExitCode::SUCCESS)
}

/// The instructions of a whole run of a case, and its steps.
fn instructions(name: &str, end: f64) -> Result<(f64, f64), Box<dyn Error>> {
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args([name, &end.to_string()])
        .output()
        .map_err(|error| format!("valgrind is needed and cannot be run: {error}"))?;
    let steps: f64 = String::from_utf8(run.stdout)?.trim().parse().map_err(|_| format!("{name} gave no steps"))?;
    let report = String::from_utf8(run.stderr)?;
    let count = report
        .lines()
        .find_map(|line| line.split_once("Collected :"))
        .and_then(|(_, count)| count.trim().parse().ok())
        .ok_or_else(|| format!("callgrind did not count {name}:\n{report}"))?;
    Ok((count, steps))
}

/// The compiler's name and version.
fn compiler() -> Result<String, Box<dyn Error>> {
    let version = Command::new("rustc").arg("--version").output()?.stdout;
    Ok(String::from_utf8(version)?.trim().to_owned())
}
