//! The binding: registers what Python sees as `urlset._core`. Each room below converts; none decides.

#![allow(clippy::needless_pass_by_value)] // what comes from Python is ours: a list is made for each call

mod columns;
mod error;
mod json;
mod objects;
mod read;
mod rows;
mod schema;
mod source;
mod tables;
mod texts;
mod write;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    const MAX_URLS: u64 = urlset::schema::MAX_URLS;
    #[pymodule_export]
    const MAX_BYTES: u64 = urlset::schema::MAX_BYTES;
    #[pymodule_export]
    const MAX_THREADS: usize = urlset::write::MAX_THREADS;

    #[pymodule_export]
    use super::parallelism;
    #[pymodule_export]
    use crate::columns::{Batch, Schema, Stream, Table};
    #[pymodule_export]
    use crate::objects::from_rows;
    #[pymodule_export]
    use crate::read::{Reader, fault};
    #[pymodule_export]
    use crate::schema::{codes, findings_schema, schema};
    #[pymodule_export]
    use crate::source::Source;
    #[pymodule_export]
    use crate::tables::{TableWriter, open_table, span};
    #[pymodule_export]
    use crate::write::{Shard, Writer, content_hash, robots_update, stylesheet};
}

/// Processors that the process may use, by its affinity and its share of the machine.
#[pyfunction]
fn parallelism() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(urlset::write::MAX_THREADS)
}
