//! Which element is the root, which are the entries, and what prefixes mean. Reads no entry.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Dialect, Xml};
use crate::codes::{Code, Fault};
use crate::read::names::{FOREIGN, Name, is_name, split};
use crate::scan::Tag;
use crate::schema::{GroupId, NO_NS, SITEMAP_NS, URL_GROUP};

impl Xml {
    /// The group of an entry with this name, adopting a dialect where no root said which.
    pub(super) fn entry_group(&mut self, name: Name, tag: &Tag<'_>) -> Option<GroupId> {
        if let Some(dialect) = &self.dialect {
            return dialect.entries.iter().find(|(symbol, _)| *symbol == name.symbol).map(|(_, group)| *group);
        }
        if self.html || name.symbol == 0 {
            // Without a root nothing gave the name a namespace: `<url>` alone still says what it is.
            return (!self.html).then(|| self.adopt_entry(tag)).flatten();
        }
        let schema = Arc::clone(&self.schema);
        let of = |d: &&crate::schema::Dialect| {
            d.entries.iter().any(|(n, g)| self.names.symbol(schema.groups[*g].ns, n) == name.symbol)
        };
        let dialect = schema.dialects.iter().position(|d| of(&d))?;
        self.adopt(dialect);
        self.no_root(tag);
        self.entry_group(name, tag)
    }

    pub(super) fn adopt_entry(&mut self, tag: &Tag<'_>) -> Option<GroupId> {
        let (prefix, local) = split(tag.name);
        let at = match local {
            b"url" => 0,
            b"sitemap" => 1,
            _ => return None,
        };
        self.adopt(at);
        self.names.assume(prefix, SITEMAP_NS);
        self.no_root(tag);
        Some(URL_GROUP)
    }

    pub(super) fn no_root(&mut self, tag: &Tag<'_>) {
        let root = self.unknown_root.take();
        self.rootless = root.is_none();
        self.rows.log.push(Code::STR001, || match root {
            Some((name, start, end)) => Fault::new(Code::STR001).at(start, end).value(&name),
            None => Fault::new(Code::STR001)
                .at(tag.offset, tag.end)
                .detail("entries stand without a root element, urlset or sitemapindex was expected"),
        });
    }

    pub(super) fn adopt(&mut self, at: usize) {
        let dialect = &self.schema.dialects[at];
        let feed = dialect.ns != SITEMAP_NS;
        let same = |d: &&crate::schema::Dialect| d.root == dialect.root && d.ns == dialect.ns;
        let entries = self.schema.dialects.iter().filter(same).flat_map(|d| &d.entries);
        let entries = entries.map(|(n, g)| (self.names.symbol(self.schema.groups[*g].ns, n), *g)).collect();
        let missing = if feed { Code::FED002 } else { Code::STR007 };
        if dialect.kind == "sitemapindex" {
            self.rows.judge.relative = self.relative_children;
        }
        self.dialect = Some(Dialect { kind: dialect.kind, feed, entries, missing });
    }

    /// Takes an element for the root when its name is that of one.
    pub(super) fn root(&mut self, name: Name, tag: &Tag<'_>) -> bool {
        let (prefix, local) = split(tag.name);
        let schema = Arc::clone(&self.schema);
        let named = |d: &crate::schema::Dialect| d.root.as_bytes().eq_ignore_ascii_case(local);
        if self.html && !local.eq_ignore_ascii_case(b"urlset") && !local.eq_ignore_ascii_case(b"sitemapindex") {
            return false;
        }
        let exact = schema.dialects.iter().position(|d| named(d) && d.ns == name.ns());
        let Some(at) = exact.or_else(|| schema.dialects.iter().position(named)) else { return false };
        self.html = false;
        let dialect = &schema.dialects[at];
        let span = (tag.offset, tag.end);
        if dialect.root.as_bytes() != local {
            self.rows.fault(Code::STR021, tag.name, span);
        }
        self.root_prefixed = !prefix.is_empty();
        let declared = tag.attributes().find(|(n, ..)| match prefix {
            b"" => *n == b"xmlns",
            prefix => n.strip_prefix(b"xmlns:") == Some(prefix),
        });
        match declared {
            Some((_, uri, offset)) => {
                let text = uri_of(uri);
                if text != schema.namespaces[dialect.ns].uri && dialect.ns != NO_NS {
                    let legacy = text.contains("/sitemap/0.84");
                    let code = match (legacy, text.is_empty()) {
                        (true, _) => Code::STR004,
                        (_, true) => Code::STR002,
                        _ => Code::STR003,
                    };
                    self.rows.fault(code, uri, (offset, offset + uri.len() as u64));
                }
            }
            None if dialect.ns != NO_NS => self.rows.fault(Code::STR002, b"", span),
            None => {}
        }
        self.names.assume(prefix, dialect.ns);
        if !prefix.is_empty() && !self.names.has_default() {
            self.names.assume(b"", dialect.ns);
        }
        self.adopt(at);
        self.unknown_root = None;
        true
    }

    /// Namespace declarations of a tag.
    pub(super) fn declarations(&mut self, tag: &Tag<'_>) {
        let depth = self.stack.len() + 1;
        let mut prefixed = false;
        for (name, uri, offset) in tag.attributes() {
            let prefix: &[u8] = match name.strip_prefix(b"xmlns") {
                Some(b"") => b"",
                Some([b':', prefix @ ..]) if !prefix.is_empty() => {
                    prefixed |= prefix.contains(&b':');
                    prefix
                }
                _ => {
                    prefixed |= name.contains(&b':');
                    continue;
                }
            };
            let text = uri_of(uri);
            let ns = match self.schema.namespace(&text) {
                Some((ns, exact)) => {
                    if !exact && (ns != SITEMAP_NS || self.dialect.is_some()) && !self.html {
                        let xhtml = self.schema.namespaces[ns].prefix == "xhtml";
                        let code = match ns {
                            SITEMAP_NS => Code::STR003, // that of the root is judged with it
                            _ if xhtml => Code::ALT013,
                            _ => Code::STR024,
                        };
                        self.tell_once(code, uri, (offset, offset + uri.len() as u64));
                    }
                    ns
                }
                None => FOREIGN,
            };
            self.names.declare(prefix, ns, depth);
        }
        if prefixed {
            for name in tag.attributes().map(|a| a.0).filter(|name| name.contains(&b':')) {
                let (prefix, _) = split(name);
                if !is_name(name) {
                    self.tell_once(Code::XML001, name, (tag.offset, tag.end));
                } else if !self.names.is_declared(prefix) {
                    self.tell_once(Code::XML022, prefix, (tag.offset, tag.end));
                }
            }
        }
    }
}

/// The address of a namespace as meant.
pub(super) fn uri_of(written: &[u8]) -> Cow<'_, str> {
    if memchr::memchr(b'&', written).is_none() {
        return String::from_utf8_lossy(written);
    }
    let mut text = Vec::with_capacity(written.len());
    crate::scan::resolve(written, true, &mut text, |_, _| {});
    Cow::Owned(String::from_utf8_lossy(&text).into_owned())
}
