//! The residuals of the equations with a and λ as arguments, and their derivatives.

use super::lowering::Lowering;
use crate::graph::Symbol;
use crate::program::{Layout, Operation, Part, Routine, Value};
use std::collections::HashMap;

/// The residuals and their derivatives.
#[derive(Default)]
pub(super) struct Residuals {
    pub(super) residual: Option<Routine>,
    pub(super) residual_jacobian: Option<Routine>,
    pub(super) residual_parameters: Option<Routine>,
}

impl Lowering<'_> {
    /// The residuals, if something needs them. With contacts they do not contain all forces: the derivatives of a and λ are those of dual
    /// numbers.
    pub(super) fn residuals(&mut self, are_needed: bool) -> Residuals {
        let arguments: HashMap<Symbol, Value> =
            (0..self.n as u32).map(|i| (Symbol::Acceleration(i), self.builder.push(Operation::Argument(i)))).collect();
        self.builder.bind(arguments);
        let mut residuals = Residuals::default();
        if !are_needed {
            return residuals;
        }
        let equations = self.equations;
        if let Some(jacobian) = &equations.residual_jacobian {
            let layout = Layout::default()
                .with(Part::ByQ, self.columns(&jacobian.q))
                .with(Part::ByV, self.columns(&jacobian.v))
                .with(Part::ByT, self.all(&jacobian.t))
                .with(Part::ByU, self.columns(&jacobian.u));
            residuals.residual_jacobian = Some(self.routine(layout));
            residuals.residual_parameters = jacobian.parameters.as_ref().map(|columns| {
                let outputs = self.columns(columns);
                Routine::new(&self.builder, &outputs)
            });
        }
        if residuals.residual_parameters.is_none() {
            let outputs = self.all(&equations.residual);
            residuals.residual = Some(Routine::new(&self.builder, &outputs));
        }
        residuals
    }
}
