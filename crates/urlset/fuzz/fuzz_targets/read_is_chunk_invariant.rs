//! Rows, faults, kind and completeness of any file do not depend on how its bytes were cut.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlset_fuzz::{bounded, front, reading};

fuzz_target!(|input: &[u8]| {
    let ([choice, first, second], file) = front(input);
    let options = bounded(choice);
    let mut whole = reading::read_with(file, &[usize::MAX], options.clone());
    let sizes = [usize::from(first).max(1), usize::from(second).max(1)];
    let mut cut = reading::read_with(file, &sizes, options);
    if cut != whole && whole.faults.iter().any(|fault| told_by_a_stage(fault.code.rule().code)) {
        // Of the faults of a chunk those of its bytes are told before those of its markup: the order is not the same, all else is.
        for read in [&mut cut, &mut whole] {
            read.faults.sort_by_cached_key(|fault| format!("{fault:?}"));
        }
    }
    assert_eq!(cut, whole);
});

/// Codes of gzip, of its bound and of encodings.
fn told_by_a_stage(code: &str) -> bool {
    code.starts_with("GZP")
        || ["SIZ013", "XML006", "XML007", "XML008", "XML010", "TXT001", "ROB009", "GEN003"].contains(&code)
}
