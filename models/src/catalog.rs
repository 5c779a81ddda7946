//! The mechanisms by name, for programs that choose one while they run.
//!
//! A [`Model`] hides the mechanism's type and its numbers of coordinates and inputs. Simulation goes through
//! `dyn System`, so that each method is compiled once for each shape, and not once for each mechanism.

mod entry;
mod error;
mod request;
mod simulate;

pub use error::RequestError;
pub use request::{MethodChoice, Request};
pub use simulate::{Sample, Summary};

use crate::{CompoundDoublePendulum, CompoundDoublePendulumWithDrag, DoublePendulum};
use entry::Entry;
use lagrange_runtime::system::Facts;
use std::ops::ControlFlow;

/// A parameter or an input, with its default value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value where none is given, in SI units.
    pub default: f64,
    /// Whether it is an input, which may vary in time, and not a parameter.
    pub input: bool,
}

/// A mechanism of the catalog.
pub trait Model: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it is, in one line.
    fn summary(&self) -> &'static str;

    /// Where it was published.
    fn source(&self) -> &'static str;

    /// The coordinates' names, in the order of q.
    fn coordinates(&self) -> &'static [&'static str];

    /// Parameters, then inputs, with the published values.
    fn parameters(&self) -> Vec<Parameter>;

    /// The published initial coordinates and velocities, in the order of [`Model::coordinates`].
    fn initial(&self) -> (Vec<f64>, Vec<f64>);

    /// What the derivation proved.
    fn facts(&self) -> Facts;

    /// The derived equations as text.
    fn equations_text(&self) -> &'static str;

    /// The derived equations as LaTeX.
    fn equations_latex(&self) -> &'static str;

    /// Integrates as `request` says and gives each state asked for to `output`, which may break off.
    ///
    /// # Errors
    /// [`RequestError`]: an unknown name, a value that is not allowed, or an integration that failed; the states until
    /// then were given to `output`.
    fn simulate(
        &self,
        request: &Request,
        output: &mut dyn FnMut(&Sample<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, RequestError>;
}

const STUDY_1: &str = "Zhan Yangping, Computer simulation of the compound double pendulum, Tsinghua University, 2013";
const STUDY_3: &str = "addis, Numerical solution of Lagrange's equation (Matlab), Xiaoshi encyclopedia";

static MODELS: [&dyn Model; 3] = [
    &Entry::<CompoundDoublePendulum, 2, 0> {
        name: "compound-double-pendulum",
        summary: "two uniform rods in series with a bob at the tip",
        source: STUDY_1,
        mechanism: CompoundDoublePendulum::default,
        initial: CompoundDoublePendulum::released_at_45_degrees,
    },
    &Entry::<CompoundDoublePendulumWithDrag, 2, 1> {
        name: "compound-double-pendulum-with-drag",
        summary: "the same with quadratic air drag on the rods, and a torque on the upper one",
        source: STUDY_1,
        mechanism: CompoundDoublePendulumWithDrag::default,
        initial: CompoundDoublePendulumWithDrag::released_at_45_degrees,
    },
    &Entry::<DoublePendulum, 2, 0> {
        name: "double-pendulum",
        summary: "two point masses on massless rods in series",
        source: STUDY_3,
        mechanism: DoublePendulum::default,
        initial: DoublePendulum::demo,
    },
];

/// All mechanisms.
pub fn models() -> &'static [&'static dyn Model] {
    &MODELS
}

/// The mechanism of this name; case, `-` and `_` do not matter, so that the type's name serves too.
///
/// # Errors
/// [`RequestError::UnknownModel`] lists the names there are.
pub fn find(name: &str) -> Result<&'static dyn Model, RequestError> {
    let plain = |name: &str| name.replace(['-', '_'], "").to_lowercase();
    let found = MODELS.iter().find(|model| plain(model.name()) == plain(name));
    found.copied().ok_or_else(|| RequestError::UnknownModel {
        name: name.to_owned(),
        known: MODELS.iter().map(|model| model.name().to_owned()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_found_by_its_type_name_too() {
        let model = find("CompoundDoublePendulum").expect("the type's name is accepted");
        assert_eq!(model.name(), "compound-double-pendulum");
    }

    #[test]
    fn an_unknown_model_is_answered_with_the_nearest_and_the_list() {
        let message = find("doublependlum").err().expect("there is no such model").to_string();
        assert!(message.contains("did you mean `double-pendulum`?"), "{message}");
        assert!(message.contains("compound-double-pendulum-with-drag"), "{message}");
    }
}
