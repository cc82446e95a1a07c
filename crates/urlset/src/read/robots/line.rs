//! One line of robots.txt: its key and its value. Judges neither.

use std::ops::Range;

/// What a line speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    UserAgent,
    Allow,
    Disallow,
    CrawlDelay,
    /// Spelt as the protocol has it, in any case.
    Sitemap,
    /// Spelt otherwise, or without its colon.
    SitemapTypo,
}

/// Ways to write `disallow` that Google accepts.
const DISALLOW: &[&str] = &["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"];

/// Ways to write `sitemap`, each also the start of a longer key, as Google's parser has it.
const SITEMAP: &[&str] = &["sitemap", "site-map", "site_map", "site map"];

/// Keys with a blank where the hyphen should be, or where there should be nothing.
const TWO_WORDS: &[&str] = &["user agent", "site map", "crawl delay"];

fn starts(key: &[u8], with: &[&str]) -> bool {
    with.iter().any(|word| key.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes())))
}

impl Key {
    fn of(key: &[u8]) -> Option<Self> {
        if key.eq_ignore_ascii_case(b"sitemap") {
            Some(Self::Sitemap)
        } else if starts(key, SITEMAP) {
            Some(Self::SitemapTypo)
        } else if starts(key, &["user-agent", "useragent", "user agent"]) {
            Some(Self::UserAgent)
        } else if starts(key, DISALLOW) {
            Some(Self::Disallow)
        } else if starts(key, &["allow"]) {
            Some(Self::Allow)
        } else if starts(key, &["crawl-delay", "crawldelay", "crawl delay"]) {
            Some(Self::CrawlDelay)
        } else {
            None
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

/// A range without the blanks at its ends.
pub(super) fn trimmed(line: &[u8], mut range: Range<usize>) -> Range<usize> {
    while range.start < range.end && is_blank(line[range.start]) {
        range.start += 1;
    }
    while range.end > range.start && is_blank(line[range.end - 1]) {
        range.end -= 1;
    }
    range
}

/// Splits a line without its comment: what it speaks of, where its key stands, where its value stands.
pub(super) fn split(line: &[u8]) -> Option<(Key, Range<usize>, Range<usize>)> {
    let all = trimmed(line, 0..line.len());
    let word = |from: usize| {
        from + line[from..all.end].iter().take_while(|&&b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_').count()
    };
    let blanks = |from: usize| from + line[from..all.end].iter().take_while(|&&b| is_blank(b)).count();
    let end = word(all.start);
    let next = blanks(end);
    if line.get(next) == Some(&b':') && next < all.end {
        return Some((Key::of(&line[all.start..end])?, all.start..end, trimmed(line, next + 1..all.end)));
    }
    // a key of two words; `Sitemap http:` is none
    let second = word(next);
    let colon = blanks(second);
    if colon < all.end && line[colon] == b':' && starts(&line[all.start..second], TWO_WORDS) {
        return Some((Key::of(&line[all.start..second])?, all.start..second, trimmed(line, colon + 1..all.end)));
    }
    // a key without a colon
    let key = Key::of(&line[all.start..end])?;
    let equals = line.get(next) == Some(&b'=') && next < all.end;
    let value = trimmed(line, next + usize::from(equals)..all.end);
    if value.is_empty() || (next == end && !equals) {
        return None;
    }
    let text = &line[value.clone()];
    match key {
        // prose may start with this word too, an address must follow
        Key::Sitemap | Key::SitemapTypo if starts(text, &["http", "/"]) => {
            Some((Key::SitemapTypo, all.start..end, value))
        }
        Key::Sitemap | Key::SitemapTypo => None,
        // Google takes a blank for the colon where exactly one word follows
        _ if !equals && !text.iter().any(|&byte| is_blank(byte)) => Some((key, all.start..end, value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        use Key::{Allow, CrawlDelay, Disallow, Sitemap, SitemapTypo, UserAgent};
        let table = [
            ("Sitemap: http://a/", Some((Sitemap, "http://a/"))),
            ("  sItEmAp\t:\thttp://a/ \t", Some((Sitemap, "http://a/"))),
            ("Sitemap:http://a/", Some((Sitemap, "http://a/"))),
            ("Sitemap:", Some((Sitemap, ""))),
            ("Sitemap", None),
            ("Sitemaps: http://a/", Some((SitemapTypo, "http://a/"))),
            ("Site-map: http://a/", Some((SitemapTypo, "http://a/"))),
            ("Site map : http://a/", Some((SitemapTypo, "http://a/"))),
            ("Sitemap http://a/", Some((SitemapTypo, "http://a/"))),
            ("Sitemap=http://a/", Some((SitemapTypo, "http://a/"))),
            ("Sitemap /s.xml", Some((SitemapTypo, "/s.xml"))),
            ("Sitemaps are lists of pages", None),
            ("Sitemap index: http://a/", None),
            ("User-agent: *", Some((UserAgent, "*"))),
            ("useragent: a", Some((UserAgent, "a"))),
            ("user agent: a", Some((UserAgent, "a"))),
            ("user-agent *", Some((UserAgent, "*"))),
            ("Disallow: /a b", Some((Disallow, "/a b"))),
            ("Disallow /a", Some((Disallow, "/a"))),
            ("Disallow /a b", None),
            ("Disallow", None),
            ("Disalow: /", Some((Disallow, "/"))),
            ("Allow:", Some((Allow, ""))),
            ("Allow: http://a/", Some((Allow, "http://a/"))),
            ("Crawl-delay: 5", Some((CrawlDelay, "5"))),
            ("Host: a.example", None),
            (": x", None),
            ("", None),
            ("<a href='http://a/'>", None),
        ];
        for (line, want) in table {
            let got = split(line.as_bytes()).map(|(key, _, value)| (key, &line[value]));
            assert_eq!(got, want, "{line}");
        }
    }
}
