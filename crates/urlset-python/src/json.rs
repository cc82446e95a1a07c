//! JSON into columns of texts, value by value as the parser meets them. Makes no tree, judges no value.

use std::borrow::Cow;
use std::fmt;
use std::io::Write as _;

use serde::de::{self, DeserializeSeed, Deserializer as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::texts::{Node, Path, Struct, Takes, Target, Texts, Value, Wrong};

/// Puts an object into the open row.
pub(crate) fn object(text: &[u8], texts: &mut Texts) -> Result<(), Wrong> {
    let row = texts.rows;
    let Texts { top, ignored, .. } = texts;
    let mut wrong = None;
    let mut parser = serde_json::Deserializer::from_slice(text);
    let seed = Object { inner: top, row, at: Place { path: &Path::ROW, ignored, wrong: &mut wrong } };
    finish(parser.deserialize_any(seed).and_then(|()| parser.end()), &Path::ROW, wrong)
}

/// Whether a text is meant as JSON, and not as a value of its own.
pub(crate) fn is_json(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['{', '[', '"']) || matches!(text, "null" | "true" | "false")
}

/// Puts a JSON value into row `row` of a column.
pub(crate) fn value(
    text: &str,
    node: &mut Node,
    row: usize,
    path: &Path,
    ignored: &mut Vec<String>,
) -> Result<(), Wrong> {
    let mut wrong = None;
    let mut parser = serde_json::Deserializer::from_slice(text.as_bytes());
    let seed = Seed { node, row, at: Place { path, ignored, wrong: &mut wrong } };
    finish(seed.deserialize(&mut parser).and_then(|()| parser.end()), path, wrong)
}

fn finish(result: serde_json::Result<()>, path: &Path, wrong: Option<Wrong>) -> Result<(), Wrong> {
    match (wrong, result) {
        (Some(wrong), _) => Err(wrong),
        (None, Ok(())) => Ok(()),
        (None, Err(error)) => {
            let expected = if path.is_row() { "an object" } else { "JSON" };
            Err(Wrong::new(path, &format!("not JSON ({error})"), None, expected))
        }
    }
}

/// Where the parser is, and what has been found there.
struct Place<'a> {
    path: &'a Path<'a>,
    ignored: &'a mut Vec<String>,
    wrong: &'a mut Option<Wrong>,
}

impl Place<'_> {
    #[cold]
    fn wrong<E: de::Error>(&mut self, is: &str, value: Option<&str>, expected: &str) -> E {
        *self.wrong = Some(Wrong::new(self.path, is, value.map(str::to_owned), expected));
        E::custom("refused")
    }
}

/// A value for a column.
struct Seed<'a> {
    node: &'a mut Node,
    row: usize,
    at: Place<'a>,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, parser: D) -> Result<(), D::Error> {
        match self.node {
            Node::Value(value) => parser.deserialize_any(Single { value, row: self.row, at: self.at }),
            Node::Struct(inner) => parser.deserialize_any(Object { inner, row: self.row, at: self.at }),
            Node::List(_) => parser.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        // JSON within JSON: how databases without nested types keep it.
        if text.trim().is_empty() {
            return Ok(());
        }
        value(text, self.node, self.row, self.at.path, self.at.ignored).map_err(|wrong| {
            *self.at.wrong = Some(wrong);
            E::custom("refused")
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        let Node::List(list) = self.node else { return Err(self.at.wrong("a list", None, "a single value")) };
        let start = list.next();
        loop {
            let row = list.next();
            let path = self.at.path.item(row - start);
            let at = Place { path: &path, ignored: self.at.ignored, wrong: self.at.wrong };
            if items.next_element_seed(Seed { node: &mut list.item, row, at })?.is_none() {
                break;
            }
        }
        list.close(self.row, start);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, _: A) -> Result<(), A::Error> {
        Err(self.at.wrong("an object", None, "a list"))
    }

    fn visit_bool<E: de::Error>(mut self, _: bool) -> Result<(), E> {
        Err(self.at.wrong("true or false", None, "a list"))
    }

    fn visit_i64<E: de::Error>(mut self, _: i64) -> Result<(), E> {
        Err(self.at.wrong("a number", None, "a list"))
    }

    fn visit_u64<E: de::Error>(mut self, _: u64) -> Result<(), E> {
        Err(self.at.wrong("a number", None, "a list"))
    }

    fn visit_f64<E: de::Error>(mut self, _: f64) -> Result<(), E> {
        Err(self.at.wrong("a number", None, "a list"))
    }
}

/// An object for a column with children.
struct Object<'a> {
    inner: &'a mut Struct,
    row: usize,
    at: Place<'a>,
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_unit<E: de::Error>(mut self) -> Result<(), E> {
        if self.at.path.is_row() {
            return Err(self.at.wrong("null", None, "an object"));
        }
        Ok(())
    }

    fn visit_str<E: de::Error>(mut self, text: &str) -> Result<(), E> {
        if self.at.path.is_row() {
            // A line that is a text alone is an address alone.
            if let Some(Target::Column(at)) = self.inner.target("loc")
                && let Node::Value(value) = &mut self.inner.children[at]
            {
                value.text(self.row, text);
            }
            return Ok(());
        }
        if text.trim().is_empty() {
            return Ok(());
        }
        if !is_json(text) {
            let taken = self.inner.alone(self.row, text);
            return if taken { Ok(()) } else { Err(self.at.wrong("a string", Some(text), "an object")) };
        }
        let mut parser = serde_json::Deserializer::from_str(text);
        let path = self.at.path;
        let at = Place { path, ignored: self.at.ignored, wrong: self.at.wrong };
        let result =
            parser.deserialize_any(Object { inner: self.inner, row: self.row, at }).and_then(|()| parser.end());
        finish(result, path, self.at.wrong.take()).map_err(|wrong| {
            *self.at.wrong = Some(wrong);
            E::custom("refused")
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { inner, row, at: Place { path, ignored, wrong } } = self;
        inner.open(row);
        while let Some(name) = map.next_key::<Name>()? {
            match inner.target(&name.0) {
                Some(Target::Column(child)) => {
                    let field = inner.field(child);
                    let path = path.name(field.name());
                    let at = Place { path: &path, ignored, wrong };
                    map.next_value_seed(Seed { node: &mut inner.children[child], row, at })?;
                }
                Some(Target::Form(child)) => {
                    if let Some(form) = map.next_value::<Option<Cow<'_, str>>>()? {
                        inner.form(child, &form);
                    }
                }
                Some(Target::Silent) => drop(map.next_value::<IgnoredAny>()?),
                None => {
                    inner.ignore(ignored, path, &name.0);
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        inner.close(row);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, _: A) -> Result<(), A::Error> {
        Err(self.at.wrong("a list", None, "an object"))
    }

    fn visit_bool<E: de::Error>(mut self, _: bool) -> Result<(), E> {
        Err(self.at.wrong("true or false", None, "an object"))
    }

    fn visit_i64<E: de::Error>(mut self, _: i64) -> Result<(), E> {
        Err(self.at.wrong("a number", None, "an object"))
    }

    fn visit_u64<E: de::Error>(mut self, _: u64) -> Result<(), E> {
        Err(self.at.wrong("a number", None, "an object"))
    }

    fn visit_f64<E: de::Error>(mut self, _: f64) -> Result<(), E> {
        Err(self.at.wrong("a number", None, "an object"))
    }
}

/// A name, borrowed from the text where it holds no escape.
struct Name<'de>(Cow<'de, str>);

impl<'de> de::Deserialize<'de> for Name<'de> {
    fn deserialize<D: de::Deserializer<'de>>(parser: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(name)))
            }

            fn visit_str<E>(self, name: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(name.to_owned())))
            }
        }
        parser.deserialize_str(Names)
    }
}

/// A single value.
struct Single<'a> {
    value: &'a mut Value,
    row: usize,
    at: Place<'a>,
}

impl Single<'_> {
    fn number<E: de::Error>(&mut self, number: impl fmt::Display) -> Result<(), E> {
        if matches!(self.value.takes, Takes::Flag | Takes::Date) {
            let text = number.to_string();
            return Err(self.at.wrong(&format!("the number {text}"), Some(&text), self.value.takes.expected()));
        }
        self.value.write(self.row, |out| drop(write!(out, "{number}")));
        Ok(())
    }
}

impl<'de> Visitor<'de> for Single<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.value.takes.expected())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.value.text(self.row, text);
        Ok(())
    }

    fn visit_bool<E: de::Error>(mut self, yes: bool) -> Result<(), E> {
        if self.value.takes != Takes::Flag {
            return Err(self.at.wrong(if yes { "true" } else { "false" }, None, self.value.takes.expected()));
        }
        self.value.text(self.row, if yes { "yes" } else { "no" });
        Ok(())
    }

    fn visit_i64<E: de::Error>(mut self, number: i64) -> Result<(), E> {
        self.number(number)
    }

    fn visit_u64<E: de::Error>(mut self, number: u64) -> Result<(), E> {
        self.number(number)
    }

    fn visit_f64<E: de::Error>(mut self, number: f64) -> Result<(), E> {
        if self.value.takes == Takes::Text {
            // Its digits may not be those of the file.
            return Err(self.at.wrong("a fraction", Some(&number.to_string()), "a string"));
        }
        self.number(number)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, _: A) -> Result<(), A::Error> {
        Err(self.at.wrong("a list", None, self.value.takes.expected()))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, _: A) -> Result<(), A::Error> {
        Err(self.at.wrong("an object", None, self.value.takes.expected()))
    }
}
