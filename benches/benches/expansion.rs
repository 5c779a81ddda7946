//! How long does the attribute take to expand, phase by phase?
//!
//! ```text
//! cargo bench -p lagrange-benches --bench expansion                every mechanism of `models`, and families of growing mechanisms
//! cargo bench -p lagrange-benches --bench expansion -- families    the families alone
//! ```

use lagrange_benches::family;
use lagrange_symbolic::program::Evaluations;
use lagrange_symbolic::{derivation, expand, parse};
use quote::ToTokens;
use std::path::Path;
use std::time::Instant;
use syn::Meta;

const ROUNDS: usize = 21;

/// Large mechanisms take seconds, so that a few rounds are enough.
const ROUNDS_OF_FAMILIES: usize = 3;

fn main() {
    println!("medians of {ROUNDS} rounds, of {ROUNDS_OF_FAMILIES} for families, optimised");
    println!("{:<34} {:>9} {:>9} {:>9} {:>9} {:>9}", "ms", "parse", "derive", "lower", "expand", "nodes");
    if !std::env::args().any(|argument| argument == "families") {
        models();
    }
    for (name, make, sizes) in family::FAMILIES {
        for &n in sizes {
            let (block, item) = make(n);
            let (Ok(block), Ok(item)) = (block.parse(), syn::parse_str::<syn::ItemStruct>(&item)) else { continue };
            measure(&format!("{name}, {n}"), &item, &block, ROUNDS_OF_FAMILIES);
        }
    }
}

fn models() {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/src");
    let mut files: Vec<_> = std::fs::read_dir(Path::new(models))
        .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
        .unwrap_or_default();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
        let Ok(source) = std::fs::read_to_string(file) else { continue };
        let Ok(source) = syn::parse_file(&source) else { continue };
        for item in source.items {
            let syn::Item::Struct(mut item) = item else { continue };
            let Some(at) = item.attrs.iter().position(|attribute| attribute.path().is_ident("lagrangian")) else {
                continue;
            };
            let Meta::List(block) = item.attrs.remove(at).meta else { continue };
            measure(&item.ident.to_string(), &item, &block.tokens, ROUNDS);
        }
    }
}

fn measure(name: &str, item: &syn::ItemStruct, block: &proc_macro2::TokenStream, rounds: usize) {
    let tokens = item.to_token_stream();
    let mut times: [Vec<f64>; 4] = Default::default();
    let mut nodes = 0;
    for _ in 0..rounds {
        let start = Instant::now();
        let Ok(spec) = parse::parse(block.clone(), tokens.clone()) else { return };
        times[0].push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let Ok(mut derived) = derivation(&spec) else { return };
        times[1].push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let evaluations = Evaluations::new(&mut derived.model.graph, &derived.equations);
        times[2].push(start.elapsed().as_secs_f64());
        nodes = derived.model.graph.len();
        drop(evaluations);
        let start = Instant::now();
        let expansion = expand(block.clone(), tokens.clone());
        times[3].push(start.elapsed().as_secs_f64());
        drop(expansion);
    }
    print!("{name:<34}");
    for column in &mut times {
        column.sort_by(f64::total_cmp);
        print!(" {:>9.3}", column[rounds / 2] * 1e3);
    }
    println!(" {nodes:>9}");
}
