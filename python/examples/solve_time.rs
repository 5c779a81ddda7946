//! The time that a motion of a pendulum takes in Rust, for `tests/overhead.py`: a line with the number of steps and microseconds.

use lagrange_runtime::prelude::*;
use std::hint::black_box;
use std::time::Instant;

/// A point mass on a massless rod, and a torque at the hinge.
#[lagrangian {
    coordinates theta;
    kinetic   = m*l^2*dot(theta)^2/2;
    potential = -m*g*l*cos(theta);
    dissipation = c*dot(theta)^2/2;
    force theta = torque;
    output bob = [l*sin(theta), -l*cos(theta)];
    assume l > 0;
}]
#[derive(Clone, Debug)]
struct Pendulum {
    m: f64,
    l: f64,
    g: f64,
    c: f64,
    #[input]
    torque: f64,
}

fn main() {
    const MOTIONS: u32 = 5000;
    for t_end in [0.1, 1.0, 10.0] {
        let mut steps = 0;
        let mut motion = || {
            let pendulum = black_box(Pendulum { m: 1.0, l: 0.5, g: 9.81, c: 0.0, torque: 0.0 });
            let system = pendulum.prepare::<f64>().expect("the parameters are allowed");
            let start = State::new(0.0, [1.0], [0.0]);
            let options = Options { rtol: 1e-9.into(), atol: 1e-9.into(), ..Options::default() };
            let solution = solve(&system, start, t_end, &Dop853::new(), &options).expect("the motion is smooth");
            steps = black_box(solution).t.len() - 1;
        };
        // The least time is that of a motion which nothing else disturbed.
        let once = |_| {
            let start = Instant::now();
            motion();
            start.elapsed().as_secs_f64()
        };
        let seconds = (0..MOTIONS).map(once).fold(f64::INFINITY, f64::min);
        println!("{t_end} {steps} {:.3}", 1e6 * seconds);
    }
}
