//! What comes after decoding: the head by which a parser is chosen, the parser, and the places of its faults. Decodes nothing.

use arrow_schema::SchemaRef;

use super::position::Lines;
use super::rows::Rows;
use super::sniff::{Format, sniff};
use super::text::List;
use super::xml::Xml;
use super::{Kind, Options, robots, sniff};
use crate::codes::Code;
use crate::scan::Scanner;

/// Bytes of a robots.txt that are kept: four times what a crawler must read.
pub(super) const ROBOTS_BYTES: usize = 4 * robots::MAX_BYTES;

/// What comes after decoding.
#[derive(Debug)]
pub(super) struct Core {
    pub options: Options,
    pub parser: Parser,
    pub head: Vec<u8>,
    /// Do not look at the head again before there are this many bytes.
    pub wait: usize,
    pub lines: Lines,
    pub arrow: SchemaRef,
    pub kind: Option<Kind>,
}

#[derive(Debug)]
pub(super) enum Parser {
    Undecided(Box<Rows>),
    Xml(Box<(Scanner, Xml)>),
    List(Box<List>),
    Robots(Box<Rows>, Vec<u8>),
    Nothing(Box<Rows>),
}

impl Core {
    pub fn rows(&mut self) -> &mut Rows {
        match &mut self.parser {
            Parser::Undecided(rows) | Parser::Nothing(rows) | Parser::Robots(rows, _) => rows,
            Parser::Xml(parts) => &mut parts.1.rows,
            Parser::List(list) => &mut list.rows,
        }
    }

    pub fn rows_ref(&self) -> &Rows {
        match &self.parser {
            Parser::Undecided(rows) | Parser::Nothing(rows) | Parser::Robots(rows, _) => rows,
            Parser::Xml(parts) => &parts.1.rows,
            Parser::List(list) => &list.rows,
        }
    }

    /// Whether nothing that is still to come can be a fault.
    pub fn deaf(&self) -> bool {
        match &self.parser {
            Parser::Xml(parts) => parts.1.stopped(),
            Parser::Nothing(_) => true,
            Parser::Undecided(_) | Parser::List(_) | Parser::Robots(..) => false,
        }
    }

    pub fn declare(&mut self, declared: bool) {
        self.rows().declared = declared;
    }

    pub fn error(&mut self) -> Option<crate::error::Error> {
        match &mut self.parser {
            Parser::Xml(parts) => parts.1.error.take(),
            Parser::List(list) => list.error.take(),
            _ => None,
        }
    }

    /// Takes decoded bytes.
    pub fn take(&mut self, text: &[u8], last: bool) {
        if !matches!(self.parser, Parser::Undecided(_)) {
            return self.parse(text);
        }
        let mut head = std::mem::take(&mut self.head);
        // What did not suffice is looked at again when it has doubled, so that small chunks cost no more than large ones.
        if !last && !head.is_empty() && head.len() + text.len() < self.wait {
            head.extend_from_slice(text);
            self.head = head;
            return;
        }
        let whole: &[u8] = if head.is_empty() {
            text
        } else {
            head.extend_from_slice(text);
            &head
        };
        match sniff(whole, last, self.options.name.as_deref(), self.options.content_type.as_deref()) {
            Some(format) => {
                self.decide(format, whole);
                self.parse(whole);
            }
            None if head.is_empty() => self.head = text.to_vec(),
            None => self.head = head,
        }
        self.wait = (self.head.len() * 2).min(sniff::HEAD);
    }

    pub fn decide(&mut self, format: Format, head: &[u8]) {
        let Parser::Undecided(_) = &self.parser else { return };
        let empty = Parser::Robots(Box::new(Rows::idle(&self.options)), Vec::new());
        let Parser::Undecided(mut rows) = std::mem::replace(&mut self.parser, empty) else { return };
        (self.kind, self.parser) = match format {
            Format::Xml => {
                let scanner = Scanner::new(self.options.limits.max_text);
                (None, Parser::Xml(Box::new((scanner, Xml::new(*rows, &self.options)))))
            }
            Format::Text => (Some(Kind::Text), Parser::List(Box::new(List::new(*rows, &self.options)))),
            Format::Robots => {
                rows.judge.relative = self.options.relative_children;
                (Some(Kind::Robots), Parser::Robots(rows, Vec::new()))
            }
            Format::Empty => {
                rows.fault(Code::XML021, b"", (0, head.len() as u64));
                (Some(Kind::Empty), Parser::Nothing(rows))
            }
            Format::Unknown => {
                let shown = &head[..head.len().min(40)];
                rows.fault(Code::XML020, shown.escape_ascii().to_string().as_bytes(), (0, shown.len() as u64));
                (Some(Kind::Unknown), Parser::Nothing(rows))
            }
        };
    }

    pub fn parse(&mut self, text: &[u8]) {
        let (offset, anchors) = match &mut self.parser {
            Parser::Xml(parts) => {
                let (scanner, xml) = &mut **parts;
                if xml.stopped() {
                    return;
                }
                scanner.feed(text, xml);
                (scanner.offset(), xml.anchors(scanner.offset()))
            }
            Parser::List(list) => {
                list.feed(text);
                (list.offset(), list.anchors())
            }
            Parser::Robots(_, bytes) => {
                let room = ROBOTS_BYTES.saturating_sub(bytes.len());
                bytes.extend_from_slice(&text[..text.len().min(room)]);
                if bytes.len() == ROBOTS_BYTES {
                    self.robots();
                }
                return;
            }
            Parser::Undecided(_) | Parser::Nothing(_) => return self.settle(text),
        };
        self.settle(text);
        self.lines.go_on(text, offset, &anchors);
    }

    /// Reads what was kept of a robots.txt, and nothing after it.
    pub fn robots(&mut self) {
        let idle = Parser::Nothing(Box::new(Rows::idle(&self.options)));
        let Parser::Robots(mut rows, bytes) = std::mem::replace(&mut self.parser, idle) else { return };
        rows.robots(&bytes);
        self.parser = Parser::Nothing(rows);
        self.settle(&bytes);
    }

    /// Gives the new faults their lines and columns.
    pub fn settle(&mut self, text: &[u8]) {
        let lines = std::mem::take(&mut self.lines);
        let faults = self.rows().unplaced();
        if !faults.is_empty() {
            let offsets: Vec<u64> = faults.iter().map(|f| f.offset.unwrap_or(u64::MAX)).collect();
            for (fault, place) in faults.iter_mut().zip(lines.locate(text, &offsets)) {
                fault.line = place.map(|p| p.line);
                fault.column = place.map(|p| p.column);
            }
        }
        self.lines = lines;
    }

    /// `cut` says that the end is missing, `told` that it was said why there may be nothing.
    pub fn finish(&mut self, cut: bool, told: bool) {
        if matches!(self.parser, Parser::Undecided(_)) {
            if told && self.head.iter().all(|&b| crate::scan::is_space(b)) {
                self.kind = Some(Kind::Unknown);
                return;
            }
            self.take(b"", true);
        }
        match &mut self.parser {
            Parser::Xml(parts) => {
                let (scanner, xml) = &mut **parts;
                scanner.finish(xml);
                xml.finish(scanner.offset());
            }
            Parser::List(list) => list.finish(cut),
            Parser::Robots(..) => return self.robots(),
            Parser::Undecided(_) | Parser::Nothing(_) => {}
        }
        self.settle(b"");
    }
}
