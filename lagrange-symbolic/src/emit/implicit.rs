//! Equations that an iteration solves, each system as a function.

use super::Emission;
use super::names::{Naming, local};
use super::routine::{Hoisted, array, body};
use crate::program::{ImplicitProgram, Part};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The function that solves a system of equations.
pub(super) fn name(index: u32) -> Ident {
    local(&format!("solution_{}", index + 1))
}

/// The functions of all systems of equations.
pub(super) fn functions(emission: &Emission<'_>) -> TokenStream {
    emission.evaluations.implicits.iter().map(function).collect()
}

fn function(program: &ImplicitProgram) -> TokenStream {
    let &ImplicitProgram { index, unknowns, arguments, is_unique, .. } = program;
    let naming = Naming::of_equations(unknowns);
    let body = body(&program.builder, &program.routine, &naming, Hoisted::Computed);
    let (name, statements, residual) = (name(index), &body.statements, array(body.part(Part::Residual)));
    let rows = body.part(Part::Slope).chunks(unknowns).map(array);
    let (w, a) = (local("w"), local("a"));
    quote! {
        /// Solves equations for what they define.
        #[inline]
        fn #name<R: Scalar>(a: &[R; #arguments]) -> ([R; #unknowns], R) {
            emitted::implicit(a, #is_unique, |#w: &[R; #unknowns], #a: &[R; #arguments]| {
                #statements
                (#residual, [#(#rows),*])
            })
        }
    }
}
