//! The reader against an oracle on good input, and against itself in any chunks. Breaks nothing on purpose: that is `damage`.

#[allow(dead_code)] // each test takes what it needs
mod reading;
#[allow(dead_code)]
mod sitemaps;

use proptest::prelude::*;
use quick_xml::NsReader;
use quick_xml::XmlVersion::Implicit1_0;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;
use reading::{read, read_with};
use urlset::read::Options;
use urlset::value::date;

/// An element with its namespace, attributes, own text and children.
#[derive(Debug, Default)]
struct Element {
    ns: String,
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    fn open(ns: &ResolveResult<'_>, tag: &BytesStart<'_>) -> Self {
        let ns = if let ResolveResult::Bound(ns) = ns { ns.0.to_owned() } else { String::new() };
        let attributes = tag.attributes().map(|a| {
            let a = a.expect("a good attribute");
            (a.key.0.to_owned(), a.normalized_value(Implicit1_0).expect("a good value").into_owned())
        });
        let name = tag.local_name().into_inner().to_owned();
        Self { ns, name, attributes: attributes.collect(), ..Self::default() }
    }

    fn child(&self, ns: &'static str, name: &'static str) -> impl Iterator<Item = &Element> {
        self.children.iter().filter(move |c| c.ns == ns && c.name == name)
    }

    fn value(&self, ns: &'static str, name: &'static str) -> Option<&str> {
        Some(self.child(ns, name).next()?.text.trim_matches([' ', '\t', '\r', '\n']))
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        Some(self.attributes.iter().find(|a| a.0 == name)?.1.trim_matches(' '))
    }
}

/// The root element of a document, by quick-xml.
fn tree(document: &str) -> Element {
    let mut reader = NsReader::from_str(document);
    let mut open = vec![Element::default()];
    loop {
        let (ns, event) = reader.read_resolved_event().expect("a well-formed document");
        match event {
            Event::Start(tag) => open.push(Element::open(&ns, &tag)),
            Event::Empty(tag) => {
                let element = Element::open(&ns, &tag);
                open.last_mut().expect("inside the document").children.push(element);
            }
            Event::End(_) => {
                let element = open.pop().expect("was opened");
                open.last_mut().expect("inside the document").children.push(element);
            }
            Event::Text(text) => open.last_mut().expect("inside").text += &text.xml10_content(),
            Event::CData(text) => open.last_mut().expect("inside").text += &text.xml10_content(),
            Event::GeneralRef(reference) => {
                let text = match reference.resolve_char_ref().expect("a good reference") {
                    Some(c) => c.to_string(),
                    None => quick_xml::escape::resolve_predefined_entity(&reference.into_inner())
                        .expect("one of five")
                        .into(),
                };
                open.last_mut().expect("inside").text += &text;
            }
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    assert_eq!(open.len(), 1, "everything is closed");
    open.pop().and_then(|mut d| d.children.pop()).expect("a root")
}

const CORE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// The rows that a document says, in the form of [`reading::Reading::rows`].
fn expected(document: &str) -> Vec<String> {
    let root = tree(document);
    assert_eq!(root.ns, CORE);
    let entry = if root.name == "urlset" { "url" } else { "sitemap" };
    root.child(CORE, entry).map(row).collect()
}

fn row(entry: &Element) -> String {
    let mut parts = vec![format!("loc: {}", entry.value(CORE, "loc").expect("every entry has one"))];
    if let Some(text) = entry.value(CORE, "lastmod") {
        let read = date::w3c(text.as_bytes()).date.expect("a good date");
        let mut form = Vec::new();
        read.form.write(&mut form);
        parts.push(format!("lastmod: {}", read.micros));
        parts.push(format!("lastmod_form: {}", String::from_utf8_lossy(&form)));
    }
    parts.extend(entry.value(CORE, "changefreq").map(|text| format!("changefreq: {text}")));
    let number = |text: &str| text.parse::<f64>().expect("a good number");
    parts.extend(entry.value(CORE, "priority").map(|text| format!("priority: {}", number(text))));
    let null = |text: Option<&str>| text.unwrap_or("-").to_owned();
    let mut list = |name: &str, items: Vec<String>| {
        if !items.is_empty() {
            parts.push(format!("{name}: [{}]", items.join(", ")));
        }
    };
    let image = |i: &Element| {
        let (loc, title) = (null(i.value(IMAGE, "loc")), null(i.value(IMAGE, "title")));
        format!("{{loc: {loc}, caption: -, geo_location: -, title: {title}, license: -}}")
    };
    list("images", entry.child(IMAGE, "image").map(image).collect());
    let link = |l: &Element| {
        let (language, href) = (null(l.attribute("hreflang")), null(l.attribute("href")));
        format!("{{rel: -, hreflang: {language}, media: -, href: {href}}}")
    };
    list("alternates", entry.child(XHTML, "link").map(link).collect());
    parts.join(" | ")
}

fn cases(cases: u32) -> ProptestConfig {
    let soak = std::env::var("URLSET_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases.saturating_mul(soak)) }
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn read_matches_oracle(seed in any::<u64>(), entries in 0_usize..6) {
        let document = sitemaps::odd(seed, entries);
        let found = read(document.as_bytes());
        prop_assert_eq!(&found.rows, &expected(&document), "{}", document);
        // A document type declaration is told, whatever it says.
        let faults: Vec<_> = found.faults.iter().filter(|f| f.code.rule().code != "XML015").collect();
        prop_assert!(faults.is_empty(), "{faults:#?}\n{document}");
        prop_assert!(found.complete);
    }

    #[test]
    fn read_is_chunk_invariant(seed in any::<u64>(), sizes in prop::collection::vec(1_usize..200, 1..5)) {
        let mut document = sitemaps::odd(seed, 4).into_bytes();
        // Good once, then with a few bytes gone or changed.
        let mut dice = sitemaps::Dice::new(seed);
        for broken in 0..4 {
            let whole = read(&document);
            for sizes in [&[1][..], &sizes] {
                let found = read_with(&document, sizes, Options::default());
                let shown = document.escape_ascii().to_string();
                prop_assert_eq!(&found.rows, &whole.rows, "chunks of {:?}, {} broken\n{}", sizes, broken, shown);
                for (found, whole) in found.faults.iter().zip(&whole.faults) {
                    prop_assert_eq!(found, whole, "chunks of {:?}, {} broken\n{}", sizes, broken, shown);
                }
                prop_assert_eq!(found.faults.len(), whole.faults.len());
                prop_assert_eq!((found.kind, found.complete), (whole.kind, whole.complete), "{}", shown);
            }
            let at = dice.roll(document.len());
            match dice.roll(3) {
                0 => drop(document.remove(at)),
                1 => document[at] = b"<>&\"'/!? \0x\xff"[dice.roll(12)],
                _ => document.insert(at, b"<>&\"'/!? \0x\xff"[dice.roll(12)]),
            }
        }
    }
}
