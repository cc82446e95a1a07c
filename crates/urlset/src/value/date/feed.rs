//! Dates of feeds: RFC 822 in RSS, RFC 3339 in Atom, each lenient towards the other's. Knows no feed element.

use super::{Precision, Reading, Zone, mail, w3c};
use crate::codes::Code;

/// Reads a date of RSS: RFC 822 with years of two or four digits, or any other date that [`w3c`] reads.
///
/// Whatever is no RFC 822 date is [`Code::FED004`], with its value where there is one; so are a weekday that
/// is not that of the day, and names of zones that the RFC does not define, which are read as UTC (RFC 2822, section 4.3).
/// Days and times that do not exist, and offsets beyond 14 hours, keep their own codes.
///
/// ```
/// use urlset::{codes::Code, value::date::feed};
/// assert_eq!(feed(b"Thu, 1 Jan 1970 02:00 +0200").date.unwrap().micros, 0);
/// assert_eq!(feed(b"Thu, 1 Jan 70 00:00:00 GMT").code, None);
/// assert_eq!(feed(b"1970-01-01").code, Some(Code::FED004));
/// ```
pub fn feed(text: &[u8]) -> Reading {
    match mail::read(text) {
        Some(Ok(mail)) => {
            let code = if mail.unknown_zone { Some(Code::FED004) } else { mail.code };
            Reading { date: Some(mail.date), code }
        }
        Some(Err(code)) => Reading::lost(code),
        None => other(w3c(text), Code::FED004),
    }
}

/// Reads a date of Atom: RFC 3339 with upper-case `T` and `Z` (RFC 4287, section 3.3), or any other that [`w3c`] reads.
///
/// Whatever is no such date is [`Code::FED005`], with its value where there is one. The second 60, which RFC 3339
/// allows, is [`Code::DAT017`], digits that were lost [`Code::DAT019`].
///
/// ```
/// use urlset::{codes::Code, value::date::atom};
/// assert_eq!(atom(b"1970-01-01T00:00:00Z").code, None);
/// assert_eq!(atom(b"1970-01-01").code, Some(Code::FED005));
/// ```
pub fn atom(text: &[u8]) -> Reading {
    let reading = w3c(text);
    let complete = reading
        .date
        .is_some_and(|date| matches!(date.form.precision, Precision::Second(_)) && date.form.zone != Zone::None);
    match reading.code {
        None | Some(Code::DAT017 | Code::DAT019) if complete => reading,
        _ => other(reading, Code::FED005),
    }
}

/// A reading by another standard than the feed's own.
fn other(reading: Reading, code: Code) -> Reading {
    match reading {
        Reading { date: None, code: Some(Code::STR020 | Code::DAT002 | Code::DAT014 | Code::DAT021) } => reading,
        Reading { date, .. } => Reading { date, code: Some(code) },
    }
}
