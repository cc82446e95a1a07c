//! What the writer remembers of rows before changes nothing: a row among others is written, and refused, as it is alone.

mod written;

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder, StructBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_schema::{DataType, Field, Fields};
use proptest::prelude::*;
use proptest::sample::select;
use urlset::write::{OnError, Writer};
use written::{BASE, batch, body, plain};

const HEADS: &[&str] = &[
    BASE,
    BASE,
    BASE,
    "https://a.example:443/",
    "https://A.example/",
    "http://a.example/",
    "https://u@a.example/",
    "https://a.example.b.example/",
    "https://cdn.example/",
    "https://cdn.example:99999/",
    "ftp://cdn.example/",
    "android-app://a.example/",
    "https://a.example",
    "",
];
const TAILS: &[&str] = &[
    "",
    "a",
    "p?x=1&y=2",
    "&",
    "a-path-that-is-longer-than-sixteen-bytes&",
    "%41",
    "%",
    " ",
    "é",
    "#",
    ":",
    "<",
    "\u{1}",
];
const LANGUAGES: &[&str] =
    &["de", "en-GB", "x-default", "", " de", "DE", "deutsch", "d&", "zh-Hant-TW", "sr-Latn-RS-ekavsk"];
const TEXTS: &[&str] =
    &["Title", "A & B", "", " ", "a \"title\"\tof more than sixteen bytes <>", "\u{0}", "\u{FFFE}", "é"];
const WORDS: &[&str] = &["daily", "weekly", "Weekly", " daily", "sometimes", "", "always"];
const YES: &[&str] = &["yes", "no", "YES", "", "perhaps"];
const PLATFORMS: &[&str] = &["web", "web mobile", "console", "", "tv"];
const NUMBERS: &[f64] = &[0.0, -0.0, 0.5, 0.1234, 1.0, 1.5, f64::NAN, -0.1];
const INSTANTS: &[i64] = &[0, 1_700_000_000_000_000, 1_700_000_000_000_001, 86_400_000_000, -1, i64::MIN, i64::MAX];

#[derive(Clone, Debug)]
struct Row {
    loc: Option<String>,
    lastmod: Option<i64>,
    word: Option<&'static str>,
    number: Option<f64>,
    alternates: Vec<(Option<&'static str>, String)>,
    images: Vec<(String, Option<&'static str>)>,
    videos: Vec<(i64, Option<&'static str>, Option<&'static str>)>,
}

/// A value that hardly ever is the odd one, so that most rows are written.
fn mostly(values: &'static [&'static str], good: usize) -> impl Strategy<Value = &'static str> {
    prop_oneof![15 => select(&values[..good]), 1 => select(values)]
}

fn address() -> impl Strategy<Value = String> {
    (mostly(HEADS, 3), mostly(TAILS, 5), mostly(TAILS, 5)).prop_map(|(a, b, c)| [a, b, c].concat())
}

fn row() -> impl Strategy<Value = Row> {
    use prop::collection::vec;
    use prop::option::weighted;
    (
        weighted(0.98, address()),
        weighted(0.9, prop_oneof![9 => select(&INSTANTS[..4]), 1 => select(INSTANTS)]),
        weighted(0.9, mostly(WORDS, 4)),
        weighted(0.9, prop_oneof![9 => select(&NUMBERS[..5]), 1 => select(NUMBERS)]),
        vec((weighted(0.98, mostly(LANGUAGES, 3)), address()), 0..3),
        vec((address(), weighted(0.7, mostly(TEXTS, 2))), 0..2),
        vec((0i64..30_000, weighted(0.8, mostly(YES, 2)), weighted(0.8, mostly(PLATFORMS, 2))), 0..2),
    )
        .prop_map(|(loc, lastmod, word, number, alternates, images, videos)| Row {
            loc,
            lastmod,
            word,
            number,
            alternates,
            images,
            videos,
        })
}

fn put(to: &mut StructBuilder, at: usize, text: Option<&str>) {
    to.field_builder::<StringBuilder>(at).expect("a text").append_option(text);
}

fn table(rows: &[Row], dictionaries: bool) -> RecordBatch {
    let fields =
        |names: &[&str]| -> Vec<Field> { names.iter().map(|n| Field::new(*n, DataType::Utf8, true)).collect() };
    let list = |fields: Vec<Field>| ListBuilder::new(StructBuilder::from_fields(Fields::from(fields), 0));
    let mut alternates = list(fields(&["hreflang", "href"]));
    let mut images = list(fields(&["loc", "title"]));
    let duration = Field::new("duration", DataType::Int64, true);
    let names = [
        "content_loc",
        "thumbnail_loc",
        "title",
        "description",
        "family_friendly",
        "platform",
        "platform_relationship",
    ];
    let mut videos = list([fields(&names), vec![duration]].concat());
    for row in rows {
        for (language, href) in &row.alternates {
            put(alternates.values(), 0, *language);
            put(alternates.values(), 1, Some(href));
            alternates.values().append(true);
        }
        alternates.append(true);
        for (loc, title) in &row.images {
            put(images.values(), 0, Some(loc));
            put(images.values(), 1, *title);
            images.values().append(true);
        }
        images.append(true);
        for (seconds, family, platform) in &row.videos {
            let video = videos.values();
            for (at, text) in ["https://cdn.example/v?a&b", "https://cdn.example/t.png", "A title", "What it shows"]
                .iter()
                .enumerate()
            {
                put(video, at, Some(text));
            }
            put(video, 4, *family);
            put(video, 5, *platform);
            put(video, 6, Some("allow"));
            video.field_builder::<Int64Builder>(7).expect("a number").append_value(*seconds);
            video.append(true);
        }
        videos.append(true);
    }
    let words = rows.iter().map(|row| row.word);
    let words: ArrayRef = if dictionaries {
        Arc::new(words.collect::<DictionaryArray<Int32Type>>())
    } else {
        Arc::new(words.collect::<StringArray>())
    };
    batch(vec![
        ("loc", Arc::new(rows.iter().map(|row| row.loc.as_deref()).collect::<StringArray>())),
        (
            "lastmod",
            Arc::new(rows.iter().map(|row| row.lastmod).collect::<TimestampMicrosecondArray>().with_timezone("UTC")),
        ),
        ("changefreq", words),
        ("priority", Arc::new(rows.iter().map(|row| row.number).collect::<Float64Array>())),
        ("alternates", Arc::new(alternates.finish())),
        ("images", Arc::new(images.finish())),
        ("videos", Arc::new(videos.finish())),
    ])
}

/// The entries, and what is said of the rows: row, element, code, value, fix.
fn entries(table: &RecordBatch, offsite: bool) -> (String, Vec<String>, u64) {
    let mut options = plain();
    options.on_error = OnError::Skip;
    options.allow_offsite = offsite;
    options.max_faults = u64::MAX;
    let mut writer = Writer::new(&table.schema(), options).expect("a good table");
    let mut shards = writer.push(table).expect("rows are skipped");
    shards.extend(writer.finish().expect("no error at the end"));
    let said =
        |f: urlset::codes::Fault| format!("{:?} {:?} {:?} {:?} {:?}", f.element, f.code, f.value, f.fix, f.detail);
    (shards.iter().map(body).collect(), writer.faults().into_iter().map(said).collect(), writer.encoded())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_row_is_written_among_others_as_alone(
        rows in prop::collection::vec(row(), 1..60),
        dictionaries in any::<bool>(),
        offsite in any::<bool>(),
    ) {
        let together = entries(&table(&rows, dictionaries), offsite);
        let mut alone = (String::new(), Vec::new(), 0);
        for row in &rows {
            let (entry, said, encoded) = entries(&table(std::slice::from_ref(row), dictionaries), offsite);
            alone.0.push_str(&entry);
            alone.1.extend(said);
            alone.2 += encoded;
        }
        prop_assert_eq!(together, alone);
    }
}

#[test]
fn most_rows_of_these_are_written() {
    use proptest::strategy::ValueTree as _;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let rows: Vec<Row> = (0..400).map(|_| row().new_tree(&mut runner).expect("a row").current()).collect();
    let (written, said, encoded) = entries(&table(&rows, false), true);
    let count = written.lines().count();
    assert!(count > 100, "{count} of 400 are written");
    assert!(said.len() > 50 && encoded > 10, "{} remarks, {encoded} encoded", said.len());
}
