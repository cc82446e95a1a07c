//! What the writer draws rows from, and the rows that never came to it. Knows no format.

use std::sync::{Arc, Mutex};

use arrow_array::RecordBatchReader;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyIterator};
use pyo3_arrow::input::AnyRecordBatch;
use pyo3_arrow::{PyRecordBatch, PyRecordBatchReader, PySchema};
use urlset::codes::{Code, Fault, Log, cut};
use urlset::schema::Schema;

use crate::texts::Wrong;

/// Rows that were refused before they became columns, and what there is to say of others.
#[derive(Debug)]
pub(crate) struct Faults {
    /// Knows the codes of columns.
    schema: Arc<Schema>,
    log: Log,
    rows: u64,
    /// Numbers of the refused rows.
    refused: Vec<u64>,
}

impl Faults {
    pub(crate) fn new(schema: &Arc<Schema>) -> Self {
        Self { schema: Arc::clone(schema), log: Log::new(100), rows: 0, refused: Vec::new() }
    }

    /// Counts a row.
    #[inline]
    pub(crate) fn row(&mut self, wrong: Option<Wrong>) {
        self.row_at(wrong, None);
    }

    /// Counts a row that begins in a certain line, from 1.
    #[inline]
    pub(crate) fn row_at(&mut self, wrong: Option<Wrong>, line: Option<u64>) {
        if let Some(wrong) = wrong {
            self.refuse(wrong, line);
        }
        self.rows += 1;
    }

    #[cold]
    fn refuse(&mut self, wrong: Wrong, line: Option<u64>) {
        let code = wrong.code.unwrap_or_else(|| code_of(&self.schema, &wrong.path));
        let entry = self.rows;
        self.refused.push(entry);
        self.log.push(code, || {
            let mut fault = Fault::new(code).detail(one_line(&wrong.what));
            fault.element = (!wrong.path.is_empty()).then_some(wrong.path);
            fault.value = wrong.value.as_deref().map(cut);
            fault.entry = Some(entry);
            fault.line = line;
            fault
        });
    }

    /// Notes that instants without zone were taken as UTC.
    pub(crate) fn zoneless(&mut self, count: u64) {
        if count > 0 {
            self.log.push(Code::DAT003, || {
                let what = "datetimes without zone are read as UTC, aware ones were expected";
                let mut fault = Fault::new(Code::DAT003).detail(what);
                fault.count = count;
                fault
            });
        }
    }

    /// What was found since the last call.
    pub(crate) fn drain(&mut self) -> Vec<Fault> {
        self.log.drain()
    }

    /// How many rows were refused.
    pub(crate) fn refused(&self) -> u64 {
        self.refused.len() as u64
    }

    /// How often a code was found.
    pub(crate) fn total(&self, code: Code) -> u64 {
        self.log.total(code)
    }

    /// The number of a row in its source, given its number among the rows that were not refused.
    pub(crate) fn number(&self, row: u64) -> u64 {
        // The refused rows before it: those whose number, less the refused ones before them, is not beyond it.
        let (mut low, mut high) = (0, self.refused.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.refused[middle] - middle as u64 <= row {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        row + low as u64
    }
}

/// Which finding speaks of a value that its column cannot take.
fn code_of(schema: &Schema, path: &str) -> Code {
    if path.is_empty() {
        return Code::GEN001;
    }
    schema.field(path).map_or(Code::STR020, |field| field.codes.invalid)
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Batches, with what is known of the rows that are not in them.
pub(crate) trait Origin: RecordBatchReader + Send {
    /// Rows refused, and notes.
    fn faults(&mut self) -> &mut Faults;

    /// Names that no column has.
    fn ignored(&self) -> &[String];

    /// Whether the source itself has a column of the schema.
    fn has(&self, _column: &str) -> bool {
        true
    }
}

/// Batches of somebody else.
pub(crate) struct Foreign {
    reader: Box<dyn RecordBatchReader + Send>,
    faults: Faults,
    ignored: Vec<String>,
}

impl Foreign {
    pub(crate) fn new(reader: Box<dyn RecordBatchReader + Send>, ignored: Vec<String>) -> Self {
        Self { reader, faults: Faults::new(&Schema::standard()), ignored }
    }
}

impl Iterator for Foreign {
    type Item = Result<arrow_array::RecordBatch, arrow_schema::ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.reader.next()
    }
}

impl RecordBatchReader for Foreign {
    fn schema(&self) -> arrow_schema::SchemaRef {
        self.reader.schema()
    }
}

impl Origin for Foreign {
    fn faults(&mut self) -> &mut Faults {
        &mut self.faults
    }

    fn ignored(&self) -> &[String] {
        &self.ignored
    }
}

/// A table that can be read once.
#[pyclass(frozen, module = "urlset._core")]
pub struct Source(Mutex<Option<Box<dyn Origin>>>);

impl Source {
    pub(crate) fn new(origin: Box<dyn Origin>) -> Self {
        Self(Mutex::new(Some(origin)))
    }

    fn take(&self) -> PyResult<Box<dyn Origin>> {
        let mut slot = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        slot.take().ok_or_else(|| {
            Python::attach(|py| crate::error::raise(py, "StreamConsumed", "this table can be read once, and was"))
        })
    }
}

#[pymethods]
impl Source {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let reader = PyRecordBatchReader::new(Box::new(Plain(self.take()?)));
        let reader = Bound::new(py, reader)?;
        reader.call_method1("__arrow_c_stream__", (requested_schema,))
    }
}

struct Plain(Box<dyn Origin>);

impl Iterator for Plain {
    type Item = Result<arrow_array::RecordBatch, arrow_schema::ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl RecordBatchReader for Plain {
    fn schema(&self) -> arrow_schema::SchemaRef {
        self.0.schema()
    }
}

/// Batches that Python hands out.
struct Ours {
    batches: Py<PyIterator>,
    schema: arrow_schema::SchemaRef,
}

impl Iterator for Ours {
    type Item = Result<arrow_array::RecordBatch, arrow_schema::ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        Python::attach(|py| {
            let next = self.batches.bind(py).clone().next()?;
            let batch = next.and_then(|batch| batch.extract::<PyRecordBatch>());
            let problem = |error: PyErr| arrow_schema::ArrowError::ExternalError(Box::new(error));
            Some(batch.map(PyRecordBatch::into_inner).map_err(problem))
        })
    }
}

impl RecordBatchReader for Ours {
    fn schema(&self) -> arrow_schema::SchemaRef {
        self.schema.clone()
    }
}

/// The rows of a table, whoever made it.
pub(crate) fn open(table: &Bound<'_, PyAny>) -> PyResult<Box<dyn Origin>> {
    if let Ok(source) = table.cast::<Source>() {
        return source.get().take();
    }
    // Batches of our own come one by one, so that what stops them comes out as it was.
    let module = table.get_type().module()?;
    if module.to_string_lossy().starts_with("urlset.") && table.hasattr("batches")? {
        let schema = table.getattr("schema")?.extract::<PySchema>()?.into_inner();
        let batches = table.call_method0("batches")?.try_iter()?.unbind();
        return Ok(Box::new(Foreign::new(Box::new(Ours { batches, schema }), Vec::new())));
    }
    if !table.hasattr("__arrow_c_stream__")? && !table.hasattr("__arrow_c_array__")? {
        let what = format!("a table with __arrow_c_stream__ was expected, not {}", table.get_type().name()?);
        return Err(PyTypeError::new_err(what));
    }
    let reader = table.extract::<AnyRecordBatch>()?.into_reader()?;
    Ok(Box::new(Foreign::new(reader, Vec::new())))
}
