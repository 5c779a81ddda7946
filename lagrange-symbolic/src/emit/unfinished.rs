//! The stand-in for a mechanism with mistakes. Its prepared type is an error itself, so that uses of the mechanism
//! cause no further error messages.

use crate::report::Report;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The struct, the messages, and an implementation of `Mechanism` without bodies.
pub fn unfinished(
    item: &TokenStream,
    coordinates: &[(Ident, Vec<usize>)],
    constraints: usize,
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
    let n: usize = coordinates.iter().map(|(_, lengths)| lengths.iter().product::<usize>()).sum();
    let (messages, stand_in) = report.with_type();
    let contract = quote!(#system::Mechanism<#n, #constraints, #inputs>);
    let prepared = quote!(<Self as #contract>::Prepared<#number>);
    let text = quote!(::core::primitive::str);
    quote! {
        #item
        #messages
        #[automatically_derived]
        const _: () = {
            impl #generics #contract for #name #arguments #bounds {
                const FACTS: #system::Facts = #system::Facts::NONE;
                type Index = <Self as #contract>::Prepared<::core::primitive::f64>;
                const INDEX: Self::Index = ::core::unreachable!();
                const COORDINATES: [&'static #text; #n] = [""; #n];
                const CONSTRAINTS: [&'static #text; #constraints] = [""; #constraints];
                const INPUTS: [&'static #text; #inputs] = [""; #inputs];
                const PARAMETERS: &'static [&'static #text] = &[];
                const EQUATIONS_TEXT: &'static #text = "";
                const EQUATIONS_LATEX: &'static #text = "";
                type Prepared<#number: #scalar> = #stand_in;
                fn parameter(
                    &self, _: &#text
                ) -> ::core::result::Result<::core::primitive::f64, #error::UnknownParameter> {
                    ::core::unreachable!()
                }
                fn set_parameter(
                    &mut self, _: &#text, _: ::core::primitive::f64
                ) -> ::core::result::Result<(), #error::UnknownParameter> {
                    ::core::unreachable!()
                }
                fn prepare<#number: #scalar>(&self) -> ::core::result::Result<#prepared, #error::PrepareError> {
                    ::core::unreachable!()
                }
                fn prepare_from<#number: #scalar>(
                    _: &[#number],
                    _: &#runtime::nalgebra::SVector<#number, #inputs>,
                ) -> ::core::result::Result<#prepared, #error::PrepareError> {
                    ::core::unreachable!()
                }
            }
        };
    }
}
