//! Instants to text, in the pattern they were read in. Never rounds, never writes what no standard allows.

use super::calendar::{self, EPOCH, MICROS_PER_DAY, MICROS_PER_MINUTE, MICROS_PER_SECOND};
use super::{Form, Precision, Zone};

/// Appends an instant in the form it was read in, and says whether it could.
///
/// Where that form cannot carry the instant to the microsecond, the next finer one that can is used: the month, the
/// day, then seconds and as many decimals as it takes, in the same zone. A date alone counts as UTC, so its finer forms
/// end in `Z`. Minutes are written only where the form asks for them and names a zone: other forms would not be
/// legal, or legal in the W3C note alone.
///
/// The result is `false`, and nothing is appended, where the year in that zone is not one of 0001 to 9999 or the
/// offset goes beyond 14 hours: no legal text says such an instant.
///
/// ```
/// use urlset::value::date::{format, Form};
/// let mut out = Vec::new();
/// assert!(format(86_400_000_000, Form::DATE, &mut out));
/// assert_eq!(out, b"1970-01-02");
/// out.clear();
/// assert!(format(86_400_000_001, Form::DATE, &mut out));
/// assert_eq!(out, b"1970-01-02T00:00:00.000001Z");
/// ```
pub fn format(micros: i64, form: Form, out: &mut Vec<u8>) -> bool {
    if !(-840..=840).contains(&form.zone.minutes()) {
        return false;
    }
    let local = micros.saturating_add(form.zone.minutes() * MICROS_PER_MINUTE);
    if !(FIRST..END).contains(&local) {
        return false;
    }
    let since = (local + i64::from(EPOCH) * MICROS_PER_DAY) as u64;
    let (days, time) = (since / MICROS_PER_DAY as u64, (since % MICROS_PER_DAY as u64) as i64);
    let (year, month, day) = calendar::civil(days as u32);
    let Form { precision, zone } = fitting(form, month, day, time);

    // Written in place: a copy would wait for every one of these small stores.
    let start = out.len();
    out.resize(start + LONGEST, 0);
    let Some(text) = out.last_chunk_mut::<LONGEST>() else { return false };
    let mut length = 4;
    pair(text, 0, year / 100);
    pair(text, 2, year % 100);
    if precision != Precision::Year {
        text[4] = b'-';
        pair(text, 5, month);
        length = 7;
        if precision != Precision::Month {
            text[7] = b'-';
            pair(text, 8, day);
            length = 10;
        }
    }
    if matches!(precision, Precision::Minute | Precision::Second(_)) {
        let seconds = (time / MICROS_PER_SECOND) as u32;
        text[10] = b'T';
        pair(text, 11, seconds / 3600);
        text[13] = b':';
        pair(text, 14, seconds / 60 % 60);
        length = 16;
        if let Precision::Second(digits) = precision {
            text[16] = b':';
            pair(text, 17, seconds % 60);
            length = 19;
            if digits > 0 {
                text[19] = b'.';
                let mut fraction = (time % MICROS_PER_SECOND) as u32 * 1000;
                for at in (20..29).rev() {
                    text[at] = b'0' + (fraction % 10) as u8;
                    fraction /= 10;
                }
                length = 20 + usize::from(digits.min(9));
            }
        }
    }
    match zone {
        Zone::None => {}
        Zone::Z => {
            text[length] = b'Z';
            length += 1;
        }
        Zone::Offset(_) | Zone::MinusZero => {
            let minutes = zone.minutes().unsigned_abs() as u32;
            let west = zone == Zone::MinusZero || zone.minutes() < 0;
            text[length] = if west { b'-' } else { b'+' };
            pair(text, length + 1, minutes / 60);
            text[length + 3] = b':';
            pair(text, length + 4, minutes % 60);
            length += 6;
        }
    }
    out.truncate(start + length);
    true
}

/// The first microsecond of the year 1, and the one after the last of 9999.
const FIRST: i64 = calendar::days(1, 1, 1) * MICROS_PER_DAY;
const END: i64 = (calendar::days(9999, 12, 31) + 1) * MICROS_PER_DAY;

/// Length of `2025-01-01T10:00:00.123456789+02:00`.
const LONGEST: usize = 35;

/// 00 to 99.
static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + n as u8 / 10, b'0' + n as u8 % 10];
        n += 1;
    }
    pairs
};

/// Puts two digits at a place.
#[inline]
pub(crate) fn pair<const LENGTH: usize>(text: &mut [u8; LENGTH], at: usize, value: u32) {
    text[at..at + 2].copy_from_slice(&PAIRS[value as usize % 100]);
}

/// The legal form nearest to the one asked for that carries the instant: a day of the local calendar and the
/// microseconds of its time.
#[inline]
fn fitting(form: Form, month: u32, day: u32, time: i64) -> Form {
    let zoned = form.zone != Zone::None;
    let precision = match form.precision {
        Precision::Second(digits) => return Form { precision: Precision::Second(decimals(digits, time)), ..form },
        Precision::Minute if zoned && time % MICROS_PER_MINUTE == 0 => return form,
        Precision::Minute => return Form { precision: Precision::Second(decimals(0, time)), ..form },
        _ if time > 0 => {
            let zone = if zoned { form.zone } else { Zone::Z };
            return Form { precision: Precision::Second(decimals(0, time)), zone };
        }
        _ if zoned => Precision::Day,
        Precision::Year if month == 1 && day == 1 => Precision::Year,
        Precision::Year | Precision::Month if day == 1 => Precision::Month,
        _ => Precision::Day,
    };
    Form { precision, ..form }
}

/// The number of decimals, no fewer than asked for, that leave nothing out.
#[inline]
fn decimals(asked: u8, time: i64) -> u8 {
    let mut micros = (time % MICROS_PER_SECOND) as u32;
    let mut needed = if micros == 0 { 0 } else { 6 };
    while needed > asked && micros.is_multiple_of(10) {
        micros /= 10;
        needed -= 1;
    }
    needed.max(asked.min(9))
}
