//! Whatever stands in a sitemap, its rows are absolute addresses, and its faults lie in the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlset::read::Relative;
use urlset::value::url;
use urlset_fuzz::{front, options, reading};

const HEAD: &[u8] = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' \
    xmlns:video='http://www.google.com/schemas/sitemap-video/1.1' xmlns:news='http://www.google.com/schemas/sitemap-news/0.9' \
    xmlns:xhtml='http://www.w3.org/1999/xhtml'>\
    <url><loc>https://a.example/first</loc></url>";
const TAIL: &[u8] = b"<url><loc>https://a.example/last</loc></url></urlset>";

fuzz_target!(|input: &[u8]| {
    let ([choice], body) = front(input);
    let file = [HEAD, body, TAIL].concat();
    let options = options(choice);
    let (keeps, first) = (options.relative == Relative::Keep, options.columns.as_ref().is_none_or(|c| c[0] == "loc"));
    let read = reading::read_with(&file, &[usize::MAX], options);
    for loc in read.locs.iter().filter(|_| first && !keeps) {
        assert_eq!(url::absolute(loc.as_bytes()), Ok(()), "{loc}");
    }
    for fault in &read.faults {
        let (start, end) = (fault.offset.unwrap_or(0), fault.end.unwrap_or(0));
        assert!(start <= end && end <= file.len() as u64, "{fault:?}");
        assert!(fault.line.is_none_or(|line| line > 0) && fault.column.is_none_or(|column| column > 0), "{fault:?}");
    }
    // A file without a fault is read to its end, first and last row among them.
    if first && read.faults.is_empty() && read.complete && !body.windows(4).any(|w| w == b"<!--" || w == b"<![C") {
        assert_eq!(read.locs.first().map(String::as_str), Some("https://a.example/first"));
        assert_eq!(read.locs.last().map(String::as_str), Some("https://a.example/last"));
    }
});
