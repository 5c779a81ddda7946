//! Curves as CSV.

use std::io::{self, Write};

/// A table of numbers.
#[derive(Clone, Debug)]
pub struct Series {
    /// The file's name without its extension.
    pub name: String,
    /// The columns' names, with their units.
    pub columns: Vec<&'static str>,
    /// Each as long as `columns`.
    pub rows: Vec<Vec<f64>>,
}

impl Series {
    /// Writes a line of names and one line a row, in the shortest digits that give the same number again.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.columns.join(","))?;
        for row in &self.rows {
            write_row(out, row)?;
        }
        Ok(())
    }
}

/// Writes one line of numbers.
pub fn write_row(out: &mut dyn Write, row: &[f64]) -> io::Result<()> {
    write_cells(out, row)?;
    writeln!(out)
}

/// Writes numbers with commas between them.
pub(crate) fn write_cells(out: &mut dyn Write, row: &[f64]) -> io::Result<()> {
    for (index, value) in row.iter().enumerate() {
        if index > 0 {
            write!(out, ",")?;
        }
        // Plain digits for the usual magnitudes, which every reader takes.
        if *value == 0.0 || (1e-4..1e15).contains(&value.abs()) {
            write!(out, "{value}")?;
        } else {
            write!(out, "{value:e}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_exactly() {
        let rows = vec![vec![0.1, 1e-300], vec![-2.0 / 3.0, 1e22]];
        let series = Series { name: "x".to_owned(), columns: vec!["a (m)", "b"], rows: rows.clone() };
        let mut bytes = Vec::new();
        series.write(&mut bytes).expect("writing to memory succeeds");
        let text = String::from_utf8(bytes).expect("numbers are text");
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("a (m),b"));
        let read: Vec<Vec<f64>> =
            lines.map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect();
        assert_eq!(read, rows);
    }
}
