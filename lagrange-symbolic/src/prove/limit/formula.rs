//! Whether a switching function vanishes between two points, or changes its sign because a switch inside it selects another formula there.

use super::{OneSided, PrecisePoint};
use crate::graph::Id;
use crate::graph::value::{Real, is_zero};
use crate::prove::branches::Branch;
use crate::prove::lazy::evaluate_lazily;
use crate::prove::switch::Switch;
use dashu_base::Sign;
use std::collections::HashMap;

impl OneSided<'_> {
    /// Whether a switching function with different signs at two neighbouring points has the same sign at both by the formulas that are
    /// selected at either point. It then jumps between them. Functions such as floors, which have more than two formulas, prove nothing.
    pub(super) fn jumps_between(&mut self, switch: &Switch, points: [&PrecisePoint; 2]) -> bool {
        points.into_iter().all(|own| {
            let Some(sides) = self.sides_inside(switch, own) else { return false };
            let [one, other] = points.map(|point| self.value_by(switch, point, &sides).map(|value| sign(&value)));
            one.flatten().is_some() && one == other
        })
    }

    /// The sides of the switches inside a switching function. `None` without any, and where one of them is on its boundary.
    fn sides_inside(&mut self, switch: &Switch, point: &PrecisePoint) -> Option<Branch> {
        let operands: Vec<Id> = switch.operands().collect();
        let mut sides = Branch::new();
        for id in self.graph.reachable(&operands) {
            let Some(inner) = Switch::of_formulas(self.graph, id) else { continue };
            // A switch inside a formula that is not selected may have no value.
            let Some(value) = self.switching(&inner, point) else { continue };
            let is_negative = sign(&value)? == Sign::Negative;
            sides.insert(id, if is_negative { -1 } else { 1 });
        }
        (!sides.is_empty()).then_some(sides)
    }

    /// A switching function at a point by the formulas on these sides of the switches inside it.
    fn value_by(&mut self, switch: &Switch, point: &PrecisePoint, sides: &Branch) -> Option<Real> {
        let graph = self.graph;
        let symbol = |symbol| point.get(&symbol).cloned();
        let side = |id: Id| sides.get(&id).copied().map(i64::from);
        switch.value(&mut self.arithmetic, &mut |arithmetic, id| {
            let found = evaluate_lazily(arithmetic, graph, id, &mut HashMap::new(), &symbol, &side)?;
            found.real().cloned()
        })
    }
}

/// The sign of a number that is not zero.
fn sign(value: &Real) -> Option<Sign> {
    (!is_zero(value)).then(|| value.sign())
}
