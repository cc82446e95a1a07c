//! What `urlset._read` works with: the push-fed reader and faults found outside of it. Opens nothing and decides nothing.

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3_arrow::PySchema;
use pyo3_arrow::buffer::PyArrowBuffer;
use urlset::codes::{Code, Fault};
use urlset::columns::findings;
use urlset::read::{Limits, Options, Relative};

use crate::columns::{Batch, Schema};
use crate::error;

fn relative(py: Python<'_>, option: &str, word: &str) -> PyResult<Relative> {
    match word {
        "drop" => Ok(Relative::Drop),
        "resolve" => Ok(Relative::Resolve),
        "keep" => Ok(Relative::Keep),
        _ => {
            let text = format!("{option} is {word:?}, \"drop\", \"resolve\" or \"keep\" was expected");
            Err(error::raise(py, "OptionError", &text))
        }
    }
}

/// Reads one file, push-fed.
#[pyclass(module = "urlset._core")]
pub struct Reader {
    inner: urlset::read::Reader,
    file: String,
}

#[pymethods]
impl Reader {
    #[new]
    #[allow(clippy::too_many_arguments)] // keywords all
    #[pyo3(signature = (*, name=None, file=None, base=None, content_type=None, columns=None, relative="drop",
        relative_children="drop", extensions=Vec::new(), batch_rows=16_384, max_bytes=None, max_ratio=None,
        max_depth=None, max_entries=None, max_text=None, max_findings=None))]
    fn new(
        py: Python<'_>,
        name: Option<String>,
        file: Option<String>,
        base: Option<String>,
        content_type: Option<String>,
        columns: Option<Vec<String>>,
        relative: &str,
        relative_children: &str,
        extensions: Vec<PySchema>,
        batch_rows: usize,
        max_bytes: Option<u64>,
        max_ratio: Option<f64>,
        max_depth: Option<usize>,
        max_entries: Option<u64>,
        max_text: Option<usize>,
        max_findings: Option<u64>,
    ) -> PyResult<Self> {
        let file = file.or_else(|| name.clone()).unwrap_or_default();
        let options = Options {
            schema: crate::schema::table(py, extensions)?,
            name,
            base,
            content_type,
            columns,
            relative: self::relative(py, "relative", relative)?,
            relative_children: self::relative(py, "relative_children", relative_children)?,
            batch_rows,
            limits: Limits {
                max_bytes,
                max_ratio: max_ratio.map(|ratio| ratio.ceil() as u64),
                max_depth: max_depth.unwrap_or(usize::MAX),
                max_entries,
                max_text: max_text.unwrap_or(usize::MAX),
                max_findings: max_findings.unwrap_or(u64::MAX),
            },
        };
        let inner = urlset::read::Reader::new(options).map_err(|e| error::core(py, &e))?;
        Ok(Self { inner, file })
    }

    /// Takes the next bytes.
    fn feed(&mut self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let inner = &mut self.inner;
        let fed = if let Ok(bytes) = data.cast::<PyBytes>() {
            let bytes = bytes.as_bytes();
            py.detach(|| inner.feed(bytes))
        } else {
            // What has gaps would be taken for what lies in them.
            if !PyBuffer::<u8>::get(data)?.is_c_contiguous() {
                return Err(PyBufferError::new_err("the buffer is not contiguous"));
            }
            let buffer = data.extract::<PyArrowBuffer>()?.into_inner();
            let fed = py.detach(|| inner.feed(&buffer));
            drop(buffer);
            fed
        };
        fed.map_err(|e| error::core(py, &e))?;
        py.check_signals()
    }

    /// Ends the file.
    #[pyo3(signature = (cut=false))]
    fn finish(&mut self, py: Python<'_>, cut: bool) -> PyResult<()> {
        let inner = &mut self.inner;
        py.detach(|| inner.finish(cut)).map_err(|e| error::core(py, &e))?;
        py.check_signals()
    }

    /// Batches finished since the last call.
    fn batches(&mut self) -> Vec<Batch> {
        self.inner.take_batches().into_iter().map(Batch::new).collect()
    }

    /// Findings since the last call.
    fn findings(&mut self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let faults = self.inner.take_faults();
        if faults.is_empty() {
            return Ok(None);
        }
        let file = &self.file;
        let batch = py.detach(|| findings::table(&faults, file)).map_err(|e| error::core(py, &e))?;
        Ok(Some(Batch::new(batch)))
    }

    #[getter]
    fn schema(&self) -> Schema {
        let schema = self.inner.schema();
        Schema::new(match self.inner.kind() {
            Some(kind) => {
                let metadata = HashMap::from([("urlset:kind".to_owned(), kind.as_str().to_owned())]);
                Arc::new(schema.as_ref().clone().with_metadata(metadata))
            }
            None => schema,
        })
    }

    #[getter]
    fn kind(&self) -> Option<&'static str> {
        self.inner.kind().map(urlset::read::Kind::as_str)
    }

    #[getter]
    fn rows(&self) -> u64 {
        self.inner.rows()
    }

    #[getter]
    fn entries(&self) -> u64 {
        self.inner.entries()
    }

    #[getter]
    fn complete(&self) -> bool {
        self.inner.complete()
    }

    #[getter]
    fn ended(&self) -> bool {
        self.inner.ended()
    }

    #[getter]
    fn charset(&self) -> &'static str {
        self.inner.charset()
    }

    #[getter]
    fn wire_bytes(&self) -> u64 {
        self.inner.wire_bytes()
    }

    #[getter]
    fn plain_bytes(&self) -> u64 {
        self.inner.plain_bytes()
    }

    #[getter]
    fn gzip_layers(&self) -> u8 {
        self.inner.gzip_layers()
    }
}

/// One finding that no reader can make: of a file that is not there, a circle of indexes, a limit of the run.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // keywords all
#[pyo3(signature = (code, *, file=None, value=None, url=None, element=None, entry=None, message=None, count=1))]
pub fn fault(
    py: Python<'_>,
    code: &str,
    file: Option<&str>,
    value: Option<&str>,
    url: Option<String>,
    element: Option<String>,
    entry: Option<u64>,
    message: Option<String>,
    count: u64,
) -> PyResult<Batch> {
    let Some(known) = Code::find(code) else {
        return Err(error::raise(py, "OptionError", &format!("there is no finding code {code:?}")));
    };
    let mut fault = Fault::new(known);
    if let Some(value) = value {
        fault = fault.value(value);
    }
    (fault.url, fault.element, fault.entry, fault.detail, fault.count) = (url, element, entry, message, count);
    let batch = findings::table(&[fault], file.unwrap_or_default()).map_err(|e| error::core(py, &e))?;
    Ok(Batch::new(batch))
}
