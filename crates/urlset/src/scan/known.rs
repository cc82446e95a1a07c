//! Names that were seen before, so that one need not be looked at byte by byte again. Knows no name's meaning.

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

/// Eight bytes at a place, where there are as many.
#[inline(always)]
fn eight(window: &[u8], at: usize) -> Option<u64> {
    window.get(at..)?.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes))
}

impl Key {
    /// The key of `window[at..at + len]`; `None` where that is empty or too long, or too near to the end of the window.
    #[inline(always)]
    pub fn of(window: &[u8], at: usize, len: usize) -> Option<Self> {
        /// Which bytes of the first eight belong to a name.
        const HEAD: [u64; 8] = [0, 0xff, 0xffff, 0xff_ffff, 1 << 32, 1 << 40, 1 << 48, 1 << 56];
        let head = eight(window, at)?;
        match len {
            0 => None,
            1..8 => {
                let mask = if len < 4 { HEAD[len] } else { HEAD[len] - 1 };
                Some(Self { head: head & mask, tail: 0, len: len as u64 })
            }
            8..=LONGEST => Some(Self { head, tail: eight(window, at + len - 8)?, len: len as u64 }),
            _ => None,
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

    /// Where the name at a place is kept, if it is.
    #[inline(always)]
    pub fn find(&self, window: &[u8], at: usize, len: usize) -> Option<(Key, Slot)> {
        let key = Key::of(window, at, len)?;
        let slot = key.slot();
        if self.keys[slot.index()] == key && key.is_whole() {
            return Some((key, slot));
        }
        self.look(window, at, key).map(|slot| (key, slot))
    }

    /// The same of a name that is long, or does not stand in its own place.
    fn look(&self, window: &[u8], at: usize, key: Key) -> Option<Slot> {
        let len = key.len as usize;
        let same = |slot: &Slot| {
            self.keys[slot.index()] == key && (key.is_whole() || self.long[slot.index()][..len] == window[at..at + len])
        };
        key.places().find(same)
    }

    /// Keeps a name, in the place of another perhaps, and says whether it is new.
    pub fn keep(&mut self, window: &[u8], at: usize, len: usize) -> Option<(Slot, bool)> {
        let key = Key::of(window, at, len)?;
        if let Some(slot) = self.look(window, at, key) {
            return Some((slot, false));
        }
        let free = key.places().find(|slot| self.keys[slot.index()].len == 0);
        let slot = free.unwrap_or(key.slot());
        self.keys[slot.index()] = key;
        self.long[slot.index()][..len].copy_from_slice(&window[at..at + len]);
        self.usual[slot.index()] = false;
        Some((slot, true))
    }

    /// Keeps the name of an attribute that is written as nearly all are.
    pub fn keep_usual(&mut self, window: &[u8], at: usize, len: usize) -> Option<(Slot, bool)> {
        let kept = self.keep(window, at, len)?;
        self.usual[kept.0.index()] = true;
        Some(kept)
    }

    /// Where the name of a usual attribute is kept, if it is.
    #[inline(always)]
    pub fn find_usual(&self, window: &[u8], at: usize, len: usize) -> Option<Slot> {
        self.find(window, at, len).map(|(_, slot)| slot).filter(|slot| self.usual[slot.index()])
    }
}

/// Whether the name at a place is the one that has this key and stands at another place.
#[inline(always)]
pub(super) fn is_again(window: &[u8], key: Key, first: usize, again: usize) -> bool {
    let len = key.len as usize;
    Key::of(window, again, len) == Some(key)
        && (key.is_whole() || window[first..first + len] == window[again..again + len])
}
