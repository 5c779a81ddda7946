//! The equations F(x, μ) = 0 of equilibria, and a metric for (x, μ).

use super::curve::Curve;
use super::flutter::flutter;
use super::special::{Flank, Special};
use super::{Bifurcation, BranchPoint};
use crate::analysis::AnalysisError;
use crate::analysis::equilibrium::{Equilibrium, EquilibriumSearch, Measured, ROUND_OFF, Residual, stability};
use crate::analysis::matrix::finite;
use crate::scalar::Dual;
use crate::system::{Mechanism, System};
use core::marker::PhantomData;
use nalgebra::{DMatrix, DVector, SVector};
use std::string::ToString;
use std::vec::Vec;

/// A number with the derivative by the parameter.
type One = Dual<f64, 1>;

/// A real part below this fraction of the largest eigenvalue counts as 0.
const AXIS: f64 = 1e-7;

/// The parameter or input that the continuation varies.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    Parameter(usize),
    Input(usize),
}

/// The equilibria of a mechanism for all values of a parameter. A point is x with μ as its last component.
pub(crate) struct Family<M, const N: usize, const C: usize, const U: usize> {
    parameters: Vec<f64>,
    target: Target,
    search: EquilibriumSearch<N, U>,
    pub(crate) range: [f64; 2],
    start: f64,
    mechanism: PhantomData<fn() -> M>,
}

impl<M, const N: usize, const C: usize, const U: usize> Family<M, N, C, U>
where
    M: Mechanism<N, C, U>,
{
    pub(crate) fn new(
        mechanism: &M,
        name: &str,
        search: &EquilibriumSearch<N, U>,
        range: [f64; 2],
    ) -> Result<Self, AnalysisError> {
        let unknown = || AnalysisError::UnknownName {
            kind: "parameter or input",
            name: name.to_string(),
            known: M::PARAMETERS.iter().chain(M::INPUTS.iter()).map(ToString::to_string).collect(),
        };
        let of = |name: &str| mechanism.parameter(name).map_err(|_| unknown());
        let parameters = M::PARAMETERS.iter().map(|name| of(name)).collect::<Result<Vec<_>, _>>()?;
        let index = |names: &[&str]| names.iter().position(|known| *known == name);
        let target = match (index(M::PARAMETERS), index(&M::INPUTS)) {
            (Some(index), _) => Target::Parameter(index),
            (None, Some(index)) => Target::Input(index),
            (None, None) => return Err(unknown()),
        };
        let value = match target {
            Target::Parameter(index) => parameters[index],
            Target::Input(index) => search.u[index],
        };
        let start = value.clamp(range[0], range[1]);
        Ok(Self { parameters, target, search: search.clone(), range, start, mechanism: PhantomData })
    }

    /// The search and the parameters for a value of μ.
    fn at(&self, value: f64) -> (EquilibriumSearch<N, U>, Vec<f64>) {
        let (mut search, mut parameters) = (self.search.clone(), self.parameters.clone());
        match self.target {
            Target::Parameter(index) => parameters[index] = value,
            Target::Input(index) => search.u[index] = value,
        }
        (search, parameters)
    }

    /// The mechanism for a value of μ.
    fn system(&self, search: &EquilibriumSearch<N, U>, parameters: &[f64]) -> Result<M::Prepared<f64>, AnalysisError> {
        Ok(M::prepare_from::<f64>(parameters, &search.u)?)
    }

    /// The first equilibrium.
    pub(crate) fn first(&self) -> Result<DVector<f64>, AnalysisError> {
        let (search, parameters) = self.at(self.start);
        let system = self.system(&search, &parameters)?;
        let found = search.find(&system)?;
        self.unknowns_of(&found, self.start)
    }

    /// The unknowns of an equilibrium at a value of μ, and μ.
    pub(crate) fn unknowns_of(&self, found: &Equilibrium<N, C, U>, value: f64) -> Result<DVector<f64>, AnalysisError> {
        let (search, parameters) = self.at(value);
        let system = self.system(&search, &parameters)?;
        let search = EquilibriumSearch { q: found.state.q, ..search };
        let unknowns = Residual::new(&search, &system).unknowns_of(found);
        let count = unknowns.len();
        Ok(unknowns.insert_row(count, value))
    }
}

impl<M, const N: usize, const C: usize, const U: usize> Curve for Family<M, N, C, U>
where
    M: Mechanism<N, C, U>,
{
    type Point = BranchPoint<N, C, U>;
    type Kind = Bifurcation;

    const FOLD: Bifurcation = Bifurcation::Fold;
    const BRANCH_POINT: Bifurcation = Bifurcation::BranchPoint;
    const RANK_TOLERANCE: f64 = 1e-9;
    const CORRECTED: f64 = 1e-11;

    fn spans(&self, _: &DVector<f64>) -> Result<Option<Vec<f64>>, AnalysisError> {
        Ok(None)
    }

    fn range(&self) -> [f64; 2] {
        self.range
    }

    fn parameter(point: &Self::Point) -> f64 {
        point.parameter
    }

    fn evaluate(&self, x: &DVector<f64>) -> Result<(DVector<f64>, DMatrix<f64>), AnalysisError> {
        let last = x.len() - 1;
        let value = x[last];
        let (search, parameters) = self.at(value);
        let system = self.system(&search, &parameters)?;
        let problem = Residual::new(&search, &system);
        let unknowns = x.rows(0, last).into_owned();
        let reach: Vec<f64> = unknowns.iter().map(|x| x.abs()).collect();
        let Measured { mut residual, mut jacobian, noise, scatter } = Measured::at(&problem, &unknowns, &reach);
        let at = problem.equilibrium(&unknowns, 0);
        let dual = |value: f64, varies: bool| Dual { value, derivatives: [f64::from(u8::from(varies))] };
        let parameters: Vec<One> =
            parameters.iter().enumerate().map(|(k, &value)| dual(value, self.target == Target::Parameter(k))).collect();
        let u = SVector::<One, U>::from_fn(|k, _| dual(at.inputs[k], self.target == Target::Input(k)));
        let duals = M::prepare_from::<One>(&parameters, &u)?;
        let (t, q, v) = (One::constant(at.state.t), at.state.q.map(One::constant), at.state.v.map(One::constant));
        let balance = duals.balance(t, &q, &v, &u);
        let mut by_parameter = DVector::zeros(residual.len());
        for i in 0..N {
            by_parameter[i] = balance.balance[i].derivatives[0];
        }
        if const { C > 0 } {
            let hidden = duals.constraint_hidden(t, &q, &v, &at.multipliers.map(One::constant));
            let constraint = duals.constraint(t, &q);
            for i in 0..N {
                by_parameter[i] += hidden.reaction[i].derivatives[0];
            }
            for row in 0..duals.holonomic_count().min(C) {
                by_parameter[N + row] = constraint.value[row].derivatives[0];
            }
        }
        for (row, index) in problem.momentum_rows() {
            by_parameter[row] = balance.momentum[index].derivatives[0];
        }
        // An equation of which only rounding is left must not be scaled up.
        let width = self.range[1] - self.range[0];
        for row in 0..residual.len() {
            let is_rounding = residual[row].abs() <= ROUND_OFF * noise[row]
                && (by_parameter[row] * width).abs() <= ROUND_OFF * noise[row]
                && (0..last).all(|j| jacobian[(row, j)].abs() <= ROUND_OFF * scatter[(row, j)]);
            if is_rounding {
                residual[row] = 0.0;
                by_parameter[row] = 0.0;
                jacobian.row_mut(row).fill(0.0);
            }
        }
        let mut extended = jacobian.insert_column(last, 0.0);
        extended.set_column(last, &by_parameter);
        finite("an equation of the equilibrium, or a derivative of it,", &extended)?;
        Ok((residual, extended))
    }

    fn point_at(&self, x: &DVector<f64>) -> Result<Self::Point, AnalysisError> {
        let last = x.len() - 1;
        let (search, parameters) = self.at(x[last]);
        let system = self.system(&search, &parameters)?;
        let equilibrium = Residual::new(&search, &system).equilibrium(&x.rows(0, last).into_owned(), 0);
        let eigenvalues = stability(&system, &equilibrium).map(|found| found.eigenvalues).unwrap_or_default();
        let largest = eigenvalues.iter().fold(0.0_f64, |largest, value| largest.max(value.norm()));
        let unstable = eigenvalues.iter().filter(|value| value.re > AXIS * largest).count();
        Ok(BranchPoint { parameter: x[last], equilibrium, eigenvalues, unstable })
    }

    fn further(&self, scales: &[f64], flank: &Flank, next: &Flank, step: f64) -> Vec<(f64, Special<Self>)> {
        flutter(self, scales, flank, next, step).into_iter().collect()
    }
}
