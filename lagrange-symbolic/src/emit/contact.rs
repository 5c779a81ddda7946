//! Contacts with dry friction.

use super::routine::array;
use super::system::Writer;
use crate::mechanics::Law;
use crate::program::{Part, Routine};
use proc_macro2::TokenStream;
use quote::quote;

impl Writer<'_, '_> {
    /// The rows of the contacts; nothing without contacts.
    pub(super) fn contacts(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.contacts else { return TokenStream::new() };
        let (names, switches) = (self.emission.contacts(), &self.emission.equations.contacts.switches);
        let (count, n, c, u) = (names.len(), self.n, &self.c, self.u);
        let (arguments, body) = (self.arguments(), self.body(routine));
        let statements = &body.statements;
        let (mass, forcing) = (self.matrix(body.part(Part::Mass), n), self.vector(body.part(Part::Forcing)));
        let directions = body.part(Part::Gradient).chunks(n).map(|row| self.vector(row));
        let (rates, curvatures) = (body.part(Part::Rate), body.part(Part::Curvature));
        let bounds = body.part(Part::Bound);
        let operations = Self::count(routine);
        let (laws, gaps, loads, breakaways) = (self.laws(), self.gaps(), self.loads(), self.breakaways());
        let (restitutions, latches, ruled) = (self.restitutions(), self.latches(), self.ruled());
        let adheres = self.emission.equations.contacts.adheres.then(|| {
            quote! {
                #[inline]
                fn adheres(&self) -> bool {
                    true
                }
            }
        });
        quote! {
            #[inline]
            fn row_count(&self) -> usize {
                #count
            }
            fn contact_rules(&self, ask: &mut dyn FnMut(&dyn ContactRules<R, #n, #c, #u>)) {
                ask(&#ruled);
            }
            fn row_names(&self) -> &'static [&'static str] {
                &[#(#names),*]
            }
            fn row_switches(&self) -> &'static [usize] {
                &[#(#switches),*]
            }
            #operations
            fn rows(&self, #arguments, out: &mut [Row<R, #n>]) -> Equations<R, #n> {
                #statements
                let rows: [Row<R, #n>; #count] =
                    [#(Row { rate: #rates, direction: #directions, curvature: #curvatures, bound: #bounds }),*];
                for (out, row) in out.iter_mut().zip(rows) {
                    *out = row;
                }
                Equations { mass_matrix: #mass, forcing: #forcing }
            }
            #laws
            #gaps
            #restitutions
            #latches
            #adheres
            #loads
            #breakaways
        }
    }

    /// The system with the room for the forces of its rows.
    pub(super) fn ruled(&self) -> TokenStream {
        let room = self.emission.contacts().len() + 1;
        quote!(Ruled::<Self, #room>::new(self))
    }

    /// The laws of the contacts; nothing where each is a friction with a bound of its own.
    fn laws(&self) -> TokenStream {
        if self.emission.equations.contacts.laws.is_empty() {
            return TokenStream::new();
        }
        let laws = self.emission.equations.contacts.laws.iter().map(|law| match law {
            Law::Friction => quote!(Law::Friction),
            Law::Contact(gap) => quote!(Law::Contact { gap: #gap }),
            Law::Slip(contact) => quote!(Law::Slip { contact: #contact }),
            Law::Latch { index, is_holonomic } => {
                quote!(Law::Latch { latch: #index, holonomic: #is_holonomic })
            }
            Law::Loaded(bound) => quote!(Law::Loaded { bound: #bound }),
            Law::VectorSlip { first, size, contact } => {
                quote!(Law::VectorSlip { first: #first, size: #size, contact: #contact })
            }
            Law::Vector { first, size, bound } => {
                quote!(Law::Vector { first: #first, size: #size, bound: #bound })
            }
        });
        quote! {
            fn row_laws(&self) -> &'static [Law] {
                &[#(#laws),*]
            }
        }
    }

    /// The gaps of contacts that open and close; nothing without these.
    fn gaps(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.gaps else { return TokenStream::new() };
        let (body, n) = (self.body(routine), self.n);
        let (statements, values) = (&body.statements, body.part(Part::Constraint));
        let (count, scales, restitutions) = (values.len(), body.part(Part::Scale), body.part(Part::Bound));
        let operations = Self::count(routine);
        quote! {
            #[inline]
            fn gap_count(&self) -> usize {
                #count
            }
            #operations
            fn gaps(&self, t: R, q: &SVector<R, #n>, out: &mut [Gap<R>]) {
                #statements
                let gaps: [Gap<R>; #count] =
                    [#(Gap { value: #values, scale: #scales, restitution: #restitutions }),*];
                for (out, gap) in out.iter_mut().zip(gaps) {
                    *out = gap;
                }
            }
        }
    }

    /// The rows of constraints that modes switch on and off; nothing without such constraints.
    fn latches(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.latches else { return TokenStream::new() };
        let (body, n) = (self.body(routine), self.n);
        let (statements, values) = (&body.statements, body.part(Part::Constraint));
        let (count, scales, on) = (values.len(), body.part(Part::Scale), body.part(Part::Bound));
        let operations = Self::count(routine);
        quote! {
            #[inline]
            fn latch_count(&self) -> usize {
                #count
            }
            #operations
            fn latches(&self, t: R, q: &SVector<R, #n>, v: &SVector<R, #n>, out: &mut [Latch<R>]) {
                #statements
                let latches: [Latch<R>; #count] = [#(Latch { value: #values, scale: #scales, on: #on }),*];
                for (out, latch) in out.iter_mut().zip(latches) {
                    *out = latch;
                }
            }
        }
    }

    /// The coefficients of restitution, where one depends on the speed of approach; nothing otherwise.
    fn restitutions(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.restitutions else { return TokenStream::new() };
        let (body, arguments) = (self.body(routine), self.arguments());
        let (statements, values) = (&body.statements, body.part(Part::Bound));
        let (count, values, operations) = (values.len(), array(values), Self::count(routine));
        quote! {
            #operations
            fn restitutions(&self, #arguments, out: &mut [R]) {
                #statements
                let restitutions: [R; #count] = #values;
                for (out, restitution) in out.iter_mut().zip(restitutions) {
                    *out = restitution;
                }
            }
        }
    }

    /// The bounds of frictions that are in no derived equation; nothing without these.
    fn loads(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.bounds else { return TokenStream::new() };
        let (count, written) = self.bounds_of(routine, &quote!(bounds));
        quote! {
            #[inline]
            fn bound_count(&self) -> usize {
                #count
            }
            #written
        }
    }

    /// The static bounds of frictions; nothing without these.
    fn breakaways(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.breakaways else { return TokenStream::new() };
        let (_, written) = self.bounds_of(routine, &quote!(breakaways));
        let rows = &self.emission.equations.contacts.breakaway_rows;
        quote! {
            #[inline]
            fn breakaway_rows(&self) -> &'static [usize] {
                &[#(#rows),*]
            }
            #written
        }
    }

    /// How many bounds a routine writes, and the method with this name that writes them.
    fn bounds_of(&self, routine: &Routine, name: &TokenStream) -> (usize, TokenStream) {
        let (body, arguments, c) = (self.body(routine), self.arguments(), &self.c);
        let (statements, values) = (&body.statements, body.part(Part::Bound));
        let (count, rows) = (values.len(), self.rows);
        let slopes: Vec<TokenStream> = match rows {
            0 => values.iter().map(|_| self.multipliers(&[])).collect(),
            _ => body.part(Part::ByMultipliers).chunks(rows).map(|row| self.multipliers(row)).collect(),
        };
        let operations = Self::count(routine);
        let written = quote! {
            #operations
            fn #name(&self, #arguments, multipliers: &SVector<R, #c>, out: &mut [Bound<R, #c>]) {
                #statements
                let bounds: [Bound<R, #c>; #count] = [#(Bound { value: #values, slope: #slopes }),*];
                for (out, bound) in out.iter_mut().zip(bounds) {
                    *out = bound;
                }
            }
        };
        (count, written)
    }

    /// The return from `acceleration` where a contact is at rest; nothing without contacts.
    pub(super) fn at_rest(&self) -> TokenStream {
        if self.emission.contacts().is_empty() {
            return TokenStream::new();
        }
        let ruled = self.ruled();
        quote! {
            if let ::core::option::Option::Some(solved) = emitted::acceleration_at_rest(&#ruled, t, q, v, u) {
                return solved;
            }
        }
    }

    /// The powers of the contacts, which replace those of the forces −b sign(s); nothing without contacts.
    pub(super) fn contact_powers(&self) -> TokenStream {
        let contacts = self.emission.contacts().len();
        if contacts == 0 {
            return TokenStream::new();
        }
        let (first, ruled) = (self.emission.forces(), self.ruled());
        quote!(emitted::write_contact_powers(&#ruled, (t, q, v, u), #first, out);)
    }
}
