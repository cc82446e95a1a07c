//! The Gregorian calendar, carried back before its time as ISO 8601 does. Knows no text and no zone.

pub(super) const MICROS_PER_SECOND: i64 = 1_000_000;
pub(super) const MICROS_PER_MINUTE: i64 = 60 * MICROS_PER_SECOND;
pub(super) const MICROS_PER_DAY: i64 = 86_400 * MICROS_PER_SECOND;

/// Days from 0000-03-01 to 1970-01-01. Years are counted from March, so that the leap day comes last.
pub(super) const EPOCH: u32 = 719_468;

/// Days from 1970-01-01 to a day of a year from 1 on. The day must exist.
#[inline]
pub(super) const fn days(year: u32, month: u32, day: u32) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year / 4 - year / 100 + year / 400;
    (year * 365 + leaps + (153 * month + 2) / 5 + day - 1) as i64 - EPOCH as i64
}

/// Year, month and day of a number of days since 0000-03-01, for as long as four digits name the year.
#[inline]
pub(super) const fn civil(days: u32) -> (u32, u32, u32) {
    const ERA: u32 = 146_097; // days in 400 years
    let (era, day) = (days / ERA, days % ERA);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + carry, month, day)
}

/// Whether a year has a 29 February.
#[inline]
pub(super) const fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Whether a day exists.
#[inline]
pub(super) const fn exists(year: u32, month: u32, day: u32) -> bool {
    const LENGTHS: [u8; 16] = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 0, 0, 0];
    if month > 12 || day == 0 {
        return false;
    }
    day <= LENGTHS[(month & 15) as usize] as u32 || (month == 2 && day == 29 && is_leap(year))
}

/// Day of the week, Monday being 0.
pub(super) const fn weekday(days: i64) -> u32 {
    (days + 3).rem_euclid(7) as u32
}

/// The day with a number within its year, from 1.
pub(super) const fn ordinal(year: u32, day: u32) -> Option<i64> {
    if day == 0 || day > 365 + is_leap(year) as u32 {
        return None;
    }
    Some(days(year, 1, 1) + day as i64 - 1)
}

/// The day of an ISO week: week from 1 to 53, day from 1 (Monday) to 7.
pub(super) const fn week(year: u32, week: u32, day: u32) -> Option<i64> {
    let fourth = days(year, 1, 4); // always lies in the first week
    let monday = fourth - weekday(fourth) as i64 + (week as i64 - 1) * 7;
    // A week belongs to the year of its Thursday.
    if week == 0 || week > 53 || day == 0 || day > 7 || civil((monday + 3 + EPOCH as i64) as u32).0 != year {
        return None;
    }
    Some(monday + day as i64 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every day of ten thousand years, counted one by one.
    #[test]
    fn calendar_is_contiguous() {
        let mut expected = -719_162; // 0001-01-01
        for year in 1..=9999 {
            for month in 1..=12 {
                for day in (1..=31).filter(|day| exists(year, month, *day)) {
                    assert_eq!(days(year, month, day), expected);
                    assert_eq!(civil((expected + i64::from(EPOCH)) as u32), (year, month, day));
                    expected += 1;
                }
            }
        }
        assert_eq!(expected, days(9999, 12, 31) + 1);
        assert_eq!(days(1970, 1, 1), 0);
    }

    #[test]
    fn days_that_exist() {
        for (year, month, day, expected, why) in [
            (2024, 2, 29, true, "leap year"),
            (2025, 2, 29, false, "common year"),
            (1900, 2, 29, false, "century"),
            (2000, 2, 29, true, "fourth century"),
            (2025, 4, 31, false, "thirty days"),
            (2025, 0, 1, false, "month 0"),
            (2025, 13, 1, false, "month 13"),
            (2025, 99, 1, false, "month 99"),
            (2025, 1, 0, false, "day 0"),
            (2025, 12, 32, false, "day 32"),
        ] {
            assert_eq!(exists(year, month, day), expected, "{year}-{month}-{day}: {why}");
        }
    }

    #[test]
    fn weeks_and_ordinals() {
        assert_eq!(weekday(0), 3); // a Thursday
        assert_eq!(week(2020, 53, 7), Some(days(2021, 1, 3))); // 2020 has 53 weeks
        assert_eq!(week(2021, 53, 1), None); // 2021 has 52
        assert_eq!(week(2025, 1, 1), Some(days(2024, 12, 30))); // begins in the year before
        assert_eq!(week(2025, 1, 8), None);
        assert_eq!(ordinal(2024, 366), Some(days(2024, 12, 31)));
        assert_eq!(ordinal(2025, 366), None);
        assert_eq!(ordinal(2025, 0), None);
    }
}
