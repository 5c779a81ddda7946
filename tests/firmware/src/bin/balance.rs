//! A cart that balances a pole: the example `small_controller`, controller, observer and plant in single precision.
#![no_std]
#![no_main]

#[path = "../../../../examples/src/bin/small_controller/controller.rs"]
mod controller;

use controller::{balance, balance_observed};

lagrange_firmware::program!(
    balance(0.2, 10.0).is_some_and(|end| end.q[1].abs() < 1e-4 && end.q[0].abs() < 1e-3)
        && balance_observed(0.1, 10.0).is_some_and(|(end, estimate)| {
            end.q[1].abs() < 1e-4 && end.q[0].abs() < 1e-3 && (estimate.v[1] - end.v[1]).abs() < 1e-3
        })
);
