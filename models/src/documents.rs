//! The documents of the published studies, for the program that reproduces them and for the one that has their mechanisms.

/// The document of the study of this name.
pub const COMPOUND_DOUBLE_PENDULUM: &str =
    "Zhan Yangping, Computer simulation of the compound double pendulum, Tsinghua University, 2013";
/// The document of the study of this name.
pub const DOUBLE_PENDULUM: &str = "addis, Numerical solution of Lagrange's equation (Matlab), Xiaoshi encyclopedia";
/// The document of the study of this name.
pub const RLC_PLATE: &str =
    "Liu Shixing et al., Symplectic Runge-Kutta method of Lagrange-Maxwell equation, Acta Phys. Sin. 62, 2013";
/// The document of the study of this name.
pub const TRIPLE_PENDULUM: &str =
    "Symplectic algorithms for constrained multibody systems, Journal of Chongqing University 27(6), 2004";
