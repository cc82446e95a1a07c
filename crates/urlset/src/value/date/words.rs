//! Dates with the English name of a month in any order: `January 1, 2025`, `Wed Jan 1 10:00:00 UTC 2025`, `1-Jan-2025`.
//! Takes no year of two digits and no zone that several countries use.

use super::calendar::{self, MICROS_PER_DAY};
use super::cursor::{Cursor, Faults, Time, is_utc, number};
use super::mail;
use super::repair::finish;
use super::{Date, Form, Precision, Zone};
use crate::codes::Code;

const MONTHS: [&[u8]; 12] = [
    b"january",
    b"february",
    b"march",
    b"april",
    b"may",
    b"june",
    b"july",
    b"august",
    b"september",
    b"october",
    b"november",
    b"december",
];
const WEEKDAYS: [&[u8]; 7] = [b"monday", b"tuesday", b"wednesday", b"thursday", b"friday", b"saturday", b"sunday"];

/// The parts found so far; each may stand once.
#[derive(Default)]
struct Parts {
    year: Option<u32>,
    month: Option<u32>,
    day: Option<u32>,
    time: Option<Time>,
    zone: Option<Zone>,
}

/// Reads such a date. `Err(None)` where the text is no date, `Err(Some(code))` where it is one without a sure value.
pub(super) fn read(text: &[u8]) -> Result<Date, Option<Code>> {
    let mut at = Cursor { rest: text };
    let mut parts = Parts::default();
    // What cannot be understood is only a doubtful date when a month was named.
    let understood = parts.collect(&mut at);
    if parts.month.is_none() {
        return Err(None);
    }
    understood.map_err(|()| Some(Code::DAT009))?;
    parts.date()
}

/// Puts a part in its place, where that is free.
fn fill<T>(place: &mut Option<T>, part: T) -> Result<(), ()> {
    if place.is_some() {
        return Err(());
    }
    *place = Some(part);
    Ok(())
}

/// Whether a word is a name or its beginning of three letters and more.
fn is_short_for(word: &[u8], name: &[u8]) -> bool {
    word.len() >= 3 && name.len() >= word.len() && name[..word.len()].eq_ignore_ascii_case(word)
}

impl Parts {
    fn collect(&mut self, at: &mut Cursor<'_>) -> Result<(), ()> {
        while let Some(byte) = at.peek() {
            match byte {
                b'0'..=b'9' => self.number(at)?,
                b'a'..=b'z' | b'A'..=b'Z' => self.word(at)?,
                b'+' | b'-' if self.time.is_some() && matches!(at.rest, [_, b'0'..=b'9', ..]) => self.offset(at)?,
                b' ' | b',' | b'.' | b'-' | b'/' | b'\t' | b'\n' | b'\r' => at.rest = &at.rest[1..],
                b'(' => {
                    let close = at.rest.iter().position(|b| *b == b')').ok_or(())?;
                    at.rest = &at.rest[close + 1..];
                }
                _ => return Err(()),
            }
        }
        Ok(())
    }

    fn number(&mut self, at: &mut Cursor<'_>) -> Result<(), ()> {
        let start = *at;
        let digits = at.digits();
        if at.peek() == Some(b':') {
            *at = start;
            let time = at.time(&mut Faults::default()).map_err(|_| ())?;
            return fill(&mut self.time, time);
        }
        match digits.len() {
            1 | 2 => {
                fill(&mut self.day, number(digits))?;
                // 1st, 2nd, 3rd, 4th
                let suffix = at.rest.split_at_checked(2).filter(|(letters, rest)| {
                    let ends = !rest.first().is_some_and(u8::is_ascii_alphanumeric);
                    ends && [&b"st"[..], b"nd", b"rd", b"th"].iter().any(|s| s.eq_ignore_ascii_case(letters))
                });
                if let Some((_, rest)) = suffix {
                    at.rest = rest;
                }
                Ok(())
            }
            4 => fill(&mut self.year, number(digits)),
            _ => Err(()),
        }
    }

    fn word(&mut self, at: &mut Cursor<'_>) -> Result<(), ()> {
        let word = at.take(u8::is_ascii_alphabetic);
        if let Some(month) = MONTHS.iter().position(|name| is_short_for(word, name)) {
            debug_assert_eq!(mail::month(&word[..3]), Some(month as u32 + 1));
            return fill(&mut self.month, month as u32 + 1);
        }
        if WEEKDAYS.iter().any(|name| is_short_for(word, name)) || word.eq_ignore_ascii_case(b"at") {
            return Ok(());
        }
        if self.time.is_some() && (word == b"Z" || is_utc(word)) {
            if matches!(at.rest, [b'+' | b'-', b'0'..=b'9', ..]) {
                return self.offset(at);
            }
            return fill(&mut self.zone, Zone::Z);
        }
        Err(())
    }

    fn offset(&mut self, at: &mut Cursor<'_>) -> Result<(), ()> {
        let zone = at.offset(&mut Faults::default()).map_err(|_| ())?;
        fill(&mut self.zone, zone)
    }

    fn date(self) -> Result<Date, Option<Code>> {
        let (Some(year), Some(month)) = (self.year, self.month) else { return Err(Some(Code::DAT009)) };
        if year == 0 {
            return Err(Some(Code::DAT014));
        }
        if !calendar::exists(year, month, self.day.unwrap_or(1)) {
            return Err(Some(Code::DAT002));
        }
        let day = calendar::days(year, month, self.day.unwrap_or(1));
        match (self.time, self.day) {
            (Some(time), Some(_)) => {
                finish(day, time, self.zone.unwrap_or(Zone::None), &mut Faults::default()).map_err(Some)
            }
            (None, named) => {
                let precision = if named.is_some() { Precision::Day } else { Precision::Month };
                Ok(Date { micros: day * MICROS_PER_DAY, form: Form { precision, zone: Zone::None } })
            }
            (Some(_), None) => Err(Some(Code::DAT009)),
        }
    }
}
