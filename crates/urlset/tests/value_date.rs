//! Dates: tables of texts with the reason on each line, and the laws that hold for every text.

use proptest::prelude::*;
use urlset::codes::Code;
use urlset::value::date::{Form, Precision, Reading, Zone, atom, feed, format, valid_text, w3c};

/// The instant in UTC and the form's text.
fn told(reading: Reading) -> Option<(String, String)> {
    let date = reading.date?;
    let (mut instant, mut form) = (Vec::new(), Vec::new());
    assert!(format(date.micros, Form::SECONDS_Z, &mut instant));
    date.form.write(&mut form);
    Some((String::from_utf8(instant).unwrap(), String::from_utf8(form).unwrap()))
}

fn code(reading: Reading) -> String {
    reading.code.map_or_else(String::new, |code| code.to_string())
}

/// Text, instant and form (both empty: no value), code (empty: none), reason.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str);

fn check(read: fn(&[u8]) -> Reading, table: &[Row]) {
    for (text, instant, form, expected, why) in table {
        let reading = read(text.as_bytes());
        let told = told(reading).unwrap_or_default();
        let found = (told.0.as_str(), told.1.as_str(), code(reading));
        assert_eq!(found, (*instant, *form, (*expected).to_owned()), "{text:?}: {why}");
    }
}

#[test]
fn legal_forms() {
    let table: &[Row] = &[
        ("2025", "2025-01-01T00:00:00Z", "year", "", "note"),
        ("2025-03", "2025-03-01T00:00:00Z", "year-month", "", "note"),
        ("2025-03-04", "2025-03-04T00:00:00Z", "date", "", "note and schema"),
        ("2025-03-04T05:06Z", "2025-03-04T05:06:00Z", "minutes Z", "", "note"),
        ("2025-03-04T05:06+01:00", "2025-03-04T04:06:00Z", "minutes+01:00", "", "note"),
        ("2025-03-04T05:06:07Z", "2025-03-04T05:06:07Z", "seconds Z", "", "note and schema"),
        ("2025-03-04T05:06:07+02:00", "2025-03-04T03:06:07Z", "seconds+02:00", "", "east"),
        ("2025-03-04T05:06:07-05:00", "2025-03-04T10:06:07Z", "seconds -05:00", "", "west"),
        ("2025-01-01T00:30:00+01:00", "2024-12-31T23:30:00Z", "seconds+01:00", "", "the year before"),
        ("2025-03-04T05:06:07.5Z", "2025-03-04T05:06:07.5Z", "seconds.1 Z", "", "fraction"),
        ("2025-03-04T05:06:07.123456Z", "2025-03-04T05:06:07.123456Z", "seconds.6 Z", "", "microseconds"),
        ("2025-03-04T05:06:07.120000000Z", "2025-03-04T05:06:07.12Z", "seconds.9 Z", "", "nine digits, none lost"),
        ("2025-03-04T05:06:07.000-00:00", "2025-03-04T05:06:07Z", "seconds.3 -00:00", "", "minus zero is kept"),
        ("2025-03-04T05:06:07+00:00", "2025-03-04T05:06:07Z", "seconds+00:00", "", "plus zero is not Z"),
        ("2025-03-04T05:06:07+14:00", "2025-03-03T15:06:07Z", "seconds+14:00", "", "furthest east"),
        ("2025-03-04T05:06:07-14:00", "2025-03-04T19:06:07Z", "seconds -14:00", "", "furthest west"),
        ("2025-03-04T05:06:07+05:45", "2025-03-03T23:21:07Z", "seconds+05:45", "", "quarter hours"),
        ("2024-02-29", "2024-02-29T00:00:00Z", "date", "", "leap year"),
        ("2000-02-29", "2000-02-29T00:00:00Z", "date", "", "leap century"),
        ("0001-01-01", "0001-01-01T00:00:00Z", "date", "", "first day, judged elsewhere"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z", "seconds Z", "", "last second"),
        ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "seconds Z", "", "epoch, judged elsewhere"),
        ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z", "seconds.6 Z", "", "before it"),
        // What only the schema allows.
        ("2025-03-04T05:06:07", "2025-03-04T05:06:07Z", "seconds", "DAT003", "no zone"),
        ("2025-03-04T05:06:07.25", "2025-03-04T05:06:07.25Z", "seconds.2", "DAT003", "no zone, fraction"),
        ("2025-03-04Z", "2025-03-04T00:00:00Z", "date Z", "DAT015", "zone on a date"),
        ("2025-03-04+02:00", "2025-03-03T22:00:00Z", "date+02:00", "DAT015", "midnight there"),
        ("2025-03-04-05:00", "2025-03-04T05:00:00Z", "date -05:00", "DAT015", "not a fourth part"),
        ("2025-12-31T24:00:00Z", "2026-01-01T00:00:00Z", "seconds Z", "DAT016", "next midnight"),
        ("2025-12-31T24:00:00", "2026-01-01T00:00:00Z", "seconds", "DAT003", "zone before range"),
        ("2025-03-04T05:06:07.1234567Z", "2025-03-04T05:06:07.123456Z", "seconds.7 Z", "DAT019", "a digit lost"),
        ("2025-03-04T05:06:07.0000000000Z", "2025-03-04T05:06:07Z", "seconds.9 Z", "DAT019", "ten digits"),
    ];
    check(w3c, table);
    for (text, ..) in table {
        assert!(valid_text(text.as_bytes()), "{text}");
    }
}

const REPAIRED: &[Row] = &[
    ("2025-03-04T05:06:07+0100", "2025-03-04T04:06:07Z", "seconds+01:00", "DAT004", "no colon"),
    ("2025-03-04T05:06:07-0000", "2025-03-04T05:06:07Z", "seconds -00:00", "DAT004", "no colon, minus zero"),
    ("2025-03-04T05:06:07+01", "2025-03-04T04:06:07Z", "seconds+01:00", "DAT004", "hours only"),
    ("2025-03-04 05:06:07Z", "2025-03-04T05:06:07Z", "seconds Z", "DAT007", "space for T"),
    ("2025-03-04 05:06:07", "2025-03-04T05:06:07Z", "seconds", "DAT007", "space before zone"),
    ("2025-03-04  05:06:07", "2025-03-04T05:06:07Z", "seconds", "DAT007", "two spaces"),
    ("2025-03-04\n05:06:07Z", "2025-03-04T05:06:07Z", "seconds Z", "DAT007", "line break for T"),
    ("2025-03-04T05:06:07 +01:00", "2025-03-04T04:06:07Z", "seconds+01:00", "DAT007", "space before the offset"),
    ("2025-03-04 05:06:07 +0100", "2025-03-04T04:06:07Z", "seconds+01:00", "DAT007", "Ruby"),
    ("2025-03-04 05:06:07 UTC", "2025-03-04T05:06:07Z", "seconds Z", "DAT007", "Rails"),
    ("2025-03-04 05:06:07.5 +0000 UTC", "2025-03-04T05:06:07.5Z", "seconds.1+00:00", "DAT007", "Go"),
    ("2025-03-04 05:06:07 +0100 CET", "2025-03-04T04:06:07Z", "seconds+01:00", "DAT007", "Go, with a name"),
    ("2025-03-04T05:06:07+01:00[Europe/Paris]", "2025-03-04T04:06:07Z", "seconds+01:00", "DAT009", "Java"),
    ("2025-03-04T05:06:07+00:00Z", "2025-03-04T05:06:07Z", "seconds+00:00", "DAT009", "Z said twice"),
    ("2025-03-04T05:06:07UTC", "2025-03-04T05:06:07Z", "seconds Z", "DAT009", "name for Z"),
    ("2025-03-04T05:06:07GMT+0100", "2025-03-04T04:06:07Z", "seconds+01:00", "DAT004", "name and offset"),
    ("2025-3-4", "2025-03-04T00:00:00Z", "date", "DAT008", "padding"),
    ("2025-3-04", "2025-03-04T00:00:00Z", "date", "DAT008", "month only"),
    ("2025-3", "2025-03-01T00:00:00Z", "year-month", "DAT008", "year and month"),
    ("2021-2-18T01:01:01+01:00", "2021-02-18T00:01:01Z", "seconds+01:00", "DAT008", "with a time"),
    ("2025-03-04T5:06:07Z", "2025-03-04T05:06:07Z", "seconds Z", "DAT008", "hour"),
    ("2025-3-4 5:6", "2025-03-04T05:06:00Z", "seconds", "DAT008", "padding before separators"),
    ("2025-03-04T05:06:07+1:00", "2025-03-04T04:06:07Z", "seconds+01:00", "DAT008", "offset"),
    ("2025-03-04t05:06:07z", "2025-03-04T05:06:07Z", "seconds Z", "DAT012", "lower case"),
    ("2025-03-04z", "2025-03-04T00:00:00Z", "date Z", "DAT012", "lower case on a date"),
    ("2025-03-04T05:06:07,5Z", "2025-03-04T05:06:07.5Z", "seconds.1 Z", "DAT020", "comma"),
    ("2025-03-04T05:06", "2025-03-04T05:06:00Z", "seconds", "DAT003", "no standard has minutes without zone"),
    ("20250304", "2025-03-04T00:00:00Z", "date", "DAT011", "basic"),
    ("20250304T050607Z", "2025-03-04T05:06:07Z", "seconds Z", "DAT011", "basic with time"),
    ("20250304T0506+0100", "2025-03-04T04:06:00Z", "minutes+01:00", "DAT004", "separators before other standards"),
    ("20250304T05:06:07Z", "2025-03-04T05:06:07Z", "seconds Z", "DAT011", "half basic"),
    ("2025-03-04T050607Z", "2025-03-04T05:06:07Z", "seconds Z", "DAT011", "the other half"),
    ("20250304050607", "2025-03-04T05:06:07Z", "seconds", "DAT011", "fourteen digits"),
    ("202503040506", "2025-03-04T05:06:00Z", "seconds", "DAT011", "twelve digits"),
    ("2025-032", "2025-02-01T00:00:00Z", "date", "DAT022", "ordinal"),
    ("2024-366T10:00:00Z", "2024-12-31T10:00:00Z", "seconds Z", "DAT022", "ordinal with time"),
    ("2025032", "2025-02-01T00:00:00Z", "date", "DAT022", "basic ordinal"),
    ("2025-W01-1", "2024-12-30T00:00:00Z", "date", "DAT022", "week date of the year before"),
    ("2020W537", "2021-01-03T00:00:00Z", "date", "DAT022", "basic week date"),
    ("2025-12-31T24:00Z", "2026-01-01T00:00:00Z", "minutes Z", "DAT016", "hour 24 without seconds"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z", "seconds Z", "DAT017", "leap second"),
    ("2017-01-01T00:59:60.5+01:00", "2017-01-01T00:00:00.5Z", "seconds.1+01:00", "DAT017", "leap second elsewhere"),
    ("2025/03/04", "2025-03-04T00:00:00Z", "date", "DAT009", "slashes, year first"),
    ("2025.03.04", "2025-03-04T00:00:00Z", "date", "DAT009", "points, year first"),
    ("2025/03/04 05:06:07", "2025-03-04T05:06:07Z", "seconds", "DAT007", "separators first"),
    ("2025-03-04T05:06:07 PM", "2025-03-04T17:06:07Z", "seconds", "DAT009", "afternoon"),
    ("2025-03-04T12:06:07AM", "2025-03-04T00:06:07Z", "seconds", "DAT009", "midnight"),
    ("Wed, 01 Jan 2025 10:00:00 GMT", "2025-01-01T10:00:00Z", "seconds Z", "DAT009", "mail"),
    ("1 Jan 2025 10:00 +0100", "2025-01-01T09:00:00Z", "minutes+01:00", "DAT009", "mail, short"),
    ("Wed, 01 Jan 2025 10:00:00 EST", "2025-01-01T15:00:00Z", "seconds -05:00", "DAT009", "zone that the RFC defines"),
    ("January 1, 2025", "2025-01-01T00:00:00Z", "date", "DAT009", "month by name"),
    ("1st January 2025", "2025-01-01T00:00:00Z", "date", "DAT009", "ordinal suffix"),
    ("01-Jan-2025", "2025-01-01T00:00:00Z", "date", "DAT009", "hyphens"),
    ("2025-Jan-01", "2025-01-01T00:00:00Z", "date", "DAT009", "year first"),
    ("Sept 2025", "2025-09-01T00:00:00Z", "year-month", "DAT009", "no day"),
    ("Wed Jan  1 10:00:00 2025", "2025-01-01T10:00:00Z", "seconds", "DAT009", "asctime"),
    ("Wed Jan  1 10:00:00 UTC 2025", "2025-01-01T10:00:00Z", "seconds Z", "DAT009", "date command"),
    ("Wed Jan 01 10:00:00 +0100 2025", "2025-01-01T09:00:00Z", "seconds+01:00", "DAT009", "offset in between"),
    (
        "Wed Jan 01 2025 10:00:00 GMT+0100 (Central European Standard Time)",
        "2025-01-01T09:00:00Z",
        "seconds+01:00",
        "DAT009",
        "JavaScript",
    ),
    ("Wednesday, January 1, 2025 10:30 PM", "2025-01-01T22:30:00Z", "seconds", "DAT009", "twelve hours"),
];

#[test]
fn repairs() {
    check(w3c, REPAIRED);
    for (text, ..) in REPAIRED {
        assert!(!valid_text(text.as_bytes()), "{text} must not be written");
    }
}

const LOST: &[(&str, &str, &str)] = &[
    ("", "STR020", "empty"),
    ("0000-00-00", "DAT014", "zeros"),
    ("0000-00-00 00:00:00", "DAT014", "zeros with a time"),
    ("0000-00-00T00:00:00+00:00", "DAT014", "the same with a zone"),
    ("0000-01-01", "DAT014", "the year 0 is none"),
    ("0000", "DAT014", "the same alone"),
    ("00000000", "DAT014", "zeros without hyphens"),
    ("0000-055", "DAT014", "a day of the year 0, found by fuzzing"),
    ("0000-W01-1", "DAT014", "a week of it"),
    ("0000W011", "DAT014", "the same without hyphens"),
    ("-0001-11-30T00:00:00+00:00", "DAT014", "zeros as PHP prints them"),
    ("0", "DAT010", "no second has passed"),
    ("1735689600", "DAT010", "seconds"),
    ("1735689600123", "DAT010", "milliseconds"),
    ("1735689600.123", "DAT010", "seconds with a fraction"),
    ("-62135596800", "DAT010", "seconds to the year 1"),
    ("1735689600123456789", "DAT010", "nanoseconds"),
    ("173568960", "DAT010", "nine digits"),
    ("2025-02-30", "DAT002", "no such day"),
    ("2025-02-29", "DAT002", "no leap year"),
    ("1900-02-29", "DAT002", "no leap century"),
    ("2025-00-10", "DAT002", "month 0"),
    ("2025-01-00", "DAT002", "day 0"),
    ("2025-13-01", "DAT002", "month 13"),
    ("2025-13", "DAT002", "month 13 without a day"),
    ("20250230", "DAT002", "no such day, basic"),
    ("25122025", "DAT002", "day first, without hyphens"),
    ("2025-03-04T25:00:00Z", "DAT002", "hour 25"),
    ("2025-03-04T24:00:01Z", "DAT002", "after the end of the day"),
    ("2025-03-04T24:00:00.1Z", "DAT002", "the same by a fraction"),
    ("2025-03-04T10:60:00Z", "DAT002", "minute 60"),
    ("2025-03-04T10:00:61Z", "DAT002", "second 61"),
    ("2025-02-30 10:00:00", "DAT002", "what takes the value goes before what was repaired"),
    ("2025-03-04T13:00 PM", "DAT002", "13 in the afternoon"),
    ("2025-366", "DAT002", "ordinal of a leap year"),
    ("2025-000", "DAT002", "ordinal 0"),
    ("2021-W53-1", "DAT002", "week of another year"),
    ("2025-W03-8", "DAT002", "eighth day of the week"),
    ("2025-W03", "DAT022", "a week is no instant"),
    ("2025W03", "DAT022", "the same, basic"),
    ("2025-03-04T10:00:00+15:00", "DAT021", "offset beyond 14 hours"),
    ("2025-03-04T10:00:00+14:01", "DAT021", "by a minute"),
    ("2025-03-04T10:00:00+01:60", "DAT021", "minutes of an offset"),
    ("2025-03-04+15:00", "DAT021", "on a date"),
    ("12025-01-01", "DAT018", "five digits"),
    ("-2005-01-01", "DAT018", "negative"),
    ("+2005-01-01", "DAT018", "sign"),
    ("9999-12-31T24:00:00Z", "DAT018", "ends in a year of five digits"),
    ("01/02/2025", "DAT009", "January or February"),
    ("25/12/2025", "DAT009", "regional, not read"),
    ("25.12.2025", "DAT009", "the same with points"),
    ("25-12-2025 10:00", "DAT009", "the same with hyphens and a time"),
    ("1/2/25", "DAT009", "three short numbers"),
    ("15 Jan 08", "DAT009", "1908, 2008 or 2015"),
    ("Wed, 01 Jan 25 10:00:00 GMT", "DAT009", "short year outside mail"),
    ("Wed Jan 01 10:00:00 CST 2025", "DAT009", "a zone of several countries"),
    ("2025-03-04 10:00:00 CET", "DAT009", "the same behind digits"),
    ("30 Feb 2025", "DAT002", "no such day, by name"),
    ("yesterday", "DAT001", "word"),
    ("YYYY-MM-DD", "DAT001", "pattern"),
    ("{{ post.date | date: \"%Y-%m-%d\" }}", "DAT001", "template"),
    ("null", "DAT001", "nothing, as text"),
    ("2025-01-", "DAT001", "cut"),
    ("2025-", "DAT001", "cut"),
    ("2025-01-01T", "DAT001", "cut"),
    ("2025-01-01T10", "DAT001", "hour alone"),
    ("2025-01-01T10:", "DAT001", "cut"),
    ("2025-01-01T10:00:", "DAT001", "cut"),
    ("2025-01-01T10:00:00.Z", "DAT001", "point without digits"),
    ("2025-01-01T10:00.5Z", "DAT001", "fraction of a minute"),
    ("2025-01-01T10:00:00+01:0", "DAT001", "cut offset"),
    ("2025-01-01T10:00:00 01:00", "DAT001", "an offset that lost its sign"),
    ("2025-01-01T10:00:00+01:00Z", "DAT001", "two zones that differ"),
    ("2025-01-01T10:00:00ZZ", "DAT001", "two zones"),
    ("2025-01-01T10:00:00Z+01:00", "DAT001", "two zones"),
    ("2025-01-01-05", "DAT001", "zone or fourth part"),
    ("2025-01/05", "DAT001", "two separators"),
    ("2025-1-1-1", "DAT001", "four parts"),
    ("2025-0101", "DAT001", "half basic date"),
    ("202501", "DAT001", "six digits"),
    ("12345", "DAT001", "five digits"),
    ("2025-01-01junk", "DAT001", "junk"),
    ("２０２５-01-01", "DAT001", "digits of another script"),
    (" 2025-01-01", "DAT001", "white space is the caller's"),
];

#[test]
fn losses() {
    for (text, expected, why) in LOST {
        let reading = w3c(text.as_bytes());
        assert_eq!((reading.date, code(reading).as_str()), (None, *expected), "{text:?}: {why}");
        assert!(!valid_text(text.as_bytes()), "{text}");
    }
}

#[test]
fn mail_dates_in_feeds() {
    let table: &[Row] = &[
        ("Wed, 01 Jan 2025 10:00:00 GMT", "2025-01-01T10:00:00Z", "seconds Z", "", "plain"),
        ("Wed, 1 Jan 2025 10:00:00 +0100", "2025-01-01T09:00:00Z", "seconds+01:00", "", "one digit of a day"),
        ("1 Jan 2025 10:00 UT", "2025-01-01T10:00:00Z", "minutes Z", "", "no weekday, no seconds"),
        ("Wed,01 Jan 25 10:00:00 -0000", "2025-01-01T10:00:00Z", "seconds -00:00", "", "two digits of a year"),
        ("01 Jan 99 10:00:00 Z", "1999-01-01T10:00:00Z", "seconds Z", "", "the century before"),
        ("01 Jan 100 10:00:00 Z", "2000-01-01T10:00:00Z", "seconds Z", "", "three digits of a year"),
        ("wed, 01 JAN 2025 10:00:00 edt", "2025-01-01T14:00:00Z", "seconds -04:00", "", "case, obsolete zone"),
        ("Wed, 01 Jan 2025 10:00:00 PST (winter)", "2025-01-01T18:00:00Z", "seconds -08:00", "", "comment"),
        ("Mon, 01 Jan 0001 00:00:00 +0000", "0001-01-01T00:00:00Z", "seconds+00:00", "", "judged elsewhere"),
        ("Sat, 31 Dec 2016 23:59:60 GMT", "2017-01-01T00:00:00Z", "seconds Z", "DAT017", "leap second"),
        ("Thu, 01 Jan 2025 10:00:00 GMT", "2025-01-01T10:00:00Z", "seconds Z", "FED004", "was a Wednesday"),
        ("Wed, 01 Jan 2025 10:00:00 UTC", "2025-01-01T10:00:00Z", "seconds Z", "FED004", "not a name of the RFC"),
        ("Wed, 01 Jan 2025 10:00:00 CET", "2025-01-01T10:00:00Z", "seconds -00:00", "FED004", "unknown: UTC"),
        ("Wed, 01 Jan 2025 10:00:00 A", "2025-01-01T10:00:00Z", "seconds -00:00", "FED004", "military: UTC"),
        ("Wed, 01 Jan 2025 10:00:00 +01:00", "2025-01-01T09:00:00Z", "seconds+01:00", "FED004", "colon"),
        ("Wed, 01 Jan 2025 10:00:00", "2025-01-01T10:00:00Z", "seconds", "FED004", "no zone"),
        ("Wed, 01 Jan 2025", "2025-01-01T00:00:00Z", "date", "FED004", "no time"),
        ("Wednesday, 01 January 2025 10:00:00 GMT", "2025-01-01T10:00:00Z", "seconds Z", "FED004", "long names"),
        ("2025-01-01T10:00:00Z", "2025-01-01T10:00:00Z", "seconds Z", "FED004", "Atom's form"),
        ("2025-01-01", "2025-01-01T00:00:00Z", "date", "FED004", "sitemap's form"),
        ("Sun, 30 Feb 2025 10:00:00 GMT", "", "", "DAT002", "no such day"),
        ("Wed, 01 Jan 2025 25:00:00 GMT", "", "", "DAT002", "no such hour"),
        ("Wed, 01 Jan 2025 10:00:00 +1500", "", "", "DAT021", "offset"),
        ("Wed, 01 Jan 0000 10:00:00 GMT", "", "", "DAT014", "year 0"),
        ("01/02/2025", "", "", "FED004", "regional"),
        ("", "", "", "STR020", "empty"),
        ("soon", "", "", "FED004", "word"),
    ];
    check(feed, table);
}

#[test]
fn atom_dates() {
    let table: &[Row] = &[
        ("2025-01-01T10:00:00Z", "2025-01-01T10:00:00Z", "seconds Z", "", "plain"),
        ("2025-01-01T10:00:00.25-05:00", "2025-01-01T15:00:00.25Z", "seconds.2 -05:00", "", "fraction, offset"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z", "seconds Z", "DAT017", "allowed, but not kept as it is"),
        ("2025-01-01T10:00:00.1234567Z", "2025-01-01T10:00:00.123456Z", "seconds.7 Z", "DAT019", "lost digit"),
        ("2025-01-01T10:00Z", "2025-01-01T10:00:00Z", "minutes Z", "FED005", "no seconds"),
        ("2025-01-01T10:00:00", "2025-01-01T10:00:00Z", "seconds", "FED005", "no zone"),
        ("2025-01-01", "2025-01-01T00:00:00Z", "date", "FED005", "no time"),
        ("2025-01-01t10:00:00z", "2025-01-01T10:00:00Z", "seconds Z", "FED005", "lower case"),
        ("2025-01-01T24:00:00Z", "2025-01-02T00:00:00Z", "seconds Z", "FED005", "hour 24"),
        ("Wed, 01 Jan 2025 10:00:00 GMT", "2025-01-01T10:00:00Z", "seconds Z", "FED005", "RSS's form"),
        ("1 Jan 2025", "2025-01-01T00:00:00Z", "date", "FED005", "words"),
        ("2025-02-30T10:00:00Z", "", "", "DAT002", "no such day"),
        ("", "", "", "STR020", "empty"),
        ("soon", "", "", "FED005", "word"),
    ];
    check(atom, table);
}

fn written(micros: i64, form: Form) -> Option<String> {
    let mut out = Vec::new();
    let wrote = format(micros, form, &mut out);
    assert_eq!(wrote, !out.is_empty());
    wrote.then(|| String::from_utf8(out).unwrap())
}

#[test]
fn finer_forms_where_the_form_cannot_carry_the_instant() {
    const DAY: i64 = 86_400_000_000;
    for (micros, form, expected, why) in [
        (0, "year", Some("1970"), "new year"),
        (31 * DAY, "year", Some("1970-02"), "first of a month"),
        (32 * DAY, "year", Some("1970-02-02"), "another day"),
        (32 * DAY, "year-month", Some("1970-02-02"), "another day"),
        (3_600_000_000, "year", Some("1970-01-01T01:00:00Z"), "a date alone is UTC"),
        (3_600_000_000, "date", Some("1970-01-01T01:00:00Z"), "the same"),
        (0, "date+02:00", Some("1970-01-01T02:00:00+02:00"), "not midnight there"),
        (-7_200_000_000, "date+02:00", Some("1970-01-01+02:00"), "midnight there"),
        (1_000_000, "minutes Z", Some("1970-01-01T00:00:01Z"), "seconds needed"),
        (60_000_000, "minutes Z", Some("1970-01-01T00:01Z"), "minutes suffice"),
        (0, "minutes", Some("1970-01-01T00:00:00"), "no standard has minutes without zone"),
        (1, "seconds", Some("1970-01-01T00:00:00.000001"), "a microsecond"),
        (120_000, "seconds.1 Z", Some("1970-01-01T00:00:00.12Z"), "one digit more"),
        (100_000, "seconds.3 Z", Some("1970-01-01T00:00:00.100Z"), "no digit less"),
        (1, "seconds.9 Z", Some("1970-01-01T00:00:00.000001000Z"), "nine digits"),
        (-1, "seconds Z", Some("1969-12-31T23:59:59.999999Z"), "before 1970"),
        (i64::MAX, "seconds Z", None, "year 294247"),
        (i64::MIN, "seconds+01:00", None, "year -290308"),
        (i64::MAX, "seconds+01:00", None, "beyond 64 bits"),
    ] {
        assert_eq!(written(micros, Form::parse(form).unwrap()).as_deref(), expected, "{micros} {form}: {why}");
    }
    let odd = Form { precision: Precision::Year, zone: Zone::Offset(120) };
    assert_eq!(written(-7_200_000_000, odd).as_deref(), Some("1970-01-01+02:00"), "a year has no zone, a day has");
    let far = Form { precision: Precision::Day, zone: Zone::Offset(i16::MAX) };
    assert_eq!(written(0, far), None, "no such offset");
}

fn forms() -> impl Strategy<Value = Form> {
    let zones =
        prop_oneof![Just(Zone::None), Just(Zone::Z), Just(Zone::MinusZero), (-840i16..=840).prop_map(Zone::Offset),];
    (0u8..=13, zones).prop_map(|(precision, zone)| match precision {
        0 => Form { precision: Precision::Year, zone: Zone::None },
        1 => Form { precision: Precision::Month, zone: Zone::None },
        2 => Form { precision: Precision::Day, zone },
        3 if zone == Zone::None => Form { precision: Precision::Second(0), zone },
        3 => Form { precision: Precision::Minute, zone },
        digits => Form { precision: Precision::Second(digits - 4), zone },
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Every legal text of years 0001 to 9999 comes back as it was.
    #[test]
    fn read_then_write(
        (year, month, day) in (1u32..=9999, 1u32..=12, 1u32..=28),
        (hour, minute, second) in (0u32..24, 0u32..60, 0u32..60),
        micros in 0u32..1_000_000,
        form in forms(),
    ) {
        use std::fmt::Write as _;
        let mut text = format!("{year:04}");
        if form.precision != Precision::Year {
            write!(text, "-{month:02}").unwrap();
        }
        if !matches!(form.precision, Precision::Year | Precision::Month) {
            write!(text, "-{day:02}").unwrap();
        }
        if matches!(form.precision, Precision::Minute | Precision::Second(_)) {
            write!(text, "T{hour:02}:{minute:02}").unwrap();
        }
        if let Precision::Second(digits) = form.precision {
            write!(text, ":{second:02}").unwrap();
            if digits > 0 {
                let fraction = format!("{micros:06}000");
                write!(text, ".{}", &fraction[..usize::from(digits)]).unwrap();
            }
        }
        match form.zone {
            Zone::None => {}
            Zone::Z => text.push('Z'),
            Zone::MinusZero => text.push_str("-00:00"),
            Zone::Offset(m) => {
                let sign = if m < 0 { '-' } else { '+' };
                write!(text, "{sign}{:02}:{:02}", m.abs() / 60, m.abs() % 60).unwrap();
            }
        }
        prop_assert!(valid_text(text.as_bytes()));
        let date = w3c(text.as_bytes()).date.unwrap();
        prop_assert_eq!(date.form, form);
        prop_assert_eq!(written(date.micros, date.form), Some(text));
    }

    /// No instant is lost, whatever the form: what is written reads back equal.
    #[test]
    fn write_then_read(micros in -62_135_500_000_000_000i64..253_402_200_000_000_000, form in forms(), coarse in 0u32..4) {
        let unit = [1, 1_000, 60_000_000, 86_400_000_000][coarse as usize];
        let micros = micros / unit * unit;
        let text = written(micros, form).unwrap();
        prop_assert!(valid_text(text.as_bytes()), "{}", text);
        prop_assert_eq!(w3c(text.as_bytes()).date.unwrap().micros, micros);
    }

    /// A value, a fault or both; a value can always be written again and is then legal.
    #[test]
    fn any_text_gives_a_date_or_a_reason(
        text in "\\PC{0,30}|[0-9TtZz:., +/W-]{0,30}|[0-9]{1,4}-[0-9]{1,2}-[0-9]{1,2}[T ]?[0-9:]{0,8}[.,0-9]{0,9}[Z+ -]{0,2}[0-9:]{0,5}\
                |(Wed|Mon)?,? ?[0-9]{1,2} ?(Jan|May|February) [0-9]{0,4} [0-9:]{0,8} ?(GMT|CST|[+-][0-9:]{0,5})?",
    ) {
        for read in [w3c, feed, atom] {
            let reading = read(text.as_bytes());
            match reading.date {
                None => prop_assert!(reading.code.is_some()),
                Some(date) => {
                    let again = written(date.micros, date.form).unwrap();
                    prop_assert!(valid_text(again.as_bytes()), "{}", again);
                    let second = w3c(again.as_bytes()).date.unwrap();
                    prop_assert_eq!(second.micros, date.micros);
                    prop_assert_eq!(second.form, date.form);
                }
            }
        }
        // What is not reported is legal as it stands.
        let reading = w3c(text.as_bytes());
        prop_assert_eq!(reading.code.is_none(), valid_text(text.as_bytes()) && !matches!(
            reading.code,
            Some(Code::DAT003 | Code::DAT015 | Code::DAT016 | Code::DAT019)
        ));
    }

    #[test]
    fn any_bytes_are_harmless(text in prop::collection::vec(any::<u8>(), 0..40)) {
        for read in [w3c, feed, atom] {
            let reading = read(&text);
            prop_assert!(reading.date.is_some() || reading.code.is_some());
        }
    }
}

/// Nanoseconds a call; run alone with `--release --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
#[allow(clippy::cast_precision_loss)]
fn measure() {
    for text in [
        "2025-12-21",
        "2025-05-29T05:23:08Z",
        "2024-12-04T16:00:16+02:00",
        "2024-02-13T09:36:39.402Z",
        "2021-2-18T01:01:01+01:00",
    ] {
        let rounds = 4_000_000;
        let start = std::time::Instant::now();
        let mut sum = 0i64;
        for _ in 0..rounds {
            sum = sum.wrapping_add(w3c(std::hint::black_box(text.as_bytes())).date.map_or(0, |d| d.micros));
        }
        std::hint::black_box(sum);
        let read = start.elapsed().as_nanos() as f64 / f64::from(rounds);
        let date = w3c(text.as_bytes()).date.unwrap();
        let mut out = Vec::with_capacity(64);
        let start = std::time::Instant::now();
        for _ in 0..rounds {
            out.clear();
            format(std::hint::black_box(date.micros), std::hint::black_box(date.form), &mut out);
        }
        let write = start.elapsed().as_nanos() as f64 / f64::from(rounds);
        println!("{text:28} read {read:5.1} ns, written {write:5.1} ns");
    }
}
