//! The tokens of any bytes, in any chunks, are those of the slow and plain tokenizer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlset::scan::Scanner;
use urlset_fuzz::front;
use urlset_fuzz::naive::{Gathered, tokens};

/// The smallest limit that the scanner takes.
const MAX: usize = 4_096;

fuzz_target!(|input: &[u8]| {
    let ([size], document) = front(input);
    let mut scanner = Scanner::new(MAX);
    let mut found = Gathered::default();
    for chunk in document.chunks(usize::from(size).max(1)) {
        scanner.feed(chunk, &mut found);
    }
    scanner.finish(&mut found);
    assert_eq!(scanner.offset(), document.len() as u64, "every byte is used");
    assert_eq!(found.0, tokens(document, MAX));
});
