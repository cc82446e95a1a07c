//! Errors of the core to the classes of `urlset.errors`. Words nothing anew: the message is the core's.

use pyo3::prelude::*;
use urlset::error::{Error, ErrorKind};

/// The exception of `urlset.errors` with this name.
pub fn raise(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let made = py.import("urlset.errors").and_then(|m| m.getattr(class)).and_then(|c| c.call1((message,)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(failed) => failed,
    }
}

/// An error of the core as an exception.
pub fn core(py: Python<'_>, error: &Error) -> PyErr {
    let class = match error.kind {
        ErrorKind::Option(_) | ErrorKind::Extension(_) => "OptionError",
        ErrorKind::Schema(_) => "SchemaError",
        ErrorKind::RowTooBig => "LimitExceeded",
        ErrorKind::Arrow(_) => "UrlsetError",
    };
    if matches!(error.kind, ErrorKind::RowTooBig) {
        let made = py
            .import("urlset.errors")
            .and_then(|m| m.getattr(class))
            .and_then(|c| c.call1((error.to_string(), "max_bytes")));
        return match made {
            Ok(exception) => PyErr::from_value(exception),
            Err(failed) => failed,
        };
    }
    raise(py, class, &error.to_string())
}

/// An error of Arrow as an exception; one that came from Python comes back as it was.
pub fn arrow(error: arrow_schema::ArrowError) -> PyErr {
    pyo3_arrow::error::PyArrowError::from(error).into()
}
