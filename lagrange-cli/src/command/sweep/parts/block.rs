//! The rows of one block while they are computed.

use crate::command::sweep::row::Row;
use std::sync::{Mutex, PoisonError};

/// A block of consecutive members. Their rows come in any order.
pub(super) struct Block {
    pub(super) number: u64,
    rows: Mutex<Rows>,
}

struct Rows {
    rows: Vec<Option<Row>>,
    missing: usize,
}

impl Block {
    /// Returns a block with this number and this count of members, which has no row yet.
    pub(super) fn new(number: u64, length: usize) -> Self {
        Self { number, rows: Mutex::new(Rows { rows: vec![None; length], missing: length }) }
    }

    /// Takes the row of a member by its place in the block. Returns all rows if it was the last one that was missing.
    pub(super) fn add(&self, place: usize, row: Row) -> Option<Vec<Row>> {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if rows.rows.get_mut(place)?.replace(row).is_none() {
            rows.missing -= 1;
        }
        if rows.missing > 0 {
            return None;
        }
        std::mem::take(&mut rows.rows).into_iter().collect()
    }
}
