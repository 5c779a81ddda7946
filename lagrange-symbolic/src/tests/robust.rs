//! Every input gives a report and no panic.

use super::{STRUCT, tokens};
use crate::meaning::elaborate;
use crate::parse::parse;
use proc_macro2::{Group, TokenStream, TokenTree};

const BLOCK: &str = "{
    coordinates x, y;
    let tip = [l*sin(x), -l*cos(x)^2, y][0];
    kinetic = m*norm2(dot([tip, y]))/2 + k*dot(x)^2/24;
    potential = if x < y && !(y >= 1) { g*m*x } else { 0.5*k };
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

#[test]
fn no_change_of_a_token_panics() {
    let (block, item) = tokens(&format!("{BLOCK} {STRUCT}"));
    let replacements: TokenStream = "0 y let [] (0) ^ ; = . \"text\"".parse().expect("these are tokens");
    let replacements: Vec<TokenTree> = replacements.into_iter().collect();
    let blocks = changed(&block, &replacements);
    let accepted =
        blocks.iter().filter(|block| parse((*block).clone(), item.clone()).and_then(|spec| elaborate(&spec)).is_ok());
    // Some changes leave a valid block, such as another name; most do not.
    let accepted = accepted.count();
    assert!(accepted > 0 && accepted < blocks.len() / 2, "{accepted} of {}", blocks.len());
}
