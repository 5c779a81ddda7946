//! The rows as `results.json`.

use super::row::Row;
use serde_json::{Value, json};

/// An array with one object a row: `study` a number; `experiment`, `quantity`, `unit`, `source`, `statement`, `reason`, `note`
/// strings; `published`, `ours` numbers or null; `origin` the word "printed", "recomputed" or "expected", or null; `holds` a boolean
/// or null.
pub fn results(rows: &[Row]) -> Value {
    rows.iter()
        .map(|row| {
            json!({
                "study": row.study,
                "experiment": row.experiment,
                "quantity": row.quantity,
                "unit": row.unit,
                "published": row.published,
                "origin": row.origin.map(|origin| format!("{origin:?}").to_lowercase()),
                "source": row.source(),
                "statement": row.statement.map_or("", |statement| statement.says),
                "reason": row.statement.map_or("", |statement| statement.reason),
                "ours": row.ours,
                "holds": row.holds,
                "note": row.note,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::row::Published;

    #[test]
    fn every_member_has_its_type() {
        let rows = [
            Row::compared((1, "1"), "period", "s", Published::printed("2.84"), 2.8385, "read from a figure"),
            Row::time((1, "4"), "computing time", Published::printed("2.458842"), 0.1),
            Row::ours((3, "demo"), "error", "rad", f64::NAN, ""),
        ];
        let value = results(&rows);
        let rows = value.as_array().expect("an array");
        assert_eq!(rows.len(), 3);
        for row in rows {
            assert_eq!(row.as_object().map(serde_json::Map::len), Some(12));
            assert!(row["study"].is_u64());
            assert!(
                ["experiment", "quantity", "unit", "source", "statement", "reason", "note"]
                    .iter()
                    .all(|name| row[*name].is_string())
            );
            assert!(["published", "ours"].iter().all(|name| row[*name].is_number() || row[*name].is_null()));
            assert!(row["holds"].is_boolean() || row["holds"].is_null());
        }
        assert_eq!(rows[0]["holds"], json!(true));
        assert_eq!(rows[1]["holds"], Value::Null);
        assert_eq!(rows[2]["ours"], Value::Null, "JSON has no NaN");
    }
}
