//! UTF-16 and UTF-32 to UTF-8, unit by unit. Invents nothing: what is no character becomes U+FFFD and a fault.

/// How wide text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide {
    /// Bytes of a unit: 2 or 4.
    pub(super) width: u8,
    /// The most significant byte stands first.
    pub(super) big: bool,
}

/// What stands at the start of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// More bytes are needed.
    More,
    /// A character, and its bytes.
    Char(char, u8),
    /// So many bytes are no character.
    Bad(u8),
}

/// Units in a row that must look shifted by a byte before one byte is taken for the cause.
const SHIFTED: usize = 4;

/// Longest stretch that must be seen to tell what stands at its start.
pub(super) const LOOKAHEAD: usize = SHIFTED * 2;

impl Wide {
    pub(super) fn name(self) -> &'static str {
        match (self.width, self.big) {
            (2, true) => "UTF-16BE",
            (2, false) => "UTF-16LE",
            (_, true) => "UTF-32BE",
            (_, false) => "UTF-32LE",
        }
    }

    /// The ASCII characters at the start: most of a sitemap, whatever its width.
    pub(super) fn ascii(self, bytes: &[u8]) -> impl Iterator<Item = u8> {
        let last = if self.big { usize::from(self.width) - 1 } else { 0 };
        let other = usize::from(self.width) - 1 - last;
        // of four bytes the two in the middle are looked at as well
        let middle = usize::from(self.width) / 2;
        bytes.chunks_exact(usize::from(self.width)).map_while(move |unit| {
            let plain = unit[last] < 0x80 && unit[other] == 0 && (middle == 1 || unit[1] | unit[2] == 0);
            plain.then(|| unit[last])
        })
    }

    /// Reads one character; `whole` says that no more bytes will come.
    pub(super) fn step(self, bytes: &[u8], whole: bool) -> Step {
        if self.width == 2 { self.step16(bytes, whole) } else { self.step32(bytes, whole) }
    }

    fn unit(self, bytes: &[u8]) -> Option<u16> {
        let &[a, b, ..] = bytes else { return None };
        Some(if self.big { u16::from_be_bytes([a, b]) } else { u16::from_le_bytes([a, b]) })
    }

    fn step16(self, bytes: &[u8], whole: bool) -> Step {
        let Some(unit) = self.unit(bytes) else {
            return if whole && !bytes.is_empty() { Step::Bad(1) } else { Step::More };
        };
        if looks_shifted(unit) {
            // One byte lost or added turns all ASCII after it into such units. No text holds four of them in a row, so that many
            // say that reading is off by one byte, and skipping one brings it back.
            let mut run = 1;
            loop {
                if run == SHIFTED {
                    return Step::Bad(1);
                }
                match bytes.get(run * 2..).and_then(|rest| self.unit(rest)) {
                    Some(next) if looks_shifted(next) => run += 1,
                    Some(_) => break,
                    None if whole => break,
                    None => return Step::More,
                }
            }
        }
        match unit {
            0xd800..0xdc00 => match bytes.get(2..).and_then(|rest| self.unit(rest)) {
                None if !whole => Step::More,
                Some(low @ 0xdc00..0xe000) => {
                    let code = 0x1_0000 + ((u32::from(unit) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
                    char::from_u32(code).map_or(Step::Bad(4), |c| Step::Char(c, 4))
                }
                _ => Step::Bad(2),
            },
            _ => char::from_u32(u32::from(unit)).map_or(Step::Bad(2), |c| Step::Char(c, 2)),
        }
    }

    fn step32(self, bytes: &[u8], whole: bool) -> Step {
        let &[a, b, c, d, ..] = bytes else {
            return if whole && !bytes.is_empty() { Step::Bad(bytes.len() as u8) } else { Step::More };
        };
        let code = if self.big { u32::from_be_bytes([a, b, c, d]) } else { u32::from_le_bytes([a, b, c, d]) };
        char::from_u32(code).map_or(Step::Bad(4), |c| Step::Char(c, 4))
    }
}

/// Whether a unit is an ASCII character with its two bytes swapped.
fn looks_shifted(unit: u16) -> bool {
    matches!(unit.to_be_bytes(), [0x09 | 0x0a | 0x0d | 0x20..=0x7e, 0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const LE: Wide = Wide { width: 2, big: false };
    const BE: Wide = Wide { width: 2, big: true };

    fn read(wide: Wide, mut bytes: &[u8]) -> String {
        let mut text = String::new();
        loop {
            match wide.step(bytes, true) {
                Step::More => return text,
                Step::Char(c, n) => {
                    text.push(c);
                    bytes = &bytes[usize::from(n)..];
                }
                Step::Bad(n) => {
                    text.push('\u{fffd}');
                    bytes = &bytes[usize::from(n)..];
                }
            }
        }
    }

    fn write(wide: Wide, text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(|u| if wide.big { u.to_be_bytes() } else { u.to_le_bytes() }).collect()
    }

    #[test]
    fn surrogates_alone_are_faults_and_pairs_are_not() {
        for wide in [LE, BE] {
            assert_eq!(read(wide, &write(wide, "a😀é一\u{3000}")), "a😀é一\u{3000}");
        }
        assert_eq!(read(LE, &[0x3d, 0xd8, 0x41, 0]), "\u{fffd}A");
        assert_eq!(read(LE, &[0x00, 0xde, 0x41, 0]), "\u{fffd}A");
        assert_eq!(read(LE, &[0x41, 0, 0x3d, 0xd8]), "A\u{fffd}");
        assert_eq!(read(LE, &[0x41, 0, 0x42]), "A\u{fffd}");
    }

    #[test]
    fn a_byte_lost_or_added_spoils_no_more_than_its_place() {
        let text = "<url><loc>http://a.example/ü</loc></url><url><loc>http://a.example/2</loc></url>";
        // four ASCII characters in a row bring the reading back, so the one that is not may stretch the damage a little
        let reach = 10;
        for wide in [LE, BE] {
            let bytes = write(wide, text);
            for at in 0..bytes.len() - 8 {
                let mut fewer = bytes.clone();
                fewer.remove(at);
                let mut more = bytes.clone();
                more.insert(at, 0x41);
                for damaged in [fewer, more] {
                    let got = read(wide, &damaged);
                    let (head, tail) = (at / 2, text.chars().count().saturating_sub(at / 2 + reach));
                    let same = got.chars().zip(text.chars()).take_while(|(a, b)| a == b).count();
                    let back = got.chars().rev().zip(text.chars().rev()).take_while(|(a, b)| a == b).count();
                    assert!(same >= head, "{at}: {got}");
                    assert!(back >= tail, "{at}: {got}");
                }
            }
        }
    }

    #[test]
    fn four_byte_units_are_read_both_ways() {
        let text = "<é😀>";
        let big: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        let little: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        assert_eq!(read(Wide { width: 4, big: true }, &big), text);
        assert_eq!(read(Wide { width: 4, big: false }, &little), text);
        assert_eq!(read(Wide { width: 4, big: true }, &[0, 0x11, 0, 0, 0, 0, 0]), "\u{fffd}\u{fffd}");
    }
}
