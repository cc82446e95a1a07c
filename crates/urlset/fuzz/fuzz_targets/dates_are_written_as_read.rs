//! A date that was read can be written, and reads as the same date again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlset::value::date::{atom, feed, format, valid_text, w3c};

fuzz_target!(|text: &[u8]| {
    for read in [w3c(text), feed(text), atom(text)] {
        let Some(date) = read.date else {
            assert!(read.code.is_some(), "no date and no reason");
            continue;
        };
        let mut written = Vec::new();
        if format(date.micros, date.form, &mut written) {
            let again = w3c(&written).date.expect("what is written is a date");
            assert_eq!((again.micros, again.form), (date.micros, date.form), "{}", written.escape_ascii());
            assert!(valid_text(&written), "{}", written.escape_ascii());
        }
    }
});
