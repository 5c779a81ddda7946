//! Systems with fewer states, placed poles, and what such questions refuse.

use super::plants::{Units, plant};
use super::shared::{Pendulum, close, matrix};
use lagrange_runtime::analysis::{AnalysisError, StateSpace, TransferFunction, linearize, lqr, place_poles};
use lagrange_runtime::nalgebra::{Complex, DMatrix};
use lagrange_runtime::prelude::*;
use lagrange_tests::random::Random;

/// A plant with two modes more, of which no input reaches the first and no output sees the second, in states that mix all.
fn padded(space: &StateSpace, mix: &DMatrix<f64>) -> StateSpace {
    let size = space.a.nrows();
    let mut a = DMatrix::zeros(size + 2, size + 2);
    a.view_mut((0, 0), (size, size)).copy_from(&space.a);
    a[(size, size)] = -0.7;
    a[(size + 1, size + 1)] = 0.4;
    a[(size + 1, 0)] = 1.3;
    a[(1, size)] = 2.0;
    let b = space.b.clone().insert_rows(size, 2, 0.0);
    let c = space.c.clone().insert_columns(size, 2, 0.0);
    let back = mix.clone().try_inverse().expect("regular");
    StateSpace { a: mix * a * &back, b: mix * b, c: c * back, d: space.d.clone() }
}

/// The parts that are not reached or not seen leave, in any units, and the response stays.
#[test]
fn a_minimal_system_has_the_response_of_the_whole() {
    let mut random = Random::new(5);
    for name in ["motor", "flexible", "pair", "tanks", "cubic"] {
        let space = plant(name);
        let size = space.a.nrows();
        assert_eq!(space.minimal().expect("finite").a.nrows(), size, "{name}");
        for _ in 0..20 {
            // A triangular matrix with a diagonal of 1 has an inverse of its own size.
            let mix = DMatrix::from_fn(size + 2, size + 2, |i, j| match i.cmp(&j) {
                std::cmp::Ordering::Equal => 1.0,
                std::cmp::Ordering::Less => random.between(-0.5, 0.5),
                std::cmp::Ordering::Greater => 0.0,
            });
            let units = Units::random(size + 2, &mut random);
            let whole = units.of(&padded(&space, &mix));
            let minimal = whole.minimal().expect("finite");
            assert_eq!(minimal.a.nrows(), size, "{name} {units:?}");
            for omega in [0.03, 0.7, 11.0] {
                let found =
                    minimal.response(omega / units.rate).expect("no pole") * Complex::from(units.output / units.input);
                let expected = space.response(omega).expect("no pole");
                let error = (&found - &expected).norm() / expected.norm();
                assert!(error < 1e-8, "{name} at {omega}: {error:e}");
            }
        }
    }
}

/// ‖G − G_r‖ ≤ 2 Σ σ, and for the last singular value alone it is at least σ.
#[test]
fn a_truncation_keeps_its_bound() {
    for (name, order) in [("flexible", 3), ("flexible", 2), ("flexible", 1), ("tanks", 2), ("cubic", 2), ("pair", 1)] {
        let space = plant(name);
        let reduced = space.balanced_truncation(order).expect("stable");
        let (size, other) = (space.a.nrows(), order);
        let mut a = DMatrix::zeros(size + other, size + other);
        a.view_mut((0, 0), (size, size)).copy_from(&space.a);
        a.view_mut((size, size), (other, other)).copy_from(&reduced.space.a);
        let b = DMatrix::from_fn(size + other, space.b.ncols(), |i, k| match i.checked_sub(size) {
            None => space.b[(i, k)],
            Some(i) => -reduced.space.b[(i, k)],
        });
        let c = DMatrix::from_fn(space.c.nrows(), size + other, |l, j| match j.checked_sub(size) {
            None => space.c[(l, j)],
            Some(j) => reduced.space.c[(l, j)],
        });
        let error = StateSpace { a, b, c, d: &space.d * 0.0 }.h_infinity().expect("stable").gain;
        assert!(error <= reduced.bound * (1.0 + 1e-9), "{name} {order}: {error:e} {:e}", reduced.bound);
        assert!(error >= reduced.hankel[order] * (1.0 - 1e-9), "{name} {order}: {error:e}");
        let sampled = space.sampled(0.3).expect("finite").balanced_truncation(order).expect("stable");
        assert!(sampled.space.poles().expect("finite").iter().all(|pole| pole.norm() < 1.0));
    }
    let refused = plant("flexible").balanced_truncation(5).expect_err("four states").to_string();
    assert_eq!(
        refused,
        "a balanced truncation needs an order of at most 4, the number of states that are reached and seen; it is 5"
    );
    assert!(
        matches!(plant("motor").balanced_truncation(1), Err(AnalysisError::NotStable { eigenvalue, .. }) if eigenvalue.re > 0.0)
    );
}

/// A − B K has the poles, for several inputs too, and the gain follows the units.
#[test]
fn poles_come_where_they_are_placed() {
    let mut random = Random::new(9);
    let pole = |re: f64, im: f64| Complex::new(re, im);
    let cases = [
        ("pair", vec![pole(-3.0, 0.0), pole(-4.0, 1.0), pole(-4.0, -1.0)]),
        ("pair", vec![pole(-2.0, 0.0), pole(-2.0, 0.0), pole(-7.0, 0.0)]),
        ("tanks", vec![pole(-0.05, 0.0), pole(-0.06, 0.0), pole(-0.07, 0.02), pole(-0.07, -0.02)]),
        ("tanks_rhp", vec![pole(-0.1, 0.1), pole(-0.1, -0.1), pole(-0.2, 0.1), pole(-0.2, -0.1)]),
    ];
    for (name, poles) in cases {
        let space = plant(name);
        let found = space.place_poles(&poles).expect("controllable");
        let scale = poles.iter().map(|pole| pole.norm()).fold(0.0, f64::max);
        for pole in &poles {
            let nearest = found.poles.iter().map(|other| (other - pole).norm()).fold(f64::INFINITY, f64::min);
            // A pole of multiplicity two in one block is as exact as √ε; here each has eigenvectors of its own.
            assert!(nearest < 1e-9 * scale, "{name}: {pole} {:?}", found.poles);
        }
        for _ in 0..10 {
            let units = Units::random(space.a.nrows(), &mut random);
            let poles: Vec<_> = poles.iter().map(|pole| pole / units.rate).collect();
            let other = units.gain(&units.of(&space).place_poles(&poles).expect("controllable").gain);
            let error = (&other - &found.gain).abs().max() / found.gain.abs().max();
            assert!(error < 1e-6, "{name}: {error:e}\n{other}{}", found.gain);
        }
    }
}

/// SciPy's `place_poles` reaches the condition numbers 156.3 (tanks) and 4.618 (pair) of the eigenvectors, in the plant's units.
#[test]
fn placed_eigenvectors_are_nearly_orthogonal() {
    let poles = |values: &[(f64, f64)]| values.iter().map(|&(re, im)| Complex::new(re, im)).collect::<Vec<_>>();
    let cases = [
        ("tanks", poles(&[(-0.05, 0.0), (-0.06, 0.0), (-0.07, 0.0), (-0.08, 0.0)]), 156.3),
        ("pair", poles(&[(-3.0, 0.0), (-4.0, 1.0), (-4.0, -1.0)]), 4.618),
    ];
    for (name, poles, scipy) in cases {
        let space = plant(name);
        let found = space.place_poles(&poles).expect("controllable");
        let closed = &space.a - &space.b * &found.gain;
        let size = closed.nrows();
        let mut vectors = DMatrix::<Complex<f64>>::zeros(size, size);
        for (k, pole) in poles.iter().enumerate() {
            let pencil = closed.map(|entry| Complex::new(entry, 0.0)) - DMatrix::identity(size, size) * *pole;
            // The product with the inverse of a nearly singular matrix is an eigenvector.
            let shifted = pencil + DMatrix::identity(size, size) * Complex::new(1e-9 * pole.norm(), 0.0);
            let vector =
                shifted.try_inverse().expect("regular") * DMatrix::from_element(size, 1, Complex::new(1.0, 0.0));
            vectors.set_column(k, &(&vector / Complex::from(vector.norm())).column(0));
        }
        let values = vectors.singular_values();
        let condition = values.max() / values.min();
        // The units in which the vectors are orthogonal are others than those of the comparison.
        assert!(condition < 3.0 * scipy, "{name}: {condition}");
    }
}

#[test]
fn what_cannot_be_placed_is_said() {
    let pole = |re: f64, im: f64| Complex::new(re, im);
    let a = matrix([[-1.0, 0.0], [0.0, -3.0]]);
    let error =
        place_poles(&a, &matrix([[1.0], [0.0]]), &[pole(-2.0, 0.0), pole(-4.0, 0.0)]).expect_err("out of reach");
    assert!(
        matches!(error, AnalysisError::NotStabilisable { eigenvalue } if (eigenvalue.re + 3.0).abs() < 1e-12),
        "{error}"
    );
    let b = matrix([[1.0], [1.0]]);
    let said = |poles: &[Complex<f64>]| place_poles(&a, &b, poles).expect_err("bad poles").to_string();
    assert_eq!(said(&[pole(-2.0, 0.0)]), "the list of poles is 1 × 1; it must be 2 × 1");
    assert!(said(&[pole(-2.0, 1.0), pole(-2.0, 0.0)]).contains("-2.000000 + 1.000000i has no partner"));
    assert!(said(&[pole(-2.0, 0.0), pole(-2.0, -1.0)]).contains("has no partner"));
    assert!(said(&[pole(f64::NAN, 0.0), pole(-2.0, 0.0)]).contains("a pole is infinite or NaN"));
    let three = [pole(-2.0, 0.0); 3];
    let error = plant("pair").place_poles(&three).expect_err("three times, two inputs").to_string();
    assert!(error.contains("repeated at most 2 times") && error.contains("-2.000000 is repeated"), "{error}");
}

/// Gains of the states that are left come back with zeros for the others, and names that do not exist are said.
#[test]
fn states_are_held_by_their_names() {
    let pendulum = Pendulum { m: 1.0, l: 0.5, g: 9.81 }.prepare::<f64>().expect("valid");
    let near = linearize(&pendulum, &State::new(0.0, [0.0], [0.0]), &SVector::from([])).expect("regular");
    let error = near.holding(&["phi"]).expect_err("no such state").to_string();
    assert_eq!(error, "there is no state `phi`; known: `theta`, `dot(theta)`");
    assert_eq!(near.holding(&["dot(theta)"]).expect("a state").kept(), [0]);
    let space = plant("masses");
    let held = space.holding(&[2]).expect("a state");
    close(&held.space().a, &matrix([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, -1.0, -0.01]]), 0.0);
    close(&held.gain(&matrix([[1.0, 2.0, 3.0]])).expect("three columns"), &matrix([[1.0, 2.0, 0.0, 3.0]]), 0.0);
    assert!(matches!(held.gain(&matrix([[1.0, 2.0]])), Err(AnalysisError::Shape { .. })));
    assert!(space.holding(&[4]).expect_err("four states").to_string().contains("4 is not below their number, 4"));
    let motor = plant("motor");
    let held = motor.settling(&[2]).expect("the winding settles");
    // The current is (4 u − 2 ω)/50.
    close(&held.space().a, &matrix([[0.0, 1.0], [9.81, -0.2 - 0.3 * 2.0 / 50.0]]), 1e-15);
    close(&held.space().b, &matrix([[0.0], [0.3 * 4.0 / 50.0]]), 1e-16);
    let regulator = lqr(held.space(), &DMatrix::identity(2, 2), &DMatrix::identity(1, 1)).expect("stabilisable");
    let whole = held.regulator(&regulator).expect("of like size");
    assert_eq!((whole.gain[(0, 2)], whole.cost[(2, 0)], whole.cost[(1, 0)]), (0.0, 0.0, regulator.cost[(1, 0)]));
    let closed = StateSpace { a: &motor.a - &motor.b * &whole.gain, ..motor.clone() };
    assert!(closed.poles().expect("finite").iter().all(|pole| pole.re < 0.0));
    let error = space.settling(&[0]).expect_err("an integral does not settle").to_string();
    assert!(error.contains("these do not settle"), "{error}");
}

/// A chain of parts has the response of its zeros and poles, also where there are as many zeros as poles, twofold ones, and
/// poles at 0.
#[test]
fn realised_functions_have_their_responses() {
    let root = |re: f64, im: f64| Complex::new(re, im);
    let pair = |re: f64, im: f64| [root(re, im), root(re, -im)];
    let cases = [
        (vec![], vec![root(0.0, 0.0), root(0.0, 0.0), root(-1.0, 0.0)]),
        (pair(-0.1, 3.0).to_vec(), vec![root(-1.0, 0.0), root(-2.0, 0.0), root(-3.0, 0.0)]),
        (
            [pair(1.0, 2.0).as_slice(), &pair(-1.0, 9.0), &[root(4.0, 0.0)]].concat(),
            [pair(-0.1, 2.0).as_slice(), &pair(-3.0, 9.0), &[root(-4.0, 0.0)]].concat(),
        ),
        (vec![root(-1.0, 0.0); 3], vec![root(-2.0, 0.0); 4]),
        (vec![], vec![]),
    ];
    for (zeros, poles) in cases {
        for unit in [1.0, 1e-9, 1e12] {
            let scaled = |roots: &[Complex<f64>]| roots.iter().map(|root| root * unit).collect::<Vec<_>>();
            let function = TransferFunction { zeros: scaled(&zeros), poles: scaled(&poles), gain: -3.5 };
            let space = function.realised().expect("proper");
            for omega in [0.3, 2.9, 40.0].map(|omega| omega * unit) {
                let expected = function.at(Complex::new(0.0, omega));
                let found = space.response(omega).expect("no pole")[(0, 0)];
                assert!(
                    (found - expected).norm() < 1e-13 * expected.norm(),
                    "{function:?} {omega}: {found} {expected}"
                );
            }
        }
    }
    let improper = TransferFunction { zeros: vec![root(1.0, 0.0)], poles: vec![], gain: 1.0 };
    assert!(improper.realised().expect_err("improper").to_string().contains("at least as many poles as zeros"));
    let alone = TransferFunction { zeros: vec![], poles: vec![root(1.0, 1.0)], gain: 1.0 };
    assert!(alone.realised().expect_err("alone").to_string().contains("conjugate pairs"));
}

/// y = 3 u has no states, and every question about it has its answer.
#[test]
fn a_system_without_states_has_answers() {
    let none =
        StateSpace { a: DMatrix::zeros(0, 0), b: DMatrix::zeros(0, 1), c: DMatrix::zeros(1, 0), d: matrix([[3.0]]) };
    assert_eq!(none.response(2.0).expect("no pole")[(0, 0)].re, 3.0);
    assert_eq!(none.h_infinity().expect("stable").gain, 3.0);
    assert_eq!((none.zeros().expect("finite").len(), none.minimal().expect("finite")), (0, none.clone()));
    assert_eq!(none.tustin(0.1).expect("finite").d, none.d);
    assert_eq!(none.first_order_hold(0.1).expect("finite").d, none.d);
    assert_eq!(none.balanced_truncation(0).expect("stable").space, none);
    assert_eq!(none.settling(&[]).expect("nothing settles").space(), &none);
    let held = none.sampled(0.1).expect("finite");
    assert_eq!((held.h_infinity().expect("stable").gain, held.h2().expect("stable")), (3.0, 3.0));
    let margins = none.margins().expect("finite");
    assert!(margins.is_stable && margins.gain.is_empty() && margins.modulus == 4.0, "{margins:?}");
    let data = none.frequency_data(0, 0, &[0.0, 1.0]).expect("no pole");
    assert_eq!((data.phase.as_slice(), none.frequencies(3).expect("finite").len()), ([0.0, 0.0].as_slice(), 7));
    let late = none.sampled_with_delay(0.1, 0.25).expect("finite");
    assert_eq!((late.a.nrows(), late.c[(0, 2)], late.d[(0, 0)]), (3, 3.0, 0.0));
    assert_eq!(none.place_poles(&[]).expect("nothing to place").gain.shape(), (1, 0));
}

/// 4/(s + 1)³ is shown from a tenth of its rate to ten times it, and in any unit of time.
#[test]
fn frequencies_span_the_poles_and_zeros() {
    for unit in [1.0, 1e-9, 1e12] {
        let units = Units { rate: 1.0 / unit, ..Units::same(3) };
        let grid = units.of(&plant("cubic")).frequencies(10).expect("finite");
        assert_eq!(grid.len(), 21);
        for (k, omega) in grid.iter().enumerate() {
            let expected = unit * 10.0_f64.powf(k as f64 / 10.0 - 1.0);
            assert!((omega - expected).abs() < 1e-13 * expected, "{k}: {omega} {expected}");
        }
    }
}

/// Two outputs of one mode each and a sum of both: the zeros of a system that is not square.
#[test]
fn zeros_exist_where_outputs_and_inputs_are_not_as_many() {
    // y₁ = (s + 1)/(…), y₂ = (s + 1) (s + 2)/(…): the common zero is −1.
    let a = matrix([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-5.0, -7.0, -4.0]]);
    let b = matrix([[0.0], [0.0], [1.0]]);
    let space = StateSpace::new(a, b)
        .and_then(|space| space.with_outputs(matrix([[1.0, 1.0, 0.0], [2.0, 3.0, 1.0]]), DMatrix::zeros(2, 1)));
    let space = space.expect("of like size");
    let zeros = space.zeros().expect("finite");
    assert!(zeros.len() == 1 && (zeros[0].re + 1.0).abs() < 1e-13, "{zeros:?}");
    let dual =
        StateSpace { a: space.a.transpose(), b: space.c.transpose(), c: space.b.transpose(), d: space.d.transpose() };
    let zeros = dual.zeros().expect("finite");
    assert!(zeros.len() == 1 && (zeros[0].re + 1.0).abs() < 1e-13, "{zeros:?}");
    let nothing = StateSpace { c: &space.c * 0.0, ..space.clone() };
    assert_eq!(nothing.transfer_function(0, 0).expect("finite").gain, 0.0);
    assert!(space.channel(2, 0).expect_err("two outputs").to_string().contains("2 is not below their number, 2"));
    assert!(matches!(space.margins(), Err(AnalysisError::Shape { found: (2, 1), .. })));
}

/// A free body under a spring and a damper, and a loop that needs its gain.
#[test]
fn margins_say_whether_the_loop_is_stable() {
    let integrators = StateSpace::new(matrix([[0.0, 1.0], [0.0, 0.0]]), matrix([[0.0], [1.0]]));
    let loop_of = |gains: [f64; 2]| {
        integrators
            .clone()
            .and_then(|space| space.with_outputs(matrix([gains]), matrix([[0.0]])))
            .expect("of like size")
    };
    let damped = loop_of([4.0, 2.0]).margins().expect("finite");
    assert!(damped.is_stable && damped.gain.is_empty() && damped.phase.len() == 1 && damped.gain_up().is_none());
    // |2iω + 4| = ω²: ω² = 2 + 2√5, and tan φ = ω/2.
    let omega = (2.0 + 2.0 * 5.0_f64.sqrt()).sqrt();
    let phase = damped.least_phase().expect("one");
    assert!((phase.omega - omega).abs() < 1e-13 && (phase.angle - (omega / 2.0).atan()).abs() < 1e-13, "{phase:?}");
    assert!((damped.least_delay().expect("one").delay - phase.angle / omega).abs() < 1e-13);
    assert!(!loop_of([4.0, -2.0]).margins().expect("finite").is_stable);
    // 2/(s − 1) is stable for gains above a half.
    let unstable = StateSpace::new(matrix([[1.0]]), matrix([[1.0]]))
        .and_then(|space| space.with_outputs(matrix([[2.0]]), matrix([[0.0]])))
        .and_then(|space| space.margins())
        .expect("finite");
    let down = unstable.gain_down().expect("one");
    assert!(unstable.is_stable && (down.factor - 0.5).abs() < 1e-15 && down.omega == 0.0, "{unstable:?}");
}
