//! Absolute tolerances that follow the sizes that the motion reaches.

use super::History;
use crate::evaluator::{Fork, Monitor};
use crate::options::Options;
use crate::scalar::{Real, Scalar};
use crate::state::{Difference, State};
use crate::statistics::ROUNDINGS;
use nalgebra::SVector;

/// A magnitude for each component of the state: the largest that the component has reached, or the absolute tolerance that follows it
/// ([`Tolerance::Following`](crate::options::Tolerance::Following)).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct Sizes<R: Scalar, const N: usize> {
    pub(crate) q: SVector<R, N>,
    pub(crate) v: SVector<R, N>,
}

impl<R: Scalar, const N: usize> Default for Sizes<R, N> {
    fn default() -> Self {
        Self { q: SVector::repeat(R::ZERO), v: SVector::repeat(R::ZERO) }
    }
}

impl<R: Scalar, const N: usize> Sizes<R, N> {
    /// These sizes, raised to the magnitudes of a state where they are smaller.
    pub(crate) fn including(mut self, state: &State<R, N>) -> Self {
        for i in 0..N {
            self.q[i] = self.q[i].max(state.q[i].abs());
            self.v[i] = self.v[i].max(state.v[i].abs());
        }
        self
    }

    /// The first size that no motion can have, or `None`. It checks sizes that were read from outside.
    pub(crate) fn fault(&self) -> Option<R> {
        let possible = |size: &R| size.to_f64() >= 0.0 && size.to_f64().is_finite();
        self.q.iter().chain(&self.v).find(|size| !possible(size)).copied()
    }
}

impl<R: Real, const N: usize> Sizes<R, N> {
    /// The largest absolute tolerances that the options allow.
    pub(crate) fn largest(options: &Options<'_, R, N>) -> Self {
        let mut most = Self::default();
        for i in 0..N {
            (most.q[i], most.v[i]) = (options.atol.of_coordinate(i), options.atol.of_velocity(i));
        }
        most
    }

    /// The absolute tolerances that follow these sizes.
    pub(crate) fn tolerances(&self, options: &Options<'_, R, N>) -> Self {
        let Options { rtol, atol, .. } = options;
        let of = |rtol: R, size: R, most: R| if rtol > R::ZERO { most.min(rtol * size) } else { most };
        let mut tolerances = *self;
        for i in 0..N {
            tolerances.q[i] = of(rtol.of_coordinate(i), self.q[i], atol.of_coordinate(i));
            tolerances.v[i] = of(rtol.of_velocity(i), self.v[i], atol.of_velocity(i));
        }
        tolerances
    }

    /// These tolerances with the rounding that is `beside` them, if there is any.
    pub(crate) fn with(mut self, beside: Option<&Self>) -> Self {
        if let Some(beside) = beside {
            self.q += beside.q;
            self.v += beside.v;
        }
        self
    }

    /// What the rounding of the forces which contacts and frictions cancel may change in a step between two states. `None` where nothing is held, or where the error, whose `square` is relative to the tolerances, is small
    /// without it. A coordinate that is held at 0 has no size but this.
    ///
    /// It is added to every component's tolerance where tolerances follow the motion, and to none where they are stated. The forces are those at the ends of the step. What rounding changes is proportional to the step size, as is its error.
    #[inline(always)]
    pub(crate) fn of_cancelled<E: Fork<R, N, C>, const C: usize>(
        evaluator: &mut E,
        ends: [&State<R, N>; 2],
        square: R,
    ) -> Option<Self> {
        let counts = evaluator.phases().any_sticks() && square > R::from_f64(SMALL);
        counts.then(|| evaluator.with_fork(|evaluator| Self::of_held(evaluator, ends)))
    }

    #[cold]
    #[inline(never)]
    fn of_held<const C: usize>(evaluator: &mut dyn Monitor<R, N, C>, [start, end]: [&State<R, N>; 2]) -> Self {
        let [before, after] = [start, end].map(|state| evaluator.cancelled_at(state));
        let h = (end.t - start.t).abs();
        let rounding = R::from_f64(COMPARED * 2.0 * ROUNDINGS * R::EPSILON) * h;
        let v = before.zip_map(&after, |before, after| rounding * before.max(after));
        Self { q: v * h, v }
    }

    /// These sizes, if one of them lowers an absolute tolerance below the largest that the options allow. Sizes only grow, so that they
    /// need not be known any more once none of them does. The hidden coordinates of the last `states` velocities do not count.
    pub(crate) fn if_they_count(self, options: &Options<'_, R, N>, states: usize) -> Option<Self> {
        let (tolerances, most) = (self.tolerances(options), &options.atol);
        for i in 0..N {
            let q = i + states < N && tolerances.q[i] < most.of_coordinate(i);
            if q || tolerances.v[i] < most.of_velocity(i) {
                return Some(self);
            }
        }
        None
    }

    /// These sizes after a step of size `h` whose errors are `difference`. Each size whose component has an error that is rejected and is
    /// rounding becomes [`RAISED`] times the size that would just accept the error. Thus a component that stays 0, up to rounding, gets a
    /// tolerance.
    pub(crate) fn raised(
        mut self,
        options: &Options<'_, R, N>,
        difference: &Difference<R, N>,
        noise: &Noise<R, N>,
        h: R,
    ) -> Self {
        let Options { rtol, .. } = options;
        let raise = |size: &mut R, rtol: R, error: R, noise: R| {
            if rtol > R::ZERO && error > rtol * *size && error <= noise {
                *size = R::from_f64(RAISED) * error / rtol;
            }
        };
        for i in 0..N {
            let (v, error) = (noise.part(i, h), [difference.q[i].abs(), difference.v[i].abs()]);
            raise(&mut self.q[i], rtol.of_coordinate(i), error[0], v * h.abs());
            raise(&mut self.v[i], rtol.of_velocity(i), error[1], v);
        }
        self
    }
}

/// The square of an error that does not keep a step from growing.
const SMALL: f64 = 1e-2;

/// How far the size of a component whose errors are rounding is raised above the least that accepts them. The error of rounding grows with
/// the step size, which then grows by this factor before the next raise.
const RAISED: f64 = 100.0;

/// How much rounding changes the accelerations and their derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Noise<R: Scalar, const N: usize> {
    /// The changes that were measured.
    Of {
        /// The changes of the accelerations by roundings of the state, for two pairs of states.
        pairs: [SVector<R, N>; 2],
        /// Numbers whose derivative by a parameter p is ε/|p|, where ε is the rounding of the acceleration: the size of the rounding of its
        /// derivative by p.
        by_parameters: SVector<R, N>,
        /// The accelerations.
        acceleration: SVector<R, N>,
    },
    /// Every error is rounding.
    All,
}

impl<R: Real, const N: usize> Noise<R, N> {
    /// The noise at a state. `all` tells that the errors do not fall with the step size, so that they are rounding, whatever its reason.
    ///
    /// It is the largest change of each acceleration between two states, one on either side of this one, at a distance of [`ROUNDINGS`]
    /// roundings and more. Two such pairs count: one whose components all grow together, and one whose components grow and shrink in turn,
    /// because a change of the first kind may leave what depends on a direction. The distance differs from component to component, so that
    /// the changes of two terms that cancel do not cancel too.
    #[inline(always)]
    pub(crate) fn at<E: Fork<R, N, C>, const C: usize>(evaluator: &mut E, state: &State<R, N>, all: bool) -> Self {
        if all {
            return Self::All;
        }
        evaluator.with_fork(|evaluator| Self::measured(evaluator, state, 0))
    }

    /// The noise at a state without its derivatives, so that the accelerations have their direct derivatives by parameters alone. `first` chooses the
    /// distances by which the components are shaken.
    fn measured<const C: usize>(evaluator: &mut dyn Monitor<R, N, C>, state: &State<R, N>, first: usize) -> Self {
        let mut size = SVector::<R, N>::repeat(R::ZERO);
        let pairs = [1.0, -1.0].map(|other| {
            let mut moved = |sign: f64| {
                let factor = |i: usize| {
                    let side = if i & 2 == 0 { sign } else { sign * other };
                    R::ONE + R::from_f64(side * R::EPSILON * (ROUNDINGS + ((i + first) % DISTANCES) as f64))
                };
                let (t, mut q, mut v) = (
                    state.t.without_derivatives(),
                    state.q.map(R::without_derivatives),
                    state.v.map(R::without_derivatives),
                );
                for i in 0..N {
                    q[i] *= factor(2 * i);
                    v[i] *= factor(2 * i + 1);
                }
                evaluator.acceleration(t, q, v)
            };
            match (moved(1.0), moved(-1.0)) {
                (Ok(above), Ok(below)) => {
                    size = above;
                    above - below
                }
                _ => SVector::repeat(R::ZERO),
            }
        });
        let mut by_parameters = SVector::repeat(R::ZERO);
        if const { R::DERIVATIVES != 0 } {
            let values = evaluator.parameters().values.iter().filter(|value| value.to_f64() != 0.0);
            let relative = values.fold(R::ZERO, |sum, &value| sum + value / R::from_f64(value.to_f64().abs()));
            let rounding = |i: usize| {
                let own = 2.0 * ROUNDINGS * f64::EPSILON * size[i].to_f64().abs();
                pairs.iter().fold(own, |most, pair| pair[i].to_f64().abs().max(most))
            };
            by_parameters = SVector::from_fn(|i, _| relative * R::from_f64(rounding(i)));
        }
        Self::Of { pairs, by_parameters, acceleration: size }
    }

    /// The largest error of the velocity of coordinate `i` in a step of size `h` that rounding explains. The weights by which a pair
    /// compares its solutions have a sum of 0.2 ([`DormandPrince5`](crate::method::DormandPrince5)) to 4.2
    /// ([`Dop853`](crate::method::Dop853)) in magnitude; the states of its stages are rounded once or twice, where the measured changes are
    /// those of eight roundings.
    pub(crate) fn part(&self, i: usize, h: R) -> R {
        match self {
            Self::Of { pairs: [one, other], .. } => R::from_f64(COMPARED) * one[i].abs().max(other[i].abs()) * h.abs(),
            Self::All => R::from_f64(f64::INFINITY),
        }
    }
}

/// How much rounding changes the derivatives of the accelerations by parameters, at both ends of an attempt at a step. An acceleration that is 0 at the
/// start of the attempt may not be 0 within it.
pub(crate) struct NoiseOfDerivatives<R: Scalar, const N: usize>([Noise<R, N>; 2]);

impl<R: Real, const N: usize> NoiseOfDerivatives<R, N> {
    /// The noise at the ends of an attempt at a step that was rejected because of its derivatives. Each attempt shakes the state by other distances,
    /// because the distances of one attempt may by chance show no rounding.
    pub(crate) fn at<E: Fork<R, N, C>, const C: usize>(evaluator: &mut E, [start, end]: [&State<R, N>; 2]) -> Self {
        let chance = ((end.t - start.t).to_f64().abs().to_bits() >> 32) as usize;
        let at = |evaluator: &mut E::Forked<'_>| {
            [start, end].map(|state| Noise::measured(evaluator, state, chance % DISTANCES))
        };
        Self(evaluator.with_fork(at))
    }

    /// The largest error of the derivative `k` of the velocity of coordinate `i` in a step of size `h` that rounding explains.
    ///
    /// Rounding moves derivatives by a number of last digits that is 0, 1 or a few by chance. If the direct derivatives of all accelerations by a parameter
    /// are below what rounding can make, and change with the roundings of the state or are 0, they are rounding. Otherwise what was measured says how
    /// much of it they may contain: [`EXPLAINED`] times its part. A derivative that is small beside the acceleration for another reason keeps its tolerance.
    pub(crate) fn part(&self, i: usize, k: usize, h: f64) -> f64 {
        let of = |vector: &SVector<R, N>, i: usize| vector[i].derivative(k).abs();
        let (mut most, mut measured, mut is_rounding) = ([0.0_f64; N], [0.0_f64; N], true);
        for noise in &self.0 {
            let Noise::Of { pairs, by_parameters, acceleration } = noise else { continue };
            for i in 0..N {
                let (own, changes) = (of(acceleration, i), of(&pairs[0], i).max(of(&pairs[1], i)));
                is_rounding &= own <= of(by_parameters, i) && (own == 0.0 || changes > STEADY * own);
                (most[i], measured[i]) = (most[i].max(of(by_parameters, i)), measured[i].max(changes));
            }
        }
        let parts = most.iter().zip(&measured).filter(|(most, _)| **most > 0.0).map(|(most, measured)| measured / most);
        let part = if is_rounding { 1.0 } else { (EXPLAINED * parts.fold(0.0, f64::max)).min(1.0) };
        COMPARED * h * most.get(i).copied().unwrap_or(0.0) * part
    }
}

/// An embedded pair estimates its error as a weighted sum of the accelerations in its stages. This is about the largest sum of the magnitudes of these
/// weights: [`Dop853`](crate::method::Dop853) has 4.2.
const COMPARED: f64 = 4.0;

/// The number of different distances at which roundings are measured.
const DISTANCES: usize = 7;

/// A derivative that changes with the roundings of the state by less than this part is no rounding.
const STEADY: f64 = 1.0 / 16.0;

/// How many times the measured part of the rounding of derivatives may be there.
const EXPLAINED: f64 = 1000.0;

/// An attempt that the largest tolerances would accept, and that tolerances which follow the motion reject.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Refused {
    /// The size of the step.
    size: f64,
    /// The square of the error relative to the largest tolerances allowed, and relative to those that follow the motion.
    squares: [f64; 2],
    /// Whether one of them had fallen too slowly from that of the attempt before.
    slow: bool,
}

impl History {
    /// Records an attempt of size `h` that the largest tolerances would accept, and that tolerances which follow the motion reject. Returns
    /// whether its error does not fall with the step size.
    ///
    /// The error of a method falls with the step size h as hᵏ, that of rounding as h. It is taken for rounding where it fell more slowly
    /// than h^((k + 1)/2) in two attempts in a row. `squares` has the square of the error relative to the largest tolerances allowed, which
    /// do not change with h, and relative to those that follow the motion. The second one stays where a wave reaches a component that was 0,
    /// and grows there with a higher power of the time than the method's order: no step, however short, has a small error relative to what
    /// it reaches.
    pub(crate) fn refuse(&mut self, h: f64, squares: [f64; 2], k: u32) -> bool {
        let fell_slowly = |last: &Refused| {
            let least = (0..=k).fold(1.0, |power, _| power * (h / last.size));
            squares.iter().zip(last.squares).any(|(&square, before)| square > before * least)
        };
        let slow = self.refused.as_ref().is_some_and(fell_slowly);
        let again = slow && self.refused.is_some_and(|last| last.slow);
        self.refused = Some(Refused { size: h, squares, slow });
        again
    }
}
