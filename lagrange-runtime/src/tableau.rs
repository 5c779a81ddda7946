//! Coefficients of methods: numbers only, exact fractions or at least 30 digits.

pub mod acceleration_fit;
pub mod bogacki_shampine;
pub mod classical;
mod coefficient;
pub mod composition;
pub mod dormand_el_mikkawy_prince;
pub mod dormand_prince;
pub mod dormand_prince_853;
pub mod esdirk;
pub mod fehlberg;
pub mod gauss;
pub mod radau;
pub mod rodas;
pub mod tsitouras;
pub mod verner_65;
pub mod verner_98;

pub use coefficient::Coefficient;

use crate::scalar::Scalar;

/// An explicit Runge–Kutta pair of `STAGES` stages, two solutions from the same evaluations, with an interpolant of degree
/// `DEGREE` from `EXTENDED` stages: those of the step and more.
///
/// Stage i is Yᵢ = y + h Σ aᵢⱼ f(t + cⱼ h, Yⱼ). The interpolant is y + h Σ bᵢ(θ) f(t + cᵢ h, Yᵢ) at t + θ h.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExplicitPair<const STAGES: usize, const EXTENDED: usize, const DEGREE: usize> {
    /// cᵢ.
    pub nodes: [Coefficient; EXTENDED],
    /// aᵢⱼ, row i for stage i; 0 for j ≥ i.
    pub coefficients: [[Coefficient; EXTENDED]; EXTENDED],
    /// bᵢ of the solution that is propagated.
    pub weights: [Coefficient; STAGES],
    /// bᵢ of the solution that it is compared with.
    pub embedded: [Coefficient; STAGES],
    /// bᵢ of a third solution, where step control compares with two.
    pub second: Option<[Coefficient; STAGES]>,
    /// bᵢ(θ), row i for stage i: the coefficients of θ, θ², …
    pub interpolant: [[Coefficient; DEGREE]; EXTENDED],
}

/// An explicit Nyström pair of `STAGES` stages for accelerations that do not depend on the velocity.
///
/// Stage i is Aᵢ = a(t + cᵢ h, q + cᵢ h v + h² Σ aᵢⱼ Aⱼ); q' = q + h v + h² Σ bᵢ Aᵢ, v' = v + h Σ b'ᵢ Aᵢ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NystromPair<const STAGES: usize> {
    /// cᵢ.
    pub nodes: [Coefficient; STAGES],
    /// aᵢⱼ, row i for stage i; 0 for j ≥ i.
    pub coefficients: [[Coefficient; STAGES]; STAGES],
    /// bᵢ of the solution that is propagated.
    pub positions: [Coefficient; STAGES],
    /// b'ᵢ of the solution that is propagated.
    pub velocities: [Coefficient; STAGES],
    /// bᵢ of the solution that it is compared with.
    pub embedded_positions: [Coefficient; STAGES],
    /// b'ᵢ of the solution that it is compared with.
    pub embedded_velocities: [Coefficient; STAGES],
}

/// A vector whose entries that are not 0 are listed by their numbers, from 1.
const fn sparse<const LENGTH: usize>(entries: &[(usize, &'static str)]) -> [Coefficient; LENGTH] {
    let mut vector = [Coefficient::ZERO; LENGTH];
    let mut k = 0;
    while k < entries.len() {
        vector[entries[k].0 - 1] = Coefficient::new(entries[k].1);
        k += 1;
    }
    vector
}

/// A vector of all its entries.
const fn dense<const LENGTH: usize>(entries: [&'static str; LENGTH]) -> [Coefficient; LENGTH] {
    let mut vector = [Coefficient::ZERO; LENGTH];
    let mut k = 0;
    while k < LENGTH {
        vector[k] = Coefficient::new(entries[k]);
        k += 1;
    }
    vector
}

/// A matrix from its rows after the first, which is empty.
const fn lower<const SIZE: usize>(rows: &[&[(usize, &'static str)]]) -> [[Coefficient; SIZE]; SIZE] {
    let mut matrix = [[Coefficient::ZERO; SIZE]; SIZE];
    let mut k = 0;
    while k < rows.len() {
        matrix[k + 1] = sparse(rows[k]);
        k += 1;
    }
    matrix
}

/// Rows listed by their numbers, from 1; the others are 0.
const fn rows<const COUNT: usize, const LENGTH: usize>(
    entries: &[(usize, [&'static str; LENGTH])],
) -> [[Coefficient; LENGTH]; COUNT] {
    let mut matrix = [[Coefficient::ZERO; LENGTH]; COUNT];
    let mut k = 0;
    while k < entries.len() {
        matrix[entries[k].0 - 1] = dense(entries[k].1);
        k += 1;
    }
    matrix
}

/// An irrational coefficient, as the unevaluated sum of its correctly rounded double and the rounded remainder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    /// The nearest double.
    pub high: f64,
    /// What the rounding left.
    pub low: f64,
}

impl Parts {
    /// The nearest scalar.
    #[inline(always)]
    pub fn value<R: Scalar>(self) -> R {
        R::from_parts(self.high, self.low)
    }

    /// The coefficient as a multiple of 1/1024, exact in every scalar, and the small rest.
    ///
    /// A sum of products by the first parts, and then by the rests, errs by rounding alone, which is random, and
    /// not by the rounding of the coefficients, which would be the same in every step (E. Hairer, R. I. McLachlan,
    /// A. Razakarivony, *Achieving Brouwer's law with implicit Runge–Kutta methods*, BIT 48, 2008). The magnitude must
    /// be below 2.
    #[inline(always)]
    pub fn split<R: Scalar>(self) -> [R; 2] {
        let scaled = self.high * 1024.0;
        let nearest = (if scaled < 0.0 { scaled - 0.5 } else { scaled + 0.5 }) as i32;
        let coarse = f64::from(nearest) / 1024.0;
        // The difference is exact; being small, it has room for digits of the remainder.
        let exact = self.high - coarse;
        let fine = exact + self.low;
        [R::from_f64(coarse), R::from_parts(fine, (exact - fine) + self.low)]
    }
}

/// A collocation method of `S` stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collocation<const S: usize> {
    /// cᵢ: stage i is at t + cᵢ h.
    pub nodes: [Parts; S],
    /// aᵢⱼ, row i for stage i.
    pub coefficients: [[Parts; S]; S],
    /// bⱼ of the step.
    pub weights: [Parts; S],
}
