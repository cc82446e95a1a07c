//! The address on a Sitemap line, judged as it stands. Resolves nothing, fetches nothing, completes nothing.

use std::fmt::Write as _;
use std::ops::Range;

/// What an address is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An http or https address with a host.
    Full,
    /// An address that needs another one to be resolved against.
    Relative,
    /// Nothing that leads anywhere.
    Malformed,
}

/// Tells what the text of an address is.
pub(super) fn kind(value: &[u8]) -> Kind {
    if let Some(rest) = after_scheme(value) {
        let authority = rest.split(|byte| b"/?#".contains(byte)).next().unwrap_or(rest);
        let host = authority.rsplit(|&byte| byte == b'@').next().unwrap_or(authority);
        let named = host.first().is_some_and(|&byte| byte != b':' && !byte.is_ascii_whitespace());
        return if named { Kind::Full } else { Kind::Malformed };
    }
    let slash = value.iter().position(|byte| b"/?".contains(byte)).unwrap_or(value.len());
    if value.is_empty() || value == b"//" || value[..slash].contains(&b':') {
        return Kind::Malformed;
    }
    let lost = value[..slash].iter().any(u8::is_ascii_whitespace);
    let leads = slash < value.len() || value.contains(&b'.');
    if leads && !lost { Kind::Relative } else { Kind::Malformed }
}

/// What follows `http://` or `https://`, in any case.
fn after_scheme(value: &[u8]) -> Option<&[u8]> {
    ["http://", "https://"].iter().find_map(|scheme| {
        let (head, rest) = value.split_at_checked(scheme.len())?;
        head.eq_ignore_ascii_case(scheme.as_bytes()).then_some(rest)
    })
}

/// Where the full address inside quotes or angle brackets stands.
pub(super) fn unwrapped(value: &[u8]) -> Option<Range<usize>> {
    const PAIRS: [(u8, u8); 3] = [(b'"', b'"'), (b'\'', b'\''), (b'<', b'>')];
    let [first, .., last] = value else { return None };
    if !PAIRS.contains(&(*first, *last)) {
        return None;
    }
    match words(&value[1..value.len() - 1]).as_slice() {
        [one] => Some(one.start + 1..one.end + 1).filter(|one| kind(&value[one.clone()]) == Kind::Full),
        _ => None,
    }
}

/// Where several full addresses stand that have blanks between them, and nothing else.
pub(super) fn several(value: &[u8]) -> Option<Vec<Range<usize>>> {
    let mut words = words(value);
    for word in &mut words {
        if word.len() > 1 && value[word.end - 1] == b',' {
            word.end -= 1;
        }
    }
    (words.len() > 1 && words.iter().all(|word| kind(&value[word.clone()]) == Kind::Full)).then_some(words)
}

/// What stands between blanks.
fn words(value: &[u8]) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for at in (0..value.len()).filter(|&at| !value[at].is_ascii_whitespace()) {
        match words.last_mut() {
            Some(word) if word.end == at => word.end += 1,
            _ => words.push(at..at + 1),
        }
    }
    words
}

/// Whether a byte may not stand in an address as it is (RFC 3986, 2).
fn is_raw(byte: u8) -> bool {
    byte <= b' ' || byte >= 0x7f || b"\"<>\\^`{|}".contains(&byte)
}

/// Whether something in the address should have been percent-encoded.
pub(super) fn is_unescaped(value: &[u8]) -> bool {
    value.iter().copied().any(is_raw)
}

/// The address percent-encoded, unless its host is what needs work: a host is not written that way.
pub(super) fn escaped(value: &str) -> Option<String> {
    let rest = after_scheme(value.as_bytes()).unwrap_or(value.as_bytes());
    let authority = rest.split(|byte| b"/?#".contains(byte)).next().unwrap_or(rest);
    if is_unescaped(authority) {
        return None;
    }
    let mut out = String::with_capacity(value.len());
    for byte in value.bytes() {
        if is_raw(byte) {
            // writing to a string cannot fail
            let _ = write!(out, "%{byte:02X}");
        } else {
            out.push(char::from(byte));
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        let table = [
            ("http://a.example/sitemap.xml", Kind::Full),
            ("HTTPS://a.example", Kind::Full),
            ("http://user:pass@a.example:8080/s", Kind::Full),
            ("http://[::1]/s", Kind::Full),
            ("http://a.example/b c.xml", Kind::Full),
            ("http://", Kind::Malformed),
            ("http:///sitemap.xml", Kind::Malformed),
            ("http://:80/", Kind::Malformed),
            ("http:/a.example/s.xml", Kind::Malformed),
            ("http//a.example/s.xml", Kind::Relative),
            ("ftp://a.example/s.xml", Kind::Malformed),
            ("a.example:8080/s.xml", Kind::Malformed),
            ("/sitemap.xml", Kind::Relative),
            ("//a.example/sitemap.xml", Kind::Relative),
            ("./s.xml?a=http://b", Kind::Relative),
            ("sitemap.xml", Kind::Relative),
            ("none", Kind::Malformed),
            ("see our page.", Kind::Malformed),
            ("//", Kind::Malformed),
            ("", Kind::Malformed),
        ];
        for (value, want) in table {
            assert_eq!(kind(value.as_bytes()), want, "{value}");
        }
    }

    #[test]
    fn what_is_around_and_between_addresses() {
        let unwrap = |text: &'static str| unwrapped(text.as_bytes()).map(|at| &text[at]);
        assert_eq!(unwrap("\"http://a.example/s\""), Some("http://a.example/s"));
        assert_eq!(unwrap("< http://a.example/s >"), Some("http://a.example/s"));
        assert_eq!(unwrap("\"/s.xml\""), None);
        assert_eq!(unwrap("\""), None);
        assert_eq!(unwrap("\"\""), None);
        let split = |text: &'static str| {
            several(text.as_bytes()).map(|all| all.into_iter().map(|at| &text[at]).collect::<Vec<_>>())
        };
        assert_eq!(
            split("http://a.example/1,  http://a.example/2"),
            Some(vec!["http://a.example/1", "http://a.example/2"])
        );
        assert_eq!(split("http://a.example/1 main"), None);
        assert_eq!(split("http://a.example/1,2"), None);
        assert_eq!(escaped("http://a.example/b c/\u{e9}").as_deref(), Some("http://a.example/b%20c/%C3%A9"));
        assert_eq!(escaped("http://\u{e9}.example/"), None);
    }
}
