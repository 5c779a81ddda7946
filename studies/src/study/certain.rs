//! Words for figures whose digits are not the same on every machine.

/// "more than" the power of ten below a figure that is larger than 1: chaos and rounding change its digits, and not its size. A figure
/// that is hardly larger than a power of ten gets the one below.
pub(super) fn more_than(figure: f64) -> String {
    match (figure.log10() - 0.1).floor() {
        power if power >= 4.0 => format!("more than {}", lagrange_cli::report::number::shown(10_f64.powf(power), 1)),
        power if power >= 0.0 => format!("more than {}", 10_f64.powf(power)),
        _ => "about 1 or less".to_owned(),
    }
}

/// On which side of `limit` a figure is that is not near it.
pub(super) fn side(figure: f64, limit: f64) -> String {
    if figure > limit { format!("more than {limit}") } else { format!("at most {limit}") }
}
