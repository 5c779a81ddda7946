//! A test of a mechanism's emitted equations against each other, at random states.

use super::{AnalysisError, demand, without_contacts};
use crate::constraint::Projection;
use crate::sampling::Random;
use crate::scalar::Dual;
use crate::state::State;
use crate::system::{Linearise, Mechanism, System};
use nalgebra::{DMatrix, DVector, SMatrix, SVector};
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

mod checks;
mod parameters;

pub use parameters::self_test_by_parameters;

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
    /// The largest allowed difference of two entries, relative to √(r c), where r is the largest entry of their row and c that of their column or the largest
    /// term of a sum, as √(Mᵢᵢ Mⱼⱼ) is in a mass matrix. So a wrong entry of a light body beside a heavy one is found. Differences below
    /// 2e-12 of the largest entry of the whole matrix, or of the largest term, are rounding and always allowed.
    pub tolerance: f64,
}

impl<const N: usize> SelfTest<N> {
    /// Twenty states within 1 unit of each coordinate and velocity of `centre`, and a relative tolerance of 1e-9.
    #[must_use]
    pub fn about(centre: State<f64, N>) -> Self {
        let one = SVector::repeat(1.0);
        Self { centre, coordinates: one, velocities: one, states: 20, seed: 1, tolerance: 1e-9 }
    }

    /// Draws the coordinates that state nominal ranges from these. Other coordinates and all velocities stay as they are.
    ///
    /// ```
    /// use lagrange_runtime::analysis::SelfTest;
    /// use lagrange_runtime::prelude::*;
    ///
    /// #[lagrangian {
    ///     coordinates x in 2..6, y;
    ///     kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    ///     potential = k/x + y^2;
    /// }]
    /// struct Repelled {
    ///     m: f64,
    ///     k: f64,
    /// }
    ///
    /// let repelled = Repelled { m: 1.0, k: 2.0 };
    /// let test = SelfTest::about(State::new(0.0, [1.0, 0.5], [0.0; 2])).within_ranges_of(&repelled);
    /// assert_eq!((test.centre.q, test.coordinates), (SVector::from([4.0, 0.5]), SVector::from([2.0, 1.0])));
    /// ```
    #[must_use]
    pub fn within_ranges_of<T: Mechanism<N, C, U>, const C: usize, const U: usize>(mut self, _: &T) -> Self {
        for (index, coordinate) in T::COORDINATES.iter().enumerate() {
            if let Some((_, [low, high])) = T::RANGES.iter().find(|(name, _)| name == coordinate) {
                // Halves first, since the sum of two finite numbers may be infinite.
                self.centre.q[index] = low / 2.0 + high / 2.0;
                self.coordinates[index] = high / 2.0 - low / 2.0;
            }
        }
        self
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
/// and each derivative that is emitted (of p, f, a, λ, outputs, G v + drift and Gᵀλ by t, q, v and u) equals that by dual numbers. Where M
/// is proved to be positive definite, no eigenvalue of it may be negative. With states z or coordinates without inertia, the equations of h are left out.
/// The values of g, h, powers, outputs, switching functions and changes of modes are compared with those in dual numbers, and the forces of
/// inverse dynamics for random accelerations a with
///
/// ```text
/// M a − F = dp/dt − f,        the rate dp/dt along q̇ = v, v̇ = a.
/// ```
///
/// Derivatives by parameters need the mechanism itself: [`SelfTest::run`] compares them too. If a wrong force or potential is derived without error, all equations hold: the test finds faults of the derivation and of
/// hand-written systems, and no wrong model.
///
/// States at which the equations cannot be solved are an error, so `test` must keep away from them. Constraints that are redundant where all of them
/// hold contradict each other at random states. So of a system that shares their reactions, `LeastNorm::new(&system, 1e-4)` with `duals` alike
/// ([`LeastNorm`](crate::constraint::LeastNorm)), the random states are brought onto the constraints, each coordinate in proportion to its
/// distance in `test`; one with the distance 0 stays at its value, as the inclination of a parallelogram must. The derivatives of a and λ are then
/// left out: off the constraints there are no unique ones.
///
/// # Errors
/// [`AnalysisError::NotApplicable`] for contacts, friction that sticks, no states, or sizes and tolerances that are negative or not finite.
/// [`AnalysisError::SingularMass`] where the accelerations cannot be solved for. [`AnalysisError::State`] where a random state cannot be
/// brought onto redundant constraints. [`AnalysisError::NotFinite`] names the equation of which a side is infinite or NaN.
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
    let mut wrong = vec![];
    test.visit(system, &mut wrong, |at, random| {
        checks::values(system, duals, at)?;
        checks::outputs(system, duals, at)?;
        checks::inertia(system, duals, at)?;
        checks::forces(system, duals, at, random)?;
        checks::constraints(system, duals, at)?;
        checks::accelerations(system, duals, at)
    })?;
    Ok(wrong)
}

impl<const N: usize> SelfTest<N> {
    /// Does [`self_test`] and [`self_test_by_parameters`] for `mechanism`. It may not have redundant constraints.
    ///
    /// # Errors
    /// Those of [`self_test`], and [`AnalysisError::Prepare`] for parameters that the mechanism refuses.
    ///
    /// ```
    /// use lagrange_runtime::analysis::SelfTest;
    /// use lagrange_runtime::prelude::*;
    ///
    /// #[lagrangian {
    ///     coordinates theta;
    ///     kinetic = m*l^2*dot(theta)^2/2;
    ///     potential = -m*g*l*cos(theta);
    /// }]
    /// struct Pendulum {
    ///     m: f64,
    ///     l: f64,
    ///     g: f64,
    /// }
    ///
    /// let pendulum = Pendulum { m: 1.0, l: 0.7, g: 9.81 };
    /// let wrong = SelfTest::about(State::new(0.0, [0.4], [0.0])).run(&pendulum)?;
    /// assert!(wrong.is_empty(), "{}", wrong[0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run<M, const C: usize, const U: usize>(&self, mechanism: &M) -> Result<Vec<Disagreement>, AnalysisError>
    where
        M: Mechanism<N, C, U>,
    {
        let (system, duals) = (mechanism.prepare::<f64>()?, mechanism.prepare::<One>()?);
        // The checks are compiled once for each shape, and not once more for each mechanism.
        let system: &dyn Linearise<f64, N, C, U> = &system;
        let duals: &dyn System<One, N, C, U> = &duals;
        let mut wrong = self_test(system, duals, self)?;
        wrong.extend(self_test_by_parameters(system, mechanism, self)?);
        Ok(wrong)
    }

    /// Calls `check` at each state, with random numbers of its own.
    fn visit<const C: usize, const U: usize>(
        &self,
        system: &(impl System<f64, N, C, U> + ?Sized),
        wrong: &mut Vec<Disagreement>,
        mut check: impl FnMut(&mut At<'_, N>, &mut Random) -> Result<(), AnalysisError>,
    ) -> Result<(), AnalysisError> {
        const NAME: &str = "the self-test";
        without_contacts(system, NAME)?;
        let is_size = |size: &f64| size.is_finite() && *size >= 0.0;
        let are_sizes = self.coordinates.iter().chain(self.velocities.iter()).all(is_size);
        demand(self.states > 0, NAME, || "at least one state".to_string())?;
        demand(are_sizes && is_size(&self.tolerance), NAME, || {
            "sizes and a tolerance that are finite and not negative".to_string()
        })?;
        for index in 0..self.states {
            let mut random = Random::new(self.seed, index as u64);
            let mut state = self.centre;
            for i in 0..N {
                state.q[i] += self.coordinates[i] * random.uniform(-1.0..1.0);
                state.v[i] += self.velocities[i] * random.uniform(-1.0..1.0);
            }
            if system.redundancy_tolerance() > 0.0 {
                let on_constraints = Projection::default().mobilities(self.coordinates).state(system, &state);
                (state, _) = on_constraints.map_err(|failure| AnalysisError::failure(failure, system.coordinates()))?;
            }
            check(&mut At { state, tolerance: self.tolerance, wrong }, &mut random)?;
        }
        Ok(())
    }
}

/// The part of the largest term that differences may have by rounding: 10 000 units in the last place, as the conditions of the systems of equations
/// multiply it.
const ROUNDING: f64 = 1e4 * f64::EPSILON;

/// A state of the test, and what disagrees there.
struct At<'a, const N: usize> {
    state: State<f64, N>,
    tolerance: f64,
    wrong: &'a mut Vec<Disagreement>,
}

impl<const N: usize> At<'_, N> {
    /// Compares two matrices. `terms` is the largest term of the sums that their entries are.
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
        let size = |i: usize, j: usize| found[(i, j)].abs().max(expected[(i, j)].abs());
        let rows = DVector::from_fn(I, |i, _| (0..J).fold(0.0_f64, |most, j| most.max(size(i, j))));
        let columns = DVector::from_fn(J, |j, _| (0..I).fold(terms, |most, i| most.max(size(i, j))));
        let rounding = ROUNDING * rows.iter().fold(terms, |most, size| most.max(*size));
        let differs = DMatrix::from_fn(I, J, |i, j| {
            let allowed = (self.tolerance * rows[i].sqrt() * columns[j].sqrt()).max(rounding);
            (found[(i, j)] - expected[(i, j)]).abs() > allowed
        });
        for j in 0..J {
            for i in 0..I {
                if differs[(i, j)] {
                    self.disagree(equation, (i, j), found[(i, j)], expected[(i, j)]);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Compares a row of a matrix with this index, which stands as a column.
    fn compare_row<const I: usize>(
        &mut self,
        (equation, row): (&'static str, usize),
        found: &SVector<f64, I>,
        expected: &SVector<f64, I>,
        terms: f64,
    ) -> Result<(), AnalysisError> {
        let before = self.wrong.len();
        self.compare(equation, found, expected, terms)?;
        self.wrong.iter_mut().skip(before).for_each(|wrong| wrong.entry = (row, wrong.entry.0));
        Ok(())
    }

    /// Compares a column of a matrix with this index.
    fn compare_column<const I: usize>(
        &mut self,
        (equation, column): (&'static str, usize),
        found: &SVector<f64, I>,
        expected: &SVector<f64, I>,
        terms: f64,
    ) -> Result<(), AnalysisError> {
        let before = self.wrong.len();
        self.compare(equation, found, expected, terms)?;
        self.wrong.iter_mut().skip(before).for_each(|wrong| wrong.entry.1 = column);
        Ok(())
    }

    /// Compares numbers that have nothing to do with each other, such as outputs.
    fn compare_each(&mut self, equation: &'static str, found: &[f64], expected: &[One]) -> Result<(), AnalysisError> {
        for (index, (&found, expected)) in found.iter().zip(expected).enumerate() {
            if !(found.is_finite() && expected.value.is_finite()) {
                return Err(AnalysisError::NotFinite { quantity: String::from(equation) });
            }
            if (found - expected.value).abs() > self.tolerance * found.abs().max(expected.value.abs()) {
                self.disagree(equation, (index, 0), found, expected.value);
                return Ok(());
            }
        }
        Ok(())
    }

    fn disagree(&mut self, equation: &'static str, entry: (usize, usize), found: f64, expected: f64) {
        let State { t, q, v } = &self.state;
        let (q, v) = (q.as_slice().to_vec(), v.as_slice().to_vec());
        self.wrong.push(Disagreement { equation, entry, found, expected, t: *t, q, v });
    }
}
