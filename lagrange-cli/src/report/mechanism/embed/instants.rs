//! What happened at instants, as a table.

use super::{INSTANT_VALUES, number};
use crate::catalog::with_unit;
use crate::report::mechanism::MechanismReport;
use crate::report::mechanism::data::InstantRow;
use serde_json::{Value, json};

/// What happened at instants, as the heads and the rows of a table, and the number of the rows.
pub(super) fn instants(report: &MechanismReport) -> (Value, usize) {
    let rates = report.coordinates.iter().map(|name| format!("{name}_dot"));
    let states = report.states.iter().map(|row| row.name.clone());
    let components: Vec<String> = report.coordinates.iter().cloned().chain(rates).chain(states).collect();
    let heads =
        [with_unit("time", report.units.time).as_str(), "what", "name", "impulse"].map(str::to_owned).into_iter();
    let heads = heads.chain(components.iter().map(|name| format!("before({name})")));
    let heads: Vec<String> = heads.chain(components.iter().map(|name| format!("after({name})"))).collect();
    let count = report.instants.len().min(INSTANT_VALUES / heads.len());
    let row = |row: &InstantRow| {
        // Impacts of a body that comes to rest are close to each other.
        let numbers =
            std::iter::once(&row.impulse).chain(&row.before).chain(&row.after).map(|value| number(*value, 15));
        [number(row.t, 15), json!(row.what), json!(row.name)].into_iter().chain(numbers).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<Value>> = report.instants.iter().take(count).map(row).collect();
    (json!({ "heads": heads, "rows": rows }), count)
}
