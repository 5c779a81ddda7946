//! The averaged vector field method, in single and in double precision.
#![no_std]
#![no_main]

use lagrange_firmware::double_pendulum_keeps_energy;
use lagrange_runtime::prelude::*;

lagrange_firmware::program!(
    double_pendulum_keeps_energy::<f32, _>(&EnergyPreserving::<f32, 2>::new(0.01), 1e-3)
        && double_pendulum_keeps_energy::<f64, _>(&EnergyPreserving::<f64, 3>::new(0.01), 1e-6)
);
