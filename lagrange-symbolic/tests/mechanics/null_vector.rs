//! Directions in which a matrix maps to zero.

use lagrange_symbolic::graph::value::Plain;
use lagrange_symbolic::mechanics::{null_vector, plain_rounding};

fn of(rows: &[&[f64]], columns: usize) -> Option<Vec<f64>> {
    null_vector(&mut Plain, rows.iter().map(|row| row.to_vec()).collect(), columns, &plain_rounding())
}

#[test]
fn null_vectors_of_small_matrices() {
    let vector = of(&[&[1.0, 2.0, 0.0], &[2.0, 4.0, 0.0], &[0.0, 0.0, 3.0]], 3);
    assert_eq!(vector, Some(vec![1.0, -0.5, 0.0]));
    assert_eq!(of(&[&[1.0, 2.0], &[2.0, 4.1]], 2), None);
    assert_eq!(of(&[], 1), Some(vec![1.0]));
}
