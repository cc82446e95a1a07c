//! What nearly all markup is, read without a detour: known names, no attributes, texts that fit. Leaves everything else where it stands.

use super::known::is_again;
use super::marks::Marks;
use super::{LEAF_BYTES, Scanner, Tag, Tokens, is_space};

impl Scanner {
    /// Passes on tokens from a place on for as long as they are ordinary, and says where the first stands that is not.
    ///
    /// They are the tokens that the general way would give: a name is known only if it was read there.
    #[inline]
    pub(super) fn ordinary(
        &self,
        marks: &mut Marks<'_>,
        base: u64,
        from: usize,
        window: &[u8],
        tokens: &mut impl Tokens,
    ) -> usize {
        let mut here = *marks;
        let mut at = from;
        while let Some(next) = here.less(at, LEAF_BYTES) {
            if next.at > at {
                let blank = &window[at..next.at];
                if next.visible || next.odd && !blank.iter().all(|&b| is_space(b)) {
                    break;
                }
                tokens.blank(blank, base + at as u64);
                at = next.at;
            }
            let end = window.get(at + 1) == Some(&b'/');
            let name_at = at + 1 + usize::from(end);
            let Some(greater) = here.near_greater(name_at) else { break };
            let len = greater - name_at;
            let Some((key, slot)) = self.known.find(window, name_at, len) else { break };
            let (name, offset) = (&window[name_at..greater], base + at as u64);
            let body = greater + 1;
            if end {
                tokens.end(name, offset, base + body as u64);
                at = body;
                continue;
            }
            let Some(less) = here.less(body, LEAF_BYTES) else { break };
            let after = less.at + len + 3;
            // What ends is compared eight bytes at a time.
            if less.at + 2 + len.max(8) >= window.len() {
                break;
            }
            if window[less.at + 1] == b'/' && window[after - 1] == b'>' && is_again(window, key, name_at, less.at + 2) {
                tokens.leaf(name, Some(slot), &window[body..less.at], offset, !less.odd);
                at = after;
            } else {
                tokens.start(&Tag::bare(name, Some(slot), offset));
                at = body;
            }
        }
        *marks = here;
        at
    }
}
