//! The units in which a mechanism's numbers are, as texts.

use super::{Model, Quantity};
use std::fmt::Display;

/// The units that are written beside numbers. A unit that is an empty text is not stated, and the number stands alone.
///
/// No number is converted: the texts name the units in which the mechanism's parameters and initial values are. A mechanism whose
/// parameters are in days, astronomical units and solar masses has times in days, and energies in M☉ AU²/d². [`Entry::with_units`] states
/// the units of an entry, and [`catalog!`](crate::catalog!) states the units of a program's own mechanisms.
///
/// [`Entry::with_units`]: super::Entry::with_units
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// The unit of times.
    pub time: &'static str,
    /// The unit of frequencies.
    pub frequency: &'static str,
    /// The unit of rates that are no frequencies, such as eigenvalues and Lyapunov exponents.
    pub rate: &'static str,
    /// The unit of energies and works.
    pub energy: &'static str,
    /// The unit of powers.
    pub power: &'static str,
}

impl Units {
    /// Seconds, hertz, joules and watts.
    pub const SI: Self = Self { time: "s", frequency: "Hz", rate: "1/s", energy: "J", power: "W" };

    /// No units, for a mechanism that states none, or whose quantities have none.
    pub const UNSTATED: Self = Self { time: "", frequency: "", rate: "", energy: "", power: "" };

    /// The units that the block of a mechanism states.
    pub(crate) const fn of(stated: &lagrange_runtime::system::Units) -> Self {
        let lagrange_runtime::system::Units { time, frequency, rate, energy, power, .. } = *stated;
        Self { time, frequency, rate, energy, power }
    }

    /// The units as JSON, with `null` for those that are not stated.
    pub(crate) fn json(&self) -> serde_json::Value {
        let text = |unit: &'static str| (!unit.is_empty()).then_some(unit);
        serde_json::json!({
            "time": text(self.time),
            "frequency": text(self.frequency),
            "rate": text(self.rate),
            "energy": text(self.energy),
            "power": text(self.power),
        })
    }
}

/// The unit of a quantity of a mechanism by its name; empty where it is not known. The names are `t`, those of [`Quantity::names`],
/// `kinetic`, `potential` and `energy`, `power(…)`, `multiplier(…)`, `initial(…)`, `before(…)`, `after(…)`, `min(…)`, `max(…)` and `mean(…)`, `lyapunov`,
/// and those of parameters and inputs.
pub(crate) fn unit_of(model: &dyn Model, name: &str) -> &'static str {
    let (stated, whole, components) = (model.quantity_units(), model.units(), model.components());
    let inside = |function: &str| name.strip_prefix(function)?.strip_prefix('(')?.strip_suffix(')');
    let at = |units: &'static [&'static str], index: usize| units.get(index).copied().unwrap_or_default();
    match Quantity::find(name, components, model.outputs()) {
        Ok(Quantity::Coordinate(index)) => return at(stated.coordinates, index),
        Ok(Quantity::Velocity(index)) if index < components.coordinates().len() => return at(stated.velocities, index),
        // The state that follows the velocities.
        Ok(Quantity::Velocity(index)) => return at(stated.coordinates, index),
        Ok(Quantity::Output(index)) => return at(stated.outputs, index),
        Err(_) => {}
    }
    if let Some(of) = ["initial", "before", "after", "min", "max", "mean"].into_iter().find_map(inside) {
        return unit_of(model, of);
    }
    if let Some(row) = inside("multiplier") {
        let index = model.constraints().iter().position(|constraint| *constraint == row);
        return index.map_or("", |index| at(stated.multipliers, index));
    }
    match name {
        "t" => whole.time,
        "kinetic" | "potential" | "energy" => whole.energy,
        // The exponent of `sweep --lyapunov`.
        "lyapunov" => whole.rate,
        _ if inside("power").is_some() => whole.power,
        _ => model.parameters().iter().find(|parameter| parameter.name == name).map_or("", |parameter| parameter.unit),
    }
}

/// The unit that all of these are, if they are one and no number.
pub(crate) fn in_common<'u>(units: impl IntoIterator<Item = &'u str>) -> &'u str {
    let mut units = units.into_iter();
    let first = units.next().unwrap_or_default();
    if first == "1" || units.any(|unit| unit != first) { "" } else { first }
}

/// A number with its unit: `3 s`, or `3` without a unit or with the unit `1`.
pub(crate) fn with_unit(number: impl Display, unit: &str) -> String {
    if matches!(unit, "" | "1") { number.to_string() } else { format!("{number} {unit}") }
}

/// The label of an axis: `time (s)`, or `time` without a unit.
pub(crate) fn label(quantity: &str, unit: &str) -> String {
    if matches!(unit, "" | "1") { quantity.to_owned() } else { format!("{quantity} ({unit})") }
}

/// The head of a column: `time, s`, or `time` without a unit.
pub(crate) fn head(quantity: &str, unit: &str) -> String {
    if matches!(unit, "" | "1") { quantity.to_owned() } else { format!("{quantity}, {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_without_a_unit_stands_alone() {
        assert_eq!([with_unit(3, "d"), label("time", "d"), head("time", "d")], ["3 d", "time (d)", "time, d"]);
        assert_eq!([with_unit(3, ""), label("time", ""), head("time", "")], ["3", "time", "time"]);
        assert_eq!([with_unit(3, "1"), label("slope", "1"), head("slope", "1")], ["3", "slope", "slope"]);
        assert_eq!(in_common(["m", "m"]), "m");
        assert!(
            [&["m", "rad"][..], &["", "m"], &["1", "1"], &[]]
                .iter()
                .all(|units| in_common(units.iter().copied()).is_empty())
        );
        assert_eq!(Units::default(), Units::UNSTATED);
        assert!(Units::UNSTATED.json().as_object().is_some_and(|units| units.values().all(serde_json::Value::is_null)));
        assert_eq!(Units::SI.json()["energy"], "J");
    }
}
