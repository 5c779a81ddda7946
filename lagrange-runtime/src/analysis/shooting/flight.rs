//! A motion over a trial period.

use super::{PeriodicOrbit, seam};
use crate::analysis::AnalysisError;
use crate::analysis::equilibrium::equilibrate;
use crate::analysis::tangent::TangentBasis;
use crate::state::State;
use crate::system::System;
use nalgebra::{DMatrix, DVector, SVector};
use std::vec::Vec;

/// The number of parts of the period at whose ends the motion is looked at.
const PARTS: u32 = 32;
/// The smallest scale of a state, relative to that of the state that spans most. States are compared in the units that balance the
/// derivative of the motion.
const LEAST_SCALE: f64 = 0.1;

/// A motion over a trial period.
pub(super) struct Flight<const N: usize> {
    pub(super) start: State<f64, N>,
    pub(super) period: f64,
    pub(super) end: State<f64, N>,
    /// The basis at the start.
    pub(super) basis: TangentBasis,
    /// ∂(q, v)(end)/∂(states of the basis).
    pub(super) derivative: DMatrix<f64>,
    /// The largest minus the smallest value of each coordinate and velocity during the motion.
    pub(super) spans: DVector<f64>,
    /// The times at which derivatives jump.
    pub(super) jumps: Vec<f64>,
}

/// The times at which the motion is looked at. The last one is the end.
pub(super) fn times(start: f64, period: f64) -> Vec<f64> {
    (1..=PARTS)
        .map(|k| if k == PARTS { start + period } else { start + period * f64::from(k) / f64::from(PARTS) })
        .collect()
}

/// q and v in one vector.
pub(super) fn components<const N: usize>(state: &State<f64, N>) -> impl Iterator<Item = f64> + '_ {
    state.q.iter().chain(state.v.iter()).copied()
}

/// The largest minus the smallest value of each of the 2N components.
fn spans<const N: usize>(start: &State<f64, N>, states: &[State<f64, N>]) -> DVector<f64> {
    let first = DVector::from_iterator(2 * N, components(start));
    let (mut low, mut high) = (first.clone(), first);
    for state in states {
        for (i, value) in components(state).enumerate() {
            (low[i], high[i]) = (low[i].min(value), high[i].max(value));
        }
    }
    high - low
}

impl<const N: usize> Flight<N> {
    /// The motion through `states`, the last of which is the end. The last `hidden` coordinates belong to states of first order, and need
    /// not return.
    pub(super) fn new(
        start: State<f64, N>,
        period: f64,
        states: &[State<f64, N>],
        basis: TangentBasis,
        mut derivative: DMatrix<f64>,
        winding: &SVector<f64, N>,
        hidden: usize,
    ) -> Self {
        let mut spans = spans(&start, states);
        let mut end = states.last().copied().unwrap_or(start);
        for hidden in N.saturating_sub(hidden)..N {
            end.q[hidden] = start.q[hidden] + winding[hidden];
            spans[hidden] = 0.0;
            derivative.row_mut(hidden).fill(0.0);
        }
        Self { start, period, end, basis, derivative, spans, jumps: Vec::new() }
    }

    /// The scale of each coordinate and velocity: what the motion spans. A state that does not move gets a part of the scale of the one
    /// that spans most. The units that compare them are those of the independent ones alone: the derivatives of a dependent one may be
    /// nothing but rounding, as those of the height of a pendulum on a rod are where it is lowest. It follows the independent ones.
    pub(super) fn scales(&self) -> DVector<f64> {
        let (independent, columns) = (self.basis.rows(), self.basis.columns());
        let own = (&self.derivative, &columns);
        let (rows, _) = equilibrate(&(own.0.select_rows(&independent).abs() + own.1.select_rows(&independent).abs()));
        let most = independent.iter().zip(&rows).fold(0.0_f64, |most, (&i, row)| most.max(self.spans[i] * row));
        let least: Vec<f64> =
            independent.iter().zip(&rows).map(|(&i, row)| self.spans[i].max(LEAST_SCALE * most / row)).collect();
        DVector::from_fn(2 * N, |i, _| {
            let scale = match independent.iter().position(|&known| known == i) {
                Some(k) => least[k],
                None => least
                    .iter()
                    .enumerate()
                    .fold(self.spans[i], |most, (k, scale)| most.max(columns[(i, k)].abs() * scale)),
            };
            if scale > 0.0 { scale } else { 1.0 }
        })
    }

    pub(super) fn orbit<const C: usize, const U: usize>(
        self,
        iterations: u32,
        system: &impl System<f64, N, C, U>,
        flow: impl Fn(&State<f64, N>, f64) -> Result<Self, AnalysisError>,
    ) -> Result<PeriodicOrbit<N>, AnalysisError> {
        let (monodromy, multipliers) = seam::monodromy(system, &self, flow)?;
        let Self { start, period, basis, .. } = self;
        Ok(PeriodicOrbit { start, period, monodromy, basis, multipliers, iterations })
    }
}
