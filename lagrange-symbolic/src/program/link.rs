//! A link: a rod without inertia of its own, whose length is a parameter, with a point of one mass e at its end.
//!
//! Its elimination is that of a [rod](super::dyad) with E = e·1. What follows needs no vectors, and no division waits for another one. Let
//! w = λ ŵ with a unit vector ŵ = (ŵ₁, ŵ₂), and û = (ŵ₂, −ŵ₁). A dash marks the next link outwards:
//!
//! ```text
//! p = û'·ŵ = −û·ŵ',   a = û'·û = ŵ'·ŵ
//! ```
//!
//! **The mass along a link.** μ = κ |u|² is the quotient n/δ of
//!
//! ```text
//! n = n' + e δ',   δ = δ' + (p²/e) n',   d = e λ² δ/δ'
//! ```
//!
//! so that a link waits for a product and a sum of the next one. All terms are positive. The last link has n = e and δ = 1.
//!
//! **The right-hand side.** Let F be the force on θ divided by λ, f the force on the point that does not come from the next link, and β
//! the part of the point's acceleration in X that belongs to no unknown. What a link leaves to the unknowns X is ρ = σ û − F ŵ. With
//! φ = n' p/(δ e),
//!
//! ```text
//! G = F + ŵ·f − a F',   c = (G + p σ') δ'/(δ e)
//! σ = (δ'/δ) a σ' + p F' + û·f − φ a G − μ û·β
//! ```
//!
//! Here δ'/δ has replaced 1 − φ p, a difference that cancels.
//!
//! **The solution.** With y = û·(Ẍ + β) and z = ŵ·(Ẍ + β),
//!
//! ```text
//! λ θ̈ = c − z − φ a y
//! y' = (δ'/δ) a y + p c + û'·β',   z' = a c − (n/δ) (p/e) y + ŵ'·β'
//! ```
//!
//! These equations follow from those of a rod by 1 = ŵ ŵᵀ + û ûᵀ.

use super::dyad::{Rod, Turned};
use super::{Builder, Level, Value};
use crate::graph::{Graph, Id, Rational};

/// After so many links the quotient is computed, so that n and δ cannot overflow: a link multiplies δ by at most 1 + μ'/e.
const LINKS: usize = 8;

/// The mass μ = κ |u|² as a quotient n/δ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quotient {
    numerator: Value,
    denominator: Value,
    /// 1/δ.
    inverse: Value,
    /// The numbers û₁ and −û₂.
    direction: [Value; 2],
    /// For how many links there has been no division.
    links: usize,
}

impl Quotient {
    /// The quotient of the mass μ and 1 for a direction perpendicular to the unit vector `w`.
    pub(super) fn of(builder: &mut Builder, mass: Value, [w1, w2]: [Value; 2]) -> Self {
        let one = builder.constant(Rational::ONE);
        Self { numerator: mass, denominator: one, inverse: one, direction: [w2, w1], links: 0 }
    }
}

/// The elimination of the angle of a link.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// The angle's velocity.
    unknown: usize,
    /// The velocities of the point.
    pub(super) ends: [usize; 2],
    /// For each of them the unknown X with its factor, if there is one.
    starts: [Option<(usize, Value)>; 2],
    /// Whether the link before this one takes over σ and F.
    pub(super) is_joined: bool,
    /// ŵ
    w: [Value; 2],
    /// λ
    length: Value,
    /// μ
    total: Value,
    /// δ'/(δ e), or 1/e.
    inverse: Value,
    /// û·β and ŵ·β.
    drift: [Value; 2],
    outer: Option<Outer>,
}

/// What the masses further out contribute to a link.
#[derive(Clone, Copy, Debug)]
struct Outer {
    /// The next link, if its σ and F are taken over.
    link: Option<usize>,
    /// a
    cosine: Value,
    /// p
    sine: Value,
    /// φ a
    turned: Value,
    /// (δ'/δ) a
    passed: Value,
    /// (n/δ) (p/e)
    pull: Value,
}

/// What the forward sweep leaves for a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swept {
    sigma: Value,
    force: Value,
    /// c
    own: Value,
}

impl Link {
    /// Eliminates the angle of a rod if it is a link. `drift` has β₁ and β₂.
    pub(super) fn new(
        builder: &mut Builder,
        graph: &mut Graph,
        (rod, unknown): (&Rod, usize),
        drift: Option<[Id; 2]>,
        (diagonal, tolerance): (Value, Value),
    ) -> Option<(Self, Turned)> {
        let &Rod { inertia: [e1, e2], ends, starts, turn: [w1, w2], .. } = rod;
        let mass = builder.lower(graph, e1);
        let (w, length) = rod.unit(builder, graph)?;
        let is_uniform = e1 == e2 && builder.level(mass) <= Level::Parameter && !builder.is_zero(mass);
        if !is_uniform || rod.dyad.as_ref().is_some_and(|dyad| dyad.quotient.is_none()) {
            return None;
        }
        let [mass_inverse, length_inverse] = [mass, length].map(|value| builder.reciprocal(value));
        let zero = builder.constant(Rational::ZERO);
        let drift = drift.map_or([zero; 2], |drift| {
            let opposite = graph.neg(w1);
            [[w2, opposite], [w1, w2]].map(|vector| {
                let product = graph.inner(&vector, &drift);
                let product = builder.lower(graph, product);
                builder.multiply(length_inverse, product)
            })
        });
        let starts = starts.map(|start| start.map(|(unknown, c)| (unknown, builder.lower(graph, c))));
        let square = builder.multiply(length, length);
        let own = builder.multiply(mass, square);
        let own_inverse = builder.reciprocal(own);
        // The pivot is compared as a multiple of e λ².
        let scale = builder.multiply(diagonal, own_inverse);
        let mut checks = vec![builder.is_normal(own), builder.is_normal(mass)];
        let mut link = Self {
            unknown,
            ends,
            starts,
            is_joined: false,
            w,
            length,
            total: mass,
            inverse: mass_inverse,
            drift,
            outer: None,
        };
        let one = builder.constant(Rational::ONE);
        let (quotient, mut column);
        match rod.dyad.as_ref().and_then(|dyad| Some((dyad, dyad.quotient?))) {
            None => {
                checks.push(builder.exceeds(one, scale, tolerance));
                quotient = Quotient::of(builder, mass, w);
                column = w;
            }
            Some((dyad, next)) => {
                let is_ordered = dyad.unknowns == ends;
                let [u1, u2] = if is_ordered { next.direction } else { [next.direction[1], next.direction[0]] };
                let sine = builder.inner([u1, u2], w, Builder::subtract);
                let cosine = builder.inner([u2, u1], w, Builder::add);
                let share = builder.multiply(sine, mass_inverse);
                let gain = builder.multiply(mass, next.denominator);
                let numerator = builder.add(next.numerator, gain);
                let square = builder.multiply(share, sine);
                let gain = builder.multiply(square, next.numerator);
                let denominator = builder.add(next.denominator, gain);
                let divided = builder.reciprocal(denominator);
                let growth = builder.multiply(denominator, next.inverse);
                checks.push(builder.exceeds(growth, scale, tolerance));
                let [own_part, other_part, total] =
                    [next.denominator, next.numerator, numerator].map(|part| builder.multiply(part, divided));
                let slip = builder.multiply(other_part, share);
                link.total = total;
                link.inverse = builder.multiply(mass_inverse, own_part);
                link.outer = Some(Outer {
                    // In the other order of the unknowns û' has the other sign.
                    link: dyad.link.filter(|_| is_ordered),
                    cosine,
                    sine,
                    turned: builder.multiply(slip, cosine),
                    passed: builder.multiply(own_part, cosine),
                    pull: builder.multiply(total, share),
                });
                column = [builder.products(&[(own_part, w[0]), (slip, u1)]), {
                    let (own, other) = (builder.multiply(own_part, w[1]), builder.multiply(slip, u2));
                    builder.subtract(own, other)
                }];
                let fresh = Quotient::of(builder, total, w);
                quotient = if next.links + 1 < LINKS {
                    Quotient { numerator, denominator, inverse: divided, links: next.links + 1, ..fresh }
                } else {
                    checks.push(builder.is_normal(divided));
                    fresh
                };
            }
        }
        column = column.map(|entry| builder.multiply(length_inverse, entry));
        let square_inverse = builder.reciprocal(square);
        let factor = builder.multiply(link.total, square_inverse);
        let inverse = builder.multiply(link.inverse, square_inverse);
        Some((link, Turned { inverse, column, factor, quotient: Some(quotient), checks }))
    }

    /// The next link outwards, if this one takes over its σ and F.
    pub(super) fn next(&self) -> Option<usize> {
        self.outer.as_ref()?.link
    }

    /// û·β and ŵ·β, or zeros if they are not asked for.
    fn drift(&self, builder: &mut Builder, has_drift: bool) -> [Value; 2] {
        if has_drift { self.drift } else { [builder.constant(Rational::ZERO); 2] }
    }

    /// The forward sweep: what a right-hand side leaves for this link. It is added to the unknowns X if no link takes it over.
    pub(super) fn sweep(&self, builder: &mut Builder, x: &mut [Value], next: Option<Swept>, has_drift: bool) -> Swept {
        let zero = builder.constant(Rational::ZERO);
        let [w1, w2] = self.w;
        let applied = self.ends.map(|end| x[end]);
        let force = builder.divided(x[self.unknown], self.length);
        let turning = builder.inner([w1, w2], applied, Builder::add);
        let mut rest = builder.add(force, turning);
        let mut straight = builder.inner([w2, w1], applied, Builder::subtract);
        let [drift, _] = self.drift(builder, has_drift);
        let product = builder.multiply(self.total, drift);
        straight = builder.subtract(straight, product);
        let (mut whole, mut waiting) = (rest, zero);
        if let Some(Outer { cosine, sine, turned, passed, .. }) = self.outer {
            let next = next.unwrap_or(Swept { sigma: zero, force: zero, own: zero });
            let product = builder.multiply(cosine, next.force);
            rest = builder.subtract(rest, product);
            let product = builder.multiply(sine, next.sigma);
            whole = builder.add(rest, product);
            let product = builder.multiply(sine, next.force);
            straight = builder.add(straight, product);
            let product = builder.multiply(turned, rest);
            straight = builder.subtract(straight, product);
            waiting = builder.multiply(passed, next.sigma);
        }
        // The product that waits for the next link is added last.
        let sigma = builder.add(straight, waiting);
        if !self.is_joined {
            let first = builder.inner([w2, w1], [sigma, force], Builder::subtract);
            let second = builder.inner([w1, w2], [sigma, force], Builder::add);
            for (start, part) in self.starts.iter().zip([first, builder.negate(second)]) {
                if let Some((unknown, c)) = *start {
                    let part = builder.multiply(c, part);
                    x[unknown] = builder.add(x[unknown], part);
                }
            }
        }
        Swept { sigma, force, own: builder.multiply(whole, self.inverse) }
    }

    /// The backward sweep: the unknown, and y and z of the next link without its β. `met` has these of this link if a link takes over its σ
    /// and F.
    pub(super) fn solve(
        &self,
        builder: &mut Builder,
        x: &mut [Value],
        own: Swept,
        met: Option<[Value; 2]>,
        has_drift: bool,
    ) -> [Value; 2] {
        let zero = builder.constant(Rational::ZERO);
        let [w1, w2] = self.w;
        let met = met.unwrap_or_else(|| {
            let start = self.starts.map(|start| start.map_or(zero, |(unknown, c)| builder.multiply(c, x[unknown])));
            [builder.inner([w2, w1], start, Builder::subtract), builder.inner([w1, w2], start, Builder::add)]
        });
        let drift = self.drift(builder, has_drift);
        let [y, z] = [0, 1].map(|i| builder.add(met[i], drift[i]));
        let mut value = builder.subtract(own.own, z);
        let mut next = [zero; 2];
        if let Some(Outer { cosine, sine, turned, passed, pull, .. }) = self.outer {
            let product = builder.multiply(turned, y);
            value = builder.subtract(value, product);
            // The product that waits for the link before this one is added last.
            next[0] = builder.products(&[(passed, drift[0]), (sine, own.own), (passed, met[0])]);
            let (first, second) = (builder.multiply(cosine, own.own), builder.multiply(pull, y));
            next[1] = builder.subtract(first, second);
        }
        x[self.unknown] = builder.divided(value, self.length);
        next
    }
}

impl Builder {
    /// x₁ y₁ ± x₂ y₂.
    fn inner(&mut self, x: [Value; 2], y: [Value; 2], join: fn(&mut Self, Value, Value) -> Value) -> Value {
        let [first, second] = [0, 1].map(|i| self.multiply(x[i], y[i]));
        join(self, first, second)
    }

    /// Σ a b.
    fn products(&mut self, factors: &[(Value, Value)]) -> Value {
        let mut sum = self.constant(Rational::ZERO);
        for &(a, b) in factors {
            let product = self.multiply(a, b);
            sum = self.add(sum, product);
        }
        sum
    }

    /// The quotient of a value and a length that is not zero and depends on parameters alone.
    fn divided(&mut self, value: Value, length: Value) -> Value {
        match self.split_hoisted(value) {
            (Some(factor), Some(rest)) if factor == length => rest,
            _ => {
                let inverse = self.reciprocal(length);
                self.multiply(value, inverse)
            }
        }
    }
}
