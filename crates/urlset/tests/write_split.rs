//! Where files are cut, and that nothing but the rows and the options has a say in it.

mod written;

use std::io::Read as _;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder, StructBuilder};
use arrow_array::{Array as _, ArrayRef, RecordBatch, StringArray, StructArray, TimestampMicrosecondArray};
use arrow_schema::{DataType, Field, Fields};
use proptest::prelude::*;
use urlset::codes::Code;
use urlset::error::{Error, ErrorKind};
use urlset::write::{Child, Format, Kind, OnError, Options, Profile, Shard, Writer, hash, index};
use written::{BASE, batch, body, locs, parse, plain, strings, text, write};

fn numbered(count: usize) -> RecordBatch {
    let locs: Vec<String> = (0..count).map(|n| format!("{BASE}p/{n:04}?a&b")).collect();
    batch(vec![("loc", Arc::new(StringArray::from(locs)) as ArrayRef)])
}

fn rows(shards: &[Shard]) -> Vec<u64> {
    shards.iter().map(|s| s.rows).collect()
}

#[test]
fn count_border() {
    for (count, expected) in [(9, &[9][..]), (10, &[10]), (11, &[10, 1]), (20, &[10, 10]), (21, &[10, 10, 1])] {
        let mut options = plain();
        options.max_urls = 10;
        let (shards, _) = write(&numbered(count), options).expect("good rows");
        assert_eq!(rows(&shards), expected);
        let names: Vec<_> = (1..=expected.len()).map(|n| format!("sitemap-{n:05}.xml")).collect();
        assert_eq!(shards.iter().map(|s| s.name.clone()).collect::<Vec<_>>(), names);
        assert_eq!(shards[0].first, format!("{BASE}p/0000?a&b"));
        assert_eq!(shards[0].last, format!("{BASE}p/{:04}?a&b", expected[0] - 1));
    }
}

#[test]
fn byte_border() {
    let (shards, _) = write(&numbered(10), plain()).expect("good rows");
    let exact = shards[0].data.len() as u64;
    for (limit, expected, why) in [
        (exact - 1, &[9, 1][..], "one byte short"),
        (exact, &[10], "the very size"),
        (exact + 1, &[10], "one byte to spare"),
    ] {
        let mut options = plain();
        options.max_bytes = limit;
        let (shards, _) = write(&numbered(10), options).expect("good rows");
        assert_eq!(rows(&shards), expected, "{why}");
        assert!(shards.iter().all(|s| s.data.len() as u64 <= limit && s.plain_bytes == s.data.len() as u64));
    }
}

#[test]
fn limits_count_bytes_before_compression() {
    let mut options = plain();
    options.max_bytes = 1_000;
    let (loose, _) = write(&numbered(100), options.clone()).expect("good rows");
    options.gzip = true;
    let (packed, _) = write(&numbered(100), options).expect("good rows");
    assert_eq!(rows(&loose), rows(&packed));
    for (loose, packed) in loose.iter().zip(&packed) {
        let mut back = Vec::new();
        flate2::read::GzDecoder::new(packed.data.as_slice()).read_to_end(&mut back).expect("gzip");
        assert_eq!(back, loose.data);
        assert_eq!((packed.plain_hash, packed.plain_bytes), (hash(&back), back.len() as u64));
        assert_eq!(packed.name, format!("{}.gz", loose.name));
    }
}

fn images(of: &[Option<&str>]) -> ArrayRef {
    let fields = Fields::from(vec![Field::new("loc", DataType::Utf8, true)]);
    let mut list = ListBuilder::new(StructBuilder::from_fields(fields, 0));
    for loc in of {
        if let Some(loc) = loc {
            let image = list.values();
            image.field_builder::<StringBuilder>(0).expect("a string column").append_value(loc);
            image.append(true);
        }
        list.append(loc.is_some());
    }
    Arc::new(list.finish())
}

/// The last row brings a namespace: the head grows with it, and both must fit.
#[test]
fn head_grows_with_the_row_that_needs_it() {
    let locs = [format!("{BASE}1"), format!("{BASE}2"), format!("{BASE}3")];
    let locs: Vec<&str> = locs.iter().map(String::as_str).collect();
    let image = "https://a.example/i.png";
    let table = batch(vec![("loc", strings(&locs)), ("images", images(&[None, None, Some(image)]))]);
    let (shards, _) = write(&table, plain()).expect("good rows");
    let exact = shards[0].data.len() as u64;
    assert!(text(&shards[0]).contains("xmlns:image="));
    for (limit, expected) in [(exact, &[3][..]), (exact - 1, &[2, 1])] {
        let mut options = plain();
        options.max_bytes = limit;
        let (shards, _) = write(&table, options).expect("good rows");
        assert_eq!(rows(&shards), expected);
        for (at, shard) in shards.iter().enumerate() {
            let last = at + 1 == shards.len();
            assert_eq!(text(shard).contains("xmlns:image="), last, "declared where it is used and nowhere else");
            parse(&shard.data);
        }
    }
    // And back: a file whose head was expected to be large, and is not.
    let table = batch(vec![("loc", strings(&locs)), ("images", images(&[Some(image), None, None]))]);
    let mut options = plain();
    options.max_urls = 1;
    let (shards, _) = write(&table, options).expect("good rows");
    assert_eq!(shards.iter().map(|s| text(s).contains("xmlns:image=")).collect::<Vec<_>>(), [true, false, false]);
    assert!(
        shards.iter().all(|s| text(s).starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http:"))
    );
}

#[test]
fn a_row_larger_than_a_file() {
    let long = format!("{BASE}{}", "x".repeat(1_000));
    let table = locs(&[&format!("{BASE}1"), &long, &format!("{BASE}2")]);
    let mut options = plain();
    options.max_bytes = 600;
    let mut writer = Writer::new(&table.schema(), options.clone()).expect("a good table");
    assert_eq!(writer.push(&table), Err(Error::at(ErrorKind::RowTooBig, 1)));
    assert_eq!(writer.faults()[0].code, Code::SIZ002);
    options.on_error = OnError::Skip;
    let (shards, writer) = write(&table, options).expect("the others go on");
    assert_eq!(rows(&shards), [2], "the file before it goes on too");
    assert_eq!((writer.rows(), writer.skipped()), (3, 1));
}

#[test]
fn news_are_few_in_a_file() {
    let field = |name: &str, value: &str, count: usize| {
        (Arc::new(Field::new(name, DataType::Utf8, true)), strings(&vec![value; count]))
    };
    let count = 25;
    let publication = StructArray::from(vec![field("name", "Times", count), field("language", "en", count)]);
    let news = StructArray::from(vec![
        (Arc::new(Field::new("publication", publication.data_type().clone(), true)), Arc::new(publication) as ArrayRef),
        field("publication_date", "2025-01-01", count),
        field("title", "t", count),
    ]);
    let table = numbered(count);
    let table = batch(vec![("loc", table.column(0).clone()), ("news", Arc::new(news))]);
    let mut options = plain();
    options.max_news = 10;
    let (shards, _) = write(&table, options).expect("good rows");
    assert_eq!(rows(&shards), [10, 10, 5]);
}

#[test]
fn one_name_is_for_one_file() {
    let mut options = plain();
    options.name = Some("all.xml".into());
    let (shards, _) = write(&numbered(3), options.clone()).expect("good rows");
    assert_eq!(shards[0].name, "all.xml");
    options.max_urls = 2;
    assert!(matches!(write(&numbered(3), options).map(|_| ()), Err(Error { kind: ErrorKind::Option(_), .. })));
}

#[test]
fn no_rows_no_file() {
    let (shards, _) = write(&locs(&[]), plain()).expect("an empty table");
    assert!(shards.is_empty());
    let mut options = plain();
    options.allow_empty = true;
    let (shards, _) = write(&locs(&[]), options).expect("an empty table");
    assert_eq!(body(&shards[0]), "");
    assert_eq!((shards[0].rows, shards[0].first.as_str()), (0, ""));
    assert_eq!(parse(&shards[0].data).name, "urlset");
}

#[test]
fn text_lists() {
    let mut options = plain();
    options.format = Format::Text;
    let table = batch(vec![
        ("loc", strings(&["https://a.example/?a&b", "https://a.example/é"])),
        ("priority", strings(&["0.5", "0.6"])),
    ]);
    let (shards, writer) = write(&table, options.clone()).expect("good rows");
    assert_eq!(text(&shards[0]), "https://a.example/?a&b\nhttps://a.example/%C3%A9\n");
    assert_eq!((shards[0].name.as_str(), writer.encoded()), ("sitemap-00001.txt", 1));
    assert_eq!(writer.ignored_columns(), ["priority"]);
    let exact = shards[0].data.len() as u64;
    for (limit, expected) in [(exact, &[2][..]), (exact - 1, &[1, 1])] {
        options.max_bytes = limit;
        assert_eq!(rows(&write(&table, options.clone()).expect("good rows").0), expected);
    }
}

#[test]
fn style_sheet_is_named_before_the_root() {
    let mut options = plain();
    options.stylesheet = Some("/s.xsl?a&b\"".into());
    let (shards, _) = write(&numbered(1), options).expect("good rows");
    assert!(
        text(&shards[0]).contains("?>\n<?xml-stylesheet type=\"text/xsl\" href=\"/s.xsl?a&amp;b&quot;\"?>\n<urlset ")
    );
    parse(&shards[0].data);
    parse(urlset::write::stylesheet().as_bytes());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The bytes are a function of the rows: neither of the batches nor of the threads nor of the way they are asked for.
    #[test]
    fn batches_and_threads_leave_no_trace(
        cuts in prop::collection::vec(1usize..40, 1..20),
        max_urls in 1u64..30,
        threads in 1usize..4,
        gzip: bool,
        run: bool,
    ) {
        let table = numbered(200);
        let mut options = Options::new(BASE);
        options.max_urls = max_urls;
        options.gzip = gzip;
        let (expected, _) = write(&table, options.clone()).expect("good rows");
        options.threads = threads;
        let mut batches = Vec::new();
        let mut at = 0;
        for cut in cuts.iter().cycle() {
            let length = (*cut).min(table.num_rows() - at);
            batches.push(table.slice(at, length));
            at += length;
            if at == table.num_rows() {
                break;
            }
        }
        let mut writer = Writer::new(&table.schema(), options).expect("a good table");
        let mut shards = Vec::new();
        if run {
            writer.run(batches.into_iter().map(Ok::<_, Error>), |shard| { shards.push(shard); Ok(()) }).expect("good rows");
        } else {
            for batch in &batches {
                shards.extend(writer.push(batch).expect("good rows"));
            }
            shards.extend(writer.finish().expect("good rows"));
        }
        prop_assert_eq!(shards, expected);
    }
}

#[test]
fn a_sink_or_a_source_that_fails_ends_the_run() {
    for threads in [1, 3] {
        let mut options = Options::new(BASE);
        options.max_urls = 1;
        options.threads = threads;
        let table = numbered(50);
        let mut writer = Writer::new(&table.schema(), options.clone()).expect("a good table");
        let mut seen = 0;
        let stop = || Error::new(ErrorKind::Option("stop".into()));
        let result = writer.run([Ok(table.clone())], |_| {
            seen += 1;
            if seen == 3 { Err(stop()) } else { Ok(()) }
        });
        assert_eq!((result, seen), (Err(stop()), 3));
        let mut writer = Writer::new(&table.schema(), options).expect("a good table");
        assert_eq!(writer.run([Ok(table), Err(stop())], |_| Ok(())), Err(stop()));
    }
}

fn children(count: usize) -> Vec<Child> {
    let form = urlset::value::date::Form::DATE;
    (0..count)
        .map(|n| Child {
            loc: format!("{BASE}sitemap-{n:05}.xml.gz"),
            lastmod: Some((n as i64 * 86_400_000_000, form)),
        })
        .collect()
}

fn names(shards: &[Shard]) -> Vec<&str> {
    shards.iter().map(|s| s.name.as_str()).collect()
}

#[test]
fn index_of_few() {
    let mut all = children(2);
    all[1].lastmod = None;
    let shards = index(&all, &Options::new(BASE)).expect("good children");
    assert_eq!(
        text(&shards[0]),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
         <sitemap><loc>https://a.example/sitemap-00000.xml.gz</loc><lastmod>1970-01-01</lastmod></sitemap>\n\
         <sitemap><loc>https://a.example/sitemap-00001.xml.gz</loc></sitemap>\n</sitemapindex>\n"
    );
}

#[test]
fn indexes_past_the_limit() {
    let mut options = Options::new(BASE);
    options.max_children = 3;
    for (count, expected) in [
        (3, &["sitemap.xml"][..]),
        (4, &["sitemap.xml", "sitemap-index-00002.xml"]),
        (7, &["sitemap.xml", "sitemap-index-00002.xml", "sitemap-index-00003.xml"]),
    ] {
        let shards = index(&children(count), &options).expect("good children");
        assert_eq!(names(&shards), expected);
        assert_eq!(shards.iter().map(|s| s.rows).sum::<u64>(), count as u64);
    }
    let exact = index(&children(3), &options).expect("good children")[0].plain_bytes;
    for (limit, expected) in [(exact, 1), (exact - 1, 2)] {
        options.max_bytes = limit;
        assert_eq!(index(&children(3), &options).expect("good children").len(), expected);
    }
}

#[test]
fn cascade() {
    let mut options = Options::new(BASE);
    options.max_children = 2;
    options.nested = true;
    for count in 1..20 {
        let shards = index(&children(count), &options).expect("good children");
        let top = shards.last().expect("a top");
        assert_eq!(top.name, "sitemap.xml");
        // Every file is reached from the top, once.
        let mut reached = Vec::new();
        let mut open = vec![top];
        while let Some(shard) = open.pop() {
            assert!(shard.rows <= 2);
            for entry in parse(&shard.data).children {
                let loc = entry.children[0].text.clone();
                let name = loc.strip_prefix(BASE).expect("below the base").to_owned();
                match shards.iter().find(|s| s.name == name) {
                    Some(inner) => {
                        assert_eq!(entry.children[1].text, {
                            let latest = inner.lastmod.expect("dated").0 / 86_400_000_000;
                            format!("1970-01-{:02}", latest + 1)
                        });
                        open.push(inner);
                    }
                    None => reached.push(loc),
                }
            }
        }
        reached.sort();
        let expected: Vec<_> = children(count).into_iter().map(|c| c.loc).collect();
        assert_eq!(reached, expected, "{count} children");
    }
    assert_eq!(
        names(&index(&children(5), &options).expect("good children")),
        [
            "sitemap-index-00001.xml",
            "sitemap-index-00002.xml",
            "sitemap-index-00003.xml",
            "sitemap-index-00004.xml",
            "sitemap-index-00005.xml",
            "sitemap.xml"
        ]
    );
    options.max_children = 1;
    assert!(
        matches!(index(&children(2), &options), Err(Error { kind: ErrorKind::Option(_), .. })),
        "it would never end"
    );
}

#[test]
fn children_that_no_index_takes() {
    let child = |loc: &str| [Child { loc: loc.into(), lastmod: None }];
    let mut options = Options::new(BASE);
    for loc in ["https://b.example/s.xml", "https://www.a.example/s.xml", "/s.xml", "", "ftp://a.example/s.xml"] {
        assert!(matches!(index(&child(loc), &options), Err(Error { kind: ErrorKind::Refused(_), .. })), "{loc}");
    }
    options.allow_offsite = true;
    assert!(index(&child("https://b.example/s.xml"), &options).is_ok());
    options.profile = Profile::Classic;
    assert!(
        matches!(index(&child("https://b.example/s.xml"), &options), Err(Error { kind: ErrorKind::Refused(_), .. })),
        "no date"
    );
}

#[test]
fn a_table_of_sitemaps_is_an_index() {
    let table = batch(vec![
        ("loc", strings(&["https://a.example/1.xml", "https://a.example/2.xml"])),
        ("lastmod", Arc::new(TimestampMicrosecondArray::from(vec![Some(0), None]))),
        ("priority", strings(&["0.5", "0.6"])),
    ]);
    let mut options = plain();
    options.kind = Kind::Index;
    let (shards, writer) = write(&table, options.clone()).expect("good rows");
    assert_eq!(shards[0].name, "sitemap.xml");
    assert_eq!(
        body(&shards[0]),
        "<sitemap><loc>https://a.example/1.xml</loc><lastmod>1970-01-01T00:00:00Z</lastmod></sitemap>\n\
         <sitemap><loc>https://a.example/2.xml</loc></sitemap>\n"
    );
    assert_eq!(writer.ignored_columns(), ["priority"]);
    options.profile = Profile::Classic;
    let mut writer = Writer::new(&table.schema(), options).expect("a good table");
    assert!(writer.push(&table).is_err());
    assert_eq!(writer.faults()[0].code, Code::IDX003);
}

#[test]
fn classic_files_are_smaller() {
    let mut options = Options::new(BASE);
    options.profile = Profile::Classic;
    options.level = 1;
    let long = "x".repeat(1_900);
    let locs: Vec<String> = (0..6_000).map(|n| format!("{BASE}{n}/{long}")).collect();
    let table = batch(vec![("loc", Arc::new(StringArray::from(locs)) as ArrayRef)]);
    let (shards, _) = write(&table, options).expect("good rows");
    assert_eq!(shards.len(), 2);
    assert!(shards[0].plain_bytes <= 10_485_760 && shards[0].plain_bytes > 10_485_760 - 2_000);
}
