//! The members of a sweep: which of them there are, and what each asks for.

use super::variation::{Range, Sample, Vary};
use crate::catalog::{Model, Quantity, Request, RequestError, label, unit_of};
use crate::command::{Failure, angle};
use crate::suggest::explain_unknown;
use lagrange_runtime::sampling::{Random, grid_point};

/// The largest number of members.
const MOST: u64 = 1_000_000_000;

/// The members of a sweep. Each point of the grid has as many members as random values are drawn for it.
pub(super) struct Members {
    /// The request that all members share. Each member adds its own values to it.
    request: Request,
    ranges: Vec<Range>,
    samples: Vec<Sample>,
    seed: u64,
    /// The number of members at each point of the grid.
    count: u64,
    /// The quantities that vary: first those of the grid, then those with random values.
    pub(super) varied: Vec<Varied>,
    /// The number of all members.
    pub(super) total: u64,
}

/// A quantity that differs from member to member.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Varied {
    /// The name, as a request takes it.
    name: String,
    kind: Kind,
    /// The unit; empty where it is not known.
    unit: &'static str,
}

/// A kind of quantities that may vary.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// The initial value of a coordinate or of a velocity.
    Initial(Quantity),
    /// A parameter or an input.
    Parameter {
        /// The doc comment of its field.
        description: &'static str,
    },
}

impl Varied {
    /// The name of its column.
    pub(super) fn column(&self) -> String {
        match self.kind {
            Kind::Initial(_) => format!("initial({})", self.name),
            Kind::Parameter { .. } => self.name.clone(),
        }
    }

    /// The label of its axis. The doc comment of a parameter ends with its unit.
    pub(super) fn label(&self) -> String {
        match self.kind {
            Kind::Initial(_) => label(&format!("initial {}", self.name), self.unit),
            Kind::Parameter { description: "" } => self.name.clone(),
            Kind::Parameter { description } => format!("{}: {}", self.name, description.trim_end_matches('.')),
        }
    }
}

impl Members {
    /// The members that these options ask for. Each makes `request` with its own values.
    ///
    /// # Errors
    /// [`Failure::Usage`] names a quantity that does not exist or has a value already, or a number of members that is too large.
    pub(super) fn new(
        model: &dyn Model,
        request: Request,
        grid: &[Vary],
        (samples, count, seed): (&[Sample], u64, u64),
    ) -> Result<Self, Failure> {
        let mut varied: Vec<Varied> = Vec::new();
        let named = grid.iter().map(|vary| (&vary.name, &vary.angle));
        for (name, angle) in named.chain(samples.iter().map(|sample| (&sample.name, &sample.angle))) {
            let found = find(model, name)?;
            let parameters = model.parameters();
            let places = parameters.iter().filter(|parameter| parameter.name == name);
            let places = places.map(|place| (place.name, angle::unit(place)));
            let component = (name.as_str(), angle::unit_of_component(model, name));
            angle::check(name, angle.as_deref(), places.chain([component]))?;
            let twice = |how: &str| Err(Failure::Usage(format!("`{name}` varies and {how}; give it once")));
            if varied.contains(&found) {
                return twice("varies again");
            }
            if given(model, &request, &found) {
                return twice("is also given a value");
            }
            varied.push(found);
        }
        if count == 0 {
            return Err(Failure::Usage("--count 0 asks for no member; it must be at least 1".to_owned()));
        }
        let ranges = grid.iter().map(|vary| vary.range_of(model.ranges()).map_err(Failure::Usage));
        let ranges = ranges.collect::<Result<Vec<Range>, _>>()?;
        let total = ranges.iter().fold(count, |total, range| total.saturating_mul(u64::from(range.count)));
        if total > MOST {
            let factors = ranges.iter().map(|range| range.count.to_string());
            let factors: Vec<String> = factors.chain((count > 1).then(|| count.to_string())).collect();
            return Err(Failure::Usage(format!(
                "a sweep has at most {MOST} members; {} are asked for",
                factors.join(" × ")
            )));
        }
        Ok(Self { request, ranges, samples: samples.to_vec(), seed, count, varied, total })
    }

    /// Checks what is the same for all members: the names and the method. What depends on the values of a member is a failure of
    /// that member alone.
    ///
    /// # Errors
    /// [`Failure`] with the message that `simulate` gives for the same names and the same method.
    pub(super) fn check(&self, model: &dyn Model) -> Result<(), Failure> {
        let facts = self.request.feedback.facts(model.facts());
        self.request.method.check(&facts)?;
        let first = self.request(&self.values(0));
        let (name, _) = first.method.or_chosen(&facts);
        if !name.kind().fits(&facts) {
            // Such an integration fails before its first step.
            model.simulate(&first, &mut ())?;
        }
        match model.start(&first) {
            Ok(_) | Err(RequestError::BadValue(_) | RequestError::Failed(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The values of the quantities of the grid, of the member of this index.
    pub(super) fn point(&self, index: u64) -> Vec<f64> {
        let places = self.ranges.iter().map(|range| (0.0, f64::from(range.count.saturating_sub(1)), range.count));
        let mut values = vec![0.0; self.ranges.len()];
        grid_point(&places.collect::<Vec<_>>(), index / self.count, &mut values);
        // A place is a whole number.
        values.iter().zip(&self.ranges).map(|(place, range)| range.value(place.round() as u32)).collect()
    }

    /// The values of the quantities that vary, of the member of this index.
    pub(super) fn values(&self, index: u64) -> Vec<f64> {
        let mut values = self.point(index);
        let mut random = Random::new(self.seed, index);
        values.extend(self.samples.iter().map(|sample| sample.draw(&mut random)));
        values
    }

    /// Returns the request of the member with these values.
    pub(super) fn request(&self, values: &[f64]) -> Request {
        let mut request = self.request.clone();
        for (varied, value) in self.varied.iter().zip(values) {
            let list = match varied.kind {
                Kind::Initial(_) => &mut request.initial,
                Kind::Parameter { .. } => &mut request.set,
            };
            list.push((varied.name.clone(), *value));
        }
        request
    }

    /// The options that make these members, with their names. The order of the quantities counts.
    pub(super) fn settings(&self) -> [(&'static str, String); 4] {
        let (grid, drawn) = self.varied.split_at(self.ranges.len());
        let ranges: Vec<String> =
            grid.iter().zip(&self.ranges).map(|(varied, range)| format!("{}={}", varied.name, range.text())).collect();
        let samples: Vec<String> = drawn
            .iter()
            .zip(&self.samples)
            .map(|(varied, sample)| format!("{}={}", varied.name, sample.distribution()))
            .collect();
        [
            ("vary", ranges.join(" ")),
            ("sample", samples.join(" ")),
            ("count", self.count.to_string()),
            ("seed", self.seed.to_string()),
        ]
    }

    /// Whether the parameter, the coordinate or the velocity of this name varies. A velocity has the name that
    /// [`Quantity::names`] gives it.
    pub(super) fn varies(&self, name: &str) -> bool {
        self.varied.iter().any(|varied| varied.name == name)
    }

    /// The ranges of the quantities of the grid, which are the first that vary.
    pub(super) fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// Whether some values are random.
    pub(super) fn has_samples(&self) -> bool {
        !self.samples.is_empty()
    }
}

/// Finds the quantity of this name.
fn find(model: &dyn Model, name: &str) -> Result<Varied, Failure> {
    let parameters = model.parameters();
    if let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) {
        let kind = Kind::Parameter { description: parameter.description };
        return Ok(Varied { name: name.to_owned(), kind, unit: parameter.unit });
    }
    let components = model.components();
    let mut known = Quantity::names(components, &[]);
    match Quantity::find(name, components, &[]) {
        Ok(quantity) => {
            let name = known.swap_remove(quantity.place(components));
            let unit = unit_of(model, &name);
            Ok(Varied { name, kind: Kind::Initial(quantity), unit })
        }
        Err(_) => {
            known.extend(parameters.iter().map(|parameter| parameter.name.to_owned()));
            Err(Failure::Usage(explain_unknown("coordinate, velocity, parameter or input", name, &known)))
        }
    }
}

/// Whether the request gives this quantity a value.
fn given(model: &dyn Model, request: &Request, varied: &Varied) -> bool {
    match varied.kind {
        Kind::Parameter { .. } => request.set.iter().any(|(name, _)| *name == varied.name),
        Kind::Initial(quantity) => {
            request.initial.iter().any(|(name, _)| Quantity::find(name, model.components(), &[]) == Ok(quantity))
        }
    }
}
