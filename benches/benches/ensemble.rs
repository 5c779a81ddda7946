//! What do 10⁴ compound double pendulums over 10 s cost on two cores, against C with 16 lanes and OpenMP?
//!
//! And what does a map of the times after which double pendulums flip cost, against one trajectory at a time on two threads?
//!
//! `cargo bench -p lagrange-benches --bench ensemble [-- --flips SIZE]`, where SIZE is 512 for the full map instead of one of 128 × 128.

use lagrange_benches::c::Program;
use lagrange_benches::race::{Contender, race};
use lagrange_models::{CompoundDoublePendulum, DoublePendulum};
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
    ensemble.run(members(), None, |trajectory| {
        ends.push(trajectory.result.expect("the pendulums stay finite").state.q);
        ControlFlow::Continue(())
    });
    ends
}

/// For each point of a map, the time at which one of the rods of a double pendulum first passes the upright position, and 100 s if none
/// does until then. The pendulums start at rest from all angles.
fn flips<Y>(method: &Y, size: u32, lanes: Vectorization) -> Vec<f64>
where
    Y: Method<f64, 2, 0> + Explicit<2> + Sync,
{
    let mechanism = black_box(DoublePendulum::default());
    let members = grid([(-3.0, 3.0, size), (-3.0, 3.0, size)])
        .map(move |q| Member { mechanism: mechanism.clone(), initial: State::new(0.0, q, [0.0, 0.0]) });
    let upright = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[0].abs().max(q[1].abs()) - std::f64::consts::PI;
    let options = SharedOptions { rtol: 1e-8, atol: 1e-8, ..SharedOptions::default() };
    let ensemble = Ensemble::new(method, 100.0).with_threads(2).with_lanes(lanes).with_options(options);
    let mut times = Vec::with_capacity((size * size) as usize);
    ensemble.run(members, Some((Direction::Rising, &upright)), |trajectory| {
        times.push(trajectory.result.expect("the pendulums stay finite").state.t);
        ControlFlow::Continue(())
    });
    times
}

/// Compares maps of flips in lanes with maps by one trajectory at a time, by two pairs.
fn race_of_flips(size: u32, rounds: usize) {
    let (dop853, verner) = (Dop853::new(), Verner9::new());
    // Most of these trajectories are chaotic, so that times after many swings differ between any two ways to round. Early ones agree.
    let (lanes, alone) = (flips(&verner, 64, Vectorization::Widest), flips(&verner, 64, Vectorization::Off));
    let early = lanes.iter().zip(&alone).filter(|(lane, alone)| lane.min(**alone) < 5.0);
    let largest = early.map(|(lane, alone)| (lane - alone).abs()).fold(0.0, f64::max);
    let mean = alone.iter().sum::<f64>() / alone.len() as f64;
    println!(
        "flips before 5 s: largest difference between lanes and one at a time {largest:.1e} s, mean of all times {mean:.1} s"
    );
    let times = |method: &dyn Fn(Vectorization) -> Vec<f64>, lanes| {
        black_box(method(lanes));
    };
    let by_dop853 = |lanes| flips(&dop853, size, lanes);
    let by_verner = |lanes| flips(&verner, size, lanes);
    race(
        &format!("times of flips of {size} × {size} double pendulums within 100 s, 2 threads, to 1e-8"),
        "member",
        f64::from(size * size),
        rounds,
        vec![
            Contender::new("DOP853, no lanes", || times(&by_dop853, Vectorization::Off)),
            Contender::new("DOP853, lanes", || times(&by_dop853, Vectorization::Widest)),
            Contender::new("Verner 9(8), no lanes", || times(&by_verner, Vectorization::Off)),
            Contender::new("Verner 9(8), lanes", || times(&by_verner, Vectorization::Widest)),
        ],
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(place) = arguments.iter().position(|argument| argument == "--flips") {
        let size = arguments.get(place + 1).and_then(|size| size.parse().ok()).expect("--flips takes a number");
        return race_of_flips(size, 1);
    }
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
    race_of_flips(128, 3);
}
