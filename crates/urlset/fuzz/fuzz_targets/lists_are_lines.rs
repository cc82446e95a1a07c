//! Every row of a text list is a line of it, or one of several addresses on a line.

#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use urlset_fuzz::{options, reading};

fuzz_target!(|body: &[u8]| {
    let body = String::from_utf8_lossy(body);
    let file = format!("https://a.example/first\n{body}");
    let read = reading::read_with(file.as_bytes(), &[usize::MAX], options(0));
    if read.kind != Some(urlset::read::Kind::Text) {
        return;
    }
    let lines = || file.split(['\n', '\r']).map(|line| line.trim_ascii());
    let places: HashSet<&str> = lines().chain(lines().flat_map(str::split_ascii_whitespace)).collect();
    for loc in &read.locs {
        assert!(places.contains(loc.as_str()), "{loc:?} is no line");
    }
});
