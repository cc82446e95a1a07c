//! Faults to the findings table, with the fingerprint that outlives a rebuilt file. Judges nothing: severities are those of the registry.

use std::sync::{Arc, LazyLock};

use arrow_array::builder::{Int64Builder, StringBuilder, StringDictionaryBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch, new_null_array};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use xxhash_rust::xxh3::Xxh3;

use crate::codes::Fault;
use crate::error::Result;

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let word = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let place =
        Fields::from(vec![Field::new("file", DataType::Utf8, true), Field::new("entry", DataType::Int64, true)]);
    let related = DataType::List(Arc::new(Field::new("item", DataType::Struct(place), false)));
    Arc::new(Schema::new(vec![
        Field::new("code", word(), false),
        Field::new("name", word(), false),
        Field::new("severity", word(), false),
        Field::new("message", DataType::Utf8, false),
        Field::new("authority", word(), false),
        Field::new("file", word(), true),
        Field::new("byte_offset", DataType::Int64, true),
        Field::new("end_offset", DataType::Int64, true),
        Field::new("line", DataType::Int64, true),
        Field::new("column", DataType::Int64, true),
        Field::new("entry", DataType::Int64, true),
        Field::new("element", DataType::Utf8, true),
        Field::new("url", DataType::Utf8, true),
        Field::new("value", DataType::Utf8, true),
        Field::new("fix", DataType::Utf8, true),
        Field::new("related", related, true),
        Field::new("fingerprint", DataType::Utf8, false),
        Field::new("count", DataType::Int64, false),
    ]))
});

/// The schema of the findings table. What is unknown is null, never 0 or empty.
pub fn schema() -> SchemaRef {
    Arc::clone(&SCHEMA)
}

/// One row a fault, in the order given. An empty `file` means that the name is not known. `related` is null here: rules
/// that compare places fill it. Fails only where Arrow does.
///
/// ```
/// use urlset::codes::{Code, Fault};
/// use urlset::columns::findings;
///
/// let fault = Fault::new(Code::URL001).at(40, 42).element("url[0]/loc").value("/a");
/// let batch = findings::table(&[fault], "sitemap.xml")?;
/// assert_eq!(batch.num_rows(), 1);
/// assert_eq!(batch.schema(), findings::schema());
/// # Ok::<(), urlset::error::Error>(())
/// ```
pub fn table(faults: &[Fault], file: &str) -> Result<RecordBatch> {
    let file = (!file.is_empty()).then_some(file);
    let columns: Vec<ArrayRef> = vec![
        words(faults, |f| Some(f.code.rule().code)),
        words(faults, |f| Some(f.code.rule().name)),
        words(faults, |f| Some(f.code.rule().severity.as_str())),
        messages(faults),
        words(faults, |f| Some(f.code.rule().authority)),
        words(faults, |_| file),
        numbers(faults, |f| f.offset),
        numbers(faults, |f| f.end),
        numbers(faults, |f| f.line),
        numbers(faults, |f| f.column),
        numbers(faults, |f| f.entry),
        texts(faults, |f| f.element.as_deref()),
        texts(faults, |f| f.url.as_deref()),
        texts(faults, |f| f.value.as_deref()),
        texts(faults, |f| f.fix.as_deref()),
        new_null_array(SCHEMA.field(15).data_type(), faults.len()),
        fingerprints(faults),
        numbers(faults, |f| Some(f.count)),
    ];
    Ok(RecordBatch::try_new(schema(), columns)?)
}

fn words<'a>(faults: &'a [Fault], of: impl Fn(&'a Fault) -> Option<&'a str>) -> ArrayRef {
    let mut column = StringDictionaryBuilder::<Int32Type>::new();
    for fault in faults {
        column.append_option(of(fault));
    }
    Arc::new(column.finish())
}

fn texts<'a>(faults: &'a [Fault], of: impl Fn(&'a Fault) -> Option<&'a str>) -> ArrayRef {
    let bytes = faults.iter().filter_map(&of).map(str::len).sum();
    let mut column = StringBuilder::with_capacity(faults.len(), bytes);
    for fault in faults {
        column.append_option(of(fault));
    }
    Arc::new(column.finish())
}

fn numbers(faults: &[Fault], of: impl Fn(&Fault) -> Option<u64>) -> ArrayRef {
    let mut column = Int64Builder::with_capacity(faults.len());
    for fault in faults {
        // Signed, since every consumer takes it; a number beyond it is as good as unknown.
        column.append_option(of(fault).and_then(|n| i64::try_from(n).ok()));
    }
    Arc::new(column.finish())
}

fn messages(faults: &[Fault]) -> ArrayRef {
    let mut column = StringBuilder::with_capacity(faults.len(), faults.len() * 96);
    for fault in faults {
        column.append_value(fault.message());
    }
    Arc::new(column.finish())
}

fn fingerprints(faults: &[Fault]) -> ArrayRef {
    let mut column = StringBuilder::with_capacity(faults.len(), faults.len() * 16);
    for fault in faults {
        column.append_value(format!("{:016x}", fingerprint(fault)));
    }
    Arc::new(column.finish())
}

/// A number that stays the same when a file is built anew and its lines move: a hash of code, url (scheme and host in lower
/// case), element path without indices, and value. Offsets, lines and entry numbers have no part in it. The hash is XXH3
/// of 64 bits with seed 0; baselines keep it, so it is frozen by a test.
///
/// ```
/// use urlset::codes::{Code, Fault};
/// use urlset::columns::findings::fingerprint;
///
/// let before = Fault::new(Code::HNT001).at(90, 97).element("url[3]/changefreq").value("often");
/// let after = Fault::new(Code::HNT001).at(7, 14).element("url[0]/changefreq").value("often");
/// assert_eq!(fingerprint(&before), fingerprint(&after));
/// ```
pub fn fingerprint(fault: &Fault) -> u64 {
    let mut hash = Xxh3::new();
    part(&mut hash, Some(fault.code.rule().code), |hash, code| hash.update(code.as_bytes()));
    part(&mut hash, fault.url.as_deref(), hash_url);
    part(&mut hash, fault.element.as_deref(), hash_path);
    part(&mut hash, fault.value.as_deref(), |hash, value| hash.update(value.as_bytes()));
    hash.digest()
}

/// Every part is closed by a byte that no UTF-8 text holds, so that parts cannot run together; an absent part has another
/// one, so that absent and empty differ.
fn part(hash: &mut Xxh3, text: Option<&str>, put: impl Fn(&mut Xxh3, &str)) {
    match text {
        Some(text) => {
            put(hash, text);
            hash.update(&[0xff]);
        }
        None => hash.update(&[0xfe]),
    }
}

fn hash_url(hash: &mut Xxh3, url: &str) {
    let Some((scheme, rest)) = url.split_once("://") else {
        return hash.update(url.as_bytes());
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user, host) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    hash.update(scheme.to_ascii_lowercase().as_bytes());
    hash.update(b"://");
    hash.update(user.as_bytes());
    hash.update(host.to_ascii_lowercase().as_bytes());
    hash.update(path.as_bytes());
}

/// Leaves out `[12]`; brackets that hold anything else are part of a name.
fn hash_path(hash: &mut Xxh3, path: &str) {
    let mut rest = path;
    while let Some((before, tail)) = rest.split_once('[') {
        hash.update(before.as_bytes());
        let digits = tail.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && tail[digits..].starts_with(']') {
            rest = &tail[digits + 1..];
        } else {
            hash.update(b"[");
            rest = tail;
        }
    }
    hash.update(rest.as_bytes());
}
