//! `impl Mechanism`: names, parameters by name, and `prepare`.

use super::names::Naming;
use super::{Emission, Field, FieldType, prepared};
use proc_macro2::TokenStream;
use quote::quote;

/// One associated constant per coordinate: its index, under the coordinate's own identifier.
pub(super) fn index_constants(emission: &Emission<'_>) -> TokenStream {
    let name = &emission.item.ident;
    let (generics, arguments, bounds) = emission.item.generics.split_for_impl();
    let idents = emission.coordinates;
    let positions = 0..idents.len();
    let texts = idents.iter().map(|ident| format!("Index of the coordinate `{ident}` in q."));
    quote! {
        #[allow(non_upper_case_globals, dead_code)]
        impl #generics #name #arguments #bounds {
            #(#[doc = #texts] pub const #idents: usize = #positions;)*
        }
    }
}

/// Reads of the fields under the identifiers that the block uses, so that an editor finds the field from there.
pub(super) fn field_uses(emission: &Emission<'_>) -> TokenStream {
    let name = &emission.item.ident;
    let (generics, arguments, bounds) = emission.item.generics.split_for_impl();
    let uses = emission.field_uses;
    quote! {
        #[allow(dead_code)]
        impl #generics #name #arguments #bounds {
            fn __names(&self) {
                #(let _ = &self.#uses;)*
            }
        }
    }
}

pub(super) fn mechanism(emission: &Emission<'_>) -> TokenStream {
    let runtime = emission.runtime;
    let name = &emission.item.ident;
    let mut generics = emission.item.generics.clone();
    if emission.parameters.iter().chain(emission.inputs).any(|field| field.kind == FieldType::Generic) {
        for parameter in generics.type_params_mut() {
            parameter.bounds.push(syn::parse_quote!(Scalar));
        }
    }
    let (implementation, _, bounds) = generics.split_for_impl();
    let (_, arguments, _) = emission.item.generics.split_for_impl();
    let (n, u, p) = (emission.coordinates.len(), emission.inputs.len(), emission.parameters.len());
    let coordinates = emission.coordinates.iter().map(ToString::to_string);
    let inputs = emission.inputs.iter().map(|field| field.ident.to_string());
    let parameters: Vec<String> = emission.parameters.iter().map(|field| field.ident.to_string()).collect();
    let settable = parameters.iter().cloned().chain(emission.inputs.iter().map(|field| field.ident.to_string()));
    let all: Vec<&Field> = emission.parameters.iter().chain(emission.inputs).collect();
    let names: Vec<String> = all.iter().map(|field| field.ident.to_string()).collect();
    let reads = all.iter().map(|field| read(field));
    let writes = all.iter().map(|field| write(field));
    let parameter_values = emission.parameters.iter().map(read);
    let input_values = emission.inputs.iter().map(read);
    let facts = facts(emission);
    let (text, latex) = (emission.equations_text, emission.equations_latex);
    let preparation = prepared::preparation(emission, &Naming::new(emission));
    quote! {
        use #runtime::error::{PrepareError, SingularMass, UnknownParameter};
        use #runtime::nalgebra::{SMatrix, SVector};
        use #runtime::scalar::{Mask, Scalar};
        use #runtime::system::{
            Acceleration, AccelerationJacobian, Balance, BalanceJacobian, Energies, Equations, Facts, Mechanism,
            System,
        };
        use #runtime::{emitted, system};

        const FACTS: Facts = #facts;
        const SETTABLE: &[&str] = &[#(#settable),*];

        impl #implementation Mechanism<#n, 0, #u> for #name #arguments #bounds {
            const FACTS: Facts = FACTS;
            const COORDINATES: [&'static str; #n] = [#(#coordinates),*];
            const CONSTRAINTS: [&'static str; 0] = [];
            const INPUTS: [&'static str; #u] = [#(#inputs),*];
            const PARAMETERS: &'static [&'static str] = &[#(#parameters),*];

            const EQUATIONS_TEXT: &'static str = #text;
            const EQUATIONS_LATEX: &'static str = #latex;

            type Prepared<R: Scalar> = Prepared<R>;

            fn parameter(&self, name: &str) -> ::core::result::Result<f64, UnknownParameter> {
                match name {
                    #(#names => ::core::result::Result::Ok(#reads),)*
                    _ => ::core::result::Result::Err(UnknownParameter { known: SETTABLE }),
                }
            }

            fn set_parameter(&mut self, name: &str, value: f64) -> ::core::result::Result<(), UnknownParameter> {
                match name {
                    #(#names => #writes,)*
                    _ => return ::core::result::Result::Err(UnknownParameter { known: SETTABLE }),
                }
                ::core::result::Result::Ok(())
            }

            fn prepare<R: Scalar>(&self) -> ::core::result::Result<Prepared<R>, PrepareError> {
                let parameters: [f64; #p] = [#(#parameter_values),*];
                let inputs: [f64; #u] = [#(#input_values),*];
                Self::prepare_from(
                    &parameters.map(<R as Scalar>::from_f64),
                    &SVector::from(inputs.map(<R as Scalar>::from_f64)),
                )
            }

            fn prepare_from<R: Scalar>(
                parameters: &[R],
                inputs: &SVector<R, #u>,
            ) -> ::core::result::Result<Prepared<R>, PrepareError> {
                emitted::check_parameters(
                    parameters,
                    inputs.as_slice(),
                    <Self as Mechanism<#n, 0, #u>>::PARAMETERS,
                    &<Self as Mechanism<#n, 0, #u>>::INPUTS,
                )?;
                #preparation
            }
        }
    }
}

fn read(field: &Field) -> TokenStream {
    let ident = &field.ident;
    match field.kind {
        FieldType::Double => quote!(self.#ident),
        FieldType::Single => quote!(f64::from(self.#ident)),
        FieldType::Generic => quote!(Scalar::to_f64(self.#ident)),
    }
}

fn write(field: &Field) -> TokenStream {
    let ident = &field.ident;
    match field.kind {
        FieldType::Double => quote!(self.#ident = value),
        FieldType::Single => quote!(self.#ident = value as f32),
        FieldType::Generic => quote!(self.#ident = Scalar::from_f64(value)),
    }
}

fn facts(emission: &Emission<'_>) -> TokenStream {
    let facts = emission.facts;
    let (autonomous, conservative, constant_mass) = (facts.autonomous, facts.conservative, facts.constant_mass);
    let (separable, velocity_free, quadratic) =
        (facts.separable, facts.velocity_free_acceleration, facts.quadratic);
    let cyclic = facts.cyclic.iter().map(|&index| emission.coordinates[index as usize].to_string());
    quote! {
        Facts {
            autonomous: #autonomous,
            conservative: #conservative,
            constant_mass: #constant_mass,
            separable: #separable,
            velocity_free_acceleration: #velocity_free,
            quadratic: #quadratic,
            unconstrained: true,
            holonomic: true,
            cyclic: &[#(#cyclic),*],
        }
    }
}
