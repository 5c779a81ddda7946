//! A mechanism's type behind the catalog's common face.

use super::simulate::Run;
use super::{Model, Parameter, Request, RequestError, Sample, Summary};
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::Facts;
use std::ops::ControlFlow;

/// One mechanism of the catalog: `T` with `N` coordinates, `C` rows of constraints and `U` inputs.
pub(super) struct Entry<T, const N: usize, const C: usize, const U: usize> {
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    pub(super) source: &'static str,
    /// The mechanism with its published parameters.
    pub(super) mechanism: fn() -> T,
    /// The published initial state.
    pub(super) initial: fn() -> State<f64, N>,
    /// How it is simulated.
    pub(super) run: Run<N, C, U>,
}

impl<T: Mechanism<N, C, U>, const N: usize, const C: usize, const U: usize> Model for Entry<T, N, C, U> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn source(&self) -> &'static str {
        self.source
    }

    fn coordinates(&self) -> &'static [&'static str] {
        const { &T::COORDINATES }
    }

    fn parameters(&self) -> Vec<Parameter> {
        let mechanism = (self.mechanism)();
        let described = |name: &'static str, input: bool| {
            mechanism.parameter(name).ok().map(|default| Parameter { name, default, input })
        };
        let parameters = T::PARAMETERS.iter().filter_map(|name| described(name, false));
        parameters.chain(T::INPUTS.into_iter().filter_map(|name| described(name, true))).collect()
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        let state = (self.initial)();
        (state.q.as_slice().to_vec(), state.v.as_slice().to_vec())
    }

    fn facts(&self) -> Facts {
        T::FACTS
    }

    fn equations_text(&self) -> &'static str {
        T::EQUATIONS_TEXT
    }

    fn equations_latex(&self) -> &'static str {
        T::EQUATIONS_LATEX
    }

    fn simulate(
        &self,
        request: &Request,
        output: &mut dyn FnMut(&Sample<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, RequestError> {
        let mut mechanism = (self.mechanism)();
        for (name, value) in &request.set {
            mechanism.set_parameter(name, *value).map_err(|error| RequestError::UnknownParameter {
                name: name.clone(),
                known: error.known.iter().map(|&known| known.to_owned()).collect(),
            })?;
        }
        let initial = request.initial_state((self.initial)(), &T::COORDINATES)?;
        let system = mechanism.prepare::<f64>().map_err(|error| RequestError::BadValue(error.to_string()))?;
        (self.run)(&system, initial, request, output)
    }
}
