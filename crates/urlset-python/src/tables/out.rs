//! Tables into files: Arrow, Parquet, CSV, JSON and addresses alone. Writes to what it is given, and closes nothing of it.

use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray,
    TimestampMicrosecondArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;
use pyo3_arrow::{PyRecordBatch, PySchema};
use urlset::value::date::{Form, format};
use urlset::value::number;

use super::streams::Output;
use crate::error;

/// Rows of a Parquet row group: what waits in memory until one is full.
const GROUP_ROWS: usize = 131_072;

type Sink = BufWriter<Output>;

enum Kind {
    File(Box<FileWriter<Sink>>),
    Stream(Box<StreamWriter<Sink>>),
    Parquet(Box<ArrowWriter<Sink>>),
    Csv(Sink, Vec<u8>),
    Jsonl(Sink, Vec<u8>),
    Urls(Sink, Vec<u8>),
}

/// Writes batches of one table into a file object.
#[pyclass(module = "urlset._core", frozen)]
pub struct TableWriter {
    /// Taken out while it is at work, and for good when the file is closed.
    state: Mutex<Option<State>>,
    rows: AtomicU64,
}

struct State {
    kind: Kind,
    schema: SchemaRef,
}

#[pymethods]
impl TableWriter {
    #[new]
    fn new(py: Python<'_>, file: Py<PyAny>, format: &str, schema: PySchema) -> PyResult<Self> {
        let schema = schema.into_inner();
        let sink = BufWriter::with_capacity(super::BUFFER, Output(file));
        let kind = match format {
            "arrow" => FileWriter::try_new(sink, &plain(&schema)).map(|w| Kind::File(Box::new(w))),
            "arrows" => StreamWriter::try_new(sink, &schema).map(|w| Kind::Stream(Box::new(w))),
            "parquet" => parquet(sink, &schema),
            "csv" => header(sink, &schema),
            "jsonl" => Ok(Kind::Jsonl(sink, Vec::new())),
            "urls" if schema.column_with_name("loc").is_none() => {
                return Err(error::raise(
                    py,
                    "SchemaError",
                    "there is no column \"loc\", of which this format consists",
                ));
            }
            "urls" => Ok(Kind::Urls(sink, Vec::new())),
            other => {
                let what = format!("format is \"{other}\", arrow, arrows, parquet, csv, jsonl or urls was expected");
                return Err(error::raise(py, "OptionError", &what));
            }
        };
        let kind = kind.map_err(|problem| stop(py, problem))?;
        Ok(Self { state: Mutex::new(Some(State { kind, schema })), rows: AtomicU64::new(0) })
    }

    /// Writes a batch, or all batches of a table.
    fn write(&self, py: Python<'_>, table: AnyRecordBatch) -> PyResult<()> {
        let mut reader = table.into_reader()?;
        let Some(mut state) = self.take() else {
            return Err(error::raise(py, "UrlsetError", "the file is closed, or another thread writes to it"));
        };
        loop {
            let written = py.detach(|| match reader.next() {
                None => Ok(None),
                Some(batch) => batch.and_then(|batch| state.batch(&batch).map(|()| Some(batch.num_rows()))),
            });
            py.check_signals()?;
            match written.map_err(|problem| stop(py, problem))? {
                Some(rows) => drop(self.rows.fetch_add(rows as u64, Ordering::Relaxed)),
                None => break,
            }
        }
        *self.lock() = Some(state);
        Ok(())
    }

    /// Ends the file; what it was written to stays open. A second call does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let Some(state) = self.take() else { return Ok(()) };
        py.detach(|| finish(state.kind)).map_err(|problem| stop(py, problem))
    }

    /// Rows written.
    #[getter]
    fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }
}

impl TableWriter {
    fn lock(&self) -> MutexGuard<'_, Option<State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<State> {
        self.lock().take()
    }
}

/// What stopped the writing: an error of the file object as it was.
fn stop(py: Python<'_>, problem: ArrowError) -> PyErr {
    let of_python = |error: io::Error| match error.downcast::<PyErr>() {
        Ok(error) => error,
        Err(error) => PyErr::from(error),
    };
    match problem {
        ArrowError::IoError(_, inner) => of_python(inner),
        ArrowError::ExternalError(inner) => match inner.downcast::<PyErr>() {
            Ok(error) => *error,
            Err(inner) => match inner.downcast::<io::Error>() {
                Ok(inner) => of_python(*inner),
                Err(inner) => error::raise(py, "UrlsetError", &inner.to_string()),
            },
        },
        other => error::raise(py, "UrlsetError", &format!("the table cannot be written: {other}")),
    }
}

fn of_parquet(problem: parquet::errors::ParquetError) -> ArrowError {
    match problem {
        parquet::errors::ParquetError::External(inner) => ArrowError::ExternalError(inner),
        other => other.into(),
    }
}

fn parquet(sink: Sink, schema: &SchemaRef) -> Result<Kind, ArrowError> {
    let level = ZstdLevel::try_new(3).map_err(of_parquet)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_created_by(concat!("urlset ", env!("CARGO_PKG_VERSION")).into())
        .build();
    let writer = ArrowWriter::try_new(sink, Arc::clone(schema), Some(properties)).map_err(of_parquet)?;
    Ok(Kind::Parquet(Box::new(writer)))
}

fn header(mut sink: Sink, schema: &Schema) -> Result<Kind, ArrowError> {
    let mut line = Vec::new();
    for (at, field) in told(schema.fields()).enumerate() {
        if at > 0 {
            line.push(b',');
        }
        quote(field.1.name().as_bytes(), &mut line);
    }
    line.push(b'\n');
    sink.write_all(&line)?;
    Ok(Kind::Csv(sink, line))
}

impl State {
    fn batch(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        match &mut self.kind {
            Kind::File(writer) => writer.write(&undictionaried(batch)?)?,
            Kind::Stream(writer) => writer.write(batch)?,
            Kind::Parquet(writer) => writer.write(batch).map_err(of_parquet)?,
            Kind::Csv(sink, line) => {
                let cells = cells(self.schema.fields(), batch.columns())?;
                let mut text = Vec::new();
                for row in 0..batch.num_rows() {
                    line.clear();
                    for (at, (_, cell)) in cells.iter().enumerate() {
                        if at > 0 {
                            line.push(b',');
                        }
                        text.clear();
                        if cell.has(row) {
                            cell.bare(row, &mut text);
                        }
                        quote(&text, line);
                    }
                    line.push(b'\n');
                    sink.write_all(line)?;
                }
            }
            Kind::Jsonl(sink, line) => {
                let cells = cells(self.schema.fields(), batch.columns())?;
                for row in 0..batch.num_rows() {
                    line.clear();
                    object(&cells, row, line);
                    line.push(b'\n');
                    sink.write_all(line)?;
                }
            }
            Kind::Urls(sink, line) => {
                let at = self.schema.index_of("loc")?;
                let cell = Cell::of(batch.column(at), None)?;
                for row in (0..batch.num_rows()).filter(|&row| cell.has(row)) {
                    line.clear();
                    cell.bare(row, line);
                    // One address a line, whatever is in it.
                    for byte in line.iter() {
                        match byte {
                            b'\n' => sink.write_all(b"%0A")?,
                            b'\r' => sink.write_all(b"%0D")?,
                            other => sink.write_all(&[*other])?,
                        }
                    }
                    sink.write_all(b"\n")?;
                }
            }
        }
        Ok(())
    }
}

fn finish(kind: Kind) -> Result<(), ArrowError> {
    match kind {
        Kind::File(mut writer) => {
            writer.finish()?;
            writer.into_inner()?.flush()?;
        }
        Kind::Stream(mut writer) => {
            writer.finish()?;
            writer.into_inner()?.flush()?;
        }
        Kind::Parquet(writer) => writer.into_inner().map_err(of_parquet)?.flush()?,
        Kind::Csv(mut sink, _) | Kind::Jsonl(mut sink, _) | Kind::Urls(mut sink, _) => sink.flush()?,
    }
    Ok(())
}

/// The schema with strings in place of dictionaries: a file has one dictionary a column, and each batch brings its own.
fn plain(schema: &Schema) -> Schema {
    let field = |field: &Arc<Field>| match field.data_type() {
        DataType::Dictionary(_, values) => Arc::new(field.as_ref().clone().with_data_type(values.as_ref().clone())),
        _ => Arc::clone(field),
    };
    Schema::new_with_metadata(schema.fields().iter().map(field).collect::<Fields>(), schema.metadata().clone())
}

fn undictionaried(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let column = |column: &ArrayRef| match column.as_any_dictionary_opt() {
        Some(words) => arrow_select::take::take(words.values(), words.keys(), None),
        None => Ok(Arc::clone(column)),
    };
    let columns = batch.columns().iter().map(column).collect::<Result<_, _>>()?;
    RecordBatch::try_new(Arc::new(plain(batch.schema_ref())), columns)
}

/// A column made ready for row-wise use.
enum Cell {
    Text(StringArray),
    Word(Int32Array, StringArray),
    Float(Float64Array),
    Int(Int64Array),
    Flag(BooleanArray),
    Instant(TimestampMicrosecondArray, Option<Box<Cell>>),
    Struct(Option<NullBuffer>, Vec<(String, Cell)>),
    List(Option<NullBuffer>, OffsetBuffer<i32>, Box<Cell>),
}

/// The fields that are told: the form of a date is in its text.
fn told(fields: &Fields) -> impl Iterator<Item = (usize, &Arc<Field>)> {
    fields.iter().enumerate().filter(|(_, field)| {
        !field.name().strip_suffix("_form").is_some_and(|date| {
            fields.iter().any(|f| f.name() == date && matches!(f.data_type(), DataType::Timestamp(..)))
        })
    })
}

fn cells(fields: &Fields, columns: &[ArrayRef]) -> Result<Vec<(String, Cell)>, ArrowError> {
    let cell = |(at, field): (usize, &Arc<Field>)| {
        let name = format!("{}_form", field.name());
        let form = fields.iter().position(|f| *f.name() == name).map(|at| &columns[at]);
        Ok((field.name().clone(), Cell::of(&columns[at], form)?))
    };
    told(fields).map(cell).collect()
}

impl Cell {
    fn of(array: &ArrayRef, form: Option<&ArrayRef>) -> Result<Self, ArrowError> {
        Ok(match array.data_type() {
            DataType::Utf8 => Self::Text(array.as_string::<i32>().clone()),
            DataType::Dictionary(key, value) if **key == DataType::Int32 && **value == DataType::Utf8 => {
                let words = array.as_dictionary::<Int32Type>();
                Self::Word(words.keys().clone(), words.values().as_string::<i32>().clone())
            }
            DataType::Float64 => Self::Float(array.as_primitive::<Float64Type>().clone()),
            DataType::Int64 => Self::Int(array.as_primitive::<Int64Type>().clone()),
            DataType::Boolean => Self::Flag(array.as_boolean().clone()),
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                let form = form.map(|form| Self::of(form, None)).transpose()?.map(Box::new);
                Self::Instant(array.as_primitive::<TimestampMicrosecondType>().clone(), form)
            }
            DataType::Struct(fields) => {
                let array = array.as_struct();
                Self::Struct(array.nulls().cloned(), cells(fields, array.columns())?)
            }
            DataType::List(_) => {
                let list = array.as_list::<i32>();
                Self::List(list.nulls().cloned(), list.offsets().clone(), Box::new(Self::of(list.values(), None)?))
            }
            other => {
                return Err(ArrowError::SchemaError(format!("type {other} is none of the URL table")));
            }
        })
    }

    fn has(&self, row: usize) -> bool {
        match self {
            Self::Text(a) => a.is_valid(row),
            Self::Word(keys, _) => keys.is_valid(row),
            Self::Float(a) => a.is_valid(row),
            Self::Int(a) => a.is_valid(row),
            Self::Flag(a) => a.is_valid(row),
            Self::Instant(a, _) => a.is_valid(row),
            Self::Struct(nulls, _) | Self::List(nulls, ..) => nulls.as_ref().is_none_or(|n| n.is_valid(row)),
        }
    }

    fn text(&self, row: usize) -> Option<&str> {
        match self {
            Self::Text(a) => Some(a.value(row)),
            Self::Word(keys, words) => Some(words.value(keys.value(row) as usize)),
            _ => None,
        }
    }

    /// Writes a value without quotes; lists and structs as JSON.
    fn bare(&self, row: usize, out: &mut Vec<u8>) {
        match self {
            Self::Text(_) | Self::Word(..) => out.extend_from_slice(self.text(row).unwrap_or_default().as_bytes()),
            Self::Instant(a, form) => {
                let form =
                    form.as_ref().filter(|form| form.has(row)).and_then(|form| form.text(row)).and_then(Form::parse);
                format(a.value(row), form.unwrap_or(Form::SECONDS_Z), out);
            }
            Self::Float(a) => {
                let start = out.len();
                number::write_decimal(a.value(row), out);
                if out.len() == start {
                    let _ = write!(out, "{}", a.value(row)); // a vector takes every byte
                }
            }
            Self::Int(a) => {
                let _ = write!(out, "{}", a.value(row)); // the same
            }
            Self::Flag(a) => out.extend_from_slice(if a.value(row) { b"true" } else { b"false" }),
            Self::Struct(..) | Self::List(..) => self.json(row, out),
        }
    }

    fn json(&self, row: usize, out: &mut Vec<u8>) {
        match self {
            Self::Text(_) | Self::Word(..) => string(self.text(row).unwrap_or_default(), out),
            Self::Instant(..) => {
                out.push(b'"');
                self.bare(row, out);
                out.push(b'"');
            }
            Self::Float(a) if !a.value(row).is_finite() => out.extend_from_slice(b"null"),
            Self::Float(_) | Self::Int(_) | Self::Flag(_) => self.bare(row, out),
            Self::Struct(_, cells) => object(cells, row, out),
            Self::List(_, offsets, items) => {
                out.push(b'[');
                for item in offsets[row] as usize..offsets[row + 1] as usize {
                    if item > offsets[row] as usize {
                        out.push(b',');
                    }
                    items.json(item, out);
                }
                out.push(b']');
            }
        }
    }
}

/// Writes an object of what is not null.
fn object(cells: &[(String, Cell)], row: usize, out: &mut Vec<u8>) {
    out.push(b'{');
    let start = out.len();
    for (name, cell) in cells {
        if !cell.has(row) {
            continue;
        }
        if out.len() > start {
            out.push(b',');
        }
        string(name, out);
        out.push(b':');
        cell.json(row, out);
    }
    out.push(b'}');
}

fn string(text: &str, out: &mut Vec<u8>) {
    // Into a vector, of a string: neither fails.
    let _ = serde_json::to_writer(out, text);
}

/// Writes a CSV field, quoted where it must be.
fn quote(text: &[u8], out: &mut Vec<u8>) {
    if !text.iter().any(|byte| matches!(byte, b'"' | b',' | b'\n' | b'\r')) {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    for &byte in text {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

/// Of a column of instants: how many there are, the earliest and the latest, in microseconds since 1970.
#[pyfunction]
pub fn span(py: Python<'_>, batch: PyRecordBatch, name: &str) -> PyResult<(usize, Option<i64>, Option<i64>)> {
    let batch = batch.into_inner();
    let column = batch.column_by_name(name).and_then(|column| column.as_primitive_opt::<TimestampMicrosecondType>());
    let Some(column) = column else {
        return Err(error::raise(py, "SchemaError", &format!("there is no column \"{name}\" of instants")));
    };
    let present = column.iter().flatten();
    let (low, high) = present.fold((i64::MAX, i64::MIN), |(low, high), at| (low.min(at), high.max(at)));
    let count = column.len() - column.null_count();
    Ok(if count == 0 { (0, None, None) } else { (count, Some(low), Some(high)) })
}
