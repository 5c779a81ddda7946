//! The polynomial of degree 5 through six accelerations of a step. Its integrals give an interpolant: W. H. Enright, K. R.
//! Jackson, S. P. Nørsett, P. G. Thomsen, *Interpolants for Runge–Kutta formulas*, ACM Trans. Math. Software 12 (1986) 193–218.
//! The nodes are our own choice: both ends, and four points between them.

use super::{Coefficient, dense, rows};

/// The number of nodes.
pub const NODES: usize = 6;

/// The nodes, as fractions of the step.
pub const POINTS: [Coefficient; NODES] = dense(["0", "1/8", "3/8", "5/8", "7/8", "1"]);

/// The Lagrange polynomials of the nodes. Row i is 1 at node i and 0 at the others, by its coefficients of 1, θ, θ², …
pub const BASIS: [[Coefficient; NODES]; NODES] = rows(&[
    (1, ["1", "-1513/105", "2304/35", "-13696/105", "4096/35", "-4096/105"]),
    (2, ["0", "20", "-2692/21", "6112/21", "-5888/21", "2048/21"]),
    (3, ["0", "-28/3", "548/5", "-4832/15", "1792/5", "-2048/15"]),
    (4, ["0", "28/5", "-1076/15", "3808/15", "-4864/15", "2048/15"]),
    (5, ["0", "-20/7", "796/21", "-3040/21", "4352/21", "-2048/21"]),
    (6, ["0", "1", "-1408/105", "5504/105", "-8192/105", "4096/105"]),
]);
