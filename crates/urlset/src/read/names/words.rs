//! What a table of elements says of names, whatever the file: which elements a group has, and what becomes of each. Made once a table.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::schema::{Field, GroupId, Kind, NsId, Place, Schema, URL_GROUP};

/// What an element is within a group.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::read) struct Element {
    /// Row for the element itself.
    pub field: Option<u16>,
    /// Row for the element where the medium is another.
    pub other: Option<u16>,
    /// Its attributes that have rows: where they begin and end among those of all elements.
    pub attributes: (u16, u16),
    /// Holds a text and nothing else.
    simple: bool,
    /// Its column of the URL table is built.
    pub wanted: bool,
}

impl Element {
    /// The row of an element that holds a text and nothing else.
    #[inline]
    pub fn simple(self) -> Option<usize> {
        self.field.filter(|_| self.simple).map(usize::from)
    }
}

/// What becomes of an element of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Does {
    Value,
    Group(GroupId),
    AtomLink,
    Permalink,
}

/// What a reader has to know of a row for each element.
#[derive(Clone, Copy, Debug)]
pub(in crate::read) struct Row {
    pub does: Does,
    pub column: usize,
    pub many: bool,
    /// A column that it fills is built.
    pub wanted: bool,
    /// The medium for which it holds.
    pub medium: Option<Medium>,
    /// A value is assumed where it is absent, so that it may be.
    pub assumed: bool,
}

/// What a `media:content` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Medium {
    Video,
    Image,
}

impl Medium {
    /// The medium that a word begins with.
    pub fn of(word: &[u8]) -> Option<Self> {
        match word {
            [b'v', b'i', b'd', b'e', b'o', ..] => Some(Self::Video),
            [b'i', b'm', b'a', b'g', b'e', ..] => Some(Self::Image),
            _ => None,
        }
    }
}

/// What a group says of itself, so that its rows need not be searched for each element.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub rows: Vec<Row>,
    /// The row of its own text.
    pub own: Option<usize>,
    /// Names and rows of its attributes.
    pub attributes: Vec<(Box<[u8]>, u16)>,
}

/// What a table says of names, whatever the file.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub symbols: Arc<HashMap<(NsId, Vec<u8>), u16>>,
    /// The same in lower case, for tags in the wrong letter case.
    pub folded: Arc<HashMap<(NsId, Vec<u8>), u16>>,
    /// For each group and symbol, one more than the index in `elements`.
    pub table: Arc<[u16]>,
    pub elements: Arc<[Element]>,
    /// Names and rows of the attributes of elements.
    pub attributes: Arc<[(Box<[u8]>, u16)]>,
    pub groups: Arc<[Facts]>,
    pub width: usize,
}

impl Words {
    /// The words of a table of which these columns of URLs are built. Those of the table of elements are made once.
    pub fn of(schema: &Arc<Schema>, wants: impl Fn(usize) -> bool) -> Self {
        static STANDARD: OnceLock<Words> = OnceLock::new();
        let standard = Schema::standard();
        let all = if Arc::ptr_eq(schema, &standard) {
            STANDARD.get_or_init(|| Gathering::new(&standard).words()).clone()
        } else {
            Gathering::new(schema).words()
        };
        all.wanting(schema, wants)
    }

    /// The same where not all columns are built.
    fn wanting(mut self, schema: &Schema, wants: impl Fn(usize) -> bool) -> Self {
        let top = || schema.groups.iter().enumerate().filter(|(_, group)| group.fills == URL_GROUP);
        let wanted = |field: &Field| wants(field.column) || field.form.is_some_and(&wants);
        if top().all(|(_, group)| group.fields.iter().all(wanted)) {
            return self;
        }
        let (mut elements, mut groups) = (self.elements.to_vec(), self.groups.to_vec());
        for (id, group) in top() {
            for (field, row) in group.fields.iter().zip(&mut groups[id].rows) {
                row.wanted = wanted(field);
                if field.place == Place::Element {
                    let symbol = self.symbols.get(&(field.ns, field.element.as_bytes().to_vec())).copied().unwrap_or(0);
                    let cell = self.table[id * self.width + usize::from(symbol)];
                    elements[usize::from(cell) - 1].wanted = row.wanted;
                }
            }
        }
        (self.elements, self.groups) = (elements.into(), groups.into());
        self
    }
}

/// The words of a table while they are gathered.
struct Gathering {
    symbols: HashMap<(NsId, Vec<u8>), u16>,
    folded: HashMap<(NsId, Vec<u8>), u16>,
    table: Vec<u16>,
    elements: Vec<Element>,
    attributes: Vec<(Box<[u8]>, u16)>,
    groups: Vec<Facts>,
    width: usize,
}

impl Gathering {
    fn new(schema: &Schema) -> Self {
        let mut words = Self {
            symbols: HashMap::new(),
            folded: HashMap::new(),
            table: Vec::new(),
            elements: Vec::new(),
            attributes: Vec::new(),
            groups: Vec::new(),
            width: 0,
        };
        for dialect in &schema.dialects {
            words.add(dialect.ns, &dialect.root);
            for (entry, group) in &dialect.entries {
                words.add(schema.groups[*group].ns, entry);
            }
        }
        for group in &schema.groups {
            words.add(group.ns, &group.name);
            for field in &group.fields {
                match &field.place {
                    Place::Element => drop(words.add(field.ns, &field.element)),
                    Place::AttributeOf(element) => drop(words.add(group.ns, element)),
                    Place::Attribute | Place::Own => {}
                }
            }
        }
        words.width = words.symbols.len() + 1;
        words.table = vec![0; words.width * schema.groups.len()];
        for (id, group) in schema.groups.iter().enumerate() {
            for (at, field) in group.fields.iter().enumerate() {
                match &field.place {
                    Place::Element => {
                        let element = words.element(id, field.ns, &field.element);
                        element.simple = element.field.is_none()
                            && !matches!(field.kind, Kind::Group(_) | Kind::AtomLink | Kind::Permalink);
                        element.wanted = true;
                        match element.field {
                            None => element.field = Some(at as u16),
                            Some(_) => element.other = Some(at as u16),
                        }
                    }
                    Place::AttributeOf(_) | Place::Attribute | Place::Own => {}
                }
            }
        }
        words.gather(schema);
        words
    }

    /// Gathers what the rows say of attributes and of texts of groups.
    fn gather(&mut self, schema: &Schema) {
        for (id, group) in schema.groups.iter().enumerate() {
            let rows = || group.fields.iter().enumerate();
            let named = |(at, field): (usize, &Field)| (field.element.as_bytes().into(), at as u16);
            let row = |field: &Field| Row {
                does: match field.kind {
                    Kind::Group(inner) => Does::Group(inner),
                    Kind::AtomLink => Does::AtomLink,
                    Kind::Permalink => Does::Permalink,
                    _ => Does::Value,
                },
                column: field.column,
                many: field.many.is_some(),
                wanted: true,
                medium: field.when.as_ref().and_then(|when| Medium::of(when.as_bytes())),
                assumed: field.assumed.is_some() && field.missing.is_none(),
            };
            self.groups.push(Facts {
                rows: group.fields.iter().map(row).collect(),
                own: group.fields.iter().position(|f| f.place == Place::Own),
                attributes: rows().filter(|(_, f)| f.place == Place::Attribute).map(named).collect(),
            });
            for (_, field) in rows() {
                let Place::AttributeOf(of) = &field.place else { continue };
                if self.element(id, group.ns, of).attributes.1 > 0 {
                    continue;
                }
                let from = self.attributes.len() as u16;
                self.attributes.extend(rows().filter(|(_, f)| f.place == field.place).map(named));
                self.element(id, group.ns, of).attributes = (from, self.attributes.len() as u16);
            }
        }
    }

    fn add(&mut self, ns: NsId, local: &str) -> u16 {
        let next = self.symbols.len() as u16 + 1;
        let symbol = *self.symbols.entry((ns, local.into())).or_insert(next);
        self.folded.insert((ns, local.to_ascii_lowercase().into()), symbol);
        symbol
    }

    fn element(&mut self, group: GroupId, ns: NsId, local: &str) -> &mut Element {
        let symbol = self.add(ns, local);
        let cell = &mut self.table[group * self.width + symbol as usize];
        if *cell == 0 {
            self.elements.push(Element::default());
            *cell = self.elements.len() as u16;
        }
        &mut self.elements[*cell as usize - 1]
    }

    fn words(self) -> Words {
        Words {
            symbols: Arc::new(self.symbols),
            folded: Arc::new(self.folded),
            table: self.table.into(),
            elements: self.elements.into(),
            attributes: self.attributes.into(),
            groups: self.groups.into(),
            width: self.width,
        }
    }
}
