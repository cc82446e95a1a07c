//! The pure core of urlset: bytes to Arrow columns and back. No Python, no sockets, no files, no clock.
//!
//! ```text
//! bytes -> scan -> read -> columns -> findings
//!                                \-> write -> shards -> bytes
//! ```

pub mod codes;
pub mod columns;
pub mod error;
pub mod read;
pub mod scan;
pub mod schema;
pub mod value;
pub mod write;
