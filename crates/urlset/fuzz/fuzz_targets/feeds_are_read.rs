//! Feeds give absolute addresses, in whatever chunks they come.

#![no_main]

#[allow(dead_code)] // the tests take the rest
#[path = "../../tests/reading/mod.rs"]
mod reading;

use libfuzzer_sys::fuzz_target;
use urlset::read::Options;
use urlset::value::url;

const HEADS: [&[u8]; 4] = [
    b"<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel><item>",
    b"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'><item>",
    b"<feed xmlns='http://www.w3.org/2005/Atom'><entry>",
    b"<feed xmlns='http://purl.org/atom/ns#' version='0.3'><entry>",
];

fuzz_target!(|input: (u8, &[u8])| {
    let (kind, body) = input;
    let file = [HEADS[usize::from(kind) % HEADS.len()], body].concat();
    let read = reading::read(&file);
    for loc in &read.locs {
        assert_eq!(url::absolute(loc.as_bytes()), Ok(()), "{loc}");
    }
    assert_eq!(reading::read_with(&file, &[usize::from(kind).max(1)], Options::default()), read);
});
