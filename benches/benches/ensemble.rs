//! What do 10⁴ compound double pendulums over 10 s cost on two cores, against C with 16 lanes and OpenMP?
//!
//! `cargo bench -p lagrange-benches --bench ensemble`

use lagrange_benches::c::Program;
use lagrange_benches::race::{Contender, race};
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::ensemble::{Ensemble, Member, Vectorization, grid};
use lagrange_runtime::method::Explicit;
use lagrange_runtime::prelude::*;
use std::hint::black_box;
use std::ops::ControlFlow;

/// The states of the C program.
fn members() -> impl Iterator<Item = Member<CompoundDoublePendulum, 2>> + Send {
    let mechanism = black_box(CompoundDoublePendulum::default());
    grid([(0.7, 0.87, 100), (-0.1, 0.1, 100)])
        .map(move |q| Member { mechanism: mechanism.clone(), initial: State::new(0.0, q, [0.0, 0.0]) })
}

/// The last coordinates of all members.
fn run<Y>(method: &Y, tolerance: f64, threads: usize, lanes: Vectorization) -> Vec<SVector<f64, 2>>
where
    Y: Method<f64, 2, 0> + Explicit<2> + Sync,
{
    let options = SharedOptions { rtol: tolerance, atol: tolerance, ..SharedOptions::default() };
    let mut ends = Vec::with_capacity(10_000);
    let ensemble = Ensemble::new(method, 10.0).with_threads(threads).with_lanes(lanes).with_options(options);
    ensemble.run(members(), |trajectory| {
        ends.push(trajectory.result.expect("the pendulums stay finite").state.q);
        ControlFlow::Continue(())
    });
    ends
}

fn main() {
    let (rk4, verner) = (Rk4::new(1e-3), Verner9::new());
    let exact = run(&verner, 1e-14, 2, Vectorization::Off);
    let error = |ends: Vec<SVector<f64, 2>>| {
        ends.iter().zip(&exact).map(|(end, exact)| (end - exact).amax()).fold(0.0, f64::max)
    };
    println!("largest errors: RK4 {:.1e}", error(run(&rk4, 1e-6, 2, Vectorization::Widest)));
    for tolerance in [2.5e-10, 5e-13] {
        println!("  Verner 9(8) at {tolerance:e}: {:.1e}", error(run(&verner, tolerance, 2, Vectorization::Widest)));
    }
    let c = Program::ensemble();
    if c.is_none() {
        println!("NO C COMPILER WITH OPENMP: THE COMPARISON WITH C IS SKIPPED");
    }
    let rk4_with = |threads, lanes| {
        let rk4 = &rk4;
        move || {
            black_box(run(rk4, 1e-6, threads, lanes));
        }
    };
    let verner_with = |tolerance, lanes| {
        let verner = &verner;
        move || {
            black_box(run(verner, tolerance, 2, lanes));
        }
    };
    race(
        "10⁴ compound double pendulums over 10 s",
        "member",
        1e4,
        5,
        vec![
            Contender::self_timed("C, RK4 at 1 ms, 16 lanes, 2 threads", || Some(c.as_ref()?.run_with(&["2"])?.0)),
            Contender::new("RK4 at 1 ms, lanes, 2 threads", rk4_with(2, Vectorization::Widest)),
            Contender::new("RK4 at 1 ms, lanes, 1 thread", rk4_with(1, Vectorization::Widest)),
            Contender::new("RK4 at 1 ms, no lanes, 2 threads", rk4_with(2, Vectorization::Off)),
            Contender::new("Verner 9(8) to 5e-9, lanes, 2 threads", verner_with(2.5e-10, Vectorization::Widest)),
            Contender::new("Verner 9(8) to 5e-9, no lanes, 2 threads", verner_with(2.5e-10, Vectorization::Off)),
            Contender::new("Verner 9(8) to 5e-12, lanes, 2 threads", verner_with(5e-13, Vectorization::Widest)),
            Contender::new("Verner 9(8) to 5e-12, no lanes, 2 threads", verner_with(5e-13, Vectorization::Off)),
        ],
    );
}
