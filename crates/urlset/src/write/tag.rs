//! Pieces of markup that are written again and again. Holds bytes, knows no XML.

/// Most tags are shorter.
const SHORT: usize = 32;

/// A piece of markup.
#[derive(Clone, Debug)]
pub(super) struct Tag {
    bytes: Vec<u8>,
    short: [u8; SHORT],
}

impl Tag {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        let short = start(&bytes);
        Self { bytes, short }
    }

    /// Makes it another piece, in the same memory.
    pub(super) fn set(&mut self, bytes: &[u8]) {
        bytes.clone_into(&mut self.bytes);
        self.short = start(bytes);
    }

    /// Appends it.
    ///
    /// A copy of a fixed length is two moves, one of any length is a call: a short piece is copied with what follows it,
    /// which is then cut off.
    #[inline]
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        if self.bytes.len() > SHORT {
            out.extend_from_slice(&self.bytes);
        } else {
            let end = out.len() + self.bytes.len();
            out.extend_from_slice(&self.short);
            out.truncate(end);
        }
    }
}

/// As much of a piece as is copied at once.
fn start(bytes: &[u8]) -> [u8; SHORT] {
    let mut short = [0; SHORT];
    let length = bytes.len().min(SHORT);
    short[..length].copy_from_slice(&bytes[..length]);
    short
}

#[cfg(test)]
mod tests {
    use super::Tag;

    #[test]
    fn every_length() {
        for length in 0..80 {
            let bytes: Vec<u8> = (1..=length).collect();
            let mut out = vec![9];
            Tag::new(bytes.clone()).put(&mut out);
            assert_eq!(out[1..], bytes);
        }
    }

    #[test]
    fn another_piece() {
        let mut tag = Tag::new(vec![1; 80]);
        for length in [3, 40, 0, 32] {
            tag.set(&vec![length; usize::from(length)]);
            let mut out = Vec::new();
            tag.put(&mut out);
            assert_eq!(out, vec![length; usize::from(length)]);
        }
    }
}
