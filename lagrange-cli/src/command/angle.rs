//! Angles in degrees are refused for parameters of another unit.

use super::Failure;
use crate::catalog::Parameter;

/// Refuses the text of an angle, if there is one, as the value of `name` where one of `places` has a unit that is no unit of angles. The unit of a
/// parameter is stated in its block, or else stands at the end of its description. Parameters of the unit 1, and parameters without a unit, take
/// angles.
///
/// # Errors
/// [`Failure::Usage`] names the value, the parameter and its unit.
pub(super) fn check(name: &str, angle: Option<&str>, places: &[&Parameter]) -> Result<(), Failure> {
    let Some(angle) = angle else { return Ok(()) };
    let other = |place: &&&Parameter| unit(place).is_some_and(|unit| !has_angle(unit));
    match places.iter().find(other) {
        None => Ok(()),
        Some(place) => {
            let unit = unit(place).unwrap_or_default();
            Err(Failure::Usage(format!("{name}: `{angle}` is an angle, and `{}` is in {unit}", place.name)))
        }
    }
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

/// The unit of a parameter, if it has one.
fn unit(parameter: &Parameter) -> Option<&str> {
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
