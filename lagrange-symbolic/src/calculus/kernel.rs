//! Kernels of small matrices of numbers, as guesses of relations that are decided elsewhere.

use crate::graph::{Rational, rational};

/// A pivot below this part of the size of its column is rounding: random states of size 1 leave about twelve digits.
const SINGULAR: f64 = 1e-8;

/// The least size of a column, as a part of the largest one. What is smaller may be a sum of terms that cancel.
const NEGLIGIBLE: f64 = 1e-6;

/// The largest denominator and the largest numerator of a coefficient. Coefficients are numbers without units, of which the first one is 1.
const LARGEST_DENOMINATOR: u32 = 12;
const LARGEST_NUMERATOR: f64 = 1000.0;

/// How near a coefficient times its denominator must be to a whole number. It is far above the rounding of the elimination, and far below the
/// distances of such fractions. A wrong guess is refuted later.
const NEAR: f64 = 1e-5;

/// A vector with 1 at a place, and 0 elsewhere.
pub(crate) fn unit(length: usize, at: usize) -> Vec<f64> {
    (0..length).map(|i| f64::from(u8::from(i == at))).collect()
}

/// The first `width` entries, scaled to 1 as their largest, of vectors that span the kernel of a matrix.
pub(crate) fn kernel(rows: &[Vec<f64>], width: usize) -> Vec<Vec<f64>> {
    let columns = rows.first().map_or(0, Vec::len);
    let sizes: Vec<f64> =
        (0..columns).map(|c| rows.iter().fold(0.0, |most: f64, row| most.max(row[c].abs()))).collect();
    let least = NEGLIGIBLE * sizes.iter().fold(0.0, |most: f64, size| most.max(*size));
    let sizes: Vec<f64> = sizes.into_iter().map(|size| size.max(least)).collect();
    let (reduced, pivots) = eliminated(rows.to_vec(), &sizes);
    let free = (0..columns).filter(|column| !pivots.contains(column));
    free.map(|free| {
        let mut vector = unit(columns, free);
        for (row, &pivot) in reduced.iter().zip(&pivots) {
            vector[pivot] = -row[free];
        }
        vector.truncate(width);
        of_size_one(vector)
    })
    .collect()
}

/// The rows of the reduced echelon form.
pub(crate) fn reduced(rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let ones = rows.first().map_or(Vec::new(), |row| vec![1.0; row.len()]);
    let (mut rows, pivots) = eliminated(rows, &ones);
    rows.truncate(pivots.len());
    rows
}

/// The vector with 1 as its largest entry.
fn of_size_one(mut vector: Vec<f64>) -> Vec<f64> {
    let size = vector.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if size > 0.0 {
        vector.iter_mut().for_each(|x| *x /= size);
    }
    vector
}

/// Whether a vector is no combination of others.
pub(crate) fn is_new(known: &[Vec<f64>], vector: &[f64]) -> bool {
    let rank = |rows: Vec<Vec<f64>>| reduced(rows.into_iter().map(of_size_one).collect()).len();
    let all = known.iter().cloned().chain([vector.to_vec()]).collect();
    rank(all) > rank(known.to_vec())
}

/// The reduced echelon form by Gauss–Jordan elimination, and the pivot columns. An entry that is rounding beside the size of its column is no
/// pivot.
fn eliminated(mut rows: Vec<Vec<f64>>, sizes: &[f64]) -> (Vec<Vec<f64>>, Vec<usize>) {
    let mut pivots = Vec::new();
    for (column, size) in sizes.iter().enumerate() {
        let done = pivots.len();
        let largest = (done..rows.len()).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let Some(largest) = largest.filter(|&row| rows[row][column].abs() > SINGULAR * size) else { continue };
        rows.swap(done, largest);
        let pivot = rows[done][column];
        rows[done].iter_mut().for_each(|x| *x /= pivot);
        let row = rows[done].clone();
        for (_, other) in rows.iter_mut().enumerate().filter(|(index, _)| *index != done) {
            let factor = other[column];
            other.iter_mut().zip(&row).for_each(|(x, pivot)| *x -= factor * pivot);
        }
        pivots.push(column);
    }
    (rows, pivots)
}

/// The simplest number near `x`, if one is near.
pub(crate) fn recognised(x: f64) -> Option<Rational> {
    (1..=LARGEST_DENOMINATOR).find_map(|denominator| {
        let numerator = (x * f64::from(denominator)).round();
        let is_near = (x * f64::from(denominator) - numerator).abs() < NEAR && numerator.abs() < LARGEST_NUMERATOR;
        is_near.then(|| rational(numerator as i64, u64::from(denominator)))
    })
}
