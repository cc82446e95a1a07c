//! Rows that are written come back: each that was not refused, in order, without a fault.

#![no_main]

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use libfuzzer_sys::fuzz_target;
use urlset::value::url;
use urlset::write::{OnError, Options, Writer};
use urlset_fuzz::{front, options, reading};

/// `loc`, `lastmod`, `changefreq`, `priority`.
const COLUMNS: u8 = 13;
/// Rows at most: more of them say nothing new.
const ROWS: usize = 12;

fuzz_target!(|input: &[u8]| {
    // A row a line, its values behind tabs; a value that is not there is null.
    let ([choice], text) = front(input);
    let text = String::from_utf8_lossy(text);
    let rows: Vec<Vec<&str>> = text.split('\n').take(ROWS).map(|line| line.split('\t').collect()).collect();
    let column = |at: usize| rows.iter().map(move |row| row.get(at).copied());
    let locs: Vec<String> = column(0).map(|loc| format!("https://a.example/{}", loc.unwrap_or_default())).collect();
    let column = |at: usize| Arc::new(StringArray::from_iter(column(at))) as ArrayRef;
    let numbers = rows.iter().map(|row| row.get(2).and_then(|number| number.parse::<f64>().ok()));
    let mut columns: Vec<(&str, ArrayRef, bool)> = vec![("loc", Arc::new(StringArray::from(locs.clone())), true)];
    if choice & 1 != 0 {
        columns.push(("lastmod", column(1), true));
    }
    if choice & 2 != 0 {
        columns.push(("priority", Arc::new(Float64Array::from_iter(numbers)), true));
    }
    if choice & 4 != 0 {
        columns.push(("changefreq", column(3), true));
    }
    let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("columns of one length");
    let mut how = Options::new("https://a.example/");
    (how.gzip, how.on_error, how.allow_empty) = (false, OnError::Skip, true);
    if choice & 8 != 0 {
        how.max_urls = u64::from(choice >> 4) + 1;
    }
    let mut writer = Writer::new(&batch.schema(), how).expect("the columns are known");
    let mut shards = writer.push(&batch).expect("rows are refused, not the table");
    shards.extend(writer.finish().expect("the end is no error"));
    let mut expected = locs.iter().filter_map(|loc| {
        let mut encoded = Vec::new();
        url::encode(loc, &mut encoded).ok().map(|_| encoded)
    });
    for shard in &shards {
        let found = reading::read_with(&shard.data, &[usize::MAX], options(COLUMNS));
        assert!(found.complete);
        assert_eq!(found.rows.len() as u64, shard.rows);
        for loc in &found.locs {
            assert!(expected.any(|written| written == loc.as_bytes()), "{loc:?} was not to come now");
        }
        // Only what a checker would say of an address that may be written, or of a date that the schema allows: one that the note
        // does not, or that has more digits than a column keeps.
        let said = |code: &str| code.starts_with("URL") || ["DAT003", "DAT015", "DAT019"].contains(&code);
        let broken = found.faults.iter().find(|fault| !said(fault.code.rule().code));
        assert!(broken.is_none(), "{broken:?}\n{}", String::from_utf8_lossy(&shard.data));
    }
});
