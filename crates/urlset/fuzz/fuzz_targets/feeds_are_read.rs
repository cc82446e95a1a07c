//! Feeds give absolute addresses, in whatever chunks they come.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlset::read::Relative;
use urlset::value::url;
use urlset_fuzz::{assert_same, front, options, reading};

const HEADS: [&[u8]; 4] = [
    b"<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><item>",
    b"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'><item>",
    b"<feed xmlns='http://www.w3.org/2005/Atom'><entry>",
    b"<feed xmlns='http://purl.org/atom/ns#' version='0.3'><entry>",
];

fuzz_target!(|input: &[u8]| {
    let ([kind, choice, size], body) = front(input);
    let file = [HEADS[usize::from(kind) % HEADS.len()], body].concat();
    let options = options(choice);
    let (keeps, first) = (options.relative == Relative::Keep, options.columns.as_ref().is_none_or(|c| c[0] == "loc"));
    let read = reading::read_with(&file, &[usize::MAX], options.clone());
    for loc in read.locs.iter().filter(|_| first && !keeps) {
        assert_eq!(url::absolute(loc.as_bytes()), Ok(()), "{loc}");
    }
    if kind & 0x80 != 0 {
        assert_same(reading::read_with(&file, &[usize::from(size).max(1)], options), read);
    }
});
