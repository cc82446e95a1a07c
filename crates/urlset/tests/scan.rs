//! The scanner against its oracle, on any bytes in any chunks. Knows no sitemap.

mod naive;

use naive::{Gathered, Token, tokens};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use urlset::scan::{Scanner, Unclosed};

/// The smallest limit that the scanner takes.
const MAX: usize = 4_096;

/// The tokens of a document that comes in the chunks that `sizes` says, over and over.
fn scan(document: &[u8], sizes: &[usize], max: usize) -> Vec<Token> {
    let mut scanner = Scanner::new(max);
    let mut gathered = Gathered::default();
    let mut rest = document;
    for size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (now, later) = rest.split_at((*size).clamp(1, rest.len()));
        scanner.feed(now, &mut gathered);
        rest = later;
    }
    scanner.finish(&mut gathered);
    assert_eq!(scanner.offset(), document.len() as u64, "every byte is used");
    gathered.0
}

/// Whole, in single bytes, and in the chunks given.
fn agrees(document: &[u8], sizes: &[usize], max: usize) -> Result<(), TestCaseError> {
    let expected = tokens(document, max);
    for sizes in [&[usize::MAX], &[1], sizes] {
        let found = scan(document, sizes, max);
        if found != expected {
            let at = found.iter().zip(&expected).take_while(|(a, b)| a == b).count();
            let (found, expected) = (shown(found.get(at)), shown(expected.get(at)));
            let document = document.escape_ascii().to_string();
            prop_assert!(false, "{document}\nchunks of {sizes:?}, token {at}\nscanner {found}\noracle  {expected}");
        }
    }
    Ok(())
}

fn shown(token: Option<&Token>) -> String {
    token.map_or("nothing".into(), |t| match t {
        Token::Text(text, at, plain) => format!("Text({}, {at}, {plain})", text.escape_ascii()),
        other => format!("{other:?}"),
    })
}

/// Bytes that a failing test shows as text.
#[derive(Clone)]
struct Bytes(Vec<u8>);

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

/// Pieces that markup is made of, whole and broken.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: &[&[u8]] = &[
        b"<",
        b">",
        b"/",
        b"=",
        b"\"",
        b"'",
        b"!",
        b"?",
        b"-",
        b"--",
        b"[",
        b"]",
        b"]]",
        b"]]>",
        b"&",
        b";",
        b" ",
        b"\n",
        b"\0",
        b"a",
        b"b:c",
        b":",
        b"_",
        b"1",
        b"\xc3\xa9",
        b"\xff",
        b"</",
        b"/>",
        b"<!",
        b"<!-",
        b"<!--",
        b"-->",
        b"--->",
        b"<![",
        b"<![CDATA[",
        b"<!DOCTYPE",
        b"<!doctype html>",
        b"<!DOCTYPE a [",
        b"]>",
        b"<?",
        b"<?xml",
        b"<?xml ",
        b"?>",
        b"<?a b?>",
        b"<a>",
        b"</a>",
        b"<a",
        b"<a ",
        b"<b c='d'>",
        b"<b c=\"d\" e='f'/>",
        b" c='d'",
        b" c=\"d>\"",
        b"<a/>",
        b"<url>",
        b"</url>",
        b"<loc>http://a.example/</loc>",
        b"<loc>",
        b"</loc>",
        b"</ loc>",
        b"</loc >",
        b"<loc",
        b"loc>",
        b"&amp;",
        b"text",
        b"<<",
        b"<<<<<<< HEAD",
        b">>>>>>>",
        b"<!ENTITY a 'b'>",
    ];
    prop_oneof![
        12 => select(PIECES).prop_map(<[u8]>::to_vec),
        1 => vec(any::<u8>(), 0..6),
    ]
}

fn document() -> impl Strategy<Value = Bytes> {
    vec(piece(), 0..40).prop_map(|pieces| Bytes(pieces.concat()))
}

/// Documents with one stretch about as long as the limit: what it opens with, what fills it, how far from the limit it ends.
fn long() -> impl Strategy<Value = Bytes> {
    const OPENERS: &[&[u8]] = &[
        b"",
        b"<",
        b"<a",
        b"<a ",
        b"<a b='",
        b"<a b=\"",
        b"</",
        b"</a",
        b"</a ",
        b"<!--",
        b"<!-- -- ",
        b"<![CDATA[",
        b"<?a ",
        b"<?",
        b"<?xml ",
        b"<!DOCTYPE ",
        b"<!DOCTYPE a [",
        b"<!",
        b"<a>",
        b"<a><",
        b"<loc>http://a.example/",
        b"&",
        b"<a b='c' ",
    ];
    const CLOSERS: &[&[u8]] = &[
        b"", b">", b"/>", b"'>", b"\">", b"-->", b"--", b"]]>", b"]]", b"?>", b"</a>", b"</loc>", b"<", b"<b>", b"<<",
        b" ", b"]>",
    ];
    const FILLS: &[&[u8]] = &[b" b='c'", b" b", b"- ", b"&amp;", b"<a ", b"-- "];
    let around = prop_oneof![3 => MAX - 24..MAX + 24, 1 => 2 * MAX - 4..2 * MAX + 4];
    let fill = prop_oneof![
        select(b" a<>-]&?'\"\n=/".as_slice()).prop_map(|b| vec![b]),
        select(FILLS).prop_map(<[u8]>::to_vec),
    ];
    (document(), select(OPENERS), fill, around, select(CLOSERS), document()).prop_map(
        |(before, opener, fill, length, closer, after)| {
            let mut out = before.0;
            let from = out.len();
            out.extend_from_slice(opener);
            while out.len() < from + length {
                out.extend_from_slice(&fill[..fill.len().min(from + length - out.len())]);
            }
            out.extend_from_slice(closer);
            out.extend_from_slice(&after.0);
            Bytes(out)
        },
    )
}

fn sizes() -> impl Strategy<Value = Vec<usize>> {
    vec(prop_oneof![3 => 1_usize..9, 1 => 1_usize..600, 1 => 4_000_usize..4_200], 1..5)
}

/// Cases of a property; `URLSET_SOAK` makes so many times as many.
fn cases(cases: u32) -> ProptestConfig {
    let soak = std::env::var("URLSET_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let cases = cases.saturating_mul(soak);
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

proptest! {
    #![proptest_config(cases(3_000))]

    #[test]
    fn scan_agrees_with_naive(document in document(), sizes in sizes()) {
        agrees(&document.0, &sizes, MAX)?;
    }

    #[test]
    fn scan_agrees_with_naive_on_any_bytes(document in vec(any::<u8>(), 0..300), sizes in sizes()) {
        agrees(&document, &sizes, MAX)?;
    }
}

proptest! {
    #![proptest_config(cases(1_500))]

    #[test]
    fn scan_is_chunk_invariant(document in long(), sizes in sizes()) {
        agrees(&document.0, &sizes, MAX)?;
    }
}

#[test]
fn tokens_of_broken_markup() {
    use urlset::codes::Code::{XML001, XML004};
    let text = |text: &str, at| Token::Text(text.into(), at, true);
    let bare = |name: &str, at, end| Token::Start(name.into(), Vec::new(), false, false, at, end);
    let end = |name: &str, at, end| Token::End(name.into(), at, end);
    for (document, expected, why) in [
        (
            "<<<<<<< HEAD",
            vec![Token::Fault(XML004, 0, 7), text("<<<<<<<", 0), text(" HEAD", 7)],
            "one fault for one sign",
        ),
        (
            "a<<b>",
            vec![text("a", 0), Token::Fault(XML004, 1, 2), text("<", 1), bare("b", 2, 5)],
            "the last one opens a tag",
        ),
        (
            "<a </b>",
            vec![Token::Fault(XML004, 0, 1), text("<", 0), text("a ", 1), end("b", 3, 7)],
            "no > before the next <",
        ),
        (
            "<a b='>'<c>",
            vec![
                Token::Fault(XML001, 0, 7),
                Token::Start("a".into(), Vec::new(), false, true, 0, 7),
                text("'", 7),
                bare("c", 8, 11),
            ],
            "quotes out of step: the first > is the end",
        ),
        ("<?rl><a>", vec![Token::Fault(XML001, 0, 5), bare("a", 5, 8)], "a target is followed by white space"),
        ("</ a>b", vec![Token::Fault(XML001, 0, 5), text("b", 5)], "an end tag without a name ends nothing"),
        ("</a b>", vec![Token::Fault(XML001, 0, 6), end("a", 0, 6)], "an end tag has no attributes"),
        ("<!-- a -- b -->", vec![Token::Fault(XML001, 7, 9), Token::Comment(" a -- b ".into(), 4)], "-- in a comment"),
        ("<!x><![CDAT[", vec![Token::Fault(XML001, 0, 4), Token::Cut(4, Unclosed::Tag)], "no declaration"),
        ("a<!-- b", vec![text("a", 0), Token::Cut(1, Unclosed::Comment)], "a comment without an end"),
        ("a<![CDATA[ b", vec![text("a", 0), Token::Cut(1, Unclosed::Section)], "a section without an end"),
        ("<?a b", vec![Token::Endless(0), Token::Cut(0, Unclosed::Instruction)], "an instruction without an end"),
        ("<!doctype a", vec![Token::Cut(0, Unclosed::Doctype)], "a declaration without an end"),
    ] {
        let expected: Vec<Token> = expected;
        assert_eq!(tokens(document.as_bytes(), MAX), expected, "{why}: the oracle");
        for size in [1, 2, 3, 100] {
            assert_eq!(scan(document.as_bytes(), &[size], MAX), expected, "{why}: chunks of {size}");
        }
    }
}

#[test]
fn a_limit_is_the_same_in_any_chunks() {
    for opener in
        ["<!--", "<![CDATA[", "<?a ", "<?", "</", "<a", "<a b", "<a b='", "</a ", "<a>", "", "<", "<!DOCTYPE a '"]
    {
        for closer in ["-->", "]]>", "?>", "'>", ">", "</a>", "<b>", "<"] {
            for fill in [" ", "-", "a", "<"] {
                for length in MAX - 12..MAX + 6 {
                    let document =
                        format!("{opener}{}{closer}<c>", fill.repeat(length.saturating_sub(opener.len()))).into_bytes();
                    let expected = tokens(&document, MAX);
                    let place = format!("{opener} {fill} {length} {closer}");
                    assert_eq!(scan(&document, &[usize::MAX], MAX), expected, "{place}: whole");
                    assert_eq!(scan(&document, &[MAX - 1, 1, 1], MAX), expected, "{place}: about the limit");
                    let end = document.len() - closer.len() - 3;
                    assert_eq!(scan(&document, &[end.max(1), 1, 1, 1], MAX), expected, "{place}: at the closer");
                }
            }
        }
    }
}
