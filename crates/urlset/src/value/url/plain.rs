//! Addresses that need no second look: a beginning that was looked at before, and plain bytes behind it. Rewrites nothing.

use wide::u8x16;

use super::encode::{Encoded, encode};

/// Bytes looked at together: one register of every machine that counts.
const LANES: usize = 16;

/// Scheme, authority and the slash behind it, of addresses that were written as they stood.
///
/// What begins with one of them and is plain from there on is written as it stands too.
///
/// ```
/// use urlset::value::url::Heads;
/// let mut heads = Heads::default();
/// assert_eq!(heads.plain(b"https://a.example/products/1?a&b"), None, "not seen yet");
/// heads.learn("https://a.example/");
/// assert_eq!(heads.plain(b"https://a.example/products/1?a&b"), Some(true), "plain, with an ampersand");
/// assert_eq!(heads.plain(b"https://a.example/products/1"), Some(false));
/// assert_eq!(heads.plain(b"https://a.example/products/a b"), None);
/// ```
#[derive(Debug, Default)]
pub struct Heads {
    kept: [Vec<u8>; 4],
    next: usize,
}

impl Heads {
    /// Whether [`encode`] would write an address as it stands, and whether there is an ampersand behind its head.
    ///
    /// `None` says only that somebody has to look closer.
    #[inline]
    pub fn plain(&self, loc: &[u8]) -> Option<bool> {
        let head = self.kept.iter().find(|kept| !kept.is_empty() && loc.starts_with(kept))?;
        plain(&loc[head.len()..])
    }

    /// Keeps the head of an address that is written as it stands; the oldest of four gives way.
    #[cold]
    pub fn learn(&mut self, loc: &str) {
        let Some(head) = head(loc) else { return };
        if self.kept.iter().any(|kept| kept == head.as_bytes()) || encode(head, &mut Vec::new()) != Ok(Encoded::Same) {
            return;
        }
        head.as_bytes().clone_into(&mut self.kept[self.next]);
        self.next = (self.next + 1) % self.kept.len();
    }
}

/// An address up to the first slash behind `://`.
fn head(loc: &str) -> Option<&str> {
    let host = loc.find("://")? + 3;
    let slash = loc[host..].find('/')?;
    Some(&loc[..=host + slash])
}

/// Whether every byte may stand in a path and in a query alike, and whether an ampersand is among them.
///
/// ```
/// use urlset::value::url::plain;
/// assert_eq!(plain(b"products/1?a&b"), Some(true));
/// assert_eq!(plain(b"products/1"), Some(false));
/// assert_eq!(plain(b"products/a b"), None);
/// ```
#[inline]
pub fn plain(text: &[u8]) -> Option<bool> {
    let (mut odd, mut ampersand) = (u8x16::splat(0), u8x16::splat(0));
    let mut look = |block: [u8; LANES]| {
        let bytes = u8x16::new(block);
        odd |= odd_of(bytes);
        ampersand |= bytes.simd_eq(u8x16::splat(b'&'));
    };
    let (blocks, rest) = text.as_chunks::<LANES>();
    for block in blocks {
        look(*block);
    }
    if let Some(last) = text.last_chunk::<LANES>() {
        look(*last); // overlaps the block before
    } else {
        let mut last = [b'/'; LANES];
        last[..rest.len()].copy_from_slice(rest);
        look(last);
    }
    (odd.to_bitmask() == 0).then(|| ampersand.to_bitmask() != 0)
}

/// Marks all but letters, digits and `&'()*+,-./;=?@_`.
#[inline]
fn odd_of(bytes: u8x16) -> u8x16 {
    let is = |byte: u8| bytes.simd_eq(u8x16::splat(byte));
    let within = |first: u8, count: u8| {
        let from = bytes - u8x16::splat(first);
        from.min(u8x16::splat(count)).simd_eq(from)
    };
    let range = within(b'&', b'z' - b'&');
    let angle = (bytes | u8x16::splat(2)).simd_eq(u8x16::splat(b'>')); // < >
    (range ^ u8x16::splat(0xff)) | is(b':') | angle | within(b'[', 3) | is(b'`') // [ \ ] ^
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_byte_at_every_place() {
        for byte in 0..=255u8 {
            for length in [1, 5, 15, 16, 17, 31, 32, 33, 70] {
                for at in 0..length {
                    let mut text = vec![b'x'; length];
                    text[at] = byte;
                    let good = byte.is_ascii_alphanumeric() || b"&'()*+,-./;=?@_".contains(&byte);
                    assert_eq!(plain(&text), good.then_some(byte == b'&'), "{byte:#x} {length} {at}");
                }
            }
        }
    }

    #[test]
    fn heads() {
        for (first, then, expected, why) in [
            ("https://a.example/x", "https://a.example/y", Some(false), "the same site"),
            ("https://a.example/", "https://a.example/", Some(false), "nothing behind it"),
            ("http://a/", "http://a/b&c", Some(true), "short"),
            ("http://localhost:8000/x", "http://localhost:8000/y", Some(false), "a port"),
            ("http://u@a.example/x", "http://u@a.example/y", Some(false), "a user"),
            ("http://[::1]/x", "http://[::1]/y", Some(false), "a literal"),
            ("https://a.example/x", "https://a.example", None, "no slash"),
            ("https://a.example/x", "https://a.example.b.example/y", None, "another host"),
            ("https://a.example/x", "http://a.example/y", None, "another scheme"),
            ("https://a.example/x", "https://a.example/\u{e9}", None, "to be encoded"),
            ("https://a.example/x", "https://a.example/%41", None, "escapes are looked at"),
            ("https://a.example/x", "https://a.example/y ", None, "white space"),
            ("https://A.example/x", "https://A.example/y", None, "lower-cased each time"),
            ("https://a.example:99999/x", "https://a.example:99999/y", None, "no port"),
            ("https://a..example/x", "https://a..example/y", None, "no host"),
            ("https://a.example?/x", "https://a.example?/y", None, "a path is added"),
            ("https://a.example\\/x", "https://a.example\\/y", None, "refused"),
            ("/x://a/y", "/x://a/y", None, "no scheme"),
            ("mailto:a", "mailto:a", None, "another scheme"),
        ] {
            let mut heads = Heads::default();
            heads.learn(first);
            assert_eq!(heads.plain(then.as_bytes()), expected, "{why}");
        }
    }

    #[test]
    fn the_oldest_gives_way() {
        let mut heads = Heads::default();
        let loc = |at: usize| format!("https://{at}.example/");
        for at in [0, 1, 2, 3, 0, 4] {
            heads.learn(&loc(at));
        }
        let known: Vec<_> = (0..6).filter(|at| heads.plain(loc(*at).as_bytes()).is_some()).collect();
        assert_eq!(known, [1, 2, 3, 4]);
    }

    proptest! {
        #[test]
        fn plain_is_written_as_it_stands(
            head in "(http|https|HTTP|ftp)://(a|A|u@a|a:80|a:|a.b|\\[::1\\]|\u{e9}|%41|[ -~]{0,4})[/?#]?",
            tails in prop::collection::vec("([a-z0-9/?&=.-]{0,40}|[ -~]{0,3}|\u{e9}|%4)", 1..8),
        ) {
            let mut heads = Heads::default();
            for tail in tails {
                let loc = head.clone() + &tail;
                let mut out = Vec::new();
                let encoded = encode(&loc, &mut out);
                if let Some(ampersand) = heads.plain(loc.as_bytes()) {
                    prop_assert_eq!(encoded, Ok(Encoded::Same), "{}", loc);
                    prop_assert_eq!(loc[head.len()..].contains('&'), ampersand);
                }
                heads.learn(&loc);
            }
        }
    }
}
