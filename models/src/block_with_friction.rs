//! A block on a spring with dry friction.

use lagrange_runtime::prelude::*;

/// A block on a spring that slides on a rough horizontal rail; x is the spring's stretch in m. SI units.
///
/// Known solution: the block turns every half period π √(m/k) of the frictionless motion, each time nearer to the middle by
/// twice [`dead_zone`](Self::dead_zone), until it turns within the dead zone and sticks. The equations cannot continue there:
/// the integration ends with [`Failure::Sliding`]. Source: S. S. Rao, *Mechanical Vibrations*, 5th ed., §2.9.
#[lagrangian {
    coordinates x: m;

    kinetic   = m*dot(x)^2/2;
    potential = k*x^2/2;
    force x   = -mu*m*g*sign(dot(x));
}]
#[derive(Clone, Debug, PartialEq)]
pub struct BlockWithFriction {
    /// Mass.
    #[unit(kg)]
    #[range(0.1..10)]
    pub m: f64,
    /// Stiffness of the spring.
    #[unit(N/m)]
    #[range(1..100)]
    pub k: f64,
    /// Coefficient of friction.
    #[unit(1)]
    #[range(0..1)]
    pub mu: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
}

/// A block of 1 kg whose dead zone is 0.1 m.
impl Default for BlockWithFriction {
    fn default() -> Self {
        Self { m: 1.0, k: 9.8, mu: 0.1, g: 9.8 }
    }
}

impl BlockWithFriction {
    /// The stretch μ m g/k at which the spring is as strong as the friction, m.
    pub fn dead_zone(&self) -> f64 {
        self.mu * self.m * self.g / self.k
    }

    /// The time from one turn to the next, s.
    pub fn half_period(&self) -> f64 {
        std::f64::consts::PI * (self.m / self.k).sqrt()
    }

    /// Pulled by 1.05 m and let go: with the default parameters the block turns four times, and sticks at the fifth.
    pub fn pulled() -> State<f64, 1> {
        State::new(0.0, [1.05], [0.0])
    }
}
