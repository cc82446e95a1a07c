//! Text lists: one address a line. Lines are taken as they are; nothing in them is unescaped.

use memchr::memchr2;

use super::rows::Rows;
use crate::codes::{Code, Fault};
use crate::error::Error;
use crate::value::{date, number, url};

/// Reads the lines of a list, push-fed.
#[derive(Debug)]
pub(super) struct List {
    pub rows: Rows,
    pending: Vec<u8>,
    /// Offset of the first pending byte.
    offset: u64,
    max_text: usize,
    max_entries: u64,
    /// The line is longer than allowed: pass over its rest.
    skipping: bool,
    stopped: bool,
    delimited: Delimited,
    pub error: Option<Error>,
}

/// Addresses looked at for further columns before a list is held to have none.
const COLUMNS_WITHIN: u64 = 64;

/// Lines with further columns behind the address. A comma is a legal part of an address, so only most lines together say so.
#[derive(Debug, Default)]
struct Delimited {
    lines: u64,
    first: Option<(u64, Vec<u8>)>,
}

impl List {
    pub fn new(rows: Rows, options: &super::Options) -> Self {
        Self {
            rows,
            pending: Vec::new(),
            offset: 0,
            max_text: options.limits.max_text,
            max_entries: options.limits.max_entries.unwrap_or(u64::MAX),
            skipping: false,
            stopped: false,
            delimited: Delimited::default(),
            error: None,
        }
    }

    /// Offset of the line that is not finished.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Earlier places that a later fault may name.
    pub fn anchors(&self) -> Vec<u64> {
        self.delimited.first.iter().map(|first| first.0).collect()
    }

    pub fn stopped(&self) -> bool {
        self.stopped
    }

    pub fn feed(&mut self, mut chunk: &[u8]) {
        while let Some(end) = memchr2(b'\n', b'\r', chunk) {
            if self.pending.is_empty() {
                self.line(&chunk[..end]);
            } else {
                let mut pending = std::mem::take(&mut self.pending);
                pending.extend_from_slice(&chunk[..end]);
                self.line(&pending);
                pending.clear();
                self.pending = pending;
            }
            self.offset += 1;
            self.skipping = false;
            chunk = &chunk[end + 1..];
        }
        if self.skipping {
            self.offset += chunk.len() as u64;
            return;
        }
        self.pending.extend_from_slice(chunk);
        if self.pending.len() > self.max_text {
            self.overlong();
        }
    }

    /// Ends the list. A last line without an end counts unless the transport says that the file was cut.
    pub fn finish(&mut self, cut: bool) {
        let pending = std::mem::take(&mut self.pending);
        if !cut {
            self.line(&pending);
        }
        self.columns();
        if let Err(error) = self.rows.flush() {
            self.error.get_or_insert(error);
        }
    }

    /// Says once that the list is a table.
    fn columns(&mut self) {
        let Delimited { lines, first: Some((at, text)) } = std::mem::take(&mut self.delimited) else { return };
        let all = self.rows.entries;
        if lines * 2 > all {
            self.rows.log.push(Code::TXT010, || {
                let mut fault = Fault::new(Code::TXT010)
                    .at(at, at + text.len() as u64)
                    .value(&String::from_utf8_lossy(&text))
                    .detail(format!(
                        "{lines} of {all} lines have further columns, as in CSV, a URL alone was expected; \
                         each line was read as one address"
                    ));
                fault.count = lines;
                fault
            });
        }
    }

    fn overlong(&mut self) {
        let (at, most) = (self.offset, self.max_text);
        self.rows.log.push(Code::SIZ015, || {
            let detail = format!("line is longer than the {most} bytes of max_text, it was passed over");
            Fault::new(Code::SIZ015).at(at, at).value("max_text").detail(detail)
        });
        self.offset += self.pending.len() as u64;
        self.pending.clear();
        self.skipping = true;
    }

    fn line(&mut self, raw: &[u8]) {
        let offset = self.offset;
        self.offset += raw.len() as u64;
        let line = raw.trim_ascii();
        if self.skipping || self.stopped || line.is_empty() && raw.len() <= self.max_text {
            return;
        }
        if raw.len() > self.max_text {
            self.offset -= raw.len() as u64;
            self.pending.extend_from_slice(raw);
            self.overlong();
            self.skipping = false;
            return;
        }
        let at = offset + (line.as_ptr() as usize - raw.as_ptr() as usize) as u64;
        let span = (at, at + line.len() as u64);
        if line[0] == b'#' {
            return self.rows.fault(Code::TXT005, line, span);
        }
        if !line.iter().any(u8::is_ascii_whitespace) {
            return self.address(line, at);
        }
        let parts = || line.split(u8::is_ascii_whitespace).filter(|p| !p.is_empty());
        if parts().all(|p| url::absolute(p).is_ok()) {
            self.rows.fault(Code::TXT004, line, span);
            for part in parts() {
                let inside = part.as_ptr() as usize - line.as_ptr() as usize;
                self.address(part, at + inside as u64);
            }
            return;
        }
        let first = parts().next().is_some_and(|p| url::absolute(p).is_ok());
        let code = match (first, line.contains(&b'\t')) {
            (true, true) => Code::TXT010,
            // A blank within an address: the line is one address, and says so itself.
            (true, false) => return self.address(line, at),
            _ => Code::TXT002,
        };
        self.rows.fault(code, line, span);
    }

    fn address(&mut self, text: &[u8], offset: u64) {
        if self.rows.entries >= self.max_entries {
            self.stopped = true;
            let most = self.max_entries;
            return self.rows.log.push(Code::SIZ015, || {
                Fault::new(Code::SIZ015).at(offset, offset).detail(format!("reading stopped after {most} entries"))
            });
        }
        if (self.delimited.first.is_some() || self.rows.entries < COLUMNS_WITHIN) && has_columns(text) {
            self.delimited.lines += 1;
            self.delimited.first.get_or_insert_with(|| (offset, text.to_vec()));
        }
        self.rows.begin();
        self.rows.line(text, offset);
        if let Err(error) = self.rows.end(Code::TXT002, offset, offset + text.len() as u64) {
            self.error.get_or_insert(error);
        }
    }
}

/// Whether behind a comma or semicolon stands what a sitemap gives beside an address: a day or a priority.
fn has_columns(line: &[u8]) -> bool {
    let tail = &line[line.len().saturating_sub(60)..];
    let Some(at) = memchr2(b',', b';', tail) else { return false };
    let day = |field: &[u8]| field.len() >= 10 && field[4] == b'-' && date::w3c(field).date.is_some();
    let priority =
        |field: &[u8]| matches!(field, [b'0', b'.', b'0'..=b'9', ..] | b"1.0") && number::priority(field).0.is_some();
    tail[at + 1..].split(|&b| matches!(b, b',' | b';')).map(<[u8]>::trim_ascii).any(|f| day(f) || priority(f))
}
