//! Numbers written as expressions: `pi/3`, `2*pi`, `sqrt(2)/2`, `30deg + 1`.
//!
//! The operators are those of the block: `^` binds tighter than a sign and to the right, so that `-2^2` is −4 and `2^3^2` is 2⁹.

use std::f64::consts::PI;

/// Deeper nesting is refused, because each level takes a part of the stack.
const DEEPEST: u32 = 64;

/// A name, and what it stands for.
type Function = (&'static str, fn(f64) -> f64);

/// The functions.
const FUNCTIONS: [Function; 13] = [
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
];

/// The value of an expression. The error says what is wrong; it is `None` if the text does not look like an expression at all.
pub(super) fn value(text: &str) -> Result<f64, Option<String>> {
    let mut parser = Parser { rest: text.trim_start(), depth: 0 };
    let has_value = text.contains(|sign: char| sign.is_ascii_digit()) || text.contains("pi");
    let unlike = |error: String| if has_value { Some(error) } else { None };
    let value = parser.sum().map_err(unlike)?;
    match parser.rest.chars().next() {
        None => Ok(value),
        Some(sign) => Err(unlike(format!("`{sign}` is not expected here: `{}`", parser.rest))),
    }
}

struct Parser<'t> {
    /// The part of the text that is not read yet. It does not begin with white space.
    rest: &'t str,
    depth: u32,
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

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        loop {
            if self.takes('+') {
                value += self.product()?;
            } else if self.takes('-') {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.signed()?;
        loop {
            if self.takes('*') {
                value *= self.signed()?;
            } else if self.takes('/') {
                value /= self.signed()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn signed(&mut self) -> Result<f64, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("it is nested deeper than {DEEPEST} levels"));
        }
        let value = if self.takes('-') {
            -self.signed()?
        } else if self.takes('+') {
            self.signed()?
        } else {
            let base = self.degrees()?;
            if self.takes('^') { base.powf(self.signed()?) } else { base }
        };
        self.depth -= 1;
        Ok(value)
    }

    /// A value, which may be in degrees.
    fn degrees(&mut self) -> Result<f64, String> {
        let value = self.atom()?;
        if let Some(rest) = self.rest.strip_prefix("deg").or_else(|| self.rest.strip_prefix('°')) {
            self.rest = rest.trim_start();
            return Ok(value.to_radians());
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<f64, String> {
        if self.takes('(') {
            return self.closed();
        }
        if self.rest.starts_with(|sign: char| sign.is_ascii_digit() || sign == '.') {
            return self.number();
        }
        let name = self.take_while(|sign| sign.is_alphanumeric() || sign == '_');
        match FUNCTIONS.iter().find(|(known, _)| *known == name) {
            Some((_, function)) if self.takes('(') => Ok(function(self.closed()?)),
            Some(_) => Err(format!("`{name}` needs its argument in parentheses")),
            None if name == "pi" || name == "π" => Ok(PI),
            None if name.is_empty() => match self.rest.chars().next() {
                Some(sign) => Err(format!("a number is expected instead of `{sign}`")),
                None => Err("it ends where a number is expected".to_owned()),
            },
            None => {
                let functions: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
                Err(format!("`{name}` is not known; there are pi and the functions {}", functions.join(", ")))
            }
        }
    }

    /// The rest of an expression in parentheses.
    fn closed(&mut self) -> Result<f64, String> {
        let value = self.sum()?;
        if self.takes(')') { Ok(value) } else { Err("a `)` is missing".to_owned()) }
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

#[cfg(test)]
mod tests {
    use super::value;
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
        ] {
            let found = value(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            assert!((found - expected).abs() < 1e-15_f64.max(1e-15 * expected.abs()), "{text}: {found}");
        }
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
