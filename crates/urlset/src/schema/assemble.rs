//! The rows of the table to groups, fields and columns. Adds nothing that the table does not say.

use std::sync::{Arc, OnceLock};

use super::{
    Codes, Column, ColumnType, Dialect, Field, Group, GroupId, Kind, NO_NS, Namespace, NsId, Place, SITEMAP_COLUMN,
    Schema, URL_GROUP, row, table,
};

impl Schema {
    pub(super) fn of_table() -> Self {
        let namespaces = table::NAMESPACES
            .iter()
            .map(|n| Namespace {
                prefix: n.prefix.into(),
                uri: n.uri.into(),
                near: n.near.iter().map(|&m| m.into()).collect(),
            })
            .collect();
        let mut schema = Self {
            namespaces,
            groups: Vec::new(),
            dialects: Vec::new(),
            arrow: Arc::new(arrow_schema::Schema::empty()),
            near: OnceLock::new(),
        };
        for (at, group) in table::GROUPS.iter().enumerate() {
            let fills = match group.fills {
                "" => at,
                name => table::GROUPS.iter().position(|g| g.name == name && g.fills.is_empty()).unwrap_or(at),
            };
            let ns = schema.namespace_index(group.ns);
            schema.groups.push(Group::new(group.name, ns, fills, group.unknown, group.repeated));
        }
        for row in table::ROWS {
            schema.add_row(row);
        }
        schema.groups[URL_GROUP].columns.push(Column {
            name: SITEMAP_COLUMN.into(),
            ty: ColumnType::Dictionary,
            list: false,
        });
        for d in table::DIALECTS {
            let entries = d.entries.iter().map(|(name, group)| ((*name).into(), group_index(*group))).collect();
            let ns = schema.namespace_index(d.ns);
            schema.dialects.push(Dialect { root: d.root.into(), ns, kind: d.kind, entries });
        }
        schema.arrow = schema.make_arrow();
        schema
    }

    fn namespace_index(&self, ns: row::Namespace) -> NsId {
        self.namespaces.iter().position(|n| n.uri == ns.uri).unwrap_or(NO_NS)
    }

    fn add_row(&mut self, row: &row::Row) {
        let group = group_index(row.group);
        let place = match row.at {
            row::At::Element => Place::Element,
            row::At::Attribute => Place::Attribute,
            row::At::Own => Place::Own,
            row::At::AttributeOf(element) => Place::AttributeOf(element.into()),
        };
        let kind = match row.kind {
            row::Kind::Url => Kind::Url,
            row::Kind::Address => Kind::Address,
            row::Kind::Text => Kind::Text,
            row::Kind::Date => Kind::Date,
            row::Kind::FeedDate => Kind::FeedDate,
            row::Kind::AtomDate => Kind::AtomDate,
            row::Kind::Choice(words) => Kind::Choice(words.iter().map(|&w| w.into()).collect()),
            row::Kind::Priority => Kind::Priority,
            row::Kind::Decimal => Kind::Decimal,
            row::Kind::Integer => Kind::Integer,
            row::Kind::YesNo => Kind::YesNo,
            row::Kind::Marker => Kind::Marker,
            row::Kind::Permalink => Kind::Permalink,
            row::Kind::AtomLink => Kind::AtomLink,
            row::Kind::Group(g) => Kind::Group(group_index(g)),
        };
        let column = match (row.column, &place) {
            (Some(name), _) => name.to_owned(),
            (None, Place::AttributeOf(element)) => format!("{element}_{}", row.element).to_lowercase(),
            (None, _) => row.element.to_owned(),
        };
        let ns = match (row.ns, &place) {
            (Some(ns), _) => self.namespace_index(ns),
            (None, Place::Attribute) => NO_NS,
            (None, _) => self.groups[group].ns,
        };
        let field = Field {
            element: row.element.into(),
            ns,
            place,
            kind,
            column: 0,
            form: None,
            many: row.many,
            required: row.required,
            range: row.range,
            chars: row.chars,
            assumed: row.assumed.map(Into::into),
            when: row.when.map(Into::into),
            deprecated: row.deprecated,
            missing: row.missing,
            bad: row.bad,
            codes: Codes::of(row),
            ftp: row.ftp.is_some(),
            unless: row.unless,
            needs: row.needs,
            dates: row.dates,
            shape: row.shape,
            by: row.by.into(),
            doc: row.doc.into(),
        };
        self.add_field(group, field, &column, row.dictionary);
    }
}

fn group_index(group: row::Group) -> GroupId {
    table::GROUPS
        .iter()
        .position(|g| g.name == group.name && g.ns.uri == group.ns.uri && g.fills == group.fills)
        .unwrap_or(URL_GROUP)
}
