//! The prepared struct: one field for each value that depends on parameters alone.

use super::Emission;
use super::names::Naming;
use super::routine::{Hoisted, body};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn prepared(emission: &Emission<'_>, naming: &Naming) -> TokenStream {
    let evaluations = emission.evaluations;
    let inputs = emission.inputs.len();
    let fields = evaluations.hoisted.iter().filter_map(|&value| naming.field(value)).collect::<Vec<_>>();
    let types = evaluations
        .hoisted
        .iter()
        .map(|&value| if evaluations.builder.operation(value).is_mask() { quote!(R::Mask) } else { quote!(R) });
    let texts = emission.hoisted_text;
    let preparation = preparation(emission, naming);
    quote! {
        /// The equations with their parameters fixed.
        #[derive(Clone, Copy, Debug)]
        pub struct Prepared<R: Scalar> {
            inputs: SVector<R, #inputs>,
            #(#[doc = #texts] #fields: #types,)*
        }

        #preparation
    }
}

/// The function that computes all hoisted values.
fn preparation(emission: &Emission<'_>, naming: &Naming) -> TokenStream {
    let evaluations = emission.evaluations;
    let body = body(&evaluations.builder, &evaluations.preparation, naming, Hoisted::Computed);
    let statements = body.statements;
    let fields = evaluations.hoisted.iter().filter_map(|&value| naming.field(value));
    let values = &body.outputs;
    let u = emission.inputs.len();
    let parameters = emission.parameters.iter().map(|field| &field.name);
    let inputs = emission.inputs.iter().map(|field| &field.name);
    quote! {
        pub const PARAMETERS: &[&str] = &[#(#parameters),*];
        pub const INPUTS: [&str; #u] = [#(#inputs),*];

        pub fn prepare<R: Scalar>(
            parameters: &[R],
            inputs: &SVector<R, #u>,
        ) -> ::core::result::Result<Prepared<R>, PrepareError> {
            emitted::check_parameters(parameters, inputs.as_slice(), PARAMETERS, &INPUTS)?;
            #statements
            ::core::result::Result::Ok(Prepared { inputs: *inputs, #(#fields: #values,)* })
        }
    }
}
