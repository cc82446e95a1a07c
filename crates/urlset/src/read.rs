//! Bytes to columns: the stages a file goes through on its way in. Opens nothing and fetches nothing.

pub mod charset;
pub mod inflate;
pub mod robots;
