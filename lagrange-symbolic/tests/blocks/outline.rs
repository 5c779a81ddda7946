//! The parts of a block with mistakes that can still be read.

use lagrange_symbolic::parse::coordinate_names;

fn lengths(block: &str) -> Vec<(String, Vec<usize>)> {
    let block = block.parse().expect("these are tokens");
    coordinate_names(&block).into_iter().map(|(name, lengths)| (name.to_string(), lengths)).collect()
}

#[test]
fn lengths_are_read_from_brackets_behind_a_name() {
    assert_eq!(
        lengths("const n = 3; coordinates a, b[2][n], c[k];"),
        [("a".to_owned(), vec![]), ("b".to_owned(), vec![2, 3]), ("c".to_owned(), vec![1])]
    );
}

/// A stand-in has bounds on its nesting and on its number of elements.
#[test]
fn what_is_no_length_is_left_out_and_stand_ins_stay_small() {
    assert_eq!(lengths(&format!("coordinates x, y {};", "+ x".repeat(5000)))[1], ("y".to_owned(), vec![]));
    assert_eq!(lengths(&format!("coordinates y{};", "[1]".repeat(5000)))[0].1.len(), 8);
    assert_eq!(lengths("coordinates y[500][500][500];")[0].1, [500, 1, 1]);
}
