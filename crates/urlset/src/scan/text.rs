//! Text as written to text as meant: references resolved once, line ends made one. Expands no entity of a document.

use memchr::{memchr, memchr2};

use crate::codes::Code;

/// XML's white space.
#[inline]
pub const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Without white space at both ends.
#[inline]
pub fn trim(text: &[u8]) -> &[u8] {
    match text {
        [first, .., last] if *first > b' ' && *last > b' ' => text,
        _ => trim_both(text),
    }
}

fn trim_both(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && is_space(*first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && is_space(*last)
    {
        text = rest;
    }
    text
}

/// Something about a reference that a reader must hear of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// A fault of the syntax.
    Fault(Code),
    /// A name that only a document type declaration could explain.
    Named,
}

/// Longest reference looked for: names longer than this are taken as text.
const NAME_BYTES: usize = 64;

/// Appends `text` to `out` with its references resolved. `attribute` makes white space blanks, as XML does there.
///
/// What is no reference stays as it is written, and is reported with its range in `text`.
pub fn resolve(
    text: &[u8],
    attribute: bool,
    out: &mut Vec<u8>,
    mut report: impl FnMut(Reference, std::ops::Range<usize>),
) {
    let mut at = 0;
    while let Some(n) = memchr2(b'&', b'\r', &text[at..]) {
        copy(&text[at..at + n], attribute, out);
        at += n;
        if text[at] == b'\r' {
            // CR LF and CR alone are both read as LF (XML 1.0, 2.11).
            if text.get(at + 1) != Some(&b'\n') {
                out.push(if attribute { b' ' } else { b'\n' });
            }
            at += 1;
            continue;
        }
        let reach = text.len().min(at + NAME_BYTES);
        let end = memchr(b';', &text[at..reach]).map(|n| at + n);
        match end.map(|end| (end, reference(&text[at + 1..end]))) {
            Some((end, Found::Char(c))) => {
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                at = end + 1;
            }
            Some((end, Found::Illegal)) => {
                report(Reference::Fault(Code::XML014), at..end + 1);
                out.extend_from_slice(&text[at..=end]);
                at = end + 1;
            }
            Some((end, Found::Name)) => {
                report(Reference::Named, at..end + 1);
                out.extend_from_slice(&text[at..=end]);
                at = end + 1;
            }
            Some((_, Found::Nothing)) | None => {
                report(Reference::Fault(Code::XML002), at..at + 1);
                out.push(b'&');
                at += 1;
            }
        }
    }
    copy(&text[at..], attribute, out);
}

/// Copies what is written as such. In attributes its white space becomes blanks; what references stand for does not.
fn copy(text: &[u8], attribute: bool, out: &mut Vec<u8>) {
    if attribute {
        out.extend(text.iter().map(|&b| if is_space(b) { b' ' } else { b }));
    } else {
        out.extend_from_slice(text);
    }
}

enum Found {
    Char(char),
    Illegal,
    Name,
    Nothing,
}

/// What the names mean that XML itself gives a meaning (XML 1.0, section 4.6).
fn predefined_name(name: &[u8]) -> Option<u8> {
    Some(match name {
        b"amp" => b'&',
        b"lt" => b'<',
        b"gt" => b'>',
        b"quot" => b'"',
        b"apos" => b'\'',
        _ => return None,
    })
}

/// What a text begins with behind an `&`, where that is a reference to a name of XML itself: what it means, and the rest.
#[inline]
pub fn predefined(text: &[u8]) -> Option<(u8, &[u8])> {
    let end = text.iter().take(5).position(|&b| b == b';')?;
    Some((predefined_name(&text[..end])?, &text[end + 1..]))
}

fn reference(name: &[u8]) -> Found {
    if let Some(byte) = predefined_name(name) {
        return Found::Char(byte.into());
    }
    match name {
        [b'#', b'x', hex @ ..] if !hex.is_empty() && hex.iter().all(u8::is_ascii_hexdigit) => number(hex, 16),
        [b'#', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => number(digits, 10),
        [first, rest @ ..]
            if first.is_ascii_alphabetic()
                && rest.iter().all(|&b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_')) =>
        {
            Found::Name
        }
        _ => Found::Nothing,
    }
}

fn number(digits: &[u8], radix: u32) -> Found {
    let value = digits.iter().try_fold(0u32, |sum, &d| {
        let digit = char::from(d).to_digit(radix)?;
        sum.checked_mul(radix)?.checked_add(digit)
    });
    match value.and_then(char::from_u32) {
        Some(c) if is_char(c) => Found::Char(c),
        _ => Found::Illegal,
    }
}

/// Whether XML 1.0 allows a character (production 2).
pub const fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}
