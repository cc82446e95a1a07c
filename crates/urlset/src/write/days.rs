//! Instants to text, with the days of the rows before at hand. Adds speed to `value::date::format`, changes no byte of it.

use crate::value::date::{self, Form, Precision, Zone};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;
/// Days remembered: a year of them never collides.
const SLOTS: usize = 512;

/// Length of `2025-01-01T00:00:00Z`, and of its date.
const TEXT: usize = 20;
const DATE: usize = 10;

/// Texts of days seen before, each with its midnight.
pub(super) struct Days {
    slots: Box<[(i32, [u8; TEXT]); SLOTS]>,
}

impl Days {
    pub(super) fn new() -> Self {
        Self { slots: Box::new([(i32::MIN, [0; TEXT]); SLOTS]) }
    }

    /// Appends an instant; without a form it is cut to whole seconds and gets a `Z`. Gives back the instant that was
    /// written, `None` where no legal text says it.
    #[inline]
    pub(super) fn instant(&mut self, micros: i64, form: Option<Form>, out: &mut Vec<u8>) -> Option<i64> {
        let seconds = micros.div_euclid(SECOND);
        let micros = match form {
            None => seconds.checked_mul(SECOND)?,
            Some(Form::SECONDS_Z) if seconds.checked_mul(SECOND) == Some(micros) => micros,
            Some(Form::DATE) if micros.rem_euclid(DAY) == 0 => return self.day(micros.div_euclid(DAY), out),
            Some(form) => return date::format(micros, form, out).then_some(micros),
        };
        let text = self.text(seconds.div_euclid(86_400))?;
        let time = seconds.rem_euclid(86_400) as u32;
        out.extend_from_slice(text);
        let Some(clock) = out.last_chunk_mut::<{ TEXT - DATE - 1 }>() else { return Some(micros) };
        for (at, n) in [(0, time / 3600), (3, time / 60 % 60), (6, time % 60)] {
            date::pair(clock, at, n);
        }
        Some(micros)
    }

    /// Appends a day since 1970; gives back the instant at which it begins.
    #[inline]
    pub(super) fn day(&mut self, day: i64, out: &mut Vec<u8>) -> Option<i64> {
        let text = self.text(day)?;
        out.extend_from_slice(&text[..DATE]);
        Some(day * DAY)
    }

    #[inline]
    fn text(&mut self, day: i64) -> Option<&[u8; TEXT]> {
        let key = i32::try_from(day).ok()?;
        let slot = &mut self.slots[(day as usize) % SLOTS];
        if slot.0 != key || key == i32::MIN {
            *slot = (key, midnight(day)?);
        }
        Some(&slot.1)
    }
}

#[cold]
fn midnight(day: i64) -> Option<[u8; TEXT]> {
    let mut text = Vec::with_capacity(TEXT);
    date::format(day.checked_mul(DAY)?, Form::SECONDS_Z, &mut text).then_some(())?;
    text.try_into().ok()
}

/// Whether a form names no time of day.
pub(super) const fn is_day(form: Form) -> bool {
    matches!(form.precision, Precision::Year | Precision::Month | Precision::Day) && matches!(form.zone, Zone::None)
}

/// The latest date of a file, and whether every one was a date alone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Newest {
    latest: Option<i64>,
    timed: bool,
}

impl Newest {
    /// Takes a row's date into account.
    #[inline]
    pub(super) fn add(&mut self, micros: i64, form: Form) {
        self.latest = self.latest.max(Some(micros));
        self.timed |= !is_day(form) || micros.rem_euclid(DAY) != 0;
    }

    /// The latest, as a date where all were dates and else with seconds and `Z`.
    pub(super) fn get(self) -> Option<(i64, Form)> {
        self.latest.map(|micros| (micros, if self.timed { Form::SECONDS_Z } else { Form::DATE }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn remembered_days_change_nothing(instants in prop::collection::vec(-62_135_596_800i64..253_402_300_800, 1..40)) {
            let mut days = Days::new();
            for seconds in instants {
                let (mut quick, mut plain) = (Vec::new(), Vec::new());
                let micros = seconds * SECOND;
                prop_assert_eq!(days.instant(micros, None, &mut quick), Some(micros));
                prop_assert!(date::format(micros, Form::SECONDS_Z, &mut plain));
                prop_assert_eq!(&quick, &plain);
            }
        }
    }

    #[test]
    fn borders() {
        let mut days = Days::new();
        for (micros, form, expected, why) in [
            (0, None, "1970-01-01T00:00:00Z", "the epoch"),
            (-1, None, "1969-12-31T23:59:59Z", "cut downwards before it too"),
            (1_999_999, None, "1970-01-01T00:00:01Z", "a column without a form gives seconds"),
            (1_500_000, Some(Form::SECONDS_Z), "1970-01-01T00:00:01.5Z", "a form keeps the instant"),
            (DAY, Some(Form::DATE), "1970-01-02", "a date"),
            (DAY + 1, Some(Form::DATE), "1970-01-02T00:00:00.000001Z", "no date any more"),
        ] {
            let mut out = Vec::new();
            assert!(days.instant(micros, form, &mut out).is_some());
            assert_eq!(String::from_utf8_lossy(&out), expected, "{why}");
        }
        for micros in [i64::MIN, i64::MAX, -62_135_596_800 * SECOND - 1, 253_402_300_800 * SECOND] {
            assert_eq!(days.instant(micros, None, &mut Vec::new()), None, "{micros}: no year of four digits");
        }
    }

    #[test]
    fn the_latest_is_a_date_only_where_all_are() {
        let mut newest = Newest::default();
        assert_eq!(newest.get(), None);
        newest.add(DAY, Form::DATE);
        newest.add(0, Form { precision: Precision::Year, zone: Zone::None });
        assert_eq!(newest.get(), Some((DAY, Form::DATE)));
        newest.add(1, Form::SECONDS_Z);
        assert_eq!(newest.get(), Some((DAY, Form::SECONDS_Z)));
    }
}
