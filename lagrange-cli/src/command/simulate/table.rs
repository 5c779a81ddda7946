//! The formats of a table of numbers.

use crate::report::csv::write_row;
use std::io;

/// Turns rows of numbers into bytes, which it appends to a buffer of the caller.
pub(super) trait Table {
    /// Appends what comes before the first row.
    fn begin(&mut self, columns: &[String], bytes: &mut Vec<u8>) -> io::Result<()>;

    /// Appends a row, or keeps it until there are enough of them.
    fn row(&mut self, row: &[f64], bytes: &mut Vec<u8>) -> io::Result<()>;

    /// Appends the rows that were kept, and what comes after the last one.
    fn end(&mut self, bytes: &mut Vec<u8>) -> io::Result<()>;
}

/// Lines of numbers between commas, below a line of names.
pub(super) struct Csv;

impl Table for Csv {
    fn begin(&mut self, columns: &[String], bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.extend_from_slice(columns.join(",").as_bytes());
        bytes.push(b'\n');
        Ok(())
    }

    fn row(&mut self, row: &[f64], bytes: &mut Vec<u8>) -> io::Result<()> {
        write_row(bytes, row)
    }

    fn end(&mut self, _: &mut Vec<u8>) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(feature = "parquet")]
pub(super) use columns::Parquet;

#[cfg(feature = "parquet")]
mod columns {
    use super::Table;
    use parquet::basic::{Repetition, Type as Physical};
    use parquet::data_type::DoubleType;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::types::Type;
    use std::io;
    use std::sync::Arc;

    /// The rows of one group, which are in memory at once.
    const GROUP: usize = 1 << 16;

    /// A Parquet file: columns of 64-bit numbers in groups of rows.
    #[derive(Default)]
    pub(in super::super) struct Parquet {
        writer: Option<SerializedFileWriter<Vec<u8>>>,
        columns: Vec<Vec<f64>>,
    }

    impl Parquet {
        /// Writes the rows that are kept as a group.
        fn flush(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
            let Some(writer) = &mut self.writer else { return Ok(()) };
            if self.columns.first().is_some_and(|column| !column.is_empty()) {
                let mut group = writer.next_row_group()?;
                for values in &mut self.columns {
                    if let Some(mut column) = group.next_column()? {
                        column.typed::<DoubleType>().write_batch(values, None, None)?;
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
        fn begin(&mut self, columns: &[String], bytes: &mut Vec<u8>) -> io::Result<()> {
            let fields: Result<Vec<_>, _> = columns
                .iter()
                .map(|name| {
                    let column = Type::primitive_type_builder(name, Physical::DOUBLE);
                    column.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
                })
                .collect();
            let schema = Type::group_type_builder("motion").with_fields(fields?).build()?;
            let properties = Arc::new(WriterProperties::builder().build());
            self.writer = Some(SerializedFileWriter::new(Vec::new(), Arc::new(schema), properties)?);
            self.columns = vec![Vec::with_capacity(GROUP); columns.len()];
            self.flush(bytes)
        }

        fn row(&mut self, row: &[f64], bytes: &mut Vec<u8>) -> io::Result<()> {
            for (column, value) in self.columns.iter_mut().zip(row) {
                column.push(*value);
            }
            if self.columns.first().is_some_and(|column| column.len() >= GROUP) {
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
        let columns = ["t", "x", "multiplier(rod)"].map(str::to_owned);
        table.begin(&columns, &mut bytes).expect("memory takes it");
        // More rows than a group has.
        let count = 70_000;
        for index in 0..count {
            let t = f64::from(index) * 0.1;
            table.row(&[t, t.sin(), f64::NAN], &mut bytes).expect("memory takes it");
        }
        table.end(&mut bytes).expect("memory takes it");
        let path = std::env::temp_dir().join(format!("lagrange-columns-{}.parquet", std::process::id()));
        std::fs::write(&path, &bytes).expect("the temporary directory is writable");
        let file = std::fs::File::open(&path).expect("it was written");
        let reader = SerializedFileReader::new(file).expect("it is a Parquet file");
        let schema = reader.metadata().file_metadata().schema_descr();
        let names: Vec<_> = schema.columns().iter().map(|column| column.name().to_owned()).collect();
        assert_eq!(names, columns);
        assert_eq!(reader.metadata().num_row_groups(), 2);
        let mut rows = 0;
        for (index, row) in reader.get_row_iter(None).expect("all columns").enumerate() {
            let row = row.expect("readable");
            let t = f64::from(index as u32) * 0.1;
            assert_eq!((row.get_double(0).expect("t"), row.get_double(1).expect("x")), (t, t.sin()));
            assert!(row.get_double(2).expect("multiplier").is_nan());
            rows += 1;
        }
        assert_eq!(rows, count);
        std::fs::remove_file(&path).expect("ours");
    }
}
