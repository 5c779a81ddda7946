//! How often does a bimetal thermostat switch, and what does it take from the heater?
//!
//! A strip of two metals has two stable shapes. Its potential k (x⁴/4 − x²/2) − c T x has two wells, and the temperature T pushes the strip
//! to the right. A well vanishes where c T = ± 2 k/(3√3), and the strip snaps into the other one. On the left it closes the contact of
//! a heater. So the temperature goes back and forth between two values ± T₁, by exponentials with the time constant τ = C/G towards the
//! temperatures T_h with the heater and T_o without:
//!
//! ```text
//! period = τ ln ((T_h + T₁)/(T_h − T₁)) + τ ln ((T_o − T₁)/(T_o + T₁))
//! ```
//!
//! This is the limit of a strip without inertia. A strip passes the vanishing well slowly, so that the limit is approached slowly too.
//! The mean temperature is 0 by symmetry, so that the mean power is −G T_o. The temperature is a state: it has a rate, and no inertia of its own.

use lagrange_runtime::prelude::*;

/// A bimetal strip and the temperature of a room, above the middle of its two switching points.
#[lagrangian {
    coordinates x;
    kinetic     = m*dot(x)^2/2;
    potential   = k*(x^4/4 - x^2/2) - c*temperature*x;
    dissipation = d*dot(x)^2/2;
    let heating = if x < 0 { heater } else { 0 };
    state temperature: dot(temperature) == (heating - loss*(temperature - outside))/capacity;
    state taken: dot(taken) == heating;
}]
struct Thermostat {
    m: f64,
    k: f64,
    c: f64,
    d: f64,
    heater: f64,
    loss: f64,
    outside: f64,
    capacity: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (k, c, heater, loss, outside, capacity) = (1.0, 0.2, 20.0, 1.0, -10.0, 10.0);
    let edge = 2.0 * k / (3.0 * 3.0_f64.sqrt() * c);
    let (hot, tau) = (outside + heater / loss, capacity / loss);
    let limit = tau * (((hot + edge) / (hot - edge)).ln() + ((outside - edge) / (outside + edge)).ln());
    println!("the strip snaps at ±{edge:.4} K; the period of a strip without inertia is {limit:.4} s\n");
    println!("{:>9} {:>12} {:>12} {:>12}", "mass, kg", "period, s", "difference", "power, W");
    let (at, mut last) = (Thermostat::INDEX, f64::INFINITY);
    for m in [1e-2, 1e-4, 1e-6] {
        let thermostat = Thermostat { m, k, c, d: m.sqrt(), heater, loss, outside, capacity };
        let system = thermostat.prepare::<f64>()?;
        let contact = |_: f64, q: &SVector<f64, 3>, _: &SVector<f64, 3>| q[at.x];
        let events = [Event::new(&contact).going(Direction::Rising)];
        let options = Options { rtol: 1e-8.into(), atol: 1e-8.into(), events: &events, ..Options::default() };
        let start = State::new(0.0, [-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]);
        let solution = solve(&system, start, 40.0, &Dop853::new(), &options)?;
        let [.., before, after] = solution.events.as_slice() else { return Err("the strip does not switch".into()) };
        let period = after.after.t - before.after.t;
        let power = (after.after.v[at.taken] - before.after.v[at.taken]) / period;
        let difference = period / limit - 1.0;
        println!("{m:>9.0e} {period:>12.5} {:>11.2} % {power:>12.4}", 100.0 * difference);
        if difference.abs() > last {
            return Err(format!("a lighter strip is farther from the limit: {difference}").into());
        }
        if (power + loss * outside).abs() > 1e-3 {
            return Err(format!("the mean power is {power} W and not {} W", -loss * outside).into());
        }
        last = difference.abs();
    }
    if last > 0.02 { Err("the lightest strip is not near the limit".into()) } else { Ok(()) }
}
