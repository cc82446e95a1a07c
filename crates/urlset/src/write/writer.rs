//! The writer: batches in, shards out, refused rows kept as faults. Holds one file in memory, and those being compressed.

use arrow_array::RecordBatch;
use arrow_schema::Schema as ArrowSchema;
use arrow_schema::SchemaRef;
use std::sync::Arc;

use super::bind::{Column, Layout};
use super::entry::{Base, Encoder};
use super::gzip::Gzip;
use super::parallel;
use super::plan::Plans;
use super::refuse::Refused;
use super::split::{Frame, Full, Limits, Open};
use super::{Format, Kind, OnError, Options, Profile, Shard, hash};
use crate::codes::{Code, Fault, Log};
use crate::error::{Error, ErrorKind, Result};

/// Column of the entries of which a file takes few.
const NEWS: &str = "news";

/// Writes the rows of a table in their order, and gives each file away as soon as it is full.
///
/// Values are written as they are, but for what [`crate::value::url::encode`] does to addresses; a null and an empty text
/// write nothing. White space around a text is written too, though readers drop it.
///
/// The bytes depend on the rows and the options alone, not on how the rows are cut into batches nor on the threads. After
/// an error the writer is of no use but for its faults.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{RecordBatch, StringArray};
/// use urlset::write::{Options, Writer};
/// let loc = StringArray::from(vec!["https://shop.example/a?b&c"]);
/// let batch = RecordBatch::try_from_iter([("loc", Arc::new(loc) as _)])?;
/// let mut options = Options::new("https://shop.example/");
/// options.gzip = false;
/// let mut writer = Writer::new(&batch.schema(), options).unwrap();
/// assert!(writer.push(&batch).unwrap().is_empty(), "no file is full yet");
/// let shards = writer.finish().unwrap();
/// assert_eq!(shards[0].name, "sitemap-00001.xml");
/// assert!(String::from_utf8_lossy(&shards[0].data).contains("<url><loc>https://shop.example/a?b&amp;c</loc></url>"));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub struct Writer {
    pub(super) options: Options,
    schema: SchemaRef,
    layout: Layout,
    ignored: Vec<String>,
    loc: usize,
    plans: Plans,
    frame: Frame,
    limits: Limits,
    encoder: Encoder,
    open: Open,
    /// Of files handed out: their number.
    made: u64,
    /// Full files that wait for company: with several threads as many are compressed at once.
    waiting: Vec<Full>,
    spare: Vec<Vec<u8>>,
    pub(super) gzip: Option<Gzip>,
    log: Log,
    rows: u64,
    skipped: u64,
    encoded: u64,
    broken: bool,
}

impl Writer {
    /// A writer for tables of this schema.
    ///
    /// Errors: [`ErrorKind::Schema`] for a table without `loc`, with a column of a type that has no written form, or with
    /// nested fields that no element is known for; [`ErrorKind::Option`]; [`ErrorKind::Extension`].
    pub fn new(input: &ArrowSchema, options: Options) -> Result<Self> {
        let base = options.check()?;
        let only = match (options.format, options.kind) {
            (Format::Text, _) => Some(&["loc"][..]),
            (_, Kind::Index) => Some(&["loc", "lastmod", "lastmod_form"][..]),
            _ => None,
        };
        let (layout, ignored) = Layout::of_table(&options.schema, input.fields(), only)?;
        let plans = Plans::new(&options.schema, &layout, options.kind)?;
        let frame = Frame::new(&options, options.kind);
        let news = options.schema.field(NEWS).map_or(0, |field| 1 << field.ns);
        let urls = if options.kind == Kind::Index { options.max_children } else { options.max_urls };
        let limits = Limits { urls, bytes: options.bytes(), few: (news, options.max_news) };
        let site = base.filter(|_| !options.allow_offsite).map(|base| Base::new(&base));
        let encoder =
            Encoder::new(&options.schema, site, options.kind == Kind::Index && options.profile == Profile::Classic);
        let gzip = if options.gzip { Some(Gzip::new(options.level)?) } else { None };
        Ok(Self {
            schema: Arc::new(input.clone()),
            loc: options.schema.column("loc").unwrap_or(0),
            open: Open::new(Vec::new(), &frame, None, 0),
            log: Log::new(options.max_faults),
            layout,
            ignored,
            plans,
            frame,
            limits,
            encoder,
            made: 0,
            waiting: Vec::new(),
            spare: Vec::new(),
            gzip,
            rows: 0,
            skipped: 0,
            encoded: 0,
            broken: false,
            options,
        })
    }

    /// Writes the rows of a batch, and gives the files that are full now.
    ///
    /// Errors: [`ErrorKind::Refused`] where [`OnError::Raise`] and a row cannot be written, once the whole batch has been
    /// looked at: [`Writer::faults`] tells of every such row; [`ErrorKind::RowTooBig`]; [`ErrorKind::Schema`] for a batch
    /// of another schema.
    pub fn push(&mut self, batch: &RecordBatch) -> Result<Vec<Shard>> {
        let full = self.fill(batch)?;
        self.pack(full, false)
    }

    /// Gives the last file and those that were waiting.
    pub fn finish(&mut self) -> Result<Vec<Shard>> {
        let full = self.last()?;
        self.pack(full, true)
    }

    /// Writes all batches and hands each file to `sink` in order, while later ones are filled and compressed on
    /// [`Options::threads`] threads. Two files for each thread are in memory at most.
    ///
    /// Errors: those of [`Writer::push`], of the batches and of the sink; the first ends the run.
    pub fn run<E: From<Error>>(
        &mut self,
        batches: impl IntoIterator<Item = std::result::Result<RecordBatch, E>>,
        sink: impl FnMut(Shard) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        parallel::run(self, batches, sink)
    }

    /// Takes the faults found so far: of refused rows, and of values that were repaired or are doubtful. Their `entry` is
    /// the number of the row, their `element` the path of the column.
    pub fn faults(&mut self) -> Vec<Fault> {
        self.log.drain()
    }

    /// How many faults of a code there were, details kept or not.
    pub fn total(&self, code: Code) -> u64 {
        self.log.total(code)
    }

    /// Rows looked at, refused ones too.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Rows refused.
    pub const fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Rows written whose `loc` had to be encoded.
    pub const fn encoded(&self) -> u64 {
        self.encoded
    }

    /// Columns of the table of which nothing is written.
    pub fn ignored_columns(&self) -> &[String] {
        &self.ignored
    }

    /// Writes the rows of a batch into the open file, and gives those that are full now, uncompressed.
    pub(super) fn fill(&mut self, batch: &RecordBatch) -> Result<Vec<Full>> {
        if self.broken {
            return Err(Error::new(ErrorKind::Option("the writer has failed before, a new one was expected".into())));
        }
        self.same_schema(batch)?;
        let columns = self.layout.bind(batch.columns())?;
        let mut full = Vec::new();
        let mut first: Option<Error> = None;
        for row in 0..batch.num_rows() {
            if let Err(fault) = self.row(&columns, row, &mut full) {
                let error = self.refuse(fault, &columns, row);
                if self.options.on_error == OnError::Raise {
                    first.get_or_insert(error);
                }
            }
            self.rows += 1;
        }
        match first {
            None => Ok(full),
            Some(error) => {
                self.broken = true;
                Err(error)
            }
        }
    }

    /// The file that is open, if it holds anything or an empty one is wanted.
    pub(super) fn last(&mut self) -> Result<Vec<Full>> {
        if self.broken {
            return Err(Error::new(ErrorKind::Option("the writer has failed before, a new one was expected".into())));
        }
        let wanted = !self.open.is_empty() || (self.options.allow_empty && self.made == 0 && self.waiting.is_empty());
        if !wanted {
            return Ok(Vec::new());
        }
        if self.frame.len(None, 0) > self.limits.bytes {
            return Err(Error::at(ErrorKind::RowTooBig, 0));
        }
        Ok(vec![self.close()])
    }

    fn row(&mut self, columns: &[Column], row: usize, full: &mut Vec<Full>) -> std::result::Result<(), Refused> {
        let contested = self.plans.contested();
        let mut at = self.open.plan.unwrap_or(0);
        loop {
            let start = self.open.buffer.len();
            let plan = &self.plans.plans[at];
            let written = match self.options.format {
                Format::Xml => self.encoder.entry(plan, columns, row, &mut self.open.buffer),
                Format::Text => self.encoder.line(&columns[self.loc], row, &mut self.open.buffer),
            };
            if let Err(fault) = written {
                self.open.buffer.truncate(start);
                return Err(fault);
            }
            let used = self.encoder.used;
            let rival = used & contested != 0;
            if rival {
                let right = self.open.plan.unwrap_or_else(|| self.plans.choose(used));
                if right != at {
                    self.open.buffer.truncate(start);
                    at = right;
                    continue;
                }
            }
            if self.open.fits(&self.frame, Some(plan), used, &self.limits) {
                if rival {
                    self.open.plan = Some(at);
                }
                break;
            }
            let alone = self.open.buffer.len() - start + self.frame.len(Some(plan), used);
            self.open.buffer.truncate(start);
            // What fits into no file does not end this one.
            if self.open.is_empty() || alone > self.limits.bytes {
                return Err(Box::new(
                    Fault::new(Code::SIZ002)
                        .element("loc")
                        .detail(format!("row is larger than the {} bytes that a file may have", self.limits.bytes)),
                ));
            }
            full.push(self.close());
            at = 0;
        }
        self.accept();
        Ok(())
    }

    /// Keeps what the encoder knows of the row it has written.
    #[inline]
    fn accept(&mut self) {
        let lastmod = self.encoder.lastmod.map(|d| (d.micros, d.form));
        self.open.accept(self.encoder.used, &self.limits, self.encoder.loc.clone(), lastmod);
        self.encoded += u64::from(self.encoder.changed);
        if !self.encoder.notes.is_empty() {
            let entry = self.rows;
            for mut note in self.encoder.notes.drain(..) {
                note.entry = Some(entry);
                self.log.push(note.code, || note);
            }
        }
    }

    #[cold]
    fn refuse(&mut self, fault: Refused, columns: &[Column], row: usize) -> Error {
        self.skipped += 1;
        let entry = self.rows;
        let loc = &columns[self.loc];
        let url = if loc.has(row) { loc.text(row).map(crate::codes::cut) } else { None };
        let kind = if fault.code == Code::SIZ002 {
            ErrorKind::RowTooBig
        } else {
            let path = fault.element.clone().unwrap_or_default();
            ErrorKind::Refused(format!("column \"{path}\": {}", fault.message()))
        };
        self.log.push(fault.code, || {
            let mut fault = *fault;
            fault.entry = Some(entry);
            fault.url = url;
            fault
        });
        Error::at(kind, entry)
    }

    fn close(&mut self) -> Full {
        let plan = &self.plans.plans[self.open.plan.unwrap_or(0)];
        let size = self.open.buffer.len() + self.open.buffer.len() / 16;
        let buffer = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(size));
        // The next file will most likely use what this one did.
        let next = Open::new(buffer, &self.frame, Some(plan), self.open.used());
        std::mem::replace(&mut self.open, next).close(&self.frame, Some(plan))
    }

    fn same_schema(&mut self, batch: &RecordBatch) -> Result<()> {
        let schema = batch.schema_ref();
        if Arc::ptr_eq(schema, &self.schema) {
            return Ok(());
        }
        let (ours, theirs) = (self.schema.fields(), schema.fields());
        let same = ours.len() == theirs.len()
            && ours.iter().zip(theirs).all(|(a, b)| a.name() == b.name() && a.data_type() == b.data_type());
        if !same {
            let why = "a batch has other columns than the first, batches of one table were expected";
            return Err(Error::at(ErrorKind::Schema(why.into()), self.rows));
        }
        self.schema = Arc::clone(schema);
        Ok(())
    }

    /// Compresses and names what is full; with several threads as many files at once, and fewer only at the end.
    fn pack(&mut self, full: Vec<Full>, all: bool) -> Result<Vec<Shard>> {
        let mut shards = Vec::new();
        if self.options.threads == 1 || self.gzip.is_none() {
            for full in full {
                let name = self.next_name()?;
                let (shard, spare) = pack(full, name, self.gzip.as_mut())?;
                self.spare.extend(spare);
                shards.push(shard);
            }
            return Ok(shards);
        }
        self.waiting.extend(full);
        while self.waiting.len() >= self.options.threads || (all && !self.waiting.is_empty()) {
            let count = self.waiting.len().min(self.options.threads);
            let mut jobs = Vec::with_capacity(count);
            for full in self.waiting.drain(..count).collect::<Vec<_>>() {
                jobs.push((full, self.next_name()?));
            }
            for (shard, spare) in parallel::together(jobs, self.options.level)? {
                self.recycle(spare);
                shards.push(shard);
            }
        }
        Ok(shards)
    }

    /// Keeps a buffer for the next file.
    pub(super) fn recycle(&mut self, spare: Option<Vec<u8>>) {
        if self.spare.len() < self.options.threads {
            self.spare.extend(spare);
        }
    }

    /// The name of the next file.
    pub(super) fn next_name(&mut self) -> Result<String> {
        self.made += 1;
        if self.options.kind == Kind::Index && self.options.name.is_none() {
            return Ok(super::index::name(self.made));
        }
        let default = match (self.options.format, self.options.gzip) {
            (Format::Xml, true) => "sitemap-{}.xml.gz",
            (Format::Xml, false) => "sitemap-{}.xml",
            (Format::Text, true) => "sitemap-{}.txt.gz",
            (Format::Text, false) => "sitemap-{}.txt",
        };
        let pattern = self.options.name.as_deref().unwrap_or(default);
        if self.made > 1 && !pattern.contains("{}") {
            let why = format!(
                "the rows do not fit into one file, a name with {{}} for its number was expected, not \"{pattern}\""
            );
            return Err(Error::new(ErrorKind::Option(why)));
        }
        Ok(pattern.replace("{}", &format!("{:05}", self.made)))
    }
}

/// A full file as it is handed out, and its buffer where that is free again.
pub(super) fn pack(full: Full, name: String, gzip: Option<&mut Gzip>) -> Result<(Shard, Option<Vec<u8>>)> {
    let Full { data: plain, rows, lastmod, first, last } = full;
    let (plain_bytes, plain_hash) = (plain.len() as u64, hash(&plain));
    let (data, spare) = match gzip {
        Some(gzip) => (gzip.compress(&plain)?, Some(plain)),
        None => (plain, None),
    };
    Ok((Shard { name, data, rows, plain_bytes, plain_hash, lastmod, first, last }, spare))
}
