//! Programs to Rust: the struct, its `Mechanism`, and the prepared `System`.

mod constraint;
mod expression;
pub(crate) mod external;
mod large;
mod mechanism;
mod names;
mod prepared;
mod routine;
mod spline;
mod system;
mod unfinished;

pub use names::Naming;
pub use unfinished::unfinished;

use crate::meaning::Extern;
use crate::mechanics::{Facts, Power};
use crate::program::Evaluations;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// How a parameter's field is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldType {
    /// `f64`.
    Double,
    /// `f32`.
    Single,
    /// The struct's type parameter, a `Scalar`.
    Generic,
}

/// A coordinate, or an element of an array of coordinates.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// The name as stated, with its span.
    pub ident: Ident,
    /// Its place in its array; empty for a scalar.
    pub indices: Vec<usize>,
    /// Its name: `theta`, or `theta[3]`.
    pub name: String,
}

/// A field that is a parameter or an input, or an element of such an array.
#[derive(Clone, Debug)]
pub struct Field {
    /// The field's name.
    pub ident: Ident,
    /// Its place in its array; empty for a number.
    pub indices: Vec<usize>,
    /// Its name: `m`, or `m[3]`.
    pub name: String,
    /// How it is read.
    pub kind: FieldType,
}

/// What `prepare` checks of an expression in parameters.
#[derive(Clone, Debug)]
pub enum Check {
    /// An assumption of the block, as written.
    Assumption(String),
    /// What a fact rests on.
    Positive {
        /// The expression as text.
        expression: String,
        /// Whether it must be positive; else it may also be zero.
        strictly: bool,
    },
}

/// All that emission needs.
pub struct Emission<'a> {
    /// The user's struct as it is to stand in the crate, without helper attributes.
    pub item: &'a syn::ItemStruct,
    /// Path of the runtime crate.
    pub runtime: &'a TokenStream,
    /// The coordinates.
    pub coordinates: &'a [Coordinate],
    /// The parameters.
    pub parameters: &'a [Field],
    /// Whether the momentum depends on each of them.
    pub inertial: &'a [bool],
    /// The inputs.
    pub inputs: &'a [Field],
    /// The names of the constraints' rows, holonomic first.
    pub constraints: &'a [String],
    /// Whether M is singular at every state.
    pub singular_mass: bool,
    /// How many of them are holonomic.
    pub holonomic: usize,
    /// The names of the sensors' components.
    pub outputs: &'a [String],
    /// The switching functions, as text.
    pub switches: &'a [String],
    /// Names of the terms of the power balance.
    pub powers: &'a [Power],
    /// The user's own functions.
    pub externs: &'a [Extern],
    /// What is known about the mechanism.
    pub facts: &'a Facts,
    /// What `prepare` checks, in the order of the evaluations' `checks`.
    pub checks: &'a [Check],
    /// Its evaluations.
    pub evaluations: &'a Evaluations,
    /// For each hoisted value, what it is, as text.
    pub hoisted_text: &'a [String],
    /// A number that tells this block and struct from others.
    pub fingerprint: u64,
    /// Documentation lines added to the struct.
    pub documentation: &'a [String],
    /// The derived equations as text.
    pub equations_text: &'a str,
    /// The derived equations as LaTeX.
    pub equations_latex: &'a str,
    /// Uses of fields in the block, with their own spans.
    pub field_uses: &'a [Ident],
}

/// The whole expansion.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let naming = Naming::new(emission);
    let item = documented(emission.item, emission.documentation);
    let indices = emission.coordinates.iter().map(|coordinate| (&coordinate.ident, &coordinate.indices[..]));
    let (index, _) = mechanism::index(indices);
    let mechanism = mechanism::mechanism(emission);
    let prepared = prepared::prepared(emission, &naming);
    let system = system::system(emission, &naming);
    let lifting = large::lifting(emission, &naming);
    let dual = (!lifting.is_empty()).then(|| {
        let runtime = emission.runtime;
        quote!(use #runtime::scalar::Dual;)
    });
    let markers = system::markers(emission);
    let uses = mechanism::field_uses(emission);
    let tables = spline::tables(emission);
    let (declarations, implementations) = external::functions(emission);
    let runtime = emission.runtime;
    // Imported only where they are used.
    let held = if emission.constraints.is_empty() {
        quote!()
    } else {
        quote!(use #runtime::system::{Constraint, ConstraintHidden};)
    };
    quote! {
        #item
        #[automatically_derived]
        const _: () = {
            #uses
            #mechanism
            #implementations
            // Names of the runtime are imported where no name of the user's stands.
            mod __derived {
                // The crate may have no prelude.
                use ::core::prelude::rust_2024::*;
                use #runtime::error::{PrepareError, SingularMass};
                use #runtime::nalgebra::{SMatrix, SVector};
                use #runtime::scalar::{Mask, Scalar};
                use #runtime::system::{
                    Acceleration, AccelerationJacobian, Balance, BalanceJacobian, Energies, Equations, Facts, Fingerprint,
                    Linearise, Parameters, Sensors, System,
                };
                use #runtime::{__private as emitted, system};
                #held

                #index
                #declarations
                #tables
                #dual
                #prepared
                #lifting
                #system
                #markers
            }
        };
    }
}

/// The user's struct with documentation of the derived equations after its own.
fn documented(item: &syn::ItemStruct, lines: &[String]) -> TokenStream {
    let mut item = item.clone();
    for field in &mut item.fields {
        // M, L and R are names of the field.
        field.ident = field.ident.as_ref().map(names::expanded);
    }
    for line in lines {
        // rustdoc shows lines as they stand after the slashes, with one leading space.
        let line = format!(" {line}");
        item.attrs.push(syn::parse_quote!(#[doc = #line]));
    }
    quote!(#item)
}
