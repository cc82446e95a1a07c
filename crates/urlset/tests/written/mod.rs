//! What the tests of the writer share: tables made in place, and a plain reader of what was written.
#![allow(dead_code)] // each test file uses its part

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use quick_xml::NsReader;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;
use urlset::error::Error;
use urlset::write::{Options, Shard, Writer};

pub const BASE: &str = "https://a.example/";

/// Options that show what is written: no compression.
pub fn plain() -> Options {
    let mut options = Options::new(BASE);
    options.gzip = false;
    options
}

pub fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .expect("columns of one length")
}

pub fn strings(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

pub fn locs(values: &[&str]) -> RecordBatch {
    batch(vec![("loc", strings(values))])
}

/// Everything that one batch gives.
pub fn write(batch: &RecordBatch, options: Options) -> Result<(Vec<Shard>, Writer), Error> {
    let mut writer = Writer::new(&batch.schema(), options)?;
    let mut shards = writer.push(batch)?;
    shards.extend(writer.finish()?);
    Ok((shards, writer))
}

pub fn text(shard: &Shard) -> &str {
    std::str::from_utf8(&shard.data).expect("what is written is UTF-8")
}

/// What is between the tags of the root.
pub fn body(shard: &Shard) -> &str {
    let text = text(shard);
    let start = text.find("0.9\"").expect("a root");
    let start = start + text[start..].find(">\n").expect("the end of the root tag") + 2;
    &text[start..text.rfind("</").expect("an end tag")]
}

/// An element as an independent reader sees it.
#[derive(Debug, Default)]
pub struct Element {
    pub ns: String,
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub text: String,
    pub children: Vec<Element>,
}

impl Element {
    pub fn all(&self, ns: &str, name: &str) -> Vec<&Element> {
        self.children.iter().filter(|c| c.ns == ns && c.name == name).collect()
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// The root of a file, read by quick-xml with every check it has.
pub fn parse(xml: &[u8]) -> Element {
    let mut reader = NsReader::from_reader(xml);
    reader.config_mut().check_end_names = true;
    let mut stack = vec![Element::default()];
    loop {
        let event = reader.read_event().expect("well-formed");
        match event {
            Event::Start(ref tag) | Event::Empty(ref tag) => {
                let (ns, local) = reader.resolver().resolve_element(tag.name());
                let mut element = Element { ns: uri(ns), ..Element::default() };
                element.name = utf8(local.as_ref());
                for attribute in tag.attributes() {
                    let attribute = attribute.expect("a well-formed attribute");
                    let key = utf8(attribute.key.as_ref());
                    if !key.starts_with("xmlns") {
                        let value =
                            attribute.normalized_value(quick_xml::XmlVersion::default()).expect("an attribute value");
                        element.attributes.push((key, value.into_owned()));
                    }
                }
                if matches!(event, Event::Empty(_)) {
                    stack.last_mut().expect("a parent").children.push(element);
                } else {
                    stack.push(element);
                }
            }
            Event::End(_) => {
                let done = stack.pop().expect("an element is open");
                stack.last_mut().expect("a parent").children.push(done);
            }
            Event::Text(t) => stack.last_mut().expect("a parent").text.push_str(&t),
            Event::GeneralRef(r) => {
                let resolved = match r.resolve_char_ref().expect("a sound reference") {
                    Some(c) => c.to_string(),
                    None => match &*r {
                        "amp" => "&".into(),
                        "lt" => "<".into(),
                        "gt" => ">".into(),
                        "quot" => "\"".into(),
                        "apos" => "'".into(),
                        other => panic!("unknown entity {other}"),
                    },
                };
                stack.last_mut().expect("a parent").text.push_str(&resolved);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(stack.len(), 1, "every element is closed");
    stack.pop().expect("the document").children.pop().expect("a root")
}

fn uri(ns: ResolveResult<'_>) -> String {
    match ns {
        ResolveResult::Bound(ns) => utf8(ns.0),
        ResolveResult::Unbound => String::new(),
        ResolveResult::Unknown(prefix) => panic!("prefix {} is not declared", utf8(&prefix)),
    }
}

fn utf8(bytes: impl AsRef<[u8]>) -> String {
    String::from_utf8(bytes.as_ref().to_vec()).expect("UTF-8")
}
