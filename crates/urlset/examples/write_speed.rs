//! Measures the writer: rows to XML and to gzip, beside the cost of compression alone. Makes its rows from a fixed seed.
//!
//! `cargo run --release -p urlset --example write_speed [rows] [links] [odd] [plain]`: a million rows of four columns,
//! or with `links` rows of five alternates and two images; with `odd` two addresses of three are to be encoded or hold
//! escapes, and images have titles; `plain` leaves compression out.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::builder::{ListBuilder, StringBuilder, StructBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_schema::{DataType, Field, Fields};
use urlset::write::{Options, Shard, Writer};

/// Rows of a batch.
const BATCH: usize = 8_192;
/// Times each thing is done.
const REPEATS: usize = 5;

/// Seconds that this thread was on a processor where the system tells them, else seconds that have passed.
fn clock(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns: f64| ns / 1e9)
}

struct Seed(u64);

impl Seed {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

fn make(seed: &mut Seed, first: usize, count: usize, links: bool, odd: bool) -> Result<RecordBatch, Box<dyn Error>> {
    let frequencies = ["daily", "weekly", "monthly", "yearly"];
    let mut locs = Vec::with_capacity(count);
    let (mut dates, mut often, mut priority) = (Vec::new(), Vec::new(), Vec::new());
    for row in first..first + count {
        let mut loc =
            format!("https://shop.example/category-{}/product-{row}-{:08x}", seed.next(200), seed.next(1 << 32));
        if odd {
            loc.push_str(["", "/gr%C3%B6%C3%9Fe", "/größe"][seed.next(3) as usize]);
        }
        if seed.next(5) == 0 {
            write!(loc, "?color={}&size={}", seed.next(10), seed.next(50))?;
        }
        locs.push(loc);
        dates.push((1_700_000_000 + seed.next(31_536_000) as i64) * 1_000_000);
        often.push(frequencies[seed.next(4) as usize]);
        priority.push(f64::from(seed.next(11) as u32) / 10.0);
    }
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        ("loc", Arc::new(StringArray::from(locs))),
        ("lastmod", Arc::new(TimestampMicrosecondArray::from(dates).with_timezone("UTC"))),
        ("changefreq", Arc::new(often.into_iter().collect::<DictionaryArray<Int32Type>>())),
        ("priority", Arc::new(Float64Array::from(priority))),
    ];
    if links {
        let text = |name| Field::new(name, DataType::Utf8, true);
        let fields = Fields::from(vec![text("hreflang"), text("href")]);
        let mut alternates = ListBuilder::new(StructBuilder::from_fields(fields, count * 5));
        let mut images =
            ListBuilder::new(StructBuilder::from_fields(Fields::from(vec![text("loc"), text("title")]), count * 2));
        for row in first..first + count {
            for language in ["de", "en-GB", "fr", "es-MX", "x-default"] {
                let link = alternates.values();
                link.field_builder::<StringBuilder>(0).ok_or("a string")?.append_value(language);
                let href = format!("https://shop.example/{language}/product-{row}?a=1&b=2");
                link.field_builder::<StringBuilder>(1).ok_or("a string")?.append_value(href);
                link.append(true);
            }
            alternates.append(true);
            for at in 0..2 {
                let image = images.values();
                let loc = format!("https://cdn.example/images/{row}/{at}.jpg");
                image.field_builder::<StringBuilder>(0).ok_or("a string")?.append_value(loc);
                let title = odd.then(|| format!("Küche & Bad – Größe {at}, Artikel {row}"));
                image.field_builder::<StringBuilder>(1).ok_or("a string")?.append_option(title);
                image.append(true);
            }
            images.append(true);
        }
        columns.push(("alternates", Arc::new(alternates.finish())));
        columns.push(("images", Arc::new(images.finish())));
    }
    Ok(RecordBatch::try_from_iter(columns)?)
}

/// Time with several threads is what has passed.
fn seconds(batches: &[RecordBatch], change: impl Fn(&mut Options)) -> Result<(f64, u64, usize), Box<dyn Error>> {
    let mut times = Vec::new();
    let (mut bytes, mut files) = (0, 0);
    for _ in 0..REPEATS {
        let mut options = Options::new("https://shop.example/");
        options.gzip = false;
        change(&mut options);
        let threads = options.threads;
        let start = Instant::now();
        let before = clock(start);
        let mut writer = Writer::new(&batches[0].schema(), options)?;
        (bytes, files) = (0, 0);
        let take = |shard: Shard| {
            bytes += shard.data.len() as u64;
            files += 1;
            Ok::<_, urlset::error::Error>(())
        };
        writer.run(batches.iter().map(|b| Ok(b.clone())), take)?;
        times.push(if threads == 1 { clock(start) - before } else { start.elapsed().as_secs_f64() });
    }
    times.sort_by(f64::total_cmp);
    Ok((times[times.len() / 2], bytes, files))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rows: u32 = arguments.first().and_then(|a| a.parse().ok()).unwrap_or(1_000_000);
    let count = rows as usize;
    let has = |name: &str| arguments.iter().any(|a| a == name);
    let (links, odd) = (has("links"), has("odd"));
    let mut seed = Seed(0x5EED);
    let batches = (0..count)
        .step_by(BATCH)
        .map(|at| make(&mut seed, at, BATCH.min(count - at), links, odd))
        .collect::<Result<Vec<_>, _>>()?;
    let show = |what: &str, (seconds, bytes, files): (f64, u64, usize)| {
        println!(
            "{what:24} {seconds:7.3} s {:7.1} ns/row {bytes:12} bytes {files:5} files",
            seconds * 1e9 / f64::from(rows)
        );
    };
    show("xml", seconds(&batches, |_| {})?);
    if has("plain") {
        return Ok(());
    }
    for level in [1, 6] {
        for threads in [1, 2] {
            let packed = seconds(&batches, |o| {
                o.gzip = true;
                o.level = level;
                o.threads = threads;
            })?;
            show(&format!("gzip {level}, {threads} thread(s)"), packed);
        }
        // What compression alone takes.
        let mut options = Options::new("https://shop.example/");
        options.gzip = false;
        let mut writer = Writer::new(&batches[0].schema(), options)?;
        let mut shards = Vec::new();
        for batch in &batches {
            shards.extend(writer.push(batch)?);
        }
        shards.extend(writer.finish()?);
        let mut compressor =
            libdeflater::Compressor::new(libdeflater::CompressionLvl::new(level.into()).map_err(|_| "a level")?);
        let mut out = vec![0; 64 << 20];
        let mut bytes = 0;
        let mut times = Vec::new();
        for _ in 0..REPEATS {
            let start = Instant::now();
            let before = clock(start);
            bytes = 0;
            for shard in &shards {
                bytes += compressor.gzip_compress(&shard.data, &mut out)? as u64;
            }
            times.push(clock(start) - before);
        }
        times.sort_by(f64::total_cmp);
        show(&format!("gzip {level} alone"), (times[REPEATS / 2], bytes, shards.len()));
    }
    Ok(())
}
