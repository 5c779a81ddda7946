//! A beam that is spun up, against a geometrically exact beam and published frequencies.

use lagrange_models::SpinningBeam;
use lagrange_runtime::analysis::linearize;
use lagrange_runtime::prelude::*;

const TIMES: [f64; 6] = [2.0, 4.0, 5.0, 7.0, 8.0, 10.0];

/// The deflections of the tip at [`TIMES`], with 6 and with 3 rad/s: a geometrically exact beam with shear (GA = 10⁷ N, rotary inertia 6·10⁻⁴ kg m) as one element whose two
/// displacements and rotation are polynomials of degree 9 along the beam, in NumPy, by implicit midpoint steps of 5 ms. Steps of 10 ms, and the degrees 7 and 11, change the sixth decimal.
const EXACT: [(f64, [f64; 6]); 2] = [
    (6.0, [-0.102_381, -0.342_279, -0.468_477, -0.571_315, -0.542_840, -0.362_819]),
    (3.0, [-0.051_194, -0.171_855, -0.237_512, -0.305_565, -0.301_567, -0.220_278]),
];

/// The angular velocity, the deflection and the stretch of the tip at some times.
fn outputs(beam: &SpinningBeam, times: &[f64]) -> Vec<[f64; 3]> {
    let system = beam.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-7.into(), atol: 1e-9.into(), t_eval: Some(times), ..Options::default() };
    let end = times.last().copied().unwrap_or(0.0);
    let solution = solve(&system, SpinningBeam::at_rest(), end, &Radau9::new(), &options).expect("regular");
    let values = |state: State<f64, 5>| {
        let outputs = system.outputs_of(&state);
        [outputs[0].1, outputs[1].1, state.q[3] + state.q[4]]
    };
    solution.states().map(values).collect()
}

/// What is left out is of the third order in the slope v′, whose square is below 0.8 %.
#[test]
fn the_beam_trails_as_a_geometrically_exact_one() {
    let worst = EXACT.map(|(spin, exact)| {
        let found = outputs(&SpinningBeam { spin, ..SpinningBeam::default() }, &TIMES);
        let errors = found.iter().zip(exact).map(|([_, across, _], exact)| (across - exact).abs());
        errors.fold(0.0, f64::max)
    });
    assert!(worst[0] < 2.2e-3 && worst[1] < worst[0] / 5.0, "{worst:?}");
}

/// The stretch is that of the closed form, and the deflection has gone. Without the shortening the deflection is the same at first, and then leaves all bounds.
#[test]
fn only_a_beam_that_shortens_stands_straight_again() {
    for beam in [SpinningBeam::default(), SpinningBeam::kane()] {
        let steady = beam.steady_stretch();
        let found = outputs(&beam, &[1.0, 15.0, 17.0, 20.0]);
        for [omega, across, stretch] in &found[1..] {
            assert!((omega - beam.spin).abs() < 1e-9 && across.abs() < 1e-2, "{found:?}");
            assert!((stretch / steady - 1.0).abs() < 5e-3, "{stretch} {steady}");
        }
        let linear = outputs(&SpinningBeam { shortening: 0.0, ..beam }, &[1.0, 15.0, 17.0, 20.0]);
        assert!((linear[0][1] / found[0][1] - 1.0).abs() < 1e-2 && linear[3][1].abs() > 1e3, "{linear:?}");
    }
}

/// The first frequency of the vibrations out of the plane, ω √(ρ l⁴/EI), at Ω √(ρ l⁴/EI) = 2, 4 and 6 (A. D. Wright, C. E. Smith, R. W. Thresher, J. L. C. Wang, *Vibration modes
/// of centrifugally stiffened beams*, J. Appl. Mech. 49, 1982). In the plane it is √(ω² − Ω²), because the centrifugal force turns with the deflection. Three shapes are
/// stiffer than the beam.
#[test]
fn a_steadily_turning_beam_has_the_published_frequencies() {
    for (spin, flapping) in [(2.0, 4.1373), (4.0, 5.5850), (6.0, 7.3604)] {
        let beam = SpinningBeam { l: 1.0, rho: 1.0, ei: 1.0, ea: 1e6, spin, rise: 1.0, shortening: 1.0 };
        let system = beam.prepare::<f64>().expect("valid");
        // The beam is straight, and stretched by k (x/2 − x³/6) with k = Ω² ρ l³/EA.
        let k = spin * spin / beam.ea;
        let state = State::new(2.0, [0.0, 0.0, 0.0, 2.0 * k / 5.0, -k / 15.0], [0.0; 5]);
        let found = linearize(&system, &state, &SVector::zeros()).expect("regular");
        let slowest = found.a().complex_eigenvalues().iter().map(|value| value.im.abs()).fold(f64::INFINITY, f64::min);
        let exact = (flapping * flapping - spin * spin).sqrt();
        assert!(slowest > exact && slowest / exact - 1.0 < 5e-3, "{spin}: {slowest} {exact}");
    }
}
