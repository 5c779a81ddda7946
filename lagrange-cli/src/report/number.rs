//! Numbers as people write them.

/// About `digits` significant digits, with a power of ten where the number is very large or very small.
pub fn text(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return value.to_string();
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-3..digits.max(6) as i32).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        return without_trailing_zeros(&format!("{value:.decimals$}"));
    }
    format!("{}e{exponent}", without_trailing_zeros(mantissa))
}

fn without_trailing_zeros(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
}

/// A number with a raised exponent instead of `e`: `5.24e-8` becomes 5.24·10⁻⁸, `1e-8` becomes 10⁻⁸.
pub fn typeset(text: &str) -> String {
    match text.split_once('e') {
        None => text.replace('-', "−"),
        Some((mantissa, exponent)) => {
            let power = format!("10{}", exponent.chars().map(raised).collect::<String>());
            match mantissa {
                "1" => power,
                "-1" => format!("−{power}"),
                _ => format!("{}·{power}", mantissa.replace('-', "−")),
            }
        }
    }
}

/// [`text`], typeset.
pub fn shown(value: f64, digits: usize) -> String {
    typeset(&text(value, digits))
}

fn raised(character: char) -> char {
    match character {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => digit.to_digit(10).and_then(|value| char::from_u32(0x2070 + value)).unwrap_or(digit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(text(2.468_002, 7), "2.468002");
        assert_eq!(text(-39.2, 6), "-39.2");
        assert_eq!(text(5.2431e-8, 3), "5.24e-8");
        assert_eq!(text(0.000_999_96, 3), "0.001");
        assert_eq!(text(202_593.0, 4), "202593");
        assert_eq!(typeset("5.24e-8"), "5.24·10⁻⁸");
        assert_eq!(typeset("1e10"), "10¹⁰");
    }
}
