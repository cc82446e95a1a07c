//! What the writer says: each code that it speaks, with the smallest row that makes it.

mod written;

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, ListArray, RecordBatch, StringArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, Schema as ArrowSchema};
use urlset::codes::{Code, Status};
use urlset::schema::{GroupId, Kind, Schema, URL_GROUP};
use urlset::write::{Child, OnError, Options, Profile, Writer, index};
use written::{batch, plain};

const LOC: &str = "https://a.example/p";

/// A row of texts; `images[]/loc` is the `loc` of the only item of `images`, `tag[33]` a list of so many items.
fn row(values: &[(&str, Option<&str>)]) -> RecordBatch {
    batch(columns(values))
}

fn columns<'a>(values: &[(&'a str, Option<&str>)]) -> Vec<(&'a str, ArrayRef)> {
    let mut names: Vec<&str> = Vec::new();
    for name in values.iter().map(|(path, _)| path.split('/').next().unwrap_or(path)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.into_iter().map(|name| column(name, values)).collect()
}

fn column<'a>(name: &'a str, values: &[(&'a str, Option<&str>)]) -> (&'a str, ArrayRef) {
    let inner: Vec<_> =
        values.iter().filter_map(|(path, value)| Some((path.strip_prefix(name)?.strip_prefix('/')?, *value))).collect();
    let item: ArrayRef = if inner.is_empty() {
        let value = values.iter().find(|(path, _)| *path == name).and_then(|(_, value)| *value);
        Arc::new(StringArray::from(vec![value]))
    } else {
        let fields =
            |(name, array): (&str, ArrayRef)| (Arc::new(Field::new(name, array.data_type().clone(), true)), array);
        Arc::new(StructArray::from(columns(&inner).into_iter().map(fields).collect::<Vec<_>>()))
    };
    let Some((name, times)) = name.split_once('[') else { return (name, item) };
    let times = times.trim_end_matches(']').parse().unwrap_or(1);
    let items: Vec<&dyn Array> = (0..times).map(|_| &*item).collect();
    let items = arrow_select::concat::concat(&items).expect("one type");
    let field = Arc::new(Field::new("item", items.data_type().clone(), true));
    (name, Arc::new(ListArray::new(field, OffsetBuffer::from_lengths([times]), items, None)))
}

const ITEM: &[(&str, &str)] = &[
    ("images", "loc=https://a.example/i"),
    (
        "videos",
        "thumbnail_loc=https://a.example/t title=t description=d tvshow/show_title=t tvshow/video_type=full id[]/id=x id[]/type=url",
    ),
    ("news", "publication/name=n publication/language=en publication_date=2025-01-01 title=t"),
    ("alternates", "hreflang=de href=https://a.example/de"),
];

/// A good item of a column with one value changed, added or taken away.
fn item(column: &str, name: &str, value: Option<&str>) -> RecordBatch {
    let plain = column.split('[').next().unwrap_or(column);
    let good = ITEM.iter().find(|(of, _)| *of == plain).map_or("", |(_, good)| good);
    let mut values: Vec<(String, Option<&str>)> = vec![("loc".into(), Some(LOC))];
    for (path, value) in good.split_whitespace().filter_map(|pair| pair.split_once('=')) {
        if path != name {
            values.push((format!("{column}/{path}"), Some(value)));
        }
    }
    values.push((format!("{column}/{name}"), value));
    row(&values.iter().map(|(path, value)| (path.as_str(), *value)).collect::<Vec<_>>())
}

/// What is said of the only row, refused or not.
fn told(table: &RecordBatch, options: Options) -> Vec<Code> {
    let mut options = options;
    options.on_error = OnError::Skip;
    let mut writer = Writer::new(&table.schema(), options).unwrap_or_else(|e| panic!("{e}"));
    writer.push(table).expect("rows are skipped");
    writer.faults().iter().map(|fault| fault.code).collect()
}

/// The rows, by the codes they make.
fn rows() -> Vec<(Code, RecordBatch)> {
    let long = "x".repeat(2_049);
    let deep = format!("https://a.example/{long}");
    let loc = |loc| row(&[("loc", loc)]);
    let core = |name, value| row(&[("loc", Some(LOC)), (name, Some(value))]);
    let video = |name, value| item("videos[]", name, value);
    let link = |name, value| item("alternates[]", name, value);
    let news = |name, value| item("news", name, value);
    vec![
        (Code::STR007, loc(None)),
        (Code::STR008, loc(Some(" "))),
        (Code::URL001, loc(Some("/p"))),
        (Code::URL002, loc(Some("ftp://a.example/"))),
        (Code::URL003, loc(Some("https:///p"))),
        (Code::URL004, loc(Some("https://a..example/"))),
        (Code::URL005, loc(Some("https://a.example:0/"))),
        (Code::SIZ007, loc(Some(&deep))),
        (Code::LOC002, loc(Some("http://a.example/"))),
        (Code::LOC003, loc(Some("https://a.example:8080/"))),
        (Code::LOC005, loc(Some("https://www.a.example/"))),
        (Code::LOC007, loc(Some("https://b.example/"))),
        (Code::DAT001, core("lastmod", "yesterday")),
        (Code::DAT002, core("lastmod", "2025-02-30")),
        (Code::DAT008, core("lastmod", "2025-1-5")),
        (Code::DAT009, core("lastmod", "01/02/2025")),
        (Code::DAT010, core("lastmod", "1735689600")),
        (Code::HNT001, core("changefreq", "biweekly")),
        (Code::HNT002, core("changefreq", "Daily")),
        (Code::HNT003, core("priority", "80%")),
        (Code::HNT004, core("priority", "1.1")),
        (Code::XML014, item("images[]", "title", Some("\u{8}"))),
        (Code::IMG001, item("images[]", "loc", None)),
        (Code::IMG002, item("images[]", "loc", Some("/i"))),
        (Code::IMG003, item("images[1001]", "title", Some("t"))),
        (Code::IMG008, item("images[]", "license", Some("/l"))),
        (Code::VID001, video("thumbnail_loc", None)),
        (Code::VID002, video("title", None)),
        (Code::VID003, video("description", None)),
        (Code::VID005, video("description", Some(&long))),
        (Code::VID006, video("title", Some(&long))),
        (Code::VID007, video("duration", Some("0"))),
        (Code::VID008, video("rating", Some("5.1"))),
        (Code::VID009, video("view_count", Some("-1"))),
        (Code::VID010, video("expiration_date", Some("2025-01"))),
        (Code::VID012, video("live", Some("1"))),
        (Code::VID013, video("restriction_relationship", Some("x"))),
        (Code::VID014, video("restriction", Some("usa"))),
        (Code::VID015, video("platform", Some("web"))),
        (Code::VID015, video("platform_relationship", Some("x"))),
        (Code::VID016, video("tag[33]", Some("t"))),
        (Code::VID017, video("category", Some(&long))),
        (Code::VID018, video("uploader", Some(&long))),
        (Code::VID024, video("tvshow/video_type", Some("x"))),
        (Code::VID026, video("content_loc", Some("rtmp://a.example/"))),
        (Code::VID031, video("id[]/id", None)),
        (Code::VID034, video("content_loc", Some("/v"))),
        (Code::NWS002, news("publication/name", None)),
        (Code::NWS003, news("publication/language", None)),
        (Code::NWS004, news("publication/language", Some("en-US"))),
        (Code::NWS005, news("publication_date", None)),
        (Code::NWS006, news("publication_date", Some("2025"))),
        (Code::NWS007, news("title", None)),
        (Code::ALT001, link("href", None)),
        (Code::ALT002, link("hreflang", Some(""))),
        (Code::ALT004, link("href", Some("/de"))),
        (Code::ALT005, link("hreflang", Some("english"))),
        (Code::ALT006, link("hreflang", Some("en-UK"))),
        (Code::ALT007, link("hreflang", Some("us"))),
        (Code::ALT014, link("hreflang", Some("x_default"))),
        (Code::EXT005, item("pagemap", "objects[]/type", None)),
        (
            Code::EXT006,
            row(&[
                ("loc", Some(LOC)),
                ("pagemap/objects[]/type", Some("t")),
                ("pagemap/objects[]/attributes[]/name", None),
            ]),
        ),
        (Code::EXT010, item("codesearch", "filetype", None)),
        (Code::EXT011, item("geo", "format", None)),
    ]
}

#[test]
fn each_code_has_its_row() {
    for (code, table) in rows() {
        let got = told(&table, plain());
        assert_eq!(got, [code], "{:?}", table.column(table.num_columns() - 1));
        assert_eq!(code.rule().status, Status::Active, "{code}: it is spoken");
    }
}

#[test]
fn codes_that_take_more_than_a_row() {
    let mut small = plain();
    small.max_bytes = 150;
    assert_eq!(told(&row(&[("loc", Some(LOC))]), small), [Code::SIZ002]);
    let mut options = plain();
    options.profile = Profile::Classic;
    for (loc, code) in [("https://b.example/s.xml", Code::LOC009), ("https://a.example/s.xml", Code::IDX003)] {
        let child = Child { loc: loc.into(), lastmod: None };
        let error = index(&[child], &options).expect_err("no index").to_string();
        let told = urlset::codes::Fault::new(code).element("loc").value(loc).message();
        assert!(error.contains(&told), "{error}\n{told}");
        assert_eq!(code.rule().status, Status::Active);
    }
    let publication = StructArray::new_null(
        vec![Field::new("name", DataType::Utf8, true), Field::new("language", DataType::Utf8, true)].into(),
        1,
    );
    let news = [
        ("publication", Arc::new(publication) as ArrayRef),
        ("publication_date", Arc::new(StringArray::from(vec!["2025-01-01"]))),
        ("title", Arc::new(StringArray::from(vec!["t"]))),
    ];
    let news = news.map(|(name, array)| (Arc::new(Field::new(name, array.data_type().clone(), true)), array));
    let table = batch(vec![
        ("loc", Arc::new(StringArray::from(vec![LOC]))),
        ("news", Arc::new(StructArray::from(news.to_vec()))),
    ]);
    assert_eq!(told(&table, plain()), [Code::NWS001]);
}

#[test]
fn a_users_own_element_has_the_general_codes() {
    let own = |name: &str, ty: DataType, facts: &[(&str, &str)]| {
        let facts = facts.iter().chain(&[("namespace", "urn:o"), ("prefix", "o")]);
        let facts = facts.map(|(k, v)| (format!("urlset:{k}"), (*v).to_owned())).collect();
        Field::new(name, ty, true).with_metadata(facts)
    };
    let text = || DataType::Utf8;
    let many = DataType::List(Arc::new(Field::new("item", text(), true)));
    let fields = vec![
        own("word", text(), &[("kind", "choice"), ("values", "one two")]),
        own("yes", DataType::Boolean, &[]),
        own("number", DataType::Int64, &[("min", "1"), ("max", "9")]),
        own("short", text(), &[("max_chars", "3")]),
        own("some", many, &[("max_items", "1")]),
        own("page", text(), &[("kind", "url")]),
    ];
    let schema = Schema::with_extensions(&[Arc::new(ArrowSchema::new(fields))]).expect("good elements");
    for (name, value, code) in [
        ("word", "three", Code::STR020),
        ("word", "ONE", Code::STR020),
        ("yes", "perhaps", Code::STR020),
        ("number", "x", Code::STR020),
        ("number", "10", Code::STR020),
        ("short", "four", Code::SIZ007),
        ("some[2]", "x", Code::STR010),
        ("page", "/p", Code::URL001),
        ("page", "ftp://a.example/", Code::URL002),
    ] {
        let mut options = plain();
        options.schema = Arc::clone(&schema);
        assert_eq!(told(&row(&[("loc", Some(LOC)), (name, Some(value))]), options), [code], "{name} {value}");
    }
}

/// Every code that a row of the table can make the writer say.
fn sayable(schema: &Schema, group: GroupId, codes: &mut HashSet<Code>) {
    for field in &schema.groups[group].fields {
        let all = field.codes;
        let url = matches!(field.kind, Kind::Url | Kind::Address);
        let strict = field.kind.is_strict() && !matches!(field.kind, Kind::Date);
        codes.extend(field.required.then_some(all.missing));
        codes.extend(field.many.filter(|max| *max < u32::MAX).map(|_| all.most));
        codes.extend(field.chars.map(|_| all.long));
        codes.extend(field.range.map(|_| all.range));
        codes.extend(strict.then_some(all.invalid));
        codes.extend(matches!(field.kind, Kind::Choice(_)).then_some(all.case));
        codes.extend(url.then_some(all.address).flatten());
        codes.extend(url.then_some(all.scheme).flatten());
        codes.extend(field.unless.map(|(_, code)| code));
        if let Kind::Group(inner) = field.kind {
            sayable(schema, inner, codes);
        }
    }
}

#[test]
fn no_code_of_the_table_is_without_a_row() {
    let mut codes = HashSet::new();
    sayable(&Schema::standard(), URL_GROUP, &mut codes);
    assert!(codes.len() > 30, "{codes:?}");
    for (code, _) in rows() {
        codes.remove(&code);
    }
    assert_eq!(codes, HashSet::from([Code::NWS001]), "told by the test above alone");
}

#[test]
fn codes_are_found_by_path() {
    let schema = Schema::standard();
    for (path, code) in [
        ("loc", Code::STR007),
        ("lastmod", Code::DAT001),
        ("lastmod_form", Code::DAT001),
        ("changefreq", Code::HNT001),
        ("priority", Code::HNT003),
        ("videos[1]/duration", Code::VID007),
        ("news/publication/language", Code::NWS004),
        ("images", Code::STR020),
    ] {
        assert_eq!(schema.field(path).map(|field| field.codes.invalid), Some(code), "{path}");
    }
    for path in ["", "x", "loc/x", "images[0]/x", "sitemap"] {
        assert!(schema.field(path).is_none(), "{path:?}");
    }
}
