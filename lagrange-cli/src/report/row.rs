//! One line of the table: a published figure, ours, and whether it holds.

use super::number;
use super::statement::Statement;

/// The origin of the figure that ours is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The document prints it, in figures or in words.
    Printed,
    /// The document does not print it. It was recomputed from the document's equations, independently of this program.
    Recomputed,
    /// The document does not print it. It follows from the mathematics of the mechanism or of the method.
    Expected,
}

impl Origin {
    /// Returns the word for this origin in tables. A printed figure has none.
    pub fn word(self) -> &'static str {
        match self {
            Self::Printed => "",
            Self::Recomputed => "recomputed",
            Self::Expected => "expected",
        }
    }
}

/// A figure as a document prints it, and how far from it ours may be.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    text: &'static str,
    tolerance: Tolerance,
    origin: Origin,
    statement: Option<&'static Statement>,
}

/// How far from the published figure ours may be.
#[derive(Clone, Copy, Debug)]
enum Tolerance {
    HalfLastDigit,
    Percent(f64),
    Within(f64),
    AtLeast,
    Above,
    AtMost,
}

impl Published {
    /// The figure in the digits of the document; ours must round to it.
    pub fn printed(text: &'static str) -> Self {
        Self::new(text, Tolerance::HalfLastDigit)
    }

    /// A figure that ours must meet within `percent`.
    pub fn within_percent(text: &'static str, percent: f64) -> Self {
        Self::new(text, Tolerance::Percent(percent))
    }

    /// The middle of a range of ± `distance`.
    pub fn within(text: &'static str, distance: f64) -> Self {
        Self::new(text, Tolerance::Within(distance))
    }

    /// A figure that ours must reach or exceed.
    pub fn at_least(text: &'static str) -> Self {
        Self::new(text, Tolerance::AtLeast)
    }

    /// A figure that ours must exceed.
    pub fn above(text: &'static str) -> Self {
        Self::new(text, Tolerance::Above)
    }

    /// A figure that ours must not exceed.
    pub fn at_most(text: &'static str) -> Self {
        Self::new(text, Tolerance::AtMost)
    }

    fn new(text: &'static str, tolerance: Tolerance) -> Self {
        Self { text, tolerance, origin: Origin::Printed, statement: None }
    }

    /// The figure as part of a statement of the document, which has its place.
    pub fn of(self, statement: &'static Statement) -> Self {
        Self { statement: Some(statement), ..self }
    }

    /// The figure marked as one that the document does not print, but that follows from its equations.
    pub fn recomputed(self) -> Self {
        Self { origin: Origin::Recomputed, ..self }
    }

    /// The figure marked as one that the document does not print, but that the mathematics makes us expect.
    pub fn expected(self) -> Self {
        Self { origin: Origin::Expected, ..self }
    }

    fn value(self) -> f64 {
        self.text.parse().unwrap_or(f64::NAN)
    }

    fn met_by(self, ours: f64) -> bool {
        let rounding = 8.0 * f64::EPSILON * self.value().abs();
        match self.tolerance {
            Tolerance::AtLeast => ours >= self.value(),
            Tolerance::Above => ours > self.value(),
            Tolerance::AtMost => ours <= self.value(),
            _ => (ours - self.value()).abs() <= self.allowed() + rounding,
        }
    }

    fn allowed(self) -> f64 {
        match self.tolerance {
            Tolerance::HalfLastDigit => 0.5 * last_digit(self.text),
            Tolerance::Percent(percent) => self.value().abs() * percent / 100.0,
            Tolerance::Within(distance) => distance,
            Tolerance::AtLeast | Tolerance::Above | Tolerance::AtMost => 0.0,
        }
    }

    /// Returns how ours is written where it must be the same on every machine. A value that only rounding keeps from zero is written by
    /// its bound.
    fn certain(self, ours: f64) -> Certain {
        match self.tolerance {
            Tolerance::Within(distance) if self.value() == 0.0 && distance > 0.0 && self.met_by(ours) => {
                Certain::Text(format!("at most {}", number::shown(distance, 3)))
            }
            Tolerance::HalfLastDigit => Certain::Digits(significant(self.text).max(3)),
            _ => Certain::Digits(3),
        }
    }

    fn display(self) -> String {
        match self.tolerance {
            Tolerance::HalfLastDigit => self.text.to_owned(),
            Tolerance::Percent(percent) => format!("{} ± {percent} %", self.text),
            Tolerance::AtLeast => format!("≥ {}", self.text),
            Tolerance::Above => format!("> {}", self.text),
            Tolerance::AtMost => format!("≤ {}", self.text),
            Tolerance::Within(0.0) => self.text.to_owned(),
            Tolerance::Within(distance) => format!("{} ± {}", self.text, number::text(distance, 3)),
        }
    }

    fn tolerance_note(self) -> String {
        match self.tolerance {
            Tolerance::HalfLastDigit => {
                format!("tolerance {}, half the last printed digit", number::text(self.allowed(), 3))
            }
            Tolerance::Percent(percent) => format!("tolerance {percent} %"),
            Tolerance::AtLeast => "a lower limit".to_owned(),
            Tolerance::Above => "more than a lower limit".to_owned(),
            Tolerance::AtMost => "an upper limit".to_owned(),
            Tolerance::Within(0.0) => "no tolerance".to_owned(),
            Tolerance::Within(distance) => format!("tolerance {}", number::text(distance, 3)),
        }
    }
}

/// The unit of the last digit of a decimal number.
fn last_digit(text: &str) -> f64 {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let exponent: i32 = exponent.parse().unwrap_or(0);
    10.0_f64.powi(exponent - decimals as i32)
}

/// The number of significant digits of a decimal number.
fn significant(text: &str) -> usize {
    let mantissa = text.split('e').next().unwrap_or("");
    mantissa.trim_start_matches(['-', '0', '.']).chars().filter(char::is_ascii_digit).count()
}

/// The number with so many significant digits.
fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value)
}

/// How our figure is written where it must be the same on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certain {
    /// So many significant digits of it.
    Digits(usize),
    /// This text: a bound, a range, or the reason why there is no figure.
    Text(String),
}

/// One line of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The document's number.
    pub study: u32,
    /// Which of its experiments.
    pub experiment: &'static str,
    /// What is compared.
    pub quantity: String,
    /// Its unit; empty for a pure number.
    pub unit: &'static str,
    /// The published figure.
    pub published: Option<f64>,
    /// The published figure as it is shown, with its tolerance where that is not the last digit.
    pub published_text: String,
    /// The origin of the figure that ours is compared with.
    pub origin: Option<Origin>,
    /// The statement of the document that this row judges, or a part or a reading of which it judges.
    pub statement: Option<&'static Statement>,
    /// Our figure.
    pub ours: Option<f64>,
    /// Whether ours meets the published figure; none for computing times and where nothing is published.
    pub holds: Option<bool>,
    /// The tolerance, and how our figure was found.
    pub note: String,
    /// How our figure is written where it must be the same on every machine.
    pub certain: Certain,
}

impl Row {
    /// A figure against a published one.
    pub fn compared(
        (study, experiment): (u32, &'static str),
        quantity: impl Into<String>,
        unit: &'static str,
        published: Published,
        ours: f64,
        note: &str,
    ) -> Self {
        let separator = if note.is_empty() { "" } else { "; " };
        Self {
            study,
            experiment,
            quantity: quantity.into(),
            unit,
            published: Some(published.value()),
            published_text: published.display(),
            origin: Some(published.origin),
            statement: published.statement,
            ours: Some(ours),
            holds: Some(published.met_by(ours)),
            note: format!("{}{separator}{note}", published.tolerance_note()),
            certain: published.certain(ours),
        }
    }

    /// A published computing time and ours: it says something about the machines only.
    pub fn time(place: (u32, &'static str), quantity: &str, published: Published, ours: f64) -> Self {
        let note = "not judged: the paper's machine is unknown; ours includes no output";
        Self::unjudged(place, quantity, "s", published, ours, note).certain("depends on the machine")
    }

    /// The row with this text for our figure where it must be the same on every machine.
    #[must_use]
    pub fn certain(self, text: impl Into<String>) -> Self {
        Self { certain: Certain::Text(text.into()), ..self }
    }

    /// The row with so many significant digits of our figure where it must be the same on every machine.
    #[must_use]
    pub fn certain_digits(self, digits: usize) -> Self {
        Self { certain: Certain::Digits(digits), ..self }
    }

    /// A published figure beside ours where no judgement is possible, with the reason.
    pub fn unjudged(
        place: (u32, &'static str),
        quantity: &str,
        unit: &'static str,
        published: Published,
        ours: f64,
        note: &str,
    ) -> Self {
        Self {
            published_text: published.display(),
            holds: None,
            note: note.to_owned(),
            ..Self::compared(place, quantity, unit, published, ours, "")
        }
    }

    /// A figure for which the document prints none.
    pub fn ours(
        (study, experiment): (u32, &'static str),
        quantity: impl Into<String>,
        unit: &'static str,
        ours: f64,
        note: &str,
    ) -> Self {
        Self {
            study,
            experiment,
            quantity: quantity.into(),
            unit,
            published: None,
            published_text: String::new(),
            origin: None,
            statement: None,
            ours: Some(ours),
            holds: None,
            note: note.to_owned(),
            certain: Certain::Digits(3),
        }
    }

    /// A figure of ours that belongs to a statement and does not judge it.
    #[must_use]
    pub fn beside(self, statement: &'static Statement) -> Self {
        Self { statement: Some(statement), ..self }
    }

    /// The place in the document of the statement that this row belongs to; empty where there is none.
    pub fn source(&self) -> &'static str {
        self.statement.map_or("", |statement| statement.place)
    }

    /// Our figure with its unit, in the digits that are the same on every machine.
    pub fn certain_text(&self) -> String {
        match &self.certain {
            Certain::Text(text) => self.with_unit(text),
            Certain::Digits(digits) => self
                .ours
                .map_or_else(String::new, |value| self.with_unit(&number::shown(rounded(value, *digits), *digits))),
        }
    }

    fn with_unit(&self, text: &str) -> String {
        let ends_in_number = text.chars().last().is_some_and(char::is_numeric);
        if self.unit.is_empty() || !ends_in_number { text.to_owned() } else { format!("{text} {}", self.unit) }
    }

    /// Our figure as it is shown: with two digits more than a difference from the published one needs.
    pub fn ours_text(&self) -> String {
        self.ours.map_or_else(String::new, |value| number::text(value, self.digits()))
    }

    /// Ours − published, as it is shown.
    pub fn difference_text(&self) -> String {
        match (self.published, self.ours) {
            (Some(published), Some(ours)) => {
                let text = number::text(ours - published, 2);
                if ours > published { format!("+{text}") } else { text }
            }
            _ => String::new(),
        }
    }

    fn digits(&self) -> usize {
        if self.holds.is_none() && self.published.is_some() {
            // What is not judged is measured by a clock: its further digits change from run to run.
            return 3;
        }
        let printed =
            self.published_text.trim_start_matches(['≥', '>', '≤', ' ']).split(['e', ' ']).next().unwrap_or("");
        (significant(printed) + 2).clamp(4, 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_the_last_printed_digit_is_the_tolerance() {
        let row = |ours| Row::compared((1, "1"), "period", "s", Published::printed("2.84"), ours, "").holds;
        assert_eq!(row(2.8385), Some(true));
        assert_eq!(row(2.8450), Some(true));
        assert_eq!(row(2.8452), Some(false));
        assert_eq!(row(f64::NAN), Some(false));
        assert!((Published::printed("5.24e-8").allowed() - 5e-11).abs() < 1e-20);
        assert!((Published::printed("120").allowed() - 0.5).abs() < 1e-15);
    }

    #[test]
    fn ranges_and_percentages() {
        let range = Published::within("3e-4", 2e-4);
        assert_eq!(Row::compared((1, "5"), "", "J", range, 4.9e-4, "").holds, Some(true));
        assert_eq!(Row::compared((1, "5"), "", "J", range, 5.1e-4, "").holds, Some(false));
        assert_eq!(Row::compared((1, "3"), "", "W", Published::above("0"), 0.0, "").holds, Some(false));
        let limits = [Published::at_least("1"), Published::at_most("1")];
        assert_eq!(
            limits.map(|limit| Row::compared((1, "4"), "", "", limit, 2.0, "").holds),
            [Some(true), Some(false)]
        );
        assert_eq!(limits.map(|limit| Row::compared((1, "4"), "", "", limit, f64::NAN, "").holds), [Some(false); 2]);
        let percent = Published::within_percent("5.24e-8", 1.0);
        assert_eq!(Row::compared((1, "3"), "", "J", percent, 5.28e-8, "").holds, Some(true));
    }

    #[test]
    fn computing_times_are_not_judged() {
        static TIME: Statement = Statement { study: 1, place: "§5.4", says: "It takes 2.46 s.", reason: "" };
        let row = Row::time((1, "4"), "computing time", Published::printed("2.458842").of(&TIME), 0.2);
        assert_eq!(row.source(), "§5.4");
        assert_eq!((row.holds, row.published), (None, Some(2.458842)));
        assert_eq!(row.certain_text(), "depends on the machine");
    }

    #[test]
    fn what_is_certain_is_the_same_on_every_machine() {
        let of = |published, ours| Row::compared((1, "1"), "x", "m", published, ours, "").certain_text();
        assert_eq!(of(Published::within("0", 1e-9), 3e-16), "at most 10⁻⁹ m");
        assert_eq!(of(Published::within("0", 1e-9), 1.23456), "1.23 m");
        assert_eq!(of(Published::printed("-8.4870523"), -8.487_052_3), "−8.4870523 m");
        let row = Row::ours((1, "1"), "x", "J", 1.2345, "");
        assert_eq!(row.clone().certain_digits(2).certain_text(), "1.2 J");
        let large = Row::ours((1, "1"), "x", "J", 391_754.5, "");
        assert_eq!(large.certain_text(), "392000 J");
        assert_eq!(row.certain("19 to 69").certain_text(), "19 to 69 J");
    }
}
