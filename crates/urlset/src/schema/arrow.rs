//! The table as an Arrow schema: the columns, their types, and the facts of the table as metadata. Fills no column.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field as ArrowField, Fields, SchemaRef, TimeUnit};

use super::{Column, ColumnType, Field, Group, GroupId, Kind, Place, Schema, Shape, URL_GROUP};

impl Schema {
    pub(super) fn make_arrow(&self) -> SchemaRef {
        Arc::new(arrow_schema::Schema::new(self.arrow_fields(URL_GROUP)))
    }

    fn arrow_fields(&self, group: GroupId) -> Fields {
        let group = &self.groups[group];
        let of = |(at, column): (usize, &Column)| {
            let field = group.fields.iter().find(|f| f.column == at);
            let nullable = !(field.is_some_and(|f| f.required) && group.name == "url");
            let inner = self.arrow_type(column.ty);
            let ty = if column.list { DataType::List(Arc::new(ArrowField::new("item", inner, false))) } else { inner };
            ArrowField::new(&column.name, ty, nullable).with_metadata(self.metadata(group, field))
        };
        group.columns.iter().enumerate().map(of).collect()
    }

    /// The Arrow type of one value of a column.
    pub fn arrow_type(&self, ty: ColumnType) -> DataType {
        match ty {
            ColumnType::Utf8 | ColumnType::NestedForm => DataType::Utf8,
            ColumnType::Dictionary | ColumnType::Form => {
                DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
            }
            ColumnType::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            ColumnType::Float => DataType::Float64,
            ColumnType::Int => DataType::Int64,
            ColumnType::Bool => DataType::Boolean,
            ColumnType::Struct(group) => DataType::Struct(self.arrow_fields(group)),
        }
    }

    fn metadata(&self, group: &Group, field: Option<&Field>) -> HashMap<String, String> {
        let mut facts = HashMap::new();
        let Some(field) = field else { return facts };
        let mut fact = |key: &str, value: String| facts.insert(format!("urlset:{key}"), value);
        fact("element", field.element.clone());
        fact("kind", field.kind.name().into());
        if field.ns != group.ns && field.place == Place::Element {
            fact("namespace", self.namespaces[field.ns].uri.clone());
            fact("prefix", self.namespaces[field.ns].prefix.clone());
        }
        match &field.place {
            Place::Element => {}
            Place::Attribute => drop(fact("at", "attribute".into())),
            Place::Own => drop(fact("at", "text".into())),
            Place::AttributeOf(element) => drop(fact("at", format!("attribute of {element}"))),
        }
        if field.required {
            fact("required", "true".into());
        }
        if field.deprecated {
            fact("deprecated", "true".into());
        }
        if let Some((low, high)) = field.range {
            fact("min", low.to_string());
            fact("max", high.to_string());
        }
        if let Some(chars) = field.chars {
            fact("max_chars", chars.to_string());
        }
        if let Some(many) = field.many.filter(|&m| m != u32::MAX) {
            fact("max_items", many.to_string());
        }
        if let Kind::Choice(words) = &field.kind {
            fact("values", words.join(" "));
        }
        match field.shape {
            Shape::Free => {}
            Shape::Hreflang => drop(fact("shape", "hreflang".into())),
            Shape::Language => drop(fact("shape", "language".into())),
            Shape::Countries => drop(fact("shape", "countries".into())),
            Shape::Words(words) => {
                fact("shape", "words".into());
                fact("values", words.join(" "));
            }
        }
        if let Some((attribute, _)) = field.needs {
            fact("needs", attribute.into());
        }
        if let Some(value) = &field.assumed {
            fact("assumed", value.clone());
        }
        fact("by", field.by.clone());
        fact("doc", field.doc.clone());
        facts
    }
}
