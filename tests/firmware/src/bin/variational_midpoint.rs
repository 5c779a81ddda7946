//! The variational midpoint rule, in single and in double precision.
#![no_std]
#![no_main]

use lagrange_firmware::double_pendulum_keeps_energy;
use lagrange_runtime::prelude::*;

lagrange_firmware::program!(
    double_pendulum_keeps_energy::<f32, _>(&VariationalMidpoint::new(0.01), 1e-2)
        && double_pendulum_keeps_energy::<f64, _>(&VariationalMidpoint::new(0.01), 1e-2)
);
