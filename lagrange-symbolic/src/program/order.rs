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

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight points in a row with a rod between each two: M is diagonal, and G has the points of each rod.
    #[test]
    fn a_chain_takes_work_in_proportion_to_its_length() {
        let chain = |points: usize| {
            let couples = |i: usize, j: usize| i >= points && j < points && (j == i - points || j == i - points + 1);
            Order::new(2 * points - 1, points, couples)
        };
        let [short, long] = [8, 64].map(chain);
        assert_eq!(short.unknowns.len(), 15);
        assert!(long.work < 9 * short.work, "{} {}", short.work, long.work);
        // Each rod comes after its points.
        let place = |unknown: usize| short.unknowns.iter().position(|&known| known == unknown);
        for rod in 0..7 {
            assert!(place(8 + rod) > place(rod) && place(8 + rod) > place(rod + 1), "{:?}", short.unknowns);
        }
    }

    #[test]
    fn a_full_matrix_has_the_work_of_a_full_matrix() {
        let full = Order::new(4, 3, |_, _| true);
        assert_eq!((full.unknowns, full.work), (vec![0, 1, 2, 3], 3 * 4 + 2 * 3 + 2 + 4 * 6 + 8));
    }
}
