//! Systems in which some states are held, or settle at once.

use super::AnalysisError;
use super::equilibrium::equilibrate;
use super::linearization::Linearization;
use super::matrix::{shaped, singular_values, solved};
use super::regulator::Regulator;
use super::state_space::StateSpace;
use nalgebra::{Complex, DMatrix};
use std::string::ToString;
use std::vec::Vec;

/// A system without some of the states of another, and the way back for gains.
///
/// ```
/// use lagrange_runtime::analysis::{linearize, lqr};
/// use lagrange_runtime::nalgebra::DMatrix;
/// use lagrange_runtime::prelude::*;
///
/// // The torque turns the wheel; nothing depends on the wheel's angle, and nobody wants to control it.
/// #[lagrangian {
///     coordinates lean, wheel;
///     kinetic = i*dot(lean)^2/2 + j*(dot(lean) + dot(wheel))^2/2;
///     potential = w*cos(lean);
///     force wheel = torque;
/// }]
/// struct Unicycle {
///     i: f64,
///     j: f64,
///     w: f64,
///     #[input]
///     torque: f64,
/// }
///
/// let system = Unicycle { i: 1.0, j: 0.1, w: 9.81, torque: 0.0 }.prepare::<f64>()?;
/// let near = linearize(&system, &State::new(0.0, [0.0, 0.0], [0.0, 0.0]), &SVector::from([0.0]))?;
/// let held = near.holding(&["wheel"])?;
/// let regulator = held.regulator(&lqr(held.space(), &DMatrix::identity(3, 3), &DMatrix::identity(1, 1))?)?;
/// assert_eq!((regulator.gain.ncols(), regulator.gain[(0, 1)]), (4, 0.0));
/// let feedback = regulator.feedback(&near)?;
/// # let _ = feedback;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HeldStates {
    space: StateSpace,
    kept: Vec<usize>,
    states: usize,
}

impl HeldStates {
    /// The system with the states that are left, in their order.
    #[must_use]
    pub fn space(&self) -> &StateSpace {
        &self.space
    }

    /// The indices that the states that are left have in the whole system.
    #[must_use]
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// A gain K of the states that are left as one of all states: the others have columns of zeros.
    ///
    /// # Errors
    /// [`AnalysisError::Shape`] unless the gain has a column for each state that is left.
    pub fn gain(&self, gain: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
        shaped("the gain", gain, (gain.nrows(), self.kept.len()))?;
        let mut whole = DMatrix::zeros(gain.nrows(), self.states);
        for (column, &state) in self.kept.iter().enumerate() {
            whole.set_column(state, &gain.column(column));
        }
        Ok(whole)
    }

    /// A regulator of the states that are left as one of all states. The others have no gain and no cost, and a pole 0 each.
    ///
    /// # Errors
    /// Those of [`HeldStates::gain`].
    pub fn regulator(&self, regulator: &Regulator) -> Result<Regulator, AnalysisError> {
        shaped("the cost", &regulator.cost, (self.kept.len(), self.kept.len()))?;
        let gain = self.gain(&regulator.gain)?;
        let mut cost = DMatrix::zeros(self.states, self.states);
        for (i, &row) in self.kept.iter().enumerate() {
            for (j, &column) in self.kept.iter().enumerate() {
                cost[(row, column)] = regulator.cost[(i, j)];
            }
        }
        let mut poles = regulator.poles.clone();
        poles.resize(self.states, Complex::new(0.0, 0.0));
        Ok(Regulator { gain, cost, poles })
    }
}

impl StateSpace {
    /// The system with some states held at 0, by their indices: without their rows and columns.
    ///
    /// Use it for a state that nothing depends on, as a cyclic angle (what is left is then exact), or for one that something
    /// else holds.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] for an index that does not exist; [`AnalysisError::Shape`], [`AnalysisError::NotFinite`].
    pub fn holding(&self, states: &[usize]) -> Result<HeldStates, AnalysisError> {
        let kept = self.others(states)?;
        let space = Self {
            a: self.a.select_rows(&kept).select_columns(&kept),
            b: self.b.select_rows(&kept),
            c: self.c.select_columns(&kept),
            d: self.d.clone(),
        };
        Ok(HeldStates { space, kept, states: self.a.nrows() })
    }

    /// The system with some states settled, by their indices: fast states f whose rates are 0 at all times (residualisation).
    ///
    /// ```text
    /// 0 = A_fs s + A_ff f + B_f u,   so that   f = −A_ff⁻¹ (A_fs s + B_f u).
    /// ```
    ///
    /// The response at ω = 0 stays exact. Source: P. Kokotović, H. K. Khalil, J. O'Reilly, *Singular Perturbation Methods in
    /// Control*, 1.
    ///
    /// # Errors
    /// Those of [`StateSpace::holding`], and [`AnalysisError::NotApplicable`] where A_ff is singular.
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // A winding's current that follows its voltage at once: ẋ = i, 0 = −50 i + 100 u.
    /// let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, -50.0]);
    /// let motor = StateSpace::new(a, DMatrix::from_column_slice(2, 1, &[0.0, 100.0]))?;
    /// assert_eq!(motor.settling(&[1])?.space().b[(0, 0)], 2.0);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn settling(&self, states: &[usize]) -> Result<HeldStates, AnalysisError> {
        let kept = self.others(states)?;
        let fast: Vec<usize> = (0..self.a.nrows()).filter(|state| !kept.contains(state)).collect();
        let part = |rows: &[usize], columns: &[usize]| self.a.select_rows(rows).select_columns(columns);
        let (block, by_slow, by_input) = (part(&fast, &fast), part(&fast, &kept), self.b.select_rows(&fast));
        let singular = || AnalysisError::NotApplicable {
            analysis: "settled states",
            needs: "states whose own block of A is regular; these do not settle".to_string(),
        };
        // Neither units nor fast states beside slower ones decide whether the block is singular.
        let (rows, columns) = equilibrate(&block.abs());
        let scaled = DMatrix::from_fn(fast.len(), fast.len(), |i, j| block[(i, j)] * (rows[i] * columns[j]));
        let values = singular_values(&scaled)?;
        if values.iter().any(|value| *value <= 8.0 * fast.len() as f64 * f64::EPSILON) {
            return Err(singular());
        }
        let solve = |right: DMatrix<f64>| solved(block.clone(), &right).ok_or_else(singular);
        let (by_slow, by_input) = (solve(by_slow)?, solve(by_input)?);
        let (coupling, seen) = (part(&kept, &fast), self.c.select_columns(&fast));
        let space = Self {
            a: part(&kept, &kept) - &coupling * &by_slow,
            b: self.b.select_rows(&kept) - coupling * &by_input,
            c: self.c.select_columns(&kept) - &seen * by_slow,
            d: &self.d - seen * by_input,
        };
        space.check()?;
        Ok(HeldStates { space, kept, states: self.a.nrows() })
    }

    /// The indices of the other states.
    fn others(&self, states: &[usize]) -> Result<Vec<usize>, AnalysisError> {
        self.check()?;
        let count = self.a.nrows();
        match states.iter().find(|state| **state >= count) {
            None => Ok((0..count).filter(|state| !states.contains(state)).collect()),
            Some(state) => Err(AnalysisError::NotApplicable {
                analysis: "a system with fewer states",
                needs: std::format!("states that exist; {state} is not below their number, {count}"),
            }),
        }
    }
}

impl<const N: usize, const U: usize> Linearization<N, U> {
    /// The system with some states held at 0, by their names: [`StateSpace::holding`].
    ///
    /// # Errors
    /// [`AnalysisError::UnknownName`] with the states that exist.
    pub fn holding(&self, states: &[&str]) -> Result<HeldStates, AnalysisError> {
        self.space().holding(&self.indices(states)?)
    }

    /// The system with some states settled, by their names: [`StateSpace::settling`].
    ///
    /// # Errors
    /// [`AnalysisError::UnknownName`] with the states that exist, and those of [`StateSpace::settling`].
    pub fn settling(&self, states: &[&str]) -> Result<HeldStates, AnalysisError> {
        self.space().settling(&self.indices(states)?)
    }

    fn indices(&self, names: &[&str]) -> Result<Vec<usize>, AnalysisError> {
        let index = |name: &&str| {
            self.states().iter().position(|state| state == name).ok_or_else(|| AnalysisError::UnknownName {
                kind: "state",
                name: name.to_string(),
                known: self.states().to_vec(),
            })
        };
        names.iter().map(index).collect()
    }
}
