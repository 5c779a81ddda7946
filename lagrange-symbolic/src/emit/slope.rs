//! Linear maps of directions: the derivatives of the residuals, and M times vectors. A map is emitted in pieces.

use super::large::pattern;
use super::routine::array;
use super::system::Writer;
use crate::program::{LinearMap, Part, Pieces};
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
        Some(Slope::new(self, map, "by_a", self.n, false))
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
        let pattern_of_r = evaluations.residual_pattern.as_ref();
        if pattern_of_r.is_some_and(|pattern| pattern.has_groups_among(2 * self.n)) {
            return None;
        }
        let (slopes, n, u) = (self.slopes(evaluations.residual_slopes.as_ref()?), self.n, self.u);
        let (slots, pattern) = (slopes[0].slots, pattern(pattern_of_r));
        let (at_state, maps) = (slopes.each_ref().map(Slope::at_state), slopes.each_ref().map(Slope::applied));
        Some(quote! {
            let x = &a;
            #(#at_state)*
            return ::core::result::Result::Ok(
                emitted::sloped_jacobian::<R, #n, #u, #slots>(x, #(#maps,)* #pattern, solve)
            );
        })
    }

    /// The maps of directions of q, of v, and of (t, u).
    fn slopes<'m>(&self, [by_q, by_v, by_t_u]: &'m [LinearMap; 3]) -> [Slope<'m>; 3] {
        let is_joined = self.rows > 0;
        let mut slopes = [
            Slope::new(self, by_q, "by_q", self.n, is_joined),
            Slope::new(self, by_v, "by_v", self.n, is_joined),
            Slope::new(self, by_t_u, "by_t_u", 1 + self.u, is_joined),
        ];
        let slots = slopes.iter().map(|slope| slope.slots).max().unwrap_or(0);
        slopes.iter_mut().for_each(|slope| slope.slots = slots);
        slopes
    }
}

/// A map in emitted code.
struct Slope<'m> {
    map: &'m LinearMap,
    name: &'static str,
    /// Whether the rows contain λ.
    is_joined: bool,
    pieces: Pieces,
    /// The number of slots. Maps that are used one after the other have one number of slots.
    slots: usize,
}

impl<'m> Slope<'m> {
    /// The map of `arguments` arguments, which follow a.
    fn new(writer: &Writer<'_, '_>, map: &'m LinearMap, name: &'static str, arguments: usize, is_joined: bool) -> Self {
        let first = writer.n as u32;
        let pieces = map.pieces(first..first + arguments as u32);
        // What is 0 for each argument has the last slot, which no piece writes.
        let slots = pieces.slots + 1;
        Self { map, name, is_joined, pieces, slots }
    }

    fn factors(&self) -> Ident {
        format_ident!("factors_{}", self.name)
    }

    fn slope(&self) -> Ident {
        format_ident!("slope_{}", self.name)
    }

    /// The number of outputs.
    fn rows(&self) -> usize {
        self.pieces.outputs.len()
    }

    /// The statement that computes the factors at a state.
    fn at_state(&self) -> TokenStream {
        let factors = self.factors();
        let multipliers = self.is_joined.then(|| quote!(, multipliers));
        quote!(let #factors = self.#factors(t, q, v, u, x #multipliers);)
    }

    /// The map at this state, as an argument of the runtime's functions.
    fn applied(&self) -> TokenStream {
        let (factors, slope, rows, slots) = (self.factors(), self.slope(), self.rows(), self.slots);
        let outputs = self.pieces.outputs.iter().map(|output| Literal::usize_unsuffixed(output.unwrap_or(slots - 1)));
        quote! {
            emitted::linear_map::<R, #rows, #slots, _>([#(#outputs),*], |run| self.#slope(&#factors, run))
        }
    }

    /// The factors, the map, and each of its pieces.
    fn functions(&self, writer: &Writer<'_, '_>) -> TokenStream {
        let (arguments, n, c, map) = (writer.arguments(), writer.n, &writer.c, self.map);
        let (factors, slope, slots, given) = (self.factors(), self.slope(), self.slots, map.given.len());
        let multipliers = self.is_joined.then(|| quote!(, multipliers: &SVector<R, #c>));
        let (of_factors, of_map) = (Writer::count(&map.factors), Writer::count(&map.map));
        let at_state = writer.body(&map.factors);
        let (statements, entries) = (&at_state.statements, array(at_state.part(Part::Factors)));
        let pieces = &self.pieces.pieces;
        let names: Vec<Ident> = (1..=pieces.len()).map(|index| format_ident!("{slope}_{index}")).collect();
        let bodies = pieces.iter().map(|piece| writer.piece_body(map, piece));
        let writes = pieces.iter().map(|piece| range(&piece.writes));
        let ranges = pieces.iter().map(|piece| {
            let ranges = piece.arguments.iter().map(range);
            quote!([#(#ranges),*])
        });
        quote! {
            #of_factors
            fn #factors(&self, #arguments, x: &SVector<R, #n> #multipliers) -> [R; #given] {
                #statements
                #entries
            }

            #of_map
            fn #slope(&self, factors: &[R; #given], mut run: emitted::Run<'_, R, #slots>) {
                #(run.apply(&#ranges, #writes, |slots| self.#names(factors, slots));)*
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
