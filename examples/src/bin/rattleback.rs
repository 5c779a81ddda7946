//! Why does a rattleback stop, and turn the other way?
//!
//! A rattleback is a boat-shaped stone. Its curvatures have two axes, along and across, and so has its inertia; but the two pairs of axes are turned against each other by a small angle. Therefore spinning
//! and rattling are coupled: in one sense, the spin feeds a rocking that takes its energy, until the stone stands and rattles. The rocking then feeds the opposite spin. In the other sense
//! it spins on for long.
//!
//! The stone rolls without slip. Its contact with the floor is the point of the ellipsoid whose normal points down: with the direction n of the vertical in the stone,
//!
//! ```text
//! ρ = (a² n₁, b² n₂, c² n₃)/|(a n₁, b n₂, c n₃)| − (0, 0, h),    v + ω × ρ = 0
//! ```
//!
//! The numbers are from T. R. Kane and D. A. Levinson (*Int. J. Non-Linear Mechanics* 17, 1982). The program prints the spin of this stone, and the spin of a stone whose axes are not turned (d = 0).

use lagrange_runtime::prelude::*;

/// Half an ellipsoid that rolls; all third axes point down.
#[lagrangian {
    coordinates x, y, gamma, alpha, beta;
    let turned = rotation_z(gamma)*rotation_x(alpha)*rotation_y(beta);
    let spin   = angular_velocity_body(turned);
    let down   = transpose(turned)*[0, 0, 1];
    let reach  = norm([a*down[0], b*down[1], c*down[2]]);
    let lever  = [a^2*down[0]/reach, b^2*down[1]/reach, c^2*down[2]/reach - h];
    let height = inner(lever, down);
    let slip   = turned*cross(spin, lever);
    kinetic     = rigid_body_energy(m, [[i1, d, 0], [d, i2, 0], [0, 0, i3]], [x, y, -height], turned);
    potential   = m*g*height;
    dissipation = sigma*norm2(spin)/2;
    nonholonomic rolls: [dot(x) + slip[0], dot(y) + slip[1]] == [0, 0];
    output rate = (turned*spin)[2];
    output lean = acos(down[2]);
    output rolling = [-slip[0], -slip[1]];
}]
struct Stone {
    m: f64,
    g: f64,
    a: f64,
    b: f64,
    c: f64,
    h: f64,
    i1: f64,
    i2: f64,
    i3: f64,
    d: f64,
    sigma: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let times: Vec<f64> = (0..=10).map(f64::from).collect();
    let mut columns = Vec::new();
    for (d, spin) in [(-2e-5, -5.0), (-2e-5, 5.0), (0.0, -5.0)] {
        let (a, b, c, h) = (0.2, 0.03, 0.02, 0.01);
        let stone = Stone { m: 1.0, g: 9.81, a, b, c, h, i1: 2e-4, i2: 1.6e-3, i3: 1.7e-3, d, sigma: 1e-4 };
        let system = stone.prepare::<f64>()?;
        // Half a degree aside, spun about the vertical. The velocity follows from the turning, v = −ω × ρ.
        let aside = 0.5_f64.to_radians();
        let mut start = State::new(0.0, [0.0, 0.0, 0.0, aside, aside], [0.0, 0.0, spin, 0.0, 0.0]);
        let outputs = system.outputs_of(&start);
        (start.v[0], start.v[1]) = (outputs[2].1, outputs[3].1);
        let options = Options { rtol: 1e-10.into(), atol: 1e-11.into(), t_eval: Some(&times), ..Options::default() };
        let solution = solve(&system, start, 10.0, &Projected::new(Dop853::new()), &options)?;
        let rows = solution.states().map(|state| {
            let outputs = system.outputs_of(&state);
            [outputs[0].1, outputs[1].1.to_degrees()]
        });
        columns.push(rows.collect::<Vec<_>>());
    }
    println!("      spun backward        spun forward         axes not turned");
    println!(" t/s  ω, rad/s  lean, °    ω, rad/s  lean, °    ω, rad/s  lean, °");
    for (i, t) in times.iter().enumerate() {
        let cells: Vec<String> =
            columns.iter().map(|column| format!("{:8.3} {:8.2}", column[i][0], column[i][1])).collect();
        println!("{t:4.0}  {}", cells.join("    "));
    }
    let end = |column: usize| columns[column].last().map_or(f64::NAN, |row| row[0]);
    let is_right = end(0) > 2.0 && end(1) > 2.0 && end(2) < -2.0;
    println!("the stone turns round if it is spun backward, and only if its axes are turned");
    if is_right { Ok(()) } else { Err(format!("{} {} {}", end(0), end(1), end(2)).into()) }
}
