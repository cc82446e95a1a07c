//! The first bytes of a text to the parser it needs. Decides as soon as it can, and never later than [`HEAD`] bytes.

use memchr::memmem;

use crate::scan::is_space;

/// Bytes looked at before what is no format known is called so.
pub(super) const HEAD: usize = 64 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Xml,
    Text,
    Robots,
    Empty,
    Unknown,
}

/// What tells markup from text, wherever in the head it stands.
const MARKUP: &[&[u8]] = &[
    b"<urlset",
    b"<sitemapindex",
    b"<?xml",
    b"<rss",
    b"<feed",
    b"<rdf:rdf",
    b"<url>",
    b"<sitemap>",
    b"<loc>",
    b"<html",
    b"<!doctype",
    b":urlset",
    b":sitemapindex",
];

/// The format of a text that begins with `head`; `None` while more of it is needed. `last` says that this is all.
pub(super) fn sniff(head: &[u8], last: bool, name: Option<&str>, content_type: Option<&str>) -> Option<Format> {
    let begin = head.iter().take(HEAD).position(|&b| !is_space(b)).unwrap_or(head.len().min(HEAD));
    let rest = &head[begin..];
    if begin == HEAD {
        return Some(Format::Xml); // no one writes a list like this, and XML may begin late
    }
    if rest.is_empty() {
        return last.then_some(Format::Empty);
    }
    let robots = name.is_some_and(|n| {
        let file = n.rsplit(['/', '\\']).next().unwrap_or(n);
        file.split(['?', '#']).next().is_some_and(|f| f.eq_ignore_ascii_case("robots.txt"))
    });
    if robots && rest[0] == b'<' {
        // A page in its place is read as what it should be, which says so and finds the lines that it wraps.
        let lower = rest[..rest.len().min(14)].to_ascii_lowercase();
        if lower.len() < 14 && !last {
            return None;
        }
        if [&b"<html"[..], b"<!doctype html", b"<head", b"<body"].iter().any(|tag| lower.starts_with(tag)) {
            return Some(Format::Robots);
        }
    }
    if rest[0] == b'<' {
        match rest.get(1) {
            None if !last => return None,
            Some(&b) if b.is_ascii_alphabetic() || matches!(b, b'!' | b'?' | b'_') => return Some(Format::Xml),
            _ => {}
        }
    }
    let named = |ending: &str| {
        name.is_some_and(|n| n.rsplit('/').next().is_some_and(|n| n.to_ascii_lowercase().ends_with(ending)))
    };
    if robots {
        return Some(Format::Robots);
    }
    // A list says so with its first line.
    let lower = rest[..rest.len().min(8)].to_ascii_lowercase();
    if lower.starts_with(b"http://") || lower.starts_with(b"https://") {
        return Some(Format::Text);
    }
    if !last && lower.len() < 8 && (b"http://".starts_with(&lower) || b"https://".starts_with(&lower)) {
        return None;
    }
    let folded = head[..head.len().min(HEAD)].to_ascii_lowercase();
    if MARKUP.iter().any(|m| memmem::find(&folded, m).is_some()) {
        return Some(Format::Xml);
    }
    if !last && head.len() < HEAD {
        return None;
    }
    let lines = || folded.split(|&b| b == b'\n' || b == b'\r').map(<[u8]>::trim_ascii);
    let address = |line: &[u8]| line.starts_with(b"http://") || line.starts_with(b"https://");
    let key = |line: &[u8]| {
        let key = line.split(|&b| b == b':').next().unwrap_or(b"").trim_ascii();
        line.contains(&b':') && matches!(key, b"user-agent" | b"sitemap" | b"disallow" | b"allow" | b"crawl-delay")
    };
    if lines().any(key) {
        return Some(Format::Robots);
    }
    // Most of a list is still one when its first line is damaged.
    let (filled, addresses) =
        lines().filter(|l| !l.is_empty()).fold((0, 0), |(all, good), l| (all + 1, good + usize::from(address(l))));
    if addresses * 2 > filled {
        return Some(Format::Text);
    }
    if folded.contains(&0) || matches!(rest[0], b'{' | b'[' | b'%' | 0x80..) && !named(".txt") {
        return Some(Format::Unknown);
    }
    let text = named(".txt") || content_type.is_some_and(|t| t.trim().to_ascii_lowercase().starts_with("text/plain"));
    Some(if text || lines().any(address) { Format::Text } else { Format::Unknown })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_their_bytes() {
        for (head, format, why) in [
            (&b"<urlset>"[..], Format::Xml, "markup"),
            (b" \n<?xml", Format::Xml, "white space first"),
            (b"http://a.example/", Format::Text, "a list"),
            (b"HTTPS://a.example/", Format::Text, "a list in capitals"),
            (b"My pages:\nhttp://a.example/", Format::Text, "a header line"),
            (b"<br />\n<b>Warning</b>: x\n<urlset>", Format::Xml, "a failing server"),
            (b"Warning: x\n<urlset>", Format::Xml, "the same in plain text"),
            (b"User-agent: *\nDisallow:", Format::Robots, "robots.txt"),
            (b"Sitemap: http://a.example/s.xml", Format::Robots, "a robots.txt of one line"),
            (b"  \n", Format::Empty, "white space"),
            (b"{\"urls\":[\"http://a.example/\"]}", Format::Unknown, "JSON"),
            (b"%PDF-1.4", Format::Unknown, "PDF"),
            (b"hello", Format::Unknown, "a word"),
            (b"<<<<<<< HEAD\n<feed>", Format::Xml, "a merge conflict"),
        ] {
            assert_eq!(sniff(head, true, None, None), Some(format), "{why}");
        }
        assert_eq!(sniff(b"page", true, Some("urls.txt"), None), Some(Format::Text));
        assert_eq!(sniff(b"x", false, Some("http://a.example/robots.txt"), None), Some(Format::Robots));
        assert_eq!(sniff(b"ht", false, None, None), None);
        let robots = |head| sniff(head, true, Some("robots.txt"), None);
        assert_eq!(robots(b"<!DOCTYPE html><p>"), Some(Format::Robots));
        assert_eq!(robots(b"<?xml version='1.0'?>"), Some(Format::Xml));
        assert_eq!(sniff(b"<!DOC", false, Some("robots.txt"), None), None);
    }
}
