//! Short values that were written before, with the markup around them. Decides nothing: it repeats.

use super::tag::Tag;

/// Values remembered, of all fields together.
const SLOTS: usize = 256;

/// What tells one short value of one field from every other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    words: [u64; 2],
    /// The field, and the length or, for what is no text, a number that no length is.
    of: u64,
}

impl Key {
    /// The key of a text, if it is short.
    #[inline]
    pub(super) fn text(field: u32, text: &[u8]) -> Option<Self> {
        // Two words that overlap hold every byte, once the length is known.
        let words = match text.len() {
            0 => [0, 0],
            // The first, the middle one, the last.
            1..4 => [text[0].into(), u64::from(text[text.len() / 2]) << 8 | u64::from(text[text.len() - 1])],
            4..8 => [u32::from_le_bytes(*text.first_chunk()?).into(), u32::from_le_bytes(*text.last_chunk()?).into()],
            8..=16 => [u64::from_le_bytes(*text.first_chunk()?), u64::from_le_bytes(*text.last_chunk()?)],
            _ => return None,
        };
        Some(Self { words, of: u64::from(field) << 8 | text.len() as u64 })
    }

    /// The key of a number.
    #[inline]
    pub(super) const fn number(field: u32, value: f64) -> Self {
        Self { words: [value.to_bits(), 0], of: (field as u64) << 8 | 0xFF }
    }

    #[inline]
    const fn slot(self) -> usize {
        let mixed = (self.words[0] ^ self.words[1].rotate_left(29) ^ self.of << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 56) as usize % SLOTS
    }
}

/// The values remembered; of two that want the same place, the last.
pub(super) struct Memo {
    slots: Vec<Option<(Key, Tag)>>,
}

impl Memo {
    pub(super) fn new() -> Self {
        Self { slots: Vec::new() }
    }

    /// What a value came to.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<&Tag> {
        match self.slots.get(key.slot()) {
            Some(Some((kept, piece))) if *kept == key => Some(piece),
            _ => None,
        }
    }

    /// Keeps what a value came to.
    #[cold]
    pub(super) fn keep(&mut self, key: Key, piece: &[u8]) {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        let slot = &mut self.slots[key.slot()];
        if let Some((kept, tag)) = slot {
            *kept = key;
            tag.set(piece);
        } else {
            *slot = Some((key, Tag::new(piece.to_vec())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn no_two_texts_have_one_key() {
        let mut seen = HashMap::new();
        for length in 0..=4usize {
            for number in 0..3u32.pow(length as u32) {
                let text: Vec<u8> =
                    (0..length).map(|at| [0, b'a', b'b'][(number / 3u32.pow(at as u32) % 3) as usize]).collect();
                let key = Key::text(1, &text).expect("short");
                assert_eq!(seen.insert((key.words, key.of), text.clone()), None, "{text:?}");
            }
        }
        for length in 5..=16 {
            for at in 0..length {
                let mut text = vec![b'x'; length];
                text[at] = b'y';
                let key = Key::text(1, &text).expect("short");
                assert_eq!(seen.insert((key.words, key.of), text.clone()), None, "{text:?}");
            }
        }
        assert_eq!(Key::text(1, &[b'x'; 17]), None);
        assert_ne!(Key::text(1, b"de"), Key::text(2, b"de"), "another field");
        assert_ne!(Key::number(1, 0.0), Key::number(1, -0.0), "written differently");
        assert_ne!(Some(Key::number(1, 0.0)), Key::text(1, &[0; 16]), "a number is no text");
    }

    #[test]
    fn what_was_kept_last_is_there() {
        let mut memo = Memo::new();
        let key = |n: u32| Key::number(3, f64::from(n));
        assert!(memo.get(key(0)).is_none());
        for n in 0..1000 {
            memo.keep(key(n), n.to_string().as_bytes());
            let mut out = Vec::new();
            memo.get(key(n)).expect("kept").put(&mut out);
            assert_eq!(out, n.to_string().as_bytes());
        }
        let right = |n: &u32| {
            let mut out = Vec::new();
            memo.get(key(*n)).is_some_and(|tag| {
                tag.put(&mut out);
                out == n.to_string().as_bytes()
            })
        };
        let there = (0..1000).filter(|n| memo.get(key(*n)).is_some()).count();
        assert!(there > 100, "{there}");
        assert_eq!((0..1000).filter(right).count(), there);
    }
}
