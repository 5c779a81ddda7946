//! Study 5: a triple pendulum under constraints.

pub(super) mod angles;
pub(super) mod constraint_error;
pub(super) mod introduction;
pub(super) mod long_motion;
pub(super) mod stiff;

use super::Finding;
use super::motion::Motion;
use lagrange_models::TriplePendulumCartesian;
use lagrange_runtime::prelude::*;

/// The document's number.
const STUDY: u32 = 5;

/// The paper's step, s.
const STEP: f64 = 0.12;

/// How long the paper integrates, s.
const DURATION: f64 = 60.0;

/// The pendulum, in words.
const PARAMETERS: &str =
    "Three bobs of 1 kg on rods of 1 m, g = 1 m/s², from rest at (1/2, −√3/2), (0, −√3), (0, −1 − √3) m.";

/// What the composition is here.
const COMPOSITION: &str = "the paper's three steps: half an impulse, the implicit midpoint rule, projection";

type Pendulum<'a> = dyn System<f64, 6, 3, 0> + 'a;

/// A motion with the errors of its constraints.
struct Run {
    motion: Motion<6>,
    /// t, the norm of g and that of G v, at each step's end.
    errors: Vec<[f64; 3]>,
}

impl Run {
    fn integrate<'s, M>(system: &'s Pendulum<'s>, t_end: f64, method: &M) -> Finding<Self>
    where
        M: Method<f64, 6, 3>,
    {
        let motion = Motion::integrate(system, TriplePendulumCartesian::released(), t_end, method)?;
        let error = |State { t, q, v }: &State<f64, 6>| {
            let rate = system.constraint_hidden(*t, q, v, &SVector::zeros()).rate;
            [*t, system.constraint(*t, q).value.norm(), rate.norm()]
        };
        let errors = motion.states.iter().map(error).collect();
        Ok(Self { motion, errors })
    }

    /// The largest norm of g.
    fn position_error(&self) -> f64 {
        self.errors.iter().map(|error| error[1]).fold(0.0, f64::max)
    }

    /// The largest norm of G v.
    fn velocity_error(&self) -> f64 {
        self.errors.iter().map(|error| error[2]).fold(0.0, f64::max)
    }
}
