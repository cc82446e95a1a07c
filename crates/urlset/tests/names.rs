//! Names that were seen before are known by where they are kept: however many there are, none is taken for another.

use std::fmt::Write as _;

use arrow_array::Array;
use urlset::read::{Options, Reader};

/// Enough that each place of a name is taken several times over.
const NAMES: usize = 3_000;

/// `aaa`, `aab` and so on.
fn name(n: usize) -> String {
    [2, 1, 0].map(|place| char::from(b'a' + (n / 26_usize.pow(place) % 26) as u8)).into_iter().collect()
}

/// For each row whether it has a date.
fn dated(text: &str) -> Vec<bool> {
    let mut reader = Reader::new(Options::default()).expect("the options are good");
    reader.feed(text.as_bytes()).expect("reading does not fail");
    reader.finish(false).expect("reading does not fail");
    let batches = reader.take_batches();
    let dates = batches.iter().map(|batch| batch.column_by_name("lastmod").expect("a column of the table"));
    dates.flat_map(|dates| (0..dates.len()).map(|row| dates.is_valid(row)).collect::<Vec<_>>()).collect()
}

#[test]
fn an_attribute_never_takes_the_meaning_of_its_element() {
    let mut text = String::from("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">");
    // First all places are taken; then each name is that of an attribute, and of an element that means nothing.
    for n in NAMES..2 * NAMES {
        let _ = write!(text, "<{}/>", name(n));
    }
    for n in 0..NAMES {
        let name = name(n);
        let _ = write!(text, "<url><loc>https://a.example/{n}</loc><lastmod {name}=\"1\">2024-05-17</lastmod></url>");
        let _ = write!(text, "<url><loc>https://a.example/{n}</loc><{name}>2024-05-17</{name}></url>");
    }
    text.push_str("</urlset>");
    let dated = dated(&text);
    assert_eq!(dated.len(), 2 * NAMES);
    let wrong: Vec<_> = (0..NAMES).filter(|n| dated[2 * n..2 * n + 2] != [true, false]).map(name).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
