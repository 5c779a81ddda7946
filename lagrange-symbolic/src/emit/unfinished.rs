//! What stands in for the equations when there are mistakes: enough that uses of the struct raise no further error.

use crate::spec::Report;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The struct, the messages, and an implementation that computes nothing.
pub fn unfinished(
    item: &TokenStream,
    coordinates: &[Ident],
    inputs: usize,
    report: &Report,
    runtime: &TokenStream,
) -> TokenStream {
    let Ok(parsed) = syn::parse2::<syn::ItemStruct>(item.clone()) else { return quote!(#item #report) };
    let name = &parsed.ident;
    let (generics, arguments, bounds) = parsed.generics.split_for_impl();
    let n = coordinates.len();
    let positions = 0..n;
    quote! {
        #item
        #report
        #[allow(non_upper_case_globals, dead_code, missing_docs)]
        impl #generics #name #arguments #bounds {
            #(pub const #coordinates: usize = #positions;)*
        }
        #[automatically_derived]
        const _: () = {
            use #runtime::emitted::Unfinished;
            use #runtime::error::{PrepareError, UnknownParameter};
            use #runtime::nalgebra::SVector;
            use #runtime::scalar::Scalar;
            use #runtime::system::{Facts, Mechanism};

            impl #generics Mechanism<#n, 0, #inputs> for #name #arguments #bounds {
                const FACTS: Facts = Facts::NONE;
                const COORDINATES: [&'static str; #n] = [""; #n];
                const CONSTRAINTS: [&'static str; 0] = [];
                const INPUTS: [&'static str; #inputs] = [""; #inputs];
                const PARAMETERS: &'static [&'static str] = &[];
                const EQUATIONS_TEXT: &'static str = "";
                const EQUATIONS_LATEX: &'static str = "";
                type Prepared<R: Scalar> = Unfinished;
                fn parameter(&self, _: &str) -> ::core::result::Result<f64, UnknownParameter> {
                    ::core::result::Result::Err(UnknownParameter { known: &[] })
                }
                fn set_parameter(&mut self, _: &str, _: f64) -> ::core::result::Result<(), UnknownParameter> {
                    ::core::result::Result::Err(UnknownParameter { known: &[] })
                }
                fn prepare<R: Scalar>(&self) -> ::core::result::Result<Unfinished, PrepareError> {
                    ::core::result::Result::Ok(Unfinished)
                }
                fn prepare_from<R: Scalar>(
                    _: &[R],
                    _: &SVector<R, #inputs>,
                ) -> ::core::result::Result<Unfinished, PrepareError> {
                    ::core::result::Result::Ok(Unfinished)
                }
            }
        };
    }
}
