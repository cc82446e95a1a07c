//! The writer as Python sees it: tables in, files out, one call for a whole table. Decides nothing.

use std::sync::{Mutex, MutexGuard, PoisonError};

use arrow_buffer::Buffer;
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::{PySchema, buffer::PyArrowBuffer};
use urlset::codes::{Code, Fault};
use urlset::columns::findings::fingerprint;
use urlset::error::{Error, ErrorKind};
use urlset::value::date::{Form, format};
use urlset::write::{self, Child, Format, Kind, OnError, Options, Profile};

use crate::error;
use crate::schema;
use crate::source::{self, Faults};

/// What ends a run.
enum Stop {
    Core(Error),
    Python(PyErr),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Core(error)
    }
}

/// A finished file.
#[pyclass(frozen, module = "urlset._core")]
pub struct Shard {
    name: String,
    data: Buffer,
    rows: u64,
    plain_bytes: u64,
    plain_hash: u64,
    lastmod: Option<(i64, Form)>,
    first: String,
    last: String,
}

impl From<write::Shard> for Shard {
    fn from(shard: write::Shard) -> Self {
        Self {
            name: shard.name,
            data: Buffer::from_vec(shard.data),
            rows: shard.rows,
            plain_bytes: shard.plain_bytes,
            plain_hash: shard.plain_hash,
            lastmod: shard.lastmod,
            first: shard.first,
            last: shard.last,
        }
    }
}

#[pymethods]
impl Shard {
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    #[getter]
    fn data(&self) -> PyArrowBuffer {
        PyArrowBuffer::new(self.data.clone())
    }

    #[getter]
    fn size(&self) -> usize {
        self.data.len()
    }

    #[getter]
    const fn rows(&self) -> u64 {
        self.rows
    }

    #[getter]
    const fn plain_bytes(&self) -> u64 {
        self.plain_bytes
    }

    #[getter]
    fn plain_hash(&self) -> String {
        format!("{:016x}", self.plain_hash)
    }

    #[getter]
    fn lastmod(&self) -> Option<String> {
        let (micros, form) = self.lastmod?;
        let mut text = Vec::new();
        format(micros, form, &mut text).then(|| String::from_utf8(text).ok()).flatten()
    }

    #[getter]
    fn first(&self) -> &str {
        &self.first
    }

    #[getter]
    fn last(&self) -> &str {
        &self.last
    }

    fn __repr__(&self) -> String {
        format!("<Shard {}: {} rows, {} bytes>", self.name, self.rows, self.data.len())
    }
}

/// What a run has done so far.
#[derive(Default)]
struct State {
    rows: u64,
    skipped: u64,
    encoded: u64,
    ignored: Vec<String>,
    faults: Vec<Fault>,
    kind: Option<Kind>,
}

/// Writes one table.
#[pyclass(frozen, module = "urlset._core")]
pub struct Writer {
    options: Options,
    /// The base as it stands in addresses.
    base: String,
    state: Mutex<State>,
}

impl Writer {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Writer {
    #[new]
    #[pyo3(signature = (
        *, base, max_urls=write::MAX_URLS, max_children=write::MAX_URLS, max_bytes=write::MAX_BYTES, gzip=true, level=6,
        text=false, nested=false, classic=false, stylesheet=None, skip=false, allow_offsite=false, allow_empty=false,
        extensions=Vec::new(), threads=1, name=None
    ))]
    #[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools)] // keywords all, as in the verb itself
    fn new(
        py: Python<'_>,
        base: String,
        max_urls: u64,
        max_children: u64,
        max_bytes: u64,
        gzip: bool,
        level: u8,
        text: bool,
        nested: bool,
        classic: bool,
        stylesheet: Option<String>,
        skip: bool,
        allow_offsite: bool,
        allow_empty: bool,
        extensions: Vec<PySchema>,
        threads: usize,
        name: Option<String>,
    ) -> PyResult<Self> {
        let mut options = Options::new(base);
        options.max_urls = max_urls;
        options.max_children = max_children;
        options.max_bytes = max_bytes;
        options.gzip = gzip;
        options.level = level;
        options.format = if text { Format::Text } else { Format::Xml };
        options.nested = nested;
        options.profile = if classic { Profile::Classic } else { Profile::Default };
        options.stylesheet = stylesheet;
        options.on_error = if skip { OnError::Skip } else { OnError::Raise };
        options.allow_offsite = allow_offsite;
        options.allow_empty = allow_empty;
        options.schema = schema::table(py, extensions)?;
        options.threads = threads;
        options.name = name;
        // Options are checked by the core with the first table; a table of `loc` alone suits them all.
        let loc = arrow_schema::Schema::new(vec![arrow_schema::Field::new("loc", arrow_schema::DataType::Utf8, false)]);
        write::Writer::new(&loc, options.clone()).map_err(|error| error::core(py, &error))?;
        let mut encoded = Vec::new();
        let base = match urlset::value::url::encode(&options.base, &mut encoded) {
            Ok(urlset::value::url::Encoded::Changed) => String::from_utf8_lossy(&encoded).into_owned(),
            _ => options.base.clone(),
        };
        let base = if base.is_empty() || base.ends_with('/') { base } else { base + "/" };
        Ok(Self { options, base, state: Mutex::default() })
    }

    /// Writes a table, and calls `sink` with each file; returns True where all rows were accepted.
    fn run(&self, py: Python<'_>, table: &Bound<'_, PyAny>, sink: Py<PyAny>) -> PyResult<bool> {
        let mut origin = source::open(table)?;
        let columns = origin.schema();
        let mut options = self.options.clone();
        if is_index(&columns) {
            options.kind = Kind::Index;
            // An index is small, and some consumers want it plain.
            options.gzip = false;
        }
        let kind = options.kind;
        let skip = options.on_error == OnError::Skip;
        let mut writer = write::Writer::new(&columns, options).map_err(|error| error::core(py, &error))?;
        let result = py.detach(|| {
            let batches = std::iter::from_fn(|| {
                // Looked at before the next batch and not with its own: by then the writer has found its faults too.
                if let Err(stop) = refuse(origin.faults(), skip) {
                    return Some(Err(stop));
                }
                let batch = origin.next()?;
                Some(batch.map_err(|error| Python::attach(|py| Stop::Python(error::table(py, error, None)))).and_then(
                    |batch| {
                        #[allow(clippy::redundant_closure_for_method_calls)]
                        // the method is not general enough over lifetimes
                        Python::attach(|py| py.check_signals()).map_err(Stop::Python)?;
                        Ok(batch)
                    },
                ))
            });
            writer.run(batches, |shard| {
                Python::attach(|py| sink.call1(py, (Shard::from(shard),)).map(drop)).map_err(Stop::Python)
            })
        });
        let mut state = self.state();
        state.kind = Some(kind);
        let faults = origin.faults();
        state.rows += writer.rows() + faults.refused();
        state.skipped += writer.skipped() + faults.refused();
        state.encoded += writer.encoded();
        let unused = writer.ignored_columns().iter().filter(|name| origin.has(name));
        state.ignored.extend(unused.chain(origin.ignored()).cloned());
        let mut found = origin.faults().drain();
        for mut fault in writer.faults() {
            fault.entry = fault.entry.map(|row| origin.faults().number(row));
            found.push(fault);
        }
        found.sort_by_key(|fault| fault.entry);
        for &code in Code::ALL {
            let total = writer.total(code) + origin.faults().total(code);
            let told = found.iter().filter(|fault| fault.code == code).count() as u64;
            if total > told && told > 0 {
                let detail = format!("{total} findings of {code}, of which the first {told} are shown");
                let mut fault = Fault::new(Code::GEN003).value(code.rule().code).detail(detail);
                fault.count = total - told;
                found.push(fault);
            }
        }
        state.faults.extend(found);
        match result {
            Ok(()) => Ok(true),
            Err(Stop::Core(Error { kind: ErrorKind::Refused(_) | ErrorKind::RowTooBig, .. })) => Ok(false),
            Err(Stop::Core(error)) => Err(error::core(py, &error)),
            Err(Stop::Python(error)) => Err(error),
        }
    }

    /// The index that lists files: pairs of an address and a date.
    fn index(&self, py: Python<'_>, children: Vec<(String, Option<String>)>) -> PyResult<Vec<Shard>> {
        let child = |(loc, lastmod): (String, Option<String>)| {
            let date = lastmod.and_then(|text| urlset::value::date::w3c(text.as_bytes()).date);
            Child { loc, lastmod: date.map(|date| (date.micros, date.form)) }
        };
        let children: Vec<_> = children.into_iter().map(child).collect();
        // An index is XML, whatever its children are.
        let options = Options { format: Format::Xml, ..self.options.clone() };
        let shards = write::index(&children, &options).map_err(|error| error::core(py, &error))?;
        Ok(shards.into_iter().map(Shard::from).collect())
    }

    #[getter]
    fn base(&self) -> &str {
        &self.base
    }

    #[getter]
    fn rows(&self) -> u64 {
        self.state().rows
    }

    #[getter]
    fn skipped(&self) -> u64 {
        self.state().skipped
    }

    #[getter]
    fn encoded(&self) -> u64 {
        self.state().encoded
    }

    #[getter]
    fn ignored_columns(&self) -> Vec<String> {
        self.state().ignored.clone()
    }

    #[getter]
    fn wrote_index(&self) -> bool {
        self.state().kind == Some(Kind::Index)
    }

    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.state().faults.iter().map(|fault| finding(py, fault)).collect()
    }
}

/// Ends the run where rows were refused before the writer saw them.
fn refuse(faults: &Faults, skip: bool) -> Result<(), Stop> {
    if skip || faults.refused() == 0 {
        return Ok(());
    }
    Err(Stop::Core(Error::new(ErrorKind::Refused("rows are not what their columns take".into()))))
}

/// A fault as the arguments of a `Finding`.
fn finding<'py>(py: Python<'py>, fault: &Fault) -> PyResult<Bound<'py, PyDict>> {
    let rule = fault.code.rule();
    let found = PyDict::new(py);
    found.set_item("code", rule.code)?;
    found.set_item("name", rule.name)?;
    found.set_item("severity", rule.severity.as_str())?;
    found.set_item("authority", rule.authority)?;
    found.set_item("message", fault.message())?;
    found.set_item("fingerprint", format!("{:016x}", fingerprint(fault)))?;
    found.set_item("count", fault.count)?;
    found.set_item("line", fault.line)?;
    found.set_item("entry", fault.entry)?;
    found.set_item("element", fault.element.as_deref())?;
    found.set_item("url", fault.url.as_deref())?;
    found.set_item("value", fault.value.as_deref())?;
    found.set_item("fix", fault.fix.as_deref())?;
    Ok(found)
}

fn is_index(schema: &SchemaRef) -> bool {
    matches!(schema.metadata().get("urlset:kind").map(String::as_str), Some("sitemapindex" | "robots"))
}

/// A robots.txt with these Sitemap lines.
#[pyfunction]
#[pyo3(signature = (existing, add, ours))]
pub fn robots_update(existing: Option<&[u8]>, add: Vec<String>, ours: Vec<String>) -> std::borrow::Cow<'static, [u8]> {
    write::robots::update(existing, &add, &ours).into()
}

/// The XSL style sheet.
#[pyfunction]
pub const fn stylesheet() -> &'static str {
    write::stylesheet()
}

/// XXH64 of bytes, as 16 hex digits.
#[pyfunction]
pub fn content_hash(py: Python<'_>, data: PyArrowBuffer) -> String {
    py.detach(|| format!("{:016x}", write::hash(data.as_ref())))
}
