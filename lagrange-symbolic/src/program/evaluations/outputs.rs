//! The outputs, with their derivatives.

use super::lowering::Lowering;
use crate::graph::Id;
use crate::program::{Layout, Part, Routine};

impl Lowering<'_> {
    /// The outputs whose derivatives are written out, with these, and what their rates contain without accelerations. `None` where there is none.
    pub(super) fn output_jacobian(&mut self) -> Option<Routine> {
        let jacobian = &self.equations.output_jacobian;
        if jacobian.written.is_empty() {
            return None;
        }
        let n = self.n;
        let column = |variable: usize| -> Vec<Id> { jacobian.rows.iter().map(|row| row[variable]).collect() };
        let count = jacobian.rows[0].len();
        let columns: Vec<Vec<Id>> = (0..count).map(column).collect();
        let bias: Vec<Id> = jacobian.bias.iter().flatten().copied().collect();
        let layout = Layout::default()
            .with(Part::Output, self.all(&jacobian.values))
            .with(Part::ByQ, self.columns(&columns[..n]))
            .with(Part::ByV, self.columns(&columns[n..2 * n]))
            .with(Part::ByT, self.all(&columns[2 * n]))
            .with(Part::ByU, self.columns(&columns[2 * n + 1..]))
            .with(Part::Rate, self.all(&jacobian.drift))
            .with(Part::Curvature, self.all(&bias));
        Some(self.routine(layout))
    }
}
