//! The parts that loose dates share: a cursor over their text, times and zones in many shapes, and the order of faults.
//! Puts no date together.

use super::form::zone_of;
use super::strict::cut;
use super::{Date, Reading, Zone};
use crate::codes::Code;

/// A time of day as it was written, not checked yet.
#[derive(Clone, Copy)]
pub(super) struct Time {
    pub(super) hour: u32,
    pub(super) minute: u32,
    pub(super) second: Option<u32>,
    pub(super) micros: i64,
    pub(super) digits: u8,
}

/// The faults of a text that has a value: the first by the catalogue's order is kept.
#[derive(Default)]
pub(super) struct Faults {
    first: Option<(u8, Code)>,
}

impl Faults {
    pub(super) fn note(&mut self, code: Code) {
        let rank = match code {
            Code::DAT008 => 1,                                              // padding
            Code::DAT004 | Code::DAT007 | Code::DAT012 | Code::DAT020 => 2, // separators
            Code::DAT009 | Code::DAT011 | Code::DAT022 => 3,                // forms of other standards
            Code::DAT003 => 4,                                              // no zone
            Code::DAT017 => 5,                                              // range
            _ => 6,                                                         // only in the schema
        };
        if self.first.is_none_or(|(first, _)| rank < first) {
            self.first = Some((rank, code));
        }
    }

    /// The fault to tell.
    pub(super) fn first(&self) -> Option<Code> {
        self.first.map(|(_, code)| code)
    }

    /// A date with these faults.
    pub(super) fn with(&self, date: Date) -> Reading {
        Reading { date: Some(date), code: self.first() }
    }
}

/// Value of a few digits; more than nine are no number here.
pub(super) fn number(digits: &[u8]) -> u32 {
    digits.iter().take(9).fold(0, |n, b| n * 10 + u32::from(b - b'0'))
}

/// What is left of a text.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        self.one_of(&[byte]).is_some()
    }

    pub(super) fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        bytes.contains(&first).then(|| {
            self.rest = rest;
            first
        })
    }

    pub(super) fn take(&mut self, belongs: impl Fn(&u8) -> bool) -> &'a [u8] {
        let length = self.rest.iter().position(|b| !belongs(b)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    pub(super) fn digits(&mut self) -> &'a [u8] {
        self.take(u8::is_ascii_digit)
    }

    /// Skips white space and says how much there was.
    pub(super) fn spaces(&mut self) -> usize {
        self.take(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).len() // XML forbids other control characters
    }

    /// Whether a point and digits are all that is left.
    pub(super) fn is_fraction(&self) -> bool {
        matches!(self.rest, [b'.', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
    }

    /// Whether `-MM-DD` comes next.
    pub(super) fn is_month_and_day(&self) -> bool {
        matches!(self.rest, [b'-', m1, m2, b'-', d1, d2, ..] if [m1, m2, d1, d2].iter().all(|b| b.is_ascii_digit()))
    }

    /// `hhmm` or `hhmmss`.
    pub(super) fn basic_time(&mut self) -> Result<Time, Code> {
        let digits = self.digits();
        let second = match digits.len() {
            4 => None,
            6 => Some(number(&digits[4..])),
            _ => return Err(Code::DAT001),
        };
        let (hour, minute) = (number(&digits[..2]), number(&digits[2..4]));
        Ok(Time { hour, minute, second, micros: 0, digits: 0 })
    }

    /// `hh:mm`, `hh:mm:ss`, with a fraction, in twelve hours, without colons.
    pub(super) fn time(&mut self, faults: &mut Faults) -> Result<Time, Code> {
        let start = *self;
        let hour = self.digits();
        let mut time = if hour.len() > 2 {
            *self = start;
            faults.note(Code::DAT011);
            self.basic_time()?
        } else {
            if hour.is_empty() || !self.eat(b':') {
                return Err(Code::DAT001); // an hour alone is no form of the note
            }
            let minute = self.digits();
            let second = self.eat(b':').then(|| self.digits());
            for part in [Some(hour), Some(minute), second].into_iter().flatten() {
                match part.len() {
                    1 => faults.note(Code::DAT008),
                    2 => {}
                    _ => return Err(Code::DAT001),
                }
            }
            Time { hour: number(hour), minute: number(minute), second: second.map(number), micros: 0, digits: 0 }
        };
        if let Some(mark) = self.one_of(b".,") {
            let digits = self.digits();
            if digits.is_empty() || time.second.is_none() {
                return Err(Code::DAT001);
            }
            if mark == b',' {
                faults.note(Code::DAT020);
            }
            let fraction = cut(digits);
            (time.micros, time.digits) = (fraction.micros, fraction.digits);
            if let Some(code) = fraction.code {
                faults.note(code);
            }
        }
        self.half_day(&mut time, faults)?;
        Ok(time)
    }

    /// `AM` or `PM`.
    fn half_day(&mut self, time: &mut Time, faults: &mut Faults) -> Result<(), Code> {
        let mut at = *self;
        at.spaces();
        let &[half @ (b'a' | b'A' | b'p' | b'P'), b'm' | b'M', ref rest @ ..] = at.rest else { return Ok(()) };
        if rest.first().is_some_and(u8::is_ascii_alphabetic) {
            return Ok(());
        }
        if !(1..=12).contains(&time.hour) {
            return Err(Code::DAT002);
        }
        let afternoon = half.eq_ignore_ascii_case(&b'p');
        time.hour = time.hour % 12 + if afternoon { 12 } else { 0 };
        faults.note(Code::DAT009);
        self.rest = rest;
        Ok(())
    }

    /// A zone up to the end of the text: `Z`, an offset in several shapes, `UTC` or `GMT`, or nothing.
    pub(super) fn zone(&mut self, faults: &mut Faults) -> Result<Zone, Code> {
        let spaces = self.spaces();
        if self.rest.is_empty() {
            return Ok(Zone::None);
        }
        if spaces > 0 {
            faults.note(Code::DAT007);
        }
        let name = self.take(u8::is_ascii_alphabetic);
        let mut zone = match name {
            [] => None,
            b"Z" => Some(Zone::Z),
            b"z" => {
                faults.note(Code::DAT012);
                Some(Zone::Z)
            }
            name if is_utc(name) => {
                faults.note(Code::DAT009);
                Some(Zone::Z)
            }
            [_, _, _, ..] => return Err(Code::DAT009), // a name that several countries use, or none
            _ => return Err(Code::DAT001),
        };
        // `GMT+0100` is one zone, `Z+01:00` is none.
        if name.len() != 1 && matches!(self.peek(), Some(b'+' | b'-')) {
            zone = Some(self.offset(faults)?);
        }
        let Some(zone) = zone else { return Err(Code::DAT001) };
        self.remark(zone, faults)?;
        Ok(zone)
    }

    /// `+hh:mm`, `+hhmm`, `+h:mm`, `+hh`.
    pub(super) fn offset(&mut self, faults: &mut Faults) -> Result<Zone, Code> {
        let west = self.one_of(b"+-") == Some(b'-');
        let hours = self.digits();
        let (hours, minutes) = match hours.len() {
            4 => {
                faults.note(Code::DAT004);
                hours.split_at(2)
            }
            1 | 2 if self.eat(b':') => {
                if hours.len() == 1 {
                    faults.note(Code::DAT008);
                }
                (hours, self.digits())
            }
            2 => {
                faults.note(Code::DAT004);
                (hours, &b"00"[..])
            }
            _ => return Err(Code::DAT001),
        };
        if minutes.len() != 2 {
            return Err(Code::DAT001);
        }
        zone_of(west, number(hours), number(minutes)).ok_or(Code::DAT021)
    }

    /// What some libraries add behind an offset: `[Europe/Paris]`, `(CET)`, `UTC`, or a `Z` that repeats it.
    fn remark(&mut self, zone: Zone, faults: &mut Faults) -> Result<(), Code> {
        self.spaces();
        match self.rest {
            [] => return Ok(()),
            [b'[', name @ .., b']'] | [b'(', name @ .., b')'] if !name.iter().any(|b| b"[]()".contains(b)) => {}
            b"Z" if zone.minutes() == 0 && zone != Zone::Z => {}
            name if is_utc(name) && zone.minutes() == 0 => {}
            // Go prints the zone's short name behind its offset.
            name if zone != Zone::Z
                && (3..=5).contains(&name.len())
                && name.iter().all(u8::is_ascii_uppercase)
                && !is_utc(name) => {}
            _ => return Err(Code::DAT001),
        }
        faults.note(Code::DAT009);
        self.rest = b"";
        Ok(())
    }
}

/// Whether a name means UTC.
pub(super) fn is_utc(name: &[u8]) -> bool {
    [&b"UTC"[..], b"GMT", b"UT"].iter().any(|utc| name.eq_ignore_ascii_case(utc))
}
