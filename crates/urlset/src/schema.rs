//! The table made ready for use: namespaces, groups, fields and the columns they fill, with a user's own elements. Reads nothing, writes nothing.

mod arrow;
mod assemble;
mod codes;
mod extension;
mod row;
mod table;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use arrow_schema::SchemaRef;

use crate::codes::Code;
use crate::error::Result;
pub use codes::Codes;
pub use row::{Dates, Shape};

/// Index of a namespace in [`Schema::namespaces`].
pub type NsId = usize;
/// Index of a group in [`Schema::groups`].
pub type GroupId = usize;

/// URLs in a sitemap, and sitemaps in an index, at most (source: the protocol, Google, Bing, Yandex).
pub const MAX_URLS: u64 = 50_000;
/// Bytes of a sitemap or index at most, before compression (source: the protocol, Google, Yandex).
pub const MAX_BYTES: u64 = 52_428_800;

/// No namespace.
pub const NO_NS: NsId = 0;
/// The namespace of the protocol.
pub const SITEMAP_NS: NsId = 1;
/// The group of an entry: the columns of the URL table.
pub const URL_GROUP: GroupId = 0;
/// The column of the address of an entry.
pub const LOC_COLUMN: usize = 0;
/// The column of its date.
pub const LASTMOD_COLUMN: usize = 1;

/// The last column of the URL table: the name of the file that a row came from. No element fills it.
pub const SITEMAP_COLUMN: &str = "sitemap";

/// A namespace of the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Namespace {
    /// Prefix written; empty for a default declaration on the element itself.
    pub prefix: String,
    /// Exact URI.
    pub uri: String,
    /// Near misses read with a finding.
    pub near: Vec<String>,
}

/// Where in its group a value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A child element.
    Element,
    /// An attribute of the group's own element.
    Attribute,
    /// The text of the group's own element.
    Own,
    /// An attribute of the child element named.
    AttributeOf(String),
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An address that must be absolute.
    Url,
    /// An address of any scheme.
    Address,
    /// Free text.
    Text,
    /// A W3C date or date-time.
    Date,
    /// A date of RSS.
    FeedDate,
    /// A date of Atom.
    AtomDate,
    /// One of these words.
    Choice(Vec<String>),
    /// The priority of a page.
    Priority,
    /// A plain decimal.
    Decimal,
    /// A whole number.
    Integer,
    /// `yes` or `no`.
    YesNo,
    /// An empty element.
    Marker,
    /// The identifier of an RSS item, its address where nothing else gives one.
    Permalink,
    /// The alternate link of an Atom entry.
    AtomLink,
    /// An element that holds elements.
    Group(GroupId),
}

/// One element or attribute and the column it fills.
#[derive(Clone, Debug)]
pub struct Field {
    /// Local name.
    pub element: String,
    /// Its namespace; attributes have none of their own.
    pub ns: NsId,
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub kind: Kind,
    /// Index among the columns of the group it fills.
    pub column: usize,
    /// Index of the column that keeps the written form of a date.
    pub form: Option<usize>,
    /// How often it may stand; then the column is a list.
    pub many: Option<u32>,
    /// Whether its group is useless without it.
    pub required: bool,
    /// Inclusive bounds of a number.
    pub range: Option<(f64, f64)>,
    /// Characters at most.
    pub chars: Option<u32>,
    /// The value meant when it is absent.
    pub assumed: Option<String>,
    /// The medium for which it holds.
    pub when: Option<String>,
    /// No longer used by those who asked for it.
    pub deprecated: bool,
    /// What to say when it is required and missing.
    pub missing: Option<Code>,
    /// What to say of a value that is none, where the kind's own code is too general.
    pub bad: Option<Code>,
    /// What the writer says.
    pub codes: Codes,
    /// Whether an address may be of ftp too.
    pub ftp: bool,
    /// The attribute of the same element beside which it may be empty, and what to say where that is not there either.
    pub unless: Option<(&'static str, Code)>,
    /// The attribute of the same element that has to have a value where this has one, and what to say where it has none.
    pub needs: Option<(&'static str, Code)>,
    /// Which dates are taken.
    pub dates: Dates,
    /// What a text has to look like to be written.
    pub shape: Shape,
    /// Who says so.
    pub by: String,
    /// One line for docs.
    pub doc: String,
}

impl Field {
    /// Whether a value says no more than its absence does.
    #[inline]
    pub fn is_assumed(&self, value: &[u8]) -> bool {
        // Nearly always it is written in the same letter case.
        self.assumed.as_ref().is_some_and(|a| a.as_bytes() == value || a.as_bytes().eq_ignore_ascii_case(value))
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// UTF-8 strings.
    Utf8,
    /// UTF-8 strings behind a dictionary with 32-bit keys.
    Dictionary,
    /// The written form of the date in the column before, behind a dictionary.
    Form,
    /// The same without a dictionary, inside nested columns.
    NestedForm,
    /// Microseconds since 1970 in UTC.
    Timestamp,
    /// 64-bit floats.
    Float,
    /// 64-bit integers.
    Int,
    /// True or false.
    Bool,
    /// The columns of a group.
    Struct(GroupId),
}

/// One column of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub ty: ColumnType,
    /// Whether each row holds a list of them.
    pub list: bool,
}

/// An element that holds elements, and the columns it fills.
#[derive(Clone, Debug)]
pub struct Group {
    /// Local name.
    pub name: String,
    /// Namespace.
    pub ns: NsId,
    /// The group whose columns it fills: itself but for feeds.
    pub fills: GroupId,
    /// Its elements and attributes, in the order of writing.
    pub fields: Vec<Field>,
    /// Its columns; empty where it fills those of another.
    pub columns: Vec<Column>,
    /// What to say of a child that the group does not know.
    pub unknown: Code,
    /// What to say of a child that stands once too often.
    pub repeated: Code,
}

impl Group {
    fn new(name: &str, ns: NsId, fills: GroupId, unknown: Code, repeated: Code) -> Self {
        Self { name: name.to_owned(), ns, fills, fields: Vec::new(), columns: Vec::new(), unknown, repeated }
    }
}

/// A root element and its entries.
#[derive(Clone, Debug)]
pub struct Dialect {
    /// Local name of the root.
    pub root: String,
    /// Namespace of the root.
    pub ns: NsId,
    /// `urlset`, `sitemapindex`, `rss` or `atom`.
    pub kind: &'static str,
    /// Local names of the entries and their groups.
    pub entries: Vec<(String, GroupId)>,
}

/// The table, ready for readers, writers and rules.
#[derive(Clone, Debug)]
pub struct Schema {
    /// All namespaces; [`NO_NS`] and [`SITEMAP_NS`] come first.
    pub namespaces: Vec<Namespace>,
    /// All groups; [`URL_GROUP`] comes first.
    pub groups: Vec<Group>,
    /// All roots.
    pub dialects: Vec<Dialect>,
    arrow: SchemaRef,
    /// The namespaces by their addresses without what people get wrong.
    near: OnceLock<HashMap<String, NsId>>,
}

impl Schema {
    /// The schema of the table alone.
    pub fn standard() -> Arc<Self> {
        static STANDARD: std::sync::LazyLock<Arc<Schema>> = std::sync::LazyLock::new(|| Arc::new(Schema::of_table()));
        Arc::clone(&STANDARD)
    }

    /// The table and a user's own elements, each an Arrow schema with `urlset:` metadata.
    ///
    /// Errors: [`crate::error::ErrorKind::Extension`] when a field lacks a namespace, or clashes with the table.
    pub fn with_extensions(extensions: &[SchemaRef]) -> Result<Arc<Self>> {
        if extensions.is_empty() {
            return Ok(Self::standard());
        }
        let mut schema = Self::of_table();
        for extension in extensions {
            extension::add(&mut schema, extension)?;
        }
        schema.arrow = schema.make_arrow();
        schema.near = OnceLock::new();
        Ok(Arc::new(schema))
    }

    /// The URL table as an Arrow schema; the metadata of its fields carry the facts of the table.
    pub fn arrow(&self) -> SchemaRef {
        Arc::clone(&self.arrow)
    }

    /// Index of a column of the URL table.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.groups[URL_GROUP].columns.iter().position(|c| c.name == name)
    }

    /// The field that fills a column of the URL table, or of a struct within it: `loc`, `images[1]/loc`.
    pub fn field(&self, path: &str) -> Option<&Field> {
        let mut group = URL_GROUP;
        let mut steps = path.split('/').map(|step| step.split('[').next().unwrap_or(step)).peekable();
        while let Some(step) = steps.next() {
            let columns = &self.groups[group].columns;
            let at = columns.iter().position(|c| c.name == step)?;
            let field = self.groups[group].fields.iter().find(|f| f.column == at || f.form == Some(at))?;
            match (&field.kind, steps.peek()) {
                (_, None) => return Some(field),
                (Kind::Group(inner), Some(_)) => group = *inner,
                _ => return None,
            }
        }
        None
    }

    /// The group whose columns this one fills.
    pub fn layout(&self, group: GroupId) -> &Group {
        &self.groups[self.groups[group].fills]
    }

    /// The namespace with this URI, and whether it is exactly that URI and not a near miss.
    pub fn namespace(&self, uri: &str) -> Option<(NsId, bool)> {
        if let Some(at) = self.namespaces.iter().position(|n| n.uri == uri) {
            return Some((at, true));
        }
        if uri.is_empty() {
            return Some((NO_NS, true));
        }
        let near = self.near.get_or_init(|| {
            let mut near = HashMap::new();
            for (at, n) in self.namespaces.iter().enumerate().filter(|(_, n)| !n.uri.is_empty()) {
                for uri in std::iter::once(&n.uri).chain(&n.near) {
                    near.entry(relaxed(uri)).or_insert(at);
                }
            }
            near
        });
        near.get(&relaxed(uri)).map(|&at| (at, false))
    }

    /// The namespace that a well-known prefix stands for when a file forgot to declare it.
    pub fn namespace_of_prefix(&self, prefix: &str) -> Option<NsId> {
        self.namespaces.iter().position(|n| !n.prefix.is_empty() && n.prefix.eq_ignore_ascii_case(prefix))
    }

    /// Adds a field to a group, and its columns where the group has none of that name yet.
    fn add_field(&mut self, group: GroupId, mut field: Field, column: &str, dictionary: bool) {
        let layout = self.groups[group].fills;
        let nested = layout != URL_GROUP;
        let ty = match &field.kind {
            Kind::Date | Kind::FeedDate | Kind::AtomDate => ColumnType::Timestamp,
            Kind::Priority | Kind::Decimal => ColumnType::Float,
            Kind::Integer => ColumnType::Int,
            Kind::YesNo | Kind::Marker => ColumnType::Bool,
            Kind::Group(g) => ColumnType::Struct(self.groups[*g].fills),
            _ if dictionary => ColumnType::Dictionary,
            _ => ColumnType::Utf8,
        };
        let list = field.many.is_some();
        let columns = &mut self.groups[layout].columns;
        let mut place = |name: String, ty, list| {
            columns.iter().position(|c| c.name == name).unwrap_or_else(|| {
                columns.push(Column { name, ty, list });
                columns.len() - 1
            })
        };
        field.column = place(column.to_owned(), ty, list);
        if ty == ColumnType::Timestamp {
            let form = if nested { ColumnType::NestedForm } else { ColumnType::Form };
            field.form = Some(place(format!("{column}_form"), form, false));
        }
        self.groups[group].fields.push(field);
    }
}

impl Kind {
    /// Whether its grammar leaves no room for characters that a text may not hold.
    pub const fn is_strict(&self) -> bool {
        matches!(
            self,
            Self::Date
                | Self::FeedDate
                | Self::AtomDate
                | Self::Choice(_)
                | Self::Priority
                | Self::Decimal
                | Self::Integer
                | Self::YesNo
        )
    }

    /// The word used in metadata.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Address => "address",
            Self::Text => "text",
            Self::Date => "date",
            Self::FeedDate => "feed-date",
            Self::AtomDate => "atom-date",
            Self::Choice(_) => "choice",
            Self::Priority => "priority",
            Self::Decimal => "decimal",
            Self::Integer => "integer",
            Self::YesNo => "yes-no",
            Self::Marker => "marker",
            Self::Permalink => "permalink",
            Self::AtomLink => "atom-link",
            Self::Group(_) => "group",
        }
    }
}

/// A namespace without what people get wrong: scheme, `www.`, trailing slash, letter case.
fn relaxed(uri: &str) -> String {
    let lower = uri.trim().to_ascii_lowercase();
    let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://")).unwrap_or(&lower);
    rest.strip_prefix("www.").unwrap_or(rest).trim_end_matches(['/', '#']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_schema::{DataType, TimeUnit};

    #[test]
    fn core_columns_are_frozen() {
        let arrow = Schema::standard().arrow();
        let names: Vec<_> = arrow.fields().iter().map(|f| f.name().as_str()).collect();
        assert_eq!(
            names,
            [
                "loc",
                "lastmod",
                "lastmod_form",
                "changefreq",
                "priority",
                "images",
                "videos",
                "news",
                "alternates",
                "mobile",
                "mobile_baidu",
                "pagemap",
                "codesearch",
                "geo",
                "sitemap"
            ]
        );
        assert!(!arrow.field(0).is_nullable());
        assert_eq!(arrow.field(1).data_type(), &DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())));
        let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        for at in [2, 3, 14] {
            assert_eq!(arrow.field(at).data_type(), &dictionary);
        }
        assert_eq!(arrow.field(4).data_type(), &DataType::Float64);
    }

    #[test]
    fn near_misses_are_known_and_exact_ones_are_exact() {
        let schema = Schema::standard();
        let core = "http://www.sitemaps.org/schemas/sitemap/0.9";
        assert_eq!(schema.namespace(core), Some((SITEMAP_NS, true)));
        for near in [
            "https://www.sitemaps.org/schemas/sitemap/0.9",
            "http://www.sitemaps.org/schemas/sitemap/0.9/",
            "http://sitemaps.org/schemas/sitemap/0.9",
            "http://www.sitemaps.org/schemas/sitemap/0.90",
            "http://www.google.com/schemas/sitemap/0.84",
        ] {
            assert_eq!(schema.namespace(near), Some((SITEMAP_NS, false)), "{near}");
        }
        assert_eq!(schema.namespace("urn:other"), None);
    }

    #[test]
    fn every_feed_field_fills_a_column_that_exists() {
        let schema = Schema::standard();
        for group in &schema.groups {
            let layout = &schema.groups[group.fills];
            for field in &group.fields {
                assert!(field.column < layout.columns.len(), "{} {}", group.name, field.element);
                if group.fills != URL_GROUP || !group.columns.is_empty() {
                    continue;
                }
                assert!(["loc", "lastmod", "videos", "images"].contains(&layout.columns[field.column].name.as_str()));
            }
        }
    }
}
