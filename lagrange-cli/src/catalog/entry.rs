//! A mechanism's type behind the catalogue's common face.

use super::analysis::{Analyse, analyse};
use super::closed_loop::{ClosedLoop, Driven};
use super::error::{in_options, without_motion};
use super::feedback::{Laws, in_closed_loop};
use super::fit::{self, Fitting};
use super::linear;
use super::place::{self, Place};
use super::rate;
use super::simulate::own;
use super::simulate::{Asked, Run, constrained, free};
use super::start::{self, Start};
use super::{
    Analysis, Components, Fit, FitRequest, LinearAt, LinearEquations, LinearMotion, Model, Output, Parameter, Rate,
    Request, RequestError, Summary, Units,
};
use lagrange_runtime::analysis::LargestExponent;
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{Facts, FoundSymmetry, Symmetry};

/// A system, the state that it starts from, and what was changed about that.
type Ready<S, const N: usize> = (S, State<f64, N>, Start);

/// One mechanism of a catalogue: `T` with `N` coordinates, `C` rows of constraints and `U` inputs.
///
/// Two constructors tell how its motions are integrated: [`Entry::free`] and [`Entry::constrained`]. The simulation is compiled once
/// for each pair (N, C), and not once for each mechanism.
pub struct Entry<T, const N: usize, const C: usize, const U: usize> {
    name: &'static str,
    summary: &'static str,
    source: &'static str,
    units: Units,
    mechanism: fn() -> T,
    initial: fn() -> State<f64, N>,
    place: Place<N, C>,
    run: Run<N, C>,
    analyse: Analyse<N, C, U>,
    fit: Fitting<T, N>,
}

impl<T: Mechanism<N, 0, U> + Clone, const N: usize, const U: usize> Entry<T, N, 0, U> {
    /// A mechanism without constraints: its name on the command line, its default values, its default initial state.
    pub const fn free(name: &'static str, mechanism: fn() -> T, initial: fn() -> State<f64, N>) -> Self {
        Self::placed(name, mechanism, initial, place::itself, free, fit::free)
    }
}

impl<T: Mechanism<N, C, U> + Clone, const N: usize, const C: usize, const U: usize> Entry<T, N, C, U> {
    /// A mechanism under constraints, integrated from a consistent state near the initial one. What a request names of the initial
    /// state is kept where possible; where it is not, the move must be small unless the request says otherwise. If constraints are
    /// redundant there, the multipliers are those of least norm.
    pub const fn constrained(name: &'static str, mechanism: fn() -> T, initial: fn() -> State<f64, N>) -> Self {
        Self::placed(name, mechanism, initial, place::consistent, constrained, fit::constrained)
    }

    const fn placed(
        name: &'static str,
        mechanism: fn() -> T,
        initial: fn() -> State<f64, N>,
        place: Place<N, C>,
        run: Run<N, C>,
        fit: Fitting<T, N>,
    ) -> Self {
        Self { name, summary: "", source: "", units: Units::UNSTATED, mechanism, initial, place, run, analyse, fit }
    }

    /// Says in one line what the mechanism is.
    pub const fn with_summary(mut self, summary: &'static str) -> Self {
        self.summary = summary;
        self
    }

    /// Says in which units the mechanism's numbers are. Without it they have the units that the mechanism's block states, if it does.
    pub const fn with_units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Says where the mechanism and its default values were published.
    pub const fn with_source(mut self, source: &'static str) -> Self {
        self.source = source;
        self
    }
}

impl<T: Mechanism<N, C, U>, const N: usize, const C: usize, const U: usize> Model for Entry<T, N, C, U> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        if self.summary.is_empty() { T::SUMMARY } else { self.summary }
    }

    fn source(&self) -> &'static str {
        self.source
    }

    fn units(&self) -> Units {
        if self.units == Units::UNSTATED { Units::of(&T::UNITS) } else { self.units }
    }

    fn components(&self) -> Components<'static> {
        Components::split(const { &T::COORDINATES }, T::STATES)
    }

    fn without_inertia(&self) -> &'static [&'static str] {
        self.states().get(..T::WITHOUT_INERTIA).unwrap_or_default()
    }

    fn parameters(&self) -> Vec<Parameter> {
        let mechanism = (self.mechanism)();
        let fields =
            T::PARAMETERS.iter().map(|name| (*name, false)).chain(T::INPUTS.into_iter().map(|name| (name, true)));
        let described = |(index, (name, input)): (usize, (&'static str, bool))| {
            let description = T::DESCRIPTIONS.get(index).copied().unwrap_or_default();
            let unit = T::UNITS.fields.get(index).copied().unwrap_or_default();
            mechanism.parameter(name).ok().map(|default| Parameter { name, default, input, description, unit })
        };
        fields.enumerate().filter_map(described).collect()
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        let state = (self.initial)();
        (own(state.q.as_slice(), T::STATES).to_vec(), state.v.as_slice().to_vec())
    }

    fn facts(&self) -> Facts {
        T::FACTS
    }

    fn block(&self) -> &'static str {
        T::BLOCK
    }

    fn outputs(&self) -> &'static [&'static str] {
        (self.mechanism)().prepare::<f64>().map_or(&[], |system| system.output_names())
    }

    fn quantity_units(&self) -> &'static lagrange_runtime::system::Units {
        const { &T::UNITS }
    }

    fn ranges(&self) -> &'static [(&'static str, [f64; 2])] {
        T::RANGES
    }

    fn powers(&self) -> &'static [&'static str] {
        (self.mechanism)().prepare::<f64>().map_or(&[], |system| system.power_names())
    }

    fn constraints(&self) -> &'static [&'static str] {
        const { &T::CONSTRAINTS }
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        T::SYMMETRIES
    }

    fn found_symmetries(&self) -> &'static [FoundSymmetry] {
        T::FOUND_SYMMETRIES
    }

    fn symmetry_search_is_cut(&self) -> bool {
        T::SYMMETRY_SEARCH_IS_CUT
    }

    fn stated_text(&self) -> &'static str {
        T::STATED_TEXT
    }

    fn equations_text(&self) -> &'static str {
        T::EQUATIONS_TEXT
    }

    fn whole(&self) -> &'static str {
        T::WHOLE
    }

    fn stated_latex(&self) -> &'static str {
        T::STATED_LATEX
    }

    fn equations_latex(&self) -> &'static str {
        T::EQUATIONS_LATEX
    }

    fn check(&self, request: &Request) -> Result<(), RequestError> {
        self.configured(request)?.prepare::<f64>().map_err(|error| RequestError::BadValue(error.to_string()))?;
        Ok(())
    }

    fn rate(&self, request: &Request, t: f64, q: &[f64], v: &[f64]) -> Result<Rate, RequestError> {
        if request.feedback.period.is_some() {
            return Err(RequestError::BadLaw(
                "the rate of a state with sampled inputs depends on the samples before; leave out --period".to_owned(),
            ));
        }
        let system = self.configured(request)?;
        let system = system.prepare::<f64>().map_err(|error| RequestError::BadValue(error.to_string()))?;
        if request.feedback.laws.is_empty() {
            return rate::rate(&ClosedLoop::undriven(&system), t, [q, v]);
        }
        let laws = self.laws(request)?;
        rate::rate(&ClosedLoop::new(&system, &laws, Self::driven()), t, [q, v])
    }

    fn linearise(&self, request: &Request) -> Result<LinearEquations, RequestError> {
        let (system, state, _) = self.prepared(request)?;
        linear::equations(&system as &dyn Linearise<f64, N, C, U>, &state)
    }

    fn start(&self, request: &Request) -> Result<Start, RequestError> {
        self.prepared(request).map(|(_, _, start)| start)
    }

    fn simulate(&self, request: &Request, output: &mut dyn Output) -> Result<Summary, RequestError> {
        let (system, state, start) = self.prepared(request)?;
        let laws = self.laws(request)?;
        let closed = match request.feedback.laws.is_empty() {
            true => ClosedLoop::undriven(&system),
            false => ClosedLoop::new(&system, &laws, Self::driven()),
        };
        let driven: &dyn Driven<N> = &closed;
        let driven = (!request.feedback.laws.is_empty()).then_some(driven);
        let asked = Asked { request, units: self.units(), drive: &laws, driven };
        let Some(from) = request.exponent else {
            let summary = (self.run)(&closed, state, asked, output, &mut ())?;
            return Ok(Summary { moved: start.moved, ..summary });
        };
        let system: &dyn Linearise<f64, N, C, U> = &system;
        let mut growth =
            LargestExponent::new(system, &state, request.t_start + from.copysign(request.t_end - request.t_start))
                .map_err(without_motion)?;
        let mut summary = (self.run)(&closed, state, asked, output, &mut growth)?;
        match growth.exponent() {
            Ok(exponent) => summary.exponent = Some(exponent),
            Err(error) => summary.warnings.push(in_options(&error.to_string())),
        }
        Ok(Summary { moved: start.moved, ..summary })
    }

    fn analyse(&self, request: &Request) -> Result<Analysis, RequestError> {
        let (system, state, _) = self.prepared(request)?;
        (self.analyse)(&system, &state)
    }

    fn linear_motion(&self, request: &Request, at: LinearAt, points: usize) -> Result<LinearMotion, RequestError> {
        let (system, state, _) = self.prepared(request)?;
        linear::motion(&system as &dyn Linearise<f64, N, C, U>, &state, at, (request.t_end - request.t_start, points))
    }

    fn fit(&self, request: &Request, recording: &FitRequest) -> Result<Fit, RequestError> {
        let (_, state, _) = self.prepared(request)?;
        (self.fit)(&self.configured(request)?, &state, recording)
    }
}

impl<T: Mechanism<N, C, U>, const N: usize, const C: usize, const U: usize> Entry<T, N, C, U> {
    /// The mechanism with the parameters of a request.
    fn configured(&self, request: &Request) -> Result<T, RequestError> {
        let mut mechanism = (self.mechanism)();
        for (index, (name, value)) in request.set.iter().enumerate() {
            mechanism.set_parameter(name, *value).map_err(|error| match self.components().find(name) {
                Some(_) => RequestError::Misplaced { name: name.clone(), is_parameter: false },
                None => RequestError::UnknownParameter {
                    name: name.clone(),
                    known: error.known.iter().map(|&known| known.to_owned()).collect(),
                },
            })?;
            if let Some((_, first)) = request.set[..index].iter().find(|(other, _)| other == name) {
                return Err(RequestError::Repeated { name: name.clone(), values: [*first, *value] });
            }
        }
        Ok(mechanism)
    }

    /// The facts about the mechanism that hold whatever its inputs depend on.
    const fn driven() -> &'static Facts {
        const { &in_closed_loop(T::FACTS) }
    }

    /// The inputs with their laws.
    fn laws(&self, request: &Request) -> Result<Laws<U>, RequestError> {
        if !request.feedback.laws.is_empty() && request.exponent.is_some() {
            return Err(RequestError::BadLaw(
                "the Lyapunov exponent needs derivatives that a law of an input does not have; leave out --input"
                    .to_owned(),
            ));
        }
        let mechanism = self.configured(request)?;
        let parameters: Vec<(&str, f64)> =
            T::PARAMETERS.iter().filter_map(|name| Some((*name, mechanism.parameter(name).ok()?))).collect();
        let defaults = SVector::from_fn(|index, _| mechanism.parameter(T::INPUTS[index]).unwrap_or_default());
        Laws::new(&request.feedback, self.components(), (&T::INPUTS, defaults), &parameters, &request.set)
    }

    /// The equations with the parameters of a request, and the state that it starts from.
    fn prepared(&self, request: &Request) -> Result<Ready<T::Prepared<f64>, N>, RequestError> {
        let facts = if request.feedback.laws.is_empty() { &T::FACTS } else { Self::driven() };
        request.method.check(facts)?;
        request.feedback.check(request.method.or_chosen(facts).0)?;
        if !request.feedback.laws.is_empty() {
            self.laws(request)?;
        }
        let mechanism = self.configured(request)?;
        let parameters: Vec<&str> = T::PARAMETERS.iter().copied().chain(T::INPUTS).collect();
        let published = State { t: request.t_start, ..(self.initial)() };
        let asked = request.initial_state(published, self.components(), &parameters)?;
        let system = mechanism.prepare::<f64>().map_err(|error| RequestError::BadValue(error.to_string()))?;
        let undriven = ClosedLoop::undriven(&system);
        let state = (self.place)(&undriven, &asked)?;
        start::check_inertia(&system, &state)?;
        let start = start::accept(&undriven, &asked, &state, request.project)?;
        Ok((system, state, start))
    }
}
