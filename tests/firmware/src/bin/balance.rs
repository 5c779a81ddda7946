//! A cart that balances a pole: the example `small_controller`, controller and plant in single precision.
#![no_std]
#![no_main]

#[path = "../../../../examples/src/bin/small_controller/controller.rs"]
mod controller;

lagrange_firmware::program!(
    controller::balance(0.2, 10.0).is_some_and(|end| end.q[1].abs() < 1e-4 && end.q[0].abs() < 1e-3)
);
