//! A block that sticks and slips on a belt.

use lagrange_runtime::prelude::*;

/// A block on a spring, on a belt of the speed u, with a friction that is larger while the block sticks; x is the spring's stretch in m. SI units.
///
/// Known solution: the belt carries the block until the spring is as strong as the static friction. Then the block slips, as a part of a harmonic motion about the stretch μ m g/k, until it
/// has the speed of the belt again. The cycle takes [`stick_time`](Self::stick_time) 2A/u and [`slip_time`](Self::slip_time) 2 (π − arctan(ω A/u))/ω, with A = (μₛ − μ) m g/k and ω² = k/m.
/// Source: K. Magnus, K. Popp, *Schwingungen*, 7th ed., ch. 3.
#[lagrangian {
    coordinates x: m;

    kinetic   = m*dot(x)^2/2;
    potential = k*x^2/2;
    friction belt: x - u*t = mu*m*g, breakaway = mu_static*m*g;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct BeltBlock {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// Stiffness of the spring.
    #[unit(N/m)]
    #[range(5..200)]
    pub k: f64,
    /// Coefficient of friction of a slip.
    #[unit(1)]
    #[range(0.05..0.4)]
    pub mu: f64,
    /// Coefficient of friction at rest, at least `mu`.
    #[unit(1)]
    #[range(0.4..1)]
    pub mu_static: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Speed of the belt.
    #[unit(m/s)]
    #[range(0.02..0.5)]
    pub u: f64,
}

/// A block of 1 kg on a slow belt.
impl Default for BeltBlock {
    fn default() -> Self {
        Self { m: 1.0, k: 40.0, mu: 0.25, mu_static: 0.4, g: 9.81, u: 0.1 }
    }
}

impl BeltBlock {
    /// The time for which the belt carries the block in each cycle but the first, 2A/u, s.
    pub fn stick_time(&self) -> f64 {
        2.0 * self.reach() / self.u
    }

    /// The time for which the block slips in each cycle, 2 (π − arctan(ω A/u))/ω, s.
    pub fn slip_time(&self) -> f64 {
        let omega = (self.k / self.m).sqrt();
        2.0 * (std::f64::consts::PI - (omega * self.reach() / self.u).atan()) / omega
    }

    /// The stretch at which the block breaks away, μₛ m g/k, m.
    pub fn breaks_at(&self) -> f64 {
        self.mu_static * self.m * self.g / self.k
    }

    /// The default block, which the belt carries from the relaxed spring on.
    pub fn carried() -> State<f64, 1> {
        State::new(0.0, [0.0], [Self::default().u])
    }

    /// The distance of the break from the middle of the slip, A, m.
    fn reach(&self) -> f64 {
        (self.mu_static - self.mu) * self.m * self.g / self.k
    }
}
