//! Arrow columns being built: rows that can be taken back, nulls that cost nothing until they are needed. Parses nothing.

mod build;
pub mod findings;

pub use build::{Builder, Dictionary, StructBuilder};

/// Rows of a batch, unless somebody wants more or fewer.
pub const BATCH_ROWS: usize = 16_384;
