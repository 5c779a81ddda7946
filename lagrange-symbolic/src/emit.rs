//! Programs to Rust: the struct, its `Mechanism`, and the prepared `System`.

mod constraint;
mod contact;
mod expression;
pub(crate) mod external;
mod implicit;
mod index;
mod jacobian;
mod large;
mod mechanism;
mod mode;
mod names;
mod output_jacobian;
mod prepared;
mod quantity;
mod routine;
mod slope;
mod spline;
mod system;
mod unfinished;

use names::Naming;
pub use unfinished::unfinished;

use crate::derivation::{Derivation, FoundSymmetry, Symmetry};
use crate::graph::Symbol;
use crate::meaning::Model;
use crate::mechanics::Equations;
use crate::program::Evaluations;
use crate::texts::{Lines, Texts};
use crate::units::Units;
use proc_macro2::TokenStream;
use quote::quote;

/// Everything that the emitted code is made from.
pub(crate) struct Emission<'a> {
    /// The block's meaning.
    model: &'a Model,
    /// The derived quantities.
    equations: &'a Equations,
    /// The stated symmetries.
    symmetries: &'a [Symmetry],
    /// The symmetries that are not stated.
    found: &'a [FoundSymmetry],
    /// Whether the search for these was cut.
    search_is_cut: bool,
    /// The evaluations of the mechanism.
    evaluations: &'a Evaluations,
    /// What the mechanism says of itself.
    texts: &'a Texts,
    /// The units of its quantities.
    units: &'a Units,
    /// Path of the runtime crate.
    runtime: TokenStream,
}

impl Emission<'_> {
    /// The number of states, coordinates without inertia included.
    fn states(&self) -> usize {
        self.model.physics.states.len()
    }

    /// The number of modes, which are the last states.
    fn modes(&self) -> usize {
        self.model.physics.modes
    }

    /// The number of coordinates without inertia.
    fn without_inertia(&self) -> usize {
        self.equations.resolved.rates.len()
    }

    /// The number of rows of the constraints.
    fn rows(&self) -> usize {
        self.model.physics.rows().count()
    }

    /// The number of forces without those of contacts. Their powers are the first terms of the power balance, and those of the
    /// contacts follow.
    fn forces(&self) -> usize {
        self.model.physics.forces.len() - self.model.physics.frictions.len()
    }

    /// The names of the rows of contacts.
    fn contacts(&self) -> Vec<String> {
        self.equations.contacts.names(self.model.physics.frictions.iter().map(|friction| &friction.name[..]))
    }

    /// For each parameter, whether the momentum depends on it.
    fn inertial(&self) -> Vec<bool> {
        let momentum = &self.equations.momentum;
        let stands = |index| momentum.iter().any(|&row| self.model.graph.depends_on(row, Symbol::Parameter(index)));
        (0..self.model.parameters.len() as u32).map(stands).collect()
    }

    /// The indices of the outputs that contain the force of a contact.
    fn outputs_of_forces(&self) -> Vec<usize> {
        let acts = |value| self.model.graph.contains(value, |symbol| matches!(symbol, Symbol::Force(_)));
        let outputs = self.model.physics.outputs.iter().enumerate();
        outputs.filter(|(_, output)| acts(output.value)).map(|(index, _)| index).collect()
    }
}

/// The path of the runtime crate, where the block states no other.
pub(crate) fn default_runtime() -> TokenStream {
    quote!(::lagrange_runtime)
}

/// The whole expansion.
pub fn emit(derivation: &Derivation, evaluations: &Evaluations, texts: &Texts) -> TokenStream {
    let Derivation { model, equations, symmetries, found, search_is_cut, units, .. } = derivation;
    let runtime = model.runtime.clone().unwrap_or_else(default_runtime);
    let emission = &Emission {
        model,
        equations,
        symmetries,
        found,
        search_is_cut: *search_is_cut,
        evaluations,
        texts,
        units,
        runtime,
    };
    let runtime = &emission.runtime;
    let naming = Naming::new(emission);
    let item = documented(&model.item, &texts.documentation);
    let index = index::index(emission).types;
    let mechanism = mechanism::mechanism(emission);
    let quantities = quantity::quantities(emission);
    let prepared = prepared::prepared(emission, &naming);
    let system = system::system(emission, &naming);
    let lifting = large::lifting(emission, &naming);
    let dual = (!lifting.is_empty()).then(|| quote!(use #runtime::scalar::Dual;));
    let markers = system::markers(emission);
    let uses = mechanism::field_uses(emission);
    let tables = spline::tables(emission);
    let solutions = implicit::functions(emission);
    let (declarations, implementations) = external::functions(emission);
    // The types of constraints are imported only where they are used.
    let constraint_types =
        if emission.rows() == 0 { quote!() } else { quote!(use #runtime::system::{Constraint, ConstraintHidden};) };
    let of_laws = [
        evaluations.bounds.as_ref().or(evaluations.breakaways.as_ref()).map(|_| quote!(Bound)),
        evaluations.gaps.as_ref().map(|_| quote!(Gap)),
        evaluations.latches.as_ref().map(|_| quote!(Latch)),
        Some(quote!(Law)),
        Some(quote!(Row)),
    ];
    let of_laws = of_laws.into_iter().flatten();
    let contact_types = match (emission.contacts().is_empty(), equations.contacts.laws.is_empty()) {
        (true, _) => quote!(),
        (false, true) if evaluations.breakaways.is_some() => {
            quote!(use #runtime::contact::{ContactRules, Ruled}; use #runtime::system::{Bound, Row};)
        }
        (false, true) => quote!(use #runtime::contact::{ContactRules, Ruled}; use #runtime::system::Row;),
        (false, false) => quote!(use #runtime::contact::{ContactRules, Ruled}; use #runtime::system::{#(#of_laws),*};),
    };
    let mode_types = match &evaluations.changes {
        None => quote!(),
        Some(_) => quote!(use #runtime::change::{Change, ChangeRules, Changes, Target};),
    };
    let output_types = evaluations.outputs.as_ref().map(|_| quote!(use #runtime::system::OutputRow;));
    let switch_types = match &evaluations.switches {
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
            #quantities
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
                #output_types
                #switch_types
                #mode_types
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
fn documented(item: &syn::ItemStruct, documentation: &[Lines]) -> TokenStream {
    let mut item = item.clone();
    for field in &mut item.fields {
        // Names such as M, L and R are usual in mechanics. This keeps the naming lints from reporting them.
        field.ident = field.ident.as_ref().map(names::expanded);
    }
    let attributes = std::mem::take(&mut item.attrs);
    let mut added = TokenStream::new();
    for Lines { text, is_for_pages } in documentation {
        // rustdoc expects one leading space in each line.
        if *is_for_pages {
            let text = format!(" {}", text.replace('\n', "\n "));
            added.extend(quote!(#[cfg_attr(doc, doc = #text)]));
            continue;
        }
        for line in text.split('\n') {
            let line = format!(" {line}");
            added.extend(quote!(#[doc = #line]));
        }
    }
    quote!(#(#attributes)* #added #item)
}
