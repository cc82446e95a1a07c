//! The header of a gzip member (RFC 1952, 2.3), byte by byte. Keeps nothing of it: no name, no time.

use flate2::Crc;

const FHCRC: u8 = 2;
const FEXTRA: u8 = 4;
const FNAME: u8 = 8;
const FCOMMENT: u8 = 16;
const RESERVED: u8 = 0xe0;

/// Fixed part of a header, in bytes.
const FIXED: u8 = 10;

/// How far a header has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// More bytes are needed.
    More,
    /// The header ends here; compressed data follows.
    Done,
    /// No header that could be read, and why.
    Bad(&'static str),
}

#[derive(Clone, Copy, Debug)]
enum Part {
    Fixed(u8),
    ExtraLength(u8, u16),
    Extra(u16),
    Name,
    Comment,
    Check(u8, u16),
    Over,
}

/// A header being read. Starts at the two bytes of the magic number.
#[derive(Debug)]
pub(super) struct Header {
    part: Part,
    flags: u8,
    crc: Crc,
}

impl Header {
    pub(super) fn new() -> Self {
        Self { part: Part::Fixed(0), flags: 0, crc: Crc::new() }
    }

    /// Takes as many bytes as belong to the header, and says how many that were.
    pub(super) fn feed(&mut self, input: &[u8]) -> (usize, Outcome) {
        let mut used = 0;
        loop {
            let rest = &input[used..];
            if let Part::Over = self.part {
                return (used, Outcome::Done);
            }
            let Some(&byte) = rest.first() else { return (used, Outcome::More) };
            let mut taken = 1;
            match self.part {
                Part::Fixed(at) => {
                    if at == 2 && byte != 8 {
                        return (used, Outcome::Bad("its compression method is not deflate"));
                    }
                    if at == 3 {
                        if byte & RESERVED != 0 {
                            return (used, Outcome::Bad("reserved flags are set in its header"));
                        }
                        self.flags = byte;
                    }
                    self.part = if at + 1 < FIXED { Part::Fixed(at + 1) } else { self.after_fixed() };
                }
                Part::ExtraLength(0, _) => self.part = Part::ExtraLength(1, u16::from(byte)),
                Part::ExtraLength(_, low) => {
                    let length = low | u16::from(byte) << 8;
                    self.part = if length == 0 { self.after_extra() } else { Part::Extra(length) };
                }
                Part::Extra(left) => {
                    taken = rest.len().min(usize::from(left));
                    let left = left - taken as u16;
                    self.part = if left == 0 { self.after_extra() } else { Part::Extra(left) };
                }
                Part::Name | Part::Comment => {
                    if let Some(end) = memchr::memchr(0, rest) {
                        taken = end + 1;
                        self.part = if let Part::Name = self.part { self.after_name() } else { self.after_comment() };
                    } else {
                        taken = rest.len();
                    }
                }
                Part::Check(0, _) => {
                    self.part = Part::Check(1, u16::from(byte));
                    used += 1;
                    continue;
                }
                Part::Check(_, low) => {
                    if low | u16::from(byte) << 8 != self.crc.sum() as u16 {
                        return (used, Outcome::Bad("the checksum of its header is wrong"));
                    }
                    self.part = Part::Over;
                    used += 1;
                    continue;
                }
                Part::Over => {}
            }
            self.crc.update(&rest[..taken]);
            used += taken;
        }
    }

    fn after_fixed(&self) -> Part {
        if self.flags & FEXTRA == 0 { self.after_extra() } else { Part::ExtraLength(0, 0) }
    }

    fn after_extra(&self) -> Part {
        if self.flags & FNAME == 0 { self.after_name() } else { Part::Name }
    }

    fn after_name(&self) -> Part {
        if self.flags & FCOMMENT == 0 { self.after_comment() } else { Part::Comment }
    }

    fn after_comment(&self) -> Part {
        if self.flags & FHCRC == 0 { Part::Over } else { Part::Check(0, 0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header with the fields that `flags` name, and its right checksum.
    fn header(flags: u8) -> Vec<u8> {
        let mut bytes = vec![0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 0, 255];
        if flags & FEXTRA != 0 {
            bytes.extend_from_slice(&[5, 0, 1, 0, 1, 0, 9]);
        }
        if flags & FNAME != 0 {
            bytes.extend_from_slice(b"sitemap.xml\0");
        }
        if flags & FCOMMENT != 0 {
            bytes.extend_from_slice(b"\0");
        }
        if flags & FHCRC != 0 {
            let mut crc = Crc::new();
            crc.update(&bytes);
            bytes.extend_from_slice(&(crc.sum() as u16).to_le_bytes());
        }
        bytes
    }

    #[test]
    fn every_mix_of_fields_ends_where_it_ends_however_it_is_cut() {
        for flags in 0..32 {
            let bytes = header(flags);
            let mut more = bytes.clone();
            more.extend_from_slice(b"body");
            for cut in 0..=bytes.len() {
                let mut header = Header::new();
                let (used, outcome) = header.feed(&more[..cut]);
                assert_eq!(used, cut, "{flags} {cut}");
                if cut < bytes.len() {
                    assert_eq!(outcome, Outcome::More, "{flags} {cut}");
                }
                assert_eq!(header.feed(&more[cut..]), (bytes.len() - cut, Outcome::Done), "{flags} {cut}");
            }
        }
    }

    #[test]
    fn what_is_no_header_is_refused() {
        let mut other = header(0);
        other[2] = 9;
        let mut reserved = header(0);
        reserved[3] = 0x40;
        let mut check = header(FHCRC);
        check[5] ^= 1;
        for bytes in [other, reserved, check] {
            assert!(matches!(Header::new().feed(&bytes).1, Outcome::Bad(_)), "{bytes:?}");
        }
    }

    #[test]
    fn an_extra_field_may_be_empty() {
        let bytes = [0x1f, 0x8b, 8, FEXTRA, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(Header::new().feed(&bytes), (12, Outcome::Done));
    }
}
