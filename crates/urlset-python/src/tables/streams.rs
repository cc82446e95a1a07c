//! Python's files as Rust reads and writes them. Opens nothing but the path it is given, and closes nothing of Python's.

use std::fs::File;
use std::io::{self, Read, Write};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// A file to read.
pub(super) enum Input {
    /// One of our own.
    File(File),
    /// One of Python's.
    Object(Py<PyAny>),
}

impl Input {
    /// Opens a path, or takes a file object.
    pub(super) fn open(file: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(path) = file.cast::<PyString>() {
            return Ok(Self::File(File::open(path.to_str()?)?));
        }
        Ok(Self::Object(file.clone().unbind()))
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let object = match self {
            Self::File(file) => return file.read(buffer),
            Self::Object(object) => object,
        };
        Python::attach(|py| {
            let data = object.call_method1(py, "read", (buffer.len(),)).map_err(io::Error::other)?;
            let data = data
                .cast_bound::<PyBytes>(py)
                .map_err(|_| io::Error::other("the file gives text, bytes were expected"))?;
            let data = data.as_bytes();
            // More than was asked for would be lost.
            let Some(target) = buffer.get_mut(..data.len()) else {
                return Err(io::Error::other("the file gives more than was asked for"));
            };
            target.copy_from_slice(data);
            Ok(data.len())
        })
    }
}

/// A file object to write to.
pub(super) struct Output(pub(super) Py<PyAny>);

impl Write for Output {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let mut rest = data;
            while !rest.is_empty() {
                let written = self.0.call_method1(py, "write", (PyBytes::new(py, rest),)).map_err(io::Error::other)?;
                // Unbuffered files may take a part.
                let count = written.extract::<usize>(py).unwrap_or(rest.len()).min(rest.len());
                rest = &rest[count..];
            }
            Ok(data.len())
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
