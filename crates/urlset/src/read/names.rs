//! Names as written to elements of the table: prefixes, namespaces, letter case. Keeps what it found, so that a name costs one look.

mod words;

use std::sync::Arc;

use super::prefixes::Prefixes;
use crate::scan::{Slot, same};
use crate::schema::{GroupId, NO_NS, NsId, SITEMAP_NS, Schema};
use words::Words;
pub(super) use words::{Does, Element, Medium, Row};

/// A namespace that the table does not know.
pub(super) const FOREIGN: NsId = u16::MAX as NsId;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// The pair of namespace and local name, 0 when the table has no such element.
    pub symbol: u16,
    ns: u16,
    /// Written in another letter case than the table's.
    pub case: bool,
    /// Its prefix was never declared.
    pub undeclared: bool,
    /// It is no name by XML's rules.
    pub bad: bool,
}

impl Name {
    /// Its namespace, or [`FOREIGN`].
    pub fn ns(self) -> NsId {
        NsId::from(self.ns)
    }

    /// An element of the table, written as it should be.
    #[inline]
    pub fn is_plain(self) -> bool {
        self.symbol != 0 && !self.case && !self.undeclared
    }
}

/// A leaf that was met before: in which epoch and group, and what it was.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    epoch: u32,
    group: u16,
    field: u16,
    wanted: bool,
}

/// An element that holds elements and was met before: in which epoch and group, and what it was.
#[derive(Clone, Copy, Debug)]
struct Holder {
    epoch: u32,
    group: u16,
    field: u16,
    inner: u16,
    row: Row,
}

/// The name of an attribute that was met before: in which group, and of which row, if of any.
#[derive(Clone, Copy, Debug)]
struct Met {
    group: u16,
    row: Option<u16>,
}

/// The names of one file.
#[derive(Debug)]
pub(super) struct Names {
    schema: Arc<Schema>,
    words: Words,
    prefixes: Prefixes,
    /// What a name without prefix means where no default namespace is declared.
    default: NsId,
    epoch: u32,
    epochs: u32,
    /// What the names kept by the scanner stand for, and in which epoch that was so.
    slots: Box<[(u32, Name); Slot::COUNT]>,
    leaves: Box<[Leaf; Slot::COUNT]>,
    holders: Box<[Option<Holder>; Slot::COUNT]>,
    met: Box<[Option<Met>; Slot::COUNT]>,
}

impl Names {
    /// The names of the table; `wants` says which columns of the URL table are built.
    pub fn new(schema: &Arc<Schema>, wants: impl Fn(usize) -> bool) -> Self {
        Self {
            schema: Arc::clone(schema),
            words: Words::of(schema, wants),
            prefixes: Prefixes::default(),
            default: NO_NS,
            epoch: 0,
            epochs: 0,
            slots: Box::new([(u32::MAX, NOTHING); Slot::COUNT]),
            leaves: Box::new([Leaf { epoch: u32::MAX, group: 0, field: 0, wanted: false }; Slot::COUNT]),
            holders: Box::new([None; Slot::COUNT]),
            met: Box::new([None; Slot::COUNT]),
        }
    }

    /// The symbol of an element of the table.
    pub fn symbol(&self, ns: NsId, local: &str) -> u16 {
        self.words.symbols.get(&(ns, local.into())).copied().unwrap_or(0)
    }

    /// What a symbol is within a group.
    #[inline]
    pub fn within(&self, group: GroupId, symbol: u16) -> Option<Element> {
        let cell = self.words.table[group * self.words.width + symbol as usize];
        (cell != 0).then(|| self.words.elements[cell as usize - 1])
    }

    /// What there is to know of a row of a group.
    #[inline]
    pub fn row(&self, group: GroupId, at: usize) -> Row {
        self.words.groups[group].rows[at]
    }

    /// The row of an attribute of an element.
    #[inline]
    pub fn attribute_of(&self, element: Element, name: &[u8]) -> Option<usize> {
        row(&self.words.attributes[usize::from(element.attributes.0)..usize::from(element.attributes.1)], name)
    }

    /// The row of an attribute of a group.
    #[inline]
    pub fn attribute(&self, group: GroupId, name: &[u8]) -> Option<usize> {
        row(&self.words.groups[group].attributes, name)
    }

    /// The same of an attribute whose name is kept.
    #[inline]
    pub fn attribute_at(&mut self, group: GroupId, name: &[u8], slot: Option<Slot>) -> Option<usize> {
        let Some(slot) = slot else { return self.attribute(group, name) };
        match self.met[slot.index()] {
            Some(met) if usize::from(met.group) == group => met.row.map(usize::from),
            _ => {
                let row = self.attribute(group, name);
                self.met[slot.index()] = Some(Met { group: group as u16, row: row.map(|row| row as u16) });
                row
            }
        }
    }

    /// The row of the text of a group.
    #[inline]
    pub fn own(&self, group: GroupId) -> Option<usize> {
        self.words.groups[group].own
    }

    /// The row of an element of a group that holds a text and nothing else and is written as it should be, and whether it is wanted.
    #[inline]
    pub fn leaf(&mut self, group: GroupId, raw: &[u8], slot: Option<Slot>) -> Option<(usize, bool)> {
        if let Some(slot) = slot {
            let leaf = &self.leaves[slot.index()];
            if leaf.epoch == self.epoch && usize::from(leaf.group) == group {
                return Some((usize::from(leaf.field), leaf.wanted));
            }
        }
        let name = self.look(raw, slot);
        let element = self.within(group, name.symbol).filter(|_| name.is_plain())?;
        let field = element.simple()?;
        if let Some(slot) = slot {
            let Element { wanted, .. } = element;
            self.leaves[slot.index()] = Leaf { epoch: self.epoch, group: group as u16, field: field as u16, wanted };
        }
        Some((field, element.wanted))
    }

    /// The row of an element of a group that holds elements and is written as it should be, and the group that it is.
    ///
    /// `None` also of one that somebody has to look at: whose attributes are rows of its parent, or whose medium counts.
    #[inline]
    pub fn holder(&mut self, group: GroupId, raw: &[u8], slot: Slot) -> Option<(usize, Row, GroupId)> {
        if let Some(holder) = &self.holders[slot.index()]
            && holder.epoch == self.epoch
            && usize::from(holder.group) == group
        {
            return Some((usize::from(holder.field), holder.row, usize::from(holder.inner)));
        }
        let name = self.look(raw, Some(slot));
        let element = self.within(group, name.symbol).filter(|_| name.is_plain())?;
        let field = element.field.filter(|_| element.other.is_none() && element.attributes.1 == 0)?;
        let row = self.row(group, usize::from(field));
        let Does::Group(inner) = row.does else { return None };
        if row.medium.is_some() {
            return None;
        }
        let holder = Holder { epoch: self.epoch, group: group as u16, field, inner: inner as u16, row };
        self.holders[slot.index()] = Some(holder);
        Some((usize::from(field), row, inner))
    }

    /// What a name as written stands for here.
    #[inline]
    pub fn look(&mut self, raw: &[u8], slot: Option<Slot>) -> Name {
        let Some(slot) = slot else { return self.find(raw) };
        let (epoch, name) = self.slots[slot.index()];
        if epoch == self.epoch { name } else { self.learn(raw, slot) }
    }

    #[cold]
    fn learn(&mut self, raw: &[u8], slot: Slot) -> Name {
        let name = self.find(raw);
        self.slots[slot.index()] = (self.epoch, name);
        name
    }

    /// Another name than before has this slot.
    pub fn forget(&mut self, slot: Slot) {
        self.slots[slot.index()].0 = u32::MAX;
        self.leaves[slot.index()].epoch = u32::MAX;
        self.holders[slot.index()] = None;
        self.met[slot.index()] = None;
    }

    fn find(&self, raw: &[u8]) -> Name {
        let (prefix, local) = split(raw);
        let (ns, undeclared) = match self.prefixes.get(prefix) {
            _ if raw.first() == Some(&b':') => (FOREIGN, false), // no name, and no element without prefix either
            Some(ns) => (ns, false),
            None if prefix.is_empty() => (self.default, false),
            None if prefix.eq_ignore_ascii_case(b"xml") => (FOREIGN, false),
            None => {
                let known = std::str::from_utf8(prefix).ok().and_then(|p| self.schema.namespace_of_prefix(p));
                (known.unwrap_or(FOREIGN), true)
            }
        };
        if let Some(&symbol) = self.words.symbols.get(&(ns, local.to_vec())) {
            return Name { symbol, ns: ns as u16, case: false, undeclared, bad: false };
        }
        let folded = local.len() <= 64 && ns != FOREIGN;
        let symbol = folded.then(|| self.words.folded.get(&(ns, local.to_ascii_lowercase())).copied()).flatten();
        let bad = symbol.is_none() && !is_name(raw);
        Name { symbol: symbol.unwrap_or(0), ns: ns as u16, case: symbol.is_some(), undeclared, bad }
    }

    /// Whether a prefix means something here.
    pub fn is_declared(&self, prefix: &[u8]) -> bool {
        matches!(prefix, b"xml" | b"xmlns") || self.prefixes.get(prefix).is_some()
    }

    /// Declares a prefix for the element at `depth` and what it holds.
    pub fn declare(&mut self, prefix: &[u8], ns: NsId, depth: usize) {
        // Declaring the same again, as some generators do on every link, changes nothing.
        if self.prefixes.get(prefix) != Some(ns) {
            self.prefixes.declare(prefix, ns, depth);
            self.turn();
        }
    }

    /// Makes names with this prefix mean the namespace, whatever was declared.
    pub fn assume(&mut self, prefix: &[u8], ns: NsId) {
        match self.prefixes.change(prefix, ns) {
            true => {}
            false if prefix.is_empty() => self.default = ns,
            false => self.prefixes.declare(prefix, ns, 0),
        }
        self.turn();
    }

    /// Whether a default namespace is declared here.
    pub fn has_default(&self) -> bool {
        self.prefixes.get(b"").is_some()
    }

    /// Forgets the declarations of elements deeper than `depth`.
    #[inline]
    pub fn leave(&mut self, depth: usize) {
        if self.prefixes.leave(depth) {
            self.turn();
        }
    }

    fn turn(&mut self) {
        self.epochs += 1;
        self.epoch = self.epochs;
    }
}

const NOTHING: Name = Name { symbol: 0, ns: SITEMAP_NS as u16, case: false, undeclared: false, bad: false };

#[inline]
fn row(rows: &[(Box<[u8]>, u16)], name: &[u8]) -> Option<usize> {
    rows.iter().find(|(known, _)| same(known, name)).map(|(_, at)| usize::from(*at))
}

/// Whether a text is a name with at most one colon, inside (XML 1.0, productions 4 and 4a; Namespaces in XML, section 4).
pub(super) fn is_name(raw: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(raw) else { return false };
    let first = |c: char| {
        matches!(c, 'A'..='Z' | 'a'..='z' | '_' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
            | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}' | '\u{200D}' | '\u{2070}'..='\u{218F}'
            | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
            | '\u{10000}'..='\u{EFFFF}')
    };
    let later = |c: char| {
        first(c) || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}' | '\u{2040}')
    };
    let mut parts = text.split(':');
    let good = |part: &str| part.chars().next().is_some_and(first) && part.chars().all(later);
    parts.by_ref().take(2).all(good) && parts.next().is_none()
}

/// Prefix and local name.
pub(super) fn split(raw: &[u8]) -> (&[u8], &[u8]) {
    match raw.iter().position(|&b| b == b':') {
        Some(at) => (&raw[..at], &raw[at + 1..]),
        None => (&[], raw),
    }
}
