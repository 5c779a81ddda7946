//! When does a bouncing ball come to rest, and what ends its bounces?
//!
//! A ball falls from the height h. Each impact multiplies its speed by the coefficient of restitution e. With the time of the
//! first fall t₀ = √(2h/g), impact n (from 0) is at t₀ (1 + 2e + … + 2eⁿ) = t₀ (1 + 2e (1 − eⁿ)/(1 − e)), and the impacts
//! accumulate at
//!
//! ```text
//! t∞ = t₀ (1 + e)/(1 − e)
//! ```
//!
//! An event may map the state at each impact. Infinitely many impacts before t∞ cannot be made one by one: the integration ends with
//! the failure `Zeno`, where no resolvable time is left between two impacts. The solution up to there is kept.
//!
//! A `contact` closes where the next flight would be shorter than the time can resolve. The ball then rests on the ground, and the
//! integration goes on.

use lagrange_runtime::contact;
use lagrange_runtime::prelude::*;

/// A ball above the ground.
#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
}]
struct Ball {
    /// kg
    m: f64,
    /// m/s²
    g: f64,
}

/// The same ball, with the ground as a contact.
#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact ground: y >= 0, restitution = e;
}]
struct Landing {
    /// kg
    m: f64,
    /// m/s²
    g: f64,
    /// The coefficient of restitution.
    e: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = Ball { m: 0.05, g: 9.81 };
    let system = ball.prepare::<f64>()?;
    let (height, restitution) = (1.0, 0.8);
    let released = State::new(0.0, [height], [0.0]);

    let ground = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| q[0];
    let impact = |state: &State<f64, 1>| State { v: state.v * -restitution, ..*state };
    let events = [Event::new(&ground).going(Direction::Falling).mapping(&impact)];
    let options = Options { events: &events, ..Options::default() };

    let fall = (2.0 * height / ball.g).sqrt();
    let rest = fall * (1.0 + restitution) / (1.0 - restitution);
    let Err(ended) = solve(&system, released, 10.0, &DormandPrince5::new(), &options) else {
        return Err("the ball bounces for ever".into());
    };
    let Failure::Zeno { event: 0 } = ended.error.failure else { return Err(ended.into()) };
    let impacts = &ended.solution.events;

    println!("impact   t/s         closed form  speed after, m/s");
    let mut worst = 0.0_f64;
    for (n, bounce) in impacts.iter().enumerate() {
        let power = restitution.powi(n as i32);
        let t = fall * (1.0 + 2.0 * restitution * (1.0 - power) / (1.0 - restitution));
        let speed = ball.g * fall * power * restitution;
        worst = worst.max((bounce.before.t - t).abs());
        if n < 5 || n + 1 == impacts.len() {
            println!("{n:6} {:11.8} {t:11.8}   {:.3e}", bounce.before.t, bounce.after.v[0]);
        }
        // An impact multiplies the error of the speed too, so that the relative error is bounded. Rounding ends that.
        if bounce.after.v[0] > 1e-6 && (bounce.after.v[0] / speed - 1.0).abs() > 1e-6 {
            return Err(format!("impact {n}: the speed is {}, and not {speed}", bounce.after.v[0]).into());
        }
    }
    let last = ended.error.state.t;
    println!("{} impacts until {last:.12} s; they accumulate at t∞ = {rest:.12} s", impacts.len());
    println!("what ended it: {}", ended.error);
    if worst > 1e-9 || (last - rest).abs() > 1e-9 {
        return Err("the impacts are at the wrong times".into());
    }

    let landing = Landing { m: ball.m, g: ball.g, e: restitution }.prepare::<f64>()?;
    let solution = solve(&landing, released, 10.0, &DormandPrince5::new(), &Options::default())?;
    let closed = solution.states().filter(|state| state.v[0].abs() > 1e-14).last().map_or(0.0, |state| state.t);
    let rests = solution.states().last().ok_or("no state")?;
    let force = contact::forces(&landing, &rests, &SVector::from([]))?.forces[0];
    println!("\nas a contact: {} impacts; it closes at {closed:.12} s", solution.statistics.impacts);
    println!("at t = {} s the ball rests at y = {} m, and the ground bears {force:.4} N", rests.t, rests.q[0]);
    let is_right = (closed - rest).abs() < 1e-9 && rests.q[0] == 0.0 && (force - ball.m * ball.g).abs() < 1e-12;
    if is_right { Ok(()) } else { Err("the ball does not come to rest on the ground".into()) }
}
