//! How fast are the methods beside the same methods written by hand in C? One run makes the table of `RESULTS.md`.
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo bench -p lagrange-benches --bench results
//! RUSTFLAGS="-C target-cpu=native" cargo bench -p lagrange-benches --bench results -- --record   also writes RESULTS.md
//! ```
//!
//! Under `taskset -c 0` the programs in C run on the core whose other work the bench looks for ([`Quiet`]).
//!
//! The C programs are compiled by `cc -O3 -march=native`, with an inlined polynomial sine and cosine. Each row is timed in turn with its
//! program, round after round, so that a busy machine slows both. A program that cannot be compiled is named in the table.

use lagrange_benches::c::Program;
use lagrange_benches::race::Quiet;
use lagrange_benches::sphere::OnSphere;
use lagrange_benches::{pair, race};
use lagrange_models::{CompoundDoublePendulum, DoublePendulum};
use lagrange_runtime::prelude::*;
use lagrange_runtime::tableau::{
    bogacki_shampine::BOGACKI_SHAMPINE, dormand_prince::DORMAND_PRINCE, dormand_prince_853::DOP853, fehlberg::RKF45,
    tsitouras::TSITOURAS, verner_65::VERNER_65, verner_98::VERNER_98,
};
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

/// The rounds of a row.
const ROUNDS: usize = 9;

/// The number of steps or accelerations of each row of `methods.c`.
const COUNT: u32 = 200_000;

/// Declares a chain of n point masses in the form that takes O(n) operations.
macro_rules! chain {
    ($name:ident, $n:literal) => {
        #[lagrangian {
                                                    coordinates theta[$n];
                                                    let p[0] = l[0]*[sin(theta[0]), -cos(theta[0])];
                                                    let p[i in 1..$n] = p[i - 1] + l[i]*[sin(theta[i]), -cos(theta[i])];
                                                    kinetic = sum(i in 0..$n, m[i]*norm2(dot(p[i]))/2);
                                                    potential = g*sum(i in 0..$n, m[i]*p[i][1]);
                                                }]
        #[derive(Clone, Debug)]
        struct $name {
            m: [f64; $n],
            l: [f64; $n],
            g: f64,
        }
    };
}

chain!(Chain8, 8);
chain!(Chain16, 16);
chain!(Chain32, 32);
// A type of its own: its acceleration is called in several places, and so not compiled into the loop of a row.
chain!(LongChain, 32);

/// Twenty points in space on a chain of rods: 60 coordinates under 20 constraints.
#[lagrangian {
    coordinates r[20][3];
    kinetic = sum(i in 0..20, m*norm2(dot(r[i]))/2);
    potential = m*g*sum(i in 0..20, r[i][2]);
    dissipation = c*sum(i in 0..20, norm2(dot(r[i])))/2;
    constraint first: norm2(r[0]) == l^2;
    constraint rod[i in 1..20]: norm2(r[i] - r[i - 1]) == l^2;
}]
#[derive(Clone, Debug)]
struct Rods {
    m: f64,
    g: f64,
    l: f64,
    c: f64,
}

/// Twenty points in space on springs and dampers in a row.
#[lagrangian {
    coordinates r[20][3];
    kinetic = sum(i in 0..20, m*norm2(dot(r[i]))/2);
    potential = m*g*sum(i in 0..20, r[i][2]) + k*sum(i in 1..20, (sqrt(norm2(r[i] - r[i - 1])) - l)^2)/2;
    dissipation = c*sum(i in 1..20, norm2(dot(r[i]) - dot(r[i - 1])))/2;
}]
#[derive(Clone, Debug)]
struct Springs {
    m: f64,
    g: f64,
    l: f64,
    k: f64,
    c: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut table = String::from(
        "| work | unit | ours, ns | C, ns | ratio | least | largest |\n|---|---|---:|---:|---:|---:|---:|\n",
    );
    let mut add = |work: &str, unit: &str, found: Option<[f64; 5]>| {
        let row = match found {
            Some([ours, other, least, middle, largest]) => {
                format!("| {work} | {unit} | {ours:.1} | {other:.1} | **{middle:.2}** | {least:.2} | {largest:.2} |")
            }
            None => format!("| {work} | {unit} | the C program cannot be compiled here | | | | |"),
        };
        println!("{row}");
        _ = writeln!(table, "{row}");
    };
    let mut quiet = Quiet::new();
    pairs(&mut quiet, &mut add);
    let c = Program::methods();
    let by_hand = |what: &str| {
        let (time, numbers) = c.as_ref()?.run_with(&[what])?;
        Some(time.as_secs_f64() * 1e9 / numbers.first()?)
    };
    let double = black_box(DoublePendulum::default()).prepare::<f64>()?;
    let demo = DoublePendulum::demo();
    let row = race::ratio(
        &mut quiet,
        ROUNDS,
        || Some(motion(&double, demo, &Gauss::<f64, 2>::new(1e-3))),
        || by_hand("gauss2"),
    );
    add("Gauss, 2 stages, 1 ms, double pendulum", "step", row);
    let row = race::ratio(
        &mut quiet,
        ROUNDS,
        || Some(motion(&double, demo, &Gauss::<f64, 3>::new(1e-3))),
        || by_hand("gauss3"),
    );
    add("Gauss, 3 stages, 1 ms, double pendulum", "step", row);
    let sphere = black_box(OnSphere { m: 1.0, g: 9.8, l: 1.0 }).prepare::<f64>()?;
    let x = 2.0_f64.sqrt() / 4.0;
    let start = State::new(0.0, [x, x, 3.0_f64.sqrt() / 2.0], [1.0, -1.0, 0.0]);
    let row =
        race::ratio(&mut quiet, ROUNDS, || Some(motion(&sphere, start, &Rattle::new(1e-3))), || by_hand("rattle"));
    add("RATTLE, 1 ms, sphere", "step", row);
    let eight = black_box(Chain8 { m: [1.0; 8], l: [1.0; 8], g: 9.8 }).prepare::<f64>()?;
    add(
        "chain of 8",
        "acceleration",
        race::ratio(&mut quiet, ROUNDS, || Some(accelerations(&eight)), || by_hand("chain8")),
    );
    let sixteen = black_box(Chain16 { m: [1.0; 16], l: [1.0; 16], g: 9.8 }).prepare::<f64>()?;
    add(
        "chain of 16",
        "acceleration",
        race::ratio(&mut quiet, ROUNDS, || Some(accelerations(&sixteen)), || by_hand("chain16")),
    );
    let thirty = black_box(Chain32 { m: [1.0; 32], l: [1.0; 32], g: 9.8 }).prepare::<f64>()?;
    add(
        "chain of 32",
        "acceleration",
        race::ratio(&mut quiet, ROUNDS, || Some(accelerations(&thirty)), || by_hand("chain32")),
    );
    let large = large()?;
    println!("\n{large}");
    if std::env::args().any(|argument| argument == "--record") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/RESULTS.md");
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load = load.split(' ').next().unwrap_or_default();
        let Quiet { repeated, loud, .. } = quiet;
        let quietness = format!(
            "A run counts if a probe, a loop of independent sums, took at most 12 % more than its least time right before and right after \
             it; {repeated} runs were repeated for this reason, and {loud} counted without it."
        );
        let text = format!(
            "# Methods beside the same methods by hand in C\n\nMade by `cargo bench -p lagrange-benches --bench results -- --record`; {} ({}). \
             Medians of {ROUNDS} rounds in turn; the load at the end was {load}. A ratio below 1 means that ours is faster. {quietness} \
             Where instructions a step are known, they are in [instructions.txt](instructions.txt).\n\n{table}\n# Large mechanisms\n\n{large}",
            race::target(),
            race::processor(),
        );
        std::fs::write(path, text)?;
    }
    Ok(())
}

/// The pairs, each to a tolerance of 1e-8 over 500 s of the compound double pendulum. A step is one that was tried.
fn pairs(quiet: &mut Quiet, add: &mut impl FnMut(&str, &str, Option<[f64; 5]>)) {
    fn row<M: Method<f64, 2, 0>>(
        name: &str,
        text: String,
        method: &M,
        quiet: &mut Quiet,
        add: &mut impl FnMut(&str, &str, Option<[f64; 5]>),
    ) {
        let program = Program::from_text("pair", &text);
        let system = black_box(CompoundDoublePendulum::default()).prepare::<f64>().expect("the parameters are finite");
        let ours = || {
            let options = Options { rtol: 1e-8.into(), atol: 1e-8.into(), ..Options::default() };
            let mut state = black_box(State::new(0.0, [std::f64::consts::FRAC_PI_4, 0.0], [0.0, 0.0]));
            let mut inputs = DefaultInputs::of(&system);
            let start = Instant::now();
            let report = integrate(&system, &mut state, 500.0, method, &options, &mut inputs, &mut ());
            let time = start.elapsed();
            let statistics = report.expect("the motion stays finite").statistics;
            black_box(state);
            Some(time.as_secs_f64() * 1e9 / (statistics.steps + statistics.rejected) as f64)
        };
        let other = || {
            let (time, numbers) = program.as_ref()?.run_with(&["1e-8", "500"])?;
            Some(time.as_secs_f64() * 1e9 / numbers.first()?)
        };
        add(name, "step", race::ratio(quiet, ROUNDS, ours, other));
    }
    row("Bogacki–Shampine 3(2)", pair::program(&BOGACKI_SHAMPINE, 3), &BogackiShampine3::new(), quiet, add);
    row("RKF45", pair::program(&RKF45, 5), &Rkf45::new(), quiet, add);
    row("Dormand–Prince 5(4)", pair::program(&DORMAND_PRINCE, 5), &DormandPrince5::new(), quiet, add);
    row("Tsitouras 5(4)", pair::program(&TSITOURAS, 5), &Tsitouras5::new(), quiet, add);
    row("Verner 6(5)", pair::program(&VERNER_65, 6), &Verner6::new(), quiet, add);
    row("DOP853", pair::program(&DOP853, 8), &Dop853::new(), quiet, add);
    row("Verner 9(8)", pair::program(&VERNER_98, 9), &Verner9::new(), quiet, add);
}

/// The nanoseconds of a step of 1 ms.
fn motion<S, M, const N: usize, const C: usize>(system: &S, start: State<f64, N>, method: &M) -> f64
where
    S: System<f64, N, C, 0>,
    M: Method<f64, N, C>,
{
    let (mut state, mut inputs) = (black_box(start), DefaultInputs::of(system));
    let begin = Instant::now();
    integrate(system, &mut state, f64::from(COUNT) * 1e-3, method, &Options::default(), &mut inputs, &mut ())
        .expect("the motion stays finite");
    let time = begin.elapsed();
    black_box(state);
    time.as_secs_f64() * 1e9 / f64::from(COUNT)
}

/// The nanoseconds of an acceleration of a chain, each of which waits for the one before it.
fn accelerations<S: System<f64, N, 0, 0>, const N: usize>(system: &S) -> f64 {
    let mut q = black_box(SVector::<f64, N>::from_fn(|i, _| 0.1 * (i + 1) as f64));
    let mut v = SVector::<f64, N>::zeros();
    let none = SVector::from([]);
    let begin = Instant::now();
    for _ in 0..COUNT {
        let a = system.acceleration(0.0, &q, &v, &none).expect("the mass matrix is regular").acceleration;
        q += a * 1e-6;
        v -= a * 1e-6;
    }
    let time = begin.elapsed();
    black_box((q, v));
    time.as_secs_f64() * 1e9 / f64::from(COUNT)
}

/// The table of large mechanisms. There is no program in C beside it.
fn large() -> Result<String, Box<dyn std::error::Error>> {
    let mut table = String::from(
        "| mechanism | acceleration, µs | its Jacobian, µs | p, f and their Jacobian, µs |\n|---|---:|---:|---:|\n",
    );
    let rods = black_box(Rods { m: 0.1, g: 9.81, l: 0.2, c: 0.01 }).prepare::<f64>()?;
    let springs = black_box(Springs { m: 0.1, g: 9.81, l: 0.2, k: 100.0, c: 0.01 }).prepare::<f64>()?;
    let chain = black_box(LongChain { m: [1.0; 32], l: [1.0; 32], g: 9.8 }).prepare::<f64>()?;
    // Points on a curve, at a distance of 0.2 from each other.
    let (mut x, mut z, mut curve) = (0.0, 0.0, SVector::zeros());
    for point in 0..20 {
        let angle = 0.3 + 0.05 * point as f64;
        (x, z) = (x + 0.2 * angle.sin(), z - 0.2 * angle.cos());
        (curve[3 * point], curve[3 * point + 2]) = (x, z);
    }
    row(&mut table, "60 coordinates under 20 rods", &rods, curve);
    row(&mut table, "60 coordinates on springs", &springs, curve);
    row(&mut table, "chain of 32 pendulums", &chain, SVector::from_fn(|i, _| 0.1 + 0.03 * i as f64));
    Ok(table)
}

/// Adds a mechanism at some coordinates to the table of large mechanisms.
fn row<S, const N: usize, const C: usize>(table: &mut String, name: &str, system: &S, q: SVector<f64, N>)
where
    S: Linearise<f64, N, C, 0>,
{
    let v = SVector::<f64, N>::from_fn(|i, _| 0.1 * (i as f64).cos());
    let none = SVector::from([]);
    let times = [
        least(|| system.acceleration(0.0, black_box(&q), black_box(&v), &none)),
        least(|| system.acceleration_jacobian(0.0, black_box(&q), black_box(&v), &none)),
        least(|| system.balance_jacobian(0.0, black_box(&q), black_box(&v), &none)),
    ];
    let [acceleration, jacobian, balance] = times;
    _ = writeln!(table, "| {name} | {acceleration:.2} | {jacobian:.1} | {balance:.1} |");
}

/// The least time of a call in microseconds, of several rounds of many.
fn least<T>(work: impl Fn() -> T) -> f64 {
    const CALLS: u32 = 500;
    let round = |_| {
        let begin = Instant::now();
        (0..CALLS).for_each(|_| _ = black_box(work()));
        begin.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS)
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}
