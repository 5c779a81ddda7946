//! The scale of each coordinate and of each velocity of a motion.

use lagrange_runtime::prelude::*;

/// A component below this part of its scale is taken for rounding, which constraints and symmetries enlarge.
pub(super) const NEGLIGIBLE: f64 = 1e-10;

/// The largest absolute value of each coordinate and of each velocity of a motion so far, and the scales that its kinetic energy gives them.
///
/// Components have units of their own, so that the value of one says nothing about another. The kinetic energy K has the same unit for
/// all: √(2K/Mᵢᵢ) is the velocity vᵢ of a motion in which coordinate i has that energy. A velocity far below this one is rounding. With the
/// shortest time |qⱼ|/|vⱼ| of a component j that moves, √(2K/Mᵢᵢ) is a scale of qᵢ as well.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scales<const N: usize> {
    /// How many coordinates there are without the hidden ones of states, which have neither kinetic energy nor a size.
    own: usize,
    /// The largest ½ vᵀM v.
    pub(super) kinetic: f64,
    /// The largest Mᵢᵢ.
    inertia: SVector<f64, N>,
    /// The largest |q| of each coordinate.
    pub(super) q: SVector<f64, N>,
    /// The largest |v| of each coordinate; 0 for states.
    pub(super) rates: SVector<f64, N>,
}

impl<const N: usize> Scales<N> {
    /// The scales before a motion of a mechanism with this number of states.
    pub(super) fn new(states: usize) -> Self {
        let zero = SVector::repeat(0.0);
        Self { own: N.saturating_sub(states), kinetic: 0.0, inertia: zero, q: zero, rates: zero }
    }

    /// Takes a state into account.
    pub(super) fn see<const C: usize>(&mut self, system: &dyn System<f64, N, C, 0>, state: &State<f64, N>) {
        let State { t, q, v } = state;
        let mass_matrix = system.equations(*t, q, v, &SVector::zeros()).mass_matrix;
        let own = |index: usize, value: f64| if index < self.own { value } else { 0.0 };
        let rates = SVector::<f64, N>::from_fn(|index, _| own(index, v[index]));
        let q = SVector::<f64, N>::from_fn(|index, _| own(index, q[index]));
        let inertia = SVector::<f64, N>::from_fn(|index, _| own(index, mass_matrix[(index, index)]));
        // For a stated Lagrangian T is not known; ½ vᵀM v has its size.
        self.kinetic = self.kinetic.max(0.5 * rates.dot(&(mass_matrix * rates)).abs());
        let larger = |most: f64, value: f64| most.max(value.abs());
        self.inertia = self.inertia.zip_map(&inertia, larger);
        self.q = self.q.zip_map(&q, larger);
        self.rates = self.rates.zip_map(&rates, larger);
    }

    /// The scales of coordinates and velocities by the kinetic energy; 0 where it gives none.
    pub(super) fn natural(&self) -> [SVector<f64, N>; 2] {
        let rate = |inertia: f64| match (2.0 * self.kinetic / inertia).sqrt() {
            rate if rate.is_finite() => rate,
            _ => 0.0,
        };
        let rates = self.inertia.map(rate);
        let moves = |&index: &usize| self.rates[index] > NEGLIGIBLE * rates[index] && self.q[index] > 0.0;
        let times = (0..self.own).filter(moves).map(|index| self.q[index] / self.rates[index]);
        let time = times.filter(|time| time.is_finite()).fold(f64::INFINITY, f64::min);
        [if time.is_finite() { rates * time } else { SVector::repeat(0.0) }, rates]
    }

    /// The magnitudes below which coordinates and velocities are rounding.
    pub(super) fn rounding(&self) -> [SVector<f64, N>; 2] {
        self.natural().map(|scales| scales * NEGLIGIBLE)
    }

    /// The scale of each coordinate and velocity: its largest absolute value or, where that is rounding, its scale by the kinetic energy.
    pub(super) fn each(&self) -> [SVector<f64, N>; 2] {
        let [q, rates] = self.natural();
        let scale = |size: f64, natural: f64| if size > NEGLIGIBLE * natural { size } else { natural };
        [self.q.zip_map(&q, scale), self.rates.zip_map(&rates, scale)]
    }
}
