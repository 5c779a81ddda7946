//! What runs on the small computer: a plant's model and its controller in single precision, without std and allocation.

use lagrange_runtime::controller::{Saturated, StateFeedback};
use lagrange_runtime::prelude::*;

/// A bob on a massless pole, hinged to a cart on a rail.
#[lagrangian {
    coordinates x, theta;
    let bob = [x + l*sin(theta), l*cos(theta)];
    kinetic   = cart*dot(x)^2/2 + m*norm2(dot(bob))/2;
    potential = m*g*bob[1];
    force x   = push;
}]
pub(crate) struct CartPole {
    /// Mass of the cart, kg.
    pub(crate) cart: f32,
    /// Mass of the bob, kg.
    pub(crate) m: f32,
    /// Length of the pole, m.
    pub(crate) l: f32,
    /// Gravity, m/s².
    pub(crate) g: f32,
    /// Force on the cart, N.
    #[input]
    pub(crate) push: f32,
}

/// The plant.
pub(crate) const PLANT: CartPole = CartPole { cart: 0.5, m: 0.2, l: 0.4, g: 9.81, push: 0.0 };

/// s: 100 samples a second.
pub(crate) const PERIOD: f32 = 0.01;

/// N.
pub(crate) const LARGEST_PUSH: f32 = 12.0;

/// N/m and N/rad. The program next to this file computes these numbers, and checks them.
pub(crate) const POSITION_GAIN: [f32; 2] = [-4.515007, -33.805805];

/// N·s/m and N·s/rad.
pub(crate) const VELOCITY_GAIN: [f32; 2] = [-5.180294, -5.920884];

/// The law that a sample evaluates: u = −K x, limited to the largest push.
pub(crate) fn law() -> Saturated<StateFeedback<f32, 2, 1>, f32, 1> {
    let feedback = StateFeedback::new(POSITION_GAIN.into(), VELOCITY_GAIN.into());
    Saturated::new(feedback, [-LARGEST_PUSH].into(), [LARGEST_PUSH].into())
}

/// The state after `duration` seconds of balancing in single precision, from the lean `theta` in rad.
pub(crate) fn balance(theta: f32, duration: f32) -> Option<State<f32, 2>> {
    let system = PLANT.prepare::<f32>().ok()?;
    let mut state = State::new(0.0, [0.0, theta], [0.0, 0.0]);
    let mut controller = Sampled::of(PERIOD, law());
    let method = Rk4::new(PERIOD / 4.0);
    integrate(&system, &mut state, duration, &method, &Options::default(), &mut controller, &mut ()).ok()?;
    Some(state)
}
