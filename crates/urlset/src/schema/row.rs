//! The words in which the table is written. Shapes only; the table itself is in `table`.

use crate::codes::Code;

/// A namespace: the prefix we write, its exact URI, and near misses that are read with a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Namespace {
    /// Prefix written; empty for a default declaration.
    pub prefix: &'static str,
    /// Exact URI. Comparison is character by character.
    pub uri: &'static str,
    /// URIs seen in the wild in its place.
    pub near: &'static [&'static str],
}

/// An element that holds elements.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Local name.
    pub name: &'static str,
    /// Namespace of the element, and of its children unless a row says otherwise.
    pub ns: Namespace,
    /// Name of the group whose columns it fills; itself when empty.
    pub fills: &'static str,
    /// What to say of a child that the group does not know.
    pub unknown: Code,
    /// What to say of a child that stands once too often.
    pub repeated: Code,
}

/// What a value is: how it is parsed, formatted and refused.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// An address.
    Url,
    /// An address of any scheme: reported, never refused.
    Address,
    /// Free text.
    Text,
    /// A W3C date or date-time.
    Date,
    /// A date of RSS: RFC 822.
    FeedDate,
    /// A date of Atom: RFC 3339.
    AtomDate,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The priority of a page.
    Priority,
    /// A plain decimal.
    Decimal,
    /// A whole number.
    Integer,
    /// `yes` or `no`.
    YesNo,
    /// An empty element: there or not.
    Marker,
    /// The identifier of an item, which is its address where it says so and nothing else gives one.
    Permalink,
    /// The `href` of the link whose relation is `alternate` or not given.
    AtomLink,
    /// An element that holds elements.
    Group(Group),
}

/// Which dates an element takes beyond what the protocol says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dates {
    /// Every form of the W3C note and of the schema.
    Any,
    /// A full date, or a date-time with zone.
    Full,
    /// A full date, or a date-time with seconds and zone.
    Seconds,
}

/// What a text has to look like to be written; a reader keeps any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Anything.
    Free,
    /// Language, script and region, or `x-default`.
    Hreflang,
    /// A language as news publications name it.
    Language,
    /// Countries between blanks.
    Countries,
    /// Some of these words between blanks.
    Words(&'static [&'static str]),
}

/// Where in its group a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A child element.
    Element,
    /// An attribute of the group's own element.
    Attribute,
    /// The text of the group's own element.
    Own,
    /// An attribute of this child element.
    AttributeOf(&'static str),
}

/// One row of the table: one element or attribute.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The group it stands in.
    pub group: Group,
    /// Local name of the element or attribute.
    pub element: &'static str,
    /// Where in its group it stands.
    pub at: At,
    /// What the value is.
    pub kind: Kind,
    /// Namespace, where it is not the group's.
    pub ns: Option<Namespace>,
    /// Name of the column, where it is not the element's.
    pub column: Option<&'static str>,
    /// How often it may stand, where more than once: then the column is a list.
    pub many: Option<u32>,
    /// Whether its group is useless without it.
    pub required: bool,
    /// Inclusive bounds of a number.
    pub range: Option<(f64, f64)>,
    /// Characters at most.
    pub chars: Option<u32>,
    /// Whether the column is dictionary-encoded.
    pub dictionary: bool,
    /// No longer used by those who asked for it.
    pub deprecated: bool,
    /// Value that an absent attribute has, and that is therefore null in the column.
    pub assumed: Option<&'static str>,
    /// The medium (`video`, `image`) for which the row holds.
    pub when: Option<&'static str>,
    /// What to say when it is required and missing.
    pub missing: Option<Code>,
    /// What to say of a value that is none, where the kind's own code is too general.
    pub bad: Option<Code>,
    /// What to say of an empty one, where that is not the same as none.
    pub empty: Option<Code>,
    /// What to say of a text beyond `chars`.
    pub long: Option<Code>,
    /// What to say of more than `many`.
    pub most: Option<Code>,
    /// An address may be of ftp too; what to say of any other scheme.
    pub ftp: Option<Code>,
    /// The attribute of the same element beside which it may be empty, and what to say where that is not there either.
    pub unless: Option<(&'static str, Code)>,
    /// The attribute that has to have a value where this has one, and what to say where it has none.
    pub needs: Option<(&'static str, Code)>,
    /// Which dates are taken.
    pub dates: Dates,
    /// What a text has to look like to be written.
    pub shape: Shape,
    /// Who says so.
    pub by: &'static str,
    /// One line for docs.
    pub doc: &'static str,
}

/// A root element and the entries it holds.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// Local name of the root.
    pub root: &'static str,
    /// Namespace of the root.
    pub ns: Namespace,
    /// What a file with this root is.
    pub kind: &'static str,
    /// Local names of its entries and the groups they open.
    pub entries: &'static [(&'static str, Group)],
}

/// A group in a namespace.
pub const fn group(name: &'static str, ns: Namespace) -> Group {
    Group { name, ns, fills: "", unknown: Code::STR012, repeated: Code::STR010 }
}

impl Group {
    /// What to say of children unknown or repeated.
    pub const fn codes(mut self, unknown: Code, repeated: Code) -> Self {
        self.unknown = unknown;
        self.repeated = repeated;
        self
    }

    /// Another name for the columns of a group.
    pub const fn fills(mut self, group: &'static str) -> Self {
        self.fills = group;
        self
    }
}

const fn row(group: Group, element: &'static str, at: At, kind: Kind, doc: &'static str) -> Row {
    Row {
        group,
        element,
        at,
        kind,
        ns: None,
        column: None,
        many: None,
        required: false,
        range: None,
        chars: None,
        dictionary: false,
        deprecated: false,
        assumed: None,
        when: None,
        missing: None,
        bad: None,
        empty: None,
        long: None,
        most: None,
        ftp: None,
        unless: None,
        needs: None,
        dates: Dates::Any,
        shape: Shape::Free,
        by: "",
        doc,
    }
}

/// A child element.
pub const fn field(group: Group, element: &'static str, kind: Kind, doc: &'static str) -> Row {
    row(group, element, At::Element, kind, doc)
}

/// An attribute of the group's own element.
pub const fn attr(group: Group, name: &'static str, kind: Kind, doc: &'static str) -> Row {
    row(group, name, At::Attribute, kind, doc)
}

/// The text of the group's own element, in the column `column`.
pub const fn own(group: Group, column: &'static str, kind: Kind, doc: &'static str) -> Row {
    row(group, column, At::Own, kind, doc)
}

/// An attribute of a child element; its column is `element_name`, in lower case.
pub const fn attr_of(group: Group, element: &'static str, name: &'static str, kind: Kind, doc: &'static str) -> Row {
    row(group, name, At::AttributeOf(element), kind, doc)
}

impl Row {
    /// In another namespace than its group.
    pub const fn ns(mut self, ns: Namespace) -> Self {
        self.ns = Some(ns);
        self
    }
    /// With a column name of its own.
    pub const fn column(mut self, column: &'static str) -> Self {
        self.column = Some(column);
        self
    }
    /// Up to `max` times.
    pub const fn many(mut self, max: u32) -> Self {
        self.many = Some(max);
        self
    }
    /// Its group is useless without it.
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }
    /// Its group is useless without it, which this code says.
    pub const fn missing(mut self, code: Code) -> Self {
        self.required = true;
        self.missing = Some(code);
        self
    }
    /// A value that is none is told by this code.
    pub const fn bad(mut self, code: Code) -> Self {
        self.bad = Some(code);
        self
    }
    /// An empty value is told by this code.
    pub const fn empty(mut self, code: Code) -> Self {
        self.empty = Some(code);
        self
    }
    /// A text that is too long is told by this code.
    pub const fn long(mut self, code: Code) -> Self {
        self.long = Some(code);
        self
    }
    /// Too many of them are told by this code.
    pub const fn most(mut self, code: Code) -> Self {
        self.most = Some(code);
        self
    }
    /// Addresses of ftp are taken too; any other scheme is told by this code.
    pub const fn ftp(mut self, code: Code) -> Self {
        self.ftp = Some(code);
        self
    }
    /// An empty value is told by this code, unless this attribute of the same element has one.
    pub const fn unless(mut self, attribute: &'static str, code: Code) -> Self {
        self.unless = Some((attribute, code));
        self
    }
    /// A value is told by this code, unless this attribute has one too.
    pub const fn needs(mut self, attribute: &'static str, code: Code) -> Self {
        self.needs = Some((attribute, code));
        self
    }
    /// Only these dates.
    pub const fn dates(mut self, dates: Dates) -> Self {
        self.dates = dates;
        self
    }
    /// Only texts that look like this.
    pub const fn shape(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }
    /// Inclusive bounds.
    pub const fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }
    /// Characters at most.
    pub const fn chars(mut self, max: u32) -> Self {
        self.chars = Some(max);
        self
    }
    /// Dictionary-encoded.
    pub const fn dictionary(mut self) -> Self {
        self.dictionary = true;
        self
    }
    /// No longer used.
    pub const fn deprecated(mut self) -> Self {
        self.deprecated = true;
        self
    }
    /// This value is meant when the attribute is absent.
    pub const fn assumed(mut self, value: &'static str) -> Self {
        self.assumed = Some(value);
        self
    }
    /// Only for this medium.
    pub const fn when(mut self, medium: &'static str) -> Self {
        self.when = Some(medium);
        self
    }
    /// Who says so.
    pub const fn by(mut self, authority: &'static str) -> Self {
        self.by = authority;
        self
    }
}
