//! `impl Mechanism`: the names, access to parameters by name, and `prepare`.

use super::Emission;
use crate::derivation::{Conserved, FoundSymmetry, Symmetry};
use crate::meaning::Named;
use crate::syntax::{NumberType, segments};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};

/// Reads of the fields with the identifiers of the block, so that an editor finds the field from there.
pub(super) fn field_uses(emission: &Emission<'_>) -> TokenStream {
    let name = &emission.model.item.ident;
    let (generics, arguments, bounds) = emission.model.item.generics.split_for_impl();
    let uses = emission.model.field_uses.iter().map(|ident| {
        let path = segments(ident).into_iter().map(|(name, is_array)| match is_array {
            true => quote!(. #name [0]),
            false => quote!(. #name),
        });
        path.collect::<TokenStream>()
    });
    quote! {
        impl #generics #name #arguments #bounds {
            fn __names(&self) {
                #(let _ = &self #uses;)*
            }
        }
    }
}

/// `impl Mechanism`. It stands beside the user's items, so that its arguments and variables have names of their own: a pattern with the name
/// of a user's constant would compare with that constant.
pub(super) fn mechanism(emission: &Emission<'_>) -> TokenStream {
    let runtime = &emission.runtime;
    let (error, system) = (quote!(#runtime::error), quote!(#runtime::system));
    let (scalar, vector) = (quote!(#runtime::scalar::Scalar), quote!(#runtime::nalgebra::SVector));
    let name = &emission.model.item.ident;
    let mut generics = emission.model.item.generics.clone();
    let numbers = types_of_numbers(emission);
    for parameter in generics.type_params_mut().filter(|parameter| numbers.contains(&parameter.ident)) {
        parameter.bounds.push(syn::parse_quote!(#scalar));
    }
    let (implementation, _, bounds) = generics.split_for_impl();
    let (_, arguments, _) = emission.model.item.generics.split_for_impl();
    let number = scalar_parameter(&emission.model.item.generics);
    let (n, u, p) = (emission.model.coordinates.len(), emission.model.inputs.len(), emission.model.parameters.len());
    let coordinates = emission.model.coordinates.iter().map(|coordinate| &coordinate.name);
    let all: Vec<&Named> = emission.model.parameters.iter().chain(&emission.model.inputs).collect();
    let names: Vec<String> = all.iter().map(|field| field.name.clone()).collect();
    let reads = all.iter().map(|field| read(field, runtime));
    let writes = all.iter().map(|field| write(field, runtime));
    let parameter_values = emission.model.parameters.iter().map(|field| read(field, runtime));
    let input_values = emission.model.inputs.iter().map(|field| read(field, runtime));
    let facts = facts(emission);
    let (text, latex, stated) = (&emission.texts.equations, &emission.texts.latex, &emission.texts.stated);
    let (block, summary) = (&emission.texts.block, &emission.texts.summary);
    let descriptions = all.iter().map(|field| emission.units.described(field));
    let ranges = ranges(emission);
    let (units, symmetries, found) = (units(emission), symmetries(emission), found_symmetries(emission));
    let whole = &emission.texts.whole;
    let whole = (!whole.is_empty()).then(|| quote!(const WHOLE: &'static ::core::primitive::str = #whole;));
    let stated_text = emission.texts.stated_text.iter();
    let c = constraint_count(emission);
    let constraints = emission.model.physics.rows().map(|row| &row.name);
    let unknown = quote!(::core::result::Result::Err(#error::UnknownParameter { known: &[#(#names),*] }));
    // Without names there is no match, because the code after it would be unreachable.
    let assign = if names.is_empty() {
        quote!(#unknown)
    } else {
        quote! {
            match __name {
                #(#names => #writes,)*
                _ => return #unknown,
            }
            ::core::result::Result::Ok(())
        }
    };
    let index = super::index::index(emission).value;
    let k = emission.states();
    let without = emission.without_inertia();
    let without = (without > 0).then(|| quote!(const WITHOUT_INERTIA: ::core::primitive::usize = #without;));
    let states = (k > 0).then(|| quote!(const STATES: ::core::primitive::usize = #k; #without));
    quote! {
        impl #implementation #system::Mechanism<#n, #c, #u> for #name #arguments #bounds {
            const FACTS: #system::Facts = #facts;
            type Index = __derived::Index;
            const INDEX: __derived::Index = #index;
            const COORDINATES: [&'static ::core::primitive::str; #n] = [#(#coordinates),*];
            #states
            const CONSTRAINTS: [&'static ::core::primitive::str; #c] = [#(#constraints),*];
            const INPUTS: [&'static ::core::primitive::str; #u] = __derived::INPUTS;
            const PARAMETERS: &'static [&'static ::core::primitive::str] = __derived::PARAMETERS;
            const EQUATIONS_TEXT: &'static ::core::primitive::str = #text;
            const EQUATIONS_LATEX: &'static ::core::primitive::str = #latex;
            const STATED_LATEX: &'static ::core::primitive::str = #stated;
            const BLOCK: &'static ::core::primitive::str = #block;
            #whole
            #(const STATED_TEXT: &'static ::core::primitive::str = #stated_text;)*
            const SUMMARY: &'static ::core::primitive::str = #summary;
            const DESCRIPTIONS: &'static [&'static ::core::primitive::str] = &[#(#descriptions),*];
            #units
            #ranges
            #symmetries
            #found

            type Prepared<#number: #scalar> = __derived::Prepared<#number>;

            fn parameter(&self, __name: &::core::primitive::str) -> ::core::result::Result<::core::primitive::f64, #error::UnknownParameter> {
                match __name {
                    #(#names => ::core::result::Result::Ok(#reads),)*
                    _ => #unknown,
                }
            }

            fn set_parameter(
                &mut self, __name: &::core::primitive::str, __value: ::core::primitive::f64
            ) -> ::core::result::Result<(), #error::UnknownParameter> {
                #assign
            }

            fn prepare<#number: #scalar>(
                &self
            ) -> ::core::result::Result<__derived::Prepared<#number>, #error::PrepareError> {
                let __parameters: [::core::primitive::f64; #p] = [#(#parameter_values),*];
                let __inputs: [::core::primitive::f64; #u] = [#(#input_values),*];
                __derived::prepare(
                    &__parameters.map(<#number as #scalar>::from_f64),
                    &::core::convert::From::from(__inputs.map(<#number as #scalar>::from_f64)),
                )
            }

            fn prepare_from<#number: #scalar>(
                __parameters: &[#number],
                __inputs: &#vector<#number, #u>,
            ) -> ::core::result::Result<__derived::Prepared<#number>, #error::PrepareError> {
                __derived::prepare(__parameters, __inputs)
            }
        }
    }
}

/// The symmetries, if the block states any.
fn symmetries(emission: &Emission<'_>) -> Option<TokenStream> {
    if emission.symmetries.is_empty() {
        return None;
    }
    let runtime = &emission.runtime;
    let symmetries = emission.symmetries.iter().map(|Symmetry { name, how, changed_by, .. }| {
        let proved = *how == Conserved::Proved;
        quote!(#runtime::system::Symmetry { name: #name, proved: #proved, changed_by: &[#(#changed_by),*] })
    });
    Some(quote!(const SYMMETRIES: &'static [#runtime::system::Symmetry] = &[#(#symmetries),*];))
}

/// The symmetries that the block does not state, if there are any, and whether more may exist.
fn found_symmetries(emission: &Emission<'_>) -> TokenStream {
    let cut = emission.search_is_cut.then(|| {
        quote!(
            const SYMMETRY_SEARCH_IS_CUT: ::core::primitive::bool = true;
        )
    });
    if emission.found.is_empty() {
        return quote!(#cut);
    }
    let runtime = &emission.runtime;
    let found = emission.found.iter().map(|FoundSymmetry { change, gauge, momentum, how, changed_by }| {
        let proved = *how == Conserved::Proved;
        quote!(#runtime::system::FoundSymmetry {
            change: #change, gauge: #gauge, momentum: #momentum, proved: #proved, changed_by: &[#(#changed_by),*]
        })
    });
    quote!(const FOUND_SYMMETRIES: &'static [#runtime::system::FoundSymmetry] = &[#(#found),*]; #cut)
}

/// The nominal ranges, if the block or the struct states any.
fn ranges(emission: &Emission<'_>) -> Option<TokenStream> {
    let of_one = |(name, range): (&str, [f64; 2])| {
        let [low, high] = range.map(signed);
        quote!((#name, [#low, #high]))
    };
    let ranges: Vec<TokenStream> = emission.model.ranges().map(of_one).collect();
    let float = quote!(::core::primitive::f64);
    (!ranges.is_empty())
        .then(|| quote!(const RANGES: &'static [(&'static ::core::primitive::str, [#float; 2])] = &[#(#ranges),*];))
}

/// The nominal range of each coordinate, if one of them has any.
pub(super) fn coordinate_ranges(emission: &Emission<'_>) -> Option<Vec<TokenStream>> {
    let ranges = emission.model.coordinates.iter().map(|coordinate| coordinate.range);
    let written = |range: Option<[f64; 2]>| match range.map(|range| range.map(signed)) {
        Some([low, high]) => quote!(Some([#low, #high])),
        None => quote!(None),
    };
    ranges.clone().any(|range| range.is_some()).then(|| ranges.map(written).collect())
}

/// A number as a literal behind its sign.
fn signed(value: f64) -> TokenStream {
    let size = proc_macro2::Literal::f64_unsuffixed(value.abs());
    if value < 0.0 { quote!(-#size) } else { quote!(#size) }
}

/// The constant of the units, if the block states any.
fn units(emission: &Emission<'_>) -> Option<TokenStream> {
    let (runtime, units) = (&emission.runtime, stated_units(emission)?);
    Some(quote!(const UNITS: #runtime::system::Units = #units;))
}

/// The value of the units, if the block states any.
pub(super) fn stated_units(emission: &Emission<'_>) -> Option<TokenStream> {
    let (model, units) = (emission.model, emission.units);
    if units.time.is_empty() {
        return None;
    }
    let runtime = &emission.runtime;
    let [time, frequency, rate, energy, power] = units.of_the_whole();
    let fields = model.parameters.iter().chain(&model.inputs).map(|field| units.readable(&field.name));
    let coordinates = model.coordinates.iter().map(|coordinate| units.readable(&coordinate.name));
    let (own, _) = model.coordinates.split_at(model.mechanical());
    let velocities = own.iter().map(|coordinate| units.readable_rate(&coordinate.name));
    let outputs = model.physics.outputs.iter().map(|output| units.readable(&output.name));
    let multipliers = model.physics.constraints.iter().map(|row| units.readable_multiplier(&row.name));
    Some(quote! {
        #runtime::system::Units {
            time: #time,
            frequency: #frequency,
            rate: #rate,
            energy: #energy,
            power: #power,
            fields: &[#(#fields),*],
            coordinates: &[#(#coordinates),*],
            velocities: &[#(#velocities),*],
            outputs: &[#(#outputs),*],
            multipliers: &[#(#multipliers),*],
        }
    })
}

/// The identifiers in the types of the fields that are numbers of a type parameter.
fn types_of_numbers(emission: &Emission<'_>) -> Vec<Ident> {
    let generic = |field: &&Named| matches!(field.number, Some(NumberType::Generic(_)));
    let names: Vec<Ident> = emission
        .model
        .parameters
        .iter()
        .chain(&emission.model.inputs)
        .filter(generic)
        .filter_map(|field| segments(&field.ident).into_iter().next())
        .map(|(name, _)| name)
        .collect();
    let is_number = |field: &&syn::Field| field.ident.as_ref().is_some_and(|ident| names.contains(ident));
    let types = emission.model.item.fields.iter().filter(is_number).map(|field| field.ty.to_token_stream());
    types.flat_map(identifiers).collect()
}

/// All identifiers of a type.
fn identifiers(tokens: TokenStream) -> Vec<Ident> {
    let of = |token: TokenTree| match token {
        TokenTree::Ident(ident) => vec![ident],
        TokenTree::Group(group) => identifiers(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => Vec::new(),
    };
    tokens.into_iter().flat_map(of).collect()
}

/// A name for the scalar type that differs from all parameters of the struct.
pub(super) fn scalar_parameter(generics: &syn::Generics) -> proc_macro2::Ident {
    let mut name = "R".to_owned();
    while generics.type_params().any(|parameter| parameter.ident == name) {
        name.push('_');
    }
    quote::format_ident!("{name}")
}

fn read(field: &Named, runtime: &TokenStream) -> TokenStream {
    let place = place(field);
    match field.number {
        Some(NumberType::F64) | None => quote!(#place),
        Some(NumberType::F32) => {
            quote!(<::core::primitive::f64 as ::core::convert::From<::core::primitive::f32>>::from(#place))
        }
        Some(NumberType::Generic(_)) => quote!(#runtime::scalar::Scalar::to_f64(#place)),
    }
}

fn write(field: &Named, runtime: &TokenStream) -> TokenStream {
    let place = place(field);
    match field.number {
        Some(NumberType::F64) | None => quote!(#place = __value),
        Some(NumberType::F32) => quote!(#place = __value as ::core::primitive::f32),
        Some(NumberType::Generic(_)) => quote!(#place = #runtime::scalar::Scalar::from_f64(__value)),
    }
}

/// `self.m`, `self.m[3]`, or `self.link[2].m` for a field of a part.
fn place(field: &Named) -> TokenStream {
    let mut indices = field.indices.iter().map(|index| Literal::usize_unsuffixed(*index));
    let path = segments(&field.ident).into_iter().map(|(name, is_array)| {
        let index = if is_array { indices.next() } else { None };
        let index = index.iter();
        quote!(. #name #([#index])*)
    });
    let path: TokenStream = path.collect();
    quote!(self #path #([#indices])*)
}

/// The number of rows of the constraints as a literal in types.
pub(super) fn constraint_count(emission: &Emission<'_>) -> Literal {
    Literal::usize_unsuffixed(emission.rows())
}

/// The facts, with the path of the runtime.
pub(super) fn facts(emission: &Emission<'_>) -> TokenStream {
    let runtime = &emission.runtime;
    let facts = &emission.equations.facts;
    let (autonomous, conservative, constant_mass) = (facts.autonomous, facts.conservative, facts.constant_mass);
    let (separable, velocity_free, quadratic) = (facts.separable, facts.velocity_free_acceleration, facts.quadratic);
    let velocity_free_forcing = facts.velocity_free_forcing;
    let (positive_mass, regular_momentum) = (facts.positive_mass, facts.regular_momentum);
    let singular_mass = emission.equations.singular_mass;
    let (unconstrained, holonomic) = (facts.unconstrained, facts.holonomic);
    let cyclic = facts.cyclic.iter().map(|&index| &emission.model.coordinates[index as usize].name);
    quote! {
        #runtime::system::Facts {
            autonomous: #autonomous,
            conservative: #conservative,
            constant_mass: #constant_mass,
            separable: #separable,
            velocity_free_acceleration: #velocity_free,
            velocity_free_forcing: #velocity_free_forcing,
            quadratic: #quadratic,
            positive_mass: #positive_mass,
            regular_momentum: #regular_momentum,
            singular_mass: #singular_mass,
            unconstrained: #unconstrained,
            holonomic: #holonomic,
            cyclic: &[#(#cyclic),*],
        }
    }
}
