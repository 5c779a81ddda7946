//! The evaluations of constraints and contacts, of energies and powers, and what `prepare` checks.

use super::lowering::{Lowering, columns_of};
use crate::graph::Id;
use crate::program::{Layout, Part, Routine, Value};

/// What the constraints and the solution of the equations share.
pub(super) struct Rows {
    /// G, row by row.
    pub(super) jacobian: Vec<Vec<Value>>,
    /// γ.
    pub(super) curvature: Vec<Value>,
}

impl Lowering<'_> {
    /// M, F without friction, and the slip rate, direction, curvature and bound of each contact. `None` without contacts.
    pub(super) fn contacts(&mut self) -> Option<Routine> {
        let contacts = &self.equations.contacts;
        if contacts.is_empty() {
            return None;
        }
        let direction: Vec<Vec<Value>> = contacts.direction.iter().map(|row| self.all(row)).collect();
        let layout = Layout::default()
            .with(Part::Mass, self.mass_columns())
            .with(Part::Forcing, self.all(&contacts.forcing))
            .with(Part::Rate, self.all(&contacts.rate))
            .with(Part::Gradient, direction.into_iter().flatten())
            .with(Part::Curvature, self.all(&contacts.curvature))
            .with(Part::Bound, self.all(&contacts.bound));
        Some(self.routine(layout))
    }

    /// The gap of each contact that opens and closes, its scale and its restitution.
    pub(super) fn gaps(&mut self) -> Option<Routine> {
        let contacts = &self.equations.contacts;
        if contacts.gap.is_empty() {
            return None;
        }
        let layout = Layout::default()
            .with(Part::Constraint, self.all(&contacts.gap))
            .with(Part::Scale, self.all(&contacts.scale))
            .with(Part::Bound, self.all(&contacts.restitution));
        Some(self.routine(layout))
    }

    /// The rows of constraints that modes switch, the magnitudes of their terms, and which of them hold. `None` without such constraints.
    pub(super) fn latches(&mut self) -> Option<Routine> {
        let latches = &self.equations.contacts.latches;
        if latches.is_empty() {
            return None;
        }
        let part = |k: usize| -> Vec<Id> { latches.iter().map(|latch| latch[k]).collect() };
        let layout = Layout::default()
            .with(Part::Constraint, self.all(&part(0)))
            .with(Part::Scale, self.all(&part(1)))
            .with(Part::Bound, self.all(&part(2)));
        Some(self.routine(layout))
    }

    /// The coefficients of restitution, where one depends on the speed of approach.
    pub(super) fn restitutions(&mut self) -> Option<Routine> {
        let values = self.equations.contacts.restitutions.clone();
        let layout = Layout::default().with(Part::Bound, self.all(&values));
        (!values.is_empty()).then(|| self.routine(layout))
    }

    /// The bounds of frictions that contain multipliers, and their derivatives by these.
    pub(super) fn bounds(&mut self) -> Option<Routine> {
        let contacts = &self.equations.contacts;
        if contacts.loads.is_empty() {
            return None;
        }
        let slopes = self.columns(&contacts.load_slopes);
        let layout = Layout::default().with(Part::Bound, self.all(&contacts.loads)).with(Part::ByMultipliers, slopes);
        Some(self.routine(layout))
    }

    /// The static bounds of frictions, and their derivatives by the multipliers.
    pub(super) fn breakaways(&mut self) -> Option<Routine> {
        let contacts = &self.equations.contacts;
        if contacts.breakaways.is_empty() {
            return None;
        }
        let slopes = self.columns(&contacts.breakaway_slopes);
        let layout =
            Layout::default().with(Part::Bound, self.all(&contacts.breakaways)).with(Part::ByMultipliers, slopes);
        Some(self.routine(layout))
    }

    /// G and γ.
    pub(super) fn rows(&mut self) -> Rows {
        let constraints = &self.equations.constraints;
        let jacobian = constraints.jacobian.iter().map(|row| self.all(row)).collect();
        Rows { jacobian, curvature: self.all(&constraints.curvature) }
    }

    /// The constraints, and what follows from their derivatives. `None` without constraints.
    pub(super) fn constraints(&mut self, Rows { jacobian, curvature }: Rows) -> (Option<Routine>, Option<Routine>) {
        let constraints = &self.equations.constraints;
        let rows = Layout::default()
            .with(Part::Constraint, self.all(&constraints.value))
            .with(Part::Scale, self.all(&constraints.scale))
            .with(Part::Gradient, columns_of(&jacobian, self.n))
            .with(Part::Drift, self.all(&constraints.drift));
        let hidden = Layout::default()
            .with(Part::Rate, self.all(&constraints.rate))
            .with(Part::Curvature, curvature)
            .with(Part::RateByQ, self.columns(&constraints.rate_q))
            .with(Part::Reaction, self.all(&constraints.reaction))
            .with(Part::ReactionByQ, self.columns(&constraints.reaction_q));
        let of = |layout: Layout| (!constraints.is_empty()).then(|| self.routine(layout));
        (of(rows), of(hidden))
    }

    /// h, and T and V where they are stated.
    pub(super) fn energies(&mut self) -> Routine {
        let equations = self.equations;
        let layout = Layout::default()
            .with(Part::Energy, self.all(&[equations.energy]))
            .with(Part::Kinetic, self.all(equations.kinetic.as_slice()))
            .with(Part::Potential, self.all(equations.potential.as_slice()));
        self.routine(layout)
    }

    /// The terms of dh/dt.
    pub(super) fn powers(&mut self) -> Routine {
        let powers: Vec<Id> = self.equations.powers.iter().map(|power| power.value).collect();
        let outputs = self.all(&powers);
        Routine::new(&self.builder, &outputs)
    }

    /// What `prepare` checks.
    pub(super) fn checks(&mut self) -> Routine {
        let equations = self.equations;
        let positivity = equations.positivity.iter().map(|condition| condition.expression);
        let checked: Vec<Id> = equations.assumptions.iter().copied().chain(positivity).collect();
        let checks = self.all(&checked);
        Routine::from_parameters(&self.builder, &checks)
    }
}
