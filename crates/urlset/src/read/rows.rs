//! Values to rows: each kind parsed, refused or repaired, rows committed or taken back, batches handed over. Knows no syntax.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::clean::{Text, clean, is_clean};
use super::judge::{Judge, Source, Verdict};
use super::options::Options;
use super::value::{put, report};
use crate::codes::{Code, Fault, Log, URL_CHARS, cut_at};
use crate::columns::{Builder, Dictionary, StructBuilder};
use crate::error::Result;
use crate::scan::{is_space, trim};
use crate::schema::{Field, Group, GroupId, Kind, LOC_COLUMN, SITEMAP_COLUMN, SITEMAP_NS, Schema, URL_GROUP};
use crate::value::url;

/// Bytes of values after which a batch is handed over, however few rows it has.
const BATCH_BYTES: usize = 4 << 20;

/// The rows of one file as they are built.
#[derive(Debug)]
pub(super) struct Rows {
    pub schema: Arc<Schema>,
    table: StructBuilder,
    /// Of each group the columns that it needs, and what to say where one is missing.
    required: Vec<Vec<(usize, Code)>>,
    /// The schema of the batches, and where it leaves columns out of what is built.
    arrow: SchemaRef,
    built: SchemaRef,
    without_loc: bool,
    /// Where among the columns built the name of the file goes.
    sitemap: Option<usize>,
    name: String,
    batches: Vec<RecordBatch>,
    batch_rows: usize,
    batch_bytes: usize,
    /// What the batch had grown to when the entry began.
    entry_from: usize,
    pub log: Log,
    pub judge: Judge,
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
    /// Required values of the groups that are open which were there and are none.
    lost: Vec<(GroupId, usize)>,
    /// What may serve as the loc of an item that has no link.
    permalink: Option<(Vec<u8>, (u64, u64))>,
    text: Vec<u8>,
}

impl Rows {
    pub fn new(options: &Options) -> Result<Self> {
        let schema = Arc::clone(&options.schema);
        let all = schema.arrow();
        let wanted: Option<Vec<bool>> = options.wanted()?;
        let with_loc = wanted.clone().map(|mut w| {
            w[LOC_COLUMN] = true;
            w
        });
        let project = |w: &[bool]| -> SchemaRef {
            let fields: Vec<_> = all.fields().iter().zip(w).filter(|(_, w)| **w).map(|(f, _)| Arc::clone(f)).collect();
            Arc::new(arrow_schema::Schema::new(fields))
        };
        let arrow = wanted.as_deref().map_or_else(|| Arc::clone(&all), project);
        let built = with_loc.as_deref().map_or_else(|| Arc::clone(&all), project);
        let table = StructBuilder::new(&schema, URL_GROUP, with_loc.as_deref());
        let needs = |g: &Group| g.fields.iter().filter_map(|f| f.missing.map(|code| (f.column, code))).collect();
        let required = schema.groups.iter().map(needs).collect();
        let sitemap = built.index_of(SITEMAP_COLUMN).ok().filter(|_| options.name.is_some());
        Ok(Self {
            without_loc: wanted.is_some_and(|w| !w[LOC_COLUMN]),
            sitemap,
            name: options.name.clone().unwrap_or_default(),
            log: Log::new(options.limits.max_findings),
            batch_rows: options.batch_rows.max(1),
            judge: Judge::new(options),
            schema,
            table,
            required,
            arrow,
            built,
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
            lost: Vec::new(),
            permalink: None,
            text: Vec::new(),
        })
    }

    /// Rows of nothing, which stand where a parser is being made.
    pub fn idle(options: &Options) -> Self {
        let none = Options { columns: Some(Vec::new()), ..options.clone() };
        Self::new(&none).expect("no column can be wrong where there is none")
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
            let verdict = self.judge.child(value);
            self.take(&verdict, value);
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
        self.lost.clear();
        self.permalink = None;
    }

    /// Where the permanent link stands that may turn out to be the address of its item.
    pub fn permalink_places(&self) -> impl Iterator<Item = u64> + use<> {
        self.permalink.as_ref().map(|(_, (start, end))| [*start, *end]).into_iter().flatten()
    }

    /// The address of an item that has none but its permanent link.
    fn settle_permalink(&mut self) {
        if let Some((value, at)) = self.permalink.take().filter(|_| !self.has_loc && !self.refused) {
            self.fault(Code::FED010, &value, at);
            let verdict = self.judge.judge(&value, false, Source::Feed, at, &mut self.log);
            self.take(&verdict, &value);
        }
    }

    /// Ends an entry: a row when it has a loc, else nothing of it stays. `missing` says that it had none at all.
    #[inline]
    pub fn end(&mut self, missing: Code, offset: u64, end: u64) -> Result<()> {
        self.open = false;
        if self.permalink.is_some() {
            self.settle_permalink();
        }
        if !self.has_loc {
            if !self.refused {
                self.log.push(missing, || Fault::new(missing).at(offset, end));
            }
            self.about_entry();
            self.table.rollback();
            return Ok(());
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
    #[inline]
    pub fn entry_bytes(&self) -> usize {
        self.batch_bytes.saturating_sub(self.entry_from) // a batch may have ended with the entry before
    }

    /// Takes back an entry that the input cut off.
    pub fn drop_entry(&mut self) {
        self.open = false;
        self.about_entry();
        self.table.rollback();
    }

    /// The faults of the entry learn its number and, where there is one, its address.
    fn about_entry(&mut self) {
        let address = match self.table.peek(LOC_COLUMN) {
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
        let mut batch = self.table.take_batch(&self.built)?;
        if let Some(at) = self.sitemap {
            let mut columns = batch.columns().to_vec();
            columns[at] = Arc::new(Dictionary::constant(self.name.as_bytes(), batch.num_rows())?);
            batch = RecordBatch::try_new(batch.schema(), columns)?;
        }
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
        descend(&mut self.table, path)
    }

    /// Puts a value into its column, or says why not.
    #[inline]
    pub fn value(
        &mut self,
        group: GroupId,
        field: usize,
        path: &[usize],
        raw: &[u8],
        plain: bool,
        from: u64,
        kind: Text,
    ) {
        let trimmed = trim(raw);
        let start = from + (trimmed.as_ptr() as usize - raw.as_ptr() as usize) as u64;
        let at = (start, start + trimmed.len() as u64);
        if path.is_empty() && self.schema.groups[group].fields[field].column == LOC_COLUMN {
            return self.loc(group, field, trimmed, plain, at, kind);
        }
        let Self { schema, table, log, text, declared, batch_bytes, judge, lost, .. } = self;
        let of = &schema.groups[group];
        let field = &of.fields[field];
        // Kinds with a grammar refuse what is not clean: only when they do is it worth a look. What is not ASCII may not be
        // known at all, and then nothing else is to be said of it.
        let strict = !kind.is_clean() && plain && field.kind.is_strict() && trimmed.is_ascii();
        let value = if strict || kind.is_clean() || plain && is_clean(trimmed) {
            Some(trimmed)
        } else {
            clean(trimmed, start, kind, text, log, *declared)
        };
        let (Some(value), Some(table)) = (value, descend(table, path)) else { return };
        *batch_bytes += value.len() + 8;
        if field.many.is_none() && is_there(table, field) {
            return report(log, of.repeated, value, at);
        }
        let before = log.seen();
        put(table, log, &mut judge.origins, field, value, at);
        if log.seen() == before {
            return;
        }
        if field.missing.is_some() && !value.is_empty() && field.many.is_none() && !is_there(table, field) {
            // It was there, and what is wrong with it was told.
            if !lost.contains(&(group, field.column)) {
                lost.push((group, field.column));
            }
        }
        if strict && !is_clean(trimmed) {
            clean(trimmed, start, kind, text, log, *declared);
        }
    }

    /// Takes the address of an entry, if it has none yet.
    fn loc(&mut self, group: GroupId, field: usize, trimmed: &[u8], plain: bool, at: (u64, u64), kind: Text) {
        // What is plain as an address is clean as a text.
        let sound = plain && url::is_plain(trimmed);
        let mut text = std::mem::take(&mut self.text);
        let value = if sound || kind.is_clean() || plain && is_clean(trimmed) {
            Some(trimmed)
        } else {
            clean(trimmed, at.0, kind, &mut text, &mut self.log, self.declared)
        };
        let of = &self.schema.groups[group];
        let source = if of.ns == SITEMAP_NS { Source::Sitemap } else { Source::Feed };
        match value {
            value if of.fields[field].kind == Kind::Permalink => {
                let value = value.filter(|v| url::absolute(v).is_ok());
                self.permalink = value.map(|v| (v.to_vec(), at));
            }
            None => self.refused = true,
            Some(value) if self.has_loc || self.refused => report(&mut self.log, Code::STR009, value, at),
            Some(value) => {
                let verdict = self.judge.judge(value, sound, source, at, &mut self.log);
                self.take(&verdict, value);
            }
        }
        self.text = text;
    }

    /// Looks at a text that fills no column, and says what is wrong with it as XML.
    pub fn check(&mut self, raw: &[u8], plain: bool, from: u64, kind: Text) {
        if !(plain && is_clean(raw)) {
            let trimmed = trim(raw);
            let start = from + (trimmed.as_ptr() as usize - raw.as_ptr() as usize) as u64;
            clean(trimmed, start, kind, &mut self.text, &mut self.log, self.declared);
        }
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
    pub fn open_group(&mut self, path: &[usize], column: usize, many: bool) -> bool {
        match self.at(path) {
            Some(table) => {
                let free = many || !table.is_set(column);
                if free {
                    table.column(column);
                }
                free
            }
            None => true,
        }
    }

    /// Says what an element that holds elements lacks, and whether it lacks anything.
    #[inline]
    pub fn lacks(&mut self, group: GroupId, path: &[usize], at: (u64, u64)) -> bool {
        let Self { required, table, log, lost, .. } = self;
        let Some(table) = descend(table, path) else { return false };
        let absent = |column: usize| !table.is_set(column) && !lost.contains(&(group, column));
        let missing = required[group].iter().find(|(column, _)| absent(*column));
        if let Some((_, code)) = missing {
            report(log, *code, b"", at);
        }
        if !lost.is_empty() {
            lost.retain(|(of, _)| *of != group);
        }
        missing.is_some()
    }

    /// Ends an element that holds elements: an item or a struct of its parent.
    #[inline]
    pub fn end_group(&mut self, path: &[usize]) {
        if let Some(table) = descend(&mut self.table, path) {
            table.commit();
            self.batch_bytes += table.width();
        }
    }

    /// Says that a value was lost with its markup.
    pub fn lost(&mut self, group: GroupId, field: usize, path: &[usize]) {
        let column = self.schema.groups[group].fields[field].column;
        if path.is_empty() && column == LOC_COLUMN {
            self.refused = true;
        } else if !self.lost.contains(&(group, column)) {
            self.lost.push((group, column));
        }
    }

    /// Takes an address that was judged.
    #[inline]
    fn take(&mut self, verdict: &Verdict, value: &[u8]) {
        let address = match verdict {
            Verdict::AsWritten => value,
            Verdict::Resolved(address) => address.as_bytes(),
            Verdict::Refused => {
                self.refused = true;
                return;
            }
        };
        self.batch_bytes += address.len() + 40;
        if let Some(Builder::Utf8(column)) = self.table.column(LOC_COLUMN) {
            column.push(address);
            self.has_loc = true;
        }
    }

    /// Reports a value.
    pub fn fault(&mut self, code: Code, value: &[u8], at: (u64, u64)) {
        report(&mut self.log, code, value, at);
    }

    /// A line of a list: cleaned as a value is, then judged as a loc.
    pub fn line(&mut self, raw: &[u8], offset: u64) {
        let at = (offset, offset + raw.len() as u64);
        if url::is_plain(raw) {
            let verdict = self.judge.judge(raw, true, Source::Text, at, &mut self.log);
            return self.take(&verdict, raw);
        }
        let mut text = std::mem::take(&mut self.text);
        match clean(raw, offset, Text::LINE, &mut text, &mut self.log, self.declared) {
            Some(value) => {
                let verdict = self.judge.judge(value, false, Source::Text, at, &mut self.log);
                self.take(&verdict, value);
            }
            None => self.refused = true,
        }
        self.text = text;
    }
}

/// The struct of a group that lies along these columns; `None` where a column is not wanted.
#[inline]
fn descend<'a>(mut table: &'a mut StructBuilder, path: &[usize]) -> Option<&'a mut StructBuilder> {
    for &column in path {
        table = table.within(column)?;
    }
    Some(table)
}

/// Whether the row being built has a value of a field; of a date that may be its written form alone.
#[inline]
fn is_there(table: &StructBuilder, field: &Field) -> bool {
    table.is_set(field.column) || field.form.is_some_and(|form| table.is_set(form))
}

/// Whether a text is white space only.
#[inline]
pub(super) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|&b| is_space(b))
}
