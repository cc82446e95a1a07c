//! Addresses on their way out: what RFC 3986 forbids is escaped, the host made plain. Decodes nothing, reorders nothing.

use super::absolute::scheme;
use super::class::{Authority, PATH, QUERY, USER, begins_hex, common_host, is, is_port, web};
use super::{faults, host};
use crate::codes::Code;

/// Whether an address was written as it stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoded {
    /// Byte for byte.
    Same,
    /// Something was escaped, lower-cased or added.
    Changed,
}

/// Appends a web address as RFC 3986 wants it, and says whether it had to be changed.
///
/// Each component keeps what may stand in it; everything else is percent-encoded as UTF-8. A `%` that begins an escape
/// stays with it, any other becomes `%25`. Scheme and host are lower-cased, a Unicode host becomes its A-labels, a missing
/// path becomes `/`, a second `#` becomes `%23`. White space around the address is left out. Doing it again changes nothing.
///
/// Refused, with nothing appended: [`Code::URL001`] no scheme, [`Code::URL002`] neither http nor https, [`Code::URL003`] no
/// host, [`Code::URL004`] no possible host, [`Code::URL005`] no possible port, [`Code::URL022`] a backslash right behind the
/// authority, which could be part of it or of the path. A template where the host should be is [`Code::URL031`].
///
/// ```
/// use urlset::value::url::{encode, Encoded};
/// let mut out = Vec::new();
/// assert_eq!(encode("HTTP://Bücher.example?q=a b", &mut out), Ok(Encoded::Changed));
/// assert_eq!(out, b"http://xn--bcher-kva.example/?q=a%20b");
/// ```
#[inline]
pub fn encode(loc: &str, out: &mut Vec<u8>) -> Result<Encoded, Code> {
    if is_encoded(loc.as_bytes()) {
        out.extend_from_slice(loc.as_bytes());
        return Ok(Encoded::Same);
    }
    rewrite(loc, false, out)
}

/// As [`encode`], and ftp is allowed too: for addresses of images and videos.
///
/// ```
/// use urlset::value::url::{encode_any, Encoded};
/// assert_eq!(encode_any("ftp://a.example/v.mp4", &mut Vec::new()), Ok(Encoded::Same));
/// ```
#[inline]
pub fn encode_any(loc: &str, out: &mut Vec<u8>) -> Result<Encoded, Code> {
    if is_encoded(loc.as_bytes()) {
        out.extend_from_slice(loc.as_bytes());
        return Ok(Encoded::Same);
    }
    rewrite(loc, true, out)
}

/// Whether an address of the usual shape needs nothing: lower-case scheme and host, no port, a path, sound escapes.
#[inline]
fn is_encoded(loc: &[u8]) -> bool {
    let rest = if loc.starts_with(b"https://") {
        &loc[8..]
    } else if loc.starts_with(b"http://") {
        &loc[7..]
    } else {
        return false;
    };
    match common_host(rest) {
        Some(end) if rest.get(end) == Some(&b'/') => faults::is_plain(loc) || (loc.is_ascii() && faults::is_clean(loc)),
        _ => false,
    }
}

#[inline(never)]
fn rewrite(loc: &str, ftp: bool, out: &mut Vec<u8>) -> Result<Encoded, Code> {
    let start = out.len();
    let text = loc.trim_matches([' ', '\t', '\n', '\r']);
    match write(text.as_bytes(), ftp, out) {
        Ok(()) if out[start..] == *loc.as_bytes() => Ok(Encoded::Same),
        Ok(()) => Ok(Encoded::Changed),
        Err(code) => {
            out.truncate(start);
            let template = !matches!(code, Code::URL002 | Code::URL022) && faults::has_template(text.as_bytes());
            Err(if template { Code::URL031 } else { code })
        }
    }
}

fn write(text: &[u8], ftp: bool, out: &mut Vec<u8>) -> Result<(), Code> {
    let rest = match web(text) {
        Some((secure, rest)) => {
            out.extend_from_slice(if secure { b"https://" } else { b"http://" });
            rest
        }
        None => match scheme(text) {
            Some((scheme, [b'/', b'/', rest @ ..])) if ftp && scheme.eq_ignore_ascii_case(b"ftp") => {
                out.extend_from_slice(b"ftp://");
                rest
            }
            // For every other the reader's judgement holds; short of a host it finds a reason.
            _ => return Err(super::absolute(text).err().unwrap_or(Code::URL002)),
        },
    };
    let end = rest.iter().position(|b| matches!(b, b'/' | b'?' | b'#' | b'\\')).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    let Authority { user, host, port } = Authority::of(authority);
    if host.is_empty() {
        return Err(Code::URL003);
    }
    if let [user @ .., b'@'] = user {
        escape(user, USER, out);
        out.push(b'@');
    }
    if !host::write(host, out) {
        return Err(Code::URL004);
    }
    if rest.first() == Some(&b'\\') {
        return Err(Code::URL022);
    }
    if !is_port(port) {
        return Err(Code::URL005);
    }
    out.extend_from_slice(port);

    let hash = memchr::memchr(b'#', rest).unwrap_or(rest.len());
    let (rest, fragment) = rest.split_at(hash);
    let mark = memchr::memchr(b'?', rest).unwrap_or(rest.len());
    let (path, query) = rest.split_at(mark);
    if path.is_empty() {
        out.push(b'/');
    }
    escape(path, PATH, out);
    escape(query, QUERY, out);
    if let [b'#', fragment @ ..] = fragment {
        out.push(b'#');
        escape(fragment, QUERY, out);
    }
    Ok(())
}

/// Appends a component, with every byte that is not in the set escaped.
fn escape(text: &[u8], set: u8, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut rest = text;
    while !rest.is_empty() {
        let length = rest.iter().position(|b| !is(*b, set)).unwrap_or(rest.len());
        out.extend_from_slice(&rest[..length]);
        let Some((&byte, tail)) = rest[length..].split_first() else { return };
        if byte == b'%' && begins_hex(tail) {
            out.push(b'%');
        } else {
            out.extend_from_slice(&[b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
        rest = tail;
    }
}
