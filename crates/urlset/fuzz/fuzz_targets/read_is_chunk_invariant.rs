//! Rows, faults, kind and completeness of any file do not depend on how its bytes were cut.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlset_fuzz::{assert_same, bounded, front, reading};

fuzz_target!(|input: &[u8]| {
    let ([choice, first, second], file) = front(input);
    let options = bounded(choice);
    let sizes = [usize::from(first).max(1), usize::from(second).max(1)];
    let whole = reading::read_with(file, &[usize::MAX], options.clone());
    assert_same(reading::read_with(file, &sizes, options), whole);
});
