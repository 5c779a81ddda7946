//! Events that map the state and accumulate: the motion ends in Zeno's error, and never goes on through the floor.

use lagrange_runtime::event::StateFunction;
use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
}]
struct Ball {
    m: f64,
    g: f64,
}

/// Drops the ball from 5 m on a floor that is stated by a function whose rise is an impact. The flights last 1 s, e s, e² s, …
fn drops(floor: &StateFunction<'_, f64, 1>, e: f64, method: &impl Method<f64, 1, 0>) {
    let system = Ball { m: 1.0, g: 10.0 }.prepare::<f64>().expect("positive");
    let bounce = |state: &State<f64, 1>| State { v: -state.v * e, ..*state };
    let events = [Event::new(floor).going(Direction::Rising).mapping(&bounce)];
    let options = Options { events: &events, ..Options::default() };
    let start = State::new(0.0, [5.0], [0.0]);
    let end = 1.0 + 2.0 * e / (1.0 - e);
    let Err(failed) = solve(&system, start, 2.0 * end, method, &options) else {
        panic!("{} with e = {e} finishes in spite of infinitely many impacts", method.name());
    };
    assert_eq!(failed.error.failure, Failure::Zeno { event: 0 }, "{} with e = {e}", method.name());
    assert!((failed.error.state.t - end).abs() < 1e-5 * end, "{} with e = {e}: {}", method.name(), failed.error);
    assert!(failed.solution.states().all(|state| state.q[0] > -1e-9), "{} with e = {e}", method.name());
}

#[test]
fn a_floor_is_not_lost_where_the_flights_are_shorter_than_the_time_resolves() {
    for e in [0.3, 0.5, 0.7, 0.9] {
        let depth = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| -q[0];
        // The ball is below and falls: the function has a kink where the velocity changes its sign.
        let falling = |_: f64, q: &SVector<f64, 1>, v: &SVector<f64, 1>| f64::min(-q[0], -v[0]);
        drops(&depth, e, &Dop853::new());
        drops(&falling, e, &Dop853::new());
        drops(&falling, e, &Rk4::new(1e-2));
        drops(&falling, e, &VariationalMidpoint::new(1e-2));
    }
}
