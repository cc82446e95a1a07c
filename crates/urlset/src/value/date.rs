//! Dates as sitemaps and feeds write them: read into microseconds, written back in the pattern they had. Knows no clock.

mod calendar;
mod cursor;
mod feed;
mod form;
mod mail;
mod repair;
mod strict;
mod words;
mod write;

pub use feed::{atom, feed};
pub use form::{Form, Precision, Zone};
pub use write::format;
pub(crate) use write::pair;

use crate::codes::Code;

/// An instant, and the pattern in which it was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Date {
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub micros: i64,
    /// How it was written; always a form that [`format()`] can write.
    pub form: Form,
}

impl Date {
    /// Whether four digits can name its year in UTC. What has a zone may be a year of its own that UTC has not:
    /// `9999-12-31T23:00:00-05:00`.
    ///
    /// ```
    /// use urlset::value::date::w3c;
    /// assert!(w3c(b"9999-12-31T23:00:00Z").date.unwrap().is_of_four_digits());
    /// assert!(!w3c(b"9999-12-31T23:00:00-05:00").date.unwrap().is_of_four_digits());
    /// ```
    #[inline]
    pub const fn is_of_four_digits(&self) -> bool {
        const FIRST: i64 = calendar::days(1, 1, 1) * calendar::MICROS_PER_DAY;
        const END: i64 = (strict::LAST_DAY + 1) * calendar::MICROS_PER_DAY;
        FIRST <= self.micros && self.micros < END
    }
}

/// What was read from a text: a date, a fault, or a date that had to be repaired and the fault that says so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reading {
    /// The date, where the text leaves no doubt about it.
    pub date: Option<Date>,
    /// What is wrong with the text; always there when the date is not.
    pub code: Option<Code>,
}

impl Reading {
    /// No date, and why.
    const fn lost(code: Code) -> Self {
        Self { date: None, code: Some(code) }
    }
}

/// Reads a date of a sitemap: the forms of the W3C note and of `xsd:date` and `xsd:dateTime`, and what is commonly
/// written in their place as far as it can mean one instant only.
///
/// The text comes without white space around it. A date alone is midnight UTC, a date with a zone midnight there; a
/// time without zone is read as UTC ([`Code::DAT003`]). Digits beyond the sixth of a fraction are cut
/// ([`Code::DAT019`] when one was not zero or there were more than nine). Of several faults the first by the order of
/// the catalogue is told: padding, separators, forms of other standards, zone, range; but what takes the value away
/// goes before what was repaired.
///
/// ```
/// use urlset::{codes::Code, value::date::{w3c, Form}};
/// let clean = w3c(b"1970-01-02");
/// assert_eq!((clean.date.unwrap().micros, clean.code), (86_400_000_000, None));
/// let repaired = w3c(b"1970-01-02 00:00:00Z");
/// assert_eq!((repaired.date.unwrap().form, repaired.code), (Form::SECONDS_Z, Some(Code::DAT007)));
/// assert_eq!(w3c(b"01/02/2025").date, None); // January or February
/// ```
#[inline]
pub fn w3c(text: &[u8]) -> Reading {
    strict::read(text, repair::read)
}

/// Whether a text may be written as it stands: a form of the W3C note or of the schema, of a day and time that exist.
///
/// Years are 0001 to 9999. The text comes without white space around it.
///
/// ```
/// use urlset::value::date::valid_text;
/// assert!(valid_text(b"2025-01") && valid_text(b"2025-01-01T10:00:00"));
/// assert!(!valid_text(b"2025-01-01T10:00")); // neither: the note wants a zone, the schema seconds
/// ```
pub fn valid_text(text: &[u8]) -> bool {
    strict::read(text, |_| Reading::lost(Code::DAT001)).date.is_some()
}
