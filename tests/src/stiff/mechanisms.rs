//! An oscillator, and mechanisms with constraints.

use super::Published;
use lagrange_runtime::prelude::*;

/// Van der Pol's oscillator.
#[lagrangian {
    coordinates x;
    kinetic = eps*dot(x)^2/2;
    potential = x^2/2;
    force x = (1 - x^2)*dot(x);
}]
#[derive(Clone, Copy, Debug)]
pub struct VanDerPol {
    /// The inertia.
    pub eps: f64,
}

/// The solution of [`VanDerPol`] with ε = 10⁻⁶.
pub const VAN_DER_POL: Published<1> = Published {
    name: "Van der Pol",
    end: 2.0,
    start_q: [2.0],
    start_v: [0.0],
    q: Some([1.706167732170483]),
    v: [-0.8928097010247975],
    smallest: 0.0,
};

/// The car axis: stiff springs, and a constraint that depends on the time.
#[lagrangian {
    coordinates l[2], r[2];
    let bump = 0.1*sin(10*t);
    let ground = [sqrt(1 - bump^2), bump];
    let inertia = 10*eps^2/2;
    kinetic = inertia*(norm2(dot(l)) + norm2(dot(r)))/2;
    potential = (norm(l) - 1/2)^2/2 + (norm(r - ground) - 1/2)^2/2 + inertia*(l[1] + r[1]);
    constraint upright: l[0]*ground[0] + l[1]*ground[1] == 0;
    constraint axle: norm2(l - r) == 1;
}]
#[derive(Clone, Copy, Debug)]
pub struct CarAxis {
    /// The root of the inertia.
    pub eps: f64,
}

/// The solution of [`CarAxis`] with ε = 10⁻².
pub const CAR_AXIS: Published<4> = Published {
    name: "Car axis",
    end: 3.0,
    start_q: [0.0, 0.5, 1.0, 0.5],
    start_v: [-0.5, 0.0, -0.5, 0.0],
    q: Some([0.04934557842754028, 0.49698946023017115, 1.0417425248854215, 0.37391102726536124]),
    v: [-0.07705836840409723, 0.007446866587237785, 0.017556815753723223, 0.7703410437792519],
    smallest: 1.0,
};

/// Andrews' squeezing mechanism: seven bodies by their centres of mass, with seven angles. A motor turns the first body, and a spring pulls the third.
///
/// Source of the data: W. Schiehlen (ed.), *Multibody Systems Handbook*, 1990.
#[lagrangian {
    coordinates beta, theta, gamma, phi, delta, omega, epsilon;
    let a = [-0.06934, -0.00227];
    let b = [-0.03635, 0.03273];
    let crank = 0.007*[cos(beta), sin(beta)];
    let along = [cos(beta + theta), sin(beta + theta)];
    let joint = crank - 0.028*along;
    let rod = crank - 0.0115*along;
    let upper = a + 0.04*[cos(delta), sin(delta)];
    let upper_rod = upper + (0.02 - 0.01421)*[sin(phi + delta), -cos(phi + delta)];
    let lower = a + 0.04*[sin(epsilon), -cos(epsilon)];
    let lower_rod = lower + (0.02 - 0.01421)*[cos(omega + epsilon), sin(omega + epsilon)];
    let hook = b + 0.02*[cos(gamma), sin(gamma)] + 0.018*[sin(gamma), -cos(gamma)];
    kinetic = (0.04325*0.00092^2 + 2.194e-6)*dot(beta)^2/2
        + 0.00365*norm2(dot(rod))/2 + 4.410e-7*(dot(beta) + dot(theta))^2/2
        + (0.02373*(0.01874^2 + 0.01043^2) + 5.255e-6)*dot(gamma)^2/2
        + 0.00706*norm2(dot(upper_rod))/2 + 5.667e-7*(dot(phi) + dot(delta))^2/2
        + (0.07050*(0.02308^2 + 0.00916^2) + 1.169e-5)*dot(delta)^2/2
        + 0.00706*norm2(dot(lower_rod))/2 + 5.667e-7*(dot(omega) + dot(epsilon))^2/2
        + (0.05498*(0.01228^2 + 0.00449^2) + 1.912e-5)*dot(epsilon)^2/2;
    potential = 4530*(norm(hook - [0.014, 0.072]) - 0.07785)^2/2;
    force beta = 0.033;
    constraint third: joint == b + 0.035*[sin(gamma), -cos(gamma)];
    constraint fourth: joint == upper + 0.02*[sin(phi + delta), -cos(phi + delta)];
    constraint sixth: joint == lower + 0.02*[cos(omega + epsilon), sin(omega + epsilon)];
}]
#[derive(Clone, Copy, Debug)]
pub struct Squeezer {}

/// The solution of [`Squeezer`]. The first two bodies turn at 1140 and 1420 rad/s.
pub const SQUEEZER: Published<7> = Published {
    name: "Andrews' squeezer",
    end: 0.03,
    start_q: [
        -0.06171389001427645,
        0.0,
        0.45527981916307037,
        0.22266839016588588,
        0.48736497954384256,
        -0.22266839016588588,
        1.2305474445498212,
    ],
    start_v: [0.0; 7],
    q: Some([
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    ]),
    v: [
        1139.920302151208,
        -1424.379294994111,
        11.03291221937134,
        19.29337464421385,
        0.5735699284790808,
        -19.29337464421385,
        0.3231791658026955,
    ],
    smallest: 1.0,
};

/// A slider crank whose rod of steel bends and stretches, without damping. The crank turns at 150 rad/s. The rod has two modes of bending, `q1` and `q2`, and
/// the longitudinal displacements of its middle and of its end, `q3` and `q4`. The published data have π to eight digits.
///
/// Source: B. Simeon, *Modelling a flexible slider crank mechanism by a mixed system of DAEs and PDEs*, Math. Modelling of Systems 2, 1996.
#[lagrangian {
    coordinates phi1, phi2, x, q1, q2, q3, q4;
    let half_turn = 3.1415927;
    let l1 = 0.15;
    let l2 = 0.30;
    let rho = 7870;
    let area = 0.008^2;
    let volume = area*l2;
    let turned = phi1 - phi2;
    let c1 = volume*(2/3*q3 + q4/6);
    let c2 = volume*2/half_turn*q1;
    let c12 = l2*volume*(q3/3 + q4/6);
    let c21 = l2*volume*(q1/half_turn - q2/(2*half_turn));
    let bend = volume*16/half_turn^3;
    let stretch = volume*(8/half_turn^3 - 1/half_turn);
    let slide = volume/(2*half_turn);
    let swirl = bend*(q3*dot(q1) - q1*dot(q3)) + stretch*(q1*dot(q4) - q4*dot(q1)) + slide*(q2*dot(q4) - q4*dot(q2));
    let inertia = rho*volume;
    let stiffness = 0.2e12*area/l2;
    kinetic = (0.002727 + 0.151104*l1^2)*dot(phi1)^2/2
        + (0.0045339259 + inertia*(q1^2/2 + q2^2/2 + 8*q3^2 + 2*q3*q4 + 2*q4^2) + 2*rho*c12)*dot(phi2)^2/2
        + (l1*l2*0.151104*cos(turned)/2 + rho*l1*(sin(turned)*c2 + cos(turned)*c1))*dot(phi1)*dot(phi2)
        + 0.075552*dot(x)^2/2
        + rho*l1*dot(phi1)*(cos(turned)*dot(c2) - sin(turned)*dot(c1))
        + rho*dot(phi2)*(dot(c21) + swirl)
        + inertia*(dot(q1)^2/2 + dot(q2)^2/2 + 8*dot(q3)^2 + 2*dot(q3)*dot(q4) + 2*dot(q4)^2)/2;
    potential = stiffness*(half_turn^4*(0.008/l2)^2*(q1^2/24 + 2/3*q2^2) + 16/3*q3^2 - 16/3*q3*q4 + 7/3*q4^2)/2;
    constraint across: l1*sin(phi1) + (l2 + q4)*sin(phi2) == 0;
    constraint along: x == l1*cos(phi1) + (l2 + q4)*cos(phi2);
    constraint motor: phi1 == 150*t;
}]
#[derive(Clone, Copy, Debug)]
pub struct SliderCrank {}

/// The solution of [`SliderCrank`] from a start close to the smooth motion, which is stated to nine digits.
pub const SLIDER_CRANK: Published<7> = Published {
    name: "Slider crank",
    end: 0.1,
    start_q: [0.0, 0.0, 0.450016933, 0.0, 0.0, 0.103339863e-4, 0.169327969e-4],
    start_v: [150.0, -74.995767, -0.268938672e-5, 0.444896105, 0.463434311e-2, -0.178591076e-5, -0.268938672e-5],
    q: Some([
        1.5e1,
        -3.311734987910881e-1,
        1.69737332671841e-1,
        1.893192460247178e-4,
        2.375751865617931e-5,
        -5.323907988763734e-6,
        -8.36328314161684e-6,
    ]),
    v: [
        1.5e2,
        6.025346682645789e1,
        -8.753116989887888,
        -3.005536801092212e-2,
        -5.500488291932075e-3,
        4.978243404809343e-4,
        1.104933470696396e-3,
    ],
    smallest: 0.0,
};

/// [`SLIDER_CRANK`] from the start that its positions and velocities are nearest to among those that meet the constraints, in the metric of M. The published start misses the constraint along the slide by 2·10⁻¹⁰ m.
///
/// This solution has twelve digits: DOP853 of SciPy 1.17 on the equations with accelerations as unknowns, with steps of 3 and of 4.5 µs. The published one differs from it by a damping of the fastest vibration, 22 400 rad/s, by
/// 0.2 % in 356 periods. The next one, 6600 rad/s, differs by 10⁻⁶ of its amplitude. This is a damping with the sixth power of the frequency, as that of Radau's method of order 5.
pub const SLIDER_CRANK_CONVERGED: Published<7> = Published {
    start_q: [0.0, 0.0, 0.4500169328396579, 0.0, 0.0, 1.0333980955262189e-5, 1.693283965790248e-5],
    start_v: [
        150.0,
        -74.99576702900625,
        -2.68938672e-6,
        0.4448961105401535,
        0.004634340339951213,
        -1.78591076e-6,
        -2.68938672e-6,
    ],
    q: Some([
        15.0,
        -0.3311734988009248,
        0.16973733266031943,
        1.8931928629912812e-4,
        2.375751553731328e-5,
        -5.323901615754933e-6,
        -8.363295601710848e-6,
    ]),
    v: [
        150.0,
        60.25346699328356,
        -8.753116838368811,
        -0.030055307385827634,
        -0.005500471722874921,
        4.977533067110548e-4,
        1.1050764330248172e-3,
    ],
    ..SLIDER_CRANK
};
