//! Prints the milliseconds from the block to the operations of all evaluations: the best of several.

use lagrange_symbolic::program::Evaluations;
use lagrange_symbolic::{derivation, parse};
use proc_macro2::TokenStream;
use std::time::Instant;

fn main() {
    let texts: Vec<String> = std::env::args().skip(1).collect();
    let block: TokenStream = texts[0].parse().expect("the block is Rust tokens");
    let item: TokenStream = texts[1].parse().expect("the struct is Rust tokens");
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        let spec = parse::parse(block.clone(), item.clone()).expect("the block is well formed");
        let mut derived = derivation(&spec).expect("the block has equations");
        let evaluations = Evaluations::new(&mut derived.model.graph, &derived.equations);
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
        drop(evaluations);
    }
    println!("{best}");
}
