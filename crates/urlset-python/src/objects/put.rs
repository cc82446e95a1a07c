//! Values of Python into the columns of the open row. Knows no row as a whole.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::{Floats, Put, Stop, Types};
use crate::json;
use crate::texts::{Moment, Node, Path, Struct, Takes, Target, Value, Wrong};

/// The text of a string.
#[inline]
pub(super) fn text<'a>(value: &'a Bound<'_, PyString>, path: &Path) -> Result<&'a str, Stop> {
    value.to_str().map_err(|_| {
        let shown = value.to_string_lossy().into_owned();
        Stop::Row(Wrong::new(path, "text with half a surrogate pair", Some(shown), "Unicode"))
    })
}

/// What a value is, for messages.
#[cold]
pub(super) fn kind(value: &Bound<'_, PyAny>) -> String {
    let name = value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    if matches!(name.as_bytes().first(), Some(b'a' | b'e' | b'i' | b'o' | b'u')) {
        return format!("an {name}");
    }
    format!("a {name}")
}

#[cold]
fn wrong(value: &Bound<'_, PyAny>, path: &Path, expected: &str) -> Stop {
    let shown = value.str().ok().map(|text| urlset::codes::cut(&text.to_string_lossy()));
    Stop::Row(Wrong::new(path, &kind(value), shown, expected))
}

pub(super) fn form(inner: &mut Struct, child: usize, value: &Bound<'_, PyAny>, path: &Path) -> Put {
    if value.is_none() {
        return Ok(());
    }
    let Ok(value) = value.cast::<PyString>() else {
        let field = inner.field(child);
        let name = format!("{}_form", field.name());
        return Err(wrong(value, &path.name(&name), "a string"));
    };
    inner.form(child, text(value, path)?);
    Ok(())
}

/// Puts values into columns.
pub(super) struct Putter<'a, 'py> {
    pub(super) types: &'a Types,
    pub(super) floats: &'a mut Floats,
    pub(super) zoneless: &'a mut u64,
    pub(super) ignored: &'a mut Vec<String>,
    pub(super) py: Python<'py>,
}

impl<'py> Putter<'_, 'py> {
    #[inline]
    pub(super) fn any(&mut self, node: &mut Node, row: usize, value: &Bound<'py, PyAny>, path: &Path) -> Put {
        if value.is_none() {
            return Ok(());
        }
        match node {
            Node::Value(single) => self.single(single, row, value, path),
            Node::Struct(_) | Node::List(_) => self.nested(node, row, value, path),
        }
    }

    fn nested(&mut self, node: &mut Node, row: usize, value: &Bound<'py, PyAny>, path: &Path) -> Put {
        if let Ok(value) = value.cast::<PyString>() {
            let text = text(value, path)?;
            if text.trim().is_empty() {
                return Ok(());
            }
            if let Node::Struct(inner) = node
                && !json::is_json(text)
            {
                return if inner.alone(row, text) { Ok(()) } else { Err(wrong(value, path, "a dict")) };
            }
            return json::value(text, node, row, path, self.ignored).map_err(Stop::Row);
        }
        match node {
            Node::Value(_) => Ok(()),
            Node::Struct(inner) => match value.cast::<PyDict>() {
                Ok(dict) => self.children(inner, row, dict, path),
                Err(_) if value.hasattr(intern!(self.py, "keys"))? => {
                    let dict = self.py.get_type::<PyDict>().call1((value,))?;
                    self.children(inner, row, dict.cast::<PyDict>().map_err(PyErr::from)?, path)
                }
                Err(_) if is_missing(value) => Ok(()),
                Err(_) => Err(wrong(value, path, "a dict")),
            },
            Node::List(list) => {
                let start = list.next();
                let sequence = value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>();
                if !sequence {
                    if is_missing(value) {
                        return Ok(());
                    }
                    if value.is_instance_of::<PyDict>()
                        || value.is_instance_of::<PyBytes>()
                        || value.try_iter().is_err()
                    {
                        return Err(wrong(value, path, "a list"));
                    }
                }
                for item in value.try_iter()? {
                    let at = list.next();
                    self.any(&mut list.item, at, &item?, &path.item(at - start))?;
                }
                list.close(row, start);
                Ok(())
            }
        }
    }

    fn children(&mut self, inner: &mut Struct, row: usize, dict: &Bound<'py, PyDict>, path: &Path) -> Put {
        inner.open(row);
        for (name, value) in dict.iter() {
            let Ok(name) = name.cast::<PyString>() else {
                return Err(Stop::Row(Wrong::new(path, "a dict with a key that is no string", None, "names")));
            };
            let name = text(name, path)?;
            match inner.target(name) {
                Some(Target::Column(child)) => {
                    let field = inner.field(child);
                    self.any(&mut inner.children[child], row, &value, &path.name(field.name()))?;
                }
                Some(Target::Form(child)) => form(inner, child, &value, path)?,
                Some(Target::Silent) => {}
                None => inner.ignore(self.ignored, path, name),
            }
        }
        match inner.close(row) {
            None => Ok(()),
            Some((column, form)) => {
                let name = format!("{column}_form");
                let is = format!("\"{form}\"");
                Err(Stop::Row(Wrong::new(&path.name(&name), &is, Some(form), "a form such as `date` or `seconds Z`")))
            }
        }
    }

    #[inline]
    fn single(&mut self, single: &mut Value, row: usize, value: &Bound<'py, PyAny>, path: &Path) -> Put {
        if let Ok(value) = value.cast::<PyString>() {
            single.text(row, text(value, path)?);
            return Ok(());
        }
        match single.takes {
            Takes::Date => self.date(single, value, path),
            Takes::Number => self.number(single, row, value, path),
            Takes::Flag => {
                if is_bool(value) {
                    single.text(row, if value.is_truthy()? { "yes" } else { "no" });
                    return Ok(());
                }
                Self::rest(value, path, single.takes)
            }
            Takes::Text => {
                if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
                    single.text(row, &value.str()?.to_string_lossy());
                    return Ok(());
                }
                Self::rest(value, path, single.takes)
            }
        }
    }

    fn number(&mut self, single: &mut Value, row: usize, value: &Bound<'py, PyAny>, path: &Path) -> Put {
        if let Ok(float) = value.cast::<PyFloat>() {
            // Also one that is none: whoever writes the row tells.
            single.text(row, self.floats.text(float.value()));
            return Ok(());
        }
        if is_bool(value) {
            return Err(wrong(value, path, single.takes.expected()));
        }
        if value.is_instance_of::<PyInt>() || value.is_instance(self.types.decimal.bind(self.py))? {
            single.text(row, &value.str()?.to_string_lossy());
            return Ok(());
        }
        // What other libraries call a number; those of numpy among them.
        match value.extract::<f64>() {
            Ok(float) => {
                single.text(row, self.floats.text(float));
                Ok(())
            }
            Err(_) => Self::rest(value, path, single.takes),
        }
    }

    fn date(&mut self, single: &mut Value, value: &Bound<'py, PyAny>, path: &Path) -> Put {
        let py = self.py;
        if value.is_instance(self.types.datetime.bind(py))? {
            let Some((micros, zoneless)) = self.instant(value)? else {
                return Self::rest(value, path, single.takes);
            };
            *self.zoneless += u64::from(zoneless);
            single.moment(Moment::Instant(micros));
            return Ok(());
        }
        if value.is_instance(self.types.date.bind(py))? {
            // Ordinals count from the first day of the year 1.
            let ordinal: i64 = value.call_method0(intern!(py, "toordinal"))?.extract()?;
            single.moment(Moment::Day(ordinal - 719_163));
            return Ok(());
        }
        Self::rest(value, path, single.takes)
    }

    /// Microseconds since 1970, and whether no zone was there and UTC was taken.
    fn instant(&self, value: &Bound<'py, PyAny>) -> Result<Option<(i64, bool)>, Stop> {
        let py = self.py;
        let mut zoneless = value.getattr(intern!(py, "tzinfo"))?.is_none();
        let mut since = value.sub(if zoneless { &self.types.epoch_naive } else { &self.types.epoch });
        if since.is_err() && !zoneless {
            // A zone that knows no offset is none.
            zoneless = true;
            since = value.sub(&self.types.epoch_naive);
        }
        // pandas says "not a time" with something that counts as a datetime, and gives no numbers.
        let Ok(since) = since else { return Ok(None) };
        let part = |name| since.getattr(name).and_then(|part| part.extract::<i64>());
        let (Ok(days), Ok(seconds), Ok(micros)) =
            (part(intern!(py, "days")), part(intern!(py, "seconds")), part(intern!(py, "microseconds")))
        else {
            return Ok(None);
        };
        Ok(Some(((days * 86_400 + seconds) * 1_000_000 + micros, zoneless)))
    }

    /// What no column takes: values that say "missing" in other libraries are none, all others are wrong.
    #[cold]
    fn rest(value: &Bound<'py, PyAny>, path: &Path, takes: Takes) -> Put {
        if is_missing(value) {
            return Ok(());
        }
        Err(wrong(value, path, takes.expected()))
    }
}

fn is_bool(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyBool>() || value.get_type().name().is_ok_and(|name| name == "bool" || name == "bool_")
}

/// Whether a value is how other libraries say that there is none: it differs from itself, as `NaN` and `NaT` do, or it is
/// pandas' NA.
#[cold]
fn is_missing(value: &Bound<'_, PyAny>) -> bool {
    if value.get_type().name().is_ok_and(|name| name == "NAType") {
        return true;
    }
    value.ne(value).unwrap_or(false)
}
