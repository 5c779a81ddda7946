//! What the programs have in common: mechanisms, a frame that cannot panic, and checks of what the motions conserve.
//!
//! A program's panic handler calls a function that does not exist. The linker drops the handler where nothing can
//! panic, and otherwise refuses the program: that is the test. This needs optimisation (`--release`).
#![no_std]

pub mod stack;

use lagrange_runtime::prelude::*;

/// A point mass on a rod in space, under the rod's constraint.
#[lagrangian {
    coordinates x, y, z;
    kinetic = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    potential = m*g*z;
    constraint rod: x^2 + y^2 + z^2 == l^2;
}]
#[derive(Clone, Debug)]
pub struct SphericalPendulum {
    /// Mass, kg.
    pub m: f32,
    /// Length, m.
    pub l: f32,
    /// Gravity, m/s².
    pub g: f32,
}

/// Two point masses on massless rods in series.
#[lagrangian {
    coordinates a, b;
    let upper = l*[sin(a), -cos(a)];
    let lower = upper + l*[sin(b), -cos(b)];
    kinetic = m*(norm2(dot(upper)) + norm2(dot(lower)))/2;
    potential = m*g*(upper[1] + lower[1]);
}]
#[derive(Clone, Debug)]
pub struct DoublePendulum {
    /// Mass of each bob, kg.
    pub m: f32,
    /// Length of each rod, m.
    pub l: f32,
    /// Gravity, m/s².
    pub g: f32,
}

/// A bob on a rod that turns about a pivot.
#[lagrangian {
    coordinates theta;
    kinetic = m*l^2*dot(theta)^2/2;
    potential = -m*g*l*cos(theta);
}]
#[derive(Clone, Debug)]
pub struct Pendulum {
    /// Mass, kg.
    pub m: f32,
    /// Length, m.
    pub l: f32,
    /// Gravity, m/s².
    pub g: f32,
}

/// A symmetric top with a fixed point, in Euler angles.
#[lagrangian {
    coordinates phi, theta, psi;
    kinetic = across*(dot(theta)^2 + (dot(phi)*sin(theta))^2)/2 + along*(dot(psi) + dot(phi)*cos(theta))^2/2;
    potential = weight*cos(theta);
}]
#[derive(Clone, Debug)]
pub struct HeavyTop {
    /// Moment of inertia across the axis, kg·m².
    pub across: f32,
    /// Moment of inertia about the axis, kg·m².
    pub along: f32,
    /// Weight times the distance of the centre of mass from the fixed point, N·m.
    pub weight: f32,
}

/// Four point masses on massless rods in series.
#[lagrangian {
    coordinates theta[4];
    let p[0] = l*[sin(theta[0]), -cos(theta[0])];
    let p[i in 1..4] = p[i - 1] + l*[sin(theta[i]), -cos(theta[i])];
    kinetic = sum(i in 0..4, m*norm2(dot(p[i]))/2);
    potential = m*g*sum(i in 0..4, p[i][1]);
}]
#[derive(Clone, Debug)]
pub struct Chain {
    /// Mass of each bob, kg.
    pub m: f32,
    /// Length of each rod, m.
    pub l: f32,
    /// Gravity, m/s².
    pub g: f32,
}

/// Whether the double pendulum keeps its energy over a second, to the bound (J).
pub fn double_pendulum_keeps_energy<R, M>(method: &M, bound: f64) -> bool
where
    R: Real,
    M: Method<R, 2, 0>,
{
    let Ok(system) = (DoublePendulum { m: 1.0, l: 1.0, g: 9.81 }).prepare::<R>() else { return false };
    let initial = State::new(R::ZERO, [R::ONE, R::from_f64(0.5)], [R::ZERO, R::ZERO]);
    keeps_energy(&system, initial, method, bound)
}

/// Whether the spherical pendulum keeps its energy over a second, to the bound (J).
pub fn spherical_pendulum_keeps_energy<R, M>(method: &M, bound: f64) -> bool
where
    R: Real,
    M: Method<R, 3, 1>,
{
    let Ok(system) = (SphericalPendulum { m: 1.0, l: 1.0, g: 9.81 }).prepare::<R>() else { return false };
    let initial = State::new(R::ZERO, [R::from_f64(0.6), R::ZERO, R::from_f64(-0.8)], [R::ZERO, R::ONE, R::ZERO]);
    keeps_energy(&system, initial, method, bound)
}

fn keeps_energy<S, M, R, const N: usize, const C: usize>(
    system: &S,
    initial: State<R, N>,
    method: &M,
    bound: f64,
) -> bool
where
    S: System<R, N, C, 0>,
    M: Method<R, N, C>,
    R: Real,
{
    let options = Options::default();
    let mut inputs = DefaultInputs::of(system);
    let Ok(mut stepper) = Stepper::new(system, initial, R::ONE, method, &options, &mut inputs) else { return false };
    while !stepper.is_finished() {
        if stepper.step().is_err() {
            return false;
        }
    }
    let Ok(end) = stepper.state() else { return false };
    let none = SVector::from([]);
    let [first, last] = [initial, end].map(|state| system.energies(state.t, &state.q, &state.v, &none).energy);
    let change = (last - first).to_f64();
    change < bound && change > -bound
}

/// A program's panic handler.
#[macro_export]
macro_rules! panics_do_not_link {
    () => {
        unsafe extern "C" {
            fn something_can_panic() -> !;
        }

        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
            // SAFETY: no such function exists, so that a program in which this can be reached does not link.
            unsafe { something_can_panic() }
        }

        #[link(name = "c")]
        unsafe extern "C" {}
    };
}

/// A program's entry point and its panic handler; the exit code is 0 where `$passes` holds.
#[macro_export]
macro_rules! program {
    ($passes:expr) => {
        $crate::panics_do_not_link!();

        /// What the C library calls.
        #[unsafe(no_mangle)]
        pub extern "C" fn main() -> i32 {
            if $passes { 0 } else { 1 }
        }
    };
}
