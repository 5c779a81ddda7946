//! Every input gives a report and no panic.

use super::{STRUCT, tokens};
use lagrange_symbolic::meaning::elaborate;
use lagrange_symbolic::parse::parse;
use lagrange_symbolic::units::check as check_units;
use proc_macro2::{Group, TokenStream, TokenTree};

const BLOCK: &str = "{
    coordinates x: rad, y;
    let tip: m/s^2 = [l*sin(x), -l*cos(x)^2, y][0];
    kinetic = m*norm2(dot([tip, y]))/2 + k*dot(x)^2/24;
    potential = if x < y && !(y >= 1) { g*m*x } else { 0.5[kg*m]*k };
    dissipation = integral(s in 0..l, m*abs(s*dot(x) + dot(y))^3/3);
    force [x, y] = [u, t];
    verify mass[x, x] == pi^-2;
}";

/// All streams that differ from this one by one token that is left out, doubled, or replaced, at any depth.
fn changed(stream: &TokenStream, replacements: &[TokenTree]) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut streams = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let mut with = |middle: &[TokenTree]| {
            streams.push(tokens[..i].iter().chain(middle).chain(&tokens[i + 1..]).cloned().collect());
        };
        with(&[]);
        with(&[token.clone(), token.clone()]);
        for replacement in replacements {
            with(std::slice::from_ref(replacement));
        }
        if let TokenTree::Group(group) = token {
            for inner in changed(&group.stream(), replacements) {
                with(&[Group::new(group.delimiter(), inner).into()]);
            }
        }
    }
    streams
}

/// How many of every `step`-th changed block from the `first` are accepted, and how many of these blocks there are.
fn accepted(first: usize, step: usize) -> (usize, usize) {
    let (block, item) = tokens(&format!("{BLOCK} {STRUCT}"));
    let replacements: TokenStream = "0 y let [] (0) ^ ; = . \"text\"".parse().expect("these are tokens");
    let replacements: Vec<TokenTree> = replacements.into_iter().collect();
    let blocks: Vec<TokenStream> = changed(&block, &replacements).into_iter().skip(first).step_by(step).collect();
    let is_accepted = |block: &&TokenStream| {
        let spec = parse((*block).clone(), item.clone());
        // The units contradict each other, so that a term at fault is looked for in every block.
        let read = |spec| elaborate(&spec).map(|model| check_units(&spec, &model).is_ok());
        spec.and_then(read).is_ok()
    };
    (blocks.iter().filter(is_accepted).count(), blocks.len())
}

#[test]
fn no_change_of_a_token_panics() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let counts: Vec<(usize, usize)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|first| scope.spawn(move || accepted(first, threads))).collect();
        workers.into_iter().map(|worker| worker.join().expect("no change panics")).collect()
    });
    let (accepted, of) = counts.iter().fold((0, 0), |(accepted, of), count| (accepted + count.0, of + count.1));
    // Some changes leave a valid block, such as another name; most do not.
    assert!(accepted > 0 && accepted < of / 2, "{accepted} of {of}");
}
