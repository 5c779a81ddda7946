//! Coordinates have units of their own: a change of one unit changes its numbers, and nothing else.

use super::super::super::motion::Motion;
use super::motion;
use crate::catalog::{Catalog, Entry, Feedback, MethodChoice, MethodName, Model, Request, States, Summary};
use crate::report::mechanism::{MechanismReport, SeriesRow, render};
use lagrange_runtime::prelude::*;

/// Two oscillators that a force couples, one of which may be a charge, and a coordinate that stays 0 but for rounding.
#[lagrangian {
    coordinates x, y, still;
    kinetic = m*dot(x)^2/2 + l*dot(y)^2/2 + m*dot(still)^2/2;
    potential = k*x^2/2 + y^2/(2*c) + x^2*y^2/2 + k*(still + 0.7*a*x - 0.3*a*x - 0.4*a*x)^2/2;
    output place = [x, 2*x];
    output charge = y;
}]
#[derive(Clone, Debug)]
struct Pair {
    m: f64,
    k: f64,
    l: f64,
    c: f64,
    a: f64,
}

/// The ratio of the units, about 10¹²: a power of two, so that every number changes by its exponent alone.
const UNIT: f64 = (1_u64 << 40) as f64;

/// With the unit of x smaller and that of y larger by `unit`.
const fn pair(unit: f64) -> Pair {
    Pair { m: 1.0 / (unit * unit), k: 4.0 / (unit * unit), l: 2.0 * unit * unit, c: 0.005 / (unit * unit), a: 1.0 }
}

static CATALOG: Catalog = Catalog::new(&[
    &Entry::free("ordinary", || pair(1.0), || State::new(0.0, [1.0, 0.4, 0.0], [0.0, 0.3, 0.0])),
    &Entry::free("far", || pair(UNIT), || State::new(0.0, [UNIT, 0.4 / UNIT, 0.0], [0.0, 0.3 / UNIT, 0.0])),
    &Entry::free("kicked", || pair(1.0), || State::new(0.0, [0.0; 3], [1.0, 0.3, 0.0])),
    &Entry::free("kicked-far", || pair(UNIT), || State::new(0.0, [0.0; 3], [UNIT, 0.3 / UNIT, 0.0])),
]);

/// The factors of the coordinates and their velocities.
const FACTORS: [f64; 3] = [UNIT, 1.0 / UNIT, UNIT];

fn model(name: &str) -> &'static dyn Model {
    CATALOG.find(name).expect("it is in the catalogue")
}

fn sampled(name: &str, method: MethodChoice) -> (Motion, Summary) {
    let request = Request {
        set: Vec::new(),
        initial: Vec::new(),
        project: false,
        t_start: 0.0,
        t_end: 20.0,
        method,
        max_steps: None,
        until: Vec::new(),
        watched: Vec::new(),
        audit: true,
        states: States::Points(3),
        exponent: None,
        feedback: Feedback::default(),
    };
    let mut motion = Motion::new(model(name), 20.0);
    let summary = model(name).simulate(&request, &mut motion).expect("it swings");
    (motion, summary)
}

/// The page of a motion of so many samples at equal distances that it must be thinned.
fn page(factors: [f64; 3]) -> serde_json::Value {
    let t: Vec<f64> = (0..200_001).map(|k| f64::from(k) * 1e-3).collect();
    let series = |of: fn(f64) -> f64, factor: f64| t.iter().map(|t| of(*t) * factor).collect::<Vec<_>>();
    // The third curve is rounding beside the others.
    let waves: [fn(f64) -> f64; 3] = [|t| (1.3 * t).sin(), |t| 0.4 * (2.1 * t).cos(), |t| 1e-17 * (713.0 * t).sin()];
    let kind: Vec<Vec<f64>> = waves.iter().zip(factors).map(|(of, factor)| series(*of, factor)).collect();
    let output = |name: &str, index: usize| SeriesRow { name: name.to_owned(), series: kind[index].clone() };
    let rounding = factors.map(|factor| 1e-10 * factor).to_vec();
    let report = MechanismReport {
        coordinates: ["x", "y", "still"].map(str::to_owned).to_vec(),
        outputs: vec![output("place[0]", 0), output("place[1]", 0), output("charge", 1)],
        q: kind.clone(),
        v: kind,
        rounding: [rounding.clone(), rounding],
        energy: vec![1.0; t.len()],
        t,
        ..MechanismReport::default()
    };
    let page = render(&report);
    let (_, data) = page.split_once("id=\"data\">").expect("the page has data");
    serde_json::from_str(data.split_once("</script>").expect("they end").0).expect("they are JSON")
}

#[test]
fn a_motion_does_not_depend_on_the_units_of_its_coordinates() {
    for (ordinary, far) in [("ordinary", "far"), ("kicked", "kicked-far")] {
        let fixed = MethodChoice::with_step(MethodName::Rk4, 0.005);
        for method in [MethodChoice::automatic(), fixed] {
            let ((a, end), (b, far_end)) = (sampled(ordinary, method), sampled(far, method));
            assert_eq!(end.statistics, far_end.statistics, "{ordinary}");
            assert!(end.warnings.is_empty() && far_end.warnings.is_empty(), "{:?}", far_end.warnings);
            assert!(a.t.len() > 500 && a.t.len() < 20_000, "{}", a.t.len());
            assert_eq!(a.t, b.t, "{ordinary}");
            for (index, factor) in FACTORS.into_iter().enumerate() {
                let scaled = |series: &[f64]| series.iter().map(|value| value * factor).collect::<Vec<_>>();
                assert_eq!(scaled(&a.q[index]), b.q[index], "{ordinary}, coordinate {index}");
                assert_eq!(scaled(&a.v[index]), b.v[index], "{ordinary}, velocity {index}");
                for kind in 0..2 {
                    assert_eq!(a.rounding[kind][index] * factor, b.rounding[kind][index]);
                    assert_eq!(end.sizes[kind][index] * factor, far_end.sizes[kind][index]);
                }
            }
            // The third coordinate is rounding, and the others are not.
            for (index, is_rounding) in [false, false, true].into_iter().enumerate() {
                let size = a.q[index].iter().fold(0.0, |most: f64, value| most.max(value.abs()));
                assert_eq!(size <= a.rounding[0][index], is_rounding, "{ordinary}, {index}: {size}, {:?}", a.rounding);
            }
        }
    }
}

#[test]
fn a_coordinate_of_another_unit_is_as_accurate_as_the_others() {
    let exact = |name| {
        let method = MethodChoice::with_tolerance(MethodName::Verner9, 1e-13);
        let request = Request { method, ..request() };
        model(name).simulate(&request, &mut ()).expect("it swings")
    };
    let (end, exact) = (motion(model("far"), 10.0), exact("ordinary"));
    for (index, factor) in FACTORS.into_iter().enumerate().take(2) {
        let error = (end.q[index] / factor - exact.q[index]).abs();
        assert!(error < 1e-6 * exact.sizes[0][index], "{index}: {error}");
    }
}

fn request() -> Request {
    Request {
        set: Vec::new(),
        initial: Vec::new(),
        project: false,
        t_start: 0.0,
        t_end: 10.0,
        method: MethodChoice::automatic(),
        max_steps: None,
        until: Vec::new(),
        watched: Vec::new(),
        audit: true,
        states: States::EveryStep,
        exponent: None,
        feedback: Feedback::default(),
    }
}

#[test]
fn a_picture_does_not_depend_on_the_units_of_its_coordinates() {
    let (ordinary, far) = (page([1.0; 3]), page(FACTORS));
    let table = |page: &serde_json::Value, kind: &str, number: &serde_json::Value| -> Vec<f64> {
        let table = page[kind][usize::try_from(number.as_u64().expect("a number")).expect("small")].as_array().cloned();
        table.expect("a table").iter().map(|value| value.as_f64().expect("a number")).collect()
    };
    let same = |a: &[f64], b: &[f64], factor: f64| {
        assert_eq!(a.len(), b.len());
        assert!(a.iter().zip(b).all(|(a, b)| (a * factor - b).abs() <= 1e-6 * (a * factor).abs()));
    };
    for (index, factor) in FACTORS.into_iter().enumerate() {
        let [a, b] = [&ordinary, &far].map(|page| &page["plane"]["coordinates"][index]);
        let times = table(&ordinary, "times", &a["time"]);
        assert_eq!(times, table(&far, "times", &b["time"]));
        // Rounding is drawn as a line.
        assert!(if index == 2 { times.len() == 2 } else { times.len() > 1000 }, "{index}: {}", times.len());
        for kind in ["q", "v"] {
            same(&table(&ordinary, "series", &a[kind]), &table(&far, "series", &b[kind]), factor);
        }
        for kind in 0..2 {
            let [a, b] = [a, b].map(|plane| plane["noise"][kind].as_f64().expect("a number"));
            assert!((a * factor / b - 1.0).abs() < 1e-12, "{a}, {b}");
        }
        // Alone in the plot over time, a curve is what it is in ordinary units.
        let [a, b] = [&ordinary, &far].map(|page| &page["plots"][0]);
        assert_eq!(table(&ordinary, "times", &a["time"]), table(&far, "times", &b["time"]));
        let [p, q] = [a, b].map(|plot| &plot["curves"][index]);
        same(&table(&ordinary, "series", &p["values"]), &table(&far, "series", &q["values"]), factor);
        let [p, q] = [p, q].map(|curve| curve["noise"].as_f64().expect("a number"));
        assert!((p * factor / q - 1.0).abs() < 1e-12, "{p}, {q}");
    }
    assert_eq!(ordinary["plots"][0]["curves"][1]["name"], "y");
}
