//! Mechanisms by name, for programs that choose one while they run.
//!
//! A [`Model`] hides the mechanism's type and its numbers of coordinates, constraints and inputs. Simulation goes through
//! `dyn System`, so that each method is compiled once for each shape, and not once for each mechanism.

mod analysis;
mod balance;
mod choice;
mod closed_loop;
mod components;
mod entry;
mod error;
mod feedback;
mod fit;
mod instant;
mod integration;
mod linear;
mod method;
mod own;
mod place;
mod quantity;
mod rate;
mod request;
mod resolved;
mod scales;
mod simulate;
mod start;
mod units;

pub use analysis::{Analysis, Oscillation};
pub use balance::Balance;
pub use choice::{MethodChoice, Scheme};
pub use components::Components;
pub(crate) use components::stem;
pub use entry::Entry;
pub use error::{FailedRun, RequestError};
pub use feedback::{Feedback, InputSample};
pub use fit::{Fit, FitRequest, FittedColumn, FittedValue, MeasuredColumn};
pub use instant::{Instant, InstantCount, describe_counts};
pub use linear::{LinearAt, LinearEquations, LinearMotion};
pub use method::{Kind, MethodName};
#[doc(hidden)]
pub use own::{Constrained, Defaults, Setting, starting};
pub use quantity::{OwnFunction, Quantity, SharedFunction, Until, Watched};
pub use rate::Rate;
pub use request::{Request, States};
pub use simulate::{Output, Sample, Summary};
pub use start::{Moved, Start, describe};
pub use units::Units;
pub(crate) use units::{head, in_common, label, unit_of, with_unit};

use lagrange_runtime::system::{Facts, FoundSymmetry, Symmetry};

/// A parameter or an input, with its default value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value where none is given.
    pub default: f64,
    /// Whether it is an input, which may vary in time, and not a parameter.
    pub input: bool,
    /// The field's doc comment, with its unit at the end.
    pub description: &'static str,
    /// The unit that the block states, or that follows from it; empty if there is none.
    pub unit: &'static str,
}

/// A mechanism of the catalog.
pub trait Model: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it is, in one line.
    fn summary(&self) -> &'static str;

    /// Where it was published.
    fn source(&self) -> &'static str;

    /// The units of its numbers, as far as they are stated.
    fn units(&self) -> Units {
        Units::UNSTATED
    }

    /// The units of its quantities, which its block states or which follow.
    fn quantity_units(&self) -> &'static lagrange_runtime::system::Units {
        &lagrange_runtime::system::Units::UNSTATED
    }

    /// The nominal ranges of parameters, inputs and coordinates by their names, as far as they are stated.
    fn ranges(&self) -> &'static [(&'static str, [f64; 2])] {
        &[]
    }

    /// The units of the coordinates and of the states, in their order; empty where none is known.
    fn coordinate_units(&self) -> &'static [&'static str] {
        self.quantity_units().coordinates
    }

    /// The block as written, without comments.
    fn block(&self) -> &'static str;

    /// The tokens of a mechanism of parts with its parts, empty without parts.
    fn whole(&self) -> &'static str;

    /// The names of the components of the mechanism's outputs.
    fn outputs(&self) -> &'static [&'static str];

    /// The names of the terms of the mechanism's power balance.
    fn powers(&self) -> &'static [&'static str];

    /// The constraints' names, in the order of λ.
    fn constraints(&self) -> &'static [&'static str];

    /// The coordinates' names, in the order of q.
    fn coordinates(&self) -> &'static [&'static str] {
        self.components().coordinates()
    }

    /// The names of the states, whose values follow the velocities. The coordinates without inertia are the first of them.
    fn states(&self) -> &'static [&'static str] {
        self.components().states()
    }

    /// The names of the coordinates without inertia, which are the first of the states.
    fn without_inertia(&self) -> &'static [&'static str];

    /// The names of the coordinates, the velocities and the states.
    fn components(&self) -> Components<'static>;

    /// Parameters, then inputs, with the published values.
    fn parameters(&self) -> Vec<Parameter>;

    /// The published initial coordinates, and the initial velocities followed by the initial states.
    fn initial(&self) -> (Vec<f64>, Vec<f64>);

    /// What the derivation proved.
    fn facts(&self) -> Facts;

    /// The symmetries that the block states.
    fn symmetries(&self) -> &'static [Symmetry] {
        &[]
    }

    /// The symmetries that the block does not state, as far as the derivation found them.
    fn found_symmetries(&self) -> &'static [FoundSymmetry] {
        &[]
    }

    /// Whether the search for these ended early, or was not begun, because the mechanism is too large for it.
    fn symmetry_search_is_cut(&self) -> bool {
        false
    }

    /// What the block states as text: the block as it is written, below the blocks of its parts.
    fn stated_text(&self) -> &'static str {
        self.block()
    }

    /// The derived equations as text.
    fn equations_text(&self) -> &'static str;

    /// The derived equations as LaTeX.
    fn equations_latex(&self) -> &'static str;

    /// What the block states as LaTeX, part by part.
    fn stated_latex(&self) -> &'static str;

    /// Checks the parameters and inputs of a request, and nothing else of it.
    ///
    /// # Errors
    /// [`RequestError`] for a name that is unknown or repeated, and for values that are not finite or break an `assume`.
    fn check(&self, request: &Request) -> Result<(), RequestError>;

    /// The rate of change of the state with these coordinates and velocities, behind which stand the states. Inputs keep their values, or follow
    /// the laws of the request.
    ///
    /// Constraints hold for the accelerations alone: an integration of the rates drifts off them by its own errors.
    ///
    /// # Errors
    /// As [`Model::check`]; also for a wrong number of values, for a sampled law, for a mechanism with contacts, sticking friction or
    /// modes, and where the mass matrix is singular.
    fn rate(&self, request: &Request, t: f64, q: &[f64], v: &[f64]) -> Result<Rate, RequestError>;

    /// The equations linearised at the state that `request` starts from.
    ///
    /// # Errors
    /// As [`Model::start`]; also where the equations are singular there.
    fn linearise(&self, request: &Request) -> Result<LinearEquations, RequestError>;

    /// The state that `request` starts from: the one that it asks for, brought onto the constraints. Components that it names are
    /// kept where the others can meet the constraints.
    ///
    /// # Errors
    /// [`RequestError`]: an unknown or repeated name, a value that is not allowed, or a state that would have to be moved far
    /// although [`Request::project`] is not set.
    fn start(&self, request: &Request) -> Result<Start, RequestError>;

    /// Integrates as `request` says and gives each state asked for to `output`, which may break off.
    ///
    /// # Errors
    /// As [`Model::start`]; also an integration that failed: the states until then were given to `output`.
    fn simulate(&self, request: &Request, output: &mut dyn Output) -> Result<Summary, RequestError>;

    /// Finds an equilibrium near the state that `request` starts from, and the linear motion about it.
    ///
    /// # Errors
    /// As [`Model::start`]; also where there is no equilibrium, or the equations are singular there.
    fn analyse(&self, request: &Request) -> Result<Analysis, RequestError>;

    /// Solves the linearised equations from the state that `request` starts from, at times among which are `points` evenly spaced ones.
    ///
    /// # Errors
    /// As [`Model::analyse`]; also where the curve would need very many points.
    fn linear_motion(&self, request: &Request, at: LinearAt, points: usize) -> Result<LinearMotion, RequestError>;

    /// Estimates values that fit a recording, from those that `request` asks for. The inputs are constant, and the method is [`Dop853`], which
    /// runs on dual numbers ([`Estimation`]).
    ///
    /// A column without a given deviation gets the standard deviation of its own residuals.
    ///
    /// # Errors
    /// As [`Model::start`]; also for a name that is unknown or repeated, for samples that are too few or do not determine every value, and
    /// where the search does not converge.
    ///
    /// [`Dop853`]: lagrange_runtime::prelude::Dop853
    /// [`Estimation`]: lagrange_runtime::analysis::Estimation
    fn fit(&self, request: &Request, recording: &FitRequest) -> Result<Fit, RequestError>;
}

/// The mechanisms of a program, by name.
#[derive(Clone, Copy)]
pub struct Catalog {
    models: &'static [&'static dyn Model],
}

impl Catalog {
    /// A catalogue of these mechanisms, which the program lists in this order.
    pub const fn new(models: &'static [&'static dyn Model]) -> Self {
        Self { models }
    }

    /// A catalogue of mechanisms that a program makes when it starts. They stay in memory as long as the program runs.
    pub fn of(models: impl IntoIterator<Item = Box<dyn Model>>) -> Self {
        let models: Vec<&'static dyn Model> = models.into_iter().map(|model| &*Box::leak(model)).collect();
        Self { models: models.leak() }
    }

    /// All mechanisms.
    pub fn models(&self) -> &'static [&'static dyn Model] {
        self.models
    }

    /// The mechanism of this name; case, `-` and `_` do not matter, so that the type's name serves too.
    ///
    /// # Errors
    /// [`RequestError::UnknownModel`] lists the names there are.
    pub fn find(&self, name: &str) -> Result<&'static dyn Model, RequestError> {
        let found = self.models.iter().find(|model| plain(model.name()) == plain(name));
        found.copied().ok_or_else(|| RequestError::UnknownModel {
            name: name.to_owned(),
            known: self.models.iter().map(|model| model.name().to_owned()).collect(),
        })
    }
}

/// A name in the form in which names are compared: case, `-` and `_` do not matter.
fn plain(name: &str) -> String {
    name.replace(['-', '_'], "").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lagrange_runtime::prelude::*;

    #[lagrangian {
        coordinates theta;
        kinetic = m*dot(theta)^2/2;
    }]
    #[derive(Clone, Debug)]
    struct Wheel {
        m: f64,
    }

    static CATALOG: Catalog = Catalog::new(&[
        &Entry::free("flywheel", || Wheel { m: 1.0 }, || State::new(0.0, [0.0], [1.0])),
        &Entry::free("double-wheel", || Wheel { m: 2.0 }, || State::new(0.0, [0.0], [1.0])),
    ]);

    #[test]
    fn a_model_is_found_by_its_type_name_too() {
        assert_eq!(CATALOG.find("DoubleWheel").expect("the type's name is accepted").name(), "double-wheel");
    }

    #[test]
    fn an_unknown_model_is_answered_with_the_nearest_and_the_list() {
        let message = CATALOG.find("doublewhel").err().expect("there is no such model").to_string();
        assert!(message.contains("did you mean `double-wheel`?"), "{message}");
        assert!(message.contains("`flywheel`"), "{message}");
    }
}
