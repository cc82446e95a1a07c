//! The table as it is written: tags, prefixes and order, fixed before the first row. Holds no value.

use std::cell::Cell;

use super::bind::Layout;
use super::tag::Tag;
use super::{Kind as FileKind, escape};
use crate::codes::Code;
use crate::error::{Error, ErrorKind, Result};
use crate::schema::{
    Codes, Dates, Field, GroupId, Kind, LASTMOD_COLUMN, LOC_COLUMN, NO_NS, NsId, Place, SITEMAP_NS, Schema, Shape,
    URL_GROUP,
};

/// Namespaces, one bit each by their index in the schema.
pub(super) type Used = u128;

/// How one kind of entry is written.
#[derive(Debug)]
pub(super) struct Plan {
    /// The entry.
    pub entry: Group,
    /// Of each namespace of the schema the declaration that the root carries when it is used; empty where none is needed.
    pub declarations: Vec<Vec<u8>>,
}

/// An element that holds elements.
#[derive(Debug)]
pub(super) struct Group {
    /// `<video:video`, with the declaration of a default namespace where it begins here, the attributes that are the same
    /// in every row, and `>` where no other can follow.
    pub open: Tag,
    /// `</video:video>`.
    pub close: Tag,
    /// What its element puts into use.
    pub used: Used,
    /// Its own attributes that depend on the row.
    pub attributes: Vec<Leaf>,
    /// What it holds, in the order of writing.
    pub items: Vec<Item>,
}

/// One thing that a group holds.
#[derive(Debug)]
pub(super) enum Item {
    /// An element, or the text of the group itself, with a single value.
    Leaf(Leaf),
    /// An element with attributes of its own.
    Dressed { open: Tag, close: Tag, used: Used, text: Option<Leaf>, attributes: Vec<Leaf>, name: String },
    /// An element for each item of a list.
    Many { leaf: Leaf, max: u32 },
    /// An empty element, there or not.
    Marker { element: Tag, used: Used, column: usize },
    /// An element that holds elements.
    Group { group: Group, head: Head },
    /// The same for each item of a list.
    Groups { group: Group, head: Head, max: u32 },
}

/// Where a group is found and what is said when it is not.
#[derive(Debug)]
pub(super) struct Head {
    pub column: usize,
    pub name: String,
    pub required: bool,
    pub codes: Codes,
}

/// One value.
#[derive(Debug)]
pub(super) struct Leaf {
    /// Its number among those of all plans.
    pub id: u32,
    pub what: What,
    /// Index among the columns of the group.
    pub column: usize,
    /// The column with the written form of a date.
    pub form: Option<usize>,
    pub name: String,
    pub required: bool,
    /// The column that has to have a value where this one is empty, and what is said where it has none.
    pub unless: Option<(usize, Code)>,
    /// The column that has to have a value where this one has one, and what is said where it has none.
    pub needs: Option<(usize, Code)>,
    pub range: Option<(f64, f64)>,
    pub chars: Option<u32>,
    /// What is written where there is no value, with what stands before and after it.
    pub assumed: Option<Tag>,
    pub codes: Codes,
    /// What stands before and after the value: tags, or name and quotes of an attribute.
    pub before: Tag,
    pub after: Tag,
    /// Of a choice, each word with what stands before and after it.
    pub pieces: Vec<Tag>,
    pub used: Used,
    /// Whether white space and quotes are escaped too.
    pub attribute: bool,
}

/// How a value is written and refused.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// The address of the entry.
    Loc,
    /// The date of the entry.
    Lastmod,
    Url {
        ftp: bool,
    },
    Address,
    Text(Shape),
    Date(Dates),
    Choice(Vec<String>),
    Decimal,
    Integer,
    YesNo,
}

/// The plans of a table: one, or one for each namespace that wants the same prefix as another.
///
/// In plan `n` the `n`th of those namespaces has the plain prefix. Which plan a file follows is decided by the first of
/// them that is used in it, so that a file with one of them never shows that there are two.
pub(super) struct Plans {
    pub plans: Vec<Plan>,
    /// The namespaces in question, in the order of the plans.
    pub rivals: Vec<NsId>,
}

impl Plans {
    /// The plans for the columns that a table has.
    pub(super) fn new(schema: &Schema, layout: &Layout, kind: FileKind) -> Result<Self> {
        if schema.namespaces.len() > Used::BITS as usize {
            let why = format!("there are {} namespaces, at most {} were expected", schema.namespaces.len(), Used::BITS);
            return Err(Error::new(ErrorKind::Extension(why)));
        }
        check_names(schema)?;
        let mut seen = vec![false; schema.namespaces.len()];
        namespaces(schema, URL_GROUP, layout, &mut seen);
        let prefix = |ns: NsId| schema.namespaces[ns].prefix.as_str();
        let shared = |ns: &NsId| {
            seen[*ns]
                && !prefix(*ns).is_empty()
                && (0..seen.len()).any(|o| o != *ns && seen[o] && prefix(o) == prefix(*ns))
        };
        let rivals: Vec<NsId> = (0..seen.len()).filter(shared).collect();
        let first = [NO_NS];
        let winners = if rivals.is_empty() { &first[..] } else { &rivals };
        let count = Cell::new(0);
        let plans = winners.iter().map(|winner| plan(schema, layout, kind, *winner, &count)).collect();
        Ok(Self { plans, rivals })
    }

    /// The plan for a file in which no rival was used so far, when a row uses these namespaces.
    pub(super) fn choose(&self, used: Used) -> usize {
        self.rivals.iter().position(|ns| used & (1 << ns) != 0).unwrap_or(0)
    }

    /// The namespaces for which the plan matters.
    pub(super) fn contested(&self) -> Used {
        self.rivals.iter().fold(0, |used, ns| used | 1 << ns)
    }
}

/// Whether every name and URI of the schema can stand in XML: those of a user's extension are not ours.
fn check_names(schema: &Schema) -> Result<()> {
    let refuse = |what: &str, why: &str| Err(Error::new(ErrorKind::Extension(format!("\"{what}\" {why}"))));
    for namespace in &schema.namespaces {
        if escape::attribute(&namespace.uri, &mut Vec::new()).is_err() {
            return refuse(&namespace.uri, "has a character that XML forbids, a namespace was expected");
        }
    }
    let fields = || schema.groups.iter().flat_map(|g| g.fields.iter());
    for value in fields().filter_map(|f| f.assumed.as_ref()) {
        if escape::attribute(value, &mut Vec::new()).is_err() {
            return refuse(value, "has a character that XML forbids, a value to be assumed was expected");
        }
    }
    for name in fields().flat_map(|f| {
        let of = if let Place::AttributeOf(element) = &f.place { Some(element) } else { None };
        [Some(&f.element), of].into_iter().flatten()
    }) {
        let good = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        if !name.chars().all(good) || !name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_') {
            return refuse(name, "is no name of XML, letters, digits, `_`, `-` and `.` were expected");
        }
    }
    Ok(())
}

fn namespaces(schema: &Schema, group: GroupId, layout: &Layout, seen: &mut [bool]) {
    seen[schema.groups[group].ns] = true;
    for field in &schema.groups[group].fields {
        if layout.has(field.column) {
            seen[field.ns] = true;
            if let (Kind::Group(inner), Some(layout)) = (&field.kind, layout.inner(field.column)) {
                namespaces(schema, *inner, layout, seen);
            }
        }
    }
}

fn plan(schema: &Schema, layout: &Layout, kind: FileKind, winner: NsId, count: &Cell<u32>) -> Plan {
    let prefixes = prefixes(schema, winner);
    let declaration = |(ns, prefix): (usize, &String)| {
        if prefix.is_empty() {
            return Vec::new();
        }
        let mut out = format!(" xmlns:{prefix}=\"").into_bytes();
        let _ = escape::attribute(&schema.namespaces[ns].uri, &mut out); // see `check_names`
        out.push(b'"');
        out
    };
    let declarations = prefixes.iter().enumerate().map(declaration).collect();
    let builder = Builder { schema, prefixes, count };
    let mut entry = builder.group(URL_GROUP, layout, SITEMAP_NS, None);
    if kind == FileKind::Index {
        entry.open = Tag::new(b"<sitemap>".to_vec());
        entry.close = Tag::new(b"</sitemap>".to_vec());
    }
    Plan { entry, declarations }
}

/// One prefix for each namespace, no two the same; the winner keeps its own.
fn prefixes(schema: &Schema, winner: NsId) -> Vec<String> {
    let wanted = |ns: NsId| schema.namespaces[ns].prefix.as_str();
    let all = 0..schema.namespaces.len();
    let keeps = |ns: NsId| {
        ns == winner
            || (wanted(ns) != wanted(winner) && !all.clone().take(ns).any(|earlier| wanted(earlier) == wanted(ns)))
    };
    let mut prefixes: Vec<String> = Vec::new();
    for ns in all.clone() {
        let plain = wanted(ns);
        if plain.is_empty() || keeps(ns) {
            prefixes.push(plain.to_owned());
            continue;
        }
        let free = |name: &String| !prefixes.contains(name) && !all.clone().any(|other| wanted(other) == name);
        // Of as many names as there are namespaces and one more, one is free.
        let name = (2..all.len() + 3).map(|n| format!("{plain}{n}")).find(free);
        prefixes.push(name.unwrap_or_else(|| plain.to_owned()));
    }
    prefixes
}

fn pieces(kind: &Kind, tags: &Tags) -> Vec<Tag> {
    let Kind::Choice(words) = kind else { return Vec::new() };
    words.iter().map(|word| Tag::new([&tags.open, word.as_bytes(), &tags.close].concat())).collect()
}

fn assumed(value: &str, tags: &Tags) -> Tag {
    let mut bytes = tags.open.clone();
    let _ = escape::attribute(value, &mut bytes); // see `check_names`
    bytes.extend_from_slice(&tags.close);
    Tag::new(bytes)
}

struct Builder<'a> {
    schema: &'a Schema,
    prefixes: Vec<String>,
    /// Leaves so far.
    count: &'a Cell<u32>,
}

/// The tags of one element, and the default namespace within it.
struct Tags {
    open: Vec<u8>,
    close: Vec<u8>,
    used: Used,
    default: NsId,
}

impl Builder<'_> {
    /// The tags of an element where `default` is the default namespace.
    fn tags(&self, name: &str, ns: NsId, default: NsId) -> Tags {
        let prefix = &self.prefixes[ns];
        if !prefix.is_empty() {
            let used = 1 << ns;
            let open = format!("<{prefix}:{name}").into_bytes();
            return Tags { open, close: format!("</{prefix}:{name}>").into_bytes(), used, default };
        }
        let mut open = format!("<{name}").into_bytes();
        if ns != default {
            open.extend_from_slice(b" xmlns=\"");
            // `check_names` has seen that it can be written.
            let _ = escape::attribute(&self.schema.namespaces[ns].uri, &mut open);
            open.push(b'"');
        }
        Tags { open, close: format!("</{name}>").into_bytes(), used: 0, default: ns }
    }

    /// A group; `element` is the field that holds it, `None` for the entry.
    fn group(&self, id: GroupId, layout: &Layout, default: NsId, element: Option<&Field>) -> Group {
        let group = &self.schema.groups[id];
        let tags = match element {
            Some(field) => self.tags(&field.element, field.ns, default),
            None => self.tags(&group.name, group.ns, default),
        };
        let mut open = tags.open;
        let (mut attributes, mut items) = (Vec::new(), Vec::new());
        for (at, field) in group.fields.iter().enumerate() {
            let there = layout.has(field.column);
            match &field.place {
                Place::Attribute if there || field.assumed.is_some() => {
                    let leaf = self.attribute(id, field);
                    match &leaf.assumed {
                        Some(assumed) if !there && attributes.is_empty() => assumed.put(&mut open),
                        _ => attributes.push(leaf),
                    }
                }
                Place::Own if there => items.push(Item::Leaf(self.leaf(
                    id,
                    field,
                    Tags { open: Vec::new(), close: Vec::new(), used: 0, default },
                ))),
                Place::Attribute | Place::Own => {}
                Place::Element => items.extend(self.element(id, field, layout, tags.default)),
                Place::AttributeOf(of) => {
                    // An element without a value of its own stands where its first attribute does.
                    let first = |f: &Field| matches!(&f.place, Place::AttributeOf(other) if other == of);
                    let own = group.fields.iter().any(|f| f.place == Place::Element && f.element == *of);
                    if !own && group.fields.iter().position(first) == Some(at) {
                        items.extend(self.dressed(id, of, group.ns, None, layout, tags.default));
                    }
                }
            }
        }
        if attributes.is_empty() {
            open.push(b'>');
        }
        Group { open: Tag::new(open), close: Tag::new(tags.close), used: tags.used, attributes, items }
    }

    fn element(&self, id: GroupId, field: &Field, layout: &Layout, default: NsId) -> Option<Item> {
        let there = layout.has(field.column);
        let dresses = self.schema.groups[id]
            .fields
            .iter()
            .any(|f| layout.has(f.column) && matches!(&f.place, Place::AttributeOf(of) if *of == field.element));
        if dresses {
            return self.dressed(id, &field.element, field.ns, Some(field), layout, default);
        }
        if !there {
            return None;
        }
        if let Kind::Group(inner) = field.kind {
            let group = self.group(inner, layout.inner(field.column)?, default, Some(field));
            let name = self.schema.groups[id].columns[field.column].name.clone();
            let head = Head { column: field.column, name, required: field.required, codes: field.codes };
            return Some(match field.many {
                Some(max) => Item::Groups { group, head, max },
                None => Item::Group { group, head },
            });
        }
        let mut tags = self.tags(&field.element, field.ns, default);
        if matches!(field.kind, Kind::Marker) {
            tags.open.extend_from_slice(b"/>");
            return Some(Item::Marker { element: Tag::new(tags.open), used: tags.used, column: field.column });
        }
        tags.open.push(b'>');
        let leaf = self.leaf(id, field, tags);
        Some(match field.many {
            Some(max) => Item::Many { leaf, max },
            None => Item::Leaf(leaf),
        })
    }

    fn dressed(
        &self,
        id: GroupId,
        element: &str,
        ns: NsId,
        field: Option<&Field>,
        layout: &Layout,
        default: NsId,
    ) -> Option<Item> {
        let fields = &self.schema.groups[id].fields;
        let of = |f: &&Field| layout.has(f.column) && matches!(&f.place, Place::AttributeOf(of) if of == element);
        let attributes: Vec<Leaf> = fields.iter().filter(of).map(|f| self.attribute(id, f)).collect();
        if attributes.is_empty() {
            return None;
        }
        let tags = self.tags(element, ns, default);
        let bare = Tags { open: Vec::new(), close: Vec::new(), used: 0, default };
        let text = field.map(|f| self.leaf(id, f, bare));
        Some(Item::Dressed {
            open: Tag::new(tags.open),
            close: Tag::new(tags.close),
            used: tags.used,
            text,
            attributes,
            name: element.to_owned(),
        })
    }

    fn attribute(&self, id: GroupId, field: &Field) -> Leaf {
        let open = format!(" {}=\"", field.element).into_bytes();
        let mut leaf = self.leaf(id, field, Tags { open, close: b"\"".to_vec(), used: 0, default: NO_NS });
        leaf.attribute = true;
        leaf
    }

    fn leaf(&self, id: GroupId, field: &Field, tags: Tags) -> Leaf {
        let group = &self.schema.groups[id];
        let what = match &field.kind {
            Kind::Url if id == URL_GROUP && field.column == LOC_COLUMN => What::Loc,
            Kind::Url | Kind::AtomLink | Kind::Permalink => What::Url { ftp: field.ftp },
            Kind::Address => What::Address,
            Kind::Date | Kind::FeedDate | Kind::AtomDate if id == URL_GROUP && field.column == LASTMOD_COLUMN => {
                What::Lastmod
            }
            Kind::Date | Kind::FeedDate | Kind::AtomDate => What::Date(field.dates),
            Kind::Choice(words) => What::Choice(words.clone()),
            Kind::Priority | Kind::Decimal => What::Decimal,
            Kind::Integer => What::Integer,
            Kind::YesNo => What::YesNo,
            Kind::Text | Kind::Marker | Kind::Group(_) => What::Text(field.shape),
        };
        // Attributes of another element may have the same name.
        let of = |f: &&Field| matches!(&f.place, Place::AttributeOf(element) if *element == field.element);
        let beside = |(name, code): (&str, Code)| {
            let mut named = group.fields.iter().filter(|f| f.element == name);
            let other = named.clone().find(of).or_else(|| named.next())?;
            Some((other.column, code))
        };
        let id = self.count.get();
        self.count.set(id + 1);
        Leaf {
            id,
            what,
            column: field.column,
            form: field.form,
            name: group.columns[field.column].name.clone(),
            required: field.required,
            unless: field.unless.and_then(beside),
            needs: field.needs.and_then(beside),
            range: field.range,
            chars: field.chars,
            assumed: field.assumed.as_ref().map(|value| assumed(value, &tags)),
            codes: field.codes,
            pieces: pieces(&field.kind, &tags),
            before: Tag::new(tags.open),
            after: Tag::new(tags.close),
            used: tags.used,
            attribute: false,
        }
    }
}
