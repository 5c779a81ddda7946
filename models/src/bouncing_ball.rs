//! A ball that bounces on the floor until it rests.

use lagrange_runtime::prelude::*;

/// A ball over the floor; y is the height of its lowest point in m. SI units.
///
/// Known solution: each impact multiplies the speed by the coefficient of restitution e. After a fall of the time t₀ the ball makes
/// infinitely many bounces until [`rests_at`](Self::rests_at), t₀ (1 + e)/(1 − e). Source: W. J. Stronge, *Impact Mechanics*, 2nd ed.,
/// 2018, ch. 1.
#[lagrangian {
    coordinates y: m;

    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact floor: y >= 0, restitution = e;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct BouncingBall {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Coefficient of restitution, from 0 to 1.
    #[unit(1)]
    pub e: f64,
}

/// A ball that keeps seven tenths of its speed at an impact.
impl Default for BouncingBall {
    fn default() -> Self {
        Self { m: 0.05, g: 9.81, e: 0.7 }
    }
}

impl BouncingBall {
    /// The time at which the ball rests after a fall from this height, s.
    pub fn rests_at(&self, height: f64) -> f64 {
        (2.0 * height / self.g).sqrt() * (1.0 + self.e) / (1.0 - self.e)
    }

    /// Let go at the height of 1 m.
    pub fn dropped() -> State<f64, 1> {
        State::new(0.0, [1.0], [0.0])
    }
}
