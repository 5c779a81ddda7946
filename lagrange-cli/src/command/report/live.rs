//! What `report --live` gives to a page that computes.

use crate::catalog::{Model, Request, Start};
use crate::command::Failure;
use crate::report::live::Live;

#[cfg(not(feature = "export"))]
pub(super) fn live(_: &dyn Model, _: &Request, _: &Start) -> Result<Live, Failure> {
    Err(Failure::Usage(
        "this program does not contain the derivation, by which `--live` writes the equations; build it with `--features \
         lagrange-cli/export`"
            .to_owned(),
    ))
}

#[cfg(feature = "export")]
pub(super) use with_derivation::live;

#[cfg(feature = "export")]
mod with_derivation {
    use super::{Failure, Live, Model, Request, Start};
    use crate::catalog::Parameter;
    use crate::command::export::exported;
    use lagrange_symbolic::export::{ExportError, Language};
    use serde_json::{Value, json};

    /// The relative tolerance of a page. Curves of motions that are not chaotic then agree with those of closer tolerances to the width of
    /// their lines for thousands of periods.
    const RTOL: f64 = 1e-9;

    /// What the page computes, or why it cannot.
    pub(in crate::command::report) fn live(
        model: &dyn Model,
        request: &Request,
        start: &Start,
    ) -> Result<Live, Failure> {
        if !request.feedback.laws.is_empty() {
            return Ok(Live::Refused(vec![
                "An input follows a law of --input, which the page does not compute.".to_owned(),
            ]));
        }
        let export = match exported(model, Language::JavaScript)? {
            Ok(export) => export,
            Err(ExportError::OwnFunctions(names)) => {
                return Ok(Live::Refused(vec![format!(
                    "Its block calls functions that only Rust has: {}.",
                    names.join(", ")
                )]));
            }
            Err(ExportError::Mistakes(messages)) => {
                let texts: Vec<String> = messages.into_iter().map(|message| message.text).collect();
                return Err(Failure::Work(format!(
                    "the block of `{}` has mistakes: {}",
                    model.name(),
                    texts.join("\n")
                )));
            }
        };
        if !export.has_motion() {
            return Ok(Live::Refused(export.missing));
        }
        // A page shows no outputs that contain the forces of contacts.
        let outputs = if export.has("outputs") { model.outputs() } else { &[] };
        let Some(file) = export.files.into_iter().next() else { return Ok(Live::Refused(export.missing)) };
        Ok(Live::Computed { module: file.text, about: about(model, request, start, outputs) })
    }

    fn about(model: &dyn Model, request: &Request, start: &Start, outputs: &[&str]) -> Value {
        let value = |row: &Parameter| {
            request.set.iter().find(|(name, _)| name == row.name).map_or(row.default, |(_, value)| *value)
        };
        let rows = |inputs: bool| -> Vec<Value> {
            let rows = model.parameters();
            let rows = rows.iter().filter(|row| row.input == inputs);
            rows.map(|row| json!({ "name": row.name, "value": value(row), "unit": row.unit, "description": row.description }))
                .collect()
        };
        let ranges: serde_json::Map<_, _> =
            model.ranges().iter().map(|(name, range)| ((*name).to_owned(), json!(range))).collect();
        let units = model.units();
        json!({
            "name": model.name(),
            "coordinates": model.coordinates(),
            "states": model.states(),
            "constraints": model.constraints(),
            "outputs": outputs,
            "outputs_left_out": outputs.len() < model.outputs().len(),
            "parameters": rows(false),
            "inputs": rows(true),
            "ranges": ranges,
            "start": { "t": 0, "q": start.q, "v": start.v },
            "length": request.t_end,
            "rtol": RTOL,
            "units": { "time": units.time, "energy": units.energy },
        })
    }
}
