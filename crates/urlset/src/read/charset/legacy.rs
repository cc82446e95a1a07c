//! Charsets from before Unicode, character by character, with the source bytes of each. The tables are those of `encoding_rs`.

use encoding_rs::{Decoder, DecoderResult, Encoding, ISO_2022_JP};

/// What decoding produced, in the order of the source. Source bytes are handed on without a gap.
pub(super) trait Sink {
    /// ASCII, byte for byte.
    fn ascii(&mut self, bytes: &[u8]);
    /// UTF-8 of one character (or of one pair that the charset has as one), for so many source bytes.
    fn text(&mut self, utf8: &[u8], from: u8);
    /// Source bytes that stand for no character.
    fn malformed(&mut self, bytes: &[u8]);
    /// Source bytes that stand for nothing, such as an escape sequence.
    fn nothing(&mut self, from: u64);
}

/// Charsets of one byte a character: a table of the upper half.
#[derive(Debug)]
pub(super) struct Single {
    /// UTF-8 of the bytes from 0x80 on; `None` for a hole.
    upper: [Option<([u8; 4], u8)>; 128],
}

impl Single {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        let mut upper = [None; 128];
        for (byte, slot) in (0x80..=u8::MAX).zip(&mut upper) {
            let bytes = [byte];
            let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
            *slot = text.and_then(|text| text.chars().next()).map(|c| {
                let mut utf8 = [0; 4];
                let length = c.encode_utf8(&mut utf8).len() as u8;
                (utf8, length)
            });
        }
        Self { upper }
    }

    pub(super) fn feed(&self, mut input: &[u8], sink: &mut impl Sink) {
        while !input.is_empty() {
            let plain = Encoding::ascii_valid_up_to(input);
            sink.ascii(&input[..plain]);
            input = &input[plain..];
            while let [byte @ (0x80..), rest @ ..] = input {
                match &self.upper[usize::from(byte & 0x7f)] {
                    Some((utf8, length)) => sink.text(&utf8[..usize::from(*length)], 1),
                    None => sink.malformed(&[*byte]),
                }
                input = rest;
            }
        }
    }
}

/// Source bytes that a decoder has read and not yet accounted for: at most an escape, a malformed sequence and what it read after it.
const PENDING: usize = 16;

/// Charsets of several bytes a character: fed byte by byte outside ASCII, so that each character's source bytes are known.
pub(super) struct Multi {
    decoder: Decoder,
    /// ISO-2022-JP shifts between character sets, so that even ASCII bytes depend on what came before.
    shifts: bool,
    pending: [u8; PENDING],
    have: usize,
}

impl std::fmt::Debug for Multi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Multi").field("encoding", &self.decoder.encoding().name()).finish_non_exhaustive()
    }
}

impl Multi {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        Self {
            decoder: encoding.new_decoder_without_bom_handling(),
            shifts: encoding == ISO_2022_JP,
            pending: [0; PENDING],
            have: 0,
        }
    }

    pub(super) fn feed(&mut self, mut input: &[u8], sink: &mut impl Sink) {
        while !input.is_empty() {
            if self.have == 0 && !self.shifts {
                let plain = Encoding::ascii_valid_up_to(input);
                sink.ascii(&input[..plain]);
                input = &input[plain..];
            }
            if let Some((byte, rest)) = input.split_first() {
                self.decode(std::slice::from_ref(byte), false, sink);
                input = rest;
            }
        }
    }

    pub(super) fn finish(&mut self, sink: &mut impl Sink) {
        self.decode(&[], true, sink);
        sink.nothing(self.have as u64);
        self.have = 0;
    }

    /// Runs the decoder over no more than one byte.
    fn decode(&mut self, mut input: &[u8], last: bool, sink: &mut impl Sink) {
        let mut utf8 = [0; 32];
        loop {
            let (result, read, written) = self.decoder.decode_to_utf8_without_replacement(input, &mut utf8, last);
            for &byte in &input[..read] {
                if self.have == PENDING {
                    // only a row of escape sequences is this long, and its start stands for nothing
                    self.take(1);
                    sink.nothing(1);
                }
                self.pending[self.have] = byte;
                self.have += 1;
            }
            input = &input[read..];
            let (bad, after) = match result {
                DecoderResult::Malformed(bad, after) => (usize::from(bad), usize::from(after)),
                DecoderResult::InputEmpty | DecoderResult::OutputFull => (0, 0),
            };
            self.account(&utf8[..written], bad + after, sink);
            if let DecoderResult::Malformed(..) = result {
                let before = self.have.saturating_sub(bad + after);
                self.take(before);
                sink.nothing(before as u64);
                let bad = bad.min(self.have);
                let (bytes, _) = self.take(bad);
                sink.malformed(&bytes[..bad]);
            } else if let DecoderResult::InputEmpty = result {
                return;
            }
        }
    }

    /// Gives characters their source bytes; the last `kept` bytes belong to what follows them.
    fn account(&mut self, mut utf8: &[u8], kept: usize, sink: &mut impl Sink) {
        while let Some(&first) = utf8.first() {
            if self.shifts {
                while self.have > 3 && self.pending[0] == 0x1b {
                    self.take(3);
                    sink.nothing(3);
                }
            }
            let ascii = first < 0x80;
            // an ASCII character is one byte in every charset; what else comes at once is one sequence
            let from = if ascii { self.have.min(1) } else { self.have.saturating_sub(kept) };
            let length = if ascii { 1 } else { utf8.len() };
            sink.text(&utf8[..length], from as u8);
            self.take(from);
            utf8 = &utf8[length..];
        }
    }

    /// Takes the first pending bytes off.
    fn take(&mut self, count: usize) -> ([u8; PENDING], usize) {
        let taken = self.pending;
        self.pending.copy_within(count..self.have, 0);
        self.have -= count;
        (taken, count)
    }
}
