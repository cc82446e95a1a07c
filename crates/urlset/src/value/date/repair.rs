//! Dates that no standard of sitemaps allows but that can mean one instant only; every other is refused. Guesses nothing.

use super::calendar::{self, MICROS_PER_DAY, MICROS_PER_MINUTE, MICROS_PER_SECOND};
use super::cursor::{Cursor, Faults, Time, number};
use super::strict::LAST_DAY;
use super::{Date, Form, Precision, Reading, Zone, mail, words};
use crate::codes::Code;

/// Reads what [`super::strict`] refused.
#[inline(never)]
pub(super) fn read(text: &[u8]) -> Reading {
    if text.is_empty() {
        return Reading::lost(Code::STR020);
    }
    let mut at = Cursor { rest: text };
    let sign = at.one_of(b"+-");
    let year = at.digits();
    let attempt = match (sign, year.len()) {
        (_, 0) => return spelled(text, Code::DAT001),
        (_, _) if at.rest.is_empty() => digits(sign, year),
        (_, 9..=19) if at.is_fraction() => Err(Code::DAT010),
        (None, 4) => year_first(year, at, text),
        (None, 8) => basic(year, at),
        (None, 1..=2) => return spelled(text, if is_regional(text) { Code::DAT009 } else { Code::DAT001 }),
        (sign, _) if at.is_month_and_day() => {
            // PHP makes year -1 of a date of zeros.
            let zeros = number(year) == 0 || (sign == Some(b'-') && year == b"0001");
            Err(if zeros { Code::DAT014 } else { Code::DAT018 })
        }
        _ => Err(Code::DAT001),
    };
    attempt.unwrap_or_else(Reading::lost)
}

/// Dates with the name of a month: the form of mail, or a loose one.
fn spelled(text: &[u8], otherwise: Code) -> Reading {
    let date = match mail::read(text) {
        // Two digits of a year and unknown names of zones have a meaning in mail only.
        Some(Ok(mail)) => (!mail.short_year && !mail.unknown_zone).then_some(mail.date),
        Some(Err(code)) => return Reading::lost(code),
        None => match words::read(text) {
            Ok(date) => Some(date),
            Err(Some(code)) => return Reading::lost(code),
            Err(None) => return Reading::lost(otherwise),
        },
    };
    Reading { date, code: Some(Code::DAT009) }
}

/// `1/2/2025`, `25.12.2025`, `1-2-25`, with or without a time: in a form, but of which region?
fn is_regional(text: &[u8]) -> bool {
    let mut at = Cursor { rest: text };
    let first = at.digits();
    let Some(separator) = at.one_of(b"/.-") else { return false };
    let second = at.digits();
    let third = if at.eat(separator) { at.digits() } else { return false };
    (1..=2).contains(&first.len())
        && (1..=2).contains(&second.len())
        && matches!(third.len(), 2 | 4)
        && (at.rest.is_empty() || matches!(at.rest[0], b' ' | b'T' | b','))
}

/// A text of digits alone: a date without hyphens, or a count of seconds or their parts since 1970.
fn digits(sign: Option<u8>, text: &[u8]) -> Result<Reading, Code> {
    if sign.is_none() {
        match text.len() {
            4 => return Err(Code::DAT014), // only 0000 gets here
            7 | 8 => return basic(text, Cursor { rest: b"" }),
            12 | 14 => {
                // As seconds or milliseconds these would lie in the distant past or future.
                let (date, time) = text.split_at(8);
                if let Ok(reading) = basic(date, Cursor { rest: time }) {
                    return Ok(reading);
                }
            }
            _ => {}
        }
    }
    let zero = text.iter().all(|b| *b == b'0');
    Err(if zero || (9..=19).contains(&text.len()) { Code::DAT010 } else { Code::DAT001 })
}

/// ISO 8601 without separators: `YYYYMMDD`, `YYYYDDD`, with a time or without.
fn basic(date: &[u8], mut at: Cursor<'_>) -> Result<Reading, Code> {
    let mut faults = Faults::default();
    let year = number(&date[..4]);
    if year == 0 {
        return Err(Code::DAT014);
    }
    let day = if date.len() == 7 {
        faults.note(Code::DAT022);
        calendar::ordinal(year, number(&date[4..])).ok_or(Code::DAT001)?
    } else {
        faults.note(Code::DAT011);
        civil(year, number(&date[4..6]), number(&date[6..]))?
    };
    if at.peek().is_some_and(|b| b.is_ascii_digit()) {
        let time = at.basic_time()?;
        if !at.rest.is_empty() {
            return Err(Code::DAT001);
        }
        return finish(day, time, Zone::None, &mut faults).map(|date| faults.with(date));
    }
    rest_of_day(day, at, faults)
}

/// Everything that begins with a year of four digits and goes on.
fn year_first(year: &[u8], mut at: Cursor<'_>, text: &[u8]) -> Result<Reading, Code> {
    let year = number(year);
    let mut faults = Faults::default();
    let separator = at.one_of(b"-/.");
    if at.one_of(b"Ww").is_some() {
        if year == 0 {
            return Err(Code::DAT014);
        }
        return week(year, separator, at, faults);
    }
    let Some(separator) = separator else { return Ok(spelled(text, Code::DAT001)) };
    let month = at.digits();
    if month.is_empty() {
        return Ok(spelled(text, Code::DAT001));
    }
    if month.len() == 3 && separator == b'-' {
        if year == 0 {
            return Err(Code::DAT014);
        }
        faults.note(Code::DAT022);
        let day = calendar::ordinal(year, number(month)).ok_or(Code::DAT002)?;
        return rest_of_day(day, at, faults);
    }
    if month.len() > 2 {
        return Err(Code::DAT001);
    }
    if separator != b'-' {
        faults.note(Code::DAT009);
    }
    if month.len() == 1 {
        faults.note(Code::DAT008);
    }
    if at.rest.is_empty() {
        if separator != b'-' {
            return Err(Code::DAT001);
        }
        if year == 0 {
            return Err(Code::DAT014);
        }
        let day = civil(year, number(month), 1)?;
        return Ok(faults.with(date(day, 0, Precision::Month, Zone::None)));
    }
    if !at.eat(separator) {
        return Err(Code::DAT001);
    }
    let day = at.digits();
    match day.len() {
        1 => faults.note(Code::DAT008),
        2 => {}
        _ => return Err(Code::DAT001),
    }
    if year == 0 {
        return Err(Code::DAT014);
    }
    let day = civil(year, number(month), number(day))?;
    rest_of_day(day, at, faults)
}

/// `-W03-2`, `W032`, behind a year whose separator was read already. A week alone is no instant.
fn week(year: u32, separator: Option<u8>, mut at: Cursor<'_>, mut faults: Faults) -> Result<Reading, Code> {
    faults.note(Code::DAT022);
    let numbers = at.digits();
    let (week, day) = match (separator, numbers.len()) {
        (Some(b'-') | None, 2) if at.rest.is_empty() => return Err(Code::DAT022),
        (Some(b'-'), 2) if at.eat(b'-') => (numbers, at.digits()),
        (None, 3) => numbers.split_at(2),
        _ => return Err(Code::DAT001),
    };
    if day.len() != 1 {
        return Err(Code::DAT001);
    }
    if year == 0 {
        return Err(Code::DAT014);
    }
    let day = calendar::week(year, number(week), number(day)).ok_or(Code::DAT002)?;
    rest_of_day(day, at, faults)
}

/// What follows the day: nothing, a zone, or a time with or without zone.
fn rest_of_day(day: i64, mut at: Cursor<'_>, mut faults: Faults) -> Result<Reading, Code> {
    if at.rest.is_empty() {
        return Ok(faults.with(date(day, 0, Precision::Day, Zone::None)));
    }
    let before = at.spaces();
    let begins = match at.one_of(b"Tt") {
        Some(letter) => {
            if letter == b't' {
                faults.note(Code::DAT012);
            }
            if before + at.spaces() > 0 {
                faults.note(Code::DAT007);
            }
            true
        }
        None if before > 0 && at.peek().is_some_and(|b| b.is_ascii_digit()) => {
            faults.note(Code::DAT007);
            true
        }
        None => false,
    };
    if !begins {
        if before > 0 {
            faults.note(Code::DAT007);
        }
        // A bare offset wants its colon: without one it could be part of a name.
        let colon = matches!(at.rest, [b'+' | b'-', _, _, b':', ..] | [b'Z' | b'z', ..]);
        if !colon {
            return Err(Code::DAT001);
        }
        let zone = at.zone(&mut faults)?;
        faults.note(Code::DAT015);
        return Ok(faults.with(date(day, 0, Precision::Day, zone)));
    }
    let time = at.time(&mut faults)?;
    let zone = at.zone(&mut faults)?;
    finish(day, time, zone, &mut faults).map(|date| faults.with(date))
}

/// A day of the calendar.
fn civil(year: u32, month: u32, day: u32) -> Result<i64, Code> {
    if calendar::exists(year, month, day) { Ok(calendar::days(year, month, day)) } else { Err(Code::DAT002) }
}

fn date(day: i64, time: i64, precision: Precision, zone: Zone) -> Date {
    let micros = day * MICROS_PER_DAY + time - zone.minutes() * MICROS_PER_MINUTE;
    Date { micros, form: Form { precision, zone } }
}

/// Checks a time and puts it behind its day.
pub(super) fn finish(day: i64, time: Time, zone: Zone, faults: &mut Faults) -> Result<Date, Code> {
    let Time { hour, minute, second, micros, digits } = time;
    let seconds = second.unwrap_or(0);
    let ends_day = hour == 24 && minute == 0 && seconds == 0 && micros == 0;
    if (hour > 23 && !ends_day) || minute > 59 || seconds > 60 {
        return Err(Code::DAT002);
    }
    let total = i64::from(hour * 60 + minute) * MICROS_PER_MINUTE + i64::from(seconds) * MICROS_PER_SECOND + micros;
    if total >= MICROS_PER_DAY && day >= LAST_DAY {
        return Err(Code::DAT018); // the following day has five digits of a year
    }
    if zone == Zone::None {
        faults.note(Code::DAT003);
    }
    if ends_day {
        faults.note(Code::DAT016);
    }
    if seconds == 60 {
        faults.note(Code::DAT017);
    }
    let precision = match second {
        Some(_) => Precision::Second(digits),
        None if zone == Zone::None => Precision::Second(0), // without a zone no standard leaves the seconds out
        None => Precision::Minute,
    };
    Ok(date(day, total, precision, zone))
}
