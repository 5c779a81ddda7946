//! Stiff problems with published solutions.
//!
//! Source of the equations and of the solutions: F. Mazzia, C. Magherini, *Test set for initial value problem solvers*, release 2.4, 2008.

mod circuits;
mod mechanisms;
mod reactions;
mod sphere;
mod water;

pub use circuits::{AMPLIFIER_VOLTAGES, RING_MODULATOR, RingModulator, TRANSISTOR_AMPLIFIER, TransistorAmplifier};
pub use mechanisms::{
    CAR_AXIS, CarAxis, SLIDER_CRANK, SLIDER_CRANK_CONVERGED, SQUEEZER, SliderCrank, Squeezer, VAN_DER_POL, VanDerPol,
};
pub use reactions::{HIRES, Hires, OREGONATOR, Oregonator, POLLUTION, Pollution, ROBERTSON, Robertson};
pub use sphere::{FEKETE, Fekete, fekete_start};
pub use water::{WATER_FLOWS, WATER_PRESSURES, WaterTubes};

use lagrange_runtime::prelude::*;

/// A start with the published solution at a later time.
#[derive(Clone, Copy, Debug)]
pub struct Published<const N: usize> {
    /// The name of the problem.
    pub name: &'static str,
    /// The time of the solution. The motion starts at 0.
    pub end: f64,
    /// The coordinates at the start.
    pub start_q: [f64; N],
    /// The velocities and the states at the start.
    pub start_v: [f64; N],
    /// The coordinates at the end; `None` for states alone.
    pub q: Option<[f64; N]>,
    /// The velocities and the states at the end; NaN for a state without a published value.
    pub v: [f64; N],
    /// Errors are relative to the magnitude of a component, or to this, whatever is larger.
    pub smallest: f64,
}

impl<const N: usize> Published<N> {
    /// The start.
    pub fn start(&self) -> State<f64, N> {
        State::new(0.0, self.start_q, self.start_v)
    }

    /// The largest error of a component of the end of a motion.
    pub fn error(&self, end: &State<f64, N>) -> f64 {
        let pairs = self.q.iter().flat_map(|q| end.q.iter().zip(q)).chain(end.v.iter().zip(&self.v));
        let known = pairs.filter(|(_, exact)| !exact.is_nan());
        let errors = known.map(|(found, exact)| (found - exact).abs() / exact.abs().max(self.smallest));
        // An error that is not a number is the largest one.
        errors.fold(0.0, |most, error| if error <= most { most } else { error })
    }
}
