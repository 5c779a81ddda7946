//! The planar triple pendulum, in Cartesian coordinates and in angles.

use lagrange_runtime::prelude::*;

/// Three equal point masses on massless rods in series, in a plane, in Cartesian coordinates under the rods' constraints; y
/// upward from the hinge. SI units.
///
/// Known quantity: the energy is constant. The same motion in angles is [`TriplePendulum`]. Source: the example of
/// *Symplectic algorithms for the dynamic equations of constrained multibody systems* (in Chinese), Journal of Chongqing
/// University 27(6), 102–105, 2004.
#[lagrangian {
    coordinates r[3][2]: m;

    kinetic   = m*sum(i in 0..3, norm2(dot(r[i])))/2;
    potential = m*g*sum(i in 0..3, r[i][1]);

    constraint upper: norm(r[0]) == l;
    constraint middle: norm(r[1] - r[0]) == l;
    constraint lower: norm(r[2] - r[1]) == l;

    invariant total: J = energy;

    output upper_bob: m = r[0];
    output middle_bob: m = r[1];
    output lower_bob: m = r[2];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct TriplePendulumCartesian {
    /// Mass of each bob.
    #[unit(kg)]
    #[range(0.1..10)]
    pub m: f64,
    /// Length of each rod.
    #[unit(m)]
    #[range(0.2..5)]
    pub l: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
}

/// The paper's: 1 kg, 1 m, 1 m/s².
impl Default for TriplePendulumCartesian {
    fn default() -> Self {
        let TriplePendulum { m, l, g } = TriplePendulum::default();
        Self { m, l, g }
    }
}

impl TriplePendulumCartesian {
    /// The paper's initial state, at rest: bobs at (1/2, −√3/2), (0, −√3) and (0, −1 − √3), on rods of 1 m.
    pub fn released() -> State<f64, 6> {
        let root = 3.0_f64.sqrt();
        State::new(0.0, [0.5, -root / 2.0, 0.0, -root, 0.0, -1.0 - root], [0.0; 6])
    }
}

/// [`TriplePendulumCartesian`] in angles from the downward vertical, in radians.
#[lagrangian {
    coordinates theta[3]: rad;

    let p[0]: m = l*[sin(theta[0]), -cos(theta[0])];
    let p[i in 1..3]: m = p[i - 1] + l*[sin(theta[i]), -cos(theta[i])];

    kinetic   = m*sum(i in 0..3, norm2(dot(p[i])))/2;
    potential = m*g*sum(i in 0..3, p[i][1]);

    verify mass[theta[0], theta[1]] == 2*m*l^2*cos(theta[0] - theta[1]);
    verify mass[theta[0], theta[2]] == m*l^2*cos(theta[0] - theta[2]);

    invariant total: J = energy;

    output upper: m = p[0];
    output middle: m = p[1];
    output lower: m = p[2];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct TriplePendulum {
    /// Mass of each bob.
    #[unit(kg)]
    #[range(0.1..10)]
    pub m: f64,
    /// Length of each rod.
    #[unit(m)]
    #[range(0.2..5)]
    pub l: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
}

/// The paper's: 1 kg, 1 m, 1 m/s².
impl Default for TriplePendulum {
    fn default() -> Self {
        Self { m: 1.0, l: 1.0, g: 1.0 }
    }
}

impl TriplePendulum {
    /// [`TriplePendulumCartesian::released`].
    pub fn released() -> State<f64, 3> {
        let angle = std::f64::consts::FRAC_PI_6;
        State::new(0.0, [angle, -angle, 0.0], [0.0; 3])
    }

    /// A state in Cartesian coordinates.
    pub fn positions(&self, state: &State<f64, 3>) -> State<f64, 6> {
        let (mut q, mut v) = ([0.0; 6], [0.0; 6]);
        let (mut place, mut speed) = ([0.0; 2], [0.0; 2]);
        for i in 0..3 {
            let ((sin, cos), rate) = (state.q[i].sin_cos(), state.v[i]);
            place = [place[0] + self.l * sin, place[1] - self.l * cos];
            speed = [speed[0] + self.l * cos * rate, speed[1] + self.l * sin * rate];
            q[2 * i..2 * i + 2].copy_from_slice(&place);
            v[2 * i..2 * i + 2].copy_from_slice(&speed);
        }
        State::new(state.t, q, v)
    }
}
