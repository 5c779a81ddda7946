//! What does one acceleration of the compound double pendulum cost when the next one waits for it?
//!
//! `cargo bench -p lagrange-benches --bench acceleration`

use lagrange_benches::c::Program;
use lagrange_benches::hand::Pendulum;
use lagrange_benches::race::{Contender, race};
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::prelude::*;
use std::f64::consts::FRAC_PI_4;
use std::hint::black_box;

const COUNT: u32 = 2_000_000;

fn main() {
    let hand = black_box(Pendulum::published());
    let model = CompoundDoublePendulum::default();
    let system = black_box(model).prepare::<f64>().expect("the parameters are finite");
    let derived = || {
        let (mut q, mut v) = (SVector::from(black_box([FRAC_PI_4, 0.0])), SVector::from([0.0, 0.0]));
        let none = SVector::from([]);
        for _ in 0..COUNT {
            let a = system.acceleration(0.0, &q, &v, &none).expect("the mass matrix is regular").acceleration;
            q = q.zip_map(&a, |q, a| Scalar::mul_add(1e-6, a, q));
            v = v.zip_map(&a, |v, a| Scalar::mul_add(-1e-6, a, v));
        }
        q[0]
    };
    let by_hand = || {
        let (mut q, mut w) = (black_box([FRAC_PI_4, 0.0]), [0.0, 0.0]);
        for _ in 0..COUNT {
            let a = hand.acceleration(q, w);
            for i in 0..2 {
                // A fused multiply-add where the processor has one: the C compiler uses it by default.
                q[i] = Scalar::mul_add(1e-6, a[i], q[i]);
                w[i] = Scalar::mul_add(-1e-6, a[i], w[i]);
            }
        }
        q[0]
    };
    println!("final angle: derived {:.12}, by hand {:.12}", derived(), by_hand());
    let c = Program::compile();
    race(
        "One acceleration in a dependent chain",
        "acceleration",
        f64::from(COUNT),
        11,
        vec![
            Contender::self_timed("C by hand, libm, -O3 -march=native", || Some(c.as_ref()?.run("acceleration")?.0)),
            Contender::new("Rust by hand, std's sine and cosine", || {
                black_box(by_hand());
            }),
            Contender::new("derived", || {
                black_box(derived());
            }),
        ],
    );
}
