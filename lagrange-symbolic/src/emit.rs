//! Programs to Rust: the struct, its `Mechanism`, and the prepared `System`.

mod constraint;
mod contact;
mod expression;
pub(crate) mod external;
mod implicit;
mod jacobian;
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
use crate::mechanics::{Facts, Law, Power};
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
    /// Its indices in its array; empty for a scalar.
    pub indices: Vec<usize>,
    /// Its name: `theta`, or `theta[3]`.
    pub name: String,
}

/// A field that is a parameter or an input, or an element of such an array.
#[derive(Clone, Debug)]
pub struct Field {
    /// The field's name.
    pub ident: Ident,
    /// Its indices in its array; empty for a number.
    pub indices: Vec<usize>,
    /// Its name: `m`, or `m[3]`.
    pub name: String,
    /// The type of the number.
    pub kind: FieldType,
    /// Its doc comment.
    pub documentation: String,
}

/// A check that `prepare` makes of an expression in parameters.
#[derive(Clone, Debug)]
pub enum Check {
    /// An assumption of the block, as written.
    Assumption(String),
    /// A condition that the proof of a fact used.
    Positive {
        /// The expression as text.
        expression: String,
        /// Whether it must be positive; otherwise it may also be zero.
        strictly: bool,
    },
}

/// Everything that the emitted code is made from.
pub struct Emission<'a> {
    /// The user's struct as it is emitted, without helper attributes.
    pub item: &'a syn::ItemStruct,
    /// Path of the runtime crate.
    pub runtime: &'a TokenStream,
    /// The coordinates, and then a hidden one for each state.
    pub coordinates: &'a [Coordinate],
    /// The number of states, coordinates without inertia included.
    pub states: usize,
    /// The number of coordinates without inertia.
    pub without_inertia: usize,
    /// The parameters.
    pub parameters: &'a [Field],
    /// For each parameter, whether the momentum depends on it.
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
    /// The indices of those that contain the force of a contact.
    pub outputs_of_forces: &'a [usize],
    /// The number of forces without those of contacts. Their powers are the first terms of the power balance, and those of the
    /// contacts follow.
    pub forces: usize,
    /// The names of the rows of contacts.
    pub contacts: &'a [String],
    /// The index of the switching function of each contact.
    pub contact_switches: &'a [usize],
    /// The law of each row; empty where each is a friction with a bound of its own.
    pub contact_laws: &'a [Law],
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
    /// The evaluations of the mechanism.
    pub evaluations: &'a Evaluations,
    /// The expression of each hoisted value as text.
    pub hoisted_text: &'a [String],
    /// A hash that distinguishes this block and struct from others.
    pub fingerprint: u64,
    /// The block as written.
    pub block: &'a str,
    /// The first paragraph of the struct's doc comment.
    pub summary: &'a str,
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
    let (index, _) = mechanism::index(indices, emission.states);
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
    let solutions = implicit::functions(emission);
    let (declarations, implementations) = external::functions(emission);
    let runtime = emission.runtime;
    // The types of constraints are imported only where they are used.
    let constraint_types = if emission.constraints.is_empty() {
        quote!()
    } else {
        quote!(use #runtime::system::{Constraint, ConstraintHidden};)
    };
    let of_laws = [
        emission.evaluations.bounds.as_ref().map(|_| quote!(Bound)),
        emission.evaluations.gaps.as_ref().map(|_| quote!(Gap)),
        Some(quote!(Law)),
        Some(quote!(Row)),
    ];
    let of_laws = of_laws.into_iter().flatten();
    let contact_types = match (emission.contacts.is_empty(), emission.contact_laws.is_empty()) {
        (true, _) => quote!(),
        (false, true) => quote!(use #runtime::contact::ContactRules; use #runtime::system::Row;),
        (false, false) => quote!(use #runtime::contact::ContactRules; use #runtime::system::{#(#of_laws),*};),
    };
    let switch_types = match &emission.evaluations.switches {
        None => quote!(),
        Some(_) => quote!(use #runtime::stepper::{SwitchRules, Switches};),
    };
    quote! {
        #item
        #[automatically_derived]
        const _: () = {
            #uses
            #mechanism
            #implementations
            // The names of the runtime are imported into a module of their own, because the user's names could collide
            // with them.
            mod __derived {
                // The crate may have no prelude.
                use ::core::prelude::rust_2024::*;
                use #runtime::error::{PrepareError, SingularMass};
                use #runtime::nalgebra::{SMatrix, SVector};
                use #runtime::scalar::{Mask, Scalar};
                use #runtime::system::{
                    Acceleration, AccelerationJacobian, Balance, BalanceJacobian, BalanceRates, Energies, Equations, Facts, Fingerprint, InertialBalance,
                    Linearise, Parameters, Sensors, System,
                };
                use #runtime::{__private as emitted, system};
                #constraint_types
                #switch_types
                #contact_types

                #index
                #declarations
                #tables
                #solutions
                #dual
                #prepared
                #lifting
                #system
                #markers
            }
        };
    }
}

/// The user's struct. The documentation of the derived equations follows its own.
fn documented(item: &syn::ItemStruct, lines: &[String]) -> TokenStream {
    let mut item = item.clone();
    for field in &mut item.fields {
        // Names such as M, L and R are usual in mechanics. This keeps the naming lints from reporting them.
        field.ident = field.ident.as_ref().map(names::expanded);
    }
    for line in lines {
        // rustdoc expects one leading space in each line.
        let line = format!(" {line}");
        item.attrs.push(syn::parse_quote!(#[doc = #line]));
    }
    quote!(#item)
}
