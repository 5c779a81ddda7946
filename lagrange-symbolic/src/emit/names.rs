//! Identifiers in emitted code, for what it reads and what it computes.

use super::Emission;
use crate::graph::Symbol;
use crate::program::{Operation, Value};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::{HashMap, HashSet};

/// The names of symbols and hoisted values. Locals have prefixes, so that no user's name is the name of an argument.
pub(super) struct Naming {
    coordinates: Vec<String>,
    inputs: Vec<String>,
    fields: HashMap<Value, Ident>,
    parameters: Vec<String>,
    /// The number of unknowns of each system of equations, by index.
    unknowns: HashMap<u32, u32>,
    /// In the equations of a system: the number of its unknowns, which are the first arguments.
    own_unknowns: Option<u32>,
}

/// An identifier that is visible in emitted code only.
pub(super) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// A user's identifier with its own place, marked as a part of the expansion. The lints about styles of names then skip
/// it.
pub(crate) fn expanded(ident: &Ident) -> Ident {
    let mut ident = ident.clone();
    ident.set_span(Span::call_site().located_at(ident.span()));
    ident
}

impl Naming {
    /// The names for a mechanism.
    pub(super) fn new(emission: &Emission<'_>) -> Self {
        let parameters: Vec<String> = distinct(emission.model.parameters.iter().map(|field| field.name.as_str()));
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
            coordinates: distinct(emission.model.coordinates.iter().map(|coordinate| coordinate.name.as_str())),
            inputs: distinct(emission.model.inputs.iter().map(|field| field.name.as_str())),
            fields,
            parameters,
            unknowns: (emission.evaluations.implicits.iter())
                .map(|program| (program.index, program.unknowns as u32))
                .collect(),
            own_unknowns: None,
        }
    }

    /// The names in the equations r(w, a) = 0.
    pub(super) fn of_equations(unknowns: usize) -> Self {
        Self {
            coordinates: Vec::new(),
            inputs: Vec::new(),
            fields: HashMap::new(),
            parameters: Vec::new(),
            unknowns: HashMap::new(),
            own_unknowns: Some(unknowns as u32),
        }
    }

    /// The number of unknowns of a system of equations.
    pub(super) fn unknowns(&self, index: u32) -> u32 {
        self.unknowns.get(&index).copied().unwrap_or(0)
    }

    /// The field of the prepared struct with a hoisted value.
    pub(super) fn field(&self, value: Value) -> Option<&Ident> {
        self.fields.get(&value)
    }

    /// The local variable for a symbol, and the expression that reads it.
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
            // The variable of an integral does not occur outside of its integral.
            Symbol::Multiplier(i) | Symbol::Dummy(i) => (format_ident!("m_{i}", span = Span::mixed_site()), {
                let i = at(i);
                quote!(multipliers[#i])
            }),
            Symbol::Force(i) => (format_ident!("f_{i}", span = Span::mixed_site()), {
                let i = at(i);
                quote!(forces[#i])
            }),
            Symbol::Time => (Ident::new("t", Span::call_site()), quote!(t)),
        }
    }

    /// The local variable for the i-th component of a further vector argument.
    pub(super) fn argument(&self, index: u32) -> (Ident, TokenStream) {
        if let Some(unknowns) = self.own_unknowns {
            let (of, i) = if index < unknowns { ("w", index) } else { ("a", index - unknowns) };
            let (of, at) = (local(of), proc_macro2::Literal::usize_unsuffixed(i as usize));
            return (local(&format!("{of}_{i}")), quote!(#of[#at]));
        }
        // The components of a direction follow those of the vector.
        if let Some(component) = (index as usize).checked_sub(self.coordinates.len()) {
            let at = proc_macro2::Literal::usize_unsuffixed(component);
            return (local(&format!("d_{component}")), quote!(d[#at]));
        }
        let at = proc_macro2::Literal::usize_unsuffixed(index as usize);
        (self.prefixed("x", &self.coordinates, index), quote!(x[#at]))
    }

    fn prefixed(&self, prefix: &str, names: &[String], index: u32) -> Ident {
        local(&format!("{prefix}_{}", names[index as usize]))
    }
}

/// Names as parts of identifiers: `theta[3]` becomes `theta_3`, and `left.theta` becomes `left_theta`. Underscores are appended where that name
/// is taken.
fn distinct<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Vec<String> {
    let is_plain = |name: &str| !name.contains(['[', '.']);
    let mut taken: HashSet<String> = names.clone().filter(|name| is_plain(name)).map(ToOwned::to_owned).collect();
    names
        .map(|name| {
            if is_plain(name) {
                return name.to_owned();
            }
            let mut part = name.replace("][", "_").replace("].", "_").replace(['[', '.'], "_").replace(']', "");
            while !taken.insert(part.clone()) {
                part.push('_');
            }
            part
        })
        .collect()
}
