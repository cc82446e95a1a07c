//! Whether a rule's path matches the path of a page (RFC 9309, 2.2.2 and 2.2.3). Linear in both, whatever the stars.

use std::fmt::Write as _;

use memchr::memmem;

/// A rule's path, made comparable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern(String);

impl Pattern {
    pub(super) fn new(path: &str) -> Self {
        let (body, anchor) = path.strip_suffix('$').map_or((path, ""), |body| (body, "$"));
        // a dollar sign elsewhere than at the end means itself
        Self(comparable(body, |byte| byte == b'*') + anchor)
    }

    /// Octets of the pattern: of two rules that match, the longer one counts.
    pub(super) fn length(&self) -> usize {
        self.0.len()
    }

    /// Whether the pattern matches a path that [`path`] has made comparable.
    pub(super) fn matches(&self, path: &str) -> bool {
        matches(&self.0, path.as_bytes())
    }

    /// Google reads `Allow: /dir/index.html` as speaking of `/dir/` too: that pattern, for such rules.
    pub(super) fn of_index_page(&self) -> Option<Self> {
        let slash = self.0.rfind('/')?;
        self.0[slash..].starts_with("/index.htm").then(|| Self(format!("{}$", &self.0[..=slash])))
    }
}

/// The path of a page, made comparable to patterns: without a fragment, with a slash at its start.
pub(super) fn path(text: &str) -> String {
    let text = text.split('#').next().unwrap_or(text);
    let path = comparable(text, |_| false);
    if path.starts_with('/') { path } else { format!("/{path}") }
}

/// Decodes percent-escapes of unreserved characters, writes the others with capitals, and escapes what must be.
fn comparable(text: &str, special: impl Fn(u8) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if byte == b'%'
            && let Some(code) = escaped(&bytes[at..])
        {
            at += 2;
            push(&mut out, code, !is_unreserved(code));
            continue;
        }
        let escape = !special(byte) && (byte <= b' ' || byte >= 0x7f || b"\"<>\\^`{|}*$".contains(&byte));
        push(&mut out, byte, escape);
    }
    out
}

fn push(out: &mut String, byte: u8, escape: bool) {
    if escape {
        // writing to a string cannot fail
        let _ = write!(out, "%{byte:02X}");
    } else {
        out.push(char::from(byte));
    }
}

/// The octet that two hexadecimal digits stand for.
fn escaped(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| digits.get(at).and_then(|&d| char::from(d).to_digit(16));
    Some((digit(0)? << 4 | digit(1)?) as u8)
}

/// RFC 3986, 2.3.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// Each piece between stars at its first place after the one before: no later place could match more.
fn matches(pattern: &str, path: &[u8]) -> bool {
    let (body, anchored) = pattern.strip_suffix('$').map_or((pattern, false), |body| (body, true));
    let mut pieces = body.split('*');
    let first = pieces.next().unwrap_or("").as_bytes();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let Some(last) = pieces.next_back() else { return !anchored || rest.is_empty() };
    for piece in pieces {
        let Some(at) = memmem::find(rest, piece.as_bytes()) else { return false };
        rest = &rest[at + piece.len()..];
    }
    if anchored { rest.ends_with(last.as_bytes()) } else { memmem::find(rest, last.as_bytes()).is_some() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, tried every way: exponential, for short texts only.
    fn naive(pattern: &[u8], path: &[u8]) -> bool {
        match pattern {
            [] => true,
            b"$" => path.is_empty(),
            [b'*', more @ ..] => (0..=path.len()).any(|at| naive(more, &path[at..])),
            [byte, more @ ..] => path.first() == Some(byte) && naive(more, &path[1..]),
        }
    }

    #[test]
    fn matching_agrees_with_its_definition() {
        let letters = ['a', 'b', '*', '/'];
        let words = |length: u32| {
            (0..4_usize.pow(length)).map(move |n| (0..length).map(|at| letters[n / 4_usize.pow(at) % 4]).collect())
        };
        let patterns: Vec<String> = (0..5).flat_map(words).collect();
        let paths: Vec<String> = (0..5).flat_map(words).filter(|word: &String| !word.contains('*')).collect();
        for pattern in &patterns {
            for anchor in ["", "$"] {
                let pattern = format!("{pattern}{anchor}");
                for path in &paths {
                    assert_eq!(
                        matches(&pattern, path.as_bytes()),
                        naive(pattern.as_bytes(), path.as_bytes()),
                        "{pattern} {path}"
                    );
                }
            }
        }
    }

    #[test]
    fn escapes_are_compared_by_what_they_mean() {
        // (rule, path, matches): the pairs of RFC 9309, 2.2.2, and those around it
        let table = [
            ("/foo/bar?baz=quz", "/foo/bar?baz=quz", true),
            ("/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http%3A%2F%2Ffoo.bar", false),
            ("/foo/bar/\u{30c4}", "/foo/bar/%E3%83%84", true),
            ("/foo/bar/%E3%83%84", "/foo/bar/\u{30c4}", true),
            ("/foo/bar/%62%61%7A", "/foo/bar/baz", true),
            ("/%7euser", "/~user", true),
            ("/a%3cd", "/a%3Cd", true),
            ("/a<d", "/a%3Cd", true),
            ("/a b", "/a%20b", true),
            ("/a%2fb", "/a/b", false),
            ("/with-a-%2A.html", "/with-a-*.html", true),
            ("/with-a-%2A.html", "/with-a-x.html", false),
            ("/cost-%24", "/cost-$", true),
            ("/a$b", "/a$b", true),
            ("/a$b", "/a", false),
            ("/100%", "/100%/x", true),
            ("/x%4", "/x%4", true),
        ];
        for (rule, page, want) in table {
            assert_eq!(Pattern::new(rule).matches(&path(page)), want, "{rule} {page}");
        }
    }

    #[test]
    fn a_row_of_stars_is_no_trouble() {
        let pattern = Pattern::new(&format!("/{}b$", "a*".repeat(50_000)));
        assert!(!pattern.matches(&path(&"a".repeat(100_000))));
    }
}
