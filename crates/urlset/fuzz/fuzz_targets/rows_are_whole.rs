//! Whatever stands in a sitemap, its rows are absolute addresses, and its faults lie in the file.

#![no_main]

#[allow(dead_code)] // the tests take the rest
#[path = "../../tests/reading/mod.rs"]
mod reading;

use libfuzzer_sys::fuzz_target;
use urlset::value::url;

const HEAD: &[u8] = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>\
    <url><loc>https://a.example/first</loc></url>";
const TAIL: &[u8] = b"<url><loc>https://a.example/last</loc></url></urlset>";

fuzz_target!(|body: &[u8]| {
    let file = [HEAD, body, TAIL].concat();
    let read = reading::read(&file);
    for loc in &read.locs {
        assert_eq!(url::absolute(loc.as_bytes()), Ok(()), "{loc}");
    }
    for fault in &read.faults {
        let (start, end) = (fault.offset.unwrap_or(0), fault.end.unwrap_or(0));
        assert!(start <= end && end <= file.len() as u64, "{fault:?}");
        assert!(fault.line.is_none_or(|line| line > 0) && fault.column.is_none_or(|column| column > 0), "{fault:?}");
    }
    // A file without a fault is read to its end, first and last row among them.
    if read.faults.is_empty() && read.complete && !body.windows(4).any(|w| w == b"<!--" || w == b"<![C") {
        assert_eq!(read.locs.first().map(String::as_str), Some("https://a.example/first"));
        assert_eq!(read.locs.last().map(String::as_str), Some("https://a.example/last"));
    }
});
