//! The settings that decide every digit of the parts.

use super::Layout;
use crate::catalog::{Model, Quantity, Request, States};
use crate::command::sweep::plan::Plan;
use serde_json::{Map, Value, json};

/// The version of the layout of the directory.
const LAYOUT: u32 = 1;

/// How many differences a message names.
const NAMED: usize = 3;

/// The settings of a sweep in parts, by name. Two sweeps with the same settings write the same files to the bit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Manifest(Vec<(String, String)>);

impl Manifest {
    /// The settings of this plan and this layout.
    pub(super) fn new(plan: &Plan, layout: &Layout) -> Self {
        let Plan { model, request, members, .. } = plan;
        let mut settings: Vec<(String, String)> = Vec::new();
        let mut add = |name: &str, value: String| settings.push((name.to_owned(), value));
        add("model", model.name().to_owned());
        add("block of the mechanism", model.block().to_owned());
        for (name, value) in parameters(*model, request).into_iter().filter(|(name, _)| !members.varies(name)) {
            add(&format!("set {name}"), format!("{value:?}"));
        }
        for (name, value, given) in initial(*model, request).into_iter().filter(|(name, ..)| !members.varies(name)) {
            let given = if given { "" } else { " (default)" };
            add(&format!("initial {name}"), format!("{value:?}{given}"));
        }
        for (name, value) in members.settings() {
            add(name, value);
        }
        for (name, law) in &request.feedback.laws {
            add(&format!("input {name}"), law.clone());
        }
        if let Some(period) = request.feedback.period {
            add("period", format!("{period:?}"));
        }
        let until: Vec<&str> = request.until.iter().map(|until| &until.label[..]).collect();
        add("until", until.join(" "));
        add(
            "recorded",
            match &request.states {
                States::Section { crossing, from, .. } => format!("section {} after {from:?}", crossing.label),
                States::Every { from, interval } => format!("every {interval:?} after {from:?}"),
                States::At(times) => format!("at {times:?}"),
                States::EveryStep | States::Points(_) => "nothing".to_owned(),
            },
        );
        add("lyapunov", request.exponent.map_or_else(|| "not computed".to_owned(), |from| format!("after {from:?}")));
        if let Some(extremes) = plan.extremes.setting() {
            add("extremes", extremes);
        }
        add("t-end", format!("{:?}", request.t_end));
        add("project", request.project.to_string());
        add("method", plan.method.clone());
        let method = request.method;
        let numbers =
            [("step", method.step), ("rtol", method.rtol), ("atol", method.atol), ("max-step", method.max_step)];
        for (name, value) in numbers {
            add(name, value.map_or_else(|| "default".to_owned(), |value| format!("{value:?}")));
        }
        add("max-steps", request.max_steps.map_or_else(|| "no limit".to_owned(), |count| count.to_string()));
        add("members", members.total.to_string());
        add("block", layout.block.to_string());
        add("format", layout.format.extension().to_owned());
        add("version", env!("CARGO_PKG_VERSION").to_owned());
        Self(settings)
    }

    /// The text of the file.
    pub(super) fn text(&self) -> String {
        let settings: Map<String, Value> =
            self.0.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
        format!("{:#}\n", json!({ "layout": LAYOUT, "settings": settings }))
    }

    /// The differences between the settings in the text of a file and these, in words. There is none if they are the same.
    ///
    /// # Errors
    /// The text says why the file is no manifest of this layout.
    pub(super) fn differences(&self, text: &str) -> Result<Vec<String>, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let found = value.get("settings").and_then(Value::as_object).filter(|_| value["layout"] == LAYOUT);
        let found = found.ok_or_else(|| format!("it is not a manifest of layout {LAYOUT}"))?;
        let before = |name: &str| found.get(name).and_then(Value::as_str);
        let changed = self.0.iter().filter(|(name, value)| before(name) != Some(value));
        let mut differences: Vec<String> =
            changed.map(|(name, value)| describe(name, before(name), Some(value))).collect();
        for (name, value) in found.iter().filter(|(name, _)| self.0.iter().all(|(known, _)| known != *name)) {
            differences.push(describe(name, value.as_str(), None));
        }
        if let Some(more) = differences.len().checked_sub(NAMED).filter(|more| *more > 0) {
            differences.truncate(NAMED);
            differences.push(format!("{more} more"));
        }
        Ok(differences)
    }
}

/// A difference in words. A setting with a long text is only named.
fn describe(name: &str, before: Option<&str>, now: Option<&str>) -> String {
    if [before, now].iter().flatten().any(|text| text.contains('\n') || text.chars().count() > 100) {
        return format!("`{name}` is another one");
    }
    match (before, now) {
        (Some(before), Some(now)) => format!("`{name}` was `{before}` and is now `{now}`"),
        (Some(before), None) => format!("`{name}` was `{before}` and is not there now"),
        (None, _) => format!("`{name}` is new"),
    }
}

/// The values of all parameters and inputs.
fn parameters(model: &dyn Model, request: &Request) -> Vec<(String, f64)> {
    let given = |name: &str| request.set.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
    let all = model.parameters().into_iter();
    all.map(|parameter| (parameter.name.to_owned(), given(parameter.name).unwrap_or(parameter.default))).collect()
}

/// The initial values of all coordinates, velocities and states, and whether the request has them: under constraints, such values are kept.
fn initial(model: &dyn Model, request: &Request) -> Vec<(String, f64, bool)> {
    let components = model.components();
    let (q, v) = model.initial();
    let names = Quantity::names(components, &[]).into_iter();
    let mut values: Vec<(String, f64, bool)> =
        names.zip(q.into_iter().chain(v)).map(|(name, value)| (name, value, false)).collect();
    for (name, value) in &request.initial {
        let place = Quantity::find(name, components, &[]).ok().map(|quantity| quantity.place(components));
        if let Some((_, known, given)) = place.and_then(|place| values.get_mut(place)) {
            (*known, *given) = (*value, true);
        }
    }
    values
}
