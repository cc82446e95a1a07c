//! Entries to whole files, cut exactly where a limit is reached. Knows bytes and limits, no column.

use std::ops::Range;

use super::days::Newest;
use super::escape;
use super::plan::{Plan, Used};
use super::{Format, Kind, Options};
use crate::value::date::Form;

/// What stands round the entries of a file.
pub(super) struct Frame {
    start: Vec<u8>,
    start_end: &'static [u8],
    end: &'static [u8],
}

impl Frame {
    pub(super) fn new(options: &Options, kind: Kind) -> Self {
        if options.format == Format::Text {
            return Self { start: Vec::new(), start_end: b"", end: b"" };
        }
        let mut start = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_vec();
        if let Some(href) = &options.stylesheet {
            start.extend_from_slice(b"<?xml-stylesheet type=\"text/xsl\" href=\"");
            let _ = escape::attribute(href, &mut start); // `Options::check` has seen that it can be written
            start.extend_from_slice(b"\"?>\n");
        }
        let (open, end): (&[u8], &'static [u8]) = match kind {
            Kind::Urlset => (b"<urlset xmlns=\"", b"</urlset>\n"),
            Kind::Index => (b"<sitemapindex xmlns=\"", b"</sitemapindex>\n"),
        };
        start.extend_from_slice(open);
        let _ = escape::attribute(&options.schema.namespaces[crate::schema::SITEMAP_NS].uri, &mut start);
        start.push(b'"');
        Self { start, start_end: b">\n", end }
    }

    /// Bytes of a file without its entries.
    pub(super) fn len(&self, plan: Option<&Plan>, used: Used) -> usize {
        self.head_len(plan, used) + self.end.len()
    }

    fn head_len(&self, plan: Option<&Plan>, used: Used) -> usize {
        self.start.len() + declared(plan, used).map(Vec::len).sum::<usize>() + self.start_end.len()
    }

    fn write_head(&self, plan: Option<&Plan>, used: Used, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.start);
        declared(plan, used).for_each(|d| out.extend_from_slice(d));
        out.extend_from_slice(self.start_end);
    }
}

/// The declarations of the namespaces used, in the order of the table.
fn declared(plan: Option<&Plan>, used: Used) -> impl Iterator<Item = &Vec<u8>> {
    plan.into_iter().flat_map(move |plan| {
        plan.declarations.iter().enumerate().filter(move |(ns, _)| used & (1 << ns) != 0).map(|(_, d)| d)
    })
}

/// The limits of one file.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub urls: u64,
    pub bytes: usize,
    /// Entries with a namespace of which a file takes only so many.
    pub few: (Used, u64),
}

/// A file being filled. Room for its head is left in front; when the guess was wrong, the entries are moved once.
pub(super) struct Open {
    pub buffer: Vec<u8>,
    room: usize,
    /// The plan its entries follow, once that has been decided.
    pub plan: Option<usize>,
    rows: u64,
    few: u64,
    used: Used,
    newest: Newest,
    first: String,
    last: Range<usize>,
    /// Bytes around the entries for the namespaces used so far.
    frame: usize,
}

/// A file that is full, before compression.
pub(super) struct Full {
    pub data: Vec<u8>,
    pub rows: u64,
    pub lastmod: Option<(i64, Form)>,
    pub first: String,
    pub last: String,
}

impl Open {
    /// An empty file in a buffer that may have been used before.
    pub(super) fn new(mut buffer: Vec<u8>, frame: &Frame, plan: Option<&Plan>, used: Used) -> Self {
        let room = frame.head_len(plan, used);
        buffer.clear();
        buffer.resize(room, b' ');
        Self {
            buffer,
            room,
            plan: None,
            rows: 0,
            few: 0,
            used: 0,
            newest: Newest::default(),
            first: String::new(),
            last: 0..0,
            frame: frame.len(None, 0),
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The namespaces of its entries.
    pub(super) const fn used(&self) -> Used {
        self.used
    }

    /// Whether the entry at the end of the buffer, which uses these namespaces, may stay there.
    #[inline]
    pub(super) fn fits(&mut self, frame: &Frame, plan: Option<&Plan>, used: Used, limits: &Limits) -> bool {
        let around = if used & !self.used == 0 { self.frame } else { frame.len(plan, self.used | used) };
        let fits = around + (self.buffer.len() - self.room) <= limits.bytes
            && self.rows < limits.urls
            && (used & limits.few.0 == 0 || self.few < limits.few.1);
        if fits {
            self.frame = around;
        }
        fits
    }

    /// Takes the entry in.
    #[inline]
    pub(super) fn accept(&mut self, used: Used, limits: &Limits, loc: Range<usize>, lastmod: Option<(i64, Form)>) {
        if self.rows == 0 {
            self.first = self.address(&loc);
        }
        self.rows += 1;
        self.few += u64::from(used & limits.few.0 != 0);
        self.used |= used;
        self.last = loc;
        if let Some((micros, form)) = lastmod {
            self.newest.add(micros, form);
        }
    }

    /// An address of the buffer, without the only escape that an encoded URL has.
    fn address(&self, at: &Range<usize>) -> String {
        String::from_utf8_lossy(&self.buffer[at.clone()]).replace("&amp;", "&")
    }

    /// The whole file.
    pub(super) fn close(mut self, frame: &Frame, plan: Option<&Plan>) -> Full {
        let last = self.address(&self.last);
        let mut head = Vec::with_capacity(frame.head_len(plan, self.used));
        frame.write_head(plan, self.used, &mut head);
        if head.len() == self.room {
            self.buffer[..self.room].copy_from_slice(&head);
        } else {
            self.buffer.splice(..self.room, head);
        }
        self.buffer.extend_from_slice(frame.end);
        Full { data: self.buffer, rows: self.rows, lastmod: self.newest.get(), first: self.first, last }
    }
}
