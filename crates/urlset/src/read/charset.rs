//! Any charset to UTF-8, as the bytes come in, with the way back to source offsets. UTF-8 itself passes untouched, faults included.

mod declaration;
mod legacy;
mod offsets;
mod wide;

use super::position::Position;
use crate::codes::{Code, Fault, Log};

use declaration::{Decision, Form, HEAD, decide};
use legacy::{Multi, Single, Sink};
use offsets::Offsets;
use wide::{LOOKAHEAD, Step, Wide};

/// Where decoded bytes go, with the log that later stages write to.
pub type Out<'a> = dyn FnMut(&[u8], &mut Log) + 'a;

/// Decoded bytes gathered before they are passed on.
const BUFFER: usize = 64 * 1024;

/// U+FFFD, which stands for what is no character.
const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

/// Decodes a file to UTF-8.
///
/// The charset is that of the byte order mark (or of zero bytes that give wide text away), else the HTTP charset, else that of the XML
/// declaration in the first 1,024 bytes, else UTF-8 (XML 1.0, appendix F; labels by the WHATWG Encoding standard). The mark itself is
/// not passed on. UTF-8 is passed on unchanged, also where it is invalid: repair is a matter of single values. In every other charset
/// what is malformed becomes U+FFFD, with XML007. At most 1,024 bytes are held back.
///
/// ```
/// use urlset::codes::Log;
/// use urlset::read::charset::Decode;
///
/// let mut log = Log::new(20);
/// let mut text = Vec::new();
/// let mut decode = Decode::new(Some("windows-1251"));
/// decode.feed(b"http://a.example/\xef?", &mut log, &mut |bytes, _| text.extend_from_slice(bytes));
/// decode.finish(&mut log, &mut |bytes, _| text.extend_from_slice(bytes));
/// assert_eq!(text, "http://a.example/п?".as_bytes());
/// assert_eq!(decode.source_offset(19), 18); // the question mark
/// ```
#[derive(Debug)]
pub struct Decode {
    http: Option<String>,
    head: Vec<u8>,
    /// Bytes of the byte order mark that are still to be passed over.
    mark_left: usize,
    state: State,
    decision: Option<Decision>,
    writer: Writer,
}

#[derive(Debug)]
enum State {
    Undecided,
    Utf8,
    /// Bytes of the last character that is not whole yet.
    Wide(Wide, Vec<u8>),
    Single(Box<Single>),
    Multi(Box<Multi>),
}

impl Decode {
    /// A stage for a file that came with this charset parameter of its content type, if any.
    pub fn new(http: Option<&str>) -> Self {
        Self {
            http: http.map(str::to_owned),
            head: Vec::new(),
            mark_left: 0,
            state: State::Undecided,
            decision: None,
            writer: Writer::default(),
        }
    }

    /// Decides for a charset as soon as the bytes so far and `input` say which. [`Self::feed`] and [`Self::finish`] do so themselves;
    /// this is for who must know of [`Self::declared`] before the first text comes out.
    pub fn decide(&mut self, input: &[u8], whole: bool, log: &mut Log) {
        if !matches!(self.state, State::Undecided) {
            return;
        }
        let decision = if self.head.is_empty() {
            decide(self.http.as_deref(), input, whole)
        } else {
            let now = &input[..input.len().min(HEAD - self.head.len())];
            decide(self.http.as_deref(), &[&self.head, now].concat(), whole)
        };
        let Some(decision) = decision else { return };
        for fault in &decision.faults {
            log.push(fault.code, || fault.clone());
        }
        self.state = match decision.form {
            Form::Utf8 => State::Utf8,
            Form::Wide(wide) => State::Wide(wide, Vec::with_capacity(LOOKAHEAD)),
            Form::Legacy(encoding) if encoding.is_single_byte() => State::Single(Box::new(Single::new(encoding))),
            Form::Legacy(encoding) => State::Multi(Box::new(Multi::new(encoding))),
        };
        self.mark_left = decision.bom;
        self.writer.map.skip(decision.bom as u64);
        self.decision = Some(decision);
    }

    /// Takes the next bytes of the file, of any number. UTF-8 goes to `out` as the very slice that came in.
    pub fn feed(&mut self, input: &[u8], log: &mut Log, out: &mut Out<'_>) {
        if input.is_empty() {
            return;
        }
        self.decide(input, false, log);
        if matches!(self.state, State::Undecided) {
            self.head.extend_from_slice(input);
            return;
        }
        self.decode_head(log, out);
        self.decode(input, log, out);
    }

    /// Says that the file ends here, and passes on what was held back.
    pub fn finish(&mut self, log: &mut Log, out: &mut Out<'_>) {
        self.decide(b"", true, log);
        self.decode_head(log, out);
        let mut sink = Decoded { writer: &mut self.writer, log, out };
        match &mut self.state {
            State::Wide(wide, carry) => {
                let bytes = std::mem::take(carry);
                let left = sink.wide(*wide, &bytes, true);
                debug_assert_eq!(left, 0, "at the end every byte is a character or none");
            }
            State::Multi(multi) => multi.finish(&mut sink),
            State::Undecided | State::Utf8 | State::Single(_) => {}
        }
        sink.flush();
    }

    fn decode_head(&mut self, log: &mut Log, out: &mut Out<'_>) {
        let head = std::mem::take(&mut self.head);
        self.decode(&head, log, out);
    }

    fn decode(&mut self, mut input: &[u8], log: &mut Log, out: &mut Out<'_>) {
        let mark = self.mark_left.min(input.len());
        self.mark_left -= mark;
        input = &input[mark..];
        if input.is_empty() {
            return;
        }
        if let State::Utf8 = self.state {
            out(input, log);
            return;
        }
        let mut sink = Decoded { writer: &mut self.writer, log, out };
        match &mut self.state {
            State::Wide(wide, carry) => {
                // a character cut by the end of the last chunk is completed byte by byte
                while !carry.is_empty() {
                    let Some((&byte, rest)) = input.split_first() else { break };
                    carry.push(byte);
                    input = rest;
                    let used = carry.len() - sink.wide(*wide, carry, false);
                    carry.drain(..used);
                }
                let left = sink.wide(*wide, input, false);
                carry.extend_from_slice(&input[input.len() - left..]);
            }
            State::Single(single) => single.feed(input, &mut sink),
            State::Multi(multi) => multi.feed(input, &mut sink),
            State::Undecided | State::Utf8 => {}
        }
        sink.flush();
    }

    /// The charset used, by its WHATWG name (`UTF-8`, `windows-1252`, `UTF-16LE`) or `UTF-32LE`, `UTF-32BE`; UTF-8 until it is known.
    pub fn charset(&self) -> &'static str {
        self.decision.as_ref().map_or("UTF-8", |decision| decision.form.name())
    }

    /// Whether file or transport marked or declared the charset in use. Where they did not, or said something that could not be followed,
    /// or said US-ASCII, a value that is not UTF-8 may be read as windows-1252.
    pub fn declared(&self) -> bool {
        self.decision.as_ref().is_some_and(|decision| decision.declared)
    }

    /// Length of the byte order mark, 0 where there is none.
    pub fn bom_bytes(&self) -> usize {
        self.decision.as_ref().map_or(0, |decision| decision.bom)
    }

    /// The source offset of the character that a decoded offset lies in. Exact from the last offset given to
    /// [`Self::forget_before`] on; the offset one past the last decoded byte gives the end of the source decoded so far.
    pub fn source_offset(&self, decoded: u64) -> u64 {
        match self.state {
            State::Undecided | State::Utf8 => self.bom_bytes() as u64 + decoded,
            _ => self.writer.map.source_of(decoded),
        }
    }

    /// Promises not to ask for decoded offsets below this one any more. Without it the map of a file that is not UTF-8 grows with it.
    pub fn forget_before(&mut self, decoded: u64) {
        self.writer.map.forget_before(decoded);
    }
}

/// Decoded bytes on their way out, and where they came from.
#[derive(Debug, Default)]
struct Writer {
    bytes: Vec<u8>,
    map: Offsets,
    /// Where the text has got to, as far as its first `passed` bytes are waiting here.
    place: Position,
    passed: usize,
}

impl Writer {
    /// Line and column of what comes next.
    fn place(&mut self) -> Position {
        self.place.pass(&self.bytes[self.passed..]);
        self.passed = self.bytes.len();
        self.place
    }
}

/// A writer with somewhere to write to.
struct Decoded<'a, 'b> {
    writer: &'a mut Writer,
    log: &'a mut Log,
    out: &'a mut Out<'b>,
}

impl Decoded<'_, '_> {
    fn flush(&mut self) {
        if !self.writer.bytes.is_empty() {
            self.writer.place();
            self.writer.passed = 0;
            (self.out)(&self.writer.bytes, self.log);
            self.writer.bytes.clear();
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.writer.bytes.len() + bytes.len() > BUFFER {
            self.flush();
        }
        self.writer.bytes.extend_from_slice(bytes);
    }

    /// Decodes wide text as far as it is whole, and returns how many bytes are left.
    fn wide(&mut self, wide: Wide, mut bytes: &[u8], whole: bool) -> usize {
        loop {
            let room = BUFFER.saturating_sub(self.writer.bytes.len());
            let before = self.writer.bytes.len();
            self.writer.bytes.extend(wide.ascii(bytes).take(room));
            let plain = self.writer.bytes.len() - before;
            self.writer.map.push(plain as u64, 1, wide.width);
            bytes = &bytes[plain * usize::from(wide.width)..];
            match wide.step(bytes, whole) {
                Step::More => return bytes.len(),
                Step::Char(c, from) => {
                    let mut utf8 = [0; 4];
                    self.text(c.encode_utf8(&mut utf8).as_bytes(), from);
                    bytes = &bytes[usize::from(from)..];
                }
                Step::Bad(from) => {
                    let (bad, rest) = bytes.split_at(usize::from(from));
                    self.malformed(bad);
                    bytes = rest;
                }
            }
        }
    }
}

impl Sink for Decoded<'_, '_> {
    fn ascii(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(BUFFER) {
            // the map must know a byte before anyone can ask for it
            self.writer.map.push(piece.len() as u64, 1, 1);
            self.write(piece);
        }
    }

    fn text(&mut self, utf8: &[u8], from: u8) {
        self.writer.map.push(1, utf8.len() as u8, from);
        self.write(utf8);
    }

    fn malformed(&mut self, bytes: &[u8]) {
        let at = self.writer.map.source();
        let place = self.writer.place();
        self.log.push(Code::XML007, || {
            let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
            let bytes_shown = hex.join(" ");
            let mut fault = Fault::new(Code::XML007)
                .at(at, at + bytes.len() as u64)
                .value(&bytes_shown)
                .detail(format!("bytes {bytes_shown} are not valid in the encoding of the file, read as U+FFFD"));
            (fault.line, fault.column) = (Some(place.line), Some(place.column));
            fault
        });
        self.text(REPLACEMENT, bytes.len() as u8);
    }

    fn nothing(&mut self, from: u64) {
        self.writer.map.skip(from);
    }
}
