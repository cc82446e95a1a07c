//! The children of an entry or group: to which column they go, and which are passed over. Parses no value.

use super::Xml;
use super::frame::{Frame, Role};
use crate::codes::Code;
use crate::read::clean::Text;
use crate::read::names::{Does, Element, FOREIGN, Medium, Name, Row, is_name};
use crate::scan::Tag;
use crate::schema::{GroupId, NO_NS, URL_GROUP};

impl Xml {
    /// A child that holds elements, where it is written as nearly all are; false where somebody has to look closer.
    #[inline]
    pub(super) fn holder(&mut self, tag: &Tag<'_>) -> bool {
        if let Role::Entry(parent) | Role::Group { group: parent, .. } = self.stack.role()
            && let Some(slot) = tag.slot.filter(|_| tag.simple && !tag.prefixed && !tag.broken)
            && self.beyond == 0
            && self.stack.len() < self.max_depth
            && let Some((at, row, group)) = self.names.holder(parent, tag.name, slot)
            && row.wanted
        {
            self.open_group(parent, at, row, group, tag);
            return true;
        }
        false
    }

    /// A child element of an entry or group.
    pub(super) fn child(&mut self, group: GroupId, name: Name, tag: &Tag<'_>) {
        let Some(element) = self.names.within(group, name.symbol) else {
            self.unknown(group, name, tag);
            self.other_attributes(tag, Known::None);
            return self.skip(tag);
        };
        let medium = element.other.and_then(|_| medium(tag));
        let names = &self.names;
        let holds = |at: &u16| names.row(group, usize::from(*at)).medium.is_none_or(|m| Some(m) == medium);
        let field = element.field.filter(holds).or(element.other.filter(holds)).map(usize::from);
        let row = field.map(|at| names.row(group, at));
        if !tag.broken {
            for (attribute, value, offset) in tag.attributes() {
                if let Some(at) = self.names.attribute_of(element, attribute) {
                    self.attribute(group, at, value, offset, tag);
                }
            }
            match row.map(|row| row.does) {
                Some(Does::Group(inner)) => self.other_attributes(tag, Known::Group(inner)),
                Some(Does::AtomLink) => {}
                _ => self.other_attributes(tag, Known::Element(element)),
            }
        }
        let Some((at, row)) = field.zip(row).filter(|(_, row)| row.wanted) else { return self.skip(tag) };
        match row.does {
            Does::Group(inner) => self.open_group(group, at, row, inner, tag),
            Does::AtomLink => {
                let taken = self.atom_link(group, at, tag);
                self.other_attributes(tag, if taken { Known::Only(b"href") } else { Known::None });
                self.skip(tag);
            }
            Does::Permalink if not_permalink(tag) => self.skip(tag),
            _ if tag.empty => {
                let before = self.rows.log.kept().len();
                self.rows.value(group, at, &self.path, b"", true, tag.end, Text::ELEMENT);
                self.place(before, tag.name);
            }
            _ => self.stack.push(tag.name, Role::Value { group, field: at }, tag.offset),
        }
    }

    pub(super) fn skip(&mut self, tag: &Tag<'_>) {
        if !tag.empty {
            self.stack.push(tag.name, Role::Skip, tag.offset);
        }
    }

    /// An element that its group does not know: foreign ones are legal, others are told.
    pub(super) fn unknown(&mut self, group: GroupId, name: Name, tag: &Tag<'_>) {
        let feed = self.dialect.as_ref().is_some_and(|d| d.feed);
        if feed
            || name.ns() == FOREIGN
            || (name.ns() == NO_NS && group != URL_GROUP && self.schema.groups[group].ns == NO_NS)
        {
            return;
        }
        let own = self.schema.groups[group].ns;
        let code = match self.misplaced(name) {
            Some(code) if name.ns() != own => code,
            _ => self.schema.groups[group].unknown,
        };
        let before = self.rows.log.kept().len();
        self.rows.fault(code, tag.name, (tag.offset, tag.end));
        self.place(before, tag.name);
    }

    /// What to say of an element of an extension where none belongs; nothing of elements that are foreign or in no namespace.
    pub(super) fn misplaced(&self, name: Name) -> Option<Code> {
        if name.ns() == FOREIGN || name.ns() == NO_NS {
            return None;
        }
        let of = self.schema.groups.iter().find(|g| g.ns == name.ns() && g.unknown != Code::STR012);
        Some(match of.map(|g| g.unknown) {
            Some(Code::IMG005) if name.symbol != 0 => Code::IMG007,
            Some(code) => code,
            None => Code::STR012,
        })
    }

    fn open_group(&mut self, parent: GroupId, at: usize, row: Row, group: GroupId, tag: &Tag<'_>) {
        if tag.broken {
            return self.skip(tag); // its attributes are damaged: nothing of it is to be trusted
        }
        if !self.rows.open_group(&self.path, row.column, row.many) {
            let code = self.schema.groups[parent].fields[at].codes.most;
            let before = self.rows.log.kept().len();
            self.rows.fault(code, tag.name, (tag.offset, tag.end));
            self.place(before, tag.name);
            return self.skip(tag);
        }
        self.stack.push(tag.name, Role::Group { group, parent }, tag.offset);
        self.path.push(row.column);
        for ((attribute, value, offset), slot) in tag.attributes().zip(tag.slots()) {
            if let Some(at) = self.names.attribute_at(group, attribute, slot) {
                self.attribute(group, at, value, offset, tag);
            }
        }
        if tag.empty {
            self.close_group(group, (tag.offset, tag.end));
            self.stack.pop();
        }
    }

    pub(super) fn attribute(&mut self, group: GroupId, field: usize, value: &[u8], offset: u64, tag: &Tag<'_>) {
        let row = self.names.row(group, field);
        if !row.wanted || row.assumed && self.schema.groups[group].fields[field].is_assumed(value) {
            return;
        }
        let before = self.rows.log.kept().len();
        let kind = Text::ATTRIBUTE.with_entities(self.entities).clean(tag.simple);
        // White space but blanks is changed in attributes; then the text is not what it seems.
        let plain = tag.simple || !value.iter().any(|&b| b == b'&' || b < b' ');
        self.rows.value(group, field, &self.path, value, plain, offset, kind);
        if self.rows.log.kept().len() > before {
            let name = format!("@{}", self.schema.groups[group].fields[field].element);
            self.place(before, name.as_bytes());
        }
    }

    /// The link of an Atom entry: its alternate, which is what no relation means too. Never where to edit it. Says whether it was taken.
    pub(super) fn atom_link(&mut self, group: GroupId, field: usize, tag: &Tag<'_>) -> bool {
        let of = |wanted: &[u8]| tag.attributes().find(|(n, ..)| *n == wanted);
        let alternate = of(b"rel").is_none_or(|(_, rel, _)| rel.trim_ascii().eq_ignore_ascii_case(b"alternate"));
        match of(b"href") {
            Some((_, href, offset)) if alternate => {
                let first = !self.rows.has_loc();
                if first {
                    self.attribute(group, field, href, offset, tag);
                }
                first
            }
            _ => {
                self.other_links |= !alternate;
                false
            }
        }
    }

    pub(super) fn text_value(&mut self, group: GroupId, field: usize, frame: &Frame) {
        let text = std::mem::take(self.stack.texts());
        let raw = &text[frame.text..];
        let before = self.rows.log.kept().len();
        let kind = Text::ELEMENT.with_entities(self.entities);
        self.rows.value(group, field, &self.path, raw, frame.plain, frame.text_offset, kind);
        if !self.leaf {
            // The text may have come in pieces, and long ago: the value as a whole is named.
            for fault in &mut self.rows.log.kept()[before..] {
                fault.offset = Some(frame.text_offset);
                fault.end = Some(frame.text_end);
            }
        }
        *self.stack.texts() = text;
    }

    /// What is wrong with attributes that fill no column. A tag in plain ASCII without references has none of that.
    #[inline]
    pub(super) fn other_attributes(&mut self, tag: &Tag<'_>, known: Known) {
        if !tag.simple && tag.has_attributes() && !self.html {
            self.check_attributes(tag, known);
        }
    }

    fn check_attributes(&mut self, tag: &Tag<'_>, known: Known) {
        let before = self.rows.log.kept().len();
        for (name, value, offset) in tag.attributes() {
            let is_known = match known {
                Known::None => false,
                Known::Only(only) => name == only,
                Known::Element(element) => self.names.attribute_of(element, name).is_some(),
                Known::Group(group) => self.names.attribute(group, name).is_some(),
            };
            if is_known {
                continue;
            }
            if !is_name(name) && !name.is_ascii() {
                self.rows.fault(Code::XML001, name, (tag.offset, tag.end));
            }
            let kind = Text::ATTRIBUTE.with_entities(self.entities);
            self.rows.check(value, memchr::memchr(b'&', value).is_none(), offset, kind);
        }
        self.place(before, tag.name);
    }
}

/// Which attributes of a tag fill columns.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known {
    None,
    Only(&'static [u8]),
    Element(Element),
    Group(GroupId),
}

/// Whether an identifier says that it is no address.
pub(super) fn not_permalink(tag: &Tag<'_>) -> bool {
    tag.attributes().any(|(name, value, _)| name == b"isPermaLink" && !value.trim_ascii().eq_ignore_ascii_case(b"true"))
}

/// The medium of a `media:content`: video where nothing says otherwise.
pub(super) fn medium(tag: &Tag<'_>) -> Option<Medium> {
    let of = |wanted: &[u8]| tag.attributes().find(|(n, ..)| *n == wanted).map(|(_, v, _)| v);
    of(b"medium").or_else(|| of(b"type")).map_or(Some(Medium::Video), Medium::of)
}
