//! A steel ball under an electromagnet.

use lagrange_runtime::prelude::*;

/// A steel ball below an electromagnet: y its distance from the coil, downward, e the charge that has passed through the coil, whose
/// rate is the current. SI units.
///
/// The ball raises the coil's inductance to l1 + l0/(1 + y/a), so that the magnetic coenergy draws it up. The voltage at the coil
/// is an input.
///
/// Known solution: at any distance a constant voltage holds the ball ([`MagneticLevitation::held`]), in unstable equilibrium; a
/// deviation grows at the rate [`MagneticLevitation::growth_rate`]. Source: H. K. Khalil, *Nonlinear Systems*, 3rd ed.,
/// exercise 1.18, with the numbers of its later exercises.
#[lagrangian {
    coordinates y: m, e: C;

    let inductance: H = l1 + l0/(1 + y/a);

    kinetic     = m*dot(y)^2/2 + inductance*dot(e)^2/2;
    potential   = -m*g*y;
    dissipation = damping*dot(y)^2/2 + r*dot(e)^2/2;
    force e     = voltage;

    output current: A = dot(e);
    output flux: Wb = inductance*dot(e);

    verify forcing[y] == m*g - damping*dot(y) - l0*dot(e)^2/(2*a*(1 + y/a)^2);
    verify forcing[e] == voltage - r*dot(e) + l0*dot(e)*dot(y)/(a*(1 + y/a)^2);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct MagneticLevitation {
    /// Mass of the ball.
    #[unit(kg)]
    pub m: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Viscous friction of the air.
    #[unit(N*s/m)]
    pub damping: f64,
    /// Inductance without the ball.
    #[unit(H)]
    pub l1: f64,
    /// What the ball adds at the coil.
    #[unit(H)]
    pub l0: f64,
    /// The distance at which it adds half of that.
    #[unit(m)]
    pub a: f64,
    /// Resistance of the coil.
    #[unit(ohm)]
    pub r: f64,
    /// Voltage at the coil.
    #[unit(V)]
    #[input]
    pub voltage: f64,
}

/// Khalil's numbers, with the voltage that holds the ball at 0.05 m.
impl Default for MagneticLevitation {
    fn default() -> Self {
        let model = Self { m: 0.1, g: 9.81, damping: 0.001, l1: 0.02, l0: 0.01, a: 0.05, r: 1.0, voltage: 0.0 };
        Self { voltage: model.r * model.holding_current(0.05), ..model }
    }
}

impl MagneticLevitation {
    /// The current that holds the ball at distance `y`, A.
    pub fn holding_current(&self, y: f64) -> f64 {
        (1.0 + y / self.a) * (2.0 * self.m * self.g * self.a / self.l0).sqrt()
    }

    /// At rest at distance `y`, with the current that holds it there.
    pub fn held(&self, y: f64) -> State<f64, 2> {
        State::new(0.0, [y, 0.0], [0.0, self.holding_current(y)])
    }

    /// Held by the default voltage, but 1 mm too low.
    pub fn let_go() -> State<f64, 2> {
        let mut state = Self::default().held(0.05);
        state.q[0] += 1e-3;
        state
    }

    /// The rate at which a deviation from the equilibrium at `y` grows at constant voltage, 1/s: the positive root s of
    /// (m s² + damping s − κ)(l s + r) + β² s = 0, κ and β being the derivatives of the force by −y and by the current.
    pub fn growth_rate(&self, y: f64) -> f64 {
        let (stretch, current) = (1.0 + y / self.a, self.holding_current(y));
        let beta = self.l0 * current / (self.a * stretch * stretch);
        let kappa = beta * current / (self.a * stretch);
        let l = self.l1 + self.l0 / stretch;
        let residual = |s: f64| (self.m * s * s + self.damping * s - kappa) * (l * s + self.r) + beta * beta * s;
        // At √(κ/m) the first factor, and so all, is positive; at 0 it is −κ r.
        let (mut low, mut high) = (0.0, (kappa / self.m).sqrt());
        for _ in 0..80 {
            let middle = f64::midpoint(low, high);
            if residual(middle) < 0.0 { low = middle } else { high = middle }
        }
        f64::midpoint(low, high)
    }
}
