//! Elements of beams: their frequencies against closed forms, with orders, and a beam that is rolled up.

use super::frequencies;
use lagrange_runtime::prelude::*;
use std::f64::consts::PI;

/// A clamped beam of Euler–Bernoulli elements, whose deflection is the cubic by the deflections and the slopes of two nodes.
macro_rules! cantilever {
    ($name:ident, $n:tt) => {
        #[lagrangian {
                    const n = $n;
                    coordinates w[n], s[n];
                    let h = l/n;
                    let y[0] = 0;
                    let y[i in 1..n + 1] = w[i - 1];
                    let slope[0] = 0;
                    let slope[i in 1..n + 1] = s[i - 1];
                    let a[e in 0..n] = h*slope[e];
                    let b[e in 0..n] = 3*(y[e + 1] - y[e]) - h*(2*slope[e] + slope[e + 1]);
                    let c[e in 0..n] = 2*(y[e] - y[e + 1]) + h*(slope[e] + slope[e + 1]);
                    kinetic = sum(e in 0..n, rho*h/2*integral(x in 0..1, dot(y[e] + a[e]*x + b[e]*x^2 + c[e]*x^3)^2));
                    potential = sum(e in 0..n, ei/(2*h^3)*integral(x in 0..1, (2*b[e] + 6*c[e]*x)^2));
                }]
        struct $name {
            l: f64,
            rho: f64,
            ei: f64,
        }
    };
}
cantilever!(Two, 2);
cantilever!(Four, 4);
cantilever!(Eight, 8);

/// cos β cosh β = −1 gives the frequencies β² √(EI/(ρ l⁴)).
const CLAMPED: [f64; 2] = [1.875_104_068_711_961, 4.694_091_132_974_175];

#[test]
fn frequencies_of_euler_bernoulli_elements_have_order_four() {
    let (l, rho, ei) = (1.3, 0.4, 2.5);
    let two = frequencies(&Two { l, rho, ei }.prepare::<f64>().expect("valid"), [0.0; 4]);
    let four = frequencies(&Four { l, rho, ei }.prepare::<f64>().expect("valid"), [0.0; 8]);
    let eight = frequencies(&Eight { l, rho, ei }.prepare::<f64>().expect("valid"), [0.0; 16]);
    for (mode, beta) in CLAMPED.into_iter().enumerate() {
        let exact = beta * beta * (ei / (rho * l.powi(4))).sqrt();
        let errors = [&two, &four, &eight].map(|found| found[mode] / exact - 1.0);
        let orders = [(errors[0] / errors[1]).log2(), (errors[1] / errors[2]).log2()];
        // Stiffer than the beam, as in every conforming element.
        assert!(errors.iter().all(|error| *error > 0.0), "{errors:?}");
        assert!((orders[1] - 4.0).abs() < [0.05, 0.15][mode], "{orders:?}");
    }
}

/// A beam of geometrically exact elements with shear, each with the strains of its middle (Simo and Vu-Quoc, 1986). Its ends may be held in another macro.
macro_rules! sheared {
    ($name:ident, $n:tt, $($ends:tt)*) => {
        #[lagrangian {
            const n = $n;
            $($ends)*
            let h = l/n;
            let mean[e in 0..n] = (turn[e] + turn[e + 1])/2;
            let chord[e in 0..n] = (r[e + 1] - r[e])/h;
            let axial[e in 0..n] = cos(mean[e])*chord[e][0] + sin(mean[e])*chord[e][1] - 1;
            let shear[e in 0..n] = cos(mean[e])*chord[e][1] - sin(mean[e])*chord[e][0];
            kinetic = sum(e in 0..n, h/2*integral(x in 0..1,
                rho*norm2(dot(r[e] + x*(r[e + 1] - r[e]))) + rotary*dot(turn[e] + x*(turn[e + 1] - turn[e]))^2));
            potential = sum(e in 0..n, h/2*(ea*axial[e]^2 + ga*shear[e]^2 + ei*((turn[e + 1] - turn[e])/h)^2));
            force turn[n] = moment;
        }]
        struct $name {
            l: f64,
            rho: f64,
            rotary: f64,
            ea: f64,
            ga: f64,
            ei: f64,
            moment: f64,
        }
    };
}
macro_rules! hinged {
    ($name:ident, $n:tt) => {
        sheared! { $name, $n,
            coordinates x[n], y[n - 1], turn[n + 1];
            let r[0] = [0, 0];
            let r[i in 1..n] = [x[i - 1], y[i - 1]];
            let r[n] = [x[n - 1], 0];
        }
    };
}
hinged!(HingedFour, 4);
hinged!(HingedEight, 8);
sheared! { Rolled, 6,
    coordinates p[n][2], a[n];
    let r[0] = [0, 0];
    let r[i in 1..n + 1] = p[i - 1];
    let turn[0] = 0;
    let turn[i in 1..n + 1] = a[i - 1];
}

/// The hinged beam of Timoshenko vibrates in sines: with k = π/l, ω² is the smaller eigenvalue of the equations of its deflection W sin kx and its rotation Θ cos kx,
/// ρ ω² W = GA (k² W − k Θ) and J ω² Θ = (EI k² + GA) Θ − GA k W.
#[test]
fn frequencies_of_sheared_elements_have_order_two() {
    let (l, rho, rotary, ea, ga, ei) = (1.0, 1.0, 1e-3, 4e3, 1e3, 4.0);
    let k = PI / l;
    let (trace, determinant) =
        (ga * k * k / rho + (ei * k * k + ga) / rotary, ga * k * k / rho * (ei * k * k) / rotary);
    let exact = (2.0 * determinant / (trace + (trace * trace - 4.0 * determinant).sqrt())).sqrt();
    let four = HingedFour { l, rho, rotary, ea, ga, ei, moment: 0.0 }.prepare::<f64>().expect("valid");
    let eight = HingedEight { l, rho, rotary, ea, ga, ei, moment: 0.0 }.prepare::<f64>().expect("valid");
    let straight = |i: usize, n: usize| if i < n { (i + 1) as f64 / n as f64 } else { 0.0 };
    let errors = [
        frequencies(&four, std::array::from_fn::<_, 12, _>(|i| straight(i, 4)))[0] / exact - 1.0,
        frequencies(&eight, std::array::from_fn::<_, 24, _>(|i| straight(i, 8)))[0] / exact - 1.0,
    ];
    assert!(errors[1].abs() < 0.02 && ((errors[0] / errors[1]).log2() - 2.0).abs() < 0.1, "{errors:?}");
    // Without shear and rotary inertia it would be faster by a tenth.
    let slender = k * k * (ei / rho).sqrt();
    assert!(slender / exact > 1.02, "{}", slender / exact);
}

/// A moment 2π EI/l at its end rolls a beam up to a circle: the elements are the sides of a regular polygon, without stretch and shear.
#[test]
fn a_moment_rolls_a_beam_up() {
    let (l, ei) = (2.0, 3.0);
    let beam = Rolled { l, rho: 1.0, rotary: 1e-3, ea: 1e4, ga: 4e3, ei, moment: 2.0 * PI * ei / l };
    let system = beam.prepare::<f64>().expect("valid");
    let (mut q, mut x, mut y) = (SVector::<f64, 18>::zeros(), 0.0, 0.0);
    for i in 0..6 {
        let mean = PI / 3.0 * (i as f64 + 0.5);
        (x, y) = (x + l / 6.0 * mean.cos(), y + l / 6.0 * mean.sin());
        (q[2 * i], q[2 * i + 1], q[12 + i]) = (x, y, PI / 3.0 * (i + 1) as f64);
    }
    assert!(q[10].abs() < 1e-15 && q[11].abs() < 1e-15);
    let at = system.acceleration(0.0, &q, &SVector::zeros(), &SVector::zeros()).expect("regular").acceleration;
    let one_side = system.acceleration(0.0, &(q * 0.999), &SVector::zeros(), &SVector::zeros()).expect("regular");
    assert!(at.amax() < 1e-9 * one_side.acceleration.amax(), "{at}");
}
