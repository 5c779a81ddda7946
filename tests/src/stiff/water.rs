//! A network of water tubes.

use lagrange_runtime::prelude::*;

/// λ for rough tubes by the Reynolds number: 1/√λ = 1.74 − 2 log₁₀(2k/d + 18.7/(Re √λ)) with k/d = 2·10⁻⁴ (Colebrook and White).
fn factor<R: Scalar>(reynolds: R) -> R {
    let root = root(reynolds);
    (root * root).recip()
}

/// dλ/dRe, from the derivative of the equation.
fn factor_slope<R: Scalar>(reynolds: R) -> R {
    let (root, scale) = (root(reynolds), R::from_f64(2.0 / std::f64::consts::LN_10));
    let by_root = R::from_f64(18.7) / reynolds;
    let inside = R::from_f64(4e-4) + by_root * root;
    let root_slope = scale * by_root * root / (reynolds * inside) / (R::ONE + scale * by_root / inside);
    R::from_f64(-2.0) * root_slope / (root * root * root)
}

/// 1/√λ by Newton's method, which doubles the correct digits in each iteration.
fn root<R: Scalar>(reynolds: R) -> R {
    let (scale, by_root) = (R::from_f64(2.0 / std::f64::consts::LN_10), R::from_f64(18.7) / reynolds);
    let mut root = R::from_f64(5.0);
    for _ in 0..8 {
        let inside = R::from_f64(4e-4) + by_root * root;
        let residual = root - R::from_f64(1.74) + scale * inside.ln();
        root -= residual / (R::ONE + scale * by_root / inside);
    }
    root
}

/// Eighteen tubes between thirteen nodes, of which two are tanks. The coordinates are the volumes that have flowed through the tubes; the continuity at the other
/// nodes is a constraint, whose multiplier is minus the pressure.
/// Beyond a Reynolds number of 2300 the flow is turbulent, and the loss of pressure jumps.
///
#[lagrangian {
    coordinates v[18];
    extern factor(r) = factor, d(r) = factor_slope;

    let nu   = 1.31e-6;
    let rho  = 1000;
    let area = pi/4;
    let tank = 200/(rho*9.8);

    // What has flowed in at the nodes 1 and 13, and out at the node 10. With w = 1 − exp(−τ) the first is the integral of (1 − cos w)/(1 − w) by w.
    let hours  = t/3600;
    let inflow = 3600*((1 - cos(1))*hours - integral(w in 0..1 - exp(-hours), (cos(w) - cos(1))/(1 - w), nodes = 20));
    let taken  = 3600*(3*hours^5/5 - 23*hours^4 + 240*hours^3)/1e6;

    let fifth  = v[4] + v[5] + v[7] + v[10] - v[6];
    let eighth = v[9] + v[12] + v[16] - v[10] - v[11];
    kinetic   = sum(i in 0..18, rho*1000/area*dot(v[i])^2/2);
    potential = 109800*(fifth + eighth) + (fifth^2 + eighth^2)/(2*tank);

    let number[i in 0..18] = abs(dot(v[i]))/(nu*area);
    force v[i in 0..18] = if number[i] > 2300 {
        -factor(max(number[i], 2300))*rho*1000*dot(v[i])*abs(dot(v[i]))/area^2
    } else {
        -32*nu*rho*1000*dot(v[i])/area
    };

    constraint node1: inflow/200 == v[0];
    constraint node2: v[0] == v[1] + v[2];
    constraint node3: v[1] == v[3] + v[4];
    constraint node4: v[3] + v[8] == v[5];
    constraint node6: v[2] == v[7];
    constraint node7: v[15] == v[8] + v[9];
    constraint node9: v[13] == v[12];
    constraint node10: v[6] + v[11] == taken;
    constraint node11: v[17] == v[13] + v[14];
    constraint node12: v[14] == v[15] + v[16];
    constraint node13: inflow/80 == v[17];

    output pressure5 = 109800 + fifth/tank;
    output pressure8 = 109800 + eighth/tank;
}]
#[derive(Clone, Copy, Debug)]
pub struct WaterTubes {}

/// The flows after 17 hours.
pub const WATER_FLOWS: [f64; 18] = [
    0.229848829647743e-2,
    0.1188984650746585e-2,
    0.1109503645730845e-2,
    0.1589620100314825e-3,
    0.1030022640715102e-2,
    0.8710606306836165e-3,
    0.3243571480903489e-2,
    0.1109503645730845e-2,
    0.7120986206521341e-3,
    0.6414613963833099e-3,
    0.9416978549524347e-3,
    0.3403428519096511e-2,
    0.2397639310739395e-2,
    0.2397639310739395e-2,
    0.334858143045418e-2,
    0.1353560017035444e-2,
    0.1995021413418736e-2,
    0.5746220741193575e-2,
];

/// The pressures then at the nodes 5 and 8, and at the others in the order of the constraints of [`WaterTubes`].
pub const WATER_PRESSURES: ([f64; 2], [f64; 11]) = (
    [111126.8591478108, 111127.0045592387],
    [
        111127.1078730254,
        111126.9851929858,
        111126.9255355337,
        111126.9322658045,
        111126.9221703983,
        111127.0121140691,
        111127.4419515807,
        111125.5158881087,
        111127.8793439227,
        111127.0995171642,
        111129.8338971779,
    ],
);
