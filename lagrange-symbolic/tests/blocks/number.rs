//! Literals of numbers as exact rationals.

use lagrange_symbolic::graph::Rational;
use lagrange_symbolic::parse::number::{BadNumber, read};

fn check(text: &str, numerator: i64, denominator: u64) {
    assert_eq!(read(text), Ok(Rational::from_parts(numerator.into(), denominator.into())), "{text}");
}

#[test]
fn decimals_are_exact() {
    check("0.1", 1, 10);
    check("9.81", 981, 100);
    check("1_000", 1000, 1);
    check("1e-3", 1, 1000);
    check("2.5E+2", 250, 1);
    check("3.", 3, 1);
    check("1e1_0", 10_000_000_000, 1);
}

#[test]
fn what_is_attached_is_told_apart() {
    let suffix = |number: &str, attached: &str| Err(BadNumber::Suffix(number.to_owned(), attached.to_owned()));
    assert_eq!(read("2x"), suffix("2", "x"));
    assert_eq!(read("1.5f64"), suffix("1.5", "f64"));
    assert_eq!(read("1.5_f64"), suffix("1.5", "f64"));
    assert_eq!(read("2energy"), suffix("2", "energy"));
    assert_eq!(read("0x10"), Err(BadNumber::NotDecimal));
    assert_eq!(read("1e999999999"), Err(BadNumber::Range));
    assert_eq!(read("1e99999999999999999999"), Err(BadNumber::Range));
    assert_eq!(read("\"text\""), Err(BadNumber::NotDecimal));
}
