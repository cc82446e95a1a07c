//! Charsets, as files and servers declare them: how input is cut into chunks must never show, and every byte keeps its place.

use proptest::prelude::*;
use urlset::codes::{Code, Fault, Log};
use urlset::read::charset::Decode;

/// Cuts bytes at places given in any order, some of them nowhere.
fn chunks<'a>(bytes: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
    cuts.push(bytes.len());
    cuts.sort_unstable();
    let mut from = 0;
    cuts.into_iter().map(|cut| &bytes[std::mem::replace(&mut from, cut)..cut]).collect()
}

fn every_byte(bytes: &[u8]) -> Vec<usize> {
    (0..bytes.len()).collect()
}

/// What a run of the charset stage gave: text, faults, and the source offset of every decoded byte and of the end.
#[derive(Debug, PartialEq)]
struct Decoded {
    text: Vec<u8>,
    faults: Vec<Fault>,
    offsets: Vec<u64>,
    charset: &'static str,
    declared: bool,
}

impl Decoded {
    fn codes(&self) -> Vec<Code> {
        self.faults.iter().map(|fault| fault.code).collect()
    }

    fn str(&self) -> &str {
        std::str::from_utf8(&self.text).expect("decoded text is UTF-8")
    }
}

fn decode(http: Option<&str>, bytes: &[u8], cuts: &[usize]) -> Decoded {
    let mut log = Log::new(1000);
    let mut text = Vec::new();
    let mut stage = Decode::new(http);
    for chunk in chunks(bytes, cuts) {
        stage.feed(chunk, &mut log, &mut |piece, _| text.extend_from_slice(piece));
    }
    stage.finish(&mut log, &mut |piece, _| text.extend_from_slice(piece));
    let offsets = (0..=text.len() as u64).map(|at| stage.source_offset(at)).collect();
    Decoded { text, faults: log.drain(), offsets, charset: stage.charset(), declared: stage.declared() }
}

/// Every encoding of the WHATWG standard that encodes to itself and is not UTF-8.
const LEGACY: &[&str] = &[
    "Big5",
    "EUC-JP",
    "EUC-KR",
    "GBK",
    "IBM866",
    "ISO-2022-JP",
    "ISO-8859-10",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-15",
    "ISO-8859-16",
    "ISO-8859-2",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-5",
    "ISO-8859-6",
    "ISO-8859-7",
    "ISO-8859-8",
    "ISO-8859-8-I",
    "KOI8-R",
    "KOI8-U",
    "Shift_JIS",
    "gb18030",
    "macintosh",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "windows-874",
    "x-mac-cyrillic",
    "x-user-defined",
];

/// Text of many scripts; each charset takes what it has.
const SCRIPTS: &str = "<url>aé€ĄšŞжЯΩקםعمไทя中文字あア한글¥§ÿ\u{f780}😀êşțłõñß</url>\n";

fn encoding(label: &str) -> &'static encoding_rs::Encoding {
    encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label of the standard")
}

/// The characters of a text that an encoding writes and reads as they are, each with its bytes.
fn writable(label: &str, text: &str) -> Vec<(char, Vec<u8>)> {
    let encoding = encoding(label);
    let write = |c: char| {
        if label == "x-user-defined" {
            // it has no encoder of its own
            return match c {
                '\0'..='\x7f' | '\u{f780}'..='\u{f7ff}' => Some(vec![c as u8]),
                _ => None,
            };
        }
        let one = c.to_string();
        let (bytes, _, lost) = encoding.encode(&one);
        let back = encoding.decode_without_bom_handling(&bytes).0 == one.as_str();
        (!lost && back).then(|| bytes.into_owned())
    };
    text.chars().filter_map(|c| write(c).map(|bytes| (c, bytes))).collect()
}

#[test]
fn every_charset_is_read_with_its_offsets() {
    for &label in LEGACY {
        let characters = writable(label, &SCRIPTS.repeat(3));
        let text: String = characters.iter().map(|(c, _)| c).collect();
        assert!(!text.is_ascii(), "{label} must be tested beyond ASCII");
        let bytes: Vec<u8> = if label == "ISO-2022-JP" {
            encoding(label).encode(&text).0.into_owned()
        } else {
            characters.iter().flat_map(|(_, bytes)| bytes.clone()).collect()
        };
        let got = decode(Some(label), &bytes, &[]);
        assert_eq!(got.str(), text, "{label}");
        assert_eq!((got.charset, got.declared, got.codes()), (label, true, vec![Code::XML006]), "{label}");
        assert_eq!(got, decode(Some(label), &bytes, &every_byte(&bytes)), "{label}");

        // the same, told by the file itself
        let declaration = format!("<?xml version='1.0' encoding='{label}'?>");
        let declared = decode(None, &[declaration.as_bytes(), &bytes].concat(), &[]);
        assert_eq!(declared.str(), format!("{declaration}{text}"), "{label}");

        let mut at = 0;
        let mut source = 0;
        for (c, own) in &characters {
            if label == "ISO-2022-JP" {
                source = iso_2022_jp_start(&bytes, source);
            }
            let length =
                if label == "ISO-2022-JP" { if c.is_ascii() || *c == '¥' { 1 } else { 2 } } else { own.len() };
            for _ in 0..c.len_utf8() {
                assert_eq!(got.offsets[at], source as u64, "{label} {c} at {at}");
                at += 1;
            }
            source += length;
        }
    }
}

/// Skips escape sequences.
fn iso_2022_jp_start(bytes: &[u8], mut at: usize) -> usize {
    while bytes[at] == 0x1b {
        at += 3;
    }
    at
}

/// Charset, bytes, text, places of faults.
type Malformed<'a> = (&'a str, &'a [u8], &'a str, &'a [(u64, u64)]);

#[test]
fn malformed_sequences_are_told_at_their_bytes() {
    let table: [Malformed; 9] = [
        ("shift_jis", b"ab\x81<loc>", "ab\u{fffd}<loc>", &[(2, 3)]),
        ("shift_jis", b"\x82\xa0\xa0\xff\x82", "あ\u{fffd}\u{fffd}\u{fffd}", &[(2, 3), (3, 4), (4, 5)]),
        ("gb18030", b"a\x81\x30\x81<", "a\u{fffd}0\u{fffd}<", &[(1, 2), (3, 4)]),
        ("gb18030", b"\x81\x30", "\u{fffd}", &[(0, 2)]),
        ("gbk", b"\xb0\xa1\xff!", "啊\u{fffd}!", &[(2, 3)]),
        ("euc-kr", b"\xb0\xa1\xb0</", "가\u{fffd}</", &[(2, 3)]),
        ("windows-1253", b"\xd2x\xc1", "\u{fffd}xΑ", &[(0, 1)]),
        ("big5", b"\x88\x62\xa4<", "\u{ca}\u{304}\u{fffd}<", &[(2, 3)]),
        ("euc-jp", b"\x8f\xb0<\xa4\xa2", "\u{fffd}<あ", &[(0, 2)]),
    ];
    for (label, bytes, text, places) in table {
        for cuts in [vec![], every_byte(bytes)] {
            let got = decode(Some(label), bytes, &cuts);
            assert_eq!(got.str(), text, "{label}");
            let faults: Vec<_> = got.faults.iter().filter(|fault| fault.code == Code::XML007).collect();
            let got_places: Vec<_> =
                faults.iter().map(|fault| (fault.offset.unwrap_or(99), fault.end.unwrap_or(99))).collect();
            assert_eq!(got_places, places, "{label}");
            assert_eq!(got.offsets.last(), Some(&(bytes.len() as u64)), "{label}");
        }
    }
    // what a decoder reads again after a malformed sequence keeps its own place
    let got = decode(Some("gb18030"), b"a\x81\x30\x81<", &[]);
    assert_eq!(got.offsets, [0, 1, 1, 1, 2, 3, 3, 3, 4, 5]);
    let got = decode(Some("gb18030"), b"\x81\x30\x81\x40", &[]);
    assert_eq!((got.str(), &got.offsets[..]), ("\u{fffd}0丂", &[0, 0, 0, 1, 2, 2, 2, 4][..]));
    // line and column count characters of the text, whatever the chunks
    let bytes = b"a\n\xe2\xd2<x>\n\n\xd2";
    for cuts in [vec![], every_byte(bytes)] {
        let got = decode(Some("windows-1253"), bytes, &cuts);
        let places: Vec<_> = got.faults.iter().skip(1).map(|f| (f.offset, f.line, f.column)).collect();
        assert_eq!(places, [(Some(3), Some(2), Some(2)), (Some(9), Some(4), Some(1))]);
    }
    let got = decode(Some("koi8-r"), b"\xcd", &[]);
    assert_eq!(got.codes(), [Code::XML006]);
    let got = decode(Some("windows-1253"), b"\xd2", &[]);
    assert_eq!(got.faults[1].message(), "bytes D2 are not valid in the encoding of the file, read as U+FFFD");
}

#[test]
fn wide_text_is_read_both_ways_with_and_without_a_mark() {
    let text = "<?xml version=\"1.0\"?>\n<urlset><loc>http://a.example/é中😀</loc></urlset>";
    let lists = ["http://a.example/\u{e9}\r\nhttp://b.example/\u{1f600}", text];
    for text in lists {
        for (name, width, big) in
            [("UTF-16LE", 2, false), ("UTF-16BE", 2, true), ("UTF-32LE", 4, false), ("UTF-32BE", 4, true)]
        {
            let write = |c: char| -> Vec<u8> {
                let units: Vec<u32> = if width == 4 {
                    vec![u32::from(c)]
                } else {
                    c.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit)).collect()
                };
                units
                    .iter()
                    .flat_map(|unit| {
                        if big {
                            unit.to_be_bytes()[4 - width..].to_vec()
                        } else {
                            unit.to_le_bytes()[..width].to_vec()
                        }
                    })
                    .collect()
            };
            for mark in ["", "\u{feff}"] {
                let bytes: Vec<u8> = mark.chars().chain(text.chars()).flat_map(write).collect();
                for http in [None, Some("utf-16")].iter().take(if width == 2 { 2 } else { 1 }) {
                    let got = decode(*http, &bytes, &[]);
                    assert_eq!((got.str(), got.charset, got.declared), (text, name, true));
                    assert_eq!(got.codes(), [Code::XML010], "{name}");
                    assert_eq!(got, decode(*http, &bytes, &every_byte(&bytes)));
                    for cut in 0..bytes.len() {
                        assert_eq!(got, decode(*http, &bytes, &[cut]), "{name} {cut}");
                    }
                    let mut source = mark.chars().map(|c| write(c).len()).sum::<usize>() as u64;
                    for (at, c) in text.char_indices() {
                        assert_eq!(got.offsets[at], source, "{name} {c}");
                        source += write(c).len() as u64;
                    }
                }
            }
        }
    }
}

#[test]
fn utf8_passes_untouched() {
    let cases: [(&[u8], bool); 5] = [
        (b"http://a.example/\xc3\xa9\n", false),
        (b"http://a.example/\xe9\n\xff\xfe\xc0\x80", false),
        (b"<?xml version='1.0' encoding='UTF-8'?><urlset>\xe9</urlset>", true),
        (b"<?xml version='1.0' encoding='us-ascii'?><urlset>\xc3\xa9</urlset>", false),
        (b"<?xml version='1.0' encoding='utf-16'?><urlset>\xc3\xa9</urlset>", false),
    ];
    for (bytes, declared) in cases {
        for mark in [&b""[..], b"\xef\xbb\xbf"] {
            let marked = [mark, bytes].concat();
            let got = decode(None, &marked, &[]);
            assert_eq!((&got.text[..], got.charset), (bytes, "UTF-8"));
            assert_eq!(got.declared, declared || !mark.is_empty());
            let want: Vec<u64> = (mark.len() as u64..=marked.len() as u64).collect();
            assert_eq!(got.offsets, want);
            assert_eq!(got, decode(None, &marked, &every_byte(&marked)));
        }
    }
    let mut stage = Decode::new(None);
    let input = vec![b'x'; 2000];
    let mut same = false;
    stage.feed(&input, &mut Log::new(1), &mut |piece, _| same = std::ptr::eq(piece, &raw const *input));
    assert!(same, "no copy is made");
}

#[test]
fn no_more_than_a_kibibyte_is_held_back() {
    for start in [&b"<urlset>"[..], b"Warning: ", b" "] {
        let mut stage = Decode::new(None);
        let mut log = Log::new(1);
        let (mut fed, mut seen) = (0, 0);
        for byte in start.iter().chain(std::iter::repeat_n(&b'x', 2000)) {
            stage.feed(std::slice::from_ref(byte), &mut log, &mut |piece, _| seen += piece.len());
            fed += 1;
            assert!(fed - seen < 1024 || seen == fed, "{fed} fed, {seen} seen");
        }
    }
}

#[test]
fn what_is_forgotten_does_not_spoil_what_is_kept() {
    let bytes: Vec<u8> = b"a\xcf\xd2b\n".iter().copied().cycle().take(50_000).collect();
    let all = decode(Some("windows-1251"), &bytes, &[]);
    let mut stage = Decode::new(Some("windows-1251"));
    let mut log = Log::new(1);
    let mut length = 0;
    for chunk in bytes.chunks(777) {
        stage.feed(chunk, &mut log, &mut |piece, _| length += piece.len());
        let from = length.saturating_sub(100);
        stage.forget_before(from as u64);
        for at in from..length {
            assert_eq!(stage.source_offset(at as u64), all.offsets[at]);
        }
    }
}

#[test]
fn a_byte_lost_in_utf16_costs_no_more_than_its_place() {
    let entry = |n: usize| format!("<url><loc>http://a.example/{n}</loc></url>\n");
    let text: String = (0..6).map(entry).collect();
    let bytes: Vec<u8> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for at in 2..bytes.len() {
        let mut fewer = bytes.clone();
        fewer.remove(at);
        let got = decode(None, &fewer, &[]);
        assert_eq!(got, decode(None, &fewer, &every_byte(&fewer)), "{at}");
        let kept = (0..6).filter(|&n| got.str().contains(&entry(n))).count();
        assert!(kept >= 4 && got.codes().contains(&Code::XML007), "{at}: {}", got.str());
    }
}

/// Bytes that are likely to decide something.
fn odd_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"<?xml version='1.0' encoding='".to_vec()),
        Just(b"UTF-16".to_vec()),
        Just(b"'?><urlset>".to_vec()),
        Just(b"<!-- ".to_vec()),
        Just(b"-->".to_vec()),
        Just(b"\xef\xbb\xbf".to_vec()),
        Just(b"\xff\xfe".to_vec()),
        Just(b"\xfe\xff".to_vec()),
        Just(vec![0; 3]),
        Just(b"\x1b$B".to_vec()),
        Just(b"\x1b(B".to_vec()),
        Just(b"\x81\x30\x81".to_vec()),
        Just(vec![b' '; 600]),
        "http://[a-zé中]{0,9}\n".prop_map(String::into_bytes),
        "[<>a-z/]{1,12}".prop_map(|text| text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        "[<>a-z/]{1,12}".prop_map(|text| text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        prop::collection::vec(any::<u8>(), 0..12),
        prop::sample::select(LEGACY).prop_map(|label| label.as_bytes().to_vec()),
    ];
    prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn decode_is_chunk_invariant(
        bytes in odd_bytes(),
        http in prop::option::of(prop::sample::select([LEGACY, &["utf-8", "utf-16", "utf-16be", "none", "us-ascii", "utf-32"]].concat())),
        cuts in prop::collection::vec(any::<usize>(), 0..8),
    ) {
        let whole = decode(http, &bytes, &[]);
        prop_assert_eq!(&whole, &decode(http, &bytes, &cuts));
        prop_assert_eq!(&whole, &decode(http, &bytes, &every_byte(&bytes)));
        prop_assert!(whole.offsets.is_sorted());
        prop_assert_eq!(whole.offsets.last().copied(), Some(bytes.len() as u64));
    }

    #[test]
    fn decoding_agrees_with_the_library(bytes in odd_bytes(), label in prop::sample::select(LEGACY)) {
        let got = decode(Some(label), &bytes, &[]);
        if got.charset == label {
            let want = encoding(label).decode_without_bom_handling(&bytes).0;
            prop_assert_eq!(got.str(), &want);
        }
    }
}
