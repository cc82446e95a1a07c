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

/// Compares eight bytes with a pattern at once, in which `0` stands for any digit: the values of the digits, in place.
#[inline]
fn eight(text: [u8; 8], pattern: [u8; 8]) -> Option<u64> {
    let digits = u64::from_le_bytes(pattern.map(|b| if b == b'0' { 0xff } else { 0 }));
    let values = u64::from_le_bytes(text) ^ u64::from_le_bytes(pattern);
    // Six more than nine reach the upper half of a byte. A carry comes only out of a byte that is refused already.
    let over = values | values.wrapping_add(digits & 0x0606_0606_0606_0606);
    (over & !(digits & 0x0f0f_0f0f_0f0f_0f0f) == 0).then_some(values)
}

/// Days since 1970 of `YYYY-MM-DD`, of a day that exists.
#[inline]
fn day(text: &[u8; 10]) -> Option<i64> {
    let &[y1, y2, y3, y4, s1, m1, m2, s2, d1, d2] = text;
    let values = eight([y1, y2, y3, y4, s1, m1, m2, s2], *b"0000-00-")?;
    // Byte n is now the value of the two digits n and n + 1.
    let pairs = values.wrapping_mul(10).wrapping_add(values >> 8).to_le_bytes();
    let year = u32::from(pairs[0]) * 100 + u32::from(pairs[2]);
    let (month, day) = (u32::from(pairs[5]), two(d1, d2));
    (year > 0 && calendar::exists(year, month, day)).then(|| calendar::days(year, month, day))
}

/// Puts a day, the microseconds of the time and the form together.
#[inline]
fn date(day: i64, time: i64, precision: Precision, zone: Zone) -> Date {
    let micros = day * MICROS_PER_DAY + time - zone.minutes() * MICROS_PER_MINUTE;
    Date { micros, form: Form { precision, zone } }
}

/// Reads a text that is legal by the note or by the schema, and leaves every other to another reader.
///
/// What only the schema allows has its code: a time without zone, a zone behind a bare date, the hour 24. The other
/// reader is called from within, so that a reading is put together once and never moved.
#[inline]
pub(super) fn read(text: &[u8], otherwise: impl Fn(&[u8]) -> Reading) -> Reading {
    let Some((head, rest)) = text.split_first_chunk::<10>() else {
        return short(text).unwrap_or_else(|| otherwise(text));
    };
    let Some(day) = day(head) else { return otherwise(text) };
    if rest.is_empty() {
        return clean(date(day, 0, Precision::Day, Zone::None));
    }
    if let [b'T', c1, c2, c3, c4, c5, c6, c7, c8, rest @ ..] = rest
        && let Some(values) = eight([*c1, *c2, *c3, *c4, *c5, *c6, *c7, *c8], *b"00:00:00")
    {
        let pairs = values.wrapping_mul(10).wrapping_add(values >> 8).to_le_bytes();
        let (hour, minute, second) = (u32::from(pairs[0]), u32::from(pairs[3]), u32::from(pairs[6]));
        if hour < 24 && minute < 60 && second < 60 {
            let time = i64::from(hour * 3600 + minute * 60 + second) * MICROS_PER_SECOND;
            if rest == b"Z" {
                return clean(date(day, time, Precision::Second(0), Zone::Z));
            }
            if let Some(zone) = read_offset(rest) {
                return clean(date(day, time, Precision::Second(0), zone));
            }
            if let Some(micros) = millis(rest) {
                return clean(date(day, time + micros, Precision::Second(3), Zone::Z));
            }
            return seconds(day, time, rest).unwrap_or_else(|| otherwise(text));
        }
        let ends_day = (hour, minute, second) == (24, 0, 0) && day < LAST_DAY;
        let reading = if ends_day { seconds(day, MICROS_PER_DAY, rest) } else { None };
        return reading.unwrap_or_else(|| otherwise(text));
    }
    uncommon(day, rest).unwrap_or_else(|| otherwise(text))
}

/// Microseconds of `.sssZ`, the form that JavaScript writes.
#[inline]
fn millis(text: &[u8]) -> Option<i64> {
    let &[b'.', a, b, c, b'Z'] = text else { return None };
    let (tens, last) = (two(a, b), u32::from(c.wrapping_sub(b'0')));
    (tens < 100 && last < 10).then(|| i64::from((tens * 10 + last) * 1000))
}

/// A date without fault.
#[inline]
fn clean(date: Date) -> Reading {
    Reading { date: Some(date), code: None }
}

/// What may follow the seconds: a fraction, a zone, or neither. The hour 24 comes as a whole day.
fn seconds(day: i64, time: i64, text: &[u8]) -> Option<Reading> {
    let (fraction, rest) = fraction(text)?;
    let ends_day = time == MICROS_PER_DAY;
    if ends_day && fraction.micros > 0 {
        return None; // the end of the day and no more
    }
    let zone = zone(rest)?;
    let code = if zone == Zone::None {
        Some(Code::DAT003)
    } else if ends_day {
        Some(Code::DAT016)
    } else {
        fraction.code
    };
    Some(Reading { date: Some(date(day, time + fraction.micros, Precision::Second(fraction.digits), zone)), code })
}

/// Behind the day: `Thh:mm` and a zone, or a zone alone. Without seconds the note alone speaks: the zone must be
/// there, and the day has 24 hours.
fn uncommon(day: i64, text: &[u8]) -> Option<Reading> {
    let [b'T', h1, h2, b':', m1, m2, rest @ ..] = text else {
        let date = date(day, 0, Precision::Day, zone(text)?);
        return Some(Reading { date: Some(date), code: Some(Code::DAT015) });
    };
    let (hour, minute, zone) = (two(*h1, *h2), two(*m1, *m2), zone(rest)?);
    if hour > 23 || minute > 59 || zone == Zone::None {
        return None;
    }
    let time = i64::from(hour * 60 + minute) * MICROS_PER_MINUTE;
    Some(clean(date(day, time, Precision::Minute, zone)))
}

/// `YYYY` and `YYYY-MM`.
fn short(text: &[u8]) -> Option<Reading> {
    let (year, month, precision) = match *text {
        [y1, y2, y3, y4] => (year([y1, y2, y3, y4])?, 1, Precision::Year),
        [y1, y2, y3, y4, b'-', m1, m2] => (year([y1, y2, y3, y4])?, two(m1, m2), Precision::Month),
        _ => return None,
    };
    let exists = calendar::exists(year, month, 1);
    exists.then(|| clean(date(calendar::days(year, month, 1), 0, precision, Zone::None)))
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
