//! The trait that every part has. Where a struct is no part, rustc knows no macro of its name, and the trait says why.

use crate::parse::part_paths;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The trait of a struct that is a part.
pub(super) fn marked(item: &syn::ItemStruct, runtime: &TokenStream) -> TokenStream {
    let name = &item.ident;
    let (generics, arguments, bounds) = item.generics.split_for_impl();
    quote! {
        impl #generics #runtime::__private::Part for #name #arguments #bounds {}
    }
}

/// A check that the types of the fields which the block states as parts have the trait.
pub(crate) fn are_parts(block: &TokenStream, item: &syn::ItemStruct, runtime: &TokenStream) -> TokenStream {
    let names: Vec<Ident> = part_paths(block).into_iter().map(|(name, _)| name).collect();
    let is_stated = |field: &&syn::Field| field.ident.as_ref().is_some_and(|name| names.contains(name));
    let types: Vec<syn::Type> =
        item.fields.iter().filter(is_stated).filter_map(|field| of_numbers(&field.ty)).collect();
    if types.is_empty() {
        return TokenStream::new();
    }
    quote! {
        const _: fn() = || {
            fn is_part<T: #runtime::__private::Part>() {}
            #(is_part::<#types>();)*
        };
    }
}

/// The type of a part, or of the elements of an array, with `f64` for its numbers.
fn of_numbers(of: &syn::Type) -> Option<syn::Type> {
    match of {
        syn::Type::Array(array) => of_numbers(&array.elem),
        syn::Type::Path(path) => {
            let mut path = path.clone();
            if let syn::PathArguments::AngleBracketed(arguments) = &mut path.path.segments.last_mut()?.arguments {
                for argument in &mut arguments.args {
                    *argument = syn::parse_quote!(::core::primitive::f64);
                }
            }
            Some(syn::Type::Path(path))
        }
        _ => None,
    }
}
