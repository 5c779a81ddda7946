//! Where must a moving crane let go of its load, so that it lands on a target?
//!
//! A trolley starts with a constant acceleration. The load swings behind it on a rope, and the hook opens at a place. The load flies, and stays where it lands. That place is a mode
//! of the mechanism, which a change assigns when the load meets the ground: it depends on everything before, on the place of the hook, the length of the rope and the acceleration.
//!
//! [`sensitivities`] gives the derivatives of the landing place along with the motion. They contain that the hook opens later, that the rope is let go with another velocity, and
//! that the load lands later. Newton's method finds with them the place at which the hook must open, and they say which inaccuracy costs most.
//!
//! After the hook has opened, the flight is a parabola, x + ẋ (ẏ + √(ẏ² + 2 g y))/g.

use lagrange_runtime::analysis::{Variable, sensitivities};
use lagrange_runtime::instant::Cause;
use lagrange_runtime::prelude::*;

/// A load on the rope of a trolley that accelerates from rest.
#[lagrangian {
    coordinates x, y;
    let hook = [acceleration*t^2/2, height];
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y*(1 - landed);
    constraint rope: norm([x, y] - hook) == length when carried > 1/2;
    mode carried = when hook[0] > place { 0 };
    mode landed  = when y < 0 { 1 } then [dot(x), dot(y)] = [0, 0], landing = x;
    mode landing;
}]
#[derive(Clone, Debug)]
struct Crane {
    m: f64,
    g: f64,
    height: f64,
    length: f64,
    acceleration: f64,
    place: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut crane = Crane { m: 200.0, g: 9.81, height: 10.0, length: 6.0, acceleration: 0.8, place: 4.0 };
    let (target, end) = (12.0, 20.0);
    // The load hangs at rest, and the hook is closed.
    let start = State::new(0.0, [0.0, crane.height - crane.length, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0]);
    let index = |name: &str| Crane::PARAMETERS.iter().position(|known| *known == name).ok_or("no such parameter");
    // With the rope and the height of the hook, the place varies at which the load hangs at the start.
    let lower = |by: f64| (SVector::from([0.0, -by, 0.0, 0.0, 0.0]), SVector::zeros());
    let ((longer, v), (higher, _)) = (lower(1.0), lower(-1.0));
    let variables = [
        Variable::Parameter(index("place")?),
        Variable::Parameter(index("acceleration")?),
        Variable::Following { parameter: index("length")?, q: longer, v },
        Variable::Following { parameter: index("height")?, q: higher, v },
    ];
    let options = SharedOptions { rtol: 1e-11, atol: 1e-11, ..SharedOptions::default() };
    println!("the hook opens at, m   the load lands at, m");
    let mut by = Vec::new();
    let mut missed = f64::INFINITY;
    for _ in 0..8 {
        let found = sensitivities(&crane, &start, &[end], &Dop853::new(), &options, &variables)?;
        let landing = found.states[0].v[Crane::INDEX.landing];
        println!("{:20.9} {landing:22.9}", crane.place);
        let row = 5 + Crane::INDEX.landing;
        by = (0..variables.len()).map(|column| found.derivatives[0][(row, column)]).collect();
        missed = landing - target;
        if missed.abs() < 1e-9 {
            break;
        }
        crane.place -= missed / by[0];
    }
    let &[place, acceleration, length, height] = &by[..] else { return Err("four derivatives".into()) };
    println!("the landing place moves by");
    println!("{place:8.3} cm if the hook opens a centimetre later");
    println!("{length:8.3} cm if the rope is a centimetre longer");
    println!("{height:8.3} cm if the hook is a centimetre higher");
    println!("{:8.3} cm if the acceleration is a percent larger", acceleration * crane.acceleration);

    let exact = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    let solution = solve(&crane.prepare::<f64>()?, start, end, &Dop853::new(), &exact)?;
    let opens = solution.instants.iter().find(|instant| instant.cause == Cause::Mode("carried"));
    let State { q, v, .. } = opens.ok_or("the hook stays closed")?.after;
    let parabola = q[0] + v[0] * (v[1] + (v[1] * v[1] + 2.0 * crane.g * q[1]).sqrt()) / crane.g;
    println!("the parabola from where the hook opens ends at {parabola:.9} m");
    if missed.abs() < 1e-9 && (parabola - target).abs() < 1e-8 {
        Ok(())
    } else {
        Err("the load misses the target".into())
    }
}
