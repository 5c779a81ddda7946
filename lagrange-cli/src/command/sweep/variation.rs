//! The options that say what differs from member to member, and where motions are recorded on the way.

use crate::catalog::Until;
use crate::parse::{self, number};
use lagrange_runtime::error::Number;
use lagrange_runtime::prelude::Direction;
use lagrange_runtime::sampling::{Random, grid_point};

/// A quantity that takes several values: from a stated range, `NAME=FROM..TO:COUNT` or `NAME=FROM..TO:COUNT:log`, or from its nominal range,
/// `NAME:COUNT` or `NAME:COUNT:log`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Vary {
    pub(super) name: String,
    pub(super) range: Range,
    /// Whether the nominal range stands in place of the ends of `range`.
    pub(super) is_nominal: bool,
    /// The text of the first end that is an angle in degrees.
    pub(super) angle: Option<String>,
}

/// Values from a first one to a last one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) first: f64,
    pub(super) last: f64,
    pub(super) count: u32,
    /// Whether neighbours have the same ratio instead of the same difference.
    pub(super) logarithmic: bool,
}

impl Vary {
    /// The range, with the ends of the nominal one of these where it is asked for.
    ///
    /// # Errors
    /// The text says that the quantity states none, or that it does not begin above 0 where neighbours have the same ratio.
    pub(super) fn range_of(&self, nominal: &[(&str, [f64; 2])]) -> Result<Range, String> {
        if !self.is_nominal {
            return Ok(self.range);
        }
        let name = &self.name;
        let Some((_, [first, last])) = nominal.iter().find(|(known, _)| known == name) else {
            let known: Vec<_> = nominal.iter().map(|(name, _)| format!("`{name}`")).collect();
            let others = if known.is_empty() { String::new() } else { format!(" (known: {})", known.join(", ")) };
            return Err(format!("`{name}` states no nominal range{others}; write {name}=FROM..TO:COUNT"));
        };
        if self.range.logarithmic && *first <= 0.0 {
            let first = Number(*first);
            return Err(format!("{name}: a logarithmic range begins above 0, and the nominal one begins at {first}"));
        }
        Ok(Range { first: *first, last: *last, ..self.range })
    }
}

impl Range {
    /// The value of this index. The first and the last one are exact.
    pub(super) fn value(self, index: u32) -> f64 {
        let Self { first, last, count, logarithmic } = self;
        let mut value = [0.0];
        grid_point(&[(first, last, count)], u64::from(index), &mut value);
        if logarithmic && index > 0 && index + 1 < count {
            return first * (last / first).powf(f64::from(index) / f64::from(count - 1));
        }
        value[0]
    }

    /// The range as the option has it.
    pub(super) fn text(self) -> String {
        let Self { first, last, count, logarithmic } = self;
        format!("{first:?}..{last:?}:{count}{}", if logarithmic { ":log" } else { "" })
    }
}

/// The crossings at which motions are recorded, `NAME=VALUE`, `NAME=VALUE:falling` or `NAME=VALUE:both`.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::command) struct Section {
    pub(in crate::command) crossing: Until,
    pub(in crate::command) direction: Direction,
}

/// A quantity that takes random values, `NAME=uniform(FROM,TO)` or `NAME=normal(MEAN,DEVIATION)`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) name: String,
    distribution: Distribution,
    /// The text of the first number that is an angle in degrees.
    pub(super) angle: Option<String>,
}

/// A distribution of random values.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Distribution {
    Uniform { from: f64, to: f64 },
    Normal { mean: f64, deviation: f64 },
}

impl Sample {
    /// The distribution, as the option has it.
    pub(super) fn distribution(&self) -> String {
        match self.distribution {
            Distribution::Uniform { from, to } => format!("uniform({from:?},{to:?})"),
            Distribution::Normal { mean, deviation } => format!("normal({mean:?},{deviation:?})"),
        }
    }

    /// Returns the next value of a member.
    pub(super) fn draw(&self, random: &mut Random) -> f64 {
        match self.distribution {
            Distribution::Uniform { from, to } => random.uniform(from..to),
            Distribution::Normal { mean, deviation } => mean + deviation * random.normal(),
        }
    }
}

/// Reads `NAME=VALUE`, `NAME=VALUE:rising`, `NAME=VALUE:falling` or `NAME=VALUE:both`.
pub(in crate::command) fn section(text: &str) -> Result<Section, String> {
    let (rest, direction) = match text.rsplit_once(':') {
        None => (text, Direction::Rising),
        Some((rest, direction)) => match direction.trim() {
            "rising" => (rest, Direction::Rising),
            "falling" => (rest, Direction::Falling),
            "both" => (rest, Direction::Any),
            other => return Err(format!("`{other}` is no direction; write rising, falling or both")),
        },
    };
    Ok(Section { crossing: Until { label: text.trim().to_owned(), ..parse::until(rest)? }, direction })
}

/// Reads `NAME=FROM..TO:COUNT`, `NAME=FROM..TO:COUNT:log`, `NAME:COUNT` or `NAME:COUNT:log`.
pub(super) fn vary(text: &str) -> Result<Vary, String> {
    if let Some((name, whole)) = text.split_once(':').filter(|_| !text.contains('=')) {
        return nominal(name.trim(), whole.trim());
    }
    let (name, whole) = named(text, "NAME=FROM..TO:COUNT")?;
    let failed = |error: String| format!("{name}: {error}");
    let (range, logarithmic) =
        match whole.strip_suffix("log").map(str::trim_end).and_then(|rest| rest.strip_suffix(':')) {
            Some(range) => (range, true),
            None => (whole, false),
        };
    let form =
        || format!("{name}: `{whole}` is no range; write FROM..TO:COUNT, for example -1..1:101, or FROM..TO:COUNT:log");
    let (ends, count) = range.rsplit_once(':').ok_or_else(form)?;
    let (first, last) = ends.split_once("..").ok_or_else(form)?;
    let angle = angle_of([first, last]);
    let (first, last) = (number(first).map_err(failed)?, number(last).map_err(failed)?);
    let count = count_of(count).map_err(failed)?;
    if count > 1 {
        ascending(first, last).map_err(failed)?;
    }
    if logarithmic && first <= 0.0 {
        let text = format!("a logarithmic range begins above 0, and this one begins at {}", Number(first));
        return Err(failed(text));
    }
    let range = Range { first, last, count, logarithmic };
    Ok(Vary { name: name.to_owned(), range, is_nominal: false, angle })
}

/// Reads what stands behind the name of a quantity whose nominal range is asked for: `COUNT` or `COUNT:log`.
fn nominal(name: &str, whole: &str) -> Result<Vary, String> {
    if name.is_empty() {
        return Err(format!(
            "no name before `:{whole}`; write NAME:COUNT for the nominal range, or NAME=FROM..TO:COUNT"
        ));
    }
    let (count, logarithmic) = match whole.split_once(':') {
        None => (whole, false),
        Some((count, "log")) => (count, true),
        Some((_, other)) => return Err(format!("{name}: `{other}` stands in the place of `log`")),
    };
    let count = count_of(count).map_err(|error| format!("{name}: {error}"))?;
    let range = Range { first: 0.0, last: 0.0, count, logarithmic };
    Ok(Vary { name: name.to_owned(), range, is_nominal: true, angle: None })
}

/// How many values a range has.
fn count_of(text: &str) -> Result<u32, String> {
    match text.trim().parse::<u32>() {
        Ok(0) => Err("0 values are none; COUNT must be at least 1".to_owned()),
        Ok(count) => Ok(count),
        Err(_) => Err(format!("`{}` is not a whole number from 1 to {}", text.trim(), u32::MAX)),
    }
}

/// Reads `NAME=uniform(FROM,TO)` or `NAME=normal(MEAN,DEVIATION)`.
pub(super) fn sample(text: &str) -> Result<Sample, String> {
    let (name, written) = named(text, "NAME=uniform(FROM,TO) or NAME=normal(MEAN,DEVIATION)")?;
    let failed = |error: String| format!("{name}: {error}");
    let form = || failed(format!("`{written}` is no distribution; write uniform(FROM,TO) or normal(MEAN,DEVIATION)"));
    let (kind, rest) = written.split_once('(').ok_or_else(form)?;
    let (first, second) = rest.strip_suffix(')').and_then(|inside| inside.split_once(',')).ok_or_else(form)?;
    let angle = angle_of([first, second]);
    let (first, second) = (number(first).map_err(failed)?, number(second).map_err(failed)?);
    let distribution = match kind.trim() {
        "uniform" => {
            ascending(first, second).map_err(failed)?;
            Distribution::Uniform { from: first, to: second }
        }
        "normal" if second > 0.0 => Distribution::Normal { mean: first, deviation: second },
        "normal" => return Err(failed(format!("the deviation is {}; it must be positive", Number(second)))),
        _ => return Err(form()),
    };
    Ok(Sample { name: name.to_owned(), distribution, angle })
}

/// Splits `NAME=…`. `form` is what the user should write.
fn named<'a>(text: &'a str, form: &str) -> Result<(&'a str, &'a str), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` has no `=`; write {form}"))?;
    match name.trim() {
        "" => Err(format!("`{text}` has no name before `=`")),
        name => Ok((name, value.trim())),
    }
}

/// The first of these texts that is an angle in degrees.
fn angle_of(texts: [&str; 2]) -> Option<String> {
    texts.into_iter().find(|text| parse::is_angle(text)).map(|text| text.trim().to_owned())
}

/// Checks that a range goes up and has a finite length.
fn ascending(first: f64, last: f64) -> Result<(), String> {
    let [from, to] = [Number(first), Number(last)];
    if first == last {
        return Err(format!("the range from {from} to {to} is empty"));
    }
    if first > last {
        return Err(format!("the range from {from} to {to} goes down; begin with the smaller value"));
    }
    if !(last - first).is_finite() {
        return Err(format!("the range from {from} to {to} is too long"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let range = |name: &str, (first, last, count)| {
            let angle = (name == "dot(x)").then(|| "-180deg".to_owned());
            Ok(Vary {
                name: name.to_owned(),
                range: Range { first, last, count, logarithmic: false },
                is_nominal: false,
                angle,
            })
        };
        assert_eq!(vary("theta1=-3..3:512"), range("theta1", (-3.0, 3.0, 512)));
        assert_eq!(vary(" dot(x) = -180deg .. 1e1 : 2"), range("dot(x)", (-std::f64::consts::PI, 10.0, 2)));
        assert_eq!(vary("m=2..2:1"), range("m", (2.0, 2.0, 1)));
        let logarithmic = vary("m=1e-3..10 : 5 : log").expect("right").range;
        let values: Vec<f64> = (0..5).map(|index| logarithmic.value(index)).collect();
        assert_eq!([values[0], values[4]], [1e-3, 10.0]);
        assert!(values.windows(2).all(|pair| (pair[1] / pair[0] - 10.0).abs() < 1e-13), "{values:?}");
        assert_eq!(logarithmic.text(), "0.001..10.0:5:log");
    }

    #[test]
    fn sections_are_read_and_bad_ones_named() {
        let found = |text: &str| section(text).map(|section| (section.crossing, section.direction));
        let crossing =
            |label: &str| Until { quantity: "x_dot".to_owned(), absolute: false, value: 0.5, label: label.to_owned() };
        assert_eq!(found("x_dot=0.5"), Ok((crossing("x_dot=0.5"), Direction::Rising)));
        assert_eq!(found("x_dot=0.5:falling"), Ok((crossing("x_dot=0.5:falling"), Direction::Falling)));
        assert_eq!(found(" x_dot=0.5: both"), Ok((crossing("x_dot=0.5: both"), Direction::Any)));
        for (text, told) in
            [("x=0:up", "`up` is no direction; write rising, falling or both"), ("x:rising", "has no `=`")]
        {
            let message = section(text).expect_err(text);
            assert!(message.contains(told), "{text}: {message}");
        }
    }

    #[test]
    fn a_nominal_range_stands_in_place_of_ends() {
        let stated = [("m", [0.1, 10.0]), ("theta", [-3.0, 3.0])];
        let found = |text: &str| vary(text).expect("the form is right").range_of(&stated).map(Range::text);
        assert_eq!(found("m:5"), Ok("0.1..10.0:5".to_owned()));
        assert_eq!(found(" m : 5:log"), Ok("0.1..10.0:5:log".to_owned()));
        assert_eq!(found("m=1..2:5"), Ok("1.0..2.0:5".to_owned()));
        let none = found("l:5").expect_err("there is none");
        assert_eq!(none, "`l` states no nominal range (known: `m`, `theta`); write l=FROM..TO:COUNT");
        assert!(found("theta:5:log").expect_err("below 0").contains("the nominal one begins at -3"));
        for (text, told) in [
            ("m:0", "m: 0 values are none"),
            ("m:x", "m: `x` is not a whole number"),
            ("m:5:up", "m: `up` stands in the place of `log`"),
            (":5", "no name before `:5`"),
        ] {
            let message = vary(text).expect_err(text);
            assert!(message.contains(told), "{text}: {message}");
        }
    }

    #[test]
    fn bad_ranges_are_named() {
        for (text, told) in [
            ("m", "`m` has no `=`; write NAME=FROM..TO:COUNT"),
            ("=1..2:3", "no name before `=`"),
            ("m=1..2", "m: `1..2` is no range; write FROM..TO:COUNT"),
            ("m=0..2:5:log", "m: a logarithmic range begins above 0, and this one begins at 0"),
            ("m=1..2:log", "m: `1..2:log` is no range"),
            ("m=1:3", "m: `1:3` is no range"),
            ("m=1..two:3", "m: `two` is not a number"),
            ("m=1..inf:3", "m: `inf` is inf; it must be finite"),
            ("m=nan..2:3", "m: `nan` is NaN; it must be finite"),
            ("m=1..2:0", "m: 0 values are none; COUNT must be at least 1"),
            ("m=1..2:-1", "m: `-1` is not a whole number from 1"),
            ("m=3..-3:5", "m: the range from 3 to -3 goes down"),
            ("m=3..3:5", "m: the range from 3 to 3 is empty"),
            ("m=-1e308..1e308:5", "is too long"),
        ] {
            let message = vary(text).expect_err(text);
            assert!(message.contains(told), "{text}: {message}");
        }
    }

    #[test]
    fn distributions_are_read_and_bad_ones_named() {
        let mut random = Random::new(1, 2);
        let drawn = sample("m=uniform(1, 2)").expect("right").draw(&mut random);
        assert_eq!(drawn, Random::new(1, 2).uniform(1.0..2.0));
        assert!((sample("m=normal(5,1e-9)").expect("right").draw(&mut random) - 5.0).abs() < 1e-7);
        for (text, told) in [
            ("m=gauss(1,2)", "m: `gauss(1,2)` is no distribution; write uniform(FROM,TO)"),
            ("m=uniform(1;2)", "is no distribution"),
            ("m=uniform(2,1)", "m: the range from 2 to 1 goes down"),
            ("m=normal(2,0)", "m: the deviation is 0; it must be positive"),
            ("m=normal(2,x)", "m: `x` is not a number"),
        ] {
            let message = sample(text).expect_err(text);
            assert!(message.contains(told), "{text}: {message}");
        }
    }
}
