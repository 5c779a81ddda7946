//! A ball whose fast impacts take more than its slow ones.

use lagrange_runtime::prelude::*;

/// A ball of a metal that yields, over a hard floor; y is the height of its lowest point in m. SI units.
///
/// Where the metal flows under the contact, the coefficient of restitution falls with the speed v of the approach as v^(−1/4). Here it is (u/v)^(1/4), and 1 below the
/// speed u. Known solution: each impact multiplies the logarithm of v/u by 3/4, so that the nth one leaves
/// [`speed`](Self::speed) = u (v/u)^((3/4)ⁿ), and the ball ends in bounces of the speed u. Source of the law: K. L. Johnson, *Contact Mechanics*, 1985, 11.5.
#[lagrangian {
    coordinates y: m;

    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact floor: y >= 0, restitution = min(1, (u/approach(floor))^(1/4));
}]
#[derive(Clone, Debug, PartialEq)]
pub struct YieldingBall {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Speed below which an impact takes nothing.
    #[unit(m/s)]
    #[range(0.05..2)]
    pub u: f64,
}

/// A ball of 100 g that yields from 20 cm/s on.
impl Default for YieldingBall {
    fn default() -> Self {
        Self { m: 0.1, g: 9.81, u: 0.2 }
    }
}

impl YieldingBall {
    /// The speed after impact n of a ball that reaches the floor with the speed v ≥ u, m/s: u (v/u)^((3/4)ⁿ). Impact 1 is the first one.
    pub fn speed(&self, v: f64, n: u32) -> f64 {
        self.u * (v / self.u).powf(0.75_f64.powi(n as i32))
    }

    /// The time of impact n of a ball that is let go at a height, s: flight n takes 2 v/g.
    pub fn lands_at(&self, height: f64, n: u32) -> f64 {
        let first = (2.0 * self.g * height).sqrt();
        (first + (1..n).map(|n| 2.0 * self.speed(first, n)).sum::<f64>()) / self.g
    }

    /// Let go at the height of 1 m.
    pub fn dropped() -> State<f64, 1> {
        State::new(0.0, [1.0], [0.0])
    }
}
