//! What a reader says of a file: where a fault is, once or each time, and of text where none belongs. Changes no row.

use std::fmt::Write as _;

use super::Xml;
use super::frame::Role;
use crate::codes::{Code, Fault};
use crate::read::clean::Text;
use crate::read::rows::is_blank;
use crate::scan::{Tokens, Unclosed};

impl Xml {
    /// Says something once per file and text.
    pub(super) fn tell_once(&mut self, code: Code, text: &[u8], at: (u64, u64)) {
        let mut key = code.rule().code.as_bytes().to_vec();
        key.extend_from_slice(&text[..text.len().min(256)]);
        if self.told.len() < 1_000 && self.told.insert(key) {
            self.rows.fault(code, text, at);
        }
    }

    /// Gives the faults told since `before` the path of the element.
    pub(super) fn place(&mut self, before: usize, leaf: &[u8]) {
        if self.rows.log.kept().len() > before {
            let path = self.element_path(leaf);
            for fault in &mut self.rows.log.kept()[before..] {
                fault.element.get_or_insert_with(|| path.clone());
            }
        }
    }

    #[cold]
    pub(super) fn element_path(&mut self, leaf: &[u8]) -> String {
        let mut path = String::new();
        let mut columns = self.path.iter().copied();
        let entry = self.rows.entries.saturating_sub(1);
        let mut so_far = Vec::new();
        for frame in self.stack.frames() {
            let name = self.stack.name(frame);
            let name = String::from_utf8_lossy(&name[..name.len().min(64)]);
            let (_, local) = name.split_once(':').unwrap_or(("", &name));
            match frame.role {
                Role::Outer => {}
                Role::Entry(_) => path = format!("{local}[{entry}]"),
                Role::Group { .. } => {
                    path.push('/');
                    path.push_str(local);
                    if let Some(column) = columns.next() {
                        if let Some(items) = self.rows.items(&so_far, column) {
                            let _ = write!(path, "[{items}]");
                        }
                        so_far.push(column);
                    }
                }
                Role::Value { .. } | Role::Skip => {
                    path.push('/');
                    path.push_str(local);
                }
            }
        }
        if !leaf.is_empty() {
            let leaf = String::from_utf8_lossy(&leaf[..leaf.len().min(64)]);
            path.push('/');
            path.push_str(leaf.split_once(':').map_or(&*leaf, |(_, local)| local));
        }
        path.trim_start_matches('/').to_owned()
    }

    pub(super) fn syntax(&mut self, offset: u64, end: u64, what: impl FnOnce() -> String) {
        if !self.html {
            self.rows.log.push(Code::XML001, || Fault::new(Code::XML001).at(offset, end).detail(what()));
        }
    }

    /// Says that the data ends at `offset`, before the root does, within what began at `at`.
    pub(super) fn truncated(&mut self, at: u64, offset: u64, what: Unclosed) {
        let done = self.rows.rows;
        let root = if self.dialect.is_some() || self.unknown_root.is_some() { "is closed" } else { "begins" };
        self.rows.log.push(Code::XML018, || {
            let detail = format!("data ends before the root {root}, {done} complete entries were kept");
            match unclosed(what) {
                Some(what) => Fault::new(Code::XML018).at(at, offset).detail(format!("{what}; {detail}")),
                None => Fault::new(Code::XML018).at(offset, offset).detail(detail),
            }
        });
    }

    /// Text of a value.
    pub(super) fn add_text(&mut self, text: &[u8], offset: u64, plain: bool) {
        if !self.stack.add_text(text, offset, plain) {
            self.overlong(offset);
        }
    }

    /// Text that fills no column.
    pub(super) fn check(&mut self, text: &[u8], offset: u64, plain: bool) {
        if self.stack.is_top(b"b") && self.server_word(text, offset) {
            return;
        }
        if !self.html && !is_blank(text) && !self.behind() {
            let before = self.rows.log.kept().len();
            self.rows.check(text, plain, offset, Text::ELEMENT.with_entities(self.entities));
            self.place(before, b"");
        }
    }

    /// Says so when a text in bold is the word with which PHP begins its messages in HTML. In feeds people write in bold.
    fn server_word(&mut self, text: &[u8], offset: u64) -> bool {
        let server = SERVER_WORDS.contains(&text) && !self.html && self.dialect.as_ref().is_none_or(|d| !d.feed);
        if server {
            self.rows.fault(Code::XML025, text, (offset, offset + text.len() as u64));
            self.leading |= self.dialect.is_none(); // what follows before the root is of the same message
        }
        server
    }

    /// Says once that the file does not end with its root.
    pub(super) fn trailing(&mut self, text: &[u8], at: (u64, u64)) {
        if !std::mem::replace(&mut self.trailing, true) {
            self.rows.fault(Code::XML017, text, at);
        }
    }

    /// Whether this stands behind the root, in what is no sitemap: that it is there was told.
    pub(super) fn behind(&self) -> bool {
        self.trailing && !self.in_entry() && self.stack.frames().next().is_none_or(|f| f.role == Role::Skip)
    }

    /// Says once that the file does not begin with its declaration or root.
    pub(super) fn leading(&mut self, text: &[u8], at: (u64, u64)) {
        if !std::mem::replace(&mut self.leading, true) {
            self.rows.fault(Code::XML011, text, at);
        }
    }

    /// Text where none belongs.
    pub(super) fn stray(&mut self, text: &[u8], offset: u64) {
        let trimmed = crate::scan::trim(text);
        if trimmed.is_empty() || self.html {
            return;
        }
        if trimmed.iter().all(|&b| b == b'<') {
            return; // told as signs that are bare
        }
        let start = offset + (trimmed.as_ptr() as usize - text.as_ptr() as usize) as u64;
        let at = (start, start + trimmed.len() as u64);
        if self.dialect.is_none() && front_matter(trimmed) {
            // What stands in a template is not what a site publishes.
            self.stopped = true;
            self.rows.log.push(Code::URL031, || {
                Fault::new(Code::URL031)
                    .at(at.0, at.1)
                    .detail("file is a template that was never rendered, nothing in it was read")
            });
            return;
        }
        let code = match (&self.dialect, self.stack.is_empty()) {
            _ if noise(trimmed) => Code::XML025,
            (None, true) => return self.leading(trimmed, at),
            (None, false) => {
                // Within a root that is none.
                if self.stack.is_top(b"b") {
                    self.server_word(trimmed, start);
                }
                return;
            }
            (Some(_), true) => return self.trailing(trimmed, at),
            (Some(d), false) if d.feed => {
                let plain = crate::scan::is_plain(text);
                return self.rows.check(text, plain, offset, Text::ELEMENT.with_entities(self.entities));
            }
            (Some(_), false) => Code::STR016,
        };
        self.rows.fault(code, trimmed, at);
    }
}

/// Whether a text is the front matter of a site generator's template.
pub(super) fn front_matter(text: &[u8]) -> bool {
    let mut lines = text.split(|&b| b == b'\n').map(<[u8]>::trim_ascii_end);
    lines.next() == Some(b"---") && lines.any(|l| l == b"---")
}

/// The words with which PHP begins its messages.
const SERVER_WORDS: &[&[u8]] =
    &[b"Warning", b"Notice", b"Fatal error", b"Deprecated", b"Parse error", b"Recoverable fatal error"];

/// What a failing server program writes into its output.
pub(super) fn noise(text: &[u8]) -> bool {
    let head = &text[..text.len().min(200)];
    if memchr::memchr2(b':', b'(', head).is_none() {
        return false; // to look for each would cost more than the rest of what is done about a text
    }
    [&b"Warning: "[..], b"Notice: ", b"Fatal error: ", b"Deprecated: ", b"Parse error: ", b"Traceback (most recent"]
        .iter()
        .any(|n| memchr::memmem::find(head, n).is_some())
}

/// What is said of an instruction without an end.
pub(super) const NO_END: &str = "processing instruction that begins here never ends, \"?>\" was expected";

/// What is said of what the file ends in; nothing of a tag, which is damaged and swallows little.
pub(super) fn unclosed(what: Unclosed) -> Option<&'static str> {
    match what {
        Unclosed::Tag => None,
        Unclosed::Comment => Some("comment that begins here never ends, \"-->\" was expected"),
        Unclosed::Section => Some("CDATA section that begins here never ends, \"]]>\" was expected"),
        Unclosed::Instruction => Some(NO_END),
        Unclosed::Doctype => Some("document type declaration that begins here never ends, \">\" was expected"),
    }
}

pub(super) fn shown(name: &[u8]) -> String {
    crate::codes::cut(&String::from_utf8_lossy(name))
}
