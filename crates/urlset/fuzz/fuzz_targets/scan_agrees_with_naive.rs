//! The tokens of any bytes, in any chunks, are those of the slow and plain tokenizer.

#![no_main]

#[allow(dead_code)] // the tests take the rest
#[path = "../../tests/naive/mod.rs"]
mod naive;

use libfuzzer_sys::fuzz_target;
use naive::{Gathered, tokens};
use urlset::scan::Scanner;

/// The smallest limit that the scanner takes.
const MAX: usize = 4_096;

fuzz_target!(|input: (u8, &[u8])| {
    let (size, document) = input;
    let mut scanner = Scanner::new(MAX);
    let mut found = Gathered::default();
    for chunk in document.chunks(usize::from(size).max(1)) {
        scanner.feed(chunk, &mut found);
    }
    scanner.finish(&mut found);
    assert_eq!(scanner.offset(), document.len() as u64, "every byte is used");
    assert_eq!(found.0, tokens(document, MAX));
});
