//! One piece of markup at the start of a window: tags, comments, sections, instructions. Decides what broken ones are.

use memchr::{memchr, memchr2};

use super::attributes::{Attribute, Inside, is_simple, repeated};
use super::known::Slot;
use super::{Closer, LEAF_BYTES, Scanner, Step, Tokens, is_space};
use crate::codes::Code;

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub struct Tag<'a> {
    /// Its name, prefix included.
    pub name: &'a [u8],
    /// Where the name is kept; `None` of one that is too long.
    pub slot: Option<Slot>,
    pub(super) attributes: &'a [Attribute],
    pub(super) source: &'a [u8],
    /// `<name/>`.
    pub empty: bool,
    /// Its attributes are damaged: none of them is to be trusted.
    pub broken: bool,
    /// All of it is ASCII, without `&` and control characters, white space but blanks among them.
    pub simple: bool,
    /// An attribute may be about prefixes: it has one, or begins as `xmlns` does.
    pub prefixed: bool,
    /// Offset of its `<`.
    pub offset: u64,
    /// Offset of the byte after it.
    pub end: u64,
}

impl<'a> Tag<'a> {
    /// The start tag of an element without attributes.
    #[inline]
    pub fn bare(name: &'a [u8], slot: Option<Slot>, offset: u64) -> Self {
        let end = offset + 2 + name.len() as u64;
        Self {
            name,
            slot,
            attributes: &[],
            source: name,
            empty: false,
            broken: false,
            simple: true,
            prefixed: false,
            offset,
            end,
        }
    }

    /// Names, values as written, and offsets of the values.
    pub fn attributes(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8], u64)> + use<'a> {
        let (source, offset) = (self.source, self.offset);
        self.attributes.iter().map(move |a| {
            let of = |(from, to): (u32, u32)| &source[from as usize..to as usize];
            (of(a.name), of(a.value), offset + u64::from(a.value.0))
        })
    }

    /// Where the names of the attributes are kept, in the same order.
    pub fn slots(&self) -> impl Iterator<Item = Option<Slot>> + use<'a> {
        self.attributes.iter().map(|a| a.slot)
    }

    /// Whether it has attributes at all.
    pub fn has_attributes(&self) -> bool {
        !self.attributes.is_empty()
    }
}

/// Whether a byte can start a name. Bytes of multi-byte characters count: names are checked where they are unknown.
pub(super) fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b':' || byte >= 0x80
}

/// Which bytes end a name.
const ENDS_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let ends = b">/ \t\n\r<=\"'";
    let mut at = 0;
    while at < ends.len() {
        table[ends[at] as usize] = true;
        at += 1;
    }
    table
};

#[inline]
pub(super) fn ends_name(byte: u8) -> bool {
    ENDS_NAME[byte as usize]
}

/// Whether two names are the same. They are short: a call to compare them would cost more than the comparison.
#[inline]
pub(crate) fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

impl Scanner {
    /// Deals with the `<` at `at`.
    #[inline]
    pub(super) fn markup(&mut self, window: &[u8], base: u64, at: usize, last: bool, tokens: &mut impl Tokens) -> Step {
        match window.get(at + 1) {
            None => Step::More,
            Some(b'/') => self.end_tag(window, base, at, tokens),
            Some(b'!') => self.declaration(window, base, at, last, tokens),
            Some(b'?') => self.instruction(window, base, at, last, tokens),
            Some(&b) if starts_name(b) => self.start_tag(window, base, at, last, tokens),
            Some(b'<') => self.literals(&window[at..], last),
            Some(_) => Step::Literal(1),
        }
    }

    /// Several `<` in a row: text, all of them but one that opens markup.
    fn literals(&self, rest: &[u8], last: bool) -> Step {
        let reach = rest.len().min(self.max_text.saturating_add(1));
        match rest[..reach].iter().position(|&b| b != b'<') {
            Some(n) if starts_name(rest[n]) || matches!(rest[n], b'/' | b'!' | b'?') => Step::Literal(n - 1),
            Some(n) => Step::Literal(n),
            None if reach > self.max_text => Step::Literal(self.max_text),
            None if last => Step::Literal(reach - 1),
            None => Step::More,
        }
    }

    #[inline]
    fn start_tag(&mut self, window: &[u8], base: u64, at: usize, last: bool, tokens: &mut impl Tokens) -> Step {
        let rest = &window[at..];
        let Some(name_end) = rest[1..].iter().position(|&b| ends_name(b)).map(|n| n + 1) else {
            return self.unfinished(rest.len());
        };
        if name_end > self.max_text {
            return Step::Literal(1);
        }
        let name = &rest[1..name_end];
        let kept = self.known.keep(name);
        if let Some((slot, true)) = kept {
            tokens.renamed(slot);
        }
        let slot = kept.map(|(slot, _)| slot);
        if rest[name_end] != b'>' {
            return self.tag_with_attributes(window, base, at, name_end, slot, tokens);
        }
        let open = name_end + 1;
        let offset = base + at as u64;
        // A leaf: `<name>text</name>` is one token.
        let body = &rest[open..];
        let reach = body.len().min(LEAF_BYTES + 1);
        let found = memchr(b'<', &body[..reach]);
        let close = name.len() + 3;
        match found {
            Some(n) => {
                let tail = &body[n..];
                if tail.len() >= close {
                    if tail[1] == b'/' && tail[close - 1] == b'>' && same(&tail[2..close - 1], name) {
                        tokens.leaf(name, slot, &body[..n], offset, false);
                        return Step::Took(open + n + close);
                    }
                } else if !last && could_close(tail, name) {
                    return Step::More;
                }
            }
            None if !last && body.len() <= LEAF_BYTES => return Step::More,
            None => {}
        }
        tokens.start(&Tag::bare(name, slot, offset));
        Step::Took(open)
    }

    /// A tag whose end the window does not hold: wait for more, but not for ever.
    fn unfinished(&self, held: usize) -> Step {
        if held > self.max_text { Step::Literal(1) } else { Step::More }
    }

    fn tag_with_attributes(
        &mut self,
        window: &[u8],
        base: u64,
        at: usize,
        name_end: usize,
        slot: Option<Slot>,
        tokens: &mut impl Tokens,
    ) -> Step {
        let rest = &window[at..];
        let offset = base + at as u64;
        let name = &rest[1..name_end];
        match self.attributes(rest, name_end) {
            Inside::More => self.unfinished(rest.len()),
            Inside::Closed { end: stop, .. } | Inside::Broken(stop) if stop > self.max_text => Step::Literal(1),
            Inside::Closed { end, empty, fault } => {
                if let Some(n) = fault {
                    tokens.fault(Code::XML001, offset + n as u64, offset + end as u64);
                }
                let mut slot = slot;
                if !self.unusual {
                    self.keep_attributes(rest, tokens);
                    // One of them may have taken the place of the element's name.
                    slot = self.known.find_name(name);
                } else if let Some((from, to)) = repeated(&self.attributes, rest) {
                    tokens.fault(Code::XML023, offset + u64::from(from), offset + u64::from(to));
                }
                tokens.start(&Tag {
                    name,
                    slot,
                    attributes: &self.attributes,
                    source: rest,
                    empty,
                    broken: fault.is_some(),
                    simple: is_simple(&rest[..end]),
                    prefixed: self.unusual,
                    offset,
                    end: offset + end as u64,
                });
                Step::Took(end)
            }
            Inside::Broken(stop) => {
                // Quotes are out of step: the first `>` is the end, whatever the quotes say.
                let Some(end) = memchr(b'>', &rest[..stop]).map(|n| n + 1) else { return Step::Literal(1) };
                tokens.fault(Code::XML001, offset, offset + end as u64);
                let empty = rest[end - 2] == b'/';
                let end_offset = offset + end as u64;
                let kept = self.attributes.iter().take_while(|a| (a.value.1 as usize) < end).count();
                tokens.start(&Tag {
                    name,
                    slot,
                    attributes: &self.attributes[..kept],
                    source: rest,
                    empty,
                    broken: true,
                    simple: false,
                    prefixed: true,
                    offset,
                    end: end_offset,
                });
                Step::Took(end)
            }
        }
    }

    /// Keeps the names of the attributes of a tag, all of which are usual: the next tag that has them is ordinary.
    fn keep_attributes(&mut self, tag: &[u8], tokens: &mut impl Tokens) {
        for attribute in &mut self.attributes {
            let (from, to) = attribute.name;
            let kept = self.known.keep_usual(&tag[from as usize..to as usize]);
            if let Some((slot, true)) = kept {
                tokens.renamed(slot);
            }
        }
    }

    fn declaration(&mut self, window: &[u8], base: u64, at: usize, last: bool, tokens: &mut impl Tokens) -> Step {
        let rest = &window[at..];
        let offset = base + at as u64;
        if rest.starts_with(b"<!--") {
            return self.comment(window, base, at, tokens);
        }
        if rest.starts_with(b"<![CDATA[") {
            return match self.sections.find(window, base, at + 9).map(|n| n - at) {
                Some(n) if n <= self.max_text => {
                    tokens.cdata(&rest[9..n], offset + 9);
                    Step::Took(n + 3)
                }
                None if self.may_close(rest, 3) => Step::More,
                _ => Step::Overlong(9, Closer::Cdata),
            };
        }
        if !last && (b"<!--".starts_with(rest) || b"<![CDATA[".starts_with(rest) || could_be_doctype(rest)) {
            return Step::More;
        }
        // A second one is no declaration, and looking for the end of each would cost more than one pass.
        if !self.seen_doctype && rest.len() >= 9 && rest[..9].eq_ignore_ascii_case(b"<!DOCTYPE") {
            match doctype_end(rest) {
                Some(end) if end <= self.max_text => {
                    self.seen_doctype = true;
                    tokens.doctype(&rest[9..end - 1], offset);
                    return Step::Took(end);
                }
                None if !last && rest.len() <= self.max_text => return Step::More,
                _ => self.seen_doctype = true,
            }
        }
        self.bogus(rest, offset, tokens)
    }

    fn comment(&mut self, window: &[u8], base: u64, at: usize, tokens: &mut impl Tokens) -> Step {
        let rest = &window[at..];
        let offset = base + at as u64;
        match self.comments.find(window, base, at + 4).map(|n| n - at) {
            Some(n) if n <= self.max_text => {
                // `--` inside a comment is a fault, not its end.
                if let Some(inner) = memchr::memmem::find(&rest[4..=n], b"--") {
                    let inner = offset + 4 + inner as u64;
                    tokens.fault(Code::XML001, inner, inner + 2);
                }
                tokens.comment(&rest[4..n], offset + 4);
                Step::Took(n + 3)
            }
            None if self.may_close(rest, 3) => Step::More,
            _ => Step::Overlong(4, Closer::Comment),
        }
    }

    fn instruction(&mut self, window: &[u8], base: u64, at: usize, last: bool, tokens: &mut impl Tokens) -> Step {
        let rest = &window[at..];
        let offset = base + at as u64;
        // A target is a name followed by white space or the end. `<?rl>` is a damaged tag, not an instruction.
        let ends = |b: &u8| is_space(*b) || matches!(b, b'?' | b'>' | b'<' | b':' | b'/');
        let Some(target_end) = rest[2..].iter().position(ends).map(|n| n + 2) else {
            return match rest.get(2) {
                Some(&b) if !starts_name(b) => self.bogus(rest, offset, tokens),
                _ => self.unfinished(rest.len()),
            };
        };
        let target = &rest[2..target_end];
        let good = target_end <= self.max_text
            && target.first().is_some_and(|&b| starts_name(b))
            && (is_space(rest[target_end]) || rest[target_end] == b'?');
        if !good {
            return self.bogus(rest, offset, tokens);
        }
        let found = self.instructions.find(window, base, at + target_end).map(|n| n - at);
        match found {
            Some(n) if n <= self.max_text => {
                if target.eq_ignore_ascii_case(b"xml") && memchr(b'<', &rest[1..n]).is_some() {
                    return self.bogus(rest, offset, tokens);
                }
                if rest[target_end] == b'?' && n != target_end {
                    tokens.fault(Code::XML001, offset, offset + n as u64 + 2);
                }
                tokens.instruction(target, &rest[target_end..n], offset);
                Step::Took(n + 2)
            }
            None if !last && self.may_close(rest, 2) => Step::More,
            _ => {
                tokens.endless(offset);
                self.bogus(rest, offset, tokens)
            }
        }
    }

    /// Whether a closer of this many bytes, not found so far, can still begin within the limit.
    fn may_close(&self, rest: &[u8], closer: usize) -> bool {
        rest.len() < self.max_text.saturating_add(closer)
    }

    fn end_tag(&self, window: &[u8], base: u64, at: usize, tokens: &mut impl Tokens) -> Step {
        let rest = &window[at..];
        let offset = base + at as u64;
        let Some(name_end) = rest[2..].iter().position(|&b| ends_name(b)).map(|n| n + 2) else {
            return self.unfinished(rest.len());
        };
        let name = &rest[2..name_end];
        if rest[name_end] == b'>' && !name.is_empty() && name_end <= self.max_text {
            tokens.end(name, offset, offset + name_end as u64 + 1);
            return Step::Took(name_end + 1);
        }
        let stop = match memchr2(b'>', b'<', &rest[name_end..]).map(|n| n + name_end) {
            Some(stop) if stop > self.max_text => return Step::Literal(1),
            Some(stop) => stop,
            None => return self.unfinished(rest.len()),
        };
        let end = if rest[stop] == b'>' { stop + 1 } else { stop };
        let clean = rest[stop] == b'>' && rest[name_end..stop].iter().all(|&b| is_space(b));
        if !clean || name.is_empty() {
            tokens.fault(Code::XML001, offset, offset + end as u64);
        }
        if !name.is_empty() {
            tokens.end(name, offset, offset + end as u64);
        }
        Step::Took(end)
    }

    /// Markup that is none: passed over up to its `>`, or text where no `>` comes before the next `<`.
    fn bogus(&self, rest: &[u8], offset: u64, tokens: &mut impl Tokens) -> Step {
        match memchr2(b'>', b'<', &rest[1..]).map(|n| n + 1) {
            Some(n) if rest[n] == b'>' && n <= self.max_text => {
                tokens.fault(Code::XML001, offset, offset + n as u64 + 1);
                Step::Took(n + 1)
            }
            Some(_) => Step::Literal(1),
            None => self.unfinished(rest.len()),
        }
    }
}

/// Whether a cut tail may still become the end tag of `name`.
fn could_close(tail: &[u8], name: &[u8]) -> bool {
    let expected = b"</".iter().chain(name).chain(b">");
    tail.iter().zip(expected).all(|(a, b)| a == b)
}

fn could_be_doctype(rest: &[u8]) -> bool {
    rest.len() < 9 && rest.eq_ignore_ascii_case(&b"<!DOCTYPE"[..rest.len()])
}

/// The index after the `>` of a document type declaration, its internal subset included.
fn doctype_end(rest: &[u8]) -> Option<usize> {
    let mut at = 9;
    let mut subset = false;
    loop {
        match *rest.get(at)? {
            b'>' if !subset => return Some(at + 1),
            b'[' => subset = true,
            b']' => subset = false,
            quote @ (b'"' | b'\'') => at += 1 + memchr(quote, &rest[at + 1..])?,
            b'<' if rest[at..].starts_with(b"<!--") => at += 6 + memchr::memmem::find(&rest[at + 4..], b"-->")?,
            _ => {}
        }
        at += 1;
    }
}
