//! Which bytes of a window are markup and which are out of the ordinary, found 64 at a time. Decides nothing.

use wide::u8x16;

const BLOCK: usize = 64;
const LANES: usize = 16;

/// One bit for each byte of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Bits {
    less: u64,
    greater: u64,
    /// Neither white space nor a control character.
    visible: u64,
    /// `&`, `>`, what is no ASCII, and control characters but line feed and tab: what makes a text not what it seems. A `]` is
    /// out of the ordinary only before a `>`.
    odd: u64,
}

impl Bits {
    #[inline(never)] // once a block; the loops around it stay small
    fn of(block: &[u8; BLOCK]) -> Self {
        let (lanes, _) = block.as_chunks::<LANES>();
        let lanes = [u8x16::new(lanes[0]), u8x16::new(lanes[1]), u8x16::new(lanes[2]), u8x16::new(lanes[3])];
        let mark = |of: &dyn Fn(u8x16) -> u8x16| {
            let [a, b, c, d] = lanes.map(|bytes| u64::from(of(bytes).to_bitmask()));
            a | b << LANES | c << (2 * LANES) | d << (3 * LANES)
        };
        let is = |bytes: u8x16, byte: u8| bytes.simd_eq(u8x16::splat(byte));
        let up_to = |bytes: u8x16, most: u8| bytes.min(u8x16::splat(most)).simd_eq(bytes);
        let greater = mark(&|bytes| is(bytes, b'>'));
        Self {
            less: mark(&|bytes| is(bytes, b'<')),
            greater,
            visible: !mark(&|bytes| up_to(bytes, b' ')),
            // Of what is no ASCII the upper bit is set.
            odd: mark(&|bytes| {
                let plain = is(bytes, b'\n') | is(bytes, b'\t');
                (up_to(bytes, 0x1f) ^ plain) | is(bytes, b'&') | bytes
            }) | greater,
        }
    }

    /// Those of a window's end, which is no whole block.
    #[cold]
    fn of_rest(bytes: &[u8]) -> Self {
        let mut block = [0; BLOCK];
        block[..bytes.len()].copy_from_slice(bytes);
        let bits = Self::of(&block);
        let there = (1 << bytes.len()) - 1; // never 64 of them
        Self { odd: bits.odd & there, visible: bits.visible & there, ..bits }
    }
}

/// The marks of one block of a window, whichever was asked for last: places asked for go forward, so a window costs one pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks<'a> {
    window: &'a [u8],
    /// Index of the first byte of the block in the window.
    start: usize,
    bits: Bits,
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

impl<'a> Marks<'a> {
    /// The marks of a window.
    pub fn new(window: &'a [u8]) -> Self {
        Self { window, start: usize::MAX, bits: Bits::default() }
    }

    #[inline(always)]
    fn load(&mut self, start: usize) {
        self.start = start;
        let rest = self.window.get(start..).unwrap_or_default();
        self.bits = rest.first_chunk::<BLOCK>().map_or_else(|| Bits::of_rest(rest), Bits::of);
    }

    /// Marks from a place on, within its block.
    #[inline(always)]
    fn seek(&mut self, at: usize) -> u64 {
        let start = at & !(BLOCK - 1);
        if start != self.start {
            self.load(start);
        }
        u64::MAX << (at & (BLOCK - 1))
    }

    /// The first `>` from a place on, within its block and the next one: names are short.
    #[inline(always)]
    pub fn near_greater(&mut self, from: usize) -> Option<usize> {
        let asked = self.seek(from);
        let mut found = self.bits.greater & asked;
        if found == 0 {
            self.load(self.start + BLOCK);
            found = self.bits.greater;
        }
        (found != 0).then(|| self.start + found.trailing_zeros() as usize)
    }

    /// The first `<` from a place on, within so many bytes and in the window.
    #[inline(always)]
    pub fn less(&mut self, from: usize, within: usize) -> Option<Less> {
        let mut asked = self.seek(from);
        let (mut odd, mut visible) = (0, 0);
        loop {
            let found = self.bits.less & asked;
            let before = if found == 0 { asked } else { asked & (found - 1) & !found };
            odd |= self.bits.odd & before;
            visible |= self.bits.visible & before;
            if found != 0 {
                let at = self.start + found.trailing_zeros() as usize;
                return (at - from <= within).then_some(Less { at, odd: odd != 0, visible: visible != 0 });
            }
            let next = self.start + BLOCK;
            if next >= self.window.len() || next - from > within {
                return None;
            }
            self.load(next);
            asked = u64::MAX;
        }
    }
}
