//! Small workloads from a fixed seed, whose instructions `bench/guard.py` counts. Each checks its result; measures nothing itself.
//!
//! `guard NAME [SCALE] [TIMES]`: only what `work_` functions do is counted. `bench/flames.py` does it on more, and more often, and has one more.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder, StructBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_schema::{DataType, Field, Fields};
use urlset::read::{Options, Reader};
use urlset::write::{self, Writer};

/// A small generator, so that every run works on the same bytes.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

const HEAD: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
const LANGUAGES: [&str; 4] = ["de", "en-GB", "pt-BR", "x-default"];

fn loc(n: usize, dice: &mut Dice) -> String {
    match dice.roll(10) {
        0 | 1 => format!("https://shop.example/catalog/item-{n}?color={}&amp;size={}", dice.roll(90), dice.roll(50)),
        2 => format!("https://shop.example/größe/artikel-{n}-straße"),
        _ => format!("https://shop.example/catalog/section-{}/a-product-with-a-name-{n}.html", dice.roll(200)),
    }
}

fn lastmod(dice: &mut Dice) -> String {
    let (month, day, hour) = (1 + dice.roll(12), 1 + dice.roll(28), dice.roll(24));
    match dice.roll(3) {
        0 => format!("2024-{month:02}-{day:02}"),
        1 => format!("2024-{month:02}-{day:02}T{hour:02}:30:15+02:00"),
        _ => format!("2024-{month:02}-{day:02}T{hour:02}:30:15.123Z"),
    }
}

/// Four tags each.
fn entries(rows: usize) -> String {
    let mut dice = Dice(42);
    let mut out = format!("{HEAD}>\n");
    for n in 0..rows {
        let (loc, lastmod) = (loc(n, &mut dice), lastmod(&mut dice));
        let changefreq = ["daily", "weekly", "monthly"][dice.roll(3) as usize];
        let _ = write!(
            out,
            "  <url>\n    <loc>{loc}</loc>\n    <lastmod>{lastmod}</lastmod>\n    <changefreq>{changefreq}</changefreq>\n    <priority>0.{}</priority>\n  </url>\n",
            dice.roll(10)
        );
    }
    out + "</urlset>\n"
}

/// `loc` and nothing else.
fn addresses(rows: usize) -> String {
    let mut dice = Dice(42);
    let mut out = format!("{HEAD}>\n");
    for n in 0..rows {
        let _ = writeln!(out, "<url><loc>{}</loc></url>", loc(n, &mut dice));
    }
    out + "</urlset>\n"
}

/// Images, a video, news and alternates each.
fn extensions(rows: usize) -> String {
    let mut dice = Dice(42);
    let mut out = format!(
        "{HEAD} xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n"
    );
    for n in 0..rows {
        let _ = write!(out, "<url>\n  <loc>{}</loc>\n  <lastmod>{}</lastmod>\n", loc(n, &mut dice), lastmod(&mut dice));
        for image in 0..2 {
            let _ = writeln!(
                out,
                "  <image:image>\n    <image:loc>https://img.shop.example/{n}/{image}.jpg</image:loc>\n  </image:image>"
            );
        }
        let _ = writeln!(
            out,
            "  <video:video>\n    <video:thumbnail_loc>https://img.shop.example/{n}/t.jpg</video:thumbnail_loc>\n    <video:title>How article {n} works</video:title>\n    <video:description>All about article {n}</video:description>\n    <video:content_loc>https://video.shop.example/{n}.mp4</video:content_loc>\n    <video:duration>{}</video:duration>\n  </video:video>",
            1 + dice.roll(600)
        );
        let _ = writeln!(
            out,
            "  <news:news>\n    <news:publication><news:name>The Shop Times</news:name><news:language>en</news:language></news:publication>\n    <news:publication_date>2024-05-06</news:publication_date>\n    <news:title>Article {n} is here</news:title>\n  </news:news>"
        );
        for language in LANGUAGES {
            let _ = writeln!(
                out,
                "  <xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"https://shop.example/{language}/article-{n}.html\"/>"
            );
        }
        out.push_str("</url>\n");
    }
    out + "</urlset>\n"
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = libdeflater::Compressor::new(libdeflater::CompressionLvl::new(6).expect("six is a level"));
    let mut out = vec![0; packer.gzip_compress_bound(bytes.len())];
    let length = packer.gzip_compress(bytes, &mut out).expect("the bound is enough");
    out.truncate(length);
    out
}

/// Rows to write, with alternates where `links` says so.
fn table(rows: usize, links: bool) -> RecordBatch {
    let mut dice = Dice(42);
    let locs: Vec<String> = (0..rows).map(|n| loc(n, &mut dice).replace("&amp;", "&")).collect();
    let dates: Vec<i64> = (0..rows).map(|_| (1_700_000_000 + dice.roll(31_536_000) as i64) * 1_000_000).collect();
    let often: Vec<&str> = (0..rows).map(|_| ["daily", "weekly", "monthly"][dice.roll(3) as usize]).collect();
    let priority: Vec<f64> = (0..rows).map(|_| dice.roll(11) as f64 / 10.0).collect();
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        ("loc", Arc::new(StringArray::from(locs))),
        ("lastmod", Arc::new(TimestampMicrosecondArray::from(dates).with_timezone("UTC"))),
        ("changefreq", Arc::new(often.into_iter().collect::<DictionaryArray<Int32Type>>())),
        ("priority", Arc::new(Float64Array::from(priority))),
    ];
    if links {
        let text = |name| Field::new(name, DataType::Utf8, true);
        let fields = Fields::from(vec![text("hreflang"), text("href")]);
        let mut alternates = ListBuilder::new(StructBuilder::from_fields(fields, rows * LANGUAGES.len()));
        for row in 0..rows {
            for language in LANGUAGES {
                let link = alternates.values();
                link.field_builder::<StringBuilder>(0).expect("a string").append_value(language);
                let href = format!("https://shop.example/{language}/product-{row}?a=1&b=2");
                link.field_builder::<StringBuilder>(1).expect("a string").append_value(href);
                link.append(true);
            }
            alternates.append(true);
        }
        columns.push(("alternates", Arc::new(alternates.finish())));
    }
    RecordBatch::try_from_iter(columns).expect("columns of one length")
}

#[inline(never)]
fn work_read(file: &[u8], times: usize) -> (usize, usize) {
    let (mut rows, mut faults) = (0, 0);
    for _ in 0..times {
        let mut reader = Reader::new(Options::default()).expect("the options are good");
        for chunk in file.chunks(1 << 16) {
            reader.feed(chunk).expect("reading does not fail");
        }
        reader.finish(false).expect("reading does not fail");
        rows += reader.take_batches().iter().map(RecordBatch::num_rows).sum::<usize>();
        faults += reader.take_faults().len();
    }
    (rows, faults)
}

#[inline(never)]
fn work_write(batch: &RecordBatch, gzip: bool) -> (usize, usize) {
    let mut options = write::Options::new("https://shop.example/");
    options.gzip = gzip;
    let mut writer = Writer::new(&batch.schema(), options).expect("the columns are known");
    let mut shards = writer.push(batch).expect("the rows are good");
    shards.extend(writer.finish().expect("the end is no error"));
    (shards.iter().map(|shard| shard.rows as usize).sum(), 0)
}

/// What a workload works on.
enum Input {
    /// A file, and how often it is read.
    Read(Vec<u8>, usize),
    /// Rows, and whether they are compressed.
    Write(RecordBatch, bool),
}

/// What each workload reads or writes, and the rows that must come of it.
fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().expect("guard NAME [SCALE] [TIMES]");
    let mut number = || arguments.next().map_or(1, |n| n.parse().expect("SCALE and TIMES are numbers"));
    let (scale, times): (usize, usize) = (number(), number());
    let (input, expected) = match name.as_str() {
        "read_entries" => (Input::Read(entries(1_000 * scale).into_bytes(), 1), 1_000),
        "read_addresses" => (Input::Read(addresses(2_000 * scale).into_bytes(), 1), 2_000),
        "read_extensions" => (Input::Read(extensions(500 * scale).into_bytes(), 1), 500),
        "read_gzip" => (Input::Read(gzip(entries(1_000 * scale).as_bytes()), 1), 1_000),
        "read_small_files" => (Input::Read(entries(1).into_bytes(), 100 * scale), 100),
        "write_entries" => (Input::Write(table(2_000 * scale, false), false), 2_000),
        "write_alternates" => (Input::Write(table(500 * scale, true), false), 500),
        "write_alternates_gzip" => (Input::Write(table(500 * scale, true), true), 500),
        other => panic!("{other} is no workload"),
    };
    for _ in 0..times {
        let (rows, faults) = match &input {
            Input::Read(file, often) => work_read(file, *often),
            Input::Write(batch, gzip) => work_write(batch, *gzip),
        };
        assert_eq!(rows, expected * scale, "a wrong result cannot be a fast one");
        println!("{name}: {rows} rows, {faults} findings");
    }
}
