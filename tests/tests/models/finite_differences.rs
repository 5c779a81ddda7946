//! Equations by finite differences of a numeric Lagrangian, against the derived ones.

use lagrange_models::{DoublePendulum, FiniteDifferences};
use lagrange_runtime::prelude::*;

#[test]
fn differences_come_near_the_derived_equations_but_not_to_rounding() {
    let derived = DoublePendulum::default().prepare::<f64>().expect("the defaults are valid");
    let differences = FiniteDifferences::new(&derived);
    let (q, v, u) = (SVector::from([0.4, -1.1]), SVector::from([1.5, 0.3]), SVector::zeros());
    let [exact, near] = [derived.equations(0.0, &q, &v, &u), differences.equations(0.0, &q, &v, &u)];
    let error = (exact.mass_matrix - near.mass_matrix).amax().max((exact.forcing - near.forcing).amax());
    assert!(error < 1e-3, "{error:e}");
    assert!(error > 1e-9, "{error:e}: second differences over 1e-5 cannot be this good");
}
