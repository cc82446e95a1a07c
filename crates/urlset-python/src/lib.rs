//! The binding: registers what Python sees as `urlset._core`. Each room below converts; none decides.

#![allow(clippy::needless_pass_by_value)] // what comes from Python is ours: a list is made for each call

mod columns;
mod error;
mod read;
mod rows;
mod schema;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::columns::{Batch, Schema, Stream, Table};
    #[pymodule_export]
    use crate::read::{Reader, fault};
    #[pymodule_export]
    use crate::schema::{codes, findings_schema, schema};
}
