//! A link of a robot that bends.

use lagrange_runtime::prelude::*;

/// A link that a motor turns in a horizontal plane, with a load at its tip. It bends: two Euler–Bernoulli elements. θ is the angle of the hub; w are the deflections and
/// s the slopes of the middle and the tip, as seen from the hub. SI units.
///
/// In an element of length h the deflection is the cubic of ξ = x/h with the deflections and slopes of its two nodes (Hermite). To first order in w, which is right while θ̇
/// is small against the first frequency of the link, a point at the distance x moves across the link with x θ̇ + ẇ. Known solution: the frequencies of a clamped beam with a mass at its tip, and of one whose hub is free.
#[lagrangian {
    const n = 2;
    coordinates theta: rad, w[n]: m, s[n]: 1;

    let h: m = l/n;
    let y[0]: m = 0;
    let y[i in 1..n + 1] = w[i - 1];
    let slope[0]: 1 = 0;
    let slope[i in 1..n + 1] = s[i - 1];
    // w = y[e] + a ξ + b ξ² + c ξ³ in the element e.
    let a[e in 0..n]: m = h*slope[e];
    let b[e in 0..n]: m = 3*(y[e + 1] - y[e]) - h*(2*slope[e] + slope[e + 1]);
    let c[e in 0..n]: m = 2*(y[e] - y[e + 1]) + h*(slope[e] + slope[e + 1]);

    kinetic = hub*dot(theta)^2/2 + load*(l*dot(theta) + dot(w[n - 1]))^2/2
        + sum(e in 0..n, rho*h/2*integral(x in 0..1,
            (h*(e + x)*dot(theta) + dot(y[e] + a[e]*x + b[e]*x^2 + c[e]*x^3))^2));
    potential = sum(e in 0..n, ei/(2*h^3)*integral(x in 0..1, (2*b[e] + 6*c[e]*x)^2));
    force theta = torque;

    output tip: m = [l*cos(theta) - w[n - 1]*sin(theta), l*sin(theta) + w[n - 1]*cos(theta)];
    output root_moment: N*m = 2*ei*b[0]/h^2;

    verify momentum[theta] == hub*dot(theta) + load*l*(l*dot(theta) + dot(w[n - 1]))
        + sum(e in 0..n, rho*h*integral(x in 0..1, h*(e + x)*(h*(e + x)*dot(theta) + dot(y[e] + a[e]*x + b[e]*x^2 + c[e]*x^3))));
}]
#[derive(Clone, Debug, PartialEq)]
pub struct FlexibleLink {
    /// Length.
    #[unit(m)]
    pub l: f64,
    /// Mass per length.
    #[unit(kg/m)]
    pub rho: f64,
    /// Stiffness against bending.
    #[unit(N*m^2)]
    pub ei: f64,
    /// Moment of inertia of the hub with the motor.
    #[unit(kg*m^2)]
    pub hub: f64,
    /// Mass at the tip.
    #[unit(kg)]
    pub load: f64,
    /// Torque of the motor.
    #[input]
    #[unit(N*m)]
    #[range(-2..2)]
    pub torque: f64,
}

/// A link of 1 m and 0.3 kg with a load of 0.1 kg.
impl Default for FlexibleLink {
    fn default() -> Self {
        Self { l: 1.0, rho: 0.3, ei: 20.0, hub: 0.05, load: 0.1, torque: 0.0 }
    }
}

impl FlexibleLink {
    /// The link of 1 m at rest, bent by 2 cm at its tip as by a force there.
    pub fn bent() -> State<f64, 5> {
        let (w, s) = (|x: f64| 0.01 * x * x * (3.0 - x), |x: f64| 0.03 * x * (2.0 - x));
        State::new(0.0, [0.0, w(0.5), w(1.0), s(0.5), s(1.0)], [0.0; 5])
    }
}
