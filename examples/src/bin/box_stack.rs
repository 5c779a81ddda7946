//! How steep may the ground be under a stack of ten boxes?
//!
//! Each box of half width b and half height h stands on two corners, with friction: 20 contacts with their slips are 40 rows. A corner of box i (from 0)
//! bears a part of the weight of the n − i boxes from there on, which lean on the lower corner:
//!
//! ```text
//! N = (n − i) m g (cos a ∓ (n − i) (h/b) sin a)/2
//! ```
//!
//! The upper corner of the lowest box bears nothing at tan a = b/(n h). On a steeper ground the boxes turn about the lower one, all together at first:
//!
//! ```text
//! dω/dt = (3/4) g (n h sin a − b cos a)/(b² + n² h²)
//! ```
//!
//! The friction of a single corner is not determined: two corners of one rigid box cannot slip apart. Their sum is.

use lagrange_runtime::contact;
use lagrange_runtime::prelude::*;

/// Ten boxes on a ground of slope a.
#[lagrangian {
    const n = 10;
    coordinates r[n][2], theta[n];
    let side[i in 0..n]  = [cos(theta[i]), sin(theta[i])];
    let up[i in 0..n]    = [-sin(theta[i]), cos(theta[i])];
    let left[i in 0..n]  = r[i] - b*side[i] - h*up[i];
    let right[i in 0..n] = r[i] + b*side[i] - h*up[i];
    kinetic   = sum(i in 0..n, m*norm2(dot(r[i]))/2 + m*(b^2 + h^2)/6*dot(theta[i])^2);
    potential = sum(i in 0..n, m*g*(r[i][1]*cos(a) - r[i][0]*sin(a)));
    contact upper: left[0][1] >= 0, friction = mu, slip = left[0][0];
    contact lower: right[0][1] >= 0, friction = mu, slip = right[0][0];
    contact uppers[i in 0..9]: inner(left[i+1] - r[i], up[i]) - h >= 0,
        friction = mu, slip = inner(left[i+1] - r[i], side[i]);
    contact lowers[i in 0..9]: inner(right[i+1] - r[i], up[i]) - h >= 0,
        friction = mu, slip = inner(right[i+1] - r[i], side[i]);
}]
struct Stack {
    /// kg
    m: f64,
    /// m/s²
    g: f64,
    /// m
    b: f64,
    /// m
    h: f64,
    /// rad
    a: f64,
    mu: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (m, g, b, h, n) = (2.0, 9.81, 0.2, 0.1, 10.0);
    let limit = (b / (n * h)).atan();
    let mut start = State { t: 0.0, q: SVector::<f64, 30>::zeros(), v: SVector::zeros() };
    for i in 0..10 {
        start.q[2 * i + 1] = (2 * i + 1) as f64 * h;
    }
    println!("the limit is a slope of {limit:.6} rad");
    println!("slope/limit   upper corner, N   lower corner, N   dω/dt, rad/s²   closed form");
    let mut worst = 0.0_f64;
    for part in [0.5, 0.9, 0.99, 1.01, 1.1] {
        let a = part * limit;
        let system = Stack { m, g, b, h, a, mu: 0.6 }.prepare::<f64>()?;
        let forces = contact::forces(&system, &start, &SVector::from([]))?.forces;
        let acceleration = system.acceleration(0.0, &start.q, &start.v, &SVector::from([]))?.acceleration;
        let turning = 0.75 * g * (n * h * a.sin() - b * a.cos()) / (b * b + n * n * h * h);
        let turning = turning.max(0.0);
        println!("{part:11.2} {:17.6} {:17.6} {:15.8} {turning:13.8}", forces[0], forces[1], acceleration[20].abs());
        // All boxes turn alike.
        let differs = (20..30).map(|i| (acceleration[i] + turning).abs()).fold(0.0, f64::max);
        worst = worst.max(differs);
        if part < 1.0 {
            let [upper, lower] = [-1.0, 1.0].map(|side| n * m * g / 2.0 * (a.cos() + side * n * h / b * a.sin()));
            worst = worst.max((forces[0] - upper).abs()).max((forces[1] - lower).abs());
        }
    }
    // It stands, just below the limit.
    let system = Stack { m, g, b, h, a: 0.99 * limit, mu: 0.6 }.prepare::<f64>()?;
    let options = Options { rtol: 1e-8.into(), atol: 1e-8.into(), ..Options::default() };
    let solution = solve(&system, start, 1.0, &DormandPrince5::new(), &options)?;
    let last = solution.last().ok_or("no state")?;
    println!("after 1 s at 0.99 of the limit, the boxes have moved by {:.0e} m", (last.q - start.q).amax());
    let is_right = worst < 1e-8 && (last.q - start.q).amax() < 1e-9;
    if is_right { Ok(()) } else { Err(format!("not as statics says: {worst:e}").into()) }
}
