//! How fast is a bullet that a hanging block catches?
//!
//! In 1742 Benjamin Robins shot at a block on cords, and measured how far it swung. The bullet stays in the block, and no force outside of both acts along its flight. So the
//! momentum m v becomes that of both bodies, while most of the energy is lost; the swing that follows keeps what is left:
//!
//! ```text
//! m v = (m + M) u,    (m + M) u²/2 = (m + M) g h        v = (1 + M/m) √(2 g h)
//! lost: m M v²/(2 (m + M)) + m w²/2                      w: how fast the bullet falls where it arrives
//! ```
//!
//! The program knows nothing of that. It states the energies of a bullet that flies and of a block that hangs, and that the bullet is fixed to the block from where they meet on: a constraint
//! that a mode switches on. The impulse of this constraint follows.

use lagrange_runtime::analysis::power_audit;
use lagrange_runtime::instant::Cause;
use lagrange_runtime::prelude::*;

/// A block on two parallel cords, and a bullet.
#[lagrangian {
    coordinates x, y, theta;
    let middle = [l*sin(theta), -l*cos(theta)];
    kinetic   = bullet*(dot(x)^2 + dot(y)^2)/2 + block*norm2(dot(middle))/2;
    potential = g*(bullet*y + block*middle[1]);
    mode caught = when x > middle[0] { 1 } then height = y - middle[1];
    mode height;
    constraint wood: [x, y] == middle + [0, height] when caught > 1/2;
    output rise = l - l*cos(theta);
}]
struct Pendulum {
    /// kg
    bullet: f64,
    /// kg
    block: f64,
    /// m
    l: f64,
    /// m/s²
    g: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (bullet, block, g, way) = (0.01, 2.0, 9.81, 3.0);
    let system = Pendulum { bullet, block, l: 1.0, g }.prepare::<f64>()?;
    println!("    v, m/s   block after, m/s   lost, J   of its energy   rise, m   v from the rise, m/s");
    for speed in [100.0, 200.0, 300.0, 400.0] {
        let start = State::new(0.0, [-way, -1.0, 0.0, 0.0, 0.0], [speed, 0.0, 0.0, 0.0, 0.0]);
        let theta_dot = |_: f64, _: &SVector<f64, 5>, v: &SVector<f64, 5>| v[2];
        let turns = [Event::new(&theta_dot).going(Direction::Falling).terminal()];
        let options = Options {
            rtol: 1e-11.into(),
            atol: 1e-12.into(),
            events: &turns,
            dense_output: true,
            ..Options::default()
        };
        let solution = solve(&system, start, 5.0, &Dop853::new(), &options)?;
        let is_impact = |cause| matches!(cause, Cause::Impact(_));
        let impact = solution.instants.iter().find(|instant| is_impact(instant.cause)).ok_or("it is not caught")?;
        let lost = -power_audit(&system, &solution, |_, _, _| SVector::zeros())?.impacts;
        let rise = system.outputs_of(&solution.last().ok_or("no state")?)[0].1;
        let found = (1.0 + block / bullet) * (2.0 * g * rise).sqrt();
        let common = impact.after.v[2];
        let part = 100.0 * lost / (bullet * speed * speed / 2.0);
        println!("{speed:10.0} {common:18.5} {lost:9.3} {part:13.3} % {rise:9.5} {found:22.6}");
        let falling = g * way / speed;
        let expected = bullet * (block * speed * speed / (bullet + block) + falling * falling) / 2.0;
        let is_right =
            (common - bullet * speed / (bullet + block)).abs() < 1e-9 && (lost / expected - 1.0).abs() < 1e-9;
        if !is_right || (found / speed - 1.0).abs() > 1e-8 {
            return Err(format!("at {speed} m/s: {common} m/s, {lost} J, {found} m/s").into());
        }
    }
    println!(
        "the block of {block} kg takes a part M/(m + M) of the bullet's energy as heat: {:.3} %",
        100.0 * block / (block + bullet)
    );
    Ok(())
}
