//! Expressions of numbers and of named quantities: `pi/3`, `2*pi`, `sqrt(2)/2`, `30deg + 1`, `-k*x - 2*x_dot`.
//!
//! The operators are those of the block: `^` binds tighter than a sign and to the right, so that `-2^2` is −4 and `2^3^2` is 2⁹.

use crate::suggest::explain_unknown;
use std::f64::consts::PI;

/// Deeper nesting is refused, because each level takes a part of the stack.
const DEEPEST: u32 = 64;

/// A name, and what it stands for.
type Function = (&'static str, fn(f64) -> f64);
/// A name, and what it stands for.
type FunctionOfTwo = (&'static str, fn(f64, f64) -> f64);

/// The functions.
const FUNCTIONS: [Function; 14] = [
    ("sqrt", f64::sqrt),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("exp", f64::exp),
    ("ln", f64::ln),
    ("abs", f64::abs),
    ("sign", sign),
];

/// The functions of two arguments. The least and the largest of a value that is no number are no number.
const OF_TWO: [FunctionOfTwo; 3] = [
    ("min", |a, b| if a.is_nan() || a < b { a } else { b }),
    ("max", |a, b| if a.is_nan() || a > b { a } else { b }),
    ("atan2", f64::atan2),
];

/// −1, 0 or 1, as in the block: sign(0) is 0.
fn sign(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}

/// An expression that was read.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Number(f64),
    /// The quantity of this index.
    Quantity(usize),
    Negative(Box<Self>),
    /// Terms, each of which is added or, if the flag is set, subtracted.
    Sum(Vec<(Self, bool)>),
    /// Factors, each of which multiplies or, if the flag is set, divides.
    Product(Vec<(Self, bool)>),
    Power(Box<[Self; 2]>),
    Degrees(Box<Self>),
    Call(fn(f64) -> f64, Box<Self>),
    CallOfTwo(fn(f64, f64) -> f64, Box<[Self; 2]>),
}

impl Expression {
    /// Reads an expression of quantities with these names. `dot(x)` is another spelling of `x_dot`.
    ///
    /// # Errors
    /// The text says what is wrong.
    pub(crate) fn read(text: &str, names: &[String]) -> Result<Self, String> {
        let mut parser = Parser { rest: text.trim_start(), depth: 0, names };
        let found = parser.sum()?;
        match parser.rest.chars().next() {
            None => Ok(found),
            Some(sign) => Err(format!("`{sign}` is not expected here: `{}`", parser.rest)),
        }
    }

    /// The value, where `quantity` gives the value of the quantity of an index.
    pub(crate) fn value(&self, quantity: &dyn Fn(usize) -> f64) -> f64 {
        match self {
            Self::Number(value) => *value,
            Self::Quantity(index) => quantity(*index),
            Self::Negative(inner) => -inner.value(quantity),
            Self::Sum(terms) => joined(terms, quantity, |sum, term| sum + term, |sum, term| sum - term),
            Self::Product(factors) => {
                joined(factors, quantity, |product, factor| product * factor, |product, factor| product / factor)
            }
            Self::Power(parts) => parts[0].value(quantity).powf(parts[1].value(quantity)),
            Self::Degrees(inner) => inner.value(quantity).to_radians(),
            Self::Call(function, inner) => function(inner.value(quantity)),
            Self::CallOfTwo(function, parts) => function(parts[0].value(quantity), parts[1].value(quantity)),
        }
    }
}

/// The value of parts from left to right. The first part has no operator before it.
fn joined(
    parts: &[(Expression, bool)],
    quantity: &dyn Fn(usize) -> f64,
    direct: fn(f64, f64) -> f64,
    inverse: fn(f64, f64) -> f64,
) -> f64 {
    let mut values = parts.iter().map(|(part, is_inverse)| (part.value(quantity), *is_inverse));
    let first = values.next().map_or(f64::NAN, |(value, _)| value);
    values.fold(first, |value, (part, is_inverse)| if is_inverse { inverse(value, part) } else { direct(value, part) })
}

/// The value of an expression without quantities. The error says what is wrong; it is `None` if the text does not look like an
/// expression at all.
pub(super) fn value(text: &str) -> Result<f64, Option<String>> {
    let has_value = text.contains(|sign: char| sign.is_ascii_digit()) || text.contains("pi");
    let found = Expression::read(text, &[]).map_err(|error| if has_value { Some(error) } else { None })?;
    Ok(found.value(&|_| f64::NAN))
}

struct Parser<'t> {
    /// The part of the text that is not read yet. It does not begin with white space.
    rest: &'t str,
    depth: u32,
    /// The names of the quantities.
    names: &'t [String],
}

impl<'t> Parser<'t> {
    /// Reads this sign if it is next.
    fn takes(&mut self, sign: char) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    /// Reads characters as long as they satisfy a condition.
    fn take_while(&mut self, of: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|sign| !of(sign)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        taken
    }

    fn sum(&mut self) -> Result<Expression, String> {
        let mut terms = vec![(self.product()?, false)];
        loop {
            if self.takes('+') {
                terms.push((self.product()?, false));
            } else if self.takes('-') {
                terms.push((self.product()?, true));
            } else {
                return Ok(alone_or(terms, Expression::Sum));
            }
        }
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut factors = vec![(self.signed()?, false)];
        loop {
            if self.takes('*') {
                factors.push((self.signed()?, false));
            } else if self.takes('/') {
                factors.push((self.signed()?, true));
            } else {
                return Ok(alone_or(factors, Expression::Product));
            }
        }
    }

    fn signed(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("it is nested deeper than {DEEPEST} levels"));
        }
        let found = if self.takes('-') {
            Expression::Negative(Box::new(self.signed()?))
        } else if self.takes('+') {
            self.signed()?
        } else {
            let base = self.degrees()?;
            if self.takes('^') { Expression::Power(Box::new([base, self.signed()?])) } else { base }
        };
        self.depth -= 1;
        Ok(found)
    }

    /// A value, which may be in degrees.
    fn degrees(&mut self) -> Result<Expression, String> {
        let found = self.atom()?;
        if let Some(rest) = self.rest.strip_prefix("deg").or_else(|| self.rest.strip_prefix('°')) {
            self.rest = rest.trim_start();
            return Ok(Expression::Degrees(Box::new(found)));
        }
        Ok(found)
    }

    fn atom(&mut self) -> Result<Expression, String> {
        if self.takes('(') {
            return self.closed();
        }
        if self.rest.starts_with(|sign: char| sign.is_ascii_digit() || sign == '.') {
            return self.number().map(Expression::Number);
        }
        let name = self.take_while(|sign| sign.is_alphanumeric() || sign == '_');
        let is_called = self.rest.starts_with('(');
        if !is_called && self.names.iter().any(|known| known == name) {
            return self.quantity(name);
        }
        let function = FUNCTIONS.iter().find(|(known, _)| *known == name);
        let of_two = OF_TWO.iter().find(|(known, _)| *known == name);
        match (function, of_two) {
            (Some((_, function)), _) if self.takes('(') => Ok(Expression::Call(*function, Box::new(self.closed()?))),
            (_, Some((_, function))) if self.takes('(') => {
                let first = self.sum()?;
                if !self.takes(',') {
                    return Err(format!("`{name}` takes two arguments, with a comma between them"));
                }
                Ok(Expression::CallOfTwo(*function, Box::new([first, self.closed()?])))
            }
            (Some(_), _) | (_, Some(_)) => Err(format!("`{name}` needs its argument in parentheses")),
            _ if name == "pi" || name == "π" => Ok(Expression::Number(PI)),
            _ if name.is_empty() => match self.rest.chars().next() {
                Some(sign) => Err(format!("a number is expected instead of `{sign}`")),
                None => Err("it ends where a number is expected".to_owned()),
            },
            _ if self.names.is_empty() => {
                let functions = FUNCTIONS.iter().map(|(name, _)| *name).chain(OF_TWO.iter().map(|(name, _)| *name));
                let functions: Vec<&str> = functions.collect();
                Err(format!("`{name}` is not known; there are pi and the functions {}", functions.join(", ")))
            }
            _ => self.quantity(name),
        }
    }

    /// A quantity whose name begins with this word: `x`, `x_dot`, `dot(x)`, `r[1]`, `r[1]_dot`, `link[1].theta`.
    fn quantity(&mut self, word: &str) -> Result<Expression, String> {
        let mut name = word.to_owned();
        if word == "dot" && self.takes('(') {
            name = self.take_while(|sign| sign != ')').trim().to_owned();
            if !self.takes(')') {
                return Err("a `)` is missing".to_owned());
            }
            name.push_str("_dot");
        }
        while self.rest.starts_with(['[', '.']) {
            if self.takes('.') {
                name.push('.');
                name.push_str(self.take_while(|sign| sign.is_alphanumeric() || sign == '_'));
                continue;
            }
            let index = self.take_while(|sign| sign != ']');
            if !self.takes(']') {
                return Err("a `]` is missing".to_owned());
            }
            name.push_str(index);
            name.push(']');
        }
        if name.ends_with(']') && self.rest.starts_with('_') {
            name.push_str(self.take_while(|sign| sign.is_alphanumeric() || sign == '_'));
        }
        match self.names.iter().position(|known| *known == name) {
            Some(index) => Ok(Expression::Quantity(index)),
            None => Err(explain_unknown("quantity", &name, self.names)),
        }
    }

    /// The rest of an expression in parentheses.
    fn closed(&mut self) -> Result<Expression, String> {
        let found = self.sum()?;
        if self.takes(')') { Ok(found) } else { Err("a `)` is missing".to_owned()) }
    }

    fn number(&mut self) -> Result<f64, String> {
        let bytes = self.rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|sign| sign.is_ascii_digit()).count();
        let mut end = digits(0);
        if bytes.get(end) == Some(&b'.') {
            end += 1 + digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits((end + 1 + sign).min(bytes.len()));
            end += if exponent > 0 { 1 + sign + exponent } else { 0 };
        }
        let (taken, rest) = self.rest.split_at(end);
        let value = taken.parse().map_err(|_| format!("`{taken}` is not a number"))?;
        self.rest = rest.trim_start();
        Ok(value)
    }
}

/// The only part, or all of them together.
fn alone_or(mut parts: Vec<(Expression, bool)>, all: fn(Vec<(Expression, bool)>) -> Expression) -> Expression {
    match parts.len() {
        1 => parts.remove(0).0,
        _ => all(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::{Expression, value};
    use std::f64::consts::{FRAC_1_SQRT_2, PI};

    #[test]
    fn expressions_have_the_values_of_the_block() {
        for (text, expected) in [
            ("pi/3", PI / 3.0),
            ("2*pi", 2.0 * PI),
            ("-pi", -PI),
            ("sqrt(2)/2", FRAC_1_SQRT_2),
            ("-2^2", -4.0),
            ("2^3^2", 512.0),
            ("2^-1", 0.5),
            ("1 - 2 - 3", -4.0),
            ("8/2/2", 2.0),
            ("2 * (1 + 3)", 8.0),
            ("1e-3*2", 2e-3),
            (".5+1.", 1.5),
            ("180deg - pi", 0.0),
            ("(30 + 60)deg", PI / 2.0),
            ("sin(30deg)", 0.5),
            ("ln(exp(2))", 2.0),
            ("- -3", 3.0),
            ("min(2, 1) + max(-1, 3)", 4.0),
            ("atan2(1, -1)", 0.75 * PI),
            ("sign(-2) + sign(0)", -1.0),
        ] {
            let found = value(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            assert!((found - expected).abs() < 1e-15_f64.max(1e-15 * expected.abs()), "{text}: {found}");
        }
    }

    #[test]
    fn quantities_have_their_values() {
        let names =
            ["t", "x", "x_dot", "r[0]", "r[0]_dot", "k", "min", "arm[1].r[0]", "arm[1].r[0]_dot"].map(str::to_owned);
        let values = [2.0, 3.0, -1.0, 5.0, 7.0, 10.0, 0.5, 11.0, 13.0];
        for (text, expected) in [
            ("-k*(x - 1) - 2*dot(x)", -18.0),
            ("-k*(x - 1) - 2*x_dot", -18.0),
            ("dot(r[0]) + r[0]*t", 17.0),
            ("r[0]_dot/2", 3.5),
            ("max(min(k*x, 4), -4)", 4.0),
            ("min + 1", 1.5),
            ("2*arm[1].r[0] - dot(arm[1].r[0]) + arm[1].r[0]_dot", 22.0),
            ("x^2deg", 3.0_f64.powf(2.0_f64.to_radians())),
        ] {
            let read = Expression::read(text, &names).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(read.value(&|index| values[index]), expected, "{text}");
        }
        for (text, told) in [
            ("-k*y", "no quantity `y`"),
            ("dot(y)", "no quantity `y_dot`; did you mean `x_dot`?"),
            ("r[1]", "no quantity `r[1]`; did you mean `r[0]`?"),
            ("max(x)", "`max` takes two arguments"),
            ("arm[1].q", "no quantity `arm[1].q`"),
            ("r[0", "a `]` is missing"),
            ("dot(x", "a `)` is missing"),
        ] {
            let error = Expression::read(text, &names).expect_err(text);
            assert!(error.contains(told), "{text}: {error}");
        }
        // As many terms as a command line can have.
        let long = "+1".repeat(60_000);
        assert_eq!(value(&long), Ok(60_000.0));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, told) in [
            ("pi/", "it ends where a number is expected"),
            ("2*foo", "`foo` is not known; there are pi and the functions sqrt, sin"),
            ("sqrt 2", "`sqrt` needs its argument in parentheses"),
            ("sqrt(2", "a `)` is missing"),
            ("2 pi", "`p` is not expected here: `pi`"),
            ("1+*2", "a number is expected instead of `*`"),
            ("2)", "`)` is not expected here"),
            ("1e", "`e` is not expected here"),
            ("1.2.3", "`.` is not expected here: `.3`"),
            (".+1", "`.` is not a number"),
        ] {
            let error = value(text).expect_err(text).unwrap_or_default();
            assert!(error.contains(told), "{text}: {error}");
        }
        for text in ["heavy", "", "()", "αβγ", "-", "="] {
            assert_eq!(value(text), Err(None), "{text}");
        }
        let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
        assert!(value(&deep).is_err_and(|error| error.is_some_and(|text| text.contains("nested deeper than 64"))));
        assert!(value(&format!("{}1", "-".repeat(100_000))).is_err());
    }
}
