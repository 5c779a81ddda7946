//! `impl System`, `Sensors` and `Linearise` for the prepared struct, and its marker traits.

use super::Emission;
use super::names::Naming;
use super::routine::{Body, Hoisted, array, body, map_body, piece_body};
use crate::program::{LinearMap, Part, Piece, Routine};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The most operations of a routine that is inlined into the methods that call it.
const INLINED_OPERATIONS: u32 = 300;

pub(super) struct Writer<'a, 'b> {
    pub(super) emission: &'a Emission<'b>,
    naming: &'a Naming,
    pub(super) n: usize,
    /// The number of rows of the constraints.
    pub(super) rows: usize,
    /// The number of rows as a literal in types.
    pub(super) c: Literal,
    pub(super) u: usize,
}

pub(super) fn system(emission: &Emission<'_>, naming: &Naming) -> TokenStream {
    let writer = Writer {
        emission,
        naming,
        n: emission.model.coordinates.len(),
        rows: emission.rows(),
        c: super::mechanism::constraint_count(emission),
        u: emission.model.inputs.len(),
    };
    let c = &writer.c;
    let (n, u, p) = (writer.n, writer.u, emission.model.parameters.len());
    let description = writer.description();
    let power_names = emission.equations.powers.iter().map(|power| &power.name);
    let evaluations = [
        writer.balance(),
        writer.inertial_balance(),
        writer.balance_jacobian(),
        writer.balance_by_time(),
        writer.equations(),
        writer.mass_matrix(),
        writer.inverse_dynamics(),
        writer.acceleration(),
        writer.velocity_correction(),
        writer.energies(),
        writer.constraints(),
        writer.switches(),
        writer.modes(),
        writer.contacts(),
    ];
    let sensors = [writer.powers(), writer.outputs()];
    let derivatives = [
        writer.balance_rates(),
        writer.acceleration_jacobian(),
        writer.acceleration_parameters(),
        writer.output_jacobian(),
    ];
    let (residual, solution, hidden) = (writer.residual(), writer.solution(), writer.hidden_without_slopes());
    quote! {
        impl<R: Scalar> Prepared<R> {
            #residual
            #solution
            #hidden
        }

        impl<R: Scalar> System<R, #n, #c, #u> for Prepared<R> {
            #description
            #(#evaluations)*
        }

        impl<R: Scalar> Sensors<R, #n, #u> for Prepared<R> {
            fn power_names(&self) -> &'static [&'static str] {
                &[#(#power_names),*]
            }
            #(#sensors)*
        }

        impl<R: Scalar> Linearise<R, #n, #c, #u> for Prepared<R> {
            #[inline]
            fn parameter_count(&self) -> usize {
                #p
            }
            #(#derivatives)*
        }
    }
}

impl Writer<'_, '_> {
    /// What the system says of itself: facts, names, numbers of states, inputs and parameters.
    fn description(&self) -> TokenStream {
        let (emission, u, p) = (self.emission, self.u, self.emission.model.parameters.len());
        let facts = super::mechanism::facts(emission);
        let coordinates = emission.model.coordinates.iter().map(|coordinate| &coordinate.name);
        let (inertial, states) = (emission.inertial(), self.states());
        let input_names = (u > 0).then(|| {
            quote! {
                fn input_names(&self) -> &'static [&'static str] {
                    &INPUTS
                }
            }
        });
        let runtime = &emission.runtime;
        let units = super::mechanism::stated_units(emission).map(|units| {
            quote! {
                fn units(&self) -> &'static #runtime::system::Units {
                    const UNITS: #runtime::system::Units = #units;
                    &UNITS
                }
            }
        });
        let ranges = super::mechanism::coordinate_ranges(emission).map(|ranges| {
            quote! {
                fn nominal_ranges(&self) -> &'static [Option<[f64; 2]>] {
                    &[#(#ranges),*]
                }
            }
        });
        quote! {
            #[inline]
            fn facts(&self) -> &'static Facts {
                const FACTS: Facts = #facts;
                &FACTS
            }
            fn coordinates(&self) -> &'static [&'static str] {
                &[#(#coordinates),*]
            }
            #states
            #units
            #ranges
            #input_names
            #[inline]
            fn default_inputs(&self) -> SVector<R, #u> {
                self.inputs
            }
            fn fingerprint(&self) -> Fingerprint {
                self.fingerprint
            }
            fn parameters(&self) -> Parameters<'_, R> {
                const INERTIAL: [bool; #p] = [#(#inertial),*];
                Parameters { names: PARAMETERS, values: &self.parameters, inertial: &INERTIAL }
            }
        }
    }

    /// The numbers of states and of coordinates without inertia; nothing where there are none.
    fn states(&self) -> Option<TokenStream> {
        let (k, without) = (self.emission.states(), self.emission.without_inertia());
        let without = (without > 0).then(|| {
            quote! {
                #[inline(always)]
                fn without_inertia_count(&self) -> usize {
                    #without
                }
            }
        });
        (k > 0).then(|| {
            quote! {
                #[inline(always)]
                fn state_count(&self) -> usize {
                    #k
                }
                #without
            }
        })
    }
}

/// One empty impl for each marker trait whose fact is true.
pub(super) fn markers(emission: &Emission<'_>) -> TokenStream {
    let facts = &emission.equations.facts;
    let markers = [
        (facts.autonomous, quote!(Autonomous)),
        (facts.conservative, quote!(Conservative)),
        (facts.constant_mass, quote!(ConstantMass)),
        (facts.separable, quote!(Separable)),
        (facts.velocity_free_acceleration, quote!(VelocityFreeAcceleration)),
        (facts.positive_mass, quote!(PositiveMass)),
        (facts.regular_momentum, quote!(RegularMomentum)),
        (facts.unconstrained, quote!(Unconstrained)),
        (facts.holonomic, quote!(Holonomic)),
    ];
    let proved = markers.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name);
    quote!(#(impl<R: Scalar> system::#proved for Prepared<R> {})*)
}

impl Writer<'_, '_> {
    pub(super) fn body(&self, routine: &Routine) -> Body {
        body(&self.emission.evaluations.builder, routine, self.naming, Hoisted::Fields)
    }

    /// A linear map. `zero` is a bundle of zeros.
    pub(super) fn map_body(&self, map: &LinearMap, zero: &TokenStream) -> Body {
        map_body(&self.emission.evaluations.builder, map, self.naming, zero)
    }

    /// A piece of a linear map.
    pub(super) fn piece_body(&self, map: &LinearMap, piece: &Piece) -> TokenStream {
        piece_body(&self.emission.evaluations.builder, map, piece, self.naming)
    }

    /// The arguments that every evaluation takes.
    pub(super) fn arguments(&self) -> TokenStream {
        let (n, u) = (self.n, self.u);
        quote!(t: R, q: &SVector<R, #n>, v: &SVector<R, #n>, u: &SVector<R, #u>)
    }

    pub(super) fn vector(&self, entries: &[TokenStream]) -> TokenStream {
        let n = entries.len();
        let entries = array(entries);
        quote!(SVector::<R, #n>::from(#entries))
    }

    /// A matrix with a row for each coordinate. The entries are listed column by column.
    pub(super) fn matrix(&self, entries: &[TokenStream], columns: usize) -> TokenStream {
        self.matrix_of(entries, self.n, columns)
    }

    /// A matrix of `n` rows. The entries are listed column by column.
    pub(super) fn matrix_of(&self, entries: &[TokenStream], n: usize, columns: usize) -> TokenStream {
        if n == 0 {
            return quote!(SMatrix::repeat(R::ZERO));
        }
        let columns_of: Vec<TokenStream> = entries.chunks(n).map(array).collect();
        // The type of the array is written out, because a matrix of one row without columns could come from two types
        // of array.
        quote!(SMatrix::<R, #n, #columns>::from([#(#columns_of),*] as [[R; #n]; #columns]))
    }

    pub(super) fn inline(routine: &Routine) -> TokenStream {
        if routine.count().total() <= INLINED_OPERATIONS { quote!(#[inline(always)]) } else { quote!(#[inline]) }
    }

    pub(super) fn count(routine: &Routine) -> TokenStream {
        let text = format!("Operations: {}.", routine.count());
        quote!(#[doc = #text])
    }

    fn balance(&self) -> TokenStream {
        let routine = &self.emission.evaluations.balance;
        let (arguments, body, inline, n) = (self.arguments(), self.body(routine), Self::inline(routine), self.n);
        let statements = &body.statements;
        let (momentum, balance) = (self.vector(body.part(Part::Momentum)), self.vector(body.part(Part::Balance)));
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

    fn inertial_balance(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.inertial_balance else { return quote!() };
        let (arguments, body, inline, n) = (self.arguments(), self.body(routine), Self::inline(routine), self.n);
        let statements = &body.statements;
        let (momentum, balance) = (self.vector(body.part(Part::Momentum)), self.vector(body.part(Part::Balance)));
        let mass_matrix = self.matrix(body.part(Part::Mass), n);
        let count = Self::count(routine);
        quote! {
            #count
            #inline
            fn inertial_balance(&self, #arguments) -> InertialBalance<R, #n> {
                #statements
                InertialBalance { momentum: #momentum, balance: #balance, mass_matrix: #mass_matrix }
            }
        }
    }

    fn balance_jacobian(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.balance_jacobian else {
            return self.balance_jacobian_by_duals();
        };
        let (arguments, body, n) = (self.arguments(), self.body(routine), self.n);
        let statements = &body.statements;
        let momentum = self.vector(body.part(Part::Momentum));
        let balance = self.vector(body.part(Part::Balance));
        let momentum_q = self.matrix(body.part(Part::MomentumByQ), n);
        let mass_matrix = self.matrix(body.part(Part::Mass), n);
        let balance_q = self.matrix(body.part(Part::BalanceByQ), n);
        let balance_v = self.matrix(body.part(Part::BalanceByV), n);
        let count = Self::count(routine);
        quote! {
            #count
            #[inline]
            fn balance_jacobian(&self, #arguments) -> BalanceJacobian<R, #n> {
                #statements
                BalanceJacobian {
                    momentum: #momentum,
                    balance: #balance,
                    momentum_q: #momentum_q,
                    mass_matrix: #mass_matrix,
                    balance_q: #balance_q,
                    balance_v: #balance_v,
                }
            }
        }
    }

    /// ∂p/∂t and ∂f/∂t of equations that depend on the time or on inputs. The default is 0 for others, and no method asks for those of constrained ones.
    fn balance_by_time(&self) -> TokenStream {
        let facts = &self.emission.equations.facts;
        if facts.autonomous || !facts.unconstrained {
            return quote!();
        }
        let (arguments, n) = (self.arguments(), self.n);
        quote! {
            #[inline]
            fn balance_by_time(&self, #arguments) -> ::core::option::Option<Balance<R, #n>> {
                let rates = Linearise::balance_rates(self, t, q, v, u);
                ::core::option::Option::Some(Balance { momentum: rates.momentum_t, balance: rates.balance_t })
            }
        }
    }

    fn balance_rates(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.balance_rates else { return self.balance_rates_by_duals() };
        let (arguments, body, n, u) = (self.arguments(), self.body(routine), self.n, self.u);
        let statements = &body.statements;
        let momentum_t = self.vector(body.part(Part::MomentumByT));
        let balance_t = self.vector(body.part(Part::BalanceByT));
        let balance_u = self.matrix(body.part(Part::BalanceByU), u);
        let count = Self::count(routine);
        quote! {
            #count
            #[inline]
            fn balance_rates(&self, #arguments) -> BalanceRates<R, #n, #u> {
                #statements
                BalanceRates { momentum_t: #momentum_t, balance_t: #balance_t, balance_u: #balance_u }
            }
        }
    }

    fn equations(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.equations else { return self.equations_by_residual() };
        let (arguments, body, inline, n) = (self.arguments(), self.body(routine), Self::inline(routine), self.n);
        let statements = &body.statements;
        let (mass, forcing) = (self.matrix(body.part(Part::Mass), n), self.vector(body.part(Part::Forcing)));
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

    /// M alone; nothing where it comes with F.
    fn mass_matrix(&self) -> TokenStream {
        let Some(routine) = &self.emission.evaluations.mass_matrix else {
            return self.mass_matrix_by_map().unwrap_or_default();
        };
        let (arguments, body, n) = (self.arguments(), self.body(routine), self.n);
        let (statements, mass, count) = (&body.statements, self.matrix(body.part(Part::Mass), n), Self::count(routine));
        quote! {
            #count
            fn mass_matrix(&self, #arguments) -> SMatrix<R, #n, #n> {
                #statements
                #mass
            }
        }
    }

    fn acceleration(&self) -> TokenStream {
        let (arguments, n, c) = (self.arguments(), self.n, &self.c);
        let signature = quote! {
            fn acceleration(
                &self, #arguments
            ) -> ::core::result::Result<Acceleration<R, #n, #c>, SingularMass>
        };
        let at_rest = self.at_rest();
        let (solved, pivoted) = if self.rows == 0 {
            let pivoted = match self.emission.evaluations.residual {
                Some(_) => quote!(emitted::pivoted_acceleration_by_residual(self, t, *q, *v, *u)),
                None => quote!(emitted::pivoted_acceleration(self, t, *q, *v, *u)),
            };
            (quote!(emitted::acceleration(&self.equations(t, q, v, u))), pivoted)
        } else {
            let pivoted = quote!(emitted::constrained_acceleration(self, t, *q, *v, *u));
            (pivoted.clone(), pivoted)
        };
        let Some(routine) = &self.emission.evaluations.acceleration else {
            return quote! {
                #[inline]
                #signature {
                    #at_rest
                    #solved
                }
            };
        };
        let body = self.body(routine);
        let (statements, safe) = (&body.statements, body.part(Part::Safe));
        let acceleration = self.vector(body.part(Part::Acceleration));
        let multipliers = self.multipliers(body.part(Part::Multipliers));
        let (count, inline) = (Self::count(routine), Self::inline(routine));
        quote! {
            #count
            #inline
            #signature {
                #at_rest
                #statements
                if R::LANES > 1 || Mask::all(#(#safe)*) {
                    ::core::result::Result::Ok(emitted::where_safe(#(#safe)*, Acceleration {
                        acceleration: #acceleration,
                        multipliers: #multipliers,
                    }))
                } else {
                    #pivoted
                }
            }
        }
    }

    /// A vector with an entry for each row of the constraints.
    pub(super) fn multipliers(&self, entries: &[TokenStream]) -> TokenStream {
        let c = &self.c;
        let entries = array(entries);
        quote!(SVector::<R, #c>::from(#entries))
    }

    fn velocity_correction(&self) -> TokenStream {
        let n = self.n;
        let signature = quote! {
            fn velocity_correction(
                &self, t: R, q: &SVector<R, #n>, v: &SVector<R, #n>, x: &SVector<R, #n>
            ) -> ::core::result::Result<SVector<R, #n>, SingularMass>
        };
        let general = if self.rows == 0 {
            quote!(emitted::pivoted_velocity_correction(self, t, *q, *v, *x))
        } else if self.emission.equations.singular_mass {
            quote!(emitted::singular_velocity_correction(self, t, *q, *v, *x))
        } else {
            quote!(emitted::constrained_velocity_correction(self, t, *q, *v, *x))
        };
        let Some(routine) = &self.emission.evaluations.velocity_correction else {
            return quote!(#[inline] #signature { #general });
        };
        let body = self.body(routine);
        let (statements, safe) = (&body.statements, body.part(Part::Safe));
        let velocity = self.vector(body.part(Part::Velocity));
        let (count, inline) = (Self::count(routine), Self::inline(routine));
        quote! {
            #count
            #inline
            #signature {
                #statements
                if Mask::all(#(#safe)*) { ::core::result::Result::Ok(#velocity) } else { #general }
            }
        }
    }

    fn energies(&self) -> TokenStream {
        let routine = &self.emission.evaluations.energies;
        let (arguments, body) = (self.arguments(), self.body(routine));
        let (statements, energy) = (&body.statements, body.part(Part::Energy));
        let stated = |part: Part| match body.part(part) {
            [] => quote!(::core::option::Option::None),
            value => quote!(::core::option::Option::Some(#(#value)*)),
        };
        let (kinetic, potential) = (stated(Part::Kinetic), stated(Part::Potential));
        let count = Self::count(routine);
        quote! {
            #count
            #[inline]
            fn energies(&self, #arguments) -> Energies<R> {
                #statements
                Energies { kinetic: #kinetic, potential: #potential, energy: #(#energy)* }
            }
        }
    }
}
