//! A block of wood that catches a bullet.

use lagrange_runtime::prelude::*;

/// A block on two parallel cords of length l, and a bullet that stays in it. The block keeps upright, so that θ, the angle of the cords from the vertical, tells where
/// it is. x and y are the position of the bullet in m, from the middle between the upper ends of the cords. SI units.
///
/// The bullet is caught where it meets the middle of the block: the mode `caught` switches the constraint `wood` on, and `height` keeps how high in the block
/// the bullet sticks. Known solution: the momentum of the bullet along its flight becomes that of both, so that
/// [`caught_speed`](Self::caught_speed) = m v/(m + M), most of the energy is lost, and the block rises by [`rise`](Self::rise), from which the speed of the bullet is read. Source: B. Robins,
/// *New Principles of Gunnery*, 1742.
#[lagrangian {
    coordinates x: m, y: m, theta: rad;

    let middle: m = [l*sin(theta), -l*cos(theta)];
    kinetic   = bullet*(dot(x)^2 + dot(y)^2)/2 + block*norm2(dot(middle))/2;
    potential = g*(bullet*y + block*middle[1]);

    mode caught = when x > middle[0] { 1 } then height = y - middle[1];
    mode height;
    constraint wood: [x, y] == middle + [0, height] when caught > 1/2;

    output rise: m = l - l*cos(theta);
    output force: N = reaction(wood);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct BallisticPendulum {
    /// Mass of the bullet.
    #[unit(kg)]
    #[range(0.001..0.05)]
    pub bullet: f64,
    /// Mass of the block.
    #[unit(kg)]
    #[range(0.5..10)]
    pub block: f64,
    /// Length of the cords.
    #[unit(m)]
    #[range(0.5..4)]
    pub l: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
}

/// A bullet of 10 g, and a block of 2 kg on cords of 1 m.
impl Default for BallisticPendulum {
    fn default() -> Self {
        Self { bullet: 0.01, block: 2.0, l: 1.0, g: 9.81 }
    }
}

impl BallisticPendulum {
    /// The common speed of a block at rest and of a bullet that reaches it with the horizontal speed v, m/s.
    pub fn caught_speed(&self, v: f64) -> f64 {
        self.bullet * v / (self.bullet + self.block)
    }

    /// The energy that is lost where a bullet with the velocity (v, w) is caught by a block at rest, J: m M v²/(2 (m + M)) + m w²/2.
    pub fn lost(&self, [v, w]: [f64; 2]) -> f64 {
        self.bullet * (self.block * v * v / (self.bullet + self.block) + w * w) / 2.0
    }

    /// How high a block rises that moves with this speed below its cords, m.
    pub fn rise(&self, speed: f64) -> f64 {
        speed * speed / (2.0 * self.g)
    }

    /// The block at rest, and a bullet that is shot at its middle from the distance `way`.
    pub fn aimed(&self, way: f64, speed: f64) -> State<f64, 5> {
        State::new(0.0, [-way, -self.l, 0.0, 0.0, 0.0], [speed, 0.0, 0.0, 0.0, 0.0])
    }

    /// The default block, and a bullet of 300 m/s from 3 m.
    pub fn shot() -> State<f64, 5> {
        Self::default().aimed(3.0, 300.0)
    }
}
