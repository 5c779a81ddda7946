//! Functions of the user's own. Derived code calls them through a trait, which is implemented where the user's paths
//! are valid.

use super::Emission;
use super::mechanism::scalar_parameter;
use super::names::local;
use crate::graph::function::Orders;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The name of a function, or of a derivative of it, in derived code.
pub(super) fn name(index: u32, orders: Orders) -> Ident {
    let by: String = orders.arguments().map(|argument| format!("_{}", argument + 1)).collect();
    local(&format!("f{}{by}", index + 1))
}

/// The trait for the module of derived code, and its implementation next to the struct; nothing without functions.
pub(super) fn functions(emission: &Emission<'_>) -> (TokenStream, TokenStream) {
    if emission.model.externs.is_empty() {
        return (TokenStream::new(), TokenStream::new());
    }
    let scalar = &emission.runtime;
    let number = scalar_parameter(&emission.model.item.generics);
    let mut declarations = TokenStream::new();
    let mut implementations = TokenStream::new();
    let mut uses = TokenStream::new();
    for (index, function) in (0..).zip(&emission.model.externs) {
        let arguments: Vec<Ident> = (1..=function.arguments.len()).map(|i| local(&format!("__x{i}"))).collect();
        let itself = [(Orders::NONE, function.path.clone())];
        for (orders, path) in itself.iter().chain(&function.derivatives) {
            let name = name(index, *orders);
            declarations.extend(quote! {
                fn #name<#number: Scalar>(#(#arguments: #number),*) -> #number;
            });
            implementations.extend(quote! {
                #[inline]
                fn #name<#number: #scalar::scalar::Scalar>(#(#arguments: #number),*) -> #number {
                    #path(#(#arguments),*)
                }
            });
            // This use prevents a warning about dead code for a derivative that no equation needs.
            let numbers = arguments.iter().map(|_| quote!(::core::primitive::f64));
            uses.extend(quote!(const _: fn(#(#numbers),*) -> ::core::primitive::f64 = #path;));
        }
    }
    let declarations = quote! {
        /// Implements the user's own functions.
        pub struct User;
        /// The user's own functions.
        pub trait Functions { #declarations }
    };
    (declarations, quote!(#uses impl __derived::Functions for __derived::User { #implementations }))
}
