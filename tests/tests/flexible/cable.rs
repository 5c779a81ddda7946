//! A cable of elements with absolute nodal coordinates.

use super::frequencies;
use lagrange_models::HangingCable;
use lagrange_runtime::prelude::*;

/// The tip while the cable falls, at 0.1, 0.2, … 0.8 s: the same elements with matrices by five Gauss points, in NumPy, and DOP853 of SciPy with a tolerance of 10⁻¹¹.
const FALLING: [[f64; 2]; 8] = [
    [0.9946057485, -0.0500844411],
    [0.9469409301, -0.1801340936],
    [0.8103091474, -0.4500005392],
    [0.4274109564, -0.8989585933],
    [-0.1992246785, -0.9481748901],
    [-0.6420189701, -0.7383453415],
    [-0.7983323925, -0.5644808339],
    [-0.9462347113, -0.2800770495],
];

#[test]
fn the_cable_falls_as_that_of_another_program() {
    let system = HangingCable::default().prepare::<f64>().expect("valid");
    const { assert!(HangingCable::FACTS.constant_mass) };
    let times: Vec<f64> = (1..=8).map(|i| 0.1 * f64::from(i)).collect();
    let options = Options { rtol: 1e-9.into(), atol: 1e-11.into(), t_eval: Some(&times), ..Options::default() };
    let solution = solve(&system, HangingCable::released(), 0.8, &Radau9::new(), &options).expect("regular");
    for (state, exact) in solution.states().zip(FALLING) {
        assert!((state.q[4] - exact[0]).hypot(state.q[5] - exact[1]) < 1e-9, "{state:?}");
        assert!(system.energies_of(&state).energy.abs() < 1e-7, "{:?}", system.energies_of(&state));
    }
}

/// Without gravity the straight cable vibrates as a beam with a hinge: tan β = tanh β, and the frequencies are β² √(EI/(ρ l⁴)).
#[test]
fn a_straight_cable_vibrates_as_a_beam() {
    let cable = HangingCable { gravity: 0.0, ea: 1e5, ei: 1.0, ..HangingCable::default() };
    let system = cable.prepare::<f64>().expect("valid");
    let q: [f64; 14] = HangingCable::released().q.into();
    let found = frequencies(&system, q);
    let exact = 3.926_602_312_047_919_f64.powi(2) * (cable.ei / cable.rho).sqrt();
    assert!((found[1] / exact - 1.0).abs() < 2e-3, "{found:?} {exact}");
}
