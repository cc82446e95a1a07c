//! One row to one entry, or to the reason why it is refused. Knows no file and no limit of one.

mod ordinary;
mod value;

use std::ops::Range;

use super::bind::Column;
use super::days::Days;
use super::memo::Memo;
use super::plan::{Group, Head, Item, Leaf, Plan, Used, What};
use super::refuse::{Refused, missing, too_many};
use crate::codes::{Code, Fault};
use crate::schema::{Codes, LOC_COLUMN, Schema, URL_GROUP};
use crate::value::date::{Date, Form};
use crate::value::url::{self, Heads, Site};
use value::{flag, is_empty};

type Result<T> = std::result::Result<T, Refused>;

/// Where the files will be published, as far as rows are concerned.
pub(super) struct Base {
    site: Option<Site<'static>>,
    /// Scheme, host and port as they were written, and a slash.
    head: Vec<u8>,
}

impl Base {
    /// From an encoded address.
    pub(super) fn new(url: &str) -> Self {
        let host = url.find("://").map_or(0, |at| at + 3);
        let end = url[host..].find('/').map_or(url.len(), |at| host + at);
        Self { site: url::site(url).map(Site::into_owned), head: [&url.as_bytes()[..end], b"/"].concat() }
    }

    /// What is wrong with an encoded address that stands in a file published here.
    #[inline]
    fn fault(&self, loc: &[u8]) -> Option<Code> {
        if loc.starts_with(&self.head) { None } else { self.relation(loc) }
    }

    #[cold]
    fn relation(&self, loc: &[u8]) -> Option<Code> {
        let site = url::site(std::str::from_utf8(loc).unwrap_or_default());
        match (&self.site, site) {
            (Some(base), Some(site)) => url::relation(base, &site),
            _ => Some(Code::LOC007),
        }
    }
}

/// Writes entries, one after the other.
pub(super) struct Encoder {
    base: Option<Base>,
    lastmod_required: bool,
    /// What the table says of the address of an entry: characters at most, and its codes.
    most: usize,
    codes: Codes,
    scratch: Vec<u8>,
    days: Days,
    heads: Heads,
    memo: Memo,
    /// What the last entry says that is not right, though not so wrong that it was refused.
    pub notes: Vec<Fault>,
    /// The namespaces of the last entry.
    pub used: Used,
    /// Where the address of the last entry is in the output, escaped.
    pub loc: Range<usize>,
    /// The date of the last entry.
    pub lastmod: Option<Date>,
    /// Whether its address had to be encoded.
    pub changed: bool,
}

impl Encoder {
    /// `base` is `None` where addresses of any site are taken.
    pub(super) fn new(schema: &Schema, base: Option<Base>, lastmod_required: bool) -> Self {
        let loc = schema.groups[URL_GROUP].fields.iter().find(|field| field.column == LOC_COLUMN);
        let loc = loc.expect("the table has a row for the address of an entry");
        Self {
            most: loc.chars.unwrap_or(u32::MAX) as usize,
            codes: loc.codes,
            base,
            lastmod_required,
            scratch: Vec::new(),
            days: Days::new(),
            heads: Heads::default(),
            memo: Memo::new(),
            notes: Vec::new(),
            used: 0,
            loc: 0..0,
            lastmod: None,
            changed: false,
        }
    }

    /// Appends the entry of a row and a line feed.
    pub(super) fn entry(&mut self, plan: &Plan, columns: &[Column], row: usize, out: &mut Vec<u8>) -> Result<()> {
        self.reset();
        self.group(&plan.entry, columns, row, out)?;
        if self.lastmod_required && self.lastmod.is_none() {
            return Err(Box::new(Fault::new(Code::IDX003).element("lastmod")));
        }
        out.push(b'\n');
        Ok(())
    }

    /// Appends the address of a row and a line feed: an entry of a text list.
    pub(super) fn line(&mut self, column: &Column, row: usize, out: &mut Vec<u8>) -> Result<()> {
        self.reset();
        let text = if column.has(row) { column.text(row).unwrap_or_default() } else { "" };
        let start = out.len();
        self.loc(text, false, out)?;
        self.loc = start..out.len();
        out.push(b'\n');
        Ok(())
    }

    /// Appends an entry of an index.
    pub(super) fn child(&mut self, loc: &str, lastmod: Option<(i64, Form)>, out: &mut Vec<u8>) -> Result<()> {
        self.reset();
        out.extend_from_slice(b"<sitemap><loc>");
        let start = out.len();
        let written = self.loc(loc, true, out);
        written.map_err(|mut fault| {
            if matches!(fault.code, Code::LOC001 | Code::LOC005 | Code::LOC007) {
                fault.code = Code::LOC009;
            }
            fault
        })?;
        self.loc = start..out.len();
        out.extend_from_slice(b"</loc>");
        if let Some((micros, form)) = lastmod {
            out.extend_from_slice(b"<lastmod>");
            if self.days.instant(micros, Some(form), out).is_none() {
                return Err(Box::new(Fault::new(Code::DAT018).element("lastmod").value(&micros.to_string())));
            }
            out.extend_from_slice(b"</lastmod>");
            self.lastmod = Some(Date { micros, form });
        } else if self.lastmod_required {
            return Err(Box::new(Fault::new(Code::IDX003).element("lastmod")));
        }
        out.extend_from_slice(b"</sitemap>\n");
        Ok(())
    }

    fn reset(&mut self) {
        self.notes.clear();
        self.used = 0;
        self.lastmod = None;
        self.changed = false;
    }

    fn group(&mut self, group: &Group, columns: &[Column], row: usize, out: &mut Vec<u8>) -> Result<()> {
        group.open.put(out);
        self.used |= group.used;
        if !group.attributes.is_empty() {
            for leaf in &group.attributes {
                self.leaf(leaf, columns, row, out)?;
            }
            if group.items.is_empty() {
                out.extend_from_slice(b"/>");
                return Ok(());
            }
            out.push(b'>');
        }
        let mark = out.len();
        for item in &group.items {
            self.item(item, columns, row, out)?;
        }
        if out.len() == mark {
            out.pop();
            out.extend_from_slice(b"/>");
        } else {
            group.close.put(out);
        }
        Ok(())
    }

    #[inline]
    fn item(&mut self, item: &Item, columns: &[Column], row: usize, out: &mut Vec<u8>) -> Result<()> {
        match item {
            Item::Leaf(leaf) => self.leaf(leaf, columns, row, out),
            Item::Dressed { .. } => self.dressed(item, columns, row, out),
            Item::Many { leaf, max } => self.many(leaf, *max, &columns[leaf.column], row, out),
            Item::Marker { element, used, column } => {
                let column = &columns[*column];
                if column.has(row) && flag(column, row).unwrap_or(false) {
                    element.put(out);
                    self.used |= used;
                }
                Ok(())
            }
            Item::Group { group, head } => {
                let column = &columns[head.column];
                if !column.has(row) {
                    return if head.required { Err(missing(&head.name, head.codes.missing)) } else { Ok(()) };
                }
                self.inside(&head.name, None, |me, out| me.group(group, column.columns(), row, out), out)
            }
            Item::Groups { group, head, max } => self.groups(group, head, *max, &columns[head.column], row, out),
        }
    }

    fn groups(
        &mut self,
        group: &Group,
        head: &Head,
        max: u32,
        column: &Column,
        row: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let Some((items, range)) = column.has(row).then(|| column.items(row)).flatten() else { return Ok(()) };
        let mut count = 0;
        for (at, item) in range.enumerate() {
            if !items.has(item) {
                continue;
            }
            count += 1;
            if count > max {
                return Err(too_many(&head.name, head.codes.most, max));
            }
            self.inside(&head.name, Some(at), |me, out| me.group(group, items.columns(), item, out), out)?;
        }
        Ok(())
    }

    fn many(&mut self, leaf: &Leaf, max: u32, column: &Column, row: usize, out: &mut Vec<u8>) -> Result<()> {
        let Some((items, range)) = column.has(row).then(|| column.items(row)).flatten() else { return Ok(()) };
        let mut count = 0;
        for item in range {
            let start = out.len();
            self.value(leaf, items, &Column::Absent, item, out)?;
            if out.len() > start {
                count += 1;
                if count > max {
                    return Err(too_many(&leaf.name, leaf.codes.most, max));
                }
            }
        }
        Ok(())
    }

    /// Puts the name of a group, and which of several it is, before the names in faults that arise within.
    fn inside(
        &mut self,
        name: &str,
        at: Option<usize>,
        write: impl FnOnce(&mut Self, &mut Vec<u8>) -> Result<()>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let before = self.notes.len();
        let result = write(self, out);
        let prefix = |fault: &mut Fault| {
            let inner = fault.element.take().unwrap_or_default();
            fault.element = Some(match at {
                Some(at) => format!("{name}[{at}]/{inner}"),
                None => format!("{name}/{inner}"),
            });
        };
        self.notes[before..].iter_mut().for_each(prefix);
        result.map_err(|mut fault| {
            prefix(&mut fault);
            fault
        })
    }

    fn dressed(&mut self, item: &Item, columns: &[Column], row: usize, out: &mut Vec<u8>) -> Result<()> {
        let Item::Dressed { open, close, used, text, attributes, name } = item else { return Ok(()) };
        let start = out.len();
        open.put(out);
        let mut any = None;
        for leaf in attributes {
            let start = out.len();
            self.leaf(leaf, columns, row, out)?;
            if out.len() > start {
                any = any.or(Some(leaf));
            }
        }
        let Some(text) = text else {
            if any.is_some() {
                out.extend_from_slice(b"/>");
                self.used |= used;
            } else {
                out.truncate(start);
            }
            return Ok(());
        };
        out.push(b'>');
        let mark = out.len();
        self.leaf(text, columns, row, out)?;
        if out.len() > mark {
            close.put(out);
            self.used |= used;
            return Ok(());
        }
        out.truncate(start);
        match any {
            None => Ok(()),
            Some(leaf) => Err(Box::new(
                Fault::new(Code::STR020)
                    .element(&leaf.name)
                    .detail(format!("{} has a value and {name} has none, both or neither were expected", leaf.name)),
            )),
        }
    }

    /// Writes a value where there is one.
    fn leaf(&mut self, leaf: &Leaf, columns: &[Column], row: usize, out: &mut Vec<u8>) -> Result<()> {
        let form = leaf.form.map_or(&Column::Absent, |at| &columns[at]);
        let start = out.len();
        self.value(leaf, &columns[leaf.column], form, row, out)?;
        if leaf.unless.is_none() && leaf.needs.is_none() {
            return Ok(());
        }
        let there = out.len() > start;
        let beside = if there { leaf.needs } else { leaf.unless.filter(|_| columns[leaf.column].has(row)) };
        match beside {
            Some((other, code)) if is_empty(&columns[other], row) => Err(missing(&leaf.name, code)),
            _ => Ok(()),
        }
    }

    #[inline(always)] // a call less for each value
    fn value(&mut self, leaf: &Leaf, column: &Column, form: &Column, row: usize, out: &mut Vec<u8>) -> Result<()> {
        if self.ordinary(leaf, column, form, row, out) {
            self.used |= leaf.used;
            return Ok(());
        }
        self.any(leaf, column, form, row, out)
    }

    /// Writes any value, and keeps what the next ones may be told by.
    #[inline(never)]
    fn any(&mut self, leaf: &Leaf, column: &Column, form: &Column, row: usize, out: &mut Vec<u8>) -> Result<()> {
        if !column.has(row) {
            return Self::absent(leaf, false, out);
        }
        let (start, notes) = (out.len(), self.notes.len());
        leaf.before.put(out);
        let mark = out.len();
        self.plain(leaf, column, form, row, out)?;
        if out.len() == mark {
            out.truncate(start);
            return Self::absent(leaf, true, out);
        }
        if matches!(leaf.what, What::Loc) {
            self.loc = mark..out.len();
        }
        leaf.after.put(out);
        self.used |= leaf.used;
        if self.notes.len() == notes {
            self.learn(leaf, column, row, &out[start..]);
        }
        Ok(())
    }

    /// What a value that is not there comes to.
    fn absent(leaf: &Leaf, empty: bool, out: &mut Vec<u8>) -> Result<()> {
        if let Some(assumed) = &leaf.assumed {
            assumed.put(out);
            return Ok(());
        }
        if !leaf.required {
            return Ok(());
        }
        Err(missing(&leaf.name, if empty { leaf.codes.empty } else { leaf.codes.missing }))
    }
}
