//! What is wrong with an address that is a row all the same. Repairs nothing.

use super::class::{Authority, QUERY, authority, begins_hex, is, is_port, web};
use crate::codes::Code;
use std::ops::Range;

/// Bytes looked at together: one register of every machine that counts.
const LANES: usize = 16;

/// Whether a loc holds only what RFC 3986 allows, and nothing that has to be looked at in its place: no `%`, no brackets,
/// no `#`, no `:` behind the scheme. Then [`faults`] finds nothing.
///
/// ```
/// use urlset::value::url::is_plain;
/// assert!(is_plain(b"https://a.example/p?q=1&r=(2)"));
/// assert!(!is_plain(b"https://a.example/a b"));
/// assert!(!is_plain(b"https://a.example/%20"));
/// ```
#[inline]
pub fn is_plain(loc: &[u8]) -> bool {
    // The colon of the scheme is the fifth or sixth byte.
    let Some((scheme, rest)) = loc.split_first_chunk::<6>() else { return false };
    let scheme = scheme.iter().fold(0, |bad, b| bad | u8::from(!(b.is_ascii_alphabetic() || matches!(b, b':' | b'/'))));
    let mut bad = scheme;
    let mut blocks = rest.chunks_exact(LANES);
    for block in &mut blocks {
        bad |= odd_bytes::<LANES>(block);
    }
    // The last block overlaps the one before, where there is one.
    bad |= match rest.last_chunk::<LANES>() {
        Some(last) => odd_bytes::<LANES>(last),
        None => blocks.remainder().iter().fold(0, |bad, b| bad | odd_byte(*b)),
    };
    bad == 0
}

#[inline]
fn odd_bytes<const N: usize>(block: &[u8]) -> u8 {
    let Some(block) = block.first_chunk::<N>() else { return 1 };
    let mut bad = [0u8; N];
    for at in 0..N {
        bad[at] = odd_byte(block[at]);
    }
    bad.iter().fold(0, |all, b| all | b)
}

/// 1 for a byte that is not plain. Without a table or a branch, so that a block is judged at once.
#[inline]
fn odd_byte(b: u8) -> u8 {
    u8::from(b.wrapping_sub(0x21) > 0x5d) // controls, the blank, DEL, beyond ASCII
        | u8::from(b | 1 == b'#') // " #
        | u8::from(b == b'%')
        | u8::from(b == b':')
        | u8::from(b | 2 == b'>') // < >
        | u8::from((b | 0x20).wrapping_sub(b'{') < 3) // [ \ ] { | }
        | u8::from(b == b'^')
        | u8::from(b == b'`')
}

/// Whether [`faults`] would find nothing, told without finding out what: plain, or odd only by sound escapes, one
/// fragment, colons behind the host, letters beyond ASCII. `false` means that [`faults`] may find something.
///
/// ```
/// use urlset::value::url::is_clean;
/// assert!(is_clean(b"https://a.example/%C3%BC#top"));
/// assert!(!is_clean(b"https://a.example/100%"));
/// ```
#[inline]
pub fn is_clean(loc: &[u8]) -> bool {
    is_plain(loc) || is_escaped(loc)
}

fn is_escaped(loc: &[u8]) -> bool {
    let Some((_, rest)) = web(loc) else { return false };
    let (authority, mut rest) = authority(rest);
    let odd = |b: &u8| !is(*b, QUERY) || *b == b':' || *b == b'?';
    if authority.iter().any(odd) {
        return false;
    }
    let mut fragment = false;
    while let [first, tail @ ..] = rest {
        rest = tail;
        if is(*first, QUERY) {
            continue;
        }
        match first {
            b'%' if begins_hex(tail) => rest = &tail[2..],
            b'#' if !fragment => fragment = true,
            // The bytes that invisible characters begin with are left to the closer look.
            0xc2 | 0xd8 | 0xe1 | 0xe2 | 0xef => return false,
            0x80.. => {}
            _ => return false,
        }
    }
    true
}

/// Reports what breaks the value space of a row's loc: the first of each code, with its bytes in the loc.
///
/// | code | what |
/// |---|---|
/// | `URL005` | a port that is no number from 1 to 65535 |
/// | `URL006` | `%` without two hexadecimal digits |
/// | `URL007` | other ASCII that RFC 3986 does not allow there: blanks, controls, ``" < > ^ ` { \| }``, brackets outside of an IP literal, a second `#` |
/// | `URL022` | a backslash |
/// | `URL023` | a tab or line break |
/// | `URL030` | characters without width, marks of direction; joiners only beside ASCII, since scripts need them |
/// | `URL031` | leftovers of a template; their braces are not told again as `URL007` |
///
/// ```
/// use urlset::{codes::Code, value::url::faults};
/// let mut found = Vec::new();
/// faults("https://a.example/a b%", &mut |code, range| found.push((code, range)));
/// assert_eq!(found, [(Code::URL007, 19..20), (Code::URL006, 21..22)]);
/// ```
pub fn faults(loc: &str, report: &mut dyn FnMut(Code, Range<usize>)) {
    let bytes = loc.as_bytes();
    let mut first = First { told: [false; CODES.len()], report };
    let mut at = 0;
    // The literal of a host may hold brackets.
    let mut literal = 0..0;
    if let Some((_, rest)) = web(bytes) {
        let start = bytes.len() - rest.len();
        let (authority, _) = authority(rest);
        let parts = Authority::of(authority);
        let host = start + parts.user.len();
        let port = host + parts.host.len();
        if parts.host.first() == Some(&b'[') {
            literal = host..port;
        }
        if !is_port(parts.port) {
            first.tell(Code::URL005, port + 1..start + authority.len());
        }
    }
    let mut fragment = false;
    while let Some(&byte) = bytes.get(at) {
        if is(byte, QUERY) && byte != b'$' {
            at += 1;
            continue;
        }
        let rest = &bytes[at..];
        if let Some(length) = template(rest) {
            first.tell(Code::URL031, at..at + length);
            at += length;
            continue;
        }
        let (code, length) = match byte {
            b'$' => (None, 1),
            b'%' if begins_hex(&rest[1..]) => (None, 3),
            b'%' => (Some(Code::URL006), 1),
            b'\\' => (Some(Code::URL022), 1),
            b'\t' | b'\n' | b'\r' => (Some(Code::URL023), 1),
            b'#' if !fragment => {
                fragment = true;
                (None, 1)
            }
            b'[' | b']' if literal.contains(&at) => (None, 1),
            0..0x80 => (Some(Code::URL007), 1),
            0x80.. => match invisible(bytes, at) {
                Some(length) => (Some(Code::URL030), length),
                None => (None, 1),
            },
        };
        if let Some(code) = code {
            first.tell(code, at..at + length);
        }
        at += length;
    }
}

const CODES: [Code; 7] =
    [Code::URL005, Code::URL006, Code::URL007, Code::URL022, Code::URL023, Code::URL030, Code::URL031];

/// Tells each code once.
struct First<'a> {
    told: [bool; CODES.len()],
    report: &'a mut dyn FnMut(Code, Range<usize>),
}

impl First<'_> {
    fn tell(&mut self, code: Code, range: Range<usize>) {
        if let Some(at) = CODES.iter().position(|c| *c == code)
            && !std::mem::replace(&mut self.told[at], true)
        {
            (self.report)(code, range);
        }
    }
}

/// The invisible character that begins at a byte: its length.
fn invisible(text: &[u8], at: usize) -> Option<usize> {
    match text[at..] {
        // U+00AD soft hyphen, U+061C Arabic letter mark
        [0xc2, 0xad, ..] | [0xd8, 0x9c, ..] => Some(2),
        // U+180E Mongolian vowel separator, U+FEFF byte order mark
        [0xe1, 0xa0, 0x8e, ..] | [0xef, 0xbb, 0xbf, ..] => Some(3),
        // U+200B zero width space, U+200E and U+200F marks of direction, U+2028 to U+202E separators and embeddings,
        // U+2060 to U+206F word joiner, operators, isolates
        [0xe2, 0x80, 0x8b | 0x8e | 0x8f | 0xa8..=0xae, ..] | [0xe2, 0x81, 0xa0..=0xaf, ..] => Some(3),
        // U+200C and U+200D, the joiners: Persian, the scripts of India and emoji need them between their own characters.
        [0xe2, 0x80, 0x8c | 0x8d, ref rest @ ..] => {
            let inside = at > 0 && text[at - 1] >= 0x80 && rest.first().is_some_and(|b| *b >= 0x80);
            (!inside).then_some(3)
        }
        _ => None,
    }
}

/// How far the end of a template is looked for: a bound, so that no address costs more than its length.
const TEMPLATE_BYTES: usize = 128;

/// The leftover of a template that a text begins with: its length, up to its end where that is near.
fn template(text: &[u8]) -> Option<usize> {
    let (begin, end): (usize, &[u8]) = match text {
        [b'{', b'{', ..] => (2, b"}}"),
        [b'{', b'%', ..] => (2, b"%}"),
        [b'$', b'{', ..] => (2, b"}"),
        [b'<', b'?', ..] => (2, b"?>"),
        [b'<', b'%', ..] => (2, b"%>"),
        [b'[', rest @ ..] if rest.starts_with(b"object ") || rest.starts_with(b"object%20") => (7, b"]"),
        _ => return None,
    };
    let window = &text[begin..text.len().min(TEMPLATE_BYTES)];
    let found = window.windows(end.len()).position(|w| w == end);
    Some(found.map_or(begin, |found| begin + found + end.len()))
}

/// Whether a text holds a leftover of a template anywhere.
pub(super) fn has_template(text: &[u8]) -> bool {
    memchr::memchr3_iter(b'{', b'<', b'[', text).any(|at| {
        let start = at - usize::from(at > 0 && text[at - 1] == b'$');
        template(&text[start..]).is_some() || template(&text[at..]).is_some()
    })
}
