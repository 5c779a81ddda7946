//! What a document states, and the verdict over it.
//!
//! A statement is one claim at one place of a document. Rows of the table judge it: one row for each part or each reading of it. A
//! statement counts once, however many rows judge it.

use super::row::Row;

/// One claim of a document.
#[derive(Debug, PartialEq, Eq)]
pub struct Statement {
    /// The document's number.
    pub study: u32,
    /// The place: a section, an equation, a figure or a table.
    pub place: &'static str,
    /// What the document says there.
    pub says: &'static str,
    /// Why the verdict is as it is: whole sentences.
    pub reason: &'static str,
}

/// The verdict over a statement, from the rows that judge it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every row holds.
    Holds,
    /// No row holds.
    Fails,
    /// Some rows hold and some do not: it depends on the reading, or one part is true and another is not.
    Partly,
    /// No row judges it.
    Unjudged,
}

impl Verdict {
    /// All verdicts, in the order of tables.
    pub const ALL: [Self; 4] = [Self::Holds, Self::Fails, Self::Partly, Self::Unjudged];

    /// Returns the verdict in words, as the predicate of one statement.
    pub fn words(self) -> &'static str {
        self.plural(1)
    }

    /// Returns the verdict in words, as the predicate of `count` statements.
    pub fn plural(self, count: usize) -> &'static str {
        match (self, count == 1) {
            (Self::Holds, true) => "holds",
            (Self::Holds, false) => "hold",
            (Self::Fails, true) => "does not hold",
            (Self::Fails, false) => "do not hold",
            (Self::Partly, true) => "holds in part",
            (Self::Partly, false) => "hold in part",
            (Self::Unjudged, true) => "is not judged",
            (Self::Unjudged, false) => "are not judged",
        }
    }
}

impl Statement {
    /// Returns the rows that belong to this statement, in their order.
    pub fn rows<'r>(&'static self, rows: &'r [Row]) -> impl Iterator<Item = &'r Row> + Clone {
        rows.iter().filter(move |row| row.statement == Some(self))
    }

    /// Returns the verdict that `rows` give.
    pub fn verdict(&'static self, rows: &[Row]) -> Verdict {
        let judged = || self.rows(rows).filter_map(|row| row.holds);
        match (judged().any(|holds| holds), judged().any(|holds| !holds)) {
            (true, true) => Verdict::Partly,
            (true, false) => Verdict::Holds,
            (false, true) => Verdict::Fails,
            (false, false) => Verdict::Unjudged,
        }
    }
}

/// Returns how many of the statements have each verdict, in the order of [`Verdict::ALL`].
pub fn tally<'s>(statements: impl Iterator<Item = &'s &'static Statement> + Clone, rows: &[Row]) -> [usize; 4] {
    Verdict::ALL.map(|verdict| statements.clone().filter(|statement| statement.verdict(rows) == verdict).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::row::Published;

    static PERIOD: Statement = Statement { study: 1, place: "§1", says: "The period is 2 s.", reason: "It is." };
    static FORCE: Statement = Statement { study: 1, place: "§2", says: "The force is 3 N.", reason: "It is not." };
    static COST: Statement = Statement { study: 1, place: "§3", says: "It takes 4 s.", reason: "A clock decides." };

    fn row(statement: &'static Statement, printed: &'static str, ours: f64) -> Row {
        Row::compared((1, "1"), "x", "", Published::printed(printed).of(statement), ours, "")
    }

    #[test]
    fn a_statement_counts_once_whatever_the_number_of_its_rows() {
        let rows = [row(&PERIOD, "2", 2.1), row(&PERIOD, "2", 1.9), row(&FORCE, "3", 3.2), row(&FORCE, "3", 4.0)];
        assert_eq!(tally([&PERIOD, &FORCE, &COST].iter(), &rows), [1, 0, 1, 1]);
        assert_eq!(FORCE.verdict(&rows[3..]), Verdict::Fails);
    }

    #[test]
    fn a_time_judges_nothing() {
        let rows = [Row::time((1, "1"), "time", Published::printed("4").of(&COST), 0.1)];
        assert_eq!((COST.verdict(&rows), COST.rows(&rows).count()), (Verdict::Unjudged, 1));
    }
}
