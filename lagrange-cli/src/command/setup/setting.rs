//! `--set NAME=VALUE`: the value of a parameter, or the values of an array of parameters.

use crate::catalog::{Model, Parameter};
use crate::command::{Failure, angle};
use crate::parse;

/// Values that the user gives to a name.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::command) struct Setting {
    name: String,
    values: Vec<f64>,
    /// Whether the values stand in brackets.
    is_list: bool,
    /// The text of an angle in degrees, if the value is one.
    angle: Option<String>,
}

impl Setting {
    /// The name.
    pub(in crate::command) fn name(&self) -> &str {
        &self.name
    }
}

/// Reads `NAME=VALUE` or `NAME=[VALUE, …]`.
pub(in crate::command) fn setting(text: &str) -> Result<Setting, String> {
    let (name, written) = text.split_once('=').ok_or_else(|| format!("`{text}` has no `=`; write NAME=VALUE"))?;
    let Some(inside) = written.trim().strip_prefix('[') else {
        let (name, value) = parse::assignment(text)?;
        let angle = parse::is_angle(written).then(|| written.trim().to_owned());
        return Ok(Setting { name, values: vec![value], is_list: false, angle });
    };
    let name = name.trim();
    if name.is_empty() {
        return Err(format!("`{text}` has no name before `=`"));
    }
    let inside =
        inside.strip_suffix(']').ok_or_else(|| format!("{name}: `{}` does not end with `]`", written.trim()))?;
    let value = |text: &str| parse::number(text).map_err(|error| format!("{name}: {error}"));
    let values = inside.split(',').map(value).collect::<Result<_, _>>()?;
    let angle = inside.split(',').find(|text| parse::is_angle(text)).map(|text| text.trim().to_owned());
    Ok(Setting { name: name.to_owned(), values, is_list: true, angle })
}

/// The parameters that settings name, with their values. A name that no parameter has is left to the mechanism, which refuses it.
///
/// # Errors
/// [`Failure::Usage`] for an array with one value or with another number of values, and for an angle where the parameter's description
/// ends with a unit that is none of angles.
pub(in crate::command) fn resolve<'s>(
    settings: impl Iterator<Item = &'s Setting>,
    model: &dyn Model,
) -> Result<Vec<(String, f64)>, Failure> {
    let parameters = model.parameters();
    let mut resolved = Vec::new();
    for setting in settings {
        let Setting { name, values, is_list, .. } = setting;
        let elements: Vec<&Parameter> = parameters
            .iter()
            .filter(|parameter| parameter.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('[')))
            .collect();
        if elements.is_empty() && *is_list {
            return Err(Failure::Usage(format!("`{name}` is no array; write {name}=VALUE")));
        }
        if !elements.is_empty() && (!is_list || values.len() != elements.len()) {
            let count = elements.len();
            let given = if *is_list { values.len().to_string() } else { "one value without brackets".to_owned() };
            let first = elements[0].name;
            return Err(Failure::Usage(format!(
                "`{name}` is an array of {count}, and {given} is given; write '{name}=[VALUE, …]' with {count} values, or {first}=VALUE \
                 for one of them"
            )));
        }
        let places: Vec<&Parameter> = match elements.is_empty() {
            true => parameters.iter().filter(|parameter| parameter.name == name).collect(),
            false => elements,
        };
        angle::check(name, setting.angle.as_deref(), places.iter().map(|place| (place.name, angle::unit(place))))?;
        match *is_list {
            true => resolved.extend(places.iter().map(|place| place.name.to_owned()).zip(values.iter().copied())),
            false => resolved.extend(values.iter().map(|value| (name.clone(), *value))),
        }
    }
    Ok(resolved)
}

/// The initial coordinates, velocities and states that settings name, with their values. A name that no component has is left to the
/// mechanism, which refuses it.
///
/// # Errors
/// [`Failure::Usage`] for several values, and for an angle where the block states a unit that is none of angles.
pub(in crate::command) fn initial<'s>(
    settings: impl Iterator<Item = &'s Setting>,
    model: &dyn Model,
) -> Result<Vec<(String, f64)>, Failure> {
    let mut resolved = Vec::new();
    for Setting { name, values, is_list, angle } in settings {
        let (false, [value]) = (*is_list, &values[..]) else {
            return Err(Failure::Usage(format!(
                "`{name}` takes one value; give each coordinate and each velocity its own, as in {name}=VALUE"
            )));
        };
        let place = (&name[..], angle::unit_of_component(model, name));
        angle::check(name, angle.as_deref(), std::iter::once(place))?;
        resolved.push((name.clone(), *value));
    }
    Ok(resolved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Entry;
    use lagrange_runtime::prelude::*;

    #[lagrangian {
        coordinates x;
        kinetic = m*dot(x)^2/2;
        potential = x*(tau[0] + tau[1]*tau[2]*cos(slope));
        force x = push*ratio;
    }]
    #[derive(Clone, Debug)]
    struct Body {
        /// Mass, kg.
        m: f64,
        /// Inclination, rad.
        slope: f64,
        /// Three of them, N·m/s².
        tau: [f64; 3],
        /// A ratio, from 0 to 1.
        ratio: f64,
        #[input]
        push: f64,
    }

    fn resolved(texts: &[&str]) -> Result<Vec<(String, f64)>, String> {
        let default = || Body { m: 1.0, slope: 0.0, tau: [1.0; 3], ratio: 1.0, push: 0.0 };
        let model = Entry::free("body", default, || State::new(0.0, [0.0], [0.0]));
        let settings: Vec<Setting> = texts.iter().map(|text| setting(text)).collect::<Result<_, _>>()?;
        resolve(settings.iter(), &model).map_err(|failure| failure.text().to_owned())
    }

    #[test]
    fn an_array_takes_all_its_values() {
        let named =
            |values: &[(&str, f64)]| Ok(values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect());
        let all = [("tau[0]", 1.0), ("tau[1]", -0.5), ("tau[2]", std::f64::consts::PI), ("m", 2.0)];
        assert_eq!(resolved(&["tau = [1, -0.5, pi]", "m=2"]), named(&all));
        assert_eq!(resolved(&["tau[1]=3"]), named(&[("tau[1]", 3.0)]));
        // The mechanism refuses what it does not know.
        assert_eq!(resolved(&["unknown=3"]), named(&[("unknown", 3.0)]));
        for (text, told) in [
            (
                "tau=1",
                "`tau` is an array of 3, and one value without brackets is given; write 'tau=[VALUE, …]' with 3 values, or tau[0]=",
            ),
            ("tau=[1,2]", "`tau` is an array of 3, and 2 is given"),
            ("m=[1]", "`m` is no array; write m=VALUE"),
            ("tau=[1,2", "`[1,2` does not end with `]`"),
            ("tau=[1,,2]", "tau: `` is not a number"),
            ("=[1]", "has no name before `=`"),
            ("tau", "has no `=`"),
        ] {
            assert!(resolved(&[text]).is_err_and(|error| error.contains(told)), "{text}: {:?}", resolved(&[text]));
        }
    }

    #[test]
    fn an_angle_is_refused_where_another_unit_is_stated() {
        for (text, told) in [
            ("m=90deg", "m: `90deg` is an angle, and `m` is in kg"),
            ("tau=[1, 2°, 3]", "tau: `2°` is an angle, and `tau[0]` is in N·m/s²"),
            ("tau[1]=90 deg", "`90 deg` is an angle, and `tau[1]` is in N·m/s²"),
        ] {
            assert!(resolved(&[text]).is_err_and(|error| error.contains(told)), "{text}: {:?}", resolved(&[text]));
        }
        // What is in radians, and what states no unit.
        for text in ["slope=90deg", "ratio=90deg", "push=90deg", "m=sin(30deg)", "m=2"] {
            assert!(resolved(&[text]).is_ok(), "{text}");
        }
    }
}
