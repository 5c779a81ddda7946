//! How does a ladder of resistors and capacitors answer a step, and how far is it from a cable?
//!
//! Ten resistors R and ten capacitors C stand between a source and an open end. There is no inductor, so that no charge has inertia: the
//! voltages of the capacitors are states. Their equations are u̇ = A u + b U, so that u(t) = A⁻¹ (exp(A t) − 1) b U. With many cells the
//! ladder becomes a cable of the resistance r and the capacitance c, which is RC each, and whose open end follows
//!
//! ```text
//! u/U = 1 − (4/π) Σ (−1)^k/(2k + 1) exp(−(2k + 1)² π² t/(4 r c))
//! ```
//!
//! (H. S. Carslaw, J. C. Jaeger, *Conduction of Heat in Solids*, 2nd ed., 3.3).

use lagrange_runtime::analysis::linearize;
use lagrange_runtime::nalgebra::DMatrix;
use lagrange_runtime::prelude::*;

/// A ladder of ten cells.
#[lagrangian {
    const n = 10;
    let current[0] = (source - u[0])/r;
    let current[i in 1..n] = (u[i-1] - u[i])/r;
    let current[n] = 0;
    state u[i in 0..n]: dot(u[i]) == (current[i] - current[i+1])/c;
}]
struct Ladder {
    r: f64,
    c: f64,
    #[input]
    source: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ladder = Ladder { r: 100.0, c: 1e-7, source: 5.0 };
    let cable = (10.0 * ladder.r) * (10.0 * ladder.c);
    let system = ladder.prepare::<f64>()?;
    let start = State::new(0.0, SVector::zeros(), SVector::zeros());
    let linear = linearize(&system, &start, &SVector::from([ladder.source]))?;
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    println!("{:>10} {:>14} {:>14} {:>12}", "t/(r c)", "ladder, V", "cable, V", "error, V");
    for part in [0.05, 0.1, 0.2, 0.5, 1.0, 2.0] {
        let t = part * cable;
        let end = solve(&system, start, t, &Dop853::new(), &options)?.last().ok_or("no motion")?;
        let found = end.v[Ladder::INDEX.u[9]];
        // The exponential of [A b; 0 0] t has u(t) of a source of 1 V in its last column.
        let mut bordered = DMatrix::zeros(11, 11);
        bordered.view_mut((0, 0), (10, 10)).copy_from(&(linear.a() * t));
        bordered.view_mut((0, 10), (10, 1)).copy_from(&(linear.b() * t));
        let exact = ladder.source * bordered.exp()[(9, 10)];
        let term = |k: i32| {
            let odd = f64::from(2 * k + 1);
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            sign / odd * (-(odd * std::f64::consts::PI).powi(2) * part / 4.0).exp()
        };
        let of_cable = ladder.source * (1.0 - 4.0 / std::f64::consts::PI * (0..20).map(term).sum::<f64>());
        println!("{part:>10} {found:>14.9} {of_cable:>14.9} {:>12.1e}", found - exact);
        if (found - exact).abs() > 1e-9 {
            return Err(format!("{found} V is not {exact} V of the matrix exponential").into());
        }
        if (found - of_cable).abs() > 0.06 * ladder.source {
            return Err(format!("{found} V is far from the cable's {of_cable} V").into());
        }
    }
    Ok(())
}
