//! A hash of a file's uncompressed bytes, by which two publishes are compared. Guards against chance, not against malice.

const P1: u64 = 0x9E37_79B1_85EB_CA87;
const P2: u64 = 0xC2B2_AE3D_27D4_EB4F;
const P3: u64 = 0x1656_67B1_9E37_79F9;
const P4: u64 = 0x85EB_CA77_C2B2_AE63;
const P5: u64 = 0x27D4_EB2F_1656_67C5;

/// XXH64 with seed 0: a fixed, published function, so that a manifest outlives any version of this crate.
///
/// ```
/// assert_eq!(urlset::write::hash(b"abc"), 0x44BC_2CF5_AD77_0999);
/// ```
pub fn hash(data: &[u8]) -> u64 {
    let stripes = data.chunks_exact(32);
    let mut tail = stripes.remainder();
    let mut state = if data.len() < 32 {
        P5
    } else {
        let mut lanes = [P1.wrapping_add(P2), P2, 0, 0u64.wrapping_sub(P1)];
        for stripe in stripes {
            // The four are independent of one another: a processor works on all at once.
            lanes[0] = round(lanes[0], word(&stripe[..8]));
            lanes[1] = round(lanes[1], word(&stripe[8..16]));
            lanes[2] = round(lanes[2], word(&stripe[16..24]));
            lanes[3] = round(lanes[3], word(&stripe[24..32]));
        }
        let [a, b, c, d] = lanes;
        let mut state = a.rotate_left(1).wrapping_add(b.rotate_left(7)).wrapping_add(c.rotate_left(12));
        state = state.wrapping_add(d.rotate_left(18));
        for lane in lanes {
            state = (state ^ round(0, lane)).wrapping_mul(P1).wrapping_add(P4);
        }
        state
    };
    state = state.wrapping_add(data.len() as u64);
    while let Some((bytes, rest)) = tail.split_at_checked(8) {
        state = (state ^ round(0, word(bytes))).rotate_left(27).wrapping_mul(P1).wrapping_add(P4);
        tail = rest;
    }
    if let Some((bytes, rest)) = tail.split_at_checked(4) {
        state = (state ^ word(bytes).wrapping_mul(P1)).rotate_left(23).wrapping_mul(P2).wrapping_add(P3);
        tail = rest;
    }
    for byte in tail {
        state = (state ^ u64::from(*byte).wrapping_mul(P5)).rotate_left(11).wrapping_mul(P1);
    }
    state = (state ^ (state >> 33)).wrapping_mul(P2);
    state = (state ^ (state >> 29)).wrapping_mul(P3);
    state ^ (state >> 32)
}

/// Up to eight bytes as a little-endian number.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

#[inline]
fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(P2)).rotate_left(31).wrapping_mul(P1)
}

#[cfg(test)]
mod tests {
    use super::hash;

    /// Values that the reference implementation gives.
    #[test]
    fn known_answers() {
        assert_eq!(hash(b""), 0xEF46_DB37_51D8_E999);
        assert_eq!(hash(b"a"), 0xD24E_C4F1_A98C_6E5B);
        assert_eq!(hash(b"abc"), 0x44BC_2CF5_AD77_0999);
        assert_eq!(hash(b"Call me Ishmael. Some years ago--never mind how long precisely-"), 0x02A2_E854_70D6_FD96);
    }

    #[test]
    fn every_byte_counts() {
        let data: Vec<u8> = (0..=255).collect();
        for at in 0..data.len() {
            let mut other = data.clone();
            other[at] ^= 1;
            assert_ne!(hash(&data), hash(&other), "byte {at}");
            assert_ne!(hash(&data), hash(&data[..at]), "length {at}");
        }
    }
}
