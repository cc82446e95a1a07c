//! Bytes to columns: the stages a file goes through on its way in. Opens nothing and fetches nothing.
//!
//! ```text
//! bytes -> inflate -> charset -> sniff -> { xml | text | robots } -> rows -> batches
//! ```

pub mod charset;
mod clean;
mod decoded;
pub mod inflate;
mod judge;
mod names;
mod options;
mod position;
mod prefixes;
pub mod robots;
mod rows;
mod sniff;
mod text;
mod value;
mod xml;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::codes::{Code, Fault, Log};
use crate::error::Result;

pub use options::{Limits, Options, Relative};

use charset::Decode;
use decoded::{Core, Parser, ROBOTS_BYTES};
use inflate::Inflate;
use position::Lines;
use rows::Rows;

/// Bytes passed to a parser at a time, so that what it touches stays in the cache.
const STEP: usize = 256 * 1024;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A sitemap.
    Urlset,
    /// A sitemap index.
    Index,
    /// A text list.
    Text,
    /// RSS 0.9 to 2.0.
    Rss,
    /// Atom 0.3 or 1.0.
    Atom,
    /// robots.txt.
    Robots,
    /// An HTML page.
    Html,
    /// Nothing, or white space.
    Empty,
    /// Anything else.
    Unknown,
}

impl Kind {
    /// The word used in tables and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Urlset => "urlset",
            Self::Index => "sitemapindex",
            Self::Text => "text",
            Self::Rss => "rss",
            Self::Atom => "atom",
            Self::Robots => "robots",
            Self::Html => "html",
            Self::Empty => "empty",
            Self::Unknown => "unknown",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Urlset, Self::Index, Self::Rss, Self::Atom].into_iter().find(|k| k.as_str() == name)
    }
}

/// Reads one file, push-fed: bytes in, batches and faults out.
///
/// ```
/// use urlset::read::{Options, Reader};
/// let mut reader = Reader::new(Options::default()).unwrap();
/// reader.feed(b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>").unwrap();
/// reader.feed(b"<loc>https://a.example/</loc></url></urlset>").unwrap();
/// reader.finish(false).unwrap();
/// assert_eq!(reader.take_batches()[0].num_rows(), 1);
/// assert!(reader.take_faults().is_empty());
/// ```
#[derive(Debug)]
pub struct Reader {
    inflate: Inflate,
    decode: Decode,
    stages: Log,
    core: Core,
    faults: Vec<Fault>,
    /// Earlier places that faults may still name: decoded and source offsets.
    pins: Vec<(u64, u64)>,
    finished: bool,
    /// The transport knows that bytes are missing.
    cut: bool,
}

impl Reader {
    /// A reader.
    ///
    /// Errors: [`crate::error::ErrorKind::Option`] for a column that the table does not have.
    pub fn new(options: Options) -> Result<Self> {
        let rows = Rows::new(&options)?;
        let charset = options.charset().map(str::to_owned);
        Ok(Self {
            inflate: Inflate::new(options.limits.max_bytes, options.limits.max_ratio),
            decode: Decode::new(charset.as_deref()),
            stages: Log::new(options.limits.max_findings),
            core: Core {
                arrow: rows.arrow(),
                parser: Parser::Undecided(Box::new(rows)),
                options,
                head: Vec::new(),
                wait: 0,
                lines: Lines::default(),
                kind: None,
            },
            faults: Vec::new(),
            pins: Vec::new(),
            finished: false,
            cut: false,
        })
    }

    /// Takes the next bytes of the file. Chunks of 64 KiB or more are the fastest; how they are cut never shows.
    ///
    /// Errors: only what Arrow refuses, which is a defect of ours; a bad file is no error.
    pub fn feed(&mut self, mut data: &[u8]) -> Result<()> {
        while !data.is_empty() {
            let (now, later) = data.split_at(data.len().min(STEP));
            let Self { inflate, decode, stages, core, .. } = self;
            inflate.feed(now, stages, &mut |plain, log| {
                decode.decide(plain, false, log);
                core.declare(decode.declared());
                decode.feed(plain, log, &mut |text, _| core.take(text, false));
            });
            self.settle()?;
            data = later;
        }
        Ok(())
    }

    /// Ends the file. `cut` says that the transport knows that bytes are missing.
    ///
    /// Errors: as [`Reader::feed`].
    pub fn finish(&mut self, cut: bool) -> Result<()> {
        if std::mem::replace(&mut self.finished, true) {
            return Ok(());
        }
        self.cut = cut;
        let Self { inflate, decode, stages, core, .. } = self;
        inflate.finish(stages, &mut |plain, log| {
            decode.decide(plain, false, log);
            core.declare(decode.declared());
            decode.feed(plain, log, &mut |text, _| core.take(text, false));
        });
        decode.decide(b"", true, stages);
        core.declare(decode.declared());
        decode.finish(stages, &mut |text, _| core.take(text, false));
        core.finish(cut || inflate.is_cut(), inflate.is_refused() || inflate.is_cut());
        if core.kind == Some(Kind::Robots) && decode.charset() == "UTF-8" && decode.bom_bytes() > 0 {
            // The mark was taken off before the lines were read.
            stages.push(Code::ROB009, || {
                let mut fault = Fault::new(Code::ROB009).at(0, decode.bom_bytes() as u64);
                (fault.line, fault.column) = (Some(1), Some(1));
                fault.detail("robots.txt starts with a byte order mark, plain UTF-8 was expected")
            });
        }
        self.stages.close();
        self.core.rows().log.close();
        self.settle()
    }

    /// Brings faults home to source offsets, and passes on an error.
    fn settle(&mut self) -> Result<()> {
        // Which family speaks of an encoding depends on what the file is, and that on its first bytes, not on the first chunk.
        if self.finished || !matches!(self.core.parser, Parser::Undecided(_)) {
            let kind = self.core.kind;
            self.faults.extend(self.stages.drain().into_iter().map(|fault| of_family(fault, kind)));
        }
        let Self { core, decode, faults, pins, .. } = self;
        let pinned = |at: u64| pins.iter().find(|p| p.0 == at).map_or_else(|| decode.source_offset(at), |p| p.1);
        for fault in core.rows().unhomed() {
            fault.offset = fault.offset.map(pinned);
            fault.end = fault.end.map(pinned);
        }
        faults.extend(core.rows().drain_faults());
        *pins = core.lines.anchors().map(|at| (at, pinned(at))).collect();
        decode.forget_before(if core.deaf() { u64::MAX } else { core.lines.start() });
        match self.core.error() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Batches finished since the last call.
    pub fn take_batches(&mut self) -> Vec<RecordBatch> {
        self.core.rows().take_batches()
    }

    /// Faults found since the last call.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// The schema of the batches.
    pub fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.core.arrow)
    }

    /// What the file is, as soon as that is known.
    pub fn kind(&self) -> Option<Kind> {
        match &self.core.parser {
            Parser::Xml(parts) => parts.1.kind().or(self.finished.then_some(Kind::Unknown)),
            _ => self.core.kind,
        }
    }

    /// Rows so far.
    pub fn rows(&self) -> u64 {
        self.core.rows_ref().rows
    }

    /// Entries so far, rows or not.
    pub fn entries(&self) -> u64 {
        self.core.rows_ref().entries
    }

    /// Whether the file was read to its end: neither cut, nor refused, nor given up at a bound.
    pub fn complete(&self) -> bool {
        let whole = match &self.core.parser {
            Parser::Xml(parts) => {
                let xml = &parts.1;
                xml.kind().is_some() && !xml.was_cut() && !xml.stopped() && !xml.is_page()
            }
            Parser::List(list) => !list.stopped(),
            Parser::Undecided(_) | Parser::Robots(..) | Parser::Nothing(_) => {
                matches!(self.core.kind, Some(Kind::Empty | Kind::Robots))
            }
        };
        // A checksum that is wrong says that some byte is, and not which.
        let sound = self.stages.total(Code::GZP003) == 0;
        // A text or an entry beyond a bound was passed over.
        let bounded = self.core.rows_ref().log.total(Code::SIZ015) > 0;
        self.finished && whole && sound && !bounded && !self.cut && !self.inflate.is_cut() && !self.inflate.is_refused()
    }

    /// Whether further bytes change nothing: a bound bit, or the content is nothing that can be read.
    ///
    /// ```
    /// use urlset::read::{Limits, Options, Reader};
    /// let limits = Limits { max_entries: Some(1), ..Limits::default() };
    /// let mut reader = Reader::new(Options { limits, ..Options::default() }).unwrap();
    /// reader.feed(b"https://a.example/1\n").unwrap();
    /// assert!(!reader.ended());
    /// reader.feed(b"https://a.example/2\nhttps://a.example/3\n").unwrap();
    /// assert!(reader.ended());
    /// ```
    pub fn ended(&self) -> bool {
        let idle = match &self.core.parser {
            Parser::Xml(parts) => parts.1.stopped(),
            Parser::List(list) => list.stopped(),
            Parser::Robots(_, bytes) => bytes.len() >= ROBOTS_BYTES,
            Parser::Nothing(_) => true,
            Parser::Undecided(_) => false,
        };
        idle || self.finished || self.inflate.is_refused() || self.inflate.is_cut()
    }

    /// The charset used.
    pub fn charset(&self) -> &'static str {
        self.decode.charset()
    }

    /// Bytes fed.
    pub fn wire_bytes(&self) -> u64 {
        self.inflate.wire_bytes()
    }

    /// Bytes after gunzip.
    pub fn plain_bytes(&self) -> u64 {
        self.inflate.plain_bytes()
    }

    /// Layers of gzip taken off.
    pub fn gzip_layers(&self) -> u8 {
        self.inflate.layers()
    }
}

/// What is wrong with the encoding of a list or a robots.txt is told by their own families.
fn of_family(mut fault: Fault, kind: Option<Kind>) -> Fault {
    let (code, what) = match kind {
        Some(Kind::Text) => (Code::TXT001, "list"),
        Some(Kind::Robots) => (Code::ROB009, "robots.txt"),
        _ => return fault,
    };
    match fault.code {
        Code::XML006 | Code::XML007 | Code::XML010 => {
            if fault.detail.is_none() {
                let encoding = fault.value.as_deref().unwrap_or_default();
                fault.detail = Some(format!("{what} is encoded as \"{encoding}\", UTF-8 was expected"));
            }
            fault.code = code;
        }
        Code::GEN003 => {
            if let Some(old @ ("XML006" | "XML007" | "XML010")) = fault.value.as_deref() {
                let new = code.rule().code;
                fault.detail = fault.detail.map(|detail| detail.replace(old, new));
                fault.value = Some(new.to_owned());
            }
        }
        _ => {}
    }
    fault
}
