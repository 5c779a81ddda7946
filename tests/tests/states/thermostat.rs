//! A bimetal thermostat: a strip that snaps, and a temperature that it switches.

use lagrange_runtime::analysis::power_audit;
use lagrange_runtime::prelude::*;

/// A strip with two stable shapes x ≈ ±1, which the temperature pushes to the right. On the left it heats.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*(x^4/4 - x^2/2) - c*temperature*x;
    dissipation = d*dot(x)^2/2;
    state temperature: dot(temperature) == ((if x < 0 { heat } else { 0 }) - loss*(temperature - outside))/capacity;
}]
#[derive(Clone, Debug)]
struct Thermostat {
    m: f64,
    k: f64,
    c: f64,
    d: f64,
    heat: f64,
    loss: f64,
    outside: f64,
    capacity: f64,
}

/// The temperature is that above the middle of the two switching points.
const THERMOSTAT: Thermostat =
    Thermostat { m: 1e-6, k: 1.0, c: 0.2, d: 1e-3, heat: 20.0, loss: 1.0, outside: -10.0, capacity: 10.0 };

#[test]
fn the_period_is_that_of_a_relay_with_hysteresis() {
    let Thermostat { k, c, heat, loss, outside, capacity, .. } = THERMOSTAT;
    // The wells vanish where c T = ± 2 k/(3 √3).
    let edge = 2.0 * k / (3.0 * 3.0_f64.sqrt() * c);
    let hot = outside + heat / loss;
    let tau = capacity / loss;
    let exact = tau * (((hot + edge) / (hot - edge)).ln() + ((outside - edge) / (outside + edge)).ln());
    let system = THERMOSTAT.prepare::<f64>().expect("the parameters are positive");
    let crossing = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[0];
    let events = [Event::new(&crossing).going(Direction::Rising)];
    let options = Options { rtol: 1e-8.into(), atol: 1e-8.into(), events: &events, ..Options::default() };
    let start = State::new(0.0, [-1.0, 0.0], [0.0, 0.0]);
    let found = solve(&system, start, 60.0, &Dop853::new(), &options).expect("the motion exists");
    let times: Vec<f64> = found.events.iter().map(|occurrence| occurrence.after.t).collect();
    assert!(times.len() >= 3, "{times:?}");
    let period = times[2] - times[1];
    assert!((period / exact - 1.0).abs() < 0.02, "{period} against {exact}");
    let turning = found.states().filter(|state| state.t > times[0]).map(|state| state.v[1]);
    let (least, most) = turning.fold((f64::MAX, f64::MIN), |(least, most), t| (t.min(least), t.max(most)));
    assert!((most / edge - 1.0).abs() < 0.1 && (least / edge + 1.0).abs() < 0.1, "{least} {most} {edge}");
}

#[test]
fn the_energy_balance_contains_the_work_of_the_temperature() {
    let soft = Thermostat { m: 0.01, d: 0.05, ..THERMOSTAT };
    let system = soft.prepare::<f64>().expect("the parameters are positive");
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), dense_output: true, ..Options::default() };
    let start = State::new(0.0, [-0.9, 0.0], [0.2, 0.0]);
    let solution = solve(&system, start, 3.0, &Dop853::new(), &options).expect("the motion exists");
    let audit = power_audit(&system, &solution, |_, _, _| SVector::zeros()).expect("the powers are finite");
    let work = audit.works.iter().find(|(name, _)| *name == "temperature").expect("V contains it").1;
    assert!(work.abs() > 0.05 && audit.change.abs() > 0.05, "{audit:?}");
    assert!(audit.residual.abs() < 1e-8, "{audit:?}");
}
