//! The prepared struct: one field for each value that depends on parameters alone.

use super::Emission;
use super::names::Naming;
use super::routine::{Hoisted, body};
use crate::program::{Operation, Value};
use crate::texts::Check;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

pub(super) fn prepared(emission: &Emission<'_>, naming: &Naming) -> TokenStream {
    let inputs = emission.model.inputs.len();
    let (fields, kinds): (Vec<_>, Vec<FieldKind>) = fields(emission, naming).into_iter().unzip();
    let types = kinds.into_iter().map(|kind| match kind {
        FieldKind::Mask => quote!(R::Mask),
        FieldKind::Number => quote!(R),
        FieldKind::Table(knots) => quote!(emitted::Spline<R, #knots>),
    });
    let p = emission.model.parameters.len();
    let texts = &emission.texts.hoisted;
    let preparation = preparation(emission, naming);
    quote! {
        /// The equations with their parameters fixed.
        #[derive(Clone, Copy, Debug)]
        pub struct Prepared<R: Scalar> {
            inputs: SVector<R, #inputs>,
            fingerprint: Fingerprint,
            parameters: [R; #p],
            #(#[doc = #texts] #fields: #types,)*
        }

        #preparation
    }
}

/// What a field contains.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldKind {
    /// A scalar.
    Number,
    /// The result of a comparison.
    Mask,
    /// A spline of so many knots.
    Table(usize),
}

/// The fields with hoisted values.
pub(super) fn fields<'n>(emission: &Emission<'_>, naming: &'n Naming) -> Vec<(&'n Ident, FieldKind)> {
    let evaluations = emission.evaluations;
    let field = |&value: &Value| {
        let kind = match evaluations.builder.operation(value) {
            Operation::Table(data) => FieldKind::Table(data.len() / 3),
            operation if operation.is_mask() => FieldKind::Mask,
            _ => FieldKind::Number,
        };
        Some((naming.field(value)?, kind))
    };
    evaluations.hoisted.iter().filter_map(field).collect()
}

/// The function that computes all hoisted values.
fn preparation(emission: &Emission<'_>, naming: &Naming) -> TokenStream {
    let evaluations = emission.evaluations;
    let body = body(&evaluations.builder, &evaluations.preparation, naming, Hoisted::Computed);
    let statements = body.statements;
    let fields = fields(emission, naming).into_iter().map(|(field, _)| field);
    let values = &body.outputs;
    let u = emission.model.inputs.len();
    let (checked, check) = checks(emission, naming);
    let p = emission.model.parameters.len();
    let parameters = emission.model.parameters.iter().map(|field| &field.name);
    let (compute, of) = if evaluations.use_dual_numbers() {
        let compute = quote!(::core::result::Result::Ok(Prepared::of(&copied, inputs, fingerprint)));
        let of = quote! {
            impl<R: Scalar> Prepared<R> {
                fn of(parameters: &[R; #p], inputs: &SVector<R, #u>, fingerprint: Fingerprint) -> Self {
                    #statements
                    Prepared { inputs: *inputs, fingerprint, parameters: *parameters, #(#fields: #values,)* }
                }
            }
        };
        (compute, of)
    } else {
        let compute = quote! {
            #statements
            ::core::result::Result::Ok(
                Prepared { inputs: *inputs, fingerprint, parameters: copied, #(#fields: #values,)* }
            )
        };
        (compute, TokenStream::new())
    };
    let inputs = emission.model.inputs.iter().map(|field| &field.name);
    let mechanism = emission.texts.fingerprint;
    quote! {
        pub const PARAMETERS: &[&str] = &[#(#parameters),*];
        pub const INPUTS: [&str; #u] = [#(#inputs),*];

        pub fn prepare<R: Scalar>(
            parameters: &[R],
            inputs: &SVector<R, #u>,
        ) -> ::core::result::Result<Prepared<R>, PrepareError> {
            emitted::check_parameters(parameters, inputs.as_slice(), PARAMETERS, &INPUTS)?;
            #check
            let fingerprint = Fingerprint::of(#mechanism, parameters, inputs.as_slice());
            let mut copied = [R::ZERO; #p];
            for (copied, parameter) in copied.iter_mut().zip(parameters) {
                *copied = *parameter;
            }
            #compute
        }

        #of
        #checked
    }
}

/// The function that checks the assumptions and the conditions of the facts, and its call. Both are empty if there is
/// nothing to check.
fn checks(emission: &Emission<'_>, naming: &Naming) -> (TokenStream, TokenStream) {
    if emission.texts.checks.is_empty() {
        return (TokenStream::new(), TokenStream::new());
    }
    let evaluations = emission.evaluations;
    let body = body(&evaluations.builder, &evaluations.checks, naming, Hoisted::Computed);
    let statements = body.statements;
    let checks = emission.texts.checks.iter().zip(&body.outputs).map(|(check, value)| match check {
        Check::Assumption(text) => quote!(emitted::check_assumption(#text, #value)?;),
        Check::Positive { expression, strictly } => {
            quote!(emitted::check_positive(#expression, #value, #strictly)?;)
        }
    });
    let function = quote! {
        /// Checks the assumptions of the block, and the conditions that the proofs of its facts used.
        fn check<R: Scalar>(parameters: &[R]) -> ::core::result::Result<(), PrepareError> {
            #statements
            #(#checks)*
            ::core::result::Result::Ok(())
        }
    };
    (function, quote!(check(parameters)?;))
}
