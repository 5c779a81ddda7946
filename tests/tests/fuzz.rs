//! Whatever is written in a block, the expansion comes back, without a panic and soon, as tokens that Rust can read.
//!
//! The inputs are the blocks of this repository's own mechanisms with tokens left out, doubled, exchanged, and mixed
//! with those of other blocks. `LAGRANGE_INPUTS` raises their number, `LAGRANGE_SEED` sets the first seed.

use lagrange_symbolic::expand;
use lagrange_tests::random::Random;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use std::path::Path;
use std::time::{Duration, Instant};

/// How many inputs are tried.
const INPUTS: u64 = 3000;

/// No input may take longer, on the slowest machine that runs this.
const LONGEST: Duration = Duration::from_secs(60);

/// A block and the struct that carries it.
#[derive(Clone)]
struct Input {
    block: TokenStream,
    item: TokenStream,
}

/// The mechanisms of a folder's Rust files.
fn mechanisms(folder: &Path, found: &mut Vec<Input>) {
    let mut entries: Vec<_> = folder.read_dir().expect("the folder is there").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            mechanisms(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source is text");
            let Ok(file) = syn::parse_file(&text) else { continue };
            found.extend(file.items.into_iter().filter_map(mechanism));
        }
    }
}

fn mechanism(item: syn::Item) -> Option<Input> {
    let syn::Item::Struct(mut item) = item else { return None };
    let position = item.attrs.iter().position(|attribute| attribute.path().is_ident("lagrangian"))?;
    let attribute = item.attrs.remove(position);
    let block = attribute.meta.require_list().ok()?.tokens.clone();
    Some(Input { block, item: item.into_token_stream() })
}

/// One change somewhere in a stream, at any depth; other tokens come from `pool`.
fn change(stream: &TokenStream, pool: &[TokenTree], random: &mut Random) -> TokenStream {
    let mut tokens: Vec<TokenTree> = stream.clone().into_iter().collect();
    if tokens.is_empty() {
        return pool[random.below(pool.len())].clone().into();
    }
    let at = random.below(tokens.len());
    if let TokenTree::Group(group) = &tokens[at]
        && !random.once_in(5)
    {
        let inner = change(&group.stream(), pool, random);
        tokens[at] = Group::new(group.delimiter(), inner).into();
        return tokens.into_iter().collect();
    }
    let other = pool[random.below(pool.len())].clone();
    match random.below(6) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, tokens[at].clone()),
        2 => tokens[at] = other,
        3 => tokens.insert(at, other),
        4 => {
            let second = random.below(tokens.len());
            tokens.swap(at, second);
        }
        _ => {
            let end = at + 1 + random.below(tokens.len() - at);
            let to = random.below(at + 1);
            let moved: Vec<TokenTree> = tokens.drain(at..end).collect();
            tokens.splice(to..to, moved);
        }
    }
    tokens.into_iter().collect()
}

/// Every token of a stream, groups whole and taken apart.
fn collect(stream: &TokenStream, pool: &mut Vec<TokenTree>) {
    for token in stream.clone() {
        if let TokenTree::Group(group) = &token {
            collect(&group.stream(), pool);
        }
        pool.push(token);
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn every_change_of_tokens_is_answered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate stands in the workspace");
    let mut inputs = Vec::new();
    for folder in ["models/src", "tests/tests"] {
        mechanisms(&root.join(folder), &mut inputs);
    }
    assert!(inputs.len() > 20, "only {} mechanisms were found", inputs.len());
    let mut pool = Vec::new();
    for input in &inputs {
        collect(&input.block, &mut pool);
    }
    let words = "constraint nonholonomic output assume const extern table sum integral nodes in .. ; , : == = [ ] ( ) - ^ 0 1 \
                 -1 2.5 1e9 8 i n t pi dot multiplier reaction if else { } < norm max spline rotation 10000 99999999999";
    collect(&words.parse().unwrap_or_default(), &mut pool);
    let (count, first) = (setting("LAGRANGE_INPUTS", INPUTS), setting("LAGRANGE_SEED", 0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let texts: Vec<(String, String)> =
        inputs.iter().map(|input| (input.block.to_string(), input.item.to_string())).collect();
    let pool: Vec<String> = pool.iter().map(ToString::to_string).collect();
    let slowest = std::thread::scope(|scope| {
        let share = |offset: u64| {
            let (texts, pool) = (&texts, &pool);
            move || answered((first + offset..first + count).step_by(threads as usize), texts, pool)
        };
        let workers: Vec<_> = (0..threads).map(|offset| scope.spawn(share(offset))).collect();
        workers.into_iter().map(|worker| worker.join().expect("no input panics")).max().unwrap_or_default()
    });
    println!("{count} inputs; the slowest took {slowest:?}");
}

/// The longest time that one of the inputs took. Tokens belong to one thread, so inputs come as text.
fn answered(seeds: impl Iterator<Item = u64>, texts: &[(String, String)], pool: &[String]) -> Duration {
    let read = |text: &String| text.parse::<TokenStream>().expect("these were tokens");
    let inputs: Vec<Input> = texts.iter().map(|(block, item)| Input { block: read(block), item: read(item) }).collect();
    let pool: Vec<TokenTree> = pool.iter().flat_map(read).collect();
    let mut slowest = Duration::ZERO;
    for seed in seeds {
        let mut random = Random::new(seed);
        let Input { mut block, mut item } = inputs[random.below(inputs.len())].clone();
        for _ in 0..1 + random.below(4) {
            block = change(&block, &pool, &mut random);
        }
        if random.once_in(10) {
            item = change(&item, &pool, &mut random);
        }
        let start = Instant::now();
        let expansion = std::panic::catch_unwind(|| expand(block.clone(), item.clone()));
        let Ok(expansion) = expansion else { panic!("seed {seed} panics:\n{block}\n{item}") };
        let time = start.elapsed();
        assert!(time < LONGEST, "seed {seed} took {time:?}:\n{block}\n{item}");
        slowest = slowest.max(time);
        let is_struct = syn::parse2::<syn::ItemStruct>(item.clone()).is_ok();
        if is_struct && let Err(error) = syn::parse2::<syn::File>(expansion) {
            panic!("seed {seed} gives tokens that are no Rust: {error}\n{block}\n{item}");
        }
    }
    slowest
}
