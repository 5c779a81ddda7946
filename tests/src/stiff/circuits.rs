//! Circuits.

use super::Published;
use lagrange_runtime::prelude::*;

/// A ring modulator: two transformers and four diodes. The states are voltages of capacitors, then currents of coils.
#[lagrangian {
    let source = 0.5*sin(2000*pi*t);
    let carrier = 2*sin(20000*pi*t);
    let d1 = 40.67286402e-9*(exp(17.7493332*(y[2] - y[4] - y[6] - carrier)) - 1);
    let d2 = 40.67286402e-9*(exp(17.7493332*(-y[3] + y[5] - y[6] - carrier)) - 1);
    let d3 = 40.67286402e-9*(exp(17.7493332*(y[3] + y[4] + y[6] + carrier)) - 1);
    let d4 = 40.67286402e-9*(exp(17.7493332*(-y[2] - y[5] + y[6] + carrier)) - 1);
    let rate = [
        (y[7] - 0.5*y[9] + 0.5*y[10] + y[13] - y[0]/25e3)/1.6e-8,
        (y[8] - 0.5*y[11] + 0.5*y[12] + y[14] - y[1]/25e3)/1.6e-8,
        (y[9] - d1 + d4)/2e-12,
        (-y[10] + d2 - d3)/2e-12,
        (y[11] + d1 - d3)/2e-12,
        (-y[12] - d2 + d4)/2e-12,
        (-y[6]/50 + d1 + d2 - d3 - d4)/1e-8,
        -y[0]/4.45,
        -y[1]/4.45,
        (0.5*y[0] - y[2] - 17.3*y[9])/5e-4,
        (-0.5*y[0] + y[3] - 17.3*y[10])/5e-4,
        (0.5*y[1] - y[4] - 17.3*y[11])/5e-4,
        (-0.5*y[1] + y[5] - 17.3*y[12])/5e-4,
        (-y[0] + source - 86.3*y[13])/2e-3,
        (-y[1] - 636.3*y[14])/2e-3,
    ];
    state y[i in 0..15]: dot(y[i]) == rate[i];
}]
#[derive(Clone, Copy, Debug)]
pub struct RingModulator {}

/// The solution of [`RingModulator`].
pub const RING_MODULATOR: Published<15> = Published {
    name: "Ring modulator",
    end: 1e-3,
    start_q: [0.0; 15],
    start_v: [0.0; 15],
    q: None,
    v: [
        -0.2339057358486745e-1,
        -0.7367485485540825e-2,
        0.2582956709291169,
        -0.406446572128345,
        -0.4039455665149794,
        0.2607966765422943,
        0.1106761861269975,
        0.2939904342435596e-6,
        -0.2840029933642329e-7,
        0.7267198267264553e-3,
        0.792948719696084e-3,
        -0.7255283495698965e-3,
        -0.7941401968526521e-3,
        0.7088495416976114e-4,
        0.239005907523657e-4,
    ],
    smallest: 0.0,
};

/// An amplifier with two transistors. The velocities of `c1` to `c5` are the voltages y1 − y2, y3, y4 − y5, y6 and y7 − y8 of the capacitors. The coordinates `e2`,
/// `e5` and `e8` have no inertia: their velocities are the voltages of nodes, which Kirchhoff's law determines, and their values, the integrals of these, have no
/// influence.
#[lagrangian {
    coordinates c1, c2, c3, c4, c5, e2, e5, e8;
    let y2 = dot(e2);
    let y5 = dot(e5);
    let y8 = dot(e8);
    let y1 = dot(c1) + y2;
    let y3 = dot(c2);
    let y4 = dot(c3) + y5;
    let y6 = dot(c4);
    let y7 = dot(c5) + y8;
    let source = 0.1*sin(200*pi*t);
    let first = 1e-6*(exp((y2 - y3)/0.026) - 1);
    let second = 1e-6*(exp((y5 - y6)/0.026) - 1);
    kinetic = (1e-6*dot(c1)^2 + 2e-6*dot(c2)^2 + 3e-6*dot(c3)^2 + 4e-6*dot(c4)^2 + 5e-6*dot(c5)^2)/2;
    potential = 0;
    dissipation = (y1 - source)^2/2000 + (y2^2 + (y2 - 6)^2 + y3^2 + (y4 - 6)^2 + y5^2 + (y5 - 6)^2 + y6^2 + (y7 - 6)^2 + y8^2)/18000;
    force c2 = first;
    force c4 = second;
    force c3 = -0.99*first;
    force c5 = -0.99*second;
    force e2 = -0.01*first;
    force e5 = -0.99*first - 0.01*second;
    force e8 = -0.99*second;
}]
#[derive(Clone, Copy, Debug)]
pub struct TransistorAmplifier {}

/// The published voltages y1 to y8 of the nodes of [`TransistorAmplifier`] at 0.2 s.
pub const AMPLIFIER_VOLTAGES: [f64; 8] = [
    -0.5562145012262709e-2,
    0.3006522471903042e1,
    0.2849958788608128e1,
    0.2926422536206241e1,
    0.2704617865010554e1,
    0.2761837778393145e1,
    0.4770927631616772e1,
    0.1236995868091548e1,
];

const Y: [f64; 8] = AMPLIFIER_VOLTAGES;

/// The solution of [`TransistorAmplifier`].
pub const TRANSISTOR_AMPLIFIER: Published<8> = Published {
    name: "Transistor amplifier",
    end: 0.2,
    start_q: [0.0; 8],
    start_v: [-3.0, 3.0, 3.0, 3.0, 6.0, 0.0, 0.0, 0.0],
    q: None,
    v: [Y[0] - Y[1], Y[2], Y[3] - Y[4], Y[5], Y[6] - Y[7], f64::NAN, f64::NAN, f64::NAN],
    smallest: 0.0,
};
