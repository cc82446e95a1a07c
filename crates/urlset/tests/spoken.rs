//! Every code that the registry calls active, and the smallest input that makes urlset speak it. Judges no message.

#[allow(dead_code)] // each test takes what it needs
mod reading;

use std::collections::BTreeSet;
use std::io::Write as _;

use reading::{Reading, read_with};
use urlset::codes::{Code, Status};
use urlset::read::{Limits, Options};
use urlset::schema::Schema;

/// Spoken only where the core writes: tests of the writer make them.
const WRITER: &[Code] = &[
    Code::SIZ002,
    Code::IMG003,
    Code::VID005,
    Code::VID006,
    Code::VID014,
    Code::VID016,
    Code::VID017,
    Code::VID018,
    Code::NWS004,
    Code::LOC009,
    Code::IDX003,
    Code::ALT002,
    Code::ALT005,
    Code::ALT006,
    Code::ALT007,
    Code::ALT014,
    Code::EXT011,
];

/// Spoken by the package around the core, which opens files and follows indexes: tests of the package make them.
const PACKAGE: &[Code] = &[Code::IDX002, Code::IDX010, Code::GEN001];

const L: &str = "<loc>https://a.example/</loc>";

/// A sitemap that declares every extension.
fn entries(inner: &str) -> Vec<u8> {
    format!(
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'\
         {}{inner}</urlset>",
        " xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'\
         \n xmlns:video='http://www.google.com/schemas/sitemap-video/1.1'\
         \n xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'\
         \n xmlns:xhtml='http://www.w3.org/1999/xhtml'\
         \n xmlns:codesearch='http://www.google.com/codesearch/schemas/sitemap/1.0'\
         \n xmlns:pm='http://www.google.com/schemas/sitemap-pagemap/1.0'>"
    )
    .into_bytes()
}

/// An entry with an address and this beside it.
fn beside(inner: &str) -> Vec<u8> {
    entries(&format!("<url>{L}{inner}</url>"))
}

/// An entry with this address.
fn loc(loc: &str) -> Vec<u8> {
    entries(&format!("<url><loc>{loc}</loc></url>"))
}

fn lastmod(text: &str) -> Vec<u8> {
    beside(&format!("<lastmod>{text}</lastmod>"))
}

/// A video with all it needs, and this.
fn video(inner: &str) -> Vec<u8> {
    beside(&format!(
        "<video:video><video:thumbnail_loc>https://a.example/t</video:thumbnail_loc><video:title>t</video:title>\
         <video:description>d</video:description>{inner}</video:video>"
    ))
}

fn image(inner: &str) -> Vec<u8> {
    beside(&format!("<image:image>{inner}</image:image>"))
}

/// News with these parts.
fn news(publication: &str, rest: &str) -> Vec<u8> {
    beside(&format!("<news:news>{publication}{rest}</news:news>"))
}

fn rss(item: &str) -> Vec<u8> {
    format!("<rss version='2.0'><channel><item>{item}</item></channel></rss>").into_bytes()
}

fn atom(entry: &str) -> Vec<u8> {
    format!("<feed xmlns='http://www.w3.org/2005/Atom'><entry>{entry}</entry></feed>").into_bytes()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

const PUBLICATION: &str =
    "<news:publication><news:name>n</news:name><news:language>en</news:language></news:publication>";
const DATE: &str = "<news:publication_date>2025-01-01</news:publication_date>";
const TITLE: &str = "<news:title>t</news:title>";
const ROOT: &str = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";

/// Code and input. The bytes alone make the reader say so.
#[allow(clippy::too_many_lines, clippy::enum_glob_use)] // it is a table of codes
fn inputs() -> Vec<(Code, Vec<u8>)> {
    use Code::*;
    let head = |head: &str| [head.as_bytes(), &loc("https://a.example/")].concat();
    let root = |root: &str| format!("{root}<url>{L}</url></urlset>").into_bytes();
    let mut sum = gz(b"https://a.example/\n");
    let trailer = sum.len() - 8;
    sum[trailer] ^= 1;
    let mut tar = vec![0; 512];
    tar[257..262].copy_from_slice(b"ustar");
    let n = |pub_: &str, rest: &str| news(pub_, rest);
    vec![
        (XML001, beside("</nothing>")),
        (XML002, loc("https://a.example/?a&b")),
        (XML003, loc("https://a.example/&nbsp;")),
        (XML004, loc("https://a.example/?a<3")),
        (XML006, head("<?xml version='1.0' encoding='ISO-8859-1'?>")),
        (XML007, loc("https://a.example/~").iter().map(|b| if *b == b'~' { 0xe9 } else { *b }).collect()),
        (XML008, head("\u{feff}<?xml version='1.0' encoding='ISO-8859-1'?>")),
        (XML010, loc("https://a.example/").iter().flat_map(|b| [*b, 0]).collect()),
        (XML011, head("\n<?xml version='1.0'?>")),
        (XML013, head("<?xml version='1.1'?>")),
        (XML014, loc("https://a.example/&#0;")),
        (XML015, head("<!DOCTYPE urlset>")),
        (XML016, [&b"<!DOCTYPE urlset [<!ENTITY a 'b'>]>"[..], &loc("https://a.example/&a;")].concat()),
        (XML017, [loc("https://a.example/"), b"bye".to_vec()].concat()),
        (XML018, ROOT.into()),
        (XML019, b"<html>".to_vec()),
        (XML020, b"{}".to_vec()),
        (XML021, Vec::new()),
        (XML022, beside("<x:y/>")),
        (XML023, entries(&format!("<url a='b' a='b'>{L}</url>"))),
        (XML024, beside(&"<a>".repeat(70))),
        (XML025, entries("Warning: x() in a.php on line 3")),
        (STR001, b"<a/>".to_vec()),
        (STR002, root("<urlset>")),
        (STR003, root("<urlset xmlns='urn:x'>")),
        (STR004, root("<urlset xmlns='http://www.google.com/schemas/sitemap/0.84'>")),
        (STR007, entries("<url/>")),
        (STR008, loc(" ")),
        (STR009, beside(L)),
        (STR010, beside("<priority>0.1</priority><priority>0.1</priority>")),
        (STR012, beside("<x/>")),
        (STR015, entries("<sitemap/>")),
        (STR016, entries("x")),
        (STR017, loc("https://a.example/<b/>")),
        (STR020, beside("<priority/>")),
        (STR021, entries("<URL><loc>https://a.example/</loc></URL>")),
        (STR024, root(&ROOT.replace('>', " xmlns:video='http://www.google.com/schemas/sitemap-video/1.0'>"))),
        (SIZ007, loc(&format!("https://a.example/{}", "a".repeat(2_048)))),
        (SIZ013, gz(&vec![b' '; 60_000_000])),
        (SIZ015, loc(&"a".repeat(1_100_000))),
        (GZP001, b"\x1f\x8b\x08\0\0\0\0\0\0\0\xff".to_vec()),
        (GZP002, b"\x1f\x8b\x08\0".to_vec()),
        (GZP003, sum),
        (GZP004, gz(&gz(b"https://a.example/"))),
        (GZP007, b"BZh91AY&SY".to_vec()),
        (GZP009, [gz(b"https://a.example/"), vec![0]].concat()),
        (GZP010, gz(&tar)),
        (URL001, loc("/a")),
        (URL002, loc("mailto:a@a.example")),
        (URL003, loc("http:///a")),
        (URL004, loc("http://a..example/")),
        (URL005, loc("http://a.example:99999/")),
        (URL006, loc("http://a.example/%zz")),
        (URL007, loc("http://a.example/a b")),
        (URL022, loc("http://a.example/a\\b")),
        (URL023, loc("http://a.example/a\nb")),
        (URL030, loc("http://a.example/\u{200b}")),
        (URL031, loc("http://a.example/{{slug}}")),
        (LOC002, loc("http://a.example/")),
        (LOC003, loc("https://a.example:8080/")),
        (LOC005, loc("https://www.a.example/")),
        (LOC007, loc("https://b.example/")),
        (DAT001, lastmod("yesterday")),
        (DAT002, lastmod("2025-02-30")),
        (DAT003, lastmod("2025-01-01T10:00:00")),
        (DAT004, lastmod("2025-01-01T10:00:00+0100")),
        (DAT007, lastmod("2025-01-01 10:00:00Z")),
        (DAT008, lastmod("2025-1-5")),
        (DAT009, lastmod("Wed, 01 Jan 2025 10:00:00 GMT")),
        (DAT010, lastmod("1735689600")),
        (DAT011, lastmod("20250101")),
        (DAT012, lastmod("2025-01-01t10:00:00z")),
        (DAT014, lastmod("0000-00-00")),
        (DAT015, lastmod("2025-01-01Z")),
        (DAT016, lastmod("2025-01-01T24:00:00Z")),
        (DAT017, lastmod("2025-01-01T23:59:60Z")),
        (DAT018, lastmod("12025-01-01")),
        (DAT019, lastmod("2025-01-01T10:00:00.1234567890Z")),
        (DAT020, lastmod("2025-01-01T10:00:00,5Z")),
        (DAT021, lastmod("2025-01-01T10:00:00+15:00")),
        (DAT022, lastmod("2025-W03-1")),
        (HNT001, beside("<changefreq>biweekly</changefreq>")),
        (HNT002, beside("<changefreq>Daily</changefreq>")),
        (HNT003, beside("<priority>high</priority>")),
        (HNT004, beside("<priority>1.1</priority>")),
        (TXT001, b"https://a.example/\xe9".to_vec()),
        (TXT002, b"https://a.example/\nsome words".to_vec()),
        (TXT003, b"https://a.example/\n/a".to_vec()),
        (TXT004, b"https://a.example/ https://a.example/b".to_vec()),
        (TXT005, b"https://a.example/\n# a".to_vec()),
        (TXT010, b"https://a.example/,2025-01-01".to_vec()),
        (FED002, rss("<title>t</title>")),
        (FED003, rss("<link>/a</link>")),
        (FED004, rss("<link>https://a.example/</link><pubDate>2025-01-01</pubDate>")),
        (FED005, atom("<link href='https://a.example/'/><updated>1 Jan 2025</updated>")),
        (FED007, atom("<link rel='self' href='https://a.example/'/>")),
        (FED010, rss("<guid>https://a.example/</guid>")),
        (ROB001, b"Sitemap: /a.xml".to_vec()),
        (ROB002, b"Sitemap:".to_vec()),
        (ROB003, b"Sitemaps: https://a.example/s.xml\nSitemap: https://a.example/s.xml".to_vec()),
        (ROB004, b"Sitemap: https://a.example/s.xml # main".to_vec()),
        (ROB008, [&b"User-agent: *\n"[..], &vec![b'#'; 600_000]].concat()),
        (ROB009, b"\xef\xbb\xbfUser-agent: *".to_vec()),
        (ROB017, b"Sitemap: https://a.example/a b.xml".to_vec()),
        (ROB018, [&b"User-agent: "[..], &vec![b'a'; 20_000]].concat()),
        (IMG001, image("<image:title>t</image:title>")),
        (IMG002, image("<image:loc>/a</image:loc>")),
        (IMG005, image("<image:x/>")),
        (IMG007, beside("<image:loc>https://a.example/a.png</image:loc>")),
        (IMG008, image("<image:loc>https://a.example/a.png</image:loc><image:license>mine</image:license>")),
        (IMG009, image("<image:loc>data:image/png;base64,AA==</image:loc>")),
        (IMG011, image(&"<image:loc>https://a.example/a.png</image:loc>".repeat(2))),
        (VID001, beside("<video:video/>")),
        (VID002, beside("<video:video><video:thumbnail_loc>https://a.example/</video:thumbnail_loc></video:video>")),
        (
            VID003,
            beside(
                "<video:video><video:thumbnail_loc>https://a.example/</video:thumbnail_loc><video:title>t</video:title></video:video>",
            ),
        ),
        (VID007, video("<video:duration>0</video:duration>")),
        (VID008, video("<video:rating>6</video:rating>")),
        (VID009, video("<video:view_count>-1</video:view_count>")),
        (VID010, video("<video:publication_date>2025</video:publication_date>")),
        (VID012, video("<video:live>maybe</video:live>")),
        (VID013, video("<video:restriction relationship='x'>DE</video:restriction>")),
        (VID015, video("<video:platform relationship='x'>web</video:platform>")),
        (VID024, video("<video:tvshow/>")),
        (VID026, video("<video:content_loc>rtmp://a.example/</video:content_loc>")),
        (VID027, video("<video:title>t</video:title>")),
        (VID028, video("<video:x/>")),
        (VID031, video("<video:id>7</video:id>")),
        (VID034, video("<video:content_loc>/a</video:content_loc>")),
        (NWS001, n("", &format!("{DATE}{TITLE}"))),
        (
            NWS002,
            n("<news:publication><news:language>en</news:language></news:publication>", &format!("{DATE}{TITLE}")),
        ),
        (NWS003, n("<news:publication><news:name>n</news:name></news:publication>", &format!("{DATE}{TITLE}"))),
        (NWS005, n(PUBLICATION, TITLE)),
        (NWS006, n(PUBLICATION, &format!("<news:publication_date>today</news:publication_date>{TITLE}"))),
        (NWS007, n(PUBLICATION, DATE)),
        (NWS010, beside(&format!("<news:news>{PUBLICATION}{DATE}{TITLE}</news:news>").repeat(2))),
        (NWS020, n(PUBLICATION, &format!("{DATE}{TITLE}<news:x/>"))),
        (ALT001, beside("<xhtml:link rel='alternate' hreflang='de'/>")),
        (ALT004, beside("<xhtml:link rel='alternate' hreflang='de' href='/a'/>")),
        (ALT013, root(&ROOT.replace('>', " xmlns:xhtml='https://www.w3.org/1999/xhtml'>"))),
        (EXT005, beside("<pm:PageMap><pm:DataObject/></pm:PageMap>")),
        (
            EXT006,
            beside("<pm:PageMap><pm:DataObject type='a'><pm:Attribute>x</pm:Attribute></pm:DataObject></pm:PageMap>"),
        ),
        (EXT010, beside("<codesearch:codesearch/>")),
    ]
}

fn read(bytes: &[u8]) -> Reading {
    read_with(
        bytes,
        &[usize::MAX],
        Options { base: Some("https://a.example/sitemap.xml".into()), ..Options::default() },
    )
}

/// What a file says of itself when it is called robots.txt.
fn robots(bytes: &[u8]) -> Reading {
    read_with(bytes, &[usize::MAX], Options { name: Some("robots.txt".into()), ..Options::default() })
}

/// Codes that one input cannot make alone, with what makes them.
fn others() -> Vec<(Code, Reading)> {
    let capped = Options { limits: Limits { max_findings: 1, ..Limits::default() }, ..Options::default() };
    vec![(Code::ROB016, robots(b"<html>")), (Code::GEN003, read_with(&entries("<url/><url/>"), &[usize::MAX], capped))]
}

#[test]
fn every_active_code_is_spoken() {
    let mut spoken: BTreeSet<Code> = WRITER.iter().chain(PACKAGE).copied().collect();
    let mut heard = BTreeSet::new();
    let inputs = inputs().into_iter().map(|(code, bytes)| (code, read(&bytes))).chain(others());
    for (code, found) in inputs {
        assert!(found.has(code), "{code} is not spoken: {:?}", found.codes());
        assert!(spoken.insert(code), "{code} stands twice, or is said to be spoken elsewhere alone");
        heard.extend(found.faults.iter().map(|fault| fault.code));
    }
    let active: BTreeSet<Code> = Code::ALL.iter().copied().filter(|c| c.rule().status == Status::Active).collect();
    let silent: Vec<_> = active.difference(&spoken).collect();
    assert!(silent.is_empty(), "active, and nothing makes urlset speak them: {silent:?}");
    let idle: Vec<_> = heard.union(&spoken).filter(|code| !active.contains(code)).collect();
    assert!(idle.is_empty(), "spoken, and the registry does not call them active: {idle:?}");
}

#[test]
fn codes_of_the_table_are_active() {
    for group in &Schema::standard().groups {
        let of_fields = group.fields.iter().flat_map(|f| [f.missing, f.bad]).flatten();
        for code in of_fields.chain([group.unknown, group.repeated]) {
            assert_eq!(code.rule().status, Status::Active, "{code} of {}", group.name);
        }
    }
}
