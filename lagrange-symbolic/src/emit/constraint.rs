//! The evaluations of constraints, and evaluations that may need accelerations and multipliers: powers, outputs,
//! switches.

use super::routine::array;
use super::system::Writer;
use crate::graph::Symbol;
use crate::program::{Operation, Part, Routine};
use proc_macro2::TokenStream;
use quote::quote;

impl Writer<'_, '_> {
    /// The names and evaluations of the constraints; nothing without constraints.
    pub(super) fn constraints(&self) -> TokenStream {
        let evaluations = self.emission.evaluations;
        let (Some(constraint), Some(hidden)) = (&evaluations.constraint, &evaluations.constraint_hidden) else {
            return TokenStream::new();
        };
        let physics = &self.emission.model.physics;
        let (names, holonomic) = (physics.rows().map(|row| &row.name), physics.constraints.len());
        let constraint = self.constraint(constraint);
        let hidden =
            if evaluations.has_hidden_slopes() { self.constraint_hidden(hidden) } else { self.hidden_by_duals() };
        quote! {
            fn constraints(&self) -> &'static [&'static str] {
                &[#(#names),*]
            }
            #[inline]
            fn holonomic_count(&self) -> usize {
                #holonomic
            }
            #constraint
            #hidden
        }
    }

    fn constraint(&self, routine: &Routine) -> TokenStream {
        let (n, c, rows) = (self.n, &self.c, self.rows);
        let body = self.body(routine);
        let statements = &body.statements;
        let value = self.multipliers(body.part(Part::Constraint));
        let scale = self.multipliers(body.part(Part::Scale));
        let jacobian = self.matrix_of(body.part(Part::Gradient), rows, n);
        let drift = self.multipliers(body.part(Part::Drift));
        let (count, inline) = (Self::count(routine), Self::inline(routine));
        quote! {
            #count
            #inline
            fn constraint(&self, t: R, q: &SVector<R, #n>) -> Constraint<R, #n, #c> {
                #statements
                Constraint { value: #value, scale: #scale, jacobian: #jacobian, drift: #drift }
            }
        }
    }

    fn constraint_hidden(&self, routine: &Routine) -> TokenStream {
        let (n, c, rows) = (self.n, &self.c, self.rows);
        let body = self.body(routine);
        let statements = &body.statements;
        let rate = self.multipliers(body.part(Part::Rate));
        let curvature = self.multipliers(body.part(Part::Curvature));
        let reaction = self.vector(body.part(Part::Reaction));
        let derivatives = [(Part::RateByQ, rows), (Part::ReactionByQ, n)].map(|(part, height)| match body.part(part) {
            [] => quote!(SMatrix::repeat(R::ZERO)),
            entries => self.matrix_of(entries, height, n),
        });
        let [rate_q, reaction_q] = derivatives;
        let (count, inline) = (Self::count(routine), Self::inline(routine));
        let name = if self.emission.evaluations.has_hidden_slopes() {
            quote!(constraint_hidden)
        } else {
            quote!(hidden_without_slopes)
        };
        quote! {
            #count
            #inline
            fn #name(
                &self, t: R, q: &SVector<R, #n>, v: &SVector<R, #n>, multipliers: &SVector<R, #c>
            ) -> ConstraintHidden<R, #n, #c> {
                #statements
                ConstraintHidden {
                    rate: #rate,
                    curvature: #curvature,
                    rate_q: #rate_q,
                    reaction: #reaction,
                    reaction_q: #reaction_q,
                }
            }
        }
    }

    /// The hidden constraints without their derivatives by q; nothing where these are written out.
    pub(super) fn hidden_without_slopes(&self) -> Option<TokenStream> {
        let evaluations = self.emission.evaluations;
        let routine = evaluations.constraint_hidden.as_ref().filter(|_| !evaluations.has_hidden_slopes())?;
        Some(self.constraint_hidden(routine))
    }

    /// The hidden constraints, with their derivatives by q from dual numbers.
    fn hidden_by_duals(&self) -> TokenStream {
        let (n, c) = (self.n, &self.c);
        quote! {
            fn constraint_hidden(
                &self, t: R, q: &SVector<R, #n>, v: &SVector<R, #n>, multipliers: &SVector<R, #c>
            ) -> ConstraintHidden<R, #n, #c> {
                let (lifted, t) = (self.lifted(), Dual::constant(t));
                let (v, multipliers) = (v.map(Dual::constant), multipliers.map(Dual::constant));
                emitted::hidden_constraints(|q| lifted.hidden_without_slopes(t, q, &v, &multipliers), q)
            }
        }
    }

    pub(super) fn powers(&self) -> TokenStream {
        self.list(&quote!(powers), &self.emission.evaluations.powers, self.contact_powers())
    }

    /// The names and values of the sensors; nothing without sensors.
    pub(super) fn outputs(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.outputs else { return TokenStream::new() };
        let names = self.emission.model.physics.outputs.iter().map(|output| &output.name);
        let outputs = self.list(&quote!(outputs), routine, quote!());
        let of_forces = self.emission.outputs_of_forces();
        let of_forces = (!of_forces.is_empty()).then(|| {
            quote! {
                fn outputs_of_forces(&self) -> &'static [usize] {
                    &[#(#of_forces),*]
                }
            }
        });
        quote! {
            fn output_names(&self) -> &'static [&'static str] {
                &[#(#names),*]
            }
            #of_forces
            #outputs
        }
    }

    /// The switching functions; nothing without switches.
    pub(super) fn switches(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.switches else { return TokenStream::new() };
        let (count, switches) = (routine.outputs.len(), self.list(&quote!(switches), routine, quote!()));
        let (names, n) = (&self.emission.texts.switches, self.n);
        quote! {
            #[inline]
            fn switch_count(&self) -> usize {
                #count
            }
            fn switch_rules(&self) -> ::core::option::Option<&'static dyn SwitchRules<R, #n>> {
                ::core::option::Option::Some(&Switches)
            }
            fn switch_names(&self) -> &'static [&'static str] {
                &[#(#names),*]
            }
            #switches
        }
    }

    /// An evaluation that writes as many values as the caller's slice has room for. It solves for a and λ first if it
    /// needs them. The statements `last` follow.
    pub(super) fn list(&self, name: &TokenStream, routine: &Routine, last: TokenStream) -> TokenStream {
        let (arguments, body) = (self.arguments(), self.body(routine));
        let (statements, values, count) = (&body.statements, &body.outputs, Self::count(routine));
        let (total, values) = (values.len(), array(values));
        let needs = |wanted: fn(&Operation) -> bool| routine.steps.iter().any(|step| wanted(&step.operation));
        let acceleration = needs(|operation| matches!(operation, Operation::Argument(_)));
        let multipliers = needs(|operation| matches!(operation, Operation::Symbol(Symbol::Multiplier(_))));
        let forces = needs(|operation| matches!(operation, Operation::Symbol(Symbol::Force(_))));
        let forces = forces.then(|| {
            let ruled = self.ruled();
            quote!(let forces = emitted::contact_forces(&#ruled, t, q, v, u);)
        });
        let solved = match (acceleration, multipliers) {
            (false, false) => TokenStream::new(),
            _ => quote! {
                let (x, multipliers) = emitted::solved(System::acceleration(self, t, q, v, u));
            },
        };
        quote! {
            #count
            fn #name(&self, #arguments, out: &mut [R]) {
                #solved
                #forces
                #statements
                let #name: [R; #total] = #values;
                for (out, value) in out.iter_mut().zip(#name) {
                    *out = value;
                }
                #last
            }
        }
    }
}
