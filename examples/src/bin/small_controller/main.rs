//! How does a controller run on a small computer, in single precision and without std?
//!
//! The file `controller.rs` needs neither std nor an allocator. It has the model of a cart with a pole, the gains as constants, and
//! the law u = −K x. Here, on a large computer, the gains are computed in double precision: for samples of 10 ms, K minimises
//! Σ xᵀ Q x + uᵀ R u (B. D. O. Anderson, J. B. Moore, *Optimal Control: Linear Quadratic Methods*, 2.4). The least value of the sum
//! from the state x is xᵀ X x. Three checks follow: the constants are the computed gains, the law in single precision balances a
//! plant in double precision at this least cost, and it balances the plant in single precision.

mod controller;

use controller::{LARGEST_PUSH, PERIOD, PLANT, POSITION_GAIN, VELOCITY_GAIN, balance, law};
use lagrange_runtime::analysis::{linearize, lqr_sampled};
use lagrange_runtime::controller::Law;
use lagrange_runtime::nalgebra::{DMatrix, DVector, Vector4};
use lagrange_runtime::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = PLANT.prepare::<f64>()?;
    let upright = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let near = linearize(&system, &upright, &SVector::from([0.0]))?;
    let (q, r) = (DMatrix::from_diagonal(&DVector::from_row_slice(&[1.0, 10.0, 0.1, 0.1])), 0.04);
    let period = f64::from(PERIOD);
    let regulator = lqr_sampled(&near.space().sampled(period)?, &q, &DMatrix::from_element(1, 1, r))?;
    let computed = regulator.gain.map(|gain| gain as f32);
    println!("gains computed: {:?}", computed.as_slice());
    println!("gains stored:   {POSITION_GAIN:?} {VELOCITY_GAIN:?}");
    let stored = POSITION_GAIN.iter().chain(&VELOCITY_GAIN);
    if stored.zip(computed.iter()).any(|(stored, computed)| (stored / computed - 1.0).abs() > 1e-6) {
        return Err("the stored gains are not those of the regulator".into());
    }

    // Nature has double precision: the law sees measurements rounded to f32.
    let start = State::new(0.0, [0.0, 0.02], [0.0, 0.0]);
    let (mut single, mut cost) = (law(), 0.0);
    let sampled = |t: f64, at: &SVector<f64, 2>, v: &SVector<f64, 2>| {
        let u = f64::from(single.sample(t as f32, &at.map(|x| x as f32), &v.map(|x| x as f32))[0]);
        let x = DVector::from_row_slice(&[at[0], at[1], v[0], v[1]]);
        cost += x.dot(&(&q * &x)) + r * u * u;
        SVector::from([u])
    };
    let mut nature = Sampled::of(period, sampled);
    let mut state = start;
    integrate(&system, &mut state, 20.0, &Dop853::new(), &Options::default(), &mut nature, &mut ())?;
    let x = Vector4::new(start.q[0], start.q[1], 0.0, 0.0);
    let least = x.dot(&(&regulator.cost * x));
    println!("cost from a lean of 0.02 rad: {cost:.6}; xᵀ X x = {least:.6}");
    if (cost / least - 1.0).abs() > 5e-3 {
        return Err("the motion does not have the least cost".into());
    }

    println!("lean at the start/rad   θ/rad and x/m after 10 s, all in single precision");
    for lean in [0.05, 0.1, 0.2, 0.3] {
        let end = balance(lean, 10.0).ok_or("the integration failed")?;
        println!("{lean:21} {:10.1e} {:10.1e}", end.q[1], end.q[0]);
        if end.q[1].abs() > 1e-4 || end.q[0].abs() > 1e-3 {
            return Err(format!("the pole fell from {lean} rad under at most {LARGEST_PUSH} N").into());
        }
    }
    Ok(())
}
