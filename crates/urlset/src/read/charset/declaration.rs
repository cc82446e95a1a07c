//! What a file and its transport say about its encoding, and who is believed. Reads the first bytes only, decodes nothing.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memmem;

use super::wide::Wide;
use crate::codes::{Code, Fault};

/// Bytes looked at for an XML declaration.
pub(super) const HEAD: usize = 1024;

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Utf8,
    Wide(Wide),
    Legacy(&'static Encoding),
}

impl Form {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Utf8 => UTF_8.name(),
            Self::Wide(wide) => wide.name(),
            Self::Legacy(encoding) => encoding.name(),
        }
    }
}

/// What was decided, and what is wrong with what was said.
#[derive(Debug)]
pub(super) struct Decision {
    pub(super) form: Form,
    /// Length of the byte order mark.
    pub(super) bom: usize,
    /// Whether the file or its transport marked or declared the form that is used.
    pub(super) declared: bool,
    pub(super) faults: Vec<Fault>,
}

/// An encoding label, understood (WHATWG Encoding, 4.2, and the names of UTF-32).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Utf8,
    /// Read as UTF-8, of which it is a part.
    Ascii,
    /// With its byte order, where the label names one.
    Utf16(Option<bool>),
    Utf32,
    Legacy(&'static Encoding),
    Unknown,
}

impl Meaning {
    fn of(label: &str) -> Self {
        let name = label.trim().to_ascii_lowercase();
        match name.as_str() {
            "us-ascii" | "ascii" | "ansi_x3.4-1968" | "ansi_x3.4-1986" | "iso-ir-6" | "iso646-us" | "cp367"
            | "ibm367" | "csascii" => {
                return Self::Ascii;
            }
            "utf-16le" => return Self::Utf16(Some(false)),
            _ if name.starts_with("utf-32") || name.starts_with("ucs-4") || name.starts_with("iso-10646-ucs-4") => {
                return Self::Utf32;
            }
            _ => {}
        }
        match Encoding::for_label(name.as_bytes()) {
            Some(encoding) if encoding == UTF_8 => Self::Utf8,
            Some(encoding) if encoding == UTF_16LE => Self::Utf16(None),
            Some(encoding) if encoding == UTF_16BE => Self::Utf16(Some(true)),
            // the standard gives such labels no decoder
            Some(encoding) if encoding == REPLACEMENT => Self::Unknown,
            Some(encoding) => Self::Legacy(encoding),
            None => Self::Unknown,
        }
    }

    fn agrees(self, form: Form) -> bool {
        match (self, form) {
            (Self::Unknown, _) | (Self::Ascii, Form::Utf8 | Form::Legacy(_)) | (Self::Utf8, Form::Utf8) => true,
            (Self::Utf16(big), Form::Wide(wide)) => wide.width == 2 && big.is_none_or(|big| big == wide.big),
            (Self::Utf32, Form::Wide(wide)) => wide.width == 4,
            (Self::Legacy(a), Form::Legacy(b)) => a == b,
            _ => false,
        }
    }
}

/// A label, who said it, and where.
#[derive(Debug)]
struct Claim<'a> {
    label: Cow<'a, str>,
    meaning: Meaning,
    place: Option<Place>,
}

/// Where a label stands.
#[derive(Clone, Debug)]
struct Place {
    bytes: Range<u64>,
    line: u64,
    column: u64,
}

impl Place {
    fn on(&self, fault: Fault) -> Fault {
        let mut fault = fault.at(self.bytes.start, self.bytes.end);
        (fault.line, fault.column) = (Some(self.line), Some(self.column));
        fault
    }
}

impl Claim<'_> {
    fn fault(&self, code: Code) -> Fault {
        let fault = Fault::new(code).value(&self.label);
        if let Some(place) = &self.place { place.on(fault) } else { fault }
    }
}

/// Decides how a file is read from its first bytes; `None` when more of them are needed, which never happens from [`HEAD`] bytes on.
///
/// Byte order mark or zero bytes first, then the HTTP charset, then the XML declaration, then UTF-8. The result depends on the first
/// [`HEAD`] bytes alone, and is the same for every prefix long enough to give one.
pub(super) fn decide(http: Option<&str>, head: &[u8], whole: bool) -> Option<Decision> {
    let whole = whole || head.len() >= HEAD;
    let head = &head[..head.len().min(HEAD)];
    let mark = marked(head, whole)?;
    let (form, bom) = mark.map_or((Form::Utf8, 0), |mark| (mark.0, mark.1));
    let (width, narrow) = narrow(&head[bom..], form);
    let declaration = match find_declaration(&narrow, whole) {
        Found::More => return None,
        Found::Absent => None,
        Found::Label(at) => Some(at),
    };
    let http = http.map(str::trim).filter(|label| !label.is_empty());
    let http = http.map(|label| Claim { label: label.into(), meaning: Meaning::of(label), place: None });
    let declaration = declaration.map(|at| {
        let label = String::from_utf8_lossy(&narrow[at.clone()]);
        let before = &narrow[..at.start];
        let line = before.iter().rposition(|&b| b == b'\n').map_or(before, |end| &before[end + 1..]);
        let place = Place {
            bytes: (bom + at.start * width) as u64..(bom + at.end * width) as u64,
            line: before.iter().filter(|&&b| b == b'\n').count() as u64 + 1,
            column: line.iter().filter(|&&b| b & 0xC0 != 0x80).count() as u64 + 1,
        };
        Claim { meaning: Meaning::of(&label), label: label.into_owned().into(), place: Some(place) }
    });

    let mut faults = Vec::new();
    let mut chosen = mark.map(|(form, _)| form);
    let mut declared = chosen.is_some();
    if let Some(Form::Wide(wide)) = chosen {
        let end = bom.max(usize::from(wide.width)) as u64;
        let start = Place { bytes: 0..end, line: 1, column: 1 };
        faults.push(start.on(Fault::new(Code::XML010).value(wide.name())));
    }
    for claim in [&http, &declaration].into_iter().flatten() {
        if claim.meaning == Meaning::Unknown {
            let detail = format!("encoding \"{}\" is not known, UTF-8 is assumed", crate::codes::cut(&claim.label));
            faults.push(claim.fault(Code::XML006).detail(detail));
        }
        if chosen.is_some() {
            continue;
        }
        match claim.meaning {
            Meaning::Utf8 => (chosen, declared) = (Some(Form::Utf8), true),
            Meaning::Ascii => chosen = Some(Form::Utf8),
            Meaning::Legacy(encoding) => {
                (chosen, declared) = (Some(Form::Legacy(encoding)), true);
                faults.push(claim.fault(Code::XML006));
            }
            Meaning::Utf16(big) => {
                if !whole {
                    return None;
                }
                // text with no zero byte is no UTF-16: the label lies, and the conflict is told below
                if head.contains(&0) {
                    let wide = Wide { width: 2, big: big.unwrap_or_else(|| is_big(head)) };
                    (chosen, declared) = (Some(Form::Wide(wide)), true);
                    faults.push(claim.fault(Code::XML010).value(wide.name()));
                }
            }
            Meaning::Utf32 | Meaning::Unknown => {}
        }
    }
    let form = chosen.unwrap_or(Form::Utf8);
    for claim in [&http, &declaration].into_iter().flatten() {
        if !claim.meaning.agrees(form) {
            let label = crate::codes::cut(&claim.label);
            let detail = format!("encoding \"{label}\" is declared, but the file is read as {}", form.name());
            faults.push(claim.fault(Code::XML008).detail(detail));
        }
    }
    Some(Decision { form, bom, declared, faults })
}

/// What a byte order mark or the zero bytes of wide ASCII say; the outer `None` asks for more bytes.
#[allow(clippy::option_option)] // unknown yet, and known to be unmarked, are two answers
fn marked(head: &[u8], whole: bool) -> Option<Option<(Form, usize)>> {
    let wide = |width, big| Form::Wide(Wide { width, big });
    let ascii = |byte: u8| matches!(byte, 0x09 | 0x0a | 0x0d | 0x20..=0x7e);
    if head.starts_with(b"\xef\xbb\xbf") {
        return Some(Some((Form::Utf8, 3)));
    }
    if head.len() < 4 && !whole {
        return None;
    }
    Some(match *head {
        [0xff, 0xfe, 0, 0, ..] => Some((wide(4, false), 4)),
        [0, 0, 0xfe, 0xff, ..] => Some((wide(4, true), 4)),
        [0xff, 0xfe, ..] => Some((wide(2, false), 2)),
        [0xfe, 0xff, ..] => Some((wide(2, true), 2)),
        [a, 0, 0, 0, ..] if ascii(a) => Some((wide(4, false), 0)),
        [0, 0, 0, a, ..] if ascii(a) => Some((wide(4, true), 0)),
        [a, 0, b, 0, ..] if ascii(a) && ascii(b) => Some((wide(2, false), 0)),
        [0, a, 0, b, ..] if ascii(a) && ascii(b) => Some((wide(2, true), 0)),
        _ => None,
    })
}

/// The byte order of UTF-16 that bears no mark: the side that holds more zero bytes is the more significant one.
fn is_big(head: &[u8]) -> bool {
    let zeros = |side: usize| head.iter().skip(side).step_by(2).filter(|&&byte| byte == 0).count();
    zeros(0) >= zeros(1)
}

/// The bytes of ASCII text, whatever its width; other characters become a control that no declaration holds.
fn narrow(head: &[u8], form: Form) -> (usize, Cow<'_, [u8]>) {
    let Form::Wide(wide) = form else { return (1, Cow::Borrowed(head)) };
    let width = usize::from(wide.width);
    let last = if wide.big { width - 1 } else { 0 };
    let narrow = head.chunks_exact(width).map(|unit| {
        let plain = unit.iter().enumerate().all(|(at, &byte)| at == last || byte == 0);
        if plain { unit[last] } else { 0x1a }
    });
    (width, Cow::Owned(narrow.collect()))
}

#[derive(Debug, PartialEq, Eq)]
enum Found {
    More,
    Absent,
    Label(Range<usize>),
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Finds the label of an XML declaration. Noise of a server may stand before it, comments are no place for it.
fn find_declaration(text: &[u8], whole: bool) -> Found {
    const OPEN: &[u8] = b"<?xml";
    let ending = if whole { Found::Absent } else { Found::More };
    let Some(start) = text.iter().position(|&byte| !is_space(byte)) else { return ending };
    let first = &text[start..];
    let list = first.iter().zip(b"http").take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    if list == 4 {
        return Found::Absent;
    }
    let mut at = start;
    loop {
        let rest = &text[at..];
        let Some(next) = memchr::memchr(b'<', rest) else { return ending };
        let rest = &rest[next..];
        at += next;
        if rest.starts_with(b"<!--") {
            let Some(end) = memmem::find(&rest[4..], b"-->") else { return ending };
            at += 4 + end + 3;
        } else if rest.starts_with(OPEN) && rest.get(OPEN.len()).copied().is_some_and(is_space) {
            let inside = match memchr::memchr(b'>', rest) {
                Some(end) => &rest[..end],
                None if whole => rest,
                None => return Found::More,
            };
            return match label(inside) {
                Some(range) => Found::Label(at + range.start..at + range.end),
                None => Found::Absent,
            };
        } else {
            at += 1;
        }
    }
}

/// The value of the pseudo-attribute `encoding` (XML 1.0, 4.3.3).
fn label(declaration: &[u8]) -> Option<Range<usize>> {
    const KEY: &[u8] = b"encoding";
    for at in memmem::find_iter(declaration, KEY) {
        let skip = |mut at: usize| {
            while declaration.get(at).copied().is_some_and(is_space) {
                at += 1;
            }
            at
        };
        let before = at.checked_sub(1).and_then(|before| declaration.get(before));
        if !before.is_some_and(|&byte| is_space(byte) || byte == b'"' || byte == b'\'') {
            continue;
        }
        let equals = skip(at + KEY.len());
        if declaration.get(equals) != Some(&b'=') {
            continue;
        }
        let quote = skip(equals + 1);
        let Some(&mark @ (b'"' | b'\'')) = declaration.get(quote) else { continue };
        let start = skip(quote + 1);
        let mut end = start + memchr::memchr(mark, declaration.get(start..)?)?;
        while end > start && is_space(declaration[end - 1]) {
            end -= 1;
        }
        // a quote that never closes runs into the next attribute or tag: that is no label
        let name = &declaration[start..end];
        return (!name.is_empty() && !name.iter().any(|&byte| is_space(byte) || b"<=".contains(&byte)))
            .then_some(start..end);
    }
    None
}

#[cfg(test)]
mod tests {
    use encoding_rs::WINDOWS_1252;

    use super::*;

    fn decided(http: Option<&str>, head: &[u8]) -> Decision {
        let whole = decide(http, head, true).expect("decided at the end");
        for cut in 0..=head.len() {
            if let Some(early) = decide(http, &head[..cut], false) {
                assert_eq!((early.form, early.bom, early.declared), (whole.form, whole.bom, whole.declared), "{cut}");
                assert_eq!(early.faults, whole.faults, "{cut}");
            }
        }
        whole
    }

    fn codes(decision: &Decision) -> Vec<Code> {
        decision.faults.iter().map(|fault| fault.code).collect()
    }

    /// HTTP charset, first bytes, charset used, declared, faults, and why.
    type Row<'a> = (Option<&'a str>, &'a [u8], &'a str, bool, &'a [Code], &'a str);

    #[test]
    fn who_is_believed() {
        let utf8 = "UTF-8";
        let w1252 = "windows-1252";
        let table: &[Row] = &[
            (None, b"", utf8, false, &[], "nothing at all"),
            (None, b"<urlset>", utf8, false, &[], "nothing said"),
            (None, b"<?xml version='1.0' encoding='UTF-8'?><urlset>", utf8, true, &[], "the plain case"),
            (None, b"<?xml version='1.0' encoding='utf8'?>", utf8, true, &[], "another label of it"),
            (
                None,
                b"<?xml version=\"1.0\"?><urlset a=' encoding=\"koi8-r\"'>",
                utf8,
                false,
                &[],
                "outside the declaration",
            ),
            (None, b"<?xml version='1.0' encoding='us-ascii'?>", utf8, false, &[], "a part of UTF-8"),
            (
                None,
                b"<?xml version='1.0' encoding='iso-8859-1'?>",
                w1252,
                true,
                &[Code::XML006],
                "as browsers read latin-1",
            ),
            (None, b"<?xml encoding = ' KOI8-R ' ?>", "KOI8-R", true, &[Code::XML006], "blanks"),
            (None, b"<?xml version='1.0'encoding='koi8-r'?>", "KOI8-R", true, &[Code::XML006], "no blank"),
            (None, b"<?xml version='1.0' myencoding='koi8-r'?>", utf8, false, &[], "another name"),
            (None, b"<?xml version='1.0' encoding='none'?>", utf8, false, &[Code::XML006], "unknown"),
            (
                None,
                b"<?xml version='1.0' encoding='hz-gb-2312'?>",
                utf8,
                false,
                &[Code::XML006],
                "known, never decoded",
            ),
            (None, b"<?xml version='1.0' encoding=''?>", utf8, false, &[], "empty"),
            (None, b"<?xml encoding='U\n<urlset xmlns='http://a'>", utf8, false, &[], "a quote that never closes"),
            (None, b"<?xml version='1.0' encoding='koi8-r", utf8, false, &[], "cut before its end"),
            (None, b"<?xml version='1.0' encoding='koi8-r'", "KOI8-R", true, &[Code::XML006], "cut after it"),
            (None, b"\n <?xml version='1.0' encoding='koi8-r'?>", "KOI8-R", true, &[Code::XML006], "blanks before"),
            (
                None,
                b"<b>Warning</b>: x <?xml version='1.0' encoding='koi8-r'?>",
                "KOI8-R",
                true,
                &[Code::XML006],
                "noise before",
            ),
            (None, b"<!-- <?xml encoding='koi8-r'?> --><urlset>", utf8, false, &[], "within a comment"),
            (None, b"<!-- c --><?xml encoding='koi8-r'?>", "KOI8-R", true, &[Code::XML006], "after a comment"),
            (None, b"<?xml-stylesheet encoding='koi8-r'?>", utf8, false, &[], "no declaration"),
            (None, b"http://a.example/<?xml encoding='koi8-r'?>", utf8, false, &[], "a list of addresses"),
            (None, b"<?xml version='1.0' encoding='UTF-16'?>", utf8, false, &[Code::XML008], "bytes say otherwise"),
            (None, b"<?xml version='1.0' encoding='UTF-32'?>", utf8, false, &[Code::XML008], "bytes say otherwise"),
            (Some("utf-16"), b"http://a.example/", utf8, false, &[Code::XML008], "bytes say otherwise"),
            (None, b"\xef\xbb\xbf<?xml encoding='windows-1251'?>", utf8, true, &[Code::XML008], "the mark wins"),
            (None, b"\xef\xbb\xbfhttp://a.example/", utf8, true, &[], "marked"),
            (Some("koi8-r"), b"http://a.example/", "KOI8-R", true, &[Code::XML006], "transport alone"),
            (
                Some("koi8-r"),
                b"<?xml encoding='UTF-8'?>",
                "KOI8-R",
                true,
                &[Code::XML006, Code::XML008],
                "transport wins",
            ),
            (Some("utf-8"), b"<?xml encoding='koi8-r'?>", utf8, true, &[Code::XML008], "transport wins"),
            (Some("latin1"), b"<?xml encoding='windows-1252'?>", w1252, true, &[Code::XML006], "two names of one"),
            (Some("us-ascii"), b"<?xml encoding='UTF-8'?>", utf8, false, &[], "no conflict"),
            (
                Some("nope"),
                b"<?xml encoding='koi8-r'?>",
                "KOI8-R",
                true,
                &[Code::XML006, Code::XML006],
                "the next one speaks",
            ),
            (Some(" "), b"<?xml encoding='utf-8'?>", utf8, true, &[], "no label"),
            (None, b"\xff\xfe<\0", "UTF-16LE", true, &[Code::XML010], "marked"),
            (None, b"\xfe\xff\0<", "UTF-16BE", true, &[Code::XML010], "marked"),
            (None, b"\xff\xfe\0\0<\0\0\0", "UTF-32LE", true, &[Code::XML010], "marked"),
            (None, b"\0\0\xfe\xff\0\0\0<", "UTF-32BE", true, &[Code::XML010], "marked"),
            (None, b"<\0?\0", "UTF-16LE", true, &[Code::XML010], "zero bytes"),
            (None, b"\0<\0u", "UTF-16BE", true, &[Code::XML010], "zero bytes"),
            (None, b"h\0t\0t\0p\0", "UTF-16LE", true, &[Code::XML010], "zero bytes in a list"),
            (None, b"\0\0\0<\0\0\0?", "UTF-32BE", true, &[Code::XML010], "zero bytes"),
            (None, b"<\0\0\0?\0\0\0", "UTF-32LE", true, &[Code::XML010], "zero bytes"),
            (Some("utf-8"), b"\0h\0t\0t\0p", "UTF-16BE", true, &[Code::XML010, Code::XML008], "bytes say otherwise"),
            (Some("utf-16"), b"\0\xe9\0h\0t\0t", "UTF-16BE", true, &[Code::XML010], "named, its order from its zeros"),
            (Some("utf-16be"), b"\xff\xfeh\0", "UTF-16LE", true, &[Code::XML010, Code::XML008], "the mark wins"),
            (None, b"\0\0\0\0", utf8, false, &[], "zeros alone say nothing"),
        ];
        for &(http, head, name, declared, faults, why) in table {
            let decision = decided(http, head);
            assert_eq!(decision.form.name(), name, "{why}");
            assert_eq!(decision.declared, declared, "{why}");
            assert_eq!(codes(&decision), faults, "{why}");
        }
    }

    #[test]
    fn a_declaration_is_read_in_wide_text_and_its_place_counts_source_bytes() {
        let text = "<?xml version='1.0' encoding='utf-8'?>";
        let mut head = vec![0xff, 0xfe];
        head.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        let decision = decided(None, &head);
        assert_eq!(codes(&decision), [Code::XML010, Code::XML008]);
        let at = 2 + 2 * text.find("utf-8").expect("it is there") as u64;
        assert_eq!((decision.faults[1].offset, decision.faults[1].end), (Some(at), Some(at + 10)));
    }

    #[test]
    fn a_declaration_beyond_the_first_kibibyte_is_not_seen() {
        let mut head = vec![b' '; HEAD];
        head.extend_from_slice(b"<?xml encoding='koi8-r'?>");
        assert_eq!(decided(None, &head).form, Form::Utf8);
        assert!(decide(None, &head[..HEAD], false).is_some());
    }

    #[test]
    fn every_name_of_encoding_rs_is_known() {
        assert_eq!(Meaning::of("windows-1252"), Meaning::Legacy(WINDOWS_1252));
        for name in
            ["ibm866", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "x-user-defined", "macintosh"]
        {
            assert!(matches!(Meaning::of(name), Meaning::Legacy(_)), "{name}");
        }
    }
}
