//! A start tag by what is open around it: root, entry, child, or what is passed over. Parses no value.

use super::Xml;
use super::child::Known;
use super::frame::{Role, Stack};
use super::told::shown;
use crate::codes::{Code, Fault};
use crate::read::names::{FOREIGN, Name, split};
use crate::scan::Tag;
use crate::schema::{NO_NS, SITEMAP_NS};

/// Bytes of the name of an element at most: those of open elements are kept.
const NAME_BYTES: usize = 4_096;

impl Xml {
    /// An element opens.
    pub(super) fn element(&mut self, tag: &Tag<'_>) {
        if tag.prefixed && !self.html && self.beyond == 0 {
            self.declarations(tag);
        }
        let name = self.names.look(tag.name, tag.slot);
        if self.html && self.dialect.is_none() {
            if self.root(name, tag) {
                self.stack.push(tag.name, Role::Outer, tag.offset);
            }
            return;
        }
        if name.undeclared && name.ns() != NO_NS {
            self.tell_once(Code::XML022, split(tag.name).0, (tag.offset, tag.end));
        }
        if name.bad {
            self.rows.fault(Code::XML001, tag.name, (tag.offset, tag.end));
        }
        if let Some(group) = self.entry_group(name, tag) {
            self.other_attributes(tag, Known::None);
            return self.open_entry(group, name, tag);
        }
        let long = tag.name.len() > NAME_BYTES;
        if self.beyond > 0 || long || self.stack.len() >= self.max_depth {
            if self.beyond == 0 && long {
                self.rows.log.push(Code::SIZ015, || {
                    Fault::new(Code::SIZ015)
                        .at(tag.offset, tag.end)
                        .detail(format!("name is longer than {NAME_BYTES} bytes, the element was passed over"))
                });
            } else if self.beyond == 0 {
                self.rows.fault(Code::XML024, tag.name, (tag.offset, tag.end));
            }
            if self.beyond == 0 {
                self.names.leave(self.stack.len());
            }
            self.beyond += usize::from(!tag.empty);
            return;
        }
        if name.case && self.dialect.is_some() {
            self.rows.fault(Code::STR021, tag.name, (tag.offset, tag.end));
        }
        match self.stack.role() {
            Role::Outer => {
                self.other_attributes(tag, Known::None);
                self.outer(name, tag);
            }
            Role::Entry(group) | Role::Group { group, .. } => self.child(group, name, tag),
            Role::Value { .. } => {
                let before = self.rows.log.kept().len();
                self.rows.fault(Code::STR017, tag.name, (tag.offset, tag.end));
                self.place(before, b"");
                self.stack.spoil();
                self.skip(tag);
            }
            Role::Skip => {
                self.other_attributes(tag, Known::None);
                self.skip(tag);
            }
        }
    }

    /// An element outside any entry.
    fn outer(&mut self, name: Name, tag: &Tag<'_>) {
        let (_, local) = split(tag.name);
        if self.dialect.is_none() {
            if local.eq_ignore_ascii_case(b"html") {
                return self.page(tag.offset);
            }
            if !self.root(name, tag) && self.unknown_root.is_none() {
                self.unknown_root = Some((shown(tag.name), tag.offset, tag.end));
            }
        } else if self.closed && self.stack.is_empty() {
            self.trailing(tag.name, (tag.offset, tag.end));
            if !self.schema.dialects.iter().any(|d| d.root.as_bytes().eq_ignore_ascii_case(local)) {
                return self.skip(tag);
            }
        } else if name.ns() == FOREIGN && self.dialect.as_ref().is_some_and(|d| !d.feed) {
            return self.skip(tag); // legal between entries, with whatever text it holds
        } else if name.ns() == SITEMAP_NS && self.dialect.as_ref().is_some_and(|d| !d.feed) {
            // An entry of the other kind of file, or a child of an entry that lost its start tag.
            let entry = matches!(local, b"url" | b"sitemap");
            let root = matches!(local, b"urlset" | b"sitemapindex");
            if !root {
                let code = if entry { Code::STR015 } else { Code::STR012 };
                self.rows.fault(code, tag.name, (tag.offset, tag.end));
                return self.skip(tag);
            }
        } else if self.dialect.as_ref().is_some_and(|d| !d.feed) {
            // What is foreign is legal outside of entries; what belongs into one is lost there.
            if let Some(code) = self.misplaced(name) {
                self.rows.fault(code, tag.name, (tag.offset, tag.end));
            }
            return self.skip(tag);
        }
        if tag.empty {
            self.root_closed();
        } else {
            self.stack.push(tag.name, Role::Outer, tag.offset);
        }
    }

    /// The file turns out to be an HTML page.
    pub(super) fn page(&mut self, offset: u64) {
        self.html = true;
        self.rows.fault(Code::XML019, b"", (offset, offset));
        self.stack = Stack::default();
    }
}
