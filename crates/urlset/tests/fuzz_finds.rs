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
