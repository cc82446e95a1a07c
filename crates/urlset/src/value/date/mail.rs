//! The date of mail and of RSS: RFC 822 with four-digit years, and what RFC 2822 calls obsolete. Accepts no other order.

use super::calendar;
use super::cursor::{Cursor, Faults, Time, number};
use super::repair::finish;
use super::{Date, Zone};
use crate::codes::Code;

/// A date of mail.
pub(super) struct Mail {
    pub(super) date: Date,
    /// Set for the second 60, a weekday that is not that of the day, and `UTC`.
    pub(super) code: Option<Code>,
    /// The year has two or three digits; RFC 2822 says which century they mean.
    pub(super) short_year: bool,
    /// The zone is a name that the RFC does not define; it was read as UTC.
    pub(super) unknown_zone: bool,
}

const MONTHS: &[u8] = b"janfebmaraprmayjunjulaugsepoctnovdec";
const WEEKDAYS: &[u8] = b"montuewedthufrisatsun";

/// Place of a name of three letters in a row of such names.
fn place(name: &[u8], names: &[u8]) -> Option<u32> {
    names.chunks(3).position(|n| n.eq_ignore_ascii_case(name)).map(|at| at as u32)
}

/// Number of a month from its first three letters.
pub(super) fn month(name: &[u8]) -> Option<u32> {
    place(name, MONTHS).map(|month| month + 1)
}

/// Number of a weekday from its first three letters, Monday being 0.
pub(super) fn weekday(name: &[u8]) -> Option<u32> {
    place(name, WEEKDAYS)
}

/// Reads `[Wed,] 1 Jan 2025 10:00[:00] zone`. `None` for another shape, an error for this shape with no such instant.
pub(super) fn read(text: &[u8]) -> Option<Result<Mail, Code>> {
    let mut at = Cursor { rest: text };
    let name = at.take(u8::is_ascii_alphabetic);
    let written = match name {
        [] => None,
        name => Some(weekday(name)?),
    };
    if written.is_some() && !at.eat(b',') {
        return None;
    }
    at.spaces();
    let day = at.digits();
    let spaced = at.spaces() > 0;
    let name = at.take(u8::is_ascii_alphabetic);
    let spaced = at.spaces() > 0 && spaced;
    let year = at.digits();
    let spaced = at.spaces() > 0 && spaced;
    let (hour, minute) = (at.digits(), if at.eat(b':') { at.digits() } else { b"" });
    let second = at.eat(b':').then(|| at.digits());
    let lengths = [hour.len(), minute.len(), second.map_or(2, <[u8]>::len)];
    if !spaced || !(1..=2).contains(&day.len()) || !(2..=4).contains(&year.len()) || lengths != [2; 3] {
        return None;
    }
    let month = month(name)?;
    if at.spaces() == 0 && !at.rest.is_empty() {
        return None;
    }
    let (zone, name) = match zone(&mut at)? {
        Ok(zone) => zone,
        Err(code) => return Some(Err(code)),
    };
    let short_year = year.len() < 4;
    let year = match (year.len(), number(year)) {
        (2, year @ 0..=49) => 2000 + year,
        (2 | 3, year) => 1900 + year,
        (_, year) => year,
    };
    let day = number(day);
    if year == 0 {
        return Some(Err(Code::DAT014));
    }
    if !calendar::exists(year, month, day) {
        return Some(Err(Code::DAT002));
    }
    let day = calendar::days(year, month, day);
    let time = Time { hour: number(hour), minute: number(minute), second: second.map(number), micros: 0, digits: 0 };
    let mut faults = Faults::default();
    Some(finish(day, time, zone, &mut faults).map(|date| {
        let contradicts = written.is_some_and(|written| written != calendar::weekday(day));
        let code = if contradicts || name == Name::Utc { Some(Code::FED004) } else { faults.first() };
        Mail { date, code, short_year, unknown_zone: name == Name::Unknown }
    }))
}

/// How a zone was named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    /// By an offset, or by a name that the RFC defines.
    Defined,
    /// `UTC`, which the RFC calls `UT`.
    Utc,
    /// By another name, which RFC 2822 section 4.3 wants read as UTC.
    Unknown,
}

/// A zone up to the end of the text, and how it was named. `None` where there is none.
fn zone(at: &mut Cursor<'_>) -> Option<Result<(Zone, Name), Code>> {
    let mut faults = Faults::default();
    let zone = match *at.rest {
        [b'+' | b'-', h1, h2, m1, m2, ..] if [h1, h2, m1, m2].iter().all(u8::is_ascii_digit) => {
            match at.offset(&mut faults) {
                Ok(zone) => (zone, Name::Defined),
                Err(Code::DAT021) => return Some(Err(Code::DAT021)),
                Err(_) => return None,
            }
        }
        _ => named(at.take(u8::is_ascii_alphabetic))?,
    };
    at.spaces();
    // A comment may repeat the name.
    match at.rest {
        [] => Some(Ok(zone)),
        [b'(', name @ .., b')'] if !name.iter().any(|b| b"()".contains(b)) => Some(Ok(zone)),
        _ => None,
    }
}

/// The zone of a name of RFC 822. The letters of the military were defined with the wrong sign there and mean nothing.
fn named(name: &[u8]) -> Option<(Zone, Name)> {
    let hours = match name.to_ascii_uppercase().as_slice() {
        b"" => return None,
        b"UT" | b"GMT" | b"Z" => return Some((Zone::Z, Name::Defined)),
        b"UTC" => return Some((Zone::Z, Name::Utc)),
        b"EDT" => -4,
        b"EST" | b"CDT" => -5,
        b"CST" | b"MDT" => -6,
        b"MST" | b"PDT" => -7,
        b"PST" => -8,
        _ => return Some((Zone::MinusZero, Name::Unknown)),
    };
    Some((Zone::Offset(hours * 60), Name::Defined))
}
