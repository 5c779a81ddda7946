//! How fast could the derived code compute accelerations, each of which needs the result of the last, and how fast does it?
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo bench -p lagrange-benches --bench latency
//! ```
//!
//! An acceleration waits for its chain of dependent operations: angle, sine and cosine, products, pivot, reciprocal. The program adds
//! up the latencies of the longest chain of two mechanisms, prints its links, and times the same accelerations. A cycle is a quarter of
//! a measured dependent multiply-add, so that the clock need not be known.

use lagrange_benches::race;
use lagrange_models::{CompoundDoublePendulum, SphericalPendulum};
use lagrange_runtime::prelude::*;
use lagrange_symbolic::graph::Symbol;
use lagrange_symbolic::program::{Evaluations, Operation, Routine, Value};
use lagrange_symbolic::{derivation, parse};
use quote::ToTokens;
use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;

const COUNT: u32 = 1_000_000;

/// The rounds of a measurement, of which the fastest counts: the limit is a least time.
const ROUNDS: usize = 15;

/// The cycles of a sine and of a cosine: the longest chains in `scalar/trigonometric.rs` for angles within an eighth of a turn, with fused
/// products.
const SINE: u32 = 20;
const COSINE: u32 = 23;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cycle = cycle();
    println!("{}; a cycle takes {cycle:.3} ns", race::target());
    let double = black_box(CompoundDoublePendulum::default()).prepare::<f64>()?;
    let row = |name: &str, file: &str, measured: f64| -> Result<(), Box<dyn std::error::Error>> {
        let (cycles, links) = chain(file, name)?;
        println!("\n{name}: {}", links.join(" → "));
        println!(
            "  at least {cycles:.1} cycles, {:.1} ns; measured {:.1} cycles, {measured:.1} ns",
            cycles * cycle,
            measured / cycle
        );
        Ok(())
    };
    row("CompoundDoublePendulum", "compound_double_pendulum.rs", accelerations(&double, [0.7, 0.1]))?;
    let spherical = black_box(SphericalPendulum::default()).prepare::<f64>()?;
    row("SphericalPendulum", "spherical_pendulum.rs", accelerations(&spherical, [0.7, 0.1]))?;
    Ok(())
}

/// The nanoseconds of a cycle.
fn cycle() -> f64 {
    let once = || {
        let (mut x, factor, addend) = (black_box(0.5_f64), black_box(0.5), black_box(0.25));
        let start = Instant::now();
        for _ in 0..10 * COUNT {
            x = Scalar::mul_add(x, factor, addend);
        }
        let time = start.elapsed().as_secs_f64();
        black_box(x);
        time * 1e9 / f64::from(10 * COUNT) / 4.0
    };
    (0..ROUNDS).map(|_| once()).fold(f64::INFINITY, f64::min)
}

/// The nanoseconds of an acceleration, each of which waits for the one before it.
fn accelerations<S: System<f64, 2, 0, 0>>(system: &S, start: [f64; 2]) -> f64 {
    let once = || {
        let (mut q, mut v) = (SVector::from(black_box(start)), SVector::from(black_box([0.0, 0.1])));
        let none = SVector::from([]);
        let start = Instant::now();
        for _ in 0..COUNT {
            let a = system.acceleration(0.0, &q, &v, &none).expect("the mass matrix is regular").acceleration;
            q = q.zip_map(&a, |q, a| Scalar::mul_add(1e-9, a, q));
            v = v.zip_map(&a, |v, a| Scalar::mul_add(-1e-9, a, v));
        }
        let time = start.elapsed().as_secs_f64();
        black_box((q, v));
        time * 1e9 / f64::from(COUNT)
    };
    (0..ROUNDS).map(|_| once()).fold(f64::INFINITY, f64::min)
}

/// The cycles between one acceleration and the next of the model `name` in `file`, where each changes the state by a multiply-add, and
/// the links of the longest chain through one acceleration.
fn chain(file: &str, name: &str) -> Result<(f64, Vec<String>), Box<dyn std::error::Error>> {
    let path = format!("{}/../models/src/{file}", env!("CARGO_MANIFEST_DIR"));
    for item in syn::parse_file(&std::fs::read_to_string(path)?)?.items {
        let syn::Item::Struct(mut item) = item else { continue };
        let Some(at) = item.attrs.iter().position(|attribute| attribute.path().is_ident("lagrangian")) else {
            continue;
        };
        let syn::Meta::List(block) = item.attrs.remove(at).meta else { continue };
        if item.ident != name {
            continue;
        }
        let spec = parse::parse(block.tokens, item.to_token_stream()).map_err(|_| "the block has a mistake")?;
        let mut derived = derivation(&spec).map_err(|_| "the block has a mistake")?;
        let evaluations = Evaluations::new(&mut derived.model.graph, &derived.equations);
        let routine = evaluations.acceleration.ok_or("the acceleration is not written out")?;
        return Ok(longest(&routine, derived.equations.momentum.len()));
    }
    Err(format!("{file} has no {name}").into())
}

/// When each value is ready, in cycles, and the operand that it waited for.
type Times = HashMap<Value, (u32, Option<Value>)>;

/// The mean number of cycles between accelerations in a long row of them, and the links of the chain that takes so long.
fn longest(routine: &Routine, n: usize) -> (f64, Vec<String>) {
    const ROW: u32 = 200;
    let outputs = &routine.outputs[..n];
    let mut ready = vec![0; n];
    let mut next = || {
        let mut times = Times::new();
        for step in &routine.steps {
            let known = match step.operation {
                Operation::Symbol(Symbol::Coordinate(i) | Symbol::Velocity(i)) => (ready[i as usize], None),
                _ => {
                    let operands = step.operation.operands();
                    let known = operands.iter().filter_map(|value| Some((times.get(value)?.0, Some(*value))));
                    known.max().unwrap_or_default()
                }
            };
            times.insert(step.value, (known.0 + latency(&step.operation), known.1));
        }
        for (ready, output) in ready.iter_mut().zip(outputs) {
            *ready = times.get(output).map_or(0, |time| time.0) + 4;
        }
        let latest = (0..n).max_by_key(|&i| ready[i]).unwrap_or_default();
        (times, latest, ready[latest])
    };
    let (_, _, first) = next();
    (1..ROW).for_each(|_| _ = next());
    let (times, mut i, last) = next();
    // The chain that takes so long begins at the coordinate at which it ended an acceleration before.
    let mut links = Vec::new();
    for _ in 0..=n {
        let begin;
        (links, begin) = path(routine, &times, outputs.get(i).copied());
        i = begin.unwrap_or(i);
    }
    (f64::from(last - first) / f64::from(ROW), links)
}

/// The operations on the way to `last`, each with its latency, and the index of the coordinate or velocity at which the way begins.
fn path(routine: &Routine, times: &Times, last: Option<Value>) -> (Vec<String>, Option<usize>) {
    let (mut links, mut next, mut begin) = (vec![String::from("update 4")], last, None);
    while let Some(value) = next {
        if let Some(step) = routine.steps.iter().find(|step| step.value == value) {
            if let Operation::Symbol(Symbol::Coordinate(i) | Symbol::Velocity(i)) = step.operation {
                begin = Some(i as usize);
            }
            let cycles = latency(&step.operation);
            if cycles > 0 {
                links.push(format!("{} {cycles}", kind(&step.operation)));
            }
        }
        next = times.get(&value).and_then(|time| time.1);
    }
    links.reverse();
    (links, begin)
}

/// The cycles from the last operand to the result of an operation on doubles. Source: AMD, *Software Optimization Guide for the AMD
/// Zen4 Microarchitecture*, 2023, and its table of instruction latencies.
fn latency(operation: &Operation) -> u32 {
    match operation {
        Operation::Add(..) | Operation::Subtract(..) | Operation::Multiply(..) => 3,
        Operation::MultiplyAdd { .. } => 4,
        Operation::Divide(..) | Operation::Reciprocal(_) => 13,
        Operation::SquareRoot(_) => 21,
        Operation::Sine(_) => SINE,
        Operation::Cosine(_) => COSINE,
        _ => 0,
    }
}

fn kind(operation: &Operation) -> &'static str {
    match operation {
        Operation::Add(..) | Operation::Subtract(..) => "sum",
        Operation::Multiply(..) => "product",
        Operation::MultiplyAdd { .. } => "multiply-add",
        Operation::Divide(..) => "quotient",
        Operation::Reciprocal(_) => "reciprocal",
        Operation::SquareRoot(_) => "root",
        Operation::Sine(_) => "sine",
        Operation::Cosine(_) => "cosine",
        _ => "other",
    }
}
