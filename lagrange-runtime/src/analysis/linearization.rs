//! The linearisation ẋ = A x + B u, y = C x + D u near a state.

use super::AnalysisError;
use super::matrix::{dense, finite};
use super::redundant::redundant_jacobian;
use super::sensors::output_jacobian;
use super::state_space::StateSpace;
use super::tangent::TangentBasis;
use super::without_contacts;
use crate::scalar::Dual;
use crate::state::State;
use crate::system::{Linearise, Mechanism, System};
use nalgebra::{DMatrix, DVector, SVector};
use std::string::String;
use std::vec::Vec;

/// The equations of motion linearised at a state and an input.
///
/// x are the deviations of the states that [`Linearization::states`] names, and u and y those of the inputs and the outputs:
///
/// ```text
/// ẋ = rate + A x + B u,    y = C x + D u,
/// ```
///
/// where `rate` vanishes at an equilibrium. Without constraints x = (q, v) and
///
/// ```text
///     ⎡  0    1  ⎤        ⎡  0  ⎤
/// A = ⎣ a_q  a_v ⎦,   B = ⎣ a_u ⎦.
/// ```
///
/// Under constraints x are the independent coordinates and velocities of a [`TangentBasis`], and a is the acceleration after
/// elimination of the multipliers:
///
/// ```text
/// A = ⎡ S_s            T_v,s     ⎤    B = ⎡   0   ⎤
///     ⎣ (a_q T_q + a_v S)_w  (a_v T_v)_w ⎦,       ⎣ (a_u)_w ⎦,
/// ```
///
/// where the index s means the rows of independent coordinates, and w those of independent velocities. Constraints may be
/// redundant, as those of a platform on three parallel cranks: the motion is then unique, though the multipliers are not. At a dead
/// point, where the constraints have a lower rank than at the states around it, no linearisation exists. Time is fixed: for a
/// mechanism that depends on time, A and B are those of one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearization<const N: usize, const U: usize> {
    space: StateSpace,
    basis: TangentBasis,
    rate: DVector<f64>,
    outputs: Vec<String>,
    state: State<f64, N>,
    inputs: SVector<f64, U>,
}

/// The linearisation of `system` at `state` and inputs `u`, with the states that [`TangentBasis::at`] chooses.
///
/// The units of A and B follow from the names of the states and inputs: row i, column k of A has the unit of ẋᵢ/xₖ. C and D
/// have no rows until [`Linearization::with_outputs`] adds them. Source: K. J. Åström, R. M. Murray, *Feedback Systems*, 2nd
/// ed., 6.4.
///
/// # Errors
/// [`AnalysisError::State`] where the state breaks a constraint. [`AnalysisError::SingularMass`] where the accelerations are
/// not determined, or where redundant constraints contradict each other. [`AnalysisError::NotApplicable`] at a dead point.
/// [`AnalysisError::NotFinite`] where a derivative is infinite, such as that of √x at 0.
///
/// ```
/// use lagrange_runtime::analysis::linearize;
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian {
///     coordinates theta;
///     kinetic = m*l^2*dot(theta)^2/2;
///     potential = -m*g*l*cos(theta);
///     force theta = torque;
///     output height = -l*cos(theta);
/// }]
/// struct Pendulum {
///     m: f64,
///     l: f64,
///     g: f64,
///     #[input]
///     torque: f64,
/// }
///
/// let pendulum = Pendulum { m: 2.0, l: 0.5, g: 9.81, torque: 0.0 };
/// let level = State::new(0.0, [std::f64::consts::FRAC_PI_2], [0.0]);
/// let near = linearize(&pendulum.prepare::<f64>()?, &level, &SVector::from([0.0]))?
///     .with_outputs(&pendulum)?;
/// assert_eq!(near.states(), ["theta", "dot(theta)"]);
/// assert!((near.b()[(1, 0)] - 1.0 / (2.0 * 0.25)).abs() < 1e-14); // 1/(m l²)
/// assert!((near.c()[(0, 0)] - 0.5).abs() < 1e-14); // l sin θ
/// assert!((near.rate()[1] + 9.81 / 0.5).abs() < 1e-13); // no equilibrium: θ̈ = −g/l
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn linearize<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    state: &State<f64, N>,
    u: &SVector<f64, U>,
) -> Result<Linearization<N, U>, AnalysisError> {
    linearize_in(system, state, u, TangentBasis::at(system, state)?)
}

/// Like [`linearize`], but with the states of `basis`, which must be a basis at `state`.
///
/// # Errors
/// Those of [`linearize`], and [`AnalysisError::Shape`] for the basis of a mechanism with another number of coordinates.
///
/// ```
/// use lagrange_runtime::analysis::{TangentBasis, linearize_in};
/// use lagrange_runtime::prelude::*;
///
/// // A bead on an oblique wire, between springs.
/// #[lagrangian {
///     coordinates x, y;
///     kinetic = m*(dot(x)^2 + dot(y)^2)/2;
///     potential = k*x^2/2;
///     constraint wire: y == 2*x;
/// }]
/// struct Bead {
///     m: f64,
///     k: f64,
/// }
///
/// let system = Bead { m: 1.0, k: 20.0 }.prepare::<f64>()?;
/// let rest = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
/// let by_height = TangentBasis::of(&system, &rest, &["y"])?;
/// let near = linearize_in(&system, &rest, &SVector::from([]), by_height)?;
/// assert_eq!(near.states(), ["y", "dot(y)"]);
/// assert!((near.a()[(1, 0)] + 4.0).abs() < 1e-14); // ÿ = −k y/(5 m)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn linearize_in<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    state: &State<f64, N>,
    u: &SVector<f64, U>,
    basis: TangentBasis,
) -> Result<Linearization<N, U>, AnalysisError> {
    without_contacts(system, "a linearisation")?;
    let given = basis.position_by_position().nrows();
    if given != N {
        return Err(AnalysisError::shape(
            "the tangent basis",
            (N, basis.positions().len()),
            (given, basis.positions().len()),
        ));
    }
    let rank = N - basis.velocities().len();
    let found = if rank < C {
        redundant_jacobian(system, state, u, &basis)?
    } else {
        system
            .acceleration_jacobian(state.t, &state.q, &state.v, u)
            .map_err(|singular| AnalysisError::singular(singular, system.coordinates()))?
    };
    let (by_q, by_v) = (dense(&found.acceleration_q), dense(&found.acceleration_v));
    let tangent = Tangent { basis: &basis };
    let (by_s, by_w) = tangent.project(&by_q, &by_v);
    let a = tangent.stack(&[
        (basis.velocity_by_position(), basis.velocity_by_velocity(), basis.positions()),
        (&by_s, &by_w, basis.velocities()),
    ]);
    let mut b = DMatrix::zeros(basis.len(), U);
    let by_u = dense(&found.acceleration_u);
    for (row, &index) in basis.velocities().iter().enumerate() {
        b.set_row(basis.positions().len() + row, &by_u.row(index));
    }
    finite("the linearised acceleration", &a)?;
    finite("the derivative of the acceleration by the inputs", &b)?;
    let rates = basis.positions().iter().map(|&index| state.v[index]);
    let rates = rates.chain(basis.velocities().iter().map(|&index| found.acceleration[index]));
    let rate = DVector::from_iterator(basis.len(), rates);
    if !rate.iter().all(|rate| rate.is_finite()) {
        return Err(AnalysisError::NotFinite { quantity: "the velocity or the acceleration at the state".into() });
    }
    let (c, d) = (DMatrix::zeros(0, basis.len()), DMatrix::zeros(0, U));
    let space = StateSpace { a, b, c, d };
    Ok(Linearization { space, basis, rate, outputs: Vec::new(), state: *state, inputs: *u })
}

impl<const N: usize, const U: usize> Linearization<N, U> {
    /// Adds C and D of the mechanism's outputs.
    ///
    /// # Errors
    /// [`AnalysisError::NotFinite`] with the output that has no finite derivative, and [`AnalysisError::Prepare`].
    pub fn with_outputs<const C: usize>(self, mechanism: &impl Mechanism<N, C, U>) -> Result<Self, AnalysisError> {
        self.with_outputs_of(&mechanism.prepare::<Dual<f64, 1>>()?)
    }

    /// Adds C and D of the outputs of a system in dual numbers: one that wraps a mechanism, such as
    /// [`LeastNorm`](crate::constraint::LeastNorm).
    ///
    /// # Errors
    /// [`AnalysisError::NotFinite`] with the output that has no finite derivative.
    pub fn with_outputs_of<const C: usize>(
        mut self,
        duals: &(impl System<Dual<f64, 1>, N, C, U> + ?Sized),
    ) -> Result<Self, AnalysisError> {
        let sensors = output_jacobian(duals, &self.state, &self.inputs)?;
        let (by_s, by_w) = Tangent { basis: &self.basis }.project(&sensors.q, &sensors.v);
        self.space.c = DMatrix::from_fn(sensors.names.len(), self.basis.len(), |i, k| {
            match k.checked_sub(self.basis.positions().len()) {
                None => by_s[(i, k)],
                Some(column) => by_w[(i, column)],
            }
        });
        self.space.d = sensors.u;
        self.outputs = sensors.names;
        Ok(self)
    }

    /// The matrices A, B, C and D.
    #[must_use]
    pub fn space(&self) -> &StateSpace {
        &self.space
    }

    /// A: a row and a column for each state.
    #[must_use]
    pub fn a(&self) -> &DMatrix<f64> {
        &self.space.a
    }

    /// B: a row for each state, a column for each input.
    #[must_use]
    pub fn b(&self) -> &DMatrix<f64> {
        &self.space.b
    }

    /// C: a row for each output, a column for each state.
    #[must_use]
    pub fn c(&self) -> &DMatrix<f64> {
        &self.space.c
    }

    /// D: a row for each output, a column for each input.
    #[must_use]
    pub fn d(&self) -> &DMatrix<f64> {
        &self.space.d
    }

    /// ẋ at the state itself, which vanishes at an equilibrium.
    #[must_use]
    pub fn rate(&self) -> &DVector<f64> {
        &self.rate
    }

    /// The names of the states: `x` for a coordinate, `dot(x)` for a velocity, `z` for a quantity of a `state` statement.
    #[must_use]
    pub fn states(&self) -> &[String] {
        self.basis.names()
    }

    /// The names of the outputs.
    #[must_use]
    pub fn outputs(&self) -> &[String] {
        &self.outputs
    }

    /// The basis: it says which coordinates and velocities the states are, and how the others follow from them.
    #[must_use]
    pub fn basis(&self) -> &TangentBasis {
        &self.basis
    }

    /// The state at which it was linearised.
    #[must_use]
    pub fn state(&self) -> &State<f64, N> {
        &self.state
    }

    /// The inputs at which it was linearised.
    #[must_use]
    pub fn inputs(&self) -> &SVector<f64, U> {
        &self.inputs
    }
}

/// The derivatives along a tangent basis.
struct Tangent<'a> {
    basis: &'a TangentBasis,
}

impl Tangent<'_> {
    /// The derivatives by independent coordinates and velocities, from those by q and v.
    fn project(&self, by_q: &DMatrix<f64>, by_v: &DMatrix<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
        let by_position = by_q * self.basis.position_by_position() + by_v * self.basis.velocity_by_position();
        (by_position, by_v * self.basis.velocity_by_velocity())
    }

    /// The chosen rows of several blocks, one block below the other. Each block is given by its derivatives by independent
    /// coordinates and by independent velocities.
    fn stack(&self, blocks: &[(&DMatrix<f64>, &DMatrix<f64>, &[usize])]) -> DMatrix<f64> {
        let (size, split) = (self.basis.len(), self.basis.positions().len());
        let mut stacked = DMatrix::zeros(size, size);
        let mut target = 0;
        for (by_position, by_velocity, rows) in blocks {
            for &row in *rows {
                stacked.view_mut((target, 0), (1, split)).copy_from(&by_position.row(row));
                stacked.view_mut((target, split), (1, size - split)).copy_from(&by_velocity.row(row));
                target += 1;
            }
        }
        stacked
    }
}
