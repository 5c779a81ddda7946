//! Splines in emitted code: statics for numbers, or splines that `prepare` computes from expressions in parameters.

use super::Emission;
use super::expression::float;
use super::names::local;
use crate::graph::Rational;
use crate::program::{Numbers, used_tables};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The static with the numbers of a table.
pub(super) fn numbers(index: u32) -> TokenStream {
    let name = static_name(index);
    quote!(#name)
}

fn static_name(index: u32) -> Ident {
    local(&format!("TABLE_{}", index + 1))
}

/// The local variable for an entry of a piece.
pub(super) fn entry(stem: &str, index: u8) -> Ident {
    local(&format!("{stem}_{index}"))
}

/// A spline from its knots, values and second derivatives.
pub(super) fn table(data: &[TokenStream]) -> TokenStream {
    let rows = data.chunks(data.len() / 3).map(super::routine::array);
    quote!(emitted::Spline::new(#(#rows),*))
}

/// The statics of all tables of numbers that an evaluation, `prepare` or its checks read.
pub(super) fn tables(emission: &Emission<'_>) -> TokenStream {
    let evaluations = emission.evaluations;
    let all = evaluations.builder.numbers();
    used_tables(evaluations).into_iter().map(|index| definition(index, &all[index as usize])).collect()
}

fn definition(index: u32, numbers: &Numbers) -> TokenStream {
    let (name, knots) = (static_name(index), Literal::usize_unsuffixed(numbers.rows.len()));
    let mut high = TokenStream::new();
    let mut low = TokenStream::new();
    for row in &numbers.rows {
        let (coarse, fine): (Vec<_>, Vec<_>) = row.iter().map(parts).unzip();
        high.extend(quote!([#(#coarse),*],));
        low.extend(quote!([#(#fine),*],));
    }
    let density = numbers.spacing.as_ref().map_or(0.0, |spacing| (Rational::ONE / spacing).to_f64().value());
    let density = float(density);
    quote! {
        static #name: emitted::Numbers<#knots> = emitted::Numbers {
            high: [#high],
            low: [#low],
            density: #density,
        };
    }
}

/// A number, correctly rounded, and the rounded remainder.
fn parts(value: &Rational) -> (TokenStream, TokenStream) {
    let high = value.to_f64().value();
    let rest = Rational::try_from(high).map_or(0.0, |rounded| (value - rounded).to_f64().value());
    (float(high), float(rest))
}
