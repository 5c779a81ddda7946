//! The equations of an equilibrium, with their Jacobian.

use super::rounding::{ROUND_OFF, SAMPLES, SHAKE, part};
use super::{Equations, Equilibrium, EquilibriumSearch, Rate, equilibrate};
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

/// Singular values of G with balanced rows and columns below this fraction of the largest count as 0.
const RANK_TOLERANCE: f64 = 1e-10;
/// A rate counts as 0 if it is below this fraction of the terms that it belongs to.
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
        // A mode keeps the value of the guess.
        let first_mode = N.saturating_sub(system.mode_count());
        unknowns.extend((own..first_mode).filter(|&i| !search.fixed[i]).map(Unknown::Velocity));
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

    /// The λ of least Σ (λᵢ/cᵢ)² with Gᵀλ = −f, with the scales cᵢ of a balanced G.
    pub(crate) fn shortest_multipliers(&self, found: &Equilibrium<N, C, U>) -> Result<SVector<f64, C>, AnalysisError> {
        let Equilibrium { state: State { t, q, v }, inputs, multipliers, .. } = found;
        if const { C == 0 } {
            return Ok(*multipliers);
        }
        let border = dense(&self.system.constraint(*t, q).jacobian).transpose();
        let load = dense(&-self.system.balance(*t, q, v, inputs).balance);
        // The rows of Gᵀ are balanced, so that the units of the coordinates do not decide about the rank. The rows of G have the units
        // of the constraints; their lengths decide how redundant constraints share the load.
        let (rows, columns) = equilibrate(&border);
        let by_row = |matrix: &DMatrix<f64>, i: usize, j: usize| matrix[(i, j)] * rows[i];
        let border = DMatrix::from_fn(N, C, |i, j| by_row(&border, i, j) * columns[j]);
        let load = DMatrix::from_fn(N, 1, |i, _| by_row(&load, i, 0));
        let shortest = solve_least_squares(&border, &load, RANK_TOLERANCE)?;
        Ok(SVector::from_fn(|row, _| shortest[row] * columns[row]))
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
        let name = |index: usize| self.system.coordinates().get(index).copied().unwrap_or("q");
        let refused = |needs: String| Err(AnalysisError::NotApplicable { analysis: "an equilibrium", needs });
        let here = self.slopes(found);
        let terms = here.abs() * dense(q).abs();
        let balance = self.system.balance(*t, q, v, inputs).balance;
        let momentum_t = self.system.balance_rates(*t, q, v, inputs).momentum_t;
        // Each dp/dt is compared with the terms of its own balance.
        if (0..N).any(|i| momentum_t[i].abs() > NEGLIGIBLE * (balance[i].abs() + terms[i])) {
            return refused("momenta that do not depend on time explicitly".to_string());
        }
        if const { C > 0 } {
            let hidden = self.system.constraint_hidden(*t, q, v, multipliers);
            let jacobian = self.system.constraint(*t, q).jacobian;
            // Each rate is compared with its own terms.
            let excess = |row: &usize| {
                let terms = (0..self.own()).fold(0.0, |sum, i| sum + (jacobian[(*row, i)] * v[i]).abs());
                hidden.rate[*row].abs() > NEGLIGIBLE * terms
            };
            if let Some(row) = (0..C).find(excess) {
                return refused(std::format!(
                    "constraint `{}` to allow the state's velocities; it changes at the rate {:e}",
                    self.system.constraints().get(row).copied().unwrap_or("constraint"),
                    hidden.rate[row].abs()
                ));
            }
        }
        let moves = |index: &&usize| v[**index] != 0.0;
        let mut scatter = DMatrix::zeros(here.nrows(), here.ncols());
        for sample in 0..SAMPLES {
            let difference = (self.slopes(&self.shaken(found, sample)) - &here).abs();
            scatter.zip_apply(&difference, |scatter: &mut f64, difference| *scatter = scatter.max(difference));
        }
        let contained = |index: &&usize| {
            here.column(**index)
                .iter()
                .zip(&scatter.column(**index))
                .any(|(slope, scatter)| slope.abs() > ROUND_OFF * scatter)
        };
        match steady.iter().filter(moves).find(contained) {
            None => Ok(()),
            Some(&index) => refused(std::format!(
                "equations that do not contain `{}`, which moves steadily; take a coordinate of which they are free",
                name(index)
            )),
        }
    }

    /// ∂(f + Gᵀλ)/∂q, and below it ∂p/∂q.
    fn slopes(&self, found: &Equilibrium<N, C, U>) -> DMatrix<f64> {
        let Equilibrium { state: State { t, q, v }, inputs, multipliers, .. } = found;
        let at = self.system.balance_jacobian(*t, q, v, inputs);
        let mut by_q = at.balance_q;
        if const { C > 0 } {
            by_q += self.system.constraint_hidden(*t, q, v, multipliers).reaction_q;
        }
        DMatrix::from_fn(2 * N, N, |i, j| if i < N { by_q[(i, j)] } else { at.momentum_q[(i - N, j)] })
    }

    /// The equilibrium with every number changed in its last digits.
    fn shaken(&self, found: &Equilibrium<N, C, U>, sample: usize) -> Equilibrium<N, C, U> {
        let mut found = found.clone();
        let numbers = found.state.q.iter_mut().chain(found.state.v.iter_mut());
        for (index, number) in numbers.chain(found.multipliers.iter_mut()).enumerate() {
            *number *= 1.0 + SHAKE * part(sample, index);
        }
        found
    }

    /// The residual and its derivatives by the unknowns.
    fn equations(&self, at: &Equilibrium<N, C, U>) -> (DVector<f64>, DMatrix<f64>) {
        let Equilibrium { state: State { t, q, v }, inputs, multipliers, .. } = *at;
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
}

impl<S, const N: usize, const C: usize, const U: usize> Equations for Residual<'_, S, N, C, U>
where
    S: Linearise<f64, N, C, U> + ?Sized,
{
    fn evaluate(&self, x: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        self.equations(&self.equilibrium(x, 0))
    }

    fn evaluate_near(&self, x: &DVector<f64>, shake: &dyn Fn(usize) -> f64) -> (DVector<f64>, DMatrix<f64>) {
        let mut at = self.equilibrium(x, 0);
        let is_sought = |unknown| self.unknowns.contains(&unknown);
        for index in 0..N {
            if !is_sought(Unknown::Coordinate(index)) {
                at.state.q[index] *= shake(index);
            }
            if !is_sought(Unknown::Velocity(index)) {
                at.state.v[index] *= shake(N + index);
            }
        }
        for index in 0..U {
            if !is_sought(Unknown::Input(index)) {
                at.inputs[index] *= shake(2 * N + index);
            }
        }
        self.equations(&at)
    }

    fn retract(&self, x: &DVector<f64>) -> Option<DVector<f64>> {
        if self.holonomic == 0 {
            return Some(x.clone());
        }
        let fixed = (0..N).filter(|&index| self.search.fixed[index]);
        let projection = fixed.fold(Projection::default(), Projection::keep_position);
        let (q, _) = projection.positions(self.system, self.search.t, self.equilibrium(x, 0).state.q).ok()?;
        Some(DVector::from_fn(x.len(), |row, _| match self.unknowns[row] {
            Unknown::Coordinate(index) => q[index],
            _ => x[row],
        }))
    }

    fn unknown(&self, column: usize) -> String {
        let name = |names: &[&str], index: usize| names.get(index).copied().unwrap_or("an unknown").to_string();
        match self.unknowns.get(column).copied() {
            Some(Unknown::Velocity(index)) if index < self.own() => {
                std::format!("dot({})", name(self.system.coordinates(), index))
            }
            Some(Unknown::Coordinate(index) | Unknown::Velocity(index)) => name(self.system.coordinates(), index),
            Some(Unknown::Input(index)) => std::format!("input {index}"),
            Some(Unknown::Multiplier(row)) => std::format!("multiplier of {}", name(self.system.constraints(), row)),
            None => "an unknown".to_string(),
        }
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
