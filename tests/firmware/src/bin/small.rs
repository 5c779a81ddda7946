//! One model by one method in single precision: the program whose size, stack and instructions `benches/benches/small.rs` measures.
//!
//! `--cfg small`, `--cfg model="…"` and `--cfg method="…"` choose them; without these it has no mechanism. The program writes the steps of the motion and the bytes of stack that it took.
//! With an argument it does not paint the stack, which valgrind does not allow, and with two the motion is twice as long.
#![no_std]
#![no_main]

use core::hint::black_box;
#[cfg(small)]
use lagrange_firmware::*;
#[cfg(small)]
use lagrange_runtime::prelude::*;

#[cfg(method = "rk4")]
fn method<const N: usize, const C: usize>() -> impl Method<f32, N, C> {
    Rk4::new(0.01)
}

#[cfg(method = "dormand_prince")]
fn method<const N: usize, const C: usize>() -> impl Method<f32, N, C> {
    DormandPrince5::new()
}

#[cfg(method = "variational_midpoint")]
fn method<const N: usize, const C: usize>() -> impl Method<f32, N, C> {
    VariationalMidpoint::new(0.01)
}

#[cfg(method = "rattle")]
fn method<const N: usize, const C: usize>() -> impl Method<f32, N, C> {
    Rattle::new(0.01)
}

#[cfg(method = "gauss")]
fn method<const N: usize, const C: usize>() -> impl Method<f32, N, C> {
    Gauss::<f32, 2>::new(0.01)
}

#[cfg(model = "pendulum")]
fn motion(end: f32) -> Option<u64> {
    run(&Pendulum { m: 1.0, l: 1.0, g: 9.81 }.prepare::<f32>().ok()?, [1.0], [0.0], end)
}

#[cfg(model = "double_pendulum")]
fn motion(end: f32) -> Option<u64> {
    run(&DoublePendulum { m: 1.0, l: 1.0, g: 9.81 }.prepare::<f32>().ok()?, [1.0, 0.5], [0.0; 2], end)
}

#[cfg(model = "heavy_top")]
fn motion(end: f32) -> Option<u64> {
    let top = HeavyTop { across: 0.02, along: 0.01, weight: 0.5 };
    run(&top.prepare::<f32>().ok()?, [0.0, 0.5, 0.0], [0.0, 0.0, 30.0], end)
}

#[cfg(model = "spherical_pendulum")]
fn motion(end: f32) -> Option<u64> {
    let pendulum = SphericalPendulum { m: 1.0, l: 1.0, g: 9.81 };
    run(&pendulum.prepare::<f32>().ok()?, [0.6, 0.0, -0.8], [0.0, 1.0, 0.0], end)
}

#[cfg(model = "chain")]
fn motion(end: f32) -> Option<u64> {
    run(&Chain { m: 1.0, l: 1.0, g: 9.81 }.prepare::<f32>().ok()?, [0.1, 0.2, 0.3, 0.4], [0.0; 4], end)
}

/// The number of steps of the motion until `end`; `None` where it failed.
#[cfg(small)]
fn run<S, const N: usize, const C: usize>(system: &S, q: [f32; N], v: [f32; N], end: f32) -> Option<u64>
where
    S: System<f32, N, C, 0>,
{
    let (mut state, mut inputs) = (State::new(0.0, q, v), DefaultInputs::of(system));
    let options = Options { rtol: 1e-5.into(), atol: 1e-5.into(), ..Options::default() };
    let report = integrate(system, &mut state, end, &method(), &options, &mut inputs, &mut ()).ok()?;
    black_box(state);
    Some(report.statistics.steps)
}

/// Where nothing is chosen: what a program without a mechanism has.
#[cfg(not(small))]
fn motion(_: f32) -> Option<u64> {
    Some(0)
}

lagrange_firmware::panics_do_not_link!();

unsafe extern "C" {
    fn write(file: i32, text: *const u8, length: usize) -> isize;
}

/// What the C library calls.
#[unsafe(no_mangle)]
pub extern "C" fn main(arguments: i32) -> i32 {
    let end = if arguments > 2 { 4.0 } else { 2.0 };
    let (steps, stack) = if arguments > 1 {
        (motion(black_box(end)), 0)
    } else {
        lagrange_firmware::stack::used_by(|| motion(black_box(end)))
    };
    let Some(steps) = steps else { return 1 };
    for mut number in [steps, stack] {
        let mut line = [b'\n'; 21];
        for digit in line.iter_mut().rev().skip(1) {
            *digit = b'0' + (number % 10) as u8;
            number /= 10;
        }
        // SAFETY: the bytes are initialised, and the length is theirs.
        unsafe { write(1, line.as_ptr(), line.len()) };
    }
    0
}
