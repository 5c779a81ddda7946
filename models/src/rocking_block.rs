//! A block that rocks on its two lower edges.

use lagrange_runtime::prelude::*;

/// A rigid block on rough ground; x and y are the position of its centre in m, and theta its tilt to the left. SI units.
///
/// Known solution: the block turns about one lower edge until the other meets the ground. The angular momentum about that edge is
/// kept, so that each impact multiplies the angular velocity by [`ratio`](Self::ratio), 1 − (3/2) sin² α with tan α = b/h. The
/// impacts follow each other ever faster, and the block comes to rest. Source: G. W. Housner, *The behavior of inverted pendulum
/// structures during earthquakes*, Bull. Seism. Soc. America 53, 1963.
#[lagrangian {
    coordinates x: m, y: m, theta: rad;

    let right_edge: m = [x, y] + [b*cos(theta) + h*sin(theta), b*sin(theta) - h*cos(theta)];
    let left_edge: m  = [x, y] + [-b*cos(theta) + h*sin(theta), -b*sin(theta) - h*cos(theta)];
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2 + m*(b^2 + h^2)/3*dot(theta)^2/2;
    potential = m*g*y;

    contact left:  left_edge[1] >= 0, friction = mu, slip = left_edge[0];
    contact right: right_edge[1] >= 0, friction = mu, slip = right_edge[0];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct RockingBlock {
    /// Mass.
    #[unit(kg)]
    #[range(1..1000)]
    pub m: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Half of the width.
    #[unit(m)]
    #[range(0.05..1)]
    pub b: f64,
    /// Half of the height.
    #[unit(m)]
    #[range(0.1..3)]
    pub h: f64,
    /// Coefficient of friction.
    #[unit(1)]
    #[range(0.1..3)]
    pub mu: f64,
}

/// A block three times as high as wide, that does not slip.
impl Default for RockingBlock {
    fn default() -> Self {
        Self { m: 100.0, g: 9.81, b: 0.2, h: 0.6, mu: 2.0 }
    }
}

impl RockingBlock {
    /// The ratio of the angular velocities after and before an impact.
    pub fn ratio(&self) -> f64 {
        1.0 - 1.5 * self.b * self.b / (self.b * self.b + self.h * self.h)
    }

    /// The block at rest on its right edge, tilted to the right by `tilt`.
    pub fn tilted(&self, tilt: f64) -> State<f64, 3> {
        let (sin, cos) = tilt.sin_cos();
        State::new(0.0, [-self.b * cos + self.h * sin, self.b * sin + self.h * cos, -tilt], [0.0; 3])
    }

    /// The default block, tilted by 0.1 rad and let go.
    pub fn let_go() -> State<f64, 3> {
        Self::default().tilted(0.1)
    }
}
