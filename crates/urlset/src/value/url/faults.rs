//! What is wrong with an address that is a row all the same. Repairs nothing.

use super::class::{Authority, QUERY, authority, begins_hex, common_host, is, is_port, web};
use crate::codes::Code;
use std::ops::Range;

/// Bytes looked at together: one register of every machine that counts.
const LANES: usize = 16;

/// Whether a loc is made of what RFC 3986 allows anywhere, and nothing else: letters, digits, `-._&'()*+,;=/?@`.
///
/// Then [`faults`] finds nothing. Left to [`is_clean`] are the bytes that are sound only in their place (`%`, `#`, a `:`
/// behind the scheme, brackets), the rare `!`, `$` and `~`, letters beyond ASCII, and schemes in upper case.
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
    let [b'h', b't', b't', b'p', b's' | b':', b':' | b'/', rest @ ..] = loc else { return false };
    let Some(last) = rest.last_chunk::<LANES>() else {
        return rest.iter().fold(0, |bad, b| bad | odd(*b)) == 0;
    };
    let mut bad = [0u8; LANES];
    let mut blocks = rest;
    while let Some((block, behind)) = blocks.split_first_chunk::<LANES>() {
        for (bad, byte) in bad.iter_mut().zip(block) {
            *bad |= odd(*byte);
        }
        blocks = behind;
    }
    // The last block overlaps the one before.
    for (bad, byte) in bad.iter_mut().zip(last) {
        *bad |= odd(*byte);
    }
    u128::from_ne_bytes(bad) == 0
}

/// Not 0 for a byte that is not plain. No table and no branch, so that a block is judged at once.
#[inline]
fn odd(b: u8) -> u8 {
    u8::from(b.wrapping_sub(b'&') > b'z' - b'&') // up to %, from { on
        | u8::from(b == b':')
        | u8::from(b | 2 == b'>') // < >
        | u8::from(b.wrapping_sub(b'[') < 4) // [ \ ] ^
        | u8::from(b == b'`')
}

/// Whether [`faults`] would find nothing, told without finding out what: plain, or with sound escapes, one fragment,
/// colons behind the host, letters beyond ASCII. `false` means that [`faults`] may find something.
///
/// ```
/// use urlset::value::url::is_clean;
/// assert!(is_clean(b"https://a.example/%C3%BC#top"));
/// assert!(!is_clean(b"https://a.example/100%"));
/// ```
#[inline]
pub fn is_clean(loc: &[u8]) -> bool {
    is_plain(loc) || is_sound(loc)
}

/// Whether an address with a common host is clean.
fn is_sound(loc: &[u8]) -> bool {
    /// What stands behind a byte is judged with it.
    const BLOCK: usize = LANES + 2;
    let Some((_, rest)) = web(loc) else { return false };
    // Then there is neither port nor literal.
    let Some(host) = common_host(rest) else { return false };
    let rest = &rest[host..];
    // A second `#` is none of the bytes, but of the whole.
    let hash = memchr::memchr(b'#', rest).map_or(rest.len(), |at| at + 1);
    if memchr::memchr(b'#', &rest[hash..]).is_some() {
        return false;
    }
    let Some(last) = rest.last_chunk::<BLOCK>() else { return slowly_sound(rest) };
    let mut bad = [0u8; LANES];
    let mut add = |block: &[u8; BLOCK]| {
        for at in 0..LANES {
            bad[at] |= unsound(block[at], block[at + 1], block[at + 2]);
        }
    };
    let mut blocks = rest;
    while let Some((block, _)) = blocks.split_first_chunk::<BLOCK>() {
        add(block);
        blocks = &blocks[LANES..];
    }
    add(last); // overlaps the block before
    u128::from_ne_bytes(bad) == 0 && slowly_sound(&last[LANES..])
}

/// As [`is_sound`], byte by byte, for short texts and the last two bytes.
fn slowly_sound(text: &[u8]) -> bool {
    let byte = |at: usize| text.get(at).copied().unwrap_or(0);
    (0..text.len()).all(|at| unsound(text[at], byte(at + 1), byte(at + 2)) == 0)
}

/// Not 0 for a byte that is never allowed, for a percent sign without its digits, and for a byte with which an invisible
/// character may begin.
#[inline]
fn unsound(b: u8, next: u8, after: u8) -> u8 {
    u8::from(b <= b' ')
        | u8::from(b == b'"')
        | u8::from(b | 2 == b'>') // < >
        | u8::from(b.wrapping_sub(b'[') < 4) // [ \ ] ^
        | u8::from(b == b'`')
        | u8::from(b.wrapping_sub(b'{') < 3) // { | }
        | u8::from(b == 0x7f)
        | u8::from(b == 0xc2)
        | u8::from(b == 0xd8)
        | u8::from(b.wrapping_sub(0xe1) < 2)
        | u8::from(b == 0xef)
        | (u8::from(b == b'%') & !(digit(next) & digit(after)))
}

/// 1 for a hexadecimal digit.
#[inline]
fn digit(b: u8) -> u8 {
    u8::from(b.wrapping_sub(b'0') < 10) | u8::from((b | 0x20).wrapping_sub(b'a') < 6)
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
        let place = CODES.iter().position(|c| *c == code);
        if place.is_some_and(|at| !std::mem::replace(&mut self.told[at], true)) {
            (self.report)(code, range);
        }
    }
}

/// The invisible character that begins at a byte: its length.
fn invisible(text: &[u8], at: usize) -> Option<usize> {
    match text[at..] {
        // U+00AD soft hyphen, U+061C Arabic letter mark
        [0xc2, 0xad, ..] | [0xd8, 0x9c, ..] => Some(2),
        // U+180E Mongolian vowel separator, U+FEFF byte order mark,
        // U+200B zero width space, U+200E and U+200F marks of direction, U+2028 to U+202E separators and embeddings,
        // U+2060 to U+206F word joiner, operators, isolates
        [0xe1, 0xa0, 0x8e, ..]
        | [0xef, 0xbb, 0xbf, ..]
        | [0xe2, 0x80, 0x8b | 0x8e | 0x8f | 0xa8..=0xae, ..]
        | [0xe2, 0x81, 0xa0..=0xaf, ..] => Some(3),
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
