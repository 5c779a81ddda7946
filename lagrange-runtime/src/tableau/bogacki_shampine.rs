//! The pair of Bogacki and Shampine of orders 3 and 2: P. Bogacki, L. F. Shampine, *A 3(2) pair of Runge–Kutta formulas*,
//! Appl. Math. Lett. 2 (1989) 321–325. The interpolant is the cubic through both ends and their slopes.

use super::{ExplicitPair, dense, lower, rows, sparse};

/// The pair 3(2). Its last stage is the first of the next step.
pub const BOGACKI_SHAMPINE: ExplicitPair<4, 4, 3> = ExplicitPair {
    nodes: dense(["0", "1/2", "3/4", "1"]),
    coefficients: lower(&[&[(1, "1/2")], &[(2, "3/4")], &[(1, "2/9"), (2, "1/3"), (3, "4/9")]]),
    weights: sparse(&[(1, "2/9"), (2, "1/3"), (3, "4/9")]),
    embedded: sparse(&[(1, "7/24"), (2, "1/4"), (3, "1/3"), (4, "1/8")]),
    second: None,
    interpolant: rows(&[
        (1, ["1", "-4/3", "5/9"]),
        (2, ["0", "1", "-2/3"]),
        (3, ["0", "4/3", "-8/9"]),
        (4, ["0", "-1", "1"]),
    ]),
};
