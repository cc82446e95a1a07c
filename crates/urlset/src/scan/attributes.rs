//! What stands between the name of a tag and its `>`: attributes, as places in the source. Knows no meaning.

use memchr::memchr2;

use super::known::Slot;
use super::markup::{ends_name, starts_name};
use super::{Scanner, is_space};

/// The place of one attribute in the source of its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    pub(super) name: (u32, u32),
    pub(super) value: (u32, u32),
    /// Where its name is kept, if it is.
    pub(super) slot: Option<Slot>,
}

/// The attribute at a place, where it is written as nearly all are: a blank, a name in lower case, `=`, and a value in
/// quotes. `seen` remembers what names began with and how long they were: where that is so again, or where a name may be
/// about prefixes, somebody has to look closer.
#[inline]
fn usual(rest: &[u8], at: usize, seen: &mut u64) -> Option<Attribute> {
    let start = at + 1;
    let behind = rest.get(start..)?;
    let len = behind.iter().position(|b| !b.is_ascii_lowercase())?;
    let [b' ', first, ..] = rest[at..] else { return None };
    let [b'=', quote @ (b'"' | b'\''), value @ ..] = &behind[len..] else { return None };
    let bit = 1 << ((usize::from(first) + len * 5) & 63);
    if len == 0 || first == b'x' || *seen & bit != 0 {
        return None;
    }
    let end = memchr2(*quote, b'<', value).filter(|&n| value[n] == *quote)?;
    *seen |= bit;
    let from = start + len + 2;
    let name = (start as u32, (start + len) as u32);
    Some(Attribute { name, value: (from as u32, (from + end) as u32), slot: None })
}

/// Whether a text is ASCII without `&` and control characters.
pub(super) fn is_simple(text: &[u8]) -> bool {
    /// Bytes looked at together.
    const LANES: usize = 16;
    let odd = |b: u8| u8::from(b.wrapping_sub(b' ') > b'~' - b' ') | u8::from(b == b'&');
    let Some(last) = text.last_chunk::<LANES>() else { return text.iter().all(|&b| odd(b) == 0) };
    let (chunks, _) = text.as_chunks::<LANES>();
    let mut bad = [0; LANES];
    for chunk in chunks.iter().chain([last]) {
        for (bad, &byte) in bad.iter_mut().zip(chunk) {
            *bad |= odd(byte);
        }
    }
    u128::from_ne_bytes(bad) == 0
}

/// Whether a text is a name, as far as ASCII goes.
fn is_name(text: &[u8]) -> bool {
    let within = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'-' | b'.') || *b >= 0x80;
    text.first().is_some_and(|&b| starts_name(b)) && text.iter().all(within)
}

/// What stands between the name of a tag and its `>`.
pub(super) enum Inside {
    /// The index after `>`, whether the element is empty, and where the first fault is.
    Closed {
        end: usize,
        empty: bool,
        fault: Option<usize>,
    },
    /// A `<` comes first, here.
    Broken(usize),
    More,
}

impl Scanner {
    /// Reads the attributes behind a name into the list, and finds the end of the tag.
    pub(super) fn attributes(&mut self, rest: &[u8], name_end: usize) -> Inside {
        self.attributes.clear();
        self.unusual = false;
        let mut seen = 0;
        let mut fault = None;
        let mut at = name_end;
        loop {
            if let Some(attribute) = usual(rest, at, &mut seen) {
                at = attribute.value.1 as usize + 1;
                self.attributes.push(attribute);
                continue;
            }
            let gap = rest[at..].iter().position(|&b| !is_space(b));
            let Some(gap) = gap else { return Inside::More };
            at += gap;
            match rest[at] {
                b'>' => return Inside::Closed { end: at + 1, empty: false, fault },
                b'<' => return Inside::Broken(at),
                b'/' => match rest.get(at + 1) {
                    None => return Inside::More,
                    Some(b'>') => return Inside::Closed { end: at + 2, empty: true, fault },
                    Some(_) => {
                        fault.get_or_insert(at);
                        at += 1;
                        continue;
                    }
                },
                _ => {}
            }
            if gap == 0 {
                fault.get_or_insert(at);
            }
            let start = at;
            match rest[at..].iter().position(|&b| ends_name(b)) {
                None => return Inside::More,
                Some(0) => {
                    // A quote or an equals sign where a name should be.
                    fault.get_or_insert(at);
                    at += 1;
                    continue;
                }
                Some(n) => at += n,
            }
            if !is_name(&rest[start..at]) {
                fault.get_or_insert(start);
            }
            self.unusual = true;
            let name = (start as u32, at as u32);
            let Some(gap) = rest[at..].iter().position(|&b| !is_space(b)) else { return Inside::More };
            if rest[at + gap] != b'=' {
                fault.get_or_insert(start);
                continue;
            }
            at += gap + 1;
            let Some(gap) = rest[at..].iter().position(|&b| !is_space(b)) else { return Inside::More };
            at += gap;
            let quote = rest[at];
            if quote != b'"' && quote != b'\'' {
                fault.get_or_insert(start);
                continue;
            }
            at += 1;
            match memchr2(quote, b'<', &rest[at..]) {
                None => return Inside::More,
                Some(n) if rest[at + n] == b'<' => return Inside::Broken(at + n),
                Some(n) => {
                    self.attributes.push(Attribute { name, value: (at as u32, (at + n) as u32), slot: None });
                    at += n + 1;
                }
            }
        }
    }
}

/// The first attribute name that stands twice.
pub(super) fn repeated(attributes: &[Attribute], source: &[u8]) -> Option<(u32, u32)> {
    // Tags have a handful of attributes; a hostile one with thousands is compared through a sorted list.
    let name = |a: &Attribute| &source[a.name.0 as usize..a.name.1 as usize];
    if attributes.len() < 16 {
        let twice = |(n, a): (usize, &Attribute)| attributes[..n].iter().any(|b| name(b) == name(a)).then_some(a.name);
        return attributes.iter().enumerate().find_map(twice);
    }
    let mut sorted: Vec<&Attribute> = attributes.iter().collect();
    sorted.sort_by_key(|a| (name(a), a.name.0));
    sorted.windows(2).filter(|p| name(p[0]) == name(p[1])).map(|p| p[1].name).min()
}
