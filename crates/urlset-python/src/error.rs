//! Errors of the core, of Arrow and of files to the classes of `urlset.errors`. Words nothing anew: the message is the core's.

use arrow_schema::ArrowError;
use pyo3::prelude::*;
use urlset::error::{Error, ErrorKind};

/// The exception of `urlset.errors` with this name.
pub fn raise(py: Python<'_>, class: &str, message: &str) -> PyErr {
    raise_at(py, class, message, None)
}

/// The same with the second argument of its class: a place, an option, a limit.
pub fn raise_at(py: Python<'_>, class: &str, message: &str, place: Option<&str>) -> PyErr {
    let made = py.import("urlset.errors").and_then(|m| m.getattr(class)).and_then(|class| match place {
        Some(place) => class.call1((message, place)),
        None => class.call1((message,)),
    });
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(failed) => failed,
    }
}

/// An error of the core as an exception. Refused rows are told by who has them.
pub fn core(py: Python<'_>, error: &Error) -> PyErr {
    let text = error.to_string();
    match error.kind {
        ErrorKind::Option(_) | ErrorKind::Extension(_) => raise(py, "OptionError", &text),
        ErrorKind::Schema(_) => raise(py, "SchemaError", &text),
        ErrorKind::RowTooBig => raise_at(py, "LimitExceeded", &text, Some("max_bytes")),
        ErrorKind::Arrow(_) | ErrorKind::Refused(_) => raise(py, "UrlsetError", &text),
    }
}

/// An error of Arrow as an exception; one that came from Python comes back as it was.
pub fn arrow(error: ArrowError) -> PyErr {
    pyo3_arrow::error::PyArrowError::from(error).into()
}

/// What stopped a table while it was read, as an exception; one that came from Python comes back as it was.
pub fn table(py: Python<'_>, error: ArrowError, place: Option<&str>) -> PyErr {
    let what = match error {
        ArrowError::ExternalError(inner) => match inner.downcast::<PyErr>() {
            Ok(error) => return *error,
            Err(inner) => inner.to_string(),
        },
        ArrowError::IoError(what, inner) => match inner.downcast::<PyErr>() {
            Ok(error) => return error,
            Err(_) => what,
        },
        ArrowError::CDataInterface(what) => what,
        other => format!("the table is damaged: {other}"),
    };
    raise_at(py, "Unreadable", &what, place)
}
