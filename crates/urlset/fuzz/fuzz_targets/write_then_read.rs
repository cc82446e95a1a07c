//! Rows that are written come back: each that was not refused, in order, without a fault.

#![no_main]

#[allow(dead_code)] // the tests take the rest
#[path = "../../tests/reading/mod.rs"]
mod reading;

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use libfuzzer_sys::fuzz_target;
use urlset::write::{OnError, Options, Writer};

fuzz_target!(|rows: Vec<(String, Option<String>, Option<f64>)>| {
    let locs: ArrayRef = Arc::new(StringArray::from_iter_values(rows.iter().map(|row| format!("https://a.example/{}", row.0))));
    let dates: ArrayRef = Arc::new(StringArray::from_iter(rows.iter().map(|row| row.1.as_deref())));
    let numbers: ArrayRef = Arc::new(Float64Array::from_iter(rows.iter().map(|row| row.2)));
    let columns = [("loc", locs, true), ("lastmod", dates, true), ("priority", numbers, true)];
    let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("columns of one length");
    let mut options = Options::new("https://a.example/");
    (options.gzip, options.on_error, options.allow_empty) = (false, OnError::Skip, true);
    let mut writer = Writer::new(&batch.schema(), options).expect("the columns are known");
    let mut shards = writer.push(&batch).expect("rows are refused, not the table");
    shards.extend(writer.finish().expect("the end is no error"));
    let written: u64 = shards.iter().map(|shard| shard.rows).sum();
    let mut read = 0;
    for shard in &shards {
        let found = reading::read(&shard.data);
        assert!(found.complete);
        read += found.rows.len() as u64;
        // Only what a checker would say of an address that may be written.
        let broken = found.faults.iter().find(|fault| !fault.code.rule().code.starts_with("URL"));
        assert!(broken.is_none(), "{broken:?}\n{}", String::from_utf8_lossy(&shard.data));
    }
    assert_eq!(read, written);
});
