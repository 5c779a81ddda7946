//! The motions with which `tests/live` compares what pages compute: `tests/live/modes.json`, which this writes with `UPDATE_EXPECT=1`.

use crate::mechanisms::{Ball, Circle, Gears, LoadedRod, Relay, Rising, Room, Struck, TwoSprings};
use lagrange_runtime::instant::Cause;
use lagrange_runtime::prelude::*;
use serde_json::{Value, json};

/// Ten digits, which the tolerances of the motions leave unchanged on every machine.
fn rounded<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> Vec<f64> {
    let round = |number: &f64| format!("{:.9e}", number + 0.0).parse::<f64>().expect("a number");
    numbers.into_iter().map(round).collect()
}

/// A mechanism with its motion until a time: the state at its end and the changes of modes, or why it ends.
fn motion<T: Mechanism<N, C, 0>, const N: usize, const C: usize>(
    name: &str,
    mechanism: &T,
    start: State<f64, N>,
    until: f64,
) -> Value
where
    Dop853<f64>: Method<f64, N, C>,
{
    let options = Options { rtol: 1e-12.into(), atol: 1e-13.into(), ..Options::default() };
    let system = mechanism.prepare::<f64>().expect("parameters that are allowed");
    let parameters: Vec<f64> = T::PARAMETERS.iter().map(|name| mechanism.parameter(name).expect("its own")).collect();
    let end = match solve(&system, start, until, &Dop853::new(), &options) {
        Ok(solution) => {
            let last = solution.last().expect("states");
            let changes = solution.instants.iter().filter_map(|instant| match instant.cause {
                Cause::Mode(mode) => Some((mode, instant.before.t)),
                _ => None,
            });
            let (modes, times): (Vec<_>, Vec<_>) = changes.unzip();
            json!({ "q": rounded(&last.q), "v": rounded(&last.v), "modes": modes, "times": rounded(&times) })
        }
        Err(failure) => json!({ "failure": failure.to_string() }),
    };
    let states = N - T::STATES;
    json!({
        "name": name,
        "coordinates": T::COORDINATES[..states], "states": T::COORDINATES[states..], "constraints": T::CONSTRAINTS.to_vec(),
        "parameters": parameters, "q": rounded(&start.q), "v": rounded(&start.v), "until": until, "end": end,
    })
}

#[test]
fn the_motions_that_pages_are_compared_with_are_those_of_the_file() {
    let rod = LoadedRod { m: 1.0, g: 9.81, l: 1.0, limit: 20.0 };
    let all = [
        motion("Room", &Room::COLD, Room::start(), 60.0),
        motion("TwoSprings", &TwoSprings { m: 1.0, k: 1.0 }, State::new(0.0, [1.0, 0.0], [0.0, 1.0]), 20.0),
        motion("Relay", &Relay { m: 2.0, f: 3.0, d: 0.5 }, State::new(0.0, [0.0; 2], [1.0, -1.0]), 12.0),
        motion("Ball", &Ball { m: 1.0, g: 9.81, e: 0.8 }, State::new(0.0, [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]), 2.0),
        motion("LoadedRod", &rod, State::new(0.0, [1.0, 0.0, 0.0], [0.0; 3]), 2.0),
        motion("Struck", &Struck { m: 1.0, g: 9.81, l: 1.0 }, State::new(0.0, [-0.6, -0.8, 0.0], [0.0; 3]), 2.0),
        motion("Gears", &Gears { m: 2.0, start: 0.5, top: 1.5 }, State::new(0.0, [0.0; 4], [0.0; 4]), 6.0),
        motion("Rising", &Rising { m: 1.0, g: 9.81, e: 0.5 }, State::new(0.0, [1.0, 0.0], [0.0; 2]), 1.2),
        motion("Circle", &Circle { m: 1.0 }, State::new(0.0, [1.0, 0.0, 0.0], [0.0; 3]), 1.0),
    ];
    assert!(all.iter().filter(|motion| motion["end"]["failure"].is_null()).count() == 8, "one of them has no motion");
    let lines: Vec<String> = all.iter().map(Value::to_string).collect();
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    expect_test::expect_file!["../../live/modes.json"].assert_eq(&text);
}
