//! Text as written to text as meant: references resolved, trimmed, in UTF-8. Says what it had to repair, and guesses nothing.

use std::borrow::Cow;

use crate::codes::{Code, Fault, Log};
use crate::scan::{Reference, is_char, predefined, resolve, trim};

/// What may be in a text: a word that fits a register, since every value of a file comes with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Text(u8);

impl Text {
    /// A line of a list: nothing in it is markup.
    pub const LINE: Self = Self(0);
    /// Text of an element: `&` begins references.
    pub const ELEMENT: Self = Self(1);
    /// The value of an attribute: the same, and white space is made blanks.
    pub const ATTRIBUTE: Self = Self(1 | 2);

    /// The same in a document that named entities: a name may mean what only its declaration says.
    pub const fn with_entities(self, entities: bool) -> Self {
        Self(self.0 | if entities { 4 } else { 0 })
    }

    /// The same of a text known to be what it seems.
    pub const fn clean(self, clean: bool) -> Self {
        Self(self.0 | if clean { 8 } else { 0 })
    }

    pub const fn is_clean(self) -> bool {
        self.0 & 8 != 0
    }

    const fn references(self) -> bool {
        self.0 & 1 != 0
    }

    const fn attribute(self) -> bool {
        self.0 & 2 != 0
    }

    const fn entities(self) -> bool {
        self.0 & 4 != 0
    }
}

/// Text as meant, of a text without white space around it that starts at `start`; `None` when it cannot be known, and the log says why.
pub(super) fn clean<'a>(
    trimmed: &[u8],
    start: u64,
    kind: Text,
    scratch: &'a mut Vec<u8>,
    log: &mut Log,
    declared: bool,
) -> Option<&'a [u8]> {
    if kind.references() && usual(trimmed, scratch) {
        return Some(scratch);
    }
    resolved(trimmed, start, kind, scratch, log, declared).then(|| trim(scratch))
}

/// Replaces `out` by a text with its references resolved, where it is written as most with references are: ASCII without
/// control characters and `]`, and no reference but the five of XML itself. Nothing is to be said of it then, and none of the
/// five is white space, so that what is trimmed stays so. What is in `out` where it is not, is nothing.
fn usual(text: &[u8], out: &mut Vec<u8>) -> bool {
    let odd = |b: u8| u8::from(b.wrapping_sub(b' ') >= 0x80 - b' ') | u8::from(b == b']');
    if text.iter().fold(0, |bad, b| bad | odd(*b)) != 0 {
        return false;
    }
    out.clear();
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'&', rest) {
        let Some((meant, behind)) = predefined(&rest[at + 1..]) else { return false };
        out.extend_from_slice(&rest[..at]);
        out.push(meant);
        rest = behind;
    }
    out.extend_from_slice(rest);
    true
}

/// Whether a text is what it seems: ASCII without control characters and line ends that XML changes.
#[inline]
pub(super) fn is_clean(text: &[u8]) -> bool {
    text.iter().fold(true, |clean, &b| clean & ((0x20..0x80).contains(&b) | (b == b'\n') | (b == b'\t')))
}

fn resolved(raw: &[u8], start: u64, kind: Text, out: &mut Vec<u8>, log: &mut Log, declared: bool) -> bool {
    out.clear();
    let end = start + raw.len() as u64;
    let raw: Cow<'_, [u8]> = match std::str::from_utf8(raw) {
        Ok(_) => Cow::Borrowed(raw),
        Err(wrong) => {
            let offset = start + wrong.valid_up_to() as u64;
            let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(raw);
            let code = if kind.references() { Code::XML007 } else { Code::TXT001 };
            log.push(code, || {
                let fault = Fault::new(code).at(offset, end).value(&text);
                if declared { fault.detail("value is not in the declared encoding, and was left out") } else { fault }
            });
            if declared {
                return false;
            }
            Cow::Owned(text.into_owned().into_bytes())
        }
    };
    let mut known = true;
    // Where a byte of this text lies in the file: each character of windows-1252 was one byte.
    let place = |at: usize| match &raw {
        Cow::Borrowed(_) => start + at as u64,
        Cow::Owned(text) => start + String::from_utf8_lossy(&text[..at]).chars().count() as u64,
    };
    if kind.references() {
        resolve(&raw, kind.attribute(), out, |what, range| {
            let fault = |code| Fault::new(code).at(place(range.start), place(range.end));
            let text = || String::from_utf8_lossy(&raw[range.clone()]).into_owned();
            match what {
                Reference::Fault(code) => log.push(code, || {
                    let around = range.start..raw.len().min(range.start + 24);
                    match code {
                        Code::XML002 => fault(code).value(&String::from_utf8_lossy(&raw[around])).fix("&amp;"),
                        _ => fault(code).value(&text()),
                    }
                }),
                Reference::Named if kind.entities() => {
                    known = false;
                    log.push(Code::XML016, || fault(Code::XML016).value(&text()));
                }
                Reference::Named => log.push(Code::XML003, || fault(Code::XML003).value(&text())),
            }
        });
    } else {
        out.extend_from_slice(&raw);
    }
    if !is_clean(&raw) {
        illegal(&raw, place, log);
    }
    if kind.references()
        && memchr::memchr(b']', &raw).is_some()
        && let Some(at) = memchr::memmem::find(&raw, b"]]>")
    {
        log.push(Code::XML001, || Fault::new(Code::XML001).at(place(at), place(at + 3)).value("]]>"));
    }
    known
}

/// Reports the first character that XML does not allow.
fn illegal(text: &[u8], place: impl Fn(usize) -> u64, log: &mut Log) {
    // Only the end of the basic plane begins so.
    let may_be = |&b: &u8| b == 0xef || b < 0x20 && !crate::scan::is_space(b);
    if !text.iter().any(may_be) {
        return;
    }
    let Ok(text) = std::str::from_utf8(text) else { return };
    if let Some((at, c)) = text.char_indices().find(|&(_, c)| !is_char(c)) {
        log.push(Code::XML014, || {
            let value = format!("U+{:04X}", u32::from(c));
            Fault::new(Code::XML014).at(place(at), place(at + c.len_utf8())).value(&value)
        });
    }
}
