//! What converts quantities of the crate `uom` into the numbers of a mechanism, behind the feature of the runtime with that name.
//!
//! The attribute cannot know the features of the runtime. So it writes a call of a macro of the runtime, which is empty without the feature.

use super::Emission;
use crate::units::{Measure, Unmeasured};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

/// The call of the macro; nothing if the block states no unit.
pub(super) fn quantities(emission: &Emission<'_>) -> Option<TokenStream> {
    let (model, units, runtime) = (emission.model, emission.units, &emission.runtime);
    if units.time.is_empty() {
        return None;
    }
    let fields = model.parameters.iter().chain(&model.inputs).map(|field| field.name.clone());
    let coordinates = model.coordinates.iter().map(|coordinate| coordinate.name.clone());
    let velocities = coordinates.clone().take(model.mechanical());
    let outputs = model.physics.outputs.iter().map(|output| output.name.clone());
    let mut writer = Writer { emission, units: Vec::new(), structs: TokenStream::new(), count: 0 };
    let own = |name: &String| (units.of(name).to_owned(), units.measure(name));
    let fields = writer.group(fields, own);
    let coordinates = writer.group(coordinates, own);
    let velocities = writer.group(velocities, |name| (units.rate(name, 1), units.measure_of_rate(name)));
    let outputs = writer.group(outputs, own);
    let time = writer.unit(units.time.clone(), units.measure_of_time());
    let time = writer.of_unit(time);
    let Writer { units, structs, .. } = &writer;
    let units = units.iter().map(stated);
    let (generics, arguments, bounds) = model.item.generics.split_for_impl();
    let name = &model.item.ident;
    Some(quote! {
        #runtime::__quantities! {
            [#generics] [#name #arguments] [#bounds] [#(#units)*] [#structs]
            [#time] [#fields] [#coordinates] [#velocities] [#outputs]
        }
    })
}

/// A unit in the call: its type, its documentation, its exponents and its factor.
fn stated((text, name, measure): &(String, Ident, Measure)) -> TokenStream {
    let exponents = measure.exponents.iter().map(|exponent| match exponent {
        0 => format_ident!("Z0"),
        1.. => format_ident!("P{exponent}"),
        _ => format_ident!("N{}", exponent.unsigned_abs()),
    });
    let [factor, divisor] = [measure.factor, measure.divisor].map(number);
    let documentation = format!(" The unit `{text}`.");
    quote!(#name #documentation [#(#exponents)*] [#factor] [#divisor];)
}

/// A number as an expression. Clippy takes π, written out, for a mistake in the user's code, so that it is written by its bits.
fn number(value: f64) -> TokenStream {
    if value.fract() == 0.0 {
        let literal = Literal::f64_suffixed(value);
        return quote!(#literal);
    }
    let bits = value.to_bits();
    quote!(::core::primitive::f64::from_bits(#bits))
}

/// A unit as the name of a type that rustc shows: `kg*m^2/s^2` as `kg_m2_per_s2`, and `1/s` as `per_s`.
fn type_name(text: &str) -> String {
    let (mut name, rest) = match text.strip_prefix("1/") {
        Some(rest) => ("per_".to_owned(), rest),
        None if text == "1" => return "one".to_owned(),
        None => (String::new(), text),
    };
    for sign in rest.chars() {
        match sign {
            '*' | '.' => name.push('_'),
            '/' => name.push_str("_per_"),
            '-' => name.push_str("minus_"),
            _ if sign.is_alphanumeric() || sign == '_' => name.push(sign),
            _ => {}
        }
    }
    // A number in front is the scale of a unit without a symbol.
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("times_{name}") } else { name }
}

/// A number of the mechanism.
#[derive(Clone)]
struct Entry {
    /// The names of the parts that it belongs to, the outermost first, and its own name.
    path: Vec<String>,
    unit: Unit,
}

/// The unit of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// The unit of this place in [`Writer::units`].
    Known(usize),
    Unknown(Unmeasured),
}

struct Writer<'w> {
    emission: &'w Emission<'w>,
    /// The texts of units, the names of their types, and what they are.
    units: Vec<(String, Ident, Measure)>,
    /// The structs whose fields are the names of numbers.
    structs: TokenStream,
    /// The number of these structs.
    count: usize,
}

impl Writer<'_> {
    fn unit(&mut self, text: String, measure: Result<Measure, Unmeasured>) -> Unit {
        let measure = match measure {
            Ok(measure) => measure,
            Err(reason) => return Unit::Unknown(reason),
        };
        let known = self.units.iter().position(|(known, _, of_known)| *known == text && *of_known == measure);
        Unit::Known(known.unwrap_or_else(|| {
            let mut name = identifier(&type_name(&text));
            // Texts that differ in signs alone, or a number that is rounded in its text.
            while self.units.iter().any(|(_, known, _)| *known == name) {
                name = format_ident!("{name}_");
            }
            self.units.push((text, name, measure));
            self.units.len() - 1
        }))
    }

    /// The type of a unit.
    fn of_unit(&self, unit: Unit) -> TokenStream {
        let runtime = &self.emission.runtime;
        let reason = match unit {
            Unit::Known(index) => {
                let (_, name, _) = &self.units[index];
                return quote!(#runtime::quantity::In<units::#name>);
            }
            Unit::Unknown(Unmeasured::Undetermined) => quote!(Undetermined),
            Unit::Unknown(Unmeasured::Broken) => quote!(Broken),
            Unit::Unknown(Unmeasured::Solar) => quote!(Solar),
            Unit::Unknown(Unmeasured::Beyond) => quote!(Beyond),
            Unit::Unknown(Unmeasured::Several) => quote!(Several),
        };
        quote!(#runtime::quantity::#reason)
    }

    /// The struct of these names.
    fn group(
        &mut self,
        names: impl Iterator<Item = String>,
        of: impl Fn(&String) -> (String, Result<Measure, Unmeasured>),
    ) -> Ident {
        let entries = names.map(|name| {
            let (text, measure) = of(&name);
            Entry { path: path(&name), unit: self.unit(text, measure) }
        });
        let entries: Vec<Entry> = entries.collect();
        self.of_entries(&entries)
    }

    /// A struct with a field for each name. A part is a field with such a struct; all elements of an array are one field.
    fn of_entries(&mut self, entries: &[Entry]) -> Ident {
        let mut fields = TokenStream::new();
        let mut seen: Vec<&str> = Vec::new();
        for entry in entries {
            let name = &entry.path[0][..];
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            let mut of_name = entries.iter().filter(|other| other.path[0] == name);
            let ty = if entry.path.len() > 1 {
                let inner = of_name.map(|other| Entry { path: other.path[1..].to_vec(), unit: other.unit });
                let inner: Vec<Entry> = inner.collect();
                let group = self.of_entries(&inner);
                quote!(#group)
            } else if of_name.all(|other| other.unit == entry.unit) {
                self.of_unit(entry.unit)
            } else {
                self.of_unit(Unit::Unknown(Unmeasured::Several))
            };
            let (field, text) = (identifier(name), format!(" The unit of `{name}`."));
            fields.extend(quote!(#text #field: #ty,));
        }
        let group = format_ident!("Names{}", self.count);
        self.count += 1;
        self.structs.extend(quote!(struct #group { #fields }));
        group
    }
}

/// `link[2].m` as `link` and `m`.
fn path(name: &str) -> Vec<String> {
    name.split('.').map(|part| part.split('[').next().unwrap_or(part).to_owned()).collect()
}

/// A name as an identifier, raw where it is one of Rust's keywords.
fn identifier(name: &str) -> Ident {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => Ident::new(name, Span::call_site()),
        Err(_) => Ident::new_raw(name, Span::call_site()),
    }
}
