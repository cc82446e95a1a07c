//! Arrow columns being built: rows that can be taken back, nulls that cost nothing until they are needed. Parses nothing.

mod build;
pub mod findings;

pub use build::{Builder, Dictionary, StructBuilder};
