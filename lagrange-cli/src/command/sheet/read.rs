//! Reads back the tables that [`Table`](super::Table) writes.

use super::Columns;

/// A row that was read: its numbers, and its texts.
pub(in crate::command) type Cells = (Vec<f64>, Vec<String>);

/// Reads a table in CSV that has these columns.
///
/// # Errors
/// The text says in which line the table is another one, or is not complete.
pub(in crate::command) fn csv(text: &str, columns: &Columns) -> Result<Vec<Cells>, String> {
    let mut rest = text;
    let mut line = 0;
    let mut next = || -> Result<Option<Vec<String>>, String> {
        line += 1;
        if rest.is_empty() {
            return Ok(None);
        }
        let (cells, after) = record(rest).ok_or_else(|| format!("line {line} is not complete"))?;
        rest = after;
        Ok(Some(cells))
    };
    let names: Vec<&String> = columns.numbers.iter().chain(&columns.texts).collect();
    match next()? {
        Some(found) if found.iter().eq(names.iter().copied()) => {}
        _ => return Err("line 1 has other columns".to_owned()),
    }
    let mut rows = Vec::new();
    while let Some(mut cells) = next()? {
        let line = rows.len() + 2;
        if cells.len() != names.len() {
            return Err(format!("line {line} has {} cells instead of {}", cells.len(), names.len()));
        }
        let texts = cells.split_off(columns.numbers.len());
        let number = |cell: &String| cell.parse().map_err(|_| format!("line {line}: `{cell}` is no number"));
        rows.push((cells.iter().map(number).collect::<Result<_, _>>()?, texts));
    }
    Ok(rows)
}

/// Splits the first record off a text, and its end of line with it. `None` if it has no end.
fn record(text: &str) -> Option<(Vec<String>, &str)> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut letters = text.char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        let cell = cells.last_mut()?;
        match letter {
            '"' if quoted && letters.next_if(|(_, next)| *next == '"').is_some() => cell.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            '\n' if !quoted => return Some((cells, &text[place + 1..])),
            letter => cell.push(letter),
        }
    }
    None
}

/// Reads a Parquet file that has these columns.
///
/// # Errors
/// The text says why the file cannot be read, or that it has other columns.
#[cfg(feature = "parquet")]
pub(in crate::command) fn parquet(file: std::fs::File, columns: &Columns) -> Result<Vec<Cells>, String> {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    let reader = SerializedFileReader::new(file).map_err(|error| error.to_string())?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let names = columns.numbers.iter().chain(&columns.texts).map(String::as_str);
    if !schema.columns().iter().map(|column| column.name()).eq(names) {
        return Err("it has other columns".to_owned());
    }
    let count = columns.numbers.len();
    let rows = reader.get_row_iter(None).map_err(|error| error.to_string())?;
    rows.map(|row| {
        let row = row?;
        let numbers = (0..count).map(|place| row.get_double(place)).collect::<Result<_, _>>()?;
        let texts = (count..count + columns.texts.len()).map(|place| row.get_string(place).cloned());
        Ok((numbers, texts.collect::<Result<_, _>>()?))
    })
    .collect::<parquet::errors::Result<_>>()
    .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::{Csv, Table};
    use super::*;

    fn columns() -> Columns {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Columns { numbers: names(&["index", "x"]), units: Vec::new(), texts: names(&["outcome", "failure"]) }
    }

    /// The bits of the numbers, since NaN is not equal to itself.
    fn bits(rows: &[Cells]) -> Vec<(Vec<u64>, &[String])> {
        rows.iter()
            .map(|(numbers, texts)| (numbers.iter().map(|number| number.to_bits()).collect(), &texts[..]))
            .collect()
    }

    fn rows() -> Vec<Cells> {
        let texts = [["finished", ""], ["failed", "a, \"quoted\" text\nin two lines"], ["f[0,1]=2", ""], ["", "\""]];
        let numbers = [f64::NAN, -0.0, 5e-324, -f64::MAX];
        let rows = numbers.iter().zip(texts).zip(0_u32..);
        rows.map(|((x, texts), index)| (vec![f64::from(index), *x], texts.map(str::to_owned).to_vec())).collect()
    }

    fn written(table: &mut dyn Table) -> Vec<u8> {
        let mut bytes = Vec::new();
        table.begin(&columns(), &mut bytes).expect("memory takes it");
        for (numbers, texts) in rows() {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            table.row(&numbers, &texts, &mut bytes).expect("memory takes it");
        }
        table.end(&mut bytes).expect("memory takes it");
        bytes
    }

    #[test]
    fn a_table_is_read_as_it_was_written_to_the_bit() {
        let text = String::from_utf8(written(&mut Csv)).expect("text");
        assert_eq!(bits(&csv(&text, &columns()).expect("it is whole")), bits(&rows()));
    }

    #[test]
    fn a_table_that_is_torn_or_another_is_refused() {
        let text = String::from_utf8(written(&mut Csv)).expect("text");
        for (text, told) in [
            (&text[..text.len() - 1], "line 5 is not complete"),
            ("", "line 1 has other columns"),
            ("index,y,outcome,failure\n", "line 1 has other columns"),
            ("index,x,outcome,failure\n1,2,finished\n", "line 2 has 3 cells instead of 4"),
            ("index,x,outcome,failure\n1,z,finished,\n", "line 2: `z` is no number"),
        ] {
            assert_eq!(csv(text, &columns()).expect_err(told), told);
        }
    }

    #[test]
    #[cfg(feature = "parquet")]
    fn a_parquet_file_is_read_as_it_was_written_to_the_bit() {
        let path = std::env::temp_dir().join(format!("lagrange-read-{}.parquet", std::process::id()));
        let bytes = written(&mut super::super::Parquet::default());
        std::fs::write(&path, &bytes).expect("the temporary directory is writable");
        let open = || std::fs::File::open(&path).expect("it was written");
        assert_eq!(bits(&parquet(open(), &columns()).expect("it is whole")), bits(&rows()));
        let other = Columns { numbers: vec!["index".to_owned()], ..columns() };
        assert_eq!(parquet(open(), &other).expect_err("another"), "it has other columns");
        std::fs::write(&path, &bytes[..bytes.len() - 1]).expect("writable");
        parquet(open(), &columns()).expect_err("it is torn");
        std::fs::remove_file(&path).expect("ours");
    }
}
