//! A link that bends under a motor, against the frequencies of the continuous beam.

use super::{frequencies, zero};
use lagrange_models::FlexibleLink;
use lagrange_runtime::prelude::*;

/// With βl = z: 1 + cos z cosh z + μ z (cos z sinh z − sin z cosh z) = 0 for a clamped beam with μ ρ l at its tip.
#[test]
fn a_held_hub_gives_the_frequencies_of_a_clamped_beam_with_a_mass() {
    let link = FlexibleLink { hub: 1e9, ..FlexibleLink::default() };
    let found = frequencies(&link.prepare::<f64>().expect("valid"), [0.0; 5]);
    let mu = link.load / (link.rho * link.l);
    let equation = |z: f64| 1.0 + z.cos() * z.cosh() + mu * z * (z.cos() * z.sinh() - z.sin() * z.cosh());
    for (mode, (range, error)) in [((0.5, 2.0), 1e-3), ((3.0, 5.0), 1e-2)].into_iter().enumerate() {
        let z = zero(range.0, range.1, equation);
        let exact = z * z * (link.ei / (link.rho * link.l.powi(4))).sqrt();
        assert!(found[mode + 1] > exact && found[mode + 1] / exact - 1.0 < error, "{found:?} {exact}");
    }
}

/// A free hub: y = A sin + B sinh + C (cos − cosh), EI y″(0) = −ω² J y′(0), y″(l) = 0, EI y‴(l) = −ω² m y(l).
#[test]
fn a_free_hub_gives_those_of_a_hinged_beam_with_a_hub_and_a_mass() {
    let link = FlexibleLink::default();
    let found = frequencies(&link.prepare::<f64>().expect("valid"), [0.0; 5]);
    let (mass, inertia) = (link.load / (link.rho * link.l), link.hub / (link.rho * link.l.powi(3)));
    let equation = |z: f64| {
        // ω² = z⁴ in these units.
        let rows = [
            [inertia * z.powi(3), inertia * z.powi(3), -2.0],
            [-z.sin(), z.sinh(), -z.cos() - z.cosh()],
            [
                -z.cos() + mass * z * z.sin(),
                z.cosh() + mass * z * z.sinh(),
                z.sin() - z.sinh() + mass * z * (z.cos() - z.cosh()),
            ],
        ];
        let minor = |i: usize, j: usize| rows[1][i] * rows[2][j] - rows[1][j] * rows[2][i];
        rows[0][0] * minor(1, 2) - rows[0][1] * minor(0, 2) + rows[0][2] * minor(0, 1)
    };
    let z = zero(1.5, 3.5, equation);
    let exact = z * z * (link.ei / (link.rho * link.l.powi(4))).sqrt();
    assert!(found[0].abs() < 1e-4, "{found:?}");
    assert!(found[1] > exact && found[1] / exact - 1.0 < 2e-3, "{found:?} {exact}");
}
