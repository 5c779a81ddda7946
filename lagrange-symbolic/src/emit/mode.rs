//! Modes and their changes.

use super::system::Writer;
use crate::graph::{Id, Node, Symbol};
use proc_macro2::TokenStream;
use quote::quote;

impl Writer<'_, '_> {
    /// The modes and their changes; nothing without modes.
    pub(super) fn modes(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.changes else { return TokenStream::new() };
        let (physics, n) = (&self.emission.model.physics, self.n);
        let count = physics.modes;
        let values = self.list(&quote!(change_values), routine, quote!());
        let changes = physics.changes.iter().map(|change| {
            let mode = &change.mode;
            let targets = change.assigned.iter().filter_map(|(target, _)| self.target(*target));
            quote!(Change { mode: #mode, targets: &[#(#targets),*] })
        });
        quote! {
            #[inline(always)]
            fn mode_count(&self) -> usize {
                #count
            }
            fn changes(&self) -> &'static [Change] {
                &[#(#changes),*]
            }
            fn change_rules(&self) -> ::core::option::Option<&'static dyn ChangeRules<R, #n>> {
                ::core::option::Option::Some(&Changes)
            }
            #values
        }
    }

    /// The component of the state to which a change assigns.
    fn target(&self, target: Id) -> Option<TokenStream> {
        match *self.emission.model.graph.node(target) {
            Node::Symbol(Symbol::Coordinate(index)) => {
                let index = index as usize;
                Some(quote!(Target::Coordinate(#index)))
            }
            Node::Symbol(Symbol::Velocity(index)) => {
                let index = index as usize;
                Some(quote!(Target::Velocity(#index)))
            }
            _ => None,
        }
    }
}
