//! How long does the attribute take to expand, phase by phase?
//!
//! `cargo bench -p lagrange-benches --bench expansion`

use lagrange_symbolic::program::Evaluations;
use lagrange_symbolic::{derivation, expand, parse};
use quote::ToTokens;
use std::path::Path;
use std::time::Instant;
use syn::Meta;

const ROUNDS: usize = 21;

fn main() {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/src");
    println!("medians of {ROUNDS} rounds, optimised");
    println!("{:<34} {:>9} {:>9} {:>9} {:>9} {:>9}", "ms", "parse", "derive", "lower", "expand", "nodes");
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
            measure(&item, &block.tokens);
        }
    }
}

fn measure(item: &syn::ItemStruct, block: &proc_macro2::TokenStream) {
    let tokens = item.to_token_stream();
    let mut times: [Vec<f64>; 4] = Default::default();
    let mut nodes = 0;
    for _ in 0..ROUNDS {
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
    print!("{:<34}", item.ident.to_string());
    for column in &mut times {
        column.sort_by(f64::total_cmp);
        print!(" {:>9.3}", column[ROUNDS / 2] * 1e3);
    }
    println!(" {nodes:>9}");
}
