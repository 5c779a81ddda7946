//! Radau's method of order 5 with and without constraints, in single and in double precision.
#![no_std]
#![no_main]

use lagrange_firmware::{double_pendulum_keeps_energy, spherical_pendulum_keeps_energy};
use lagrange_runtime::prelude::*;

lagrange_firmware::program!(
    spherical_pendulum_keeps_energy::<f32, _>(&Radau5::new(), 1e-3)
        && spherical_pendulum_keeps_energy::<f64, _>(&Radau5::new(), 1e-3)
        && double_pendulum_keeps_energy::<f64, _>(&Radau5::new(), 1e-3)
);
