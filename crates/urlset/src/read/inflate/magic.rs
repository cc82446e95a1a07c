//! What a file is packed as, by its first bytes. Looks at no name and unpacks nothing.

/// What the first bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    /// Too few bytes to tell.
    Undecided,
    /// Nothing that is known here.
    Plain,
    /// A gzip member.
    Gzip,
    /// A format that no sitemap may use: its name, and the length of its mark.
    Other(&'static str, usize),
}

/// The two bytes every gzip member starts with (RFC 1952, 2.3.1).
pub(super) const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Longest mark of the list below.
pub(super) const LONGEST: usize = 10;

/// `?` stands for one digit; it occurs in none of the marks themselves.
const MARKS: &[(&[u8], &str)] = &[
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"PK\x07\x08", "zip"),
    (b"BZh?1AY&SY", "bzip2"),
    (b"BZh?\x17\x72\x45\x38\x50\x90", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"LZIP\x01", "lzip"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"\x1f\x9d", "compress"),
];

/// Reads the first bytes of a file; `whole` says that no more will come.
pub(super) fn packing(head: &[u8], whole: bool) -> Packing {
    let mut open = false;
    if agrees(head, &GZIP) {
        if head.len() >= GZIP.len() {
            return Packing::Gzip;
        }
        open = true;
    }
    for &(mark, name) in MARKS {
        if agrees(head, mark) {
            if head.len() >= mark.len() {
                return Packing::Other(name, mark.len());
            }
            open = true;
        }
    }
    if open && !whole { Packing::Undecided } else { Packing::Plain }
}

/// Whether head and mark are equal as far as both go.
fn agrees(head: &[u8], mark: &[u8]) -> bool {
    head.iter().zip(mark).all(|(&byte, &want)| byte == want || (want == b'?' && byte.is_ascii_digit()))
}

/// Whether inflated bytes start a tar archive (POSIX and GNU both write `ustar` at byte 257).
pub(super) fn is_tar(head: &[u8]) -> bool {
    head.get(TAR_MARK..TAR_MARK + 5) == Some(b"ustar")
}

/// Where a tar header has its mark.
pub(super) const TAR_MARK: usize = 257;

/// Bytes of a tar header: what must be seen before anything is passed on.
pub(super) const TAR_HEADER: usize = 512;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_told_at_its_last_byte_and_not_before() {
        for &(mark, name) in MARKS {
            let mark: Vec<u8> = mark.iter().map(|&b| if b == b'?' { b'9' } else { b }).collect();
            for cut in 0..mark.len() {
                assert_eq!(packing(&mark[..cut], false), Packing::Undecided, "{name} {cut}");
                assert_eq!(packing(&mark[..cut], true), Packing::Plain, "{name} {cut}");
            }
            assert_eq!(packing(&mark, false), Packing::Other(name, mark.len()));
            assert!(mark.len() <= LONGEST);
        }
        assert_eq!(packing(&[0x1f], false), Packing::Undecided);
        assert_eq!(packing(&GZIP, false), Packing::Gzip);
    }

    #[test]
    fn what_starts_a_sitemap_is_plain_at_once() {
        for head in [&b"<"[..], b"h", b"\n", b"\xef", b"\xff", b"\xfe", b"\0", b"BZx", b"PKZ", b"BZhh"] {
            assert_eq!(packing(head, false), Packing::Plain, "{head:?}");
        }
    }
}
