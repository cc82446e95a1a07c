//! Python rows into columns of texts: dicts, dataclasses, sequences, addresses alone. Keeps no Python object beyond its row.

mod put;

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyMapping, PyString, PyTuple, PyType};
use pyo3_arrow::PySchema;
use urlset::schema::Schema;
use urlset::value::number;

use crate::schema::table;
use crate::source::{Faults, Origin, Source};
use crate::texts::{Path, Target, Texts, Wrong};
use put::{Putter, form, kind, text};

/// What a row is refused for, or what ends the run.
enum Stop {
    Row(Wrong),
    Run(PyErr),
}

impl From<PyErr> for Stop {
    fn from(error: PyErr) -> Self {
        Self::Run(error)
    }
}

type Put = Result<(), Stop>;

/// Rows as they come out of an iterable.
pub(crate) struct Rows {
    iterator: Py<PyIterator>,
    types: Types,
    texts: Texts,
    faults: Faults,
    batch_rows: usize,
    /// For sequences: what their items are.
    columns: Option<Vec<Py<PyString>>>,
    /// The name found last at each place of a row, and what it stands for: rows of one kind have the same names in the
    /// same order, and mostly the very same objects.
    hints: Vec<(Py<PyString>, Target)>,
    floats: Floats,
    zoneless: u64,
    done: bool,
}

/// Python's types and constants, looked up once.
struct Types {
    datetime: Py<PyType>,
    date: Py<PyType>,
    epoch: Py<PyAny>,
    epoch_naive: Py<PyAny>,
    url: Py<PyType>,
    decimal: Py<PyType>,
}

impl Types {
    fn new(py: Python<'_>) -> PyResult<Self> {
        let module = py.import("datetime")?;
        let datetime = module.getattr("datetime")?;
        let utc = module.getattr("timezone")?.getattr("utc")?;
        let epoch_naive = datetime.call1((1970, 1, 1))?;
        let replace = PyDict::new(py);
        replace.set_item("tzinfo", utc)?;
        Ok(Self {
            epoch: epoch_naive.call_method("replace", (), Some(&replace))?.unbind(),
            epoch_naive: epoch_naive.unbind(),
            datetime: datetime.cast_into::<PyType>()?.unbind(),
            date: module.getattr("date")?.cast_into::<PyType>()?.unbind(),
            url: py.import("urlset.types")?.getattr("Url")?.cast_into::<PyType>()?.unbind(),
            decimal: py.import("decimal")?.getattr("Decimal")?.cast_into::<PyType>()?.unbind(),
        })
    }
}

/// Texts of floats seen before: a column of priorities has few.
struct Floats {
    slots: Box<[(u64, String)]>,
}

impl Floats {
    const SLOTS: usize = 256;

    fn new() -> Self {
        Self { slots: vec![(f64::NAN.to_bits(), "NaN".to_owned()); Self::SLOTS].into() }
    }

    fn text(&mut self, value: f64) -> &str {
        let bits = value.to_bits();
        let slot = &mut self.slots[(bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize];
        if slot.0 != bits {
            let mut text = Vec::new();
            if value.is_finite() {
                number::write_decimal(value, &mut text);
            }
            let text = String::from_utf8(text).ok().filter(|t| !t.is_empty()).unwrap_or_else(|| value.to_string());
            *slot = (bits, text);
        }
        &slot.1
    }
}

impl Rows {
    pub(crate) fn new(
        rows: &Bound<'_, PyAny>,
        schema: &Arc<Schema>,
        columns: Option<Vec<String>>,
        batch_rows: usize,
    ) -> PyResult<Self> {
        let py = rows.py();
        let columns = columns.map(|names| names.iter().map(|name| PyString::intern(py, name).unbind()).collect());
        Ok(Self {
            iterator: rows.try_iter()?.unbind(),
            types: Types::new(py)?,
            texts: Texts::new(schema),
            faults: Faults::new(schema),
            batch_rows,
            columns,
            hints: Vec::new(),
            floats: Floats::new(),
            zoneless: 0,
            done: false,
        })
    }

    fn batch(&mut self, py: Python<'_>) -> Option<Result<RecordBatch, ArrowError>> {
        if self.done {
            return None;
        }
        let mut iterator = self.iterator.bind(py).clone();
        let fail = |error: PyErr| Some(Err(ArrowError::ExternalError(Box::new(error))));
        while !self.texts.full(self.batch_rows) {
            let row = match iterator.next() {
                None => {
                    self.done = true;
                    break;
                }
                Some(Ok(row)) => row,
                Some(Err(error)) => {
                    self.done = true;
                    return fail(error);
                }
            };
            match self.row(&row) {
                Ok(()) => self.end_row(None),
                Err(Stop::Row(wrong)) => self.end_row(Some(wrong)),
                Err(Stop::Run(error)) => {
                    self.done = true;
                    return fail(error);
                }
            }
        }
        if self.done {
            self.faults.zoneless(self.zoneless);
        }
        (self.texts.rows > 0).then(|| self.texts.take())
    }

    fn end_row(&mut self, wrong: Option<Wrong>) {
        let bad_form = self.texts.top.close(self.texts.rows).map(|(column, form)| Wrong {
            what: format!("{column}_form is \"{form}\", a form such as `date` or `seconds Z` was expected"),
            path: format!("{column}_form"),
            value: Some(form),
            code: None,
        });
        let large = self.texts.too_large().then(|| Wrong::new(&Path::ROW, "larger than 64 MiB", None, "a smaller one"));
        let wrong = wrong.or(large).or(bad_form);
        self.texts.end_row(wrong.is_none());
        self.faults.row(wrong);
    }

    fn row(&mut self, row: &Bound<'_, PyAny>) -> Put {
        if let Ok(row) = row.cast::<PyDict>() {
            return self.dict(row);
        }
        let py = row.py();
        if row.is_instance_of::<PyString>() {
            return self.put(0, intern!(py, "loc"), row);
        }
        if let Some(columns) = &self.columns {
            let columns: Vec<_> = columns.iter().map(|name| name.clone_ref(py)).collect();
            let Ok(values) = row.cast::<PyTuple>() else {
                return Err(Stop::Row(Wrong::new(&Path::ROW, &kind(row), None, "a tuple")));
            };
            for (at, (name, value)) in columns.iter().zip(values.iter_borrowed()).enumerate() {
                self.put(at, name.bind(py), &value)?;
            }
            return Ok(());
        }
        if row.is_instance(self.types.url.bind(py))? {
            for (at, name) in ["loc", "lastmod", "changefreq", "priority"].into_iter().enumerate() {
                let name = PyString::intern(py, name);
                self.put(at, &name, &row.getattr(&name)?)?;
            }
            for item in row.getattr(intern!(py, "extensions"))?.cast::<PyMapping>().map_err(PyErr::from)?.items()? {
                let (name, value) = item.extract::<(Bound<'_, PyString>, Bound<'_, PyAny>)>()?;
                self.put(usize::MAX, &name, &value)?;
            }
            return Ok(());
        }
        let ty = row.get_type();
        if let Ok(fields) = ty.getattr(intern!(py, "__dataclass_fields__")) {
            for (at, name) in fields.try_iter()?.enumerate() {
                let name = name?.cast_into::<PyString>().map_err(PyErr::from)?;
                self.put(at, &name, &row.getattr(&name)?)?;
            }
            return Ok(());
        }
        if let Ok(as_dict) = row.getattr(intern!(py, "_asdict")) {
            return self.dict(as_dict.call0()?.cast::<PyDict>().map_err(PyErr::from)?);
        }
        if row.hasattr(intern!(py, "keys"))? {
            let dict = py.get_type::<PyDict>().call1((row,))?;
            return self.dict(dict.cast::<PyDict>().map_err(PyErr::from)?);
        }
        Err(Stop::Row(Wrong::new(&Path::ROW, &kind(row), None, "a dict, a dataclass or a string")))
    }

    fn dict(&mut self, row: &Bound<'_, PyDict>) -> Put {
        for (at, (name, value)) in row.iter().enumerate() {
            match name.cast::<PyString>() {
                Ok(name) => self.put(at, name, &value)?,
                Err(_) => {
                    return Err(Stop::Row(Wrong::new(
                        &Path::ROW,
                        "a dict with a key that is no string",
                        None,
                        "names",
                    )));
                }
            }
        }
        Ok(())
    }

    /// Puts a value under a name into the open row; `at` is the place of the name in the row.
    #[inline]
    fn put(&mut self, at: usize, name: &Bound<'_, PyString>, value: &Bound<'_, PyAny>) -> Put {
        let py = name.py();
        let target = match self.hints.get(at) {
            Some((known, target)) if known.is(name) => *target,
            _ => {
                let target = self.look_up(name)?;
                if let Some(hint) = self.hints.get_mut(at) {
                    *hint = (name.clone().unbind(), target);
                } else if at == self.hints.len() {
                    self.hints.push((name.clone().unbind(), target));
                }
                target
            }
        };
        let row = self.texts.rows;
        match target {
            Target::Silent => Ok(()),
            Target::Form(child) => form(&mut self.texts.top, child, value, &Path::ROW),
            Target::Column(child) => {
                let Texts { top, ignored, .. } = &mut self.texts;
                let field = top.field(child);
                let path = Path::ROW.name(field.name());
                let mut putter =
                    Putter { types: &self.types, floats: &mut self.floats, zoneless: &mut self.zoneless, ignored, py };
                putter.any(&mut top.children[child], row, value, &path)
            }
        }
    }

    fn look_up(&mut self, name: &Bound<'_, PyString>) -> Result<Target, Stop> {
        let text = text(name, &Path::ROW)?;
        let Texts { top, ignored, .. } = &mut self.texts;
        Ok(top.target(text).unwrap_or_else(|| {
            top.ignore(ignored, &Path::ROW, text);
            Target::Silent
        }))
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        Python::attach(|py| self.batch(py))
    }
}

impl RecordBatchReader for Rows {
    fn schema(&self) -> SchemaRef {
        self.texts.schema()
    }
}

impl Origin for Rows {
    fn faults(&mut self) -> &mut Faults {
        &mut self.faults
    }

    fn ignored(&self) -> &[String] {
        &self.texts.ignored
    }

    fn has(&self, column: &str) -> bool {
        self.texts.top.has(column)
    }
}

/// Python rows as a table.
#[pyfunction]
#[pyo3(signature = (rows, *, extensions=Vec::new(), columns=None, ignored=Vec::new(), batch_rows=16_384))]
pub fn from_rows(
    rows: &Bound<'_, PyAny>,
    extensions: Vec<PySchema>,
    columns: Option<Vec<String>>,
    ignored: Vec<String>,
    batch_rows: usize,
) -> PyResult<Source> {
    let schema = table(rows.py(), extensions)?;
    let mut rows = Rows::new(rows, &schema, columns, batch_rows.max(1))?;
    rows.texts.ignored = ignored;
    Ok(Source::new(Box::new(rows)))
}
