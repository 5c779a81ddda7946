//! Motions that a report draws over its own: with other values, and of the linearised equations.

use crate::catalog::{LinearAt, LinearMotion, Model, Request, RequestError, with_unit};
use crate::command::Failure;
use crate::command::motion::Motion;
use crate::command::setup::{Setting, setting};
use crate::report::mechanism::{BesideMotion, MechanismReport, SeriesRow};
use crate::report::number;
use lagrange_runtime::error::Number;

/// Values that another motion has, as the user wrote them.
#[derive(Clone, Debug)]
pub(super) struct Changes {
    text: String,
    settings: Vec<Setting>,
}

/// Reads `NAME=VALUE` or several of them with commas between them.
pub(super) fn changes(text: &str) -> Result<Changes, String> {
    let mut depth = 0_u32;
    let parts = text.split(|sign| {
        match sign {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        sign == ',' && depth == 0
    });
    let settings = parts.map(setting::setting).collect::<Result<_, _>>()?;
    Ok(Changes { text: text.trim().to_owned(), settings })
}

/// The motions that are drawn over that of the page.
pub(super) struct Overlaid {
    label: String,
    motions: Vec<BesideMotion>,
    linear: Option<LinearMotion>,
    warnings: Vec<String>,
}

impl Overlaid {
    /// Computes the motions.
    ///
    /// # Errors
    /// [`Failure`] of a value that is not allowed, or of a motion that has no first step.
    pub(super) fn new(
        model: &dyn Model,
        request: &Request,
        beside: &[Changes],
        linear: Option<LinearAt>,
    ) -> Result<Self, Failure> {
        let mut label = Vec::new();
        let (mut motions, mut warnings) = (Vec::new(), Vec::new());
        for changes in beside {
            let failed = |failure: Failure| failure.inside(&format!("--beside {}", changes.text));
            let changed = changed(model, request, changes).map_err(failed)?;
            for name in changes.settings.iter().map(Setting::name) {
                let text = format!("{name} = {}", own_value(model, request, name));
                if !label.contains(&text) {
                    label.push(text);
                }
            }
            let (motion, warning) = motion(model, &changed, changes).map_err(failed)?;
            motions.push(motion);
            warnings.extend(warning);
        }
        if linear.is_some() && !request.feedback.laws.is_empty() {
            return Err(Failure::Usage(
                "--linear linearises the mechanism with constant inputs; leave out --input".to_owned(),
            ));
        }
        let points = request.times()?.map_or(2, |times| times.len());
        let linear = linear.map(|at| model.linear_motion(request, at, points)).transpose()?;
        let label = if label.is_empty() { "the nonlinear equations".to_owned() } else { label.join(", ") };
        Ok(Self { label, motions, linear, warnings })
    }

    /// Adds the motions to a page. `units` are those of the coordinates, and then of the states.
    pub(super) fn add_to(self, page: &mut MechanismReport, units: &[&str]) {
        let Self { label, motions, linear, warnings } = self;
        page.warnings.extend(warnings);
        if motions.is_empty() && linear.is_none() {
            return;
        }
        page.label = label;
        page.beside = motions;
        if let Some(linear) = linear {
            page.comparisons = deviations(page, &linear, units);
            let shown = shown(page, &linear);
            if let Some(end) = linear.t.get(shown) {
                let end = with_unit(number::text(*end, 4), page.units.time);
                page.comparisons.push(format!(
                    "The linear motion leaves the pictures at {end}, where a coordinate is farther beyond its range than the range is long; its curves end there."
                ));
            }
            let linear = cut(linear, shown);
            let names = page.states.iter().map(|row| row.name.clone());
            let coordinates = linear.q.len();
            let states = names.zip(linear.v.iter().skip(coordinates));
            page.beside.push(BesideMotion {
                name: "linear".to_owned(),
                states: states.map(|(name, series)| SeriesRow { name, series: series.clone() }).collect(),
                v: linear.v.into_iter().take(coordinates).collect(),
                q: linear.q,
                t: linear.t,
                ..BesideMotion::default()
            });
        }
    }
}

/// The request for the motion with other values. A value that the request has already is replaced.
fn changed(model: &dyn Model, request: &Request, changes: &Changes) -> Result<Request, Failure> {
    let is_initial = |setting: &&Setting| model.components().find(setting.name()).is_some();
    let (initial, set): (Vec<&Setting>, Vec<&Setting>) = changes.settings.iter().partition(is_initial);
    let initial = setting::initial(initial.into_iter(), model)?;
    let set = setting::resolve(set.into_iter(), model)?;
    let mut changed = request.clone();
    // `x_dot` and `dot(x)` name one velocity.
    let components = model.components();
    let place = |name: &str| components.find(name);
    changed.initial.retain(|(name, _)| initial.iter().all(|(other, _)| place(other) != place(name)));
    changed.set.retain(|(name, _)| set.iter().all(|(other, _)| other != name));
    changed.initial.extend(initial);
    changed.set.extend(set);
    Ok(changed)
}

/// The value that the motion of the page has, as a text.
fn own_value(model: &dyn Model, request: &Request, name: &str) -> String {
    let components = model.components();
    if let Some((index, kind)) = components.find(name) {
        let given = request.initial.iter().find(|(known, _)| components.find(known) == Some((index, kind)));
        let (q, v) = model.initial();
        let published = if kind == 0 { q[index] } else { v[index] };
        return Number(given.map_or(published, |(_, value)| *value)).to_string();
    }
    let value = |name: &str, default: f64| {
        let given = request.set.iter().find(|(known, _)| known == name);
        Number(given.map_or(default, |(_, value)| *value)).to_string()
    };
    let parameters = model.parameters();
    match parameters.iter().find(|parameter| parameter.name == name) {
        Some(parameter) => value(name, parameter.default),
        None => {
            let of_array = |place: &&str| place.strip_prefix(name).is_some_and(|rest| rest.starts_with('['));
            let elements = parameters.iter().filter(|parameter| of_array(&parameter.name));
            let values: Vec<String> = elements.map(|parameter| value(parameter.name, parameter.default)).collect();
            format!("[{}]", values.join(", "))
        }
    }
}

/// A motion with other values, and a warning where it ends early.
fn motion(model: &dyn Model, request: &Request, changes: &Changes) -> Result<(BesideMotion, Option<String>), Failure> {
    model.start(request)?;
    let mut motion = Motion::new(model, request.t_end);
    let warning = match model.simulate(request, &mut motion) {
        Ok(summary) => summary.warnings.first().cloned(),
        Err(RequestError::Failed(failed)) if motion.t.len() > 1 => Some(failed.text),
        Err(error) => return Err(error.into()),
    };
    let rows = |names: &[&str], series: Vec<Vec<f64>>| -> Vec<SeriesRow> {
        names.iter().zip(series).map(|(name, series)| SeriesRow { name: (*name).to_owned(), series }).collect()
    };
    let states = motion.v.split_off(motion.q.len().min(motion.v.len()));
    let name = changes.text.replace('=', " = ").replace("  ", " ");
    Ok((
        BesideMotion {
            t: motion.t,
            q: motion.q,
            v: motion.v,
            states: rows(model.states(), states),
            energy: motion.energy,
            outputs: rows(model.outputs(), motion.outputs),
            name,
        },
        warning.map(|warning| format!("The motion with {}: {warning}.", changes.text)),
    ))
}

/// How far the linear motion is from that of the page, in sentences.
fn deviations(page: &MechanismReport, linear: &LinearMotion, units: &[&str]) -> Vec<String> {
    let states = page.states.iter().map(|row| &row.name);
    let place = page.coordinates.iter().chain(states.clone()).zip(&linear.at);
    let place: Vec<String> = place.map(|(name, value)| format!("{name} = {}", number::text(*value, 4))).collect();
    let about = format!("The linear motion solves the equations linearised at {}.", place.join(", "));
    let own = page.q.iter().chain(page.states.iter().map(|row| &row.series));
    let others = linear.q.iter().chain(linear.v.iter().skip(linear.q.len()));
    let units = units.iter().copied().chain(std::iter::repeat(""));
    let each = page.coordinates.iter().chain(states).zip(own.zip(others)).zip(units);
    let sentences = each.map(|((name, (own, other)), unit)| {
        let Deviation { largest, at, range } = deviation((&page.t, own), (&linear.t, other));
        let part = if range > 0.0 {
            format!(", {} % of its range", number::text(100.0 * largest / range, 2))
        } else {
            String::new()
        };
        format!(
            "{name}: the linear motion differs by at most {}{part}, at {}.",
            with_unit(number::text(largest, 3), unit),
            with_unit(number::text(at, 4), page.units.time)
        )
    });
    std::iter::once(about).chain(sentences).collect()
}

/// The number of samples of the linear motion that are drawn. The curves end where a coordinate leaves its range on the page by more than the length of
/// this range: a linear motion that grows would otherwise leave no room for the other curves.
fn shown(page: &MechanismReport, linear: &LinearMotion) -> usize {
    let of_coordinate = |(own, other): (&Vec<f64>, &Vec<f64>)| {
        let low = own.iter().copied().fold(f64::INFINITY, f64::min);
        let high = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // A coordinate that rests has the size of its value as its range.
        let range = if high > low { high - low } else { low.abs() };
        let beyond = |value: &f64| range > 0.0 && !(low - range..=high + range).contains(value);
        other.iter().position(beyond)
    };
    page.q.iter().zip(&linear.q).filter_map(of_coordinate).min().unwrap_or(linear.t.len())
}

/// The first samples of a linear motion.
fn cut(mut linear: LinearMotion, count: usize) -> LinearMotion {
    linear.t.truncate(count);
    linear.q.iter_mut().chain(&mut linear.v).for_each(|series| series.truncate(count));
    linear
}

/// The largest difference of two curves.
struct Deviation {
    largest: f64,
    /// The time at which it is reached.
    at: f64,
    /// The extent of the first curve.
    range: f64,
}

/// Compares two curves at the times that both have.
fn deviation((own_t, own): (&[f64], &[f64]), (other_t, other): (&[f64], &[f64])) -> Deviation {
    let mut found = Deviation { largest: 0.0, at: own_t.first().copied().unwrap_or_default(), range: 0.0 };
    let mut rest = other_t.iter().zip(other).peekable();
    let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
    for (t, value) in own_t.iter().zip(own) {
        (low, high) = (low.min(*value), high.max(*value));
        while rest.next_if(|(time, _)| *time < t).is_some() {}
        let Some((time, other)) = rest.peek() else { break };
        let difference = (**other - value).abs();
        if *time == t && (difference > found.largest || difference.is_nan()) {
            (found.largest, found.at) = (difference, *t);
        }
    }
    found.range = (high - low).max(0.0);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_separated_by_commas_outside_of_brackets() {
        let names = |text: &str| {
            changes(text).map(|found| found.settings.iter().map(|s| s.name().to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(names("k=3, tau=[1, 2], x=max(1, 2)"), Ok(vec!["k".to_owned(), "tau".to_owned(), "x".to_owned()]));
        assert!(names("k").is_err() && names("k=3,").is_err() && names("").is_err());
    }

    #[test]
    fn deviations_are_those_at_common_times() {
        let own = (&[0.0, 1.0, 1.5, 2.0][..], &[0.0, 1.0, 9.0, 4.0][..]);
        let found = deviation(own, (&[0.0, 0.5, 1.0, 2.0], &[0.0, 7.0, 1.5, 3.0]));
        assert_eq!((found.largest, found.at, found.range), (1.0, 2.0, 9.0));
    }

    #[test]
    fn a_linear_motion_that_grows_is_drawn_until_it_leaves_the_picture() {
        let t: Vec<f64> = (0..10).map(f64::from).collect();
        let grown: Vec<f64> = t.iter().map(|t| t * t).collect();
        let page = MechanismReport { t: t.clone(), q: vec![vec![0.0, 10.0]], ..MechanismReport::default() };
        let linear = LinearMotion { at: vec![0.0], t, q: vec![grown.clone()], v: vec![grown] };
        // 20 is the end of the picture.
        assert_eq!(shown(&page, &linear), 5);
        let drawn = cut(linear, 5);
        assert_eq!([drawn.t.len(), drawn.q[0].len(), drawn.v[0].len()], [5, 5, 5]);
    }
}
