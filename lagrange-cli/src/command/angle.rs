//! Angles in degrees are refused for parameters of another unit.

use super::Failure;
use crate::catalog::{Model, Parameter};

/// Refuses the text of an angle, if there is one, as the value of `name` where one of `places` has a unit that is no unit of angles. A quantity with
/// the unit 1, or without a unit, takes angles.
///
/// # Errors
/// [`Failure::Usage`] names the value, the place and its unit.
pub(super) fn check<'p>(
    name: &str,
    angle: Option<&str>,
    mut places: impl Iterator<Item = (&'p str, Option<&'p str>)>,
) -> Result<(), Failure> {
    let Some(angle) = angle else { return Ok(()) };
    match places.find_map(|(place, unit)| Some((place, unit.filter(|unit| !has_angle(unit))?))) {
        None => Ok(()),
        Some((place, unit)) => {
            Err(Failure::Usage(format!("{name}: `{angle}` is an angle, and `{place}` is in {unit}")))
        }
    }
}

/// The unit of a coordinate or of a state. For the velocity of a coordinate it is the unit of the coordinate, because a velocity may be given as an
/// angle where its coordinate is an angle. `None` where the block states no unit, and for any other name.
pub(super) fn unit_of_component(model: &dyn Model, name: &str) -> Option<&'static str> {
    let (index, _) = model.components().find(name)?;
    model.coordinate_units().get(index).copied().filter(|unit| !unit.is_empty())
}

/// The symbols of units.
const SYMBOLS: [&str; 34] = [
    "kg", "g", "m", "cm", "mm", "km", "s", "ms", "min", "h", "d", "N", "J", "W", "V", "A", "C", "F", "H", "T", "Wb",
    "Ω", "K", "Pa", "Hz", "S", "rad", "deg", "°", "mol", "AU", "kN", "nF", "mH",
];

/// The factors of a unit, without their exponents.
fn factors(unit: &str) -> impl Iterator<Item = &str> {
    let is_exponent = |sign: char| sign.is_ascii_digit() || "^-−⁻⁰¹²³⁴⁵⁶⁷⁸⁹".contains(sign);
    let parts = unit.split(|sign: char| sign.is_whitespace() || "/·*()".contains(sign));
    parts.map(move |part| part.trim_end_matches(is_exponent)).filter(|part| !part.is_empty())
}

/// The unit of a parameter: the unit that its block states, or else the unit at the end of its description, if there is one.
pub(super) fn unit(parameter: &Parameter) -> Option<&str> {
    match parameter.unit {
        "" => described(parameter.description),
        unit => Some(unit),
    }
}

/// The unit with which a description ends: `kg` of "Mass, kg."
fn described(description: &str) -> Option<&str> {
    let (_, last) = description.trim().trim_end_matches('.').rsplit_once(", ")?;
    let mut symbols = factors(last).peekable();
    (symbols.peek().is_some() && symbols.all(|symbol| SYMBOLS.contains(&symbol))).then_some(last)
}

fn has_angle(unit: &str) -> bool {
    unit == "1" || factors(unit).any(|factor| ["rad", "deg", "°"].contains(&factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_found_at_the_end_of_descriptions() {
        for (description, expected) in [
            ("Mass, kg.", Some("kg")),
            ("Moment of inertia, across the axis, kg m².", Some("kg m²")),
            ("Gravity, m/s²", Some("m/s²")),
            ("Coefficient, from 0 to 1.", None),
            ("Mass.", None),
            ("Masses, the Sun's first, in the order of the distances from it.", None),
        ] {
            assert_eq!(described(description), expected, "{description}");
        }
    }
}
