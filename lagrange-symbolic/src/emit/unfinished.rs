//! What stands in for the equations when there are mistakes: enough that uses of the struct raise no further error.

use crate::spec::Report;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The struct, the messages, and an implementation that computes nothing.
pub fn unfinished(
    item: &TokenStream,
    coordinates: &[(Ident, Vec<usize>)],
    inputs: usize,
    report: &Report,
    runtime: &TokenStream,
) -> TokenStream {
    let Ok(parsed) = syn::parse2::<syn::ItemStruct>(item.clone()) else { return quote!(#item #report) };
    let name = &parsed.ident;
    let (generics, arguments, bounds) = parsed.generics.split_for_impl();
    let (error, system) = (quote!(#runtime::error), quote!(#runtime::system));
    let scalar = quote!(#runtime::scalar::Scalar);
    let number = super::mechanism::scalar_parameter(&parsed.generics);
    let elements: Vec<(&Ident, Vec<usize>)> =
        coordinates.iter().flat_map(|(ident, lengths)| all(lengths).into_iter().map(move |at| (ident, at))).collect();
    let constants = super::mechanism::constants(elements.iter().map(|(ident, indices)| (*ident, &indices[..])));
    let n = elements.len();
    let stand_in = quote!(#runtime::emitted::Unfinished<#n, 0, #inputs>);
    quote! {
        #item
        #report
        #[allow(
            non_upper_case_globals, dead_code, missing_docs, unreachable_pub,
            reason = "a stand-in adds no messages to those of the mistakes"
        )]
        impl #generics #name #arguments #bounds {
            #constants
        }
        #[automatically_derived]
        const _: () = {
            impl #generics #system::Mechanism<#n, 0, #inputs> for #name #arguments #bounds {
                const FACTS: #system::Facts = #system::Facts::NONE;
                const COORDINATES: [&'static str; #n] = [""; #n];
                const CONSTRAINTS: [&'static str; 0] = [];
                const INPUTS: [&'static str; #inputs] = [""; #inputs];
                const PARAMETERS: &'static [&'static str] = &[];
                const EQUATIONS_TEXT: &'static str = "";
                const EQUATIONS_LATEX: &'static str = "";
                type Prepared<#number: #scalar> = #stand_in;
                fn parameter(&self, _: &str) -> ::core::result::Result<f64, #error::UnknownParameter> {
                    ::core::result::Result::Err(#error::UnknownParameter { known: &[] })
                }
                fn set_parameter(
                    &mut self, _: &str, _: f64
                ) -> ::core::result::Result<(), #error::UnknownParameter> {
                    ::core::result::Result::Err(#error::UnknownParameter { known: &[] })
                }
                fn prepare<#number: #scalar>(
                    &self
                ) -> ::core::result::Result<#stand_in, #error::PrepareError> {
                    ::core::result::Result::Ok(#runtime::emitted::Unfinished)
                }
                fn prepare_from<#number: #scalar>(
                    _: &[#number],
                    _: &#runtime::nalgebra::SVector<#number, #inputs>,
                ) -> ::core::result::Result<#stand_in, #error::PrepareError> {
                    ::core::result::Result::Ok(#runtime::emitted::Unfinished)
                }
            }
        };
    }
}

/// Every place in an array of these lengths.
fn all(lengths: &[usize]) -> Vec<Vec<usize>> {
    lengths.iter().fold(vec![Vec::new()], |all, length| {
        all.iter().flat_map(|indices| (0..*length).map(move |last| [&indices[..], &[last]].concat())).collect()
    })
}
