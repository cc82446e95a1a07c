//! Tokens to entries: which element is which, what closes what, and how to go on after damage. Parses no value.
//!
//! An entry begins wherever its start tag stands and ends where its end tag, the next entry or the root's end does:
//! so damage inside one entry cannot reach the next. A value counts only when its own end tag closes it.

mod child;
mod element;
mod entry;
mod frame;
mod root;
mod told;

use std::collections::HashSet;
use std::sync::Arc;

use super::Kind as FileKind;
use super::clean::Text;
use super::names::Names;
use super::rows::{Rows, is_blank};
use crate::codes::{Code, Fault};
use crate::error::Error;
use crate::scan::{Slot, Tag, Tokens, Unclosed, is_plain};
use crate::schema::{GroupId, Schema};

use frame::{Frame, Role, Stack};
use told::{NO_END, shown, unclosed};

/// Bytes of one entry at most, in the file and in the columns: an entry that never ends must not grow for ever.
const ENTRY_BYTES: u64 = 16 << 20;

/// Bytes within which the place of a root that is none is remembered.
const ROOT_BYTES: u64 = 1 << 20;

/// Reads the entries of an XML file.
#[derive(Debug)]
pub(super) struct Xml {
    pub rows: Rows,
    schema: Arc<Schema>,
    names: Names,
    stack: Stack,
    /// Elements open beyond the depth allowed.
    beyond: usize,
    max_depth: usize,
    max_entries: u64,
    dialect: Option<Dialect>,
    /// An HTML page: nothing in it is a fault, nothing in it is read.
    html: bool,
    /// The root was there and is closed.
    closed: bool,
    /// Name and place of a first element that is no root known.
    unknown_root: Option<(String, u64, u64)>,
    /// Something stood before the root, which is told once.
    leading: bool,
    /// Something stood after the root, which is told once.
    trailing: bool,
    /// Entries stand without a root: nothing says where the file ends.
    rootless: bool,
    /// Columns from the table to the group being read.
    path: Vec<usize>,
    entry_start: u64,
    entities: bool,
    /// Prefixes and namespaces reported once.
    told: HashSet<Vec<u8>>,
    root_prefixed: bool,
    other_links: bool,
    /// The element that ends is a leaf: its text is one piece, and at hand.
    leaf: bool,
    cut: Option<(u64, Unclosed)>,
    /// Where a comment or section began that is longer than a text may be.
    opened: Option<u64>,
    /// Where an instruction began that never ends.
    endless: Option<u64>,
    /// No more entries are taken.
    stopped: bool,
    relative_children: super::Relative,
    pub error: Option<Error>,
}

#[derive(Debug)]
struct Dialect {
    kind: &'static str,
    feed: bool,
    entries: Vec<(u16, GroupId)>,
    missing: Code,
}

impl Xml {
    pub fn new(rows: Rows, options: &super::Options) -> Self {
        let schema = Arc::clone(&rows.schema);
        Self {
            names: Names::new(&schema, |column| rows.wants(column)),
            schema,
            rows,
            stack: Stack::default(),
            beyond: 0,
            max_depth: options.limits.max_depth,
            max_entries: options.limits.max_entries.unwrap_or(u64::MAX),
            dialect: None,
            html: false,
            closed: false,
            unknown_root: None,
            leading: false,
            trailing: false,
            rootless: false,
            path: Vec::new(),
            entry_start: 0,
            entities: false,
            told: HashSet::new(),
            root_prefixed: false,
            other_links: false,
            leaf: false,
            cut: None,
            opened: None,
            endless: None,
            stopped: false,
            relative_children: options.relative_children,
            error: None,
        }
    }

    /// What the file is, as far as it is known.
    pub fn kind(&self) -> Option<FileKind> {
        match &self.dialect {
            Some(dialect) => FileKind::from_name(dialect.kind),
            None if self.html => Some(FileKind::Html),
            None => None,
        }
    }

    /// Whether the reader gave up at a bound.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Whether the file is a page, and no sitemap.
    pub fn is_page(&self) -> bool {
        self.html
    }

    /// Whether the end came inside an element.
    pub fn was_cut(&self) -> bool {
        self.cut.is_some()
    }

    /// Places in the entry that is open which later faults may name: its elements, and the bounds of their texts.
    pub fn anchors(&self, offset: u64) -> Vec<u64> {
        // A root that is none is told at the end; its place is not kept for ever.
        let root = self.unknown_root.as_ref().map(|r| [r.1, r.2]).filter(|_| offset < ROOT_BYTES);
        let known = root.into_iter().flatten().chain(self.opened).chain(self.rows.permalink_places());
        let Some(entry) = self.stack.entry else { return known.collect() };
        let told = |f: &&Frame| matches!(f.role, Role::Entry(_) | Role::Group { .. } | Role::Value { .. });
        let places = |f: &Frame| [f.offset, f.text_offset, f.text_end];
        known.chain(self.stack.frames().skip(entry).filter(told).flat_map(places)).collect()
    }

    fn in_entry(&self) -> bool {
        self.stack.entry.is_some()
    }

    /// Says that the input ends at `offset`.
    pub fn finish(&mut self, offset: u64) {
        if self.stopped {
            self.cut = None; // left at a bound, wherever that was
        }
        let inside = !self.stopped && (self.cut.is_some() || !self.stack.is_empty());
        let behind = self.closed && self.stack.is_empty();
        if inside && !self.html && !behind {
            let (at, what) = *self.cut.get_or_insert((offset, Unclosed::Tag));
            self.truncated(at, offset, what);
        } else if let Some((at, what)) = self.cut.take().filter(|_| !self.html) {
            match unclosed(what) {
                Some(what) => self.syntax(at, offset, || what.to_owned()),
                None => self.trailing(b"<", (at, offset)),
            }
        }
        if self.in_entry() {
            self.rows.drop_entry();
        }
        if self.dialect.is_none() && !self.html && !self.stopped {
            let root = self.unknown_root.take();
            // Where the file was cut, that is why there is no root.
            if root.is_some() || self.cut.is_none() {
                self.rows.log.push(Code::STR001, || match &root {
                    Some((name, start, end)) => Fault::new(Code::STR001).at(*start, *end).value(name),
                    None => Fault::new(Code::STR001)
                        .at(offset, offset)
                        .detail("file ends before any root element, urlset or sitemapindex was expected"),
                });
            }
            if root.is_none() {
                self.cut.get_or_insert((offset, Unclosed::Tag)); // what was to come never came
            }
        }
        if let Err(error) = self.rows.flush() {
            self.error.get_or_insert(error);
        }
    }
}

impl Tokens for Xml {
    fn start(&mut self, tag: &Tag<'_>) {
        if self.stopped {
            return;
        }
        self.guard_entry(tag.offset);
        if !self.holder(tag) {
            self.element(tag);
            if tag.empty {
                self.names.leave(self.stack.len());
            }
        }
    }

    fn renamed(&mut self, slot: Slot) {
        self.names.forget(slot);
    }

    fn end(&mut self, name: &[u8], offset: u64, end: u64) {
        if self.html || self.stopped {
            return;
        }
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        if self.stack.is_top(name) {
            return self.close(end);
        }
        let found = self.stack.find(|n| n == name);
        let found = found.or_else(|| {
            let folded = self.stack.find(|n| n.eq_ignore_ascii_case(name));
            if folded.is_some() {
                self.rows.fault(Code::STR021, name, (offset, end));
            }
            folded
        });
        match found {
            Some(at) => {
                if self.stack.len() > at + 1 {
                    self.unclosed(at + 1, offset);
                }
                self.close(end);
            }
            None if self.closed && self.stack.is_empty() => self.trailing(name, (offset, end)),
            None => self.syntax(offset, end, || format!("end tag \"{}\" closes nothing that is open", shown(name))),
        }
    }

    fn text(&mut self, text: &[u8], offset: u64, plain: bool) {
        if self.beyond > 0 || self.stopped {
            return;
        }
        match self.stack.role() {
            Role::Value { .. } => self.add_text(text, offset, plain),
            Role::Skip => self.check(text, offset, plain),
            Role::Group { group, .. } if self.names.own(group).is_some() => {
                self.add_text(text, offset, plain);
            }
            Role::Outer | Role::Entry(_) | Role::Group { .. } => {
                if !is_blank(text) {
                    self.stray(text, offset);
                }
            }
        }
    }

    #[inline]
    fn blank(&mut self, text: &[u8], offset: u64) {
        match self.stack.role() {
            Role::Value { .. } => self.text(text, offset, true),
            Role::Group { group, .. } if self.names.own(group).is_some() => self.text(text, offset, true),
            _ => {}
        }
    }

    #[inline]
    fn leaf(&mut self, name: &[u8], slot: Option<Slot>, text: &[u8], offset: u64, clean: bool) {
        let inner = offset + name.len() as u64 + 2;
        self.guard_entry(offset);
        if self.beyond == 0
            && !self.stopped
            && let Role::Entry(group) | Role::Group { group, .. } = self.stack.role()
            && let Some((at, wanted)) = self.names.leaf(group, name, slot)
        {
            if wanted {
                let before = self.rows.log.kept().len();
                let kind = Text::ELEMENT.with_entities(self.entities).clean(clean);
                self.rows.value(group, at, &self.path, text, clean || is_plain(text), inner, kind);
                if self.rows.log.kept().len() > before {
                    self.place(before, name);
                }
            }
            return;
        }
        let end = inner + text.len() as u64;
        self.start(&Tag::bare(name, slot, offset));
        if !text.is_empty() {
            self.text(text, inner, is_plain(text));
        }
        self.leaf = true;
        self.end(name, end, end + name.len() as u64 + 3);
        self.leaf = false;
    }

    fn cdata(&mut self, text: &[u8], offset: u64) {
        // What a section holds is literal: its ampersands are written as the references that mean them.
        if memchr::memchr(b'&', text).is_some() {
            let escaped: Vec<u8> = text
                .iter()
                .flat_map(|b| if *b == b'&' { &b"&amp;"[..] } else { std::slice::from_ref(b) })
                .copied()
                .collect();
            let before = self.rows.log.kept().len();
            self.text(&escaped, offset, false);
            self.stack.end_text(offset + text.len() as u64);
            for fault in self.rows.log.kept().iter_mut().skip(before) {
                fault.offset = fault.offset.map(|at| unescaped(text, offset, at));
                fault.end = fault.end.map(|at| unescaped(text, offset, at));
            }
        } else {
            self.text(text, offset, true);
        }
    }

    fn comment(&mut self, text: &[u8], offset: u64) {
        if !self.html && !self.stopped && text.iter().any(|b| *b < 0x20 && !crate::scan::is_space(*b)) {
            self.rows.fault(Code::XML014, text, (offset, offset + text.len() as u64));
        }
    }

    fn instruction(&mut self, target: &[u8], data: &[u8], offset: u64) {
        if self.html || self.stopped || !target.eq_ignore_ascii_case(b"xml") {
            return;
        }
        let end = offset + (target.len() + data.len()) as u64 + 4;
        if self.closed {
            self.trailing(b"<?xml", (offset, end));
        } else if offset > 0 {
            self.leading(b"", (offset, end));
        }
        if let Some(at) = memchr::memmem::find(data, b"version") {
            let rest = data[at + 7..].trim_ascii_start().strip_prefix(b"=").map_or(&b""[..], |r| r.trim_ascii_start());
            if let [quote @ (b'"' | b'\''), rest @ ..] = rest
                && let Some(close) = memchr::memchr(*quote, rest)
                && &rest[..close] != b"1.0"
            {
                self.rows.fault(Code::XML013, &rest[..close], (offset, end));
            }
        }
    }

    fn doctype(&mut self, text: &[u8], offset: u64) {
        if self.stopped {
            return;
        }
        let name = text.trim_ascii_start();
        if self.dialect.is_none() && name.get(..4).is_some_and(|n| n.eq_ignore_ascii_case(b"html")) {
            return self.page(offset);
        }
        self.entities |= memchr::memmem::find(text, b"<!ENTITY").is_some();
        self.rows.fault(Code::XML015, b"", (offset, offset + text.len() as u64 + 10));
    }

    fn endless(&mut self, offset: u64) {
        self.endless = Some(offset);
        // Where the file was cut inside an instruction, the end of this entry may be none.
        if let Some(at) = self.stack.entry {
            self.give_up(at);
        }
    }

    fn hidden(&mut self, offset: u64) {
        self.opened = Some(offset);
    }

    fn overlong(&mut self, offset: u64) {
        if self.html || self.stopped {
            return;
        }
        let before = self.rows.log.kept().len();
        self.rows.log.push(Code::SIZ015, || {
            let fault = Fault::new(Code::SIZ015).at(offset, offset).value("max_text");
            fault.detail("text is longer than the limit max_text, it was passed over")
        });
        self.place(before, b"");
        self.stack.spoil();
    }

    fn fault(&mut self, code: Code, offset: u64, end: u64) {
        if self.html || self.stopped || self.behind() {
            return;
        }
        if self.endless.take_if(|at| *at == offset).is_some() {
            return self.syntax(offset, end, || NO_END.to_owned());
        }
        self.rows.fault(code, if code == Code::XML004 { b"<" } else { b"" }, (offset, end));
    }

    fn cut(&mut self, offset: u64, what: Unclosed) {
        self.cut = Some((offset, what));
    }
}

/// Where in the file lies what stands at `at` in the text of a section whose ampersands were escaped.
fn unescaped(section: &[u8], offset: u64, at: u64) -> u64 {
    let mut left = at.saturating_sub(offset);
    let width = |byte: &u8| if *byte == b'&' { 5 } else { 1 };
    let whole = section
        .iter()
        .take_while(|byte| {
            width(byte) <= left && {
                left -= width(byte);
                true
            }
        })
        .count();
    at.min(offset + whole as u64)
}
