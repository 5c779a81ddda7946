//! A pendulum over three magnets.

use lagrange_runtime::prelude::*;

/// The bob of a long pendulum above a table with three magnets, which attract it. It comes to rest over one of them. Which one
/// it is depends on the start in an intricate way: the boundaries between the three sets of starts are fractal. Without units.
///
/// The magnets stand at the corners of an equilateral triangle, at the distance 1 from the centre. The bob moves at the height
/// `d` above them. A magnet attracts it by 1/r² at the distance r. The weight pulls it back to the centre by `c` times the
/// distance from there, and the air brakes it by `b` times its velocity.
///
/// Known quantities: a turn by 120° about the centre, or a reflection at the line through a magnet and the centre, turns a motion
/// into another one. Source: H.-O. Peitgen, H. Jürgens, D. Saupe, *Chaos and Fractals*, Springer, 1992.
#[lagrangian {
    coordinates x: 1, y: 1;
    units time = 1, energy = 1;

    let h: 1 = sqrt(3)/2;
    let first: 1  = [x - 1, y, d];
    let second: 1 = [x + 1/2, y - h, d];
    let third: 1  = [x + 1/2, y + h, d];

    kinetic     = (dot(x)^2 + dot(y)^2)/2;
    potential   = c*(x^2 + y^2)/2 - 1/norm(first) - 1/norm(second) - 1/norm(third);
    dissipation = b*(dot(x)^2 + dot(y)^2)/2;

    output position: 1  = [x, y];
    output direction: rad = atan2(y, x);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct MagneticPendulum {
    /// The height of the bob above the magnets.
    #[unit(1)]
    #[range(0.1..1)]
    pub d: f64,
    /// The strength of the force towards the centre.
    #[unit(1)]
    #[range(0.1..2)]
    pub c: f64,
    /// The strength of the friction.
    #[unit(1)]
    #[range(0..1)]
    pub b: f64,
}

/// A low and weakly braked bob: d = 0.25, c = 0.5, b = 0.2.
impl Default for MagneticPendulum {
    fn default() -> Self {
        Self { d: 0.25, c: 0.5, b: 0.2 }
    }
}

impl MagneticPendulum {
    /// At rest beside the line between two magnets.
    pub fn released() -> State<f64, 2> {
        State::new(0.0, [-1.5, 0.2], [0.0, 0.0])
    }
}
