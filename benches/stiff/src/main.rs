//! What does an error cost on stiff problems, beside SUNDIALS and diffsol in the same run?
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo run --release --manifest-path benches/stiff/Cargo.toml              the tables
//! RUSTFLAGS="-C target-cpu=native" cargo run --release --manifest-path benches/stiff/Cargo.toml -- --record  also writes STIFF.md
//! ```
//!
//! SUNDIALS comes from Debian's package `libsundials-dev`, or from the installation whose folders `include` and `lib` are in `SUNDIALS_PREFIX`. CVODE and IDA have BDF methods, a dense
//! solver and the exact Jacobian; diffsol has nalgebra's matrices. All integrate the derived rates, for relative tolerances from 1e-3 to 1e-13, with an absolute
//! tolerance of a millionth of them. A time is that of the steps of one integration, the least of up to twenty, interpolated between tolerances at an error of
//! the end. With ours the start counts too.

mod curve;
mod equations;
mod rival;
mod sundials;
mod table;

use curve::Curve;
use equations::{Amplifier, Equations, FirstOrder};
use lagrange_runtime::prelude::*;
use lagrange_tests::stiff::*;
use std::error::Error;
use std::time::Instant;
use table::{Table, Timed};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The curve of one of our methods.
fn ours<S, M, const N: usize, const C: usize>(
    (system, start, exact): (&S, State<f64, N>, &Published<N>),
    name: &'static str,
    method: &M,
) -> Curve
where
    S: System<f64, N, C, 0>,
    M: Method<f64, N, C>,
{
    Curve::measure(name, |rtol| {
        let options =
            Options { rtol: rtol.into(), atol: (rtol * 1e-6).into(), max_steps: Some(3_000_000), ..Options::default() };
        let (mut end, mut inputs) = (start, DefaultInputs::of(system));
        let from = Instant::now();
        integrate(system, &mut end, exact.end, method, &options, &mut inputs, &mut ()).ok()?;
        let seconds = from.elapsed().as_secs_f64();
        Some((exact.error(&end), seconds))
    })
}

/// The curves of the methods that take constraints.
fn radau<S, const N: usize, const C: usize>(problem: (&S, State<f64, N>, &Published<N>)) -> Vec<Curve>
where
    S: System<f64, N, C, 0>,
{
    vec![
        ours(problem, "Radau5", &Radau5::new()),
        ours(problem, "Radau9", &Radau9::new()),
        ours(problem, "Radau13", &Radau13::new()),
        ours(problem, "VariableRadau", &VariableRadau::new()),
    ]
}

/// Measures all contenders on a problem; `algebraic` replaces the equations that the others integrate, with their start.
fn compare<S, const N: usize, const C: usize>(
    (system, start, exact): (&S, State<f64, N>, &Published<N>),
    ours: Vec<Curve>,
    algebraic: Option<(&dyn Equations, &[f64])>,
) -> Timed
where
    S: Linearise<f64, N, C, 0>,
{
    let derived = FirstOrder::new(system);
    let numbers = derived.numbers(&start);
    let (equations, start) = algebraic.unwrap_or((&derived, &numbers));
    let moving = N - system.state_count();
    let error = |y: &[f64]| match algebraic {
        // The first numbers are the states, and those without a published value are left out.
        Some(_) => exact.error(&State { t: exact.end, q: SVector::repeat(0.0), v: SVector::from_fn(|i, _| y[i]) }),
        None => exact.error(&derived.state(exact.end, y)),
    };
    let size = if algebraic.is_some() { start.len() } else { moving + N };
    let peers = sundials::curves(equations, (start, exact.end), error);
    let rivals = rival::curves(equations, (start, exact.end), error);
    Timed { name: exact.name, size, ours, peers, rivals }
}

/// Robertson's reaction at the relative tolerance 1e-8, by absolute tolerances.
fn tolerances() -> Outcome<String> {
    let system = Robertson {}.prepare::<f64>()?;
    let mut text = String::from("| method | `atol` | µs | steps | error |\n|---|---|---:|---:|---:|\n");
    fn row<S, M>(system: &S, method: &M, atol: Option<f64>) -> Outcome<String>
    where
        S: System<f64, 3, 0, 0>,
        M: Method<f64, 3, 0>,
    {
        let mut options = Options { rtol: 1e-8.into(), ..Options::default() };
        if let Some(atol) = atol {
            options.atol = atol.into();
        }
        let (mut least, mut end, mut steps) = (f64::INFINITY, ROBERTSON.start(), 0);
        for _ in 0..200 {
            end = ROBERTSON.start();
            let mut inputs = DefaultInputs::of(system);
            let from = Instant::now();
            let report = integrate(system, &mut end, ROBERTSON.end, method, &options, &mut inputs, &mut ())
                .map_err(|error| error.failure)?;
            least = least.min(from.elapsed().as_secs_f64());
            steps = report.statistics.steps;
        }
        let atol = atol.map_or("the default".to_owned(), |atol| format!("{atol:e}"));
        let (time, error) = (least * 1e6, ROBERTSON.error(&end));
        Ok(format!("| {} | {atol} | {time:.1} | {steps} | {error:.0e} |\n", method.name()))
    }
    for atol in [Some(1e-8), Some(1e-11), None, Some(1e-14)] {
        text += &row(&system, &Rodas5P::new(), atol)?;
    }
    text += &row(&system, &Radau5::new(), None)?;
    text += &row(&system, &VariableRadau::new(), None)?;
    Ok(text)
}

fn main() -> Outcome<()> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let records = arguments.iter().position(|argument| argument == "--record").map(|at| arguments.remove(at)).is_some();
    let wanted = |name: &str| arguments.is_empty() || arguments.iter().any(|argument| name.contains(argument.as_str()));
    if !cfg!(sundials) {
        println!("SUNDIALS IS NOT COMPARED: it is not in SUNDIALS_PREFIX, and `libsundials-dev` is not installed.");
    }
    let mut table = Table::default();
    macro_rules! free {
        ($exact:expr, $system:expr, $algebraic:expr) => {
            if wanted($exact.name) {
                let system = $system.prepare::<f64>()?;
                let problem = (&system, $exact.start(), &$exact);
                let mut curves = radau(problem);
                curves.push(ours(problem, "Rodas5P", &Rodas5P::new()));
                table.add(compare(problem, curves, $algebraic));
            }
        };
        ($exact:expr, $system:expr) => {
            free!($exact, $system, None)
        };
    }
    free!(VAN_DER_POL, VanDerPol { eps: 1e-6 });
    free!(ROBERTSON, Robertson {});
    free!(OREGONATOR, Oregonator {});
    free!(HIRES, Hires {});
    free!(POLLUTION, Pollution {});
    free!(TRANSISTOR_AMPLIFIER, TransistorAmplifier {}, Some((&Amplifier as &dyn Equations, &Amplifier::START)));
    free!(RING_MODULATOR, RingModulator {});
    macro_rules! constrained {
        ($exact:expr, $system:expr) => {
            if wanted($exact.name) {
                let (system, exact) = ($system, &$exact);
                let start = exact.start();
                table.add(compare((&system, start, exact), radau((&system, start, exact)), None));
            }
        };
    }
    constrained!(CAR_AXIS, CarAxis { eps: 1e-2 }.prepare::<f64>()?);
    constrained!(SQUEEZER, Squeezer {}.prepare::<f64>()?);
    // The published start has nine digits, which leaves three in the published solution.
    constrained!(SLIDER_CRANK_CONVERGED, SliderCrank {}.prepare::<f64>()?);
    table.summarise();
    let tolerances = tolerances()?;
    println!("{tolerances}");
    if records {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../STIFF.md"), table.document(&tolerances)?)?;
    }
    Ok(())
}
