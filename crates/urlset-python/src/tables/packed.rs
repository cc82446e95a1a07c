//! Parquet and Arrow files as streams of batches, without the columns of which nothing is written. Trusts no file.

use std::fs::File;
use std::io::{BufRead, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use urlset::schema::{Schema, URL_GROUP};

use super::streams::Input;
use crate::source::{Foreign, Origin};

/// Why a file is no table.
pub(super) enum Stop {
    /// It is one, and lacks what is needed.
    Schema(String),
    /// It is damaged, or something else.
    Arrow(ArrowError),
}

impl From<ArrowError> for Stop {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        Self::Arrow(ArrowError::from(error))
    }
}

impl From<parquet::errors::ParquetError> for Stop {
    fn from(error: parquet::errors::ParquetError) -> Self {
        Self::Arrow(error.into())
    }
}

/// A reader of others, which must not take the process with it when a file makes it panic.
struct Guarded<R>(R, bool);

impl<R: RecordBatchReader> Iterator for Guarded<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.1 {
            return None;
        }
        let next = guarded(|| self.0.next());
        self.1 = !matches!(next, Ok(Some(Ok(_))));
        next.unwrap_or_else(|error| Some(Err(error)))
    }
}

impl<R: RecordBatchReader> RecordBatchReader for Guarded<R> {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }
}

fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, ArrowError> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|_| ArrowError::ParseError("its reader gave up on it".into()))
}

/// The columns that the table of elements knows, and the names of the others.
fn known(fields: &arrow_schema::Fields, schema: &Schema) -> (Vec<usize>, Vec<String>) {
    let columns = &schema.groups[URL_GROUP].columns;
    let (mut kept, mut ignored) = (Vec::new(), Vec::new());
    for (at, field) in fields.iter().enumerate() {
        if columns.iter().any(|column| column.name == *field.name()) {
            kept.push(at);
        } else {
            ignored.push(field.name().clone());
        }
    }
    (kept, ignored)
}

/// A Parquet file.
pub(super) fn parquet(input: Input, schema: &Schema, batch_rows: usize) -> Result<Box<dyn Origin>, Stop> {
    match input {
        Input::File(file) => parquet_of(file, schema, batch_rows),
        Input::Object(_) => Err(Stop::Schema("a Parquet file cannot be read from a pipe, a path was expected".into())),
    }
}

fn parquet_of(file: File, schema: &Schema, batch_rows: usize) -> Result<Box<dyn Origin>, Stop> {
    let builder = guarded(|| ParquetRecordBatchReaderBuilder::try_new(file))??;
    let (kept, ignored) = known(builder.schema().fields(), schema);
    let mask = ProjectionMask::roots(builder.parquet_schema(), kept);
    let reader = guarded(|| builder.with_projection(mask).with_batch_size(batch_rows).build())??;
    Ok(Box::new(Foreign::new(Box::new(Guarded(reader, false)), ignored)))
}

/// An Arrow file or stream, told apart by their beginnings.
pub(super) fn arrow(mut input: std::io::BufReader<Input>, schema: &Schema) -> Result<Box<dyn Origin>, Stop> {
    if !input.fill_buf()?.starts_with(b"ARROW1") {
        let reader = guarded(|| StreamReader::try_new(input, None))??;
        return columns(reader, schema);
    }
    match input.into_inner() {
        Input::File(mut file) => {
            file.seek(SeekFrom::Start(0))?;
            columns(guarded(|| FileReader::try_new_buffered(file, None))??, schema)
        }
        Input::Object(_) => {
            Err(Stop::Schema("an Arrow file cannot be read from a pipe; a path or an Arrow stream was expected".into()))
        }
    }
}

fn columns<R: RecordBatchReader + Send + 'static>(reader: R, schema: &Schema) -> Result<Box<dyn Origin>, Stop> {
    let fields = reader.schema();
    let (kept, ignored) = known(fields.fields(), schema);
    let projected = std::sync::Arc::new(fields.project(&kept)?);
    let reader = Projected { reader: Guarded(reader, false), kept, schema: projected };
    Ok(Box::new(Foreign::new(Box::new(reader), ignored)))
}

/// Some columns of each batch.
struct Projected<R> {
    reader: R,
    kept: Vec<usize>,
    schema: SchemaRef,
}

impl<R: RecordBatchReader> Iterator for Projected<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.reader.next()?.and_then(|batch| batch.project(&self.kept)))
    }
}

impl<R: RecordBatchReader> RecordBatchReader for Projected<R> {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
