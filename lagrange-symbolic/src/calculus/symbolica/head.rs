//! The names that Symbolica knows: leaves, and functions of ours that it has no rule for.

use crate::graph::function::Function;
use ::symbolica::atom::Symbol;
use ::symbolica::symbol;
use std::cell::RefCell;
use std::collections::HashMap;

/// A function that is opaque to Symbolica.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Head {
    /// One of the graph's functions.
    Call(Function),
    /// A power with a general exponent.
    Power,
}

thread_local! {
    static HEADS: RefCell<(HashMap<Head, Symbol>, HashMap<Symbol, Head>)> = RefCell::default();
}

/// The symbol of an atom's leaf, by its position.
pub(super) fn leaf(position: usize) -> Symbol {
    symbol!(&format!("lagrange::x{position}"))
}

/// π: its value is nothing that a derivative depends on.
pub(super) fn pi() -> Symbol {
    symbol!("lagrange::pi")
}

/// The position of a leaf.
pub(super) fn position(symbol: Symbol) -> Option<usize> {
    symbol.get_stripped_name().strip_prefix('x')?.parse().ok()
}

/// The symbol of an opaque function.
pub(super) fn symbol(head: Head) -> Symbol {
    HEADS.with_borrow_mut(|(symbols, heads)| {
        let next = symbols.len();
        *symbols.entry(head).or_insert_with(|| {
            let symbol = symbol!(&format!("lagrange::f{next}"));
            heads.insert(symbol, head);
            symbol
        })
    })
}

/// The opaque function of a symbol.
pub(super) fn head(symbol: Symbol) -> Option<Head> {
    HEADS.with_borrow(|(_, heads)| heads.get(&symbol).copied())
}
