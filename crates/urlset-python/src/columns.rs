//! Arrow objects that any Arrow library takes: schema, batch, stream, table. Builds no columns and reads no bytes.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, Field, FieldRef, SchemaRef};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyIterator, PyList, PyTuple};
use pyo3_arrow::ffi::{ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule};
use pyo3_arrow::{PyRecordBatch, PySchema};

use crate::rows;

/// A schema as a struct field, which is how a stream of batches calls it.
fn field(schema: &SchemaRef) -> FieldRef {
    Arc::new(Field::new_struct("", schema.fields().clone(), false).with_metadata(schema.metadata().clone()))
}

/// A batch as the struct array that the C interface hands over.
fn array(batch: &RecordBatch) -> ArrayRef {
    let columns = batch.columns().to_vec();
    // A batch without columns still has rows.
    match StructArray::try_new_with_length(batch.schema_ref().fields().clone(), columns, None, batch.num_rows()) {
        Ok(array) => Arc::new(array),
        Err(_) => Arc::new(StructArray::from(batch.clone())),
    }
}

/// An Arrow schema.
#[pyclass(module = "urlset._core", frozen)]
pub struct Schema(SchemaRef);

impl Schema {
    pub fn new(schema: SchemaRef) -> Self {
        Self(schema)
    }

    pub fn arrow(&self) -> &SchemaRef {
        &self.0
    }
}

#[pymethods]
impl Schema {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.0.as_ref())?)
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.fields().iter().map(|f| f.name().clone()).collect()
    }

    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        metadata(py, self.0.metadata())
    }

    /// The facts of one column.
    fn facts<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        match self.0.column_with_name(name) {
            Some((_, field)) => metadata(py, field.metadata()),
            None => Err(pyo3::exceptions::PyKeyError::new_err(name.to_owned())),
        }
    }

    fn with_metadata(&self, metadata: std::collections::HashMap<String, String>) -> Self {
        Self(Arc::new(self.0.as_ref().clone().with_metadata(metadata)))
    }

    /// The same columns without those not named.
    fn select(&self, names: Vec<String>) -> Self {
        let kept: Vec<_> = self.0.fields().iter().filter(|f| names.contains(f.name())).map(Arc::clone).collect();
        Self(Arc::new(arrow_schema::Schema::new_with_metadata(kept, self.0.metadata().clone())))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __len__(&self) -> usize {
        self.0.fields().len()
    }

    fn __repr__(&self) -> String {
        let columns: Vec<_> = self.0.fields().iter().map(|f| format!("{}: {}", f.name(), f.data_type())).collect();
        format!("Schema({})", columns.join(", "))
    }
}

fn metadata<'py>(py: Python<'py>, of: &std::collections::HashMap<String, String>) -> PyResult<Bound<'py, PyDict>> {
    let mut pairs: Vec<_> = of.iter().collect();
    pairs.sort_unstable();
    let out = PyDict::new(py);
    for (key, value) in pairs {
        out.set_item(key, value)?;
    }
    Ok(out)
}

/// Some rows of a table.
#[pyclass(module = "urlset._core", frozen)]
pub struct Batch(RecordBatch);

impl Batch {
    pub fn new(batch: RecordBatch) -> Self {
        Self(batch)
    }

    pub fn arrow(&self) -> &RecordBatch {
        &self.0
    }
}

#[pymethods]
impl Batch {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        Ok(to_array_pycapsules(py, field(self.0.schema_ref()), &array(&self.0), requested_schema)?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.0.schema_ref().as_ref())?)
    }

    #[getter]
    fn schema(&self) -> Schema {
        Schema(self.0.schema())
    }

    #[getter]
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    #[getter]
    fn nbytes(&self) -> usize {
        // What lies behind the rows is not theirs: columns without a value share their zeros.
        let size = |column: &ArrayRef| match column.to_data().get_slice_memory_size() {
            Ok(size) => size,
            Err(_) => column.get_array_memory_size(),
        };
        self.0.columns().iter().map(size).sum()
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema().names()
    }

    /// One column as a list.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        match self.0.column_by_name(name) {
            Some(column) => PyList::new(py, rows::values(py, column)?),
            None => Err(pyo3::exceptions::PyKeyError::new_err(name.to_owned())),
        }
    }

    /// One dict a row, without the columns named.
    #[pyo3(signature = (leave_out=Vec::new()))]
    fn to_pylist<'py>(&self, py: Python<'py>, leave_out: Vec<String>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, rows::dicts(py, &self.0, &leave_out)?)
    }

    /// The same rows without the columns not named.
    fn select(&self, names: Vec<String>) -> PyResult<Self> {
        let fields = self.0.schema_ref().fields();
        let kept: Vec<_> = (0..fields.len()).filter(|&at| names.contains(fields[at].name())).collect();
        Ok(Self(self.0.project(&kept).map_err(crate::error::arrow)?))
    }

    /// A batch of any Arrow library.
    #[staticmethod]
    fn from_arrow(batch: PyRecordBatch) -> Self {
        Self(batch.into_inner())
    }

    /// The rows of several batches with the same columns.
    #[staticmethod]
    fn concat(batches: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        let Some(first) = batches.first() else {
            return Err(pyo3::exceptions::PyValueError::new_err("no batches, at least one was expected"));
        };
        let schema = first.0.schema();
        let whole = arrow_select::concat::concat_batches(&schema, batches.iter().map(|b| &b.0));
        Ok(Self(whole.map_err(crate::error::arrow)?))
    }

    /// Rows from `start` to before `stop`.
    fn slice(&self, start: usize, stop: usize) -> Self {
        let stop = stop.min(self.0.num_rows());
        let start = start.min(stop);
        Self(self.0.slice(start, stop - start))
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("Batch({} rows of {})", self.0.num_rows(), self.column_names().join(", "))
    }
}

/// A stream of batches that are pulled from a Python iterator, for as long as a consumer asks.
#[pyclass(module = "urlset._core")]
pub struct Stream {
    schema: SchemaRef,
    batches: Option<Py<PyIterator>>,
}

#[pymethods]
impl Stream {
    #[new]
    fn new(schema: PySchema, batches: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { schema: schema.into_inner(), batches: Some(batches.try_iter()?.unbind()) })
    }

    #[getter]
    fn schema(&self) -> Schema {
        Schema(Arc::clone(&self.schema))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.schema.as_ref())?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &mut self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let Some(batches) = self.batches.take() else {
            let text = "this stream can be read once, and was; collect() keeps the rows";
            return Err(crate::error::raise(py, "StreamConsumed", text));
        };
        let pulled = Pull { batches: Some(batches), schema: Arc::clone(&self.schema) };
        let reader = ArrayIterator::new(pulled, field(&self.schema));
        Ok(to_stream_pycapsule(py, Box::new(reader), requested_schema)?)
    }
}

struct Pull {
    batches: Option<Py<PyIterator>>,
    schema: SchemaRef,
}

impl Pull {
    fn pull(&mut self, py: Python<'_>) -> PyResult<Option<ArrayRef>> {
        let Some(batches) = &self.batches else { return Ok(None) };
        let Some(next) = batches.bind(py).clone().next() else {
            self.batches = None;
            return Ok(None);
        };
        let next = next?;
        let batch = match next.cast::<Batch>() {
            Ok(batch) => batch.get().0.clone(),
            Err(_) => next.extract::<PyRecordBatch>()?.into_inner(),
        };
        if batch.schema_ref().fields() != self.schema.fields() {
            return Err(PyTypeError::new_err(format!(
                "a batch has the columns {}, the stream has {}",
                Schema(batch.schema()).__repr__(),
                Schema(Arc::clone(&self.schema)).__repr__()
            )));
        }
        Ok(Some(array(&batch)))
    }
}

impl Iterator for Pull {
    type Item = Result<ArrayRef, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let pulled = Python::try_attach(|py| match self.pull(py) {
            Ok(next) => next.map(Ok),
            Err(error) => {
                self.batches = None;
                let name = error.get_type(py).name().map_or_else(|_| "Exception".into(), |n| n.to_string());
                // The consumer makes a C string of it.
                let text = format!("{name}: {}", error.value(py)).replace('\0', "\\0");
                Some(Err(ArrowError::IoError(text.clone(), std::io::Error::other(text))))
            }
        });
        pulled.unwrap_or_else(|| Some(Err(ArrowError::CDataInterface("Python is shutting down".into()))))
    }
}

/// Batches kept in memory.
#[pyclass(module = "urlset._core", frozen)]
pub struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    rows: usize,
}

impl Table {
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        let rows = batches.iter().map(RecordBatch::num_rows).sum();
        Self { schema, batches, rows }
    }
}

#[pymethods]
impl Table {
    #[new]
    fn from_batches(schema: PySchema, batches: Vec<PyRef<'_, Batch>>) -> PyResult<Self> {
        let schema = schema.into_inner();
        for batch in &batches {
            if batch.0.schema_ref().fields() != schema.fields() {
                return Err(PyTypeError::new_err("the batches of a table have the columns of its schema"));
            }
        }
        Ok(Self::new(schema, batches.iter().map(|b| b.0.clone()).collect()))
    }

    #[getter]
    fn schema(&self) -> Schema {
        Schema(Arc::clone(&self.schema))
    }

    #[getter]
    fn num_rows(&self) -> usize {
        self.rows
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema().names()
    }

    fn batches(&self) -> Vec<Batch> {
        self.batches.iter().cloned().map(Batch).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.schema.as_ref())?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let arrays: Vec<_> = self.batches.iter().map(|b| Ok(array(b))).collect();
        let reader = ArrayIterator::new(arrays, field(&self.schema));
        Ok(to_stream_pycapsule(py, Box::new(reader), requested_schema)?)
    }

    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.rows(py, 0, None)
    }

    /// Rows from `start` to before `stop`, one dict each.
    #[pyo3(signature = (start=0, stop=None))]
    fn rows<'py>(&self, py: Python<'py>, start: usize, stop: Option<usize>) -> PyResult<Bound<'py, PyList>> {
        let stop = stop.unwrap_or(self.rows).min(self.rows);
        let start = start.min(stop);
        let out = PyList::empty(py);
        let mut first = 0;
        for batch in &self.batches {
            let end = first + batch.num_rows();
            if end > start && first < stop {
                let from = start.max(first) - first;
                let part = batch.slice(from, stop.min(end) - first - from);
                for row in rows::dicts(py, &part, &[])? {
                    out.append(row)?;
                }
            }
            first = end;
        }
        Ok(out)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, at: isize) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.rows as isize;
        let at = if at < 0 { at + rows } else { at };
        if !(0..rows).contains(&at) {
            return Err(PyIndexError::new_err(format!("row {at} of a table of {rows}")));
        }
        self.rows(py, at as usize, Some(at as usize + 1))?.get_item(0)
    }

    fn __len__(&self) -> usize {
        self.rows
    }

    fn __repr__(&self) -> String {
        format!("Table({} rows of {})", self.rows, self.column_names().join(", "))
    }
}
