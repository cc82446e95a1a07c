//! The marks of a window, asked for from its beginning to its end. Decides nothing.

use super::simd::{BLOCK, Bits, index};

/// Blocks whose marks are kept: few enough to stay in the nearest cache with the bytes they are of.
const AHEAD: usize = 64;

/// Where marks are kept.
pub(super) type Ahead = Box<[Bits; AHEAD]>;

/// Room for marks.
pub(super) fn ahead() -> Ahead {
    Box::new([Bits::default(); AHEAD])
}

/// Blocks that a tag with attributes may fill: longer ones are read another way.
const TAG: usize = 8;

/// The marks of a window, of some blocks of it at a time.
///
/// Places asked for go forward, and seldom back, so a window costs about one pass.
#[derive(Debug)]
pub(super) struct Marks<'a> {
    window: &'a [u8],
    ahead: &'a mut Ahead,
    /// Index in the window of the first byte whose marks are kept, and the number of those that are.
    from: usize,
    kept: usize,
}

/// A `<`, and what stands before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Less {
    pub at: usize,
    /// A byte before it is odd.
    pub odd: bool,
    /// A byte before it is visible.
    pub visible: bool,
}

/// The `>` of a tag, and what stands before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Greater {
    pub at: usize,
    /// No byte before it is odd, none a control character.
    pub simple: bool,
}

impl<'a> Marks<'a> {
    /// The marks of a window.
    pub fn new(window: &'a [u8], ahead: &'a mut Ahead) -> Self {
        Self { window, ahead, from: 0, kept: 0 }
    }

    /// The marks of the block that begins at a place.
    #[inline(always)]
    fn block(&mut self, start: usize) -> &Bits {
        /// Those of a block behind the end.
        const NONE: Bits = Bits { less: 0, greater: 0, quote: 0, visible: 0, control: 0, odd: 0 };
        if start.wrapping_sub(self.from) >= self.kept {
            if start >= self.window.len() {
                return &NONE;
            }
            self.fill(start);
        }
        &self.ahead[(start - self.from) / BLOCK % AHEAD]
    }

    /// Marks the blocks from a place on.
    #[inline(always)]
    fn fill(&mut self, start: usize) {
        self.kept = fill(self.window, start, self.ahead);
        self.from = start;
    }

    /// Where a name ends that begins at a place: at a `>`, a blank or a control character within its block and the next one.
    #[inline(always)]
    pub fn name_end(&mut self, from: usize) -> Option<usize> {
        let (mut start, asked) = split(from);
        let ends = |bits: &Bits| bits.greater | !bits.visible;
        let mut found = ends(self.block(start)) & asked;
        if found == 0 {
            start += BLOCK;
            found = ends(self.block(start));
        }
        let at = start + found.trailing_zeros() as usize;
        (found != 0 && at < self.window.len()).then_some(at)
    }

    /// The `>` that ends the tag whose name ends at a place; `None` where a `<` comes first, or neither comes soon.
    ///
    /// Until marks of another place are asked for, those of the whole tag are kept.
    #[inline(always)]
    pub fn tag_end(&mut self, from: usize) -> Option<Greater> {
        let (mut start, mut asked) = split(from);
        if start.wrapping_sub(self.from) >= (AHEAD - TAG) * BLOCK {
            self.fill(start);
        }
        let mut odd = 0;
        for _ in 0..TAG {
            let bits = self.block(start);
            let (found, before) = first(bits.less | bits.greater, asked);
            odd |= (bits.odd | bits.control) & before;
            if found != 0 {
                let closes = bits.greater & found & found.wrapping_neg() != 0;
                let at = start + found.trailing_zeros() as usize;
                return closes.then_some(Greater { at, simple: odd == 0 });
            }
            start += BLOCK;
            asked = u64::MAX;
        }
        None
    }

    /// The first `"` from a place on that lies before another; both in a tag whose end was just asked for.
    #[inline(always)]
    pub fn quote(&mut self, from: usize, to: usize) -> Option<usize> {
        let (mut start, mut asked) = split(from);
        while start < to {
            let found = self.block(start).quote & asked;
            if found != 0 {
                let at = start + found.trailing_zeros() as usize;
                return (at < to).then_some(at);
            }
            start += BLOCK;
            asked = u64::MAX;
        }
        None
    }

    /// The first `<` from a place on, within so many bytes and in the window.
    #[inline(always)]
    pub fn less(&mut self, from: usize, within: usize) -> Option<Less> {
        let (mut start, mut asked) = split(from);
        let (mut odd, mut visible) = (0, 0);
        loop {
            let bits = self.block(start);
            let (found, before) = first(bits.less, asked);
            odd |= bits.odd & before;
            visible |= bits.visible & before;
            if found != 0 {
                let at = start + found.trailing_zeros() as usize;
                return (at - from <= within).then_some(Less { at, odd: odd != 0, visible: visible != 0 });
            }
            start += BLOCK;
            if start >= self.window.len() || start - from > within {
                return None;
            }
            asked = u64::MAX;
        }
    }
}

/// The block of a place, and the bits of it from that place on.
#[inline(always)]
fn split(at: usize) -> (usize, u64) {
    (at & !(BLOCK - 1), u64::MAX << (at & (BLOCK - 1)))
}

/// The bits that are asked for, and those asked for before the first of them.
#[inline(always)]
fn first(bits: u64, asked: u64) -> (u64, u64) {
    let found = bits & asked;
    // Without one, all bits are before it.
    (found, asked & found.wrapping_sub(1) & !found)
}

/// Marks the blocks from a place on, and says of how many bytes.
#[inline(never)] // once for many blocks; the loops around it stay small
fn fill(window: &[u8], start: usize, ahead: &mut Ahead) -> usize {
    let rest = &window[start..];
    let rest = &rest[..rest.len().min(AHEAD * BLOCK)];
    index(rest, &mut ahead[..]);
    rest.len().next_multiple_of(BLOCK)
}
