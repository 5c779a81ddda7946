//! Linear maps of directions: the derivatives of the residuals, M times vectors, and solutions for right-hand sides. A map is emitted in pieces.

use super::large::pattern;
use super::routine::array;
use super::system::Writer;
use crate::program::{Bundles, LinearMap, Part, Pieces};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::ops::Range;

impl Writer<'_, '_> {
    /// M column by column, several at once; nothing where no map gives them.
    pub(super) fn mass_matrix_by_map(&self) -> Option<TokenStream> {
        let slope = self.mass_slope()?;
        let (arguments, n) = (self.arguments(), self.n);
        let (at_state, map, slots) = (slope.at_state(), slope.applied(), slope.slots);
        Some(quote! {
            fn mass_matrix(&self, #arguments) -> SMatrix<R, #n, #n> {
                let x = &SVector::repeat(R::ZERO);
                #at_state
                emitted::mass_matrix::<R, #n, #slots>(#map)
            }
        })
    }

    /// M times a vector, in several functions; nothing where M is written out or comes from dual numbers.
    pub(super) fn mass_map(&self) -> Option<TokenStream> {
        Some(self.mass_slope()?.functions(self))
    }

    fn mass_slope(&self) -> Option<Slope<'_>> {
        let map = self.emission.evaluations.mass_map.as_ref()?;
        Some(Slope::new(self, map, "by_a", self.n, false, Bundles::InTurn))
    }

    /// The solution for right-hand sides in pieces, where M⁻¹ is computed and multiplied with the derivatives of r in directions.
    pub(super) fn inverse(&self) -> Option<Slope<'_>> {
        let map = self.emission.evaluations.solution.as_ref().filter(|_| self.rows == 0 && self.has_alone_slopes())?;
        let names = ["factors", "solution"].map(str::to_owned);
        Some(Slope::of_arguments(map, names, 0..self.n as u32, Bundles::Symmetric))
    }

    /// Whether r is differentiated in directions, of which each coordinate and velocity has its own.
    fn has_alone_slopes(&self) -> bool {
        let evaluations = self.emission.evaluations;
        let pattern = evaluations.residual_pattern.as_ref();
        evaluations.residual_slopes.is_some() && !pattern.is_some_and(|pattern| pattern.has_groups_among(2 * self.n))
    }

    /// The derivatives of r, and of s with constraints, by q, v, t and u, with a and λ as arguments, from the derivatives in directions of q, of v and
    /// of (t, u).
    pub(super) fn residual_jacobian_by_slopes(&self, slopes: &[LinearMap; 3]) -> TokenStream {
        let (arguments, n, c, u) = (self.arguments(), self.n, &self.c, self.u);
        let pattern = pattern(self.emission.evaluations.residual_pattern.as_ref());
        let slopes = self.slopes(slopes);
        let (at_state, slots) = (slopes.each_ref().map(Slope::at_state), slopes[0].slots);
        let maps = slopes.each_ref().map(Slope::applied);
        let rows = slopes[0].rows();
        let functions = slopes.map(|slope| slope.functions(self));
        if self.rows > 0 {
            let jacobian = self.joined_jacobian(&quote! {
                #(#at_state)*
                emitted::joined_columns::<R, #n, #c, #u, #rows, #slots>(#(#maps),*)
            });
            return quote!(#jacobian #(#functions)*);
        }
        quote! {
            fn residual_jacobian(&self, #arguments, x: &SVector<R, #n>) -> emitted::ResidualJacobian<R, #n, #u> {
                #(#at_state)*
                emitted::residual_columns::<R, #n, #u, #slots>(#(#maps,)* #pattern)
            }

            #(#functions)*
        }
    }

    /// The derivatives of a from those of r in directions, which are the right-hand sides of their equations; `None` where r is not differentiated
    /// in directions, and where several coordinates or velocities share a direction.
    pub(super) fn acceleration_jacobian_by_slopes(&self) -> Option<TokenStream> {
        let evaluations = self.emission.evaluations;
        let slopes = self.slopes(evaluations.residual_slopes.as_ref().filter(|_| self.has_alone_slopes())?);
        let (n, u, slots) = (self.n, self.u, slopes[0].slots);
        let pattern = pattern(evaluations.residual_pattern.as_ref());
        let (at_state, maps) = (slopes.each_ref().map(Slope::at_state), slopes.each_ref().map(Slope::applied));
        let of_solution = self.inverse()?.slots;
        Some(quote! {
            let x = &a;
            #(#at_state)*
            return emitted::sloped_jacobian::<R, #n, #u, #slots, #of_solution, { emitted::bundles(#n) }>(
                x, solution, #(#maps,)* #pattern,
            );
        })
    }

    /// The maps of directions of q, of v, and of (t, u).
    fn slopes<'m>(&self, [by_q, by_v, by_t_u]: &'m [LinearMap; 3]) -> [Slope<'m>; 3] {
        let is_joined = self.rows > 0;
        let bundles = if self.inverse().is_some() { Bundles::ByBranch } else { Bundles::InTurn };
        let mut slopes = [
            Slope::new(self, by_q, "by_q", self.n, is_joined, bundles),
            Slope::new(self, by_v, "by_v", self.n, is_joined, bundles),
            Slope::new(self, by_t_u, "by_t_u", 1 + self.u, is_joined, Bundles::InTurn),
        ];
        let slots = slopes.iter().map(|slope| slope.slots).max().unwrap_or(0);
        slopes.iter_mut().for_each(|slope| slope.slots = slots);
        slopes
    }
}

/// A map in emitted code.
pub(super) struct Slope<'m> {
    map: &'m LinearMap,
    /// The names of the function that computes the factors, and of that which applies the map.
    names: [Ident; 2],
    /// Whether the rows contain λ.
    is_joined: bool,
    pieces: Pieces,
    /// The number of slots. Maps that are used one after the other have one number of slots.
    slots: usize,
}

impl<'m> Slope<'m> {
    /// The map of `arguments` arguments, which follow a.
    fn new(
        writer: &Writer<'_, '_>,
        map: &'m LinearMap,
        name: &'static str,
        arguments: usize,
        is_joined: bool,
        bundles: Bundles,
    ) -> Self {
        let first = writer.n as u32;
        let names = [format!("factors_{name}"), format!("slope_{name}")];
        Self { is_joined, ..Self::of_arguments(map, names, first..first + arguments as u32, bundles) }
    }

    /// The map of the arguments with these numbers.
    fn of_arguments(map: &'m LinearMap, names: [String; 2], arguments: Range<u32>, bundles: Bundles) -> Self {
        let pieces = map.pieces(arguments, bundles);
        // What is 0 for each argument has the last slot, which no piece writes.
        let slots = pieces.slots + 1;
        Self { map, names: names.map(|name| format_ident!("{name}")), is_joined: false, pieces, slots }
    }

    /// The number of outputs.
    fn rows(&self) -> usize {
        self.pieces.outputs.len()
    }

    /// The statement that computes the factors at a state.
    fn at_state(&self) -> TokenStream {
        let [factors, _] = &self.names;
        let multipliers = self.is_joined.then(|| quote!(, multipliers));
        quote!(let #factors = self.#factors(t, q, v, u, x #multipliers);)
    }

    /// The map at this state, as an argument of the runtime's functions.
    pub(super) fn applied(&self) -> TokenStream {
        let ([factors, slope], rows, slots) = (&self.names, self.rows(), self.slots);
        let outputs = self.pieces.outputs.iter().map(|output| Literal::usize_unsuffixed(output.unwrap_or(slots - 1)));
        let order = self.pieces.order.iter().map(|argument| match argument {
            Some(argument) => {
                let argument = Literal::usize_unsuffixed(*argument);
                quote!(#argument)
            }
            None => quote!(emitted::NO_ARGUMENT),
        });
        quote! {
            emitted::linear_map::<R, #rows, #slots, _>(&[#(#outputs),*], &[#(#order),*], |run| self.#slope(&#factors, run))
        }
    }

    /// The factors, the map, and each of its pieces.
    fn functions(&self, writer: &Writer<'_, '_>) -> TokenStream {
        let (arguments, n, c, map) = (writer.arguments(), writer.n, &writer.c, self.map);
        let ([factors, _], given, of_factors) = (&self.names, map.given.len(), Writer::count(&map.factors));
        let multipliers = self.is_joined.then(|| quote!(, multipliers: &SVector<R, #c>));
        let at_state = writer.body(&map.factors);
        let (statements, entries) = (&at_state.statements, array(at_state.part(Part::Factors)));
        let map = self.map_functions(writer);
        quote! {
            #of_factors
            fn #factors(&self, #arguments, x: &SVector<R, #n> #multipliers) -> [R; #given] {
                #statements
                #entries
            }

            #map
        }
    }

    /// The map and each of its pieces.
    pub(super) fn map_functions(&self, writer: &Writer<'_, '_>) -> TokenStream {
        let ([_, slope], slots, given) = (&self.names, self.slots, self.map.given.len());
        let (pieces, of_map) = (&self.pieces.pieces, Writer::count(&self.map.map));
        let names: Vec<Ident> = (1..=pieces.len()).map(|index| format_ident!("{slope}_{index}")).collect();
        let bodies = pieces.iter().map(|piece| writer.piece_body(self.map, piece));
        let places = pieces.iter().enumerate().map(|(index, piece)| {
            let ranges = piece.arguments.iter().map(range);
            let (first_output, writes) = (Literal::usize_unsuffixed(piece.first_output), range(&piece.writes));
            let index = Literal::usize_unsuffixed(index);
            quote!(emitted::Place { index: #index, arguments: &[#(#ranges),*], first_output: #first_output, writes: #writes })
        });
        quote! {
            #of_map
            fn #slope(&self, factors: &[R; #given], mut run: emitted::Run<'_, R, #slots>) {
                #(run.apply(#places, |slots| self.#names(factors, slots));)*
            }

            #(
                #[inline(never)]
                fn #names(&self, factors: &[R; #given], slots: &mut [emitted::Bundle<R>; #slots]) {
                    #bodies
                }
            )*
        }
    }
}

fn range(Range { start, end }: &Range<usize>) -> TokenStream {
    let (start, end) = (Literal::usize_unsuffixed(*start), Literal::usize_unsuffixed(*end));
    quote!(#start..#end)
}
