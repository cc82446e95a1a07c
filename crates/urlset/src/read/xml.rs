//! Tokens to entries: which element is which, what closes what, and how to go on after damage. Parses no value.
//!
//! An entry begins wherever its start tag stands and ends where its end tag, the next entry or the root's end does:
//! so damage inside one entry cannot reach the next. A value counts only when its own end tag closes it.

mod frame;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use super::Kind as FileKind;
use super::names::{FOREIGN, Name, Names, is_name, split};
use super::rows::{Rows, Text, is_blank};
use crate::codes::{Code, Fault};
use crate::error::Error;
use crate::scan::{Tag, Tokens};
use crate::schema::{Field, GroupId, Kind, NO_NS, Place, SITEMAP_NS, Schema, URL_GROUP};

use frame::{Frame, Role, Stack};

/// Bytes of one entry at most, in the file and in the columns: an entry that never ends must not grow for ever.
const ENTRY_BYTES: u64 = 16 << 20;

/// Bytes of the name of an element at most: those of open elements are kept.
const NAME_BYTES: usize = 4_096;

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
    /// Name of a first element that is no root known.
    unknown_root: Option<String>,
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
    cut: Option<u64>,
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
            names: Names::new(&schema),
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
            path: Vec::new(),
            entry_start: 0,
            entities: false,
            told: HashSet::new(),
            root_prefixed: false,
            other_links: false,
            leaf: false,
            cut: None,
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

    /// Whether the end came inside an element.
    pub fn was_cut(&self) -> bool {
        self.cut.is_some()
    }

    /// Places in the entry that is open which later faults may name: its elements, and the bounds of their texts.
    pub fn anchors(&self) -> Vec<u64> {
        let Some(entry) = self.stack.entry else { return Vec::new() };
        let told = |f: &&Frame| matches!(f.role, Role::Entry(_) | Role::Group { .. } | Role::Value { .. });
        let places = |f: &Frame| [f.offset, f.text_offset, f.text_end];
        self.stack.frames().skip(entry).filter(told).flat_map(places).collect()
    }

    fn in_entry(&self) -> bool {
        self.stack.entry.is_some()
    }

    /// Says that the input ends at `offset`.
    pub fn finish(&mut self, offset: u64) {
        let inside = self.cut.is_some() || !self.stack.is_empty();
        if inside && !self.html && !(self.closed && self.stack.is_empty()) {
            self.cut = self.cut.or(Some(offset));
            let done = self.rows.rows;
            self.rows.log.push(Code::XML018, || {
                Fault::new(Code::XML018)
                    .at(offset, offset)
                    .detail(format!("data ends before the root is closed, {done} complete entries were kept"))
            });
        } else if let Some(at) = self.cut.take().filter(|_| !self.html) {
            self.rows.fault(Code::XML017, b"<", (at, offset));
        }
        if self.in_entry() {
            self.rows.drop_entry();
        }
        if self.dialect.is_none() && !self.html {
            let root = self.unknown_root.take();
            if root.is_none() {
                self.cut.get_or_insert(offset); // what was to come never came
            }
            self.rows.log.push(Code::STR001, || {
                let fault = Fault::new(Code::STR001).at(0, 0);
                match root {
                    Some(name) => fault.value(&name),
                    None => fault.detail("there is no root element, urlset or sitemapindex was expected"),
                }
            });
        }
        if let Err(error) = self.rows.flush() {
            self.error.get_or_insert(error);
        }
    }

    /// Says something once per file and text.
    fn tell_once(&mut self, code: Code, text: &[u8], at: (u64, u64)) {
        let mut key = code.rule().code.as_bytes().to_vec();
        key.extend_from_slice(&text[..text.len().min(256)]);
        if self.told.len() < 1_000 && self.told.insert(key) {
            self.rows.fault(code, text, at);
        }
    }

    /// Gives the faults told since `before` the path of the element.
    fn place(&mut self, before: usize, leaf: &[u8]) {
        if self.rows.log.kept().len() > before {
            let path = self.element_path(leaf);
            for fault in &mut self.rows.log.kept()[before..] {
                fault.element.get_or_insert_with(|| path.clone());
            }
        }
    }

    #[cold]
    fn element_path(&mut self, leaf: &[u8]) -> String {
        let mut path = String::new();
        let mut columns = self.path.iter().copied();
        let entry = self.rows.entries.saturating_sub(1);
        let mut so_far = Vec::new();
        for frame in self.stack.frames() {
            let name = self.stack.name(frame);
            let name = String::from_utf8_lossy(&name[..name.len().min(64)]);
            let (_, local) = name.split_once(':').unwrap_or(("", &name));
            match frame.role {
                Role::Outer => continue,
                Role::Entry(_) => path = format!("{local}[{entry}]"),
                Role::Group { .. } => {
                    path.push('/');
                    path.push_str(local);
                    if let Some(column) = columns.next() {
                        if let Some(items) = self.rows.items(&so_far, column) {
                            path.push_str(&format!("[{items}]"));
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

    /// The group of an entry with this name, adopting a dialect where no root said which.
    fn entry_group(&mut self, name: Name, tag: &Tag<'_>) -> Option<GroupId> {
        if let Some(dialect) = &self.dialect {
            return dialect.entries.iter().find(|(symbol, _)| *symbol == name.symbol).map(|(_, group)| *group);
        }
        if self.html || name.symbol == 0 {
            // Without a root nothing gave the name a namespace: `<url>` alone still says what it is.
            return (!self.html).then(|| self.adopt_entry(tag)).flatten();
        }
        let schema = Arc::clone(&self.schema);
        let of = |d: &&crate::schema::Dialect| {
            d.entries.iter().any(|(n, g)| self.names.symbol(schema.groups[*g].ns, n) == name.symbol)
        };
        let dialect = schema.dialects.iter().position(|d| of(&d))?;
        self.adopt(dialect);
        self.no_root(tag);
        self.entry_group(name, tag)
    }

    fn adopt_entry(&mut self, tag: &Tag<'_>) -> Option<GroupId> {
        let (prefix, local) = split(tag.name);
        let at = match local {
            b"url" => 0,
            b"sitemap" => 1,
            _ => return None,
        };
        self.adopt(at);
        self.names.assume(prefix, SITEMAP_NS);
        self.no_root(tag);
        Some(URL_GROUP)
    }

    fn no_root(&mut self, tag: &Tag<'_>) {
        let root = self.unknown_root.take();
        self.rows.log.push(Code::STR001, || {
            let fault = Fault::new(Code::STR001).at(tag.offset, tag.end);
            match root {
                Some(name) => fault.value(&name),
                None => fault.detail("entries stand without a root element, urlset or sitemapindex was expected"),
            }
        });
    }

    fn adopt(&mut self, at: usize) {
        let dialect = &self.schema.dialects[at];
        let feed = dialect.ns != SITEMAP_NS;
        let same = |d: &&crate::schema::Dialect| d.root == dialect.root && d.ns == dialect.ns;
        let entries = self.schema.dialects.iter().filter(same).flat_map(|d| &d.entries);
        let entries = entries.map(|(n, g)| (self.names.symbol(self.schema.groups[*g].ns, n), *g)).collect();
        let missing = if feed { Code::FED002 } else { Code::STR007 };
        if dialect.kind == "sitemapindex" {
            self.rows.relative = self.relative_children;
        }
        self.dialect = Some(Dialect { kind: dialect.kind, feed, entries, missing });
    }

    /// Takes an element for the root when its name is that of one.
    fn root(&mut self, name: Name, tag: &Tag<'_>) -> bool {
        let (prefix, local) = split(tag.name);
        let schema = Arc::clone(&self.schema);
        let named = |d: &crate::schema::Dialect| d.root.as_bytes().eq_ignore_ascii_case(local);
        if self.html && !local.eq_ignore_ascii_case(b"urlset") && !local.eq_ignore_ascii_case(b"sitemapindex") {
            return false;
        }
        let exact = schema.dialects.iter().position(|d| named(d) && d.ns == name.ns);
        let Some(at) = exact.or_else(|| schema.dialects.iter().position(named)) else { return false };
        self.html = false;
        let dialect = &schema.dialects[at];
        let span = (tag.offset, tag.end);
        if dialect.root.as_bytes() != local {
            self.rows.fault(Code::STR021, tag.name, span);
        }
        self.root_prefixed = !prefix.is_empty();
        let declared = tag.attributes().find(|(n, ..)| match prefix {
            b"" => *n == b"xmlns",
            prefix => n.strip_prefix(b"xmlns:") == Some(prefix),
        });
        match declared {
            Some((_, uri, offset)) => {
                let text = uri_of(uri);
                if text != schema.namespaces[dialect.ns].uri && dialect.ns != NO_NS {
                    let legacy = text.contains("/sitemap/0.84");
                    let code = match (legacy, text.is_empty()) {
                        (true, _) => Code::STR004,
                        (_, true) => Code::STR002,
                        _ => Code::STR003,
                    };
                    self.rows.fault(code, uri, (offset, offset + uri.len() as u64));
                }
            }
            None if dialect.ns != NO_NS => self.rows.fault(Code::STR002, b"", span),
            None => {}
        }
        self.names.assume(prefix, dialect.ns);
        if !prefix.is_empty() && !self.names.has_default() {
            self.names.assume(b"", dialect.ns);
        }
        self.adopt(at);
        self.unknown_root = None;
        true
    }

    /// Namespace declarations of a tag.
    fn declarations(&mut self, tag: &Tag<'_>) {
        let depth = self.stack.len() + 1;
        let mut prefixed = false;
        for (name, uri, offset) in tag.attributes() {
            let prefix: &[u8] = match name.strip_prefix(b"xmlns") {
                Some(b"") => b"",
                Some([b':', prefix @ ..]) if !prefix.is_empty() => {
                    prefixed |= prefix.contains(&b':');
                    prefix
                }
                _ => {
                    prefixed |= name.contains(&b':');
                    continue;
                }
            };
            let text = uri_of(uri);
            let ns = match self.schema.namespace(&text) {
                Some((ns, exact)) => {
                    if !exact && (ns != SITEMAP_NS || self.dialect.is_some()) && !self.html {
                        let xhtml = self.schema.namespaces[ns].prefix == "xhtml";
                        let code = match ns {
                            SITEMAP_NS => Code::STR003, // that of the root is judged with it
                            _ if xhtml => Code::ALT013,
                            _ => Code::STR024,
                        };
                        self.tell_once(code, uri, (offset, offset + uri.len() as u64));
                    }
                    ns
                }
                None => FOREIGN,
            };
            self.names.declare(prefix, ns, depth);
        }
        if prefixed {
            for name in tag.attributes().map(|a| a.0).filter(|name| name.contains(&b':')) {
                let (prefix, _) = split(name);
                if !is_name(name) {
                    self.tell_once(Code::XML001, name, (tag.offset, tag.end));
                } else if !self.names.is_declared(prefix) {
                    self.tell_once(Code::XML022, prefix, (tag.offset, tag.end));
                }
            }
        }
    }

    /// Opens an entry, closing one that is still open.
    fn open_entry(&mut self, group: GroupId, tag: &Tag<'_>) {
        if let Some(at) = self.stack.entry {
            self.unclosed(at, tag.offset);
            self.declarations(tag); // what it declares went with the elements that it was taken to stand in
        }
        self.beyond = 0;
        if self.closed {
            self.tell_once(Code::XML017, tag.name, (tag.offset, tag.end));
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
        self.stack.push(tag.name, Role::Entry(group), tag.offset);
        if tag.empty {
            self.close(tag.end);
        }
    }

    /// Closes everything down to a frame that no end tag closed.
    fn unclosed(&mut self, down_to: usize, offset: u64) {
        let name = self.stack.name_at(down_to).to_vec();
        self.syntax(offset, offset, || format!("element \"{}\" is not closed, its end tag was expected", shown(&name)));
        while self.stack.len() > down_to {
            self.close_with(offset, true);
        }
    }

    fn syntax(&mut self, offset: u64, end: u64, what: impl FnOnce() -> String) {
        if !self.html {
            self.rows.log.push(Code::XML001, || Fault::new(Code::XML001).at(offset, end).detail(what()));
        }
    }

    fn close(&mut self, end: u64) {
        self.close_with(end, false);
    }

    /// Closes the innermost element. `damaged` says that its own end tag was not there.
    fn close_with(&mut self, end: u64, damaged: bool) {
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
                let own = self.schema.groups[group].fields.iter().position(|f| f.place == Place::Own);
                if let Some(field) = own.filter(|_| !damaged && !frame.spoiled)
                    && !is_blank(self.stack.text(&frame))
                {
                    self.text_value(group, field, &frame);
                }
                self.rows.end_group(group, &self.path, (frame.offset, end));
                self.place(before, b"");
                self.path.pop();
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
        if self.stack.is_empty() && self.dialect.is_some() {
            self.closed = true;
        }
    }

    fn text_value(&mut self, group: GroupId, field: usize, frame: &Frame) {
        let text = std::mem::take(self.stack.texts());
        let raw = &text[frame.text..];
        let before = self.rows.log.kept().len();
        let place = Text { offset: frame.text_offset, attribute: false, entities: self.entities, references: true };
        self.rows.value(group, field, &self.path, raw, frame.plain, place);
        if !self.leaf {
            // The text may have come in pieces, and long ago: the value as a whole is named.
            for fault in &mut self.rows.log.kept()[before..] {
                fault.offset = Some(frame.text_offset);
                fault.end = Some(frame.text_end);
            }
        }
        *self.stack.texts() = text;
    }

    /// A child element of an entry or group.
    fn child(&mut self, group: GroupId, name: Name, tag: &Tag<'_>) {
        let found = self.names.within(group, name.symbol).map(|e| (e.fields.clone(), e.attributes.clone()));
        let Some((fields, attributes)) = found else {
            self.unknown(group, name, tag);
            self.other_attributes(tag, |_| false);
            return self.skip(tag);
        };
        let schema = Arc::clone(&self.schema);
        let rows = &schema.groups[group].fields;
        let medium = fields.iter().any(|&f| rows[f].when.is_some()).then(|| medium(tag));
        let field =
            fields.iter().copied().find(|&f| rows[f].when.is_none() || rows[f].when.as_deref() == medium.flatten());
        if !attributes.is_empty() && !tag.broken {
            for (attribute, value, offset) in tag.attributes() {
                if let Some((_, at)) = attributes.iter().find(|(n, _)| **n == *attribute) {
                    self.attribute(group, *at, value, offset);
                }
            }
        }
        match field.map(|at| &rows[at].kind) {
            Some(Kind::Group(inner)) if !tag.broken => {
                let own = |f: &Field, name: &[u8]| f.place == Place::Attribute && f.element.as_bytes() == name;
                self.other_attributes(tag, |name| schema.groups[*inner].fields.iter().any(|f| own(f, name)));
            }
            Some(Kind::AtomLink) => {}
            _ if tag.broken => {}
            _ => self.other_attributes(tag, |name| attributes.iter().any(|(n, _)| **n == *name)),
        }
        let Some(at) = field else { return self.skip(tag) };
        let field = &rows[at];
        if !self.wants(field) {
            return self.skip(tag);
        }
        match field.kind {
            Kind::Group(inner) => self.open_group(group, at, inner, tag),
            Kind::AtomLink => {
                let taken = self.atom_link(group, at, tag);
                self.other_attributes(tag, |name| taken && name == b"href");
                self.skip(tag);
            }
            _ if tag.empty => {
                let before = self.rows.log.kept().len();
                let place = Text { offset: tag.end, attribute: false, entities: false, references: true };
                self.rows.value(group, at, &self.path, b"", true, place);
                self.place(before, tag.name);
            }
            _ => self.stack.push(tag.name, Role::Value { group, field: at }, tag.offset),
        }
    }

    /// Whether any column that a field fills is built.
    fn wants(&self, field: &Field) -> bool {
        !self.path.is_empty() || self.rows.wants(field.column) || field.form.is_some_and(|f| self.rows.wants(f))
    }

    fn skip(&mut self, tag: &Tag<'_>) {
        if !tag.empty {
            self.stack.push(tag.name, Role::Skip, tag.offset);
        }
    }

    /// An element that its group does not know: foreign ones are legal, others are told.
    fn unknown(&mut self, group: GroupId, name: Name, tag: &Tag<'_>) {
        let feed = self.dialect.as_ref().is_some_and(|d| d.feed);
        if feed
            || name.ns == FOREIGN
            || (name.ns == NO_NS && group != URL_GROUP && self.schema.groups[group].ns == NO_NS)
        {
            return;
        }
        let own = self.schema.groups[group].ns;
        let code = if name.ns == own || name.ns == NO_NS {
            self.schema.groups[group].unknown
        } else {
            let of = self.schema.groups.iter().find(|g| g.ns == name.ns && g.unknown != Code::STR012);
            match of.map(|g| g.unknown) {
                Some(Code::IMG005) if name.symbol != 0 => Code::IMG007,
                Some(code) => code,
                None => Code::STR012,
            }
        };
        let before = self.rows.log.kept().len();
        self.rows.fault(code, tag.name, (tag.offset, tag.end));
        self.place(before, tag.name);
    }

    fn open_group(&mut self, parent: GroupId, at: usize, group: GroupId, tag: &Tag<'_>) {
        let schema = Arc::clone(&self.schema);
        let field = &schema.groups[parent].fields[at];
        if tag.broken {
            return self.skip(tag); // its attributes are damaged: nothing of it is to be trusted
        }
        if !self.rows.open_group(&self.path, field) {
            let news = schema.namespaces[field.ns].prefix == "news";
            let code = if news && parent == URL_GROUP { Code::NWS010 } else { schema.groups[parent].repeated };
            let before = self.rows.log.kept().len();
            self.rows.fault(code, tag.name, (tag.offset, tag.end));
            self.place(before, tag.name);
            return self.skip(tag);
        }
        self.stack.push(tag.name, Role::Group { group, parent }, tag.offset);
        self.path.push(field.column);
        for (attribute, value, offset) in tag.attributes() {
            let known = |f: &Field| f.place == Place::Attribute && f.element.as_bytes() == attribute;
            if let Some(at) = schema.groups[group].fields.iter().position(known) {
                self.attribute(group, at, value, offset);
            }
        }
        if tag.empty {
            self.close(tag.end);
        }
    }

    fn attribute(&mut self, group: GroupId, field: usize, value: &[u8], offset: u64) {
        if !self.wants(&self.schema.groups[group].fields[field]) {
            return;
        }
        let before = self.rows.log.kept().len();
        let place = Text { offset, attribute: true, entities: self.entities, references: true };
        self.rows.value(group, field, &self.path, value, memchr::memchr(b'&', value).is_none(), place);
        if self.rows.log.kept().len() > before {
            let name = format!("@{}", self.schema.groups[group].fields[field].element);
            self.place(before, name.as_bytes());
        }
    }

    /// The link of an Atom entry: its alternate, which is what no relation means too. Never where to edit it. Says whether it was taken.
    fn atom_link(&mut self, group: GroupId, field: usize, tag: &Tag<'_>) -> bool {
        let of = |wanted: &[u8]| tag.attributes().find(|(n, ..)| *n == wanted);
        let alternate = of(b"rel").is_none_or(|(_, rel, _)| rel.trim_ascii().eq_ignore_ascii_case(b"alternate"));
        match of(b"href") {
            Some((_, href, offset)) if alternate => {
                let first = !self.rows.has_loc();
                if first {
                    self.attribute(group, field, href, offset);
                }
                first
            }
            _ => {
                self.other_links |= !alternate;
                false
            }
        }
    }

    /// An entry that is larger than any can be is given up.
    fn guard_entry(&mut self, offset: u64) {
        let Some(at) = self.stack.entry else { return };
        if offset.saturating_sub(self.entry_start) <= ENTRY_BYTES && self.rows.entry_bytes() as u64 <= ENTRY_BYTES {
            return;
        }
        let start = self.entry_start;
        self.rows.log.push(Code::SIZ013, || {
            Fault::new(Code::SIZ013)
                .at(start, offset)
                .detail(format!("entry is larger than {ENTRY_BYTES} bytes, it was passed over"))
        });
        self.give_up(at);
    }

    /// Takes back an entry that is open, and passes over what is still to come of it.
    fn give_up(&mut self, entry: usize) {
        self.rows.drop_entry();
        self.path.clear();
        self.stack.give_up(entry);
    }

    /// Text of a value.
    fn add_text(&mut self, text: &[u8], offset: u64, plain: bool) {
        if !self.stack.add_text(text, offset, plain) {
            self.overlong(offset);
        }
    }

    /// Text that fills no column.
    fn check(&mut self, text: &[u8], offset: u64, plain: bool) {
        if !self.html && !is_blank(text) {
            let before = self.rows.log.kept().len();
            let place = Text { offset, attribute: false, entities: self.entities, references: true };
            self.rows.check(text, plain, place);
            self.place(before, b"");
        }
    }

    /// What is wrong with attributes that fill no column. A tag in plain ASCII without references has none of that.
    fn other_attributes(&mut self, tag: &Tag<'_>, known: impl Fn(&[u8]) -> bool) {
        let plain = |&b: &u8| (0x20..0x80).contains(&b) && b != b'&' || crate::scan::is_space(b);
        if !tag.has_attributes() || self.html || tag.written().iter().all(plain) {
            return;
        }
        let before = self.rows.log.kept().len();
        for (name, value, offset) in tag.attributes().filter(|a| !known(a.0)) {
            if !is_name(name) && !name.is_ascii() {
                self.rows.fault(Code::XML001, name, (tag.offset, tag.end));
            }
            let place = Text { offset, attribute: true, entities: self.entities, references: true };
            self.rows.check(value, memchr::memchr(b'&', value).is_none(), place);
        }
        self.place(before, tag.name);
    }

    /// Text where none belongs.
    fn stray(&mut self, text: &[u8], offset: u64) {
        let trimmed = crate::scan::trim(text);
        if trimmed.is_empty() || self.html {
            return;
        }
        let at = (offset, offset + text.len() as u64);
        let code = match (&self.dialect, self.stack.is_empty()) {
            _ if noise(trimmed) => Code::XML025,
            (None, _) => Code::XML011,
            (Some(_), true) => Code::XML017,
            (Some(d), false) if d.feed => {
                let place = Text { offset, attribute: false, entities: self.entities, references: true };
                return self.rows.check(text, memchr::memchr2(b'&', b']', text).is_none(), place);
            }
            (Some(_), false) => Code::STR016,
        };
        self.rows.fault(code, trimmed, at);
    }
}

/// The address of a namespace as meant.
fn uri_of(written: &[u8]) -> Cow<'_, str> {
    if memchr::memchr(b'&', written).is_none() {
        return String::from_utf8_lossy(written);
    }
    let mut text = Vec::with_capacity(written.len());
    crate::scan::resolve(written, true, &mut text, |_, _| {});
    Cow::Owned(String::from_utf8_lossy(&text).into_owned())
}

/// What a failing server program writes into its output.
fn noise(text: &[u8]) -> bool {
    let head = &text[..text.len().min(200)];
    if memchr::memchr2(b':', b'(', head).is_none() {
        return false; // to look for each would cost more than the rest of what is done about a text
    }
    [&b"Warning: "[..], b"Notice: ", b"Fatal error: ", b"Deprecated: ", b"Parse error: ", b"Traceback (most recent"]
        .iter()
        .any(|n| memchr::memmem::find(head, n).is_some())
}

/// The medium of a `media:content`: `video` where nothing says otherwise.
fn medium(tag: &Tag<'_>) -> Option<&'static str> {
    let of = |wanted: &[u8]| tag.attributes().find(|(n, ..)| *n == wanted).map(|(_, v, _)| v);
    let said = of(b"medium").or_else(|| of(b"type")).unwrap_or(b"video");
    ["video", "image"].into_iter().find(|m| said.starts_with(m.as_bytes()))
}

fn shown(name: &[u8]) -> String {
    crate::codes::cut(&String::from_utf8_lossy(name))
}

impl Tokens for Xml {
    fn start(&mut self, tag: &Tag<'_>) {
        if !self.stopped {
            self.element(tag);
            if tag.empty {
                self.names.leave(self.stack.len());
            }
        }
    }

    fn end(&mut self, name: &[u8], offset: u64, end: u64) {
        if self.html || self.stopped {
            return;
        }
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        if self.stack.top().is_some_and(|f| self.stack.name(f) == name) {
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
            Role::Group { group, .. } if self.schema.groups[group].fields.iter().any(|f| f.place == Place::Own) => {
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
    fn leaf(&mut self, name: &[u8], text: &[u8], offset: u64, plain: bool) {
        let inner = offset + name.len() as u64 + 2;
        self.guard_entry(offset);
        if self.beyond == 0
            && !self.stopped
            && let Role::Entry(group) | Role::Group { group, .. } = self.stack.role()
        {
            let found = self.names.look(name);
            if !found.case
                && !found.undeclared
                && let Some(element) = self.names.within(group, found.symbol)
                && let [at] = element.fields[..]
                && !matches!(self.schema.groups[group].fields[at].kind, Kind::Group(_) | Kind::AtomLink)
            {
                if !self.wants(&self.schema.groups[group].fields[at]) {
                    return;
                }
                let before = self.rows.log.kept().len();
                let place = Text { offset: inner, attribute: false, entities: self.entities, references: true };
                self.rows.value(group, at, &self.path, text, plain, place);
                self.place(before, name);
                return;
            }
        }
        let end = inner + text.len() as u64;
        self.start(&Tag::bare(name, offset));
        if !text.is_empty() {
            self.text(text, inner, plain);
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
            self.text(&escaped, offset, false);
        } else {
            self.text(text, offset, true);
        }
    }

    fn comment(&mut self, text: &[u8], offset: u64) {
        if !self.html && text.iter().any(|b| *b < 0x20 && !crate::scan::is_space(*b)) {
            self.rows.fault(Code::XML014, text, (offset, offset + text.len() as u64));
        }
    }

    fn instruction(&mut self, target: &[u8], data: &[u8], offset: u64) {
        if self.html || !target.eq_ignore_ascii_case(b"xml") {
            return;
        }
        let end = offset + (target.len() + data.len()) as u64 + 4;
        if self.closed {
            self.tell_once(Code::XML017, b"<?xml", (offset, end));
        } else if offset > 0 {
            self.tell_once(Code::XML011, b"", (offset, end));
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
        let name = text.trim_ascii_start();
        if self.dialect.is_none() && name.get(..4).is_some_and(|n| n.eq_ignore_ascii_case(b"html")) {
            return self.page(offset);
        }
        self.entities |= memchr::memmem::find(text, b"<!ENTITY").is_some();
        self.rows.fault(Code::XML015, b"", (offset, offset + text.len() as u64 + 10));
    }

    fn endless(&mut self, _offset: u64) {
        // Where the file was cut inside an instruction, the end of this entry may be none.
        if let Some(at) = self.stack.entry {
            self.give_up(at);
        }
    }

    fn overlong(&mut self, offset: u64) {
        if self.html {
            return;
        }
        let before = self.rows.log.kept().len();
        self.rows.log.push(Code::SIZ013, || {
            Fault::new(Code::SIZ013).at(offset, offset).detail("text is longer than the limit, it was passed over")
        });
        self.place(before, b"");
        self.stack.spoil();
    }

    fn fault(&mut self, code: Code, offset: u64, end: u64) {
        if self.html || self.stopped {
            return;
        }
        self.rows.fault(code, if code == Code::XML004 { b"<" } else { b"" }, (offset, end));
    }

    fn cut(&mut self, offset: u64) {
        self.cut = Some(offset);
    }
}

impl Xml {
    /// An element opens.
    fn element(&mut self, tag: &Tag<'_>) {
        self.guard_entry(tag.offset);
        if tag.has_attributes() && !self.html && self.beyond == 0 {
            self.declarations(tag);
        }
        let name = self.names.look(tag.name);
        if self.html && self.dialect.is_none() {
            if self.root(name, tag) {
                self.stack.push(tag.name, Role::Outer, tag.offset);
            }
            return;
        }
        if name.undeclared && name.ns != NO_NS {
            self.tell_once(Code::XML022, split(tag.name).0, (tag.offset, tag.end));
        }
        if name.bad {
            self.rows.fault(Code::XML001, tag.name, (tag.offset, tag.end));
        }
        if let Some(group) = self.entry_group(name, tag) {
            self.other_attributes(tag, |_| false);
            return self.open_entry(group, tag);
        }
        let long = tag.name.len() > NAME_BYTES;
        if self.beyond > 0 || long || self.stack.len() >= self.max_depth {
            if self.beyond == 0 && long {
                self.rows.log.push(Code::SIZ013, || {
                    Fault::new(Code::SIZ013)
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
                self.other_attributes(tag, |_| false);
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
                self.other_attributes(tag, |_| false);
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
                self.unknown_root = Some(shown(tag.name));
            }
        } else if self.closed && self.stack.is_empty() {
            self.tell_once(Code::XML017, tag.name, (tag.offset, tag.end));
        } else if name.ns == FOREIGN && self.dialect.as_ref().is_some_and(|d| !d.feed) {
            return self.skip(tag); // legal between entries, with whatever text it holds
        } else if name.ns == SITEMAP_NS && self.dialect.as_ref().is_some_and(|d| !d.feed) {
            // An entry of the other kind of file, or a child of an entry that lost its start tag.
            let entry = matches!(local, b"url" | b"sitemap");
            let root = matches!(local, b"urlset" | b"sitemapindex");
            if !root {
                let code = if entry { Code::STR015 } else { Code::STR012 };
                self.rows.fault(code, tag.name, (tag.offset, tag.end));
                return self.skip(tag);
            }
        }
        if tag.empty {
            if self.stack.is_empty() && self.dialect.is_some() {
                self.closed = true;
            }
        } else {
            self.stack.push(tag.name, Role::Outer, tag.offset);
        }
    }

    /// The file turns out to be an HTML page.
    fn page(&mut self, offset: u64) {
        self.html = true;
        self.rows.fault(Code::XML019, b"", (offset, offset));
        self.stack = Stack::default();
    }
}
