//! Fehlberg's pair of orders 4 and 5: E. Fehlberg, *Low-order classical Runge–Kutta formulas with stepsize control*,
//! NASA TR R-315 (1969), table III ("formula 2"), as in E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary
//! Differential Equations I*, 2nd ed., table II.5.1.

use super::{ExplicitPair, Ratio};

const fn r(numerator: i64, denominator: i64) -> Ratio {
    Ratio::new(numerator, denominator)
}

const O: Ratio = Ratio::ZERO;

/// RKF4(5): the solution of order 4 is propagated, that of order 5 compared with it.
pub const RKF45: ExplicitPair<6> = ExplicitPair {
    nodes: [O, r(1, 4), r(3, 8), r(12, 13), r(1, 1), r(1, 2)],
    coefficients: [
        [O, O, O, O, O, O],
        [r(1, 4), O, O, O, O, O],
        [r(3, 32), r(9, 32), O, O, O, O],
        [r(1932, 2197), r(-7200, 2197), r(7296, 2197), O, O, O],
        [r(439, 216), r(-8, 1), r(3680, 513), r(-845, 4104), O, O],
        [r(-8, 27), r(2, 1), r(-3544, 2565), r(1859, 4104), r(-11, 40), O],
    ],
    weights: [r(25, 216), O, r(1408, 2565), r(2197, 4104), r(-1, 5), O],
    embedded: [r(16, 135), O, r(6656, 12825), r(28561, 56430), r(-9, 50), r(2, 55)],
};
