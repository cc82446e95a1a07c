//! What is written of a row: every element of the table, every type a column may have, and what is refused.

mod written;

use std::sync::Arc;

use arrow_array::types::{Int8Type, Int32Type, UInt64Type};
use arrow_array::*;
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, Fields};
use proptest::prelude::*;
use urlset::codes::{Code, Severity};
use urlset::error::{Error, ErrorKind};
use urlset::schema::{ColumnType, GroupId, Kind, Place, Schema, Shape, URL_GROUP};
use urlset::value::date::Form;
use urlset::write::{OnError, Writer};
use written::{Element, batch, body, parse, plain, strings, text, write};

const LOC: &str = "https://a.example/p";

fn one(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let mut all = vec![("loc", strings(&[LOC]))];
    all.extend(columns);
    batch(all)
}

/// What stands between the `loc` of the only row and the end of its entry.
fn rest(table: &RecordBatch) -> String {
    let (shards, _) = write(table, plain()).unwrap_or_else(|e| panic!("{e}"));
    let body = body(&shards[0]);
    let start = body.find("</loc>").expect("a loc") + 6;
    body[start..].strip_suffix("</url>\n").expect("one entry").to_owned()
}

/// The path and code for which the only row is refused.
fn refusal(table: &RecordBatch) -> (String, Code) {
    let mut writer = Writer::new(&table.schema(), plain()).unwrap_or_else(|e| panic!("{e}"));
    let result = writer.push(table);
    assert!(matches!(result, Err(Error { kind: ErrorKind::Refused(_), offset: 0 })), "{result:?}");
    let fault = writer.faults().pop().expect("a fault");
    assert_eq!(fault.entry, Some(0));
    (fault.element.expect("a path"), fault.code)
}

// ---- every element of the table, once ----

/// Two values of each item of a list, so that a separator or a missing reset would show.
const ITEMS: usize = 2;

fn word(field: &urlset::schema::Field, name: &str, at: usize) -> String {
    match &field.kind {
        _ if field.shape == Shape::Hreflang => ["de", "zh-Hant-TW"][at % 2].to_owned(),
        _ if field.shape == Shape::Language => ["de", "zh-tw"][at % 2].to_owned(),
        _ if field.shape == Shape::Countries => ["DE", "US GB"][at % 2].to_owned(),
        _ if matches!(field.shape, Shape::Words(_)) => ["tv", "web mobile"][at % 2].to_owned(),
        Kind::Url | Kind::Address => format!("https://a.example/{name}/{at}?a&b"),
        Kind::Choice(words) => words[at % words.len()].clone(),
        _ => format!("{name} <{at}> & \"]]>\"\r\n ü"),
    }
}

fn eighths(at: usize) -> f64 {
    f64::from(u32::try_from(at).expect("few rows")) / 8.0
}

/// A column of the table as rows of generated values; the `at`th has the number `first + at`.
fn column(schema: &Schema, group: GroupId, index: usize, count: usize) -> ArrayRef {
    let layout = &schema.groups[group];
    let of = &layout.columns[index];
    let field = layout.fields.iter().find(|f| f.column == index);
    if of.list {
        let items = value(schema, group, index, field, of.ty, count * ITEMS);
        let field = Arc::new(Field::new("item", items.data_type().clone(), true));
        return Arc::new(ListArray::new(field, OffsetBuffer::from_lengths(vec![ITEMS; count]), items, None));
    }
    value(schema, group, index, field, of.ty, count)
}

fn value(
    schema: &Schema,
    group: GroupId,
    index: usize,
    field: Option<&urlset::schema::Field>,
    ty: ColumnType,
    count: usize,
) -> ArrayRef {
    let name = &schema.groups[group].columns[index].name;
    let texts = |f: &dyn Fn(usize) -> String| Arc::new(StringArray::from_iter_values((0..count).map(f))) as ArrayRef;
    let nest = |t: ArrayRef| arrow_cast::cast(&t, &schema.arrow_type(ColumnType::Dictionary)).expect("a dictionary");
    match ty {
        ColumnType::Utf8 => texts(&|at| word(field.expect("a field"), name, at)),
        ColumnType::Dictionary => nest(texts(&|at| word(field.expect("a field"), name, at))),
        ColumnType::NestedForm => texts(&|_| "seconds +02:00".into()),
        ColumnType::Form => nest(texts(&|_| "seconds +02:00".into())),
        ColumnType::Timestamp => Arc::new(
            TimestampMicrosecondArray::from_iter_values((0..count).map(|at| at as i64 * 1_000_000))
                .with_timezone("UTC"),
        ),
        ColumnType::Float => Arc::new(Float64Array::from_iter_values((0..count).map(eighths))),
        ColumnType::Int => Arc::new(Int64Array::from_iter_values((0..count).map(|at| at as i64 + 1))),
        ColumnType::Bool => Arc::new(BooleanArray::from(vec![true; count])),
        ColumnType::Struct(inner) => structs(schema, inner, count),
    }
}

fn structs(schema: &Schema, group: GroupId, count: usize) -> ArrayRef {
    let columns = &schema.groups[group].columns;
    let arrays: Vec<ArrayRef> = (0..columns.len()).map(|at| column(schema, group, at, count)).collect();
    let fields: Fields =
        columns.iter().zip(&arrays).map(|(c, a)| Field::new(&c.name, a.data_type().clone(), true)).collect();
    Arc::new(StructArray::new(fields, arrays, None))
}

/// Compares an element with the row of a struct from which it was written, field by field of the table.
fn compare(schema: &Schema, group: GroupId, element: &Element, row: usize, seen: &mut usize) {
    let layout = &schema.groups[group];
    for field in &layout.fields {
        let name = &layout.columns[field.column].name;
        let uri = &schema.namespaces[field.ns].uri;
        let path = format!("{}/{name}", layout.name);
        let attribute = |of: &Element| of.attribute(&field.element).unwrap_or_else(|| panic!("{path}")).to_owned();
        let scalar = |at: usize| match &field.kind {
            Kind::Url | Kind::Address | Kind::Choice(_) | Kind::Text => word(field, name, at),
            Kind::Date => format!("1970-01-01T02:00:{at:02}+02:00"),
            Kind::Priority | Kind::Decimal => {
                let mut out = Vec::new();
                urlset::value::number::write_decimal(eighths(at), &mut out);
                String::from_utf8(out).expect("digits")
            }
            Kind::Integer => (at + 1).to_string(),
            Kind::YesNo => "yes".into(),
            Kind::Marker => String::new(),
            other => panic!("{other:?}"),
        };
        *seen += 1;
        match &field.place {
            Place::Attribute => assert_eq!(attribute(element), scalar(row), "{path}"),
            Place::Own => assert_eq!(element.text, scalar(row), "{path}"),
            Place::AttributeOf(of) => {
                let of = element.all(&schema.namespaces[layout.ns].uri, of);
                assert_eq!(attribute(of[0]), scalar(row), "{path}");
            }
            Place::Element => {
                let found = element.all(uri, &field.element);
                let numbers: Vec<usize> = match field.many {
                    Some(_) => (row * ITEMS..(row + 1) * ITEMS).collect(),
                    None => vec![row],
                };
                assert_eq!(found.len(), numbers.len(), "{path}");
                for (inner, at) in found.into_iter().zip(numbers) {
                    match field.kind {
                        Kind::Group(group) => compare(schema, group, inner, at, seen),
                        _ => assert_eq!(inner.text, scalar(at), "{path}"),
                    }
                }
            }
        }
    }
}

#[test]
fn every_element_is_written_and_reads_back() {
    let schema = Schema::standard();
    let rows = 3;
    let columns: Vec<(String, ArrayRef)> = schema.groups[URL_GROUP]
        .columns
        .iter()
        .enumerate()
        .filter(|(_, c)| c.name != "sitemap")
        .map(|(at, c)| (c.name.clone(), column(&schema, URL_GROUP, at, rows)))
        .collect();
    let table = batch(columns.iter().map(|(n, a)| (n.as_str(), a.clone())).collect());
    let (shards, mut writer) = write(&table, plain()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(writer.faults(), []);
    let root = parse(&shards[0].data);
    assert_eq!(root.children.len(), rows);
    let mut seen = 0;
    for (row, url) in root.children.iter().enumerate() {
        compare(&schema, URL_GROUP, url, row, &mut seen);
        let order: Vec<&str> = url.children.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(
            order,
            [
                "loc",
                "lastmod",
                "changefreq",
                "priority",
                "image",
                "image",
                "video",
                "video",
                "news",
                "link",
                "link",
                "mobile",
                "mobile",
                "PageMap",
                "codesearch",
                "geo"
            ],
            "the order of the table"
        );
    }
    assert!(seen > 70 * rows, "only {seen} values were compared");
    let head = text(&shards[0]).lines().nth(1).expect("a root tag");
    let declared: Vec<&str> = head.split(" xmlns:").skip(1).map(|d| d.split('=').next().expect("a name")).collect();
    assert_eq!(declared, ["image", "video", "news", "xhtml", "mobile", "mobile2", "codesearch", "geo"]);
    assert!(text(&shards[0]).contains("<PageMap xmlns=\"http://www.google.com/schemas/sitemap-pagemap/1.0\">"));
}

#[test]
fn a_users_own_element_is_written_like_ours() {
    let facts = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(k, v)| (format!("urlset:{k}"), (*v).to_owned())).collect::<std::collections::HashMap<_, _>>()
    };
    let stock = Field::new("stock", DataType::Int64, true).with_metadata(facts(&[
        ("namespace", "urn:shop"),
        ("prefix", "shop"),
        ("min", "0"),
        ("max", "9"),
    ]));
    let extension = Arc::new(arrow_schema::Schema::new(vec![stock]));
    let mut options = plain();
    options.schema = Schema::with_extensions(&[extension]).expect("a good extension");
    let table = |n: i64| one(vec![("stock", Arc::new(Int64Array::from(vec![n])))]);
    let (shards, _) = write(&table(7), options.clone()).expect("a good row");
    assert!(text(&shards[0]).contains(" xmlns:shop=\"urn:shop\">\n"));
    assert!(body(&shards[0]).ends_with("<shop:stock>7</shop:stock></url>\n"));
    let mut writer = Writer::new(&table(10).schema(), options).expect("a good table");
    assert!(writer.push(&table(10)).is_err());
    assert_eq!(writer.faults()[0].message(), "stock is 10, 0 to 9 was expected");

    let bad = Field::new("x", DataType::Int64, true).with_metadata(facts(&[
        ("namespace", "urn:s"),
        ("prefix", "s"),
        ("element", "a b"),
    ]));
    let mut options = plain();
    options.schema =
        Schema::with_extensions(&[Arc::new(arrow_schema::Schema::new(vec![bad]))]).expect("not checked there");
    assert!(matches!(
        Writer::new(&table(1).schema(), options).map(|_| ()),
        Err(Error { kind: ErrorKind::Extension(_), .. })
    ));
}

// ---- the two `mobile` ----

#[test]
fn the_prefix_goes_to_the_first_that_is_used_in_a_file() {
    let baidu = |types: Vec<Option<&str>>| -> ArrayRef {
        let nulls = types.iter().map(Option::is_some).collect::<Vec<_>>().into();
        let inner: ArrayRef = Arc::new(StringArray::from(types));
        Arc::new(StructArray::new(vec![Field::new("type", DataType::Utf8, true)].into(), vec![inner], Some(nulls)))
    };
    let locs = strings(&["https://a.example/1", "https://a.example/2", "https://a.example/3"]);
    let table = batch(vec![
        ("loc", locs),
        ("mobile", Arc::new(BooleanArray::from(vec![None, Some(true), Some(true)]))),
        ("mobile_baidu", baidu(vec![Some("pc,mobile"), None, Some("mobile")])),
    ]);
    let (shards, _) = write(&table, plain()).expect("good rows");
    assert_eq!(
        body(&shards[0]),
        "<url><loc>https://a.example/1</loc><mobile:mobile type=\"pc,mobile\"/></url>\n\
         <url><loc>https://a.example/2</loc><mobile2:mobile/></url>\n\
         <url><loc>https://a.example/3</loc><mobile2:mobile/><mobile:mobile type=\"mobile\"/></url>\n"
    );
    // Each file decides anew.
    let mut options = plain();
    options.max_urls = 1;
    let (shards, _) = write(&table, options).expect("good rows");
    assert!(body(&shards[0]).contains("<mobile:mobile type=\"pc,mobile\"/>"));
    assert!(body(&shards[1]).contains("<mobile:mobile/>"));
    assert!(body(&shards[2]).contains("<mobile:mobile/><mobile2:mobile type=\"mobile\"/>"));
    for shard in &shards {
        parse(&shard.data);
    }
}

// ---- types ----

#[test]
fn dates_in_every_type() {
    let at = 1_735_689_600i64; // 2025-01-01T00:00:00Z
    for (array, expected, why) in [
        (Arc::new(TimestampSecondArray::from(vec![at])) as ArrayRef, "2025-01-01T00:00:00Z", "seconds"),
        (
            Arc::new(TimestampMillisecondArray::from(vec![at * 1_000 + 999])),
            "2025-01-01T00:00:00Z",
            "milliseconds, cut",
        ),
        (Arc::new(TimestampMicrosecondArray::from(vec![at * 1_000_000])), "2025-01-01T00:00:00Z", "microseconds"),
        (Arc::new(TimestampNanosecondArray::from(vec![at * 1_000_000_000])), "2025-01-01T00:00:00Z", "nanoseconds"),
        (
            Arc::new(TimestampMillisecondArray::from(vec![at * 1_000]).with_timezone("Europe/Paris")),
            "2025-01-01T00:00:00Z",
            "a zone is how it is shown, the instant is the same",
        ),
        (
            Arc::new(TimestampMicrosecondArray::from(vec![at * 1_000_000]).with_timezone("+05:30")),
            "2025-01-01T00:00:00Z",
            "an offset",
        ),
        (Arc::new(Date32Array::from(vec![20_089])), "2025-01-01", "days"),
        (Arc::new(Date64Array::from(vec![at * 1_000])), "2025-01-01", "days in milliseconds"),
        (strings(&["2025-01-01T10:00:00.50+02:00"]), "2025-01-01T10:00:00.50+02:00", "a string as it stands"),
        (strings(&["2025-01"]), "2025-01", "a partial date is legal by the note"),
        (strings(&["2025-01-01T10:00:00"]), "2025-01-01T10:00:00", "no zone is legal by the schema"),
        (Arc::new(LargeStringArray::from(vec!["2025-01-01"])), "2025-01-01", "large string"),
        (Arc::new(StringViewArray::from(vec!["2025-01-01"])), "2025-01-01", "string view"),
        (Arc::new(vec!["2025-01-01"].into_iter().collect::<DictionaryArray<Int8Type>>()), "2025-01-01", "dictionary"),
    ] {
        assert_eq!(rest(&one(vec![("lastmod", array)])), format!("<lastmod>{expected}</lastmod>"), "{why}");
    }
    for (array, why) in [
        (Arc::new(NullArray::new(1)) as ArrayRef, "a column of nulls"),
        (Arc::new(TimestampSecondArray::from(vec![None])), "null"),
        (strings(&[" "]), "blank"),
    ] {
        assert_eq!(rest(&one(vec![("lastmod", array)])), "", "{why}");
    }
}

#[test]
fn forms_are_kept() {
    let at = 1_735_689_600_000_000i64;
    for (micros, form, expected, why) in [
        (at, "date", "2025-01-01", "a date"),
        (at, "year", "2025", "a year"),
        (at, "minutes+02:00", "2025-01-01T02:00+02:00", "minutes"),
        (at + 123_000, "seconds.3 -00:00", "2025-01-01T00:00:00.123-00:00", "thousandths"),
        (at + 1_000_000, "date", "2025-01-01T00:00:01Z", "a form that no longer holds the instant"),
        (at, "", "2025-01-01T00:00:00Z", "no form"),
    ] {
        let table = |form: ArrayRef| {
            one(vec![("lastmod", Arc::new(TimestampMicrosecondArray::from(vec![micros]))), ("lastmod_form", form)])
        };
        let expected = format!("<lastmod>{expected}</lastmod>");
        assert_eq!(rest(&table(strings(&[form]))), expected, "{why}");
        let dictionary: DictionaryArray<Int32Type> = vec![form].into_iter().collect();
        assert_eq!(rest(&table(Arc::new(dictionary))), expected, "{why}");
    }
    let day: ArrayRef = Arc::new(Date32Array::from(vec![20_089]));
    let table = one(vec![("lastmod", day), ("lastmod_form", strings(&["seconds Z"]))]);
    assert_eq!(rest(&table), "<lastmod>2025-01-01T00:00:00Z</lastmod>");
    let table = one(vec![("lastmod", strings(&[""])), ("lastmod_form", strings(&["date"]))]);
    assert_eq!(rest(&table), "", "a form alone says nothing");
}

#[test]
fn numbers_in_every_type() {
    for (array, expected, why) in [
        (Arc::new(Float64Array::from(vec![0.8])) as ArrayRef, "0.8", "double"),
        (Arc::new(Float32Array::from(vec![0.8])), "0.8", "float: not 0.800000011920929"),
        (Arc::new(Int64Array::from(vec![1])), "1.0", "whole number"),
        (Arc::new(UInt8Array::from(vec![0])), "0.0", "small whole number"),
        (
            Arc::new(Decimal128Array::from(vec![85]).with_precision_and_scale(5, 2).expect("a decimal type")),
            "0.85",
            "decimal",
        ),
        (strings(&["0.50"]), "0.5", "string"),
    ] {
        assert_eq!(rest(&one(vec![("priority", array)])), format!("<priority>{expected}</priority>"), "{why}");
    }
}

#[test]
fn texts_and_lists_in_every_type() {
    let image = |loc: ArrayRef| -> ArrayRef {
        let fields: Fields = vec![Field::new("loc", loc.data_type().clone(), true)].into();
        Arc::new(StructArray::new(fields, vec![loc], None))
    };
    let item = |array: &ArrayRef| Arc::new(Field::new("item", array.data_type().clone(), true));
    let urls = ["https://a.example/1", "https://a.example/2"];
    let expected = "<image:image><image:loc>https://a.example/1</image:loc></image:image>\
                    <image:image><image:loc>https://a.example/2</image:loc></image:image>";
    for loc in [
        strings(&urls),
        Arc::new(LargeStringArray::from(urls.to_vec())),
        Arc::new(StringViewArray::from(urls.to_vec())),
        Arc::new(urls.into_iter().collect::<DictionaryArray<UInt64Type>>()),
    ] {
        let items = image(loc);
        let lists: [ArrayRef; 3] = [
            Arc::new(ListArray::new(item(&items), OffsetBuffer::from_lengths([2]), items.clone(), None)),
            Arc::new(LargeListArray::new(item(&items), OffsetBuffer::from_lengths([2]), items.clone(), None)),
            Arc::new(FixedSizeListArray::new(item(&items), 2, items.clone(), None)),
        ];
        for list in lists {
            assert_eq!(rest(&one(vec![("images", list)])), expected);
        }
    }
    // Nothing is invented of nulls and empty lists.
    let items = image(strings(&urls));
    let some = ListArray::new(
        item(&items),
        OffsetBuffer::from_lengths([2, 0, 0]),
        items,
        Some(vec![true, true, false].into()),
    );
    for (row, expected) in [(0, expected), (1, ""), (2, "")] {
        let list: ArrayRef = Arc::new(some.slice(row, 1));
        assert_eq!(rest(&one(vec![("images", list)])), expected, "row {row}");
    }
}

/// A slice of a table is written as the table of its rows.
#[test]
fn slices_are_their_rows() {
    let schema = Schema::standard();
    let columns: Vec<(String, ArrayRef)> = schema.groups[URL_GROUP]
        .columns
        .iter()
        .enumerate()
        .filter(|(_, c)| c.name != "sitemap")
        .map(|(at, c)| (c.name.clone(), column(&schema, URL_GROUP, at, 6)))
        .collect();
    let table = batch(columns.iter().map(|(n, a)| (n.as_str(), a.clone())).collect());
    let (whole, _) = write(&table, plain()).expect("good rows");
    let mut writer = Writer::new(&table.schema(), plain()).expect("a good table");
    let mut shards = Vec::new();
    for (at, length) in [(0, 2), (2, 3), (5, 1)] {
        shards.extend(writer.push(&table.slice(at, length)).expect("good rows"));
    }
    shards.extend(writer.finish().expect("good rows"));
    assert_eq!(shards, whole);
}

// ---- tables that cannot be written ----

#[test]
fn unusable_tables() {
    let list_of = |array: ArrayRef| -> ArrayRef {
        let item = Arc::new(Field::new("item", array.data_type().clone(), true));
        Arc::new(ListArray::new(item, OffsetBuffer::from_lengths([1]), array, None))
    };
    let image = |names: &[&str]| {
        let fields: Fields = names.iter().map(|n| Field::new(*n, DataType::Utf8, true)).collect();
        list_of(Arc::new(StructArray::new(fields, names.iter().map(|_| strings(&["x"])).collect(), None)))
    };
    for (table, expected, why) in [
        (batch(vec![("url", strings(&["x"]))]), "\"loc\" is needed", "no loc"),
        (batch(vec![("loc", Arc::new(Float64Array::from(vec![1.0])))]), "\"loc\" is of type Float64", "loc of numbers"),
        (one(vec![("lastmod", Arc::new(Int64Array::from(vec![1])))]), "\"lastmod\" is of type Int64", "epoch seconds"),
        (
            one(vec![("priority", Arc::new(BooleanArray::from(vec![true])))]),
            "\"priority\" is of type Boolean",
            "a flag",
        ),
        (one(vec![("images", strings(&["x"]))]), "\"images\" is of type Utf8", "a string for a list"),
        (one(vec![("images", list_of(strings(&["x"])))]), "\"images\" is of type Utf8, a struct", "a list of strings"),
        (one(vec![("images", image(&["loc", "alt"]))]), "\"images/alt\"", "a field that no element is known for"),
        (one(vec![("images", image(&["title"]))]), "\"images/loc\" is needed", "a struct that can never be valid"),
        (batch(vec![("loc", strings(&[LOC])), ("loc", strings(&[LOC]))]), "\"loc\" stands twice", "twice"),
    ] {
        let Err(error) = Writer::new(&table.schema(), plain()) else { panic!("{why}") };
        assert!(matches!(error.kind, ErrorKind::Schema(_)), "{why}");
        assert!(error.to_string().contains(expected), "{why}: {error}");
    }
}

#[test]
fn columns_of_which_nothing_is_written_are_named() {
    let table = one(vec![("sitemap", strings(&["s"])), ("title", strings(&["t"])), ("LOC", strings(&["t"]))]);
    let (_, writer) = write(&table, plain()).expect("a good table");
    assert_eq!(writer.ignored_columns(), ["title", "LOC"]);
    let other = one(vec![("title", strings(&["t"]))]);
    let mut writer = Writer::new(&table.schema(), plain()).expect("a good table");
    assert!(matches!(writer.push(&other), Err(Error { kind: ErrorKind::Schema(_), .. })), "another table");
}

// ---- rows that cannot be written ----

#[test]
fn refused_locs() {
    let long = format!("https://a.example/{}", "x".repeat(2_030));
    let encoded = format!("https://a.example/{}", "é".repeat(339));
    for (loc, code, why) in [
        (None, Code::STR007, "null"),
        (Some(""), Code::STR008, "empty"),
        (Some(" \n"), Code::STR008, "blank"),
        (Some("/p"), Code::URL001, "relative"),
        (Some("a.example/p"), Code::URL001, "no scheme"),
        (Some("//a.example/p"), Code::URL001, "no scheme, with a host"),
        (Some("ftp://a.example/p"), Code::URL002, "another scheme"),
        (Some("mailto:a@a.example"), Code::URL002, "no address of a page"),
        (Some("https:///p"), Code::URL003, "no host"),
        (Some("https://a..example/"), Code::URL004, "no possible host"),
        (Some("https://a.example:0/"), Code::URL005, "no possible port"),
        (Some(&long), Code::SIZ007, "2,048 characters"),
        (Some(&encoded), Code::SIZ007, "too long once it is encoded"),
        (Some("https://b.example/"), Code::LOC007, "another host"),
        (Some("https://www.a.example/"), Code::LOC005, "www"),
        (Some("http://a.example/"), Code::LOC002, "another scheme than the base"),
        (Some("https://a.example:8080/"), Code::LOC003, "another port"),
        (Some("https://a.example.evil.example/"), Code::LOC007, "a host that begins like ours"),
    ] {
        let table = batch(vec![("loc", Arc::new(StringArray::from(vec![loc])))]);
        assert_eq!(refusal(&table), ("loc".into(), code), "{why}");
    }
    let mut options = plain();
    options.allow_offsite = true;
    let (shards, writer) = write(&written::locs(&["https://b.example/", &long[..2_047]]), options).expect("allowed");
    assert_eq!((shards[0].rows, writer.encoded()), (2, 0), "2,047 characters are allowed");
}

#[test]
fn locs_are_encoded_and_counted() {
    let table = written::locs(&[
        "https://a.example/ü b?x=%41%zz&y",
        "HTTPS://A.example",
        "https://a.example:443/",
        " https://a.example/p ",
    ]);
    let (shards, writer) = write(&table, plain()).expect("good rows");
    assert_eq!(
        body(&shards[0]),
        "<url><loc>https://a.example/%C3%BC%20b?x=%41%25zz&amp;y</loc></url>\n\
         <url><loc>https://a.example/</loc></url>\n\
         <url><loc>https://a.example:443/</loc></url>\n\
         <url><loc>https://a.example/p</loc></url>\n"
    );
    assert_eq!(writer.encoded(), 3);
}

#[test]
fn refused_core_values() {
    for (name, array, code, why) in [
        ("lastmod", strings(&["yesterday"]), Code::DAT001, "no date"),
        ("lastmod", strings(&["2025-02-30"]), Code::DAT002, "no such day"),
        ("lastmod", strings(&["2025-1-5"]), Code::DAT008, "not padded: ours to write, not to repair"),
        ("lastmod", strings(&["01/02/2025"]), Code::DAT009, "January or February"),
        ("lastmod", strings(&["1735689600"]), Code::DAT010, "seconds since 1970"),
        ("lastmod", Arc::new(TimestampMicrosecondArray::from(vec![i64::MAX])) as ArrayRef, Code::DAT018, "far future"),
        ("lastmod", Arc::new(TimestampSecondArray::from(vec![i64::MAX])), Code::DAT001, "beyond 64 bits"),
        ("lastmod", Arc::new(Date32Array::from(vec![i32::MAX])), Code::DAT018, "far future"),
        ("changefreq", strings(&["biweekly"]), Code::HNT001, "another word"),
        ("priority", Arc::new(Float64Array::from(vec![1.1])), Code::HNT004, "above"),
        ("priority", Arc::new(Float64Array::from(vec![-0.1])), Code::HNT004, "below"),
        ("priority", Arc::new(Float64Array::from(vec![f64::NAN])), Code::HNT003, "no number"),
        ("priority", Arc::new(Float64Array::from(vec![f64::INFINITY])), Code::HNT003, "no number either"),
        ("priority", strings(&["80%"]), Code::HNT003, "no decimal"),
    ] {
        assert_eq!(refusal(&one(vec![(name, array)])), (name.into(), code), "{why}");
    }
    let lastmod: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![0]));
    let table = one(vec![("lastmod", lastmod), ("lastmod_form", strings(&["sometimes"]))]);
    assert_eq!(refusal(&table), ("lastmod_form".into(), Code::DAT001));
}

#[test]
fn letter_case_of_a_word_is_repaired_and_said() {
    let (shards, mut writer) = write(&one(vec![("changefreq", strings(&["Daily"]))]), plain()).expect("beyond doubt");
    assert!(body(&shards[0]).contains("<changefreq>daily</changefreq>"));
    let fault = writer.faults().pop().expect("a note");
    assert_eq!((fault.code, fault.fix.as_deref(), fault.entry), (Code::HNT002, Some("daily"), Some(0)));
    assert_eq!(writer.skipped(), 0);
}

/// Names and values of a struct.
type Named<'a> = [(&'a str, Option<&'a str>)];

/// A struct of one row, of strings; a name with slashes goes into a struct within.
fn nested(values: &Named<'_>) -> ArrayRef {
    let mut fields = Vec::new();
    let mut arrays: Vec<ArrayRef> = Vec::new();
    let mut inner: Vec<(&str, Vec<_>)> = Vec::new();
    for (name, value) in values {
        if let Some((outer, rest)) = name.split_once('/') {
            match inner.iter_mut().find(|(n, _)| *n == outer) {
                Some((_, list)) => list.push((rest, *value)),
                None => inner.push((outer, vec![(rest, *value)])),
            }
            continue;
        }
        fields.push(Field::new(*name, DataType::Utf8, true));
        arrays.push(Arc::new(StringArray::from(vec![*value])));
    }
    for (name, values) in inner {
        let array = nested(&values);
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    Arc::new(StructArray::new(fields.into(), arrays, None))
}

fn listed(item: &ArrayRef, times: usize) -> ArrayRef {
    let items: Vec<&dyn Array> = (0..times).map(|_| item as &dyn Array).collect();
    let items = arrow_select::concat::concat(&items).expect("one type");
    let field = Arc::new(Field::new("item", items.data_type().clone(), true));
    Arc::new(ListArray::new(field, OffsetBuffer::from_lengths([times]), items, None))
}

/// A good struct with one value changed or added.
fn with<'a>(good: &Named<'a>, name: &'a str, value: Option<&'a str>) -> ArrayRef {
    let mut all = good.to_vec();
    match all.iter_mut().find(|(n, _)| *n == name) {
        Some((_, old)) => *old = value,
        None => all.push((name, value)),
    }
    nested(&all)
}

const IMAGE: &Named<'static> = &[("loc", Some("https://cdn.example/i.png"))];
const VIDEO: &Named<'static> =
    &[("thumbnail_loc", Some("https://a.example/t.png")), ("title", Some("t")), ("description", Some("d"))];
const NEWS: &Named<'static> = &[
    ("publication/name", Some("Times")),
    ("publication/language", Some("en")),
    ("publication_date", Some("2025-01-01")),
    ("title", Some("t")),
];
const LINK: &Named<'static> = &[("hreflang", Some("de")), ("href", Some("https://a.example/de"))];

#[test]
fn refused_extensions() {
    type Case<'a> = (&'a str, &'a Named<'a>, &'a str, Option<&'a str>, &'a str, Code);
    let long = "x".repeat(2_049);
    let rows: &[Case<'_>] = &[
        ("images", IMAGE, "loc", None, "images[0]/loc", Code::IMG001),
        ("images", IMAGE, "loc", Some(" "), "images[0]/loc", Code::IMG001),
        ("images", IMAGE, "loc", Some("/i.png"), "images[0]/loc", Code::IMG002),
        ("images", IMAGE, "loc", Some("data:image/png;base64,x"), "images[0]/loc", Code::IMG002),
        ("images", IMAGE, "title", Some("a\u{8}b"), "images[0]/title", Code::XML014),
        ("videos", VIDEO, "thumbnail_loc", None, "videos[0]/thumbnail_loc", Code::VID001),
        ("videos", VIDEO, "title", None, "videos[0]/title", Code::VID002),
        ("videos", VIDEO, "description", Some(""), "videos[0]/description", Code::VID003),
        ("videos", VIDEO, "description", Some(&long), "videos[0]/description", Code::VID005),
        ("videos", VIDEO, "duration", Some("0"), "videos[0]/duration", Code::VID007),
        ("videos", VIDEO, "duration", Some("8h"), "videos[0]/duration", Code::VID007),
        ("videos", VIDEO, "rating", Some("5.1"), "videos[0]/rating", Code::VID008),
        ("videos", VIDEO, "view_count", Some("-1"), "videos[0]/view_count", Code::VID009),
        ("videos", VIDEO, "expiration_date", Some("2025-01"), "videos[0]/expiration_date", Code::VID010),
        ("videos", VIDEO, "publication_date", Some("2025-01-01T10:00Z"), "videos[0]/publication_date", Code::VID010),
        ("videos", VIDEO, "publication_date", Some("2025-01-01T10:00:00"), "videos[0]/publication_date", Code::VID010),
        ("videos", VIDEO, "family_friendly", Some("true"), "videos[0]/family_friendly", Code::VID012),
        (
            "videos",
            VIDEO,
            "restriction_relationship",
            Some("allow"),
            "videos[0]/restriction_relationship",
            Code::STR020,
        ),
        ("videos", VIDEO, "uploader", Some(&long), "videos[0]/uploader", Code::VID018),
        ("videos", VIDEO, "content_loc", Some("/v.mp4"), "videos[0]/content_loc", Code::VID034),
        ("videos", VIDEO, "content_loc", Some("rtmp://a.example/v"), "videos[0]/content_loc", Code::VID026),
        ("news", NEWS, "publication/name", None, "news/publication/name", Code::NWS002),
        ("news", NEWS, "publication/language", None, "news/publication/language", Code::NWS003),
        ("news", NEWS, "publication_date", None, "news/publication_date", Code::NWS005),
        ("news", NEWS, "publication_date", Some("2025-01"), "news/publication_date", Code::NWS006),
        ("news", NEWS, "title", None, "news/title", Code::NWS007),
        ("alternates", LINK, "href", None, "alternates[0]/href", Code::ALT001),
        ("alternates", LINK, "href", Some("/de"), "alternates[0]/href", Code::ALT004),
        ("alternates", LINK, "hreflang", Some("d\0e"), "alternates[0]/hreflang", Code::XML014),
        ("codesearch", &[("filetype", Some("archive"))], "filetype", None, "codesearch/filetype", Code::EXT010),
        ("geo", &[("format", Some("kml"))], "format", None, "geo/format", Code::EXT011),
    ];
    for (column, good, name, value, path, code) in rows {
        let list = Schema::standard().groups[URL_GROUP].columns.iter().any(|c| c.name == *column && c.list);
        let wrap = |item: ArrayRef| if list { listed(&item, 1) } else { item };
        rest(&one(vec![(column, wrap(nested(good)))]));
        let table = one(vec![(column, wrap(with(good, name, *value)))]);
        assert_eq!(refusal(&table), ((*path).to_owned(), *code), "{column} {name} {value:?}");
    }
    let publication = {
        let empty = StructArray::from(vec![
            (
                Arc::new(Field::new(
                    "publication",
                    nested(&[("name", None), ("language", None)]).data_type().clone(),
                    true,
                )),
                arrow_array::new_null_array(nested(&[("name", None), ("language", None)]).data_type(), 1),
            ),
            (Arc::new(Field::new("publication_date", DataType::Utf8, true)), strings(&["2025-01-01"])),
            (Arc::new(Field::new("title", DataType::Utf8, true)), strings(&["t"])),
        ]);
        Arc::new(empty) as ArrayRef
    };
    assert_eq!(refusal(&one(vec![("news", publication)])), ("news/publication".into(), Code::NWS001));
}

#[test]
fn too_many_items() {
    let table = |times| one(vec![("images", listed(&nested(IMAGE), times))]);
    rest(&table(1_000));
    assert_eq!(refusal(&table(1_001)), ("images".into(), Code::IMG003));
    let tags = |times: usize| {
        let mut video = nested(VIDEO).as_any().downcast_ref::<StructArray>().expect("a struct").clone();
        let tags = listed(&strings(&["x"]), times);
        let mut fields: Vec<_> = video.fields().iter().cloned().collect();
        fields.push(Arc::new(Field::new("tag", tags.data_type().clone(), true)));
        let mut arrays = video.columns().to_vec();
        arrays.push(tags);
        video = StructArray::new(fields.into(), arrays, None);
        one(vec![("videos", listed(&(Arc::new(video) as ArrayRef), 1))])
    };
    rest(&tags(32));
    assert_eq!(refusal(&tags(33)), ("videos[0]/tag".into(), Code::VID016));
}

#[test]
fn doubtful_values_are_written_and_said() {
    let title = "x".repeat(101);
    assert_eq!(Code::VID006.rule().severity, Severity::Warning);
    let table = one(vec![("videos", listed(&with(VIDEO, "title", Some(&title)), 1))]);
    let (shards, mut writer) = write(&table, plain()).expect("the schema's limit alone");
    assert!(body(&shards[0]).contains(&title));
    let fault = writer.faults().pop().expect("a note");
    assert_eq!((fault.code, fault.element.as_deref()), (Code::VID006, Some("videos[0]/title")));
}

#[test]
fn addresses_that_extensions_take() {
    let video = rest(&one(vec![("videos", listed(&with(VIDEO, "content_loc", Some("ftp://a.example/v 1.mp4")), 1))]));
    assert!(video.contains("<video:content_loc>ftp://a.example/v%201.mp4</video:content_loc>"), "{video}");
    let app =
        rest(&one(vec![("alternates", listed(&with(LINK, "href", Some("android-app://com.example/x?a&\"b\"")), 1))]));
    assert_eq!(
        app,
        "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"android-app://com.example/x?a&amp;&quot;b&quot;\"/>"
    );
    let media = rest(&one(vec![(
        "alternates",
        listed(&nested(&[("media", Some("only screen")), ("href", Some("https://m.example/"))]), 1),
    )]));
    assert_eq!(media, "<xhtml:link rel=\"alternate\" media=\"only screen\" href=\"https://m.example/\"/>");
    let links = |values: &Named<'_>| rest(&one(vec![("alternates", listed(&nested(values), 1))]));
    let beside = links(&[("hreflang", Some("")), ("media", Some("m")), ("href", Some("https://m.example/"))]);
    assert_eq!(
        beside, "<xhtml:link rel=\"alternate\" media=\"m\" href=\"https://m.example/\"/>",
        "as if there was none"
    );
    let app = links(&[("href", Some("android-app://com.example/x"))]);
    assert_eq!(app, "<xhtml:link rel=\"alternate\" href=\"android-app://com.example/x\"/>", "apps have no language");
}

#[test]
fn refused_rows_leave_no_trace_and_are_counted() {
    let locs = ["https://a.example/1", "/2", "https://a.example/3", "", "https://a.example/5"];
    let priority = vec![Some(0.1), None, Some(2.0), None, None];
    let table = batch(vec![("loc", strings(&locs)), ("priority", Arc::new(Float64Array::from(priority)))]);
    let mut writer = Writer::new(&table.schema(), plain()).expect("a good table");
    let error = writer.push(&table).expect_err("three bad rows");
    assert_eq!(error.offset, 1);
    assert_eq!(
        error.to_string(),
        "row 1 cannot be written: column \"loc\": loc \"/2\" is relative, an absolute http or https URL was expected"
    );
    let of = |faults: Vec<urlset::codes::Fault>| faults.iter().map(|f| (f.entry, f.code)).collect::<Vec<_>>();
    let expected = [(Some(1), Code::URL001), (Some(2), Code::HNT004), (Some(3), Code::STR008)];
    assert_eq!(of(writer.faults()), expected, "all of the batch");
    assert!(writer.push(&table).is_err() && writer.finish().is_err(), "nothing more after an error");

    let mut options = plain();
    options.on_error = OnError::Skip;
    let (shards, mut writer) = write(&table, options).expect("the others go on");
    assert_eq!(
        body(&shards[0]),
        "<url><loc>https://a.example/1</loc><priority>0.1</priority></url>\n<url><loc>https://a.example/5</loc></url>\n"
    );
    assert_eq!((shards[0].rows, writer.rows(), writer.skipped()), (2, 5, 3));
    let faults = writer.faults();
    assert_eq!(faults[1].url.as_deref(), Some("https://a.example/3"));
    assert_eq!(of(faults), expected);
}

#[test]
fn details_are_capped_and_totals_are_not() {
    let mut options = plain();
    options.on_error = OnError::Skip;
    options.max_faults = 2;
    let (shards, mut writer) = write(&written::locs(&["/"; 5]), options).expect("skipped");
    assert!(shards.is_empty());
    assert_eq!((writer.faults().len(), writer.total(Code::URL001), writer.skipped()), (2, 5, 5));
}

#[test]
fn newest_date_of_a_file() {
    let micros: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![Some(86_400_000_000), None, Some(0)]));
    let locs = strings(&["https://a.example/1", "https://a.example/2", "https://a.example/3"]);
    for (form, expected) in [("date", Form::DATE), ("seconds Z", Form::SECONDS_Z)] {
        let table =
            batch(vec![("loc", locs.clone()), ("lastmod", micros.clone()), ("lastmod_form", strings(&[form; 3]))]);
        assert_eq!(write(&table, plain()).expect("good rows").0[0].lastmod, Some((86_400_000_000, expected)));
    }
    let texts = strings(&["2025-01-01T01:00:00+02:00", "2025-01-01", ""]);
    let table = batch(vec![("loc", locs), ("lastmod", texts)]);
    let shard = &write(&table, plain()).expect("good rows").0[0];
    assert_eq!(shard.lastmod, Some((1_735_689_600_000_000, Form::SECONDS_Z)), "texts compare as instants");
}

#[test]
fn bad_options_are_refused() {
    type Change = fn(&mut urlset::write::Options);
    let cases: [(Change, &str); 9] = [
        (|o| o.max_urls = 0, "max_urls"),
        (|o| o.max_urls = 50_001, "max_urls"),
        (|o| o.max_bytes = 52_428_801, "max_bytes"),
        (|o| o.level = 13, "level"),
        (|o| o.threads = 0, "threads"),
        (|o| o.base = "a.example".into(), "base"),
        (|o| o.base = "https://a.example/?q".into(), "base"),
        (|o| o.name = Some("a/b".into()), "name"),
        (|o| o.stylesheet = Some("\0".into()), "stylesheet"),
    ];
    for (change, name) in cases {
        let mut options = plain();
        change(&mut options);
        let Err(error) = Writer::new(&written::locs(&[]).schema(), options) else { panic!("{name}") };
        assert!(matches!(error.kind, ErrorKind::Option(_)) && error.to_string().contains(name), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Any text that is written is read back as it was; any that is not has a character that XML forbids.
    #[test]
    fn texts_read_back(title in "[\\PC&<>\"'\\]\r\n\t\u{0}-\u{1f}\u{fffd}-\u{ffff}]{0,30}", caption in any::<String>()) {
        let image = nested(&[("loc", Some("https://a.example/i")), ("caption", Some(&caption)), ("title", Some(&title))]);
        let table = one(vec![("images", listed(&image, 1))]);
        let good = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..);
        let blank = |t: &str| t.chars().all(|c| matches!(c, '\t' | '\n' | '\r' | ' '));
        match write(&table, plain()) {
            Ok((shards, _)) => {
                let root = parse(&shards[0].data);
                let image = &root.children[0].children[1];
                for (name, value) in [("caption", &caption), ("title", &title)] {
                    let read = image.children.iter().find(|c| c.name == name).map(|c| c.text.as_str());
                    prop_assert_eq!(read, if blank(value) { None } else { Some(value.as_str()) });
                }
            }
            Err(_) => prop_assert!(!caption.chars().chain(title.chars()).all(good)),
        }
    }

    /// Whatever the address: it is refused, or written so that it reads back as an address that needs no encoding.
    #[test]
    fn locs_read_back(loc in "(https?://)?[a-zA-Z.:@ü]{0,12}[\\PC/?#&%<>\" ]{0,30}") {
        let mut options = plain();
        options.allow_offsite = true;
        if let Ok((shards, _)) = write(&written::locs(&[&loc]), options.clone()) {
            let read = parse(&shards[0].data).children[0].children[0].text.clone();
            prop_assert_eq!(&read, &shards[0].first);
            let (again, writer) = write(&written::locs(&[&read]), options).expect("an address");
            prop_assert_eq!(writer.encoded(), 0);
            prop_assert_eq!(&again[0].data, &shards[0].data);
        }
    }
}
