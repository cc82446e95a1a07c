//! Names that were seen before, so that one need not be looked at byte by byte again. Knows no name's meaning.

use super::page::{Bytes, eight};

/// Longest name kept.
const LONGEST: usize = 32;

/// Where a name is kept, as long as no other takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(u8);

impl Slot {
    /// How many there are.
    pub const COUNT: usize = 256;

    /// Its number, below [`Slot::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A short name as numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Key {
    /// The first eight bytes.
    head: u64,
    /// The last eight, where there are more than eight.
    tail: u64,
    len: u64,
}

impl Key {
    /// The key of a name that is not empty and not too long.
    fn of(name: &[u8]) -> Option<Self> {
        let first = |bytes: &[u8]| {
            let mut eight = [0; 8];
            eight[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(eight)
        };
        let tail = name.last_chunk::<8>().map_or(0, |tail| u64::from_le_bytes(*tail));
        let whole = (1..=LONGEST).contains(&name.len());
        whole.then(|| Self { head: first(&name[..name.len().min(8)]), tail, len: name.len() as u64 })
    }

    /// The same of a name in a page; that of one that is empty or too long is no key of any.
    #[inline(always)]
    fn within(bytes: &Bytes, at: usize, len: usize) -> Self {
        /// Which of the first eight bytes belong to a name.
        const HEAD: [u64; 8] =
            [0, 0xff, 0xffff, 0xff_ffff, 0xffff_ffff, 0xff_ffff_ffff, 0xffff_ffff_ffff, 0xff_ffff_ffff_ffff];
        let head = eight(bytes, at);
        if len < 8 {
            Self { head: head & HEAD[len], tail: 0, len: len as u64 }
        } else {
            Self { head, tail: eight(bytes, at + len - 8), len: len as u64 }
        }
    }

    /// Whether the key says everything about the name.
    #[inline(always)]
    const fn is_whole(self) -> bool {
        self.len <= 16
    }

    /// Where it is kept, if that place is free.
    #[inline(always)]
    fn slot(self) -> Slot {
        let mixed = (self.head ^ self.tail.rotate_left(29) ^ self.len).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Slot((mixed >> 56) as u8)
    }

    /// Where it may be kept.
    fn places(self) -> impl Iterator<Item = Slot> {
        /// Names that share a place and do not take it from one another.
        const WAYS: u8 = 4;
        (0..WAYS).map(move |way| Slot(self.slot().0.wrapping_add(way)))
    }
}

/// The names seen lately.
#[derive(Debug)]
pub(super) struct Known {
    keys: Box<[Key; Slot::COUNT]>,
    /// The names whose keys do not say everything.
    long: Box<[[u8; LONGEST]; Slot::COUNT]>,
    /// Which of them are those of usual attributes.
    usual: Box<[bool; Slot::COUNT]>,
}

impl Known {
    pub fn new() -> Self {
        Self {
            keys: Box::new([Key::default(); Slot::COUNT]),
            long: Box::new([[0; LONGEST]; Slot::COUNT]),
            usual: Box::new([false; Slot::COUNT]),
        }
    }

    /// Where the name at a place of a page is kept, if it is.
    #[inline(always)]
    pub fn find(&self, bytes: &Bytes, at: usize, len: usize) -> Option<(Key, Slot)> {
        let key = Key::within(bytes, at, len);
        let slot = key.slot();
        if self.keys[slot.index()] == key && key.is_whole() && len > 0 {
            return Some((key, slot));
        }
        self.look(bytes.get(at..at + len)?, key).map(|slot| (key, slot))
    }

    /// Where a name is kept, if it is.
    pub fn find_name(&self, name: &[u8]) -> Option<Slot> {
        self.look(name, Key::of(name)?)
    }

    /// The same of a name that is long, or does not stand in its own place.
    fn look(&self, name: &[u8], key: Key) -> Option<Slot> {
        let same = |slot: &Slot| {
            self.keys[slot.index()] == key && (key.is_whole() || self.long[slot.index()][..name.len()] == *name)
        };
        if name.is_empty() { None } else { key.places().find(same) }
    }

    /// Keeps a name, in the place of another perhaps, and says whether it is new.
    pub fn keep(&mut self, name: &[u8]) -> Option<(Slot, bool)> {
        let key = Key::of(name)?;
        if let Some(slot) = self.look(name, key) {
            return Some((slot, false));
        }
        let free = key.places().find(|slot| self.keys[slot.index()].len == 0);
        let slot = free.unwrap_or(key.slot());
        self.keys[slot.index()] = key;
        self.long[slot.index()][..name.len()].copy_from_slice(name);
        self.usual[slot.index()] = false;
        Some((slot, true))
    }

    /// Keeps the name of an attribute that is written as nearly all are.
    pub fn keep_usual(&mut self, name: &[u8]) -> Option<(Slot, bool)> {
        let kept = self.keep(name)?;
        self.usual[kept.0.index()] = true;
        Some(kept)
    }

    /// Where the name of a usual attribute is kept, if it is.
    #[inline(always)]
    pub fn find_usual(&self, bytes: &Bytes, at: usize, len: usize) -> Option<Slot> {
        self.find(bytes, at, len).map(|(_, slot)| slot).filter(|slot| self.usual[slot.index()])
    }
}

/// Whether the name at a place of a page is the one that has this key and stands at another place.
#[inline(always)]
pub(super) fn is_again(bytes: &Bytes, key: Key, first: usize, again: usize) -> bool {
    let len = key.len as usize;
    Key::within(bytes, again, len) == key && (key.is_whole() || bytes[first..first + len] == bytes[again..again + len])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::page::ROOM;

    #[test]
    fn a_name_in_a_page_has_the_key_of_the_name() {
        let mut bytes = [0; ROOM];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = (at * 7 % 251) as u8 + 1;
        }
        let mut known = Known::new();
        for len in 1..=LONGEST {
            for at in [0, 5, 4_090] {
                let name = &bytes[at..at + len];
                assert_eq!(Key::of(name), Some(Key::within(&bytes, at, len)));
                let (slot, new) = known.keep(name).expect("it is short enough");
                assert!(new);
                assert_eq!(known.find(&bytes, at, len).map(|(_, slot)| slot), Some(slot));
                assert_eq!(known.find_name(name), Some(slot));
            }
        }
        for len in [0, LONGEST + 1, LONGEST + 8, 300] {
            assert_eq!(known.keep(&bytes[3..3 + len]), None);
            assert_eq!(known.find(&bytes, 3, len).map(|(_, slot)| slot), None);
        }
    }
}
