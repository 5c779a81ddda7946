//! The formats of a table: columns of numbers, and after them columns of texts.

use crate::catalog::{Model, unit_of};
use crate::report::csv::write_cells;
use std::borrow::Cow;
use std::io;

/// Turns rows of numbers into bytes, which it appends to a buffer of the caller.
pub(in crate::command) trait Table: Send {
    /// Appends what comes before the first row.
    fn begin(&mut self, columns: &Columns, bytes: &mut Vec<u8>) -> io::Result<()>;

    /// Appends a row, or keeps it until there are enough of them.
    fn row(&mut self, numbers: &[f64], texts: &[&str], bytes: &mut Vec<u8>) -> io::Result<()>;

    /// Appends the rows that were kept, and what comes after the last one.
    fn end(&mut self, bytes: &mut Vec<u8>) -> io::Result<()>;
}

/// The names of the columns of a table.
#[derive(Clone, Debug, Default)]
pub(in crate::command) struct Columns {
    /// The names of the columns of numbers.
    pub(in crate::command) numbers: Vec<String>,
    /// The units of the columns of numbers, empty where they are not known. Those at the end may be missing.
    pub(in crate::command) units: Vec<&'static str>,
    /// The names of the columns of texts, which follow.
    pub(in crate::command) texts: Vec<String>,
}

impl Columns {
    /// The columns with the units of a mechanism's quantities.
    pub(in crate::command) fn of(model: &dyn Model, numbers: Vec<String>, texts: &[&str]) -> Self {
        let units = numbers.iter().map(|name| unit_of(model, name)).collect();
        Self { numbers, units, texts: texts.iter().map(|text| (*text).to_owned()).collect() }
    }

    /// Writes the units into the names: `theta [rad]`.
    pub(in crate::command) fn with_units_in_names(mut self) -> Self {
        for (name, unit) in self.numbers.iter_mut().zip(&self.units).filter(|(_, unit)| !unit.is_empty()) {
            *name = format!("{name} [{unit}]");
        }
        self
    }
}

/// Lines of cells between commas, below a line of names. A text with a comma or a quotation mark stands in quotation marks, as in
/// RFC 4180.
pub(in crate::command) struct Csv;

impl Table for Csv {
    fn begin(&mut self, columns: &Columns, bytes: &mut Vec<u8>) -> io::Result<()> {
        let names: Vec<&str> = columns.numbers.iter().chain(&columns.texts).map(String::as_str).collect();
        bytes.extend_from_slice(names.join(",").as_bytes());
        bytes.push(b'\n');
        Ok(())
    }

    fn row(&mut self, numbers: &[f64], texts: &[&str], bytes: &mut Vec<u8>) -> io::Result<()> {
        write_cells(bytes, numbers)?;
        for text in texts {
            bytes.push(b',');
            bytes.extend_from_slice(cell(text).as_bytes());
        }
        bytes.push(b'\n');
        Ok(())
    }

    fn end(&mut self, _: &mut Vec<u8>) -> io::Result<()> {
        Ok(())
    }
}

/// Lines like those of [`Csv`], in which the texts follow the first number, which is a time.
pub(in crate::command) struct TimedCsv;

impl Table for TimedCsv {
    fn begin(&mut self, columns: &Columns, bytes: &mut Vec<u8>) -> io::Result<()> {
        let (time, numbers) = columns.numbers.split_at(1);
        let names: Vec<&str> = time.iter().chain(&columns.texts).chain(numbers).map(String::as_str).collect();
        bytes.extend_from_slice(names.join(",").as_bytes());
        bytes.push(b'\n');
        Ok(())
    }

    fn row(&mut self, numbers: &[f64], texts: &[&str], bytes: &mut Vec<u8>) -> io::Result<()> {
        let (time, numbers) = numbers.split_at(1);
        write_cells(bytes, time)?;
        for text in texts {
            bytes.push(b',');
            bytes.extend_from_slice(cell(text).as_bytes());
        }
        bytes.push(b',');
        write_cells(bytes, numbers)?;
        bytes.push(b'\n');
        Ok(())
    }

    fn end(&mut self, _: &mut Vec<u8>) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the text as a cell of a line.
fn cell(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        return Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")));
    }
    Cow::Borrowed(text)
}

#[cfg(feature = "parquet")]
pub(in crate::command) use columns::Parquet;

#[cfg(feature = "parquet")]
mod columns {
    use super::{Columns, Table};
    use parquet::basic::{LogicalType, Repetition, Type as Physical};
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
    use parquet::file::metadata::KeyValue;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::types::Type;
    use std::io;
    use std::sync::Arc;

    /// The rows of one group, which are in memory at once.
    const GROUP: usize = 1 << 16;

    /// A Parquet file: columns of 64-bit numbers and of texts in groups of rows. The units of the columns are metadata of the file, under the
    /// key `units`: a JSON object with a text for each column whose unit is known.
    #[derive(Default)]
    pub(in crate::command) struct Parquet {
        writer: Option<SerializedFileWriter<Vec<u8>>>,
        numbers: Vec<Vec<f64>>,
        texts: Vec<Vec<ByteArray>>,
    }

    impl Parquet {
        /// Writes the rows that are kept as a group.
        fn flush(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
            let Some(writer) = &mut self.writer else { return Ok(()) };
            if self.numbers.first().is_some_and(|column| !column.is_empty()) {
                let mut group = writer.next_row_group()?;
                for values in &mut self.numbers {
                    if let Some(mut column) = group.next_column()? {
                        column.typed::<DoubleType>().write_batch(values, None, None)?;
                        column.close()?;
                    }
                    values.clear();
                }
                for values in &mut self.texts {
                    if let Some(mut column) = group.next_column()? {
                        column.typed::<ByteArrayType>().write_batch(values, None, None)?;
                        column.close()?;
                    }
                    values.clear();
                }
                group.close()?;
            }
            writer.flush()?;
            bytes.append(writer.inner_mut());
            Ok(())
        }
    }

    impl Table for Parquet {
        fn begin(&mut self, columns: &Columns, bytes: &mut Vec<u8>) -> io::Result<()> {
            let column = |name: &String, physical, logical| {
                let column = Type::primitive_type_builder(name, physical).with_logical_type(logical);
                column.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
            };
            let numbers = columns.numbers.iter().map(|name| column(name, Physical::DOUBLE, None));
            let texts = columns.texts.iter().map(|name| column(name, Physical::BYTE_ARRAY, Some(LogicalType::String)));
            let fields: Result<Vec<_>, _> = numbers.chain(texts).collect();
            let schema = Type::group_type_builder("rows").with_fields(fields?).build()?;
            let units = columns.numbers.iter().zip(&columns.units).filter(|(_, unit)| !unit.is_empty());
            let units: serde_json::Map<_, _> = units.map(|(name, unit)| (name.clone(), (*unit).into())).collect();
            let units = serde_json::Value::from(units).to_string();
            let metadata = (units != "{}").then(|| vec![KeyValue::new("units".to_owned(), units)]);
            let properties = Arc::new(WriterProperties::builder().set_key_value_metadata(metadata).build());
            self.writer = Some(SerializedFileWriter::new(Vec::new(), Arc::new(schema), properties)?);
            self.numbers = vec![Vec::with_capacity(GROUP); columns.numbers.len()];
            self.texts = vec![Vec::new(); columns.texts.len()];
            self.flush(bytes)
        }

        fn row(&mut self, numbers: &[f64], texts: &[&str], bytes: &mut Vec<u8>) -> io::Result<()> {
            for (column, value) in self.numbers.iter_mut().zip(numbers) {
                column.push(*value);
            }
            for (column, text) in self.texts.iter_mut().zip(texts) {
                column.push(ByteArray::from(*text));
            }
            if self.numbers.first().is_some_and(|column| column.len() >= GROUP) {
                self.flush(bytes)?;
            }
            Ok(())
        }

        fn end(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
            self.flush(bytes)?;
            if let Some(mut writer) = self.writer.take() {
                writer.finish()?;
                bytes.append(writer.inner_mut());
            }
            Ok(())
        }
    }
}

#[cfg(all(test, feature = "parquet"))]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    #[test]
    fn a_parquet_file_has_every_number_in_its_column() {
        let (mut table, mut bytes) = (Parquet::default(), Vec::new());
        let columns = Columns {
            numbers: ["t", "x", "multiplier(rod)"].map(str::to_owned).to_vec(),
            units: vec!["s", "", "N"],
            texts: vec!["outcome".to_owned()],
        };
        table.begin(&columns, &mut bytes).expect("memory takes it");
        // More rows than a group has.
        let count = 70_000;
        for index in 0..count {
            let t = f64::from(index) * 0.1;
            table.row(&[t, t.sin(), f64::NAN], &["failed, at x"], &mut bytes).expect("memory takes it");
        }
        table.end(&mut bytes).expect("memory takes it");
        let path = std::env::temp_dir().join(format!("lagrange-columns-{}.parquet", std::process::id()));
        std::fs::write(&path, &bytes).expect("the temporary directory is writable");
        let file = std::fs::File::open(&path).expect("it was written");
        let reader = SerializedFileReader::new(file).expect("it is a Parquet file");
        let schema = reader.metadata().file_metadata().schema_descr();
        let names: Vec<_> = schema.columns().iter().map(|column| column.name().to_owned()).collect();
        assert_eq!(names, [&columns.numbers[..], &columns.texts].concat());
        assert_eq!(reader.metadata().num_row_groups(), 2);
        let mut rows = 0;
        for (index, row) in reader.get_row_iter(None).expect("all columns").enumerate() {
            let row = row.expect("readable");
            let t = f64::from(index as u32) * 0.1;
            assert_eq!((row.get_double(0).expect("t"), row.get_double(1).expect("x")), (t, t.sin()));
            assert!(row.get_double(2).expect("multiplier").is_nan());
            assert_eq!(row.get_string(3).expect("outcome"), "failed, at x");
            rows += 1;
        }
        assert_eq!(rows, count);
        std::fs::remove_file(&path).expect("ours");
    }
}
