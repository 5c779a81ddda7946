//! The plan of a sweep: a mechanism, and the members that are simulated with it.

use super::Arguments;
use super::extremes::Extremes;
use super::members::Members;
use super::row::{self, Row};
use super::totals::Totals;
use crate::catalog::{Catalog, Model, Request};
use crate::command::Failure;
use crate::command::sheet::Columns;
use std::sync::atomic::AtomicBool;

/// A mechanism, and the members that are simulated with it. Where and how the rows are written is no part of it.
pub(super) struct Plan {
    pub(super) model: &'static dyn Model,
    /// The request that all members share.
    pub(super) request: Request,
    pub(super) members: Members,
    /// The quantities whose extremes are columns.
    pub(super) extremes: Extremes,
    /// The conditions at which motions end.
    pub(super) conditions: Vec<String>,
    /// The method with its settings, in words.
    pub(super) method: String,
}

impl Plan {
    /// Returns the plan that these arguments ask for.
    ///
    /// # Errors
    /// [`Failure`] names what does not exist, is not allowed, or contradicts something else.
    pub(super) fn new(catalog: &Catalog, arguments: &Arguments) -> Result<Self, Failure> {
        let (model, request) = arguments.simulation.request(catalog)?;
        let (states, exponent) = arguments.recording(model, &request)?;
        let request = Request { until: arguments.ending.until(model)?, audit: false, states, exponent, ..request };
        let drawn = (&arguments.sample[..], arguments.count.unwrap_or(1), arguments.seed.unwrap_or(0));
        let members = Members::new(model, request.clone(), &arguments.vary, drawn)?;
        members.check(model)?;
        let conditions = request.until.iter().map(|until| until.label.clone()).collect();
        let extremes = Extremes::new(model, &arguments.extremes, arguments.after.unwrap_or(0.0))?;
        let method =
            request.method.describe(request.method.or_chosen(&request.feedback.facts(model.facts())), model.units());
        Ok(Self { model, request, members, extremes, conditions, method })
    }

    /// Computes the row of the member of this index. If the flag is set meanwhile, the row may be that of a motion that was cut
    /// short.
    pub(super) fn row(&self, index: u64, interrupt: &AtomicBool) -> Row {
        Row::of((self.model, &self.members, &self.extremes), self.members.values(index), interrupt)
    }

    /// Returns the columns that all rows have.
    pub(super) fn columns(&self) -> Columns {
        row::columns(self.model, &self.members, (&self.request, &self.extremes))
    }

    /// Returns sums to which no member has been added yet.
    pub(super) fn totals(&self) -> Totals {
        Totals::new(self.model, (&self.request, &self.extremes), self.conditions.clone())
    }
}
