//! Number literals as exact rationals.

use crate::graph::Rational;
use dashu_int::{IBig, UBig};

/// What is wrong with a literal.
#[derive(Debug, PartialEq, Eq)]
pub enum BadNumber {
    /// A number with something attached: the number, and what is attached.
    Suffix(String, String),
    /// Too large or too small for any floating-point number.
    Range,
    /// Not a decimal number.
    NotDecimal,
}

/// Decimal exponents past which no f64 exists; also keeps exact numbers small.
const LARGEST_EXPONENT: i64 = 400;

/// Reads a decimal literal: `2`, `0.1`, `1_000`, `1e-3`.
pub fn read(text: &str) -> Result<Rational, BadNumber> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(BadNumber::NotDecimal);
    }
    if text.starts_with("0x") || text.starts_with("0b") || text.starts_with("0o") {
        return Err(BadNumber::NotDecimal);
    }
    let mut digits = String::new();
    let mut exponent: i64 = 0;
    let mut rest = text;
    let mut fraction = false;
    while let Some(c) = rest.chars().next() {
        match c {
            '0'..='9' => {
                digits.push(c);
                exponent -= i64::from(fraction);
            }
            '_' => {}
            '.' if !fraction => fraction = true,
            _ => break,
        }
        rest = &rest[1..];
    }
    let mantissa = text[..text.len() - rest.len()].trim_end_matches('_');
    if let Some(written) = rest.strip_prefix(['e', 'E']) {
        let end = written.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '_')).unwrap_or(written.len());
        let shown = written[..end].replace('_', "");
        // An exponent without digits is a suffix that begins with e.
        if shown.contains(|c: char| c.is_ascii_digit()) {
            exponent += shown.parse::<i64>().map_err(|_| BadNumber::Range)?;
            rest = &written[end..];
        }
    }
    if !rest.is_empty() {
        return Err(BadNumber::Suffix(mantissa.to_owned(), rest.to_owned()));
    }
    let digits = UBig::from_str_radix(&digits, 10).map_err(|_| BadNumber::NotDecimal)?;
    if !(-2 * LARGEST_EXPONENT..=LARGEST_EXPONENT).contains(&exponent) {
        return Err(BadNumber::Range);
    }
    let power = UBig::from(10u8).pow(exponent.unsigned_abs() as usize);
    Ok(if exponent < 0 {
        Rational::from_parts(IBig::from(digits), power)
    } else {
        Rational::from(IBig::from(digits * power))
    })
}
