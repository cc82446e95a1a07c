//! A user's own elements: an Arrow schema with the table's metadata becomes rows of the table.

use arrow_schema::{DataType, Field as ArrowField, Fields, SchemaRef};

use super::{Field, Group, GroupId, Kind, Namespace, NsId, Place, SITEMAP_COLUMN, Schema, URL_GROUP};
use crate::codes::Code;
use crate::error::{Error, ErrorKind, Result};

pub(super) fn add(schema: &mut Schema, extension: &SchemaRef) -> Result<()> {
    let sitemap = schema.groups[URL_GROUP].columns.pop();
    let outcome = add_fields(schema, URL_GROUP, extension.fields(), None);
    schema.groups[URL_GROUP].columns.extend(sitemap);
    outcome
}

fn add_fields(schema: &mut Schema, group: GroupId, fields: &Fields, inherited: Option<NsId>) -> Result<()> {
    for field in fields {
        // The companion of a date comes with the date.
        let of_date = field.name().strip_suffix("_form").is_some_and(|stem| {
            fields.iter().any(|f| f.name() == stem && matches!(f.data_type(), DataType::Timestamp(..)))
        });
        if of_date {
            continue;
        }
        if schema.layout(group).columns.iter().any(|c| c.name == *field.name()) || field.name() == SITEMAP_COLUMN {
            return Err(refuse(field, "there is a column of this name already"));
        }
        add_field(schema, group, field, inherited)?;
    }
    Ok(())
}

fn add_field(schema: &mut Schema, group: GroupId, field: &ArrowField, inherited: Option<NsId>) -> Result<()> {
    let fact = |key: &str| field.metadata().get(&format!("urlset:{key}")).cloned();
    let ns = match (fact("namespace"), inherited) {
        (Some(uri), _) => namespace(schema, field, uri, fact("prefix"))?,
        (None, Some(ns)) => ns,
        (None, None) => {
            return Err(refuse(field, "it needs the metadata `urlset:namespace` and `urlset:prefix`"));
        }
    };
    let element = fact("element").unwrap_or_else(|| field.name().clone());
    let place = match fact("at").as_deref() {
        None | Some("element") => Place::Element,
        Some("attribute") => Place::Attribute,
        Some("text") => Place::Own,
        Some(other) => match other.strip_prefix("attribute of ") {
            Some(of) => Place::AttributeOf(of.to_owned()),
            None => {
                return Err(refuse(field, "`urlset:at` must be element, attribute, text or `attribute of NAME`"));
            }
        },
    };
    let (ty, many) = match field.data_type() {
        DataType::List(item) | DataType::LargeList(item) => {
            let max = fact("max_items").and_then(|m| m.parse().ok()).unwrap_or(u32::MAX);
            (item.data_type().clone(), Some(max))
        }
        other => (other.clone(), None),
    };
    if many.is_some() && place != Place::Element {
        return Err(refuse(field, "only elements may stand more than once"));
    }
    let kind = match (&ty, fact("kind").as_deref()) {
        (DataType::Struct(children), _) => {
            let id = schema.groups.len();
            schema.groups.push(Group::new(&element, ns, id, Code::STR012, Code::STR010));
            add_fields(schema, id, children, Some(ns))?;
            Kind::Group(id)
        }
        (DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Dictionary(..), kind) => match kind {
            Some("url") => Kind::Url,
            Some("address") => Kind::Address,
            Some("choice") => {
                let words = fact("values").unwrap_or_default();
                Kind::Choice(words.split_whitespace().map(Into::into).collect())
            }
            _ => Kind::Text,
        },
        (DataType::Float64 | DataType::Float32, _) => Kind::Decimal,
        (ty, _) if ty.is_integer() => Kind::Integer,
        (DataType::Timestamp(..) | DataType::Date32, _) => Kind::Date,
        (DataType::Boolean, Some("marker")) => Kind::Marker,
        (DataType::Boolean, _) => Kind::YesNo,
        (other, _) => {
            return Err(refuse(field, &format!("the type {other} has no written form")));
        }
    };
    if place != Place::Element && matches!(kind, Kind::Group(_) | Kind::Marker) {
        return Err(refuse(field, "only an element can hold this"));
    }
    let number = |key: &str| fact(key).and_then(|v| v.parse::<f64>().ok());
    let made = Field {
        element,
        ns: if place == Place::Attribute { super::NO_NS } else { ns },
        place,
        kind,
        column: 0,
        form: None,
        many,
        required: fact("required").is_some_and(|r| r == "true"),
        range: match (number("min"), number("max")) {
            (None, None) => None,
            (low, high) => Some((low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY))),
        },
        chars: fact("max_chars").and_then(|c| c.parse().ok()),
        assumed: fact("assumed"),
        when: None,
        deprecated: false,
        missing: None,
        bad: None,
        codes: super::Codes::GENERAL,
        ftp: false,
        unless: None,
        needs: None,
        dates: super::Dates::Any,
        shape: super::Shape::Free,
        by: fact("by").unwrap_or_else(|| "U".into()),
        doc: fact("doc").unwrap_or_default(),
    };
    schema.add_field(group, made, field.name(), false);
    Ok(())
}

fn namespace(schema: &mut Schema, field: &ArrowField, uri: String, prefix: Option<String>) -> Result<NsId> {
    if let Some(at) = schema.namespaces.iter().position(|n| n.uri == uri) {
        return Ok(at);
    }
    let prefix = prefix.unwrap_or_default();
    let good = prefix.bytes().next().is_some_and(|b| b.is_ascii_alphabetic())
        && prefix.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
        && !prefix.to_ascii_lowercase().starts_with("xml");
    if !good || schema.namespaces.iter().any(|n| n.prefix == prefix) {
        return Err(refuse(field, "`urlset:prefix` must be a name that no other namespace uses"));
    }
    if uri.is_empty() || uri.contains(['"', '<', '&']) {
        return Err(refuse(field, "`urlset:namespace` must be a URI"));
    }
    schema.namespaces.push(Namespace { prefix, uri, near: Vec::new() });
    Ok(schema.namespaces.len() - 1)
}

fn refuse(field: &ArrowField, why: &str) -> Error {
    Error::new(ErrorKind::Extension(format!("field \"{}\": {why}", field.name())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn with(field: ArrowField, facts: &[(&str, &str)]) -> SchemaRef {
        let facts = facts.iter().map(|(k, v)| (format!("urlset:{k}"), (*v).to_owned())).collect();
        Arc::new(arrow_schema::Schema::new(vec![field.with_metadata(facts)]))
    }

    #[test]
    fn an_element_is_one_row() {
        let own =
            with(ArrowField::new("stock", DataType::Int64, true), &[("namespace", "urn:shop"), ("prefix", "shop")]);
        let schema = Schema::with_extensions(&[own]).expect("a good extension");
        let arrow = schema.arrow();
        assert_eq!(arrow.fields().len(), 16);
        assert_eq!(arrow.field(14).name(), "stock");
        assert_eq!(arrow.field(15).name(), "sitemap");
    }

    #[test]
    fn what_cannot_be_read_back_is_refused() {
        let text = || ArrowField::new("stock", DataType::Utf8, true);
        for (schema, why) in [
            (with(text(), &[]), "no namespace"),
            (with(text(), &[("namespace", "urn:shop")]), "no prefix"),
            (with(text(), &[("namespace", "urn:shop"), ("prefix", "image")]), "a prefix of the table"),
            (with(text(), &[("namespace", "urn:shop"), ("prefix", "1a")]), "not a name"),
            (with(text().with_name("loc"), &[("namespace", "urn:shop"), ("prefix", "shop")]), "a column of the table"),
            (with(ArrowField::new("x", DataType::Binary, true), &[("namespace", "urn:s"), ("prefix", "s")]), "no form"),
        ] {
            assert!(Schema::with_extensions(&[schema]).is_err(), "{why}");
        }
    }
}
