//! Events that map the state, and impacts of contacts.

use super::differences::{all_variables, by_differences, close, within};
use lagrange_runtime::analysis::{AnalysisError, Variable, adjoint_gradient, sensitivities};
use lagrange_runtime::method::DERIVATIVES;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::{Dual, Taped};
use lagrange_tests::random::Random;

/// A ball on a spring over a table that moves, with air.
#[lagrangian {
    coordinates x, y;
    kinetic = (m*dot(x)^2 + dot(y)^2)/2;
    potential = g*y + k*(x - y)^2/2;
    dissipation = c*(dot(x)^2 + dot(y)^2)/2;
    output clearance = y - sin(3*t)/10;
}]
#[derive(Clone, Debug)]
struct Free {
    m: f64,
    g: f64,
    k: f64,
    c: f64,
}

/// The same ball over a table that is stated as a contact.
#[lagrangian {
    coordinates x, y;
    kinetic = (m*dot(x)^2 + dot(y)^2)/2;
    potential = g*y + k*(x - y)^2/2;
    dissipation = c*(dot(x)^2 + dot(y)^2)/2;
    contact table: y >= a*sin(w*t) + b*x, restitution = e*exp(-s*approach(table));
}]
#[derive(Clone, Debug)]
struct Table {
    m: f64,
    g: f64,
    k: f64,
    c: f64,
    a: f64,
    w: f64,
    b: f64,
    s: f64,
    e: f64,
}

/// The height above a table that moves.
fn height<R: Real>(t: R, q: &SVector<R, 2>, _: &SVector<R, 2>) -> R {
    q[1] - R::from_f64(0.1) * (t * R::from_f64(3.0)).sin()
}

/// A blow whose strength depends on the place and the time.
fn blow<R: Real>(state: &State<R, 2>) -> State<R, 2> {
    let State { t, q, v } = *state;
    let factor = R::from_f64(-0.8) + R::from_f64(0.1) * (q[0] + t).sin();
    State { v: SVector::from([v[0] + R::from_f64(0.1) * v[1], v[1] * factor]), ..*state }
}

fn random_free(random: &mut Random) -> (Free, State<f64, 2>, f64) {
    let mut size = |low: f64, high: f64| random.between(low, high);
    let free = Free { m: size(0.5, 2.0), g: size(2.0, 4.0), k: size(0.2, 1.0), c: size(0.0, 0.2) };
    let start = State::new(0.1, [size(-0.5, 0.5), size(0.8, 1.2)], [size(-0.5, 0.5), size(-0.5, 0.5)]);
    (free, start, size(1.5, 2.5))
}

/// The derivatives by everything are those of neighbours, and the adjoint gradient is a row of them.
#[test]
fn derivatives_across_maps_are_those_of_neighbours_and_of_the_adjoint() {
    let mut mapped = 0;
    for seed in 0..8 {
        let (free, start, end) = random_free(&mut Random::new(seed));
        let variables = all_variables(&free);
        let events = [Event::new(&height::<Dual<f64, DERIVATIVES>>).going(Direction::Falling).mapping(&blow)];
        let options = Options { events: &events, ..within(1e-12).into() };
        let found = sensitivities(&free, &start, &[end], &Dop853::new(), &options, &variables).expect("no failure");
        let plain = [Event::new(&height::<f64>).going(Direction::Falling).mapping(&blow)];
        let exact = Options { rtol: 1e-12.into(), atol: 1e-12.into(), events: &plain, ..Options::default() };
        let solution =
            solve(&free.prepare::<f64>().expect("valid"), start, end, &Dop853::new(), &exact).expect("smooth");
        mapped += solution.events.len();
        let taped = [Event::new(&height::<Taped>).going(Direction::Falling).mapping(&blow)];
        let (last, zero) = (solution.len() - 1, SVector::from([0.0; 2]));
        let slopes = |k: usize, _: &State<f64, 2>| (zero, if k == last { SVector::from([0.0, 1.0]) } else { zero });
        let backward = adjoint_gradient(&free, &solution, &Dop853::new(), &taped, slopes).expect("regular");
        let backward = backward.q.iter().chain(&backward.v).chain(backward.parameters.iter()).copied();
        for ((column, &variable), backward) in variables.iter().enumerate().zip(backward) {
            let expected = by_differences(&free, &start, end, &plain, variable);
            let found: Vec<f64> = found.derivatives[0].column(column).iter().copied().collect();
            let case = format!("seed {seed}, {variable:?}");
            close(&found, &expected, 3e-7, &case);
            assert!((found[3] - backward).abs() < 1e-8 * (1.0 + backward.abs()), "{case}: {} {backward}", found[3]);
        }
    }
    assert!(mapped >= 8, "{mapped} events");
}

/// An event of an output has the derivatives that an event of the same function of the state has, forward and backward.
#[test]
fn derivatives_across_a_map_at_an_output_are_those_at_its_function() {
    fn output<R: Real>() -> Event<'static, R, 2> {
        Event::of(EventFunction::Output(0)).going(Direction::Falling).mapping(&blow)
    }
    for seed in 0..4 {
        let (free, start, end) = random_free(&mut Random::new(seed));
        let variables = all_variables(&free);
        let by = |event: Event<'_, Dual<f64, DERIVATIVES>, 2>| {
            let events = [event];
            let options = Options { events: &events, ..within(1e-12).into() };
            sensitivities(&free, &start, &[end], &Dop853::new(), &options, &variables).expect("no failure")
        };
        let (found, expected) = (by(output()), by(Event::new(&height).going(Direction::Falling).mapping(&blow)));
        let (found, expected) = (&found.derivatives[0], &expected.derivatives[0]);
        assert!((found - expected).amax() < 1e-9 * expected.amax(), "seed {seed}: {found} {expected}");
        let plain = [output()];
        let exact = Options { rtol: 1e-12.into(), atol: 1e-12.into(), events: &plain, ..Options::default() };
        let system = free.prepare::<f64>().expect("valid");
        let solution = solve(&system, start, end, &Dop853::new(), &exact).expect("smooth");
        let (last, zero) = (solution.len() - 1, SVector::from([0.0; 2]));
        let slopes = |k: usize, _: &State<f64, 2>| (zero, if k == last { SVector::from([0.0, 1.0]) } else { zero });
        let taped = [output()];
        let backward = adjoint_gradient(&free, &solution, &Dop853::new(), &taped, slopes).expect("regular");
        let backward = backward.q.iter().chain(&backward.v).chain(backward.parameters.iter());
        for (forward, backward) in expected.row(3).iter().zip(backward) {
            assert!((forward - backward).abs() < 1e-8 * (1.0 + backward.abs()), "seed {seed}: {forward} {backward}");
        }
    }
}

/// Impacts on a table that moves and leans, whose law is in the mechanism.
#[test]
fn derivatives_across_impacts_are_those_of_neighbours() {
    let mut impacts = 0;
    for seed in 0..8 {
        let mut random = Random::new(100 + seed);
        let (Free { m, g, k, c }, start, end) = random_free(&mut random);
        let mut size = |low: f64, high: f64| random.between(low, high);
        let table = Table {
            m,
            g,
            k,
            c,
            a: size(0.0, 0.1),
            w: size(1.0, 4.0),
            b: size(-0.2, 0.2),
            e: size(0.6, 0.9),
            s: size(0.0, 0.1),
        };
        let variables = all_variables(&table);
        let found = sensitivities(&table, &start, &[end], &Dop853::new(), &within(1e-12), &variables);
        let found = found.expect("no failure");
        let exact = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
        let solution =
            solve(&table.prepare::<f64>().expect("valid"), start, end, &Dop853::new(), &exact).expect("smooth");
        impacts += solution.statistics.impacts;
        for (column, &variable) in variables.iter().enumerate() {
            let expected = by_differences(&table, &start, end, &[], variable);
            let found: Vec<f64> = found.derivatives[0].column(column).iter().copied().collect();
            close(&found, &expected, 3e-7, &format!("seed {seed}, {variable:?}"));
        }
    }
    assert!(impacts >= 8, "{impacts} impacts");
}

/// A body that falls without restitution on a table that shakes stays on it, until the table falls faster than the body.
#[test]
fn derivatives_across_rest_and_release_are_those_of_neighbours() {
    let table = Table { m: 1.0, g: 3.0, k: 0.3, c: 0.05, a: 0.4, w: 3.1, b: 0.1, e: 0.0, s: 0.1 };
    let (start, end) = (State::new(0.0, [0.2, 0.7], [0.1, 0.0]), 2.6);
    // Restitution is not negative, so that there are no neighbours on both sides of 0.
    let mut variables = all_variables(&table);
    variables.pop();
    let found = sensitivities(&table, &start, &[end], &Dop853::new(), &within(1e-12), &variables);
    let found = found.expect("no failure");
    let exact = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
    let solution = solve(&table.prepare::<f64>().expect("valid"), start, end, &Dop853::new(), &exact).expect("smooth");
    assert!(solution.statistics.phases >= 2, "{:?}", solution.instants);
    for (column, &variable) in variables.iter().enumerate() {
        let expected = by_differences(&table, &start, end, &[], variable);
        let found: Vec<f64> = found.derivatives[0].column(column).iter().copied().collect();
        close(&found, &expected, 1e-6, &format!("{variable:?}"));
    }
}

/// A box that slides.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    friction floor: x = mu;
}]
#[derive(Clone, Debug)]
struct Box {
    mu: f64,
}

/// Two events at one time, a start in contact, and friction.
#[test]
fn what_has_no_derivative_is_said() {
    let (free, start, end) = random_free(&mut Random::new(0));
    let events = [0, 1].map(|_| Event::new(&height::<Dual<f64, DERIVATIVES>>).going(Direction::Falling).mapping(&blow));
    let options = Options { events: &events, ..within(1e-9).into() };
    let error = sensitivities(&free, &start, &[end], &Dop853::new(), &options, &[Variable::Coordinate(0)]);
    let error = error.expect_err("both map the state").to_string();
    assert!(error.contains("one at a time"), "{error}");
    let table = Table { m: 1.0, g: 3.0, k: 0.3, c: 0.05, a: 0.0, w: 1.0, b: 0.0, e: 0.5, s: 0.0 };
    let run = |start, variable| sensitivities(&table, &start, &[0.2], &Dop853::new(), &within(1e-9), &[variable]);
    let (lying, falling) = (State::new(0.0, [0.0; 2], [0.0; 2]), State::new(0.0, [0.0; 2], [0.0, -1.0]));
    assert!(run(lying, Variable::Parameter(1)).is_ok());
    for (start, needs) in [(lying, "all contacts are open"), (falling, "no contact strikes")] {
        let error = run(start, Variable::Coordinate(1)).expect_err("no derivative").to_string();
        assert!(error.contains(needs), "{error}");
    }
    let sliding = State::new(0.0, [0.0], [1.0]);
    let sliding = sensitivities(&Box { mu: 0.3 }, &sliding, &[1.0], &Dop853::new(), &within(1e-9), &[]);
    assert!(matches!(sliding, Err(AnalysisError::NotApplicable { .. })), "{sliding:?}");
}
