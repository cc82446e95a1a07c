//! The pattern in which a date was written: how far it goes and which zone it names. Holds no instant.

/// The smallest unit that was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Precision {
    /// `YYYY`.
    Year,
    /// `YYYY-MM`.
    Month,
    /// `YYYY-MM-DD`.
    Day,
    /// `YYYY-MM-DDThh:mm`.
    Minute,
    /// `YYYY-MM-DDThh:mm:ss`, and the number of digits of the fraction, 0 to 9.
    Second(u8),
}

/// The zone that was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Zone {
    /// None; the date counts as UTC.
    None,
    /// `Z`.
    Z,
    /// `+hh:mm` or `-hh:mm`, in minutes east of UTC, -840 to 840; 0 is `+00:00`.
    Offset(i16),
    /// `-00:00`: UTC, the local time not known.
    MinusZero,
}

impl Zone {
    /// Minutes east of UTC.
    #[inline]
    pub(super) const fn minutes(self) -> i64 {
        match self {
            Self::Offset(minutes) => minutes as i64,
            Self::None | Self::Z | Self::MinusZero => 0,
        }
    }
}

/// The furthest offset that the schema allows, in minutes.
pub(super) const MAX_OFFSET: u32 = 14 * 60;

/// The pattern in which a date was written; in tables a short text such as `date` or `seconds.3 -05:00`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Form {
    /// The smallest unit.
    pub precision: Precision,
    /// The zone.
    pub zone: Zone,
}

impl Form {
    /// `2025-01-01T10:00:00Z`: the form of timestamps that name none.
    pub const SECONDS_Z: Form = Form { precision: Precision::Second(0), zone: Zone::Z };
    /// `2025-01-01`: the form of dates that name none.
    pub const DATE: Form = Form { precision: Precision::Day, zone: Zone::None };

    /// Appends the text of this form: the precision, `.digits` for a fraction, the zone. `Z` and offsets to the west are
    /// set off by a blank.
    ///
    /// ```
    /// use urlset::value::date::{Form, Precision, Zone};
    /// let mut out = Vec::new();
    /// Form { precision: Precision::Second(3), zone: Zone::Offset(-300) }.write(&mut out);
    /// assert_eq!(out, b"seconds.3 -05:00");
    /// ```
    pub fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(match self.precision {
            Precision::Year => b"year",
            Precision::Month => b"year-month",
            Precision::Day => b"date",
            Precision::Minute => b"minutes",
            Precision::Second(_) => b"seconds",
        });
        if let Precision::Second(digits @ 1..) = self.precision {
            out.extend_from_slice(&[b'.', b'0' + digits.min(9)]);
        }
        match self.zone {
            Zone::None => {}
            Zone::Z => out.extend_from_slice(b" Z"),
            Zone::MinusZero => out.extend_from_slice(b" -00:00"),
            Zone::Offset(minutes) => {
                if minutes < 0 {
                    out.push(b' ');
                }
                out.extend_from_slice(&offset(minutes));
            }
        }
    }

    /// Reads the text of a form; blanks before and after the zone make no difference. `None` for any other text, for an
    /// offset beyond 14 hours, and for a zone behind a year or a month, which no standard knows.
    ///
    /// ```
    /// use urlset::value::date::Form;
    /// assert_eq!(Form::parse("seconds Z"), Some(Form::SECONDS_Z));
    /// assert_eq!(Form::parse("secondsZ"), Some(Form::SECONDS_Z));
    /// assert_eq!(Form::parse("yesterday"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Form> {
        let text = text.trim_matches(' ');
        // `year-month` before `year`, its beginning.
        let (precision, rest) = [
            ("year-month", Precision::Month),
            ("year", Precision::Year),
            ("date", Precision::Day),
            ("minutes", Precision::Minute),
            ("seconds", Precision::Second(0)),
        ]
        .into_iter()
        .find_map(|(word, precision)| Some((precision, text.strip_prefix(word)?)))?;
        let (precision, rest) = match (precision, rest.as_bytes()) {
            (Precision::Second(_), [b'.', digits @ b'0'..=b'9', ..]) => (Precision::Second(digits - b'0'), &rest[2..]),
            _ => (precision, rest),
        };
        let zone = match rest.trim_start_matches(' ').as_bytes() {
            [] => Zone::None,
            b"Z" => Zone::Z,
            zone => read_offset(zone)?,
        };
        let zoned = zone != Zone::None;
        if zoned && matches!(precision, Precision::Year | Precision::Month) {
            return None;
        }
        Some(Form { precision, zone })
    }

    /// A number for look-ups, one for each form: below 28 for those without zone or with `Z`, below 24,000 for every form
    /// that is read.
    ///
    /// ```
    /// use urlset::value::date::Form;
    /// assert!(Form::DATE.index() < 28 && Form::SECONDS_Z.index() < 28);
    /// ```
    #[inline]
    pub fn index(self) -> u32 {
        let precision = match self.precision {
            Precision::Year => 0,
            Precision::Month => 1,
            Precision::Day => 2,
            Precision::Minute => 3,
            Precision::Second(digits) => 4 + u32::from(digits.min(9)),
        };
        let zone = match self.zone {
            Zone::None => 0,
            Zone::Z => 1,
            Zone::MinusZero => 2,
            // East and west by turns, so that small offsets have small numbers.
            Zone::Offset(minutes) => 3 + u32::from(((minutes << 1) ^ (minutes >> 15)) as u16),
        };
        zone * 14 + precision
    }
}

/// An offset as it is written, `+hh:mm`.
fn offset(minutes: i16) -> [u8; 6] {
    let sign = if minutes < 0 { b'-' } else { b'+' };
    let minutes = minutes.unsigned_abs();
    let (hours, minutes) = ((minutes / 60).min(99) as u8, (minutes % 60) as u8);
    [sign, b'0' + hours / 10, b'0' + hours % 10, b':', b'0' + minutes / 10, b'0' + minutes % 10]
}

/// Reads exactly `+hh:mm` or `-hh:mm`, up to 14 hours.
#[inline]
pub(super) fn read_offset(text: &[u8]) -> Option<Zone> {
    let &[sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] = text else { return None };
    let [h1, h2, m1, m2] = [h1, h2, m1, m2].map(|b| u32::from(b.wrapping_sub(b'0')));
    if h1 > 9 || h2 > 9 || m1 > 5 || m2 > 9 {
        return None;
    }
    zone_of(sign == b'-', h1 * 10 + h2, m1 * 10 + m2)
}

/// The zone of a sign, hours and minutes; `None` beyond 14 hours and for 60 minutes and more.
#[inline]
pub(super) fn zone_of(west: bool, hours: u32, minutes: u32) -> Option<Zone> {
    if minutes > 59 || hours > 14 || hours * 60 + minutes > MAX_OFFSET {
        return None;
    }
    let total = (hours * 60 + minutes) as i16;
    Some(match (west, total) {
        (true, 0) => Zone::MinusZero,
        (true, total) => Zone::Offset(-total),
        (false, total) => Zone::Offset(total),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// Every form that can be read and written.
    pub(crate) fn valid_forms() -> impl Strategy<Value = Form> {
        let zone = prop_oneof![
            Just(Zone::Z),
            Just(Zone::MinusZero),
            Just(Zone::Offset(0)),
            (-840i16..=840).prop_map(|m| if m == 0 { Zone::Z } else { Zone::Offset(m) }),
        ];
        prop_oneof![
            Just(Form { precision: Precision::Year, zone: Zone::None }),
            Just(Form { precision: Precision::Month, zone: Zone::None }),
            Just(Form::DATE),
            (0u8..=9).prop_map(|d| Form { precision: Precision::Second(d), zone: Zone::None }),
            (0u8..=11, zone).prop_map(|(p, zone)| Form {
                precision: match p {
                    10 => Precision::Day,
                    11 => Precision::Minute,
                    digits => Precision::Second(digits),
                },
                zone,
            }),
        ]
    }

    fn text(form: Form) -> String {
        let mut out = Vec::new();
        form.write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn texts() {
        let form = |precision, zone| Form { precision, zone };
        for (expected, form) in [
            ("year", form(Precision::Year, Zone::None)),
            ("year-month", form(Precision::Month, Zone::None)),
            ("date", Form::DATE),
            ("date Z", form(Precision::Day, Zone::Z)),
            ("date+02:00", form(Precision::Day, Zone::Offset(120))),
            ("date -05:00", form(Precision::Day, Zone::Offset(-300))),
            ("minutes+02:00", form(Precision::Minute, Zone::Offset(120))),
            ("minutes Z", form(Precision::Minute, Zone::Z)),
            ("seconds", form(Precision::Second(0), Zone::None)),
            ("seconds Z", Form::SECONDS_Z),
            ("seconds.3 -00:00", form(Precision::Second(3), Zone::MinusZero)),
            ("seconds.9+00:00", form(Precision::Second(9), Zone::Offset(0))),
            ("seconds+05:45", form(Precision::Second(0), Zone::Offset(345))),
        ] {
            assert_eq!(text(form), expected);
            assert_eq!(Form::parse(expected), Some(form), "{expected}");
            assert_eq!(Form::parse(&expected.replace(' ', "")), Some(form), "{expected} without blanks");
        }
        assert_eq!(Form::parse(" seconds  +02:00 ").map(text).as_deref(), Some("seconds+02:00"));
        for (bad, why) in [
            ("", "empty"),
            ("Date", "upper case"),
            ("dates", "another word"),
            ("seconds.", "no digits"),
            ("seconds.10 Z", "more than nine digits"),
            ("date.3", "a fraction of a day"),
            ("date+15:00", "beyond 14 hours"),
            ("date+14:01", "beyond 14 hours"),
            ("date+0200", "no colon"),
            ("date+02:60", "60 minutes"),
            ("date z", "lower case"),
            ("year Z", "a year has no zone"),
            ("year-month+01:00", "nor has a month"),
            ("seconds Z Z", "two zones"),
        ] {
            assert_eq!(Form::parse(bad), None, "{bad}: {why}");
        }
    }

    #[test]
    fn index_is_one_to_one() {
        let precisions = [Precision::Year, Precision::Month, Precision::Day, Precision::Minute]
            .into_iter()
            .chain((0..=9).map(Precision::Second));
        let mut seen = HashSet::new();
        for precision in precisions {
            let zones = [Zone::None, Zone::Z, Zone::MinusZero].into_iter().chain((-840..=840).map(Zone::Offset));
            for zone in zones {
                let index = Form { precision, zone }.index();
                assert!(seen.insert(index) && index < 24_000);
            }
        }
    }

    proptest! {
        #[test]
        fn write_then_parse(form in valid_forms()) {
            prop_assert_eq!(Form::parse(&text(form)), Some(form));
        }

        #[test]
        fn parse_takes_any_text(text in "\\PC{0,20}|(date|seconds|minutes)[ .0-9:+-]{0,10}") {
            let _ = Form::parse(&text);
        }

        #[test]
        fn any_form_is_written(minutes in any::<i16>(), digits in any::<u8>()) {
            let form = Form { precision: Precision::Second(digits), zone: Zone::Offset(minutes) };
            prop_assert!(!text(form).is_empty());
            let _ = form.index();
        }
    }
}
