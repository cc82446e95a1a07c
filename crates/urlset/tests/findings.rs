//! The findings table, frozen: names, types, nulls, and fingerprints that a rebuilt file keeps.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use urlset::codes::{Code, Fault};
use urlset::columns::findings::{fingerprint, schema, table};

/// Name, type, whether it may be null.
const FROZEN: &[(&str, &str, bool)] = &[
    ("code", "Dictionary(Int32, Utf8)", false),
    ("name", "Dictionary(Int32, Utf8)", false),
    ("severity", "Dictionary(Int32, Utf8)", false),
    ("message", "Utf8", false),
    ("authority", "Dictionary(Int32, Utf8)", false),
    ("file", "Dictionary(Int32, Utf8)", true),
    ("byte_offset", "Int64", true),
    ("end_offset", "Int64", true),
    ("line", "Int64", true),
    ("column", "Int64", true),
    ("entry", "Int64", true),
    ("element", "Utf8", true),
    ("url", "Utf8", true),
    ("value", "Utf8", true),
    ("fix", "Utf8", true),
    ("related", "List(non-null Struct(\"file\": Utf8, \"entry\": Int64))", true),
    ("fingerprint", "Utf8", false),
    ("count", "Int64", false),
];

#[test]
fn the_schema_is_frozen() {
    let schema = schema();
    let got: Vec<_> =
        schema.fields().iter().map(|f| (f.name().as_str(), f.data_type().to_string(), f.is_nullable())).collect();
    let frozen: Vec<_> = FROZEN.iter().map(|&(name, kind, null)| (name, kind.to_owned(), null)).collect();
    assert_eq!(got, frozen);
    assert!(schema.metadata().is_empty());
}

fn word(batch: &RecordBatch, column: &str, row: usize) -> Option<String> {
    let words = batch.column_by_name(column).unwrap().as_dictionary::<Int32Type>();
    let texts = words.values().as_string::<i32>();
    words.key(row).map(|key| texts.value(key).to_owned())
}

fn text(batch: &RecordBatch, column: &str, row: usize) -> Option<String> {
    let texts = batch.column_by_name(column).unwrap().as_string::<i32>();
    texts.is_valid(row).then(|| texts.value(row).to_owned())
}

fn number(batch: &RecordBatch, column: &str, row: usize) -> Option<i64> {
    let numbers = batch.column_by_name(column).unwrap().as_primitive::<Int64Type>();
    numbers.is_valid(row).then(|| numbers.value(row))
}

fn full() -> Fault {
    let mut fault = Fault::new(Code::URL006)
        .at(120, 131)
        .element("url[4]/loc")
        .value("http://a.example/%zz")
        .fix("http://a.example/%25zz");
    fault.line = Some(7);
    fault.column = Some(10);
    fault.entry = Some(4);
    fault.url = Some("http://a.example/%zz".into());
    fault.count = 3;
    fault
}

#[test]
fn a_fault_becomes_a_row() {
    let batch = table(&[full()], "a/sitemap.xml").unwrap();
    assert_eq!(word(&batch, "code", 0).unwrap(), "URL006");
    assert_eq!(word(&batch, "name", 0).unwrap(), "loc-bad-percent");
    assert_eq!(word(&batch, "severity", 0).unwrap(), "error");
    assert_eq!(word(&batch, "authority", 0).unwrap(), "R3986");
    assert_eq!(word(&batch, "file", 0).unwrap(), "a/sitemap.xml");
    assert_eq!(text(&batch, "message", 0).unwrap(), full().message());
    let numbers =
        ["byte_offset", "end_offset", "line", "column", "entry", "count"].map(|c| number(&batch, c, 0).unwrap());
    assert_eq!(numbers, [120, 131, 7, 10, 4, 3]);
    assert_eq!(text(&batch, "element", 0).unwrap(), "url[4]/loc");
    assert_eq!(text(&batch, "url", 0).unwrap(), "http://a.example/%zz");
    assert_eq!(text(&batch, "value", 0).unwrap(), "http://a.example/%zz");
    assert_eq!(text(&batch, "fix", 0).unwrap(), "http://a.example/%25zz");
    assert_eq!(text(&batch, "fingerprint", 0).unwrap(), format!("{:016x}", fingerprint(&full())));
}

#[test]
fn unknown_is_null_and_zero_is_zero() {
    let mut zero = Fault::new(Code::XML021).at(0, 0);
    zero.entry = Some(0);
    let batch = table(&[Fault::new(Code::XML021), zero], "").unwrap();
    for (i, &(name, _, nullable)) in FROZEN.iter().enumerate() {
        assert_eq!(batch.column(i).is_null(0), nullable, "{name}");
    }
    assert_eq!(number(&batch, "count", 0), Some(1));
    for column in ["byte_offset", "end_offset", "entry"] {
        assert_eq!(number(&batch, column, 1), Some(0), "{column}");
    }
}

#[test]
fn numbers_beyond_64_signed_bits_are_unknown() {
    let batch = table(&[Fault::new(Code::XML021).at(u64::MAX, i64::MAX as u64)], "").unwrap();
    assert_eq!(number(&batch, "byte_offset", 0), None);
    assert_eq!(number(&batch, "end_offset", 0), Some(i64::MAX));
}

#[test]
fn no_fault_is_a_table_without_rows() {
    let batch = table(&[], "sitemap.xml").unwrap();
    assert_eq!((batch.num_rows(), batch.num_columns()), (0, FROZEN.len()));
}

#[test]
fn order_is_kept_and_words_are_stored_once() {
    let codes = [Code::URL006, Code::XML003, Code::URL006, Code::DAT001];
    let batch = table(&codes.map(Fault::new), "s.xml").unwrap();
    for (row, code) in codes.iter().enumerate() {
        assert_eq!(word(&batch, "code", row).unwrap(), code.rule().code);
    }
    let stored = |column: &str| batch.column_by_name(column).unwrap().as_dictionary::<Int32Type>().values().len();
    assert_eq!([stored("code"), stored("name"), stored("severity"), stored("file")], [3, 3, 1, 1]);
}

#[test]
fn fingerprints_are_frozen() {
    // Kept in baselines: they never change. The reference is the C implementation of XXH3, through another language.
    let hex = |fault: &Fault| format!("{:016x}", fingerprint(fault));
    assert_eq!(hex(&Fault::new(Code::XML021)), "1dd85c1e82b96aec");
    assert_eq!(hex(&full()), "903d920320e91568");
}

#[test]
fn a_fingerprint_ignores_where_and_keeps_what() {
    let same = fingerprint(&full());

    let mut moved = full();
    (moved.offset, moved.end, moved.line, moved.column, moved.entry) = (Some(9), None, Some(1), None, Some(77));
    (moved.fix, moved.detail, moved.count) = (None, Some("other words".into()), 50_000);
    assert_eq!(fingerprint(&moved.element("url[77]/loc")), same);

    let mut shouted = full();
    shouted.url = Some("HTTP://A.Example/%zz".into());
    assert_eq!(fingerprint(&shouted), same);

    let with_url = |url: &str| {
        let mut fault = full();
        fault.url = Some(url.into());
        fingerprint(&fault)
    };
    for (other, why) in [
        ("http://a.example/%ZZ", "the path keeps its case"),
        ("https://a.example/%zz", "another scheme"),
        ("http://b.example/%zz", "another host"),
        ("", "empty is not absent"),
    ] {
        assert_ne!(with_url(other), same, "{why}");
    }
    assert_eq!(with_url("HTTP://Me:Pw@A.example"), with_url("http://Me:Pw@a.EXAMPLE"));
    assert_ne!(with_url("http://Me:Pw@a.example"), with_url("http://me:pw@a.example"), "a password keeps its case");
    assert_ne!(with_url("http://a.example?Q"), with_url("http://a.example?q"), "the host ends at the query");

    assert_ne!(fingerprint(&full().element("url[4]/lastmod")), same);
    assert_ne!(
        fingerprint(&full().element("url[x]/loc")),
        fingerprint(&full().element("url/loc")),
        "only numbers are indices"
    );
    assert_eq!(fingerprint(&full().element("url[1]/image[22]/loc")), fingerprint(&full().element("url/image/loc")));
    assert_ne!(fingerprint(&full().value("x")), same);
    let mut bare = full();
    bare.value = None;
    assert_ne!(fingerprint(&bare), fingerprint(&full().value("")), "empty is not absent");
    let mut other = full();
    other.code = Code::URL007;
    assert_ne!(fingerprint(&other), same);
}

#[test]
fn parts_of_a_fingerprint_do_not_run_together() {
    let of = |url: &str, value: &str| {
        let mut fault = Fault::new(Code::URL006).value(value);
        fault.url = Some(url.into());
        fingerprint(&fault)
    };
    assert_ne!(of("ab", "c"), of("a", "bc"));
    let mut url_only = Fault::new(Code::URL006);
    url_only.url = Some("x".into());
    assert_ne!(fingerprint(&url_only), fingerprint(&Fault::new(Code::URL006).value("x")));
    assert_ne!(fingerprint(&url_only), fingerprint(&Fault::new(Code::URL006).element("x")));
}
