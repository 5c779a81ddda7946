//! A test of a mechanism's emitted equations against each other, at random states.

use super::{AnalysisError, demand, without_contacts};
use crate::sampling::Random;
use crate::scalar::Dual;
use crate::state::State;
use crate::system::{Linearise, System};
use nalgebra::{DMatrix, SMatrix, SVector};
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

mod checks;

/// A number with one derivative.
type One = Dual<f64, 1>;

/// Which states [`self_test`] visits, and how closely numbers must agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfTest<const N: usize> {
    /// The middle of the random states. All of them have its time, so choose one at which nothing that depends on time vanishes.
    pub centre: State<f64, N>,
    /// The largest distance of each coordinate from the middle, in the coordinate's unit.
    pub coordinates: SVector<f64, N>,
    /// The largest distance of each velocity from the middle, in the velocity's unit.
    pub velocities: SVector<f64, N>,
    /// The number of states.
    pub states: usize,
    /// The seed of the random numbers. Equal seeds give equal states.
    pub seed: u64,
    /// The largest allowed difference, relative to the largest entry of the two matrices or vectors that are compared, or to the largest term of a
    /// sum. In a mechanism whose rows differ in size by more than this, a wrong small entry is not found.
    pub tolerance: f64,
}

impl<const N: usize> SelfTest<N> {
    /// Twenty states within 1 unit of each coordinate and velocity of `centre`, and a relative tolerance of 1e-9.
    #[must_use]
    pub fn about(centre: State<f64, N>) -> Self {
        let one = SVector::repeat(1.0);
        Self { centre, coordinates: one, velocities: one, states: 20, seed: 1, tolerance: 1e-9 }
    }
}

/// Two numbers that should be equal and are not.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// The equation that does not hold, with the emitted quantity on the left.
    pub equation: &'static str,
    /// The row and the column of the entry, each from 0. A vector has the column 0.
    pub entry: (usize, usize),
    /// The left side of the equation.
    pub found: f64,
    /// The right side of the equation.
    pub expected: f64,
    /// The time of the state.
    pub t: f64,
    /// The coordinates of the state.
    pub q: Vec<f64>,
    /// The velocities of the state.
    pub v: Vec<f64>,
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { equation, entry: (row, column), found, expected, t, q, v } = self;
        write!(
            f,
            "`{equation}` does not hold in row {row}, column {column}: the left side is {found:e}, the right side is \
             {expected:e}, at t = {t}, q = {q:?}, v = {v:?}"
        )
    }
}

/// Compares what a mechanism's equations evaluate, at random states with the default inputs. `duals` is the mechanism prepared in
/// dual numbers with the same parameters. Returns the first wrong entry of each equation that fails at a state; an empty list
/// says that all hold.
///
/// ```text
/// M = Mᵀ,                     M v = ∂h/∂v,                F = f − (∂p/∂q) v − (∂p/∂z) ż − ∂p/∂t,
/// M a = F + Gᵀλ,              G a = −γ,                   dh/dt = Σ powers + λ·(G v + drift),
/// G = ∂g/∂q,                  rate = G v + drift,         γ = (d/dt)(G v + drift) − G a,
/// ```
///
/// and each derivative that is emitted (of p, f, a, λ, G v + drift and Gᵀλ by t, q, v and u) equals that by dual numbers. Where M
/// is proved to be positive definite, no eigenvalue of it may be negative. With states z or coordinates without inertia, the equations of h are left out.
/// Not compared are g, h and their parts by value, outputs, derivatives by parameters, inverse dynamics, switching functions and changes of modes. If
/// a wrong force or potential is derived without error, all equations hold: the test finds faults of the derivation and of
/// hand-written systems, and no wrong model.
///
/// States at which the equations cannot be solved are an error, so `test` must keep away from them.
///
/// # Errors
/// [`AnalysisError::NotApplicable`] for contacts, friction that sticks, no states, or sizes and tolerances that are negative or not finite.
/// [`AnalysisError::SingularMass`] where the accelerations cannot be solved for. [`AnalysisError::NotFinite`] names the equation of
/// which a side is infinite or NaN.
///
/// ```
/// use lagrange_runtime::analysis::{SelfTest, self_test};
/// use lagrange_runtime::prelude::*;
/// use lagrange_runtime::scalar::Dual;
///
/// #[lagrangian {
///     coordinates x, theta;
///     let bob = [x + l*sin(theta), -l*cos(theta)];
///     kinetic = carriage*dot(x)^2/2 + m*norm2(dot(bob))/2;
///     potential = m*g*bob[1];
///     dissipation = c*dot(x)^2/2;
/// }]
/// struct Crane {
///     carriage: f64,
///     m: f64,
///     l: f64,
///     g: f64,
///     c: f64,
/// }
///
/// let crane = Crane { carriage: 2.0, m: 1.0, l: 0.7, g: 9.81, c: 0.3 };
/// let test = SelfTest::about(State::new(0.0, [0.0, 0.4], [0.0, 0.0]));
/// let wrong = self_test(&crane.prepare::<f64>()?, &crane.prepare::<Dual<f64, 1>>()?, &test)?;
/// assert!(wrong.is_empty(), "{}", wrong[0]);
///
/// // Equations of another crane do not fit.
/// let longer = Crane { l: 0.8, ..crane };
/// let wrong = self_test(&crane.prepare::<f64>()?, &longer.prepare::<Dual<f64, 1>>()?, &test)?;
/// assert!(wrong.iter().any(|wrong| wrong.equation == "∂p/∂v = M"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn self_test<S, D, const N: usize, const C: usize, const U: usize>(
    system: &S,
    duals: &D,
    test: &SelfTest<N>,
) -> Result<Vec<Disagreement>, AnalysisError>
where
    S: Linearise<f64, N, C, U> + ?Sized,
    D: System<One, N, C, U> + ?Sized,
{
    const NAME: &str = "the self-test";
    without_contacts(system, NAME)?;
    let is_size = |size: &f64| size.is_finite() && *size >= 0.0;
    let are_sizes = test.coordinates.iter().chain(test.velocities.iter()).all(is_size);
    demand(test.states > 0, NAME, || "at least one state".to_string())?;
    demand(are_sizes && is_size(&test.tolerance), NAME, || {
        "sizes and a tolerance that are finite and not negative".to_string()
    })?;
    let mut wrong = vec![];
    for index in 0..test.states {
        let mut random = Random::new(test.seed, index as u64);
        let mut state = test.centre;
        for i in 0..N {
            state.q[i] += test.coordinates[i] * random.uniform(-1.0..1.0);
            state.v[i] += test.velocities[i] * random.uniform(-1.0..1.0);
        }
        let mut at = At { state, tolerance: test.tolerance, wrong: &mut wrong };
        checks::inertia(system, duals, &mut at)?;
        checks::constraints(system, duals, &mut at)?;
        checks::accelerations(system, duals, &mut at)?;
    }
    Ok(wrong)
}

/// A state of the test, and what disagrees there.
struct At<'a, const N: usize> {
    state: State<f64, N>,
    tolerance: f64,
    wrong: &'a mut Vec<Disagreement>,
}

impl<const N: usize> At<'_, N> {
    /// Compares two matrices. Rounding is relative to the largest of their entries and to `terms`, the largest term of their sums.
    fn compare<const I: usize, const J: usize>(
        &mut self,
        equation: &'static str,
        found: &SMatrix<f64, I, J>,
        expected: &SMatrix<f64, I, J>,
        terms: f64,
    ) -> Result<(), AnalysisError> {
        let finite = found.iter().chain(expected.iter()).all(|x| x.is_finite());
        if !finite {
            return Err(AnalysisError::NotFinite { quantity: String::from(equation) });
        }
        let largest = |m: &SMatrix<f64, I, J>| m.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let allowed = self.tolerance * largest(found).max(largest(expected)).max(terms);
        let differs = DMatrix::from_fn(I, J, |i, j| (found[(i, j)] - expected[(i, j)]).abs() > allowed);
        for j in 0..J {
            for i in 0..I {
                if differs[(i, j)] {
                    self.wrong.push(Disagreement {
                        equation,
                        entry: (i, j),
                        found: found[(i, j)],
                        expected: expected[(i, j)],
                        t: self.state.t,
                        q: self.state.q.as_slice().to_vec(),
                        v: self.state.v.as_slice().to_vec(),
                    });
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
