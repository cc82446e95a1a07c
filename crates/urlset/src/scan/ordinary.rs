//! What nearly all markup is, read without a detour: known names, usual attributes, texts that fit. Leaves everything else where it stands.

use super::attributes::Attribute;
use super::known::{Known, is_again};
use super::page::Page;
use super::{Scanner, Tag, Tokens, is_space};

impl Scanner {
    /// Passes on tokens from a place on for as long as they are ordinary, and says where the first stands that is not.
    ///
    /// They are the tokens that the general way would give: a name is known only if it was read there.
    #[inline]
    pub(super) fn ordinary(
        &mut self,
        page: &mut Page,
        base: u64,
        from: usize,
        window: &[u8],
        tokens: &mut impl Tokens,
    ) -> usize {
        page.pass_to(window, from);
        // Places are those of the page.
        let mut at = from - page.from();
        let mut offset = base + page.from() as u64;
        loop {
            if !page.has_four() {
                let place = page.from() + at;
                if !page.more(window, place) {
                    return place;
                }
                at = place - page.from();
                offset = base + page.from() as u64;
            }
            let [less, greater, close] = page.three();
            let bytes = &page.bytes;
            if bytes[less] != b'<' || bytes[greater] != b'>' {
                break;
            }
            if less > at {
                let blank = &bytes[at..less];
                if page.text_is_visible(less) || page.text_is_odd(less) && !blank.iter().all(|&b| is_space(b)) {
                    break;
                }
                tokens.blank(blank, offset + at as u64);
                at = less;
            }
            let end = bytes[less + 1] == b'/';
            let name_at = less + 1 + usize::from(end);
            let body = greater + 1;
            let place = offset + less as u64;
            if page.tag_has_blank(greater) {
                let Some(name_end) = page.blank(name_at, greater).filter(|_| !end) else { break };
                let Some((_, slot)) = self.known.find(bytes, name_at, name_end - name_at) else { break };
                let Some(empty) = inside(&mut self.attributes, &self.known, page, less, name_end, greater) else {
                    break;
                };
                tokens.start(&Tag {
                    name: &bytes[name_at..name_end],
                    slot: Some(slot),
                    attributes: &self.attributes,
                    source: &bytes[less..body],
                    empty,
                    broken: false,
                    simple: !page.tag_is_odd(greater),
                    prefixed: false,
                    offset: place,
                    end: offset + body as u64,
                });
                at = body;
                page.pass(2);
                continue;
            }
            let Some(name) = bytes.get(name_at..greater) else { break };
            let Some((key, slot)) = self.known.find(bytes, name_at, name.len()) else { break };
            if end {
                tokens.end(name, place, offset + body as u64);
                at = body;
                page.pass(2);
                continue;
            }
            if bytes[close] != b'<' {
                break;
            }
            let again = close + 2;
            if bytes[close + 1] == b'/' && bytes[again + name.len()] == b'>' && is_again(bytes, key, name_at, again) {
                tokens.leaf(name, Some(slot), &bytes[body..close], place, !page.text_is_odd(close));
                at = again + name.len() + 1;
                page.pass(4);
            } else {
                tokens.start(&Tag::bare(name, Some(slot), place));
                at = body;
                page.pass(2);
            }
        }
        page.from() + at
    }
}

/// Reads the attributes of the tag at a place, up to its `>`: each a blank, a name that is known to be usual, `=`, and a value in
/// quotes. Says whether the tag is that of an empty element; `None` where it is not written so.
#[inline]
fn inside(
    attributes: &mut Vec<Attribute>,
    known: &Known,
    page: &Page,
    tag: usize,
    name_end: usize,
    greater: usize,
) -> Option<bool> {
    attributes.clear();
    let bytes = &page.bytes;
    let mut at = name_end;
    loop {
        match &bytes[at..=greater] {
            [b'>'] => return Some(false),
            [b'/', b'>'] | [b' ', b'/', b'>'] => return Some(true),
            [b' ', ..] => {}
            _ => return None,
        }
        let name = at + 1;
        let open = page.quote(name, greater)?;
        let close = page.quote(open + 1, greater)?;
        let equals = open - 1;
        if equals <= name || bytes[equals] != b'=' {
            return None;
        }
        let slot = known.find_usual(bytes, name, equals - name)?;
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
