//! The scale of a constraint, by which its residual is judged: the sum of the magnitudes of the terms that cancel in it.

use super::{State, derived};

#[test]
fn the_terms_of_a_sum_count_one_by_one() {
    let rows = [
        ("x - y == 0", 1e6 + 999_999.5),
        ("2*x - 3*y == 7", 2e6 + 2_999_998.5 + 7.0),
        ("(x - y)*(x + y) == 0", (1e6 + 999_999.5) * (1e6 + 999_999.5)),
        ("(x - y)^2 == 0", 0.25),
        ("sin(x - y) == 0", 0.5_f64.sin()),
    ];
    for (row, expected) in rows {
        let block = format!("coordinates x, y; kinetic = dot(x)^2/2 + dot(y)^2/2; constraint c: {row};");
        let derivation = derived(&block, "struct Pair {}");
        let state = State { q: vec![1e6, 999_999.5], v: vec![0.0; 2], ..State::default() };
        let scale = state.values(&derivation, &derivation.equations.constraints.scale)[0];
        assert!((scale - expected).abs() <= 1e-12 * expected, "{row}: {scale} instead of {expected}");
    }
}
