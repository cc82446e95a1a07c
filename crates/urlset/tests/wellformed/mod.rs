//! The judge of damage: XML 1.0 with namespaces, to the letter, over a whole document. Repairs nothing, expands no declaration.

/// An element of a well-formed document.
#[derive(Debug, Default)]
pub struct Element {
    pub ns: String,
    pub name: String,
    pub attributes: Vec<(String, String)>,
    /// Its own text, references resolved.
    pub text: String,
    pub children: Vec<Element>,
}

/// The root of a document; `None` when it is not well-formed.
pub fn parse(document: &[u8]) -> Option<Element> {
    let text = std::str::from_utf8(document).ok()?;
    let good = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..);
    if !text.chars().all(good) {
        return None;
    }
    let mut parser = Parser { rest: text, bindings: vec![("xml".into(), "xml".into())] };
    if text.starts_with("<?xml ") {
        parser.rest = text.split_once("?>")?.1;
    }
    parser.misc()?;
    let root = parser.element(0)?;
    parser.misc()?;
    parser.rest.is_empty().then_some(root)
}

struct Parser<'a> {
    rest: &'a str,
    /// Prefixes and what they stand for, innermost last.
    bindings: Vec<(String, String)>,
}

const SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

impl<'a> Parser<'a> {
    fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn space(&mut self) -> bool {
        let before = self.rest.len();
        self.rest = self.rest.trim_start_matches(SPACE);
        self.rest.len() < before
    }

    fn up_to(&mut self, end: &str) -> Option<&'a str> {
        let (text, rest) = self.rest.split_once(end)?;
        self.rest = rest;
        Some(text)
    }

    /// A comment or instruction, if one stands here; `None` when it is broken.
    fn aside(&mut self) -> Option<bool> {
        if self.take("<!--") {
            let text = self.up_to("-->")?;
            return (!text.contains("--") && !text.ends_with('-')).then_some(true);
        }
        if self.take("<?") {
            let target = self.name()?;
            if target.eq_ignore_ascii_case("xml") || target.contains(':') {
                return None;
            }
            let data = self.up_to("?>")?;
            return (data.is_empty() || data.starts_with(SPACE)).then_some(true);
        }
        Some(false)
    }

    fn misc(&mut self) -> Option<()> {
        while self.space() || self.aside()? {}
        Some(())
    }

    fn name(&mut self) -> Option<&'a str> {
        let end = self.rest.find(|c| !name_char(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        let parts: Vec<&str> = name.split(':').collect();
        let good = |part: &&str| part.chars().next().is_some_and(name_start);
        (parts.len() <= 2 && parts.iter().all(good)).then_some(name)
    }

    /// Namespace and local name; without a prefix the default namespace only where `default` says so.
    fn resolve(&self, name: &str, default: bool) -> Option<(String, String)> {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        if prefix.is_empty() && !default {
            return Some((String::new(), local.into()));
        }
        let bound = self.bindings.iter().rev().find(|b| b.0 == prefix).map(|b| b.1.clone());
        let ns = if prefix.is_empty() { bound.unwrap_or_default() } else { bound.filter(|ns| !ns.is_empty())? };
        Some((ns, local.into()))
    }

    fn element(&mut self, depth: usize) -> Option<Element> {
        if depth > 200 || !self.take("<") {
            return None;
        }
        let name = self.name()?;
        let mut attributes: Vec<(&str, String)> = Vec::new();
        let empty = loop {
            let space = self.space();
            if self.take("/>") {
                break true;
            }
            if self.take(">") {
                break false;
            }
            let attribute = self.name().filter(|_| space)?;
            self.space();
            if !self.take("=") {
                return None;
            }
            self.space();
            let quote = ["\"", "'"].into_iter().find(|q| self.take(q))?;
            let raw = self.up_to(quote)?;
            if raw.contains('<') || attributes.iter().any(|a| a.0 == attribute) {
                return None;
            }
            attributes.push((attribute, references(&raw.replace(['\t', '\n', '\r'], " "))?));
        };
        let bindings = self.bindings.len();
        for (attribute, value) in &attributes {
            if *attribute == "xmlns" {
                self.bindings.push((String::new(), value.clone()));
            } else if let Some(prefix) = attribute.strip_prefix("xmlns:") {
                if value.is_empty() {
                    return None;
                }
                self.bindings.push((prefix.into(), value.clone()));
            }
        }
        let (ns, local) = self.resolve(name, true)?;
        let mut element = Element { ns, name: local, ..Element::default() };
        let mut expanded = Vec::new();
        for (attribute, value) in attributes {
            if attribute != "xmlns" && !attribute.starts_with("xmlns:") {
                let resolved = self.resolve(attribute, false)?;
                if expanded.contains(&resolved) {
                    return None;
                }
                expanded.push(resolved);
                element.attributes.push((attribute.into(), value));
            }
        }
        if !empty {
            self.content(&mut element, depth)?;
            if !self.take("</") || self.name()? != name {
                return None;
            }
            self.space();
            if !self.take(">") {
                return None;
            }
        }
        self.bindings.truncate(bindings);
        Some(element)
    }

    fn content(&mut self, element: &mut Element, depth: usize) -> Option<()> {
        loop {
            let text = self.rest.split_once('<')?.0;
            if text.contains("]]>") {
                return None;
            }
            element.text += &references(&text.replace("\r\n", "\n").replace('\r', "\n"))?;
            self.rest = &self.rest[text.len()..];
            if self.rest.starts_with("</") {
                return Some(());
            }
            if self.take("<![CDATA[") {
                element.text += &self.up_to("]]>")?.replace("\r\n", "\n").replace('\r', "\n");
            } else if !self.aside()? {
                element.children.push(self.element(depth + 1)?);
            }
        }
    }
}

/// Text with its references resolved; `None` when one is none.
fn references(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut parts = text.split('&');
    out += parts.next()?;
    for part in parts {
        let (name, rest) = part.split_once(';')?;
        let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
        let c = match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            _ => match name.strip_prefix('#')?.strip_prefix('x') {
                Some(hex) if hex.chars().all(|c| c.is_ascii_hexdigit()) => number(hex, 16)?,
                None if name[1..].chars().all(|c| c.is_ascii_digit()) => number(&name[1..], 10)?,
                _ => return None,
            },
        };
        if !matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..) {
            return None;
        }
        out.push(c);
        out += rest;
    }
    Some(out)
}

fn name_start(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '_' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

fn name_char(c: char) -> bool {
    name_start(c)
        || matches!(c, ':' | '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}
