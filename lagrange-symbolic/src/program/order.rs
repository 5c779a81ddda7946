//! The order in which the unknowns of a bordered matrix [M Gᵀ; G 0] are eliminated, so that few entries appear where the matrix
//! has none.
//!
//! A row of G comes after all unknowns that it contains. Its pivot is then −g M⁻¹ gᵀ of a part of M, which is not 0 where M is
//! positive definite and the rows of G are independent. Of the unknowns that may come next, the one that couples to the fewest
//! others is taken (H. M. Markowitz, *The elimination form of the inverse*, Management Science 3, 1957).

use std::collections::BTreeSet;

/// An order of elimination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order {
    /// The unknowns in this order.
    pub(super) unknowns: Vec<usize>,
    /// About the number of operations of the factorisation and of one solution.
    pub(super) work: usize,
}

impl Order {
    /// The order for a matrix whose unknowns from `definite` on are the border. `couples` says for each pair i > j whether the matrix
    /// has an entry there.
    pub(super) fn new(count: usize, definite: usize, couples: impl Fn(usize, usize) -> bool) -> Self {
        let mut neighbours = vec![BTreeSet::new(); count];
        for i in 0..count {
            for j in (0..i).filter(|&j| couples(i, j)) {
                neighbours[i].insert(j);
                neighbours[j].insert(i);
            }
        }
        // The unknowns of each row of G that are not yet eliminated.
        let mut waits: Vec<BTreeSet<usize>> =
            (0..count).map(|i| if i < definite { BTreeSet::new() } else { neighbours[i].clone() }).collect();
        let mut left: BTreeSet<usize> = (0..count).collect();
        let (mut unknowns, mut work) = (Vec::with_capacity(count), 0);
        // The matrix has entries in G, so that a row of G has unknowns to wait for, and these wait for nothing.
        while let Some(&next) = left.iter().filter(|&&i| waits[i].is_empty()).min_by_key(|&&i| (neighbours[i].len(), i))
        {
            let row = std::mem::take(&mut neighbours[next]);
            let degree = row.len();
            work += degree * (degree + 1) + 4 * degree + 2;
            for &i in &row {
                neighbours[i].remove(&next);
                neighbours[i].extend(row.iter().copied().filter(|&j| j != i));
            }
            waits.iter_mut().for_each(|waiting| _ = waiting.remove(&next));
            left.remove(&next);
            unknowns.push(next);
        }
        Self { unknowns, work }
    }
}
