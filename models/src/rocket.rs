//! A rocket that burns its fuel.

use lagrange_runtime::prelude::*;

/// A rocket that climbs straight up: its mass is that of its hull and of the fuel that is left. SI units.
///
/// The momentum of the rocket changes by all forces and by what leaves it: d/dt (m v) = −m g + ṁ (v − w), where the exhaust leaves
/// with the velocity v − w. So the force is stated with the momentum that the exhaust takes along, `burn*(w - v)`.
///
/// Known solution: v = w ln(m₀/m) − g t until the fuel is burnt. Source: K. E. Tsiolkovsky, *Exploration of outer space by means of
/// rocket devices*, 1903; H. Goldstein, C. Poole, J. Safko, *Classical Mechanics*, 3rd ed. 2002, exercise 1.13.
#[lagrangian {
    coordinates height: m;

    let mass: kg    = dry + fuel;
    let burning: kg/s = if fuel > 0 { burn } else { 0 };
    kinetic      = mass*dot(height)^2/2;
    potential    = mass*g*height;
    force height = burning*(exhaust - dot(height));
    state fuel: kg, dot(fuel) == -burning;

    output thrust: N = burning*exhaust;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Rocket {
    /// Mass without fuel.
    #[unit(kg)]
    #[range(50..1000)]
    pub dry: f64,
    /// Fuel burnt per time.
    #[unit(kg/s)]
    #[range(1..50)]
    pub burn: f64,
    /// Speed of the exhaust relative to the rocket.
    #[unit(m/s)]
    #[range(500..4500)]
    pub exhaust: f64,
    /// Gravitational acceleration.
    #[unit(m/s^2)]
    pub g: f64,
}

/// A sounding rocket.
impl Default for Rocket {
    fn default() -> Self {
        Self { dry: 200.0, burn: 12.5, exhaust: 2200.0, g: 9.81 }
    }
}

impl Rocket {
    /// The rocket at rest on the ground with 500 kg of fuel.
    pub fn fuelled() -> State<f64, 2> {
        Self::full(500.0)
    }

    /// The rocket at rest on the ground with this mass of fuel, kg.
    pub fn full(fuel: f64) -> State<f64, 2> {
        State::new(0.0, [0.0, 0.0], [0.0, fuel])
    }
}
