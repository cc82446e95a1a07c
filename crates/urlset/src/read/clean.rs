//! Text as written to text as meant: references resolved, trimmed, in UTF-8. Says what it had to repair, and guesses nothing.

use std::borrow::Cow;

use crate::codes::{Code, Fault, Log};
use crate::scan::{Reference, is_char, resolve, trim};

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

/// Text as meant; `None` when it cannot be known, and the log says why.
#[inline]
pub(super) fn clean<'a>(
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

/// Whether a text is what it seems: ASCII without control characters and line ends that XML changes.
#[inline]
fn is_clean(text: &[u8]) -> bool {
    text.iter().fold(true, |clean, &b| clean & ((0x20..0x80).contains(&b) | (b == b'\n') | (b == b'\t')))
}

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
    if !is_clean(&raw) {
        illegal(&raw, start, log);
    }
    if place.references
        && memchr::memchr(b']', &raw).is_some()
        && let Some(at) = memchr::memmem::find(&raw, b"]]>")
    {
        let at = start + at as u64;
        log.push(Code::XML001, || Fault::new(Code::XML001).at(at, at + 3).value("]]>"));
    }
    known
}

/// Reports the first character that XML does not allow.
fn illegal(text: &[u8], start: u64, log: &mut Log) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    if let Some((at, c)) = text.char_indices().find(|&(_, c)| !is_char(c)) {
        let at = start + at as u64;
        let value = format!("U+{:04X}", u32::from(c));
        log.push(Code::XML014, || Fault::new(Code::XML014).at(at, at + c.len_utf8() as u64).value(&value));
    }
}
