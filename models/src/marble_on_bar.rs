//! A marble that rolls off a round bar.

use lagrange_runtime::prelude::*;

/// A marble of radius r on a bar with round ends of radius b, and a floor below: shapes in the plane, whose distances are the gaps, and whose slips follow from them. The axis of
/// the bar ends in the origin; x and y are the middle of the marble in m. SI units.
///
/// Known solution: a marble that does not slip on its way leaves the round end at the angle φ with [`cos_leaving`](Self::cos_leaving) = (10 + 7 F)/17, where
/// F = v²/(g (r + b)), because 7/10 v² + g (r + b) cos φ is constant and the bar carries nothing where v² = g (r + b) cos φ. On the floor it goes on as it must:
/// its angular momentum about the point of the impact is kept, and it rolls with [`rolling`](Self::rolling). A marble with little friction slips before it leaves. Source: a hoop that
/// rolls off a cylinder in the exercises of H. Goldstein, C. Poole, J. Safko, *Classical Mechanics*, 3rd ed. 2002, ch. 2.
#[lagrangian {
    coordinates x: m, y: m, turn: rad;

    kinetic   = rigid_body_energy(m, 2*m*r^2/5, [x, y], turn);
    potential = m*g*y;

    contact bar:   distance(sphere([x, y], r, turn), capsule([-l, 0], [0, 0], b, 0)) >= 0, friction = mu;
    contact floor: distance(sphere([x, y], r, turn), plane([0, -h], [0, 1])) >= 0, friction = mu;

    output above: m = distance(sphere([x, y], r), capsule([-l, 0], [0, 0], b));
}]
#[derive(Clone, Debug, PartialEq)]
pub struct MarbleOnBar {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Radius of the marble.
    #[unit(m)]
    #[range(0.005..0.05)]
    pub r: f64,
    /// Radius of the bar.
    #[unit(m)]
    #[range(0.01..0.2)]
    pub b: f64,
    /// Length of the bar's axis.
    #[unit(m)]
    pub l: f64,
    /// Height of the bar's axis over the floor.
    #[unit(m)]
    #[range(0.3..2)]
    pub h: f64,
    /// Coefficient of friction.
    #[unit(1)]
    #[range(0.05..2)]
    pub mu: f64,
}

/// A marble of 2 cm on a bar of 5 cm, half a metre over the floor.
impl Default for MarbleOnBar {
    fn default() -> Self {
        Self { m: 0.08, g: 9.81, r: 0.02, b: 0.05, l: 1.0, h: 0.5, mu: 0.6 }
    }
}

impl MarbleOnBar {
    /// The cosine of the angle from the top at which a marble leaves that reaches the end with this speed and does not slip.
    pub fn cos_leaving(&self, speed: f64) -> f64 {
        (10.0 + 7.0 * speed * speed / (self.g * (self.r + self.b))) / 17.0
    }

    /// The speed with which a marble rolls on the floor that reaches it with the horizontal velocity `along` and the angular velocity `spin`, and does not slip after the impact.
    pub fn rolling(&self, along: f64, spin: f64) -> f64 {
        (5.0 * along - 2.0 * self.r * spin) / 7.0
    }

    /// The marble on the bar, 10 cm before the round end, rolling towards it.
    pub fn rolled(&self, speed: f64) -> State<f64, 3> {
        State::new(0.0, [-0.1, self.r + self.b, 0.0], [speed, 0.0, -speed / self.r])
    }

    /// The default marble at 20 cm/s.
    pub fn rolling_off() -> State<f64, 3> {
        Self::default().rolled(0.2)
    }
}
