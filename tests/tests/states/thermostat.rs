//! A bimetal thermostat: a strip that snaps, and a temperature that it switches.

use lagrange_models::BimetalThermostat;
use lagrange_runtime::analysis::power_audit;
use lagrange_runtime::prelude::*;

#[test]
fn the_period_is_that_of_a_relay_with_hysteresis() {
    // A strip that is still faster beside the room.
    let thermostat = BimetalThermostat { m: 1e-6, d: 1e-3, ..BimetalThermostat::default() };
    let (edge, exact) = (thermostat.edge(), thermostat.period_of_a_relay());
    let system = thermostat.prepare::<f64>().expect("the parameters are positive");
    let crossing = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[0];
    let events = [Event::new(&crossing).going(Direction::Rising)];
    let options = Options { rtol: 1e-8.into(), atol: 1e-8.into(), events: &events, ..Options::default() };
    let start = BimetalThermostat::heating();
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
    let soft = BimetalThermostat { m: 0.01, d: 0.05, ..BimetalThermostat::default() };
    let system = soft.prepare::<f64>().expect("the parameters are positive");
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), dense_output: true, ..Options::default() };
    let start = State::new(0.0, [-0.9, 0.0], [0.2, 0.0]);
    let solution = solve(&system, start, 3.0, &Dop853::new(), &options).expect("the motion exists");
    let audit = power_audit(&system, &solution, |_, _, _| SVector::zeros()).expect("the powers are finite");
    let work = audit.works.iter().find(|(name, _)| *name == "temperature").expect("V contains it").1;
    assert!(work.abs() > 0.05 && audit.change.abs() > 0.05, "{audit:?}");
    assert!(audit.residual.abs() < 1e-8, "{audit:?}");
}
