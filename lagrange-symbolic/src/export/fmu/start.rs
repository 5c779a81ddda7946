//! The values with which a unit starts.

use crate::meaning::{Model, Named};
use crate::report::did_you_mean;
use std::collections::BTreeMap;

/// The start value of everything that an importing tool may set.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) parameters: Vec<f64>,
    pub(super) inputs: Vec<f64>,
    /// The mechanical coordinates.
    pub(super) coordinates: Vec<f64>,
    /// Their velocities, and the states of first order.
    pub(super) velocities: Vec<f64>,
}

impl Start {
    /// The start values of these names.
    ///
    /// # Errors
    /// A name that nothing has, a value that is not finite, or parameters without a value.
    pub(super) fn new(model: &Model, starts: &BTreeMap<String, f64>) -> Result<Self, String> {
        let names = |list: &[Named]| list.iter().map(|named| named.name.clone()).collect::<Vec<_>>();
        let coordinates = names(&model.coordinates);
        let (own, states) = coordinates.split_at(model.mechanical());
        let velocities: Vec<String> =
            own.iter().map(|name| format!("{name}_dot")).chain(states.iter().cloned()).collect();
        let (parameters, inputs) = (names(&model.parameters), names(&model.inputs));
        let all: Vec<&String> = parameters.iter().chain(&inputs).chain(own).chain(&velocities).collect();
        if let Some((name, value)) = starts.iter().find(|(name, value)| !all.contains(name) || !value.is_finite()) {
            return Err(match all.contains(&name) {
                true => format!("the start value of `{name}` must be a finite number, and is {value}"),
                false => format!("nothing has the name `{name}`; {}", known(name, &all)),
            });
        }
        let missing: Vec<String> =
            parameters.iter().filter(|name| !starts.contains_key(*name)).map(|name| format!("`{name}`")).collect();
        if !missing.is_empty() {
            return Err(format!("a start value is missing of the parameters {}", missing.join(", ")));
        }
        let values = |names: &[String]| names.iter().map(|name| starts.get(name).copied().unwrap_or(0.0)).collect();
        Ok(Self {
            parameters: values(&parameters),
            inputs: values(&inputs),
            coordinates: values(own),
            velocities: values(&velocities),
        })
    }
}

/// The nearest name, or all of them.
fn known(name: &str, all: &[&String]) -> String {
    let nearest = did_you_mean(name, all.iter().map(|known| known.as_str()));
    if !nearest.is_empty() {
        return nearest;
    }
    let all: Vec<&str> = all.iter().map(|known| known.as_str()).collect();
    format!("the names are {}", all.join(", "))
}
