//! The coefficients of the classical Runge–Kutta method of order 4: E. Hairer, S. P. Nørsett, G. Wanner, *Solving
//! Ordinary Differential Equations I*, 2nd ed., table II.1.2.

/// The node and the coefficient of the middle stages, 1/2.
pub const HALF: f64 = 0.5;
/// The weight of the first and of the last stage, 1/6.
pub const SIXTH: f64 = 1.0 / 6.0;
/// The weight of the two middle stages, 1/3.
pub const THIRD: f64 = 1.0 / 3.0;
