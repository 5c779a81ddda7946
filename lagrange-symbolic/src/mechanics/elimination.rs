//! The solution of K x = r in symbols, for a K of a few rows that may be unsymmetric and may have zeros on its diagonal.
//!
//! K falls into blocks that are not coupled with each other. A block whose diagonal entries all differ from 0, such as the
//! second derivatives of a dissipation, is eliminated along its diagonal. A small block with a zero on its diagonal, such as
//! the antisymmetric one of an L that is linear in velocities, is solved by Cramer's rule: no entry of it needs to differ
//! from 0 at every state. Others are eliminated with pivots that are chosen by structure.

use crate::graph::{Graph, Id, Rational, Symbol};

/// The numbers of rows of a block that is solved by Cramer's rule. In a block of two rows with a zero on the diagonal, the
/// pivots are entries.
const CRAMER: std::ops::RangeInclusive<usize> = 3..=4;

/// A divisor of the solution.
pub(super) struct Pivot {
    /// The row of K whose coordinate a message names where the divisor vanishes.
    pub(super) row: usize,
    /// The divisor.
    pub(super) value: Id,
    /// The rows whose sizes multiply to that of the terms that cancel in the divisor. It is empty where the divisor is an
    /// entry of K.
    pub(super) scale: Vec<usize>,
}

/// x, and every divisor. `None` where the structure of K makes it singular.
pub(super) fn solve(graph: &mut Graph, matrix: &[Vec<Id>], right: &[Id]) -> Option<(Vec<Id>, Vec<Pivot>)> {
    let (mut solution, mut pivots) = (right.to_vec(), Vec::new());
    for block in blocks(graph, matrix) {
        let has_diagonal = block.iter().all(|&i| !graph.is_zero(matrix[i][i]));
        let values = if has_diagonal || !CRAMER.contains(&block.len()) {
            eliminated(graph, matrix, right, &block, has_diagonal, &mut pivots)?
        } else {
            cramer(graph, matrix, right, &block, &mut pivots)?
        };
        for (&i, value) in block.iter().zip(values) {
            solution[i] = value;
        }
    }
    Some((solution, pivots))
}

/// The rows of each block, in ascending order.
fn blocks(graph: &Graph, matrix: &[Vec<Id>]) -> Vec<Vec<usize>> {
    let n = matrix.len();
    let mut block_of: Vec<usize> = (0..n).collect();
    for i in 0..n {
        for j in 0..n {
            if !graph.is_zero(matrix[i][j]) && block_of[i] != block_of[j] {
                let (kept, merged) = (block_of[i].min(block_of[j]), block_of[i].max(block_of[j]));
                block_of.iter_mut().filter(|block| **block == merged).for_each(|block| *block = kept);
            }
        }
    }
    let rows = |block: usize| (0..n).filter(|&i| block_of[i] == block).collect::<Vec<_>>();
    (0..n).map(rows).filter(|rows| !rows.is_empty()).collect()
}

/// Gauss's elimination of a block.
fn eliminated(
    graph: &mut Graph,
    matrix: &[Vec<Id>],
    right: &[Id],
    block: &[usize],
    along_diagonal: bool,
    pivots: &mut Vec<Pivot>,
) -> Option<Vec<Id>> {
    let m = block.len();
    let mut rows: Vec<Vec<Id>> = block.iter().map(|&i| block.iter().map(|&j| matrix[i][j]).collect()).collect();
    let mut right: Vec<Id> = block.iter().map(|&i| right[i]).collect();
    let (mut open_rows, mut open_columns): (Vec<usize>, Vec<usize>) = ((0..m).collect(), (0..m).collect());
    let (mut order, mut changed) = (Vec::new(), vec![false; m]);
    while !open_rows.is_empty() {
        let (i, j) = chosen(graph, &rows, (&open_rows, &open_columns), along_diagonal)?;
        open_rows.retain(|&row| row != i);
        open_columns.retain(|&column| column != j);
        let value = rows[i][j];
        let scale = if changed[i] { vec![block[i]] } else { Vec::new() };
        pivots.push(Pivot { row: block[i], value, scale });
        let inverse = graph.recip(value);
        for &k in &open_rows {
            if graph.is_zero(rows[k][j]) {
                continue;
            }
            changed[k] = true;
            let factor = graph.mul(rows[k][j], inverse);
            for &l in &open_columns {
                let product = graph.mul(factor, rows[i][l]);
                rows[k][l] = graph.sub(rows[k][l], product);
            }
            let product = graph.mul(factor, right[i]);
            right[k] = graph.sub(right[k], product);
        }
        order.push((i, j, inverse, open_columns.clone()));
    }
    let mut solution = right.clone();
    for (i, j, inverse, later) in order.into_iter().rev() {
        let mut terms = vec![(right[i], Rational::ONE)];
        for l in later {
            terms.push((graph.mul(rows[i][l], solution[l]), Rational::NEG_ONE));
        }
        let sum = graph.sum(terms, Rational::ZERO);
        solution[j] = graph.mul(sum, inverse);
    }
    Some(solution)
}

/// The next pivot among the open rows and columns: one that depends on parameters alone if there is one, and of these the
/// one whose row and column have the fewest entries.
fn chosen(
    graph: &Graph,
    rows: &[Vec<Id>],
    (open_rows, open_columns): (&[usize], &[usize]),
    along_diagonal: bool,
) -> Option<(usize, usize)> {
    let is_entry = |i: usize, j: usize| !graph.is_zero(rows[i][j]);
    let moves = |id: Id| graph.contains(id, |symbol| !matches!(symbol, Symbol::Parameter(_)));
    let mut candidates = Vec::new();
    for &i in open_rows {
        for &j in open_columns.iter().filter(|&&j| is_entry(i, j) && (!along_diagonal || i == j)) {
            let in_row = open_columns.iter().filter(|&&l| is_entry(i, l)).count();
            let in_column = open_rows.iter().filter(|&&k| is_entry(k, j)).count();
            candidates.push((moves(rows[i][j]), (in_row - 1) * (in_column - 1), i, j));
        }
    }
    candidates.into_iter().min().map(|(.., i, j)| (i, j))
}

/// Cramer's rule for a block.
fn cramer(
    graph: &mut Graph,
    matrix: &[Vec<Id>],
    right: &[Id],
    block: &[usize],
    pivots: &mut Vec<Pivot>,
) -> Option<Vec<Id>> {
    let rows: Vec<Vec<Id>> = block.iter().map(|&i| block.iter().map(|&j| matrix[i][j]).collect()).collect();
    let value = determinant(graph, &rows);
    if graph.is_zero(value) {
        return None;
    }
    pivots.push(Pivot { row: block[0], value, scale: block.to_vec() });
    let inverse = graph.recip(value);
    let mut solution = Vec::new();
    for j in 0..block.len() {
        let mut replaced = rows.clone();
        for (row, &i) in replaced.iter_mut().zip(block) {
            row[j] = right[i];
        }
        let numerator = determinant(graph, &replaced);
        solution.push(graph.mul(numerator, inverse));
    }
    Some(solution)
}

/// The determinant, by expansion along the first row.
pub(super) fn determinant(graph: &mut Graph, rows: &[Vec<Id>]) -> Id {
    let Some((first, rest)) = rows.split_first() else { return graph.one() };
    let mut terms = Vec::new();
    for (j, &entry) in first.iter().enumerate() {
        if !graph.is_zero(entry) {
            let minor: Vec<Vec<Id>> = rest.iter().map(|row| [&row[..j], &row[j + 1..]].concat()).collect();
            let minor = determinant(graph, &minor);
            let sign = if j % 2 == 0 { Rational::ONE } else { Rational::NEG_ONE };
            terms.push((graph.mul(entry, minor), sign));
        }
    }
    graph.sum(terms, Rational::ZERO)
}
