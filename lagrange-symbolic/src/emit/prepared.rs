//! The prepared struct: one field for each value that depends on parameters alone.

use super::names::Naming;
use super::routine::{Hoisted, body};
use super::{Emission, names::local};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn prepared(emission: &Emission<'_>, naming: &Naming) -> TokenStream {
    let evaluations = emission.evaluations;
    let inputs = emission.inputs.len();
    let fields = evaluations.hoisted.iter().filter_map(|&value| naming.field(value)).collect::<Vec<_>>();
    let types = evaluations.hoisted.iter().map(|&value| {
        if evaluations.builder.operation(value).is_mask() { quote!(R::Mask) } else { quote!(R) }
    });
    let texts = emission.hoisted_text;
    let summary = local("Prepared");
    quote! {
        /// The equations with their parameters fixed.
        #[derive(Clone, Copy, Debug)]
        pub struct #summary<R: Scalar> {
            inputs: SVector<R, #inputs>,
            #(#[doc = #texts] #fields: #types,)*
        }
    }
}

/// The statements of `prepare_from` that compute all hoisted values, and the struct made of them.
pub(super) fn preparation(emission: &Emission<'_>, naming: &Naming) -> TokenStream {
    let evaluations = emission.evaluations;
    let body = body(&evaluations.builder, &evaluations.preparation, naming, Hoisted::Computed);
    let statements = body.statements;
    let fields = evaluations.hoisted.iter().filter_map(|&value| naming.field(value));
    let values = &body.outputs;
    quote! {
        #statements
        ::core::result::Result::Ok(Prepared { inputs: *inputs, #(#fields: #values,)* })
    }
}
