//! The counters of the work for members, and the remarks on their results. The rows of the table contain neither.

use super::row::Row;
use crate::catalog::describe;
use serde_json::{Value, json};

/// The work of some members, and the remarks on their results.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Work {
    pub(super) steps: u64,
    pub(super) rejected: u64,
    pub(super) evaluations: u64,
    /// The members that have a warning.
    pub(super) warned: Noted,
    /// The members whose start was moved onto the constraints.
    pub(super) moved: Noted,
}

/// The number of members with a remark of one kind, and the remark on the first of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Noted {
    pub(super) count: u64,
    pub(super) first: Option<(u64, String)>,
}

impl Noted {
    pub(super) fn add(&mut self, index: u64, text: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(|| (index, text()));
    }

    /// Returns a sentence about these members, or `None` if there is no such member. `does` has its verb, for one member and for
    /// several.
    pub(super) fn sentence(&self, total: u64, [does, do_]: [&str; 2]) -> Option<String> {
        let (index, text) = self.first.as_ref()?;
        let does = if self.count == 1 { does } else { do_ };
        Some(format!("{} of {total} members {does}; the first is member {index}: {text}", self.count))
    }

    /// Adds the remarks on members that come after these.
    fn append(&mut self, later: Self) {
        self.count += later.count;
        self.first = self.first.take().or(later.first);
    }

    fn json(&self) -> Value {
        let first = self.first.as_ref().map(|(index, text)| json!({ "index": index, "text": text }));
        json!({ "count": self.count, "first": first })
    }

    /// Reads a value that [`Noted::json`] has written. Returns `None` for any other value.
    fn from_json(value: &Value) -> Option<Self> {
        let first = match value.get("first")? {
            Value::Null => None,
            first => Some((first.get("index")?.as_u64()?, first.get("text")?.as_str()?.to_owned())),
        };
        Some(Self { count: value.get("count")?.as_u64()?, first })
    }
}

impl Work {
    /// Adds the member of this index.
    pub(super) fn add(&mut self, index: u64, row: &Row) {
        self.steps += row.statistics.steps;
        self.rejected += row.statistics.rejected;
        self.evaluations += row.statistics.evaluations;
        if let Some(warning) = row.warnings.first() {
            self.warned.add(index, || warning.clone());
        }
        if !row.moved.is_empty() {
            self.moved.add(index, || describe(&row.moved));
        }
    }

    /// Adds the counters and remarks of members that come after these.
    pub(super) fn append(&mut self, later: Self) {
        self.steps += later.steps;
        self.rejected += later.rejected;
        self.evaluations += later.evaluations;
        self.warned.append(later.warned);
        self.moved.append(later.moved);
    }

    /// Returns the text of a file with these sums.
    pub(super) fn text(&self) -> String {
        let value = json!({
            "steps": self.steps,
            "rejected": self.rejected,
            "evaluations": self.evaluations,
            "warned": self.warned.json(),
            "moved": self.moved.json(),
        });
        format!("{value:#}\n")
    }

    /// Reads a text that [`Work::text`] has written. Returns `None` for any other text.
    pub(super) fn read(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let count = |name: &str| value.get(name)?.as_u64();
        Some(Self {
            steps: count("steps")?,
            rejected: count("rejected")?,
            evaluations: count("evaluations")?,
            warned: Noted::from_json(value.get("warned")?)?,
            moved: Noted::from_json(value.get("moved")?)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_read_as_it_was_written_and_appended_in_order() {
        let noted = |index, text: &str| Noted { count: 2, first: Some((index, text.to_owned())) };
        let early = Work { steps: 3, warned: noted(1, "a \"quoted\"\nline"), ..Work::default() };
        let late = Work { steps: 4, rejected: 5, evaluations: u64::MAX, warned: noted(7, "b"), moved: noted(8, "c") };
        for work in [&early, &late] {
            assert_eq!(Work::read(&work.text()).as_ref(), Some(work));
        }
        let mut both = early.clone();
        both.append(late);
        assert_eq!((both.steps, both.rejected, both.warned.count), (7, 5, 4));
        assert_eq!((both.warned.first, both.moved.first), (early.warned.first, Some((8, "c".to_owned()))));
        assert_eq!(Work::read("{ \"steps\": 3 }"), None);
        assert_eq!(Work::read(""), None);
    }
}
