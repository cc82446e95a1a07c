//! CSV and JSON into columns of texts, row by row: a row that is none is refused by its line, the rest goes on.

use std::io::{self, BufRead, Read};
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use flate2::bufread::MultiGzDecoder;
use urlset::schema::Schema;

use super::packed::Stop;
use crate::json;
use crate::source::{Faults, Origin};
use crate::texts::{Node, Path, Target, Texts, Wrong};

/// Bytes of one line or JSON value at most.
const MAX_VALUE: usize = 64 << 20;
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// A file without its gzip layer and byte order mark.
fn plain(mut input: impl BufRead + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    let packed = input.fill_buf()?.starts_with(&[0x1F, 0x8B]);
    let mut input: Box<dyn BufRead + Send> = if packed {
        Box::new(io::BufReader::with_capacity(super::BUFFER, MultiGzDecoder::new(input)))
    } else {
        Box::new(input)
    };
    let begins = input.fill_buf()?;
    if begins.starts_with(&[0xFF, 0xFE]) || begins.starts_with(&[0xFE, 0xFF]) {
        return Err(io::Error::other("the file is UTF-16, UTF-8 was expected"));
    }
    if begins.starts_with(MARK) {
        input.consume(MARK.len());
    }
    Ok(input)
}

/// What gives rows to a table.
trait Rows: Send {
    /// Puts the next row into the table: None at the end, else the line in which it began and what is wrong with it.
    fn next(&mut self, texts: &mut Texts) -> io::Result<Option<(u64, Result<(), Wrong>)>>;
}

/// Batches of such rows.
struct Lines<R> {
    rows: R,
    texts: Texts,
    faults: Faults,
    batch_rows: usize,
    done: bool,
}

impl<R: Rows> Lines<R> {
    fn batch(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        while !self.done && !self.texts.full(self.batch_rows) {
            match self.rows.next(&mut self.texts) {
                Ok(None) => self.done = true,
                Ok(Some((line, result))) => {
                    self.texts.top.close(self.texts.rows);
                    let large = || Wrong::new(&Path::ROW, "larger than 64 MiB", None, "a smaller one");
                    let wrong = result.err().or_else(|| self.texts.too_large().then(large));
                    self.texts.end_row(wrong.is_none());
                    self.faults.row_at(wrong, Some(line));
                }
                Err(error) => {
                    self.done = true;
                    return Some(Err(error.into()));
                }
            }
        }
        (self.texts.rows > 0).then(|| self.texts.take())
    }
}

impl<R: Rows> Iterator for Lines<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch()
    }
}

impl<R: Rows> RecordBatchReader for Lines<R> {
    fn schema(&self) -> SchemaRef {
        self.texts.schema()
    }
}

impl<R: Rows> Origin for Lines<R> {
    fn faults(&mut self) -> &mut Faults {
        &mut self.faults
    }

    fn ignored(&self) -> &[String] {
        &self.texts.ignored
    }

    fn has(&self, column: &str) -> bool {
        self.texts.top.has(column)
    }
}

/// Records of a CSV file.
struct Records {
    reader: csv::Reader<Box<dyn BufRead + Send>>,
    record: csv::ByteRecord,
    columns: Vec<Target>,
}

/// A CSV file with a header.
pub(super) fn csv(
    input: impl BufRead + Send + 'static,
    tabs: bool,
    schema: &Arc<Schema>,
    batch_rows: usize,
) -> Result<Box<dyn Origin>, Stop> {
    let mut input = plain(input)?;
    let delimiter = if tabs { b'\t' } else { delimiter(input.fill_buf()?) };
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).buffer_capacity(1 << 13).from_reader(input);
    let header = reader.byte_headers().map_err(of_csv)?.clone();
    let mut texts = Texts::new(schema);
    let mut columns = Vec::with_capacity(header.len());
    let mut names = Vec::with_capacity(header.len());
    for name in &header {
        let name = String::from_utf8_lossy(name).trim().to_owned();
        let Texts { top, ignored, .. } = &mut texts;
        columns.push(top.target(&name).unwrap_or_else(|| {
            top.ignore(ignored, &Path::ROW, &name);
            Target::Silent
        }));
        if names.contains(&name) && !name.is_empty() {
            return Err(Stop::Schema(format!("the table cannot be written: column \"{name}\" stands twice")));
        }
        names.push(name);
    }
    if !names.iter().any(|name| name == "loc") {
        let names = urlset::codes::cut(&names.join(", ")).escape_debug().to_string();
        let what = format!("the table cannot be written: column \"loc\" is needed, the header has {names}");
        return Err(Stop::Schema(what));
    }
    let rows = Records { reader, record: csv::ByteRecord::new(), columns };
    Ok(Box::new(Lines { rows, texts, faults: Faults::new(schema), batch_rows, done: false }))
}

/// The delimiter by which the header has a column `loc`: a comma where none does.
fn delimiter(begins: &[u8]) -> u8 {
    let line = begins.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let bare = |name: &[u8]| name.trim_ascii() == b"loc" || name.trim_ascii() == b"\"loc\"";
    [b',', b';', b'\t', b'|'].into_iter().find(|mark| line.split(|byte| byte == mark).any(bare)).unwrap_or(b',')
}

fn of_csv(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("the file is no CSV: {other:?}")),
    }
}

impl Rows for Records {
    fn next(&mut self, texts: &mut Texts) -> io::Result<Option<(u64, Result<(), Wrong>)>> {
        if !self.reader.read_byte_record(&mut self.record).map_err(of_csv)? {
            return Ok(None);
        }
        let line = self.record.position().map_or(0, csv::Position::line);
        Ok(Some((line, self.fill(texts))))
    }
}

impl Records {
    fn fill(&self, texts: &mut Texts) -> Result<(), Wrong> {
        if self.record.len() != self.columns.len() {
            let (here, header) = (self.record.len(), self.columns.len());
            return Err(Wrong::row(format!("row has {here} fields, {header} as in the header were expected")));
        }
        let row = texts.rows;
        let Texts { top, ignored, .. } = texts;
        for (target, cell) in self.columns.iter().zip(&self.record) {
            if *target == Target::Silent || cell.is_empty() {
                continue;
            }
            let (Target::Column(child) | Target::Form(child)) = *target else { continue };
            let field = top.field(child);
            let path = Path::ROW.name(field.name());
            let Ok(text) = std::str::from_utf8(cell) else {
                return Err(Wrong::bytes(&path, cell));
            };
            if matches!(target, Target::Form(_)) {
                top.form(child, text);
                continue;
            }
            match &mut top.children[child] {
                Node::Value(value) => value.text(row, text),
                _ if text.trim().is_empty() => {}
                node => json::value(text, node, row, &path, ignored)?,
            }
        }
        Ok(())
    }
}

/// Lines of JSON, or the items of one list.
struct Objects {
    input: Box<dyn BufRead + Send>,
    value: Vec<u8>,
    line: u64,
    /// In a list; whether it is over.
    list: Option<bool>,
}

/// A file of JSON objects: one a line, or all in one list.
pub(super) fn json(
    input: impl BufRead + Send + 'static,
    schema: &Arc<Schema>,
    batch_rows: usize,
) -> Result<Box<dyn Origin>, Stop> {
    let mut rows = Objects { input: plain(input)?, value: Vec::new(), line: 1, list: None };
    rows.skip_blanks()?;
    if rows.input.fill_buf()?.first() == Some(&b'[') {
        rows.input.consume(1);
        rows.list = Some(false);
    }
    Ok(Box::new(Lines { rows, texts: Texts::new(schema), faults: Faults::new(schema), batch_rows, done: false }))
}

impl Objects {
    fn skip_blanks(&mut self) -> io::Result<()> {
        loop {
            let begins = self.input.fill_buf()?;
            let blanks = begins.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            self.line += begins[..blanks].iter().filter(|&&byte| byte == b'\n').count() as u64;
            let (more, empty) = (blanks == begins.len(), begins.is_empty());
            self.input.consume(blanks);
            if empty || !more {
                return Ok(());
            }
        }
    }

    /// A line into `value`; false at the end of the file.
    fn line(&mut self) -> io::Result<bool> {
        self.value.clear();
        let limit = MAX_VALUE as u64 + 1;
        let read = self.input.by_ref().take(limit).read_until(b'\n', &mut self.value)?;
        if read as u64 == limit {
            return Err(io::Error::other(format!(
                "line {} is longer than 64 MiB; one JSON object a line was expected",
                self.line
            )));
        }
        Ok(read > 0)
    }

    /// An item of the list into `value`: up to the comma or bracket behind it. False at the end of the list.
    fn item(&mut self) -> io::Result<bool> {
        self.value.clear();
        let (mut depth, mut quoted, mut escaped) = (0_u32, false, false);
        loop {
            let begins = self.input.fill_buf()?;
            if begins.is_empty() {
                self.list = Some(true);
                return Err(io::Error::other("the list of JSON objects has no end; the file is cut"));
            }
            let mut used = 0;
            let mut end = None;
            for &byte in begins {
                used += 1;
                if byte == b'\n' {
                    self.line += 1;
                }
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' if quoted => escaped = true,
                    b'"' => quoted = !quoted,
                    _ if quoted => {}
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' if depth > 0 => depth -= 1,
                    b',' | b']' | b'}' if depth == 0 => {
                        end = Some(byte);
                        break;
                    }
                    _ => {}
                }
            }
            self.value.extend_from_slice(&begins[..used - usize::from(end.is_some())]);
            self.input.consume(used);
            if self.value.len() > MAX_VALUE {
                return Err(io::Error::other("an item of the JSON list is larger than 64 MiB"));
            }
            match end {
                None => {}
                Some(b',') => return Ok(true),
                Some(_) => {
                    self.list = Some(true);
                    return Ok(!self.value.trim_ascii().is_empty());
                }
            }
        }
    }
}

impl Rows for Objects {
    fn next(&mut self, texts: &mut Texts) -> io::Result<Option<(u64, Result<(), Wrong>)>> {
        if self.list == Some(true) {
            self.skip_blanks()?;
            if !self.input.fill_buf()?.is_empty() {
                return Err(io::Error::other(format!(
                    "line {}: something follows the list of JSON objects",
                    self.line
                )));
            }
            return Ok(None);
        }
        self.skip_blanks()?;
        let line = self.line;
        let more = if self.list.is_some() { self.item()? } else { self.line()? };
        if !more {
            return Ok(None);
        }
        if self.list.is_none() {
            self.line += 1;
        }
        Ok(Some((line, json::object(self.value.trim_ascii(), texts))))
    }
}
