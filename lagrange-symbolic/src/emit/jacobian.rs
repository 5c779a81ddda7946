//! The evaluations of `Linearise`: derivatives of accelerations and multipliers.

use super::routine::{Body, array};
use super::system::Writer;
use crate::program::{LinearMap, Part, Routine};
use proc_macro2::TokenStream;
use quote::quote;

impl Writer<'_, '_> {
    pub(super) fn acceleration_jacobian(&self) -> TokenStream {
        if !self.emission.contacts().is_empty() {
            return self.acceleration_jacobian_by_duals();
        }
        let (arguments, n, c, u) = (self.arguments(), self.n, &self.c, self.u);
        let signature = quote! {
            fn acceleration_jacobian(
                &self, #arguments
            ) -> ::core::result::Result<AccelerationJacobian<R, #n, #c, #u>, SingularMass>
        };
        let (general, at_solution) = self.general_acceleration_jacobian();
        let Some(routine) = &self.emission.evaluations.acceleration_jacobian else {
            return quote!(#[inline] #signature { #general } #at_solution);
        };
        let body = self.body(routine);
        let (statements, safe) = (&body.statements, body.part(Part::Safe));
        let acceleration = self.vector(body.part(Part::Acceleration));
        let multipliers = self.multipliers(body.part(Part::Multipliers));
        let [by_q, by_v, by_t, by_u] = self.blocks(&body);
        let (acceleration_q, multipliers_q) = (self.matrix(&by_q.0, n), self.matrix_of(&by_q.1, self.rows, n));
        let (acceleration_v, multipliers_v) = (self.matrix(&by_v.0, n), self.matrix_of(&by_v.1, self.rows, n));
        let (acceleration_t, multipliers_t) = (self.vector(&by_t.0), self.multipliers(&by_t.1));
        let (acceleration_u, multipliers_u) = (self.matrix(&by_u.0, u), self.matrix_of(&by_u.1, self.rows, u));
        let count = Self::count(routine);
        quote! {
            #count
            #[inline]
            #signature {
                #statements
                if Mask::all(#(#safe)*) {
                    ::core::result::Result::Ok(AccelerationJacobian {
                        acceleration: #acceleration,
                        multipliers: #multipliers,
                        acceleration_q: #acceleration_q,
                        acceleration_v: #acceleration_v,
                        acceleration_t: #acceleration_t,
                        acceleration_u: #acceleration_u,
                        multipliers_q: #multipliers_q,
                        multipliers_v: #multipliers_v,
                        multipliers_t: #multipliers_t,
                        multipliers_u: #multipliers_u,
                    })
                } else {
                    #general
                }
            }

            #at_solution
        }
    }

    /// The Jacobian from the residuals where it is no routine, and where the pivots of the routine are not safe; with constraints also the function that
    /// takes a and λ as known.
    fn general_acceleration_jacobian(&self) -> (TokenStream, TokenStream) {
        let (arguments, n, c, u) = (self.arguments(), self.n, &self.c, self.u);
        let (solved, rows) = if self.rows == 0 {
            (
                quote!(&Acceleration { acceleration: a, multipliers: SVector::from([]) }),
                quote!(&emitted::ConstraintResidualJacobian::none()),
            )
        } else {
            (quote!(solved), quote!(&constraint_rows))
        };
        let factored = self.by_factors(&quote! {
            return ::core::result::Result::Ok(emitted::factored_jacobian(#solved, &residual, #rows, solve));
        });
        let general = if self.rows == 0 {
            let sloped = self.acceleration_jacobian_by_slopes().and_then(|sloped| self.by_factors(&sloped));
            let factored = factored.as_ref().filter(|_| sloped.is_none());
            quote! {
                let a = System::acceleration(self, t, q, v, u)?.acceleration;
                #sloped
                let residual = self.residual_jacobian(t, q, v, u, &a);
                #factored
                emitted::acceleration_jacobian(&self.equations(t, q, v, u).mass_matrix, &a, &residual)
            }
        } else {
            quote! {
                let solved = System::acceleration(self, t, q, v, u)?;
                self.acceleration_jacobian_at(t, q, v, u, &solved, 0.0)
            }
        };
        let at_solution = if self.rows == 0 {
            quote!()
        } else {
            quote! {
                fn acceleration_jacobian_at(
                    &self, #arguments, solved: &Acceleration<R, #n, #c>, tolerance: f64
                ) -> ::core::result::Result<AccelerationJacobian<R, #n, #c, #u>, SingularMass> {
                    let (residual, constraint_rows) =
                        self.residual_jacobian(t, q, v, u, &solved.acceleration, &solved.multipliers);
                    #factored
                    emitted::constrained_jacobian(
                        self, (t, q, v, u), solved, &residual, &constraint_rows, tolerance,
                    )
                }
            }
        };
        (general, at_solution)
    }

    /// What is done with the closure `solve`, which solves for several right-hand sides, or with the map `solution` of them where M⁻¹ is computed, where
    /// the pivots are safe; nothing where the solution is not written out.
    fn by_factors(&self, solved: &TokenStream) -> Option<TokenStream> {
        let (n, c) = (self.n, &self.c);
        self.emission.evaluations.solution.as_ref().map(|_| {
            let solve = match self.inverse() {
                Some(inverse) => {
                    let solution = inverse.applied();
                    quote!(let solution = #solution;)
                }
                None => quote! {
                    let solve = |x: &SVector<emitted::TwoBundles<R>, #n>, multipliers: &SVector<emitted::TwoBundles<R>, #c>| {
                        self.solution(&factors, x, multipliers)
                    };
                },
            };
            quote! {
                let (factors, safe) = self.factors(t, q, v, u);
                if Mask::all(safe) {
                    #solve
                    #solved
                }
            }
        })
    }

    /// The factors of [M Gᵀ; G 0], and the solution from them; nothing where the Jacobian is a routine, or a loop solves.
    pub(super) fn solution(&self) -> TokenStream {
        let Some(map @ LinearMap { factors, given, .. }) = &self.emission.evaluations.solution else {
            return TokenStream::new();
        };
        let (arguments, count, of_factors) = (self.arguments(), given.len(), Self::count(factors));
        let body = self.body(factors);
        let (statements, entries, safe) = (&body.statements, array(body.part(Part::Factors)), body.part(Part::Safe));
        let solution = match self.inverse() {
            Some(inverse) => inverse.map_functions(self),
            None => self.solution_of_sides(map),
        };
        quote! {
            #of_factors
            fn factors(&self, #arguments) -> ([R; #count], R::Mask) {
                #statements
                (#entries, #(#safe)*)
            }

            #solution
        }
    }

    /// The solution for right-hand sides as one function.
    fn solution_of_sides(&self, map: &LinearMap) -> TokenStream {
        let (n, c, count, of_solution) = (self.n, &self.c, map.given.len(), Self::count(&map.map));
        let solved = self.map_body(map, &quote!(emitted::TwoBundles::ZERO));
        let statements = &solved.statements;
        let (a, multipliers) = solved.outputs.split_at(n);
        let (a, multipliers) = (array(a), array(multipliers));
        quote! {
            #of_solution
            fn solution(
                &self,
                factors: &[R; #count],
                x: &SVector<emitted::TwoBundles<R>, #n>,
                multipliers: &SVector<emitted::TwoBundles<R>, #c>,
            ) -> (SVector<emitted::TwoBundles<R>, #n>, SVector<emitted::TwoBundles<R>, #c>) {
                #statements
                (SVector::from(#a), SVector::from(#multipliers))
            }
        }
    }

    /// The columns by q, v, t, u. Each is split into the rows of r and the rows of s.
    fn blocks(&self, body: &Body) -> [(Vec<TokenStream>, Vec<TokenStream>); 4] {
        let height = self.n + self.rows;
        [Part::ByQ, Part::ByV, Part::ByT, Part::ByU].map(|part| {
            let (mut upper, mut lower) = (Vec::new(), Vec::new());
            for column in body.part(part).chunks(height.max(1)) {
                upper.extend_from_slice(&column[..self.n]);
                lower.extend_from_slice(&column[self.n..]);
            }
            (upper, lower)
        })
    }

    /// The derivatives of the residuals, with a and λ as arguments. Pivoted solutions and derivatives by parameters
    /// need them.
    pub(super) fn residual(&self) -> TokenStream {
        let evaluations = self.emission.evaluations;
        let residual = evaluations.residual.as_ref().map(|routine| self.residual_routine(routine));
        let joined = evaluations.joined_residual.as_ref().map(|routine| self.joined_residual_routine(routine));
        let mass_map = self.mass_map();
        let (jacobian, parameters) = match (&evaluations.residual_jacobian, &evaluations.residual_parameters) {
            (Some(jacobian), Some(parameters)) => {
                (self.residual_jacobian(jacobian), self.residual_parameters(parameters))
            }
            (Some(jacobian), None) => (self.residual_jacobian(jacobian), self.residual_parameters_by_duals()),
            _ if residual.is_some() => {
                let jacobian = match &evaluations.residual_slopes {
                    Some(slopes) => self.residual_jacobian_by_slopes(slopes),
                    None => self.residual_jacobian_by_duals(),
                };
                (jacobian, self.residual_parameters_by_duals())
            }
            _ => return TokenStream::new(),
        };
        quote!(#residual #joined #mass_map #jacobian #parameters)
    }

    /// The derivatives of the residuals by q, v, t and u.
    fn residual_jacobian(&self, routine: &Routine) -> TokenStream {
        let (arguments, n, c, u) = (self.arguments(), self.n, &self.c, self.u);
        let body = self.body(routine);
        let (statements, count) = (&body.statements, Self::count(routine));
        let [by_q, by_v, by_t, by_u] = self.blocks(&body);
        let (q, v, t, by_input) =
            (self.matrix(&by_q.0, n), self.matrix(&by_v.0, n), self.vector(&by_t.0), self.matrix(&by_u.0, u));
        let (rows_q, rows_v) = (self.matrix_of(&by_q.1, self.rows, n), self.matrix_of(&by_v.1, self.rows, n));
        let rows_t = self.multipliers(&by_t.1);
        let residual = quote!(emitted::ResidualJacobian { q: #q, v: #v, t: #t, u: #by_input });
        let rows = quote!(emitted::ConstraintResidualJacobian { q: #rows_q, v: #rows_v, t: #rows_t });
        let residual_type = quote!(emitted::ResidualJacobian<R, #n, #u>);
        let (jacobian_type, jacobian, multipliers) = if self.rows == 0 {
            (residual_type, residual, quote!())
        } else {
            (
                quote!((#residual_type, emitted::ConstraintResidualJacobian<R, #n, #c>)),
                quote!((#residual, #rows)),
                quote!(, multipliers: &SVector<R, #c>),
            )
        };
        quote! {
            #count
            fn residual_jacobian(
                &self, #arguments, x: &SVector<R, #n> #multipliers
            ) -> #jacobian_type {
                #statements
                #jacobian
            }
        }
    }

    /// The derivatives of the residuals by each parameter.
    fn residual_parameters(&self, routine: &Routine) -> TokenStream {
        let (arguments, n, c, p) = (self.arguments(), self.n, &self.c, self.emission.model.parameters.len());
        let body = self.body(routine);
        let (statements, count) = (&body.statements, Self::count(routine));
        let columns = body.outputs.chunks(n + self.rows);
        let upper: Vec<TokenStream> = columns.clone().map(|column| self.vector(&column[..n])).collect();
        let lower = columns.map(|column| self.multipliers(&column[n..]));
        let (columns_type, columns, multipliers) = if self.rows == 0 {
            (quote!([SVector<R, #n>; #p]), quote!([#(#upper),*]), quote!())
        } else {
            (
                quote!(([SVector<R, #n>; #p], [SVector<R, #c>; #p])),
                quote!(([#(#upper),*], [#(#lower),*])),
                quote!(, multipliers: &SVector<R, #c>),
            )
        };
        quote! {
            #count
            fn residual_parameters(&self, #arguments, x: &SVector<R, #n> #multipliers) -> #columns_type {
                #statements
                #columns
            }
        }
    }

    pub(super) fn acceleration_parameters(&self) -> TokenStream {
        if !self.emission.contacts().is_empty() {
            return self.acceleration_parameters_by_duals();
        }
        let (arguments, n, c, p) = (self.arguments(), self.n, &self.c, self.emission.model.parameters.len());
        let rows = if self.rows == 0 { quote!(&[SVector::from([]); #p]) } else { quote!(&constraint_rows) };
        let solved = match self.inverse() {
            Some(_) => quote!(emitted::mapped_columns(&solution, &residual, columns);),
            None => quote!(emitted::factored_columns(&residual, #rows, solve, columns);),
        };
        let factored = self.by_factors(&quote! {
            #solved
            return ::core::result::Result::Ok(());
        });
        let solve = if self.rows == 0 {
            quote! {
                let a = System::acceleration(self, t, q, v, u)?.acceleration;
                let residual = self.residual_parameters(t, q, v, u, &a);
                #factored
                emitted::solve_columns(&self.equations(t, q, v, u).mass_matrix, &residual, columns)
            }
        } else {
            quote! {
                let solved = System::acceleration(self, t, q, v, u)?;
                let (residual, constraint_rows) =
                    self.residual_parameters(t, q, v, u, &solved.acceleration, &solved.multipliers);
                #factored
                emitted::solve_constrained_columns(self, (t, q, v, u), &residual, &constraint_rows, columns)
            }
        };
        quote! {
            fn acceleration_parameters(
                &self, #arguments, columns: &mut [Acceleration<R, #n, #c>]
            ) -> ::core::result::Result<(), SingularMass> {
                #solve
            }
        }
    }
}
