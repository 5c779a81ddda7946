//! The options that say what differs from member to member.

use crate::parse::number;
use lagrange_runtime::error::Number;
use lagrange_runtime::sampling::{Axis, Random};

/// A quantity that takes evenly spaced values, `NAME=FROM..TO:COUNT`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Vary {
    pub(super) name: String,
    /// The first value, the last value and the number of values.
    pub(super) axis: Axis,
}

/// A quantity that takes random values, `NAME=uniform(FROM,TO)` or `NAME=normal(MEAN,DEVIATION)`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) name: String,
    distribution: Distribution,
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

/// Reads `NAME=FROM..TO:COUNT`.
pub(super) fn vary(text: &str) -> Result<Vary, String> {
    let (name, range) = named(text, "NAME=FROM..TO:COUNT")?;
    let failed = |error: String| format!("{name}: {error}");
    let form = || format!("{name}: `{range}` is no range; write FROM..TO:COUNT, for example -1..1:101");
    let (ends, count) = range.rsplit_once(':').ok_or_else(form)?;
    let (first, last) = ends.split_once("..").ok_or_else(form)?;
    let (first, last) = (number(first).map_err(failed)?, number(last).map_err(failed)?);
    let count = match count.trim().parse::<u32>() {
        Ok(0) => return Err(failed("0 values are none; COUNT must be at least 1".to_owned())),
        Ok(count) => count,
        Err(_) => return Err(failed(format!("`{}` is not a whole number from 1 to {}", count.trim(), u32::MAX))),
    };
    if count > 1 {
        ascending(first, last).map_err(failed)?;
    }
    Ok(Vary { name: name.to_owned(), axis: (first, last, count) })
}

/// Reads `NAME=uniform(FROM,TO)` or `NAME=normal(MEAN,DEVIATION)`.
pub(super) fn sample(text: &str) -> Result<Sample, String> {
    let (name, written) = named(text, "NAME=uniform(FROM,TO) or NAME=normal(MEAN,DEVIATION)")?;
    let failed = |error: String| format!("{name}: {error}");
    let form = || failed(format!("`{written}` is no distribution; write uniform(FROM,TO) or normal(MEAN,DEVIATION)"));
    let (kind, rest) = written.split_once('(').ok_or_else(form)?;
    let (first, second) = rest.strip_suffix(')').and_then(|inside| inside.split_once(',')).ok_or_else(form)?;
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
    Ok(Sample { name: name.to_owned(), distribution })
}

/// Splits `NAME=…`. `form` is what the user should write.
fn named<'a>(text: &'a str, form: &str) -> Result<(&'a str, &'a str), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` has no `=`; write {form}"))?;
    match name.trim() {
        "" => Err(format!("`{text}` has no name before `=`")),
        name => Ok((name, value.trim())),
    }
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
        let range = |name: &str, axis| Ok(Vary { name: name.to_owned(), axis });
        assert_eq!(vary("theta1=-3..3:512"), range("theta1", (-3.0, 3.0, 512)));
        assert_eq!(vary(" dot(x) = -180deg .. 1e1 : 2"), range("dot(x)", (-std::f64::consts::PI, 10.0, 2)));
        assert_eq!(vary("m=2..2:1"), range("m", (2.0, 2.0, 1)));
    }

    #[test]
    fn bad_ranges_are_named() {
        for (text, told) in [
            ("m", "`m` has no `=`; write NAME=FROM..TO:COUNT"),
            ("=1..2:3", "no name before `=`"),
            ("m=1..2", "m: `1..2` is no range; write FROM..TO:COUNT"),
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
