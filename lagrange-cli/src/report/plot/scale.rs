//! Axes: from values to positions, and the ticks.

use super::Axis;
use crate::report::number;

/// An axis with its ends, from `start` to `end` in the drawing's units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) logarithmic: bool,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) start: f64,
    pub(super) end: f64,
    /// What linear ticks are counted from: 0, or a value of many digits that the ticks would otherwise repeat.
    base: f64,
    /// The distance of linear ticks.
    step: f64,
}

/// Labels with more digits than this would not fit beside the axis.
const DIGITS: i32 = 8;

/// A tick, with its label where it has one.
#[derive(Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: Option<String>,
}

impl Scale {
    /// The axis for `values`; `ticks` is about how many it will have.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>, [start, end]: [f64; 2], ticks: usize) -> Self {
        let usable = values.filter(|value| value.is_finite() && (!axis.logarithmic || *value > 0.0));
        let ([low, high], step) = match axis.range {
            Some([low, high]) => ([low, high], round_step(high - low, ticks)),
            None => rounded_ends(usable, axis.logarithmic, ticks),
        };
        let base = if axis.logarithmic { 0.0 } else { base([low, high], step) };
        Self { logarithmic: axis.logarithmic, low, high, start, end, base, step }
    }

    /// The value from which the labels count, where that is not 0.
    pub(super) fn base(&self) -> Option<String> {
        let digits = digits_to(self.base, self.step).max(1) as usize;
        (self.base != 0.0).then(|| number::shown(self.base, digits))
    }

    /// The position of `value`; beyond the ends, at most a little outside.
    pub(super) fn position(&self, value: f64) -> f64 {
        let fraction = if self.logarithmic {
            (value.max(f64::MIN_POSITIVE) / self.low).log10() / (self.high / self.low).log10()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.start + fraction.clamp(-0.5, 1.5) * (self.end - self.start)
    }

    /// Ticks at round values: about `count` labels on a logarithmic axis.
    pub(super) fn ticks(&self, count: usize) -> Vec<Tick> {
        if self.logarithmic { self.decades(count) } else { self.even() }
    }

    /// As [`Scale::ticks`]; on a logarithmic axis of less than two decades also at 2 and 5 times the powers of ten.
    pub(super) fn fine_ticks(&self, count: usize) -> Vec<Tick> {
        let decades = (self.high / self.low).log10();
        if !self.logarithmic || decades >= 2.0 {
            return self.ticks(count);
        }
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let values = (first..=last).flat_map(|exponent| [1.0, 2.0, 5.0].map(|digit| digit * 10.0_f64.powi(exponent)));
        let inside = values.filter(|value| (self.low..=self.high).contains(value));
        inside.map(|value| Tick { value, label: Some(number::shown(value, 1)) }).collect()
    }

    fn even(&self) -> Vec<Tick> {
        let (step, base) = (self.step, self.base);
        let index = |value: f64| (value - base) / step;
        // The ends of a small range beside a large base are rounded to more than the last digits of a step.
        let (first, last) = ((index(self.low) - 1e-3).ceil() as i64, (index(self.high) + 1e-3).floor() as i64);
        let decimals = decimals_of(step);
        let largest = (first.abs().max(last.abs()) as f64) * step;
        let scientific = largest >= 1e5 || (step < 1e-3 && largest < 0.1);
        (first..=last)
            .map(|index| {
                let shown = index as f64 * step;
                let digits = digits_to(shown, step).max(1) as usize;
                let text = if scientific { number::text(shown, digits) } else { format!("{shown:.decimals$}") };
                Tick { value: base + shown, label: Some(number::typeset(&text)) }
            })
            .collect()
    }

    fn decades(&self, count: usize) -> Vec<Tick> {
        let (first, last) = ((self.low.log10() - 1e-9).ceil() as i32, (self.high.log10() + 1e-9).floor() as i32);
        let every = ((last - first) / count.max(1) as i32 + 1).max(1);
        (first..=last)
            .map(|exponent| {
                let text = match exponent {
                    0 => "1".to_owned(),
                    1 => "10".to_owned(),
                    _ => number::typeset(&format!("1e{exponent}")),
                };
                Tick { value: 10.0_f64.powi(exponent), label: (exponent.rem_euclid(every) == 0).then_some(text) }
            })
            .collect()
    }
}

/// Ends on ticks, and the distance of linear ticks.
fn rounded_ends(values: impl Iterator<Item = f64>, logarithmic: bool, ticks: usize) -> ([f64; 2], f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    if low > high {
        return ([if logarithmic { 0.1 } else { 0.0 }, 1.0], 0.5);
    }
    if logarithmic {
        let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
        return ([10.0_f64.powi(first), 10.0_f64.powi(last.max(first + 1))], 1.0);
    }
    // A range of rounding errors has no ticks that a double can tell apart.
    let magnitude = low.abs().max(high.abs());
    let half = if high - low > ROUNDING * magnitude {
        0.0
    } else if magnitude == 0.0 {
        1.0
    } else {
        magnitude / 2.0
    };
    let (low, high) = (low - half, high + half);
    let step = round_step(high - low, ticks);
    let base = base([low, high], step);
    let ends = [((low - base) / step + 1e-9).floor() * step, ((high - base) / step - 1e-9).ceil() * step];
    (ends.map(|end| base + end), step)
}

/// A range this small, relative to its values, counts as one value.
const ROUNDING: f64 = 1e-14;

/// A round value near the range from which its ticks are told apart by few digits, or 0 if few suffice from there.
fn base([low, high]: [f64; 2], step: f64) -> f64 {
    if digits_to(low.abs().max(high.abs()), step) <= DIGITS {
        return 0.0;
    }
    let unit = 10.0_f64.powf((high - low).log10().ceil());
    let rounded = (low / unit).round() * unit;
    // The double that its own decimal digits name.
    number::text(rounded, digits_to(rounded, unit).max(1) as usize).parse().unwrap_or(rounded)
}

/// How many significant digits `value` has down to the first digit of `step`.
fn digits_to(value: f64, step: f64) -> i32 {
    let exponent = |number: f64| (number.abs().log10() + 1e-9).floor() as i32;
    if value == 0.0 { 1 } else { exponent(value) - exponent(step) + 1 }
}

/// 1, 2 or 5 times a power of ten, so that `span` has about `count` steps.
fn round_step(span: f64, count: usize) -> f64 {
    let raw = span / count.max(1) as f64;
    let power = 10.0_f64.powf(raw.log10().floor());
    let multiple = [1.0, 2.0, 5.0, 10.0].into_iter().find(|multiple| multiple * power >= raw * 0.999).unwrap_or(10.0);
    multiple * power
}

fn decimals_of(step: f64) -> usize {
    (-(step.log10() + 1e-9).floor()).max(0.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64], count: usize) -> Vec<String> {
        let scale = Scale::new(axis, values.iter().copied(), [0.0, 100.0], count);
        scale.ticks(count).into_iter().filter_map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_and_enclose_the_values() {
        assert_eq!(labels(&Axis::linear("t"), &[0.0, 487.0], 5), ["0", "100", "200", "300", "400", "500"]);
        assert_eq!(labels(&Axis::linear("x"), &[-0.31, 0.42], 4), ["−0.4", "−0.2", "0.0", "0.2", "0.4", "0.6"]);
        assert_eq!(labels(&Axis::logarithmic("E"), &[3e-9, 2e-7, 0.0], 4), ["10⁻⁹", "10⁻⁸", "10⁻⁷", "10⁻⁶"]);
    }

    #[test]
    fn a_short_logarithmic_axis_has_ticks_within_its_decades() {
        let labels = |range: [f64; 2]| -> Vec<String> {
            let scale =
                Scale::new(&Axis::logarithmic("t").spanning(range[0], range[1]), std::iter::empty(), [0.0, 1.0], 6);
            scale.fine_ticks(6).into_iter().filter_map(|tick| tick.label).collect()
        };
        assert_eq!(labels([0.3, 21.0]), ["0.5", "1", "2", "5", "10", "20"]);
        assert_eq!(labels([0.01, 1.0]), ["10⁻²", "10⁻¹", "1"]);
    }

    #[test]
    fn positions_follow_the_scale() {
        let scale = Scale::new(&Axis::logarithmic("E").spanning(1e-4, 1.0), std::iter::empty(), [200.0, 0.0], 4);
        assert!((scale.position(1e-2) - 100.0).abs() < 1e-9);
        assert!(scale.position(0.0).is_finite());
    }

    #[test]
    fn a_constant_has_an_axis() {
        for value in [3.0, -0.7, 0.0, 1e-300, -39.2] {
            let rounded = value * (1.0 + 4.0 * f64::EPSILON);
            let scale = Scale::new(&Axis::linear("x"), [value, rounded].into_iter(), [0.0, 1.0], 4);
            assert!(scale.low < value && scale.high > value && scale.base().is_none());
        }
        assert_eq!(labels(&Axis::linear("x"), &[3.0, 3.0], 4), ["1", "2", "3", "4", "5"]);
    }

    #[test]
    fn ticks_of_a_nearly_constant_curve_are_distinct() {
        let energy = Axis::linear("E (J)");
        assert_eq!(labels(&energy, &[-8.48739, -8.48704], 3), ["−8.4874", "−8.4872", "−8.4870"]);
        assert_eq!(labels(&energy, &[1.2e-5, 3.9e-5], 4), ["10⁻⁵", "2·10⁻⁵", "3·10⁻⁵", "4·10⁻⁵"]);
        assert_eq!(labels(&energy, &[1_234_567.0, 1_234_569.0], 2), ["1234567", "1234568", "1234569"]);
        for span in (1..=13).map(|decade| 10.0_f64.powi(-decade)) {
            for value in [-8.487_048_957_1, 39.2, 1e6 / 3.0] {
                let [low, high] = [value, value + span * f64::abs(value)];
                let scale = Scale::new(&energy, [low, high].into_iter(), [0.0, 100.0], 4);
                let texts: Vec<String> = scale.ticks(4).into_iter().filter_map(|tick| tick.label).collect();
                let mut distinct = texts.clone();
                distinct.dedup();
                assert!(texts.len() >= 3 && texts == distinct, "{texts:?}");
                assert!(texts.iter().all(|text| text.chars().count() <= 11), "{texts:?}");
                assert!(scale.low <= low && scale.high >= high, "{low} to {high}: {scale:?}");
            }
        }
    }
}
