//! The forms that are legal by the W3C note or by the schema, read without a detour. Repairs nothing.

use super::calendar::{self, MICROS_PER_DAY, MICROS_PER_MINUTE, MICROS_PER_SECOND};
use super::form::read_offset;
use super::{Date, Form, Precision, Reading, Zone};
use crate::codes::Code;

/// The last day that four digits can name.
pub(super) const LAST_DAY: i64 = calendar::days(9999, 12, 31);

/// Value of two digits; more than 99 where one of them is none.
#[inline]
fn two(a: u8, b: u8) -> u32 {
    let (a, b) = (u32::from(a.wrapping_sub(b'0')), u32::from(b.wrapping_sub(b'0')));
    if a > 9 || b > 9 { 1000 } else { a * 10 + b }
}

/// A year from 0001 to 9999.
#[inline]
fn year(text: [u8; 4]) -> Option<u32> {
    let (high, low) = (two(text[0], text[1]), two(text[2], text[3]));
    let year = high * 100 + low;
    (high < 100 && low < 100 && year > 0).then_some(year)
}

/// Days since 1970 of `YYYY-MM-DD`, of a day that exists.
#[inline]
fn day(text: &[u8; 10]) -> Option<i64> {
    let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text else { return None };
    let (year, month, day) = (year([y1, y2, y3, y4])?, two(m1, m2), two(d1, d2));
    calendar::exists(year, month, day).then(|| calendar::days(year, month, day))
}

/// Puts a day, the microseconds of the time and the form together.
#[inline]
fn date(day: i64, time: i64, precision: Precision, zone: Zone) -> Date {
    let micros = day * MICROS_PER_DAY + time - zone.minutes() * MICROS_PER_MINUTE;
    Date { micros, form: Form { precision, zone } }
}

/// Reads a text that is legal by the note or by the schema; `None` for every other.
///
/// What only the schema allows has its code: a time without zone, a zone behind a bare date, the hour 24.
#[inline]
pub(super) fn read(text: &[u8]) -> Option<Reading> {
    let Some((head, rest)) = text.split_first_chunk::<10>() else { return short(text) };
    let day = day(head)?;
    let clean = |date| Some(Reading { date: Some(date), code: None });
    match rest {
        [] => clean(date(day, 0, Precision::Day, Zone::None)),
        [b'T', h1, h2, b':', m1, m2, rest @ ..] => {
            let (hour, minute) = (two(*h1, *h2), two(*m1, *m2));
            if hour > 24 || minute > 59 {
                return None;
            }
            let minutes = i64::from(hour * 60 + minute) * MICROS_PER_MINUTE;
            let [b':', s1, s2, rest @ ..] = rest else {
                // Without seconds the note alone speaks: a zone must be there, and the day has 24 hours.
                let zone = zone(rest)?;
                let legal = hour < 24 && zone != Zone::None;
                return if legal { clean(date(day, minutes, Precision::Minute, zone)) } else { None };
            };
            let second = two(*s1, *s2);
            if second > 59 {
                return None;
            }
            let time = minutes + i64::from(second) * MICROS_PER_SECOND;
            if let [b'Z'] = rest
                && hour < 24
            {
                return clean(date(day, time, Precision::Second(0), Zone::Z));
            }
            let (fraction, rest) = fraction(rest)?;
            let time = time + fraction.micros;
            // The hour 24 is the end of the day and no more, and must not lead into the year 10000.
            if hour == 24 && (time > MICROS_PER_DAY || day >= LAST_DAY) {
                return None;
            }
            let zone = zone(rest)?;
            let code = if zone == Zone::None {
                Some(Code::DAT003)
            } else if hour == 24 {
                Some(Code::DAT016)
            } else {
                fraction.code
            };
            Some(Reading { date: Some(date(day, time, Precision::Second(fraction.digits), zone)), code })
        }
        rest => {
            let date = date(day, 0, Precision::Day, zone(rest)?);
            Some(Reading { date: Some(date), code: Some(Code::DAT015) })
        }
    }
}

/// `YYYY` and `YYYY-MM`.
fn short(text: &[u8]) -> Option<Reading> {
    let (year, month, precision) = match *text {
        [y1, y2, y3, y4] => (year([y1, y2, y3, y4])?, 1, Precision::Year),
        [y1, y2, y3, y4, b'-', m1, m2] => (year([y1, y2, y3, y4])?, two(m1, m2), Precision::Month),
        _ => return None,
    };
    calendar::exists(year, month, 1).then(|| {
        let date = date(calendar::days(year, month, 1), 0, precision, Zone::None);
        Reading { date: Some(date), code: None }
    })
}

#[inline]
fn zone(text: &[u8]) -> Option<Zone> {
    match text {
        [] => Some(Zone::None),
        [b'Z'] => Some(Zone::Z),
        text => read_offset(text),
    }
}

/// What follows the seconds: digits that count, and what became of the others.
pub(super) struct Fraction {
    pub(super) micros: i64,
    /// Digits written, 9 at most.
    pub(super) digits: u8,
    /// Set when a digit was lost or there were more than nine.
    pub(super) code: Option<Code>,
}

/// Reads a point and digits from the beginning of a text, or nothing; `None` for a point without digits.
#[inline]
fn fraction(text: &[u8]) -> Option<(Fraction, &[u8])> {
    let [b'.', text @ ..] = text else {
        return Some((Fraction { micros: 0, digits: 0, code: None }, text));
    };
    let length = text.iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(length);
    (length > 0).then(|| (cut(digits), rest))
}

/// Microseconds of the digits of a fraction.
#[inline]
pub(super) fn cut(digits: &[u8]) -> Fraction {
    let mut micros = 0;
    for at in 0..6 {
        micros = micros * 10 + digits.get(at).map_or(0, |b| i64::from(b - b'0'));
    }
    let lost = digits.len() > 9 || digits.iter().skip(6).any(|b| *b != b'0');
    Fraction { micros, digits: digits.len().min(9) as u8, code: lost.then_some(Code::DAT019) }
}
