//! Entries and what is in them, opened and closed, also where end tags are missing. Parses no value.

use super::frame::Role;
use super::told::shown;
use super::{ENTRY_BYTES, Xml};
use crate::codes::{Code, Fault};
use crate::read::names::{Name, split};
use crate::read::rows::is_blank;
use crate::scan::Tag;
use crate::schema::GroupId;

impl Xml {
    /// Opens an entry, closing one that is still open.
    pub(super) fn open_entry(&mut self, group: GroupId, name: Name, tag: &Tag<'_>) {
        if let Some(at) = self.stack.entry {
            self.unclosed(at, tag.offset);
            self.declarations(tag); // what it declares went with the elements that it was taken to stand in
        }
        self.beyond = 0;
        if self.closed {
            self.trailing(tag.name, (tag.offset, tag.end));
        }
        if self.rows.entries >= self.max_entries {
            self.stopped = true;
            let most = self.max_entries;
            self.rows.log.push(Code::SIZ015, || {
                Fault::new(Code::SIZ015).at(tag.offset, tag.end).detail(format!("reading stopped after {most} entries"))
            });
            return;
        }
        if self.root_prefixed && !self.names.has_default() && split(tag.name).0.is_empty() {
            self.tell_once(Code::STR002, b"", (tag.offset, tag.end));
        }
        self.entry_start = tag.offset;
        self.other_links = false;
        self.rows.begin();
        if name.case {
            self.rows.fault(Code::STR021, tag.name, (tag.offset, tag.end));
        }
        self.stack.push(tag.name, Role::Entry(group), tag.offset);
        if tag.empty {
            self.close(tag.end);
        }
    }

    /// Closes everything down to a frame that no end tag closed.
    pub(super) fn unclosed(&mut self, down_to: usize, offset: u64) {
        let name = self.stack.name_at(down_to).to_vec();
        self.syntax(offset, offset, || format!("element \"{}\" is not closed, its end tag was expected", shown(&name)));
        // An entry that ends inside one of its elements was cut there: what came before may not be all of it.
        if let Some(entry) = self.stack.entry.filter(|&e| e >= down_to && self.stack.len() > e + 1) {
            self.rows.drop_entry();
            self.path.clear();
            self.stack.give_up(entry);
        }
        while self.stack.len() > down_to {
            self.close_with(offset, true);
        }
    }

    pub(super) fn close(&mut self, end: u64) {
        self.close_with(end, false);
    }

    /// Closes the innermost element. `damaged` says that its own end tag was not there.
    pub(super) fn close_with(&mut self, end: u64, damaged: bool) {
        let Some(frame) = self.stack.top().copied() else { return };
        let before = self.rows.log.kept().len();
        match frame.role {
            Role::Outer | Role::Skip => {}
            Role::Value { group, field } => {
                if damaged || frame.spoiled {
                    self.rows.lost(group, field, &self.path);
                } else {
                    self.text_value(group, field, &frame);
                }
                self.place(before, b"");
            }
            Role::Group { group, parent: _ } => {
                let own = self.names.own(group);
                if let Some(field) = own.filter(|_| !damaged && !frame.spoiled)
                    && !is_blank(self.stack.text(&frame))
                {
                    self.text_value(group, field, &frame);
                }
                self.place(before, b"");
                self.close_group(group, (frame.offset, end));
            }
            Role::Entry(_) => {
                let missing = match &self.dialect {
                    Some(d) if d.feed && self.other_links => Code::FED007,
                    Some(d) => d.missing,
                    None => Code::STR007,
                };
                if let Err(error) = self.rows.end(missing, frame.offset, end) {
                    self.error.get_or_insert(error);
                }
                self.place(before, b"");
            }
        }
        self.stack.pop();
        self.names.leave(self.stack.len());
        self.root_closed();
    }

    /// Ends an element that holds elements, all that is in it being read.
    pub(super) fn close_group(&mut self, group: GroupId, at: (u64, u64)) {
        let before = self.rows.log.kept().len();
        if self.rows.lacks(group, &self.path, at) {
            self.place(before, b"");
        }
        self.rows.end_group(&self.path);
        self.path.pop();
    }

    /// Says that the root is closed when nothing is open any more.
    pub(super) fn root_closed(&mut self) {
        self.closed |= self.stack.is_empty() && self.dialect.is_some() && !self.rootless;
    }

    /// An entry that is larger than any can be is given up.
    #[inline]
    pub(super) fn guard_entry(&mut self, offset: u64) {
        if offset.saturating_sub(self.entry_start) > ENTRY_BYTES || self.rows.entry_bytes() as u64 > ENTRY_BYTES {
            self.too_large(offset);
        }
    }

    #[cold]
    fn too_large(&mut self, offset: u64) {
        let Some(at) = self.stack.entry else { return };
        let start = self.entry_start;
        self.rows.log.push(Code::SIZ015, || {
            Fault::new(Code::SIZ015)
                .at(start, offset)
                .detail(format!("entry is larger than {ENTRY_BYTES} bytes, it was passed over"))
        });
        self.give_up(at);
    }

    /// Takes back an entry that is open, and passes over what is still to come of it.
    pub(super) fn give_up(&mut self, entry: usize) {
        self.rows.drop_entry();
        self.path.clear();
        self.stack.give_up(entry);
    }
}
