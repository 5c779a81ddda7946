//! A slider crank with a rod that bends, against the published equations and the frequencies of the rod.

use lagrange_models::FlexibleSliderCrank;
use lagrange_runtime::analysis::{EquilibriumSearch, Mode, modes};
use lagrange_runtime::prelude::*;
use lagrange_tests::stiff::{SLIDER_CRANK_CONVERGED, SliderCrank};

#[test]
fn the_held_rod_has_the_frequencies_of_a_hinged_beam() {
    // A crank that stands, and a slider that does not move along, so that the stretch is that of a rod between walls.
    let crank = FlexibleSliderCrank { omega: 0.0, slider: 1e9, ..FlexibleSliderCrank::default() };
    let system = crank.prepare::<f64>().expect("valid");
    let near = [0.0, 0.0, crank.r + crank.l, 0.0, 0.0, 0.0, 0.0];
    let rest = EquilibriumSearch::new(near, []).find(&system).expect("near");
    let found = modes(&system, &rest).expect("regular");
    let frequencies: Vec<f64> = found.undamped.iter().filter_map(Mode::frequency).collect();
    for (n, error) in [(1, 1e-3), (2, 1e-2)] {
        let exact = crank.frequency(n);
        let is_met = |found: &f64| *found > exact && found / exact - 1.0 < error;
        assert!(frequencies.iter().any(is_met), "{frequencies:?} {exact}");
    }
    // The parabola between walls: ω² = 10 E/(ρ l²), where π² is exact.
    let stretch = (10.0 * crank.e / crank.rho).sqrt() / crank.l;
    assert!(frequencies.iter().any(|found| (found / stretch - 1.0).abs() < 1e-6), "{frequencies:?} {stretch}");
}

/// Where the rod does not bend, the shapes are those of the source.
#[test]
fn the_published_energies_have_fifteen_times_the_inertia_of_the_stretch() {
    let published = SliderCrank {}.prepare::<f64>().expect("regular");
    let [rod, heavy] = [1.0, 15.0]
        .map(|axial| FlexibleSliderCrank { axial, ..FlexibleSliderCrank::default() }.prepare::<f64>().expect("valid"));
    for (phi, psi) in [(0.3, -0.1), (1.2, -0.4), (2.9, 0.2), (5.0, 0.5)] {
        let q = [phi, psi, 0.4, 0.0, 0.0, 2e-3 * phi, -3e-3 * psi];
        let state = State::new(0.0, q, [150.0, -60.0 * psi, 2.0, 0.0, 0.0, 3.0 * phi, -2.0]);
        let [expected, rod, heavy] =
            [published.energies_of(&state), rod.energies_of(&state), heavy.energies_of(&state)]
                .map(|energies| [energies.kinetic, energies.potential].map(|part| part.expect("stated")));
        // The published data have the moments of inertia and π to eight digits.
        assert!((heavy[0] / expected[0] - 1.0).abs() < 1e-7, "{heavy:?} {expected:?}");
        assert!((heavy[1] / expected[1] - 1.0).abs() < 1e-7, "{heavy:?} {expected:?}");
        assert!((rod[0] / expected[0] - 1.0).abs() > 1e-5, "{rod:?} {expected:?}");
    }
}

#[test]
fn the_middle_of_the_rod_moves_as_published() {
    let times: Vec<f64> = (0..=200).map(|i| f64::from(i) * 5e-4).collect();
    let options = Options { rtol: 1e-8.into(), atol: 1e-10.into(), t_eval: Some(&times), ..Options::default() };
    let method = Radau9::new();
    let published = SliderCrank {}.prepare::<f64>().expect("regular");
    let expected = solve(&published, SLIDER_CRANK_CONVERGED.start(), 0.1, &method, &options).expect("regular");
    let deflections = |axial: f64| {
        let crank = FlexibleSliderCrank { axial, ..FlexibleSliderCrank::default() };
        let system = crank.prepare::<f64>().expect("valid");
        let solution = solve(&system, FlexibleSliderCrank::stretched_out(), 0.1, &method, &options).expect("regular");
        solution.states().map(|state| state.q[3]).collect::<Vec<_>>()
    };
    let largest = expected.states().map(|state| state.q[3].abs()).fold(0.0, f64::max);
    let differs = |found: &[f64]| {
        let pairs = found.iter().zip(expected.states());
        pairs.map(|(found, expected)| (found - expected.q[3]).abs()).fold(0.0, f64::max) / largest
    };
    let [heavy, rod] = [15.0, 1.0].map(|axial| differs(&deflections(axial)));
    assert!((largest / 1.65e-3 - 1.0).abs() < 0.01, "{largest}");
    assert!(heavy < 0.006 && rod < 0.006, "{heavy} {rod}");
}
