//! Every row of a text list is a line of it.

#![no_main]

#[allow(dead_code)] // the tests take the rest
#[path = "../../tests/reading/mod.rs"]
mod reading;

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &str| {
    let file = format!("https://a.example/first\n{body}");
    let read = reading::read(file.as_bytes());
    if read.kind != Some(urlset::read::Kind::Text) {
        return;
    }
    let lines: HashSet<&str> = file.split(['\n', '\r']).map(|line| line.trim_matches([' ', '\t'])).collect();
    for loc in &read.locs {
        assert!(lines.contains(loc.as_str()), "{loc:?} is no line");
    }
});
