//! The expansion of any block on any struct ends, without a panic: `cargo +nightly fuzz run block`.
//!
//! An input is a text: the block, then the struct behind the first line `---`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;

fuzz_target!(|text: &str| {
    let (block, item) = text.split_once("\n---\n").unwrap_or((text, "struct Mechanism { m: f64, #[input] u: f64 }"));
    if let (Ok(block), Ok(item)) = (block.parse::<TokenStream>(), item.parse::<TokenStream>()) {
        let _ = lagrange_symbolic::expand(block, item);
    }
});
