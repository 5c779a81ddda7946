//! Rosenbrock's method, a diagonally implicit one, and Radau's methods with an order that varies, in double precision.
#![no_std]
#![no_main]

use lagrange_firmware::double_pendulum_keeps_energy;
use lagrange_runtime::prelude::*;

lagrange_firmware::program!(
    double_pendulum_keeps_energy::<f64, _>(&Rodas5P::new(), 1e-3)
        && double_pendulum_keeps_energy::<f64, _>(&Esdirk4::new(), 1e-3)
        && double_pendulum_keeps_energy::<f64, _>(&VariableRadau::new(), 1e-3)
);
