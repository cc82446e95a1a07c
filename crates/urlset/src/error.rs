//! What makes the core stop: an error with the place where it happened. Faults of the input are not errors; they are in `codes`.

use std::fmt;

/// Why the core cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A table cannot be written: it lacks a column, or a column has the wrong type.
    Schema(String),
    /// A user's extension schema cannot be understood.
    Extension(String),
    /// An option has a value that cannot be used.
    Option(String),
    /// A single row does not fit into a file of the size allowed.
    RowTooBig,
    /// Rows cannot be written: what is wrong with the first of them. The faults themselves are with the writer.
    Refused(String),
    /// An Arrow operation failed.
    Arrow(String),
}

/// An error of the core: its kind, and the byte offset or row at which it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What happened.
    pub kind: ErrorKind,
    /// Byte offset when reading, row number when writing, 0 where neither has a meaning.
    pub offset: u64,
}

impl Error {
    /// An error that has no place.
    pub fn new(kind: ErrorKind) -> Self {
        Self { kind, offset: 0 }
    }

    /// An error at a byte offset or row.
    pub fn at(kind: ErrorKind, offset: u64) -> Self {
        Self { kind, offset }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::Schema(what) => write!(f, "the table cannot be written: {what}"),
            ErrorKind::Extension(what) => write!(f, "the extension schema cannot be used: {what}"),
            ErrorKind::RowTooBig => {
                write!(f, "row {} alone is larger than a file may be", self.offset)
            }
            ErrorKind::Refused(what) => write!(f, "row {} cannot be written: {what}", self.offset),
            ErrorKind::Option(what) | ErrorKind::Arrow(what) => write!(f, "{what}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<arrow_schema::ArrowError> for Error {
    fn from(e: arrow_schema::ArrowError) -> Self {
        Self::new(ErrorKind::Arrow(e.to_string()))
    }
}

/// The core's result.
pub type Result<T> = std::result::Result<T, Error>;
