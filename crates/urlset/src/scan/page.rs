//! Some thousand bytes of a window, copied to where every place has a fixed bound, with the places of their tags. Decides nothing.

use super::simd::{BLOCK, Bits, Take, index};

/// Blocks of a page: few enough that all of it stays in the nearest cache.
const BLOCKS: usize = 64;
/// Bytes of a page.
pub(super) const REACH: usize = BLOCKS * BLOCK;
/// Room for a page and what is read behind a place in it. A power of two and eight: places are masked rather than checked.
pub(super) const ROOM: usize = 2 * REACH + 8;

/// The bytes of a page.
pub(super) type Bytes = [u8; ROOM];

/// Eight bytes at a place of a page.
#[inline(always)]
pub(super) fn eight(bytes: &Bytes, at: usize) -> u64 {
    let at = at % (2 * REACH);
    bytes[at..at + 8].try_into().map_or(0, u64::from_le_bytes)
}

/// What was seen since the last mark, block by block: the carry of a sum in which such bytes run up to the next mark.
#[derive(Clone, Copy, Debug, Default)]
struct Since(u64);

impl Since {
    /// The marks before which one of these bytes stands; `between` are all bytes that are no marks.
    #[inline(always)]
    fn up_to(&mut self, bytes: u64, between: u64) -> u64 {
        let sum = u128::from(between) + u128::from(bytes & between) + u128::from(self.0);
        self.0 = (sum >> u64::BITS) as u64;
        sum as u64 & !between
    }
}

/// A page of a window, with its marks: every `<` and `>`.
#[derive(Debug)]
pub(super) struct Page {
    pub bytes: Bytes,
    /// Where the page begins and ends in the window.
    from: usize,
    to: usize,
    /// The places of the marks, and how many there are.
    marks: [u16; REACH],
    len: usize,
    /// Of the marks, the first that was not passed.
    next: usize,
    /// Of each mark what stands between it and the one before: of `<` whether an odd byte, of `>` whether one that is not
    /// visible. Different things are asked of the two, and fewer arrays are nearer.
    odd_or_blank: [u64; BLOCKS],
    /// And of `<` whether a visible byte, of `>` whether an odd one or a control character.
    visible_or_odd: [u64; BLOCKS],
    /// Of each byte whether it is a `"`, and whether it is visible.
    quotes: [u64; BLOCKS],
    visible: [u64; BLOCKS],
    /// Blocks that were taken.
    blocks: usize,
    /// The bits of the next block that are asked for.
    asked: u64,
    since: Between,
}

/// What was seen since the last mark.
#[derive(Clone, Copy, Debug, Default)]
struct Between {
    odd: Since,
    visible: Since,
    blank: Since,
    control: Since,
}

impl Take for Page {
    #[inline(always)]
    fn take(&mut self, bits: Bits) {
        let asked = std::mem::replace(&mut self.asked, u64::MAX);
        let (less, greater) = (bits.less & asked, bits.greater & asked);
        let mut rest = less | greater;
        let odd = self.since.odd.up_to(bits.odd & asked, !rest);
        let visible = self.since.visible.up_to(bits.visible & asked, !rest);
        let blank = self.since.blank.up_to(!bits.visible & asked, !rest);
        let control = self.since.control.up_to(bits.control & asked, !rest);
        let at = self.blocks % BLOCKS;
        self.odd_or_blank[at] = odd & less | blank & greater;
        self.visible_or_odd[at] = visible & less | (odd | control) & greater;
        (self.quotes[at], self.visible[at]) = (bits.quote, bits.visible);
        self.blocks += 1;
        let mut len = self.len;
        while rest != 0 {
            self.marks[len % REACH] = (at * BLOCK) as u16 | rest.trailing_zeros() as u16;
            len += 1;
            rest &= rest - 1;
        }
        self.len = len;
    }
}

impl Page {
    /// An empty page.
    pub fn new() -> Box<Self> {
        Box::new(Self {
            bytes: [0; ROOM],
            from: 0,
            to: 0,
            marks: [0; REACH],
            len: 0,
            next: 0,
            odd_or_blank: [0; BLOCKS],
            visible_or_odd: [0; BLOCKS],
            quotes: [0; BLOCKS],
            visible: [0; BLOCKS],
            blocks: 0,
            asked: 0,
            since: Between::default(),
        })
    }

    /// Forgets the window.
    pub fn forget(&mut self) {
        (self.from, self.to, self.len, self.next) = (0, 0, 0, 0);
    }

    /// Where the page begins in the window.
    #[inline(always)]
    pub fn from(&self) -> usize {
        self.from
    }

    /// Passes over the marks before a place in the window, turning the page where it is not on this one.
    pub fn pass_to(&mut self, window: &[u8], at: usize) {
        if at < self.from || at >= self.to {
            return self.turn(window, at);
        }
        while self.next < self.len && self.from + usize::from(self.marks[self.next]) < at {
            self.next += 1;
        }
    }

    /// Passes over so many marks.
    #[inline(always)]
    pub fn pass(&mut self, marks: usize) {
        self.next += marks;
    }

    /// Whether four marks are left.
    #[inline(always)]
    pub fn has_four(&self) -> bool {
        self.next + 4 <= self.len
    }

    /// The places of the next three marks of four.
    #[inline(always)]
    pub fn three(&self) -> [usize; 3] {
        [0, 1, 2].map(|n| usize::from(self.marks[(self.next + n) % REACH]) % REACH)
    }

    /// Turns the page so that more marks follow a place in the window, all before it being passed. False where there are none near.
    #[inline(never)] // once for many marks; the loop around it stays small
    pub fn more(&mut self, window: &[u8], at: usize) -> bool {
        let is_new = self.next == 0 && at < self.from + BLOCK;
        if self.to < window.len() && !is_new {
            self.turn(window, at);
        }
        self.has_four()
    }

    /// Whether a byte is odd, see [`Bits::odd`], of the text that the `<` at a place ends.
    #[inline(always)]
    pub fn text_is_odd(&self, less: usize) -> bool {
        bit(&self.odd_or_blank, less)
    }

    /// Whether a byte is visible of the text that the `<` at a place ends.
    #[inline(always)]
    pub fn text_is_visible(&self, less: usize) -> bool {
        bit(&self.visible_or_odd, less)
    }

    /// Whether a byte is not visible of the tag that the `>` at a place ends.
    #[inline(always)]
    pub fn tag_has_blank(&self, greater: usize) -> bool {
        bit(&self.odd_or_blank, greater)
    }

    /// Whether a byte is odd, or a control character, of the tag that the `>` at a place ends.
    #[inline(always)]
    pub fn tag_is_odd(&self, greater: usize) -> bool {
        bit(&self.visible_or_odd, greater)
    }

    /// The first byte from a place on that is not visible, before another place.
    #[inline(always)]
    pub fn blank(&self, from: usize, to: usize) -> Option<usize> {
        find(from, to, |block| !self.visible[block])
    }

    /// The first `"` from a place on, before another.
    #[inline(always)]
    pub fn quote(&self, from: usize, to: usize) -> Option<usize> {
        find(from, to, |block| self.quotes[block])
    }

    /// Begins a page with the block of a place in the window.
    fn turn(&mut self, window: &[u8], at: usize) {
        let from = at - at % BLOCK;
        let rest = window.get(from..).unwrap_or_default();
        let len = rest.len().min(REACH);
        // What an earlier page left behind these bytes lies behind every mark, and nothing counts that does.
        self.bytes[..len].copy_from_slice(&rest[..len]);
        (self.from, self.to) = (from, from + len);
        (self.len, self.next, self.blocks, self.asked) = (0, 0, 0, u64::MAX << (at - from));
        self.since = Between::default();
        index(&rest[..len], self);
    }
}

#[inline(always)]
fn bit(bits: &[u64; BLOCKS], at: usize) -> bool {
    bits[at / BLOCK % BLOCKS] >> (at % BLOCK) & 1 != 0
}

/// The first place of a bit from a place on, before another.
#[inline(always)]
fn find(from: usize, to: usize, bits: impl Fn(usize) -> u64) -> Option<usize> {
    let (mut start, mut asked) = (from & !(BLOCK - 1), u64::MAX << (from % BLOCK));
    while start < to {
        let found = bits(start / BLOCK % BLOCKS) & asked;
        if found != 0 {
            let at = start + found.trailing_zeros() as usize;
            return (at < to).then_some(at);
        }
        start += BLOCK;
        asked = u64::MAX;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places of marks with what stands before them, byte by byte.
    fn naive(window: &[u8], from: usize) -> Vec<(usize, bool, bool)> {
        let mut before = from;
        let mut found = Vec::new();
        for (at, &byte) in window.iter().enumerate().skip(from) {
            if byte != b'<' && byte != b'>' {
                continue;
            }
            let run = &window[before..at];
            let odd = run.iter().any(|&b| b == b'&' || b >= 0x80 || b < b' ' && b != b'\n' && b != b'\t');
            let visible = run.iter().any(|&b| b > b' ');
            let control = run.iter().any(|&b| b < b' ');
            let blank = run.iter().any(|&b| b <= b' ');
            found.push(if byte == b'<' { (at, odd, visible) } else { (at, blank, odd || control) });
            before = at + 1;
        }
        found
    }

    #[test]
    fn marks_are_those_of_the_bytes() {
        let mut seed = 11u32;
        let mut next = |below: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize % below
        };
        let mut page = Page::new();
        for round in 0..400 {
            let len = next(9_000);
            // Marks far apart and near, runs over whole blocks, bytes of every kind.
            let common = [1, 4, 40, 400][round % 4];
            let bytes = b"<>\"& \n\t\r\x01\x7f\x80\xff";
            let window: Vec<u8> = (0..len)
                .map(|_| if next(common) == 0 { bytes[next(bytes.len())] } else { b"a "[round / 4 % 2] })
                .collect();
            let from = next(len + 1);
            page.forget();
            page.pass_to(&window, from);
            let mut at = from;
            let mut found = Vec::new();
            while page.has_four() || page.more(&window, at) {
                let [mark, ..] = page.three();
                at = page.from() + mark + 1;
                assert_eq!(page.bytes[mark..page.to - page.from], window[at - 1..page.to]);
                let quote = window[at..].iter().take(200).position(|&b| b == b'"').map(|n| mark + 1 + n);
                let blank = window[at..].iter().take(200).position(|&b| b <= b' ').map(|n| mark + 1 + n);
                let to = mark + 200.min(page.to - at);
                assert_eq!(page.quote(mark + 1, to), quote.filter(|&at| at < to));
                assert_eq!(page.blank(mark + 1, to), blank.filter(|&at| at < to));
                found.push((at - 1, page.text_is_odd(mark), page.text_is_visible(mark)));
                page.pass(1);
            }
            let expected = naive(&window, from);
            assert_eq!(found[..], expected[..found.len()], "{len} bytes from {from}");
            // It ends where fewer than four are left of the window, or none of the next four stand within reach.
            let left = &expected[found.len()..];
            assert!(left.len() < 4 || left[3].0 - at >= REACH - BLOCK, "{} left", left.len());
        }
    }
}
