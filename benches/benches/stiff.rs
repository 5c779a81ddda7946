//! What does an error cost on stiff problems, beside CVODE in the same run?
//!
//! ```text
//! SUNDIALS_PREFIX=… RUSTFLAGS="-C target-cpu=native" cargo bench -p lagrange-benches --bench stiff
//! ```
//!
//! `SUNDIALS_PREFIX` is the folder with the `include` and `lib` of SUNDIALS 6: `/usr` after `apt-get install libsundials-dev`, where that can be
//! installed. CVODE has BDF methods, a dense solver and the exact Jacobian. Both integrate for relative tolerances from 1e-3 to 1e-12, with an
//! absolute tolerance of a millionth of them. Printed are the times of one integration, interpolated between tolerances at errors of 1e-4, 1e-6 and
//! 1e-8 of a component at the end, and their ratio. Times at the relative tolerances 1e-4, 1e-6 and 1e-8 follow, with their errors. The least time of
//! twenty integrations counts.

use lagrange_runtime::controller::DefaultInputs;
use lagrange_runtime::prelude::*;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn Error>>;

const ROUNDS: usize = 20;

const ERRORS: [f64; 3] = [1e-4, 1e-6, 1e-8];

#[lagrangian {
    coordinates x;
    kinetic = eps*dot(x)^2/2;
    potential = x^2/2;
    force x = (1 - x^2)*dot(x);
}]
struct VanDerPol {
    eps: f64,
}

#[lagrangian {
    state y1: dot(y1) == -0.04*y1 + 1e4*y2*y3;
    state y2: dot(y2) == 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
    state y3: dot(y3) == 3e7*y2^2;
}]
struct Robertson {}

#[lagrangian {
    state y1: dot(y1) == 77.27*(y2 + y1*(1 - 8.375e-6*y1 - y2));
    state y2: dot(y2) == (y3 - (1 + y1)*y2)/77.27;
    state y3: dot(y3) == 0.161*(y1 - y3);
}]
struct Oregonator {}

#[lagrangian {
    state a: dot(a) == -1.71*a + 0.43*b + 8.32*c + 0.0007;
    state b: dot(b) == 1.71*a - 8.75*b;
    state c: dot(c) == -10.03*c + 0.43*d + 0.035*e;
    state d: dot(d) == 8.32*b + 1.71*c - 1.12*d;
    state e: dot(e) == -1.745*e + 0.43*f + 0.43*g;
    state f: dot(f) == -280*f*h + 0.69*d + 1.71*e - 0.43*f + 0.69*g;
    state g: dot(g) == 280*f*h - 1.81*g;
    state h: dot(h) == -280*f*h + 1.81*g;
}]
struct Hires {}

/// A problem of the test set for initial value problems: its name, its time, and the components at the end (F. Mazzia, C. Magherini, *Test set
/// for initial value problem solvers*, release 2.4, 2008).
struct Problem {
    name: &'static str,
    end: f64,
    exact: &'static [f64],
}

const VAN_DER_POL: Problem = Problem { name: "vdpol", end: 2.0, exact: &[1.706167732170483, -0.8928097010247975] };
const ROBERTSON: Problem =
    Problem { name: "rober", end: 1e11, exact: &[0.2083340149701255e-7, 0.8333360770334713e-13, 0.999999979166505] };
const OREGONATOR: Problem =
    Problem { name: "orego", end: 360.0, exact: &[0.1000814870318523e1, 0.1228178521549917e4, 0.1320554942846706e3] };
const HIRES: Problem = Problem {
    name: "hires",
    end: 321.8122,
    exact: &[
        0.7371312573325668e-3,
        0.1442485726316185e-3,
        0.5888729740967575e-4,
        0.1175651343283149e-2,
        0.2386356198831331e-2,
        0.6238968252742796e-2,
        0.2849998395185769e-2,
        0.2850001604814231e-2,
    ],
};

/// The error and the time in microseconds for each tolerance.
type Curve = Vec<(f64, f64)>;

fn tolerances() -> impl Iterator<Item = f64> {
    (3..=12).map(|power| 10.0_f64.powi(-power))
}

/// The largest relative error of a component.
fn error(problem: &Problem, found: &[f64]) -> f64 {
    found.iter().zip(problem.exact).fold(0.0, |most, (found, exact)| (found / exact - 1.0).abs().max(most))
}

/// Our curve by a method. The components at the end are the velocities of states, or (x, ẋ).
fn ours<S, M, const N: usize>(problem: &Problem, system: &S, start: State<f64, N>, method: &M) -> Outcome<Curve>
where
    S: System<f64, N, 0, 0>,
    M: Method<f64, N, 0>,
{
    let mut curve = Curve::new();
    for rtol in tolerances() {
        let options = Options { rtol: rtol.into(), atol: (rtol * 1e-6).into(), ..Options::default() };
        let (mut least, mut end) = (f64::INFINITY, start);
        for _ in 0..ROUNDS {
            end = start;
            let mut inputs = DefaultInputs::of(system);
            let from = Instant::now();
            integrate(system, &mut end, problem.end, method, &options, &mut inputs, &mut ())?;
            least = least.min(from.elapsed().as_secs_f64() * 1e6);
        }
        let found: Vec<f64> = if system.state_count() == 0 {
            end.q.iter().chain(&end.v).copied().collect()
        } else {
            end.v.iter().copied().collect()
        };
        curve.push((error(problem, &found), least));
    }
    Ok(curve)
}

/// CVODE's curve.
fn theirs(problem: &Problem, program: &Path) -> Outcome<Curve> {
    let mut curve = Curve::new();
    for rtol in tolerances() {
        let arguments = [problem.name.to_owned(), rtol.to_string(), (rtol * 1e-6).to_string(), ROUNDS.to_string()];
        let run = Command::new(program).args(arguments).output()?;
        if !run.status.success() {
            continue;
        }
        let text = String::from_utf8(run.stdout)?;
        let numbers: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        curve.push((error(problem, numbers.get(2..).ok_or("no state")?), *numbers.first().ok_or("no time")?));
    }
    Ok(curve)
}

/// The least time at which a curve reaches an error, on straight lines between its points in logarithms.
fn time_at(curve: &Curve, error: f64) -> Option<f64> {
    let mut least: Option<f64> = None;
    let mut take = |time: f64| least = Some(least.map_or(time, |least| least.min(time)));
    for pair in curve.windows(2) {
        let [(e, s), (f, t)] = [pair[0], pair[1]].map(|(error, time)| (error.max(1e-17).ln(), time.ln()));
        let part = (error.ln() - e) / (f - e);
        if (0.0..=1.0).contains(&part) {
            take((s + (t - s) * part).exp());
        }
    }
    // A point that is more exact at less cost counts, too.
    curve.iter().filter(|point| point.0 <= error).for_each(|point| take(point.1));
    least
}

fn cvode(root: &Path) -> Outcome<Option<PathBuf>> {
    let Some(prefix) = std::env::var_os("SUNDIALS_PREFIX").map(PathBuf::from) else {
        println!("CVODE IS NOT COMPARED: SUNDIALS_PREFIX, the folder with its include and lib, is not set.");
        return Ok(None);
    };
    let program = root.join("cvode");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("c/cvode.c");
    let libraries = [prefix.join("lib/x86_64-linux-gnu"), prefix.join("lib")];
    let mut compiler = Command::new("cc");
    compiler.args(["-O3", "-march=native", "-o"]).arg(&program).arg(&source).arg("-I").arg(prefix.join("include"));
    libraries.iter().filter(|path| path.exists()).for_each(|path| {
        compiler.arg("-L").arg(path);
    });
    compiler.arg("-Wl,-Bstatic");
    compiler.args(
        ["cvode", "nvecserial", "sunmatrixdense", "sunlinsoldense", "generic"].map(|name| format!("-lsundials_{name}")),
    );
    let built = compiler.args(["-Wl,-Bdynamic", "-lm"]).status()?;
    if built.success() { Ok(Some(program)) } else { Err("cvode.c does not compile".into()) }
}

fn main() -> Outcome<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/stiff");
    std::fs::create_dir_all(&root)?;
    let cvode = cvode(&root)?;
    let mut ratios = Vec::new();
    println!("microseconds at an error of 1e-4, 1e-6, 1e-8");
    macro_rules! compare {
        ($problem:expr, $system:expr, $start:expr) => {
            let (problem, system, start) = (&$problem, $system, $start);
            let curves = [
                ("order 5", ours(problem, &system, start, &Radau5::new())?),
                ("order 9", ours(problem, &system, start, &Radau9::new())?),
                ("order 13", ours(problem, &system, start, &Radau13::new())?),
                ("variable", ours(problem, &system, start, &VariableRadau::new())?),
                ("Rodas5P", ours(problem, &system, start, &Rodas5P::new())?),
            ];
            let theirs = match &cvode {
                Some(program) => theirs(problem, program)?,
                None => Curve::new(),
            };
            println!("{}", problem.name);
            let text = |time: Option<f64>| time.map_or("-".to_owned(), |time| format!("{time:.0}"));
            for (name, curve) in &curves {
                println!("  {name:<9}{}", ERRORS.map(|error| format!("{:>8}", text(time_at(curve, error)))).concat());
            }
            for (name, curve) in &curves {
                let points = [1, 3, 5].map(|index| curve[index]);
                println!(
                    "  {name:<9}by rtol{}",
                    points.map(|(error, time)| format!("{time:>8.0} ({error:.0e})")).concat()
                );
            }
            if cvode.is_some() {
                println!("  CVODE    {}", ERRORS.map(|error| format!("{:>8}", text(time_at(&theirs, error)))).concat());
                for error in ERRORS {
                    let best =
                        curves.iter().filter_map(|(_, curve)| time_at(curve, error)).fold(f64::INFINITY, f64::min);
                    if let Some(theirs) = time_at(&theirs, error) {
                        ratios.push(best / theirs);
                    }
                }
            }
        };
    }
    compare!(VAN_DER_POL, VanDerPol { eps: 1e-6 }.prepare::<f64>()?, State::new(0.0, [2.0], [0.0]));
    compare!(ROBERTSON, Robertson {}.prepare::<f64>()?, State::new(0.0, [0.0; 3], [1.0, 0.0, 0.0]));
    compare!(OREGONATOR, Oregonator {}.prepare::<f64>()?, State::new(0.0, [0.0; 3], [1.0, 2.0, 3.0]));
    let start = State::new(0.0, [0.0; 8], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057]);
    compare!(HIRES, Hires {}.prepare::<f64>()?, start);
    if !ratios.is_empty() {
        ratios.sort_by(f64::total_cmp);
        let [least, most] = [ratios.first(), ratios.last()].map(|ratio| ratio.copied().unwrap_or(f64::NAN));
        println!("our time over CVODE's: median {:.3}, from {least:.3} to {most:.3}", ratios[ratios.len() / 2]);
    }
    Ok(())
}
