//! Linear systems and their controllers against [`VALUES`], in the units of the plants and in any others.

use super::computed_values::VALUES;
use super::plants::{Units, plant};
use lagrange_runtime::analysis::{Margins, SampledSpace, StateSpace, lqr, lqr_sampled, lqrd};
use lagrange_runtime::nalgebra::{Complex, DMatrix};
use lagrange_tests::random::Random;
use std::cell::RefCell;

/// The entries of matrices by rows.
fn by_rows(matrices: &[DMatrix<f64>]) -> Vec<f64> {
    matrices.iter().flat_map(|matrix| matrix.transpose().iter().copied().collect::<Vec<_>>()).collect()
}

fn parts(values: &[Complex<f64>], unit: f64) -> Vec<f64> {
    values.iter().flat_map(|value| [value.re * unit, value.im * unit]).collect()
}

fn gain_margins(margins: &Margins, rate: f64) -> Vec<f64> {
    margins.gain.iter().flat_map(|margin| [margin.factor, margin.omega * rate]).collect()
}

fn phase_margins(margins: &Margins, rate: f64) -> Vec<f64> {
    margins.phase.iter().flat_map(|margin| [margin.angle, margin.omega * rate, margin.delay / rate]).collect()
}

/// A number in the brackets of a name.
fn argument(quantity: &str) -> f64 {
    let inner = quantity.split_once('(').expect("an argument").1;
    inner.trim_end_matches(')').parse().expect("a number")
}

/// The poles that are chosen.
fn chosen(name: &str) -> Vec<Complex<f64>> {
    let poles: &[(f64, f64)] = match name {
        "motor" => &[(-5.0, 0.0), (-3.0, 4.0), (-3.0, -4.0)],
        "flexible" => &[(-2.0, 0.0), (-2.0, 0.0), (-1.0, 3.0), (-1.0, -3.0)],
        "masses" => &[(-1.0, 0.0); 4],
        _ => &[(-2.0, 1.0), (-2.0, -1.0), (-30.0, 0.0), (-4.0, 0.0)],
    };
    poles.iter().map(|&(re, im)| Complex::new(re, im)).collect()
}

/// The period and the diagonals of Q and R of a sampled regulator.
fn sampled_regulator(name: &str) -> (f64, Vec<f64>, Vec<f64>) {
    match name {
        "motor" => (0.05, vec![3.0, 0.5, 0.1], vec![0.2]),
        "flexible" => (0.3, vec![1.0, 1.0, 1.0, 0.0], vec![0.1]),
        "pair" => (0.5, vec![1.0, 2.0, 3.0], vec![1.0, 0.5]),
        _ => (20.0, vec![1.0, 1.0, 0.0, 0.0], vec![0.1, 0.2]),
    }
}

fn diagonal(entries: &[f64]) -> DMatrix<f64> {
    DMatrix::from_diagonal(&entries.to_vec().into())
}

/// The gain of a regulator with Q = 1 and R = 1 of a system with integrals, in the units of the plant.
fn integral_gain(name: &str, is_sampled: bool, space: &StateSpace, units: &Units) -> DMatrix<f64> {
    // An integral has the unit of an output times time.
    let outputs = std::iter::repeat_n(units.output / units.rate, space.c.nrows());
    let whole = Units { states: units.states.iter().copied().chain(outputs).collect(), ..units.clone() };
    let weight = whole.weight(&DMatrix::identity(whole.states.len(), whole.states.len()));
    let cheap = DMatrix::identity(space.b.ncols(), space.b.ncols()) * (units.input * units.input);
    let found = if is_sampled {
        let period = match name {
            "motor" => 0.05,
            "tanks" => 5.0,
            _ => 0.1,
        };
        let sampled = space.sampled(period * units.rate).and_then(|sampled| sampled.with_integrals());
        lqr_sampled(&sampled.expect("finite"), &weight, &cheap)
    } else {
        // The cost is an integral over time.
        lqr(&space.with_integrals().expect("finite"), &weight, &cheap)
    };
    whole.gain(&found.expect("stabilisable").gain)
}

fn sampled_quantity(name: &str, quantity: &str, space: &StateSpace, units: &Units) -> Vec<f64> {
    let Units { input, output, rate, .. } = units;
    if quantity == "integral" {
        return by_rows(&[integral_gain(name, true, space, units)]);
    }
    let sampled = space.sampled(0.2 * rate).expect("finite");
    match quantity {
        "zeros" => parts(&sampled.zeros().expect("finite"), 1.0),
        "h2" => vec![sampled.h2().expect("stable") * output / input],
        "h_infinity" => {
            let peak = sampled.h_infinity().expect("stable");
            vec![peak.gain * output / input, peak.omega * rate]
        }
        "hankel" => {
            let values = sampled.hankel_singular_values().expect("stable");
            values.iter().map(|value| value * output / input).collect()
        }
        "gain_margins" => gain_margins(&sampled.margins().expect("finite"), *rate),
        "phase_margins" => phase_margins(&sampled.margins().expect("finite"), *rate),
        "modulus" => vec![sampled.margins().expect("finite").modulus],
        _ => panic!("`sampled.{quantity}` is not compared"),
    }
}

/// The matrices of a sampled system in the units of the plant.
fn matrices(sampled: &SampledSpace, units: &Units) -> Vec<f64> {
    by_rows(&units.sampled([&sampled.a, &sampled.b, &sampled.c, &sampled.d]))
}

fn discretisation(name: &str, quantity: &str, space: &StateSpace, units: &Units) -> Vec<f64> {
    let rate = units.rate;
    let period = match name {
        "motor" => 0.05,
        "flexible" => 0.1,
        "pair" => 0.3,
        _ => 0.2,
    };
    match quantity {
        "tustin" => matrices(&space.tustin(period * rate).expect("finite"), units),
        "tustin_at" => matrices(&space.tustin_at(period * rate, 4.0 / rate).expect("finite"), units),
        "first_order_hold" => matrices(&space.first_order_hold(period * rate).expect("finite"), units),
        "matched" => {
            let matched = space.matched(period * rate, 1.0 / rate).expect("finite");
            let function = matched.transfer_function(0, 0).expect("finite");
            let numerator = function.numerator().into_iter().map(|value| value * units.output / units.input);
            numerator.chain(function.denominator()).collect()
        }
        _ => {
            let delay = argument(quantity);
            let late = space.sampled_with_delay(period * rate, delay * period * rate).expect("finite");
            let (states, inputs) = space.b.shape();
            let count = delay.ceil() as usize;
            let past = |index: usize| late.a.view((0, states + index * inputs), (states, inputs)).into_owned();
            let older = past(count - 1);
            let newer = if count == 1 { late.b.view((0, 0), (states, inputs)).into_owned() } else { past(count - 2) };
            let back =
                |b: DMatrix<f64>| DMatrix::from_fn(states, inputs, |i, k| b[(i, k)] * (units.states[i] / units.input));
            by_rows(&[back(older), back(newer)])
        }
    }
}

fn feedback(name: &str, quantity: &str, space: &StateSpace, units: &Units) -> Vec<f64> {
    let rate = units.rate;
    match quantity {
        "placed" => {
            let poles: Vec<_> = chosen(name).iter().map(|pole| pole / rate).collect();
            let found = space.place_poles(&poles).expect("controllable");
            by_rows(&[units.gain(&found.gain)])
        }
        "integral" => by_rows(&[integral_gain(name, false, space, units)]),
        _ => {
            let (period, q, r) = sampled_regulator(name);
            let (q, r) = (units.weight(&diagonal(&q)), diagonal(&r) * (units.input * units.input));
            if quantity == "weights" {
                let none = DMatrix::zeros(space.a.nrows(), space.b.ncols());
                let found = space.sampled_weights(period * rate, &q, &r, &none).expect("finite");
                let states = |i: usize| 1.0 / units.states[i];
                let q = DMatrix::from_fn(q.nrows(), q.ncols(), |i, j| found.q[(i, j)] * states(i) * states(j) / rate);
                let n = DMatrix::from_fn(q.nrows(), r.ncols(), |i, k| found.n[(i, k)] * states(i) / units.input / rate);
                return by_rows(&[q, found.r / (units.input * units.input * rate), n]);
            }
            let found = lqrd(space, period * rate, &q, &r).expect("stabilisable");
            match quantity {
                "lqrd" => by_rows(&[units.gain(&found.gain)]),
                _ => by_rows(&[DMatrix::from_fn(q.nrows(), q.ncols(), |i, j| {
                    found.cost[(i, j)] / (units.states[i] * units.states[j]) / rate
                })]),
            }
        }
    }
}

/// A quantity of a plant that is given in some units, in the units of the plant.
fn quantity(name: &str, quantity: &str, space: &StateSpace, units: &Units) -> Vec<f64> {
    let Units { input, output, rate, .. } = units;
    let ratio = output / input;
    if let Some(quantity) = quantity.strip_prefix("sampled.") {
        return sampled_quantity(name, quantity, space, units);
    }
    match quantity {
        "zeros" => parts(&space.zeros().expect("finite"), *rate),
        "poles" => parts(&space.poles().expect("finite"), *rate),
        "numerator" | "denominator" => {
            let function = space.transfer_function(0, 0).expect("finite");
            // The coefficient of s^k has the unit of rate^(poles − k).
            let (coefficients, unit) = match quantity {
                "numerator" => (function.numerator(), ratio),
                _ => (function.denominator(), 1.0),
            };
            let excess = function.poles.len() + 1 - coefficients.len();
            let powers = (0..).map(|k| unit * rate.powi(k + excess as i32));
            coefficients.iter().zip(powers).map(|(value, unit)| value * unit).collect()
        }
        "h2" => vec![space.h2().expect("stable") * ratio * rate.sqrt()],
        "h_infinity" => {
            let peak = space.h_infinity().expect("stable");
            vec![peak.gain * ratio, peak.omega * rate]
        }
        "hankel" => space.hankel_singular_values().expect("stable").iter().map(|value| value * ratio).collect(),
        "gain_margins" => gain_margins(&space.margins().expect("finite"), *rate),
        "phase_margins" => phase_margins(&space.margins().expect("finite"), *rate),
        "modulus" => vec![space.margins().expect("finite").modulus],
        "placed" | "integral" | "weights" | "lqrd" | "lqrd.cost" => feedback(name, quantity, space, units),
        "tustin" | "tustin_at" | "first_order_hold" | "matched" => discretisation(name, quantity, space, units),
        _ if quantity.starts_with("delay(") => discretisation(name, quantity, space, units),
        _ if quantity.starts_with("response(") => {
            let data = space.frequency_data(0, 0, &[argument(quantity) / rate]).expect("no pole");
            vec![data.response[0].re * ratio, data.response[0].im * ratio, data.phase[0]]
        }
        _ => panic!("`{quantity}` is not compared"),
    }
}

/// The largest difference beside the number, or beside a thousandth of the largest one in the row.
fn difference(found: &[f64], expected: &[f64]) -> f64 {
    if found.len() != expected.len() {
        return f64::INFINITY;
    }
    let largest = expected.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let of = |(found, expected): (&f64, &f64)| match (found - expected).abs() {
        0.0 => 0.0,
        difference => difference / expected.abs().max(1e-3 * largest),
    };
    found
        .iter()
        .zip(expected)
        .map(of)
        .fold(0.0, |most, value| if value.is_nan() { f64::INFINITY } else { most.max(value) })
}

/// The tolerance of a row in the units of the plant.
fn tolerance(name: &str, quantity: &str) -> f64 {
    match (name, quantity) {
        // Twofold roots are as exact as √ε, and so is what is computed from them.
        ("conditional", "zeros" | "numerator") | ("masses", "poles" | "denominator") => 1e-6,
        // The frequency of a flat peak is as exact as √ε. Its gain is compared to all digits besides.
        (_, "h_infinity" | "sampled.h_infinity") => 1e-7,
        (_, "integral" | "sampled.integral" | "lqrd" | "lqrd.cost") => 1e-10,
        _ => 1e-11,
    }
}

/// The rows whose quantities in some units are not those of [`VALUES`].
fn wrong(units: impl Fn(&StateSpace, &str) -> Units, factor: f64) -> Vec<String> {
    let mut wrong = Vec::new();
    for (row, expected) in VALUES {
        let (name, what) = row.split_once('.').expect("a plant and a quantity");
        let space = plant(name);
        let units = units(&space, what);
        let found = quantity(name, what, &units.of(&space), &units);
        let error = difference(&found, expected);
        let is_peak = what.ends_with("h_infinity");
        let is_gain_right = !is_peak || (found[0] - expected[0]).abs() <= 1e-12 * expected[0];
        let is_right = error <= factor * tolerance(name, what) && is_gain_right;
        if !is_right {
            wrong.push(format!("{row}: {error:e} in {units:?}\nfound {found:?}\ncomputed {expected:?}"));
        }
    }
    wrong
}

#[test]
fn a_hundred_quantities_have_their_computed_values() {
    assert!(VALUES.len() >= 100, "{}", VALUES.len());
    let wrong = wrong(|space, _| Units::same(space.a.nrows()), 1.0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a plant is does not depend on the units of its states, inputs, outputs and time, each between 10⁻¹² and 10¹².
#[test]
fn a_hundred_quantities_transform_with_the_units() {
    let random = RefCell::new(Random::new(36));
    for _ in 0..8 {
        let units = |space: &StateSpace, what: &str| {
            let units = Units::random(space.a.nrows(), &mut random.borrow_mut());
            // A loop has no unit.
            let is_loop = what.contains("margins") || what.contains("modulus");
            if is_loop { Units { output: units.input, ..units } } else { units }
        };
        let wrong = wrong(units, 1e2);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
