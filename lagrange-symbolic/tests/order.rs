//! The order of elimination. The module is private, and so its source is compiled into this test.

#[path = "../src/program/order.rs"]
mod order;

use order::Order;

/// Points in a row with a rod between each two: M is diagonal, and G has the points of each rod.
fn chain(points: usize) -> Order {
    let couples = |i: usize, j: usize| i >= points && j < points && (j == i - points || j == i - points + 1);
    Order::new(2 * points - 1, points, couples)
}

/// Each point that is added to a chain costs the same work.
#[test]
fn a_chain_takes_work_in_proportion_to_its_length() {
    let [short, middle, long] = [16, 32, 64].map(|points| chain(points).work);
    assert_eq!(long - middle, 2 * (middle - short), "{short}, {middle} and {long}");
}

#[test]
fn a_rod_comes_after_its_points() {
    let order = chain(8).unknowns;
    assert_eq!(order.len(), 15);
    let place = |unknown: usize| order.iter().position(|&known| known == unknown);
    for rod in 0..7 {
        assert!(place(8 + rod) > place(rod) && place(8 + rod) > place(rod + 1), "{order:?}");
    }
}

#[test]
fn a_full_matrix_has_the_work_of_a_full_matrix() {
    let full = Order::new(4, 3, |_, _| true);
    assert_eq!((full.unknowns, full.work), (vec![0, 1, 2, 3], 3 * 4 + 2 * 3 + 2 + 4 * 6 + 8));
}
