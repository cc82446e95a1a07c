//! The one table of what each byte may be in an address. Data, and the splitting of an address into its components.

/// Allowed in user information: unreserved, sub-delims, `:`.
pub(super) const USER: u8 = 1;
/// Allowed in a registered name: unreserved, sub-delims.
pub(super) const NAME: u8 = 1 << 1;
/// Allowed in a path: unreserved, sub-delims, `:`, `@`, `/`.
pub(super) const PATH: u8 = 1 << 2;
/// Allowed in a query or fragment: as in a path, and `?`.
pub(super) const QUERY: u8 = 1 << 3;
/// A hexadecimal digit.
pub(super) const HEX: u8 = 1 << 4;
/// A letter, a digit, `-` or `_`: what nearly every host is made of.
pub(super) const LABEL: u8 = 1 << 5;
/// Never part of a host: the forbidden domain code points of the URL Standard, and braces.
pub(super) const NO_HOST: u8 = 1 << 6;
/// As [`LABEL`] or `.`, and not an upper-case letter: a host that is written as it stands.
pub(super) const LOWER: u8 = 1 << 7;

/// Sets of RFC 3986, sections 2.2, 2.3 and 3, and of the URL Standard, section 3.1.
static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        let mut class = 0;
        let letter = b.is_ascii_alphanumeric();
        let unreserved = letter || matches!(b, b'-' | b'.' | b'_' | b'~');
        let delimiter = matches!(b, b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=');
        if unreserved || delimiter {
            class |= USER | NAME | PATH | QUERY;
        }
        if b == b':' {
            class |= USER | PATH | QUERY;
        }
        if matches!(b, b'@' | b'/') {
            class |= PATH | QUERY;
        }
        if b == b'?' {
            class |= QUERY;
        }
        if b.is_ascii_hexdigit() {
            class |= HEX;
        }
        if letter || matches!(b, b'-' | b'_') {
            class |= LABEL;
        }
        if b.is_ascii_digit() || b.is_ascii_lowercase() || matches!(b, b'-' | b'_' | b'.') {
            class |= LOWER;
        }
        if b <= b' '
            || b == 0x7f
            || matches!(
                b,
                b'#' | b'%' | b'/' | b':' | b'<' | b'>' | b'?' | b'@' | b'[' | b'\\' | b']' | b'^' | b'|' | b'{' | b'}'
            )
        {
            class |= NO_HOST;
        }
        table[byte] = class;
        byte += 1;
    }
    table
};

/// Whether a byte belongs to one of the sets.
#[inline]
pub(super) fn is(byte: u8, set: u8) -> bool {
    CLASS[byte as usize] & set != 0
}

/// Whether a text begins with two hexadecimal digits.
#[inline]
pub(super) fn begins_hex(text: &[u8]) -> bool {
    matches!(text, [a, b, ..] if is(*a, HEX) && is(*b, HEX))
}

/// The text behind `scheme://` where the scheme is http or https, in any case, and whether it is https.
#[inline]
pub(super) fn web(text: &[u8]) -> Option<(bool, &[u8])> {
    // One comparison of eight bytes in place of a loop; the bit 0x20 is the case of a letter.
    let head = u64::from_le_bytes(*text.first_chunk::<8>()?);
    let lower = head | u64::from_le_bytes([0x20, 0x20, 0x20, 0x20, 0x20, 0, 0, 0]);
    if lower == u64::from_le_bytes(*b"https://") {
        return Some((true, &text[8..]));
    }
    let lower = head | u64::from_le_bytes([0x20, 0x20, 0x20, 0x20, 0, 0, 0, 0]);
    (lower & 0x00ff_ffff_ffff_ffff == u64::from_le_bytes(*b"http://\0")).then(|| (false, &text[7..]))
}

/// Length of the host a text begins with, where that is of the common kind: lower-case letters, digits, hyphens and dots,
/// no empty label, no dot at the end, 63 bytes at most, and then the end or a path, a query or a fragment.
///
/// `None` says only that somebody has to look closer.
#[inline]
pub(super) fn common_host(text: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x80 * ONES;
    let mut dotted = 0x80; // the top bit of the byte before; a dot at the beginning is one too many
    let mut length = 0;
    while length <= 63 {
        let rest = &text[length..];
        let word = rest.first_chunk::<8>().copied().unwrap_or_else(|| {
            let mut word = [b'/'; 8]; // the end of the text ends the host
            word[..rest.len()].copy_from_slice(rest);
            word
        });
        let word = u64::from_le_bytes(word);
        let low = word & !TOPS;
        // The top bit of each byte tells: not less than a bound. No sum leaves its byte.
        let from = |bound: u8| low + ONES * u64::from(0x80 - bound);
        let common = (from(b'a') & !from(b'z' + 1)) | (from(b'0') & !from(b'9' + 1)) | (from(b'-') & !from(b'.' + 1));
        let odd = !(common & !word) & TOPS;
        // Beyond the first odd byte nothing is of interest.
        let host = if odd == 0 { u64::MAX } else { (odd & odd.wrapping_neg()) - 1 };
        let dots = (from(b'.') & !from(b'.' + 1)) & !word & TOPS;
        let before = dots << 8 | dotted;
        if dots & before & host != 0 {
            return None;
        }
        if odd != 0 {
            let count = (odd.trailing_zeros() / 8) as usize;
            let end = length + count;
            let closed = before & (0x80 << (count * 8)) == 0;
            let ended = matches!(text.get(end), None | Some(b'/' | b'?' | b'#'));
            return (end <= 63 && closed && ended).then_some(end);
        }
        dotted = dots >> 56;
        length += 8;
    }
    None
}

/// The authority, and what follows it: up to the first `/`, `?` or `#`, or the backslash that browsers take for a slash.
pub(super) fn authority(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|b| matches!(b, b'/' | b'?' | b'#' | b'\\')).unwrap_or(text.len());
    text.split_at(end)
}

/// The parts of an authority; what stands before the last `@` is user information.
pub(super) struct Authority<'a> {
    /// With its `@`, empty where there is none.
    pub(super) user: &'a [u8],
    pub(super) host: &'a [u8],
    /// With its `:`, empty where there is none.
    pub(super) port: &'a [u8],
}

impl<'a> Authority<'a> {
    pub(super) fn of(text: &'a [u8]) -> Self {
        let at = memchr::memrchr(b'@', text).map_or(0, |at| at + 1);
        let (user, rest) = text.split_at(at);
        // Colons inside of an IP literal are not the port's.
        let literal = if rest.first() == Some(&b'[') { memchr::memchr(b']', rest).unwrap_or(0) } else { 0 };
        let colon = memchr::memchr(b':', &rest[literal..]).map_or(rest.len(), |colon| literal + colon);
        let (host, port) = rest.split_at(colon);
        Self { user, host, port }
    }
}

/// Whether a port, with its colon or empty, is one: nothing, or a number from 1 to 65535.
pub(super) fn is_port(port: &[u8]) -> bool {
    let digits = port.get(1..).unwrap_or_default();
    digits.is_empty() || number(digits).is_some()
}

/// A port's number.
pub(super) fn number(digits: &[u8]) -> Option<u16> {
    let value = digits.iter().try_fold(0u32, |value, b| {
        let digit = u32::from(b.wrapping_sub(b'0'));
        (digit < 10).then(|| (value * 10 + digit).min(100_000))
    })?;
    u16::try_from(value).ok().filter(|port| *port > 0)
}
