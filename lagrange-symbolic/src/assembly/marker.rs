//! The trait that every part has. Where a struct is no part, rustc knows no macro of its name, and the trait says why.

use crate::parse::{last_name, part_paths};
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

/// A check that the types of the fields which the block states as parts have the trait. A field of another type than the stated one has its
/// own message.
pub(crate) fn are_parts(block: &TokenStream, item: &syn::ItemStruct, runtime: &TokenStream) -> TokenStream {
    let stated: Vec<(Ident, Option<Ident>)> =
        part_paths(block).into_iter().map(|(name, path)| (name, last_name(&path))).collect();
    let of_part = |field: &syn::Field| {
        let (_, stated) = stated.iter().find(|(name, _)| field.ident.as_ref() == Some(name))?;
        let found = of_numbers(&field.ty)?;
        let last = found.path.segments.last().map(|segment| &segment.ident);
        (last == stated.as_ref() && *last? != item.ident).then_some(found)
    };
    let types: Vec<syn::TypePath> = item.fields.iter().filter_map(of_part).collect();
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
fn of_numbers(of: &syn::Type) -> Option<syn::TypePath> {
    match of {
        syn::Type::Array(array) => of_numbers(&array.elem),
        syn::Type::Path(path) => {
            let mut path = path.clone();
            if let syn::PathArguments::AngleBracketed(arguments) = &mut path.path.segments.last_mut()?.arguments {
                for argument in &mut arguments.args {
                    *argument = syn::parse_quote!(::core::primitive::f64);
                }
            }
            Some(path)
        }
        _ => None,
    }
}
