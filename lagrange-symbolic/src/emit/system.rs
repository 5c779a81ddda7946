//! `impl System` for the prepared struct, and its marker traits.

use super::Emission;
use super::names::Naming;
use super::routine::{Body, Hoisted, body};
use crate::program::Routine;
use proc_macro2::TokenStream;
use quote::quote;

/// Routines with at most this many operations are inlined into the methods that call them.
const INLINED_OPERATIONS: u32 = 300;

struct Writer<'a, 'b> {
    emission: &'a Emission<'b>,
    naming: &'a Naming,
    n: usize,
    u: usize,
}

pub(super) fn system(emission: &Emission<'_>, naming: &Naming) -> TokenStream {
    let writer = Writer { emission, naming, n: emission.coordinates.len(), u: emission.inputs.len() };
    let (n, u, p) = (writer.n, writer.u, emission.parameters.len());
    let coordinates = emission.coordinates.iter().map(|coordinate| &coordinate.name);
    let power_names = emission.powers.iter().map(|power| &power.name);
    let evaluations = [
        writer.balance(),
        writer.balance_jacobian(),
        writer.equations(),
        writer.acceleration(),
        writer.acceleration_jacobian(),
        writer.acceleration_parameters(),
        writer.velocity_correction(),
        writer.energies(),
        writer.powers(),
    ];
    let residual = writer.residual();
    let facts = super::mechanism::facts(emission);
    quote! {
        impl<R: Scalar> Prepared<R> {
            #residual
        }

        impl<R: Scalar> System<R, #n, 0, #u> for Prepared<R> {
            #[inline]
            fn facts(&self) -> &'static Facts {
                const FACTS: Facts = #facts;
                &FACTS
            }
            fn coordinates(&self) -> &'static [&'static str] {
                &[#(#coordinates),*]
            }
            #[inline]
            fn default_inputs(&self) -> SVector<R, #u> {
                self.inputs
            }
            #[inline]
            fn parameter_count(&self) -> usize {
                #p
            }
            fn power_names(&self) -> &'static [&'static str] {
                &[#(#power_names),*]
            }
            #(#evaluations)*
        }
    }
}

/// One empty impl per fact that holds.
pub(super) fn markers(emission: &Emission<'_>) -> TokenStream {
    let facts = emission.facts;
    let markers = [
        (facts.autonomous, quote!(Autonomous)),
        (facts.conservative, quote!(Conservative)),
        (facts.constant_mass, quote!(ConstantMass)),
        (facts.separable, quote!(Separable)),
        (facts.velocity_free_acceleration, quote!(VelocityFreeAcceleration)),
        (true, quote!(Unconstrained)),
        (true, quote!(Holonomic)),
    ];
    let proved = markers.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name);
    quote!(#(impl<R: Scalar> system::#proved for Prepared<R> {})*)
}

impl Writer<'_, '_> {
    fn body(&self, routine: &Routine) -> Body {
        body(&self.emission.evaluations.builder, routine, self.naming, Hoisted::Fields)
    }

    /// The arguments that every evaluation takes.
    fn arguments(&self) -> TokenStream {
        let (n, u) = (self.n, self.u);
        quote!(t: R, q: &SVector<R, #n>, v: &SVector<R, #n>, u: &SVector<R, #u>)
    }

    fn vector(&self, entries: &[TokenStream]) -> TokenStream {
        let n = entries.len();
        quote!(SVector::<R, #n>::from([#(#entries),*]))
    }

    /// A matrix of the given height from its columns, one after the other.
    fn matrix(&self, entries: &[TokenStream], columns: usize) -> TokenStream {
        let n = self.n;
        let columns_of: Vec<TokenStream> = entries.chunks(n).map(|column| quote!([#(#column),*])).collect();
        // The array's type is written out: a matrix of one row without columns could be made from two kinds of array.
        quote!(SMatrix::<R, #n, #columns>::from([#(#columns_of),*] as [[R; #n]; #columns]))
    }

    fn inline(routine: &Routine) -> TokenStream {
        if routine.count().total() <= INLINED_OPERATIONS { quote!(#[inline(always)]) } else { quote!(#[inline]) }
    }

    fn count(routine: &Routine) -> TokenStream {
        let text = format!("Operations: {}.", routine.count());
        quote!(#[doc = #text])
    }

    fn balance(&self) -> TokenStream {
        let routine = &self.emission.evaluations.balance;
        let (arguments, body, inline, n) = (self.arguments(), self.body(routine), Self::inline(routine), self.n);
        let statements = &body.statements;
        let (momentum, balance) = (self.vector(body.take(0, n)), self.vector(body.take(n, n)));
        let count = Self::count(routine);
        quote! {
            #count
            #inline
            fn balance(&self, #arguments) -> Balance<R, #n> {
                #statements
                Balance { momentum: #momentum, balance: #balance }
            }
        }
    }

    fn balance_jacobian(&self) -> TokenStream {
        let routine = &self.emission.evaluations.balance_jacobian;
        let (arguments, body, n, u) = (self.arguments(), self.body(routine), self.n, self.u);
        let statements = &body.statements;
        let mut at = 0;
        let mut next = |count: usize| {
            at += count;
            body.take(at - count, count)
        };
        let momentum = self.vector(next(n));
        let balance = self.vector(next(n));
        let momentum_q = self.matrix(next(n * n), n);
        let mass_matrix = self.matrix(next(n * n), n);
        let momentum_t = self.vector(next(n));
        let balance_q = self.matrix(next(n * n), n);
        let balance_v = self.matrix(next(n * n), n);
        let balance_t = self.vector(next(n));
        let balance_u = self.matrix(next(n * u), u);
        let count = Self::count(routine);
        quote! {
            #count
            #[inline]
            fn balance_jacobian(&self, #arguments) -> BalanceJacobian<R, #n, #u> {
                #statements
                BalanceJacobian {
                    momentum: #momentum,
                    balance: #balance,
                    momentum_q: #momentum_q,
                    mass_matrix: #mass_matrix,
                    momentum_t: #momentum_t,
                    balance_q: #balance_q,
                    balance_v: #balance_v,
                    balance_t: #balance_t,
                    balance_u: #balance_u,
                }
            }
        }
    }

    fn equations(&self) -> TokenStream {
        let routine = &self.emission.evaluations.equations;
        let (arguments, body, inline, n) = (self.arguments(), self.body(routine), Self::inline(routine), self.n);
        let statements = &body.statements;
        let (mass, forcing) = (self.matrix(body.take(0, n * n), n), self.vector(body.take(n * n, n)));
        let count = Self::count(routine);
        quote! {
            #count
            #inline
            fn equations(&self, #arguments) -> Equations<R, #n> {
                #statements
                Equations { mass_matrix: #mass, forcing: #forcing }
            }
        }
    }

    fn acceleration(&self) -> TokenStream {
        let (arguments, n) = (self.arguments(), self.n);
        let signature = quote! {
            fn acceleration(
                &self, #arguments
            ) -> ::core::result::Result<Acceleration<R, #n, 0>, SingularMass>
        };
        let Some(routine) = &self.emission.evaluations.acceleration else {
            return quote! {
                #[inline]
                #signature {
                    emitted::acceleration(&self.equations(t, q, v, u))
                }
            };
        };
        let body = self.body(routine);
        let (statements, safe) = (&body.statements, &body.outputs[n]);
        let acceleration = self.vector(body.take(0, n));
        let (count, inline) = (Self::count(routine), Self::inline(routine));
        quote! {
            #count
            #inline
            #signature {
                #statements
                if Mask::all(#safe) {
                    ::core::result::Result::Ok(Acceleration {
                        acceleration: #acceleration,
                        multipliers: SVector::<R, 0>::from([]),
                    })
                } else {
                    emitted::pivoted_acceleration(self, t, q, v, u)
                }
            }
        }
    }

    fn acceleration_jacobian(&self) -> TokenStream {
        let (arguments, n, u) = (self.arguments(), self.n, self.u);
        let signature = quote! {
            fn acceleration_jacobian(
                &self, #arguments
            ) -> ::core::result::Result<AccelerationJacobian<R, #n, 0, #u>, SingularMass>
        };
        let general = quote! {
            let a = System::acceleration(self, t, q, v, u)?.acceleration;
            let residual = self.residual_jacobian(t, q, v, u, &a);
            emitted::acceleration_jacobian(&self.equations(t, q, v, u).mass_matrix, &a, &residual)
        };
        let Some(routine) = &self.emission.evaluations.acceleration_jacobian else {
            return quote!(#[inline] #signature { #general });
        };
        let body = self.body(routine);
        let statements = &body.statements;
        let mut at = 0;
        let mut next = |count: usize| {
            at += count;
            body.take(at - count, count)
        };
        let acceleration = self.vector(next(n));
        let acceleration_q = self.matrix(next(n * n), n);
        let acceleration_v = self.matrix(next(n * n), n);
        let acceleration_t = self.vector(next(n));
        let acceleration_u = self.matrix(next(n * u), u);
        let safe = &next(1)[0];
        let count = Self::count(routine);
        quote! {
            #count
            #[inline]
            #signature {
                #statements
                if Mask::all(#safe) {
                    ::core::result::Result::Ok(AccelerationJacobian {
                        acceleration: #acceleration,
                        multipliers: SVector::<R, 0>::from([]),
                        acceleration_q: #acceleration_q,
                        acceleration_v: #acceleration_v,
                        acceleration_t: #acceleration_t,
                        acceleration_u: #acceleration_u,
                    })
                } else {
                    #general
                }
            }
        }
    }

    /// The residual's derivatives with a as an argument: for pivoted solves, and for parameters.
    fn residual(&self) -> TokenStream {
        let (arguments, n, u) = (self.arguments(), self.n, self.u);
        let routine = &self.emission.evaluations.residual_jacobian;
        let body = self.body(routine);
        let statements = &body.statements;
        let mut at = 0;
        let mut next = |count: usize| {
            at += count;
            body.take(at - count, count)
        };
        let by_q = self.matrix(next(n * n), n);
        let by_v = self.matrix(next(n * n), n);
        let by_t = self.vector(next(n));
        let by_u = self.matrix(next(n * u), u);
        let count = Self::count(routine);
        let parameters = &self.emission.evaluations.residual_parameters;
        let parameter_body = self.body(parameters);
        let parameter_statements = &parameter_body.statements;
        let p = self.emission.parameters.len();
        let columns: Vec<TokenStream> = parameter_body.outputs.chunks(n).map(|column| self.vector(column)).collect();
        let parameter_count = Self::count(parameters);
        quote! {
            #count
            fn residual_jacobian(
                &self, #arguments, x: &SVector<R, #n>
            ) -> emitted::ResidualJacobian<R, #n, #u> {
                #statements
                emitted::ResidualJacobian { q: #by_q, v: #by_v, t: #by_t, u: #by_u }
            }

            #parameter_count
            fn residual_parameters(&self, #arguments, x: &SVector<R, #n>) -> [SVector<R, #n>; #p] {
                #parameter_statements
                [#(#columns),*]
            }
        }
    }

    fn acceleration_parameters(&self) -> TokenStream {
        let (arguments, n) = (self.arguments(), self.n);
        quote! {
            fn acceleration_parameters(
                &self, #arguments, columns: &mut [SVector<R, #n>]
            ) -> ::core::result::Result<(), SingularMass> {
                let a = System::acceleration(self, t, q, v, u)?.acceleration;
                let residual = self.residual_parameters(t, q, v, u, &a);
                emitted::solve_columns(&self.equations(t, q, v, u).mass_matrix, &residual, columns)
            }
        }
    }

    fn velocity_correction(&self) -> TokenStream {
        let n = self.n;
        let signature = quote! {
            fn velocity_correction(
                &self, t: R, q: &SVector<R, #n>, v: &SVector<R, #n>, x: &SVector<R, #n>
            ) -> ::core::result::Result<SVector<R, #n>, SingularMass>
        };
        let general = quote!(emitted::pivoted_velocity_correction(self, t, q, v, x));
        let Some(routine) = &self.emission.evaluations.velocity_correction else {
            return quote!(#[inline] #signature { #general });
        };
        let body = self.body(routine);
        let (statements, safe) = (&body.statements, &body.outputs[n]);
        let velocity = self.vector(body.take(0, n));
        let (count, inline) = (Self::count(routine), Self::inline(routine));
        quote! {
            #count
            #inline
            #signature {
                #statements
                if Mask::all(#safe) { ::core::result::Result::Ok(#velocity) } else { #general }
            }
        }
    }

    fn energies(&self) -> TokenStream {
        let routine = &self.emission.evaluations.energies;
        let (arguments, body) = (self.arguments(), self.body(routine));
        let (statements, energy) = (&body.statements, &body.outputs[0]);
        let (kinetic, potential) = if self.emission.energies_apart {
            let (kinetic, potential) = (&body.outputs[1], &body.outputs[2]);
            (quote!(::core::option::Option::Some(#kinetic)), quote!(::core::option::Option::Some(#potential)))
        } else {
            (quote!(::core::option::Option::None), quote!(::core::option::Option::None))
        };
        let count = Self::count(routine);
        quote! {
            #count
            #[inline]
            fn energies(&self, #arguments) -> Energies<R> {
                #statements
                Energies { kinetic: #kinetic, potential: #potential, energy: #energy }
            }
        }
    }

    fn powers(&self) -> TokenStream {
        let routine = &self.emission.evaluations.powers;
        let (arguments, body) = (self.arguments(), self.body(routine));
        let (statements, values, count) = (&body.statements, &body.outputs, Self::count(routine));
        let total = values.len();
        quote! {
            #count
            fn powers(&self, #arguments, out: &mut [R]) {
                #statements
                let powers: [R; #total] = [#(#values),*];
                for (out, power) in out.iter_mut().zip(powers) {
                    *out = power;
                }
            }
        }
    }
}
