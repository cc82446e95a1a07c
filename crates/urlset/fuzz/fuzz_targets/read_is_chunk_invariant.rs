//! Rows, faults, kind and completeness of any file do not depend on how its bytes were cut.

#![no_main]

#[allow(dead_code)] // the tests take the rest
#[path = "../../tests/reading/mod.rs"]
mod reading;

use libfuzzer_sys::fuzz_target;
use urlset::read::Options;

fuzz_target!(|input: (u8, u8, &[u8])| {
    let (first, second, file) = input;
    let whole = reading::read(file);
    let sizes = [usize::from(first).max(1), usize::from(second).max(1)];
    assert_eq!(reading::read_with(file, &sizes, Options::default()), whole);
});
