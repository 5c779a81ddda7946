//! The documents in which the studies were published. The program `studies` reproduces the studies,
//! and the catalogue of the program `lagrange` has their mechanisms.

/// The document of study 1, on the compound double pendulum.
pub const COMPOUND_DOUBLE_PENDULUM: &str =
    "Zhan Yangping, Computer simulation of the compound double pendulum, Tsinghua University, 2013";
/// The document of study 3, on the double pendulum.
pub const DOUBLE_PENDULUM: &str = "addis, Numerical solution of Lagrange's equation (Matlab), Xiaoshi encyclopedia";
/// The document of study 4, on a circuit with a capacitor plate that moves.
pub const RLC_PLATE: &str =
    "Liu Shixing et al., Symplectic Runge-Kutta method of Lagrange-Maxwell equation, Acta Phys. Sin. 62, 2013";
/// The document of study 5, on the triple pendulum under constraints.
pub const TRIPLE_PENDULUM: &str =
    "Symplectic algorithms for constrained multibody systems, Journal of Chongqing University 27(6), 2004";
