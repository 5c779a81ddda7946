//! Forces by relaxation, for rows that are jammed.
//!
//! In a jammed heap more rows are closed and stick than the bodies can move, and these rows contradict each other by the small errors of the places of the bodies. No phases then obey the laws to rounding. The forces are found by sweeps over the
//! rows: each row in turn takes the force with which it obeys its law, while the other rows keep their forces. In the end each force is within its bound exactly, and the motions obey the laws up to the change in the last sweep.
//! Source: M. Jean, *The non-smooth contact dynamics method*, Comput. Methods Appl. Mech. Eng. 177, 1999, where this is the method for every step.

use super::impact::rows;
use super::laws::Level;
use super::phases::Phases;
use super::reduced::{Motion, Reduced};
use crate::quantities::Law;
use crate::scalar::Scalar;

/// The most sweeps.
const SWEEPS: u32 = 20_000;

/// The change of the motion of a row, relative to its terms, in the last sweep.
const SETTLED: f64 = 1e-9;

/// A slip sticks whose force is below its bound by more than this part of the bound.
const STICKS: f64 = 1e-7;

impl<R: Scalar, const N: usize, const C: usize, const W: usize> Reduced<'_, R, N, C, W> {
    /// The motion at the end of the sweeps over `candidates`. `None` where the sweeps do not converge, and beside slips that are vectors.
    pub(super) fn relaxed(&self, (phases, candidates): (Phases, u64), level: &Level<R, W>) -> Option<Motion<R, W>> {
        if self.has_vectors() {
            return None;
        }
        let settled = SETTLED.max(64.0 * R::EPSILON);
        let mut forces = [R::ZERO; W];
        for _ in 0..SWEEPS {
            let mut change = 0.0_f64;
            for k in rows(candidates) {
                let own = self.compliance[k][k];
                if own.to_f64() <= 0.0 {
                    continue;
                }
                let (mut driven, mut reach) = (level.free[k], level.terms[k]);
                for (l, force) in forces.iter().enumerate().take(self.count) {
                    let part = self.compliance[k][l] * *force;
                    driven += part;
                    reach += part.to_f64().abs();
                }
                let force = self.nearest(k, forces[k] - driven / own, &forces);
                let moved = ((force - forces[k]) * own).to_f64().abs();
                if moved > 0.0 {
                    change = change.max(moved / reach);
                }
                // A motion that is not a number never settles.
                if moved.is_nan() {
                    return None;
                }
                forces[k] = force;
            }
            if change <= settled {
                return Some(Motion { phases: self.phases_under(phases, candidates, &forces), forces });
            }
        }
        None
    }

    /// The force nearest to this one within the law of a row.
    fn nearest(&self, k: usize, force: R, forces: &[R; W]) -> R {
        let positive = |x: R| if x.to_f64() > 0.0 { x } else { R::ZERO };
        let limit = match self.law(k) {
            Law::Contact { .. } => return positive(force),
            Law::Slip { contact } => self.rows[k].bound * positive(forces[contact]),
            Law::Friction => self.rows[k].bound,
            Law::Latch { .. } | Law::Loaded { .. } | Law::Vector { .. } | Law::VectorSlip { .. } => return R::ZERO,
        };
        if force.to_f64() > limit.to_f64() {
            limit
        } else if force.to_f64() < -limit.to_f64() {
            -limit
        } else {
            force
        }
    }

    /// The phases of rows under these forces.
    fn phases_under(&self, mut phases: Phases, candidates: u64, forces: &[R; W]) -> Phases {
        for k in rows(candidates) {
            let force = forces[k].to_f64();
            let sticks = match self.law(k) {
                Law::Contact { .. } => force > 0.0,
                _ => force.abs() < (1.0 - STICKS) * self.limit(k, forces).to_f64(),
            };
            if sticks { phases.stick(k) } else { phases.slide(k, force > 0.0) }
        }
        phases
    }
}
