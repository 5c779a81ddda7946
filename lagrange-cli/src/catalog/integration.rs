//! One integration of a mechanism behind `dyn`, by the method that is asked for.
//!
//! The step loop is several times as much machine code as a method. It is therefore compiled for each choice of methods below, and
//! not for each method.

use super::feedback::{Clock, Drive};
use super::method::{
    Chosen, Explicit, Implicit, Nystrom, OtherSplitting, Pair, Preserving, Stepping, Stiff, StiffFree,
    SymmetricSplitting, Variational,
};
use super::{MethodName, Request};
use lagrange_runtime::method::Symmetric;
use lagrange_runtime::method_choice;
use lagrange_runtime::prelude::*;

/// What every method needs for an integration: the equations, the state, the request, and what receives the steps.
pub(super) struct Integration<'r, 's, const N: usize, const C: usize> {
    pub(super) system: &'r (dyn System<f64, N, C, 0> + 's),
    pub(super) state: &'r mut State<f64, N>,
    pub(super) name: MethodName,
    pub(super) request: &'r Request,
    pub(super) options: &'r Options<'r, f64, N>,
    pub(super) observer: &'r mut dyn Observer<f64, N>,
    /// The inputs.
    pub(super) drive: &'r dyn Drive,
}

method_choice! {
    /// The methods with a step that adapts, for mechanisms without constraints.
    enum FreeAdaptive: f64 {
        Pair(Pair),
        Nystrom(Nystrom),
        Stiff(Stiff),
        StiffFree(StiffFree),
    }
}

method_choice! {
    /// The methods with a fixed step, for mechanisms without constraints.
    enum FreeFixed: f64 {
        Explicit(Explicit),
        Implicit(Implicit),
        Variational(Composition<Variational>),
        Preserving(Composition<Preserving>),
        Splitting(Composition<SymmetricSplitting>),
        OtherSplitting(OtherSplitting),
        Stepping(Stepping),
    }
}

method_choice! {
    /// The methods that keep holonomic constraints themselves.
    enum Canonical: f64 {
        Implicit(Implicit),
        Variational(Composition<Variational>),
    }
}

/// Integrates without constraints.
pub(super) fn free<const N: usize>(integration: Integration<'_, '_, N, 0>) -> Result<Report, SolveError<f64, N>> {
    let fixed = match integration.chosen() {
        Chosen::Adaptive(method) => return integration.by(&FreeAdaptive::Pair(method)),
        Chosen::AdaptiveNystrom(method) => return integration.by(&FreeAdaptive::Nystrom(method)),
        Chosen::AdaptiveStiff(method) => return integration.by(&FreeAdaptive::Stiff(method)),
        Chosen::AdaptiveStiffFree(method) => return integration.by(&FreeAdaptive::StiffFree(method)),
        Chosen::Fixed(method) => FreeFixed::Explicit(method),
        Chosen::Canonical(method) => FreeFixed::Implicit(method),
        Chosen::Composable(method) => FreeFixed::Variational(integration.composed(method)),
        Chosen::FreeComposable(method) => FreeFixed::Preserving(integration.composed(method)),
        Chosen::TimeStepping(method) => FreeFixed::Stepping(method),
        Chosen::SeparableComposable(method) => FreeFixed::Splitting(integration.composed(method)),
        Chosen::Separable(method) => FreeFixed::OtherSplitting(method),
    };
    integration.by(&fixed)
}

/// Integrates under constraints, from a state that meets them.
pub(super) fn constrained<const N: usize, const C: usize>(
    integration: Integration<'_, '_, N, C>,
) -> Result<Report, SolveError<f64, N>> {
    match integration.chosen() {
        Chosen::Fixed(method) => integration.by(&Projected::new(method)),
        Chosen::Adaptive(method) => integration.by(&Projected::new(method)),
        Chosen::AdaptiveStiff(method) => integration.by(&method),
        Chosen::Canonical(method) => integration.by(&Canonical::Implicit(method)),
        Chosen::Composable(method) => {
            let composed = integration.composed(method);
            integration.by(&Canonical::Variational(composed))
        }
        Chosen::AdaptiveNystrom(_)
        | Chosen::AdaptiveStiffFree(_)
        | Chosen::FreeComposable(_)
        | Chosen::TimeStepping(_)
        | Chosen::SeparableComposable(_)
        | Chosen::Separable(_) => Err(integration.refusal()),
    }
}

impl<const N: usize, const C: usize> Integration<'_, '_, N, C> {
    /// The method with its step.
    fn chosen(&self) -> Chosen {
        self.name.with_step(self.request.method.fixed_step())
    }

    /// The composition of `method` that the request asks for.
    fn composed<M: Symmetric>(&self, method: M) -> Composition<M> {
        match self.request.method.composition {
            None => Composition::single(method),
            Some(scheme) => scheme.of(method),
        }
    }

    /// Integrates by `method`.
    fn by<M: Method<f64, N, C>>(self, method: &M) -> Result<Report, SolveError<f64, N>> {
        let Self { system, state, request, options, observer, drive, .. } = self;
        integrate(system, state, request.t_end, method, options, &mut Clock::start(drive), observer)
    }

    /// The failure of a method that takes no constraints.
    fn refusal(self) -> SolveError<f64, N> {
        SolveError {
            failure: Failure::NotApplicable { method: self.name.label(), needs: "a mechanism without constraints" },
            state: *self.state,
            statistics: Statistics::default(),
            coordinates: self.system.coordinates(),
            states: self.system.state_count(),
        }
    }
}
