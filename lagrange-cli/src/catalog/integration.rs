//! One integration of a mechanism behind `dyn`, by a method of any type.

use super::{MethodName, Request};
use lagrange_runtime::method::Symmetric;
use lagrange_runtime::prelude::*;

/// What every method needs for an integration: the equations, the state, the request, and what receives the steps.
pub(super) struct Integration<'r, 's, const N: usize, const C: usize, const U: usize> {
    pub(super) system: &'r (dyn System<f64, N, C, U> + 's),
    pub(super) state: &'r mut State<f64, N>,
    pub(super) name: MethodName,
    pub(super) request: &'r Request,
    pub(super) options: &'r Options<'r, f64, N>,
    pub(super) observer: &'r mut dyn Observer<f64, N>,
}

impl<'s, const N: usize, const C: usize, const U: usize> Integration<'_, 's, N, C, U> {
    /// The method.
    pub(super) fn method(&self) -> MethodName {
        self.name
    }

    /// Integrates by `method`, with the default inputs.
    pub(super) fn alone<M>(self, method: &M) -> Result<Report, SolveError<f64, N>>
    where
        M: Method<f64, N, C>,
    {
        let Self { system, state, request, options, observer, .. } = self;
        integrate(system, state, request.t_end, method, options, &mut DefaultInputs::of(system), observer)
    }

    /// Integrates by the method that `new` makes of the fixed step.
    pub(super) fn stepped<M>(self, new: impl FnOnce(f64) -> M) -> Result<Report, SolveError<f64, N>>
    where
        M: Method<f64, N, C>,
    {
        let method = new(self.request.method.fixed_step());
        self.alone(&method)
    }

    /// As [`Integration::stepped`], by the composition that the request asks for.
    pub(super) fn composed<M>(self, new: impl FnOnce(f64) -> M) -> Result<Report, SolveError<f64, N>>
    where
        M: Method<f64, N, C> + Symmetric,
    {
        let scheme = self.request.method.composition;
        self.stepped(|step| match scheme {
            None => Composition::single(new(step)),
            Some(scheme) => scheme.of(new(step)),
        })
    }

    /// The failure of a method that takes no constraints.
    pub(super) fn refusal(self) -> SolveError<f64, N> {
        SolveError {
            failure: Failure::NotApplicable { method: self.method().label(), needs: "a mechanism without constraints" },
            state: *self.state,
            statistics: Statistics::default(),
            coordinates: self.system.coordinates(),
        }
    }
}
