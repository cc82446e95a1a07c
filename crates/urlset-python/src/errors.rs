//! Errors of the core, of Arrow and of files as the classes of `urlset.errors`. Adds no message of its own but what the class needs.

use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use urlset::error::{Error, ErrorKind};

/// An error of the class so named.
fn raise(class: &str, arguments: impl FnOnce(Python<'_>) -> PyResult<Bound<'_, PyTuple>>) -> PyErr {
    Python::attach(|py| {
        let made = py
            .import("urlset.errors")
            .and_then(|errors| errors.getattr(class))
            .and_then(|class| class.call1(arguments(py)?));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}

fn raise_text(class: &str, text: &str) -> PyErr {
    raise(class, |py| (text,).into_pyobject(py))
}

/// A source that can be read once was read again.
pub(crate) fn consumed(what: &str) -> PyErr {
    raise_text("StreamConsumed", what)
}

/// An option cannot be used.
pub(crate) fn option(what: &str) -> PyErr {
    raise_text("OptionError", what)
}

/// A table lacks a column or has one of the wrong type.
pub(crate) fn schema(what: &str) -> PyErr {
    raise_text("SchemaError", what)
}

/// A file is there and cannot be read.
pub(crate) fn unreadable(what: &str, place: Option<&str>) -> PyErr {
    raise("Unreadable", |py| (what, place).into_pyobject(py))
}

/// There is no such file.
pub(crate) fn not_found(what: &str, place: &str) -> PyErr {
    raise("NotFound", |py| (what, place).into_pyobject(py))
}

/// What stopped the core. Refused rows are told by the caller, who has them.
pub(crate) fn core(error: &Error) -> PyErr {
    let text = error.to_string();
    match error.kind {
        ErrorKind::Schema(_) => schema(&text),
        ErrorKind::Option(_) | ErrorKind::Extension(_) => option(&text),
        ErrorKind::RowTooBig | ErrorKind::Refused(_) => raise_text("UrlsetError", &text),
        ErrorKind::Arrow(_) => unreadable(&text, None),
    }
}

/// What stopped a stream of batches: a Python error passes as it is.
pub(crate) fn arrow(error: ArrowError, place: Option<&str>) -> PyErr {
    match error {
        ArrowError::ExternalError(inner) => match inner.downcast::<PyErr>() {
            Ok(error) => *error,
            Err(inner) => unreadable(&inner.to_string(), place),
        },
        ArrowError::IoError(text, _) => unreadable(&text, place),
        other => unreadable(&format!("the table is damaged: {other}"), place),
    }
}
