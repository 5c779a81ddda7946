//! `NAME=VALUE` and the numbers of the command line.

mod expression;

pub(crate) use expression::Expression;

use crate::catalog::Until;
use lagrange_runtime::error::Number;

/// Whether the text is one number in degrees.
pub(crate) fn is_angle(text: &str) -> bool {
    let text = text.trim();
    let digits = text.strip_suffix("deg").or_else(|| text.strip_suffix('°'));
    digits.is_some_and(|digits| digits.trim_end().parse::<f64>().is_ok())
}

/// A finite number or an expression: `45deg` is 45° in radians, and `pi/3` is π/3.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    let trimmed = text.trim();
    let (digits, degrees) = match trimmed.strip_suffix("deg").or_else(|| trimmed.strip_suffix('°')) {
        Some(digits) => (digits.trim_end(), true),
        None => (trimmed, false),
    };
    match digits.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(if degrees { value.to_radians() } else { value }),
        Ok(value) => Err(format!("`{text}` is {value}; it must be finite")),
        Err(_) => match expression::value(trimmed) {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(value) => Err(format!("`{text}` is {value}; it must be finite")),
            Err(None) => Err(format!("`{text}` is not a number (examples: 2, -0.5, 1e-3, 45deg, pi/3)")),
            Err(Some(error)) => Err(format!("`{text}` is not a number: {error}")),
        },
    }
}

/// A positive finite number.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match number(text)? {
        value if value > 0.0 => Ok(value),
        value => Err(format!("`{}` is {}; it must be positive", text.trim(), Number(value))),
    }
}

/// A finite number that is not negative.
pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    match number(text)? {
        value if value >= 0.0 => Ok(value),
        value => Err(format!("`{}` is {}; it must not be negative", text.trim(), Number(value))),
    }
}

/// A finite time that is not 0, the time at which motions start.
pub(crate) fn end_time(text: &str) -> Result<f64, String> {
    match number(text)? {
        0.0 => Err("a motion starts at 0, so that its end must be after 0, or before 0 to go backward".to_owned()),
        value => Ok(value),
    }
}

/// A whole number that is not negative.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| format!("`{text}` is not a whole number from 0 (example: 1000)"))
}

/// `NAME=VALUE`.
pub(crate) fn assignment(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` has no `=`; write NAME=VALUE"))?;
    let name = name.trim();
    if name.is_empty() {
        return Err(format!("`{text}` has no name before `=`"));
    }
    Ok((name.to_owned(), number(value).map_err(|error| format!("{name}: {error}"))?))
}

/// `NAME=EXPRESSION`. The expression is read once the names of the mechanism are known.
pub(crate) fn law(text: &str) -> Result<(String, String), String> {
    let (name, expression) =
        text.split_once('=').ok_or_else(|| format!("`{text}` has no `=`; write NAME=EXPRESSION"))?;
    match [name.trim(), expression.trim()] {
        ["", _] => Err(format!("`{text}` has no name before `=`")),
        [_, ""] => Err(format!("`{text}` has no expression behind `=`")),
        [name, expression] => Ok((name.to_owned(), expression.to_owned())),
    }
}

/// `NAME=VALUE` or `|NAME|=VALUE`: a value at which a motion ends.
pub(crate) fn until(text: &str) -> Result<Until, String> {
    let (name, value) = assignment(text)?;
    let label = text.trim().to_owned();
    let Some(inside) = name.strip_prefix('|') else {
        return Ok(Until { quantity: name, absolute: false, value, label });
    };
    let inside =
        inside.strip_suffix('|').ok_or_else(|| format!("`{name}` begins with `|` and does not end with it"))?;
    if value < 0.0 {
        return Err(format!("`{name}` is never negative, and cannot cross {}", Number(value)));
    }
    Ok(Until { quantity: inside.trim().to_owned(), absolute: true, value, label })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_are_read() {
        assert_eq!(assignment("m1=2"), Ok(("m1".to_owned(), 2.0)));
        assert_eq!(assignment(" dot(theta1) = -4e-1 "), Ok(("dot(theta1)".to_owned(), -0.4)));
        assert_eq!(assignment("theta1=180deg"), Ok(("theta1".to_owned(), std::f64::consts::PI)));
        assert_eq!(assignment("theta1=-pi/2"), Ok(("theta1".to_owned(), -std::f64::consts::FRAC_PI_2)));
    }

    #[test]
    fn ends_of_motions_are_read() {
        let end = |quantity: &str, absolute, value, label: &str| {
            Ok(Until { quantity: quantity.to_owned(), absolute, value, label: label.to_owned() })
        };
        assert_eq!(until("theta1=180deg"), end("theta1", false, std::f64::consts::PI, "theta1=180deg"));
        assert_eq!(until("| tip[0] | = 2 "), end("tip[0]", true, 2.0, "| tip[0] | = 2"));
        assert!(until("|x|=-1").is_err_and(|text| text.contains("is never negative, and cannot cross -1")));
        assert!(until("|x=1").is_err_and(|text| text.contains("does not end with it")));
    }

    #[test]
    fn bad_ones_are_named() {
        assert_eq!(assignment("m1"), Err("`m1` has no `=`; write NAME=VALUE".to_owned()));
        assert_eq!(assignment("=2"), Err("`=2` has no name before `=`".to_owned()));
        assert_eq!(
            assignment("m1=heavy"),
            Err("m1: `heavy` is not a number (examples: 2, -0.5, 1e-3, 45deg, pi/3)".to_owned())
        );
        assert_eq!(number("1/0"), Err("`1/0` is inf; it must be finite".to_owned()));
        assert_eq!(number("2*heavy").map_err(|error| error.contains("`heavy` is not known")), Err(true));
        assert_eq!(assignment("m1=inf"), Err("m1: `inf` is inf; it must be finite".to_owned()));
        assert_eq!(positive("-1e-3"), Err("`-1e-3` is -0.001; it must be positive".to_owned()));
        assert_eq!(not_negative("-2"), Err("`-2` is -2; it must not be negative".to_owned()));
        assert!(
            end_time("0").is_err_and(|text| text.contains("its end must be after 0")) && end_time("-1") == Ok(-1.0)
        );
        assert_eq!(count("-5"), Err("`-5` is not a whole number from 0 (example: 1000)".to_owned()));
        assert_eq!(count("1e3"), Err("`1e3` is not a whole number from 0 (example: 1000)".to_owned()));
    }
}
