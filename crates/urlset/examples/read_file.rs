//! Reads a file over and over, for profilers and counters of instructions. Prints what it read, decides nothing.
//!
//! `cargo run --release -p urlset --example read_file FILE [TIMES]`

use std::time::Instant;

use arrow_array::RecordBatch;
use urlset::read::{Options, Reader};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("read_file FILE [TIMES]");
    let times: usize = arguments.next().map_or(1, |n| n.parse().expect("TIMES is a number"));
    let bytes = std::fs::read(&path).expect("FILE can be read");
    let mut took = Vec::with_capacity(times);
    let mut told = (0, 0);
    for _ in 0..times {
        let start = Instant::now();
        told = read(&bytes);
        took.push(start.elapsed());
    }
    took.sort();
    println!("{} rows, {} findings, {:?}", told.0, told.1, took[took.len() / 2]);
}

/// Rows and findings of a file, its batches dropped as they come.
#[inline(never)]
fn read(bytes: &[u8]) -> (usize, usize) {
    let mut reader = Reader::new(Options::default()).expect("the options are good");
    let (mut rows, mut findings) = (0, 0);
    for chunk in bytes.chunks(1 << 20) {
        reader.feed(chunk).expect("reading does not fail");
        rows += reader.take_batches().iter().map(RecordBatch::num_rows).sum::<usize>();
        findings += reader.take_faults().len();
    }
    reader.finish(false).expect("reading does not fail");
    rows += reader.take_batches().iter().map(RecordBatch::num_rows).sum::<usize>();
    (rows, findings + reader.take_faults().len())
}
