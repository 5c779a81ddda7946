//! Identifiers of emitted code: what it reads and what it computes.

use super::Emission;
use crate::graph::Symbol;
use crate::program::{Operation, Value};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::{HashMap, HashSet};

/// Names for symbols and hoisted values. Locals carry prefixes, so that no user's name meets an argument's.
pub struct Naming {
    coordinates: Vec<String>,
    inputs: Vec<String>,
    fields: HashMap<Value, Ident>,
    parameters: Vec<String>,
}

/// An identifier that only emitted code can see.
pub(super) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// A user's identifier at its own place, as a part of the expansion: lints that ask for another style of names are about
/// what the user writes alone.
pub(crate) fn expanded(ident: &Ident) -> Ident {
    let mut ident = ident.clone();
    ident.set_span(Span::call_site().located_at(ident.span()));
    ident
}

impl Naming {
    /// Names for a mechanism.
    pub fn new(emission: &Emission<'_>) -> Self {
        let parameters: Vec<String> = distinct(emission.parameters.iter().map(|field| field.name.as_str()));
        let mut fields = HashMap::new();
        let mut next = 0;
        for &value in &emission.evaluations.hoisted {
            let name = match emission.evaluations.builder.operation(value) {
                Operation::Symbol(Symbol::Parameter(index)) => format!("p_{}", parameters[*index as usize]),
                _ => {
                    next += 1;
                    format!("k{next}")
                }
            };
            fields.insert(value, local(&name));
        }
        Self {
            coordinates: distinct(emission.coordinates.iter().map(|coordinate| coordinate.name.as_str())),
            inputs: distinct(emission.inputs.iter().map(|field| field.name.as_str())),
            fields,
            parameters,
        }
    }

    /// The field of the prepared struct that holds a hoisted value.
    pub(super) fn field(&self, value: Value) -> Option<&Ident> {
        self.fields.get(&value)
    }

    /// How a routine reads a symbol, and the local it reads it into.
    pub(super) fn load(&self, symbol: Symbol) -> (Ident, TokenStream) {
        let at = |index: u32| proc_macro2::Literal::usize_unsuffixed(index as usize);
        match symbol {
            Symbol::Coordinate(i) => (self.prefixed("q", &self.coordinates, i), {
                let i = at(i);
                quote!(q[#i])
            }),
            Symbol::Velocity(i) => (self.prefixed("v", &self.coordinates, i), {
                let i = at(i);
                quote!(v[#i])
            }),
            Symbol::Acceleration(i) => (self.prefixed("a", &self.coordinates, i), {
                let i = at(i);
                quote!(a[#i])
            }),
            Symbol::Input(i) => (self.prefixed("u", &self.inputs, i), {
                let i = at(i);
                quote!(u[#i])
            }),
            Symbol::Parameter(i) => (self.prefixed("p", &self.parameters, i), {
                let i = at(i);
                quote!(parameters[#i])
            }),
            // A bound variable never leaves its integral.
            Symbol::Multiplier(i) | Symbol::Dummy(i) => (format_ident!("m_{i}", span = Span::mixed_site()), {
                let i = at(i);
                quote!(multipliers[#i])
            }),
            Symbol::Time => (Ident::new("t", Span::call_site()), quote!(t)),
        }
    }

    /// The local that holds the i-th component of a further vector argument.
    pub(super) fn argument(&self, index: u32) -> (Ident, TokenStream) {
        let at = proc_macro2::Literal::usize_unsuffixed(index as usize);
        (self.prefixed("x", &self.coordinates, index), quote!(x[#at]))
    }

    fn prefixed(&self, prefix: &str, names: &[String], index: u32) -> Ident {
        local(&format!("{prefix}_{}", names[index as usize]))
    }
}

/// Names as parts of identifiers: `theta[3]` becomes `theta_3`, with underscores behind it where that is taken.
fn distinct<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Vec<String> {
    let mut taken: HashSet<String> = names.clone().filter(|name| !name.contains('[')).map(ToOwned::to_owned).collect();
    names
        .map(|name| {
            if !name.contains('[') {
                return name.to_owned();
            }
            let mut part = name.replace("][", "_").replace('[', "_").replace(']', "");
            while !taken.insert(part.clone()) {
                part.push('_');
            }
            part
        })
        .collect()
}
