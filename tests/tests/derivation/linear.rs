//! Small dense linear algebra that shares no code with the library.

use lagrange_runtime::scalar::Real;

/// A square matrix, row by row.
pub(crate) type Matrix = Vec<Vec<f64>>;

/// The inverse by Gauss–Jordan elimination with row pivots; `None` where a pivot vanishes.
pub(crate) fn inverse(matrix: &Matrix) -> Option<Matrix> {
    let n = matrix.len();
    let unit = |i: usize| (0..n).map(move |j| if i == j { 1.0 } else { 0.0 });
    let mut rows: Matrix =
        matrix.iter().enumerate().map(|(i, row)| row.iter().copied().chain(unit(i)).collect()).collect();
    for column in 0..n {
        let best = (column..n).max_by(|&i, &j| rows[i][column].abs().total_cmp(&rows[j][column].abs()))?;
        rows.swap(column, best);
        let pivot = rows[column][column];
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        rows[column].iter_mut().for_each(|entry| *entry /= pivot);
        let pivot_row = rows[column].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if i != column && factor != 0.0 {
                row.iter_mut().zip(&pivot_row).for_each(|(entry, pivot)| *entry -= factor * pivot);
            }
        }
    }
    Some(rows.into_iter().map(|row| row[n..].to_vec()).collect())
}

/// A⁻¹ x by elimination with row pivots, in numbers with derivatives too; `None` where a pivot vanishes.
pub(crate) fn solve<R: Real>(matrix: &[Vec<R>], right: &[R]) -> Option<Vec<R>> {
    let n = right.len();
    let mut rows: Vec<Vec<R>> =
        matrix.iter().zip(right).map(|(row, &x)| row.iter().copied().chain([x]).collect()).collect();
    for k in 0..n {
        let size = |row: &[R]| row[k].to_f64().abs();
        let best = (k..n).max_by(|&i, &j| size(&rows[i]).total_cmp(&size(&rows[j])))?;
        rows.swap(k, best);
        let own = rows[k].clone();
        if size(&own) == 0.0 || !size(&own).is_finite() {
            return None;
        }
        for row in &mut rows[k + 1..] {
            let factor = row[k] / own[k];
            row.iter_mut().zip(&own).for_each(|(entry, &pivot)| *entry -= factor * pivot);
        }
    }
    let mut solution = vec![R::ZERO; n];
    for k in (0..n).rev() {
        let known = (k + 1..n).fold(R::ZERO, |sum, j| sum + rows[k][j] * solution[j]);
        solution[k] = (rows[k][n] - known) / rows[k][k];
    }
    Some(solution)
}

/// A x.
pub(crate) fn times(matrix: &Matrix, x: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

/// The largest absolute row sum.
pub(crate) fn norm(matrix: &Matrix) -> f64 {
    matrix.iter().map(|row| row.iter().map(|entry| entry.abs()).sum::<f64>()).fold(0.0, f64::max)
}

/// The pivots of L D Lᵀ without exchange of rows.
pub(crate) fn pivots(matrix: &Matrix) -> Vec<f64> {
    let n = matrix.len();
    let mut rows = matrix.clone();
    for k in 0..n {
        let pivot_row = rows[k].clone();
        for row in &mut rows[k + 1..] {
            let factor = row[k] / pivot_row[k];
            for j in k..n {
                row[j] -= factor * pivot_row[j];
            }
        }
    }
    (0..n).map(|i| rows[i][i]).collect()
}
