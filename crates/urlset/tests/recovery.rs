//! What becomes of broken files: rows that stay, findings with code, byte offset, line and column. A table, case by case.
//!
//! In the files `@R` is the root's start tag, `@E` its end tag, `@1` to `@4` are entries. `⟦XML002⟧` says that this finding begins
//! here; it is no part of the file.

#[allow(dead_code)] // each test takes what it needs
mod reading;

use reading::{Reading, read, read_with};
use urlset::codes::{Code, Fault};
use urlset::read::{Options, Relative};

const CORE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// A file with its abbreviations written out.
fn file(text: &str) -> String {
    let mut out = text.replace("@R", &format!("<urlset xmlns=\"{CORE}\">")).replace("@E", "</urlset>");
    for n in 1..5 {
        out = out.replace(&format!("@{n}"), &format!("<url><loc>https://a.example/{n}</loc></url>"));
    }
    out
}

/// The file without its marks, and where each finding is to begin: code, offset, line, column.
fn marks(text: &str) -> (String, Vec<(String, u64, u64, u64)>) {
    let (mut out, mut places) = (String::new(), Vec::new());
    for (at, part) in text.split('⟦').enumerate() {
        let text = match part.split_once('⟧') {
            Some((codes, rest)) if at > 0 => {
                let line = out.matches('\n').count() as u64 + 1;
                let column = out.chars().rev().take_while(|&c| c != '\n').count() as u64 + 1;
                places.extend(codes.split(' ').map(|code| (code.to_owned(), out.len() as u64, line, column)));
                rest
            }
            _ => part,
        };
        out.push_str(text);
    }
    (out, places)
}

fn place(fault: &Fault) -> (String, u64, u64, u64) {
    let of = |n: Option<u64>| n.unwrap_or(0);
    (fault.code.rule().code.to_owned(), of(fault.offset), of(fault.line), of(fault.column))
}

/// Rows as the rest of their address behind `https://a.example/`, with what they hold beside it.
fn check_with(why: &str, text: &str, rows: &[&str], options: &Options) -> Reading {
    let (file, mut places) = marks(&file(text));
    let found = read_with(file.as_bytes(), &[usize::MAX], options.clone());
    let short: Vec<String> = found.rows.iter().map(|r| r.replace("loc: https://a.example/", "")).collect();
    assert_eq!(short, rows, "{why}: rows\n{file}\n{:#?}", found.faults);
    let mut told: Vec<_> = found.faults.iter().map(place).collect();
    told.sort();
    places.sort();
    assert_eq!(told, places, "{why}: findings (code, offset, line, column)\n{file}\n{:#?}", found.faults);
    found
}

fn check(why: &str, text: &str, rows: &[&str]) {
    check_with(why, text, rows, &Options::default());
}

#[test]
fn namespaces() {
    let entry = "<url><loc>https://a.example/1</loc></url>";
    for (why, root, code) in [
        ("near misses: https", "https://www.sitemaps.org/schemas/sitemap/0.9", "STR003"),
        ("near misses: slash", "http://www.sitemaps.org/schemas/sitemap/0.9/", "STR003"),
        ("near misses: version", "http://www.sitemaps.org/schemas/sitemap/0.90", "STR003"),
        ("that of 2005", "http://www.google.com/schemas/sitemap/0.84", "STR004"),
        ("a stranger's", "urn:other", "STR003"),
        ("none", "", "STR002"),
    ] {
        check(why, &format!("<urlset xmlns=\"⟦{code}⟧{root}\">{entry}</urlset>"), &["1"]);
    }
    check("no declaration", &format!("⟦STR002⟧<urlset>{entry}</urlset>"), &["1"]);
    check(
        "written with references",
        &format!("<urlset xmlns='{}'>{entry}</urlset>", CORE.replace('m', "&#109;")),
        &["1"],
    );
    let prefixed = "<s:url><s:loc>https://a.example/1</s:loc></s:url>";
    check("a prefix", &format!("<s:urlset xmlns:s='{CORE}'>{prefixed}</s:urlset>"), &["1"]);
    check("a prefix not declared", &format!("⟦STR002 XML022⟧<s:urlset>{prefixed}</s:urlset>"), &["1"]);
    check(
        "a prefix of an extension not declared",
        "@R<url><loc>https://a.example/1</loc>⟦XML022⟧<image:image><image:loc>https://a.example/1.png</image:loc></image:image></url>@E",
        &["1 | images: [{1.png, caption: -, geo_location: -, title: -, license: -}]"],
    );
    check(
        "an extension's near miss",
        &format!(
            "<urlset xmlns='{CORE}' xmlns:image='⟦STR024⟧http://www.google.com/schemas/sitemap-image/1.0'><url>\
             <loc>https://a.example/1</loc><image:image><image:loc>https://a.example/1.png</image:loc></image:image></url>@E"
        ),
        &["1 | images: [{1.png, caption: -, geo_location: -, title: -, license: -}]"],
    );
    check(
        "prefix of an attribute not declared",
        "@R⟦XML022⟧<url x:a='b'><loc>https://a.example/1</loc></url>@E",
        &["1"],
    );
}

#[test]
fn tags() {
    check(
        "upper case",
        &format!("⟦STR021⟧<URLSET xmlns='{CORE}'>⟦STR021⟧<URL>⟦STR021⟧<LOC>https://a.example/1</LOC></URL></URLSET>"),
        &["1"],
    );
    check("an end tag in another case", "@R<url><loc>https://a.example/1⟦STR021⟧</LOC></url>@E", &["1"]);
    check("stray end tags", "@R⟦XML001⟧</url>@1⟦XML001⟧</a>@2@E", &["1", "2"]);
    check("an end tag lost", "@R<url><loc>https://a.example/1</loc>⟦XML001⟧@2@E", &["1", "2"]);
    check("end tags lost at the end", "@R@1<url><loc>https://a.example/2</loc>⟦XML001⟧@E", &["1", "2"]);
    check("an end tag of loc lost", "@R<url><loc>https://a.example/1⟦XML001⟧</url>@2@E", &["2"]);
    check("a start tag lost", "@R⟦STR012⟧<loc>https://a.example/1</loc>⟦XML001⟧</url>@2@E", &["2"]);
    check("markup in a loc", "@R<url><loc>⟦STR017⟧<b>https://a.example/1</b></loc></url>@2@E", &["2"]);
    check("a second root", "@R@1@E⟦XML017⟧@R@2@E", &["1", "2"]);
    check("two documents", "<?xml version='1.0'?>@R@1@E⟦XML017⟧<?xml version='1.0'?>@R@2@E", &["1", "2"]);
    check("no root", "⟦STR001⟧@1\n@2", &["1", "2"]);
    check("entries without loc", "@R⟦STR007⟧<url></url>⟦STR007⟧<url/>⟦STR007⟧<url>\n</url>@1@E", &["1"]);
    check("an empty loc", "@R<url><loc>⟦STR008⟧</loc></url><url><loc/>⟦STR008⟧</url>@1@E", &["1"]);
    check("loc twice", "@R<url><loc>https://a.example/1</loc><loc>⟦STR009⟧https://a.example/2</loc></url>@E", &["1"]);
    check(
        "a child twice",
        "@R<url><loc>https://a.example/1</loc><priority>0.1</priority><priority>⟦STR010⟧0.2</priority></url>@E",
        &["1 | priority: 0.1"],
    );
    check("a loc outside entries", "@R⟦STR012⟧<loc>https://a.example/1</loc>@2@E", &["2"]);
    check(
        "url in an index",
        &format!(
            "<sitemapindex xmlns='{CORE}'>⟦STR015⟧@1<sitemap><loc>https://a.example/2</loc></sitemap></sitemapindex>"
        ),
        &["2"],
    );
    check("an attribute twice", "@R<url a='1' ⟦XML023⟧a='2'><loc>https://a.example/1</loc></url>@E", &["1"]);
    check("an attribute without quotes", "@R<url ⟦XML001⟧a=1><loc>https://a.example/1</loc></url>@E", &["1"]);
    check("quotes out of step", "@R⟦XML001⟧<url a='1><loc>https://a.example/1</loc></url>@2@E", &["1", "2"]);
    check(
        "a name that is none",
        "@R<url><loc>https://a.example/1</loc>⟦XML001⟧<x:a!b xmlns:x='urn:x'/></url>@E",
        &["1"],
    );
    check("elements of strangers", "@R<x:a xmlns:x='urn:x'>text<x:url/></x:a>@1@E", &["1"]);
}

#[test]
fn texts() {
    check("a bare ampersand", "@R<url><loc>https://a.example/?a=1⟦XML002⟧&b=2</loc></url>@1@E", &["?a=1&b=2", "1"]);
    check(
        "ampersands that look like references",
        "@R<url><loc>https://a.example/?a⟦XML003⟧&copy;b⟦XML002⟧&lt</loc></url>@E",
        &["?a&copy;b&lt"],
    );
    check("escaped twice", "@R<url><loc>https://a.example/?a&amp;amp;b</loc></url>@E", &["?a&amp;b"]);
    check(
        "every reference once",
        "@R<url><loc>https://a.example/?&amp;&#38;&#x26;&apos;&gt;</loc></url>@E".replace("&gt;", "").as_str(),
        &["?&&&'"],
    );
    check(
        "a bare less-than sign",
        "@R<url><loc>⟦URL007⟧https://a.example/?a⟦XML004⟧< b</loc></url>@1@E".replace("< b", "<1").as_str(),
        &["?a<1", "1"],
    );
    check(
        "sections, comments, line ends",
        "@R<url><loc>\r\n <![CDATA[https://a.example/?a&b]]><!-- c --> </loc></url>@E",
        &["?a&b"],
    );
    check("a comment inside a loc", "@R<url><loc>https://a.<!-- b -->example/1</loc></url>@E", &["1"]);
    check(
        "a control character",
        "@R<url><loc>⟦URL007⟧https://a.example/⟦XML014⟧\u{1}</loc></url>@1@E",
        &["\u{1}", "1"],
    );
    check("NUL", "@R<url><lastmod>⟦DAT001⟧2024⟦XML014⟧\0</lastmod><loc>https://a.example/1</loc></url>@E", &["1"]);
    check("U+FFFE", "@R<url><loc>https://a.example/1</loc><x:a xmlns:x='urn:x'>⟦XML014⟧\u{fffe}</x:a></url>@E", &["1"]);
    check(
        "a reference to NUL",
        "@R<url><loc>https://a.example/1</loc><lastmod>⟦DAT001 XML014⟧&#0;</lastmod></url>@E",
        &["1"],
    );
    check("text between entries", "@R@1⟦STR016⟧stray@2@E", &["1", "2"]);
    check(
        "]]> in a text",
        "@R<url><loc>https://a.example/1</loc><x:a xmlns:x='urn:x'>a⟦XML001⟧]]></x:a></url>@E",
        &["1"],
    );
    check("a template's placeholder", "@R<url><loc>⟦URL031⟧{{ page.url }}</loc></url>@1@E", &["1"]);
    check("columns count characters", "@R\n<!-- \u{e9}\u{1f600} -->⟦STR016⟧a\n@1@E", &["1"]);
}

#[test]
fn before_and_after() {
    check(
        "a PHP warning",
        "<br />\n<b>⟦XML025⟧Warning</b>:  include(x) in <b>/a.php</b> on line <b>3</b><br />\n<?xml version='1.0'?>@R@1@E",
        &["1"],
    );
    check(
        "a PHP warning between entries",
        "@R@1⟦STR012⟧<b>⟦XML025⟧Notice</b>⟦STR016⟧: Undefined index @2@E",
        &["1", "2"],
    );
    check(
        "a PHP warning within an address",
        "@R<url><loc>https://a.example/⟦STR017⟧<b>⟦XML025⟧Deprecated</b>: x</loc></url>@2@E",
        &["2"],
    );
    check("a PHP warning behind the root", "@R@1@E⟦XML017⟧<br />\n<b>⟦XML025⟧Fatal error</b>: x", &["1"]);
    check("a word in bold", "@R@1⟦STR012⟧<b>Warning signs</b>@2@E", &["1", "2"]);
    check("text before", "⟦XML011⟧Some words\n@R@1@E", &["1"]);
    check("white space before the declaration", "\n⟦XML011⟧<?xml version='1.0'?>@R@1@E", &["1"]);
    check("text after", "@R@1@E\n⟦XML017⟧Some words", &["1"]);
    check("elements after", "@R@1@E⟦XML017⟧<script>x</script>", &["1"]);
    check(
        "merge conflict markers",
        "@R@1\n⟦XML004⟧<<<<<<< ⟦STR016⟧HEAD\n@2\n⟦STR016⟧=======\n@3\n⟦STR016⟧>>>>>>> branch\n@4@E",
        &["1", "2", "3", "4"],
    );
    check("an HTML page", "⟦XML019⟧<!DOCTYPE html><html><body><p>a & b<br></body></html>", &[]);
    check("cut", "@R@1<url><loc>https://a.example/2</loc>⟦XML018⟧", &["1"]);
    check("cut in a tag", "@R@1<url><loc>https://a.example/2</lo⟦XML018⟧", &["1"]);
    check("cut in a comment", "@R@1\n ⟦XML018⟧<!-- @2 \n", &["1"]);
    check("cut in a section", "@R@1<url><loc>⟦XML018⟧<![CDATA[ @2 ", &["1"]);
    check("cut in an instruction", "@R@1\n⟦XML018⟧<?php echo", &["1"]);
    check("an instruction without an end", "@R@1\n⟦XML001⟧<⟦STR016⟧?php @2@E", &["1", "2"]);
    check("an instruction that another tag ends", "@R@1\n⟦XML001⟧<?php x>@2@E", &["1", "2"]);
    check("cut in a comment behind the root", "@R@1@E\n⟦XML001⟧<!-- @2 ", &["1"]);
    check("cut in an instruction behind the root", "@R@1@E\n⟦XML001⟧<?php echo", &["1"]);
    check("cut in the declaration", "⟦XML018⟧<?xml version='1.", &[]);
    check("cut in a comment before the root", "<?xml version='1.0'?>\n⟦XML018⟧<!-- about @R", &[]);
    check("cut in the document type", "⟦XML018⟧<!DOCTYPE urlset [", &[]);
    check("cut in the root's tag", "<?xml version='1.0'?>\n<urlset xmlns='http://www⟦XML018⟧", &[]);
    check("cut behind the declaration", "<?xml version='1.0'?>\n⟦STR001⟧", &[]);
}

#[test]
fn declarations() {
    let root = "@R<url><loc>https://a.example/";
    check("a document type", "⟦XML015⟧<!DOCTYPE urlset SYSTEM 'a.dtd'>@R@1@E", &["1"]);
    check(
        "an entity of the document in a loc",
        &format!("⟦XML015⟧<!DOCTYPE urlset [<!ENTITY a 'b'>]>{root}⟦XML016⟧&a;</loc></url>@2@E"),
        &["2"],
    );
    check(
        "an external entity",
        &format!(
            "⟦XML015⟧<!DOCTYPE urlset [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>{root}⟦XML016⟧&a;</loc></url>@2@E"
        ),
        &["2"],
    );
    check(
        "billion laughs",
        &format!("⟦XML015⟧<!DOCTYPE urlset [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]>{root}⟦XML016⟧&b;</loc></url>@2@E"),
        &["2"],
    );
    check("version 1.1", "⟦XML013⟧<?xml version='1.1'?>@R@1@E", &["1"]);
    check("a declaration without its end", "⟦XML001⟧<?xml version='1.0'>@R@1@E", &["1"]);
}

#[test]
fn dates() {
    for (text, code, row) in [
        ("2024-01-02", "", "1 | lastmod: 1704153600000000 | lastmod_form: date"),
        ("2024-01-02T03:04:05Z", "", "1 | lastmod: 1704164645000000 | lastmod_form: seconds Z"),
        ("2024-01-02T03:04:05", "DAT003", "1 | lastmod: 1704164645000000 | lastmod_form: seconds"),
        ("2024-01-02T03:04Z", "", "1 | lastmod: 1704164640000000 | lastmod_form: minutes Z"),
        ("2024-01", "", "1 | lastmod: 1704067200000000 | lastmod_form: year-month"),
        ("2024-13-01", "DAT002", "1"),
        ("yesterday", "DAT001", "1"),
        ("", "STR020", "1"),
    ] {
        let place = if code.is_empty() { String::new() } else { format!("⟦{code}⟧") };
        let entry = format!("<url><loc>https://a.example/1</loc><lastmod>{place}{text}</lastmod></url>");
        check(text, &format!("@R{entry}@E"), &[row]);
    }
}

#[test]
fn extensions() {
    let entry = |inside: &str| {
        format!(
            "<urlset xmlns='{CORE}' xmlns:xhtml='http://www.w3.org/1999/xhtml' \
             xmlns:m='http://www.google.com/schemas/sitemap-mobile/1.0' xmlns:b='http://www.baidu.com/schemas/sitemap-mobile/1/'>\
             <url><loc>https://a.example/1</loc>{inside}</url>@E"
        )
    };
    check(
        "another relation",
        &entry("<xhtml:link rel='canonical' href='https://a.example/2'/>"),
        &["1 | alternates: [{rel: canonical, hreflang: -, media: -, href: https://a.example/2}]"],
    );
    check(
        "a link without address",
        &entry("⟦ALT001⟧<xhtml:link rel='alternate' hreflang='de'/>"),
        &["1 | alternates: [{rel: -, hreflang: de, media: -, href: -}]"],
    );
    check("mobile", &entry("<m:mobile/>"), &["1 | mobile: true"]);
    check("mobile of Baidu", &entry("<b:mobile type='mobile'/>"), &["1 | mobile_baidu: {type: mobile}"]);
    check(
        "PageMap with its own default namespace",
        &entry(
            "<PageMap xmlns='http://www.google.com/schemas/sitemap-pagemap/1.0'><DataObject type='a'><Attribute name='b'>c</Attribute></DataObject></PageMap>",
        ),
        &["1 | pagemap: {template_src: -, objects: [{type: a, id: -, attributes: [{name: b, value: -, text: c}]}]}"],
    );
}

#[test]
fn feeds() {
    let atom = |links: &str| {
        format!(
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry>{links}<updated>2024-01-02T00:00:00Z</updated></entry></feed>"
        )
    };
    let when = " | lastmod: 1704153600000000 | lastmod_form: seconds Z";
    let edit = "<link rel='edit' href='https://a.example/edit'/>";
    check("where to edit first", &atom(&format!("{edit}<link href='https://a.example/1'/>")), &[&format!("1{when}")]);
    check("no alternate", &atom(edit).replace("<entry>", "⟦FED007⟧<entry>"), &[]);
    check("Atom without link", &atom("").replace("<entry>", "⟦FED002⟧<entry>"), &[]);
    check("a relative link", &atom("<link href='⟦FED003⟧/1'/>"), &[]);
    check(
        "RSS 1.0",
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/' \
         xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><link>https://a.example/</link></channel><item rdf:about='x'>\
         <link>https://a.example/1</link><dc:date>2024-01-02</dc:date></item></rdf:RDF>",
        &["1 | lastmod: 1704153600000000 | lastmod_form: date"],
    );
    check(
        "media in RSS",
        "<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel><item><link>https://a.example/1</link>\
         <media:content url='https://a.example/1.png' medium='image'/></item></channel></rss>",
        &["1 | images: [{1.png, caption: -, geo_location: -, title: -, license: -}]"],
    );
    let item = |inside: &str| format!("<rss><channel>{inside}</channel></rss>");
    check("a permanent link alone", &item("<item><guid>⟦FED010⟧https://a.example/1</guid></item>"), &["1"]);
    check(
        "an identifier alone",
        &item("⟦FED002⟧<item><guid isPermaLink='false'>https://a.example/1</guid></item>"),
        &[],
    );
    let video = read(
        b"<rss xmlns:media='http://search.yahoo.com/mrss/'><channel><item><link>https://a.example/1</link>\
        <media:content url='https://a.example/1.mp4' medium='video' duration='60'><media:title>T</media:title>\
        <media:thumbnail url='https://a.example/1.png'/></media:content></item></channel></rss>",
    );
    for part in
        ["content_loc: https://a.example/1.mp4", "duration: 60", "title: T", "thumbnail_loc: https://a.example/1.png"]
    {
        assert!(video.rows[0].contains(part), "a video in RSS: {part} in {:?}", video.rows);
    }
    check(
        "a bare ampersand in a title",
        "<rss><channel><item><title>a ⟦XML002⟧& b</title><link>https://a.example/1</link></item></channel></rss>",
        &["1"],
    );
}

#[test]
fn addresses() {
    let base = Options { base: Some("https://a.example/dir/sitemap.xml".into()), ..Options::default() };
    let relative = "@R<url><loc>⟦URL001⟧x</loc></url>@1@E";
    let found = check_with("relative", relative, &["1"], &base);
    assert_eq!(found.faults[0].fix.as_deref(), Some("https://a.example/dir/x"));
    check_with("resolved", relative, &["dir/x", "1"], &Options { relative: Relative::Resolve, ..base.clone() });
    check_with(
        "another host",
        "@R<url><loc>⟦LOC007⟧https://b.example/</loc></url>@1@E",
        &["loc: https://b.example/", "1"],
        &base,
    );
    check_with(
        "another scheme",
        "@R<url><loc>⟦LOC002⟧http://a.example/</loc></url>@1@E",
        &["loc: http://a.example/", "1"],
        &base,
    );
    check("no http", "@R<url><loc>⟦URL002⟧ftp://a.example/</loc></url>@1@E", &["1"]);
    check("a blank inside", "@R<url><loc>⟦URL007⟧https://a.example/a b</loc></url>@1@E", &["a b", "1"]);
    check("a line end inside", "@R<url><loc>⟦URL023⟧https://a.example/a\nb</loc></url>@1@E", &["a\nb", "1"]);
}

#[test]
fn charsets() {
    let entry = |byte: u8, declaration: &str| {
        let text = file(&format!("{declaration}@R<url><loc>https://a.example/\u{1}</loc></url>@2@E"));
        text.bytes().map(|b| if b == 1 { byte } else { b }).collect::<Vec<u8>>()
    };
    let short = |found: &Reading| found.locs.iter().map(|r| r.replace("https://a.example/", "")).collect::<Vec<_>>();
    let undeclared = read(&entry(0xe9, ""));
    assert_eq!(
        (short(&undeclared), undeclared.codes()),
        (vec!["\u{e9}".into(), "2".into()], vec!["XML007"]),
        "undeclared"
    );
    let declared = read(&entry(0xe9, "<?xml version='1.0' encoding='UTF-8'?>"));
    assert_eq!((short(&declared), declared.codes()), (vec!["2".into()], vec!["XML007"]), "declared UTF-8");
    let latin = read(&entry(0xe9, "<?xml version='1.0' encoding='ISO-8859-1'?>"));
    assert_eq!((short(&latin), latin.codes()), (vec!["\u{e9}".into(), "2".into()], vec!["XML006"]), "declared Latin-1");
    let text = file("<?xml version='1.0' encoding='UTF-8'?>\n@R\n@1@2@E");
    let marked = [b"\xef\xbb\xbf".as_slice(), text.as_bytes()].concat();
    assert_eq!(
        (short(&read(&marked)), read(&marked).codes()),
        (vec!["1".into(), "2".into()], Vec::<&str>::new()),
        "a mark of UTF-8"
    );
    let contradicted = [b"\xef\xbb\xbf".as_slice(), text.replace("UTF-8", "ISO-8859-1").as_bytes()].concat();
    let found = read(&contradicted);
    assert_eq!(
        (short(&found), found.codes()),
        (vec!["1".into(), "2".into()], vec!["XML008"]),
        "a mark against a declaration"
    );
    for big in [true, false] {
        let wide: Vec<u8> = format!("\u{feff}{text}")
            .encode_utf16()
            .flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() })
            .collect();
        let found = read(&wide);
        assert_eq!(short(&found), ["1", "2"], "UTF-16, big end first: {big}");
        assert!(found.codes().contains(&"XML010"), "{:?}", found.codes());
    }
    // Offsets are those of the source, also behind characters that are longer there.
    let (text, places) = marks(&file("@R\n<!-- \u{4e2d}\u{1f600} -->@1⟦STR016⟧stray@E"));
    let wide: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    let found = read(&wide);
    let stray = found.faults.iter().find(|f| f.code.rule().code == "STR016").expect("told");
    let before = text[..places[0].1 as usize].encode_utf16().count() as u64;
    assert_eq!((stray.offset, stray.line, stray.column), (Some(2 + 2 * before), Some(places[0].2), Some(places[0].3)));
}

#[test]
fn lists() {
    check("a list", "https://a.example/1\nhttps://a.example/2", &["1", "2"]);
    check(
        "line ends of all sorts",
        "https://a.example/1\r\nhttps://a.example/2\rhttps://a.example/3\n\n",
        &["1", "2", "3"],
    );
    check("words", "https://a.example/1\n⟦TXT002⟧some words\nhttps://a.example/2\n", &["1", "2"]);
    check("relative", "https://a.example/1\n⟦TXT003⟧/2\n", &["1"]);
    check("two in a line", "https://a.example/1\n⟦TXT004⟧https://a.example/2 https://a.example/3\n", &["1", "2", "3"]);
    check("a comment", "https://a.example/1\n⟦TXT005⟧# note\n", &["1"]);
    check("ampersands are themselves", "https://a.example/?a&b\nhttps://a.example/?a&amp;b\n", &["?a&b", "?a&amp;b"]);
    check(
        "columns behind commas",
        "⟦TXT010⟧https://a.example/1,2025-01-01\n⟦URL007⟧https://a.example/2, 2025-01-02T10:00:00Z,0.5\nhttps://a.example/3;weekly;0.8",
        &["1,2025-01-01", "2, 2025-01-02T10:00:00Z,0.5", "3;weekly;0.8"],
    );
    check(
        "commas of addresses",
        "https://a.example/1,2\nhttps://a.example/3,2025\nhttps://a.example/news,2025-01-01\nhttps://a.example/4",
        &["1,2", "3,2025", "news,2025-01-01", "4"],
    );
    check("nothing", "⟦XML021⟧", &[]);
    check("white space", "⟦XML021⟧ \n", &[]);
    check("no format", "⟦XML020⟧hello", &[]);
}

/// What is told at the end of an entry has its place however the bytes were cut.
#[test]
fn a_permanent_link_has_its_place() {
    let file =
        b"<rss version=\"2.0\"><channel><item>\n<guid>http://a.example/g</guid><title>t</title></item></channel></rss>";
    let whole = read(file);
    let told: Vec<_> = whole.faults.iter().filter(|f| f.code == Code::FED010).map(|f| (f.line, f.column)).collect();
    assert_eq!(told, [(Some(2), Some(7))]);
    for size in [1, 7, 60] {
        assert_eq!(read_with(file, &[size], Options::default()), whole, "pieces of {size}");
    }
}

/// Addresses within extensions are judged as closely as those of entries.
#[test]
fn addresses_of_extensions_are_judged() {
    let file = |loc: &str| {
        format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
             xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'><url><loc>https://a.example/</loc>\
             <image:image><image:loc>{loc}</image:loc></image:image></url></urlset>"
        )
    };
    for (loc, codes) in [
        ("https://a.example/a b.jpg", vec!["URL007"]),
        ("https://a.example/100%.jpg", vec!["URL006"]),
        ("https://a.example/ü.jpg", vec![]),
        ("/a.jpg", vec!["IMG002"]),
    ] {
        let found = read(file(loc).as_bytes());
        assert_eq!((found.codes(), found.rows.len()), (codes, 1), "{loc}");
        assert!(found.rows[0].contains(loc), "the value stays as written");
    }
}

/// A bound that took something leaves a file incomplete, wherever it bit.
#[test]
fn a_bound_that_bites_leaves_a_file_incomplete() {
    let long = "a".repeat(9_000);
    let options = || {
        let mut options = Options::default();
        options.limits.max_text = 4_096;
        options
    };
    for text in [
        format!("<urlset xmlns='{CORE}'><url><loc>https://a.example/{long}</loc></url></urlset>"),
        format!("https://a.example/1\nhttps://a.example/{long}\nhttps://a.example/2\n"),
    ] {
        let found = read_with(text.as_bytes(), &[usize::MAX], options());
        assert!(found.has(Code::SIZ015) && !found.complete, "{:?}", found.codes());
        assert!(read(text.as_bytes()).complete);
    }
}
