//! Files of tables as Python opens and makes them. Chooses no format: the caller names it.

mod lines;
mod out;
mod packed;
mod streams;

use std::io::BufReader;

use pyo3::prelude::*;
use pyo3_arrow::PySchema;

pub use out::{TableWriter, span};

use crate::error;
use crate::schema::table;
use crate::source::{Origin, Source};
use streams::Input;

/// Bytes asked for at once.
const BUFFER: usize = 1 << 18;

/// A table in a file: a path or a file object, and what is in it.
#[pyfunction]
#[pyo3(signature = (file, format, *, extensions=Vec::new(), batch_rows=16_384))]
pub fn open_table(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    format: &str,
    extensions: Vec<PySchema>,
    batch_rows: usize,
) -> PyResult<Source> {
    let schema = table(py, extensions)?;
    let batch_rows = batch_rows.max(1);
    let input = Input::open(file)?;
    let opened: Result<Box<dyn Origin>, _> = match format {
        "csv" | "tsv" => lines::csv(BufReader::with_capacity(BUFFER, input), format == "tsv", &schema, batch_rows),
        "jsonl" | "json" => lines::json(BufReader::with_capacity(BUFFER, input), &schema, batch_rows),
        "parquet" => packed::parquet(input, &schema, batch_rows),
        "arrow" => packed::arrow(BufReader::with_capacity(BUFFER, input), &schema),
        other => {
            let what = format!("format is \"{other}\", csv, tsv, jsonl, json, parquet or arrow was expected");
            return Err(error::raise(py, "OptionError", &what));
        }
    };
    match opened {
        Ok(origin) => Ok(Source::new(origin)),
        Err(packed::Stop::Schema(what)) => Err(error::raise(py, "SchemaError", &what)),
        Err(packed::Stop::Arrow(problem)) => Err(error::table(py, problem, None)),
    }
}
