//! Value kinds, each parsed, formatted and refused in one place.

pub mod date;
pub mod number;
pub mod url;
