//! Fehlberg's pair of orders 4 and 5: E. Fehlberg, *Low-order classical Runge–Kutta formulas with stepsize control*,
//! NASA TR R-315 (1969), table III ("formula 2"), as in E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary
//! Differential Equations I*, 2nd ed., table II.5.1.

use super::{ExplicitPair, dense, lower, rows, sparse};

/// The pair RKF4(5) without an interpolant. The solution of order 4 is propagated, and compared to the solution of order 5.
pub const RKF45: ExplicitPair<6, 6, 1> = ExplicitPair {
    nodes: dense(["0", "1/4", "3/8", "12/13", "1", "1/2"]),
    coefficients: lower(&[
        &[(1, "1/4")],
        &[(1, "3/32"), (2, "9/32")],
        &[(1, "1932/2197"), (2, "-7200/2197"), (3, "7296/2197")],
        &[(1, "439/216"), (2, "-8"), (3, "3680/513"), (4, "-845/4104")],
        &[(1, "-8/27"), (2, "2"), (3, "-3544/2565"), (4, "1859/4104"), (5, "-11/40")],
    ]),
    weights: sparse(&[(1, "25/216"), (3, "1408/2565"), (4, "2197/4104"), (5, "-1/5")]),
    embedded: sparse(&[(1, "16/135"), (3, "6656/12825"), (4, "28561/56430"), (5, "-9/50"), (6, "2/55")]),
    second: None,
    interpolant: rows(&[]),
};
