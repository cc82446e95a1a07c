//! Which bytes are markup and which are out of the ordinary, 64 at a time, with the widest registers that the machine has.
//!
//! The only unsafe code of the crate: instructions that not every machine has. Each way gives the same bits.
#![allow(unsafe_code)]

use wide::u8x16;

/// Bytes looked at together.
pub(super) const BLOCK: usize = 64;

/// One bit for each byte of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    /// `<`.
    pub less: u64,
    /// `>`.
    pub greater: u64,
    /// `"`.
    pub quote: u64,
    /// Neither white space nor a control character.
    pub visible: u64,
    /// Control characters, white space but blanks among them.
    pub control: u64,
    /// `&`, what is no ASCII, and control characters but line feed and tab: what makes a text not what it seems.
    pub odd: u64,
}

/// Takes the bits of blocks in turn. Its code is compiled for each kind of registers.
pub(super) trait Take {
    fn take(&mut self, bits: Bits);
}

/// Gives the bits of all bytes, block by block; the last block may be cut short, and has no bit beyond its end that counts.
pub(super) fn index(bytes: &[u8], out: &mut impl Take) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") {
        if is_x86_feature_detected!("avx512bw") {
            // SAFETY: the machine has these instructions.
            return unsafe { x86::index_512(bytes, out) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has these instructions.
            return unsafe { x86::index_256(bytes, out) };
        }
    }
    blocks(bytes, out, of);
}

#[inline(always)]
fn blocks(bytes: &[u8], out: &mut impl Take, of: impl Fn(&[u8; BLOCK]) -> Bits) {
    let (whole, rest) = bytes.as_chunks::<BLOCK>();
    for block in whole {
        out.take(of(block));
    }
    if !rest.is_empty() {
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        let there = (1 << rest.len()) - 1; // never 64 of them
        let padded = of(&block);
        out.take(Bits { control: padded.control & there, odd: padded.odd & there, ..padded });
    }
}

/// The bits of a block, by what every machine has.
#[inline(always)]
fn of(block: &[u8; BLOCK]) -> Bits {
    const LANES: usize = 16;
    let (lanes, _) = block.as_chunks::<LANES>();
    let lanes = [u8x16::new(lanes[0]), u8x16::new(lanes[1]), u8x16::new(lanes[2]), u8x16::new(lanes[3])];
    let mark = |of: &dyn Fn(u8x16) -> u8x16| {
        let [a, b, c, d] = lanes.map(|bytes| u64::from(of(bytes).to_bitmask()));
        a | b << LANES | c << (2 * LANES) | d << (3 * LANES)
    };
    let is = |bytes: u8x16, byte: u8| bytes.simd_eq(u8x16::splat(byte));
    let up_to = |bytes: u8x16, most: u8| bytes.min(u8x16::splat(most)).simd_eq(bytes);
    let control = mark(&|bytes| up_to(bytes, 0x1f));
    Bits {
        less: mark(&|bytes| is(bytes, b'<')),
        greater: mark(&|bytes| is(bytes, b'>')),
        quote: mark(&|bytes| is(bytes, b'"')),
        visible: !mark(&|bytes| up_to(bytes, b' ')),
        control,
        // Of what is no ASCII the upper bit is set.
        odd: (control ^ mark(&|bytes| is(bytes, b'\n') | is(bytes, b'\t'))) | mark(&|bytes| is(bytes, b'&') | bytes),
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8,
        _mm256_or_si256, _mm256_set1_epi8, _mm512_cmpeq_epi8_mask, _mm512_cmpgt_epu8_mask, _mm512_cmple_epu8_mask,
        _mm512_loadu_si512, _mm512_movepi8_mask, _mm512_set1_epi8,
    };

    use super::{BLOCK, Bits, Take, blocks};

    #[target_feature(enable = "avx512bw,bmi1,bmi2")]
    pub fn index_512(bytes: &[u8], out: &mut impl Take) {
        blocks(bytes, out, |block| {
            // SAFETY: a block has as many bytes as are loaded.
            let bytes: __m512i = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
            let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte as i8));
            let control = _mm512_cmple_epu8_mask(bytes, _mm512_set1_epi8(0x1f));
            Bits {
                less: is(b'<'),
                greater: is(b'>'),
                quote: is(b'"'),
                visible: _mm512_cmpgt_epu8_mask(bytes, _mm512_set1_epi8(b' ' as i8)),
                control,
                odd: (control ^ (is(b'\n') | is(b'\t'))) | is(b'&') | _mm512_movepi8_mask(bytes),
            }
        });
    }

    #[target_feature(enable = "avx2,bmi1,bmi2")]
    pub fn index_256(bytes: &[u8], out: &mut impl Take) {
        blocks(bytes, out, |block| {
            // SAFETY: half a block has as many bytes as are loaded.
            let load = |at: usize| unsafe { _mm256_loadu_si256(block[at..at + BLOCK / 2].as_ptr().cast()) };
            let (low, high) = (load(0), load(BLOCK / 2));
            let mask = |low: __m256i, high: __m256i| {
                let (low, high) = (_mm256_movemask_epi8(low) as u32, _mm256_movemask_epi8(high) as u32);
                u64::from(low) | u64::from(high) << 32
            };
            let eq = |bytes: __m256i, byte: u8| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8));
            let up_to = |bytes: __m256i, most: u8| {
                _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(most as i8)), bytes)
            };
            let space = |bytes: __m256i| _mm256_or_si256(eq(bytes, b'\n'), eq(bytes, b'\t'));
            // Of what is no ASCII the upper bit is set.
            let beyond = |bytes: __m256i| _mm256_or_si256(eq(bytes, b'&'), bytes);
            let control = mask(up_to(low, 0x1f), up_to(high, 0x1f));
            Bits {
                less: mask(eq(low, b'<'), eq(high, b'<')),
                greater: mask(eq(low, b'>'), eq(high, b'>')),
                quote: mask(eq(low, b'"'), eq(high, b'"')),
                visible: !mask(up_to(low, b' '), up_to(high, b' ')),
                control,
                odd: (control ^ mask(space(low), space(high))) | mask(beyond(low), beyond(high)),
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits by what each byte is.
    fn naive(bytes: &[u8]) -> Vec<Bits> {
        let of = |block: &[u8]| {
            let mark = |test: &dyn Fn(u8) -> bool| {
                block.iter().enumerate().fold(0, |bits, (at, &byte)| bits | u64::from(test(byte)) << at)
            };
            Bits {
                less: mark(&|b| b == b'<'),
                greater: mark(&|b| b == b'>'),
                quote: mark(&|b| b == b'"'),
                visible: mark(&|b| b > b' '),
                control: mark(&|b| b < b' '),
                odd: mark(&|b| b == b'&' || b >= 0x80 || b < b' ' && b != b'\n' && b != b'\t'),
            }
        };
        bytes.chunks(BLOCK).map(of).collect()
    }

    impl Take for Vec<Bits> {
        fn take(&mut self, bits: Bits) {
            self.push(bits);
        }
    }

    fn check(what: &str, way: impl Fn(&[u8], &mut Vec<Bits>)) {
        let mut seed = 7u32;
        for len in 0..600 {
            let bytes: Vec<u8> = (0..len)
                .map(|at| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    if len < 256 { (at + len) as u8 } else { b"<>\"& \n\t\r\x01\x7f\x80\xffabc]"[seed as usize >> 28] }
                })
                .collect();
            let mut out = Vec::new();
            way(&bytes, &mut out);
            assert_eq!(out, naive(&bytes), "{what}, {len} bytes");
        }
    }

    #[test]
    fn every_way_gives_the_same_bits() {
        check("what every machine has", |bytes, out| blocks(bytes, out, of));
        check("what this machine has", index);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") {
            // SAFETY: the machine has these instructions.
            check("registers of 256 bits", |bytes, out| unsafe { x86::index_256(bytes, out) });
        }
    }
}
