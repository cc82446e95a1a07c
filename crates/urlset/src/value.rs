//! Value kinds, each parsed, formatted and refused in one place. Knows no element, no file and no column.

pub mod date;
pub mod language;
pub mod number;
pub mod url;
