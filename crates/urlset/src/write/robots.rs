//! The Sitemap lines of a robots.txt, added or brought up to date. Touches no other byte of the file.

use std::collections::HashSet;

/// The file with a Sitemap line for each of `add`, and without those of `ours` that are not among them.
///
/// A line that names one of `ours` and is no longer wanted gets the next address that is still missing in its place, or
/// goes with its line end; what is missing then comes at the end. Line ends are those of the file, a file without a
/// final one stays so, and a byte order mark, comments, junk and the lines of others stay as they are: where there is
/// nothing to do the result is the file, byte for byte.
///
/// Source: the protocol's page on robots.txt, RFC 9309 section 2.2.
///
/// ```
/// use urlset::write::robots::update;
/// let add = ["https://shop.example/sitemap.xml".to_owned()];
/// let file = update(Some(b"User-agent: *\r\nDisallow:\r\n"), &add, &[]);
/// assert_eq!(file, b"User-agent: *\r\nDisallow:\r\nSitemap: https://shop.example/sitemap.xml\r\n");
/// assert_eq!(update(Some(&file), &add, &[]), file);
/// ```
pub fn update(existing: Option<&[u8]>, add: &[String], ours: &[String]) -> Vec<u8> {
    let file = existing.unwrap_or_default();
    let mut seen = HashSet::new();
    let add: Vec<Vec<u8>> = add.iter().map(|url| safe(url)).filter(|url| seen.insert(url.clone())).collect();
    let ours: HashSet<&[u8]> = ours.iter().map(String::as_bytes).filter(|url| !seen.contains(*url)).collect();
    let named: HashSet<&[u8]> = lines(file).filter_map(|line| value(line).map(|(at, end)| &line[at..end])).collect();
    let mut missing = add.iter().filter(|url| !named.contains(url.as_slice()));

    let mut out = Vec::with_capacity(file.len() + 64);
    for line in lines(file) {
        match value(line).filter(|(at, end)| ours.contains(&line[*at..*end])) {
            None => out.extend_from_slice(line),
            Some((at, end)) => {
                if let Some(url) = missing.next() {
                    out.extend_from_slice(&line[..at]);
                    out.extend_from_slice(url);
                    out.extend_from_slice(&line[end..]);
                } else {
                    out.extend_from_slice(&line[..mark(line)]);
                }
            }
        }
    }
    let end = line_end(file);
    let open = out.len() > mark(&out) && !out.ends_with(b"\n") && !out.ends_with(b"\r");
    for url in missing {
        if open {
            out.extend_from_slice(end);
        }
        out.extend_from_slice(b"Sitemap: ");
        out.extend_from_slice(url);
        if !open {
            out.extend_from_slice(end);
        }
    }
    out
}

/// An address that cannot end its line or begin a comment.
fn safe(url: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(url.len());
    for byte in url.bytes() {
        if byte <= b' ' || byte == b'#' || byte == 0x7F {
            out.extend_from_slice(format!("%{byte:02X}").as_bytes());
        } else {
            out.push(byte);
        }
    }
    out
}

/// The lines of a file with their ends: LF, CR LF or CR.
fn lines(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = file;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = match memchr::memchr2(b'\n', b'\r', rest) {
            Some(at) if rest[at..].starts_with(b"\r\n") => at + 2,
            Some(at) => at + 1,
            None => rest.len(),
        };
        let (line, after) = rest.split_at(end);
        rest = after;
        Some(line)
    })
}

/// Length of a byte order mark at the beginning.
fn mark(text: &[u8]) -> usize {
    if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 }
}

/// Where the address of a Sitemap line begins and ends.
fn value(line: &[u8]) -> Option<(usize, usize)> {
    let start = mark(line);
    let end = memchr::memchr(b'#', line).unwrap_or(line.len());
    let colon = start + memchr::memchr(b':', line.get(start..end)?)?;
    if !line[start..colon].trim_ascii().eq_ignore_ascii_case(b"sitemap") {
        return None;
    }
    let value = &line[colon + 1..end];
    let at = colon + 1 + (value.len() - value.trim_ascii_start().len());
    Some((at, at + value.trim_ascii().len()))
}

/// The line end of a file: that of its first line, LF where it has none.
fn line_end(file: &[u8]) -> &'static [u8] {
    match memchr::memchr2(b'\n', b'\r', file) {
        Some(at) if file[at..].starts_with(b"\r\n") => b"\r\n",
        Some(at) if file[at] == b'\r' => b"\r",
        _ => b"\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const A: &str = "https://a.example/sitemap.xml";
    const B: &str = "https://a.example/b.xml";

    #[test]
    fn table() {
        for (file, add, ours, expected, why) in [
            (None, &[A][..], &[][..], "Sitemap: https://a.example/sitemap.xml\n", "no file"),
            (Some(""), &[A], &[], "Sitemap: https://a.example/sitemap.xml\n", "an empty file"),
            (None, &[], &[], "", "nothing to say"),
            (Some("User-agent: *\n"), &[A], &[], "User-agent: *\nSitemap: https://a.example/sitemap.xml\n", "LF"),
            (
                Some("User-agent: *\r\n"),
                &[A],
                &[],
                "User-agent: *\r\nSitemap: https://a.example/sitemap.xml\r\n",
                "CR LF",
            ),
            (Some("User-agent: *\r"), &[A], &[], "User-agent: *\rSitemap: https://a.example/sitemap.xml\r", "CR"),
            (
                Some("User-agent: *"),
                &[A],
                &[],
                "User-agent: *\nSitemap: https://a.example/sitemap.xml",
                "no final line end",
            ),
            (
                Some("User-agent: *"),
                &[A, B],
                &[],
                "User-agent: *\nSitemap: https://a.example/sitemap.xml\nSitemap: https://a.example/b.xml",
                "no final line end, two lines",
            ),
            (Some("\u{FEFF}"), &[A], &[], "\u{FEFF}Sitemap: https://a.example/sitemap.xml\n", "a mark alone"),
            (
                Some("\u{FEFF}sitemap: X\n"),
                &[A],
                &["X"],
                "\u{FEFF}sitemap: https://a.example/sitemap.xml\n",
                "behind a mark",
            ),
            (Some("\u{FEFF}sitemap: X\nA:\n"), &[], &["X"], "\u{FEFF}A:\n", "the mark stays when its line goes"),
            (Some("SiteMap : X #c\r\n"), &["Y"], &["X"], "SiteMap : Y #c\r\n", "key, blanks and comment are kept"),
            (Some("Sitemap:X\nSitemap: Z\n"), &["Y"], &["X"], "Sitemap:Y\nSitemap: Z\n", "lines of others are kept"),
            (Some("a\nSitemap: X\nb\n"), &["Y"], &["Y", "X"], "a\nSitemap: Y\nb\n", "replaced in place"),
            (Some("a\nSitemap: X\nSitemap: X\nb\n"), &["Y"], &["X"], "a\nSitemap: Y\nb\n", "the second goes"),
            (Some("a\nSitemap: X"), &[], &["X"], "a\n", "removed at the end"),
            (Some("Sitemap: X\nSitemap: Y\n"), &["Y"], &["X"], "Sitemap: Y\n", "wanted one is there, the other goes"),
            (Some("# Sitemap: Y\n"), &["Y"], &["Y"], "# Sitemap: Y\nSitemap: Y\n", "a comment is no line"),
            (Some("Sitemaps: Y\n"), &["Y"], &[], "Sitemaps: Y\nSitemap: Y\n", "another key"),
            (Some("Sitemap\n"), &["Y"], &[], "Sitemap\nSitemap: Y\n", "no colon"),
            (Some("Sitemap: y\n"), &["Y"], &[], "Sitemap: y\nSitemap: Y\n", "addresses differ in case"),
            (None, &["Y", "Y"], &[], "Sitemap: Y\n", "asked for twice"),
            (
                None,
                &["https://a.example/\nDisallow: /#"],
                &[],
                "Sitemap: https://a.example/%0ADisallow:%20/%23\n",
                "no line of its own making",
            ),
        ] {
            let strings = |list: &[&str]| list.iter().map(|&s| s.to_owned()).collect::<Vec<_>>();
            let (add, ours) = (strings(add), strings(ours));
            let out = update(file.map(str::as_bytes), &add, &ours);
            assert_eq!(String::from_utf8_lossy(&out), expected, "{why}");
            assert_eq!(update(Some(&out), &add, &ours), out, "again: {why}");
        }
    }

    proptest! {
        #[test]
        fn other_bytes_stay(file in prop::collection::vec(any::<u8>(), 0..80)) {
            let out = update(Some(&file), &[A.to_owned()], &[]);
            prop_assert!(out.starts_with(&file));
            prop_assert_eq!(update(Some(&out), &[A.to_owned()], &[A.to_owned()]), out);
        }
    }
}
