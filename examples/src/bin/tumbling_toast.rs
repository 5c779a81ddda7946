//! Does toast fall on its buttered side?
//!
//! A slice of toast juts out over the edge of a table a little too far, tips, slides off and falls. It turns about the edge from rest, and the friction of the edge must balance g sin θ + ω² δ − α b per mass, until it reaches its bound.
//! Then it slides off, and turns on as it falls: by about 200 degrees from a table of 75 cm, so that it lands on its upper side. A table twice as high gives it the time to come round again. R. A. J. Matthews
//! (*Tumbling toast, Murphy's law and the fundamental constants*, Eur. J. Phys. 16, 1995) has the law of the slip for a thin slice of half length a, whose middle is beyond a sharp edge by δ:
//!
//! ```text
//! tan θ = μ/(1 + 9 (δ/a)²)        ω² = 6 g δ sin θ/(a² + 3 δ²)
//! ```
//!
//! The slice and the table are boxes, which meet by their vertices, and the slips follow from their motion. Here the slice has a thickness 2b and rolls over an edge of the radius r, so that its arm s = δ − r θ shrinks, and
//! the closed form contains both.

use lagrange_runtime::instant::Cause;
use lagrange_runtime::prelude::*;

/// A slice of half length a and half thickness b, a table of height h whose edge is the origin, and a floor.
#[lagrangian {
    coordinates x, y, turn;
    let toast = box([x, y], [a, b], turn, r);
    let table = box([r - 1, -h/2], [1, h/2], 0, r);
    kinetic   = rigid_body_energy(m, m*(a^2 + b^2)/3, [x, y], turn);
    potential = m*g*y;
    contact end:  distance(vertex(toast, 0), table) >= 0, friction = mu;
    contact edge: distance(vertex(table, 3), toast) >= 0, friction = mu;
    contact floor[i in 0..4]: distance(vertex(toast, i), plane([0, -h], [0, 1])) >= 0;
}]
struct Toast {
    /// kg
    m: f64,
    /// m/s²
    g: f64,
    /// m
    a: f64,
    /// m
    b: f64,
    /// m
    r: f64,
    /// m
    h: f64,
    mu: f64,
}

/// The slice lands on one of its four vertices.
const LANDINGS: [Cause; 4] =
    [Cause::Impact("floor[0]"), Cause::Impact("floor[1]"), Cause::Impact("floor[2]"), Cause::Impact("floor[3]")];

/// The tilt at which the slice slips, and its angular velocity there.
fn slips(toast: &Toast, overhang: f64) -> [f64; 2] {
    let Toast { g, a, b, r, mu, .. } = *toast;
    let arm = |tilt: f64| overhang - r * tilt;
    let square = |tilt: f64| (a * a + b * b) / 3.0 + b * b + arm(tilt) * arm(tilt);
    let turning = |tilt: f64| 2.0 * g * (arm(tilt) * tilt.sin() + (b + r) * (1.0 - tilt.cos())) / square(tilt);
    let (mut low, mut high) = (0.0, 1.5);
    for _ in 0..60 {
        let tilt: f64 = (low + high) / 2.0;
        let ((sin, cos), s, omega2) = (tilt.sin_cos(), arm(tilt), turning(tilt));
        let gained = (g * (s * cos + b * sin) + r * s * omega2) / square(tilt);
        let along = g * sin + omega2 * s - gained * b;
        let across = g * cos - gained * s - omega2 * (b - r);
        if along < mu * across { low = tilt } else { high = tilt }
    }
    [low, turning(low).sqrt()]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let overhang = 0.002;
    println!("height, m      mu   slips at, deg   closed form   lands after, s   turned, deg   on its");
    let mut worst = 0.0_f64;
    let mut sides = Vec::new();
    for (h, mu) in [(0.75, 0.2), (0.75, 0.4), (0.75, 0.8), (1.5, 0.4), (3.0, 0.4)] {
        let toast = Toast { m: 0.05, g: 9.81, a: 0.05, b: 0.005, r: 0.001, h, mu };
        let [tilt, turning] = slips(&toast, overhang);
        let system = toast.prepare::<f64>()?;
        let options = Options { rtol: 1e-10.into(), atol: 1e-11.into(), ends_at: &LANDINGS, ..Options::default() };
        let start = State::new(0.0, [overhang, 0.005, 0.0], [0.0; 3]);
        let solution = solve(&system, start, 5.0, &Dop853::new(), &options)?;
        let slipped = solution.instants.iter().find(|instant| matches!(instant.cause, Cause::Phase("edge.slip", _)));
        let slipped = slipped.ok_or("the slice does not slip")?.after;
        let landed = solution.last().ok_or("no step was made")?;
        let turned = -landed.q[2].to_degrees();
        let side = if turned.to_radians().cos() > 0.0 { "lower side" } else { "buttered side" };
        println!(
            "{h:9} {mu:7} {:15.5} {:13.5} {:16.4} {turned:13.1}   {side}",
            -slipped.q[2].to_degrees(),
            tilt.to_degrees(),
            landed.t
        );
        worst = worst.max((-slipped.q[2] - tilt).abs()).max((-slipped.v[2] - turning).abs());
        sides.push(side);
    }
    println!("tilts and angular velocities of the slips are those of the closed form to {worst:.0e}");
    let is_right = worst < 1e-7 && sides[..3].iter().all(|side| *side == "buttered side");
    if is_right { Ok(()) } else { Err(format!("an error of {worst:e}, {sides:?}").into()) }
}
