//! The equations of an equilibrium, with their Jacobian.

use super::{Equations, Equilibrium, EquilibriumSearch, Rate};
use crate::analysis::AnalysisError;
use crate::analysis::matrix::{dense, solve_least_squares};
use crate::constraint::Projection;
use crate::state::State;
use crate::system::Linearise;
use nalgebra::{DMatrix, DVector, SVector};
use std::string::{String, ToString};
use std::vec::Vec;

/// An unknown of the equations.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unknown {
    Coordinate(usize),
    Velocity(usize),
    Input(usize),
    Multiplier(usize),
}

/// Singular values of G below this fraction of the largest count as 0.
const RANK_TOLERANCE: f64 = 1e-10;
/// A derivative counts as 0 if it is below this fraction of the others.
const NEGLIGIBLE: f64 = 1e-9;

/// The residuals of f + Gᵀλ = 0, g = 0, and p_i = its given value.
pub(crate) struct Residual<'a, S: ?Sized, const N: usize, const C: usize, const U: usize> {
    search: &'a EquilibriumSearch<N, U>,
    system: &'a S,
    unknowns: Vec<Unknown>,
    /// The coordinates whose momentum is given, each with its momentum.
    momenta: Vec<(usize, f64)>,
    holonomic: usize,
}

impl<'a, S, const N: usize, const C: usize, const U: usize> Residual<'a, S, N, C, U>
where
    S: Linearise<f64, N, C, U> + ?Sized,
{
    pub(crate) fn new(search: &'a EquilibriumSearch<N, U>, system: &'a S) -> Self {
        let own = N.saturating_sub(system.state_count());
        let mut unknowns: Vec<Unknown> = (0..own).filter(|&i| !search.fixed[i]).map(Unknown::Coordinate).collect();
        unknowns.extend((0..own).filter(|&i| !matches!(search.rates[i], Rate::Given(_))).map(Unknown::Velocity));
        unknowns.extend((own..N).filter(|&i| !search.fixed[i]).map(Unknown::Velocity));
        unknowns.extend((0..U).filter(|&k| search.free_inputs[k]).map(Unknown::Input));
        unknowns.extend((0..C).map(Unknown::Multiplier));
        let momenta = (0..N).filter_map(|i| match search.rates[i] {
            Rate::Momentum(momentum, _) => Some((i, momentum)),
            _ => None,
        });
        Self { search, system, unknowns, momenta: momenta.collect(), holonomic: system.holonomic_count().min(C) }
    }

    /// The unknowns of the guess, with multipliers 0.
    pub(crate) fn start(&self) -> DVector<f64> {
        let search = self.search;
        let guess = |unknown: &Unknown| match *unknown {
            Unknown::Coordinate(i) => search.q[i],
            Unknown::Velocity(i) => self.guessed_velocity(i),
            Unknown::Input(k) => search.u[k],
            Unknown::Multiplier(_) => 0.0,
        };
        DVector::from_iterator(self.unknowns.len(), self.unknowns.iter().map(guess))
    }

    /// The number of coordinates without the hidden ones of the states.
    fn own(&self) -> usize {
        N.saturating_sub(self.system.state_count())
    }

    /// The guess of a velocity. That of a state stands in the place of its hidden coordinate.
    fn guessed_velocity(&self, i: usize) -> f64 {
        match self.search.rates[i] {
            _ if i >= self.own() => self.search.q[i],
            Rate::Given(rate) | Rate::Free(rate) | Rate::Momentum(_, rate) => rate,
        }
    }

    /// The equilibrium that a vector of unknowns describes.
    pub(crate) fn equilibrium(&self, x: &DVector<f64>, iterations: u32) -> Equilibrium<N, C, U> {
        let search = self.search;
        let (mut q, mut u, mut multipliers) = (search.q, search.u, SVector::<f64, C>::zeros());
        let mut v = SVector::<f64, N>::from_fn(|i, _| self.guessed_velocity(i));
        for hidden in self.own()..N {
            q[hidden] = 0.0;
        }
        for (unknown, &value) in self.unknowns.iter().zip(x.iter()) {
            match *unknown {
                Unknown::Coordinate(i) => q[i] = value,
                Unknown::Velocity(i) => v[i] = value,
                Unknown::Input(k) => u[k] = value,
                Unknown::Multiplier(row) => multipliers[row] = value,
            }
        }
        let steady = (0..N).filter(|&i| search.rates[i] != Rate::Given(0.0)).collect();
        Equilibrium { state: State { t: search.t, q, v }, inputs: u, multipliers, steady, iterations }
    }

    /// The unknowns of an equilibrium.
    pub(crate) fn unknowns_of(&self, found: &Equilibrium<N, C, U>) -> DVector<f64> {
        let value = |unknown: &Unknown| match *unknown {
            Unknown::Coordinate(index) => found.state.q[index],
            Unknown::Velocity(index) => found.state.v[index],
            Unknown::Input(index) => found.inputs[index],
            Unknown::Multiplier(row) => found.multipliers[row],
        };
        DVector::from_iterator(self.unknowns.len(), self.unknowns.iter().map(value))
    }

    /// The rows for given momenta, each with its coordinate.
    pub(crate) fn momentum_rows(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.momenta.iter().enumerate().map(|(row, momentum)| (N + self.holonomic + row, momentum.0))
    }

    /// The λ of least Σ λ² with Gᵀλ = −f.
    pub(crate) fn shortest_multipliers(&self, found: &Equilibrium<N, C, U>) -> Result<SVector<f64, C>, AnalysisError> {
        let Equilibrium { state: State { t, q, v }, inputs, multipliers, .. } = found;
        if const { C == 0 } {
            return Ok(*multipliers);
        }
        let border = dense(&self.system.constraint(*t, q).jacobian).transpose();
        let load = dense(&-self.system.balance(*t, q, v, inputs).balance);
        let shortest = solve_least_squares(&border, &load, RANK_TOLERANCE)?;
        Ok(SVector::from_fn(|row, _| shortest[row]))
    }

    /// Checks that no contact opens and closes, and that no velocity is asked of a state, which has no steady rate but 0.
    pub(crate) fn check_search(&self) -> Result<(), AnalysisError> {
        crate::analysis::without_gaps(self.system, "an equilibrium")?;
        let is_asked = |&index: &usize| self.search.rates[index] != Rate::Given(0.0);
        match (self.own()..N).find(is_asked) {
            None => Ok(()),
            Some(index) => Err(AnalysisError::NotApplicable {
                analysis: "an equilibrium",
                needs: std::format!(
                    "no velocity for the state `{}`; its value is sought from the guess, and `with_fixed_coordinate` fixes it",
                    self.system.coordinates().get(index).copied().unwrap_or("z")
                ),
            }),
        }
    }

    /// Checks that the equations contain no coordinate that moves steadily, and that nothing depends on time explicitly.
    pub(crate) fn check(&self, found: &Equilibrium<N, C, U>) -> Result<(), AnalysisError> {
        let Equilibrium { state: State { t, q, v }, inputs, multipliers, steady, .. } = found;
        let at = self.system.balance_jacobian(*t, q, v, inputs);
        let name = |index: usize| self.system.coordinates().get(index).copied().unwrap_or("q");
        let refused = |needs: String| Err(AnalysisError::NotApplicable { analysis: "an equilibrium", needs });
        let size = at.balance.amax().max(f64::MIN_POSITIVE);
        let momentum = at.momentum.amax().max(f64::MIN_POSITIVE);
        let momentum_t = self.system.balance_rates(*t, q, v, inputs).momentum_t;
        if momentum_t.amax() > NEGLIGIBLE * size.max(momentum) {
            return refused("momenta that do not depend on time explicitly".to_string());
        }
        let mut by_q = at.balance_q;
        let mut rate = 0.0_f64;
        let mut scale = 0.0_f64;
        let mut broken = "";
        let mechanical = SVector::<f64, N>::from_fn(|i, _| if i < self.own() { v[i] } else { 0.0 });
        if const { C > 0 } {
            let hidden = self.system.constraint_hidden(*t, q, v, multipliers);
            let jacobian = self.system.constraint(*t, q).jacobian;
            by_q += hidden.reaction_q;
            for row in 0..C {
                scale = scale.max(jacobian.row(row).norm() * mechanical.norm());
                if hidden.rate[row].abs() > rate {
                    rate = hidden.rate[row].abs();
                    broken = self.system.constraints().get(row).copied().unwrap_or("constraint");
                }
            }
        }
        if rate > NEGLIGIBLE * scale {
            return refused(std::format!(
                "constraint `{broken}` to allow the state's velocities; it changes at the rate {rate:e}"
            ));
        }
        let largest = by_q.amax().max(at.momentum_q.amax()).max(f64::MIN_POSITIVE);
        for &index in steady {
            if v[index] != 0.0
                && by_q.column(index).amax().max(at.momentum_q.column(index).amax()) > NEGLIGIBLE * largest
            {
                return refused(std::format!(
                    "equations that do not contain `{}`, which moves steadily; take a coordinate of which they are free",
                    name(index)
                ));
            }
        }
        Ok(())
    }
}

impl<S, const N: usize, const C: usize, const U: usize> Equations for Residual<'_, S, N, C, U>
where
    S: Linearise<f64, N, C, U> + ?Sized,
{
    fn evaluate(&self, x: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        let Equilibrium { state: State { t, q, v }, inputs, multipliers, .. } = self.equilibrium(x, 0);
        let at = self.system.balance_jacobian(t, &q, &v, &inputs);
        let balance_u = self.system.balance_rates(t, &q, &v, &inputs).balance_u;
        let count = N + self.holonomic + self.momenta.len();
        let mut residual = DVector::zeros(count);
        let mut jacobian = DMatrix::zeros(count, self.unknowns.len());
        let (mut balance, mut by_q) = (at.balance, at.balance_q);
        let border = (C > 0).then(|| {
            let hidden = self.system.constraint_hidden(t, &q, &v, &multipliers);
            balance += hidden.reaction;
            by_q += hidden.reaction_q;
            self.system.constraint(t, &q)
        });
        residual.rows_mut(0, N).copy_from(&balance);
        for (column, unknown) in self.unknowns.iter().enumerate() {
            for i in 0..N {
                jacobian[(i, column)] = match *unknown {
                    Unknown::Coordinate(k) => by_q[(i, k)],
                    Unknown::Velocity(k) => at.balance_v[(i, k)],
                    Unknown::Input(k) => balance_u[(i, k)],
                    Unknown::Multiplier(row) => border.as_ref().map_or(0.0, |border| border.jacobian[(row, i)]),
                };
            }
        }
        if let Some(border) = border {
            for row in 0..self.holonomic {
                residual[N + row] = border.value[row];
                for (column, unknown) in self.unknowns.iter().enumerate() {
                    if let Unknown::Coordinate(k) = *unknown {
                        jacobian[(N + row, column)] = border.jacobian[(row, k)];
                    }
                }
            }
        }
        for (row, &(index, momentum)) in self.momenta.iter().enumerate() {
            let row = N + self.holonomic + row;
            residual[row] = at.momentum[index] - momentum;
            for (column, unknown) in self.unknowns.iter().enumerate() {
                jacobian[(row, column)] = match *unknown {
                    Unknown::Coordinate(k) => at.momentum_q[(index, k)],
                    Unknown::Velocity(k) => at.mass_matrix[(index, k)],
                    Unknown::Input(_) | Unknown::Multiplier(_) => 0.0,
                };
            }
        }
        (residual, jacobian)
    }

    fn retract(&self, x: DVector<f64>) -> DVector<f64> {
        if self.holonomic == 0 {
            return x;
        }
        let fixed = (0..N).filter(|&index| self.search.fixed[index]);
        let projection = fixed.fold(Projection::default(), Projection::keep_position);
        let Ok((q, _)) = projection.positions(self.system, self.search.t, self.equilibrium(&x, 0).state.q) else {
            return x;
        };
        DVector::from_fn(x.len(), |row, _| match self.unknowns[row] {
            Unknown::Coordinate(index) => q[index],
            _ => x[row],
        })
    }

    fn name(&self, row: usize) -> String {
        let name = |names: &[&str], index: usize| names.get(index).copied().unwrap_or("an equation").to_string();
        match row.checked_sub(N) {
            None => std::format!("balance of {}", name(self.system.coordinates(), row)),
            Some(row) if row < self.holonomic => name(self.system.constraints(), row),
            Some(row) => {
                let index = self.momenta.get(row - self.holonomic).map_or(0, |momentum| momentum.0);
                std::format!("momentum of {}", name(self.system.coordinates(), index))
            }
        }
    }

    fn sought(&self) -> &'static str {
        "equilibrium"
    }
}
