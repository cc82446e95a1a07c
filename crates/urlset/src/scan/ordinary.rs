//! What nearly all markup is, read without a detour: known names, usual attributes, texts that fit. Leaves everything else where it stands.

use super::attributes::Attribute;
use super::known::{Known, is_again};
use super::marks::Marks;
use super::{LEAF_BYTES, Scanner, Tag, Tokens, is_space};

impl Scanner {
    /// Passes on tokens from a place on for as long as they are ordinary, and says where the first stands that is not.
    ///
    /// They are the tokens that the general way would give: a name is known only if it was read there.
    #[inline]
    pub(super) fn ordinary(
        &mut self,
        here: &mut Marks<'_>,
        base: u64,
        from: usize,
        window: &[u8],
        tokens: &mut impl Tokens,
    ) -> usize {
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
            let Some(name_end) = here.name_end(name_at) else { break };
            let len = name_end - name_at;
            let Some((key, slot)) = self.known.find(window, name_at, len) else { break };
            let (name, offset) = (&window[name_at..name_end], base + at as u64);
            let body = name_end + 1;
            if window[name_end] != b'>' {
                if end {
                    break;
                }
                let Some(inside) = inside(&mut self.attributes, &self.known, here, window, (at, name_end)) else {
                    break;
                };
                at = inside.end;
                tokens.start(&Tag {
                    name,
                    slot: Some(slot),
                    attributes: &self.attributes,
                    source: &window[name_at - 1..at],
                    empty: inside.empty,
                    broken: false,
                    simple: inside.simple,
                    prefixed: false,
                    offset,
                    end: base + at as u64,
                });
                continue;
            }
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
        at
    }
}

/// What stands between the name of an ordinary tag and its `>`.
struct Inside {
    /// The index after `>`.
    end: usize,
    empty: bool,
    simple: bool,
}

/// Reads the attributes of the tag at a place: each a blank, a name that is known to be usual, `=`, and a value in quotes.
#[inline]
fn inside(
    attributes: &mut Vec<Attribute>,
    known: &Known,
    marks: &mut Marks<'_>,
    window: &[u8],
    (tag, name_end): (usize, usize),
) -> Option<Inside> {
    let greater = marks.tag_end(name_end)?;
    attributes.clear();
    let mut at = name_end;
    let closed = |empty| Some(Inside { end: greater.at + 1, empty, simple: greater.simple });
    loop {
        let rest = &window[at..=greater.at];
        match rest {
            [b'>'] => return closed(false),
            [b'/', b'>'] | [b' ', b'/', b'>'] => return closed(true),
            [b' ', ..] => {}
            _ => return None,
        }
        let name = at + 1;
        let open = marks.quote(name, greater.at)?;
        let close = marks.quote(open + 1, greater.at)?;
        let equals = open - 1;
        if equals <= name || window[equals] != b'=' {
            return None;
        }
        let slot = known.find_usual(window, name, equals - name)?;
        if attributes.iter().any(|before| before.slot == Some(slot)) {
            return None;
        }
        let place = |at: usize| (at - tag) as u32;
        attributes.push(Attribute {
            name: (place(name), place(equals)),
            value: (place(open + 1), place(close)),
            slot: Some(slot),
        });
        at = close + 1;
    }
}
