//! The generalized-α method on a constrained mechanism, in single and in double precision.
#![no_std]
#![no_main]

use lagrange_firmware::spherical_pendulum_keeps_energy;
use lagrange_runtime::prelude::*;

lagrange_firmware::program!(
    spherical_pendulum_keeps_energy::<f32, _>(&GeneralizedAlpha::new(0.01, 0.9), 1e-2)
        && spherical_pendulum_keeps_energy::<f64, _>(&GeneralizedAlpha::new(0.01, 0.9), 1e-2)
);
