//! Hosts: which can be one, and their A-labels. Looks nothing up.

use super::class::{HEX, LABEL, LOWER, NO_HOST, begins_hex, is};
use idna::AsciiDenyList;
use std::borrow::Cow;
use std::net::Ipv6Addr;

/// Longest name and label of the domain name system, RFC 1035 section 2.3.4.
const NAME_BYTES: usize = 253;
const LABEL_BYTES: usize = 63;
/// Longest Unicode name that is looked at: no name that long fits, and the cost of A-labels is kept linear.
const UNICODE_BYTES: usize = 1024;

/// Whether a text, without port and user, can be a host.
pub(super) fn is_possible(host: &[u8]) -> bool {
    if let [b'[', address @ ..] = host {
        return matches!(address, [address @ .., b']'] if is_ipv6(address));
    }
    if host.iter().all(|b| is(*b, LABEL) || *b == b'.') {
        return has_sound_labels(host);
    }
    a_label(host).is_some()
}

fn is_ipv6(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.parse::<Ipv6Addr>().is_ok())
}

/// Whether no label is empty or too long, nor the whole; a dot at the end names the root.
pub(super) fn has_sound_labels(host: &[u8]) -> bool {
    let name = host.strip_suffix(b".").unwrap_or(host);
    name.len() <= NAME_BYTES && name.split(|b| *b == b'.').all(|label| !label.is_empty() && label.len() <= LABEL_BYTES)
}

/// The host as it travels: A-labels for what is not ASCII, lower case, escapes resolved. `None` for what cannot be a host.
fn a_label(host: &[u8]) -> Option<Cow<'_, [u8]>> {
    if host.len() > UNICODE_BYTES {
        return None;
    }
    let decoded = decode(host)?;
    let ascii = if decoded.is_ascii() {
        // Left to itself, idna would refuse names that resolve, such as those with a broken `xn--`.
        decoded.iter().all(|b| !is(*b, NO_HOST)).then_some(decoded)?
    } else {
        std::str::from_utf8(&decoded).ok()?;
        Cow::Owned(idna::domain_to_ascii_cow(&decoded, AsciiDenyList::URL).ok()?.into_owned().into_bytes())
    };
    let sound = has_sound_labels(&ascii) && ascii.iter().all(|b| !is(*b, NO_HOST));
    sound.then_some(ascii)
}

/// Resolves the percent escapes of a host; `None` for a percent sign that begins none.
fn decode(host: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !host.contains(&b'%') {
        return Some(Cow::Borrowed(host));
    }
    let mut out = Vec::with_capacity(host.len());
    let mut rest = host;
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first == b'%' {
            if !begins_hex(tail) {
                return None;
            }
            out.push(hex(tail[0]) << 4 | hex(tail[1]));
            rest = &tail[2..];
        } else {
            out.push(*first);
        }
    }
    Some(Cow::Owned(out))
}

/// Value of a hexadecimal digit.
fn hex(digit: u8) -> u8 {
    debug_assert!(is(digit, HEX));
    if digit.is_ascii_digit() { digit - b'0' } else { (digit | 0x20) - b'a' + 10 }
}

/// Appends a host as it is written: lower case, A-labels; escapes of ASCII stay, quotes become such. `false`, and
/// nothing appended, for what cannot be a host.
pub(super) fn write(host: &[u8], out: &mut Vec<u8>) -> bool {
    if host.iter().all(|b| is(*b, LOWER)) {
        let sound = has_sound_labels(host);
        if sound {
            out.extend_from_slice(host);
        }
        return sound;
    }
    if host.first() == Some(&b'[') {
        let possible = is_possible(host);
        if possible {
            out.extend(host.iter().map(u8::to_ascii_lowercase));
        }
        return possible;
    }
    let Some(name) = a_label(host) else { return false };
    let unicode = !host.is_ascii() || decode(host).is_some_and(|decoded| !decoded.is_ascii());
    let written = if unicode { &name[..] } else { host };
    let mut rest = written;
    while let [first, tail @ ..] = rest {
        rest = tail;
        match first {
            b'%' if begins_hex(tail) => {
                out.extend_from_slice(&[b'%', tail[0], tail[1]]);
                rest = &tail[2..];
            }
            // The two that the URL Standard lets pass and RFC 3986 does not.
            b'"' => out.extend_from_slice(b"%22"),
            b'`' => out.extend_from_slice(b"%60"),
            first => out.push(first.to_ascii_lowercase()),
        }
    }
    true
}

/// Host for comparison: lower case, A-labels.
pub(super) fn key(host: &str) -> Cow<'_, str> {
    if host.bytes().all(|b| is(b, LOWER)) {
        return Cow::Borrowed(host);
    }
    let mut out = Vec::with_capacity(host.len());
    let written = write(host.as_bytes(), &mut out);
    match String::from_utf8(out) {
        Ok(key) if written => Cow::Owned(key),
        _ => Cow::Owned(host.to_ascii_lowercase()),
    }
}
