//! What runs on the small computer: a plant's model, its controller and its observer in single precision, without std and allocation.

use lagrange_runtime::controller::{Law, Saturated, StateFeedback};
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

/// The corrections of the estimated positions (x, θ) for each measured difference of x, and for each one of θ.
pub(crate) const POSITION_CORRECTION: [[f32; 2]; 2] = [[0.537_200_5, -1.119_253_5], [-0.044_770_14, 0.202_185_45]];

/// The corrections of the estimated velocities, 1/s.
pub(crate) const VELOCITY_CORRECTION: [[f32; 2]; 2] = [[26.599_522, -65.828_26], [-2.627_855_3, 6.999_794_5]];

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

/// A law that measures positions only: it estimates the velocities with the plant's own equations.
///
/// A sample corrects the estimate by the difference between measured and predicted positions, gives the input for the corrected state,
/// and predicts the state of the next sample by a step of RK4 under this input (an extended Kalman filter with a constant gain).
pub(crate) struct Observed<S> {
    system: S,
    law: Saturated<StateFeedback<f32, 2, 1>, f32, 1>,
    /// The time of the last sample.
    sampled: Option<f32>,
    /// The state that was predicted for the last sample.
    predicted: State<f32, 2>,
    /// The state that is predicted for the sample after it.
    next: State<f32, 2>,
    /// The corrected state of the last sample.
    pub(crate) estimate: State<f32, 2>,
}

impl<S: System<f32, 2, 0, 1>> Observed<S> {
    /// An observer that begins at rest in the upright position, whatever the plant does.
    pub(crate) fn new(system: S) -> Self {
        let rest = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
        Self { system, law: law(), sampled: None, predicted: rest, next: rest, estimate: rest }
    }
}

impl<S: System<f32, 2, 0, 1>> Law<f32, 2, 1> for Observed<S> {
    fn sample(&mut self, t: f32, q: &SVector<f32, 2>, _: &SVector<f32, 2>) -> SVector<f32, 1> {
        // A second call at the same time replaces the sample.
        if self.sampled != Some(t) {
            (self.sampled, self.predicted) = (Some(t), self.next);
        }
        let difference = q - self.predicted.q;
        self.estimate = self.predicted;
        self.estimate.q += SMatrix::from(POSITION_CORRECTION) * difference;
        self.estimate.v += SMatrix::from(VELOCITY_CORRECTION) * difference;
        let u = self.law.sample(t, &self.estimate.q, &self.estimate.v);
        self.next = self.estimate;
        let end = self.next.t + PERIOD;
        let mut held = |_: f32, _: &SVector<f32, 2>, _: &SVector<f32, 2>| u;
        let options = Options::default();
        // Where the prediction fails, the estimate stays at the state before the failure, and the next measurement corrects it.
        let _ = integrate(&self.system, &mut self.next, end, &Rk4::new(PERIOD), &options, &mut held, &mut ());
        u
    }
}

/// The state and its estimate after `duration` seconds of balancing with measured positions only, from the lean `theta` in rad.
pub(crate) fn balance_observed(theta: f32, duration: f32) -> Option<(State<f32, 2>, State<f32, 2>)> {
    let mut observer = Observed::new(PLANT.prepare::<f32>().ok()?);
    let system = PLANT.prepare::<f32>().ok()?;
    let mut state = State::new(0.0, [0.0, theta], [0.0, 0.0]);
    let mut controller =
        Sampled::of(PERIOD, |t: f32, q: &SVector<f32, 2>, v: &SVector<f32, 2>| observer.sample(t, q, v));
    let method = Rk4::new(PERIOD / 4.0);
    integrate(&system, &mut state, duration, &method, &Options::default(), &mut controller, &mut ()).ok()?;
    Some((state, observer.estimate))
}
