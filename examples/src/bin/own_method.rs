//! How is a method written that is not in the library, and what is its order?

use lagrange_runtime::evaluate::Accelerate;
use lagrange_runtime::method::{ExplicitStep, FixedStep};
use lagrange_runtime::prelude::*;

/// Ralston's method of order 2: the second stage lies at two thirds of the step, where the bound of the error is least.
#[derive(Clone, Copy, Debug)]
struct Ralston;

impl ExplicitStep for Ralston {
    const NAME: &'static str = "Ralston 2";
    const ORDER: u32 = 2;

    fn step<R: Scalar, const N: usize>(
        evaluator: &mut (impl Accelerate<R, N> + ?Sized),
        state: &State<R, N>,
        acceleration: SVector<R, N>,
        h: R,
        end: R,
    ) -> Result<State<R, N>, Failure> {
        let (quarter, part) = (R::from_f64(0.25), h * R::from_f64(2.0 / 3.0));
        let v = state.v + acceleration * part;
        let a = evaluator.acceleration(state.t + part, state.q + state.v * part, v)?;
        let three = R::from_f64(3.0);
        let (q_change, v_change) = ((state.v + v * three) * quarter, (acceleration + a * three) * quarter);
        Ok(State { t: end, q: state.q + q_change * h, v: state.v + v_change * h })
    }
}

/// A planet around a fixed sun.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = -k/sqrt(x^2 + y^2);
}]
struct Orbit {
    m: f64,
    k: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = Orbit { m: 1.0, k: 1.0 }.prepare::<f64>()?;
    // A circle of radius 1 with the period 2π.
    let start = State::new(0.0, [1.0, 0.0], [0.0, 1.0]);
    let error = |h: f64| -> Result<f64, Box<dyn std::error::Error>> {
        let method = FixedStep::<f64, Ralston>::new(h);
        let solution = solve(&system, start, 2.0 * std::f64::consts::PI, &method, &Options::default())?;
        Ok((solution.last().ok_or("no step was made")?.q - start.q).norm())
    };
    let (coarse, fine) = (error(2e-3)?, error(1e-3)?);
    let order = (coarse / fine).log2();
    println!("errors after a period: {coarse:.3e} and {fine:.3e}; order {order:.3}");
    if (order - 2.0).abs() > 0.05 { Err("the order is not 2".into()) } else { Ok(()) }
}
