//! Bytes to XML tokens, push-fed and resumable, built around recovery. Opens nothing, knows no sitemap.
//!
//! Tokens are a function of the bytes alone: how the bytes were cut into chunks never shows.
//! Recovery rests on three facts of XML: a `<` is never legal inside a tag, so a tag ends there at the latest;
//! a `<` that starts no markup is text, and so is one that another follows; and a processing instruction needs a name and white space before its content.

mod attributes;
mod known;
mod markup;
mod ordinary;
mod page;
mod simd;
mod text;

pub use attributes::Attribute;
pub use known::Slot;
pub use markup::Tag;
pub(crate) use markup::same;
pub use text::{Reference, is_char, is_space, predefined, resolve, trim};

use memchr::memmem::Finder;
use memchr::{memchr, memchr2};

use crate::codes::Code;
use known::Known;
use page::Page;

/// Text of a leaf element at most; longer ones come as start, text and end.
const LEAF_BYTES: usize = 4_096;

/// Takes the tokens of a document, in order. Offsets count the bytes fed.
pub trait Tokens {
    /// A start tag, or an empty element.
    fn start(&mut self, tag: &Tag<'_>);
    /// From here on another name than before has this slot.
    fn renamed(&mut self, _slot: Slot) {}
    /// An end tag.
    fn end(&mut self, name: &[u8], offset: u64, end: u64);
    /// Text as written, references unresolved. `plain` says that it holds neither `&` nor `]`.
    fn text(&mut self, text: &[u8], offset: u64, plain: bool);
    /// White space up to the next tag.
    fn blank(&mut self, text: &[u8], offset: u64) {
        self.text(text, offset, true);
    }
    /// `<name>text</name>` in one: an element without attributes that holds only text.
    ///
    /// The last argument says that the text is ASCII without `&`, `>` and control characters other than line feed and tab.
    fn leaf(&mut self, name: &[u8], slot: Option<Slot>, text: &[u8], offset: u64, _clean: bool) {
        let at = offset + 2 + name.len() as u64;
        let after = at + text.len() as u64;
        self.start(&Tag::bare(name, slot, offset));
        if !text.is_empty() {
            self.text(text, at, is_plain(text));
        }
        self.end(name, after, after + 3 + name.len() as u64);
    }
    /// The content of a CDATA section.
    fn cdata(&mut self, text: &[u8], offset: u64);
    /// A comment.
    fn comment(&mut self, text: &[u8], offset: u64);
    /// A processing instruction, the XML declaration among them.
    fn instruction(&mut self, target: &[u8], data: &[u8], offset: u64);
    /// A document type declaration.
    fn doctype(&mut self, text: &[u8], offset: u64);
    /// An instruction begins here and never ends. It is taken for a damaged tag; were it none, what follows is no markup.
    fn endless(&mut self, _offset: u64) {}
    /// A comment or section begins here that is longer than allowed: what follows is hidden until it ends, if it ever does.
    fn hidden(&mut self, _offset: u64) {}
    /// A text, comment or section was longer than allowed; its rest was passed over.
    fn overlong(&mut self, offset: u64);
    /// A break of XML's syntax at a byte range.
    fn fault(&mut self, code: Code, offset: u64, end: u64);
    /// The input ended inside a tag, a comment or the like that began here.
    fn cut(&mut self, offset: u64, what: Unclosed);
}

/// What the input ended in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclosed {
    /// A tag, or too little to tell.
    Tag,
    /// A comment.
    Comment,
    /// A CDATA section.
    Section,
    /// A processing instruction, the XML declaration among them.
    Instruction,
    /// A document type declaration.
    Doctype,
}

impl Unclosed {
    fn of(rest: &[u8]) -> Self {
        match rest {
            [b'<', b'!', b'-', b'-', ..] => Self::Comment,
            [b'<', b'!', b'[', ..] if rest.starts_with(b"<![CDATA[") => Self::Section,
            [b'<', b'?', ..] => Self::Instruction,
            [b'<', b'!', ..] if rest.len() >= 9 && rest[..9].eq_ignore_ascii_case(b"<!DOCTYPE") => Self::Doctype,
            _ => Self::Tag,
        }
    }
}

/// What to do with the bytes that come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Tokens as usual.
    Content,
    /// Pass over the rest of an overlong text.
    SkipText,
    /// Pass over the rest of an overlong comment or CDATA section.
    SkipTo(Closer),
}

/// What ends a comment and its like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closer {
    Comment,
    Cdata,
}

impl Closer {
    fn of(self) -> Unclosed {
        match self {
            Self::Comment => Unclosed::Comment,
            Self::Cdata => Unclosed::Section,
        }
    }
}

/// Looks for one closer and remembers how far it has looked, so that many openers without a closer cost one pass.
#[derive(Debug)]
struct Search {
    finder: Finder<'static>,
    none_before: u64,
    found: u64,
}

impl Search {
    fn new(needle: &'static [u8]) -> Self {
        Self { finder: Finder::new(needle), none_before: 0, found: 0 }
    }

    /// Index in the window of the first closer at or after `from`. Places asked for never go back.
    fn find(&mut self, window: &[u8], base: u64, from: usize) -> Option<usize> {
        let start = base + from as u64;
        if self.found >= start && self.found != 0 && self.found - base < window.len() as u64 {
            return Some((self.found - base) as usize);
        }
        let begin = start.max(self.none_before);
        let begin = (begin - base).min(window.len() as u64) as usize;
        if let Some(at) = self.finder.find(&window[begin..]) {
            self.found = base + (begin + at) as u64;
            Some(begin + at)
        } else {
            let looked = (window.len() + 1).saturating_sub(self.finder.needle().len());
            self.none_before = self.none_before.max(base + looked as u64);
            None
        }
    }
}

/// What a piece of markup turned out to be.
enum Step {
    /// A token of this many bytes was passed on.
    Took(usize),
    /// The window ends before the token does.
    More,
    /// So many bytes, all of them `<`, start no markup: they are text.
    Literal(usize),
    /// The content is longer than allowed: this many bytes are dealt with, the rest is passed over.
    Overlong(usize, Closer),
}

/// A push-fed XML tokenizer.
///
/// ```
/// use urlset::scan::{Scanner, Tag, Tokens};
/// struct Count(usize);
/// # use urlset::codes::Code;
/// impl Tokens for Count {
///     fn start(&mut self, _: &Tag<'_>) { self.0 += 1; }
/// #   fn end(&mut self, _: &[u8], _: u64, _: u64) {}
/// #   fn text(&mut self, _: &[u8], _: u64, _: bool) {}
/// #   fn cdata(&mut self, _: &[u8], _: u64) {}
/// #   fn comment(&mut self, _: &[u8], _: u64) {}
/// #   fn instruction(&mut self, _: &[u8], _: &[u8], _: u64) {}
/// #   fn doctype(&mut self, _: &[u8], _: u64) {}
/// #   fn overlong(&mut self, _: u64) {}
/// #   fn fault(&mut self, _: Code, _: u64, _: u64) {}
/// #   fn cut(&mut self, _: u64, _: urlset::scan::Unclosed) {}
/// }
/// let mut count = Count(0);
/// let mut scanner = Scanner::new(1 << 20);
/// scanner.feed(b"<a><b>te", &mut count);
/// scanner.feed(b"xt</b></a>", &mut count);
/// scanner.finish(&mut count);
/// assert_eq!(count.0, 2);
/// ```
#[derive(Debug)]
pub struct Scanner {
    pending: Vec<u8>,
    /// Do not look at the pending bytes again before there are this many.
    wait: usize,
    /// Offset of the first byte not yet tokenized.
    offset: u64,
    mode: Mode,
    /// Where the comment or section began whose rest is passed over.
    opened: u64,
    max_text: usize,
    attributes: Vec<Attribute>,
    /// An attribute of the last tag was read the long way.
    unusual: bool,
    comments: Search,
    sections: Search,
    instructions: Search,
    known: Known,
    /// `None` while a window is read.
    page: Option<Box<Page>>,
    seen_doctype: bool,
}

impl Scanner {
    /// A scanner that holds at most `max_text` bytes of one text, comment or section.
    pub fn new(max_text: usize) -> Self {
        Self {
            pending: Vec::new(),
            wait: 0,
            offset: 0,
            mode: Mode::Content,
            opened: 0,
            max_text: max_text.max(LEAF_BYTES),
            attributes: Vec::new(),
            unusual: false,
            comments: Search::new(b"-->"),
            sections: Search::new(b"]]>"),
            instructions: Search::new(b"?>"),
            known: Known::new(),
            page: None,
            seen_doctype: false,
        }
    }

    /// Bytes turned into tokens so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Takes the next bytes and passes on every token that they complete.
    pub fn feed(&mut self, mut chunk: &[u8], tokens: &mut impl Tokens) {
        while !self.pending.is_empty() {
            // Only as much of the chunk is copied as the token that was cut needs.
            let held = self.pending.len();
            let take = chunk.len().min(self.wait.max(held + 512) - held);
            self.pending.extend_from_slice(&chunk[..take]);
            if self.pending.len() < self.wait {
                return;
            }
            let mut pending = std::mem::take(&mut self.pending);
            let used = self.window(&pending, false, tokens);
            if used >= held {
                chunk = &chunk[used - held..];
                self.wait = 0;
                pending.clear();
                self.pending = pending;
                break;
            }
            pending.drain(..used);
            self.wait = pending.len() * 2;
            self.pending = pending;
            chunk = &chunk[take..];
            if chunk.is_empty() {
                return;
            }
        }
        let used = self.window(chunk, false, tokens);
        self.pending.extend_from_slice(&chunk[used..]);
        self.wait = self.pending.len() * 2;
    }

    /// Ends the input.
    pub fn finish(&mut self, tokens: &mut impl Tokens) {
        let pending = std::mem::take(&mut self.pending);
        let used = self.window(&pending, true, tokens);
        debug_assert_eq!(used, pending.len(), "at the end nothing is left over");
        if let Mode::SkipTo(closer) = self.mode {
            tokens.cut(self.opened, closer.of());
        }
    }

    /// Tokenizes a window and says how many of its bytes were used; at the end of the input that is all of them.
    fn window(&mut self, window: &[u8], last: bool, tokens: &mut impl Tokens) -> usize {
        let base = self.offset;
        let mut at = 0;
        let mut page = self.page.take().unwrap_or_else(Page::new);
        page.forget();
        while at < window.len() {
            match self.mode {
                Mode::Content => at = self.ordinary(&mut page, base, at, window, tokens),
                Mode::SkipText => match memchr(b'<', &window[at..]) {
                    Some(n) => {
                        at += n;
                        self.mode = Mode::Content;
                    }
                    None => at = window.len(),
                },
                Mode::SkipTo(closer) => {
                    let needle: &[u8] = match closer {
                        Closer::Comment => b"-->",
                        Closer::Cdata => b"]]>",
                    };
                    match memchr::memmem::find(&window[at..], needle) {
                        Some(n) => {
                            at += n + needle.len();
                            self.mode = Mode::Content;
                        }
                        None if last => at = window.len(),
                        None => {
                            at = at.max((window.len() + 1).saturating_sub(needle.len()));
                            break;
                        }
                    }
                }
            }
            let Some(&first) = window.get(at) else { break };
            let mut text_from = at;
            if first == b'<' {
                match self.markup(window, base, at, last, tokens) {
                    Step::Took(n) => {
                        at += n;
                        continue;
                    }
                    Step::More if last => {
                        tokens.cut(base + at as u64, Unclosed::of(&window[at..]));
                        at = window.len();
                        break;
                    }
                    Step::More => break,
                    Step::Literal(n) => {
                        let offset = base + at as u64;
                        tokens.fault(Code::XML004, offset, offset + n as u64);
                        tokens.text(&window[at..at + n], offset, true);
                        text_from = at + n;
                    }
                    Step::Overlong(n, closer) => {
                        self.opened = base + at as u64;
                        tokens.hidden(self.opened);
                        tokens.overlong(self.opened);
                        at += n;
                        self.mode = Mode::SkipTo(closer);
                        continue;
                    }
                }
            }
            match self.text(window, base, text_from, last, tokens) {
                Some(end) => at = end,
                None => {
                    // A literal `<` was passed on already: the text behind it is a token of its own.
                    at = text_from;
                    break;
                }
            }
        }
        self.page = Some(page);
        self.offset = base + at as u64;
        at
    }

    /// Passes on the text that starts at `from`; `None` when the window ends before it does.
    #[inline]
    fn text(&mut self, window: &[u8], base: u64, from: usize, last: bool, tokens: &mut impl Tokens) -> Option<usize> {
        let rest = &window[from..];
        let offset = base + from as u64;
        // Between tags stands white space, and little of it.
        let reach = rest.len().min(self.max_text.saturating_add(1));
        let blank = rest[..reach].iter().position(|&b| !is_space(b)).unwrap_or(reach);
        if blank <= self.max_text && rest.get(blank) == Some(&b'<') {
            if blank > 0 {
                tokens.blank(&rest[..blank], offset);
            }
            return Some(from + blank);
        }
        if blank > self.max_text {
            // Padding, however long, is no loss: it comes in pieces.
            tokens.blank(&rest[..self.max_text], offset);
            return Some(from + self.max_text);
        }
        let found = memchr(b'<', &rest[blank..]).map(|n| blank + n);
        let len = match found {
            Some(n) => n,
            None if last => rest.len(),
            None if rest.len() > self.max_text => rest.len(),
            None => return None,
        };
        if len > self.max_text {
            tokens.text(&rest[..self.max_text], offset, false);
            tokens.overlong(offset);
            self.mode = Mode::SkipText;
            return Some(from + self.max_text);
        }
        if len > 0 {
            tokens.text(&rest[..len], offset, is_plain(&rest[..len]));
        }
        Some(from + len)
    }
}

/// Whether a text holds neither `&` nor `]`.
pub(crate) fn is_plain(text: &[u8]) -> bool {
    memchr2(b'&', b']', text).is_none()
}
