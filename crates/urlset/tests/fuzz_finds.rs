//! What fuzz targets found, each find as a test of its own: the smallest input, and what is true of it now.

mod reading;

use urlset::codes::{Code, Fault};
use urlset::read::Options;

/// Where a finding of this code lies: bytes, line and column.
fn place(faults: &[Fault], code: Code) -> (u64, u64, Option<u64>, Option<u64>) {
    let fault = faults.iter().find(|fault| fault.code == code).expect("the code is found");
    (fault.offset.expect("an offset"), fault.end.expect("an end"), fault.line, fault.column)
}

/// `rows_are_whole`: a value that was taken for windows-1252 had its further faults where they lay in the text as converted,
/// which is longer; the place was behind the end of the file and had no line.
#[test]
fn faults_of_a_converted_value_lie_where_they_are_in_the_file() {
    let head = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n<url><loc>https://a.example/";
    for (rest, code, length) in [
        (&b"\x01"[..], Code::XML014, 1),
        (b"&what;", Code::XML003, 6),
        (b"& b", Code::XML002, 1),
        (b"&#0;", Code::XML014, 4),
        (b"]]>", Code::XML001, 3),
    ] {
        let accents = b"\xe4\xe4\xe4";
        let file = [&head[..], accents, rest, b"\xe4</loc></url></urlset>"].concat();
        let read = reading::read(&file);
        let at = (head.len() + accents.len()) as u64;
        let column = at - 60; // behind the line end of the first line, from 1
        assert!(read.has(code), "{code:?} is not among {:?}", read.codes());
        assert_eq!(place(&read.faults, code), (at, at + length, Some(2), Some(column)), "{code:?}");
        for size in [1, 7] {
            assert_eq!(reading::read_with(&file, &[size], Options::default()), read, "{code:?} in chunks of {size}");
        }
    }
}

/// `rows_are_whole`: a section with ampersands was taken for as long as with its ampersands escaped, so that faults in and of
/// its text ended behind the end of the file.
#[test]
fn faults_of_a_section_lie_within_it() {
    let ampersands = "&".repeat(40);
    for (before, body, code, length) in [
        ("<url><![CDATA[", format!("a{ampersands}b"), Code::STR016, 42),
        ("<url><what><![CDATA[", "\u{1}".to_owned(), Code::XML014, 1),
        ("<url><what><![CDATA[&&", "\u{1}".to_owned(), Code::XML014, 1),
        ("<url><loc><![CDATA[", format!("a{ampersands}b"), Code::URL001, 42),
    ] {
        let head = format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{before}");
        let file = format!("{head}{body}]]></loc></url></urlset>");
        let read = reading::read(file.as_bytes());
        assert!(read.has(code), "{code:?} is not among {:?}", read.codes());
        let (offset, end, _, column) = place(&read.faults, code);
        assert_eq!((offset, end), (head.len() as u64, head.len() as u64 + length), "{code:?}");
        assert_eq!(column, Some(head.len() as u64 + 1), "{code:?}");
        for fault in &read.faults {
            assert!(fault.end.unwrap_or(0) <= file.len() as u64, "{fault:?}");
        }
    }
}

/// `read_is_chunk_invariant`: of a root that is none the end was not kept for the finding at the end of the file, so that
/// in UTF-16 it depended on the chunks.
#[test]
fn the_end_of_an_unknown_root_does_not_depend_on_chunks() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let file = [
        &b"\xfe\xff"[..],
        &wide("<?xml version=\"1.0\"?>\n<pages at=\"é"),
        b"\xdc\x00",
        &wide("ü\"><page/>\néüéüé\n<page/>ü</pages>"),
    ];
    let file = file.concat();
    let whole = reading::read(&file);
    let (_, end, ..) = place(&whole.faults, Code::STR001);
    assert_eq!(end, file.len() as u64 - 2 * "<page/>\n.....\n<page/>.</pages>".len() as u64);
    for size in [1, 7, 11, 64] {
        let mut cut = reading::read_with(&file, &[size], Options::default());
        cut.faults.sort_by_key(|fault| fault.offset);
        let mut whole = whole.clone();
        whole.faults.sort_by_key(|fault| fault.offset);
        assert_eq!(cut, whole, "in chunks of {size}");
    }
}

/// `read_is_chunk_invariant`: a file that was given up as a template was still told of what else stood in the same chunk.
#[test]
fn of_a_template_nothing_else_is_told() {
    let template = "---\nnavi:\n exclude: yes\n---\n";
    for rest in
        ["<!DOCTYPE x [<!ENTITY a 'b'>]>", "<!-- \u{1} -->", "<?xml version='2'?>", "<urlset>\u{1}&x;", "<a <b>"]
    {
        let file = format!("{template}{rest}\n<urlset/>");
        let whole = reading::read(file.as_bytes());
        assert_eq!(whole.codes(), ["URL031"], "{rest}");
        for size in [1, 40] {
            assert_eq!(reading::read_with(file.as_bytes(), &[size], Options::default()), whole, "{rest} by {size}");
        }
    }
    // The same before the template is told.
    let file = format!("<urlset>{template}<!DOCTYPE x [<!ENTITY a 'b'>]>");
    assert!(reading::read(file.as_bytes()).has(Code::XML015));
}
