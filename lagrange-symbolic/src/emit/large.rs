//! The evaluations of a mechanism whose Jacobians are too large to write out, or which has contacts. Dual numbers are passed through
//! p, f and r, or through a and λ.

use super::names::Naming;
use super::system::Writer;
use super::{Emission, prepared};
use crate::program::{Pattern, Routine};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The prepared struct with dual numbers as its scalars. It is emitted for large mechanisms and for those with contacts only.
pub(super) fn lifting(emission: &Emission<'_>, naming: &Naming) -> TokenStream {
    if !emission.evaluations.use_dual_numbers() {
        return TokenStream::new();
    }
    let fields = prepared::fields(emission, naming);
    let values = fields.iter().map(|(field, kind)| match kind {
        prepared::FieldKind::Mask => quote!(#field: self.#field),
        prepared::FieldKind::Number => quote!(#field: Dual::constant(self.#field)),
        prepared::FieldKind::Table(_) => quote!(#field: self.#field.map(Dual::constant)),
    });
    let p = emission.model.parameters.len();
    quote! {
        impl<R: Scalar> Prepared<R> {
            /// The prepared struct with each value as a constant dual number.
            fn lifted<const D: usize>(&self) -> Prepared<Dual<R, D>> {
                Prepared {
                    fingerprint: self.fingerprint,
                    inputs: self.inputs.map(Dual::constant),
                    parameters: self.parameters.map(Dual::constant),
                    #(#values,)*
                }
            }

            /// The prepared struct with a dual variable for each of `D` parameters from `first` on.
            fn varied<const D: usize>(&self, first: usize) -> Prepared<Dual<R, D>> {
                let parameters: [Dual<R, D>; #p] = emitted::variables(&self.parameters, first);
                Prepared::of(&parameters, &self.inputs.map(Dual::constant), self.fingerprint)
            }
        }
    }
}

/// The structure of a Jacobian as an argument.
pub(super) fn pattern(pattern: Option<&Pattern>) -> TokenStream {
    let Some(Pattern { groups, rows }) = pattern else { return quote!(::core::option::Option::None) };
    let number = |index: &usize| Literal::usize_unsuffixed(*index);
    let groups = groups.iter().map(number);
    let rows = rows.iter().map(|rows| match rows {
        Some(rows) => {
            let rows = rows.iter().map(number);
            quote!(::core::option::Option::Some(&[#(#rows),*]))
        }
        None => quote!(::core::option::Option::None),
    });
    quote!(::core::option::Option::Some(&emitted::Pattern { groups: &[#(#groups),*], rows: &[#(#rows),*] }))
}

impl Writer<'_, '_> {
    pub(super) fn balance_jacobian_by_duals(&self) -> TokenStream {
        let (arguments, n) = (self.arguments(), self.n);
        let pattern = pattern(self.emission.evaluations.balance_pattern.as_ref());
        quote! {
            fn balance_jacobian(&self, #arguments) -> BalanceJacobian<R, #n> {
                let lifted = self.lifted();
                emitted::balance_jacobian(|t, q, v, u| System::balance(&lifted, t, q, v, u), (t, q, v, u), #pattern)
            }
        }
    }

    pub(super) fn balance_rates_by_duals(&self) -> TokenStream {
        let (arguments, n, u) = (self.arguments(), self.n, self.u);
        let pattern = pattern(self.emission.evaluations.balance_pattern.as_ref());
        quote! {
            fn balance_rates(&self, #arguments) -> BalanceRates<R, #n, #u> {
                let lifted = self.lifted();
                emitted::balance_rates(|t, q, v, u| System::balance(&lifted, t, q, v, u), (t, q, v, u), #pattern)
            }
        }
    }

    /// M = ∂r/∂a and F = −r at a = 0.
    pub(super) fn equations_by_residual(&self) -> TokenStream {
        let (arguments, n) = (self.arguments(), self.n);
        let evaluations = self.emission.evaluations;
        let body = if evaluations.mass_matrix.is_some() || evaluations.mass_map.is_some() {
            quote! {
                Equations {
                    mass_matrix: System::mass_matrix(self, t, q, v, u),
                    forcing: -self.residual(t, q, v, u, &SVector::repeat(R::ZERO)),
                }
            }
        } else {
            quote!(emitted::equations(self, t, q, v, u))
        };
        quote! {
            fn equations(&self, #arguments) -> Equations<R, #n> {
                #body
            }
        }
    }

    /// a, λ and their derivatives in the phases of the contacts at this state.
    pub(super) fn acceleration_jacobian_by_duals(&self) -> TokenStream {
        let (arguments, n, c, u) = (self.arguments(), self.n, &self.c, self.u);
        quote! {
            fn acceleration_jacobian(
                &self, #arguments
            ) -> ::core::result::Result<AccelerationJacobian<R, #n, #c, #u>, SingularMass> {
                let lifted = self.lifted();
                emitted::contact_jacobian(|t, q, v, u| System::acceleration(&lifted, t, q, v, u), (t, q, v, u))
            }
        }
    }

    /// The derivatives of a and λ by parameters in the phases of the contacts at this state.
    pub(super) fn acceleration_parameters_by_duals(&self) -> TokenStream {
        let (arguments, n, c) = (self.arguments(), self.n, &self.c);
        let p = self.emission.model.parameters.len();
        quote! {
            fn acceleration_parameters(
                &self, #arguments, columns: &mut [Acceleration<R, #n, #c>]
            ) -> ::core::result::Result<(), SingularMass> {
                let t = Dual::constant(t);
                let (q, v, u) = (q.map(Dual::constant), v.map(Dual::constant), u.map(Dual::constant));
                emitted::contact_columns(|first| System::acceleration(&self.varied(first), t, &q, &v, &u), #p, columns)
            }
        }
    }

    /// r, with a as an argument.
    pub(super) fn residual_routine(&self, routine: &Routine) -> TokenStream {
        let (arguments, n, body) = (self.arguments(), self.n, self.body(routine));
        let (statements, residual, count) = (&body.statements, self.vector(&body.outputs), Self::count(routine));
        quote! {
            #count
            fn residual(&self, #arguments, x: &SVector<R, #n>) -> SVector<R, #n> {
                #statements
                #residual
            }
        }
    }

    /// r and s, with a and λ as arguments.
    pub(super) fn joined_residual_routine(&self, routine: &Routine) -> TokenStream {
        let (arguments, n, c, body) = (self.arguments(), self.n, &self.c, self.body(routine));
        let (statements, rows, count) = (&body.statements, self.vector(&body.outputs), Self::count(routine));
        let total = body.outputs.len();
        quote! {
            #count
            fn joined_residual(
                &self, #arguments, x: &SVector<R, #n>, multipliers: &SVector<R, #c>
            ) -> SVector<R, #total> {
                #statements
                #rows
            }
        }
    }

    /// M a − F by r; nothing where r is no routine.
    pub(super) fn inverse_dynamics(&self) -> TokenStream {
        if self.emission.evaluations.residual.is_none() {
            return TokenStream::new();
        }
        let (n, u) = (self.n, self.u);
        quote! {
            #[inline]
            fn inverse_dynamics(
                &self, t: R, q: &SVector<R, #n>, v: &SVector<R, #n>, a: &SVector<R, #n>, u: &SVector<R, #u>
            ) -> SVector<R, #n> {
                self.residual(t, q, v, u, a)
            }
        }
    }

    /// The derivatives of r by q, v, t and u, with a as an argument.
    pub(super) fn residual_jacobian_by_duals(&self) -> TokenStream {
        let (arguments, n, u) = (self.arguments(), self.n, self.u);
        if self.rows > 0 {
            let body = quote! {
                let (lifted, x, multipliers) = (self.lifted(), x.map(Dual::constant), multipliers.map(Dual::constant));
                emitted::joined_jacobian(
                    |t, q, v, u| lifted.joined_residual(t, q, v, u, &x, &multipliers), (t, q, v, u),
                )
            };
            return self.joined_jacobian(&body);
        }
        let pattern = pattern(self.emission.evaluations.residual_pattern.as_ref());
        quote! {
            fn residual_jacobian(&self, #arguments, x: &SVector<R, #n>) -> emitted::ResidualJacobian<R, #n, #u> {
                let (lifted, x) = (self.lifted(), x.map(Dual::constant));
                emitted::residual_jacobian(|t, q, v, u| lifted.residual(t, q, v, u, &x), (t, q, v, u), #pattern)
            }
        }
    }

    /// The derivatives of r and s by q, v, t and u, with a and λ as arguments.
    pub(super) fn joined_jacobian(&self, body: &TokenStream) -> TokenStream {
        let (arguments, n, c, u) = (self.arguments(), self.n, &self.c, self.u);
        quote! {
            fn residual_jacobian(
                &self, #arguments, x: &SVector<R, #n>, multipliers: &SVector<R, #c>
            ) -> (emitted::ResidualJacobian<R, #n, #u>, emitted::ConstraintResidualJacobian<R, #n, #c>) {
                #body
            }
        }
    }

    /// The derivatives of r by each parameter, with a as an argument.
    pub(super) fn residual_parameters_by_duals(&self) -> TokenStream {
        let (arguments, n, c) = (self.arguments(), self.n, &self.c);
        let p = self.emission.model.parameters.len();
        if self.rows > 0 {
            return quote! {
                fn residual_parameters(
                    &self, #arguments, x: &SVector<R, #n>, multipliers: &SVector<R, #c>
                ) -> ([SVector<R, #n>; #p], [SVector<R, #c>; #p]) {
                    let (t, x, multipliers) = (Dual::constant(t), x.map(Dual::constant), multipliers.map(Dual::constant));
                    let (q, v, u) = (q.map(Dual::constant), v.map(Dual::constant), u.map(Dual::constant));
                    emitted::joined_parameter_columns(
                        |first| self.varied(first).joined_residual(t, &q, &v, &u, &x, &multipliers),
                    )
                }
            };
        }
        quote! {
            fn residual_parameters(&self, #arguments, x: &SVector<R, #n>) -> [SVector<R, #n>; #p] {
                let (t, x) = (Dual::constant(t), x.map(Dual::constant));
                let (q, v, u) = (q.map(Dual::constant), v.map(Dual::constant), u.map(Dual::constant));
                emitted::parameter_columns(|first| self.varied(first).residual(t, &q, &v, &u, &x))
            }
        }
    }
}
