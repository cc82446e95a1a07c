//! Values to rows: each kind parsed, refused or repaired, rows committed or taken back, batches handed over. Knows no syntax.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::options::{Options, Relative};
use crate::codes::{Code, Fault, Log, URL_CHARS, cut_at};
use crate::columns::{Builder, StructBuilder};
use crate::error::Result;
use crate::scan::{Reference, is_char, is_space, resolve, trim};
use crate::schema::{Field, GroupId, Kind, Schema, URL_GROUP};
use crate::value::date::{self, Precision, Reading, Zone};
use crate::value::{number, url};

/// Bytes of values after which a batch is handed over, however few rows it has.
const BATCH_BYTES: usize = 4 << 20;

/// Column of the address of an entry.
pub(super) const LOC: usize = 0;

/// The rows of one file as they are built.
#[derive(Debug)]
pub(super) struct Rows {
    pub schema: Arc<Schema>,
    table: StructBuilder,
    /// The schema of the batches, and where it leaves columns out of what is built.
    arrow: SchemaRef,
    built: SchemaRef,
    without_loc: bool,
    sitemap: Option<usize>,
    name: String,
    batches: Vec<RecordBatch>,
    batch_rows: usize,
    batch_bytes: usize,
    /// What the batch had grown to when the entry began.
    entry_from: usize,
    pub log: Log,
    base: Option<Base>,
    pub relative: Relative,
    /// Whether the file says in which charset it is: then what is not in it is damage, and not windows-1252.
    pub declared: bool,
    /// Entries begun, rows or not.
    pub entries: u64,
    /// Rows committed.
    pub rows: u64,
    /// Faults kept before the entry began.
    mark: usize,
    /// An entry has begun and not ended.
    open: bool,
    /// Of the faults kept, those whose line and column are known.
    placed: usize,
    /// Of the faults kept, those whose offsets are those of the source.
    homed: usize,
    has_loc: bool,
    /// The entry's loc was there and is no row: something was said of it already.
    refused: bool,
    scratch: Vec<u8>,
    text: Vec<u8>,
}

#[derive(Debug)]
struct Base {
    address: String,
    site: url::Site<'static>,
    /// `https://host` in the letter case of the base: what nearly every loc starts with.
    origin: String,
}

/// Which code says that an address is relative, by what kind of file it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Sitemap,
    Text,
    Feed,
}

impl Rows {
    pub fn new(options: &Options) -> Result<Self> {
        let schema = Arc::clone(&options.schema);
        let all = schema.arrow();
        let wanted: Option<Vec<bool>> = options.wanted()?;
        let with_loc = wanted.clone().map(|mut w| {
            w[LOC] = true;
            w
        });
        let project = |w: &[bool]| -> SchemaRef {
            let fields: Vec<_> = all.fields().iter().zip(w).filter(|(_, w)| **w).map(|(f, _)| Arc::clone(f)).collect();
            Arc::new(arrow_schema::Schema::new(fields))
        };
        let arrow = wanted.as_deref().map_or_else(|| Arc::clone(&all), project);
        let built = with_loc.as_deref().map_or_else(|| Arc::clone(&all), project);
        let table = StructBuilder::new(&schema, URL_GROUP, with_loc.as_deref());
        let sitemap = schema.column("sitemap").filter(|&c| table.wants(c));
        let base = options.base.as_deref().and_then(|address| {
            let site = url::site(address)?.into_owned();
            let authority = address.find("://")? + 3;
            let end = address[authority..].find(['/', '?', '#']).map_or(address.len(), |n| authority + n);
            Some(Base { address: address.to_owned(), site, origin: address[..end].to_owned() })
        });
        Ok(Self {
            without_loc: wanted.is_some_and(|w| !w[LOC]),
            sitemap: sitemap.filter(|_| options.name.is_some()),
            name: options.name.clone().unwrap_or_default(),
            log: Log::new(options.limits.max_findings),
            batch_rows: options.batch_rows.max(1),
            relative: options.relative,
            schema,
            table,
            arrow,
            built,
            base,
            batches: Vec::new(),
            batch_bytes: 0,
            entry_from: 0,
            declared: false,
            entries: 0,
            rows: 0,
            mark: 0,
            open: false,
            placed: 0,
            homed: 0,
            has_loc: false,
            refused: false,
            scratch: Vec::new(),
            text: Vec::new(),
        })
    }

    /// Rows of nothing, which stand where a parser is being made.
    pub fn idle(options: &Options) -> Self {
        let plain = Options { columns: None, ..options.clone() };
        Self::new(&plain).expect("without a choice of columns nothing can be wrong")
    }

    /// The faults that have come since the last call, to be given lines and columns.
    pub fn unplaced(&mut self) -> &mut [Fault] {
        let from = std::mem::replace(&mut self.placed, self.log.kept().len());
        &mut self.log.kept()[from..]
    }

    /// The faults that have come since the last call, to be given the offsets of the source.
    pub fn unhomed(&mut self) -> &mut [Fault] {
        let from = std::mem::replace(&mut self.homed, self.log.kept().len());
        &mut self.log.kept()[from..]
    }

    /// Takes the faults kept so far, but those of the entry that is open: they learn its number and address when it ends.
    pub fn drain_faults(&mut self) -> Vec<Fault> {
        let done = if self.open { self.mark } else { self.log.kept().len() };
        self.mark -= done.min(self.mark);
        self.placed -= done.min(self.placed);
        self.homed -= done.min(self.homed);
        self.log.drain_first(done)
    }

    /// The Sitemap lines of a robots.txt.
    pub fn robots(&mut self, bytes: &[u8]) {
        for line in super::robots::parse(bytes, &mut self.log).sitemaps {
            self.begin();
            let value = line.value.as_bytes();
            // What is wrong with the address was told by the parser.
            match (url::absolute(value), self.relative) {
                (Ok(()), _) | (Err(Code::URL001), Relative::Keep) => self.push_loc(value),
                (Err(Code::URL001), Relative::Resolve) => {
                    let base = self.base.as_ref().map(|b| b.address.clone());
                    if let Some(address) = base.and_then(|b| url::resolve(&b, &line.value)) {
                        self.push_loc(address.as_bytes());
                    }
                }
                _ => {}
            }
            self.refused = true;
            if self.end(Code::ROB002, line.offset, line.end).is_err() {
                return;
            }
        }
        let _ = self.flush();
    }

    /// The schema of the batches.
    pub fn arrow(&self) -> SchemaRef {
        Arc::clone(&self.arrow)
    }

    pub fn take_batches(&mut self) -> Vec<RecordBatch> {
        std::mem::take(&mut self.batches)
    }

    /// Whether a column of the URL table is built.
    pub fn wants(&self, column: usize) -> bool {
        self.table.wants(column)
    }

    /// Begins an entry.
    #[inline]
    pub fn begin(&mut self) {
        self.entries += 1;
        self.mark = self.log.kept().len();
        self.open = true;
        self.entry_from = self.batch_bytes;
        self.has_loc = false;
        self.refused = false;
    }

    /// Ends an entry: a row when it has a loc, else nothing of it stays. `missing` says that it had none at all.
    #[inline]
    pub fn end(&mut self, missing: Code, offset: u64, end: u64) -> Result<()> {
        self.open = false;
        if !self.has_loc {
            if !self.refused {
                self.log.push(missing, || Fault::new(missing).at(offset, end));
            }
            self.about_entry();
            self.table.rollback();
            return Ok(());
        }
        if let Some(column) = self.sitemap
            && let Some(Builder::Dictionary(sitemap)) = self.table.column(column)
        {
            sitemap.push(self.name.as_bytes());
        }
        if self.log.kept().len() > self.mark {
            self.about_entry();
        }
        self.table.commit();
        self.rows += 1;
        if self.table.len() >= self.batch_rows || self.batch_bytes >= BATCH_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Bytes that the entry fills in the columns.
    pub fn entry_bytes(&self) -> usize {
        self.batch_bytes - self.entry_from
    }

    /// Takes back an entry that the input cut off.
    pub fn drop_entry(&mut self) {
        self.open = false;
        self.about_entry();
        self.table.rollback();
    }

    /// The faults of the entry learn its number and, where there is one, its address.
    fn about_entry(&mut self) {
        let address = match self.table.peek(LOC) {
            Some(Builder::Utf8(strings)) if self.has_loc => {
                Some(cut_at(&String::from_utf8_lossy(strings.last()), URL_CHARS))
            }
            _ => None,
        };
        let entry = self.entries.checked_sub(1);
        let mark = self.mark.min(self.log.kept().len());
        for fault in &mut self.log.kept()[mark..] {
            fault.entry = fault.entry.or(entry);
            if fault.url.is_none() {
                fault.url.clone_from(&address);
            }
        }
    }

    /// Hands over the rows so far as a batch.
    pub fn flush(&mut self) -> Result<()> {
        self.batch_bytes = 0;
        if self.table.is_empty() {
            return Ok(());
        }
        let batch = self.table.take_batch(&self.built)?;
        let batch = if self.without_loc {
            let rest: Vec<usize> = (1..batch.num_columns()).collect();
            batch.project(&rest)?
        } else {
            batch
        };
        self.batches.push(batch);
        Ok(())
    }

    /// The struct of a group that lies along these columns; `None` where a column is not wanted.
    #[inline]
    pub fn at(&mut self, path: &[usize]) -> Option<&mut StructBuilder> {
        let mut table = &mut self.table;
        for &column in path {
            table = match table.column(column)? {
                Builder::Struct(group) => group,
                Builder::List(list) => match list.items() {
                    Builder::Struct(group) => group,
                    _ => return None,
                },
                _ => return None,
            };
        }
        Some(table)
    }

    /// Text as meant: references resolved, trimmed, in UTF-8. `None` when it cannot be known; the log says why.
    #[inline]
    fn clean<'a>(
        raw: &'a [u8],
        plain: bool,
        place: Text,
        scratch: &'a mut Vec<u8>,
        log: &mut Log,
        declared: bool,
    ) -> Option<&'a [u8]> {
        let trimmed = trim(raw);
        if plain && is_clean(trimmed) {
            return Some(trimmed);
        }
        let start = place.offset + (trimmed.as_ptr() as usize - raw.as_ptr() as usize) as u64;
        clean_slow(trimmed, start, place, scratch, log, declared).then(|| trim(scratch))
    }

    /// Puts a value into its column, or says why not.
    #[inline]
    pub fn value(&mut self, group: GroupId, field: usize, path: &[usize], raw: &[u8], plain: bool, place: Text) {
        let schema = Arc::clone(&self.schema);
        let field = &schema.groups[group].fields[field];
        let mut text = std::mem::take(&mut self.text);
        let value = Self::clean(raw, plain, place, &mut text, &mut self.log, self.declared);
        let end = place.offset + raw.len() as u64;
        match value {
            Some(value) => self.put(&schema, group, field, path, value, (place.offset, end)),
            None if path.is_empty() && field.column == LOC => self.refused = true,
            None => {}
        }
        self.text = text;
    }

    /// Looks at a text that fills no column, and says what is wrong with it as XML.
    pub fn check(&mut self, raw: &[u8], plain: bool, place: Text) {
        let mut text = std::mem::take(&mut self.text);
        Self::clean(raw, plain, place, &mut text, &mut self.log, self.declared);
        self.text = text;
    }

    /// Whether the entry has its address.
    pub fn has_loc(&self) -> bool {
        self.has_loc
    }

    /// Items that the list in this column has for the row being built; `None` where the column is no list.
    pub fn items(&mut self, path: &[usize], column: usize) -> Option<usize> {
        match self.at(path)?.peek(column)? {
            Builder::List(list) => Some(list.open_items()),
            _ => None,
        }
    }

    /// Begins an element that holds elements; false when its single place is taken.
    pub fn open_group(&mut self, path: &[usize], field: &Field) -> bool {
        match self.at(path) {
            Some(table) => {
                let free = field.many.is_some() || !table.is_set(field.column);
                if free {
                    table.column(field.column);
                }
                free
            }
            None => true,
        }
    }

    /// Ends an element that holds elements: an item or a struct of its parent.
    pub fn end_group(&mut self, group: GroupId, path: &[usize], at: (u64, u64)) {
        let schema = Arc::clone(&self.schema);
        let Some(table) = self.at(path) else { return };
        let missing: Option<Code> = schema.groups[group]
            .fields
            .iter()
            .filter(|f| f.missing.is_some() && !table.is_set(f.column))
            .find_map(|f| f.missing);
        table.commit();
        let width = table.width();
        self.batch_bytes += width;
        if let Some(code) = missing {
            self.fault(code, b"", at);
        }
    }

    /// Says that a value was lost with its markup.
    pub fn lost(&mut self, group: GroupId, field: usize, path: &[usize]) {
        if path.is_empty() && self.schema.groups[group].fields[field].column == LOC {
            self.refused = true;
        }
    }

    #[inline]
    fn put(&mut self, schema: &Schema, group: GroupId, field: &Field, path: &[usize], value: &[u8], at: (u64, u64)) {
        let top = path.is_empty();
        let repeated = match self.at(path) {
            None => return,
            Some(table) => field.many.is_none() && table.is_set(field.column),
        };
        if top && field.column == LOC {
            let source = match field.kind {
                Kind::AtomLink => Source::Feed,
                _ if schema.groups[group].ns == crate::schema::SITEMAP_NS => Source::Sitemap,
                _ => Source::Feed,
            };
            if repeated || self.has_loc || self.refused {
                return self.fault(Code::STR009, value, at);
            }
            return self.loc(value, source, at);
        }
        if repeated {
            return self.fault(schema.groups[group].repeated, value, at);
        }
        if value.is_empty() && !matches!(field.kind, Kind::Marker) && field.place != crate::schema::Place::Attribute {
            return self.fault(Code::STR020, value, at);
        }
        self.batch_bytes += value.len() + 8;
        match &field.kind {
            Kind::Date | Kind::FeedDate | Kind::AtomDate => self.date(field, path, value, at),
            Kind::Choice(words) => self.choice(field, path, words, value, at),
            Kind::Priority => {
                let (number, code) = number::priority(value);
                if let Some(code) = code {
                    self.fault(code, value, at);
                }
                if let (Some(number), Some(Builder::Float(column))) = (number, self.column(path, field)) {
                    column.push(number);
                }
            }
            Kind::Decimal => match number::decimal(value).filter(|n| within(field, *n)) {
                Some(number) => {
                    if let Some(Builder::Float(column)) = self.column(path, field) {
                        column.push(number);
                    }
                }
                None => self.fault(field.bad.unwrap_or(Code::HNT003), value, at),
            },
            Kind::Integer => match number::integer(value).filter(|n| within(field, *n as f64)) {
                Some(number) => {
                    if let Some(Builder::Int(column)) = self.column(path, field) {
                        column.push(number);
                    }
                }
                None => self.fault(field.bad.unwrap_or(Code::HNT003), value, at),
            },
            Kind::YesNo => {
                let known = match value {
                    b"yes" | b"Yes" | b"YES" | b"true" | b"1" => Some(true),
                    b"no" | b"No" | b"NO" | b"false" | b"0" => Some(false),
                    _ => None,
                };
                // `true` and its like are understood, and told.
                if known.is_none() || !matches!(value[0] | 0x20, b'y' | b'n') {
                    self.fault(field.bad.unwrap_or(Code::VID012), value, at);
                }
                if let (Some(known), Some(Builder::Bool(column))) = (known, self.column(path, field)) {
                    column.push(known);
                }
            }
            Kind::Marker => {
                if let Some(Builder::Bool(column)) = self.column(path, field) {
                    column.push(true);
                }
            }
            Kind::Url => {
                if let Err(code) = url::absolute(value) {
                    self.address(field, code, value, at);
                }
                self.push_text(field, path, value);
            }
            Kind::Address => {
                if url::absolute(value) == Err(Code::URL001) {
                    self.address(field, Code::URL001, value, at);
                }
                self.push_text(field, path, value);
            }
            Kind::Text | Kind::AtomLink | Kind::Group(_) => {
                if field.assumed.as_ref().is_none_or(|a| !a.as_bytes().eq_ignore_ascii_case(value)) {
                    self.push_text(field, path, value);
                }
            }
        }
    }

    /// Something is wrong with an address that is no loc: it is kept as written, and told.
    fn address(&mut self, field: &Field, code: Code, value: &[u8], at: (u64, u64)) {
        let lower = value[..value.len().min(8)].to_ascii_lowercase();
        if code == Code::URL002 && field.bad == Some(Code::VID034) {
            if lower.starts_with(b"ftp://") {
                return;
            }
            return self.fault(Code::VID026, value, at);
        }
        if field.bad == Some(Code::IMG002) && lower.starts_with(b"data:") {
            return self.fault(Code::IMG009, value, at);
        }
        self.fault(field.bad.unwrap_or(code), value, at);
    }

    #[inline]
    fn column(&mut self, path: &[usize], field: &Field) -> Option<&mut Builder> {
        let column = self.at(path)?.column(field.column)?;
        Some(match column {
            Builder::List(list) => list.items(),
            other => other,
        })
    }

    fn push_text(&mut self, field: &Field, path: &[usize], value: &[u8]) {
        match self.column(path, field) {
            Some(Builder::Utf8(column)) => column.push(value),
            Some(Builder::Dictionary(column)) => column.push(value),
            _ => {}
        }
    }

    fn date(&mut self, field: &Field, path: &[usize], value: &[u8], at: (u64, u64)) {
        let Reading { date, code } = match field.kind {
            Kind::FeedDate => date::feed(value),
            Kind::AtomDate => date::atom(value),
            _ => date::w3c(value),
        };
        // Where a full date is demanded, a year, a month, or a time without seconds or zone is none.
        let partial = date.is_some_and(|d| match d.form.precision {
            Precision::Year | Precision::Month | Precision::Minute => true,
            Precision::Day => false,
            Precision::Second(_) => d.form.zone == Zone::None,
        });
        if let Some(code) = code.or(field.bad.filter(|_| partial)) {
            self.fault(field.bad.unwrap_or(code), value, at);
        }
        let Some(date) = date else { return };
        let Some(table) = self.at(path) else { return };
        if let Some(Builder::Timestamp(column)) = table.column(field.column) {
            column.push(date.micros);
        }
        if let Some(form) = field.form
            && let Some(Builder::Form(column)) = table.column(form)
        {
            column.push(date.form);
        }
    }

    fn choice(&mut self, field: &Field, path: &[usize], words: &[String], value: &[u8], at: (u64, u64)) {
        let exact = words.iter().find(|w| w.as_bytes() == value);
        let word = exact.or_else(|| words.iter().find(|w| w.as_bytes().eq_ignore_ascii_case(value)));
        match (exact, word) {
            (Some(_), _) => {}
            (None, Some(_)) => self.fault(field.bad.unwrap_or(Code::HNT002), value, at),
            (None, None) => self.fault(field.bad.unwrap_or(Code::HNT001), value, at),
        }
        if let Some(word) = word {
            self.push_text(field, path, word.as_bytes());
        }
    }

    /// Judges an address of an entry, and makes it the entry's loc when it can be a row.
    #[inline]
    pub fn loc(&mut self, value: &[u8], source: Source, at: (u64, u64)) {
        if value.is_empty() {
            self.refused = true;
            return self.fault(if source == Source::Feed { Code::FED002 } else { Code::STR008 }, value, at);
        }
        if let Err(code) = url::absolute(value) {
            return self.not_absolute(value, source, code, at);
        }
        if value.len() > 2_047 || !url::is_plain(value) {
            self.syntax(value, at);
        }
        if let Some(base) = &self.base
            && !(value.starts_with(base.origin.as_bytes())
                && matches!(value.get(base.origin.len()), None | Some(b'/' | b'?' | b'#')))
            && let Ok(text) = std::str::from_utf8(value)
            && let Some(code) = url::site(text).and_then(|site| url::relation(&base.site, &site))
        {
            self.fault(code, value, at);
        }
        self.push_loc(value);
    }

    fn push_loc(&mut self, value: &[u8]) {
        self.batch_bytes += value.len() + 40;
        if let Some(Builder::Utf8(column)) = self.table.column(LOC) {
            column.push(value);
            self.has_loc = true;
        }
    }

    #[cold]
    fn syntax(&mut self, value: &[u8], at: (u64, u64)) {
        let Ok(text) = std::str::from_utf8(value) else { return };
        if text.len() > 2_047 && text.chars().count() > 2_047 {
            self.fault(Code::SIZ007, value, at);
        }
        let log = &mut self.log;
        // A reference before the place makes the place wrong by its length; the range of the whole value never is.
        url::faults(text, &mut |code, _| log.push(code, || Fault::new(code).at(at.0, at.1).value(text)));
    }

    #[cold]
    fn not_absolute(&mut self, value: &[u8], source: Source, code: Code, at: (u64, u64)) {
        let text = String::from_utf8_lossy(value);
        let resolved = match &self.base {
            Some(base) if code == Code::URL001 => url::resolve(&base.address, &text),
            _ => None,
        };
        let told = match (code, source) {
            (Code::URL001, Source::Text) => Code::TXT003,
            (Code::URL001, Source::Feed) => Code::FED003,
            (code, _) => code,
        };
        self.log.push(told, || {
            let mut fault = Fault::new(told).at(at.0, at.1).value(&text);
            fault.fix.clone_from(&resolved);
            fault
        });
        let resolved = resolved.filter(|r| url::absolute(r.as_bytes()).is_ok());
        match (self.relative, resolved) {
            (Relative::Resolve, Some(address)) => self.push_loc(address.as_bytes()),
            (Relative::Keep, _) if code == Code::URL001 => self.push_loc(value),
            _ => self.refused = true,
        }
    }

    /// Reports a value.
    #[cold]
    pub fn fault(&mut self, code: Code, value: &[u8], at: (u64, u64)) {
        self.log.push(code, || {
            let fault = Fault::new(code).at(at.0, at.1);
            if value.is_empty() { fault } else { fault.value(&String::from_utf8_lossy(value)) }
        });
    }

    /// A text of a list or the like: cleaned as a value is, then judged as a loc.
    pub fn line(&mut self, raw: &[u8], offset: u64) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let place = Text { offset, attribute: false, entities: false, references: false };
        match Self::clean(raw, false, place, &mut scratch, &mut self.log, self.declared) {
            Some(value) => {
                let value = value.to_vec();
                self.loc(&value, Source::Text, (offset, offset + raw.len() as u64));
            }
            None => self.refused = true,
        }
        self.scratch = scratch;
    }
}

fn within(field: &Field, number: f64) -> bool {
    field.range.is_none_or(|(low, high)| (low..=high).contains(&number))
}

/// Where a text stands and what may be in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    pub offset: u64,
    /// In an attribute white space is made blanks.
    pub attribute: bool,
    /// A document type declaration named entities: a name may mean what only it says.
    pub entities: bool,
    /// `&` begins references.
    pub references: bool,
}

/// Whether a text is what it seems: ASCII without control characters and line ends that XML changes.
#[inline]
fn is_clean(text: &[u8]) -> bool {
    text.iter().fold(true, |clean, &b| clean & ((0x20..0x80).contains(&b) | (b == b'\n') | (b == b'\t')))
}

#[cold]
fn clean_slow(raw: &[u8], start: u64, place: Text, out: &mut Vec<u8>, log: &mut Log, declared: bool) -> bool {
    out.clear();
    let end = start + raw.len() as u64;
    let raw: Cow<'_, [u8]> = match std::str::from_utf8(raw) {
        Ok(_) => Cow::Borrowed(raw),
        Err(wrong) => {
            let offset = start + wrong.valid_up_to() as u64;
            let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(raw);
            log.push(Code::XML007, || {
                let fault = Fault::new(Code::XML007).at(offset, end).value(&text);
                if declared { fault.detail("value is not in the declared encoding, and was left out") } else { fault }
            });
            if declared {
                return false;
            }
            Cow::Owned(text.into_owned().into_bytes())
        }
    };
    let mut known = true;
    if place.references {
        resolve(&raw, place.attribute, out, |what, range| {
            let at = start + range.start as u64;
            let to = start + range.end as u64;
            let text = || String::from_utf8_lossy(&raw[range.clone()]).into_owned();
            match what {
                Reference::Fault(code) => log.push(code, || {
                    let around = range.start..raw.len().min(range.start + 24);
                    let fault = Fault::new(code).at(at, to);
                    match code {
                        Code::XML002 => fault.value(&String::from_utf8_lossy(&raw[around])).fix("&amp;"),
                        _ => fault.value(&text()),
                    }
                }),
                Reference::Named if place.entities => {
                    known = false;
                    log.push(Code::XML016, || Fault::new(Code::XML016).at(at, to).value(&text()));
                }
                Reference::Named => log.push(Code::XML003, || Fault::new(Code::XML003).at(at, to).value(&text())),
            }
        });
    } else {
        out.extend_from_slice(&raw);
    }
    illegal(&raw, start, place.references, log);
    known
}

/// Reports the first character that XML does not allow, and a `]]>` in text.
fn illegal(text: &[u8], start: u64, xml: bool, log: &mut Log) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    if let Some((at, c)) = text.char_indices().find(|&(_, c)| !is_char(c)) {
        let at = start + at as u64;
        let value = format!("U+{:04X}", u32::from(c));
        log.push(Code::XML014, || Fault::new(Code::XML014).at(at, at + c.len_utf8() as u64).value(&value));
    }
    if xml && let Some(at) = memchr::memmem::find(text.as_bytes(), b"]]>") {
        let at = start + at as u64;
        log.push(Code::XML001, || Fault::new(Code::XML001).at(at, at + 3).value("]]>"));
    }
}

/// Whether a text is white space only.
#[inline]
pub(super) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|&b| is_space(b))
}
